// Specification 000, BitcastConvertType. The least significant bits come first.
// RUN: xla-opt %s --split-input-file --verify-diagnostics | xla-opt --split-input-file | FileCheck %s
// RUN: xla-opt %s --split-input-file --verify-diagnostics --canonicalize | FileCheck %s --check-prefix=FOLD

// CHECK-LABEL: @forms
// CHECK: xla.bitcast_convert %arg0 : (tensor<10xf32>) -> tensor<10x2xf16>
// CHECK: xla.bitcast_convert %arg1 : (tensor<f32>) -> tensor<2xf16>
// CHECK: xla.bitcast_convert %arg2 : (tensor<10x2xf16>) -> tensor<10xf32>
// CHECK: xla.bitcast_convert %arg0 : (tensor<10xf32>) -> tensor<10xui32>
// CHECK: xla.bitcast_convert %arg3 : (tensor<0x4xi8>) -> tensor<0xi32>
func.func @forms(%x: tensor<10xf32>, %s: tensor<f32>, %h: tensor<10x2xf16>, %e: tensor<0x4xi8>) {
  %0 = xla.bitcast_convert %x : (tensor<10xf32>) -> tensor<10x2xf16>
  %1 = xla.bitcast_convert %s : (tensor<f32>) -> tensor<2xf16>
  %2 = xla.bitcast_convert %h : (tensor<10x2xf16>) -> tensor<10xf32>
  %3 = "xla.bitcast_convert"(%x) : (tensor<10xf32>) -> tensor<10xui32>
  %4 = xla.bitcast_convert %e : (tensor<0x4xi8>) -> tensor<0xi32>
  return
}

// -----

// FOLD-LABEL: @widths
// FOLD-DAG: dense<[4, 3, 2, -127]> : tensor<4xi8>
// FOLD-DAG: dense<-2130574588> : tensor<i32>
// FOLD-DAG: dense<-2.38793926E-38> : tensor<f32>
// FOLD-DAG: dense<[1, -2]> : tensor<2xi32>
// FOLD-DAG: dense<-8589934591> : tensor<i64>
func.func @widths() -> (tensor<4xi8>, tensor<i32>, tensor<f32>, tensor<2xi32>, tensor<i64>) {
  %x = xla.constant dense<0x81020304> : tensor<i32>
  %y = xla.constant dense<-8589934591> : tensor<i64>
  %0 = xla.bitcast_convert %x : (tensor<i32>) -> tensor<4xi8>
  %1 = xla.bitcast_convert %0 : (tensor<4xi8>) -> tensor<i32>
  %2 = xla.bitcast_convert %x : (tensor<i32>) -> tensor<f32>
  %3 = xla.bitcast_convert %y : (tensor<i64>) -> tensor<2xi32>
  %4 = xla.bitcast_convert %3 : (tensor<2xi32>) -> tensor<i64>
  return %0, %1, %2, %3, %4 : tensor<4xi8>, tensor<i32>, tensor<f32>, tensor<2xi32>, tensor<i64>
}

// -----

// FOLD-LABEL: @below_a_byte
// FOLD-DAG: dense<[125, 8]> : tensor<2xi8>
// FOLD-DAG{LITERAL}: dense<[[-3, 7], [-8, 0]]> : tensor<2x2xi4>
// FOLD-DAG{LITERAL}: dense<[[13, 7], [8, 0]]> : tensor<2x2xui4>
// FOLD-DAG{LITERAL}: dense<[[[1, -1], [-1, 1]], [[0, -2], [0, 0]]]> : tensor<2x2x2xi2>
// FOLD-DAG{LITERAL}: dense<[[true, false, true, true, true, true, true, false], [false, false, false, true, false, false, false, false]]> : tensor<2x8xi1>
// FOLD-DAG: dense<2173> : tensor<i16>
// FOLD-DAG{LITERAL}: dense<[[-3.000000e+00, 6.000000e+00], [-0.000000e+00, 0.000000e+00]]> : tensor<2x2xf4E2M1FN>
func.func @below_a_byte() -> (tensor<2xi8>, tensor<2x2xi4>, tensor<2x2xui4>, tensor<2x2x2xi2>, tensor<2x8xi1>, tensor<i16>, tensor<2x2xf4E2M1FN>) {
  %x = xla.constant dense<[[-3, 7], [-8, 0]]> : tensor<2x2xi4>
  %0 = xla.bitcast_convert %x : (tensor<2x2xi4>) -> tensor<2xi8>
  %1 = xla.bitcast_convert %0 : (tensor<2xi8>) -> tensor<2x2xi4>
  %2 = xla.bitcast_convert %x : (tensor<2x2xi4>) -> tensor<2x2xui4>
  %3 = xla.bitcast_convert %2 : (tensor<2x2xui4>) -> tensor<2x2x2xi2>
  %4 = xla.bitcast_convert %0 : (tensor<2xi8>) -> tensor<2x8xi1>
  %5 = xla.bitcast_convert %4 : (tensor<2x8xi1>) -> tensor<2xui8>
  %6 = xla.bitcast_convert %5 : (tensor<2xui8>) -> tensor<i16>
  %7 = xla.bitcast_convert %x : (tensor<2x2xi4>) -> tensor<2x2xf4E2M1FN>
  return %0, %1, %2, %3, %4, %6, %7 : tensor<2xi8>, tensor<2x2xi4>, tensor<2x2xui4>, tensor<2x2x2xi2>, tensor<2x8xi1>, tensor<i16>, tensor<2x2xf4E2M1FN>
}

// -----

// FOLD-LABEL: @six_bits
// FOLD-DAG: dense<[-2, 1, -2]> : tensor<3xi2>
// FOLD-DAG: dense<-1.400000e+01> : tensor<f6E3M2FN>
func.func @six_bits() -> (tensor<3xi2>, tensor<f6E3M2FN>) {
  %x = xla.constant dense<0x26> : tensor<f6E2M3FN>
  %b = xla.constant dense<[-1, -2, -1]> : tensor<3xi2>
  %0 = xla.bitcast_convert %x : (tensor<f6E2M3FN>) -> tensor<3xi2>
  %1 = xla.bitcast_convert %b : (tensor<3xi2>) -> tensor<f6E3M2FN>
  return %0, %1 : tensor<3xi2>, tensor<f6E3M2FN>
}

// -----

// FOLD-LABEL: @complex
// FOLD-DAG: dense<[1.000000e+00, -2.000000e+00]> : tensor<2xf32>
// FOLD-DAG: dense<(1.000000e+00,-2.000000e+00)> : tensor<complex<f32>>
// FOLD-DAG: dense<-4611686017362034688> : tensor<i64>
// FOLD-DAG: dense<[(0.000000e+00,1.875000e+00), (0.000000e+00,-2.000000e+00)]> : tensor<2xcomplex<f32>>
// FOLD-DAG: dense<(1.000000e+00,-2.000000e+00)> : tensor<complex<f64>>
func.func @complex() -> (tensor<2xf32>, tensor<complex<f32>>, tensor<i64>, tensor<2xcomplex<f32>>, tensor<complex<f64>>) {
  %x = xla.constant dense<(1.0, -2.0)> : tensor<complex<f32>>
  %y = xla.constant dense<(1.0, -2.0)> : tensor<complex<f64>>
  %0 = xla.bitcast_convert %x : (tensor<complex<f32>>) -> tensor<2xf32>
  %1 = xla.bitcast_convert %0 : (tensor<2xf32>) -> tensor<complex<f32>>
  %2 = xla.bitcast_convert %x : (tensor<complex<f32>>) -> tensor<i64>
  %3 = xla.bitcast_convert %y : (tensor<complex<f64>>) -> tensor<2xcomplex<f32>>
  %4 = xla.bitcast_convert %y : (tensor<complex<f64>>) -> tensor<128xi1>
  %5 = xla.bitcast_convert %4 : (tensor<128xi1>) -> tensor<complex<f64>>
  return %0, %1, %2, %3, %5 : tensor<2xf32>, tensor<complex<f32>>, tensor<i64>, tensor<2xcomplex<f32>>, tensor<complex<f64>>
}

// -----

// FOLD-LABEL: @nan
// FOLD-DAG: dense<2141192193> : tensor<i32>
// FOLD-DAG: dense<0x7FA00001> : tensor<f32>
func.func @nan() -> (tensor<i32>, tensor<f32>) {
  %x = xla.constant dense<0x7FA00001> : tensor<f32>
  %0 = xla.bitcast_convert %x : (tensor<f32>) -> tensor<i32>
  %1 = xla.bitcast_convert %0 : (tensor<i32>) -> tensor<f32>
  return %0, %1 : tensor<i32>, tensor<f32>
}

// -----

func.func @bitcast_convert_c1_ratio(%x: tensor<10x3xf16>) {
  // expected-error@+1 {{an element of f32 takes 2 of f16, but the operand is tensor<10x3xf16> [bitcast_convert_c1]}}
  %0 = xla.bitcast_convert %x : (tensor<10x3xf16>) -> tensor<10xf32>
  return
}

// -----

func.func @bitcast_convert_c1_scalar(%x: tensor<f16>) {
  // expected-error@+1 {{an element of f32 takes 2 of f16, but the operand is tensor<f16> [bitcast_convert_c1]}}
  %0 = xla.bitcast_convert %x : (tensor<f16>) -> tensor<f32>
  return
}

// -----

func.func @bitcast_convert_c1_width(%x: tensor<3xf6E2M3FN>) {
  // expected-error@+1 {{f6e2m3fn of 6 bits and s8 of 8 bits: neither is a multiple of the other [bitcast_convert_c1]}}
  %0 = xla.bitcast_convert %x : (tensor<3xf6E2M3FN>) -> tensor<3xi8>
  return
}

// -----

func.func @bitcast_convert_c1_rank(%x: tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xi16>) {
  // expected-error@+1 {{the result would have more than 32 dimensions [bitcast_convert_c1]}}
  %0 = xla.bitcast_convert %x : (tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xi16>) -> tensor<2xi8>
  return
}

// -----

// An i1 takes a byte, so its literal is larger than the operand's.
func.func @bitcast_convert_c1_size(%x: tensor<500000000000000000xi64>) {
  // expected-error@+1 {{the result tensor<500000000000000000x64xi1> is larger than 2^62 bytes [bitcast_convert_c1]}}
  %0 = xla.bitcast_convert %x : (tensor<500000000000000000xi64>) -> tensor<1xi1>
  return
}

// -----

func.func @bitcast_convert_c1_dims(%x: tensor<4xf32>) {
  // expected-error@+1 {{result 0 is stated as tensor<2x2xi32>, but is tensor<4xi32> [result]}}
  %0 = xla.bitcast_convert %x : (tensor<4xf32>) -> tensor<2x2xi32>
  return
}

// -----

func.func @not_a_tuple(%x: tuple<tensor<4xf32>>) {
  // expected-error@+1 {{operand 0, tuple<tensor<4xf32>>, is not a ranked tensor}}
  %0 = xla.bitcast_convert %x : (tuple<tensor<4xf32>>) -> tensor<4xi32>
  return
}
