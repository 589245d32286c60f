// RUN: xla-opt %s --xla-simplify-algebra | FileCheck %s

// multiply(x, 0) = 0
// CHECK-LABEL: @multiply_zero(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<0> : tensor<4xi32>
// CHECK-NEXT: return %[[A]] :
func.func @multiply_zero(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = xla.constant dense<0> : tensor<4xi32>
  %1 = xla.multiply %x, %c0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// CHECK-LABEL: @multiply_zero_not(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<0.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = xla.multiply %arg0, %[[A]] : tensor<4xf32>
// CHECK-NEXT: return %[[B]] :
func.func @multiply_zero_not(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = xla.constant dense<0.0> : tensor<4xf32>
  %1 = xla.multiply %x, %c0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// multiply(x, 1) = x
// CHECK-LABEL: @multiply_one(
// CHECK-NEXT: return %arg0 :
func.func @multiply_one(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = xla.constant dense<1> : tensor<4xi32>
  %1 = xla.multiply %x, %c0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// CHECK-LABEL: @multiply_one_not(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<2.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = xla.multiply %arg0, %[[A]] : tensor<4xf32>
// CHECK-NEXT: return %[[B]] :
func.func @multiply_one_not(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = xla.constant dense<2.0> : tensor<4xf32>
  %1 = xla.multiply %x, %c0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: @multiply_one_not_2(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<(1.000000e+00,0.000000e+00)> : tensor<4xcomplex<f32>>
// CHECK-NEXT: %[[B:.*]] = xla.multiply %arg0, %[[A]] : tensor<4xcomplex<f32>>
// CHECK-NEXT: return %[[B]] :
func.func @multiply_one_not_2(%x: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %c0 = xla.constant dense<(1.0, 0.0)> : tensor<4xcomplex<f32>>
  %1 = xla.multiply %x, %c0 : tensor<4xcomplex<f32>>
  return %1 : tensor<4xcomplex<f32>>
}

// multiply(x, -1) = negate(x)
// CHECK-LABEL: @multiply_minus_one(
// CHECK-NEXT: %[[A:.*]] = xla.negate %arg0 : tensor<4xi32>
// CHECK-NEXT: return %[[A]] :
func.func @multiply_minus_one(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = xla.constant dense<-1> : tensor<4xi32>
  %1 = xla.multiply %x, %c0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// CHECK-LABEL: @multiply_minus_one_not(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<1.500000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = xla.multiply %arg0, %[[A]] : tensor<4xf32>
// CHECK-NEXT: return %[[B]] :
func.func @multiply_minus_one_not(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = xla.constant dense<1.5> : tensor<4xf32>
  %1 = xla.multiply %x, %c0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// multiply(negate(x), negate(y)) = multiply(x, y)
// CHECK-LABEL: @multiply_negated(
// CHECK-NEXT: %[[A:.*]] = xla.multiply %arg0, %arg1 : tensor<4xi32>
// CHECK-NEXT: return %[[A]] :
func.func @multiply_negated(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %0 = xla.negate %y : tensor<4xi32>
  %1 = xla.negate %x : tensor<4xi32>
  %2 = xla.multiply %1, %0 : tensor<4xi32>
  return %2 : tensor<4xi32>
}

// CHECK-LABEL: @multiply_negated_not(
// CHECK-NEXT: %[[A:.*]] = xla.negate %arg0 : tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = xla.multiply %[[A]], %arg1 : tensor<4xf32>
// CHECK-NEXT: return %[[B]] :
func.func @multiply_negated_not(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.negate %x : tensor<4xf32>
  %1 = xla.multiply %0, %y : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// multiply(negate(x), k) = multiply(x, negate(k))
// CHECK-LABEL: @multiply_negated_constant(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<-12> : tensor<4xi32>
// CHECK-NEXT: %[[B:.*]] = xla.multiply %arg0, %[[A]] : tensor<4xi32>
// CHECK-NEXT: return %[[B]] :
func.func @multiply_negated_constant(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = xla.constant dense<12> : tensor<4xi32>
  %1 = xla.negate %x : tensor<4xi32>
  %2 = xla.multiply %1, %c0 : tensor<4xi32>
  return %2 : tensor<4xi32>
}

// CHECK-LABEL: @multiply_negated_constant_not(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<4.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = xla.abs %arg0 : tensor<4xf32>
// CHECK-NEXT: %[[C:.*]] = xla.multiply %[[B]], %[[A]] : tensor<4xf32>
// CHECK-NEXT: return %[[C]] :
func.func @multiply_negated_constant_not(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = xla.constant dense<4.0> : tensor<4xf32>
  %1 = xla.abs %x : tensor<4xf32>
  %2 = xla.multiply %1, %c0 : tensor<4xf32>
  return %2 : tensor<4xf32>
}

// multiply(multiply(x, k), m) = multiply(x, multiply(k, m))
// CHECK-LABEL: @multiply_constants(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<60> : tensor<4xi32>
// CHECK-NEXT: %[[B:.*]] = xla.multiply %arg0, %[[A]] : tensor<4xi32>
// CHECK-NEXT: return %[[B]] :
func.func @multiply_constants(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = xla.constant dense<5> : tensor<4xi32>
  %c1 = xla.constant dense<12> : tensor<4xi32>
  %2 = xla.multiply %x, %c1 : tensor<4xi32>
  %3 = xla.multiply %2, %c0 : tensor<4xi32>
  return %3 : tensor<4xi32>
}

// CHECK-LABEL: @multiply_constants_not(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<8.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = xla.constant dense<4.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[C:.*]] = xla.multiply %arg0, %[[B]] : tensor<4xf32>
// CHECK-NEXT: %[[D:.*]] = xla.multiply %[[C]], %[[A]] : tensor<4xf32>
// CHECK-NEXT: return %[[D]] :
func.func @multiply_constants_not(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = xla.constant dense<8.0> : tensor<4xf32>
  %c1 = xla.constant dense<4.0> : tensor<4xf32>
  %2 = xla.multiply %x, %c1 : tensor<4xf32>
  %3 = xla.multiply %2, %c0 : tensor<4xf32>
  return %3 : tensor<4xf32>
}

// divide(x, 1) = x
// CHECK-LABEL: @divide_one(
// CHECK-NEXT: return %arg0 :
func.func @divide_one(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = xla.constant dense<1> : tensor<4xi32>
  %1 = xla.divide %x, %c0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// CHECK-LABEL: @divide_one_not(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<1.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = xla.divide %[[A]], %arg0 : tensor<4xf32>
// CHECK-NEXT: return %[[B]] :
func.func @divide_one_not(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = xla.constant dense<1.0> : tensor<4xf32>
  %1 = xla.divide %c0, %x : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// divide(x, -1) = negate(x)
// CHECK-LABEL: @divide_minus_one(
// CHECK-NEXT: %[[A:.*]] = xla.negate %arg0 : tensor<4xi32>
// CHECK-NEXT: return %[[A]] :
func.func @divide_minus_one(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = xla.constant dense<-1> : tensor<4xi32>
  %1 = xla.divide %x, %c0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// CHECK-LABEL: @divide_minus_one_not(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<-1.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = xla.divide %[[A]], %arg0 : tensor<4xf32>
// CHECK-NEXT: return %[[B]] :
func.func @divide_minus_one_not(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = xla.constant dense<-1.0> : tensor<4xf32>
  %1 = xla.divide %c0, %x : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// divide(x, k) = multiply(x, divide(1, k)) if exact_inverse(k)
// CHECK-LABEL: @divide_power_of_two(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<2.500000e-01> : tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = xla.multiply %arg0, %[[A]] : tensor<4xf32>
// CHECK-NEXT: return %[[B]] :
func.func @divide_power_of_two(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = xla.constant dense<4.0> : tensor<4xf32>
  %1 = xla.divide %x, %c0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: @divide_power_of_two_not(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<3.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = xla.divide %arg0, %[[A]] : tensor<4xf32>
// CHECK-NEXT: return %[[B]] :
func.func @divide_power_of_two_not(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = xla.constant dense<3.0> : tensor<4xf32>
  %1 = xla.divide %x, %c0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: @divide_power_of_two_not_2(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<1.70141183E+38> : tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = xla.divide %arg0, %[[A]] : tensor<4xf32>
// CHECK-NEXT: return %[[B]] :
func.func @divide_power_of_two_not_2(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = xla.constant dense<1.7014118e38> : tensor<4xf32>
  %1 = xla.divide %x, %c0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: @divide_power_of_two_not_3(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<0.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = xla.divide %arg0, %[[A]] : tensor<4xf32>
// CHECK-NEXT: return %[[B]] :
func.func @divide_power_of_two_not_3(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = xla.constant dense<0.0> : tensor<4xf32>
  %1 = xla.divide %x, %c0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: @divide_power_of_two_not_4(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<4> : tensor<4xi32>
// CHECK-NEXT: %[[B:.*]] = xla.divide %arg0, %[[A]] : tensor<4xi32>
// CHECK-NEXT: return %[[B]] :
func.func @divide_power_of_two_not_4(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = xla.constant dense<4> : tensor<4xi32>
  %1 = xla.divide %x, %c0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// divide(x, k) = shift_right_logical(x, popcnt(subtract(k, 1))) if power_of_two(k)
// CHECK-LABEL: @divide_unsigned(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<3> : tensor<4xui32>
// CHECK-NEXT: %[[B:.*]] = xla.shift_right_logical %arg0, %[[A]] : tensor<4xui32>
// CHECK-NEXT: return %[[B]] :
func.func @divide_unsigned(%x: tensor<4xui32>) -> tensor<4xui32> {
  %c0 = xla.constant dense<8> : tensor<4xui32>
  %1 = xla.divide %x, %c0 : tensor<4xui32>
  return %1 : tensor<4xui32>
}

// CHECK-LABEL: @divide_unsigned_not(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<6> : tensor<4xui32>
// CHECK-NEXT: %[[B:.*]] = xla.divide %arg0, %[[A]] : tensor<4xui32>
// CHECK-NEXT: return %[[B]] :
func.func @divide_unsigned_not(%x: tensor<4xui32>) -> tensor<4xui32> {
  %c0 = xla.constant dense<6> : tensor<4xui32>
  %1 = xla.divide %x, %c0 : tensor<4xui32>
  return %1 : tensor<4xui32>
}

// CHECK-LABEL: @divide_unsigned_not_2(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<4> : tensor<4xi32>
// CHECK-NEXT: %[[B:.*]] = xla.divide %arg0, %[[A]] : tensor<4xi32>
// CHECK-NEXT: return %[[B]] :
func.func @divide_unsigned_not_2(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = xla.constant dense<4> : tensor<4xi32>
  %1 = xla.divide %x, %c0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// divide(negate(x), negate(y)) = divide(x, y)
// CHECK-LABEL: @divide_negated(
// CHECK-NEXT: %[[A:.*]] = xla.divide %arg0, %arg1 : tensor<4xf32>
// CHECK-NEXT: return %[[A]] :
func.func @divide_negated(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.negate %y : tensor<4xf32>
  %1 = xla.negate %x : tensor<4xf32>
  %2 = xla.divide %1, %0 : tensor<4xf32>
  return %2 : tensor<4xf32>
}

// CHECK-LABEL: @divide_negated_not(
// CHECK-NEXT: %[[A:.*]] = xla.negate %arg1 : tensor<4xi32>
// CHECK-NEXT: %[[B:.*]] = xla.negate %arg0 : tensor<4xi32>
// CHECK-NEXT: %[[C:.*]] = xla.divide %[[B]], %[[A]] : tensor<4xi32>
// CHECK-NEXT: return %[[C]] :
func.func @divide_negated_not(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %0 = xla.negate %y : tensor<4xi32>
  %1 = xla.negate %x : tensor<4xi32>
  %2 = xla.divide %1, %0 : tensor<4xi32>
  return %2 : tensor<4xi32>
}

// divide(negate(x), k) = divide(x, negate(k))
// CHECK-LABEL: @divide_negated_constant(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<-3.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = xla.divide %arg0, %[[A]] : tensor<4xf32>
// CHECK-NEXT: return %[[B]] :
func.func @divide_negated_constant(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = xla.constant dense<3.0> : tensor<4xf32>
  %1 = xla.negate %x : tensor<4xf32>
  %2 = xla.divide %1, %c0 : tensor<4xf32>
  return %2 : tensor<4xf32>
}

// CHECK-LABEL: @divide_negated_constant_not(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<12> : tensor<4xi32>
// CHECK-NEXT: %[[B:.*]] = xla.negate %arg0 : tensor<4xi32>
// CHECK-NEXT: %[[C:.*]] = xla.divide %[[B]], %[[A]] : tensor<4xi32>
// CHECK-NEXT: return %[[C]] :
func.func @divide_negated_constant_not(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = xla.constant dense<12> : tensor<4xi32>
  %1 = xla.negate %x : tensor<4xi32>
  %2 = xla.divide %1, %c0 : tensor<4xi32>
  return %2 : tensor<4xi32>
}

// remainder(x, 1) = 0
// CHECK-LABEL: @remainder_one(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<0> : tensor<4xi32>
// CHECK-NEXT: return %[[A]] :
func.func @remainder_one(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = xla.constant dense<1> : tensor<4xi32>
  %1 = xla.remainder %x, %c0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// CHECK-LABEL: @remainder_one_not(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<1.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = xla.remainder %arg0, %[[A]] : tensor<4xf32>
// CHECK-NEXT: return %[[B]] :
func.func @remainder_one_not(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = xla.constant dense<1.0> : tensor<4xf32>
  %1 = xla.remainder %x, %c0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// remainder(x, -1) = 0
// CHECK-LABEL: @remainder_minus_one(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<0> : tensor<4xi32>
// CHECK-NEXT: return %[[A]] :
func.func @remainder_minus_one(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = xla.constant dense<-1> : tensor<4xi32>
  %1 = xla.remainder %x, %c0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// CHECK-LABEL: @remainder_minus_one_not(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<-1.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = xla.remainder %arg0, %[[A]] : tensor<4xf32>
// CHECK-NEXT: return %[[B]] :
func.func @remainder_minus_one_not(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = xla.constant dense<-1.0> : tensor<4xf32>
  %1 = xla.remainder %x, %c0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// remainder(x, x) = 0
// CHECK-LABEL: @remainder_same(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<0> : tensor<4xi32>
// CHECK-NEXT: return %[[A]] :
func.func @remainder_same(%x: tensor<4xi32>) -> tensor<4xi32> {
  %0 = xla.remainder %x, %x : tensor<4xi32>
  return %0 : tensor<4xi32>
}

// CHECK-LABEL: @remainder_same_not(
// CHECK-NEXT: %[[A:.*]] = xla.remainder %arg0, %arg0 : tensor<4xf32>
// CHECK-NEXT: return %[[A]] :
func.func @remainder_same_not(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.remainder %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// remainder(x, k) = and(x, subtract(k, 1)) if power_of_two(k)
// CHECK-LABEL: @remainder_unsigned(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<7> : tensor<4xui32>
// CHECK-NEXT: %[[B:.*]] = xla.and %arg0, %[[A]] : tensor<4xui32>
// CHECK-NEXT: return %[[B]] :
func.func @remainder_unsigned(%x: tensor<4xui32>) -> tensor<4xui32> {
  %c0 = xla.constant dense<8> : tensor<4xui32>
  %1 = xla.remainder %x, %c0 : tensor<4xui32>
  return %1 : tensor<4xui32>
}

// CHECK-LABEL: @remainder_unsigned_not(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<6> : tensor<4xui32>
// CHECK-NEXT: %[[B:.*]] = xla.remainder %arg0, %[[A]] : tensor<4xui32>
// CHECK-NEXT: return %[[B]] :
func.func @remainder_unsigned_not(%x: tensor<4xui32>) -> tensor<4xui32> {
  %c0 = xla.constant dense<6> : tensor<4xui32>
  %1 = xla.remainder %x, %c0 : tensor<4xui32>
  return %1 : tensor<4xui32>
}

// CHECK-LABEL: @remainder_unsigned_not_2(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<4> : tensor<4xi32>
// CHECK-NEXT: %[[B:.*]] = xla.remainder %arg0, %[[A]] : tensor<4xi32>
// CHECK-NEXT: return %[[B]] :
func.func @remainder_unsigned_not_2(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = xla.constant dense<4> : tensor<4xi32>
  %1 = xla.remainder %x, %c0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// power(x, 0) = 1
// CHECK-LABEL: @power_zero(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<1> : tensor<4xi32>
// CHECK-NEXT: return %[[A]] :
func.func @power_zero(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = xla.constant dense<0> : tensor<4xi32>
  %1 = xla.power %x, %c0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// CHECK-LABEL: @power_zero_not(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<0.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = xla.power %[[A]], %arg0 : tensor<4xf32>
// CHECK-NEXT: return %[[B]] :
func.func @power_zero_not(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = xla.constant dense<0.0> : tensor<4xf32>
  %1 = xla.power %c0, %x : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// power(x, 1) = x
// CHECK-LABEL: @power_one(
// CHECK-NEXT: return %arg0 :
func.func @power_one(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = xla.constant dense<1> : tensor<4xi32>
  %1 = xla.power %x, %c0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// CHECK-LABEL: @power_one_not(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<5.000000e-01> : tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = xla.power %arg0, %[[A]] : tensor<4xf32>
// CHECK-NEXT: return %[[B]] :
func.func @power_one_not(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = xla.constant dense<0.5> : tensor<4xf32>
  %1 = xla.power %x, %c0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// power(x, 2) = multiply(x, x) if narrow(x)
// CHECK-LABEL: @power_two(
// CHECK-NEXT: %[[A:.*]] = xla.multiply %arg0, %arg0 : tensor<4xf32>
// CHECK-NEXT: return %[[A]] :
func.func @power_two(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = xla.constant dense<2.0> : tensor<4xf32>
  %1 = xla.power %x, %c0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: @power_two_not(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<2.000000e+00> : tensor<4xf64>
// CHECK-NEXT: %[[B:.*]] = xla.power %arg0, %[[A]] : tensor<4xf64>
// CHECK-NEXT: return %[[B]] :
func.func @power_two_not(%x: tensor<4xf64>) -> tensor<4xf64> {
  %c0 = xla.constant dense<2.0> : tensor<4xf64>
  %1 = xla.power %x, %c0 : tensor<4xf64>
  return %1 : tensor<4xf64>
}

// CHECK-LABEL: @power_two_not_2(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<3.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = xla.power %arg0, %[[A]] : tensor<4xf32>
// CHECK-NEXT: return %[[B]] :
func.func @power_two_not_2(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = xla.constant dense<3.0> : tensor<4xf32>
  %1 = xla.power %x, %c0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// power(1, x) = 1
// CHECK-LABEL: @one_power(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<1.000000e+00> : tensor<4xf32>
// CHECK-NEXT: return %[[A]] :
func.func @one_power(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = xla.constant dense<1.0> : tensor<4xf32>
  %1 = xla.power %c0, %x : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: @one_power_not(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<2.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = xla.power %[[A]], %arg0 : tensor<4xf32>
// CHECK-NEXT: return %[[B]] :
func.func @one_power_not(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = xla.constant dense<2.0> : tensor<4xf32>
  %1 = xla.power %c0, %x : tensor<4xf32>
  return %1 : tensor<4xf32>
}
