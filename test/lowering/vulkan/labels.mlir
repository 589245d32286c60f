// Shaders bear the names of what they compute, for debuggers and messages.
// REQUIRES: vulkan
// RUN: xla-run %s --device=vulkan --seed=1 --print-ir-after=linalg --output=@%t.npy 2>&1 | FileCheck %s
// CHECK: xla.label = "negate, tanh, multiply"
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = xla.negate %a : tensor<8xf32>
  %1 = xla.tanh %0 : tensor<8xf32>
  %2 = xla.multiply %1, %a : tensor<8xf32>
  return %2 : tensor<8xf32>
}

// RUN: xla-run %s --entry=dot --device=vulkan --seed=1 --print-ir-after=linalg --output=@%t.npy 2>&1 | FileCheck %s --check-prefix=DOT
// DOT: xla.label = "{{dot(_general)?}}"
func.func @dot(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = xla.dot %a, %a : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
