// Attributes of a composite in either form.
// RUN: xla-opt %s --allow-unregistered-dialect --xla-import-stablehlo | FileCheck %s
// CHECK-COUNT-2: call @square
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2xf32>) -> tensor<2xf32>, sym_name = "main"}> ({
  ^bb0(%x: tensor<2xf32>):
    %0 = "stablehlo.composite"(%x) <{composite_attributes = {}, decomposition = @square, name = "my.square", version = 1 : i32}> : (tensor<2xf32>) -> tensor<2xf32>
    %1 = "stablehlo.composite"(%0) {composite_attributes = {}, decomposition = @square, name = "my.square", version = 1 : i32} : (tensor<2xf32>) -> tensor<2xf32>
    "func.return"(%1) : (tensor<2xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2xf32>) -> tensor<2xf32>, sym_name = "square", sym_visibility = "private"}> ({
  ^bb0(%x: tensor<2xf32>):
    %0 = "stablehlo.multiply"(%x, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    "func.return"(%0) : (tensor<2xf32>) -> ()
  }) : () -> ()
}) : () -> ()
