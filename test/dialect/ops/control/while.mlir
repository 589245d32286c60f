// Specification 000, While.
// RUN: xla-opt %s --split-input-file --verify-diagnostics | xla-opt --split-input-file | FileCheck %s
// RUN: xla-opt %s --split-input-file --verify-diagnostics --canonicalize | FileCheck %s --check-prefix=FOLD

// CHECK-LABEL: @forms
// CHECK: %[[R:.*]]:2 = xla.while(%arg0, %arg1) ({
// CHECK-NEXT: ^bb0(%[[I:.*]]: tensor<i32>, %[[V:.*]]: tensor<10xf32>):
// CHECK: xla.compare %[[I]], %arg2
// CHECK: xla.return %{{.*}} : tensor<i1>
// CHECK-NEXT: }, {
// CHECK-NEXT: ^bb0(%{{.*}}: tensor<i32>, %{{.*}}: tensor<10xf32>):
// CHECK: xla.return %{{.*}}, %{{.*}} : tensor<i32>, tensor<10xf32>
// CHECK-NEXT: }) : (tensor<i32>, tensor<10xf32>) -> (tensor<i32>, tensor<10xf32>)
// CHECK: xla.while() ({
// CHECK: }) : () -> ()
func.func @forms(%i: tensor<i32>, %v: tensor<10xf32>, %n: tensor<i32>, %p: tensor<i1>) {
  %one = xla.constant dense<1> : tensor<i32>
  %0:2 = "xla.while"(%i, %v) ({
  ^bb0(%a: tensor<i32>, %b: tensor<10xf32>):
    %lt = xla.compare %a, %n {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %lt : tensor<i1>
  }, {
  ^bb0(%a: tensor<i32>, %b: tensor<10xf32>):
    %next = xla.add %a, %one : tensor<i32>
    %sum = xla.add %b, %v : tensor<10xf32>
    xla.return %next, %sum : tensor<i32>, tensor<10xf32>
  }) : (tensor<i32>, tensor<10xf32>) -> (tensor<i32>, tensor<10xf32>)
  xla.while() ({
    xla.return %p : tensor<i1>
  }, {
    xla.return
  }) : () -> ()
  return
}

// -----

// A loop is not folded, whatever is known of it: it may not end.
// CHECK-LABEL: @endless
// CHECK: xla.while
// FOLD-LABEL: @endless
// FOLD: xla.while
func.func @endless() -> tensor<i1> {
  %true = xla.constant dense<true> : tensor<i1>
  %0 = xla.while(%true) ({
  ^bb0(%p: tensor<i1>):
    xla.return %p : tensor<i1>
  }, {
  ^bb0(%p: tensor<i1>):
    xla.return %p : tensor<i1>
  }) : (tensor<i1>) -> tensor<i1>
  return %0 : tensor<i1>
}

// -----

func.func @c1_count(%n: tensor<i32>, %x: tensor<4xf32>) {
  // expected-error @+1 {{region 0 takes 1 arguments, gets 2 [while_c1]}}
  %0:2 = xla.while(%n, %x) ({
  ^bb0(%i: tensor<i32>):
    %p = xla.compare %n, %n {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %p : tensor<i1>
  }, {
  ^bb0(%i: tensor<i32>, %v: tensor<4xf32>):
    xla.return %i, %v : tensor<i32>, tensor<4xf32>
  }) : (tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>)
  return
}

// -----

func.func @c1_type(%n: tensor<i32>, %x: tensor<4xf32>) {
  // expected-error @+1 {{argument 1 of region 0 is tensor<3xf32>, operand 1 is tensor<4xf32> [while_c1]}}
  %0:2 = xla.while(%n, %x) ({
  ^bb0(%i: tensor<i32>, %v: tensor<3xf32>):
    %p = xla.compare %n, %n {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %p : tensor<i1>
  }, {
  ^bb0(%i: tensor<i32>, %v: tensor<4xf32>):
    xla.return %i, %v : tensor<i32>, tensor<4xf32>
  }) : (tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>)
  return
}

// -----

func.func @c1_two(%n: tensor<i32>, %x: tensor<4xf32>) {
  // expected-error @+1 {{the condition must return one tensor<i1> [while_c1]}}
  %0:2 = xla.while(%n, %x) ({
  ^bb0(%i: tensor<i32>, %v: tensor<4xf32>):
    %p = xla.constant dense<true> : tensor<i1>
    xla.return %p, %p : tensor<i1>, tensor<i1>
  }, {
  ^bb0(%i: tensor<i32>, %v: tensor<4xf32>):
    xla.return %i, %v : tensor<i32>, tensor<4xf32>
  }) : (tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>)
  return
}

// -----

func.func @c1_no_pred(%n: tensor<i32>, %x: tensor<4xf32>) {
  // expected-error @+1 {{the condition must return one tensor<i1> [while_c1]}}
  %0:2 = xla.while(%n, %x) ({
  ^bb0(%i: tensor<i32>, %v: tensor<4xf32>):
    xla.return %i : tensor<i32>
  }, {
  ^bb0(%i: tensor<i32>, %v: tensor<4xf32>):
    xla.return %i, %v : tensor<i32>, tensor<4xf32>
  }) : (tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>)
  return
}

// -----

func.func @c1_array(%n: tensor<i32>, %x: tensor<4xf32>) {
  // expected-error @+1 {{the condition must return one tensor<i1> [while_c1]}}
  %0:2 = xla.while(%n, %x) ({
  ^bb0(%i: tensor<i32>, %v: tensor<4xf32>):
    %p = xla.constant dense<true> : tensor<1xi1>
    xla.return %p : tensor<1xi1>
  }, {
  ^bb0(%i: tensor<i32>, %v: tensor<4xf32>):
    xla.return %i, %v : tensor<i32>, tensor<4xf32>
  }) : (tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>)
  return
}

// -----

func.func @c2_count(%n: tensor<i32>, %x: tensor<4xf32>) {
  // expected-error @+1 {{region 1 takes 3 arguments, gets 2 [while_c2]}}
  %0:2 = xla.while(%n, %x) ({
  ^bb0(%i: tensor<i32>, %v: tensor<4xf32>):
    %p = xla.compare %n, %n {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %p : tensor<i1>
  }, {
  ^bb0(%i: tensor<i32>, %v: tensor<4xf32>, %w: tensor<f32>):
    xla.return %i, %v : tensor<i32>, tensor<4xf32>
  }) : (tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>)
  return
}

// -----

func.func @c2_type(%n: tensor<i32>, %x: tensor<4xf32>) {
  // expected-error @+1 {{argument 0 of region 1 is tensor<i64>, operand 0 is tensor<i32> [while_c2]}}
  %0:2 = xla.while(%n, %x) ({
  ^bb0(%i: tensor<i32>, %v: tensor<4xf32>):
    %p = xla.compare %n, %n {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %p : tensor<i1>
  }, {
  ^bb0(%i: tensor<i64>, %v: tensor<4xf32>):
    xla.return %n, %v : tensor<i32>, tensor<4xf32>
  }) : (tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>)
  return
}

// -----

func.func @c2_results(%n: tensor<i32>, %x: tensor<4xf32>) {
  // expected-error @+1 {{the body returns 1 values, not 2 [while_c2]}}
  %0:2 = xla.while(%n, %x) ({
  ^bb0(%i: tensor<i32>, %v: tensor<4xf32>):
    %p = xla.compare %n, %n {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %p : tensor<i1>
  }, {
  ^bb0(%i: tensor<i32>, %v: tensor<4xf32>):
    xla.return %i : tensor<i32>
  }) : (tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>)
  return
}

// -----

func.func @c2_order(%n: tensor<i32>, %x: tensor<4xf32>) {
  // expected-error @+1 {{the body returns tensor<4xf32> for operand 0, tensor<i32> [while_c2]}}
  %0:2 = xla.while(%n, %x) ({
  ^bb0(%i: tensor<i32>, %v: tensor<4xf32>):
    %p = xla.compare %n, %n {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %p : tensor<i1>
  }, {
  ^bb0(%i: tensor<i32>, %v: tensor<4xf32>):
    xla.return %v, %i : tensor<4xf32>, tensor<i32>
  }) : (tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>)
  return
}

// -----

func.func @result(%n: tensor<i32>, %x: tensor<4xf32>) {
  // expected-error @+1 {{result 1 is stated as tensor<5xf32>, but is tensor<4xf32> [result]}}
  %0:2 = xla.while(%n, %x) ({
  ^bb0(%i: tensor<i32>, %v: tensor<4xf32>):
    %p = xla.compare %n, %n {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %p : tensor<i1>
  }, {
  ^bb0(%i: tensor<i32>, %v: tensor<4xf32>):
    xla.return %i, %v : tensor<i32>, tensor<4xf32>
  }) : (tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<5xf32>)
  return
}
