// chlo.ragged_dot: products of groups of rows, of parts of sums, and of batches.
// RUN: split-file %s %t
// RUN: xla-run %t/good.mlir --check | FileCheck %t/good.mlir --check-prefix=VALUES
// RUN: xla-run %t/good.mlir --check --device=cpu | FileCheck %t/good.mlir --check-prefix=VALUES
// RUN: xla-opt --xla-import-stablehlo --split-input-file --verify-diagnostics %t/bad.mlir

//--- good.mlir
// VALUES: {{^}}5 passed, 0 failed{{$}}

// Row 3 is in no group; NaN of group 2, which is empty, goes nowhere.
func.func @rows() {
  %x = "stablehlo.constant"() {value = dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]]> : tensor<4x2xf32>} : () -> tensor<4x2xf32>
  %y = "stablehlo.constant"() {value = dense<[[[1.0], [1.0]], [[10.0], [1.0]], [[0x7FC00000], [1.0]]]> : tensor<3x2x1xf32>} : () -> tensor<3x2x1xf32>
  %n = "stablehlo.constant"() {value = dense<[2, 1, 0]> : tensor<3xi32>} : () -> tensor<3xi32>
  %0 = "chlo.ragged_dot"(%x, %y, %n) <{precision_config = [#chlo<precision DEFAULT>, #chlo<precision DEFAULT>], ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<4x2xf32>, tensor<3x2x1xf32>, tensor<3xi32>) -> tensor<4x1xf32>
  "check.expect_eq_const"(%0) {value = dense<[[3.0], [7.0], [56.0], [0.0]]> : tensor<4x1xf32>} : (tensor<4x1xf32>) -> ()
  return
}
// Sizes of their own for each batch; the group dimension of rhs is not the first.
func.func @rows_of_batches() {
  %x = "stablehlo.constant"() {value = dense<[[[1], [2], [3]], [[4], [5], [6]]]> : tensor<2x3x1xi32>} : () -> tensor<2x3x1xi32>
  %y = "stablehlo.constant"() {value = dense<[[[1, 10]], [[2, 20]]]> : tensor<2x1x2xi32>} : () -> tensor<2x1x2xi32>
  %n = "stablehlo.constant"() {value = dense<[[1, 2], [3, 0]]> : tensor<2x2xi64>} : () -> tensor<2x2xi64>
  %0 = "chlo.ragged_dot"(%x, %y, %n) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [1], rhs_group_dimensions = [2]>}> : (tensor<2x3x1xi32>, tensor<2x1x2xi32>, tensor<2x2xi64>) -> tensor<2x3xi32>
  "check.expect_eq_const"(%0) {value = dense<[[1, 20, 30], [8, 10, 12]]> : tensor<2x3xi32>} : (tensor<2x3xi32>) -> ()
  return
}
// Rows of a dimension outside of the ragged one have sizes of their own too.
func.func @outer_rows() {
  %x = "stablehlo.constant"() {value = dense<[[[1], [2]], [[3], [4]]]> : tensor<2x2x1xi32>} : () -> tensor<2x2x1xi32>
  %y = "stablehlo.constant"() {value = dense<[[[1]], [[10]]]> : tensor<2x1x1xi32>} : () -> tensor<2x1x1xi32>
  %n = "stablehlo.constant"() {value = dense<[[1, 1], [0, 2]]> : tensor<2x2xi32>} : () -> tensor<2x2xi32>
  %0 = "chlo.ragged_dot"(%x, %y, %n) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>}> : (tensor<2x2x1xi32>, tensor<2x1x1xi32>, tensor<2x2xi32>) -> tensor<2x2x1xi32>
  "check.expect_eq_const"(%0) {value = dense<[[[1], [20]], [[30], [40]]]> : tensor<2x2x1xi32>} : (tensor<2x2x1xi32>) -> ()
  return
}
func.func @sums() {
  %x = "stablehlo.constant"() {value = dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 0x7FC00000]]> : tensor<2x3xf32>} : () -> tensor<2x3xf32>
  %y = "stablehlo.constant"() {value = dense<[[1.0, 1.0], [2.0, 1.0], [3.0, 1.0]]> : tensor<3x2xf32>} : () -> tensor<3x2xf32>
  %n = "stablehlo.constant"() {value = dense<[0, 2]> : tensor<2xi32>} : () -> tensor<2xi32>
  %0 = "chlo.ragged_dot"(%x, %y, %n) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [1]>}> : (tensor<2x3xf32>, tensor<3x2xf32>, tensor<2xi32>) -> tensor<2x2x2xf32>
  "check.expect_eq_const"(%0) {value = dense<[[[0.0, 0.0], [0.0, 0.0]], [[5.0, 3.0], [14.0, 9.0]]]> : tensor<2x2x2xf32>} : (tensor<2x2x2xf32>) -> ()
  return
}
func.func @batches() {
  %x = "stablehlo.constant"() {value = dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>} : () -> tensor<3x2xf32>
  %n = "stablehlo.constant"() {value = dense<[1, 2]> : tensor<2xi32>} : () -> tensor<2xi32>
  %0 = "chlo.ragged_dot"(%x, %x, %n) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0]>}> : (tensor<3x2xf32>, tensor<3x2xf32>, tensor<2xi32>) -> tensor<3xf32>
  "check.expect_eq_const"(%0) {value = dense<[5.0, 25.0, 61.0]> : tensor<3xf32>} : (tensor<3xf32>) -> ()
  return
}

//--- bad.mlir
func.func @no_numbers(%x: tensor<4x2xf32>, %y: tensor<3x2x1xf32>, %n: tensor<3xi32>) {
  // expected-error@+1 {{attribute 'ragged_dot_dimension_numbers' cannot be read: nothing}}
  %0 = "chlo.ragged_dot"(%x, %y, %n) : (tensor<4x2xf32>, tensor<3x2x1xf32>, tensor<3xi32>) -> tensor<4x1xf32>
  return
}

// -----

func.func @key(%x: tensor<4x2xf32>, %y: tensor<3x2x1xf32>, %n: tensor<3xi32>) {
  // expected-error@+1 {{attribute 'ragged_dot_dimension_numbers' cannot be read: ragged_dot<ragged = [0]>}}
  %0 = "chlo.ragged_dot"(%x, %y, %n) {ragged_dot_dimension_numbers = #chlo.ragged_dot<ragged = [0]>} : (tensor<4x2xf32>, tensor<3x2x1xf32>, tensor<3xi32>) -> tensor<4x1xf32>
  return
}

// -----

func.func @no_group(%x: tensor<4x2xf32>, %y: tensor<3x2x1xf32>, %n: tensor<3xi32>) {
  // expected-error@+1 {{has ragged_dot_dimension_numbers that do not fit tensor<4x2xf32> and tensor<3x2x1xf32>}}
  %0 = "chlo.ragged_dot"(%x, %y, %n) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0]>} : (tensor<4x2xf32>, tensor<3x2x1xf32>, tensor<3xi32>) -> tensor<4x1xf32>
  return
}

// -----

func.func @dimension(%x: tensor<4x2xf32>, %y: tensor<3x2x1xf32>, %n: tensor<3xi32>) {
  // expected-error@+1 {{has ragged_dot_dimension_numbers that do not fit tensor<4x2xf32> and tensor<3x2x1xf32>}}
  %0 = "chlo.ragged_dot"(%x, %y, %n) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>} : (tensor<4x2xf32>, tensor<3x2x1xf32>, tensor<3xi32>) -> tensor<4x1xf32>
  return
}

// -----

func.func @sizes(%x: tensor<4x2xf32>, %y: tensor<3x2x1xf32>, %n: tensor<2xi32>) {
  // expected-error@+1 {{takes tensor<2xi32> as sizes of groups, with lhs tensor<4x2xf32> and rhs tensor<3x2x1xf32>}}
  %0 = "chlo.ragged_dot"(%x, %y, %n) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>} : (tensor<4x2xf32>, tensor<3x2x1xf32>, tensor<2xi32>) -> tensor<4x1xf32>
  return
}

// -----

func.func @result(%x: tensor<4x2xf32>, %y: tensor<3x2x1xf32>, %n: tensor<3xi32>) {
  // expected-error@+1 {{is stated as tensor<4x2xf32>, its operands give tensor<4x1xf32>}}
  %0 = "chlo.ragged_dot"(%x, %y, %n) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>} : (tensor<4x2xf32>, tensor<3x2x1xf32>, tensor<3xi32>) -> tensor<4x2xf32>
  return
}
