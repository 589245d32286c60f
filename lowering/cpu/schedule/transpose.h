//===- transpose.h - Tiles that are moved across lanes ------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to the schedule: transpose.c and transpose_inner.c say which tiles
// there are, transpose_block.c moves one.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_CPU_SCHEDULE_TRANSPOSE_H
#define XLAC_LOWERING_CPU_SCHEDULE_TRANSPOSE_H

#include "xlac/lowering/cpu/schedule/nest.h"

/// One side of a move: element (u, v) lies at index + u * du + v * dv.
typedef struct XlaSchedSide {
  MlirValue memory;
  MlirAffineExpr index;
  int64_t du, dv;
} XlaSchedSide;

/// The same from element (u, v) on.
XlaSchedSide xlaSchedSideMoved(XlaSchedSide side, MlirAffineExpr u,
                               MlirAffineExpr v);

/// Moves nu x nv elements, at most sizeU x sizeV, block by block through
/// registers; from.du and to.dv are 1 or -1.
void xlaSchedMoveTile(XlaSchedEmit *e, XlaIr *ir, XlaSchedSide from,
                      XlaSchedSide to, XlaAffineBound nu, XlaAffineBound nv,
                      int64_t sizeU, int64_t sizeV);

/// Whether a statement of the group writes to `root`.
bool xlaSchedIsOutput(const XlaSchedEmit *e, MlirValue root);

#endif // XLAC_LOWERING_CPU_SCHEDULE_TRANSPOSE_H
