// Specification 000, Broadcast; StableHLO has it too.
// RUN: xla-opt %s --split-input-file --verify-diagnostics | xla-opt --split-input-file | FileCheck %s
// RUN: xla-opt %s --split-input-file --verify-diagnostics --canonicalize | FileCheck %s --check-prefix=FOLD
// RUN: xla-opt %s --split-input-file --verify-diagnostics --xla-legalize | FileCheck %s --check-prefix=LEGAL

// CHECK-LABEL: @main
// CHECK: xla.broadcast %arg0 {broadcast_sizes = [2, 3]} : (tensor<4xf32>) -> tensor<2x3x4xf32>
// CHECK: xla.broadcast %arg1 {broadcast_sizes = array<i64: 2, 0>} : (tensor<i1>) -> tensor<2x0xi1>
// CHECK: xla.broadcast %arg0 {broadcast_sizes = []} : tensor<4xf32>
// LEGAL-LABEL: @main
// LEGAL: xla.broadcast_in_dim %arg0 {broadcast_dimensions = array<i64: 2>} : (tensor<4xf32>) -> tensor<2x3x4xf32>
// LEGAL-NOT: xla.broadcast %
func.func @main(%x: tensor<4xf32>, %s: tensor<i1>) -> (tensor<2x3x4xf32>, tensor<2x0xi1>, tensor<4xf32>) {
  %0 = xla.broadcast %x {broadcast_sizes = [2, 3]} : (tensor<4xf32>) -> tensor<2x3x4xf32>
  %1 = "xla.broadcast"(%s) <{broadcast_sizes = array<i64: 2, 0>}> : (tensor<i1>) -> tensor<2x0xi1>
  %2 = xla.broadcast %x {broadcast_sizes = []} : tensor<4xf32>
  return %0, %1, %2 : tensor<2x3x4xf32>, tensor<2x0xi1>, tensor<4xf32>
}

// -----

// The printed example, 2.0 of f32 to f32[2,3]; a vector; nothing many times; all bits stay.
// FOLD-LABEL: @main
// FOLD-DAG: dense<2.000000e+00> : tensor<2x3xf32>
// FOLD-DAG{LITERAL}: dense<[[1, 2], [1, 2], [1, 2]]> : tensor<3x2xi8>
// FOLD-DAG: dense<> : tensor<3x0xf64>
// FOLD-DAG{LITERAL}: dense<[[0xFFC00001, -0.000000e+00], [0xFFC00001, -0.000000e+00]]> : tensor<2x2xf32>
// FOLD-NOT: xla.broadcast
func.func @main() -> (tensor<2x3xf32>, tensor<3x2xi8>, tensor<3x0xf64>, tensor<2x2xf32>) {
  %s = xla.constant dense<2.0> : tensor<f32>
  %v = xla.constant dense<[1, 2]> : tensor<2xi8>
  %e = xla.constant dense<> : tensor<0xf64>
  %n = xla.constant dense<[0xFFC00001, -0.0]> : tensor<2xf32>
  %0 = xla.broadcast %s {broadcast_sizes = [2, 3]} : (tensor<f32>) -> tensor<2x3xf32>
  %1 = xla.broadcast %v {broadcast_sizes = [3]} : (tensor<2xi8>) -> tensor<3x2xi8>
  %2 = xla.broadcast %e {broadcast_sizes = [3]} : (tensor<0xf64>) -> tensor<3x0xf64>
  %3 = xla.broadcast %n {broadcast_sizes = [2]} : (tensor<2xf32>) -> tensor<2x2xf32>
  return %0, %1, %2, %3 : tensor<2x3xf32>, tensor<3x2xi8>, tensor<3x0xf64>, tensor<2x2xf32>
}

// -----

func.func @broadcast_c1(%x: tensor<2xf32>) {
  // expected-error @+1 {{'xla.broadcast' op broadcast_sizes[1] is -3, must not be negative [broadcast_c1]}}
  %0 = xla.broadcast %x {broadcast_sizes = [2, -3]} : (tensor<2xf32>) -> tensor<2x3x2xf32>
  return
}

// -----

func.func @broadcast_c2(%x: tensor<2xf32>) {
  // expected-error @+1 {{adds 32 dimensions to 1, arrays have at most 32 [broadcast_c2]}}
  %0 = xla.broadcast %x {broadcast_sizes = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]} : tensor<2xf32>
  return
}

// -----

func.func @broadcast_c2_size(%x: tensor<2xf32>) {
  // expected-error @+1 {{the result tensor<4611686018427387904x2xf32> is larger than 2^62 bytes [broadcast_c2]}}
  %0 = xla.broadcast %x {broadcast_sizes = [4611686018427387904]} : (tensor<2xf32>) -> tensor<4611686018427387904x2xf32>
  return
}

// -----

func.func @no_array(%x: tuple<>) {
  // expected-error @+1 {{'xla.broadcast' op operand 0, tuple<>,}}
  %0 = xla.broadcast %x {broadcast_sizes = [2]} : (tuple<>) -> tensor<2xf32>
  return
}
