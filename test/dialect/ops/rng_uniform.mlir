// Specification 000, RngUniform.
// RUN: xla-opt %s --split-input-file --verify-diagnostics | xla-opt --split-input-file | FileCheck %s
// RUN: xla-opt %s --split-input-file --verify-diagnostics --canonicalize --cse | FileCheck %s --check-prefix=KEPT

// CHECK-LABEL: @forms
// CHECK: xla.rng_uniform %arg0, %arg0 : (tensor<f32>, tensor<f32>) -> tensor<2x0x3xf32>
// CHECK: xla.rng_uniform %arg1, %arg1 : tensor<i1>
// CHECK: xla.rng_uniform %arg2, %arg2 : (tensor<ui8>, tensor<ui8>) -> tensor<1x1xui8>
func.func @forms(%a: tensor<f32>, %b: tensor<i1>, %c: tensor<ui8>) {
  %0 = xla.rng_uniform %a, %a : (tensor<f32>, tensor<f32>) -> tensor<2x0x3xf32>
  %1 = xla.rng_uniform %b, %b : tensor<i1>
  %2 = "xla.rng_uniform"(%c, %c) : (tensor<ui8>, tensor<ui8>) -> tensor<1x1xui8>
  return
}

// -----

// Two draws are not one, none is folded, and one that nobody uses still takes its numbers.
// KEPT-LABEL: @kept
// KEPT-COUNT-3: xla.rng_uniform
func.func @kept() -> (tensor<4xf32>, tensor<4xf32>) {
  %a = xla.constant dense<0.0> : tensor<f32>
  %b = xla.constant dense<1.0> : tensor<f32>
  %0 = xla.rng_uniform %a, %b : (tensor<f32>, tensor<f32>) -> tensor<4xf32>
  %1 = xla.rng_uniform %a, %b : (tensor<f32>, tensor<f32>) -> tensor<4xf32>
  %2 = xla.rng_uniform %a, %b : (tensor<f32>, tensor<f32>) -> tensor<4xf32>
  return %0, %2 : tensor<4xf32>, tensor<4xf32>
}

// -----

func.func @rng_uniform_c1(%a: tensor<1xf32>, %b: tensor<f32>) {
  // expected-error@+1 {{operand 0 is tensor<1xf32>, must be a scalar [rng_uniform_c1]}}
  %0 = xla.rng_uniform %a, %b : (tensor<1xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @rng_uniform_c2(%a: tensor<f32>, %b: tensor<f64>) {
  // expected-error@+1 {{operand 1 is of f64, the result of f32 [rng_uniform_c2]}}
  %0 = xla.rng_uniform %a, %b : (tensor<f32>, tensor<f64>) -> tensor<4xf32>
  return
}

// -----

func.func @rng_uniform_c2_result(%a: tensor<f32>) {
  // expected-error@+1 {{operand 0 is of f32, the result of s32 [rng_uniform_c2]}}
  %0 = xla.rng_uniform %a, %a : (tensor<f32>, tensor<f32>) -> tensor<4xi32>
  return
}

// -----

func.func @rng_uniform_c3(%a: tensor<i4>) {
  // expected-error@+1 {{draws s4, must draw pred, integers of 8 bits or more, f16, bf16, f32 or f64 [rng_uniform_c3]}}
  %0 = xla.rng_uniform %a, %a : (tensor<i4>, tensor<i4>) -> tensor<4xi4>
  return
}

// -----

func.func @rng_uniform_complex(%a: tensor<complex<f32>>) {
  // expected-error@+1 {{takes pred, signed, unsigned or float elements, not c64 [element_type]}}
  %0 = xla.rng_uniform %a, %a : (tensor<complex<f32>>, tensor<complex<f32>>) -> tensor<4xcomplex<f32>>
  return
}
