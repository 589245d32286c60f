// Specification 000, DotGeneral.
// RUN: xla-opt %s --split-input-file --verify-diagnostics | xla-opt --split-input-file | FileCheck %s
// RUN: xla-opt %s --split-input-file --verify-diagnostics --canonicalize | FileCheck %s --check-prefix=FOLD

// Batch dimensions first, then lhs's, then rhs's.
// CHECK-LABEL: @forms
// CHECK: xla.dot_general %arg0, %arg1 {lhs_batching_dimensions = array<i64: 3, 0>, lhs_contracting_dimensions = array<i64: 1>, rhs_batching_dimensions = array<i64: 0, 2>, rhs_contracting_dimensions = array<i64: 3>} : (tensor<2x3x4x5xf32>, tensor<5x6x2x3xf32>) -> tensor<5x2x4x6xf32>
// CHECK: xla.dot_general %arg0, %arg0 : (tensor<2x3x4x5xf32>, tensor<2x3x4x5xf32>) -> tensor<2x3x4x5x2x3x4x5xf32>
// CHECK: xla.dot_general %arg2, %arg2 : tensor<i32>
func.func @forms(%a: tensor<2x3x4x5xf32>, %b: tensor<5x6x2x3xf32>, %s: tensor<i32>) {
  %0 = xla.dot_general %a, %b {lhs_batching_dimensions = array<i64: 3, 0>, rhs_batching_dimensions = array<i64: 0, 2>, lhs_contracting_dimensions = array<i64: 1>, rhs_contracting_dimensions = array<i64: 3>} : (tensor<2x3x4x5xf32>, tensor<5x6x2x3xf32>) -> tensor<5x2x4x6xf32>
  %1 = "xla.dot_general"(%a, %a) : (tensor<2x3x4x5xf32>, tensor<2x3x4x5xf32>) -> tensor<2x3x4x5x2x3x4x5xf32>
  %2 = xla.dot_general %s, %s : tensor<i32>
  return
}

// -----

// FOLD-LABEL: @example_contracting
// FOLD{LITERAL}: dense<[[6.000000e+00, 1.200000e+01], [1.500000e+01, 3.000000e+01]]> : tensor<2x2xf32>
func.func @example_contracting() -> tensor<2x2xf32> {
  %l = xla.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %r = xla.constant dense<[[1.0, 1.0, 1.0], [2.0, 2.0, 2.0]]> : tensor<2x3xf32>
  %0 = xla.dot_general %l, %r {lhs_contracting_dimensions = array<i64: 1>, rhs_contracting_dimensions = array<i64: 1>} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// -----

// FOLD-LABEL: @example_batch
// FOLD{LITERAL}: dense<[[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]], [[5.000000e+00, 6.000000e+00], [7.000000e+00, 8.000000e+00]]]> : tensor<2x2x2xf32>
func.func @example_batch() -> tensor<2x2x2xf32> {
  %l = xla.constant dense<[[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]]> : tensor<2x2x2xf32>
  %r = xla.constant dense<[[[1.0, 0.0], [0.0, 1.0]], [[1.0, 0.0], [0.0, 1.0]]]> : tensor<2x2x2xf32>
  %0 = xla.dot_general %l, %r {lhs_batching_dimensions = array<i64: 0>, rhs_batching_dimensions = array<i64: 0>, lhs_contracting_dimensions = array<i64: 2>, rhs_contracting_dimensions = array<i64: 1>} : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  return %0 : tensor<2x2x2xf32>
}

// -----

// Two contracted dimensions in crossed order: sum of l[i,j] r[j,i]; and the
// batch dimension last in lhs and second in rhs.
// FOLD-LABEL: @orders
// FOLD-DAG: dense<86> : tensor<i32>
// FOLD-DAG{LITERAL}: dense<[[1, 4], [6, 15], [15, 30]]> : tensor<3x2xi32>
func.func @orders() -> (tensor<i32>, tensor<3x2xi32>) {
  %l = xla.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %r = xla.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>
  %0 = xla.dot_general %l, %r {lhs_contracting_dimensions = array<i64: 0, 1>, rhs_contracting_dimensions = array<i64: 1, 0>} : (tensor<2x3xi32>, tensor<3x2xi32>) -> tensor<i32>
  %w = xla.constant dense<[[1, 3, 5]]> : tensor<1x3xi32>
  %1 = xla.dot_general %l, %w {lhs_batching_dimensions = array<i64: 1>, rhs_batching_dimensions = array<i64: 1>, lhs_contracting_dimensions = array<i64>, rhs_contracting_dimensions = array<i64>} : (tensor<2x3xi32>, tensor<1x3xi32>) -> tensor<3x2x1xi32>
  %2 = xla.reshape %1 : (tensor<3x2x1xi32>) -> tensor<3x2xi32>
  return %0, %2 : tensor<i32>, tensor<3x2xi32>
}

// -----

// Operands of other types than the result's convert to it.
// FOLD-LABEL: @mixed
// FOLD-DAG: dense<-131070> : tensor<i64>
// FOLD-DAG: dense<9.000000e+04> : tensor<f32>
// FOLD-DAG: dense<(3.000000e+00,2.000000e+00)> : tensor<complex<f64>>
// FOLD-DAG: dense<2> : tensor<i32>
func.func @mixed() -> (tensor<i64>, tensor<f32>, tensor<complex<f64>>, tensor<i32>) {
  %s = xla.constant dense<[-1, -1]> : tensor<2xi16>
  %u = xla.constant dense<[65535, 65535]> : tensor<2xui16>
  %0 = xla.dot_general %s, %u {lhs_contracting_dimensions = array<i64: 0>, rhs_contracting_dimensions = array<i64: 0>} : (tensor<2xi16>, tensor<2xui16>) -> tensor<i64>
  %h = xla.constant dense<[300.0]> : tensor<1xf16>
  %1 = xla.dot_general %h, %h {lhs_contracting_dimensions = array<i64: 0>, rhs_contracting_dimensions = array<i64: 0>} : (tensor<1xf16>, tensor<1xf16>) -> tensor<f32>
  %c = xla.constant dense<[(1.5, 1.0)]> : tensor<1xcomplex<f32>>
  %i = xla.constant dense<[2]> : tensor<1xi8>
  %2 = xla.dot_general %c, %i {lhs_contracting_dimensions = array<i64: 0>, rhs_contracting_dimensions = array<i64: 0>} : (tensor<1xcomplex<f32>>, tensor<1xi8>) -> tensor<complex<f64>>
  %p = xla.constant dense<[true, true, false]> : tensor<3xi1>
  %3 = xla.dot_general %p, %p {lhs_contracting_dimensions = array<i64: 0>, rhs_contracting_dimensions = array<i64: 0>} : (tensor<3xi1>, tensor<3xi1>) -> tensor<i32>
  return %0, %1, %2, %3 : tensor<i64>, tensor<f32>, tensor<complex<f64>>, tensor<i32>
}

// -----

func.func @c1(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{lhs has 1 batching dimensions, rhs 0 [dot_general_c1]}}
  %0 = xla.dot_general %a, %a {lhs_batching_dimensions = array<i64: 0>} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3x2x3xf32>
  return
}

// -----

func.func @c2(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{lhs has 1 contracting dimensions, rhs 2 [dot_general_c2]}}
  %0 = xla.dot_general %a, %a {lhs_contracting_dimensions = array<i64: 0>, rhs_contracting_dimensions = array<i64: 0, 1>} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @c3(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{dimension 0 of lhs is listed twice: batching [0], contracting [0] [dot_general_c3]}}
  %0 = xla.dot_general %a, %a {lhs_batching_dimensions = array<i64: 0>, rhs_batching_dimensions = array<i64: 0>, lhs_contracting_dimensions = array<i64: 0>, rhs_contracting_dimensions = array<i64: 1>} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @c4(%a: tensor<2x2xf32>) {
  // expected-error @+1 {{dimension 1 of rhs is listed twice: batching [], contracting [1, 1] [dot_general_c4]}}
  %0 = xla.dot_general %a, %a {lhs_contracting_dimensions = array<i64: 0, 1>, rhs_contracting_dimensions = array<i64: 1, 1>} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<f32>
  return
}

// -----

func.func @c5(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{lhs_batching_dimensions has 2, lhs has rank 2 [dot_general_c5]}}
  %0 = xla.dot_general %a, %a {lhs_batching_dimensions = array<i64: 2>, rhs_batching_dimensions = array<i64: 0>} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3x3xf32>
  return
}

// -----

func.func @c6(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{lhs_contracting_dimensions has -1, lhs has rank 2 [dot_general_c6]}}
  %0 = xla.dot_general %a, %a {lhs_contracting_dimensions = array<i64: -1>, rhs_contracting_dimensions = array<i64: 0>} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @c7(%a: tensor<2x3xf32>, %b: tensor<2xf32>) {
  // expected-error @+1 {{rhs_batching_dimensions has 1, rhs has rank 1 [dot_general_c7]}}
  %0 = xla.dot_general %a, %b {lhs_batching_dimensions = array<i64: 0>, rhs_batching_dimensions = array<i64: 1>} : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @c8(%a: tensor<2x3xf32>, %b: tensor<f32>) {
  // expected-error @+1 {{rhs_contracting_dimensions has 0, rhs has rank 0 [dot_general_c8]}}
  %0 = xla.dot_general %a, %b {lhs_contracting_dimensions = array<i64: 0>, rhs_contracting_dimensions = array<i64: 0>} : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
  return
}

// -----

func.func @c9(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{batching dimension 0 of lhs is 2, dimension 1 of rhs 3 [dot_general_c9]}}
  %0 = xla.dot_general %a, %a {lhs_batching_dimensions = array<i64: 0>, rhs_batching_dimensions = array<i64: 1>} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3x2xf32>
  return
}

// -----

func.func @c10(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{contracting dimension 1 of lhs is 3, dimension 0 of rhs 2 [dot_general_c10]}}
  %0 = xla.dot_general %a, %a {lhs_contracting_dimensions = array<i64: 1>, rhs_contracting_dimensions = array<i64: 0>} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @c11(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{precision_config has 1 entries, must have one an operand [dot_general_c11]}}
  %0 = xla.dot_general %a, %a {precision_config = ["DEFAULT"]} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3x2x3xf32>
  return
}

// -----

func.func @c13(%a: tensor<2xcomplex<f32>>) {
  // expected-error @+1 {{products of c64 and c64 cannot be summed as f32 [dot_general_c13]}}
  %0 = xla.dot_general %a, %a : (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) -> tensor<2x2xf32>
  return
}

// -----

func.func @rank(%a: tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32>) {
  // expected-error @+1 {{has a result of rank 34, the most is 32}}
  %0 = xla.dot_general %a, %a : (tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32>, tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32>) -> tensor<1xf32>
  return
}

// -----

func.func @size(%a: tensor<4294967296xf32>) {
  // expected-error @+1 {{the result tensor<4294967296x4294967296xf32> is larger than 2^62 bytes}}
  %0 = xla.dot_general %a, %a : (tensor<4294967296xf32>, tensor<4294967296xf32>) -> tensor<1xf32>
  return
}

// -----

func.func @precision(%x: tensor<4xf32>) {
  // expected-error @+1 {{attribute 'precision_config' must be a list of "DEFAULT", "HIGH" or "HIGHEST" [attribute]}}
  %0 = xla.dot_general %x, %x {precision_config = [0, "DEFAULT"]} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4x4xf32>
  return
}
