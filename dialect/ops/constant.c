//===- constant.c - Constants and iota ------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/family.h"
#include "xlac/dialect/mlir-c-ext/ext.h"

#include "mlir-c/BuiltinAttributes.h"

/// MLIR's parser takes dense<(1.0, 2.0)> for an array of real numbers as well.
/// i1 are packed into bits.
static bool hasItsBytes(MlirAttribute dense, const XlaShape *shape) {
  int64_t count;
  if (!xlaShapeGetElementCount(shape, &count) || !count)
    return true;
  if (mlirDenseElementsAttrIsSplat(dense))
    count = 1;
  int64_t bytes =
      shape->elementType == XlaElementTypePred
          ? (count + 7) / 8
          : count * xlaElementTypeGetInfo(shape->elementType)->bytes;
  return mlirExtDenseGetRawData(dense).length == (size_t)bytes;
}

static MlirLogicalResult inferConstant(XlaOpView *view) {
  XlaShape shape;
  const char *reason;
  MlirAttribute value = xlaViewGetAttr(view, "value");
  MlirType type = mlirAttributeGetType(value);
  if (!xlaShapeFromMlir(type, &shape, &reason))
    return xlaViewError(view, "constant_c1", "the value's type, %s, %s",
                        XLA_TYPE_TEXT(type), reason);
  if (mlirAttributeIsADenseElements(value) && !hasItsBytes(value, &shape))
    return xlaViewError(view, "constant_c1",
                        "the value has more or fewer numbers than its type, %s",
                        XLA_TYPE_TEXT(type));
  xlaViewAppendShape(view, &shape);
  return mlirLogicalResultSuccess();
}

static MlirLogicalResult inferIota(XlaOpView *view) {
  XlaShape shape;
  int64_t dimension = xlaViewGetI64(view, "iota_dimension", 0);
  if (mlirLogicalResultIsFailure(xlaViewGetStatedShape(view, 0, &shape)))
    return mlirLogicalResultFailure();
  if (dimension < 0 || dimension >= shape.rank)
    return xlaViewError(view, "iota_c1",
                        "iota_dimension is %lld, the result has rank %d",
                        (long long)dimension, shape.rank);
  xlaViewAppendShape(view, &shape);
  return mlirLogicalResultSuccess();
}

MlirLogicalResult xlaConstantInfer(XlaOpView *view) {
  return view->kind == XlaOpKindIota ? inferIota(view) : inferConstant(view);
}
