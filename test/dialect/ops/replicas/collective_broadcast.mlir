// Specification of StableHLO, collective_broadcast.
// RUN: xla-opt %s --split-input-file --verify-diagnostics | xla-opt --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @forms
// CHECK: xla.collective_broadcast %arg0 {replica_groups = {{\[}}[2, 0], [5]]} : tensor<2xf32>
// CHECK: channel_id = 3 : i64
func.func @forms(%x: tensor<2xf32>) {
  %0 = xla.collective_broadcast %x {replica_groups = [[2, 0], [5]]} : tensor<2xf32>
  %1 = xla.collective_broadcast %x {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_id = 3} : tensor<2xf32>
  return
}

// -----

func.func @c1(%x: tensor<2xf32>) {
  // expected-error @+1 {{replica_groups has 2 twice [collective_broadcast_c1]}}
  %0 = xla.collective_broadcast %x {replica_groups = [[2, 0], [2]]} : tensor<2xf32>
  return
}

// -----

func.func @c2(%x: tensor<2xf32>) {
  // expected-error @+1 {{replica_groups has -3, which is negative [collective_broadcast_c2]}}
  %0 = xla.collective_broadcast %x {replica_groups = [[-3]]} : tensor<2xf32>
  return
}

// -----

func.func @c3(%x: tensor<2xf32>) {
  // expected-error @+1 {{result 0 is stated as tensor<4xf32>, but is tensor<2xf32> [result]}}
  %0 = xla.collective_broadcast %x {replica_groups = [[0, 1]]} : (tensor<2xf32>) -> tensor<4xf32>
  return
}
