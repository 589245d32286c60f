//===- uses.h - What a map tells of reads, printed ----------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_TOOLS_XLA_INDEXING_USES_H
#define XLAC_TOOLS_XLA_INDEXING_USES_H

#include "xlac/dialect/indexing/map.h"
#include "xlac/tools/common/exit.h"

/// What is asked for, by the options of these names.
typedef struct XlaIndexingUses {
  bool coalescing, utilization;
  const char *tile;  ///< NULL: not; "": of any size
  const char *shape; ///< "" if it is not given
  int nMaps;         ///< that the map is composed of; 0: it is not
} XlaIndexingUses;

bool xlaIndexingUsesAny(const XlaIndexingUses *uses);
/// Prints a line for each.
XlaToolCode xlaIndexingUsesPrint(const XlaIndexingUses *uses,
                                 const XlaIndexingMap *map);

/// Prints what map `number`, composed of all up to it (0: of none), takes for
/// tiles, or why there are none: `text` as in XlaIndexingUses, and only the
/// latter if `isQuiet`.
XlaToolCode xlaIndexingTilePrint(const XlaIndexingMap *map, const char *text,
                                 int number, bool isQuiet);

#endif // XLAC_TOOLS_XLA_INDEXING_USES_H
