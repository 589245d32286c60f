// RUN: not xla-run %s --device=cpu --input=f32=1 2>&1 | FileCheck %s
// CHECK: cannot run here: a program needs 800000000000 bytes, more than four fifths
func.func @main(%a: tensor<f32>) -> tensor<f32> {
  %b = xla.broadcast_in_dim %a {broadcast_dimensions = array<i64>} : (tensor<f32>) -> tensor<100000x1000000xf32>
  %r = xla.sort(%b) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %c = xla.compare %p, %q {comparison_direction = "LT"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  }) {dimension = 1 : i64, is_stable = true} : tensor<100000x1000000xf32>
  %z = xla.constant dense<0.0> : tensor<f32>
  %0 = xla.slice %r {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 1, 1>} : (tensor<100000x1000000xf32>) -> tensor<1x1xf32>
  %1 = xla.reshape %0 : (tensor<1x1xf32>) -> tensor<f32>
  return %1 : tensor<f32>
}
