// A gather becomes part of the loop that uses its result; its operand and its indices come from memory.
// RUN: xla-opt %s --xla-fuse | FileCheck %s

// CHECK-LABEL: @joins
// CHECK: %[[T:.*]] = xla.tanh %arg0
// CHECK: xla.fusion(%[[T]], %arg1, %arg2) ({
// CHECK-NEXT: ^bb0(%[[X:.*]]: tensor<50x4xf32>, %[[I:.*]]: tensor<9xi32>, %[[B:.*]]: tensor<9x4xf32>):
// CHECK-NEXT: %[[G:.*]] = xla.gather %[[X]], %[[I]]
// CHECK-NEXT: xla.add %[[G]], %[[B]]
// CHECK: }) {kind = "loop"}
func.func @joins(%x: tensor<50x4xf32>, %i: tensor<9xi32>, %b: tensor<9x4xf32>) -> tensor<9x4xf32> {
  %t = xla.tanh %x : tensor<50x4xf32>
  %0 = xla.gather %t, %i {offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1, slice_sizes = [1, 4]} : (tensor<50x4xf32>, tensor<9xi32>) -> tensor<9x4xf32>
  %1 = xla.add %0, %b : tensor<9x4xf32>
  return %1 : tensor<9x4xf32>
}

// What is costly is faster in vectors; a transpose has schedules of its own; a result that others use too is not computed again. A
// reduction reads what is gathered once.
// CHECK-LABEL: @stays
// CHECK-COUNT-1: kind = "reduce"
// CHECK-NOT: xla.fusion
// CHECK: return
func.func @stays(%x: tensor<50x4xf32>, %i: tensor<4xi32>, %z: tensor<f32>) -> (tensor<4x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
  %0 = xla.gather %x, %i {offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1, slice_sizes = [1, 4]} : (tensor<50x4xf32>, tensor<4xi32>) -> tensor<4x4xf32>
  %1 = xla.tanh %0 : tensor<4x4xf32>
  %2 = xla.gather %x, %i {offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1, slice_sizes = [1, 4]} : (tensor<50x4xf32>, tensor<4xi32>) -> tensor<4x4xf32>
  %3 = xla.reduce(%2, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimensions = [1]} : (tensor<4x4xf32>, tensor<f32>) -> tensor<4xf32>
  %4 = xla.gather %x, %i {offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1, slice_sizes = [1, 4]} : (tensor<50x4xf32>, tensor<4xi32>) -> tensor<4x4xf32>
  %5 = xla.transpose %4 {permutation = [1, 0]} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %1, %3, %5, %0 : tensor<4x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
}

// Coordinates that are put side by side are read where they are, one at a time.
// CHECK-LABEL: @coordinates
// CHECK: xla.fusion(
// CHECK: %[[C:.*]] = xla.concatenate
// CHECK: xla.gather {{.*}}, %[[C]]
// CHECK: xla.add
// CHECK-NOT: xla.concatenate
// CHECK: return
func.func @coordinates(%x: tensor<50x40xf32>, %i: tensor<9x1xi32>, %j: tensor<9x1xi32>, %b: tensor<9xf32>) -> tensor<9xf32> {
  %0 = xla.concatenate %i, %j {dimension = 1} : (tensor<9x1xi32>, tensor<9x1xi32>) -> tensor<9x2xi32>
  %1 = xla.gather %x, %0 {collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1, slice_sizes = [1, 1]} : (tensor<50x40xf32>, tensor<9x2xi32>) -> tensor<9xf32>
  %2 = xla.add %1, %b : tensor<9xf32>
  return %2 : tensor<9xf32>
}

// Indices that come of iotas are computed where they are read, also as one of several coordinates. What is reduced comes from memory.
// CHECK-LABEL: @of_iotas
// CHECK-NOT: return
// CHECK: xla.fusion(%arg0, %arg1) ({
// CHECK: %[[R:.*]] = xla.iota
// CHECK: %[[C:.*]] = xla.iota
// CHECK: %[[I:.*]] = xla.add
// CHECK: xla.gather {{.*}}, %[[I]]
// CHECK-NEXT: xla.multiply
// CHECK: }) {kind = "loop"}
// CHECK-NOT: xla.iota
// CHECK: return
func.func @of_iotas(%x: tensor<340xf32>, %w: tensor<30x40xf32>) -> tensor<30x40xf32> {
  %r = xla.iota {iota_dimension = 0} : () -> tensor<30x40xi32>
  %c = xla.iota {iota_dimension = 1} : () -> tensor<30x40xi32>
  %ten = xla.constant dense<10> : tensor<30x40xi32>
  %0 = xla.multiply %r, %ten : tensor<30x40xi32>
  %1 = xla.add %0, %c : tensor<30x40xi32>
  %2 = xla.gather %x, %1 {collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2, slice_sizes = [1]} : (tensor<340xf32>, tensor<30x40xi32>) -> tensor<30x40xf32>
  %3 = xla.multiply %2, %w : tensor<30x40xf32>
  return %3 : tensor<30x40xf32>
}

// CHECK-LABEL: @of_iota_and_others
// CHECK: xla.fusion(
// CHECK: xla.iota
// CHECK: %[[C:.*]] = xla.concatenate
// CHECK: xla.gather {{.*}}, %[[C]]
// CHECK-NEXT: xla.add
// CHECK-NOT: xla.iota
// CHECK: return
func.func @of_iota_and_others(%x: tensor<50x40xf32>, %j: tensor<9x1xi32>, %b: tensor<9xf32>) -> tensor<9xf32> {
  %i = xla.iota {iota_dimension = 0} : () -> tensor<9x1xi32>
  %0 = xla.concatenate %i, %j {dimension = 1} : (tensor<9x1xi32>, tensor<9x1xi32>) -> tensor<9x2xi32>
  %1 = xla.gather %x, %0 {collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1, slice_sizes = [1, 1]} : (tensor<50x40xf32>, tensor<9x2xi32>) -> tensor<9xf32>
  %2 = xla.add %1, %b : tensor<9xf32>
  return %2 : tensor<9xf32>
}

// CHECK-LABEL: @of_iota_and_greatest
// CHECK: %[[M:.*]] = xla.reduce
// CHECK: %[[J:.*]] = xla.reshape %[[M]]
// CHECK: xla.fusion(%[[J]], %arg0, %arg1) ({
// CHECK: xla.iota
// CHECK: %[[C:.*]] = xla.concatenate
// CHECK: xla.gather {{.*}}, %[[C]]
// CHECK-NEXT: xla.add
// CHECK-NOT: xla.iota
// CHECK: return
func.func @of_iota_and_greatest(%x: tensor<50x40xf32>, %b: tensor<9xf32>, %k: tensor<9x40xi32>, %z: tensor<i32>) -> tensor<9xf32> {
  %i = xla.iota {iota_dimension = 0} : () -> tensor<9x1xi32>
  %m = xla.reduce(%k, %z) ({
  ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    %s = xla.maximum %p, %q : tensor<i32>
    xla.return %s : tensor<i32>
  }) {dimensions = [1]} : (tensor<9x40xi32>, tensor<i32>) -> tensor<9xi32>
  %j = xla.reshape %m : (tensor<9xi32>) -> tensor<9x1xi32>
  %0 = xla.concatenate %i, %j {dimension = 1} : (tensor<9x1xi32>, tensor<9x1xi32>) -> tensor<9x2xi32>
  %1 = xla.gather %x, %0 {collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1, slice_sizes = [1, 1]} : (tensor<50x40xf32>, tensor<9x2xi32>) -> tensor<9xf32>
  %2 = xla.add %1, %b : tensor<9xf32>
  return %2 : tensor<9xf32>
}
