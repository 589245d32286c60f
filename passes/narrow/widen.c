//===- widen.c - Functions without narrow types ---------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/narrow/widen.h"
#include "xlac/passes/narrow/narrow.h"
#include "xlac/passes/retype.h"

#include "mlir-c/BuiltinTypes.h"

bool xlaElementTypeIsNarrow(XlaElementType type) {
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(type);
  return xlaElementTypeIsFloat(type)
             ? info->bits <= 8
             : xlaElementTypeIsInteger(type) && info->bits < 8;
}

bool xlaTypeIsNarrow(MlirType type) {
  XlaShape shape;
  return xlaShapeFromMlir(type, &shape, NULL) &&
         xlaElementTypeIsNarrow(shape.elementType);
}

XlaElementType xlaNarrowStored(XlaElementType type) {
  return xlaElementTypeGetInfo(type)->typeClass == XlaTypeClassSigned
             ? XlaElementTypeS8
             : XlaElementTypeU8;
}

XlaElementType xlaNarrowComputed(XlaElementType type) {
  return xlaElementTypeIsFloat(type) ? XlaElementTypeF32
                                     : xlaNarrowStored(type);
}

MlirType xlaNarrowWith(MlirType array, XlaElementType element) {
  XlaShape shape;
  xlaShapeFromMlir(array, &shape, NULL);
  shape.elementType = element;
  return xlaShapeToMlir(&shape, mlirTypeGetContext(array));
}

static XlaElementType elementOf(MlirType array) {
  XlaShape shape;
  xlaShapeFromMlir(array, &shape, NULL);
  return shape.elementType;
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

/// In computations the values themselves are passed on, without rounding floats
/// in between, as sums of other floats below f32 are not.
static int getTypes(const XlaFlatten *r, MlirType type, MlirType types[2]) {
  if (!xlaTypeIsNarrow(type))
    return 0;
  XlaElementType element = elementOf(type);
  types[0] = xlaNarrowWith(type, r->computes ? xlaNarrowComputed(element)
                                             : xlaNarrowStored(element));
  return 1;
}

MlirValue xlaNarrowLowerBits(XlaIr *ir, XlaElementType type, MlirValue bytes) {
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(type);
  if (xlaElementTypeIsInteger(type))
    return xlaNarrowWrap(ir, type, bytes);
  return info->bits == 8
             ? bytes
             : xlaIrBinary(
                   ir, "xla.and", bytes,
                   xlaArrayInteger(ir, bytes, (UINT64_C(1) << info->bits) - 1));
}

/// Programs get bytes of which upper bits may be anything.
static void enter(XlaIr *ir, MlirValue value, MlirValue leaves[2]) {
  XlaElementType type = elementOf(mlirValueGetType(value));
  leaves[0] = xlaNarrowLowerBits(
      ir, type, xlaArrayCast(ir, "xla.bitcast", value, xlaNarrowStored(type)));
}

static MlirValue leave(XlaIr *ir, const MlirValue *leaves, MlirType type) {
  return xlaIrCast(ir, "xla.bitcast", leaves[0], type);
}

static MlirWalkResult look(MlirOperation op, void *user) {
  bool *found = user;
  *found = xlaRetypeTouches(op, xlaTypeIsNarrow);
  return *found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

MlirLogicalResult xlaWidenNarrow(MlirOperation function) {
  static const XlaRetype bytes = {.getTypes = getTypes,
                                  .enter = enter,
                                  .leave = leave,
                                  .isWritten = xlaNarrowIsWritten,
                                  .emit = xlaNarrowEmit};
  bool found = false;
  mlirOperationWalk(function, look, &found, MlirWalkPreOrder);
  return found ? xlaRetypeFunction(function, &bytes)
               : mlirLogicalResultSuccess();
}
