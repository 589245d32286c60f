// Scatters whose windows threads apply at once.
// REQUIRES: vulkan
// RUN: xla-opt %s --split-input-file --xla-attach-target="device=rdna2" --xla-vulkan-pipeline=to=prepared | FileCheck %s --check-prefix=PREPARED
// RUN: xla-opt %s --split-input-file --xla-attach-target="device=rdna2" --xla-vulkan-pipeline=to=linalg | FileCheck %s --check-prefix=LINALG

// Windows that are apart: all elements at once.
// LINALG: xla.kind = "scatter"
// LINALG: scf.for
// LINALG: scf.for
// LINALG: scf.if
// LINALG: memref.store
// PREPARED: xla.scatter
// PREPARED-NOT: xla.sort
// PREPARED: return
func.func @main(%x: tensor<3x2xi32>, %i: tensor<4xi32>, %u: tensor<4x2xi32>) -> tensor<3x2xi32> {
  %0 = xla.scatter(%x, %i, %u) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = xla.add %a, %b : tensor<i32>
    xla.return %s : tensor<i32>
  }) {update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1, unique_indices = true} : (tensor<3x2xi32>, tensor<4xi32>, tensor<4x2xi32>) -> tensor<3x2xi32>
  return %0 : tensor<3x2xi32>
}

// -----

// Few windows: columns at once, windows in order.
// LINALG: xla.kind = "scatter"
// LINALG: scf.for
// LINALG: scf.for
// LINALG: memref.store
// LINALG: } {xla.in_order}
// PREPARED: xla.scatter
// PREPARED-NOT: xla.sort
// PREPARED: return
func.func @main(%x: tensor<3x2xi32>, %i: tensor<4xi32>, %u: tensor<4x2xi32>) -> tensor<3x2xi32> {
  %0 = xla.scatter(%x, %i, %u) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = xla.add %a, %b : tensor<i32>
    xla.return %s : tensor<i32>
  }) {update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<3x2xi32>, tensor<4xi32>, tensor<4x2xi32>) -> tensor<3x2xi32>
  return %0 : tensor<3x2xi32>
}

// -----

// Many: their places are sorted, with the numbers of their updates in one word.
// LINALG: xla.kind = "sort"
// LINALG: xla.kind = "scatter"
// LINALG: %[[ENDS:.*]] = memref.alloc() : memref<400xi32>
// LINALG: scf.for {{.*}} iter_args
// LINALG: memref.store %{{.*}}, %[[ENDS]]
// LINALG: memref.load %[[ENDS]]
// LINALG: scf.for {{.*}} iter_args
// LINALG: memref.store %{{.*}} : memref<30x2xi32>
// PREPARED: xla.sort
// PREPARED: xla.gather
// PREPARED: xla.scatter
// PREPARED: indices_are_sorted = true
func.func @main(%x: tensor<30x2xi32>, %i: tensor<400xi32>, %u: tensor<400x2xi32>) -> tensor<30x2xi32> {
  %0 = xla.scatter(%x, %i, %u) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = xla.add %a, %b : tensor<i32>
    xla.return %s : tensor<i32>
  }) {update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<30x2xi32>, tensor<400xi32>, tensor<400x2xi32>) -> tensor<30x2xi32>
  return %0 : tensor<30x2xi32>
}

// -----

// Windows that meet within an element's distance become elements.
// PREPARED: xla.sort{{.*}}
// PREPARED: is_stable = true} : tensor<12xi32>
// PREPARED: %[[PLACE:.*]] = xla.shift_right_logical
// PREPARED: %[[UPDATE:.*]] = xla.and
// PREPARED: xla.gather %{{.*}}, %[[UPDATE]]
// PREPARED: xla.scatter(%{{.*}}, %[[PLACE]],
func.func @main(%x: tensor<30xi32>, %i: tensor<4xi32>, %u: tensor<4x3xi32>) -> tensor<30xi32> {
  %0 = xla.scatter(%x, %i, %u) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = xla.add %a, %b : tensor<i32>
    xla.return %s : tensor<i32>
  }) {update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<30xi32>, tensor<4xi32>, tensor<4x3xi32>) -> tensor<30xi32>
  return %0 : tensor<30xi32>
}
