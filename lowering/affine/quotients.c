//===- quotients.c - Lowering floordiv and mod ----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/affine/quotients.h"
#include "xlac/dialect/indexing/linear.h"
#include "xlac/dialect/ir.h"

#include "mlir-c/IntegerSet.h"
#include "mlir-c/Pass.h"

#include <stdio.h>

/// Operations of a function; the analysis takes a quarter of a millisecond for
/// ten accesses.
enum { maxOps = 5000 };

static bool divides(MlirAffineExpr expr) {
  XlaExprKind kind = xlaExprGetKind(expr);
  return kind == XlaExprKindFloorDiv || kind == XlaExprKindMod ||
         kind == XlaExprKindCeilDiv ||
         (mlirAffineExprIsABinary(expr) &&
          (divides(mlirAffineBinaryOpExprGetLHS(expr)) ||
           divides(mlirAffineBinaryOpExprGetRHS(expr))));
}

static bool isQuotient(MlirOperation op) {
  MlirAttribute map = mlirOperationGetAttributeByName(
      op, mlirStringRefCreateFromCString("map"));
  MlirAttribute condition = mlirOperationGetAttributeByName(
      op, mlirStringRefCreateFromCString("condition"));
  bool found = false;
  if (!mlirAttributeIsNull(map) && mlirAttributeIsAAffineMap(map)) {
    MlirAffineMap value = mlirAffineMapAttrGetValue(map);
    for (intptr_t i = 0; i < mlirAffineMapGetNumResults(value); ++i)
      found |= divides(mlirAffineMapGetResult(value, i));
  }
  if (!mlirAttributeIsNull(condition) &&
      mlirAttributeIsAIntegerSet(condition)) {
    MlirIntegerSet set = mlirIntegerSetAttrGetValue(condition);
    for (intptr_t i = 0; i < mlirIntegerSetGetNumConstraints(set); ++i)
      found |= divides(mlirIntegerSetGetConstraint(set, i));
  }
  return found;
}

typedef struct Search {
  const char *kind;
  int nOps;
  bool found;
  MlirLogicalResult result;
} Search;

static MlirWalkResult look(MlirOperation op, void *user) {
  Search *search = user;
  search->found |= xlaIrHasPrefix(op, "affine.") && isQuotient(op);
  return ++search->nOps > maxOps ? MlirWalkResultInterrupt
                                 : MlirWalkResultAdvance;
}

static MlirWalkResult lower(MlirOperation op, void *user) {
  Search *search = user;
  char text[128];
  if (!xlaIrIsOp(op, search->kind))
    return MlirWalkResultAdvance;
  Search inside = {.kind = search->kind};
  mlirOperationWalk(op, look, &inside, MlirWalkPreOrder);
  if (!inside.found || inside.nOps > maxOps)
    return MlirWalkResultSkip;
  snprintf(text, sizeof text,
           "%s(lower-affine,int-range-optimizations,"
           "arith-unsigned-when-equivalent)",
           search->kind);
  MlirPassManager passes = mlirPassManagerCreateOnOperation(
      mlirOperationGetContext(op),
      mlirStringRefCreateFromCString(search->kind));
  search->result =
      mlirParsePassPipeline(mlirPassManagerGetAsOpPassManager(passes),
                            mlirStringRefCreateFromCString(text), NULL, NULL);
  if (mlirLogicalResultIsSuccess(search->result))
    search->result = mlirPassManagerRunOnOp(passes, op);
  mlirPassManagerDestroy(passes);
  return mlirLogicalResultIsSuccess(search->result) ? MlirWalkResultSkip
                                                    : MlirWalkResultInterrupt;
}

MlirLogicalResult xlaAffineLowerQuotients(MlirOperation module,
                                          const char *kind) {
  Search search = {kind, 0, false, mlirLogicalResultSuccess()};
  mlirOperationWalk(module, lower, &search, MlirWalkPreOrder);
  return search.result;
}
