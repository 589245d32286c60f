// RUN: xla-opt %s --xla-simplify-algebra | FileCheck %s

// dot_general(x, y) = 0 over a dimension of size 0
// CHECK-LABEL: @dot_empty(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<0.000000e+00> : tensor<2x3xf32>
// CHECK-NEXT: return %[[A]] :
func.func @dot_empty(%x: tensor<2x0xf32>, %y: tensor<0x3xf32>) -> tensor<2x3xf32> {
  %0 = xla.dot_general %x, %y {lhs_contracting_dimensions = array<i64: 1>, rhs_contracting_dimensions = array<i64: 0>} : (tensor<2x0xf32>, tensor<0x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: @dot_empty_not(
// CHECK: xla.dot_general
func.func @dot_empty_not(%x: tensor<2x4xf32>, %y: tensor<4x3xf32>) -> tensor<2x3xf32> {
  %0 = xla.dot_general %x, %y {lhs_contracting_dimensions = array<i64: 1>, rhs_contracting_dimensions = array<i64: 0>} : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// dot_general(x, y) = multiply(broadcast_in_dim(x), broadcast_in_dim(y)) over one element
// CHECK-LABEL: @dot_outer(
// CHECK: %[[X:.*]] = xla.reshape %arg0 : (tensor<2x1x5xi32>) -> tensor<2x5xi32>
// CHECK: %[[L:.*]] = xla.broadcast_in_dim %[[X]] {broadcast_dimensions = array<i64: 1, 0>} : (tensor<2x5xi32>) -> tensor<5x2x3xi32>
// CHECK: %[[Y:.*]] = xla.reshape %arg1 : (tensor<1x5x3xi32>) -> tensor<5x3xi32>
// CHECK: %[[R:.*]] = xla.broadcast_in_dim %[[Y]] {broadcast_dimensions = array<i64: 0, 2>} : (tensor<5x3xi32>) -> tensor<5x2x3xi32>
// CHECK: xla.multiply %[[L]], %[[R]] : tensor<5x2x3xi32>
func.func @dot_outer(%x: tensor<2x1x5xi32>, %y: tensor<1x5x3xi32>) -> tensor<5x2x3xi32> {
  %0 = xla.dot_general %x, %y {lhs_batching_dimensions = array<i64: 2>, rhs_batching_dimensions = array<i64: 1>, lhs_contracting_dimensions = array<i64: 1>, rhs_contracting_dimensions = array<i64: 0>} : (tensor<2x1x5xi32>, tensor<1x5x3xi32>) -> tensor<5x2x3xi32>
  return %0 : tensor<5x2x3xi32>
}

// CHECK-LABEL: @dot_outer_2(
// CHECK-NOT: xla.dot_general
// CHECK: xla.multiply {{.*}} : tensor<2x3xi1>
func.func @dot_outer_2(%x: tensor<2xi1>, %y: tensor<3xi1>) -> tensor<2x3xi1> {
  %0 = xla.dot_general %x, %y : (tensor<2xi1>, tensor<3xi1>) -> tensor<2x3xi1>
  return %0 : tensor<2x3xi1>
}

// A float product -0 becomes 0; sums in a wider type.
// CHECK-LABEL: @dot_outer_not(
// CHECK-COUNT-2: xla.dot_general
func.func @dot_outer_not(%x: tensor<2xf32>, %y: tensor<3xf32>, %z: tensor<3xi8>) -> (tensor<2x3xf32>, tensor<3x3xi32>) {
  %0 = xla.dot_general %x, %y : (tensor<2xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %1 = xla.dot_general %z, %z : (tensor<3xi8>, tensor<3xi8>) -> tensor<3x3xi32>
  return %0, %1 : tensor<2x3xf32>, tensor<3x3xi32>
}

// dot_general(transpose(x), y) = dot_general(x, y) with other dimension numbers
// CHECK-LABEL: @dot_transpose(
// CHECK-NEXT: %[[A:.*]] = xla.dot_general %arg0, %arg1 {lhs_batching_dimensions = array<i64: 2>, lhs_contracting_dimensions = array<i64: 0>, rhs_batching_dimensions = array<i64: 0>, rhs_contracting_dimensions = array<i64: 2>} : (tensor<3x2x5xf32>, tensor<5x4x3xf32>) -> tensor<5x2x4xf32>
// CHECK-NEXT: return %[[A]] :
func.func @dot_transpose(%x: tensor<3x2x5xf32>, %y: tensor<5x4x3xf32>) -> tensor<5x2x4xf32> {
  %a = xla.transpose %x {permutation = array<i64: 2, 1, 0>} : (tensor<3x2x5xf32>) -> tensor<5x2x3xf32>
  %b = xla.transpose %y {permutation = array<i64: 0, 2, 1>} : (tensor<5x4x3xf32>) -> tensor<5x3x4xf32>
  %0 = xla.dot_general %a, %b {lhs_batching_dimensions = array<i64: 0>, rhs_batching_dimensions = array<i64: 0>, lhs_contracting_dimensions = array<i64: 2>, rhs_contracting_dimensions = array<i64: 1>} : (tensor<5x2x3xf32>, tensor<5x3x4xf32>) -> tensor<5x2x4xf32>
  return %0 : tensor<5x2x4xf32>
}

// The result's dimensions would change places.
// CHECK-LABEL: @dot_transpose_not(
// CHECK: xla.transpose
// CHECK: xla.dot_general
func.func @dot_transpose_not(%x: tensor<3x2x5xf32>, %y: tensor<5xf32>) -> tensor<2x3xf32> {
  %a = xla.transpose %x {permutation = array<i64: 1, 0, 2>} : (tensor<3x2x5xf32>) -> tensor<2x3x5xf32>
  %0 = xla.dot_general %a, %y {lhs_contracting_dimensions = array<i64: 2>, rhs_contracting_dimensions = array<i64: 0>} : (tensor<2x3x5xf32>, tensor<5xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// transpose(dot_general(x, y)) = dot_general(y, x) if once
// CHECK-LABEL: @transpose_dot(
// CHECK-NEXT: %[[A:.*]] = xla.dot_general %arg1, %arg0 {lhs_batching_dimensions = array<i64: 2>, lhs_contracting_dimensions = array<i64: 0>, precision_config = ["HIGHEST", "DEFAULT"], rhs_batching_dimensions = array<i64: 0>, rhs_contracting_dimensions = array<i64: 1>} : (tensor<3x7x5xf32>, tensor<5x3x2x4xf32>) -> tensor<5x7x2x4xf32>
// CHECK-NEXT: return %[[A]] :
func.func @transpose_dot(%x: tensor<5x3x2x4xf32>, %y: tensor<3x7x5xf32>) -> tensor<5x7x2x4xf32> {
  %0 = xla.dot_general %x, %y {lhs_batching_dimensions = array<i64: 0>, rhs_batching_dimensions = array<i64: 2>, lhs_contracting_dimensions = array<i64: 1>, rhs_contracting_dimensions = array<i64: 0>, precision_config = ["DEFAULT", "HIGHEST"]} : (tensor<5x3x2x4xf32>, tensor<3x7x5xf32>) -> tensor<5x2x4x7xf32>
  %1 = xla.transpose %0 {permutation = array<i64: 0, 3, 1, 2>} : (tensor<5x2x4x7xf32>) -> tensor<5x7x2x4xf32>
  return %1 : tensor<5x7x2x4xf32>
}

// The product itself is needed, dimensions of one side change places, or batches do.
// CHECK-LABEL: @transpose_dot_not(
// CHECK-COUNT-3: xla.transpose
func.func @transpose_dot_not(%x: tensor<4x3xf32>, %y: tensor<3x5xf32>, %z: tensor<2x4x3xf32>, %v: tensor<2x3x5xf32>) -> (tensor<4x5xf32>, tensor<5x4xf32>, tensor<5x4x2xf32>, tensor<5x2x4xf32>) {
  %0 = xla.dot %x, %y : (tensor<4x3xf32>, tensor<3x5xf32>) -> tensor<4x5xf32>
  %1 = xla.transpose %0 {permutation = array<i64: 1, 0>} : (tensor<4x5xf32>) -> tensor<5x4xf32>
  %2 = xla.dot_general %z, %y {lhs_contracting_dimensions = array<i64: 2>, rhs_contracting_dimensions = array<i64: 0>} : (tensor<2x4x3xf32>, tensor<3x5xf32>) -> tensor<2x4x5xf32>
  %3 = xla.transpose %2 {permutation = array<i64: 2, 1, 0>} : (tensor<2x4x5xf32>) -> tensor<5x4x2xf32>
  %4 = xla.dot_general %z, %v {lhs_batching_dimensions = array<i64: 0>, rhs_batching_dimensions = array<i64: 0>, lhs_contracting_dimensions = array<i64: 2>, rhs_contracting_dimensions = array<i64: 1>} : (tensor<2x4x3xf32>, tensor<2x3x5xf32>) -> tensor<2x4x5xf32>
  %5 = xla.transpose %4 {permutation = array<i64: 2, 0, 1>} : (tensor<2x4x5xf32>) -> tensor<5x2x4xf32>
  return %0, %1, %3, %5 : tensor<4x5xf32>, tensor<5x4xf32>, tensor<5x4x2xf32>, tensor<5x2x4xf32>
}

// reshape(slice(x)) = slice(reshape(x)) if once
// CHECK-LABEL: @reshape_slice(
// CHECK: %[[X:.*]] = xla.reshape %arg0 : (tensor<4x16x96xf32>) -> tensor<64x96xf32>
// CHECK: xla.slice %[[X]] {limit_indices = array<i64: 64, 40>, start_indices = array<i64: 0, 8>, strides = array<i64: 1, 1>} : (tensor<64x96xf32>) -> tensor<64x32xf32>
// CHECK: xla.dot_general
// CHECK: %[[Y:.*]] = xla.reshape %arg2 : (tensor<4x6x8xf32>) -> tensor<8x3x8xf32>
// CHECK: xla.slice %[[Y]] {limit_indices = array<i64: 6, 3, 8>, start_indices = array<i64: 2, 0, 0>, strides = array<i64: 1, 1, 1>} : (tensor<8x3x8xf32>) -> tensor<4x3x8xf32>
// CHECK: xla.dot_general
func.func @reshape_slice(%x: tensor<4x16x96xf32>, %w: tensor<32x5xf32>, %y: tensor<4x6x8xf32>, %v: tensor<8x5xf32>) -> (tensor<64x5xf32>, tensor<4x3x5xf32>) {
  %a = xla.slice %x {start_indices = array<i64: 0, 0, 8>, limit_indices = array<i64: 4, 16, 40>} : (tensor<4x16x96xf32>) -> tensor<4x16x32xf32>
  %b = xla.reshape %a : (tensor<4x16x32xf32>) -> tensor<64x32xf32>
  %0 = xla.dot_general %b, %w {lhs_contracting_dimensions = array<i64: 1>, rhs_contracting_dimensions = array<i64: 0>} : (tensor<64x32xf32>, tensor<32x5xf32>) -> tensor<64x5xf32>
  %c = xla.slice %y {start_indices = array<i64: 1, 0, 0>, limit_indices = array<i64: 3, 6, 8>, strides = array<i64: 1, 1, 1>} : (tensor<4x6x8xf32>) -> tensor<2x6x8xf32>
  %d = xla.reshape %c : (tensor<2x6x8xf32>) -> tensor<4x3x8xf32>
  %1 = xla.dot_general %d, %v {lhs_contracting_dimensions = array<i64: 2>, rhs_contracting_dimensions = array<i64: 0>} : (tensor<4x3x8xf32>, tensor<8x5xf32>) -> tensor<4x3x5xf32>
  return %0, %1 : tensor<64x5xf32>, tensor<4x3x5xf32>
}

// The part lies in pieces, is used elsewhere, and begins within a row.
// CHECK-LABEL: @reshape_slice_not(
// CHECK: xla.slice %arg0
// CHECK: xla.slice %arg1
// CHECK: xla.slice %arg2
func.func @reshape_slice_not(%x: tensor<4x16x96xf32>, %y: tensor<6x96xf32>, %z: tensor<5x8xf32>, %w: tensor<32x5xf32>, %v: tensor<48x5xf32>, %u: tensor<16x5xf32>) -> (tensor<16x5xf32>, tensor<4x48xf32>, tensor<4x5xf32>, tensor<2x5xf32>) {
  %a = xla.slice %x {start_indices = array<i64: 0, 0, 8>, limit_indices = array<i64: 4, 4, 40>, strides = array<i64: 1, 1, 1>} : (tensor<4x16x96xf32>) -> tensor<4x4x32xf32>
  %b = xla.reshape %a : (tensor<4x4x32xf32>) -> tensor<16x32xf32>
  %0 = xla.dot_general %b, %w {lhs_contracting_dimensions = array<i64: 1>, rhs_contracting_dimensions = array<i64: 0>} : (tensor<16x32xf32>, tensor<32x5xf32>) -> tensor<16x5xf32>
  %c = xla.slice %y {start_indices = array<i64: 2, 0>, limit_indices = array<i64: 4, 96>, strides = array<i64: 1, 1>} : (tensor<6x96xf32>) -> tensor<2x96xf32>
  %d = xla.reshape %c : (tensor<2x96xf32>) -> tensor<4x48xf32>
  %1 = xla.dot_general %d, %v {lhs_contracting_dimensions = array<i64: 1>, rhs_contracting_dimensions = array<i64: 0>} : (tensor<4x48xf32>, tensor<48x5xf32>) -> tensor<4x5xf32>
  %e = xla.slice %z {start_indices = array<i64: 1, 0>, limit_indices = array<i64: 5, 8>, strides = array<i64: 1, 1>} : (tensor<5x8xf32>) -> tensor<4x8xf32>
  %f = xla.reshape %e : (tensor<4x8xf32>) -> tensor<2x16xf32>
  %2 = xla.dot_general %f, %u {lhs_contracting_dimensions = array<i64: 1>, rhs_contracting_dimensions = array<i64: 0>} : (tensor<2x16xf32>, tensor<16x5xf32>) -> tensor<2x5xf32>
  return %0, %d, %1, %2 : tensor<16x5xf32>, tensor<4x48xf32>, tensor<4x5xf32>, tensor<2x5xf32>
}
