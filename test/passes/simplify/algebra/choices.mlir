// RUN: xla-opt %s --xla-simplify-algebra | FileCheck %s

// select(c, x, x) = x
// CHECK-LABEL: @select_same(
// CHECK-NEXT: return %arg1 :
func.func @select_same(%c: tensor<4xi1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.select %c, %x, %x : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @select_same_not(
// CHECK-NEXT: %[[A:.*]] = xla.select %arg0, %arg1, %arg2 : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: return %[[A]] :
func.func @select_same_not(%c: tensor<4xi1>, %x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.select %c, %x, %y : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// select(true, x, y) = x
// CHECK-LABEL: @select_true(
// CHECK-NEXT: return %arg0 :
func.func @select_true(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = xla.constant dense<true> : tensor<4xi1>
  %1 = xla.select %c0, %x, %y : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: @select_true_not(
// CHECK-NEXT: %[[A:.*]] = xla.select %arg0, %arg1, %arg2 : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: return %[[A]] :
func.func @select_true_not(%c: tensor<4xi1>, %x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.select %c, %x, %y : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// select(false, x, y) = y
// CHECK-LABEL: @select_false(
// CHECK-NEXT: return %arg1 :
func.func @select_false(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = xla.constant dense<false> : tensor<4xi1>
  %1 = xla.select %c0, %x, %y : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: @select_false_not(
// CHECK-NEXT: %[[A:.*]] = xla.select %arg0, %arg1, %arg2 : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: return %[[A]] :
func.func @select_false_not(%c: tensor<4xi1>, %x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.select %c, %x, %y : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// select(c, true, false) = c
// CHECK-LABEL: @select_identity(
// CHECK-NEXT: return %arg0 :
func.func @select_identity(%c: tensor<4xi1>) -> tensor<4xi1> {
  %c0 = xla.constant dense<false> : tensor<4xi1>
  %c1 = xla.constant dense<true> : tensor<4xi1>
  %2 = xla.select %c, %c1, %c0 : tensor<4xi1>
  return %2 : tensor<4xi1>
}

// CHECK-LABEL: @select_identity_not(
// CHECK-NEXT: %[[A:.*]] = xla.or %arg0, %arg1 : tensor<4xi1>
// CHECK-NEXT: return %[[A]] :
func.func @select_identity_not(%c: tensor<4xi1>, %x: tensor<4xi1>) -> tensor<4xi1> {
  %c0 = xla.constant dense<true> : tensor<4xi1>
  %1 = xla.select %c, %c0, %x : tensor<4xi1>
  return %1 : tensor<4xi1>
}

// select(c, false, true) = not(c)
// CHECK-LABEL: @select_inverse(
// CHECK-NEXT: %[[A:.*]] = xla.not %arg0 : tensor<4xi1>
// CHECK-NEXT: return %[[A]] :
func.func @select_inverse(%c: tensor<4xi1>) -> tensor<4xi1> {
  %c0 = xla.constant dense<true> : tensor<4xi1>
  %c1 = xla.constant dense<false> : tensor<4xi1>
  %2 = xla.select %c, %c1, %c0 : tensor<4xi1>
  return %2 : tensor<4xi1>
}

// CHECK-LABEL: @select_inverse_not(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<false> : tensor<4xi1>
// CHECK-NEXT: %[[B:.*]] = xla.select %arg0, %[[A]], %arg1 : tensor<4xi1>
// CHECK-NEXT: return %[[B]] :
func.func @select_inverse_not(%c: tensor<4xi1>, %x: tensor<4xi1>) -> tensor<4xi1> {
  %c0 = xla.constant dense<false> : tensor<4xi1>
  %1 = xla.select %c, %c0, %x : tensor<4xi1>
  return %1 : tensor<4xi1>
}

// select(c, x, false) = and(c, x)
// CHECK-LABEL: @select_and(
// CHECK-NEXT: %[[A:.*]] = xla.and %arg0, %arg1 : tensor<4xi1>
// CHECK-NEXT: return %[[A]] :
func.func @select_and(%c: tensor<4xi1>, %x: tensor<4xi1>) -> tensor<4xi1> {
  %c0 = xla.constant dense<false> : tensor<4xi1>
  %1 = xla.select %c, %x, %c0 : tensor<4xi1>
  return %1 : tensor<4xi1>
}

// CHECK-LABEL: @select_and_not(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<true> : tensor<4xi1>
// CHECK-NEXT: %[[B:.*]] = xla.select %arg0, %arg1, %[[A]] : tensor<4xi1>
// CHECK-NEXT: return %[[B]] :
func.func @select_and_not(%c: tensor<4xi1>, %x: tensor<4xi1>) -> tensor<4xi1> {
  %c0 = xla.constant dense<true> : tensor<4xi1>
  %1 = xla.select %c, %x, %c0 : tensor<4xi1>
  return %1 : tensor<4xi1>
}

// select(c, true, x) = or(c, x)
// CHECK-LABEL: @select_or(
// CHECK-NEXT: %[[A:.*]] = xla.or %arg0, %arg1 : tensor<4xi1>
// CHECK-NEXT: return %[[A]] :
func.func @select_or(%c: tensor<4xi1>, %x: tensor<4xi1>) -> tensor<4xi1> {
  %c0 = xla.constant dense<true> : tensor<4xi1>
  %1 = xla.select %c, %c0, %x : tensor<4xi1>
  return %1 : tensor<4xi1>
}

// CHECK-LABEL: @select_or_not(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<false> : tensor<4xi1>
// CHECK-NEXT: %[[B:.*]] = xla.select %arg0, %[[A]], %arg1 : tensor<4xi1>
// CHECK-NEXT: return %[[B]] :
func.func @select_or_not(%c: tensor<4xi1>, %x: tensor<4xi1>) -> tensor<4xi1> {
  %c0 = xla.constant dense<false> : tensor<4xi1>
  %1 = xla.select %c, %c0, %x : tensor<4xi1>
  return %1 : tensor<4xi1>
}

// select(not(c), x, y) = select(c, y, x)
// CHECK-LABEL: @select_not(
// CHECK-NEXT: %[[A:.*]] = xla.select %arg0, %arg2, %arg1 : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: return %[[A]] :
func.func @select_not(%c: tensor<4xi1>, %x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.not %c : tensor<4xi1>
  %1 = xla.select %0, %x, %y : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: @select_not_not(
// CHECK-NEXT: %[[A:.*]] = xla.and %arg0, %arg1 : tensor<4xi1>
// CHECK-NEXT: %[[B:.*]] = xla.select %[[A]], %arg2, %arg3 : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: return %[[B]] :
func.func @select_not_not(%c: tensor<4xi1>, %d: tensor<4xi1>, %x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.and %c, %d : tensor<4xi1>
  %1 = xla.select %0, %x, %y : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// select(c, select(c, x, y), z) = select(c, x, z)
// CHECK-LABEL: @select_true_again(
// CHECK-NEXT: %[[A:.*]] = xla.select %arg0, %arg1, %arg3 : (tensor<4xi1>, tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
// CHECK-NEXT: return %[[A]] :
func.func @select_true_again(%c: tensor<4xi1>, %x: tensor<4xi32>, %y: tensor<4xi32>, %z: tensor<4xi32>) -> tensor<4xi32> {
  %0 = xla.select %c, %x, %y : (tensor<4xi1>, tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %1 = xla.select %c, %0, %z : (tensor<4xi1>, tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %1 : tensor<4xi32>
}

// CHECK-LABEL: @select_true_again_not(
// CHECK-NEXT: %[[A:.*]] = xla.select %arg1, %arg2, %arg3 : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = xla.select %arg0, %[[A]], %arg4 : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: return %[[B]] :
func.func @select_true_again_not(%c: tensor<4xi1>, %d: tensor<4xi1>, %x: tensor<4xf32>, %y: tensor<4xf32>, %z: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.select %d, %x, %y : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = xla.select %c, %0, %z : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// select(c, x, select(c, y, z)) = select(c, x, z)
// CHECK-LABEL: @select_false_again(
// CHECK-NEXT: %[[A:.*]] = xla.select %arg0, %arg1, %arg3 : (tensor<4xi1>, tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
// CHECK-NEXT: return %[[A]] :
func.func @select_false_again(%c: tensor<4xi1>, %x: tensor<4xi32>, %y: tensor<4xi32>, %z: tensor<4xi32>) -> tensor<4xi32> {
  %0 = xla.select %c, %y, %z : (tensor<4xi1>, tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %1 = xla.select %c, %x, %0 : (tensor<4xi1>, tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %1 : tensor<4xi32>
}

// CHECK-LABEL: @select_false_again_not(
// CHECK-NEXT: %[[A:.*]] = xla.select %arg1, %arg3, %arg4 : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = xla.select %arg0, %arg2, %[[A]] : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: return %[[B]] :
func.func @select_false_again_not(%c: tensor<4xi1>, %d: tensor<4xi1>, %x: tensor<4xf32>, %y: tensor<4xf32>, %z: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.select %d, %y, %z : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = xla.select %c, %x, %0 : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// select(eq(x, y), x, y) = y
// CHECK-LABEL: @select_eq(
// CHECK-NEXT: return %arg1 :
func.func @select_eq(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %0 = xla.compare %x, %y {comparison_direction = "EQ"} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %1 = xla.select %0, %x, %y : (tensor<4xi1>, tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %1 : tensor<4xi32>
}

// CHECK-LABEL: @select_eq_not(
// CHECK-NEXT: %[[A:.*]] = xla.compare %arg0, %arg1 {comparison_direction = "EQ"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
// CHECK-NEXT: %[[B:.*]] = xla.select %[[A]], %arg0, %arg1 : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: return %[[B]] :
func.func @select_eq_not(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.compare %x, %y {comparison_direction = "EQ"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %1 = xla.select %0, %x, %y : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// select(ne(x, y), x, y) = x
// CHECK-LABEL: @select_ne(
// CHECK-NEXT: return %arg0 :
func.func @select_ne(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %0 = xla.compare %x, %y {comparison_direction = "NE"} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %1 = xla.select %0, %x, %y : (tensor<4xi1>, tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %1 : tensor<4xi32>
}

// CHECK-LABEL: @select_ne_not(
// CHECK-NEXT: %[[A:.*]] = xla.compare %arg0, %arg1 {comparison_direction = "NE"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
// CHECK-NEXT: %[[B:.*]] = xla.select %[[A]], %arg0, %arg1 : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: return %[[B]] :
func.func @select_ne_not(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.compare %x, %y {comparison_direction = "NE"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %1 = xla.select %0, %x, %y : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// select(ge(x, y), x, y) = maximum(x, y)
// CHECK-LABEL: @select_ge(
// CHECK-NEXT: %[[A:.*]] = xla.maximum %arg0, %arg1 : tensor<4xi32>
// CHECK-NEXT: return %[[A]] :
func.func @select_ge(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %0 = xla.compare %x, %y {comparison_direction = "GE"} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %1 = xla.select %0, %x, %y : (tensor<4xi1>, tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %1 : tensor<4xi32>
}

// CHECK-LABEL: @select_ge_not(
// CHECK-NEXT: %[[A:.*]] = xla.compare %arg0, %arg1 {comparison_direction = "GE"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
// CHECK-NEXT: %[[B:.*]] = xla.select %[[A]], %arg0, %arg1 : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: return %[[B]] :
func.func @select_ge_not(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.compare %x, %y {comparison_direction = "GE"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %1 = xla.select %0, %x, %y : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// select(gt(x, y), x, y) = maximum(x, y)
// CHECK-LABEL: @select_gt(
// CHECK-NEXT: %[[A:.*]] = xla.maximum %arg0, %arg1 : tensor<4xi32>
// CHECK-NEXT: return %[[A]] :
func.func @select_gt(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %0 = xla.compare %x, %y {comparison_direction = "GT"} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %1 = xla.select %0, %x, %y : (tensor<4xi1>, tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %1 : tensor<4xi32>
}

// CHECK-LABEL: @select_gt_not(
// CHECK-NEXT: %[[A:.*]] = xla.compare %arg0, %arg1 {comparison_direction = "GT"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
// CHECK-NEXT: %[[B:.*]] = xla.select %[[A]], %arg0, %arg1 : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: return %[[B]] :
func.func @select_gt_not(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.compare %x, %y {comparison_direction = "GT"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %1 = xla.select %0, %x, %y : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// select(le(x, y), x, y) = minimum(x, y)
// CHECK-LABEL: @select_le(
// CHECK-NEXT: %[[A:.*]] = xla.minimum %arg0, %arg1 : tensor<4xi32>
// CHECK-NEXT: return %[[A]] :
func.func @select_le(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %0 = xla.compare %x, %y {comparison_direction = "LE"} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %1 = xla.select %0, %x, %y : (tensor<4xi1>, tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %1 : tensor<4xi32>
}

// CHECK-LABEL: @select_le_not(
// CHECK-NEXT: %[[A:.*]] = xla.compare %arg0, %arg1 {comparison_direction = "LE"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
// CHECK-NEXT: %[[B:.*]] = xla.select %[[A]], %arg0, %arg1 : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: return %[[B]] :
func.func @select_le_not(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.compare %x, %y {comparison_direction = "LE"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %1 = xla.select %0, %x, %y : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// select(lt(x, y), x, y) = minimum(x, y)
// CHECK-LABEL: @select_lt(
// CHECK-NEXT: %[[A:.*]] = xla.minimum %arg0, %arg1 : tensor<4xi32>
// CHECK-NEXT: return %[[A]] :
func.func @select_lt(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %0 = xla.compare %x, %y {comparison_direction = "LT"} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %1 = xla.select %0, %x, %y : (tensor<4xi1>, tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %1 : tensor<4xi32>
}

// CHECK-LABEL: @select_lt_not(
// CHECK-NEXT: %[[A:.*]] = xla.compare %arg0, %arg1 {comparison_direction = "LT"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
// CHECK-NEXT: %[[B:.*]] = xla.select %[[A]], %arg0, %arg1 : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: return %[[B]] :
func.func @select_lt_not(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.compare %x, %y {comparison_direction = "LT"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %1 = xla.select %0, %x, %y : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
