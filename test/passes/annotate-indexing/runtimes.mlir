// Runtime variables that follow from constants and positions are none.
// RUN: xla-opt %s --xla-annotate-indexing | FileCheck %s

// CHECK-LABEL: func.func @constants(
// CHECK: xla.dynamic_slice {{.*}}"(d0, d1) -> (d0 + 1, d1 + 2), domain: d0 in [0, 1], d1 in [0, 1]"
// CHECK: xla.dynamic_update_slice {{.*}}"(d0, d1) -> (d0 - 1, d1 - 2), domain: d0 in [1, 2], d1 in [2, 3]"
// Beyond the bounds it is clamped, which is left to whoever reads it.
// CHECK: xla.dynamic_slice {{.*}}"(d0, d1){rt0, rt1} -> (d0 + rt0, d1 + rt1)
func.func @constants(%x: tensor<4x5xf32>) {
  %one = xla.constant dense<1> : tensor<i32>
  %two = xla.constant dense<2> : tensor<i32>
  %much = xla.constant dense<[9, -1]> : tensor<2xi32>
  %0 = xla.dynamic_slice %x, %one, %two {slice_sizes = array<i64: 2, 2>} : (tensor<4x5xf32>, tensor<i32>, tensor<i32>) -> tensor<2x2xf32>
  %1 = xla.dynamic_update_slice %x, %0, %one, %two : (tensor<4x5xf32>, tensor<2x2xf32>, tensor<i32>, tensor<i32>) -> tensor<4x5xf32>
  %2 = xla.dynamic_slice %x, %much {slice_sizes = array<i64: 2, 2>} : (tensor<4x5xf32>, tensor<2xi32>) -> tensor<2x2xf32>
  return
}

// The rows of an iota, in another order: a diagonal.
// CHECK-LABEL: func.func @iota(
// CHECK: xla.gather {{.*}}"(d0) -> (-d0 + 3, -d0 + 3), domain: d0 in [0, 3]"
func.func @iota(%x: tensor<4x4xf32>) {
  %0 = xla.iota {iota_dimension = 0} : () -> tensor<4x2xi32>
  %1 = xla.reverse %0 {dimensions = array<i64: 0>} : tensor<4x2xi32>
  %2 = xla.gather %x, %1 {collapsed_slice_dims = array<i64: 0, 1>, start_index_map = array<i64: 0, 1>, index_vector_dim = 1, slice_sizes = array<i64: 1, 1>} : (tensor<4x4xf32>, tensor<4x2xi32>) -> tensor<4xf32>
  return
}

// Two variables with the same value are one, whatever moves it.
// CHECK-LABEL: func.func @same(
// CHECK: xla.gather {{.*}}"(d0){rt0} -> (rt0, rt0), domain: d0 in [0, 2], rt0 in [0, 3]"
func.func @same(%x: tensor<4x4xf32>, %p: tensor<3xi32>) {
  %0 = xla.broadcast_in_dim %p {broadcast_dimensions = array<i64: 0>} : (tensor<3xi32>) -> tensor<3x2xi32>
  %1 = xla.gather %x, %0 {collapsed_slice_dims = array<i64: 0, 1>, start_index_map = array<i64: 0, 1>, index_vector_dim = 1, slice_sizes = array<i64: 1, 1>} : (tensor<4x4xf32>, tensor<3x2xi32>) -> tensor<3xf32>
  return
}
