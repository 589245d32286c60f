// What is wrong is told where it stands.
// RUN: not xla-run %s 2>&1 | FileCheck %s
// CHECK: errors.mlir:8:8: error: custom op 'stablehlo.addd' is unknown; did you mean 'stablehlo.add'?
// RUN: xla-opt --split-input-file --verify-diagnostics %s

func.func @unknown(%a: tensor<4xf32>) {
  // expected-error @+1 {{custom op 'stablehlo.addd' is unknown; did you mean 'stablehlo.add'?}}
  %0 = stablehlo.addd %a, %a : tensor<4xf32>
  return
}

// -----

func.func @generic_only(%a: tensor<4xf32>) {
  // expected-error @+1 {{custom op 'stablehlo.gather' is written in the generic form only}}
  %0 = stablehlo.gather %a : tensor<4xf32>
  return
}

// -----

func.func @one_operand(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected ','}}
  %0 = stablehlo.add %a : tensor<4xf32>
  return
}

// -----

func.func @keyword(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected 'dims'}}
  %0 = stablehlo.broadcast_in_dim %a, dim = [0] : (tensor<4xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @types(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected (types) -> types}}
  %0 = stablehlo.reshape %a : tensor<4xf32>
  return
}

// -----

func.func @number_of_types(%a: tensor<4xf32>) {
  // expected-error @+1 {{number of operands and types do not match: got 2 operands and 1 types}}
  %0 = stablehlo.add %a, %a : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// expected-note @+1 {{prior use here}}
func.func @operand_type(%a: tensor<4xf32>) {
  // expected-error @+1 {{expects different type than prior uses: 'tensor<5xf32>' vs 'tensor<4xf32>'}}
  %0 = stablehlo.negate %a : tensor<5xf32>
  return
}

// -----

func.func @twice() {
  // expected-error @+1 {{attribute 'iota_dimension' occurs more than once in the attribute list}}
  %0 = stablehlo.iota dim = 0 {iota_dimension = 0 : i64} : tensor<4xf32>
  return
}

// -----

func.func @select(%p: tensor<i1>, %a: tensor<f32>) {
  // expected-error @+1 {{expected the types of the condition and of the result, or (types) -> type}}
  %0 = stablehlo.select %p, %a, %a : tensor<f32>
  return
}

// -----

func.func @complex(%a: tensor<f32>) {
  // expected-error @+1 {{expected a tensor of complex numbers}}
  %0 = stablehlo.complex %a, %a : tensor<f32>
  return
}

// -----

func.func @tuple(%a: tensor<f32>) {
  // expected-error @+1 {{expected a tuple's type}}
  %0 = stablehlo.tuple %a : tensor<f32>
  return
}

// -----

func.func @constant() {
  // expected-error @+1 {{expected elements such as dense<1.0> : tensor<4xf32>}}
  %0 = stablehlo.constant 1.0 : f32
  return
}

// -----

func.func @bits(%a: tensor<f32>) {
  // expected-error @+1 {{expected numbers of exponent and mantissa bits, as in e5m10}}
  %0 = stablehlo.reduce_precision %a, format = e5 : tensor<f32>
  return
}

// -----

func.func @large(%t: tuple<tensor<f32>>) {
  // expected-error @+1 {{the number does not fit 32 bits}}
  %0 = stablehlo.get_tuple_element %t[4294967296] : (tuple<tensor<f32>>) -> tensor<f32>
  return
}

// -----

func.func @range(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected ':'}}
  %0 = stablehlo.slice %a [1] : (tensor<4xf32>) -> tensor<1xf32>
  return
}

// -----

func.func @pad(%x: tensor<1x8x4xf32>, %w: tensor<3x4x4xf32>) {
  // expected-error @+1 {{expected a pair [low, high] for each of up to 1024 dimensions}}
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 1, 1]]} : (tensor<1x8x4xf32>, tensor<3x4x4xf32>) -> tensor<1x8x4xf32>
  return
}

// -----

func.func @window(%x: tensor<1x8x4xf32>, %w: tensor<3x4x4xf32>) {
  // expected-error @+1 {{expected 'stride', 'pad', 'lhs_dilate', 'rhs_dilate' or 'reverse'}}
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {strides = [1]} : (tensor<1x8x4xf32>, tensor<3x4x4xf32>) -> tensor<1x6x4xf32>
  return
}

// -----

func.func @bracket(%x: tensor<1x8x4xf32>, %w: tensor<3x4x4xf32>) {
  // expected-error @+1 {{expected ']'}}
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f}x[0, i, o]->[b, 0, f], window = {} : (tensor<1x8x4xf32>, tensor<3x4x4xf32>) -> tensor<1x6x4xf32>
  return
}

// -----

func.func @no_bracket(%x: tensor<1x8x4xf32>, %w: tensor<3x4x4xf32>) {
  // expected-error @+1 {{expected '(', '[', '{' or '<'}}
  %0 = stablehlo.convolution(%x, %w) dim_numbers = b, window = {} : (tensor<1x8x4xf32>, tensor<3x4x4xf32>) -> tensor<1x6x4xf32>
  return
}

// -----

func.func @applies(%x: tensor<4xf32>, %z: tensor<f32>) {
  // expected-error @+1 {{expected a commutative operation of stablehlo with two operands, such as stablehlo.add}}
  %0 = stablehlo.reduce(%x init: %z) applies stablehlo.subtract across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @applies_types(%x: tensor<4xf32>, %z: tensor<f32>) {
  // expected-error @+1 {{expected (types of tensors) -> types}}
  %0 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] : () -> tensor<f32>
  return
}

// -----

func.func @reducer(%x: tensor<4xf32>, %z: tensor<f32>) {
  // expected-error @+2 {{expected 'reducer'}}
  %0 = stablehlo.reduce(%x init: %z) across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @while(%x: tensor<4xf32>) {
  // expected-error @+1 {{number of operands and types do not match: got 1 operands and 2 types}}
  %0:2 = stablehlo.while(%i = %x) : tensor<4xf32>, tensor<4xf32> cond {} do {}
  return
}

// -----

func.func @carried(%x: tensor<4xf32>, %z: tensor<f32>) {
  // expected-error @+1 {{fewer results than carried values}}
  chlo.scan(%x) inits (%z) dimension=0 { } : (tensor<4xf32>, tensor<f32>) -> ()
  return
}

// -----

func.func @direction(%x: tensor<4xf32>) {
  // expected-error @+1 {{unknown word}}
  %0 = sdy.propagation_barrier %x allowed_direction=UP : tensor<4xf32>
  return
}

// -----

// expected-error @+1 {{expected valid '@'-identifier for symbol name}}
sdy.mesh mesh = <["a"=2]>
