// RUN: xla-opt %s --xla-attach-target=device=rdna2 --xla-vulkan-pipeline=to=linalg > %t.linalg
// RUN: FileCheck %s --input-file=%t.linalg --check-prefix=LINALG
// RUN: xla-opt %t.linalg --xla-linalg-to-affine | FileCheck %s --check-prefix=AFFINE
// RUN: xla-opt %t.linalg --xla-linalg-to-affine=report=true 2>&1 >/dev/null | FileCheck %s --check-prefix=REPORT --match-full-lines
// RUN: xla-opt %s --xla-attach-target="device=rdna2 limits=shared=600" --xla-vulkan-pipeline=to=linalg | FileCheck %s --check-prefix=SMALL
// RUN: not xla-opt %t.linalg --xla-attach-target="device=rdna2 limits=shared=600" --xla-linalg-to-affine 2>&1 | FileCheck %s --check-prefix=FULL

// Two filters of neighbours, one behind the other, of an array with zeros
// around. A workgroup computes a tile of the first one, with a row on either
// side, into its memory, waits, and computes the tile of the second one from
// there. Tiles that reach beyond the array compute what nobody reads, and write
// what there is.

// LINALG: #[[WITHIN:.*]] = affine_set<(d0, d1, d2, d3) : (-(d0 * 26 + d2) + 100 >= 0, -(d1 * 28 + d3) + 82 >= 0)>
// LINALG: %[[TILE:.*]] = memref.alloc() {xla.workgroup} : memref<28x28xi32>
// LINALG: linalg.generic {{.*}} attrs =  {xla.tiled = 2 : i64}
// LINALG: reinterpret_cast %[[TILE]] to offset: [0], sizes: [26, 28]
// LINALG: reinterpret_cast %[[TILE]] to offset: [56], sizes: [26, 28]
// LINALG: linalg.generic {{.*}} attrs =  {xla.tiled = 2 : i64, xla.within = #[[WITHIN]]}

// AFFINE: xla.groups = array<i32: 12, 1, 1>
// AFFINE: workgroup_size = [256, 1, 1]
// AFFINE: %[[OWN:.*]] = memref.alloc() : memref<784xi32, #spirv.storage_class<Workgroup>>
// AFFINE: affine.for %{{.*}} = 0 to 4 {
// AFFINE: affine.store %{{.*}}, %[[OWN]]
// AFFINE: gpu.barrier
// AFFINE: affine.for %{{.*}} = 0 to 3 {
// AFFINE: affine.if
// AFFINE: affine.load %[[OWN]]
// AFFINE: affine.store %{{.*}}, %arg1
// AFFINE-NOT: gpu.barrier
// AFFINE: gpu.return

// REPORT: kernel_0_0: a dispatch for 2 of linalg's operations, 12 workgroups of 256 threads, about {{[0-9.]+}} us
// REPORT-NEXT:   tiles    4x3, a workgroup's each: what is read at windows is kept, in 3136 bytes
// REPORT-NEXT:   inner    28x28, dealt out to the threads
// REPORT-NEXT:   writes   memref<28x28xi32, strided<[28, 1]>>, of the workgroup
// REPORT-NEXT:   inner    26x28, dealt out to the threads
// REPORT-NEXT:   reads    memref<26x28xi32, strided<[28, 1]>>, of the workgroup
// REPORT-NEXT:   reads    memref<26x28xi32, strided<[28, 1], offset: 56>>, of the workgroup
// REPORT-NEXT:   reads    memref<26x28xi32, strided<[28, 1], offset: 28>>, of the workgroup
// REPORT-NEXT:   writes   memref<4x3x26x28xi32, strided<[2158, 28, 83, 1]>>

// Where there is less memory tiles are smaller.
// SMALL: memref.alloc() {xla.workgroup} : memref<4x28xi32>
// FULL: a tile takes 3136 bytes of a workgroup's memory, rdna2 has 600
func.func @main(%x: tensor<101x83xi32>) -> tensor<101x83xi32> {
  %0 = "xla.fusion"(%x) ({
  ^bb0(%a: tensor<101x83xi32>):
    %z = xla.constant dense<0> : tensor<i32>
    %p = xla.pad %a, %z {edge_padding_low = array<i64: 1, 0>, edge_padding_high = array<i64: 1, 0>, interior_padding = array<i64: 0, 0>} : (tensor<101x83xi32>, tensor<i32>) -> tensor<103x83xi32>
    %up = xla.slice %p {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 101, 83>, strides = array<i64: 1, 1>} : (tensor<103x83xi32>) -> tensor<101x83xi32>
    %down = xla.slice %p {start_indices = array<i64: 2, 0>, limit_indices = array<i64: 103, 83>, strides = array<i64: 1, 1>} : (tensor<103x83xi32>) -> tensor<101x83xi32>
    %s = xla.add %up, %down : tensor<101x83xi32>
    %t = xla.multiply %s, %a : tensor<101x83xi32>
    %u = xla.subtract %t, %s : tensor<101x83xi32>
    %q = xla.pad %u, %z {edge_padding_low = array<i64: 1, 0>, edge_padding_high = array<i64: 1, 0>, interior_padding = array<i64: 0, 0>} : (tensor<101x83xi32>, tensor<i32>) -> tensor<103x83xi32>
    %v = xla.slice %q {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 101, 83>, strides = array<i64: 1, 1>} : (tensor<103x83xi32>) -> tensor<101x83xi32>
    %w = xla.slice %q {start_indices = array<i64: 2, 0>, limit_indices = array<i64: 103, 83>, strides = array<i64: 1, 1>} : (tensor<103x83xi32>) -> tensor<101x83xi32>
    %y = xla.add %v, %w : tensor<101x83xi32>
    %r = xla.add %y, %u : tensor<101x83xi32>
    xla.return %r : tensor<101x83xi32>
  }) {kind = "window"} : (tensor<101x83xi32>) -> tensor<101x83xi32>
  return %0 : tensor<101x83xi32>
}
