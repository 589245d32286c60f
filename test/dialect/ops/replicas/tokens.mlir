// Tokens in signatures, tuples, calls and control flow, on every device: they are no inputs and no outputs.
// RUN: xla-run %s --entry=flow --input=pred=true --input="2xf32=1 2" --device=all --expected-output="2xf32=8 16" --expected-output=i32=3
// RUN: xla-run %s --entry=flow --input=pred=false --input="2xf32=1 2" --device=all --expected-output="2xf32=-8 -16" --expected-output=i32=3
// RUN: xla-run %s --entry=only --device=all | count 0
// RUN: xla-run %s --entry=flow --input=pred=true --input="2xf32=1 2" --device=cpu --expected-output="2xf32=8 16" --expected-output=i32=3
// RUN: xla-run %s --check --entry=loop --device=interpreter
// RUN: not xla-run %s --check --entry=failing --device=interpreter 2>&1 | FileCheck %s
// A loop that carries tokens only is run all the same.
// RUN: not xla-run %s --check --entry=failing --device=cpu 2>&1 | FileCheck %s
// CHECK: check.expect_eq: 1 of 1 elements differ

func.func private @pass(%t: !xla.token, %x: tensor<2xf32>) -> tuple<!xla.token, tensor<2xf32>> {
  %0 = xla.add %x, %x : tensor<2xf32>
  %1 = xla.tuple %t, %0 : (!xla.token, tensor<2xf32>) -> tuple<!xla.token, tensor<2xf32>>
  return %1 : tuple<!xla.token, tensor<2xf32>>
}

func.func @flow(%p: tensor<i1>, %x: tensor<2xf32>, %t: !xla.token) -> (!xla.token, tensor<2xf32>, tuple<tensor<i32>, tuple<!xla.token>>) {
  %new = xla.create_token : () -> !xla.token
  %both = xla.after_all %t, %new : (!xla.token, !xla.token) -> !xla.token
  %i = xla.constant dense<0> : tensor<i32>
  %init = xla.tuple %both, %i, %x : (!xla.token, tensor<i32>, tensor<2xf32>) -> tuple<!xla.token, tensor<i32>, tensor<2xf32>>
  %other = xla.tuple %new, %i, %x : (!xla.token, tensor<i32>, tensor<2xf32>) -> tuple<!xla.token, tensor<i32>, tensor<2xf32>>
  // Tuples with tokens, and tokens, are selected by a scalar.
  %chosen = xla.select %p, %init, %other : (tensor<i1>, tuple<!xla.token, tensor<i32>, tensor<2xf32>>, tuple<!xla.token, tensor<i32>, tensor<2xf32>>) -> tuple<!xla.token, tensor<i32>, tensor<2xf32>>
  %token = xla.select %p, %both, %new : (tensor<i1>, !xla.token, !xla.token) -> !xla.token
  %w:2 = xla.while(%chosen, %token) ({
  ^bb0(%s: tuple<!xla.token, tensor<i32>, tensor<2xf32>>, %k: !xla.token):
    %n = xla.get_tuple_element %s {index = 1} : (tuple<!xla.token, tensor<i32>, tensor<2xf32>>) -> tensor<i32>
    %three = xla.constant dense<3> : tensor<i32>
    %c = xla.compare %n, %three {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  }, {
  ^bb0(%s: tuple<!xla.token, tensor<i32>, tensor<2xf32>>, %k: !xla.token):
    %before = xla.get_tuple_element %s {index = 0} : (tuple<!xla.token, tensor<i32>, tensor<2xf32>>) -> !xla.token
    %n = xla.get_tuple_element %s {index = 1} : (tuple<!xla.token, tensor<i32>, tensor<2xf32>>) -> tensor<i32>
    %y = xla.get_tuple_element %s {index = 2} : (tuple<!xla.token, tensor<i32>, tensor<2xf32>>) -> tensor<2xf32>
    %one = xla.constant dense<1> : tensor<i32>
    %next = xla.add %n, %one : tensor<i32>
    %called = xla.call @pass(%before, %y) : (!xla.token, tensor<2xf32>) -> tuple<!xla.token, tensor<2xf32>>
    %t1 = xla.get_tuple_element %called {index = 0} : (tuple<!xla.token, tensor<2xf32>>) -> !xla.token
    %y1 = xla.get_tuple_element %called {index = 1} : (tuple<!xla.token, tensor<2xf32>>) -> tensor<2xf32>
    %t2 = xla.after_all %t1, %k : (!xla.token, !xla.token) -> !xla.token
    %s1 = xla.tuple %t2, %next, %y1 : (!xla.token, tensor<i32>, tensor<2xf32>) -> tuple<!xla.token, tensor<i32>, tensor<2xf32>>
    xla.return %s1, %t2 : tuple<!xla.token, tensor<i32>, tensor<2xf32>>, !xla.token
  }) : (tuple<!xla.token, tensor<i32>, tensor<2xf32>>, !xla.token) -> (tuple<!xla.token, tensor<i32>, tensor<2xf32>>, !xla.token)
  %b:2 = xla.optimization_barrier %w#0, %w#1 : (tuple<!xla.token, tensor<i32>, tensor<2xf32>>, !xla.token) -> (tuple<!xla.token, tensor<i32>, tensor<2xf32>>, !xla.token)
  %n = xla.get_tuple_element %b#0 {index = 1} : (tuple<!xla.token, tensor<i32>, tensor<2xf32>>) -> tensor<i32>
  %y = xla.get_tuple_element %b#0 {index = 2} : (tuple<!xla.token, tensor<i32>, tensor<2xf32>>) -> tensor<2xf32>
  %r:2 = xla.if(%p) ({
    %after = xla.after_all %b#1 : !xla.token
    xla.return %after, %y : !xla.token, tensor<2xf32>
  }, {
    %minus = xla.negate %y : tensor<2xf32>
    xla.return %b#1, %minus : !xla.token, tensor<2xf32>
  }) : (tensor<i1>) -> (!xla.token, tensor<2xf32>)
  %inner = xla.tuple %r#0 : (!xla.token) -> tuple<!xla.token>
  %out = xla.tuple %n, %inner : (tensor<i32>, tuple<!xla.token>) -> tuple<tensor<i32>, tuple<!xla.token>>
  return %r#0, %r#1, %out : !xla.token, tensor<2xf32>, tuple<tensor<i32>, tuple<!xla.token>>
}

func.func @only(%t: !xla.token) -> !xla.token {
  %p = xla.constant dense<true> : tensor<i1>
  %0 = xla.create_token : () -> !xla.token
  %1 = xla.optimization_barrier %0 : !xla.token
  %2 = xla.select %p, %1, %t : (tensor<i1>, !xla.token, !xla.token) -> !xla.token
  %3 = xla.conditional(%p, %2, %t) ({
  ^bb0(%a: !xla.token):
    xla.return %a : !xla.token
  }, {
  ^bb0(%a: !xla.token):
    %all = xla.after_all %a, %t : (!xla.token, !xla.token) -> !xla.token
    xla.return %all : !xla.token
  }) : (tensor<i1>, !xla.token, !xla.token) -> !xla.token
  return %3 : !xla.token
}

func.func @loop() {
  %0 = xla.create_token : () -> !xla.token
  %false = xla.constant dense<false> : tensor<i1>
  %1 = xla.while(%0) ({
  ^bb0(%t: !xla.token):
    xla.return %false : tensor<i1>
  }, {
  ^bb0(%t: !xla.token):
    xla.return %t : !xla.token
  }) : (!xla.token) -> !xla.token
  return
}

func.func @failing() {
  %0 = xla.create_token : () -> !xla.token
  %false = xla.constant dense<false> : tensor<i1>
  %x = xla.constant dense<1.0> : tensor<1xf32>
  %y = xla.constant dense<2.0> : tensor<1xf32>
  %1 = xla.while(%0) ({
  ^bb0(%t: !xla.token):
    xla.custom_call %x, %y {call_target_name = "check.expect_eq"} : (tensor<1xf32>, tensor<1xf32>) -> ()
    xla.return %false : tensor<i1>
  }, {
  ^bb0(%t: !xla.token):
    xla.return %t : !xla.token
  }) : (!xla.token) -> !xla.token
  return
}
