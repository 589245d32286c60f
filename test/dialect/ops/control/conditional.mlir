// Specification 000, Conditional, by pred and by index.
// RUN: xla-opt %s --split-input-file --verify-diagnostics | xla-opt --split-input-file | FileCheck %s

// CHECK-LABEL: @forms
// CHECK: xla.conditional(%arg0, %arg2, %arg3) ({
// CHECK-NEXT: ^bb0(%[[A:.*]]: tensor<f32>):
// CHECK-NEXT:   xla.return %[[A]] : tensor<f32>
// CHECK-NEXT: }, {
// CHECK-NEXT: ^bb0(%[[B:.*]]: tensor<4xf32>):
// CHECK-NEXT:   xla.return %arg2 : tensor<f32>
// CHECK-NEXT: }) : (tensor<i1>, tensor<f32>, tensor<4xf32>) -> tensor<f32>
// CHECK: xla.conditional(%arg1, %arg2) ({
// CHECK: }) : (tensor<i32>, tensor<f32>) -> tensor<f32>
// CHECK: xla.conditional(%arg0) ({
// CHECK: }) : (tensor<i1>) -> tensor<f32>
func.func @forms(%p: tensor<i1>, %s: tensor<i32>, %x: tensor<f32>, %y: tensor<4xf32>) {
  %0 = "xla.conditional"(%p, %x, %y) ({
  ^bb0(%a: tensor<f32>):
    xla.return %a : tensor<f32>
  }, {
  ^bb0(%a: tensor<4xf32>):
    xla.return %x : tensor<f32>
  }) : (tensor<i1>, tensor<f32>, tensor<4xf32>) -> tensor<f32>
  %1 = xla.conditional(%s, %x) ({
  ^bb0(%a: tensor<f32>):
    xla.return %a : tensor<f32>
  }) : (tensor<i32>, tensor<f32>) -> tensor<f32>
  %2 = xla.conditional(%p) ({
    xla.return %x : tensor<f32>
  }, {
    xla.return %x : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  return
}

// -----

func.func @selector(%s: tensor<f32>, %x: tensor<f32>, %y: tensor<4xf32>) {
  // expected-error @+1 {{is selected by tensor<f32>, which must be tensor<i1> or tensor<i32> [branches]}}
  %0 = xla.conditional(%s) ({
    xla.return %x : tensor<f32>
  }, {
    xla.return %x : tensor<f32>
  }) : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @three_of_pred(%s: tensor<i1>, %x: tensor<f32>, %y: tensor<4xf32>) {
  // expected-error @+1 {{is selected by a pred and has 3 regions, not 2 [branches]}}
  %0 = xla.conditional(%s) ({
    xla.return %x : tensor<f32>
  }, {
    xla.return %x : tensor<f32>
  }, {
    xla.return %x : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  return
}

// -----

func.func @operands(%s: tensor<i1>, %x: tensor<f32>, %y: tensor<4xf32>) {
  // expected-error @+1 {{has 2 regions and 1 operands for them [branches]}}
  %0 = xla.conditional(%s, %x) ({
  ^bb0(%a: tensor<f32>):
    xla.return %a : tensor<f32>
  }, {
  ^bb0(%a: tensor<f32>):
    xla.return %a : tensor<f32>
  }) : (tensor<i1>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @argument(%s: tensor<i1>, %x: tensor<f32>, %y: tensor<4xf32>) {
  // expected-error @+1 {{argument 0 of region 1 is tensor<f32>, operand 2 is tensor<4xf32> [branches]}}
  %0 = xla.conditional(%s, %x, %y) ({
  ^bb0(%a: tensor<f32>):
    xla.return %a : tensor<f32>
  }, {
  ^bb0(%a: tensor<f32>):
    xla.return %a : tensor<f32>
  }) : (tensor<i1>, tensor<f32>, tensor<4xf32>) -> tensor<f32>
  return
}

// -----

func.func @arguments(%s: tensor<i1>, %x: tensor<f32>, %y: tensor<4xf32>) {
  // expected-error @+1 {{region 1 takes 0 arguments, gets 1 [branches]}}
  %0 = xla.conditional(%s, %x, %x) ({
  ^bb0(%a: tensor<f32>):
    xla.return %a : tensor<f32>
  }, {
    xla.return %x : tensor<f32>
  }) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @types(%s: tensor<i32>, %x: tensor<f32>, %y: tensor<4xf32>) {
  // expected-error @+1 {{result 0 is tensor<f32> in region 0, tensor<4xf32> in region 1 [branches]}}
  %0 = xla.conditional(%s) ({
    xla.return %x : tensor<f32>
  }, {
    xla.return %y : tensor<4xf32>
  }) : (tensor<i32>) -> tensor<f32>
  return
}
