//===- broadcast.c - Operands of other dimensions -------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/export/internal.h"

#include "xlac/passes/arrays.h"
#include "xlac/passes/expand/broadcast.h"

/// `scalar` in the dimensions of `like`, which has dynamic ones: up to their
/// bounds, then cut to their sizes.
static MlirValue splat(XlaIr *ir, MlirValue scalar, MlirValue like) {
  XlaShape bounds;
  xlaShapeFromMlirBounded(mlirValueGetType(like), &bounds, NULL);
  MlirValue value =
      xlaArrayBroadcast(ir, scalar, bounds.rank, bounds.dims, NULL);
  return xlaArrayCutToSizes(ir, value, like);
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
