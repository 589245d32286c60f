// RUN: xla-opt %s --xla-simplify-algebra | FileCheck %s

// Rules about what integers are between: of iotas 0 and 3, of their products with
// 10 that are moved by -7, -7 and 23.

// eq(x, k) = false if outside(k)
// CHECK-LABEL: @eq_outside(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<false> : tensor<4xi1>
// CHECK-NEXT: return %[[A]] :
func.func @eq_outside() -> tensor<4xi1> {
  %0 = xla.iota {iota_dimension = 0 : i64} : tensor<4xi32>
  %1 = xla.constant dense<10> : tensor<4xi32>
  %2 = xla.multiply %0, %1 : tensor<4xi32>
  %3 = xla.constant dense<7> : tensor<4xi32>
  %x = xla.subtract %2, %3 : tensor<4xi32>
  %k = xla.constant dense<24> : tensor<4xi32>
  %r = xla.compare %x, %k {comparison_direction = "EQ"} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  return %r : tensor<4xi1>
}

// CHECK-LABEL: @eq_outside_not(
// CHECK: xla.compare
func.func @eq_outside_not() -> tensor<4xi1> {
  %0 = xla.iota {iota_dimension = 0 : i64} : tensor<4xi32>
  %1 = xla.constant dense<10> : tensor<4xi32>
  %2 = xla.multiply %0, %1 : tensor<4xi32>
  %3 = xla.constant dense<7> : tensor<4xi32>
  %x = xla.subtract %2, %3 : tensor<4xi32>
  %k = xla.constant dense<23> : tensor<4xi32>
  %r = xla.compare %x, %k {comparison_direction = "EQ"} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  return %r : tensor<4xi1>
}

// ne(x, k) = true if outside(k)
// CHECK-LABEL: @ne_outside(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<true> : tensor<4xi1>
// CHECK-NEXT: return %[[A]] :
func.func @ne_outside() -> tensor<4xi1> {
  %0 = xla.iota {iota_dimension = 0 : i64} : tensor<4xi32>
  %1 = xla.constant dense<10> : tensor<4xi32>
  %2 = xla.multiply %0, %1 : tensor<4xi32>
  %3 = xla.constant dense<7> : tensor<4xi32>
  %x = xla.subtract %2, %3 : tensor<4xi32>
  %k = xla.constant dense<-8> : tensor<4xi32>
  %r = xla.compare %x, %k {comparison_direction = "NE"} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  return %r : tensor<4xi1>
}

// CHECK-LABEL: @ne_outside_not(
// CHECK: xla.compare
func.func @ne_outside_not() -> tensor<4xi1> {
  %0 = xla.iota {iota_dimension = 0 : i64} : tensor<4xi32>
  %1 = xla.constant dense<10> : tensor<4xi32>
  %2 = xla.multiply %0, %1 : tensor<4xi32>
  %3 = xla.constant dense<7> : tensor<4xi32>
  %x = xla.subtract %2, %3 : tensor<4xi32>
  %k = xla.constant dense<-7> : tensor<4xi32>
  %r = xla.compare %x, %k {comparison_direction = "NE"} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  return %r : tensor<4xi1>
}

// lt(x, k) = true if all_below(k)
// CHECK-LABEL: @lt_all(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<true> : tensor<4xi1>
// CHECK-NEXT: return %[[A]] :
func.func @lt_all() -> tensor<4xi1> {
  %0 = xla.iota {iota_dimension = 0 : i64} : tensor<4xi32>
  %1 = xla.constant dense<10> : tensor<4xi32>
  %2 = xla.multiply %0, %1 : tensor<4xi32>
  %3 = xla.constant dense<7> : tensor<4xi32>
  %x = xla.subtract %2, %3 : tensor<4xi32>
  %k = xla.constant dense<24> : tensor<4xi32>
  %r = xla.compare %x, %k {comparison_direction = "LT"} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  return %r : tensor<4xi1>
}

// CHECK-LABEL: @lt_all_not(
// CHECK: xla.compare
func.func @lt_all_not() -> tensor<4xi1> {
  %0 = xla.iota {iota_dimension = 0 : i64} : tensor<4xi32>
  %1 = xla.constant dense<10> : tensor<4xi32>
  %2 = xla.multiply %0, %1 : tensor<4xi32>
  %3 = xla.constant dense<7> : tensor<4xi32>
  %x = xla.subtract %2, %3 : tensor<4xi32>
  %k = xla.constant dense<23> : tensor<4xi32>
  %r = xla.compare %x, %k {comparison_direction = "LT"} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  return %r : tensor<4xi1>
}

// lt(x, k) = false if none_below(k)
// CHECK-LABEL: @lt_none(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<false> : tensor<4xi1>
// CHECK-NEXT: return %[[A]] :
func.func @lt_none() -> tensor<4xi1> {
  %0 = xla.iota {iota_dimension = 0 : i64} : tensor<4xi32>
  %1 = xla.constant dense<10> : tensor<4xi32>
  %2 = xla.multiply %0, %1 : tensor<4xi32>
  %3 = xla.constant dense<7> : tensor<4xi32>
  %x = xla.subtract %2, %3 : tensor<4xi32>
  %k = xla.constant dense<-7> : tensor<4xi32>
  %r = xla.compare %x, %k {comparison_direction = "LT"} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  return %r : tensor<4xi1>
}

// CHECK-LABEL: @lt_none_not(
// CHECK: xla.compare
func.func @lt_none_not() -> tensor<4xi1> {
  %0 = xla.iota {iota_dimension = 0 : i64} : tensor<4xi32>
  %1 = xla.constant dense<10> : tensor<4xi32>
  %2 = xla.multiply %0, %1 : tensor<4xi32>
  %3 = xla.constant dense<7> : tensor<4xi32>
  %x = xla.subtract %2, %3 : tensor<4xi32>
  %k = xla.constant dense<-6> : tensor<4xi32>
  %r = xla.compare %x, %k {comparison_direction = "LT"} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  return %r : tensor<4xi1>
}

// ge(x, k) = true if none_below(k)
// CHECK-LABEL: @ge_all(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<true> : tensor<4xi1>
// CHECK-NEXT: return %[[A]] :
func.func @ge_all() -> tensor<4xi1> {
  %0 = xla.iota {iota_dimension = 0 : i64} : tensor<4xi32>
  %1 = xla.constant dense<10> : tensor<4xi32>
  %2 = xla.multiply %0, %1 : tensor<4xi32>
  %3 = xla.constant dense<7> : tensor<4xi32>
  %x = xla.subtract %2, %3 : tensor<4xi32>
  %k = xla.constant dense<-7> : tensor<4xi32>
  %r = xla.compare %x, %k {comparison_direction = "GE"} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  return %r : tensor<4xi1>
}

// CHECK-LABEL: @ge_all_not(
// CHECK: xla.compare
func.func @ge_all_not() -> tensor<4xi1> {
  %0 = xla.iota {iota_dimension = 0 : i64} : tensor<4xi32>
  %1 = xla.constant dense<10> : tensor<4xi32>
  %2 = xla.multiply %0, %1 : tensor<4xi32>
  %3 = xla.constant dense<7> : tensor<4xi32>
  %x = xla.subtract %2, %3 : tensor<4xi32>
  %k = xla.constant dense<-6> : tensor<4xi32>
  %r = xla.compare %x, %k {comparison_direction = "GE"} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  return %r : tensor<4xi1>
}

// ge(x, k) = false if all_below(k)
// CHECK-LABEL: @ge_none(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<false> : tensor<4xi1>
// CHECK-NEXT: return %[[A]] :
func.func @ge_none() -> tensor<4xi1> {
  %0 = xla.iota {iota_dimension = 0 : i64} : tensor<4xi32>
  %1 = xla.constant dense<10> : tensor<4xi32>
  %2 = xla.multiply %0, %1 : tensor<4xi32>
  %3 = xla.constant dense<7> : tensor<4xi32>
  %x = xla.subtract %2, %3 : tensor<4xi32>
  %k = xla.constant dense<24> : tensor<4xi32>
  %r = xla.compare %x, %k {comparison_direction = "GE"} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  return %r : tensor<4xi1>
}

// CHECK-LABEL: @ge_none_not(
// CHECK: xla.compare
func.func @ge_none_not() -> tensor<4xi1> {
  %0 = xla.iota {iota_dimension = 0 : i64} : tensor<4xi32>
  %1 = xla.constant dense<10> : tensor<4xi32>
  %2 = xla.multiply %0, %1 : tensor<4xi32>
  %3 = xla.constant dense<7> : tensor<4xi32>
  %x = xla.subtract %2, %3 : tensor<4xi32>
  %k = xla.constant dense<23> : tensor<4xi32>
  %r = xla.compare %x, %k {comparison_direction = "GE"} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  return %r : tensor<4xi1>
}

// gt(x, k) = true if all_above(k)
// CHECK-LABEL: @gt_all(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<true> : tensor<4xi1>
// CHECK-NEXT: return %[[A]] :
func.func @gt_all() -> tensor<4xi1> {
  %0 = xla.iota {iota_dimension = 0 : i64} : tensor<4xi32>
  %1 = xla.constant dense<10> : tensor<4xi32>
  %2 = xla.multiply %0, %1 : tensor<4xi32>
  %3 = xla.constant dense<7> : tensor<4xi32>
  %x = xla.subtract %2, %3 : tensor<4xi32>
  %k = xla.constant dense<-8> : tensor<4xi32>
  %r = xla.compare %x, %k {comparison_direction = "GT"} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  return %r : tensor<4xi1>
}

// CHECK-LABEL: @gt_all_not(
// CHECK: xla.compare
func.func @gt_all_not() -> tensor<4xi1> {
  %0 = xla.iota {iota_dimension = 0 : i64} : tensor<4xi32>
  %1 = xla.constant dense<10> : tensor<4xi32>
  %2 = xla.multiply %0, %1 : tensor<4xi32>
  %3 = xla.constant dense<7> : tensor<4xi32>
  %x = xla.subtract %2, %3 : tensor<4xi32>
  %k = xla.constant dense<-7> : tensor<4xi32>
  %r = xla.compare %x, %k {comparison_direction = "GT"} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  return %r : tensor<4xi1>
}

// gt(x, k) = false if none_above(k)
// CHECK-LABEL: @gt_none(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<false> : tensor<4xi1>
// CHECK-NEXT: return %[[A]] :
func.func @gt_none() -> tensor<4xi1> {
  %0 = xla.iota {iota_dimension = 0 : i64} : tensor<4xi32>
  %1 = xla.constant dense<10> : tensor<4xi32>
  %2 = xla.multiply %0, %1 : tensor<4xi32>
  %3 = xla.constant dense<7> : tensor<4xi32>
  %x = xla.subtract %2, %3 : tensor<4xi32>
  %k = xla.constant dense<23> : tensor<4xi32>
  %r = xla.compare %x, %k {comparison_direction = "GT"} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  return %r : tensor<4xi1>
}

// CHECK-LABEL: @gt_none_not(
// CHECK: xla.compare
func.func @gt_none_not() -> tensor<4xi1> {
  %0 = xla.iota {iota_dimension = 0 : i64} : tensor<4xi32>
  %1 = xla.constant dense<10> : tensor<4xi32>
  %2 = xla.multiply %0, %1 : tensor<4xi32>
  %3 = xla.constant dense<7> : tensor<4xi32>
  %x = xla.subtract %2, %3 : tensor<4xi32>
  %k = xla.constant dense<22> : tensor<4xi32>
  %r = xla.compare %x, %k {comparison_direction = "GT"} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  return %r : tensor<4xi1>
}

// le(x, k) = true if none_above(k)
// CHECK-LABEL: @le_all(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<true> : tensor<4xi1>
// CHECK-NEXT: return %[[A]] :
func.func @le_all() -> tensor<4xi1> {
  %0 = xla.iota {iota_dimension = 0 : i64} : tensor<4xi32>
  %1 = xla.constant dense<10> : tensor<4xi32>
  %2 = xla.multiply %0, %1 : tensor<4xi32>
  %3 = xla.constant dense<7> : tensor<4xi32>
  %x = xla.subtract %2, %3 : tensor<4xi32>
  %k = xla.constant dense<23> : tensor<4xi32>
  %r = xla.compare %x, %k {comparison_direction = "LE"} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  return %r : tensor<4xi1>
}

// CHECK-LABEL: @le_all_not(
// CHECK: xla.compare
func.func @le_all_not() -> tensor<4xi1> {
  %0 = xla.iota {iota_dimension = 0 : i64} : tensor<4xi32>
  %1 = xla.constant dense<10> : tensor<4xi32>
  %2 = xla.multiply %0, %1 : tensor<4xi32>
  %3 = xla.constant dense<7> : tensor<4xi32>
  %x = xla.subtract %2, %3 : tensor<4xi32>
  %k = xla.constant dense<22> : tensor<4xi32>
  %r = xla.compare %x, %k {comparison_direction = "LE"} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  return %r : tensor<4xi1>
}

// le(x, k) = false if all_above(k)
// CHECK-LABEL: @le_none(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<false> : tensor<4xi1>
// CHECK-NEXT: return %[[A]] :
func.func @le_none() -> tensor<4xi1> {
  %0 = xla.iota {iota_dimension = 0 : i64} : tensor<4xi32>
  %1 = xla.constant dense<10> : tensor<4xi32>
  %2 = xla.multiply %0, %1 : tensor<4xi32>
  %3 = xla.constant dense<7> : tensor<4xi32>
  %x = xla.subtract %2, %3 : tensor<4xi32>
  %k = xla.constant dense<-8> : tensor<4xi32>
  %r = xla.compare %x, %k {comparison_direction = "LE"} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  return %r : tensor<4xi1>
}

// CHECK-LABEL: @le_none_not(
// CHECK: xla.compare
func.func @le_none_not() -> tensor<4xi1> {
  %0 = xla.iota {iota_dimension = 0 : i64} : tensor<4xi32>
  %1 = xla.constant dense<10> : tensor<4xi32>
  %2 = xla.multiply %0, %1 : tensor<4xi32>
  %3 = xla.constant dense<7> : tensor<4xi32>
  %x = xla.subtract %2, %3 : tensor<4xi32>
  %k = xla.constant dense<-7> : tensor<4xi32>
  %r = xla.compare %x, %k {comparison_direction = "LE"} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  return %r : tensor<4xi1>
}

// maximum(x, k) = x if none_below(k)
// CHECK-LABEL: @maximum_known(
// CHECK-NOT: xla.maximum
// CHECK: return
func.func @maximum_known() -> tensor<4xi32> {
  %0 = xla.iota {iota_dimension = 0 : i64} : tensor<4xi32>
  %1 = xla.constant dense<10> : tensor<4xi32>
  %2 = xla.multiply %0, %1 : tensor<4xi32>
  %3 = xla.constant dense<7> : tensor<4xi32>
  %x = xla.subtract %2, %3 : tensor<4xi32>
  %k = xla.constant dense<-7> : tensor<4xi32>
  %r = xla.maximum %x, %k : tensor<4xi32>
  return %r : tensor<4xi32>
}

// CHECK-LABEL: @maximum_known_not(
// CHECK: xla.maximum
func.func @maximum_known_not() -> tensor<4xi32> {
  %0 = xla.iota {iota_dimension = 0 : i64} : tensor<4xi32>
  %1 = xla.constant dense<10> : tensor<4xi32>
  %2 = xla.multiply %0, %1 : tensor<4xi32>
  %3 = xla.constant dense<7> : tensor<4xi32>
  %x = xla.subtract %2, %3 : tensor<4xi32>
  %k = xla.constant dense<-6> : tensor<4xi32>
  %r = xla.maximum %x, %k : tensor<4xi32>
  return %r : tensor<4xi32>
}

// minimum(x, k) = x if none_above(k)
// CHECK-LABEL: @minimum_known(
// CHECK-NOT: xla.minimum
// CHECK: return
func.func @minimum_known() -> tensor<4xi32> {
  %0 = xla.iota {iota_dimension = 0 : i64} : tensor<4xi32>
  %1 = xla.constant dense<10> : tensor<4xi32>
  %2 = xla.multiply %0, %1 : tensor<4xi32>
  %3 = xla.constant dense<7> : tensor<4xi32>
  %x = xla.subtract %2, %3 : tensor<4xi32>
  %k = xla.constant dense<23> : tensor<4xi32>
  %r = xla.minimum %x, %k : tensor<4xi32>
  return %r : tensor<4xi32>
}

// CHECK-LABEL: @minimum_known_not(
// CHECK: xla.minimum
func.func @minimum_known_not() -> tensor<4xi32> {
  %0 = xla.iota {iota_dimension = 0 : i64} : tensor<4xi32>
  %1 = xla.constant dense<10> : tensor<4xi32>
  %2 = xla.multiply %0, %1 : tensor<4xi32>
  %3 = xla.constant dense<7> : tensor<4xi32>
  %x = xla.subtract %2, %3 : tensor<4xi32>
  %k = xla.constant dense<22> : tensor<4xi32>
  %r = xla.minimum %x, %k : tensor<4xi32>
  return %r : tensor<4xi32>
}

// remainder(x, k) = x if all_smaller(k)
// CHECK-LABEL: @remainder_smaller(
// CHECK-NOT: xla.remainder
// CHECK: return
func.func @remainder_smaller() -> tensor<4xi32> {
  %0 = xla.iota {iota_dimension = 0 : i64} : tensor<4xi32>
  %1 = xla.constant dense<10> : tensor<4xi32>
  %2 = xla.multiply %0, %1 : tensor<4xi32>
  %3 = xla.constant dense<7> : tensor<4xi32>
  %x = xla.subtract %2, %3 : tensor<4xi32>
  %k = xla.constant dense<24> : tensor<4xi32>
  %r = xla.remainder %x, %k : tensor<4xi32>
  return %r : tensor<4xi32>
}

// CHECK-LABEL: @remainder_smaller_not(
// CHECK: xla.remainder
func.func @remainder_smaller_not() -> tensor<4xi32> {
  %0 = xla.iota {iota_dimension = 0 : i64} : tensor<4xi32>
  %1 = xla.constant dense<10> : tensor<4xi32>
  %2 = xla.multiply %0, %1 : tensor<4xi32>
  %3 = xla.constant dense<7> : tensor<4xi32>
  %x = xla.subtract %2, %3 : tensor<4xi32>
  %k = xla.constant dense<23> : tensor<4xi32>
  %r = xla.remainder %x, %k : tensor<4xi32>
  return %r : tensor<4xi32>
}

// CHECK-LABEL: @remainder_smaller_not_2(
// CHECK: xla.remainder
func.func @remainder_smaller_not_2() -> tensor<4xi32> {
  %0 = xla.iota {iota_dimension = 0 : i64} : tensor<4xi32>
  %1 = xla.constant dense<10> : tensor<4xi32>
  %2 = xla.multiply %0, %1 : tensor<4xi32>
  %3 = xla.constant dense<7> : tensor<4xi32>
  %x = xla.subtract %2, %3 : tensor<4xi32>
  %k = xla.constant dense<0> : tensor<4xi32>
  %r = xla.remainder %x, %k : tensor<4xi32>
  return %r : tensor<4xi32>
}

// clamp(k, x, m) = x if within(x)
// CHECK-LABEL: @clamp_within(
// CHECK-NOT: xla.clamp
// CHECK: return
func.func @clamp_within() -> tensor<4xi32> {
  %0 = xla.iota {iota_dimension = 0 : i64} : tensor<4xi32>
  %1 = xla.constant dense<10> : tensor<4xi32>
  %2 = xla.multiply %0, %1 : tensor<4xi32>
  %3 = xla.constant dense<7> : tensor<4xi32>
  %x = xla.subtract %2, %3 : tensor<4xi32>
  %k = xla.constant dense<-7> : tensor<4xi32>
  %m = xla.constant dense<23> : tensor<4xi32>
  %r = xla.clamp %k, %x, %m : (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}

// CHECK-LABEL: @clamp_within_not(
// CHECK: xla.clamp
func.func @clamp_within_not() -> tensor<4xi32> {
  %0 = xla.iota {iota_dimension = 0 : i64} : tensor<4xi32>
  %1 = xla.constant dense<10> : tensor<4xi32>
  %2 = xla.multiply %0, %1 : tensor<4xi32>
  %3 = xla.constant dense<7> : tensor<4xi32>
  %x = xla.subtract %2, %3 : tensor<4xi32>
  %k = xla.constant dense<-6> : tensor<4xi32>
  %m = xla.constant dense<23> : tensor<4xi32>
  %r = xla.clamp %k, %x, %m : (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}

// CHECK-LABEL: @clamp_within_not_2(
// CHECK: xla.clamp
func.func @clamp_within_not_2() -> tensor<4xi32> {
  %0 = xla.iota {iota_dimension = 0 : i64} : tensor<4xi32>
  %1 = xla.constant dense<10> : tensor<4xi32>
  %2 = xla.multiply %0, %1 : tensor<4xi32>
  %3 = xla.constant dense<7> : tensor<4xi32>
  %x = xla.subtract %2, %3 : tensor<4xi32>
  %k = xla.constant dense<-7> : tensor<4xi32>
  %m = xla.constant dense<22> : tensor<4xi32>
  %r = xla.clamp %k, %x, %m : (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}

// An iota of bytes goes from 255 to 0.
// CHECK-LABEL: @lt_all_not_wrapped(
// CHECK: xla.compare
func.func @lt_all_not_wrapped() -> tensor<300xi1> {
  %x = xla.iota {iota_dimension = 0 : i64} : tensor<300xi8>
  %k = xla.constant dense<100> : tensor<300xi8>
  %r = xla.compare %x, %k {comparison_direction = "LT"} : (tensor<300xi8>, tensor<300xi8>) -> tensor<300xi1>
  return %r : tensor<300xi1>
}

// Of what a reduction chooses, as the places of greatest elements.
// CHECK-LABEL: @lt_none_of_places(
// CHECK: %[[A:.*]] = xla.constant dense<false> : tensor<4xi1>
// CHECK-NEXT: return %[[A]] :
func.func @lt_none_of_places(%x: tensor<4x9xf32>) -> tensor<4xi1> {
  %i = xla.iota {iota_dimension = 1 : i64} : tensor<4x9xi32>
  %low = xla.constant dense<0xFF800000> : tensor<f32>
  %zero = xla.constant dense<0> : tensor<i32>
  %m:2 = xla.reduce(%x, %i, %low, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<i32>, %c: tensor<f32>, %d: tensor<i32>):
    %g = xla.compare %a, %c {comparison_direction = "GT"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %v = xla.select %g, %a, %c : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %w = xla.select %g, %b, %d : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    xla.return %v, %w : tensor<f32>, tensor<i32>
  }) {dimensions = array<i64: 1>} : (tensor<4x9xf32>, tensor<4x9xi32>, tensor<f32>, tensor<i32>) -> (tensor<4xf32>, tensor<4xi32>)
  %k = xla.constant dense<0> : tensor<4xi32>
  %r = xla.compare %m#1, %k {comparison_direction = "LT"} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  return %r : tensor<4xi1>
}
