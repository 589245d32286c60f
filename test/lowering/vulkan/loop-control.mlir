// Drivers do not unroll loops with much inside; with others they may.
// RUN: xla-opt %s --xla-vulkan-pipeline | FileCheck %s
// RUN: sed 's/xla.atan2/xla.add/' %s | xla-opt --xla-vulkan-pipeline | FileCheck %s --check-prefix=LIGHT

// CHECK:   spirv.mlir.loop control(DontUnroll) {
// LIGHT:   spirv.mlir.loop {
func.func @main(%0: tensor<64x20xf32>) -> tensor<64xf32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %1 = xla.atan2 %0, %0 : tensor<64x20xf32>
  %2 = xla.reduce(%1, %zero) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = xla.add %x, %y : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<64x20xf32>, tensor<f32>) -> tensor<64xf32>
  return %2 : tensor<64xf32>
}
