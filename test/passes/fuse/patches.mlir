// Edges of a convolution's patches are cut into pieces of its kernel's loops, where the patches stay in cache, or what is padded does not:
// otherwise the padded array is written first, and all that lies side by side in one loop. Threads of other devices choose element by element.
// RUN: xla-opt %s --xla-expand --xla-simplify --xla-fuse="device=cpu report" -o /dev/null 2>&1 | FileCheck %s
// RUN: xla-opt %s --xla-expand --xla-simplify --xla-fuse="device=gpu report" -o /dev/null 2>&1 | FileCheck %s --check-prefix=GPU

// CHECK: @patches_in_cache: kernels
// CHECK: operations in 2 kernels
// GPU: @patches_in_cache: kernels
// GPU: operations in 2 kernels
func.func @patches_in_cache(%x: tensor<1x28x28x64xf32>, %w: tensor<3x3x64x64xf32>) -> tensor<1x28x28x64xf32> {
  %0 = xla.convolution %x, %w {padding = [1, 1, 1, 1], input_feature_dimension = 3, input_spatial_dimensions = [1, 2],
    kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_feature_dimension = 3,
    output_spatial_dimensions = [1, 2]} : (tensor<1x28x28x64xf32>, tensor<3x3x64x64xf32>) -> tensor<1x28x28x64xf32>
  return %0 : tensor<1x28x28x64xf32>
}

// CHECK: @padded_in_cache: kernels
// CHECK: operations in 3 kernels
// GPU: @padded_in_cache: kernels
// GPU: operations in 2 kernels
func.func @padded_in_cache(%x: tensor<1x56x56x64xf32>, %w: tensor<3x3x64x64xf32>) -> tensor<1x56x56x64xf32> {
  %0 = xla.convolution %x, %w {padding = [1, 1, 1, 1], input_feature_dimension = 3, input_spatial_dimensions = [1, 2],
    kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_feature_dimension = 3,
    output_spatial_dimensions = [1, 2]} : (tensor<1x56x56x64xf32>, tensor<3x3x64x64xf32>) -> tensor<1x56x56x64xf32>
  return %0 : tensor<1x56x56x64xf32>
}

// CHECK: @neither: kernels
// CHECK: operations in 2 kernels
// GPU: @neither: kernels
// GPU: operations in 2 kernels
func.func @neither(%x: tensor<8x56x56x64xf32>, %w: tensor<3x3x64x64xf32>) -> tensor<8x56x56x64xf32> {
  %0 = xla.convolution %x, %w {padding = [1, 1, 1, 1], input_feature_dimension = 3, input_spatial_dimensions = [1, 2],
    kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_feature_dimension = 3,
    output_spatial_dimensions = [1, 2]} : (tensor<8x56x56x64xf32>, tensor<3x3x64x64xf32>) -> tensor<8x56x56x64xf32>
  return %0 : tensor<8x56x56x64xf32>
}
