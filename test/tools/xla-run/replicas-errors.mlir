// What goes wrong between replicas is said at once, with the operations and their places.
// RUN: sh %S/Inputs/code.sh xla-run %s --entry=unequal --replicas=2 | FileCheck %s --check-prefix=UNEQUAL
// UNEQUAL: replicas-errors.mlir:[[#@LINE+57]]:10: error: 'xla.cross_replica_sum' op of replica 1 waits for replica 0, which has ended [deadlock]
// UNEQUAL: exit 2
// RUN: sh %S/Inputs/code.sh xla-run %s --entry=mismatch --replicas=2 | FileCheck %s --check-prefix=MISMATCH
// MISMATCH-DAG: error: 'xla.{{all_gather|cross_replica_sum}}' op of replica {{[01]}} meets that of replica {{[01]}}, which is an 'xla.{{all_gather|cross_replica_sum}}' [meeting]
// MISMATCH-DAG: error: 'xla.{{all_gather|cross_replica_sum}}' op is where replica {{[01]}} waits [meeting]
// MISMATCH: exit 2
// RUN: not xla-run %s --entry=shapes --replicas=2 2>&1 | FileCheck %s --check-prefix=SHAPES
// SHAPES: which has tensor<{{[12]}}xf32> as operand 0, not tensor<{{[12]}}xf32> [meeting]
// RUN: not xla-run %s --entry=channels --replicas=2 2>&1 | FileCheck %s --check-prefix=CHANNELS
// CHANNELS: which has channel_id {{[12]}}, not {{[12]}} [meeting]
// RUN: not xla-run %s --entry=circle --replicas=3 2>&1 | FileCheck %s --check-prefix=CIRCLE
// CIRCLE-DAG: op of replica 0 waits for replica 2, which waits in 'xla.collective_permute' [deadlock]
// CIRCLE-DAG: op of replica 2 waits for replica 1, which waits in 'xla.collective_permute' [deadlock]
// CIRCLE-DAG: op of replica 1 waits for replica 0, which waits in 'xla.collective_permute' [deadlock]
// A replica that fails stops the others, those that run and those that wait.
// RUN: sh %S/Inputs/code.sh xla-run %s --entry=failing --replicas=3 --timeout=60 | FileCheck %s --check-prefix=FAILING
// FAILING: error: 'xla.custom_call' op calls "nothing", which has no implementation
// FAILING-NOT: error
// FAILING: xla-run: replica 1 failed, and the others were stopped
// FAILING: exit 3
// RUN: sh %S/Inputs/code.sh xla-run %s --entry=few --replicas=3 | FileCheck %s --check-prefix=COUNT
// COUNT: error: 'xla.all_gather' op has 2 numbers in replica_groups, but the run has 3 replicas [all_gather_c3]
// COUNT-NOT: error
// RUN: not xla-run %s --entry=sizes --replicas=2 2>&1 | FileCheck %s --check-prefix=SIZES
// SIZES: error: 'xla.all_gather' op makes tensor<6xf32> of tensor<2xf32>, but the group has 2 [all_gather_c6]
// RUN: not xla-run %s --entry=large 2>&1 | FileCheck %s --check-prefix=LARGE
// LARGE: error: 'xla.collective_permute' op has 1 in source_target_pairs, but the run has 1 replicas [collective_permute_c4]
// RUN: not xla-run %s --entry=nested --replicas=2 2>&1 | FileCheck %s --check-prefix=NESTED
// NESTED: error: 'xla.cross_replica_sum' op is in the computation of another operation between replicas [meeting]
// RUN: not xla-run %s --entry=counts --replicas=3 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS: has 2 numbers in replica_groups, but the run has 3 replicas [all_reduce_c2]
// RUN: not xla-run %s --entry=exchange --replicas=3 2>&1 | FileCheck %s --check-prefix=EXCHANGE
// EXCHANGE: has 2 numbers in replica_groups, but the run has 3 replicas [all_to_all_c6]
// RUN: not xla-run %s --entry=exchange --replicas=1 2>&1 | FileCheck %s --check-prefix=EXCHANGE1
// EXCHANGE1: has 2 numbers in replica_groups, but the run has 1 replicas [all_to_all_c6]
// RUN: not xla-run %s --entry=scatter --replicas=3 2>&1 | FileCheck %s --check-prefix=SCATTER
// SCATTER: has 2 numbers in replica_groups, but the run has 3 replicas [reduce_scatter_c4]
// RUN: not xla-run %s --entry=parts --replicas=3 2>&1 | FileCheck %s --check-prefix=PARTS
// PARTS: makes tensor<1xf32> of tensor<2xf32>, but the group has 3 [reduce_scatter_c8]
// RUN: not xla-run %s --entry=broadcast --replicas=2 2>&1 | FileCheck %s --check-prefix=BROADCAST
// BROADCAST: has 2 in replica_groups, but the run has 2 replicas [collective_broadcast_c2]
// RUN: not xla-run %s --entry=inputs --replicas=2 --input=f32=1 --input=f32=2 --input=f32=3 2>&1 | FileCheck %s --check-prefix=INPUTS
// INPUTS: xla-run: --input is given 3 times for 2 inputs of 2 processes; 4, or 2 for all to have the same, are needed
// RUN: not xla-run %s --entry=inputs --replicas=0 2>&1 | FileCheck %s --check-prefix=ZERO
// ZERO: xla-run: --replicas is "0", must be a number from 1 to 1024
// RUN: not xla-run %s --entry=inputs --replicas=1000 --partitions=2 2>&1 | FileCheck %s --check-prefix=MANY
// MANY: xla-run: 1 programs of 1000 replicas and 2 partitions are more than 1024 processes

func.func @unequal() {
  %id = xla.replica_id : () -> tensor<ui32>
  %w = xla.while(%id) ({
  ^bb0(%i: tensor<ui32>):
    %limit = xla.constant dense<1> : tensor<ui32>
    %c = xla.compare %i, %limit {comparison_direction = "EQ"} : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  }, {
  ^bb0(%i: tensor<ui32>):
    %0 = xla.cross_replica_sum %i : tensor<ui32>
    xla.return %0 : tensor<ui32>
  }) : (tensor<ui32>) -> tensor<ui32>
  return
}
func.func @first() -> tensor<i1> {
  %id = xla.replica_id : () -> tensor<ui32>
  %zero = xla.constant dense<0> : tensor<ui32>
  %first = xla.compare %id, %zero {comparison_direction = "EQ"} : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
  return %first : tensor<i1>
}
func.func @mismatch() {
  %first = func.call @first() : () -> tensor<i1>
  %x = xla.constant dense<1.0> : tensor<2xf32>
  xla.if(%first) ({
    %0 = xla.cross_replica_sum %x : tensor<2xf32>
    xla.return
  }, {
    %0 = xla.all_gather %x {all_gather_dim = 0} : (tensor<2xf32>) -> tensor<4xf32>
    xla.return
  }) : (tensor<i1>) -> ()
  return
}
func.func @shapes() {
  %first = func.call @first() : () -> tensor<i1>
  %x = xla.constant dense<1.0> : tensor<2xf32>
  %y = xla.constant dense<1.0> : tensor<1xf32>
  xla.if(%first) ({
    %0 = xla.cross_replica_sum %x : tensor<2xf32>
    xla.return
  }, {
    %0 = xla.cross_replica_sum %y : tensor<1xf32>
    xla.return
  }) : (tensor<i1>) -> ()
  return
}
func.func @channels() {
  %first = func.call @first() : () -> tensor<i1>
  %x = xla.constant dense<1.0> : tensor<2xf32>
  xla.if(%first) ({
    %0 = xla.all_gather %x {all_gather_dim = 0, channel_id = 1} : (tensor<2xf32>) -> tensor<4xf32>
    xla.return
  }, {
    %0 = xla.all_gather %x {all_gather_dim = 0, channel_id = 2} : (tensor<2xf32>) -> tensor<4xf32>
    xla.return
  }) : (tensor<i1>) -> ()
  return
}
// Each waits for the next one at its first operation.
func.func @circle() {
  %id = xla.replica_id : () -> tensor<ui32>
  %case = xla.convert %id : (tensor<ui32>) -> tensor<i32>
  %x = xla.constant dense<1.0> : tensor<2xf32>
  xla.case(%case) ({
    %0 = xla.collective_permute %x {source_target_pairs = [[0, 2]]} : tensor<2xf32>
    xla.return
  }, {
    %0 = xla.collective_permute %x {source_target_pairs = [[0, 1]]} : tensor<2xf32>
    xla.return
  }, {
    %0 = xla.collective_permute %x {source_target_pairs = [[1, 2]]} : tensor<2xf32>
    xla.return
  }) : (tensor<i32>) -> ()
  return
}
func.func @failing() {
  %id = xla.replica_id : () -> tensor<ui32>
  %case = xla.convert %id : (tensor<ui32>) -> tensor<i32>
  %x = xla.constant dense<1.0> : tensor<f32>
  %true = xla.constant dense<true> : tensor<i1>
  xla.case(%case) ({
    %0 = xla.cross_replica_sum %x : tensor<f32>
    xla.return
  }, {
    xla.custom_call %x {call_target_name = "nothing"} : (tensor<f32>) -> ()
    xla.return
  }, {
    %w = xla.while(%x) ({
    ^bb0(%y: tensor<f32>):
      xla.return %true : tensor<i1>
    }, {
    ^bb0(%y: tensor<f32>):
      xla.return %y : tensor<f32>
    }) : (tensor<f32>) -> tensor<f32>
    xla.return
  }) : (tensor<i32>) -> ()
  return
}
func.func @few() {
  %x = xla.constant dense<1.0> : tensor<2xf32>
  %0 = xla.all_gather %x {all_gather_dim = 0, replica_groups = [[0, 1]]} : (tensor<2xf32>) -> tensor<4xf32>
  return
}
func.func @counts() {
  %x = xla.constant dense<1.0> : tensor<2xf32>
  %0 = xla.all_reduce(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    xla.return %a : tensor<f32>
  }) {replica_groups = [[0], [1]]} : tensor<2xf32>
  return
}
func.func @sizes() {
  %x = xla.constant dense<1.0> : tensor<2xf32>
  %0 = xla.all_gather %x {all_gather_dim = 0} : (tensor<2xf32>) -> tensor<6xf32>
  return
}
func.func @large() {
  %x = xla.constant dense<1.0> : tensor<2xf32>
  %0 = xla.collective_permute %x {source_target_pairs = [[0, 1]]} : tensor<2xf32>
  return
}
func.func @nested() {
  %x = xla.constant dense<1.0> : tensor<2xf32>
  %0 = xla.all_reduce(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.cross_replica_sum %a : tensor<f32>
    xla.return %s : tensor<f32>
  }) : tensor<2xf32>
  return
}
func.func @exchange() {
  %x = xla.constant dense<1.0> : tensor<2xf32>
  %0 = xla.all_to_all %x {split_dimension = 0, concat_dimension = 0, split_count = 2, replica_groups = [[0, 1]]} : tensor<2xf32>
  return
}
func.func @scatter() {
  %x = xla.constant dense<1.0> : tensor<2xf32>
  %0 = xla.reduce_scatter(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    xla.return %a : tensor<f32>
  }) {scatter_dimension = 0, replica_groups = [[0, 1]]} : (tensor<2xf32>) -> tensor<1xf32>
  return
}
func.func @parts() {
  %x = xla.constant dense<1.0> : tensor<2xf32>
  %0 = xla.reduce_scatter(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    xla.return %a : tensor<f32>
  }) {scatter_dimension = 0} : (tensor<2xf32>) -> tensor<1xf32>
  return
}
func.func @broadcast() {
  %x = xla.constant dense<1.0> : tensor<2xf32>
  %0 = xla.collective_broadcast %x {replica_groups = [[2]]} : tensor<2xf32>
  return
}
func.func @inputs(%x: tensor<f32>, %y: tensor<f32>) {
  return
}
