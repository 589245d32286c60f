// Tokens without something before them.
// RUN: xla-opt %s --split-input-file --verify-diagnostics | xla-opt --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @forms
// CHECK: xla.create_token : () -> !xla.token
// CHECK: xla.create_token : () -> !xla.token
func.func @forms() -> (!xla.token, !xla.token) {
  %0 = xla.create_token : () -> !xla.token
  %1 = "xla.create_token"() : () -> !xla.token
  return %0, %1 : !xla.token, !xla.token
}

// -----

func.func @operand(%t: !xla.token) {
  // expected-error @+1 {{takes 0 operands, has 1 [arity]}}
  %0 = xla.create_token %t : !xla.token
  return
}

// -----

func.func @result() {
  // expected-error @+1 {{result 0 is stated as tuple<>, but is !xla.token [result]}}
  %0 = xla.create_token : () -> tuple<>
  return
}
