// Specification 000, Rev.
// RUN: xla-opt %s --split-input-file --verify-diagnostics | xla-opt --split-input-file | FileCheck %s
// RUN: xla-opt %s --split-input-file --verify-diagnostics --canonicalize | FileCheck %s --check-prefix=FOLD

// CHECK-LABEL: @forms
// CHECK: xla.reverse %arg0 {dimensions = array<i64: 1>} : tensor<2x3xf32>
// CHECK: xla.reverse %arg0 {dimensions = array<i64>} : tensor<2x3xf32>
// CHECK: xla.reverse %arg1 {dimensions = array<i64: 1, 0>} : tensor<0x4xi1>
// CHECK: xla.reverse %arg2 {dimensions = array<i64>} : tensor<f64>
func.func @forms(%x: tensor<2x3xf32>, %e: tensor<0x4xi1>, %s: tensor<f64>) {
  %0 = xla.reverse %x {dimensions = array<i64: 1>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = "xla.reverse"(%x) <{dimensions = array<i64>}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = xla.reverse %e {dimensions = array<i64: 1, 0>} : tensor<0x4xi1>
  %3 = xla.reverse %s {dimensions = array<i64>} : tensor<f64>
  return
}

// -----

// FOLD-LABEL: @values
// FOLD-DAG{LITERAL}: dense<[[3, 2, 1], [6, 5, 4]]> : tensor<2x3xi32>
// FOLD-DAG{LITERAL}: dense<[[4, 5, 6], [1, 2, 3]]> : tensor<2x3xi32>
// FOLD-DAG{LITERAL}: dense<[[6, 5, 4], [3, 2, 1]]> : tensor<2x3xi32>
// FOLD-DAG: dense<[1.000000e+00, -0.000000e+00, 0x7F]> : tensor<3xf8E4M3FN>
// FOLD-DAG: dense<[true, true, false]> : tensor<3xi1>
func.func @values() -> (tensor<2x3xi32>, tensor<2x3xi32>, tensor<2x3xi32>, tensor<3xf8E4M3FN>, tensor<3xi1>) {
  %x = xla.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %f = xla.constant dense<[0x7F, -0.0, 1.0]> : tensor<3xf8E4M3FN>
  %p = xla.constant dense<[false, true, true]> : tensor<3xi1>
  %0 = xla.reverse %x {dimensions = array<i64: 1>} : tensor<2x3xi32>
  %1 = xla.reverse %x {dimensions = array<i64: 0>} : tensor<2x3xi32>
  %2 = xla.reverse %x {dimensions = array<i64: 1, 0>} : tensor<2x3xi32>
  %3 = xla.reverse %f {dimensions = array<i64: 0>} : tensor<3xf8E4M3FN>
  %4 = xla.reverse %p {dimensions = array<i64: 0>} : tensor<3xi1>
  return %0, %1, %2, %3, %4 : tensor<2x3xi32>, tensor<2x3xi32>, tensor<2x3xi32>, tensor<3xf8E4M3FN>, tensor<3xi1>
}

// -----

func.func @reverse_c1(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{result 0 is stated as tensor<3x2xf32>, but is tensor<2x3xf32> [result]}}
  %0 = xla.reverse %x {dimensions = array<i64: 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @reverse_c2(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{dimensions [0, 1, 0] has 0 twice [reverse_c2]}}
  %0 = xla.reverse %x {dimensions = array<i64: 0, 1, 0>} : tensor<2x3xf32>
  return
}

// -----

func.func @reverse_c3(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{dimensions[0] is 2, must be in [0, 2) [reverse_c3]}}
  %0 = xla.reverse %x {dimensions = array<i64: 2>} : tensor<2x3xf32>
  return
}

// -----

func.func @reverse_c3_scalar(%x: tensor<f32>) {
  // expected-error@+1 {{dimensions[0] is 9223372036854775807, must be in [0, 0) [reverse_c3]}}
  %0 = xla.reverse %x {dimensions = array<i64: 9223372036854775807>} : tensor<f32>
  return
}
