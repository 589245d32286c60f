// Specification 000, TriangularSolve.
// RUN: xla-opt %s --split-input-file --verify-diagnostics | xla-opt --split-input-file | FileCheck %s
// RUN: xla-opt %s --split-input-file --verify-diagnostics --canonicalize | FileCheck %s --check-prefix=FOLD

// CHECK-LABEL: @forms
// CHECK: xla.triangular_solve %arg0, %arg1 {left_side = true, lower = true, transpose_a = "ADJOINT", unit_diagonal = false} : (tensor<2x3x3xcomplex<f32>>, tensor<2x3x5xcomplex<f32>>) -> tensor<2x3x5xcomplex<f32>>
// CHECK: xla.triangular_solve %arg2, %arg2 {left_side = false, lower = false, transpose_a = "NO_TRANSPOSE", unit_diagonal = true} : tensor<0x0xf64>
func.func @forms(%a: tensor<2x3x3xcomplex<f32>>, %b: tensor<2x3x5xcomplex<f32>>, %c: tensor<0x0xf64>) {
  %0 = xla.triangular_solve %a, %b {left_side = true, lower = true, unit_diagonal = false, transpose_a = "ADJOINT"} : (tensor<2x3x3xcomplex<f32>>, tensor<2x3x5xcomplex<f32>>) -> tensor<2x3x5xcomplex<f32>>
  %1 = "xla.triangular_solve"(%c, %c) <{left_side = false, lower = false, unit_diagonal = true, transpose_a = "NO_TRANSPOSE"}> : (tensor<0x0xf64>, tensor<0x0xf64>) -> tensor<0x0xf64>
  return
}

// -----

// [[2, 0], [1, 4]] and its transpose on both sides; the other triangle is NaN.
// FOLD-LABEL: @sides
// FOLD-DAG: %[[A:.*]] = xla.constant dense<{{\[\[}}5.000000e-01], [8.750000e-01{{\]\]}}> : tensor<2x1xf32>
// FOLD-DAG: %[[B:.*]] = xla.constant dense<{{\[\[}}0.000000e+00], [1.000000e+00{{\]\]}}> : tensor<2x1xf32>
// FOLD-DAG: %[[C:.*]] = xla.constant dense<{{\[\[}}0.000000e+00, 1.000000e+00{{\]\]}}> : tensor<1x2xf32>
// FOLD-DAG: %[[D:.*]] = xla.constant dense<{{\[\[}}5.000000e-01, 8.750000e-01{{\]\]}}> : tensor<1x2xf32>
// FOLD: return %[[A]], %[[B]], %[[C]], %[[D]]
func.func @sides() -> (tensor<2x1xf32>, tensor<2x1xf32>, tensor<1x2xf32>, tensor<1x2xf32>) {
  %a = xla.constant dense<[[2.0, 0x7FC00000], [1.0, 4.0]]> : tensor<2x2xf32>
  %b = xla.constant dense<[[1.0], [4.0]]> : tensor<2x1xf32>
  %c = xla.constant dense<[[1.0, 4.0]]> : tensor<1x2xf32>
  %0 = xla.triangular_solve %a, %b {left_side = true, lower = true, unit_diagonal = false, transpose_a = "NO_TRANSPOSE"} : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
  %1 = xla.triangular_solve %a, %b {left_side = true, lower = true, unit_diagonal = false, transpose_a = "TRANSPOSE"} : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
  %2 = xla.triangular_solve %a, %c {left_side = false, lower = true, unit_diagonal = false, transpose_a = "NO_TRANSPOSE"} : (tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
  %3 = xla.triangular_solve %a, %c {left_side = false, lower = true, unit_diagonal = false, transpose_a = "TRANSPOSE"} : (tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
  return %0, %1, %2, %3 : tensor<2x1xf32>, tensor<2x1xf32>, tensor<1x2xf32>, tensor<1x2xf32>
}

// -----

// With unit_diagonal the diagonal is not read.
// FOLD-LABEL: @unit
// FOLD{LITERAL}: dense<[[-7.000000e+00], [4.000000e+00]]> : tensor<2x1xf32>
func.func @unit() -> tensor<2x1xf32> {
  %a = xla.constant dense<[[0x7FC00000, 2.0], [0x7FC00000, 0x7FC00000]]> : tensor<2x2xf32>
  %b = xla.constant dense<[[1.0], [4.0]]> : tensor<2x1xf32>
  %0 = xla.triangular_solve %a, %b {left_side = true, lower = false, unit_diagonal = true, transpose_a = "NO_TRANSPOSE"} : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
  return %0 : tensor<2x1xf32>
}

// -----

// i * x = 2; the adjoint has -i.
// FOLD-LABEL: @adjoint
// FOLD-DAG: dense<(0.000000e+00,-2.000000e+00)> : tensor<1x1xcomplex<f64>>
// FOLD-DAG: dense<({{-?}}0.000000e+00,2.000000e+00)> : tensor<1x1xcomplex<f64>>
func.func @adjoint() -> (tensor<1x1xcomplex<f64>>, tensor<1x1xcomplex<f64>>) {
  %a = xla.constant dense<(0.0, 1.0)> : tensor<1x1xcomplex<f64>>
  %b = xla.constant dense<(2.0, 0.0)> : tensor<1x1xcomplex<f64>>
  %0 = xla.triangular_solve %a, %b {left_side = true, lower = true, unit_diagonal = false, transpose_a = "TRANSPOSE"} : (tensor<1x1xcomplex<f64>>, tensor<1x1xcomplex<f64>>) -> tensor<1x1xcomplex<f64>>
  %1 = xla.triangular_solve %a, %b {left_side = true, lower = true, unit_diagonal = false, transpose_a = "ADJOINT"} : (tensor<1x1xcomplex<f64>>, tensor<1x1xcomplex<f64>>) -> tensor<1x1xcomplex<f64>>
  return %0, %1 : tensor<1x1xcomplex<f64>>, tensor<1x1xcomplex<f64>>
}

// -----

// A zero on the diagonal divides.
// FOLD-LABEL: @singular
// FOLD{LITERAL}: dense<[[0x7F800000], [0xFF800000]]> : tensor<2x1xf32>
func.func @singular() -> tensor<2x1xf32> {
  %a = xla.constant dense<[[0.0, 0.0], [1.0, 4.0]]> : tensor<2x2xf32>
  %b = xla.constant dense<[[1.0], [4.0]]> : tensor<2x1xf32>
  %0 = xla.triangular_solve %a, %b {left_side = true, lower = true, unit_diagonal = false, transpose_a = "NO_TRANSPOSE"} : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
  return %0 : tensor<2x1xf32>
}

// -----

func.func @triangular_solve_c1(%a: tensor<2x2xf32>, %b: tensor<2x1xf64>) {
  // expected-error@+1 {{a has elements of f32, b of f64 [triangular_solve_c1]}}
  %0 = xla.triangular_solve %a, %b {left_side = true, lower = true, unit_diagonal = false, transpose_a = "NO_TRANSPOSE"} : (tensor<2x2xf32>, tensor<2x1xf64>) -> tensor<2x1xf64>
  return
}

// -----

func.func @triangular_solve_c2(%a: tensor<2x2xf32>, %b: tensor<2xf32>) {
  // expected-error@+1 {{a has rank 2, b rank 1, must have the same, 2 or more [triangular_solve_c2]}}
  %0 = xla.triangular_solve %a, %b {left_side = true, lower = true, unit_diagonal = false, transpose_a = "NO_TRANSPOSE"} : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @triangular_solve_c2_low(%a: tensor<2xf32>, %b: tensor<2xf32>) {
  // expected-error@+1 {{a has rank 1, b rank 1, must have the same, 2 or more [triangular_solve_c2]}}
  %0 = xla.triangular_solve %a, %b {left_side = true, lower = true, unit_diagonal = false, transpose_a = "NO_TRANSPOSE"} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @triangular_solve_c3_batch(%a: tensor<3x2x2xf32>, %b: tensor<4x2x1xf32>) {
  // expected-error@+1 {{batch dimension 0 of a is 3, of b 4 [triangular_solve_c3]}}
  %0 = xla.triangular_solve %a, %b {left_side = true, lower = true, unit_diagonal = false, transpose_a = "NO_TRANSPOSE"} : (tensor<3x2x2xf32>, tensor<4x2x1xf32>) -> tensor<4x2x1xf32>
  return
}

// -----

func.func @triangular_solve_c3_square(%a: tensor<2x3xf32>, %b: tensor<2x1xf32>) {
  // expected-error@+1 {{the matrices of a have 2 rows and 3 columns, must be square [triangular_solve_c3]}}
  %0 = xla.triangular_solve %a, %b {left_side = true, lower = true, unit_diagonal = false, transpose_a = "NO_TRANSPOSE"} : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
  return
}

// -----

func.func @triangular_solve_c3_rows(%a: tensor<2x2xf32>, %b: tensor<3x2xf32>) {
  // expected-error@+1 {{the matrices of b have 3 rows, those of a 2 [triangular_solve_c3]}}
  %0 = xla.triangular_solve %a, %b {left_side = true, lower = true, unit_diagonal = false, transpose_a = "NO_TRANSPOSE"} : (tensor<2x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @triangular_solve_c3_columns(%a: tensor<2x2xf32>, %b: tensor<2x3xf32>) {
  // expected-error@+1 {{the matrices of b have 3 columns, those of a 2 [triangular_solve_c3]}}
  %0 = xla.triangular_solve %a, %b {left_side = false, lower = true, unit_diagonal = false, transpose_a = "NO_TRANSPOSE"} : (tensor<2x2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @triangular_solve_c4(%a: tensor<2x2xf32>, %b: tensor<2x1xf32>) {
  // expected-error@+1 {{result 0 is stated as tensor<2x2xf32>, but is tensor<2x1xf32> [result]}}
  %0 = xla.triangular_solve %a, %b {left_side = true, lower = true, unit_diagonal = false, transpose_a = "NO_TRANSPOSE"} : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @triangular_solve_attribute(%a: tensor<2x2xf32>, %b: tensor<2x1xf32>) {
  // expected-error@+1 {{requires the attribute 'unit_diagonal' [attribute]}}
  %0 = xla.triangular_solve %a, %b {left_side = true, lower = true, transpose_a = "NO_TRANSPOSE"} : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
  return
}
