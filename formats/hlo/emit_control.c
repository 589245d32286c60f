//===- emit_control.c - Values, calls and control flow from HLO -----------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/formats/hlo/emit.h"

#include <stdlib.h>

bool xlaHloEmitTuple(XlaHloOp *op) {
  return xlaHloPut(op, op->nOperands, op->operands);
}

/// The first operand.
bool xlaHloEmitFirst(XlaHloOp *op) {
  return xlaHloPut(op, xlaHloOperand(op, 0)->shape->nLeaves, op->operands);
}

bool xlaHloEmitGetTupleElement(XlaHloOp *op) {
  const XlaHloShape *tuple = xlaHloOperand(op, 0)->shape;
  const XlaHloAttr *index = xlaHloFindAttr(op->in, XlaHloAttrIndex);
  if (!index || tuple->kind != XlaHloShapeKindTuple || index->values[0] < 0 ||
      index->values[0] >= tuple->nElements)
    return xlaHloOpInvalid(op, "has no element of that index");
  uint32_t i = (uint32_t)index->values[0];
  return xlaHloPutAgain(op, 0, tuple->firsts[i], tuple->elements[i]->nLeaves);
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// What runs beside others: the computation's operations.
bool xlaHloEmitCalled(XlaHloOp *op) {
  uint32_t number;
  MlirValue *results;
  intptr_t n;
  if (!xlaHloComputationOf(op, XlaHloAttrCalls, &number) ||
      !xlaHloInline(op, &op->ir, number, op->nOperands, op->operands, &results,
                    &n))
    return false;
  bool put = xlaHloPut(op, n, results);
  free(results);
  return put;
}

/// How one kernel would compute the operations: that of the most particular of
/// them. XLA's kinds say what its own kernels begin with.
static const char *fusionKind(MlirRegion region) {
  static const struct {
    XlaOpKind op;
    const char *kind;
  } kinds[] = {
      {XlaOpKindDot, "contraction"},
      {XlaOpKindDotGeneral, "contraction"},
      {XlaOpKindConvolution, "contraction"},
      {XlaOpKindSort, "sort"},
      {XlaOpKindScatter, "scatter"},
      {XlaOpKindReduce, "reduce"},
      {XlaOpKindReduceWindow, "reduce"},
  };
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i)
    for (MlirOperation op =
             mlirBlockGetFirstOperation(mlirRegionGetFirstBlock(region));
         !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
      if (xlaOpGetKind(op) == kinds[i].op)
        return kinds[i].kind;
  return "loop";
}

bool xlaHloEmitFusion(XlaHloOp *op) {
  uint32_t number;
  MlirRegion region;
  XlaHloAttrs attrs = {0};
  if (!op->scope->emitter->keepsFusions)
    return xlaHloEmitCalled(op);
  if (!xlaHloComputationOf(op, XlaHloAttrCalls, &number) ||
      !xlaHloRegion(op, number, 0, NULL, &region))
    return false;
  xlaHloAddAttr(&attrs, "kind",
                xlaIrStringAttr(op->ir.context, fusionKind(region)));
  return xlaHloPutResults(op, xlaHloCreate(op, XlaOpKindFusion, op->nOperands,
                                           op->operands, &attrs, 1, &region));
}

bool xlaHloEmitCall(XlaHloOp *op) {
  uint32_t number;
  if (!xlaHloComputationOf(op, XlaHloAttrToApply, &number))
    return false;
  return xlaHloPutResults(
      op, xlaHloCallFunction(op, &op->ir, number, op->nOperands, op->operands));
}

//===----------------------------------------------------------------------===//
// Loops and branches
//===----------------------------------------------------------------------===//

bool xlaHloEmitWhile(XlaHloOp *op) {
  uint32_t condition, body;
  MlirRegion regions[2];
  if (!xlaHloComputationOf(op, XlaHloAttrCondition, &condition) ||
      !xlaHloComputationOf(op, XlaHloAttrBody, &body) ||
      !xlaHloRegion(op, condition, 0, NULL, &regions[0]))
    return false;
  if (!xlaHloRegion(op, body, 0, NULL, &regions[1])) {
    mlirRegionDestroy(regions[0]);
    return false;
  }
  return xlaHloPutResults(op, xlaHloCreate(op, XlaOpKindWhile, op->nOperands,
                                           op->operands, NULL, 2, regions));
}

/// The branches, by either of two forms.
static bool findBranches(XlaHloOp *op, uint32_t n, uint32_t *branches) {
  const XlaHloAttr *list = xlaHloFindAttr(op->in, XlaHloAttrBranchComputations);
  if (!list)
    return n == 2 ? xlaHloComputationOf(op, XlaHloAttrTrueComputation,
                                        &branches[0]) &&
                        xlaHloComputationOf(op, XlaHloAttrFalseComputation,
                                            &branches[1])
                  : xlaHloOpInvalid(op, "has no branch_computations");
  if (list->n != n)
    return xlaHloOpInvalid(op, "has %u branches and %u operands for them",
                           list->n, n);
  for (uint32_t i = 0; i < n; ++i)
    branches[i] = (uint32_t)list->values[i];
  return true;
}

static bool emitBranches(XlaHloOp *op, uint32_t n, uint32_t *branches,
                         MlirRegion *regions) {
  const XlaHloShape *selector = xlaHloOperand(op, 0)->shape;
  bool isPred = selector->kind == XlaHloShapeKindArray &&
                selector->elementType == XlaElementTypePred;
  const MlirValue *arguments = op->operands + selector->nLeaves;
  if (!findBranches(op, n, branches))
    return false;
  for (uint32_t i = 0; i < n; ++i) {
    uint32_t nLeaves = xlaHloOperand(op, i + 1)->shape->nLeaves;
    if (!xlaHloRegion(op, branches[i], nLeaves, arguments, &regions[i])) {
      while (i > 0)
        mlirRegionDestroy(regions[--i]);
      return false;
    }
    arguments += nLeaves;
  }
  return xlaHloPutResults(op,
                          xlaHloCreate(op, isPred ? XlaOpKindIf : XlaOpKindCase,
                                       1, op->operands, NULL, n, regions));
}

/// Branches use their operands where they stand.
bool xlaHloEmitConditional(XlaHloOp *op) {
  if (op->in->nOperands < 2 || xlaHloOperand(op, 0)->shape->nLeaves != 1)
    return xlaHloOpInvalid(op, "takes a scalar and an operand a branch");
  uint32_t n = op->in->nOperands - 1;
  uint32_t *branches = malloc(n * sizeof *branches);
  MlirRegion *regions = malloc(n * sizeof *regions);
  bool made = branches && regions ? emitBranches(op, n, branches, regions)
                                  : xlaHloOpNoMemory(op);
  free(branches);
  free(regions);
  return made;
}
