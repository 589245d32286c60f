//===- explicit_broadcast.c - Broadcasts as operations --------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elementwise operations may take operands of other shapes (specification 003;
// clamp and select take scalars). Afterwards every elementwise operation has
// operands of its result's dimensions, which is what fusion and lowering
// expect.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/ir.h"
#include "xlac/dialect/ops/broadcast.h"
#include "xlac/passes/expand/broadcast.h"
#include "xlac/passes/passes.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <string.h>

/// A size-1 dimension that grows is dropped by a reshape first:
/// broadcast_in_dim would take it, but what is left is then a plain projection.
static MlirValue broadcast(MlirOperation user, MlirValue value,
                           const XlaShape *from, const XlaShape *to,
                           const XlaI64List *dimensions) {
  int64_t map[XLA_MAX_RANK], kept[XLA_MAX_RANK];
  xlaBroadcastGetMap(from, to, dimensions, map);
  XlaShape squeezed = *from, result = *to;
  squeezed.rank = 0;
  result.elementType = from->elementType;
  for (int i = 0; i < from->rank; ++i)
    if (from->dims[i] == to->dims[map[i]]) {
      kept[squeezed.rank] = map[i];
      squeezed.dims[squeezed.rank++] = from->dims[i];
    }
  XlaIr ir = xlaIrBefore(user);
  if (squeezed.rank != from->rank)
    value = xlaIrCast(&ir, "xla.reshape", value,
                      xlaShapeToMlir(&squeezed, ir.context));
  return xlaIrOp(
      &ir, "xla.broadcast_in_dim", xlaShapeToMlir(&result, ir.context), 1,
      &value, 1,
      &(XlaIrAttr){"broadcast_dimensions",
                   mlirDenseI64ArrayGet(ir.context, squeezed.rank, kept)});
}

void xlaBroadcastOperands(MlirOperation op) {
  XlaShape result, operand;
  if (!xlaShapeFromMlir(mlirValueGetType(mlirOperationGetResult(op, 0)),
                        &result, NULL))
    return;
  XlaI64List dimensions = {.size = 0};
  MlirStringRef name = mlirStringRefCreateFromCString("broadcast_dimensions");
  if (xlaOpGetInfo(xlaOpGetKind(op))->maxOperands == 2)
    xlaOpGetList(op, "broadcast_dimensions", &dimensions);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue value = mlirOperationGetOperand(op, i);
    if (xlaShapeFromMlir(mlirValueGetType(value), &operand, NULL) &&
        !xlaShapeDimsEqual(&operand, &result))
      mlirOperationSetOperand(
          op, i, broadcast(op, value, &operand, &result, &dimensions));
  }
  if (!mlirAttributeIsNull(mlirOperationGetAttributeByName(op, name)))
    mlirOperationRemoveAttributeByName(op, name);
}

static MlirWalkResult visit(MlirOperation op, void *data) {
  (void)data;
  XlaOpKind kind = xlaOpGetKind(op);
  if (kind != XlaOpKindInvalid &&
      xlaOpGetInfo(kind)->family == XlaFamilyElementwise)
    xlaBroadcastOperands(op);
  return MlirWalkResultAdvance;
}

MlirLogicalResult xlaPassExplicitBroadcast(MlirOperation module,
                                           MlirExtPassOptionValues options,
                                           void *userData) {
  (void)options;
  (void)userData;
  mlirOperationWalk(module, visit, NULL, MlirWalkPostOrder);
  return mlirLogicalResultSuccess();
}
