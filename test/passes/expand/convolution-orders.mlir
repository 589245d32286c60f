// Patches keep the order of images, and kernels theirs where they have together what is summed over: nothing is transposed for what networks
// compute with channels last, or first; another order of images is changed to that of the specification.
// RUN: xla-run %s --entry=last --device=all --seed=1 --output=none
// RUN: xla-run %s --entry=last_of_kernel --device=all --seed=1 --output=none
// RUN: xla-run %s --entry=last_of_image --device=all --seed=1 --output=none
// RUN: xla-run %s --entry=first --device=all --seed=1 --output=none
// RUN: xla-run %s --entry=first_of_kernel --device=all --seed=1 --output=none
// RUN: xla-run %s --entry=narrow --device=all --seed=1 --output=none
// RUN: xla-run %s --entry=between --device=all --seed=1 --output=none
// RUN: xla-run %s --entry=one --device=all --seed=1 --output=none
// RUN: xla-opt %s --xla-expand | FileCheck %s

// CHECK-LABEL: @last(
// CHECK-NOT: xla.transpose
// CHECK: xla.dot_general {{.*}} : (tensor<2x12x12x3x3x8xf32>, tensor<3x3x8x4xf32>) -> tensor<2x12x12x4xf32>
func.func @last(%x: tensor<2x12x12x8xf32>, %w: tensor<3x3x8x4xf32>) -> tensor<2x12x12x4xf32> {
  %0 = xla.convolution %x, %w {padding = [1, 1, 1, 1], input_feature_dimension = 3, input_spatial_dimensions = [1, 2],
    kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_feature_dimension = 3,
    output_spatial_dimensions = [1, 2]} : (tensor<2x12x12x8xf32>, tensor<3x3x8x4xf32>) -> tensor<2x12x12x4xf32>
  return %0 : tensor<2x12x12x4xf32>
}

// The gradient of the kernel is a product of the same patches.
// CHECK-LABEL: @last_of_kernel(
// CHECK-NOT: xla.transpose
// CHECK: xla.dot_general {{.*}} : (tensor<2x12x12x3x3x8xf32>, tensor<2x12x12x4xf32>) -> tensor<3x3x8x4xf32>
func.func @last_of_kernel(%x: tensor<2x12x12x8xf32>, %d: tensor<2x12x12x4xf32>) -> tensor<3x3x8x4xf32> {
  %0 = xla.convolution %x, %d {padding = [1, 1, 1, 1], input_batch_dimension = 3, input_feature_dimension = 0,
    input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 0, kernel_output_feature_dimension = 3,
    kernel_spatial_dimensions = [1, 2], output_batch_dimension = 2, output_feature_dimension = 3, output_spatial_dimensions = [0, 1]}
    : (tensor<2x12x12x8xf32>, tensor<2x12x12x4xf32>) -> tensor<3x3x8x4xf32>
  return %0 : tensor<3x3x8x4xf32>
}

// That of the image reverses the window: the slices are in its order. What is summed over lies apart in the kernel.
// CHECK-LABEL: @last_of_image(
// CHECK-NOT: xla.dot_general
// CHECK: xla.transpose {{.*}} -> tensor<3x3x4x8xf32>
// CHECK: xla.dot_general {{.*}} : (tensor<2x12x12x3x3x4xf32>, tensor<3x3x4x8xf32>) -> tensor<2x12x12x8xf32>
func.func @last_of_image(%d: tensor<2x12x12x4xf32>, %w: tensor<3x3x8x4xf32>) -> tensor<2x12x12x8xf32> {
  %r = xla.reverse %w {dimensions = [0, 1]} : (tensor<3x3x8x4xf32>) -> tensor<3x3x8x4xf32>
  %0 = xla.convolution %d, %r {padding = [1, 1, 1, 1], input_feature_dimension = 3, input_spatial_dimensions = [1, 2],
    kernel_input_feature_dimension = 3, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0, 1], output_feature_dimension = 3,
    output_spatial_dimensions = [1, 2]} : (tensor<2x12x12x4xf32>, tensor<3x3x8x4xf32>) -> tensor<2x12x12x8xf32>
  return %0 : tensor<2x12x12x8xf32>
}

// A product for each image, with the same kernel.
// CHECK-LABEL: @first(
// CHECK-NOT: xla.transpose
// CHECK: xla.dot_general {{.*}} : (tensor<2x4x8x3x3xf32>, tensor<2x8x3x3x12x12xf32>) -> tensor<2x4x12x12xf32>
func.func @first(%x: tensor<2x8x12x12xf32>, %w: tensor<4x8x3x3xf32>) -> tensor<2x4x12x12xf32> {
  %0 = xla.convolution %x, %w {padding = [1, 1, 1, 1]} : (tensor<2x8x12x12xf32>, tensor<4x8x3x3xf32>) -> tensor<2x4x12x12xf32>
  return %0 : tensor<2x4x12x12xf32>
}

// One for each image, and their sum.
// CHECK-LABEL: @first_of_kernel(
// CHECK-NOT: xla.transpose
// CHECK: xla.dot_general {{.*}} : (tensor<2x4x12x12xf32>, tensor<2x8x3x3x12x12xf32>) -> tensor<2x4x8x3x3xf32>
// CHECK: xla.reduce
func.func @first_of_kernel(%x: tensor<2x8x12x12xf32>, %d: tensor<2x4x12x12xf32>) -> tensor<4x8x3x3xf32> {
  %0 = xla.convolution %x, %d {padding = [1, 1, 1, 1], input_batch_dimension = 1, input_feature_dimension = 0,
    kernel_input_feature_dimension = 0, kernel_output_feature_dimension = 1, output_batch_dimension = 1, output_feature_dimension = 0}
    : (tensor<2x8x12x12xf32>, tensor<2x4x12x12xf32>) -> tensor<4x8x3x3xf32>
  return %0 : tensor<4x8x3x3xf32>
}

// Products that are added are not rounded before.
// CHECK-LABEL: @narrow(
// CHECK: xla.dot_general {{.*}} -> tensor<2x4x8x3x3xf32>
// CHECK: xla.reduce
// CHECK: -> tensor<4x8x3x3xbf16>
func.func @narrow(%x: tensor<2x8x12x12xbf16>, %d: tensor<2x4x12x12xbf16>) -> tensor<4x8x3x3xbf16> {
  %0 = xla.convolution %x, %d {padding = [1, 1, 1, 1], input_batch_dimension = 1, input_feature_dimension = 0,
    kernel_input_feature_dimension = 0, kernel_output_feature_dimension = 1, output_batch_dimension = 1, output_feature_dimension = 0}
    : (tensor<2x8x12x12xbf16>, tensor<2x4x12x12xbf16>) -> tensor<4x8x3x3xbf16>
  return %0 : tensor<4x8x3x3xbf16>
}

// CHECK-LABEL: @between(
// CHECK: xla.transpose {{.*}} -> tensor<2x12x12x8xf32>
// CHECK: xla.dot_general {{.*}} : (tensor<2x144x9x8xf32>, tensor<9x8x4xf32>) -> tensor<2x144x4xf32>
func.func @between(%x: tensor<12x2x8x12xf32>, %w: tensor<4x8x3x3xf32>) -> tensor<2x4x12x12xf32> {
  %0 = xla.convolution %x, %w {padding = [1, 1, 1, 1], input_batch_dimension = 1, input_feature_dimension = 2,
    input_spatial_dimensions = [0, 3]} : (tensor<12x2x8x12xf32>, tensor<4x8x3x3xf32>) -> tensor<2x4x12x12xf32>
  return %0 : tensor<2x4x12x12xf32>
}

// A product of one image has no dimension of size 1, nor has what follows.
// CHECK-LABEL: @one(
// CHECK: xla.dot_general {{.*}} : (tensor<12x12x3x3x8xf32>, tensor<3x3x8x4xf32>) -> tensor<12x12x4xf32>
func.func @one(%x: tensor<1x12x12x8xf32>, %w: tensor<3x3x8x4xf32>) -> tensor<1x12x12x4xf32> {
  %0 = xla.convolution %x, %w {padding = [1, 1, 1, 1], input_feature_dimension = 3, input_spatial_dimensions = [1, 2],
    kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_feature_dimension = 3,
    output_spatial_dimensions = [1, 2]} : (tensor<1x12x12x8xf32>, tensor<3x3x8x4xf32>) -> tensor<1x12x12x4xf32>
  return %0 : tensor<1x12x12x4xf32>
}
