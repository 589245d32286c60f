// Triangular matrices in blocks of 64 rows.
// RUN: xla-opt %s --xla-expand --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: @cholesky(
// CHECK: %[[A:.*]] = xla.transpose
// CHECK: xla.slice %[[A]] {limit_indices = array<i64: 1, 64, 64>
// CHECK: %[[U:.*]] = xla.cholesky %{{.*}} {lower = false} : tensor<1x64x64xf32>
// CHECK: %[[X:.*]] = xla.triangular_solve %[[U]], %{{.*}} {left_side = true, lower = false, transpose_a = "TRANSPOSE", unit_diagonal = false} : (tensor<1x64x64xf32>, tensor<1x64x36xf32>) -> tensor<1x64x36xf32>
// CHECK: xla.dot_general %[[X]], %[[X]]
// CHECK: %[[S:.*]] = xla.subtract
// CHECK: xla.cholesky %[[S]] {lower = false} : tensor<1x36x36xf32>
// CHECK: xla.compare {{.*}} {comparison_direction = "NE"}
// CHECK: xla.select
// CHECK: xla.transpose
func.func @cholesky(%a: tensor<100x100xf32>) -> tensor<100x100xf32> {
  %0 = xla.cholesky %a {lower = true} : tensor<100x100xf32>
  return %0 : tensor<100x100xf32>
}

// -----

// The last block has no single row: it would not show whether it is spoiled.
// CHECK-LABEL: @rest(
// CHECK: xla.cholesky {{.*}} : tensor<6x65x65xf64>
// CHECK-NOT: xla.slice
func.func @rest(%a: tensor<2x3x65x65xf64>) -> tensor<2x3x65x65xf64> {
  %0 = xla.cholesky %a : tensor<2x3x65x65xf64>
  return %0 : tensor<2x3x65x65xf64>
}

// -----

// Right sides in rows are transposed; unknowns are found from the last on.
// CHECK-LABEL: @triangular_solve(
// CHECK: %[[B:.*]] = xla.transpose
// CHECK: xla.slice %arg0 {limit_indices = array<i64: 2, 80, 80>, start_indices = array<i64: 0, 64, 64>
// CHECK: xla.triangular_solve {{.*}} {left_side = true, lower = true, transpose_a = "TRANSPOSE", unit_diagonal = true} : (tensor<2x16x16xf32>, tensor<2x16x3xf32>) -> tensor<2x16x3xf32>
// CHECK: xla.dot_general
// CHECK: xla.triangular_solve {{.*}} : (tensor<2x64x64xf32>, tensor<2x64x3xf32>) -> tensor<2x64x3xf32>
// CHECK: xla.concatenate
// CHECK: xla.transpose
func.func @triangular_solve(%a: tensor<2x80x80xf32>, %b: tensor<2x3x80xf32>) -> tensor<2x3x80xf32> {
  %0 = xla.triangular_solve %a, %b {left_side = false, lower = true, unit_diagonal = true, transpose_a = "NO_TRANSPOSE"} : (tensor<2x80x80xf32>, tensor<2x3x80xf32>) -> tensor<2x3x80xf32>
  return %0 : tensor<2x3x80xf32>
}

// -----

// Halves are computed in f32; complex numbers are not split here.
// CHECK-LABEL: @types(
// CHECK: xla.cholesky {{.*}} : tensor<1x4x4xf32>
// CHECK: xla.convert {{.*}} -> tensor<4x4xf16>
// CHECK: xla.cholesky %arg1 {lower = true} : tensor<99x99xcomplex<f32>>
func.func @types(%a: tensor<4x4xf16>, %c: tensor<99x99xcomplex<f32>>) -> (tensor<4x4xf16>, tensor<99x99xcomplex<f32>>) {
  %0 = xla.cholesky %a {lower = true} : tensor<4x4xf16>
  %1 = xla.cholesky %c {lower = true} : tensor<99x99xcomplex<f32>>
  return %0, %1 : tensor<4x4xf16>, tensor<99x99xcomplex<f32>>
}

// -----

func.func @large(%a: tensor<100000x100000xf32>) -> tensor<100000x100000xf32> {
  // expected-error @+1 {{has matrices of 100000 rows, more than the 65536 that compiled programs take}}
  %0 = xla.cholesky %a : tensor<100000x100000xf32>
  return %0 : tensor<100000x100000xf32>
}
