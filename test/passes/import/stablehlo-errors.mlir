// RUN: xla-opt --allow-unregistered-dialect --xla-import-stablehlo --split-input-file --verify-diagnostics %s

func.func @unknown(%a: tensor<4xf32>) {
  // expected-error @+1 {{unregistered operation 'stablehlo.frobnicate' found in dialect ('stablehlo')}}
  "stablehlo.frobnicate"(%a) : (tensor<4xf32>) -> ()
  return
}

// -----

func.func @other(%a: tensor<4xf32>) {
  // expected-error @+1 {{'other.op' op is not supported yet}}
  "other.op"(%a) : (tensor<4xf32>) -> ()
  return
}

// -----

func.func @dynamic(%a: tensor<?xf32>) {
  // expected-error @+1 {{'stablehlo.negate' op is not supported yet for operand 0, tensor<?xf32>}}
  %0 = "stablehlo.negate"(%a) : (tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @quantized(%a: tensor<4x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error @+1 {{'stablehlo.add' op is not supported yet for operand 0}}
  %0 = "stablehlo.add"(%a, %a) : (tensor<4x!quant.uniform<i8:f32, 0.5>>, tensor<4x!quant.uniform<i8:f32, 0.5>>) -> tensor<4x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

func.func @attribute(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.negate' op attribute 'meaning' is not supported yet}}
  %0 = "stablehlo.negate"(%a) <{meaning = 1}> {name = "n"} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----


func.func @known(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.negate' op attribute 'permutation' is not supported yet}}
  %0 = "stablehlo.negate"(%a) {permutation = array<i64: 0>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @key(%a: tensor<4xf32>) {
  // expected-error @+1 {{attribute 'dot_dimension_numbers' cannot be read: dot<lhs_contracting = [0]>}}
  %0 = "stablehlo.dot_general"(%a, %a) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting = [0]>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  return
}

// -----

func.func @number(%a: tensor<4xf32>) {
  // expected-error @+1 {{attribute 'dot_dimension_numbers' cannot be read: dot<lhs_contracting_dimensions = [99999999999999999999]>}}
  %0 = "stablehlo.dot_general"(%a, %a) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [99999999999999999999]>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  return
}

// -----

func.func @twice(%a: tensor<4xf32>) {
  // expected-error @+1 {{attribute 'dot_dimension_numbers' cannot be read}}
  %0 = "stablehlo.dot_general"(%a, %a) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], lhs_contracting_dimensions = [0]>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  return
}

// -----

// The xla verifier is who knows what operations require.
func.func @verified(%a: tensor<4xf32>) {
  // expected-error @+1 {{'xla.compare' op requires the attribute 'comparison_direction'}}
  %0 = "stablehlo.compare"(%a, %a) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return
}

// -----

func.func @no_value(%a: tensor<4xf32>) {
  // expected-error @+1 {{'check.expect_eq_const' op has no dense 'value' to compare with}}
  "check.expect_eq_const"(%a) {value = 3} : (tensor<4xf32>) -> ()
  return
}

// -----

func.func @no_decomposition(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.composite' op has no decomposition}}
  "stablehlo.composite"(%a) : (tensor<4xf32>) -> ()
  return
}

// -----

func.func @pairs(%a: tensor<f32>, %t: !stablehlo.token) {
  // expected-error @+1 {{'stablehlo.send' op attribute 'source_target_pairs' is not supported yet: transfers are to the host or another program, not between 2 replicas of one}}
  %0 = "stablehlo.send"(%a, %t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<f32>, !stablehlo.token) -> !stablehlo.token
  return
}

// -----

func.func @no_pairs(%a: tensor<f32>, %t: !stablehlo.token) {
  %0 = "stablehlo.send"(%a, %t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<> : tensor<0x2xi64>}> : (tensor<f32>, !stablehlo.token) -> !stablehlo.token
  // expected-error @+1 {{'stablehlo.send' op has no dense attribute 'source_target_pairs'}}
  %1 = "stablehlo.send"(%a, %t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = 7}> : (tensor<f32>, !stablehlo.token) -> !stablehlo.token
  return
}
