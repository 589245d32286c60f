// Folding and a verifier of the installed tool.
// RUN: xla-opt %s --split-input-file --verify-diagnostics --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @three
// CHECK-NEXT: %[[C:.*]] = xla.constant dense<3.000000e+00> : tensor<2xf32>
// CHECK-NEXT: return %[[C]]
func.func @three() -> tensor<2xf32> {
  %0 = xla.constant dense<1.0> : tensor<2xf32>
  %1 = xla.constant dense<2.0> : tensor<2xf32>
  %2 = xla.add %0, %1 : tensor<2xf32>
  return %2 : tensor<2xf32>
}

// -----

func.func @mismatch(%x: tensor<2xf32>, %y: tensor<3xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{dimension 0}}
  %0 = xla.add %x, %y : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
