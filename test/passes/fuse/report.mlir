// What fusion tells: the kernels with what they read and write, why arrays go through memory, and totals.
// RUN: xla-opt %s --xla-fuse=report -o /dev/null 2>&1 | FileCheck %s --match-full-lines
// RUN: xla-opt %s --xla-fuse=report=true -o /dev/null 2>&1 | FileCheck %s --match-full-lines
// RUN: xla-opt %s --xla-cpu-pipeline="report to=prepared" -o /dev/null 2>&1 | FileCheck %s --match-full-lines
// RUN: xla-opt %s --xla-prepare-for-lowering=report -o /dev/null 2>&1 | FileCheck %s --match-full-lines
// RUN: xla-opt %s --xla-vulkan-pipeline="to=prepared report" -o /dev/null 2>&1 | FileCheck %s --check-prefix=GPU
// RUN: xla-opt %s --xla-fuse="report contraction-epilogue=false" -o /dev/null 2>&1 | FileCheck %s --check-prefix=APART
// RUN: xla-opt %s --xla-fuse=report=verbose -o /dev/null 2>&1 | FileCheck %s --check-prefix=VERBOSE
// RUN: xla-opt %s --xla-fuse -o /dev/null 2>&1 | FileCheck %s --check-prefix=OFF --allow-empty
// RUN: not xla-opt %s --xla-fuse=report=loud -o /dev/null 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: not xla-opt %s --xla-cpu-pipeline="to=prepared reports" -o /dev/null 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: xla-opt %s --xla-fuse --xla-fuse=report -o /dev/null 2>&1 | FileCheck %s --check-prefix=AGAIN
// WRONG: is to be fused with report=loud, but there are off, report and verbose
// OPTION: no such option reports
// OFF-NOT: kernel

// CHECK: @main: kernels for cpu; places are lines and columns of {{.*}}report.mlir
// CHECK-NEXT: kernel {{ *}}kind {{ *}}at {{ *}}ops {{ *}}computes {{ *}}reads from {{ *}}reads {{ *}}writes {{ *}}memory {{ *}}arithmetic
// CHECK-NEXT: {{ *}}1 loop [[@LINE+35]]:8-[[@LINE+37]]:8 3 tanh of tensor<16x8xf32> inputs 512 B 512 B 0.02 us 0.02 us
// CHECK-NEXT: {{ *}}2 - [[@LINE+37]]:8 1 sort of tensor<16x8xf32> 1 512 B 512 B {{.*}}
// CHECK-NEXT: {{ *}}3 loop [[@LINE+33]]:8-[[@LINE+41]]:8 2 multiply of tensor<16x8xf32> inputs, 2 1.0 KiB 512 B {{.*}}
// CHECK-NEXT: {{ *}}4 - [[@LINE+41]]:8 1 exponential of tensor<12x12xf32> inputs 576 B 576 B {{.*}}
// CHECK-NEXT: {{ *}}5 loop [[@LINE+41]]:8-[[@LINE+42]]:8 2 add of tensor<12x12xf32> 4 576 B 576 B {{.*}}
// A product of 12 x 12 x 12, and a negation.
// CHECK-NEXT: {{ *}}6 contraction [[@LINE+41]]:8-[[@LINE+42]]:8 2 dot_general, negate of tensor<12x12xf32> 5 576 B 576 B 0.03 us 0.01 us
// CHECK-NEXT: kernel 1 -> 2: tanh [[@LINE+30]]:8 of tensor<16x8xf32>, 512 B, 0.02 us through memory
// CHECK-NEXT: sort takes this operand from memory; nothing to change
// CHECK-NEXT: kernel 2 -> 3: sort [[@LINE+29]]:8 of tensor<16x8xf32>, 512 B, 0.02 us through memory
// CHECK-NEXT: sort is a kernel of its own, whatever uses it; nothing to change
// CHECK-NEXT: kernel 4 -> 5: exponential [[@LINE+33]]:8 of tensor<12x12xf32>, 576 B, 0.03 us through memory
// CHECK-NEXT: it is needed at several places: as it is, and where transpose takes it; to change that: apply transpose to what it is computed from instead
// CHECK-NEXT: kernel 5 -> 6: add [[@LINE+33]]:8 of tensor<12x12xf32>, 576 B, 0.03 us through memory
// CHECK-NEXT: it is both operands of the product, which loads them at different places; nothing to change
// The first kernel reads and writes 1024 bytes, sort as many, the third 1536,
// the others 1152 each; alone slice takes 1024, add, tanh and sort 1024 each,
// multiply 1536, the others 1152, 1152, 1728, and 1152 twice.
// CHECK-NEXT: 10 operations in 6 kernels; bytes read and written: 7040, each operation by itself 11968; about {{.*}}, by themselves {{.*}}
// CHECK-NEXT: estimated for cpu: 45 GB/s of memory, {{.*}} to start a kernel
// CHECK-NOT: {{.}}
// GPU: 10 operations in 4 kernels;
// GPU-NEXT: estimated for gpu: 500 GB/s
// APART: kernel 6 -> 7: dot_general
// APART-NEXT: to change that: use --xla-fuse=contraction-epilogue=true
// VERBOSE: report.mlir:[[@LINE+10]]:8: slice of tensor<16x8xf32>: computed by each that uses it, of 3
// VERBOSE: report.mlir:[[@LINE+10]]:8: add of tensor<16x8xf32>: fused with tanh, which saves 0.52 us
// VERBOSE: report.mlir:[[@LINE+10]]:8: tanh of tensor<16x8xf32>: not fused with sort: what reads it takes operands from memory
// VERBOSE-NOT: multiply of
// VERBOSE: report.mlir:[[@LINE+18]]:8: dot_general of tensor<12x12xf32>: fused with negate, which saves 0.53 us
// VERBOSE: 10 operations in 6 kernels;
// AGAIN: @main
// AGAIN-NEXT: warning: 4 fusions were here before
// AGAIN: 6 operations in 6 kernels
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
