// RUN: xla-opt %s --xla-simplify-algebra | FileCheck %s

// shift_left(x, 0) = x
// CHECK-LABEL: @shift_left_zero(
// CHECK-NEXT: return %arg0 :
func.func @shift_left_zero(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = xla.constant dense<0> : tensor<4xi32>
  %1 = xla.shift_left %x, %c0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// CHECK-LABEL: @shift_left_zero_not(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<1> : tensor<4xi32>
// CHECK-NEXT: %[[B:.*]] = xla.shift_left %arg0, %[[A]] : tensor<4xi32>
// CHECK-NEXT: return %[[B]] :
func.func @shift_left_zero_not(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = xla.constant dense<1> : tensor<4xi32>
  %1 = xla.shift_left %x, %c0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// shift_right_arithmetic(x, 0) = x
// CHECK-LABEL: @shift_arithmetic_zero(
// CHECK-NEXT: return %arg0 :
func.func @shift_arithmetic_zero(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = xla.constant dense<0> : tensor<4xi32>
  %1 = xla.shift_right_arithmetic %x, %c0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// CHECK-LABEL: @shift_arithmetic_zero_not(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<1> : tensor<4xi32>
// CHECK-NEXT: %[[B:.*]] = xla.shift_right_arithmetic %arg0, %[[A]] : tensor<4xi32>
// CHECK-NEXT: return %[[B]] :
func.func @shift_arithmetic_zero_not(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = xla.constant dense<1> : tensor<4xi32>
  %1 = xla.shift_right_arithmetic %x, %c0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// shift_right_logical(x, 0) = x
// CHECK-LABEL: @shift_logical_zero(
// CHECK-NEXT: return %arg0 :
func.func @shift_logical_zero(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = xla.constant dense<0> : tensor<4xi32>
  %1 = xla.shift_right_logical %x, %c0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// CHECK-LABEL: @shift_logical_zero_not(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<1> : tensor<4xi32>
// CHECK-NEXT: %[[B:.*]] = xla.shift_right_logical %arg0, %[[A]] : tensor<4xi32>
// CHECK-NEXT: return %[[B]] :
func.func @shift_logical_zero_not(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = xla.constant dense<1> : tensor<4xi32>
  %1 = xla.shift_right_logical %x, %c0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// shift_left(0, x) = 0
// CHECK-LABEL: @zero_shift_left(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<0> : tensor<4xi32>
// CHECK-NEXT: return %[[A]] :
func.func @zero_shift_left(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = xla.constant dense<0> : tensor<4xi32>
  %1 = xla.shift_left %c0, %x : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// CHECK-LABEL: @zero_shift_left_not(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<1> : tensor<4xi32>
// CHECK-NEXT: %[[B:.*]] = xla.shift_left %[[A]], %arg0 : tensor<4xi32>
// CHECK-NEXT: return %[[B]] :
func.func @zero_shift_left_not(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = xla.constant dense<1> : tensor<4xi32>
  %1 = xla.shift_left %c0, %x : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// shift_right_arithmetic(0, x) = 0
// CHECK-LABEL: @zero_shift_arithmetic(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<0> : tensor<4xi32>
// CHECK-NEXT: return %[[A]] :
func.func @zero_shift_arithmetic(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = xla.constant dense<0> : tensor<4xi32>
  %1 = xla.shift_right_arithmetic %c0, %x : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// CHECK-LABEL: @zero_shift_arithmetic_not(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<1> : tensor<4xi32>
// CHECK-NEXT: %[[B:.*]] = xla.shift_right_arithmetic %[[A]], %arg0 : tensor<4xi32>
// CHECK-NEXT: return %[[B]] :
func.func @zero_shift_arithmetic_not(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = xla.constant dense<1> : tensor<4xi32>
  %1 = xla.shift_right_arithmetic %c0, %x : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// shift_right_logical(0, x) = 0
// CHECK-LABEL: @zero_shift_logical(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<0> : tensor<4xi32>
// CHECK-NEXT: return %[[A]] :
func.func @zero_shift_logical(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = xla.constant dense<0> : tensor<4xi32>
  %1 = xla.shift_right_logical %c0, %x : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// CHECK-LABEL: @zero_shift_logical_not(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<1> : tensor<4xi32>
// CHECK-NEXT: %[[B:.*]] = xla.shift_right_logical %[[A]], %arg0 : tensor<4xi32>
// CHECK-NEXT: return %[[B]] :
func.func @zero_shift_logical_not(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = xla.constant dense<1> : tensor<4xi32>
  %1 = xla.shift_right_logical %c0, %x : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// shift_left(x, k) = 0 if beyond_width(k)
// CHECK-LABEL: @shift_left_out(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<0> : tensor<4xi32>
// CHECK-NEXT: return %[[A]] :
func.func @shift_left_out(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = xla.constant dense<32> : tensor<4xi32>
  %1 = xla.shift_left %x, %c0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// CHECK-LABEL: @shift_left_out_not(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<31> : tensor<4xi32>
// CHECK-NEXT: %[[B:.*]] = xla.shift_left %arg0, %[[A]] : tensor<4xi32>
// CHECK-NEXT: return %[[B]] :
func.func @shift_left_out_not(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = xla.constant dense<31> : tensor<4xi32>
  %1 = xla.shift_left %x, %c0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// shift_right_logical(x, k) = 0 if beyond_width(k)
// CHECK-LABEL: @shift_logical_out(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<0> : tensor<4xi32>
// CHECK-NEXT: return %[[A]] :
func.func @shift_logical_out(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = xla.constant dense<-1> : tensor<4xi32>
  %1 = xla.shift_right_logical %x, %c0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// CHECK-LABEL: @shift_logical_out_not(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<31> : tensor<4xi32>
// CHECK-NEXT: %[[B:.*]] = xla.shift_right_logical %arg0, %[[A]] : tensor<4xi32>
// CHECK-NEXT: return %[[B]] :
func.func @shift_logical_out_not(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = xla.constant dense<31> : tensor<4xi32>
  %1 = xla.shift_right_logical %x, %c0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// shift_left(shift_left(x, k), m) = shift_left(x, add(k, m)) if below_width(k) and below_width(m)
// CHECK-LABEL: @shift_left_twice(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<17> : tensor<4xi32>
// CHECK-NEXT: %[[B:.*]] = xla.shift_left %arg0, %[[A]] : tensor<4xi32>
// CHECK-NEXT: return %[[B]] :
func.func @shift_left_twice(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = xla.constant dense<12> : tensor<4xi32>
  %c1 = xla.constant dense<5> : tensor<4xi32>
  %2 = xla.shift_left %x, %c1 : tensor<4xi32>
  %3 = xla.shift_left %2, %c0 : tensor<4xi32>
  return %3 : tensor<4xi32>
}

// CHECK-LABEL: @shift_left_twice_not(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<0> : tensor<4xi32>
// CHECK-NEXT: return %[[A]] :
func.func @shift_left_twice_not(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = xla.constant dense<-1> : tensor<4xi32>
  %c1 = xla.constant dense<5> : tensor<4xi32>
  %2 = xla.shift_left %x, %c1 : tensor<4xi32>
  %3 = xla.shift_left %2, %c0 : tensor<4xi32>
  return %3 : tensor<4xi32>
}

// shift_right_arithmetic(shift_right_arithmetic(x, k), m) = shift_right_arithmetic(x, add(k, m)) if below_width(k) and below_width(m)
// CHECK-LABEL: @shift_arithmetic_twice(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<17> : tensor<4xi32>
// CHECK-NEXT: %[[B:.*]] = xla.shift_right_arithmetic %arg0, %[[A]] : tensor<4xi32>
// CHECK-NEXT: return %[[B]] :
func.func @shift_arithmetic_twice(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = xla.constant dense<12> : tensor<4xi32>
  %c1 = xla.constant dense<5> : tensor<4xi32>
  %2 = xla.shift_right_arithmetic %x, %c1 : tensor<4xi32>
  %3 = xla.shift_right_arithmetic %2, %c0 : tensor<4xi32>
  return %3 : tensor<4xi32>
}

// CHECK-LABEL: @shift_arithmetic_twice_not(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<-1> : tensor<4xi32>
// CHECK-NEXT: %[[B:.*]] = xla.constant dense<5> : tensor<4xi32>
// CHECK-NEXT: %[[C:.*]] = xla.shift_right_arithmetic %arg0, %[[B]] : tensor<4xi32>
// CHECK-NEXT: %[[D:.*]] = xla.shift_right_arithmetic %[[C]], %[[A]] : tensor<4xi32>
// CHECK-NEXT: return %[[D]] :
func.func @shift_arithmetic_twice_not(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = xla.constant dense<-1> : tensor<4xi32>
  %c1 = xla.constant dense<5> : tensor<4xi32>
  %2 = xla.shift_right_arithmetic %x, %c1 : tensor<4xi32>
  %3 = xla.shift_right_arithmetic %2, %c0 : tensor<4xi32>
  return %3 : tensor<4xi32>
}

// shift_right_logical(shift_right_logical(x, k), m) = shift_right_logical(x, add(k, m)) if below_width(k) and below_width(m)
// CHECK-LABEL: @shift_logical_twice(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<17> : tensor<4xi32>
// CHECK-NEXT: %[[B:.*]] = xla.shift_right_logical %arg0, %[[A]] : tensor<4xi32>
// CHECK-NEXT: return %[[B]] :
func.func @shift_logical_twice(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = xla.constant dense<12> : tensor<4xi32>
  %c1 = xla.constant dense<5> : tensor<4xi32>
  %2 = xla.shift_right_logical %x, %c1 : tensor<4xi32>
  %3 = xla.shift_right_logical %2, %c0 : tensor<4xi32>
  return %3 : tensor<4xi32>
}

// CHECK-LABEL: @shift_logical_twice_not(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<0> : tensor<4xi32>
// CHECK-NEXT: return %[[A]] :
func.func @shift_logical_twice_not(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = xla.constant dense<-1> : tensor<4xi32>
  %c1 = xla.constant dense<5> : tensor<4xi32>
  %2 = xla.shift_right_logical %x, %c1 : tensor<4xi32>
  %3 = xla.shift_right_logical %2, %c0 : tensor<4xi32>
  return %3 : tensor<4xi32>
}
