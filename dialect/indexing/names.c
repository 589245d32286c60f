//===- names.c - Names of variables ---------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/indexing/names.h"

#include "mlir-c/AffineExpr.h"

#include <stdio.h>
#include <string.h>

/// Maps of more variables have no names.
enum { maxNamed = 512 };

/// d0, s0, rt0 .. of variable `v`, or a later one of its kind.
static XlaVariableName numbered(const XlaIndexingMapParts *parts, intptr_t v,
                                intptr_t later) {
  XlaVariableName name;
  bool isDim = v < parts->nDims, isRange = v < parts->nDims + parts->nRanges;
  intptr_t first = isDim     ? 0
                   : isRange ? parts->nDims
                             : parts->nDims + parts->nRanges;
  snprintf(name.text, sizeof name.text, "%s%lld",
           isDim     ? "d"
           : isRange ? "s"
                     : "rt",
           (long long)(v - first + later));
  return name;
}

XlaVariableName xlaVariableGetName(const XlaIndexingMapParts *parts,
                                   intptr_t v) {
  if (!parts->names || !parts->names[v].ptr)
    return numbered(parts, v, 0);
  XlaVariableName name = {{0}};
  MlirStringRef text = mlirIdentifierStr(parts->names[v]);
  if (text.length < sizeof name.text)
    memcpy(name.text, text.data, text.length);
  return name;
}

static bool isAmong(MlirIdentifier name, const MlirIdentifier *names,
                    intptr_t n) {
  bool is = false;
  for (intptr_t i = 0; i < n; ++i)
    is |= names[i].ptr == name.ptr;
  return is;
}

/// A name for variable `v`, which has none, if another one has what it would be
/// called.
static MlirIdentifier avoid(const XlaIndexingMapParts *parts, intptr_t v,
                            const MlirIdentifier *names, intptr_t n) {
  MlirIdentifier name = {NULL};
  for (intptr_t later = 0;; ++later) {
    XlaVariableName text = numbered(parts, v, later);
    name = mlirIdentifierGet(mlirAffineMapGetContext(parts->map),
                             mlirStringRefCreateFromCString(text.text));
    if (!isAmong(name, names, n))
      return later ? name : (MlirIdentifier){NULL};
  }
}

bool xlaNamesMakeUnique(const XlaIndexingMapParts *parts,
                        MlirIdentifier *names) {
  intptr_t n = parts->nDims + parts->nRanges + parts->nRuntimes;
  bool isAny = false;
  for (intptr_t i = 0; i < n && n <= maxNamed; ++i) {
    names[i] = isAmong(parts->names[i], names, i) ? (MlirIdentifier){NULL}
                                                  : parts->names[i];
    isAny |= names[i].ptr != NULL;
  }
  for (intptr_t i = 0; i < n && isAny; ++i)
    if (!names[i].ptr)
      names[i] = avoid(parts, i, names, n);
  return isAny;
}

void xlaNameMove(const XlaIndexingMapParts *from, intptr_t v,
                 MlirAffineExpr expr, intptr_t nDims, MlirIdentifier *names) {
  if (!from->names || !expr.ptr)
    return;
  if (mlirAffineExprIsADim(expr))
    names[mlirAffineDimExprGetPosition(expr)] = from->names[v];
  else if (mlirAffineExprIsASymbol(expr))
    names[nDims + mlirAffineSymbolExprGetPosition(expr)] = from->names[v];
}
