//===- nest.h - Threads, rows and tiles of a group ----------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Internal to lowering/cpu.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_CPU_SCHEDULE_NEST_H
#define XLAC_LOWERING_CPU_SCHEDULE_NEST_H

#include "xlac/lowering/cpu/schedule/emit.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Writes the loop nest of `group` before its last op; its ops are left for the
/// caller to erase. `atTop`: not inside another loop, so threads may be used.
MlirLogicalResult xlaSchedGroupEmit(XlaSchedGroup *group,
                                    const XlaCpuScheduleOptions *options,
                                    bool atTop);

/// Iterations of a dimension.
typedef struct XlaSchedRange {
  XlaAffineBound lower, upper;
} XlaSchedRange;

/// Full vectors of lanes, and the condition (at least 0; null: always) under
/// which those left over follow.
typedef struct XlaSchedLanesOf {
  XlaSchedRange range;
  MlirAffineExpr isLast;
} XlaSchedLanesOf;

/// The statements at one row. Column mode: those lanes, NULL: all.
void xlaSchedPoint(XlaSchedEmit *e, const XlaSchedLanesOf *lanes);
/// The same of the clusters from e->fromCluster to e->toCluster, in column
/// mode: tiles of lanes, and those left over.
void xlaSchedTilesEmit(XlaSchedEmit *e, const XlaSchedLanesOf *lanes);
/// The same of all clusters; that of long columns block by block of what it
/// sums (columns.c).
void xlaSchedColumnsEmit(XlaSchedEmit *e, const XlaSchedLanesOf *lanes);
/// The cluster that sums long columns of a wide array, or -1.
int xlaSchedColumnCluster(const XlaSchedEmit *e);
/// Sets the indices of the row dimensions from the number of a row.
void xlaSchedRowIndices(XlaSchedEmit *e, MlirAffineExpr row, int nRows);
/// All of a dimension.
XlaSchedRange xlaSchedWhole(const XlaSchedEmit *e, int64_t n);
/// Chunk `t`, below `chunks`, of `n`: [t * size, min((t + 1) * size, n)).
XlaSchedRange xlaSchedChunk(const XlaSchedEmit *e, MlirAffineExpr t,
                            int64_t chunks, int64_t size, int64_t n);
/// A memref.alloca on a cache line.
MlirValue xlaSchedAlloca(XlaIr *ir, MlirType element, int64_t size);
/// The memory of the group's scratches.
void xlaSchedMakeScratch(XlaSchedEmit *e, XlaIr *ir);

/// Chooses the group's schedule and orders its dimensions for it. Failure: out
/// of memory.
MlirLogicalResult xlaSchedChoose(XlaSchedEmit *e, bool atTop);
/// Tells on stderr what was chosen, and why.
void xlaSchedReport(const XlaSchedEmit *e);
/// Which intermediates live in the nest, and whether there is memory for those
/// that columns need (intermediates.c).
MlirLogicalResult xlaSchedFindScratches(XlaSchedEmit *e);
/// The function that the group is in.
MlirOperation xlaSchedFunction(const XlaSchedEmit *e);
int64_t xlaSchedElementBytes(MlirType type);

/// The shared dimension along which inputs lie contiguous that the lanes cross,
/// or -1. Only for groups without inner loops.
int xlaSchedTransposedDim(const XlaSchedEmit *e);
/// Chooses tiles of such a group, and what the threads take. Failure: out of
/// memory.
MlirLogicalResult xlaSchedChooseTiles(XlaSchedEmit *e);
/// The nest of such a group; that dimension is the last but one. Scratch goes
/// to `entry` when serial.
MlirLogicalResult xlaSchedTransposeEmit(XlaSchedEmit *e, XlaIr entry);

/// Finds inputs of a column-mode group, and what its scans write, that lie
/// contiguous along a statement's last inner dimension: they are transposed
/// tile by tile as well.
MlirLogicalResult xlaSchedInnerTilesFind(XlaSchedEmit *e);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_CPU_SCHEDULE_NEST_H
