// RUN: xla-opt %s --xla-simplify-algebra | FileCheck %s

// maximum(x, x) = x
// CHECK-LABEL: @maximum_same(
// CHECK-NEXT: return %arg0 :
func.func @maximum_same(%x: tensor<4xi32>) -> tensor<4xi32> {
  %0 = xla.maximum %x, %x : tensor<4xi32>
  return %0 : tensor<4xi32>
}

// CHECK-LABEL: @maximum_same_not(
// CHECK-NEXT: %[[A:.*]] = xla.maximum %arg0, %arg1 : tensor<4xf32>
// CHECK-NEXT: return %[[A]] :
func.func @maximum_same_not(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.maximum %x, %y : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @maximum_same_not_2(
// CHECK-NEXT: %[[A:.*]] = xla.maximum %arg0, %arg0 : tensor<4xcomplex<f32>>
// CHECK-NEXT: return %[[A]] :
func.func @maximum_same_not_2(%x: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %0 = xla.maximum %x, %x : tensor<4xcomplex<f32>>
  return %0 : tensor<4xcomplex<f32>>
}

// minimum(x, x) = x
// CHECK-LABEL: @minimum_same(
// CHECK-NEXT: return %arg0 :
func.func @minimum_same(%x: tensor<4xi32>) -> tensor<4xi32> {
  %0 = xla.minimum %x, %x : tensor<4xi32>
  return %0 : tensor<4xi32>
}

// CHECK-LABEL: @minimum_same_not(
// CHECK-NEXT: %[[A:.*]] = xla.minimum %arg0, %arg1 : tensor<4xf32>
// CHECK-NEXT: return %[[A]] :
func.func @minimum_same_not(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.minimum %x, %y : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @minimum_same_not_2(
// CHECK-NEXT: %[[A:.*]] = xla.minimum %arg0, %arg0 : tensor<4xcomplex<f32>>
// CHECK-NEXT: return %[[A]] :
func.func @minimum_same_not_2(%x: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %0 = xla.minimum %x, %x : tensor<4xcomplex<f32>>
  return %0 : tensor<4xcomplex<f32>>
}

// maximum(x, min) = x
// CHECK-LABEL: @maximum_least(
// CHECK-NEXT: return %arg0 :
func.func @maximum_least(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = xla.constant dense<-2147483648> : tensor<4xi32>
  %1 = xla.maximum %x, %c0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// CHECK-LABEL: @maximum_least_not(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<0x7F800000> : tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = xla.maximum %arg0, %[[A]] : tensor<4xf32>
// CHECK-NEXT: return %[[B]] :
func.func @maximum_least_not(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = xla.constant dense<0x7F800000> : tensor<4xf32>
  %1 = xla.maximum %x, %c0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// minimum(x, max) = x
// CHECK-LABEL: @minimum_greatest(
// CHECK-NEXT: return %arg0 :
func.func @minimum_greatest(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = xla.constant dense<2147483647> : tensor<4xi32>
  %1 = xla.minimum %x, %c0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// CHECK-LABEL: @minimum_greatest_not(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<0xFF800000> : tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = xla.minimum %arg0, %[[A]] : tensor<4xf32>
// CHECK-NEXT: return %[[B]] :
func.func @minimum_greatest_not(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = xla.constant dense<0xFF800000> : tensor<4xf32>
  %1 = xla.minimum %x, %c0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// maximum(x, max) = max
// CHECK-LABEL: @maximum_greatest(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<2147483647> : tensor<4xi32>
// CHECK-NEXT: return %[[A]] :
func.func @maximum_greatest(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = xla.constant dense<2147483647> : tensor<4xi32>
  %1 = xla.maximum %x, %c0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// CHECK-LABEL: @maximum_greatest_not(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<0x7F800000> : tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = xla.maximum %arg0, %[[A]] : tensor<4xf32>
// CHECK-NEXT: return %[[B]] :
func.func @maximum_greatest_not(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = xla.constant dense<0x7F800000> : tensor<4xf32>
  %1 = xla.maximum %x, %c0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// minimum(x, min) = min
// CHECK-LABEL: @minimum_least(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<-2147483648> : tensor<4xi32>
// CHECK-NEXT: return %[[A]] :
func.func @minimum_least(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = xla.constant dense<-2147483648> : tensor<4xi32>
  %1 = xla.minimum %x, %c0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// CHECK-LABEL: @minimum_least_not(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<0xFF800000> : tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = xla.minimum %arg0, %[[A]] : tensor<4xf32>
// CHECK-NEXT: return %[[B]] :
func.func @minimum_least_not(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = xla.constant dense<0xFF800000> : tensor<4xf32>
  %1 = xla.minimum %x, %c0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// maximum(y, maximum(x, y)) = maximum(x, y)
// CHECK-LABEL: @maximum_again(
// CHECK-NEXT: %[[A:.*]] = xla.maximum %arg0, %arg1 : tensor<4xi32>
// CHECK-NEXT: return %[[A]] :
func.func @maximum_again(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %0 = xla.maximum %x, %y : tensor<4xi32>
  %1 = xla.maximum %y, %0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// CHECK-LABEL: @maximum_again_not(
// CHECK-NEXT: %[[A:.*]] = xla.minimum %arg0, %arg1 : tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = xla.maximum %arg1, %[[A]] : tensor<4xf32>
// CHECK-NEXT: return %[[B]] :
func.func @maximum_again_not(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.minimum %x, %y : tensor<4xf32>
  %1 = xla.maximum %y, %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// minimum(y, minimum(x, y)) = minimum(x, y)
// CHECK-LABEL: @minimum_again(
// CHECK-NEXT: %[[A:.*]] = xla.minimum %arg0, %arg1 : tensor<4xi32>
// CHECK-NEXT: return %[[A]] :
func.func @minimum_again(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %0 = xla.minimum %x, %y : tensor<4xi32>
  %1 = xla.minimum %y, %0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// CHECK-LABEL: @minimum_again_not(
// CHECK-NEXT: %[[A:.*]] = xla.maximum %arg0, %arg1 : tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = xla.minimum %arg1, %[[A]] : tensor<4xf32>
// CHECK-NEXT: return %[[B]] :
func.func @minimum_again_not(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.maximum %x, %y : tensor<4xf32>
  %1 = xla.minimum %y, %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// maximum(maximum(x, k), m) = maximum(x, maximum(k, m))
// CHECK-LABEL: @maximum_constants(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<12> : tensor<4xi32>
// CHECK-NEXT: %[[B:.*]] = xla.maximum %arg0, %[[A]] : tensor<4xi32>
// CHECK-NEXT: return %[[B]] :
func.func @maximum_constants(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = xla.constant dense<5> : tensor<4xi32>
  %c1 = xla.constant dense<12> : tensor<4xi32>
  %2 = xla.maximum %x, %c1 : tensor<4xi32>
  %3 = xla.maximum %2, %c0 : tensor<4xi32>
  return %3 : tensor<4xi32>
}

// CHECK-LABEL: @maximum_constants_not(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<8.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = xla.constant dense<4.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[C:.*]] = xla.minimum %arg0, %[[B]] : tensor<4xf32>
// CHECK-NEXT: %[[D:.*]] = xla.maximum %[[C]], %[[A]] : tensor<4xf32>
// CHECK-NEXT: return %[[D]] :
func.func @maximum_constants_not(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = xla.constant dense<8.0> : tensor<4xf32>
  %c1 = xla.constant dense<4.0> : tensor<4xf32>
  %2 = xla.minimum %x, %c1 : tensor<4xf32>
  %3 = xla.maximum %2, %c0 : tensor<4xf32>
  return %3 : tensor<4xf32>
}

// minimum(minimum(x, k), m) = minimum(x, minimum(k, m))
// CHECK-LABEL: @minimum_constants(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<5> : tensor<4xi32>
// CHECK-NEXT: %[[B:.*]] = xla.minimum %arg0, %[[A]] : tensor<4xi32>
// CHECK-NEXT: return %[[B]] :
func.func @minimum_constants(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = xla.constant dense<5> : tensor<4xi32>
  %c1 = xla.constant dense<12> : tensor<4xi32>
  %2 = xla.minimum %x, %c1 : tensor<4xi32>
  %3 = xla.minimum %2, %c0 : tensor<4xi32>
  return %3 : tensor<4xi32>
}

// CHECK-LABEL: @minimum_constants_not(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<8.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = xla.constant dense<4.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[C:.*]] = xla.maximum %arg0, %[[B]] : tensor<4xf32>
// CHECK-NEXT: %[[D:.*]] = xla.minimum %[[C]], %[[A]] : tensor<4xf32>
// CHECK-NEXT: return %[[D]] :
func.func @minimum_constants_not(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = xla.constant dense<8.0> : tensor<4xf32>
  %c1 = xla.constant dense<4.0> : tensor<4xf32>
  %2 = xla.maximum %x, %c1 : tensor<4xf32>
  %3 = xla.minimum %2, %c0 : tensor<4xf32>
  return %3 : tensor<4xf32>
}

// maximum(x, minimum(x, y)) = x
// CHECK-LABEL: @maximum_absorbs(
// CHECK-NEXT: return %arg0 :
func.func @maximum_absorbs(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %0 = xla.minimum %x, %y : tensor<4xi32>
  %1 = xla.maximum %x, %0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// CHECK-LABEL: @maximum_absorbs_not(
// CHECK-NEXT: %[[A:.*]] = xla.minimum %arg0, %arg1 : tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = xla.maximum %arg0, %[[A]] : tensor<4xf32>
// CHECK-NEXT: return %[[B]] :
func.func @maximum_absorbs_not(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.minimum %x, %y : tensor<4xf32>
  %1 = xla.maximum %x, %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// minimum(x, maximum(x, y)) = x
// CHECK-LABEL: @minimum_absorbs(
// CHECK-NEXT: return %arg0 :
func.func @minimum_absorbs(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %0 = xla.maximum %x, %y : tensor<4xi32>
  %1 = xla.minimum %x, %0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// CHECK-LABEL: @minimum_absorbs_not(
// CHECK-NEXT: %[[A:.*]] = xla.maximum %arg0, %arg1 : tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = xla.minimum %arg0, %[[A]] : tensor<4xf32>
// CHECK-NEXT: return %[[B]] :
func.func @minimum_absorbs_not(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.maximum %x, %y : tensor<4xf32>
  %1 = xla.minimum %x, %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// clamp(k, x, k) = k
// CHECK-LABEL: @clamp_equal(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<12> : tensor<4xi32>
// CHECK-NEXT: return %[[A]] :
func.func @clamp_equal(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = xla.constant dense<12> : tensor<4xi32>
  %c1 = xla.constant dense<12> : tensor<4xi32>
  %2 = xla.clamp %c1, %x, %c0 : tensor<4xi32>
  return %2 : tensor<4xi32>
}

// CHECK-LABEL: @clamp_equal_not(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<4.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = xla.constant dense<4.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[C:.*]] = xla.clamp %[[B]], %arg0, %[[A]] : tensor<4xf32>
// CHECK-NEXT: return %[[C]] :
func.func @clamp_equal_not(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = xla.constant dense<4.0> : tensor<4xf32>
  %c1 = xla.constant dense<4.0> : tensor<4xf32>
  %2 = xla.clamp %c1, %x, %c0 : tensor<4xf32>
  return %2 : tensor<4xf32>
}

// clamp(min, x, y) = minimum(x, y)
// CHECK-LABEL: @clamp_below(
// CHECK-NEXT: %[[A:.*]] = xla.minimum %arg0, %arg1 : tensor<4xi32>
// CHECK-NEXT: return %[[A]] :
func.func @clamp_below(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = xla.constant dense<-2147483648> : tensor<4xi32>
  %1 = xla.clamp %c0, %x, %y : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// CHECK-LABEL: @clamp_below_not(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<0x7F800000> : tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = xla.clamp %[[A]], %arg0, %arg1 : tensor<4xf32>
// CHECK-NEXT: return %[[B]] :
func.func @clamp_below_not(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = xla.constant dense<0x7F800000> : tensor<4xf32>
  %1 = xla.clamp %c0, %x, %y : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// clamp(x, y, max) = maximum(x, y)
// CHECK-LABEL: @clamp_above(
// CHECK-NEXT: %[[A:.*]] = xla.maximum %arg0, %arg1 : tensor<4xi32>
// CHECK-NEXT: return %[[A]] :
func.func @clamp_above(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = xla.constant dense<2147483647> : tensor<4xi32>
  %1 = xla.clamp %x, %y, %c0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// CHECK-LABEL: @clamp_above_not(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<0xFF800000> : tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = xla.clamp %arg0, %arg1, %[[A]] : tensor<4xf32>
// CHECK-NEXT: return %[[B]] :
func.func @clamp_above_not(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = xla.constant dense<0xFF800000> : tensor<4xf32>
  %1 = xla.clamp %x, %y, %c0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// clamp(x, clamp(x, y, z), z) = clamp(x, y, z)
// CHECK-LABEL: @clamp_again(
// CHECK-NEXT: %[[A:.*]] = xla.clamp %arg0, %arg1, %arg2 : tensor<4xi32>
// CHECK-NEXT: return %[[A]] :
func.func @clamp_again(%x: tensor<4xi32>, %y: tensor<4xi32>, %z: tensor<4xi32>) -> tensor<4xi32> {
  %0 = xla.clamp %x, %y, %z : tensor<4xi32>
  %1 = xla.clamp %x, %0, %z : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// CHECK-LABEL: @clamp_again_not(
// CHECK-NEXT: %[[A:.*]] = xla.clamp %arg2, %arg1, %arg0 : tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = xla.clamp %arg0, %[[A]], %arg2 : tensor<4xf32>
// CHECK-NEXT: return %[[B]] :
func.func @clamp_again_not(%x: tensor<4xf32>, %y: tensor<4xf32>, %z: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.clamp %z, %y, %x : tensor<4xf32>
  %1 = xla.clamp %x, %0, %z : tensor<4xf32>
  return %1 : tensor<4xf32>
}
