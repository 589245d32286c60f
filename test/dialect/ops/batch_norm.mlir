// Specification 000, BatchNormTraining, BatchNormInference and BatchNormGrad.
// RUN: xla-opt %s --split-input-file --verify-diagnostics | xla-opt --split-input-file | FileCheck %s
// RUN: xla-opt %s --split-input-file --verify-diagnostics --canonicalize | FileCheck %s --check-prefix=FOLD

// CHECK-LABEL: @forms
// CHECK: xla.batch_norm_training %arg0, %arg1, %arg1 {epsilon = 1.000000e-03 : f32, feature_index = 1 : i64} : (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>)
// CHECK: xla.batch_norm_inference %arg0, %arg1, %arg1, %arg1, %arg1 {epsilon = 0.000000e+00 : f32, feature_index = 1 : i64}
// CHECK: xla.batch_norm_grad %arg0, %arg1, %arg1, %arg1, %arg0 {epsilon = 0.000000e+00 : f32, feature_index = 1 : i64}
func.func @forms(%x: tensor<4x3xf32>, %c: tensor<3xf32>) {
  %0:3 = "xla.batch_norm_training"(%x, %c, %c) <{epsilon = 0.001 : f32, feature_index = 1 : i64}> : (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>)
  %1 = xla.batch_norm_inference %x, %c, %c, %c, %c {epsilon = 0.0 : f32, feature_index = 1} : (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  %2:3 = xla.batch_norm_grad %x, %c, %c, %c, %x {epsilon = 0.0 : f32, feature_index = 1} : (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

// The formulas of 000 on features [1, 3, 5, 7] (mean 4, variance 5) and
// [0, 2, 0, 2] (mean 1, variance 1). With epsilon 4 the roots are 3 and 2.236..
// FOLD-LABEL: @training
// FOLD: %[[Y:.*]] = xla.constant dense<{{\[\[}}-2.000000e+00, 9.500000e+00], [0.000000e+00, 1.050000e+01], [2.000000e+00, 9.500000e+00], [4.000000e+00, 1.050000e+01]]> : tensor<4x2xf32>
// FOLD: %[[M:.*]] = xla.constant dense<[4.000000e+00, 1.000000e+00]> : tensor<2xf32>
// FOLD: %[[V:.*]] = xla.constant dense<[5.000000e+00, 1.000000e+00]> : tensor<2xf32>
// FOLD: return %[[Y]], %[[M]], %[[V]]
func.func @training() -> (tensor<4x2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %x = xla.constant dense<[[1.0, 0.0], [3.0, 2.0], [5.0, 0.0], [7.0, 2.0]]> : tensor<4x2xf32>
  %scale = xla.constant dense<[3.0, 1.1180340051651]> : tensor<2xf32>
  %offset = xla.constant dense<[1.0, 10.0]> : tensor<2xf32>
  %0:3 = xla.batch_norm_training %x, %scale, %offset {epsilon = 4.0 : f32, feature_index = 1} : (tensor<4x2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<4x2xf32>, tensor<2xf32>, tensor<2xf32>)
  return %0#0, %0#1, %0#2 : tensor<4x2xf32>, tensor<2xf32>, tensor<2xf32>
}

// -----

// Features in the first dimension; and of f16.
// FOLD-LABEL: @inference
// FOLD: %[[Y:.*]] = xla.constant dense<{{\[\[}}7.000000e+00, 1.000000e+01], [-1.000000e+00, 1.000000e+00]]> : tensor<2x2xf16>
// FOLD: return %[[Y]]
func.func @inference() -> tensor<2x2xf16> {
  %x = xla.constant dense<[[1.0, 3.0], [2.0, 6.0]]> : tensor<2x2xf16>
  %scale = xla.constant dense<[3.0, 1.0]> : tensor<2xf16>
  %offset = xla.constant dense<[10.0, 0.0]> : tensor<2xf16>
  %mean = xla.constant dense<[3.0, 4.0]> : tensor<2xf16>
  %variance = xla.constant dense<[3.0, 3.0]> : tensor<2xf16>
  %0 = xla.batch_norm_inference %x, %scale, %offset, %mean, %variance {epsilon = 1.0 : f32, feature_index = 0} : (tensor<2x2xf16>, tensor<2xf16>, tensor<2xf16>, tensor<2xf16>, tensor<2xf16>) -> tensor<2x2xf16>
  return %0 : tensor<2x2xf16>
}

// -----

// One feature, x = [1, 3], mean 2, variance 3, epsilon 1: c = mean([1, 3] * [-1, 1]) / 4 = 1/4,
// d = 2, grad x = 6 / 2 * ([1, 3] - 2 - 1/4 * [-1, 1]) = [-2.25, 2.25];
// grad scale = (-1 + 3) / 2, grad offset = 4.
// FOLD-LABEL: @grad
// FOLD: %[[X:.*]] = xla.constant dense<{{\[\[}}-2.250000e+00, 2.250000e+00]]> : tensor<1x2xf64>
// FOLD: %[[S:.*]] = xla.constant dense<1.000000e+00> : tensor<1xf64>
// FOLD: %[[O:.*]] = xla.constant dense<4.000000e+00> : tensor<1xf64>
// FOLD: return %[[X]], %[[S]], %[[O]]
func.func @grad() -> (tensor<1x2xf64>, tensor<1xf64>, tensor<1xf64>) {
  %x = xla.constant dense<[[1.0, 3.0]]> : tensor<1x2xf64>
  %scale = xla.constant dense<6.0> : tensor<1xf64>
  %mean = xla.constant dense<2.0> : tensor<1xf64>
  %variance = xla.constant dense<3.0> : tensor<1xf64>
  %0:3 = xla.batch_norm_grad %x, %scale, %mean, %variance, %x {epsilon = 1.0 : f32, feature_index = 0} : (tensor<1x2xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1x2xf64>) -> (tensor<1x2xf64>, tensor<1xf64>, tensor<1xf64>)
  return %0#0, %0#1, %0#2 : tensor<1x2xf64>, tensor<1xf64>, tensor<1xf64>
}

// -----

// Without elements a feature has no mean; a single element is its own.
// FOLD-LABEL: @edges
// FOLD: %[[N:.*]] = xla.constant dense<0x{{[7F]}}FC00000> : tensor<2xf32>
// FOLD: %[[Y:.*]] = xla.constant dense<2.000000e+00> : tensor<1xf32>
// FOLD: %[[M:.*]] = xla.constant dense<5.000000e+00> : tensor<1xf32>
// FOLD: %[[Z:.*]] = xla.constant dense<0.000000e+00> : tensor<1xf32>
// FOLD: return %[[N]], %[[Y]], %[[M]], %[[Z]]
func.func @edges() -> (tensor<2xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) {
  %x = xla.constant dense<> : tensor<0x2xf32>
  %c = xla.constant dense<2.0> : tensor<2xf32>
  %0:3 = xla.batch_norm_training %x, %c, %c {epsilon = 1.0 : f32, feature_index = 1} : (tensor<0x2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<0x2xf32>, tensor<2xf32>, tensor<2xf32>)
  %y = xla.constant dense<5.0> : tensor<1xf32>
  %d = xla.constant dense<2.0> : tensor<1xf32>
  %1:3 = xla.batch_norm_training %y, %d, %d {epsilon = 1.0 : f32, feature_index = 0} : (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>)
  return %0#1, %1#0, %1#1, %1#2 : tensor<2xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>
}

// -----

func.func @training_c1(%a0: tensor<4x3xf32>, %a1: tensor<3xf32>, %a2: tensor<3xf32>) {
  // expected-error @+1 {{feature_index is 2, operand has rank 2 [batch_norm_training_c1]}}
  %r:3 = xla.batch_norm_training %a0, %a1, %a2 {epsilon = 1.0 : f32, feature_index = 2} : (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @training_c2(%a0: tensor<4x3xf32>, %a1: tensor<3xf64>, %a2: tensor<3xf32>) {
  // expected-error @+1 {{scale is tensor<3xf64>, operand tensor<4x3xf32>: the element types must be the same [batch_norm_training_c2]}}
  %r:3 = xla.batch_norm_training %a0, %a1, %a2 {epsilon = 1.0 : f32, feature_index = 1} : (tensor<4x3xf32>, tensor<3xf64>, tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @training_c3_scale(%a0: tensor<4x3xf32>, %a1: tensor<4xf32>, %a2: tensor<3xf32>) {
  // expected-error @+1 {{scale is tensor<4xf32>, must be a vector of size 3, that of dimension 1 of operand [batch_norm_training_c3]}}
  %r:3 = xla.batch_norm_training %a0, %a1, %a2 {epsilon = 1.0 : f32, feature_index = 1} : (tensor<4x3xf32>, tensor<4xf32>, tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @training_c4_offset(%a0: tensor<4x3xf32>, %a1: tensor<3xf32>, %a2: tensor<4xf32>) {
  // expected-error @+1 {{offset is tensor<4xf32>, must be a vector of size 3, that of dimension 1 of operand [batch_norm_training_c4]}}
  %r:3 = xla.batch_norm_training %a0, %a1, %a2 {epsilon = 1.0 : f32, feature_index = 1} : (tensor<4x3xf32>, tensor<3xf32>, tensor<4xf32>) -> (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @inference_c1(%a0: tensor<4x3xf32>, %a1: tensor<3xf32>, %a2: tensor<3xf32>, %a3: tensor<3xf32>, %a4: tensor<3xf32>) {
  // expected-error @+1 {{feature_index is 2, operand has rank 2 [batch_norm_inference_c1]}}
  %r = xla.batch_norm_inference %a0, %a1, %a2, %a3, %a4 {epsilon = 1.0 : f32, feature_index = 2} : (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @inference_c2(%a0: tensor<4x3xf32>, %a1: tensor<3xf64>, %a2: tensor<3xf32>, %a3: tensor<3xf32>, %a4: tensor<3xf32>) {
  // expected-error @+1 {{scale is tensor<3xf64>, operand tensor<4x3xf32>: the element types must be the same [batch_norm_inference_c2]}}
  %r = xla.batch_norm_inference %a0, %a1, %a2, %a3, %a4 {epsilon = 1.0 : f32, feature_index = 1} : (tensor<4x3xf32>, tensor<3xf64>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @inference_c3_scale(%a0: tensor<4x3xf32>, %a1: tensor<4xf32>, %a2: tensor<3xf32>, %a3: tensor<3xf32>, %a4: tensor<3xf32>) {
  // expected-error @+1 {{scale is tensor<4xf32>, must be a vector of size 3, that of dimension 1 of operand [batch_norm_inference_c3]}}
  %r = xla.batch_norm_inference %a0, %a1, %a2, %a3, %a4 {epsilon = 1.0 : f32, feature_index = 1} : (tensor<4x3xf32>, tensor<4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @inference_c4_offset(%a0: tensor<4x3xf32>, %a1: tensor<3xf32>, %a2: tensor<4xf32>, %a3: tensor<3xf32>, %a4: tensor<3xf32>) {
  // expected-error @+1 {{offset is tensor<4xf32>, must be a vector of size 3, that of dimension 1 of operand [batch_norm_inference_c4]}}
  %r = xla.batch_norm_inference %a0, %a1, %a2, %a3, %a4 {epsilon = 1.0 : f32, feature_index = 1} : (tensor<4x3xf32>, tensor<3xf32>, tensor<4xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @inference_c5_mean(%a0: tensor<4x3xf32>, %a1: tensor<3xf32>, %a2: tensor<3xf32>, %a3: tensor<4xf32>, %a4: tensor<3xf32>) {
  // expected-error @+1 {{mean is tensor<4xf32>, must be a vector of size 3, that of dimension 1 of operand [batch_norm_inference_c5]}}
  %r = xla.batch_norm_inference %a0, %a1, %a2, %a3, %a4 {epsilon = 1.0 : f32, feature_index = 1} : (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<4xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @inference_c6_variance(%a0: tensor<4x3xf32>, %a1: tensor<3xf32>, %a2: tensor<3xf32>, %a3: tensor<3xf32>, %a4: tensor<4xf32>) {
  // expected-error @+1 {{variance is tensor<4xf32>, must be a vector of size 3, that of dimension 1 of operand [batch_norm_inference_c6]}}
  %r = xla.batch_norm_inference %a0, %a1, %a2, %a3, %a4 {epsilon = 1.0 : f32, feature_index = 1} : (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<4xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @grad_c1(%a0: tensor<4x3xf32>, %a1: tensor<3xf32>, %a2: tensor<3xf32>, %a3: tensor<3xf32>, %a4: tensor<4x3xf32>) {
  // expected-error @+1 {{feature_index is 2, operand has rank 2 [batch_norm_grad_c1]}}
  %r:3 = xla.batch_norm_grad %a0, %a1, %a2, %a3, %a4 {epsilon = 1.0 : f32, feature_index = 2} : (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @grad_c2(%a0: tensor<4x3xf32>, %a1: tensor<3xf64>, %a2: tensor<3xf32>, %a3: tensor<3xf32>, %a4: tensor<4x3xf32>) {
  // expected-error @+1 {{scale is tensor<3xf64>, operand tensor<4x3xf32>: the element types must be the same [batch_norm_grad_c2]}}
  %r:3 = xla.batch_norm_grad %a0, %a1, %a2, %a3, %a4 {epsilon = 1.0 : f32, feature_index = 1} : (tensor<4x3xf32>, tensor<3xf64>, tensor<3xf32>, tensor<3xf32>, tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @grad_c5_scale(%a0: tensor<4x3xf32>, %a1: tensor<4xf32>, %a2: tensor<3xf32>, %a3: tensor<3xf32>, %a4: tensor<4x3xf32>) {
  // expected-error @+1 {{scale is tensor<4xf32>, must be a vector of size 3, that of dimension 1 of operand [batch_norm_grad_c5]}}
  %r:3 = xla.batch_norm_grad %a0, %a1, %a2, %a3, %a4 {epsilon = 1.0 : f32, feature_index = 1} : (tensor<4x3xf32>, tensor<4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @grad_c4_mean(%a0: tensor<4x3xf32>, %a1: tensor<3xf32>, %a2: tensor<4xf32>, %a3: tensor<3xf32>, %a4: tensor<4x3xf32>) {
  // expected-error @+1 {{mean is tensor<4xf32>, must be a vector of size 3, that of dimension 1 of operand [batch_norm_grad_c4]}}
  %r:3 = xla.batch_norm_grad %a0, %a1, %a2, %a3, %a4 {epsilon = 1.0 : f32, feature_index = 1} : (tensor<4x3xf32>, tensor<3xf32>, tensor<4xf32>, tensor<3xf32>, tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @grad_c4_variance(%a0: tensor<4x3xf32>, %a1: tensor<3xf32>, %a2: tensor<3xf32>, %a3: tensor<4xf32>, %a4: tensor<4x3xf32>) {
  // expected-error @+1 {{variance is tensor<4xf32>, must be a vector of size 3, that of dimension 1 of operand [batch_norm_grad_c4]}}
  %r:3 = xla.batch_norm_grad %a0, %a1, %a2, %a3, %a4 {epsilon = 1.0 : f32, feature_index = 1} : (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<4xf32>, tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @grad_c3(%a0: tensor<4x3xf32>, %a1: tensor<3xf32>, %a2: tensor<3xf32>, %a3: tensor<3xf32>, %a4: tensor<3x4xf32>) {
  // expected-error @+1 {{grad_output is tensor<3x4xf32>, must have the shape of operand, tensor<4x3xf32> [batch_norm_grad_c3]}}
  %r:3 = xla.batch_norm_grad %a0, %a1, %a2, %a3, %a4 {epsilon = 1.0 : f32, feature_index = 1} : (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3x4xf32>) -> (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @training_epsilon(%a0: tensor<4x3xf32>, %a1: tensor<3xf32>, %a2: tensor<3xf32>) {
  // expected-error @+1 {{attribute 'epsilon' must be a float [attribute]}}
  %r:3 = xla.batch_norm_training %a0, %a1, %a2 {epsilon = 1, feature_index = 1} : (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @training_elements(%a0: tensor<4x3xi32>, %a1: tensor<3xf32>, %a2: tensor<3xf32>) {
  // expected-error @+1 {{takes float elements, not s32 [element_type]}}
  %r:3 = xla.batch_norm_training %a0, %a1, %a2 {epsilon = 1.0 : f32, feature_index = 1} : (tensor<4x3xi32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}
