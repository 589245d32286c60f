// RUN: xla-opt %s --xla-legalize=entry=second | FileCheck %s
// RUN: not xla-opt %s --xla-legalize=entry=third 2>&1 | FileCheck %s --check-prefix=MISSING

// MISSING: 'builtin.module' op has no function @third to start from, but 2 other public functions
// CHECK-NOT: @first
// CHECK: @second
func.func @first(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}
func.func @second(%x: tensor<f32>) -> tensor<f32> {
  %0 = xla.negate %x : tensor<f32>
  return %0 : tensor<f32>
}
