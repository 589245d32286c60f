// Arrays whose sizes a run tells, compiled: what lies beyond a size is NaN, and counts nowhere. The CPU agrees with the
// interpreter (../vulkan/dynamic-sizes.test: so do other devices) for no rows, one, some and all of them.
// RUN: split-file %s %t
// RUN: %{python} %S/Inputs/sizes.py %xla-run %t/all.mlir cpu 6x5 | FileCheck %s
// RUN: %{python} %S/Inputs/sizes.py %xla-run %t/cpu.mlir cpu 6x5 | FileCheck %s --check-prefix=CPU
// RUN: not xla-run %t/errors.mlir --entry=add --device=cpu --input=3xf32=1 --input=2xf32=1 2>&1 | FileCheck %t/errors.mlir --check-prefix=ADD
// RUN: not xla-run %t/errors.mlir --entry=batch_norm --device=cpu --input=3x3xf32=1 --input=2xf32=1 2>&1 | FileCheck %t/errors.mlir --check-prefix=NORM
// RUN: not xla-run %t/errors.mlir --entry=dot --device=cpu --input=3xf32=1 --input=2xf32=1 2>&1 | FileCheck %t/errors.mlir --check-prefix=DOT
// RUN: not xla-run %t/errors.mlir --entry=square --device=cpu --input=3x2xf32=1 2>&1 | FileCheck %t/errors.mlir --check-prefix=SQUARE
// RUN: not xla-run %t/errors.mlir --entry=top_k --device=cpu --input=1xf32=1 2>&1 | FileCheck %t/errors.mlir --check-prefix=TOPK
// RUN: not xla-run %t/errors.mlir --entry=top_k --device=interpreter --input=1xf32=1 2>&1 | FileCheck %t/errors.mlir --check-prefix=TOPK
// RUN: xla-run %t/errors.mlir --entry=top_k --device=all --input="3xf32=1 3 2" | FileCheck %t/errors.mlir --check-prefix=LARGEST
// RUN: not xla-run %t/errors.mlir --entry=windows --device=cpu --input=3xf32=1 --input=3xf32=1 2>&1 | FileCheck %t/errors.mlir --check-prefix=WINDOWS
// RUN: xla-run %t/errors.mlir --entry=windows --device=all --input="150xf32=random:3" --input=2xf32=1 | FileCheck %t/errors.mlir --check-prefix=LARGE
// RUN: not xla-run %t/errors.mlir --entry=concatenate --device=cpu --input=3x3xf32=1 --input=2x3xf32=1 2>&1 | FileCheck %t/errors.mlir --check-prefix=CONCATENATE
// RUN: not xla-run %t/errors.mlir --entry=slice --device=cpu --input=3xf32=1 2>&1 | FileCheck %t/errors.mlir --check-prefix=SLICE
// RUN: not xla-run %t/errors.mlir --entry=update --device=cpu --input=3xf32=1 --input=2xf32=1 2>&1 | FileCheck %t/errors.mlir --check-prefix=UPDATE
// RUN: not xla-run %t/errors.mlir --entry=pad --device=cpu --input=1xf32=1 2>&1 | FileCheck %t/errors.mlir --check-prefix=PAD
// RUN: not xla-run %t/errors.mlir --entry=reshape --device=cpu --input=3xf32=1 2>&1 | FileCheck %t/errors.mlir --check-prefix=RESHAPE
// RUN: not xla-run %t/errors.mlir --entry=static --device=cpu --input=3xf32=1 2>&1 | FileCheck %t/errors.mlir --check-prefix=STATIC
// RUN: not xla-run %t/errors.mlir --entry=static --device=cpu --input=5xf32=1 2>&1 | FileCheck %t/errors.mlir --check-prefix=INPUT
// RUN: not xla-run %t/errors.mlir --entry=cut --device=cpu --input=4xf32=1 --input=s32=-1 2>&1 | FileCheck %t/errors.mlir --check-prefix=NEGATIVE
// RUN: not xla-run %t/errors.mlir --entry=grow --device=cpu --input=3xf32=1 --input=s32=4 2>&1 | FileCheck %t/errors.mlir --check-prefix=GROW
// RUN: xla-run %t/errors.mlir --entry=static --device=cpu --input="4xf32=1 2 3 4" | FileCheck %t/errors.mlir --check-prefix=WHOLE
// RUN: not xla-run %t/errors.mlir --entry=forged --device=cpu --input="4xf32=1 2 3 4" 2>&1 | FileCheck %t/errors.mlir --check-prefix=FORGED
// CHECK: {{^}}14 functions agree
// CPU: {{^}}8 functions agree

//--- all.mlir
!m = tensor<?x?xf32, #xla.array<bounds = [6, 5]>>
!r = tensor<?xf32, #xla.array<bounds = [6]>>
!c = tensor<?xf32, #xla.array<bounds = [5]>>

func.func private @cut(%x: tensor<6x5xf32>, %n: tensor<i32>, %k: tensor<i32>) -> !m {
  %0 = xla.set_dimension_size %x, %n {dimension = 0} : (tensor<6x5xf32>, tensor<i32>) -> tensor<?x5xf32, #xla.array<bounds = [6, ?]>>
  %1 = xla.set_dimension_size %0, %k {dimension = 1} : (tensor<?x5xf32, #xla.array<bounds = [6, ?]>>, tensor<i32>) -> !m
  return %1 : !m
}

func.func @sizes(%x: tensor<6x5xf32>, %n: tensor<i32>, %k: tensor<i32>) -> (tensor<i32>, tensor<i32>) {
  %0 = func.call @cut(%x, %n, %k) : (tensor<6x5xf32>, tensor<i32>, tensor<i32>) -> !m
  %1 = xla.transpose %0 {permutation = [1, 0]} : (!m) -> tensor<?x?xf32, #xla.array<bounds = [5, 6]>>
  %2 = xla.get_dimension_size %1 {dimension = 0} : (tensor<?x?xf32, #xla.array<bounds = [5, 6]>>) -> tensor<i32>
  %3 = xla.get_dimension_size %1 {dimension = 1} : (tensor<?x?xf32, #xla.array<bounds = [5, 6]>>) -> tensor<i32>
  return %2, %3 : tensor<i32>, tensor<i32>
}

// Softmax: two reductions, and broadcasts of their results.
func.func @softmax(%x: tensor<6x5xf32>, %n: tensor<i32>, %k: tensor<i32>) -> !m {
  %0 = func.call @cut(%x, %n, %k) : (tensor<6x5xf32>, tensor<i32>, tensor<i32>) -> !m
  %low = xla.constant dense<0xFF800000> : tensor<f32>
  %zero = xla.constant dense<0.0> : tensor<f32>
  %max = xla.reduce(%0, %low) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = xla.maximum %a, %b : tensor<f32>
    return %1 : tensor<f32>
  }) {dimensions = [1]} : (!m, tensor<f32>) -> !r
  %2 = xla.subtract %0, %max {broadcast_dimensions = [0]} : (!m, !r) -> !m
  %3 = xla.exponential %2 : !m
  %sum = xla.reduce(%3, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = xla.add %a, %b : tensor<f32>
    return %1 : tensor<f32>
  }) {dimensions = [1]} : (!m, tensor<f32>) -> !r
  %4 = xla.divide %3, %sum {broadcast_dimensions = [0]} : (!m, !r) -> !m
  return %4 : !m
}

// The init value counts once, and none of the operations has a neutral element in its type.
func.func @reductions(%x: tensor<6x5xf32>, %n: tensor<i32>, %k: tensor<i32>) -> (!c, tensor<f32>, tensor<i32>, !r, tensor<f32>, tensor<i32>) {
  %0 = func.call @cut(%x, %n, %k) : (tensor<6x5xf32>, tensor<i32>, tensor<i32>) -> !m
  %seven = xla.constant dense<7.0> : tensor<f32>
  %one = xla.constant dense<1> : tensor<i32>
  %product = xla.reduce(%0, %seven) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = xla.multiply %b, %a : tensor<f32>
    return %1 : tensor<f32>
  }) {dimensions = [0]} : (!m, tensor<f32>) -> !c
  %least = xla.reduce(%0, %seven) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = xla.minimum %a, %b : tensor<f32>
    return %1 : tensor<f32>
  }) {dimensions = [0, 1]} : (!m, tensor<f32>) -> tensor<f32>
  %whole = xla.convert %0 : (!m) -> tensor<?x?xi32, #xla.array<bounds = [6, 5]>>
  %most = xla.reduce(%whole, %one) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %1 = xla.maximum %a, %b : tensor<i32>
    return %1 : tensor<i32>
  }) {dimensions = [0, 1]} : (tensor<?x?xi32, #xla.array<bounds = [6, 5]>>, tensor<i32>) -> tensor<i32>
  %squares = xla.reduce(%0, %seven) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = xla.abs %b : tensor<f32>
    %2 = xla.maximum %a, %1 : tensor<f32>
    return %2 : tensor<f32>
  }) {dimensions = [1]} : (!m, tensor<f32>) -> !r
  %rows = xla.reduce(%squares, %seven) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = xla.add %a, %b : tensor<f32>
    return %1 : tensor<f32>
  }) {dimensions = [0]} : (!r, tensor<f32>) -> tensor<f32>
  return %product, %least, %most, %squares, %rows, %one : !c, tensor<f32>, tensor<i32>, !r, tensor<f32>, tensor<i32>
}

func.func @dot(%x: tensor<6x5xf32>, %n: tensor<i32>, %k: tensor<i32>) -> (tensor<?x?xf32, #xla.array<bounds = [6, 6]>>, tensor<?x?xf32, #xla.array<bounds = [5, 5]>>, tensor<?x5xf32, #xla.array<bounds = [6, ?]>>, !r) {
  %0 = func.call @cut(%x, %n, %k) : (tensor<6x5xf32>, tensor<i32>, tensor<i32>) -> !m
  %1 = xla.dot_general %0, %0 {lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]} : (!m, !m) -> tensor<?x?xf32, #xla.array<bounds = [6, 6]>>
  %2 = xla.dot_general %0, %0 {lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]} : (!m, !m) -> tensor<?x?xf32, #xla.array<bounds = [5, 5]>>
  %w = xla.constant dense<2.0> : tensor<5x5xf32>
  %rows = xla.set_dimension_size %w, %k {dimension = 0} : (tensor<5x5xf32>, tensor<i32>) -> tensor<?x5xf32, #xla.array<bounds = [5, ?]>>
  %3 = xla.dot %0, %rows : (!m, tensor<?x5xf32, #xla.array<bounds = [5, ?]>>) -> tensor<?x5xf32, #xla.array<bounds = [6, ?]>>
  %4 = xla.dot_general %0, %0 {lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]} : (!m, !m) -> !r
  return %1, %2, %3, %4 : tensor<?x?xf32, #xla.array<bounds = [6, 6]>>, tensor<?x?xf32, #xla.array<bounds = [5, 5]>>, tensor<?x5xf32, #xla.array<bounds = [6, ?]>>, !r
}

// What is not there is neither in factors nor in unknowns.
func.func @triangular(%x: tensor<6x5xf32>, %n: tensor<i32>, %k: tensor<i32>) -> (tensor<?x?xf32, #xla.array<bounds = [6, 6]>>, !m, tensor<?x?xf32, #xla.array<bounds = [5, 6]>>) {
  %0 = func.call @cut(%x, %n, %k) : (tensor<6x5xf32>, tensor<i32>, tensor<i32>) -> !m
  %1 = xla.dot_general %0, %0 {lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]} : (!m, !m) -> tensor<?x?xf32, #xla.array<bounds = [6, 6]>>
  %unit = xla.constant dense<[[9.0, 1.0, 0.0, 0.0, 0.0, 1.0], [1.0, 9.0, 0.0, 2.0, 0.0, 0.0], [0.0, 0.0, 9.0, 0.0, 0.0, 0.0], [0.0, 2.0, 0.0, 9.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 9.0, 0.0], [1.0, 0.0, 0.0, 0.0, 0.0, 9.0]]> : tensor<6x6xf32>
  %u0 = xla.set_dimension_size %unit, %n {dimension = 0} : (tensor<6x6xf32>, tensor<i32>) -> tensor<?x6xf32, #xla.array<bounds = [6, ?]>>
  %u1 = xla.set_dimension_size %u0, %n {dimension = 1} : (tensor<?x6xf32, #xla.array<bounds = [6, ?]>>, tensor<i32>) -> tensor<?x?xf32, #xla.array<bounds = [6, 6]>>
  %a = xla.add %1, %u1 : tensor<?x?xf32, #xla.array<bounds = [6, 6]>>
  %l = xla.cholesky %a {lower = true} : tensor<?x?xf32, #xla.array<bounds = [6, 6]>>
  %2 = xla.triangular_solve %l, %0 {left_side = true, lower = true, unit_diagonal = false, transpose_a = "TRANSPOSE"} : (tensor<?x?xf32, #xla.array<bounds = [6, 6]>>, !m) -> !m
  %t = xla.transpose %0 {permutation = [1, 0]} : (!m) -> tensor<?x?xf32, #xla.array<bounds = [5, 6]>>
  %3 = xla.triangular_solve %l, %t {left_side = false, lower = true, unit_diagonal = false, transpose_a = "NO_TRANSPOSE"} : (tensor<?x?xf32, #xla.array<bounds = [6, 6]>>, tensor<?x?xf32, #xla.array<bounds = [5, 6]>>) -> tensor<?x?xf32, #xla.array<bounds = [5, 6]>>
  return %l, %2, %3 : tensor<?x?xf32, #xla.array<bounds = [6, 6]>>, !m, tensor<?x?xf32, #xla.array<bounds = [5, 6]>>
}

func.func @move(%x: tensor<6x5xf32>, %n: tensor<i32>, %k: tensor<i32>) -> (!m, tensor<?x?xf32, #xla.array<bounds = [17, 5]>>, tensor<?x?xf32, #xla.array<bounds = [6, 10]>>, tensor<?x?xf32, #xla.array<bounds = [12, 5]>>, tensor<2x?x?xf32, #xla.array<bounds = [?, 6, 5]>>) {
  %0 = func.call @cut(%x, %n, %k) : (tensor<6x5xf32>, tensor<i32>, tensor<i32>) -> !m
  %seven = xla.constant dense<7.0> : tensor<f32>
  %1 = xla.reverse %0 {dimensions = [1, 0]} : !m
  %2 = xla.pad %0, %seven {edge_padding_low = [2, 0], edge_padding_high = [0, 0], interior_padding = [2, 0]} : (!m, tensor<f32>) -> tensor<?x?xf32, #xla.array<bounds = [18, 5]>>
  %one = xla.pad %2, %seven {edge_padding_low = [-2, 1], edge_padding_high = [1, -1], interior_padding = [0, 0]} : (tensor<?x?xf32, #xla.array<bounds = [18, 5]>>, tensor<f32>) -> tensor<?x?xf32, #xla.array<bounds = [17, 5]>>
  %3 = xla.concatenate %0, %1 {dimension = 1} : (!m, !m) -> tensor<?x?xf32, #xla.array<bounds = [6, 10]>>
  %4 = xla.concatenate %1, %0 {dimension = 0} : (!m, !m) -> tensor<?x?xf32, #xla.array<bounds = [12, 5]>>
  %5 = xla.broadcast %0 {broadcast_sizes = [2]} : (!m) -> tensor<2x?x?xf32, #xla.array<bounds = [?, 6, 5]>>
  return %1, %one, %3, %4, %5 : !m, tensor<?x?xf32, #xla.array<bounds = [17, 5]>>, tensor<?x?xf32, #xla.array<bounds = [6, 10]>>, tensor<?x?xf32, #xla.array<bounds = [12, 5]>>, tensor<2x?x?xf32, #xla.array<bounds = [?, 6, 5]>>
}

// Where elements lie together, and where they do not.
func.func @reshape(%x: tensor<6x5xf32>, %n: tensor<i32>, %k: tensor<i32>) -> (tensor<?xf32, #xla.array<bounds = [30]>>, tensor<?x5x1xf32, #xla.array<bounds = [6, ?, ?]>>, tensor<?xf32, #xla.array<bounds = [30]>>, tensor<?x2xf32, #xla.array<bounds = [30, ?]>>, tensor<5x?xf32, #xla.array<bounds = [?, 6]>>) {
  %0 = func.call @cut(%x, %n, %k) : (tensor<6x5xf32>, tensor<i32>, tensor<i32>) -> !m
  %rows = xla.set_dimension_size %x, %n {dimension = 0} : (tensor<6x5xf32>, tensor<i32>) -> tensor<?x5xf32, #xla.array<bounds = [6, ?]>>
  %1 = xla.reshape %rows : (tensor<?x5xf32, #xla.array<bounds = [6, ?]>>) -> tensor<?xf32, #xla.array<bounds = [30]>>
  %2 = xla.reshape %rows : (tensor<?x5xf32, #xla.array<bounds = [6, ?]>>) -> tensor<?x5x1xf32, #xla.array<bounds = [6, ?, ?]>>
  %3 = xla.collapse %0 {dimensions = [0, 1]} : (!m) -> tensor<?xf32, #xla.array<bounds = [30]>>
  %twice = xla.concatenate %0, %0 {dimension = 0} : (!m, !m) -> tensor<?x?xf32, #xla.array<bounds = [12, 5]>>
  %4 = xla.reshape %twice : (tensor<?x?xf32, #xla.array<bounds = [12, 5]>>) -> tensor<?x2xf32, #xla.array<bounds = [30, ?]>>
  %5 = xla.reshape %1 : (tensor<?xf32, #xla.array<bounds = [30]>>) -> tensor<5x?xf32, #xla.array<bounds = [?, 6]>>
  return %1, %2, %3, %4, %5 : tensor<?xf32, #xla.array<bounds = [30]>>, tensor<?x5x1xf32, #xla.array<bounds = [6, ?, ?]>>, tensor<?xf32, #xla.array<bounds = [30]>>, tensor<?x2xf32, #xla.array<bounds = [30, ?]>>, tensor<5x?xf32, #xla.array<bounds = [?, 6]>>
}

// Starts and indices are clamped by sizes; an update leaves alone what lies behind it.
func.func @slices(%x: tensor<6x5xf32>, %n: tensor<i32>, %k: tensor<i32>) -> (tensor<?x0xf32, #xla.array<bounds = [6, ?]>>, !m, !m, tensor<6x?xf32, #xla.array<bounds = [?, 5]>>, tensor<8x5xf32>) {
  %0 = func.call @cut(%x, %n, %k) : (tensor<6x5xf32>, tensor<i32>, tensor<i32>) -> !m
  %pad = xla.constant dense<3.0> : tensor<f32>
  %big = xla.constant dense<4> : tensor<i32>
  %one = xla.constant dense<1> : tensor<i32>
  %y = xla.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0], [6.0, 7.0, 8.0, 9.0, 10.0], [1.0, 2.0, 3.0, 4.0, 5.0], [6.0, 7.0, 8.0, 9.0, 10.0], [1.0, 2.0, 3.0, 4.0, 5.0], [6.0, 7.0, 8.0, 9.0, 10.0]]> : tensor<6x5xf32>
  %1 = xla.dynamic_slice %0, %one, %big {slice_sizes = [6, 0]} : (!m, tensor<i32>, tensor<i32>) -> tensor<?x0xf32, #xla.array<bounds = [6, ?]>>
  %half = xla.divide %n, %big : tensor<i32>
  %part = func.call @cut(%y, %half, %k) : (tensor<6x5xf32>, tensor<i32>, tensor<i32>) -> !m
  %2 = xla.dynamic_update_slice %0, %part, %big, %one : (!m, !m, tensor<i32>, tensor<i32>) -> !m
  %i = xla.constant dense<[3, -2, 9, 0, 1, 5]> : tensor<6xi32>
  %m = xla.set_dimension_size %i, %n {dimension = 0} : (tensor<6xi32>, tensor<i32>) -> tensor<?xi32, #xla.array<bounds = [6]>>
  %3 = xla.gather %y, %m {offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1, slice_sizes = [1, 5]} : (tensor<6x5xf32>, tensor<?xi32, #xla.array<bounds = [6]>>) -> tensor<?x5xf32, #xla.array<bounds = [6, ?]>>
  %4 = xla.set_dimension_size %3, %k {dimension = 1} : (tensor<?x5xf32, #xla.array<bounds = [6, ?]>>, tensor<i32>) -> !m
  // Rows of what has one more than its size.
  %more = xla.pad %0, %pad {edge_padding_low = [1, 0], edge_padding_high = [0, 0], interior_padding = [0, 0]} : (!m, tensor<f32>) -> tensor<?x?xf32, #xla.array<bounds = [7, 5]>>
  %5 = xla.gather %more, %i {offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1, slice_sizes = [1, 5]} : (tensor<?x?xf32, #xla.array<bounds = [7, 5]>>, tensor<6xi32>) -> tensor<6x?xf32, #xla.array<bounds = [?, 5]>>
  %8 = xla.constant dense<1.0> : tensor<8x5xf32>
  %9 = xla.dynamic_update_slice %8, %part, %big, %one : (tensor<8x5xf32>, !m, tensor<i32>, tensor<i32>) -> tensor<8x5xf32>
  return %1, %2, %4, %5, %9 : tensor<?x0xf32, #xla.array<bounds = [6, ?]>>, !m, !m, tensor<6x?xf32, #xla.array<bounds = [?, 5]>>, tensor<8x5xf32>
}

func.func @windows(%x: tensor<6x5xf32>, %n: tensor<i32>, %k: tensor<i32>) -> (tensor<?x?xf32, #xla.array<bounds = [4, 11]>>, tensor<?x1x?xf32, #xla.array<bounds = [6, ?, 3]>>) {
  %0 = func.call @cut(%x, %n, %k) : (tensor<6x5xf32>, tensor<i32>, tensor<i32>) -> !m
  %zero = xla.constant dense<0.5> : tensor<f32>
  %1 = xla.reduce_window(%0, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %2 = xla.add %a, %b : tensor<f32>
    return %2 : tensor<f32>
  }) {window_dimensions = [2, 3], window_strides = [2, 1], base_dilations = [1, 2], padding = [1, 1, 2, 2]} : (!m, tensor<f32>) -> tensor<?x?xf32, #xla.array<bounds = [4, 11]>>
  %3 = xla.reshape %0 : (!m) -> tensor<?x1x?xf32, #xla.array<bounds = [6, ?, 5]>>
  %w = xla.constant dense<[[[1.0, 10.0]]]> : tensor<1x1x2xf32>
  %4 = xla.convolution %3, %w {padding = [0, 1], window_strides = [2]} : (tensor<?x1x?xf32, #xla.array<bounds = [6, ?, 5]>>, tensor<1x1x2xf32>) -> tensor<?x1x?xf32, #xla.array<bounds = [6, ?, 3]>>
  return %1, %4 : tensor<?x?xf32, #xla.array<bounds = [4, 11]>>, tensor<?x1x?xf32, #xla.array<bounds = [6, ?, 3]>>
}

// Halves as long as there are rows; a branch passes sizes on.
func.func @loop(%x: tensor<6x5xf32>, %n: tensor<i32>, %k: tensor<i32>) -> (!m, tensor<i32>) {
  %0 = func.call @cut(%x, %n, %k) : (tensor<6x5xf32>, tensor<i32>, tensor<i32>) -> !m
  %zero = xla.constant dense<0> : tensor<i32>
  %1:2 = xla.while(%0, %zero) ({
  ^bb0(%a: !m, %s: tensor<i32>):
    %one = xla.constant dense<1> : tensor<i32>
    %size = xla.get_dimension_size %a {dimension = 0} : (!m) -> tensor<i32>
    %more = xla.compare %size, %one {comparison_direction = "GT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    return %more : tensor<i1>
  }, {
  ^bb0(%a: !m, %s: tensor<i32>):
    %two = xla.constant dense<2> : tensor<i32>
    %size = xla.get_dimension_size %a {dimension = 0} : (!m) -> tensor<i32>
    %half = xla.divide %size, %two : tensor<i32>
    %b = xla.add %a, %a : !m
    %less = xla.set_dimension_size %b, %half {dimension = 0} : (!m, tensor<i32>) -> !m
    %sum = xla.add %s, %size : tensor<i32>
    %odd = xla.remainder %size, %two : tensor<i32>
    %chosen = xla.case(%odd) ({
      return %less : !m
    }, {
      %negated = xla.negate %less : !m
      return %negated : !m
    }) : (tensor<i32>) -> !m
    return %chosen, %sum : !m, tensor<i32>
  }) : (!m, tensor<i32>) -> (!m, tensor<i32>)
  return %1#0, %1#1 : !m, tensor<i32>
}

// The largest of each row and where it is, of elements that are there: some -NaN.
func.func @top_k(%x: tensor<6x5xf32>, %n: tensor<i32>, %k: tensor<i32>) -> (tensor<?x1xf32, #xla.array<bounds = [6, ?]>>, tensor<?x1xi32, #xla.array<bounds = [6, ?]>>, tensor<?x2xi8, #xla.array<bounds = [5, ?]>>, tensor<?x2xi32, #xla.array<bounds = [5, ?]>>) {
  %0 = func.call @cut(%x, %n, %k) : (tensor<6x5xf32>, tensor<i32>, tensor<i32>) -> !m
  %nans = xla.constant dense<0xFFFFFFFF> : tensor<6x5xf32>
  %nan = func.call @cut(%nans, %n, %k) : (tensor<6x5xf32>, tensor<i32>, tensor<i32>) -> !m
  %half = xla.constant dense<0.5> : tensor<f32>
  %low = xla.compare %0, %half {comparison_direction = "GE"} : (!m, tensor<f32>) -> tensor<?x?xi1, #xla.array<bounds = [6, 5]>>
  %1 = xla.select %low, %0, %nan : (tensor<?x?xi1, #xla.array<bounds = [6, 5]>>, !m, !m) -> !m
  %2:2 = xla.top_k %1 {k = 1} : (!m) -> (tensor<?x1xf32, #xla.array<bounds = [6, ?]>>, tensor<?x1xi32, #xla.array<bounds = [6, ?]>>)
  %lowest = xla.constant dense<-128> : tensor<5x6xi8>
  %3 = xla.set_dimension_size %lowest, %k {dimension = 0} : (tensor<5x6xi8>, tensor<i32>) -> tensor<?x6xi8, #xla.array<bounds = [5, ?]>>
  %4:2 = xla.top_k %3 {k = 2} : (tensor<?x6xi8, #xla.array<bounds = [5, ?]>>) -> (tensor<?x2xi8, #xla.array<bounds = [5, ?]>>, tensor<?x2xi32, #xla.array<bounds = [5, ?]>>)
  return %2#0, %2#1, %4#0, %4#1 : tensor<?x1xf32, #xla.array<bounds = [6, ?]>>, tensor<?x1xi32, #xla.array<bounds = [6, ?]>>, tensor<?x2xi8, #xla.array<bounds = [5, ?]>>, tensor<?x2xi32, #xla.array<bounds = [5, ?]>>
}

// Padded windows that overlap, so that elements beyond a size lie in some; sums are one way, others another.
func.func @select_and_scatter(%x: tensor<6x5xf32>, %n: tensor<i32>, %k: tensor<i32>) -> (!m, !m) {
  %0 = func.call @cut(%x, %n, %k) : (tensor<6x5xf32>, tensor<i32>, tensor<i32>) -> !m
  %zero = xla.constant dense<0.0> : tensor<f32>
  %low = xla.constant dense<0xFF800000> : tensor<f32>
  %s = xla.reduce_window(%0, %low) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = xla.maximum %a, %b : tensor<f32>
    return %1 : tensor<f32>
  }) {window_dimensions = [2, 3], window_strides = [1, 1], padding = [0, 1, 1, 1]} : (!m, tensor<f32>) -> !m
  %2 = xla.select_and_scatter(%0, %s, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %3 = xla.compare %a, %b {comparison_direction = "GE"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    return %3 : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %3 = xla.add %a, %b : tensor<f32>
    return %3 : tensor<f32>
  }) {window_dimensions = [2, 3], window_strides = [1, 1], padding = [0, 1, 1, 1]} : (!m, !m, tensor<f32>) -> !m
  %4 = xla.select_and_scatter(%0, %s, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %3 = xla.compare %a, %b {comparison_direction = "LE"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    return %3 : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %3 = xla.maximum %a, %b : tensor<f32>
    return %3 : tensor<f32>
  }) {window_dimensions = [2, 3], window_strides = [1, 1], padding = [0, 1, 1, 1]} : (!m, !m, tensor<f32>) -> !m
  return %2, %4 : !m, !m
}

// Transforms of the rows that are there, and collectives of one replica.
func.func @fft(%x: tensor<6x5xf32>, %n: tensor<i32>, %k: tensor<i32>) -> (tensor<?x2xf32, #xla.array<bounds = [6, ?]>>, !m, !m) {
  %0 = func.call @cut(%x, %n, %k) : (tensor<6x5xf32>, tensor<i32>, tensor<i32>) -> !m
  %rows = xla.slice %x {start_indices = [0, 0], limit_indices = [6, 2]} : (tensor<6x5xf32>) -> tensor<6x2xf32>
  %zero = xla.constant dense<0.0> : tensor<6x2xf32>
  %same = xla.compare %rows, %rows {comparison_direction = "EQ"} : (tensor<6x2xf32>, tensor<6x2xf32>) -> tensor<6x2xi1>
  %numbers = xla.select %same, %rows, %zero : (tensor<6x2xi1>, tensor<6x2xf32>, tensor<6x2xf32>) -> tensor<6x2xf32>
  %1 = xla.set_dimension_size %numbers, %n {dimension = 0} : (tensor<6x2xf32>, tensor<i32>) -> tensor<?x2xf32, #xla.array<bounds = [6, ?]>>
  %2 = xla.fft %1 {fft_type = "RFFT", fft_length = [2]} : (tensor<?x2xf32, #xla.array<bounds = [6, ?]>>) -> tensor<?x2xcomplex<f32>, #xla.array<bounds = [6, ?]>>
  %3 = xla.real %2 : (tensor<?x2xcomplex<f32>, #xla.array<bounds = [6, ?]>>) -> tensor<?x2xf32, #xla.array<bounds = [6, ?]>>
  %4 = xla.cross_replica_sum %0 : !m
  %5 = xla.collective_permute %0 {source_target_pairs = dense<> : tensor<0x2xi64>} : (!m) -> !m
  return %3, %4, %5 : tensor<?x2xf32, #xla.array<bounds = [6, ?]>>, !m, !m
}

// Features along either dimension; all of a dimension may be missing, of which the mean is none.
func.func @batch_norm(%x: tensor<6x5xf32>, %n: tensor<i32>, %k: tensor<i32>) -> (!m, !c, !c, !m, !r, !r, !m, !m) {
  %0 = func.call @cut(%x, %n, %k) : (tensor<6x5xf32>, tensor<i32>, tensor<i32>) -> !m
  %zero = xla.constant dense<0.0> : tensor<f32>
  %half = xla.constant dense<0.5> : tensor<f32>
  %rows = xla.reduce(%0, %half) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.maximum %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimensions = [1]} : (!m, tensor<f32>) -> !r
  %columns = xla.reduce(%0, %half) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.maximum %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimensions = [0]} : (!m, tensor<f32>) -> !c
  %1, %2, %3 = xla.batch_norm_training %0, %columns, %columns {epsilon = 0.25 : f32, feature_index = 1} : (!m, !c, !c) -> (!m, !c, !c)
  %4, %5, %6 = xla.batch_norm_grad %0, %rows, %rows, %rows, %0 {epsilon = 0.25 : f32, feature_index = 0} : (!m, !r, !r, !r, !m) -> (!m, !r, !r)
  %7 = xla.batch_norm_inference %0, %rows, %rows, %rows, %rows {epsilon = 0.25 : f32, feature_index = 0} : (!m, !r, !r, !r, !r) -> !m
  %8 = xla.batch_norm_inference %0, %columns, %columns, %columns, %columns {epsilon = 0.25 : f32, feature_index = 1} : (!m, !c, !c, !c, !c) -> !m
  return %1, %2, %3, %4, %5, %6, %7, %8 : !m, !c, !c, !m, !r, !r, !m, !m
}

//--- cpu.mlir
!m = tensor<?x?xf32, #xla.array<bounds = [6, 5]>>
!r = tensor<?xf32, #xla.array<bounds = [6]>>
!i = tensor<?x?xi32, #xla.array<bounds = [6, 5]>>

func.func private @cut(%x: tensor<6x5xf32>, %n: tensor<i32>, %k: tensor<i32>) -> !m {
  %0 = xla.set_dimension_size %x, %n {dimension = 0} : (tensor<6x5xf32>, tensor<i32>) -> tensor<?x5xf32, #xla.array<bounds = [6, ?]>>
  %1 = xla.set_dimension_size %0, %k {dimension = 1} : (tensor<?x5xf32, #xla.array<bounds = [6, ?]>>, tensor<i32>) -> !m
  return %1 : !m
}

// The largest element of each row and where it is; NaNs that are there would win.
func.func @argmax(%x: tensor<6x5xf32>, %n: tensor<i32>, %k: tensor<i32>) -> (!r, tensor<?xi32, #xla.array<bounds = [6]>>) {
  %0 = func.call @cut(%x, %n, %k) : (tensor<6x5xf32>, tensor<i32>, tensor<i32>) -> !m
  %all = xla.iota {iota_dimension = 1} : () -> tensor<6x5xi32>
  %some = xla.set_dimension_size %all, %n {dimension = 0} : (tensor<6x5xi32>, tensor<i32>) -> tensor<?x5xi32, #xla.array<bounds = [6, ?]>>
  %at = xla.set_dimension_size %some, %k {dimension = 1} : (tensor<?x5xi32, #xla.array<bounds = [6, ?]>>, tensor<i32>) -> !i
  %low = xla.constant dense<0xFF800000> : tensor<f32>
  %none = xla.constant dense<-1> : tensor<i32>
  %1:2 = xla.reduce(%0, %at, %low, %none) ({
  ^bb0(%a: tensor<f32>, %i: tensor<i32>, %b: tensor<f32>, %j: tensor<i32>):
    %ge = xla.compare %a, %b {comparison_direction = "GE"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %v = xla.select %ge, %a, %b : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %w = xla.select %ge, %i, %j : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    return %v, %w : tensor<f32>, tensor<i32>
  }) {dimensions = [1]} : (!m, !i, tensor<f32>, tensor<i32>) -> (!r, tensor<?xi32, #xla.array<bounds = [6]>>)
  return %1#0, %1#1 : !r, tensor<?xi32, #xla.array<bounds = [6]>>
}

func.func @sort(%x: tensor<6x5xf32>, %n: tensor<i32>, %k: tensor<i32>) -> (!m, !m) {
  %0 = func.call @cut(%x, %n, %k) : (tensor<6x5xf32>, tensor<i32>, tensor<i32>) -> !m
  %1 = xla.sort(%0) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %2 = xla.compare %a, %b {comparison_direction = "GT"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    return %2 : tensor<i1>
  }) {dimension = 0} : (!m) -> !m
  %3 = xla.sort(%1) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %2 = xla.compare %a, %b {comparison_direction = "LT"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    return %2 : tensor<i1>
  }) {dimension = 1} : (!m) -> !m
  return %1, %3 : !m, !m
}

// The smallest first.
func.func @sort_plain(%x: tensor<6x5xf32>, %n: tensor<i32>, %k: tensor<i32>) -> (!m, !m) {
  %0 = func.call @cut(%x, %n, %k) : (tensor<6x5xf32>, tensor<i32>, tensor<i32>) -> !m
  %1 = xla.sort(%0) {dimension = 0} : (!m) -> !m
  %2 = xla.sort(%0) {dimension = 1} : (!m) -> !m
  return %1, %2 : !m, !m
}

// One row, and a row in the place of another, where starts are one vector.
func.func @vectors(%x: tensor<6x5xf32>, %n: tensor<i32>, %k: tensor<i32>) -> (tensor<0x?xf32, #xla.array<bounds = [?, 5]>>, !m) {
  %0 = func.call @cut(%x, %n, %k) : (tensor<6x5xf32>, tensor<i32>, tensor<i32>) -> !m
  %starts = xla.constant dense<[4, 0]> : tensor<2xi32>
  %1 = xla.dynamic_slice %0, %starts {slice_sizes = [0, 5]} : (!m, tensor<2xi32>) -> tensor<0x?xf32, #xla.array<bounds = [?, 5]>>
  %u = xla.constant dense<100.0> : tensor<6x5xf32>
  %one = xla.constant dense<1> : tensor<i32>
  %zero = xla.constant dense<0> : tensor<i32>
  %a = xla.minimum %n, %one : tensor<i32>
  %b = xla.minimum %k, %one : tensor<i32>
  %v = func.call @cut(%u, %a, %b) : (tensor<6x5xf32>, tensor<i32>, tensor<i32>) -> !m
  %2 = xla.dynamic_update_slice %0, %v, %starts : (!m, !m, tensor<2xi32>) -> !m
  return %1, %2 : tensor<0x?xf32, #xla.array<bounds = [?, 5]>>, !m
}

// The same rows of both, by one coordinate that is clamped by what is there of columns. There must be a row to read.
func.func @gather_batches(%x: tensor<6x5xf32>, %n: tensor<i32>, %k: tensor<i32>) -> tensor<?xf32, #xla.array<bounds = [6]>> {
  %one = xla.constant dense<1> : tensor<i32>
  %l = xla.maximum %k, %one : tensor<i32>
  %r = xla.maximum %n, %one : tensor<i32>
  %0 = func.call @cut(%x, %r, %l) : (tensor<6x5xf32>, tensor<i32>, tensor<i32>) -> !m
  %i = xla.constant dense<[[3], [0], [5], [1], [1], [4]]> : tensor<6x1xi32>
  %m = xla.set_dimension_size %i, %r {dimension = 0} : (tensor<6x1xi32>, tensor<i32>) -> tensor<?x1xi32, #xla.array<bounds = [6, ?]>>
  %1 = xla.gather %0, %m {collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1, slice_sizes = [1, 1]} : (!m, tensor<?x1xi32, #xla.array<bounds = [6, ?]>>) -> tensor<?xf32, #xla.array<bounds = [6]>>
  return %1 : tensor<?xf32, #xla.array<bounds = [6]>>
}

func.func @scatter_batches(%x: tensor<6x5xf32>, %n: tensor<i32>, %k: tensor<i32>) -> !m {
  %0 = func.call @cut(%x, %n, %k) : (tensor<6x5xf32>, tensor<i32>, tensor<i32>) -> !m
  %i = xla.constant dense<[[3], [0], [5], [1], [1], [4]]> : tensor<6x1xi32>
  %m = xla.set_dimension_size %i, %n {dimension = 0} : (tensor<6x1xi32>, tensor<i32>) -> tensor<?x1xi32, #xla.array<bounds = [6, ?]>>
  %u = xla.constant dense<100.0> : tensor<6xf32>
  %v = xla.set_dimension_size %u, %n {dimension = 0} : (tensor<6xf32>, tensor<i32>) -> !r
  %1 = xla.scatter(%0, %m, %v) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %2 = xla.add %a, %b : tensor<f32>
    return %2 : tensor<f32>
  }) {inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1} : (!m, tensor<?x1xi32, #xla.array<bounds = [6, ?]>>, !r) -> !m
  return %1 : !m
}

// Depthwise: of groups only positions have sizes.
func.func @groups(%x: tensor<6x5xf32>, %n: tensor<i32>, %k: tensor<i32>) -> tensor<1x?x4xf32, #xla.array<bounds = [?, 8, ?]>> {
  %s = xla.slice %x {start_indices = [0, 0], limit_indices = [6, 2]} : (tensor<6x5xf32>) -> tensor<6x2xf32>
  %0 = xla.set_dimension_size %s, %n {dimension = 0} : (tensor<6x2xf32>, tensor<i32>) -> tensor<?x2xf32, #xla.array<bounds = [6, ?]>>
  %1 = xla.reshape %0 : (tensor<?x2xf32, #xla.array<bounds = [6, ?]>>) -> tensor<1x?x2xf32, #xla.array<bounds = [?, 6, ?]>>
  %w = xla.constant dense<[[[1.0, 2.0, 3.0, 4.0]], [[0.5, 0.25, 2.0, 1.0]], [[1.0, 1.0, 1.0, 1.0]]]> : tensor<3x1x4xf32>
  %2 = xla.convolution %1, %w {input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1], feature_group_count = 2, padding = [2, 2]} : (tensor<1x?x2xf32, #xla.array<bounds = [?, 6, ?]>>, tensor<3x1x4xf32>) -> tensor<1x?x4xf32, #xla.array<bounds = [?, 8, ?]>>
  return %2 : tensor<1x?x4xf32, #xla.array<bounds = [?, 8, ?]>>
}

func.func @scatter(%x: tensor<6x5xf32>, %n: tensor<i32>, %k: tensor<i32>) -> !m {
  %0 = func.call @cut(%x, %n, %k) : (tensor<6x5xf32>, tensor<i32>, tensor<i32>) -> !m
  %i = xla.constant dense<[[3], [0], [5], [1], [1], [4]]> : tensor<6x1xui8>
  %m = xla.set_dimension_size %i, %n {dimension = 0} : (tensor<6x1xui8>, tensor<i32>) -> tensor<?x1xui8, #xla.array<bounds = [6, ?]>>
  %u = xla.constant dense<100.0> : tensor<6x0xf32>
  %v = xla.set_dimension_size %u, %n {dimension = 0} : (tensor<6x0xf32>, tensor<i32>) -> tensor<?x0xf32, #xla.array<bounds = [6, ?]>>
  %pad = xla.constant dense<100.0> : tensor<f32>
  %w = xla.pad %v, %pad {edge_padding_low = [1, 1], edge_padding_high = [-1, 0], interior_padding = [0, 0]} : (tensor<?x0xf32, #xla.array<bounds = [6, ?]>>, tensor<f32>) -> tensor<?x1xf32, #xla.array<bounds = [6, ?]>>
  %one = xla.pad %0, %pad {edge_padding_low = [1, 1], edge_padding_high = [-1, 0], interior_padding = [0, 0]} : (!m, tensor<f32>) -> tensor<?x?xf32, #xla.array<bounds = [6, 6]>>
  %1 = xla.scatter(%one, %m, %w) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %2 = xla.add %a, %b : tensor<f32>
    return %2 : tensor<f32>
  }) {update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<?x?xf32, #xla.array<bounds = [6, 6]>>, tensor<?x1xui8, #xla.array<bounds = [6, ?]>>, tensor<?x1xf32, #xla.array<bounds = [6, ?]>>) -> tensor<?x?xf32, #xla.array<bounds = [6, 6]>>
  %3 = xla.slice %1 {start_indices = [0, 0], limit_indices = [6, 1]} : (tensor<?x?xf32, #xla.array<bounds = [6, 6]>>) -> tensor<?x1xf32, #xla.array<bounds = [6, ?]>>
  %4 = xla.add %0, %3 : (!m, tensor<?x1xf32, #xla.array<bounds = [6, ?]>>) -> !m
  return %4 : !m
}

//--- errors.mlir
// What a run finds, where it is needed.
!v = tensor<?xf32, #xla.array<bounds = [4]>>
!m = tensor<?x3xf32, #xla.array<bounds = [4, ?]>>

// NORM: 'xla.batch_norm_training' op dimension 0 of operand 1 is 2, dimension 0 of operand 0 3 [batch_norm_training_c3]
func.func @batch_norm(%x: !m, %y: !v) -> !m {
  %0, %1, %2 = xla.batch_norm_training %x, %y, %y {epsilon = 0.25 : f32, feature_index = 0} : (!m, !v, !v) -> (!m, !v, !v)
  return %0 : !m
}

// ADD: errors.mlir:[[#@LINE+2]]:{{[0-9]+}}: error: 'xla.add' op dimension 0 of the result is 3 by other operands, 2 by operand 1 [dynamic]
func.func @add(%x: !v, %y: !v) -> !v {
  %0 = xla.add %x, %y : !v
  return %0 : !v
}

// DOT: error: 'xla.dot_general' op contracting dimension 0 of lhs is 3, dimension 0 of rhs 2 [dot_general_c10]
func.func @dot(%x: !v, %y: !v) -> tensor<f32> {
  %0 = xla.dot %x, %y : (!v, !v) -> tensor<f32>
  return %0 : tensor<f32>
}

// TOPK: error: 'xla.top_k' op k is 2, the last dimension of operand 0 has 1 elements [top_k_c2]
// LARGEST: 2xf32=3 2
// LARGEST: 2xs32=1 2
func.func @top_k(%x: tensor<?xf32, #xla.array<bounds = [4]>>) -> (tensor<2xf32>, tensor<2xi32>) {
  %0:2 = xla.top_k %x {k = 2} : (tensor<?xf32, #xla.array<bounds = [4]>>) -> (tensor<2xf32>, tensor<2xi32>)
  return %0#0, %0#1 : tensor<2xf32>, tensor<2xi32>
}

// Windows of more elements than are unrolled.
// WINDOWS: error: 'xla.select_and_scatter' op dimension 0 of source is 3, there are 0 windows [select_and_scatter_c2]
// LARGE: 150xf32={{.*}} 1 {{.*}}
func.func @windows(%x: tensor<?xf32, #xla.array<bounds = [300]>>, %s: tensor<?xf32, #xla.array<bounds = [4]>>) -> tensor<?xf32, #xla.array<bounds = [300]>> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %0 = xla.select_and_scatter(%x, %s, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = xla.compare %a, %b {comparison_direction = "GE"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    return %1 : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = xla.add %a, %b : tensor<f32>
    return %1 : tensor<f32>
  }) {window_dimensions = [70], window_strides = [70], padding = [0, 0]} : (tensor<?xf32, #xla.array<bounds = [300]>>, tensor<?xf32, #xla.array<bounds = [4]>>, tensor<f32>) -> tensor<?xf32, #xla.array<bounds = [300]>>
  return %0 : tensor<?xf32, #xla.array<bounds = [300]>>
}

// SQUARE: error: 'xla.cholesky' op the operand's matrices have 3 rows and 2 columns, must be square [cholesky_c3]
func.func @square(%x: tensor<?x?xf32, #xla.array<bounds = [4, 4]>>) -> tensor<?x?xf32, #xla.array<bounds = [4, 4]>> {
  %0 = xla.cholesky %x : tensor<?x?xf32, #xla.array<bounds = [4, 4]>>
  return %0 : tensor<?x?xf32, #xla.array<bounds = [4, 4]>>
}

// CONCATENATE: error: 'xla.concatenate' op dimension 0 is 3 of other operands, 2 of operand 1 [concatenate_c2]
func.func @concatenate(%x: !m, %y: !m) -> tensor<?x6xf32, #xla.array<bounds = [4, ?]>> {
  %0 = xla.concatenate %x, %y {dimension = 1} : (!m, !m) -> tensor<?x6xf32, #xla.array<bounds = [4, ?]>>
  return %0 : tensor<?x6xf32, #xla.array<bounds = [4, ?]>>
}

// SLICE: error: 'xla.slice' op limit 4 of dimension 0 is above its size, 3 [slice_c3]
func.func @slice(%x: !v) -> tensor<3xf32> {
  %0 = xla.slice %x {start_indices = [1], limit_indices = [4]} : (!v) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// UPDATE: error: 'xla.dynamic_update_slice' op dimension 0 of the update is 3, of the operand 2 [dynamic_update_slice_c6]
func.func @update(%x: !v, %y: !v) -> !v {
  %i = xla.constant dense<0> : tensor<i32>
  %0 = xla.dynamic_update_slice %y, %x, %i : (!v, !v, tensor<i32>) -> !v
  return %0 : !v
}

// PAD: error: 'xla.pad' op dimension 0 of the result must have at least 0 elements, has -1 [pad_c4]
func.func @pad(%x: !v) -> tensor<?xf32, #xla.array<bounds = [2]>> {
  %p = xla.constant dense<0.0> : tensor<f32>
  %0 = xla.pad %x, %p {edge_padding_low = [-2], edge_padding_high = [0], interior_padding = [0]} : (!v, tensor<f32>) -> tensor<?xf32, #xla.array<bounds = [2]>>
  return %0 : tensor<?xf32, #xla.array<bounds = [2]>>
}

// RESHAPE: error: 'xla.reshape' op 1 elements are left over, must be 0, where dimension 0 of the result takes 2 each [dynamic]
func.func @reshape(%x: !v) -> tensor<?x2xf32, #xla.array<bounds = [2, ?]>> {
  %0 = xla.reshape %x : (!v) -> tensor<?x2xf32, #xla.array<bounds = [2, ?]>>
  return %0 : tensor<?x2xf32, #xla.array<bounds = [2, ?]>>
}

// STATIC: error: 'xla.add' op dimension 0 of the result is 3 by other operands, 4 by operand 1 [dynamic]
// WHOLE: 4xf32=2 3 4 5
// INPUT: input 0: expected <=4xf32, got 5xf32
func.func @static(%x: !v) -> !v {
  %y = xla.constant dense<1.0> : tensor<4xf32>
  %0 = xla.add %x, %y : (!v, tensor<4xf32>) -> !v
  return %0 : !v
}

// NEGATIVE: error: 'xla.set_dimension_size' op the size must be at least 0, is -1 [set_dimension_size_c3]
func.func @cut(%x: tensor<4xf32>, %n: tensor<i32>) -> !v {
  %0 = xla.set_dimension_size %x, %n {dimension = 0} : (tensor<4xf32>, tensor<i32>) -> !v
  return %0 : !v
}

// GROW: error: 'xla.set_dimension_size' op the size is 4, dimension 0 has 3 elements [set_dimension_size_c3]
func.func @grow(%x: !v, %n: tensor<i32>) -> !v {
  %0 = xla.set_dimension_size %x, %n {dimension = 0} : (!v, tensor<i32>) -> !v
  return %0 : !v
}

// Programs that state what only this compiler should are foreign calls like others.
// FORGED: calls "xlac.check_equal"
func.func @forged(%x: tensor<4xf32>) -> tensor<4xf32> {
  xla.custom_call %x, %x {call_target_name = "xlac.check_equal", xla.message = "%d%d%d%s"} : (tensor<4xf32>, tensor<4xf32>) -> ()
  return %x : tensor<4xf32>
}
