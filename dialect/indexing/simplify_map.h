//===- simplify_map.h - Indexing maps that are simplified ---------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to dialect/indexing.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_INDEXING_SIMPLIFY_MAP_H
#define XLAC_DIALECT_INDEXING_SIMPLIFY_MAP_H

#include "xlac/dialect/indexing/linear.h"
#include "xlac/dialect/indexing/map.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The parts of a map, which change.
typedef struct XlaSimplifier {
  XlaRules rules;
  XlaIndexingMapParts parts;
  XlaInterval *bounds; ///< of dimensions, range and runtime variables
  MlirAffineExpr *results;
  XlaIndexingConstraint *constraints;
  bool isEmpty, changed, keepPoints;
  bool boundsVariables; ///< by constraints that have others, too
} XlaSimplifier;

/// Starts rules with bounds and constraints as they are, but for constraint
/// `except`, or -1.
XlaRules *xlaSimplifierBegin(XlaSimplifier *s, intptr_t except);

/// Simplifies each constraint with what the others say, and joins what belongs
/// together. What is left is in canonical order.
void xlaSimplifyConstraints(XlaSimplifier *s);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_INDEXING_SIMPLIFY_MAP_H
