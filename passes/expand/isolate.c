//===- isolate.c - Computations without outer values ----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/expand/isolate.h"

#include "xlac/dialect/ir.h"
#include "xlac/dialect/op.h"
#include "xlac/dialect/result_internal.h"

typedef struct Isolation {
  MlirOperation op;
  MlirLogicalResult result;
} Isolation;

static bool isOuter(MlirOperation op, MlirValue value) {
  MlirOperation at = mlirBlockGetParentOperation(xlaIrBlockOf(value));
  while (!mlirOperationIsNull(at) && !mlirOperationEqual(at, op))
    at = mlirOperationGetParentOperation(at);
  return mlirOperationIsNull(at);
}

static MlirWalkResult isolate(MlirOperation inner, void *data) {
  Isolation *isolation = data;
  if (mlirOperationEqual(inner, isolation->op))
    return MlirWalkResultAdvance;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(inner); ++i) {
    MlirValue value = mlirOperationGetOperand(inner, i);
    if (!isOuter(isolation->op, value))
      continue;
    if (!mlirValueIsAOpResult(value) ||
        xlaOpGetKind(mlirOpResultGetOwner(value)) != XlaOpKindConstant) {
      isolation->result = xlaOpUnsupported(
          inner, NULL,
          "uses a value from outside of a computation between replicas: not "
          "supported yet in compiled programs");
      return MlirWalkResultInterrupt;
    }
    MlirOperation copy = mlirOperationClone(mlirOpResultGetOwner(value));
    mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(inner), inner,
                                        copy);
    mlirOperationSetOperand(inner, i, mlirOperationGetResult(copy, 0));
  }
  return MlirWalkResultAdvance;
}

MlirLogicalResult xlaIsolate(MlirOperation op) {
  Isolation isolation = {op, success()};
  mlirOperationWalk(op, isolate, &isolation, MlirWalkPostOrder);
  return isolation.result;
}
