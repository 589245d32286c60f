// What the reducer tries first are programs without some operations, and operands in their place are null: the verifier says so.
// RUN: xla-reduce %s --reduction-tree='traversal-mode=0 test=%S/Inputs/has-reduce.sh' 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=TRIED < %t.err
// CHECK: xla.reduce
// CHECK-NOT: xla.exponential
// TRIED-DAG: 'xla.reduce' op region 0 must be one block that ends in xla.return [region]
// TRIED-DAG: 'xla.reduce' op region 0 returns a value 0 that is nowhere [region]
func.func @main(%a: tensor<4xf32>) -> tensor<f32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %sine = xla.sine %a : tensor<4xf32>
  %exp = xla.exponential %sine : tensor<4xf32>
  %sum = xla.reduce(%a, %zero) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %add = xla.add %x, %y : tensor<f32>
    xla.return %add : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %sum : tensor<f32>
}
