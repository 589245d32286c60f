//===- build.c - Operations of the affine dialect -------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/affine/build.h"

#include "mlir-c/IntegerSet.h"

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

MlirAffineExpr xlaAffineConstant(const XlaAffineNest *nest, int64_t value) {
  return mlirAffineConstantExprGet(nest->context, value);
}

XlaAffineBound xlaAffineBound(MlirAffineExpr expr) {
  return (XlaAffineBound){1, {expr}};
}

XlaAffineBound xlaAffineBoundConstant(const XlaAffineNest *nest,
                                      int64_t value) {
  return xlaAffineBound(xlaAffineConstant(nest, value));
}

XlaAffineBound xlaAffineBoundAnd(XlaAffineBound bound, MlirAffineExpr expr) {
  bound.exprs[bound.n++] = expr;
  return bound;
}

XlaAffineBound xlaAffineBoundShift(XlaAffineBound bound, MlirAffineExpr expr) {
  for (int i = 0; i < bound.n; ++i)
    bound.exprs[i] = xlaExprAdd(bound.exprs[i], expr);
  return bound;
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// Expressions by those loops alone that they use.
typedef struct Operands {
  int n, nExprs;
  MlirValue values[XLA_AFFINE_MAX_LOOPS];
  MlirAffineExpr exprs[XLA_AFFINE_MAX_BOUNDS];
} Operands;

/// `sum` and the terms of `expr`, from the left.
static MlirAffineExpr addTerms(MlirAffineExpr sum, MlirAffineExpr expr) {
  if (xlaExprGetKind(expr) != XlaExprKindAdd)
    return xlaExprAdd(sum, expr);
  sum = addTerms(sum, mlirAffineBinaryOpExprGetLHS(expr));
  return addTerms(sum, mlirAffineBinaryOpExprGetRHS(expr));
}

/// The sum as its text is read again, so that a nest that was printed gives the
/// same code.
static MlirAffineExpr fromLeft(MlirAffineExpr expr) {
  return xlaExprGetKind(expr) == XlaExprKindAdd
             ? addTerms(fromLeft(mlirAffineBinaryOpExprGetLHS(expr)),
                        mlirAffineBinaryOpExprGetRHS(expr))
             : expr;
}

static Operands operandsOf(const XlaAffineNest *nest, int n,
                           const MlirAffineExpr *exprs) {
  Operands made; // its arrays are long
  made.n = 0;
  made.nExprs = n;
  MlirAffineExpr dims[XLA_AFFINE_MAX_LOOPS];
  bool used[XLA_AFFINE_MAX_LOOPS] = {false};
  for (int i = 0; i < n; ++i)
    xlaExprMarkUsed(exprs[i], used, NULL);
  for (int i = 0; i < nest->nLoops; ++i) {
    if (!used[i])
      continue;
    dims[i] = mlirAffineDimExprGet(nest->context, made.n);
    made.values[made.n++] = nest->loops[i];
  }
  for (int i = 0; i < n; ++i)
    made.exprs[i] = fromLeft(xlaExprReplace(exprs[i], dims, NULL));
  return made;
}

static MlirAttribute mapOf(MlirContext context, Operands *operands) {
  return mlirAffineMapAttrGet(mlirAffineMapGet(
      context, operands->n, 0, operands->nExprs, operands->exprs));
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

static MlirAffineExpr push(XlaAffineNest *nest, MlirValue value, bool isName) {
  if (nest->nLoops == XLA_AFFINE_MAX_LOOPS) {
    nest->isFull = true;
    --nest->nLoops;
  }
  nest->loops[nest->nLoops] = value;
  nest->isName[nest->nLoops] = isName;
  return mlirAffineDimExprGet(nest->context, nest->nLoops++);
}

static MlirAffineExpr open(XlaAffineNest *nest, MlirBlock block) {
  return push(nest, mlirBlockGetArgument(block, 0), false);
}

MlirOperation xlaAffineFor(XlaAffineNest *nest, XlaIr *ir, XlaAffineBound lower,
                           XlaAffineBound upper, int64_t step, int nCarried,
                           const MlirValue *carried, XlaIr *body,
                           MlirAffineExpr *iv) {
  MlirContext context = ir->context;
  MlirType index = mlirIndexTypeGet(context);
  Operands low = operandsOf(nest, lower.n, lower.exprs);
  Operands high = operandsOf(nest, upper.n, upper.exprs);
  MlirRegion region = mlirRegionCreate();
  MlirBlock block = mlirBlockCreate(1, &index, &ir->location);
  mlirRegionAppendOwnedBlock(region, block);
  MlirOperationState state = mlirOperationStateGet(
      mlirStringRefCreateFromCString("affine.for"), ir->location);
  mlirOperationStateAddOperands(&state, low.n, low.values);
  mlirOperationStateAddOperands(&state, high.n, high.values);
  mlirOperationStateAddOperands(&state, nCarried, carried);
  for (int i = 0; i < nCarried; ++i) {
    MlirType type = mlirValueGetType(carried[i]);
    mlirBlockAddArgument(block, type, ir->location);
    mlirOperationStateAddResults(&state, 1, &type);
  }
  int32_t segments[] = {low.n, high.n, nCarried};
  XlaIrAttr attrs[] = {
      {"lowerBoundMap", mapOf(context, &low)},
      {"upperBoundMap", mapOf(context, &high)},
      {"step", mlirIntegerAttrGet(index, step)},
      {"operandSegmentSizes", mlirDenseI32ArrayGet(context, 3, segments)}};
  mlirOperationStateAddOwnedRegions(&state, 1, &region);
  MlirOperation loop = xlaIrCreateState(ir, &state, 4, attrs);
  *body = xlaIrIn(*ir, block);
  *iv = open(nest, block);
  return loop;
}

XlaIr xlaAffineParallel(XlaAffineNest *nest, XlaIr *ir, int64_t n,
                        MlirAffineExpr *iv) {
  MlirContext context = ir->context;
  MlirType index = mlirIndexTypeGet(context);
  MlirRegion region = mlirRegionCreate();
  MlirBlock block = mlirBlockCreate(1, &index, &ir->location);
  mlirRegionAppendOwnedBlock(region, block);
  Operands low = {.nExprs = 1, .exprs = {xlaAffineConstant(nest, 0)}};
  Operands high = {.nExprs = 1, .exprs = {xlaAffineConstant(nest, n)}};
  MlirAttribute one = xlaIrI64Attr(context, 1);
  MlirAttribute group = xlaIrParseAttr(context, "dense<1> : tensor<1xi32>");
  XlaIrAttr attrs[] = {{"reductions", mlirArrayAttrGet(context, 0, NULL)},
                       {"lowerBoundsMap", mapOf(context, &low)},
                       {"lowerBoundsGroups", group},
                       {"upperBoundsMap", mapOf(context, &high)},
                       {"upperBoundsGroups", group},
                       {"steps", mlirArrayAttrGet(context, 1, &one)}};
  xlaIrCreate(ir, "affine.parallel", 0, NULL, 0, NULL, 6, attrs, 1, &region);
  *iv = open(nest, block);
  return xlaIrIn(*ir, block);
}

void xlaAffineYield(XlaIr *ir, intptr_t n, const MlirValue *values) {
  xlaIrCreate(ir, "affine.yield", n, values, 0, NULL, 0, NULL, 0, NULL);
}

void xlaAffineClose(XlaAffineNest *nest, XlaIr *body, int nCarried,
                    const MlirValue *carried) {
  xlaAffineYield(body, nCarried, carried);
  while (nest->isName[nest->nLoops - 1])
    --nest->nLoops;
  --nest->nLoops;
}

MlirAffineExpr xlaAffineBelow(MlirAffineExpr expr, int64_t n) {
  return xlaExprShift(xlaExprScale(expr, -1), n - 1);
}

static MlirRegion openRegion(XlaIr *ir, XlaIr *inside) {
  MlirRegion region = mlirRegionCreate();
  MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  mlirRegionAppendOwnedBlock(region, block);
  *inside = xlaIrIn(*ir, block);
  return region;
}

static void closeRegion(XlaIr *inside) {
  xlaAffineYield(inside, 0, NULL);
  inside->before = mlirBlockGetTerminator(inside->block);
}

MlirOperation xlaAffineBranch(const XlaAffineNest *nest, XlaIr *ir, int n,
                              const MlirAffineExpr *exprs, intptr_t nResults,
                              const MlirType *types, XlaIr *then,
                              XlaIr *otherwise) {
  const bool equalities[XLA_AFFINE_MAX_BOUNDS] = {false};
  Operands operands = operandsOf(nest, n, exprs);
  MlirRegion regions[2] = {openRegion(ir, then), {NULL}};
  regions[1] = otherwise ? openRegion(ir, otherwise) : mlirRegionCreate();
  MlirIntegerSet set = mlirIntegerSetGet(ir->context, operands.n, 0, n,
                                         operands.exprs, equalities);
  return xlaIrCreate(
      ir, "affine.if", operands.n, operands.values, nResults, types, 1,
      &(XlaIrAttr){"condition", mlirIntegerSetAttrGet(set)}, 2, regions);
}

void xlaAffineIf(const XlaAffineNest *nest, XlaIr *ir, int n,
                 const MlirAffineExpr *exprs, XlaIr *then, XlaIr *otherwise) {
  xlaAffineBranch(nest, ir, n, exprs, 0, NULL, then, otherwise);
  closeRegion(then);
  if (otherwise)
    closeRegion(otherwise);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

MlirValue xlaAffineApply(const XlaAffineNest *nest, XlaIr *ir,
                         MlirAffineExpr at) {
  int64_t constant;
  if (xlaExprIsConstant(at, &constant))
    return xlaIrConstantIndex(ir, constant);
  Operands operands = operandsOf(nest, 1, &at);
  if (xlaExprGetKind(operands.exprs[0]) == XlaExprKindDim)
    return operands.values[0];
  return xlaIrOp(ir, "affine.apply", mlirIndexTypeGet(ir->context), operands.n,
                 operands.values, 1,
                 &(XlaIrAttr){"map", mapOf(ir->context, &operands)});
}

MlirValue xlaAffineMin(const XlaAffineNest *nest, XlaIr *ir,
                       XlaAffineBound bound) {
  if (bound.n == 1)
    return xlaAffineApply(nest, ir, bound.exprs[0]);
  Operands operands = operandsOf(nest, bound.n, bound.exprs);
  return xlaIrOp(ir, "affine.min", mlirIndexTypeGet(ir->context), operands.n,
                 operands.values, 1,
                 &(XlaIrAttr){"map", mapOf(ir->context, &operands)});
}

MlirAffineExpr xlaAffineDim(XlaAffineNest *nest, MlirValue value) {
  return push(nest, value, true);
}

MlirAffineExpr xlaAffineName(XlaAffineNest *nest, XlaIr *ir,
                             MlirAffineExpr at) {
  return xlaAffineDim(nest, xlaAffineApply(nest, ir, at));
}

/// Is `type` a vector of several elements of `memref`?
static bool isVectorOf(MlirType type, MlirValue memref) {
  return !mlirTypeEqual(type, xlaIrElementType(mlirValueGetType(memref)));
}

MlirValue xlaAffineLoad(const XlaAffineNest *nest, XlaIr *ir, MlirType type,
                        MlirValue memref, MlirAffineExpr at) {
  Operands operands = operandsOf(nest, 1, &at);
  MlirValue all[1 + XLA_AFFINE_MAX_LOOPS] = {memref};
  for (int i = 0; i < operands.n; ++i)
    all[1 + i] = operands.values[i];
  return xlaIrOp(
      ir, isVectorOf(type, memref) ? "affine.vector_load" : "affine.load", type,
      1 + operands.n, all, 1,
      &(XlaIrAttr){"map", mapOf(ir->context, &operands)});
}

void xlaAffineStore(const XlaAffineNest *nest, XlaIr *ir, MlirValue value,
                    MlirValue memref, MlirAffineExpr at) {
  Operands operands = operandsOf(nest, 1, &at);
  MlirValue all[2 + XLA_AFFINE_MAX_LOOPS] = {value, memref};
  for (int i = 0; i < operands.n; ++i)
    all[2 + i] = operands.values[i];
  xlaIrCreate(ir,
              isVectorOf(mlirValueGetType(value), memref)
                  ? "affine.vector_store"
                  : "affine.store",
              2 + operands.n, all, 0, NULL, 1,
              &(XlaIrAttr){"map", mapOf(ir->context, &operands)}, 0, NULL);
}
