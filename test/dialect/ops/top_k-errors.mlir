// RUN: xla-opt %s --split-input-file --verify-diagnostics

func.func @top_k_c1(%x: tensor<f32>) {
  // expected-error@+1 {{operand 0 is tensor<f32>, a scalar [top_k_c1]}}
  %0, %1 = xla.top_k %x {k = 1} : (tensor<f32>) -> (tensor<f32>, tensor<i32>)
  return
}

// -----

func.func @top_k_c2(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{k is 4, the last dimension of operand 0 has 3 elements [top_k_c2]}}
  %0, %1 = xla.top_k %x {k = 4} : (tensor<2x3xf32>) -> (tensor<2x4xf32>, tensor<2x4xi32>)
  return
}
