// A test that does not find the bug in the program as it is leaves nothing to reduce.
// RUN: not xla-reduce %s --reduction-tree='traversal-mode=0 test=%S/Inputs/has-unused.sh' 2>&1 | FileCheck %s
// CHECK: xla-reduce: nothing was reduced; if no error is above, the test did not end with 1 for the program as it is
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %sine = xla.sine %a : tensor<4xf32>
  return %sine : tensor<4xf32>
}
