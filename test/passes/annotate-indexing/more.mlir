// Operations that specification 001 does not show, and what no map tells.
// RUN: xla-opt %s --xla-annotate-indexing | FileCheck %s

// Starts in one vector.
// CHECK-LABEL: @vector_starts(
// CHECK: "(d0, d1){rt0, rt1} -> (d0 + rt0, d1 + rt1), domain: d0 in [0, 1], d1 in [0, 2], rt0 in [0, 2], rt1 in [0, 2]"
// CHECK-SAME: "(d0, d1)[s0] -> (s0), domain: d0 in [0, 1], d1 in [0, 2], s0 in [0, 1]"
func.func @vector_starts(%x: tensor<4x5xf32>, %s: tensor<2xi32>) -> tensor<2x3xf32> {
  %0 = xla.dynamic_slice %x, %s {slice_sizes = array<i64: 2, 3>} : (tensor<4x5xf32>, tensor<2xi32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// Scalars are broadcast; so are dimensions of size 1.
// CHECK-LABEL: @broadcasts(
// CHECK: "(d0, d1) -> (0, d1), domain: d0 in [0, 3], d1 in [0, 4]"
// CHECK: "(d0, d1) -> (d0, d1), domain: d0 in [0, 3], d1 in [0, 4]"{{.*}}"(d0, d1) -> (), domain: d0 in [0, 3], d1 in [0, 4]"
// CHECK: "(d0, d1) -> (), domain: d0 in [0, 3], d1 in [0, 4]"{{.*}}"(d0, d1) -> (d0, d1)
func.func @broadcasts(%x: tensor<1x5xf32>, %y: tensor<4x5xf32>, %s: tensor<f32>, %p: tensor<i1>) {
  %0 = xla.broadcast_in_dim %x {broadcast_dimensions = array<i64: 0, 1>} : (tensor<1x5xf32>) -> tensor<4x5xf32>
  %1 = xla.add %y, %s : (tensor<4x5xf32>, tensor<f32>) -> tensor<4x5xf32>
  %2 = xla.select %p, %y, %y : (tensor<i1>, tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<4x5xf32>
  return
}

// Padding, dilation and strides of windows.
// CHECK-LABEL: @window(
// CHECK: "(d0)[s0] -> (d0 + s0 - 1), domain: d0 in [0, 3], s0 in [0, 2], d0 + s0 in [1, 4]"
// Every other element of the dilated base is a hole: only s0 = 1 hits one.
// CHECK: "(d0) -> (d0), domain: d0 in [0, 3]"
func.func @window(%x: tensor<4xf32>, %i: tensor<f32>) {
  %0 = xla.reduce_window(%x, %i) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = xla.add %a, %b : tensor<f32>
    xla.return %m : tensor<f32>
  }) {window_dimensions = array<i64: 3>, padding = array<i64: 1, 1>} : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = xla.reduce_window(%x, %i) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = xla.add %a, %b : tensor<f32>
    xla.return %m : tensor<f32>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>, base_dilations = array<i64: 2>, padding = array<i64: 1, 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// Features in two groups.
// CHECK-LABEL: @convolution(
// CHECK: "(d0, d1, d2)[s0, s1] -> (d0, d1 + s0, (d2 floordiv 3) * 2 + s1), domain: d0 in [0, 1], d1 in [0, 5], d2 in [0, 5], s0 in [0, 2], s1 in [0, 1]"
// CHECK-SAME: "(d0, d1, d2)[s0, s1] -> (s0, s1, d2), domain: d0 in [0, 1], d1 in [0, 5], d2 in [0, 5], s0 in [0, 2], s1 in [0, 1]"
func.func @convolution(%x: tensor<2x8x4xf32>, %k: tensor<3x2x6xf32>) -> tensor<2x6x6xf32> {
  %0 = xla.convolution %x, %k {input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = array<i64: 1>,
    kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = array<i64: 0>,
    output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = array<i64: 1>,
    feature_group_count = 2} : (tensor<2x8x4xf32>, tensor<3x2x6xf32>) -> tensor<2x6x6xf32>
  return %0 : tensor<2x6x6xf32>
}

// Of empty arrays nothing is read; of what is no array nothing is said.
// CHECK-LABEL: @unknown(
// CHECK: xla.add {{.*}} {xla.indexing = {{\[\[\], \[\]\]}}}
// CHECK: xla.tuple {{.*}} {xla.indexing = [unit]}
func.func @unknown(%e: tensor<0xf32>) {
  %0 = xla.add %e, %e : tensor<0xf32>
  %1 = xla.tuple %0 : (tensor<0xf32>) -> tuple<tensor<0xf32>>
  return
}
