// RUN: xla-opt --allow-unregistered-dialect --xla-import-stablehlo %s | FileCheck %s
// What comes out is a program of registered dialects.
// RUN: xla-opt --allow-unregistered-dialect --xla-import-stablehlo %s | xla-opt | FileCheck %s

// CHECK-LABEL: func.func public @elementwise(%arg0: tensor<4xf32>) -> tensor<4xi1>
// CHECK-NEXT: %[[N:.*]] = xla.negate %arg0 : tensor<4xf32>
// CHECK-NEXT: %[[C:.*]] = xla.compare %arg0, %[[N]] {compare_type = "TOTALORDER", comparison_direction = "LT"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
// CHECK-NEXT: return %[[C]]
"builtin.module"() <{sym_name = "jit_main"}> ({
  "func.func"() <{function_type = (tensor<4xf32>) -> tensor<4xi1>, arg_attrs = [{mhlo.sharding = "x"}], res_attrs = [{jax.result_info = "", mhlo.layout_mode = "default"}], sym_name = "elementwise", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<4xf32>):
    %0 = "stablehlo.negate"(%arg0) {mhlo.frontend = "x"} : (tensor<4xf32>) -> tensor<4xf32>
    %1 = "stablehlo.compare"(%arg0, %0) <{compare_type = #stablehlo<comparison_type TOTALORDER>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    "func.return"(%1) : (tensor<4xi1>) -> ()
  }) : () -> ()

  // What JAX says of arguments that it does not need any more.
  // CHECK-LABEL: func.func private @donated(%arg0: tensor<4xf32> {xla.donated = 0 : i32}, %arg1: tensor<4xf32> {xla.donated}, %arg2: tensor<4xf32>, %arg3: tensor<4xf32>)
  "func.func"() <{function_type = (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (), arg_attrs = [{tf.aliasing_output = 0 : i32}, {jax.buffer_donor = true, mhlo.sharding = "x"}, {jax.buffer_donor = false}, {}], sym_name = "donated", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>, %arg3: tensor<4xf32>):
    "func.return"() : () -> ()
  }) : () -> ()

  // The keys of a structure become attributes, those left out empty lists.
  // CHECK-LABEL: func.func private @dot
  // CHECK: xla.dot_general {{.*}} {lhs_batching_dimensions = array<i64: 0>, lhs_contracting_dimensions = array<i64: 2>, precision_config = ["HIGHEST", "DEFAULT"], rhs_batching_dimensions = array<i64: 0>, rhs_contracting_dimensions = array<i64: 1>}
  // CHECK: xla.dot_general {{.*}}
  "func.func"() <{function_type = (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>, sym_name = "dot", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2x3x4xf32>, %arg1: tensor<2x4x5xf32>):
    %0 = "stablehlo.dot_general"(%arg0, %arg1) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision DEFAULT>]}> : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
    %1 = "stablehlo.constant"() <{value = dense<1.0> : tensor<f32>}> : () -> tensor<f32>
    %2 = "stablehlo.dot_general"(%1, %1) <{dot_dimension_numbers = #stablehlo.dot<>}> : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "func.return"(%0) : (tensor<2x3x5xf32>) -> ()
  }) : () -> ()

  // CHECK-LABEL: func.func private @gather
  // CHECK: xla.gather %arg0, %arg1 {collapsed_slice_dims = array<i64: 0>, index_vector_dim = 1 : i64, offset_dims = array<i64: 1>, slice_sizes = array<i64: 1, 3>, start_index_map = array<i64: 0>}
  "func.func"() <{function_type = (tensor<4x3xf32>, tensor<5x1xi32>) -> tensor<5x3xf32>, sym_name = "gather", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<4x3xf32>, %arg1: tensor<5x1xi32>):
    %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 3>}> : (tensor<4x3xf32>, tensor<5x1xi32>) -> tensor<5x3xf32>
    "func.return"(%0) : (tensor<5x3xf32>) -> ()
  }) : () -> ()

  // CHECK-LABEL: func.func private @scatter
  // CHECK: xla.scatter(%arg0, %arg1, %arg2) ({
  // CHECK: }) {index_vector_dim = 1 : i64, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, unique_indices = true, update_window_dims = array<i64: 1>}
  "func.func"() <{function_type = (tensor<4x3xf32>, tensor<5x1xi32>, tensor<5x3xf32>) -> tensor<4x3xf32>, sym_name = "scatter", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<4x3xf32>, %arg1: tensor<5x1xi32>, %arg2: tensor<5x3xf32>):
    %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      "stablehlo.return"(%arg4) : (tensor<f32>) -> ()
    }) : (tensor<4x3xf32>, tensor<5x1xi32>, tensor<5x3xf32>) -> tensor<4x3xf32>
    "func.return"(%0) : (tensor<4x3xf32>) -> ()
  }) : () -> ()

  // CHECK-LABEL: func.func private @sort
  // CHECK: xla.sort(%arg0) ({
  // CHECK: }) : tensor<4xi32>
  "func.func"() <{function_type = (tensor<4xi32>) -> tensor<4xi32>, sym_name = "sort", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<4xi32>):
    %0 = "stablehlo.sort"(%arg0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %1 = "stablehlo.compare"(%arg1, %arg2) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%1) : (tensor<i1>) -> ()
    }) : (tensor<4xi32>) -> tensor<4xi32>
    "func.return"(%0) : (tensor<4xi32>) -> ()
  }) : () -> ()

  // Regions, several results, outer values.
  // CHECK-LABEL: func.func @loop
  // CHECK: xla.while(%arg0, %arg1) ({
  // CHECK: xla.return %{{.*}} : tensor<i1>
  // CHECK: }, {
  // CHECK: ^bb0(%[[I:.*]]: tensor<i32>, %[[X:.*]]: tensor<f32>):
  // CHECK-NEXT: %[[S:.*]] = xla.add %[[X]], %arg1
  // CHECK-NEXT: xla.return %{{.*}}, %[[S]] : tensor<i32>, tensor<f32>
  // CHECK: return %{{.*}}#1, %{{.*}}#0
  "func.func"() <{function_type = (tensor<i32>, tensor<f32>) -> (tensor<f32>, tensor<i32>), sym_name = "loop"}> ({
  ^bb0(%arg0: tensor<i32>, %arg1: tensor<f32>):
    %0:2 = "stablehlo.while"(%arg0, %arg1) ({
    ^bb0(%arg2: tensor<i32>, %arg3: tensor<f32>):
      %1 = "stablehlo.compare"(%arg2, %arg2) <{comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%1) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg2: tensor<i32>, %arg3: tensor<f32>):
      %1 = "stablehlo.add"(%arg3, %arg1) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%arg2, %1) : (tensor<i32>, tensor<f32>) -> ()
    }) : (tensor<i32>, tensor<f32>) -> (tensor<i32>, tensor<f32>)
    "func.return"(%0#1, %0#0) : (tensor<f32>, tensor<i32>) -> ()
  }) : () -> ()

  // CHECK-LABEL: func.func @checks
  // CHECK: %[[E:.*]] = xla.constant dense<2.0{{.*}}> : tensor<2xf32>
  // CHECK-NEXT: xla.custom_call %arg0, %[[E]] {call_target_name = "check.expect_eq", has_side_effect = true}
  // CHECK-NEXT: xla.custom_call %arg0, %arg0 {backend_config = {max_ulp_difference = 3 : i64}, call_target_name = "check.expect_close", has_side_effect = true}
  // CHECK-NEXT: xla.custom_call %arg0, %arg0 {call_target_name = "check.expect_almost_eq", has_side_effect = true}
  "func.func"() <{function_type = (tensor<2xf32>) -> (), sym_name = "checks"}> ({
  ^bb0(%arg0: tensor<2xf32>):
    "check.expect_eq_const"(%arg0) {value = dense<2.0> : tensor<2xf32>} : (tensor<2xf32>) -> ()
    "check.expect_close"(%arg0, %arg0) <{max_ulp_difference = 3}> : (tensor<2xf32>, tensor<2xf32>) -> ()
    "stablehlo.custom_call"(%arg0, %arg0) <{call_target_name = "check.expect_almost_eq", has_side_effect = true}> : (tensor<2xf32>, tensor<2xf32>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()

  // Tokens and composites; an accuracy that is the default.
  // CHECK-LABEL: func.func @others(%arg0: !xla.token, %arg1: tuple<tensor<f32>, !xla.token>, %arg2: tensor<2xf32>) -> !xla.token
  // CHECK-NEXT: call @checks(%arg2) : (tensor<2xf32>) -> ()
  // CHECK-NEXT: xla.exponential %arg2 : tensor<2xf32>
  "func.func"() <{function_type = (!stablehlo.token, tuple<tensor<f32>, !stablehlo.token>, tensor<2xf32>) -> !stablehlo.token, sym_name = "others"}> ({
  ^bb0(%arg0: !stablehlo.token, %arg1: tuple<tensor<f32>, !stablehlo.token>, %arg2: tensor<2xf32>):
    "stablehlo.composite"(%arg2) <{decomposition = @checks, name = "my.checks", version = 1 : i32}> : (tensor<2xf32>) -> ()
    %0 = "stablehlo.exponential"(%arg2) <{result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<DEFAULT>>}> : (tensor<2xf32>) -> tensor<2xf32>
    "func.return"(%arg0) : (!stablehlo.token) -> ()
  }) : () -> ()
}) : () -> ()
