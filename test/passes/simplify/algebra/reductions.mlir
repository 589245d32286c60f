// RUN: xla-opt %s --xla-simplify-algebra | FileCheck %s

// reduce(reduce(x)) = reduce(x) over the dimensions of both
// CHECK-LABEL: @reduce_reduce(
// CHECK: xla.reduce(%arg0, %arg1)
// CHECK: {dimensions = array<i64: 1, 2>} : (tensor<2x3x4x5xi32>, tensor<i32>) -> tensor<2x5xi32>
// CHECK-NEXT: return
func.func @reduce_reduce(%x: tensor<2x3x4x5xi32>, %i: tensor<i32>) -> tensor<2x5xi32> {
  %z = xla.constant dense<0> : tensor<i32>
  %0 = xla.reduce(%x, %z) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = xla.add %a, %b : tensor<i32>
    xla.return %s : tensor<i32>
  }) {dimensions = array<i64: 1>} : (tensor<2x3x4x5xi32>, tensor<i32>) -> tensor<2x4x5xi32>
  %1 = xla.reduce(%0, %i) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = xla.add %b, %a : tensor<i32>
    xla.return %s : tensor<i32>
  }) {dimensions = array<i64: 1>} : (tensor<2x4x5xi32>, tensor<i32>) -> tensor<2x5xi32>
  return %1 : tensor<2x5xi32>
}

// CHECK-LABEL: @reduce_reduce_2(
// CHECK: xla.reduce(%arg0, %{{.*}})
// CHECK: {dimensions = array<i64: 0, 1>} : (tensor<3x4xf32>, tensor<f32>) -> tensor<f32>
func.func @reduce_reduce_2(%x: tensor<3x4xf32>) -> tensor<f32> {
  %z = xla.constant dense<0xFF800000> : tensor<f32>
  %0 = xla.reduce(%x, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.maximum %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<3x4xf32>, tensor<f32>) -> tensor<3xf32>
  %1 = xla.reduce(%0, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.maximum %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}

// Sums of floats are rounded in another order.
// CHECK-LABEL: @reduce_reduce_not(
// CHECK-COUNT-2: xla.reduce(
func.func @reduce_reduce_not(%x: tensor<3x4xf32>) -> tensor<f32> {
  %z = xla.constant dense<-0.0> : tensor<f32>
  %0 = xla.reduce(%x, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<3x4xf32>, tensor<f32>) -> tensor<3xf32>
  %1 = xla.reduce(%0, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}

// The inner init value counts three times; and another operation outside.
// CHECK-LABEL: @reduce_reduce_not_2(
// CHECK-COUNT-4: xla.reduce(
func.func @reduce_reduce_not_2(%x: tensor<3x4xi32>) -> (tensor<i32>, tensor<i32>) {
  %one = xla.constant dense<1> : tensor<i32>
  %z = xla.constant dense<0> : tensor<i32>
  %0 = xla.reduce(%x, %one) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = xla.add %a, %b : tensor<i32>
    xla.return %s : tensor<i32>
  }) {dimensions = array<i64: 1>} : (tensor<3x4xi32>, tensor<i32>) -> tensor<3xi32>
  %1 = xla.reduce(%0, %z) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = xla.add %a, %b : tensor<i32>
    xla.return %s : tensor<i32>
  }) {dimensions = array<i64: 0>} : (tensor<3xi32>, tensor<i32>) -> tensor<i32>
  %2 = xla.reduce(%x, %z) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = xla.add %a, %b : tensor<i32>
    xla.return %s : tensor<i32>
  }) {dimensions = array<i64: 1>} : (tensor<3x4xi32>, tensor<i32>) -> tensor<3xi32>
  %3 = xla.reduce(%2, %z) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = xla.maximum %a, %b : tensor<i32>
    xla.return %s : tensor<i32>
  }) {dimensions = array<i64: 0>} : (tensor<3xi32>, tensor<i32>) -> tensor<i32>
  return %1, %3 : tensor<i32>, tensor<i32>
}

// reduce(x) over dimensions of size 1 = reshape(x)
// CHECK-LABEL: @reduce_nothing(
// CHECK-NEXT: %[[R:.*]] = xla.reshape %arg0 : (tensor<3x1xf32>) -> tensor<3xf32>
// CHECK-NEXT: return %[[R]], %arg1 :
func.func @reduce_nothing(%x: tensor<3x1xf32>, %y: tensor<3xi32>) -> (tensor<3xf32>, tensor<3xi32>) {
  %f = xla.constant dense<-0.0> : tensor<f32>
  %i = xla.constant dense<1> : tensor<i32>
  %0 = xla.reduce(%x, %f) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<3x1xf32>, tensor<f32>) -> tensor<3xf32>
  %1 = xla.reduce(%y, %i) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = xla.multiply %a, %b : tensor<i32>
    xla.return %s : tensor<i32>
  }) {dimensions = array<i64>} : (tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
  return %0, %1 : tensor<3xf32>, tensor<3xi32>
}

// CHECK-LABEL: @reduce_nothing_not(
// CHECK: xla.reduce(
func.func @reduce_nothing_not(%x: tensor<3x2x1xf32>) -> tensor<3xf32> {
  %f = xla.constant dense<-0.0> : tensor<f32>
  %0 = xla.reduce(%x, %f) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimensions = array<i64: 1, 2>} : (tensor<3x2x1xf32>, tensor<f32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// reduce(x, init) over dimensions of size 1 = add(init, reshape(x)) of add
// 0 + -0 is 0.
// CHECK-LABEL: @reduce_once(
// CHECK-DAG: %[[F:.*]] = xla.constant dense<0.000000e+00> : tensor<f32>
// CHECK-DAG: %[[Z:.*]] = xla.broadcast_in_dim %[[F]] {broadcast_dimensions = array<i64>} : (tensor<f32>) -> tensor<3xf32>
// CHECK-DAG: %[[X:.*]] = xla.reshape %arg0 : (tensor<3x1xf32>) -> tensor<3xf32>
// CHECK-DAG: %[[S:.*]] = xla.add {{%.*}}, %{{.*}} : tensor<3xf32>
// CHECK-DAG: %[[I:.*]] = xla.broadcast_in_dim %arg2 {{.*}} : (tensor<f32>) -> tensor<5xf32>
// CHECK-DAG: %[[Y:.*]] = xla.reshape %arg1 : (tensor<1x5x1xf32>) -> tensor<5xf32>
// CHECK-DAG: %[[M:.*]] = xla.minimum %[[I]], %[[Y]] : tensor<5xf32>
// CHECK: return %[[S]], %[[M]] :
func.func @reduce_once(%x: tensor<3x1xf32>, %y: tensor<1x5x1xf32>, %i: tensor<f32>) -> (tensor<3xf32>, tensor<5xf32>) {
  %f = xla.constant dense<0.0> : tensor<f32>
  %0 = xla.reduce(%x, %f) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<3x1xf32>, tensor<f32>) -> tensor<3xf32>
  %1 = xla.reduce(%y, %i) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.minimum %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimensions = array<i64: 0, 2>} : (tensor<1x5x1xf32>, tensor<f32>) -> tensor<5xf32>
  return %0, %1 : tensor<3xf32>, tensor<5xf32>
}

// Of two operations, of one whose operands do not change places, and of more
// elements it stays.
// CHECK-LABEL: @reduce_once_not(
// CHECK-COUNT-3: xla.reduce(
func.func @reduce_once_not(%x: tensor<3x1xf32>, %y: tensor<3x2xf32>, %i: tensor<f32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
  %0 = xla.reduce(%x, %i) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %n = xla.negate %b : tensor<f32>
    %s = xla.add %a, %n : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<3x1xf32>, tensor<f32>) -> tensor<3xf32>
  %1 = xla.reduce(%x, %i) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.subtract %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<3x1xf32>, tensor<f32>) -> tensor<3xf32>
  %2 = xla.reduce(%y, %i) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<3x2xf32>, tensor<f32>) -> tensor<3xf32>
  return %0, %1, %2 : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
}

// reduce(broadcast_in_dim(x)) = broadcast_in_dim(x) of maximum, minimum, and, or
// CHECK-LABEL: @reduce_broadcast(
// CHECK: %[[B:.*]] = xla.broadcast_in_dim %arg0 {broadcast_dimensions = array<i64: 1>} : (tensor<3xf32>) -> tensor<2x3xf32>
// CHECK: %[[C:.*]] = xla.constant dense<true> : tensor<5xi1>
// CHECK-NEXT: return %[[B]], %[[C]] :
func.func @reduce_broadcast(%x: tensor<3xf32>) -> (tensor<2x3xf32>, tensor<5xi1>) {
  %f = xla.constant dense<0x7F800000> : tensor<f32>
  %t = xla.constant dense<true> : tensor<i1>
  %many = xla.constant dense<true> : tensor<5x7xi1>
  %y = xla.broadcast_in_dim %x {broadcast_dimensions = array<i64: 2>} : (tensor<3xf32>) -> tensor<2x4x3xf32>
  %0 = xla.reduce(%y, %f) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.minimum %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<2x4x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %1 = xla.reduce(%many, %t) ({
  ^bb0(%a: tensor<i1>, %b: tensor<i1>):
    %s = xla.and %a, %b : tensor<i1>
    xla.return %s : tensor<i1>
  }) {dimensions = array<i64: 1>} : (tensor<5x7xi1>, tensor<i1>) -> tensor<5xi1>
  return %0, %1 : tensor<2x3xf32>, tensor<5xi1>
}

// Elements differ along dimension 2; of none the result is the init value.
// CHECK-LABEL: @reduce_broadcast_not(
// CHECK-COUNT-2: xla.reduce(
func.func @reduce_broadcast_not(%x: tensor<3xf32>) -> (tensor<2xf32>, tensor<3xf32>) {
  %f = xla.constant dense<0x7F800000> : tensor<f32>
  %y = xla.broadcast_in_dim %x {broadcast_dimensions = array<i64: 2>} : (tensor<3xf32>) -> tensor<2x4x3xf32>
  %0 = xla.reduce(%y, %f) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.minimum %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimensions = array<i64: 1, 2>} : (tensor<2x4x3xf32>, tensor<f32>) -> tensor<2xf32>
  %z = xla.broadcast_in_dim %x {broadcast_dimensions = array<i64: 1>} : (tensor<3xf32>) -> tensor<0x3xf32>
  %1 = xla.reduce(%z, %f) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.minimum %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<0x3xf32>, tensor<f32>) -> tensor<3xf32>
  return %0, %1 : tensor<2xf32>, tensor<3xf32>
}

// reduce(broadcast_in_dim(x)) = multiply(broadcast_in_dim(x), size) of add
// CHECK-LABEL: @reduce_repeated(
// CHECK-NEXT: %[[N:.*]] = xla.constant dense<44> : tensor<3xi8>
// CHECK-NEXT: xla.multiply %arg0, %[[N]] : tensor<3xi8>
func.func @reduce_repeated(%x: tensor<3xi8>) -> tensor<3xi8> {
  %z = xla.constant dense<0> : tensor<i8>
  %y = xla.broadcast_in_dim %x {broadcast_dimensions = array<i64: 1>} : (tensor<3xi8>) -> tensor<300x3xi8>
  %0 = xla.reduce(%y, %z) ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %s = xla.add %a, %b : tensor<i8>
    xla.return %s : tensor<i8>
  }) {dimensions = array<i64: 0>} : (tensor<300x3xi8>, tensor<i8>) -> tensor<3xi8>
  return %0 : tensor<3xi8>
}

// CHECK-LABEL: @reduce_repeated_not(
// CHECK: xla.reduce(
func.func @reduce_repeated_not(%x: tensor<3xf32>) -> tensor<3xf32> {
  %z = xla.constant dense<-0.0> : tensor<f32>
  %y = xla.broadcast_in_dim %x {broadcast_dimensions = array<i64: 1>} : (tensor<3xf32>) -> tensor<300x3xf32>
  %0 = xla.reduce(%y, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<300x3xf32>, tensor<f32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
