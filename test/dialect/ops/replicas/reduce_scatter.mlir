// Specification 000, ReduceScatter.
// RUN: xla-opt %s --split-input-file --verify-diagnostics | xla-opt --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @forms
// CHECK: scatter_dimension = 0 : i64, shard_count = 2 : i64} : (tensor<2xf32>) -> tensor<1xf32>
// CHECK: replica_groups = {{\[}}[0, 2], [1, 3]], scatter_dimension = 0 : i64} : (tensor<2xf32>) -> tensor<1xf32>
// CHECK: scatter_dimension = 0 : i64} : (tuple<tensor<2xf32>, tensor<4x3xf32>>) -> tuple<tensor<1xf32>, tensor<2x3xf32>>
// CHECK: : (tensor<2xf32>, tensor<4x3xf32>) -> (tensor<1xf32>, tensor<2x3xf32>)
func.func @forms(%x: tensor<2xf32>, %y: tensor<4x3xf32>, %t: tuple<tensor<2xf32>, tensor<4x3xf32>>) {
  %0 = xla.reduce_scatter(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {scatter_dimension = 0, shard_count = 2} : (tensor<2xf32>) -> tensor<1xf32>
  %1 = xla.reduce_scatter(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {scatter_dimension = 0, replica_groups = [[0, 2], [1, 3]]} : (tensor<2xf32>) -> tensor<1xf32>
  %2 = xla.reduce_scatter(%t) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {scatter_dimension = 0} : (tuple<tensor<2xf32>, tensor<4x3xf32>>) -> tuple<tensor<1xf32>, tensor<2x3xf32>>
  %3:2 = xla.reduce_scatter(%x, %y) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {scatter_dimension = 0, channel_id = 1, use_global_device_ids = true} : (tensor<2xf32>, tensor<4x3xf32>) -> (tensor<1xf32>, tensor<2x3xf32>)
  return
}

// -----

func.func @c1(%x: tensor<2xf32>) {
  // expected-error @+1 {{dimension 0 of tensor<2xf32> cannot be split into 3 parts [reduce_scatter_c1]}}
  %0 = xla.reduce_scatter(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {scatter_dimension = 0, shard_count = 3} : (tensor<2xf32>) -> tensor<1xf32>
  return
}

// -----

func.func @c2(%x: tensor<2xf32>) {
  // expected-error @+1 {{scatter_dimension is 1, the operand is tensor<2xf32>, of rank 1 [reduce_scatter_c2]}}
  %0 = xla.reduce_scatter(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {scatter_dimension = 1} : (tensor<2xf32>) -> tensor<1xf32>
  return
}

// -----

func.func @c3(%x: tensor<2xf32>) {
  // expected-error @+1 {{replica_groups has 0 twice [reduce_scatter_c3]}}
  %0 = xla.reduce_scatter(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {scatter_dimension = 0, replica_groups = [[0, 0]]} : (tensor<2xf32>) -> tensor<1xf32>
  return
}

// -----

func.func @c5(%x: tensor<2xf32>) {
  // expected-error @+1 {{replica_groups has 2, and 2 numbers in all [reduce_scatter_c5]}}
  %0 = xla.reduce_scatter(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {scatter_dimension = 0, replica_groups = [[0, 2]]} : (tensor<2xf32>) -> tensor<1xf32>
  return
}

// -----

func.func @c6(%x: tensor<2xf32>) {
  // expected-error @+1 {{use_global_device_ids needs a channel_id above 0, which is 0 [reduce_scatter_c6]}}
  %0 = xla.reduce_scatter(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {scatter_dimension = 0, use_global_device_ids = true} : (tensor<2xf32>) -> tensor<1xf32>
  return
}

// -----

func.func @c7(%x: tensor<2xi8>) {
  // expected-error @+1 {{an operand is tensor<2xi8>, whose elements cannot be combined as f32 [reduce_scatter_c7]}}
  %0 = xla.reduce_scatter(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {scatter_dimension = 0} : (tensor<2xi8>) -> tensor<1xf32>
  return
}

// -----

func.func @c8(%x: tensor<2xf32>) {
  // expected-error @+1 {{result 0 is stated as tensor<2xf32>, but is tensor<1xf32> [result]}}
  %0 = xla.reduce_scatter(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {scatter_dimension = 0, shard_count = 2} : tensor<2xf32>
  return
}

// -----

func.func @c10(%x: tensor<2xf32>) {
  // expected-error @+1 {{shard_count is 2, the groups have 1 numbers each [reduce_scatter_c10]}}
  %0 = xla.reduce_scatter(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {scatter_dimension = 0, shard_count = 2, replica_groups = [[0], [1]]} : (tensor<2xf32>) -> tensor<1xf32>
  return
}

// -----

func.func @c10_sizes(%x: tensor<2xf32>) {
  // expected-error @+1 {{group 0 has 1 numbers, group 1 2 [reduce_scatter_c10]}}
  %0 = xla.reduce_scatter(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {scatter_dimension = 0, replica_groups = [[0], [1, 2]]} : (tensor<2xf32>) -> tensor<1xf32>
  return
}
