// Elements that are read at positions with quotients: affine.load in bodies and nests, on both devices.
// RUN: xla-opt %s --split-input-file --xla-cpu-pipeline=to=linalg | FileCheck %s --check-prefix=LINALG
// RUN: xla-opt %s --split-input-file --xla-cpu-pipeline=to=affine | FileCheck %s --check-prefix=CPU
// RUN: xla-opt %s --split-input-file --xla-vulkan-pipeline=to=affine | FileCheck %s --check-prefix=VULKAN
// Division is unsigned in what comes out, and what is printed goes on from there to the same code.
// RUN: xla-opt %s --split-input-file --xla-cpu-pipeline > %t.cpu
// RUN: FileCheck %s --check-prefix=LLVM < %t.cpu
// RUN: xla-opt %s --split-input-file --xla-cpu-pipeline=to=affine | xla-opt --split-input-file --xla-affine-to-llvm | diff %t.cpu -
// RUN: xla-opt %s --split-input-file --xla-vulkan-pipeline > %t.vulkan
// RUN: FileCheck %s --check-prefix=SPIRV < %t.vulkan
// RUN: xla-opt %s --split-input-file --xla-vulkan-pipeline=to=affine | xla-opt --split-input-file --xla-affine-to-spirv | diff %t.vulkan -

// Every element is there twice, in both dimensions, but for the last ones: its position is half.
// LINALG: linalg.generic
// LINALG-DAG: %[[I:.*]] = linalg.index 0 : index
// LINALG-DAG: %[[J:.*]] = linalg.index 1 : index
// LINALG: affine.load %{{.*}}[(%[[I]] floordiv 2) * 100 + %[[J]] floordiv 2] : memref<6400xf32

// CPU: affine.for %[[I:.*]] =
// CPU: affine.for %[[J:.*]] = 0 to 199 {
// CPU: affine.load %{{.*}}[(%[[I]] floordiv 2) * 100 + %[[J]] floordiv 2] : memref<6400xf32

// VULKAN: gpu.func
// VULKAN-NOT: memref.load
// VULKAN: affine.load %{{.*}}[(%{{.*}} floordiv 2) * 100 + %{{.*}} floordiv 2] : memref<6400xf32
// VULKAN-NOT: memref.load
// VULKAN: gpu.return

// LLVM-NOT: llvm.sdiv
// LLVM: llvm.udiv
// LLVM-NOT: llvm.sdiv

// SPIRV-NOT: spirv.SDiv
// SPIRV: spirv.UDiv
// SPIRV-NOT: spirv.SDiv
func.func @interior(%x: tensor<64x100xf32>) -> tensor<127x199xf32> {
  %0 = xla.broadcast_in_dim %x {broadcast_dimensions = [0, 2]} : (tensor<64x100xf32>) -> tensor<64x2x100x2xf32>
  %1 = xla.reshape %0 : (tensor<64x2x100x2xf32>) -> tensor<128x200xf32>
  %2 = xla.slice %1 {start_indices = [0, 0], limit_indices = [127, 199], strides = [1, 1]} : (tensor<128x200xf32>) -> tensor<127x199xf32>
  %3 = xla.negate(%2) : tensor<127x199xf32>
  return %3 : tensor<127x199xf32>
}
