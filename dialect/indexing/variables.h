//===- variables.h - Changing variables of indexing maps ----------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables are numbered: dimensions, then range variables, then runtime
// variables. All functions give a new map, simplified, which keeps variables
// that nothing reads; NULL if there is no memory.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_INDEXING_VARIABLES_H
#define XLAC_DIALECT_INDEXING_VARIABLES_H

#include "xlac/dialect/indexing/map.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Range variables that take only every n-th value, by a constraint (s + c) mod
/// n = r, take all values of a smaller range instead: s0 mod 6 in [3, 3] makes
/// s0 * 6 + 3 of s0.
XlaIndexingMap *xlaIndexingMapRescale(const XlaIndexingMap *map);

/// Range variables `ranges`, n of them, each once, become dimensions behind the
/// others, in this order. NULL, too, if a number is none of a range variable,
/// or there twice.
XlaIndexingMap *xlaIndexingMapRangesToDims(const XlaIndexingMap *map,
                                           intptr_t n, const intptr_t *ranges);
/// The same for all range and runtime variables. NULL, too, if the map has min
/// or max, which are no variables.
XlaIndexingMap *xlaIndexingMapSymbolsToDims(const XlaIndexingMap *map);

/// In another order: dimension i is what was dimension dims[i], range variable
/// i what was ranges[i]; both are permutations, NULL leaves the order. NULL,
/// too, if one is none.
XlaIndexingMap *xlaIndexingMapReorder(const XlaIndexingMap *map,
                                      const intptr_t *dims,
                                      const intptr_t *ranges);

/// Without dimension or range variable `variable`, in whose place there is
/// `expr`, of the other variables by their numbers in `map`; where it is not
/// within the variable's bounds the map is not defined. NULL, too, if `expr`
/// reads the variable or others than dimensions and range variables.
XlaIndexingMap *xlaIndexingMapReplaceVariable(const XlaIndexingMap *map,
                                              intptr_t variable,
                                              MlirAffineExpr expr);

/// With `constraints` besides its own.
XlaIndexingMap *
xlaIndexingMapConstrain(const XlaIndexingMap *map, intptr_t n,
                        const XlaIndexingConstraint *constraints);

/// Results `results` alone, n of them, in this order. NULL, too, if a number is
/// none of a result.
XlaIndexingMap *xlaIndexingMapSelectResults(const XlaIndexingMap *map,
                                            intptr_t n,
                                            const intptr_t *results);

/// Where `expr`, of the map's variables, lies where the map is defined and each
/// variable is within `bounds`, one for each, as for a tile; NULL: within the
/// map's. False if there is no memory.
bool xlaIndexingMapGetRange(const XlaIndexingMap *map, MlirAffineExpr expr,
                            const XlaInterval *bounds, XlaInterval *range);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_INDEXING_VARIABLES_H
