// Elements at computed places: torch_index_select, and pads, slices and gathers whose operands only a run knows.
// RUN: split-file %s %t
// RUN: xla-opt --xla-import-stablehlo %t/good.mlir | FileCheck %t/good.mlir
// RUN: xla-run %t/good.mlir --check | FileCheck %t/good.mlir --check-prefix=VALUES
// RUN: xla-run %t/good.mlir --check --device=cpu | FileCheck %t/good.mlir --check-prefix=VALUES
// RUN: xla-run %t/good.mlir --entry=pad --input="2x3xi32=1 2 3 4 5 6" --input="2xi32=1 -1" --input="2xi32=0 2" --input="2xi32=1 0" --device=all | FileCheck %t/good.mlir --check-prefix=PAD
// RUN: xla-run %t/good.mlir --entry=slice --input="2x5xi32=0 1 2 3 4 5 6 7 8 9" --input="2xi64=1 0" --input="2xi64=2 5" --input="2xi64=1 2" --device=all | FileCheck %t/good.mlir --check-prefix=SLICE
// RUN: xla-run %t/good.mlir --entry=gather --input="3x4xi32=0 1 2 3 4 5 6 7 8 9 10 11" --input="2x1xi32=2 0" --input="2xi32=1 3" --device=all | FileCheck %t/good.mlir --check-prefix=GATHER
// RUN: xla-opt --xla-import-stablehlo --split-input-file --verify-diagnostics %t/bad.mlir

//--- good.mlir
// VALUES: {{^}}3 passed, 0 failed{{$}}

// CHECK-LABEL: func.func @select
// CHECK: xla.gather {{.*}} {collapsed_slice_dims = array<i64: 1>, index_vector_dim = 1 : i64, offset_dims = array<i64: 0, 2>, slice_sizes = array<i64: 2, 1, 2>, start_index_map = array<i64: 1>} : (tensor<2x3x2xi32>, tensor<4xi32>) -> tensor<2x4x2xi32>
func.func @select() {
  %x = "stablehlo.constant"() {value = dense<[[[0, 1], [2, 3], [4, 5]], [[6, 7], [8, 9], [10, 11]]]> : tensor<2x3x2xi32>} : () -> tensor<2x3x2xi32>
  // Indices outside are clamped, as by XLA.
  %i = "stablehlo.constant"() {value = dense<[1, 0, 5, -1]> : tensor<4xi32>} : () -> tensor<4xi32>
  %0 = "stablehlo.torch_index_select"(%x, %i) <{batch_dims = 0 : i64, dim = 1 : i64}> : (tensor<2x3x2xi32>, tensor<4xi32>) -> tensor<2x4x2xi32>
  "check.expect_eq_const"(%0) {value = dense<[[[2, 3], [0, 1], [4, 5], [0, 1]], [[8, 9], [6, 7], [10, 11], [6, 7]]]> : tensor<2x4x2xi32>} : (tensor<2x4x2xi32>) -> ()
  %j = "stablehlo.constant"() {value = dense<1> : tensor<i64>} : () -> tensor<i64>
  %1 = "stablehlo.torch_index_select"(%x, %j) {batch_dims = 0 : i64, dim = 2 : i64} : (tensor<2x3x2xi32>, tensor<i64>) -> tensor<2x3xi32>
  "check.expect_eq_const"(%1) {value = dense<[[1, 3, 5], [7, 9, 11]]> : tensor<2x3xi32>} : (tensor<2x3xi32>) -> ()
  return
}
func.func @select_batch() {
  %x = "stablehlo.constant"() {value = dense<[[[0, 1], [2, 3], [4, 5]], [[6, 7], [8, 9], [10, 11]]]> : tensor<2x3x2xi32>} : () -> tensor<2x3x2xi32>
  %i = "stablehlo.constant"() {value = dense<[[1, 0, 1], [0, 0, 1]]> : tensor<2x3xui8>} : () -> tensor<2x3xui8>
  %0 = "stablehlo.torch_index_select"(%x, %i) {batch_dims = 1 : i64, dim = 2 : i64} : (tensor<2x3x2xi32>, tensor<2x3xui8>) -> tensor<2x3x3xi32>
  "check.expect_eq_const"(%0) {value = dense<[[[1, 0, 1], [3, 2, 3], [5, 4, 5]], [[6, 6, 7], [8, 8, 9], [10, 10, 11]]]> : tensor<2x3x3xi32>} : (tensor<2x3x3xi32>) -> ()
  %none = "stablehlo.constant"() {value = dense<> : tensor<0xi32>} : () -> tensor<0xi32>
  %1 = "stablehlo.torch_index_select"(%x, %none) {batch_dims = 0 : i64, dim = 0 : i64} : (tensor<2x3x2xi32>, tensor<0xi32>) -> tensor<0x3x2xi32>
  "check.expect_eq_const"(%1) {value = dense<> : tensor<0x3x2xi32>} : (tensor<0x3x2xi32>) -> ()
  return
}

// Padding that is constant, of a convolution.
// CHECK-LABEL: func.func @convolve
// CHECK: xla.convolution {{.*}} padding = array<i64: 1, 0>{{.*}} -> tensor<1x4x1xf32>
func.func @convolve() {
  %x = "stablehlo.constant"() {value = dense<[[[1.0], [2.0], [3.0], [4.0]]]> : tensor<1x4x1xf32>} : () -> tensor<1x4x1xf32>
  %k = "stablehlo.constant"() {value = dense<[[[10.0]], [[1.0]]]> : tensor<2x1x1xf32>} : () -> tensor<2x1x1xf32>
  %p = "stablehlo.constant"() {value = dense<[[1, 0]]> : tensor<1x2xi64>} : () -> tensor<1x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %k, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, window_strides = array<i64: 1>}> : (tensor<1x4x1xf32>, tensor<2x1x1xf32>, tensor<1x2xi64>) -> tensor<1x?x1xf32>
  "check.expect_eq_const"(%0) {value = dense<[[[1.0], [12.0], [23.0], [34.0]]]> : tensor<1x4x1xf32>} : (tensor<1x?x1xf32>) -> ()
  return
}

// PAD: {{^}}4x4xs32=-7 -7 -7 -7 2 3 -7 -7 -7 -7 -7 -7 5 6 -7 -7{{$}}
// CHECK-LABEL: func.func @pad
// CHECK-COUNT-2: xla.gather
// CHECK: xla.select
func.func @pad(%x: tensor<2x3xi32>, %low: tensor<2xi32>, %high: tensor<2xi32>, %inner: tensor<2xi32>) -> tensor<4x4xi32> {
  %p = "stablehlo.constant"() {value = dense<-7> : tensor<i32>} : () -> tensor<i32>
  %0 = "stablehlo.dynamic_pad"(%x, %p, %low, %high, %inner) : (tensor<2x3xi32>, tensor<i32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<4x4xi32>
  return %0 : tensor<4x4xi32>
}

// CHECK-LABEL: func.func @pad_nothing
// CHECK: xla.broadcast_in_dim %arg1 {{.*}} -> tensor<3xi32>
func.func @pad_nothing(%x: tensor<0xi32>, %p: tensor<i32>, %low: tensor<1xi32>) -> tensor<3xi32> {
  %0 = "stablehlo.dynamic_pad"(%x, %p, %low, %low, %low) : (tensor<0xi32>, tensor<i32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
  return %0 : tensor<3xi32>
}

// SLICE: {{^}}1x3xs32=5 7 9{{$}}
func.func @slice(%x: tensor<2x5xi32>, %start: tensor<2xi64>, %limit: tensor<2xi64>, %stride: tensor<2xi64>) -> tensor<1x3xi32> {
  %0 = "stablehlo.real_dynamic_slice"(%x, %start, %limit, %stride) : (tensor<2x5xi32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<1x3xi32>
  return %0 : tensor<1x3xi32>
}

// GATHER: {{^}}2x3xs32=8 9 10 0 1 2{{$}}
// CHECK-LABEL: func.func @gather
// CHECK: xla.gather {{.*}} slice_sizes = array<i64: 1, 3>
func.func @gather(%x: tensor<3x4xi32>, %i: tensor<2x1xi32>, %sizes: tensor<2xi32>) -> tensor<2x3xi32> {
  %0 = "stablehlo.dynamic_gather"(%x, %i, %sizes) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<3x4xi32>, tensor<2x1xi32>, tensor<2xi32>) -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}

//--- bad.mlir
func.func @dim(%x: tensor<2x3xi32>, %i: tensor<4xi32>) {
  // expected-error@+1 {{'stablehlo.torch_index_select' op has dim 2 and batch_dims 0 for an operand of rank 2 and indices of rank 1}}
  %0 = "stablehlo.torch_index_select"(%x, %i) {batch_dims = 0 : i64, dim = 2 : i64} : (tensor<2x3xi32>, tensor<4xi32>) -> tensor<2x4xi32>
  return
}

// -----

func.func @batch(%x: tensor<2x3xi32>, %i: tensor<2x4xi32>) {
  // expected-error@+1 {{'stablehlo.torch_index_select' op has dim 0 and batch_dims 1 for an operand of rank 2 and indices of rank 2}}
  %0 = "stablehlo.torch_index_select"(%x, %i) {batch_dims = 1 : i64, dim = 0 : i64} : (tensor<2x3xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
  return
}

// -----

func.func @no_integer(%x: tensor<2x3xi32>, %i: tensor<4xi32>) {
  // expected-error@+1 {{'stablehlo.torch_index_select' op has no integer as attribute 'dim'}}
  %0 = "stablehlo.torch_index_select"(%x, %i) {dim = "one"} : (tensor<2x3xi32>, tensor<4xi32>) -> tensor<2x4xi32>
  return
}

// -----

func.func @result(%x: tensor<2x3xi32>, %i: tensor<4xi32>) {
  // expected-error@+1 {{'stablehlo.torch_index_select' op is stated as tensor<2x5xi32>, its operands give tensor<2x4xi32>}}
  %0 = "stablehlo.torch_index_select"(%x, %i) {dim = 1 : i64} : (tensor<2x3xi32>, tensor<4xi32>) -> tensor<2x5xi32>
  return
}

// -----

// Batch dimensions must agree: the gather sees it.
func.func @batches(%x: tensor<2x3xi32>, %i: tensor<5x4xi32>) {
  // expected-error@+1 {{'xla.gather' op}}
  %0 = "stablehlo.torch_index_select"(%x, %i) {batch_dims = 1 : i64, dim = 1 : i64} : (tensor<2x3xi32>, tensor<5x4xi32>) -> tensor<2x4xi32>
  return
}
