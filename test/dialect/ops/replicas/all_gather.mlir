// Specification 000, AllGather.
// RUN: xla-opt %s --split-input-file --verify-diagnostics | xla-opt --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @forms
// CHECK: xla.all_gather %arg0 {all_gather_dim = 0 : i64} : (tensor<2xf32>) -> tensor<4xf32>
// CHECK: xla.all_gather %arg0 {all_gather_dim = 0 : i64, shard_count = 3 : i64} : (tensor<2xf32>) -> tensor<6xf32>
// CHECK: xla.all_gather %arg0 {all_gather_dim = 0 : i64, replica_groups = {{\[}}[0, 2], [1, 3]]} : (tensor<2xf32>) -> tensor<4xf32>
// CHECK: xla.all_gather %arg0 {all_gather_dim = 0 : i64, channel_id = 1 : i64, replica_groups = dense<{{\[\[}}0, 1]]> : tensor<1x2xi64>, use_global_device_ids = true} : (tensor<2xf32>) -> tensor<4xf32>
// CHECK: xla.all_gather %arg0, %arg1 {all_gather_dim = 0 : i64, channel_id = 1 : i64, replica_groups = {{\[}}[0]]} : (tensor<2xf32>, tensor<3x1xi8>) -> (tensor<4xf32>, tensor<6x1xi8>)
func.func @forms(%x: tensor<2xf32>, %y: tensor<3x1xi8>) {
  %0 = xla.all_gather %x {all_gather_dim = 0} : (tensor<2xf32>) -> tensor<4xf32>
  %1 = xla.all_gather %x {all_gather_dim = 0, shard_count = 3} : (tensor<2xf32>) -> tensor<6xf32>
  %2 = xla.all_gather %x {all_gather_dim = 0, replica_groups = [[0, 2], [1, 3]]} : (tensor<2xf32>) -> tensor<4xf32>
  %3 = "xla.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_id = 1 : i64, use_global_device_ids = true}> : (tensor<2xf32>) -> tensor<4xf32>
  // The partitions of one replica.
  %4:2 = xla.all_gather %x, %y {all_gather_dim = 0, replica_groups = [[0]], channel_id = 1} : (tensor<2xf32>, tensor<3x1xi8>) -> (tensor<4xf32>, tensor<6x1xi8>)
  return
}

// -----

// Empty arrays, and one replica.
// CHECK-LABEL: func.func @edges
func.func @edges(%x: tensor<0x3xi1>, %y: tensor<1xcomplex<f32>>) {
  %0 = xla.all_gather %x {all_gather_dim = 0} : (tensor<0x3xi1>) -> tensor<0x3xi1>
  %1 = xla.all_gather %x {all_gather_dim = 1, shard_count = 2} : (tensor<0x3xi1>) -> tensor<0x6xi1>
  %2 = xla.all_gather %y {all_gather_dim = 0, replica_groups = [[]]} : (tensor<1xcomplex<f32>>) -> tensor<1xcomplex<f32>>
  return
}

// -----

func.func @c1(%x: tensor<2xf32>) {
  // expected-error @+1 {{all_gather_dim is 1, the operand is tensor<2xf32>, of rank 1 [all_gather_c1]}}
  %0 = xla.all_gather %x {all_gather_dim = 1} : (tensor<2xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @c1_scalar(%x: tensor<f32>) {
  // expected-error @+1 {{all_gather_dim is 0, the operand is tensor<f32>, of rank 0 [all_gather_c1]}}
  %0 = xla.all_gather %x {all_gather_dim = 0} : tensor<f32>
  return
}

// -----

func.func @c1_negative(%x: tensor<2xf32>) {
  // expected-error @+1 {{all_gather_dim is -1, the operand is tensor<2xf32>, of rank 1 [all_gather_c1]}}
  %0 = xla.all_gather %x {all_gather_dim = -1} : (tensor<2xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @c2(%x: tensor<2xf32>) {
  // expected-error @+1 {{replica_groups has 1 twice [all_gather_c2]}}
  %0 = xla.all_gather %x {all_gather_dim = 0, replica_groups = [[0, 1], [1, 3]]} : (tensor<2xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @c4(%x: tensor<2xf32>) {
  // expected-error @+1 {{replica_groups has 4, and 4 numbers in all [all_gather_c4]}}
  %0 = xla.all_gather %x {all_gather_dim = 0, replica_groups = [[0, 1], [4, 3]]} : (tensor<2xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @c4_negative(%x: tensor<2xf32>) {
  // expected-error @+1 {{replica_groups has -2, which is negative [all_gather_c4]}}
  %0 = xla.all_gather %x {all_gather_dim = 0, replica_groups = [[0, -2]]} : (tensor<2xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @c5(%x: tensor<2xf32>) {
  // expected-error @+1 {{use_global_device_ids needs a channel_id above 0, which is 0 [all_gather_c5]}}
  %0 = xla.all_gather %x {all_gather_dim = 0, replica_groups = [[0, 1]], use_global_device_ids = true} : (tensor<2xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @c6(%x: tensor<2xf32>) {
  // expected-error @+1 {{result 0 is stated as tensor<6xf32>, but is tensor<4xf32> [result]}}
  %0 = xla.all_gather %x {all_gather_dim = 0, replica_groups = [[0, 1]]} : (tensor<2xf32>) -> tensor<6xf32>
  return
}

// -----

func.func @c6_multiple(%x: tensor<2xf32>) {
  // expected-error @+1 {{result 0 is stated as tensor<5xf32>, but is tensor<2xf32> [result]}}
  %0 = xla.all_gather %x {all_gather_dim = 0} : (tensor<2xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @c7(%x: tensor<2xf32>) {
  // expected-error @+1 {{group 0 has 2 numbers, group 1 1 [all_gather_c7]}}
  %0 = xla.all_gather %x {all_gather_dim = 0, replica_groups = [[0, 1], [2]]} : (tensor<2xf32>) -> tensor<4xf32>
  return
}

// -----

// The same with a row that is filled up.
func.func @c7_padded(%x: tensor<2xf32>) {
  // expected-error @+1 {{group 0 has 2 numbers, group 1 1 [all_gather_c7]}}
  %0 = xla.all_gather %x {all_gather_dim = 0, replica_groups = dense<[[0, 1], [2, -1]]> : tensor<2x2xi64>} : (tensor<2xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @c7_shards(%x: tensor<2xf32>) {
  // expected-error @+1 {{shard_count is 3, the groups have 2 numbers each [all_gather_c7]}}
  %0 = xla.all_gather %x {all_gather_dim = 0, shard_count = 3, replica_groups = [[0, 1]]} : (tensor<2xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @c7_zero(%x: tensor<2xf32>) {
  // expected-error @+1 {{shard_count is 0, must be positive [all_gather_c7]}}
  %0 = xla.all_gather %x {all_gather_dim = 0, shard_count = 0} : (tensor<2xf32>) -> tensor<0xf32>
  return
}

// -----

func.func @too_large(%x: tensor<4611686018427387904xi8>) {
  // expected-error @+1 {{larger than 2^62 bytes}}
  %0 = xla.all_gather %x {all_gather_dim = 0, shard_count = 2} : (tensor<4611686018427387904xi8>) -> tensor<1xi8>
  return
}

// -----

func.func @tuple(%x: tuple<tensor<2xf32>>) {
  // expected-error @+1 {{operand 0, tuple<tensor<2xf32>>, is not a ranked tensor}}
  %0 = xla.all_gather %x {all_gather_dim = 0} : tuple<tensor<2xf32>>
  return
}

// -----

func.func @groups(%x: tensor<2xf32>) {
  // expected-error @+1 {{attribute 'replica_groups' must be lists of integers, [[..], ..] or a dense matrix [attribute]}}
  %0 = xla.all_gather %x {all_gather_dim = 0, replica_groups = [0, 1]} : (tensor<2xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @groups_large(%x: tensor<2xf32>) {
  // expected-error @+1 {{attribute 'replica_groups' must be lists of integers, [[..], ..] or a dense matrix [attribute]}}
  %0 = xla.all_gather %x {all_gather_dim = 0, replica_groups = dense<0> : tensor<1000000000x1000xi64>} : (tensor<2xf32>) -> tensor<4xf32>
  return
}
