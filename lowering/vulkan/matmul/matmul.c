//===- matmul.c - Matrix products on Vulkan -------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which contractions become shaders of their own, and which tilings are
// possible.
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/vulkan/matmul/emit.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

//===----------------------------------------------------------------------===//
// Description
//===----------------------------------------------------------------------===//

/// Whether elements can be loaded and stored; arithmetic below 32 bits is made
/// of what there is (legalize.h).
static bool hasType(const XlaVulkanInfo *info, MlirType type) {
  if (mlirTypeIsAF32(type))
    return true;
  if (mlirTypeIsAF64(type))
    return info->f64;
  if (mlirTypeIsAF16(type) || mlirTypeIsABF16(type))
    return info->storage16;
  if (!mlirTypeIsAInteger(type) || !mlirIntegerTypeIsSignless(type))
    return false;
  switch (mlirIntegerTypeGetWidth(type)) {
  case 8:
    return info->storage8;
  case 16:
    return info->storage16;
  case 32:
    return true;
  case 64:
    return info->i64;
  default:
    return false;
  }
}

static int64_t bitsOf(MlirType type) {
  return mlirTypeIsAInteger(type) ? mlirIntegerTypeGetWidth(type)
                                  : mlirFloatTypeGetWidth(type);
}

/// Sums are at least as wide as float operands.
static bool canConvert(MlirType operand, MlirType sum) {
  if (mlirTypeIsAInteger(sum))
    return mlirTypeIsAInteger(operand);
  return mlirTypeIsAFloat(operand) && bitsOf(operand) <= bitsOf(sum);
}

/// Elements of a memref, or 0 where they are too many for a binding or for
/// positions of 32 bits.
static int64_t countOf(MlirType memref, const XlaVulkanInfo *info) {
  int64_t count = 1;
  for (intptr_t i = 0; i < mlirShapedTypeGetRank(memref); ++i) {
    int64_t size = mlirShapedTypeGetDimSize(memref, i);
    if (size <= 0 || __builtin_mul_overflow(count, size, &count))
      return 0;
  }
  int64_t bytes = bitsOf(mlirShapedTypeGetElementType(memref)) / 8;
  return count > info->maxElements / 2 || count * bytes > info->maxBufferRange
             ? 0
             : count;
}

static void swapSides(XlaContractionDims *list) {
  for (intptr_t i = 0; i < list->n; ++i) {
    int64_t lhs = list->dims[i].lhs;
    list->dims[i].lhs = list->dims[i].rhs;
    list->dims[i].rhs = lhs;
  }
}

static void swapParts(XlaVulkanMatmul *matmul) {
  MlirBlock lhs = matmul->parts[0];
  matmul->parts[0] = matmul->parts[1];
  matmul->parts[1] = lhs;
  for (int i = 0; i < matmul->nInputs; ++i) {
    XlaContractionSide *side = &matmul->inputs[i].side;
    *side = *side == XlaContractionLhs   ? XlaContractionRhs
            : *side == XlaContractionRhs ? XlaContractionLhs
                                         : XlaContractionProduct;
  }
}

/// Threads side by side have columns, so there should be more of these. The
/// transposed product has the same sums.
static void swapIfNarrow(XlaVulkanMatmul *matmul) {
  XlaContraction *all = &matmul->contraction;
  matmul->isSwapped =
      all->columns.size < 8 && all->columns.size < all->rows.size;
  if (!matmul->isSwapped)
    return;
  XlaContractionDims rows = all->rows;
  all->rows = all->columns;
  all->columns = rows;
  swapSides(&all->batch);
  swapSides(&all->rows);
  swapSides(&all->columns);
  swapSides(&all->terms);
  XlaVulkanMatmul old = *matmul;
  matmul->lhs = old.rhs;
  matmul->rhs = old.lhs;
  matmul->lhsCount = old.rhsCount;
  matmul->rhsCount = old.lhsCount;
  all->lhsUnsigned = old.contraction.rhsUnsigned;
  all->rhsUnsigned = old.contraction.lhsUnsigned;
  swapParts(matmul);
}

/// The types of operands and product, and the arguments that these are.
static void readArguments(XlaVulkanMatmul *matmul,
                          const XlaContractionKernel *kernel,
                          MlirType types[3]) {
  MlirValue values[3] = {kernel->lhs, kernel->rhs, kernel->product};
  for (int i = 0; i < 3; ++i) {
    types[i] = mlirValueGetType(values[i]);
    matmul->offsets[i] = 0;
    matmul->arguments[i] = mlirValueIsABlockArgument(values[i])
                               ? mlirBlockArgumentGetArgNumber(values[i])
                               : -1;
  }
}

/// An input as a binding; false if it cannot be one.
static bool readInput(XlaVulkanMatmul *matmul,
                      const XlaContractionKernel *kernel,
                      const XlaContractionInput *from,
                      const XlaVulkanInfo *info) {
  const XlaContractionPart *part = &kernel->parts[from->side];
  int output = from->argument - part->statement.nIns;
  XlaVulkanMatmulInput *input = &matmul->inputs[matmul->nInputs++];
  if (!mlirValueIsABlockArgument(from->root) || !hasType(info, from->element))
    return false;
  *input = (XlaVulkanMatmulInput){
      .side = from->side,
      .argument = from->argument,
      .output = output < 0 ? -1 : output,
      .element = from->element,
      .offset = from->offset,
      .count = countOf(mlirValueGetType(from->root), info),
      .buffer = mlirBlockArgumentGetArgNumber(from->root)};
  return input->count > 0;
}

enum {
  /// Inputs of both operands together: their places are dimensions of the nest.
  maxOperandInputs = 6,
};

/// The parts that are left in `kernel`; false if they cannot be all.
static bool readParts(XlaVulkanMatmul *matmul,
                      const XlaContractionKernel *kernel,
                      const XlaVulkanInfo *info) {
  XlaContractionInputs inputs;
  int nOperands = 0;
  matmul->nInputs = 0;
  for (int side = 0; side < XlaContractionSides; ++side)
    matmul->parts[side] = kernel->parts[side].body;
  if (!xlaContractionReadInputs(kernel, &inputs))
    return false;
  for (int i = 0; i < inputs.n; ++i) {
    if (!readInput(matmul, kernel, &inputs.inputs[i], info))
      return false;
    nOperands += inputs.inputs[i].side != XlaContractionProduct;
  }
  // Blocks in workgroup memory are of one dimension of terms.
  if (nOperands > maxOperandInputs || inputs.n + 3 > (int)info->maxBindings ||
      inputs.contraction.terms.n != kernel->contraction.terms.n)
    return false;
  matmul->contraction = inputs.contraction;
  return true;
}

/// The most parts that the product can have, the epilogue rather than others.
static void chooseParts(XlaVulkanMatmul *matmul, XlaContractionKernel *kernel,
                        const XlaVulkanInfo *info) {
  for (int side = 0; side < XlaContractionSides; ++side) {
    if (readParts(matmul, kernel, info))
      return;
    xlaContractionDrop(kernel, (XlaContractionSide)side);
  }
  matmul->contraction = kernel->contraction;
  matmul->nInputs = 0;
  for (int side = 0; side < XlaContractionSides; ++side)
    matmul->parts[side] = (MlirBlock){NULL};
}

bool xlaVulkanMatmulDescribe(XlaVulkanMatmul *matmul,
                             XlaContractionKernel *kernel,
                             const XlaVulkanInfo *info) {
  MlirType types[3];
  readArguments(matmul, kernel, types);
  for (int i = 0; i < 3; ++i)
    if (!hasType(info, mlirShapedTypeGetElementType(types[i])))
      return false;
  matmul->lhs = mlirShapedTypeGetElementType(types[0]);
  matmul->rhs = mlirShapedTypeGetElementType(types[1]);
  matmul->result = mlirShapedTypeGetElementType(types[2]);
  matmul->lhsCount = countOf(types[0], info);
  matmul->rhsCount = countOf(types[1], info);
  matmul->resultCount = countOf(types[2], info);
  MlirType sum = xlaMatmulSumType(matmul);
  if (!matmul->lhsCount || !matmul->rhsCount || !matmul->resultCount ||
      !canConvert(matmul->lhs, sum) || !canConvert(matmul->rhs, sum))
    return false;
  chooseParts(matmul, kernel, info);
  swapIfNarrow(matmul);
  return true;
}

//===----------------------------------------------------------------------===//
// Tilings that fit
//===----------------------------------------------------------------------===//

/// Whether steps along all of the dimensions, the innermost of one list
/// perhaps excepted, are whole vectors.
static bool areWhole(const XlaContractionDims *list, MatmulArray array,
                     bool isAlong) {
  for (intptr_t i = 0; i < list->n - isAlong; ++i)
    if (xlaMatmulStride(&list->dims[i], array) % 4)
      return false;
  if (!isAlong)
    return true;
  if (!list->n)
    return false;
  const XlaContractionDim *last = &list->dims[list->n - 1];
  return xlaMatmulStride(last, array) == 1 && last->size % 4 == 0;
}

static bool vectorFits(const XlaVulkanMatmul *matmul,
                       const XlaVulkanMatmulTiling *tiling, MatmulArray array) {
  bool isLhs = array == MatmulLhs;
  const XlaContraction *all = &matmul->contraction;
  XlaVulkanVector vector = isLhs ? tiling->lhsVector : tiling->rhsVector;
  int tile = isLhs ? tiling->tileRows : tiling->tileColumns;
  if (vector == XlaVulkanVectorNone)
    return true;
  return bitsOf(isLhs ? matmul->lhs : matmul->rhs) <= 32 &&
         tiling->staging != XlaVulkanStagingWorkgroup &&
         (vector == XlaVulkanVectorTerms ? tiling->step : tile) % 4 == 0 &&
         areWhole(&all->batch, array, false) &&
         areWhole(isLhs ? &all->rows : &all->columns, array,
                  vector == XlaVulkanVectorFree) &&
         areWhole(&all->terms, array, vector == XlaVulkanVectorTerms);
}

static bool stagedFits(const XlaVulkanMatmul *matmul, const XlaVulkanInfo *info,
                       const XlaVulkanMatmulTiling *tiling) {
  int64_t threads = (int64_t)tiling->columnThreads * tiling->otherThreads;
  int64_t rows = (int64_t)tiling->tileRows * tiling->otherThreads;
  int64_t columns = (int64_t)tiling->tileColumns * tiling->columnThreads;
  int64_t bytes = bitsOf(xlaMatmulSumType(matmul)) / 8;
  return matmul->contraction.terms.n <= 1 && tiling->chunks == 1 &&
         rows * tiling->step % threads == 0 &&
         columns * tiling->step % threads == 0 &&
         rows * tiling->step / threads <= XLA_MATMUL_MAX_COPIES &&
         columns * tiling->step / threads <= XLA_MATMUL_MAX_COPIES &&
         xlaMatmulBlockElements(matmul, tiling) * bytes <= info->sharedBytes;
}

static bool directFits(const XlaVulkanMatmul *matmul, const XlaVulkanInfo *info,
                       const XlaVulkanMatmulTiling *tiling) {
  const XlaContractionDims *terms = &matmul->contraction.terms;
  MlirType sum = xlaMatmulSumType(matmul);
  int64_t size = terms->n ? terms->dims[terms->n - 1].size : 1;
  int64_t sliceBytes = (int64_t)tiling->columnThreads * tiling->otherThreads *
                       tiling->tileRows * tiling->tileColumns * bitsOf(sum) / 8;
  if (size % tiling->step || size / tiling->step < tiling->chunks ||
      (tiling->otherThreads > 1 && sliceBytes > info->sharedBytes) ||
      matmul->resultCount * tiling->chunks > info->maxElements / 2 ||
      matmul->resultCount * tiling->chunks * bitsOf(sum) / 8 >
          info->maxBufferRange)
    return false;
  // 64-bit integers would need an extension.
  return tiling->staging == XlaVulkanStagingNone ||
         (info->subgroupBallot && tiling->otherThreads == 1 &&
          info->subgroupSize > 1 &&
          (uint32_t)tiling->columnThreads == info->subgroupSize &&
          (mlirTypeIsAFloat(sum) || bitsOf(sum) == 32));
}

/// Iterations of all loops of a thread.
static double iterationsOf(const XlaVulkanMatmul *matmul,
                           const XlaVulkanMatmulTiling *tiling) {
  const XlaContractionDims *terms = &matmul->contraction.terms;
  int64_t size = terms->n ? terms->dims[terms->n - 1].size : 1;
  int64_t whole = size / tiling->step + 1, around = terms->size / size;
  double turns = (double)whole, elements = 0;
  if (tiling->staging == XlaVulkanStagingWorkgroup)
    return turns * (tiling->step + 1) * (1 + 1. / XLA_VULKAN_MAX_TRIPS) + 1;
  turns = turns / tiling->chunks / tiling->otherThreads + 2;
  turns *= 1 + 1. / XLA_VULKAN_MAX_TRIPS;
  if (tiling->usesLoops)
    elements = (double)tiling->tileRows * tiling->tileColumns *
               (tiling->otherThreads + 1);
  // The loops around, one in another, have less than twice as many as the
  // innermost of them.
  return (double)around * (turns + 2) + elements + tiling->tileRows +
         tiling->otherThreads;
}

bool xlaVulkanMatmulFits(const XlaVulkanMatmul *matmul,
                         const XlaVulkanInfo *info,
                         const XlaVulkanMatmulTiling *tiling) {
  const XlaContraction *all = &matmul->contraction;
  if (tiling->columnThreads < 1 || tiling->otherThreads < 1 ||
      tiling->chunks < 1 || tiling->tileRows < 1 || tiling->tileColumns < 1 ||
      tiling->step < 1 || tiling->step > XLA_VULKAN_MATMUL_MAX_STEP ||
      tiling->tileRows > XLA_VULKAN_MATMUL_MAX_TILE / tiling->tileColumns ||
      (uint32_t)tiling->columnThreads > info->maxGroupSize[0] ||
      (uint32_t)tiling->otherThreads > info->maxGroupSize[1] ||
      (uint32_t)tiling->columnThreads >
          info->maxGroupInvocations / (uint32_t)tiling->otherThreads)
    return false;
  bool isStaged = tiling->staging == XlaVulkanStagingWorkgroup;
  int64_t rows =
      (int64_t)tiling->tileRows * (isStaged ? tiling->otherThreads : 1);
  int64_t columns = (int64_t)tiling->tileColumns * tiling->columnThreads;
  uint32_t groups[3];
  return vectorFits(matmul, tiling, MatmulLhs) &&
         vectorFits(matmul, tiling, MatmulRhs) &&
         (!xlaVulkanEndsLongLoops(info) ||
          iterationsOf(matmul, tiling) <= XLA_VULKAN_MAX_ITERATIONS) &&
         (isStaged ? stagedFits(matmul, info, tiling)
                   : directFits(matmul, info, tiling)) &&
         xlaVulkanGrid(info,
                       ((all->rows.size - 1) / rows + 1) *
                           ((all->columns.size - 1) / columns + 1) *
                           all->batch.size * tiling->chunks,
                       groups);
}

bool xlaVulkanMatmulFind(XlaContractionKernel *kernel, XlaVulkanMatmul *matmul,
                         XlaVulkanMatmulTiling *tiling, MlirOperation function,
                         const XlaVulkanInfo *info) {
  if (!xlaContractionFind(kernel, function) ||
      !xlaVulkanMatmulDescribe(matmul, kernel, info))
    return false;
  xlaVulkanMatmulTiling(matmul, info, tiling);
  return xlaVulkanMatmulFits(matmul, info, tiling);
}
