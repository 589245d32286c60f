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

// -----

// So where a scatter would compute its updates.
func.func @updates(%a: tensor<9x4xf32>, %b: tensor<4xi32>, %c: tensor<4x4xf32>) {
  %0 = xla.fusion(%a, %b, %c) ({
  ^bb0(%x: tensor<9x4xf32>, %i: tensor<4xi32>, %y: tensor<4x4xf32>):
    // expected-error @+1 {{cannot be computed inside a kernel, its result is tensor<4x4xf32>}}
    %d = xla.cholesky %y : tensor<4x4xf32>
    %s = xla.scatter(%x, %i, %d) ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      xla.return %q : tensor<f32>
    }) {update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<9x4xf32>, tensor<4xi32>, tensor<4x4xf32>) -> tensor<9x4xf32>
    xla.return %s : tensor<9x4xf32>
  }) {kind = "scatter"} : (tensor<9x4xf32>, tensor<4xi32>, tensor<4x4xf32>) -> tensor<9x4xf32>
  return
}

// -----

// What is updated lies in memory.
func.func @input(%a: tensor<9x4xf32>, %b: tensor<4xi32>, %c: tensor<4x4xf32>) {
  %0 = xla.fusion(%a, %b, %c) ({
  ^bb0(%x: tensor<9x4xf32>, %i: tensor<4xi32>, %y: tensor<4x4xf32>):
    %n = xla.negate %x : tensor<9x4xf32>
    // expected-error @+1 {{is lowered with what computes its inputs or works on its results where its windows are sorted rows that are applied at once}}
    %s = xla.scatter(%n, %i, %y) ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      xla.return %q : tensor<f32>
    }) {update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<9x4xf32>, tensor<4xi32>, tensor<4x4xf32>) -> tensor<9x4xf32>
    xla.return %s : tensor<9x4xf32>
  }) {kind = "scatter"} : (tensor<9x4xf32>, tensor<4xi32>, tensor<4x4xf32>) -> tensor<9x4xf32>
  return
}
