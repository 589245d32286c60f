// Programs of unknown sizes that are wrong, or more than is supported: errors at their operations.
// RUN: not xla-run %s --entry=a --input=3xf32=1 2>&1 | FileCheck %s --check-prefix=A
// RUN: not xla-run %s --entry=b --input=3xf32=1 2>&1 | FileCheck %s --check-prefix=B
// RUN: not xla-run %s --entry=c --input=3xf32=1 2>&1 | FileCheck %s --check-prefix=C
// RUN: not xla-run %s --entry=d --input=3xf32=1 2>&1 | FileCheck %s --check-prefix=D
// RUN: not xla-run %s --entry=e --input=3xf32=1 2>&1 | FileCheck %s --check-prefix=E

// A: error: 'stablehlo.custom_call' op calls "stablehlo.dynamic_top_k" in a form that is not supported yet
"func.func"() <{function_type = (tensor<?xf32>) -> tensor<?xf32>, sym_name = "a"}> ({
^bb0(%x: tensor<?xf32>):
  %k = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
  %0:2 = "stablehlo.custom_call"(%x, %k) <{call_target_name = "stablehlo.dynamic_top_k"}> : (tensor<?xf32>, tensor<i32>) -> (tuple<>, tensor<?xi32>)
  "func.return"(%x) : (tensor<?xf32>) -> ()
}) : () -> ()

// B: error: 'stablehlo.custom_call' op calls "stablehlo.dynamic_rng_bit_generator" in a form that is not supported yet
"func.func"() <{function_type = (tensor<?xf32>) -> tensor<?xf32>, sym_name = "b"}> ({
^bb0(%x: tensor<?xf32>):
  %k = "stablehlo.constant"() <{value = dense<[-1]> : tensor<1xi32>}> : () -> tensor<1xi32>
  %0:2 = "stablehlo.custom_call"(%x, %k) <{call_target_name = "stablehlo.dynamic_rng_bit_generator", rng_algorithm = #stablehlo<rng_algorithm DEFAULT>}> : (tensor<?xf32>, tensor<1xi32>) -> (tensor<?xf32>, tensor<?xui32>)
  "func.return"(%x) : (tensor<?xf32>) -> ()
}) : () -> ()

// C: error: 'stablehlo.reshape' op is not supported yet for result 1, tensor<?xi32>
"func.func"() <{function_type = (tensor<?xf32>) -> tensor<?xf32>, sym_name = "c"}> ({
^bb0(%x: tensor<?xf32>):
  %0:2 = "stablehlo.reshape"(%x) : (tensor<?xf32>) -> (tuple<>, tensor<?xi32>)
  "func.return"(%x) : (tensor<?xf32>) -> ()
}) : () -> ()

// D: calls "shape_assertion" in a form that is not supported yet
// D: where operand 0 does not follow from the sizes of inputs
// D: where operand 0 does not follow from the sizes of inputs
// D: where operand 2 does not follow from the sizes of inputs
// D: calls "stablehlo.dynamic_reduce_window" in a form that is not supported yet
// D: is not supported yet for result 0, tensor<?xf32>, which has a dimension of dynamic size without a bound
"func.func"() <{function_type = (tensor<?xf32>) -> tensor<?xf32>, sym_name = "d"}> ({
^bb0(%x: tensor<?xf32>):
  %0 = "stablehlo.custom_call"() <{call_target_name = "shape_assertion"}> : () -> tensor<?xf32>
  "stablehlo.custom_call"() <{call_target_name = "shape_assertion"}> : () -> ()
  "stablehlo.custom_call"(%x) <{call_target_name = "shape_assertion"}> : (tensor<?xf32>) -> ()
  %1 = "stablehlo.custom_call"() <{call_target_name = "stablehlo.dynamic_approx_top_k"}> : () -> tensor<?xf32>
  %2 = "stablehlo.custom_call"() <{call_target_name = "stablehlo.dynamic_reduce_window"}> : () -> tensor<?xf32>
  %3 = "stablehlo.custom_call"() <{call_target_name = "foo", indices_of_shape_operands = dense<0> : tensor<1xi64>}> : () -> tensor<?xf32>
  "func.return"(%x) : (tensor<?xf32>) -> ()
}) : () -> ()

// E: error: 'xla.while' op the body returns tensor<6xf32> for operand 0, tensor<3xf32> [while_c2]
"func.func"() <{function_type = (tensor<?xf32>) -> tensor<?xf32>, sym_name = "e"}> ({
^bb0(%x: tensor<?xf32>):
  %0 = "stablehlo.while"(%x) ({
  ^bb1(%y: tensor<?xf32>):
    %t = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    "stablehlo.return"(%t) : (tensor<i1>) -> ()
  }, {
  ^bb1(%y: tensor<?xf32>):
    %z = "stablehlo.concatenate"(%y, %y) <{dimension = 0 : i64}> : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    "stablehlo.return"(%z) : (tensor<?xf32>) -> ()
  }) : (tensor<?xf32>) -> tensor<?xf32>
  "func.return"(%0) : (tensor<?xf32>) -> ()
}) : () -> ()
