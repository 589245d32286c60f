// Results that fusions share do not make them wait for each other.
// RUN: xla-opt %s --xla-fuse | FileCheck %s
// RUN: xla-run %s --entry=late_member --device=all --seed=1
// RUN: xla-run %s --entry=two_products --device=all --seed=1

// d and t are one fusion, e is another: e needs c, and that what t needs.
// CHECK-LABEL: @late_member
// CHECK: xla.fusion
// CHECK: return
func.func @late_member(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %n = xla.exponential %x : tensor<64x64xf32>
  %d = xla.tanh %y : tensor<64x64xf32>
  %r = xla.reverse %d {dimensions = [0]} : tensor<64x64xf32>
  %t = xla.add %n, %r : tensor<64x64xf32>
  %c = xla.dot %n, %n : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %e = xla.multiply %d, %c : tensor<64x64xf32>
  return %t, %e : tensor<64x64xf32>, tensor<64x64xf32>
}

// CHECK-LABEL: @two_products
// CHECK: xla.fusion
// CHECK: return
func.func @two_products(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %n = xla.exponential %x : tensor<64x64xf32>
  %d = xla.tanh %y : tensor<64x64xf32>
  %r = xla.reverse %d {dimensions = [0]} : tensor<64x64xf32>
  %t = xla.add %n, %r : tensor<64x64xf32>
  %b = xla.dot %n, %n : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %c = xla.dot %b, %b : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %e = xla.multiply %d, %c : tensor<64x64xf32>
  return %t, %e : tensor<64x64xf32>, tensor<64x64xf32>
}
