// Constants of one value are not in memory, however large they are: fusions compute them, and what else reads them gets a kernel's result.
// RUN: xla-opt %s --xla-fuse | FileCheck %s
// RUN: xla-opt %s --xla-cpu-pipeline=to=linalg | FileCheck %s --check-prefix=LINALG

// CHECK-LABEL: func.func @main
// CHECK-NEXT: %[[WHOLE:.*]] = xla.fusion() ({
// CHECK-NEXT:   xla.constant dense<2.000000e+00> : tensor<70368744177664xf32>
// CHECK-NEXT:   xla.return
// CHECK: }) {kind = "loop"}
// CHECK: %[[SMALL:.*]] = xla.constant dense<3.000000e+00> : tensor<4xf32>
// CHECK: %[[SUM:.*]] = xla.fusion() ({
// CHECK: xla.constant dense<2.000000e+00> : tensor<70368744177664xf32>
// CHECK: xla.reduce
// CHECK: return %[[WHOLE]], %[[SUM]], %[[SMALL]]

// LINALG: func.func private @kernel_0(%{{.*}}: memref<70368744177664xf32>)
// LINALG: arith.constant 2.000000e+00 : f32
// LINALG: func.func private @kernel_1(%{{.*}}: memref<f32>)
// LINALG: arith.constant 2.000000e+00 : f32

func.func @main() -> (tensor<70368744177664xf32>, tensor<f32>, tensor<4xf32>) {
  %x = xla.constant dense<2.0> : tensor<70368744177664xf32>
  %small = xla.constant dense<3.0> : tensor<4xf32>
  %z = xla.constant dense<0.0> : tensor<f32>
  %r = xla.reduce %x, %z ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = xla.add %a, %b : tensor<f32>
      xla.return %s : tensor<f32>
  }) {dimensions = [0]} : (tensor<70368744177664xf32>, tensor<f32>) -> tensor<f32>
  return %x, %r, %small : tensor<70368744177664xf32>, tensor<f32>, tensor<4xf32>
}
