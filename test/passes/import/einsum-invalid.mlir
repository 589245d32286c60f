// RUN: xla-opt %s --allow-unregistered-dialect --xla-import-stablehlo --verify-diagnostics --split-input-file

func.func @tuple(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{has tuple<> where an array must be}}
  %0 = "stablehlo.einsum"(%x, %x) <{einsum_config = "ab,cb->ac"}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tuple<>
  return
}

// -----

func.func @token(%x: !stablehlo.token) {
  // expected-error @+1 {{has !xla.token where an array must be}}
  %0 = "stablehlo.unary_einsum"(%x) <{einsum_config = "ab->b"}> : (!stablehlo.token) -> tensor<f32>
  return
}
