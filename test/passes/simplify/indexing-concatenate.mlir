// RUN: xla-opt %s --xla-simplify-indexing --cse | FileCheck %s
// RUN: xla-opt %s --xla-simplify-indexing > %t.once
// RUN: xla-opt %t.once --xla-simplify-indexing | diff %t.once -

// Concatenations with fewer operands.

// Adjacent slices are one; a whole array is itself.
// CHECK-LABEL: @concat_slices(
// CHECK-NEXT: %[[V0:.*]] = xla.slice %arg0 {limit_indices = array<i64: 3, 7>, start_indices = array<i64: 0, 1>} : (tensor<3x8xf32>) -> tensor<3x6xf32>
// CHECK-NEXT: return %[[V0]], %arg0 : tensor<3x6xf32>, tensor<3x8xf32>
func.func @concat_slices(%x: tensor<3x8xf32>) -> (tensor<3x6xf32>, tensor<3x8xf32>) {
  %0 = xla.slice %x {start_indices = array<i64: 0, 1>, limit_indices = array<i64: 3, 3>} : (tensor<3x8xf32>) -> tensor<3x2xf32>
  %1 = xla.slice %x {start_indices = array<i64: 0, 3>, limit_indices = array<i64: 3, 7>} : (tensor<3x8xf32>) -> tensor<3x4xf32>
  %2 = xla.concatenate %0, %1 {dimension = 1} : (tensor<3x2xf32>, tensor<3x4xf32>) -> tensor<3x6xf32>
  %3 = xla.slice %x {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 3, 3>} : (tensor<3x8xf32>) -> tensor<3x3xf32>
  %4 = xla.slice %x {start_indices = array<i64: 0, 3>, limit_indices = array<i64: 3, 8>} : (tensor<3x8xf32>) -> tensor<3x5xf32>
  %5 = xla.concatenate %3, %4 {dimension = 1} : (tensor<3x3xf32>, tensor<3x5xf32>) -> tensor<3x8xf32>
  return %2, %5 : tensor<3x6xf32>, tensor<3x8xf32>
}

// A slice of one operand, and of two with one cut.
// CHECK-LABEL: @slice_concat(
// CHECK-NEXT: %[[V0:.*]] = xla.slice %arg1 {limit_indices = array<i64: 3, 4>, start_indices = array<i64: 1, 1>} : (tensor<3x5xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %[[V1:.*]] = xla.slice %arg1 {limit_indices = array<i64: 3, 2>, start_indices = array<i64: 0, 0>} : (tensor<3x5xf32>) -> tensor<3x2xf32>
// CHECK-NEXT: %[[V2:.*]] = xla.concatenate %arg0, %[[V1]] {dimension = 1 : i64} : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x4xf32>
// CHECK-NEXT: return %[[V0]], %[[V2]] : tensor<2x3xf32>, tensor<3x4xf32>
func.func @slice_concat(%a: tensor<3x2xf32>, %b: tensor<3x5xf32>) -> (tensor<2x3xf32>, tensor<3x4xf32>) {
  %0 = xla.concatenate %a, %b {dimension = 1} : (tensor<3x2xf32>, tensor<3x5xf32>) -> tensor<3x7xf32>
  %1 = xla.slice %0 {start_indices = array<i64: 1, 3>, limit_indices = array<i64: 3, 6>} : (tensor<3x7xf32>) -> tensor<2x3xf32>
  %2 = xla.concatenate %a, %b {dimension = 1} : (tensor<3x2xf32>, tensor<3x5xf32>) -> tensor<3x7xf32>
  %3 = xla.slice %2 {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 3, 4>} : (tensor<3x7xf32>) -> tensor<3x4xf32>
  return %1, %3 : tensor<2x3xf32>, tensor<3x4xf32>
}

// Operands of operands, repeated scalars, and padding; repetition stays.
// CHECK-LABEL: @operands_join(
// CHECK-NEXT: %[[V0:.*]] = xla.concatenate %arg0, %arg1, %arg0 {dimension = 0 : i64} : (tensor<2xf32>, tensor<3xf32>, tensor<2xf32>) -> tensor<7xf32>
// CHECK-NEXT: %[[V1:.*]] = xla.broadcast_in_dim %arg2 {broadcast_dimensions = array<i64>} : (tensor<f32>) -> tensor<5xf32>
// CHECK-NEXT: %[[V2:.*]] = xla.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[V3:.*]] = xla.pad %arg1, %[[V2]] {edge_padding_high = array<i64: 3>, edge_padding_low = array<i64: 2>, interior_padding = array<i64: 0>} : (tensor<3xf32>, tensor<f32>) -> tensor<8xf32>
// CHECK-NEXT: %[[V4:.*]] = xla.concatenate %arg0, %arg0, %arg0 {dimension = 0 : i64} : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<6xf32>
// CHECK-NEXT: return %[[V0]], %[[V1]], %[[V3]], %[[V4]] : tensor<7xf32>, tensor<5xf32>, tensor<8xf32>, tensor<6xf32>
func.func @operands_join(%a: tensor<2xf32>, %b: tensor<3xf32>, %s: tensor<f32>) -> (tensor<7xf32>, tensor<5xf32>, tensor<8xf32>, tensor<6xf32>) {
  %0 = xla.concatenate %a, %b {dimension = 0} : (tensor<2xf32>, tensor<3xf32>) -> tensor<5xf32>
  %1 = xla.concatenate %0, %a {dimension = 0} : (tensor<5xf32>, tensor<2xf32>) -> tensor<7xf32>
  %2 = xla.broadcast_in_dim %s {broadcast_dimensions = array<i64>} : (tensor<f32>) -> tensor<2xf32>
  %3 = xla.broadcast_in_dim %s {broadcast_dimensions = array<i64>} : (tensor<f32>) -> tensor<3xf32>
  %4 = xla.concatenate %2, %3 {dimension = 0} : (tensor<2xf32>, tensor<3xf32>) -> tensor<5xf32>
  %z = xla.constant dense<0.0> : tensor<2xf32>
  %y = xla.constant dense<0.0> : tensor<3xf32>
  %5 = xla.concatenate %z, %b, %y {dimension = 0} : (tensor<2xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<8xf32>
  %6 = xla.concatenate %a, %a, %a {dimension = 0} : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<6xf32>
  return %1, %4, %5, %6 : tensor<7xf32>, tensor<5xf32>, tensor<8xf32>, tensor<6xf32>
}
