// As many patches side by side as a kernel reads, and one more, which makes it a loop; a large lhs is no larger when padded a little. A filter
// of one feature is neither.
// RUN: xla-run %s --entry=patches --device=all --seed=1 --output=none
// RUN: xla-run %s --entry=filter --device=all --seed=1 --output=none
// RUN: xla-run %s --entry=loop --device=all --seed=1 --output=none
// RUN: xla-run %s --entry=lanes --device=all --seed=1 --output=none
// RUN: xla-opt %s --xla-expand | FileCheck %s

// CHECK-LABEL: func.func @patches
// CHECK-NOT: xla.while
// CHECK: xla.concatenate
// CHECK-LABEL: func.func @loop
// CHECK: xla.while
// CHECK-LABEL: func.func @filter
// CHECK-NOT: xla.concatenate
// CHECK-NOT: xla.while
// CHECK-NOT: xla.dot_general
// Nor are kernels of an image's one feature that processors have a lane for each of.
// CHECK-LABEL: func.func @lanes
// CHECK-NOT: xla.concatenate
// CHECK-NOT: xla.dot_general
// CHECK-LABEL: func.func @large
// CHECK: xla.dot_general

func.func @patches(%x: tensor<1x1x554xf32>, %w: tensor<1x1x300xf32>) -> tensor<1x1x255xf32> {
  %0 = xla.convolution %x, %w : (tensor<1x1x554xf32>, tensor<1x1x300xf32>) -> tensor<1x1x255xf32>
  return %0 : tensor<1x1x255xf32>
}
func.func @loop(%x: tensor<1x1x555xf32>, %w: tensor<1x1x300xf32>) -> tensor<1x1x256xf32> {
  %0 = xla.convolution %x, %w : (tensor<1x1x555xf32>, tensor<1x1x300xf32>) -> tensor<1x1x256xf32>
  return %0 : tensor<1x1x256xf32>
}
func.func @filter(%x: tensor<2x1x20x30xf32>, %w: tensor<1x1x16x16xf32>) -> tensor<2x1x20x30xf32> {
  %0 = xla.convolution %x, %w {padding = [8, 7, 8, 7]} : (tensor<2x1x20x30xf32>, tensor<1x1x16x16xf32>) -> tensor<2x1x20x30xf32>
  return %0 : tensor<2x1x20x30xf32>
}
func.func @lanes(%x: tensor<2x12x13x1xf32>, %w: tensor<5x5x1x8xf32>) -> tensor<2x12x13x8xf32> {
  %0 = xla.convolution %x, %w {padding = [2, 2, 2, 2], input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]} : (tensor<2x12x13x1xf32>, tensor<5x5x1x8xf32>) -> tensor<2x12x13x8xf32>
  return %0 : tensor<2x12x13x8xf32>
}
func.func @large(%x: tensor<256x256x100x100xf32>, %w: tensor<1x256x3x3xf32>) -> tensor<256x1x100x100xf32> {
  %0 = xla.convolution %x, %w {padding = [1, 1, 1, 1]} : (tensor<256x256x100x100xf32>, tensor<1x256x3x3xf32>) -> tensor<256x1x100x100xf32>
  return %0 : tensor<256x1x100x100xf32>
}
