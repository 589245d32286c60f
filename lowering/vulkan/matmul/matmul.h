//===- matmul.h - Matrix products on Vulkan -----------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contractions as shaders that keep a tile of the result in registers. One
// emitter for all devices, steered by a *tiling*: how large tiles are and how
// operands reach the registers.
//
//  - From storage buffers: each thread loads what it needs.
//  - By subgroup: each thread of a subgroup loads a part of the lhs, which is
//    broadcast from there. Loads are what costs on software devices.
//  - By workgroup memory: a block of both operands is copied there, the
//    threads meet at a barrier, and all read it. This is the way of GPUs.
//
// Where the result is too small to keep a device busy, the terms are split
// among the threads of a workgroup (*slices*) and among workgroups (*chunks*),
// and the partial sums are added in a fixed order. Results depend on the
// tiling, hence on shape and device, and on nothing else.
//
// Tiles that would stick out of the result are shifted inwards: what two tiles
// have in common is written twice, with the same values, and there are no
// conditions and no accesses outside.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_VULKAN_MATMUL_MATMUL_H
#define XLAC_LOWERING_VULKAN_MATMUL_MATMUL_H

#include "xlac/lowering/affine/contraction.h"
#include "xlac/lowering/vulkan/schedule/schedule.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum XlaVulkanStaging {
  XlaVulkanStagingNone,
  XlaVulkanStagingSubgroup,
  XlaVulkanStagingWorkgroup,
} XlaVulkanStaging;

/// Which dimension a vector of 4 elements in a storage buffer lies along.
typedef enum XlaVulkanVector {
  XlaVulkanVectorNone,  ///< elements are loaded one by one
  XlaVulkanVectorFree,  ///< rows of the lhs, columns of the rhs
  XlaVulkanVectorTerms, ///< contracted elements
} XlaVulkanVector;

/// What a part of the kernel around a product reads or writes: a prologue with
/// an operand, in the place of loads of that, or the epilogue with the product,
/// before that is stored.
typedef struct XlaVulkanMatmulInput {
  XlaContractionSide side; ///< as the matmul has sides
  int argument;            ///< of the part's body
  int output;              ///< of the part, or -1
  MlirType element;
  int64_t offset, count; ///< in elements; of the whole buffer
  intptr_t buffer;       ///< argument of the kernel
} XlaVulkanMatmulInput;

/// A product. Sums are of f32 for f16 and bf16, else of the result's type;
/// integers wrap.
typedef struct XlaVulkanMatmul {
  XlaContraction contraction;
  MlirType lhs, rhs, result;               ///< element types
  int64_t lhsCount, rhsCount, resultCount; ///< elements
  intptr_t arguments[3]; ///< of the kernel: lhs, rhs and result, or -1: scratch
  int64_t offsets[3];    ///< of these in their arguments, in bytes
  bool isSwapped; ///< lhs and rhs have changed roles, so have rows and columns
  MlirBlock parts[XlaContractionSides]; ///< bodies, or null
  int nInputs;
  XlaVulkanMatmulInput inputs[XLA_CONTRACTION_MAX_INPUTS];
} XlaVulkanMatmul;

/// Limits of a tiling.
enum {
  XLA_VULKAN_MATMUL_MAX_TILE = 256, ///< elements of a thread's tile
  XLA_VULKAN_MATMUL_MAX_STEP = 32,
};

/// How a product is computed. A workgroup has `columnThreads` threads along
/// the columns and `otherThreads` along the rows (workgroup staging) or as
/// slices of the terms (other stagings).
typedef struct XlaVulkanMatmulTiling {
  XlaVulkanStaging staging;
  int columnThreads, otherThreads;
  int tileRows, tileColumns; ///< of a thread
  /// Terms of a turn of the innermost loop; with workgroup staging, terms of a
  /// block. Without, it divides the number of terms.
  int step;
  XlaVulkanVector lhsVector, rhsVector;
  bool usesPairs; ///< vectors of 32-bit elements are loaded as 64-bit integers
  int chunks;     ///< workgroups that share a tile
  /// Loops are not unrolled, and sums are stored in loops, from private memory:
  /// where registers and memory are the same and drivers compile slowly.
  bool usesLoops;
  double nanoseconds; ///< estimated; 0: not known
} XlaVulkanMatmulTiling;

/// Describes the contraction of a kernel. False where it is left to the general
/// schedule: element types that the device lacks, more elements than 32 bits or
/// a binding can hold. Parts that are no part of the product then are dropped
/// from `kernel`.
bool xlaVulkanMatmulDescribe(XlaVulkanMatmul *matmul,
                             XlaContractionKernel *kernel,
                             const XlaVulkanInfo *info);

/// The tiling for a device, by the costs in tiling.c.
void xlaVulkanMatmulTiling(const XlaVulkanMatmul *matmul,
                           const XlaVulkanInfo *info,
                           XlaVulkanMatmulTiling *tiling);

/// Whether the product can be computed so on the device.
bool xlaVulkanMatmulFits(const XlaVulkanMatmul *matmul,
                         const XlaVulkanInfo *info,
                         const XlaVulkanMatmulTiling *tiling);

/// The contraction of a kernel, if it has one and a tiling of it fits. Free
/// `kernel` in any case.
bool xlaVulkanMatmulFind(XlaContractionKernel *kernel, XlaVulkanMatmul *matmul,
                         XlaVulkanMatmulTiling *tiling, MlirOperation function,
                         const XlaVulkanInfo *info);

/// Tells on stderr what was chosen for dispatch `dispatch` of kernel `name`.
void xlaVulkanMatmulReport(const XlaVulkanMatmul *matmul,
                           const XlaVulkanMatmulTiling *tiling,
                           const char *name, intptr_t dispatch);

/// Appends the shaders and dispatches of a tiling that fits. Failure comes with
/// a diagnostic.
MlirLogicalResult xlaVulkanMatmulEmit(const XlaVulkanMatmul *matmul,
                                      const XlaVulkanMatmulTiling *tiling,
                                      XlaVulkanSchedule *schedule);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_VULKAN_MATMUL_MATMUL_H
