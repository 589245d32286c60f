// Rows of windows are added by vectors, window after window.
// RUN: xla-opt %s --xla-attach-target="cpu=x86-64-v3 threads=2" --xla-cpu-pipeline=to=linalg | FileCheck %s
// RUN: xla-opt %s --xla-attach-target="cpu=x86-64-v3 threads=2" --xla-cpu-pipeline=to=affine | FileCheck %s --check-prefix=AFFINE
// RUN: xla-run %s --device=all --seed=3 --input=random:5 --input="7x2xi32=0 0 0 0 1 2 3 0 0 0 -1 0 2 4" --output=none
// RUN: xla-run %s --entry=several --device=all --seed=3 --input=random:5 --input=random:6 --input="5x1xi32=8 0 8 8 3" --output=none --output=none

// CHECK: xla.kind = "scatter"
// CHECK: scf.for
// CHECK: scf.if
// CHECK: scf.for
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : memref<33xf32, strided<[1], offset: ?>>
// CHECK: arith.addf
// AFFINE: xla.kind = "scatter"
// AFFINE: arith.addf %{{.*}} : vector<32xf32>
func.func @main(%x: tensor<3x5x33xf32>, %i: tensor<7x2xi32>, %u: tensor<7x2x33xf32>) -> tensor<3x5x33xf32> {
  %0 = xla.scatter(%x, %i, %u) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {update_window_dims = [1, 2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1} : (tensor<3x5x33xf32>, tensor<7x2xi32>, tensor<7x2x33xf32>) -> tensor<3x5x33xf32>
  return %0 : tensor<3x5x33xf32>
}

// Several inputs, each of which the computation of the other looks at.
func.func @several(%x: tensor<9x70xbf16>, %y: tensor<9x70xi16>, %i: tensor<5x1xi32>, %u: tensor<5x70xbf16>, %v: tensor<5x70xi16>) -> (tensor<9x70xbf16>, tensor<9x70xi16>) {
  %0:2 = xla.scatter(%x, %y, %i, %u, %v) ({
  ^bb0(%a: tensor<bf16>, %m: tensor<i16>, %b: tensor<bf16>, %n: tensor<i16>):
    %l = xla.compare %a, %b {comparison_direction = "LT"} : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
    %s = xla.select %l, %b, %a : (tensor<i1>, tensor<bf16>, tensor<bf16>) -> tensor<bf16>
    %t = xla.select %l, %n, %m : (tensor<i1>, tensor<i16>, tensor<i16>) -> tensor<i16>
    xla.return %s, %t : tensor<bf16>, tensor<i16>
  }) {update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<9x70xbf16>, tensor<9x70xi16>, tensor<5x1xi32>, tensor<5x70xbf16>, tensor<5x70xi16>) -> (tensor<9x70xbf16>, tensor<9x70xi16>)
  return %0#0, %0#1 : tensor<9x70xbf16>, tensor<9x70xi16>
}
