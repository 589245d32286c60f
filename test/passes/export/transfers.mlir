// Operations between replicas, and with the host, as StableHLO has them.
// RUN: xla-opt %s --xla-export-stablehlo | FileCheck %s

// CHECK-LABEL: func.func @groups(%arg0: tensor<2xf32>) -> (tensor<4xf32>, tensor<1xf32>) {
// CHECK-NEXT: %0 = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 0 : i64, replica_groups = dense<{{\[\[}}0, 1]]> : tensor<1x2xi64>}> : (tensor<2xf32>) -> tensor<4xf32>
// CHECK-NEXT: %1 = "stablehlo.all_reduce"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, replica_groups = dense<{{\[\[}}0, 1, 2], [3, -1, -1]]> : tensor<2x3xi64>, use_global_device_ids}> ({
// CHECK-NEXT: ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
// CHECK-NEXT: %6 = stablehlo.minimum %arg1, %arg2 : tensor<f32>
// CHECK-NEXT: stablehlo.return %6 : tensor<f32>
// CHECK-NEXT: }) : (tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT: %2 = "stablehlo.all_to_all"(%1) <{concat_dimension = 0 : i64, replica_groups = dense<{{\[\[}}0, 1]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 0 : i64}> : (tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT: %3 = "stablehlo.all_reduce"(%2) <{replica_groups = dense<> : tensor<0x0xi64>}> ({
// CHECK-NEXT: ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
// CHECK-NEXT: %6 = stablehlo.add %arg1, %arg2 : tensor<f32>
// CHECK-NEXT: stablehlo.return %6 : tensor<f32>
// CHECK-NEXT: }) : (tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT: %4 = "stablehlo.reduce_scatter"(%2) <{replica_groups = dense<{{\[\[}}0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64}> ({
// CHECK-NEXT: ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
// CHECK-NEXT: %6 = stablehlo.maximum %arg1, %arg2 : tensor<f32>
// CHECK-NEXT: stablehlo.return %6 : tensor<f32>
// CHECK-NEXT: }) : (tensor<2xf32>) -> tensor<1xf32>
// CHECK-NEXT: %5 = "stablehlo.reduce_scatter"(%3) <{replica_groups = dense<{{\[\[}}0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64}> ({
// CHECK-NEXT: ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
// CHECK-NEXT: %6 = stablehlo.maximum %arg1, %arg2 : tensor<f32>
// CHECK-NEXT: stablehlo.return %6 : tensor<f32>
// CHECK-NEXT: }) : (tensor<2xf32>) -> tensor<1xf32>
// CHECK-NEXT: return %0, %5 : tensor<4xf32>, tensor<1xf32>
func.func @groups(%x: tensor<2xf32>) -> (tensor<4xf32>, tensor<1xf32>) {
  %0 = xla.all_gather %x {all_gather_dim = 0} : (tensor<2xf32>) -> tensor<4xf32>
  %1 = xla.all_reduce(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = xla.minimum %a, %b : tensor<f32>
    xla.return %m : tensor<f32>
  }) {replica_groups = [[0, 1, 2], [3]], channel_id = 3, use_global_device_ids = true} : tensor<2xf32>
  %2 = xla.all_to_all %1 {split_dimension = 0, concat_dimension = 0, split_count = 2} : (tensor<2xf32>) -> tensor<2xf32>
  %3 = xla.cross_replica_sum %2 : tensor<2xf32>
  %4:2 = xla.reduce_scatter(%2, %3) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = xla.maximum %a, %b : tensor<f32>
    xla.return %m : tensor<f32>
  }) {scatter_dimension = 0} : (tensor<2xf32>, tensor<2xf32>) -> (tensor<1xf32>, tensor<1xf32>)
  return %0, %4#1 : tensor<4xf32>, tensor<1xf32>
}

// What has no token comes after the one before.
// CHECK-LABEL: func.func @feeds(%arg0: !stablehlo.token) -> (tensor<f32>, tuple<>) {
// CHECK-NEXT: %0 = stablehlo.create_token : !stablehlo.token
// CHECK-NEXT: %1:3 = "stablehlo.infeed"(%0) : (!stablehlo.token) -> (tensor<2xf32>, tensor<i32>, !stablehlo.token)
// CHECK-NEXT: %2 = stablehlo.tuple %1#0, %1#1 : tuple<tensor<2xf32>, tensor<i32>>
// CHECK-NEXT: %3 = stablehlo.get_tuple_element %2[0] : (tuple<tensor<2xf32>, tensor<i32>>) -> tensor<2xf32>
// CHECK-NEXT: %4 = stablehlo.get_tuple_element %2[1] : (tuple<tensor<2xf32>, tensor<i32>>) -> tensor<i32>
// CHECK-NEXT: %5 = "stablehlo.outfeed"(%3, %4, %1#2) <{outfeed_config = "x"}> : (tensor<2xf32>, tensor<i32>, !stablehlo.token) -> !stablehlo.token
// CHECK-NEXT: %6:2 = "stablehlo.infeed"(%arg0) : (!stablehlo.token) -> (tensor<f32>, !stablehlo.token)
// CHECK-NEXT: %7 = stablehlo.tuple  : tuple<>
// CHECK-NEXT: return %6#0, %7 : tensor<f32>, tuple<>
func.func @feeds(%token: !xla.token) -> (tensor<f32>, tuple<>) {
  %0 = xla.infeed : () -> tuple<tensor<2xf32>, tensor<i32>>
  xla.outfeed %0 {outfeed_config = "x"} : (tuple<tensor<2xf32>, tensor<i32>>) -> ()
  %1:2 = xla.infeed %token : (!xla.token) -> (tensor<f32>, !xla.token)
  %2 = xla.infeed : () -> tuple<>
  return %1#0, %2 : tensor<f32>, tuple<>
}

// CHECK-LABEL: func.func @channels(%arg0: tensor<2xf32>, %arg1: !stablehlo.token) -> tensor<2xf32> {
// CHECK-NEXT: %0 = "stablehlo.send"(%arg0, %arg1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true}> : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token
// CHECK-NEXT: %1:2 = "stablehlo.recv"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>}> : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)
// CHECK-NEXT: return %1#0 : tensor<2xf32>
func.func @channels(%x: tensor<2xf32>, %token: !xla.token) -> tensor<2xf32> {
  %0 = xla.send %x, %token {channel_id = 1, is_host_transfer = true} : (tensor<2xf32>, !xla.token) -> tuple<tensor<2xf32>, tensor<ui32>, !xla.token>
  %1 = xla.send_done %0 : (tuple<tensor<2xf32>, tensor<ui32>, !xla.token>) -> !xla.token
  %2 = xla.recv %1 {channel_id = 2} : (!xla.token) -> tuple<tensor<2xf32>, tensor<ui32>, !xla.token>
  %3:2 = xla.recv_done %2 : (tuple<tensor<2xf32>, tensor<ui32>, !xla.token>) -> (tensor<2xf32>, !xla.token)
  return %3#0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @tuples(%arg0: tuple<tensor<2xf32>, tensor<3xbf16>>) -> tuple<tensor<2xf32>, tensor<3xf32>> {
// CHECK-NEXT: %0 = stablehlo.get_tuple_element %arg0[0] : (tuple<tensor<2xf32>, tensor<3xbf16>>) -> tensor<2xf32>
// CHECK-NEXT: %1 = stablehlo.get_tuple_element %arg0[1] : (tuple<tensor<2xf32>, tensor<3xbf16>>) -> tensor<3xbf16>
// CHECK-NEXT: %2:2 = "stablehlo.all_reduce"(%0, %1) <{replica_groups = dense<> : tensor<0x0xi64>}> ({
// CHECK-NEXT: ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
// CHECK-NEXT: %4 = stablehlo.add %arg1, %arg2 : tensor<f32>
// CHECK-NEXT: stablehlo.return %4 : tensor<f32>
// CHECK-NEXT: }) : (tensor<2xf32>, tensor<3xbf16>) -> (tensor<2xf32>, tensor<3xf32>)
// CHECK-NEXT: %3 = stablehlo.tuple %2#0, %2#1 : tuple<tensor<2xf32>, tensor<3xf32>>
// CHECK-NEXT: return %3 : tuple<tensor<2xf32>, tensor<3xf32>>
func.func @tuples(%t: tuple<tensor<2xf32>, tensor<3xbf16>>) -> tuple<tensor<2xf32>, tensor<3xf32>> {
  %0 = xla.all_reduce(%t) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) : (tuple<tensor<2xf32>, tensor<3xbf16>>) -> tuple<tensor<2xf32>, tensor<3xf32>>
  return %0 : tuple<tensor<2xf32>, tensor<3xf32>>
}
