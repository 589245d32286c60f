// Of many lines 16 lie beside each other in stages, so that what a stage reads lies near.
// RUN: xla-opt %s --xla-cpu-pipeline=to=prepared | FileCheck %s
// CHECK: tensor<4x8x128x2x16xf32>
// CHECK-NOT: tensor<1x8x128x2x64xf32>
func.func @main(%x: tensor<64x1024xcomplex<f32>>) -> tensor<64x1024xcomplex<f32>> {
  %y = xla.fft %x {fft_type = "FFT", fft_length = [1024]} : tensor<64x1024xcomplex<f32>>
  return %y : tensor<64x1024xcomplex<f32>>
}
