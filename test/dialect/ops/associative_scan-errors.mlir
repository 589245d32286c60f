// RUN: xla-opt %s --split-input-file --verify-diagnostics

func.func @associative_scan_c1(%x: tensor<3xf32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{operand 1 is tensor<4xf32>, operand 0 is tensor<3xf32>: the dimensions must be the same [associative_scan_c1]}}
  %0:2 = xla.associative_scan(%x, %y) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
    xla.return %a, %b : tensor<f32>, tensor<f32>
  }) {dimension = 0} : (tensor<3xf32>, tensor<4xf32>) -> (tensor<3xf32>, tensor<4xf32>)
  return
}

// -----

func.func @associative_scan_c2(%x: tensor<3xf32>) {
  // expected-error@+1 {{dimension is 1, operand 0 is tensor<3xf32> of rank 1 [associative_scan_c2]}}
  %0 = xla.associative_scan(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    xla.return %a : tensor<f32>
  }) {dimension = 1} : (tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @negative(%x: tensor<3xf32>) {
  // expected-error@+1 {{dimension is -1, operand 0 is tensor<3xf32> of rank 1 [associative_scan_c2]}}
  %0 = xla.associative_scan(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    xla.return %a : tensor<f32>
  }) {dimension = -1} : (tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @associative_scan_c3(%x: tensor<3xf32>) {
  // expected-error@+1 {{the region takes 1 scalars and returns 1, must take 2 and return 1 [associative_scan_c3]}}
  %0 = xla.associative_scan(%x) ({
  ^bb0(%a: tensor<f32>):
    xla.return %a : tensor<f32>
  }) {dimension = 0} : (tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @argument(%x: tensor<3xf32>) {
  // expected-error@+1 {{argument 1 of the region is tensor<i32>, must be a scalar of the elements of operand 0, tensor<3xf32> [associative_scan_c3]}}
  %0 = xla.associative_scan(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<i32>):
    xla.return %a : tensor<f32>
  }) {dimension = 0} : (tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @returned(%x: tensor<3xf32>) {
  // expected-error@+1 {{result 0 of the region is tensor<f64>, must be a scalar of the elements of operand 0, tensor<3xf32> [associative_scan_c3]}}
  %0 = xla.associative_scan(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = xla.convert %a : (tensor<f32>) -> tensor<f64>
    xla.return %c : tensor<f64>
  }) {dimension = 0} : (tensor<3xf32>) -> tensor<3xf32>
  return
}
