// A gather is a loop whose body clamps starts in their own type, then loads.
// RUN: xla-opt %s --convert-xla-to-linalg | FileCheck %s
// All indices are random bits; nothing may be read outside. (--device=all compares the devices that there are.)
// RUN: xla-run %s --device=all --entry=rows --seed=1 --rtol=0
// RUN: xla-run %s --device=cpu --entry=rows --input="4x2xf32=0 1 2 3 4 5 6 7" --input="6xi32=-2147483648 -1 0 2 3 2147483647" | FileCheck %s --check-prefix=ROWS
// RUN: xla-run %s --device=cpu --entry=places --input="3x4xi8=0 1 2 3 4 5 6 7 8 9 10 11" --input="2x3xui64=0 9 1 18446744073709551615 2 0" | FileCheck %s --check-prefix=PLACES
// RUN: xla-run %s --device=cpu --entry=narrow --input="300xbf16=7" --input="2xi8=-128 127" | FileCheck %s --check-prefix=NARROW
// RUN: xla-run %s --device=cpu --entry=nothing --input="4x3xf32=1" --input="2xi32=0 1" | FileCheck %s --check-prefix=NOTHING
// RUN: xla-run %s --device=cpu --entry=batching --input="2x3xi1=true false false false false true" --input="2x2xui8=0 1 2 200" | FileCheck %s --check-prefix=BATCHING

// CHECK-LABEL: func.func private @gather_0
// CHECK-SAME: (%[[X:.*]]: memref<4x2xf32>, %{{.*}}: memref<6xi32>, %{{.*}}: memref<6x2xf32>) attributes {xla.kind = "loop"}
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]}
// CHECK: ^bb0(%[[I:.*]]: i32, %{{.*}}: f32):
// CHECK: %[[L:.*]] = arith.maxsi %[[I]], %c0_i32
// CHECK: arith.minsi %[[L]], %c3_i32
// CHECK: linalg.index 1
// CHECK: %[[E:.*]] = memref.load %[[X]][%{{.*}}, %{{.*}}] : memref<4x2xf32>
// CHECK: linalg.yield %[[E]] : f32
// ROWS: 6x2xf32=0 1 0 1 0 1 4 5 6 7 6 7
func.func @rows(%x: tensor<4x2xf32>, %i: tensor<6xi32>) -> tensor<6x2xf32> {
  %0 = xla.gather %x, %i {offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1, slice_sizes = [1, 2]} : (tensor<4x2xf32>, tensor<6xi32>) -> tensor<6x2xf32>
  return %0 : tensor<6x2xf32>
}

// Coordinates (column, row) along dimension 0: (0, 2^64 - 1), (9, 2), (1, 0), of slices of 1 x 2.
// CHECK-LABEL: func.func private @gather_1(
// CHECK: arith.minui %{{.*}}, %{{.*}} : i64
// PLACES: 3x2xs8=8 9 10 11 1 2
func.func @places(%x: tensor<3x4xi8>, %c: tensor<2x3xui64>) -> tensor<3x2xi8> {
  %0 = xla.gather %x, %c {offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 0, slice_sizes = [1, 2]} : (tensor<3x4xi8>, tensor<2x3xui64>) -> tensor<3x2xi8>
  return %0 : tensor<3x2xi8>
}

// An i8 cannot exceed 299.
// CHECK-LABEL: func.func private @gather_2(
// CHECK: arith.maxsi
// CHECK-NOT: arith.min
// CHECK: return
// NARROW: 2xbf16=7 7
func.func @narrow(%x: tensor<300xbf16>, %i: tensor<2xi8>) -> tensor<2xbf16> {
  %0 = xla.gather %x, %i {collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1, slice_sizes = [1]} : (tensor<300xbf16>, tensor<2xi8>) -> tensor<2xbf16>
  return %0 : tensor<2xbf16>
}

// NOTHING: 2x0xf32=
func.func @nothing(%x: tensor<4x3xf32>, %i: tensor<2xi32>) -> tensor<2x0xf32> {
  %0 = xla.gather %x, %i {offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1, slice_sizes = [1, 0]} : (tensor<4x3xf32>, tensor<2xi32>) -> tensor<2x0xf32>
  return %0 : tensor<2x0xf32>
}

// BATCHING: 2x2xpred=true false true true
func.func @batching(%x: tensor<2x3xi1>, %i: tensor<2x2xui8>) -> tensor<2x2xi1> {
  %0 = xla.gather %x, %i {collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2, slice_sizes = [1, 1]} : (tensor<2x3xi1>, tensor<2x2xui8>) -> tensor<2x2xi1>
  return %0 : tensor<2x2xi1>
}
