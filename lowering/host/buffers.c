//===- buffers.c - Where the values of a program live ---------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Three walks over the program: number the operations; find the last use of
// every value (values that are views of each other count as one, their root);
// assign buffers.
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/host/buffers_internal.h"

#include "mlir-c/BuiltinAttributes.h"
#include "xlac/dialect/ir.h"
#include "xlac/dialect/op.h"
#include "xlac/lowering/linalg/kernel.h"

#include <stdlib.h>
#include <string.h>

typedef struct Assigner {
  XlaBufferAssignment *assignment;
  int64_t step;
  XlaPointerMap begin, end; // operation -> its first and last step, from 1
  XlaPointerMap lastUse;    // root -> the step of the last use, from 1
  XlaPointerMap lastNested; // root -> the last use from inside a region
  bool failed;
} Assigner;

bool xlaBufferIsView(MlirOperation op) {
  XlaOpKind kind = xlaOpGetKind(op);
  return kind == XlaOpKindReshape || kind == XlaOpKindBitcast ||
         kind == XlaOpKindBitcastConvert ||
         kind == XlaOpKindOptimizationBarrier;
}

intptr_t xlaBufferUpdated(MlirOperation op, intptr_t r) {
  return xlaOpGetKind(op) == XlaOpKindInvalid ? -1 : xlaKernelUpdates(op, r);
}

MlirValue xlaBufferResolve(MlirValue value) {
  while (true) {
    bool isArgument = mlirValueIsABlockArgument(value);
    MlirOperation loop =
        isArgument
            ? mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value))
            : mlirOpResultGetOwner(value);
    if (mlirOperationIsNull(loop) || xlaOpGetKind(loop) != XlaOpKindWhile)
      return value;
    intptr_t k = isArgument ? mlirBlockArgumentGetArgNumber(value)
                            : mlirOpResultGetResultNumber(value);
    MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(loop, 1));
    if (!mlirValueEqual(
            mlirOperationGetOperand(mlirBlockGetTerminator(body), k),
            mlirBlockGetArgument(body, k)))
      return value;
    value = mlirOperationGetOperand(loop, k);
  }
}

/// Loops and branches, whose regions are blocks of the program. The regions of
/// all other operations belong to their kernels.
static bool isControlFlow(MlirOperation op) {
  XlaOpKind kind = xlaOpGetKind(op);
  return kind == XlaOpKindWhile || kind == XlaOpKindCase;
}

static void set(Assigner *p, XlaPointerMap *map, const void *key,
                intptr_t value) {
  if (!xlaPointerMapSet(map, key, value))
    p->failed = true;
}

//===----------------------------------------------------------------------===//
// Steps and last uses
//===----------------------------------------------------------------------===//

static void numberBlock(Assigner *p, MlirBlock block) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    set(p, &p->begin, op.ptr, (intptr_t)++p->step);
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
      numberBlock(p, mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r)));
    set(p, &p->end, op.ptr, (intptr_t)++p->step);
  }
}

/// The value whose bytes `value` views.
static MlirValue rootOf(MlirValue value) {
  value = xlaBufferResolve(value);
  while (mlirValueIsAOpResult(value)) {
    MlirOperation op = mlirOpResultGetOwner(value);
    if (!xlaBufferIsView(op))
      break;
    value = xlaBufferResolve(
        mlirOperationGetOperand(op, mlirOpResultGetResultNumber(value)));
  }
  return value;
}

/// Counts a use of `value` by `user`, which may lie in a region below its
/// block.
static void noteUse(Assigner *p, MlirValue value, MlirOperation user) {
  MlirValue root = rootOf(value);
  MlirBlock home = xlaIrBlockOf(root);
  MlirOperation at = user;
  while (!mlirBlockEqual(mlirOperationGetBlock(at), home)) {
    at = mlirOperationGetParentOperation(at);
    if (mlirOperationIsNull(at))
      return;
  }
  intptr_t step = xlaPointerMapGet(&p->end, at.ptr);
  if (step > xlaPointerMapGet(&p->lastUse, root.ptr))
    set(p, &p->lastUse, root.ptr, step);
  if (!mlirOperationEqual(at, user) &&
      step > xlaPointerMapGet(&p->lastNested, root.ptr))
    set(p, &p->lastNested, root.ptr, step);
}

static void findUses(Assigner *p, MlirBlock block) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
      noteUse(p, mlirOperationGetOperand(op, i), op);
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
      findUses(p, mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r)));
  }
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

static int64_t bytesOf(MlirValue value) {
  XlaShape shape;
  int64_t count;
  if (!xlaShapeFromMlir(mlirValueGetType(value), &shape, NULL) ||
      !xlaShapeGetElementCount(&shape, &count))
    return 0;
  return count * xlaElementTypeGetInfo(shape.elementType)->bytes;
}

static intptr_t addBuffer(Assigner *p, XlaBufferKind kind, int64_t bytes,
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

/// The number of the value's buffer, or -1.
static intptr_t bufferOf(const Assigner *p, MlirValue value) {
  return xlaPointerMapGet(&p->assignment->byValue, value.ptr) - 1;
}

static void place(Assigner *p, MlirValue value, intptr_t buffer) {
  int64_t last = xlaPointerMapGet(&p->lastUse, rootOf(value).ptr);
  set(p, &p->assignment->byValue, value.ptr, buffer + 1);
  if (p->failed)
    return;
  if (last > p->assignment->buffers[buffer].last)
    p->assignment->buffers[buffer].last = last;
}

static void extend(Assigner *p, intptr_t buffer, int64_t first, int64_t last) {
  XlaBuffer *b = &p->assignment->buffers[buffer];
  b->first = first < b->first ? first : b->first;
  b->last = last > b->last ? last : b->last;
}

static bool isDefinedIn(MlirValue value, MlirBlock block) {
  return mlirValueIsAOpResult(value) &&
         mlirBlockEqual(xlaIrBlockOf(value), block);
}

/// A fresh value that its producer can write anywhere: not a view, not a
/// constant, and not placed yet.
static bool isPlaceable(const Assigner *p, MlirValue value, MlirBlock block) {
  if (!isDefinedIn(value, block) || bufferOf(p, value) >= 0)
    return false;
  return mlirValueEqual(rootOf(value), value) &&
         xlaOpGetKind(mlirOpResultGetOwner(value)) != XlaOpKindConstant;
}

/// Whether `op` may write result `r` over operand `i`.
static bool canWriteOver(MlirOperation op, intptr_t i, intptr_t r) {
  return !isControlFlow(op) && xlaKernelCanAlias(op, i, r);
}

/// Whether `op` may write result `r` into the buffer that holds `root` although
/// `op` may still read it: all its operands there allow that, and nothing later
/// or inside reads it.
static bool diesAt(Assigner *p, MlirValue root, MlirOperation op, intptr_t r) {
  intptr_t end = xlaPointerMapGet(&p->end, op.ptr);
  if (xlaPointerMapGet(&p->lastUse, root.ptr) > end ||
      xlaPointerMapGet(&p->lastNested, root.ptr) == end)
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (mlirValueEqual(rootOf(mlirOperationGetOperand(op, i)), root) &&
        !canWriteOver(op, i, r))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Assignment
//===----------------------------------------------------------------------===//

static void assignBlock(Assigner *p, MlirBlock block);

static void assignConstant(Assigner *p, MlirOperation op) {
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
  intptr_t buffer = addBuffer(p, XlaBufferKindConstant, bytesOf(value),
                              assignment->nConstants++, p->step);
  if (!p->failed)
    place(p, value, buffer);
}

/// Whether `value` is not needed any more when the body of a loop writes its
/// next state into `buffer`.
static bool endsBeforeNext(Assigner *p, MlirValue value, intptr_t buffer) {
  MlirValue next = p->assignment->buffers[buffer].next;
  if (mlirValueIsNull(next))
    return true;
  MlirOperation producer = mlirOpResultGetOwner(next);
  return xlaPointerMapGet(&p->lastUse, value.ptr) <
             xlaPointerMapGet(&p->begin, producer.ptr) ||
         (!isControlFlow(producer) &&
          diesAt(p, value, producer, mlirOpResultGetResultNumber(next)));
}

/// The buffer of a dying operand that result `r` can be written over, or -1.
static intptr_t findInPlace(Assigner *p, MlirOperation op, intptr_t r) {
  int64_t bytes = bytesOf(mlirOperationGetResult(op, r));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    intptr_t buffer = bufferOf(p, operand);
    if (buffer < 0 ||
        p->assignment->buffers[buffer].kind != XlaBufferKindArena ||
        p->assignment->buffers[buffer].bytes != bytes ||
        !canWriteOver(op, i, r) || !diesAt(p, rootOf(operand), op, r) ||
        !endsBeforeNext(p, mlirOperationGetResult(op, r), buffer))
      continue;
    bool taken = false; // by another result
    for (intptr_t other = 0; other < mlirOperationGetNumResults(op); ++other)
      taken |= bufferOf(p, mlirOperationGetResult(op, other)) == buffer;
    if (!taken)
      return buffer;
  }
  return -1;
}

static void assignResults(Assigner *p, MlirOperation op) {
  int64_t begin = xlaPointerMapGet(&p->begin, op.ptr);
  for (intptr_t r = 0; r < mlirOperationGetNumResults(op) && !p->failed; ++r) {
    MlirValue value = mlirOperationGetResult(op, r);
    intptr_t buffer = bufferOf(p, value);
    if (buffer < 0) {
      buffer = findInPlace(p, op, r);
      if (buffer >= 0)
        ++p->assignment->nCopiesAvoided;
      else
        buffer = addBuffer(p, XlaBufferKindArena, bytesOf(value), 0, begin);
    }
    if (p->failed)
      return;
    place(p, value, buffer);
    extend(p, buffer, begin, xlaPointerMapGet(&p->end, op.ptr));
  }
}

/// Whether nothing but loop `op` reads the initial value of its state `k`, and
/// only as that.
static bool diesInLoop(Assigner *p, MlirOperation op, intptr_t k) {
  MlirValue root = rootOf(mlirOperationGetOperand(op, k));
  intptr_t end = xlaPointerMapGet(&p->end, op.ptr);
  if (xlaPointerMapGet(&p->lastUse, root.ptr) > end ||
      xlaPointerMapGet(&p->lastNested, root.ptr) == end)
    return false;
  for (intptr_t other = 0; other < mlirOperationGetNumOperands(op); ++other)
    if (other != k &&
        mlirValueEqual(rootOf(mlirOperationGetOperand(op, other)), root))
      return false;
  return true;
}

/// Whether loop `op` changes its state `k`.
static bool isChanged(MlirOperation op, intptr_t k) {
  MlirValue result = mlirOperationGetResult(op, k);
  return mlirValueEqual(xlaBufferResolve(result), result);
}

/// The buffer of loop state `k`: that of the result if it has one, else that of
/// the initial value if the loop does not change it or is its last use, else a
/// new one.
static intptr_t stateBuffer(Assigner *p, MlirOperation op, intptr_t k) {
  MlirValue init = mlirOperationGetOperand(op, k);
  MlirValue result = mlirOperationGetResult(op, k);
  intptr_t buffer = bufferOf(p, result);
  if (buffer >= 0)
    return buffer;
  buffer = bufferOf(p, init);
  if (!isChanged(op, k)) {
    ++p->assignment->nCopiesAvoided;
    return buffer;
  }
  if (diesInLoop(p, op, k) &&
      p->assignment->buffers[buffer].kind == XlaBufferKindArena &&
      endsBeforeNext(p, result, buffer)) {
    ++p->assignment->nCopiesAvoided;
    return buffer;
  }
  return addBuffer(p, XlaBufferKindArena, bytesOf(init), 0,
                   xlaPointerMapGet(&p->begin, op.ptr));
}

/// Lets the body write its next state `k` straight into the state's buffer
/// where nothing reads the old state afterwards.
static void placeNextState(Assigner *p, MlirBlock body, intptr_t k,
                           intptr_t buffer) {
  MlirValue old = mlirBlockGetArgument(body, k);
  MlirValue next = mlirOperationGetOperand(mlirBlockGetTerminator(body), k);
  if (!isPlaceable(p, next, body))
    return;
  MlirOperation producer = mlirOpResultGetOwner(next);
  intptr_t r = mlirOpResultGetResultNumber(next);
  if (isControlFlow(producer) ? xlaPointerMapGet(&p->lastUse, old.ptr) >=
                                    xlaPointerMapGet(&p->begin, producer.ptr)
                              : !diesAt(p, old, producer, r))
    return;
  // A buffer that two results of one operation want can only hold one.
  for (intptr_t other = 0; other < mlirOperationGetNumResults(producer);
       ++other)
    if (bufferOf(p, mlirOperationGetResult(producer, other)) == buffer)
      return;
  ++p->assignment->nCopiesAvoided;
  place(p, next, buffer);
  p->assignment->buffers[buffer].next = next;
}

/// A next state that is another old state may be overwritten before it is
/// copied.
static void assignSwap(Assigner *p, MlirOperation op, MlirBlock body,
                       intptr_t k) {
  MlirValue next = mlirOperationGetOperand(mlirBlockGetTerminator(body), k);
  if (!mlirBlockEqual(xlaIrBlockOf(rootOf(next)), body))
    return;
  intptr_t source = bufferOf(p, next);
  intptr_t own = bufferOf(p, mlirBlockGetArgument(body, k));
  bool isState = false;
  for (intptr_t j = 0; j < mlirBlockGetNumArguments(body); ++j)
    isState |= source == bufferOf(p, mlirBlockGetArgument(body, j));
  if (!isState || source == own)
    return;
  intptr_t through = addBuffer(p, XlaBufferKindArena, bytesOf(next), 0,
                               xlaPointerMapGet(&p->begin, op.ptr));
  if (p->failed)
    return;
  p->assignment->buffers[through].last = xlaPointerMapGet(&p->end, op.ptr);
  set(p, &p->assignment->byLoopResult, mlirBlockGetArgument(body, k).ptr,
      through + 1);
}

static void assignWhile(Assigner *p, MlirOperation op) {
  int64_t begin = xlaPointerMapGet(&p->begin, op.ptr);
  int64_t end = xlaPointerMapGet(&p->end, op.ptr);
  MlirBlock condition = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 1));
  intptr_t n = mlirOperationGetNumOperands(op);
  // What a loop around is to write into the buffers of the state, by these.
  MlirValue *around = calloc((size_t)n + 1, sizeof *around);
  p->failed |= !around;
  for (intptr_t k = 0; k < n && !p->failed; ++k) {
    intptr_t buffer = stateBuffer(p, op, k);
    if (p->failed)
      break;
    place(p, mlirOperationGetResult(op, k), buffer);
    place(p, mlirBlockGetArgument(condition, k), buffer);
    place(p, mlirBlockGetArgument(body, k), buffer);
    extend(p, buffer, begin, end);
    MlirValue *next = &p->assignment->buffers[buffer].next;
    around[k] = *next;
    if (isChanged(op, k))
      *next = (MlirValue){NULL};
    // The condition only looks at the state: the body reads it next.
    set(p, &p->lastUse, mlirBlockGetArgument(condition, k).ptr, (intptr_t)end);
  }
  for (intptr_t k = 0; k < n && !p->failed; ++k)
    placeNextState(p, body, k, bufferOf(p, mlirBlockGetArgument(body, k)));
  assignBlock(p, condition);
  assignBlock(p, body);
  for (intptr_t k = 0; k < n && !p->failed; ++k) {
    intptr_t buffer = bufferOf(p, mlirBlockGetArgument(body, k));
    bool isWritten = mlirValueEqual(around[k], mlirOperationGetResult(op, k));
    p->assignment->buffers[buffer].next =
        isWritten ? (MlirValue){NULL} : around[k];
    assignSwap(p, op, body, k);
  }
  free(around);
}

/// Branches write their results straight into those of the operation.
static void assignCase(Assigner *p, MlirOperation op) {
  assignResults(p, op);
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op) && !p->failed; ++r) {
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
    MlirOperation terminator = mlirBlockGetTerminator(block);
    for (intptr_t k = 0; k < mlirOperationGetNumResults(op); ++k) {
      MlirValue value = mlirOperationGetOperand(terminator, k);
      if (isPlaceable(p, value, block))
        place(p, value, bufferOf(p, mlirOperationGetResult(op, k)));
    }
    assignBlock(p, block);
  }
}

static void assignView(Assigner *p, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    place(p, mlirOperationGetResult(op, i),
          bufferOf(p, mlirOperationGetOperand(op, i)));
}

static void assignBlock(Assigner *p, MlirBlock block) {
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

//===----------------------------------------------------------------------===//
// Inputs and outputs
//===----------------------------------------------------------------------===//

/// What a caller may lose.
static bool isDonated(MlirOperation function, intptr_t argument) {
  MlirAttribute all = xlaOpGetAttr(function, "arg_attrs");
  if (mlirAttributeIsNull(all) || !mlirAttributeIsAArray(all) ||
      argument >= mlirArrayAttrGetNumElements(all))
    return false;
  return !mlirAttributeIsNull(mlirDictionaryAttrGetElementByName(
      mlirArrayAttrGetElement(all, argument),
      mlirStringRefCreateFromCString(XLA_DONATED)));
}

/// The initial value that can lie where the result `value` of a loop does, so
/// that entering the loop copies nothing; null if there is none.
static MlirValue initialValue(Assigner *p, MlirValue value, MlirBlock block) {
  MlirOperation op = mlirOpResultGetOwner(value);
  intptr_t k = mlirOpResultGetResultNumber(value);
  if (xlaOpGetKind(op) != XlaOpKindWhile || !diesInLoop(p, op, k))
    return (MlirValue){NULL};
  MlirValue root = rootOf(mlirOperationGetOperand(op, k));
  bool fits = mlirValueIsABlockArgument(root) || isPlaceable(p, root, block);
  return fits ? root : (MlirValue){NULL};
}

typedef enum Sharing {
  SharingNone,
  SharingMemory, ///< the argument is not read any more
  SharingValue,  ///< what is written stands over the argument's elements
} Sharing;

/// How the memory of `argument` can take the output whose root is `value`.
static Sharing canShare(Assigner *p, MlirValue argument, MlirValue value,
                        MlirBlock block) {
  if (mlirValueIsABlockArgument(value))
    return mlirValueEqual(argument, value) ? SharingValue : SharingNone;
  for (MlirValue before = value;
       before.ptr && !mlirValueIsABlockArgument(before);
       before = initialValue(p, before, block)) {
    value = before;
    if (mlirValueEqual(initialValue(p, value, block), argument))
      return SharingValue;
  }
  MlirOperation op = mlirOpResultGetOwner(value);
  intptr_t last = xlaPointerMapGet(&p->lastUse, argument.ptr);
  if (last < xlaPointerMapGet(&p->begin, op.ptr))
    return SharingMemory;
  if (isControlFlow(op) ||
      !diesAt(p, argument, op, mlirOpResultGetResultNumber(value)))
    return SharingNone;
  return SharingValue;
}

/// Lets `value`, which the function returns, and what loops make it of be
/// written into output `index` at once.
static intptr_t assignOutput(Assigner *p, MlirValue value, intptr_t index,
                             MlirBlock block) {
  intptr_t buffer = addBuffer(p, XlaBufferKindOutput, bytesOf(value), index, 0);
  while (!p->failed && value.ptr && !mlirValueIsABlockArgument(value)) {
    MlirValue before = initialValue(p, value, block);
    place(p, value, buffer);
    value = before;
  }
  return buffer;
}

/// The donated argument, not given to an output yet, that fits output `value`
/// best; -1 if there is none.
static intptr_t findDonated(Assigner *p, MlirOperation function,
                            MlirValue value, Sharing least) {
  MlirBlock block =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i) {
    MlirValue argument = mlirBlockGetArgument(block, i);
    if (isDonated(function, i) && bufferOf(p, argument) < 0 &&
        bytesOf(argument) == bytesOf(value) &&
        canShare(p, argument, value, block) >= least)
      return i;
  }
  return -1;
}

/// What the function returns is written into the outputs at once where its
/// producer can. An output that can be written over a donated argument's
/// elements gets its memory; so does one for which the memory is free in time.
static void assignOutputs(Assigner *p, MlirOperation function, Sharing least) {
  MlirBlock block =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  MlirOperation terminator = mlirBlockGetTerminator(block);
  for (intptr_t i = 0;
       i < mlirOperationGetNumOperands(terminator) && !p->failed; ++i) {
    MlirValue value = rootOf(mlirOperationGetOperand(terminator, i));
    bool isArgument = mlirValueIsABlockArgument(value);
    if (isArgument ? bufferOf(p, value) >= 0 : !isPlaceable(p, value, block))
      continue;
    intptr_t donated = -1;
    if (least != SharingNone)
      donated = findDonated(p, function, value, least);
    if (donated < 0 && (isArgument || least != SharingNone))
      continue;
    intptr_t buffer = assignOutput(p, value, i, block);
    if (donated < 0 || p->failed)
      continue;
    ++p->assignment->nCopiesAvoided;
    place(p, mlirBlockGetArgument(block, donated), buffer);
  }
}

static void assignFunction(Assigner *p, MlirOperation function) {
  MlirBlock block =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  assignOutputs(p, function, SharingValue);
  assignOutputs(p, function, SharingMemory);
  assignOutputs(p, function, SharingNone);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block) && !p->failed; ++i) {
    MlirValue argument = mlirBlockGetArgument(block, i);
    if (bufferOf(p, argument) >= 0)
      continue;
    intptr_t buffer = addBuffer(p, XlaBufferKindInput, bytesOf(argument), i, 0);
    if (!p->failed)
      place(p, argument, buffer);
  }
  if (!p->failed)
    assignBlock(p, block);
}

MlirLogicalResult xlaBufferAssignmentCreate(MlirOperation function,
                                            int64_t pieceBytes,
                                            XlaBufferAssignment *assignment) {
  Assigner assigner = {.assignment = assignment};
  MlirBlock block =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  memset(assignment, 0, sizeof *assignment);
  assignment->pieceBytes = pieceBytes;
  numberBlock(&assigner, block);
  findUses(&assigner, block);
  if (!assigner.failed)
    assignFunction(&assigner, function);
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
