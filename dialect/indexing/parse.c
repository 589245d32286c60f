//===- parse.c - Indexing maps from text ----------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/indexing/parse.h"
#include "xlac/dialect/indexing/linear.h"
#include "xlac/dialect/indexing/names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

/// name, .. up to `close`.
static bool parseNames(XlaMapParser *p, const char *close, bool isDim,
                       bool isRuntime) {
  if (xlaMapParserTake(p, close))
    return true;
  do {
    XlaMapName name = {.isDim = isDim, .isRuntime = isRuntime};
    if (!xlaMapParserWord(p, &name.text, &name.length))
      return false;
    if (xlaMapParserFindName(p, name.text, name.length))
      return xlaMapParserFail(p, "two variables have this name");
    if (p->nNames == xlaMapMaxVariables)
      return xlaMapParserFail(p, "more than %d variables", xlaMapMaxVariables);
    name.expr = isDim ? mlirAffineDimExprGet(p->context, p->nDims++)
                      : mlirAffineSymbolExprGet(p->context, p->nSymbols++);
    p->names[p->nNames++] = name;
  } while (xlaMapParserTake(p, ","));
  return xlaMapParserExpect(p, close);
}

static bool parseBounds(XlaMapParser *p, XlaInterval *bounds) {
  return xlaMapParserExpect(p, "in") && xlaMapParserExpect(p, "[") &&
         xlaMapParserNumber(p, &bounds->lower) && xlaMapParserExpect(p, ",") &&
         xlaMapParserNumber(p, &bounds->upper) && xlaMapParserExpect(p, "]");
}

static bool addConstraint(XlaMapParser *p, MlirAffineExpr expr,
                          XlaInterval bounds) {
  if (p->nConstraints == xlaMapMaxConstraints)
    return xlaMapParserFail(p, "more than %d constraints",
                            xlaMapMaxConstraints);
  if (p->nConstraints == p->capacity) {
    int capacity = 2 * p->capacity + 8;
    XlaIndexingConstraint *grown =
        realloc(p->constraints, (size_t)capacity * sizeof *grown);
    if (!grown)
      return xlaMapParserFail(p, "out of memory");
    p->constraints = grown;
    p->capacity = capacity;
  }
  p->constraints[p->nConstraints++] = (XlaIndexingConstraint){expr, bounds};
  return true;
}

/// hlo: .. to the end of the line, and the map on the next one, if any.
static bool parsePlace(XlaMapParser *p, XlaMapName *name) {
  MlirAffineExpr results[xlaMapMaxResults];
  int n;
  name->isRuntime = true;
  while (p->at < p->end && *p->at != '\n')
    ++p->at;
  if (!xlaMapParserTake(p, "("))
    return true;
  // The variables are those of the map itself, by their names.
  while (!xlaMapParserTake(p, "->"))
    if (p->at++ >= p->end)
      return xlaMapParserFail(p, "expected '->'");
  if (!xlaMapParserResults(p, results, &n))
    return false;
  name->map = mlirAffineMapGet(p->context, p->nDims, p->nSymbols, n, results);
  return true;
}

/// What follows `domain:`.
static bool parseDomain(XlaMapParser *p) {
  for (;;) {
    MlirAffineExpr expr;
    XlaInterval bounds;
    xlaMapParserSkipSpace(p);
    if (p->at == p->end)
      return true;
    if (!xlaMapParserSum(p, &expr) || !parseBounds(p, &bounds))
      return false;
    XlaMapName *name = NULL;
    for (int i = 0; i < p->nNames; ++i)
      if (p->names[i].expr.ptr == expr.ptr)
        name = &p->names[i];
    if (name && !name->hasBounds) {
      name->bounds = bounds;
      name->hasBounds = true;
    } else if (!addConstraint(p, expr, bounds)) {
      return false;
    }
    if (name && !name->isDim && xlaMapParserTake(p, "hlo:") &&
        !parsePlace(p, name))
      return false;
    xlaMapParserTake(p, ",");
  }
}

//===----------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------===//

/// A min or max has the bounds that follow from those of variables, and those
/// that the text gives it.
static void boundExtrema(XlaMapParser *p) {
  XlaInterval bounds[xlaMapMaxVariables];
  bool isEmpty = false;
  for (int i = 0; i < p->nNames; ++i) {
    bounds[i] = p->names[i].extremum ? xlaIntervalAll() : p->names[i].bounds;
    isEmpty |= xlaIntervalIsEmpty(bounds[i]);
  }
  XlaRules rules = {
      .context = p->context, .dims = bounds, .symbols = bounds + p->nDims};
  for (int i = p->nDims; i < p->nNames; ++i) {
    XlaMapName *name = &p->names[i];
    if (!name->extremum)
      continue;
    XlaInterval range = isEmpty
                            ? xlaIntervalAll()
                            : xlaExtremumRange(&rules, name->extremum,
                                               name->nOperands, name->operands);
    name->bounds =
        name->hasBounds ? xlaIntervalIntersect(name->bounds, range) : range;
    name->hasBounds = true;
    name->map = mlirAffineMapGet(p->context, p->nDims, p->nSymbols,
                                 name->nOperands, name->operands);
  }
  xlaRulesFree(&rules);
}

/// Sorts the variables into `parts` and gives symbols their numbers there: the
/// runtime variables lie behind the range variables.
static void sortVariables(XlaMapParser *p, XlaInterval *dims,
                          XlaInterval *ranges, XlaRuntimeVariable *runtimes,
                          MlirAffineExpr *symbols, XlaIndexingMapParts *parts) {
  intptr_t nRanges = 0;
  for (int i = 0; i < p->nNames; ++i)
    nRanges += !p->names[i].isDim && !p->names[i].isRuntime;
  for (int i = 0; i < p->nNames; ++i) {
    const XlaMapName *name = &p->names[i];
    intptr_t number =
        name->isRuntime ? nRanges + parts->nRuntimes : parts->nRanges;
    if (!name->isDim)
      symbols[i - p->nDims] = mlirAffineSymbolExprGet(p->context, number);
    if (name->isDim)
      dims[parts->nDims++] = name->bounds;
    else if (!name->isRuntime)
      ranges[parts->nRanges++] = name->bounds;
    else
      runtimes[parts->nRuntimes++] = (XlaRuntimeVariable){
          .bounds = name->bounds, .map = name->map, .extremum = name->extremum};
  }
}

/// What the text calls the variables that `parts` has, unless they would be
/// called that without a name.
static void nameVariables(XlaMapParser *p, const MlirAffineExpr *symbols,
                          const XlaIndexingMapParts *parts,
                          MlirIdentifier *names) {
  for (int i = 0; i < p->nNames; ++i) {
    const XlaMapName *name = &p->names[i];
    if (name->extremum)
      continue;
    intptr_t v = name->isDim ? i
                             : parts->nDims + mlirAffineSymbolExprGetPosition(
                                                  symbols[i - p->nDims]);
    char asSymbol[32];
    snprintf(asSymbol, sizeof asSymbol, "s%lld", (long long)(v - parts->nDims));
    XlaVariableName none = xlaVariableGetName(parts, v);
    MlirStringRef text = mlirStringRefCreate(name->text, name->length);
    bool isDefault =
        mlirStringRefEqual(text, mlirStringRefCreateFromCString(none.text)) ||
        (v >= parts->nDims &&
         mlirStringRefEqual(text, mlirStringRefCreateFromCString(asSymbol)));
    if (!isDefault && name->length <= XLA_MAX_VARIABLE_NAME)
      names[v] = mlirIdentifierGet(p->context, text);
  }
}

/// Runtime variables are read at places that range variables may say, other
/// runtime variables not.
static bool checkPlace(XlaMapParser *p, MlirAffineMap place, intptr_t nRanges) {
  bool used[xlaMapMaxVariables] = {false}, isKnown = true;
  for (intptr_t i = 0; i < mlirAffineMapGetNumResults(place); ++i)
    xlaExprMarkUsed(mlirAffineMapGetResult(place, i), NULL, used);
  for (intptr_t i = nRanges; i < p->nSymbols; ++i)
    isKnown &= !used[i];
  return isKnown ||
         xlaMapParserFail(p, "where a runtime variable is read must not depend "
                             "on runtime variables");
}

/// The map of what was read.
static XlaIndexingMap *create(XlaMapParser *p) {
  XlaInterval dims[xlaMapMaxVariables], ranges[xlaMapMaxVariables];
  XlaRuntimeVariable runtimes[xlaMapMaxVariables];
  MlirAffineExpr symbols[xlaMapMaxVariables];
  MlirIdentifier names[xlaMapMaxVariables] = {{NULL}};
  XlaIndexingMapParts parts = {.dims = dims,
                               .ranges = ranges,
                               .runtimes = runtimes,
                               .nConstraints = p->nConstraints,
                               .constraints = p->constraints};
  for (int i = 0; i < p->nNames; ++i)
    if (!p->names[i].hasBounds && !p->names[i].extremum) {
      xlaMapParserFail(p, "the bounds of %.*s are missing",
                       (int)(p->names[i].length < 64 ? p->names[i].length : 64),
                       p->names[i].text);
      return NULL;
    }
  boundExtrema(p);
  sortVariables(p, dims, ranges, runtimes, symbols, &parts);
  parts.map =
      xlaAffineMapReplace(mlirAffineMapGet(p->context, p->nDims, p->nSymbols,
                                           p->nResults, p->results),
                          NULL, symbols, p->nDims, p->nSymbols);
  for (int i = 0; i < p->nConstraints; ++i)
    p->constraints[i].expr =
        xlaExprReplace(p->constraints[i].expr, NULL, symbols);
  for (intptr_t i = 0; i < parts.nRuntimes; ++i) {
    MlirAffineMap *place = &runtimes[i].map;
    if (mlirAffineMapIsNull(*place))
      continue;
    *place = xlaAffineMapReplace(*place, NULL, symbols, p->nDims, p->nSymbols);
    if (!checkPlace(p, *place, parts.nRanges))
      return NULL;
    *place = xlaAffineMapReplace(*place, NULL, NULL, p->nDims, parts.nRanges);
  }
  nameVariables(p, symbols, &parts, names);
  parts.names = names;
  XlaIndexingMap *result = xlaIndexingMapCreate(&parts);
  if (!result)
    xlaMapParserFail(p, "out of memory");
  return result;
}

/// A map without variables and results that is defined nowhere.
static XlaIndexingMap *createEmpty(XlaMapParser *p) {
  XlaIndexingConstraint never = {mlirAffineConstantExprGet(p->context, 0),
                                 {1, 0}};
  XlaIndexingMap *map = xlaIndexingMapCreate(
      &(XlaIndexingMapParts){.map = mlirAffineMapEmptyGet(p->context),
                             .nConstraints = 1,
                             .constraints = &never});
  if (!map)
    xlaMapParserFail(p, "out of memory");
  return map;
}

XlaIndexingMap *xlaIndexingMapParse(MlirContext context, MlirStringRef text,
                                    char message[256]) {
  XlaIndexingMap *map = NULL;
  XlaMapParser *p = calloc(1, sizeof *p);
  message[0] = 0;
  if (!p) {
    snprintf(message, 256, "out of memory");
    return NULL;
  }
  p->context = context;
  p->begin = p->at = text.data;
  p->end = text.data + text.length;
  p->message = message;
  if (xlaMapParserTake(p, "KNOWN EMPTY")) {
    xlaMapParserSkipSpace(p);
    if (p->at == p->end)
      map = createEmpty(p);
    else
      xlaMapParserFail(p, "expected the end");
  } else if (xlaMapParserExpect(p, "(") && parseNames(p, ")", true, false) &&
             (!xlaMapParserTake(p, "[") || parseNames(p, "]", false, false)) &&
             (!xlaMapParserTake(p, "{") || parseNames(p, "}", false, true)) &&
             xlaMapParserExpect(p, "->") &&
             xlaMapParserResults(p, p->results, &p->nResults)) {
    xlaMapParserTake(p, ",");
    xlaMapParserSkipSpace(p);
    if (p->at == p->end || (xlaMapParserExpect(p, "domain:") && parseDomain(p)))
      map = create(p);
  }
  free(p->constraints);
  free(p);
  return map;
}
