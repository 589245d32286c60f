// Specification 000, Send and SendDone.
// RUN: xla-opt %s --split-input-file --verify-diagnostics | xla-opt --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @forms
// CHECK: %[[A:.*]] = xla.send %arg0 {channel_id = 1 : i64} : (tensor<2xf32>) -> tuple<tensor<2xf32>, tensor<ui32>>
// CHECK: xla.send_done %[[A]] : (tuple<tensor<2xf32>, tensor<ui32>>) -> ()
// CHECK: %[[B:.*]] = xla.send %arg0, %arg1 {channel_id = 2 : i64, channel_type = 1 : i64, is_host_transfer = false} : (tensor<2xf32>, !xla.token) -> tuple<tensor<2xf32>, tensor<ui32>, !xla.token>
// CHECK: xla.send_done %[[B]] : (tuple<tensor<2xf32>, tensor<ui32>, !xla.token>) -> !xla.token
// CHECK: xla.send %arg0, %arg0 {channel_id = 3 : i64, channel_type = 2 : i64, is_host_transfer = true} : (tensor<2xf32>, tensor<2xf32>) -> tuple<tuple<tensor<2xf32>, tensor<2xf32>>, tensor<ui32>>
func.func @forms(%x: tensor<2xf32>, %k: !xla.token) {
  %0 = xla.send %x {channel_id = 1} : (tensor<2xf32>) -> tuple<tensor<2xf32>, tensor<ui32>>
  xla.send_done %0 : (tuple<tensor<2xf32>, tensor<ui32>>) -> ()
  %1 = "xla.send"(%x, %k) <{channel_id = 2 : i64, channel_type = 1 : i64, is_host_transfer = false}> : (tensor<2xf32>, !xla.token) -> tuple<tensor<2xf32>, tensor<ui32>, !xla.token>
  %2 = xla.send_done %1 : (tuple<tensor<2xf32>, tensor<ui32>, !xla.token>) -> !xla.token
  %3 = xla.send %x, %x {channel_id = 3, channel_type = 2, is_host_transfer = true} : (tensor<2xf32>, tensor<2xf32>) -> tuple<tuple<tensor<2xf32>, tensor<2xf32>>, tensor<ui32>>
  xla.send_done %3 : (tuple<tuple<tensor<2xf32>, tensor<2xf32>>, tensor<ui32>>) -> ()
  return
}

// -----

func.func @c1(%x: tensor<2xf32>) {
  // expected-error @+1 {{channel_type is 2, must be 1 where is_host_transfer is false [send_c1]}}
  %0 = xla.send %x {channel_id = 1, channel_type = 2} : (tensor<2xf32>) -> tuple<tensor<2xf32>, tensor<ui32>>
  xla.send_done %0 : (tuple<tensor<2xf32>, tensor<ui32>>) -> ()
  return
}

// -----

func.func @c1_host(%x: tensor<2xf32>) {
  // expected-error @+1 {{channel_type is 1, must be 2 where is_host_transfer is true [send_c1]}}
  %0 = xla.send %x {channel_id = 1, channel_type = 1, is_host_transfer = true} : (tensor<2xf32>) -> tuple<tensor<2xf32>, tensor<ui32>>
  xla.send_done %0 : (tuple<tensor<2xf32>, tensor<ui32>>) -> ()
  return
}

// -----

func.func @c2(%x: tuple<tensor<f32>>) {
  // expected-error @+1 {{operand 0 is tuple<tensor<f32>>, not an array [send_c2]}}
  %0 = xla.send %x {channel_id = 1} : (tuple<tensor<f32>>) -> tuple<tensor<2xf32>, tensor<ui32>>
  xla.send_done %0 : (tuple<tensor<2xf32>, tensor<ui32>>) -> ()
  return
}

// -----

func.func @c3(%x: tensor<2xf32>) {
  // expected-error @+1 {{gives a context that one 'xla.send_done' uses, and nothing else [send_c3]}}
  %0 = xla.send %x {channel_id = 1} : (tensor<2xf32>) -> tuple<tensor<2xf32>, tensor<ui32>>
  return
}

// -----

func.func @c3_twice(%x: tensor<2xf32>) {
  // expected-error @+1 {{gives a context that one 'xla.send_done' uses, and nothing else [send_c3]}}
  %0 = xla.send %x {channel_id = 1} : (tensor<2xf32>) -> tuple<tensor<2xf32>, tensor<ui32>>
  xla.send_done %0 : (tuple<tensor<2xf32>, tensor<ui32>>) -> ()
  xla.send_done %0 : (tuple<tensor<2xf32>, tensor<ui32>>) -> ()
  return
}

// -----

func.func @c3_other(%x: tensor<2xf32>) {
  // expected-error @+1 {{gives a context that one 'xla.send_done' uses, and nothing else [send_c3]}}
  %0 = xla.send %x {channel_id = 1} : (tensor<2xf32>) -> tuple<tensor<2xf32>, tensor<ui32>>
  %1 = xla.get_tuple_element %0 {index = 0} : (tuple<tensor<2xf32>, tensor<ui32>>) -> tensor<2xf32>
  return
}

// -----

func.func @done_c1(%x: tuple<tensor<2xf32>, tensor<ui32>>) {
  // expected-error @+1 {{has an operand that is no result of 'xla.send' [send_done_c1]}}
  xla.send_done %x : (tuple<tensor<2xf32>, tensor<ui32>>) -> ()
  return
}

// -----

func.func @done_c1_type(%x: tensor<f32>) {
  // expected-error @+1 {{the operand is tensor<f32>, no context of a transfer [send_done_c1]}}
  xla.send_done %x : (tensor<f32>) -> ()
  return
}

// -----

func.func @channel(%x: tensor<2xf32>) {
  // expected-error @+1 {{requires the attribute 'channel_id' [attribute]}}
  %0 = xla.send %x : (tensor<2xf32>) -> tuple<tensor<2xf32>, tensor<ui32>>
  xla.send_done %0 : (tuple<tensor<2xf32>, tensor<ui32>>) -> ()
  return
}

// -----

func.func @result(%x: tensor<2xf32>) {
  // expected-error @+1 {{result 0 is stated as tuple<tensor<2xf32>, tensor<ui32>, !xla.token>, but is tuple<tensor<2xf32>, tensor<ui32>> [result]}}
  %0 = xla.send %x {channel_id = 1} : (tensor<2xf32>) -> tuple<tensor<2xf32>, tensor<ui32>, !xla.token>
  %1 = xla.send_done %0 : (tuple<tensor<2xf32>, tensor<ui32>, !xla.token>) -> !xla.token
  return
}
