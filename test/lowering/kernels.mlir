// RUN: xla-opt %s --convert-xla-to-linalg | FileCheck %s

// Dimensions of size 1 are no loops; bf16 is computed in f32 and rounded.
// CHECK-LABEL: func.func private @add_0(
// CHECK-SAME: memref<4x1x8xbf16>, %{{.*}}: memref<4x1x8xbf16>, %{{.*}}: memref<4x1x8xbf16>) attributes {xla.kind = "loop"}
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]}
// CHECK: %[[A:.*]] = arith.extf {{.*}} : bf16 to f32
// CHECK: %[[B:.*]] = arith.extf {{.*}} : bf16 to f32
// CHECK: %[[C:.*]] = arith.addf %[[A]], %[[B]] : f32
// CHECK: arith.truncf %[[C]] : f32 to bf16

// CHECK-LABEL: func.func private @reduce_1(
// CHECK-SAME: attributes {xla.kind = "reduce"}
// CHECK: %[[INIT:.*]] = memref.load %{{.*}}[] : memref<bf16>
// CHECK: linalg.fill ins(%[[INIT]] : bf16)
// CHECK: linalg.generic {{.*}} iterator_types = ["reduction", "parallel"]}

// Preds are bytes in memory and bits in registers.
// CHECK-LABEL: func.func private @not_2(%{{.*}}: memref<4x8xi8>, %{{.*}}: memref<4x8xi8>)
// CHECK: arith.trunci {{.*}} : i8 to i1
// CHECK: arith.xori {{.*}} : i1
// CHECK: arith.extui {{.*}} : i1 to i8

// The reshape is a view, the transpose is in the indexing map.
// CHECK-LABEL: func.func private @fusion_3(
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [2, 4], strides: [4, 1]
// CHECK: linalg.generic
// CHECK: math.exp
func.func @f(%a: tensor<4x1x8xbf16>, %b: tensor<4x1x8xbf16>, %z: tensor<bf16>,
             %p: tensor<4x8xi1>) {
  %0 = xla.add %a, %b : tensor<4x1x8xbf16>
  %1 = xla.reduce(%0, %z) ({
  ^bb0(%x: tensor<bf16>, %y: tensor<bf16>):
    %s = xla.add %x, %y : tensor<bf16>
    xla.return %s : tensor<bf16>
  }) {dimensions = array<i64: 0, 1>} : (tensor<4x1x8xbf16>, tensor<bf16>) -> tensor<8xbf16>
  %2 = xla.not %p : tensor<4x8xi1>
  %3 = xla.fusion(%1) ({
  ^bb0(%x: tensor<8xbf16>):
    %e = xla.exponential %x : tensor<8xbf16>
    %r = xla.reshape %e : (tensor<8xbf16>) -> tensor<2x4xbf16>
    %t = xla.transpose %r {permutation = array<i64: 1, 0>} : (tensor<2x4xbf16>) -> tensor<4x2xbf16>
    xla.return %t : tensor<4x2xbf16>
  }) {kind = "loop"} : (tensor<8xbf16>) -> tensor<4x2xbf16>
  return
}
