// RUN: xla-opt %s --xla-simplify-indexing --cse | FileCheck %s
// RUN: xla-opt %s --xla-simplify-indexing > %t.once
// RUN: xla-opt %t.once --xla-simplify-indexing | diff %t.once -

// Padding as the domain of maps.

// A slice of a pad pads less, or has negative padding.
// CHECK-LABEL: @sliced_pad(
// CHECK-NEXT: %[[V0:.*]] = xla.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[V1:.*]] = xla.pad %arg0, %[[V0]] {edge_padding_high = array<i64: -2>, edge_padding_low = array<i64: 1>, interior_padding = array<i64: 0>} : (tensor<10xf32>, tensor<f32>) -> tensor<9xf32>
// CHECK-NEXT: return %[[V1]] : tensor<9xf32>
func.func @sliced_pad(%x: tensor<10xf32>) -> tensor<9xf32> {
  %z = xla.constant dense<0.0> : tensor<f32>
  %0 = xla.pad %x, %z {edge_padding_low = array<i64: 2>, edge_padding_high = array<i64: 3>, interior_padding = array<i64: 0>} : (tensor<10xf32>, tensor<f32>) -> tensor<15xf32>
  %1 = xla.slice %0 {start_indices = array<i64: 1>, limit_indices = array<i64: 10>} : (tensor<15xf32>) -> tensor<9xf32>
  return %1 : tensor<9xf32>
}

// Padding in between stays in between.
// CHECK-LABEL: @pad_pad(
// CHECK-NEXT: %[[V0:.*]] = xla.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[V1:.*]] = xla.pad %arg0, %[[V0]] {edge_padding_high = array<i64: 1, 1>, edge_padding_low = array<i64: 1, 1>, interior_padding = array<i64: 0, 1>} : (tensor<3x4xf32>, tensor<f32>) -> tensor<5x9xf32>
// CHECK-NEXT: return %[[V1]] : tensor<5x9xf32>
func.func @pad_pad(%x: tensor<3x4xf32>) -> tensor<5x9xf32> {
  %z = xla.constant dense<0.0> : tensor<f32>
  %0 = xla.pad %x, %z {edge_padding_low = array<i64: 0, 1>, edge_padding_high = array<i64: 1, 0>, interior_padding = array<i64: 0, 1>} : (tensor<3x4xf32>, tensor<f32>) -> tensor<4x8xf32>
  %1 = xla.pad %0, %z {edge_padding_low = array<i64: 1, 0>, edge_padding_high = array<i64: 0, 1>, interior_padding = array<i64: 0, 0>} : (tensor<4x8xf32>, tensor<f32>) -> tensor<5x9xf32>
  return %1 : tensor<5x9xf32>
}

// Only padding, and none.
// CHECK-LABEL: @outside(
// CHECK-NEXT: %[[V0:.*]] = xla.constant dense<0.000000e+00> : tensor<2xf32>
// CHECK-NEXT: return %[[V0]], %arg0 : tensor<2xf32>, tensor<4xf32>
func.func @outside(%x: tensor<4xf32>) -> (tensor<2xf32>, tensor<4xf32>) {
  %z = xla.constant dense<0.0> : tensor<f32>
  %0 = xla.pad %x, %z {edge_padding_low = array<i64: 3>, edge_padding_high = array<i64: 1>, interior_padding = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<8xf32>
  %1 = xla.slice %0 {start_indices = array<i64: 0>, limit_indices = array<i64: 2>} : (tensor<8xf32>) -> tensor<2xf32>
  %2 = xla.slice %0 {start_indices = array<i64: 3>, limit_indices = array<i64: 7>} : (tensor<8xf32>) -> tensor<4xf32>
  return %1, %2 : tensor<2xf32>, tensor<4xf32>
}

// Less is transposed before the pad.
// CHECK-LABEL: @transposed_pad(
// CHECK-NEXT: %[[V0:.*]] = xla.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[V1:.*]] = xla.transpose %arg0 {permutation = array<i64: 1, 0>} : (tensor<4x3xf32>) -> tensor<3x4xf32>
// CHECK-NEXT: %[[V2:.*]] = xla.pad %[[V1]], %[[V0]] {edge_padding_high = array<i64: 0, 1>, edge_padding_low = array<i64: 0, 1>, interior_padding = array<i64: 0, 0>} : (tensor<3x4xf32>, tensor<f32>) -> tensor<3x6xf32>
// CHECK-NEXT: return %[[V2]] : tensor<3x6xf32>
func.func @transposed_pad(%x: tensor<4x3xf32>) -> tensor<3x6xf32> {
  %z = xla.constant dense<0.0> : tensor<f32>
  %0 = xla.pad %x, %z {edge_padding_low = array<i64: 1, 0>, edge_padding_high = array<i64: 1, 0>, interior_padding = array<i64: 0, 0>} : (tensor<4x3xf32>, tensor<f32>) -> tensor<6x3xf32>
  %1 = xla.transpose %0 {permutation = array<i64: 1, 0>} : (tensor<6x3xf32>) -> tensor<3x6xf32>
  return %1 : tensor<3x6xf32>
}

// Other values of padding.
// CHECK-LABEL: @other_value(
// CHECK-NEXT: %[[V0:.*]] = xla.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[V1:.*]] = xla.pad %arg0, %[[V0]] {edge_padding_high = array<i64: 1>, edge_padding_low = array<i64: 1>, interior_padding = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<6xf32>
// CHECK-NEXT: %[[V2:.*]] = xla.pad %[[V1]], %arg1 {edge_padding_high = array<i64: 1>, edge_padding_low = array<i64: 1>, interior_padding = array<i64: 0>} : (tensor<6xf32>, tensor<f32>) -> tensor<8xf32>
// CHECK-NEXT: return %[[V2]] : tensor<8xf32>
func.func @other_value(%x: tensor<4xf32>, %s: tensor<f32>) -> tensor<8xf32> {
  %z = xla.constant dense<0.0> : tensor<f32>
  %0 = xla.pad %x, %z {edge_padding_low = array<i64: 1>, edge_padding_high = array<i64: 1>, interior_padding = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<6xf32>
  %1 = xla.pad %0, %s {edge_padding_low = array<i64: 1>, edge_padding_high = array<i64: 1>, interior_padding = array<i64: 0>} : (tensor<6xf32>, tensor<f32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// What has been cut away does not come back.
// CHECK-LABEL: @hole(
// CHECK-NEXT: %[[V0:.*]] = xla.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[V1:.*]] = xla.slice %arg0 {limit_indices = array<i64: 5>, start_indices = array<i64: 1>} : (tensor<6xf32>) -> tensor<4xf32>
// CHECK-NEXT: %[[V2:.*]] = xla.pad %[[V1]], %[[V0]] {edge_padding_high = array<i64: 1>, edge_padding_low = array<i64: 1>, interior_padding = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<6xf32>
// CHECK-NEXT: return %[[V2]] : tensor<6xf32>
func.func @hole(%x: tensor<6xf32>) -> tensor<6xf32> {
  %z = xla.constant dense<0.0> : tensor<f32>
  %0 = xla.slice %x {start_indices = array<i64: 1>, limit_indices = array<i64: 5>} : (tensor<6xf32>) -> tensor<4xf32>
  %1 = xla.pad %0, %z {edge_padding_low = array<i64: 1>, edge_padding_high = array<i64: 1>, interior_padding = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<6xf32>
  return %1 : tensor<6xf32>
}
