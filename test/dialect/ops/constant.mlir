// Constants.
// RUN: xla-opt %s --split-input-file --verify-diagnostics | xla-opt --split-input-file | FileCheck %s

// CHECK-LABEL: @forms
// CHECK: xla.constant dense<true> : tensor<i1>
// CHECK: xla.constant dense<[-2, 1]> : tensor<2xi2>
// CHECK: xla.constant dense<[0, 255]> : tensor<2xui8>
// CHECK: xla.constant dense<[1.000000e+00, 0x7E, -0.000000e+00]> : tensor<3xf8E5M2>
// CHECK: xla.constant dense<(1.000000e+00,-2.000000e+00)> : tensor<complex<f64>>
// CHECK: xla.constant dense<> : tensor<0x2xf32>
// CHECK: xla.constant dense<0xFF800001> : tensor<2x2xf32>
// CHECK: xla.constant dense_resource<blob> : tensor<2xi32>
func.func @forms() {
  %0 = "xla.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
  %1 = xla.constant dense<[-2, 1]> : tensor<2xi2>
  %2 = xla.constant dense<[0, 255]> : tensor<2xui8>
  %3 = xla.constant dense<[1.0, 0x7E, -0.0]> : tensor<3xf8E5M2>
  %4 = xla.constant dense<(1.0, -2.0)> : tensor<complex<f64>>
  %5 = xla.constant dense<> : tensor<0x2xf32>
  %6 = xla.constant dense<0xFF800001> : tensor<2x2xf32>
  %7 = xla.constant dense_resource<blob> : tensor<2xi32>
  return
}
{-#
  dialect_resources: { builtin: { blob: "0x040000000100000002000000" } }
#-}

// -----

func.func @vector() {
  // expected-error @+1 {{the value's type, vector<2xf32>, is not a ranked tensor [constant_c1]}}
  %0 = "xla.constant"() <{value = dense<1.0> : vector<2xf32>}> : () -> tensor<2xf32>
  return
}

// -----

func.func @element() {
  // expected-error @+1 {{the value's type, tensor<2xi7>, has an element type that XLA does not know [constant_c1]}}
  %0 = "xla.constant"() <{value = dense<1> : tensor<2xi7>}> : () -> tensor<2xi7>
  return
}

// -----

// The parser takes two numbers for each of these.
func.func @numbers() {
  // expected-error @+1 {{the value has more or fewer numbers than its type, tensor<268435456xf32> [constant_c1]}}
  %0 = xla.constant dense<(5.0, 6.0)> : tensor<268435456xf32>
  return
}

// -----

func.func @two_numbers() {
  // expected-error @+1 {{the value has more or fewer numbers than its type, tensor<2xf32> [constant_c1]}}
  %0 = xla.constant dense<[(1.0, 2.0), (3.0, -4.0)]> : tensor<2xf32>
  return
}

// -----

func.func @result() {
  // expected-error @+1 {{result 0 is stated as tensor<3xf32>, but is tensor<2xf32> [result]}}
  %0 = "xla.constant"() <{value = dense<1.0> : tensor<2xf32>}> : () -> tensor<3xf32>
  return
}

// -----

func.func @no_array() {
  // expected-error @+1 {{attribute 'value' must be a dense array [attribute]}}
  %0 = "xla.constant"() <{value = 1.0 : f32}> : () -> tensor<f32>
  return
}
