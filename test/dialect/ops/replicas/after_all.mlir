// Specification 000, AfterAll.
// RUN: xla-opt %s --split-input-file --verify-diagnostics | xla-opt --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @forms
// CHECK: xla.after_all : () -> !xla.token
// CHECK: xla.after_all %arg0 : !xla.token
// CHECK: xla.after_all %arg0, %{{.*}}, %{{.*}} : !xla.token
func.func @forms(%t: !xla.token) -> !xla.token {
  %0 = xla.after_all : () -> !xla.token
  %1 = "xla.after_all"(%t) : (!xla.token) -> !xla.token
  %2 = xla.after_all %t, %0, %1 : (!xla.token, !xla.token, !xla.token) -> !xla.token
  return %2 : !xla.token
}

// -----

func.func @c1(%t: !xla.token, %x: tensor<4xf32>) {
  // expected-error @+1 {{operand 1 is tensor<4xf32>, no token [after_all_c1]}}
  %0 = xla.after_all %t, %x : (!xla.token, tensor<4xf32>) -> !xla.token
  return
}

// -----

func.func @c1_tuple(%t: tuple<!xla.token>) {
  // expected-error @+1 {{operand 0 is tuple<!xla.token>, no token [after_all_c1]}}
  %0 = xla.after_all %t : (tuple<!xla.token>) -> !xla.token
  return
}

// -----

func.func @result(%t: !xla.token) {
  // expected-error @+1 {{result 0 is stated as tensor<f32>, but is !xla.token [result]}}
  %0 = xla.after_all %t : (!xla.token) -> tensor<f32>
  return
}

// -----

func.func @attribute(%t: !xla.token) {
  // expected-error @+1 {{has no attribute 'dimension'}}
  %0 = xla.after_all %t {dimension = 0} : !xla.token
  return
}
