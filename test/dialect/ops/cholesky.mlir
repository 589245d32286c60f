// Specification 000, Cholesky.
// RUN: xla-opt %s --split-input-file --verify-diagnostics | xla-opt --split-input-file | FileCheck %s
// RUN: xla-opt %s --split-input-file --verify-diagnostics --canonicalize | FileCheck %s --check-prefix=FOLD

// CHECK-LABEL: @forms
// CHECK: xla.cholesky %arg0 {lower = true} : tensor<2x3x3xcomplex<f32>>
// CHECK: xla.cholesky %arg1 : tensor<0x0xf64>
// CHECK: xla.cholesky %arg2 {lower = false} : tensor<1x1xbf16>
func.func @forms(%a: tensor<2x3x3xcomplex<f32>>, %b: tensor<0x0xf64>, %c: tensor<1x1xbf16>) {
  %0 = xla.cholesky %a {lower = true} : tensor<2x3x3xcomplex<f32>>
  %1 = xla.cholesky %b : tensor<0x0xf64>
  %2 = "xla.cholesky"(%c) <{lower = false}> : (tensor<1x1xbf16>) -> tensor<1x1xbf16>
  return
}

// -----

// The other triangle is not read, and 0 in the result; upper is what is meant when nothing is said.
// FOLD-LABEL: @triangles
// FOLD-DAG{LITERAL}: dense<[[2.000000e+00, 0.000000e+00, 0.000000e+00], [1.000000e+00, 2.000000e+00, 0.000000e+00], [3.000000e+00, -1.000000e+00, 5.000000e-01]]> : tensor<3x3xf32>
// FOLD-DAG{LITERAL}: dense<[[2.000000e+00, 1.000000e+00, 3.000000e+00], [0.000000e+00, 2.000000e+00, -1.000000e+00], [0.000000e+00, 0.000000e+00, 5.000000e-01]]> : tensor<3x3xf32>
// FOLD-NOT: xla.cholesky
func.func @triangles() -> (tensor<3x3xf32>, tensor<3x3xf32>) {
  %a = xla.constant dense<[[4.0, 0x7FC00000, 0x7FC00000], [2.0, 5.0, 0x7FC00000], [6.0, 1.0, 10.25]]> : tensor<3x3xf32>
  %b = xla.constant dense<[[4.0, 2.0, 6.0], [0x7FC00000, 5.0, 1.0], [0x7FC00000, 0x7FC00000, 10.25]]> : tensor<3x3xf32>
  %0 = xla.cholesky %a {lower = true} : tensor<3x3xf32>
  %1 = xla.cholesky %b : tensor<3x3xf32>
  return %0, %1 : tensor<3x3xf32>, tensor<3x3xf32>
}

// -----

// Of a Hermitian matrix; what its diagonal has of an imaginary part does not count.
// FOLD-LABEL: @hermitian
// FOLD-DAG{LITERAL}: dense<[[(2.000000e+00,0.000000e+00), (0.000000e+00,0.000000e+00)], [(1.000000e+00,2.000000e+00), (3.000000e+00,0.000000e+00)]]> : tensor<2x2xcomplex<f64>>
// FOLD-DAG: dense<{{\[\[}}(2.000000e+00,{{-?}}0.000000e+00), (1.000000e+00,-2.000000e+00)], [(0.000000e+00,0.000000e+00), (3.000000e+00,{{-?}}0.000000e+00){{\]\]}}> : tensor<2x2xcomplex<f64>>
func.func @hermitian() -> (tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) {
  %a = xla.constant dense<[[(4.0, 7.0), (0.0, 0.0)], [(2.0, 4.0), (14.0, 0.0)]]> : tensor<2x2xcomplex<f64>>
  %b = xla.constant dense<[[(4.0, 0.0), (2.0, -4.0)], [(0.0, 0.0), (14.0, 0.0)]]> : tensor<2x2xcomplex<f64>>
  %0 = xla.cholesky %a {lower = true} : tensor<2x2xcomplex<f64>>
  %1 = xla.cholesky %b {lower = false} : tensor<2x2xcomplex<f64>>
  return %0, %1 : tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>
}

// -----

// NaN for the matrices of a batch that are not positive definite.
// FOLD-LABEL: @indefinite
// FOLD{LITERAL}: dense<[[[0x7FC00000, 0x7FC00000], [0x7FC00000, 0x7FC00000]], [[1.000000e+00, 0.000000e+00], [2.000000e+00, 3.000000e+00]]]> : tensor<2x2x2xf32>
func.func @indefinite() -> tensor<2x2x2xf32> {
  %a = xla.constant dense<[[[1.0, 2.0], [2.0, 1.0]], [[1.0, 2.0], [2.0, 13.0]]]> : tensor<2x2x2xf32>
  %0 = xla.cholesky %a {lower = true} : tensor<2x2x2xf32>
  return %0 : tensor<2x2x2xf32>
}

// -----

// FOLD-LABEL: @empty
// FOLD-NOT: xla.cholesky
func.func @empty() -> (tensor<0x0xf32>, tensor<2x0x0xf32>, tensor<0x2x2xf32>) {
  %a = xla.constant dense<> : tensor<0x0xf32>
  %b = xla.constant dense<> : tensor<2x0x0xf32>
  %c = xla.constant dense<> : tensor<0x2x2xf32>
  %0 = xla.cholesky %a : tensor<0x0xf32>
  %1 = xla.cholesky %b : tensor<2x0x0xf32>
  %2 = xla.cholesky %c : tensor<0x2x2xf32>
  return %0, %1, %2 : tensor<0x0xf32>, tensor<2x0x0xf32>, tensor<0x2x2xf32>
}

// -----

func.func @cholesky_c1(%a: tensor<2x2xf32>) {
  // expected-error@+1 {{result 0 is stated as tensor<2x2xf64>, but is tensor<2x2xf32> [result]}}
  %0 = xla.cholesky %a : (tensor<2x2xf32>) -> tensor<2x2xf64>
  return
}

// -----

func.func @cholesky_c2(%a: tensor<4xf32>) {
  // expected-error@+1 {{the operand is tensor<4xf32>, must have two dimensions or more [cholesky_c2]}}
  %0 = xla.cholesky %a : tensor<4xf32>
  return
}

// -----

func.func @cholesky_c3(%a: tensor<2x3x4xf32>) {
  // expected-error@+1 {{the operand's matrices have 3 rows and 4 columns, must be square [cholesky_c3]}}
  %0 = xla.cholesky %a : tensor<2x3x4xf32>
  return
}

// -----

func.func @cholesky_type(%a: tensor<2x2xi32>) {
  // expected-error@+1 {{takes float or complex elements, not s32 [element_type]}}
  %0 = xla.cholesky %a : tensor<2x2xi32>
  return
}
