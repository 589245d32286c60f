// Threads that cannot be made are missed by no one.
// UNSUPPORTED: asan, tsan
// RUN: sh -c 'ulimit -v 3000000; exec "$@"' sh xla-run %s --device=cpu --threads=1024 --machine=serial=1 | FileCheck %s
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
