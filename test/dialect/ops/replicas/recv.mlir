// Specification 000, Recv and RecvDone.
// RUN: xla-opt %s --split-input-file --verify-diagnostics | xla-opt --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @forms
// CHECK: %[[A:.*]] = xla.recv {channel_id = 1 : i64} : () -> tuple<tensor<2xf32>, tensor<ui32>>
// CHECK: xla.recv_done %[[A]] : (tuple<tensor<2xf32>, tensor<ui32>>) -> tensor<2xf32>
// CHECK: %[[B:.*]] = xla.recv %arg0 {channel_id = 2 : i64, channel_type = 3 : i64, is_host_transfer = true} : (!xla.token) -> tuple<tensor<2xf32>, tensor<ui32>, !xla.token>
// CHECK: xla.recv_done %[[B]] : (tuple<tensor<2xf32>, tensor<ui32>, !xla.token>) -> (tensor<2xf32>, !xla.token)
// CHECK: xla.recv {channel_id = 3 : i64} : () -> tuple<tuple<tensor<i1>>, tensor<ui32>>
func.func @forms(%k: !xla.token) {
  %0 = xla.recv {channel_id = 1} : () -> tuple<tensor<2xf32>, tensor<ui32>>
  %1 = xla.recv_done %0 : (tuple<tensor<2xf32>, tensor<ui32>>) -> tensor<2xf32>
  %2 = xla.recv %k {channel_id = 2, channel_type = 3, is_host_transfer = true} : (!xla.token) -> tuple<tensor<2xf32>, tensor<ui32>, !xla.token>
  %3:2 = xla.recv_done %2 : (tuple<tensor<2xf32>, tensor<ui32>, !xla.token>) -> (tensor<2xf32>, !xla.token)
  %4 = xla.recv {channel_id = 3} : () -> tuple<tuple<tensor<i1>>, tensor<ui32>>
  %5 = xla.recv_done %4 : (tuple<tuple<tensor<i1>>, tensor<ui32>>) -> tuple<tensor<i1>>
  return
}

// -----

func.func @c1() {
  // expected-error @+1 {{channel_type is 3, must be 1 where is_host_transfer is false [recv_c1]}}
  %0 = xla.recv {channel_id = 1, channel_type = 3} : () -> tuple<tensor<2xf32>, tensor<ui32>>
  %1 = xla.recv_done %0 : (tuple<tensor<2xf32>, tensor<ui32>>) -> tensor<2xf32>
  return
}

// -----

func.func @c2() {
  // expected-error @+1 {{the result must be a tuple of an array, or a tuple of arrays, and tensor<ui32> [recv_c2]}}
  %0 = xla.recv {channel_id = 1} : () -> tensor<2xf32>
  return
}

// -----

func.func @c2_buffer(%k: !xla.token) {
  // expected-error @+1 {{the result must be a tuple of an array, or a tuple of arrays, and tensor<ui32>, and a token [recv_c2]}}
  %0 = xla.recv %k {channel_id = 1} : (!xla.token) -> tuple<!xla.token, tensor<ui32>, !xla.token>
  return
}

// -----

func.func @c3() {
  // expected-error @+1 {{gives a context that one 'xla.recv_done' uses, and nothing else [recv_c3]}}
  %0 = xla.recv {channel_id = 1} : () -> tuple<tensor<2xf32>, tensor<ui32>>
  return
}

// -----

func.func @c3_twice() {
  // expected-error @+1 {{gives a context that one 'xla.recv_done' uses, and nothing else [recv_c3]}}
  %0 = xla.recv {channel_id = 1} : () -> tuple<tensor<2xf32>, tensor<ui32>>
  %1 = xla.recv_done %0 : (tuple<tensor<2xf32>, tensor<ui32>>) -> tensor<2xf32>
  %2 = xla.recv_done %0 : (tuple<tensor<2xf32>, tensor<ui32>>) -> tensor<2xf32>
  return
}

// -----

func.func @c4(%x: tensor<f32>) {
  // expected-error @+1 {{the operand is tensor<f32>, no token [recv_c4]}}
  %0 = xla.recv %x {channel_id = 1} : (tensor<f32>) -> tuple<tensor<2xf32>, tensor<ui32>>
  %1 = xla.recv_done %0 : (tuple<tensor<2xf32>, tensor<ui32>>) -> tensor<2xf32>
  return
}

// -----

func.func @done_c1(%x: tuple<tensor<2xf32>, tensor<ui32>>) {
  // expected-error @+1 {{has an operand that is no result of 'xla.recv' [recv_done_c1]}}
  %0 = xla.recv_done %x : (tuple<tensor<2xf32>, tensor<ui32>>) -> tensor<2xf32>
  return
}

// -----

func.func @done_c1_type(%x: tuple<tensor<f32>>) {
  // expected-error @+1 {{the operand is tuple<tensor<f32>>, no context of a transfer [recv_done_c1]}}
  %0 = xla.recv_done %x : (tuple<tensor<f32>>) -> tensor<f32>
  return
}

// -----

func.func @request() {
  // expected-error @+1 {{result 0 is stated as tuple<tensor<2xf32>, tensor<i32>>, but is tuple<tensor<2xf32>, tensor<ui32>> [result]}}
  %0 = xla.recv {channel_id = 1} : () -> tuple<tensor<2xf32>, tensor<i32>>
  %1 = xla.recv_done %0 : (tuple<tensor<2xf32>, tensor<i32>>) -> tensor<2xf32>
  return
}
