//===- print.c - Indexing maps as text ------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/indexing/linear.h"
#include "xlac/dialect/indexing/map.h"

#include "mlir-c/IR.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct Printer {
  MlirStringCallback callback;
  void *userData;
  intptr_t nRanges; ///< symbols from here are runtime variables
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

static void putSymbol(const Printer *p, intptr_t i) {
  bool isRuntime = i >= p->nRanges;
  put(p, "%s%lld", isRuntime ? "rt" : "s",
      (long long)(isRuntime ? i - p->nRanges : i));
}

static void putExpr(const Printer *p, MlirAffineExpr expr, bool isOperand);

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
    put(p, "d%lld", (long long)mlirAffineDimExprGetPosition(expr));
    return;
  case XlaExprKindSymbol:
    putSymbol(p, mlirAffineSymbolExprGetPosition(expr));
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

//===----------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------===//

static void putBounds(const Printer *p, XlaInterval bounds) {
  put(p, " in [%lld, %lld]", (long long)bounds.lower, (long long)bounds.upper);
}

/// name0, name1, .. between brackets; nothing if there are none.
static void putNames(const Printer *p, const char *name, intptr_t n,
                     const char *open, const char *close) {
  put(p, "%s", n ? open : "");
  for (intptr_t i = 0; i < n; ++i)
    put(p, "%s%s%lld", i ? ", " : "", name, (long long)i);
  put(p, "%s", n ? close : "");
}

static void putResults(const Printer *p, MlirAffineMap map) {
  put(p, " -> (");
  for (intptr_t i = 0; i < mlirAffineMapGetNumResults(map); ++i) {
    put(p, "%s", i ? ", " : "");
    putExpr(p, mlirAffineMapGetResult(map, i), false);
  }
  put(p, ")");
}

static void printLine(const Printer *p, const XlaIndexingMapParts *parts) {
  const char *before = ", domain: ";
  put(p, "(");
  putNames(p, "d", parts->nDims, "", "");
  put(p, ")");
  putNames(p, "s", parts->nRanges, "[", "]");
  putNames(p, "rt", parts->nRuntimes, "{", "}");
  putResults(p, parts->map);
  for (intptr_t i = 0; i < parts->nDims; ++i, before = ", ") {
    put(p, "%sd%lld", before, (long long)i);
    putBounds(p, parts->dims[i]);
  }
  for (intptr_t i = 0; i < parts->nRanges; ++i, before = ", ") {
    put(p, "%ss%lld", before, (long long)i);
    putBounds(p, parts->ranges[i]);
  }
  for (intptr_t i = 0; i < parts->nRuntimes; ++i, before = ", ") {
    put(p, "%srt%lld", before, (long long)i);
    putBounds(p, parts->runtimes[i].bounds);
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
  putNames(p, "d", parts->nDims, "", "");
  put(p, ")");
  putNames(p, "s", nSymbols, "[", "]");
  putResults(p, parts->map);
  put(p, "\ndomain:");
  for (intptr_t i = 0; i < parts->nDims; ++i) {
    put(p, "\nd%lld", (long long)i);
    putBounds(p, parts->dims[i]);
  }
  for (intptr_t i = 0; i < nSymbols; ++i) {
    const XlaRuntimeVariable *runtime = &parts->runtimes[i - parts->nRanges];
    bool isRuntime = i >= parts->nRanges;
    put(p, "\ns%lld", (long long)i);
    putBounds(p, isRuntime ? runtime->bounds : parts->ranges[i]);
    if (!isRuntime)
      continue;
    putValue(p, runtime->value);
    if (mlirAffineMapIsNull(runtime->map))
      continue;
    put(p, "\n  (");
    putNames(p, "d", parts->nDims, "", "");
    put(p, ")");
    putNames(p, "s", parts->nRanges, "[", "]");
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
  Printer p = {callback, userData, parts->nRanges};
  if (xlaIndexingMapIsKnownEmpty(map)) {
    put(&p, "KNOWN EMPTY");
  } else if (format == XlaIndexingFormatLine) {
    printLine(&p, parts);
  } else {
    p.nRanges = parts->nRanges + parts->nRuntimes;
    printSpec(&p, parts);
  }
}
