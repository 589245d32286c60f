// Specification 000 and 002, CrossReplicaSum.
// RUN: xla-opt %s --split-input-file --verify-diagnostics | xla-opt --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @forms
// CHECK: xla.cross_replica_sum %arg0 : tensor<2xf32>
// CHECK: xla.cross_replica_sum %arg0, %arg1 {replica_groups = {{\[}}[0], [1]]} : (tensor<2xf32>, tensor<i1>) -> (tensor<2xf32>, tensor<i1>)
// CHECK: xla.cross_replica_sum %arg2 : tuple<tensor<2xf32>, tensor<i8>>
func.func @forms(%x: tensor<2xf32>, %y: tensor<i1>, %t: tuple<tensor<2xf32>, tensor<i8>>) {
  %0 = xla.cross_replica_sum %x : tensor<2xf32>
  %1:2 = xla.cross_replica_sum %x, %y {replica_groups = [[0], [1]]} : (tensor<2xf32>, tensor<i1>) -> (tensor<2xf32>, tensor<i1>)
  %2 = xla.cross_replica_sum %t : tuple<tensor<2xf32>, tensor<i8>>
  return
}

// -----

func.func @c1(%x: tensor<2xf32>) {
  // expected-error @+1 {{replica_groups has 1 twice [cross_replica_sum_c1]}}
  %0 = xla.cross_replica_sum %x {replica_groups = [[1, 0], [1]]} : tensor<2xf32>
  return
}

// -----

func.func @c3(%x: tensor<2xf32>) {
  // expected-error @+1 {{replica_groups has 1, and 1 numbers in all [cross_replica_sum_c3]}}
  %0 = xla.cross_replica_sum %x {replica_groups = [[1]]} : tensor<2xf32>
  return
}

// -----

func.func @result(%x: tensor<2xf32>) {
  // expected-error @+1 {{result 0 is stated as tensor<f32>, but is tensor<2xf32> [result]}}
  %0 = xla.cross_replica_sum %x : (tensor<2xf32>) -> tensor<f32>
  return
}
