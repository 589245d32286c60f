// Programs that run at the same time and send values to each other.
// RUN: xla-run %s --with=%S/Inputs/receiver.mlir --entry=send --input="2xf32=1 2" | FileCheck %s
// CHECK: {{^}}{{.*}}with.mlir:{{$}}
// CHECK-NEXT: {{^}}{{.*}}receiver.mlir:{{$}}
// CHECK-NEXT: {{^}}2xf32=2 4{{$}}
// RUN: xla-run %s --with=%S/Inputs/receiver.mlir --entry=send --replicas=2 --input="2xf32=1 2" --input="2xf32=3 4" --expected-output="2xf32=2 4" --expected-output="2xf32=6 8" | FileCheck %s --check-prefix=REPLICAS
// REPLICAS: replica 1 of {{.*}}with.mlir:
// REPLICAS: replica 1 of {{.*}}receiver.mlir:
// REPLICAS-NEXT: 2xf32=6 8
// A program may send to itself, and between its replicas; a recv comes first.
// RUN: xla-run %s --entry=self --input="2xf32=1 2" --expected-output="2xf32=1 2"
// RUN: xla-run %s --entry=replicas --replicas=2 --input="2xf32=1 2" --input="2xf32=3 4" --expected-output="2xf32=0 0" --expected-output="2xf32=1 2"
// Many values over one channel, in order.
// RUN: xla-run %s --entry=stream --replicas=2 --expected-output=s32=0 --expected-output=s32=12345
// What differs is said with its program's name.
// RUN: not xla-run %s --with=%S/Inputs/check-receiver.mlir --entry=send --input="2xf32=1 2" 2>&1 | FileCheck %s --check-prefix=NAMED
// NAMED: check-receiver.mlir:6:3: check.expect_eq: 2 of 2 elements differ
// Each waits for the other's recv: the specification's deadlock.
// RUN: sh %S/Inputs/code.sh xla-run %s --entry=cycle --with=%S/Inputs/first-send.mlir | FileCheck %s --check-prefix=CYCLE
// CYCLE-DAG: with.mlir:[[#@LINE+80]]:8: error: 'xla.send' op of replica 0 of {{.*}}with.mlir waits for an 'xla.recv' on channel 2, which does not come [deadlock]
// CYCLE-DAG: first-send.mlir:4:8: error: 'xla.send' op of replica 0 of {{.*}}first-send.mlir waits for an 'xla.recv' on channel 1, which does not come [deadlock]
// CYCLE: exit 2
// RUN: sh %S/Inputs/code.sh xla-run %s --entry=ordered --with=%S/Inputs/first-send.mlir | FileCheck %s --check-prefix=ORDERED
// ORDERED: exit 0
// RUN: not xla-run %s --entry=lonely 2>&1 | FileCheck %s --check-prefix=LONELY
// LONELY: 'xla.recv_done' op of replica 0 waits for an 'xla.send' on channel 1, which does not come [deadlock]
// RUN: not xla-run %s --entry=types --replicas=2 2>&1 | FileCheck %s --check-prefix=TYPES
// TYPES: error: 'xla.send' op sends tensor<3xi32> on channel 1 [channel]
// TYPES: error: 'xla.recv_done' op receives tensor<2xf32> on channel 1, gets tensor<3xi32> [channel]
// RUN: not xla-run %s --entry=both --replicas=2 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: error: 'xla.recv' op of replica {{[01]}} uses channel 1, on which replica {{[01]}} receives [channel]
// RUN: not xla-run %s --entry=host 2>&1 | FileCheck %s --check-prefix=HOST
// HOST: error: 'xla.send' op transfers to or from the host, which is not supported yet; xla.infeed and xla.outfeed do
// RUN: not xla-run %s --with=nothing.mlir --entry=lonely 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: xla-run: nothing.mlir: No such file or directory

func.func @send(%x: tensor<2xf32>) {
  %0 = xla.send %x {channel_id = 7} : (tensor<2xf32>) -> tuple<tensor<2xf32>, tensor<ui32>>
  xla.send_done %0 : (tuple<tensor<2xf32>, tensor<ui32>>) -> ()
  return
}
func.func @self(%x: tensor<2xf32>) -> tensor<2xf32> {
  %k = xla.create_token : () -> !xla.token
  %r = xla.recv %k {channel_id = 1} : (!xla.token) -> tuple<tensor<2xf32>, tensor<ui32>, !xla.token>
  %s = xla.send %x, %k {channel_id = 1} : (tensor<2xf32>, !xla.token) -> tuple<tensor<2xf32>, tensor<ui32>, !xla.token>
  %sent = xla.send_done %s : (tuple<tensor<2xf32>, tensor<ui32>, !xla.token>) -> !xla.token
  %0:2 = xla.recv_done %r : (tuple<tensor<2xf32>, tensor<ui32>, !xla.token>) -> (tensor<2xf32>, !xla.token)
  return %0#0 : tensor<2xf32>
}
func.func @first() -> tensor<i1> {
  %id = xla.replica_id : () -> tensor<ui32>
  %zero = xla.constant dense<0> : tensor<ui32>
  %first = xla.compare %id, %zero {comparison_direction = "EQ"} : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
  return %first : tensor<i1>
}
func.func @replicas(%x: tensor<2xf32>) -> tensor<2xf32> {
  %first = func.call @first() : () -> tensor<i1>
  %0 = xla.if(%first) ({
    %s = xla.send %x {channel_id = 1} : (tensor<2xf32>) -> tuple<tensor<2xf32>, tensor<ui32>>
    xla.send_done %s : (tuple<tensor<2xf32>, tensor<ui32>>) -> ()
    %zeros = xla.constant dense<0.0> : tensor<2xf32>
    xla.return %zeros : tensor<2xf32>
  }, {
    %r = xla.recv {channel_id = 1} : () -> tuple<tensor<2xf32>, tensor<ui32>>
    %1 = xla.recv_done %r : (tuple<tensor<2xf32>, tensor<ui32>>) -> tensor<2xf32>
    xla.return %1 : tensor<2xf32>
  }) : (tensor<i1>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func @stream() -> tensor<i32> {
  %first = func.call @first() : () -> tensor<i1>
  %zero = xla.constant dense<0> : tensor<i32>
  %one = xla.constant dense<1> : tensor<i32>
  %five = xla.constant dense<5> : tensor<i32>
  %ten = xla.constant dense<10> : tensor<i32>
  %w:2 = xla.while(%zero, %zero) ({
  ^bb0(%i: tensor<i32>, %sum: tensor<i32>):
    %c = xla.compare %i, %five {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  }, {
  ^bb0(%i: tensor<i32>, %sum: tensor<i32>):
    %n = xla.add %i, %one : tensor<i32>
    %next = xla.if(%first) ({
      %s = xla.send %n {channel_id = 1} : (tensor<i32>) -> tuple<tensor<i32>, tensor<ui32>>
      xla.send_done %s : (tuple<tensor<i32>, tensor<ui32>>) -> ()
      xla.return %zero : tensor<i32>
    }, {
      %r = xla.recv {channel_id = 1} : () -> tuple<tensor<i32>, tensor<ui32>>
      %x = xla.recv_done %r : (tuple<tensor<i32>, tensor<ui32>>) -> tensor<i32>
      %shifted = xla.multiply %sum, %ten : tensor<i32>
      %more = xla.add %shifted, %x : tensor<i32>
      xla.return %more : tensor<i32>
    }) : (tensor<i1>) -> tensor<i32>
    xla.return %n, %next : tensor<i32>, tensor<i32>
  }) : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
  return %w#1 : tensor<i32>
}
func.func @cycle() {
  %x = xla.constant dense<1.0> : tensor<2xf32>
  %s = xla.send %x {channel_id = 2} : (tensor<2xf32>) -> tuple<tensor<2xf32>, tensor<ui32>>
  xla.send_done %s : (tuple<tensor<2xf32>, tensor<ui32>>) -> ()
  %r = xla.recv {channel_id = 1} : () -> tuple<tensor<2xf32>, tensor<ui32>>
  %0 = xla.recv_done %r : (tuple<tensor<2xf32>, tensor<ui32>>) -> tensor<2xf32>
  return
}
func.func @ordered() {
  %x = xla.constant dense<1.0> : tensor<2xf32>
  %r = xla.recv {channel_id = 1} : () -> tuple<tensor<2xf32>, tensor<ui32>>
  %s = xla.send %x {channel_id = 2} : (tensor<2xf32>) -> tuple<tensor<2xf32>, tensor<ui32>>
  xla.send_done %s : (tuple<tensor<2xf32>, tensor<ui32>>) -> ()
  %0 = xla.recv_done %r : (tuple<tensor<2xf32>, tensor<ui32>>) -> tensor<2xf32>
  return
}
func.func @lonely() {
  %r = xla.recv {channel_id = 1} : () -> tuple<tensor<2xf32>, tensor<ui32>>
  %0 = xla.recv_done %r : (tuple<tensor<2xf32>, tensor<ui32>>) -> tensor<2xf32>
  return
}
func.func @types() {
  %first = func.call @first() : () -> tensor<i1>
  %x = xla.constant dense<1> : tensor<3xi32>
  xla.if(%first) ({
    %s = xla.send %x {channel_id = 1} : (tensor<3xi32>) -> tuple<tensor<3xi32>, tensor<ui32>>
    xla.send_done %s : (tuple<tensor<3xi32>, tensor<ui32>>) -> ()
    xla.return
  }, {
    %r = xla.recv {channel_id = 1} : () -> tuple<tensor<2xf32>, tensor<ui32>>
    %0 = xla.recv_done %r : (tuple<tensor<2xf32>, tensor<ui32>>) -> tensor<2xf32>
    xla.return
  }) : (tensor<i1>) -> ()
  return
}
func.func @both() {
  %r = xla.recv {channel_id = 1} : () -> tuple<tensor<2xf32>, tensor<ui32>>
  %0 = xla.recv_done %r : (tuple<tensor<2xf32>, tensor<ui32>>) -> tensor<2xf32>
  return
}
func.func @host() {
  %x = xla.constant dense<1> : tensor<3xi32>
  %s = xla.send %x {channel_id = 1, channel_type = 2, is_host_transfer = true} : (tensor<3xi32>) -> tuple<tensor<3xi32>, tensor<ui32>>
  xla.send_done %s : (tuple<tensor<3xi32>, tensor<ui32>>) -> ()
  return
}
