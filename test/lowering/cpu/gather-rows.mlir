// Rows that a gather reads lie together: lanes are along them, not one a row. The length of a row comes from memory that is only read, so
// that what reduces rows and what works on them share their loop.
// RUN: xla-opt %s --xla-cpu-pipeline=to=linalg | xla-opt --xla-linalg-to-affine=report=true -o /dev/null 2>&1 | FileCheck %s
// RUN: xla-run %s --device=all --seed=1 --output=none

// CHECK: rows     40
// CHECK-NEXT: lanes    of inner dimensions: most is contiguous along inner dimensions
// CHECK: inner    256
// CHECK: inner    256
func.func @main(%t: tensor<100x256xf32>, %i: tensor<40xi32>) -> tensor<40x256xf32> {
  %z = xla.constant dense<0.0> : tensor<f32>
  %g = xla.gather %t, %i {offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1, slice_sizes = [1, 256]} : (tensor<100x256xf32>, tensor<40xi32>) -> tensor<40x256xf32>
  %s = xla.reduce(%g, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = xla.maximum %a, %b : tensor<f32>
    xla.return %m : tensor<f32>
  }) {dimensions = [1]} : (tensor<40x256xf32>, tensor<f32>) -> tensor<40xf32>
  %b = xla.broadcast_in_dim %s {broadcast_dimensions = array<i64: 0>} : (tensor<40xf32>) -> tensor<40x256xf32>
  %d = xla.subtract %g, %b : tensor<40x256xf32>
  return %d : tensor<40x256xf32>
}
