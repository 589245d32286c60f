//===- dot_rows.c - Products without free dimensions ----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/expand/dot_rows.h"

#include "xlac/dialect/ops/dot.h"
#include "xlac/passes/arrays.h"

#include <stdlib.h>

/// An operand without its free dimensions.
typedef struct Side {
  XlaShape shape;
  int roles[XLA_MAX_RANK]; ///< i of batch dimension i, -1 - i of contracting
  int rank;                ///< of what is left
  int64_t dims[XLA_MAX_RANK];
} Side;

static bool readSide(MlirValue operand, const XlaDotSide *dims, Side *side) {
  bool isFree[XLA_MAX_RANK] = {false};
  int roles[XLA_MAX_RANK] = {0};
  if (!xlaShapeFromMlir(mlirValueGetType(operand), &side->shape, NULL))
    return false;
  for (int i = 0; i < dims->free.size; ++i) {
    isFree[dims->free.values[i]] = true;
    if (side->shape.dims[dims->free.values[i]] != 1)
      return false;
  }
  for (int i = 0; i < dims->batch.size; ++i)
    roles[dims->batch.values[i]] = i;
  for (int i = 0; i < dims->contracting.size; ++i)
    roles[dims->contracting.values[i]] = -1 - i;
  side->rank = 0;
  for (int d = 0; d < side->shape.rank; ++d) {
    if (isFree[d])
      continue;
    side->roles[side->rank] = roles[d];
    side->dims[side->rank++] = side->shape.dims[d];
  }
  return true;
}

/// Whether both sides have the same order, in which batch dimensions are that
/// of the result, and what is added.
static bool areAlike(const Side *lhs, const Side *rhs, uint32_t *added) {
  int batch = 0;
  *added = 0;
  for (int d = 0; d < lhs->rank; ++d) {
    if (lhs->roles[d] != rhs->roles[d])
      return false;
    if (lhs->roles[d] < 0)
      *added |= UINT32_C(1) << d;
    else if (lhs->roles[d] != batch++)
      return false;
  }
  return *added != 0;
}

static bool keepsSums(XlaElementType type) {
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(type);
  return info->bits >= 32 && (info->typeClass == XlaTypeClassFloat ||
                              info->typeClass == XlaTypeClassSigned ||
                              info->typeClass == XlaTypeClassUnsigned);
}

static bool read(MlirOperation op, Side *lhs, Side *rhs, uint32_t *added) {
  XlaDotDimensions dims;
  XlaShape result;
  if (xlaOpGetKind(op) != XlaOpKindDotGeneral ||
      !xlaShapeFromMlir(mlirValueGetType(mlirOperationGetResult(op, 0)),
                        &result, NULL) ||
      !keepsSums(result.elementType))
    return false;
  xlaDotGetDimensions(op, &dims);
  return readSide(mlirOperationGetOperand(op, 0), &dims.lhs, lhs) &&
         readSide(mlirOperationGetOperand(op, 1), &dims.rhs, rhs) &&
         lhs->shape.elementType == result.elementType &&
         rhs->shape.elementType == result.elementType &&
         areAlike(lhs, rhs, added);
}

static bool isOfRows(MlirOperation op) {
  Side lhs, rhs;
  uint32_t added;
  return read(op, &lhs, &rhs, &added);
}

static void write(MlirOperation op) {
  Side lhs, rhs;
  uint32_t added;
  XlaShape shape;
  XlaIr ir = xlaIrBefore(op);
  MlirValue result = mlirOperationGetResult(op, 0);
  (void)read(op, &lhs, &rhs, &added);
  xlaShapeFromMlir(mlirValueGetType(result), &shape, NULL);
  MlirValue product = xlaIrBinary(
      &ir, "xla.multiply",
      xlaArrayReshape(&ir, mlirOperationGetOperand(op, 0), lhs.rank, lhs.dims),
      xlaArrayReshape(&ir, mlirOperationGetOperand(op, 1), rhs.rank, rhs.dims));
  MlirValue sum = xlaArrayReshape(&ir, xlaArraySum(&ir, product, added),
                                  shape.rank, shape.dims);
  mlirValueReplaceAllUsesOfWith(result, sum);
  mlirOperationDestroy(op);
}

//===----------------------------------------------------------------------===//
// Over one element
//===----------------------------------------------------------------------===//

static bool isOverOne(MlirOperation op) {
  XlaDotDimensions dims;
  XlaShape shapes[3];
  int64_t elements;
  if (xlaOpGetKind(op) != XlaOpKindDotGeneral)
    return false;
  for (int i = 0; i < 3; ++i)
    if (!xlaShapeFromMlir(
            mlirValueGetType(i == 2 ? mlirOperationGetResult(op, 0)
                                    : mlirOperationGetOperand(op, i)),
            &shapes[i], NULL) ||
        shapes[i].elementType != shapes[0].elementType)
      return false;
  xlaDotGetDimensions(op, &dims);
  for (int i = 0; i < dims.lhs.contracting.size; ++i)
    if (shapes[0].dims[dims.lhs.contracting.values[i]] != 1)
      return false;
  return xlaElementTypeGetInfo(shapes[0].elementType)->typeClass ==
             XlaTypeClassFloat &&
         xlaShapeGetElementCount(&shapes[2], &elements) && elements;
}

/// Sums start from 0, to which a product -0 adds nothing.
static void writeOverOne(MlirOperation op) {
  XlaIr ir = xlaIrBefore(op);
  MlirValue result = mlirOperationGetResult(op, 0);
  XlaShape shape = xlaArrayShape(result);
  MlirValue zero =
      xlaArrayBroadcast(&ir, xlaArrayNumber(&ir, shape.elementType, 0),
                        shape.rank, shape.dims, NULL);
  mlirValueReplaceAllUsesOfWith(
      result, xlaIrBinary(&ir, "xla.add", xlaArrayDotOuter(&ir, op), zero));
  mlirOperationDestroy(op);
}

static void writeAll(MlirOperation function, bool (*is)(MlirOperation op),
                     void (*write)(MlirOperation op)) {
  XlaIrOps found = xlaIrCollect(function, MlirWalkPostOrder, is);
  for (intptr_t i = 0; i < found.n; ++i)
    write(found.ops[i]);
  free(found.ops);
}

void xlaExpandDotRows(MlirOperation function) {
  writeAll(function, isOfRows, write);
  writeAll(function, isOverOne, writeOverOne);
}
