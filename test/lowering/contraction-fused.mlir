// RUN: xla-opt %s --convert-xla-to-linalg | FileCheck %s
// RUN: xla-run %s --device=all --seed=3 --output=none
// RUN: xla-run %s --device=cpu --seed=3 --output=none --dump=%t
// RUN: cat %t/cpu/*affine.mlir | FileCheck %s --check-prefix=CPU
// RUN: xla-opt %s --xla-attach-target="cpu=x86-64-v3" --xla-cpu-pipeline=to=affine | FileCheck %s --check-prefix=CPU

// The product is a linalg.generic, in which layouts are maps, with memory of its own; what follows is another.
// CHECK: #[[LHS:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK: #[[RHS:.*]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK: #[[OUT:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK: func.func private @fusion_0(
// CHECK-SAME: xla.kind = "contraction"
// CHECK: %[[P:.*]] = memref.alloc() : memref<8x16xf32>
// CHECK: linalg.fill ins(%{{.*}} : f32) outs(%[[P]]
// CHECK: linalg.generic {indexing_maps = [#[[LHS]], #[[RHS]], #[[OUT]]], iterator_types = ["parallel", "parallel", "reduction"]}
// CHECK-SAME: ins(%arg1, %arg0 : memref<8x4xf32>, memref<4x16xf32>) outs(%[[P]] :
// CHECK-NEXT: ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32, %[[S:.*]]: f32):
// CHECK-NEXT: %[[M:.*]] = arith.mulf %[[A]], %[[B]] : f32
// CHECK-NEXT: %[[N:.*]] = arith.addf %[[S]], %[[M]] : f32
// CHECK-NEXT: linalg.yield %[[N]]
// CHECK: linalg.generic {{.*}} ins(%[[P]], %arg2 :
// CHECK: arith.addf
// CHECK: math.tanh

// On the CPU it is a part of the product's last step: nothing else is left, and the product needs no memory.
// CPU: func.func private @kernel_0(
// CPU-NOT: memref.alloc
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
