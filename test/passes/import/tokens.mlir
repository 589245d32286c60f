// Tokens of StableHLO: types at any depth, operations, control flow.
// RUN: xla-opt %s --allow-unregistered-dialect --xla-import-stablehlo | FileCheck %s
// RUN: xla-run %s --device=all --input=pred=true

// CHECK: func.func @main(%arg0: tensor<i1>, %arg1: tuple<!xla.token>, %arg2: !xla.token) -> !xla.token
// CHECK: %[[A:.*]] = xla.create_token : () -> !xla.token
// CHECK: %[[B:.*]] = xla.after_all : () -> !xla.token
// CHECK: %[[C:.*]] = xla.after_all %[[A]], %[[B]], %arg2 : !xla.token
// CHECK: %[[D:.*]] = xla.get_tuple_element %arg1 {index = 0 : i64} : (tuple<!xla.token>) -> !xla.token
// CHECK: xla.if(%arg0) ({
// CHECK: xla.return %[[C]] : !xla.token
// CHECK: xla.return %[[D]] : !xla.token
// CHECK: }) : (tensor<i1>) -> !xla.token
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<i1>, tuple<!stablehlo.token>, !stablehlo.token) -> !stablehlo.token, sym_name = "main"}> ({
  ^bb0(%p: tensor<i1>, %t: tuple<!stablehlo.token>, %u: !stablehlo.token):
    %0 = "stablehlo.create_token"() : () -> !stablehlo.token
    %1 = "stablehlo.after_all"() : () -> !stablehlo.token
    %2 = "stablehlo.after_all"(%0, %1, %u) : (!stablehlo.token, !stablehlo.token, !stablehlo.token) -> !stablehlo.token
    %3 = "stablehlo.get_tuple_element"(%t) <{index = 0 : i32}> : (tuple<!stablehlo.token>) -> !stablehlo.token
    %4 = "stablehlo.if"(%p) ({
      "stablehlo.return"(%2) : (!stablehlo.token) -> ()
    }, {
      "stablehlo.return"(%3) : (!stablehlo.token) -> ()
    }) : (tensor<i1>) -> !stablehlo.token
    "func.return"(%4) : (!stablehlo.token) -> ()
  }) : () -> ()
}) : () -> ()
