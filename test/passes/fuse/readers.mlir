// Kernels over the same rows, one of which reads what another writes for others, are one.
// RUN: xla-opt %s --xla-fuse | FileCheck %s
// RUN: xla-opt %s --xla-fuse=device=gpu | FileCheck %s
// RUN: xla-run %s --device=all --seed=1 --output=none

// The mean is for its own rows, and for the columns of another kernel, too. What is repeated along rows is computed
// where it is needed, by both.
// CHECK-LABEL: @main(
// CHECK: %[[ROWS:.*]]:3 = xla.fusion(%arg0)
// CHECK-COUNT-2: xla.reduce
// CHECK: kind = "row"
// CHECK: xla.fusion(%arg0, %[[ROWS]]#{{[0-9]}})
// CHECK: xla.reduce
// CHECK: dimensions = [0]
// CHECK-NOT: xla.fusion
// CHECK: return
func.func @main(%x: tensor<64x96xf32>) -> (tensor<64x96xf32>, tensor<64xf32>, tensor<96xf32>, tensor<64xf32>) {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %third = xla.constant dense<0.01> : tensor<64xf32>
  %sum = xla.reduce(%x, %zero) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = xla.add %p, %q : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimensions = [1]} : (tensor<64x96xf32>, tensor<f32>) -> tensor<64xf32>
  %mean = xla.multiply %sum, %third : tensor<64xf32>
  %means = xla.broadcast_in_dim %mean {broadcast_dimensions = [0]} : (tensor<64xf32>) -> tensor<64x96xf32>
  %c = xla.subtract %x, %means : tensor<64x96xf32>
  %square = xla.multiply %c, %c : tensor<64x96xf32>
  %variance = xla.reduce(%square, %zero) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = xla.add %p, %q : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimensions = [1]} : (tensor<64x96xf32>, tensor<f32>) -> tensor<64xf32>
  %variances = xla.broadcast_in_dim %variance {broadcast_dimensions = [0]} : (tensor<64xf32>) -> tensor<64x96xf32>
  %n = xla.divide %c, %variances : tensor<64x96xf32>
  %e = xla.tanh %c : tensor<64x96xf32>
  %columns = xla.reduce(%e, %zero) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = xla.add %p, %q : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimensions = [0]} : (tensor<64x96xf32>, tensor<f32>) -> tensor<96xf32>
  return %n, %mean, %columns, %variance : tensor<64x96xf32>, tensor<64xf32>, tensor<96xf32>, tensor<64xf32>
}

// A sort lies between the two, and would wait for both.
// CHECK-LABEL: @between(
// CHECK: xla.fusion
// CHECK: xla.sort
// CHECK: xla.fusion
func.func @between(%x: tensor<64x96xf32>) -> (tensor<64x96xf32>, tensor<64xf32>) {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %sum = xla.reduce(%x, %zero) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = xla.add %p, %q : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimensions = [1]} : (tensor<64x96xf32>, tensor<f32>) -> tensor<64xf32>
  %mean = xla.tanh %sum : tensor<64xf32>
  %sorted = xla.sort %mean {dimension = 0 : i64} : tensor<64xf32>
  %means = xla.broadcast_in_dim %mean {broadcast_dimensions = [0]} : (tensor<64xf32>) -> tensor<64x96xf32>
  %others = xla.broadcast_in_dim %sorted {broadcast_dimensions = [0]} : (tensor<64xf32>) -> tensor<64x96xf32>
  %c = xla.subtract %x, %means : tensor<64x96xf32>
  %d = xla.multiply %c, %others : tensor<64x96xf32>
  return %d, %mean : tensor<64x96xf32>, tensor<64xf32>
}

// A row of one element is none of three.
// CHECK-LABEL: @lengths(
// CHECK: %[[ONE:.*]] = xla.reduce(%arg0
// CHECK: xla.fusion(%[[ONE]])
func.func @lengths(%x: tensor<1xf32>) -> tensor<f32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %one = xla.reduce(%x, %zero) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = xla.add %p, %q : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimensions = [0]} : (tensor<1xf32>, tensor<f32>) -> tensor<f32>
  %square = xla.multiply %one, %one : tensor<f32>
  %three = xla.broadcast_in_dim %square {broadcast_dimensions = []} : (tensor<f32>) -> tensor<3xf32>
  %sum = xla.reduce(%three, %zero) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = xla.add %p, %q : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimensions = [0]} : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
  return %sum : tensor<f32>
}
