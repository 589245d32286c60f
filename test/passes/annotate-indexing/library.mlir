// Operations of libraries, windows, between replicas, and what regions capture.
// RUN: xla-opt %s --xla-annotate-indexing | FileCheck %s --check-prefix=IN
// RUN: xla-opt %s --xla-annotate-indexing=direction=input-to-output | FileCheck %s --check-prefix=OUT

// IN-LABEL: func.func @sort(
// IN: xla.indexing = {{\[\[}}#xla.indexing_map<"(d0, d1)[s0] -> (d0, s0), domain: d0 in [0, 1], d1 in [0, 3], s0 in [0, 3]">], [{{\]\]}}, xla.indexing_1 = {{\[\[}}#xla.indexing_map<"(d0, d1)[s0] -> (d0, s0), domain: d0 in [0, 1], d1 in [0, 3], s0 in [0, 3]">], [#xla.indexing_map<"(d0, d1)[s0] -> (d0, s0), domain: d0 in [0, 1], d1 in [0, 3], s0 in [0, 3]">{{\]\]}}
// OUT-LABEL: func.func @sort(
// OUT: xla.indexing = {{\[\[}}#xla.indexing_map<"(d0, d1)[s0] -> (d0, s0), domain: d0 in [0, 1], d1 in [0, 3], s0 in [0, 3]">], [{{\]\]}}, xla.indexing_1 = {{\[\[}}#xla.indexing_map<"(d0, d1)[s0] -> (d0, s0), domain: d0 in [0, 1], d1 in [0, 3], s0 in [0, 3]">], [#xla.indexing_map<"(d0, d1)[s0] -> (d0, s0), domain: d0 in [0, 1], d1 in [0, 3], s0 in [0, 3]">{{\]\]}}
func.func @sort(%x: tensor<2x4xf32>, %y: tensor<2x4xi32>) {
  %0:2 = xla.sort(%x, %y) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>):
    %before = xla.compare %a, %b {comparison_direction = "GT"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    xla.return %before : tensor<i1>
  }) {dimension = 1} : (tensor<2x4xf32>, tensor<2x4xi32>) -> (tensor<2x4xf32>, tensor<2x4xi32>)
  return
}

// IN-LABEL: func.func @fft(
// IN: xla.indexing = {{\[\[}}#xla.indexing_map<"(d0, d1)[s0] -> (d0, s0), domain: d0 in [0, 4], d1 in [0, 8], s0 in [0, 15]">{{\]\]}}
// OUT-LABEL: func.func @fft(
// OUT: xla.indexing = {{\[\[}}#xla.indexing_map<"(d0, d1)[s0] -> (d0, s0), domain: d0 in [0, 4], d1 in [0, 15], s0 in [0, 8]">{{\]\]}}
func.func @fft(%x: tensor<5x16xf32>) {
  %0 = xla.fft %x {fft_type = "RFFT", fft_length = [16]} : (tensor<5x16xf32>) -> tensor<5x9xcomplex<f32>>
  return
}

// IN-LABEL: func.func @batch_norm(
// IN: xla.indexing = {{\[\[}}#xla.indexing_map<"(d0, d1, d2)[s0, s1] -> (s0, d1, s1), domain: d0 in [0, 7], d1 in [0, 2], d2 in [0, 4], s0 in [0, 7], s1 in [0, 4]">], [#xla.indexing_map<"(d0, d1, d2) -> (d1), domain: d0 in [0, 7], d1 in [0, 2], d2 in [0, 4]">], [#xla.indexing_map<"(d0, d1, d2) -> (d1), domain: d0 in [0, 7], d1 in [0, 2], d2 in [0, 4]">{{\]\]}}, xla.indexing_1 = {{\[\[}}#xla.indexing_map<"(d0)[s0, s1] -> (s0, d0, s1), domain: d0 in [0, 2], s0 in [0, 7], s1 in [0, 4]">], [], [{{\]\]}}, xla.indexing_2 = {{\[\[}}#xla.indexing_map<"(d0)[s0, s1] -> (s0, d0, s1), domain: d0 in [0, 2], s0 in [0, 7], s1 in [0, 4]">], [], [{{\]\]}}
// OUT-LABEL: func.func @batch_norm(
// OUT: xla.indexing = {{\[\[}}#xla.indexing_map<"(d0, d1, d2)[s0, s1] -> (s0, d1, s1), domain: d0 in [0, 7], d1 in [0, 2], d2 in [0, 4], s0 in [0, 7], s1 in [0, 4]">], [#xla.indexing_map<"(d0)[s0, s1] -> (s0, d0, s1), domain: d0 in [0, 2], s0 in [0, 7], s1 in [0, 4]">], [#xla.indexing_map<"(d0)[s0, s1] -> (s0, d0, s1), domain: d0 in [0, 2], s0 in [0, 7], s1 in [0, 4]">{{\]\]}}, xla.indexing_1 = {{\[\[}}#xla.indexing_map<"(d0, d1, d2) -> (d1), domain: d0 in [0, 7], d1 in [0, 2], d2 in [0, 4]">], [], [{{\]\]}}, xla.indexing_2 = {{\[\[}}#xla.indexing_map<"(d0, d1, d2) -> (d1), domain: d0 in [0, 7], d1 in [0, 2], d2 in [0, 4]">], [], [{{\]\]}}
func.func @batch_norm(%x: tensor<8x3x5xf32>, %s: tensor<3xf32>, %o: tensor<3xf32>) {
  %0:3 = xla.batch_norm_training %x, %s, %o {epsilon = 1.0e-3 : f32, feature_index = 1} : (tensor<8x3x5xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<8x3x5xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// IN-LABEL: func.func @cholesky(
// IN: xla.indexing = {{\[\[}}#xla.indexing_map<"(d0, d1, d2)[s0] -> (d0, d1, s0), domain: d0 in [0, 5], d1 in [0, 2], d2 in [0, 2], s0 in [0, 2], d1 - d2 in [0, 2], d2 - s0 in [0, 2]">, #xla.indexing_map<"(d0, d1, d2)[s0, s1] -> (d0, s0, s1), domain: d0 in [0, 5], d1 in [0, 2], d2 in [0, 2], s0 in [0, 2], s1 in [0, 2], d1 - d2 in [0, 2], d2 - s0 in [0, 2], s0 - s1 in [0, 2]">{{\]\]}}
// OUT-LABEL: func.func @cholesky(
// OUT: xla.indexing = {{\[\[}}#xla.indexing_map<"(d0, d1, d2)[s0] -> (d0, d1, s0), domain: d0 in [0, 5], d1 in [0, 2], d2 in [0, 2], s0 in [0, 2], d1 - s0 in [0, 2], d2 - s0 in [-2, 0]">, #xla.indexing_map<"(d0, d1, d2)[s0, s1] -> (d0, s0, s1), domain: d0 in [0, 5], d1 in [0, 2], d2 in [0, 2], s0 in [0, 2], s1 in [0, 2], d1 - d2 in [0, 2], d1 - s1 in [-2, 0], s0 - s1 in [0, 2]">{{\]\]}}
func.func @cholesky(%a: tensor<6x3x3xf32>) {
  %0 = xla.cholesky %a {lower = true} : tensor<6x3x3xf32>
  return
}

// IN-LABEL: func.func @triangular_solve(
// IN: xla.indexing = {{\[\[}}#xla.indexing_map<"(d0, d1)[s0, s1] -> (s1, s0), domain: d0 in [1, 2], d1 in [0, 1], s0 in [1, 2], s1 in [0, 1], d0 - s0 in [0, 1], s0 - s1 in [1, 2]">], [#xla.indexing_map<"(d0, d1)[s0] -> (s0, d1), domain: d0 in [0, 2], d1 in [0, 1], s0 in [0, 2], d0 - s0 in [0, 2]">{{\]\]}}
// OUT-LABEL: func.func @triangular_solve(
// OUT: xla.indexing = {{\[\[}}#xla.indexing_map<"(d0, d1)[s0, s1] -> (s0, s1), domain: d0 in [0, 1], d1 in [1, 2], s0 in [1, 2], s1 in [0, 1], d0 - d1 in [-2, -1], d1 - s0 in [-1, 0]">], [#xla.indexing_map<"(d0, d1)[s0] -> (s0, d1), domain: d0 in [0, 2], d1 in [0, 1], s0 in [0, 2], d0 - s0 in [-2, 0]">{{\]\]}}
func.func @triangular_solve(%a: tensor<3x3xf32>, %b: tensor<3x2xf32>) {
  %0 = xla.triangular_solve %a, %b {left_side = true, lower = false, unit_diagonal = true, transpose_a = "TRANSPOSE"} : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  return
}

// IN-LABEL: func.func @select_and_scatter(
// IN: xla.indexing = {{\[\[}}#xla.indexing_map<"(d0)[s0] -> ((d0 floordiv 2) * 2 + s0), domain: d0 in [0, 5], s0 in [0, 1]">], [#xla.indexing_map<"(d0) -> (d0 floordiv 2), domain: d0 in [0, 5]">], [#xla.indexing_map<"(d0) -> (), domain: d0 in [0, 5]">{{\]\]}}
// OUT-LABEL: func.func @select_and_scatter(
// OUT: xla.indexing = {{\[\[}}#xla.indexing_map<"(d0)[s0] -> ((d0 floordiv 2) * 2 + s0), domain: d0 in [0, 5], s0 in [0, 1]">], [#xla.indexing_map<"(d0)[s0] -> (d0 * 2 + s0), domain: d0 in [0, 2], s0 in [0, 1]">], [#xla.indexing_map<"()[s0] -> (s0), domain: s0 in [0, 5]">{{\]\]}}
func.func @select_and_scatter(%x: tensor<6xf32>, %back: tensor<3xf32>, %zero: tensor<f32>) {
  %0 = xla.select_and_scatter(%x, %back, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = xla.compare %a, %b {comparison_direction = "GE"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    xla.return %1 : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = xla.add %a, %b : tensor<f32>
    xla.return %1 : tensor<f32>
  }) {window_dimensions = [2], window_strides = [2]} : (tensor<6xf32>, tensor<3xf32>, tensor<f32>) -> tensor<6xf32>
  return
}

// IN-LABEL: func.func @scatter(
// IN: xla.indexing = {{\[\[}}#xla.indexing_map<"(d0, d1) -> (d0, d1), domain: d0 in [0, 7], d1 in [0, 2]">], [#xla.indexing_map<"(d0, d1)[s0, s1] -> (s0, s1), domain: d0 in [0, 7], d1 in [0, 2], s0 in [0, 4], s1 in [0, 0]">], [#xla.indexing_map<"(d0, d1)[s0]{rt0} -> (s0, d1), domain: d0 in [0, 7], d1 in [0, 2], s0 in [0, 4], rt0 in [0, 7], d0 - rt0 in [0, 0]">{{\]\]}}, xla.indexing_captured = {{\[\[}}#xla.indexing_map<"(d0, d1) -> (), domain: d0 in [0, 7], d1 in [0, 2]">{{\]\]}}
// OUT-LABEL: func.func @scatter(
// OUT: xla.indexing = {{\[\[}}#xla.indexing_map<"(d0, d1) -> (d0, d1), domain: d0 in [0, 7], d1 in [0, 2]">], [#xla.indexing_map<"(d0, d1)[s0, s1] -> (s0, s1), domain: d0 in [0, 4], d1 in [0, 0], s0 in [0, 7], s1 in [0, 2]">], [#xla.indexing_map<"(d0, d1)[s0]{rt0} -> (s0, d1), domain: d0 in [0, 4], d1 in [0, 2], s0 in [0, 7], rt0 in [0, 7], s0 - rt0 in [0, 0]">{{\]\]}}, xla.indexing_captured = {{\[\[}}#xla.indexing_map<"()[s0, s1] -> (s0, s1), domain: s0 in [0, 7], s1 in [0, 2]">{{\]\]}}
func.func @scatter(%x: tensor<8x3xf32>, %places: tensor<5x1xi32>, %updates: tensor<5x3xf32>, %captured: tensor<f32>) {
  %0 = xla.scatter(%x, %places, %updates) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = xla.add %a, %b : tensor<f32>
    %2 = xla.multiply %1, %captured : tensor<f32>
    xla.return %2 : tensor<f32>
  }) {update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<8x3xf32>, tensor<5x1xi32>, tensor<5x3xf32>) -> tensor<8x3xf32>
  return
}

// IN-LABEL: func.func @captured(
// IN: xla.indexing = {{\[\[}}#xla.indexing_map<"(d0, d1) -> (d0, d1), domain: d0 in [0, 1], d1 in [0, 2]">{{\]\]}}, xla.indexing_captured = {{\[\[}}#xla.indexing_map<"(d0, d1)[s0] -> (s0), domain: d0 in [0, 1], d1 in [0, 2], s0 in [0, 3]">], [#xla.indexing_map<"(d0, d1) -> (), domain: d0 in [0, 1], d1 in [0, 2]">{{\]\]}}
// OUT-LABEL: func.func @captured(
// OUT: xla.indexing = {{\[\[}}#xla.indexing_map<"(d0, d1) -> (d0, d1), domain: d0 in [0, 1], d1 in [0, 2]">{{\]\]}}, xla.indexing_captured = {{\[\[}}#xla.indexing_map<"(d0)[s0, s1] -> (s0, s1), domain: d0 in [0, 3], s0 in [0, 1], s1 in [0, 2]">], [#xla.indexing_map<"()[s0, s1] -> (s0, s1), domain: s0 in [0, 1], s1 in [0, 2]">{{\]\]}}
func.func @captured(%x: tensor<2x3xf32>, %all: tensor<4xf32>, %i: tensor<i32>) {
  %0 = xla.map(%x) ({
  ^bb0(%a: tensor<f32>):
    %1 = xla.dynamic_slice %all, %i {slice_sizes = [1]} : (tensor<4xf32>, tensor<i32>) -> tensor<1xf32>
    %2 = xla.reshape %1 : (tensor<1xf32>) -> tensor<f32>
    %3 = xla.add %a, %2 : tensor<f32>
    xla.return %3 : tensor<f32>
  }) {dimensions = [0, 1]} : tensor<2x3xf32>
  return
}

// IN-LABEL: func.func @collectives(
// IN: xla.indexing = {{\[\[}}#xla.indexing_map<"(d0, d1) -> (d0, d1 mod 4), domain: d0 in [0, 1], d1 in [0, 7]">{{\]\]}}
// IN: xla.indexing = {{\[\[}}#xla.indexing_map<"(d0, d1){rt0} -> (d0 mod 2, d1 + rt0 * 2), domain: d0 in [0, 3], d1 in [0, 1], rt0 in [0, 1]">{{\]\]}}
// IN: xla.indexing = {{\[\[}}#xla.indexing_map<"(d0, d1) -> (d0, d1), domain: d0 in [0, 1], d1 in [0, 3]">{{\]\]}}
// OUT-LABEL: func.func @collectives(
// OUT: xla.indexing = {{\[\[}}#xla.indexing_map<"(d0, d1)[s0] -> (d0, d1 + s0 * 4), domain: d0 in [0, 1], d1 in [0, 3], s0 in [0, 1]">{{\]\]}}
// OUT: xla.indexing = {{\[\[}}#xla.indexing_map<"(d0, d1)[s0]{rt0} -> (d0 + s0 * 2, d1 - rt0 * 2), domain: d0 in [0, 1], d1 in [0, 3], s0 in [0, 1], rt0 in [0, 1], d1 - rt0 * 2 in [0, 1]">{{\]\]}}
// OUT: xla.indexing = {{\[\[}}#xla.indexing_map<"(d0, d1) -> (d0, d1), domain: d0 in [0, 1], d1 in [0, 3]">{{\]\]}}
func.func @collectives(%x: tensor<2x4xf32>) {
  %0 = xla.all_gather %x {all_gather_dim = 1, shard_count = 2} : (tensor<2x4xf32>) -> tensor<2x8xf32>
  %1 = xla.all_to_all %x {split_dimension = 1, concat_dimension = 0, split_count = 2} : (tensor<2x4xf32>) -> tensor<4x2xf32>
  %2 = xla.cross_replica_sum %x : tensor<2x4xf32>
  return
}

// IN-LABEL: func.func @control_flow(
// IN: xla.indexing = [unit], xla.indexing_captured = [unit]
// OUT-LABEL: func.func @control_flow(
// OUT: xla.indexing = [unit], xla.indexing_captured = [unit]
func.func @control_flow(%p: tensor<i1>, %x: tensor<4xf32>) {
  %0 = xla.if(%p) ({
    xla.return %x : tensor<4xf32>
  }, {
    %1 = xla.negate %x : tensor<4xf32>
    xla.return %1 : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  return
}

// IN-LABEL: func.func @sizes(
// IN: xla.indexing = {{\[\[}}#xla.indexing_map<"(d0, d1) -> (d0, d1), domain: d0 in [0, 9], d1 in [0, 1]">], [#xla.indexing_map<"(d0, d1) -> (), domain: d0 in [0, 9], d1 in [0, 1]">{{\]\]}}
// IN: xla.indexing = {{\[\[}}{{\]\]}}
// OUT-LABEL: func.func @sizes(
// OUT: xla.indexing = {{\[\[}}#xla.indexing_map<"(d0, d1) -> (d0, d1), domain: d0 in [0, 9], d1 in [0, 1]">], [#xla.indexing_map<"()[s0, s1] -> (s0, s1), domain: s0 in [0, 9], s1 in [0, 1]">{{\]\]}}
// OUT: xla.indexing = {{\[\[}}{{\]\]}}
func.func @sizes(%x: tensor<10x2xf32>, %n: tensor<i32>) {
  %0 = xla.set_dimension_size %x, %n {dimension = 0} : (tensor<10x2xf32>, tensor<i32>) -> tensor<?x2xf32, #xla.array<bounds = [10, ?]>>
  %1 = xla.get_dimension_size %0 {dimension = 0} : (tensor<?x2xf32, #xla.array<bounds = [10, ?]>>) -> tensor<i32>
  return
}

// IN-LABEL: func.func @bits(
// IN: xla.indexing = {{\[\[}}#xla.indexing_map<"(d0, d1, d2) -> (d0, d1), domain: d0 in [0, 1], d1 in [0, 2], d2 in [0, 1]">{{\]\]}}
// IN: xla.indexing = {{\[\[}}#xla.indexing_map<"(d0)[s0] -> (d0, s0), domain: d0 in [0, 2], s0 in [0, 3]">{{\]\]}}
// OUT-LABEL: func.func @bits(
// OUT: xla.indexing = {{\[\[}}#xla.indexing_map<"(d0, d1)[s0] -> (d0, d1, s0), domain: d0 in [0, 1], d1 in [0, 2], s0 in [0, 1]">{{\]\]}}
// OUT: xla.indexing = {{\[\[}}#xla.indexing_map<"(d0, d1) -> (d0), domain: d0 in [0, 2], d1 in [0, 3]">{{\]\]}}
func.func @bits(%x: tensor<2x3xf32>, %y: tensor<3x4xui8>) {
  %0 = xla.bitcast_convert %x : (tensor<2x3xf32>) -> tensor<2x3x2xui16>
  %1 = xla.bitcast_convert %y : (tensor<3x4xui8>) -> tensor<3xf32>
  return
}

// IN-LABEL: func.func @random(
// IN: xla.indexing = {{\[\[}}#xla.indexing_map<"(d0) -> (), domain: d0 in [0, 4]">], [#xla.indexing_map<"(d0) -> (), domain: d0 in [0, 4]">{{\]\]}}
// IN: xla.indexing = {{\[\[}}#xla.indexing_map<"(d0)[s0] -> (s0), domain: d0 in [0, 1], s0 in [0, 1]">{{\]\]}}, xla.indexing_1 = {{\[\[}}#xla.indexing_map<"(d0, d1)[s0] -> (s0), domain: d0 in [0, 1], d1 in [0, 2], s0 in [0, 1]">{{\]\]}}
// OUT-LABEL: func.func @random(
// OUT: xla.indexing = {{\[\[}}#xla.indexing_map<"()[s0] -> (s0), domain: s0 in [0, 4]">], [#xla.indexing_map<"()[s0] -> (s0), domain: s0 in [0, 4]">{{\]\]}}
// OUT: xla.indexing = {{\[\[}}#xla.indexing_map<"(d0)[s0] -> (s0), domain: d0 in [0, 1], s0 in [0, 1]">{{\]\]}}, xla.indexing_1 = {{\[\[}}#xla.indexing_map<"(d0)[s0, s1] -> (s0, s1), domain: d0 in [0, 1], s0 in [0, 1], s1 in [0, 2]">{{\]\]}}
func.func @random(%a: tensor<f32>, %s: tensor<2xui64>) {
  %0 = xla.rng_uniform %a, %a : (tensor<f32>, tensor<f32>) -> tensor<5xf32>
  %1:2 = xla.rng_bit_generator %s {rng_algorithm = "PHILOX"} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x3xui32>)
  return
}
