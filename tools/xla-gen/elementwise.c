//===- elementwise.c - Random elementwise operations ----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/tools/xla-gen/gen.h"

/// Operations that are often near infinity get numbers near 0, most times.
static const bool isSteep[XlaOpKindCount] = {
    [XlaOpKindExponential] = true, [XlaOpKindExponentialMinusOne] = true,
    [XlaOpKindLogistic] = true,    [XlaOpKindPower] = true,
    [XlaOpKindSine] = true,        [XlaOpKindCosine] = true,
    [XlaOpKindTan] = true,         [XlaOpKindTanh] = true,
};

static XlaGenValue tamed(XlaGen *gen, XlaGenValue x) {
  if (!xlaElementTypeIsFloat(x.shape.elementType) || !xlaGenBelow(gen, 4))
    return x;
  XlaShape scalar = xlaGenScalar(x.shape.elementType);
  XlaGenValue operands[] = {xlaGenNumber(gen, &scalar, -3), x,
                            xlaGenNumber(gen, &scalar, 3)};
  xlaGenOp(gen, XlaOpKindClamp, 3, operands, 0, NULL, 0, NULL, NULL, &x);
  return x;
}

static unsigned classesOf(XlaOpKind kind) {
  unsigned classes = xlaOpGetInfo(kind)->typeClasses;
  // XLA has no order of complex numbers, and no sign of unsigned ones.
  if (kind == XlaOpKindMaximum || kind == XlaOpKindMinimum ||
      kind == XlaOpKindClamp || kind == XlaOpKindReducePrecision)
    classes &= ~(unsigned)XlaTypeClassComplex;
  if (kind == XlaOpKindSign)
    classes &= ~(unsigned)XlaTypeClassUnsigned;
  return classes;
}

static bool unary(XlaGen *gen, XlaOpKind kind) {
  XlaGenValue x = xlaGenPick(gen, classesOf(kind));
  XlaIrAttr attrs[2];
  XlaShape stated = x.shape;
  int nAttrs = 0;
  if (kind == XlaOpKindReducePrecision) {
    attrs[nAttrs++] =
        xlaGenInteger(gen, "exponent_bits", 2 + xlaGenBelow(gen, 8));
    attrs[nAttrs++] =
        xlaGenInteger(gen, "mantissa_bits", 1 + xlaGenBelow(gen, 24));
  }
  if (kind == XlaOpKindConvert) {
    bool isComplex = xlaElementTypeIsComplex(x.shape.elementType);
    stated.elementType =
        xlaGenElementType(gen, isComplex ? XlaTypeClassComplex : ~0u);
  }
  if (isSteep[kind])
    x = tamed(gen, x);
  return xlaGenOp(gen, kind, 1, &x, nAttrs, attrs, 0, NULL,
                  kind == XlaOpKindConvert ? &stated : NULL, NULL);
}

//===----------------------------------------------------------------------===//
// Two operands
//===----------------------------------------------------------------------===//

static XlaIrAttr word(XlaGen *gen, const char *name, const char *text) {
  return (XlaIrAttr){name, xlaIrStringAttr(gen->ir.context, text)};
}

static int compareAttrs(XlaGen *gen, XlaElementType type, XlaIrAttr attrs[2]) {
  static const char *const directions[] = {"EQ", "NE", "GE", "GT", "LE", "LT"};
  XlaTypeClass typeClass = xlaElementTypeGetInfo(type)->typeClass;
  bool ordered = typeClass != XlaTypeClassComplex;
  attrs[0] = word(gen, "comparison_direction",
                  directions[xlaGenBelow(gen, ordered ? 6 : 2)]);
  if (xlaGenBelow(gen, 3))
    return 1;
  const char *kind = typeClass == XlaTypeClassSigned  ? "SIGNED"
                     : typeClass < XlaTypeClassFloat  ? "UNSIGNED"
                     : ordered && xlaGenBelow(gen, 2) ? "TOTALORDER"
                                                      : "FLOAT";
  attrs[1] = word(gen, "compare_type", kind);
  return 2;
}

/// Exponents of integers: XLA reads the lowest six bits only.
static XlaGenValue smallExponent(XlaGen *gen, XlaGenValue y) {
  XlaGenValue operands[] = {y, xlaGenNumber(gen, &y.shape, 1)};
  xlaGenOp(gen, XlaOpKindAnd, 2, operands, 0, NULL, 0, NULL, NULL, &y);
  return y;
}

/// The shape of an operand that broadcasts to x's, and the attribute for it.
static XlaShape broadcastable(XlaGen *gen, const XlaShape *x, XlaIrAttr *attr,
                              int *nAttrs) {
  XlaShape shape = *x;
  int64_t dims[XLA_MAX_RANK];
  switch (gen->scalars ? 9 : xlaGenBelow(gen, 10)) {
  case 0:
    shape.rank = 0;
    break;
  case 1: // some dimensions, in order
  case 2:
    shape.rank = 0;
    for (int i = 0; i < x->rank; ++i)
      if (xlaGenBelow(gen, 2)) {
        dims[shape.rank] = i;
        shape.dims[shape.rank++] = xlaGenBelow(gen, 4) ? x->dims[i] : 1;
      }
    if (shape.rank && shape.rank < x->rank)
      attr[(*nAttrs)++] =
          xlaGenList(gen, "broadcast_dimensions", shape.rank, dims);
    break;
  case 3:
    for (int i = 0; i < x->rank; ++i)
      if (xlaGenBelow(gen, 2))
        shape.dims[i] = 1;
    break;
  default:
    break;
  }
  return shape;
}

static bool binary(XlaGen *gen, XlaOpKind kind) {
  XlaGenValue operands[2];
  XlaIrAttr attrs[3];
  int nAttrs = 0;
  operands[0] = xlaGenPick(gen, classesOf(kind));
  if (kind == XlaOpKindCompare)
    nAttrs = compareAttrs(gen, operands[0].shape.elementType, attrs);
  XlaShape shape = broadcastable(gen, &operands[0].shape, attrs, &nAttrs);
  if (!xlaGenFits(gen, &shape))
    return false; // without an empty dimension
  operands[1] = xlaGenOfShape(gen, &shape);
  if (isSteep[kind])
    for (int i = 0; i < 2; ++i)
      operands[i] = tamed(gen, operands[i]);
  bool isInteger = xlaElementTypeIsInteger(shape.elementType);
  if (xlaGenBelow(gen, 2)) {
    XlaGenValue first = operands[0];
    operands[0] = operands[1];
    operands[1] = first;
  }
  if (kind == XlaOpKindPower && isInteger)
    operands[1] = smallExponent(gen, operands[1]);
  return xlaGenOp(gen, kind, 2, operands, nAttrs, attrs, 0, NULL, NULL, NULL);
}

//===----------------------------------------------------------------------===//
// Three operands
//===----------------------------------------------------------------------===//

static bool ternary(XlaGen *gen, XlaOpKind kind) {
  XlaGenValue x = xlaGenPick(gen, classesOf(kind));
  XlaShape other = x.shape;
  if (!xlaGenBelow(gen, 3))
    other.rank = 0;
  XlaGenValue operands[3];
  if (kind == XlaOpKindClamp) {
    operands[0] = xlaGenOfShape(gen, &other);
    operands[1] = x;
    if (!xlaGenBelow(gen, 3)) // a scalar and an array
      other.rank = other.rank ? 0 : x.shape.rank;
    operands[2] = xlaGenOfShape(gen, &other);
  } else {
    other.elementType = XlaElementTypePred;
    operands[0] = xlaGenOfShape(gen, &other);
    operands[1] = x;
    operands[2] = xlaGenOfShape(gen, &x.shape);
  }
  return xlaGenOp(gen, kind, 3, operands, 0, NULL, 0, NULL, NULL, NULL);
}

bool xlaGenElementwise(XlaGen *gen, XlaOpKind kind) {
  switch (xlaOpGetInfo(kind)->minOperands) {
  case 1:
    return unary(gen, kind);
  case 2:
    return binary(gen, kind);
  default:
    return ternary(gen, kind);
  }
}
