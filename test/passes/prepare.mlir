// RUN: xla-opt %s --xla-prepare-for-lowering | FileCheck %s
// RUN: xla-run %s --device=all --seed=1

// A layer norm as frameworks write it, keeping the reduced dimension: one fusion between two views.

// CHECK-LABEL: func.func @main
// CHECK-NEXT: %[[X:.*]] = xla.reshape %arg0 : (tensor<1x16x64xf32>) -> tensor<16x64xf32>
// CHECK-NEXT: %[[R:.*]] = xla.fusion(%[[X]], %arg1) ({
// CHECK: }) {kind = "row"} : (tensor<16x64xf32>, tensor<64xf32>) -> tensor<16x64xf32>
// CHECK-NEXT: %[[O:.*]] = xla.reshape %[[R]] : (tensor<16x64xf32>) -> tensor<1x16x64xf32>
// CHECK-NEXT: return %[[O]]
func.func private @mean(%x: tensor<1x16x64xf32>) -> tensor<1x16x1xf32> {
  %z = xla.constant dense<0.0> : tensor<f32>
  %n = xla.constant dense<64.0> : tensor<f32>
  %s = xla.reduce(%x, %z) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %a = xla.add %p, %q : tensor<f32>
    xla.return %a : tensor<f32>
  }) {dimensions = array<i64: 2>} : (tensor<1x16x64xf32>, tensor<f32>) -> tensor<1x16xf32>
  %k = xla.broadcast_in_dim %s {broadcast_dimensions = array<i64: 0, 1>} : (tensor<1x16xf32>) -> tensor<1x16x1xf32>
  %m = xla.divide %k, %n : (tensor<1x16x1xf32>, tensor<f32>) -> tensor<1x16x1xf32>
  return %m : tensor<1x16x1xf32>
}
func.func @main(%x: tensor<1x16x64xf32>, %g: tensor<64xf32>) -> tensor<1x16x64xf32> {
  %mean = xla.call @mean(%x) : (tensor<1x16x64xf32>) -> tensor<1x16x1xf32>
  %d = xla.subtract %x, %mean : (tensor<1x16x64xf32>, tensor<1x16x1xf32>) -> tensor<1x16x64xf32>
  %d2 = xla.multiply %d, %d : tensor<1x16x64xf32>
  %var = xla.call @mean(%d2) : (tensor<1x16x64xf32>) -> tensor<1x16x1xf32>
  %eps = xla.constant dense<1.0e-5> : tensor<f32>
  %ve = xla.add %var, %eps : (tensor<1x16x1xf32>, tensor<f32>) -> tensor<1x16x1xf32>
  %r = xla.rsqrt %ve : tensor<1x16x1xf32>
  %n = xla.multiply %d, %r : (tensor<1x16x64xf32>, tensor<1x16x1xf32>) -> tensor<1x16x64xf32>
  %o = xla.multiply %n, %g {broadcast_dimensions = array<i64: 2>} : (tensor<1x16x64xf32>, tensor<64xf32>) -> tensor<1x16x64xf32>
  return %o : tensor<1x16x64xf32>
}
