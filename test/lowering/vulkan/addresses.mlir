// Arrays that indices of 32 bits do not reach, or of more windows than a shader has bindings: addresses and indices of 64 bits. The
// other kernels of the program are what they are without.
// RUN: xla-opt %s --xla-attach-target=device=rdna2 --xla-vulkan-pipeline=to=affine | FileCheck %s --check-prefix=LARGE
// RUN: xla-opt %s --xla-attach-target=device=rdna2 --xla-vulkan-pipeline=to=spirv | FileCheck %s --check-prefix=SPIRV
// RUN: xla-opt %s --xla-attach-target="device=ampere limits=range=4096,bindings=4" --xla-vulkan-pipeline=to=affine | FileCheck %s --check-prefix=WINDOWS
// RUN: xla-opt %s --xla-attach-target="device=ampere limits=elements=2147483647" --xla-vulkan-pipeline=to=affine | FileCheck %s --check-prefix=LARGE

// LARGE: gpu.module @{{.*}}xla.addresses, xla.bindings = [{argument = 0 : i64, bytes = 4294967296 : i64, offset = 0 : i64}, {argument = 1 : i64, bytes = 65536 : i64,
// LARGE: gpu.func @main(%{{.*}}: memref<4294967296xi8, #spirv.storage_class<PhysicalStorageBuffer>>, %{{.*}}: memref<65536xi8, #spirv.storage_class<PhysicalStorageBuffer>>
// LARGE: gpu.module
// LARGE-NOT: PhysicalStorageBuffer
// LARGE-NOT: xla.addresses

// SPIRV: spirv.module @{{.*}} PhysicalStorageBuffer64 GLSL450 {{.*}}xla.addresses
// SPIRV: spirv.GlobalVariable @main_arg_0 bind(0, 0) : !spirv.ptr<!spirv.struct<(!spirv.array<3 x i64, stride=8> [0])>, StorageBuffer>
// SPIRV: spirv.ShiftRightLogical {{.*}}, %cst31_i64
// SPIRV: spirv.ConvertUToPtr {{.*}} : i64 to !spirv.ptr<i8, PhysicalStorageBuffer>
// SPIRV: spirv.Load "PhysicalStorageBuffer" {{.*}} ["Aligned", 1] : i8
// SPIRV: spirv.module @{{.*}} Logical GLSL450
// SPIRV-NOT: xla.addresses

// WINDOWS: gpu.module @{{.*}}xla.addresses
// WINDOWS: gpu.module @{{.*}}xla.addresses

func.func @main(%x: tensor<65536x65536xi8>, %y: tensor<64x64xf32>) -> (tensor<256x256xi8>, tensor<64x64xf32>) {
  %a = xla.slice %x {start_indices = [0, 0], limit_indices = [256, 256], strides = [1, 1]} : (tensor<65536x65536xi8>) -> tensor<256x256xi8>
  %b = xla.slice %x {start_indices = [65000, 65000], limit_indices = [65256, 65256], strides = [1, 1]} : (tensor<65536x65536xi8>) -> tensor<256x256xi8>
  %c = xla.add %a, %b : tensor<256x256xi8>
  %d = xla.add %y, %y : tensor<64x64xf32>
  return %c, %d : tensor<256x256xi8>, tensor<64x64xf32>
}
