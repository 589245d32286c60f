// MLIR's reducer begins by erasing what has no uses. What shows the bug may be such an operation.
// RUN: xla-reduce %s --reduction-tree='traversal-mode=0 test=%S/Inputs/has-unused.sh' 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=SAID < %t.err
// RUN: xla-reduce - --reduction-tree='traversal-mode=0 test=%S/Inputs/has-unused.sh' < %s 2>%t.err | FileCheck %s
// CHECK: xla.sine
// CHECK: xla.reduce
// SAID: xla-reduce: the bug is gone when what has no uses is erased and constants are folded: reducing without that
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %one = xla.constant dense<1.0> : tensor<4xf32>
  %zero = xla.constant dense<0.0> : tensor<f32>
  %sine = xla.sine %one : tensor<4xf32>
  %sum = xla.reduce(%one, %zero) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %add = xla.add %x, %y : tensor<f32>
    xla.return %add : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %tanh = xla.tanh %a : tensor<4xf32>
  return %a : tensor<4xf32>
}
