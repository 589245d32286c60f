// Softmax of rows on its way to machine code, for a fixed machine.
// RUN: xla-opt %s --xla-cpu-pipeline=to=prepared | FileCheck %s --check-prefix=PREPARED
// RUN: xla-opt %s --xla-cpu-pipeline=to=linalg | FileCheck %s --check-prefix=LINALG
// RUN: xla-opt %s --xla-cpu-pipeline=to=affine | FileCheck %s --check-prefix=AFFINE
// RUN: xla-opt %s --xla-attach-target="cpu=x86-64-v4 threads=4" --xla-cpu-pipeline=to=affine | FileCheck %s --check-prefix=V4
// RUN: xla-opt %s --xla-cpu-pipeline | FileCheck %s --check-prefix=LLVM
// RUN: xla-opt %s --xla-cpu-pipeline=to=affine --mlir-print-ir-after-all 2>&1 | FileCheck %s --check-prefix=ALL

// One fusion.
// PREPARED: xla.fusion(%{{.*}}) ({
// PREPARED: xla.divide
// PREPARED: }) {kind = "row"}

// One kernel: maxima, exponentials, their sums and the quotients, on memrefs.
// LINALG-LABEL: func.func @xlacEntry
// LINALG: call @kernel_0
// LINALG-LABEL: func.func private @kernel_0
// LINALG-SAME: memref<64x1024xf32>
// LINALG: linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]
// LINALG: arith.maximumf
// LINALG: memref.alloc() {xla.memory = 1 : i64} : memref<64x1024xf32>
// LINALG: math.exp
// LINALG: iterator_types = ["parallel", "reduction"]
// LINALG: arith.divf

// Rows in parallel; of each three loops with vectors of eight, several at once, and its exponentials in memory of the thread.
// AFFINE-DAG: #[[FIRST:.*]] = affine_map<(d0) -> (d0 * 32)>
// AFFINE-DAG: #[[END:.*]] = affine_map<(d0) -> (d0 * 32 + 32)>
// AFFINE-LABEL: func.func private @kernel_0
// AFFINE: affine.parallel (%[[T:.*]]) = (0) to (2) {
// AFFINE: %[[E:.*]] = memref.alloca() {alignment = 64 : i64} : memref<1024xf32>
// AFFINE: affine.for %[[I:.*]] = #[[FIRST]](%[[T]]) to #[[END]](%[[T]]) {
// AFFINE: affine.for %[[J:.*]] = 0 to 1024 step 32 iter_args(%[[M:.*]] = %{{.*}}) -> (vector<32xf32>) {
// AFFINE: affine.vector_load %{{.*}}[%[[I]] * 1024 + %[[J]]] : memref<65536xf32>, vector<32xf32>
// AFFINE: arith.maximumf
// AFFINE: affine.yield
// AFFINE: vector.reduction <maximumf>
// AFFINE: affine.for
// AFFINE: math.exp
// AFFINE: affine.vector_store %{{.*}}, %[[E]][%{{.*}}]
// AFFINE: vector.reduction <add>
// AFFINE: affine.for
// AFFINE: arith.divf
// AFFINE: affine.vector_store

// V4: module attributes {xla.target = {cpu = "x86-64-v4", threads = 4 : i64}}
// V4: affine.parallel (%{{.*}}) = (0) to (4) {
// V4: affine.vector_load {{.*}} vector<64xf32>

// LLVM: llvm.func @xlacEntry
// LLVM: omp.parallel
// LLVM-NOT: affine.

// ALL: IR Dump After {{.*}}xla-legalize
// ALL: IR Dump After {{.*}}xla-fuse
// ALL: IR Dump After {{.*}}xla-to-host
// ALL: IR Dump After {{.*}}xla-linalg-to-affine

func.func @main(%x: tensor<64x1024xf32>) -> tensor<64x1024xf32> {
  %least = xla.constant dense<0xFF800000> : tensor<f32>
  %zero = xla.constant dense<0.0> : tensor<f32>
  %max = xla.reduce(%x, %least) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %0 = xla.maximum %a, %b : tensor<f32>
    xla.return %0 : tensor<f32>
  }) {dimensions = [1]} : (tensor<64x1024xf32>, tensor<f32>) -> tensor<64xf32>
  %maxima = xla.broadcast_in_dim %max {broadcast_dimensions = [0]} : (tensor<64xf32>) -> tensor<64x1024xf32>
  %difference = xla.subtract %x, %maxima : tensor<64x1024xf32>
  %e = xla.exponential %difference : tensor<64x1024xf32>
  %sum = xla.reduce(%e, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %0 = xla.add %a, %b : tensor<f32>
    xla.return %0 : tensor<f32>
  }) {dimensions = [1]} : (tensor<64x1024xf32>, tensor<f32>) -> tensor<64xf32>
  %sums = xla.broadcast_in_dim %sum {broadcast_dimensions = [0]} : (tensor<64xf32>) -> tensor<64x1024xf32>
  %result = xla.divide %e, %sums : tensor<64x1024xf32>
  return %result : tensor<64x1024xf32>
}
