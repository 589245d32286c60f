//===- points.h - Bodies of stages at several points --------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lowering/vulkan: what a thread computes at a time are the points
// of an unrolled loop. A cluster's stages read what those before them computed
// there (locals) out of registers.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_VULKAN_SCHEDULE_POINTS_H
#define XLAC_LOWERING_VULKAN_SCHEDULE_POINTS_H

#include "xlac/lowering/vulkan/schedule/group.h"

/// What a stage of the cluster wrote inside, for those behind it.
typedef struct XlaVulkanLocal {
  const XlaSchedStage *stage;
  const XlaSchedAccess *access;
  MlirValue values[XLA_VULKAN_MAX_POINTS];
} XlaVulkanLocal;

/// A cluster being written.
typedef struct XlaVulkanWalk {
  XlaVulkanGroup *g;
  const XlaSchedCluster *cluster;
  int from, to;           ///< its stages that share these loops
  XlaVulkanUnroll unroll; ///< of the shared dimensions, then one inside
  int width;              ///< elements of that one
  int nLocals;
  XlaVulkanLocal *locals;
  /// Where a row has several threads: how each accumulator, which is in the
  /// combiner's type, is combined. All points share it.
  const XlaSchedReducer *reducers;
} XlaVulkanWalk;

/// Does the stage's body use operand or accumulator `i`?
bool xlaVulkanIsRead(const XlaSchedStage *stage, int i);

/// Zeroed memory, to be freed; NULL after a failure.
void *xlaVulkanAllocate(XlaVulkanWalk *walk, size_t n, size_t size);

/// One stage at all points: `results` has MAX_POINTS values an output, or
/// `carry` is given: accumulators for as many points, `stride` values apart.
void xlaVulkanBodies(XlaVulkanWalk *walk, const XlaSchedStage *stage,
                     MlirValue *results, MlirValue *carry, int nAccumulators,
                     int stride, const XlaSchedReducer *reducers);

#endif // XLAC_LOWERING_VULKAN_SCHEDULE_POINTS_H
