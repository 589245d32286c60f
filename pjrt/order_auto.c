//===- order_auto.c - Layouts that the compiler chooses -------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/pjrt/internal.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "xlac/dialect/ir.h"
#include "xlac/dialect/op.h"

#include <string.h>

static bool isElementwise(MlirOperation op) {
  static const char prefix[] = "stablehlo.";
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  size_t skipped = sizeof prefix - 1;
  if (!xlaIrHasPrefix(op, prefix))
    return false;
  XlaOpKind kind =
      xlaOpKindFromName(name.data + skipped, name.length - skipped);
  return kind != XlaOpKindInvalid &&
         xlaOpGetInfo(kind)->family == XlaFamilyElementwise;
}

static bool isOfSizes(MlirType type, MlirType like) {
  intptr_t rank = mlirShapedTypeGetRank(like);
  bool isSame =
      mlirTypeIsARankedTensor(type) && mlirShapedTypeGetRank(type) == rank;
  for (intptr_t d = 0; isSame && d < rank; ++d)
    isSame =
        mlirShapedTypeGetDimSize(type, d) == mlirShapedTypeGetDimSize(like, d);
  return isSame;
}

static MlirOperation producer(MlirValue value) {
  return mlirValueIsAOpResult(value) ? mlirOpResultGetOwner(value)
                                     : (MlirOperation){NULL};
}

/// The operand that an elementwise operation reads in memory: one of the sizes
/// of `type`, its result, that is neither a constant nor made of fewer
/// elements; null if there is none.
static MlirValue readBy(MlirOperation op, MlirType type) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    MlirOperation from = producer(operand);
    bool isMade = !mlirOperationIsNull(from) &&
                  (xlaIrIsOp(from, "stablehlo.constant") ||
                   xlaIrIsOp(from, "stablehlo.broadcast_in_dim"));
    if (!isMade && isOfSizes(mlirValueGetType(operand), type))
      return operand;
  }
  return (MlirValue){NULL};
}

/// Reads the permutation of a transpose of `rank` dimensions; false for one
/// that is none, as programs are not verified yet.
static bool readPermutation(MlirOperation op, intptr_t rank, int64_t *dims) {
  MlirAttribute said = xlaOpGetAttr(op, "permutation");
  uint32_t seen = 0;
  if (mlirOperationGetNumOperands(op) != 1)
    return false;
  MlirType from = mlirValueGetType(mlirOperationGetOperand(op, 0));
  if (!mlirTypeIsARankedTensor(from) || mlirShapedTypeGetRank(from) != rank ||
      mlirAttributeIsNull(said) || !mlirAttributeIsADenseI64Array(said) ||
      mlirDenseArrayGetNumElements(said) != rank)
    return false;
  for (intptr_t i = 0; i < rank; ++i) {
    dims[i] = mlirDenseI64ArrayGetElement(said, i);
    if (dims[i] < 0 || dims[i] >= rank || seen >> dims[i] & 1)
      return false;
    seen |= 1u << dims[i];
  }
  return true;
}

void xlaPjrtOrderChoose(MlirOperation function, intptr_t result,
                        const XlaPjrtOrders *orders, XlaPjrtOrder *order) {
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  MlirValue value =
      mlirOperationGetOperand(mlirBlockGetTerminator(body), result);
  MlirType type = mlirValueGetType(value);
  if (!mlirTypeIsARankedTensor(type) || !mlirShapedTypeHasStaticShape(type) ||
      mlirShapedTypeGetRank(type) > XLA_MAX_RANK)
    return;
  intptr_t rank = mlirShapedTypeGetRank(type);
  // Which dimension of the result each of `value` is.
  int64_t is[XLA_MAX_RANK], dims[XLA_MAX_RANK], before[XLA_MAX_RANK];
  for (intptr_t d = 0; d < rank; ++d)
    is[d] = d;
  for (MlirOperation op; !mlirOperationIsNull(op = producer(value));) {
    MlirValue operand = {NULL};
    if (xlaIrIsOp(op, "stablehlo.transpose")) {
      if (!readPermutation(op, rank, dims))
        return;
      memcpy(before, is, sizeof is);
      for (intptr_t d = 0; d < rank; ++d)
        is[dims[d]] = before[d];
      operand = mlirOperationGetOperand(op, 0);
    } else if (isElementwise(op)) {
      operand = readBy(op, mlirValueGetType(value));
    }
    if (mlirValueIsNull(operand))
      break;
    value = operand;
  }
  const XlaPjrtOrder *argument = NULL;
  if (mlirValueIsABlockArgument(value) &&
      mlirBlockEqual(mlirBlockArgumentGetOwner(value), body))
    argument = &orders->all[mlirBlockArgumentGetArgNumber(value)];
  for (intptr_t i = 0; i < rank; ++i) {
    intptr_t d = argument && argument->isOther ? argument->minorToMajor[i]
                                               : rank - 1 - i;
    order->minorToMajor[i] = (uint8_t)is[d];
    order->isOther |= is[d] != rank - 1 - i;
  }
}
