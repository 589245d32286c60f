// Rows whose elements lie together are computed in vectors, batches and columns by threads where that pays.
// RUN: xla-opt %s --split-input-file --xla-attach-target="cpu=x86-64-v4 threads=2" --xla-cpu-pipeline=to=linalg | FileCheck %s

// 48 is three vectors of 16 lanes.
// CHECK: func.func private @kernel_0(%arg0: memref<9x48x48xf32>, %arg1: memref<9x48x48xf32>) attributes {xla.kind = "triangular"}
// CHECK: scf.parallel
// CHECK: vector.load %arg0{{.*}} : memref<9x48x48xf32>, vector<16xf32>
// CHECK: math.fma {{.*}} : vector<16xf32>
// CHECK: arith.divf {{.*}} : vector<16xf32>
func.func @cholesky(%a: tensor<9x48x48xf32>) -> tensor<9x48x48xf32> {
  %0 = xla.cholesky %a {lower = false} : tensor<9x48x48xf32>
  return %0 : tensor<9x48x48xf32>
}

// -----

// 90 right sides: one part of 64, one of 16, and 10 one by one.
// CHECK: func.func private @kernel_0(
// CHECK: vector<64xf32>
// CHECK: vector.store {{.*}} : memref<1x20x90xf32>, vector<16xf32>
// CHECK: memref.load %arg1{{.*}} : memref<1x20x90xf32>
// CHECK: memref.store {{.*}} : memref<1x20x90xf32>
func.func @triangular_solve(%a: tensor<20x20xf32>, %b: tensor<20x90xf32>) -> tensor<20x90xf32> {
  %0 = xla.triangular_solve %a, %b {left_side = true, lower = true, unit_diagonal = false, transpose_a = "NO_TRANSPOSE"} : (tensor<20x20xf32>, tensor<20x90xf32>) -> tensor<20x90xf32>
  return %0 : tensor<20x90xf32>
}
