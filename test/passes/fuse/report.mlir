// RUN: xla-opt %s --xla-fuse=report=true 2>&1 >/dev/null | FileCheck %s

// CHECK: report.mlir:[[@LINE+12]]:8: slice of tensor<16x8xf32>: computed by each that uses it
// CHECK: report.mlir:[[@LINE+12]]:8: add of tensor<16x8xf32>: fused with tanh
// CHECK: report.mlir:[[@LINE+12]]:8: tanh of tensor<16x8xf32>: not fused with sort: a user outside of fusions takes it from memory
// CHECK: report.mlir:[[@LINE+12]]:8: sort of tensor<16x8xf32>: not fused with multiply: it is a kernel of its own, or a view
// CHECK: report.mlir:[[@LINE+16]]:8: multiply of tensor<16x8xf32>: not fused with the end of the program
// CHECK: report.mlir:[[@LINE+16]]:8: exponential of tensor<12x12xf32>: not fused with add: users need its elements at different places
// CHECK: report.mlir:[[@LINE+16]]:8: transpose of tensor<12x12xf32>: fused with add
// Slice, add and tanh read and write 1024 bytes, sort as many, multiply and
// slice 1536, exponential 1152, transpose and add 1152; alone slice takes 1024,
// add, tanh and sort 1024 each, multiply 1536, the others 1152, 1152 and 1728.
// CHECK: 8 operations in 5 kernels; bytes read and written: 5888, unfused 9664
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
  return %m, %d : tensor<16x8xf32>, tensor<12x12xf32>
}
