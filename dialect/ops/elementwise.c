//===- elementwise.c - Elementwise operations -----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shapes by the rules of specification 003: equal ranks broadcast dimensions of
// size 1; a scalar goes with anything; other ranks need broadcast_dimensions.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/family.h"
#include "xlac/dialect/ops/broadcast.h"
#include "xlac/dialect/result_internal.h"

#include "mlir-c/BuiltinAttributes.h"

#include <string.h>

static MlirLogicalResult inferUnary(XlaOpView *view) {
  XlaShape shape;
  if (failed(xlaViewGetBounded(view, 0, &shape)))
    return failure();
  if (view->kind == XlaOpKindIsFinite)
    shape.elementType = XlaElementTypePred;
  if (view->kind == XlaOpKindAbs || view->kind == XlaOpKindReal ||
      view->kind == XlaOpKindImag)
    shape.elementType = xlaElementTypeReal(shape.elementType);
  xlaViewAppendBounded(view, &shape);
  return success();
}

/// The words of compare_type must fit the operands.
static MlirLogicalResult checkCompareType(const XlaOpView *view,
                                          XlaElementType type) {
  MlirAttribute attr = xlaViewGetAttr(view, "compare_type");
  MlirStringRef direction =
      mlirStringAttrGetValue(xlaViewGetAttr(view, "comparison_direction"));
  if (xlaElementTypeIsComplex(type) && strncmp(direction.data, "EQ", 2) &&
      strncmp(direction.data, "NE", 2))
    return xlaViewError(view, "compare_c4",
                        "complex numbers have no order: %.*s is not defined",
                        (int)direction.length, direction.data);
  if (mlirAttributeIsNull(attr))
    return success();
  XlaTypeClass typeClass = xlaElementTypeGetInfo(type)->typeClass;
  MlirStringRef word = mlirStringAttrGetValue(attr);
  unsigned allowed =
      word.data[0] == 'S'   ? XlaTypeClassSigned
      : word.data[0] == 'U' ? XlaTypeClassUnsigned | XlaTypeClassPred
      : word.data[0] == 'T' ? XlaTypeClassFloat
                            : XlaTypeClassFloat | XlaTypeClassComplex;
  if (typeClass & allowed)
    return success();
  return xlaViewError(view, "compare_c3", "compare_type %.*s does not fit %s",
                      (int)word.length, word.data,
                      xlaElementTypeGetInfo(type)->name);
}

static MlirLogicalResult inferBinary(XlaOpView *view) {
  XlaShape lhs, rhs, result;
  if (failed(xlaViewGetBounded(view, 0, &lhs)) ||
      failed(xlaViewGetBounded(view, 1, &rhs)))
    return failure();
  if (lhs.elementType != rhs.elementType)
    return xlaViewError(view, "binary_c1",
                        "element type of lhs is %s, of rhs %s",
                        xlaElementTypeGetInfo(lhs.elementType)->name,
                        xlaElementTypeGetInfo(rhs.elementType)->name);
  if (failed(xlaBroadcastInfer(view, &lhs, &rhs, &result)))
    return failure();
  if (view->kind == XlaOpKindCompare) {
    if (failed(checkCompareType(view, lhs.elementType)))
      return failure();
    result.elementType = XlaElementTypePred;
  }
  if (view->kind == XlaOpKindComplex) {
    if (lhs.elementType != XlaElementTypeF32 &&
        lhs.elementType != XlaElementTypeF64)
      return xlaViewError(view, "complex_c1", "parts are f32 or f64, not %s",
                          xlaElementTypeGetInfo(lhs.elementType)->name);
    result.elementType = lhs.elementType == XlaElementTypeF32
                             ? XlaElementTypeC64
                             : XlaElementTypeC128;
  }
  xlaViewAppendBounded(view, &result);
  return success();
}

static MlirLogicalResult inferClamp(XlaOpView *view) {
  static const char *const names[] = {"low", "operand", "high"};
  XlaShape shapes[3];
  for (int i = 0; i < 3; ++i)
    if (failed(xlaViewGetBounded(view, i, &shapes[i])))
      return failure();
  for (int i = 0; i < 3; i += 2) {
    if (shapes[i].elementType != shapes[1].elementType)
      return xlaViewError(view, "clamp_c3", "%s is %s, operand is %s", names[i],
                          XLA_SHAPE_TEXT(&shapes[i]),
                          XLA_SHAPE_TEXT(&shapes[1]));
    if (shapes[i].rank && !xlaShapeDimsEqual(&shapes[i], &shapes[1]))
      return xlaViewError(view, i ? "clamp_c2" : "clamp_c1",
                          "%s is %s, neither a scalar nor of the operand's "
                          "shape %s",
                          names[i], XLA_SHAPE_TEXT(&shapes[i]),
                          XLA_SHAPE_TEXT(&shapes[1]));
    shapes[1].dynamic |= shapes[i].dynamic;
  }
  xlaViewAppendBounded(view, &shapes[1]);
  return success();
}

static MlirLogicalResult inferSelect(XlaOpView *view) {
  XlaShape pred, value;
  if (failed(xlaViewGetBounded(view, 0, &pred)))
    return failure();
  if (pred.elementType != XlaElementTypePred)
    return xlaViewError(view, "select_c1", "the first operand is %s, not pred",
                        XLA_SHAPE_TEXT(&pred));
  if (!xlaTypeEqualIgnoringLayout(view->operands[1], view->operands[2]))
    return xlaViewError(view, "select_c2", "on_true is %s, on_false is %s",
                        XLA_TYPE_TEXT(view->operands[1]),
                        XLA_TYPE_TEXT(view->operands[2]));
  if (pred.rank) {
    if (failed(xlaViewGetBounded(view, 1, &value)))
      return failure();
    if (!xlaShapeDimsEqual(&pred, &value))
      return xlaViewError(view, "select_c1",
                          "pred is %s, neither a scalar nor of the shape of %s",
                          XLA_SHAPE_TEXT(&pred), XLA_SHAPE_TEXT(&value));
  }
  xlaViewAppendResult(view, xlaTypeWithoutLayout(view->operands[1]));
  return success();
}

static MlirLogicalResult inferConvert(XlaOpView *view) {
  XlaShape operand, stated;
  if (failed(xlaViewGetBounded(view, 0, &operand)) ||
      failed(xlaViewGetStatedBounded(view, 0, &stated)))
    return failure();
  operand.elementType = stated.elementType;
  xlaViewAppendBounded(view, &operand);
  return success();
}

static MlirLogicalResult inferReducePrecision(XlaOpView *view) {
  int64_t exponent = xlaViewGetI64(view, "exponent_bits", 0);
  int64_t mantissa = xlaViewGetI64(view, "mantissa_bits", 0);
  if (exponent < 1)
    return xlaViewError(view, "reduce_precision_c2",
                        "exponent_bits is %lld, must be at least 1",
                        (long long)exponent);
  if (mantissa < 0)
    return xlaViewError(view, "reduce_precision_c3",
                        "mantissa_bits is %lld, must not be negative",
                        (long long)mantissa);
  return inferUnary(view);
}

MlirLogicalResult xlaElementwiseInfer(XlaOpView *view) {
  static MlirLogicalResult (*const hooks[XlaOpKindCount])(XlaOpView *) = {
      [XlaOpKindClamp] = inferClamp,
      [XlaOpKindConvert] = inferConvert,
      [XlaOpKindReducePrecision] = inferReducePrecision,
      [XlaOpKindSelect] = inferSelect,
  };
  if (hooks[view->kind])
    return hooks[view->kind](view);
  return view->nOperands == 2 ? inferBinary(view) : inferUnary(view);
}
