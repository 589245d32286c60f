// RUN: xla-opt %s | FileCheck %s
// RUN: xla-opt %s --mlir-print-op-generic | xla-opt | FileCheck %s
// RUN: xla-run %s --check
// RUN: xla-run %s --check --device=cpu
// RUN: xla-run %s --entry=shapes --device=all --seed=1 --output=none --output=none --output=none --output=none
// RUN: xla-opt %s --xla-annotate-indexing | FileCheck %s --check-prefix=MAP

// CHECK: xla.roll %{{.*}} {dimensions = [1], shifts = [2]} : tensor<2x5xi32>
// MAP: (d0, d1) -> (d0, (d1 + 3) mod 5)
func.func @rows() {
  %x = xla.constant dense<[[0, 1, 2, 3, 4], [5, 6, 7, 8, 9]]> : tensor<2x5xi32>
  %0 = xla.roll %x {shifts = [2], dimensions = [1]} : tensor<2x5xi32>
  %want = xla.constant dense<[[3, 4, 0, 1, 2], [8, 9, 5, 6, 7]]> : tensor<2x5xi32>
  xla.custom_call %0, %want {call_target_name = "check.expect_eq"} : (tensor<2x5xi32>, tensor<2x5xi32>) -> ()
  return
}

// Shifts are taken modulo the dimension, in any order.
func.func @both() {
  %x = xla.constant dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xi8>
  %0 = xla.roll %x {shifts = [-4, 9], dimensions = [1, 0]} : tensor<2x3xi8>
  %want = xla.constant dense<[[4, 5, 3], [1, 2, 0]]> : tensor<2x3xi8>
  xla.custom_call %0, %want {call_target_name = "check.expect_eq"} : (tensor<2x3xi8>, tensor<2x3xi8>) -> ()
  return
}

func.func @shapes(%x: tensor<7x1x9xf32>, %e: tensor<0x3xf32>, %s: tensor<f32>, %p: tensor<5x6xi1>) -> (tensor<7x1x9xf32>, tensor<0x3xf32>, tensor<f32>, tensor<5x6xi1>) {
  %0 = xla.exponential %x : tensor<7x1x9xf32>
  %1 = xla.roll %0 {shifts = [3, 1, -9223372036854775808], dimensions = [2, 1, 0]} : tensor<7x1x9xf32>
  %2 = xla.add %1, %x : tensor<7x1x9xf32>
  %3 = xla.roll %e {shifts = [1, 1], dimensions = [0, 1]} : tensor<0x3xf32>
  %4 = xla.roll %s {shifts = [], dimensions = []} : tensor<f32>
  %5 = xla.roll %p {shifts = [5, 2], dimensions = [0, 1]} : tensor<5x6xi1>
  return %2, %3, %4, %5 : tensor<7x1x9xf32>, tensor<0x3xf32>, tensor<f32>, tensor<5x6xi1>
}
