//===- contraction_parts.c - What belongs to a contraction ----------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/affine/contraction.h"

#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Which generics are parts
//===----------------------------------------------------------------------===//

bool xlaContractionIsArithmetic(const XlaSchedStatement *statement) {
  if (!statement->body.ptr || !xlaSchedIsArithmetic(statement) ||
      xlaSchedReduces(statement))
    return false;
  for (MlirOperation op = mlirBlockGetFirstOperation(statement->body); op.ptr;
       op = mlirOperationGetNextInBlock(op))
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
      if (!mlirBlockEqual(xlaIrBlockOf(mlirOperationGetOperand(op, i)),
                          statement->body))
        return false;
  // Outputs are only written.
  for (int i = 0; i < statement->nOuts; ++i)
    if (xlaSchedIsRead(statement, statement->nIns + i))
      return false;
  return true;
}

static bool isIndexed(const XlaSchedStatement *statement) {
  for (int d = 0; d < statement->nDims; ++d)
    if (statement->indexed[d])
      return true;
  return false;
}

bool xlaContractionIsMemory(MlirValue root) {
  return mlirValueIsABlockArgument(root) ||
         xlaIrIsOp(mlirOpResultGetOwner(root), "memref.get_global");
}

static bool isSamePlace(const XlaSchedStatement *statement,
                        const XlaSchedAccess *a, const XlaSchedAccess *b) {
  return a->offset == b->offset &&
         !memcmp(a->strides, b->strides,
                 (size_t)statement->nDims * sizeof *a->strides);
}

/// The access of what the part has an iteration for each element of.
static const XlaSchedAccess *ownAccess(const XlaContractionKernel *kernel,
                                       XlaContractionSide side) {
  const XlaSchedStatement *statement = &kernel->parts[side].statement;
  if (side != XlaContractionProduct)
    return &statement->accesses[statement->nIns];
  for (int i = 0; i < statement->nIns; ++i)
    if (mlirValueEqual(statement->accesses[i].root, kernel->product))
      return &statement->accesses[i];
  return NULL;
}

/// Whether all that it reads and writes is the product in its place, or lies in
/// memory from before the kernel, and outputs are written where `own` is.
static bool areAccessesSimple(const XlaContractionKernel *kernel,
                              XlaContractionSide side,
                              const XlaSchedAccess *own) {
  const XlaSchedStatement *statement = &kernel->parts[side].statement;
  for (int i = 0; i < statement->nIns + statement->nOuts; ++i) {
    const XlaSchedAccess *access = &statement->accesses[i];
    bool isOut = i >= statement->nIns;
    bool isProduct = mlirValueEqual(access->root, kernel->product);
    if (access->dynamicOffset ||
        ((isOut || isProduct) && !isSamePlace(statement, access, own)) ||
        (side == XlaContractionProduct && isOut &&
         (isProduct || !mlirValueIsABlockArgument(access->root))) ||
        (!isOut && !isProduct && !xlaContractionIsMemory(access->root)) ||
        (side != XlaContractionProduct && isProduct))
      return false;
  }
  return true;
}

/// Makes `op` the part of a side, if it is one.
static bool addPart(XlaContractionKernel *kernel, XlaContractionSide side,
                    MlirOperation op) {
  XlaContractionPart *part = &kernel->parts[side];
  kernel->failed |=
      mlirLogicalResultIsFailure(xlaSchedStatementRead(op, &part->statement));
  const XlaSchedStatement *statement = &part->statement;
  const XlaSchedAccess *own = NULL;
  if (!kernel->failed && !statement->isEmpty &&
      xlaContractionIsArithmetic(statement) && !isIndexed(statement))
    own = ownAccess(kernel, side);
  if (own && !own->offset && areAccessesSimple(kernel, side, own)) {
    part->op = op;
    part->body = statement->body;
    part->elements = xlaSchedVolume(statement, 0, statement->nDims);
    return true;
  }
  xlaContractionDrop(kernel, side);
  return false;
}

void xlaContractionDrop(XlaContractionKernel *kernel, XlaContractionSide side) {
  free(kernel->parts[side].statement.accesses);
  kernel->parts[side] = (XlaContractionPart){.op = {NULL}};
}

void xlaContractionFree(XlaContractionKernel *kernel) {
  for (int side = 0; side < XlaContractionSides; ++side)
    xlaContractionDrop(kernel, (XlaContractionSide)side);
}

/// Is `memory` of the kernel's own, and all that `op` writes?
static bool writesOnly(MlirOperation op, MlirValue memory) {
  return xlaIrIsOp(op, "linalg.generic") && mlirValueIsAOpResult(memory) &&
         xlaIrIsOp(mlirOpResultGetOwner(memory), "memref.alloc") &&
         mlirDenseI32ArrayGetElement(
             mlirOperationGetAttributeByName(
                 op, mlirStringRefCreateFromCString("operandSegmentSizes")),
             1) == 1 &&
         mlirValueEqual(
             mlirOperationGetOperand(op, mlirOperationGetNumOperands(op) - 1),
             memory);
}

/// Tries `op`, before the sum, as what computes an operand. False where it is
/// anything else that writes memory.
static bool findPrologue(XlaContractionKernel *kernel, MlirOperation op) {
  MlirValue operands[2] = {kernel->lhs, kernel->rhs};
  MlirOperation ops[2] = {op, kernel->sum};
  for (int side = 0; side < 2; ++side)
    if (!mlirValueEqual(operands[0], operands[1]) &&
        !kernel->parts[side].op.ptr && writesOnly(op, operands[side]) &&
        xlaContractionIsOnlyUsedBy(operands[side], 2, ops))
      return addPart(kernel, (XlaContractionSide)side, op);
  return false;
}

/// The next operation that writes anything, from `op` on.
static MlirOperation nextWrite(MlirOperation op) {
  while (op.ptr && xlaContractionIsBetween(op))
    op = mlirOperationGetNextInBlock(op);
  return op;
}

bool xlaContractionFindParts(XlaContractionKernel *kernel) {
  MlirBlock block = mlirOperationGetBlock(kernel->sum);
  MlirOperation generics[2] = {{NULL}, {NULL}}; // the last before the sum
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationEqual(op, kernel->sum);
       op = mlirOperationGetNextInBlock(op)) {
    if (xlaContractionIsBetween(op) || mlirOperationEqual(op, kernel->fill))
      continue;
    generics[0] = generics[1];
    generics[1] = op;
  }
  if (generics[1].ptr && findPrologue(kernel, generics[1]) && generics[0].ptr)
    findPrologue(kernel, generics[0]);
  MlirOperation last = kernel->round.ptr ? kernel->round : kernel->sum;
  MlirOperation next = nextWrite(mlirOperationGetNextInBlock(last));
  MlirOperation users[4] = {kernel->fill, kernel->sum, last, next};
  if (next.ptr && xlaIrIsOp(next, "linalg.generic") &&
      (mlirValueIsABlockArgument(kernel->product) ||
       xlaContractionIsOnlyUsedBy(kernel->product, 4, users)))
    addPart(kernel, XlaContractionProduct, next);
  return !kernel->failed;
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

static bool addInput(XlaContractionInputs *inputs, XlaContractionSide side,
                     const XlaSchedStatement *statement, int argument) {
  const XlaSchedAccess *access = &statement->accesses[argument];
  if (inputs->n == XLA_CONTRACTION_MAX_INPUTS)
    return false;
  inputs->inputs[inputs->n++] = (XlaContractionInput){
      side, argument, access->root, access->element, access->offset};
  return true;
}

static bool addInputs(const XlaContractionKernel *kernel,
                      XlaContractionInputs *inputs) {
  inputs->n = 0;
  for (int side = 0; side < XlaContractionSides; ++side) {
    const XlaSchedStatement *statement = &kernel->parts[side].statement;
    if (!kernel->parts[side].op.ptr)
      continue;
    int n = side == XlaContractionProduct ? statement->nIns + statement->nOuts
                                          : statement->nIns;
    for (int i = 0; i < n; ++i) {
      bool isNeeded =
          i >= statement->nIns ||
          (xlaSchedIsRead(statement, i) &&
           !mlirValueEqual(statement->accesses[i].root, kernel->product));
      if (isNeeded && !addInput(inputs, (XlaContractionSide)side, statement, i))
        return false;
    }
  }
  return true;
}

/// A dimension of a part that holds a step of `stride` elements of its own
/// array, and how many of its iterations that are; -1 if there is none.
static int dimAt(const XlaSchedStatement *statement, const XlaSchedAccess *own,
                 int64_t stride, int64_t *iterations) {
  for (int d = 0; d < statement->nDims; ++d)
    if (own->strides[d] && own->strides[d] <= stride &&
        stride % own->strides[d] == 0 &&
        stride / own->strides[d] < statement->sizes[d]) {
      *iterations = stride / own->strides[d];
      return d;
    }
  return -1;
}

/// The piece of a loop of the sum that begins with steps of `from` iterations:
/// as long as it is one dimension in all parts. False where these cut it at
/// other places.
static bool pieceOf(const XlaContractionKernel *kernel,
                    const XlaContractionInputs *inputs,
                    const XlaContractionDim *loop, int64_t from,
                    XlaContractionDim *piece) {
  const int64_t steps[XlaContractionSides] = {loop->lhs, loop->rhs,
                                              loop->result};
  *piece = (XlaContractionDim){.size = loop->size / from,
                               .lhs = loop->lhs * from,
                               .rhs = loop->rhs * from,
                               .result = loop->result * from};
  for (int side = 0; side < XlaContractionSides; ++side) {
    const XlaSchedStatement *statement = &kernel->parts[side].statement;
    int64_t iterations;
    if (!kernel->parts[side].op.ptr || !steps[side])
      continue;
    int d = dimAt(statement, ownAccess(kernel, (XlaContractionSide)side),
                  steps[side] * from, &iterations);
    if (d < 0 || statement->sizes[d] % iterations)
      return false;
    int64_t left = statement->sizes[d] / iterations;
    piece->size = left < piece->size ? left : piece->size;
    for (int i = 0; i < inputs->n; ++i)
      if (inputs->inputs[i].side == (XlaContractionSide)side)
        piece->inputs[i] =
            statement->accesses[inputs->inputs[i].argument].strides[d] *
            iterations;
  }
  return loop->size / from % piece->size == 0;
}

/// Appends the pieces of a loop, the slowest first.
static bool addPieces(const XlaContractionKernel *kernel,
                      const XlaContractionInputs *inputs,
                      const XlaContractionDim *loop, XlaContractionDim *dims,
                      int *n) {
  XlaContractionDim pieces[XLA_SCHED_MAX_DIMS];
  int count = 0;
  for (int64_t from = 1; from < loop->size; from *= pieces[count++].size)
    if (*n + count == XLA_SCHED_MAX_DIMS ||
        !pieceOf(kernel, inputs, loop, from, &pieces[count]))
      return false;
  while (count)
    dims[(*n)++] = pieces[--count];
  return true;
}

bool xlaContractionReadInputs(const XlaContractionKernel *kernel,
                              XlaContractionInputs *inputs) {
  XlaSchedStatement sum;
  XlaContractionDim dims[XLA_SCHED_MAX_DIMS];
  bool reduction[XLA_SCHED_MAX_DIMS];
  int n = 0;
  inputs->contraction = kernel->contraction;
  bool isRead =
      addInputs(kernel, inputs) &&
      mlirLogicalResultIsSuccess(xlaSchedStatementRead(kernel->sum, &sum));
  if (!isRead)
    return false;
  for (int d = 0; d < sum.nDims && isRead; ++d) {
    int first = n;
    XlaContractionDim loop = xlaContractionDimOf(&sum, d);
    isRead = addPieces(kernel, inputs, &loop, dims, &n);
    for (int i = first; i < n; ++i)
      reduction[i] = sum.reduction[d];
  }
  isRead = isRead &&
           xlaContractionSortDims(&inputs->contraction, dims, reduction, n);
  free(sum.accesses);
  return isRead;
}
