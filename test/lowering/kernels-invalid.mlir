// RUN: xla-opt %s --convert-xla-to-linalg --split-input-file --verify-diagnostics

func.func @complex(%a: tensor<4xcomplex<f32>>) {
  // expected-error @+1 {{has operand 0 of type tensor<4xcomplex<f32>>: kernels have no complex numbers: xla-legalize splits them}}
  %0 = xla.negate %a : tensor<4xcomplex<f32>>
  return
}

// -----

func.func @small(%a: tensor<4xi4>) {
  // expected-error @+1 {{has operand 0 of type tensor<4xi4>}}
  %0 = xla.add %a, %a : tensor<4xi4>
  return
}

// -----

// Inside of a fusion the error is at the operation.
func.func @inside(%a: tensor<4x4xf32>) {
  %0 = xla.fusion(%a) ({
  ^bb0(%x: tensor<4x4xf32>):
    // expected-error @+1 {{cannot be computed inside a kernel, its result is tensor<4x4xf32>}}
    %d = xla.cholesky %x : tensor<4x4xf32>
    xla.return %d : tensor<4x4xf32>
  }) {kind = "loop"} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}
