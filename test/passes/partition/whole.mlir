// Programs of several devices become programs on whole arrays: parts are sliced where a manual computation begins, and
// joined behind it; what devices have the same of is there once.
// RUN: xla-opt %s --xla-partition --split-input-file --verify-diagnostics | FileCheck %s
// RUN: xla-opt %s --xla-import-stablehlo --split-input-file --verify-diagnostics -o /dev/null

// Inputs, outputs and what is said of them stay.
// CHECK-NOT: num_partitions
// CHECK-LABEL: func.func public @main(%arg0: tensor<4x2xf32> {jax.buffer_donor = true}, %arg1: tensor<2xf32>) -> (tensor<4x2xf32> {jax.result_info = "r"}, tensor<2x2xf32>) {
// CHECK-NEXT:    %0 = stablehlo.negate %arg0 : tensor<4x2xf32>
// CHECK-NEXT:    %1 = xla.slice %0 {limit_indices = array<i64: 2, 2>, start_indices = array<i64: 0, 0>
// CHECK-NEXT:    %2 = xla.slice %0 {limit_indices = array<i64: 4, 2>, start_indices = array<i64: 2, 0>
// CHECK-NEXT:    %3 = stablehlo.sine %arg1 : tensor<2xf32>
// CHECK-NEXT:    %4 = stablehlo.broadcast_in_dim %3, dims = [1] : (tensor<2xf32>) -> tensor<2x2xf32>
// CHECK-NEXT:    %5 = stablehlo.multiply %1, %4
// CHECK-NEXT:    %6 = stablehlo.multiply %2, %4
// CHECK-NEXT:    %7 = stablehlo.add %5, %6
// CHECK-NEXT:    %8 = xla.concatenate %5, %6 {dimension = 0 : i64}
// CHECK-NEXT:    return %8, %7 : tensor<4x2xf32>, tensor<2x2xf32>
// CHECK-NOT:   func.func
module attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%x: tensor<4x2xf32> {jax.buffer_donor = true}, %y: tensor<2xf32>) -> (tensor<4x2xf32> {jax.result_info = "r"}, tensor<2x2xf32>) {
    %0:2 = func.call @inner(%x, %y) : (tensor<4x2xf32>, tensor<2xf32>) -> (tensor<4x2xf32>, tensor<2x2xf32>)
    return %0#0, %0#1 : tensor<4x2xf32>, tensor<2x2xf32>
  }
  func.func private @inner(%x: tensor<4x2xf32>, %y: tensor<2xf32>) -> (tensor<4x2xf32>, tensor<2x2xf32>) {
    %z = stablehlo.negate %x : tensor<4x2xf32>
    %0:2 = sdy.manual_computation(%z, %y) in_shardings=[<@mesh, [{"x"}, {}]>, <@mesh, [{}]>] out_shardings=[<@mesh, [{"x"}, {}]>, <@mesh, [{}, {}]>] manual_axes={"x"} (%a: tensor<2x2xf32>, %b: tensor<2xf32>) {
      %1 = stablehlo.sine %b : tensor<2xf32>
      %2 = stablehlo.broadcast_in_dim %1, dims = [1] : (tensor<2xf32>) -> tensor<2x2xf32>
      %3 = stablehlo.multiply %a, %2 : tensor<2x2xf32>
      %4 = "stablehlo.all_reduce"(%3) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
      ^bb0(%c: tensor<f32>, %d: tensor<f32>):
        %5 = stablehlo.add %c, %d : tensor<f32>
        stablehlo.return %5 : tensor<f32>
      }) : (tensor<2x2xf32>) -> tensor<2x2xf32>
      sdy.return %3, %4 : tensor<2x2xf32>, tensor<2x2xf32>
    } : (tensor<4x2xf32>, tensor<2xf32>) -> (tensor<4x2xf32>, tensor<2x2xf32>)
    return %0#0, %0#1 : tensor<4x2xf32>, tensor<2x2xf32>
  }
}

// -----

// The largest mesh tells how many devices there are; every function that may be called from elsewhere is made one of them.
// CHECK-LABEL: func.func @first(%arg0: tensor<6xf32>) -> tensor<6xf32>
// CHECK-COUNT-3: stablehlo.cosine {{.*}} : tensor<2xf32>
// CHECK:         xla.concatenate
// CHECK-LABEL: func.func @second(%arg0: tensor<6xf32>) -> tensor<2xf32>
// CHECK:         %[[PART:.*]] = xla.slice %arg0 {limit_indices = array<i64: 2>
// CHECK:         return %[[PART]] : tensor<2xf32>
// CHECK-LABEL: func.func @plain
// CHECK-NEXT:    stablehlo.negate
// CHECK-NOT:   func.func
sdy.mesh @one = <[]>
sdy.mesh @mesh = <["x"=3]>
func.func @first(%x: tensor<6xf32>) -> tensor<6xf32> {
  %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%a: tensor<2xf32>) {
    %1 = stablehlo.cosine %a : tensor<2xf32>
    sdy.return %1 : tensor<2xf32>
  } : (tensor<6xf32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}
func.func @second(%x: tensor<6xf32>) -> tensor<2xf32> {
  %0 = func.call @parts(%x) : (tensor<6xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func private @parts(%x: tensor<6xf32>) -> tensor<2xf32> {
  %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{}]>] manual_axes={"x"} (%a: tensor<2xf32>) {
    sdy.return %a : tensor<2xf32>
  } : (tensor<6xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func @plain(%x: tensor<6xf32>) -> tensor<6xf32> {
  %0 = stablehlo.negate %x : tensor<6xf32>
  return %0 : tensor<6xf32>
}

// -----

// Each replica has arrays of its own, one after the other.
// CHECK-LABEL: func.func @main(%arg0: tensor<2xf32>, %arg1: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
// CHECK-DAG:     %[[A:.*]] = xla.slice %arg0 {limit_indices = array<i64: 1>
// CHECK-DAG:     %[[B:.*]] = xla.slice %arg0 {limit_indices = array<i64: 2>
// CHECK-DAG:     %[[C:.*]] = xla.slice %arg1 {limit_indices = array<i64: 1>
// CHECK-DAG:     %[[D:.*]] = xla.slice %arg1 {limit_indices = array<i64: 2>
// CHECK:         %[[R:.*]] = xla.concatenate %[[C]], %[[D]]
// CHECK-NEXT:    %[[S:.*]] = xla.concatenate %[[A]], %[[B]]
// CHECK-NEXT:    return %[[R]], %[[S]]
module attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 2 : i32} {
  func.func @main(%x: tensor<2xf32> {mhlo.sharding = "{devices=[2]<=[2]}"}) -> tensor<2xf32> {
    %0 = stablehlo.custom_call @Sharding(%x) {backend_config = "", mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<2xf32>) -> tensor<2xf32>
    %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {backend_config = "", mhlo.sharding = "{manual}"} : (tensor<2xf32>) -> tensor<1xf32>
    %2 = "stablehlo.collective_permute"(%1) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<1xf32>) -> tensor<1xf32>
    %3 = stablehlo.custom_call @SPMDShardToFullShape(%2) {backend_config = "", mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<1xf32>) -> tensor<2xf32>
    return %3 : tensor<2xf32>
  }
}

// -----

// What Shardy moves between devices is the same array.
// CHECK-LABEL: func.func @moves(%arg0: tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:    %0 = xla.slice %arg0 {limit_indices = array<i64: 2>
// CHECK-NEXT:    %1 = xla.slice %arg0 {limit_indices = array<i64: 4>
// CHECK-NEXT:    %[[ALL:.*]] = xla.concatenate %0, %1
// CHECK-NEXT:    %[[NAMED:.*]] = stablehlo.exponential %[[ALL]]
// CHECK-NEXT:    return %[[NAMED]]
sdy.mesh @mesh = <["x"=2]>
func.func @moves(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = sdy.reshard %x <@mesh, [{"x"}]> : tensor<4xf32>
  %1 = sdy.all_gather [{"x"}] %0 out_sharding=<@mesh, [{}]> : tensor<4xf32>
  sdy.sharding_group %1 group_id=5 : tensor<4xf32>
  %2 = sdy.manual_computation(%1) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%a: tensor<2xf32>) {
    sdy.return %a : tensor<2xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  %3 = sdy.named_computation<"n">(%2) (%a: tensor<4xf32>) {
    %4 = stablehlo.exponential %a : tensor<4xf32>
    sdy.return %4 : tensor<4xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  return %3 : tensor<4xf32>
}

// -----

// A function that may be called from elsewhere is put in where it is called, too, and takes the arrays of all replicas.
// CHECK-LABEL: func.func @called
// CHECK-SAME:    (%{{.*}}: tensor<4xf32>, %{{.*}}: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
// CHECK-LABEL: func.func @calls
// CHECK-SAME:    (%{{.*}}: tensor<4xf32>, %{{.*}}: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
// CHECK-NOT:     call
// CHECK-COUNT-4: stablehlo.add
// CHECK:         return
module attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 2 : i32} {
  sdy.mesh @mesh = <["x"=2]>
  func.func @called(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%a: tensor<2xf32>) {
      %1 = stablehlo.add %a, %a : tensor<2xf32>
      sdy.return %1 : tensor<2xf32>
    } : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  func.func @calls(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = func.call @called(%x) : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}

// -----

sdy.mesh @mesh = <["x"=2]>
// expected-error@+1 {{has a body that does not end with its results}}
func.func @ends(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%a: tensor<2xf32>) {
    sdy.return %a : tensor<2xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  "stablehlo.return"() : () -> ()
}

// -----

sdy.mesh @mesh = <["x"=2]>
func.func @sends(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%a: tensor<2xf32>) {
    // expected-error@+1 {{has source_target_pairs that are not of different devices that there are}}
    %1 = "stablehlo.collective_permute"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, source_target_pairs = dense<[[0, 2]]> : tensor<1x2xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
    sdy.return %1 : tensor<2xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

sdy.mesh @mesh = <["x"=2]>
func.func @uneven(%x: tensor<5xf32>) -> tensor<5xf32> {
  // expected-error@+1 {{'sdy.manual_computation' op has an array whose parts on the devices are not of one size}}
  %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%a: tensor<2xf32>) {
    sdy.return %a : tensor<2xf32>
  } : (tensor<5xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// -----

module attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["x"=2]>
  func.func @other(%x: tensor<4xf32>) -> tensor<4xf32> {
    // expected-error@+1 {{'sdy.manual_computation' op has a sharding that does not fit its array and the devices}}
    %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%a: tensor<2xf32>) {
      sdy.return %a : tensor<2xf32>
    } : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}

// -----

sdy.mesh @mesh = <["x"=100000]>
// expected-error@+1 {{is for 1 replicas of 100000 partitions; there are at most 1024 devices}}
func.func @many(%x: tensor<100000xf32>) -> tensor<100000xf32> {
  %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%a: tensor<1xf32>) {
    sdy.return %a : tensor<1xf32>
  } : (tensor<100000xf32>) -> tensor<100000xf32>
  return %0 : tensor<100000xf32>
}
