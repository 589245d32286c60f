//===- sort.c - Sorting by a comparator -----------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The older form (002) has no comparator: one operand ascends, floats in total
// order.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/family.h"
#include "xlac/dialect/result_internal.h"

static MlirLogicalResult checkComparator(const XlaOpView *view) {
  MlirOperation terminator;
  MlirBlock block = mlirRegionGetFirstBlock(view->regions[0]);
  xlaRegionGetReturn(view->regions[0], &terminator);
  intptr_t nArguments = mlirBlockGetNumArguments(block);
  intptr_t nReturned = mlirOperationGetNumOperands(terminator);
  XlaShape shape, operand;
  if (nArguments != 2 * view->nOperands || nReturned != 1)
    return xlaViewError(view, "sort_c5",
                        "the comparator takes %lld scalars and returns %lld "
                        "values, must take %lld and return one",
                        (long long)nArguments, (long long)nReturned,
                        (long long)(2 * view->nOperands));
  for (intptr_t i = 0; i < nArguments; ++i) {
    MlirType type = mlirValueGetType(mlirBlockGetArgument(block, i));
    if (failed(xlaViewGetBounded(view, i / 2, &operand)))
      return failure();
    if (!xlaShapeFromMlir(type, &shape, NULL) || shape.rank ||
        shape.elementType != operand.elementType)
      return xlaViewError(view, "sort_c5",
                          "argument %lld of the comparator is %s, must be a "
                          "scalar of the elements of operand %lld, %s",
                          (long long)i, XLA_TYPE_TEXT(type), (long long)(i / 2),
                          XLA_SHAPE_TEXT(&operand));
  }
  MlirType type = mlirValueGetType(mlirOperationGetOperand(terminator, 0));
  if (!xlaShapeFromMlir(type, &shape, NULL) || shape.rank ||
      shape.elementType != XlaElementTypePred)
    return xlaViewError(view, "sort_c5",
                        "the comparator returns %s, must return tensor<i1>",
                        XLA_TYPE_TEXT(type));
  return success();
}

/// The older form.
static MlirLogicalResult checkImplicit(const XlaOpView *view,
                                       const XlaShape *operand) {
  if (view->nOperands > 1)
    return xlaViewError(view, "sort_c5",
                        "has %lld operands and no comparator; only one can be "
                        "sorted without",
                        (long long)view->nOperands);
  if (xlaElementTypeIsComplex(operand->elementType))
    return xlaViewError(view, "sort_c5",
                        "has no comparator; complex numbers as in %s have no "
                        "order of their own",
                        XLA_SHAPE_TEXT(operand));
  return success();
}

MlirLogicalResult xlaSortInfer(XlaOpView *view) {
  XlaShape first, shape;
  if (failed(xlaViewGetBounded(view, 0, &first)))
    return failure();
  for (intptr_t i = 1; i < view->nOperands; ++i) {
    if (failed(xlaViewGetBounded(view, i, &shape)))
      return failure();
    if (!xlaShapeDimsEqual(&shape, &first))
      return xlaViewError(view, "sort_c3",
                          "operand %lld is %s, operand 0 is %s: the dimensions "
                          "must be the same",
                          (long long)i, XLA_SHAPE_TEXT(&shape),
                          XLA_SHAPE_TEXT(&first));
  }
  int64_t dimension = xlaViewGetI64(view, "dimension", -1);
  if (dimension < -first.rank || dimension >= first.rank)
    return xlaViewError(
        view, "sort_c4", "dimension is %lld, operand 0 is %s of rank %d",
        (long long)dimension, XLA_SHAPE_TEXT(&first), first.rank);
  if (failed(view->nRegions ? checkComparator(view)
                            : checkImplicit(view, &first)))
    return failure();
  for (intptr_t i = 0; i < view->nOperands; ++i) {
    if (failed(xlaViewGetBounded(view, i, &shape)))
      return failure();
    xlaViewAppendBounded(view, &shape);
  }
  return success();
}
