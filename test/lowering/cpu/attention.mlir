// Two products with rows between them, as loops over tiles of queries, for a processor with AVX2 and two threads.
// RUN: xla-opt %s --xla-cpu-pipeline=to=linalg | FileCheck %s --check-prefix=LINALG
// RUN: xla-opt %s --xla-cpu-pipeline=to=affine | FileCheck %s --check-prefix=AFFINE
// RUN: xla-opt %s --xla-cpu-pipeline=to=linalg | xla-opt --xla-linalg-to-affine=report=true 2>&1 >/dev/null | FileCheck %s --check-prefix=REPORT
// RUN: xla-run %s --device=all --seed=1 --output=none
// RUN: xla-run %s --device=all --seed=2 --output=none --threads=3 --machine=l2=4096,vector-bits=128
// RUN: xla-opt %s --xla-cpu-pipeline=to=linalg | sed 's/memref<[0-9]*xi8>/memref<64xi8>/g' | not xla-opt --xla-linalg-to-affine 2>&1 | FileCheck %s --check-prefix=SMALL

// The arrays of scores and of weights, 2x3x77x90, are only names: scratch memory has rows of two tiles.
// LINALG: func.func private @kernel_0({{.*}}) attributes {xla.kind = "attention", xla.scratch = 5 : i64}

// AFFINE: func.func private @kernel_0(
// AFFINE-NOT: memref.alloc
// AFFINE-NOT: 2x3x77x90xf32
// AFFINE: affine.parallel (%[[T:.*]]) = (0) to (2)
// AFFINE: affine.for
// AFFINE: affine.for
// AFFINE: call @kernel_0.rows0
// AFFINE: call @xla.gemm.
// AFFINE: affine.for
// AFFINE: call @kernel_0.rows1
// AFFINE: call @xla.gemm.
// AFFINE: affine.for
// AFFINE: call @kernel_0.rows2
// AFFINE: return
// AFFINE-NOT: memref.alloc()

// REPORT: kernel_0: attention of 6 times 77 queries and 90 keys
// REPORT-NEXT: threads  2, 6 tiles each
// REPORT-NEXT: tiles    40 queries: scores (40, 90) of lhs (40, 16) and rhs (90, 16), replaced by the weights
// REPORT-NEXT: scratch  {{[0-9]+}} bytes of a thread
// REPORT: kernel_0.rows1: a nest for 6 of linalg's operations

// SMALL: error: xla.scratch is not the number, as i64, of an argument that is a memref of {{[0-9]+}} x i8, which the kernel's matrix product needs

func.func @main(%q: tensor<2x3x77x16xf32>, %k: tensor<2x3x90x16xf32>, %v: tensor<2x3x90x20xf32>, %bias: tensor<77x90xf32>) -> tensor<2x77x3x20xf32> {
  %0 = xla.fusion(%q, %k, %v, %bias) ({
  ^bb0(%a: tensor<2x3x77x16xf32>, %b: tensor<2x3x90x16xf32>, %c: tensor<2x3x90x20xf32>, %d: tensor<77x90xf32>):
    %quarter = xla.constant dense<0.25> : tensor<2x3x77x16xf32>
    %scaled = xla.multiply %a, %quarter : tensor<2x3x77x16xf32>
    %s = xla.dot_general %scaled, %b {lhs_batching_dimensions = array<i64: 0, 1>, lhs_contracting_dimensions = array<i64: 3>, rhs_batching_dimensions = array<i64: 0, 1>, rhs_contracting_dimensions = array<i64: 3>} : (tensor<2x3x77x16xf32>, tensor<2x3x90x16xf32>) -> tensor<2x3x77x90xf32>
    %biases = xla.broadcast_in_dim %d {broadcast_dimensions = array<i64: 2, 3>} : (tensor<77x90xf32>) -> tensor<2x3x77x90xf32>
    %i = xla.iota {iota_dimension = 2 : i64} : () -> tensor<2x3x77x90xi32>
    %j = xla.iota {iota_dimension = 3 : i64} : () -> tensor<2x3x77x90xi32>
    %isBefore = xla.compare %i, %j {comparison_direction = "GE"} : (tensor<2x3x77x90xi32>, tensor<2x3x77x90xi32>) -> tensor<2x3x77x90xi1>
    %capped = xla.tanh %s : tensor<2x3x77x90xf32>
    %biased = xla.add %capped, %biases : tensor<2x3x77x90xf32>
    %infinity = xla.constant dense<0xFF800000> : tensor<2x3x77x90xf32>
    %masked = xla.select %isBefore, %biased, %infinity : (tensor<2x3x77x90xi1>, tensor<2x3x77x90xf32>, tensor<2x3x77x90xf32>) -> tensor<2x3x77x90xf32>
    %least = xla.constant dense<0xFF800000> : tensor<f32>
    %max = xla.reduce(%masked, %least) ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %m = xla.maximum %x, %y : tensor<f32>
      xla.return %m : tensor<f32>
    }) {dimensions = array<i64: 3>} : (tensor<2x3x77x90xf32>, tensor<f32>) -> tensor<2x3x77xf32>
    %maxima = xla.broadcast_in_dim %max {broadcast_dimensions = array<i64: 0, 1, 2>} : (tensor<2x3x77xf32>) -> tensor<2x3x77x90xf32>
    %difference = xla.subtract %masked, %maxima : tensor<2x3x77x90xf32>
    %e = xla.exponential %difference : tensor<2x3x77x90xf32>
    %zero = xla.constant dense<0.0> : tensor<f32>
    %sum = xla.reduce(%e, %zero) ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %m = xla.add %x, %y : tensor<f32>
      xla.return %m : tensor<f32>
    }) {dimensions = array<i64: 3>} : (tensor<2x3x77x90xf32>, tensor<f32>) -> tensor<2x3x77xf32>
    %o = xla.dot_general %e, %c {lhs_batching_dimensions = array<i64: 0, 1>, lhs_contracting_dimensions = array<i64: 3>, rhs_batching_dimensions = array<i64: 0, 1>, rhs_contracting_dimensions = array<i64: 2>} : (tensor<2x3x77x90xf32>, tensor<2x3x90x20xf32>) -> tensor<2x3x77x20xf32>
    %sums = xla.broadcast_in_dim %sum {broadcast_dimensions = array<i64: 0, 1, 2>} : (tensor<2x3x77xf32>) -> tensor<2x3x77x20xf32>
    %quotient = xla.divide %o, %sums : tensor<2x3x77x20xf32>
    %t = xla.transpose %quotient {permutation = array<i64: 0, 2, 1, 3>} : (tensor<2x3x77x20xf32>) -> tensor<2x77x3x20xf32>
    xla.return %t : tensor<2x77x3x20xf32>
  }) {kind = "attention"} : (tensor<2x3x77x16xf32>, tensor<2x3x90x16xf32>, tensor<2x3x90x20xf32>, tensor<77x90xf32>) -> tensor<2x77x3x20xf32>
  return %0 : tensor<2x77x3x20xf32>
}
