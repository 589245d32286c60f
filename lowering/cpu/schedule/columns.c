//===- columns.c - Sums of long columns -----------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tile by tile, the columns of a wide array would touch a new page with every
// step. They are walked block of rows by block of rows, in which every tile
// takes its part; between the blocks sums wait in memory.
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/cpu/schedule/nest.h"

#include <stdlib.h>

enum { ColumnBlock = 8 };

int xlaSchedColumnCluster(const XlaSchedEmit *e) {
  int found = -1;
  if (e->n.vecShared < 0 || e->nTiles > 0)
    return -1;
  for (int c = 0; c < e->n.clusters.n; ++c) {
    const XlaSchedStatement *statement =
        &e->n.group->statements[e->n.clusters.all[c].statements[0]];
    if (statement->nDims == e->n.group->nShared)
      continue;
    if (found >= 0 || e->n.clusters.all[c].nCarried == 0 ||
        e->n.clusters.all[c].nOuter ||
        statement->nDims != e->n.group->nShared + 1)
      return -1;
    for (int i = 0; i < e->n.clusters.all[c].nCarried; ++i)
      if (e->n.clusters.all[c].reducers[i].widen)
        return -1;
    found = c;
  }
  if (found < 0)
    return -1;
  const XlaSchedStatement *statement =
      &e->n.group->statements[e->n.clusters.all[found].statements[0]];
  bool pages = false;
  for (int i = 0; i < statement->nIns; ++i)
    pages |= llabs(statement->accesses[i].strides[e->n.group->nShared]) *
                 xlaSchedElementBytes(statement->accesses[i].element) >=
             2048;
  return pages && statement->sizes[e->n.group->nShared] >= 4 * ColumnBlock &&
                 statement->sizes[e->n.vecShared] > e->n.lanes
             ? found
             : -1;
}

void xlaSchedColumnsEmit(XlaSchedEmit *e, const XlaSchedLanesOf *lanes) {
  int column = e->schedule.column;
  if (column < 0) {
    xlaSchedTilesEmit(e, lanes);
    return;
  }
  e->n.flushesAll = true; // for the next part
  XlaIr outside = e->n.at[2], levels[2] = {e->n.at[0], e->n.at[1]};
  e->toCluster = column;
  if (column > 0)
    xlaSchedTilesEmit(e, lanes);
  xlaSchedForget(&e->n, 0);
  e->fromCluster = column;
  e->toCluster = column + 1;
  const XlaSchedStatement *statement =
      &e->n.group->statements[e->n.clusters.all[column].statements[0]];
  int64_t size = statement->sizes[e->n.group->nShared];
  MlirAffineExpr block;
  xlaAffineFor(&e->nest, &outside, xlaSchedBound(&e->n, 0),
               xlaSchedBound(&e->n, size), ColumnBlock, 0, NULL, &e->n.at[2],
               &block);
  e->n.innerLower = xlaAffineBound(block);
  e->n.innerUpper = xlaAffineBound(xlaExprShift(block, ColumnBlock));
  if (size % ColumnBlock)
    e->n.innerUpper =
        xlaAffineBoundAnd(e->n.innerUpper, xlaAffineConstant(&e->nest, size));
  e->n.at[0] = e->n.at[1] = e->n.at[2];
  xlaSchedTilesEmit(e, lanes);
  xlaSchedLeave(&e->n, outside);
  e->n.innerLower = e->n.innerUpper = (XlaAffineBound){.n = 0};
  e->n.at[0] = e->n.at[1] = outside;
  xlaSchedForget(&e->n, 0);
  e->fromCluster = column + 1;
  e->toCluster = e->n.clusters.n;
  if (column + 1 < e->n.clusters.n)
    xlaSchedTilesEmit(e, lanes);
  e->fromCluster = 0;
  e->n.flushesAll = false;
  e->n.at[0] = levels[0];
  e->n.at[1] = levels[1];
}
