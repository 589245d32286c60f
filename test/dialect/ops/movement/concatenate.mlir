// Specification 000, Concatenate.
// RUN: xla-opt %s --split-input-file --verify-diagnostics | xla-opt --split-input-file | FileCheck %s
// RUN: xla-opt %s --split-input-file --verify-diagnostics --canonicalize | FileCheck %s --check-prefix=FOLD

// CHECK-LABEL: @forms
// CHECK: xla.concatenate %arg0, %arg1, %arg2 {dimension = 1 : i64} : (tensor<2x3xbf16>, tensor<2x0xbf16>, tensor<2x1xbf16>) -> tensor<2x4xbf16>
// CHECK: xla.concatenate %arg0 {dimension = 0 : i64} : tensor<2x3xbf16>
func.func @forms(%a: tensor<2x3xbf16>, %b: tensor<2x0xbf16>, %c: tensor<2x1xbf16>) {
  %0 = xla.concatenate %a, %b, %c {dimension = 1} : (tensor<2x3xbf16>, tensor<2x0xbf16>, tensor<2x1xbf16>) -> tensor<2x4xbf16>
  %1 = "xla.concatenate"(%a) <{dimension = 0 : i64}> : (tensor<2x3xbf16>) -> tensor<2x3xbf16>
  return
}

// -----

// FOLD-LABEL: @example_1d
// FOLD: dense<[2, 3, 4, 5, 6, 7]> : tensor<6xi32>
func.func @example_1d() -> tensor<6xi32> {
  %a = xla.constant dense<[2, 3]> : tensor<2xi32>
  %b = xla.constant dense<[4, 5]> : tensor<2xi32>
  %c = xla.constant dense<[6, 7]> : tensor<2xi32>
  %0 = xla.concatenate %a, %b, %c {dimension = 0} : (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<6xi32>
  return %0 : tensor<6xi32>
}

// -----

// FOLD-LABEL: @example_2d
// FOLD{LITERAL}: dense<[[1, 2], [3, 4], [5, 6], [7, 8]]> : tensor<4x2xi32>
func.func @example_2d() -> tensor<4x2xi32> {
  %a = xla.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>
  %b = xla.constant dense<[[7, 8]]> : tensor<1x2xi32>
  %0 = xla.concatenate %a, %b {dimension = 0} : (tensor<3x2xi32>, tensor<1x2xi32>) -> tensor<4x2xi32>
  return %0 : tensor<4x2xi32>
}

// -----

// FOLD-LABEL: @values
// FOLD-DAG{LITERAL}: dense<[[1, 2, 7, 5], [3, 4, 8, 6]]> : tensor<2x4xi8>
// FOLD-DAG{LITERAL}: dense<[[(1.000000e+00,0x7FF0000000000001), (-0.000000e+00,2.000000e+00)]]> : tensor<1x2xcomplex<f64>>
// FOLD-DAG{LITERAL}: dense<[[true, false, true]]> : tensor<1x3xi1>
func.func @values() -> (tensor<2x4xi8>, tensor<1x2xcomplex<f64>>, tensor<1x3xi1>) {
  %a = xla.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>
  %e = xla.constant dense<> : tensor<2x0xi8>
  %b = xla.constant dense<[[7], [8]]> : tensor<2x1xi8>
  %c = xla.constant dense<[[5], [6]]> : tensor<2x1xi8>
  %x = xla.constant dense<(1.0, 0x7FF0000000000001)> : tensor<1x1xcomplex<f64>>
  %y = xla.constant dense<(-0.0, 2.0)> : tensor<1x1xcomplex<f64>>
  %p = xla.constant dense<[[true, false]]> : tensor<1x2xi1>
  %q = xla.constant dense<true> : tensor<1x1xi1>
  %0 = xla.concatenate %a, %e, %b, %c {dimension = 1} : (tensor<2x2xi8>, tensor<2x0xi8>, tensor<2x1xi8>, tensor<2x1xi8>) -> tensor<2x4xi8>
  %1 = xla.concatenate %x, %y {dimension = 1} : (tensor<1x1xcomplex<f64>>, tensor<1x1xcomplex<f64>>) -> tensor<1x2xcomplex<f64>>
  %2 = xla.concatenate %p, %q {dimension = 1} : (tensor<1x2xi1>, tensor<1x1xi1>) -> tensor<1x3xi1>
  return %0, %1, %2 : tensor<2x4xi8>, tensor<1x2xcomplex<f64>>, tensor<1x3xi1>
}

// -----

func.func @concatenate_c1(%a: tensor<2xi32>, %b: tensor<2xui32>) {
  // expected-error@+1 {{element type of operand 1 is u32, of operand 0 s32 [concatenate_c1]}}
  %0 = xla.concatenate %a, %b {dimension = 0} : (tensor<2xi32>, tensor<2xui32>) -> tensor<4xi32>
  return
}

// -----

func.func @concatenate_c2(%a: tensor<2x3xi32>, %b: tensor<2x3xi32>, %c: tensor<2x4xi32>) {
  // expected-error@+1 {{dimension 1 of operand 2 is 4, of operand 0 3 [concatenate_c2]}}
  %0 = xla.concatenate %a, %b, %c {dimension = 0} : (tensor<2x3xi32>, tensor<2x3xi32>, tensor<2x4xi32>) -> tensor<6x3xi32>
  return
}

// -----

func.func @concatenate_c2_rank(%a: tensor<2xi32>, %b: tensor<2x1xi32>) {
  // expected-error@+1 {{operand 1 has rank 2, operand 0 rank 1 [concatenate_c2]}}
  %0 = xla.concatenate %a, %b {dimension = 0} : (tensor<2xi32>, tensor<2x1xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @concatenate_c3() {
  // expected-error@+1 {{takes 1 or more operands, has 0 [arity]}}
  %0 = "xla.concatenate"() <{dimension = 0 : i64}> : () -> tensor<4xi32>
  return
}

// -----

func.func @concatenate_c4(%a: tensor<2xi32>) {
  // expected-error@+1 {{dimension is 1, must be in [0, 1) [concatenate_c4]}}
  %0 = xla.concatenate %a, %a {dimension = 1} : (tensor<2xi32>, tensor<2xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @concatenate_c4_negative(%a: tensor<2xi32>) {
  // expected-error@+1 {{dimension is -9223372036854775808, must be in [0, 1) [concatenate_c4]}}
  %0 = xla.concatenate %a, %a {dimension = -9223372036854775808} : (tensor<2xi32>, tensor<2xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @concatenate_c4_rank_0(%a: tensor<i32>) {
  // expected-error@+1 {{operands of rank 0 cannot be concatenated [concatenate_c4]}}
  %0 = xla.concatenate %a, %a {dimension = 0} : (tensor<i32>, tensor<i32>) -> tensor<2xi32>
  return
}

// -----

func.func @concatenate_c6(%a: tensor<2xi32>) {
  // expected-error@+1 {{result 0 is stated as tensor<3xi32>, but is tensor<4xi32> [result]}}
  %0 = xla.concatenate %a, %a {dimension = 0} : (tensor<2xi32>, tensor<2xi32>) -> tensor<3xi32>
  return
}

// -----

func.func @concatenate_c6_size(%a: tensor<4611686018427387904xi8>) {
  // expected-error@+1 {{the sizes of dimension 0 add up to more than 2^63 [concatenate_c6]}}
  %0 = xla.concatenate %a, %a {dimension = 0} : (tensor<4611686018427387904xi8>, tensor<4611686018427387904xi8>) -> tensor<1xi8>
  return
}

// -----

func.func @concatenate_c6_bytes(%a: tensor<3000000000000000000xi8>) {
  // expected-error@+1 {{the result tensor<6000000000000000000xi8> is larger than 2^62 bytes [concatenate_c6]}}
  %0 = xla.concatenate %a, %a {dimension = 0} : (tensor<3000000000000000000xi8>, tensor<3000000000000000000xi8>) -> tensor<1xi8>
  return
}
