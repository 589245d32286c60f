// RUN: xla-opt %s --xla-simplify-algebra | FileCheck %s

// eq(x, x) = true
// CHECK-LABEL: @eq_same(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<true> : tensor<4xi1>
// CHECK-NEXT: return %[[A]] :
func.func @eq_same(%x: tensor<4xi32>) -> tensor<4xi1> {
  %0 = xla.compare %x, %x {comparison_direction = "EQ"} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  return %0 : tensor<4xi1>
}

// CHECK-LABEL: @eq_same_not(
// CHECK-NEXT: %[[A:.*]] = xla.compare %arg0, %arg0 {comparison_direction = "EQ"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
// CHECK-NEXT: return %[[A]] :
func.func @eq_same_not(%x: tensor<4xf32>) -> tensor<4xi1> {
  %0 = xla.compare %x, %x {comparison_direction = "EQ"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return %0 : tensor<4xi1>
}

// ne(x, x) = false
// CHECK-LABEL: @ne_same(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<false> : tensor<4xi1>
// CHECK-NEXT: return %[[A]] :
func.func @ne_same(%x: tensor<4xi32>) -> tensor<4xi1> {
  %0 = xla.compare %x, %x {comparison_direction = "NE"} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  return %0 : tensor<4xi1>
}

// CHECK-LABEL: @ne_same_not(
// CHECK-NEXT: %[[A:.*]] = xla.compare %arg0, %arg0 {comparison_direction = "NE"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
// CHECK-NEXT: return %[[A]] :
func.func @ne_same_not(%x: tensor<4xf32>) -> tensor<4xi1> {
  %0 = xla.compare %x, %x {comparison_direction = "NE"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return %0 : tensor<4xi1>
}

// ge(x, x) = true
// CHECK-LABEL: @ge_same(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<true> : tensor<4xi1>
// CHECK-NEXT: return %[[A]] :
func.func @ge_same(%x: tensor<4xi32>) -> tensor<4xi1> {
  %0 = xla.compare %x, %x {comparison_direction = "GE"} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  return %0 : tensor<4xi1>
}

// CHECK-LABEL: @ge_same_not(
// CHECK-NEXT: %[[A:.*]] = xla.compare %arg0, %arg0 {comparison_direction = "GE"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
// CHECK-NEXT: return %[[A]] :
func.func @ge_same_not(%x: tensor<4xf32>) -> tensor<4xi1> {
  %0 = xla.compare %x, %x {comparison_direction = "GE"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return %0 : tensor<4xi1>
}

// le(x, x) = true
// CHECK-LABEL: @le_same(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<true> : tensor<4xi1>
// CHECK-NEXT: return %[[A]] :
func.func @le_same(%x: tensor<4xi32>) -> tensor<4xi1> {
  %0 = xla.compare %x, %x {comparison_direction = "LE"} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  return %0 : tensor<4xi1>
}

// CHECK-LABEL: @le_same_not(
// CHECK-NEXT: %[[A:.*]] = xla.compare %arg0, %arg0 {comparison_direction = "LE"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
// CHECK-NEXT: return %[[A]] :
func.func @le_same_not(%x: tensor<4xf32>) -> tensor<4xi1> {
  %0 = xla.compare %x, %x {comparison_direction = "LE"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return %0 : tensor<4xi1>
}

// gt(x, x) = false
// CHECK-LABEL: @gt_same(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<false> : tensor<4xi1>
// CHECK-NEXT: return %[[A]] :
func.func @gt_same(%x: tensor<4xi32>) -> tensor<4xi1> {
  %0 = xla.compare %x, %x {comparison_direction = "GT"} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  return %0 : tensor<4xi1>
}

// CHECK-LABEL: @gt_same_not(
// CHECK-NEXT: %[[A:.*]] = xla.compare %arg0, %arg1 {comparison_direction = "GT"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
// CHECK-NEXT: return %[[A]] :
func.func @gt_same_not(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xi1> {
  %0 = xla.compare %x, %y {comparison_direction = "GT"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return %0 : tensor<4xi1>
}

// lt(x, x) = false
// CHECK-LABEL: @lt_same(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<false> : tensor<4xi1>
// CHECK-NEXT: return %[[A]] :
func.func @lt_same(%x: tensor<4xi32>) -> tensor<4xi1> {
  %0 = xla.compare %x, %x {comparison_direction = "LT"} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  return %0 : tensor<4xi1>
}

// CHECK-LABEL: @lt_same_not(
// CHECK-NEXT: %[[A:.*]] = xla.compare %arg0, %arg1 {comparison_direction = "LT"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
// CHECK-NEXT: return %[[A]] :
func.func @lt_same_not(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xi1> {
  %0 = xla.compare %x, %y {comparison_direction = "LT"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return %0 : tensor<4xi1>
}

// lt(x, min) = false
// CHECK-LABEL: @lt_least(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<false> : tensor<4xi1>
// CHECK-NEXT: return %[[A]] :
func.func @lt_least(%x: tensor<4xi32>) -> tensor<4xi1> {
  %c0 = xla.constant dense<-2147483648> : tensor<4xi32>
  %1 = xla.compare %x, %c0 {comparison_direction = "LT"} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  return %1 : tensor<4xi1>
}

// CHECK-LABEL: @lt_least_not(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<0x7F800000> : tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = xla.compare %arg0, %[[A]] {comparison_direction = "LT"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
// CHECK-NEXT: return %[[B]] :
func.func @lt_least_not(%x: tensor<4xf32>) -> tensor<4xi1> {
  %c0 = xla.constant dense<0x7F800000> : tensor<4xf32>
  %1 = xla.compare %x, %c0 {comparison_direction = "LT"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return %1 : tensor<4xi1>
}

// ge(x, min) = true
// CHECK-LABEL: @ge_least(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<true> : tensor<4xi1>
// CHECK-NEXT: return %[[A]] :
func.func @ge_least(%x: tensor<4xi32>) -> tensor<4xi1> {
  %c0 = xla.constant dense<-2147483648> : tensor<4xi32>
  %1 = xla.compare %x, %c0 {comparison_direction = "GE"} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  return %1 : tensor<4xi1>
}

// CHECK-LABEL: @ge_least_not(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<0xFF800000> : tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = xla.compare %arg0, %[[A]] {comparison_direction = "GE"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
// CHECK-NEXT: return %[[B]] :
func.func @ge_least_not(%x: tensor<4xf32>) -> tensor<4xi1> {
  %c0 = xla.constant dense<0xFF800000> : tensor<4xf32>
  %1 = xla.compare %x, %c0 {comparison_direction = "GE"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return %1 : tensor<4xi1>
}

// gt(x, max) = false
// CHECK-LABEL: @gt_greatest(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<false> : tensor<4xi1>
// CHECK-NEXT: return %[[A]] :
func.func @gt_greatest(%x: tensor<4xi32>) -> tensor<4xi1> {
  %c0 = xla.constant dense<2147483647> : tensor<4xi32>
  %1 = xla.compare %x, %c0 {comparison_direction = "GT"} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  return %1 : tensor<4xi1>
}

// CHECK-LABEL: @gt_greatest_not(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<0xFF800000> : tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = xla.compare %arg0, %[[A]] {comparison_direction = "GT"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
// CHECK-NEXT: return %[[B]] :
func.func @gt_greatest_not(%x: tensor<4xf32>) -> tensor<4xi1> {
  %c0 = xla.constant dense<0xFF800000> : tensor<4xf32>
  %1 = xla.compare %x, %c0 {comparison_direction = "GT"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return %1 : tensor<4xi1>
}

// le(x, max) = true
// CHECK-LABEL: @le_greatest(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<true> : tensor<4xi1>
// CHECK-NEXT: return %[[A]] :
func.func @le_greatest(%x: tensor<4xi32>) -> tensor<4xi1> {
  %c0 = xla.constant dense<2147483647> : tensor<4xi32>
  %1 = xla.compare %x, %c0 {comparison_direction = "LE"} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  return %1 : tensor<4xi1>
}

// CHECK-LABEL: @le_greatest_not(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<0x7F800000> : tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = xla.compare %arg0, %[[A]] {comparison_direction = "LE"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
// CHECK-NEXT: return %[[B]] :
func.func @le_greatest_not(%x: tensor<4xf32>) -> tensor<4xi1> {
  %c0 = xla.constant dense<0x7F800000> : tensor<4xf32>
  %1 = xla.compare %x, %c0 {comparison_direction = "LE"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return %1 : tensor<4xi1>
}

// eq(x, true) = x
// CHECK-LABEL: @eq_true(
// CHECK-NEXT: return %arg0 :
func.func @eq_true(%x: tensor<4xi1>) -> tensor<4xi1> {
  %c0 = xla.constant dense<true> : tensor<4xi1>
  %1 = xla.compare %x, %c0 {comparison_direction = "EQ"} : tensor<4xi1>
  return %1 : tensor<4xi1>
}

// CHECK-LABEL: @eq_true_not(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<-1> : tensor<4xi32>
// CHECK-NEXT: %[[B:.*]] = xla.compare %arg0, %[[A]] {comparison_direction = "EQ"} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
// CHECK-NEXT: return %[[B]] :
func.func @eq_true_not(%x: tensor<4xi32>) -> tensor<4xi1> {
  %c0 = xla.constant dense<-1> : tensor<4xi32>
  %1 = xla.compare %x, %c0 {comparison_direction = "EQ"} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  return %1 : tensor<4xi1>
}

// eq(x, false) = not(x)
// CHECK-LABEL: @eq_false(
// CHECK-NEXT: %[[A:.*]] = xla.not %arg0 : tensor<4xi1>
// CHECK-NEXT: return %[[A]] :
func.func @eq_false(%x: tensor<4xi1>) -> tensor<4xi1> {
  %c0 = xla.constant dense<false> : tensor<4xi1>
  %1 = xla.compare %x, %c0 {comparison_direction = "EQ"} : tensor<4xi1>
  return %1 : tensor<4xi1>
}

// CHECK-LABEL: @eq_false_not(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<0> : tensor<4xi32>
// CHECK-NEXT: %[[B:.*]] = xla.compare %arg0, %[[A]] {comparison_direction = "EQ"} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
// CHECK-NEXT: return %[[B]] :
func.func @eq_false_not(%x: tensor<4xi32>) -> tensor<4xi1> {
  %c0 = xla.constant dense<0> : tensor<4xi32>
  %1 = xla.compare %x, %c0 {comparison_direction = "EQ"} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  return %1 : tensor<4xi1>
}

// ne(x, true) = not(x)
// CHECK-LABEL: @ne_true(
// CHECK-NEXT: %[[A:.*]] = xla.not %arg0 : tensor<4xi1>
// CHECK-NEXT: return %[[A]] :
func.func @ne_true(%x: tensor<4xi1>) -> tensor<4xi1> {
  %c0 = xla.constant dense<true> : tensor<4xi1>
  %1 = xla.compare %x, %c0 {comparison_direction = "NE"} : tensor<4xi1>
  return %1 : tensor<4xi1>
}

// CHECK-LABEL: @ne_true_not(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<-1> : tensor<4xi32>
// CHECK-NEXT: %[[B:.*]] = xla.compare %arg0, %[[A]] {comparison_direction = "NE"} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
// CHECK-NEXT: return %[[B]] :
func.func @ne_true_not(%x: tensor<4xi32>) -> tensor<4xi1> {
  %c0 = xla.constant dense<-1> : tensor<4xi32>
  %1 = xla.compare %x, %c0 {comparison_direction = "NE"} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  return %1 : tensor<4xi1>
}

// ne(x, false) = x
// CHECK-LABEL: @ne_false(
// CHECK-NEXT: return %arg0 :
func.func @ne_false(%x: tensor<4xi1>) -> tensor<4xi1> {
  %c0 = xla.constant dense<false> : tensor<4xi1>
  %1 = xla.compare %x, %c0 {comparison_direction = "NE"} : tensor<4xi1>
  return %1 : tensor<4xi1>
}

// CHECK-LABEL: @ne_false_not(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<0> : tensor<4xi32>
// CHECK-NEXT: %[[B:.*]] = xla.compare %arg0, %[[A]] {comparison_direction = "NE"} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
// CHECK-NEXT: return %[[B]] :
func.func @ne_false_not(%x: tensor<4xi32>) -> tensor<4xi1> {
  %c0 = xla.constant dense<0> : tensor<4xi32>
  %1 = xla.compare %x, %c0 {comparison_direction = "NE"} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  return %1 : tensor<4xi1>
}

// eq(k, x) = eq(x, k)
// CHECK-LABEL: @constant_eq(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<12> : tensor<4xi32>
// CHECK-NEXT: %[[B:.*]] = xla.compare %arg0, %[[A]] {comparison_direction = "EQ"} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
// CHECK-NEXT: return %[[B]] :
func.func @constant_eq(%x: tensor<4xi32>) -> tensor<4xi1> {
  %c0 = xla.constant dense<12> : tensor<4xi32>
  %1 = xla.compare %c0, %x {comparison_direction = "EQ"} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  return %1 : tensor<4xi1>
}

// CHECK-LABEL: @constant_eq_not(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<4.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = xla.compare %arg0, %[[A]] {comparison_direction = "EQ"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
// CHECK-NEXT: return %[[B]] :
func.func @constant_eq_not(%x: tensor<4xf32>) -> tensor<4xi1> {
  %c0 = xla.constant dense<4.0> : tensor<4xf32>
  %1 = xla.compare %x, %c0 {comparison_direction = "EQ"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return %1 : tensor<4xi1>
}

// ne(k, x) = ne(x, k)
// CHECK-LABEL: @constant_ne(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<12> : tensor<4xi32>
// CHECK-NEXT: %[[B:.*]] = xla.compare %arg0, %[[A]] {comparison_direction = "NE"} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
// CHECK-NEXT: return %[[B]] :
func.func @constant_ne(%x: tensor<4xi32>) -> tensor<4xi1> {
  %c0 = xla.constant dense<12> : tensor<4xi32>
  %1 = xla.compare %c0, %x {comparison_direction = "NE"} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  return %1 : tensor<4xi1>
}

// CHECK-LABEL: @constant_ne_not(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<4.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = xla.compare %arg0, %[[A]] {comparison_direction = "NE"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
// CHECK-NEXT: return %[[B]] :
func.func @constant_ne_not(%x: tensor<4xf32>) -> tensor<4xi1> {
  %c0 = xla.constant dense<4.0> : tensor<4xf32>
  %1 = xla.compare %x, %c0 {comparison_direction = "NE"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return %1 : tensor<4xi1>
}

// ge(k, x) = le(x, k)
// CHECK-LABEL: @constant_ge(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<12> : tensor<4xi32>
// CHECK-NEXT: %[[B:.*]] = xla.compare %arg0, %[[A]] {comparison_direction = "LE"} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
// CHECK-NEXT: return %[[B]] :
func.func @constant_ge(%x: tensor<4xi32>) -> tensor<4xi1> {
  %c0 = xla.constant dense<12> : tensor<4xi32>
  %1 = xla.compare %c0, %x {comparison_direction = "GE"} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  return %1 : tensor<4xi1>
}

// CHECK-LABEL: @constant_ge_not(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<4.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = xla.compare %arg0, %[[A]] {comparison_direction = "GE"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
// CHECK-NEXT: return %[[B]] :
func.func @constant_ge_not(%x: tensor<4xf32>) -> tensor<4xi1> {
  %c0 = xla.constant dense<4.0> : tensor<4xf32>
  %1 = xla.compare %x, %c0 {comparison_direction = "GE"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return %1 : tensor<4xi1>
}

// gt(k, x) = lt(x, k)
// CHECK-LABEL: @constant_gt(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<12> : tensor<4xi32>
// CHECK-NEXT: %[[B:.*]] = xla.compare %arg0, %[[A]] {comparison_direction = "LT"} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
// CHECK-NEXT: return %[[B]] :
func.func @constant_gt(%x: tensor<4xi32>) -> tensor<4xi1> {
  %c0 = xla.constant dense<12> : tensor<4xi32>
  %1 = xla.compare %c0, %x {comparison_direction = "GT"} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  return %1 : tensor<4xi1>
}

// CHECK-LABEL: @constant_gt_not(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<4.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = xla.compare %arg0, %[[A]] {comparison_direction = "GT"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
// CHECK-NEXT: return %[[B]] :
func.func @constant_gt_not(%x: tensor<4xf32>) -> tensor<4xi1> {
  %c0 = xla.constant dense<4.0> : tensor<4xf32>
  %1 = xla.compare %x, %c0 {comparison_direction = "GT"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return %1 : tensor<4xi1>
}

// le(k, x) = ge(x, k)
// CHECK-LABEL: @constant_le(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<12> : tensor<4xi32>
// CHECK-NEXT: %[[B:.*]] = xla.compare %arg0, %[[A]] {comparison_direction = "GE"} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
// CHECK-NEXT: return %[[B]] :
func.func @constant_le(%x: tensor<4xi32>) -> tensor<4xi1> {
  %c0 = xla.constant dense<12> : tensor<4xi32>
  %1 = xla.compare %c0, %x {comparison_direction = "LE"} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  return %1 : tensor<4xi1>
}

// CHECK-LABEL: @constant_le_not(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<4.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = xla.compare %arg0, %[[A]] {comparison_direction = "LE"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
// CHECK-NEXT: return %[[B]] :
func.func @constant_le_not(%x: tensor<4xf32>) -> tensor<4xi1> {
  %c0 = xla.constant dense<4.0> : tensor<4xf32>
  %1 = xla.compare %x, %c0 {comparison_direction = "LE"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return %1 : tensor<4xi1>
}

// lt(k, x) = gt(x, k)
// CHECK-LABEL: @constant_lt(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<12> : tensor<4xi32>
// CHECK-NEXT: %[[B:.*]] = xla.compare %arg0, %[[A]] {comparison_direction = "GT"} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
// CHECK-NEXT: return %[[B]] :
func.func @constant_lt(%x: tensor<4xi32>) -> tensor<4xi1> {
  %c0 = xla.constant dense<12> : tensor<4xi32>
  %1 = xla.compare %c0, %x {comparison_direction = "LT"} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  return %1 : tensor<4xi1>
}

// CHECK-LABEL: @constant_lt_not(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<4.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = xla.compare %arg0, %[[A]] {comparison_direction = "LT"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
// CHECK-NEXT: return %[[B]] :
func.func @constant_lt_not(%x: tensor<4xf32>) -> tensor<4xi1> {
  %c0 = xla.constant dense<4.0> : tensor<4xf32>
  %1 = xla.compare %x, %c0 {comparison_direction = "LT"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return %1 : tensor<4xi1>
}

// not(eq(x, y)) = ne(x, y)
// CHECK-LABEL: @not_eq(
// CHECK-NEXT: %[[A:.*]] = xla.compare %arg0, %arg1 {comparison_direction = "NE"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
// CHECK-NEXT: return %[[A]] :
func.func @not_eq(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xi1> {
  %0 = xla.compare %x, %y {comparison_direction = "EQ"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %1 = xla.not %0 : tensor<4xi1>
  return %1 : tensor<4xi1>
}

// CHECK-LABEL: @not_eq_not(
// CHECK-NEXT: %[[A:.*]] = xla.compare %arg0, %arg1 {comparison_direction = "EQ"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
// CHECK-NEXT: %[[B:.*]] = xla.and %[[A]], %arg2 : tensor<4xi1>
// CHECK-NEXT: %[[C:.*]] = xla.not %[[B]] : tensor<4xi1>
// CHECK-NEXT: return %[[C]] :
func.func @not_eq_not(%x: tensor<4xf32>, %y: tensor<4xf32>, %z: tensor<4xi1>) -> tensor<4xi1> {
  %0 = xla.compare %x, %y {comparison_direction = "EQ"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %1 = xla.and %0, %z : tensor<4xi1>
  %2 = xla.not %1 : tensor<4xi1>
  return %2 : tensor<4xi1>
}

// not(ne(x, y)) = eq(x, y)
// CHECK-LABEL: @not_ne(
// CHECK-NEXT: %[[A:.*]] = xla.compare %arg0, %arg1 {comparison_direction = "EQ"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
// CHECK-NEXT: return %[[A]] :
func.func @not_ne(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xi1> {
  %0 = xla.compare %x, %y {comparison_direction = "NE"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %1 = xla.not %0 : tensor<4xi1>
  return %1 : tensor<4xi1>
}

// CHECK-LABEL: @not_ne_not(
// CHECK-NEXT: %[[A:.*]] = xla.compare %arg0, %arg1 {comparison_direction = "NE"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
// CHECK-NEXT: %[[B:.*]] = xla.and %[[A]], %arg2 : tensor<4xi1>
// CHECK-NEXT: %[[C:.*]] = xla.not %[[B]] : tensor<4xi1>
// CHECK-NEXT: return %[[C]] :
func.func @not_ne_not(%x: tensor<4xf32>, %y: tensor<4xf32>, %z: tensor<4xi1>) -> tensor<4xi1> {
  %0 = xla.compare %x, %y {comparison_direction = "NE"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %1 = xla.and %0, %z : tensor<4xi1>
  %2 = xla.not %1 : tensor<4xi1>
  return %2 : tensor<4xi1>
}

// not(ge(x, y)) = lt(x, y) if ordered(x)
// CHECK-LABEL: @not_ge(
// CHECK-NEXT: %[[A:.*]] = xla.compare %arg0, %arg1 {comparison_direction = "LT"} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
// CHECK-NEXT: return %[[A]] :
func.func @not_ge(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi1> {
  %0 = xla.compare %x, %y {comparison_direction = "GE"} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %1 = xla.not %0 : tensor<4xi1>
  return %1 : tensor<4xi1>
}

// CHECK-LABEL: @not_ge_not(
// CHECK-NEXT: %[[A:.*]] = xla.compare %arg0, %arg1 {comparison_direction = "GE"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
// CHECK-NEXT: %[[B:.*]] = xla.not %[[A]] : tensor<4xi1>
// CHECK-NEXT: return %[[B]] :
func.func @not_ge_not(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xi1> {
  %0 = xla.compare %x, %y {comparison_direction = "GE"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %1 = xla.not %0 : tensor<4xi1>
  return %1 : tensor<4xi1>
}

// not(gt(x, y)) = le(x, y) if ordered(x)
// CHECK-LABEL: @not_gt(
// CHECK-NEXT: %[[A:.*]] = xla.compare %arg0, %arg1 {comparison_direction = "LE"} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
// CHECK-NEXT: return %[[A]] :
func.func @not_gt(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi1> {
  %0 = xla.compare %x, %y {comparison_direction = "GT"} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %1 = xla.not %0 : tensor<4xi1>
  return %1 : tensor<4xi1>
}

// CHECK-LABEL: @not_gt_not(
// CHECK-NEXT: %[[A:.*]] = xla.compare %arg0, %arg1 {comparison_direction = "GT"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
// CHECK-NEXT: %[[B:.*]] = xla.not %[[A]] : tensor<4xi1>
// CHECK-NEXT: return %[[B]] :
func.func @not_gt_not(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xi1> {
  %0 = xla.compare %x, %y {comparison_direction = "GT"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %1 = xla.not %0 : tensor<4xi1>
  return %1 : tensor<4xi1>
}

// not(le(x, y)) = gt(x, y) if ordered(x)
// CHECK-LABEL: @not_le(
// CHECK-NEXT: %[[A:.*]] = xla.compare %arg0, %arg1 {comparison_direction = "GT"} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
// CHECK-NEXT: return %[[A]] :
func.func @not_le(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi1> {
  %0 = xla.compare %x, %y {comparison_direction = "LE"} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %1 = xla.not %0 : tensor<4xi1>
  return %1 : tensor<4xi1>
}

// CHECK-LABEL: @not_le_not(
// CHECK-NEXT: %[[A:.*]] = xla.compare %arg0, %arg1 {comparison_direction = "LE"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
// CHECK-NEXT: %[[B:.*]] = xla.not %[[A]] : tensor<4xi1>
// CHECK-NEXT: return %[[B]] :
func.func @not_le_not(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xi1> {
  %0 = xla.compare %x, %y {comparison_direction = "LE"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %1 = xla.not %0 : tensor<4xi1>
  return %1 : tensor<4xi1>
}

// not(lt(x, y)) = ge(x, y) if ordered(x)
// CHECK-LABEL: @not_lt(
// CHECK-NEXT: %[[A:.*]] = xla.compare %arg0, %arg1 {comparison_direction = "GE"} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
// CHECK-NEXT: return %[[A]] :
func.func @not_lt(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi1> {
  %0 = xla.compare %x, %y {comparison_direction = "LT"} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %1 = xla.not %0 : tensor<4xi1>
  return %1 : tensor<4xi1>
}

// CHECK-LABEL: @not_lt_not(
// CHECK-NEXT: %[[A:.*]] = xla.compare %arg0, %arg1 {comparison_direction = "LT"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
// CHECK-NEXT: %[[B:.*]] = xla.not %[[A]] : tensor<4xi1>
// CHECK-NEXT: return %[[B]] :
func.func @not_lt_not(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xi1> {
  %0 = xla.compare %x, %y {comparison_direction = "LT"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %1 = xla.not %0 : tensor<4xi1>
  return %1 : tensor<4xi1>
}

// total_lt_keys: two comparisons instead of bits
// CHECK-LABEL: @total_lt_keys(
// CHECK-DAG: %[[A:.*]] = xla.compare %arg0, %arg1 {{.*}}"GE"
// CHECK-DAG: %[[B:.*]] = xla.compare %arg0, %arg0 {{.*}}"EQ"
// CHECK: %[[C:.*]] = xla.not %[[A]]
// CHECK-NEXT: %[[D:.*]] = xla.and %[[B]], %[[C]]
// CHECK-NEXT: return %[[D]] :
func.func @total_lt_keys(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xi1> {
  %nan = xla.constant dense<0x7FC00000> : tensor<4xf32>
  %zero = xla.constant dense<0.0> : tensor<4xf32>
  %0 = xla.compare %x, %zero {comparison_direction = "EQ"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %1 = xla.select %0, %zero, %x : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = xla.compare %x, %x {comparison_direction = "NE"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %3 = xla.select %2, %nan, %1 : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %4 = xla.compare %y, %zero {comparison_direction = "EQ"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %5 = xla.select %4, %zero, %y : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %6 = xla.compare %y, %y {comparison_direction = "NE"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %7 = xla.select %6, %nan, %5 : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %8 = xla.compare %3, %7 {compare_type = "TOTALORDER", comparison_direction = "LT"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return %8 : tensor<4xi1>
}

// CHECK-LABEL: @total_lt_keys_bf16(
// CHECK-NOT: TOTALORDER
func.func @total_lt_keys_bf16(%x: tensor<4xbf16>, %y: tensor<4xbf16>) -> tensor<4xi1> {
  %nan = xla.constant dense<0x7FC0> : tensor<4xbf16>
  %zero = xla.constant dense<0.0> : tensor<4xbf16>
  %0 = xla.compare %x, %zero {comparison_direction = "EQ"} : (tensor<4xbf16>, tensor<4xbf16>) -> tensor<4xi1>
  %1 = xla.select %0, %zero, %x : (tensor<4xi1>, tensor<4xbf16>, tensor<4xbf16>) -> tensor<4xbf16>
  %2 = xla.compare %x, %x {comparison_direction = "NE"} : (tensor<4xbf16>, tensor<4xbf16>) -> tensor<4xi1>
  %3 = xla.select %2, %nan, %1 : (tensor<4xi1>, tensor<4xbf16>, tensor<4xbf16>) -> tensor<4xbf16>
  %4 = xla.compare %y, %zero {comparison_direction = "EQ"} : (tensor<4xbf16>, tensor<4xbf16>) -> tensor<4xi1>
  %5 = xla.select %4, %zero, %y : (tensor<4xi1>, tensor<4xbf16>, tensor<4xbf16>) -> tensor<4xbf16>
  %6 = xla.compare %y, %y {comparison_direction = "NE"} : (tensor<4xbf16>, tensor<4xbf16>) -> tensor<4xi1>
  %7 = xla.select %6, %nan, %5 : (tensor<4xi1>, tensor<4xbf16>, tensor<4xbf16>) -> tensor<4xbf16>
  %8 = xla.compare %3, %7 {compare_type = "TOTALORDER", comparison_direction = "LT"} : (tensor<4xbf16>, tensor<4xbf16>) -> tensor<4xi1>
  return %8 : tensor<4xi1>
}

// NaN of the other sign would be in front.
// CHECK-LABEL: @total_lt_keys_not(
// CHECK: TOTALORDER
func.func @total_lt_keys_not(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xi1> {
  %nan = xla.constant dense<0xFFC00000> : tensor<4xf32>
  %zero = xla.constant dense<0.0> : tensor<4xf32>
  %0 = xla.compare %x, %zero {comparison_direction = "EQ"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %1 = xla.select %0, %zero, %x : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = xla.compare %x, %x {comparison_direction = "NE"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %3 = xla.select %2, %nan, %1 : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %4 = xla.compare %y, %zero {comparison_direction = "EQ"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %5 = xla.select %4, %zero, %y : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %6 = xla.compare %y, %y {comparison_direction = "NE"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %7 = xla.select %6, %nan, %5 : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %8 = xla.compare %3, %7 {compare_type = "TOTALORDER", comparison_direction = "LT"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return %8 : tensor<4xi1>
}

// Zeros are told apart.
// CHECK-LABEL: @total_lt_keys_not_zero(
// CHECK: TOTALORDER
func.func @total_lt_keys_not_zero(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xi1> {
  %nan = xla.constant dense<0x7FC00000> : tensor<4xf32>
  %zero = xla.constant dense<1.0> : tensor<4xf32>
  %0 = xla.compare %x, %zero {comparison_direction = "EQ"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %1 = xla.select %0, %zero, %x : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = xla.compare %x, %x {comparison_direction = "NE"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %3 = xla.select %2, %nan, %1 : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %4 = xla.compare %y, %zero {comparison_direction = "EQ"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %5 = xla.select %4, %zero, %y : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %6 = xla.compare %y, %y {comparison_direction = "NE"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %7 = xla.select %6, %nan, %5 : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %8 = xla.compare %3, %7 {compare_type = "TOTALORDER", comparison_direction = "LT"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return %8 : tensor<4xi1>
}

// total_eq_keys: one comparison instead of bits
// CHECK-LABEL: @total_eq_keys(
// CHECK-DAG: %[[A:.*]] = xla.compare %arg0, %arg1 {{.*}}"EQ"
// CHECK-DAG: %[[B:.*]] = xla.compare %arg0, %arg0 {{.*}}"NE"
// CHECK-DAG: %[[C:.*]] = xla.compare %arg1, %arg1 {{.*}}"NE"
// CHECK: %[[D:.*]] = xla.and %[[B]], %[[C]]
// CHECK-NEXT: %[[E:.*]] = xla.or %[[A]], %[[D]]
// CHECK-NEXT: return %[[E]] :
func.func @total_eq_keys(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xi1> {
  %nan = xla.constant dense<0x7FC00000> : tensor<4xf32>
  %zero = xla.constant dense<0.0> : tensor<4xf32>
  %0 = xla.compare %x, %zero {comparison_direction = "EQ"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %1 = xla.select %0, %zero, %x : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = xla.compare %x, %x {comparison_direction = "NE"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %3 = xla.select %2, %nan, %1 : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %4 = xla.compare %y, %zero {comparison_direction = "EQ"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %5 = xla.select %4, %zero, %y : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %6 = xla.compare %y, %y {comparison_direction = "NE"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %7 = xla.select %6, %nan, %5 : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %8 = xla.compare %3, %7 {compare_type = "TOTALORDER", comparison_direction = "EQ"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return %8 : tensor<4xi1>
}

// CHECK-LABEL: @total_eq_keys_bf16(
// CHECK-NOT: TOTALORDER
func.func @total_eq_keys_bf16(%x: tensor<4xbf16>, %y: tensor<4xbf16>) -> tensor<4xi1> {
  %nan = xla.constant dense<0x7FC0> : tensor<4xbf16>
  %zero = xla.constant dense<0.0> : tensor<4xbf16>
  %0 = xla.compare %x, %zero {comparison_direction = "EQ"} : (tensor<4xbf16>, tensor<4xbf16>) -> tensor<4xi1>
  %1 = xla.select %0, %zero, %x : (tensor<4xi1>, tensor<4xbf16>, tensor<4xbf16>) -> tensor<4xbf16>
  %2 = xla.compare %x, %x {comparison_direction = "NE"} : (tensor<4xbf16>, tensor<4xbf16>) -> tensor<4xi1>
  %3 = xla.select %2, %nan, %1 : (tensor<4xi1>, tensor<4xbf16>, tensor<4xbf16>) -> tensor<4xbf16>
  %4 = xla.compare %y, %zero {comparison_direction = "EQ"} : (tensor<4xbf16>, tensor<4xbf16>) -> tensor<4xi1>
  %5 = xla.select %4, %zero, %y : (tensor<4xi1>, tensor<4xbf16>, tensor<4xbf16>) -> tensor<4xbf16>
  %6 = xla.compare %y, %y {comparison_direction = "NE"} : (tensor<4xbf16>, tensor<4xbf16>) -> tensor<4xi1>
  %7 = xla.select %6, %nan, %5 : (tensor<4xi1>, tensor<4xbf16>, tensor<4xbf16>) -> tensor<4xbf16>
  %8 = xla.compare %3, %7 {compare_type = "TOTALORDER", comparison_direction = "EQ"} : (tensor<4xbf16>, tensor<4xbf16>) -> tensor<4xi1>
  return %8 : tensor<4xi1>
}

// NaN of the other sign would be in front.
// CHECK-LABEL: @total_eq_keys_not(
// CHECK: TOTALORDER
func.func @total_eq_keys_not(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xi1> {
  %nan = xla.constant dense<0xFFC00000> : tensor<4xf32>
  %zero = xla.constant dense<0.0> : tensor<4xf32>
  %0 = xla.compare %x, %zero {comparison_direction = "EQ"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %1 = xla.select %0, %zero, %x : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = xla.compare %x, %x {comparison_direction = "NE"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %3 = xla.select %2, %nan, %1 : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %4 = xla.compare %y, %zero {comparison_direction = "EQ"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %5 = xla.select %4, %zero, %y : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %6 = xla.compare %y, %y {comparison_direction = "NE"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %7 = xla.select %6, %nan, %5 : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %8 = xla.compare %3, %7 {compare_type = "TOTALORDER", comparison_direction = "EQ"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return %8 : tensor<4xi1>
}

// Zeros are told apart.
// CHECK-LABEL: @total_eq_keys_not_zero(
// CHECK: TOTALORDER
func.func @total_eq_keys_not_zero(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xi1> {
  %nan = xla.constant dense<0x7FC00000> : tensor<4xf32>
  %zero = xla.constant dense<1.0> : tensor<4xf32>
  %0 = xla.compare %x, %zero {comparison_direction = "EQ"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %1 = xla.select %0, %zero, %x : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = xla.compare %x, %x {comparison_direction = "NE"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %3 = xla.select %2, %nan, %1 : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %4 = xla.compare %y, %zero {comparison_direction = "EQ"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %5 = xla.select %4, %zero, %y : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %6 = xla.compare %y, %y {comparison_direction = "NE"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %7 = xla.select %6, %nan, %5 : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %8 = xla.compare %3, %7 {compare_type = "TOTALORDER", comparison_direction = "EQ"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return %8 : tensor<4xi1>
}
