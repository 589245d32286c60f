// RUN: xla-opt %s --convert-xla-to-linalg | FileCheck %s
// RUN: xla-run %s --device=all --seed=3 --output=none
// RUN: xla-run %s --device=cpu --seed=3 --output=none --dump=%t
// RUN: cat %t/cpu/*linalg.mlir | FileCheck %s --check-prefix=CPU

// The product is written to memory of its own, in one operation that devices can replace; what follows is a stage.
// CHECK: func.func private @fusion_0(
// CHECK-SAME: xla.kind = "contraction"
// CHECK-SAME: xla.operands = array<i64: 1, 0>
// CHECK: %[[P:.*]] = memref.alloc() : memref<8x16xf32>
// CHECK: scf.for
// CHECK: memref.store %{{.*}}, %[[P]]
// CHECK: } {xla.contraction}
// CHECK: linalg.generic {{.*}} ins(%[[P]], %arg2 :
// CHECK: arith.addf
// CHECK: math.tanh

// On the CPU it is a part of the product's last step: nothing else is left.
// CPU: func.func private @kernel_0(
// CPU-NOT: scf.for
// CPU-NOT: linalg.generic
// CPU: call @kernel_0.product
// CPU: return
// CPU: func.func private @kernel_0.product.nest
// CPU: math.tanh %{{.*}} : vector
func.func @main(%w: tensor<4x16xf32>, %x: tensor<8x4xf32>, %b: tensor<16xf32>) -> tensor<8x16xf32> {
  %0 = xla.fusion(%w, %x, %b) ({
  ^bb0(%r: tensor<4x16xf32>, %l: tensor<8x4xf32>, %c: tensor<16xf32>):
    %p = xla.dot_general %l, %r {lhs_batching_dimensions = array<i64>, rhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, rhs_contracting_dimensions = array<i64: 0>} : (tensor<8x4xf32>, tensor<4x16xf32>) -> tensor<8x16xf32>
    %bb = xla.broadcast_in_dim %c {broadcast_dimensions = array<i64: 1>} : (tensor<16xf32>) -> tensor<8x16xf32>
    %s = xla.add %p, %bb : tensor<8x16xf32>
    %t = xla.tanh %s : tensor<8x16xf32>
    xla.return %t : tensor<8x16xf32>
  }) {kind = "contraction"} : (tensor<4x16xf32>, tensor<8x4xf32>, tensor<16xf32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}
