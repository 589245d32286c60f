// Specification 000, Fft.
// RUN: xla-opt %s --split-input-file --verify-diagnostics | xla-opt --split-input-file | FileCheck %s
// RUN: xla-opt %s --split-input-file --verify-diagnostics --canonicalize | FileCheck %s --check-prefix=FOLD

// CHECK-LABEL: @forms
// CHECK: xla.fft %arg0 {fft_length = array<i64: 5>, fft_type = "FFT"} : tensor<3x5xcomplex<f32>>
// CHECK: xla.fft %arg0 {fft_length = [3, 5], fft_type = "IFFT"} : tensor<3x5xcomplex<f32>>
// CHECK: xla.fft %arg1 {fft_length = array<i64: 2, 3, 16>, fft_type = "RFFT"} : (tensor<4x2x3x16xf64>) -> tensor<4x2x3x9xcomplex<f64>>
// CHECK: xla.fft %{{.*}} {fft_length = array<i64: 2, 3, 16>, fft_type = "IRFFT"} : (tensor<4x2x3x9xcomplex<f64>>) -> tensor<4x2x3x16xf64>
// CHECK: xla.fft %{{.*}} {fft_length = array<i64: 17>, fft_type = "IRFFT"} : (tensor<4x2x3x9xcomplex<f64>>) -> tensor<4x2x3x17xf64>
// CHECK: xla.fft %arg2 {fft_length = array<i64: 0>, fft_type = "RFFT"} : (tensor<3x0xf32>) -> tensor<3x0xcomplex<f32>>
func.func @forms(%a: tensor<3x5xcomplex<f32>>, %b: tensor<4x2x3x16xf64>, %c: tensor<3x0xf32>) {
  %0 = xla.fft %a {fft_type = "FFT", fft_length = array<i64: 5>} : tensor<3x5xcomplex<f32>>
  %1 = xla.fft %a {fft_type = "IFFT", fft_length = [3, 5]} : tensor<3x5xcomplex<f32>>
  %2 = "xla.fft"(%b) <{fft_type = "RFFT", fft_length = array<i64: 2, 3, 16>}> : (tensor<4x2x3x16xf64>) -> tensor<4x2x3x9xcomplex<f64>>
  %3 = xla.fft %2 {fft_type = "IRFFT", fft_length = array<i64: 2, 3, 16>} : (tensor<4x2x3x9xcomplex<f64>>) -> tensor<4x2x3x16xf64>
  %4 = xla.fft %2 {fft_type = "IRFFT", fft_length = array<i64: 17>} : (tensor<4x2x3x9xcomplex<f64>>) -> tensor<4x2x3x17xf64>
  %5 = xla.fft %c {fft_type = "RFFT", fft_length = array<i64: 0>} : (tensor<3x0xf32>) -> tensor<3x0xcomplex<f32>>
  return
}

// -----

// FOLD-LABEL: @four
// FOLD-DAG: %[[FFT:.*]] = xla.constant dense<[(1.000000e+01,0.000000e+00), (-2.000000e+00,2.000000e+00), (-2.000000e+00,0.000000e+00), (-2.000000e+00,-2.000000e+00)]> : tensor<4xcomplex<f32>>
// FOLD-DAG: %[[RFFT:.*]] = xla.constant dense<[(1.000000e+01,0.000000e+00), (-2.000000e+00,2.000000e+00), (-2.000000e+00,0.000000e+00)]> : tensor<3xcomplex<f32>>
// FOLD-DAG: %[[BACK:.*]] = xla.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
// FOLD-DAG: %[[INVERSE:.*]] = xla.constant dense<[(1.000000e+00,0.000000e+00), (2.000000e+00,0.000000e+00), (3.000000e+00,0.000000e+00), (4.000000e+00,0.000000e+00)]> : tensor<4xcomplex<f32>>
// FOLD: return %[[FFT]], %[[INVERSE]], %[[RFFT]], %[[BACK]]
func.func @four() -> (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>, tensor<3xcomplex<f32>>, tensor<4xf32>) {
  %a = xla.constant dense<[(1.0, 0.0), (2.0, 0.0), (3.0, 0.0), (4.0, 0.0)]> : tensor<4xcomplex<f32>>
  %b = xla.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %0 = xla.fft %a {fft_type = "FFT", fft_length = [4]} : tensor<4xcomplex<f32>>
  %1 = xla.fft %0 {fft_type = "IFFT", fft_length = [4]} : tensor<4xcomplex<f32>>
  %2 = xla.fft %b {fft_type = "RFFT", fft_length = [4]} : (tensor<4xf32>) -> tensor<3xcomplex<f32>>
  %3 = xla.fft %2 {fft_type = "IRFFT", fft_length = [4]} : (tensor<3xcomplex<f32>>) -> tensor<4xf32>
  return %0, %1, %2, %3 : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>, tensor<3xcomplex<f32>>, tensor<4xf32>
}

// -----

// Of two dimensions; a transform of a single number is the number.
// FOLD-LABEL: @two_dimensions
// FOLD{LITERAL}: dense<[[(1.000000e+01,0.000000e+00), (-2.000000e+00,0.000000e+00)], [(-4.000000e+00,0.000000e+00), (0.000000e+00,0.000000e+00)]]> : tensor<2x2xcomplex<f64>>
func.func @two_dimensions() -> tensor<2x2xcomplex<f64>> {
  %a = xla.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf64>
  %0 = xla.fft %a {fft_type = "RFFT", fft_length = [2, 2]} : (tensor<2x2xf64>) -> tensor<2x2xcomplex<f64>>
  return %0 : tensor<2x2xcomplex<f64>>
}

// -----

// FOLD-LABEL: @one
// FOLD: dense<(0x7F800000,-0.000000e+00)> : tensor<1xcomplex<f32>>
func.func @one() -> tensor<1xcomplex<f32>> {
  %a = xla.constant dense<(0x7F800000, -0.0)> : tensor<1xcomplex<f32>>
  %0 = xla.fft %a {fft_type = "FFT", fft_length = [1]} : tensor<1xcomplex<f32>>
  return %0 : tensor<1xcomplex<f32>>
}

// -----

// The numbers that are their own conjugates count as real.
// FOLD-LABEL: @not_hermitian
// FOLD: dense<[2.000000e+00, 1.000000e+00]> : tensor<2xf32>
func.func @not_hermitian() -> tensor<2xf32> {
  %a = xla.constant dense<[(3.0, 5.0), (1.0, 7.0)]> : tensor<2xcomplex<f32>>
  %0 = xla.fft %a {fft_type = "IRFFT", fft_length = [2]} : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @fft_c1(%a: tensor<4xcomplex<f32>>) {
  // expected-error@+1 {{transforms 2 dimensions of an operand of rank 1 [fft_c1]}}
  %0 = xla.fft %a {fft_type = "FFT", fft_length = [4, 4]} : tensor<4xcomplex<f32>>
  return
}

// -----

func.func @fft_c2_real(%a: tensor<4xf32>) {
  // expected-error@+1 {{FFT takes c64 or c128, not f32 [fft_c2]}}
  %0 = xla.fft %a {fft_type = "FFT", fft_length = [4]} : tensor<4xf32>
  return
}

// -----

func.func @fft_c2_complex(%a: tensor<4xcomplex<f32>>) {
  // expected-error@+1 {{RFFT takes f32 or f64, not c64 [fft_c2]}}
  %0 = xla.fft %a {fft_type = "RFFT", fft_length = [4]} : (tensor<4xcomplex<f32>>) -> tensor<3xcomplex<f32>>
  return
}

// -----

func.func @fft_c2_half(%a: tensor<4xf16>) {
  // expected-error@+1 {{RFFT takes f32 or f64, not f16 [fft_c2]}}
  %0 = xla.fft %a {fft_type = "RFFT", fft_length = [4]} : (tensor<4xf16>) -> tensor<3xcomplex<f32>>
  return
}

// -----

func.func @fft_c3(%a: tensor<1x1x1x1xcomplex<f32>>) {
  // expected-error@+1 {{transforms 4 dimensions, must be 1 to 3 [fft_c3]}}
  %0 = xla.fft %a {fft_type = "FFT", fft_length = [1, 1, 1, 1]} : tensor<1x1x1x1xcomplex<f32>>
  return
}

// -----

func.func @fft_c3_none(%a: tensor<1xcomplex<f32>>) {
  // expected-error@+1 {{transforms 0 dimensions, must be 1 to 3 [fft_c3]}}
  %0 = xla.fft %a {fft_type = "FFT", fft_length = array<i64>} : tensor<1xcomplex<f32>>
  return
}

// -----

func.func @fft_c4(%a: tensor<3x5xcomplex<f32>>) {
  // expected-error@+1 {{dimension 0 of the operand is 3, fft_length[0] 4 asks for 4 [fft_c4]}}
  %0 = xla.fft %a {fft_type = "IFFT", fft_length = [4, 5]} : tensor<3x5xcomplex<f32>>
  return
}

// -----

func.func @fft_c4_irfft(%a: tensor<5xcomplex<f32>>) {
  // expected-error@+1 {{dimension 0 of the operand is 5, fft_length[0] 10 asks for 6 [fft_c4]}}
  %0 = xla.fft %a {fft_type = "IRFFT", fft_length = [10]} : (tensor<5xcomplex<f32>>) -> tensor<10xf32>
  return
}

// -----

func.func @fft_c4_negative(%a: tensor<5xcomplex<f32>>) {
  // expected-error@+1 {{dimension 0 of the operand is 5, fft_length[0] -9223372036854775808 asks for}}
  %0 = xla.fft %a {fft_type = "IRFFT", fft_length = [-9223372036854775808]} : (tensor<5xcomplex<f32>>) -> tensor<10xf32>
  return
}

// -----

func.func @fft_c5(%a: tensor<16xf32>) {
  // expected-error@+1 {{result 0 is stated as tensor<8xcomplex<f32>>, but is tensor<9xcomplex<f32>> [result]}}
  %0 = xla.fft %a {fft_type = "RFFT", fft_length = [16]} : (tensor<16xf32>) -> tensor<8xcomplex<f32>>
  return
}
