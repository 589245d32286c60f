//===- fixture.c - For tests of indexing maps -----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/test/dialect/indexing/fixture.h"

#include "mlir-c/AffineExpr.h"
#include "mlir-c/IR.h"
#include "xlac/test/support/unit.h"

#include <string.h>

static MlirContext context;

int contextSetUp(void **state) {
  context = mlirContextCreate();
  *state = &context;
  return 0;
}

int contextTearDown(void **state) {
  mlirContextDestroy(context);
  return 0;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static void append(MlirStringRef part, void *data) {
  Text *text = data;
  if (text->n + part.length < sizeof text->chars) {
    memcpy(text->chars + text->n, part.data, part.length);
    text->n += part.length;
    text->chars[text->n] = 0;
  }
}

const char *mapText(const XlaIndexingMap *map, XlaIndexingFormat format,
                    Text *text) {
  text->n = 0;
  text->chars[0] = 0;
  xlaIndexingMapPrint(map, format, append, text);
  return text->chars;
}

XlaIndexingMap *mapParse(MlirContext c, const char *text) {
  char message[256];
  XlaIndexingMap *map =
      xlaIndexingMapParse(c, mlirStringRefCreateFromCString(text), message);
  if (!map)
    fail_msg("%s\n%s", text, message);
  return map;
}

//===----------------------------------------------------------------------===//
// Random maps
//===----------------------------------------------------------------------===//

uint64_t next(Random *r) {
  r->state ^= r->state << 13;
  r->state ^= r->state >> 7;
  r->state ^= r->state << 17;
  return r->state;
}

int64_t between(Random *r, int64_t least, int64_t most) {
  return least + (int64_t)(next(r) % (uint64_t)(most - least + 1));
}

static MlirAffineExpr number(Random *r, int64_t value) {
  return mlirAffineConstantExprGet(r->context, value);
}

/// Small numbers, often such that one divides another.
static int64_t divisor(Random *r) {
  static const int64_t often[] = {2, 2, 3, 4, 4, 5, 6, 8, 12, 16, 24, 7, 1, 20};
  return often[next(r) % (sizeof often / sizeof *often)];
}

static MlirAffineExpr randomExpr(Random *r, intptr_t nDims, intptr_t nSymbols,
                                 int depth) {
  if (depth == 0 || next(r) % 6 == 0) {
    intptr_t n = nDims + nSymbols;
    intptr_t i = (intptr_t)(next(r) % (uint64_t)(n + 1));
    if (i == n)
      return number(r, between(r, -9, 9));
    return i < nDims ? mlirAffineDimExprGet(r->context, i)
                     : mlirAffineSymbolExprGet(r->context, i - nDims);
  }
  MlirAffineExpr lhs = randomExpr(r, nDims, nSymbols, depth - 1);
  switch (next(r) % 8) {
  case 0:
  case 1:
  case 2:
    return mlirAffineAddExprGet(lhs, randomExpr(r, nDims, nSymbols, depth - 1));
  case 3:
    return mlirAffineMulExprGet(
        lhs, number(r, next(r) % 4 ? divisor(r) : -divisor(r)));
  case 4:
  case 5:
    return mlirAffineFloorDivExprGet(lhs, number(r, divisor(r)));
  case 6:
    return next(r) % 8 ? mlirAffineModExprGet(lhs, number(r, divisor(r)))
                       : mlirAffineCeilDivExprGet(lhs, number(r, divisor(r)));
  default: { // what linearizing and splitting again gives
    int64_t c = divisor(r);
    MlirAffineExpr q = mlirAffineFloorDivExprGet(lhs, number(r, c));
    MlirAffineExpr m = mlirAffineModExprGet(lhs, number(r, c));
    int64_t k = divisor(r);
    return mlirAffineAddExprGet(
        mlirAffineMulExprGet(q, number(r, next(r) % 4 ? c * k : k)),
        mlirAffineMulExprGet(m, number(r, k)));
  }
  }
}

static XlaInterval randomBounds(Random *r) {
  int64_t lower = next(r) % 3 ? 0 : between(r, -7, 7);
  int64_t size = next(r) % 8 ? divisor(r) : 1;
  return (XlaInterval){lower, lower + size - 1};
}

XlaIndexingMap *randomMap(Random *r, intptr_t nDims, intptr_t nResults) {
  XlaInterval bounds[maxVariables];
  XlaIndexingConstraint constraints[3];
  MlirAffineExpr results[maxResults];
  intptr_t nSymbols = (intptr_t)(next(r) % 2);
  XlaIndexingMapParts parts = {.nDims = nDims,
                               .dims = bounds,
                               .nRanges = nSymbols,
                               .ranges = bounds + nDims,
                               .constraints = constraints};
  for (intptr_t i = 0; i < nDims + nSymbols; ++i)
    bounds[i] = randomBounds(r);
  for (intptr_t i = 0; i < nResults; ++i)
    results[i] = randomExpr(r, nDims, nSymbols, (int)between(r, 1, 5));
  parts.map = mlirAffineMapGet(r->context, nDims, nSymbols, nResults, results);
  parts.nConstraints = (intptr_t)(next(r) % 4);
  for (intptr_t i = 0; i < parts.nConstraints; ++i) {
    int64_t lower = next(r) % 3 ? 0 : between(r, -5, 5);
    int64_t size = next(r) % 3 ? between(r, 1, 20) : 1;
    constraints[i] = (XlaIndexingConstraint){
        randomExpr(r, nDims, nSymbols, (int)between(r, 1, 3)),
        {lower, lower + size - 1}};
  }
  return xlaIndexingMapCreate(&parts);
}

//===----------------------------------------------------------------------===//
// Points
//===----------------------------------------------------------------------===//

bool pointAdvance(const XlaIndexingMapParts *parts, int64_t *point) {
  for (intptr_t i = parts->nDims + parts->nRanges - 1; i >= 0; --i) {
    XlaInterval bounds =
        i < parts->nDims ? parts->dims[i] : parts->ranges[i - parts->nDims];
    if (++point[i] <= bounds.upper + 1)
      return true;
    point[i] = bounds.lower - 1;
  }
  return false;
}

void pointStart(const XlaIndexingMapParts *parts, int64_t *point) {
  for (intptr_t i = 0; i < parts->nDims; ++i)
    point[i] = parts->dims[i].lower - 1;
  for (intptr_t i = 0; i < parts->nRanges; ++i)
    point[parts->nDims + i] = parts->ranges[i].lower - 1;
}
