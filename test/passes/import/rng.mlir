// Random numbers of StableHLO.
// RUN: xla-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics --xla-import-stablehlo | FileCheck %s

// CHECK-LABEL: @rng
// CHECK: xla.rng_uniform %arg0, %arg0 : (tensor<f32>, tensor<f32>) -> tensor<2x3xf32>
// CHECK: xla.rng_normal %arg0, %arg0 : (tensor<f32>, tensor<f32>) -> tensor<2x3xf32>
// CHECK: xla.rng_uniform %arg0, %arg0 : tensor<f32>
// CHECK: xla.rng_normal %arg0, %arg0 : (tensor<f32>, tensor<f32>) -> tensor<5xf32>
// CHECK: xla.rng_bit_generator %arg2 {rng_algorithm = "THREE_FRY"} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui8>)
func.func @rng(%a: tensor<f32>, %s: tensor<1xi32>, %state: tensor<2xui64>) {
  %shape = "stablehlo.constant"() <{value = dense<[2, 3]> : tensor<2xi64>}> : () -> tensor<2xi64>
  %none = "stablehlo.constant"() <{value = dense<> : tensor<0xi64>}> : () -> tensor<0xi64>
  %0 = "stablehlo.rng"(%a, %a, %shape) <{rng_distribution = #stablehlo<rng_distribution UNIFORM>}> : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<2x3xf32>
  %1 = "stablehlo.rng"(%a, %a, %shape) <{rng_distribution = #stablehlo<rng_distribution NORMAL>}> : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<2x3xf32>
  %2 = "stablehlo.rng"(%a, %a, %none) <{rng_distribution = #stablehlo<rng_distribution UNIFORM>}> : (tensor<f32>, tensor<f32>, tensor<0xi64>) -> tensor<f32>
  %3 = "stablehlo.rng"(%a, %a, %s) <{rng_distribution = #stablehlo<rng_distribution NORMAL>}> : (tensor<f32>, tensor<f32>, tensor<1xi32>) -> tensor<5xf32>
  %output_state, %output = "stablehlo.rng_bit_generator"(%state) <{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui8>)
  return
}

// -----

func.func @other_shape(%a: tensor<f32>) {
  %shape = "stablehlo.constant"() <{value = dense<[2, 4]> : tensor<2xi64>}> : () -> tensor<2xi64>
  // expected-error @+1 {{'stablehlo.rng' op has a shape operand that is not the result's shape, tensor<2x3xf32>}}
  %0 = "stablehlo.rng"(%a, %a, %shape) <{rng_distribution = #stablehlo<rng_distribution UNIFORM>}> : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<2x3xf32>
  return
}

// -----

func.func @other_distribution(%a: tensor<f32>, %shape: tensor<2xi64>) {
  // expected-error @+1 {{'stablehlo.rng' op must have three operands, a result and the rng_distribution UNIFORM or NORMAL}}
  %0 = "stablehlo.rng"(%a, %a, %shape) <{rng_distribution = #stablehlo<rng_distribution CAUCHY>}> : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<2x3xf32>
  return
}

// -----

func.func @dynamic(%a: tensor<f32>, %shape: tensor<1xi64>) {
  // expected-error @+1 {{'stablehlo.rng' op is not supported yet for result 0, tensor<?xf32>, which}}
  %0 = "stablehlo.rng"(%a, %a, %shape) <{rng_distribution = #stablehlo<rng_distribution UNIFORM>}> : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<?xf32>
  return
}
