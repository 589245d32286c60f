//===- steps_alias.c - Steps that may write where they read ---------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/linalg/boxes.h"
#include "xlac/lowering/linalg/steps.h"

#include <stdlib.h>

typedef struct AliasCheck {
  MlirValue operand;
  const XlaIndex *root;
  const XlaShape *domain;
  bool reads, readsElsewhere;
} AliasCheck;

/// Equal indices mean equal places only in arrays of one shape.
static void checkRead(MlirValue value, const XlaShape *shape,
                      const XlaIndex *index, void *data) {
  AliasCheck *check = data;
  if (!mlirValueEqual(value, check->operand))
    return;
  check->reads = true;
  check->readsElsewhere |= !xlaIndexEqual(index, check->root) ||
                           !xlaShapeDimsEqual(shape, check->domain);
}

static bool writes(const XlaKernelStep *step, intptr_t result) {
  for (intptr_t i = 0; i < step->n; ++i)
    if (step->results[i] == result || step->memory[i] == result)
      return true;
  return false;
}

/// Adds what a generic reads.
static void checkGeneric(const XlaGeneric *generic, const XlaShape *domain,
                         AliasCheck *check) {
  check->root = &generic->space.root;
  check->domain = domain;
  xlaGenericForEachRead(generic, checkRead, check);
}

static bool analyzeReduction(XlaKernelSteps *steps, MlirOperation reduce,
                             AliasCheck *check) {
  XlaGeneric generic;
  MlirValue inputs[XLA_KERNEL_MAX_VALUES];
  intptr_t n =
      mlirOperationGetNumOperands(reduce) / (xlaKernelIsScan(reduce) ? 1 : 2);
  XlaSpace space;
  if (n > XLA_KERNEL_MAX_VALUES)
    return false;
  for (intptr_t i = 0; i < n; ++i)
    inputs[i] = mlirOperationGetOperand(reduce, i);
  XlaShape domain = xlaKernelShapeOf(inputs[0]);
  if (xlaKernelIsScan(reduce))
    xlaScanSpace(reduce, &space);
  else
    xlaSpaceInit(&space, &domain);
  bool known = mlirLogicalResultIsSuccess(xlaGenericBeginBox(
      &generic, steps->kernel, &space, XlaGenericCutsNone, NULL, n, inputs));
  checkGeneric(&generic, &domain, check);
  xlaGenericFree(&generic);
  return known;
}

/// What the generic reads of `check->operand`; false if it cannot be told.
static bool analyze(XlaKernelSteps *steps, const XlaKernelStep *step,
                    AliasCheck *check) {
  // What is updated is not told from what else is read (update.c).
  check->reads = check->readsElsewhere = step->update.ptr != NULL;
  if (step->update.ptr)
    return true;
  if (step->dot.ptr) {
    for (int side = 0; side < 2; ++side)
      check->reads |= mlirValueEqual(mlirOperationGetOperand(step->dot, side),
                                     check->operand);
    check->readsElsewhere = check->reads;
    return true;
  }
  if (step->reduce.ptr)
    return analyzeReduction(steps, step->reduce, check);
  XlaKernelPieces pieces;
  if (!xlaKernelPiecesInit(&pieces, steps, step))
    return false;
  XlaShape domain = xlaKernelShapeOf(pieces.values[0]);
  XlaKernelBoxes *boxes = xlaKernelBoxesBegin(steps, &domain);
  bool known = boxes != NULL, isRepeated = false;
  while (known && boxes->n) {
    XlaGeneric generic;
    known = mlirLogicalResultIsSuccess(
        xlaKernelBoxesNext(boxes, steps, &pieces, &domain, &generic));
    checkGeneric(&generic, &domain, check);
    isRepeated |= generic.pads.n > 0;
    xlaGenericFree(&generic);
  }
  // What a pad is written over was read before that, and is read again.
  check->readsElsewhere |= isRepeated && check->reads;
  free(boxes);
  xlaKernelPiecesFree(&pieces);
  return known;
}

/// Contractions compute their operands where they read them, which is until all
/// results are written.
static bool isReadBySum(const XlaKernelSteps *steps,
                        const XlaKernelStep *step) {
  for (intptr_t i = 0; i < steps->n; ++i)
    for (int side = 0; steps->all[i].dot.ptr && side < 2; ++side)
      for (intptr_t k = 0; k < step->n; ++k)
        if (mlirValueEqual(mlirOperationGetOperand(steps->all[i].dot, side),
                           step->values[k]))
          return true;
  return false;
}

static bool isConstant(MlirValue value) {
  return mlirValueIsAOpResult(value) &&
         xlaOpGetKind(mlirOpResultGetOwner(value)) == XlaOpKindConstant;
}

static MlirWalkResult findUse(MlirOperation op, void *data) {
  AliasCheck *check = data;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    check->reads |=
        mlirValueEqual(mlirOperationGetOperand(op, i), check->operand);
  return MlirWalkResultAdvance;
}

/// Regions read what they capture, and reductions their init values, at times
/// that the analysis of steps does not see.
static bool isReadAtOnce(XlaKernelSteps *steps, MlirValue operand) {
  for (intptr_t i = 0; i < steps->nOps; ++i) {
    MlirOperation op = steps->ops[i];
    AliasCheck check = {.operand = operand};
    intptr_t n = mlirOperationGetNumOperands(op);
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
      for (MlirOperation o = mlirBlockGetFirstOperation(
               mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r)));
           o.ptr; o = mlirOperationGetNextInBlock(o))
        mlirOperationWalk(o, findUse, &check, MlirWalkPreOrder);
    for (intptr_t k = n / 2;
         xlaKernelHasLoops(op) && !xlaKernelIsScan(op) && k < n; ++k)
      check.reads |= !isConstant(mlirOperationGetOperand(op, k));
    if (check.reads)
      return true;
  }
  return false;
}

/// Whether all steps before `step` that read the operand, as `reads` says, are
/// such that it depends on them: others may come after it.
static bool comesAfter(const XlaKernelSteps *steps, intptr_t step,
                       const bool *reads) {
  for (intptr_t i = 0; i < step; ++i)
    if (reads[i] &&
        !xlaKernelStepDependsOn(steps, &steps->all[step], &steps->all[i]))
      return false;
  return true;
}

static bool canAlias(XlaKernelSteps *steps, MlirValue operand, intptr_t result,
                     bool *reads) {
  bool isWritten = false;
  XlaShape shape;
  if (!xlaShapeFromMlir(mlirValueGetType(operand), &shape, NULL) ||
      (shape.rank == 0 && isReadAtOnce(steps, operand)))
    return false;
  for (intptr_t i = 0; i < steps->n; ++i) {
    XlaKernelStep *step = &steps->all[i];
    AliasCheck check = {.operand = operand};
    if (!analyze(steps, step, &check))
      return false;
    check.readsElsewhere |= check.reads && isReadBySum(steps, step);
    bool writesNow = writes(step, result);
    // A reduction initializes its result before it reads its operands.
    if (check.reads &&
        (isWritten || check.readsElsewhere || (writesNow && step->reduce.ptr)))
      return false;
    // Steps run row by row: reads and the write have to meet in one shape.
    if (check.reads && !writesNow &&
        !xlaKernelStepsSameDims(step->reduce.ptr
                                    ? mlirOperationGetOperand(step->reduce, 0)
                                    : step->values[0],
                                steps->values[result]))
      return false;
    if (writesNow && !comesAfter(steps, i, reads))
      return false;
    reads[i] = check.reads;
    isWritten |= writesNow;
    for (intptr_t k = 0; k < step->n; ++k)
      if (!xlaKernelGetBuffer(steps->kernel, step->values[k]) &&
          !xlaKernelAddComputed(steps->kernel, step->values[k],
                                (MlirValue){NULL}))
        return false;
  }
  return true;
}

bool xlaKernelStepsCanAlias(XlaKernelSteps *steps, MlirValue operand,
                            intptr_t result) {
  bool *reads = calloc((size_t)steps->n + 1, sizeof *reads);
  bool can = reads && canAlias(steps, operand, result, reads);
  free(reads);
  return can;
}
