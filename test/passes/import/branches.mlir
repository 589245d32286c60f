// What the branches of other platforms call need not be known: the case goes,
// where its index follows from a constant.

// RUN: split-file %s %t
// RUN: xla-opt --xla-import-stablehlo %t/good.mlir | FileCheck %t/good.mlir
// RUN: xla-opt --xla-import-stablehlo --verify-diagnostics %t/bad.mlir

//--- good.mlir
// CHECK-LABEL: func.func @platforms(
// CHECK-NOT: other
// CHECK: %[[Y:.*]] = xla.negate %arg0
// CHECK-NOT: other
// CHECK: return %[[Y]]
func.func @platforms(%x: tensor<2xf32>) -> tensor<2xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i64>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %i = stablehlo.convert %zero : (tensor<i64>) -> tensor<i32>
  %j = "stablehlo.case"(%i) ({
    %one = stablehlo.constant dense<1> : tensor<i32>
    stablehlo.return %one : tensor<i32>
  }, {
    stablehlo.return %two : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  %y = "stablehlo.case"(%j) ({
    %0 = "stablehlo.custom_call"(%x) <{call_target_name = "other", output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]}> : (tensor<2xf32>) -> tensor<2xf32>
    stablehlo.return %0 : tensor<2xf32>
  }, {
    %0 = stablehlo.negate %x : tensor<2xf32>
    stablehlo.return %0 : tensor<2xf32>
  }) : (tensor<i32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

// An index that there is not is that of the last branch.
// CHECK-LABEL: func.func @last(
// CHECK-NOT: other
// CHECK: return %arg0
func.func @last(%x: tensor<2xf32>) -> tensor<2xf32> {
  %i = stablehlo.constant dense<-1> : tensor<i32>
  %y = "stablehlo.case"(%i) ({
    %0 = "stablehlo.custom_call"(%x) <{call_target_name = "other"}> : (tensor<2xf32>) -> tensor<2xf32>
    stablehlo.return %0 : tensor<2xf32>
  }, {
    stablehlo.return %x : tensor<2xf32>
  }) : (tensor<i32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

// Conversions wrap: 2^32 + 1 is 1.
// CHECK-LABEL: func.func @wraps(
// CHECK-NOT: other
// CHECK: %[[Y:.*]] = xla.negate %arg0
// CHECK: return %[[Y]]
func.func @wraps(%x: tensor<2xf32>) -> tensor<2xf32> {
  %large = stablehlo.constant dense<4294967297> : tensor<i64>
  %i = stablehlo.convert %large : (tensor<i64>) -> tensor<i32>
  %y = "stablehlo.case"(%i) ({
    %0 = "stablehlo.custom_call"(%x) <{call_target_name = "other"}> : (tensor<2xf32>) -> tensor<2xf32>
    stablehlo.return %0 : tensor<2xf32>
  }, {
    %0 = stablehlo.negate %x : tensor<2xf32>
    stablehlo.return %0 : tensor<2xf32>
  }, {
    stablehlo.return %x : tensor<2xf32>
  }) : (tensor<i32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

// CHECK-LABEL: func.func @stays(
// CHECK: xla.case
// CHECK: xla.case
func.func @stays(%x: tensor<2xf32>, %i: tensor<i32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %y = "stablehlo.case"(%i) ({
    %0 = "stablehlo.custom_call"(%x) <{call_target_name = "other"}> : (tensor<2xf32>) -> tensor<2xf32>
    stablehlo.return %0 : tensor<2xf32>
  }, {
    stablehlo.return %x : tensor<2xf32>
  }) : (tensor<i32>) -> tensor<2xf32>
  %j = stablehlo.constant dense<0> : tensor<i32>
  %z = "stablehlo.case"(%j) ({
    stablehlo.return %x : tensor<2xf32>
  }, {
    stablehlo.return %y : tensor<2xf32>
  }) : (tensor<i32>) -> tensor<2xf32>
  return %y, %z : tensor<2xf32>, tensor<2xf32>
}

// What an integer is as a pred is not followed.
// CHECK-LABEL: func.func @preds(
// CHECK: xla.case
func.func @preds(%x: tensor<2xf32>) -> tensor<2xf32> {
  %two = stablehlo.constant dense<2> : tensor<i32>
  %q = stablehlo.convert %two : (tensor<i32>) -> tensor<i1>
  %j = stablehlo.convert %q : (tensor<i1>) -> tensor<i32>
  %y = "stablehlo.case"(%j) ({
    stablehlo.return %x : tensor<2xf32>
  }, {
    stablehlo.return %x : tensor<2xf32>
  }, {
    %0 = "stablehlo.custom_call"(%x) <{call_target_name = "other"}> : (tensor<2xf32>) -> tensor<2xf32>
    stablehlo.return %0 : tensor<2xf32>
  }) : (tensor<i32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

//--- bad.mlir
func.func @taken(%x: tensor<2xf32>) -> tensor<2xf32> {
  %i = stablehlo.constant dense<0> : tensor<i32>
  %y = "stablehlo.case"(%i) ({
    // expected-error@+1 {{calls "other", which is not supported yet}}
    %0 = "stablehlo.custom_call"(%x) <{call_target_name = "other", output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]}> : (tensor<2xf32>) -> tensor<2xf32>
    stablehlo.return %0 : tensor<2xf32>
  }, {
    %0 = "stablehlo.custom_call"(%x) <{call_target_name = "another"}> : (tensor<2xf32>) -> tensor<2xf32>
    stablehlo.return %0 : tensor<2xf32>
  }) : (tensor<i32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}
