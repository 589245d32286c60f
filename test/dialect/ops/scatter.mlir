// Specification 000, Scatter.
// RUN: xla-opt %s --split-input-file --verify-diagnostics | xla-opt --split-input-file | FileCheck %s
// RUN: xla-opt %s --split-input-file --verify-diagnostics --canonicalize | FileCheck %s --check-prefix=FOLD

// CHECK-LABEL: @forms
// CHECK: xla.scatter(%arg0, %arg1, %arg2) ({
// CHECK-NEXT: ^bb0(%[[A:.*]]: tensor<f32>, %[[B:.*]]: tensor<f32>):
// CHECK-NEXT:   %[[S:.*]] = xla.add %[[A]], %[[B]] : tensor<f32>
// CHECK-NEXT:   xla.return %[[S]] : tensor<f32>
// CHECK-NEXT: }) {index_vector_dim = 1 : i64, indices_are_sorted = true, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, unique_indices = true, update_window_dims = array<i64: 1>} : (tensor<4x3xf32>, tensor<5xi32>, tensor<5x3xf32>) -> tensor<4x3xf32>
// CHECK: xla.scatter(%arg0, %arg0, %arg1, %arg2, %arg2)
// CHECK: }) {{.*}} : (tensor<4x3xf32>, tensor<4x3xf32>, tensor<5xi32>, tensor<5x3xf32>, tensor<5x3xf32>) -> (tensor<4x3xf32>, tensor<4x3xf64>)
func.func @forms(%x: tensor<4x3xf32>, %i: tensor<5xi32>, %u: tensor<5x3xf32>) {
  %0 = "xla.scatter"(%x, %i, %u) <{update_window_dims = array<i64: 1>, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, index_vector_dim = 1 : i64, indices_are_sorted = true, unique_indices = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = xla.add %a, %b : tensor<f32>
    xla.return %sum : tensor<f32>
  }) : (tensor<4x3xf32>, tensor<5xi32>, tensor<5x3xf32>) -> tensor<4x3xf32>
  %1:2 = xla.scatter(%x, %x, %i, %u, %u) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f64>, %c: tensor<f32>, %d: tensor<f64>):
    xla.return %a, %d : tensor<f32>, tensor<f64>
  }) {update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<4x3xf32>, tensor<4x3xf32>, tensor<5xi32>, tensor<5x3xf32>, tensor<5x3xf32>) -> (tensor<4x3xf32>, tensor<4x3xf64>)
  return
}

// -----

// The specification prints no example; gather's picture of rows, the other way
// round. Row 1 gets two updates, the first argument is what is there.
// FOLD-LABEL: @rows
// FOLD-DAG: %[[SUM:.*]] = xla.constant dense<{{\[\[}}1, 2], [43, 64], [5, 6]]> : tensor<3x2xi32>
// FOLD-DAG: %[[LAST:.*]] = xla.constant dense<{{\[\[}}1, 2], [30, 40], [5, 6]]> : tensor<3x2xi32>
// FOLD-DAG: %[[ORDER:.*]] = xla.constant dense<{{\[\[}}1, 2], [23, 24], [5, 6]]> : tensor<3x2xi32>
// FOLD: return %[[SUM]], %[[LAST]], %[[ORDER]]
func.func @rows() -> (tensor<3x2xi32>, tensor<3x2xi32>, tensor<3x2xi32>) {
  %x = xla.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>
  %i = xla.constant dense<[[1], [1]]> : tensor<2x1xi64>
  %u = xla.constant dense<[[10, 20], [30, 40]]> : tensor<2x2xi32>
  %0 = xla.scatter(%x, %i, %u) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %sum = xla.add %a, %b : tensor<i32>
    xla.return %sum : tensor<i32>
  }) {update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<3x2xi32>, tensor<2x1xi64>, tensor<2x2xi32>) -> tensor<3x2xi32>
  %1 = xla.scatter(%x, %i, %u) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    xla.return %b : tensor<i32>
  }) {update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<3x2xi32>, tensor<2x1xi64>, tensor<2x2xi32>) -> tensor<3x2xi32>
  // 30 - (10 - 3), 40 - (20 - 4).
  %2 = xla.scatter(%x, %i, %u) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = xla.subtract %b, %a : tensor<i32>
    xla.return %s : tensor<i32>
  }) {update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<3x2xi32>, tensor<2x1xi64>, tensor<2x2xi32>) -> tensor<3x2xi32>
  return %0, %1, %2 : tensor<3x2xi32>, tensor<3x2xi32>, tensor<3x2xi32>
}

// -----

// Overlapping windows are applied in the order of the indices, whichever
// dimension of the updates comes first.
// FOLD-LABEL: @overlap
// FOLD: %[[A:.*]] = xla.constant dense<[1, 3, 4, 0]> : tensor<4xi32>
// FOLD: return %[[A]], %[[A]]
func.func @overlap() -> (tensor<4xi32>, tensor<4xi32>) {
  %x = xla.constant dense<0> : tensor<4xi32>
  %i = xla.constant dense<[0, 1]> : tensor<2xi32>
  %u = xla.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %t = xla.constant dense<[[1, 3], [2, 4]]> : tensor<2x2xi32>
  %0 = xla.scatter(%x, %i, %u) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    xla.return %b : tensor<i32>
  }) {update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<4xi32>, tensor<2xi32>, tensor<2x2xi32>) -> tensor<4xi32>
  %1 = xla.scatter(%x, %i, %t) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    xla.return %b : tensor<i32>
  }) {update_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<4xi32>, tensor<2xi32>, tensor<2x2xi32>) -> tensor<4xi32>
  return %0, %1 : tensor<4xi32>, tensor<4xi32>
}

// -----

// A window that is not inside, even by one element, is skipped, whatever the
// type of the indices.
// FOLD-LABEL: @outside
// FOLD-DAG: %[[A:.*]] = xla.constant dense<[0, 0, 0, 7, 7]> : tensor<5xi32>
// FOLD-DAG: %[[B:.*]] = xla.constant dense<0> : tensor<5xi32>
// FOLD: return %[[A]], %[[B]]
func.func @outside() -> (tensor<5xi32>, tensor<5xi32>) {
  %x = xla.constant dense<0> : tensor<5xi32>
  %i = xla.constant dense<[-9223372036854775808, 9223372036854775807, -1, 4, 3]> : tensor<5xi64>
  %u = xla.constant dense<7> : tensor<5x2xi32>
  %0 = xla.scatter(%x, %i, %u) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %sum = xla.add %a, %b : tensor<i32>
    xla.return %sum : tensor<i32>
  }) {update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<5xi32>, tensor<5xi64>, tensor<5x2xi32>) -> tensor<5xi32>
  %j = xla.constant dense<[18446744073709551615, 9223372036854775808]> : tensor<2xui64>
  %v = xla.constant dense<7> : tensor<2xi32>
  %1 = xla.scatter(%x, %j, %v) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %sum = xla.add %a, %b : tensor<i32>
    xla.return %sum : tensor<i32>
  }) {inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<5xi32>, tensor<2xui64>, tensor<2xi32>) -> tensor<5xi32>
  return %0, %1 : tensor<5xi32>, tensor<5xi32>
}

// -----

// Batching dimensions, two arrays at once, coordinates along dimension 0.
// FOLD-LABEL: @batching
// FOLD-DAG: %[[A:.*]] = xla.constant dense<{{\[\[}}0, 0, 1], [3, 0, 2]]> : tensor<2x3xi32>
// FOLD: return %[[A]]
func.func @batching() -> tensor<2x3xi32> {
  %x = xla.constant dense<0> : tensor<2x3xi32>
  %i = xla.constant dense<[[2, 9], [2, 0]]> : tensor<2x2xi32>
  %u = xla.constant dense<[[1, 5], [2, 3]]> : tensor<2x2xi32>
  %0 = xla.scatter(%x, %i, %u) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %sum = xla.add %a, %b : tensor<i32>
    xla.return %sum : tensor<i32>
  }) {inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2} : (tensor<2x3xi32>, tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}

// -----

// The place and value of the largest update: two arrays of different elements.
// FOLD-LABEL: @variadic
// FOLD-DAG: %[[V:.*]] = xla.constant dense<[3.000000e+00, 5.000000e+00]> : tensor<2xf32>
// FOLD-DAG: %[[P:.*]] = xla.constant dense<[12, 11]> : tensor<2xi8>
// FOLD: return %[[V]], %[[P]]
func.func @variadic() -> (tensor<2xf32>, tensor<2xi8>) {
  %x = xla.constant dense<0.0> : tensor<2xf32>
  %p = xla.constant dense<0> : tensor<2xi8>
  %i = xla.constant dense<[0, 1, 0, 1]> : tensor<4xui8>
  %u = xla.constant dense<[1.0, 5.0, 3.0, 4.0]> : tensor<4xf32>
  %q = xla.constant dense<[10, 11, 12, 13]> : tensor<4xi8>
  %0:2 = xla.scatter(%x, %p, %i, %u, %q) ({
  ^bb0(%a: tensor<f32>, %m: tensor<i8>, %b: tensor<f32>, %n: tensor<i8>):
    %c = xla.compare %a, %b {comparison_direction = "GE"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %v = xla.select %c, %a, %b : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %w = xla.select %c, %m, %n : (tensor<i1>, tensor<i8>, tensor<i8>) -> tensor<i8>
    xla.return %v, %w : tensor<f32>, tensor<i8>
  }) {inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<2xf32>, tensor<2xi8>, tensor<4xui8>, tensor<4xf32>, tensor<4xi8>) -> (tensor<2xf32>, tensor<2xi8>)
  return %0#0, %0#1 : tensor<2xf32>, tensor<2xi8>
}

// -----

// Scalars, indices without coordinates (each is an update of the same place),
// no updates; an accumulator of more bits.
// FOLD-LABEL: @edges
// FOLD-DAG: %[[S:.*]] = xla.constant dense<3.000000e+00> : tensor<f32>
// FOLD-DAG: %[[N:.*]] = xla.constant dense<[1, 2]> : tensor<2xi32>
// FOLD-DAG: %[[M:.*]] = xla.constant dense<[106, 2]> : tensor<2xi32>
// FOLD-DAG: %[[W:.*]] = xla.constant dense<[300, 2]> : tensor<2xi32>
// FOLD-DAG: %[[E:.*]] = xla.constant dense<> : tensor<0xi32>
// FOLD: return %[[S]], %[[N]], %[[M]], %[[W]], %[[E]]
func.func @edges() -> (tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<0xi32>) {
  %s = xla.constant dense<1.0> : tensor<f32>
  %t = xla.constant dense<2.0> : tensor<f32>
  %none = xla.constant dense<> : tensor<0xi32>
  %0 = xla.scatter(%s, %none, %t) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = xla.add %a, %b : tensor<f32>
    xla.return %sum : tensor<f32>
  }) {scatter_dims_to_operand_dims = [], index_vector_dim = 0} : (tensor<f32>, tensor<0xi32>, tensor<f32>) -> tensor<f32>
  %x = xla.constant dense<[1, 2]> : tensor<2xi32>
  %1 = xla.scatter(%x, %none, %none) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %sum = xla.add %a, %b : tensor<i32>
    xla.return %sum : tensor<i32>
  }) {inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<2xi32>, tensor<0xi32>, tensor<0xi32>) -> tensor<2xi32>
  %i = xla.constant dense<> : tensor<3x0xi32>
  %u = xla.constant dense<35> : tensor<3xi32>
  %2 = xla.scatter(%x, %i, %u) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %sum = xla.add %a, %b : tensor<i32>
    xla.return %sum : tensor<i32>
  }) {inserted_window_dims = [0], scatter_dims_to_operand_dims = [], index_vector_dim = 1} : (tensor<2xi32>, tensor<3x0xi32>, tensor<3xi32>) -> tensor<2xi32>
  %y = xla.constant dense<[100, 2]> : tensor<2xi8>
  %c = xla.constant dense<[100, 100]> : tensor<2xi8>
  %z = xla.constant dense<0> : tensor<2xi32>
  %3 = xla.scatter(%y, %z, %c) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %sum = xla.add %a, %b : tensor<i32>
    xla.return %sum : tensor<i32>
  }) {inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<2xi8>, tensor<2xi32>, tensor<2xi8>) -> tensor<2xi32>
  %4 = xla.scatter(%none, %z, %z) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %sum = xla.add %a, %b : tensor<i32>
    xla.return %sum : tensor<i32>
  }) {inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<0xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<0xi32>
  return %0, %1, %2, %3, %4 : tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<0xi32>
}

// -----

// A computation that is no arithmetic of scalars, and one that uses a value from
// outside, stay.
// FOLD-LABEL: @stays
// FOLD: xla.scatter
// FOLD: xla.while
// FOLD: xla.scatter
func.func @stays(%o: tensor<i32>) -> (tensor<2xi32>, tensor<2xi32>) {
  %x = xla.constant dense<[1, 2]> : tensor<2xi32>
  %0 = xla.scatter(%x, %x, %x) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %w = xla.while(%a) ({
    ^bb0(%c: tensor<i32>):
      %l = xla.compare %c, %b {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
      xla.return %l : tensor<i1>
    }, {
    ^bb0(%c: tensor<i32>):
      %d = xla.add %c, %b : tensor<i32>
      xla.return %d : tensor<i32>
    }) : tensor<i32>
    xla.return %w : tensor<i32>
  }) {inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  %1 = xla.scatter(%x, %x, %x) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = xla.add %b, %o : tensor<i32>
    xla.return %c : tensor<i32>
  }) {inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  return %0, %1 : tensor<2xi32>, tensor<2xi32>
}

// -----

// Every element type.
// CHECK-LABEL: @types
// CHECK-COUNT-4: xla.scatter
func.func @types(%i: tensor<2xi32>, %p: tensor<2xi1>, %c: tensor<2xcomplex<f64>>, %f: tensor<2xf8E4M3FN>, %n: tensor<2xui2>) {
  %0 = xla.scatter(%p, %i, %p) ({
  ^bb0(%a: tensor<i1>, %b: tensor<i1>):
    %sum = xla.add %a, %b : tensor<i1>
    xla.return %sum : tensor<i1>
  }) {inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<2xi1>, tensor<2xi32>, tensor<2xi1>) -> tensor<2xi1>
  %1 = xla.scatter(%c, %i, %c) ({
  ^bb0(%a: tensor<complex<f64>>, %b: tensor<complex<f64>>):
    %sum = xla.add %a, %b : tensor<complex<f64>>
    xla.return %sum : tensor<complex<f64>>
  }) {inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<2xcomplex<f64>>, tensor<2xi32>, tensor<2xcomplex<f64>>) -> tensor<2xcomplex<f64>>
  %2 = xla.scatter(%f, %i, %f) ({
  ^bb0(%a: tensor<f8E4M3FN>, %b: tensor<f8E4M3FN>):
    %sum = xla.add %a, %b : tensor<f8E4M3FN>
    xla.return %sum : tensor<f8E4M3FN>
  }) {inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<2xf8E4M3FN>, tensor<2xi32>, tensor<2xf8E4M3FN>) -> tensor<2xf8E4M3FN>
  %3 = xla.scatter(%n, %i, %n) ({
  ^bb0(%a: tensor<ui2>, %b: tensor<ui2>):
    %sum = xla.add %a, %b : tensor<ui2>
    xla.return %sum : tensor<ui2>
  }) {inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<2xui2>, tensor<2xi32>, tensor<2xui2>) -> tensor<2xui2>
  return
}

// -----

func.func @scatter_arity(%x: tensor<4x3xf32>, %i: tensor<5x1xi32>, %u: tensor<5x3xf32>) {
  // expected-error@+1 {{takes 3 or more operands, has 2 [arity]}}
  %0 = xla.scatter(%x, %i) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = xla.add %a, %b : tensor<f32>
    xla.return %sum : tensor<f32>
  }) {update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<4x3xf32>, tensor<5x1xi32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @scatter_i2(%x: tensor<4x3xf32>, %i: tensor<5x1xf32>, %u: tensor<5x3xf32>) {
  // expected-error@+1 {{scatter_indices is tensor<5x1xf32>, must have integers [scatter_i2]}}
  %0 = xla.scatter(%x, %i, %u) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = xla.add %a, %b : tensor<f32>
    xla.return %sum : tensor<f32>
  }) {update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<4x3xf32>, tensor<5x1xf32>, tensor<5x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @scatter_c1(%x: tensor<4x3xf32>, %i: tensor<5x1xi32>, %u: tensor<5x3xf32>) {
  // expected-error@+1 {{input 1 is tensor<5x3xf32>, input 0 is tensor<4x3xf32>: the dimensions must be the same [scatter_c1]}}
  %0 = xla.scatter(%x, %u, %i, %u, %u) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = xla.add %a, %b : tensor<f32>
    xla.return %sum : tensor<f32>
  }) {update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<4x3xf32>, tensor<5x3xf32>, tensor<5x1xi32>, tensor<5x3xf32>, tensor<5x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @scatter_c2(%x: tensor<4x3xf32>, %i: tensor<5x1xi32>, %u: tensor<5x3xf32>) {
  // expected-error@+1 {{update_window_dims has 1 entries, inserted_window_dims 0 and input_batching_dims 0: together as many as input 0 has dimensions, 2 [scatter_c2]}}
  %0 = xla.scatter(%x, %i, %u) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = xla.add %a, %b : tensor<f32>
    xla.return %sum : tensor<f32>
  }) {update_window_dims = [1], inserted_window_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<4x3xf32>, tensor<5x1xi32>, tensor<5x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @scatter_c3(%x: tensor<4x3xf32>, %i: tensor<5x1xi32>, %u: tensor<5x3xf32>) {
  // expected-error@+1 {{update 1 is tensor<4x3xf32>, update 0 is tensor<5x3xf32>: the dimensions must be the same [scatter_c3]}}
  %0 = xla.scatter(%x, %x, %i, %u, %x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = xla.add %a, %b : tensor<f32>
    xla.return %sum : tensor<f32>
  }) {update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<4x3xf32>, tensor<4x3xf32>, tensor<5x1xi32>, tensor<5x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @scatter_c4(%x: tensor<4x3xf32>, %i: tensor<5x1xi32>, %u: tensor<5x3x1xf32>) {
  // expected-error@+1 {{update 0 has rank 3, must have 2: 1 for update_window_dims and 1 of scatter_indices [scatter_c4]}}
  %0 = xla.scatter(%x, %i, %u) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = xla.add %a, %b : tensor<f32>
    xla.return %sum : tensor<f32>
  }) {update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<4x3xf32>, tensor<5x1xi32>, tensor<5x3x1xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @scatter_c4_batch(%x: tensor<4x3xf32>, %i: tensor<5x1xi32>, %u: tensor<6x3xf32>) {
  // expected-error@+1 {{dimension 0 of update 0 is 6, dimension 0 of scatter_indices 5 [scatter_c4]}}
  %0 = xla.scatter(%x, %i, %u) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = xla.add %a, %b : tensor<f32>
    xla.return %sum : tensor<f32>
  }) {update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<4x3xf32>, tensor<5x1xi32>, tensor<6x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @scatter_c4_window(%x: tensor<4x3xf32>, %i: tensor<5x1xi32>, %u: tensor<5x4xf32>) {
  // expected-error@+1 {{dimension 1 of update 0 is 4, more than dimension 1 of input 0, 3 [scatter_c4]}}
  %0 = xla.scatter(%x, %i, %u) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = xla.add %a, %b : tensor<f32>
    xla.return %sum : tensor<f32>
  }) {update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<4x3xf32>, tensor<5x1xi32>, tensor<5x4xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @scatter_c5(%x: tensor<4x3xf32>, %i: tensor<5x1xi32>, %u: tensor<5x3xf32>) {
  // expected-error@+1 {{has 4 operands; there are as many updates as inputs, and scatter_indices between them [scatter_c5]}}
  %0 = xla.scatter(%x, %x, %i, %u) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = xla.add %a, %b : tensor<f32>
    xla.return %sum : tensor<f32>
  }) {update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<4x3xf32>, tensor<4x3xf32>, tensor<5x1xi32>, tensor<5x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @scatter_c6(%x: tensor<4x3xf32>, %i: tensor<5x1xi32>, %u: tensor<5x3xf64>) {
  // expected-error@+1 {{update 0 is tensor<5x3xf64>, input 0 is tensor<4x3xf32>: the elements must be the same [scatter_c6]}}
  %0 = xla.scatter(%x, %i, %u) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = xla.add %a, %b : tensor<f32>
    xla.return %sum : tensor<f32>
  }) {update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<4x3xf32>, tensor<5x1xi32>, tensor<5x3xf64>) -> tensor<4x3xf32>
  return
}

// -----

func.func @scatter_c7(%x: tensor<4x3xf32>, %i: tensor<5x1xi32>, %u: tensor<5x4x3xf32>) {
  // expected-error@+1 {{update_window_dims [2, 1] must ascend [scatter_c7]}}
  %0 = xla.scatter(%x, %i, %u) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = xla.add %a, %b : tensor<f32>
    xla.return %sum : tensor<f32>
  }) {update_window_dims = [2, 1], inserted_window_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<4x3xf32>, tensor<5x1xi32>, tensor<5x4x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @scatter_c7_twice(%x: tensor<4x3xf32>, %i: tensor<5x1xi32>, %u: tensor<5x4x3xf32>) {
  // expected-error@+1 {{update_window_dims [1, 1] has 1, which is listed twice [scatter_c7]}}
  %0 = xla.scatter(%x, %i, %u) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = xla.add %a, %b : tensor<f32>
    xla.return %sum : tensor<f32>
  }) {update_window_dims = [1, 1], inserted_window_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<4x3xf32>, tensor<5x1xi32>, tensor<5x4x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @scatter_c8(%x: tensor<4x3xf32>, %i: tensor<5x1xi32>, %u: tensor<5x3xf32>) {
  // expected-error@+1 {{update_window_dims has 2, update 0 has rank 2 [scatter_c8]}}
  %0 = xla.scatter(%x, %i, %u) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = xla.add %a, %b : tensor<f32>
    xla.return %sum : tensor<f32>
  }) {update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<4x3xf32>, tensor<5x1xi32>, tensor<5x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @scatter_c9(%x: tensor<4x3xf32>, %i: tensor<5x1xi32>, %u: tensor<5xf32>) {
  // expected-error@+1 {{inserted_window_dims [0, 0] has 0, which is listed twice [scatter_c9]}}
  %0 = xla.scatter(%x, %i, %u) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = xla.add %a, %b : tensor<f32>
    xla.return %sum : tensor<f32>
  }) {update_window_dims = [], inserted_window_dims = [0, 0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<4x3xf32>, tensor<5x1xi32>, tensor<5xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @scatter_c9_batching(%x: tensor<4x3xf32>, %i: tensor<5x1xi32>, %u: tensor<5xf32>) {
  // expected-error@+1 {{input_batching_dims [0] has 0, which is listed twice or in inserted_window_dims [scatter_c9]}}
  %0 = xla.scatter(%x, %i, %u) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = xla.add %a, %b : tensor<f32>
    xla.return %sum : tensor<f32>
  }) {update_window_dims = [], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1, input_batching_dims = [0], scatter_indices_batching_dims = [0]} : (tensor<4x3xf32>, tensor<5x1xi32>, tensor<5xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @scatter_c10(%x: tensor<4x3xf32>, %i: tensor<5x1xi32>, %u: tensor<5xf32>) {
  // expected-error@+1 {{inserted_window_dims [1, 0] must ascend [scatter_c10]}}
  %0 = xla.scatter(%x, %i, %u) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = xla.add %a, %b : tensor<f32>
    xla.return %sum : tensor<f32>
  }) {update_window_dims = [], inserted_window_dims = [1, 0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<4x3xf32>, tensor<5x1xi32>, tensor<5xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @scatter_c11(%x: tensor<4x3xf32>, %i: tensor<5x1xi32>, %u: tensor<5x3xf32>) {
  // expected-error@+1 {{inserted_window_dims has 2, input 0 has rank 2 [scatter_c11]}}
  %0 = xla.scatter(%x, %i, %u) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = xla.add %a, %b : tensor<f32>
    xla.return %sum : tensor<f32>
  }) {update_window_dims = [1], inserted_window_dims = [2], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<4x3xf32>, tensor<5x1xi32>, tensor<5x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @scatter_c12(%x: tensor<4x3xf32>, %i: tensor<5x1xi32>, %u: tensor<5xf32>) {
  // expected-error@+1 {{input_batching_dims [1, 0] must ascend [scatter_c12]}}
  %0 = xla.scatter(%x, %i, %u) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = xla.add %a, %b : tensor<f32>
    xla.return %sum : tensor<f32>
  }) {update_window_dims = [], inserted_window_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 1, input_batching_dims = [1, 0], scatter_indices_batching_dims = [0, 1]} : (tensor<4x3xf32>, tensor<5x1xi32>, tensor<5xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @scatter_c13(%x: tensor<4x3xf32>, %i: tensor<5x1xi32>, %u: tensor<5x3xf32>) {
  // expected-error@+1 {{input_batching_dims has -1, input 0 has rank 2 [scatter_c13]}}
  %0 = xla.scatter(%x, %i, %u) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = xla.add %a, %b : tensor<f32>
    xla.return %sum : tensor<f32>
  }) {update_window_dims = [1], inserted_window_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 1, input_batching_dims = [-1], scatter_indices_batching_dims = [0]} : (tensor<4x3xf32>, tensor<5x1xi32>, tensor<5x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @scatter_c14(%x: tensor<4x3xf32>, %i: tensor<5x1xi32>, %u: tensor<5xf32>) {
  // expected-error@+1 {{scatter_indices_batching_dims [0, 0] has 0, which is listed twice [scatter_c14]}}
  %0 = xla.scatter(%x, %i, %u) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = xla.add %a, %b : tensor<f32>
    xla.return %sum : tensor<f32>
  }) {update_window_dims = [], inserted_window_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 1, input_batching_dims = [0, 1], scatter_indices_batching_dims = [0, 0]} : (tensor<4x3xf32>, tensor<5x1xi32>, tensor<5xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @scatter_c15(%x: tensor<4x3xf32>, %i: tensor<5x1xi32>, %u: tensor<5x3xf32>) {
  // expected-error@+1 {{scatter_indices_batching_dims has 2, scatter_indices has rank 2 [scatter_c15]}}
  %0 = xla.scatter(%x, %i, %u) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = xla.add %a, %b : tensor<f32>
    xla.return %sum : tensor<f32>
  }) {update_window_dims = [1], inserted_window_dims = [], scatter_dims_to_operand_dims = [1], index_vector_dim = 1, input_batching_dims = [0], scatter_indices_batching_dims = [2]} : (tensor<4x3xf32>, tensor<5x1xi32>, tensor<5x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @scatter_c16(%x: tensor<1x3xf32>, %i: tensor<5x1xi32>, %u: tensor<5x3xf32>) {
  // expected-error@+1 {{scatter_indices_batching_dims [1] has 1, which is index_vector_dim [scatter_c16]}}
  %0 = xla.scatter(%x, %i, %u) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = xla.add %a, %b : tensor<f32>
    xla.return %sum : tensor<f32>
  }) {update_window_dims = [1], inserted_window_dims = [], scatter_dims_to_operand_dims = [1], index_vector_dim = 1, input_batching_dims = [0], scatter_indices_batching_dims = [1]} : (tensor<1x3xf32>, tensor<5x1xi32>, tensor<5x3xf32>) -> tensor<1x3xf32>
  return
}

// -----

func.func @scatter_c17(%x: tensor<4x3xf32>, %i: tensor<5x1xi32>, %u: tensor<5x3xf32>) {
  // expected-error@+1 {{input_batching_dims has 1 entries, scatter_indices_batching_dims 0 [scatter_c17]}}
  %0 = xla.scatter(%x, %i, %u) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = xla.add %a, %b : tensor<f32>
    xla.return %sum : tensor<f32>
  }) {update_window_dims = [1], inserted_window_dims = [], scatter_dims_to_operand_dims = [1], index_vector_dim = 1, input_batching_dims = [0]} : (tensor<4x3xf32>, tensor<5x1xi32>, tensor<5x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @scatter_c18(%x: tensor<4x3xf32>, %i: tensor<5x1xi32>, %u: tensor<5x3xf32>) {
  // expected-error@+1 {{batching dimension 0 of input 0 is 4, dimension 0 of scatter_indices 5 [scatter_c18]}}
  %0 = xla.scatter(%x, %i, %u) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = xla.add %a, %b : tensor<f32>
    xla.return %sum : tensor<f32>
  }) {update_window_dims = [1], inserted_window_dims = [], scatter_dims_to_operand_dims = [1], index_vector_dim = 1, input_batching_dims = [0], scatter_indices_batching_dims = [0]} : (tensor<4x3xf32>, tensor<5x1xi32>, tensor<5x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @scatter_c19(%x: tensor<4x3xf32>, %i: tensor<5x1xi32>, %u: tensor<5x3xf32>) {
  // expected-error@+1 {{scatter_dims_to_operand_dims has 2 entries, an index has 1 coordinates [scatter_c19]}}
  %0 = xla.scatter(%x, %i, %u) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = xla.add %a, %b : tensor<f32>
    xla.return %sum : tensor<f32>
  }) {update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1} : (tensor<4x3xf32>, tensor<5x1xi32>, tensor<5x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @scatter_c20(%x: tensor<4x3xf32>, %i: tensor<5x2xi32>, %u: tensor<5x3xf32>) {
  // expected-error@+1 {{scatter_dims_to_operand_dims [0, 0] has 0, which is listed twice or in input_batching_dims [scatter_c20]}}
  %0 = xla.scatter(%x, %i, %u) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = xla.add %a, %b : tensor<f32>
    xla.return %sum : tensor<f32>
  }) {update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0, 0], index_vector_dim = 1} : (tensor<4x3xf32>, tensor<5x2xi32>, tensor<5x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @scatter_c21(%x: tensor<4x3xf32>, %i: tensor<5x1xi32>, %u: tensor<5x3xf32>) {
  // expected-error@+1 {{scatter_dims_to_operand_dims has 2, input 0 has rank 2 [scatter_c21]}}
  %0 = xla.scatter(%x, %i, %u) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = xla.add %a, %b : tensor<f32>
    xla.return %sum : tensor<f32>
  }) {update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [2], index_vector_dim = 1} : (tensor<4x3xf32>, tensor<5x1xi32>, tensor<5x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @scatter_c22(%x: tensor<4x3xf32>, %i: tensor<5x1xi32>, %u: tensor<5x3xf32>) {
  // expected-error@+1 {{index_vector_dim is 3, must be in [0, 2], the rank of scatter_indices [scatter_c22]}}
  %0 = xla.scatter(%x, %i, %u) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = xla.add %a, %b : tensor<f32>
    xla.return %sum : tensor<f32>
  }) {update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 3} : (tensor<4x3xf32>, tensor<5x1xi32>, tensor<5x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @scatter_c23(%x: tensor<4x3xf32>, %i: tensor<5x1xi32>, %u: tensor<5x3xf32>) {
  // expected-error@+1 {{the region takes 1 scalars and returns 1, must take 2 and return 1 [scatter_c23]}}
  %0 = xla.scatter(%x, %i, %u) ({
  ^bb0(%a: tensor<f32>):
    xla.return %a : tensor<f32>
  }) {update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<4x3xf32>, tensor<5x1xi32>, tensor<5x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @scatter_c23_type(%x: tensor<4x3xf32>, %i: tensor<5x1xi32>, %u: tensor<5x3xf32>) {
  // expected-error@+1 {{operand 0 is tensor<4x3xf32>, whose elements cannot be accumulated as f16 [scatter_c23]}}
  %0 = xla.scatter(%x, %i, %u) ({
  ^bb0(%a: tensor<f16>, %b: tensor<f16>):
    %sum = xla.add %a, %b : tensor<f16>
    xla.return %sum : tensor<f16>
  }) {update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<4x3xf32>, tensor<5x1xi32>, tensor<5x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @scatter_c23_array(%x: tensor<4x3xf32>, %i: tensor<5x1xi32>, %u: tensor<5x3xf32>) {
  // expected-error@+1 {{the region returns tensor<2xf32> as result 0, not a scalar [scatter_c23]}}
  %0 = xla.scatter(%x, %i, %u) ({
  ^bb0(%a: tensor<2xf32>, %b: tensor<2xf32>):
    %sum = xla.add %a, %b : tensor<2xf32>
    xla.return %sum : tensor<2xf32>
  }) {update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<4x3xf32>, tensor<5x1xi32>, tensor<5x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @scatter_c24(%x: tensor<4x3xf32>, %i: tensor<5x1xi32>, %u: tensor<5x3xf32>) {
  // expected-error@+1 {{result 0 is stated as tensor<3x4xf32>, but is tensor<4x3xf32> [result]}}
  %0 = xla.scatter(%x, %i, %u) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = xla.add %a, %b : tensor<f32>
    xla.return %sum : tensor<f32>
  }) {update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<4x3xf32>, tensor<5x1xi32>, tensor<5x3xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @scatter_c25(%x: tensor<4x3xf32>, %i: tensor<5x1xi32>, %u: tensor<5x3xf32>) {
  // expected-error@+1 {{result 0 is stated as tensor<4x3xf64>, but is tensor<4x3xf32> [result]}}
  %0 = xla.scatter(%x, %i, %u) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = xla.add %a, %b : tensor<f32>
    xla.return %sum : tensor<f32>
  }) {update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<4x3xf32>, tensor<5x1xi32>, tensor<5x3xf32>) -> tensor<4x3xf64>
  return
}
