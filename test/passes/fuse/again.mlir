// What kernels need that cannot be one is computed by each of them where that takes less time than memory: on graphics cards the exponentials
// of long columns, for their sums and for the quotients.
// RUN: xla-opt %s --xla-fuse="device=gpu report" -o /dev/null 2>&1 | FileCheck %s
// RUN: xla-opt %s --xla-fuse="device=cpu report" -o /dev/null 2>&1 | FileCheck %s --check-prefix=CPU
// RUN: xla-run %s --device=all --seed=3 --output=none

// CHECK: 1 - {{.*}} reduce of tensor<32xf32>
// CHECK-NEXT: 2 reduce {{.*}} exponential, reduce of tensor<32xf32>
// CHECK-NEXT: 3 loop {{.*}} exponential, divide of tensor<3000x32xf32>
// CHECK: 7 operations in 3 kernels; bytes read and written: 1536
// CPU: 2 loop {{.*}} exponential of tensor<3000x32xf32>
// CPU: in 4 kernels
func.func @main(%x: tensor<3000x32xf32>) -> tensor<3000x32xf32> {
  %least = xla.constant dense<0xFF800000> : tensor<f32>
  %zero = xla.constant dense<0.0> : tensor<f32>
  %max = xla.reduce(%x, %least) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %0 = xla.maximum %a, %b : tensor<f32>
    xla.return %0 : tensor<f32>
  }) {dimensions = [0]} : (tensor<3000x32xf32>, tensor<f32>) -> tensor<32xf32>
  %maxima = xla.broadcast_in_dim %max {broadcast_dimensions = [1]} : (tensor<32xf32>) -> tensor<3000x32xf32>
  %difference = xla.subtract %x, %maxima : tensor<3000x32xf32>
  %e = xla.exponential %difference : tensor<3000x32xf32>
  %sum = xla.reduce(%e, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %0 = xla.add %a, %b : tensor<f32>
    xla.return %0 : tensor<f32>
  }) {dimensions = [0]} : (tensor<3000x32xf32>, tensor<f32>) -> tensor<32xf32>
  %sums = xla.broadcast_in_dim %sum {broadcast_dimensions = [1]} : (tensor<32xf32>) -> tensor<3000x32xf32>
  %r = xla.divide %e, %sums : tensor<3000x32xf32>
  return %r : tensor<3000x32xf32>
}
