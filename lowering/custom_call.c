//===- custom_call.c - Custom calls of compiled programs ------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/custom_call.h"

#include "mlir-c/BuiltinAttributes.h"
#include "xlac/dialect/ir.h"

#include <stdlib.h>
#include <string.h>

/// A detached custom call of the same attributes and types; its operands are
/// gone.
static MlirOperation detach(MlirOperation op) {
  MlirOperation copy = mlirOperationClone(op);
  // Operands would keep pointing into the program that is about to go.
  MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(copy); ++i) {
    MlirValue operand = mlirOperationGetOperand(copy, i);
    MlirValue stand = mlirBlockAddArgument(block, mlirValueGetType(operand),
                                           mlirOperationGetLocation(op));
    mlirOperationSetOperand(copy, i, stand);
  }
  mlirBlockAppendOwnedOperation(block, copy);
  return copy;
}

MlirLogicalResult xlaCustomCallsInit(XlaCustomCalls *calls,
                                     const XlaHostProgram *program,
                                     XlaCustomCallHook hook, void *user) {
  *calls = (XlaCustomCalls){.hook = hook, .user = user};
  if (program->nCustomCalls && !hook) {
    MlirOperation first = program->customCalls[0];
    MlirStringRef target =
        mlirStringAttrGetValue(xlaOpGetAttr(first, "call_target_name"));
    return xlaOpError(first, NULL,
                      "calls \"%.*s\", which has no implementation",
                      (int)target.length, target.data);
  }
  if (!program->nCustomCalls)
    return mlirLogicalResultSuccess();
  calls->ops = calloc((size_t)program->nCustomCalls, sizeof *calls->ops);
  if (!calls->ops)
    return xlaOpError(program->customCalls[0], NULL, "ran out of memory");
  for (intptr_t i = 0; i < program->nCustomCalls; ++i)
    calls->ops[calls->count++] = detach(program->customCalls[i]);
  return mlirLogicalResultSuccess();
}

void xlaCustomCallsDestroy(XlaCustomCalls *calls) {
  for (intptr_t i = 0; i < calls->count; ++i)
    mlirBlockDestroy(mlirOperationGetBlock(calls->ops[i]));
  free(calls->ops);
  *calls = (XlaCustomCalls){0};
}

static XlaLiteral *literalAt(MlirValue value, int64_t address) {
  XlaShape shape;
  XlaLiteral *literal = NULL;
  if (xlaShapeFromMlir(mlirValueGetType(value), &shape, NULL))
    literal = xlaLiteralCreateArray(&shape);
  if (literal && xlaLiteralGetByteCount(literal))
    memcpy(xlaLiteralGetMutableData(literal), (void *)address,
           xlaLiteralGetByteCount(literal));
  return literal;
}

void xlaCustomCallsRun(int64_t call, int64_t context, int64_t *addresses) {
  XlaCustomCalls *calls = (XlaCustomCalls *)context;
  MlirOperation op = calls->ops[call];
  MlirStringRef target =
      mlirStringAttrGetValue(xlaOpGetAttr(op, "call_target_name"));
  intptr_t nOperands = mlirOperationGetNumOperands(op);
  intptr_t nResults = mlirOperationGetNumResults(op);
  XlaLiteral **literals =
      calloc((size_t)(nOperands + nResults) + 1, sizeof *literals);
  bool whole = literals != NULL;
  for (intptr_t i = 0; whole && i < nOperands; ++i)
    whole =
        (literals[i] = literalAt(mlirOperationGetOperand(op, i), addresses[i]));
  if (!whole)
    xlaOpError(op, NULL, "ran out of memory");
  if (!whole || mlirLogicalResultIsFailure(calls->hook(
                    op, target, nOperands, (const XlaLiteral *const *)literals,
                    nResults, literals + nOperands, calls->user)))
    calls->failed = true;
  for (intptr_t i = 0; literals && i < nOperands + nResults; ++i) {
    if (i >= nOperands && literals[i] && !calls->failed)
      memcpy((void *)addresses[i], xlaLiteralGetData(literals[i]),
             xlaLiteralGetByteCount(literals[i]));
    xlaLiteralRelease(literals[i]);
  }
  free(literals);
}
