// Fusions that read the same array are one, and the report says so, or why they are not.
// RUN: xla-opt %s --xla-fuse=report=true 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT < %t
// RUN: xla-run %s --device=all --seed=1

// CHECK: xla.reduce
// CHECK: dimensions = [0]
// CHECK: xla.fusion(%arg0)
// CHECK-DAG: xla.tanh
// CHECK-DAG: xla.exponential
// CHECK: dimensions = [1]
// CHECK: kind = "row"
// REPORT: kernels 1 and 2 (reduce [[@LINE+7]]:14, reduce [[@LINE+12]]:11) each read argument 0, 12.0 KiB: 2 reads where 1 would do
// REPORT-NEXT: they go over rows of other forms; to change that: reduce the same dimensions in all
// REPORT-NEXT: 4 operations in 2 kernels
func.func @main(%x: tensor<64x48xf32>) -> (tensor<64x48xf32>, tensor<64x48xf32>, tensor<48xf32>, tensor<64xf32>) {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %t = xla.tanh %x : tensor<64x48xf32>
  %e = xla.exponential %x : tensor<64x48xf32>
  %columns = xla.reduce(%x, %zero) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = xla.add %p, %q : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimensions = [0]} : (tensor<64x48xf32>, tensor<f32>) -> tensor<48xf32>
  %rows = xla.reduce(%x, %zero) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = xla.maximum %p, %q : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimensions = [1]} : (tensor<64x48xf32>, tensor<f32>) -> tensor<64xf32>
  return %t, %e, %columns, %rows : tensor<64x48xf32>, tensor<64x48xf32>, tensor<48xf32>, tensor<64xf32>
}
