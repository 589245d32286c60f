//===- bitcast_convert.c - The same bits as other elements ----------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An element of a wide type is a row of elements of a narrow one, the least
// significant bits first. Widths are those of element_type.def: pred has one
// bit.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/family.h"

/// Turns the operand's dimensions into the result's: a narrower type adds a
/// minor dimension, a wider one drops it.
MlirLogicalResult xlaBitcastConvertInfer(XlaOpView *view) {
  XlaShape shape, stated;
  if (mlirLogicalResultIsFailure(xlaViewGetBounded(view, 0, &shape)) ||
      mlirLogicalResultIsFailure(xlaViewGetStatedBounded(view, 0, &stated)))
    return mlirLogicalResultFailure();
  const XlaElementTypeInfo *from = xlaElementTypeGetInfo(shape.elementType);
  const XlaElementTypeInfo *to = xlaElementTypeGetInfo(stated.elementType);
  int wide = from->bits > to->bits ? from->bits : to->bits;
  int narrow = from->bits > to->bits ? to->bits : from->bits;
  if (wide % narrow)
    return xlaViewError(view, "bitcast_convert_c1",
                        "%s of %d bits and %s of %d bits: neither is a "
                        "multiple of the other",
                        from->name, from->bits, to->name, to->bits);
  int ratio = wide / narrow;
  if (from->bits < to->bits) {
    if (!shape.rank || shape.dims[shape.rank - 1] != ratio)
      return xlaViewError(view, "bitcast_convert_c1",
                          "an element of %s takes %d of %s, but the operand "
                          "is %s",
                          to->name, ratio, from->name, XLA_SHAPE_TEXT(&shape));
    if (xlaShapeIsDynamic(&shape, shape.rank - 1))
      return xlaViewError(view, "dynamic",
                          "dimension %d of the operand is dynamic, so it "
                          "cannot be joined into elements of %s",
                          shape.rank - 1, to->name);
    --shape.rank;
  } else if (from->bits > to->bits) {
    if (shape.rank == XLA_MAX_RANK)
      return xlaViewError(view, "bitcast_convert_c1",
                          "the result would have more than %d dimensions",
                          XLA_MAX_RANK);
    shape.dims[shape.rank++] = ratio;
  }
  shape.elementType = stated.elementType;
  return xlaViewAppendChecked(view, "bitcast_convert_c1", &shape);
}
