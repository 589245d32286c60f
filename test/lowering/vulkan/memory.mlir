// REQUIRES: vulkan
// RUN: xla-run %s --device=vulkan --input=64x8xf32=0 --input=8x96xf32=0 | FileCheck %s

// The product dies in the fusion, but is read after the exponentials have been
// written: they must not lie in a result that took the product's memory.
// CHECK: f32=0.010416667
func.func @main(%a: tensor<64x8xf32>, %b: tensor<8x96xf32>) -> tensor<f32> {
  %x = xla.dot %a, %b : (tensor<64x8xf32>, tensor<8x96xf32>) -> tensor<64x96xf32>
  %zero = xla.constant dense<0.0> : tensor<f32>
  %e = xla.exponential %x : tensor<64x96xf32>
  %total = xla.reduce(%e, %zero) ({
  ^bb0(%m: tensor<f32>, %n: tensor<f32>):
    %t = xla.add %m, %n : tensor<f32>
    xla.return %t : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<64x96xf32>, tensor<f32>) -> tensor<64xf32>
  %p = xla.divide %e, %total {broadcast_dimensions = array<i64: 0>} : (tensor<64x96xf32>, tensor<64xf32>) -> tensor<64x96xf32>
  %q = xla.add %p, %x : tensor<64x96xf32>
  %kept = xla.optimization_barrier %q : tensor<64x96xf32>
  %top = xla.reduce(%kept, %zero) ({
  ^bb0(%m: tensor<f32>, %n: tensor<f32>):
    %t = xla.maximum %m, %n : tensor<f32>
    xla.return %t : tensor<f32>
  }) {dimensions = array<i64: 0, 1>} : (tensor<64x96xf32>, tensor<f32>) -> tensor<f32>
  return %top : tensor<f32>
}
