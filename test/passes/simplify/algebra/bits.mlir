// RUN: xla-opt %s --xla-simplify-algebra | FileCheck %s

// and(x, x) = x
// CHECK-LABEL: @and_same(
// CHECK-NEXT: return %arg0 :
func.func @and_same(%x: tensor<4xi32>) -> tensor<4xi32> {
  %0 = xla.and %x, %x : tensor<4xi32>
  return %0 : tensor<4xi32>
}

// CHECK-LABEL: @and_same_not(
// CHECK-NEXT: %[[A:.*]] = xla.and %arg0, %arg1 : tensor<4xi32>
// CHECK-NEXT: return %[[A]] :
func.func @and_same_not(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %0 = xla.and %x, %y : tensor<4xi32>
  return %0 : tensor<4xi32>
}

// and(x, 0) = 0
// CHECK-LABEL: @and_zero(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<0> : tensor<4xi32>
// CHECK-NEXT: return %[[A]] :
func.func @and_zero(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = xla.constant dense<0> : tensor<4xi32>
  %1 = xla.and %x, %c0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// CHECK-LABEL: @and_zero_not(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<1> : tensor<4xi32>
// CHECK-NEXT: %[[B:.*]] = xla.and %arg0, %[[A]] : tensor<4xi32>
// CHECK-NEXT: return %[[B]] :
func.func @and_zero_not(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = xla.constant dense<1> : tensor<4xi32>
  %1 = xla.and %x, %c0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// and(x, ones) = x
// CHECK-LABEL: @and_ones(
// CHECK-NEXT: return %arg0 :
func.func @and_ones(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = xla.constant dense<-1> : tensor<4xi32>
  %1 = xla.and %x, %c0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// CHECK-LABEL: @and_ones_not(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<1> : tensor<4xi32>
// CHECK-NEXT: %[[B:.*]] = xla.and %arg0, %[[A]] : tensor<4xi32>
// CHECK-NEXT: return %[[B]] :
func.func @and_ones_not(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = xla.constant dense<1> : tensor<4xi32>
  %1 = xla.and %x, %c0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// and(x, not(x)) = 0
// CHECK-LABEL: @and_not(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<0> : tensor<4xi32>
// CHECK-NEXT: return %[[A]] :
func.func @and_not(%x: tensor<4xi32>) -> tensor<4xi32> {
  %0 = xla.not %x : tensor<4xi32>
  %1 = xla.and %x, %0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// CHECK-LABEL: @and_not_not(
// CHECK-NEXT: %[[A:.*]] = xla.not %arg1 : tensor<4xi32>
// CHECK-NEXT: %[[B:.*]] = xla.and %arg0, %[[A]] : tensor<4xi32>
// CHECK-NEXT: return %[[B]] :
func.func @and_not_not(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %0 = xla.not %y : tensor<4xi32>
  %1 = xla.and %x, %0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// and(y, and(x, y)) = and(x, y)
// CHECK-LABEL: @and_again(
// CHECK-NEXT: %[[A:.*]] = xla.and %arg0, %arg1 : tensor<4xi32>
// CHECK-NEXT: return %[[A]] :
func.func @and_again(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %0 = xla.and %x, %y : tensor<4xi32>
  %1 = xla.and %y, %0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// CHECK-LABEL: @and_again_not(
// CHECK-NEXT: %[[A:.*]] = xla.or %arg0, %arg2 : tensor<4xi32>
// CHECK-NEXT: %[[B:.*]] = xla.and %arg1, %[[A]] : tensor<4xi32>
// CHECK-NEXT: return %[[B]] :
func.func @and_again_not(%x: tensor<4xi32>, %y: tensor<4xi32>, %z: tensor<4xi32>) -> tensor<4xi32> {
  %0 = xla.or %x, %z : tensor<4xi32>
  %1 = xla.and %y, %0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// and(x, or(x, y)) = x
// CHECK-LABEL: @and_absorbs(
// CHECK-NEXT: return %arg0 :
func.func @and_absorbs(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %0 = xla.or %x, %y : tensor<4xi32>
  %1 = xla.and %x, %0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// CHECK-LABEL: @and_absorbs_not(
// CHECK-NEXT: %[[A:.*]] = xla.or %arg1, %arg2 : tensor<4xi32>
// CHECK-NEXT: %[[B:.*]] = xla.and %arg0, %[[A]] : tensor<4xi32>
// CHECK-NEXT: return %[[B]] :
func.func @and_absorbs_not(%x: tensor<4xi32>, %y: tensor<4xi32>, %z: tensor<4xi32>) -> tensor<4xi32> {
  %0 = xla.or %y, %z : tensor<4xi32>
  %1 = xla.and %x, %0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// and(and(x, k), m) = and(x, and(k, m))
// CHECK-LABEL: @and_constants(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<4> : tensor<4xi32>
// CHECK-NEXT: %[[B:.*]] = xla.and %arg0, %[[A]] : tensor<4xi32>
// CHECK-NEXT: return %[[B]] :
func.func @and_constants(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = xla.constant dense<5> : tensor<4xi32>
  %c1 = xla.constant dense<12> : tensor<4xi32>
  %2 = xla.and %x, %c1 : tensor<4xi32>
  %3 = xla.and %2, %c0 : tensor<4xi32>
  return %3 : tensor<4xi32>
}

// CHECK-LABEL: @and_constants_not(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<5> : tensor<4xi32>
// CHECK-NEXT: %[[B:.*]] = xla.constant dense<12> : tensor<4xi32>
// CHECK-NEXT: %[[C:.*]] = xla.or %arg0, %[[B]] : tensor<4xi32>
// CHECK-NEXT: %[[D:.*]] = xla.and %[[C]], %[[A]] : tensor<4xi32>
// CHECK-NEXT: return %[[D]] :
func.func @and_constants_not(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = xla.constant dense<5> : tensor<4xi32>
  %c1 = xla.constant dense<12> : tensor<4xi32>
  %2 = xla.or %x, %c1 : tensor<4xi32>
  %3 = xla.and %2, %c0 : tensor<4xi32>
  return %3 : tensor<4xi32>
}

// or(x, x) = x
// CHECK-LABEL: @or_same(
// CHECK-NEXT: return %arg0 :
func.func @or_same(%x: tensor<4xi32>) -> tensor<4xi32> {
  %0 = xla.or %x, %x : tensor<4xi32>
  return %0 : tensor<4xi32>
}

// CHECK-LABEL: @or_same_not(
// CHECK-NEXT: %[[A:.*]] = xla.or %arg0, %arg1 : tensor<4xi32>
// CHECK-NEXT: return %[[A]] :
func.func @or_same_not(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %0 = xla.or %x, %y : tensor<4xi32>
  return %0 : tensor<4xi32>
}

// or(x, 0) = x
// CHECK-LABEL: @or_zero(
// CHECK-NEXT: return %arg0 :
func.func @or_zero(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = xla.constant dense<0> : tensor<4xi32>
  %1 = xla.or %x, %c0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// CHECK-LABEL: @or_zero_not(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<1> : tensor<4xi32>
// CHECK-NEXT: %[[B:.*]] = xla.or %arg0, %[[A]] : tensor<4xi32>
// CHECK-NEXT: return %[[B]] :
func.func @or_zero_not(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = xla.constant dense<1> : tensor<4xi32>
  %1 = xla.or %x, %c0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// or(x, ones) = ones
// CHECK-LABEL: @or_ones(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<-1> : tensor<4xi32>
// CHECK-NEXT: return %[[A]] :
func.func @or_ones(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = xla.constant dense<-1> : tensor<4xi32>
  %1 = xla.or %x, %c0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// CHECK-LABEL: @or_ones_not(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<1> : tensor<4xi32>
// CHECK-NEXT: %[[B:.*]] = xla.or %arg0, %[[A]] : tensor<4xi32>
// CHECK-NEXT: return %[[B]] :
func.func @or_ones_not(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = xla.constant dense<1> : tensor<4xi32>
  %1 = xla.or %x, %c0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// or(x, not(x)) = ones
// CHECK-LABEL: @or_not(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<-1> : tensor<4xi32>
// CHECK-NEXT: return %[[A]] :
func.func @or_not(%x: tensor<4xi32>) -> tensor<4xi32> {
  %0 = xla.not %x : tensor<4xi32>
  %1 = xla.or %x, %0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// CHECK-LABEL: @or_not_not(
// CHECK-NEXT: %[[A:.*]] = xla.not %arg1 : tensor<4xi32>
// CHECK-NEXT: %[[B:.*]] = xla.or %arg0, %[[A]] : tensor<4xi32>
// CHECK-NEXT: return %[[B]] :
func.func @or_not_not(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %0 = xla.not %y : tensor<4xi32>
  %1 = xla.or %x, %0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// or(y, or(x, y)) = or(x, y)
// CHECK-LABEL: @or_again(
// CHECK-NEXT: %[[A:.*]] = xla.or %arg0, %arg1 : tensor<4xi32>
// CHECK-NEXT: return %[[A]] :
func.func @or_again(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %0 = xla.or %x, %y : tensor<4xi32>
  %1 = xla.or %y, %0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// CHECK-LABEL: @or_again_not(
// CHECK-NEXT: %[[A:.*]] = xla.and %arg0, %arg2 : tensor<4xi32>
// CHECK-NEXT: %[[B:.*]] = xla.or %arg1, %[[A]] : tensor<4xi32>
// CHECK-NEXT: return %[[B]] :
func.func @or_again_not(%x: tensor<4xi32>, %y: tensor<4xi32>, %z: tensor<4xi32>) -> tensor<4xi32> {
  %0 = xla.and %x, %z : tensor<4xi32>
  %1 = xla.or %y, %0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// or(x, and(x, y)) = x
// CHECK-LABEL: @or_absorbs(
// CHECK-NEXT: return %arg0 :
func.func @or_absorbs(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %0 = xla.and %x, %y : tensor<4xi32>
  %1 = xla.or %x, %0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// CHECK-LABEL: @or_absorbs_not(
// CHECK-NEXT: %[[A:.*]] = xla.and %arg1, %arg2 : tensor<4xi32>
// CHECK-NEXT: %[[B:.*]] = xla.or %arg0, %[[A]] : tensor<4xi32>
// CHECK-NEXT: return %[[B]] :
func.func @or_absorbs_not(%x: tensor<4xi32>, %y: tensor<4xi32>, %z: tensor<4xi32>) -> tensor<4xi32> {
  %0 = xla.and %y, %z : tensor<4xi32>
  %1 = xla.or %x, %0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// or(or(x, k), m) = or(x, or(k, m))
// CHECK-LABEL: @or_constants(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<13> : tensor<4xi32>
// CHECK-NEXT: %[[B:.*]] = xla.or %arg0, %[[A]] : tensor<4xi32>
// CHECK-NEXT: return %[[B]] :
func.func @or_constants(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = xla.constant dense<5> : tensor<4xi32>
  %c1 = xla.constant dense<12> : tensor<4xi32>
  %2 = xla.or %x, %c1 : tensor<4xi32>
  %3 = xla.or %2, %c0 : tensor<4xi32>
  return %3 : tensor<4xi32>
}

// CHECK-LABEL: @or_constants_not(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<5> : tensor<4xi32>
// CHECK-NEXT: %[[B:.*]] = xla.constant dense<12> : tensor<4xi32>
// CHECK-NEXT: %[[C:.*]] = xla.and %arg0, %[[B]] : tensor<4xi32>
// CHECK-NEXT: %[[D:.*]] = xla.or %[[C]], %[[A]] : tensor<4xi32>
// CHECK-NEXT: return %[[D]] :
func.func @or_constants_not(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = xla.constant dense<5> : tensor<4xi32>
  %c1 = xla.constant dense<12> : tensor<4xi32>
  %2 = xla.and %x, %c1 : tensor<4xi32>
  %3 = xla.or %2, %c0 : tensor<4xi32>
  return %3 : tensor<4xi32>
}

// xor(x, x) = 0
// CHECK-LABEL: @xor_same(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<0> : tensor<4xi32>
// CHECK-NEXT: return %[[A]] :
func.func @xor_same(%x: tensor<4xi32>) -> tensor<4xi32> {
  %0 = xla.xor %x, %x : tensor<4xi32>
  return %0 : tensor<4xi32>
}

// CHECK-LABEL: @xor_same_not(
// CHECK-NEXT: %[[A:.*]] = xla.xor %arg0, %arg1 : tensor<4xi32>
// CHECK-NEXT: return %[[A]] :
func.func @xor_same_not(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %0 = xla.xor %x, %y : tensor<4xi32>
  return %0 : tensor<4xi32>
}

// xor(x, 0) = x
// CHECK-LABEL: @xor_zero(
// CHECK-NEXT: return %arg0 :
func.func @xor_zero(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = xla.constant dense<0> : tensor<4xi32>
  %1 = xla.xor %x, %c0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// CHECK-LABEL: @xor_zero_not(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<1> : tensor<4xi32>
// CHECK-NEXT: %[[B:.*]] = xla.xor %arg0, %[[A]] : tensor<4xi32>
// CHECK-NEXT: return %[[B]] :
func.func @xor_zero_not(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = xla.constant dense<1> : tensor<4xi32>
  %1 = xla.xor %x, %c0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// xor(x, ones) = not(x)
// CHECK-LABEL: @xor_ones(
// CHECK-NEXT: %[[A:.*]] = xla.not %arg0 : tensor<4xi32>
// CHECK-NEXT: return %[[A]] :
func.func @xor_ones(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = xla.constant dense<-1> : tensor<4xi32>
  %1 = xla.xor %x, %c0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// CHECK-LABEL: @xor_ones_not(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<1> : tensor<4xi32>
// CHECK-NEXT: %[[B:.*]] = xla.xor %arg0, %[[A]] : tensor<4xi32>
// CHECK-NEXT: return %[[B]] :
func.func @xor_ones_not(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = xla.constant dense<1> : tensor<4xi32>
  %1 = xla.xor %x, %c0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// xor(x, not(x)) = ones
// CHECK-LABEL: @xor_not(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<-1> : tensor<4xi32>
// CHECK-NEXT: return %[[A]] :
func.func @xor_not(%x: tensor<4xi32>) -> tensor<4xi32> {
  %0 = xla.not %x : tensor<4xi32>
  %1 = xla.xor %x, %0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// CHECK-LABEL: @xor_not_not(
// CHECK-NEXT: %[[A:.*]] = xla.not %arg1 : tensor<4xi32>
// CHECK-NEXT: %[[B:.*]] = xla.xor %arg0, %[[A]] : tensor<4xi32>
// CHECK-NEXT: return %[[B]] :
func.func @xor_not_not(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %0 = xla.not %y : tensor<4xi32>
  %1 = xla.xor %x, %0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// xor(y, xor(x, y)) = x
// CHECK-LABEL: @xor_again(
// CHECK-NEXT: return %arg0 :
func.func @xor_again(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %0 = xla.xor %x, %y : tensor<4xi32>
  %1 = xla.xor %y, %0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// CHECK-LABEL: @xor_again_not(
// CHECK-NEXT: %[[A:.*]] = xla.or %arg0, %arg1 : tensor<4xi32>
// CHECK-NEXT: %[[B:.*]] = xla.xor %arg1, %[[A]] : tensor<4xi32>
// CHECK-NEXT: return %[[B]] :
func.func @xor_again_not(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %0 = xla.or %x, %y : tensor<4xi32>
  %1 = xla.xor %y, %0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// xor(xor(x, k), m) = xor(x, xor(k, m))
// CHECK-LABEL: @xor_constants(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<9> : tensor<4xi32>
// CHECK-NEXT: %[[B:.*]] = xla.xor %arg0, %[[A]] : tensor<4xi32>
// CHECK-NEXT: return %[[B]] :
func.func @xor_constants(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = xla.constant dense<5> : tensor<4xi32>
  %c1 = xla.constant dense<12> : tensor<4xi32>
  %2 = xla.xor %x, %c1 : tensor<4xi32>
  %3 = xla.xor %2, %c0 : tensor<4xi32>
  return %3 : tensor<4xi32>
}

// CHECK-LABEL: @xor_constants_not(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<5> : tensor<4xi32>
// CHECK-NEXT: %[[B:.*]] = xla.constant dense<12> : tensor<4xi32>
// CHECK-NEXT: %[[C:.*]] = xla.and %arg0, %[[B]] : tensor<4xi32>
// CHECK-NEXT: %[[D:.*]] = xla.xor %[[C]], %[[A]] : tensor<4xi32>
// CHECK-NEXT: return %[[D]] :
func.func @xor_constants_not(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = xla.constant dense<5> : tensor<4xi32>
  %c1 = xla.constant dense<12> : tensor<4xi32>
  %2 = xla.and %x, %c1 : tensor<4xi32>
  %3 = xla.xor %2, %c0 : tensor<4xi32>
  return %3 : tensor<4xi32>
}

// not(not(x)) = x
// CHECK-LABEL: @not_not(
// CHECK-NEXT: return %arg0 :
func.func @not_not(%x: tensor<4xi32>) -> tensor<4xi32> {
  %0 = xla.not %x : tensor<4xi32>
  %1 = xla.not %0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// CHECK-LABEL: @not_not_not(
// CHECK-NEXT: %[[A:.*]] = xla.negate %arg0 : tensor<4xi32>
// CHECK-NEXT: %[[B:.*]] = xla.not %[[A]] : tensor<4xi32>
// CHECK-NEXT: return %[[B]] :
func.func @not_not_not(%x: tensor<4xi32>) -> tensor<4xi32> {
  %0 = xla.negate %x : tensor<4xi32>
  %1 = xla.not %0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}
