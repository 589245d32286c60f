// Specification 000, OptimizationBarrier.
// RUN: xla-opt %s --split-input-file --verify-diagnostics | xla-opt --split-input-file | FileCheck %s
// RUN: xla-opt %s --split-input-file --verify-diagnostics --canonicalize | FileCheck %s --check-prefix=FOLD

// CHECK-LABEL: @forms
// CHECK: xla.optimization_barrier %arg0 : tensor<f32>
// CHECK: xla.optimization_barrier %arg0, %arg1 : (tensor<f32>, !xla.token) -> (tensor<f32>, !xla.token)
// CHECK: xla.optimization_barrier : () -> ()
func.func @forms(%x: tensor<f32>, %t: !xla.token) {
  %0 = "xla.optimization_barrier"(%x) : (tensor<f32>) -> tensor<f32>
  %1:2 = xla.optimization_barrier %x, %t : (tensor<f32>, !xla.token) -> (tensor<f32>, !xla.token)
  xla.optimization_barrier : () -> ()
  return
}

// -----

// Nothing is computed across it.
// FOLD-LABEL: @blocks
// FOLD: %[[C:.*]] = xla.constant dense<1.000000e+00>
// FOLD: %[[B:.*]] = xla.optimization_barrier %[[C]]
// FOLD: xla.add %[[B]], %[[B]]
func.func @blocks() -> tensor<f32> {
  %c = xla.constant dense<1.0> : tensor<f32>
  %b = xla.optimization_barrier %c : tensor<f32>
  %0 = xla.add %b, %b : tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @result(%x: tensor<f32>) {
  // expected-error @+1 {{result 0 is stated as tensor<f64>, but is tensor<f32> [result]}}
  %0 = xla.optimization_barrier %x : (tensor<f32>) -> tensor<f64>
  return
}

// -----

func.func @count(%x: tensor<f32>) {
  // expected-error @+1 {{has 0 results, should have 1 [result]}}
  xla.optimization_barrier %x : (tensor<f32>) -> ()
  return
}
