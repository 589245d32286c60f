//===- main_operation.c - Fusions of one sort or scatter ------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/linalg/main_operation.h"
#include "xlac/dialect/ir.h"
#include "xlac/dialect/pointer_map.h"
#include "xlac/lowering/linalg/generic.h"

static MlirBlock bodyOf(MlirOperation fusion) {
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(fusion, 0));
}

MlirOperation xlaMainOperation(MlirOperation fusion) {
  MlirOperation found = {NULL};
  for (MlirOperation op = mlirBlockGetFirstOperation(bodyOf(fusion)); op.ptr;
       op = mlirOperationGetNextInBlock(op)) {
    XlaOpKind kind = xlaOpGetKind(op);
    if (kind == XlaOpKindInvalid ||
        !xlaOpAttrIs(fusion, "kind", xlaOpGetInfo(kind)->name))
      continue;
    if (found.ptr)
      return (MlirOperation){NULL};
    found = op;
  }
  return found;
}

static intptr_t countInputs(MlirOperation op) {
  return xlaOpGetKind(op) == XlaOpKindScatter
             ? mlirOperationGetNumOperands(op) / 2
             : 0;
}

bool xlaMainOperationIsLast(MlirOperation fusion, MlirOperation op) {
  MlirOperation end = mlirBlockGetTerminator(bodyOf(fusion));
  intptr_t n = mlirOperationGetNumOperands(end);
  bool isLast = n == mlirOperationGetNumResults(op);
  for (intptr_t i = 0; isLast && i < n; ++i)
    isLast = mlirValueEqual(mlirOperationGetOperand(end, i),
                            mlirOperationGetResult(op, i));
  for (intptr_t i = 0; isLast && i < countInputs(op); ++i)
    isLast = mlirValueIsABlockArgument(mlirOperationGetOperand(op, i));
  return isLast;
}

bool xlaMainScattersToAll(MlirOperation fusion) {
  MlirOperation op = xlaMainOperation(fusion);
  return op.ptr && xlaOpGetKind(op) == XlaOpKindScatter &&
         !xlaMainOperationIsLast(fusion, op);
}

/// Marks all that `value` is computed from.
static bool mark(XlaPointerMap *marks, MlirValue value) {
  if (xlaPointerMapGet(marks, value.ptr))
    return true;
  bool done = xlaPointerMapSet(marks, value.ptr, 1);
  if (!mlirValueIsAOpResult(value))
    return done;
  MlirOperation op = mlirOpResultGetOwner(value);
  for (intptr_t i = 0; done && i < mlirOperationGetNumOperands(op); ++i)
    done = mark(marks, mlirOperationGetOperand(op, i));
  return done;
}

bool xlaMainReadsInPlace(MlirOperation fusion, MlirValue argument) {
  MlirOperation scatter = xlaMainOperation(fusion);
  MlirOperation end = mlirBlockGetTerminator(bodyOf(fusion));
  XlaPointerMap elsewhere = {0};
  bool done = true;
  for (MlirOperation op = mlirBlockGetFirstOperation(bodyOf(fusion));
       done && !mlirOperationEqual(op, end);
       op = mlirOperationGetNextInBlock(op)) {
    bool isScatter = mlirOperationEqual(op, scatter);
    intptr_t n = mlirOperationGetNumOperands(op);
    for (intptr_t i = isScatter ? n / 2 : 0;
         done && (isScatter || !xlaIsInlined(op)) && i < n; ++i)
      done = mark(&elsewhere, mlirOperationGetOperand(op, i));
  }
  done = done && !xlaPointerMapGet(&elsewhere, argument.ptr);
  xlaPointerMapClear(&elsewhere);
  return done;
}
