// Specification 000, Tuple.
// RUN: xla-opt %s --split-input-file --verify-diagnostics | xla-opt --split-input-file | FileCheck %s

// CHECK-LABEL: @forms
// CHECK: %[[T:.*]] = xla.tuple %arg0, %arg1 : (tensor<10xf32>, tensor<i32>) -> tuple<tensor<10xf32>, tensor<i32>>
// CHECK: xla.tuple : () -> tuple<>
// CHECK: xla.tuple %[[T]], %arg2 : (tuple<tensor<10xf32>, tensor<i32>>, !xla.token) -> tuple<tuple<tensor<10xf32>, tensor<i32>>, !xla.token>
func.func @forms(%v: tensor<10xf32>, %s: tensor<i32>, %t: !xla.token) {
  %0 = "xla.tuple"(%v, %s) : (tensor<10xf32>, tensor<i32>) -> tuple<tensor<10xf32>, tensor<i32>>
  %1 = xla.tuple : () -> tuple<>
  %2 = xla.tuple %0, %t : (tuple<tensor<10xf32>, tensor<i32>>, !xla.token) -> tuple<tuple<tensor<10xf32>, tensor<i32>>, !xla.token>
  return
}

// -----

func.func @result(%v: tensor<10xf32>) {
  // expected-error @+1 {{result 0 is stated as tuple<tensor<9xf32>>, but is tuple<tensor<10xf32>> [result]}}
  %0 = xla.tuple %v : (tensor<10xf32>) -> tuple<tensor<9xf32>>
  return
}

// -----

func.func @array(%v: tensor<10xf32>) {
  // expected-error @+1 {{result 0 is stated as tensor<10xf32>, but is tuple<tensor<10xf32>> [result]}}
  %0 = xla.tuple %v : tensor<10xf32>
  return
}
