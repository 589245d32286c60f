// Variables with which OpenMP's runtime would hang, or end the process, are
// refused before it sees them; its own warnings stay.
// RUN: sh %S/../../tools/xla-run/Inputs/code.sh env OMP_NUM_THREADS=-1 xla-run %s --device=cpu | FileCheck %s --check-prefix=MINUS
// MINUS: xla-run: OMP_NUM_THREADS=-1 is no list of numbers from 1 to 1000000
// MINUS-NEXT: exit 2
// RUN: sh %S/../../tools/xla-run/Inputs/code.sh env OMP_NUM_THREADS=x xla-run %s --device=cpu | FileCheck %s --check-prefix=X
// X: xla-run: OMP_NUM_THREADS=x is no list
// X-NEXT: exit 2
// RUN: sh %S/../../tools/xla-run/Inputs/code.sh env OMP_NUM_THREADS= xla-run %s --device=cpu | FileCheck %s --check-prefix=EMPTY
// EMPTY: xla-run: OMP_NUM_THREADS= is no list
// EMPTY-NEXT: exit 2
// RUN: not env OMP_NUM_THREADS=4,x xla-run %s --device=cpu
// RUN: not env OMP_NUM_THREADS=4, xla-run %s --device=cpu
// RUN: not env OMP_NUM_THREADS=0 xla-run %s --device=cpu
// RUN: not env OMP_NUM_THREADS=+4 xla-run %s --device=cpu
// RUN: not env OMP_NUM_THREADS=99999999999999999999 xla-run %s --device=cpu
// RUN: sh %S/../../tools/xla-run/Inputs/code.sh env OMP_STACKSIZE=1P xla-run %s --device=cpu | FileCheck %s --check-prefix=STACK
// STACK: xla-run: OMP_STACKSIZE=1P is more than the memory that there is
// STACK-NEXT: exit 2
// RUN: not env GOMP_STACKSIZE=9999999999999 xla-run %s --device=cpu
// RUN: not env KMP_STACKSIZE=9999999999999999 xla-run %s --device=cpu

// RUN: env OMP_NUM_THREADS="2 , 3" OMP_STACKSIZE=" 4 M" KMP_STACKSIZE=4194304 xla-run %s --device=cpu --threads=2 --machine=serial=1 | FileCheck %s
// RUN: env OMP_NUM_THREADS=1 OMP_STACKSIZE=4m xla-run %s --device=cpu --threads=2 --machine=serial=1 | FileCheck %s
// RUN: env OMP_NUM_THREADS=-1 xla-run %s | FileCheck %s
// CHECK: f32=100000
func.func @main() -> tensor<f32> {
  %x = xla.constant dense<1.0> : tensor<100000xf32>
  %zero = xla.constant dense<0.0> : tensor<f32>
  %kept = xla.optimization_barrier %x : tensor<100000xf32>
  %0 = xla.reduce(%kept, %zero) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = xla.add %p, %q : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<100000xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
