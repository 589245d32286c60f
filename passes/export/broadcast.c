//===- broadcast.c - Operands of other dimensions -------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/export/internal.h"

#include "mlir-c/BuiltinAttributes.h"
#include "xlac/passes/expand/broadcast.h"

/// `scalar` in the dimensions of `like`, which has dynamic ones: up to their
/// bounds, then cut to their sizes.
static MlirValue splat(XlaIr *ir, MlirValue scalar, MlirValue like) {
  XlaShape bounded, sized;
  xlaShapeFromMlirBounded(mlirValueGetType(like), &bounded, NULL);
  bounded.elementType = xlaElementTypeFromMlir(
      mlirShapedTypeGetElementType(mlirValueGetType(scalar)));
  sized = bounded;
  sized.dynamic = 0;
  XlaIrAttr none = {"broadcast_dimensions",
                    mlirDenseI64ArrayGet(ir->context, 0, NULL)};
  MlirValue value =
      xlaIrOp(ir, "xla.broadcast_in_dim", xlaShapeToMlir(&sized, ir->context),
              1, &scalar, 1, &none);
  XlaShape size = {.elementType = XlaElementTypeS32};
  for (int d = 0; d < bounded.rank; ++d) {
    if (!xlaShapeIsDynamic(&bounded, d))
      continue;
    XlaIrAttr dimension = {"dimension", xlaIrI64Attr(ir->context, d)};
    MlirValue operands[] = {value, xlaIrOp(ir, "xla.get_dimension_size",
                                           xlaShapeToMlir(&size, ir->context),
                                           1, &like, 1, &dimension)};
    xlaShapeSetDynamic(&sized, d, true);
    value = xlaIrOp(ir, "xla.set_dimension_size",
                    xlaShapeToMlirBounded(&sized, ir->context), 2, operands, 1,
                    &dimension);
  }
  return value;
}

static bool isScalar(MlirValue value) {
  XlaShape shape;
  return xlaShapeFromMlir(mlirValueGetType(value), &shape, NULL) && !shape.rank;
}

XlaImportResult xlaExportBroadcasts(MlirOperation op) {
  MlirType types[2];
  xlaBroadcastOperands(op);
  for (int i = 0; i < 2; ++i) {
    MlirValue value = mlirOperationGetOperand(op, i);
    MlirValue other = mlirOperationGetOperand(op, 1 - i);
    if (isScalar(value) && xlaTypeIsDynamic(mlirValueGetType(other))) {
      XlaIr ir = xlaIrBefore(op);
      mlirOperationSetOperand(op, i, splat(&ir, value, other));
    }
  }
  for (int i = 0; i < 2; ++i)
    types[i] = mlirValueGetType(mlirOperationGetOperand(op, i));
  return xlaTypeEqualIgnoringLayout(types[0], types[1])
             ? XlaImportResultOk
             : xlaExportRefuse(op,
                               "it broadcasts operands of dynamic sizes, %s "
                               "and %s",
                               XLA_TYPE_TEXT(types[0]),
                               XLA_TYPE_TEXT(types[1]));
}
