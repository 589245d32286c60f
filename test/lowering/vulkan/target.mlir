// A Vulkan device as the target of a module, and what is wrong with one.
// RUN: split-file %s %t
// RUN: not xla-opt %t/empty.mlir --xla-attach-target=device=rdna9 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not xla-opt %t/kind.mlir --xla-linalg-to-affine 2>&1 | FileCheck %s --check-prefix=KIND
// NAME: error: 'builtin.module' op has no Vulkan device 'rdna9' for a target; known are vulkan1.2 ampere llvmpipe rdna2, and --xla-attach-target=device=NAME names one
// KIND: error: 'builtin.module' op has no Vulkan device '' for a target; known are
// RUN: not xla-opt %t/empty.mlir --xla-affine-to-spirv 2>&1 | FileCheck %s --check-prefix=KIND
// RUN: not xla-opt %t/empty.mlir --xla-attach-target="device=rdna2 limits=subgroup=3" 2>&1 | FileCheck %s --check-prefix=LIMIT
// RUN: not xla-opt %t/empty.mlir --xla-attach-target="device=rdna2 limits=subgroup" 2>&1 | FileCheck %s --check-prefix=LIMIT
// RUN: not xla-opt %t/empty.mlir --xla-attach-target="device=rdna2 limits=subgroup=8,subgroup=8" 2>&1 | FileCheck %s --check-prefix=LIMIT
// RUN: not xla-opt %t/limit.mlir --xla-linalg-to-affine 2>&1 | FileCheck %s --check-prefix=LIMIT
// LIMIT: error: 'builtin.module' op has a target with the limit subgroup{{.*}}; there are subgroup (a power of two up to 128), invocations
// RUN: not xla-opt %t/empty.mlir --xla-attach-target="device=rdna2 limits=waves=4" 2>&1 | FileCheck %s --check-prefix=KEY
// KEY: op has a target with the limit waves;
// RUN: not xla-opt %t/empty.mlir --xla-attach-target=limits=subgroup=8 2>&1 | FileCheck %s --check-prefix=ALONE
// ALONE: op is to have limits of a Vulkan device, but no device
// RUN: not xla-opt %t/empty.mlir --xla-attach-target=cpu=x86-64-v3 --xla-vulkan-pipeline 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: op has a processor for a target, not a Vulkan device
// RUN: xla-opt %t/empty.mlir --xla-attach-target="device=rdna2 limits=subgroup=8,shared=1024" | FileCheck %s --check-prefix=BOTH
// BOTH: module attributes {xla.target = {device = "rdna2", shared = 1024 : i64, subgroup = 8 : i64}}
// RUN: not xla-opt %t/empty.mlir --xla-vulkan-pipeline=to=llvm 2>&1 | FileCheck %s --check-prefix=STAGE
// STAGE: error: no stage 'llvm'; they are prepared, linalg, affine, spirv
// Kernels that are declarations stay, and shaders that are there already.
// RUN: xla-opt %t/there.mlir --xla-linalg-to-affine | FileCheck %s --check-prefix=THERE
// THERE: func.func private @declared(memref<4xf32>) attributes {xla.kind = "loop"}
// THERE: gpu.module @other {
// THERE: affine.for
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
// A buffer that no shader of this device reaches, and one of too many windows.
// RUN: not xla-opt %t/big.mlir --xla-vulkan-pipeline=to=affine 2>&1 | FileCheck %s --check-prefix=BIG
// BIG: big.mlir:{{.*}}: error: an array of 4294967296 elements is more than the 2147483647 that indices of 32 bits reach, and vulkan1.2 has no addresses
// RUN: not xla-opt %t/windows.mlir --xla-attach-target="device=vulkan1.2 limits=range=512" --xla-vulkan-pipeline=to=affine 2>&1 | FileCheck %s --check-prefix=MANY
// MANY: windows.mlir:2:{{[0-9]+}}: error: a shader of this kernel needs {{[0-9]+}} storage buffers, vulkan1.2 takes 16
// What nests written by hand may have.
// RUN: not xla-opt %t/start.mlir --xla-linalg-to-affine 2>&1 | FileCheck %s --check-prefix=START
// START: start.mlir:{{.*}}: error: an access begins at an unknown place
// RUN: not xla-opt %t/memory.mlir --xla-linalg-to-affine 2>&1 | FileCheck %s --check-prefix=MEMORY
// MEMORY: memory.mlir:{{.*}}: error: xla.memory is not the number of an argument, as 1 : i64
// RUN: not xla-opt %t/loop.mlir --xla-linalg-to-affine 2>&1 | FileCheck %s --check-prefix=LOOP
// LOOP: loop.mlir:{{.*}}: error: a loop of 9223372036854775807 iterations is too long for a shader
// RUN: not xla-opt %t/strided.mlir --xla-linalg-to-affine 2>&1 | FileCheck %s --check-prefix=STRIDED
// STRIDED: strided.mlir:{{.*}}: error: an argument's elements do not follow each other

//--- strided.mlir
module attributes {xla.target = {device = "rdna2"}} {
  func.func private @k(%x: memref<16xf32, strided<[4]>>, %o: memref<16xf32>) attributes {xla.kind = "loop"} {
    linalg.generic {indexing_maps = [affine_map<(d0)->(d0)>, affine_map<(d0)->(d0)>], iterator_types = ["parallel"]} ins(%x : memref<16xf32, strided<[4]>>) outs(%o : memref<16xf32>) {
    ^bb0(%a: f32, %b: f32):
      linalg.yield %a : f32
    }
    return
  }
}
//--- loop.mlir
module attributes {xla.target = {device = "rdna2"}} {
  func.func private @k(%o: memref<16xf32>) attributes {xla.kind = "fusion"} {
    %lo = arith.constant -9223372036854775808 : index
    %hi = arith.constant 9223372036854775807 : index
    %st = arith.constant 4611686018427387904 : index
    linalg.generic {indexing_maps = [affine_map<(d0)->(d0)>], iterator_types = ["parallel"]} outs(%o : memref<16xf32>) {
    ^bb0(%y: f32):
      %r = scf.for %i = %lo to %hi step %st iter_args(%s = %y) -> (f32) {
        %q = arith.addf %s, %y : f32
        scf.yield %q : f32
      }
      linalg.yield %r : f32
    }
    return
  }
}
//--- big.mlir
func.func @main(%x: tensor<65536x65536xi8>) -> tensor<256x256xi8> {
  %a = xla.slice %x {start_indices = [0, 0], limit_indices = [256, 256], strides = [1, 1]} : (tensor<65536x65536xi8>) -> tensor<256x256xi8>
  %b = xla.slice %x {start_indices = [1000, 1000], limit_indices = [1256, 1256], strides = [1, 1]} : (tensor<65536x65536xi8>) -> tensor<256x256xi8>
  %c = xla.add %a, %b : tensor<256x256xi8>
  return %c : tensor<256x256xi8>
}
//--- windows.mlir
func.func @main(%x: tensor<512x1024xf32>) -> tensor<1024x512xf32> {
  %0 = xla.transpose %x {permutation = [1, 0]} : (tensor<512x1024xf32>) -> tensor<1024x512xf32>
  return %0 : tensor<1024x512xf32>
}
//--- start.mlir
module attributes {xla.target = {device = "rdna2"}} {
  func.func private @k(%b: memref<64xf32>, %o: memref<16xf32>, %i: memref<1xi64>) attributes {xla.kind = "elementwise"} {
    %c0 = arith.constant 0 : index
    %n = memref.load %i[%c0] : memref<1xi64>
    %m = arith.index_cast %n : i64 to index
    %v = memref.subview %b[%m] [16] [1] : memref<64xf32> to memref<16xf32, strided<[1], offset: ?>>
    linalg.generic {indexing_maps = [affine_map<(d0)->(d0)>, affine_map<(d0)->(d0)>], iterator_types = ["parallel"]} ins(%v : memref<16xf32, strided<[1], offset: ?>>) outs(%o : memref<16xf32>) {
    ^bb0(%x: f32, %y: f32):
      linalg.yield %x : f32
    }
    return
  }
}
//--- memory.mlir
module attributes {xla.target = {device = "rdna2"}} {
  func.func private @k(%b: memref<4xf32>) attributes {xla.kind = "elementwise"} {
    %a = memref.alloc() {xla.memory = -7 : i64} : memref<4xf32>
    linalg.generic {indexing_maps = [affine_map<(d0)->(d0)>, affine_map<(d0)->(d0)>], iterator_types = ["parallel"]} ins(%a : memref<4xf32>) outs(%b : memref<4xf32>) {
    ^bb0(%x: f32, %y: f32):
      %z = arith.addf %x, %x : f32
      linalg.yield %z : f32
    }
    return
  }
}
//--- there.mlir
module attributes {xla.target = {device = "vulkan1.2"}} {
  func.func private @declared(memref<4xf32>) attributes {xla.kind = "loop"}
  gpu.module @other {
    func.func @f(%x: memref<4xf32>) {
      %zero = arith.constant 0.0 : f32
      affine.for %i = 0 to 4 {
        affine.store %zero, %x[%i] : memref<4xf32>
      }
      return
    }
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
