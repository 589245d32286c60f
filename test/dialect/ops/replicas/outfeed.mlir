// Specification of StableHLO, outfeed.
// RUN: xla-opt %s --split-input-file --verify-diagnostics | xla-opt --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @forms
// CHECK: xla.outfeed %arg0 : (tensor<2xf32>) -> ()
// CHECK: xla.outfeed %arg0, %arg1, %arg2 {outfeed_config = "x"} : (tensor<2xf32>, tuple<tensor<i32>>, !xla.token) -> !xla.token
// CHECK: xla.outfeed %arg2 : !xla.token
// CHECK: xla.outfeed : () -> ()
func.func @forms(%x: tensor<2xf32>, %t: tuple<tensor<i32>>, %k: !xla.token) {
  xla.outfeed %x : (tensor<2xf32>) -> ()
  %0 = xla.outfeed %x, %t, %k {outfeed_config = "x"} : (tensor<2xf32>, tuple<tensor<i32>>, !xla.token) -> !xla.token
  %1 = xla.outfeed %k : !xla.token
  xla.outfeed : () -> ()
  return
}

// -----

func.func @c1(%t: tuple<tuple<tensor<i32>>>) {
  // expected-error @+1 {{operand 0 is tuple<tuple<tensor<i32>>>, neither an array nor a tuple of arrays [outfeed_c1]}}
  xla.outfeed %t : (tuple<tuple<tensor<i32>>>) -> ()
  return
}

// -----

func.func @c1_order(%k: !xla.token, %x: tensor<f32>) {
  // expected-error @+1 {{operand 0 is !xla.token, neither an array nor a tuple of arrays [outfeed_c1]}}
  xla.outfeed %k, %x : (!xla.token, tensor<f32>) -> ()
  return
}

// -----

func.func @result(%k: !xla.token) {
  // expected-error @+1 {{has 0 results, should have 1 [result]}}
  xla.outfeed %k : (!xla.token) -> ()
  return
}

// -----

func.func @no_token(%x: tensor<f32>) {
  // expected-error @+1 {{has 1 results, should have 0 [result]}}
  %0 = xla.outfeed %x : tensor<f32>
  return
}
