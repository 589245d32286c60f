// Scatters of windows whose sizes a run tells, and at indices without coordinates, as in dynamic-sizes.mlir;
// ../vulkan/dynamic-sizes.test runs them on other devices.
// RUN: split-file %s %t
// RUN: %{python} %S/Inputs/sizes.py %xla-run %t/all.mlir cpu 6x5 | FileCheck %s
// CHECK: {{^}}6 functions agree
// RUN: not xla-run %t/errors.mlir --device=cpu --input=4xf32=1 --input=s32=3 --input=s32=2 2>&1 | FileCheck %t/errors.mlir --check-prefix=ERROR

//--- all.mlir
!m = tensor<?x?xf32, #xla.array<bounds = [6, 5]>>
!r = tensor<?xf32, #xla.array<bounds = [6]>>

func.func private @cut(%x: tensor<6x5xf32>, %n: tensor<i32>, %k: tensor<i32>) -> !m {
  %0 = xla.set_dimension_size %x, %n {dimension = 0} : (tensor<6x5xf32>, tensor<i32>) -> tensor<?x5xf32, #xla.array<bounds = [6, ?]>>
  %1 = xla.set_dimension_size %0, %k {dimension = 1} : (tensor<?x5xf32, #xla.array<bounds = [6, ?]>>, tensor<i32>) -> !m
  return %1 : !m
}

// Some windows lie inside at each size, others at small sizes only, one nowhere.
func.func @windows(%x: tensor<6x5xf32>, %n: tensor<i32>, %k: tensor<i32>) -> tensor<8x7xf32> {
  %0 = func.call @cut(%x, %n, %k) : (tensor<6x5xf32>, tensor<i32>, tensor<i32>) -> !m
  %1 = xla.broadcast_in_dim %0 {broadcast_dimensions = [1, 2]} : (!m) -> tensor<4x?x?xf32, #xla.array<bounds = [?, 6, 5]>>
  %i = xla.constant dense<[[0, 1], [2, 2], [5, 1], [-1, 0]]> : tensor<4x2xi32>
  %zero = xla.constant dense<1.0> : tensor<8x7xf32>
  %2 = xla.scatter(%zero, %i, %1) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %3 = xla.add %a, %b : tensor<f32>
    return %3 : tensor<f32>
  }) {update_window_dims = [1, 2], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1} : (tensor<8x7xf32>, tensor<4x2xi32>, tensor<4x?x?xf32, #xla.array<bounds = [?, 6, 5]>>) -> tensor<8x7xf32>
  return %2 : tensor<8x7xf32>
}

// The later of two updates of an element stays; windows are as large as the input, and so there at place 0 alone.
func.func @whole(%x: tensor<6x5xf32>, %n: tensor<i32>, %k: tensor<i32>) -> (!m, !m) {
  %0 = func.call @cut(%x, %n, %k) : (tensor<6x5xf32>, tensor<i32>, tensor<i32>) -> !m
  %1 = xla.broadcast_in_dim %0 {broadcast_dimensions = [0, 2]} : (!m) -> tensor<?x3x?xf32, #xla.array<bounds = [6, ?, 5]>>
  %s = xla.iota {iota_dimension = 1} : tensor<1x3x1xf32>
  %2 = xla.multiply %1, %s : (tensor<?x3x?xf32, #xla.array<bounds = [6, ?, 5]>>, tensor<1x3x1xf32>) -> tensor<?x3x?xf32, #xla.array<bounds = [6, ?, 5]>>
  %i = xla.constant dense<[[0], [0], [1]]> : tensor<3x1xui8>
  %3:2 = xla.scatter(%0, %0, %i, %2, %1) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
    %4 = xla.subtract %b, %d : tensor<f32>
    return %c, %4 : tensor<f32>, tensor<f32>
  }) {update_window_dims = [0, 2], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (!m, !m, tensor<3x1xui8>, tensor<?x3x?xf32, #xla.array<bounds = [6, ?, 5]>>, tensor<?x3x?xf32, #xla.array<bounds = [6, ?, 5]>>) -> (!m, !m)
  return %3#0, %3#1 : !m, !m
}

func.func @batches(%x: tensor<6x5xf32>, %n: tensor<i32>, %k: tensor<i32>) -> tensor<?x7xf32, #xla.array<bounds = [6, ?]>> {
  %0 = func.call @cut(%x, %n, %k) : (tensor<6x5xf32>, tensor<i32>, tensor<i32>) -> !m
  %i = xla.constant dense<[3, 0, 2, 1, 9, 2]> : tensor<6xi64>
  %m = xla.set_dimension_size %i, %n {dimension = 0} : (tensor<6xi64>, tensor<i32>) -> tensor<?xi64, #xla.array<bounds = [6]>>
  %y = xla.constant dense<2.0> : tensor<6x7xf32>
  %1 = xla.set_dimension_size %y, %n {dimension = 0} : (tensor<6x7xf32>, tensor<i32>) -> tensor<?x7xf32, #xla.array<bounds = [6, ?]>>
  %2 = xla.scatter(%1, %m, %0) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    return %b : tensor<f32>
  }) {update_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1, unique_indices = true} : (tensor<?x7xf32, #xla.array<bounds = [6, ?]>>, tensor<?xi64, #xla.array<bounds = [6]>>, !m) -> tensor<?x7xf32, #xla.array<bounds = [6, ?]>>
  return %2 : tensor<?x7xf32, #xla.array<bounds = [6, ?]>>
}

func.func @no_coordinates(%x: tensor<6x5xf32>, %n: tensor<i32>, %k: tensor<i32>) -> tensor<?xf32, #xla.array<bounds = [5]>> {
  %0 = func.call @cut(%x, %n, %k) : (tensor<6x5xf32>, tensor<i32>, tensor<i32>) -> !m
  %i = xla.constant dense<0> : tensor<6x0xi32>
  %m = xla.set_dimension_size %i, %n {dimension = 0} : (tensor<6x0xi32>, tensor<i32>) -> tensor<?x0xi32, #xla.array<bounds = [6, ?]>>
  %y = xla.constant dense<2.0> : tensor<5xf32>
  %1 = xla.set_dimension_size %y, %k {dimension = 0} : (tensor<5xf32>, tensor<i32>) -> tensor<?xf32, #xla.array<bounds = [5]>>
  %2 = xla.scatter(%1, %m, %0) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %3 = xla.add %a, %b : tensor<f32>
    return %3 : tensor<f32>
  }) {update_window_dims = [1], scatter_dims_to_operand_dims = [], index_vector_dim = 1} : (tensor<?xf32, #xla.array<bounds = [5]>>, tensor<?x0xi32, #xla.array<bounds = [6, ?]>>, !m) -> tensor<?xf32, #xla.array<bounds = [5]>>
  return %2 : tensor<?xf32, #xla.array<bounds = [5]>>
}

func.func @scalar(%x: tensor<6x5xf32>, %n: tensor<i32>, %k: tensor<i32>) -> tensor<f32> {
  %c = xla.slice %x {start_indices = [0, 0], limit_indices = [6, 1]} : (tensor<6x5xf32>) -> tensor<6x1xf32>
  %d = xla.reshape %c : (tensor<6x1xf32>) -> tensor<6xf32>
  %0 = xla.set_dimension_size %d, %n {dimension = 0} : (tensor<6xf32>, tensor<i32>) -> !r
  %i = xla.constant dense<0> : tensor<6x0xi32>
  %m = xla.set_dimension_size %i, %n {dimension = 0} : (tensor<6x0xi32>, tensor<i32>) -> tensor<?x0xi32, #xla.array<bounds = [6, ?]>>
  %y = xla.constant dense<2.0> : tensor<f32>
  %2 = xla.scatter(%y, %m, %0) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %3 = xla.add %a, %b : tensor<f32>
    return %3 : tensor<f32>
  }) {scatter_dims_to_operand_dims = [], index_vector_dim = 1} : (tensor<f32>, tensor<?x0xi32, #xla.array<bounds = [6, ?]>>, !r) -> tensor<f32>
  return %2 : tensor<f32>
}

// Sorted indices stay so beside what is not there.
func.func @sorted(%x: tensor<6x5xf32>, %n: tensor<i32>, %k: tensor<i32>) -> tensor<6x5xf32> {
  %i = xla.constant dense<[[0], [0], [1], [1], [4], [4]]> : tensor<6x1xi32>
  %m = xla.set_dimension_size %i, %n {dimension = 0} : (tensor<6x1xi32>, tensor<i32>) -> tensor<?x1xi32, #xla.array<bounds = [6, ?]>>
  %0 = xla.set_dimension_size %x, %n {dimension = 0} : (tensor<6x5xf32>, tensor<i32>) -> tensor<?x5xf32, #xla.array<bounds = [6, ?]>>
  %y = xla.iota {iota_dimension = 0} : tensor<6x5xf32>
  %1 = xla.scatter(%y, %m, %0) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %2 = xla.subtract %b, %a : tensor<f32>
    return %2 : tensor<f32>
  }) {update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1, indices_are_sorted = true} : (tensor<6x5xf32>, tensor<?x1xi32, #xla.array<bounds = [6, ?]>>, tensor<?x5xf32, #xla.array<bounds = [6, ?]>>) -> tensor<6x5xf32>
  return %1 : tensor<6x5xf32>
}

//--- errors.mlir
// ERROR: error: 'xla.scatter' op a window has 3 elements in dimension 0 of input 0, which has 2 [scatter_c4]
func.func @main(%x: tensor<4xf32>, %n: tensor<i32>, %k: tensor<i32>) -> tensor<?xf32, #xla.array<bounds = [4]>> {
  %0 = xla.set_dimension_size %x, %k {dimension = 0} : (tensor<4xf32>, tensor<i32>) -> tensor<?xf32, #xla.array<bounds = [4]>>
  %1 = xla.set_dimension_size %x, %n {dimension = 0} : (tensor<4xf32>, tensor<i32>) -> tensor<?xf32, #xla.array<bounds = [4]>>
  %i = xla.constant dense<0> : tensor<1xi32>
  %2 = xla.scatter(%0, %i, %1) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    return %b : tensor<f32>
  }) {update_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 0} : (tensor<?xf32, #xla.array<bounds = [4]>>, tensor<1xi32>, tensor<?xf32, #xla.array<bounds = [4]>>) -> tensor<?xf32, #xla.array<bounds = [4]>>
  return %2 : tensor<?xf32, #xla.array<bounds = [4]>>
}
