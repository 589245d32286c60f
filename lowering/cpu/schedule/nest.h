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

/// The stages at one row. Column mode: lanes [lower, upper), all where null,
/// then the lanes left over where `isLast` (null: always).
void xlaSchedPoint(XlaSchedEmit *e, MlirValue lower, MlirValue upper,
                   MlirValue isLast);
/// Sets the indices of the row dimensions from the number of a row.
void xlaSchedRowIndices(XlaSchedEmit *e, MlirValue row, int nRows);
/// scf.parallel over `chunks`; close its body with scf.reduce.
XlaIr xlaSchedParallel(XlaIr *ir, int64_t chunks);
/// Bounds of chunk `t` of `n`: [t * size, min((t + 1) * size, n)).
void xlaSchedChunk(XlaIr *ir, MlirValue t, int64_t size, int64_t n,
                   MlirValue *lower, MlirValue *upper);
/// A memref.alloca on a cache line.
MlirValue xlaSchedAlloca(XlaIr *ir, MlirType element, int64_t size);
/// The memory of the group's scratches.
void xlaSchedMakeScratch(XlaSchedEmit *e, XlaIr *ir);

/// The shared dimension along which inputs lie contiguous that the lanes cross,
/// or -1. Only for groups without inner loops.
int xlaSchedTransposedDim(const XlaSchedEmit *e);
/// The nest of such a group; that dimension is the last but one. Scratch goes
/// to `entry` when serial.
MlirLogicalResult xlaSchedTransposeEmit(XlaSchedEmit *e, int64_t chunks,
                                        XlaIr entry);

/// Finds inputs of a column-mode group that lie contiguous along a stage's last
/// inner dimension: they are transposed tile by tile as well.
MlirLogicalResult xlaSchedInnerTilesFind(XlaSchedEmit *e);

/// Is the buffer a memref.alloc?
bool xlaSchedIsAlloc(MlirValue root);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_CPU_SCHEDULE_NEST_H
