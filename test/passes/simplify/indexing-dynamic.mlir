// RUN: xla-opt %s --xla-simplify-indexing --cse | FileCheck %s
// RUN: xla-opt %s --xla-simplify-indexing > %t.once
// RUN: xla-opt %t.once --xla-simplify-indexing | diff %t.once -

// Slices, updates and gathers at places that are known.

// Rows at constant distances, in either direction, and rows that an iota counts.
// CHECK-LABEL: @gathers(
// CHECK-NEXT: %[[V0:.*]] = xla.slice %arg0 {limit_indices = array<i64: 6, 5>, start_indices = array<i64: 1, 0>, strides = array<i64: 2, 1>} : (tensor<8x5xf32>) -> tensor<3x5xf32>
// CHECK-NEXT: %[[V1:.*]] = xla.reverse %[[V0]] {dimensions = array<i64: 0>} : tensor<3x5xf32>
// CHECK-NEXT: %[[V2:.*]] = xla.slice %arg0 {limit_indices = array<i64: 4, 5>, start_indices = array<i64: 0, 0>} : (tensor<8x5xf32>) -> tensor<4x5xf32>
// CHECK-NEXT: return %[[V1]], %[[V2]] : tensor<3x5xf32>, tensor<4x5xf32>
func.func @gathers(%x: tensor<8x5xf32>) -> (tensor<3x5xf32>, tensor<4x5xf32>) {
  %i = xla.constant dense<[[5], [3], [1]]> : tensor<3x1xi32>
  %0 = xla.gather %x, %i {offset_dims = array<i64: 1>, collapsed_slice_dims = array<i64: 0>, start_index_map = array<i64: 0>, index_vector_dim = 1 : i64, slice_sizes = array<i64: 1, 5>} : (tensor<8x5xf32>, tensor<3x1xi32>) -> tensor<3x5xf32>
  %j = xla.iota {iota_dimension = 0 : i64} : () -> tensor<4xi32>
  %1 = xla.gather %x, %j {offset_dims = array<i64: 1>, collapsed_slice_dims = array<i64: 0>, start_index_map = array<i64: 0>, index_vector_dim = 1 : i64, slice_sizes = array<i64: 1, 5>} : (tensor<8x5xf32>, tensor<4xi32>) -> tensor<4x5xf32>
  return %0, %1 : tensor<3x5xf32>, tensor<4x5xf32>
}

// Starts are clamped before they are added; a slice of everything has none.
// CHECK-LABEL: @dynamic_slices(
// CHECK-NEXT: %[[V0:.*]] = xla.slice %arg0 {limit_indices = array<i64: 8, 5>, start_indices = array<i64: 6, 0>} : (tensor<8x5xf32>) -> tensor<2x5xf32>
// CHECK-NEXT: %[[V1:.*]] = xla.constant dense<0> : tensor<i32>
// CHECK-NEXT: %[[V2:.*]] = xla.constant dense<4> : tensor<i32>
// CHECK-NEXT: %[[V3:.*]] = xla.clamp %[[V1]], %arg1, %[[V2]] : tensor<i32>
// CHECK-NEXT: %[[V4:.*]] = xla.constant dense<2> : tensor<i32>
// CHECK-NEXT: %[[V5:.*]] = xla.clamp %[[V1]], %arg2, %[[V4]] : tensor<i32>
// CHECK-NEXT: %[[V6:.*]] = xla.add %[[V3]], %[[V5]] : tensor<i32>
// CHECK-NEXT: %[[V7:.*]] = xla.dynamic_slice %arg0, %[[V6]], %arg1 {slice_sizes = array<i64: 2, 3>} : (tensor<8x5xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
// CHECK-NEXT: %[[V8:.*]] = xla.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[V9:.*]] = xla.pad %arg0, %[[V8]] {edge_padding_high = array<i64: -6, -3>, edge_padding_low = array<i64: 6, 3>, interior_padding = array<i64: 0, 0>} : (tensor<8x5xf32>, tensor<f32>) -> tensor<8x5xf32>
// CHECK-NEXT: return %[[V0]], %[[V7]], %[[V9]] : tensor<2x5xf32>, tensor<2x3xf32>, tensor<8x5xf32>
func.func @dynamic_slices(%x: tensor<8x5xf32>, %i: tensor<i32>, %j: tensor<i32>) -> (tensor<2x5xf32>, tensor<2x3xf32>, tensor<8x5xf32>) {
  %c = xla.constant dense<7> : tensor<i32>
  %0 = xla.dynamic_slice %x, %c, %i {slice_sizes = array<i64: 2, 5>} : (tensor<8x5xf32>, tensor<i32>, tensor<i32>) -> tensor<2x5xf32>
  %1 = xla.dynamic_slice %x, %i, %j {slice_sizes = array<i64: 4, 5>} : (tensor<8x5xf32>, tensor<i32>, tensor<i32>) -> tensor<4x5xf32>
  %2 = xla.dynamic_slice %1, %j, %i {slice_sizes = array<i64: 2, 3>} : (tensor<4x5xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
  %z = xla.constant dense<0.0> : tensor<8x5xf32>
  %u = xla.slice %x {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 2, 2>} : (tensor<8x5xf32>) -> tensor<2x2xf32>
  %3 = xla.dynamic_update_slice %z, %u, %c, %c : (tensor<8x5xf32>, tensor<2x2xf32>, tensor<i32>, tensor<i32>) -> tensor<8x5xf32>
  return %0, %2, %3 : tensor<2x5xf32>, tensor<2x3xf32>, tensor<8x5xf32>
}

// Where all rows are the same, it does not matter which one is read.
// CHECK-LABEL: @dynamic_slice_of_broadcast(
// CHECK-NEXT: %[[V0:.*]] = xla.constant dense<0> : tensor<i32>
// CHECK-NEXT: %[[V1:.*]] = xla.broadcast_in_dim %arg0 {broadcast_dimensions = array<i64: 1>} : (tensor<6xf32>) -> tensor<8x6xf32>
// CHECK-NEXT: %[[V2:.*]] = xla.broadcast_in_dim %arg0 {broadcast_dimensions = array<i64: 1>} : (tensor<6xf32>) -> tensor<2x6xf32>
// CHECK-NEXT: %[[V3:.*]] = xla.dynamic_slice %[[V1]], %[[V0]], %arg1 {slice_sizes = array<i64: 2, 3>} : (tensor<8x6xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
// CHECK-NEXT: return %[[V2]], %[[V3]] : tensor<2x6xf32>, tensor<2x3xf32>
func.func @dynamic_slice_of_broadcast(%x: tensor<6xf32>, %i: tensor<i32>) -> (tensor<2x6xf32>, tensor<2x3xf32>) {
  %z = xla.constant dense<0> : tensor<i32>
  %0 = xla.broadcast_in_dim %x {broadcast_dimensions = array<i64: 1>} : (tensor<6xf32>) -> tensor<8x6xf32>
  %1 = xla.dynamic_slice %0, %i, %z {slice_sizes = array<i64: 2, 6>} : (tensor<8x6xf32>, tensor<i32>, tensor<i32>) -> tensor<2x6xf32>
  %2 = xla.dynamic_slice %0, %z, %i {slice_sizes = array<i64: 2, 3>} : (tensor<8x6xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
  return %1, %2 : tensor<2x6xf32>, tensor<2x3xf32>
}

// Rows at computed places that grow alike.
// CHECK-LABEL: func.func @computed_rows(
// CHECK: %[[ROWS:.*]] = xla.slice %arg0 {limit_indices = array<i64: 30, 5>, start_indices = array<i64: 2, 0>, strides = array<i64: 3, 1>}
// CHECK: return %[[ROWS]]
func.func @computed_rows(%x: tensor<32x5xf32>) -> tensor<10x5xf32> {
  %two = xla.constant dense<2> : tensor<i32>
  %three = xla.constant dense<3> : tensor<i32>
  %i = xla.iota {iota_dimension = 0} : () -> tensor<10x1xi32>
  %0 = xla.multiply %three, %i : (tensor<i32>, tensor<10x1xi32>) -> tensor<10x1xi32>
  %1 = xla.add %0, %two : (tensor<10x1xi32>, tensor<i32>) -> tensor<10x1xi32>
  %2 = xla.gather %x, %1 {offset_dims = array<i64: 1>, collapsed_slice_dims = array<i64: 0>, start_index_map = array<i64: 0>, index_vector_dim = 1, slice_sizes = array<i64: 1, 5>} : (tensor<32x5xf32>, tensor<10x1xi32>) -> tensor<10x5xf32>
  return %2 : tensor<10x5xf32>
}
