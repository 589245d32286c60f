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
#include "xlac/passes/arrays.h"

#include <string.h>

bool xlaIsBetweenReplicas(XlaOpKind kind) {
  return kind != XlaOpKindInvalid &&
         xlaOpGetInfo(kind)->family == XlaFamilyCollective;
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
  MlirValue zeros = xlaArrayBroadcast(ir, zero, bounds.rank, bounds.dims, NULL);
  return bounds.dynamic ? xlaArrayCutToSizes(ir, zeros, operand) : zeros;
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
