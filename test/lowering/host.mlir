// The host program: buffers, loops, branches, and the copies that are left.
// RUN: xla-opt %s --split-input-file --xla-prepare-for-lowering --xla-to-host | FileCheck %s

// An update of loop state is made in the state, which is the output itself: the one
// large copy is that of the input, which the program may not write.

// CHECK-LABEL: func.func @xlacEntry(%arg0: memref<7xmemref<?xi8>>)
// CHECK: %[[INPUT:.*]] = memref.view {{.*}} to memref<64xi32>
// CHECK: %[[OUTPUT:.*]] = memref.view {{.*}} to memref<64xi32>
// CHECK: memref.copy %{{.*}}, %{{.*}} : memref<i32> to memref<i32>
// CHECK-NEXT: memref.copy %[[INPUT]], %[[OUTPUT]] : memref<64xi32> to memref<64xi32>
// CHECK-NEXT: scf.while
// CHECK-NEXT:   call @kernel_0
// CHECK-NEXT:   memref.load %{{.*}}[] : memref<i8>
// CHECK:        scf.condition
// CHECK-NEXT: } do {
// CHECK-NOT:    memref.copy {{.*}}64xi32
// CHECK:        scf.yield
func.func @main(%a: tensor<64xi32>, %u: tensor<3xi32>) -> tensor<64xi32> {
  %zero = xla.constant dense<0> : tensor<i32>
  %five = xla.constant dense<5> : tensor<i32>
  %one = xla.constant dense<1> : tensor<i32>
  %r:2 = xla.while(%zero, %a) ({
  ^bb0(%i: tensor<i32>, %x: tensor<64xi32>):
    %c = xla.compare %i, %five {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  }, {
  ^bb0(%i: tensor<i32>, %x: tensor<64xi32>):
    %n = xla.add %i, %one : tensor<i32>
    %w = xla.dynamic_update_slice %x, %u, %i : (tensor<64xi32>, tensor<3xi32>, tensor<i32>) -> tensor<64xi32>
    xla.return %n, %w : tensor<i32>, tensor<64xi32>
  }) : (tensor<i32>, tensor<64xi32>) -> (tensor<i32>, tensor<64xi32>)
  return %r#1 : tensor<64xi32>
}

// -----

// States that change places go through a buffer of their own.

// CHECK-LABEL: func.func @xlacEntry
// CHECK: } do {
// CHECK-COUNT-4: memref.copy {{.*}} : memref<4xi32> to memref<4xi32>
// CHECK-NEXT:   scf.yield
func.func @main(%a: tensor<4xi32>, %b: tensor<4xi32>, %p: tensor<i1>) -> (tensor<4xi32>, tensor<4xi32>) {
  %r:3 = xla.while(%a, %b, %p) ({
  ^bb0(%x: tensor<4xi32>, %y: tensor<4xi32>, %q: tensor<i1>):
    xla.return %q : tensor<i1>
  }, {
  ^bb0(%x: tensor<4xi32>, %y: tensor<4xi32>, %q: tensor<i1>):
    %n = xla.not %q : tensor<i1>
    xla.return %y, %x, %n : tensor<4xi32>, tensor<4xi32>, tensor<i1>
  }) : (tensor<4xi32>, tensor<4xi32>, tensor<i1>) -> (tensor<4xi32>, tensor<4xi32>, tensor<i1>)
  return %r#0, %r#1 : tensor<4xi32>, tensor<4xi32>
}

// -----

// Branches write the result; what they return of the outside is copied. Custom
// calls get the addresses of their operands.

// CHECK-LABEL: func.func @xlacEntry
// CHECK: %[[ADDRESSES:.*]] = memref.alloca() : memref<4096xi64>
// CHECK: scf.if
// CHECK-NEXT:   call @kernel_
// CHECK-NEXT: } else {
// CHECK-NEXT:   memref.copy
// CHECK-NEXT: }
// CHECK: memref.extract_aligned_pointer_as_index
// CHECK: call @xlacHostCustomCall(%{{.*}}, %{{.*}}, %[[ADDRESSES]])
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

// -----

// Layers that repeat share a kernel; another constant, type or operand makes another one.

// CHECK-LABEL: func.func @xlacEntry
// CHECK: call @kernel_0(
// CHECK-NOT: call
// CHECK: call @kernel_0(
// CHECK-NOT: call
// CHECK: call @kernel_1(
// CHECK-NOT: call
// CHECK: call @kernel_2(
// CHECK-NOT: call
// CHECK: call @kernel_3(
// CHECK-NOT: call
// CHECK: return
// CHECK-COUNT-4: func.func private
// CHECK-NOT: func.func
func.func @main(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>, %c: tensor<4x4xf32>, %d: tensor<4x4xf32>, %e: tensor<4x4xf32>, %u: tensor<4x4xi32>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xi32>) {
  %one = xla.constant dense<1.0> : tensor<4x4xf32>
  %two = xla.constant dense<2.0> : tensor<4x4xf32>
  %i = xla.constant dense<1> : tensor<4x4xi32>
  %0 = xla.add %a, %one : tensor<4x4xf32>
  %1 = xla.add %b, %one : tensor<4x4xf32>
  %2 = xla.add %c, %two : tensor<4x4xf32>
  %3 = xla.add %d, %e : tensor<4x4xf32>
  %4 = xla.add %u, %i : tensor<4x4xi32>
  return %0, %1, %2, %3, %4 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xi32>
}

// -----

// What a loop, or one in it, never changes is not copied at all: the kernels read
// the inputs.

// CHECK-LABEL: func.func @xlacEntry
// CHECK: %[[INPUT:.*]] = memref.view {{.*}} to memref<9x64xf32>
// CHECK-NOT: memref.copy {{.*}}9x64xf32
// CHECK: call @kernel_{{.*}}(%[[INPUT]],
// CHECK-NOT: memref.copy {{.*}}9x64xf32
// CHECK: return
func.func @main(%a: tensor<9x64xf32>, %b: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %zero = xla.constant dense<0> : tensor<i32>
  %one = xla.constant dense<1> : tensor<i32>
  %n = xla.constant dense<9> : tensor<i32>
  %r:4 = xla.while(%zero, %a, %b, %b) ({
  ^bb0(%i: tensor<i32>, %rows: tensor<9x64xf32>, %sum: tensor<64xf32>, %kept: tensor<64xf32>):
    %c = xla.compare %i, %n {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  }, {
  ^bb0(%i: tensor<i32>, %rows: tensor<9x64xf32>, %sum: tensor<64xf32>, %kept: tensor<64xf32>):
    %m = xla.add %i, %one : tensor<i32>
    %q:3 = xla.while(%i, %rows, %sum) ({
    ^bb0(%j: tensor<i32>, %rs: tensor<9x64xf32>, %s: tensor<64xf32>):
      %d = xla.compare %j, %n {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
      xla.return %d : tensor<i1>
    }, {
    ^bb0(%j: tensor<i32>, %rs: tensor<9x64xf32>, %s: tensor<64xf32>):
      %l = xla.add %j, %one : tensor<i32>
      %row = xla.dynamic_slice %rs, %j, %zero {slice_sizes = array<i64: 1, 64>} : (tensor<9x64xf32>, tensor<i32>, tensor<i32>) -> tensor<1x64xf32>
      %flat = xla.reshape %row : (tensor<1x64xf32>) -> tensor<64xf32>
      %t = xla.add %s, %flat : tensor<64xf32>
      xla.return %l, %rs, %t : tensor<i32>, tensor<9x64xf32>, tensor<64xf32>
    }) : (tensor<i32>, tensor<9x64xf32>, tensor<64xf32>) -> (tensor<i32>, tensor<9x64xf32>, tensor<64xf32>)
    xla.return %m, %rows, %q#2, %kept : tensor<i32>, tensor<9x64xf32>, tensor<64xf32>, tensor<64xf32>
  }) : (tensor<i32>, tensor<9x64xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<i32>, tensor<9x64xf32>, tensor<64xf32>, tensor<64xf32>)
  return %r#2, %r#3 : tensor<64xf32>, tensor<64xf32>
}
