// RUN: xla-opt %s --split-input-file --verify-diagnostics

func.func @roll_c1(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{has 1 shifts for 2 dimensions, must have one each [roll_c1]}}
  %0 = xla.roll %x {shifts = [1], dimensions = [0, 1]} : tensor<2x3xf32>
  return
}

// -----

func.func @roll_c2(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{[roll_c2]}}
  %0 = xla.roll %x {shifts = [1, 2], dimensions = [1, 1]} : tensor<2x3xf32>
  return
}

// -----

func.func @roll_c3(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{[roll_c3]}}
  %0 = xla.roll %x {shifts = [1], dimensions = [2]} : tensor<2x3xf32>
  return
}

// -----

func.func @roll_c4(%x: tensor<?x3xf32, #xla.array<bounds = [4, ?]>>) {
  // expected-error@+1 {{dimension 0 of operand 0, tensor<4x3xf32>, has a dynamic size [roll_c4]}}
  %0 = xla.roll %x {shifts = [1], dimensions = [0]} : tensor<?x3xf32, #xla.array<bounds = [4, ?]>>
  return
}
