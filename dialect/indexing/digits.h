//===- digits.h - Variables in digits --------------------------- -*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to dialect/indexing. Variables are split into digits where a map
// divides them: d into d floordiv 8 and d mod 8. Its results are then sums of
// multiples of digits.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_INDEXING_DIGITS_H
#define XLAC_DIALECT_INDEXING_DIGITS_H

#include "xlac/dialect/indexing/linear.h"
#include "xlac/dialect/indexing/map.h"

#ifdef __cplusplus
extern "C" {
#endif

#define XLA_MAX_DIGITS 256

/// weight * digit is a part of variable `variable`.
typedef struct XlaDigit {
  intptr_t variable;
  int64_t weight;
  XlaInterval bounds;
  MlirAffineExpr value; ///< by results and range variables of the inverse; null
                        ///< until it is known
} XlaDigit;

/// The map, with range variables as further dimensions: the variables. Runtime
/// variables are its symbols, and known.
typedef struct XlaInverter {
  XlaRules rules;
  const XlaIndexingMapParts *from;
  intptr_t nVariables, nResults, nRuntimes;
  XlaInterval *bounds; ///< of the variables, then of the runtime variables
  int64_t *offsets;    ///< what is added to variables before they are divided
  XlaLinear *sums;     ///< the results
  int nDigits;
  XlaDigit digits[XLA_MAX_DIGITS];
  intptr_t nFree; ///< range variables of the inverse
  XlaInterval free[XLA_MAX_DIGITS];
} XlaInverter;

/// factor * digit in a result.
typedef struct XlaShare {
  int digit;
  int64_t factor;
} XlaShare;

/// Takes the offset of each variable from the first result that divides it.
void xlaInverterFindOffsets(XlaInverter *v);
/// Fills in `digits`. False if a variable is divided by numbers that do not
/// divide one another, or by too many.
bool xlaInverterFindDigits(XlaInverter *v);
/// Takes bounds of single digits from constraints.
void xlaInverterBoundDigits(XlaInverter *v,
                            const XlaIndexingConstraint *constraints,
                            intptr_t n);
/// Result `r` as a sum of shares, each of another digit, and `*known`. Returns
/// how many; -1 if it is something else.
int xlaInverterFindShares(const XlaInverter *v, intptr_t r, XlaShare *shares,
                          MlirAffineExpr *known);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_INDEXING_DIGITS_H
