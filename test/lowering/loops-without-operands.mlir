// Sums and maxima of what a kernel computes by itself: no operand says how long its
// loops are.
// RUN: xla-run %s --device=cpu --expected-output=f32=1998000 --expected-output=4xf32=999
// RUN: xla-run %s --expected-output=f32=1998000 --expected-output=4xf32=999

func.func @main() -> (tensor<f32>, tensor<4xf32>) {
  %i = xla.iota {iota_dimension = 1 : i64} : () -> tensor<4x1000xf32>
  %z = xla.constant dense<0.0> : tensor<f32>
  %0 = xla.reduce(%i, %z) ({
  ^bb0(%m: tensor<f32>, %n: tensor<f32>):
    %t = xla.add %m, %n : tensor<f32>
    xla.return %t : tensor<f32>
  }) {dimensions = array<i64: 0, 1>} : (tensor<4x1000xf32>, tensor<f32>) -> tensor<f32>
  %1 = xla.reduce(%i, %z) ({
  ^bb0(%m: tensor<f32>, %n: tensor<f32>):
    %t = xla.maximum %m, %n : tensor<f32>
    xla.return %t : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<4x1000xf32>, tensor<f32>) -> tensor<4xf32>
  return %0, %1 : tensor<f32>, tensor<4xf32>
}
