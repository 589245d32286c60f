// Specification 000, BroadcastInDim; the older Broadcast is the case of leading new dimensions.
// RUN: xla-opt %s --split-input-file --verify-diagnostics | xla-opt --split-input-file | FileCheck %s
// RUN: xla-opt %s --split-input-file --verify-diagnostics --canonicalize | FileCheck %s --check-prefix=FOLD

// CHECK-LABEL: @forms
// CHECK: xla.broadcast_in_dim %arg0 {broadcast_dimensions = array<i64>} : (tensor<f32>) -> tensor<2x3xf32>
// CHECK: xla.broadcast_in_dim %arg1 {broadcast_dimensions = array<i64: 0, 2>} : (tensor<1x3xi1>) -> tensor<2x4x3xi1>
// CHECK: xla.broadcast_in_dim %arg1 {broadcast_dimensions = array<i64: 2, 0>} : (tensor<1x3xi1>) -> tensor<3x4x1xi1>
// CHECK: xla.broadcast_in_dim %arg1 {broadcast_dimensions = array<i64: 0, 1>} : (tensor<1x3xi1>) -> tensor<0x3xi1>
// CHECK: xla.broadcast_in_dim %arg0 {broadcast_dimensions = array<i64>} : tensor<f32>
func.func @forms(%s: tensor<f32>, %x: tensor<1x3xi1>) {
  %0 = xla.broadcast_in_dim %s {broadcast_dimensions = array<i64>} : (tensor<f32>) -> tensor<2x3xf32>
  %1 = xla.broadcast_in_dim %x {broadcast_dimensions = array<i64: 0, 2>} : (tensor<1x3xi1>) -> tensor<2x4x3xi1>
  %2 = xla.broadcast_in_dim %x {broadcast_dimensions = array<i64: 2, 0>} : (tensor<1x3xi1>) -> tensor<3x4x1xi1>
  %3 = "xla.broadcast_in_dim"(%x) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x3xi1>) -> tensor<0x3xi1>
  %4 = xla.broadcast_in_dim %s {broadcast_dimensions = array<i64>} : tensor<f32>
  return
}

// -----

// FOLD-LABEL: @values
// FOLD-DAG: dense<2.000000e+00> : tensor<2x3xf32>
// FOLD-DAG{LITERAL}: dense<[[1, 2, 3], [1, 2, 3]]> : tensor<2x3xi32>
// FOLD-DAG{LITERAL}: dense<[[1, 1], [2, 2], [3, 3]]> : tensor<3x2xi32>
// FOLD-DAG{LITERAL}: dense<[[[5, 5], [6, 6]], [[5, 5], [6, 6]]]> : tensor<2x2x2xui8>
// FOLD-DAG{LITERAL}: dense<[[-1, 3], [-2, 4]]> : tensor<2x2xi4>
func.func @values() -> (tensor<2x3xf32>, tensor<2x3xi32>, tensor<3x2xi32>, tensor<2x2x2xui8>, tensor<2x2xi4>) {
  %s = xla.constant dense<2.0> : tensor<f32>
  %v = xla.constant dense<[1, 2, 3]> : tensor<3xi32>
  %d = xla.constant dense<[[5], [6]]> : tensor<2x1xui8>
  %m = xla.constant dense<[[-1, -2], [3, 4]]> : tensor<2x2xi4>
  %0 = xla.broadcast_in_dim %s {broadcast_dimensions = array<i64>} : (tensor<f32>) -> tensor<2x3xf32>
  %1 = xla.broadcast_in_dim %v {broadcast_dimensions = array<i64: 1>} : (tensor<3xi32>) -> tensor<2x3xi32>
  %2 = xla.broadcast_in_dim %v {broadcast_dimensions = array<i64: 0>} : (tensor<3xi32>) -> tensor<3x2xi32>
  %3 = xla.broadcast_in_dim %d {broadcast_dimensions = array<i64: 1, 2>} : (tensor<2x1xui8>) -> tensor<2x2x2xui8>
  %4 = xla.broadcast_in_dim %m {broadcast_dimensions = array<i64: 1, 0>} : (tensor<2x2xi4>) -> tensor<2x2xi4>
  return %0, %1, %2, %3, %4 : tensor<2x3xf32>, tensor<2x3xi32>, tensor<3x2xi32>, tensor<2x2x2xui8>, tensor<2x2xi4>
}

// -----

// More elements than folding makes stay an operation.
// FOLD-LABEL: @large
// FOLD: xla.broadcast_in_dim
func.func @large() -> tensor<4611686018427387903xi8> {
  %s = xla.constant dense<2> : tensor<i8>
  %0 = xla.broadcast_in_dim %s {broadcast_dimensions = array<i64>} : (tensor<i8>) -> tensor<4611686018427387903xi8>
  return %0 : tensor<4611686018427387903xi8>
}

// -----

// Nothing overflows where another dimension is empty.
// FOLD-LABEL: @empty
// FOLD: dense<> : tensor<4611686018427387904x0x4611686018427387904xf64>
func.func @empty() -> tensor<4611686018427387904x0x4611686018427387904xf64> {
  %s = xla.constant dense<2.0> : tensor<f64>
  %0 = xla.broadcast_in_dim %s {broadcast_dimensions = array<i64>} : (tensor<f64>) -> tensor<4611686018427387904x0x4611686018427387904xf64>
  return %0 : tensor<4611686018427387904x0x4611686018427387904xf64>
}

// -----

func.func @broadcast_in_dim_type(%x: tensor<3xf32>) {
  // expected-error@+1 {{result 0 is stated as tensor<2x3xf64>, but is tensor<2x3xf32> [result]}}
  %0 = xla.broadcast_in_dim %x {broadcast_dimensions = array<i64: 1>} : (tensor<3xf32>) -> tensor<2x3xf64>
  return
}

// -----

func.func @broadcast_in_dim_c2(%x: tensor<3xf32>) {
  // expected-error@+1 {{broadcast_dimensions [0, 1] has 2 entries, the operand has rank 1 [broadcast_in_dim_c2]}}
  %0 = xla.broadcast_in_dim %x {broadcast_dimensions = array<i64: 0, 1>} : (tensor<3xf32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @broadcast_in_dim_c3(%x: tensor<3xf32>) {
  // expected-error@+1 {{broadcast_dimensions[0] is 2, must be in [0, 2) [broadcast_in_dim_c3]}}
  %0 = xla.broadcast_in_dim %x {broadcast_dimensions = array<i64: 2>} : (tensor<3xf32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @broadcast_in_dim_c3_negative(%x: tensor<3xf32>) {
  // expected-error@+1 {{broadcast_dimensions[0] is -1, must be in [0, 2) [broadcast_in_dim_c3]}}
  %0 = xla.broadcast_in_dim %x {broadcast_dimensions = array<i64: -1>} : (tensor<3xf32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @broadcast_in_dim_c4(%x: tensor<3x3xf32>) {
  // expected-error@+1 {{broadcast_dimensions [1, 1] has 1 twice [broadcast_in_dim_c4]}}
  %0 = xla.broadcast_in_dim %x {broadcast_dimensions = array<i64: 1, 1>} : (tensor<3x3xf32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @broadcast_in_dim_c5(%x: tensor<1x3xf32>) {
  // expected-error@+1 {{dimension 1 of the operand is 3, neither 1 nor 4 as dimension 2 of the result [broadcast_in_dim_c5]}}
  %0 = xla.broadcast_in_dim %x {broadcast_dimensions = array<i64: 0, 2>} : (tensor<1x3xf32>) -> tensor<2x3x4xf32>
  return
}

// -----

func.func @too_large(%x: tensor<f64>) {
  // expected-error@+1 {{result 0, tensor<4611686018427387904xf64>, is larger than 2^62 bytes}}
  %0 = xla.broadcast_in_dim %x {broadcast_dimensions = array<i64>} : (tensor<f64>) -> tensor<4611686018427387904xf64>
  return
}
