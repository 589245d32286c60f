// Specification 000, AllReduce.
// RUN: xla-opt %s --split-input-file --verify-diagnostics | xla-opt --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @forms
// CHECK: xla.all_reduce(%arg0)
// CHECK: : tensor<2xf32>
// CHECK: channel_id = 1 : i64, replica_groups = {{\[}}[0, 2], [1]], use_global_device_ids = true} : tensor<2xf32>
// CHECK: xla.all_reduce(%arg0, %arg1)
// CHECK: : (tensor<2xf32>, tensor<f32>) -> (tensor<2xf32>, tensor<f32>)
// CHECK: : tuple<tensor<2xf32>, tensor<f32>>
func.func @forms(%x: tensor<2xf32>, %y: tensor<f32>, %t: tuple<tensor<2xf32>, tensor<f32>>) {
  %0 = xla.all_reduce(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) : tensor<2xf32>
  // Groups may differ in size.
  %1 = xla.all_reduce(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {replica_groups = [[0, 2], [1]], channel_id = 1, use_global_device_ids = true} : tensor<2xf32>
  %2:2 = xla.all_reduce(%x, %y) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) : (tensor<2xf32>, tensor<f32>) -> (tensor<2xf32>, tensor<f32>)
  %3 = xla.all_reduce(%t) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) : tuple<tensor<2xf32>, tensor<f32>>
  return
}

// -----

// Elements may be combined in a larger type.
// CHECK-LABEL: func.func @promoted
func.func @promoted(%x: tensor<0xbf16>) {
  %0 = xla.all_reduce(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) : (tensor<0xbf16>) -> tensor<0xf32>
  return
}

// -----

func.func @c1(%x: tensor<2xf32>) {
  // expected-error @+1 {{replica_groups has 0 twice [all_reduce_c1]}}
  %0 = xla.all_reduce(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {replica_groups = [[0], [0]]} : tensor<2xf32>
  return
}

// -----

func.func @c3(%x: tensor<2xf32>) {
  // expected-error @+1 {{replica_groups has 2, and 2 numbers in all [all_reduce_c3]}}
  %0 = xla.all_reduce(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {replica_groups = [[0, 2]]} : tensor<2xf32>
  return
}

// -----

func.func @c3_padding(%x: tensor<2xf32>) {
  // expected-error @+1 {{replica_groups has -1, which is negative [all_reduce_c3]}}
  %0 = xla.all_reduce(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {replica_groups = [[0, -1]]} : tensor<2xf32>
  return
}

// -----

func.func @c4(%x: tensor<2xf32>) {
  // expected-error @+1 {{use_global_device_ids needs a channel_id above 0, which is -1 [all_reduce_c4]}}
  %0 = xla.all_reduce(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {channel_id = -1, use_global_device_ids = true} : tensor<2xf32>
  return
}

// -----

func.func @c5_promotion(%x: tensor<2xf64>) {
  // expected-error @+1 {{an operand is tensor<2xf64>, whose elements cannot be combined as f32 [all_reduce_c5]}}
  %0 = xla.all_reduce(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) : (tensor<2xf64>) -> tensor<2xf32>
  return
}

// -----

func.func @c5_class(%x: tensor<2xi32>) {
  // expected-error @+1 {{an operand is tensor<2xi32>, whose elements cannot be combined as f32 [all_reduce_c5]}}
  %0 = xla.all_reduce(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) : (tensor<2xi32>) -> tensor<2xf32>
  return
}

// -----

func.func @c5_count(%x: tensor<2xf32>) {
  // expected-error @+1 {{the region takes 1 scalars and returns 1, must take 2 and return 1 [all_reduce_c5]}}
  %0 = xla.all_reduce(%x) ({
  ^bb0(%a: tensor<f32>):
    xla.return %a : tensor<f32>
  }) : tensor<2xf32>
  return
}

// -----

func.func @c5_array(%x: tensor<2xf32>) {
  // expected-error @+1 {{the region returns tensor<1xf32>, not a scalar [all_reduce_c5]}}
  %0 = xla.all_reduce(%x) ({
  ^bb0(%a: tensor<1xf32>, %b: tensor<1xf32>):
    xla.return %a : tensor<1xf32>
  }) : tensor<2xf32>
  return
}

// -----

func.func @c5_argument(%x: tensor<2xf32>) {
  // expected-error @+1 {{argument 1 of the region is tensor<f64>, its result tensor<f32> [all_reduce_c5]}}
  %0 = xla.all_reduce(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f64>):
    xla.return %a : tensor<f32>
  }) : tensor<2xf32>
  return
}

// -----

func.func @c6(%x: tensor<2xf32>) {
  // expected-error @+1 {{result 0 is stated as tensor<3xf32>, but is tensor<2xf32> [result]}}
  %0 = xla.all_reduce(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) : (tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @tuple_empty(%x: tuple<>) {
  // expected-error @+1 {{the operand is an empty tuple [collective_tuple]}}
  %0 = xla.all_reduce(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) : tuple<>
  return
}

// -----

func.func @tuple_nested(%x: tuple<tuple<tensor<f32>>>) {
  // expected-error @+1 {{element 0 of the operand is tuple<tensor<f32>>, not an array [collective_tuple]}}
  %0 = xla.all_reduce(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) : tuple<tuple<tensor<f32>>>
  return
}

// -----

func.func @token(%x: !xla.token) {
  // expected-error @+1 {{operand 0, !xla.token, is not a ranked tensor}}
  %0 = xla.all_reduce(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) : !xla.token
  return
}
