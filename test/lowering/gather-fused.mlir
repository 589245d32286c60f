// A gather in a loop fusion loads from computed places in the body, and its operand's memory is not that of the result.
// RUN: xla-opt %s --xla-fuse --convert-xla-to-linalg | FileCheck %s
// RUN: xla-run %s --device=cpu --entry=reversed --input="6xf32=1 2 3 4 5 6" --input="6xi32=5 4 3 2 1 0" | FileCheck %s --check-prefix=REVERSED
// RUN: xla-run %s --device=all --entry=reversed --seed=1 --rtol=1e-6
// RUN: xla-run %s --device=all --entry=rows --seed=1 --rtol=0
// RUN: xla-run %s --device=cpu --entry=along --input="2x3xf32=1 2 3 4 5 6" --input="2x3xi32=-1 2 3 0 -4 1" | FileCheck %s --check-prefix=ALONG
// RUN: xla-run %s --device=all --entry=along --input=2x3xf32=random:1 --input="2x3xi32=-1 2 3 0 -4 1"
// RUN: xla-opt %s --xla-fuse | FileCheck %s --check-prefix=ONE

// CHECK: func.func private @fusion_1(%[[X:.*]]: memref<6xf32>, %{{.*}}: memref<6xi32>, %{{.*}}: memref<6xf32>) attributes {xla.kind = "loop"}
// CHECK: linalg.generic
// CHECK: ^bb0(%[[I:.*]]: i32, %{{.*}}: f32):
// CHECK: %[[L:.*]] = arith.maxsi %[[I]], %{{.*}} : i32
// CHECK: arith.minsi %[[L]], %{{.*}} : i32
// CHECK: memref.load %[[X]][%{{.*}}] : memref<6xf32>
// CHECK: linalg.yield
// REVERSED: 6xf32=7 6 5 4 3 2
func.func @reversed(%x: tensor<6xf32>, %i: tensor<6xi32>) -> tensor<6xf32> {
  %one = xla.constant dense<1.0> : tensor<6xf32>
  %r = xla.reverse %x {dimensions = [0]} : tensor<6xf32>
  %t = xla.reverse %r {dimensions = [0]} : tensor<6xf32>
  %0 = xla.gather %t, %i {collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1, slice_sizes = [1]} : (tensor<6xf32>, tensor<6xi32>) -> tensor<6xf32>
  %1 = xla.add %0, %one : tensor<6xf32>
  return %1 : tensor<6xf32>
}

func.func @rows(%x: tensor<300x70xf16>, %i: tensor<2x33xui8>, %b: tensor<2x70x33xf16>) -> tensor<2x70x33xf16> {
  %0 = xla.gather %x, %i {offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2, slice_sizes = [1, 70]} : (tensor<300x70xf16>, tensor<2x33xui8>) -> tensor<2x70x33xf16>
  %1 = xla.maximum %0, %b : tensor<2x70x33xf16>
  return %1 : tensor<2x70x33xf16>
}

// As numpy's take_along_axis in JAX: indices that are also compared, and reshaped for the gather, are no kernel of their own.
// ALONG: 2x3xf32=3 3 nan 4 nan 5
// ONE-LABEL: @along
// ONE: xla.fusion(
// ONE-NOT: xla.fusion(
func.func @along(%x: tensor<2x3xf32>, %i: tensor<2x3xi32>) -> tensor<2x3xf32> {
  %zero = xla.constant dense<0> : tensor<2x3xi32>
  %three = xla.constant dense<3> : tensor<2x3xi32>
  %two = xla.constant dense<2> : tensor<2x3xi32>
  %nan = xla.constant dense<0x7FC00000> : tensor<2x3xf32>
  %is = xla.compare %i, %zero {comparison_direction = "LT"} : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi1>
  %more = xla.add %i, %three : tensor<2x3xi32>
  %at = xla.select %is, %more, %i : (tensor<2x3xi1>, tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  %ge = xla.compare %at, %zero {comparison_direction = "GE"} : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi1>
  %le = xla.compare %at, %two {comparison_direction = "LE"} : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi1>
  %inside = xla.and %ge, %le : tensor<2x3xi1>
  %places = xla.reshape %at : (tensor<2x3xi32>) -> tensor<2x3x1xi32>
  %0 = xla.gather %x, %places {collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2, slice_sizes = [1, 1]} : (tensor<2x3xf32>, tensor<2x3x1xi32>) -> tensor<2x3xf32>
  %1 = xla.select %inside, %0, %nan : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}
