// Case, the form of Conditional by index whose branches take nothing.
// RUN: xla-opt %s --split-input-file --verify-diagnostics | xla-opt --split-input-file | FileCheck %s

// CHECK-LABEL: @forms
// CHECK: xla.case(%arg0) ({
// CHECK-NEXT:   xla.return %arg1 : tensor<f32>
// CHECK-NEXT: }, {
// CHECK-NEXT:   %[[N:.*]] = xla.negate %arg1 : tensor<f32>
// CHECK-NEXT:   xla.return %[[N]] : tensor<f32>
// CHECK-NEXT: }, {
// CHECK-NEXT:   xla.return %arg1 : tensor<f32>
// CHECK-NEXT: }) : (tensor<i32>) -> tensor<f32>
// CHECK: xla.case(%arg0) ({
// CHECK-NEXT:   xla.return
// CHECK-NEXT: }) : (tensor<i32>) -> ()
func.func @forms(%s: tensor<i32>, %x: tensor<f32>) {
  %0 = "xla.case"(%s) ({
    xla.return %x : tensor<f32>
  }, {
    %n = xla.negate %x : tensor<f32>
    xla.return %n : tensor<f32>
  }, {
    xla.return %x : tensor<f32>
  }) : (tensor<i32>) -> tensor<f32>
  xla.case(%s) ({
    xla.return
  }) : (tensor<i32>) -> ()
  return
}

// -----

func.func @pred(%s: tensor<i1>, %x: tensor<f32>, %y: tensor<4xf32>) {
  // expected-error @+1 {{is selected by tensor<i1>, which must be tensor<i32> [branches]}}
  %0 = xla.case(%s) ({
    xla.return %x : tensor<f32>
  }, {
    xla.return %x : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  return
}

// -----

func.func @wide(%s: tensor<i64>, %x: tensor<f32>, %y: tensor<4xf32>) {
  // expected-error @+1 {{is selected by tensor<i64>, which must be tensor<i32> [branches]}}
  %0 = xla.case(%s) ({
    xla.return %x : tensor<f32>
  }, {
    xla.return %x : tensor<f32>
  }) : (tensor<i64>) -> tensor<f32>
  return
}

// -----

func.func @no_region(%s: tensor<i32>) {
  // expected-error @+1 {{takes 1 region or more, has 0 [arity]}}
  %0 = "xla.case"(%s) : (tensor<i32>) -> tensor<f32>
  return
}

// -----

func.func @counts(%s: tensor<i32>, %x: tensor<f32>, %y: tensor<4xf32>) {
  // expected-error @+1 {{region 0 returns 1 values, region 2 2 [branches]}}
  %0 = xla.case(%s) ({
    xla.return %x : tensor<f32>
  }, {
    xla.return %x : tensor<f32>
  }, {
    xla.return %x, %x : tensor<f32>, tensor<f32>
  }) : (tensor<i32>) -> tensor<f32>
  return
}

// -----

func.func @types(%s: tensor<i32>, %x: tensor<f32>, %y: tensor<4xf32>) {
  // expected-error @+1 {{result 0 is tensor<f32> in region 0, tensor<4xf32> in region 1 [branches]}}
  %0 = xla.case(%s) ({
    xla.return %x : tensor<f32>
  }, {
    xla.return %y : tensor<4xf32>
  }, {
    xla.return %x : tensor<f32>
  }) : (tensor<i32>) -> tensor<f32>
  return
}

// -----

func.func @arguments(%s: tensor<i32>, %x: tensor<f32>, %y: tensor<4xf32>) {
  // expected-error @+1 {{region 0 takes 1 arguments, gets 0 [branches]}}
  %0 = xla.case(%s) ({
  ^bb0(%a: tensor<f32>):
    xla.return %a : tensor<f32>
  }) : (tensor<i32>) -> tensor<f32>
  return
}

// -----

func.func @unterminated(%s: tensor<i32>, %x: tensor<f32>, %y: tensor<4xf32>) {
  // expected-error @+1 {{region 1 must be one block that ends in xla.return [region]}}
  %0 = xla.case(%s) ({
    xla.return %x : tensor<f32>
  }, {
  }) : (tensor<i32>) -> tensor<f32>
  return
}
