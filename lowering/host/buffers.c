//===- buffers.c - Where the values of a program live ---------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The last walk over the program, when all last uses are known: what the
// program returns first (buffers_outputs.c), then each operation in order.
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/host/buffers_internal.h"

#include "xlac/dialect/ir.h"
#include "xlac/dialect/op.h"

#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

int64_t xlaBufferGetBytes(MlirValue value) {
  XlaShape shape;
  int64_t count;
  if (!xlaShapeFromMlir(mlirValueGetType(value), &shape, NULL) ||
      !xlaShapeGetElementCount(&shape, &count))
    return 0;
  return count * xlaElementTypeGetInfo(shape.elementType)->bytes;
}

intptr_t xlaBufferAdd(XlaBufferAssigner *p, XlaBufferKind kind, int64_t bytes,
                      intptr_t index, int64_t first) {
  XlaBufferAssignment *assignment = p->assignment;
  if (assignment->nBuffers == assignment->capacity) {
    intptr_t capacity = assignment->capacity ? 2 * assignment->capacity : 32;
    XlaBuffer *grown =
        realloc(assignment->buffers, (size_t)capacity * sizeof *grown);
    if (!grown) {
      p->failed = true;
      return 0;
    }
    assignment->buffers = grown;
    assignment->capacity = capacity;
  }
  assignment->buffers[assignment->nBuffers] = (XlaBuffer){.kind = kind,
                                                          .bytes = bytes,
                                                          .index = index,
                                                          .first = first,
                                                          .last = first};
  return assignment->nBuffers++;
}

intptr_t xlaBufferGetNumber(const XlaBufferAssigner *p, MlirValue value) {
  return xlaPointerMapGet(&p->assignment->byValue, value.ptr) - 1;
}

void xlaBufferPlace(XlaBufferAssigner *p, MlirValue value, intptr_t buffer) {
  int64_t last = xlaPointerMapGet(&p->lastUse, xlaBufferGetRoot(value).ptr);
  xlaBufferSet(p, &p->assignment->byValue, value.ptr, buffer + 1);
  if (p->failed)
    return;
  if (last > p->assignment->buffers[buffer].last)
    p->assignment->buffers[buffer].last = last;
}

static void extend(XlaBufferAssigner *p, intptr_t buffer, int64_t first,
                   int64_t last) {
  XlaBuffer *b = &p->assignment->buffers[buffer];
  b->first = first < b->first ? first : b->first;
  b->last = last > b->last ? last : b->last;
}

static bool isDefinedIn(MlirValue value, MlirBlock block) {
  return mlirValueIsAOpResult(value) &&
         mlirBlockEqual(xlaIrBlockOf(value), block);
}

bool xlaBufferIsPlaceable(const XlaBufferAssigner *p, MlirValue value,
                          MlirBlock block) {
  if (!isDefinedIn(value, block) || xlaBufferGetNumber(p, value) >= 0)
    return false;
  return mlirValueEqual(xlaBufferGetRoot(value), value) &&
         xlaOpGetKind(mlirOpResultGetOwner(value)) != XlaOpKindConstant;
}

//===----------------------------------------------------------------------===//
// Assignment
//===----------------------------------------------------------------------===//

static void assignBlock(XlaBufferAssigner *p, MlirBlock block);

static void assignConstant(XlaBufferAssigner *p, MlirOperation op) {
  XlaBufferAssignment *assignment = p->assignment;
  MlirOperation *grown =
      realloc(assignment->constants, ((size_t)assignment->nConstants + 1) *
                                         sizeof *assignment->constants);
  MlirValue value = mlirOperationGetResult(op, 0);
  if (!grown) {
    p->failed = true;
    return;
  }
  assignment->constants = grown;
  grown[assignment->nConstants] = op;
  intptr_t buffer =
      xlaBufferAdd(p, XlaBufferKindConstant, xlaBufferGetBytes(value),
                   assignment->nConstants++, p->step);
  if (!p->failed)
    xlaBufferPlace(p, value, buffer);
}

/// Whether `value` is not needed any more when the body of a loop writes its
/// next state into `buffer`.
static bool endsBeforeNext(XlaBufferAssigner *p, MlirValue value,
                           intptr_t buffer) {
  MlirValue next = p->assignment->buffers[buffer].next;
  if (mlirValueIsNull(next))
    return true;
  MlirOperation producer = mlirOpResultGetOwner(next);
  return xlaPointerMapGet(&p->lastUse, value.ptr) <
             xlaPointerMapGet(&p->begin, producer.ptr) ||
         (!xlaBufferIsControlFlow(producer) &&
          xlaBufferDiesAt(p, value, producer,
                          mlirOpResultGetResultNumber(next)));
}

/// The buffer of a dying operand that result `r` can be written over, or -1.
static intptr_t findInPlace(XlaBufferAssigner *p, MlirOperation op,
                            intptr_t r) {
  int64_t bytes = xlaBufferGetBytes(mlirOperationGetResult(op, r));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    intptr_t buffer = xlaBufferGetNumber(p, operand);
    if (buffer < 0 ||
        p->assignment->buffers[buffer].kind != XlaBufferKindArena ||
        p->assignment->buffers[buffer].bytes != bytes ||
        !xlaBufferCanWriteOver(op, i, r) ||
        !xlaBufferDiesAt(p, xlaBufferGetRoot(operand), op, r) ||
        !endsBeforeNext(p, mlirOperationGetResult(op, r), buffer))
      continue;
    bool taken = false; // by another result
    for (intptr_t other = 0; other < mlirOperationGetNumResults(op); ++other)
      taken |=
          xlaBufferGetNumber(p, mlirOperationGetResult(op, other)) == buffer;
    if (!taken)
      return buffer;
  }
  return -1;
}

static void assignResults(XlaBufferAssigner *p, MlirOperation op) {
  int64_t begin = xlaPointerMapGet(&p->begin, op.ptr);
  for (intptr_t r = 0; r < mlirOperationGetNumResults(op) && !p->failed; ++r) {
    MlirValue value = mlirOperationGetResult(op, r);
    intptr_t buffer = xlaBufferGetNumber(p, value);
    if (buffer < 0) {
      buffer = findInPlace(p, op, r);
      if (buffer >= 0)
        ++p->assignment->nCopiesAvoided;
      else
        buffer = xlaBufferAdd(p, XlaBufferKindArena, xlaBufferGetBytes(value),
                              0, begin);
    }
    if (p->failed)
      return;
    xlaBufferPlace(p, value, buffer);
    extend(p, buffer, begin, xlaPointerMapGet(&p->end, op.ptr));
  }
}

/// Whether loop `op` changes its state `k`.
static bool isChanged(MlirOperation op, intptr_t k) {
  MlirValue result = mlirOperationGetResult(op, k);
  return mlirValueEqual(xlaBufferResolve(result), result);
}

/// The buffer of loop state `k`: that of the result if it has one, else that of
/// the initial value if the loop does not change it or is its last use, else a
/// new one.
static intptr_t stateBuffer(XlaBufferAssigner *p, MlirOperation op,
                            intptr_t k) {
  MlirValue init = mlirOperationGetOperand(op, k);
  MlirValue result = mlirOperationGetResult(op, k);
  intptr_t buffer = xlaBufferGetNumber(p, result);
  if (buffer >= 0)
    return buffer;
  buffer = xlaBufferGetNumber(p, init);
  if (!isChanged(op, k)) {
    ++p->assignment->nCopiesAvoided;
    return buffer;
  }
  if (xlaBufferDiesInLoop(p, op, k) &&
      p->assignment->buffers[buffer].kind == XlaBufferKindArena &&
      endsBeforeNext(p, result, buffer)) {
    ++p->assignment->nCopiesAvoided;
    return buffer;
  }
  return xlaBufferAdd(p, XlaBufferKindArena, xlaBufferGetBytes(init), 0,
                      xlaPointerMapGet(&p->begin, op.ptr));
}

/// Lets the body write its next state `k` straight into the state's buffer
/// where nothing reads the old state afterwards.
static void placeNextState(XlaBufferAssigner *p, MlirBlock body, intptr_t k,
                           intptr_t buffer) {
  MlirValue old = mlirBlockGetArgument(body, k);
  MlirValue next = mlirOperationGetOperand(mlirBlockGetTerminator(body), k);
  if (!xlaBufferIsPlaceable(p, next, body))
    return;
  MlirOperation producer = mlirOpResultGetOwner(next);
  intptr_t r = mlirOpResultGetResultNumber(next);
  if (xlaBufferIsControlFlow(producer)
          ? xlaPointerMapGet(&p->lastUse, old.ptr) >=
                xlaPointerMapGet(&p->begin, producer.ptr)
          : !xlaBufferDiesAt(p, old, producer, r))
    return;
  // A buffer that two results of one operation want can only hold one.
  for (intptr_t other = 0; other < mlirOperationGetNumResults(producer);
       ++other)
    if (xlaBufferGetNumber(p, mlirOperationGetResult(producer, other)) ==
        buffer)
      return;
  ++p->assignment->nCopiesAvoided;
  xlaBufferPlace(p, next, buffer);
  p->assignment->buffers[buffer].next = next;
}

/// A next state that is another old state may be overwritten before it is
/// copied.
static void assignSwap(XlaBufferAssigner *p, MlirOperation op, MlirBlock body,
                       intptr_t k) {
  MlirValue next = mlirOperationGetOperand(mlirBlockGetTerminator(body), k);
  if (!mlirBlockEqual(xlaIrBlockOf(xlaBufferGetRoot(next)), body))
    return;
  intptr_t source = xlaBufferGetNumber(p, next);
  intptr_t own = xlaBufferGetNumber(p, mlirBlockGetArgument(body, k));
  bool isState = false;
  for (intptr_t j = 0; j < mlirBlockGetNumArguments(body); ++j)
    isState |= source == xlaBufferGetNumber(p, mlirBlockGetArgument(body, j));
  if (!isState || source == own)
    return;
  intptr_t through =
      xlaBufferAdd(p, XlaBufferKindArena, xlaBufferGetBytes(next), 0,
                   xlaPointerMapGet(&p->begin, op.ptr));
  if (p->failed)
    return;
  p->assignment->buffers[through].last = xlaPointerMapGet(&p->end, op.ptr);
  xlaBufferSet(p, &p->assignment->byLoopResult,
               mlirBlockGetArgument(body, k).ptr, through + 1);
}

static void assignWhile(XlaBufferAssigner *p, MlirOperation op) {
  int64_t begin = xlaPointerMapGet(&p->begin, op.ptr);
  int64_t end = xlaPointerMapGet(&p->end, op.ptr);
  MlirBlock condition = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 1));
  intptr_t n = mlirOperationGetNumOperands(op);
  // What a loop around is to write into the buffers of the state, by these.
  MlirValue *around = calloc((size_t)n + 1, sizeof *around);
  if (!around) {
    p->failed = true;
    return;
  }
  for (intptr_t k = 0; k < n && !p->failed; ++k) {
    intptr_t buffer = stateBuffer(p, op, k);
    if (p->failed)
      break;
    xlaBufferPlace(p, mlirOperationGetResult(op, k), buffer);
    xlaBufferPlace(p, mlirBlockGetArgument(condition, k), buffer);
    xlaBufferPlace(p, mlirBlockGetArgument(body, k), buffer);
    extend(p, buffer, begin, end);
    MlirValue *next = &p->assignment->buffers[buffer].next;
    around[k] = *next;
    if (isChanged(op, k))
      *next = (MlirValue){NULL};
    // The condition only looks at the state: the body reads it next.
    xlaBufferSet(p, &p->lastUse, mlirBlockGetArgument(condition, k).ptr,
                 (intptr_t)end);
  }
  for (intptr_t k = 0; k < n && !p->failed; ++k)
    placeNextState(p, body, k,
                   xlaBufferGetNumber(p, mlirBlockGetArgument(body, k)));
  assignBlock(p, condition);
  assignBlock(p, body);
  for (intptr_t k = 0; k < n && !p->failed; ++k) {
    intptr_t buffer = xlaBufferGetNumber(p, mlirBlockGetArgument(body, k));
    bool isWritten = mlirValueEqual(around[k], mlirOperationGetResult(op, k));
    p->assignment->buffers[buffer].next =
        isWritten ? (MlirValue){NULL} : around[k];
    assignSwap(p, op, body, k);
  }
  free(around);
}

/// Branches write their results straight into those of the operation.
static void assignCase(XlaBufferAssigner *p, MlirOperation op) {
  assignResults(p, op);
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op) && !p->failed; ++r) {
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
    MlirOperation terminator = mlirBlockGetTerminator(block);
    for (intptr_t k = 0; k < mlirOperationGetNumResults(op); ++k) {
      MlirValue value = mlirOperationGetOperand(terminator, k);
      if (xlaBufferIsPlaceable(p, value, block))
        xlaBufferPlace(p, value,
                       xlaBufferGetNumber(p, mlirOperationGetResult(op, k)));
    }
    assignBlock(p, block);
  }
}

static void assignView(XlaBufferAssigner *p, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    xlaBufferPlace(p, mlirOperationGetResult(op, i),
                   xlaBufferGetNumber(p, mlirOperationGetOperand(op, i)));
}

static void assignBlock(XlaBufferAssigner *p, MlirBlock block) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op) && !p->failed;
       op = mlirOperationGetNextInBlock(op)) {
    XlaOpKind kind = xlaOpGetKind(op);
    if (kind == XlaOpKindConstant)
      assignConstant(p, op);
    else if (kind == XlaOpKindWhile)
      assignWhile(p, op);
    else if (kind == XlaOpKindCase)
      assignCase(p, op);
    else if (xlaBufferIsView(op))
      assignView(p, op);
    else
      assignResults(p, op);
  }
}

MlirLogicalResult xlaBufferAssignmentCreate(MlirOperation function,
                                            int64_t pieceBytes,
                                            XlaBufferAssignment *assignment) {
  XlaBufferAssigner assigner = {.assignment = assignment};
  MlirBlock block =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  memset(assignment, 0, sizeof *assignment);
  assignment->pieceBytes = pieceBytes;
  if (xlaBufferFindUses(&assigner, block))
    xlaBufferAssignOutputs(&assigner, function);
  if (!assigner.failed)
    assignBlock(&assigner, block);
  if (!assigner.failed)
    assigner.failed = !xlaBufferAssignmentLayOut(assignment);
  xlaPointerMapClear(&assigner.begin);
  xlaPointerMapClear(&assigner.end);
  xlaPointerMapClear(&assigner.lastUse);
  xlaPointerMapClear(&assigner.lastNested);
  if (!assigner.failed)
    return mlirLogicalResultSuccess();
  xlaBufferAssignmentDestroy(assignment);
  return xlaOpError(function, NULL,
                    "ran out of memory while buffers were "
                    "assigned");
}

void xlaBufferAssignmentDestroy(XlaBufferAssignment *assignment) {
  free(assignment->buffers);
  free(assignment->constants);
  xlaPointerMapClear(&assignment->byValue);
  xlaPointerMapClear(&assignment->byLoopResult);
  memset(assignment, 0, sizeof *assignment);
}

const XlaBuffer *xlaBufferAssignmentGet(const XlaBufferAssignment *assignment,
                                        MlirValue value) {
  intptr_t number = xlaPointerMapGet(&assignment->byValue, value.ptr);
  return number ? &assignment->buffers[number - 1] : NULL;
}
