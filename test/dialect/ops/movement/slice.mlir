// Specification 000, Slice.
// RUN: xla-opt %s --split-input-file --verify-diagnostics | xla-opt --split-input-file | FileCheck %s
// RUN: xla-opt %s --split-input-file --verify-diagnostics --canonicalize | FileCheck %s --check-prefix=FOLD

// CHECK-LABEL: @forms
// CHECK: xla.slice %arg0 {limit_indices = array<i64: 4, 3>, start_indices = array<i64: 2, 1>} : (tensor<4x3xf32>) -> tensor<2x2xf32>
// CHECK: xla.slice %arg0 {limit_indices = array<i64: 4, 3>, start_indices = array<i64: 0, 0>, strides = array<i64: 3, 2>} : (tensor<4x3xf32>) -> tensor<2x2xf32>
// CHECK: xla.slice %arg0 {limit_indices = array<i64: 4, 2>, start_indices = array<i64: 4, 2>} : (tensor<4x3xf32>) -> tensor<0x0xf32>
// CHECK: xla.slice %arg1 {limit_indices = array<i64>, start_indices = array<i64>} : tensor<i1>
func.func @forms(%x: tensor<4x3xf32>, %s: tensor<i1>) {
  %0 = xla.slice %x {start_indices = array<i64: 2, 1>, limit_indices = array<i64: 4, 3>} : (tensor<4x3xf32>) -> tensor<2x2xf32>
  %1 = "xla.slice"(%x) <{start_indices = array<i64: 0, 0>, limit_indices = array<i64: 4, 3>, strides = array<i64: 3, 2>}> : (tensor<4x3xf32>) -> tensor<2x2xf32>
  %2 = xla.slice %x {start_indices = array<i64: 4, 2>, limit_indices = array<i64: 4, 2>} : (tensor<4x3xf32>) -> tensor<0x0xf32>
  %3 = xla.slice %s {start_indices = array<i64>, limit_indices = array<i64>} : tensor<i1>
  return
}

// -----

// FOLD-LABEL: @example_1d
// FOLD: dense<[2.000000e+00, 3.000000e+00]> : tensor<2xf32>
func.func @example_1d() -> tensor<2xf32> {
  %a = xla.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0]> : tensor<5xf32>
  %0 = xla.slice %a {start_indices = array<i64: 2>, limit_indices = array<i64: 4>} : (tensor<5xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// FOLD-LABEL: @example_2d
// FOLD{LITERAL}: dense<[[7.000000e+00, 8.000000e+00], [1.000000e+01, 1.100000e+01]]> : tensor<2x2xf32>
func.func @example_2d() -> tensor<2x2xf32> {
  %b = xla.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0], [6.0, 7.0, 8.0], [9.0, 10.0, 11.0]]> : tensor<4x3xf32>
  %0 = xla.slice %b {start_indices = array<i64: 2, 1>, limit_indices = array<i64: 4, 3>} : (tensor<4x3xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// -----

// A stride that does not divide the span keeps the last element it reaches; one
// that no integer can be advanced by keeps the first.
// FOLD-LABEL: @strides
// FOLD-DAG: dense<[1, 4, 7]> : tensor<3xi16>
// FOLD-DAG: dense<2> : tensor<1xi16>
// FOLD-DAG: dense<[true, false]> : tensor<2xi1>
func.func @strides() -> (tensor<3xi16>, tensor<1xi16>, tensor<2xi1>) {
  %a = xla.constant dense<[0, 1, 2, 3, 4, 5, 6, 7]> : tensor<8xi16>
  %p = xla.constant dense<[true, true, false, false]> : tensor<4xi1>
  %0 = xla.slice %a {start_indices = array<i64: 1>, limit_indices = array<i64: 8>, strides = array<i64: 3>} : (tensor<8xi16>) -> tensor<3xi16>
  %1 = xla.slice %a {start_indices = array<i64: 2>, limit_indices = array<i64: 8>, strides = array<i64: 9223372036854775807>} : (tensor<8xi16>) -> tensor<1xi16>
  %2 = xla.slice %p {start_indices = array<i64: 0>, limit_indices = array<i64: 4>, strides = array<i64: 2>} : (tensor<4xi1>) -> tensor<2xi1>
  return %0, %1, %2 : tensor<3xi16>, tensor<1xi16>, tensor<2xi1>
}

// -----

func.func @slice_c2(%x: tensor<4x3xf32>) {
  // expected-error@+1 {{start_indices [1] has 1 entries, the operand has rank 2 [slice_c2]}}
  %0 = xla.slice %x {start_indices = array<i64: 1>, limit_indices = array<i64: 4, 3>} : (tensor<4x3xf32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @slice_c2_limits(%x: tensor<4x3xf32>) {
  // expected-error@+1 {{limit_indices [4, 3, 2] has 3 entries, the operand has rank 2 [slice_c2]}}
  %0 = xla.slice %x {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 4, 3, 2>} : (tensor<4x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @slice_c2_strides(%x: tensor<4x3xf32>) {
  // expected-error@+1 {{strides [] has 0 entries, the operand has rank 2 [slice_c2]}}
  %0 = xla.slice %x {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 4, 3>, strides = array<i64>} : (tensor<4x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @slice_c3_negative(%x: tensor<4xf32>) {
  // expected-error@+1 {{start -9223372036854775808 and limit 4 of dimension 0, of size 4, are not 0 <= start <= limit <= size [slice_c3]}}
  %0 = xla.slice %x {start_indices = array<i64: -9223372036854775808>, limit_indices = array<i64: 4>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @slice_c3_order(%x: tensor<4xf32>) {
  // expected-error@+1 {{start 3 and limit 2 of dimension 0, of size 4, are not 0 <= start <= limit <= size [slice_c3]}}
  %0 = xla.slice %x {start_indices = array<i64: 3>, limit_indices = array<i64: 2>} : (tensor<4xf32>) -> tensor<0xf32>
  return
}

// -----

func.func @slice_c3_limit(%x: tensor<4xf32>) {
  // expected-error@+1 {{start 3 and limit 5 of dimension 0, of size 4, are not 0 <= start <= limit <= size [slice_c3]}}
  %0 = xla.slice %x {start_indices = array<i64: 3>, limit_indices = array<i64: 5>} : (tensor<4xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @slice_c4(%x: tensor<4xf32>) {
  // expected-error@+1 {{strides[0] is 0, must be positive [slice_c4]}}
  %0 = xla.slice %x {start_indices = array<i64: 0>, limit_indices = array<i64: 4>, strides = array<i64: 0>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @slice_c4_negative(%x: tensor<4xf32>) {
  // expected-error@+1 {{strides[0] is -9223372036854775808, must be positive [slice_c4]}}
  %0 = xla.slice %x {start_indices = array<i64: 0>, limit_indices = array<i64: 4>, strides = array<i64: -9223372036854775808>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @slice_c5(%x: tensor<4xf32>) {
  // expected-error@+1 {{result 0 is stated as tensor<3xf32>, but is tensor<2xf32> [result]}}
  %0 = xla.slice %x {start_indices = array<i64: 1>, limit_indices = array<i64: 3>} : (tensor<4xf32>) -> tensor<3xf32>
  return
}
