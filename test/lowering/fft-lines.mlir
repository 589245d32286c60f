// RUN: xla-opt %s --split-input-file --xla-cpu-pipeline=to=prepared | FileCheck %s
// RUN: xla-run %s --entry=cut --device=all --seed=1 --output=none

// Of many lines 16 lie beside each other in stages, so that what a stage reads lies near.
// CHECK-LABEL: @beside
// CHECK: tensor<4x8x125x2x16xf32>
// CHECK-NOT: tensor<1x8x125x2x64xf32>
func.func @beside(%x: tensor<64x1000xcomplex<f32>>) -> tensor<64x1000xcomplex<f32>> {
  %y = xla.fft %x {fft_type = "FFT", fft_length = [1000]} : tensor<64x1000xcomplex<f32>>
  return %y : tensor<64x1000xcomplex<f32>>
}

// -----

// These are 8 KiB apart, where caches hold few at once: each is cut into 64 x 16 numbers instead.
// CHECK-LABEL: @cut
// CHECK-NOT: tensor<4x8x128x2x16xf32>
// CHECK: tensor<64x8x8x1x2x1x1x16xf32>
func.func @cut(%x: tensor<64x1024xcomplex<f32>>) -> tensor<64x1024xcomplex<f32>> {
  %y = xla.fft %x {fft_type = "FFT", fft_length = [1024]} : tensor<64x1024xcomplex<f32>>
  return %y : tensor<64x1024xcomplex<f32>>
}

// -----

// Real numbers are half as many complex ones.
// CHECK-LABEL: @real
// CHECK-NOT: x128x2x16xf32>
// CHECK: return
func.func @real(%x: tensor<64x2048xf32>) -> tensor<64x1025xcomplex<f32>> {
  %y = xla.fft %x {fft_type = "RFFT", fft_length = [2048]} : (tensor<64x2048xf32>) -> tensor<64x1025xcomplex<f32>>
  return %y : tensor<64x1025xcomplex<f32>>
}
