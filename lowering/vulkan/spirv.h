//===- spirv.h - From gpu.funcs to SPIR-V words -------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shaders are written as gpu.funcs and converted by upstream's passes. Each is
// alone in a gpu.module, which tells it from others:
//
//   gpu.module @name {
//     gpu.func @main(memref<NxT, #spirv.storage_class<StorageBuffer>>, ..)
//         kernel attributes {spirv.entry_point_abi = ..}
//
// Argument i is storage buffer i of descriptor set 0. Where the module has the
// attribute xla.addresses, arguments are memrefs in PhysicalStorageBuffer: the
// shader gets their addresses, and its indices have 64 bits. Bodies hold
// affine, arith, math, scf, gpu, ub, vector, spirv.ControlBarrier and accesses
// of rank 1 by affine and memref, of scalars (and vectors of 2 to 4 where
// arguments hold those); `index` has 32 bits otherwise. Private memory is
// memref.alloca in the storage class Function, shared memory memref.alloc in
// Workgroup. i1 is a value of registers only.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_VULKAN_SPIRV_H
#define XLAC_LOWERING_VULKAN_SPIRV_H

#include "mlir-c/Support.h"
#include "xlac/dialect/element_type.h"
#include "xlac/dialect/ir.h"
#include "xlac/runtime/vulkan/device.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The name of every shader's function, so that equal shaders are equal words.
#define XLA_VULKAN_ENTRY "main"

//===----------------------------------------------------------------------===//
// Writing a shader
//===----------------------------------------------------------------------===//

typedef struct XlaVulkanShaderBuilder {
  MlirOperation module;   ///< the gpu.module, owned by the block it lies in
  MlirOperation function; ///< the gpu.func
  XlaIr ir;               ///< at the end of the body
  uint32_t groupSize[3];
  intptr_t nArguments;
  bool usesAddresses;
} XlaVulkanShaderBuilder;

/// Appends a gpu.module `name` with an empty gpu.func to `modules`, the body of
/// a module. `groupSize` must respect the device's maxGroupSize and
/// maxGroupInvocations.
void xlaVulkanShaderBegin(XlaVulkanShaderBuilder *builder, MlirBlock modules,
                          MlirLocation location, const char *name,
                          const uint32_t groupSize[3]);
/// Lets arguments, which follow, be addresses, and indices have 64 bits.
void xlaVulkanShaderUseAddresses(XlaVulkanShaderBuilder *builder);
/// The next binding: `count` elements of a scalar or vector type.
MlirValue xlaVulkanShaderAddArgument(XlaVulkanShaderBuilder *builder,
                                     MlirType element, int64_t count);
/// Closes the body at `builder->ir`. Nothing may be added afterwards. Failure,
/// with a diagnostic, is lack of memory.
MlirLogicalResult xlaVulkanShaderEnd(XlaVulkanShaderBuilder *builder);
/// Destroys the shader, before or after its end.
void xlaVulkanShaderDiscard(XlaVulkanShaderBuilder *builder);

/// gpu.thread_id, gpu.block_id and so on; `dimension` is 0, 1 or 2.
MlirValue xlaVulkanThreadId(XlaIr *ir, int dimension);
MlirValue xlaVulkanGroupId(XlaIr *ir, int dimension);
/// Number of the thread in its subgroup.
MlirValue xlaVulkanLaneId(XlaIr *ir);
/// Number of the thread's subgroup in its workgroup.
MlirValue xlaVulkanSubgroupId(XlaIr *ir);
/// The group's number in a grid of xlaVulkanGrid, as an index.
MlirValue xlaVulkanFlatGroupId(XlaIr *ir, const uint32_t groups[3]);
/// Waits for all threads of the workgroup and makes their writes to workgroup
/// memory visible.
void xlaVulkanBarrier(XlaIr *ir);
/// The same for the subgroup and what it wrote to buffers.
void xlaVulkanSubgroupBarrier(XlaIr *ir);
/// `value` of the thread of the subgroup whose number differs in bit `mask`.
/// All threads must be active; `size` is the device's subgroupSize.
MlirValue xlaVulkanSubgroupShuffle(XlaIr *ir, MlirValue value, uint32_t mask,
                                   uint32_t size);
/// memref<count x element> in private ("Function") or shared ("Workgroup")
/// memory.
MlirValue xlaVulkanAlloc(XlaIr *ir, const char *storageClass, MlirType element,
                         int64_t count);

/// a / b, rounded up; neither is negative.
int64_t xlaVulkanCeilDiv(int64_t a, int64_t b);

/// A grid of at least `n` groups (at least 1) within the device's
/// maxGroupCount: x first, then y, then z. False if there is none; groups
/// beyond `n` must do nothing.
bool xlaVulkanGrid(const XlaVulkanInfo *info, int64_t n, uint32_t groups[3]);

//===----------------------------------------------------------------------===//
// Conversion
//===----------------------------------------------------------------------===//

/// The attribute of a gpu.module whose arguments are addresses.
#define XLA_VULKAN_ADDRESSES "xla.addresses"

/// #spirv.target_env with what the device has, for a shader with addresses or
/// without.
MlirAttribute xlaVulkanTargetEnv(MlirContext context, const XlaVulkanInfo *info,
                                 bool usesAddresses);

/// The code of one gpu.module.
typedef struct XlaVulkanWords {
  char *name; ///< the gpu.module's
  uint32_t *words;
  size_t nWords;
} XlaVulkanWords;

typedef struct XlaVulkanSpirvOptions {
  bool verify; ///< run MLIR's verifier between passes
  /// Gets the module as text after "spirv". NULL: not called.
  void (*observe)(const char *stage, const char *suffix, const char *data,
                  size_t size, void *user);
  void *user;
} XlaVulkanSpirvOptions;

/// Puts a spirv.module before every gpu.module at the top of `module`. Failure
/// comes with a diagnostic.
MlirLogicalResult xlaVulkanToSpirv(MlirModule module, const XlaVulkanInfo *info,
                                   bool verify);

/// Converts all gpu.modules at the top of `module`, in order, and removes them.
/// On failure a diagnostic was emitted and `*words` is NULL.
MlirLogicalResult xlaVulkanToWords(MlirModule module, const XlaVulkanInfo *info,
                                   const XlaVulkanSpirvOptions *options,
                                   XlaVulkanWords **words, intptr_t *n);
void xlaVulkanWordsFree(XlaVulkanWords *words, intptr_t n);

/// What `op`, of this project's dialect, needs and the device lacks: "64-bit
/// floats (shaderFloat64)", a static string. NULL if it can run there. Looks at
/// the types of operands and results: ask for a fusion and for each op in it.
const char *xlaVulkanWhyNotOp(MlirOperation op, const XlaVulkanInfo *info);
/// The same for elements of `type`, as kernels load and store it if it is in
/// memory.
const char *xlaVulkanWhyNotType(XlaElementType type, bool isInMemory,
                                const XlaVulkanInfo *info);

/// Rewrites what SPIR-V or the device lacks, before the conversion of
/// `gpuModule` (legalize.c). Failure comes with a diagnostic.
MlirLogicalResult xlaVulkanLegalize(MlirOperation gpuModule,
                                    const XlaVulkanInfo *info);
/// Adds to a module's words what upstream's dialect cannot say. `*words` is
/// from malloc and may be replaced. Failure is lack of memory, or words that
/// are no module of upstream's.
MlirLogicalResult xlaVulkanFinishWords(uint32_t **words, size_t *n,
                                       const XlaVulkanInfo *info);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_VULKAN_SPIRV_H
