// Complex numbers become two arrays, of real and of imaginary parts.
// RUN: xla-opt %s --split-input-file --verify-diagnostics --xla-legalize --canonicalize --cse | FileCheck %s

// What goes in and out lies in memory as pairs.
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[Z:.*]]: tensor<4xcomplex<f32>>, %[[S:.*]]: tensor<complex<f32>>) -> tensor<4xcomplex<f32>>
// CHECK: %[[PAIRS:.*]] = xla.bitcast_convert %[[Z]] : (tensor<4xcomplex<f32>>) -> tensor<4x2xf32>
// CHECK: xla.slice %[[PAIRS]] {limit_indices = array<i64: 4, 1>
// CHECK: %[[RE:.*]] = xla.reshape {{.*}} -> tensor<4xf32>
// CHECK: xla.slice %[[PAIRS]] {limit_indices = array<i64: 4, 2>, start_indices = array<i64: 0, 1>
// CHECK: %[[IM:.*]] = xla.reshape {{.*}} -> tensor<4xf32>
// CHECK: xla.bitcast_convert %[[S]] : (tensor<complex<f32>>) -> tensor<2xf32>
// CHECK-DAG: %[[C:.*]] = xla.broadcast_in_dim
// CHECK-DAG: %[[D:.*]] = xla.broadcast_in_dim
// CHECK: %[[AC:.*]] = xla.multiply %[[RE]], %[[C]]
// CHECK: %[[BD:.*]] = xla.multiply %[[IM]], %[[D]]
// CHECK: %[[P:.*]] = xla.subtract %[[AC]], %[[BD]]
// CHECK: %[[AD:.*]] = xla.multiply %[[RE]], %[[D]]
// CHECK: %[[BC:.*]] = xla.multiply %[[IM]], %[[C]]
// CHECK: %[[Q:.*]] = xla.add %[[AD]], %[[BC]]
// CHECK: %[[A:.*]] = xla.reshape %[[P]] : (tensor<4xf32>) -> tensor<4x1xf32>
// CHECK: %[[B:.*]] = xla.reshape %[[Q]] : (tensor<4xf32>) -> tensor<4x1xf32>
// CHECK: %[[BOTH:.*]] = xla.concatenate %[[A]], %[[B]] {dimension = 1 : i64}
// CHECK: %[[R:.*]] = xla.bitcast_convert %[[BOTH]] : (tensor<4x2xf32>) -> tensor<4xcomplex<f32>>
// CHECK: return %[[R]]
func.func @main(%z: tensor<4xcomplex<f32>>, %s: tensor<complex<f32>>) -> tensor<4xcomplex<f32>> {
  %0 = xla.multiply %z, %s : (tensor<4xcomplex<f32>>, tensor<complex<f32>>) -> tensor<4xcomplex<f32>>
  return %0 : tensor<4xcomplex<f32>>
}

// -----

// Parts of constants; splats stay small.
// CHECK-LABEL: func.func @main
// CHECK-DAG: xla.constant dense<[1.000000e+00, 3.000000e+00]> : tensor<2xf64>
// CHECK-DAG: xla.constant dense<[2.000000e+00, -4.000000e+00]> : tensor<2xf64>
// CHECK-DAG: xla.constant dense<5.000000e+00> : tensor<{{.*}}f64>
// CHECK-DAG: xla.constant dense<6.000000e+00> : tensor<{{.*}}f64>
func.func @main(%p: tensor<2xi1>, %n: tensor<i1>) -> (tensor<2xcomplex<f64>>, tensor<268435456xcomplex<f64>>) {
  %0 = xla.constant dense<[(1.0, 2.0), (3.0, -4.0)]> : tensor<2xcomplex<f64>>
  %1 = xla.iota {iota_dimension = 0 : i64} : tensor<2xcomplex<f64>>
  %2 = xla.select %p, %0, %1 : (tensor<2xi1>, tensor<2xcomplex<f64>>, tensor<2xcomplex<f64>>) -> tensor<2xcomplex<f64>>
  %3 = xla.constant dense<(5.0, 6.0)> : tensor<268435456xcomplex<f64>>
  return %2, %3 : tensor<2xcomplex<f64>>, tensor<268435456xcomplex<f64>>
}

// -----

// Regions take parts: a reduction's those of what it has so far in front, a
// comparator's two of each part.
// CHECK-LABEL: func.func @main
// CHECK: xla.reduce(%[[RE:.*]], %[[IM:.*]], %{{.*}}, %{{.*}}) ({
// CHECK-NEXT: ^bb0(%[[A:.*]]: tensor<f32>, %[[B:.*]]: tensor<f32>, %[[C:.*]]: tensor<f32>, %[[D:.*]]: tensor<f32>):
// CHECK-DAG: %[[P:.*]] = xla.add %[[A]], %[[C]]
// CHECK-DAG: %[[Q:.*]] = xla.add %[[B]], %[[D]]
// CHECK: xla.return %[[P]], %[[Q]]
// CHECK: xla.sort(%[[RE]], %[[IM]]) ({
// CHECK-NEXT: ^bb0(%[[A:.*]]: tensor<f32>, %[[B:.*]]: tensor<f32>, %[[C:.*]]: tensor<f32>, %[[D:.*]]: tensor<f32>):
// CHECK-NEXT: %[[L:.*]] = xla.compare %[[C]], %[[D]]
// CHECK-NEXT: xla.return %[[L]]
func.func @main(%z: tensor<4xcomplex<f32>>) -> (tensor<complex<f32>>, tensor<4xcomplex<f32>>) {
  %zero = xla.constant dense<(0.0, 0.0)> : tensor<complex<f32>>
  %0 = xla.reduce(%z, %zero) ({
  ^bb0(%a: tensor<complex<f32>>, %b: tensor<complex<f32>>):
    %s = xla.add %a, %b : tensor<complex<f32>>
    xla.return %s : tensor<complex<f32>>
  }) {dimensions = [0]} : (tensor<4xcomplex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>
  %1 = xla.sort(%z) ({
  ^bb0(%a: tensor<complex<f32>>, %b: tensor<complex<f32>>):
    %x = xla.imag %a : (tensor<complex<f32>>) -> tensor<f32>
    %y = xla.imag %b : (tensor<complex<f32>>) -> tensor<f32>
    %less = xla.compare %x, %y {comparison_direction = "LT"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    xla.return %less : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : tensor<4xcomplex<f32>>
  return %0, %1 : tensor<complex<f32>>, tensor<4xcomplex<f32>>
}

// -----

// Products are four of parts.
// CHECK-LABEL: func.func @main
// CHECK-COUNT-4: xla.dot_general
// CHECK-NOT: xla.dot_general
func.func @main(%x: tensor<3x4xcomplex<f32>>, %y: tensor<4x5xcomplex<f32>>) -> tensor<3x5xcomplex<f32>> {
  %0 = xla.dot %x, %y : (tensor<3x4xcomplex<f32>>, tensor<4x5xcomplex<f32>>) -> tensor<3x5xcomplex<f32>>
  return %0 : tensor<3x5xcomplex<f32>>
}

// -----

// Foreign code sees pairs.
// CHECK-LABEL: func.func @main
// CHECK: xla.custom_call %{{.*}} {call_target_name = "f"} : tensor<4xcomplex<f32>>
func.func @main(%x: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %0 = xla.negate %x : tensor<4xcomplex<f32>>
  %1 = xla.custom_call %0 {call_target_name = "f"} : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return %1 : tensor<4xcomplex<f32>>
}

// -----

// Systems of complex numbers are real ones of twice the size.
// CHECK-LABEL: func.func @main
// CHECK: xla.triangular_solve %{{.*}} {left_side = true, lower = true, transpose_a = "TRANSPOSE", unit_diagonal = true} : (tensor<1x6x6xf32>, tensor<1x6x2xf32>) -> tensor<1x6x2xf32>
// CHECK: xla.cholesky %{{.*}} : tensor<1x6x6xf32>
func.func @main(%a: tensor<3x3xcomplex<f32>>, %b: tensor<3x2xcomplex<f32>>) -> (tensor<3x2xcomplex<f32>>, tensor<3x3xcomplex<f32>>) {
  %0 = xla.triangular_solve %a, %b {left_side = true, lower = true, unit_diagonal = false, transpose_a = "ADJOINT"} : (tensor<3x3xcomplex<f32>>, tensor<3x2xcomplex<f32>>) -> tensor<3x2xcomplex<f32>>
  %1 = xla.cholesky %a {lower = true} : tensor<3x3xcomplex<f32>>
  return %0, %1 : tensor<3x2xcomplex<f32>>, tensor<3x3xcomplex<f32>>
}

// -----

func.func @main(%x: tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x2xcomplex<f32>>) -> tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x2xcomplex<f32>> {
  // expected-error @+1 {{is not supported yet for complex numbers in more than 29 dimensions}}
  %0 = xla.negate %x : tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x2xcomplex<f32>>
  return %0 : tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x2xcomplex<f32>>
}
