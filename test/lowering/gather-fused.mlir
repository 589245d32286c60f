// A gather in a loop fusion loads from computed places in the body, and its operand's memory is not that of the result.
// RUN: xla-opt %s --xla-fuse --convert-xla-to-linalg | FileCheck %s
// RUN: xla-run %s --device=cpu --entry=reversed --input="6xf32=1 2 3 4 5 6" --input="6xi32=5 4 3 2 1 0" | FileCheck %s --check-prefix=REVERSED
// RUN: xla-run %s --device=all --entry=reversed --seed=1 --rtol=1e-6
// RUN: xla-run %s --device=all --entry=rows --seed=1 --rtol=0

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
