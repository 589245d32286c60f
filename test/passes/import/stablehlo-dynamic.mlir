// Sizes in StableHLO: bounds, and operands in place of attributes.
// RUN: split-file %s %t
// RUN: xla-opt --allow-unregistered-dialect --xla-import-stablehlo %t/good.mlir | FileCheck %t/good.mlir
// RUN: xla-opt --allow-unregistered-dialect --xla-import-stablehlo %t/good.mlir | xla-opt -o /dev/null
// RUN: xla-run %t/good.mlir --entry=sums --input="10xf32=1 2 3 4 5 6 7 8 9 10" | FileCheck %t/good.mlir --check-prefix=SUMS
// RUN: xla-run %t/good.mlir --entry=bounded_iota --input="2xi64=2 3" | FileCheck %t/good.mlir --check-prefix=IOTA
// RUN: xla-run %t/good.mlir --entry=computed_slice --input="6xf32=1 2 3 4 5 6" --input=1xi64=2 --device=all | FileCheck %t/good.mlir --check-prefix=SLICE
// RUN: xla-opt --allow-unregistered-dialect --xla-import-stablehlo --split-input-file --verify-diagnostics %t/bad.mlir

//--- good.mlir
// SUMS: f32=15
// SUMS-NEXT: s32=5
// CHECK-LABEL: func.func @sums(%arg0: tensor<10xf32>) -> (tensor<f32>, tensor<i32>)
// CHECK: xla.set_dimension_size %arg0, %{{.*}} {dimension = 0 : i64} : (tensor<10xf32>, tensor<i32>) -> tensor<?xf32, #xla.array<bounds = [10]>>
// CHECK: xla.get_dimension_size %{{.*}} {dimension = 0 : i64} : (tensor<?xf32, #xla.array<bounds = [10]>>) -> tensor<i32>
"func.func"() <{function_type = (tensor<10xf32>) -> (tensor<f32>, tensor<i32>), sym_name = "sums"}> ({
^bb0(%v: tensor<10xf32>):
  %five = "stablehlo.constant"() <{value = dense<5> : tensor<i32>}> : () -> tensor<i32>
  %zero = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %0 = "stablehlo.set_dimension_size"(%v, %five) <{dimension = 0 : i64}> : (tensor<10xf32>, tensor<i32>) -> tensor<?xf32, #stablehlo.bounds<10>>
  %1 = "stablehlo.reduce"(%0, %zero) <{dimensions = array<i64: 0>}> ({
  ^bb1(%a: tensor<f32>, %b: tensor<f32>):
    %3 = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%3) : (tensor<f32>) -> ()
  }) : (tensor<?xf32, #stablehlo.bounds<10>>, tensor<f32>) -> tensor<f32>
  %2 = "stablehlo.get_dimension_size"(%0) <{dimension = 0 : i64}> : (tensor<?xf32, #stablehlo.bounds<10>>) -> tensor<i32>
  "func.return"(%1, %2) : (tensor<f32>, tensor<i32>) -> ()
}) : () -> ()

// Both spellings of bounds, in functions and tuples.
// CHECK-LABEL: func.func @types(%arg0: tensor<?x4xf32, #xla.array<bounds = [8, ?]>>, %arg1: tuple<tensor<2x?xf32, #xla.array<bounds = [?, 3]>>>) -> tensor<?x4xf32, #xla.array<bounds = [8, ?]>>
"func.func"() <{function_type = (tensor<?x4xf32, #stablehlo.type_extensions<bounds = [8, ?]>>, tuple<tensor<2x?xf32, #stablehlo.bounds<?, 3>>>) -> tensor<?x4xf32, #stablehlo.bounds<8, ?>>, sym_name = "types"}> ({
^bb0(%x: tensor<?x4xf32, #stablehlo.type_extensions<bounds = [8, ?]>>, %y: tuple<tensor<2x?xf32, #stablehlo.bounds<?, 3>>>):
  %0 = "stablehlo.negate"(%x) : (tensor<?x4xf32, #stablehlo.type_extensions<bounds = [8, ?]>>) -> tensor<?x4xf32, #stablehlo.bounds<8, ?>>
  "func.return"(%0) : (tensor<?x4xf32, #stablehlo.bounds<8, ?>>) -> ()
}) : () -> ()

// A size that is stated makes a slice.
// CHECK-LABEL: func.func @known_size(%arg0: tensor<10x2xf32>) -> tensor<5x2xf32>
// CHECK: xla.slice %arg0 {limit_indices = array<i64: 5, 2>, start_indices = array<i64: 0, 0>} : (tensor<10x2xf32>) -> tensor<5x2xf32>
"func.func"() <{function_type = (tensor<10x2xf32>) -> tensor<5x2xf32>, sym_name = "known_size"}> ({
^bb0(%v: tensor<10x2xf32>):
  %five = "stablehlo.constant"() <{value = dense<5> : tensor<i32>}> : () -> tensor<i32>
  %0 = "stablehlo.set_dimension_size"(%v, %five) <{dimension = 0 : i64}> : (tensor<10x2xf32>, tensor<i32>) -> tensor<5x2xf32>
  "func.return"(%0) : (tensor<5x2xf32>) -> ()
}) : () -> ()

// CHECK-LABEL: func.func @static(%arg0: tensor<6xf32>) -> (tensor<2x3xf32>, tensor<2x6xf32>, tensor<3x4xi64>)
// CHECK: xla.reshape %arg0 : (tensor<6xf32>) -> tensor<2x3xf32>
// CHECK: xla.broadcast_in_dim %arg0 {broadcast_dimensions = array<i64: 1>} : (tensor<6xf32>) -> tensor<2x6xf32>
// CHECK: xla.iota {iota_dimension = 0 : i64} : () -> tensor<3x4xi64>
"func.func"() <{function_type = (tensor<6xf32>) -> (tensor<2x3xf32>, tensor<2x6xf32>, tensor<3x4xi64>), sym_name = "static"}> ({
^bb0(%x: tensor<6xf32>):
  %s = "stablehlo.constant"() <{value = dense<[2, 3]> : tensor<2xi32>}> : () -> tensor<2xi32>
  %t = "stablehlo.constant"() <{value = dense<[3, 4]> : tensor<2xi64>}> : () -> tensor<2xi64>
  %0 = "stablehlo.dynamic_reshape"(%x, %s) : (tensor<6xf32>, tensor<2xi32>) -> tensor<2x3xf32>
  %1 = "stablehlo.dynamic_broadcast_in_dim"(%x, %s) <{broadcast_dimensions = array<i64: 1>, known_expanding_dimensions = array<i64>, known_nonexpanding_dimensions = array<i64: 0>}> : (tensor<6xf32>, tensor<2xi32>) -> tensor<2x6xf32>
  %2 = "stablehlo.dynamic_iota"(%t) <{iota_dimension = 0 : i64}> : (tensor<2xi64>) -> tensor<3x4xi64>
  "func.return"(%0, %1, %2) : (tensor<2x3xf32>, tensor<2x6xf32>, tensor<3x4xi64>) -> ()
}) : () -> ()

// Types without sizes get them from constants, what is computed of sizes, and from each other.
// CHECK-LABEL: func.func @resolved(%arg0: tensor<6xf32>) -> (tensor<2x6xf32>, tensor<6xi32>, tensor<5x8xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2x1x6xf32>)
// CHECK: xla.broadcast_in_dim {{.*}} -> tensor<2x6xf32>
// CHECK: xla.negate {{.*}} : tensor<2x6xf32>
// CHECK: xla.dot_general {{.*}} -> tensor<2x2xf32>
// CHECK: xla.iota {iota_dimension = 0 : i64} : () -> tensor<6xi32>
// CHECK: xla.pad {{.*}} {edge_padding_high = array<i64: 1, 2>, edge_padding_low = array<i64: 0, 0>, interior_padding = array<i64: 2, 0>} : (tensor<2x6xf32>, tensor<f32>) -> tensor<5x8xf32>
// CHECK: xla.slice %arg0 {limit_indices = array<i64: 4>, start_indices = array<i64: 1>, strides = array<i64: 2>} : (tensor<6xf32>) -> tensor<2xf32>
// CHECK: xla.gather {{.*}} slice_sizes = array<i64: 1, 6>{{.*}} -> tensor<2x1x6xf32>
"func.func"() <{function_type = (tensor<6xf32>) -> (tensor<?x?xf32>, tensor<?xi32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?xf32>, tensor<?x?x?xf32>), sym_name = "resolved"}> ({
^bb0(%x: tensor<6xf32>):
  %two = "stablehlo.constant"() <{value = dense<2> : tensor<1xi32>}> : () -> tensor<1xi32>
  %n = "stablehlo.get_dimension_size"(%x) <{dimension = 0 : i64}> : (tensor<6xf32>) -> tensor<i32>
  %n1 = "stablehlo.reshape"(%n) : (tensor<i32>) -> tensor<1xi32>
  %shape = "stablehlo.concatenate"(%two, %n1) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%x, %shape) <{broadcast_dimensions = array<i64: 1>}> : (tensor<6xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %1 = "stablehlo.negate"(%0) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %2 = "stablehlo.dot_general"(%0, %1) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>}> : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %3 = "stablehlo.dynamic_iota"(%n1) <{iota_dimension = 0 : i64}> : (tensor<1xi32>) -> tensor<?xi32>
  %zero = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %low = "stablehlo.constant"() <{value = dense<0> : tensor<2xi64>}> : () -> tensor<2xi64>
  %high = "stablehlo.constant"() <{value = dense<[1, 2]> : tensor<2xi64>}> : () -> tensor<2xi64>
  %inner = "stablehlo.constant"() <{value = dense<[2, 0]> : tensor<2xi64>}> : () -> tensor<2xi64>
  %4 = "stablehlo.dynamic_pad"(%0, %zero, %low, %high, %inner) : (tensor<?x?xf32>, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
  %start = "stablehlo.constant"() <{value = dense<1> : tensor<1xi32>}> : () -> tensor<1xi32>
  %limit = "stablehlo.constant"() <{value = dense<4> : tensor<1xi32>}> : () -> tensor<1xi32>
  %5 = "stablehlo.real_dynamic_slice"(%x, %start, %limit, %two) : (tensor<6xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  %places = "stablehlo.constant"() <{value = dense<[[1], [0]]> : tensor<2x1xi32>}> : () -> tensor<2x1xi32>
  %sizes = "stablehlo.constant"() <{value = dense<[1, 6]> : tensor<2xi32>}> : () -> tensor<2xi32>
  %6 = "stablehlo.dynamic_gather"(%0, %places, %sizes) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], start_index_map = [0], index_vector_dim = 1>}> : (tensor<?x?xf32>, tensor<2x1xi32>, tensor<2xi32>) -> tensor<?x?x?xf32>
  "func.return"(%1, %3, %4, %2, %5, %6) : (tensor<?x?xf32>, tensor<?xi32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?xf32>, tensor<?x?x?xf32>) -> ()
}) : () -> ()

// Sizes that only a run knows, within bounds.
// IOTA: 2x3xs32=0 1 2 0 1 2
// CHECK-LABEL: func.func @bounded_iota
// CHECK: xla.iota {iota_dimension = 1 : i64} : () -> tensor<4x5xi32>
// CHECK: xla.set_dimension_size {{.*}} -> tensor<?x5xi32, #xla.array<bounds = [4, ?]>>
// CHECK: xla.set_dimension_size {{.*}} -> tensor<?x?xi32, #xla.array<bounds = [4, 5]>>
"func.func"() <{function_type = (tensor<2xi64>) -> tensor<?x?xi32, #stablehlo.bounds<4, 5>>, sym_name = "bounded_iota"}> ({
^bb0(%shape: tensor<2xi64>):
  %0 = "stablehlo.dynamic_iota"(%shape) <{iota_dimension = 1 : i64}> : (tensor<2xi64>) -> tensor<?x?xi32, #stablehlo.bounds<4, 5>>
  "func.return"(%0) : (tensor<?x?xi32, #stablehlo.bounds<4, 5>>) -> ()
}) : () -> ()

// SLICE: 3xf32=3 4 5
// CHECK-LABEL: func.func @computed_slice
// CHECK: xla.dynamic_slice %arg0, %arg1 {slice_sizes = array<i64: 3>} : (tensor<6xf32>, tensor<1xi64>) -> tensor<3xf32>
"func.func"() <{function_type = (tensor<6xf32>, tensor<1xi64>) -> tensor<3xf32>, sym_name = "computed_slice"}> ({
^bb0(%x: tensor<6xf32>, %start: tensor<1xi64>):
  %three = "stablehlo.constant"() <{value = dense<3> : tensor<1xi64>}> : () -> tensor<1xi64>
  %one = "stablehlo.constant"() <{value = dense<1> : tensor<1xi64>}> : () -> tensor<1xi64>
  %limit = "stablehlo.add"(%start, %three) : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %0 = "stablehlo.real_dynamic_slice"(%x, %start, %limit, %one) : (tensor<6xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<3xf32>
  "func.return"(%0) : (tensor<3xf32>) -> ()
}) : () -> ()

//--- bad.mlir
func.func @unknown_shape(%x: tensor<6xf32>, %s: tensor<2xi32>) {
  // expected-error@+1 {{'stablehlo.dynamic_reshape' op is not supported yet where operand 1 does not follow from constants}}
  %0 = "stablehlo.dynamic_reshape"(%x, %s) : (tensor<6xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @unknown_padding(%x: tensor<6xf32>, %p: tensor<f32>, %s: tensor<1xi32>) {
  // expected-error@+1 {{'stablehlo.dynamic_pad' op is not supported yet where operand 2 does not follow from constants}}
  %0 = "stablehlo.dynamic_pad"(%x, %p, %s, %s, %s) : (tensor<6xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  return
}

// -----

func.func @unknown_strides(%x: tensor<6xf32>, %s: tensor<1xi32>) {
  // expected-error@+1 {{'stablehlo.real_dynamic_slice' op is not supported yet where operand 1 does not follow from constants}}
  %0 = "stablehlo.real_dynamic_slice"(%x, %s, %s, %s) : (tensor<6xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  return
}

// -----

func.func @sizes(%x: tensor<6xf32>) {
  %s = "stablehlo.constant"() {value = dense<[2, 3]> : tensor<2xi32>} : () -> tensor<2xi32>
  // expected-error@+1 {{'stablehlo.dynamic_reshape' op has 2 sizes for a result of rank 1}}
  %0 = "stablehlo.dynamic_reshape"(%x, %s) : (tensor<6xf32>, tensor<2xi32>) -> tensor<?xf32>
  return
}

// -----

func.func @negative(%x: tensor<6xf32>) {
  %s = "stablehlo.constant"() {value = dense<[-2, -3]> : tensor<2xi32>} : () -> tensor<2xi32>
  // expected-error@+1 {{'stablehlo.dynamic_reshape' op has -2 as size 0 of a result tensor<?x?xf32>}}
  %0 = "stablehlo.dynamic_reshape"(%x, %s) : (tensor<6xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @other(%x: tensor<6xf32>) {
  %s = "stablehlo.constant"() {value = dense<[2, 3]> : tensor<2xi32>} : () -> tensor<2xi32>
  // expected-error@+1 {{'stablehlo.dynamic_reshape' op has 2 as size 0 of a result tensor<3x?xf32>}}
  %0 = "stablehlo.dynamic_reshape"(%x, %s) : (tensor<6xf32>, tensor<2xi32>) -> tensor<3x?xf32>
  return
}

// -----

func.func @operands(%x: tensor<6xf32>) {
  // expected-error@+1 {{'stablehlo.dynamic_reshape' op has 1 operands and 1 results, not 2 and 1}}
  %0 = "stablehlo.dynamic_reshape"(%x) : (tensor<6xf32>) -> tensor<6xf32>
  return
}

// -----

func.func @known_size(%x: tensor<6xf32>) {
  %s = "stablehlo.constant"() {value = dense<4> : tensor<i32>} : () -> tensor<i32>
  // expected-error@+1 {{'stablehlo.set_dimension_size' op is stated as tensor<5xf32> of tensor<6xf32>, with 4 as the size of dimension 0}}
  %0 = "stablehlo.set_dimension_size"(%x, %s) {dimension = 0 : i64} : (tensor<6xf32>, tensor<i32>) -> tensor<5xf32>
  return
}

// -----

func.func @unknown_size(%x: tensor<6xf32>, %s: tensor<i32>) {
  // expected-error@+1 {{'stablehlo.set_dimension_size' op is not supported yet where operand 1 does not follow from constants}}
  %0 = "stablehlo.set_dimension_size"(%x, %s) {dimension = 0 : i64} : (tensor<6xf32>, tensor<i32>) -> tensor<5xf32>
  return
}

// -----

func.func @iota_sizes(%s: tensor<i64>) {
  // expected-error@+1 {{'stablehlo.dynamic_iota' op takes tensor<i64> as sizes, not a vector}}
  %0 = "stablehlo.dynamic_iota"(%s) {iota_dimension = 0 : i64} : (tensor<i64>) -> tensor<?xi32, #stablehlo.bounds<4>>
  return
}

// -----

// Operations that know no dynamic dimensions are not there yet, rather than wrong.
func.func @rng_bit_generator(%x: tensor<?xui64, #stablehlo.bounds<2>>) {
  // expected-error@+1 {{'stablehlo.rng_bit_generator' op is not supported yet for operand 0, tensor<?xui64, #xla.array<bounds = [2]>>, which has a dimension of dynamic size}}
  %0:2 = "stablehlo.rng_bit_generator"(%x) {rng_algorithm = #stablehlo<rng_algorithm PHILOX>} : (tensor<?xui64, #stablehlo.bounds<2>>) -> (tensor<2xui64>, tensor<4xui32>)
  return
}

// -----

// Bounds that do not fit stay unread.
func.func @bounds(%x: tensor<?x3xf32, #stablehlo.bounds<4>>) {
  // expected-error@+1 {{'stablehlo.negate' op is not supported yet for operand 0, tensor<?x3xf32, #stablehlo.bounds<4>>, which has a dimension of dynamic size without a bound}}
  %0 = "stablehlo.negate"(%x) : (tensor<?x3xf32, #stablehlo.bounds<4>>) -> tensor<?x3xf32, #stablehlo.bounds<4>>
  return
}

// -----

func.func @fewer(%x: tensor<6xf32>, %s: tensor<1xi32>) {
  // expected-error@+1 {{'stablehlo.real_dynamic_slice' op gives tensor<7xf32> of tensor<6xf32>, which has fewer elements}}
  %0 = "stablehlo.real_dynamic_slice"(%x, %s, %s, %s) : (tensor<6xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<7xf32>
  return
}

// -----

func.func @vectors(%x: tensor<6xf32>, %p: tensor<f32>, %s: tensor<1xi32>, %t: tensor<2xi32>) {
  // expected-error@+1 {{'stablehlo.dynamic_pad' op takes a vector of 1 integers as operand 3, not tensor<2xi32>}}
  %0 = "stablehlo.dynamic_pad"(%x, %p, %s, %t, %s) : (tensor<6xf32>, tensor<f32>, tensor<1xi32>, tensor<2xi32>, tensor<1xi32>) -> tensor<7xf32>
  return
}

// -----

func.func @padding_value(%x: tensor<6xf32>, %p: tensor<1xf32>, %s: tensor<1xi32>) {
  // expected-error@+1 {{'stablehlo.dynamic_pad' op takes tensor<1xf32> as padding value, not a scalar}}
  %0 = "stablehlo.dynamic_pad"(%x, %p, %s, %s, %s) : (tensor<6xf32>, tensor<1xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<7xf32>
  return
}

// -----

func.func @padded_rank(%x: tensor<6xf32>, %p: tensor<f32>, %s: tensor<1xi32>) {
  // expected-error@+1 {{'stablehlo.dynamic_pad' op gives tensor<7x1xf32> of an operand of rank 1}}
  %0 = "stablehlo.dynamic_pad"(%x, %p, %s, %s, %s) : (tensor<6xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<7x1xf32>
  return
}

// -----

func.func @unknown_conv_padding(%x: tensor<1x4x1xf32>, %k: tensor<2x1x1xf32>, %p: tensor<1x2xi64>) {
  // expected-error@+1 {{'stablehlo.dynamic_conv' op is not supported yet where operand 2 does not follow from constants}}
  %0 = "stablehlo.dynamic_conv"(%x, %k, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64}> : (tensor<1x4x1xf32>, tensor<2x1x1xf32>, tensor<1x2xi64>) -> tensor<1x3x1xf32>
  return
}

// -----

func.func @unknown_slice_sizes(%x: tensor<4x3xf32>, %i: tensor<5x1xi32>, %s: tensor<2xi32>) {
  // expected-error@+1 {{'stablehlo.dynamic_gather' op is not supported yet where operand 2 does not follow from constants}}
  %0 = "stablehlo.dynamic_gather"(%x, %i, %s) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>} : (tensor<4x3xf32>, tensor<5x1xi32>, tensor<2xi32>) -> tensor<5x?xf32>
  return
}
