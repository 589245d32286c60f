// Specification 000, CollectivePermute.
// RUN: xla-opt %s --split-input-file --verify-diagnostics | xla-opt --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @forms
// CHECK: xla.collective_permute %arg0 {source_target_pairs = {{\[}}[0, 1], [1, 2]]} : tensor<2xf32>
// CHECK: channel_id = 1 : i64, source_target_pairs = dense<0> : tensor<1x2xi64>
// CHECK: source_target_pairs = []
func.func @forms(%x: tensor<2xf32>) {
  %0 = xla.collective_permute %x {source_target_pairs = [[0, 1], [1, 2]]} : tensor<2xf32>
  %1 = xla.collective_permute %x {source_target_pairs = dense<[[0, 0]]> : tensor<1x2xi64>, channel_id = 1} : tensor<2xf32>
  %2 = xla.collective_permute %x {source_target_pairs = []} : tensor<2xf32>
  return
}

// -----

func.func @c1(%x: tensor<2xf32>) {
  // expected-error @+1 {{entry 1 of source_target_pairs has 3 numbers, must have a source and a target [collective_permute_c1]}}
  %0 = xla.collective_permute %x {source_target_pairs = [[0, 1], [1, 2, 3]]} : tensor<2xf32>
  return
}

// -----

func.func @c2(%x: tensor<2xf32>) {
  // expected-error @+1 {{the sources of source_target_pairs has 0 twice [collective_permute_c2]}}
  %0 = xla.collective_permute %x {source_target_pairs = [[0, 1], [0, 2]]} : tensor<2xf32>
  return
}

// -----

func.func @c3(%x: tensor<2xf32>) {
  // expected-error @+1 {{the targets of source_target_pairs has 2 twice [collective_permute_c3]}}
  %0 = xla.collective_permute %x {source_target_pairs = [[0, 2], [1, 2]]} : tensor<2xf32>
  return
}

// -----

func.func @c4(%x: tensor<2xf32>) {
  // expected-error @+1 {{source_target_pairs has -1, which is negative [collective_permute_c4]}}
  %0 = xla.collective_permute %x {source_target_pairs = [[-1, 2]]} : tensor<2xf32>
  return
}

// -----

func.func @c5(%x: tensor<2xf32>) {
  // expected-error @+1 {{result 0 is stated as tensor<2xf64>, but is tensor<2xf32> [result]}}
  %0 = xla.collective_permute %x {source_target_pairs = [[0, 2]]} : (tensor<2xf32>) -> tensor<2xf64>
  return
}

// -----

func.func @pairs(%x: tensor<2xf32>) {
  // expected-error @+1 {{requires the attribute 'source_target_pairs' [attribute]}}
  %0 = xla.collective_permute %x : tensor<2xf32>
  return
}
