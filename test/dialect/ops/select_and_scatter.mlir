// Specification 000, SelectAndScatter.
// RUN: xla-opt %s --split-input-file --verify-diagnostics | xla-opt --split-input-file | FileCheck %s
// RUN: xla-opt %s --split-input-file --verify-diagnostics --canonicalize | FileCheck %s --check-prefix=FOLD

// CHECK-LABEL: @forms
// CHECK: xla.select_and_scatter(%arg0, %arg1, %arg2) ({
// CHECK-NEXT: ^bb0(%[[A:.*]]: tensor<f32>, %[[B:.*]]: tensor<f32>):
// CHECK: }) {padding = array<i64: 0, 1, 1, 0>, window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 2, 2>} : (tensor<4x5xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<4x5xf32>
func.func @forms(%x: tensor<4x5xf32>, %s: tensor<2x3xf32>, %z: tensor<f32>) {
  %0 = "xla.select_and_scatter"(%x, %s, %z) <{window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 2, 2>, padding = array<i64: 0, 1, 1, 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = xla.compare %a, %b {comparison_direction = "GE"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    xla.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = xla.add %a, %b : tensor<f32>
    xla.return %c : tensor<f32>
  }) : (tensor<4x5xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<4x5xf32>
  return
}

// -----

// The specification's picture: windows of 2x3 over 4x6 that do not overlap, and
// windows of 2x3 over 4x5, whose upper ones both select the 9 and give it 2 + 6.
// FOLD-LABEL: @printed
// FOLD: %[[A:.*]] = xla.constant dense<{{\[\[}}0, 0, 0, 0, 6, 0], [0, 0, 2, 0, 0, 0], [0, 0, 3, 0, 0, 0], [0, 0, 0, 0, 0, 1]]> : tensor<4x6xi32>
// FOLD: %[[B:.*]] = xla.constant dense<{{\[\[}}0, 0, 0, 0, 0], [0, 0, 8, 0, 0], [0, 0, 3, 0, 0], [0, 0, 0, 1, 0]]> : tensor<4x5xi32>
// FOLD: return %[[A]], %[[B]]
func.func @printed() -> (tensor<4x6xi32>, tensor<4x5xi32>) {
  %x = xla.constant dense<[[7, 2, 5, 3, 8, 2], [3, 8, 9, 3, 4, 2], [1, 5, 7, 5, 6, 1], [0, 6, 2, 7, 2, 8]]> : tensor<4x6xi32>
  %y = xla.constant dense<[[7, 2, 5, 3, 8], [3, 8, 9, 3, 4], [1, 5, 7, 5, 6], [0, 6, 2, 10, 2]]> : tensor<4x5xi32>
  %s = xla.constant dense<[[2, 6], [3, 1]]> : tensor<2x2xi32>
  %z = xla.constant dense<0> : tensor<i32>
  %0 = xla.select_and_scatter(%x, %s, %z) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %p = xla.compare %a, %b {comparison_direction = "GE"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = xla.add %a, %b : tensor<i32>
    xla.return %c : tensor<i32>
  }) {window_dimensions = [2, 3], window_strides = [2, 3]} : (tensor<4x6xi32>, tensor<2x2xi32>, tensor<i32>) -> tensor<4x6xi32>
  %1 = xla.select_and_scatter(%y, %s, %z) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %p = xla.compare %a, %b {comparison_direction = "GE"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = xla.add %a, %b : tensor<i32>
    xla.return %c : tensor<i32>
  }) {window_dimensions = [2, 3], window_strides = [2, 2]} : (tensor<4x5xi32>, tensor<2x2xi32>, tensor<i32>) -> tensor<4x5xi32>
  return %0, %1 : tensor<4x6xi32>, tensor<4x5xi32>
}

// -----

// Of equals GE takes the first in lexicographic order, GT the last. A window
// that covers padding only selects nothing; padding is never selected, even
// where it would be larger.
// FOLD-LABEL: @ties
// FOLD: %[[A:.*]] = xla.constant dense<[10, 0, 20, 0]> : tensor<4xi32>
// FOLD: %[[B:.*]] = xla.constant dense<[0, 10, 0, 20]> : tensor<4xi32>
// FOLD: %[[C:.*]] = xla.constant dense<[20, 30]> : tensor<2xi32>
// FOLD: return %[[A]], %[[B]], %[[C]]
func.func @ties() -> (tensor<4xi32>, tensor<4xi32>, tensor<2xi32>) {
  %x = xla.constant dense<-7> : tensor<4xi32>
  %s = xla.constant dense<[10, 20]> : tensor<2xi32>
  %z = xla.constant dense<0> : tensor<i32>
  %0 = xla.select_and_scatter(%x, %s, %z) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %p = xla.compare %a, %b {comparison_direction = "GE"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = xla.add %a, %b : tensor<i32>
    xla.return %c : tensor<i32>
  }) {window_dimensions = [2], window_strides = [2]} : (tensor<4xi32>, tensor<2xi32>, tensor<i32>) -> tensor<4xi32>
  %1 = xla.select_and_scatter(%x, %s, %z) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %p = xla.compare %a, %b {comparison_direction = "GT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = xla.add %a, %b : tensor<i32>
    xla.return %c : tensor<i32>
  }) {window_dimensions = [2], window_strides = [2]} : (tensor<4xi32>, tensor<2xi32>, tensor<i32>) -> tensor<4xi32>
  %y = xla.constant dense<-7> : tensor<2xi32>
  %t = xla.constant dense<[10, 20, 30, 40]> : tensor<4xi32>
  %2 = xla.select_and_scatter(%y, %t, %z) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %p = xla.compare %a, %b {comparison_direction = "GE"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = xla.add %a, %b : tensor<i32>
    xla.return %c : tensor<i32>
  }) {padding = [1, 1]} : (tensor<2xi32>, tensor<4xi32>, tensor<i32>) -> tensor<2xi32>
  return %0, %1, %2 : tensor<4xi32>, tensor<4xi32>, tensor<2xi32>
}

// -----

// What is not selected keeps the init value, which a selected element starts
// from; an accumulator may have more bits. A scalar has one window, an empty
// array none. A region with another order: source minus what is there.
// FOLD-LABEL: @edges
// FOLD: %[[A:.*]] = xla.constant dense<[5, 205, 5]> : tensor<3xi32>
// FOLD: %[[B:.*]] = xla.constant dense<7.000000e+00> : tensor<f32>
// FOLD: %[[C:.*]] = xla.constant dense<> : tensor<0xf32>
// FOLD: return %[[A]], %[[B]], %[[C]]
func.func @edges() -> (tensor<3xi32>, tensor<f32>, tensor<0xf32>) {
  %x = xla.constant dense<[1, 3, 2]> : tensor<3xi8>
  %s = xla.constant dense<100> : tensor<2xi8>
  %z = xla.constant dense<5> : tensor<i8>
  %0 = xla.select_and_scatter(%x, %s, %z) ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %p = xla.compare %a, %b {comparison_direction = "GE"} : (tensor<i8>, tensor<i8>) -> tensor<i1>
    xla.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = xla.add %a, %b : tensor<i32>
    xla.return %c : tensor<i32>
  }) {window_dimensions = [2]} : (tensor<3xi8>, tensor<2xi8>, tensor<i8>) -> tensor<3xi32>
  %one = xla.constant dense<1.0> : tensor<f32>
  %eight = xla.constant dense<8.0> : tensor<f32>
  %1 = xla.select_and_scatter(%one, %eight, %one) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = xla.compare %a, %b {comparison_direction = "GE"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    xla.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = xla.subtract %b, %a : tensor<f32>
    xla.return %c : tensor<f32>
  }) : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<f32>
  %none = xla.constant dense<> : tensor<0xf32>
  %2 = xla.select_and_scatter(%none, %none, %one) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = xla.compare %a, %b {comparison_direction = "GE"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    xla.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = xla.add %a, %b : tensor<f32>
    xla.return %c : tensor<f32>
  }) : (tensor<0xf32>, tensor<0xf32>, tensor<f32>) -> tensor<0xf32>
  return %0, %1, %2 : tensor<3xi32>, tensor<f32>, tensor<0xf32>
}

// -----

func.func @c1(%x: tensor<4x6xf32>, %s: tensor<4x6xf64>, %z: tensor<f32>) {
  // expected-error @+1 {{source is tensor<4x6xf64>, operand tensor<4x6xf32>: the element types must be the same [select_and_scatter_c1]}}
  %0 = xla.select_and_scatter(%x, %s, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = xla.compare %a, %b {comparison_direction = "GE"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    xla.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    xla.return %a : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<4x6xf64>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @c2(%x: tensor<4x6xf32>, %s: tensor<4x6xf32>, %z: tensor<f32>) {
  // expected-error @+1 {{source is tensor<4x6xf32>, the windows are tensor<3x6xf32> [select_and_scatter_c2]}}
  %0 = xla.select_and_scatter(%x, %s, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = xla.compare %a, %b {comparison_direction = "GE"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    xla.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    xla.return %a : tensor<f32>
  }) {window_dimensions = [2, 1]} : (tensor<4x6xf32>, tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @c3(%x: tensor<4x6xf32>, %s: tensor<4x6xf32>, %z: tensor<4xf32>) {
  // expected-error @+1 {{the init value is tensor<4xf32>, must be a scalar of the elements of tensor<4x6xf32> [select_and_scatter_c3]}}
  %0 = xla.select_and_scatter(%x, %s, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = xla.compare %a, %b {comparison_direction = "GE"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    xla.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    xla.return %a : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<4x6xf32>, tensor<4xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @c4(%x: tensor<4x6xf32>, %s: tensor<4x6xf32>, %z: tensor<f32>) {
  // expected-error @+1 {{window_dimensions is [1], the window has 2 dimensions [select_and_scatter_c4]}}
  %0 = xla.select_and_scatter(%x, %s, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = xla.compare %a, %b {comparison_direction = "GE"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    xla.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    xla.return %a : tensor<f32>
  }) {window_dimensions = [1]} : (tensor<4x6xf32>, tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @c5(%x: tensor<4x6xf32>, %s: tensor<4x6xf32>, %z: tensor<f32>) {
  // expected-error @+1 {{window_dimensions is [0, 1]: all must be at least 1 [select_and_scatter_c5]}}
  %0 = xla.select_and_scatter(%x, %s, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = xla.compare %a, %b {comparison_direction = "GE"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    xla.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    xla.return %a : tensor<f32>
  }) {window_dimensions = [0, 1]} : (tensor<4x6xf32>, tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @c6(%x: tensor<4x6xf32>, %s: tensor<4x6xf32>, %z: tensor<f32>) {
  // expected-error @+1 {{window_strides is [1], the window has 2 dimensions [select_and_scatter_c6]}}
  %0 = xla.select_and_scatter(%x, %s, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = xla.compare %a, %b {comparison_direction = "GE"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    xla.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    xla.return %a : tensor<f32>
  }) {window_strides = [1]} : (tensor<4x6xf32>, tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @c7(%x: tensor<4x6xf32>, %s: tensor<4x6xf32>, %z: tensor<f32>) {
  // expected-error @+1 {{window_strides is [1, -1]: all must be at least 1 [select_and_scatter_c7]}}
  %0 = xla.select_and_scatter(%x, %s, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = xla.compare %a, %b {comparison_direction = "GE"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    xla.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    xla.return %a : tensor<f32>
  }) {window_strides = [1, -1]} : (tensor<4x6xf32>, tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @c8(%x: tensor<4x6xf32>, %s: tensor<4x6xf32>, %z: tensor<f32>) {
  // expected-error @+1 {{padding is [0, 0], must have a low and a high end for each of the 2 dimensions of the window [select_and_scatter_c8]}}
  %0 = xla.select_and_scatter(%x, %s, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = xla.compare %a, %b {comparison_direction = "GE"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    xla.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    xla.return %a : tensor<f32>
  }) {padding = [0, 0]} : (tensor<4x6xf32>, tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @c9_argument(%x: tensor<4x6xf32>, %s: tensor<4x6xf32>, %z: tensor<f32>) {
  // expected-error @+1 {{the select region takes f64 and returns pred, must take f32 and return pred [select_and_scatter_c9]}}
  %0 = xla.select_and_scatter(%x, %s, %z) ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %p = xla.compare %a, %b {comparison_direction = "GE"} : (tensor<f64>, tensor<f64>) -> tensor<i1>
    xla.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    xla.return %a : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @c9_result(%x: tensor<4x6xf32>, %s: tensor<4x6xf32>, %z: tensor<f32>) {
  // expected-error @+1 {{the select region takes f32 and returns f32, must take f32 and return pred [select_and_scatter_c9]}}
  %0 = xla.select_and_scatter(%x, %s, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = xla.compare %a, %b {comparison_direction = "GE"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    xla.return %a : tensor<f32>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    xla.return %a : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @c10_narrow(%x: tensor<4x6xf32>, %s: tensor<4x6xf32>, %z: tensor<f32>) {
  // expected-error @+1 {{the scatter region takes bf16 and returns bf16, must take and return f32 [select_and_scatter_c10]}}
  %0 = xla.select_and_scatter(%x, %s, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = xla.compare %a, %b {comparison_direction = "GE"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    xla.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    xla.return %a : tensor<bf16>
  }) : (tensor<4x6xf32>, tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @c10_arguments(%x: tensor<4x6xf32>, %s: tensor<4x6xf32>, %z: tensor<f32>) {
  // expected-error @+1 {{the scatter region takes tensor<f32> and tensor<f64> [select_and_scatter_c10]}}
  %0 = xla.select_and_scatter(%x, %s, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = xla.compare %a, %b {comparison_direction = "GE"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    xla.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f64>):
    xla.return %a : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @c10_scalar(%x: tensor<4x6xf32>, %s: tensor<4x6xf32>, %z: tensor<f32>) {
  // expected-error @+1 {{the scatter region takes tensor<2xf32>, not a scalar [select_and_scatter_c10]}}
  %0 = xla.select_and_scatter(%x, %s, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = xla.compare %a, %b {comparison_direction = "GE"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    xla.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<2xf32>, %b: tensor<2xf32>):
    xla.return %a : tensor<2xf32>
  }) : (tensor<4x6xf32>, tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @result(%x: tensor<4x6xf32>, %s: tensor<4x6xf32>, %z: tensor<f32>) {
  // expected-error @+1 {{result 0 is stated as tensor<4x6xf32>, but is tensor<4x6xf64> [result]}}
  %0 = xla.select_and_scatter(%x, %s, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = xla.compare %a, %b {comparison_direction = "GE"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    xla.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    xla.return %a : tensor<f64>
  }) : (tensor<4x6xf32>, tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}
