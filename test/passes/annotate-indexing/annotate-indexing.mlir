// The examples of specification 001, corrected where its text errs: bounds of
// the broadcast, dot's second input, dynamic_update_slice's update.
// RUN: xla-opt %s --xla-annotate-indexing | FileCheck %s --check-prefix=IN
// RUN: xla-opt %s --xla-annotate-indexing=direction=input-to-output | FileCheck %s --check-prefix=OUT
// RUN: not xla-opt %s --xla-annotate-indexing=direction=up 2>&1 | FileCheck %s --check-prefix=WRONG
// What is printed is read again.
// RUN: xla-opt %s --xla-annotate-indexing | xla-opt | FileCheck %s --check-prefix=IN
// WRONG: direction is "up", must be output-to-input or input-to-output

// IN-LABEL: func.func @elementwise(
// IN: xla.indexing = {{\[\[}}#xla.indexing_map<"(d0, d1) -> (d0, d1), domain: d0 in [0, 9], d1 in [0, 19]">], [#xla.indexing_map<"(d0, d1) -> (d0, d1), domain: d0 in [0, 9], d1 in [0, 19]">{{\]\]}}
// OUT-LABEL: func.func @elementwise(
// OUT: xla.indexing = {{\[\[}}#xla.indexing_map<"(d0, d1) -> (d0, d1), domain: d0 in [0, 9], d1 in [0, 19]">], [#xla.indexing_map<"(d0, d1) -> (d0, d1), domain: d0 in [0, 9], d1 in [0, 19]">{{\]\]}}
func.func @elementwise(%p0: tensor<10x20xf32>, %p1: tensor<10x20xf32>) {
  %0 = xla.add %p0, %p1 : tensor<10x20xf32>
  return
}

// IN-LABEL: func.func @broadcast(
// IN: xla.indexing = {{\[\[}}#xla.indexing_map<"(d0, d1, d2) -> (d1), domain: d0 in [0, 9], d1 in [0, 19], d2 in [0, 29]">{{\]\]}}
// OUT-LABEL: func.func @broadcast(
// OUT: xla.indexing = {{\[\[}}#xla.indexing_map<"(d0)[s0, s1] -> (s0, d0, s1), domain: d0 in [0, 19], s0 in [0, 9], s1 in [0, 29]">{{\]\]}}
func.func @broadcast(%p0: tensor<20xf32>) {
  %0 = xla.broadcast_in_dim %p0 {broadcast_dimensions = array<i64: 1>} : (tensor<20xf32>) -> tensor<10x20x30xf32>
  return
}

// IN-LABEL: func.func @dynamic_slice(
// IN: xla.indexing = {{\[\[}}#xla.indexing_map<"(d0, d1, d2){rt0, rt1, rt2} -> (d0 + rt0, d1 + rt1, d2 + rt2), domain: d0 in [0, 0], d1 in [0, 1], d2 in [0, 31], rt0 in [0, 1], rt1 in [0, 0], rt2 in [0, 226]">], [#xla.indexing_map<"(d0, d1, d2) -> (), domain: d0 in [0, 0], d1 in [0, 1], d2 in [0, 31]">], [#xla.indexing_map<"(d0, d1, d2) -> (), domain: d0 in [0, 0], d1 in [0, 1], d2 in [0, 31]">], [#xla.indexing_map<"(d0, d1, d2) -> (), domain: d0 in [0, 0], d1 in [0, 1], d2 in [0, 31]">{{\]\]}}
// OUT-LABEL: func.func @dynamic_slice(
// OUT: xla.indexing = {{\[\[}}#xla.indexing_map<"(d0, d1, d2){rt0, rt1, rt2} -> (d0 - rt0, d1 - rt1, d2 - rt2), domain: d0 in [0, 1], d1 in [0, 1], d2 in [0, 257], rt0 in [0, 1], rt1 in [0, 0], rt2 in [0, 226], d0 - rt0 in [0, 0], d2 - rt2 in [0, 31]">], [#xla.indexing_map<"()[s0, s1] -> (0, s0, s1), domain: s0 in [0, 1], s1 in [0, 31]">], [#xla.indexing_map<"()[s0, s1] -> (0, s0, s1), domain: s0 in [0, 1], s1 in [0, 31]">], [#xla.indexing_map<"()[s0, s1] -> (0, s0, s1), domain: s0 in [0, 1], s1 in [0, 31]">{{\]\]}}
func.func @dynamic_slice(%src: tensor<2x2x258xi32>, %of1: tensor<i32>, %of2: tensor<i32>, %of3: tensor<i32>) {
  %0 = xla.dynamic_slice %src, %of1, %of2, %of3 {slice_sizes = array<i64: 1, 2, 32>} : (tensor<2x2x258xi32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x32xi32>
  return
}

// IN-LABEL: func.func @dynamic_update_slice(
// IN: xla.indexing = {{\[\[}}#xla.indexing_map<"(d0, d1) -> (d0, d1), domain: d0 in [0, 19], d1 in [0, 29]">], [#xla.indexing_map<"(d0, d1){rt0, rt1} -> (d0 - rt0, d1 - rt1), domain: d0 in [0, 19], d1 in [0, 29], rt0 in [0, 15], rt1 in [0, 20], d0 - rt0 in [0, 4], d1 - rt1 in [0, 9]">], [#xla.indexing_map<"(d0, d1) -> (), domain: d0 in [0, 19], d1 in [0, 29]">], [#xla.indexing_map<"(d0, d1) -> (), domain: d0 in [0, 19], d1 in [0, 29]">{{\]\]}}
// OUT-LABEL: func.func @dynamic_update_slice(
// OUT: xla.indexing = {{\[\[}}#xla.indexing_map<"(d0, d1) -> (d0, d1), domain: d0 in [0, 19], d1 in [0, 29]">], [#xla.indexing_map<"(d0, d1){rt0, rt1} -> (d0 + rt0, d1 + rt1), domain: d0 in [0, 4], d1 in [0, 9], rt0 in [0, 15], rt1 in [0, 20]">], [#xla.indexing_map<"()[s0, s1] -> (s0, s1), domain: s0 in [0, 19], s1 in [0, 29]">], [#xla.indexing_map<"()[s0, s1] -> (s0, s1), domain: s0 in [0, 19], s1 in [0, 29]">{{\]\]}}
func.func @dynamic_update_slice(%src: tensor<20x30xi32>, %upd: tensor<5x10xi32>, %of1: tensor<i32>, %of2: tensor<i32>) {
  %0 = xla.dynamic_update_slice %src, %upd, %of1, %of2 : (tensor<20x30xi32>, tensor<5x10xi32>, tensor<i32>, tensor<i32>) -> tensor<20x30xi32>
  return
}

// IN-LABEL: func.func @gather(
// IN: xla.indexing = {{\[\[}}#xla.indexing_map<"(d0, d1, d2, d3){rt0, rt1} -> (d1 + rt0, d2 + rt1, d3), domain: d0 in [0, 1805], d1 in [0, 6], d2 in [0, 7], d3 in [0, 3], rt0 in [0, 26], rt1 in [0, 68]">], [#xla.indexing_map<"(d0, d1, d2, d3)[s0] -> (d0, s0), domain: d0 in [0, 1805], d1 in [0, 6], d2 in [0, 7], d3 in [0, 3], s0 in [0, 1]">{{\]\]}}
// OUT-LABEL: func.func @gather(
// OUT: xla.indexing = {{\[\[}}#xla.indexing_map<"(d0, d1, d2)[s0]{rt0, rt1} -> (s0, d0 - rt0, d1 - rt1, d2), domain: d0 in [0, 32], d1 in [0, 75], d2 in [0, 3], s0 in [0, 1805], rt0 in [0, 26], rt1 in [0, 68], d0 - rt0 in [0, 6], d1 - rt1 in [0, 7]">], [#xla.indexing_map<"(d0, d1)[s0, s1, s2] -> (d0, s0, s1, s2), domain: d0 in [0, 1805], d1 in [0, 1], s0 in [0, 6], s1 in [0, 7], s2 in [0, 3]">{{\]\]}}
func.func @gather(%operand: tensor<33x76x70xf32>, %indices: tensor<1806x2xi32>) {
  %0 = xla.gather %operand, %indices {offset_dims = array<i64: 1, 2, 3>, collapsed_slice_dims = array<i64>, start_index_map = array<i64: 0, 1>, index_vector_dim = 1, slice_sizes = array<i64: 7, 8, 4>} : (tensor<33x76x70xf32>, tensor<1806x2xi32>) -> tensor<1806x7x8x4xf32>
  return
}

// IN-LABEL: func.func @transpose(
// IN: xla.indexing = {{\[\[}}#xla.indexing_map<"(d0, d1, d2, d3) -> (d0, d3, d1, d2), domain: d0 in [0, 2], d1 in [0, 5], d2 in [0, 127], d3 in [0, 12287]">{{\]\]}}
// OUT-LABEL: func.func @transpose(
// OUT: xla.indexing = {{\[\[}}#xla.indexing_map<"(d0, d1, d2, d3) -> (d0, d2, d3, d1), domain: d0 in [0, 2], d1 in [0, 12287], d2 in [0, 5], d3 in [0, 127]">{{\]\]}}
func.func @transpose(%p0: tensor<3x12288x6x128xf32>) {
  %0 = xla.transpose %p0 {permutation = array<i64: 0, 2, 3, 1>} : (tensor<3x12288x6x128xf32>) -> tensor<3x6x128x12288xf32>
  return
}

// IN-LABEL: func.func @reverse(
// IN: xla.indexing = {{\[\[}}#xla.indexing_map<"(d0, d1, d2, d3) -> (d0, -d1 + 16, -d2 + 8, d3), domain: d0 in [0, 0], d1 in [0, 16], d2 in [0, 8], d3 in [0, 8]">{{\]\]}}
// OUT-LABEL: func.func @reverse(
// OUT: xla.indexing = {{\[\[}}#xla.indexing_map<"(d0, d1, d2, d3) -> (d0, -d1 + 16, -d2 + 8, d3), domain: d0 in [0, 0], d1 in [0, 16], d2 in [0, 8], d3 in [0, 8]">{{\]\]}}
func.func @reverse(%p0: tensor<1x17x9x9xf32>) {
  %0 = xla.reverse %p0 {dimensions = array<i64: 1, 2>} : tensor<1x17x9x9xf32>
  return
}

// IN-LABEL: func.func @reduce(
// IN: xla.indexing = {{\[\[}}#xla.indexing_map<"(d0)[s0] -> (s0, d0), domain: d0 in [0, 9], s0 in [0, 255]">], [#xla.indexing_map<"(d0)[s0] -> (s0, d0), domain: d0 in [0, 9], s0 in [0, 255]">], [#xla.indexing_map<"(d0) -> (), domain: d0 in [0, 9]">], [#xla.indexing_map<"(d0) -> (), domain: d0 in [0, 9]">{{\]\]}}
// OUT-LABEL: func.func @reduce(
// OUT: xla.indexing = {{\[\[}}#xla.indexing_map<"(d0, d1) -> (d1), domain: d0 in [0, 255], d1 in [0, 9]">], [#xla.indexing_map<"(d0, d1) -> (d1), domain: d0 in [0, 255], d1 in [0, 9]">], [#xla.indexing_map<"()[s0] -> (s0), domain: s0 in [0, 9]">], [#xla.indexing_map<"()[s0] -> (s0), domain: s0 in [0, 9]">{{\]\]}}
func.func @reduce(%p0: tensor<256x10xf32>, %i0: tensor<f32>, %p1: tensor<256x10xi32>, %i1: tensor<i32>) {
  %0:2 = xla.reduce(%p0, %p1, %i0, %i1) ({
  ^bb0(%a: tensor<f32>, %b: tensor<i32>, %c: tensor<f32>, %d: tensor<i32>):
    %m = xla.maximum %a, %c : tensor<f32>
    %n = xla.maximum %b, %d : tensor<i32>
    xla.return %m, %n : tensor<f32>, tensor<i32>
  }) {dimensions = array<i64: 0>} : (tensor<256x10xf32>, tensor<256x10xi32>, tensor<f32>, tensor<i32>) -> (tensor<10xf32>, tensor<10xi32>)
  return
}

// IN-LABEL: func.func @slice(
// IN: xla.indexing = {{\[\[}}#xla.indexing_map<"(d0, d1, d2) -> (d0 + 5, d1 * 7 + 3, d2 * 2), domain: d0 in [0, 4], d1 in [0, 2], d2 in [0, 24]">{{\]\]}}
// OUT-LABEL: func.func @slice(
// OUT: xla.indexing = {{\[\[}}#xla.indexing_map<"(d0, d1, d2) -> (d0 - 5, (d1 - 3) floordiv 7, d2 floordiv 2), domain: d0 in [5, 9], d1 in [3, 17], d2 in [0, 48], (d1 - 3) mod 7 in [0, 0], d2 mod 2 in [0, 0]">{{\]\]}}
func.func @slice(%p0: tensor<10x20x50xf32>) {
  %0 = xla.slice %p0 {start_indices = array<i64: 5, 3, 0>, limit_indices = array<i64: 10, 20, 50>, strides = array<i64: 1, 7, 2>} : (tensor<10x20x50xf32>) -> tensor<5x3x25xf32>
  return
}

// IN-LABEL: func.func @reshapes(
// IN: xla.indexing = {{\[\[}}#xla.indexing_map<"(d0) -> (d0 floordiv 8, d0 mod 8), domain: d0 in [0, 31]">{{\]\]}}
// IN: xla.indexing = {{\[\[}}#xla.indexing_map<"(d0, d1) -> (d0 * 8 + d1), domain: d0 in [0, 3], d1 in [0, 7]">{{\]\]}}
// IN: xla.indexing = {{\[\[}}#xla.indexing_map<"(d0, d1, d2) -> (d0 * 2 + d1 floordiv 2, d2 + (d1 mod 2) * 4), domain: d0 in [0, 1], d1 in [0, 3], d2 in [0, 3]">{{\]\]}}
// IN: xla.indexing = {{\[\[}}#xla.indexing_map<"(d0, d1, d2) -> (d0 floordiv 8, d0 mod 8, d1 * 4 + d2), domain: d0 in [0, 31], d1 in [0, 2], d2 in [0, 3]">{{\]\]}}
// OUT-LABEL: func.func @reshapes(
// OUT: xla.indexing = {{\[\[}}#xla.indexing_map<"(d0, d1) -> (d0 * 8 + d1), domain: d0 in [0, 3], d1 in [0, 7]">{{\]\]}}
// OUT: xla.indexing = {{\[\[}}#xla.indexing_map<"(d0) -> (d0 floordiv 8, d0 mod 8), domain: d0 in [0, 31]">{{\]\]}}
// OUT: xla.indexing = {{\[\[}}#xla.indexing_map<"(d0, d1) -> (d0 floordiv 2, d1 floordiv 4 + (d0 mod 2) * 2, d1 mod 4), domain: d0 in [0, 3], d1 in [0, 7]">{{\]\]}}
// OUT: xla.indexing = {{\[\[}}#xla.indexing_map<"(d0, d1, d2) -> (d0 * 8 + d1, d2 floordiv 4, d2 mod 4), domain: d0 in [0, 3], d1 in [0, 7], d2 in [0, 11]">{{\]\]}}
func.func @reshapes(%p0: tensor<4x8xf32>, %p1: tensor<32xf32>, %p2: tensor<4x8x12xf32>) {
  %0 = xla.reshape %p0 : (tensor<4x8xf32>) -> tensor<32xf32>
  %1 = xla.reshape %p1 : (tensor<32xf32>) -> tensor<4x8xf32>
  %2 = xla.reshape %p0 : (tensor<4x8xf32>) -> tensor<2x4x4xf32>
  %3 = xla.reshape %p2 : (tensor<4x8x12xf32>) -> tensor<32x3x4xf32>
  return
}

// IN-LABEL: func.func @concatenate(
// IN: xla.indexing = {{\[\[}}#xla.indexing_map<"(d0, d1, d2) -> (d0, d1, d2), domain: d0 in [0, 1], d1 in [0, 4], d2 in [0, 6]">], [#xla.indexing_map<"(d0, d1, d2) -> (d0, d1 - 5, d2), domain: d0 in [0, 1], d1 in [5, 15], d2 in [0, 6]">], [#xla.indexing_map<"(d0, d1, d2) -> (d0, d1 - 16, d2), domain: d0 in [0, 1], d1 in [16, 32], d2 in [0, 6]">{{\]\]}}
// OUT-LABEL: func.func @concatenate(
// OUT: xla.indexing = {{\[\[}}#xla.indexing_map<"(d0, d1, d2) -> (d0, d1, d2), domain: d0 in [0, 1], d1 in [0, 4], d2 in [0, 6]">], [#xla.indexing_map<"(d0, d1, d2) -> (d0, d1 + 5, d2), domain: d0 in [0, 1], d1 in [0, 10], d2 in [0, 6]">], [#xla.indexing_map<"(d0, d1, d2) -> (d0, d1 + 16, d2), domain: d0 in [0, 1], d1 in [0, 16], d2 in [0, 6]">{{\]\]}}
func.func @concatenate(%p0: tensor<2x5x7xf32>, %p1: tensor<2x11x7xf32>, %p2: tensor<2x17x7xf32>) {
  %0 = xla.concatenate %p0, %p1, %p2 {dimension = 1} : (tensor<2x5x7xf32>, tensor<2x11x7xf32>, tensor<2x17x7xf32>) -> tensor<2x33x7xf32>
  return
}

// IN-LABEL: func.func @dot(
// IN: xla.indexing = {{\[\[}}#xla.indexing_map<"(d0, d1, d2)[s0] -> (d0, d1, s0), domain: d0 in [0, 3], d1 in [0, 127], d2 in [0, 63], s0 in [0, 255]">], [#xla.indexing_map<"(d0, d1, d2)[s0] -> (d0, s0, d2), domain: d0 in [0, 3], d1 in [0, 127], d2 in [0, 63], s0 in [0, 255]">{{\]\]}}
// OUT-LABEL: func.func @dot(
// OUT: xla.indexing = {{\[\[}}#xla.indexing_map<"(d0, d1, d2)[s0] -> (d0, d1, s0), domain: d0 in [0, 3], d1 in [0, 127], d2 in [0, 255], s0 in [0, 63]">], [#xla.indexing_map<"(d0, d1, d2)[s0] -> (d0, s0, d2), domain: d0 in [0, 3], d1 in [0, 255], d2 in [0, 63], s0 in [0, 127]">{{\]\]}}
func.func @dot(%p0: tensor<4x128x256xf32>, %p1: tensor<4x256x64xf32>) {
  %0 = xla.dot_general %p0, %p1 {lhs_batching_dimensions = array<i64: 0>, rhs_batching_dimensions = array<i64: 0>, lhs_contracting_dimensions = array<i64: 2>, rhs_contracting_dimensions = array<i64: 1>} : (tensor<4x128x256xf32>, tensor<4x256x64xf32>) -> tensor<4x128x64xf32>
  return
}

// IN-LABEL: func.func @pad(
// IN: xla.indexing = {{\[\[}}#xla.indexing_map<"(d0, d1) -> ((d0 - 1) floordiv 2, d1 - 4), domain: d0 in [1, 7], d1 in [4, 7], (d0 - 1) mod 2 in [0, 0]">], [#xla.indexing_map<"(d0, d1) -> (), domain: d0 in [0, 11], d1 in [0, 15]">{{\]\]}}
// OUT-LABEL: func.func @pad(
// OUT: xla.indexing = {{\[\[}}#xla.indexing_map<"(d0, d1) -> (d0 * 2 + 1, d1 + 4), domain: d0 in [0, 3], d1 in [0, 3]">], [#xla.indexing_map<"()[s0, s1] -> (s0, s1), domain: s0 in [0, 11], s1 in [0, 15]">{{\]\]}}
func.func @pad(%p0: tensor<4x4xf32>, %p1: tensor<f32>) {
  %0 = xla.pad %p0, %p1 {edge_padding_low = array<i64: 1, 4>, edge_padding_high = array<i64: 4, 8>, interior_padding = array<i64: 1, 0>} : (tensor<4x4xf32>, tensor<f32>) -> tensor<12x16xf32>
  return
}

// IN-LABEL: func.func @reduce_window(
// IN: xla.indexing = {{\[\[}}#xla.indexing_map<"(d0, d1)[s0] -> (d0, d1 + s0), domain: d0 in [0, 1023], d1 in [0, 2], s0 in [0, 511]">], [#xla.indexing_map<"(d0, d1) -> (), domain: d0 in [0, 1023], d1 in [0, 2]">{{\]\]}}
// OUT-LABEL: func.func @reduce_window(
// OUT: xla.indexing = {{\[\[}}#xla.indexing_map<"(d0, d1)[s0] -> (d0, d1 - s0), domain: d0 in [0, 1023], d1 in [0, 513], s0 in [0, 511], d1 - s0 in [0, 2]">], [#xla.indexing_map<"()[s0, s1] -> (s0, s1), domain: s0 in [0, 1023], s1 in [0, 2]">{{\]\]}}
func.func @reduce_window(%c: tensor<f32>, %p0: tensor<1024x514xf32>) {
  %0 = xla.reduce_window(%p0, %c) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = xla.maximum %a, %b : tensor<f32>
    xla.return %m : tensor<f32>
  }) {window_dimensions = array<i64: 1, 512>} : (tensor<1024x514xf32>, tensor<f32>) -> tensor<1024x3xf32>
  return
}

// IN-LABEL: func.func @transposed_twice(
// IN: xla.indexing = {{\[\[}}#xla.indexing_map<"(d0, d1) -> (d0, d1), domain: d0 in [0, 999], d1 in [0, 999]">, #xla.indexing_map<"(d0, d1) -> (d1, d0), domain: d0 in [0, 999], d1 in [0, 999]">{{\]\]}}
// OUT-LABEL: func.func @transposed_twice(
// OUT: xla.indexing = {{\[\[}}#xla.indexing_map<"(d0, d1) -> (d0, d1), domain: d0 in [0, 999], d1 in [0, 999]">, #xla.indexing_map<"(d0, d1) -> (d1, d0), domain: d0 in [0, 999], d1 in [0, 999]">{{\]\]}}
func.func @transposed_twice(%p: tensor<1000x1000xf32>) {
  %0 = xla.fusion(%p) ({
  ^bb0(%p0: tensor<1000x1000xf32>):
    %t = xla.transpose %p0 {permutation = array<i64: 1, 0>} : (tensor<1000x1000xf32>) -> tensor<1000x1000xf32>
    %a = xla.add %p0, %t : tensor<1000x1000xf32>
    xla.return %a : tensor<1000x1000xf32>
  }) {kind = "loop"} : (tensor<1000x1000xf32>) -> tensor<1000x1000xf32>
  return
}

// IN-LABEL: func.func @deduplicated(
// IN: xla.indexing = {{\[\[}}#xla.indexing_map<"(d0, d1, d2) -> (d2, d0, d1), domain: d0 in [0, 9], d1 in [0, 49], d2 in [0, 19]">{{\]\]}}
// OUT-LABEL: func.func @deduplicated(
// OUT: xla.indexing = {{\[\[}}#xla.indexing_map<"(d0, d1, d2) -> (d1, d2, d0), domain: d0 in [0, 19], d1 in [0, 9], d2 in [0, 49]">{{\]\]}}
func.func @deduplicated(%p: tensor<20x10x50xf32>) {
  %0 = xla.fusion(%p) ({
  ^bb0(%p0: tensor<20x10x50xf32>):
    %l1 = xla.transpose %p0 {permutation = array<i64: 1, 0, 2>} : (tensor<20x10x50xf32>) -> tensor<10x20x50xf32>
    %le = xla.exponential %l1 : tensor<10x20x50xf32>
    %l2 = xla.transpose %le {permutation = array<i64: 0, 2, 1>} : (tensor<10x20x50xf32>) -> tensor<10x50x20xf32>
    %r1 = xla.transpose %p0 {permutation = array<i64: 2, 1, 0>} : (tensor<20x10x50xf32>) -> tensor<50x10x20xf32>
    %rl = xla.exponential %r1 : tensor<50x10x20xf32>
    %r2 = xla.transpose %rl {permutation = array<i64: 1, 0, 2>} : (tensor<50x10x20xf32>) -> tensor<10x50x20xf32>
    %a = xla.add %l2, %r2 : tensor<10x50x20xf32>
    xla.return %a : tensor<10x50x20xf32>
  }) {kind = "loop"} : (tensor<20x10x50xf32>) -> tensor<10x50x20xf32>
  return
}

// IN-LABEL: func.func @softmax(
// IN: xla.indexing = {{\[\[}}#xla.indexing_map<"(d0, d1, d2) -> (d0, d1, d2), domain: d0 in [0, 1], d1 in [0, 64], d2 in [0, 124]">, #xla.indexing_map<"(d0, d1, d2)[s0] -> (d0, d1, s0), domain: d0 in [0, 1], d1 in [0, 64], d2 in [0, 124], s0 in [0, 124]">{{\]\]}}
// OUT-LABEL: func.func @softmax(
// OUT: xla.indexing = {{\[\[}}#xla.indexing_map<"(d0, d1, d2) -> (d0, d1, d2), domain: d0 in [0, 1], d1 in [0, 64], d2 in [0, 124]">, #xla.indexing_map<"(d0, d1, d2)[s0] -> (d0, d1, s0), domain: d0 in [0, 1], d1 in [0, 64], d2 in [0, 124], s0 in [0, 124]">{{\]\]}}
func.func @softmax(%p: tensor<2x65x125xf32>) {
  %0 = xla.fusion(%p) ({
  ^bb0(%x: tensor<2x65x125xf32>):
    %lowest = xla.constant dense<0xFF800000> : tensor<f32>
    %zero = xla.constant dense<0.0> : tensor<f32>
    %top = xla.reduce(%x, %lowest) ({
    ^bb0(%m: tensor<f32>, %n: tensor<f32>):
      %t = xla.maximum %m, %n : tensor<f32>
      xla.return %t : tensor<f32>
    }) {dimensions = array<i64: 2>} : (tensor<2x65x125xf32>, tensor<f32>) -> tensor<2x65xf32>
    %shifted = xla.subtract %x, %top {broadcast_dimensions = array<i64: 0, 1>} : (tensor<2x65x125xf32>, tensor<2x65xf32>) -> tensor<2x65x125xf32>
    %e = xla.exponential %shifted : tensor<2x65x125xf32>
    %total = xla.reduce(%e, %zero) ({
    ^bb0(%m: tensor<f32>, %n: tensor<f32>):
      %t = xla.add %m, %n : tensor<f32>
      xla.return %t : tensor<f32>
    }) {dimensions = array<i64: 2>} : (tensor<2x65x125xf32>, tensor<f32>) -> tensor<2x65xf32>
    %prob = xla.divide %e, %total {broadcast_dimensions = array<i64: 0, 1>} : (tensor<2x65x125xf32>, tensor<2x65xf32>) -> tensor<2x65x125xf32>
    xla.return %prob : tensor<2x65x125xf32>
  }) {kind = "row"} : (tensor<2x65x125xf32>) -> tensor<2x65x125xf32>
  return
}

// IN-LABEL: func.func @reshaped_back(
// IN: xla.indexing = {{\[\[}}#xla.indexing_map<"(d0, d1, d2) -> (d0, d1, d2), domain: d0 in [0, 9], d1 in [0, 9], d2 in [0, 9]">{{\]\]}}
// OUT-LABEL: func.func @reshaped_back(
// OUT: xla.indexing = {{\[\[}}#xla.indexing_map<"(d0, d1, d2) -> (d0, d1, d2), domain: d0 in [0, 9], d1 in [0, 9], d2 in [0, 9]">{{\]\]}}
func.func @reshaped_back(%p: tensor<10x10x10xf32>) {
  %0 = xla.fusion(%p) ({
  ^bb0(%p0: tensor<10x10x10xf32>):
    %r1 = xla.reshape %p0 : (tensor<10x10x10xf32>) -> tensor<50x20xf32>
    %r2 = xla.reshape %r1 : (tensor<50x20xf32>) -> tensor<10x10x10xf32>
    xla.return %r2 : tensor<10x10x10xf32>
  }) {kind = "loop"} : (tensor<10x10x10xf32>) -> tensor<10x10x10xf32>
  return
}
