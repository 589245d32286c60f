// Reads 360 digits with the weights that train.mlir made.
//
//   xla-run classify.mlir --device=cpu --input=@test_images.npy --input=@w1.npy
//       --input=@b1.npy --input=@w2.npy --input=@b2.npy --output=@probabilities.npy
//       --output=@digits.npy
//
// Results: the probability of every digit for every image, and the likeliest digit.

func.func @main(%images: tensor<360x64xf32>, %w1: tensor<64x96xf32>, %b1: tensor<96xf32>,
                %w2: tensor<96x10xf32>, %b2: tensor<10xf32>) -> (tensor<360x10xf32>, tensor<360xi32>) {
  %f0 = xla.constant dense<0.0> : tensor<f32>
  %lowest = xla.constant dense<0xFF800000> : tensor<f32>
  %c0 = xla.constant dense<0> : tensor<i32>
  %p1 = xla.dot %images, %w1 : (tensor<360x64xf32>, tensor<64x96xf32>) -> tensor<360x96xf32>
  %s1 = xla.add %p1, %b1 {broadcast_dimensions = array<i64: 1>} : (tensor<360x96xf32>, tensor<96xf32>) -> tensor<360x96xf32>
  %h = xla.tanh %s1 : tensor<360x96xf32>
  %p2 = xla.dot %h, %w2 : (tensor<360x96xf32>, tensor<96x10xf32>) -> tensor<360x10xf32>
  %z = xla.add %p2, %b2 {broadcast_dimensions = array<i64: 1>} : (tensor<360x10xf32>, tensor<10xf32>) -> tensor<360x10xf32>
  %top = xla.reduce(%z, %lowest) ({
  ^bb0(%m: tensor<f32>, %n: tensor<f32>):
    %t = xla.maximum %m, %n : tensor<f32>
    xla.return %t : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<360x10xf32>, tensor<f32>) -> tensor<360xf32>
  %shifted = xla.subtract %z, %top {broadcast_dimensions = array<i64: 0>} : (tensor<360x10xf32>, tensor<360xf32>) -> tensor<360x10xf32>
  %e = xla.exponential %shifted : tensor<360x10xf32>
  %total = xla.reduce(%e, %f0) ({
  ^bb0(%m: tensor<f32>, %n: tensor<f32>):
    %t = xla.add %m, %n : tensor<f32>
    xla.return %t : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<360x10xf32>, tensor<f32>) -> tensor<360xf32>
  %prob = xla.divide %e, %total {broadcast_dimensions = array<i64: 0>} : (tensor<360x10xf32>, tensor<360xf32>) -> tensor<360x10xf32>

  // The position of the largest value in each row: a reduction of pairs.
  %digit = xla.iota {iota_dimension = 1 : i64} : () -> tensor<360x10xi32>
  %best:2 = xla.reduce(%z, %digit, %lowest, %c0) ({
  ^bb0(%v: tensor<f32>, %i: tensor<i32>, %w: tensor<f32>, %j: tensor<i32>):
    %keep = xla.compare %v, %w {comparison_direction = "GE"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %value = xla.select %keep, %v, %w : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %place = xla.select %keep, %i, %j : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    xla.return %value, %place : tensor<f32>, tensor<i32>
  }) {dimensions = array<i64: 1>} : (tensor<360x10xf32>, tensor<360x10xi32>, tensor<f32>, tensor<i32>) -> (tensor<360xf32>, tensor<360xi32>)
  return %prob, %best#1 : tensor<360x10xf32>, tensor<360xi32>
}
