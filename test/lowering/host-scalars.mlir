// The host of a device with memory of its own computes scalars itself: what they
// need is loaded before a loop, and stored is what the device reads.
// RUN: xla-opt %s --split-input-file --xla-prepare-for-lowering --xla-to-host=remote=true | FileCheck %s

// A loop of scalars has no kernels, floats or not. What goes in is loaded once.

// CHECK-LABEL: func.func @xlacEntry
// CHECK: call @xlacHostLoad
// CHECK: %[[X:.*]] = arith.bitcast %{{.*}} : i32 to f32
// CHECK-NOT: Launch
// CHECK: %[[LAST:.*]]:2 = scf.while (%[[A:.*]] = %{{.*}}, %[[B:.*]] = %[[X]]) : (i32, f32) -> (i32, f32)
// CHECK: arith.cmpi slt, %[[A]]
// CHECK: scf.condition(%{{.*}}) %[[A]], %[[B]]
// CHECK: arith.mulf
// CHECK: scf.yield
// CHECK: %[[BITS:.*]] = arith.bitcast %[[LAST]]#1 : f32 to i32
// CHECK: %[[WIDE:.*]] = arith.extui %[[BITS]] : i32 to i64
// CHECK: call @xlacHostStore(%{{.*}}, %{{.*}}, %[[WIDE]])
// CHECK-NEXT: return
// CHECK-NOT: @kernel
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %zero = xla.constant dense<0> : tensor<i32>
  %r:2 = xla.while(%zero, %x) ({
  ^bb0(%i: tensor<i32>, %a: tensor<f32>):
    %n = xla.constant dense<9> : tensor<i32>
    %c = xla.compare %i, %n {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  }, {
  ^bb0(%i: tensor<i32>, %a: tensor<f32>):
    %one = xla.constant dense<1> : tensor<i32>
    %n = xla.add %i, %one : tensor<i32>
    %b = xla.multiply %a, %a : tensor<f32>
    xla.return %n, %b : tensor<i32>, tensor<f32>
  }) : (tensor<i32>, tensor<f32>) -> (tensor<i32>, tensor<f32>)
  return %r#1 : tensor<f32>
}

// -----

// The device reads the counter: it is stored before the kernel that does, and
// no kernel computes the next one.

// CHECK-LABEL: func.func @xlacEntry
// CHECK: } do {
// CHECK-NEXT: ^bb0(%[[I:.*]]: i32):
// CHECK-NEXT: %[[WIDE:.*]] = arith.extui %[[I]] : i32 to i64
// CHECK: call @xlacHostStore(%{{.*}}, %{{.*}}, %[[WIDE]])
// CHECK: call @xlacHostLaunch
// CHECK-NEXT: scf.yield
// CHECK: return
// CHECK: func.func private @kernel_0
// CHECK-NOT: func.func private @kernel_1
func.func @main(%a: tensor<64xf32>) -> tensor<64xf32> {
  %zero = xla.constant dense<0> : tensor<i32>
  %r:2 = xla.while(%zero, %a) ({
  ^bb0(%i: tensor<i32>, %x: tensor<64xf32>):
    %n = xla.constant dense<9> : tensor<i32>
    %c = xla.compare %i, %n {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  }, {
  ^bb0(%i: tensor<i32>, %x: tensor<64xf32>):
    %one = xla.constant dense<1> : tensor<i32>
    %n = xla.add %i, %one : tensor<i32>
    %f = xla.convert %i : (tensor<i32>) -> tensor<f32>
    %g = xla.broadcast_in_dim %f {broadcast_dimensions = array<i64>} : (tensor<f32>) -> tensor<64xf32>
    %y = xla.add %x, %g : tensor<64xf32>
    xla.return %n, %y : tensor<i32>, tensor<64xf32>
  }) : (tensor<i32>, tensor<64xf32>) -> (tensor<i32>, tensor<64xf32>)
  return %r#1 : tensor<64xf32>
}

// -----

// An index that follows from the counter is not loaded, and a scalar that the
// branches give is a result of scf.if.

// CHECK-LABEL: func.func @xlacEntry
// CHECK-NOT: call @xlacHostLoad
// CHECK: } do {
// CHECK-NOT: call @xlacHostLoad
// CHECK: %[[S:.*]] = scf.if %{{.*}} -> (i32) {
// CHECK: call @xlacHostLaunch
// CHECK-NEXT: %[[FOUR:.*]] = arith.constant 4 : i32
// CHECK-NEXT: scf.yield %[[FOUR]] : i32
// CHECK-NEXT: } else {
// CHECK: scf.if %{{.*}} -> (i32) {
// CHECK: call @xlacHostLaunch
// CHECK: scf.yield
// CHECK: arith.addi %{{.*}}, %[[S]] : i32
// CHECK: return
func.func @main(%a: tensor<64xf32>) -> (tensor<i32>, tensor<64xf32>) {
  %zero = xla.constant dense<0> : tensor<i32>
  %r:3 = xla.while(%zero, %zero, %a) ({
  ^bb0(%i: tensor<i32>, %s: tensor<i32>, %x: tensor<64xf32>):
    %n = xla.constant dense<9> : tensor<i32>
    %c = xla.compare %i, %n {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  }, {
  ^bb0(%i: tensor<i32>, %s: tensor<i32>, %x: tensor<64xf32>):
    %one = xla.constant dense<1> : tensor<i32>
    %three = xla.constant dense<3> : tensor<i32>
    %n = xla.add %i, %one : tensor<i32>
    %which = xla.remainder %i, %three : tensor<i32>
    %q:2 = xla.case(%which) ({
      %four = xla.constant dense<4> : tensor<i32>
      xla.return %four, %x : tensor<i32>, tensor<64xf32>
    }, {
      %y = xla.cosine %x : tensor<64xf32>
      xla.return %i, %y : tensor<i32>, tensor<64xf32>
    }, {
      xla.return %s, %x : tensor<i32>, tensor<64xf32>
    }) : (tensor<i32>) -> (tensor<i32>, tensor<64xf32>)
    %t = xla.add %s, %q#0 : tensor<i32>
    xla.return %n, %t, %q#1 : tensor<i32>, tensor<i32>, tensor<64xf32>
  }) : (tensor<i32>, tensor<i32>, tensor<64xf32>) -> (tensor<i32>, tensor<i32>, tensor<64xf32>)
  return %r#1, %r#2 : tensor<i32>, tensor<64xf32>
}

// -----

// Of nested loops the outer one loads what both need from outside of them.

// CHECK-LABEL: func.func @xlacEntry
// CHECK: call @xlacHostLoad
// CHECK: scf.while
// CHECK-NOT: call
// CHECK: scf.while
// CHECK-NOT: call
// CHECK: scf.yield
// CHECK: scf.yield
// CHECK: call @xlacHostStore
// CHECK-NEXT: return
func.func @main(%limit: tensor<i32>) -> tensor<i32> {
  %zero = xla.constant dense<0> : tensor<i32>
  %one = xla.constant dense<1> : tensor<i32>
  %r:2 = xla.while(%zero, %zero) ({
  ^bb0(%i: tensor<i32>, %s: tensor<i32>):
    %n = xla.constant dense<9> : tensor<i32>
    %c = xla.compare %i, %n {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  }, {
  ^bb0(%i: tensor<i32>, %s: tensor<i32>):
    %n = xla.add %i, %one : tensor<i32>
    %q:2 = xla.while(%i, %s) ({
    ^bb0(%j: tensor<i32>, %t: tensor<i32>):
      %d = xla.compare %j, %limit {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
      xla.return %d : tensor<i1>
    }, {
    ^bb0(%j: tensor<i32>, %t: tensor<i32>):
      %m = xla.add %j, %one : tensor<i32>
      %u = xla.add %t, %j : tensor<i32>
      xla.return %m, %u : tensor<i32>, tensor<i32>
    }) : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    xla.return %n, %q#1 : tensor<i32>, tensor<i32>
  }) : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
  return %r#1 : tensor<i32>
}

// -----

// What follows from the counter is stored before the first kernel: both are one
// run, though in the program the scalar stands between them.

// CHECK-LABEL: func.func @xlacEntry
// CHECK: } do {
// CHECK: arith.muli
// CHECK: call @xlacHostStore
// CHECK: call @xlacHostLaunch
// CHECK-NOT: call
// CHECK: scf.yield
// CHECK: return
func.func @main(%a: tensor<4096xf32>, %w: tensor<64x64xf32>, %u: tensor<64xf32>) -> tensor<4096xf32> {
  %zero = xla.constant dense<0> : tensor<i32>
  %r:3 = xla.while(%zero, %a, %zero) ({
  ^bb0(%i: tensor<i32>, %x: tensor<4096xf32>, %last: tensor<i32>):
    %n = xla.constant dense<9> : tensor<i32>
    %c = xla.compare %i, %n {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  }, {
  ^bb0(%i: tensor<i32>, %x: tensor<4096xf32>, %last: tensor<i32>):
    %rows = xla.reshape %x : (tensor<4096xf32>) -> tensor<64x64xf32>
    %d = xla.dot %rows, %w : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %kept = xla.optimization_barrier %d : tensor<64x64xf32>
    %flat = xla.reshape %kept : (tensor<64x64xf32>) -> tensor<4096xf32>
    %one = xla.constant dense<1> : tensor<i32>
    %width = xla.constant dense<64> : tensor<i32>
    %n = xla.add %i, %one : tensor<i32>
    %at = xla.multiply %i, %width : tensor<i32>
    %y = xla.dynamic_update_slice %flat, %u, %at : (tensor<4096xf32>, tensor<64xf32>, tensor<i32>) -> tensor<4096xf32>
    xla.return %n, %y, %at : tensor<i32>, tensor<4096xf32>, tensor<i32>
  }) : (tensor<i32>, tensor<4096xf32>, tensor<i32>) -> (tensor<i32>, tensor<4096xf32>, tensor<i32>)
  return %r#1 : tensor<4096xf32>
}
