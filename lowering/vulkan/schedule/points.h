//===- points.h - Bodies of statements at several points ----------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lowering/vulkan: what a thread computes at a time are the points
// of an unrolled loop. A cluster's statements read what those before them
// computed there (locals) out of registers.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_VULKAN_SCHEDULE_POINTS_H
#define XLAC_LOWERING_VULKAN_SCHEDULE_POINTS_H

#include "xlac/lowering/vulkan/schedule/group.h"

/// What a statement of the cluster wrote inside, for those behind it.
typedef struct XlaVulkanLocal {
  const XlaSchedStatement *statement;
  const XlaSchedAccess *access;
  MlirValue values[XLA_VULKAN_MAX_POINTS];
} XlaVulkanLocal;

/// A cluster being written.
typedef struct XlaVulkanWalk {
  XlaVulkanGroup *g;
  const XlaSchedCluster *cluster;
  int from, to;           ///< its statements that share these loops
  XlaVulkanUnroll unroll; ///< of the shared dimensions, then one inside
  int width;              ///< elements of that one
  int nLocals;
  XlaVulkanLocal *locals;
  /// Where a row has several threads: how each accumulator, which is in the
  /// combiner's type, is combined. All points share it.
  const XlaSchedReducer *reducers;
} XlaVulkanWalk;

/// Zeroed memory, to be freed; NULL after a failure.
void *xlaVulkanAllocate(XlaVulkanWalk *walk, size_t n, size_t size);

/// One statement at all points: `results` has MAX_POINTS values an output, or
/// `carry` is given: accumulators for as many points, `stride` values apart;
/// with `reducers` those that are null begin with what is combined first.
void xlaVulkanBodies(XlaVulkanWalk *walk, const XlaSchedStatement *statement,
                     MlirValue *results, MlirValue *carry, int nAccumulators,
                     int stride, const XlaSchedReducer *reducers);

#endif // XLAC_LOWERING_VULKAN_SCHEDULE_POINTS_H
