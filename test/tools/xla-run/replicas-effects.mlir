// What replicas combine may draw random numbers, call and transfer: every process computes its own result, element after element in their order, of each the members in the order of the group.
// RUN: clang-22 -shared -fPIC -o %t.so %S/Inputs/foreign.c
// RUN: xla-run %s --entry=draws --seed=7 --device=all --replicas=3 --input="4xf32=1 2 3 4" | FileCheck %s
// What is drawn before and after goes on in the same stream, and is drawn as often on all devices.
// CHECK: replica 0:
// CHECK-NEXT: f32=0.9545971
// CHECK-NEXT: 4xf32=1.413035
// CHECK: replica 2:
// CHECK-NEXT: f32=0.9545971
// CHECK-NEXT: 4xf32=5.413035
// RUN: xla-run %s --entry=loop --seed=7 --device=all --replicas=2 --input=s32=3 | count 8
// RUN: xla-run %s --entry=complex --seed=7 --device=all --replicas=2 --input="2xc64=(1,2) (3,4)" --input="2xbf16=1 2" | count 6
// RUN: xla-run %s --entry=sizes --seed=7 --device=all --replicas=2 --input="4xf32=1 2 3 4" --input=s32=2 | count 6
// RUN: xla-run %s --entry=groups --seed=7 --device=all --replicas=4 --input="4xf32=1 2 3 4" | count 8
// RUN: xla-run %s --entry=alone --seed=7 --device=all --replicas=1 --input="2xf32=1 2" --expected-output="2xf32=1 2" --expected-output=f32=0.9545971
// RUN: xla-run %s --entry=calls --custom-calls=%t.so --device=all --replicas=2 --input="2xf32=1 2" --input=f32=3 --input="2xf32=10 20" --input=f32=4 --expected-output="2xf32=4 4" --expected-output="2xf32=5 5"
// RUN: not xla-run %s --entry=calls --device=cpu --replicas=2 --input="2xf32=1 2" --input=f32=3 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: replicas-effects.mlir:[[#@LINE+119]]:{{.*}} error: 'xla.custom_call' op calls "ordered", which has no implementation
// RUN: xla-run %s --entry=feeds --device=all --replicas=2 --input="2xf32=1 2" --infeed=f32=1 --infeed=f32=2 --infeed=f32=3 --infeed=f32=4 | FileCheck %s --check-prefix=FEEDS
// FEEDS: replica 0:
// FEEDS-NEXT: outfeed f32=1
// FEEDS-NEXT: outfeed f32=2
// FEEDS-NEXT: 2xf32=3 6
// FEEDS-NEXT: replica 1:
// FEEDS-NEXT: outfeed f32=1
// FEEDS-NEXT: outfeed f32=2
// FEEDS-NEXT: 2xf32=5 8
// RUN: xla-run %s --entry=transfers --device=all --replicas=2 --input="2xf32=1 2" --input="2xf32=3 5" --expected-output="2xf32=1 2" --expected-output="2xf32=9 25"
// An operation between replicas in the computation of another is an error of the run, on all devices.
// RUN: not xla-run %s --entry=nested --replicas=2 --input="2xf32=1 2" 2>&1 | FileCheck %s --check-prefix=NESTED
// RUN: not xla-run %s --entry=nested --device=cpu --replicas=2 --input="2xf32=1 2" 2>&1 | FileCheck %s --check-prefix=NESTED
// NESTED: error: 'xla.cross_replica_sum' op is in the computation of another operation between replicas [meeting]
func.func @draws(%x: tensor<4xf32>) -> (tensor<f32>, tensor<4xf32>, tensor<2xf32>) {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %one = xla.constant dense<1.0> : tensor<f32>
  %id = xla.replica_id : () -> tensor<ui32>
  %n = xla.convert %id : (tensor<ui32>) -> tensor<f32>
  %first = xla.rng_uniform %zero, %one : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %0 = xla.all_reduce(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = xla.rng_uniform %zero, %one : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %p = xla.multiply %b, %r : tensor<f32>
    %s = xla.add %a, %p : tensor<f32>
    %t = xla.add %s, %n : tensor<f32>
    xla.return %t : tensor<f32>
  }) : tensor<4xf32>
  %last = xla.rng_normal %zero, %one : (tensor<f32>, tensor<f32>) -> tensor<2xf32>
  return %first, %0, %last : tensor<f32>, tensor<4xf32>, tensor<2xf32>
}
// In a loop, and in its condition.
func.func @loop(%n: tensor<i32>) -> (tensor<f32>, tensor<i32>, tensor<f32>) {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %one = xla.constant dense<1.0> : tensor<f32>
  %start = xla.constant dense<0> : tensor<i32>
  %0:2 = xla.while(%start, %zero) ({
  ^bb0(%i: tensor<i32>, %x: tensor<f32>):
    %y = xla.all_reduce(%one) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %r = xla.rng_uniform %zero, %one : (tensor<f32>, tensor<f32>) -> tensor<f32>
      xla.return %r : tensor<f32>
    }) : tensor<f32>
    %less = xla.compare %i, %n {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %positive = xla.compare %y, %zero {comparison_direction = "GE"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %both = xla.and %less, %positive : tensor<i1>
    xla.return %both : tensor<i1>
  }, {
  ^bb0(%i: tensor<i32>, %x: tensor<f32>):
    %y = xla.all_reduce(%one) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %r = xla.rng_uniform %zero, %b : (tensor<f32>, tensor<f32>) -> tensor<f32>
      xla.return %r : tensor<f32>
    }) : tensor<f32>
    %z = xla.add %x, %y : tensor<f32>
    %step = xla.constant dense<1> : tensor<i32>
    %j = xla.add %i, %step : tensor<i32>
    xla.return %j, %z : tensor<i32>, tensor<f32>
  }) : (tensor<i32>, tensor<f32>) -> (tensor<i32>, tensor<f32>)
  %last = xla.rng_uniform %zero, %one : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %0#1, %0#0, %last : tensor<f32>, tensor<i32>, tensor<f32>
}
func.func @complex(%x: tensor<2xcomplex<f32>>, %y: tensor<2xbf16>) -> (tensor<1xcomplex<f32>>, tensor<2xbf16>) {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %one = xla.constant dense<1.0> : tensor<f32>
  %0 = xla.reduce_scatter(%x) ({
  ^bb0(%a: tensor<complex<f32>>, %b: tensor<complex<f32>>):
    %r = xla.rng_normal %zero, %one : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %c = xla.complex %zero, %r : (tensor<f32>, tensor<f32>) -> tensor<complex<f32>>
    %p = xla.multiply %b, %c : tensor<complex<f32>>
    %s = xla.add %a, %p : tensor<complex<f32>>
    xla.return %s : tensor<complex<f32>>
  }) {scatter_dimension = 0 : i64, shard_count = 2 : i64} : (tensor<2xcomplex<f32>>) -> tensor<1xcomplex<f32>>
  %1 = xla.all_reduce(%y) ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %r = xla.rng_uniform %a, %b : (tensor<bf16>, tensor<bf16>) -> tensor<bf16>
    xla.return %r : tensor<bf16>
  }) : tensor<2xbf16>
  return %0, %1 : tensor<1xcomplex<f32>>, tensor<2xbf16>
}
func.func @sizes(%x: tensor<4xf32>, %n: tensor<i32>) -> (tensor<?xf32, #xla.array<bounds = [4]>>, tensor<f32>) {
  %one = xla.constant dense<1.0> : tensor<f32>
  %d = xla.set_dimension_size %x, %n {dimension = 0 : i64} : (tensor<4xf32>, tensor<i32>) -> tensor<?xf32, #xla.array<bounds = [4]>>
  %0 = xla.all_reduce(%d) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = xla.rng_uniform %a, %one : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %s = xla.add %r, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) : tensor<?xf32, #xla.array<bounds = [4]>>
  %last = xla.rng_normal %one, %one : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %0, %last : tensor<?xf32, #xla.array<bounds = [4]>>, tensor<f32>
}
func.func @groups(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %0 = xla.all_reduce(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = xla.rng_uniform %zero, %a : (tensor<f32>, tensor<f32>) -> tensor<f32>
    xla.return %r : tensor<f32>
  }) {replica_groups = [[2, 0, 3], [1]]} : tensor<4xf32>
  return %0 : tensor<4xf32>
}
// Of one nothing is combined.
func.func @alone(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<f32>) {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %one = xla.constant dense<1.0> : tensor<f32>
  %0 = xla.all_reduce(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = xla.rng_uniform %zero, %a : (tensor<f32>, tensor<f32>) -> tensor<f32>
    xla.return %r : tensor<f32>
  }) : tensor<2xf32>
  %1 = xla.rng_uniform %zero, %one : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %0, %1 : tensor<2xf32>, tensor<f32>
}
// A function that takes a token, of what is outside.
func.func @calls(%x: tensor<2xf32>, %y: tensor<f32>) -> tensor<2xf32> {
  %0 = xla.all_reduce(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %k = xla.create_token : () -> !xla.token
    %c:2 = xla.custom_call %k, %y {call_target_name = "ordered"} : (!xla.token, tensor<f32>) -> (tensor<f32>, !xla.token)
    %s = xla.add %c#0, %c#0 : tensor<f32>
    %t = xla.subtract %s, %y : tensor<f32>
    %one = xla.constant dense<1.0> : tensor<f32>
    %u = xla.add %t, %one : tensor<f32>
    xla.return %u : tensor<f32>
  }) : tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func @feeds(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = xla.all_reduce(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %f = xla.infeed : () -> tensor<f32>
    xla.outfeed %b : (tensor<f32>) -> ()
    %s = xla.add %a, %b : tensor<f32>
    %t = xla.add %s, %f : tensor<f32>
    xla.return %t : tensor<f32>
  }) : tensor<2xf32>
  return %0 : tensor<2xf32>
}
// The first sends what it has to the second.
func.func @transfers(%x: tensor<2xf32>) -> tensor<2xf32> {
  %id = xla.replica_id : () -> tensor<ui32>
  %zero = xla.constant dense<0> : tensor<ui32>
  %first = xla.compare %id, %zero {comparison_direction = "EQ"} : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
  %0 = xla.all_reduce(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = xla.if(%first) ({
      %s = xla.send %b {channel_id = 5} : (tensor<f32>) -> tuple<tensor<f32>, tensor<ui32>>
      xla.send_done %s : (tuple<tensor<f32>, tensor<ui32>>) -> ()
      xla.return %a : tensor<f32>
    }, {
      %r = xla.recv {channel_id = 5} : () -> tuple<tensor<f32>, tensor<ui32>>
      %d = xla.recv_done %r : (tuple<tensor<f32>, tensor<ui32>>) -> tensor<f32>
      %e = xla.multiply %d, %d : tensor<f32>
      xla.return %e : tensor<f32>
    }) : (tensor<i1>) -> tensor<f32>
    xla.return %c : tensor<f32>
  }) : tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func @nested(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = xla.all_reduce(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.cross_replica_sum %a : tensor<f32>
    xla.return %s : tensor<f32>
  }) : tensor<2xf32>
  return %0 : tensor<2xf32>
}
