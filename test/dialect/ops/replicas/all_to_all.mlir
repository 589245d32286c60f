// Specification 000, AllToAll: the printed example holds, where the prose has the dimensions the other way round.
// RUN: xla-opt %s --split-input-file --verify-diagnostics | xla-opt --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @forms
// CHECK: xla.all_to_all %arg0 {concat_dimension = 0 : i64, split_count = 4 : i64, split_dimension = 1 : i64} : (tensor<4x16xf32>) -> tensor<16x4xf32>
// CHECK: replica_groups = {{\[}}[1, 2, 3], [4, 5, 0]], split_count = 3 : i64
// CHECK: xla.all_to_all %arg1 {{.*}} : tensor<6x2xf32>
// CHECK: xla.all_to_all %arg0, %arg1
func.func @forms(%x: tensor<4x16xf32>, %y: tensor<6x2xf32>) {
  %0 = xla.all_to_all %x {split_dimension = 1, concat_dimension = 0, split_count = 4} : (tensor<4x16xf32>) -> tensor<16x4xf32>
  %1 = xla.all_to_all %y {split_dimension = 0, concat_dimension = 1, split_count = 3, replica_groups = [[1, 2, 3], [4, 5, 0]]} : (tensor<6x2xf32>) -> tensor<2x6xf32>
  // Along one dimension the shape stays.
  %2 = xla.all_to_all %y {split_dimension = 0, concat_dimension = 0, split_count = 3, channel_id = 1} : tensor<6x2xf32>
  %3:2 = xla.all_to_all %x, %y {split_dimension = 1, concat_dimension = 0, split_count = 2} : (tensor<4x16xf32>, tensor<6x2xf32>) -> (tensor<8x8xf32>, tensor<12x1xf32>)
  return
}

// -----

// CHECK-LABEL: func.func @empty
func.func @empty(%x: tensor<0x1xi1>) {
  %0 = xla.all_to_all %x {split_dimension = 0, concat_dimension = 1, split_count = 4} : (tensor<0x1xi1>) -> tensor<0x4xi1>
  return
}

// -----

func.func @c1(%x: tensor<4x16xf32>) {
  // expected-error @+1 {{split_dimension is 2, the operand is tensor<4x16xf32>, of rank 2 [all_to_all_c1]}}
  %0 = xla.all_to_all %x {split_dimension = 2, concat_dimension = 0, split_count = 4} : (tensor<4x16xf32>) -> tensor<16x4xf32>
  return
}

// -----

func.func @c2(%x: tensor<4x16xf32>) {
  // expected-error @+1 {{dimension 1 of tensor<4x16xf32> cannot be split into 3 parts [all_to_all_c2]}}
  %0 = xla.all_to_all %x {split_dimension = 1, concat_dimension = 0, split_count = 3} : (tensor<4x16xf32>) -> tensor<12x5xf32>
  return
}

// -----

func.func @c3(%x: tensor<4x16xf32>) {
  // expected-error @+1 {{concat_dimension is -1, the operand is tensor<4x16xf32>, of rank 2 [all_to_all_c3]}}
  %0 = xla.all_to_all %x {split_dimension = 1, concat_dimension = -1, split_count = 4} : (tensor<4x16xf32>) -> tensor<16x4xf32>
  return
}

// -----

func.func @c4(%x: tensor<4x16xf32>) {
  // expected-error @+1 {{split_count is 0, must be positive [all_to_all_c4]}}
  %0 = xla.all_to_all %x {split_dimension = 1, concat_dimension = 0, split_count = 0} : (tensor<4x16xf32>) -> tensor<16x4xf32>
  return
}

// -----

func.func @c5(%x: tensor<4x16xf32>) {
  // expected-error @+1 {{replica_groups has 2 twice [all_to_all_c5]}}
  %0 = xla.all_to_all %x {split_dimension = 1, concat_dimension = 0, split_count = 4, replica_groups = [[2, 1, 2, 0]]} : (tensor<4x16xf32>) -> tensor<16x4xf32>
  return
}

// -----

func.func @c7(%x: tensor<4x16xf32>) {
  // expected-error @+1 {{replica_groups has 5, and 4 numbers in all [all_to_all_c7]}}
  %0 = xla.all_to_all %x {split_dimension = 1, concat_dimension = 0, split_count = 4, replica_groups = [[0, 1, 2, 5]]} : (tensor<4x16xf32>) -> tensor<16x4xf32>
  return
}

// -----

func.func @c8(%x: tensor<4x16xf32>) {
  // expected-error @+1 {{split_count is 4, the groups have 2 numbers each [all_to_all_c8]}}
  %0 = xla.all_to_all %x {split_dimension = 1, concat_dimension = 0, split_count = 4, replica_groups = [[0, 1], [2, 3]]} : (tensor<4x16xf32>) -> tensor<16x4xf32>
  return
}

// -----

func.func @c9(%x: tensor<4x16xf32>) {
  // expected-error @+1 {{result 0 is stated as tensor<4x16xf32>, but is tensor<16x4xf32> [result]}}
  %0 = xla.all_to_all %x {split_dimension = 1, concat_dimension = 0, split_count = 4} : tensor<4x16xf32>
  return
}

// -----

func.func @tuple(%x: tuple<tensor<4x16xf32>>) {
  // expected-error @+1 {{operand 0, tuple<tensor<4x16xf32>>, is not a ranked tensor}}
  %0 = xla.all_to_all %x {split_dimension = 1, concat_dimension = 0, split_count = 4} : tuple<tensor<4x16xf32>>
  return
}
