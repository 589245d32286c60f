// Operations and attributes that other programs of the tests lack, a module each, in StableHLO's own syntax.
func.func @windows(%x: tensor<4x8xf32>, %i: tensor<f32>) -> tensor<4x8xf32> {
  %0 = "stablehlo.reduce_window"(%x, %i) <{base_dilations = array<i64: 2, 1>, padding = dense<[[1, 2], [0, 3]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 2>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 3>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<9x3xf32>
  %1 = "stablehlo.reduce_window"(%x, %i) <{window_dimensions = array<i64: 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<3x7xf32>
  %2 = "stablehlo.select_and_scatter"(%x, %1, %i) <{window_dimensions = array<i64: 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.compare GE, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x8xf32>, tensor<3x7xf32>, tensor<f32>) -> tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}
// -----
func.func @computations(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %3 = "stablehlo.map"(%x, %x) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.multiply %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %4 = "stablehlo.sort"(%3) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %5 = "stablehlo.sort"(%4) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %6 = stablehlo.reduce_precision %5, format = e5m10 : tensor<4x8xf32>
  return %6 : tensor<4x8xf32>
}
// -----
func.func @collectives(%x: tensor<4x8xf32>) {
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x16xf32>
  %1 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 5, type = 0>, use_global_device_ids}> : (tensor<4x8xf32>) -> tensor<4x16xf32>
  %2 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>, channel_handle = #stablehlo.channel_handle<handle = 5, type = 0>, use_global_device_ids}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %3 = "stablehlo.all_to_all"(%x) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x8xf32>) -> tensor<8x4xf32>
  %4 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %5 = "stablehlo.reduce_scatter"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 1 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x8xf32>) -> tensor<4x4xf32>
  %6 = "stablehlo.cross-replica-sum"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %7 = stablehlo.replica_id : tensor<ui32>
  %8 = stablehlo.partition_id : tensor<ui32>
  return
}
// -----
func.func @broadcast_from(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = "stablehlo.collective_broadcast"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
// -----
func.func @variadic(%x: tensor<4x8xf32>, %y: tensor<2xf32>) {
  %2:2 = "stablehlo.all_reduce"(%x, %y) <{replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x8xf32>, tensor<2xf32>) -> (tensor<4x8xf32>, tensor<2xf32>)
  return
}
// -----
func.func @transfers(%x: tensor<4xf32>, %t: !stablehlo.token) -> !stablehlo.token {
  %0 = "stablehlo.send"(%x, %t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true}> : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  %1:2 = "stablehlo.recv"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 3>, is_host_transfer = true}> : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  %2:2 = "stablehlo.infeed"(%1#1) <{infeed_config = "foo", layout = [[0]]}> : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  %i:2 = "stablehlo.infeed"(%1#1) : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  %3 = "stablehlo.outfeed"(%2#0, %2#1) <{outfeed_config = "bar"}> : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  %4 = "stablehlo.outfeed"(%2#0, %3) : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  %5 = stablehlo.after_all %3, %4 : !stablehlo.token
  %6 = stablehlo.create_token : !stablehlo.token
  %7 = stablehlo.after_all : !stablehlo.token
  return %5 : !stablehlo.token
}
// -----
func.func @pairs(%x: tensor<4xf32>, %t: !stablehlo.token) -> !stablehlo.token {
  %0 = "stablehlo.send"(%x, %t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>}> : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  return %0 : !stablehlo.token
}
// -----
func.func @products(%x: tensor<2x3x4xf32>, %y: tensor<2x4x5xf32>, %a: tensor<3x4xf32>, %b: tensor<4x5xf32>) {
  %0 = "stablehlo.dot_general"(%x, %y) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision HIGH>, #stablehlo<precision HIGHEST>]}> : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  %1 = "stablehlo.dot"(%a, %b) <{precision_config = [#stablehlo<precision HIGH>, #stablehlo<precision DEFAULT>]}> : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>
  %2 = "stablehlo.dot"(%a, %b) : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>
  %3 = "stablehlo.einsum"(%a, %b) <{einsum_config = "ab,bc->ac"}> : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>
  %4 = "stablehlo.unary_einsum"(%a) <{einsum_config = "ab->b"}> : (tensor<3x4xf32>) -> tensor<4xf32>
  %5 = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<>}> : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x4x4x5xf32>
  return
}
// -----
func.func @algorithm(%a: tensor<3x4xf32>, %b: tensor<4x5xf32>) {
  %0 = "stablehlo.dot_general"(%a, %b) <{algorithm = #stablehlo.dot_algorithm<lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 3, allow_imprecise_accumulation = false>, dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>
  return
}
// -----
func.func @convolutions(%x: tensor<1x8x8x207xf32>, %k: tensor<3x3x207x16xf32>, %p: tensor<2x2xi64>) {
  %0 = "stablehlo.convolution"(%x, %k) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 2, 1>, padding = dense<1> : tensor<2x2xi64>, rhs_dilation = array<i64: 1, 2>, window_reversal = array<i1: true, false>, window_strides = array<i64: 2, 1>, precision_config = [#stablehlo<precision HIGH>, #stablehlo<precision HIGH>]}> : (tensor<1x8x8x207xf32>, tensor<3x3x207x16xf32>) -> tensor<1x8x6x16xf32>
  %1 = "stablehlo.convolution"(%x, %k) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 1, 0, f]x[0, 1, i, o]->[f, b, 0, 1]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x207xf32>, tensor<3x3x207x16xf32>) -> tensor<16x1x6x6xf32>
  return
}
// -----
func.func @dynamic_convolution(%x: tensor<1x8x8x207xf32>, %k: tensor<3x3x207x16xf32>, %p: tensor<2x2xi64>) {
  %2 = "stablehlo.dynamic_conv"(%x, %k, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x207xf32>, tensor<3x3x207x16xf32>, tensor<2x2xi64>) -> tensor<1x?x?x16xf32>
  return
}
// -----
func.func @dynamic(%x: tensor<?x8xf32, #stablehlo.bounds<4, ?>>, %s: tensor<2xi64>, %y: tensor<4x8xf32>, %n: tensor<i32>, %z: tensor<f32>) {
  %0 = "stablehlo.get_dimension_size"(%x) <{dimension = 0 : i64}> : (tensor<?x8xf32, #stablehlo.bounds<4, ?>>) -> tensor<i32>
  %1 = "stablehlo.set_dimension_size"(%y, %n) <{dimension = 0 : i64}> : (tensor<4x8xf32>, tensor<i32>) -> tensor<?x8xf32, #stablehlo.bounds<4, ?>>
  %2 = "stablehlo.dynamic_broadcast_in_dim"(%y, %s) <{broadcast_dimensions = array<i64: 0, 1>, known_expanding_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64: 1>}> : (tensor<4x8xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  %3 = "stablehlo.dynamic_broadcast_in_dim"(%y, %s) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<4x8xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  %4 = "stablehlo.dynamic_iota"(%s) <{iota_dimension = 1 : i64}> : (tensor<2xi64>) -> tensor<?x?xf32>
  %5 = "stablehlo.dynamic_reshape"(%y, %s) : (tensor<4x8xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  %6 = "stablehlo.dynamic_pad"(%y, %z, %s, %s, %s) : (tensor<4x8xf32>, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
  %7 = "stablehlo.real_dynamic_slice"(%y, %s, %s, %s) : (tensor<4x8xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
  return
}
// -----
func.func @gathers(%x: tensor<3x4x2xi32>, %i: tensor<2x3x2xi64>, %u: tensor<2x3x2x2xi32>, %s: tensor<3xi64>) {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 2>, indices_are_sorted = true, slice_sizes = array<i64: 1, 2, 2>}> : (tensor<3x4x2xi32>, tensor<2x3x2xi64>) -> tensor<2x3x2x2xi32>
  %1 = "stablehlo.dynamic_gather"(%x, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 2>}> : (tensor<3x4x2xi32>, tensor<2x3x2xi64>, tensor<3xi64>) -> tensor<2x3x?x?xi32>
  %2 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 3], inserted_window_dims = [0], scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 2>, indices_are_sorted = true, unique_indices = true}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s0 = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s0 : tensor<i32>
  }) : (tensor<3x4x2xi32>, tensor<2x3x2xi64>, tensor<2x3x2x2xi32>) -> tensor<3x4x2xi32>
  %3 = "stablehlo.torch_index_select"(%x, %i) <{batch_dims = 0 : i64, dim = 1 : i64}> : (tensor<3x4x2xi32>, tensor<2x3x2xi64>) -> tensor<3x2x3x2x2xi32>
  return
}
// -----
func.func @batching(%x: tensor<2x3x4x2xi32>, %i: tensor<2x2x3x2xi64>, %u: tensor<2x2x3x2x2xi32>) {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [3, 4], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [2, 1], index_vector_dim = 3>, slice_sizes = array<i64: 1, 1, 2, 2>}> : (tensor<2x3x4x2xi32>, tensor<2x2x3x2xi64>) -> tensor<2x2x3x2x2xi32>
  return
}
// -----
func.func @custom(%x: tensor<4xf32>) {
  %0 = "stablehlo.custom_call"(%x) <{call_target_name = "foo"}> : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "stablehlo.custom_call"(%x) <{api_version = 2 : i32, backend_config = "bar", call_target_name = "foo", called_computations = [@custom], has_side_effect = true, operand_layouts = [dense<0> : tensor<1xindex>], result_layouts = [dense<0> : tensor<1xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]}> {mhlo.sharding = "{replicated}", mhlo.frontend_attributes = {a = "b", c = [1 : i32, true, 2.500000e+00 : f64]}} : (tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @custom_dictionary(%x: tensor<4xf32>) {
  %1 = "stablehlo.custom_call"(%x) <{api_version = 4 : i32, backend_config = {a = 1 : i64, b = "c", d = 1.0 : f32, e = 0.1 : f32, f = 2.5 : bf16, g = 0.3 : f16, h = -3 : i8, i = true, j = f32, k = tensor<?x4xui8>}, call_target_name = "foo"}> : (tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @composite(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.composite"(%x) <{composite_attributes = {n = 1 : i64, s = "t"}, decomposition = @inner, name = "a.b", version = 2 : i32}> : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "stablehlo.composite"(%0) <{decomposition = @inner, name = "a.c"}> : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @inner(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
// -----
func.func @accuracy(%x: tensor<4xf32>) {
  %0 = "stablehlo.exponential"(%x) <{result_accuracy = #stablehlo.result_accuracy<atol = 1.000000e-05, rtol = 0.1, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>}> : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "stablehlo.exponential"(%x) <{result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>}> : (tensor<4xf32>) -> tensor<4xf32>
  %2 = "stablehlo.tanh"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @norms(%x: tensor<2x3xf32>, %s: tensor<3xf32>) {
  %0:3 = "stablehlo.batch_norm_training"(%x, %s, %s) <{epsilon = 0.001 : f32, feature_index = 1 : i64}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  %1 = "stablehlo.batch_norm_inference"(%x, %s, %s, %s, %s) <{epsilon = 1.0e-5 : f32, feature_index = 1 : i64}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %2:3 = "stablehlo.batch_norm_grad"(%x, %s, %s, %s, %x) <{epsilon = 0.0 : f32, feature_index = 1 : i64}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}
// -----
func.func @others(%a: tensor<4x4xf32>, %m: tensor<f32>, %s: tensor<2xi64>, %q: tensor<2xui64>, %t: tuple<tensor<f32>, tuple<tensor<i1>>>) {
  %0 = "stablehlo.cholesky"(%a) <{lower = true}> : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = "stablehlo.cholesky"(%a) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = "stablehlo.triangular_solve"(%a, %a) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %3 = "stablehlo.fft"(%a) <{fft_length = array<i64: 4>, fft_type = #stablehlo<fft_type RFFT>}> : (tensor<4x4xf32>) -> tensor<4x3xcomplex<f32>>
  %4 = "stablehlo.rng"(%m, %m, %s) <{rng_distribution = #stablehlo<rng_distribution NORMAL>}> : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<?x?xf32>
  %5:2 = "stablehlo.rng_bit_generator"(%q) <{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui32>)
  %6 = "stablehlo.get_tuple_element"(%t) <{index = 1 : i32}> : (tuple<tensor<f32>, tuple<tensor<i1>>>) -> tuple<tensor<i1>>
  %7 = "stablehlo.tuple"(%m, %6) : (tensor<f32>, tuple<tensor<i1>>) -> tuple<tensor<f32>, tuple<tensor<i1>>>
  %8 = "stablehlo.broadcast"(%a) <{broadcast_sizes = array<i64: 2, 3>}> : (tensor<4x4xf32>) -> tensor<2x3x4x4xf32>
  %9 = "stablehlo.reverse"(%a) <{dimensions = array<i64: 1>}> : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %10 = "stablehlo.reverse"(%a) <{dimensions = array<i64>}> : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %11 = "stablehlo.pad"(%a, %m) <{edge_padding_high = array<i64: 1, -1>, edge_padding_low = array<i64: 0, 2>, interior_padding = array<i64: 1, 0>}> : (tensor<4x4xf32>, tensor<f32>) -> tensor<8x5xf32>
  %12 = "stablehlo.optimization_barrier"(%a) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}
// -----
func.func @control(%i: tensor<i32>, %p: tensor<i1>, %x: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.case"(%i) ({
    "stablehlo.return"(%x) : (tensor<f32>) -> ()
  }, {
    %n = stablehlo.negate %x : tensor<f32>
    "stablehlo.return"(%n) : (tensor<f32>) -> ()
  }, {
    "stablehlo.return"(%x) : (tensor<f32>) -> ()
  }) : (tensor<i32>) -> tensor<f32>
  %1 = "stablehlo.if"(%p) ({
    "stablehlo.return"(%0) : (tensor<f32>) -> ()
  }, {
    "stablehlo.return"(%x) : (tensor<f32>) -> ()
  }) : (tensor<i1>) -> tensor<f32>
  %2:2 = "stablehlo.while"(%1, %i) ({
  ^bb0(%a: tensor<f32>, %b: tensor<i32>):
    %c = stablehlo.compare LT, %b, %i, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<i32>):
    %c = func.call @inner(%a) : (tensor<f32>) -> tensor<f32>
    stablehlo.return %c, %b : tensor<f32>, tensor<i32>
  }) : (tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
  return %2#0 : tensor<f32>
}
func.func private @inner(%x: tensor<f32> {mhlo.sharding = "{replicated}"}) -> (tensor<f32> {jax.result_info = "a"}) attributes {mhlo.frontend_attributes = {a = "b"}} {
  return %x : tensor<f32>
}
func.func private @declared(tensor<f32>) -> tensor<f32>
// -----
func.func @constants() {
  %0 = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
  %1 = stablehlo.constant dense<true> : tensor<20xi1>
  %2 = stablehlo.constant dense<true> : tensor<i1>
  %3 = stablehlo.constant dense<[true, false, true, true, false, false, true, false, true, true]> : tensor<10xi1>
  %4 = stablehlo.constant dense<false> : tensor<8xi1>
  %5 = stablehlo.constant dense<[1, -2, 7]> : tensor<3xi4>
  %6 = stablehlo.constant dense<[1, 2, 15]> : tensor<3xui4>
  %7 = stablehlo.constant dense<[(1.0, 2.0), (3.0, -4.0)]> : tensor<2xcomplex<f32>>
  %8 = stablehlo.constant dense<(1.0, 2.0)> : tensor<2xcomplex<f64>>
  %9 = stablehlo.constant dense<[1.5, 2.5]> : tensor<2xbf16>
  %10 = stablehlo.constant dense<[1.5, 2.5]> : tensor<2xf16>
  %11 = stablehlo.constant dense<> : tensor<0x3xf32>
  %12 = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %13 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf8E4M3FN>
  %14 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf8E5M2>
  %15 = stablehlo.constant dense<[1, 200]> : tensor<2xui8>
  %16 = stablehlo.constant dense<[true, true]> : tensor<2xi1>
  %17 = stablehlo.constant dense<> : tensor<0xi1>
  return
}
// -----
func.func @small_types(%0: tensor<f8E4M3FNUZ>, %1: tensor<f8E5M2FNUZ>) {
  return
}
// -----
func.func @smaller_types(%a: tensor<f8E4M3B11FNUZ>, %b: tensor<f8E4M3>, %c: tensor<f8E3M4>, %d: tensor<f4E2M1FN>, %e: tensor<f6E2M3FN>, %f: tensor<f6E3M2FN>, %g: tensor<f8E8M0FNU>, %h: tensor<i2>, %i: tensor<ui2>) {
  %0 = stablehlo.constant dense<[1, -2, 0]> : tensor<3xi2>
  %1 = stablehlo.constant dense<[1.0, 2.0, 0.5]> : tensor<3xf4E2M1FN>
  %2 = stablehlo.constant dense<[1.0, 2.0, 0.5]> : tensor<3xf8E8M0FNU>
  %3 = "stablehlo.tan"(%a) : (tensor<f8E4M3B11FNUZ>) -> tensor<f8E4M3B11FNUZ>
  return
}
// -----
func.func @unranked(%x: tensor<*xf32>, %y: tensor<?x?xi32>) {
  return
}
