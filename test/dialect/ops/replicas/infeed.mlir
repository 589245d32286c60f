// Specification 000, Infeed.
// RUN: xla-opt %s --split-input-file --verify-diagnostics | xla-opt --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @forms
// CHECK: xla.infeed : () -> tensor<2xf32>
// CHECK: xla.infeed : () -> tuple<tensor<2xf32>, tensor<i1>>
// CHECK: xla.infeed : () -> tuple<>
// CHECK: xla.infeed %arg0 {infeed_config = "x", layout = {{\[\[}}0]]} : (!xla.token) -> (tensor<3xi32>, tensor<0xf64>, !xla.token)
// CHECK: xla.infeed %arg0 : !xla.token
func.func @forms(%k: !xla.token) {
  %0 = xla.infeed : () -> tensor<2xf32>
  %1 = xla.infeed : () -> tuple<tensor<2xf32>, tensor<i1>>
  %2 = xla.infeed : () -> tuple<>
  %3:3 = "xla.infeed"(%k) <{infeed_config = "x", layout = [[0]]}> : (!xla.token) -> (tensor<3xi32>, tensor<0xf64>, !xla.token)
  %4 = xla.infeed %k : !xla.token
  return
}

// -----

// Infeeds stay in their order and are not removed, nor merged.
// CHECK-LABEL: func.func @order
func.func @order(%x: tensor<i32>) {
  %0 = xla.while(%x) ({
  ^bb0(%i: tensor<i32>):
    %c = xla.infeed : () -> tensor<i1>
    xla.return %c : tensor<i1>
  }, {
  ^bb0(%i: tensor<i32>):
    %n = xla.infeed : () -> tensor<i32>
    xla.return %n : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  return
}

// -----

func.func @c1() {
  // expected-error @+1 {{has no results [infeed_c1]}}
  xla.infeed : () -> ()
  return
}

// -----

func.func @c2() {
  // expected-error @+1 {{result 0 is tuple<tuple<tensor<f32>>>, neither an array nor a tuple of arrays [infeed_c2]}}
  %0 = xla.infeed : () -> tuple<tuple<tensor<f32>>>
  return
}

// -----

func.func @c2_token() {
  // expected-error @+1 {{result 0 is !xla.token, neither an array nor a tuple of arrays [infeed_c2]}}
  %0 = xla.infeed : () -> !xla.token
  return
}

// -----

func.func @c3(%k: !xla.token) {
  // expected-error @+1 {{the last result is tensor<f32>, must be a token as the operand [infeed_c3]}}
  %0 = xla.infeed %k : (!xla.token) -> tensor<f32>
  return
}

// -----

func.func @c4(%x: tensor<f32>) {
  // expected-error @+1 {{the operand is tensor<f32>, no token [infeed_c4]}}
  %0 = xla.infeed %x : tensor<f32>
  return
}

// -----

func.func @count(%k: !xla.token) {
  // expected-error @+1 {{takes 0 or more operands, has 2 [arity]}}
  %0 = xla.infeed %k, %k : !xla.token
  return
}
