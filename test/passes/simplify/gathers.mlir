// Gathers as simple ones, which compute the same.
// RUN: xla-opt %s --xla-simplify-gathers -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: xla-opt %t.mlir --xla-simplify-gathers | diff %t.mlir -
// Random ones.
// RUN: xla-gen --only=gather --ops=2 --count=150 --max-elements=200 --seed=1 --bake > %t.random.mlir
// RUN: xla-run %t.random.mlir > %t.values
// RUN: xla-opt %t.random.mlir --xla-simplify-gathers -o %t.simple.mlir
// RUN: xla-run %t.simple.mlir | diff %t.values -
// RUN: FileCheck %s --check-prefix=RANDOM --input-file=%t.simple.mlir --implicit-check-not='collapsed_slice_dims = array<i64: ' --implicit-check-not='batching_dims = array<i64: '
// RANDOM: xla.gather

// The specification's is simple.
// CHECK-LABEL: func.func @simple(
// CHECK-NEXT: %[[G:.*]] = xla.gather %arg0, %arg1
// CHECK-NEXT: return %[[G]]
func.func @simple(%x: tensor<33x76x70xf32>, %places: tensor<1806x2xi32>) -> tensor<1806x7x8x4xf32> {
  %0 = xla.gather %x, %places {offset_dims = array<i64: 1, 2, 3>, start_index_map = array<i64: 0, 1>, index_vector_dim = 1, slice_sizes = array<i64: 7, 8, 4>} : (tensor<33x76x70xf32>, tensor<1806x2xi32>) -> tensor<1806x7x8x4xf32>
  return %0 : tensor<1806x7x8x4xf32>
}

// Rows, by scalars.
// CHECK-LABEL: func.func @rows(
// CHECK: %[[I:.*]] = xla.reshape %arg1 : (tensor<5xi32>) -> tensor<5x1xi32>
// CHECK: %[[G:.*]] = xla.gather %arg0, %[[I]] {collapsed_slice_dims = array<i64>, index_vector_dim = 1 : i64, indices_are_sorted = true, offset_dims = array<i64: 1, 2>, slice_sizes = array<i64: 1, 3>, start_index_map = array<i64: 0>} : (tensor<4x3xf32>, tensor<5x1xi32>) -> tensor<5x1x3xf32>
// CHECK: xla.reshape %[[G]] : (tensor<5x1x3xf32>) -> tensor<5x3xf32>
func.func @rows(%x: tensor<4x3xf32>, %rows: tensor<5xi32>) -> tensor<5x3xf32> {
  %0 = xla.gather %x, %rows {offset_dims = array<i64: 1>, collapsed_slice_dims = array<i64: 0>, start_index_map = array<i64: 0>, index_vector_dim = 1, slice_sizes = array<i64: 1, 3>, indices_are_sorted = true} : (tensor<4x3xf32>, tensor<5xi32>) -> tensor<5x3xf32>
  return %0 : tensor<5x3xf32>
}

// Coordinates in front and of other dimensions, offsets in front.
// CHECK-LABEL: func.func @swapped(
// CHECK: xla.transpose %arg0 {permutation = array<i64: 2, 0, 1>} : (tensor<4x5x6xf32>) -> tensor<6x4x5xf32>
// CHECK: xla.transpose %arg1 {permutation = array<i64: 1, 2, 0>} : (tensor<2x3x7xi32>) -> tensor<3x7x2xi32>
// CHECK: xla.reshape {{.*}} -> tensor<21x2xi32>
// CHECK: xla.gather {{.*}}slice_sizes = array<i64: 2, 1, 3>, start_index_map = array<i64: 0, 1>} : (tensor<6x4x5xf32>, tensor<21x2xi32>) -> tensor<21x2x1x3xf32>
// CHECK: xla.transpose {{.*}}permutation = array<i64: 0, 2, 3, 1>} {{.*}} -> tensor<21x1x3x2xf32>
// CHECK: xla.reshape {{.*}} -> tensor<3x7x3x2xf32>
// CHECK: xla.transpose {{.*}}permutation = array<i64: 2, 0, 3, 1>} {{.*}} -> tensor<3x3x2x7xf32>
func.func @swapped(%x: tensor<4x5x6xf32>, %places: tensor<2x3x7xi32>) -> tensor<3x3x2x7xf32> {
  %0 = xla.gather %x, %places {offset_dims = array<i64: 0, 2>, collapsed_slice_dims = array<i64: 0>, start_index_map = array<i64: 2, 0>, index_vector_dim = 0, slice_sizes = array<i64: 1, 3, 2>} : (tensor<4x5x6xf32>, tensor<2x3x7xi32>) -> tensor<3x3x2x7xf32>
  return %0 : tensor<3x3x2x7xf32>
}

// Batches are coordinates.
// CHECK-LABEL: func.func @batches(
// CHECK: xla.iota {iota_dimension = 1 : i64} : () -> tensor<3x2x1xi32>
// CHECK: xla.concatenate {{.*}} {dimension = 2 : i64} : {{.*}} -> tensor<3x2x2xi32>
// CHECK: xla.gather {{.*}}start_index_map = array<i64: 0, 1>} : (tensor<2x5x3xf32>, tensor<6x2xi32>) -> tensor<6x1x2x3xf32>
func.func @batches(%x: tensor<2x5x3xf32>, %p: tensor<3x2x1xi32>) -> tensor<3x2x2x3xf32> {
  %0 = xla.gather %x, %p {offset_dims = array<i64: 2, 3>, operand_batching_dims = array<i64: 0>, start_indices_batching_dims = array<i64: 1>, start_index_map = array<i64: 1>, index_vector_dim = 2, slice_sizes = array<i64: 1, 2, 3>} : (tensor<2x5x3xf32>, tensor<3x2x1xi32>) -> tensor<3x2x2x3xf32>
  return %0 : tensor<3x2x2x3xf32>
}

// The coordinates lie before the batches; 200 batches do not fit into i8.
// CHECK-LABEL: func.func @many_batches(
// CHECK: xla.convert {{.*}} -> tensor<200x3x1xi64>
// CHECK: xla.iota {iota_dimension = 0 : i64} : () -> tensor<200x3x1xi64>
func.func @many_batches(%x: tensor<200x5xf32>, %p: tensor<1x200x3xi8>) -> tensor<200x3x2xf32> {
  %0 = xla.gather %x, %p {offset_dims = array<i64: 2>, operand_batching_dims = array<i64: 0>, start_indices_batching_dims = array<i64: 1>, start_index_map = array<i64: 1>, index_vector_dim = 0, slice_sizes = array<i64: 1, 2>} : (tensor<200x5xf32>, tensor<1x200x3xi8>) -> tensor<200x3x2xf32>
  return %0 : tensor<200x3x2xf32>
}

// No rows, and rows of no coordinates.
// CHECK-LABEL: func.func @nothing(
// CHECK: xla.gather {{.*}} : (tensor<4x3xf32>, tensor<0x1xi32>) -> tensor<0x1x3xf32>
// CHECK: xla.gather {{.*}}start_index_map = array<i64>} : (tensor<4x3xf32>, tensor<5x0xi32>) -> tensor<5x2x3xf32>
func.func @nothing(%x: tensor<4x3xf32>, %p: tensor<0xi32>, %q: tensor<0x5xi32>) -> (tensor<0x3xf32>, tensor<5x2x3xf32>) {
  %0 = xla.gather %x, %p {offset_dims = array<i64: 1>, collapsed_slice_dims = array<i64: 0>, start_index_map = array<i64: 0>, index_vector_dim = 1, slice_sizes = array<i64: 1, 3>} : (tensor<4x3xf32>, tensor<0xi32>) -> tensor<0x3xf32>
  %1 = xla.gather %x, %q {offset_dims = array<i64: 1, 2>, start_index_map = array<i64>, index_vector_dim = 0, slice_sizes = array<i64: 2, 3>} : (tensor<4x3xf32>, tensor<0x5xi32>) -> tensor<5x2x3xf32>
  return %0, %1 : tensor<0x3xf32>, tensor<5x2x3xf32>
}

// One element, by no dimension of the indices but their coordinates.
// CHECK-LABEL: func.func @one(
// CHECK: xla.gather {{.*}} : (tensor<4x3xf32>, tensor<1x2xi32>) -> tensor<1x1x1xf32>
func.func @one(%x: tensor<4x3xf32>, %p: tensor<2xi32>) -> tensor<f32> {
  %0 = xla.gather %x, %p {collapsed_slice_dims = array<i64: 0, 1>, start_index_map = array<i64: 0, 1>, index_vector_dim = 0, slice_sizes = array<i64: 1, 1>} : (tensor<4x3xf32>, tensor<2xi32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// The result keeps its layout.
// CHECK-LABEL: func.func @layout(
// CHECK: return %{{.*}} : tensor<5x3xf32, #xla.array<minor_to_major = [0, 1]>>
func.func @layout(%x: tensor<4x3xf32>, %rows: tensor<5xi32>) -> tensor<5x3xf32, #xla.array<minor_to_major = [0, 1]>> {
  %0 = xla.gather %x, %rows {offset_dims = array<i64: 1>, collapsed_slice_dims = array<i64: 0>, start_index_map = array<i64: 0>, index_vector_dim = 1, slice_sizes = array<i64: 1, 3>} : (tensor<4x3xf32>, tensor<5xi32>) -> tensor<5x3xf32, #xla.array<minor_to_major = [0, 1]>>
  return %0 : tensor<5x3xf32, #xla.array<minor_to_major = [0, 1]>>
}
