// From an element of a fusion's result to what is computed for it in the fusion.
// RUN: xla-opt %s --xla-annotate-indexing > %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: xla-opt %t.mlir --xla-annotate-indexing | diff %t.mlir -
// RUN: xla-opt %s --xla-annotate-indexing=direction=input-to-output | FileCheck %s --check-prefix=BACK

// CHECK-LABEL: func.func @softmax(
// CHECK: xla.constant {{.*}}xla.indexing_from_root = {{\[\[}}#xla.indexing_map<"(d0, d1) -> (), domain: d0 in [0, 7], d1 in [0, 15]">{{\]\]}}
// CHECK: xla.reduce
// CHECK: xla.indexing_from_root = {{\[\[}}#xla.indexing_map<"(d0, d1) -> (d0), domain: d0 in [0, 7], d1 in [0, 15]">{{\]\]}}
// The sum needs a whole row of exponentials, the quotient one.
// CHECK: xla.exponential {{.*}}xla.indexing_from_root = {{\[\[}}#xla.indexing_map<"(d0, d1) -> (d0, d1), domain: d0 in [0, 7], d1 in [0, 15]">, #xla.indexing_map<"(d0, d1)[s0] -> (d0, s0), domain: d0 in [0, 7], d1 in [0, 15], s0 in [0, 15]">{{\]\]}}
// BACK-LABEL: func.func @softmax(
// BACK: xla.reduce
// BACK: xla.indexing_from_root = {{\[\[}}#xla.indexing_map<"(d0)[s0] -> (d0, s0), domain: d0 in [0, 7], s0 in [0, 15]">{{\]\]}}
func.func @softmax(%p: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %0 = xla.fusion(%p) ({
  ^bb0(%x: tensor<8x16xf32>):
    %zero = xla.constant dense<0.0> : tensor<f32>
    %top = xla.reduce(%x, %zero) ({
    ^bb0(%m: tensor<f32>, %n: tensor<f32>):
      %t = xla.maximum %m, %n : tensor<f32>
      xla.return %t : tensor<f32>
    }) {dimensions = array<i64: 1>} : (tensor<8x16xf32>, tensor<f32>) -> tensor<8xf32>
    %shifted = xla.subtract %x, %top {broadcast_dimensions = array<i64: 0>} : (tensor<8x16xf32>, tensor<8xf32>) -> tensor<8x16xf32>
    %e = xla.exponential %shifted : tensor<8x16xf32>
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

// Of two results, what one does not need; places that are known outside.
// CHECK-LABEL: func.func @two_results(
// CHECK: xla.negate {{.*}}xla.indexing_from_root = {{\[\[}}#xla.indexing_map<"(d0) -> (d0 * 2 + 1), domain: d0 in [0, 3]">{{\]\]}}, xla.indexing_from_root_1 = {{\[\[\]\]}}
// CHECK: xla.gather {{.*}}xla.indexing_from_root = {{\[\[}}#xla.indexing_map<"(d0) -> (d0), domain: d0 in [0, 3]">{{\]\]}}, xla.indexing_from_root_1 = {{\[\[\]\]}}
// CHECK: xla.reverse {{.*}}xla.indexing_from_root = {{\[\[\]\]}}, xla.indexing_from_root_1 = {{\[\[}}#xla.indexing_map<"(d0) -> (d0), domain: d0 in [0, 8]">{{\]\]}}
func.func @two_results(%p: tensor<9xf32>) -> (tensor<4xf32>, tensor<9xf32>) {
  %i = xla.constant dense<[[1], [3], [5], [7]]> : tensor<4x1xi32>
  %0, %1 = xla.fusion(%p, %i) ({
  ^bb0(%x: tensor<9xf32>, %at: tensor<4x1xi32>):
    %n = xla.negate %x : tensor<9xf32>
    %g = xla.gather %n, %at {collapsed_slice_dims = array<i64: 0>, start_index_map = array<i64: 0>, index_vector_dim = 1, slice_sizes = array<i64: 1>} : (tensor<9xf32>, tensor<4x1xi32>) -> tensor<4xf32>
    %r = xla.reverse %x {dimensions = array<i64: 0>} : tensor<9xf32>
    xla.return %g, %r : tensor<4xf32>, tensor<9xf32>
  }) {kind = "loop"} : (tensor<9xf32>, tensor<4x1xi32>) -> (tensor<4xf32>, tensor<9xf32>)
  return %0, %1 : tensor<4xf32>, tensor<9xf32>
}
