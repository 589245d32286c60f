// Specification 000, GetTupleElement.
// RUN: xla-opt %s --split-input-file --verify-diagnostics | xla-opt --split-input-file | FileCheck %s

// The printed example: element 1 is an s32.
// CHECK-LABEL: @forms
// CHECK: xla.get_tuple_element %arg0 {index = 1 : i32} : (tuple<tensor<10xf32>, tensor<i32>>) -> tensor<i32>
// CHECK: xla.get_tuple_element %arg1 {index = 0 : i64} : (tuple<tuple<>>) -> tuple<>
func.func @forms(%t: tuple<tensor<10xf32>, tensor<i32>>, %n: tuple<tuple<>>) {
  %0 = "xla.get_tuple_element"(%t) <{index = 1 : i32}> : (tuple<tensor<10xf32>, tensor<i32>>) -> tensor<i32>
  %1 = xla.get_tuple_element %n {index = 0 : i64} : (tuple<tuple<>>) -> tuple<>
  return
}

// -----

func.func @c1(%t: tuple<tensor<10xf32>, tensor<i32>>) {
  // expected-error @+1 {{index is 2, the tuple has 2 elements [get_tuple_element_c1]}}
  %0 = "xla.get_tuple_element"(%t) <{index = 2 : i32}> : (tuple<tensor<10xf32>, tensor<i32>>) -> tensor<i32>
  return
}

// -----

func.func @c1_negative(%t: tuple<tensor<10xf32>, tensor<i32>>) {
  // expected-error @+1 {{index is -1, the tuple has 2 elements [get_tuple_element_c1]}}
  %0 = "xla.get_tuple_element"(%t) <{index = -1 : i32}> : (tuple<tensor<10xf32>, tensor<i32>>) -> tensor<i32>
  return
}

// -----

func.func @c1_array(%t: tensor<4xf32>) {
  // expected-error @+1 {{the operand is tensor<4xf32>, not a tuple [get_tuple_element_c1]}}
  %0 = "xla.get_tuple_element"(%t) <{index = 0 : i32}> : (tensor<4xf32>) -> tensor<i32>
  return
}

// -----

func.func @result(%t: tuple<tensor<10xf32>, tensor<i32>>) {
  // expected-error @+1 {{result 0 is stated as tensor<i32>, but is tensor<10xf32> [result]}}
  %0 = "xla.get_tuple_element"(%t) <{index = 0 : i32}> : (tuple<tensor<10xf32>, tensor<i32>>) -> tensor<i32>
  return
}

// -----

func.func @float(%t: tuple<tensor<10xf32>, tensor<i32>>) {
  // expected-error @+1 {{attribute 'index' must be an integer [attribute]}}
  %0 = "xla.get_tuple_element"(%t) <{index = 0.0 : f32}> : (tuple<tensor<10xf32>, tensor<i32>>) -> tensor<i32>
  return
}

// -----

func.func @absent(%t: tuple<tensor<10xf32>, tensor<i32>>) {
  // expected-error @+1 {{requires the attribute 'index' [attribute]}}
  %0 = "xla.get_tuple_element"(%t) <{}> : (tuple<tensor<10xf32>, tensor<i32>>) -> tensor<i32>
  return
}
