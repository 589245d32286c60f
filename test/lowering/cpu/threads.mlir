// Results are the same bits on any number of threads: how a sum is cut depends on
// its shape, and one thread adds the same parts.
// RUN: xla-run %s --seed=1 --device=cpu --threads=1 > %t.1
// RUN: xla-run %s --seed=1 --device=cpu --threads=2 | diff %t.1 -
// RUN: xla-run %s --seed=1 --device=cpu --threads=3 | diff %t.1 -
// RUN: xla-run %s --seed=1 --device=cpu --threads=16 | diff %t.1 -
// RUN: xla-run %s --seed=1 --device=cpu --threads=1 --machine=serial=500 > %t.500
// RUN: xla-run %s --seed=1 --device=cpu --threads=3 --machine=serial=500 | diff %t.500 -

// RUN: xla-opt %s --xla-attach-target="cpu=x86-64-v4 threads=3" --xla-cpu-pipeline=to=linalg | xla-opt --xla-linalg-to-affine=report=true 2>&1 >/dev/null | FileCheck %s
// RUN: xla-opt %s --xla-attach-target="cpu=x86-64-v4 threads=1" --xla-cpu-pipeline=to=linalg | xla-opt --xla-linalg-to-affine=report=true 2>&1 >/dev/null | FileCheck %s --check-prefix=ONE
// RUN: xla-opt %s --xla-attach-target="cpu=x86-64-v4 threads=3" --xla-cpu-pipeline=to=llvm | FileCheck %s --check-prefix=LLVM
// LLVM: omp.parallel
// LLVM: omp.loop_nest
// CHECK: rows     one; sums 64 parts of it, 3 threads: each has as much to do
// ONE: rows     one; sums 64 parts of it, 1 threads: there is one

func.func @sums(%x: tensor<1100003xf32>, %y: tensor<1100003xf32>, %b: tensor<2500000xbf16>) -> (tensor<f32>, tensor<f32>, tensor<bf16>) {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %none = xla.constant dense<0.0> : tensor<bf16>
  %0 = xla.reduce(%x, %zero) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = xla.add %p, %q : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<1100003xf32>, tensor<f32>) -> tensor<f32>
  %e = xla.exponential %x : tensor<1100003xf32>
  %f = xla.multiply %e, %y : tensor<1100003xf32>
  %1 = xla.reduce(%f, %zero) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = xla.add %p, %q : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<1100003xf32>, tensor<f32>) -> tensor<f32>
  %2 = xla.reduce(%b, %none) ({
  ^bb0(%p: tensor<bf16>, %q: tensor<bf16>):
    %s = xla.add %p, %q : tensor<bf16>
    xla.return %s : tensor<bf16>
  }) {dimensions = array<i64: 0>} : (tensor<2500000xbf16>, tensor<bf16>) -> tensor<bf16>
  return %0, %1, %2 : tensor<f32>, tensor<f32>, tensor<bf16>
}

func.func @main(%x: tensor<1100003xf32>, %y: tensor<1100003xf32>, %b: tensor<2500000xbf16>, %m: tensor<1000x300xf32>, %w: tensor<300x200xf32>) -> (tensor<f32>, tensor<f32>, tensor<bf16>, tensor<300xf32>, tensor<1000xf32>, tensor<1000x200xf32>) {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %0:3 = func.call @sums(%x, %y, %b) : (tensor<1100003xf32>, tensor<1100003xf32>, tensor<2500000xbf16>) -> (tensor<f32>, tensor<f32>, tensor<bf16>)
  %columns = xla.reduce(%m, %zero) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = xla.add %p, %q : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<1000x300xf32>, tensor<f32>) -> tensor<300xf32>
  %rows = xla.reduce(%m, %zero) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = xla.add %p, %q : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<1000x300xf32>, tensor<f32>) -> tensor<1000xf32>
  %d = xla.dot %m, %w : (tensor<1000x300xf32>, tensor<300x200xf32>) -> tensor<1000x200xf32>
  %t = xla.tanh %d : tensor<1000x200xf32>
  return %0#0, %0#1, %0#2, %columns, %rows, %t : tensor<f32>, tensor<f32>, tensor<bf16>, tensor<300xf32>, tensor<1000xf32>, tensor<1000x200xf32>
}
