// RUN: xla-run %s --device=all --seed=1 --output=none
// RUN: xla-run %s --device=cpu --seed=1 --output=none --dump=%t
// RUN: grep "func.func private @kernel\|call @kernel" %t/cpu/*affine.mlir | FileCheck %s

// A layer with bias and activation is one kernel, and layers that are alike share it.
// CHECK: call @kernel_0(
// CHECK-NEXT: call @kernel_0(
// CHECK-NEXT: func.func private @kernel_0(
// CHECK-NEXT: call @kernel_0.product(
// CHECK-NOT: @kernel_1
func.func @main(%x: tensor<9x33xf32>, %w: tensor<33x33xf32>, %b: tensor<33xf32>, %v: tensor<33x33xf32>, %c: tensor<33xf32>) -> tensor<9x33xf32> {
  %zero = xla.constant dense<0.0> : tensor<9x33xf32>
  %0 = xla.dot_general %x, %w {lhs_contracting_dimensions = array<i64: 1>, rhs_contracting_dimensions = array<i64: 0>} : (tensor<9x33xf32>, tensor<33x33xf32>) -> tensor<9x33xf32>
  %1 = xla.broadcast_in_dim %b {broadcast_dimensions = array<i64: 1>} : (tensor<33xf32>) -> tensor<9x33xf32>
  %2 = xla.add %0, %1 : tensor<9x33xf32>
  %3 = xla.maximum %2, %zero : tensor<9x33xf32>
  %4 = xla.dot_general %3, %v {lhs_contracting_dimensions = array<i64: 1>, rhs_contracting_dimensions = array<i64: 0>} : (tensor<9x33xf32>, tensor<33x33xf32>) -> tensor<9x33xf32>
  %5 = xla.broadcast_in_dim %c {broadcast_dimensions = array<i64: 1>} : (tensor<33xf32>) -> tensor<9x33xf32>
  %6 = xla.add %4, %5 : tensor<9x33xf32>
  %7 = xla.maximum %6, %zero : tensor<9x33xf32>
  return %7 : tensor<9x33xf32>
}
