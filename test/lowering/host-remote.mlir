// The host program of a device with memory of its own: kernels are steps of
// runs that the host starts, and it loads what decides how to go on.
// RUN: xla-opt %s --split-input-file --xla-prepare-for-lowering --xla-to-host=remote=true | FileCheck %s

// The host counts the iterations itself, up to a limit that it loads once. The
// device does not read the counter.

// CHECK-LABEL: func.func @xlacEntry(%arg0: memref<1xi64>)
// CHECK: %[[CELL:.*]] = memref.alloca() : memref<1xi64>
// CHECK: %[[CONTEXT:.*]] = memref.load %arg0
// CHECK: call @xlacHostLoad(%[[CONTEXT]], %{{.*}}, %[[CELL]])
// CHECK: %[[LIMIT:.*]] = arith.trunci %{{.*}} : i64 to i32
// CHECK: %[[FIRST:.*]] = arith.constant 3 : i32
// CHECK-NEXT: %[[ZERO:.*]] = arith.constant 0 : i64
// CHECK-NEXT: call @xlacHostLaunch(%[[CONTEXT]], %[[ZERO]])
// CHECK-NEXT: scf.while (%[[I:.*]] = %[[FIRST]]) : (i32) -> i32 {
// CHECK-NEXT: %[[GO:.*]] = arith.cmpi slt, %[[I]], %[[LIMIT]] : i32
// CHECK-NEXT: scf.condition(%[[GO]]) %[[I]] : i32
// CHECK-NEXT: } do {
// CHECK-NEXT: ^bb0(%[[J:.*]]: i32):
// CHECK-NEXT: %[[STEP:.*]] = arith.constant 2 : i32
// CHECK-NEXT: %[[NEXT:.*]] = arith.addi %[[J]], %[[STEP]] : i32
// CHECK-NEXT: %[[ONE:.*]] = arith.constant 1 : i64
// CHECK-NEXT: call @xlacHostLaunch(%[[CONTEXT]], %[[ONE]])
// CHECK-NEXT: scf.yield %[[NEXT]] : i32
// CHECK-NEXT: }
// CHECK-NEXT: return
// CHECK: func.func private @kernel_0
func.func @main(%a: tensor<64xi32>, %limit: tensor<i32>) -> tensor<64xi32> {
  %zero = xla.constant dense<3> : tensor<i32>
  %two = xla.constant dense<2> : tensor<i32>
  %r:2 = xla.while(%zero, %a) ({
  ^bb0(%i: tensor<i32>, %x: tensor<64xi32>):
    %c = xla.compare %i, %limit {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  }, {
  ^bb0(%i: tensor<i32>, %x: tensor<64xi32>):
    %n = xla.add %i, %two : tensor<i32>
    %w = xla.multiply %x, %x : tensor<64xi32>
    xla.return %n, %w : tensor<i32>, tensor<64xi32>
  }) : (tensor<i32>, tensor<64xi32>) -> (tensor<i32>, tensor<64xi32>)
  return %r#1 : tensor<64xi32>
}

// -----

// What depends on arrays the device computes: the initial state is copied in
// run 0; the condition is run 1, the body run 2.

// CHECK-LABEL: func.func @xlacEntry(%arg0: memref<1xi64>)
// CHECK: %[[CELL:.*]] = memref.alloca() : memref<1xi64>
// CHECK: %[[CONTEXT:.*]] = memref.load %arg0
// CHECK: %[[ZERO:.*]] = arith.constant 0 : i64
// CHECK: call @xlacHostLaunch(%[[CONTEXT]], %[[ZERO]])
// CHECK-NEXT: scf.while
// CHECK-NEXT: %[[ONE:.*]] = arith.constant 1 : i64
// CHECK-NEXT: call @xlacHostLaunch(%[[CONTEXT]], %[[ONE]])
// CHECK: call @xlacHostLoad(%[[CONTEXT]], %{{.*}}, %[[CELL]])
// CHECK: arith.trunci %{{.*}} : i64 to i8
// CHECK: scf.condition
// CHECK-NEXT: } do {
// CHECK-NEXT: %[[TWO:.*]] = arith.constant 2 : i64
// CHECK-NEXT: call @xlacHostLaunch(%[[CONTEXT]], %[[TWO]])
// CHECK-NEXT: scf.yield
// CHECK: return
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %five = xla.constant dense<5.0> : tensor<f32>
  %zero = xla.constant dense<0.0> : tensor<f32>
  %r = xla.while(%a) ({
  ^bb0(%x: tensor<4xf32>):
    %s = xla.reduce(%x, %zero) ({
    ^bb0(%m: tensor<f32>, %n: tensor<f32>):
      %t = xla.add %m, %n : tensor<f32>
      xla.return %t : tensor<f32>
    }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %c = xla.compare %s, %five {comparison_direction = "LT"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  }, {
  ^bb0(%x: tensor<4xf32>):
    %w = xla.add %x, %x : tensor<4xf32>
    xla.return %w : tensor<4xf32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// Both branches are runs, and so is a copy; a custom call waits for them.

// CHECK-LABEL: func.func @xlacEntry
// CHECK: call @xlacHostLoad
// CHECK: arith.trunci %{{.*}} : i64 to i32
// CHECK: scf.if
// CHECK: call @xlacHostLaunch
// CHECK-NEXT: } else {
// CHECK: call @xlacHostLaunch
// CHECK-NEXT: }
// CHECK: call @xlacHostRemoteCall
// CHECK-NEXT: return
func.func @main(%i: tensor<i32>, %a: tensor<3xi32>) -> tensor<3xi32> {
  %r = xla.case(%i) ({
    %x = xla.negate %a : tensor<3xi32>
    xla.return %x : tensor<3xi32>
  }, {
    xla.return %a : tensor<3xi32>
  }) : (tensor<i32>) -> tensor<3xi32>
  xla.custom_call %r, %a {call_target_name = "check.expect_eq"} : (tensor<3xi32>, tensor<3xi32>) -> ()
  return %r : tensor<3xi32>
}
