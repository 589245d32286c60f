// Arrays of unknown size, as jax.export writes them: programs for those of the inputs.
// RUN: split-file %s %t
// RUN: xla-run %t/good.mlir --input="2x3xf32=1 2 3 4 5 6" --input=f32=1 --device=all | FileCheck %t/good.mlir --check-prefix=TWO
// RUN: xla-run %t/good.mlir --input="5x3xf32=1" --input=f32=1 --device=all | FileCheck %t/good.mlir --check-prefix=FIVE
// RUN: xla-run %t/good.mlir --input="2x3xf32=random:1" --input=f32=1 --print-ir-after=import --output=none 2>&1 | FileCheck %t/good.mlir
// RUN: xla-bench %t/good.mlir --input=4x3xf32=random:1 --input=f32=1 --min-time=0.01 | FileCheck %t/good.mlir --check-prefix=BENCH
// RUN: not xla-run %t/good.mlir --input="1x3xf32=1" --input=f32=1 2>&1 | FileCheck %t/good.mlir --check-prefix=ASSERTION
// RUN: not xla-run %t/good.mlir --input="2x4xf32=1" --input=f32=1 2>&1 | FileCheck %t/good.mlir --check-prefix=TYPE
// RUN: not xla-run %t/good.mlir --seed=1 2>&1 | FileCheck %t/good.mlir --check-prefix=SEED
// RUN: not xla-run %t/good.mlir --entry=data --input=4xf32=1 --input=s32=2 2>&1 | FileCheck %t/good.mlir --check-prefix=DATA
// RUN: not xla-run %t/good.mlir --entry=recursive --input=4xf32=1 2>&1 | FileCheck %t/good.mlir --check-prefix=RECURSIVE
// RUN: not xla-run %t/good.mlir --entry=apart --input=4xf32=1 --input=3xf32=1 2>&1 | FileCheck %t/good.mlir --check-prefix=APART
// RUN: not xla-run %t/good.mlir --entry=stated --input=4xf32=1 2>&1 | FileCheck %t/good.mlir --check-prefix=STATED

//--- good.mlir
// TWO: 6xf32=8 16 24 32 40 48
// TWO-NEXT: s32=6
// TWO-NEXT: 2x3xf32=0 1 2 3 4 5
// FIVE: 15xf32=8 8 8 8 8 8 8 8 8 8 8 8 8 8 8
// FIVE-NEXT: s32=15
// FIVE-NEXT: 5x3xf32=0 1 2 3 4 5 6 7 8 9 10 11 12 13 14
// CHECK: func.func @main(%arg0: tensor<2x3xf32>, %arg1: tensor<f32>) -> (tensor<6xf32>, tensor<i32>, tensor<2x3xf32>)
// CHECK: xla.while
// CHECK: tensor<2x3xf32>
// CHECK-NOT: {{\?}}
// BENCH: time
// ASSERTION: good.mlir:{{[0-9]+}}:{{.*}}: error: 'stablehlo.custom_call' op the sizes of the inputs break an assertion of the program: at least 2 rows, not 1 {5}
// TYPE: xla-run: input 0: expected tensor<?x3xf32>, got 2x4xf32
// SEED: xla-run: input 0 is tensor<?x3xf32>, whose sizes only a value tells
"func.func"() <{function_type = (tensor<?x3xf32>, tensor<f32>) -> (tensor<?xf32>, tensor<i32>, tensor<?x3xf32>), sym_name = "main"}> ({
^bb0(%x: tensor<?x3xf32>, %k: tensor<f32>):
  %n = "stablehlo.get_dimension_size"(%x) <{dimension = 0 : i64}> : (tensor<?x3xf32>) -> tensor<i32>
  %two = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
  %enough = "stablehlo.compare"(%n, %two) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
  "stablehlo.custom_call"(%enough, %n) <{call_target_name = "shape_assertion", has_side_effect = true}> {error_message = "at least 2 rows, not {0} {5}"} : (tensor<i1>, tensor<i32>) -> ()
  %0:2 = "stablehlo.while"(%x, %k) ({
  ^bb1(%y: tensor<?x3xf32>, %i: tensor<f32>):
    %four = "stablehlo.constant"() <{value = dense<4.0> : tensor<f32>}> : () -> tensor<f32>
    %c = "stablehlo.compare"(%i, %four) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb1(%y: tensor<?x3xf32>, %i: tensor<f32>):
    %d = "func.call"(%n, %y) <{callee = @double}> : (tensor<i32>, tensor<?x3xf32>) -> tensor<?x3xf32>
    %one = "stablehlo.constant"() <{value = dense<1.0> : tensor<f32>}> : () -> tensor<f32>
    %j = "stablehlo.add"(%i, %one) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%d, %j) : (tensor<?x3xf32>, tensor<f32>) -> ()
  }) : (tensor<?x3xf32>, tensor<f32>) -> (tensor<?x3xf32>, tensor<f32>)
  %three = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
  %all = "stablehlo.multiply"(%n, %three) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %shape = "stablehlo.reshape"(%all) : (tensor<i32>) -> tensor<1xi32>
  %flat = "stablehlo.dynamic_reshape"(%0#0, %shape) : (tensor<?x3xf32>, tensor<1xi32>) -> tensor<?xf32>
  %iota = "stablehlo.dynamic_iota"(%shape) <{iota_dimension = 0 : i64}> : (tensor<1xi32>) -> tensor<?xf32>
  %rows = "stablehlo.reshape"(%iota) : (tensor<?xf32>) -> tensor<?x3xf32>
  "func.return"(%flat, %all, %rows) : (tensor<?xf32>, tensor<i32>, tensor<?x3xf32>) -> ()
}) : () -> ()

"func.func"() <{function_type = (tensor<i32>, tensor<?x3xf32>) -> tensor<?x3xf32>, sym_name = "double", sym_visibility = "private"}> ({
^bb0(%n: tensor<i32>, %x: tensor<?x3xf32>):
  %0 = "stablehlo.add"(%x, %x) : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  "func.return"(%0) : (tensor<?x3xf32>) -> ()
}) : () -> ()

// A size that data tells.
// DATA: {{.*}}: error: 'stablehlo.dynamic_iota' op is not supported yet where operand 0 does not follow from constants
"func.func"() <{function_type = (tensor<?xf32>, tensor<i32>) -> tensor<?xf32>, sym_name = "data"}> ({
^bb0(%x: tensor<?xf32>, %n: tensor<i32>):
  %shape = "stablehlo.reshape"(%n) : (tensor<i32>) -> tensor<1xi32>
  %iota = "stablehlo.dynamic_iota"(%shape) <{iota_dimension = 0 : i64}> : (tensor<1xi32>) -> tensor<?xf32>
  "func.return"(%iota) : (tensor<?xf32>) -> ()
}) : () -> ()

// RECURSIVE: error: 'func.call' op is not supported yet: calls nest more than 256 deep
"func.func"() <{function_type = (tensor<?xf32>) -> tensor<?xf32>, sym_name = "recursive"}> ({
^bb0(%x: tensor<?xf32>):
  %0 = "func.call"(%x) <{callee = @recursive}> : (tensor<?xf32>) -> tensor<?xf32>
  "func.return"(%0) : (tensor<?xf32>) -> ()
}) : () -> ()

// Sizes that do not go together.
// APART: error: 'xla.add' op dimension 0 of lhs is 4, dimension 0 of rhs 3 [broadcast]
// APART-NOT: error
"func.func"() <{function_type = (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>, sym_name = "apart"}> ({
^bb0(%x: tensor<?xf32>, %y: tensor<?xf32>):
  %0 = "stablehlo.add"(%x, %y) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  "func.return"(%0) : (tensor<?xf32>) -> ()
}) : () -> ()

// STATED: error: 'xla.concatenate' op result 0 is stated as tensor<9xf32>, but is tensor<8xf32> [result]
"func.func"() <{function_type = (tensor<?xf32>) -> tensor<9xf32>, sym_name = "stated"}> ({
^bb0(%x: tensor<?xf32>):
  %0 = "stablehlo.concatenate"(%x, %x) <{dimension = 0 : i64}> : (tensor<?xf32>, tensor<?xf32>) -> tensor<9xf32>
  "func.return"(%0) : (tensor<9xf32>) -> ()
}) : () -> ()
