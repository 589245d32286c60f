// RUN: xla-opt %s --xla-simplify --canonicalize | FileCheck %s

// CHECK-LABEL: @reshapes
// CHECK-NEXT: %[[R:.*]] = xla.reshape %arg0 : (tensor<4x6xf32>) -> tensor<3x8xf32>
// CHECK-NEXT: return %[[R]], %arg0
func.func @reshapes(%x: tensor<4x6xf32>) -> (tensor<3x8xf32>, tensor<4x6xf32>) {
  %0 = xla.reshape %x : (tensor<4x6xf32>) -> tensor<24xf32>
  %1 = xla.reshape %0 : (tensor<24xf32>) -> tensor<3x8xf32>
  %2 = xla.reshape %1 : (tensor<3x8xf32>) -> tensor<4x6xf32>
  return %1, %2 : tensor<3x8xf32>, tensor<4x6xf32>
}

// CHECK-LABEL: @transposes
// CHECK-NEXT: %[[T:.*]] = xla.transpose %arg0 {permutation = array<i64: 1, 2, 0>} : (tensor<2x3x4xf32>) -> tensor<3x4x2xf32>
// CHECK-NEXT: %[[U:.*]] = xla.transpose %arg0 {permutation = array<i64: 2, 0, 1>} : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
// CHECK-NEXT: return %[[T]], %[[U]], %arg0
func.func @transposes(%x: tensor<2x3x4xf32>) -> (tensor<3x4x2xf32>, tensor<4x2x3xf32>, tensor<2x3x4xf32>) {
  %0 = xla.transpose %x {permutation = array<i64: 1, 2, 0>} : (tensor<2x3x4xf32>) -> tensor<3x4x2xf32>
  %1 = xla.transpose %0 {permutation = array<i64: 1, 2, 0>} : (tensor<3x4x2xf32>) -> tensor<4x2x3xf32>
  %2 = xla.transpose %1 {permutation = array<i64: 1, 2, 0>} : (tensor<4x2x3xf32>) -> tensor<2x3x4xf32>
  return %0, %1, %2 : tensor<3x4x2xf32>, tensor<4x2x3xf32>, tensor<2x3x4xf32>
}

// Only a dimension of size 1 moves: a view.
// CHECK-LABEL: @transpose_of_one
// CHECK-NEXT: xla.reshape %arg0 : (tensor<3x1x4xf32>) -> tensor<1x3x4xf32>
// CHECK-NEXT: return
func.func @transpose_of_one(%x: tensor<3x1x4xf32>) -> tensor<1x3x4xf32> {
  %0 = xla.transpose %x {permutation = array<i64: 1, 0, 2>} : (tensor<3x1x4xf32>) -> tensor<1x3x4xf32>
  return %0 : tensor<1x3x4xf32>
}

// CHECK-LABEL: @broadcasts
// CHECK-NEXT: %[[B:.*]] = xla.broadcast_in_dim %arg0 {broadcast_dimensions = array<i64: 2>} : (tensor<4xf32>) -> tensor<2x3x4xf32>
// CHECK-NEXT: %[[V:.*]] = xla.reshape %arg0 : (tensor<4xf32>) -> tensor<1x4x1xf32>
// CHECK-NEXT: %[[T:.*]] = xla.transpose %arg1 {permutation = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
// CHECK-NEXT: %[[I:.*]] = xla.iota {iota_dimension = 1 : i64} : () -> tensor<3x4xi32>
// CHECK-NEXT: return %[[B]], %[[V]], %[[T]], %[[I]]
func.func @broadcasts(%x: tensor<4xf32>, %y: tensor<2x3xf32>) -> (tensor<2x3x4xf32>, tensor<1x4x1xf32>, tensor<3x2xf32>, tensor<3x4xi32>) {
  %0 = xla.broadcast_in_dim %x {broadcast_dimensions = array<i64: 1>} : (tensor<4xf32>) -> tensor<3x4xf32>
  %1 = xla.broadcast_in_dim %0 {broadcast_dimensions = array<i64: 1, 2>} : (tensor<3x4xf32>) -> tensor<2x3x4xf32>
  %2 = xla.broadcast_in_dim %x {broadcast_dimensions = array<i64: 1>} : (tensor<4xf32>) -> tensor<1x4x1xf32>
  %3 = xla.broadcast_in_dim %y {broadcast_dimensions = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %4 = xla.iota {iota_dimension = 0 : i64} : () -> tensor<4xi32>
  %5 = xla.broadcast_in_dim %4 {broadcast_dimensions = array<i64: 1>} : (tensor<4xi32>) -> tensor<3x4xi32>
  return %1, %2, %3, %5 : tensor<2x3x4xf32>, tensor<1x4x1xf32>, tensor<3x2xf32>, tensor<3x4xi32>
}

// CHECK-LABEL: @nothing
// CHECK-NEXT: return %arg0, %arg0, %arg0, %arg0, %arg0, %arg1
func.func @nothing(%x: tensor<4x1xf32>, %y: tensor<4x1xf32>, %i: tensor<i32>) -> (tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x1xf32>) {
  %z = xla.constant dense<0.0> : tensor<f32>
  %0 = xla.slice %x {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 4, 1>} : (tensor<4x1xf32>) -> tensor<4x1xf32>
  %1 = xla.pad %x, %z {edge_padding_low = array<i64: 0, 0>, edge_padding_high = array<i64: 0, 0>, interior_padding = array<i64: 0, 0>} : (tensor<4x1xf32>, tensor<f32>) -> tensor<4x1xf32>
  %2 = xla.reverse %x {dimensions = array<i64: 1>} : tensor<4x1xf32>
  %3 = xla.convert %x : tensor<4x1xf32>
  %4 = xla.concatenate %x {dimension = 0 : i64} : tensor<4x1xf32>
  %5 = xla.dynamic_update_slice %x, %y, %i, %i : (tensor<4x1xf32>, tensor<4x1xf32>, tensor<i32>, tensor<i32>) -> tensor<4x1xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x1xf32>
}

// A rotation by nothing that pads and cuts is not nothing.
// CHECK-LABEL: @shifted
// CHECK: xla.pad
// CHECK: xla.reverse
func.func @shifted(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %z = xla.constant dense<0.0> : tensor<f32>
  %0 = xla.pad %x, %z {edge_padding_low = array<i64: 1>, edge_padding_high = array<i64: -1>, interior_padding = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = xla.reverse %x {dimensions = array<i64: 0>} : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// Reducing a dimension of size 1 alone applies the computation once; with others it adds nothing.
// CHECK-LABEL: @reductions
// CHECK: xla.reduce(%{{.*}}) ({
// CHECK: {dimensions = array<i64: 0>} : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
// CHECK: xla.reduce(%{{.*}}) ({
// CHECK: {dimensions = array<i64: 1>} : (tensor<3x1xf32>, tensor<f32>) -> tensor<3xf32>
func.func @reductions(%x: tensor<1x3x1xf32>) -> (tensor<1xf32>, tensor<1x3xf32>) {
  %z = xla.constant dense<2.0> : tensor<f32>
  %0 = xla.reduce(%x, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimensions = array<i64: 1, 2>} : (tensor<1x3x1xf32>, tensor<f32>) -> tensor<1xf32>
  %1 = xla.reduce(%x, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimensions = array<i64: 2>} : (tensor<1x3x1xf32>, tensor<f32>) -> tensor<1x3xf32>
  return %0, %1 : tensor<1xf32>, tensor<1x3xf32>
}

// There is no zero in f8E8M0FNU.
// CHECK-LABEL: @iota_of_one
// CHECK: xla.constant dense<0xFF> : tensor<1x2xf8E8M0FNU>
func.func @iota_of_one() -> tensor<1x2xf8E8M0FNU> {
  %0 = xla.iota {iota_dimension = 0} : () -> tensor<1x2xf8E8M0FNU>
  return %0 : tensor<1x2xf8E8M0FNU>
}
