// RUN: xla-opt %s --split-input-file --verify-diagnostics | xla-opt --split-input-file | FileCheck %s
// RUN: xla-opt %s --split-input-file --verify-diagnostics --canonicalize --cse | FileCheck %s --check-prefix=CANON

// CHECK-LABEL: @chain
// CHECK: %[[R:.*]]:2 = xla.fusion(%arg0, %arg1) ({
// CHECK-NEXT: ^bb0(%[[A:.*]]: tensor<4xf32>, %[[B:.*]]: tensor<4xf32>):
// CHECK: }) {kind = "loop"} : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
// Equal fusions are one, and constants stay inside.
// CANON-LABEL: @chain
// CANON: %[[R:.*]]:2 = xla.fusion
// CANON-NEXT: ^bb0
// CANON-NEXT: xla.constant
// CANON-NOT: xla.fusion
// CANON: return %[[R]]#0, %[[R]]#1
func.func @chain(%a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0:2 = xla.fusion(%a, %b) ({
  ^bb0(%x: tensor<4xf32>, %y: tensor<4xf32>):
    %s = xla.add %x, %y : tensor<4xf32>
    %c = xla.constant dense<2.0> : tensor<4xf32>
    %t = xla.multiply %s, %c : tensor<4xf32>
    xla.return %t, %s : tensor<4xf32>, tensor<4xf32>
  }) {kind = "loop"} : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  %1:2 = xla.fusion(%a, %b) ({
  ^bb0(%x: tensor<4xf32>, %y: tensor<4xf32>):
    %s = xla.add %x, %y : tensor<4xf32>
    %c = xla.constant dense<2.0> : tensor<4xf32>
    %t = xla.multiply %s, %c : tensor<4xf32>
    xla.return %t, %s : tensor<4xf32>, tensor<4xf32>
  }) {kind = "loop"} : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return %0#0, %1#1 : tensor<4xf32>, tensor<4xf32>
}

// -----

func.func @arguments(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'xla.fusion' op argument 0 is tensor<8xf32>, operand 0 is tensor<4xf32> [fusion_c1]}}
  %0 = xla.fusion(%a) ({
  ^bb0(%x: tensor<8xf32>):
    %c = xla.constant dense<2.0> : tensor<4xf32>
    xla.return %c : tensor<4xf32>
  }) {kind = "loop"} : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @count(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'xla.fusion' op has 1 operands, its region takes 2 arguments [fusion_c1]}}
  %0 = xla.fusion(%a) ({
  ^bb0(%x: tensor<4xf32>, %y: tensor<4xf32>):
    xla.return %x : tensor<4xf32>
  }) {kind = "loop"} : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @isolated(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-note@+1 {{required by region isolation constraints}}
  %0 = xla.fusion() ({
    // expected-error@+1 {{using value defined outside the region}}
    %s = xla.add %a, %a : tensor<4xf32>
    xla.return %s : tensor<4xf32>
  }) {kind = "loop"} : () -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @kind(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'xla.fusion' op attribute 'kind' is "circle", must be one of}}
  %0 = xla.fusion(%a) ({
  ^bb0(%x: tensor<4xf32>):
    xla.return %x : tensor<4xf32>
  }) {kind = "circle"} : tensor<4xf32>
  return %0 : tensor<4xf32>
}
