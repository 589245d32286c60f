// In a program of several replicas what goes between them stays, for the host. Their numbers are computed in front of all else, and transfers are calls.
// RUN: xla-opt %s --split-input-file --xla-legalize --verify-diagnostics | FileCheck %s

// CHECK-LABEL: module attributes {xla.parallel}
// CHECK: func.func @main(%arg0: tensor<2xui32>, %arg1: tensor<2xcomplex<f32>>)
// CHECK-DAG: %[[R:.*]] = xla.replica_id : () -> tensor<ui32>
// CHECK: xla.reduce(
// CHECK: xla.add %{{.*}}, %[[R]] : tensor<ui32>
// CHECK: xla.all_reduce(%{{.*}}) ({
// CHECK: ^bb0(%[[A:.*]]: tensor<complex<f32>>, %[[B:.*]]: tensor<complex<f32>>):
// CHECK-NEXT: %[[AB:.*]] = xla.add %[[A]], %[[B]]
// CHECK-NEXT: %[[C:.*]] = xla.constant dense<(2.000000e+00,0.000000e+00)> : tensor<complex<f32>>
// CHECK-NEXT: %[[M:.*]] = xla.multiply %[[AB]], %[[C]]
// CHECK-NEXT: xla.return %[[M]]
// CHECK-NEXT: }) : tensor<2xcomplex<f32>>
// CHECK: xla.custom_call {call_target_name = "xlac.recv", xla.channel = 3 : i64}
// CHECK: xla.custom_call %{{.*}}, %{{.*}} {call_target_name = "xlac.send", xla.channel = 3 : i64}
// CHECK: xla.custom_call {call_target_name = "xlac.recv_done", xla.channel = 3 : i64, xla.channel_type = tuple<tensor<ui32>, tensor<2xcomplex<f32>>>} : () -> (tensor<ui32>, tensor<2xcomplex<f32>>)
module attributes {xla.parallel} {
  func.func @main(%x: tensor<2xui32>, %y: tensor<2xcomplex<f32>>) -> tuple<tensor<ui32>, tensor<2xcomplex<f32>>> {
    %zero = xla.constant dense<0> : tensor<ui32>
    %two = xla.constant dense<(2.0, 0.0)> : tensor<complex<f32>>
    %0 = xla.reduce(%x, %zero) ({
    ^bb0(%a: tensor<ui32>, %b: tensor<ui32>):
      %id = xla.replica_id : () -> tensor<ui32>
      %s = xla.add %a, %b : tensor<ui32>
      %t = xla.add %s, %id : tensor<ui32>
      xla.return %t : tensor<ui32>
    }) {dimensions = array<i64: 0>} : (tensor<2xui32>, tensor<ui32>) -> tensor<ui32>
    %1 = xla.all_reduce(%y) ({
    ^bb0(%a: tensor<complex<f32>>, %b: tensor<complex<f32>>):
      %s = xla.add %a, %b : tensor<complex<f32>>
      %t = xla.multiply %s, %two : tensor<complex<f32>>
      xla.return %t : tensor<complex<f32>>
    }) : tensor<2xcomplex<f32>>
    %r = xla.recv {channel_id = 3} : () -> tuple<tuple<tensor<ui32>, tensor<2xcomplex<f32>>>, tensor<ui32>>
    %s = xla.send %0, %1 {channel_id = 3} : (tensor<ui32>, tensor<2xcomplex<f32>>) -> tuple<tuple<tensor<ui32>, tensor<2xcomplex<f32>>>, tensor<ui32>>
    xla.send_done %s : (tuple<tuple<tensor<ui32>, tensor<2xcomplex<f32>>>, tensor<ui32>>) -> ()
    %2 = xla.recv_done %r : (tuple<tuple<tensor<ui32>, tensor<2xcomplex<f32>>>, tensor<ui32>>) -> tuple<tensor<ui32>, tensor<2xcomplex<f32>>>
    return %2 : tuple<tensor<ui32>, tensor<2xcomplex<f32>>>
  }
}

// -----

// The host gets values from outside behind the operands, and the text of the operation.
// CHECK-LABEL: module attributes {xla.parallel}
// CHECK: func.func @main(%[[X:.*]]: tensor<2xf32>, %[[Y:.*]]: tensor<f32>)
// CHECK: xla.custom_call %[[X]], %[[Y]] {call_target_name = "xlac.between", xla.between = "\22func.func\22(){{.*}}\22xla.all_reduce\22(%arg0){{.*}}\22xla.add\22(%{{.*}}, %arg1){{.*}}"} : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
module attributes {xla.parallel} {
  func.func @main(%x: tensor<2xf32>, %y: tensor<f32>) -> tensor<2xf32> {
    %0 = xla.all_reduce(%x) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = xla.add %a, %y : tensor<f32>
      xla.return %s : tensor<f32>
    }) : tensor<2xf32>
    return %0 : tensor<2xf32>
  }
}

// -----

// A program that says so itself means a function of that name.
// CHECK: xla.custom_call %{{.*}} {call_target_name = "xlac.between"} : tensor<2xf32>
module attributes {xla.parallel} {
  func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
    %0 = xla.custom_call %x {call_target_name = "xlac.between", xla.between = "func.func @f() { return }"} : (tensor<2xf32>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }
}

// -----

// So are arrays of dynamic size, beside their sizes.
// CHECK: xla.custom_call %{{.*}}, %{{.*}} {call_target_name = "xlac.between", xla.between = "{{.*}}xla.collective_permute{{.*}} : (tensor<?xf32, #xla.array<bounds = [4]>>) -> tensor<?xf32, #xla.array<bounds = [4]>>{{.*}}", xla.bounded_operands = [tensor<?xf32, #xla.array<bounds = [4]>>], xla.bounded_results = [tensor<?xf32, #xla.array<bounds = [4]>>]} : (tensor<4xf32>, tensor<i32>) -> (tensor<4xf32>, tensor<i32>)
module attributes {xla.parallel} {
  func.func @main(%x: tensor<?xf32, #xla.array<bounds = [4]>>) -> tensor<?xf32, #xla.array<bounds = [4]>> {
    %0 = xla.collective_permute %x {source_target_pairs = [[0, 1], [1, 0]]} : tensor<?xf32, #xla.array<bounds = [4]>>
    return %0 : tensor<?xf32, #xla.array<bounds = [4]>>
  }
}

// -----

// A computation that draws goes along as text, with the seed; the call takes how many blocks were drawn before and gives how many after.
// CHECK: module attributes {xla.parallel, xla.seed = 5 : i64}
// CHECK: %[[C:.*]]:2 = xla.custom_call %{{.*}}, %{{.*}} {call_target_name = "xlac.between", xla.between = "{{.*}}xla.rng_uniform{{.*}}xla.seed = 5{{.*}}", xla.draws} : (tensor<ui64>, tensor<2xf32>) -> (tensor<ui64>, tensor<2xf32>)
// CHECK: xla.convert %[[C]]#0 : (tensor<ui64>) -> tensor<ui32>
module attributes {xla.parallel, xla.seed = 5 : i64} {
  func.func @main(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<f32>) {
    %zero = xla.constant dense<0.0> : tensor<f32>
    %one = xla.constant dense<1.0> : tensor<f32>
    %0 = xla.all_reduce(%x) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = xla.rng_uniform %zero, %one : (tensor<f32>, tensor<f32>) -> tensor<f32>
      xla.return %s : tensor<f32>
    }) : tensor<2xf32>
    %1 = xla.rng_uniform %zero, %one : (tensor<f32>, tensor<f32>) -> tensor<f32>
    return %0, %1 : tensor<2xf32>, tensor<f32>
  }
}

// -----

// A fusion with an order is none.
// CHECK-NOT: xla.fusion
// CHECK: xla.cross_replica_sum %arg0 : tensor<2xf32>
module attributes {xla.parallel} {
  func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
    %0 = xla.fusion(%x) ({
    ^bb0(%a: tensor<2xf32>):
      %s = xla.cross_replica_sum %a : tensor<2xf32>
      xla.return %s : tensor<2xf32>
    }) {kind = "loop"} : (tensor<2xf32>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }
}

// -----

func.func @main(%x: tensor<2xf32>) {
  // expected-error @+1 {{'xla.send' op transfers to or from the host, which is not supported yet; xla.infeed and xla.outfeed do}}
  %s = xla.send %x {channel_id = 1, channel_type = 2, is_host_transfer = true} : (tensor<2xf32>) -> tuple<tensor<2xf32>, tensor<ui32>>
  xla.send_done %s : (tuple<tensor<2xf32>, tensor<ui32>>) -> ()
  return
}
