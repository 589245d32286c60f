// Programs as StableHLO: operations of the same name, their attributes, and what StableHLO lacks as operations that it has.
// RUN: xla-opt %s --xla-export-stablehlo | FileCheck %s
// RUN: xla-opt %s --xla-export-stablehlo | xla-opt - --xla-import-stablehlo | xla-opt - --xla-export-stablehlo | FileCheck %s

// CHECK-LABEL: func.func @broadcasts(%arg0: tensor<2x3xf32>, %arg1: tensor<3xf32>, %arg2: tensor<f32>) -> tensor<2x3xf32> {
// CHECK-NEXT: %0 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %1 = stablehlo.add %arg0, %0 : tensor<2x3xf32>
// CHECK-NEXT: %2 = stablehlo.clamp %arg2, %1, %arg2 : (tensor<f32>, tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
// CHECK-NEXT: return %2 : tensor<2x3xf32>
func.func @broadcasts(%x: tensor<2x3xf32>, %row: tensor<3xf32>, %s: tensor<f32>) -> tensor<2x3xf32> {
  %0 = xla.add %x, %row {broadcast_dimensions = [1]} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %1 = xla.clamp %s, %0, %s : (tensor<f32>, tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @attributes(%arg0: tensor<2x6xf32>, %arg1: tensor<3x3xf32>, %arg2: tensor<3x3xf32>) -> (tensor<2x3xi1>, tensor<2x8xf32>) {
// CHECK-NEXT: %0 = stablehlo.slice %arg0 [0:2, 0:3] : (tensor<2x6xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %1 = stablehlo.dot_general %0, %arg1, contracting_dims = [1] x [0], precision = [HIGHEST, DEFAULT] : (tensor<2x3xf32>, tensor<3x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %2 = "stablehlo.triangular_solve"(%arg1, %arg2) <{left_side = true, lower = false, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = true}> : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
// CHECK-NEXT: %3 = stablehlo.dot_general %1, %2, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %4 = stablehlo.compare LT, %3, %0, TOTALORDER : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
// CHECK-NEXT: %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %5 = "stablehlo.reduce_window"(%arg0, %cst) <{padding = dense<{{\[\[}}0, 0], [1, 2]]> : tensor<2x2xi64>, window_dimensions = array<i64: 1, 2>}> ({
// CHECK-NEXT: ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
// CHECK-NEXT: %6 = stablehlo.add %arg3, %arg4 : tensor<f32>
// CHECK-NEXT: stablehlo.return %6 : tensor<f32>
// CHECK-NEXT: }) : (tensor<2x6xf32>, tensor<f32>) -> tensor<2x8xf32>
// CHECK-NEXT: return %4, %5 : tensor<2x3xi1>, tensor<2x8xf32>
func.func @attributes(%x: tensor<2x6xf32>, %a: tensor<3x3xf32>, %k: tensor<3x3xf32>) -> (tensor<2x3xi1>, tensor<2x8xf32>) {
  %0 = xla.slice %x {start_indices = [0, 0], limit_indices = [2, 3]} : (tensor<2x6xf32>) -> tensor<2x3xf32>
  %1 = xla.dot_general %0, %a {lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0], precision_config = ["HIGHEST", "DEFAULT"]} : (tensor<2x3xf32>, tensor<3x3xf32>) -> tensor<2x3xf32>
  %2 = xla.triangular_solve %a, %k {left_side = true, lower = false, unit_diagonal = true, transpose_a = "TRANSPOSE"} : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  %3 = xla.dot %1, %2 : (tensor<2x3xf32>, tensor<3x3xf32>) -> tensor<2x3xf32>
  %4 = xla.compare %3, %0 {comparison_direction = "LT", compare_type = "TOTALORDER"} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  %zero = xla.constant dense<0.0> : tensor<f32>
  %5 = xla.reduce_window(%x, %zero) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = xla.add %p, %q : tensor<f32>
    xla.return %s : tensor<f32>
  }) {window_dimensions = [1, 2], padding = [0, 0, 1, 2]} : (tensor<2x6xf32>, tensor<f32>) -> tensor<2x8xf32>
  return %4, %5 : tensor<2x3xi1>, tensor<2x8xf32>
}

// CHECK-LABEL: func.func @convolution(%arg0: tensor<2x6x6x3xf32>, %arg1: tensor<2x2x3x5xf32>) -> tensor<2x5x3x5xf32> {
// CHECK-NEXT: %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, f, 0, 1], window = {stride = [2, 1], reverse = [true, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x6x6x3xf32>, tensor<2x2x3x5xf32>) -> tensor<2x5x3x5xf32>
// CHECK-NEXT: return %0 : tensor<2x5x3x5xf32>
func.func @convolution(%x: tensor<2x6x6x3xf32>, %k: tensor<2x2x3x5xf32>) -> tensor<2x5x3x5xf32> {
  %0 = xla.convolution %x, %k {window_strides = [2, 1], window_reversal = [true, false],
      input_batch_dimension = 0, input_spatial_dimensions = [1, 2], input_feature_dimension = 3,
      kernel_spatial_dimensions = [0, 1], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3}
      : (tensor<2x6x6x3xf32>, tensor<2x2x3x5xf32>) -> tensor<2x5x3x5xf32>
  return %0 : tensor<2x5x3x5xf32>
}

// CHECK-LABEL: func.func @types(%arg0: tensor<?x6xf32, #stablehlo.bounds<4, ?>>, %arg1: tensor<2x3xf32>, %arg2: tuple<!stablehlo.token, tensor<f32>>, %arg3: tensor<i1>, %arg4: tensor<f32>) -> (tensor<i32>, tuple<!stablehlo.token, tensor<f32>>, tensor<?x6xf32, #stablehlo.bounds<4, ?>>) {
// CHECK-NEXT: %0 = stablehlo.get_dimension_size %arg0, dim = 0 : (tensor<?x6xf32, #stablehlo.bounds<4, ?>>) -> tensor<i32>
// CHECK-NEXT: %1 = "stablehlo.if"(%arg3) ({
// CHECK-NEXT: stablehlo.return %arg2 : tuple<!stablehlo.token, tensor<f32>>
// CHECK-NEXT: }, {
// CHECK-NEXT: stablehlo.return %arg2 : tuple<!stablehlo.token, tensor<f32>>
// CHECK-NEXT: }) : (tensor<i1>) -> tuple<!stablehlo.token, tensor<f32>>
// CHECK-NEXT: %2 = stablehlo.broadcast_in_dim %arg4, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
// CHECK-NEXT: %3 = stablehlo.get_dimension_size %arg0, dim = 0 : (tensor<?x6xf32, #stablehlo.bounds<4, ?>>) -> tensor<i32>
// CHECK-NEXT: %4 = stablehlo.set_dimension_size %2, %3, dim = 0 : (tensor<4x6xf32>, tensor<i32>) -> tensor<?x6xf32, #stablehlo.bounds<4, ?>>
// CHECK-NEXT: %5 = stablehlo.add %arg0, %4 : tensor<?x6xf32, #stablehlo.bounds<4, ?>>
// CHECK-NEXT: return %0, %1, %5 : tensor<i32>, tuple<!stablehlo.token, tensor<f32>>, tensor<?x6xf32, #stablehlo.bounds<4, ?>>
func.func @types(%x: tensor<?x6xf32, #xla.array<bounds = [4, ?]>>, %y: tensor<2x3xf32, #xla.array<minor_to_major = [0, 1]>>, %t: tuple<!xla.token, tensor<f32>>, %p: tensor<i1>, %s: tensor<f32>) -> (tensor<i32>, tuple<!xla.token, tensor<f32>>, tensor<?x6xf32, #xla.array<bounds = [4, ?]>>) attributes {xla.note = 1} {
  %0 = xla.get_dimension_size %x {dimension = 0} : (tensor<?x6xf32, #xla.array<bounds = [4, ?]>>) -> tensor<i32>
  %1 = xla.select %p, %t, %t : (tensor<i1>, tuple<!xla.token, tensor<f32>>, tuple<!xla.token, tensor<f32>>) -> tuple<!xla.token, tensor<f32>>
  %2 = xla.add %x, %s : (tensor<?x6xf32, #xla.array<bounds = [4, ?]>>, tensor<f32>) -> tensor<?x6xf32, #xla.array<bounds = [4, ?]>>
  return %0, %1, %2 : tensor<i32>, tuple<!xla.token, tensor<f32>>, tensor<?x6xf32, #xla.array<bounds = [4, ?]>>
}

// CHECK-LABEL: func.func @donated(%arg0: tensor<2xf32> {jax.buffer_donor = true}, %arg1: tensor<2xf32>) -> tensor<2xf32> {
// CHECK-NEXT: return %arg0 : tensor<2xf32>
func.func @donated(%x: tensor<2xf32> {xla.donated}, %y: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}

// CHECK-LABEL: func.func @aliased(%arg0: tensor<2xf32> {tf.aliasing_output = 1 : i32}, %arg1: tensor<2xf32> {jax.buffer_donor = true}, %arg2: tensor<3xf32> {jax.buffer_donor = true})
func.func @aliased(%x: tensor<2xf32> {xla.donated = 1 : i32}, %y: tensor<2xf32> {xla.donated = 2 : i32}, %z: tensor<3xf32> {xla.donated = 0 : i32}) -> (tensor<2xf32>, tensor<2xf32>) {
  return %y, %x : tensor<2xf32>, tensor<2xf32>
}

// CHECK-LABEL: func.func @scalars(%arg0: tensor<4x6xf32>, %arg1: tensor<2xi32>, %arg2: tensor<3xui8>) -> (tensor<4x6xf32>, tensor<3xui8>) {
// CHECK-NEXT: %0 = stablehlo.slice %arg1 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
// CHECK-NEXT: %1 = stablehlo.reshape %0 : (tensor<1xi32>) -> tensor<i32>
// CHECK-NEXT: %2 = stablehlo.slice %arg1 [1:2] : (tensor<2xi32>) -> tensor<1xi32>
// CHECK-NEXT: %3 = stablehlo.reshape %2 : (tensor<1xi32>) -> tensor<i32>
// CHECK-NEXT: %4 = stablehlo.dynamic_slice %arg0, %1, %3, sizes = [2, 3] : (tensor<4x6xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
// CHECK-NEXT: %5 = stablehlo.slice %arg1 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
// CHECK-NEXT: %6 = stablehlo.reshape %5 : (tensor<1xi32>) -> tensor<i32>
// CHECK-NEXT: %7 = stablehlo.slice %arg1 [1:2] : (tensor<2xi32>) -> tensor<1xi32>
// CHECK-NEXT: %8 = stablehlo.reshape %7 : (tensor<1xi32>) -> tensor<i32>
// CHECK-NEXT: %9 = stablehlo.dynamic_update_slice %arg0, %4, %6, %8 : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<4x6xf32>
// CHECK-NEXT: %c = stablehlo.constant dense<0> : tensor<3xui8>
// CHECK-NEXT: %10 = stablehlo.compare NE, %arg2, %c : (tensor<3xui8>, tensor<3xui8>) -> tensor<3xi1>
// CHECK-NEXT: %11 = stablehlo.convert %10 : (tensor<3xi1>) -> tensor<3xui8>
// CHECK-NEXT: return %9, %11 : tensor<4x6xf32>, tensor<3xui8>
func.func @scalars(%x: tensor<4x6xf32>, %i: tensor<2xi32>, %u: tensor<3xui8>) -> (tensor<4x6xf32>, tensor<3xui8>) {
  %0 = xla.dynamic_slice %x, %i {slice_sizes = [2, 3]} : (tensor<4x6xf32>, tensor<2xi32>) -> tensor<2x3xf32>
  %1 = xla.dynamic_update_slice %x, %0, %i : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<2xi32>) -> tensor<4x6xf32>
  %2 = xla.sign %u : tensor<3xui8>
  return %1, %2 : tensor<4x6xf32>, tensor<3xui8>
}

// CHECK-LABEL: func.func @lacking(%arg0: tensor<2x5xf32>, %arg1: tensor<f32>) -> (tensor<6xf32>, tensor<2x3xi32>) {
// CHECK-NEXT: %0 = stablehlo.slice %arg0 [0:2, 3:5] : (tensor<2x5xf32>) -> tensor<2x2xf32>
// CHECK-NEXT: %1 = stablehlo.slice %arg0 [0:2, 0:3] : (tensor<2x5xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %2 = stablehlo.concatenate %0, %1, dim = 1 : (tensor<2x2xf32>, tensor<2x3xf32>) -> tensor<2x5xf32>
// CHECK-NEXT: %3 = "stablehlo.sort"(%2) <{is_stable = true}> ({
// CHECK-NEXT: ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
// CHECK-NEXT: %9 = stablehlo.compare LT, %arg2, %arg3, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
// CHECK-NEXT: stablehlo.return %9 : tensor<i1>
// CHECK-NEXT: }) : (tensor<2x5xf32>) -> tensor<2x5xf32>
// CHECK-NEXT: %values, %indices = chlo.top_k(%3, k = 3) : tensor<2x5xf32> -> (tensor<2x3xf32>, tensor<2x3xi32>)
// CHECK-NEXT: %4 = chlo.asinh %values : tensor<2x3xf32> -> tensor<2x3xf32>
// CHECK-NEXT: %c = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
// CHECK-NEXT: %5 = stablehlo.rng %arg1, %arg1, %c, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<2x3xf32>
// CHECK-NEXT: %6 = stablehlo.add %4, %5 : tensor<2x3xf32>
// CHECK-NEXT: %7 = stablehlo.tanh %6 : tensor<2x3xf32>
// CHECK-NEXT: %8 = stablehlo.reshape %7 : (tensor<2x3xf32>) -> tensor<6xf32>
// CHECK-NEXT: return %8, %indices : tensor<6xf32>, tensor<2x3xi32>
func.func @lacking(%x: tensor<2x5xf32>, %s: tensor<f32>) -> (tensor<6xf32>, tensor<2x3xi32>) {
  %0 = xla.roll %x {shifts = [2], dimensions = [1]} : tensor<2x5xf32>
  %1 = xla.sort %0 : tensor<2x5xf32>
  %2, %places = xla.top_k %1 {k = 3} : (tensor<2x5xf32>) -> (tensor<2x3xf32>, tensor<2x3xi32>)
  %3 = xla.asinh %2 : tensor<2x3xf32>
  %4 = xla.rng_uniform %s, %s : (tensor<f32>, tensor<f32>) -> tensor<2x3xf32>
  %5 = xla.fusion(%3, %4) ({
  ^bb0(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>):
    %sum = xla.add %a, %b : tensor<2x3xf32>
    %6 = xla.tanh %sum : tensor<2x3xf32>
    xla.return %6 : tensor<2x3xf32>
  }) {kind = "loop"} : tensor<2x3xf32>
  %7 = xla.collapse %5 {dimensions = [0, 1]} : (tensor<2x3xf32>) -> tensor<6xf32>
  return %7, %places : tensor<6xf32>, tensor<2x3xi32>
}

// CHECK-LABEL: func.func @checks(%arg0: tensor<2xf32>) {
// CHECK-NEXT: stablehlo.custom_call @check.expect_almost_eq(%arg0, %arg0) {api_version = 4 : i32, backend_config = {tolerance = 1.000000e-03 : f64}} : (tensor<2xf32>, tensor<2xf32>) -> ()
// CHECK-NEXT: return
func.func @checks(%x: tensor<2xf32>) {
  xla.custom_call %x, %x {call_target_name = "check.expect_almost_eq", backend_config = {tolerance = 1.0e-3}} : (tensor<2xf32>, tensor<2xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @conditional(%arg0: tensor<i1>, %arg1: tensor<f32>, %arg2: tensor<i32>, %arg3: tensor<?xf32, #stablehlo.bounds<4>>) -> (tensor<f32>, tensor<f32>, tensor<2xf32>) {
// CHECK-NEXT: %0 = "stablehlo.if"(%arg0) ({
// CHECK-NEXT: stablehlo.return %arg1 : tensor<f32>
// CHECK-NEXT: }, {
// CHECK-NEXT: stablehlo.return %arg1 : tensor<f32>
// CHECK-NEXT: }) : (tensor<i1>) -> tensor<f32>
// CHECK-NEXT: %1 = "stablehlo.case"(%arg2) ({
// CHECK-NEXT: stablehlo.return %arg1 : tensor<f32>
// CHECK-NEXT: }) : (tensor<i32>) -> tensor<f32>
// CHECK-NEXT: %values, %indices = chlo.top_k(%arg3, k = 2) : tensor<?xf32, #stablehlo.bounds<4>> -> (tensor<2xf32>, tensor<2xi32>)
// CHECK-NEXT: return %0, %1, %values : tensor<f32>, tensor<f32>, tensor<2xf32>
func.func @conditional(%p: tensor<i1>, %x: tensor<f32>, %i: tensor<i32>, %y: tensor<?xf32, #xla.array<bounds = [4]>>) -> (tensor<f32>, tensor<f32>, tensor<2xf32>) {
  %0 = xla.conditional(%p) ({
    xla.return %x : tensor<f32>
  }, {
    xla.return %x : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  %1 = xla.conditional(%i, %x) ({
  ^bb0(%a: tensor<f32>):
    xla.return %a : tensor<f32>
  }) : (tensor<i32>, tensor<f32>) -> tensor<f32>
  %2, %3 = xla.top_k %y {k = 2} : (tensor<?xf32, #xla.array<bounds = [4]>>) -> (tensor<2xf32>, tensor<2xi32>)
  return %0, %1, %2 : tensor<f32>, tensor<f32>, tensor<2xf32>
}
