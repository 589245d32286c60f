// RUN: xla-opt %s --xla-simplify-algebra | FileCheck %s

// f(k, m, ..) = its value
// CHECK-LABEL: @repeated_constants(
// CHECK-NEXT: %[[A:.*]] = xla.constant dense<5.000000e+00> : tensor<1000x1000xf32>
// CHECK-NEXT: %[[B:.*]] = xla.constant dense<true> : tensor<4xi1>
// CHECK-NEXT: return %[[A]], %[[B]] :
func.func @repeated_constants() -> (tensor<1000x1000xf32>, tensor<4xi1>) {
  %a = xla.constant dense<2.0> : tensor<f32>
  %b = xla.broadcast_in_dim %a {broadcast_dimensions = array<i64>} : (tensor<f32>) -> tensor<1000x1000xf32>
  %c = xla.constant dense<3.0> : tensor<1000x1000xf32>
  %0 = xla.add %b, %c : tensor<1000x1000xf32>
  %d = xla.constant dense<1> : tensor<4xi32>
  %e = xla.constant dense<2> : tensor<4xi32>
  %1 = xla.compare %d, %e {comparison_direction = "LT"} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  return %0, %1 : tensor<1000x1000xf32>, tensor<4xi1>
}

// Constants of several values are for the folder; an empty array repeats none.
// CHECK-LABEL: @repeated_constants_not(
// CHECK: xla.negate {{.*}} : tensor<2xf32>
// CHECK: xla.negate {{.*}} : tensor<0xf32>
func.func @repeated_constants_not() -> (tensor<2xf32>, tensor<0xf32>) {
  %a = xla.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = xla.negate %a : tensor<2xf32>
  %b = xla.constant dense<> : tensor<0xf32>
  %1 = xla.negate %b : tensor<0xf32>
  return %0, %1 : tensor<2xf32>, tensor<0xf32>
}

// f(k, x) = f(x, k) for f that commute
// CHECK-LABEL: @constant_second(
// CHECK: xla.multiply %arg0, %{{.*}} : tensor<4xf32>
func.func @constant_second(%x: tensor<4xf32>) -> tensor<4xf32> {
  %k = xla.constant dense<3.0> : tensor<4xf32>
  %0 = xla.multiply %k, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @constant_second_not(
// CHECK: xla.divide %{{.*}}, %arg0 : tensor<4xf32>
// CHECK: xla.multiply %arg0, %{{.*}} : tensor<4xf32>
func.func @constant_second_not(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %k = xla.constant dense<3.0> : tensor<4xf32>
  %0 = xla.divide %k, %x : tensor<4xf32>
  %1 = xla.multiply %x, %k : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// f(broadcast_in_dim(x), broadcast_in_dim(y), k, ..) = broadcast_in_dim(f(x, y, k, ..))
// CHECK-LABEL: @broadcast_operands(
// CHECK: %[[S:.*]] = xla.add %arg0, %arg1 : tensor<3xf32>
// CHECK: %[[P:.*]] = xla.multiply %[[S]], %{{.*}} : tensor<3xf32>
// CHECK: %[[B:.*]] = xla.broadcast_in_dim %[[P]] {broadcast_dimensions = array<i64: 1>} : (tensor<3xf32>) -> tensor<4x3xf32>
// CHECK-NEXT: return %[[B]] :
func.func @broadcast_operands(%x: tensor<3xf32>, %y: tensor<3xf32>) -> tensor<4x3xf32> {
  %k = xla.constant dense<3.0> : tensor<4x3xf32>
  %a = xla.broadcast_in_dim %x {broadcast_dimensions = array<i64: 1>} : (tensor<3xf32>) -> tensor<4x3xf32>
  %b = xla.broadcast_in_dim %y {broadcast_dimensions = array<i64: 1>} : (tensor<3xf32>) -> tensor<4x3xf32>
  %0 = xla.add %a, %b : tensor<4x3xf32>
  %1 = xla.multiply %0, %k : tensor<4x3xf32>
  return %1 : tensor<4x3xf32>
}

// Broadcast otherwise, or to as many elements.
// CHECK-LABEL: @broadcast_operands_not(
// CHECK: xla.add {{.*}} : tensor<3x3xf32>
// CHECK: xla.abs {{.*}} : tensor<1x3xf32>
func.func @broadcast_operands_not(%x: tensor<3xf32>, %y: tensor<3xf32>) -> (tensor<3x3xf32>, tensor<1x3xf32>) {
  %a = xla.broadcast_in_dim %x {broadcast_dimensions = array<i64: 1>} : (tensor<3xf32>) -> tensor<3x3xf32>
  %b = xla.broadcast_in_dim %y {broadcast_dimensions = array<i64: 0>} : (tensor<3xf32>) -> tensor<3x3xf32>
  %0 = xla.add %a, %b : tensor<3x3xf32>
  %c = xla.broadcast_in_dim %x {broadcast_dimensions = array<i64: 1>} : (tensor<3xf32>) -> tensor<1x3xf32>
  %1 = xla.abs %c : tensor<1x3xf32>
  return %0, %1 : tensor<3x3xf32>, tensor<1x3xf32>
}

// reshape(gather(x, y)) = gather(x, reshape(y)) if once: dimensions of size 1 alone
// CHECK-LABEL: @reshape_gather(
// CHECK: %[[I:.*]] = xla.reshape %arg1 : (tensor<5x1x1xi32>) -> tensor<5x1xi32>
// CHECK: xla.gather %arg0, %[[I]] {collapsed_slice_dims = array<i64: 1>, index_vector_dim = 1 : i64, offset_dims = array<i64>, operand_batching_dims = array<i64: 0>, {{.*}}start_indices_batching_dims = array<i64: 0>} : (tensor<5x7xf32>, tensor<5x1xi32>) -> tensor<5xf32>
// CHECK: %[[G:.*]] = xla.gather %arg0, %arg2
// CHECK: xla.reshape %[[G]]
// CHECK: xla.gather %arg0, %arg2 {collapsed_slice_dims = array<i64: 0, 1>, index_vector_dim = 2 : i64, offset_dims = array<i64>, {{.*}} -> tensor<2x3xf32>
func.func @reshape_gather(%x: tensor<5x7xf32>, %i: tensor<5x1x1xi32>, %j: tensor<2x3x1xi32>) -> (tensor<5xf32>, tensor<6x7xf32>, tensor<2x3xf32>) {
  %0 = xla.gather %x, %i {offset_dims = [], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2, slice_sizes = [1, 1]} : (tensor<5x7xf32>, tensor<5x1x1xi32>) -> tensor<5x1xf32>
  %1 = xla.reshape %0 : (tensor<5x1xf32>) -> tensor<5xf32>
  %2 = xla.gather %x, %j {offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2, slice_sizes = [1, 7]} : (tensor<5x7xf32>, tensor<2x3x1xi32>) -> tensor<2x3x7xf32>
  %3 = xla.reshape %2 : (tensor<2x3x7xf32>) -> tensor<6x7xf32>
  %4 = xla.gather %x, %j {offset_dims = [0, 3], collapsed_slice_dims = [], start_index_map = [1], index_vector_dim = 2, slice_sizes = [1, 1]} : (tensor<5x7xf32>, tensor<2x3x1xi32>) -> tensor<1x2x3x1xf32>
  %5 = xla.reshape %4 : (tensor<1x2x3x1xf32>) -> tensor<2x3xf32>
  return %1, %3, %5 : tensor<5xf32>, tensor<6x7xf32>, tensor<2x3xf32>
}

// Dimensions that are merged; one that goes with a dimension of the operand; what others use.
// CHECK-LABEL: @reshape_gather_not(
// CHECK-COUNT-3: xla.reshape %{{[0-9]+}}
func.func @reshape_gather_not(%x: tensor<1x7xf32>, %i: tensor<1x3x1xi32>, %j: tensor<2x3x1xi32>) -> (tensor<3xf32>, tensor<6xf32>, tensor<3xf32>, tensor<1x3xf32>) {
  %0 = xla.gather %x, %i {offset_dims = [], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2, slice_sizes = [1, 1]} : (tensor<1x7xf32>, tensor<1x3x1xi32>) -> tensor<1x3xf32>
  %1 = xla.reshape %0 : (tensor<1x3xf32>) -> tensor<3xf32>
  %2 = xla.gather %x, %j {offset_dims = [], collapsed_slice_dims = [0, 1], start_index_map = [1], index_vector_dim = 2, slice_sizes = [1, 1]} : (tensor<1x7xf32>, tensor<2x3x1xi32>) -> tensor<2x3xf32>
  %3 = xla.reshape %2 : (tensor<2x3xf32>) -> tensor<6xf32>
  %4 = xla.gather %x, %i {offset_dims = [], collapsed_slice_dims = [0, 1], start_index_map = [1], index_vector_dim = 2, slice_sizes = [1, 1]} : (tensor<1x7xf32>, tensor<1x3x1xi32>) -> tensor<1x3xf32>
  %5 = xla.reshape %4 : (tensor<1x3xf32>) -> tensor<3xf32>
  return %1, %3, %5, %4 : tensor<3xf32>, tensor<6xf32>, tensor<3xf32>, tensor<1x3xf32>
}

// transpose(concatenate(x, y, ..)) = concatenate(reshape(x), reshape(y), ..)
// if once: a cross product of vectors.
// CHECK-LABEL: @transpose_concatenate(
// CHECK-NEXT: %[[A:.*]] = xla.reshape %arg0 : (tensor<1x5xf32>) -> tensor<5x1xf32>
// CHECK-NEXT: %[[B:.*]] = xla.reshape %arg1 : (tensor<1x5xf32>) -> tensor<5x1xf32>
// CHECK-NOT: transpose
func.func @transpose_concatenate(%x: tensor<1x5xf32>, %y: tensor<1x5xf32>, %z: tensor<3x1x2xi32>, %w: tensor<3x1x4xi32>) -> (tensor<5x2xf32>, tensor<1x3x6xi32>) {
  %0 = xla.concatenate %x, %y {dimension = 0} : (tensor<1x5xf32>, tensor<1x5xf32>) -> tensor<2x5xf32>
  %1 = xla.transpose %0 {permutation = array<i64: 1, 0>} : (tensor<2x5xf32>) -> tensor<5x2xf32>
  %2 = xla.concatenate %z, %w {dimension = 2} : (tensor<3x1x2xi32>, tensor<3x1x4xi32>) -> tensor<3x1x6xi32>
  %3 = xla.transpose %2 {permutation = array<i64: 1, 0, 2>} : (tensor<3x1x6xi32>) -> tensor<1x3x6xi32>
  return %1, %3 : tensor<5x2xf32>, tensor<1x3x6xi32>
}

// Rows of two would have to be turned; and what others read stays.
// CHECK-LABEL: @transpose_concatenate_not(
// CHECK: xla.transpose
// CHECK: xla.transpose
func.func @transpose_concatenate_not(%x: tensor<2x5xf32>, %y: tensor<1x5xf32>) -> (tensor<5x3xf32>, tensor<2x5xf32>, tensor<5x2xf32>) {
  %0 = xla.concatenate %x, %y {dimension = 0} : (tensor<2x5xf32>, tensor<1x5xf32>) -> tensor<3x5xf32>
  %1 = xla.transpose %0 {permutation = array<i64: 1, 0>} : (tensor<3x5xf32>) -> tensor<5x3xf32>
  %2 = xla.concatenate %y, %y {dimension = 0} : (tensor<1x5xf32>, tensor<1x5xf32>) -> tensor<2x5xf32>
  %3 = xla.transpose %2 {permutation = array<i64: 1, 0>} : (tensor<2x5xf32>) -> tensor<5x2xf32>
  return %1, %2, %3 : tensor<5x3xf32>, tensor<2x5xf32>, tensor<5x2xf32>
}
