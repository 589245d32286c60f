// Fourier transforms on compiled devices, where there is nothing to transform, of what is not finite, and inside of others.
// RUN: xla-run %s --entry=empty --device=all | FileCheck %s --check-prefix=EMPTY
// RUN: xla-run %s --entry=one --device=all --input="2x1xc64=(1,2) (-3,4)" --input=f64=3 | FileCheck %s --check-prefix=ONE
// RUN: xla-run %s --entry=ends --device=all --input="3xc64=(1,inf) (2,1) (3,nan)" --input="2xc64=(1,nan) (2,1)" | FileCheck %s --check-prefix=ENDS
// RUN: xla-run %s --entry=infinite --device=cpu --input="8xc64=(inf,0) (0,0) (0,0) (0,0) (0,0) (0,0) (0,0) (0,0)" | FileCheck %s --check-prefix=INFINITE
// RUN: xla-run %s --entry=loop --device=all --seed=5 | FileCheck %s --check-prefix=LOOP
// RUN: xla-run %s --entry=back --device=all --seed=5 | FileCheck %s --check-prefix=BACK

// EMPTY: 0x8xc64=
// EMPTY-NEXT: 4x0xc64=
// EMPTY-NEXT: 0x5xc128=
// EMPTY-NEXT: 3x0xf32=
func.func @empty() -> (tensor<0x8xcomplex<f32>>, tensor<4x0xcomplex<f32>>, tensor<0x5xcomplex<f64>>, tensor<3x0xf32>) {
  %a = xla.iota {iota_dimension = 0 : i64} : tensor<0x8xcomplex<f32>>
  %b = xla.iota {iota_dimension = 0 : i64} : tensor<4x0xcomplex<f32>>
  %c = xla.iota {iota_dimension = 0 : i64} : tensor<0x8xf64>
  %d = xla.iota {iota_dimension = 0 : i64} : tensor<3x0xcomplex<f32>>
  %0 = xla.fft %a {fft_type = "FFT", fft_length = [8]} : tensor<0x8xcomplex<f32>>
  %1 = xla.fft %b {fft_type = "IFFT", fft_length = [0]} : tensor<4x0xcomplex<f32>>
  %2 = xla.fft %c {fft_type = "RFFT", fft_length = [0, 8]} : (tensor<0x8xf64>) -> tensor<0x5xcomplex<f64>>
  %3 = xla.fft %d {fft_type = "IRFFT", fft_length = [0]} : (tensor<3x0xcomplex<f32>>) -> tensor<3x0xf32>
  return %0, %1, %2, %3 : tensor<0x8xcomplex<f32>>, tensor<4x0xcomplex<f32>>, tensor<0x5xcomplex<f64>>, tensor<3x0xf32>
}

// One number is its own transform.
// ONE: 2x1xc64=(1,2) (-3,4)
// ONE-NEXT: 1xc128=(3,0)
// ONE-NEXT: 2x1xf32=1 -3
func.func @one(%x: tensor<2x1xcomplex<f32>>, %r: tensor<f64>) -> (tensor<2x1xcomplex<f32>>, tensor<1xcomplex<f64>>, tensor<2x1xf32>) {
  %0 = xla.fft %x {fft_type = "IFFT", fft_length = [2, 1]} : tensor<2x1xcomplex<f32>>
  %1 = xla.fft %0 {fft_type = "FFT", fft_length = [2, 1]} : tensor<2x1xcomplex<f32>>
  %2 = xla.reshape %r : (tensor<f64>) -> tensor<1xf64>
  %3 = xla.fft %2 {fft_type = "RFFT", fft_length = [1]} : (tensor<1xf64>) -> tensor<1xcomplex<f64>>
  %4 = xla.fft %x {fft_type = "IRFFT", fft_length = [1]} : (tensor<2x1xcomplex<f32>>) -> tensor<2x1xf32>
  return %1, %3, %4 : tensor<2x1xcomplex<f32>>, tensor<1xcomplex<f64>>, tensor<2x1xf32>
}

// Of real numbers the first one of the spectrum is real, and of an even length the last one: what else is given is not read.
// ENDS: 4xf32=2 -1 0 0
// ENDS-NEXT: 3xf32=1.666{{.*}} -0.910{{.*}} 0.244{{.*}}
func.func @ends(%x: tensor<3xcomplex<f32>>, %y: tensor<2xcomplex<f32>>) -> (tensor<4xf32>, tensor<3xf32>) {
  %0 = xla.fft %x {fft_type = "IRFFT", fft_length = [4]} : (tensor<3xcomplex<f32>>) -> tensor<4xf32>
  %1 = xla.fft %y {fft_type = "IRFFT", fft_length = [3]} : (tensor<2xcomplex<f32>>) -> tensor<3xf32>
  return %0, %1 : tensor<4xf32>, tensor<3xf32>
}

// INFINITE: 8xc64=(inf,
func.func @infinite(%x: tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>> {
  %0 = xla.fft %x {fft_type = "FFT", fft_length = [8]} : tensor<8xcomplex<f32>>
  return %0 : tensor<8xcomplex<f32>>
}

// In a loop, between other operations on complex numbers.
// LOOP: 3x16xc64=
func.func @loop(%x: tensor<3x16xcomplex<f32>>) -> tensor<3x16xcomplex<f32>> {
  %zero = xla.constant dense<0> : tensor<i32>
  %0:2 = xla.while(%zero, %x) ({
  ^bb0(%i: tensor<i32>, %y: tensor<3x16xcomplex<f32>>):
    %n = xla.constant dense<4> : tensor<i32>
    %less = xla.compare %i, %n {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %less : tensor<i1>
  }, {
  ^bb0(%i: tensor<i32>, %y: tensor<3x16xcomplex<f32>>):
    %one = xla.constant dense<1> : tensor<i32>
    %next = xla.add %i, %one : tensor<i32>
    %quarter = xla.constant dense<(0.25, 0.0)> : tensor<complex<f32>>
    %f = xla.fft %y {fft_type = "FFT", fft_length = [16]} : tensor<3x16xcomplex<f32>>
    %s = xla.multiply %f, %quarter : (tensor<3x16xcomplex<f32>>, tensor<complex<f32>>) -> tensor<3x16xcomplex<f32>>
    xla.return %next, %s : tensor<i32>, tensor<3x16xcomplex<f32>>
  }) : (tensor<i32>, tensor<3x16xcomplex<f32>>) -> (tensor<i32>, tensor<3x16xcomplex<f32>>)
  return %0#1 : tensor<3x16xcomplex<f32>>
}

// A convolution with a kernel of f8: what is narrow is widened beside transforms.
// BACK: 6x20xf32=
func.func @back(%x: tensor<6x20xf32>, %y: tensor<6x20xf8E5M2>) -> tensor<6x20xf32> {
  %wide = xla.convert %y : (tensor<6x20xf8E5M2>) -> tensor<6x20xf32>
  %a = xla.fft %x {fft_type = "RFFT", fft_length = [6, 20]} : (tensor<6x20xf32>) -> tensor<6x11xcomplex<f32>>
  %b = xla.fft %wide {fft_type = "RFFT", fft_length = [6, 20]} : (tensor<6x20xf32>) -> tensor<6x11xcomplex<f32>>
  %p = xla.multiply %a, %b : tensor<6x11xcomplex<f32>>
  %0 = xla.fft %p {fft_type = "IRFFT", fft_length = [6, 20]} : (tensor<6x11xcomplex<f32>>) -> tensor<6x20xf32>
  return %0 : tensor<6x20xf32>
}
