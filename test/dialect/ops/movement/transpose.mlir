// Specification 000, Transpose.
// RUN: xla-opt %s --split-input-file --verify-diagnostics | xla-opt --split-input-file | FileCheck %s
// RUN: xla-opt %s --split-input-file --verify-diagnostics --canonicalize | FileCheck %s --check-prefix=FOLD

// CHECK-LABEL: @forms
// CHECK: xla.transpose %arg0 {permutation = array<i64: 2, 0, 1>} : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
// CHECK: xla.transpose %arg1 {permutation = array<i64>} : tensor<complex<f64>>
func.func @forms(%x: tensor<2x3x4xf32>, %s: tensor<complex<f64>>) {
  %0 = xla.transpose %x {permutation = array<i64: 2, 0, 1>} : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
  %1 = "xla.transpose"(%s) <{permutation = array<i64>}> : (tensor<complex<f64>>) -> tensor<complex<f64>>
  return
}

// -----

// FOLD-LABEL: @values
// FOLD-DAG{LITERAL}: dense<[[1, 4], [2, 5], [3, 6]]> : tensor<3x2xi32>
// FOLD-DAG{LITERAL}: dense<[[[0, 8, 16], [4, 12, 20]], [[1, 9, 17], [5, 13, 21]], [[2, 10, 18], [6, 14, 22]], [[3, 11, 19], [7, 15, 23]]]> : tensor<4x2x3xui64>
// FOLD-DAG{LITERAL}: dense<[[true, true], [false, true]]> : tensor<2x2xi1>
func.func @values() -> (tensor<3x2xi32>, tensor<4x2x3xui64>, tensor<2x2xi1>) {
  %a = xla.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %b = xla.constant dense<[[[0, 1, 2, 3], [4, 5, 6, 7]], [[8, 9, 10, 11], [12, 13, 14, 15]], [[16, 17, 18, 19], [20, 21, 22, 23]]]> : tensor<3x2x4xui64>
  %c = xla.constant dense<[[true, false], [true, true]]> : tensor<2x2xi1>
  %0 = xla.transpose %a {permutation = array<i64: 1, 0>} : (tensor<2x3xi32>) -> tensor<3x2xi32>
  %1 = xla.transpose %b {permutation = array<i64: 2, 1, 0>} : (tensor<3x2x4xui64>) -> tensor<4x2x3xui64>
  %2 = xla.transpose %c {permutation = array<i64: 1, 0>} : (tensor<2x2xi1>) -> tensor<2x2xi1>
  return %0, %1, %2 : tensor<3x2xi32>, tensor<4x2x3xui64>, tensor<2x2xi1>
}

// -----

// NaN payloads and the sign of zero are kept, in any element type.
// FOLD-LABEL: @bits
// FOLD-DAG{LITERAL}: dense<[[0x7FA00001, -0.000000e+00], [0xFFC12345, 0x7F800000]]> : tensor<2x2xf32>
// FOLD-DAG{LITERAL}: dense<[[0x7D01, -0.000000e+00], [1.000000e+00, 0xFC00]]> : tensor<2x2xf16>
func.func @bits() -> (tensor<2x2xf32>, tensor<2x2xf16>) {
  %a = xla.constant dense<[[0x7FA00001, 0xFFC12345], [-0.0, 0x7F800000]]> : tensor<2x2xf32>
  %b = xla.constant dense<[[0x7D01, 1.0], [-0.0, 0xFC00]]> : tensor<2x2xf16>
  %0 = xla.transpose %a {permutation = array<i64: 1, 0>} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = xla.transpose %b {permutation = array<i64: 1, 0>} : (tensor<2x2xf16>) -> tensor<2x2xf16>
  return %0, %1 : tensor<2x2xf32>, tensor<2x2xf16>
}

// -----

func.func @transpose_c2_size(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{permutation [1] has 1 entries, the operand has rank 2 [transpose_c2]}}
  %0 = xla.transpose %x {permutation = array<i64: 1>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @transpose_c2_twice(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{permutation [1, 1] has 1 twice [transpose_c2]}}
  %0 = xla.transpose %x {permutation = array<i64: 1, 1>} : (tensor<2x3xf32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @transpose_c2_range(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{permutation[1] is -9223372036854775808, must be in [0, 2) [transpose_c2]}}
  %0 = xla.transpose %x {permutation = array<i64: 0, -9223372036854775808>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @transpose_c3(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{result 0 is stated as tensor<2x3xf32>, but is tensor<3x2xf32> [result]}}
  %0 = xla.transpose %x {permutation = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @transpose_c1(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{result 0 is stated as tensor<3x2xf64>, but is tensor<3x2xf32> [result]}}
  %0 = xla.transpose %x {permutation = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf64>
  return
}

// -----

func.func @missing(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{requires the attribute 'permutation' [attribute]}}
  %0 = xla.transpose %x : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return
}
