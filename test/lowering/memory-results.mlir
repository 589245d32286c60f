// RUN: not xla-run %s --device=cpu --input=f32=1 2>&1 | FileCheck %s
// CHECK: no memory for result 0, tensor<1000000x1000000x100xf32>
func.func @main(%x: tensor<f32>) -> tensor<1000000x1000000x100xf32> {
  %0 = xla.broadcast_in_dim %x {broadcast_dimensions = array<i64>} : (tensor<f32>) -> tensor<1000000x1000000x100xf32>
  return %0 : tensor<1000000x1000000x100xf32>
}
