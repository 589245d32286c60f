// Specification 000, ConvertElementType.
// RUN: xla-opt %s --split-input-file --verify-diagnostics --canonicalize | FileCheck %s

// Floats to integers truncate, saturate, and NaN gives 0; to pred is "not zero".
// CHECK-LABEL: @saturates
// CHECK-DAG: %[[C0:.*]] = xla.constant dense<[0, 127, -128, 127, -2, 127, 0]> : tensor<7xi8>
// CHECK-DAG: %[[C1:.*]] = xla.constant dense<[0, 255, 0, 255, 0, 255, 0]> : tensor<7xui8>
// CHECK-DAG: %[[C2:.*]] = xla.constant dense<[0, 9223372036854775807, -9223372036854775808, 9223372036854775807, -2, 255, 0]> : tensor<7xi64>
// CHECK-DAG: %[[C3:.*]] = xla.constant dense<[0, 18446744073709551615, 0, 18446744073709551615, 0, 255, 0]> : tensor<7xui64>
// CHECK-DAG: %[[C4:.*]] = xla.constant dense<[0, 7, -8, 7, -2, 7, 0]> : tensor<7xi4>
// CHECK-DAG: %[[C5:.*]] = xla.constant dense<[0, 3, 0, 3, 0, 3, 0]> : tensor<7xui2>
// CHECK-DAG: %[[C6:.*]] = xla.constant dense<true> : tensor<7xi1>
// CHECK: return %[[C0]], %[[C1]], %[[C2]], %[[C3]], %[[C4]], %[[C5]], %[[C6]] :
func.func @saturates() -> (tensor<7xi8>, tensor<7xui8>, tensor<7xi64>, tensor<7xui64>, tensor<7xi4>, tensor<7xui2>, tensor<7xi1>) {
  %x = xla.constant dense<[0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 1.0e30, -2.9, 255.9, -0.5]> : tensor<7xf64>
  %0 = xla.convert %x : (tensor<7xf64>) -> tensor<7xi8>
  %1 = xla.convert %x : (tensor<7xf64>) -> tensor<7xui8>
  %2 = xla.convert %x : (tensor<7xf64>) -> tensor<7xi64>
  %3 = xla.convert %x : (tensor<7xf64>) -> tensor<7xui64>
  %4 = xla.convert %x : (tensor<7xf64>) -> tensor<7xi4>
  %5 = xla.convert %x : (tensor<7xf64>) -> tensor<7xui2>
  %6 = xla.convert %x : (tensor<7xf64>) -> tensor<7xi1>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<7xi8>, tensor<7xui8>, tensor<7xi64>, tensor<7xui64>, tensor<7xi4>, tensor<7xui2>, tensor<7xi1>
}

// -----

// Integers to integers keep the low bits; signed ones are extended.
// CHECK-LABEL: @wraps
// CHECK-DAG: %[[C0:.*]] = xla.constant dense<[44, -1, 127, 0]> : tensor<4xi8>
// CHECK-DAG: %[[C1:.*]] = xla.constant dense<[44, 255, 127, 0]> : tensor<4xui8>
// CHECK-DAG: %[[C2:.*]] = xla.constant dense<[300, 18446744073709551615, 18446744073709551487, 65536]> : tensor<4xui64>
// CHECK-DAG: %[[C3:.*]] = xla.constant dense<true> : tensor<4xi1>
// CHECK: return %[[C0]], %[[C1]], %[[C2]], %[[C3]] :
func.func @wraps() -> (tensor<4xi8>, tensor<4xui8>, tensor<4xui64>, tensor<4xi1>) {
  %x = xla.constant dense<[300, -1, -129, 65536]> : tensor<4xi32>
  %0 = xla.convert %x : (tensor<4xi32>) -> tensor<4xi8>
  %1 = xla.convert %x : (tensor<4xi32>) -> tensor<4xui8>
  %2 = xla.convert %x : (tensor<4xi32>) -> tensor<4xui64>
  %3 = xla.convert %x : (tensor<4xi32>) -> tensor<4xi1>
  return %0, %1, %2, %3 : tensor<4xi8>, tensor<4xui8>, tensor<4xui64>, tensor<4xi1>
}

// -----

// 2^53 + 2^29 + 1 is just above the middle between two f32: a step over f64 must not lose that.
// CHECK-LABEL: @rounds_once
// CHECK-DAG: %[[C0:.*]] = xla.constant dense<[9.22337203E+18, 0x4B800000, 9.007200e+15]> : tensor<3xf32>
// CHECK-DAG: %[[C1:.*]] = xla.constant dense<[9.2233720368547758E+18, 0x4170000010000000, 0x4340000010000000]> : tensor<3xf64>
// CHECK: return %[[C0]], %[[C1]] :
func.func @rounds_once() -> (tensor<3xf32>, tensor<3xf64>) {
  %x = xla.constant dense<[9223372036854775807, 16777217, 9007199791611905]> : tensor<3xi64>
  %0 = xla.convert %x : (tensor<3xi64>) -> tensor<3xf32>
  %1 = xla.convert %x : (tensor<3xi64>) -> tensor<3xf64>
  return %0, %1 : tensor<3xf32>, tensor<3xf64>
}

// -----

// From f64 straight, not by f32: the first is above the middle, the second is it.
// CHECK-LABEL: @rounds_once_floats
// CHECK-DAG: %[[C0:.*]] = xla.constant dense<[1.007810e+00, 1.000000e+00]> : tensor<2xbf16>
// CHECK-DAG: %[[C1:.*]] = xla.constant dense<1.000000e+00> : tensor<2xf8E4M3FN>
// CHECK: return %[[C0]], %[[C1]] :
func.func @rounds_once_floats() -> (tensor<2xbf16>, tensor<2xf8E4M3FN>) {
  %x = xla.constant dense<[1.0039062500000002, 1.00390625]> : tensor<2xf64>
  %0 = xla.convert %x : (tensor<2xf64>) -> tensor<2xbf16>
  %1 = xla.convert %x : (tensor<2xf64>) -> tensor<2xf8E4M3FN>
  return %0, %1 : tensor<2xbf16>, tensor<2xf8E4M3FN>
}

// -----

// Each format has its own way of infinity, NaN and the negative zero.
// CHECK-LABEL: @small_floats
// CHECK-DAG: %[[C0:.*]] = xla.constant dense<[1.125000e+00, -0.000000e+00, 0x70, 0x70, 0x78, -1.562500e-02]> : tensor<6xf8E3M4>
// CHECK-DAG: %[[C1:.*]] = xla.constant dense<[1.125000e+00, -0.000000e+00, 0x78, 0x78, 0x7C, -9.765620e-03]> : tensor<6xf8E4M3>
// CHECK-DAG: %[[C2:.*]] = xla.constant dense<[1.125000e+00, -0.000000e+00, 0x7F, 0x7F, 0x7F, -9.765620e-03]> : tensor<6xf8E4M3FN>
// CHECK-DAG: %[[C3:.*]] = xla.constant dense<[1.125000e+00, 0.000000e+00, 0x80, 0x80, 0x80, -9.765620e-03]> : tensor<6xf8E4M3FNUZ>
// CHECK-DAG: %[[C4:.*]] = xla.constant dense<[1.125000e+00, 0.000000e+00, 0x80, 0x80, 0x80, -9.765620e-03]> : tensor<6xf8E4M3B11FNUZ>
// CHECK-DAG: %[[C5:.*]] = xla.constant dense<[1.000000e+00, -0.000000e+00, 1.024000e+03, 0x7C, 0x7E, -9.765620e-03]> : tensor<6xf8E5M2>
// CHECK-DAG: %[[C6:.*]] = xla.constant dense<[1.000000e+00, 0.000000e+00, 1.024000e+03, 0x80, 0x80, -9.765620e-03]> : tensor<6xf8E5M2FNUZ>
// CHECK-DAG: %[[C7:.*]] = xla.constant dense<[1.125000e+00, -0.000000e+00, 7.500000e+00, 7.500000e+00, -0.000000e+00, -0.000000e+00]> : tensor<6xf6E2M3FN>
// CHECK-DAG: %[[C8:.*]] = xla.constant dense<[1.000000e+00, -0.000000e+00, 2.800000e+01, 2.800000e+01, -0.000000e+00, -0.000000e+00]> : tensor<6xf6E3M2FN>
// CHECK-DAG: %[[C9:.*]] = xla.constant dense<[1.000000e+00, -0.000000e+00, 6.000000e+00, 6.000000e+00, -0.000000e+00, -0.000000e+00]> : tensor<6xf4E2M1FN>
// CHECK: return %[[C0]], %[[C1]], %[[C2]], %[[C3]], %[[C4]], %[[C5]], %[[C6]], %[[C7]], %[[C8]], %[[C9]] :
func.func @small_floats() -> (tensor<6xf8E3M4>, tensor<6xf8E4M3>, tensor<6xf8E4M3FN>, tensor<6xf8E4M3FNUZ>, tensor<6xf8E4M3B11FNUZ>, tensor<6xf8E5M2>, tensor<6xf8E5M2FNUZ>, tensor<6xf6E2M3FN>, tensor<6xf6E3M2FN>, tensor<6xf4E2M1FN>) {
  %x = xla.constant dense<[1.1, -0.0, 1000.0, 0x7F800000, 0x7FC00000, -0.01]> : tensor<6xf32>
  %0 = xla.convert %x : (tensor<6xf32>) -> tensor<6xf8E3M4>
  %1 = xla.convert %x : (tensor<6xf32>) -> tensor<6xf8E4M3>
  %2 = xla.convert %x : (tensor<6xf32>) -> tensor<6xf8E4M3FN>
  %3 = xla.convert %x : (tensor<6xf32>) -> tensor<6xf8E4M3FNUZ>
  %4 = xla.convert %x : (tensor<6xf32>) -> tensor<6xf8E4M3B11FNUZ>
  %5 = xla.convert %x : (tensor<6xf32>) -> tensor<6xf8E5M2>
  %6 = xla.convert %x : (tensor<6xf32>) -> tensor<6xf8E5M2FNUZ>
  %7 = xla.convert %x : (tensor<6xf32>) -> tensor<6xf6E2M3FN>
  %8 = xla.convert %x : (tensor<6xf32>) -> tensor<6xf6E3M2FN>
  %9 = xla.convert %x : (tensor<6xf32>) -> tensor<6xf4E2M1FN>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9 : tensor<6xf8E3M4>, tensor<6xf8E4M3>, tensor<6xf8E4M3FN>, tensor<6xf8E4M3FNUZ>, tensor<6xf8E4M3B11FNUZ>, tensor<6xf8E5M2>, tensor<6xf8E5M2FNUZ>, tensor<6xf6E2M3FN>, tensor<6xf6E3M2FN>, tensor<6xf4E2M1FN>
}

// -----

// Other types get the real part alone.
// CHECK-LABEL: @complexes
// CHECK-DAG: %[[C0:.*]] = xla.constant dense<[1.500000e+00, 0.000000e+00]> : tensor<2xf32>
// CHECK-DAG: %[[C1:.*]] = xla.constant dense<[(1.500000e+00,2.000000e+00), (0.000000e+00,-1.000000e+00)]> : tensor<2xcomplex<f64>>
// CHECK-DAG: %[[C2:.*]] = xla.constant dense<[1, 0]> : tensor<2xi32>
// CHECK-DAG: %[[C3:.*]] = xla.constant dense<[true, false]> : tensor<2xi1>
// CHECK-DAG: %[[C4:.*]] = xla.constant dense<[(1.500000e+00,0.000000e+00), (-0.000000e+00,0.000000e+00)]> : tensor<2xcomplex<f32>>
// CHECK-DAG: %[[C5:.*]] = xla.constant dense<[(1.000000e+00,0.000000e+00), (-2.000000e+00,0.000000e+00)]> : tensor<2xcomplex<f32>>
// CHECK: return %[[C0]], %[[C1]], %[[C2]], %[[C3]], %[[C4]], %[[C5]] :
func.func @complexes() -> (tensor<2xf32>, tensor<2xcomplex<f64>>, tensor<2xi32>, tensor<2xi1>, tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) {
  %x = xla.constant dense<[(1.5, 2.0), (0.0, -1.0)]> : tensor<2xcomplex<f32>>
  %r = xla.constant dense<[1.5, -0.0]> : tensor<2xf16>
  %i = xla.constant dense<[1, -2]> : tensor<2xi8>
  %0 = xla.convert %x : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  %1 = xla.convert %x : (tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f64>>
  %2 = xla.convert %x : (tensor<2xcomplex<f32>>) -> tensor<2xi32>
  %3 = xla.convert %x : (tensor<2xcomplex<f32>>) -> tensor<2xi1>
  %4 = xla.convert %r : (tensor<2xf16>) -> tensor<2xcomplex<f32>>
  %5 = xla.convert %i : (tensor<2xi8>) -> tensor<2xcomplex<f32>>
  return %0, %1, %2, %3, %4, %5 : tensor<2xf32>, tensor<2xcomplex<f64>>, tensor<2xi32>, tensor<2xi1>, tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>
}

// -----

func.func @shape(%x: tensor<4xf32>) {
  // expected-error@+1 {{result 0 is stated as tensor<2x2xi32>, but is tensor<4xi32> [result]}}
  %0 = xla.convert %x : (tensor<4xf32>) -> tensor<2x2xi32>
  return
}
