//===- map.h - Indexing maps --------------------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which elements of one array belong to an element of another (specification
// 001). A map
//
//   (d0, d1)[s0]{rt0} -> (d0 + rt0, s0), domain: d0 in [0, 19],
//     d1 in [0, 9], s0 in [0, 9], rt0 in [0, 7], d0 + s0 in [0, 20]
//
// takes the index (d0, d1) of an element to all indices that its results have
// for the values of its range variables s; runtime variables rt have one value
// each that is known when the program runs. It is defined where every variable
// is within its bounds and every constraint holds.
//
// Expressions are MLIR's; in them the symbols are the range variables, followed
// by the runtime variables. Maps do not change once they are made, and are
// shared: xlaIndexingMapRetain, xlaIndexingMapRelease.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_INDEXING_MAP_H
#define XLAC_DIALECT_INDEXING_MAP_H

#include "xlac/dialect/indexing/interval.h"

#include "mlir-c/AffineMap.h"
#include "mlir-c/IR.h"
#include "mlir-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct XlaIndexingMap XlaIndexingMap;

#define XLA_MAX_VARIABLE_NAME 40

/// `expr` lies in `bounds`.
typedef struct XlaIndexingConstraint {
  MlirAffineExpr expr;
  XlaInterval bounds;
} XlaIndexingConstraint;

/// What is taken of the results of a runtime variable's map, of which there are
/// two or more.
typedef enum XlaExtremum {
  XlaExtremumNone,
  XlaExtremumMin,
  XlaExtremumMax,
  XlaExtremumMaxOfMin, ///< max(first, min(others))
  XlaExtremumMinOfMax,
} XlaExtremum;

/// A value that the program computes: element map(d)[s] of `value`, where d are
/// the dimensions of the indexing map and s its range variables. Or a min or
/// max in the map's expressions, which MLIR's do not have: it is known where
/// map(d)[s] is. Where that depends on other runtime variables, as it may after
/// a composition, it becomes one that is not known.
typedef struct XlaRuntimeVariable {
  XlaInterval bounds;
  MlirValue value;   ///< an array of integers; null if it is not known
  MlirAffineMap map; ///< null if it is not known
  XlaExtremum extremum;
} XlaRuntimeVariable;

/// What a map consists of. Arrays are borrowed. Dimensions, range variables and
/// runtime variables are called d0.., s0.., rt0.. unless they have names, as
/// th_x; these stay what they are while others are left out or join them.
typedef struct XlaIndexingMapParts {
  MlirAffineMap map; ///< of nDims dimensions and nRanges + nRuntimes symbols
  intptr_t nDims, nRanges, nRuntimes, nConstraints;
  const XlaInterval *dims, *ranges;
  const XlaRuntimeVariable *runtimes;
  const XlaIndexingConstraint *constraints;
  const MlirIdentifier *names; ///< of all variables, null for those without;
                               ///< NULL: none has one
} XlaIndexingMapParts;

//===----------------------------------------------------------------------===//
// Making and asking
//===----------------------------------------------------------------------===//

/// A map of these parts, unchanged, but that a name that is there already goes.
/// NULL if there is no memory, or the numbers of variables do not fit `map`.
XlaIndexingMap *xlaIndexingMapCreate(const XlaIndexingMapParts *parts);
XlaIndexingMap *xlaIndexingMapRetain(const XlaIndexingMap *map);
/// NULL is allowed.
void xlaIndexingMapRelease(const XlaIndexingMap *map);

/// The parts; arrays live as long as the map.
const XlaIndexingMapParts *xlaIndexingMapGetParts(const XlaIndexingMap *map);
/// Copies the bounds of dimensions, range and runtime variables.
void xlaIndexingMapCopyBounds(const XlaIndexingMapParts *parts,
                              XlaInterval *bounds);
/// Whether a bound or a constraint is seen to exclude everything. After
/// simplification all that the rules can see is seen.
bool xlaIndexingMapIsKnownEmpty(const XlaIndexingMap *map);
/// Whether expressions have min and max.
bool xlaIndexingMapHasExtrema(const XlaIndexingMap *map);
/// Equal parts, whatever the names; constraints in any order.
bool xlaIndexingMapEqual(const XlaIndexingMap *a, const XlaIndexingMap *b);

//===----------------------------------------------------------------------===//
// Using
//===----------------------------------------------------------------------===//

/// Gives the symbols that are min or max their values; false where arithmetic
/// overflows or divides by 0.
bool xlaIndexingMapFindExtrema(const XlaIndexingMap *map, const int64_t *dims,
                               int64_t *symbols);
/// Whether the map is defined where the variables have these values (symbols:
/// range, then runtime variables): not where a min or max has another one.
bool xlaIndexingMapIsDefinedAt(const XlaIndexingMap *map, const int64_t *dims,
                               const int64_t *symbols);
/// The results there, which need not be in the domain. False where arithmetic
/// overflows or divides by 0.
bool xlaIndexingMapEvaluate(const XlaIndexingMap *map, const int64_t *dims,
                            const int64_t *symbols, int64_t *results);

/// The map that applies `first`, then `second`: its variables are those of
/// `first`, then the range variables and the runtime variables of `second`;
/// bounds of second's dimensions become constraints. NULL if first does not
/// have a result for each dimension of second, or there is no memory.
XlaIndexingMap *xlaIndexingMapCompose(const XlaIndexingMap *first,
                                      const XlaIndexingMap *second);

/// The map from results back to dimensions, where each dimension follows from
/// the results: linear results with factors that fit into each other, of
/// variables and of parts of them (x floordiv c, x mod c). NULL where no such
/// map is found (or no memory).
XlaIndexingMap *xlaIndexingMapInvert(const XlaIndexingMap *map);
/// All dimensions that have a result among their own: the same, but what the
/// results leave open is a range variable. (d0)[s0] -> (s0, d0), a reduction,
/// gives (d0, d1) -> (d1), a broadcast (d0, d1) -> (d1) gives (d0)[s0] ->
/// (s0, d0). NULL where no such map is found (or no memory).
XlaIndexingMap *xlaIndexingMapTranspose(const XlaIndexingMap *map);

/// What becomes of variables that have one value.
typedef enum XlaIndexingPoints {
  XlaIndexingPointsReplace, ///< expressions have the value
  XlaIndexingPointsKeep,    ///< expressions have the variable
} XlaIndexingPoints;

/// An equal map in canonical form: expressions simplified with the bounds,
/// constraints turned into bounds, merged, or dropped where they always hold.
/// Simplifying it again changes nothing. NULL if there is no memory.
XlaIndexingMap *xlaIndexingMapSimplify(const XlaIndexingMap *map,
                                       XlaIndexingPoints points);
/// Without range and runtime variables (`dims`: and dimensions) that neither a
/// result nor a constraint with a used variable reads. NULL if no memory.
XlaIndexingMap *xlaIndexingMapRemoveUnused(const XlaIndexingMap *map,
                                           bool dims);
/// Both, but for the dimensions: takes over the reference to `map`, which may
/// be NULL. NULL if there is no memory.
XlaIndexingMap *xlaIndexingMapFinish(XlaIndexingMap *map,
                                     XlaIndexingPoints points);

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// How maps are written.
typedef enum XlaIndexingFormat {
  XlaIndexingFormatLine, ///< in one line, as above
  /// As specification 001 prints them: a line a variable after `domain:`,
  /// runtime variables among the symbols, each with its value and map.
  XlaIndexingFormatSpec,
} XlaIndexingFormat;

/// Sends the text to `callback`. A known empty map is `KNOWN EMPTY`.
void xlaIndexingMapPrint(const XlaIndexingMap *map, XlaIndexingFormat format,
                         MlirStringCallback callback, void *userData);

/// Reads either format, with any names of variables, which the map keeps if
/// they have at most XLA_MAX_VARIABLE_NAME characters. Returns NULL and, in
/// `message`, what is wrong and at which character. `KNOWN EMPTY` gives a map
/// without variables and results. The values of runtime variables are not read.
XlaIndexingMap *xlaIndexingMapParse(MlirContext context, MlirStringRef text,
                                    char message[256]);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_INDEXING_MAP_H
