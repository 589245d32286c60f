// Each loop is a dispatch: elements of small arrays are chosen, and of many operands few are left to choose from.
// RUN: xla-opt %s --xla-vulkan-pipeline=to=linalg | FileCheck %s

// CHECK-LABEL: func.func private @kernel_0(
// CHECK-COUNT-1: linalg.generic
// CHECK: arith.select
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @main(%x: tensor<5xf32>, %y: tensor<7xf32>) -> tensor<12xf32> {
  %0 = xla.concatenate %x, %y {dimension = 0} : (tensor<5xf32>, tensor<7xf32>) -> tensor<12xf32>
  %1 = xla.negate %0 : tensor<12xf32>
  return %1 : tensor<12xf32>
}
