// A Vulkan device as the target of a module, and what is wrong with one.
// RUN: split-file %s %t
// RUN: not xla-opt %t/empty.mlir --xla-attach-target=device=rdna9 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not xla-opt %t/kind.mlir --xla-linalg-to-affine 2>&1 | FileCheck %s --check-prefix=KIND
// NAME: error: 'builtin.module' op has no Vulkan device 'rdna9' for a target; known are vulkan1.2 ampere llvmpipe rdna2
// KIND: error: 'builtin.module' op has no Vulkan device '' for a target; known are
// RUN: not xla-opt %t/empty.mlir --xla-affine-to-spirv 2>&1 | FileCheck %s --check-prefix=KIND
// RUN: not xla-opt %t/empty.mlir --xla-attach-target="device=rdna2 limits=subgroup=3" 2>&1 | FileCheck %s --check-prefix=LIMIT
// RUN: not xla-opt %t/empty.mlir --xla-attach-target="device=rdna2 limits=subgroup" 2>&1 | FileCheck %s --check-prefix=LIMIT
// RUN: not xla-opt %t/empty.mlir --xla-attach-target="device=rdna2 limits=subgroup=8,subgroup=8" 2>&1 | FileCheck %s --check-prefix=LIMIT
// RUN: not xla-opt %t/limit.mlir --xla-linalg-to-affine 2>&1 | FileCheck %s --check-prefix=LIMIT
// LIMIT: error: 'builtin.module' op has a target with the limit subgroup{{.*}}; there are subgroup (a power of two up to 128), invocations
// RUN: not xla-opt %t/empty.mlir --xla-attach-target="device=rdna2 limits=waves=4" 2>&1 | FileCheck %s --check-prefix=KEY
// KEY: op has a target with the limit waves;
// RUN: xla-opt %t/empty.mlir --xla-attach-target="device=rdna2 limits=subgroup=8,shared=1024" | FileCheck %s --check-prefix=BOTH
// BOTH: module attributes {xla.target = {device = "rdna2", shared = 1024 : i64, subgroup = 8 : i64}}
// RUN: not xla-opt %t/empty.mlir --xla-vulkan-pipeline=to=llvm 2>&1 | FileCheck %s --check-prefix=STAGE
// STAGE: error: no stage 'llvm'; they are prepared, linalg, affine, spirv
// Kernels that are declarations stay, and shaders that are there already.
// RUN: xla-opt %t/there.mlir --xla-linalg-to-affine | FileCheck %s --check-prefix=THERE
// THERE: func.func private @declared(memref<4xf32>) attributes {xla.kind = "loop"}
// THERE: gpu.module @other {
// THERE: gpu.module @fill_0 attributes {{.*}}xla.kernel = @fill}
// What the device lacks is refused at the operation.
// RUN: not xla-opt %t/wide.mlir --xla-vulkan-pipeline=to=linalg 2>&1 | FileCheck %s --check-prefix=WIDE
// WIDE: wide.mlir:2:{{[0-9]+}}: error: {{.*}}needs 64-bit floats (shaderFloat64), which vulkan1.2 lacks

//--- empty.mlir
module {}
//--- kind.mlir
module attributes {xla.target = {device = 3 : i64}} {}
//--- limit.mlir
module attributes {xla.target = {device = "rdna2", subgroup = 8 : i32}} {}
//--- there.mlir
module attributes {xla.target = {device = "vulkan1.2"}} {
  func.func private @declared(memref<4xf32>) attributes {xla.kind = "loop"}
  gpu.module @other {
  }
  func.func private @fill(%out: memref<4xf32>) attributes {xla.kind = "loop"} {
    %zero = arith.constant 0.0 : f32
    linalg.fill ins(%zero : f32) outs(%out : memref<4xf32>)
    return
  }
}
//--- wide.mlir
func.func @f(%x: tensor<4xf64>) -> tensor<4xf64> {
  %0 = xla.negate %x : tensor<4xf64>
  return %0 : tensor<4xf64>
}
