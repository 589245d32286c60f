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

// What integer arithmetic makes of constants and positions, as JAX writes it:
// negative indices begin at the end, which none of these does.
// CHECK-LABEL: func.func @arithmetic(
// CHECK: xla.gather {{.*}}"(d0) -> (d0 * 3 + 2), domain: d0 in [0, 9]"
// CHECK: xla.gather {{.*}}"(d0, d1) -> (d0 * 8 + d1 * 2), domain: d0 in [0, 3], d1 in [0, 3]"
// CHECK: xla.gather {{.*}}"(d0) -> (d0 floordiv 3, d0 mod 3), domain: d0 in [0, 8]"
func.func @arithmetic(%x: tensor<32xf32>, %m: tensor<3x3xf32>) {
  %zero = xla.constant dense<0> : tensor<i32>
  %two = xla.constant dense<2> : tensor<i32>
  %three = xla.constant dense<3> : tensor<i32>
  %n = xla.constant dense<32> : tensor<i32>
  %i = xla.iota {iota_dimension = 0} : () -> tensor<10xi32>
  %0 = xla.multiply %three, %i : (tensor<i32>, tensor<10xi32>) -> tensor<10xi32>
  %1 = xla.add %0, %two : (tensor<10xi32>, tensor<i32>) -> tensor<10xi32>
  %2 = xla.compare %1, %zero {comparison_direction = "LT"} : (tensor<10xi32>, tensor<i32>) -> tensor<10xi1>
  %3 = xla.add %1, %n : (tensor<10xi32>, tensor<i32>) -> tensor<10xi32>
  %4 = xla.select %2, %3, %1 : (tensor<10xi1>, tensor<10xi32>, tensor<10xi32>) -> tensor<10xi32>
  %5 = xla.reshape %4 : (tensor<10xi32>) -> tensor<10x1xi32>
  %6 = xla.gather %x, %5 {collapsed_slice_dims = array<i64: 0>, start_index_map = array<i64: 0>, index_vector_dim = 1, slice_sizes = array<i64: 1>} : (tensor<32xf32>, tensor<10x1xi32>) -> tensor<10xf32>
  // Of two positions; the elements of a constant that grow alike
  %a = xla.iota {iota_dimension = 0} : () -> tensor<4x4xi64>
  %b = xla.constant dense<[0, 2, 4, 6]> : tensor<4xi16>
  %c = xla.convert %b : (tensor<4xi16>) -> tensor<4xi64>
  %eight = xla.constant dense<8> : tensor<i64>
  %7 = xla.multiply %a, %eight : (tensor<4x4xi64>, tensor<i64>) -> tensor<4x4xi64>
  %8 = xla.add %7, %c {broadcast_dimensions = [1]} : (tensor<4x4xi64>, tensor<4xi64>) -> tensor<4x4xi64>
  %9 = xla.gather %x, %8 {collapsed_slice_dims = array<i64: 0>, start_index_map = array<i64: 0>, index_vector_dim = 2, slice_sizes = array<i64: 1>} : (tensor<32xf32>, tensor<4x4xi64>) -> tensor<4x4xf32>
  %p = xla.iota {iota_dimension = 0} : () -> tensor<9x1xi32>
  %q = xla.divide %p, %three : (tensor<9x1xi32>, tensor<i32>) -> tensor<9x1xi32>
  %r = xla.remainder %p, %three : (tensor<9x1xi32>, tensor<i32>) -> tensor<9x1xi32>
  %qr = xla.concatenate %q, %r {dimension = 1} : (tensor<9x1xi32>, tensor<9x1xi32>) -> tensor<9x2xi32>
  %10 = xla.gather %m, %qr {collapsed_slice_dims = array<i64: 0, 1>, start_index_map = array<i64: 0, 1>, index_vector_dim = 1, slice_sizes = array<i64: 1, 1>} : (tensor<3x3xf32>, tensor<9x2xi32>) -> tensor<9xf32>
  return
}

// Where numbers wrap around, or are not always the same side of a choice, the
// variable stays.
// CHECK-LABEL: func.func @not_followed(
// CHECK: xla.gather {{.*}}"(d0){rt0} -> (rt0)
// CHECK: xla.gather {{.*}}"(d0){rt0} -> (rt0)
// CHECK: xla.gather {{.*}}"(d0){rt0} -> (rt0)
// CHECK: xla.gather {{.*}}"(d0){rt0} -> (rt0)
func.func @not_followed(%x: tensor<300xf32>) {
  %i = xla.iota {iota_dimension = 0} : () -> tensor<100xi8>
  %two = xla.constant dense<2> : tensor<i8>
  %0 = xla.multiply %i, %two : (tensor<100xi8>, tensor<i8>) -> tensor<100xi8>
  %1 = xla.convert %0 : (tensor<100xi8>) -> tensor<100xi32>
  %2 = xla.gather %x, %1 {collapsed_slice_dims = array<i64: 0>, start_index_map = array<i64: 0>, index_vector_dim = 1, slice_sizes = array<i64: 1>} : (tensor<300xf32>, tensor<100xi32>) -> tensor<100xf32>
  %u = xla.iota {iota_dimension = 0} : () -> tensor<100xui32>
  %one = xla.constant dense<1> : tensor<ui32>
  %3 = xla.subtract %u, %one : (tensor<100xui32>, tensor<ui32>) -> tensor<100xui32>
  %4 = xla.gather %x, %3 {collapsed_slice_dims = array<i64: 0>, start_index_map = array<i64: 0>, index_vector_dim = 1, slice_sizes = array<i64: 1>} : (tensor<300xf32>, tensor<100xui32>) -> tensor<100xf32>
  %j = xla.iota {iota_dimension = 0} : () -> tensor<100xi32>
  %five = xla.constant dense<5> : tensor<i32>
  %5 = xla.maximum %j, %five : (tensor<100xi32>, tensor<i32>) -> tensor<100xi32>
  %6 = xla.gather %x, %5 {collapsed_slice_dims = array<i64: 0>, start_index_map = array<i64: 0>, index_vector_dim = 1, slice_sizes = array<i64: 1>} : (tensor<300xf32>, tensor<100xi32>) -> tensor<100xf32>
  %k = xla.constant dense<[0, 1, 2, 4]> : tensor<4xi32>
  %7 = xla.gather %x, %k {collapsed_slice_dims = array<i64: 0>, start_index_map = array<i64: 0>, index_vector_dim = 1, slice_sizes = array<i64: 1>} : (tensor<300xf32>, tensor<4xi32>) -> tensor<4xf32>
  return
}

// Slices and scatters
// CHECK-LABEL: func.func @others(
// CHECK: xla.dynamic_slice {{.*}}"(d0) -> (d0 + 6), domain: d0 in [0, 3]"
// CHECK: xla.dynamic_update_slice {{.*}}"(d0) -> (d0 - 6), domain: d0 in [6, 9]"
// CHECK: xla.scatter
// CHECK: xla.indexing = {{.*}}"(d0)[s0] -> (s0), domain: d0 in [2, 11], s0 in [0, 3], d0 - s0 * 3 in [2, 2]"
func.func @others(%x: tensor<16xf32>, %u: tensor<4xf32>) {
  %two = xla.constant dense<2> : tensor<i32>
  %three = xla.constant dense<3> : tensor<i32>
  %six = xla.multiply %two, %three : tensor<i32>
  %0 = xla.dynamic_slice %x, %six {slice_sizes = array<i64: 4>} : (tensor<16xf32>, tensor<i32>) -> tensor<4xf32>
  %1 = xla.dynamic_update_slice %x, %u, %six : (tensor<16xf32>, tensor<4xf32>, tensor<i32>) -> tensor<16xf32>
  %i = xla.iota {iota_dimension = 0} : () -> tensor<4x1xi32>
  %2 = xla.multiply %i, %three : (tensor<4x1xi32>, tensor<i32>) -> tensor<4x1xi32>
  %3 = xla.add %2, %two : (tensor<4x1xi32>, tensor<i32>) -> tensor<4x1xi32>
  %4 = xla.scatter %x, %3, %u ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    xla.return %b : tensor<f32>
  }) {inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, index_vector_dim = 1} : (tensor<16xf32>, tensor<4x1xi32>, tensor<4xf32>) -> tensor<16xf32>
  return
}
