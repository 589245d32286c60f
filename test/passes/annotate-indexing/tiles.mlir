// What a tile of the result takes of operands, and of what a fusion computes.
// RUN: xla-opt %s --xla-annotate-indexing=tiles > %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: xla-opt %t.mlir --xla-annotate-indexing=tiles | diff %t.mlir -

// CHECK-LABEL: func.func @softmax(
// The sum needs a whole row of exponentials, the quotient a tile.
// CHECK: xla.exponential {{.*}}xla.tiles_from_root = {{\[\[}}"(p0, p1) size (t0, t1)", "(p0, 0) size (t0, 16)"]]
// CHECK: xla.reduce
// CHECK: xla.tiles = {{\[\[}}"(p0, 0) size (t0, 16)"], ["() size ()"]], xla.tiles_from_root = {{\[\[}}"(p0) size (t0)"]]
// CHECK: kind = "row", xla.tiles = {{\[\[}}"(p0, p1) size (t0, t1)", "(p0, 0) size (t0, 16)"]]
func.func @softmax(%p: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %0 = xla.fusion(%p) ({
  ^bb0(%x: tensor<8x16xf32>):
    %zero = xla.constant dense<0.0> : tensor<f32>
    %e = xla.exponential %x : tensor<8x16xf32>
    %total = xla.reduce(%e, %zero) ({
    ^bb0(%m: tensor<f32>, %n: tensor<f32>):
      %t = xla.add %m, %n : tensor<f32>
      xla.return %t : tensor<f32>
    }) {dimensions = array<i64: 1>} : (tensor<8x16xf32>, tensor<f32>) -> tensor<8xf32>
    %prob = xla.divide %e, %total {broadcast_dimensions = array<i64: 0>} : (tensor<8x16xf32>, tensor<8xf32>) -> tensor<8x16xf32>
    xla.return %prob : tensor<8x16xf32>
  }) {kind = "row"} : (tensor<8x16xf32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

// Through a reshape, sizes have conditions; rows that are looked up are one by
// one; a reverse begins at the tile's end.
// CHECK-LABEL: func.func @movement(
// CHECK: xla.negate {{.*}}xla.tiles_from_root = {{\[\[}}"(-p0 - t0 + 32) size (t0)"]]
// CHECK: xla.reverse
// CHECK: xla.reshape {{.*}}xla.tiles = {{\[\[}}"(p0 * 8 + p1) size (t0 * 8) if t1 = 8; (p0 * 8 + p1) size (t1) if t0 = 1; (p0 * 8 + p1) size (t0) stride (8) if t1 = 1"]]
// CHECK: xla.gather
// CHECK-SAME: xla.tiles = {{\[\[}}"(rt0, p1) size (1, t1) if t0 = 1"], ["(p0, 0) size (t0, 1)"]]
// CHECK: xla.reshape {{.*}}xla.tiles = {{\[\[}}"(p0 floordiv 8, p0 mod 8) size (1, t0) if 8 mod t0 = 0; (p0 floordiv 8, 0) size (t0 floordiv 8, 8) if t0 mod 8 = 0"]]
func.func @movement(%p: tensor<32xf32>, %at: tensor<4x1xi32>) -> tensor<32xf32> {
  %0 = xla.fusion(%p) ({
  ^bb0(%x: tensor<32xf32>):
    %n = xla.negate %x : tensor<32xf32>
    %r = xla.reverse %n {dimensions = array<i64: 0>} : tensor<32xf32>
    xla.return %r : tensor<32xf32>
  }) {kind = "loop"} : (tensor<32xf32>) -> tensor<32xf32>
  %1 = xla.reshape %0 : (tensor<32xf32>) -> tensor<4x8xf32>
  %2 = xla.gather %1, %at {collapsed_slice_dims = array<i64: 0>, offset_dims = array<i64: 1>, start_index_map = array<i64: 0>, index_vector_dim = 1, slice_sizes = array<i64: 1, 8>} : (tensor<4x8xf32>, tensor<4x1xi32>) -> tensor<4x8xf32>
  %3 = xla.reshape %2 : (tensor<4x8xf32>) -> tensor<32xf32>
  return %3 : tensor<32xf32>
}

// What a window reads of an array with padding is no rectangle, and so nothing
// before it; what is read elsewhere is.
// CHECK-LABEL: func.func @padded(
// CHECK: xla.negate {{.*}}xla.tiles_from_root = {{\[\[}}"no tile: constraint 0 moves with s0, so that a part of a tile is outside"]]
// CHECK: xla.reduce_window
// CHECK: xla.tiles = {{\[\[}}"no tile: constraint 0 moves with s0, so that a part of a tile is outside"], ["() size ()"]], xla.tiles_from_root = {{\[\[}}"(p0) size (t0)"]]
func.func @padded(%p: tensor<32xf32>) -> tensor<32xf32> {
  %0 = xla.fusion(%p) ({
  ^bb0(%x: tensor<32xf32>):
    %zero = xla.constant dense<0.0> : tensor<f32>
    %n = xla.negate %x : tensor<32xf32>
    %w = xla.reduce_window(%n, %zero) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %t = xla.add %a, %b : tensor<f32>
      xla.return %t : tensor<f32>
    }) {window_dimensions = array<i64: 3>, padding = array<i64: 1, 1>} : (tensor<32xf32>, tensor<f32>) -> tensor<32xf32>
    xla.return %w : tensor<32xf32>
  }) {kind = "loop"} : (tensor<32xf32>) -> tensor<32xf32>
  return %0 : tensor<32xf32>
}
