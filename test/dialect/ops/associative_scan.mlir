// RUN: xla-opt %s | FileCheck %s
// RUN: xla-opt %s --mlir-print-op-generic | xla-opt | FileCheck %s
// RUN: xla-run %s --check
// RUN: xla-run %s --check --device=cpu

// CHECK: xla.associative_scan(%{{.*}}) ({
// CHECK: }) {dimension = 0 : i64} : tensor<4xf32>
func.func @sums() {
  %x = xla.constant dense<[-0.0, 2.0, 0xFF800000, 1.0]> : tensor<4xf32>
  %0 = xla.associative_scan(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimension = 0} : (tensor<4xf32>) -> tensor<4xf32>
  %want = xla.constant dense<[-0.0, 2.0, 0xFF800000, 0xFF800000]> : tensor<4xf32>
  xla.custom_call %0, %want {call_target_name = "check.expect_eq"} : (tensor<4xf32>, tensor<4xf32>) -> ()
  return
}

// The element that comes first along the dimension is the first argument, in either direction.
func.func @first() {
  %x = xla.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %0 = xla.associative_scan(%x) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    xla.return %a : tensor<i32>
  }) {dimension = 1} : (tensor<2x3xi32>) -> tensor<2x3xi32>
  %want = xla.constant dense<[[1, 1, 1], [4, 4, 4]]> : tensor<2x3xi32>
  xla.custom_call %0, %want {call_target_name = "check.expect_eq"} : (tensor<2x3xi32>, tensor<2x3xi32>) -> ()
  %1 = xla.associative_scan(%x) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    xla.return %a : tensor<i32>
  }) {dimension = 1, reverse = true} : (tensor<2x3xi32>) -> tensor<2x3xi32>
  xla.custom_call %1, %x {call_target_name = "check.expect_eq"} : (tensor<2x3xi32>, tensor<2x3xi32>) -> ()
  return
}
