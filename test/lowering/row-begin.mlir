// Two reductions of one row, of which the second uses the first: what the second begins with is computed, or an argument.
// RUN: xla-run %s --device=all --seed=1 --entry=computed 2>&1 | FileCheck %s --implicit-check-not="left out, because"
// RUN: xla-run %s --device=all --seed=1 --entry=given 2>&1 | FileCheck %s --implicit-check-not="left out, because"
// CHECK: {{^(pred|f32)=}}
func.func @computed(%a: tensor<3xi1>, %b: tensor<3xi1>) -> (tensor<i1>) {
  %f = xla.constant dense<false> : tensor<i1>
  %0 = xla.reduce(%a, %f) ({
  ^bb0(%x: tensor<i1>, %y: tensor<i1>):
    %r = xla.xor %x, %y : tensor<i1>
    xla.return %r : tensor<i1>
  }) {dimensions = array<i64: 0>} : (tensor<3xi1>, tensor<i1>) -> tensor<i1>
  %1 = xla.broadcast_in_dim %0 {broadcast_dimensions = array<i64>} : (tensor<i1>) -> tensor<3xi1>
  %2 = xla.add %a, %1 : tensor<3xi1>
  %3 = xla.reduce(%2, %f) ({
  ^bb0(%x: tensor<i1>, %y: tensor<i1>):
    %r = xla.or %x, %y : tensor<i1>
    xla.return %r : tensor<i1>
  }) {dimensions = array<i64: 0>} : (tensor<3xi1>, tensor<i1>) -> tensor<i1>
  return %3 : tensor<i1>
}
func.func @given(%a: tensor<3xf32>, %f: tensor<f32>, %g: tensor<f32>) -> (tensor<f32>) {
  %0 = xla.reduce(%a, %f) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = xla.add %x, %y : tensor<f32>
    xla.return %r : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
  %1 = xla.broadcast_in_dim %0 {broadcast_dimensions = array<i64>} : (tensor<f32>) -> tensor<3xf32>
  %2 = xla.add %a, %1 : tensor<3xf32>
  %3 = xla.reduce(%2, %g) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = xla.maximum %x, %y : tensor<f32>
    xla.return %r : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
  return %3 : tensor<f32>
}
