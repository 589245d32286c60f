// Specification 000, CustomCall.
// RUN: xla-opt %s --split-input-file --verify-diagnostics | xla-opt --split-input-file | FileCheck %s
// RUN: xla-opt %s --split-input-file --verify-diagnostics --canonicalize | FileCheck %s --check-prefix=FOLD

// The printed example.
// CHECK-LABEL: @example
// CHECK: xla.custom_call %{{.*}}, %{{.*}} {call_target_name = "myfunc"} : (tensor<2xf32>, tensor<2x3xf32>) -> tensor<3x3xf32>
// FOLD-LABEL: @example
// FOLD: xla.custom_call
func.func @example() -> tensor<3x3xf32> {
  %x = xla.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %y = xla.constant dense<[[10.0, 20.0, 30.0], [40.0, 50.0, 60.0]]> : tensor<2x3xf32>
  %0 = xla.custom_call %x, %y {call_target_name = "myfunc"} : (tensor<2xf32>, tensor<2x3xf32>) -> tensor<3x3xf32>
  return %0 : tensor<3x3xf32>
}

// -----

// It may have an effect, so it stays when nobody uses its results.
// CHECK-LABEL: @forms
// CHECK: xla.custom_call %arg0 {api_version = 2 : i32, backend_config = "x", call_target_name = "a", has_side_effect = true} : (tensor<4xi1>) -> (tensor<f32>, tuple<tensor<i32>>)
// CHECK: xla.custom_call {call_target_name = "b"} : () -> ()
// FOLD-LABEL: @forms
// FOLD: xla.custom_call %arg0
// FOLD: xla.custom_call
func.func @forms(%x: tensor<4xi1>) {
  %0:2 = "xla.custom_call"(%x) <{call_target_name = "a", has_side_effect = true, backend_config = "x", api_version = 2 : i32}> : (tensor<4xi1>) -> (tensor<f32>, tuple<tensor<i32>>)
  xla.custom_call {call_target_name = "b"} : () -> ()
  return
}

// -----

func.func @c1(%x: tensor<f32>) {
  // expected-error @+1 {{call_target_name is empty [custom_call_c1]}}
  %0 = xla.custom_call %x {call_target_name = ""} : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @no_target(%x: tensor<f32>) {
  // expected-error @+1 {{requires the attribute 'call_target_name' [attribute]}}
  %0 = "xla.custom_call"(%x) : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @effect(%x: tensor<f32>) {
  // expected-error @+1 {{attribute 'has_side_effect' must be true or false [attribute]}}
  %0 = xla.custom_call %x {call_target_name = "a", has_side_effect = 1 : i32} : (tensor<f32>) -> tensor<f32>
  return
}
