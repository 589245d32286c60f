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

// A part of what another product, a kernel of its own, writes.
// CHECK-LABEL: func.func @part_of_product(
// CHECK: xla.dot_general
// CHECK: xla.fusion
// CHECK-NEXT: ^bb0
// CHECK-NEXT: xla.slice
// CHECK-NEXT: xla.dot_general
// CHECK: kind = "contraction"
func.func @part_of_product(%x: tensor<256x1536xf32>, %w: tensor<1536x1536xf32>, %q: tensor<256x8x64xf32>) -> tensor<8x256x256xf32> {
  %0 = xla.dot_general %x, %w {lhs_contracting_dimensions = array<i64: 1>, rhs_contracting_dimensions = array<i64: 0>} : (tensor<256x1536xf32>, tensor<1536x1536xf32>) -> tensor<256x1536xf32>
  %1 = xla.reshape %0 : (tensor<256x1536xf32>) -> tensor<256x24x64xf32>
  %2 = xla.slice %1 {start_indices = array<i64: 0, 8, 0>, limit_indices = array<i64: 256, 16, 64>} : (tensor<256x24x64xf32>) -> tensor<256x8x64xf32>
  %3 = xla.dot_general %q, %2 {lhs_batching_dimensions = array<i64: 1>, lhs_contracting_dimensions = array<i64: 2>, rhs_batching_dimensions = array<i64: 1>, rhs_contracting_dimensions = array<i64: 2>} : (tensor<256x8x64xf32>, tensor<256x8x64xf32>) -> tensor<8x256x256xf32>
  return %3 : tensor<8x256x256xf32>
}
