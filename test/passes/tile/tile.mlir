// What a tile of given sizes takes of operands, and of what a fusion computes, or what is against it.
// RUN: xla-opt %s --xla-tile="sizes=4,8" > %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: xla-opt %t.mlir --xla-tile="sizes=4,8" | diff %t.mlir -
// RUN: xla-opt %s --xla-tile="sizes=4,8 bytes=900" | FileCheck %s --check-prefix=BYTES
// RUN: xla-opt %s --xla-tile="sizes=6" | FileCheck %s --check-prefix=SIX
// RUN: xla-opt %s --xla-tile="sizes=4" | FileCheck %s --check-prefix=FOUR

// The sum takes a whole row of exponentials, the quotient a tile. Bytes: 4 * (32 + 64) of the operand, as many exponentials, 16 sums, 128.
// CHECK-LABEL: func.func @softmax(
// CHECK: xla.exponential {{.*}}xla.tile_from_root = {{\[\[}}"(p0, p1) size (4, 8)", "(p0, 0) size (4, 16)"]]
// CHECK: xla.reduce
// CHECK: xla.tile_from_root = {{\[\[}}"(p0) size (4)"]]
// CHECK: xla.divide {{.*}}xla.tile_from_root = {{\[\[}}"(p0, p1) size (4, 8)"]]
// CHECK: kind = "row", xla.tile = {bytes = 912 : i64, sizes = array<i64: 4, 8>}, xla.tile_operands = {{\[\[}}"(p0, p1) size (4, 8)", "(p0, 0) size (4, 16)"]]
// BYTES-LABEL: func.func @softmax(
// BYTES: kind = "row", xla.tile = {refused = "it takes 912 bytes, more than 900"}, xla.tile_operands
// SIX-LABEL: func.func @softmax(
// Sizes are those of the last dimensions.
// SIX: kind = "row", xla.tile = {bytes = 204 : i64, sizes = array<i64: 1, 6>}, xla.tile_operands = {{\[\[}}"(p0, p1) size (1, 6)", "(p0, 0) size (1, 16)"]]
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

// A reverse begins at the tile's end, strides are those of slices; a size is no larger than its dimension.
// CHECK-LABEL: func.func @moved(
// CHECK: xla.slice {{.*}}xla.tile = {bytes = 256 : i64, sizes = array<i64: 4, 8>}, xla.tile_operands = {{\[\[}}"(p0 * 2 + 1, p1) size (4, 8) stride (2, 1)"]]
// CHECK: xla.reverse {{.*}}xla.tile = {bytes = 192 : i64, sizes = array<i64: 3, 8>}, xla.tile_operands = {{\[\[}}"(-p0, p1) size (3, 8)"]]
// CHECK: xla.transpose {{.*}}xla.tile = {bytes = 96 : i64, sizes = array<i64: 4, 3>}, xla.tile_operands = {{\[\[}}"(p1, p0) size (3, 4)"]]
func.func @moved(%x: tensor<20x24xf32>, %y: tensor<3x24xf32>) -> tensor<24x3xf32> {
  %0 = xla.slice %x {start_indices = array<i64: 1, 0>, limit_indices = array<i64: 20, 24>, strides = array<i64: 2, 1>} : (tensor<20x24xf32>) -> tensor<10x24xf32>
  %1 = xla.reverse %y {dimensions = array<i64: 0>} : tensor<3x24xf32>
  %2 = xla.transpose %1 {permutation = array<i64: 1, 0>} : (tensor<3x24xf32>) -> tensor<24x3xf32>
  return %2 : tensor<24x3xf32>
}

// Through a reshape sizes have conditions.
// CHECK-LABEL: func.func @flat(
// CHECK: xla.tile = {refused = "the result has 1 dimension, 2 sizes are given"}
// SIX-LABEL: func.func @flat(
// SIX: xla.tile = {refused = "of operand 0, it does not hold that 8 mod t0 = 0, or that t0 mod 8 = 0"}, xla.tile_operands = {{\[\[}}"no tile: it does not hold that 8 mod t0 = 0, or that t0 mod 8 = 0"]]
// FOUR-LABEL: func.func @flat(
// FOUR: xla.tile = {bytes = 32 : i64, sizes = array<i64: 4>}, xla.tile_operands = {{\[\[}}"(p0 floordiv 8, p0 mod 8) size (1, 4)"]]
func.func @flat(%x: tensor<4x8xf32>) -> tensor<32xf32> {
  %0 = xla.reshape %x : (tensor<4x8xf32>) -> tensor<32xf32>
  return %0 : tensor<32xf32>
}

// and more where it is padded: tiles of 4 that begin at 0 are none of 4 that begin at 2; what lies before is a fusion's.
// FOUR-LABEL: func.func @padded(
// FOUR: xla.reshape {{.*}}xla.tile_from_root = {{\[\[}}"(p0 - 2) size (4)"]]
// FOUR: xla.tile = {refused = "of operand 0, t0 is 4, and p0 begins at 2"}
// SIX-LABEL: func.func @padded(
// SIX: xla.tile = {refused = "of operand 0, it does not hold that
func.func @padded(%x: tensor<4x8xf32>, %z: tensor<f32>) -> tensor<36xf32> {
  %0 = xla.fusion(%x, %z) ({
  ^bb0(%a: tensor<4x8xf32>, %f: tensor<f32>):
    %r = xla.reshape %a : (tensor<4x8xf32>) -> tensor<32xf32>
    %p = xla.pad %r, %f {edge_padding_low = array<i64: 2>, edge_padding_high = array<i64: 2>, interior_padding = array<i64: 0>} : (tensor<32xf32>, tensor<f32>) -> tensor<36xf32>
    xla.return %p : tensor<36xf32>
  }) {kind = "loop"} : (tensor<4x8xf32>, tensor<f32>) -> tensor<36xf32>
  return %0 : tensor<36xf32>
}

// What lies in windows of an array with padding is no rectangle, and so nothing before it.
// FOUR-LABEL: func.func @windows(
// FOUR: xla.negate {{.*}}xla.tile_from_root = {{\[\[}}"no tile: constraint 0 moves with s0, so that a part of a tile is outside"]]
// FOUR: xla.tile = {refused = "of operand 0, constraint 0 moves with s0, so that a part of a tile is outside"}
func.func @windows(%p: tensor<32xf32>) -> tensor<32xf32> {
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

// Of what no map describes nothing is said; results of other dimensions have tiles of their own; in loops there are operations too.
// FOUR-LABEL: func.func @others(
// FOUR: xla.custom_call {{.*}}xla.tile = {refused = "of operand 0, no map says what it takes"}, xla.tile_operands = [unit]
// FOUR: xla.while
// FOUR: xla.negate {{.*}}xla.tile = {bytes = 32 : i64, sizes = array<i64: 4>}
// FOUR: kind = "loop", xla.tile = {bytes = {{[0-9]+}} : i64, sizes = array<i64: 4>}, {{.*}}xla.tile_1 = {bytes = 48 : i64, sizes = array<i64: 1, 4>}
func.func @others(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<2x4xf32>) {
  %c = xla.custom_call %x {call_target_name = "f"} : (tensor<8xf32>) -> tensor<8xf32>
  %w = xla.while(%c) ({
  ^bb0(%a: tensor<8xf32>):
    %p = xla.constant dense<false> : tensor<i1>
    xla.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<8xf32>):
    %n = xla.negate %a : tensor<8xf32>
    xla.return %n : tensor<8xf32>
  }) : (tensor<8xf32>) -> tensor<8xf32>
  %0:2 = xla.fusion(%w) ({
  ^bb0(%a: tensor<8xf32>):
    %e = xla.exponential %a : tensor<8xf32>
    %r = xla.reshape %e : (tensor<8xf32>) -> tensor<2x4xf32>
    xla.return %e, %r : tensor<8xf32>, tensor<2x4xf32>
  }) {kind = "loop"} : (tensor<8xf32>) -> (tensor<8xf32>, tensor<2x4xf32>)
  return %0#0, %0#1 : tensor<8xf32>, tensor<2x4xf32>
}

// Results of the same dimensions have one tile: of f32, f32, f16 inside, and the operands, 24 elements each.
// CHECK-LABEL: func.func @results(
// CHECK: xla.convert {{.*}}xla.tile_from_root = {{\[\[}}"(p0, p1) size (4, 6)"]]
// CHECK: kind = "loop", xla.tile = {bytes = 432 : i64, sizes = array<i64: 4, 6>}, xla.tile_operands = {{\[\[}}"(p0, p1) size (4, 6)"], ["(p1, p0) size (6, 4)"]]
// CHECK-NOT: xla.tile_1
func.func @results(%x: tensor<8x6xf32>, %y: tensor<6x8xf32>) -> (tensor<8x6xf32>, tensor<8x6xf16>) {
  %0:2 = xla.fusion(%x, %y) ({
  ^bb0(%a: tensor<8x6xf32>, %b: tensor<6x8xf32>):
    %e = xla.exponential %a : tensor<8x6xf32>
    %t = xla.transpose %b {permutation = array<i64: 1, 0>} : (tensor<6x8xf32>) -> tensor<8x6xf32>
    %c = xla.convert %t : (tensor<8x6xf32>) -> tensor<8x6xf16>
    xla.return %e, %c : tensor<8x6xf32>, tensor<8x6xf16>
  }) {kind = "loop"} : (tensor<8x6xf32>, tensor<6x8xf32>) -> (tensor<8x6xf32>, tensor<8x6xf16>)
  return %0#0, %0#1 : tensor<8x6xf32>, tensor<8x6xf16>
}

// A part of a concatenation that is smaller than the tile is taken whole; the tile hangs over it. Rows at computed places are no tile.
// CHECK-LABEL: func.func @parts(
// CHECK: kind = "loop", xla.tile = {bytes = {{[0-9]+}} : i64, sizes = array<i64: 4, 8>}, xla.tile_operands = {{\[\[}}"(p0, p1 - 1) size (4, 8)", "(p0, 0) size (4, 1)"]]
// CHECK: xla.gather {{.*}}xla.tile = {refused = "of operand 0, it does not hold that t0 = 1: what is read lies at computed places, each elsewhere"}
func.func @parts(%x: tensor<8x16xf32>, %i: tensor<8xi32>) -> (tensor<8x17xf32>, tensor<8x16xf32>) {
  %0 = xla.fusion(%x) ({
  ^bb0(%a: tensor<8x16xf32>):
    %f = xla.slice %a {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 8, 1>} : (tensor<8x16xf32>) -> tensor<8x1xf32>
    %c = xla.concatenate %f, %a {dimension = 1 : i64} : (tensor<8x1xf32>, tensor<8x16xf32>) -> tensor<8x17xf32>
    xla.return %c : tensor<8x17xf32>
  }) {kind = "loop"} : (tensor<8x16xf32>) -> tensor<8x17xf32>
  %1 = xla.gather %x, %i {offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1, slice_sizes = [1, 16]} : (tensor<8x16xf32>, tensor<8xi32>) -> tensor<8x16xf32>
  return %0, %1 : tensor<8x17xf32>, tensor<8x16xf32>
}
