// Operations of StableHLO and CHLO that are written as others, of arrays of unknown size.
// RUN: xla-run %s --entry=einsum --device=all --input="2x3xf32=1 2 3 4 5 6" --input="3x2xf32=1 0 0 1 1 1" | FileCheck %s --check-prefix=EINSUM
// RUN: not xla-run %s --entry=einsum --device=cpu --input="2x3xf32=1 2 3 4 5 6" --input="2x2xf32=1" 2>&1 | FileCheck %s --check-prefix=APART
// RUN: xla-run %s --entry=scan --device=all --input="3x2xf32=1 2 3 4 5 6" --input="2xf32=1" | FileCheck %s --check-prefix=SCAN
// RUN: xla-run %s --entry=scan --device=all --input="0x2xf32=" --input="2xf32=1" | FileCheck %s --check-prefix=NONE
// RUN: not xla-run %s --entry=scan --device=cpu --input="3x2xf32=1 2 3 4 5 6" --input="3xf32=1" 2>&1 | FileCheck %s --check-prefix=CARRY
// RUN: xla-run %s --entry=columns --device=all --input="2x3xf32=1 2 3 4 5 6" | FileCheck %s --check-prefix=COLUMNS
// RUN: not xla-run %s --entry=stated --device=cpu --input="2x3xf32=1 2 3 4 5 6" 2>&1 | FileCheck %s --check-prefix=STATED
// RUN: xla-run %s --entry=ragged --device=all --input="4x2xf32=1 2 3 4 5 6 7 8" --input="2x2x1xf32=1 1 10 1" --input="2xs32=3 1" | FileCheck %s --check-prefix=RAGGED
// RUN: xla-run %s --entry=select --device=all --input="3x2xf32=1 2 3 4 5 6" --input="4xs32=2 0 1 1" | FileCheck %s --check-prefix=SELECT

// EINSUM: 2x2xf32=4 5 10 11
// EINSUM: 3xf32=5 7 9
// EINSUM: 3x2xf32=1 4 2 5 3 6
// APART: 'stablehlo.einsum' op dimension 1 of lhs is 3, dimension 0 of rhs, which has its label, 2
"func.func"() <{function_type = (tensor<?x?xf32>, tensor<?x2xf32>) -> (tensor<?x2xf32>, tensor<?xf32>, tensor<?x?xf32>), sym_name = "einsum"}> ({
^bb0(%x: tensor<?x?xf32>, %y: tensor<?x2xf32>):
  %0 = "stablehlo.einsum"(%x, %y) <{einsum_config = "ab,bc->ac"}> : (tensor<?x?xf32>, tensor<?x2xf32>) -> tensor<?x2xf32>
  %1 = "stablehlo.unary_einsum"(%x) <{einsum_config = "ab->b"}> : (tensor<?x?xf32>) -> tensor<?xf32>
  %2 = "stablehlo.unary_einsum"(%x) <{einsum_config = "ab->ba"}> : (tensor<?x?xf32>) -> tensor<?x?xf32>
  "func.return"(%0, %1, %2) : (tensor<?x2xf32>, tensor<?xf32>, tensor<?x?xf32>) -> ()
}) : () -> ()

// SCAN: 3x2xf32=1 2 6 12 25 42
// SCAN: 2xf32=10 13
// NONE: 0x2xf32=
// NONE: 2xf32=1 1
// CARRY: error: 'xla.add' op
"func.func"() <{function_type = (tensor<?x?xf32>, tensor<?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>), sym_name = "scan"}> ({
^bb0(%x: tensor<?x?xf32>, %c: tensor<?xf32>):
  %0:2 = "chlo.scan"(%x, %c) <{dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
  ^bb1(%a: tensor<?xf32>, %b: tensor<?xf32>):
    %s = "stablehlo.add"(%b, %a) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    %t = "stablehlo.multiply"(%b, %a) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    "stablehlo.return"(%t, %s) : (tensor<?xf32>, tensor<?xf32>) -> ()
  }) : (tensor<?x?xf32>, tensor<?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>)
  "func.return"(%0#0, %0#1) : (tensor<?x?xf32>, tensor<?xf32>) -> ()
}) : () -> ()

// Along dimension 1, from behind; of two outputs one has a dimension more.
// COLUMNS: 2x3xf32=6 5 3 15 11 6
// COLUMNS: 2x2x3xf32=6 5 3 6 5 3 15 11 6 15 11 6
// COLUMNS: 2xf32=6 15
"func.func"() <{function_type = (tensor<?x3xf32>) -> (tensor<?x3xf32>, tensor<?x?x3xf32>, tensor<?xf32>), sym_name = "columns"}> ({
^bb0(%x: tensor<?x3xf32>):
  %n = "stablehlo.get_dimension_size"(%x) <{dimension = 0 : i64}> : (tensor<?x3xf32>) -> tensor<i32>
  %one = "stablehlo.reshape"(%n) : (tensor<i32>) -> tensor<1xi32>
  %two = "stablehlo.concatenate"(%one, %one) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %zero = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %c = "stablehlo.dynamic_broadcast_in_dim"(%zero, %one) <{broadcast_dimensions = array<i64>}> : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
  %0:3 = "chlo.scan"(%x, %c) <{dimension = 1 : i64, is_reverse = true, scan_dim_size = 3 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 2, 1>}> ({
  ^bb1(%a: tensor<?xf32>, %b: tensor<?xf32>):
    %s = "stablehlo.add"(%b, %a) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    %t = "stablehlo.dynamic_broadcast_in_dim"(%s, %two) <{broadcast_dimensions = array<i64: 0>}> : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
    "stablehlo.return"(%s, %t, %s) : (tensor<?xf32>, tensor<?x?xf32>, tensor<?xf32>) -> ()
  }) : (tensor<?x3xf32>, tensor<?xf32>) -> (tensor<?x3xf32>, tensor<?x3x?xf32>, tensor<?xf32>)
  %t = "stablehlo.transpose"(%0#1) <{permutation = array<i64: 0, 2, 1>}> : (tensor<?x3x?xf32>) -> tensor<?x?x3xf32>
  "func.return"(%0#0, %t, %0#2) : (tensor<?x3xf32>, tensor<?x?x3xf32>, tensor<?xf32>) -> ()
}) : () -> ()

// STATED: is stated to give tensor<?x4xf32> as result 0, not tensor<2x3xf32>
"func.func"() <{function_type = (tensor<?x3xf32>) -> tensor<?x4xf32>, sym_name = "stated"}> ({
^bb0(%x: tensor<?x3xf32>):
  %0 = "chlo.scan"(%x) <{dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 0>, resultSegmentSizes = array<i32: 1, 0>}> ({
  ^bb1(%a: tensor<3xf32>):
    "stablehlo.return"(%a) : (tensor<3xf32>) -> ()
  }) : (tensor<?x3xf32>) -> tensor<?x4xf32>
  "func.return"(%0) : (tensor<?x4xf32>) -> ()
}) : () -> ()

// RAGGED: 4x1xf32=3 7 11 78
"func.func"() <{function_type = (tensor<?x?xf32>, tensor<?x?x1xf32>, tensor<?xi32>) -> tensor<?x1xf32>, sym_name = "ragged"}> ({
^bb0(%x: tensor<?x?xf32>, %y: tensor<?x?x1xf32>, %n: tensor<?xi32>):
  %0 = "chlo.ragged_dot"(%x, %y, %n) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<?x?xf32>, tensor<?x?x1xf32>, tensor<?xi32>) -> tensor<?x1xf32>
  "func.return"(%0) : (tensor<?x1xf32>) -> ()
}) : () -> ()

// SELECT: 4x2xf32=5 6 1 2 3 4 3 4
"func.func"() <{function_type = (tensor<?x2xf32>, tensor<?xi32>) -> tensor<?x2xf32>, sym_name = "select"}> ({
^bb0(%x: tensor<?x2xf32>, %i: tensor<?xi32>):
  %0 = "stablehlo.torch_index_select"(%x, %i) <{dim = 0 : i64, batch_dims = 0 : i64}> : (tensor<?x2xf32>, tensor<?xi32>) -> tensor<?x2xf32>
  "func.return"(%0) : (tensor<?x2xf32>) -> ()
}) : () -> ()
