// RUN: xla-opt %s --xla-simplify-algebra | FileCheck %s

// abs(x) = x if nonnegative(x)
// CHECK-LABEL: @abs_nonnegative(
// CHECK-NEXT: %[[A:.*]] = xla.abs %arg0 : tensor<4xi32>
// CHECK-NEXT: return %[[A]] :
func.func @abs_nonnegative(%x: tensor<4xi32>) -> tensor<4xi32> {
  %0 = xla.abs %x : tensor<4xi32>
  %1 = xla.abs %0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// CHECK-LABEL: @abs_nonnegative_2(
// CHECK-NEXT: %[[A:.*]] = xla.exponential %arg0 : tensor<4xf32>
// CHECK-NEXT: return %[[A]] :
func.func @abs_nonnegative_2(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.exponential %x : tensor<4xf32>
  %1 = xla.abs %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: @abs_nonnegative_3(
// CHECK-NEXT: %[[A:.*]] = xla.multiply %arg0, %arg0 : tensor<4xf32>
// CHECK-NEXT: return %[[A]] :
func.func @abs_nonnegative_3(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.multiply %x, %x : tensor<4xf32>
  %1 = xla.abs %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: @abs_nonnegative_not(
// CHECK-NEXT: %[[A:.*]] = xla.sine %arg0 : tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = xla.abs %[[A]] : tensor<4xf32>
// CHECK-NEXT: return %[[B]] :
func.func @abs_nonnegative_not(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.sine %x : tensor<4xf32>
  %1 = xla.abs %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: @abs_nonnegative_not_2(
// CHECK-NEXT: %[[A:.*]] = xla.multiply %arg0, %arg0 : tensor<4xi32>
// CHECK-NEXT: %[[B:.*]] = xla.abs %[[A]] : tensor<4xi32>
// CHECK-NEXT: return %[[B]] :
func.func @abs_nonnegative_not_2(%x: tensor<4xi32>) -> tensor<4xi32> {
  %0 = xla.multiply %x, %x : tensor<4xi32>
  %1 = xla.abs %0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// CHECK-LABEL: @abs_nonnegative_not_3(
// CHECK-NEXT: %[[A:.*]] = xla.sqrt %arg0 : tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = xla.abs %[[A]] : tensor<4xf32>
// CHECK-NEXT: return %[[B]] :
func.func @abs_nonnegative_not_3(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.sqrt %x : tensor<4xf32>
  %1 = xla.abs %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// abs(negate(x)) = abs(x)
// CHECK-LABEL: @abs_negated(
// CHECK-NEXT: %[[A:.*]] = xla.abs %arg0 : tensor<4xi32>
// CHECK-NEXT: return %[[A]] :
func.func @abs_negated(%x: tensor<4xi32>) -> tensor<4xi32> {
  %0 = xla.negate %x : tensor<4xi32>
  %1 = xla.abs %0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// CHECK-LABEL: @abs_negated_not(
// CHECK-NEXT: %[[A:.*]] = xla.floor %arg0 : tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = xla.abs %[[A]] : tensor<4xf32>
// CHECK-NEXT: return %[[B]] :
func.func @abs_negated_not(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.floor %x : tensor<4xf32>
  %1 = xla.abs %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// sign(sign(x)) = sign(x)
// CHECK-LABEL: @sign_sign(
// CHECK-NEXT: %[[A:.*]] = xla.sign %arg0 : tensor<4xi32>
// CHECK-NEXT: return %[[A]] :
func.func @sign_sign(%x: tensor<4xi32>) -> tensor<4xi32> {
  %0 = xla.sign %x : tensor<4xi32>
  %1 = xla.sign %0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// CHECK-LABEL: @sign_sign_not(
// CHECK-NEXT: %[[A:.*]] = xla.sign %arg0 : tensor<4xcomplex<f32>>
// CHECK-NEXT: %[[B:.*]] = xla.sign %[[A]] : tensor<4xcomplex<f32>>
// CHECK-NEXT: return %[[B]] :
func.func @sign_sign_not(%x: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %0 = xla.sign %x : tensor<4xcomplex<f32>>
  %1 = xla.sign %0 : tensor<4xcomplex<f32>>
  return %1 : tensor<4xcomplex<f32>>
}

// floor(x) = x if integral(x)
// CHECK-LABEL: @floor_integral(
// CHECK-NEXT: %[[A:.*]] = xla.ceil %arg0 : tensor<4xf32>
// CHECK-NEXT: return %[[A]] :
func.func @floor_integral(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.ceil %x : tensor<4xf32>
  %1 = xla.floor %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: @floor_integral_2(
// CHECK-NEXT: %[[A:.*]] = xla.convert %arg0 : (tensor<4xi32>) -> tensor<4xf32>
// CHECK-NEXT: return %[[A]] :
func.func @floor_integral_2(%x: tensor<4xi32>) -> tensor<4xf32> {
  %0 = xla.convert %x : (tensor<4xi32>) -> tensor<4xf32>
  %1 = xla.floor %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: @floor_integral_not(
// CHECK-NEXT: %[[A:.*]] = xla.multiply %arg0, %arg0 : tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = xla.floor %[[A]] : tensor<4xf32>
// CHECK-NEXT: return %[[B]] :
func.func @floor_integral_not(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.multiply %x, %x : tensor<4xf32>
  %1 = xla.floor %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// ceil(x) = x if integral(x)
// CHECK-LABEL: @ceil_integral(
// CHECK-NEXT: %[[A:.*]] = xla.round_nearest_even %arg0 : tensor<4xf32>
// CHECK-NEXT: return %[[A]] :
func.func @ceil_integral(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.round_nearest_even %x : tensor<4xf32>
  %1 = xla.ceil %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: @ceil_integral_not(
// CHECK-NEXT: %[[A:.*]] = xla.convert %arg0 : (tensor<4xf16>) -> tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = xla.ceil %[[A]] : tensor<4xf32>
// CHECK-NEXT: return %[[B]] :
func.func @ceil_integral_not(%x: tensor<4xf16>) -> tensor<4xf32> {
  %0 = xla.convert %x : (tensor<4xf16>) -> tensor<4xf32>
  %1 = xla.ceil %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// round_nearest_afz(x) = x if integral(x)
// CHECK-LABEL: @round_afz_integral(
// CHECK-NEXT: %[[A:.*]] = xla.sign %arg0 : tensor<4xf32>
// CHECK-NEXT: return %[[A]] :
func.func @round_afz_integral(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.sign %x : tensor<4xf32>
  %1 = xla.round_nearest_afz %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: @round_afz_integral_not(
// CHECK-NEXT: %[[A:.*]] = xla.abs %arg0 : tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = xla.round_nearest_afz %[[A]] : tensor<4xf32>
// CHECK-NEXT: return %[[B]] :
func.func @round_afz_integral_not(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.abs %x : tensor<4xf32>
  %1 = xla.round_nearest_afz %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// round_nearest_even(x) = x if integral(x)
// CHECK-LABEL: @round_even_integral(
// CHECK-NEXT: %[[A:.*]] = xla.floor %arg0 : tensor<4xf32>
// CHECK-NEXT: return %[[A]] :
func.func @round_even_integral(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.floor %x : tensor<4xf32>
  %1 = xla.round_nearest_even %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: @round_even_integral_not(
// CHECK-NEXT: %[[A:.*]] = xla.sqrt %arg0 : tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = xla.round_nearest_even %[[A]] : tensor<4xf32>
// CHECK-NEXT: return %[[B]] :
func.func @round_even_integral_not(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.sqrt %x : tensor<4xf32>
  %1 = xla.round_nearest_even %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// is_finite(x) = true if finite(x)
// CHECK-LABEL: @is_finite_converted(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<true> : tensor<4xi1>
// CHECK-NEXT: return %[[A]] :
func.func @is_finite_converted(%x: tensor<4xi32>) -> tensor<4xi1> {
  %0 = xla.convert %x : (tensor<4xi32>) -> tensor<4xf32>
  %1 = xla.is_finite %0 : (tensor<4xf32>) -> tensor<4xi1>
  return %1 : tensor<4xi1>
}

// CHECK-LABEL: @is_finite_converted_not(
// CHECK-NEXT: %[[A:.*]] = xla.convert %arg0 : (tensor<4xi32>) -> tensor<4xf16>
// CHECK-NEXT: %[[B:.*]] = xla.is_finite %[[A]] : (tensor<4xf16>) -> tensor<4xi1>
// CHECK-NEXT: return %[[B]] :
func.func @is_finite_converted_not(%x: tensor<4xi32>) -> tensor<4xi1> {
  %0 = xla.convert %x : (tensor<4xi32>) -> tensor<4xf16>
  %1 = xla.is_finite %0 : (tensor<4xf16>) -> tensor<4xi1>
  return %1 : tensor<4xi1>
}

// CHECK-LABEL: @is_finite_converted_not_2(
// CHECK-NEXT: %[[A:.*]] = xla.convert %arg0 : (tensor<4xf16>) -> tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = xla.is_finite %[[A]] : (tensor<4xf32>) -> tensor<4xi1>
// CHECK-NEXT: return %[[B]] :
func.func @is_finite_converted_not_2(%x: tensor<4xf16>) -> tensor<4xi1> {
  %0 = xla.convert %x : (tensor<4xf16>) -> tensor<4xf32>
  %1 = xla.is_finite %0 : (tensor<4xf32>) -> tensor<4xi1>
  return %1 : tensor<4xi1>
}

// real(complex(x, y)) = x
// CHECK-LABEL: @real_complex(
// CHECK-NEXT: return %arg0 :
func.func @real_complex(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.complex %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xcomplex<f32>>
  %1 = xla.real %0 : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: @real_complex_not(
// CHECK-NEXT: %[[A:.*]] = xla.complex %arg0, %arg1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xcomplex<f32>>
// CHECK-NEXT: %[[B:.*]] = xla.negate %[[A]] : tensor<4xcomplex<f32>>
// CHECK-NEXT: %[[C:.*]] = xla.real %[[B]] : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
// CHECK-NEXT: return %[[C]] :
func.func @real_complex_not(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.complex %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xcomplex<f32>>
  %1 = xla.negate %0 : tensor<4xcomplex<f32>>
  %2 = xla.real %1 : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// imag(complex(x, y)) = y
// CHECK-LABEL: @imag_complex(
// CHECK-NEXT: return %arg1 :
func.func @imag_complex(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.complex %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xcomplex<f32>>
  %1 = xla.imag %0 : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: @imag_complex_not(
// CHECK-NEXT: %[[A:.*]] = xla.complex %arg0, %arg1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xcomplex<f32>>
// CHECK-NEXT: %[[B:.*]] = xla.negate %[[A]] : tensor<4xcomplex<f32>>
// CHECK-NEXT: %[[C:.*]] = xla.imag %[[B]] : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
// CHECK-NEXT: return %[[C]] :
func.func @imag_complex_not(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.complex %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xcomplex<f32>>
  %1 = xla.negate %0 : tensor<4xcomplex<f32>>
  %2 = xla.imag %1 : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// complex(real(x), imag(x)) = x
// CHECK-LABEL: @complex_parts(
// CHECK-NEXT: return %arg0 :
func.func @complex_parts(%x: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %0 = xla.imag %x : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  %1 = xla.real %x : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  %2 = xla.complex %1, %0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xcomplex<f32>>
  return %2 : tensor<4xcomplex<f32>>
}

// CHECK-LABEL: @complex_parts_not(
// CHECK-NEXT: %[[A:.*]] = xla.real %arg0 : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = xla.imag %arg0 : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
// CHECK-NEXT: %[[C:.*]] = xla.complex %[[B]], %[[A]] : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xcomplex<f32>>
// CHECK-NEXT: return %[[C]] :
func.func @complex_parts_not(%x: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %0 = xla.real %x : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  %1 = xla.imag %x : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  %2 = xla.complex %1, %0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xcomplex<f32>>
  return %2 : tensor<4xcomplex<f32>>
}

// real(x) = x
// CHECK-LABEL: @real_real(
// CHECK-NEXT: return %arg0 :
func.func @real_real(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.real %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @real_real_not(
// CHECK-NEXT: %[[A:.*]] = xla.real %arg0 : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
// CHECK-NEXT: return %[[A]] :
func.func @real_real_not(%x: tensor<4xcomplex<f32>>) -> tensor<4xf32> {
  %0 = xla.real %x : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// imag(x) = 0
// CHECK-LABEL: @imag_real(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<0.000000e+00> : tensor<4xf32>
// CHECK-NEXT: return %[[A]] :
func.func @imag_real(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.imag %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @imag_real_not(
// CHECK-NEXT: %[[A:.*]] = xla.imag %arg0 : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
// CHECK-NEXT: return %[[A]] :
func.func @imag_real_not(%x: tensor<4xcomplex<f32>>) -> tensor<4xf32> {
  %0 = xla.imag %x : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
