// Fourier transforms become kernels of a few numbers each, with tables of roots, and convolutions.
// RUN: xla-opt %s --split-input-file --verify-diagnostics --xla-legalize --canonicalize --cse | FileCheck %s

// 16 numbers are one kernel without roots.
// CHECK-LABEL: func.func @main
// CHECK-NOT: xla.transpose
// CHECK: xla.fusion
// CHECK: xla.concatenate {{.*}} {dimension = 2 : i64}
// CHECK-NOT: xla.fusion
// CHECK: return
func.func @main(%x: tensor<16xcomplex<f32>>) -> tensor<16xcomplex<f32>> {
  %0 = xla.fft %x {fft_type = "FFT", fft_length = [16]} : tensor<16xcomplex<f32>>
  return %0 : tensor<16xcomplex<f32>>
}

// -----

// Of 40 lines 20 lie beside each other; 128 numbers are 8 times 16.
// CHECK-LABEL: func.func @main
// CHECK: %[[ROOTS:.*]] = xla.constant {{.*}} tensor<2x8x16xf64>
// CHECK: %[[T:.*]] = xla.transpose %{{.*}} -> tensor<2x8x16x2x20xf64>
// CHECK: %[[X:.*]] = xla.reshape %[[T]] : (tensor<2x8x16x2x20xf64>) -> tensor<2x8x16x1x2x1x1x20xf64>
// CHECK: %[[Y:.*]] = xla.fusion(%[[X]], %[[ROOTS]])
// CHECK: -> tensor<2x16x16x1x1x1x20xf64>
// CHECK: %[[Z:.*]] = xla.reshape %[[Y]]
// CHECK: xla.fusion(%[[Z]])
// CHECK-NOT: xla.fusion
// CHECK: return
func.func @main(%x: tensor<40x128xcomplex<f64>>) -> tensor<40x128xcomplex<f64>> {
  %0 = xla.fft %x {fft_type = "FFT", fft_length = [128]} : tensor<40x128xcomplex<f64>>
  return %0 : tensor<40x128xcomplex<f64>>
}

// -----

// A long line is an array of two dimensions.
// CHECK-LABEL: func.func @main
// CHECK-DAG: xla.constant {{.*}} tensor<2x64x64xf32>
// CHECK-COUNT-4: xla.fusion
// CHECK-NOT: xla.fusion
// CHECK: return
func.func @main(%x: tensor<4096xcomplex<f32>>) -> tensor<4096xcomplex<f32>> {
  %0 = xla.fft %x {fft_type = "IFFT", fft_length = [4096]} : tensor<4096xcomplex<f32>>
  return %0 : tensor<4096xcomplex<f32>>
}

// -----

// Real numbers are half as many complex ones, and a kernel that tells them apart.
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[X:.*]]: tensor<32xf32>
// CHECK: xla.reshape %[[X]] : (tensor<32xf32>) -> tensor<1x16x1x1x2x1x1x1xf32>
// CHECK: xla.fusion
// CHECK: xla.fusion
// CHECK: xla.reverse
// CHECK-NOT: xla.fusion
// CHECK: return
func.func @main(%x: tensor<32xf32>) -> tensor<17xcomplex<f32>> {
  %0 = xla.fft %x {fft_type = "RFFT", fft_length = [32]} : (tensor<32xf32>) -> tensor<17xcomplex<f32>>
  return %0 : tensor<17xcomplex<f32>>
}

// -----

// 37 is a prime number: a convolution of 128 numbers.
// CHECK-LABEL: func.func @main
// CHECK-DAG: xla.constant {{.*}} tensor<2x128x1xf32>
// CHECK: xla.pad
// CHECK-COUNT-4: xla.fusion
// CHECK-NOT: xla.fusion
// CHECK: return
func.func @main(%x: tensor<37xcomplex<f32>>) -> tensor<37xcomplex<f32>> {
  %0 = xla.fft %x {fft_type = "FFT", fft_length = [37]} : tensor<37xcomplex<f32>>
  return %0 : tensor<37xcomplex<f32>>
}

// -----

func.func @main(%x: tensor<268435456xcomplex<f32>>) -> tensor<268435456xcomplex<f32>> {
  // expected-error @+1 {{'xla.fft' op transforms 268435456 numbers, which takes tables of more than 1073741824 bytes: not supported yet in compiled programs}}
  %0 = xla.fft %x {fft_type = "FFT", fft_length = [268435456]} : tensor<268435456xcomplex<f32>>
  return %0 : tensor<268435456xcomplex<f32>>
}

// -----

func.func @main(%x: tensor<19999999x2xcomplex<f64>>) -> tensor<19999999x2xcomplex<f64>> {
  // expected-error @+1 {{transforms 19999999 numbers}}
  %0 = xla.fft %x {fft_type = "FFT", fft_length = [19999999, 2]} : tensor<19999999x2xcomplex<f64>>
  return %0 : tensor<19999999x2xcomplex<f64>>
}
