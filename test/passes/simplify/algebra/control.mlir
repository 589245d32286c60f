// RUN: xla-opt %s --xla-simplify-algebra | FileCheck %s

// case(k) = the branch, of if and conditional too
// CHECK-LABEL: @case_constant(
// CHECK-NEXT: %[[A:.*]] = xla.sine %arg0 : tensor<f32>
// CHECK-NEXT: %[[B:.*]] = xla.cosine %arg0 : tensor<f32>
// CHECK-NEXT: %[[C:.*]] = xla.floor %arg0 : tensor<f32>
// CHECK-NEXT: return %[[A]], %[[B]], %[[C]] :
func.func @case_constant(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
  %true = xla.constant dense<true> : tensor<i1>
  %0 = xla.if(%true) ({
    %a = xla.sine %x : tensor<f32>
    xla.return %a : tensor<f32>
  }, {
    xla.return %x : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  %many = xla.constant dense<7> : tensor<i32>
  %1 = xla.case(%many) ({
    xla.return %x : tensor<f32>
  }, {
    %b = xla.cosine %x : tensor<f32>
    %c = xla.negate %b : tensor<f32>
    %d = xla.negate %c : tensor<f32>
    xla.return %d : tensor<f32>
  }) : (tensor<i32>) -> tensor<f32>
  %false = xla.constant dense<false> : tensor<i1>
  %2 = xla.conditional(%false, %0, %x) ({
  ^bb0(%e: tensor<f32>):
    xla.return %e : tensor<f32>
  }, {
  ^bb0(%e: tensor<f32>):
    %f = xla.floor %e : tensor<f32>
    xla.return %f : tensor<f32>
  }) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
  return %0, %1, %2 : tensor<f32>, tensor<f32>, tensor<f32>
}

// CHECK-LABEL: @case_constant_not(
// CHECK: xla.if(%arg0)
func.func @case_constant_not(%p: tensor<i1>, %x: tensor<f32>) -> tensor<f32> {
  %0 = xla.if(%p) ({
    %a = xla.floor %x : tensor<f32>
    xla.return %a : tensor<f32>
  }, {
    xla.return %x : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  return %0 : tensor<f32>
}

// while(x) = x if its condition is the constant false
// CHECK-LABEL: @while_never(
// CHECK-NEXT: return %arg0, %arg1 :
func.func @while_never(%x: tensor<f32>, %i: tensor<i32>) -> (tensor<f32>, tensor<i32>) {
  %0, %1 = xla.while(%x, %i) ({
  ^bb0(%a: tensor<f32>, %b: tensor<i32>):
    %c = xla.compare %b, %b {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<i32>):
    %c = xla.sine %a : tensor<f32>
    xla.return %c, %b : tensor<f32>, tensor<i32>
  }) : (tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
  return %0, %1 : tensor<f32>, tensor<i32>
}

// Rules apply inside; the loop runs.
// CHECK-LABEL: @while_never_not(
// CHECK: xla.while(%arg0)
// CHECK: xla.compare %{{.*}}, %{{.*}} {comparison_direction = "LT"}
// CHECK-NOT: xla.negate
// CHECK: return
func.func @while_never_not(%i: tensor<i8>) -> tensor<i8> {
  %n = xla.constant dense<100> : tensor<i8>
  %0 = xla.while(%i) ({
  ^bb0(%b: tensor<i8>):
    %c = xla.compare %n, %b {comparison_direction = "GT"} : (tensor<i8>, tensor<i8>) -> tensor<i1>
    xla.return %c : tensor<i1>
  }, {
  ^bb0(%b: tensor<i8>):
    %one = xla.constant dense<-1> : tensor<i8>
    %c = xla.negate %one : tensor<i8>
    %d = xla.add %b, %c : tensor<i8>
    xla.return %d : tensor<i8>
  }) : (tensor<i8>) -> tensor<i8>
  return %0 : tensor<i8>
}

// while(x) = its body, as often as it runs
// CHECK-LABEL: @while_few(
// CHECK-NOT: xla.while
// CHECK: %[[A:.*]] = xla.multiply %arg0, %arg0 : tensor<4xf32>
// CHECK: %[[B:.*]] = xla.multiply %[[A]], %[[A]] : tensor<4xf32>
// CHECK: %[[C:.*]] = xla.multiply %[[B]], %[[B]] : tensor<4xf32>
// CHECK: return %[[C]], %{{.*}}, %arg0 :
func.func @while_few(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<i32>, tensor<4xf32>) {
  %five = xla.constant dense<5> : tensor<i32>
  %0, %1, %2 = xla.while(%x, %five, %x) ({
  ^bb0(%a: tensor<4xf32>, %i: tensor<i32>, %b: tensor<4xf32>):
    %zero = xla.constant dense<0> : tensor<i32>
    %c = xla.compare %i, %zero {comparison_direction = "GT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<4xf32>, %i: tensor<i32>, %b: tensor<4xf32>):
    %step = xla.constant dense<-2> : tensor<i32>
    %c = xla.multiply %a, %a : tensor<4xf32>
    %d = xla.add %step, %i : tensor<i32>
    xla.return %c, %d, %b : tensor<4xf32>, tensor<i32>, tensor<4xf32>
  }) : (tensor<4xf32>, tensor<i32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<i32>, tensor<4xf32>)
  return %0, %1, %2 : tensor<4xf32>, tensor<i32>, tensor<4xf32>
}

// None.
// CHECK-LABEL: @while_few_none(
// CHECK-NOT: xla.while
// CHECK-NOT: xla.sine
// CHECK: return %arg0, %{{.*}} :
func.func @while_few_none(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<i32>) {
  %five = xla.constant dense<5> : tensor<i32>
  %0, %1 = xla.while(%x, %five) ({
  ^bb0(%a: tensor<4xf32>, %i: tensor<i32>):
    %c = xla.compare %i, %five {comparison_direction = "NE"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<4xf32>, %i: tensor<i32>):
    %step = xla.constant dense<1> : tensor<i32>
    %c = xla.sine %a : tensor<4xf32>
    %d = xla.add %i, %step : tensor<i32>
    xla.return %c, %d : tensor<4xf32>, tensor<i32>
  }) : (tensor<4xf32>, tensor<i32>) -> (tensor<4xf32>, tensor<i32>)
  return %0, %1 : tensor<4xf32>, tensor<i32>
}

// Nine steps; what ends does not count; a sum is no part of a kernel of several steps.
// CHECK-LABEL: @while_few_not(
// CHECK-COUNT-3: xla.while
func.func @while_few_not(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<i32>, tensor<4xf32>, tensor<i32>, tensor<4xf32>, tensor<i32>) {
  %zero = xla.constant dense<0> : tensor<i32>
  %one = xla.constant dense<1> : tensor<i32>
  %eight = xla.constant dense<8> : tensor<i32>
  %f = xla.constant dense<0.0> : tensor<f32>
  %0, %1 = xla.while(%x, %zero) ({
  ^bb0(%a: tensor<4xf32>, %i: tensor<i32>):
    %c = xla.compare %i, %eight {comparison_direction = "LE"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<4xf32>, %i: tensor<i32>):
    %c = xla.sine %a : tensor<4xf32>
    %d = xla.add %i, %one : tensor<i32>
    xla.return %c, %d : tensor<4xf32>, tensor<i32>
  }) : (tensor<4xf32>, tensor<i32>) -> (tensor<4xf32>, tensor<i32>)
  %2, %3 = xla.while(%x, %one) ({
  ^bb0(%a: tensor<4xf32>, %i: tensor<i32>):
    %c = xla.compare %i, %eight {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<4xf32>, %i: tensor<i32>):
    %c = xla.sine %a : tensor<4xf32>
    %d = xla.add %i, %i : tensor<i32>
    xla.return %c, %d : tensor<4xf32>, tensor<i32>
  }) : (tensor<4xf32>, tensor<i32>) -> (tensor<4xf32>, tensor<i32>)
  %4, %5 = xla.while(%x, %one) ({
  ^bb0(%a: tensor<4xf32>, %i: tensor<i32>):
    %c = xla.compare %i, %eight {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<4xf32>, %i: tensor<i32>):
    %s = xla.reduce(%a, %f) ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %t = xla.add %p, %q : tensor<f32>
      xla.return %t : tensor<f32>
    }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %c = xla.broadcast_in_dim %s {broadcast_dimensions = array<i64>} : (tensor<f32>) -> tensor<4xf32>
    %d = xla.add %i, %one : tensor<i32>
    xla.return %c, %d : tensor<4xf32>, tensor<i32>
  }) : (tensor<4xf32>, tensor<i32>) -> (tensor<4xf32>, tensor<i32>)
  return %0, %1, %2, %3, %4, %5 : tensor<4xf32>, tensor<i32>, tensor<4xf32>, tensor<i32>, tensor<4xf32>, tensor<i32>
}

// get_tuple_element(tuple(x, ..)) = x
// CHECK-LABEL: @tuple_element(
// CHECK-NEXT: return %arg1 :
func.func @tuple_element(%x: tensor<f32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %0 = xla.tuple %x, %y : (tensor<f32>, tensor<2xf32>) -> tuple<tensor<f32>, tensor<2xf32>>
  %1 = xla.get_tuple_element %0 {index = 1 : i64} : (tuple<tensor<f32>, tensor<2xf32>>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// CHECK-LABEL: @tuple_element_not(
// CHECK: xla.get_tuple_element %arg0
func.func @tuple_element_not(%t: tuple<tensor<f32>, tensor<2xf32>>) -> tensor<2xf32> {
  %1 = xla.get_tuple_element %t {index = 1 : i64} : (tuple<tensor<f32>, tensor<2xf32>>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}
