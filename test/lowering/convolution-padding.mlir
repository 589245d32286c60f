// Convolutions whose padded lhs would have gigabytes and more take it as it is.
// RUN: xla-run %s --entry=dilated --device=all --seed=1 --output=none
// RUN: xla-run %s --entry=padded --device=all --seed=2 --output=none
// RUN: xla-run %s --entry=positions --device=all --seed=3 --output=none
// RUN: xla-run %s --entry=groups --device=all --seed=4 --output=none
// RUN: xla-run %s --entry=backwards --device=all --seed=5 --output=none
// RUN: xla-opt %s --xla-expand | FileCheck %s --check-prefix=TAKES --implicit-check-not=xla.pad
// TAKES-COUNT-5: xla.while{{.*}}

// Beyond what s32 counts: 12 results, of each of which one tap meets an element.
func.func @dilated(%x: tensor<2x3x7xf32>, %w: tensor<4x3x2xf32>) -> tensor<2x4x12xf32> {
  %0 = xla.convolution %x, %w {lhs_dilation = [1073741824], rhs_dilation = [536870912], window_strides = [536870912]} : (tensor<2x3x7xf32>, tensor<4x3x2xf32>) -> tensor<2x4x12xf32>
  return %0 : tensor<2x4x12xf32>
}
// Around, unevenly, and along one of two dimensions.
func.func @padded(%x: tensor<1x2x5x4xf32>, %w: tensor<3x2x3x2xf32>) -> tensor<1x3x4x4xf32> {
  %0 = xla.convolution %x, %w {padding = [3000000000, 2000000003, 1, 0], window_strides = [1500000001, 1], rhs_dilation = [1, 1]} : (tensor<1x2x5x4xf32>, tensor<3x2x3x2xf32>) -> tensor<1x3x4x4xf32>
  return %0 : tensor<1x3x4x4xf32>
}
// More taps than positions.
func.func @positions(%x: tensor<2x2x9xbf16>, %w: tensor<3x2x12xbf16>) -> tensor<2x3x3xbf16> {
  %0 = xla.convolution %x, %w {lhs_dilation = [400000000], rhs_dilation = [200000000], window_strides = [500000000]} : (tensor<2x2x9xbf16>, tensor<3x2x12xbf16>) -> tensor<2x3x3xbf16>
  return %0 : tensor<2x3x3xbf16>
}
func.func @groups(%x: tensor<2x6x8xi32>, %w: tensor<4x3x2xi32>) -> tensor<2x4x8xi32> {
  %0 = xla.convolution %x, %w {feature_group_count = 2 : i64, lhs_dilation = [100000000], rhs_dilation = [50000000], window_strides = [100000000], padding = [50000000, 0]} : (tensor<2x6x8xi32>, tensor<4x3x2xi32>) -> tensor<2x4x8xi32>
  return %0 : tensor<2x4x8xi32>
}
func.func @backwards(%x: tensor<1x2x6xf32>, %w: tensor<2x2x3xf32>) -> tensor<1x2x9xf32> {
  %0 = xla.convolution %x, %w {window_reversal = [true], lhs_dilation = [700000000], rhs_dilation = [350000000], window_strides = [350000000]} : (tensor<1x2x6xf32>, tensor<2x2x3xf32>) -> tensor<1x2x9xf32>
  return %0 : tensor<1x2x9xf32>
}
