// Two products with rows between them, as one shader whose workgroups go through the keys in blocks.
// RUN: xla-opt %s --split-input-file --xla-attach-target=device=vulkan1.2 --xla-vulkan-pipeline=to=affine | FileCheck %s
// RUN: xla-opt %s --split-input-file --xla-attach-target=device=vulkan1.2 --xla-vulkan-pipeline=to=linalg | xla-opt --split-input-file --xla-linalg-to-affine=report=true 2>&1 >/dev/null | FileCheck %s --check-prefix=REPORT
// RUN: xla-opt %s --split-input-file --xla-attach-target="device=vulkan1.2 limits=shared=1024" --xla-vulkan-pipeline=to=linalg | xla-opt --split-input-file --xla-linalg-to-affine=report=true 2>&1 >/dev/null | FileCheck %s --check-prefix=SMALL
// RUN: xla-opt %s --split-input-file --xla-attach-target=device=llvmpipe --xla-vulkan-pipeline=to=affine | FileCheck %s --check-prefix=LANES

// Queries, weights, and keys or values in workgroup memory, and maxima of the threads of a row; no array of scores.
// CHECK: gpu.func @main(%[[Q:.*]]: memref<7392xf32, {{.*}}>, %[[K:.*]]: memref<8640xf32, {{.*}}>, %[[BIAS:.*]]: memref<6930xf32, {{.*}}>, %[[V:.*]]: memref<10800xf32, {{.*}}>, %[[R:.*]]: memref<9240xf32, {{.*}}>) kernel
// CHECK-NOT: 41580
// CHECK: %[[QUERIES:.*]] = memref.alloc() : memref<{{.*}}, #spirv.storage_class<Workgroup>>
// CHECK: %[[WEIGHTS:.*]] = memref.alloc() : memref<{{.*}}, #spirv.storage_class<Workgroup>>
// CHECK: %[[BLOCK:.*]] = memref.alloc() : memref<{{.*}}, #spirv.storage_class<Workgroup>>
// CHECK: affine.load %[[Q]]
// CHECK: arith.mulf
// CHECK: affine.store {{.*}}, %[[QUERIES]]
// CHECK: affine.for {{.*}} = 0 to 64 step 32 iter_args
// CHECK: affine.load %[[K]]
// CHECK: affine.store {{.*}}, %[[BLOCK]]
// CHECK: gpu.barrier
// CHECK: affine.for {{.*}} = 0 to 16 iter_args
// CHECK: gpu.barrier
// CHECK: math.tanh
// CHECK: affine.load %[[BIAS]]
// CHECK: arith.maximumf
// CHECK: math.exp
// CHECK: affine.store {{.*}}, %[[WEIGHTS]]
// CHECK: affine.load %[[V]]
// CHECK: gpu.barrier
// CHECK: affine.for {{.*}} = 0 to 32 iter_args
// CHECK: gpu.barrier
// The keys that are left over, at the top level.
// CHECK: affine.for {{.*}} = 0 to 16 iter_args
// CHECK: arith.select
// CHECK: affine.for {{.*}} = 0 to 26 iter_args
// CHECK: arith.divf
// CHECK: affine.store {{.*}}, %[[R]]
// CHECK-NOT: gpu.func

// REPORT: kernel_0_0: attention of 6 times 77 queries and 90 keys, 60 workgroups
// REPORT-NEXT: threads  16 along keys and columns, 8 along queries: blocks of keys and values are copied to workgroup memory
// REPORT-NEXT: tiles    8 queries: scores (8, 32) of lhs (8, 16) and rhs (32, 16), result (8, 20)
// REPORT-NEXT: rows     in one pass: sums are scaled when a maximum grows
// REPORT-NEXT: shared   {{[0-9]+}} bytes of a workgroup
// REPORT-NOT: kernel_0_1

// Where no tile fits, products are dispatches of their own.
// SMALL-NOT: attention of
// SMALL: 6 matrix products of 77x16 and 16x90
// SMALL: 6 matrix products of 77x90 and 90x20

// Lanes of a processor's vectors share nothing: private memory of queries and sums.
// LANES: memref.alloca() : memref<{{.*}}, #spirv.storage_class<Function>>
// LANES-NOT: gpu.barrier
// LANES: math.exp
// LANES: affine.for {{.*}} = 0 to 20
// LANES-NOT: gpu.barrier

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

// -----

// What no maximum scales: rows are gone through once for their norm, and once for the product.
// REPORT: kernel_0_0: attention of 2 times 64 queries and 40 keys
// REPORT: rows     in 2 passes, since reductions need each other; scores are computed again in each
// CHECK: gpu.func @main(
// CHECK: affine.for {{.*}} = 0 to 32
// CHECK: math.rsqrt
// CHECK: affine.for {{.*}} = 0 to 32
func.func @main(%q: tensor<2x64x16xf32>, %k: tensor<2x40x16xf32>, %v: tensor<2x40x20xf32>) -> tensor<2x64x20xf32> {
  %0 = xla.fusion(%q, %k, %v) ({
  ^bb0(%a: tensor<2x64x16xf32>, %b: tensor<2x40x16xf32>, %c: tensor<2x40x20xf32>):
    %s = xla.dot_general %a, %b {lhs_batching_dimensions = array<i64: 0>, lhs_contracting_dimensions = array<i64: 2>, rhs_batching_dimensions = array<i64: 0>, rhs_contracting_dimensions = array<i64: 2>} : (tensor<2x64x16xf32>, tensor<2x40x16xf32>) -> tensor<2x64x40xf32>
    %squares = xla.multiply %s, %s : tensor<2x64x40xf32>
    %zero = xla.constant dense<0.0> : tensor<f32>
    %sum = xla.reduce(%squares, %zero) ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %m = xla.add %x, %y : tensor<f32>
      xla.return %m : tensor<f32>
    }) {dimensions = array<i64: 2>} : (tensor<2x64x40xf32>, tensor<f32>) -> tensor<2x64xf32>
    %sums = xla.broadcast_in_dim %sum {broadcast_dimensions = array<i64: 0, 1>} : (tensor<2x64xf32>) -> tensor<2x64x40xf32>
    %root = xla.rsqrt %sums : tensor<2x64x40xf32>
    %w = xla.multiply %s, %root : tensor<2x64x40xf32>
    %o = xla.dot_general %w, %c {lhs_batching_dimensions = array<i64: 0>, lhs_contracting_dimensions = array<i64: 2>, rhs_batching_dimensions = array<i64: 0>, rhs_contracting_dimensions = array<i64: 1>} : (tensor<2x64x40xf32>, tensor<2x40x20xf32>) -> tensor<2x64x20xf32>
    xla.return %o : tensor<2x64x20xf32>
  }) {kind = "attention"} : (tensor<2x64x16xf32>, tensor<2x40x16xf32>, tensor<2x40x20xf32>) -> tensor<2x64x20xf32>
  return %0 : tensor<2x64x20xf32>
}
