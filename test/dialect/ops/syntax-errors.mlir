// RUN: xla-opt %s --split-input-file --verify-diagnostics

func.func @words(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  // expected-error @+1 {{'xla.transpose' op attribute 'permutation' must be a list of integers, [..] or array<i64: ..> [attribute]}}
  %0 = xla.transpose %x {permutation = [1, "a"]} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}

// -----

func.func @entry(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  // expected-error @+1 {{'xla.transpose' op permutation[1] is 2}}
  %0 = xla.transpose %x {permutation = [1, 2]} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}

// -----

func.func @unknown(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{custom op 'xla.cosin' is unknown; did you mean 'xla.cosine'?}}
  %0 = xla.cosin %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @swapped(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{custom op 'xla.tahn' is unknown; did you mean 'xla.tanh'?}}
  %0 = xla.tahn %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @foreign(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{custom op 'xla.frobnicate' is unknown}}
  %0 = xla.frobnicate %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @types(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-note @+1 {{prior use here}}
  %one = xla.constant dense<1.0> : tensor<f32>
  // expected-error @+2 {{expects different type than prior uses}}
  // expected-error @+1 {{custom op 'xla.add' is written with one type where operands and result have the same; else with : (types of operands) -> type of the result}}
  %0 = xla.add %x, %one : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @number() -> tensor<f32> {
  // expected-error @+2 {{floating point value not valid for specified type}}
  // expected-error @+1 {{custom op 'xla.constant' takes a value such as dense<1.0> : tensor<2xf32>}}
  %0 = xla.constant 1.0 : tensor<f32> return %0 : tensor<f32>
}
