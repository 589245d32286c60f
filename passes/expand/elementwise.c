//===- elementwise.c - Elementwise operations as formulas -----------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/result_internal.h"
#include "xlac/passes/expand/expand.h"
#include "xlac/passes/expand/formula.h"
#include "xlac/passes/passes.h"

#define PRED XlaTypeClassPred
#define SIGNED XlaTypeClassSigned
#define UNSIGNED XlaTypeClassUnsigned
#define INTEGER (SIGNED | UNSIGNED)
#define FLOAT XlaTypeClassFloat
#define COMPLEX XlaTypeClassComplex

static const XlaExpansion expansions[] = {
#define XLA_EXPANSION(Operation, classes, units, formula)                      \
  {XlaOpKind##Operation, classes, units, formula},
#include "xlac/passes/expand/expand.def"
};

const XlaExpansion *xlaExpansionFind(XlaOpKind kind, XlaElementType type) {
  for (size_t i = 0; i < sizeof expansions / sizeof *expansions; ++i)
    if (expansions[i].kind == kind &&
        (type == XlaElementTypeInvalid ||
         expansions[i].classes & xlaElementTypeGetInfo(type)->typeClass))
      return &expansions[i];
  return NULL;
}

MlirLogicalResult xlaExpandFormula(XlaIr *ir, MlirOperation op,
                                   MlirValue *results) {
  MlirExtPassOptionValues none = {NULL};
  MlirValue inputs[3];
  XlaShape shape = xlaArrayShape(mlirOperationGetResult(op, 0));
  XlaElementType type = shape.elementType;
  int n = (int)mlirOperationGetNumOperands(op);
  XlaElementType given =
      xlaArrayShape(mlirOperationGetOperand(op, n - 1)).elementType;
  const XlaExpansion *expansion = xlaExpansionFind(xlaOpGetKind(op), given);
  xlaPassExplicitBroadcast(op, none, NULL);
  shape.elementType = given;
  if (xlaElementTypeIsFloat(given) && xlaElementTypeGetInfo(given)->bits < 32)
    shape.elementType = XlaElementTypeF32;
  for (int i = 0; i < n; ++i)
    inputs[i] =
        xlaArrayConvert(ir, mlirOperationGetOperand(op, i), shape.elementType);
  xlaFormulaBuild(ir, &shape, expansion->formula, n, inputs, 1, results);
  if (type != XlaElementTypePred || given == XlaElementTypePred)
    results[0] = xlaArrayConvert(ir, results[0], type);
  return success();
}
