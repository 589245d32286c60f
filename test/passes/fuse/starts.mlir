// What says where slices start is computed by each kernel that has one: no kernel has it for others.
// RUN: xla-opt %s --xla-fuse=device=cpu | FileCheck %s
// RUN: xla-opt %s --xla-fuse=device=gpu | FileCheck %s
// RUN: xla-run %s --entry=caches --device=all --seed=1 --output=none
// RUN: xla-run %s --entry=loop --device=all --seed=1 --output=none
// RUN: xla-run %s --entry=far --device=all --seed=1 --output=none
// RUN: xla-run %s --entry=given --device=all --seed=1 --output=none

// CHECK-LABEL: @caches
// CHECK-COUNT-2: xla.fusion(
// CHECK-NOT: xla.fusion(
// CHECK: return
func.func @caches(%k: tensor<32x8xf32>, %v: tensor<32x8xf32>, %a: tensor<1x8xf32>, %b: tensor<1x8xf32>, %i: tensor<i32>)
    -> (tensor<32x8xf32>, tensor<32x8xf32>) {
  %z = xla.constant dense<0> : tensor<i32>
  %n = xla.constant dense<32> : tensor<i32>
  %isNegative = xla.compare %i, %z {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %behind = xla.add %i, %n : tensor<i32>
  %at = xla.select %isNegative, %behind, %i : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
  %0 = xla.dynamic_update_slice %k, %a, %at, %z : (tensor<32x8xf32>, tensor<1x8xf32>, tensor<i32>, tensor<i32>) -> tensor<32x8xf32>
  %1 = xla.dynamic_update_slice %v, %b, %at, %z : (tensor<32x8xf32>, tensor<1x8xf32>, tensor<i32>, tensor<i32>) -> tensor<32x8xf32>
  return %0, %1 : tensor<32x8xf32>, tensor<32x8xf32>
}

// A part of an array in each round of a loop, and what is written of it.
// CHECK-LABEL: @loop
// CHECK: xla.while
// CHECK: xla.fusion(
// CHECK: xla.dynamic_slice
// CHECK: xla.dynamic_update_slice
// CHECK: kind = "loop"
func.func @loop(%x: tensor<20x6xf32>) -> tensor<20x6xf32> {
  %z = xla.constant dense<0> : tensor<i32>
  %one = xla.constant dense<1> : tensor<i32>
  %n = xla.constant dense<19> : tensor<i32>
  %r:2 = xla.while(%z, %x) ({
  ^bb0(%i: tensor<i32>, %y: tensor<20x6xf32>):
    %c = xla.compare %i, %n {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  }, {
  ^bb0(%i: tensor<i32>, %y: tensor<20x6xf32>):
    %from = xla.subtract %n, %i : tensor<i32>
    %s = xla.dynamic_slice %y, %from, %z {slice_sizes = [1, 6]} : (tensor<20x6xf32>, tensor<i32>, tensor<i32>) -> tensor<1x6xf32>
    %e = xla.tanh %s : tensor<1x6xf32>
    %w = xla.dynamic_update_slice %y, %e, %from, %z : (tensor<20x6xf32>, tensor<1x6xf32>, tensor<i32>, tensor<i32>) -> tensor<20x6xf32>
    %j = xla.add %i, %one : tensor<i32>
    xla.return %j, %w : tensor<i32>, tensor<20x6xf32>
  }) : (tensor<i32>, tensor<20x6xf32>) -> (tensor<i32>, tensor<20x6xf32>)
  return %r#1 : tensor<20x6xf32>
}

// Only so much: where a way is longer, one kernel has its beginning.
// CHECK-LABEL: @far
// CHECK-COUNT-3: xla.fusion(
// CHECK-NOT: xla.fusion(
// CHECK: return
func.func @far(%x: tensor<32x8xf32>, %i: tensor<i32>) -> (tensor<4x8xf32>, tensor<8x2xf32>) {
  %z = xla.constant dense<0> : tensor<i32>
  %one = xla.constant dense<3> : tensor<i32>
  %0 = xla.multiply %i, %i : tensor<i32>
  %1 = xla.multiply %0, %i : tensor<i32>
  %2 = xla.subtract %1, %one : tensor<i32>
  %3 = xla.multiply %2, %i : tensor<i32>
  %4 = xla.subtract %3, %one : tensor<i32>
  %5 = xla.multiply %4, %i : tensor<i32>
  %6 = xla.subtract %5, %one : tensor<i32>
  %7 = xla.multiply %6, %i : tensor<i32>
  %8 = xla.subtract %7, %one : tensor<i32>
  %9 = xla.multiply %8, %i : tensor<i32>
  %a = xla.dynamic_slice %x, %9, %z {slice_sizes = [4, 8]} : (tensor<32x8xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
  %b = xla.dynamic_slice %x, %z, %9 {slice_sizes = [8, 2]} : (tensor<32x8xf32>, tensor<i32>, tensor<i32>) -> tensor<8x2xf32>
  %c = xla.tanh %a : tensor<4x8xf32>
  %d = xla.tanh %b : tensor<8x2xf32>
  return %c, %d : tensor<4x8xf32>, tensor<8x2xf32>
}

// What is a result too is computed once.
// CHECK-LABEL: @given
// CHECK: xla.add
// CHECK-NOT: xla.add
// CHECK: return
func.func @given(%x: tensor<32x8xf32>, %i: tensor<i32>) -> (tensor<4x8xf32>, tensor<8x2xf32>, tensor<i32>) {
  %z = xla.constant dense<0> : tensor<i32>
  %one = xla.constant dense<3> : tensor<i32>
  %at = xla.add %i, %one : tensor<i32>
  %a = xla.dynamic_slice %x, %at, %z {slice_sizes = [4, 8]} : (tensor<32x8xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
  %b = xla.dynamic_slice %x, %z, %at {slice_sizes = [8, 2]} : (tensor<32x8xf32>, tensor<i32>, tensor<i32>) -> tensor<8x2xf32>
  %c = xla.tanh %a : tensor<4x8xf32>
  %d = xla.tanh %b : tensor<8x2xf32>
  return %c, %d, %at : tensor<4x8xf32>, tensor<8x2xf32>, tensor<i32>
}
