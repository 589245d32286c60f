// Specification 003, each printed example.
// RUN: xla-opt %s --split-input-file --verify-diagnostics | xla-opt --split-input-file | FileCheck %s
// RUN: xla-opt %s --split-input-file --verify-diagnostics --canonicalize | FileCheck %s --check-prefix=FOLD

// CHECK-LABEL: @forms
// CHECK: xla.add %arg0, %arg1 {broadcast_dimensions = array<i64: 1>} : (tensor<2x3xi32>, tensor<3xi32>) -> tensor<2x3xi32>
// CHECK: xla.add %arg1, %arg0 {broadcast_dimensions = array<i64: 1>} : (tensor<3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
// CHECK: xla.add %arg0, %arg2 : (tensor<2x3xi32>, tensor<i32>) -> tensor<2x3xi32>
func.func @forms(%m: tensor<2x3xi32>, %v: tensor<3xi32>, %s: tensor<i32>) {
  %0 = xla.add %m, %v {broadcast_dimensions = array<i64: 1>} : (tensor<2x3xi32>, tensor<3xi32>) -> tensor<2x3xi32>
  %1 = xla.add %v, %m {broadcast_dimensions = array<i64: 1>} : (tensor<3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  %2 = xla.add %m, %s : (tensor<2x3xi32>, tensor<i32>) -> tensor<2x3xi32>
  return
}

// -----

// FOLD-LABEL: @matrix_and_vector
// FOLD{LITERAL}: dense<[[8, 10, 12], [11, 13, 15]]> : tensor<2x3xi32>
// FOLD-NOT: xla.add
func.func @matrix_and_vector() -> (tensor<2x3xi32>, tensor<2x3xi32>) {
  %m = xla.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %v = xla.constant dense<[7, 8, 9]> : tensor<3xi32>
  %0 = xla.add %m, %v {broadcast_dimensions = array<i64: 1>} : (tensor<2x3xi32>, tensor<3xi32>) -> tensor<2x3xi32>
  %1 = xla.add %v, %m {broadcast_dimensions = array<i64: 1>} : (tensor<3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  return %0, %1 : tensor<2x3xi32>, tensor<2x3xi32>
}

// -----

// FOLD-LABEL: @matrix_and_scalar
// FOLD{LITERAL}: dense<[[8, 9, 10], [11, 12, 13]]> : tensor<2x3xi32>
func.func @matrix_and_scalar() -> tensor<2x3xi32> {
  %m = xla.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %s = xla.constant dense<7> : tensor<i32>
  %0 = xla.add %m, %s : (tensor<2x3xi32>, tensor<i32>) -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}

// -----

// The vector along the rows and along the columns of a square.
// FOLD-LABEL: @two_ways
// FOLD-DAG{LITERAL}: dense<[[7, 8, 9], [7, 8, 9], [7, 8, 9]]> : tensor<3x3xi32>
// FOLD-DAG{LITERAL}: dense<[[7, 7, 7], [8, 8, 8], [9, 9, 9]]> : tensor<3x3xi32>
func.func @two_ways() -> (tensor<3x3xi32>, tensor<3x3xi32>) {
  %m = xla.constant dense<0> : tensor<3x3xi32>
  %v = xla.constant dense<[7, 8, 9]> : tensor<3xi32>
  %0 = xla.add %m, %v {broadcast_dimensions = array<i64: 1>} : (tensor<3x3xi32>, tensor<3xi32>) -> tensor<3x3xi32>
  %1 = xla.add %m, %v {broadcast_dimensions = array<i64: 0>} : (tensor<3x3xi32>, tensor<3xi32>) -> tensor<3x3xi32>
  return %0, %1 : tensor<3x3xi32>, tensor<3x3xi32>
}

// -----

// CHECK-LABEL: @higher_ranks
// CHECK-COUNT-8: xla.multiply
func.func @higher_ranks(%c: tensor<2x3x4xf32>, %m: tensor<3x4xf32>, %q: tensor<2x3x4x5xf32>, %d0: tensor<2xf32>, %d1: tensor<3xf32>, %d2: tensor<4xf32>, %d3: tensor<5xf32>, %d23: tensor<4x5xf32>, %d12: tensor<3x4xf32>, %d03: tensor<2x5xf32>) {
  %0 = xla.multiply %c, %m {broadcast_dimensions = array<i64: 1, 2>} : (tensor<2x3x4xf32>, tensor<3x4xf32>) -> tensor<2x3x4xf32>
  %1 = xla.multiply %q, %d0 {broadcast_dimensions = array<i64: 0>} : (tensor<2x3x4x5xf32>, tensor<2xf32>) -> tensor<2x3x4x5xf32>
  %2 = xla.multiply %q, %d1 {broadcast_dimensions = array<i64: 1>} : (tensor<2x3x4x5xf32>, tensor<3xf32>) -> tensor<2x3x4x5xf32>
  %3 = xla.multiply %q, %d2 {broadcast_dimensions = array<i64: 2>} : (tensor<2x3x4x5xf32>, tensor<4xf32>) -> tensor<2x3x4x5xf32>
  %4 = xla.multiply %q, %d3 {broadcast_dimensions = array<i64: 3>} : (tensor<2x3x4x5xf32>, tensor<5xf32>) -> tensor<2x3x4x5xf32>
  %5 = xla.multiply %q, %d23 {broadcast_dimensions = array<i64: 2, 3>} : (tensor<2x3x4x5xf32>, tensor<4x5xf32>) -> tensor<2x3x4x5xf32>
  %6 = xla.multiply %q, %d12 {broadcast_dimensions = array<i64: 1, 2>} : (tensor<2x3x4x5xf32>, tensor<3x4xf32>) -> tensor<2x3x4x5xf32>
  %7 = xla.multiply %q, %d03 {broadcast_dimensions = array<i64: 0, 3>} : (tensor<2x3x4x5xf32>, tensor<2x5xf32>) -> tensor<2x3x4x5xf32>
  return
}

// -----

// Dimensions of size 1: the three examples, the outer operation, empty ones.
// CHECK-LABEL: @degenerate
// CHECK-COUNT-6: xla.add
func.func @degenerate(%a: tensor<2x1xf32>, %b: tensor<2x3xf32>, %c: tensor<1x2x5xf32>, %d: tensor<7x2x5xf32>, %e: tensor<7x1x5xf32>, %f: tensor<1x3xf32>, %g: tensor<0x3xf32>) {
  %0 = xla.add %a, %b : (tensor<2x1xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = xla.add %c, %d : (tensor<1x2x5xf32>, tensor<7x2x5xf32>) -> tensor<7x2x5xf32>
  %2 = xla.add %d, %e : (tensor<7x2x5xf32>, tensor<7x1x5xf32>) -> tensor<7x2x5xf32>
  %3 = xla.add %a, %f : (tensor<2x1xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
  %4 = xla.add %f, %g : (tensor<1x3xf32>, tensor<0x3xf32>) -> tensor<0x3xf32>
  %5 = xla.add %g, %f : (tensor<0x3xf32>, tensor<1x3xf32>) -> tensor<0x3xf32>
  return
}

// -----

// FOLD-LABEL: @outer
// FOLD{LITERAL}: dense<[[-4, -5, -6], [-3, -4, -5]]> : tensor<2x3xi32>
func.func @outer() -> tensor<2x3xi32> {
  %a = xla.constant dense<[[1], [2]]> : tensor<2x1xi32>
  %b = xla.constant dense<[[5, 6, 7]]> : tensor<1x3xi32>
  %0 = xla.subtract %a, %b : (tensor<2x1xi32>, tensor<1x3xi32>) -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}

// -----

// FOLD-LABEL: @composition
// FOLD{LITERAL}: dense<[[6, 7], [7, 8], [8, 9], [9, 10]]> : tensor<4x2xi32>
// FOLD-NOT: xla.add
func.func @composition() -> (tensor<4x2xi32>, tensor<4x2xi32>) {
  %v = xla.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %m = xla.constant dense<[[5, 6]]> : tensor<1x2xi32>
  %0 = xla.add %v, %m {broadcast_dimensions = array<i64: 0>} : (tensor<4xi32>, tensor<1x2xi32>) -> tensor<4x2xi32>
  %1 = xla.add %m, %v {broadcast_dimensions = array<i64: 0>} : (tensor<1x2xi32>, tensor<4xi32>) -> tensor<4x2xi32>
  return %0, %1 : tensor<4x2xi32>, tensor<4x2xi32>
}

// -----

// FOLD-LABEL: @composition_3d
// FOLD{LITERAL}: dense<[[[11, 21], [12, 22], [13, 23]], [[14, 24], [15, 25], [16, 26]], [[17, 27], [18, 28], [19, 29]], [[20, 30], [21, 31], [22, 32]]]> : tensor<4x3x2xi32>
func.func @composition_3d() -> tensor<4x3x2xi32> {
  %a = xla.constant dense<[[10, 20]]> : tensor<1x2xi32>
  %b = xla.constant dense<[[[1], [2], [3]], [[4], [5], [6]], [[7], [8], [9]], [[10], [11], [12]]]> : tensor<4x3x1xi32>
  %0 = xla.add %a, %b {broadcast_dimensions = array<i64: 1, 2>} : (tensor<1x2xi32>, tensor<4x3x1xi32>) -> tensor<4x3x2xi32>
  return %0 : tensor<4x3x2xi32>
}

// -----

// Without a specification ranks 1 and 2 do not go together.
func.func @unspecified(%m: tensor<2x3xi32>, %v: tensor<3xi32>) {
  // expected-error@+1 {{operands of ranks 1 and 2 need broadcast_dimensions with 1 entries, have [] [broadcast_dimensions]}}
  %0 = xla.add %m, %v : (tensor<2x3xi32>, tensor<3xi32>) -> tensor<2x3xi32>
  return
}

// -----

func.func @size(%m: tensor<2x3xi32>, %v: tensor<3xi32>) {
  // expected-error@+1 {{dimension 0 of lhs is 2, dimension 0 of rhs 3 [broadcast]}}
  %0 = xla.add %m, %v {broadcast_dimensions = array<i64: 0>} : (tensor<2x3xi32>, tensor<3xi32>) -> tensor<2x3xi32>
  return
}

// -----

func.func @incompatible(%a: tensor<7x2x5xf32>, %b: tensor<7x2x6xf32>) {
  // expected-error@+1 {{dimension 2 of lhs is 5, dimension 2 of rhs 6 [broadcast]}}
  %0 = xla.add %a, %b : (tensor<7x2x5xf32>, tensor<7x2x6xf32>) -> tensor<7x2x6xf32>
  return
}

// -----

// T to P and V to N: the order must increase.
func.func @order(%q: tensor<2x3x4x5xf32>, %m: tensor<4x3xf32>) {
  // expected-error@+1 {{broadcast_dimensions [2, 1] do not increase strictly [broadcast_dimensions]}}
  %0 = xla.add %q, %m {broadcast_dimensions = array<i64: 2, 1>} : (tensor<2x3x4x5xf32>, tensor<4x3xf32>) -> tensor<2x3x4x5xf32>
  return
}

// -----

func.func @twice(%q: tensor<3x3x3xf32>, %m: tensor<3x3xf32>) {
  // expected-error@+1 {{broadcast_dimensions [1, 1] do not increase strictly [broadcast_dimensions]}}
  %0 = xla.add %q, %m {broadcast_dimensions = array<i64: 1, 1>} : (tensor<3x3x3xf32>, tensor<3x3xf32>) -> tensor<3x3x3xf32>
  return
}

// -----

func.func @range(%q: tensor<3x3xf32>, %m: tensor<3xf32>) {
  // expected-error@+1 {{broadcast_dimensions[0] is 2, the result has rank 2 [broadcast_dimensions]}}
  %0 = xla.add %q, %m {broadcast_dimensions = array<i64: 2>} : (tensor<3x3xf32>, tensor<3xf32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @least(%q: tensor<3x3xf32>, %m: tensor<3xf32>) {
  // expected-error@+1 {{broadcast_dimensions[0] is -9223372036854775808, the result has rank 2 [broadcast_dimensions]}}
  %0 = xla.add %q, %m {broadcast_dimensions = array<i64: -9223372036854775808>} : (tensor<3x3xf32>, tensor<3xf32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @equal_ranks(%a: tensor<3x3xf32>) {
  // expected-error@+1 {{operands of equal rank 2 take no broadcast_dimensions, have [1, 0] [broadcast_dimensions]}}
  %0 = xla.add %a, %a {broadcast_dimensions = array<i64: 1, 0>} : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @large(%a: tensor<4294967296x1xf32>, %b: tensor<1x4294967296xf32>) {
  // expected-error@+1 {{the result tensor<4294967296x4294967296xf32> is larger than 2^62 [broadcast]}}
  %0 = xla.add %a, %b : (tensor<4294967296x1xf32>, tensor<1x4294967296xf32>) -> tensor<1x1xf32>
  return
}

// -----

func.func @binary_c1(%a: tensor<3xf32>, %b: tensor<3xf64>) {
  // expected-error@+1 {{element type of lhs is f32, of rhs f64 [binary_c1]}}
  %0 = xla.add %a, %b : (tensor<3xf32>, tensor<3xf64>) -> tensor<3xf32>
  return
}
