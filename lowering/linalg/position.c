//===- position.c - Positions that bodies compute -------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/linalg/position.h"
#include "xlac/lowering/linalg/kernel_ops.h"
#include "xlac/lowering/linalg/scalar.h"
#include "xlac/lowering/linalg/stage.h"

#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>
#include <string.h>

/// Nodes of an expression beyond which it gets a name.
enum { maxNodes = 64 };

static MlirContext contextOf(const XlaStage *stage) {
  return mlirOperationGetContext(stage->kernel->op);
}

void xlaPositionsInit(XlaStage *stage) {
  XlaPositions *positions = &stage->positions;
  xlaPositionsFree(stage);
  for (int i = 0; i < stage->space.nLoops; ++i)
    positions->loops[i] = (XlaInterval){0, stage->space.sizes[i] - 1};
  positions->rules.context = contextOf(stage);
  positions->rules.dims = positions->loops;
}

void xlaPositionsFree(XlaStage *stage) {
  XlaPositions *positions = &stage->positions;
  xlaRulesFree(&positions->rules);
  xlaPointerMapClear(&positions->narrow);
  xlaPointerMapClear(&positions->wide);
  free(positions->symbols);
  free(positions->bounds);
  memset(positions, 0, sizeof *positions);
}

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

static MlirAffineExpr noExpr(void) { return (MlirAffineExpr){NULL}; }

static MlirAffineExpr addSymbol(XlaStage *stage, XlaPositionSymbol symbol,
                                XlaInterval bounds) {
  XlaPositions *p = &stage->positions;
  for (intptr_t i = 0; i < p->nSymbols; ++i)
    if (p->symbols[i].expr.ptr == symbol.expr.ptr &&
        (symbol.expr.ptr || p->symbols[i].start == symbol.start))
      return mlirAffineSymbolExprGet(contextOf(stage), i);
  if (p->nSymbols == p->capacity) {
    intptr_t capacity = 2 * p->capacity + 8;
    XlaPositionSymbol *symbols =
        realloc(p->symbols, (size_t)capacity * sizeof *symbols);
    if (symbols)
      p->symbols = symbols;
    XlaInterval *grown =
        symbols ? realloc(p->bounds, (size_t)capacity * sizeof *grown) : NULL;
    if (!grown) {
      xlaKernelNoMemory(stage->kernel);
      return noExpr();
    }
    p->rules.symbols = p->bounds = grown;
    p->capacity = capacity;
  }
  p->symbols[p->nSymbols] = symbol;
  p->bounds[p->nSymbols] = bounds;
  return mlirAffineSymbolExprGet(contextOf(stage), p->nSymbols++);
}

/// Counts nodes up to `most`.
static int countNodes(MlirAffineExpr expr, int most) {
  int n = 1;
  if (most > 0 && mlirAffineExprIsABinary(expr)) {
    n += countNodes(mlirAffineBinaryOpExprGetLHS(expr), most - n);
    n += countNodes(mlirAffineBinaryOpExprGetRHS(expr), most - n);
  }
  return n;
}

MlirAffineExpr xlaPositionSimplify(XlaStage *stage, MlirAffineExpr expr) {
  expr = xlaRulesSimplify(&stage->positions.rules, expr);
  if (countNodes(expr, maxNodes) < maxNodes)
    return expr;
  return addSymbol(stage, (XlaPositionSymbol){.expr = expr},
                   xlaPositionRange(stage, expr));
}

XlaInterval xlaPositionRange(XlaStage *stage, MlirAffineExpr expr) {
  return xlaExprRange(&stage->positions.rules, expr);
}

//===----------------------------------------------------------------------===//
// Starts
//===----------------------------------------------------------------------===//

/// Reads what the start is computed from, in analysis, or computes it.
static bool readStart(XlaStage *stage, XlaStart *start) {
  XlaIndex at;
  XlaStage outside;
  XlaShape shape = xlaKernelShapeOf(start->value);
  MlirValue scalar = {NULL};
  xlaIndexBegin(&at);
  if (start->place >= 0) {
    xlaIndexAppendZero(&at);
    at.offset[0] = start->place;
  }
  if (!stage->block.ptr) {
    bool isStart = stage->isStart;
    stage->isStart = true;
    bool isRead = xlaStageRead(stage, start->value, &at, &scalar);
    stage->isStart = isStart;
    return isRead;
  }
  if (start->index.ptr)
    return true;
  xlaStageBeginOutside(&outside, stage->kernel);
  outside.isStart = true;
  scalar = xlaStageScalar(&outside, start->value, &at);
  xlaStageFree(&outside);
  if (mlirValueIsNull(scalar))
    return false;
  start->index =
      xlaLowerStart(&stage->kernel->ir, shape.elementType, scalar, start->most);
  return true;
}

static intptr_t findStart(const XlaKernel *kernel, const XlaStart *start) {
  intptr_t i = 0;
  while (i < kernel->nStarts &&
         (!mlirValueEqual(kernel->starts[i].value, start->value) ||
          kernel->starts[i].place != start->place ||
          kernel->starts[i].most != start->most))
    ++i;
  return i;
}

MlirAffineExpr xlaPositionStart(XlaStage *stage, MlirValue value, int64_t place,
                                int64_t most) {
  XlaKernel *kernel = stage->kernel;
  XlaStart start = {value, place, most, {NULL}};
  intptr_t i = findStart(kernel, &start);
  if (i < kernel->nStarts)
    start = kernel->starts[i];
  if (!readStart(stage, &start))
    return noExpr();
  i = findStart(kernel, &start); // computing it may have added others
  if (i == kernel->nStarts) {
    XlaStart *starts =
        realloc(kernel->starts, (size_t)(i + 1) * sizeof *starts);
    if (!starts) {
      xlaKernelNoMemory(kernel);
      return noExpr();
    }
    kernel->starts = starts;
    ++kernel->nStarts;
  }
  kernel->starts[i] = start;
  return addSymbol(stage, (XlaPositionSymbol){.start = i},
                   (XlaInterval){0, most});
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

/// How many multiples of `divisor` make all of `lhs` positive.
static int64_t liftOf(XlaStage *stage, MlirAffineExpr lhs, int64_t divisor) {
  int64_t low = xlaPositionRange(stage, lhs).lower;
  return low < 0 ? xlaCeilDiv(-low, divisor) : 0;
}

static bool isBy(MlirAffineExpr expr, MlirAffineExpr *lhs, int64_t *divisor) {
  return xlaExprIsBy(expr, XlaExprKindFloorDiv, lhs, divisor) ||
         xlaExprIsBy(expr, XlaExprKindMod, lhs, divisor);
}

/// Whether 32 bits hold the value and all that leads to it.
static bool isNarrow(XlaStage *stage, MlirAffineExpr expr) {
  XlaInterval range = xlaPositionRange(stage, expr);
  MlirAffineExpr lhs;
  int64_t divisor;
  if (range.lower < -INT32_MAX || range.upper > INT32_MAX)
    return false;
  if (isBy(expr, &lhs, &divisor) &&
      xlaPositionRange(stage, lhs).upper >
          INT32_MAX - liftOf(stage, lhs, divisor) * divisor)
    return false;
  return !mlirAffineExprIsABinary(expr) ||
         (isNarrow(stage, mlirAffineBinaryOpExprGetLHS(expr)) &&
          isNarrow(stage, mlirAffineBinaryOpExprGetRHS(expr)));
}

static MlirValue emit(XlaStage *stage, MlirAffineExpr expr, MlirType type);

static MlirValue emitSymbol(XlaStage *stage, intptr_t i, MlirType type) {
  const XlaPositionSymbol *symbol = &stage->positions.symbols[i];
  if (!symbol->expr.ptr)
    return xlaIrCast(&stage->ir, "arith.index_cast",
                     stage->kernel->starts[symbol->start].index, type);
  MlirValue value = xlaPositionEmit(stage, symbol->expr);
  return mlirTypeEqual(mlirValueGetType(value), type)
             ? value
             : xlaIrCast(&stage->ir,
                         mlirIntegerTypeGetWidth(type) == 64 ? "arith.extsi"
                                                             : "arith.trunci",
                         value, type);
}

static MlirValue emitDim(XlaStage *stage, intptr_t d, MlirType type) {
  XlaIr *ir = &stage->ir;
  MlirAttribute dim = xlaIrI64Attr(ir->context, d);
  MlirValue loop = xlaIrOp(ir, "linalg.index", mlirIndexTypeGet(ir->context), 0,
                           NULL, 1, &(XlaIrAttr){"dim", dim});
  return xlaIrCast(ir, "arith.index_cast", loop, type);
}

/// Division is unsigned: of x + lift * divisor.
static MlirValue emitBy(XlaStage *stage, MlirAffineExpr expr, MlirType type) {
  XlaIr *ir = &stage->ir;
  MlirAffineExpr lhs;
  int64_t divisor;
  bool isQuotient = xlaExprIsBy(expr, XlaExprKindFloorDiv, &lhs, &divisor);
  isBy(expr, &lhs, &divisor);
  int64_t lift = liftOf(stage, lhs, divisor);
  MlirValue x = emit(stage, lhs, type);
  if (lift)
    x = xlaIrBinary(ir, "arith.addi", x,
                    xlaIrConstantInt(ir, type, lift * divisor));
  x = xlaIrBinary(ir, isQuotient ? "arith.divui" : "arith.remui", x,
                  xlaIrConstantInt(ir, type, divisor));
  return lift && isQuotient ? xlaIrBinary(ir, "arith.subi", x,
                                          xlaIrConstantInt(ir, type, lift))
                            : x;
}

static MlirValue emitNew(XlaStage *stage, MlirAffineExpr expr, MlirType type) {
  XlaIr *ir = &stage->ir;
  switch (xlaExprGetKind(expr)) {
  case XlaExprKindDim:
    return emitDim(stage, mlirAffineDimExprGetPosition(expr), type);
  case XlaExprKindSymbol:
    return emitSymbol(stage, mlirAffineSymbolExprGetPosition(expr), type);
  case XlaExprKindConstant:
    return xlaIrConstantInt(ir, type, mlirAffineConstantExprGetValue(expr));
  case XlaExprKindFloorDiv:
  case XlaExprKindMod:
  case XlaExprKindCeilDiv: // which maps do not have
    return emitBy(stage, expr, type);
  case XlaExprKindAdd:
  case XlaExprKindMul:
    break;
  }
  bool isProduct = xlaExprGetKind(expr) == XlaExprKindMul;
  MlirValue lhs = emit(stage, mlirAffineBinaryOpExprGetLHS(expr), type);
  MlirValue rhs = emit(stage, mlirAffineBinaryOpExprGetRHS(expr), type);
  return xlaIrBinary(ir, isProduct ? "arith.muli" : "arith.addi", lhs, rhs);
}

static MlirValue emit(XlaStage *stage, MlirAffineExpr expr, MlirType type) {
  XlaPositions *p = &stage->positions;
  XlaPointerMap *map =
      mlirIntegerTypeGetWidth(type) == 32 ? &p->narrow : &p->wide;
  intptr_t known = xlaPointerMapGet(map, expr.ptr);
  if (known)
    return (MlirValue){(void *)known};
  MlirValue value = emitNew(stage, expr, type);
  xlaPointerMapSet(map, expr.ptr, (intptr_t)value.ptr); // or it comes twice
  return value;
}

MlirValue xlaPositionEmit(XlaStage *stage, MlirAffineExpr expr) {
  unsigned bits = isNarrow(stage, expr) ? 32 : 64;
  return emit(stage, expr, mlirIntegerTypeGet(stage->ir.context, bits));
}

MlirValue xlaPositionEmitIndex(XlaStage *stage, MlirAffineExpr expr) {
  return xlaIrCast(&stage->ir, "arith.index_cast", xlaPositionEmit(stage, expr),
                   mlirIndexTypeGet(stage->ir.context));
}

MlirValue xlaPositionEmitInside(XlaStage *stage, MlirAffineExpr expr,
                                XlaInterval bounds) {
  XlaIr *ir = &stage->ir;
  XlaInterval range = xlaPositionRange(stage, expr);
  bool isAbove = range.lower >= bounds.lower;
  bool isBelow = range.upper <= bounds.upper;
  // One comparison of unsigned numbers for both.
  if (!isAbove && !isBelow) {
    expr = xlaRulesSimplify(&stage->positions.rules,
                            xlaExprShift(expr, -bounds.lower));
    bounds.upper -= bounds.lower;
  }
  MlirValue x = xlaPositionEmit(stage, expr);
  MlirType type = mlirValueGetType(x);
  bool fits = mlirIntegerTypeGetWidth(type) == 64 ||
              (bounds.upper <= INT32_MAX && bounds.lower >= INT32_MIN);
  if (!fits) {
    type = mlirIntegerTypeGet(ir->context, 64);
    x = xlaIrCast(ir, "arith.extsi", x, type);
  }
  if (!isAbove && isBelow)
    return xlaIrCmpI(ir, "sge", x, xlaIrConstantInt(ir, type, bounds.lower));
  return xlaIrCmpI(ir, isAbove ? "sle" : "ule", x,
                   xlaIrConstantInt(ir, type, bounds.upper));
}
