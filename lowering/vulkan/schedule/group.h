//===- group.h - Statements of one dispatch -----------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Internal to lowering/vulkan. A thread takes a block of points of the shared
// dimensions (1, or some along one or two of them) and runs all statements at
// them. Statements that may share their loops over further dimensions do, as a
// *cluster*. What a statement writes at a shared point stays in a register for
// the statements behind it, and goes to memory at the end, or never.
//
// Where rows are long, the threads of a subgroup (or a workgroup, on devices
// that cannot shuffle) take one shared point together: element j of the last
// dimension inside belongs to thread j / width % lanes in all statements, so
// that a thread reads only what it wrote itself. Accumulators begin with the
// neutral element, and are combined over the threads behind the loops.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_VULKAN_SCHEDULE_GROUP_H
#define XLAC_LOWERING_VULKAN_SCHEDULE_GROUP_H

#include "xlac/lowering/affine/group.h"
#include "xlac/lowering/vulkan/schedule/emit.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { XLA_VULKAN_MAX_POINTS = 16, XLA_VULKAN_MAX_UNROLLS = 3 };

/// Dimensions of which a thread takes `factor` consecutive values at once. A
/// point is a number whose digits, the last unroll's minor, say which.
typedef struct XlaVulkanUnroll {
  int n;
  int dims[XLA_VULKAN_MAX_UNROLLS], factors[XLA_VULKAN_MAX_UNROLLS];
} XlaVulkanUnroll;

/// Elements of memory whose values are in registers, one for each point of the
/// shared dimensions.
typedef struct XlaVulkanKnown {
  const XlaSchedStatement *statement;
  const XlaSchedAccess *access;
  MlirValue values[XLA_VULKAN_MAX_POINTS];
  bool isDirty; ///< not in memory yet
} XlaVulkanKnown;

/// What a dispatch is; nothing changes it once it is chosen.
typedef struct XlaVulkanGroupSchedule {
  /// Threads of a row, 1 where each thread takes rows of its own. Otherwise the
  /// last dimension inside is dealt out to them, `width` elements at a time.
  int64_t lanes;
  int width;
  bool isWorkgroup;       ///< a row's threads are a workgroup, else a subgroup
  XlaVulkanUnroll unroll; ///< of shared dimensions
  const char *lanesReason, *unrollReason; ///< for people
  /// Blocks of shared dimensions, and points that a single one leaves.
  int64_t blocks, rest;
  uint32_t groups[3], size[3]; ///< workgroups, and threads of one; 0: too many
  double nanoseconds;          ///< estimated, of the device, without the launch
} XlaVulkanGroupSchedule;

typedef struct XlaVulkanGroup {
  XlaVulkanEmit e;
  XlaSchedGroup *statements;
  XlaVulkanGroupSchedule schedule;
  XlaVulkanUnroll shared; ///< of the code being written
  /// Dimensions of the present statement, as expressions of `e.nest`.
  MlirAffineExpr iv[XLA_SCHED_MAX_DIMS];
  intptr_t nKnown, knownCapacity;
  XlaVulkanKnown *known;
  XlaSchedClusters clusters;
  MlirAffineExpr lane; ///< the thread of a row
} XlaVulkanGroup;

int xlaVulkanPoints(const XlaVulkanUnroll *unroll);
/// Digit `i` of point `p`.
int xlaVulkanDigit(const XlaVulkanUnroll *unroll, int p, int i);

/// Does the access cover its unrolled dimension by vectors? The number of that
/// in `unroll->dims`, or -1.
int xlaVulkanVectorUnroll(const XlaVulkanGroup *g,
                          const XlaSchedStatement *statement,
                          const XlaSchedAccess *access,
                          const XlaVulkanUnroll *unroll);
/// Elements of `access` at all points of `unroll`.
void xlaVulkanLoadPoints(XlaVulkanGroup *g, const XlaSchedStatement *statement,
                         const XlaSchedAccess *access,
                         const XlaVulkanUnroll *unroll, MlirValue *values);
void xlaVulkanStorePoints(XlaVulkanGroup *g, const XlaSchedStatement *statement,
                          const XlaSchedAccess *access,
                          const XlaVulkanUnroll *unroll,
                          const MlirValue *values);

/// What is known of `access`, or NULL.
XlaVulkanKnown *xlaVulkanFindKnown(XlaVulkanGroup *g,
                                   const XlaSchedStatement *statement,
                                   const XlaSchedAccess *access);
/// The elements of an access that depends on shared dimensions only, loaded
/// unless known.
const MlirValue *xlaVulkanReadShared(XlaVulkanGroup *g,
                                     const XlaSchedStatement *statement,
                                     const XlaSchedAccess *access);
void xlaVulkanWriteShared(XlaVulkanGroup *g, const XlaSchedStatement *statement,
                          const XlaSchedAccess *access,
                          const MlirValue *values);
/// Brings memory up to date for accesses of `statement` to what it does not
/// know, and forgets what it overwrites.
void xlaVulkanSynchronize(XlaVulkanGroup *g,
                          const XlaSchedStatement *statement);
/// Stores what is dirty, but for what only this group could read.
void xlaVulkanFlush(XlaVulkanGroup *g);

/// Writes one cluster at the present shared indices (statement.c).
void xlaVulkanEmitCluster(XlaVulkanGroup *g, const XlaSchedCluster *cluster);

/// Chooses the schedule (choose.c). The clusters are there already.
void xlaVulkanChoose(XlaVulkanGroup *g);
/// Parts of that: whether several threads take a row (rows.c),
void xlaVulkanChooseLanes(XlaVulkanGroup *g);
/// `value` combined over the threads of the row, in all of them.
MlirValue xlaVulkanAcross(XlaVulkanGroup *g, const XlaSchedReducer *reducer,
                          MlirValue value);

/// and which points a thread takes (unroll.c).
void xlaVulkanChooseUnroll(XlaVulkanGroup *g);
/// How many elements of their last dimension the loops of a cluster's
/// statements take at a time.
int xlaVulkanInnerWidth(const XlaVulkanGroup *g,
                        const XlaSchedCluster *cluster);
/// The same, but what was chosen for all where rows are dealt out.
int xlaVulkanClusterWidth(const XlaVulkanGroup *g,
                          const XlaSchedCluster *cluster);

/// Tells on stderr what was chosen for the dispatch, and why.
void xlaVulkanReport(const XlaVulkanGroup *g);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_VULKAN_SCHEDULE_GROUP_H
