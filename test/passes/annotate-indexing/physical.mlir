// Indices in memory, the slowest dimension first, by the layouts of the arrays.
// RUN: xla-opt %s --xla-annotate-indexing=physical=true | FileCheck %s --check-prefixes=CHECK,IN
// RUN: xla-opt %s --xla-annotate-indexing="physical=true direction=input-to-output" | FileCheck %s --check-prefixes=CHECK,OUT

!columns = tensor<10x20xf32, #xla.array<minor_to_major = [0, 1]>>

// Of arrays in one layout nothing is seen.
// CHECK-LABEL: @same(
// CHECK: "(d0, d1) -> (d0, d1), domain: d0 in [0, 19], d1 in [0, 9]"
func.func @same(%x: !columns) {
  %0 = xla.negate %x : !columns
  return
}

// A change of the layout is a transpose in memory, a transpose may be none.
// CHECK-LABEL: @transposes(
// IN: xla.add {{.*}}"(d0, d1) -> (d1, d0), domain: d0 in [0, 9], d1 in [0, 19]"{{.*}}"(d0, d1) -> (d0, d1), domain: d0 in [0, 9], d1 in [0, 19]"
// OUT: xla.add {{.*}}"(d0, d1) -> (d1, d0), domain: d0 in [0, 19], d1 in [0, 9]"{{.*}}"(d0, d1) -> (d0, d1), domain: d0 in [0, 9], d1 in [0, 19]"
// CHECK: xla.transpose {{.*}}"(d0, d1) -> (d0, d1), domain: d0 in [0, 19], d1 in [0, 9]"
func.func @transposes(%x: !columns, %y: tensor<10x20xf32>) {
  %0 = xla.add %x, %y : (!columns, tensor<10x20xf32>) -> tensor<10x20xf32>
  %1 = xla.transpose %x {permutation = array<i64: 1, 0>} : (!columns) -> tensor<20x10xf32>
  return
}

// Nothing is read for padding.
// CHECK-LABEL: @padded(
// IN: "(d0, d1) -> (d1, d0), domain: d0 in [0, 2], d1 in [0, 3]"
// OUT: "(d0, d1) -> (d1, d0), domain: d0 in [0, 3], d1 in [0, 2]"
func.func @padded(%x: tensor<4x3xf32, #xla.array<padded_dimensions = [8, 8]>>) {
  %0 = xla.negate %x : (tensor<4x3xf32, #xla.array<padded_dimensions = [8, 8]>>) -> tensor<4x3xf32, #xla.array<minor_to_major = [0, 1], padded_dimensions = [4, 4]>>
  return
}

// A bitcast, by its logical indices a transpose, moves nothing.
// CHECK-LABEL: @bitcast(
// CHECK: "(d0, d1) -> (d0, d1), domain: d0 in [0, 19], d1 in [0, 9]"
func.func @bitcast(%x: !columns) {
  %0 = xla.bitcast %x : (!columns) -> tensor<20x10xf32>
  return
}

// Range and runtime variables are what they are.
// CHECK-LABEL: @reads(
// IN: xla.reduce{{.*}}
// IN: "(d0)[s0] -> (s0, d0), domain: d0 in [0, 9], s0 in [0, 19]"
// IN: xla.dynamic_slice {{.*}}"(d0, d1){rt0, rt1} -> (d1 + rt1, d0 + rt0), domain: d0 in [0, 3], d1 in [0, 2], rt0 in [0, 6], rt1 in [0, 17]"
func.func @reads(%x: !columns, %zero: tensor<f32>, %i: tensor<i32>) {
  %0 = xla.reduce(%x, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = xla.add %a, %b : tensor<f32>
    xla.return %1 : tensor<f32>
  }) {dimensions = array<i64: 1>} : (!columns, tensor<f32>) -> tensor<10xf32>
  %2 = xla.dynamic_slice %x, %i, %i {slice_sizes = array<i64: 4, 3>} : (!columns, tensor<i32>, tensor<i32>) -> tensor<4x3xf32>
  return
}

// CHECK-LABEL: @fusion(
// IN: "(d0, d1) -> (d0, -d1 + 9), domain: d0 in [0, 19], d1 in [0, 9]"
func.func @fusion(%x: !columns) {
  %0 = xla.fusion(%x) ({
  ^bb0(%a: !columns):
    %1 = xla.reverse %a {dimensions = array<i64: 0>} : !columns
    %2 = xla.transpose %1 {permutation = array<i64: 1, 0>} : (!columns) -> tensor<20x10xf32>
    xla.return %2 : tensor<20x10xf32>
  }) {kind = "loop"} : (!columns) -> tensor<20x10xf32>
  return
}
