// Intermediates of a kernel may lie in the memory of a result.
// RUN: xla-opt %s --convert-xla-to-linalg | FileCheck %s

// The exponentials are read last where the quotient goes.
// CHECK-LABEL: func.func private @fusion_0(
// CHECK-SAME: %{{[a-z0-9]+}}: memref<64x96xf32>, %{{[a-z0-9]+}}: memref<64x96xf32>) attributes {xla.kind = "row"
// CHECK: memref.alloc() {xla.memory = 1 : i64} : memref<64x96xf32>
// CHECK: memref.alloc() : memref<64xf32>
// CHECK: return
func.func @softmax(%x: tensor<64x96xf32>) -> tensor<64x96xf32> {
  %r = xla.fusion(%x) ({
  ^bb0(%in: tensor<64x96xf32>):
    %zero = xla.constant dense<0.0> : tensor<f32>
    %e = xla.exponential %in : tensor<64x96xf32>
    %total = xla.reduce(%e, %zero) ({
    ^bb0(%m: tensor<f32>, %n: tensor<f32>):
      %t = xla.add %m, %n : tensor<f32>
      xla.return %t : tensor<f32>
    }) {dimensions = array<i64: 1>} : (tensor<64x96xf32>, tensor<f32>) -> tensor<64xf32>
    %p = xla.divide %e, %total {broadcast_dimensions = array<i64: 0>} : (tensor<64x96xf32>, tensor<64xf32>) -> tensor<64x96xf32>
    xla.return %p : tensor<64x96xf32>
  }) {kind = "row"} : (tensor<64x96xf32>) -> tensor<64x96xf32>
  return %r : tensor<64x96xf32>
}

// Transposed they are read where other elements of the result go.
// CHECK-LABEL: func.func private @fusion_1(
// CHECK-NOT: xla.memory
func.func @transposed(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %r = xla.fusion(%x) ({
  ^bb0(%in: tensor<64x64xf32>):
    %zero = xla.constant dense<0.0> : tensor<f32>
    %e = xla.exponential %in : tensor<64x64xf32>
    %total = xla.reduce(%e, %zero) ({
    ^bb0(%m: tensor<f32>, %n: tensor<f32>):
      %t = xla.add %m, %n : tensor<f32>
      xla.return %t : tensor<f32>
    }) {dimensions = array<i64: 0, 1>} : (tensor<64x64xf32>, tensor<f32>) -> tensor<f32>
    %p = xla.divide %e, %total : (tensor<64x64xf32>, tensor<f32>) -> tensor<64x64xf32>
    %b = xla.transpose %p {permutation = array<i64: 1, 0>} : tensor<64x64xf32>
    xla.return %b : tensor<64x64xf32>
  }) {kind = "row"} : (tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}
