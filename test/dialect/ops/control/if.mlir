// If, the form of Conditional whose branches take nothing.
// RUN: xla-opt %s --split-input-file --verify-diagnostics | xla-opt --split-input-file | FileCheck %s

// CHECK-LABEL: @forms
// CHECK: %[[R:.*]]:2 = xla.if(%arg0) ({
// CHECK-NEXT:   xla.return %arg1, %arg2 : tensor<f32>, tensor<4xf32>
// CHECK-NEXT: }, {
// CHECK-NEXT:   %[[N:.*]] = xla.negate %arg1 : tensor<f32>
// CHECK-NEXT:   xla.return %[[N]], %arg2 : tensor<f32>, tensor<4xf32>
// CHECK-NEXT: }) : (tensor<i1>) -> (tensor<f32>, tensor<4xf32>)
// CHECK: xla.if(%arg0) ({
// CHECK-NEXT: xla.return
// CHECK-NEXT: }, {
// CHECK-NEXT: xla.return
// CHECK-NEXT: }) : (tensor<i1>) -> ()
func.func @forms(%s: tensor<i1>, %x: tensor<f32>, %y: tensor<4xf32>) {
  %0:2 = "xla.if"(%s) ({
    xla.return %x, %y : tensor<f32>, tensor<4xf32>
  }, {
    %n = xla.negate %x : tensor<f32>
    xla.return %n, %y : tensor<f32>, tensor<4xf32>
  }) : (tensor<i1>) -> (tensor<f32>, tensor<4xf32>)
  xla.if(%s) ({
    xla.return
  }, {
    xla.return
  }) : (tensor<i1>) -> ()
  return
}

// -----

func.func @selector(%s: tensor<i32>, %x: tensor<f32>, %y: tensor<4xf32>) {
  // expected-error @+1 {{is selected by tensor<i32>, which must be tensor<i1> [branches]}}
  %0 = xla.if(%s) ({
    xla.return %x : tensor<f32>
  }, {
    xla.return %x : tensor<f32>
  }) : (tensor<i32>) -> tensor<f32>
  return
}

// -----

func.func @vector(%s: tensor<2xi1>, %x: tensor<f32>, %y: tensor<4xf32>) {
  // expected-error @+1 {{is selected by tensor<2xi1>, which must be tensor<i1> [branches]}}
  %0 = xla.if(%s) ({
    xla.return %x : tensor<f32>
  }, {
    xla.return %x : tensor<f32>
  }) : (tensor<2xi1>) -> tensor<f32>
  return
}

// -----

func.func @one_region(%s: tensor<i1>, %x: tensor<f32>, %y: tensor<4xf32>) {
  // expected-error @+1 {{takes 2 regions, has 1 [arity]}}
  %0 = xla.if(%s) ({
    xla.return %x : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  return
}

// -----

func.func @counts(%s: tensor<i1>, %x: tensor<f32>, %y: tensor<4xf32>) {
  // expected-error @+1 {{region 0 returns 1 values, region 1 2 [branches]}}
  %0 = xla.if(%s) ({
    xla.return %x : tensor<f32>
  }, {
    xla.return %x, %x : tensor<f32>, tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  return
}

// -----

func.func @types(%s: tensor<i1>, %x: tensor<f32>, %y: tensor<4xf32>) {
  // expected-error @+1 {{result 0 is tensor<f32> in region 0, tensor<4xf32> in region 1 [branches]}}
  %0 = xla.if(%s) ({
    xla.return %x : tensor<f32>
  }, {
    xla.return %y : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<f32>
  return
}

// -----

func.func @arguments(%s: tensor<i1>, %x: tensor<f32>, %y: tensor<4xf32>) {
  // expected-error @+1 {{region 1 takes 1 arguments, gets 0 [branches]}}
  %0 = xla.if(%s) ({
    xla.return %x : tensor<f32>
  }, {
  ^bb0(%a: tensor<f32>):
    xla.return %a : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  return
}

// -----

func.func @operands(%s: tensor<i1>, %x: tensor<f32>, %y: tensor<4xf32>) {
  // expected-error @+1 {{takes 1 operands, has 2 [arity]}}
  %0 = "xla.if"(%s, %x) ({
    xla.return %x : tensor<f32>
  }, {
    xla.return %x : tensor<f32>
  }) : (tensor<i1>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @result(%s: tensor<i1>, %x: tensor<f32>, %y: tensor<4xf32>) {
  // expected-error @+1 {{result 0 is stated as tensor<4xf32>, but is tensor<f32> [result]}}
  %0 = xla.if(%s) ({
    xla.return %x : tensor<f32>
  }, {
    xla.return %x : tensor<f32>
  }) : (tensor<i1>) -> tensor<4xf32>
  return
}
