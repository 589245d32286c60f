// Specification 000, Clamp, Select and ReducePrecision.
// RUN: xla-opt %s --split-input-file --verify-diagnostics --canonicalize | FileCheck %s

// The example of 000; min(max(a, x), b) also where a > b.
// CHECK-LABEL: @clamp_example
// CHECK-DAG: %[[C0:.*]] = xla.constant dense<[0, 5, 6]> : tensor<3xi32>
// CHECK-DAG: %[[C1:.*]] = xla.constant dense<[6, 5, 6]> : tensor<3xi32>
// CHECK-DAG: %[[C2:.*]] = xla.constant dense<0> : tensor<3xi32>
// CHECK: return %[[C0]], %[[C1]], %[[C2]] :
func.func @clamp_example() -> (tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) {
  %x = xla.constant dense<[-1, 5, 9]> : tensor<3xi32>
  %a = xla.constant dense<0> : tensor<i32>
  %b = xla.constant dense<6> : tensor<i32>
  %v = xla.constant dense<[7, 0, 0]> : tensor<3xi32>
  %0 = xla.clamp %a, %x, %b : (tensor<i32>, tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
  %1 = xla.clamp %v, %x, %b : (tensor<3xi32>, tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
  %2 = xla.clamp %b, %x, %a : (tensor<i32>, tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
  return %0, %1, %2 : tensor<3xi32>, tensor<3xi32>, tensor<3xi32>
}

// -----

// CHECK-LABEL: @clamp_nan
// CHECK-DAG: %[[C0:.*]] = xla.constant dense<[0x7FC00000, 1.000000e+00, 0.000000e+00, 1.000000e+00]> : tensor<4xf32>
// CHECK-DAG: %[[C1:.*]] = xla.constant dense<0x7FC00000> : tensor<4xf32>
// CHECK: return %[[C0]], %[[C1]] :
func.func @clamp_nan() -> (tensor<4xf32>, tensor<4xf32>) {
  %x = xla.constant dense<[0x7FC00000, 0x7F800000, -0.0, 2.0]> : tensor<4xf32>
  %a = xla.constant dense<0.0> : tensor<f32>
  %b = xla.constant dense<1.0> : tensor<f32>
  %n = xla.constant dense<0x7FC00000> : tensor<f32>
  %0 = xla.clamp %a, %x, %b : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = xla.clamp %a, %x, %n : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// CHECK-LABEL: @select_examples
// CHECK-DAG: %[[C0:.*]] = xla.constant dense<[1, 200, 300, 4]> : tensor<4xi32>
// CHECK-DAG: %[[C1:.*]] = xla.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
// CHECK-DAG: %[[C2:.*]] = xla.constant dense<[100, 200, 300, 400]> : tensor<4xi32>
// CHECK: return %[[C0]], %[[C1]], %[[C2]] :
func.func @select_examples() -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) {
  %p = xla.constant dense<[true, false, false, true]> : tensor<4xi1>
  %x = xla.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %y = xla.constant dense<[100, 200, 300, 400]> : tensor<4xi32>
  %s = xla.constant dense<true> : tensor<i1>
  %n = xla.constant dense<false> : tensor<i1>
  %0 = xla.select %p, %x, %y : (tensor<4xi1>, tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %1 = xla.select %s, %x, %y : (tensor<i1>, tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %2 = xla.select %n, %x, %y : (tensor<i1>, tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %0, %1, %2 : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>
}

// -----

// A signaling NaN stays one.
// CHECK-LABEL: @select_bits
// CHECK-DAG: %[[C0:.*]] = xla.constant dense<[0x7FA00001, -0.000000e+00]> : tensor<2xf32>
// CHECK: return %[[C0]] :
func.func @select_bits() -> tensor<2xf32> {
  %p = xla.constant dense<[true, false]> : tensor<2xi1>
  %x = xla.constant dense<[0x7FA00001, 1.0]> : tensor<2xf32>
  %y = xla.constant dense<[2.0, -0.0]> : tensor<2xf32>
  %0 = xla.select %p, %x, %y : (tensor<2xi1>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// Ties to even; what is too large becomes an infinity, what is below the normal
// numbers zero. Bits beyond the type change nothing, not even subnormals.
// CHECK-LABEL: @reduce_precision_f32
// CHECK-DAG: %[[C0:.*]] = xla.constant dense<[1.00390625, 1.01171875, 6.552000e+04, 6.000000e-05, -9.99999997E-7, 0x7F800000, 0x7FC00000, 1.401300e-45]> : tensor<8xf32>
// CHECK-DAG: %[[C1:.*]] = xla.constant dense<[1.000000e+00, 1.015625, 6.553600e+04, 6.00814819E-5, -9.98377{{[0-9]*}}E-7, 0x7F800000, 0x7FC00000, 0.000000e+00]> : tensor<8xf32>
// CHECK-DAG: %[[C2:.*]] = xla.constant dense<[1.00390625, 1.01171875, 0x7F800000, 0.000000e+00, -0.000000e+00, 0x7F800000, 0x7FC00000, 0.000000e+00]> : tensor<8xf32>
// CHECK-DAG: %[[C3:.*]] = xla.constant dense<[0.000000e+00, 0.000000e+00, 0x7F800000, 0.000000e+00, -0.000000e+00, 0x7F800000, 0x7FC00000, 0.000000e+00]> : tensor<8xf32>
// CHECK: return %[[C0]], %[[C0]], %[[C1]], %[[C2]], %[[C3]] :
func.func @reduce_precision_f32() -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %x = xla.constant dense<[1.00390625, 1.01171875, 65520.0, 6.0e-5, -1.0e-6, 0x7F800000, 0x7FC00000, 0x00000001]> : tensor<8xf32>
  %0 = xla.reduce_precision %x {exponent_bits = 8, mantissa_bits = 23} : (tensor<8xf32>) -> tensor<8xf32>
  %1 = xla.reduce_precision %x {exponent_bits = 2147483647, mantissa_bits = 2147483647} : (tensor<8xf32>) -> tensor<8xf32>
  %2 = xla.reduce_precision %x {exponent_bits = 8, mantissa_bits = 7} : (tensor<8xf32>) -> tensor<8xf32>
  %3 = xla.reduce_precision %x {exponent_bits = 5, mantissa_bits = 10} : (tensor<8xf32>) -> tensor<8xf32>
  %4 = xla.reduce_precision %x {exponent_bits = 1, mantissa_bits = 0} : (tensor<8xf32>) -> tensor<8xf32>
  return %0, %1, %2, %3, %4 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// -----

// Halfway between powers of two, the one whose biased exponent is even.
// CHECK-LABEL: @reduce_precision_halfway
// CHECK: dense<[2.000000e+00, 2.000000e+00, 8.000000e+00, 5.000000e-01, -2.000000e+00]>
func.func @reduce_precision_halfway() -> tensor<5xf32> {
  %x = xla.constant dense<[1.5, 3.0, 6.0, 0.75, -3.0]> : tensor<5xf32>
  %0 = xla.reduce_precision %x {exponent_bits = 8, mantissa_bits = 0} : (tensor<5xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// -----

// CHECK-LABEL: @reduce_precision_f64
// CHECK-DAG: %[[C0:.*]] = xla.constant dense<[1.1125369292536007E-308, 1.000000e+00, 0x7FF0000000000000]> : tensor<3xf64>
// CHECK: return %[[C0]] :
func.func @reduce_precision_f64() -> tensor<3xf64> {
  %x = xla.constant dense<[0x0008000000000001, 1.0000000000000002, 1.7976931348623157e308]> : tensor<3xf64>
  %0 = xla.reduce_precision %x {exponent_bits = 11, mantissa_bits = 51} : (tensor<3xf64>) -> tensor<3xf64>
  return %0 : tensor<3xf64>
}

// -----

// CHECK-LABEL: @select_tuples
// CHECK: xla.select %arg0, %arg1, %arg1 : (tensor<i1>, tuple<tensor<f32>, tensor<2xi8>>, tuple<tensor<f32>, tensor<2xi8>>) -> tuple<tensor<f32>, tensor<2xi8>>
func.func @select_tuples(%p: tensor<i1>, %t: tuple<tensor<f32>, tensor<2xi8>>) -> tuple<tensor<f32>, tensor<2xi8>> {
  %0 = xla.select %p, %t, %t : (tensor<i1>, tuple<tensor<f32>, tensor<2xi8>>, tuple<tensor<f32>, tensor<2xi8>>) -> tuple<tensor<f32>, tensor<2xi8>>
  return %0 : tuple<tensor<f32>, tensor<2xi8>>
}

// -----

func.func @clamp_c1(%a: tensor<2xf32>, %x: tensor<3xf32>) {
  // expected-error@+1 {{low is tensor<2xf32>, neither a scalar nor of the operand's shape tensor<3xf32> [clamp_c1]}}
  %0 = xla.clamp %a, %x, %x : (tensor<2xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @clamp_c2(%a: tensor<2xf32>, %x: tensor<3xf32>) {
  // expected-error@+1 {{high is tensor<2xf32>, neither a scalar nor of the operand's shape tensor<3xf32> [clamp_c2]}}
  %0 = xla.clamp %x, %x, %a : (tensor<3xf32>, tensor<3xf32>, tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @clamp_c3(%a: tensor<f64>, %x: tensor<3xf32>) {
  // expected-error@+1 {{low is tensor<f64>, operand is tensor<3xf32> [clamp_c3]}}
  %0 = xla.clamp %a, %x, %x : (tensor<f64>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @select_c1(%p: tensor<3xi8>, %x: tensor<3xf32>) {
  // expected-error@+1 {{the first operand is tensor<3xi8>, not pred [select_c1]}}
  %0 = xla.select %p, %x, %x : (tensor<3xi8>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @select_c1_shape(%p: tensor<2xi1>, %x: tensor<3xf32>) {
  // expected-error@+1 {{pred is tensor<2xi1>, neither a scalar nor of the shape of tensor<3xf32> [select_c1]}}
  %0 = xla.select %p, %x, %x : (tensor<2xi1>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @select_c2(%p: tensor<i1>, %x: tensor<3xf32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{on_true is tensor<3xf32>, on_false is tensor<4xf32> [select_c2]}}
  %0 = xla.select %p, %x, %y : (tensor<i1>, tensor<3xf32>, tensor<4xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @reduce_precision_c2(%x: tensor<3xf32>) {
  // expected-error@+1 {{exponent_bits is 0, must be at least 1 [reduce_precision_c2]}}
  %0 = xla.reduce_precision %x {exponent_bits = 0, mantissa_bits = 3} : tensor<3xf32>
  return
}

// -----

func.func @reduce_precision_c3(%x: tensor<3xf32>) {
  // expected-error@+1 {{mantissa_bits is -1, must not be negative [reduce_precision_c3]}}
  %0 = xla.reduce_precision %x {exponent_bits = 5, mantissa_bits = -1} : tensor<3xf32>
  return
}
