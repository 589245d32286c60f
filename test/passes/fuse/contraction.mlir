// RUN: xla-opt %s --xla-fuse | FileCheck %s
// RUN: xla-opt %s --xla-fuse=contraction-epilogue=false | FileCheck %s --check-prefix=OFF
// RUN: xla-opt %s --xla-fuse -o %t.mlir
// RUN: xla-run %s --entry=dense --seed=1 > %t.plain
// RUN: xla-run %t.mlir --entry=dense --seed=1 > %t.fused
// RUN: cmp %t.plain %t.fused

// A layer with bias and relu: the product's user is one chain.
// CHECK-LABEL: @dense
// CHECK-NEXT: xla.fusion(%arg0, %arg1, %arg2) ({
// CHECK: xla.dot_general
// CHECK: xla.broadcast_in_dim
// CHECK: xla.add
// CHECK: xla.maximum
// CHECK: kind = "contraction"
// OFF-LABEL: @dense
// OFF-NEXT: %[[D:.*]] = xla.dot_general
// OFF: xla.fusion(%arg2, %[[D]])
// OFF: kind = "loop"
func.func @dense(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>, %b: tensor<16xf32>) -> tensor<4x16xf32> {
  %z = xla.constant dense<0.0> : tensor<4x16xf32>
  %d = xla.dot_general %x, %w {lhs_contracting_dimensions = array<i64: 1>, rhs_contracting_dimensions = array<i64: 0>} : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  %bb = xla.broadcast_in_dim %b {broadcast_dimensions = array<i64: 1>} : (tensor<16xf32>) -> tensor<4x16xf32>
  %s = xla.add %d, %bb : tensor<4x16xf32>
  %r = xla.maximum %s, %z : tensor<4x16xf32>
  return %r : tensor<4x16xf32>
}

// One product a fusion.
// CHECK-LABEL: @two
// CHECK-NEXT: %[[A:.*]] = xla.dot_general
// CHECK-NEXT: xla.fusion(%arg0, %arg1, %[[A]])
// CHECK: xla.dot_general
// CHECK-NEXT: xla.add
// CHECK: kind = "contraction"
func.func @two(%x: tensor<4x4xf32>, %y: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %a = xla.dot_general %x, %y {lhs_contracting_dimensions = array<i64: 1>, rhs_contracting_dimensions = array<i64: 0>} : tensor<4x4xf32>
  %b = xla.dot_general %x, %y {lhs_contracting_dimensions = array<i64: 1>, rhs_contracting_dimensions = array<i64: 1>} : tensor<4x4xf32>
  %s = xla.add %b, %a : tensor<4x4xf32>
  return %s : tensor<4x4xf32>
}
