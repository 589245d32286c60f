// A layer of a network, from a contraction of linalg to loops over blocks, for a processor with AVX2 and two threads.
// RUN: xla-opt %s --split-input-file --xla-cpu-pipeline=to=linalg | FileCheck %s --check-prefix=LINALG
// RUN: xla-opt %s --split-input-file --xla-cpu-pipeline=to=affine | FileCheck %s --check-prefix=AFFINE
// RUN: xla-opt %s --split-input-file --xla-cpu-pipeline=to=linalg | xla-opt --split-input-file --xla-linalg-to-affine=report=true 2>&1 >/dev/null | FileCheck %s --check-prefix=REPORT --match-full-lines
// RUN: xla-opt %s --split-input-file --xla-attach-target=device=llvmpipe --xla-vulkan-pipeline=to=linalg | xla-opt --split-input-file --xla-linalg-to-affine=report=true 2>&1 >/dev/null | FileCheck %s --check-prefix=VULKAN --match-full-lines
// RUN: xla-opt %s --split-input-file --xla-cpu-pipeline > %t
// RUN: xla-opt %s --split-input-file --xla-cpu-pipeline=to=affine | xla-opt --split-input-file --xla-affine-to-llvm | diff %t -

// The last argument is memory for what is packed. What is below f32 is summed in f32, in memory of its own.
// LINALG-LABEL: func.func private @kernel_0(
// LINALG-SAME: %[[X:.*]]: memref<900x512xbf16>, %[[W:.*]]: memref<512x300xbf16>, %[[B:.*]]: memref<300xbf16>, %[[OUT:.*]]: memref<900x300xbf16>, %{{.*}}: memref<{{.*}}xi8>)
// LINALG-SAME: xla.kind = "contraction", xla.scratch = 4 : i64
// LINALG: %[[PRODUCT:.*]] = memref.alloc() : memref<900x300xbf16>
// LINALG: %[[SUMS:.*]] = memref.alloc() : memref<900x300xf32>
// LINALG: linalg.fill ins(%{{.*}} : f32) outs(%[[SUMS]] :
// LINALG: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[X]], %[[W]] : {{.*}}) outs(%[[SUMS]] :
// LINALG: arith.extf
// LINALG: arith.extf
// LINALG: arith.mulf
// LINALG: arith.addf
// LINALG: linalg.generic {{.*}} ins(%[[SUMS]] : {{.*}}) outs(%[[PRODUCT]] :
// LINALG: arith.truncf
// LINALG: linalg.generic {{.*}} ins(%[[PRODUCT]], %[[B]] : {{.*}}) outs(%[[OUT]] :
// LINALG: arith.maximumf

// None of that memory is left: a block of a result stays in registers, or in the scratch of its thread, until it is finished.
// AFFINE-LABEL: func.func private @kernel_0(
// AFFINE-NOT: memref.alloc
// AFFINE: call @kernel_0.product(
// A tile of 4 by 24 sums; without an instruction for bf16 operands are widened when they are packed.
// AFFINE: func.func private @xla.gemm.kernel.f32.4x24(
// AFFINE: scf.for {{.*}} vector<8xf32>
// AFFINE: math.fma
// AFFINE: func.func private @xla.gemm.packa.rows.bf16.f32(
// AFFINE: func.func private @xla.gemm.packb.rows.bf16.f32.24(
// Panels of 24 columns are packed, then blocks of rows, tile by tile.
// AFFINE: func.func private @kernel_0.product.nest(
// AFFINE: affine.for %{{.*}} = 0 to {{.*}} step 24 {
// AFFINE: func.call @xla.gemm.packb.rows.bf16.f32.24(
// AFFINE: affine.for %[[ROWS:.*]] = 0 to {{.*}} step {{[0-9]+}} {
// AFFINE: func.call @xla.gemm.packa.rows.bf16.f32(
// AFFINE: affine.for %{{.*}} = 0 to {{.*}} step 24 {
// AFFINE: affine.for %{{.*}} = 0 to min {{.*}}%[[ROWS]]{{.*}} step 4 {
// AFFINE: affine.min
// AFFINE: func.call @xla.gemm.kernel.f32.4x24(
// AFFINE: arith.maximumf %{{.*}} : vector<8xf32>
// AFFINE: func.func private @kernel_0.product(
// AFFINE: affine.parallel (%{{.*}}) = (0) to (2) {
// AFFINE: func.call @kernel_0.product.nest(
// REPORT: kernel_0: 1 matrix product of 900x512 and 512x300, about {{[0-9.]+}} us of one core
// REPORT-NEXT: threads  2, {{[0-9]+}} columns each: the rhs is packed once
// REPORT-NEXT: blocks   all terms, {{[0-9]+}} rows, all columns: they stay in the caches
// REPORT-NEXT: tiles    4 by 24 sums in registers, 8 lanes at once
// REPORT-NEXT: lhs      packed, by vectors along its rows
// REPORT-NEXT: rhs      packed, by vectors along its rows
// REPORT-NEXT: sums     finished with what follows before they are stored
// REPORT-NEXT: scratch  {{[0-9]+}} bytes of a thread
// VULKAN: kernel_0_0: 1 matrix product of 900x512 and 512x300, about {{[0-9.]+}} us
// VULKAN-NEXT: staging  threads of a subgroup load the lhs for each other
// VULKAN-NEXT: threads  8 along columns
// VULKAN-NEXT: tiles    {{[0-9]+}} by {{[0-9]+}} sums of a thread, {{[0-9]+}} terms at once
// VULKAN-NEXT: lhs      by vectors of 4 along terms
// VULKAN-NEXT: rhs      by vectors of 4 along columns
// VULKAN-NEXT: sums     finished with what follows before they are stored
// VULKAN-NOT: kernel_0_1{{.*}}
func.func @layer(%w: tensor<512x300xbf16>, %x: tensor<900x512xbf16>, %b: tensor<300xbf16>) -> tensor<900x300xbf16> {
  %zero = xla.constant dense<0.0> : tensor<900x300xbf16>
  %0 = xla.dot_general %x, %w {lhs_batching_dimensions = array<i64>, rhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, rhs_contracting_dimensions = array<i64: 0>} : (tensor<900x512xbf16>, tensor<512x300xbf16>) -> tensor<900x300xbf16>
  %1 = xla.broadcast_in_dim %b {broadcast_dimensions = array<i64: 1>} : (tensor<300xbf16>) -> tensor<900x300xbf16>
  %2 = xla.add %0, %1 : tensor<900x300xbf16>
  %3 = xla.maximum %2, %zero : tensor<900x300xbf16>
  return %3 : tensor<900x300xbf16>
}

// -----

// Layouts and batches are maps: no operand is copied. Integers extend in the body.
// LINALG: affine_map<(d0, d1, d2, d3) -> (d0, d3, d1)>
// LINALG: affine_map<(d0, d1, d2, d3) -> (d2, d0, d3)>
// LINALG: affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
// LINALG: arith.extsi
// LINALG: arith.extui
// LINALG: arith.muli
// LINALG: arith.addi
// Each thread takes two of the four batch elements.
// AFFINE-LABEL: func.func private @kernel_0(
// AFFINE-SAME: memref<4x128x96xi8>
// AFFINE: func.func private @kernel_0.product(
// AFFINE: affine.parallel (%[[T:.*]]) = (0) to (2) {
// AFFINE: affine.for %{{.*}} = #{{.*}}(%[[T]]) to min #{{.*}}(%[[T]]) {
// AFFINE: func.call @xla.gemm.i8.u8.i32
func.func @batches(%x: tensor<4x128x96xi8>, %y: tensor<80x4x128xui8>) -> tensor<4x96x80xi32> {
  %0 = xla.dot_general %x, %y {lhs_batching_dimensions = array<i64: 0>, rhs_batching_dimensions = array<i64: 1>, lhs_contracting_dimensions = array<i64: 1>, rhs_contracting_dimensions = array<i64: 2>} : (tensor<4x128x96xi8>, tensor<80x4x128xui8>) -> tensor<4x96x80xi32>
  return %0 : tensor<4x96x80xi32>
}

// -----

// Of preds sums are disjunctions: not a product of matrices, but a reduction like others.
// LINALG: arith.andi
// LINALG: arith.ori
// AFFINE-LABEL: func.func private @kernel_0(
// AFFINE-NOT: call
// AFFINE: affine.for
// AFFINE: arith.ori %{{.*}} : vector<{{.*}}xi1>
func.func @preds(%x: tensor<40x48xi1>, %y: tensor<48x64xi1>) -> tensor<40x64xi1> {
  %0 = xla.dot_general %x, %y {lhs_batching_dimensions = array<i64>, rhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, rhs_contracting_dimensions = array<i64: 0>} : (tensor<40x48xi1>, tensor<48x64xi1>) -> tensor<40x64xi1>
  return %0 : tensor<40x64xi1>
}
