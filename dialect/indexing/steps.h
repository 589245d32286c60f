//===- steps.h - Domains with steps -------------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The map of a pad is defined for some of the indices: in each dimension for
// every so many, from one to another.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_INDEXING_STEPS_H
#define XLAC_DIALECT_INDEXING_STEPS_H

#include "xlac/dialect/indexing/map.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The indices of a dimension that are in a domain: lower, lower + step, .., of
/// which there are `count`.
typedef struct XlaIndexingSteps {
  int64_t lower, step, count;
} XlaIndexingSteps;

/// Writes the steps of each dimension. False if the domain is another one, or
/// the map has range or runtime variables.
bool xlaIndexingMapGetSteps(const XlaIndexingMap *map, XlaIndexingSteps *steps);
/// The map from the number of the step in each dimension. NULL if there is no
/// memory.
XlaIndexingMap *xlaIndexingMapOfSteps(const XlaIndexingMap *map,
                                      const XlaIndexingSteps *steps);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_INDEXING_STEPS_H
