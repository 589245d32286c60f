// RUN: xla-opt %s --xla-fuse=report=true 2>&1 >/dev/null | FileCheck %s --match-full-lines
// RUN: xla-opt %s --xla-fuse="report=true contraction-epilogue=false" 2>&1 >/dev/null | FileCheck %s --check-prefix=APART

// CHECK: {{.*}}report.mlir:[[@LINE+16]]:8: slice of tensor<16x8xf32>: computed by each that uses it
// CHECK: {{.*}}report.mlir:[[@LINE+16]]:8: add of tensor<16x8xf32>: fused with tanh, which saves 0.5 us
// CHECK: {{.*}}report.mlir:[[@LINE+16]]:8: tanh of tensor<16x8xf32>: not fused with sort: a user outside of fusions takes it from memory, which costs 0.5 us; nothing changes that
// CHECK: {{.*}}report.mlir:[[@LINE+16]]:8: sort of tensor<16x8xf32>: not fused with multiply: it is a kernel of its own, or a view, which costs 0.5 us; nothing changes that
// CHECK: {{.*}}report.mlir:[[@LINE+20]]:8: multiply of tensor<16x8xf32>: not fused with the end of the program: it is a result
// CHECK: {{.*}}report.mlir:[[@LINE+20]]:8: exponential of tensor<12x12xf32>: not fused with add: users need its elements at different places, which costs 0.5 us; to change that: slice or transpose what it is computed from instead
// CHECK: {{.*}}report.mlir:[[@LINE+20]]:8: transpose of tensor<12x12xf32>: fused with add, which saves 0.5 us
// CHECK: {{.*}}report.mlir:[[@LINE+20]]:8: add of tensor<12x12xf32>: not fused with dot_general: users need its elements at different places, which costs 0.5 us; to change that: slice or transpose what it is computed from instead
// CHECK: {{.*}}report.mlir:[[@LINE+20]]:8: dot_general of tensor<12x12xf32>: fused with negate, which saves 0.5 us
// APART: dot_general of tensor<12x12xf32>: not fused with negate: {{.*}}, which costs 0.5 us; to change that: use --xla-fuse=contraction-epilogue=true
// Slice, add and tanh read and write 1024 bytes, sort as many, multiply and
// slice 1536, exponential 1152, transpose and add 1152; alone slice takes 1024,
// add, tanh and sort 1024 each, multiply 1536, the others 1152, 1152 and 1728.
// The product with its negation takes 1152, alone each.
// CHECK: 10 operations in 6 kernels; bytes read and written: 7040, unfused 11968; {{.*}}
func.func @main(%x: tensor<16x16xf32>, %y: tensor<12x12xf32>) -> (tensor<16x8xf32>, tensor<12x12xf32>) {
  %s = xla.slice %x {limit_indices = array<i64: 16, 8>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<16x16xf32>) -> tensor<16x8xf32>
  %a = xla.add %s, %s : tensor<16x8xf32>
  %t = xla.tanh %a : tensor<16x8xf32>
  %o = xla.sort(%t) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %c = xla.compare %p, %q {comparison_direction = "LT"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  }) {dimension = 1 : i64, is_stable = true} : tensor<16x8xf32>
  %m = xla.multiply %o, %s : tensor<16x8xf32>
  %e = xla.exponential %y : tensor<12x12xf32>
  %u = xla.transpose %e {permutation = array<i64: 1, 0>} : (tensor<12x12xf32>) -> tensor<12x12xf32>
  %d = xla.add %e, %u : tensor<12x12xf32>
  %p = xla.dot_general %d, %d {lhs_contracting_dimensions = array<i64: 1>, rhs_contracting_dimensions = array<i64: 0>} : (tensor<12x12xf32>, tensor<12x12xf32>) -> tensor<12x12xf32>
  %n = xla.negate %p : tensor<12x12xf32>
  return %m, %n : tensor<16x8xf32>, tensor<12x12xf32>
}
