// In a program of one replica what goes between replicas stays where it is.
// RUN: xla-opt %s --split-input-file --xla-legalize --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK-NOT: xla.all_
// CHECK-NOT: xla.collective
// CHECK-NOT: _id
// CHECK: %[[W:.*]] = xla.convert %arg1 : (tensor<3xbf16>) -> tensor<3xf32>
// CHECK: return %arg0, %arg0, %arg0, %[[W]], %arg0, %arg0, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} :
func.func @main(%x: tensor<2xf32>, %h: tensor<3xbf16>) -> (tensor<2xf32>, tensor<2xf32>, tuple<tensor<2xf32>, tensor<3xf32>>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<ui32>, tensor<ui32>) {
  %0 = xla.all_gather %x {all_gather_dim = 0, replica_groups = [[0]]} : tensor<2xf32>
  %1 = xla.cross_replica_sum %x : tensor<2xf32>
  %t = xla.tuple %x, %h : (tensor<2xf32>, tensor<3xbf16>) -> tuple<tensor<2xf32>, tensor<3xbf16>>
  %2 = xla.all_reduce(%t) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) : (tuple<tensor<2xf32>, tensor<3xbf16>>) -> tuple<tensor<2xf32>, tensor<3xf32>>
  %3 = xla.all_to_all %x {split_dimension = 0, concat_dimension = 0, split_count = 1} : tensor<2xf32>
  %4 = xla.collective_permute %x {source_target_pairs = [[0, 0]]} : tensor<2xf32>
  %5 = xla.collective_permute %x {source_target_pairs = []} : tensor<2xf32>
  %6 = xla.collective_broadcast %x {replica_groups = []} : tensor<2xf32>
  %7 = xla.replica_id : () -> tensor<ui32>
  %8 = xla.partition_id : () -> tensor<ui32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8 : tensor<2xf32>, tensor<2xf32>, tuple<tensor<2xf32>, tensor<3xf32>>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<ui32>, tensor<ui32>
}

// -----

func.func @main(%x: tensor<2xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{makes tensor<4xf32> of tensor<2xf32>, but the group has 1 [all_gather_c6]}}
  %0 = xla.all_gather %x {all_gather_dim = 0} : (tensor<2xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{has 2 numbers in replica_groups, but the run has 1 replicas [cross_replica_sum_c2]}}
  %0 = xla.cross_replica_sum %x {replica_groups = [[0, 1]]} : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{has 1 in source_target_pairs, but the run has 1 replicas [collective_permute_c4]}}
  %0 = xla.collective_permute %x {source_target_pairs = [[0, 1]]} : tensor<2xf32>
  return %0 : tensor<2xf32>
}
