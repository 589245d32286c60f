// Narrow types are computed with others, and stored in bytes.
// RUN: xla-opt %s --split-input-file --xla-legalize | FileCheck %s

// A sum of 8 bits, wrapped. What comes in may have any upper bits.
// CHECK-LABEL: @integers(%arg0: tensor<3xi4>)
// CHECK: %[[BYTES:.*]] = xla.bitcast %arg0 : (tensor<3xi4>) -> tensor<3xi8>
// CHECK: %[[UP:.*]] = xla.shift_left %[[BYTES]]
// CHECK: %[[X:.*]] = xla.shift_right_arithmetic %[[UP]]
// CHECK: %[[SUM:.*]] = xla.add %[[X]], %[[X]] : tensor<3xi8>
// CHECK: %[[UP2:.*]] = xla.shift_left %[[SUM]]
// CHECK: %[[WRAPPED:.*]] = xla.shift_right_arithmetic %[[UP2]]
// CHECK: %[[RESULT:.*]] = xla.bitcast %[[WRAPPED]] : (tensor<3xi8>) -> tensor<3xi4>
// CHECK: return %[[RESULT]]
func.func @integers(%x: tensor<3xi4>) -> tensor<3xi4> {
  %0 = xla.add %x, %x : tensor<3xi4>
  return %0 : tensor<3xi4>
}

// -----

// What moves data moves bytes.
// CHECK-LABEL: @moved
// CHECK: xla.bitcast %arg0 : (tensor<2x3xf8E4M3FN>) -> tensor<2x3xui8>
// CHECK-NEXT: xla.transpose {{.*}} -> tensor<3x2xui8>
// CHECK-NEXT: xla.bitcast {{.*}} -> tensor<3x2xf8E4M3FN>
// CHECK-NEXT: return
func.func @moved(%x: tensor<2x3xf8E4M3FN>) -> tensor<3x2xf8E4M3FN> {
  %0 = xla.transpose %x {permutation = [1, 0]} : (tensor<2x3xf8E4M3FN>) -> tensor<3x2xf8E4M3FN>
  return %0 : tensor<3x2xf8E4M3FN>
}

// -----

// Floats are those of f32, and the result is rounded to the format.
// CHECK-LABEL: @floats
// CHECK: %[[X:.*]] = xla.bitcast_convert {{.*}} : (tensor<3xui32>) -> tensor<3xf32>
// CHECK: %[[Y:.*]] = xla.sqrt %[[X]] : tensor<3xf32>
// CHECK: xla.bitcast_convert %[[Y]] : (tensor<3xf32>) -> tensor<3xui32>
// CHECK: xla.bitcast {{.*}} : (tensor<3xui8>) -> tensor<3xf8E5M2>
func.func @floats(%x: tensor<3xf8E5M2>) -> tensor<3xf8E5M2> {
  %0 = xla.sqrt %x : tensor<3xf8E5M2>
  return %0 : tensor<3xf8E5M2>
}

// -----

// A product takes bf16, which has all values, and sums in f32.
// CHECK-LABEL: @product
// CHECK: xla.dot_general {{.*}} : (tensor<2x3xbf16>, tensor<3x4xbf16>) -> tensor<2x4xf32>
func.func @product(%x: tensor<2x3xf8E4M3FN>, %y: tensor<3x4xf8E5M2>) -> tensor<2x4xf8E4M3FN> {
  %0 = xla.dot_general %x, %y {lhs_contracting_dimensions = array<i64: 1>, rhs_contracting_dimensions = array<i64: 0>} : (tensor<2x3xf8E4M3FN>, tensor<3x4xf8E5M2>) -> tensor<2x4xf8E4M3FN>
  return %0 : tensor<2x4xf8E4M3FN>
}

// -----

// A sum is one of f32, of integers one of 8 bits, both rounded or wrapped at the end.
// CHECK-LABEL: @sums
// CHECK: xla.reduce
// CHECK: %[[S:.*]] = xla.add {{.*}} : tensor<f32>
// CHECK-NEXT: xla.return %[[S]]
// CHECK: (tensor<3x4xf32>, tensor<f32>) -> tensor<3xf32>
// CHECK: xla.reduce
// CHECK: %[[T:.*]] = xla.add {{.*}} : tensor<i8>
// CHECK-NEXT: xla.return %[[T]]
// CHECK: (tensor<3x4xi8>, tensor<i8>) -> tensor<3xi8>
func.func @sums(%x: tensor<3x4xf8E4M3FN>, %y: tensor<3x4xi4>) -> (tensor<3xf8E4M3FN>, tensor<3xi4>) {
  %zero = xla.constant dense<0.0> : tensor<f8E4M3FN>
  %0 = xla.reduce(%x, %zero) ({
  ^bb0(%a: tensor<f8E4M3FN>, %b: tensor<f8E4M3FN>):
    %s = xla.add %a, %b : tensor<f8E4M3FN>
    xla.return %s : tensor<f8E4M3FN>
  }) {dimensions = [1]} : (tensor<3x4xf8E4M3FN>, tensor<f8E4M3FN>) -> tensor<3xf8E4M3FN>
  %none = xla.constant dense<0> : tensor<i4>
  %1 = xla.reduce(%y, %none) ({
  ^bb0(%a: tensor<i4>, %b: tensor<i4>):
    %s = xla.add %a, %b : tensor<i4>
    xla.return %s : tensor<i4>
  }) {dimensions = [1]} : (tensor<3x4xi4>, tensor<i4>) -> tensor<3xi4>
  return %0, %1 : tensor<3xf8E4M3FN>, tensor<3xi4>
}
