// RUN: xla-opt %s | xla-opt | FileCheck %s --check-prefix=PRINT
// RUN: xla-opt %s --canonicalize | FileCheck %s --check-prefix=FOLD

// The array of specification 000, 4x2x3: 1 to 6, four times.

// PRINT-LABEL: func.func @sum_0
// PRINT: xla.reduce(%{{.*}}, %{{.*}}) ({
// PRINT-NEXT: ^bb0(%[[A:.*]]: tensor<f32>, %[[B:.*]]: tensor<f32>):
// PRINT-NEXT:   %[[S:.*]] = xla.add %[[A]], %[[B]] : tensor<f32>
// PRINT-NEXT:   xla.return %[[S]] : tensor<f32>
// PRINT-NEXT: }) {dimensions = array<i64: 0>} : (tensor<4x2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
// FOLD-LABEL: func.func @sum_0
// FOLD: dense<{{\[}}[4.000000e+00, 8.000000e+00, 1.200000e+01], [1.600000e+01, 2.000000e+01, 2.400000e+01]]> : tensor<2x3xf32>
func.func @sum_0() -> tensor<2x3xf32> {
  %x = xla.constant dense<[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]]> : tensor<4x2x3xf32>
  %z = xla.constant dense<0.0> : tensor<f32>
  %r = xla.reduce(%x, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4x2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
