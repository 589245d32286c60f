// --report tells which kernels a program becomes for the device that runs it, as --xla-cpu-pipeline="to=prepared report" does.
// RUN: xla-run %s --device=cpu --seed=1 --report --output=none 2>%t.run
// RUN: xla-opt %s --xla-cpu-pipeline="to=prepared report" -o /dev/null 2>%t.opt
// RUN: tail -n +2 %t.run > %t.run.rest && tail -n +2 %t.opt > %t.opt.rest && diff %t.run.rest %t.opt.rest
// RUN: FileCheck %s < %t.run
// RUN: xla-run %s --device=cpu --seed=1 --report=verbose --output=none 2>&1 | FileCheck %s --check-prefix=VERBOSE
// Of the first program, not of each replica; not of the parts in which a difference is looked for.
// RUN: xla-run %s --device=cpu --seed=1 --report --replicas=3 --output=none 2>&1 | FileCheck %s --implicit-check-not="kernels for"
// RUN: not xla-run %s --device=cpu --seed=1 --report=all 2>&1 | FileCheck %s --check-prefix=WORD
// RUN: not xla-run %s --device=cpu --seed=1 --report --no-fuse 2>&1 | FileCheck %s --check-prefix=UNFUSED
// RUN: not xla-run %s --device=interpreter --seed=1 --report 2>&1 | FileCheck %s --check-prefix=INTERPRETER

// CHECK: @main: kernels for cpu; places are lines and columns of the program
// CHECK: 1 - {{.*}} sort of tensor<64xf32> {{ *}}inputs
// CHECK: 2 loop {{.*}} tanh, add of tensor<64xf32> {{ *}}1
// CHECK: sort is a kernel of its own, whatever uses it; nothing to change
// CHECK: 3 operations in 2 kernels
// VERBOSE: tanh of tensor<64xf32>: fused with add
// WORD: xla-run: --report=all: there are --report and --report=verbose
// UNFUSED: xla-run: --report tells what is fused, which nothing is with --no-fuse
// INTERPRETER: xla-run: --report tells of kernels, of which the interpreter has none
func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {
  %0 = xla.sort %x : tensor<64xf32>
  %1 = xla.tanh %0 : tensor<64xf32>
  %2 = xla.add %1, %1 : tensor<64xf32>
  return %2 : tensor<64xf32>
}
