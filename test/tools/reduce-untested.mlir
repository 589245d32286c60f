// A pass that reduces needs a test; MLIR's reducer does not survive one without.
// RUN: not xla-reduce %s "--reduction-tree=traversal-mode=0" 2>&1 | FileCheck %s --check-prefix=TREE
// RUN: not xla-reduce %s -reduction-tree 2>&1 | FileCheck %s --check-prefix=TREE
// RUN: not xla-reduce %s "--reduction-tree=test= traversal-mode=0" 2>&1 | FileCheck %s --check-prefix=TREE
// RUN: not xla-reduce %s "--opt-reduction-pass=opt-pass=canonicalize" 2>&1 | FileCheck %s --check-prefix=PASS
// RUN: not xla-reduce %s "--pass-pipeline=builtin.module(reduction-tree{traversal-mode=0})" 2>&1 | FileCheck %s --check-prefix=TREE
// RUN: not xla-reduce %s --pass-pipeline "builtin.module(canonicalize{test-convergence=true},reduction-tree)" 2>&1 | FileCheck %s --check-prefix=TREE
// RUN: not xla-reduce %s "--pass-pipeline=builtin.module(opt-reduction-pass{opt-pass=cse}, reduction-tree{test=./a.sh})" 2>&1 | FileCheck %s --check-prefix=PASS
// TREE: {{^}}xla-reduce: --reduction-tree has no test: --reduction-tree='test=./test.sh' names a program that ends with 1 while the bug is there
// PASS: {{^}}xla-reduce: --opt-reduction-pass has no test: --opt-reduction-pass='test=./test.sh'
func.func @f(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}
