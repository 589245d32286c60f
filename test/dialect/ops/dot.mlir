// Specifications 000 and 002, Dot.
// RUN: xla-opt %s --split-input-file --verify-diagnostics | xla-opt --split-input-file | FileCheck %s
// RUN: xla-opt %s --split-input-file --verify-diagnostics --canonicalize | FileCheck %s --check-prefix=FOLD

// CHECK-LABEL: @forms
// CHECK: xla.dot %arg0, %arg0 : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
// CHECK: xla.dot %arg1, %arg0 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2xf32>
// CHECK: xla.dot %arg1, %arg2 : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
// CHECK: xla.dot %arg0, %arg2 {precision_config = ["HIGHEST", "DEFAULT"]} : (tensor<3xf32>, tensor<3x4xf32>) -> tensor<4xf32>
func.func @forms(%v: tensor<3xf32>, %m: tensor<2x3xf32>, %n: tensor<3x4xf32>) {
  %0 = xla.dot %v, %v : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
  %1 = "xla.dot"(%m, %v) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2xf32>
  %2 = xla.dot %m, %n : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %3 = xla.dot %v, %n {precision_config = ["HIGHEST", "DEFAULT"]} : (tensor<3xf32>, tensor<3x4xf32>) -> tensor<4xf32>
  return
}

// -----

// FOLD-LABEL: @table
// FOLD-DAG: dense<3.200000e+01> : tensor<f32>
// FOLD-DAG: dense<[1.400000e+01, 3.200000e+01]> : tensor<2xf32>
// FOLD-DAG{LITERAL}: dense<[[4.000000e+00, 5.000000e+00], [1.000000e+01, 1.100000e+01]]> : tensor<2x2xf32>
func.func @table() -> (tensor<f32>, tensor<2xf32>, tensor<2x2xf32>) {
  %v = xla.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %w = xla.constant dense<[4.0, 5.0, 6.0]> : tensor<3xf32>
  %m = xla.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %n = xla.constant dense<[[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]> : tensor<3x2xf32>
  %0 = xla.dot %v, %w : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
  %1 = xla.dot %m, %v : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2xf32>
  %2 = xla.dot %m, %n : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  return %0, %1, %2 : tensor<f32>, tensor<2xf32>, tensor<2x2xf32>
}

// -----

// The older form: the last dimension with the last but one, all others stay.
// lhs[i,j,k] = 4 i + 2 j + k, rhs[a,k,b] = 1 + 4 a + 2 k + b, both from 0.
// FOLD-LABEL: @higher_ranks
// FOLD{LITERAL}: dense<[[[[3, 4], [7, 8]], [[11, 16], [31, 36]]], [[[19, 28], [55, 64]], [[27, 40], [79, 92]]]]> : tensor<2x2x2x2xi32>
func.func @higher_ranks() -> tensor<2x2x2x2xi32> {
  %l = xla.constant dense<[[[0, 1], [2, 3]], [[4, 5], [6, 7]]]> : tensor<2x2x2xi32>
  %r = xla.constant dense<[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]> : tensor<2x2x2xi32>
  %0 = xla.dot %l, %r : (tensor<2x2x2xi32>, tensor<2x2x2xi32>) -> tensor<2x2x2x2xi32>
  return %0 : tensor<2x2x2x2xi32>
}

// -----

// Sums are exact in double and rounded once: 2^24 + 1 + 1 in f32, 256 + 1 + 1 in
// bf16. Integers wrap; pred is and, or; an empty sum is 0.
// FOLD-LABEL: @element_types
// FOLD: %[[F:.*]] = xla.constant dense<0x4B800001> : tensor<f32>
// FOLD: %[[B:.*]] = xla.constant dense<2.580000e+02> : tensor<bf16>
// FOLD: %[[I:.*]] = xla.constant dense<2> : tensor<i8>
// FOLD: %[[W:.*]] = xla.constant dense<32258> : tensor<i32>
// FOLD: %[[U:.*]] = xla.constant dense<254> : tensor<ui8>
// FOLD: %[[C:.*]] = xla.constant dense<(-1.000000e+00,5.000000e+00)> : tensor<complex<f32>>
// FOLD: %[[P:.*]] = xla.constant dense<[true, false]> : tensor<2xi1>
// FOLD: %[[E:.*]] = xla.constant dense<0.000000e+00> : tensor<2x3xf16>
// FOLD: return %[[F]], %[[B]], %[[I]], %[[W]], %[[U]], %[[C]], %[[P]], %[[E]]
func.func @element_types() -> (tensor<f32>, tensor<bf16>, tensor<i8>, tensor<i32>, tensor<ui8>, tensor<complex<f32>>, tensor<2xi1>, tensor<2x3xf16>) {
  %f0 = xla.constant dense<[16777216.0, 1.0, 1.0]> : tensor<3xf32>
  %f1 = xla.constant dense<1.0> : tensor<3xf32>
  %0 = xla.dot %f0, %f1 : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
  %b0 = xla.constant dense<[256.0, 1.0, 1.0]> : tensor<3xbf16>
  %b1 = xla.constant dense<1.0> : tensor<3xbf16>
  %1 = xla.dot %b0, %b1 : (tensor<3xbf16>, tensor<3xbf16>) -> tensor<bf16>
  %i = xla.constant dense<127> : tensor<2xi8>
  %2 = xla.dot %i, %i : (tensor<2xi8>, tensor<2xi8>) -> tensor<i8>
  %3 = xla.dot %i, %i : (tensor<2xi8>, tensor<2xi8>) -> tensor<i32>
  %u = xla.constant dense<[255, 255]> : tensor<2xui8>
  %one = xla.constant dense<1> : tensor<2xui8>
  %4 = xla.dot %u, %one : (tensor<2xui8>, tensor<2xui8>) -> tensor<ui8>
  %c0 = xla.constant dense<[(1.0, 1.0), (2.0, 0.0)]> : tensor<2xcomplex<f32>>
  %c1 = xla.constant dense<[(2.0, 3.0), (0.0, 0.0)]> : tensor<2xcomplex<f32>>
  %5 = xla.dot %c0, %c1 : (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) -> tensor<complex<f32>>
  %p0 = xla.constant dense<[[true, true, false], [true, false, false]]> : tensor<2x3xi1>
  %p1 = xla.constant dense<[false, true, true]> : tensor<3xi1>
  %6 = xla.dot %p0, %p1 : (tensor<2x3xi1>, tensor<3xi1>) -> tensor<2xi1>
  %e0 = xla.constant dense<> : tensor<2x0xf16>
  %e1 = xla.constant dense<> : tensor<0x3xf16>
  %7 = xla.dot %e0, %e1 : (tensor<2x0xf16>, tensor<0x3xf16>) -> tensor<2x3xf16>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<f32>, tensor<bf16>, tensor<i8>, tensor<i32>, tensor<ui8>, tensor<complex<f32>>, tensor<2xi1>, tensor<2x3xf16>
}

// -----

// 0 times infinity is NaN; its sign is not defined.
// FOLD-LABEL: @special
// FOLD: dense<[0x{{7|F}}FC00000, 0x7F800000]> : tensor<2xf32>
func.func @special() -> tensor<2xf32> {
  %m = xla.constant dense<[[0.0, 1.0], [1.0, 1.0]]> : tensor<2x2xf32>
  %v = xla.constant dense<[0x7F800000, 2.0]> : tensor<2xf32>
  %0 = xla.dot %m, %v : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @scalars(%a: tensor<f32>, %b: tensor<3xf32>) {
  // expected-error @+1 {{'xla.dot' op contracts tensor<f32> with tensor<3xf32>: both need a dimension [dot_c1]}}
  %0 = xla.dot %a, %b : (tensor<f32>, tensor<3xf32>) -> tensor<f32>
  return
}

// -----

func.func @sizes(%a: tensor<2x3xf32>, %b: tensor<5x4xf32>) {
  // expected-error @+1 {{contracting dimension 1 of lhs is 3, dimension 0 of rhs 5 [dot_c2]}}
  %0 = xla.dot %a, %b : (tensor<2x3xf32>, tensor<5x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @float_as_integer(%a: tensor<3xf32>) {
  // expected-error @+1 {{products of f32 and f32 cannot be summed as s32 [dot_c3]}}
  %0 = xla.dot %a, %a : (tensor<3xf32>, tensor<3xf32>) -> tensor<i32>
  return
}

// -----

func.func @result(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  // expected-error @+1 {{result 0 is stated as tensor<4x2xf32>, but is tensor<2x4xf32> [result]}}
  %0 = xla.dot %a, %b : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @dot_c4(%x: tensor<4xf32>) {
  // expected-error @+1 {{precision_config has 1 entries, must have one an operand [dot_c4]}}
  %0 = xla.dot %x, %x {precision_config = ["DEFAULT"]} : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  return
}

// -----

func.func @precision(%x: tensor<4xf32>) {
  // expected-error @+1 {{attribute 'precision_config' must be a list of "DEFAULT", "HIGH" or "HIGHEST" [attribute]}}
  %0 = xla.dot %x, %x {precision_config = ["LOW", "DEFAULT"]} : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  return
}
