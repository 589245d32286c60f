//===- tile_case.h - One case of a symbolic tile ------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to dialect/indexing: the parts of symbolic_tile.c. Variables,
// dimensions and then range variables, are cut into digits, d0 = 8 * (d0
// floordiv 8) + d0 mod 8, of which results are sums. A mode of a variable says
// in which of its digits its tile ends: those below are whole, those above have
// one value. A choice of modes for all variables is a row.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_INDEXING_TILE_CASE_H
#define XLAC_DIALECT_INDEXING_TILE_CASE_H

#include "xlac/dialect/indexing/digits.h"
#include "xlac/dialect/indexing/symbolic_tile.h"

/// The mode of a tile of one element; others are numbers of digits.
#define XLA_TILE_ONE (-1)

typedef struct XlaTileSearch {
  XlaSymbolicTile *tile;
  const XlaIndexingMapParts *parts;
  XlaInverter *v;      ///< results, then constraints
  XlaRules rules;      ///< of the tile's expressions
  XlaInterval *bounds; ///< of positions, sizes, runtime variables
  MlirAffineExpr *runtimes;
  int *first;    ///< the first digit of each variable; at the end their number
  bool *pinned;  ///< variables that a runtime variable's place moves with
  bool *blocked; ///< variables
  bool *isMoved; ///< digits that a result moves with
  signed char *rows; ///< modes of all variables, row by row
  int nRows;
  signed char emitted[XLA_MAX_TILE_CASES]; ///< rows of cases
  bool isPlain[XLA_MAX_TILE_CASES];        ///< the modes are all its conditions
  char *message;
} XlaTileSearch;

/// Keeps the first reason why there is no tile. Returns false.
bool xlaTileRefuse(XlaTileSearch *s, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/// How many values these are; INT64_MAX if that does not fit.
int64_t xlaTileExtent(XlaInterval bounds);
/// Whether tiles may end in digit `mode` of `variable`, by its bounds.
bool xlaTileHasMode(const XlaTileSearch *s, intptr_t variable, int mode);

/// Adds the conditions that modes have. False without memory.
bool xlaTileRequireModes(XlaTileSearch *s, const signed char *modes,
                         XlaTileCase *draft);
/// Fills in result `r`, or, beyond them, asks whether a constraint has one
/// value for a tile. `*isPlain` becomes false if that adds conditions. False if
/// it is not so in these modes: then, and with conditions, `blocked` has the
/// variables of which one with one element may help.
bool xlaTileFillResult(XlaTileSearch *s, const signed char *modes, intptr_t r,
                       XlaTileCase *draft, bool *isPlain);

#endif // XLAC_DIALECT_INDEXING_TILE_CASE_H
