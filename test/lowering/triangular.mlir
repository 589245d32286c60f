// Blocks of triangular matrices are loops, of which outer ones without carried values are independent.
// RUN: xla-opt %s --convert-xla-to-linalg --split-input-file --verify-diagnostics | FileCheck %s

// Row by row; a pivot that is negative spoils all.
// CHECK-LABEL: func.func private @cholesky_0(
// CHECK-SAME: attributes {xla.kind = "triangular"}
// CHECK: scf.for %[[B:.*]] = %{{.*}} to %c2
// CHECK: scf.for
// CHECK: %[[S:.*]] = scf.for %[[J:.*]] = %{{.*}} iter_args(%{{.*}} = %{{.*}}) -> (f32)
// CHECK: scf.for %[[C:.*]] = %{{.*}}
// CHECK: memref.load %arg0[%[[B]], %[[J]], %[[C]]]
// CHECK: scf.for %[[K:.*]] = %{{.*}} to %[[J]] step %{{.*}} iter_args
// CHECK: memref.load %arg1[%[[B]], %[[K]], %[[J]]]
// CHECK: memref.load %arg1[%[[B]], %[[K]], %[[C]]]
// CHECK: math.sqrt
// CHECK: scf.if
func.func @cholesky(%a: tensor<2x5x5xf32>) {
  %0 = xla.cholesky %a {lower = false} : tensor<2x5x5xf32>
  return
}

// -----

// The other triangle's rows are columns, and right sides may be rows.
// CHECK-LABEL: func.func private @triangular_solve_0(
// CHECK: scf.for %[[B:.*]] = %{{.*}} to %c2
// CHECK: scf.for %[[S:.*]] = %{{.*}} to %c3
// CHECK: scf.for %{{.*}} iter_args(%[[I:.*]] = %{{.*}}) -> (index)
// CHECK: memref.load %arg1[%[[B]], %{{.*}}, %[[I]]] : memref<2x3x5xf64>
// CHECK-NOT: arith.divf
// CHECK: memref.store {{.*}} : memref<2x3x5xf64>
func.func @triangular_solve(%a: tensor<2x5x5xf64>, %b: tensor<2x3x5xf64>) {
  %0 = xla.triangular_solve %a, %b {left_side = false, lower = true, unit_diagonal = true, transpose_a = "TRANSPOSE"} : (tensor<2x5x5xf64>, tensor<2x3x5xf64>) -> tensor<2x3x5xf64>
  return
}

// -----

func.func @not_a_batch(%a: tensor<5x5xf32>) {
  // expected-error @+1 {{should have been written as blocks of f32 or f64 in one batch}}
  %0 = xla.cholesky %a : tensor<5x5xf32>
  return
}
