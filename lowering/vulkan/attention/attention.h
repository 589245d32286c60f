//===- attention.h - Attention on Vulkan --------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel of kind "attention" (lowering/affine/attention/attention.h) as one
// shader. A workgroup has a tile of queries and goes through the keys in
// blocks, so that scores are never in memory:
//
//   scores  = the tile's queries, in workgroup memory, times a block of keys
//   weights = element by element what is between the products
//   sums   += weights, in workgroup memory, times a block of values
//
// What reduces a row has to be known before the elements that it is used for.
// Where these are exponentials of differences from the row's maximum, as in a
// softmax, that is the maximum of the blocks so far: when it grows, sums are
// scaled. Anything else takes a *pass* through the keys for each reduction
// that needs another, and the scores are computed again in each; results then
// are as if rows were whole.
//
// Internal to lowering/vulkan.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_VULKAN_ATTENTION_ATTENTION_H
#define XLAC_LOWERING_VULKAN_ATTENTION_ATTENTION_H

#include "xlac/lowering/vulkan/schedule/emit.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Writes the schedule's kernel as one shader and sets `*isOne`, if it is of
/// the form above and a tile fits the device; else nothing happens. Failure
/// comes with a diagnostic.
MlirLogicalResult xlaVulkanAttentionEmit(XlaVulkanMemoryMap *memory,
                                         bool *isOne);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_VULKAN_ATTENTION_ATTENTION_H
