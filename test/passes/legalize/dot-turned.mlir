// In a product over one element, dimensions of one size that change places are turned.
// RUN: xla-opt %s --xla-legalize | FileCheck %s
// RUN: xla-run %s --device=all --seed=3 --output=none

// CHECK: xla.transpose {{.*}} {permutation = array<i64: 1, 0>} : tensor<3x3xf32>
// CHECK-NOT: xla.dot_general
func.func @main(%a: tensor<3x3x1xf32>, %b: tensor<3x1xf32>) -> tensor<3x3xf32> {
  %0 = xla.dot_general %a, %b {lhs_batching_dimensions = [1], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]} : (tensor<3x3x1xf32>, tensor<3x1xf32>) -> tensor<3x3xf32>
  return %0 : tensor<3x3xf32>
}
