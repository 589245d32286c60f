// Softmax of rows on its way to a shader, for a plain graphics card.
// RUN: xla-opt %s --xla-vulkan-pipeline=to=prepared | FileCheck %s --check-prefix=PREPARED
// RUN: xla-opt %s --xla-vulkan-pipeline=to=linalg | FileCheck %s --check-prefix=LINALG
// RUN: xla-opt %s --xla-vulkan-pipeline=to=affine | FileCheck %s --check-prefix=AFFINE
// RUN: xla-opt %s --xla-attach-target="device=rdna2" --xla-vulkan-pipeline=to=affine | FileCheck %s --check-prefix=RDNA
// RUN: xla-opt %s --xla-attach-target="device=rdna2 limits=range=131072" --xla-vulkan-pipeline=to=affine | FileCheck %s --check-prefix=WINDOWS
// RUN: xla-opt %s --xla-vulkan-pipeline | FileCheck %s --check-prefix=SPIRV
// What is printed goes on from there to the same code.
// RUN: xla-opt %s --xla-vulkan-pipeline > %t.spirv
// RUN: xla-opt %s --xla-vulkan-pipeline=to=affine | xla-opt --xla-affine-to-spirv | diff %t.spirv -

// PREPARED: module attributes {xla.target = {device = "vulkan1.2"}} {
// PREPARED: xla.fusion(%{{.*}}) ({
// PREPARED: xla.divide
// PREPARED: }) {kind = "row"}

// LINALG-LABEL: func.func @xlacEntry
// LINALG: call @xlacHostLaunch
// LINALG-LABEL: func.func private @kernel_0
// LINALG-SAME: memref<64x1024xf32>
// LINALG: linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]
// LINALG: math.exp

// A subgroup of 32 threads takes a row, each of them vectors of four. Maxima and sums of threads are shuffled; the kernel's arguments are bound as they are.
// AFFINE: func.func private @kernel_0(memref<64x1024xf32>, memref<64x1024xf32>)
// AFFINE: gpu.module @kernel_0_0 attributes {xla.bindings = [{argument = 0 : i64, bytes = 262144 : i64, offset = 0 : i64}, {argument = 1 : i64, bytes = 262144 : i64, offset = 0 : i64, written}
// AFFINE-SAME: xla.groups = array<i32: 32, 1, 1>, xla.kernel = @kernel_0}
// AFFINE: gpu.func @main(%[[X:[^:]*]]: memref<16384xvector<4xf32>, #spirv.storage_class<StorageBuffer>>
// AFFINE-SAME: workgroup_size = [64, 1, 1]
// AFFINE: %[[LANE:.*]] = gpu.lane_id
// AFFINE: %[[ROW:.*]] = arith.addi
// AFFINE: %[[M:.*]] = affine.for %[[J:.*]] = 0 to 8 iter_args(%{{.*}} = %{{.*}}) -> (f32) {
// AFFINE: affine.load %[[X]][%[[ROW]] * 256 + %[[J]] * 32 + %[[LANE]]]
// AFFINE: arith.maximumf
// AFFINE: affine.yield
// AFFINE: gpu.shuffle xor %[[M]]
// AFFINE: affine.for
// AFFINE: math.exp
// AFFINE: affine.for %[[J:.*]] = 0 to 8 {
// AFFINE: arith.divf
// AFFINE: affine.store %{{.*}}[%[[ROW]] * 256 + %[[J]] * 32 + %[[LANE]]]

// The same with subgroups of 64.
// RDNA: affine.for %[[J:.*]] = 0 to 4 iter_args
// RDNA: affine.load %{{.*}}[%{{.*}} * 256 + %[[J]] * 64 + %{{.*}}]

// A buffer that is longer than a binding is bound as windows.
// WINDOWS: gpu.func @main(%[[A:[^:]*]]: memref<8192xvector<4xf32>, #spirv.storage_class<StorageBuffer>>, %[[B:[^:]*]]: memref<8192xvector<4xf32>
// WINDOWS: affine.if
// WINDOWS-NEXT: affine.load %[[A]][%[[I:[a-z_0-9]+]] * 256 + %[[J:arg[0-9]+]] * 64 + %[[L:[0-9]+]]]
// WINDOWS: } else {
// WINDOWS-NEXT: affine.load %[[B]][%[[I]] * 256 + %[[J]] * 64 + %[[L]] - 8192]

// SPIRV: spirv.module @__spv__kernel_0_0 Logical GLSL450
// SPIRV-SAME: xla.groups = array<i32: 32, 1, 1>, xla.kernel = @kernel_0
// SPIRV: spirv.GroupNonUniformShuffleXor
// SPIRV: spirv.FDiv
// SPIRV-NOT: gpu.module

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
