// Specification 000, Call.
// RUN: xla-opt %s --split-input-file --verify-diagnostics | xla-opt --split-input-file | FileCheck %s

// CHECK-LABEL: @forms
// CHECK: xla.call @two(%arg0, %arg1) : (tensor<f32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<f32>)
// CHECK: xla.call @none() : () -> ()
func.func @forms(%x: tensor<f32>, %y: tensor<4xf32>) {
  %0:2 = "xla.call"(%x, %y) <{callee = @two}> : (tensor<f32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<f32>)
  xla.call @none() : () -> ()
  return
}
func.func private @two(%x: tensor<f32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<f32>) {
  return %y, %x : tensor<4xf32>, tensor<f32>
}
func.func private @none()

// -----

func.func @missing(%x: tensor<f32>) {
  // expected-error @+1 {{'xla.call' op @g does not name a function}}
  %0 = xla.call @g(%x) : (tensor<f32>) -> tensor<f32>
  return
}

// -----

module @m {
}
func.func @no_function() {
  // expected-error @+1 {{'xla.call' op @m does not name a function}}
  xla.call @m() : () -> ()
  return
}

// -----

func.func private @g(tensor<f32>, tensor<f32>) -> tensor<f32>
func.func @count(%x: tensor<f32>) {
  // expected-error @+1 {{@g takes 2 arguments, the call has 1}}
  %0 = xla.call @g(%x) : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func private @g(tensor<4xf32>) -> tensor<f32>
func.func @argument(%x: tensor<f32>) {
  // expected-error @+1 {{argument 0 of @g is 'tensor<4xf32>', operand 0 'tensor<f32>'}}
  %0 = xla.call @g(%x) : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func private @g(tensor<f32>) -> tensor<4xf32>
func.func @results(%x: tensor<f32>) {
  // expected-error @+1 {{result types differ from those of @g}}
  %0 = xla.call @g(%x) : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @no_callee(%x: tensor<f32>) {
  // expected-error @+1 {{requires the attribute 'callee' [attribute]}}
  %0 = "xla.call"(%x) : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @string(%x: tensor<f32>) {
  // expected-error @+1 {{attribute 'callee' must be a symbol, @name [attribute]}}
  %0 = "xla.call"(%x) <{callee = "g"}> : (tensor<f32>) -> tensor<f32>
  return
}
