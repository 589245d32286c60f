// What is not there yet is said at the operation.
// REQUIRES: vulkan
// RUN: not xla-run %s --device=vulkan --seed=1 2>&1 | FileCheck %s
// CHECK: :[[@LINE+2]]:{{.*}}'xla.sort' op is not supported on Vulkan yet, only on the CPU and by the interpreter
func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = xla.sort %x : tensor<3xf32>
  return %0 : tensor<3xf32>
}
