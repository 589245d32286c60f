// Elementwise operations on integers and preds: extremes, and what C leaves undefined.
// RUN: xla-opt %s --split-input-file --verify-diagnostics --canonicalize | FileCheck %s

// Integers wrap; x / 0 is all ones, x rem 0 is x, MIN / -1 is MIN.
// CHECK-LABEL: @signed
// CHECK-DAG: %[[C0:.*]] = xla.constant dense<[127, -128, -128, -5, 5, 5, -5]> : tensor<7xi8>
// CHECK-DAG: %[[C1:.*]] = xla.constant dense<[-127, -128, 126, -9, 9, 5, -5]> : tensor<7xi8>
// CHECK-DAG: %[[C2:.*]] = xla.constant dense<[-128, 0, 127, -14, -14, 0, 0]> : tensor<7xi8>
// CHECK-DAG: %[[C3:.*]] = xla.constant dense<[-128, -1, 127, -3, -3, -1, -1]> : tensor<7xi8>
// CHECK-DAG: %[[C4:.*]] = xla.constant dense<[0, -128, 0, -1, 1, 5, -5]> : tensor<7xi8>
// CHECK-DAG: %[[C5:.*]] = xla.constant dense<[-1, 0, 127, 2, 7, 5, 0]> : tensor<7xi8>
// CHECK-DAG: %[[C6:.*]] = xla.constant dense<[-128, -128, 1, -7, -2, 0, -5]> : tensor<7xi8>
// CHECK-DAG: %[[C7:.*]] = xla.constant dense<[-128, 0, 1, 0, 6, 0, 0]> : tensor<7xi8>
// CHECK-DAG: %[[C8:.*]] = xla.constant dense<[-1, -128, 127, -5, -1, 5, -5]> : tensor<7xi8>
// CHECK-DAG: %[[C9:.*]] = xla.constant dense<[127, -128, 126, -5, -7, 5, -5]> : tensor<7xi8>
// CHECK: return %[[C0]], %[[C1]], %[[C2]], %[[C3]], %[[C4]], %[[C5]], %[[C6]], %[[C7]], %[[C8]], %[[C9]] :
func.func @signed() -> (tensor<7xi8>, tensor<7xi8>, tensor<7xi8>, tensor<7xi8>, tensor<7xi8>, tensor<7xi8>, tensor<7xi8>, tensor<7xi8>, tensor<7xi8>, tensor<7xi8>) {
  %x = xla.constant dense<[-128, -128, 127, -7, 7, 5, -5]> : tensor<7xi8>
  %y = xla.constant dense<[-1, 0, 1, 2, -2, 0, 0]> : tensor<7xi8>
  %0 = xla.add %x, %y : (tensor<7xi8>, tensor<7xi8>) -> tensor<7xi8>
  %1 = xla.subtract %x, %y : (tensor<7xi8>, tensor<7xi8>) -> tensor<7xi8>
  %2 = xla.multiply %x, %y : (tensor<7xi8>, tensor<7xi8>) -> tensor<7xi8>
  %3 = xla.divide %x, %y : (tensor<7xi8>, tensor<7xi8>) -> tensor<7xi8>
  %4 = xla.remainder %x, %y : (tensor<7xi8>, tensor<7xi8>) -> tensor<7xi8>
  %5 = xla.maximum %x, %y : (tensor<7xi8>, tensor<7xi8>) -> tensor<7xi8>
  %6 = xla.minimum %x, %y : (tensor<7xi8>, tensor<7xi8>) -> tensor<7xi8>
  %7 = xla.and %x, %y : (tensor<7xi8>, tensor<7xi8>) -> tensor<7xi8>
  %8 = xla.or %x, %y : (tensor<7xi8>, tensor<7xi8>) -> tensor<7xi8>
  %9 = xla.xor %x, %y : (tensor<7xi8>, tensor<7xi8>) -> tensor<7xi8>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9 : tensor<7xi8>, tensor<7xi8>, tensor<7xi8>, tensor<7xi8>, tensor<7xi8>, tensor<7xi8>, tensor<7xi8>, tensor<7xi8>, tensor<7xi8>, tensor<7xi8>
}

// -----

// CHECK-LABEL: @unsigned
// CHECK-DAG: %[[C0:.*]] = xla.constant dense<[1, 200, 1, 1]> : tensor<4xui8>
// CHECK-DAG: %[[C1:.*]] = xla.constant dense<[253, 200, 13, 255]> : tensor<4xui8>
// CHECK-DAG: %[[C2:.*]] = xla.constant dense<[254, 0, 214, 0]> : tensor<4xui8>
// CHECK-DAG: %[[C3:.*]] = xla.constant dense<[127, 255, 0, 0]> : tensor<4xui8>
// CHECK-DAG: %[[C4:.*]] = xla.constant dense<[1, 200, 7, 0]> : tensor<4xui8>
// CHECK-DAG: %[[C5:.*]] = xla.constant dense<[255, 200, 250, 1]> : tensor<4xui8>
// CHECK-DAG: %[[C6:.*]] = xla.constant dense<[2, 0, 7, 0]> : tensor<4xui8>
// CHECK: return %[[C0]], %[[C1]], %[[C2]], %[[C3]], %[[C4]], %[[C5]], %[[C6]] :
func.func @unsigned() -> (tensor<4xui8>, tensor<4xui8>, tensor<4xui8>, tensor<4xui8>, tensor<4xui8>, tensor<4xui8>, tensor<4xui8>) {
  %x = xla.constant dense<[255, 200, 7, 0]> : tensor<4xui8>
  %y = xla.constant dense<[2, 0, 250, 1]> : tensor<4xui8>
  %0 = xla.add %x, %y : (tensor<4xui8>, tensor<4xui8>) -> tensor<4xui8>
  %1 = xla.subtract %x, %y : (tensor<4xui8>, tensor<4xui8>) -> tensor<4xui8>
  %2 = xla.multiply %x, %y : (tensor<4xui8>, tensor<4xui8>) -> tensor<4xui8>
  %3 = xla.divide %x, %y : (tensor<4xui8>, tensor<4xui8>) -> tensor<4xui8>
  %4 = xla.remainder %x, %y : (tensor<4xui8>, tensor<4xui8>) -> tensor<4xui8>
  %5 = xla.maximum %x, %y : (tensor<4xui8>, tensor<4xui8>) -> tensor<4xui8>
  %6 = xla.minimum %x, %y : (tensor<4xui8>, tensor<4xui8>) -> tensor<4xui8>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<4xui8>, tensor<4xui8>, tensor<4xui8>, tensor<4xui8>, tensor<4xui8>, tensor<4xui8>, tensor<4xui8>
}

// -----

// CHECK-LABEL: @wide
// CHECK-DAG: %[[C0:.*]] = xla.constant dense<[9223372036854775807, -9223372036854775807, 0]> : tensor<3xi64>
// CHECK-DAG: %[[C1:.*]] = xla.constant dense<[-9223372036854775808, 4611686018427387903, -1]> : tensor<3xi64>
// CHECK-DAG: %[[C2:.*]] = xla.constant dense<[0, 1, 0]> : tensor<3xi64>
// CHECK-DAG: %[[C3:.*]] = xla.constant dense<[-9223372036854775808, -2, -9]> : tensor<3xi64>
// CHECK-DAG: %[[C4:.*]] = xla.constant dense<[-9223372036854775808, 9223372036854775807, 3]> : tensor<3xi64>
// CHECK-DAG: %[[C5:.*]] = xla.constant dense<[-9223372036854775808, -9223372036854775807, -3]> : tensor<3xi64>
// CHECK: return %[[C0]], %[[C1]], %[[C2]], %[[C3]], %[[C4]], %[[C5]] :
func.func @wide() -> (tensor<3xi64>, tensor<3xi64>, tensor<3xi64>, tensor<3xi64>, tensor<3xi64>, tensor<3xi64>) {
  %x = xla.constant dense<[-9223372036854775808, 9223372036854775807, 3]> : tensor<3xi64>
  %y = xla.constant dense<[-1, 2, -3]> : tensor<3xi64>
  %0 = xla.add %x, %y : (tensor<3xi64>, tensor<3xi64>) -> tensor<3xi64>
  %1 = xla.divide %x, %y : (tensor<3xi64>, tensor<3xi64>) -> tensor<3xi64>
  %2 = xla.remainder %x, %y : (tensor<3xi64>, tensor<3xi64>) -> tensor<3xi64>
  %3 = xla.multiply %x, %y : (tensor<3xi64>, tensor<3xi64>) -> tensor<3xi64>
  %4 = xla.abs %x : (tensor<3xi64>) -> tensor<3xi64>
  %5 = xla.negate %x : (tensor<3xi64>) -> tensor<3xi64>
  return %0, %1, %2, %3, %4, %5 : tensor<3xi64>, tensor<3xi64>, tensor<3xi64>, tensor<3xi64>, tensor<3xi64>, tensor<3xi64>
}

// -----

// CHECK-LABEL: @wide_unsigned
// CHECK-DAG: %[[C0:.*]] = xla.constant dense<[1844674407370955161, 1]> : tensor<2xui64>
// CHECK-DAG: %[[C1:.*]] = xla.constant dense<[5, 1]> : tensor<2xui64>
// CHECK-DAG: %[[C2:.*]] = xla.constant dense<[18446744073709551615, 9223372036854775808]> : tensor<2xui64>
// CHECK: return %[[C0]], %[[C1]], %[[C2]] :
func.func @wide_unsigned() -> (tensor<2xui64>, tensor<2xui64>, tensor<2xui64>) {
  %x = xla.constant dense<[18446744073709551615, 9223372036854775808]> : tensor<2xui64>
  %y = xla.constant dense<[10, 9223372036854775807]> : tensor<2xui64>
  %0 = xla.divide %x, %y : (tensor<2xui64>, tensor<2xui64>) -> tensor<2xui64>
  %1 = xla.remainder %x, %y : (tensor<2xui64>, tensor<2xui64>) -> tensor<2xui64>
  %2 = xla.maximum %x, %y : (tensor<2xui64>, tensor<2xui64>) -> tensor<2xui64>
  return %0, %1, %2 : tensor<2xui64>, tensor<2xui64>, tensor<2xui64>
}

// -----

// CHECK-LABEL: @below_a_byte
// CHECK-DAG: %[[C0:.*]] = xla.constant dense<[7, -8, -8, 2, -8]> : tensor<5xi4>
// CHECK-DAG: %[[C1:.*]] = xla.constant dense<[-8, 7, 0, 0, -1]> : tensor<5xi4>
// CHECK-DAG: %[[C2:.*]] = xla.constant dense<[-8, 7, -1, -3, 0]> : tensor<5xi4>
// CHECK-DAG: %[[C3:.*]] = xla.constant dense<[7, -8, -4, 0, 7]> : tensor<5xi4>
// CHECK-DAG: %[[C4:.*]] = xla.constant dense<[1, 3, 2, 4, 1]> : tensor<5xi4>
// CHECK-DAG: %[[C5:.*]] = xla.constant dense<[0, 1, 2, 0, 0]> : tensor<5xi4>
// CHECK: return %[[C0]], %[[C1]], %[[C2]], %[[C3]], %[[C4]], %[[C5]] :
func.func @below_a_byte() -> (tensor<5xi4>, tensor<5xi4>, tensor<5xi4>, tensor<5xi4>, tensor<5xi4>, tensor<5xi4>) {
  %x = xla.constant dense<[-8, 7, 3, -1, -8]> : tensor<5xi4>
  %y = xla.constant dense<[-1, 1, 5, 3, 0]> : tensor<5xi4>
  %0 = xla.add %x, %y : (tensor<5xi4>, tensor<5xi4>) -> tensor<5xi4>
  %1 = xla.divide %x, %y : (tensor<5xi4>, tensor<5xi4>) -> tensor<5xi4>
  %2 = xla.multiply %x, %y : (tensor<5xi4>, tensor<5xi4>) -> tensor<5xi4>
  %3 = xla.not %x : (tensor<5xi4>) -> tensor<5xi4>
  %4 = xla.popcnt %x : (tensor<5xi4>) -> tensor<5xi4>
  %5 = xla.count_leading_zeros %x : (tensor<5xi4>) -> tensor<5xi4>
  return %0, %1, %2, %3, %4, %5 : tensor<5xi4>, tensor<5xi4>, tensor<5xi4>, tensor<5xi4>, tensor<5xi4>, tensor<5xi4>
}

// -----

// Amounts that are negative or not below the width move all bits out.
// CHECK-LABEL: @shifts
// CHECK-DAG: %[[C0:.*]] = xla.constant dense<[0, -128, 0, 0, -28, 5]> : tensor<6xi8>
// CHECK-DAG: %[[C1:.*]] = xla.constant dense<[-64, -1, 0, 0, -2, 5]> : tensor<6xi8>
// CHECK-DAG: %[[C2:.*]] = xla.constant dense<[64, 1, 0, 0, 62, 5]> : tensor<6xi8>
// CHECK: return %[[C0]], %[[C1]], %[[C2]] :
func.func @shifts() -> (tensor<6xi8>, tensor<6xi8>, tensor<6xi8>) {
  %x = xla.constant dense<[-128, -1, 1, 64, -7, 5]> : tensor<6xi8>
  %y = xla.constant dense<[1, 7, 8, -1, 2, 0]> : tensor<6xi8>
  %0 = xla.shift_left %x, %y : (tensor<6xi8>, tensor<6xi8>) -> tensor<6xi8>
  %1 = xla.shift_right_arithmetic %x, %y : (tensor<6xi8>, tensor<6xi8>) -> tensor<6xi8>
  %2 = xla.shift_right_logical %x, %y : (tensor<6xi8>, tensor<6xi8>) -> tensor<6xi8>
  return %0, %1, %2 : tensor<6xi8>, tensor<6xi8>, tensor<6xi8>
}

// -----

// An arithmetic shift looks at the top bit, also of unsigned integers.
// CHECK-LABEL: @unsigned_shifts
// CHECK-DAG: %[[C0:.*]] = xla.constant dense<[65520, 0, 0, 0]> : tensor<4xui16>
// CHECK-DAG: %[[C1:.*]] = xla.constant dense<[65535, 65535, 0, 65535]> : tensor<4xui16>
// CHECK-DAG: %[[C2:.*]] = xla.constant dense<[4095, 1, 0, 0]> : tensor<4xui16>
// CHECK: return %[[C0]], %[[C1]], %[[C2]] :
func.func @unsigned_shifts() -> (tensor<4xui16>, tensor<4xui16>, tensor<4xui16>) {
  %x = xla.constant dense<[65535, 32768, 1, 65535]> : tensor<4xui16>
  %y = xla.constant dense<[4, 15, 65535, 16]> : tensor<4xui16>
  %0 = xla.shift_left %x, %y : (tensor<4xui16>, tensor<4xui16>) -> tensor<4xui16>
  %1 = xla.shift_right_arithmetic %x, %y : (tensor<4xui16>, tensor<4xui16>) -> tensor<4xui16>
  %2 = xla.shift_right_logical %x, %y : (tensor<4xui16>, tensor<4xui16>) -> tensor<4xui16>
  return %0, %1, %2 : tensor<4xui16>, tensor<4xui16>, tensor<4xui16>
}

// -----

// Negative exponents give 1 / x^-y, truncated; overflow wraps.
// CHECK-LABEL: @power
// CHECK-DAG: %[[C0:.*]] = xla.constant dense<[1024, 0, -1, 1, 1, 1, 0, 1870418611]> : tensor<8xi32>
// CHECK: return %[[C0]] :
func.func @power() -> tensor<8xi32> {
  %x = xla.constant dense<[2, 2, -1, -1, 1, 0, 0, 3]> : tensor<8xi32>
  %y = xla.constant dense<[10, -1, -3, -4, -5, 0, -1, 21]> : tensor<8xi32>
  %0 = xla.power %x, %y : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi32>
  return %0 : tensor<8xi32>
}

// -----

// CHECK-LABEL: @unary
// CHECK-DAG: %[[C0:.*]] = xla.constant dense<[0, 1, 1, -2147483648, 2147483647]> : tensor<5xi32>
// CHECK-DAG: %[[C1:.*]] = xla.constant dense<[0, 1, -1, -2147483648, -2147483647]> : tensor<5xi32>
// CHECK-DAG: %[[C2:.*]] = xla.constant dense<[0, -1, 1, -1, 1]> : tensor<5xi32>
// CHECK-DAG: %[[C3:.*]] = xla.constant dense<[-1, 0, -2, 2147483647, -2147483648]> : tensor<5xi32>
// CHECK-DAG: %[[C4:.*]] = xla.constant dense<[0, 32, 1, 1, 31]> : tensor<5xi32>
// CHECK-DAG: %[[C5:.*]] = xla.constant dense<[32, 0, 31, 0, 1]> : tensor<5xi32>
// CHECK: return %[[C0]], %[[C1]], %[[C2]], %[[C3]], %[[C4]], %[[C5]] :
func.func @unary() -> (tensor<5xi32>, tensor<5xi32>, tensor<5xi32>, tensor<5xi32>, tensor<5xi32>, tensor<5xi32>) {
  %x = xla.constant dense<[0, -1, 1, -2147483648, 2147483647]> : tensor<5xi32>
  %0 = xla.abs %x : (tensor<5xi32>) -> tensor<5xi32>
  %1 = xla.negate %x : (tensor<5xi32>) -> tensor<5xi32>
  %2 = xla.sign %x : (tensor<5xi32>) -> tensor<5xi32>
  %3 = xla.not %x : (tensor<5xi32>) -> tensor<5xi32>
  %4 = xla.popcnt %x : (tensor<5xi32>) -> tensor<5xi32>
  %5 = xla.count_leading_zeros %x : (tensor<5xi32>) -> tensor<5xi32>
  return %0, %1, %2, %3, %4, %5 : tensor<5xi32>, tensor<5xi32>, tensor<5xi32>, tensor<5xi32>, tensor<5xi32>, tensor<5xi32>
}

// -----

// CHECK-LABEL: @pred
// CHECK-DAG: %[[C0:.*]] = xla.constant dense<[false, true, true, true]> : tensor<4xi1>
// CHECK-DAG: %[[C1:.*]] = xla.constant dense<[false, false, false, true]> : tensor<4xi1>
// CHECK-DAG: %[[C2:.*]] = xla.constant dense<[false, true, true, false]> : tensor<4xi1>
// CHECK-DAG: %[[C3:.*]] = xla.constant dense<[true, true, false, false]> : tensor<4xi1>
// CHECK: return %[[C0]], %[[C1]], %[[C1]], %[[C0]], %[[C2]], %[[C0]], %[[C1]], %[[C3]] :
func.func @pred() -> (tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>) {
  %x = xla.constant dense<[false, false, true, true]> : tensor<4xi1>
  %y = xla.constant dense<[false, true, false, true]> : tensor<4xi1>
  %0 = xla.add %x, %y : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  %1 = xla.multiply %x, %y : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  %2 = xla.and %x, %y : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  %3 = xla.or %x, %y : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  %4 = xla.xor %x, %y : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  %5 = xla.maximum %x, %y : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  %6 = xla.minimum %x, %y : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  %7 = xla.not %x : (tensor<4xi1>) -> tensor<4xi1>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>
}

// -----

func.func @pred_divide(%x: tensor<4xi1>) {
  // expected-error@+1 {{takes signed, unsigned, float or complex elements, not }}
  %0 = xla.divide %x, %x : tensor<4xi1>
  return
}

// -----

func.func @float_and(%x: tensor<4xf32>) {
  // expected-error@+1 {{takes pred, signed or unsigned elements, not }}
  %0 = xla.and %x, %x : tensor<4xf32>
  return
}

// -----

func.func @complex_remainder(%x: tensor<4xcomplex<f32>>) {
  // expected-error@+1 {{takes signed, unsigned or float elements, not }}
  %0 = xla.remainder %x, %x : tensor<4xcomplex<f32>>
  return
}

// -----

func.func @unsigned_abs(%x: tensor<4xui8>) {
  // expected-error@+1 {{takes signed, float or complex elements, not }}
  %0 = xla.abs %x : tensor<4xui8>
  return
}
