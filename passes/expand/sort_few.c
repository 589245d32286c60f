//===- sort_few.c - Sorts of many operands --------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements of all operands would go through registers at every step of a sort.
// Of many operands those that are compared are sorted, with the places that
// elements come from; the others are taken from there, once.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/expand/sort_few.h"

#include "xlac/dialect/op.h"
#include "xlac/dialect/result_internal.h"
#include "xlac/passes/arrays.h"
#include "xlac/passes/flatten.h"

#include <stdlib.h>

/// More operands are not moved with those that are compared.
enum { mostMoved = 16 };

/// Null of a sort in the order of its elements.
static MlirBlock comparatorOf(MlirOperation sort) {
  return mlirOperationGetNumRegions(sort)
             ? mlirRegionGetFirstBlock(mlirOperationGetRegion(sort, 0))
             : (MlirBlock){NULL};
}

static bool isCompared(MlirOperation sort, intptr_t operand) {
  for (intptr_t side = 0; side < 2; ++side)
    if (!mlirOpOperandIsNull(mlirValueGetFirstUse(
            mlirBlockGetArgument(comparatorOf(sort), 2 * operand + side))))
      return true;
  return false;
}

intptr_t xlaSortCountCompared(MlirOperation sort) {
  intptr_t n = 0, nOperands = mlirOperationGetNumOperands(sort);
  bool hasComparator = !mlirBlockIsNull(comparatorOf(sort));
  for (intptr_t i = 0; hasComparator && i < nOperands; ++i)
    n += isCompared(sort, i);
  return n;
}

static bool isOfMany(MlirOperation op) {
  if (xlaOpGetKind(op) != XlaOpKindSort ||
      mlirOperationGetNumOperands(op) <= mostMoved ||
      mlirBlockIsNull(comparatorOf(op)))
    return false;
  int64_t count = 0;
  XlaShape shape = xlaArrayShape(mlirOperationGetOperand(op, 0));
  return xlaShapeGetElementCount(&shape, &count) &&
         (!count ||
          xlaSortCountCompared(op) + 1 < mlirOperationGetNumOperands(op));
}

typedef struct Few {
  MlirOperation sort;
  intptr_t n; ///< that are compared, and the places
  MlirValue *operands;
  MlirValue *arguments; ///< of the new comparator, by those of the old one
  MlirType *types;
  intptr_t *numbers; ///< of operands, by those of the sort as it was
} Few;

/// The comparator with places beside what it compares.
static MlirRegion comparator(XlaIr *at, const Few *few, MlirType place) {
  MlirBlock old = comparatorOf(few->sort);
  MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  MlirRegion region = mlirRegionCreate();
  intptr_t n = mlirOperationGetNumOperands(few->sort);
  mlirRegionAppendOwnedBlock(region, block);
  for (intptr_t i = 0, next = 0; i < 2 * n; ++i)
    if (i / 2 == few->numbers[next]) {
      few->arguments[i] = mlirBlockAddArgument(
          block, mlirValueGetType(mlirBlockGetArgument(old, i)), at->location);
      next += i % 2;
    }
  for (int side = 0; side < 2; ++side)
    mlirBlockAddArgument(block, place, at->location);
  XlaIr ir = xlaIrAtEnd(at->context, at->location, block);
  MlirValue isBefore;
  xlaRegionCopyBody(&ir, mlirOperationGetRegion(few->sort, 0), few->arguments,
                    &isBefore);
  xlaIrCreate(&ir, "xla.return", 1, &isBefore, 0, NULL, 0, NULL, 0, NULL);
  return region;
}

/// Empty arrays are in order.
static void dropSort(MlirOperation sort) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(sort); ++i)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(sort, i),
                                  mlirOperationGetOperand(sort, i));
  mlirOperationDestroy(sort);
}

static void rewrite(Few *few) {
  MlirOperation sort = few->sort;
  XlaIr ir = xlaIrBefore(sort);
  XlaShape shape = xlaArrayShape(mlirOperationGetOperand(sort, 0));
  XlaShape scalar = {.rank = 0};
  int64_t count = 0;
  xlaShapeGetElementCount(&shape, &count);
  if (!count) {
    dropSort(sort);
    return;
  }
  scalar.elementType =
      count <= INT32_MAX ? XlaElementTypeS32 : XlaElementTypeS64;
  intptr_t n = mlirOperationGetNumOperands(sort);
  for (intptr_t i = 0; i < n; ++i)
    if (isCompared(sort, i)) {
      few->numbers[few->n] = i;
      few->operands[few->n++] = mlirOperationGetOperand(sort, i);
    }
  few->numbers[few->n] = -1;
  few->operands[few->n++] =
      xlaArrayReshape(&ir, xlaArrayIota(&ir, scalar.elementType, 1, &count, 0),
                      shape.rank, shape.dims);
  for (intptr_t i = 0; i < few->n; ++i)
    few->types[i] = mlirValueGetType(few->operands[i]);
  MlirRegion region = comparator(&ir, few, xlaShapeToMlir(&scalar, ir.context));
  XlaIrAttr attrs[] = {
      {"dimension",
       xlaIrI64Attr(ir.context, xlaOpGetI64(sort, "dimension", -1))},
      {"is_stable",
       mlirBoolAttrGet(ir.context, xlaOpIsTrue(sort, "is_stable"))}};
  MlirOperation made = xlaIrCreate(&ir, "xla.sort", few->n, few->operands,
                                   few->n, few->types, 2, attrs, 1, &region);
  MlirValue places =
      xlaArrayReshape(&ir, mlirOperationGetResult(made, few->n - 1), 1, &count);
  for (intptr_t i = 0, next = 0; i < n; ++i) {
    MlirValue result;
    if (i == few->numbers[next]) {
      result = mlirOperationGetResult(made, next++);
    } else {
      MlirValue all =
          xlaArrayReshape(&ir, mlirOperationGetOperand(sort, i), 1, &count);
      result = xlaArrayReshape(&ir, xlaArrayTake(&ir, all, places, 0),
                               shape.rank, shape.dims);
    }
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(sort, i), result);
  }
  mlirOperationDestroy(sort);
}

MlirLogicalResult xlaSortFew(MlirOperation function) {
  XlaIrOps found = xlaIrCollect(function, MlirWalkPostOrder, isOfMany);
  MlirLogicalResult result =
      found.failed ? xlaOpNoMemory(function) : mlirLogicalResultSuccess();
  for (intptr_t i = 0; i < found.n && mlirLogicalResultIsSuccess(result); ++i) {
    size_t n = (size_t)mlirOperationGetNumOperands(found.ops[i]) + 1;
    Few few = {.sort = found.ops[i],
               .operands = calloc(n, sizeof *few.operands),
               .arguments = calloc(2 * n, sizeof *few.arguments),
               .types = calloc(n, sizeof *few.types),
               .numbers = calloc(n, sizeof *few.numbers)};
    if (few.operands && few.arguments && few.types && few.numbers)
      rewrite(&few);
    else
      result = xlaOpNoMemory(found.ops[i]);
    free(few.operands);
    free(few.arguments);
    free(few.types);
    free(few.numbers);
  }
  free(found.ops);
  return result;
}
