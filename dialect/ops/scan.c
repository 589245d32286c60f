//===- scan.c - Scans by a computation ------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/family.h"
#include "xlac/dialect/result_internal.h"

static MlirLogicalResult checkScalar(const XlaOpView *view, const char *what,
                                     intptr_t i, MlirType type,
                                     intptr_t operand) {
  XlaShape scalar, shape;
  if (failed(xlaViewGetShape(view, operand, &shape)))
    return failure();
  if (xlaShapeFromMlir(type, &scalar, NULL) && !scalar.rank &&
      scalar.elementType == shape.elementType)
    return success();
  return xlaViewError(view, "associative_scan_c3",
                      "%s %lld of the region is %s, must be a scalar of the "
                      "elements of operand %lld, %s",
                      what, (long long)i, XLA_TYPE_TEXT(type),
                      (long long)operand, XLA_SHAPE_TEXT(&shape));
}

static MlirLogicalResult checkBody(const XlaOpView *view) {
  MlirOperation terminator;
  MlirBlock block = mlirRegionGetFirstBlock(view->regions[0]);
  xlaRegionGetReturn(view->regions[0], &terminator);
  intptr_t n = view->nOperands;
  intptr_t nArguments = mlirBlockGetNumArguments(block);
  intptr_t nReturned = mlirOperationGetNumOperands(terminator);
  if (nArguments != 2 * n || nReturned != n)
    return xlaViewError(view, "associative_scan_c3",
                        "the region takes %lld scalars and returns %lld, must "
                        "take %lld and return %lld",
                        (long long)nArguments, (long long)nReturned,
                        (long long)(2 * n), (long long)n);
  for (intptr_t i = 0; i < 2 * n; ++i)
    if (failed(checkScalar(view, "argument", i,
                           mlirValueGetType(mlirBlockGetArgument(block, i)),
                           i % n)))
      return failure();
  for (intptr_t i = 0; i < n; ++i)
    if (failed(checkScalar(
            view, "result", i,
            mlirValueGetType(mlirOperationGetOperand(terminator, i)), i)))
      return failure();
  return success();
}

MlirLogicalResult xlaScanInfer(XlaOpView *view) {
  XlaShape first, shape;
  if (failed(xlaViewGetShape(view, 0, &first)))
    return failure();
  for (intptr_t i = 1; i < view->nOperands; ++i) {
    if (failed(xlaViewGetShape(view, i, &shape)))
      return failure();
    if (!xlaShapeDimsEqual(&shape, &first))
      return xlaViewError(view, "associative_scan_c1",
                          "operand %lld is %s, operand 0 is %s: the dimensions "
                          "must be the same",
                          (long long)i, XLA_SHAPE_TEXT(&shape),
                          XLA_SHAPE_TEXT(&first));
  }
  int64_t dimension = xlaViewGetI64(view, "dimension", 0);
  if (dimension < 0 || dimension >= first.rank)
    return xlaViewError(view, "associative_scan_c2",
                        "dimension is %lld, operand 0 is %s of rank %d",
                        (long long)dimension, XLA_SHAPE_TEXT(&first),
                        first.rank);
  if (failed(checkBody(view)))
    return failure();
  for (intptr_t i = 0; i < view->nOperands; ++i) {
    if (failed(xlaViewGetShape(view, i, &shape)))
      return failure();
    xlaViewAppendShape(view, &shape);
  }
  return success();
}
