// Specification 000, RngNormal; 002's form with mean in place of mu.
// RUN: xla-opt %s --split-input-file --verify-diagnostics | xla-opt --split-input-file | FileCheck %s
// RUN: xla-opt %s --split-input-file --verify-diagnostics --canonicalize --cse | FileCheck %s

// CHECK-LABEL: @forms
// CHECK: xla.rng_normal %arg0, %arg0 : (tensor<f32>, tensor<f32>) -> tensor<2x0x3xf32>
// CHECK: xla.rng_normal %arg1, %arg1 : tensor<bf16>
// CHECK: xla.rng_normal %arg1, %arg1 : tensor<bf16>
func.func @forms(%a: tensor<f32>, %b: tensor<bf16>) {
  %0 = xla.rng_normal %a, %a : (tensor<f32>, tensor<f32>) -> tensor<2x0x3xf32>
  %1 = xla.rng_normal %b, %b : tensor<bf16>
  %2 = "xla.rng_normal"(%b, %b) : (tensor<bf16>, tensor<bf16>) -> tensor<bf16>
  return
}

// -----

func.func @rng_normal_c1(%a: tensor<1xf32>, %b: tensor<f32>) {
  // expected-error@+1 {{operand 1 is tensor<1xf32>, must be a scalar [rng_normal_c1]}}
  %0 = xla.rng_normal %b, %a : (tensor<f32>, tensor<1xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @rng_normal_c2(%a: tensor<f32>, %b: tensor<f64>) {
  // expected-error@+1 {{operand 0 is of f32, the result of f64 [rng_normal_c2]}}
  %0 = xla.rng_normal %a, %b : (tensor<f32>, tensor<f64>) -> tensor<4xf64>
  return
}

// -----

func.func @rng_normal_c3(%a: tensor<f8E5M2>) {
  // expected-error@+1 {{draws f8e5m2, must draw f16, bf16, f32 or f64 [rng_normal_c3]}}
  %0 = xla.rng_normal %a, %a : (tensor<f8E5M2>, tensor<f8E5M2>) -> tensor<4xf8E5M2>
  return
}

// -----

func.func @rng_normal_integer(%a: tensor<i32>) {
  // expected-error@+1 {{takes float elements, not s32 [element_type]}}
  %0 = xla.rng_normal %a, %a : (tensor<i32>, tensor<i32>) -> tensor<4xi32>
  return
}
