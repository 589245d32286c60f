//===- index_expr.c - Indices that bodies compute -------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/linalg/index_expr.h"
#include "xlac/lowering/linalg/generic.h"
#include "xlac/lowering/linalg/kernel_ops.h"
#include "xlac/lowering/linalg/scalar.h"

#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>
#include <string.h>

/// Nodes of an expression beyond which it gets a name.
enum { maxNodes = 64 };

static MlirContext contextOf(const XlaGeneric *generic) {
  return mlirOperationGetContext(generic->kernel->op);
}

void xlaIndexExprsInit(XlaGeneric *generic) {
  XlaIndexExprs *exprs = &generic->exprs;
  xlaIndexExprsFree(generic);
  for (int i = 0; i < generic->space.nLoops; ++i)
    exprs->loops[i] = (XlaInterval){0, generic->space.sizes[i] - 1};
  exprs->rules.context = contextOf(generic);
  exprs->rules.dims = exprs->loops;
}

void xlaIndexExprsFree(XlaGeneric *generic) {
  XlaIndexExprs *exprs = &generic->exprs;
  xlaRulesFree(&exprs->rules);
  xlaPointerMapClear(&exprs->narrow);
  xlaPointerMapClear(&exprs->wide);
  xlaPointerMapClear(&exprs->indices);
  free(exprs->symbols);
  free(exprs->bounds);
  memset(exprs, 0, sizeof *exprs);
}

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

static MlirAffineExpr noExpr(void) { return (MlirAffineExpr){NULL}; }

static MlirAffineExpr addSymbol(XlaGeneric *generic, XlaIndexExprSymbol symbol,
                                XlaInterval bounds) {
  XlaIndexExprs *p = &generic->exprs;
  for (intptr_t i = 0; i < p->nSymbols; ++i)
    if (p->symbols[i].expr.ptr == symbol.expr.ptr &&
        (symbol.expr.ptr || p->symbols[i].start == symbol.start))
      return mlirAffineSymbolExprGet(contextOf(generic), i);
  if (p->nSymbols == p->capacity) {
    intptr_t capacity = 2 * p->capacity + 8;
    XlaIndexExprSymbol *symbols =
        realloc(p->symbols, (size_t)capacity * sizeof *symbols);
    if (symbols)
      p->symbols = symbols;
    XlaInterval *grown =
        symbols ? realloc(p->bounds, (size_t)capacity * sizeof *grown) : NULL;
    if (!grown) {
      xlaKernelNoMemory(generic->kernel);
      return noExpr();
    }
    p->rules.symbols = p->bounds = grown;
    p->capacity = capacity;
  }
  p->symbols[p->nSymbols] = symbol;
  p->bounds[p->nSymbols] = bounds;
  return mlirAffineSymbolExprGet(contextOf(generic), p->nSymbols++);
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

MlirAffineExpr xlaIndexExprSimplify(XlaGeneric *generic, MlirAffineExpr expr) {
  expr = xlaRulesSimplify(&generic->exprs.rules, expr);
  if (countNodes(expr, maxNodes) < maxNodes)
    return expr;
  return addSymbol(generic, (XlaIndexExprSymbol){.expr = expr},
                   xlaIndexExprRange(generic, expr));
}

XlaInterval xlaIndexExprRange(XlaGeneric *generic, MlirAffineExpr expr) {
  return xlaExprRange(&generic->exprs.rules, expr);
}

//===----------------------------------------------------------------------===//
// Starts
//===----------------------------------------------------------------------===//

/// Reads what the start is computed from, in analysis, or computes it.
static bool readStart(XlaGeneric *generic, XlaStart *start) {
  XlaIndex at;
  XlaGeneric outside;
  XlaShape shape = xlaKernelShapeOf(start->value);
  MlirValue scalar = {NULL};
  xlaIndexBegin(&at);
  if (start->place >= 0) {
    xlaIndexAppendZero(&at);
    at.offset[0] = start->place;
  }
  if (!generic->block.ptr) {
    bool isStart = generic->isStart;
    generic->isStart = true;
    bool isRead = xlaGenericRead(generic, start->value, &at, &scalar);
    generic->isStart = isStart;
    return isRead;
  }
  if (start->index.ptr)
    return true;
  xlaGenericBeginOutside(&outside, generic->kernel);
  outside.isStart = true;
  scalar = xlaGenericScalar(&outside, start->value, &at);
  xlaGenericFree(&outside);
  if (mlirValueIsNull(scalar))
    return false;
  start->index = xlaLowerStart(&generic->kernel->ir, shape.elementType, scalar,
                               start->most);
  return true;
}

static intptr_t findStart(const XlaKernel *kernel, const XlaStart *start) {
  intptr_t i = 0;
  while (i < kernel->nStarts &&
         (!mlirValueEqual(kernel->starts[i].value, start->value) ||
          kernel->starts[i].place != start->place ||
          kernel->starts[i].most != start->most ||
          (!start->value.ptr &&
           !mlirValueEqual(kernel->starts[i].index, start->index))))
    ++i;
  return i;
}

/// The symbol of `start`, which is kept.
static MlirAffineExpr keepStart(XlaGeneric *generic, const XlaStart *start) {
  XlaKernel *kernel = generic->kernel;
  intptr_t i = findStart(kernel, start);
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
  kernel->starts[i] = *start;
  return addSymbol(generic, (XlaIndexExprSymbol){.start = i},
                   (XlaInterval){0, start->most});
}

MlirAffineExpr xlaIndexExprStart(XlaGeneric *generic, MlirValue value,
                                 int64_t place, int64_t most) {
  XlaKernel *kernel = generic->kernel;
  XlaStart start = {value, place, most, {NULL}};
  intptr_t i = findStart(kernel, &start);
  if (i < kernel->nStarts)
    start = kernel->starts[i];
  return readStart(generic, &start) ? keepStart(generic, &start) : noExpr();
}

MlirAffineExpr xlaIndexExprVariable(XlaGeneric *generic, MlirValue variable,
                                    int64_t most) {
  return keepStart(generic, &(XlaStart){{NULL}, -1, most, variable});
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

/// How many multiples of `divisor` make all of `lhs` positive.
static int64_t liftOf(XlaGeneric *generic, MlirAffineExpr lhs,
                      int64_t divisor) {
  int64_t low = xlaIndexExprRange(generic, lhs).lower;
  return low < 0 ? xlaCeilDiv(-low, divisor) : 0;
}

static bool isBy(MlirAffineExpr expr, MlirAffineExpr *lhs, int64_t *divisor) {
  return xlaExprIsBy(expr, XlaExprKindFloorDiv, lhs, divisor) ||
         xlaExprIsBy(expr, XlaExprKindMod, lhs, divisor);
}

/// Whether 32 bits hold the value and all that leads to it.
static bool isNarrow(XlaGeneric *generic, MlirAffineExpr expr) {
  XlaInterval range = xlaIndexExprRange(generic, expr);
  MlirAffineExpr lhs;
  int64_t divisor;
  if (range.lower < -INT32_MAX || range.upper > INT32_MAX)
    return false;
  if (isBy(expr, &lhs, &divisor) &&
      xlaIndexExprRange(generic, lhs).upper >
          INT32_MAX - liftOf(generic, lhs, divisor) * divisor)
    return false;
  return !mlirAffineExprIsABinary(expr) ||
         (isNarrow(generic, mlirAffineBinaryOpExprGetLHS(expr)) &&
          isNarrow(generic, mlirAffineBinaryOpExprGetRHS(expr)));
}

static MlirValue emit(XlaGeneric *generic, MlirAffineExpr expr, MlirType type);
static MlirValue indexOf(XlaGeneric *generic, MlirAffineExpr expr);

static MlirValue emitSymbol(XlaGeneric *generic, intptr_t i, MlirType type) {
  const XlaIndexExprSymbol *symbol = &generic->exprs.symbols[i];
  if (!symbol->expr.ptr)
    return xlaIrCast(&generic->ir, "arith.index_cast",
                     generic->kernel->starts[symbol->start].index, type);
  MlirValue value = xlaIndexExprEmit(generic, symbol->expr);
  return mlirTypeEqual(mlirValueGetType(value), type)
             ? value
             : xlaIrCast(&generic->ir,
                         mlirIntegerTypeGetWidth(type) == 64 ? "arith.extsi"
                                                             : "arith.trunci",
                         value, type);
}

/// Division is unsigned: of x + lift * divisor.
static MlirValue emitBy(XlaGeneric *generic, MlirAffineExpr expr,
                        MlirType type) {
  XlaIr *ir = &generic->ir;
  MlirAffineExpr lhs;
  int64_t divisor;
  bool isQuotient = xlaExprIsBy(expr, XlaExprKindFloorDiv, &lhs, &divisor);
  isBy(expr, &lhs, &divisor);
  int64_t lift = liftOf(generic, lhs, divisor);
  MlirValue x = emit(generic, lhs, type);
  if (lift)
    x = xlaIrBinary(ir, "arith.addi", x,
                    xlaIrConstantInt(ir, type, lift * divisor));
  x = xlaIrBinary(ir, isQuotient ? "arith.divui" : "arith.remui", x,
                  xlaIrConstantInt(ir, type, divisor));
  return lift && isQuotient ? xlaIrBinary(ir, "arith.subi", x,
                                          xlaIrConstantInt(ir, type, lift))
                            : x;
}

static MlirValue emitNew(XlaGeneric *generic, MlirAffineExpr expr,
                         MlirType type) {
  XlaIr *ir = &generic->ir;
  switch (xlaExprGetKind(expr)) {
  case XlaExprKindDim:
    return xlaIrCast(ir, "arith.index_cast", indexOf(generic, expr), type);
  case XlaExprKindSymbol:
    return emitSymbol(generic, mlirAffineSymbolExprGetPosition(expr), type);
  case XlaExprKindConstant:
    return xlaIrConstantInt(ir, type, mlirAffineConstantExprGetValue(expr));
  case XlaExprKindFloorDiv:
  case XlaExprKindMod:
  case XlaExprKindCeilDiv: // which maps do not have
    return emitBy(generic, expr, type);
  case XlaExprKindAdd:
  case XlaExprKindMul:
    break;
  }
  bool isProduct = xlaExprGetKind(expr) == XlaExprKindMul;
  MlirValue lhs = emit(generic, mlirAffineBinaryOpExprGetLHS(expr), type);
  MlirValue rhs = emit(generic, mlirAffineBinaryOpExprGetRHS(expr), type);
  return xlaIrBinary(ir, isProduct ? "arith.muli" : "arith.addi", lhs, rhs);
}

static MlirValue emit(XlaGeneric *generic, MlirAffineExpr expr, MlirType type) {
  XlaIndexExprs *p = &generic->exprs;
  XlaPointerMap *map =
      mlirIntegerTypeGetWidth(type) == 32 ? &p->narrow : &p->wide;
  intptr_t known = xlaPointerMapGet(map, expr.ptr);
  if (known)
    return (MlirValue){(void *)known};
  MlirValue value = emitNew(generic, expr, type);
  xlaPointerMapSet(map, expr.ptr, (intptr_t)value.ptr); // or it comes twice
  return value;
}

MlirValue xlaIndexExprEmit(XlaGeneric *generic, MlirAffineExpr expr) {
  unsigned bits = isNarrow(generic, expr) ? 32 : 64;
  return emit(generic, expr, mlirIntegerTypeGet(generic->ir.context, bits));
}

MlirValue xlaIndexExprEmitIndex(XlaGeneric *generic, MlirAffineExpr expr) {
  return xlaIrCast(&generic->ir, "arith.index_cast",
                   xlaIndexExprEmit(generic, expr),
                   mlirIndexTypeGet(generic->ir.context));
}

/// A loop or symbol as an index.
static MlirValue indexOf(XlaGeneric *generic, MlirAffineExpr expr) {
  XlaIndexExprs *p = &generic->exprs;
  XlaIr *ir = &generic->ir;
  intptr_t known = xlaPointerMapGet(&p->indices, expr.ptr);
  if (known)
    return (MlirValue){(void *)known};
  MlirValue index;
  if (xlaExprGetKind(expr) == XlaExprKindDim) {
    XlaIrAttr dim = {
        "dim", xlaIrI64Attr(ir->context, mlirAffineDimExprGetPosition(expr))};
    index = xlaIrOp(ir, "linalg.index", mlirIndexTypeGet(ir->context), 0, NULL,
                    1, &dim);
  } else {
    const XlaIndexExprSymbol *symbol =
        &p->symbols[mlirAffineSymbolExprGetPosition(expr)];
    if (!symbol->expr.ptr)
      return generic->kernel->starts[symbol->start].index;
    XlaAffineNest nest = {.context = ir->context};
    index = xlaAffineApply(&nest, ir,
                           xlaIndexExprPlace(generic, &nest, symbol->expr));
  }
  xlaPointerMapSet(&p->indices, expr.ptr, (intptr_t)index.ptr); // or it's twice
  return index;
}

MlirAffineExpr xlaIndexExprPlace(XlaGeneric *generic, XlaAffineNest *nest,
                                 MlirAffineExpr expr) {
  XlaExprKind kind = xlaExprGetKind(expr);
  if (kind == XlaExprKindConstant)
    return expr;
  if (kind == XlaExprKindDim || kind == XlaExprKindSymbol) {
    MlirValue index = indexOf(generic, expr);
    for (int i = 0; i < nest->nLoops; ++i)
      if (mlirValueEqual(nest->loops[i], index))
        return mlirAffineDimExprGet(nest->context, i);
    return xlaAffineDim(nest, index);
  }
  MlirAffineExpr lhs =
      xlaIndexExprPlace(generic, nest, mlirAffineBinaryOpExprGetLHS(expr));
  MlirAffineExpr rhs =
      xlaIndexExprPlace(generic, nest, mlirAffineBinaryOpExprGetRHS(expr));
  switch (kind) {
  case XlaExprKindAdd:
    return mlirAffineAddExprGet(lhs, rhs);
  case XlaExprKindMul:
    return mlirAffineMulExprGet(lhs, rhs);
  case XlaExprKindMod:
    return mlirAffineModExprGet(lhs, rhs);
  case XlaExprKindFloorDiv:
    return mlirAffineFloorDivExprGet(lhs, rhs);
  case XlaExprKindCeilDiv:
    return mlirAffineCeilDivExprGet(lhs, rhs);
  case XlaExprKindConstant:
  case XlaExprKindDim:
  case XlaExprKindSymbol:
    break;
  }
  return expr;
}

MlirValue xlaIndexExprEmitInside(XlaGeneric *generic, MlirAffineExpr expr,
                                 XlaInterval bounds) {
  XlaIr *ir = &generic->ir;
  XlaInterval range = xlaIndexExprRange(generic, expr);
  bool isAbove = range.lower >= bounds.lower;
  bool isBelow = range.upper <= bounds.upper;
  // One comparison of unsigned numbers for both.
  if (!isAbove && !isBelow) {
    expr = xlaRulesSimplify(&generic->exprs.rules,
                            xlaExprShift(expr, -bounds.lower));
    bounds.upper -= bounds.lower;
  }
  MlirValue x = xlaIndexExprEmit(generic, expr);
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
