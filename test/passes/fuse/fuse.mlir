// RUN: xla-opt %s --xla-fuse | FileCheck %s
// RUN: xla-opt %s --xla-fuse --xla-fuse | FileCheck %s
// RUN: xla-run %s --entry=softmax --device=all --seed=1
// RUN: xla-run %s --entry=layer_norm --device=all --seed=1
// RUN: xla-run %s --entry=logsumexp --device=all --seed=1
// RUN: xla-run %s --entry=copies --device=all --seed=1
// RUN: xla-run %s --entry=transposed --device=all --seed=1
// RUN: xla-run %s --entry=chain --device=all --seed=1
// RUN: xla-run %s --entry=reduce --device=all --seed=1
// RUN: xla-run %s --entry=one --device=all --seed=1
// RUN: xla-run %s --entry=few --device=all --seed=1
// RUN: xla-run %s --entry=scalar --device=all --seed=1
// RUN: xla-run %s --entry=square --device=all --seed=1

// CHECK-LABEL: @softmax
// CHECK-NEXT: %[[R:.*]] = xla.fusion(%arg0) ({
// CHECK: }) {kind = "row"} : tensor<16x64xf32>
// CHECK-NEXT: return %[[R]]
func.func @softmax(%x: tensor<16x64xf32>) -> tensor<16x64xf32> {
  %ninf = xla.constant dense<0xFF800000> : tensor<f32>
  %z = xla.constant dense<0.0> : tensor<f32>
  %m = xla.reduce(%x, %ninf) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.maximum %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<16x64xf32>, tensor<f32>) -> tensor<16xf32>
  %mb = xla.broadcast_in_dim %m {broadcast_dimensions = array<i64: 0>} : (tensor<16xf32>) -> tensor<16x64xf32>
  %d = xla.subtract %x, %mb : tensor<16x64xf32>
  %e = xla.exponential %d : tensor<16x64xf32>
  %t = xla.reduce(%e, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<16x64xf32>, tensor<f32>) -> tensor<16xf32>
  %tb = xla.broadcast_in_dim %t {broadcast_dimensions = array<i64: 0>} : (tensor<16xf32>) -> tensor<16x64xf32>
  %r = xla.divide %e, %tb : tensor<16x64xf32>
  return %r : tensor<16x64xf32>
}

// CHECK-LABEL: @layer_norm
// CHECK-NEXT: %[[R:.*]] = xla.fusion(%arg0, %arg1, %arg2) ({
// CHECK: }) {kind = "row"} : (tensor<16x64xf32>, tensor<64xf32>, tensor<64xf32>) -> tensor<16x64xf32>
// CHECK-NEXT: return %[[R]]
func.func @layer_norm(%x: tensor<16x64xf32>, %g: tensor<64xf32>, %b: tensor<64xf32>) -> tensor<16x64xf32> {
  %z = xla.constant dense<0.0> : tensor<f32>
  %n = xla.constant dense<64.0> : tensor<16xf32>
  %eps = xla.constant dense<1.0e-5> : tensor<16xf32>
  %s = xla.reduce(%x, %z) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %a = xla.add %p, %q : tensor<f32>
    xla.return %a : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<16x64xf32>, tensor<f32>) -> tensor<16xf32>
  %mean = xla.divide %s, %n : tensor<16xf32>
  %mb = xla.broadcast_in_dim %mean {broadcast_dimensions = array<i64: 0>} : (tensor<16xf32>) -> tensor<16x64xf32>
  %d = xla.subtract %x, %mb : tensor<16x64xf32>
  %d2 = xla.multiply %d, %d : tensor<16x64xf32>
  %v = xla.reduce(%d2, %z) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %a = xla.add %p, %q : tensor<f32>
    xla.return %a : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<16x64xf32>, tensor<f32>) -> tensor<16xf32>
  %var = xla.divide %v, %n : tensor<16xf32>
  %ve = xla.add %var, %eps : tensor<16xf32>
  %rs = xla.rsqrt %ve : tensor<16xf32>
  %rb = xla.broadcast_in_dim %rs {broadcast_dimensions = array<i64: 0>} : (tensor<16xf32>) -> tensor<16x64xf32>
  %nx = xla.multiply %d, %rb : tensor<16x64xf32>
  %gb = xla.broadcast_in_dim %g {broadcast_dimensions = array<i64: 1>} : (tensor<64xf32>) -> tensor<16x64xf32>
  %bb = xla.broadcast_in_dim %b {broadcast_dimensions = array<i64: 1>} : (tensor<64xf32>) -> tensor<16x64xf32>
  %sc = xla.multiply %nx, %gb : tensor<16x64xf32>
  %r = xla.add %sc, %bb : tensor<16x64xf32>
  return %r : tensor<16x64xf32>
}

// The results of rows join as well.
// CHECK-LABEL: @logsumexp
// CHECK-NEXT: %[[R:.*]] = xla.fusion(%arg0) ({
// CHECK: }) {kind = "row"} : (tensor<16x64xf32>) -> tensor<16xf32>
// CHECK-NEXT: return %[[R]]
func.func @logsumexp(%x: tensor<16x64xf32>) -> tensor<16xf32> {
  %ninf = xla.constant dense<0xFF800000> : tensor<f32>
  %z = xla.constant dense<0.0> : tensor<f32>
  %m = xla.reduce(%x, %ninf) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.maximum %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<16x64xf32>, tensor<f32>) -> tensor<16xf32>
  %mb = xla.broadcast_in_dim %m {broadcast_dimensions = array<i64: 0>} : (tensor<16xf32>) -> tensor<16x64xf32>
  %d = xla.subtract %x, %mb : tensor<16x64xf32>
  %e = xla.exponential %d : tensor<16x64xf32>
  %t = xla.reduce(%e, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<16x64xf32>, tensor<f32>) -> tensor<16xf32>
  %l = xla.log %t : tensor<16xf32>
  %r = xla.add %l, %m : tensor<16xf32>
  return %r : tensor<16xf32>
}

// What is free to compute is computed where it is used.
// CHECK-LABEL: @copies
// CHECK-NEXT: xla.fusion(%arg0, %arg2)
// CHECK: xla.broadcast_in_dim
// CHECK: xla.return
// CHECK: xla.fusion(%arg1, %arg2)
// CHECK: xla.iota
// CHECK: xla.broadcast_in_dim
// CHECK: xla.return
func.func @copies(%x: tensor<16x64xf32>, %y: tensor<16x64xf32>, %b: tensor<64xf32>) -> (tensor<16x64xf32>, tensor<16x64xf32>) {
  %bb = xla.broadcast_in_dim %b {broadcast_dimensions = array<i64: 1>} : (tensor<64xf32>) -> tensor<16x64xf32>
  %i = xla.iota {iota_dimension = 0 : i64} : () -> tensor<16x64xf32>
  %0 = xla.add %x, %bb : tensor<16x64xf32>
  %1 = xla.tanh %0 : tensor<16x64xf32>
  %2 = xla.add %y, %bb : tensor<16x64xf32>
  %3 = xla.multiply %2, %i : tensor<16x64xf32>
  return %1, %3 : tensor<16x64xf32>, tensor<16x64xf32>
}

// What a transpose reads is computed where it is read, if it reads one array.
// CHECK-LABEL: @transposed
// CHECK-NEXT: xla.fusion(%arg1, %arg0)
// CHECK: xla.exponential
// CHECK-NEXT: xla.transpose
// CHECK-NEXT: xla.add
// CHECK: kind = "loop"
func.func @transposed(%x: tensor<16x64xf32>, %y: tensor<64x16xf32>) -> tensor<16x64xf32> {
  %e = xla.exponential %y : tensor<64x16xf32>
  %t = xla.transpose %e {permutation = array<i64: 1, 0>} : (tensor<64x16xf32>) -> tensor<16x64xf32>
  %0 = xla.add %x, %t : tensor<16x64xf32>
  return %0 : tensor<16x64xf32>
}

// b must be done before the call, which a user of a waits for.
// CHECK-LABEL: @interleaved
// CHECK-NEXT: %[[R:.*]]:3 = xla.fusion(%arg0)
// CHECK: xla.tanh
// CHECK: xla.negate
// CHECK: xla.sqrt
// CHECK: }) {kind = "loop"}
// CHECK-NEXT: %[[C:.*]] = xla.custom_call %[[R]]#1
// CHECK-NEXT: xla.add %[[R]]#0, %[[C]]
func.func @interleaved(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %a = xla.tanh %x : tensor<4xf32>
  %b = xla.negate %a : tensor<4xf32>
  %c = xla.custom_call %b {call_target_name = "f", has_side_effect = true} : tensor<4xf32>
  %d = xla.add %a, %c : tensor<4xf32>
  %e = xla.sqrt %a : tensor<4xf32>
  return %d, %e : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: @barrier
// CHECK-NEXT: %[[R:.*]]:2 = xla.fusion(%arg0)
// CHECK: }) {kind = "loop"}
// CHECK-NEXT: %[[B:.*]] = xla.optimization_barrier %[[R]]#1
// CHECK-NEXT: xla.fusion(%[[R]]#0, %[[B]])
func.func @barrier(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = xla.tanh %x : tensor<4xf32>
  %b = xla.negate %a : tensor<4xf32>
  %c = xla.optimization_barrier %b : tensor<4xf32>
  %d = xla.add %a, %c : tensor<4xf32>
  %e = xla.sqrt %d : tensor<4xf32>
  return %e : tensor<4xf32>
}

// Two results; tanh is computed once.
// CHECK-LABEL: @chain
// CHECK-NEXT: %[[R:.*]]:2 = xla.fusion(%arg0, %arg1) ({
// CHECK: xla.tanh
// CHECK-NOT: xla.tanh
// CHECK: }) {kind = "loop"}
// CHECK-NEXT: return %[[R]]#0, %[[R]]#1
func.func @chain(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %c = xla.constant dense<1.0> : tensor<4x8xf32>
  %0 = xla.add %a, %b : tensor<4x8xf32>
  %1 = xla.tanh %0 : tensor<4x8xf32>
  %2 = xla.multiply %1, %c : tensor<4x8xf32>
  %3 = xla.subtract %1, %c : tensor<4x8xf32>
  func.return %2, %3 : tensor<4x8xf32>, tensor<4x8xf32>
}

// Two reductions of the same rows.
// CHECK-LABEL: @reduce
// CHECK-NEXT: %[[R:.*]]:2 = xla.fusion(%arg0) ({
// CHECK: xla.reduce
// CHECK: xla.reduce
// CHECK: }) {kind = "row"} : (tensor<4x8xf32>) -> (tensor<4xf32>, tensor<4xf32>)
func.func @reduce(%a: tensor<4x8xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %z = xla.constant dense<0.0> : tensor<f32>
  %1 = xla.tanh %a : tensor<4x8xf32>
  %m = xla.multiply %1, %1 : tensor<4x8xf32>
  %2 = xla.reduce(%1, %z) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): 
     %s = xla.add %x, %y : tensor<f32>
     xla.return %s : tensor<f32>}) {dimensions = array<i64: 1>} : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %3 = xla.reduce(%m, %z) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): 
     %s = xla.add %x, %y : tensor<f32>
     xla.return %s : tensor<f32>}) {dimensions = array<i64: 1>} : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  func.return %2, %3 : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: @one
// CHECK-NEXT: %[[R:.*]] = xla.fusion(%arg0) ({
// CHECK: xla.tanh
// CHECK: xla.reduce
// CHECK: }) {kind = "reduce"} : (tensor<4x8xf32>) -> tensor<4xf32>
// CHECK-NEXT: xla.sqrt %[[R]]
func.func @one(%a: tensor<4x8xf32>) -> tensor<4xf32> {
  %z = xla.constant dense<0.0> : tensor<f32>
  %1 = xla.tanh %a : tensor<4x8xf32>
  %2 = xla.reduce(%1, %z) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): 
     %s = xla.add %x, %y : tensor<f32>
     xla.return %s : tensor<f32>}) {dimensions = array<i64: 1>} : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %3 = xla.sqrt %2 : tensor<4xf32>
  func.return %3 : tensor<4xf32>
}

// Rows that lie side by side, and a sum of everything, are worked on however short they are.
// CHECK-LABEL: @few
// CHECK-NEXT: xla.fusion(%arg0) ({
// CHECK: xla.reduce
// CHECK: xla.sqrt
// CHECK: }) {kind = "row"} : (tensor<4x8xf32>) -> tensor<f32>
// CHECK-NEXT: xla.fusion(%arg0) ({
// CHECK: xla.reduce
// CHECK: xla.sqrt
// CHECK: }) {kind = "row"} : (tensor<4x8xf32>) -> tensor<8xf32>
func.func @few(%a: tensor<4x8xf32>) -> (tensor<8xf32>, tensor<f32>) {
  %z = xla.constant dense<0.0> : tensor<f32>
  %2 = xla.reduce(%a, %z) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): 
     %s = xla.add %x, %y : tensor<f32>
     xla.return %s : tensor<f32>}) {dimensions = array<i64: 0>} : (tensor<4x8xf32>, tensor<f32>) -> tensor<8xf32>
  %4 = xla.reduce(%a, %z) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): 
     %s = xla.add %x, %y : tensor<f32>
     xla.return %s : tensor<f32>}) {dimensions = array<i64: 0, 1>} : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32>
  %5 = xla.sqrt %4 : tensor<f32>
  %3 = xla.sqrt %2 : tensor<8xf32>
  func.return %3, %5 : tensor<8xf32>, tensor<f32>
}

// Bodies of loops are fused as well. The condition becomes one with its constant.
// CHECK-LABEL: @scalar
// CHECK-NEXT: xla.while
// CHECK: xla.fusion(%{{.*}}) ({
// CHECK: xla.constant dense<10>
// CHECK: xla.compare
// CHECK: kind = "loop"
// CHECK: xla.fusion(%{{.*}}) ({
// CHECK: xla.add
// CHECK: xla.add
// CHECK: kind = "loop"
func.func @scalar(%a: tensor<f32>, %b: tensor<i32>) -> tensor<i32> {
  %one = xla.constant dense<1> : tensor<i32>
  %n = xla.constant dense<10> : tensor<i32>
  %r = xla.while(%b) ({^bb0(%i: tensor<i32>): 
    %c = xla.compare %i, %n {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %c : tensor<i1>}, {^bb0(%i: tensor<i32>):
    %c = xla.add %i, %one : tensor<i32>
    %d = xla.add %c, %one : tensor<i32>
    xla.return %d : tensor<i32>}) : tensor<i32>
  func.return %r : tensor<i32>
}

// Sums of rows that are repeated along columns are no row's business, though the shapes would fit.
// CHECK-LABEL: @square
// CHECK: %[[S:.*]] = xla.reduce(%arg0,
// CHECK: xla.fusion(%[[S]], %arg0)
// CHECK: xla.broadcast_in_dim
// CHECK: kind = "loop"
func.func @square(%x: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %z = xla.constant dense<0.0> : tensor<f32>
  %s = xla.reduce(%x, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %t = xla.add %a, %b : tensor<f32>
    xla.return %t : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<16x16xf32>, tensor<f32>) -> tensor<16xf32>
  %c = xla.broadcast_in_dim %s {broadcast_dimensions = array<i64: 1>} : (tensor<16xf32>) -> tensor<16x16xf32>
  %r = xla.subtract %x, %c : tensor<16x16xf32>
  return %r : tensor<16x16xf32>
}
