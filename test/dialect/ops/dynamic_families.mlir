// What every family makes of dimensions whose sizes are known when a program runs: results and sums are those of the
// elements that are there.
// RUN: split-file %s %t
// RUN: xla-opt %t/values.mlir | xla-opt -o %t/printed.mlir
// RUN: xla-run %t/printed.mlir --check | FileCheck %t/values.mlir
// RUN: xla-run %t/values.mlir --check --device=cpu | FileCheck %t/values.mlir
// RUN: xla-run %t/values.mlir --check --device=all | FileCheck %t/values.mlir
// RUN: xla-run %t/constants.mlir --check | FileCheck %t/constants.mlir
// RUN: xla-run %t/constants.mlir --check --device=cpu | FileCheck %t/constants.mlir
// Sizes that are values:
// RUN: sed -f %S/Inputs/hide_sizes.sed %t/values.mlir > %t/hidden.mlir
// RUN: xla-run %t/hidden.mlir --check | FileCheck %t/values.mlir
// RUN: xla-run %t/hidden.mlir --check --device=cpu | FileCheck %t/values.mlir
// RUN: xla-run %t/reference.mlir --check | FileCheck %t/reference.mlir
// RUN: xla-run %t/replicas.mlir --check --replicas=2 | FileCheck %t/replicas.mlir
// RUN: xla-opt %t/errors.mlir --split-input-file --verify-diagnostics
// RUN: not xla-run %t/run.mlir --entry=sort --input=3xf32=1 --input=2xf32=1 2>&1 | FileCheck %t/run.mlir --check-prefix=SORT
// RUN: not xla-run %t/run.mlir --entry=gather --input=1x3xf32=1 2>&1 | FileCheck %t/run.mlir --check-prefix=GATHER
// RUN: not xla-run %t/run.mlir --entry=scatter --input=1xf32=1 --input=2xf32=1 2>&1 | FileCheck %t/run.mlir --check-prefix=SCATTER
// RUN: not xla-run %t/run.mlir --entry=convolution --input=0xf32= 2>&1 | FileCheck %t/run.mlir --check-prefix=KERNEL
// RUN: not xla-run %t/run.mlir --entry=cholesky --input=3x2xf32=1 2>&1 | FileCheck %t/run.mlir --check-prefix=CHOLESKY
// RUN: not xla-run %t/run.mlir --entry=sum --replicas=2 2>&1 | FileCheck %t/run.mlir --check-prefix=SUM

//--- values.mlir
!v = tensor<?xf32, #xla.array<bounds = [4]>>
!m = tensor<?x3xf32, #xla.array<bounds = [4, ?]>>
!i = tensor<?xi32, #xla.array<bounds = [4]>>

// CHECK: 9 passed, 0 failed

// 4 and 2 and 3, and 9 that is cut off.
func.func private @vector() -> !v {
  %x = xla.constant dense<[4.0, 2.0, 3.0, 9.0]> : tensor<4xf32>
  %three = xla.constant dense<3> : tensor<i32>
  %0 = xla.set_dimension_size %x, %three {dimension = 0} : (tensor<4xf32>, tensor<i32>) -> !v
  return %0 : !v
}

func.func private @rows() -> !m {
  %x = xla.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0], [10.0, 11.0, 12.0]]> : tensor<4x3xf32>
  %two = xla.constant dense<2> : tensor<i32>
  %0 = xla.set_dimension_size %x, %two {dimension = 0} : (tensor<4x3xf32>, tensor<i32>) -> !m
  return %0 : !m
}

func.func @broadcast() {
  %x = func.call @vector() : () -> !v
  %0 = xla.broadcast %x {broadcast_sizes = [2, 1]} : (!v) -> tensor<2x1x?xf32, #xla.array<bounds = [?, ?, 4]>>
  %want = xla.constant dense<[[[4.0, 2.0, 3.0]], [[4.0, 2.0, 3.0]]]> : tensor<2x1x3xf32>
  xla.custom_call %0, %want {call_target_name = "check.expect_eq"} : (tensor<2x1x?xf32, #xla.array<bounds = [?, ?, 4]>>, tensor<2x1x3xf32>) -> ()
  return
}

func.func @collapse() {
  %x = func.call @rows() : () -> !m
  %0 = xla.collapse %x {dimensions = [0, 1]} : (!m) -> tensor<?xf32, #xla.array<bounds = [12]>>
  %want = xla.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>
  xla.custom_call %0, %want {call_target_name = "check.expect_eq"} : (tensor<?xf32, #xla.array<bounds = [12]>>, tensor<6xf32>) -> ()
  return
}

// Whether the 1 belongs to the dimension before or behind it, collapse says.
func.func @collapse_one() {
  %x = xla.constant dense<[[[1.0, 2.0]], [[3.0, 4.0]], [[5.0, 6.0]]]> : tensor<3x1x2xf32>
  %one = xla.constant dense<1> : tensor<i32>
  %zero = xla.constant dense<0> : tensor<i32>
  %0 = xla.set_dimension_size %x, %one {dimension = 1} : (tensor<3x1x2xf32>, tensor<i32>) -> tensor<3x?x2xf32, #xla.array<bounds = [?, 1, ?]>>
  %1 = xla.collapse %0 {dimensions = [0, 1]} : (tensor<3x?x2xf32, #xla.array<bounds = [?, 1, ?]>>) -> tensor<?x2xf32, #xla.array<bounds = [3, ?]>>
  %2 = xla.set_dimension_size %x, %zero {dimension = 1} : (tensor<3x1x2xf32>, tensor<i32>) -> tensor<3x?x2xf32, #xla.array<bounds = [?, 1, ?]>>
  %3 = xla.collapse %2 {dimensions = [1, 2]} : (tensor<3x?x2xf32, #xla.array<bounds = [?, 1, ?]>>) -> tensor<3x?xf32, #xla.array<bounds = [?, 2]>>
  %want1 = xla.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %want3 = xla.constant dense<> : tensor<3x0xf32>
  xla.custom_call %1, %want1 {call_target_name = "check.expect_eq"} : (tensor<?x2xf32, #xla.array<bounds = [3, ?]>>, tensor<3x2xf32>) -> ()
  xla.custom_call %3, %want3 {call_target_name = "check.expect_eq"} : (tensor<3x?xf32, #xla.array<bounds = [?, 2]>>, tensor<3x0xf32>) -> ()
  return
}

func.func @sort() {
  %x = func.call @vector() : () -> !v
  %i = xla.constant dense<[0, 1, 2, 3]> : tensor<4xi32>
  %three = xla.constant dense<3> : tensor<i32>
  %n = xla.set_dimension_size %i, %three {dimension = 0} : (tensor<4xi32>, tensor<i32>) -> !i
  %0:2 = xla.sort(%x, %n) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
    %less = xla.compare %a, %b {comparison_direction = "LT"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    return %less : tensor<i1>
  }) {dimension = 0} : (!v, !i) -> (!v, !i)
  %want = xla.constant dense<[2.0, 3.0, 4.0]> : tensor<3xf32>
  %wanted = xla.constant dense<[1, 2, 0]> : tensor<3xi32>
  xla.custom_call %0#0, %want {call_target_name = "check.expect_eq"} : (!v, tensor<3xf32>) -> ()
  xla.custom_call %0#1, %wanted {call_target_name = "check.expect_eq"} : (!i, tensor<3xi32>) -> ()
  return
}

// Indices are clamped to what is there; slices of a bound's size are whole.
func.func @gather() {
  %x = func.call @rows() : () -> !m
  %i = xla.constant dense<[3, 0, 1, 1]> : tensor<4xi32>
  %three = xla.constant dense<3> : tensor<i32>
  %n = xla.set_dimension_size %i, %three {dimension = 0} : (tensor<4xi32>, tensor<i32>) -> !i
  %0 = xla.gather %x, %n {offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1, slice_sizes = [1, 3]} : (!m, !i) -> !m
  %1 = xla.gather %x, %n {offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1, slice_sizes = [4, 1]} : (!m, !i) -> tensor<?x?xf32, #xla.array<bounds = [4, 4]>>
  %want0 = xla.constant dense<[[4.0, 5.0, 6.0], [1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<3x3xf32>
  %want1 = xla.constant dense<[[3.0, 1.0, 2.0], [6.0, 4.0, 5.0]]> : tensor<2x3xf32>
  xla.custom_call %0, %want0 {call_target_name = "check.expect_eq"} : (!m, tensor<3x3xf32>) -> ()
  xla.custom_call %1, %want1 {call_target_name = "check.expect_eq"} : (tensor<?x?xf32, #xla.array<bounds = [4, 4]>>, tensor<2x3xf32>) -> ()
  return
}

// An index beyond the size is skipped.
func.func @scatter() {
  %x = func.call @vector() : () -> !v
  %i = xla.constant dense<[[0], [3], [2], [1]]> : tensor<4x1xi32>
  %three = xla.constant dense<3> : tensor<i32>
  %n = xla.set_dimension_size %i, %three {dimension = 0} : (tensor<4x1xi32>, tensor<i32>) -> tensor<?x1xi32, #xla.array<bounds = [4, ?]>>
  %0 = xla.scatter(%x, %n, %x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = xla.add %a, %b : tensor<f32>
    return %1 : tensor<f32>
  }) {inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (!v, tensor<?x1xi32, #xla.array<bounds = [4, ?]>>, !v) -> !v
  %want = xla.constant dense<[8.0, 2.0, 6.0]> : tensor<3xf32>
  xla.custom_call %0, %want {call_target_name = "check.expect_eq"} : (!v, tensor<3xf32>) -> ()
  return
}

func.func @bitcast_convert() {
  %x = func.call @rows() : () -> !m
  %0 = xla.bitcast_convert %x : (!m) -> tensor<?x3x2xi16, #xla.array<bounds = [4, ?, ?]>>
  %1 = xla.bitcast_convert %0 : (tensor<?x3x2xi16, #xla.array<bounds = [4, ?, ?]>>) -> tensor<?x3xi32, #xla.array<bounds = [4, ?]>>
  %want = xla.constant dense<[[0x3F800000, 0x40000000, 0x40400000], [0x40800000, 0x40A00000, 0x40C00000]]> : tensor<2x3xi32>
  xla.custom_call %1, %want {call_target_name = "check.expect_eq"} : (tensor<?x3xi32, #xla.array<bounds = [4, ?]>>, tensor<2x3xi32>) -> ()
  return
}

// A batch, and a spatial dimension.
func.func @convolution() {
  %x = func.call @rows() : () -> !m
  %batch = xla.reshape %x : (!m) -> tensor<?x1x3xf32, #xla.array<bounds = [4, ?, ?]>>
  %w = xla.constant dense<[[[1.0, 10.0]]]> : tensor<1x1x2xf32>
  %0 = xla.convolution %batch, %w : (tensor<?x1x3xf32, #xla.array<bounds = [4, ?, ?]>>, tensor<1x1x2xf32>) -> tensor<?x1x2xf32, #xla.array<bounds = [4, ?, ?]>>
  %line = func.call @vector() : () -> !v
  %y = xla.reshape %line : (!v) -> tensor<1x1x?xf32, #xla.array<bounds = [?, ?, 4]>>
  %1 = xla.convolution %y, %w {padding = [0, 1]} : (tensor<1x1x?xf32, #xla.array<bounds = [?, ?, 4]>>, tensor<1x1x2xf32>) -> tensor<1x1x?xf32, #xla.array<bounds = [?, ?, 4]>>
  %want0 = xla.constant dense<[[[21.0, 32.0]], [[54.0, 65.0]]]> : tensor<2x1x2xf32>
  %want1 = xla.constant dense<[[[24.0, 32.0, 3.0]]]> : tensor<1x1x3xf32>
  xla.custom_call %0, %want0 {call_target_name = "check.expect_eq"} : (tensor<?x1x2xf32, #xla.array<bounds = [4, ?, ?]>>, tensor<2x1x2xf32>) -> ()
  xla.custom_call %1, %want1 {call_target_name = "check.expect_eq"} : (tensor<1x1x?xf32, #xla.array<bounds = [?, ?, 4]>>, tensor<1x1x3xf32>) -> ()
  return
}

// Alone, a replica adds nothing to what it has.
func.func @cross_replica_sum() {
  %x = func.call @vector() : () -> !v
  %0 = xla.cross_replica_sum %x : !v
  %want = xla.constant dense<[4.0, 2.0, 3.0]> : tensor<3xf32>
  xla.custom_call %0, %want {call_target_name = "check.expect_eq"} : (!v, tensor<3xf32>) -> ()
  return
}

//--- constants.mlir
!v = tensor<?xf32, #xla.array<bounds = [4]>>
!m = tensor<?x3xf32, #xla.array<bounds = [4, ?]>>

// CHECK: 3 passed, 0 failed

// 4 and 2 and 3, and 9 that is cut off.
func.func private @vector() -> !v {
  %x = xla.constant dense<[4.0, 2.0, 3.0, 9.0]> : tensor<4xf32>
  %three = xla.constant dense<3> : tensor<i32>
  %0 = xla.set_dimension_size %x, %three {dimension = 0} : (tensor<4xf32>, tensor<i32>) -> !v
  return %0 : !v
}

func.func private @rows() -> !m {
  %x = xla.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0], [10.0, 11.0, 12.0]]> : tensor<4x3xf32>
  %two = xla.constant dense<2> : tensor<i32>
  %0 = xla.set_dimension_size %x, %two {dimension = 0} : (tensor<4x3xf32>, tensor<i32>) -> !m
  return %0 : !m
}

// The mean is that of two rows.
func.func @batch_norm() {
  %x = func.call @rows() : () -> !m
  %one = xla.constant dense<1.0> : tensor<3xf32>
  %zero = xla.constant dense<0.0> : tensor<3xf32>
  %0:3 = xla.batch_norm_training %x, %one, %zero {epsilon = 0.0 : f32, feature_index = 1} : (!m, tensor<3xf32>, tensor<3xf32>) -> (!m, tensor<3xf32>, tensor<3xf32>)
  %want = xla.constant dense<[[-1.0, -1.0, -1.0], [1.0, 1.0, 1.0]]> : tensor<2x3xf32>
  %mean = xla.constant dense<[2.5, 3.5, 4.5]> : tensor<3xf32>
  %variance = xla.constant dense<2.25> : tensor<3xf32>
  xla.custom_call %0#0, %want {call_target_name = "check.expect_close"} : (!m, tensor<2x3xf32>) -> ()
  xla.custom_call %0#1, %mean {call_target_name = "check.expect_eq"} : (tensor<3xf32>, tensor<3xf32>) -> ()
  xla.custom_call %0#2, %variance {call_target_name = "check.expect_eq"} : (tensor<3xf32>, tensor<3xf32>) -> ()
  return
}

func.func @select_and_scatter() {
  %x = func.call @vector() : () -> !v
  %source = xla.slice %x {start_indices = [0], limit_indices = [2]} : (!v) -> tensor<2xf32>
  %four = xla.constant dense<[1.0, 10.0, 100.0]> : tensor<3xf32>
  %two = xla.constant dense<2> : tensor<i32>
  %some = xla.set_dimension_size %four, %two {dimension = 0} : (tensor<3xf32>, tensor<i32>) -> tensor<?xf32, #xla.array<bounds = [3]>>
  %zero = xla.constant dense<0.0> : tensor<f32>
  %0 = xla.select_and_scatter(%x, %some, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = xla.compare %a, %b {comparison_direction = "GE"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    return %1 : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = xla.add %a, %b : tensor<f32>
    return %1 : tensor<f32>
  }) {window_dimensions = [2]} : (!v, tensor<?xf32, #xla.array<bounds = [3]>>, tensor<f32>) -> !v
  %want = xla.constant dense<[1.0, 0.0, 10.0]> : tensor<3xf32>
  xla.custom_call %0, %want {call_target_name = "check.expect_eq"} : (!v, tensor<3xf32>) -> ()
  return
}

func.func @fft() {
  %x = func.call @rows() : () -> !m
  %0 = xla.fft %x {fft_type = "RFFT", fft_length = [3]} : (!m) -> tensor<?x2xcomplex<f32>, #xla.array<bounds = [4, ?]>>
  %1 = xla.fft %0 {fft_type = "IRFFT", fft_length = [3]} : (tensor<?x2xcomplex<f32>, #xla.array<bounds = [4, ?]>>) -> !m
  %want = xla.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  xla.custom_call %1, %want {call_target_name = "check.expect_close"} : (!m, tensor<2x3xf32>) -> ()
  return
}

//--- reference.mlir
!s = tensor<?x?xf32, #xla.array<bounds = [3, 3]>>

// CHECK: 1 passed, 0 failed

// The upper left part of a matrix: its root, and a system of equations.
func.func @triangular() {
  %x = xla.constant dense<[[4.0, 2.0, 7.0], [2.0, 10.0, 7.0], [7.0, 7.0, 7.0]]> : tensor<3x3xf32>
  %y = xla.constant dense<[[2.0, 9.0], [4.0, 9.0], [9.0, 9.0]]> : tensor<3x2xf32>
  %two = xla.constant dense<2> : tensor<i32>
  %0 = xla.set_dimension_size %x, %two {dimension = 0} : (tensor<3x3xf32>, tensor<i32>) -> tensor<?x3xf32, #xla.array<bounds = [3, ?]>>
  %1 = xla.set_dimension_size %0, %two {dimension = 1} : (tensor<?x3xf32, #xla.array<bounds = [3, ?]>>, tensor<i32>) -> !s
  %2 = xla.set_dimension_size %y, %two {dimension = 0} : (tensor<3x2xf32>, tensor<i32>) -> tensor<?x2xf32, #xla.array<bounds = [3, ?]>>
  %root = xla.cholesky %1 {lower = true} : !s
  %solved = xla.triangular_solve %root, %2 {left_side = true, lower = true, unit_diagonal = false, transpose_a = "NO_TRANSPOSE"} : (!s, tensor<?x2xf32, #xla.array<bounds = [3, ?]>>) -> tensor<?x2xf32, #xla.array<bounds = [3, ?]>>
  %want = xla.constant dense<[[2.0, 0.0], [1.0, 3.0]]> : tensor<2x2xf32>
  %wanted = xla.constant dense<[[1.0, 4.5], [1.0, 1.5]]> : tensor<2x2xf32>
  %low = xla.constant dense<[[true, false], [true, true]]> : tensor<2x2xi1>
  %none = xla.constant dense<0.0> : tensor<2x2xf32>
  %plain = xla.slice %root {start_indices = [0, 0], limit_indices = [2, 2]} : (!s) -> tensor<2x2xf32>
  %lower = xla.select %low, %plain, %none : (tensor<2x2xi1>, tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  xla.custom_call %lower, %want {call_target_name = "check.expect_eq"} : (tensor<2x2xf32>, tensor<2x2xf32>) -> ()
  xla.custom_call %solved, %wanted {call_target_name = "check.expect_eq"} : (tensor<?x2xf32, #xla.array<bounds = [3, ?]>>, tensor<2x2xf32>) -> ()
  return
}

//--- replicas.mlir
!v = tensor<?xf32, #xla.array<bounds = [4]>>

// CHECK: 1 passed, 0 failed

// Replica 0 has one element, replica 1 two.
func.func @collectives() {
  %x = xla.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %id = xla.replica_id : () -> tensor<ui32>
  %number = xla.convert %id : (tensor<ui32>) -> tensor<i32>
  %one = xla.constant dense<1> : tensor<i32>
  %two = xla.constant dense<2> : tensor<i32>
  %n = xla.add %number, %one : tensor<i32>
  %own = xla.set_dimension_size %x, %n {dimension = 0} : (tensor<4xf32>, tensor<i32>) -> !v
  %same = xla.set_dimension_size %x, %two {dimension = 0} : (tensor<4xf32>, tensor<i32>) -> !v
  // Both get the other's size with its elements.
  %0 = xla.collective_permute %own {source_target_pairs = [[0, 1], [1, 0]]} : (!v) -> !v
  %size = xla.get_dimension_size %0 {dimension = 0} : (!v) -> tensor<i32>
  %other = xla.subtract %two, %number : tensor<i32>
  // Whoever gets nothing has zeros, as many as it gave.
  %1 = xla.collective_permute %own {source_target_pairs = [[1, 0]]} : (!v) -> !v
  %two_sized = xla.get_dimension_size %1 {dimension = 0} : (!v) -> tensor<i32>
  %2 = xla.cross_replica_sum %same : !v
  %3 = xla.all_reduce(%same) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = xla.multiply %a, %b : tensor<f32>
    return %m : tensor<f32>
  }) {replica_groups = [[0, 1]]} : (!v) -> !v
  %rows = xla.broadcast %same {broadcast_sizes = [1]} : (!v) -> tensor<1x?xf32, #xla.array<bounds = [?, 4]>>
  %4 = xla.all_gather %rows {all_gather_dim = 0, replica_groups = [[0, 1]]} : (tensor<1x?xf32, #xla.array<bounds = [?, 4]>>) -> tensor<2x?xf32, #xla.array<bounds = [?, 4]>>
  %sum = xla.constant dense<[2.0, 4.0]> : tensor<2xf32>
  %product = xla.constant dense<[1.0, 4.0]> : tensor<2xf32>
  %both = xla.constant dense<[[1.0, 2.0], [1.0, 2.0]]> : tensor<2x2xf32>
  xla.custom_call %size, %other {call_target_name = "check.expect_eq"} : (tensor<i32>, tensor<i32>) -> ()
  xla.custom_call %two_sized, %two {call_target_name = "check.expect_eq"} : (tensor<i32>, tensor<i32>) -> ()
  xla.custom_call %2, %sum {call_target_name = "check.expect_eq"} : (!v, tensor<2xf32>) -> ()
  xla.custom_call %3, %product {call_target_name = "check.expect_eq"} : (!v, tensor<2xf32>) -> ()
  xla.custom_call %4, %both {call_target_name = "check.expect_eq"} : (tensor<2x?xf32, #xla.array<bounds = [?, 4]>>, tensor<2x2xf32>) -> ()
  return
}

//--- errors.mlir
// Nothing says how large a drawn or counted array would be.
func.func @iota() {
  // expected-error@+1 {{'xla.iota' op result 0, tensor<?xf32, #xla.array<bounds = [4]>>, has a dimension of dynamic size}}
  %0 = xla.iota {iota_dimension = 0} : () -> tensor<?xf32, #xla.array<bounds = [4]>>
  return
}

// -----

func.func @rng_uniform(%a: tensor<f32>, %b: tensor<f32>) {
  // expected-error@+1 {{'xla.rng_uniform' op result 0, tensor<?xf32, #xla.array<bounds = [4]>>, has a dimension of dynamic size}}
  %0 = xla.rng_uniform %a, %b : (tensor<f32>, tensor<f32>) -> tensor<?xf32, #xla.array<bounds = [4]>>
  return
}

// -----

func.func @rng_bit_generator(%a: tensor<2xui64>) {
  // expected-error@+1 {{'xla.rng_bit_generator' op result 1, tensor<?xui32, #xla.array<bounds = [4]>>, has a dimension of dynamic size}}
  %0:2 = xla.rng_bit_generator %a {rng_algorithm = "PHILOX"} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<?xui32, #xla.array<bounds = [4]>>)
  return
}

// -----

func.func @fft(%x: tensor<?xcomplex<f32>, #xla.array<bounds = [4]>>) {
  // expected-error@+1 {{dimension 0 of the operand is dynamic, so it cannot be transformed [dynamic]}}
  %0 = xla.fft %x {fft_type = "FFT", fft_length = [4]} : tensor<?xcomplex<f32>, #xla.array<bounds = [4]>>
  return
}

// -----

func.func @bitcast_convert(%x: tensor<?xi16, #xla.array<bounds = [2]>>) {
  // expected-error@+1 {{dimension 0 of the operand is dynamic, so it cannot be joined into elements of s32 [dynamic]}}
  %0 = xla.bitcast_convert %x : (tensor<?xi16, #xla.array<bounds = [2]>>) -> tensor<i32>
  return
}

// -----

func.func @all_gather(%x: tensor<?xf32, #xla.array<bounds = [2]>>) {
  // expected-error@+1 {{dimension 0 of the operand is dynamic, so it cannot be split or joined [dynamic]}}
  %0 = xla.all_gather %x {all_gather_dim = 0, replica_groups = [[0, 1]]} : (tensor<?xf32, #xla.array<bounds = [2]>>) -> tensor<?xf32, #xla.array<bounds = [4]>>
  return
}

// -----

func.func @all_to_all(%x: tensor<?x2xf32, #xla.array<bounds = [2, ?]>>) {
  // expected-error@+1 {{dimension 0 of the operand is dynamic, so it cannot be split or joined [dynamic]}}
  %0 = xla.all_to_all %x {split_dimension = 0, concat_dimension = 1, split_count = 2, replica_groups = [[0, 1]]} : (tensor<?x2xf32, #xla.array<bounds = [2, ?]>>) -> tensor<?x4xf32, #xla.array<bounds = [1, ?]>>
  return
}

// -----

func.func @result(%x: tensor<?xf32, #xla.array<bounds = [4]>>) {
  // expected-error@+1 {{result 0 is stated as tensor<2x4xf32>, but is tensor<2x?xf32, #xla.array<bounds = [?, 4]>> [result]}}
  %0 = xla.broadcast %x {broadcast_sizes = [2]} : (tensor<?xf32, #xla.array<bounds = [4]>>) -> tensor<2x4xf32>
  return
}

// -----

// A part of a dynamic dimension has a fixed size.
func.func @gather(%x: tensor<?x3xf32, #xla.array<bounds = [4, ?]>>, %i: tensor<5xi32>) {
  // expected-error@+1 {{result 0 is stated as tensor<?x5x3xf32, #xla.array<bounds = [2, ?, ?]>>, but is tensor<2x5x3xf32> [result]}}
  %0 = xla.gather %x, %i {offset_dims = [0, 2], start_index_map = [0], index_vector_dim = 1, slice_sizes = [2, 3]} : (tensor<?x3xf32, #xla.array<bounds = [4, ?]>>, tensor<5xi32>) -> tensor<?x5x3xf32, #xla.array<bounds = [2, ?, ?]>>
  return
}

//--- run.mlir
!v = tensor<?xf32, #xla.array<bounds = [4]>>

// SORT: error: 'xla.sort' op operand 1 is tensor<2xf32>, operand 0 is tensor<3xf32>: the dimensions must be the same [sort_c3]
func.func @sort(%x: !v, %y: !v) -> !v {
  %0:2 = xla.sort(%x, %y) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
    %less = xla.compare %a, %b {comparison_direction = "LT"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    return %less : tensor<i1>
  }) {dimension = 0} : (!v, !v) -> (!v, !v)
  return %0#0 : !v
}

// GATHER: error: 'xla.gather' op slice_sizes[0] is 2, must be in [0, 1], the size of the operand [gather_c21]
func.func @gather(%x: tensor<?x3xf32, #xla.array<bounds = [4, ?]>>) -> tensor<5x2x3xf32> {
  %i = xla.constant dense<0> : tensor<5xi32>
  %0 = xla.gather %x, %i {offset_dims = [1, 2], start_index_map = [0], index_vector_dim = 1, slice_sizes = [2, 3]} : (tensor<?x3xf32, #xla.array<bounds = [4, ?]>>, tensor<5xi32>) -> tensor<5x2x3xf32>
  return %0 : tensor<5x2x3xf32>
}

// SCATTER: error: 'xla.scatter' op dimension 0 of update 0 is 2, more than dimension 0 of input 0, 1 [scatter_c4]
func.func @scatter(%x: !v, %y: !v) -> !v {
  %i = xla.constant dense<0> : tensor<1xi32>
  %0 = xla.scatter(%x, %i, %y) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    return %b : tensor<f32>
  }) {update_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 0} : (!v, tensor<1xi32>, !v) -> !v
  return %0 : !v
}

// KERNEL: error: 'xla.convolution' op spatial dimension 2 of rhs is 0, must be positive [convolution_kernel]
func.func @convolution(%w: !v) -> tensor<1x1x?xf32, #xla.array<bounds = [?, ?, 4]>> {
  %x = xla.constant dense<1.0> : tensor<1x1x7xf32>
  %kernel = xla.reshape %w : (!v) -> tensor<1x1x?xf32, #xla.array<bounds = [?, ?, 4]>>
  %0 = xla.convolution %x, %kernel : (tensor<1x1x7xf32>, tensor<1x1x?xf32, #xla.array<bounds = [?, ?, 4]>>) -> tensor<1x1x?xf32, #xla.array<bounds = [?, ?, 4]>>
  return %0 : tensor<1x1x?xf32, #xla.array<bounds = [?, ?, 4]>>
}

// CHOLESKY: error: 'xla.cholesky' op the operand's matrices have 3 rows and 2 columns, must be square [cholesky_c3]
func.func @cholesky(%x: tensor<?x?xf32, #xla.array<bounds = [3, 3]>>) -> tensor<?x?xf32, #xla.array<bounds = [3, 3]>> {
  %0 = xla.cholesky %x {lower = true} : tensor<?x?xf32, #xla.array<bounds = [3, 3]>>
  return %0 : tensor<?x?xf32, #xla.array<bounds = [3, 3]>>
}

// SUM: error: 'xla.cross_replica_sum' op operand 0 is tensor<{{[12]}}xf32> in one process, tensor<{{[12]}}xf32> in another [dynamic]
func.func @sum() -> !v {
  %x = xla.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %id = xla.replica_id : () -> tensor<ui32>
  %number = xla.convert %id : (tensor<ui32>) -> tensor<i32>
  %one = xla.constant dense<1> : tensor<i32>
  %n = xla.add %number, %one : tensor<i32>
  %own = xla.set_dimension_size %x, %n {dimension = 0} : (tensor<4xf32>, tensor<i32>) -> !v
  %0 = xla.cross_replica_sum %own : !v
  return %0 : !v
}
