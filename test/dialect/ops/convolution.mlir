// Specification 000, Conv and ConvWithGeneralPadding.
// RUN: xla-opt %s --split-input-file --verify-diagnostics | xla-opt --split-input-file | FileCheck %s
// RUN: xla-opt %s --split-input-file --verify-diagnostics --canonicalize | FileCheck %s --check-prefix=FOLD

// CHECK-LABEL: @forms
// CHECK: xla.convolution %arg0, %arg1 : (tensor<2x3x8x9xf32>, tensor<4x3x2x3xf32>) -> tensor<2x4x7x7xf32>
// CHECK: xla.convolution %arg0, %arg1 {lhs_dilation = [2, 1], padding = [1, 0, -1, 3], rhs_dilation = [1, 2], window_reversal = [true, false], window_strides = [3, 2]} : (tensor<2x3x8x9xf32>, tensor<4x3x2x3xf32>) -> tensor<2x4x5x4xf64>
// CHECK: xla.convolution %arg2, %arg2 {{.*}}input_batch_dimension = 1 : i64
func.func @forms(%x: tensor<2x3x8x9xf32>, %w: tensor<4x3x2x3xf32>, %y: tensor<5x5xf32>) {
  %0 = xla.convolution %x, %w : (tensor<2x3x8x9xf32>, tensor<4x3x2x3xf32>) -> tensor<2x4x7x7xf32>
  %1 = "xla.convolution"(%x, %w) <{window_strides = [3, 2], padding = [1, 0, -1, 3], lhs_dilation = [2, 1], rhs_dilation = [1, 2], window_reversal = [true, false]}> : (tensor<2x3x8x9xf32>, tensor<4x3x2x3xf32>) -> tensor<2x4x5x4xf64>
  // Without spatial dimensions: a matrix product.
  %2 = xla.convolution %y, %y {input_batch_dimension = 1, input_feature_dimension = 0, window_reversal = array<i1>} : (tensor<5x5xf32>, tensor<5x5xf32>) -> tensor<5x5xf32>
  // StableHLO's forms of lists.
  %3 = xla.convolution %x, %w {window_reversal = array<i1: false, true>, precision_config = ["HIGHEST", "DEFAULT"]} : (tensor<2x3x8x9xf32>, tensor<4x3x2x3xf32>) -> tensor<2x4x7x7xf32>
  %4 = xla.convolution %x, %w {window_reversal = dense<[true, false]> : tensor<2xi1>} : (tensor<2x3x8x9xf32>, tensor<4x3x2x3xf32>) -> tensor<2x4x7x7xf32>
  return
}

// -----

// The loop that is printed, for strides 2 and 1 and padding [1, 1], [0, 1].
// FOLD-LABEL: @printed
// FOLD: dense<{{\[\[}}{{\[\[}}19, 23, 27, 4], [-6, -6, -6, -36]], {{\[\[}}-41, -45, -49, -36], [-22, -23, -24, -24]]]]> : tensor<1x2x2x4xi32>
func.func @printed() -> tensor<1x2x2x4xi32> {
  %x = xla.constant dense<[[[[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]], [[13, 14, 15, 16], [17, 18, 19, 20], [21, 22, 23, 24]]]]> : tensor<1x2x3x4xi32>
  %w = xla.constant dense<[[[[-1, 0], [1, 2]], [[-2, -1], [0, 1]]], [[[2, -2], [-1, 0]], [[1, 2], [-2, -1]]]]> : tensor<2x2x2x2xi32>
  %0 = xla.convolution %x, %w {window_strides = [2, 1], padding = [1, 1, 0, 1]} : (tensor<1x2x3x4xi32>, tensor<2x2x2x2xi32>) -> tensor<1x2x2x4xi32>
  return %0 : tensor<1x2x2x4xi32>
}

// -----

// StableHLO's example, transposed by lhs_dilation; dilated kernels, reversed
// ones, and padding that removes elements, on [1, 2, 3, 4] and [1, 10].
// FOLD-LABEL: @windows
// FOLD: %[[A:.*]] = xla.constant dense<{{\[\[\[\[}}10], [26]], {{\[\[}}46], [62]]]]> : tensor<1x2x2x1xi64>
// FOLD: %[[B:.*]] = xla.constant dense<{{\[\[\[}}31, 42]]]> : tensor<1x1x2xi64>
// FOLD: %[[C:.*]] = xla.constant dense<{{\[\[\[}}12, 23, 34]]]> : tensor<1x1x3xi64>
// FOLD: %[[D:.*]] = xla.constant dense<32> : tensor<1x1x1xi64>
// FOLD: %[[E:.*]] = xla.constant dense<{{\[\[\[}}1, 20, 2, 30, 3, 40, 4]]]> : tensor<1x1x7xi64>
// FOLD: return %[[A]], %[[B]], %[[C]], %[[D]], %[[E]]
func.func @windows() -> (tensor<1x2x2x1xi64>, tensor<1x1x2xi64>, tensor<1x1x3xi64>, tensor<1x1x1xi64>, tensor<1x1x7xi64>) {
  %x = xla.constant dense<[[[[1], [2], [5], [6]], [[3], [4], [7], [8]], [[10], [11], [14], [15]], [[12], [13], [16], [17]]]]> : tensor<1x4x4x1xi64>
  %ones = xla.constant dense<1> : tensor<3x3x1x1xi64>
  %0 = xla.convolution %x, %ones {window_strides = [4, 4], lhs_dilation = [2, 2],
      input_batch_dimension = 0, input_spatial_dimensions = [1, 2], input_feature_dimension = 3,
      kernel_spatial_dimensions = [0, 1], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3,
      output_batch_dimension = 0, output_spatial_dimensions = [1, 2], output_feature_dimension = 3}
      : (tensor<1x4x4x1xi64>, tensor<3x3x1x1xi64>) -> tensor<1x2x2x1xi64>
  %y = xla.constant dense<[[[1, 2, 3, 4]]]> : tensor<1x1x4xi64>
  %w = xla.constant dense<[[[1, 10]]]> : tensor<1x1x2xi64>
  %1 = xla.convolution %y, %w {rhs_dilation = [2]} : (tensor<1x1x4xi64>, tensor<1x1x2xi64>) -> tensor<1x1x2xi64>
  %2 = xla.convolution %y, %w {window_reversal = [true]} : (tensor<1x1x4xi64>, tensor<1x1x2xi64>) -> tensor<1x1x3xi64>
  %3 = xla.convolution %y, %w {padding = [-1, -1]} : (tensor<1x1x4xi64>, tensor<1x1x2xi64>) -> tensor<1x1x1xi64>
  %4 = xla.convolution %y, %w {lhs_dilation = [2], padding = [0, 1]} : (tensor<1x1x4xi64>, tensor<1x1x2xi64>) -> tensor<1x1x7xi64>
  return %0, %1, %2, %3, %4 : tensor<1x2x2x1xi64>, tensor<1x1x2xi64>, tensor<1x1x3xi64>, tensor<1x1x1xi64>, tensor<1x1x7xi64>
}

// -----

// Groups of features: the first two outputs are of feature 0, the others of 1.
// Groups of the batch: output 0 is of the first half, output 1 of the second.
// FOLD-LABEL: @groups
// FOLD: %[[A:.*]] = xla.constant dense<{{\[\[\[}}1], [10], [200], [2000]]]> : tensor<1x4x1xi64>
// FOLD: %[[B:.*]] = xla.constant dense<{{\[\[\[}}1], [30]], {{\[\[}}2], [40]]]> : tensor<2x2x1xi64>
// FOLD: return %[[A]], %[[B]]
func.func @groups() -> (tensor<1x4x1xi64>, tensor<2x2x1xi64>) {
  %x = xla.constant dense<[[[1], [2]]]> : tensor<1x2x1xi64>
  %w = xla.constant dense<[[[1]], [[10]], [[100]], [[1000]]]> : tensor<4x1x1xi64>
  %0 = xla.convolution %x, %w {feature_group_count = 2} : (tensor<1x2x1xi64>, tensor<4x1x1xi64>) -> tensor<1x4x1xi64>
  %y = xla.constant dense<[[[1]], [[2]], [[3]], [[4]]]> : tensor<4x1x1xi64>
  %v = xla.constant dense<[[[1]], [[10]]]> : tensor<2x1x1xi64>
  %1 = xla.convolution %y, %v {batch_group_count = 2} : (tensor<4x1x1xi64>, tensor<2x1x1xi64>) -> tensor<2x2x1xi64>
  return %0, %1 : tensor<1x4x1xi64>, tensor<2x2x1xi64>
}

// -----

// Nothing to add up gives 0: no features, only padding. No batch, or a kernel
// that does not fit: no result.
// FOLD-LABEL: @edges
// FOLD: %[[A:.*]] = xla.constant dense<0.000000e+00> : tensor<1x1x3xf32>
// FOLD: %[[C:.*]] = xla.constant dense<0.000000e+00> : tensor<1x1x2xf32>
// FOLD: %[[D:.*]] = xla.constant dense<> : tensor<0x1x3xf32>
// FOLD: %[[E:.*]] = xla.constant dense<> : tensor<1x1x0xf32>
// FOLD: return %[[A]], %[[C]], %[[D]], %[[E]]
func.func @edges() -> (tensor<1x1x3xf32>, tensor<1x1x2xf32>, tensor<0x1x3xf32>, tensor<1x1x0xf32>) {
  %x0 = xla.constant dense<> : tensor<1x0x4xf32>
  %w0 = xla.constant dense<> : tensor<1x0x2xf32>
  %x = xla.constant dense<1.0> : tensor<1x1x3xf32>
  %none = xla.constant dense<> : tensor<1x1x0xf32>
  %w = xla.constant dense<1.0> : tensor<1x1x2xf32>
  %b0 = xla.constant dense<> : tensor<0x1x4xf32>
  %0 = xla.convolution %x0, %w0 : (tensor<1x0x4xf32>, tensor<1x0x2xf32>) -> tensor<1x1x3xf32>
  %1 = xla.convolution %none, %w {padding = [1, 2]} : (tensor<1x1x0xf32>, tensor<1x1x2xf32>) -> tensor<1x1x2xf32>
  %2 = xla.convolution %b0, %w : (tensor<0x1x4xf32>, tensor<1x1x2xf32>) -> tensor<0x1x3xf32>
  %3 = xla.convolution %w, %x : (tensor<1x1x2xf32>, tensor<1x1x3xf32>) -> tensor<1x1x0xf32>
  return %0, %1, %2, %3 : tensor<1x1x3xf32>, tensor<1x1x2xf32>, tensor<0x1x3xf32>, tensor<1x1x0xf32>
}

// -----

func.func @convolution_kernel(%x: tensor<1x1x3xf32>, %w: tensor<1x1x0xf32>) {
  // expected-error @+1 {{spatial dimension 2 of rhs is 0, must be positive [convolution_kernel]}}
  %0 = xla.convolution %x, %w : (tensor<1x1x3xf32>, tensor<1x1x0xf32>) -> tensor<1x1x4xf32>
  return
}

// -----

// Padding is zeros, which times infinity are NaN. Integers wrap, in the type of
// the result; sums of narrow floats are rounded once; complex numbers multiply.
// FOLD-LABEL: @values
// FOLD: %[[A:.*]] = xla.constant dense<{{\[\[\[}}0x{{[7F]}}FC00000, 0x7F800000]]]> : tensor<1x1x2xf32>
// FOLD: %[[B:.*]] = xla.constant dense<44> : tensor<1x1x1xui8>
// FOLD: %[[C:.*]] = xla.constant dense<300> : tensor<1x1x1xi32>
// FOLD: %[[D:.*]] = xla.constant dense<2.580000e+02> : tensor<1x1x1xbf16>
// FOLD: %[[E:.*]] = xla.constant dense<(-3.000000e+00,4.000000e+00)> : tensor<1x1x1xcomplex<f32>>
// FOLD: %[[F:.*]] = xla.constant dense<true> : tensor<1x1x1xi1>
// FOLD: return %[[A]], %[[B]], %[[C]], %[[D]], %[[E]], %[[F]]
func.func @values() -> (tensor<1x1x2xf32>, tensor<1x1x1xui8>, tensor<1x1x1xi32>, tensor<1x1x1xbf16>, tensor<1x1x1xcomplex<f32>>, tensor<1x1x1xi1>) {
  %x = xla.constant dense<1.0> : tensor<1x1x2xf32>
  %inf = xla.constant dense<[[[0x7F800000, 1.0]]]> : tensor<1x1x2xf32>
  %0 = xla.convolution %x, %inf {padding = [1, 0]} : (tensor<1x1x2xf32>, tensor<1x1x2xf32>) -> tensor<1x1x2xf32>
  %u = xla.constant dense<[[[100, 200]]]> : tensor<1x1x2xui8>
  %v = xla.constant dense<1> : tensor<1x1x2xui8>
  %1 = xla.convolution %u, %v : (tensor<1x1x2xui8>, tensor<1x1x2xui8>) -> tensor<1x1x1xui8>
  %s = xla.constant dense<100> : tensor<1x1x3xi8>
  %t = xla.constant dense<1> : tensor<1x1x3xi8>
  %2 = xla.convolution %s, %t : (tensor<1x1x3xi8>, tensor<1x1x3xi8>) -> tensor<1x1x1xi32>
  %h = xla.constant dense<[[[256.0, 1.0, 1.0]]]> : tensor<1x1x3xbf16>
  %i = xla.constant dense<1.0> : tensor<1x1x3xbf16>
  %3 = xla.convolution %h, %i : (tensor<1x1x3xbf16>, tensor<1x1x3xbf16>) -> tensor<1x1x1xbf16>
  %z = xla.constant dense<(1.0, 2.0)> : tensor<1x1x1xcomplex<f32>>
  %4 = xla.convolution %z, %z : (tensor<1x1x1xcomplex<f32>>, tensor<1x1x1xcomplex<f32>>) -> tensor<1x1x1xcomplex<f32>>
  %p = xla.constant dense<[[[true, true]]]> : tensor<1x1x2xi1>
  %5 = xla.convolution %p, %p : (tensor<1x1x2xi1>, tensor<1x1x2xi1>) -> tensor<1x1x1xi1>
  return %0, %1, %2, %3, %4, %5 : tensor<1x1x2xf32>, tensor<1x1x1xui8>, tensor<1x1x1xi32>, tensor<1x1x1xbf16>, tensor<1x1x1xcomplex<f32>>, tensor<1x1x1xi1>
}

// -----

func.func @c1(%x: tensor<2x4x8x9xf32>, %w: tensor<4x4x2xf32>) {
  // expected-error @+1 {{convolves tensor<2x4x8x9xf32> with tensor<4x4x2xf32>: both must have the same number of dimensions, 2 or more [convolution_c1]}}
  %0 = xla.convolution %x, %w : (tensor<2x4x8x9xf32>, tensor<4x4x2xf32>) -> tensor<2x4x7x7xf32>
  return
}

// -----

func.func @c1_rank(%x: tensor<3xf32>, %w: tensor<3xf32>) {
  // expected-error @+1 {{convolves tensor<3xf32> with tensor<3xf32>: both must have the same number of dimensions, 2 or more [convolution_c1]}}
  %0 = xla.convolution %x, %w : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
  return
}

// -----

func.func @c2(%x: tensor<2x4x8x9xf32>, %w: tensor<4x4x2x3xf32>) {
  // expected-error @+1 {{window_strides is [1], the window has 2 dimensions [convolution_c2]}}
  %0 = xla.convolution %x, %w {window_strides = [1]} : (tensor<2x4x8x9xf32>, tensor<4x4x2x3xf32>) -> tensor<2x4x7x7xf32>
  return
}

// -----

func.func @c3(%x: tensor<2x4x8x9xf32>, %w: tensor<4x4x2x3xf32>) {
  // expected-error @+1 {{window_strides is [1, 0]: all must be at least 1 [convolution_c3]}}
  %0 = xla.convolution %x, %w {window_strides = [1, 0]} : (tensor<2x4x8x9xf32>, tensor<4x4x2x3xf32>) -> tensor<2x4x7x7xf32>
  return
}

// -----

func.func @c4(%x: tensor<2x4x8x9xf32>, %w: tensor<4x4x2x3xf32>) {
  // expected-error @+1 {{padding is [1, 1], must have a low and a high end for each of the 2 dimensions of the window [convolution_c4]}}
  %0 = xla.convolution %x, %w {padding = [1, 1]} : (tensor<2x4x8x9xf32>, tensor<4x4x2x3xf32>) -> tensor<2x4x7x7xf32>
  return
}

// -----

func.func @c5(%x: tensor<2x4x8x9xf32>, %w: tensor<4x4x2x3xf32>) {
  // expected-error @+1 {{lhs_dilation is [1], the window has 2 dimensions [convolution_c5]}}
  %0 = xla.convolution %x, %w {lhs_dilation = [1]} : (tensor<2x4x8x9xf32>, tensor<4x4x2x3xf32>) -> tensor<2x4x7x7xf32>
  return
}

// -----

func.func @c6(%x: tensor<2x4x8x9xf32>, %w: tensor<4x4x2x3xf32>) {
  // expected-error @+1 {{lhs_dilation is [0, 1]: all must be at least 1 [convolution_c6]}}
  %0 = xla.convolution %x, %w {lhs_dilation = [0, 1]} : (tensor<2x4x8x9xf32>, tensor<4x4x2x3xf32>) -> tensor<2x4x7x7xf32>
  return
}

// -----

func.func @c7(%x: tensor<2x4x8x9xf32>, %w: tensor<4x4x2x3xf32>) {
  // expected-error @+1 {{rhs_dilation is [1, 2, 3], the window has 2 dimensions [convolution_c7]}}
  %0 = xla.convolution %x, %w {rhs_dilation = [1, 2, 3]} : (tensor<2x4x8x9xf32>, tensor<4x4x2x3xf32>) -> tensor<2x4x7x7xf32>
  return
}

// -----

func.func @c8(%x: tensor<2x4x8x9xf32>, %w: tensor<4x4x2x3xf32>) {
  // expected-error @+1 {{rhs_dilation is [-1, 1]: all must be at least 1 [convolution_c8]}}
  %0 = xla.convolution %x, %w {rhs_dilation = [-1, 1]} : (tensor<2x4x8x9xf32>, tensor<4x4x2x3xf32>) -> tensor<2x4x7x7xf32>
  return
}

// -----

func.func @c9(%x: tensor<2x4x8x9xf32>, %w: tensor<4x4x2x3xf32>) {
  // expected-error @+1 {{window_reversal has 1 entries, there are 2 spatial dimensions [convolution_c9]}}
  %0 = xla.convolution %x, %w {window_reversal = [true]} : (tensor<2x4x8x9xf32>, tensor<4x4x2x3xf32>) -> tensor<2x4x7x7xf32>
  return
}

// -----

func.func @c10(%x: tensor<2x4x8x9xf32>, %w: tensor<4x4x2x3xf32>) {
  // expected-error @+1 {{batch_group_count is 3, the batch dimension of lhs has size 2 [convolution_c10]}}
  %0 = xla.convolution %x, %w {batch_group_count = 3} : (tensor<2x4x8x9xf32>, tensor<4x4x2x3xf32>) -> tensor<2x4x7x7xf32>
  return
}

// -----

func.func @c11(%x: tensor<2x4x8x9xf32>, %w: tensor<4x4x2x3xf32>) {
  // expected-error @+1 {{feature_group_count is 3, the feature dimension of lhs has size 4 [convolution_c11]}}
  %0 = xla.convolution %x, %w {feature_group_count = 3} : (tensor<2x4x8x9xf32>, tensor<4x4x2x3xf32>) -> tensor<2x4x7x7xf32>
  return
}

// -----

func.func @c12(%x: tensor<2x4x8x9xf32>, %w: tensor<4x4x2x3xf32>) {
  // expected-error @+1 {{input_spatial_dimensions is [2], lhs has 2 spatial dimensions [convolution_c12]}}
  %0 = xla.convolution %x, %w {input_spatial_dimensions = [2]} : (tensor<2x4x8x9xf32>, tensor<4x4x2x3xf32>) -> tensor<2x4x7x7xf32>
  return
}

// -----

func.func @c13_range(%x: tensor<2x4x8x9xf32>, %w: tensor<4x4x2x3xf32>) {
  // expected-error @+1 {{input_spatial_dimensions has 4, lhs has 4 dimensions [convolution_c13]}}
  %0 = xla.convolution %x, %w {input_spatial_dimensions = [2, 4]} : (tensor<2x4x8x9xf32>, tensor<4x4x2x3xf32>) -> tensor<2x4x7x7xf32>
  return
}

// -----

func.func @c13_unique(%x: tensor<2x4x8x9xf32>, %w: tensor<4x4x2x3xf32>) {
  // expected-error @+1 {{input_feature_dimension has 0, which is another dimension of lhs too [convolution_c13]}}
  %0 = xla.convolution %x, %w {input_feature_dimension = 0} : (tensor<2x4x8x9xf32>, tensor<4x4x2x3xf32>) -> tensor<2x4x7x7xf32>
  return
}

// -----

func.func @c14(%x: tensor<2x4x8x9xf32>, %w: tensor<4x4x2x3xf32>) {
  // expected-error @+1 {{the input feature dimension of rhs has size 4, must have that of lhs in one group, 2 [convolution_c14]}}
  %0 = xla.convolution %x, %w {feature_group_count = 2} : (tensor<2x4x8x9xf32>, tensor<4x4x2x3xf32>) -> tensor<2x4x7x7xf32>
  return
}

// -----

func.func @c15(%x: tensor<2x4x8x9xf32>, %w: tensor<5x4x2x3xf32>) {
  // expected-error @+1 {{batch_group_count is 2, the output feature dimension of rhs has size 5 [convolution_c15]}}
  %0 = xla.convolution %x, %w {batch_group_count = 2} : (tensor<2x4x8x9xf32>, tensor<5x4x2x3xf32>) -> tensor<2x4x7x7xf32>
  return
}

// -----

func.func @c16(%x: tensor<2x4x8x9xf32>, %w: tensor<5x2x2x3xf32>) {
  // expected-error @+1 {{feature_group_count is 2, the output feature dimension of rhs has size 5 [convolution_c16]}}
  %0 = xla.convolution %x, %w {feature_group_count = 2} : (tensor<2x4x8x9xf32>, tensor<5x2x2x3xf32>) -> tensor<2x4x7x7xf32>
  return
}

// -----

func.func @c17(%x: tensor<2x4x8x9xf32>, %w: tensor<4x4x2x3xf32>) {
  // expected-error @+1 {{kernel_spatial_dimensions is [2, 3, 1], rhs has 2 spatial dimensions [convolution_c17]}}
  %0 = xla.convolution %x, %w {kernel_spatial_dimensions = [2, 3, 1]} : (tensor<2x4x8x9xf32>, tensor<4x4x2x3xf32>) -> tensor<2x4x7x7xf32>
  return
}

// -----

func.func @c18(%x: tensor<2x4x8x9xf32>, %w: tensor<4x4x2x3xf32>) {
  // expected-error @+1 {{kernel_input_feature_dimension has -1, rhs has 4 dimensions [convolution_c18]}}
  %0 = xla.convolution %x, %w {kernel_input_feature_dimension = -1} : (tensor<2x4x8x9xf32>, tensor<4x4x2x3xf32>) -> tensor<2x4x7x7xf32>
  return
}

// -----

func.func @c19(%x: tensor<2x4x8x9xf32>, %w: tensor<4x4x2x3xf32>) {
  // expected-error @+1 {{output_spatial_dimensions is [], the result has 2 spatial dimensions [convolution_c19]}}
  %0 = xla.convolution %x, %w {output_spatial_dimensions = array<i64>} : (tensor<2x4x8x9xf32>, tensor<4x4x2x3xf32>) -> tensor<2x4x7x7xf32>
  return
}

// -----

func.func @c20(%x: tensor<2x4x8x9xf32>, %w: tensor<4x4x2x3xf32>) {
  // expected-error @+1 {{output_spatial_dimensions has 2, which is another dimension of the result too [convolution_c20]}}
  %0 = xla.convolution %x, %w {output_spatial_dimensions = [2, 2]} : (tensor<2x4x8x9xf32>, tensor<4x4x2x3xf32>) -> tensor<2x4x7x7xf32>
  return
}

// -----

func.func @c21(%x: tensor<2x4x8x9xf32>, %w: tensor<4x4x2x3xf32>) {
  // expected-error @+1 {{feature_group_count is 0, must be at least 1 [convolution_c21]}}
  %0 = xla.convolution %x, %w {feature_group_count = 0} : (tensor<2x4x8x9xf32>, tensor<4x4x2x3xf32>) -> tensor<2x4x7x7xf32>
  return
}

// -----

func.func @c22(%x: tensor<2x4x8x9xf32>, %w: tensor<4x4x2x3xf32>) {
  // expected-error @+1 {{batch_group_count is -1, must be at least 1 [convolution_c22]}}
  %0 = xla.convolution %x, %w {batch_group_count = -1} : (tensor<2x4x8x9xf32>, tensor<4x4x2x3xf32>) -> tensor<2x4x7x7xf32>
  return
}

// -----

func.func @c23(%x: tensor<2x4x8x9xf32>, %w: tensor<4x4x2x3xf32>) {
  // expected-error @+1 {{feature_group_count is 2, batch_group_count 2: one must be 1 [convolution_c23]}}
  %0 = xla.convolution %x, %w {feature_group_count = 2, batch_group_count = 2} : (tensor<2x4x8x9xf32>, tensor<4x4x2x3xf32>) -> tensor<2x4x7x7xf32>
  return
}

// -----

func.func @c24(%x: tensor<2x4x8x9xf32>, %w: tensor<4x4x2x3xf32>) {
  // expected-error @+1 {{precision_config has 1 entries, must have one an operand [convolution_c24]}}
  %0 = xla.convolution %x, %w {precision_config = ["HIGHEST"]} : (tensor<2x4x8x9xf32>, tensor<4x4x2x3xf32>) -> tensor<2x4x7x7xf32>
  return
}

// -----

func.func @c25(%x: tensor<2x4x8x9xf32>, %w: tensor<4x4x2x3xf32>) {
  // expected-error @+1 {{padded by 9223372036854775807 and 0, in dimension 1 of the window: too large [convolution_c25]}}
  %0 = xla.convolution %x, %w {padding = [0, 0, 9223372036854775807, 0]} : (tensor<2x4x8x9xf32>, tensor<4x4x2x3xf32>) -> tensor<2x4x7x7xf32>
  return
}

// -----

func.func @c27(%x: tensor<2x4x8x9xf32>, %w: tensor<4x4x2x3xf32>) {
  // expected-error @+1 {{products of f32 and f32 cannot be summed as s32 [convolution_c27]}}
  %0 = xla.convolution %x, %w : (tensor<2x4x8x9xf32>, tensor<4x4x2x3xf32>) -> tensor<2x4x7x7xi32>
  return
}

// -----

func.func @reversal(%x: tensor<2x4x8x9xf32>, %w: tensor<4x4x2x3xf32>) {
  // expected-error @+1 {{attribute 'window_reversal' must be a list of booleans, [..] or array<i1: ..> [attribute]}}
  %0 = xla.convolution %x, %w {window_reversal = [1, 0]} : (tensor<2x4x8x9xf32>, tensor<4x4x2x3xf32>) -> tensor<2x4x7x7xf32>
  return
}

// -----

func.func @size(%x: tensor<2x4x8x9xf32>, %w: tensor<4x4x2x3xf32>) {
  // expected-error @+1 {{larger than 2^62 bytes}}
  %0 = xla.convolution %x, %w {padding = [1000000000000000000, 0, 1000000000000000000, 0]} : (tensor<2x4x8x9xf32>, tensor<4x4x2x3xf32>) -> tensor<2x4x7x7xf32>
  return
}

// -----

func.func @result(%x: tensor<2x4x8x9xf32>, %w: tensor<4x4x2x3xf32>) {
  // expected-error @+1 {{result 0 is stated as tensor<2x4x7x8xf32>, but is tensor<2x4x7x7xf32> [result]}}
  %0 = xla.convolution %x, %w : (tensor<2x4x8x9xf32>, tensor<4x4x2x3xf32>) -> tensor<2x4x7x8xf32>
  return
}

// -----

func.func @precision(%x: tensor<1x1x4xf32>) {
  // expected-error @+1 {{attribute 'precision_config' must be a list of "DEFAULT", "HIGH" or "HIGHEST" [attribute]}}
  %0 = xla.convolution %x, %x {precision_config = 3} : (tensor<1x1x4xf32>, tensor<1x1x4xf32>) -> tensor<1x1x1xf32>
  return
}
