// What is broadcast along rows, some of it before the kernel was known to go over rows, is computed at each element.
// RUN: xla-opt %s --xla-fuse=device=gpu | FileCheck %s --check-prefixes=CHECK,GPU
// RUN: xla-opt %s --xla-fuse=device=cpu | FileCheck %s --check-prefixes=CHECK,CPU
// RUN: xla-run %s --device=all --seed=1 --output=none

// Weights of a row, none beyond its ends: the comparison stands behind the sum, the distance before.
// CHECK-LABEL: @main
// GPU-COUNT-1: xla.fusion(
// CPU-COUNT-2: xla.fusion(
// CHECK-NOT: xla.fusion(
// CHECK: return
func.func @main(%p: tensor<96xf32>, %z: tensor<f32>) -> tensor<48x96xf32> {
  %half = xla.constant dense<0.5> : tensor<96xf32>
  %none = xla.constant dense<0.0> : tensor<48x96xf32>
  %one = xla.constant dense<1.0> : tensor<48x96xf32>
  %m = xla.multiply %p, %p : tensor<96xf32>
  %x = xla.subtract %m, %half : tensor<96xf32>
  %b = xla.broadcast_in_dim %x {broadcast_dimensions = [1]} : (tensor<96xf32>) -> tensor<48x96xf32>
  %i = xla.iota {iota_dimension = 0} : () -> tensor<48x96xf32>
  %d = xla.subtract %b, %i : tensor<48x96xf32>
  %a = xla.abs %d : tensor<48x96xf32>
  %w = xla.maximum %one, %a : tensor<48x96xf32>
  %s = xla.reduce(%w, %z) ({
  ^bb0(%u: tensor<f32>, %v: tensor<f32>):
    %q = xla.add %u, %v : tensor<f32>
    xla.return %q : tensor<f32>
  }) {dimensions = [0]} : (tensor<48x96xf32>, tensor<f32>) -> tensor<96xf32>
  %t = xla.broadcast_in_dim %s {broadcast_dimensions = [1]} : (tensor<96xf32>) -> tensor<48x96xf32>
  %e = xla.divide %w, %t : tensor<48x96xf32>
  %c = xla.compare %x, %half {comparison_direction = "GE"} : (tensor<96xf32>, tensor<96xf32>) -> tensor<96xi1>
  %k = xla.broadcast_in_dim %c {broadcast_dimensions = [1]} : (tensor<96xi1>) -> tensor<48x96xi1>
  %r = xla.select %k, %e, %none : (tensor<48x96xi1>, tensor<48x96xf32>, tensor<48x96xf32>) -> tensor<48x96xf32>
  return %r : tensor<48x96xf32>
}
