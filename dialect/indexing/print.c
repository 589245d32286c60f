//===- print.c - Indexing maps as text ------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/indexing/extrema.h"
#include "xlac/dialect/indexing/linear.h"
#include "xlac/dialect/indexing/map.h"
#include "xlac/dialect/indexing/names.h"

#include "mlir-c/IR.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct Printer {
  MlirStringCallback callback;
  void *userData;
  const XlaIndexingMapParts *parts;
  bool areSymbols; ///< runtime variables, counted with the range variables
} Printer;

static void put(const Printer *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void put(const Printer *p, const char *format, ...) {
  char text[64];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  p->callback(mlirStringRefCreateFromCString(text), p->userData);
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

static void putExpr(const Printer *p, MlirAffineExpr expr, bool isOperand);

/// The min or max that variable `v` is, or NULL.
static const XlaRuntimeVariable *extremumOf(const Printer *p, intptr_t v) {
  intptr_t runtime = v - p->parts->nDims - p->parts->nRanges;
  return runtime >= 0 && p->parts->runtimes &&
                 p->parts->runtimes[runtime].extremum
             ? &p->parts->runtimes[runtime]
             : NULL;
}

static void putExtremum(const Printer *p, const XlaRuntimeVariable *extremum) {
  XlaExtremum kind = extremum->extremum;
  bool isNested = kind == XlaExtremumMaxOfMin || kind == XlaExtremumMinOfMax;
  bool isMin = kind == XlaExtremumMin || kind == XlaExtremumMinOfMax;
  put(p, "%s(", isMin ? "min" : "max");
  for (intptr_t i = 0; i < mlirAffineMapGetNumResults(extremum->map); ++i) {
    put(p, "%s", i ? ", " : "");
    if (isNested && i == 1)
      put(p, "%s(", isMin ? "max" : "min");
    putExpr(p, mlirAffineMapGetResult(extremum->map, i), false);
  }
  put(p, "%s", isNested ? "))" : ")");
}

/// The name of a variable, dimensions first.
static void putVariable(const Printer *p, intptr_t v) {
  intptr_t symbol = v - p->parts->nDims;
  if (extremumOf(p, v))
    putExtremum(p, extremumOf(p, v));
  else if (p->areSymbols && symbol >= p->parts->nRanges && !p->parts->names)
    put(p, "s%lld", (long long)symbol);
  else
    put(p, "%s", xlaVariableGetName(p->parts, v).text);
}

/// " + expr" or " - .."; -INT64_MIN is not taken.
static void putSummand(const Printer *p, MlirAffineExpr expr) {
  int64_t value;
  if (xlaExprIsConstant(expr, &value) && value < 0 && value != INT64_MIN) {
    put(p, " - %lld", (long long)-value);
    return;
  }
  if (xlaExprGetKind(expr) == XlaExprKindMul &&
      xlaExprIsConstant(mlirAffineBinaryOpExprGetRHS(expr), &value) &&
      value < 0 && value != INT64_MIN) {
    put(p, " - ");
    putExpr(p, mlirAffineBinaryOpExprGetLHS(expr), true);
    if (value != -1)
      put(p, " * %lld", (long long)-value);
    return;
  }
  // MLIR adds up what is alike in sums on the left.
  put(p, " + ");
  putExpr(p, expr, xlaExprGetKind(expr) == XlaExprKindAdd);
}

static void putBinary(const Printer *p, MlirAffineExpr expr, const char *name,
                      bool isOperand) {
  MlirAffineExpr lhs = mlirAffineBinaryOpExprGetLHS(expr);
  MlirAffineExpr rhs = mlirAffineBinaryOpExprGetRHS(expr);
  int64_t value;
  put(p, "%s", isOperand ? "(" : "");
  if (xlaExprGetKind(expr) == XlaExprKindAdd) {
    putExpr(p, lhs, false);
    putSummand(p, rhs);
  } else if (xlaExprGetKind(expr) == XlaExprKindMul &&
             xlaExprIsConstant(rhs, &value) && value == -1) {
    put(p, "-");
    putExpr(p, lhs, true);
  } else {
    putExpr(p, lhs, true);
    put(p, " %s ", name);
    putExpr(p, rhs, true);
  }
  put(p, "%s", isOperand ? ")" : "");
}

static void putExpr(const Printer *p, MlirAffineExpr expr, bool isOperand) {
  switch (xlaExprGetKind(expr)) {
  case XlaExprKindDim:
    putVariable(p, mlirAffineDimExprGetPosition(expr));
    return;
  case XlaExprKindSymbol:
    putVariable(p, p->parts->nDims + mlirAffineSymbolExprGetPosition(expr));
    return;
  case XlaExprKindConstant:
    put(p, "%lld", (long long)mlirAffineConstantExprGetValue(expr));
    return;
  case XlaExprKindFloorDiv:
    putBinary(p, expr, "floordiv", isOperand);
    return;
  case XlaExprKindCeilDiv:
    putBinary(p, expr, "ceildiv", isOperand);
    return;
  case XlaExprKindMod:
    putBinary(p, expr, "mod", isOperand);
    return;
  case XlaExprKindMul:
    putBinary(p, expr, "*", isOperand);
    return;
  case XlaExprKindAdd:
    putBinary(p, expr, "+", isOperand);
    return;
  }
}

void xlaExprPrint(const XlaIndexingMapParts *parts, MlirAffineExpr expr,
                  MlirStringCallback callback, void *userData) {
  Printer p = {callback, userData, parts, false};
  putExpr(&p, expr, false);
}

//===----------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------===//

static void putBounds(const Printer *p, XlaInterval bounds) {
  put(p, " in [%lld, %lld]", (long long)bounds.lower, (long long)bounds.upper);
}

/// The names of n variables from `first` on between brackets; nothing if there
/// are none.
static void putNames(const Printer *p, intptr_t first, intptr_t n,
                     const char *open, const char *close) {
  bool isAny = false;
  for (intptr_t i = 0; i < n; ++i) {
    if (extremumOf(p, first + i))
      continue;
    put(p, "%s", isAny ? ", " : open);
    putVariable(p, first + i);
    isAny = true;
  }
  put(p, "%s", isAny ? close : "");
}

/// Whether a min or max has only values that its operands leave.
static bool isFree(const XlaIndexingMapParts *parts,
                   const XlaRuntimeVariable *extremum) {
  MlirAffineExpr operands[XLA_MAX_EXTREMUM_OPERANDS];
  intptr_t n = mlirAffineMapGetNumResults(extremum->map);
  for (intptr_t i = 0; i < n; ++i)
    operands[i] = mlirAffineMapGetResult(extremum->map, i);
  XlaRules rules = {.context = mlirAffineMapGetContext(parts->map),
                    .dims = parts->dims,
                    .symbols = parts->ranges};
  XlaInterval range = xlaExtremumRange(&rules, extremum->extremum, n, operands);
  xlaRulesFree(&rules);
  return xlaIntervalContains(extremum->bounds, range);
}

static void putResults(const Printer *p, MlirAffineMap map) {
  put(p, " -> (");
  for (intptr_t i = 0; i < mlirAffineMapGetNumResults(map); ++i) {
    put(p, "%s", i ? ", " : "");
    putExpr(p, mlirAffineMapGetResult(map, i), false);
  }
  put(p, ")");
}

static XlaInterval boundsOf(const XlaIndexingMapParts *parts, intptr_t v) {
  intptr_t symbol = v - parts->nDims;
  return symbol < 0 ? parts->dims[v]
         : symbol < parts->nRanges
             ? parts->ranges[symbol]
             : parts->runtimes[symbol - parts->nRanges].bounds;
}

static void printLine(const Printer *p, const XlaIndexingMapParts *parts) {
  const char *before = ", domain: ";
  intptr_t nFixed = parts->nDims + parts->nRanges;
  put(p, "(");
  putNames(p, 0, parts->nDims, "", "");
  put(p, ")");
  putNames(p, parts->nDims, parts->nRanges, "[", "]");
  putNames(p, nFixed, parts->nRuntimes, "{", "}");
  putResults(p, parts->map);
  for (intptr_t v = 0; v < nFixed + parts->nRuntimes; ++v) {
    if (extremumOf(p, v) && isFree(parts, extremumOf(p, v)))
      continue;
    put(p, "%s", before);
    putVariable(p, v);
    putBounds(p, boundsOf(parts, v));
    before = ", ";
  }
  for (intptr_t i = 0; i < parts->nConstraints; ++i, before = ", ") {
    put(p, "%s", before);
    putExpr(p, parts->constraints[i].expr, false);
    putBounds(p, parts->constraints[i].bounds);
  }
}

/// The value of a runtime variable: its operation, or the argument.
static void putValue(const Printer *p, MlirValue value) {
  put(p, "\n  hlo: ");
  if (mlirValueIsNull(value)) {
    put(p, "?");
  } else if (mlirValueIsAOpResult(value)) {
    MlirOpPrintingFlags flags = mlirOpPrintingFlagsCreate();
    mlirOpPrintingFlagsElideLargeElementsAttrs(flags, 16);
    mlirOpPrintingFlagsSkipRegions(flags);
    mlirOperationPrintWithFlags(mlirOpResultGetOwner(value), flags, p->callback,
                                p->userData);
    mlirOpPrintingFlagsDestroy(flags);
  } else {
    put(p, "%%arg%lld : ", (long long)mlirBlockArgumentGetArgNumber(value));
    mlirTypePrint(mlirValueGetType(value), p->callback, p->userData);
  }
}

static void printSpec(const Printer *p, const XlaIndexingMapParts *parts) {
  intptr_t nSymbols = parts->nRanges + parts->nRuntimes;
  put(p, "(");
  putNames(p, 0, parts->nDims, "", "");
  put(p, ")");
  putNames(p, parts->nDims, nSymbols, "[", "]");
  putResults(p, parts->map);
  put(p, "\ndomain:");
  for (intptr_t v = 0; v < parts->nDims + nSymbols; ++v) {
    if (extremumOf(p, v) && isFree(parts, extremumOf(p, v)))
      continue;
    put(p, "\n");
    putVariable(p, v);
    putBounds(p, boundsOf(parts, v));
    if (v < parts->nDims + parts->nRanges || extremumOf(p, v))
      continue;
    const XlaRuntimeVariable *runtime =
        &parts->runtimes[v - parts->nDims - parts->nRanges];
    putValue(p, runtime->value);
    if (mlirAffineMapIsNull(runtime->map))
      continue;
    put(p, "\n  (");
    putNames(p, 0, parts->nDims, "", "");
    put(p, ")");
    putNames(p, parts->nDims, parts->nRanges, "[", "]");
    putResults(p, runtime->map);
  }
  for (intptr_t i = 0; i < parts->nConstraints; ++i) {
    put(p, "\n");
    putExpr(p, parts->constraints[i].expr, false);
    putBounds(p, parts->constraints[i].bounds);
  }
}

void xlaIndexingMapPrint(const XlaIndexingMap *map, XlaIndexingFormat format,
                         MlirStringCallback callback, void *userData) {
  const XlaIndexingMapParts *parts = xlaIndexingMapGetParts(map);
  Printer p = {callback, userData, parts, format == XlaIndexingFormatSpec};
  if (xlaIndexingMapIsKnownEmpty(map)) {
    put(&p, "KNOWN EMPTY");
  } else if (format == XlaIndexingFormatLine) {
    printLine(&p, parts);
  } else {
    printSpec(&p, parts);
  }
}
