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

#include "xlac/lowering/affine/coalescing.h"
#include "xlac/lowering/affine/nest.h"
#include "xlac/lowering/vulkan/schedule/emit.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What a dispatch is; nothing changes it once it is chosen.
typedef struct XlaVulkanGroupSchedule {
  /// Threads of a row, 1 where each thread takes rows of its own. Otherwise the
  /// last dimension inside is dealt out to them, `width` elements at a time.
  int64_t lanes;
  int width;
  bool isWorkgroup;      ///< a row's threads are a workgroup, else a subgroup
  XlaSchedUnroll unroll; ///< of shared dimensions
  const char *lanesReason, *unrollReason; ///< for people
  int64_t tileBytes; ///< of what a workgroup keeps of its tile, or 0 (tiles.c)
  /// Blocks of shared dimensions, and points that a single one leaves.
  int64_t blocks, rest;
  uint32_t groups[3], size[3]; ///< workgroups, and threads of one; 0: too many
  double nanoseconds;          ///< estimated, of the device, without the launch
} XlaVulkanGroupSchedule;

typedef struct XlaVulkanGroup {
  XlaSchedNest n; ///< first: the device's functions get it
  XlaVulkanEmit e;
  XlaVulkanGroupSchedule schedule;
} XlaVulkanGroup;

/// What shaders of groups do in their own way.
extern const XlaSchedDevice xlaVulkanGroupDevice;

/// Writes the shader of a group whose schedule is chosen, and its dispatch.
/// `write` goes on at `e.ir` and sets failures in `n` or `e`.
MlirLogicalResult xlaVulkanGroupWrite(XlaVulkanGroup *g, MlirLocation location,
                                      void (*write)(XlaVulkanGroup *g));

/// The shared dimensions of block number `id`, at the shader's top level.
void xlaVulkanSetShared(XlaVulkanGroup *g, MlirValue id);

/// Does the access cover its unrolled dimension by vectors? The number of that
/// in `unroll->dims`, or -1.
int xlaVulkanVectorUnroll(const XlaVulkanGroup *g,
                          const XlaSchedStatement *statement,
                          const XlaSchedAccess *access,
                          const XlaSchedUnroll *unroll);

/// What shaders do in their own way (XlaSchedDevice): elements at all points
/// (points.c),
void xlaVulkanLoadPoints(XlaSchedNest *n, const XlaSchedStatement *statement,
                         const XlaSchedAccess *access, XlaSchedPack *pack);
void xlaVulkanStorePoints(XlaSchedNest *n, const XlaSchedStatement *statement,
                          const XlaSchedAccess *access,
                          const XlaSchedPack *pack);
bool xlaVulkanIsRegister(const XlaSchedNest *n, const XlaSchedCluster *cluster,
                         const XlaSchedAccess *access);
/// and what the threads of a row have, in all of them (rows.c).
MlirValue xlaVulkanAcross(XlaSchedNest *n, const XlaSchedReducer *reducer,
                          MlirValue value);

/// What the threads of a subgroup touch at once (coalescing.c), where they take
/// a row together, `width` elements each,
XlaSchedCoalescing xlaVulkanCoalesceRow(const XlaVulkanGroup *g,
                                        const XlaSchedStatement *statement,
                                        const XlaSchedAccess *access,
                                        int width);
/// and where each takes points of its own, and access covers what it does of
/// `unroll` by vectors.
XlaSchedCoalescing xlaVulkanCoalesceOwn(const XlaVulkanGroup *g,
                                        const XlaSchedStatement *statement,
                                        const XlaSchedAccess *access,
                                        const XlaSchedUnroll *unroll);

/// Chooses the schedule (choose.c). The clusters are there already.
void xlaVulkanChoose(XlaVulkanGroup *g);
/// What a dispatch takes, about.
double xlaVulkanNanoseconds(const XlaVulkanGroup *g);
/// Parts of that: whether several threads take a row (rows.c),
void xlaVulkanChooseLanes(XlaVulkanGroup *g);
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
