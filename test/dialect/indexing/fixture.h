//===- fixture.h - For tests of indexing maps ---------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_TEST_DIALECT_INDEXING_FIXTURE_H
#define XLAC_TEST_DIALECT_INDEXING_FIXTURE_H

#include "xlac/dialect/indexing/map.h"

enum { maxVariables = 4, maxResults = 3 };

/// A group's set-up and tear-down; `*state` is an MlirContext *.
int contextSetUp(void **state);
int contextTearDown(void **state);

/// The text of a map, which ends in a 0; cut off where there is no room.
typedef struct Text {
  size_t n;
  char chars[4096];
} Text;

const char *mapText(const XlaIndexingMap *map, XlaIndexingFormat format,
                    Text *text);
/// Fails the test where `text` is no map.
XlaIndexingMap *mapParse(MlirContext context, const char *text);

typedef struct Random {
  MlirContext context;
  uint64_t state;
} Random;

uint64_t next(Random *r);
/// From `least` to `most`.
int64_t between(Random *r, int64_t least, int64_t most);
/// A map of small bounds with at most one range variable.
XlaIndexingMap *randomMap(Random *r, intptr_t nDims, intptr_t nResults);

/// The points of a box around the bounds of dimensions and range variables:
/// the first, and the next; false after the last.
void pointStart(const XlaIndexingMapParts *parts, int64_t *point);
bool pointAdvance(const XlaIndexingMapParts *parts, int64_t *point);

#endif // XLAC_TEST_DIALECT_INDEXING_FIXTURE_H
