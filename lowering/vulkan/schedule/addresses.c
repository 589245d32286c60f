//===- addresses.c - Kernels that reach memory by addresses ---------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Indices of 32 bits and storage buffers are faster, and do for most programs.
// A kernel with an array that they do not reach, or with more arrays than there
// are storage buffers, gets the addresses of all its buffers, and counts in 64
// bits: so every kernel, whatever it reads, works on arrays of any size, and is
// written as others are.
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/vulkan/schedule/emit.h"

/// What a kernel's arrays need.
typedef struct Survey {
  const XlaVulkanInfo *info;
  bool isLarge; ///< some index needs 64 bits, or some array pieces
  int64_t nArrays, nBindings; ///< the latter at most
  bool hasWindows;
} Survey;

static int64_t bytesOf(MlirType element) {
  if (mlirTypeIsAInteger(element))
    return (mlirIntegerTypeGetWidth(element) + 7) / 8;
  return mlirTypeIsAFloat(element) ? (mlirFloatTypeGetWidth(element) + 7) / 8
                                   : 1;
}

/// Counts `value` if it is a memref; views bind nothing.
static void look(Survey *survey, MlirValue value, bool isView) {
  MlirType type = mlirValueGetType(value);
  int64_t bytes, range = survey->info->maxBufferRange;
  if (!mlirTypeIsAMemRef(type) || !mlirShapedTypeHasStaticShape(type))
    return;
  int64_t count = xlaVulkanElements(value);
  survey->isLarge |= count > survey->info->maxElements;
  if (isView)
    return;
  if (__builtin_mul_overflow(count, bytesOf(xlaIrElementType(type)), &bytes))
    bytes = INT64_MAX;
  // Loads of several elements have bindings of their own.
  survey->isLarge |= bytes > xlaVulkanPieceBytes(survey->info);
  ++survey->nArrays;
  survey->nBindings += 2 * (bytes / range + 1);
  survey->hasWindows |= bytes > range;
}

static MlirWalkResult lookAt(MlirOperation op, void *user) {
  bool isView =
      !xlaIrIsOp(op, "memref.alloc") && !xlaIrIsOp(op, "memref.get_global");
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    look(user, mlirOperationGetResult(op, i), isView);
  return MlirWalkResultAdvance;
}

bool xlaVulkanNeedsAddresses(MlirOperation function,
                             const XlaVulkanInfo *info) {
  Survey survey = {.info = info};
  MlirBlock entry =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  if (!info->addresses)
    return false;
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(entry); ++i)
    look(&survey, mlirBlockGetArgument(entry, i), false);
  mlirOperationWalk(function, lookAt, &survey, MlirWalkPreOrder);
  return survey.isLarge || survey.nArrays > (int64_t)info->maxBindings ||
         (survey.hasWindows && survey.nBindings > (int64_t)info->maxBindings);
}

XlaVulkanInfo xlaVulkanWithAddresses(const XlaVulkanInfo *info) {
  XlaVulkanInfo result = *info;
  result.maxBindings = XlaVulkanSpansMax;
  result.maxBufferRange = INT64_MAX;
  result.maxElements = INT64_MAX;
  return result;
}

int64_t xlaVulkanMostThreads(const XlaVulkanSchedule *schedule) {
  return schedule->usesAddresses ? INT64_MAX / XLA_VULKAN_MAX_TRIPS : INT32_MAX;
}

int64_t xlaVulkanMostTrips(const XlaVulkanSchedule *schedule) {
  int64_t most = (int64_t)XLA_VULKAN_MAX_TRIPS * XLA_VULKAN_MAX_TRIPS;
  return schedule->usesAddresses ? most * XLA_VULKAN_MAX_TRIPS : INT32_MAX;
}
