// Elementwise operations on floats and complex numbers: zeros, infinities, NaN, rounding.
// RUN: xla-opt %s --split-input-file --verify-diagnostics --canonicalize | FileCheck %s

// CHECK-LABEL: @special_unary
// CHECK-DAG: %[[C0:.*]] = xla.constant dense<[0.000000e+00, 0.000000e+00, 0x7F800000, 0x7F800000, 0x7FC00000, 1.000000e+00]> : tensor<6xf32>
// CHECK-DAG: %[[C1:.*]] = xla.constant dense<[-0.000000e+00, 0.000000e+00, 0xFF800000, 0x7F800000, 0xFFC00000, -1.000000e+00]> : tensor<6xf32>
// CHECK-DAG: %[[C2:.*]] = xla.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, -1.000000e+00, 0x7FC00000, 1.000000e+00]> : tensor<6xf32>
// CHECK-DAG: %[[C3:.*]] = xla.constant dense<[true, true, false, false, false, true]> : tensor<6xi1>
// CHECK-DAG: %[[C4:.*]] = xla.constant dense<[1.000000e+00, 1.000000e+00, 0x7F800000, 0.000000e+00, 0x7FC00000, 2.71828175]> : tensor<6xf32>
// CHECK-DAG: %[[C5:.*]] = xla.constant dense<[0.000000e+00, -0.000000e+00, 0x7F800000, -1.000000e+00, 0x7FC00000, 1.71828187]> : tensor<6xf32>
// CHECK-DAG: %[[C6:.*]] = xla.constant dense<[5.000000e-01, 5.000000e-01, 1.000000e+00, 0.000000e+00, 0x{{[7F]}}FC00000, 0.731058597]> : tensor<6xf32>
// CHECK-DAG: %[[C7:.*]] = xla.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, -1.000000e+00, 0x7FC00000, 0.761594176]> : tensor<6xf32>
// CHECK-DAG: %[[C8:.*]] = xla.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, -1.000000e+00, 0x7FC00000, 0.842700779]> : tensor<6xf32>
// CHECK-DAG: %[[C9:.*]] = xla.constant dense<[0.000000e+00, -0.000000e+00, 0x7F800000, 0xFF800000, 0x7FC00000, 1.000000e+00]> : tensor<6xf32>
// CHECK-DAG: %[[C10:.*]] = xla.constant dense<0.000000e+00> : tensor<6xf32>
// CHECK: return %[[C0]], %[[C1]], %[[C2]], %[[C3]], %[[C4]], %[[C5]], %[[C6]], %[[C7]], %[[C8]], %[[C9]], %[[C9]], %[[C10]] :
func.func @special_unary() -> (tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xi1>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>) {
  %x = xla.constant dense<[0.0, -0.0, 0x7F800000, 0xFF800000, 0x7FC00000, 1.0]> : tensor<6xf32>
  %0 = xla.abs %x : (tensor<6xf32>) -> tensor<6xf32>
  %1 = xla.negate %x : (tensor<6xf32>) -> tensor<6xf32>
  %2 = xla.sign %x : (tensor<6xf32>) -> tensor<6xf32>
  %3 = xla.is_finite %x : (tensor<6xf32>) -> tensor<6xi1>
  %4 = xla.exponential %x : (tensor<6xf32>) -> tensor<6xf32>
  %5 = xla.exponential_minus_one %x : (tensor<6xf32>) -> tensor<6xf32>
  %6 = xla.logistic %x : (tensor<6xf32>) -> tensor<6xf32>
  %7 = xla.tanh %x : (tensor<6xf32>) -> tensor<6xf32>
  %8 = xla.erf %x : (tensor<6xf32>) -> tensor<6xf32>
  %9 = xla.cbrt %x : (tensor<6xf32>) -> tensor<6xf32>
  %10 = xla.real %x : (tensor<6xf32>) -> tensor<6xf32>
  %11 = xla.imag %x : (tensor<6xf32>) -> tensor<6xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11 : tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xi1>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>
}

// -----

// CHECK-LABEL: @roots_and_logarithms
// CHECK-DAG: %[[C0:.*]] = xla.constant dense<[0.000000e+00, -0.000000e+00, 0x7F800000, 2.000000e+00, 5.000000e-01]> : tensor<5xf32>
// CHECK-DAG: %[[C1:.*]] = xla.constant dense<[0x7F800000, 0xFF800000, 0.000000e+00, 5.000000e-01, 2.000000e+00]> : tensor<5xf32>
// CHECK-DAG: %[[C2:.*]] = xla.constant dense<[0xFF800000, 0xFF800000, 0x7F800000, 1.38629436, -1.38629436]> : tensor<5xf32>
// CHECK-DAG: %[[C3:.*]] = xla.constant dense<[0.000000e+00, -0.000000e+00, 0x7F800000, 1.60943794, 0.223143548]> : tensor<5xf32>
// CHECK: return %[[C0]], %[[C1]], %[[C2]], %[[C3]] :
func.func @roots_and_logarithms() -> (tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>) {
  %x = xla.constant dense<[0.0, -0.0, 0x7F800000, 4.0, 0.25]> : tensor<5xf32>
  %0 = xla.sqrt %x : (tensor<5xf32>) -> tensor<5xf32>
  %1 = xla.rsqrt %x : (tensor<5xf32>) -> tensor<5xf32>
  %2 = xla.log %x : (tensor<5xf32>) -> tensor<5xf32>
  %3 = xla.log_plus_one %x : (tensor<5xf32>) -> tensor<5xf32>
  return %0, %1, %2, %3 : tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>
}

// -----

// CHECK-LABEL: @rounding
// CHECK-DAG: %[[C0:.*]] = xla.constant dense<[0.000000e+00, -0.000000e+00, 2.000000e+00, 2.000000e+00, -2.000000e+00, 0.000000e+00, 0x4B800000]> : tensor<7xf32>
// CHECK-DAG: %[[C1:.*]] = xla.constant dense<[1.000000e+00, -1.000000e+00, 2.000000e+00, 3.000000e+00, -3.000000e+00, 0.000000e+00, 0x4B800000]> : tensor<7xf32>
// CHECK-DAG: %[[C2:.*]] = xla.constant dense<[0.000000e+00, -1.000000e+00, 1.000000e+00, 2.000000e+00, -3.000000e+00, 0.000000e+00, 0x4B800000]> : tensor<7xf32>
// CHECK-DAG: %[[C3:.*]] = xla.constant dense<[1.000000e+00, -0.000000e+00, 2.000000e+00, 3.000000e+00, -2.000000e+00, 1.000000e+00, 0x4B800000]> : tensor<7xf32>
// CHECK: return %[[C0]], %[[C1]], %[[C2]], %[[C3]] :
func.func @rounding() -> (tensor<7xf32>, tensor<7xf32>, tensor<7xf32>, tensor<7xf32>) {
  %x = xla.constant dense<[0.5, -0.5, 1.5, 2.5, -2.5, 0.49999997, 16777217.0]> : tensor<7xf32>
  %0 = xla.round_nearest_even %x : (tensor<7xf32>) -> tensor<7xf32>
  %1 = xla.round_nearest_afz %x : (tensor<7xf32>) -> tensor<7xf32>
  %2 = xla.floor %x : (tensor<7xf32>) -> tensor<7xf32>
  %3 = xla.ceil %x : (tensor<7xf32>) -> tensor<7xf32>
  return %0, %1, %2, %3 : tensor<7xf32>, tensor<7xf32>, tensor<7xf32>, tensor<7xf32>
}

// -----

// Zeros keep their signs, and NaN wins in both maximum and minimum.
// CHECK-LABEL: @special_binary
// CHECK-DAG: %[[C0:.*]] = xla.constant dense<[0.000000e+00, 0.000000e+00, 0x7FC00000, 1.000000e+00, 0x7F800000, -5.500000e+00]> : tensor<6xf32>
// CHECK-DAG: %[[C1:.*]] = xla.constant dense<[0.000000e+00, 0.000000e+00, 0x7FC00000, 1.000000e+00, 0x7F800000, 2.000000e+00]> : tensor<6xf32>
// CHECK-DAG: %[[C2:.*]] = xla.constant dense<[-0.000000e+00, -0.000000e+00, 0x7FC00000, 0.000000e+00, 0x7F800000, -7.500000e+00]> : tensor<6xf32>
// CHECK-DAG: %[[C3:.*]] = xla.constant dense<[-0.000000e+00, -0.000000e+00, 0x7FC00000, 0.000000e+00, 0x7F800000, -1.500000e+01]> : tensor<6xf32>
// CHECK: return %[[C0]], %[[C1]], %[[C2]], %[[C3]] :
func.func @special_binary() -> (tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>) {
  %x = xla.constant dense<[0.0, -0.0, 0x7FC00000, 1.0, 0x7F800000, -7.5]> : tensor<6xf32>
  %y = xla.constant dense<[-0.0, 0.0, 1.0, 0.0, 0x7F800000, 2.0]> : tensor<6xf32>
  %0 = xla.add %x, %y : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
  %1 = xla.maximum %x, %y : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
  %2 = xla.minimum %x, %y : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
  %3 = xla.multiply %x, %y : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
  return %0, %1, %2, %3 : tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>
}

// -----

// CHECK-LABEL: @binary
// CHECK-DAG: %[[C0:.*]] = xla.constant dense<[-1.500000e+00, 1.500000e+00, 0x{{[7F]}}FF8000000000000, 0x{{[7F]}}FF8000000000000]> : tensor<4xf64>
// CHECK-DAG: %[[C1:.*]] = xla.constant dense<[-3.750000e+00, -3.750000e+00, 0x7FF0000000000000, 0xFFF0000000000000]> : tensor<4xf64>
// CHECK-DAG: %[[C2:.*]] = xla.constant dense<[2.88099{{[0-9]*}}, -0.260602{{[0-9]*}}, 0.000000e+00, 3.14159{{[0-9]*}}]> : tensor<4xf64>
// CHECK-DAG: %[[C3:.*]] = xla.constant dense<[-9.500000e+00, 9.500000e+00, 1.000000e+00, -1.000000e+00]> : tensor<4xf64>
// CHECK: return %[[C0]], %[[C1]], %[[C2]], %[[C3]] :
func.func @binary() -> (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>) {
  %x = xla.constant dense<[-7.5, 7.5, 1.0, -1.0]> : tensor<4xf64>
  %y = xla.constant dense<[2.0, -2.0, 0.0, 0.0]> : tensor<4xf64>
  %0 = xla.remainder %x, %y : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %1 = xla.divide %x, %y : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %2 = xla.atan2 %y, %x : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %3 = xla.subtract %x, %y : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  return %0, %1, %2, %3 : tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>
}

// -----

// CHECK-LABEL: @power
// CHECK-DAG: %[[C0:.*]] = xla.constant dense<[5.000000e-01, -8.000000e+00, 0x{{[7F]}}FC00000, 1.000000e+00, 1.000000e+00, 0x7F800000]> : tensor<6xf32>
// CHECK: return %[[C0]] :
func.func @power() -> tensor<6xf32> {
  %x = xla.constant dense<[2.0, -2.0, -8.0, 0.0, 1.0, 0.0]> : tensor<6xf32>
  %y = xla.constant dense<[-1.0, 3.0, 0.5, 0.0, 0x7FC00000, -1.0]> : tensor<6xf32>
  %0 = xla.power %x, %y : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

// -----

// Computed wide, rounded once.
// CHECK-LABEL: @rounds_f16
// CHECK-DAG: %[[C0:.*]] = xla.constant dense<[1.001950e+00, 0x7C00]> : tensor<2xf16>
// CHECK: return %[[C0]] :
func.func @rounds_f16() -> tensor<2xf16> {
  %x = xla.constant dense<[1.0009765625, 65504.0]> : tensor<2xf16>
  %0 = xla.multiply %x, %x : (tensor<2xf16>, tensor<2xf16>) -> tensor<2xf16>
  return %0 : tensor<2xf16>
}

// -----

// CHECK-LABEL: @rounds_bf16
// CHECK-DAG: %[[C0:.*]] = xla.constant dense<[1.015630e+00, 0x7F80]> : tensor<2xbf16>
// CHECK: return %[[C0]] :
func.func @rounds_bf16() -> tensor<2xbf16> {
  %x = xla.constant dense<[1.0078125, 3.3895e38]> : tensor<2xbf16>
  %0 = xla.multiply %x, %x : (tensor<2xbf16>, tensor<2xbf16>) -> tensor<2xbf16>
  return %0 : tensor<2xbf16>
}

// -----

// CHECK-LABEL: @complex_numbers
// CHECK-DAG: %[[C0:.*]] = xla.constant dense<[(4.000000e+00,2.000000e+00), (-1.000000e+00,1.000000e+00)]> : tensor<2xcomplex<f32>>
// CHECK-DAG: %[[C1:.*]] = xla.constant dense<[(1.100000e+01,-2.000000e+00), (-0.000000e+00,-1.000000e+00)]> : tensor<2xcomplex<f32>>
// CHECK-DAG: %[[C2:.*]] = xla.constant dense<[(-1.000000e+00,2.000000e+00), (0.000000e+00,1.000000e+00)]> : tensor<2xcomplex<f32>>
// CHECK-DAG: %[[C3:.*]] = xla.constant dense<[5.000000e+00, 1.000000e+00]> : tensor<2xf32>
// CHECK-DAG: %[[C4:.*]] = xla.constant dense<[3.000000e+00, -1.000000e+00]> : tensor<2xf32>
// CHECK-DAG: %[[C5:.*]] = xla.constant dense<[4.000000e+00, 0.000000e+00]> : tensor<2xf32>
// CHECK-DAG: %[[C6:.*]] = xla.constant dense<[(2.000000e+00,1.000000e+00), (0.000000e+00,1.000000e+00)]> : tensor<2xcomplex<f32>>
// CHECK-DAG: %[[C7:.*]] = xla.constant dense<[(-3.000000e+00,-4.000000e+00), (1.000000e+00,-0.000000e+00)]> : tensor<2xcomplex<f32>>
// CHECK-DAG: %[[C8:.*]] = xla.constant dense<[(6.000000e-01,8.000000e-01), (-1.000000e+00,0.000000e+00)]> : tensor<2xcomplex<f32>>
// CHECK-DAG: %[[C9:.*]] = xla.constant dense<[(1.000000e+00,3.000000e+00), (2.000000e+00,-0.000000e+00)]> : tensor<2xcomplex<f32>>
// CHECK: return %[[C0]], %[[C1]], %[[C2]], %[[C3]], %[[C4]], %[[C5]], %[[C6]], %[[C7]], %[[C8]], %[[C9]] :
func.func @complex_numbers() -> (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) {
  %x = xla.constant dense<[(3.0, 4.0), (-1.0, 0.0)]> : tensor<2xcomplex<f32>>
  %y = xla.constant dense<[(1.0, -2.0), (0.0, 1.0)]> : tensor<2xcomplex<f32>>
  %re = xla.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %im = xla.constant dense<[3.0, -0.0]> : tensor<2xf32>
  %0 = xla.add %x, %y : (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  %1 = xla.multiply %x, %y : (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  %2 = xla.divide %x, %y : (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  %3 = xla.abs %x : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  %4 = xla.real %x : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  %5 = xla.imag %x : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  %6 = xla.sqrt %x : (tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  %7 = xla.negate %x : (tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  %8 = xla.sign %x : (tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  %9 = xla.complex %re, %im : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xcomplex<f32>>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9 : tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>
}

// -----

func.func @complex_c1(%x: tensor<2xf16>) {
  // expected-error@+1 {{parts are f32 or f64, not f16 [complex_c1]}}
  %0 = xla.complex %x, %x : (tensor<2xf16>, tensor<2xf16>) -> tensor<2xcomplex<f32>>
  return
}

// -----

func.func @integer_exponential(%x: tensor<2xi32>) {
  // expected-error@+1 {{takes float or complex elements, not }}
  %0 = xla.exponential %x : tensor<2xi32>
  return
}
