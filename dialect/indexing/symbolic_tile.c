//===- symbolic_tile.c - Tiles of any size through indexing maps ----------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each row of modes gives a case, or says which variables must be left with one
// element for it to become one; those rows are tried in turn.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/indexing/names.h"
#include "xlac/dialect/indexing/tile_case.h"
#include "xlac/dialect/indexing/variables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static signed char *rowOf(const XlaTileSearch *s, int row) {
  return s->rows + row * s->v->nVariables;
}

//===----------------------------------------------------------------------===//
// The search
//===----------------------------------------------------------------------===//

/// Adds a copy of row `row` with another mode of `variable`, unless it is
/// there. False if there are too many.
static bool addRow(XlaTileSearch *s, int row, intptr_t variable,
                   signed char mode) {
  size_t n = (size_t)s->v->nVariables;
  if (s->nRows == XLA_MAX_TILE_CASES)
    return xlaTileRefuse(s, "there are more than %d cases", XLA_MAX_TILE_CASES);
  signed char *to = rowOf(s, s->nRows);
  memcpy(to, rowOf(s, row), n);
  to[variable] = mode;
  for (int i = 0; i < s->nRows; ++i)
    if (!memcmp(rowOf(s, i), to, n))
      return true;
  ++s->nRows;
  return true;
}

/// All choices of modes without a size of 1 where there is another one.
static bool startRows(XlaTileSearch *s) {
  s->nRows = 1;
  for (intptr_t v = 0; v < s->v->nVariables; ++v) {
    int nDigits = s->first[v + 1] - s->first[v], nBefore = s->nRows;
    signed char first = XLA_TILE_ONE;
    for (int mode = 0; mode < nDigits; ++mode) {
      if (!xlaTileHasMode(s, v, mode))
        continue;
      for (int row = 0; row < nBefore; ++row)
        if (first == XLA_TILE_ONE)
          rowOf(s, row)[v] = (signed char)mode;
        else if (!addRow(s, row, v, (signed char)mode))
          return false;
      first = first == XLA_TILE_ONE ? (signed char)mode : first;
      if (v >= s->parts->nDims)
        break;
    }
    for (int row = 0; row < nBefore && first == XLA_TILE_ONE; ++row)
      rowOf(s, row)[v] = XLA_TILE_ONE;
    if (first == XLA_TILE_ONE && v >= s->parts->nDims &&
        xlaTileExtent(s->v->bounds[v]) > 1)
      return xlaTileRefuse(s, "%s %s", xlaVariableGetName(s->parts, v).text,
                           s->pinned[v]
                               ? "moves the place of a runtime variable"
                               : "begins or ends within what it is cut into");
  }
  return true;
}

/// Whether a case that is there holds wherever these modes do.
static bool isCovered(const XlaTileSearch *s, const signed char *modes) {
  for (int i = 0; i < s->tile->nCases; ++i) {
    const signed char *other = rowOf(s, s->emitted[i]);
    bool is = s->isPlain[i];
    for (intptr_t v = 0; v < s->v->nVariables && is; ++v)
      is = other[v] == modes[v] || (other[v] == 0 && modes[v] == XLA_TILE_ONE);
    if (is)
      return true;
  }
  return false;
}

/// Whether row `row` is a case of its own, `draft`.
static bool fillCase(XlaTileSearch *s, int row, XlaTileCase *draft,
                     bool *isPlain) {
  const signed char *modes = rowOf(s, row);
  draft->results =
      calloc((size_t)s->tile->nResults + 1, sizeof *draft->results);
  if (!draft->results || !xlaTileRequireModes(s, modes, draft)) {
    s->rules.failed = true;
    return false;
  }
  bool is = !isCovered(s, modes);
  for (intptr_t r = 0; r < s->v->nResults && is; ++r)
    is = xlaTileFillResult(s, modes, r, draft, isPlain);
  return is;
}

/// Makes a case of row `row`, or adds rows where it is none. False if the
/// search is over.
static bool tryRow(XlaTileSearch *s, int row) {
  XlaTileCase draft = {0};
  bool isPlain = true;
  memset(s->isMoved, 0, (size_t)s->v->nDigits * sizeof *s->isMoved);
  memset(s->blocked, 0, (size_t)s->v->nVariables * sizeof *s->blocked);
  if (fillCase(s, row, &draft, &isPlain)) {
    s->emitted[s->tile->nCases] = (signed char)row;
    s->isPlain[s->tile->nCases] = isPlain;
    s->tile->cases[s->tile->nCases++] = draft;
  } else {
    free(draft.conditions);
    free(draft.results);
  }
  for (intptr_t d = 0; d < s->parts->nDims; ++d)
    if (s->blocked[d] && !addRow(s, row, d, XLA_TILE_ONE))
      return false;
  return !s->rules.failed;
}

//===----------------------------------------------------------------------===//
// Setting up
//===----------------------------------------------------------------------===//

/// Results and constraints as sums, of dimensions and range variables as
/// dimensions.
static bool readSums(XlaTileSearch *s, MlirAffineExpr *symbols) {
  const XlaIndexingMapParts *parts = s->parts;
  XlaInverter *v = s->v;
  MlirContext context = s->rules.context;
  for (intptr_t i = 0; i < parts->nRanges; ++i)
    symbols[i] = mlirAffineDimExprGet(context, parts->nDims + i);
  for (intptr_t i = 0; i < parts->nRuntimes; ++i)
    symbols[parts->nRanges + i] = mlirAffineSymbolExprGet(context, i);
  for (intptr_t r = 0; r < v->nResults; ++r)
    xlaLinearAddExpr(
        &v->rules, &v->sums[r],
        xlaExprReplace(r < s->tile->nResults
                           ? mlirAffineMapGetResult(parts->map, r)
                           : parts->constraints[r - s->tile->nResults].expr,
                       NULL, symbols),
        1);
  return !v->rules.failed;
}

/// Cuts variables into digits.
static bool cut(XlaTileSearch *s) {
  XlaInverter *v = s->v;
  xlaInverterFindOffsets(v);
  if (!xlaInverterFindDigits(v))
    return xlaTileRefuse(s, "a variable is cut at sizes that do not divide one "
                            "another");
  for (int i = 0; i < v->nDigits; ++i)
    s->first[v->digits[i].variable + 1] = i + 1;
  for (intptr_t r = 0; r < v->nResults; ++r) {
    XlaShare shares[XLA_MAX_DIGITS];
    MlirAffineExpr known;
    bool isResult = r < s->tile->nResults;
    if (xlaInverterFindShares(v, r, shares, &known) < 0)
      return xlaTileRefuse(s, "%s %lld is no sum of parts of variables",
                           isResult ? "result" : "constraint",
                           (long long)(isResult ? r : r - s->tile->nResults));
  }
  for (intptr_t i = 0; i < v->nVariables; ++i) {
    int64_t origin;
    if (__builtin_add_overflow(v->bounds[i].lower, v->offsets[i], &origin) ||
        origin == INT64_MIN || xlaTileExtent(v->bounds[i]) == INT64_MAX)
      return xlaTileRefuse(s, "the bounds of %s are too large",
                           xlaVariableGetName(s->parts, i).text);
  }
  return true;
}

/// Variables that move the places of runtime variables.
static void pin(XlaTileSearch *s) {
  const XlaIndexingMapParts *parts = s->parts;
  for (intptr_t i = 0; i < parts->nRuntimes; ++i) {
    MlirAffineMap map = parts->runtimes[i].map;
    intptr_t n = mlirAffineMapIsNull(map) ? 0 : mlirAffineMapGetNumResults(map);
    for (intptr_t r = 0; r < n; ++r)
      xlaExprMarkUsed(mlirAffineMapGetResult(map, r), s->pinned,
                      s->pinned + parts->nDims);
  }
}

/// Bounds of the tile's expressions, and their symbols for runtime variables.
static void setBounds(XlaTileSearch *s) {
  const XlaIndexingMapParts *parts = s->parts;
  xlaIndexingMapCopyBounds(parts, s->v->bounds);
  for (intptr_t d = 0; d < parts->nDims; ++d) {
    s->bounds[d] = parts->dims[d];
    s->bounds[parts->nDims + d] =
        (XlaInterval){1, xlaTileExtent(parts->dims[d])};
  }
  for (intptr_t i = 0; i < parts->nRuntimes; ++i) {
    s->bounds[2 * parts->nDims + i] = parts->runtimes[i].bounds;
    s->runtimes[i] =
        mlirAffineSymbolExprGet(s->rules.context, parts->nDims + i);
  }
  s->rules.dims = s->bounds;
  s->rules.symbols = s->bounds + parts->nDims;
}

static bool search(XlaTileSearch *s, MlirAffineExpr *symbols) {
  setBounds(s);
  pin(s);
  if (!readSums(s, symbols) || !cut(s) || !startRows(s))
    return false;
  for (int row = 0; row < s->nRows; ++row)
    if (!tryRow(s, row))
      return false;
  return s->tile->nCases > 0;
}

/// Makes room for the search and does it.
static bool fill(XlaSymbolicTile *tile, XlaInverter *v, char message[256]) {
  const XlaIndexingMapParts *parts = xlaIndexingMapGetParts(tile->map);
  size_t nVariables = (size_t)(parts->nDims + parts->nRanges);
  size_t nSymbols = (size_t)(parts->nRanges + parts->nRuntimes);
  size_t n = nVariables + nSymbols + 1;
  MlirContext context = mlirAffineMapGetContext(parts->map);
  signed char *rows = calloc(n, XLA_MAX_TILE_CASES);
  XlaTileSearch s = {.tile = tile,
                     .parts = parts,
                     .v = v,
                     .rules = {.context = context},
                     .bounds = calloc(2 * n, sizeof *s.bounds),
                     .runtimes = calloc(n, sizeof *s.runtimes),
                     .first = calloc(n, sizeof *s.first),
                     .pinned = calloc(n, 1),
                     .blocked = calloc(n, 1),
                     .isMoved = calloc(XLA_MAX_DIGITS, 1),
                     .rows = rows,
                     .message = message};
  MlirAffineExpr *symbols = calloc(n, sizeof *symbols);
  tile->nResults = mlirAffineMapGetNumResults(parts->map);
  v->nVariables = (intptr_t)nVariables;
  v->nResults = tile->nResults + parts->nConstraints;
  v->rules.context = context;
  v->bounds = calloc(n, sizeof *v->bounds);
  v->sums = calloc((size_t)v->nResults + 1, sizeof *v->sums);
  v->offsets = calloc(n, sizeof *v->offsets);
  bool found = s.bounds && s.runtimes && s.first && s.pinned && s.blocked &&
               s.isMoved && rows && symbols && v->bounds && v->sums &&
               v->offsets && search(&s, symbols);
  if (!found)
    xlaTileRefuse(&s, "numbers do not fit into 64 bits, or out of memory");
  xlaRulesFree(&s.rules);
  free(s.bounds);
  free(s.runtimes);
  free(s.first);
  free(s.pinned);
  free(s.blocked);
  free(s.isMoved);
  free(rows);
  free(symbols);
  return found;
}

XlaSymbolicTile *xlaSymbolicTileCreate(const XlaIndexingMap *map,
                                       char message[256]) {
  XlaSymbolicTile *tile = calloc(1, sizeof *tile);
  XlaInverter *v = calloc(1, sizeof *v);
  bool found = false;
  message[0] = 0;
  if (tile)
    tile->map = xlaIndexingMapFinish(xlaIndexingMapRescale(map),
                                     XlaIndexingPointsReplace);
  if (!tile || !tile->map || !v)
    snprintf(message, 256, "out of memory");
  else if (xlaIndexingMapIsKnownEmpty(tile->map))
    snprintf(message, 256, "the map is defined nowhere");
  else if (xlaIndexingMapHasExtrema(tile->map))
    snprintf(message, 256, "min and max are not supported in tiles");
  else
    found = fill(tile, v, message);
  if (v) {
    xlaRulesFree(&v->rules);
    free(v->bounds);
    free(v->sums);
    free(v->offsets);
    free(v);
  }
  if (found)
    return tile;
  xlaSymbolicTileDestroy(tile);
  return NULL;
}

void xlaSymbolicTileDestroy(XlaSymbolicTile *tile) {
  if (!tile)
    return;
  for (int i = 0; i < tile->nCases; ++i) {
    free(tile->cases[i].conditions);
    free(tile->cases[i].results);
  }
  xlaIndexingMapRelease(tile->map);
  free(tile);
}
