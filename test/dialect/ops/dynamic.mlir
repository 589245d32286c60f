// Dimensions whose sizes are known when a program runs (specification 000, SetDimensionSize).
// RUN: split-file %s %t
// RUN: xla-opt %t/values.mlir | xla-opt | FileCheck %t/values.mlir
// RUN: xla-run %t/values.mlir --check | FileCheck %t/values.mlir --check-prefix=VALUES
// Sizes that follow from constants are compiled.
// RUN: xla-run %t/values.mlir --check --device=cpu | FileCheck %t/values.mlir --check-prefix=VALUES
// RUN: xla-run %t/values.mlir --check --device=all | FileCheck %t/values.mlir --check-prefix=VALUES
// Other sizes are values beside arrays of their bounds.
// RUN: sed -f %S/Inputs/hide_sizes.sed %t/values.mlir > %t/hidden.mlir
// RUN: xla-run %t/hidden.mlir --check --device=cpu | FileCheck %t/values.mlir --check-prefix=VALUES
// RUN: xla-run %t/hidden.mlir --check --device=all | FileCheck %t/values.mlir --check-prefix=VALUES
// RUN: xla-run %t/loops.mlir --check | FileCheck %t/loops.mlir --check-prefix=LOOPS
// RUN: xla-run %t/loops.mlir --check --device=cpu | FileCheck %t/loops.mlir --check-prefix=LOOPS
// RUN: xla-run %t/loops.mlir --check --device=all | FileCheck %t/loops.mlir --check-prefix=LOOPS
// RUN: xla-opt %t/values.mlir --canonicalize --cse --xla-simplify --xla-explicit-broadcast -o %t/passed.mlir
// RUN: xla-run %t/passed.mlir --check | FileCheck %t/values.mlir --check-prefix=VALUES
// RUN: xla-opt %t/errors.mlir --split-input-file --verify-diagnostics
// RUN: not xla-run %t/run.mlir --entry=add --input=3xf32=1 --input=2xf32=1 2>&1 | FileCheck %t/run.mlir --check-prefix=ADD
// RUN: not xla-run %t/run.mlir --entry=static --input=3xf32=1 --input=4xf32=1 2>&1 | FileCheck %t/run.mlir --check-prefix=STATIC
// RUN: not xla-run %t/run.mlir --entry=static --input=1xf32=1 --input=4xf32=1 2>&1 | FileCheck %t/run.mlir --check-prefix=ONE
// RUN: not xla-run %t/run.mlir --entry=select --input=2xpred=1 --input=3xf32=1 2>&1 | FileCheck %t/run.mlir --check-prefix=SELECT
// RUN: not xla-run %t/run.mlir --entry=dot --input=3xf32=1 --input=2xf32=1 2>&1 | FileCheck %t/run.mlir --check-prefix=DOT
// RUN: not xla-run %t/run.mlir --entry=concatenate --input=3x3xf32=1 --input=2x3xf32=1 2>&1 | FileCheck %t/run.mlir --check-prefix=CONCATENATE
// RUN: not xla-run %t/run.mlir --entry=slice --input=3xf32=1 2>&1 | FileCheck %t/run.mlir --check-prefix=SLICE
// RUN: not xla-run %t/run.mlir --entry=update --input=3xf32=1 --input=2xf32=1 2>&1 | FileCheck %t/run.mlir --check-prefix=UPDATE
// RUN: not xla-run %t/run.mlir --entry=pad --input=1xf32=1 2>&1 | FileCheck %t/run.mlir --check-prefix=PAD
// RUN: not xla-run %t/run.mlir --entry=reshape --input=3xf32=1 2>&1 | FileCheck %t/run.mlir --check-prefix=RESHAPE
// RUN: not xla-run %t/run.mlir --entry=reduce --input=3xf32=1 --input=2xf32=1 2>&1 | FileCheck %t/run.mlir --check-prefix=REDUCE
// RUN: not xla-run %t/run.mlir --entry=map --input=3xf32=1 --input=2xf32=1 2>&1 | FileCheck %t/run.mlir --check-prefix=MAP
// RUN: not xla-run %t/run.mlir --entry=negate --input=5xf32=1 2>&1 | FileCheck %t/run.mlir --check-prefix=INPUT
// RUN: xla-run %t/run.mlir --entry=negate --input="3xf32=1 2 3" --device=cpu | FileCheck %t/run.mlir --check-prefix=FILE
// RUN: not xla-run %t/run.mlir --entry=negate --input=5xf32=1 --device=cpu 2>&1 | FileCheck %t/run.mlir --check-prefix=INPUT
// RUN: xla-run %t/run.mlir --entry=negate --input="3xf32=1 2 3" --output=@%t/y.npy
// RUN: xla-run %t/run.mlir --entry=negate --input="3xf32=1 2 3" --expected-output=@%t/y.npy | FileCheck %t/run.mlir --check-prefix=FILE
// RUN: not xla-run %t/run.mlir --entry=negate --input="2xf32=1 2" --expected-output=@%t/y.npy 2>&1 | FileCheck %t/run.mlir --check-prefix=SIZES
// RUN: xla-run %t/run.mlir --entry=negate --seed=1 | FileCheck %t/run.mlir --check-prefix=SEED

//--- values.mlir
!v = tensor<?xf32, #xla.array<bounds = [10]>>
!m = tensor<?x3xf32, #xla.array<bounds = [4, ?]>>
!t = tensor<3x?xf32, #xla.array<bounds = [?, 4]>>

// VALUES: 13 passed, 0 failed

// The three printed results: 15, 120 and 21.
// CHECK-LABEL: func.func @printed
// CHECK: xla.set_dimension_size %{{.*}}, %{{.*}} {dimension = 0 : i64} : (tensor<10xf32>, tensor<i32>) -> tensor<?xf32, #xla.array<bounds = [10]>>
func.func @printed() {
  %v = xla.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0]> : tensor<10xf32>
  %five = xla.constant dense<5> : tensor<i32>
  %six = xla.constant dense<6> : tensor<i32>
  %zero = xla.constant dense<0.0> : tensor<f32>
  %one = xla.constant dense<1.0> : tensor<f32>
  %padded_v_five = xla.set_dimension_size %v, %five {dimension = 0 : i64} : (tensor<10xf32>, tensor<i32>) -> !v
  %padded_v_six = xla.set_dimension_size %v, %six {dimension = 0 : i64} : (tensor<10xf32>, tensor<i32>) -> !v
  %sum = xla.reduce(%padded_v_five, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %0 = xla.add %a, %b : tensor<f32>
    return %0 : tensor<f32>
  }) {dimensions = [0]} : (!v, tensor<f32>) -> tensor<f32>
  %product = xla.reduce(%padded_v_five, %one) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %0 = xla.multiply %a, %b : tensor<f32>
    return %0 : tensor<f32>
  }) {dimensions = [0]} : (!v, tensor<f32>) -> tensor<f32>
  %sum6 = xla.reduce(%padded_v_six, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %0 = xla.add %a, %b : tensor<f32>
    return %0 : tensor<f32>
  }) {dimensions = [0]} : (!v, tensor<f32>) -> tensor<f32>
  %want = xla.constant dense<15.0> : tensor<f32>
  %want_product = xla.constant dense<120.0> : tensor<f32>
  %want6 = xla.constant dense<21.0> : tensor<f32>
  xla.custom_call %sum, %want {call_target_name = "check.expect_eq"} : (tensor<f32>, tensor<f32>) -> ()
  xla.custom_call %product, %want_product {call_target_name = "check.expect_eq"} : (tensor<f32>, tensor<f32>) -> ()
  xla.custom_call %sum6, %want6 {call_target_name = "check.expect_eq"} : (tensor<f32>, tensor<f32>) -> ()
  // The bound is what it was, the size is another.
  %size = xla.get_dimension_size %padded_v_five {dimension = 0} : (!v) -> tensor<i32>
  xla.custom_call %size, %five {call_target_name = "check.expect_eq"} : (tensor<i32>, tensor<i32>) -> ()
  return
}

func.func private @rows() -> !m {
  %x = xla.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0], [10.0, 11.0, 12.0]]> : tensor<4x3xf32>
  %two = xla.constant dense<2> : tensor<i32>
  %0 = xla.set_dimension_size %x, %two {dimension = 0} : (tensor<4x3xf32>, tensor<i32>) -> !m
  return %0 : !m
}

func.func private @empty() -> !m {
  %x = func.call @rows() : () -> !m
  %zero = xla.constant dense<0> : tensor<i32>
  %0 = xla.set_dimension_size %x, %zero {dimension = 0} : (!m, tensor<i32>) -> !m
  return %0 : !m
}

// Elementwise operations, with scalars, rows and columns.
func.func @elementwise() {
  %x = func.call @rows() : () -> !m
  %one = xla.constant dense<1.0> : tensor<f32>
  %row = xla.constant dense<[10.0, 20.0, 30.0]> : tensor<3xf32>
  %row2 = xla.constant dense<[[1.0, 2.0, 3.0]]> : tensor<1x3xf32>
  %n = xla.negate %x : !m
  %0 = xla.add %n, %one : (!m, tensor<f32>) -> !m
  %1 = xla.add %0, %row {broadcast_dimensions = [1]} : (!m, tensor<3xf32>) -> !m
  %2 = xla.subtract %row2, %1 : (tensor<1x3xf32>, !m) -> !m
  %less = xla.compare %x, %2 {comparison_direction = "LT"} : (!m, !m) -> tensor<?x3xi1, #xla.array<bounds = [4, ?]>>
  %3 = xla.select %less, %x, %2 : (tensor<?x3xi1, #xla.array<bounds = [4, ?]>>, !m, !m) -> !m
  %4 = xla.clamp %one, %3, %x : (tensor<f32>, !m, !m) -> !m
  %5 = xla.convert %4 : (!m) -> tensor<?x3xi32, #xla.array<bounds = [4, ?]>>
  %want2 = xla.constant dense<[[-9.0, -17.0, -25.0], [-6.0, -14.0, -22.0]]> : tensor<2x3xf32>
  %want5 = xla.constant dense<1> : tensor<2x3xi32>
  xla.custom_call %2, %want2 {call_target_name = "check.expect_eq"} : (!m, tensor<2x3xf32>) -> ()
  xla.custom_call %5, %want5 {call_target_name = "check.expect_eq"} : (tensor<?x3xi32, #xla.array<bounds = [4, ?]>>, tensor<2x3xi32>) -> ()
  return
}

// A bounded and a static dimension of the same size make a bounded one.
func.func @mixed() {
  %x = func.call @rows() : () -> !m
  %four = xla.constant dense<4> : tensor<i32>
  %y = xla.constant dense<1.0> : tensor<4x3xf32>
  %z = xla.set_dimension_size %y, %four {dimension = 0} : (tensor<4x3xf32>, tensor<i32>) -> !m
  %0 = xla.add %z, %y : (!m, tensor<4x3xf32>) -> !m
  %1 = xla.add %y, %z : (tensor<4x3xf32>, !m) -> !m
  %want = xla.constant dense<2.0> : tensor<4x3xf32>
  xla.custom_call %0, %want {call_target_name = "check.expect_eq"} : (!m, tensor<4x3xf32>) -> ()
  xla.custom_call %1, %want {call_target_name = "check.expect_eq"} : (!m, tensor<4x3xf32>) -> ()
  return
}

func.func @transpose_and_reverse() {
  %x = func.call @rows() : () -> !m
  %t = xla.transpose %x {permutation = [1, 0]} : (!m) -> !t
  %r = xla.reverse %t {dimensions = [1]} : !t
  %want = xla.constant dense<[[4.0, 1.0], [5.0, 2.0], [6.0, 3.0]]> : tensor<3x2xf32>
  xla.custom_call %r, %want {call_target_name = "check.expect_eq"} : (!t, tensor<3x2xf32>) -> ()
  return
}

// All of a dynamic dimension stays dynamic, a part of it does not.
func.func @slices() {
  %x = func.call @rows() : () -> !m
  %one = xla.constant dense<1> : tensor<i32>
  %zero = xla.constant dense<0> : tensor<i32>
  %all = xla.slice %x {start_indices = [0, 1], limit_indices = [4, 3]} : (!m) -> tensor<?x2xf32, #xla.array<bounds = [4, ?]>>
  %part = xla.slice %x {start_indices = [1, 0], limit_indices = [2, 3], strides = [1, 2]} : (!m) -> tensor<1x2xf32>
  %d = xla.dynamic_slice %x, %one, %one {slice_sizes = [4, 2]} : (!m, tensor<i32>, tensor<i32>) -> tensor<?x2xf32, #xla.array<bounds = [4, ?]>>
  // Starts are clamped into what is there.
  %e = xla.dynamic_slice %x, %one, %zero {slice_sizes = [2, 1]} : (!m, tensor<i32>, tensor<i32>) -> tensor<2x1xf32>
  %u = xla.dynamic_update_slice %x, %part, %one, %one : (!m, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> !m
  %want_all = xla.constant dense<[[2.0, 3.0], [5.0, 6.0]]> : tensor<2x2xf32>
  %want_part = xla.constant dense<[[4.0, 6.0]]> : tensor<1x2xf32>
  %want_e = xla.constant dense<[[1.0], [4.0]]> : tensor<2x1xf32>
  %want_u = xla.constant dense<[[1.0, 2.0, 3.0], [4.0, 4.0, 6.0]]> : tensor<2x3xf32>
  xla.custom_call %all, %want_all {call_target_name = "check.expect_eq"} : (tensor<?x2xf32, #xla.array<bounds = [4, ?]>>, tensor<2x2xf32>) -> ()
  xla.custom_call %part, %want_part {call_target_name = "check.expect_eq"} : (tensor<1x2xf32>, tensor<1x2xf32>) -> ()
  xla.custom_call %d, %want_all {call_target_name = "check.expect_eq"} : (tensor<?x2xf32, #xla.array<bounds = [4, ?]>>, tensor<2x2xf32>) -> ()
  xla.custom_call %e, %want_e {call_target_name = "check.expect_eq"} : (tensor<2x1xf32>, tensor<2x1xf32>) -> ()
  xla.custom_call %u, %want_u {call_target_name = "check.expect_eq"} : (!m, tensor<2x3xf32>) -> ()
  return
}

// The pieces follow each other without what lies beyond their sizes.
func.func @concatenate() {
  %x = func.call @rows() : () -> !m
  %none = func.call @empty() : () -> !m
  %y = xla.constant dense<0.5> : tensor<1x3xf32>
  %0 = xla.concatenate %x, %y, %none, %x {dimension = 0} : (!m, tensor<1x3xf32>, !m, !m) -> tensor<?x3xf32, #xla.array<bounds = [13, ?]>>
  %1 = xla.concatenate %x, %x {dimension = 1} : (!m, !m) -> tensor<?x6xf32, #xla.array<bounds = [4, ?]>>
  %want = xla.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [0.5, 0.5, 0.5], [1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<5x3xf32>
  %want1 = xla.constant dense<[[1.0, 2.0, 3.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 4.0, 5.0, 6.0]]> : tensor<2x6xf32>
  xla.custom_call %0, %want {call_target_name = "check.expect_eq"} : (tensor<?x3xf32, #xla.array<bounds = [13, ?]>>, tensor<5x3xf32>) -> ()
  xla.custom_call %1, %want1 {call_target_name = "check.expect_eq"} : (tensor<?x6xf32, #xla.array<bounds = [4, ?]>>, tensor<2x6xf32>) -> ()
  return
}

func.func @pad() {
  %x = func.call @rows() : () -> !m
  %p = xla.constant dense<-1.0> : tensor<f32>
  %0 = xla.pad %x, %p {edge_padding_low = [1, 0], edge_padding_high = [0, -2], interior_padding = [1, 0]} : (!m, tensor<f32>) -> tensor<?x1xf32, #xla.array<bounds = [8, ?]>>
  %want = xla.constant dense<[[-1.0], [1.0], [-1.0], [4.0]]> : tensor<4x1xf32>
  xla.custom_call %0, %want {call_target_name = "check.expect_eq"} : (tensor<?x1xf32, #xla.array<bounds = [8, ?]>>, tensor<4x1xf32>) -> ()
  return
}

func.func @broadcast_in_dim() {
  %x = func.call @rows() : () -> !m
  %0 = xla.broadcast_in_dim %x {broadcast_dimensions = [2, 1]} : (!m) -> tensor<2x3x?xf32, #xla.array<bounds = [?, ?, 4]>>
  %want = xla.constant dense<[[[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]], [[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]]]> : tensor<2x3x2xf32>
  xla.custom_call %0, %want {call_target_name = "check.expect_eq"} : (tensor<2x3x?xf32, #xla.array<bounds = [?, ?, 4]>>, tensor<2x3x2xf32>) -> ()
  return
}

// Dimensions are joined and split again; those beside keep theirs.
func.func @reshape() {
  %x = func.call @rows() : () -> !m
  %flat = xla.reshape %x : (!m) -> tensor<?xf32, #xla.array<bounds = [12]>>
  %back = xla.reshape %flat : (tensor<?xf32, #xla.array<bounds = [12]>>) -> tensor<1x?x3xf32, #xla.array<bounds = [?, 4, ?]>>
  %b = xla.broadcast_in_dim %x {broadcast_dimensions = [1, 3]} : (!m) -> tensor<2x?x5x3xf32, #xla.array<bounds = [?, 4, ?, ?]>>
  %c = xla.reshape %b : (tensor<2x?x5x3xf32, #xla.array<bounds = [?, 4, ?, ?]>>) -> tensor<2x1x?x15x1xf32, #xla.array<bounds = [?, ?, 4, ?, ?]>>
  %size = xla.get_dimension_size %c {dimension = 2} : (tensor<2x1x?x15x1xf32, #xla.array<bounds = [?, ?, 4, ?, ?]>>) -> tensor<i32>
  %same = xla.reshape %b : (tensor<2x?x5x3xf32, #xla.array<bounds = [?, 4, ?, ?]>>) -> tensor<2x?x5x3xf32, #xla.array<bounds = [?, 4, ?, ?]>>
  %want = xla.constant dense<[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]]> : tensor<1x2x3xf32>
  %two = xla.constant dense<2> : tensor<i32>
  xla.custom_call %back, %want {call_target_name = "check.expect_eq"} : (tensor<1x?x3xf32, #xla.array<bounds = [?, 4, ?]>>, tensor<1x2x3xf32>) -> ()
  xla.custom_call %size, %two {call_target_name = "check.expect_eq"} : (tensor<i32>, tensor<i32>) -> ()
  xla.custom_call %same, %b {call_target_name = "check.expect_eq"} : (tensor<2x?x5x3xf32, #xla.array<bounds = [?, 4, ?, ?]>>, tensor<2x?x5x3xf32, #xla.array<bounds = [?, 4, ?, ?]>>) -> ()
  return
}

// Sums along a dynamic dimension and beside one, windows, maps.
func.func @reductions() {
  %x = func.call @rows() : () -> !m
  %zero = xla.constant dense<0.0> : tensor<f32>
  %columns = xla.reduce(%x, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %0 = xla.add %a, %b : tensor<f32>
    return %0 : tensor<f32>
  }) {dimensions = [0]} : (!m, tensor<f32>) -> tensor<3xf32>
  %lines = xla.reduce(%x, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %0 = xla.add %a, %b : tensor<f32>
    return %0 : tensor<f32>
  }) {dimensions = [1]} : (!m, tensor<f32>) -> tensor<?xf32, #xla.array<bounds = [4]>>
  %windows = xla.reduce_window(%x, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %0 = xla.add %a, %b : tensor<f32>
    return %0 : tensor<f32>
  }) {window_dimensions = [2, 2]} : (!m, tensor<f32>) -> tensor<?x2xf32, #xla.array<bounds = [3, ?]>>
  %squares = xla.map(%x, %x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %0 = xla.multiply %a, %b : tensor<f32>
    return %0 : tensor<f32>
  }) {dimensions = [0, 1]} : (!m, !m) -> !m
  %want_columns = xla.constant dense<[5.0, 7.0, 9.0]> : tensor<3xf32>
  %want_lines = xla.constant dense<[6.0, 15.0]> : tensor<2xf32>
  %want_windows = xla.constant dense<[[12.0, 16.0]]> : tensor<1x2xf32>
  %want_squares = xla.constant dense<[[1.0, 4.0, 9.0], [16.0, 25.0, 36.0]]> : tensor<2x3xf32>
  xla.custom_call %columns, %want_columns {call_target_name = "check.expect_eq"} : (tensor<3xf32>, tensor<3xf32>) -> ()
  xla.custom_call %lines, %want_lines {call_target_name = "check.expect_eq"} : (tensor<?xf32, #xla.array<bounds = [4]>>, tensor<2xf32>) -> ()
  xla.custom_call %windows, %want_windows {call_target_name = "check.expect_eq"} : (tensor<?x2xf32, #xla.array<bounds = [3, ?]>>, tensor<1x2xf32>) -> ()
  xla.custom_call %squares, %want_squares {call_target_name = "check.expect_eq"} : (!m, tensor<2x3xf32>) -> ()
  return
}

// Contracting, batch and free dimensions.
func.func @contractions() {
  %x = func.call @rows() : () -> !m
  %t = xla.transpose %x {permutation = [1, 0]} : (!m) -> !t
  %free = xla.dot %x, %t : (!m, !t) -> tensor<?x?xf32, #xla.array<bounds = [4, 4]>>
  %contracted = xla.dot %t, %x : (!t, !m) -> tensor<3x3xf32>
  %batch = xla.dot_general %x, %t {lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]} : (!m, !t) -> tensor<?xf32, #xla.array<bounds = [4]>>
  %want_free = xla.constant dense<[[14.0, 32.0], [32.0, 77.0]]> : tensor<2x2xf32>
  %want_contracted = xla.constant dense<[[17.0, 22.0, 27.0], [22.0, 29.0, 36.0], [27.0, 36.0, 45.0]]> : tensor<3x3xf32>
  %want_batch = xla.constant dense<[14.0, 77.0]> : tensor<2xf32>
  xla.custom_call %free, %want_free {call_target_name = "check.expect_eq"} : (tensor<?x?xf32, #xla.array<bounds = [4, 4]>>, tensor<2x2xf32>) -> ()
  xla.custom_call %contracted, %want_contracted {call_target_name = "check.expect_eq"} : (tensor<3x3xf32>, tensor<3x3xf32>) -> ()
  xla.custom_call %batch, %want_batch {call_target_name = "check.expect_eq"} : (tensor<?xf32, #xla.array<bounds = [4]>>, tensor<2xf32>) -> ()
  return
}

// No elements at all.
func.func @nothing() {
  %x = func.call @empty() : () -> !m
  %zero = xla.constant dense<0.0> : tensor<f32>
  %sum = xla.reduce(%x, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %0 = xla.add %a, %b : tensor<f32>
    return %0 : tensor<f32>
  }) {dimensions = [0]} : (!m, tensor<f32>) -> tensor<3xf32>
  %t = xla.transpose %x {permutation = [1, 0]} : (!m) -> !t
  %product = xla.dot %t, %x : (!t, !m) -> tensor<3x3xf32>
  %flat = xla.reshape %x : (!m) -> tensor<?xf32, #xla.array<bounds = [12]>>
  %n = xla.negate %flat : tensor<?xf32, #xla.array<bounds = [12]>>
  %want_sum = xla.constant dense<0.0> : tensor<3xf32>
  %want_product = xla.constant dense<0.0> : tensor<3x3xf32>
  %want_flat = xla.constant dense<> : tensor<0xf32>
  xla.custom_call %sum, %want_sum {call_target_name = "check.expect_eq"} : (tensor<3xf32>, tensor<3xf32>) -> ()
  xla.custom_call %product, %want_product {call_target_name = "check.expect_eq"} : (tensor<3x3xf32>, tensor<3x3xf32>) -> ()
  xla.custom_call %n, %want_flat {call_target_name = "check.expect_eq"} : (tensor<?xf32, #xla.array<bounds = [12]>>, tensor<0xf32>) -> ()
  return
}

// Size 1 is a size like others, and goes with an operand's static 1.
func.func @size1() {
  %x = func.call @rows() : () -> !m
  %one = xla.constant dense<1> : tensor<i32>
  %row = xla.set_dimension_size %x, %one {dimension = 0} : (!m, tensor<i32>) -> !m
  %y = xla.constant dense<1.0> : tensor<1x3xf32>
  %0 = xla.add %row, %y : (!m, tensor<1x3xf32>) -> !m
  %1 = xla.add %0, %row : !m
  %want = xla.constant dense<[[3.0, 5.0, 7.0]]> : tensor<1x3xf32>
  xla.custom_call %1, %want {call_target_name = "check.expect_eq"} : (!m, tensor<1x3xf32>) -> ()
  return
}

//--- loops.mlir
!m = tensor<?x3xf32, #xla.array<bounds = [4, ?]>>

// LOOPS: 1 passed, 0 failed
func.func private @rows() -> !m {
  %x = xla.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0], [10.0, 11.0, 12.0]]> : tensor<4x3xf32>
  %two = xla.constant dense<2> : tensor<i32>
  %0 = xla.set_dimension_size %x, %two {dimension = 0} : (tensor<4x3xf32>, tensor<i32>) -> !m
  return %0 : !m
}

// A loop that halves an array until one row is left, and adds up the sizes.
func.func @control_flow() {
  %x = func.call @rows() : () -> !m
  %zero = xla.constant dense<0> : tensor<i32>
  %0:2 = xla.while(%x, %zero) ({
  ^bb0(%a: !m, %n: tensor<i32>):
    %one = xla.constant dense<1> : tensor<i32>
    %size = xla.get_dimension_size %a {dimension = 0} : (!m) -> tensor<i32>
    %more = xla.compare %size, %one {comparison_direction = "GT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    return %more : tensor<i1>
  }, {
  ^bb0(%a: !m, %n: tensor<i32>):
    %two = xla.constant dense<2> : tensor<i32>
    %size = xla.get_dimension_size %a {dimension = 0} : (!m) -> tensor<i32>
    %half = xla.divide %size, %two : tensor<i32>
    %less = xla.set_dimension_size %a, %half {dimension = 0} : (!m, tensor<i32>) -> !m
    %sum = xla.add %n, %size : tensor<i32>
    return %less, %sum : !m, tensor<i32>
  }) : (!m, tensor<i32>) -> (!m, tensor<i32>)
  %pred = xla.constant dense<false> : tensor<i1>
  %1 = xla.if(%pred) ({
    return %x : !m
  }, {
    return %0#0 : !m
  }) : (tensor<i1>) -> !m
  %both = xla.tuple %1, %0#1 : (!m, tensor<i32>) -> tuple<!m, tensor<i32>>
  %2 = xla.get_tuple_element %both {index = 0} : (tuple<!m, tensor<i32>>) -> !m
  %chosen = xla.select %pred, %2, %2 : (tensor<i1>, !m, !m) -> !m
  %want = xla.constant dense<[[1.0, 2.0, 3.0]]> : tensor<1x3xf32>
  %two = xla.constant dense<2> : tensor<i32>
  xla.custom_call %2, %want {call_target_name = "check.expect_eq"} : (!m, tensor<1x3xf32>) -> ()
  xla.custom_call %0#1, %two {call_target_name = "check.expect_eq"} : (tensor<i32>, tensor<i32>) -> ()
  return
}

//--- errors.mlir
func.func @broadcast_bounds(%x: tensor<?xf32, #xla.array<bounds = [10]>>, %y: tensor<?xf32, #xla.array<bounds = [8]>>) {
  // expected-error@+1 {{dimension 0 of lhs is 10, dimension 0 of rhs 8 [broadcast]}}
  %0 = xla.add %x, %y : (tensor<?xf32, #xla.array<bounds = [10]>>, tensor<?xf32, #xla.array<bounds = [8]>>) -> tensor<?xf32, #xla.array<bounds = [10]>>
  return
}

// -----

// A dimension of at most 1 may have none, so it is not repeated.
func.func @broadcast_bound_1(%x: tensor<?xf32, #xla.array<bounds = [1]>>, %y: tensor<5xf32>) {
  // expected-error@+1 {{dimension 0 of lhs is 1, dimension 0 of rhs 5 [broadcast]}}
  %0 = xla.add %x, %y : (tensor<?xf32, #xla.array<bounds = [1]>>, tensor<5xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @select_c2(%p: tensor<i1>, %x: tensor<?xf32, #xla.array<bounds = [4]>>, %y: tensor<4xf32>) {
  // expected-error@+1 {{on_true is tensor<?xf32, #xla.array<bounds = [4]>>, on_false is tensor<4xf32> [select_c2]}}
  %0 = xla.select %p, %x, %y : (tensor<i1>, tensor<?xf32, #xla.array<bounds = [4]>>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @while_c2(%x: tensor<?xf32, #xla.array<bounds = [4]>>) {
  // expected-error@+1 {{argument 0 of region 0 is tensor<?xf32, #xla.array<bounds = [8]>>, operand 0 is tensor<?xf32, #xla.array<bounds = [4]>> [while_c1]}}
  %0 = xla.while(%x) ({
  ^bb0(%a: tensor<?xf32, #xla.array<bounds = [8]>>):
    %t = xla.constant dense<true> : tensor<i1>
    return %t : tensor<i1>
  }, {
  ^bb0(%a: tensor<?xf32, #xla.array<bounds = [8]>>):
    return %a : tensor<?xf32, #xla.array<bounds = [8]>>
  }) : (tensor<?xf32, #xla.array<bounds = [4]>>) -> tensor<?xf32, #xla.array<bounds = [4]>>
  return
}

// -----

func.func @result(%x: tensor<?xf32, #xla.array<bounds = [4]>>) {
  // expected-error@+1 {{result 0 is stated as tensor<4xf32>, but is tensor<?xf32, #xla.array<bounds = [4]>> [result]}}
  %0 = xla.negate %x : (tensor<?xf32, #xla.array<bounds = [4]>>) -> tensor<4xf32>
  return
}

// -----

func.func @unbounded(%x: tensor<?xf32>) {
  // expected-error@+1 {{operand 0, tensor<?xf32>, has a dimension of dynamic size without a bound}}
  %0 = xla.negate %x : tensor<?xf32>
  return
}

// -----

func.func @half_bounded(%x: tensor<?x?xf32, #xla.array<bounds = [4, ?]>>) {
  // expected-error@+1 {{has a dimension of dynamic size without a bound}}
  %0 = xla.negate %x : tensor<?x?xf32, #xla.array<bounds = [4, ?]>>
  return
}

// -----

// Operations that only know static shapes say so.
func.func @bitcast(%x: tensor<?xf32, #xla.array<bounds = [4]>>) {
  // expected-error@+1 {{'xla.bitcast' op operand 0, tensor<?xf32, #xla.array<bounds = [4]>>, has a dimension of dynamic size}}
  %0 = xla.bitcast %x : (tensor<?xf32, #xla.array<bounds = [4]>>) -> tensor<?xi32, #xla.array<bounds = [4]>>
  return
}

// -----

func.func @iota() {
  // expected-error@+1 {{result 0, tensor<?xf32, #xla.array<bounds = [4]>>, has a dimension of dynamic size}}
  %0 = xla.iota {iota_dimension = 0} : () -> tensor<?xf32, #xla.array<bounds = [4]>>
  return
}

// -----

func.func @concatenate_c2(%x: tensor<?x?xf32, #xla.array<bounds = [4, 3]>>, %y: tensor<1x?xf32, #xla.array<bounds = [?, 2]>>) {
  // expected-error@+1 {{dimension 1 of operand 1 is 2, of operand 0 3 [concatenate_c2]}}
  %0 = xla.concatenate %x, %y {dimension = 0} : (tensor<?x?xf32, #xla.array<bounds = [4, 3]>>, tensor<1x?xf32, #xla.array<bounds = [?, 2]>>) -> tensor<?x?xf32, #xla.array<bounds = [5, 3]>>
  return
}

// -----

func.func @slice_c3(%x: tensor<?xf32, #xla.array<bounds = [4]>>) {
  // expected-error@+1 {{start 0 and limit 5 of dimension 0, of size 4, are not 0 <= start <= limit <= size [slice_c3]}}
  %0 = xla.slice %x {start_indices = [0], limit_indices = [5]} : (tensor<?xf32, #xla.array<bounds = [4]>>) -> tensor<5xf32>
  return
}

// -----

func.func @broadcast_in_dim_c5(%x: tensor<?xf32, #xla.array<bounds = [4]>>) {
  // expected-error@+1 {{dimension 0 of the operand is 4, neither 1 nor 5 as dimension 0 of the result [broadcast_in_dim_c5]}}
  %0 = xla.broadcast_in_dim %x {broadcast_dimensions = [0]} : (tensor<?xf32, #xla.array<bounds = [4]>>) -> tensor<?xf32, #xla.array<bounds = [5]>>
  return
}

// -----

func.func @broadcast_to_static(%x: tensor<?xf32, #xla.array<bounds = [4]>>) {
  // expected-error@+1 {{dimension 0 of the operand is dynamic, dimension 0 of the result is not [dynamic]}}
  %0 = xla.broadcast_in_dim %x {broadcast_dimensions = [0]} : (tensor<?xf32, #xla.array<bounds = [4]>>) -> tensor<4xf32>
  return
}

// -----

func.func @broadcast_to_dynamic(%x: tensor<4xf32>) {
  // expected-error@+1 {{dimension 0 of the operand is not, dimension 0 of the result is dynamic [dynamic]}}
  %0 = xla.broadcast_in_dim %x {broadcast_dimensions = [0]} : (tensor<4xf32>) -> tensor<?xf32, #xla.array<bounds = [4]>>
  return
}

// -----

func.func @broadcast_unsized(%x: tensor<?xf32, #xla.array<bounds = [4]>>) {
  // expected-error@+1 {{dimension 1 of the result is dynamic, but no dimension of the operand gives it a size [dynamic]}}
  %0 = xla.broadcast_in_dim %x {broadcast_dimensions = [0]} : (tensor<?xf32, #xla.array<bounds = [4]>>) -> tensor<?x?xf32, #xla.array<bounds = [4, 2]>>
  return
}

// -----

func.func @reshape_c2(%x: tensor<?x3xf32, #xla.array<bounds = [4, ?]>>) {
  // expected-error@+1 {{the operand tensor<4x3xf32> has 12 elements, the result tensor<10xf32> 10 [reshape_c2]}}
  %0 = xla.reshape %x : (tensor<?x3xf32, #xla.array<bounds = [4, ?]>>) -> tensor<?xf32, #xla.array<bounds = [10]>>
  return
}

// -----

func.func @reshape_to_static(%x: tensor<2x?x3xf32, #xla.array<bounds = [?, 4, ?]>>) {
  // expected-error@+1 {{dimension 1 of the operand is dynamic, so must be one dimension of what it becomes, dimensions 1 to 1 of the result; 0 are [dynamic]}}
  %0 = xla.reshape %x : (tensor<2x?x3xf32, #xla.array<bounds = [?, 4, ?]>>) -> tensor<2x12xf32>
  return
}

// -----

func.func @reshape_to_two(%x: tensor<?xf32, #xla.array<bounds = [12]>>) {
  // expected-error@+1 {{dimension 0 of the operand is dynamic, so must be one dimension of what it becomes, dimensions 0 to 1 of the result; 2 are [dynamic]}}
  %0 = xla.reshape %x : (tensor<?xf32, #xla.array<bounds = [12]>>) -> tensor<?x?xf32, #xla.array<bounds = [4, 3]>>
  return
}

// -----

func.func @reshape_from_static(%x: tensor<2x?xf32, #xla.array<bounds = [?, 4]>>) {
  // expected-error@+1 {{dimension 0 of the result is dynamic, but what it is made of is not [dynamic]}}
  %0 = xla.reshape %x : (tensor<2x?xf32, #xla.array<bounds = [?, 4]>>) -> tensor<?x?xf32, #xla.array<bounds = [2, 4]>>
  return
}

// -----

func.func @reshape_without_elements(%x: tensor<?x0xf32, #xla.array<bounds = [4, ?]>>) {
  // expected-error@+1 {{dimension 1 of the result is dynamic, and its size does not follow from arrays without elements [dynamic]}}
  %0 = xla.reshape %x : (tensor<?x0xf32, #xla.array<bounds = [4, ?]>>) -> tensor<0x?xf32, #xla.array<bounds = [?, 4]>>
  return
}

//--- run.mlir
// What only a run can tell is an error at the operation.
!v = tensor<?xf32, #xla.array<bounds = [4]>>
!m = tensor<?x3xf32, #xla.array<bounds = [4, ?]>>

// ADD: run.mlir:[[#@LINE+2]]:{{[0-9]+}}: error: 'xla.add' op dimension 0 of lhs is 3, dimension 0 of rhs 2 [broadcast]
func.func @add(%x: !v, %y: !v) -> !v {
  %0 = xla.add %x, %y : !v
  return %0 : !v
}

// STATIC: error: 'xla.add' op dimension 0 of lhs is 3, dimension 0 of rhs 4 [broadcast]
func.func @static(%x: !v, %y: tensor<4xf32>) -> !v {
  %0 = xla.add %x, %y : (!v, tensor<4xf32>) -> !v
  return %0 : !v
}

// ONE: error: 'xla.add' op dimension 0 of lhs is 1, dimension 0 of rhs 4 [broadcast]

// SELECT: error: 'xla.select' op pred is tensor<2xi1>, neither a scalar nor of the shape of tensor<3xf32> [select_c1]
func.func @select(%p: tensor<?xi1, #xla.array<bounds = [4]>>, %x: !v) -> !v {
  %0 = xla.select %p, %x, %x : (tensor<?xi1, #xla.array<bounds = [4]>>, !v, !v) -> !v
  return %0 : !v
}

// DOT: error: 'xla.dot' op contracting dimension 0 of lhs is 3, dimension 0 of rhs 2 [dot_c2]
func.func @dot(%x: !v, %y: !v) -> tensor<f32> {
  %0 = xla.dot %x, %y : (!v, !v) -> tensor<f32>
  return %0 : tensor<f32>
}

// CONCATENATE: error: 'xla.concatenate' op dimension 0 of operand 1 is 2, of operand 0 3 [concatenate_c2]
func.func @concatenate(%x: !m, %y: !m) -> tensor<?x6xf32, #xla.array<bounds = [4, ?]>> {
  %0 = xla.concatenate %x, %y {dimension = 1} : (!m, !m) -> tensor<?x6xf32, #xla.array<bounds = [4, ?]>>
  return %0 : tensor<?x6xf32, #xla.array<bounds = [4, ?]>>
}

// SLICE: error: 'xla.slice' op start 1 and limit 4 of dimension 0, of size 3, are not 0 <= start <= limit <= size [slice_c3]
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

// PAD: error: 'xla.pad' op dimension 0 of 1 elements, padded by -2 before, 0 after and 0 between, has a negative size [pad_c4]
func.func @pad(%x: !v) -> tensor<?xf32, #xla.array<bounds = [2]>> {
  %p = xla.constant dense<0.0> : tensor<f32>
  %0 = xla.pad %x, %p {edge_padding_low = [-2], edge_padding_high = [0], interior_padding = [0]} : (!v, tensor<f32>) -> tensor<?xf32, #xla.array<bounds = [2]>>
  return %0 : tensor<?xf32, #xla.array<bounds = [2]>>
}

// RESHAPE: error: 'xla.reshape' op 3 elements cannot make dimension 0 of the result: the dimensions beside it take 2 [dynamic]
func.func @reshape(%x: !v) -> tensor<?x2xf32, #xla.array<bounds = [2, ?]>> {
  %0 = xla.reshape %x : (!v) -> tensor<?x2xf32, #xla.array<bounds = [2, ?]>>
  return %0 : tensor<?x2xf32, #xla.array<bounds = [2, ?]>>
}

// REDUCE: error: 'xla.reduce' op operand 1 is tensor<2xf32>, operand 0 is tensor<3xf32>: the dimensions must be the same [reduce_c1]
func.func @reduce(%x: !v, %y: !v) -> tensor<f32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %0:2 = xla.reduce(%x, %y, %zero, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
    %1 = xla.add %a, %c : tensor<f32>
    %2 = xla.add %b, %d : tensor<f32>
    return %1, %2 : tensor<f32>, tensor<f32>
  }) {dimensions = [0]} : (!v, !v, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %0#0 : tensor<f32>
}

// MAP: error: 'xla.map' op operand 1 is
func.func @map(%x: !v, %y: !v) -> !v {
  %0 = xla.map(%x, %y) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = xla.add %a, %b : tensor<f32>
    return %1 : tensor<f32>
  }) {dimensions = [0]} : (!v, !v) -> !v
  return %0 : !v
}

// INPUT: input 0: expected <=4xf32, got 5xf32
// FILE: 3xf32=-1 -2 -3
// SIZES: output 0: got 2xf32, expected 3xf32
// SEED: 4xf32=
func.func @negate(%x: !v) -> !v {
  %0 = xla.negate %x : !v
  return %0 : !v
}
