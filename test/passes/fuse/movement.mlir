// RUN: xla-opt %s --xla-fuse | FileCheck %s
// RUN: xla-opt %s --xla-fuse=device=gpu | FileCheck %s --check-prefix=GPU
// RUN: xla-opt %s --xla-fuse --xla-fuse | FileCheck %s
// RUN: xla-run %s --entry=chain --device=all --seed=1
// RUN: xla-run %s --entry=through_reshape --device=all --seed=1
// RUN: xla-run %s --entry=slices --device=all --seed=1
// RUN: xla-run %s --entry=slices_reshaped --device=all --seed=1
// RUN: xla-run %s --entry=column_reshaped --device=all --seed=1
// RUN: xla-run %s --entry=rows_of_slice --device=all --seed=1
// RUN: xla-run %s --entry=columns_of_slice --device=all --seed=1
// RUN: xla-run %s --entry=cut_across --device=all --seed=1
// RUN: xla-run %s --entry=with_transposed --device=all --seed=1
// RUN: xla-run %s --entry=shared_by_pieces --device=all --seed=1
// RUN: xla-run %s --entry=pieces_read_again --device=all --seed=1
// RUN: xla-run %s --entry=two_arrays --device=all --seed=1
// RUN: xla-run %s --entry=memory_of_its_own --device=all --seed=1
// RUN: xla-run %s --entry=mask --device=all --seed=1
// RUN: xla-run %s --entry=costly_mask --device=all --seed=1
// RUN: xla-run %s --entry=batch_norm --device=all --seed=1 --atol=1e-6
// RUN: xla-run %s --entry=result_too --device=all --seed=1
// RUN: xla-run %s --entry=empty --device=all --seed=1
// RUN: xla-run %s --entry=flat --device=all --seed=1
// RUN: xla-run %s --entry=at_two_places --device=all --seed=1
// RUN: xla-run %s --entry=across_factors --device=all --seed=1
// RUN: xla-run %s --entry=copies_of_copies --device=all --seed=1
// RUN: xla-run %s --entry=not_flat --device=all --seed=1
// RUN: xla-run %s --entry=padded_between --device=all --seed=1

// Data that moves through a loop nest needs no memory in between.
// CHECK-LABEL: @chain
// CHECK-NEXT: %[[R:.*]] = xla.fusion(%arg0) ({
// CHECK: xla.slice
// CHECK: xla.tanh %{{.*}} : tensor<30x36xf32>
// CHECK: xla.reshape
// CHECK: xla.transpose
// CHECK: xla.negate %{{.*}} : tensor<9x30x4xf32>
// CHECK: }) {kind = "loop"} : (tensor<64x48xf32>) -> tensor<9x30x4xf32>
// CHECK-NEXT: return %[[R]]
func.func @chain(%x: tensor<64x48xf32>) -> tensor<9x30x4xf32> {
  %s = xla.slice %x {limit_indices = array<i64: 62, 41>, start_indices = array<i64: 2, 5>, strides = array<i64: 2, 1>} : (tensor<64x48xf32>) -> tensor<30x36xf32>
  %t = xla.tanh %s : tensor<30x36xf32>
  %r = xla.reshape %t : (tensor<30x36xf32>) -> tensor<30x9x4xf32>
  %p = xla.transpose %r {permutation = array<i64: 1, 0, 2>} : (tensor<30x9x4xf32>) -> tensor<9x30x4xf32>
  %n = xla.negate %p : tensor<9x30x4xf32>
  return %n : tensor<9x30x4xf32>
}

// A reshape of what is in memory is a view, and stays outside.
// CHECK-LABEL: @through_reshape
// CHECK-NEXT: %[[V:.*]] = xla.reshape %arg1
// CHECK-NEXT: %[[R:.*]] = xla.fusion(%arg0, %[[V]]) ({
// CHECK: xla.exponential %{{.*}} : tensor<6x40xf32>
// CHECK: xla.reshape
// CHECK: xla.add %{{.*}} : tensor<6x8x5xf32>
// CHECK: kind = "loop"
// CHECK-NEXT: return %[[R]]
func.func @through_reshape(%x: tensor<6x40xf32>, %y: tensor<240xf32>) -> tensor<6x8x5xf32> {
  %e = xla.exponential %x : tensor<6x40xf32>
  %r = xla.reshape %e : (tensor<6x40xf32>) -> tensor<6x8x5xf32>
  %v = xla.reshape %y : (tensor<240xf32>) -> tensor<6x8x5xf32>
  %a = xla.add %r, %v : tensor<6x8x5xf32>
  return %a : tensor<6x8x5xf32>
}

// A slice is read by each that uses it.
// CHECK-LABEL: @slices
// CHECK-NEXT: xla.fusion(%arg0)
// CHECK: xla.slice
// CHECK: xla.sine
// CHECK: kind = "loop"
// CHECK-NEXT: xla.optimization_barrier
// CHECK-NEXT: xla.fusion(%arg0)
// CHECK: xla.slice
// CHECK: xla.reduce
// CHECK: kind = "row"
// CHECK-NEXT: return
func.func @slices(%x: tensor<8x64xf32>) -> (tensor<8x32xf32>, tensor<8xf32>) {
  %z = xla.constant dense<0.0> : tensor<f32>
  %s = xla.slice %x {limit_indices = array<i64: 8, 64>, start_indices = array<i64: 0, 32>, strides = array<i64: 1, 1>} : (tensor<8x64xf32>) -> tensor<8x32xf32>
  %a = xla.sine %s : tensor<8x32xf32>
  %b = xla.cosine %a : tensor<8x32xf32>
  %c = xla.optimization_barrier %b : tensor<8x32xf32>
  %m = xla.multiply %s, %s : tensor<8x32xf32>
  %r = xla.reduce(%m, %z) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %t = xla.add %p, %q : tensor<f32>
    xla.return %t : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<8x32xf32>, tensor<f32>) -> tensor<8xf32>
  %l = xla.log %r : tensor<8xf32>
  return %c, %l : tensor<8x32xf32>, tensor<8xf32>
}

// So is one that a reshape shows without dimensions of size 1.
// CHECK-LABEL: @slices_reshaped
// CHECK-NEXT: xla.fusion(%arg0)
// CHECK-NEXT: ^bb0(%{{.*}}: tensor<64x3x48xf32>):
// CHECK: xla.slice
// CHECK-NEXT: xla.reshape
// CHECK: kind = "reduce"
// CHECK-NEXT: xla.fusion(%arg0)
// CHECK-NEXT: ^bb0(%{{.*}}: tensor<64x3x48xf32>):
// CHECK: xla.slice
// CHECK-NEXT: xla.reshape
// CHECK: kind = "reduce"
// CHECK-NEXT: return
func.func @slices_reshaped(%x: tensor<64x3x48xf32>) -> (tensor<48xf32>, tensor<64xf32>) {
  %z = xla.constant dense<0.0> : tensor<f32>
  %s = xla.slice %x {limit_indices = array<i64: 64, 2, 48>, start_indices = array<i64: 0, 1, 0>} : (tensor<64x3x48xf32>) -> tensor<64x1x48xf32>
  %v = xla.reshape %s : (tensor<64x1x48xf32>) -> tensor<64x48xf32>
  %e = xla.exponential %v : tensor<64x48xf32>
  %c = xla.reduce(%e, %z) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %t = xla.add %p, %q : tensor<f32>
    xla.return %t : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<64x48xf32>, tensor<f32>) -> tensor<48xf32>
  %r = xla.reduce(%v, %z) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %t = xla.maximum %p, %q : tensor<f32>
    xla.return %t : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<64x48xf32>, tensor<f32>) -> tensor<64xf32>
  return %c, %r : tensor<48xf32>, tensor<64xf32>
}

// Each row has its element of a column.
// CHECK-LABEL: @column_reshaped
// CHECK-NEXT: %[[R:.*]] = xla.fusion(%arg0) ({
// CHECK: xla.slice
// CHECK-NEXT: xla.reshape
// CHECK: kind = "row"
// CHECK-NEXT: return %[[R]]
func.func @column_reshaped(%x: tensor<64x100xf32>) -> tensor<64x100xf32> {
  %z = xla.constant dense<0.0> : tensor<f32>
  %s = xla.slice %x {start_indices = array<i64: 0, 1>, limit_indices = array<i64: 64, 2>} : (tensor<64x100xf32>) -> tensor<64x1xf32>
  %v = xla.reshape %s : (tensor<64x1xf32>) -> tensor<64xf32>
  %b = xla.broadcast_in_dim %v {broadcast_dimensions = array<i64: 0>} : (tensor<64xf32>) -> tensor<64x100xf32>
  %a = xla.maximum %b, %x : tensor<64x100xf32>
  %r = xla.reduce(%a, %z) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %t = xla.add %p, %q : tensor<f32>
    xla.return %t : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<64x100xf32>, tensor<f32>) -> tensor<64xf32>
  %c = xla.broadcast_in_dim %r {broadcast_dimensions = array<i64: 0>} : (tensor<64xf32>) -> tensor<64x100xf32>
  %d = xla.divide %a, %c : tensor<64x100xf32>
  return %d : tensor<64x100xf32>
}

// CHECK-LABEL: @rows_of_slice
// CHECK-NEXT: %[[R:.*]] = xla.fusion(%arg0) ({
// CHECK: xla.exponential %{{.*}} : tensor<32x64xf32>
// CHECK: xla.slice
// CHECK: xla.reduce
// CHECK: kind = "row"
// CHECK-NEXT: return %[[R]]
func.func @rows_of_slice(%x: tensor<32x64xf32>) -> tensor<16x48xf32> {
  %z = xla.constant dense<0.0> : tensor<f32>
  %e = xla.exponential %x : tensor<32x64xf32>
  %s = xla.slice %e {limit_indices = array<i64: 32, 60>, start_indices = array<i64: 0, 12>, strides = array<i64: 2, 1>} : (tensor<32x64xf32>) -> tensor<16x48xf32>
  %r = xla.reduce(%s, %z) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %t = xla.add %p, %q : tensor<f32>
    xla.return %t : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<16x48xf32>, tensor<f32>) -> tensor<16xf32>
  %b = xla.broadcast_in_dim %r {broadcast_dimensions = array<i64: 0>} : (tensor<16xf32>) -> tensor<16x48xf32>
  %d = xla.divide %s, %b : tensor<16x48xf32>
  return %d : tensor<16x48xf32>
}

// CHECK-LABEL: @columns_of_slice
// CHECK-NEXT: %[[R:.*]] = xla.fusion(%arg0) ({
// CHECK: kind = "reduce"
// CHECK-NEXT: return %[[R]]
func.func @columns_of_slice(%x: tensor<32x64xf32>) -> tensor<48xf32> {
  %z = xla.constant dense<0.0> : tensor<f32>
  %e = xla.exponential %x : tensor<32x64xf32>
  %s = xla.slice %e {limit_indices = array<i64: 32, 60>, start_indices = array<i64: 0, 12>, strides = array<i64: 2, 1>} : (tensor<32x64xf32>) -> tensor<16x48xf32>
  %r = xla.reduce(%s, %z) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %t = xla.add %p, %q : tensor<f32>
    xla.return %t : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<16x48xf32>, tensor<f32>) -> tensor<48xf32>
  return %r : tensor<48xf32>
}

// Rows of 7 that are cut out of rows of 10 and laid end to end.
// CHECK-LABEL: @cut_across
// CHECK-NEXT: %[[R:.*]] = xla.fusion(%arg0) ({
// CHECK: xla.exponential %{{.*}} : tensor<60xf32>
// CHECK: kind = "loop"
// CHECK-NEXT: return %[[R]]
func.func @cut_across(%x: tensor<60xf32>) -> tensor<35xf32> {
  %e = xla.exponential %x : tensor<60xf32>
  %r = xla.reshape %e : (tensor<60xf32>) -> tensor<6x10xf32>
  %s = xla.slice %r {limit_indices = array<i64: 6, 9>, start_indices = array<i64: 1, 2>, strides = array<i64: 1, 1>} : (tensor<6x10xf32>) -> tensor<5x7xf32>
  %f = xla.reshape %s : (tensor<5x7xf32>) -> tensor<35xf32>
  %n = xla.negate %f : tensor<35xf32>
  return %n : tensor<35xf32>
}

// A value that is read at two places is not computed at both.
// CHECK-LABEL: @with_transposed
// CHECK-NEXT: %[[E:.*]] = xla.exponential
// CHECK-NEXT: xla.fusion(%[[E]])
func.func @with_transposed(%x: tensor<20x20xf32>) -> tensor<20x20xf32> {
  %e = xla.exponential %x : tensor<20x20xf32>
  %t = xla.transpose %e {permutation = array<i64: 1, 0>} : (tensor<20x20xf32>) -> tensor<20x20xf32>
  %a = xla.add %e, %t : tensor<20x20xf32>
  return %a : tensor<20x20xf32>
}

// Of two arrays, one would be read across the lanes as well.
// CHECK-LABEL: @two_arrays
// CHECK-NEXT: %[[M:.*]] = xla.multiply
// CHECK-NEXT: xla.fusion(%[[M]], %arg2)
func.func @two_arrays(%x: tensor<20x30xf32>, %y: tensor<20x30xf32>, %z: tensor<30x20xf32>) -> tensor<30x20xf32> {
  %m = xla.multiply %x, %y : tensor<20x30xf32>
  %t = xla.transpose %m {permutation = array<i64: 1, 0>} : (tensor<20x30xf32>) -> tensor<30x20xf32>
  %a = xla.add %t, %z : tensor<30x20xf32>
  return %a : tensor<30x20xf32>
}

// A costly vector for all rows is computed once, in memory of the kernel's own.
// CHECK-LABEL: @memory_of_its_own
// CHECK-NEXT: %[[R:.*]] = xla.fusion
// CHECK: xla.exponential %{{.*}} : tensor<40xf32>
// CHECK: kind = "loop"
// CHECK-NEXT: return %[[R]]
func.func @memory_of_its_own(%x: tensor<30x40xf32>, %v: tensor<40xf32>) -> tensor<30x40xf32> {
  %e = xla.exponential %v : tensor<40xf32>
  %b = xla.broadcast_in_dim %e {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<30x40xf32>
  %a = xla.add %x, %b : tensor<30x40xf32>
  return %a : tensor<30x40xf32>
}

// A cheap mask is computed in the rows that it is repeated in.
// CHECK-LABEL: @mask
// CHECK-NEXT: %[[R:.*]] = xla.fusion(%arg0) ({
// CHECK: xla.compare
// CHECK: kind = "row"
// CHECK-NEXT: return %[[R]]
func.func @mask(%x: tensor<4x64x64xf32>) -> tensor<4x64xf32> {
  %z = xla.constant dense<0.0> : tensor<4x64x64xf32>
  %s = xla.constant dense<0.0> : tensor<f32>
  %i = xla.iota {iota_dimension = 0 : i64} : () -> tensor<64x64xi32>
  %j = xla.iota {iota_dimension = 1 : i64} : () -> tensor<64x64xi32>
  %c = xla.compare %i, %j {comparison_direction = "GE"} : (tensor<64x64xi32>, tensor<64x64xi32>) -> tensor<64x64xi1>
  %b = xla.broadcast_in_dim %c {broadcast_dimensions = array<i64: 1, 2>} : (tensor<64x64xi1>) -> tensor<4x64x64xi1>
  %m = xla.select %b, %x, %z : (tensor<4x64x64xi1>, tensor<4x64x64xf32>, tensor<4x64x64xf32>) -> tensor<4x64x64xf32>
  %r = xla.reduce(%m, %s) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %t = xla.add %p, %q : tensor<f32>
    xla.return %t : tensor<f32>
  }) {dimensions = array<i64: 2>} : (tensor<4x64x64xf32>, tensor<f32>) -> tensor<4x64xf32>
  %l = xla.log %r : tensor<4x64xf32>
  return %l : tensor<4x64xf32>
}

// CHECK-LABEL: @costly_mask
// CHECK-NEXT: %[[E:.*]] = xla.exponential
// CHECK-NEXT: xla.fusion(%[[E]], %arg0)
func.func @costly_mask(%x: tensor<4x64x64xf32>, %y: tensor<64x64xf32>) -> tensor<4x64xf32> {
  %s = xla.constant dense<0.0> : tensor<f32>
  %e = xla.exponential %y : tensor<64x64xf32>
  %b = xla.broadcast_in_dim %e {broadcast_dimensions = array<i64: 1, 2>} : (tensor<64x64xf32>) -> tensor<4x64x64xf32>
  %m = xla.multiply %b, %x : tensor<4x64x64xf32>
  %r = xla.reduce(%m, %s) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %t = xla.maximum %p, %q : tensor<f32>
    xla.return %t : tensor<f32>
  }) {dimensions = array<i64: 2>} : (tensor<4x64x64xf32>, tensor<f32>) -> tensor<4x64xf32>
  %l = xla.tanh %r : tensor<4x64xf32>
  return %l : tensor<4x64xf32>
}

// CHECK-LABEL: @batch_norm
// CHECK-NEXT: %[[R:.*]] = xla.fusion
// CHECK: kind = "loop"
// CHECK-NEXT: return %[[R]]
func.func @batch_norm(%x: tensor<2x7x5x24xf32>, %mean: tensor<24xf32>, %v: tensor<24xf32>, %g: tensor<24xf32>) -> tensor<2x7x5x24xf32> {
  %eps = xla.constant dense<1.0e+1> : tensor<24xf32>
  %mb = xla.broadcast_in_dim %mean {broadcast_dimensions = array<i64: 3>} : (tensor<24xf32>) -> tensor<2x7x5x24xf32>
  %c = xla.subtract %x, %mb : tensor<2x7x5x24xf32>
  %ve = xla.add %v, %eps : tensor<24xf32>
  %rs = xla.rsqrt %ve : tensor<24xf32>
  %w = xla.multiply %rs, %g : tensor<24xf32>
  %wb = xla.broadcast_in_dim %w {broadcast_dimensions = array<i64: 3>} : (tensor<24xf32>) -> tensor<2x7x5x24xf32>
  %r = xla.multiply %c, %wb : tensor<2x7x5x24xf32>
  return %r : tensor<2x7x5x24xf32>
}

// What is needed whole is not computed at the places of a slice alone.
// CHECK-LABEL: @result_too
// CHECK-NEXT: %[[E:.*]] = xla.exponential
// CHECK-NEXT: xla.fusion(%[[E]])
func.func @result_too(%x: tensor<40xf32>) -> (tensor<40xf32>, tensor<10xf32>) {
  %e = xla.exponential %x : tensor<40xf32>
  %s = xla.slice %e {limit_indices = array<i64: 40>, start_indices = array<i64: 30>, strides = array<i64: 1>} : (tensor<40xf32>) -> tensor<10xf32>
  %n = xla.sine %s : tensor<10xf32>
  return %e, %n : tensor<40xf32>, tensor<10xf32>
}

// CHECK-LABEL: @empty
func.func @empty(%x: tensor<4x0xf32>) -> tensor<0x2xf32> {
  %e = xla.exponential %x : tensor<4x0xf32>
  %s = xla.slice %e {limit_indices = array<i64: 2, 0>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<4x0xf32>) -> tensor<2x0xf32>
  %t = xla.transpose %s {permutation = array<i64: 1, 0>} : (tensor<2x0xf32>) -> tensor<0x2xf32>
  %n = xla.negate %t : tensor<0x2xf32>
  return %n : tensor<0x2xf32>
}

// Elements are read in row-major order, in whatever shape they are.
// CHECK-LABEL: @flat
// CHECK-NEXT: xla.optimization_barrier
// CHECK-NEXT: %[[R:.*]] = xla.fusion
// CHECK: xla.tanh %{{.*}} : tensor<64x48xf32>
// CHECK: xla.add %{{.*}} : tensor<96x32xf32>
// CHECK: kind = "loop"
// CHECK-NEXT: return %[[R]]
func.func @flat(%x: tensor<64x48xf32>, %y: tensor<96x32xf32>) -> tensor<96x32xf32> {
  %0 = xla.optimization_barrier %x : tensor<64x48xf32>
  %1 = xla.tanh %0 : tensor<64x48xf32>
  %2 = xla.reshape %1 : (tensor<64x48xf32>) -> tensor<96x32xf32>
  %3 = xla.add %2, %y : tensor<96x32xf32>
  return %3 : tensor<96x32xf32>
}

// Not so where dimensions matter.
// CHECK-LABEL: @not_flat
// CHECK-NEXT: %[[S:.*]] = xla.fusion
// CHECK: xla.sine
// CHECK: xla.fusion(%arg0, %[[S]],
// CHECK-NOT: xla.sine
// CHECK: xla.multiply
// CHECK: xla.add
func.func @not_flat(%x: tensor<64x48xf32>, %b: tensor<48xf32>, %y: tensor<96x32xf32>) -> tensor<96x32xf32> {
  %0 = xla.broadcast_in_dim %b {broadcast_dimensions = array<i64: 1>} : (tensor<48xf32>) -> tensor<64x48xf32>
  %s = xla.sine %0 : tensor<64x48xf32>
  %1 = xla.multiply %x, %s : tensor<64x48xf32>
  %2 = xla.reshape %1 : (tensor<64x48xf32>) -> tensor<96x32xf32>
  %3 = xla.add %2, %y : tensor<96x32xf32>
  return %3 : tensor<96x32xf32>
}

// What is padded between its elements is computed once for each.
// CHECK-LABEL: @padded_between
// CHECK-NEXT: %[[R:.*]] = xla.fusion
// CHECK: xla.tanh
// CHECK: xla.pad
// CHECK: xla.add
// CHECK: kind = "loop"
// CHECK-NEXT: return %[[R]]
func.func @padded_between(%x: tensor<64x64xf32>, %y: tensor<129x190xf32>) -> tensor<129x190xf32> {
  %z = xla.constant dense<0.0> : tensor<f32>
  %t = xla.tanh %x : tensor<64x64xf32>
  %p = xla.pad %t, %z {edge_padding_low = array<i64: 1, 0>, edge_padding_high = array<i64: 1, 0>, interior_padding = array<i64: 1, 2>} : (tensor<64x64xf32>, tensor<f32>) -> tensor<129x190xf32>
  %a = xla.add %p, %y : tensor<129x190xf32>
  return %a : tensor<129x190xf32>
}

// What is computed by each that uses it takes what it is computed from along.
// CHECK-LABEL: @copies_of_copies
// CHECK-NEXT: xla.fusion(%arg0, %arg1)
// CHECK: xla.broadcast_in_dim
// CHECK: xla.multiply
// CHECK: xla.sine
// CHECK: kind
// CHECK-NEXT: xla.fusion(%arg0, %arg1)
// CHECK: xla.broadcast_in_dim
// CHECK: xla.multiply
// CHECK: xla.negate
// CHECK: kind
// CHECK-NEXT: return
func.func @copies_of_copies(%x: tensor<64x48xf32>, %b: tensor<48xf32>) -> (tensor<64x48xf32>, tensor<48x64xf32>) {
  %0 = xla.broadcast_in_dim %b {broadcast_dimensions = array<i64: 1>} : (tensor<48xf32>) -> tensor<64x48xf32>
  %m = xla.multiply %x, %0 : tensor<64x48xf32>
  %s = xla.sine %m : tensor<64x48xf32>
  %t = xla.transpose %m {permutation = array<i64: 1, 0>} : (tensor<64x48xf32>) -> tensor<48x64xf32>
  %n = xla.negate %t : tensor<48x64xf32>
  return %s, %n : tensor<64x48xf32>, tensor<48x64xf32>
}

// What is needed at several places is computed at each, if these are no more
// than it has elements.
// CHECK-LABEL: @at_two_places
// CHECK-NEXT: %[[R:.*]] = xla.fusion(%arg0)
// CHECK: xla.exponential
// CHECK: xla.add
// CHECK: kind = "loop"
// CHECK-NEXT: return %[[R]]
func.func @at_two_places(%x: tensor<64x100xf32>) -> tensor<64x40xf32> {
  %e = xla.exponential %x : tensor<64x100xf32>
  %a = xla.slice %e {start_indices = array<i64: 0, 3>, limit_indices = array<i64: 64, 43>} : (tensor<64x100xf32>) -> tensor<64x40xf32>
  %b = xla.slice %e {start_indices = array<i64: 0, 60>, limit_indices = array<i64: 64, 100>} : (tensor<64x100xf32>) -> tensor<64x40xf32>
  %s = xla.add %a, %b : tensor<64x40xf32>
  return %s : tensor<64x40xf32>
}

// Places that loads have to compute are no matter for graphics cards, and for processors where they are few.
// CHECK-LABEL: @across_factors
// CHECK-NEXT: %[[R:.*]] = xla.fusion(%arg0)
// CHECK-COUNT-1: kind = "loop"
// CHECK-NEXT: return %[[R]]
// GPU-LABEL: @across_factors
// GPU-NEXT: %[[R:.*]] = xla.fusion(%arg0)
// GPU-COUNT-1: kind = "loop"
// GPU-NEXT: return %[[R]]
func.func @across_factors(%x: tensor<64x10x6xf32>) -> tensor<64x5xf32> {
  %e = xla.exponential %x : tensor<64x10x6xf32>
  %i = xla.slice %e {start_indices = array<i64: 0, 0, 1>, limit_indices = array<i64: 64, 10, 5>} : (tensor<64x10x6xf32>) -> tensor<64x10x4xf32>
  %r = xla.reshape %i : (tensor<64x10x4xf32>) -> tensor<64x40xf32>
  %a = xla.slice %r {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 64, 5>} : (tensor<64x40xf32>) -> tensor<64x5xf32>
  %b = xla.slice %r {start_indices = array<i64: 0, 5>, limit_indices = array<i64: 64, 10>} : (tensor<64x40xf32>) -> tensor<64x5xf32>
  %s = xla.add %a, %b : tensor<64x5xf32>
  return %s : tensor<64x5xf32>
}

// Many of them cost a processor more than memory.
// CHECK-LABEL: @across_many_factors
// CHECK-COUNT-2: kind = "loop"
// CHECK: return
// GPU-LABEL: @across_many_factors
// GPU-COUNT-1: kind = "loop"
// GPU-NEXT: return
func.func @across_many_factors(%x: tensor<1000x11x34xf32>) -> tensor<1000x165xf32> {
  %e = xla.tanh %x : tensor<1000x11x34xf32>
  %i = xla.slice %e {start_indices = array<i64: 0, 0, 1>, limit_indices = array<i64: 1000, 11, 33>} : (tensor<1000x11x34xf32>) -> tensor<1000x11x32xf32>
  %r = xla.reshape %i : (tensor<1000x11x32xf32>) -> tensor<1000x352xf32>
  %a = xla.slice %r {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 1000, 165>} : (tensor<1000x352xf32>) -> tensor<1000x165xf32>
  %b = xla.slice %r {start_indices = array<i64: 0, 165>, limit_indices = array<i64: 1000, 330>} : (tensor<1000x352xf32>) -> tensor<1000x165xf32>
  %s = xla.add %a, %b : tensor<1000x165xf32>
  return %s : tensor<1000x165xf32>
}

// Between factors views with strides show them.
// CHECK-LABEL: @along_factors
// CHECK-COUNT-1: kind = "loop"
// CHECK-NEXT: return
func.func @along_factors(%x: tensor<1000x11x34xf32>) -> tensor<1000x160xf32> {
  %e = xla.tanh %x : tensor<1000x11x34xf32>
  %i = xla.slice %e {start_indices = array<i64: 0, 0, 1>, limit_indices = array<i64: 1000, 11, 33>} : (tensor<1000x11x34xf32>) -> tensor<1000x11x32xf32>
  %r = xla.reshape %i : (tensor<1000x11x32xf32>) -> tensor<1000x352xf32>
  %a = xla.slice %r {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 1000, 160>} : (tensor<1000x352xf32>) -> tensor<1000x160xf32>
  %b = xla.slice %r {start_indices = array<i64: 0, 160>, limit_indices = array<i64: 1000, 320>} : (tensor<1000x352xf32>) -> tensor<1000x160xf32>
  %s = xla.add %a, %b : tensor<1000x160xf32>
  return %s : tensor<1000x160xf32>
}

// What is concatenated is written in one loop: both have %e in common.
// CHECK-LABEL: @shared_by_pieces
// CHECK-COUNT-1: kind = "loop"
// CHECK-NEXT: return
func.func @shared_by_pieces(%x: tensor<70000xf32>, %y: tensor<70000xf32>) -> tensor<70000x2xf32> {
  %e = xla.tanh %x : tensor<70000xf32>
  %a = xla.add %e, %y : tensor<70000xf32>
  %b = xla.subtract %y, %e : tensor<70000xf32>
  %c = xla.reshape %a : (tensor<70000xf32>) -> tensor<70000x1xf32>
  %d = xla.reshape %b : (tensor<70000xf32>) -> tensor<70000x1xf32>
  %s = xla.concatenate %c, %d {dimension = 1} : (tensor<70000x1xf32>, tensor<70000x1xf32>) -> tensor<70000x2xf32>
  return %s : tensor<70000x2xf32>
}

// Here the loop goes over what is made of it.
// CHECK-LABEL: @pieces_read_again
// CHECK-NEXT: xla.tanh
// CHECK-NEXT: xla.fusion
// CHECK: xla.concatenate
// CHECK-NEXT: xla.exponential
func.func @pieces_read_again(%x: tensor<70000xf32>, %y: tensor<70000xf32>) -> tensor<70000x2xf32> {
  %e = xla.tanh %x : tensor<70000xf32>
  %a = xla.add %e, %y : tensor<70000xf32>
  %b = xla.subtract %y, %e : tensor<70000xf32>
  %c = xla.reshape %a : (tensor<70000xf32>) -> tensor<70000x1xf32>
  %d = xla.reshape %b : (tensor<70000xf32>) -> tensor<70000x1xf32>
  %s = xla.concatenate %c, %d {dimension = 1} : (tensor<70000x1xf32>, tensor<70000x1xf32>) -> tensor<70000x2xf32>
  %t = xla.exponential %s : tensor<70000x2xf32>
  return %t : tensor<70000x2xf32>
}
