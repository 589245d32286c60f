//===- single_replica.c - Programs of one replica -------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/expand/single_replica.h"

#include "xlac/dialect/literal.h"
#include "xlac/dialect/ops/groups.h"
#include "xlac/dialect/result_internal.h"

#include <string.h>

bool xlaIsBetweenReplicas(XlaOpKind kind) {
  return kind != XlaOpKindInvalid &&
         xlaOpGetInfo(kind)->family == XlaFamilyCollective;
}

/// `array` with the sizes that `like` has in its dynamic dimensions.
static MlirValue setSizes(XlaIr *ir, MlirValue array, MlirValue like) {
  XlaShape scalar = {.elementType = XlaElementTypeS32}, bounds, shape;
  xlaShapeFromMlirBounded(mlirValueGetType(like), &bounds, NULL);
  xlaShapeFromMlirBounded(mlirValueGetType(array), &shape, NULL);
  for (int d = 0; d < bounds.rank; ++d) {
    if (!xlaShapeIsDynamic(&bounds, d))
      continue;
    XlaIrAttr attr = {"dimension", xlaIrI64Attr(ir->context, d)};
    MlirValue operands[] = {array, xlaIrOp(ir, "xla.get_dimension_size",
                                           xlaShapeToMlir(&scalar, ir->context),
                                           1, &like, 1, &attr)};
    xlaShapeSetDynamic(&shape, d, true);
    array = xlaIrOp(ir, "xla.set_dimension_size",
                    xlaShapeToMlirBounded(&shape, ir->context), 2, operands, 1,
                    &attr);
  }
  return array;
}

/// An array of zeros, of the sizes of `operand` where `type` is dynamic; null
/// without memory.
static MlirValue makeZeros(XlaIr *ir, MlirType type, MlirValue operand) {
  XlaShape bounds, scalar;
  xlaShapeFromMlirBounded(type, &bounds, NULL);
  scalar = bounds;
  scalar.rank = 0;
  scalar.dynamic = 0;
  XlaLiteral *literal = xlaLiteralCreateArray(&scalar);
  if (!literal)
    return (MlirValue){NULL};
  XlaIrAttr value = {"value", xlaLiteralToAttribute(literal, ir->context)};
  xlaLiteralRelease(literal);
  MlirValue zero =
      xlaIrOp(ir, "xla.constant", xlaShapeToMlir(&scalar, ir->context), 0, NULL,
              1, &value);
  XlaIrAttr dims = {"broadcast_dimensions",
                    mlirDenseI64ArrayGet(ir->context, 0, NULL)};
  MlirValue zeros =
      xlaIrOp(ir, "xla.broadcast_in_dim", xlaShapeToMlir(&bounds, ir->context),
              1, &zero, 1, &dims);
  return bounds.dynamic ? setSizes(ir, zeros, operand) : zeros;
}

/// The operand, in the result's element type.
static MlirLogicalResult passOn(MlirOperation op, XlaIr *ir, MlirValue operand,
                                MlirType type, MlirValue *result) {
  XlaShape from, to;
  MlirType given = mlirValueGetType(operand);
  xlaShapeFromMlir(given, &from, NULL);
  xlaShapeFromMlir(type, &to, NULL);
  if (failed(xlaCollectiveCheckSize(op, 1, &from, &to)))
    return failure();
  *result = from.elementType == to.elementType
                ? operand
                : xlaIrCast(ir, "xla.convert", operand, type);
  return success();
}

MlirLogicalResult xlaSingleReplicaExpand(MlirOperation op, XlaIr *ir,
                                         intptr_t n, const MlirValue *operands,
                                         const MlirType *types,
                                         MlirValue *results) {
  XlaOpKind kind = xlaOpGetKind(op);
  bool zeros = kind == XlaOpKindReplicaId || kind == XlaOpKindPartitionId;
  if (!zeros && failed(xlaCollectiveCheckAlone(op, &zeros)))
    return failure();
  for (intptr_t i = 0; i < n; ++i) {
    if (!zeros) {
      if (failed(passOn(op, ir, operands[i], types[i], &results[i])))
        return failure();
      continue;
    }
    results[i] =
        makeZeros(ir, types[i],
                  xlaTypeIsDynamic(types[i]) ? operands[i] : (MlirValue){NULL});
    if (mlirValueIsNull(results[i]))
      return xlaOpNoMemory(op);
  }
  return success();
}
