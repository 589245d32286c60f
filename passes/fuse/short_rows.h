//===- short_rows.h - Reductions of a few elements ----------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_FUSE_SHORT_ROWS_H
#define XLAC_PASSES_FUSE_SHORT_ROWS_H

#include "xlac/passes/fuse/fuse.h"

/// The last of the reductions that were written as what they do.
typedef struct FuseShortRow FuseShortRow;

/// Writes reductions of rows of at most four elements as slices and what is
/// done with these, in the same order, where the clusters that have them are
/// read by one whose loops could compute that. The graph shows the block as it
/// was, and may only be destroyed then. False if there is no memory; `rows` is
/// valid in any case, and NULL where there are none.
bool xlaFuseShortRowsWrite(const FuseGraph *graph, FuseShortRow **rows);
/// Keeps what was written, or puts the reductions back in its place. Operations
/// of no graph may be known then.
void xlaFuseShortRowsEnd(FuseShortRow *rows, bool isKept);

#endif // XLAC_PASSES_FUSE_SHORT_ROWS_H
