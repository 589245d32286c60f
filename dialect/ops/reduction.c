//===- reduction.c - What reductions have in common -----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/ops/reduction.h"

#include "xlac/dialect/result_internal.h"

static MlirType argumentType(MlirBlock block, intptr_t i) {
  return mlirValueGetType(mlirBlockGetArgument(block, i));
}

static bool isScalar(MlirType type, XlaShape *shape) {
  return xlaShapeFromMlir(type, shape, NULL) && !shape->rank;
}

MlirLogicalResult xlaReductionCheckOperands(const XlaOpView *view,
                                            const XlaReductionLabels *labels,
                                            XlaShape *first) {
  intptr_t n = view->nOperands / 2;
  if (view->nOperands % 2)
    return xlaViewError(view, labels->count,
                        "has %lld operands; every array needs an init value",
                        (long long)view->nOperands);
  if (failed(xlaViewGetBounded(view, 0, first)))
    return failure();
  for (intptr_t i = 0; i < n; ++i) {
    XlaShape array, init;
    if (failed(xlaViewGetBounded(view, i, &array)) ||
        failed(xlaViewGetShape(view, n + i, &init)))
      return failure();
    if (!xlaShapeDimsEqual(&array, first))
      return xlaViewError(view, labels->dims,
                          "operand %lld is %s, operand 0 is %s: the dimensions "
                          "must be the same",
                          (long long)i, XLA_SHAPE_TEXT(&array),
                          XLA_SHAPE_TEXT(first));
    first->dynamic |= array.dynamic;
    if (init.rank || init.elementType != array.elementType)
      return xlaViewError(view, labels->init,
                          "init value %lld is %s, must be a scalar of the "
                          "elements of %s",
                          (long long)i, XLA_SHAPE_TEXT(&init),
                          XLA_SHAPE_TEXT(&array));
  }
  return success();
}

/// Argument `i` of 2N, and result `i` of N, have the type that operand `i % N`
/// accumulates in, which result `i` of the region states.
MlirLogicalResult xlaReductionCheckBody(const XlaOpView *view,
                                        const XlaReductionLabels *labels) {
  intptr_t n = view->nOperands / 2;
  MlirOperation terminator;
  MlirBlock block = mlirRegionGetFirstBlock(view->regions[0]);
  xlaRegionGetReturn(view->regions[0], &terminator);
  intptr_t nArguments = mlirBlockGetNumArguments(block);
  intptr_t nReturned = mlirOperationGetNumOperands(terminator);
  if (nArguments != 2 * n || nReturned != n)
    return xlaViewError(view, labels->body,
                        "the region takes %lld scalars and returns %lld, must "
                        "take %lld and return %lld",
                        (long long)nArguments, (long long)nReturned,
                        (long long)(2 * n), (long long)n);
  for (intptr_t i = 0; i < 2 * n; ++i) {
    MlirType returned =
        mlirValueGetType(mlirOperationGetOperand(terminator, i % n));
    MlirType argument = argumentType(block, i);
    XlaShape type, operand;
    if (!isScalar(returned, &type))
      return xlaViewError(view, labels->body,
                          "the region returns %s as result %lld, not a scalar",
                          XLA_TYPE_TEXT(returned), (long long)(i % n));
    if (!xlaTypeEqualIgnoringLayout(argument, returned))
      return xlaViewError(view, labels->body,
                          "argument %lld of the region is %s, result %lld is "
                          "%s",
                          (long long)i, XLA_TYPE_TEXT(argument),
                          (long long)(i % n), XLA_TYPE_TEXT(returned));
    if (failed(xlaViewGetBounded(view, i % n, &operand)))
      return failure();
    if (!xlaElementTypeIsPromotable(operand.elementType, type.elementType))
      return xlaViewError(view, labels->body,
                          "operand %lld is %s, whose elements cannot be "
                          "accumulated as %s",
                          (long long)(i % n), XLA_SHAPE_TEXT(&operand),
                          xlaElementTypeGetInfo(type.elementType)->name);
  }
  return success();
}

MlirLogicalResult xlaReductionAppendResults(XlaOpView *view,
                                            const XlaShape *dims) {
  MlirBlock block = mlirRegionGetFirstBlock(view->regions[0]);
  XlaShape result = *dims, type;
  for (intptr_t i = 0; i < view->nOperands / 2; ++i) {
    isScalar(argumentType(block, i), &type);
    result.elementType = type.elementType;
    if (failed(xlaViewAppendChecked(view, NULL, &result)))
      return failure();
  }
  return success();
}
