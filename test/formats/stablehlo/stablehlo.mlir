// Every form of StableHLO's operations, as jaxlib prints it.
// RUN: grep -v "^//" %s > %t.in
// RUN: xla-opt %t.in | grep -v "^$" | diff %t.in -
// RUN: xla-opt --mlir-print-op-generic %t.in | xla-opt - | grep -v "^$" | diff %t.in -
// RUN: xla-opt --emit-bytecode %t.in | xla-opt - | grep -v "^$" | diff %t.in -
// RUN: xla-opt --mlir-print-debuginfo %t.in | xla-opt - | grep -v "^$" | diff %t.in -
module {
  func.func @simple(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xi1>, %arg3: tensor<i32>, %arg4: tensor<4xcomplex<f32>>, %arg5: tensor<4x4xf32>, %arg6: !stablehlo.token, %arg7: tensor<f32>, %arg8: tensor<2xui64>, %arg9: tensor<2x4x4xf32>, %arg10: tensor<2xi64>, %arg11: tensor<2xi64>, %arg12: tensor<i64>) {
    %0 = stablehlo.abs %arg0 {x = 1 : i64} : tensor<4xf32>
    %1 = stablehlo.abs %arg4 : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
    %2 = stablehlo.add %arg0, %arg1 {x = 1 : i64} : tensor<4xf32>
    %3 = stablehlo.tanh %arg0 {result_accuracy = #stablehlo.result_accuracy<ulps = 10, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<4xf32>
    %4 = stablehlo.tanh %arg0 : tensor<4xf32>
    %5 = stablehlo.after_all %arg6, %arg6 : !stablehlo.token
    %6 = stablehlo.after_all  : !stablehlo.token
    %7 = stablehlo.create_token : !stablehlo.token
    %8 = stablehlo.bitcast_convert %arg0 : (tensor<4xf32>) -> tensor<4xi32>
    %9 = stablehlo.bitcast_convert %arg0 : (tensor<4xf32>) -> tensor<4xf32>
    %10 = stablehlo.broadcast_in_dim %arg0, dims = [0] : (tensor<4xf32>) -> tensor<4x2xf32>
    %11 = stablehlo.broadcast %arg0, sizes = [3] : (tensor<4xf32>) -> tensor<3x4xf32>
    %12 = stablehlo.cholesky %arg5, lower = true : tensor<4x4xf32>
    %13 = stablehlo.cholesky %arg5 : tensor<4x4xf32>
    %14 = stablehlo.clamp %arg7, %arg0, %arg7 : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    %15 = stablehlo.clamp %arg0, %arg0, %arg0 : tensor<4xf32>
    %16 = stablehlo.compare LT, %arg0, %arg1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    %17 = stablehlo.compare LT, %arg0, %arg1, TOTALORDER {z} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    %18 = stablehlo.complex %arg0, %arg1 : tensor<4xcomplex<f32>>
    %19 = stablehlo.concatenate %arg0, %arg1, %arg0, dim = 0 : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<12xf32>
    %20 = stablehlo.concatenate %arg0, dim = 0 : (tensor<4xf32>) -> tensor<4xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<4xf32>
    %cst_0 = stablehlo.constant {foo} dense<1.000000e+00> : tensor<4xf32>
    %21 = stablehlo.convert %arg0 : (tensor<4xf32>) -> tensor<4xi8>
    %22 = stablehlo.convert %arg0 : tensor<4xf32>
    %23 = stablehlo.dot_general %arg5, %arg5, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %24 = stablehlo.dot_general %arg9, %arg9, batching_dims = [0] x [0], contracting_dims = [1] x [2], precision = [DEFAULT, HIGHEST] {foo} : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %25 = stablehlo.dot_general %arg9, %arg9, batching_dims = [0] x [0], contracting_dims = [1] x [2], precision = [], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %26 = stablehlo.dot_general %arg5, %arg5, contracting_dims = [] x [] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4x4x4xf32>
    %27 = stablehlo.dot %arg5, %arg5, precision = [DEFAULT, HIGHEST] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %28 = stablehlo.dot %arg5, %arg5 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    return
  }
  func.func @movement(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xi1>, %arg3: tensor<i32>, %arg4: tensor<4xcomplex<f32>>, %arg5: tensor<4x4xf32>, %arg6: !stablehlo.token, %arg7: tensor<f32>, %arg8: tensor<2xui64>, %arg9: tensor<2x4x4xf32>, %arg10: tensor<2xi64>, %arg11: tensor<1xi64>, %arg12: tensor<i64>, %arg13: tensor<1x8x8x4xf32>, %arg14: tensor<3x3x4x16xf32>) {
    %0 = stablehlo.convolution(%arg13, %arg14) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x4x16xf32>) -> tensor<1x6x6x16xf32>
    %1 = stablehlo.convolution(%arg13, %arg14) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], zoo} : (tensor<1x8x8x4xf32>, tensor<3x3x4x16xf32>) -> tensor<1x8x8x16xf32>
    %2 = stablehlo.convolution(%arg13, %arg14) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x4x16xf32>) -> tensor<1x8x8x16xf32>
    %3 = stablehlo.custom_call @foo(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
    %4 = stablehlo.custom_call @"a b"(%arg0) {api_version = 4 : i32, backend_config = {bar = 42 : i32}, called_computations = [@d], has_side_effect = true, operand_layouts = [dense<0> : tensor<1xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<0> : tensor<1xindex>]} : (tensor<4xf32>) -> tensor<4xf32>
    %5:2 = stablehlo.custom_call @foo() {backend_config = ""} : () -> (tensor<4xf32>, tensor<f32>)
    stablehlo.custom_call @foo(%arg0) {foo = 1 : i64} : (tensor<4xf32>) -> ()
    %6 = stablehlo.composite "my.op" %arg0 {composite_attributes = {a = 1 : i64}, decomposition = @d, version = 1 : i32} : (tensor<4xf32>) -> tensor<4xf32>
    %7 = stablehlo.composite "my.op" %arg0 {decomposition = @d} : (tensor<4xf32>) -> tensor<4xf32>
    %8 = stablehlo.dynamic_broadcast_in_dim %arg0, %arg11, dims = [0] : (tensor<4xf32>, tensor<1xi64>) -> tensor<?xf32>
    %9 = stablehlo.dynamic_broadcast_in_dim %arg0, %arg11, dims = [0] {known_expanding_dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<1xi64>) -> tensor<?xf32>
    %10 = stablehlo.dynamic_iota %arg10, dim = 1 : (tensor<2xi64>) -> tensor<?x?xf32>
    %11 = stablehlo.dynamic_pad %arg0, %arg7, %arg11, %arg11, %arg11 : (tensor<4xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
    %12 = stablehlo.dynamic_reshape %arg0, %arg11 : (tensor<4xf32>, tensor<1xi64>) -> tensor<?xf32>
    %13 = stablehlo.dynamic_slice %arg5, %arg12, %arg12, sizes = [2, 2] : (tensor<4x4xf32>, tensor<i64>, tensor<i64>) -> tensor<2x2xf32>
    %14 = stablehlo.dynamic_update_slice %arg5, %arg5, %arg12, %arg12 : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<i64>, tensor<i64>) -> tensor<4x4xf32>
    %15 = stablehlo.einsum %arg5, %arg5, config = "ab,bc->ac" : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %16 = stablehlo.fft %arg4, type = FFT, length = [4] : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
    %17 = stablehlo.get_dimension_size %arg0, dim = 0 : (tensor<4xf32>) -> tensor<i32>
    %18 = stablehlo.tuple %arg0, %arg1 : tuple<tensor<4xf32>, tensor<4xf32>>
    %19 = stablehlo.tuple  : tuple<>
    %20 = stablehlo.get_tuple_element %18[1] : (tuple<tensor<4xf32>, tensor<4xf32>>) -> tensor<4xf32>
    %21 = stablehlo.imag %arg4 : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
    %22 = stablehlo.iota dim = 0 : tensor<4xf32>
    %23 = stablehlo.is_finite %arg0 : (tensor<4xf32>) -> tensor<4xi1>
    %24:2 = stablehlo.optimization_barrier %arg0, %arg1 : tensor<4xf32>, tensor<4xf32>
    stablehlo.optimization_barrier()
    %25 = stablehlo.pad %arg5, %arg7, low = [0, 1], high = [2, -1], interior = [1, 2] : (tensor<4x4xf32>, tensor<f32>) -> tensor<9x10xf32>
    %26 = stablehlo.partition_id : tensor<ui32>
    %27 = stablehlo.replica_id : tensor<ui32>
    %28 = stablehlo.real_dynamic_slice %arg0, %arg11, %arg11, %arg11 : (tensor<4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
    %29 = stablehlo.reduce_precision %arg0, format = e5m10 : tensor<4xf32>
    %30 = stablehlo.reshape %arg0 : (tensor<4xf32>) -> tensor<2x2xf32>
    %31 = stablehlo.reshape %arg0 : (tensor<4xf32>) -> tensor<4xf32>
    %32 = stablehlo.reverse %arg0, dims = [0] : tensor<4xf32>
    %output_state, %output = stablehlo.rng_bit_generator %arg8, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x2xui64>)
    %33 = stablehlo.rng %arg7, %arg7, %arg10, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<3x3xf32>
    %34 = stablehlo.select %arg2, %arg0, %arg1 : tensor<4xi1>, tensor<4xf32>
    %35 = stablehlo.set_dimension_size %arg0, %arg3, dim = 0 : (tensor<4xf32>, tensor<i32>) -> tensor<?xf32, #stablehlo.bounds<4>>
    %36 = stablehlo.slice %arg5 [1:3, 0:4:2] : (tensor<4x4xf32>) -> tensor<2x2xf32>
    %37 = stablehlo.slice %arg7 [] : (tensor<f32>) -> tensor<f32>
    %38 = stablehlo.transpose %arg5, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %39 = "stablehlo.async_start"(%arg0) ({
    ^bb0(%arg15: tensor<4xf32>):
      %41 = "stablehlo.all_gather"(%arg15) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<8xf32>
      stablehlo.return %41 : tensor<8xf32>
    }) : (tensor<4xf32>) -> !stablehlo.future<tensor<8xf32>>
    %40 = "stablehlo.async_done"(%39) : (!stablehlo.future<tensor<8xf32>>) -> tensor<8xf32>
    return
  }
  func.func private @d(tensor<4xf32>) -> tensor<4xf32>
  func.func @regions(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4x4xf32>, %arg3: tensor<f32>, %arg4: tensor<i32>, %arg5: tensor<4x4xi32>, %arg6: tensor<i1>) {
    %0 = stablehlo.reduce(%arg2 init: %arg3) applies stablehlo.add across dimensions = [1] {foo} : (tensor<4x4xf32>, tensor<f32>) -> tensor<4xf32>
    %1 = stablehlo.reduce(%arg2 init: %arg3) across dimensions = [1] : (tensor<4x4xf32>, tensor<f32>) -> tensor<4xf32>
     reducer(%arg7: tensor<f32>, %arg8: tensor<f32>)  {
      %9 = stablehlo.add %arg8, %arg7 : tensor<f32>
      stablehlo.return %9 : tensor<f32>
    }
    %2:2 = stablehlo.reduce(%arg2 init: %arg3), (%arg5 init: %arg4) across dimensions = [1, 0] : (tensor<4x4xf32>, tensor<4x4xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
     reducer(%arg7: tensor<f32>, %arg9: tensor<f32>) (%arg8: tensor<i32>, %arg10: tensor<i32>)  {
      %9 = stablehlo.maximum %arg7, %arg9 : tensor<f32>
      stablehlo.return %9, %arg8 : tensor<f32>, tensor<i32>
    }
    %3 = stablehlo.reduce(%arg2 init: %arg3) across dimensions = [] : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
     reducer(%arg7: tensor<f32>, %arg8: tensor<f32>)  {
      %9 = stablehlo.subtract %arg7, %arg8 : tensor<f32>
      stablehlo.return %9 : tensor<f32>
    }
    %4:2 = stablehlo.while(%iterArg = %arg0, %iterArg_0 = %arg4) : tensor<4xf32>, tensor<i32> attributes {foo = 1 : i64}
    cond {
      stablehlo.return %arg6 : tensor<i1>
    } do {
      stablehlo.return %iterArg, %iterArg_0 : tensor<4xf32>, tensor<i32>
    }
    stablehlo.while()
    cond {
      stablehlo.return %arg6 : tensor<i1>
    } do {
      stablehlo.return 
    }
    %5 = "stablehlo.if"(%arg6) ({
      stablehlo.return %arg0 : tensor<4xf32>
    }, {
      stablehlo.return %arg1 {foo} : tensor<4xf32>
    }) : (tensor<i1>) -> tensor<4xf32>
    %6 = "stablehlo.case"(%arg4) ({
      stablehlo.return %arg0 : tensor<4xf32>
    }, {
      stablehlo.return %arg1 : tensor<4xf32>
    }) : (tensor<i32>) -> tensor<4xf32>
    %7 = "stablehlo.sort"(%arg0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg7: tensor<f32>, %arg8: tensor<f32>):
      %9 = stablehlo.compare GT, %arg8, %arg7 : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %9 : tensor<i1>
    }) : (tensor<4xf32>) -> tensor<4xf32>
    %8 = "stablehlo.map"(%arg0, %arg1) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg7: tensor<f32>, %arg8: tensor<f32>):
      %9 = stablehlo.add %arg8, %arg7 : tensor<f32>
      stablehlo.return %9 : tensor<f32>
    }) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    return
  }
  func.func @bounds(%arg0: tensor<4x4xi1>, %arg1: tensor<4x4xi32>, %arg2: tensor<i1>, %arg3: tensor<4x?xf32, #stablehlo.bounds<?, 4>>, %arg4: tensor<f32>) {
    %0 = stablehlo.reduce(%arg0 init: %arg2) applies stablehlo.or across dimensions = [1] : (tensor<4x4xi1>, tensor<i1>) -> tensor<4xi1>
    %1 = stablehlo.reduce(%arg0 init: %arg2) applies stablehlo.xor across dimensions = [1] : (tensor<4x4xi1>, tensor<i1>) -> tensor<4xi1>
    return
  }
  func.func @generic(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4x4xf32>, %arg3: tensor<f32>, %arg4: tensor<i32>, %arg5: tensor<4x4xi32>, %arg6: tensor<i1>, %arg7: !stablehlo.token, %arg8: tensor<2xi64>) {
    %0 = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> : (tensor<4xf32>) -> tensor<8xf32>
    %1 = "stablehlo.all_reduce"(%arg0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %10 = stablehlo.add %arg9, %arg10 : tensor<f32>
      stablehlo.return %10 : tensor<f32>
    }) {foo} : (tensor<4xf32>) -> tensor<4xf32>
    %output, %batch_mean, %batch_var = "stablehlo.batch_norm_training"(%arg2, %arg0, %arg1) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>)
    %2 = "stablehlo.gather"(%arg2, %arg8) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1]>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<4x4xf32>, tensor<2xi64>) -> tensor<f32>
    %3 = "stablehlo.gather"(%arg2, %arg8) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1]>, slice_sizes = array<i64: 1, 1>}> : (tensor<4x4xf32>, tensor<2xi64>) -> tensor<f32>
    %4:2 = "stablehlo.infeed"(%arg7) <{infeed_config = ""}> : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
    %5 = "stablehlo.outfeed"(%arg0, %arg7) <{outfeed_config = ""}> : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
    %6:2 = "stablehlo.recv"(%arg7) <{channel_handle = #stablehlo.channel_handle<handle = 0, type = 3>, is_host_transfer = true}> : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
    %7 = "stablehlo.send"(%arg0, %arg7) <{channel_handle = #stablehlo.channel_handle<handle = 0, type = 2>, is_host_transfer = true}> : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
    %8 = "stablehlo.triangular_solve"(%arg2, %arg2) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %9 = "stablehlo.cross-replica-sum"(%arg0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
    %c = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
    %c_0 = stablehlo.constant dense<true> : tensor<i1>
    %c_1 = stablehlo.constant dense<3> : tensor<i32>
    %cst = stablehlo.constant dense<(1.000000e+00,2.000000e+00)> : tensor<2xcomplex<f32>>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    return
  }
  func.func @shapes(%arg0: tensor<4xf32>, %arg1: tensor<4x4xf32>, %arg2: tensor<f32>, %arg3: tensor<4xcomplex<f32>>, %arg4: tensor<?x4xf32>, %arg5: tensor<?x4xf32, #stablehlo.bounds<8, ?>>, %arg6: tensor<4x4xi1>) {
    %0 = stablehlo.tanh %arg0 {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : tensor<4xf32>
    %1 = stablehlo.tanh %arg0 {result_accuracy = #stablehlo.result_accuracy<atol = 1.000000e-05, ulps = 1, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<4xf32>
    %2 = stablehlo.add %arg4, %arg4 : tensor<?x4xf32>
    %3 = stablehlo.complex %arg0, %arg0 : tensor<4xcomplex<f32>>
    %4 = stablehlo.select %arg6, %arg1, %arg1 : (tensor<4x4xi1>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<?x4xf32>
    %5 = stablehlo.convert %arg1 : (tensor<4x4xf32>) -> tensor<?x4xf32>
    %6 = stablehlo.transpose %arg1, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %7 = stablehlo.negate %arg5 : tensor<?x4xf32, #stablehlo.bounds<8, ?>>
    %8 = stablehlo.cbrt %arg0 {foo = "x"} : tensor<4xf32>
    return
  }
  func.func @defaults(%arg0: tensor<4xf32>, %arg1: tensor<4x4xf32>) {
    %0 = stablehlo.cholesky %arg1 : tensor<4x4xf32>
    %1 = stablehlo.broadcast %arg0, sizes = [] : (tensor<4xf32>) -> tensor<4xf32>
    %2 = stablehlo.real %arg0 : tensor<4xf32>
    %3 = stablehlo.custom_call @foo(%arg0) {operand_layouts = [dense<0> : tensor<1xindex>], result_layouts = [dense<0> : tensor<1xindex>]} : (tensor<4xf32>) -> tensor<4xf32>
    %4 = stablehlo.concatenate %arg0, %arg0, dim = 0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
    return
  }
  func.func @composites(%arg0: tensor<4xf32>) {
    %0 = stablehlo.composite "my.f"  {decomposition = @e} : () -> tensor<4xf32>
    return
  }
  func.func private @e() -> tensor<4xf32>
  func.func @elementwise(%arg0: tensor<4xf32>, %arg1: tensor<4xi32>, %arg2: tensor<4xi1>, %arg3: tensor<4xcomplex<f32>>) {
    %0 = stablehlo.and %arg1, %arg1 : tensor<4xi32>
    %1 = stablehlo.atan2 %arg0, %arg0 : tensor<4xf32>
    %2 = stablehlo.ceil %arg0 : tensor<4xf32>
    %3 = stablehlo.cosine %arg0 : tensor<4xf32>
    %4 = stablehlo.count_leading_zeros %arg1 : tensor<4xi32>
    %5 = stablehlo.divide %arg0, %arg0 : tensor<4xf32>
    %6 = stablehlo.exponential %arg0 : tensor<4xf32>
    %7 = stablehlo.exponential_minus_one %arg0 : tensor<4xf32>
    %8 = stablehlo.floor %arg0 : tensor<4xf32>
    %9 = stablehlo.log %arg0 : tensor<4xf32>
    %10 = stablehlo.log_plus_one %arg0 : tensor<4xf32>
    %11 = stablehlo.logistic %arg0 : tensor<4xf32>
    %12 = stablehlo.minimum %arg0, %arg0 : tensor<4xf32>
    %13 = stablehlo.multiply %arg0, %arg0 : tensor<4xf32>
    %14 = stablehlo.not %arg1 : tensor<4xi32>
    %15 = stablehlo.popcnt %arg1 : tensor<4xi32>
    %16 = stablehlo.power %arg0, %arg0 : tensor<4xf32>
    %17 = stablehlo.remainder %arg0, %arg0 : tensor<4xf32>
    %18 = stablehlo.round_nearest_afz %arg0 : tensor<4xf32>
    %19 = stablehlo.round_nearest_even %arg0 : tensor<4xf32>
    %20 = stablehlo.rsqrt %arg0 : tensor<4xf32>
    %21 = stablehlo.shift_left %arg1, %arg1 : tensor<4xi32>
    %22 = stablehlo.shift_right_arithmetic %arg1, %arg1 : tensor<4xi32>
    %23 = stablehlo.shift_right_logical %arg1, %arg1 : tensor<4xi32>
    %24 = stablehlo.sign %arg0 : tensor<4xf32>
    %25 = stablehlo.sine %arg0 : tensor<4xf32>
    %26 = stablehlo.sqrt %arg0 : tensor<4xf32>
    %27 = stablehlo.tan %arg0 : tensor<4xf32>
    return
  }
  func.func @rest(%arg0: tensor<4xf32>, %arg1: tensor<4x4xf32>, %arg2: tensor<f32>, %arg3: tensor<2xi64>, %arg4: tensor<1x8x4xf32>, %arg5: tensor<3x4x4xf32>, %arg6: tensor<1x2xi64>, %arg7: tensor<4x1xi32>, %arg8: tensor<4xi32>, %arg9: tensor<2xf32>) {
    %0 = "stablehlo.all_to_all"(%arg1) <{concat_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 1 : i64}> : (tensor<4x4xf32>) -> tensor<8x2xf32>
    %grad_operand, %grad_scale, %grad_offset = "stablehlo.batch_norm_grad"(%arg1, %arg0, %arg0, %arg0, %arg1) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>)
    %1 = "stablehlo.batch_norm_inference"(%arg1, %arg0, %arg0, %arg0, %arg0) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x4xf32>
    %2 = "stablehlo.collective_broadcast"(%arg0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
    %3 = "stablehlo.collective_permute"(%arg0) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
    %4 = "stablehlo.dynamic_conv"(%arg4, %arg5, %arg6) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x4xf32>, tensor<3x4x4xf32>, tensor<1x2xi64>) -> tensor<1x?x4xf32>
    %5 = "stablehlo.dynamic_gather"(%arg1, %arg3, %arg3) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1]>}> : (tensor<4x4xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<f32>
    %6 = "stablehlo.reduce_scatter"(%arg0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64}> ({
    ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
      %12 = stablehlo.add %arg10, %arg11 : tensor<f32>
      stablehlo.return %12 : tensor<f32>
    }) : (tensor<4xf32>) -> tensor<2xf32>
    %7 = "stablehlo.reduce_window"(%arg0, %arg2) <{padding = dense<[[1, 0]]> : tensor<1x2xi64>, window_dimensions = array<i64: 2>}> ({
    ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
      %12 = stablehlo.add %arg10, %arg11 : tensor<f32>
      stablehlo.return %12 : tensor<f32>
    }) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    %8 = "stablehlo.scatter"(%arg0, %arg7, %arg0) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
      %12 = stablehlo.add %arg10, %arg11 : tensor<f32>
      stablehlo.return %12 : tensor<f32>
    }) : (tensor<4xf32>, tensor<4x1xi32>, tensor<4xf32>) -> tensor<4xf32>
    %9 = "stablehlo.select_and_scatter"(%arg0, %arg9, %arg2) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
    ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
      %12 = stablehlo.compare GE, %arg10, %arg11 : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %12 : tensor<i1>
    }, {
    ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
      %12 = stablehlo.add %arg10, %arg11 : tensor<f32>
      stablehlo.return %12 : tensor<f32>
    }) : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
    %10 = "stablehlo.torch_index_select"(%arg1, %arg8) <{batch_dims = 0 : i64, dim = 0 : i64}> : (tensor<4x4xf32>, tensor<4xi32>) -> tensor<4x4xf32>
    %11 = stablehlo.unary_einsum %arg1, config = "ab->a" : (tensor<4x4xf32>) -> tensor<4xf32>
    return
  }
}
