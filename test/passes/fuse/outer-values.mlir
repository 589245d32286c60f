// A reduction may use values from outside; its kernel gets them as operands.
// RUN: xla-opt %s --xla-fuse | FileCheck %s
// RUN: xla-run %s --device=cpu --input="2x3xf32=1 2 3 4 5 6" --input=f32=10 --expected-output="2xf32=61 151"
// RUN: xla-run %s --input="2x3xf32=1 2 3 4 5 6" --input=f32=10 --expected-output="2xf32=61 151"

// CHECK: xla.fusion(%arg0, %arg1) ({
// CHECK-NEXT: ^bb0(%[[A:.*]]: tensor<2x3xf32>, %[[K:.*]]: tensor<f32>):
// CHECK-NEXT:   %[[INIT:.*]] = xla.constant dense<1.000000e+00> : tensor<f32>
// CHECK-NEXT:   %[[R:.*]] = xla.reduce(%[[A]], %[[INIT]])
// CHECK:          xla.multiply %{{.*}}, %[[K]]
// CHECK:        xla.return %[[R]] : tensor<2xf32>
// CHECK-NEXT: }) {kind = "reduce"}
func.func @main(%a: tensor<2x3xf32>, %k: tensor<f32>) -> tensor<2xf32> {
  %one = xla.constant dense<1.0> : tensor<f32>
  %0 = xla.reduce(%a, %one) ({
  ^bb0(%m: tensor<f32>, %n: tensor<f32>):
    %s = xla.multiply %n, %k : tensor<f32>
    %t = xla.add %m, %s : tensor<f32>
    xla.return %t : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
