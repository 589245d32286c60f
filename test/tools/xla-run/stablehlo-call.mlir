// Functions are called from the regions of StableHLO's operations, as jax does in loops.
// RUN: xla-run %s --input=s32=3 | FileCheck %s
// CHECK: s32=24
// RUN: sed 's/@twice}/@thrice}/' %s | not xla-run - --input=s32=3 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: <stdin>:23:17: error: 'func.call' op 'thrice' does not reference a valid function
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<i32>) -> tensor<i32>, sym_name = "twice", sym_visibility = "private"}> ({
  ^bb0(%x: tensor<i32>):
    %0 = "stablehlo.add"(%x, %x) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "func.return"(%0) : (tensor<i32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<i32>) -> tensor<i32>, sym_name = "main"}> ({
  ^bb0(%x: tensor<i32>):
    %0:2 = "stablehlo.while"(%x, %x) ({
    ^bb0(%i: tensor<i32>, %y: tensor<i32>):
      %zero = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %more = "stablehlo.compare"(%i, %zero) <{comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%more) : (tensor<i1>) -> ()
    }, {
    ^bb0(%i: tensor<i32>, %y: tensor<i32>):
      %one = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %next = "stablehlo.subtract"(%i, %one) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %double = "func.call"(%y) <{callee = @twice}> : (tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%next, %double) : (tensor<i32>, tensor<i32>) -> ()
    }) : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    "func.return"(%0#1) : (tensor<i32>) -> ()
  }) : () -> ()
}) : () -> ()
