// RUN: xla-opt %s --xla-simplify-algebra | FileCheck %s

// add(x, 0) = x
// CHECK-LABEL: @add_zero(
// CHECK-NEXT: return %arg0 :
func.func @add_zero(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = xla.constant dense<0> : tensor<4xi32>
  %1 = xla.add %x, %c0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// CHECK-LABEL: @add_zero_not(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<0.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = xla.add %arg0, %[[A]] : tensor<4xf32>
// CHECK-NEXT: return %[[B]] :
func.func @add_zero_not(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = xla.constant dense<0.0> : tensor<4xf32>
  %1 = xla.add %x, %c0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: @add_zero_not_2(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<1> : tensor<4xi32>
// CHECK-NEXT: %[[B:.*]] = xla.add %arg0, %[[A]] : tensor<4xi32>
// CHECK-NEXT: return %[[B]] :
func.func @add_zero_not_2(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = xla.constant dense<1> : tensor<4xi32>
  %1 = xla.add %x, %c0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// add(x, -0) = x
// CHECK-LABEL: @add_negative_zero(
// CHECK-NEXT: return %arg0 :
func.func @add_negative_zero(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = xla.constant dense<-0.0> : tensor<4xf32>
  %1 = xla.add %x, %c0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: @add_negative_zero_not(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<0.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = xla.add %arg0, %[[A]] : tensor<4xf32>
// CHECK-NEXT: return %[[B]] :
func.func @add_negative_zero_not(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = xla.constant dense<0.0> : tensor<4xf32>
  %1 = xla.add %x, %c0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: @add_negative_zero_not_2(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<(0.000000e+00,0.000000e+00)> : tensor<4xcomplex<f32>>
// CHECK-NEXT: %[[B:.*]] = xla.add %arg0, %[[A]] : tensor<4xcomplex<f32>>
// CHECK-NEXT: return %[[B]] :
func.func @add_negative_zero_not_2(%x: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %c0 = xla.constant dense<(0.0, 0.0)> : tensor<4xcomplex<f32>>
  %1 = xla.add %x, %c0 : tensor<4xcomplex<f32>>
  return %1 : tensor<4xcomplex<f32>>
}

// add(x, 0) = x if never_minus_zero(x)
// CHECK-LABEL: @add_zero_never(
// CHECK-DAG: %[[S:.*]] = xla.reduce(
// CHECK-DAG: %[[R:.*]] = xla.reshape %[[S]] : (tensor<4xf32>) -> tensor<4x1xf32>
// CHECK-DAG: %[[E:.*]] = xla.exponential %arg1
// CHECK: return %[[R]], %[[E]] :
func.func @add_zero_never(%x: tensor<4x3xf32>, %y: tensor<4x1xf32>) -> (tensor<4x1xf32>, tensor<4x1xf32>) {
  %z = xla.constant dense<0.0> : tensor<f32>
  %zs = xla.constant dense<0.0> : tensor<4x1xf32>
  %s = xla.reduce(%x, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = xla.add %a, %b : tensor<f32>
    xla.return %c : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<4x3xf32>, tensor<f32>) -> tensor<4xf32>
  %r = xla.reshape %s : (tensor<4xf32>) -> tensor<4x1xf32>
  %0 = xla.add %r, %zs : tensor<4x1xf32>
  %e = xla.exponential %y : tensor<4x1xf32>
  %1 = xla.add %zs, %e : tensor<4x1xf32>
  return %0, %1 : tensor<4x1xf32>, tensor<4x1xf32>
}

// A sum that begins with -0, a maximum, a product whose terms are rounded with the sum.
// CHECK-LABEL: @add_zero_never_not(
// CHECK-COUNT-3: xla.add {{.*}} : tensor<4xf32>
func.func @add_zero_never_not(%x: tensor<4x3xf32>, %y: tensor<3xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %z = xla.constant dense<-0.0> : tensor<f32>
  %p = xla.constant dense<0.0> : tensor<f32>
  %zs = xla.constant dense<0.0> : tensor<4xf32>
  %s = xla.reduce(%x, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = xla.add %a, %b : tensor<f32>
    xla.return %c : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<4x3xf32>, tensor<f32>) -> tensor<4xf32>
  %m = xla.reduce(%x, %p) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = xla.minimum %a, %b : tensor<f32>
    xla.return %c : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<4x3xf32>, tensor<f32>) -> tensor<4xf32>
  %d = xla.dot_general %x, %y {lhs_contracting_dimensions = array<i64: 1>, rhs_contracting_dimensions = array<i64: 0>} : (tensor<4x3xf32>, tensor<3xf32>) -> tensor<4xf32>
  %0 = xla.add %s, %zs : tensor<4xf32>
  %1 = xla.add %m, %zs : tensor<4xf32>
  %2 = xla.add %d, %zs : tensor<4xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// add(x, negate(y)) = subtract(x, y)
// CHECK-LABEL: @add_negated(
// CHECK-NEXT: %[[A:.*]] = xla.subtract %arg0, %arg1 : tensor<4xi32>
// CHECK-NEXT: return %[[A]] :
func.func @add_negated(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %0 = xla.negate %y : tensor<4xi32>
  %1 = xla.add %x, %0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// CHECK-LABEL: @add_negated_not(
// CHECK-NEXT: %[[A:.*]] = xla.abs %arg1 : tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = xla.add %arg0, %[[A]] : tensor<4xf32>
// CHECK-NEXT: return %[[B]] :
func.func @add_negated_not(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.abs %y : tensor<4xf32>
  %1 = xla.add %x, %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// add(add(x, k), m) = add(x, add(k, m))
// CHECK-LABEL: @add_constants(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<17> : tensor<4xi32>
// CHECK-NEXT: %[[B:.*]] = xla.add %arg0, %[[A]] : tensor<4xi32>
// CHECK-NEXT: return %[[B]] :
func.func @add_constants(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = xla.constant dense<5> : tensor<4xi32>
  %c1 = xla.constant dense<12> : tensor<4xi32>
  %2 = xla.add %x, %c1 : tensor<4xi32>
  %3 = xla.add %2, %c0 : tensor<4xi32>
  return %3 : tensor<4xi32>
}

// CHECK-LABEL: @add_constants_not(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<8.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = xla.constant dense<4.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[C:.*]] = xla.add %arg0, %[[B]] : tensor<4xf32>
// CHECK-NEXT: %[[D:.*]] = xla.add %[[C]], %[[A]] : tensor<4xf32>
// CHECK-NEXT: return %[[D]] :
func.func @add_constants_not(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = xla.constant dense<8.0> : tensor<4xf32>
  %c1 = xla.constant dense<4.0> : tensor<4xf32>
  %2 = xla.add %x, %c1 : tensor<4xf32>
  %3 = xla.add %2, %c0 : tensor<4xf32>
  return %3 : tensor<4xf32>
}

// add(subtract(x, y), y) = x
// CHECK-LABEL: @add_subtracted(
// CHECK-NEXT: return %arg0 :
func.func @add_subtracted(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %0 = xla.subtract %x, %y : tensor<4xi32>
  %1 = xla.add %0, %y : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// CHECK-LABEL: @add_subtracted_not(
// CHECK-NEXT: %[[A:.*]] = xla.subtract %arg0, %arg1 : tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = xla.add %[[A]], %arg1 : tensor<4xf32>
// CHECK-NEXT: return %[[B]] :
func.func @add_subtracted_not(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.subtract %x, %y : tensor<4xf32>
  %1 = xla.add %0, %y : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// subtract(add(x, y), y) = x
// CHECK-LABEL: @subtract_added(
// CHECK-NEXT: return %arg0 :
func.func @subtract_added(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %0 = xla.add %x, %y : tensor<4xi32>
  %1 = xla.subtract %0, %y : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// CHECK-LABEL: @subtract_added_not(
// CHECK-NEXT: %[[A:.*]] = xla.add %arg0, %arg1 : tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = xla.subtract %[[A]], %arg1 : tensor<4xf32>
// CHECK-NEXT: return %[[B]] :
func.func @subtract_added_not(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.add %x, %y : tensor<4xf32>
  %1 = xla.subtract %0, %y : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// subtract(x, 0) = x
// CHECK-LABEL: @subtract_zero(
// CHECK-NEXT: return %arg0 :
func.func @subtract_zero(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = xla.constant dense<0> : tensor<4xi32>
  %1 = xla.subtract %x, %c0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// CHECK-LABEL: @subtract_zero_not(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<-0.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = xla.subtract %arg0, %[[A]] : tensor<4xf32>
// CHECK-NEXT: return %[[B]] :
func.func @subtract_zero_not(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = xla.constant dense<-0.0> : tensor<4xf32>
  %1 = xla.subtract %x, %c0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// subtract(x, x) = 0
// CHECK-LABEL: @subtract_same(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<0> : tensor<4xi32>
// CHECK-NEXT: return %[[A]] :
func.func @subtract_same(%x: tensor<4xi32>) -> tensor<4xi32> {
  %0 = xla.subtract %x, %x : tensor<4xi32>
  return %0 : tensor<4xi32>
}

// CHECK-LABEL: @subtract_same_not(
// CHECK-NEXT: %[[A:.*]] = xla.subtract %arg0, %arg0 : tensor<4xf32>
// CHECK-NEXT: return %[[A]] :
func.func @subtract_same_not(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.subtract %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// subtract(0, x) = negate(x)
// CHECK-LABEL: @zero_subtract(
// CHECK-NEXT: %[[A:.*]] = xla.negate %arg0 : tensor<4xi32>
// CHECK-NEXT: return %[[A]] :
func.func @zero_subtract(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = xla.constant dense<0> : tensor<4xi32>
  %1 = xla.subtract %c0, %x : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// CHECK-LABEL: @zero_subtract_not(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<0.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = xla.subtract %[[A]], %arg0 : tensor<4xf32>
// CHECK-NEXT: return %[[B]] :
func.func @zero_subtract_not(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = xla.constant dense<0.0> : tensor<4xf32>
  %1 = xla.subtract %c0, %x : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// subtract(-0, x) = negate(x)
// CHECK-LABEL: @negative_zero_subtract(
// CHECK-NEXT: %[[A:.*]] = xla.negate %arg0 : tensor<4xf32>
// CHECK-NEXT: return %[[A]] :
func.func @negative_zero_subtract(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = xla.constant dense<-0.0> : tensor<4xf32>
  %1 = xla.subtract %c0, %x : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: @negative_zero_subtract_not(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<0.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = xla.subtract %[[A]], %arg0 : tensor<4xf32>
// CHECK-NEXT: return %[[B]] :
func.func @negative_zero_subtract_not(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = xla.constant dense<0.0> : tensor<4xf32>
  %1 = xla.subtract %c0, %x : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// subtract(x, negate(y)) = add(x, y)
// CHECK-LABEL: @subtract_negated(
// CHECK-NEXT: %[[A:.*]] = xla.add %arg0, %arg1 : tensor<4xi32>
// CHECK-NEXT: return %[[A]] :
func.func @subtract_negated(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %0 = xla.negate %y : tensor<4xi32>
  %1 = xla.subtract %x, %0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// CHECK-LABEL: @subtract_negated_not(
// CHECK-NEXT: %[[A:.*]] = xla.negate %arg0 : tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = xla.subtract %[[A]], %arg1 : tensor<4xf32>
// CHECK-NEXT: return %[[B]] :
func.func @subtract_negated_not(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.negate %x : tensor<4xf32>
  %1 = xla.subtract %0, %y : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// subtract(x, k) = add(x, negate(k))
// CHECK-LABEL: @subtract_constant(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<-12> : tensor<4xi32>
// CHECK-NEXT: %[[B:.*]] = xla.add %arg0, %[[A]] : tensor<4xi32>
// CHECK-NEXT: return %[[B]] :
func.func @subtract_constant(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = xla.constant dense<12> : tensor<4xi32>
  %1 = xla.subtract %x, %c0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// CHECK-LABEL: @subtract_constant_not(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<4.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = xla.subtract %arg0, %[[A]] : tensor<4xf32>
// CHECK-NEXT: return %[[B]] :
func.func @subtract_constant_not(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = xla.constant dense<4.0> : tensor<4xf32>
  %1 = xla.subtract %x, %c0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// negate(negate(x)) = x
// CHECK-LABEL: @negate_negate(
// CHECK-NEXT: return %arg0 :
func.func @negate_negate(%x: tensor<4xi32>) -> tensor<4xi32> {
  %0 = xla.negate %x : tensor<4xi32>
  %1 = xla.negate %0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// CHECK-LABEL: @negate_negate_not(
// CHECK-NEXT: %[[A:.*]] = xla.abs %arg0 : tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = xla.negate %[[A]] : tensor<4xf32>
// CHECK-NEXT: return %[[B]] :
func.func @negate_negate_not(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.abs %x : tensor<4xf32>
  %1 = xla.negate %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// negate(subtract(x, y)) = subtract(y, x)
// CHECK-LABEL: @negate_subtract(
// CHECK-NEXT: %[[A:.*]] = xla.subtract %arg1, %arg0 : tensor<4xi32>
// CHECK-NEXT: return %[[A]] :
func.func @negate_subtract(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %0 = xla.subtract %x, %y : tensor<4xi32>
  %1 = xla.negate %0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// CHECK-LABEL: @negate_subtract_not(
// CHECK-NEXT: %[[A:.*]] = xla.subtract %arg0, %arg1 : tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = xla.negate %[[A]] : tensor<4xf32>
// CHECK-NEXT: return %[[B]] :
func.func @negate_subtract_not(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.subtract %x, %y : tensor<4xf32>
  %1 = xla.negate %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// negate(multiply(x, k)) = multiply(x, negate(k))
// CHECK-LABEL: @negate_multiply(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<-12> : tensor<4xi32>
// CHECK-NEXT: %[[B:.*]] = xla.multiply %arg0, %[[A]] : tensor<4xi32>
// CHECK-NEXT: return %[[B]] :
func.func @negate_multiply(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = xla.constant dense<12> : tensor<4xi32>
  %1 = xla.multiply %x, %c0 : tensor<4xi32>
  %2 = xla.negate %1 : tensor<4xi32>
  return %2 : tensor<4xi32>
}

// CHECK-LABEL: @negate_multiply_not(
// CHECK-NEXT: %[[A:.*]] = xla.multiply %arg0, %arg1 : tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = xla.negate %[[A]] : tensor<4xf32>
// CHECK-NEXT: return %[[B]] :
func.func @negate_multiply_not(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.multiply %x, %y : tensor<4xf32>
  %1 = xla.negate %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// negate(divide(x, k)) = divide(x, negate(k))
// CHECK-LABEL: @negate_divide(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<-3.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = xla.divide %arg0, %[[A]] : tensor<4xf32>
// CHECK-NEXT: return %[[B]] :
func.func @negate_divide(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = xla.constant dense<3.0> : tensor<4xf32>
  %1 = xla.divide %x, %c0 : tensor<4xf32>
  %2 = xla.negate %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}

// CHECK-LABEL: @negate_divide_not(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<12> : tensor<4xi32>
// CHECK-NEXT: %[[B:.*]] = xla.divide %arg0, %[[A]] : tensor<4xi32>
// CHECK-NEXT: %[[C:.*]] = xla.negate %[[B]] : tensor<4xi32>
// CHECK-NEXT: return %[[C]] :
func.func @negate_divide_not(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = xla.constant dense<12> : tensor<4xi32>
  %1 = xla.divide %x, %c0 : tensor<4xi32>
  %2 = xla.negate %1 : tensor<4xi32>
  return %2 : tensor<4xi32>
}

// negate(divide(k, x)) = divide(negate(k), x)
// CHECK-LABEL: @negate_divide_constant(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<-4.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = xla.divide %[[A]], %arg0 : tensor<4xf32>
// CHECK-NEXT: return %[[B]] :
func.func @negate_divide_constant(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = xla.constant dense<4.0> : tensor<4xf32>
  %1 = xla.divide %c0, %x : tensor<4xf32>
  %2 = xla.negate %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}

// CHECK-LABEL: @negate_divide_constant_not(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<12> : tensor<4xi32>
// CHECK-NEXT: %[[B:.*]] = xla.divide %[[A]], %arg0 : tensor<4xi32>
// CHECK-NEXT: %[[C:.*]] = xla.negate %[[B]] : tensor<4xi32>
// CHECK-NEXT: return %[[C]] :
func.func @negate_divide_constant_not(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = xla.constant dense<12> : tensor<4xi32>
  %1 = xla.divide %c0, %x : tensor<4xi32>
  %2 = xla.negate %1 : tensor<4xi32>
  return %2 : tensor<4xi32>
}
