// Several replicas, and the examples that specification 000 prints.
// RUN: xla-run %s --entry=gather --replicas=2 --input="2xf32=1 2.5" --input="2xf32=3 5.25" | FileCheck %s --check-prefix=GATHER
// GATHER: {{^}}replica 0:{{$}}
// GATHER-NEXT: {{^}}4xf32=1 2.5 3 5.25{{$}}
// GATHER-NEXT: {{^}}replica 1:{{$}}
// GATHER-NEXT: {{^}}4xf32=1 2.5 3 5.25{{$}}
// RUN: xla-run %s --entry=gather_groups --replicas=4 --input=f32=0 --input=f32=1 --input=f32=2 --input=f32=3 --expected-output="2xf32=0 2" --expected-output="2xf32=1 3" --expected-output="2xf32=0 2" --expected-output="2xf32=1 3"
// RUN: xla-run %s --entry=reduce --replicas=2 --input="2xf32=1 2.5" --input="2xf32=3 5.25" --expected-output="2xf32=4 7.75"
// RUN: xla-run %s --entry=reduce_groups --replicas=4 --input=f32=1 --input=f32=10 --input=f32=2 --input=f32=20 --expected-output=f32=3 --expected-output=f32=30 --expected-output=f32=3 --expected-output=f32=30
// RUN: xla-run %s --entry=reduce_tuple --replicas=2 --input=f32=1 --input="2xbf16=2 3" --input=f32=10 --input="2xbf16=20 30" --expected-output=f32=11 --expected-output="2xf32=22 33"
// RUN: xla-run %s --entry=sum --replicas=2 --input="2xf32=1 2.5" --input="2xf32=3 5.25" --expected-output="2xf32=4 7.75" | count 4
// RUN: xla-run %s --entry=scatter --replicas=2 --input="2xf32=1 2.25" --input="2xf32=3 5.25" --expected-output=1xf32=4 --expected-output=1xf32=7.5
// In the order of the group, not of the replicas.
// RUN: xla-run %s --entry=order --replicas=3 --input=f32=1 --input=f32=10 --input=f32=100 --expected-output=f32=89
// RUN: xla-run %s --entry=exchange --replicas=4 --expected-output="4x2xi32=0 1 10 11 20 21 30 31" --expected-output="4x2xi32=2 3 12 13 22 23 32 33" --expected-output="4x2xi32=4 5 14 15 24 25 34 35" --expected-output="4x2xi32=6 7 16 17 26 27 36 37"
// RUN: xla-run %s --entry=exchange_groups --replicas=6 --expected-output="3xi32=42 52 02" --expected-output="3xi32=10 20 30" --expected-output="3xi32=11 21 31" --expected-output="3xi32=12 22 32" --expected-output="3xi32=40 50 00" --expected-output="3xi32=41 51 01"
// RUN: xla-run %s --entry=example --replicas=4 --seed=3 --output=none
// A replica that is nobody's target gets zeros.
// RUN: xla-run %s --entry=permute --replicas=4 --input=f32=1 --input=f32=2 --input=f32=3 --input=f32=4 --expected-output=f32=0 --expected-output=f32=1 --expected-output=f32=2 --expected-output=f32=4
// RUN: xla-run %s --entry=broadcast --replicas=3 --input=f32=1 --input=f32=2 --input=f32=3 --expected-output=f32=3 --expected-output=f32=0 --expected-output=f32=3
// RUN: xla-run %s --entry=ids --replicas=2 --partitions=2 | FileCheck %s --check-prefix=IDS
// IDS: replica 0, partition 0:
// IDS-NEXT: {{^}}u32=0{{$}}
// IDS-NEXT: {{^}}u32=0{{$}}
// IDS-NEXT: replica 0, partition 1:
// IDS-NEXT: {{^}}u32=0{{$}}
// IDS-NEXT: {{^}}u32=1{{$}}
// IDS-NEXT: replica 1, partition 0:
// IDS-NEXT: {{^}}u32=1{{$}}
// IDS-NEXT: {{^}}u32=0{{$}}
// IDS-NEXT: replica 1, partition 1:
// IDS-NEXT: {{^}}u32=1{{$}}
// IDS-NEXT: {{^}}u32=1{{$}}
// What the numbers of groups count depends on channel_id and use_global_device_ids.
// RUN: xla-run %s --entry=strategies --replicas=2 --partitions=2 --input=i32=1 --input=i32=10 --input=i32=100 --input=i32=1000 --expected-output=i32=101 --expected-output=i32=1111 --expected-output=i32=1001 --expected-output="2xi32=1 10" --expected-output=i32=1010 --expected-output=i32=1111 --expected-output=i32=110 --expected-output="2xi32=1 10" --expected-output=i32=101 --expected-output=i32=1111 --expected-output=i32=110 --expected-output="2xi32=100 1000" --expected-output=i32=1010 --expected-output=i32=1111 --expected-output=i32=1001 --expected-output="2xi32=100 1000"
// Loops meet once an iteration.
// RUN: xla-run %s --entry=loop --replicas=3 --expected-output=i32=27 | count 6
// Everybody may have the same input, and outputs may be files.
// RUN: rm -rf %t && mkdir %t && xla-run %s --entry=sum --replicas=2 --input="2xf32=1 2" --output=@%t/0.npy --output=@%t/1.npy && xla-run %s --entry=same --input=@%t/1.npy --expected-output="2xf32=2 4"
// RUN: xla-run %s --entry=sum --replicas=2 --input="2xf32=1 2" --output=none --output=- | FileCheck %s --check-prefix=SECOND
// SECOND: {{^}}2xf32=2 4{{$}}
// Random inputs differ from replica to replica, and results do not depend on who comes first.
// RUN: xla-run %s --entry=gather --replicas=2 --seed=1 > %t/a && xla-run %s --entry=gather --replicas=2 --seed=1 > %t/b && diff %t/a %t/b
// One replica: what it has is all there is.
// RUN: xla-run %s --entry=alone --input="2xf32=1 2" | count 8
// RUN: xla-run %s --entry=alone --input="2xf32=1 2" --expected-output="2xf32=1 2" --expected-output="2xf32=1 2" --expected-output="2xf32=1 2" --expected-output="2xf32=1 2" --expected-output="2xf32=1 2" --expected-output="2xf32=0 0" --expected-output="2xf32=1 2" --expected-output="2xf32=0 0"
// RUN: xla-run %s --entry=alone --input="2xf32=1 2" --device=all --output=none --output=none --output=none --output=none --output=none --output=none --output=none --output=none
// RUN: xla-run %s --entry=alone --input="2xf32=1 2" --device=cpu --expected-output="2xf32=1 2" --expected-output="2xf32=1 2" --expected-output="2xf32=1 2" --expected-output="2xf32=1 2" --expected-output="2xf32=1 2" --expected-output="2xf32=0 0" --expected-output="2xf32=1 2" --expected-output="2xf32=0 0"
// RUN: xla-run %s --entry=ids --device=cpu --expected-output=u32=0 --expected-output=u32=0
// RUN: xla-run %s --entry=edges --replicas=2 --check | FileCheck %s --check-prefix=EDGES
// EDGES: 1 passed, 0 failed

// Sums of f32 are rounded one by one, in the order of the group; those of a dimension in the middle are scattered.
// RUN: xla-run %s --entry=sums --replicas=3 --input="2xf32=1e8 1" --input="2xf32=1 1e8" --input="2xf32=-1e8 -1e8" --rtol=0 --atol=0 --expected-output="2xf32=0 0"
// RUN: xla-run %s --entry=scatter_rows --replicas=2 --input="2x4xf32=1 2 3 4 5 6 7 8" --input="2x4xf32=10 20 30 40 50 60 70 80" --expected-output="2x2xf32=11 22 55 66" --expected-output="2x2xf32=9 18 45 54" --expected-output="2x2xf32=33 44 77 88" --expected-output="2x2xf32=27 36 63 72"

func.func @gather(%x: tensor<2xf32>) -> tensor<4xf32> {
  %0 = xla.all_gather %x {all_gather_dim = 0, shard_count = 2} : (tensor<2xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @gather_groups(%x: tensor<f32>) -> tensor<2xf32> {
  %0 = xla.reshape %x : (tensor<f32>) -> tensor<1xf32>
  %1 = xla.all_gather %0 {all_gather_dim = 0, replica_groups = [[0, 2], [1, 3]]} : (tensor<1xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}
func.func @reduce(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = xla.all_reduce(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) : tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func @reduce_groups(%x: tensor<f32>) -> tensor<f32> {
  %0 = xla.all_reduce(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {replica_groups = [[0, 2], [1, 3]]} : tensor<f32>
  return %0 : tensor<f32>
}
func.func @reduce_tuple(%t: tuple<tensor<f32>, tensor<2xbf16>>) -> tuple<tensor<f32>, tensor<2xf32>> {
  %0 = xla.all_reduce(%t) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) : (tuple<tensor<f32>, tensor<2xbf16>>) -> tuple<tensor<f32>, tensor<2xf32>>
  return %0 : tuple<tensor<f32>, tensor<2xf32>>
}
func.func @sum(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = xla.cross_replica_sum %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func @same(%x: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}
func.func @scatter(%x: tensor<2xf32>) -> tensor<1xf32> {
  %0 = xla.reduce_scatter(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {scatter_dimension = 0, shard_count = 2} : (tensor<2xf32>) -> tensor<1xf32>
  return %0 : tensor<1xf32>
}
func.func @order(%x: tensor<f32>) -> tensor<f32> {
  %0 = xla.all_reduce(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.subtract %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {replica_groups = [[2, 0, 1]]} : tensor<f32>
  return %0 : tensor<f32>
}
func.func @numbers() -> tensor<8xi32> {
  %id = xla.replica_id : () -> tensor<ui32>
  %signed = xla.convert %id : (tensor<ui32>) -> tensor<i32>
  %ten = xla.constant dense<10> : tensor<i32>
  %tens = xla.multiply %signed, %ten : tensor<i32>
  %iota = xla.iota {iota_dimension = 0} : () -> tensor<8xi32>
  %0 = xla.add %iota, %tens : (tensor<8xi32>, tensor<i32>) -> tensor<8xi32>
  return %0 : tensor<8xi32>
}
func.func @exchange() -> tensor<4x2xi32> {
  %0 = func.call @numbers() : () -> tensor<8xi32>
  %1 = xla.reshape %0 : (tensor<8xi32>) -> tensor<1x8xi32>
  %2 = xla.all_to_all %1 {split_dimension = 1, concat_dimension = 0, split_count = 4} : (tensor<1x8xi32>) -> tensor<4x2xi32>
  return %2 : tensor<4x2xi32>
}
func.func @exchange_groups() -> tensor<3xi32> {
  %0 = func.call @numbers() : () -> tensor<8xi32>
  %1 = xla.slice %0 {start_indices = [0], limit_indices = [3]} : (tensor<8xi32>) -> tensor<3xi32>
  %2 = xla.all_to_all %1 {split_dimension = 0, concat_dimension = 0, split_count = 3, replica_groups = [[1, 2, 3], [4, 5, 0]]} : tensor<3xi32>
  return %2 : tensor<3xi32>
}
func.func @example(%x: tensor<4x16xf32>) -> tensor<16x4xf32> {
  %0 = xla.all_to_all %x {split_dimension = 1, concat_dimension = 0, split_count = 4} : (tensor<4x16xf32>) -> tensor<16x4xf32>
  // There and back again.
  %1 = xla.all_to_all %0 {split_dimension = 0, concat_dimension = 1, split_count = 4} : (tensor<16x4xf32>) -> tensor<4x16xf32>
  xla.custom_call %1, %x {call_target_name = "check.expect_eq"} : (tensor<4x16xf32>, tensor<4x16xf32>) -> ()
  return %0 : tensor<16x4xf32>
}
func.func @permute(%x: tensor<f32>) -> tensor<f32> {
  %0 = xla.collective_permute %x {source_target_pairs = [[0, 1], [3, 3], [1, 2]]} : tensor<f32>
  return %0 : tensor<f32>
}
func.func @broadcast(%x: tensor<f32>) -> tensor<f32> {
  %0 = xla.collective_broadcast %x {replica_groups = [[2, 0]]} : tensor<f32>
  return %0 : tensor<f32>
}
func.func @ids() -> (tensor<ui32>, tensor<ui32>) {
  %0 = xla.replica_id : () -> tensor<ui32>
  %1 = xla.partition_id : () -> tensor<ui32>
  return %0, %1 : tensor<ui32>, tensor<ui32>
}
func.func @strategies(%x: tensor<i32>) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<2xi32>) {
  // Replicas of the same partition; all; processes 0 and 3, 1 and 2; partitions of the same replica.
  %0 = xla.all_reduce(%x) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = xla.add %a, %b : tensor<i32>
    xla.return %s : tensor<i32>
  }) {replica_groups = [[0, 1]]} : tensor<i32>
  %1 = xla.all_reduce(%x) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = xla.add %a, %b : tensor<i32>
    xla.return %s : tensor<i32>
  }) {replica_groups = [[0, 1]], channel_id = 1} : tensor<i32>
  %2 = xla.all_reduce(%x) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = xla.add %a, %b : tensor<i32>
    xla.return %s : tensor<i32>
  }) {replica_groups = [[0, 3], [1, 2]], channel_id = 2, use_global_device_ids = true} : tensor<i32>
  %y = xla.reshape %x : (tensor<i32>) -> tensor<1xi32>
  %3 = xla.all_gather %y {all_gather_dim = 0, replica_groups = [[0], [1]], channel_id = 3} : (tensor<1xi32>) -> tensor<2xi32>
  return %0, %1, %2, %3 : tensor<i32>, tensor<i32>, tensor<i32>, tensor<2xi32>
}
func.func @loop() -> tensor<i32> {
  %one = xla.constant dense<1> : tensor<i32>
  %w = xla.while(%one) ({
  ^bb0(%i: tensor<i32>):
    %limit = xla.constant dense<20> : tensor<i32>
    %c = xla.compare %i, %limit {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  }, {
  ^bb0(%i: tensor<i32>):
    %0 = xla.cross_replica_sum %i : tensor<i32>
    xla.return %0 : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  return %w : tensor<i32>
}
func.func @alone(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %0 = xla.all_gather %x {all_gather_dim = 0, replica_groups = [[0]]} : tensor<2xf32>
  %1 = xla.all_reduce(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %a : tensor<f32>
    xla.return %s : tensor<f32>
  }) {channel_id = 7, use_global_device_ids = true, replica_groups = [[0]]} : tensor<2xf32>
  %2 = xla.cross_replica_sum %x : tensor<2xf32>
  %3 = xla.all_to_all %x {split_dimension = 0, concat_dimension = 0, split_count = 1} : tensor<2xf32>
  %4 = xla.collective_permute %x {source_target_pairs = [[0, 0]]} : tensor<2xf32>
  %5 = xla.collective_permute %x {source_target_pairs = []} : tensor<2xf32>
  %6 = xla.reduce_scatter(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {scatter_dimension = 0} : tensor<2xf32>
  %7 = xla.collective_broadcast %x {replica_groups = []} : tensor<2xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}
func.func @edges() {
  %empty = xla.constant dense<> : tensor<0x2xf32>
  %0 = xla.all_gather %empty {all_gather_dim = 1, shard_count = 2} : (tensor<0x2xf32>) -> tensor<0x4xf32>
  %1 = xla.all_to_all %empty {split_dimension = 1, concat_dimension = 0, split_count = 2} : (tensor<0x2xf32>) -> tensor<0x1xf32>
  %2 = xla.cross_replica_sum %empty : tensor<0x2xf32>
  // Bits of NaN stay; preds are or'ed; integers wrap; sums of f16 overflow.
  %nan = xla.constant dense<[0x7FC00123, 0x80000000]> : tensor<2xf32>
  %3 = xla.collective_permute %nan {source_target_pairs = [[0, 1], [1, 0]]} : tensor<2xf32>
  %bits = xla.bitcast_convert %3 : (tensor<2xf32>) -> tensor<2xui32>
  %want = xla.constant dense<[0x7FC00123, 0x80000000]> : tensor<2xui32>
  xla.custom_call %bits, %want {call_target_name = "check.expect_eq"} : (tensor<2xui32>, tensor<2xui32>) -> ()
  %i = xla.constant dense<[100, -128]> : tensor<2xi8>
  %4 = xla.cross_replica_sum %i : tensor<2xi8>
  %wrapped = xla.constant dense<[-56, 0]> : tensor<2xi8>
  xla.custom_call %4, %wrapped {call_target_name = "check.expect_eq"} : (tensor<2xi8>, tensor<2xi8>) -> ()
  %p = xla.constant dense<[true, false]> : tensor<2xi1>
  %5 = xla.cross_replica_sum %p : tensor<2xi1>
  xla.custom_call %5, %p {call_target_name = "check.expect_eq"} : (tensor<2xi1>, tensor<2xi1>) -> ()
  %h = xla.constant dense<[6.0e4, 0x7E00, -0.0]> : tensor<3xf16>
  %6 = xla.cross_replica_sum %h : tensor<3xf16>
  %inf = xla.constant dense<[0x7C00, 0x7E00, -0.0]> : tensor<3xf16>
  xla.custom_call %6, %inf {call_target_name = "check.expect_eq"} : (tensor<3xf16>, tensor<3xf16>) -> ()
  %z = xla.constant dense<[(1.0, -2.0)]> : tensor<1xcomplex<f32>>
  %7 = xla.cross_replica_sum %z : tensor<1xcomplex<f32>>
  %twice = xla.constant dense<[(2.0, -4.0)]> : tensor<1xcomplex<f32>>
  xla.custom_call %7, %twice {call_target_name = "check.expect_eq"} : (tensor<1xcomplex<f32>>, tensor<1xcomplex<f32>>) -> ()
  return
}
func.func @sums(%x: tensor<2xf32>) -> (tensor<2xf32>) {
  %0 = xla.cross_replica_sum %x {replica_groups = [[0, 1, 2]]} : tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func @scatter_rows(%x: tensor<2x4xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
  %0 = xla.reduce_scatter(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {scatter_dimension = 1, shard_count = 2} : (tensor<2x4xf32>) -> tensor<2x2xf32>
  %1 = xla.reduce_scatter(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.subtract %b, %a : tensor<f32>
    xla.return %s : tensor<f32>
  }) {scatter_dimension = 1, shard_count = 2} : (tensor<2x4xf32>) -> tensor<2x2xf32>
  return %0, %1 : tensor<2x2xf32>, tensor<2x2xf32>
}
