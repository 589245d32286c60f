//===- custom_call.c - Custom calls of compiled programs ------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/host/custom_call.h"
#include "xlac/dialect/error.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/Diagnostics.h"
#include "xlac/dialect/interpret/feed.h"
#include "xlac/dialect/interpret/strided.h"
#include "xlac/dialect/ir.h"
#include "xlac/lowering/host/between.h"
#include "xlac/lowering/host/call_types.h"
#include "xlac/passes/dynamic/sizes.h"
#include "xlac/passes/expand/isolate.h"
#include "xlac/passes/expand/single_replica.h"
#include "xlac/passes/flatten.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(offsetof(XlaCustomCalls, failed) == XLA_HOST_FAILED_OFFSET &&
                   sizeof(bool) == 1,
               "compiled programs read a byte there");

/// The operation `name` at the end of `block` in place of the custom call `op`,
/// with the attributes that its meaning takes.
static MlirOperation cloneAs(MlirOperation op, const char *name,
                             MlirBlock block) {
  MlirLocation location = mlirOperationGetLocation(op);
  XlaIr ir = xlaIrAtEnd(mlirOperationGetContext(op), location, block);
  MlirOperationState state =
      mlirOperationStateGet(mlirStringRefCreateFromCString(name), location);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i) {
    MlirValue argument = mlirBlockGetArgument(block, i);
    mlirOperationStateAddOperands(&state, 1, &argument);
  }
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(op, i));
    mlirOperationStateAddResults(&state, 1, &type);
  }
  XlaIrAttr attrs[] = {{XLA_CHANNEL, xlaOpGetAttr(op, XLA_CHANNEL)},
                       {XLA_CHANNEL_TYPE, xlaOpGetAttr(op, XLA_CHANNEL_TYPE)}};
  return xlaIrCreateState(&ir, &state,
                          mlirAttributeIsNull(attrs[1].value) ? 1 : 2, attrs);
}

/// `op` in a block of its own, with arguments of it in place of its operands,
/// which would keep pointing into the program that is about to go.
static XlaCustomCall detach(MlirOperation op) {
  intptr_t n = mlirOperationGetNumOperands(op);
  const char *transfer = xlaHostTransferName(op);
  MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  XlaCustomCall call = {.hasTypes = xlaCallHasTypes(op),
                        .nIn = n,
                        .nOut = mlirOperationGetNumResults(op)};
  if (call.hasTypes) {
    call.op = xlaCallWithTypes(op, block);
    return call;
  }
  for (intptr_t i = 0; i < n; ++i)
    mlirBlockAddArgument(block,
                         mlirValueGetType(mlirOperationGetOperand(op, i)),
                         mlirOperationGetLocation(op));
  if (transfer) {
    call.op = cloneAs(op, transfer, block);
    return call;
  }
  call.op = mlirOperationClone(op);
  for (intptr_t i = 0; i < n; ++i)
    mlirOperationSetOperand(call.op, i, mlirBlockGetArgument(block, i));
  mlirBlockAppendOwnedOperation(block, call.op);
  return call;
}

static bool calls(MlirOperation op, const char *target) {
  return mlirStringRefEqual(
      mlirStringAttrGetValue(xlaOpGetAttr(op, "call_target_name")),
      mlirStringRefCreateFromCString(target));
}

/// Whether operand `index` is an s32 scalar.
static bool isSize(MlirOperation op, intptr_t index) {
  XlaShape shape;
  MlirType type = mlirValueGetType(mlirOperationGetOperand(op, index));
  return xlaShapeFromMlir(type, &shape, NULL) && !shape.rank &&
         shape.elementType == XlaElementTypeS32;
}

static bool isCheck(MlirOperation op) {
  return xlaOpGetKind(op) == XlaOpKindCustomCall &&
         (calls(op, XLA_CHECK_EQUAL) || calls(op, XLA_CHECK_AT_MOST)) &&
         mlirOperationGetNumOperands(op) == 2 &&
         !mlirOperationGetNumResults(op) && isSize(op, 0) && isSize(op, 1);
}

/// The types of the operands that `op` had, if its operands are their arrays
/// and sizes: a program may state the attribute as well. Null if not.
static MlirAttribute boundedOperands(MlirOperation op) {
  const MlirAttribute none = {NULL};
  MlirAttribute types = xlaOpGetAttr(op, XLA_BOUNDED_OPERANDS);
  if (mlirAttributeIsNull(types) || !mlirAttributeIsAArray(types))
    return none;
  intptr_t n = mlirArrayAttrGetNumElements(types), nSizes = 0;
  intptr_t nOperands = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < n; ++i) {
    MlirAttribute type = mlirArrayAttrGetElement(types, i);
    XlaShape bounds, shape;
    if (i >= nOperands || !mlirAttributeIsAType(type) ||
        !xlaShapeFromMlirBounded(mlirTypeAttrGetValue(type), &bounds, NULL) ||
        !xlaShapeFromMlir(mlirValueGetType(mlirOperationGetOperand(op, i)),
                          &shape, NULL) ||
        bounds.elementType != shape.elementType ||
        !xlaShapeDimsEqual(&bounds, &shape))
      return none;
    nSizes += xlaBoundedSizeCount(mlirTypeAttrGetValue(type));
  }
  for (intptr_t i = n; i < nOperands; ++i)
    if (!isSize(op, i))
      return none;
  return n + nSizes == nOperands ? types : none;
}

/// Whether there is somebody to run a custom call of this target.
static bool isRun(const XlaHostHooks *hooks, MlirStringRef target) {
  const char *only = hooks->customCallTarget;
  return hooks->customCall &&
         (!only || (target.length == strlen(only) &&
                    !memcmp(target.data, only, target.length)));
}

MlirLogicalResult xlaCustomCallsInit(XlaCustomCalls *calls,
                                     const XlaHostProgram *program,
                                     const XlaHostHooks *hooks) {
  *calls = (XlaCustomCalls){.hooks = *hooks};
  for (intptr_t i = 0; i < program->nCustomCalls; ++i)
    if (xlaIsBetweenReplicas(xlaOpGetKind(program->customCalls[i])) &&
        mlirLogicalResultIsFailure(xlaIsolate(program->customCalls[i])))
      return mlirLogicalResultFailure();
  for (intptr_t i = 0; i < program->nCustomCalls; ++i) {
    MlirOperation op = program->customCalls[i];
    if (xlaOpGetKind(op) != XlaOpKindCustomCall || xlaHostIsBetween(op))
      continue;
    MlirStringRef target =
        mlirStringAttrGetValue(xlaOpGetAttr(op, "call_target_name"));
    if (!isCheck(op) && !isRun(hooks, target))
      return xlaOpUnsupported(op, NULL,
                              "calls \"%.*s\", which has no implementation",
                              (int)target.length, target.data);
  }
  if (!program->nCustomCalls)
    return mlirLogicalResultSuccess();
  calls->all = calloc((size_t)program->nCustomCalls, sizeof *calls->all);
  if (!calls->all)
    return xlaOpNoMemory(program->customCalls[0]);
  for (intptr_t i = 0; i < program->nCustomCalls; ++i)
    calls->all[calls->count++] = detach(program->customCalls[i]);
  return mlirLogicalResultSuccess();
}

void xlaCustomCallsDestroy(XlaCustomCalls *calls) {
  for (intptr_t i = 0; i < calls->count; ++i)
    mlirBlockDestroy(mlirOperationGetBlock(calls->all[i].op));
  free(calls->all);
  *calls = (XlaCustomCalls){0};
}

/// An array of `shape`, whose bounds are those of what lies at `address`.
static XlaLiteral *literalAt(const XlaShape *shape, const XlaShape *bounds,
                             int64_t address) {
  XlaLiteral *whole = xlaLiteralCreateArray(bounds);
  int64_t starts[XLA_MAX_RANK] = {0};
  if (whole && xlaLiteralGetByteCount(whole))
    memcpy(xlaLiteralGetMutableData(whole), (void *)address,
           xlaLiteralGetByteCount(whole));
  if (!whole || xlaShapeDimsEqual(shape, bounds))
    return whole;
  XlaLiteral *part = xlaLiteralCreateArray(shape);
  if (part)
    xlaStridedCopyWindow(part, whole, false, starts);
  xlaLiteralRelease(whole);
  return part;
}

static bool addLeaves(MlirType type, const int64_t *addresses,
                      XlaLiteral **literals, intptr_t *n) {
  XlaShape shape;
  bool whole = true;
  for (intptr_t i = 0;
       whole && mlirTypeIsATuple(type) && i < mlirTupleTypeGetNumTypes(type);
       ++i)
    whole = addLeaves(mlirTupleTypeGetType(type, i), addresses, literals, n);
  if (!xlaShapeFromMlir(type, &shape, NULL))
    return whole;
  literals[*n] = literalAt(&shape, &shape, addresses[*n]);
  return literals[(*n)++] != NULL;
}

/// The arrays of operands that are tuples and tokens too.
static intptr_t readLeaves(const XlaCustomCall *call, const int64_t *addresses,
                           XlaLiteral **literals) {
  intptr_t n = 0;
  bool whole = true;
  for (intptr_t i = 0; whole && i < mlirOperationGetNumOperands(call->op); ++i)
    whole = addLeaves(mlirValueGetType(mlirOperationGetOperand(call->op, i)),
                      addresses, literals, &n);
  return whole ? n : -1;
}

/// The literals of operands, of which there may be fewer than addresses: sizes
/// come after the arrays. The number of literals, or -1 without memory.
static intptr_t readOperands(const XlaCustomCall *call,
                             const int64_t *addresses, XlaLiteral **literals) {
  MlirOperation op = call->op;
  if (call->hasTypes)
    return readLeaves(call, addresses, literals);
  MlirAttribute types = boundedOperands(op);
  bool isBounded = !mlirAttributeIsNull(types);
  intptr_t n = isBounded ? mlirArrayAttrGetNumElements(types)
                         : mlirOperationGetNumOperands(op);
  intptr_t next = n;
  for (intptr_t i = 0; i < n; ++i) {
    MlirType type =
        isBounded ? mlirTypeAttrGetValue(mlirArrayAttrGetElement(types, i))
                  : mlirValueGetType(mlirOperationGetOperand(op, i));
    XlaShape bounds, shape;
    if (!xlaShapeFromMlirBounded(type, &bounds, NULL))
      return -1;
    shape = bounds;
    for (int d = 0; d < shape.rank; ++d)
      if (xlaShapeIsDynamic(&bounds, d)) {
        int32_t size = *(const int32_t *)addresses[next++];
        shape.dims[d] = size < 0                ? 0
                        : size < bounds.dims[d] ? size
                                                : bounds.dims[d];
      }
    if (!(literals[i] = literalAt(&shape, &bounds, addresses[i])))
      return -1;
  }
  return n;
}

static MlirStringRef textOf(MlirOperation op, const char *name) {
  MlirAttribute attr = xlaOpGetAttr(op, name);
  return !mlirAttributeIsNull(attr) && mlirAttributeIsAString(attr)
             ? mlirStringAttrGetValue(attr)
             : (MlirStringRef){"", 0};
}

/// Writes `message` with the numbers in place of its two %d.
static void formatMessage(MlirStringRef message, const int32_t *numbers,
                          char *text, size_t size) {
  size_t n = 0;
  int left = 2;
  for (size_t i = 0; i < message.length && n + 16 < size; ++i)
    if (message.data[i] == '%' && i + 1 < message.length && left-- > 0) {
      n += (size_t)snprintf(text + n, size - n, "%d", *numbers++);
      ++i;
    } else {
      text[n++] = message.data[i];
    }
  text[n] = 0;
}

/// Whether two sizes go together; else the error that the interpreter finds at
/// the operation which needs it.
static bool check(MlirOperation op, const int64_t *addresses) {
  const int32_t numbers[2] = {*(const int32_t *)addresses[0],
                              *(const int32_t *)addresses[1]};
  if (calls(op, XLA_CHECK_EQUAL) ? numbers[0] == numbers[1]
                                 : numbers[0] <= numbers[1])
    return true;
  char message[600], text[800];
  MlirStringRef name = textOf(op, "xla.op"), label = textOf(op, "xla.label");
  formatMessage(textOf(op, "xla.message"), numbers, message, sizeof message);
  snprintf(text, sizeof text, "'%.*s' op %s [%.*s]", (int)name.length,
           name.data, message, (int)label.length, label.data);
  xlaErrorEmit(mlirOperationGetLocation(op), XLA_STATUS_INVALID_ARGUMENT, "%s",
               text);
  return false;
}

static void store(const XlaLiteral *literal, int64_t address) {
  if (xlaLiteralGetByteCount(literal))
    memcpy((void *)address, xlaLiteralGetData(literal),
           xlaLiteralGetByteCount(literal));
}

/// Results of an infeed are the hook's own literals.
static MlirLogicalResult runInfeed(const XlaHostHooks *hooks, MlirOperation op,
                                   intptr_t n, XlaLiteral **results) {
  XlaShape *shapes = calloc((size_t)n + 1, sizeof *shapes);
  if (!shapes)
    return xlaOpNoMemory(op);
  for (intptr_t i = 0; i < n; ++i)
    xlaShapeFromMlir(mlirValueGetType(mlirOperationGetResult(op, i)),
                     &shapes[i], NULL);
  MlirLogicalResult result =
      xlaInfeedRead(op, hooks->infeed, hooks->feedUser, n, shapes, results);
  free(shapes);
  return result;
}

static bool isTransfer(XlaOpKind kind) {
  return kind == XlaOpKindSend || kind == XlaOpKindRecv ||
         kind == XlaOpKindRecvDone;
}

static MlirLogicalResult runHook(const XlaHostHooks *hooks, MlirOperation op,
                                 intptr_t nOperands,
                                 const XlaLiteral *const *operands,
                                 intptr_t nResults, XlaLiteral **results) {
  XlaOpKind kind = xlaOpGetKind(op);
  if (kind == XlaOpKindInfeed)
    return runInfeed(hooks, op, nResults, results);
  if (kind == XlaOpKindOutfeed)
    return xlaOutfeedWrite(op, hooks->outfeed, hooks->feedUser, nOperands,
                           operands);
  if (isTransfer(kind) || xlaIsBetweenReplicas(kind))
    return xlaHostRunBetween(&hooks->process, op, nOperands, operands, nResults,
                             results);
  return hooks->customCall(
      op, mlirStringAttrGetValue(xlaOpGetAttr(op, "call_target_name")),
      nOperands, operands, nResults, results, hooks->customCallUser);
}

/// A hook on tuples and tokens, of which `leaves` has the arrays.
static MlirLogicalResult runOnTypes(const XlaHostHooks *hooks,
                                    const XlaCustomCall *call,
                                    XlaLiteral **leaves) {
  MlirOperation op = call->op;
  intptr_t nOperands = mlirOperationGetNumOperands(op),
           n = nOperands + mlirOperationGetNumResults(op);
  XlaLiteral **values = calloc((size_t)n + 1, sizeof *values);
  const XlaLiteral *const *in = (const XlaLiteral *const *)leaves;
  XlaLiteral **out = leaves + call->nIn;
  if (!values)
    return xlaOpNoMemory(op);
  bool whole = true;
  for (intptr_t i = 0; whole && i < nOperands; ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetOperand(op, i));
    values[i] = xlaCallAssemble(type, &in);
    whole = values[i] != NULL;
  }
  MlirLogicalResult result =
      whole ? runHook(hooks, op, nOperands, (const XlaLiteral *const *)values,
                      n - nOperands, values + nOperands)
            : xlaOpNoMemory(op);
  for (intptr_t i = nOperands; mlirLogicalResultIsSuccess(result) && i < n; ++i)
    if (!xlaCallTakeApart(
            mlirValueGetType(mlirOperationGetResult(op, i - nOperands)),
            values[i], &out))
      result = xlaOpInvalid(op, NULL, "gets another result %lld than its type",
                            (long long)(i - nOperands));
  for (intptr_t i = 0; i < n; ++i)
    xlaLiteralRelease(values[i]);
  free(values);
  return result;
}

/// After a failure nothing is called any more: operands have no meaning.
void xlaCustomCallsRun(int64_t number, int64_t context, int64_t *addresses) {
  XlaCustomCalls *all = (XlaCustomCalls *)context;
  const XlaCustomCall *call = &all->all[number];
  if (all->failed)
    return;
  if (isCheck(call->op)) {
    all->failed = !check(call->op, addresses);
    return;
  }
  intptr_t nLiterals = call->nIn + call->nOut;
  XlaLiteral **literals = calloc((size_t)nLiterals + 1, sizeof *literals);
  intptr_t n = literals ? readOperands(call, addresses, literals) : -1;
  MlirLogicalResult result = n < 0 ? xlaOpNoMemory(call->op)
                             : call->hasTypes
                                 ? runOnTypes(&all->hooks, call, literals)
                                 : runHook(&all->hooks, call->op, n,
                                           (const XlaLiteral *const *)literals,
                                           call->nOut, literals + call->nIn);
  all->failed = mlirLogicalResultIsFailure(result);
  for (intptr_t i = 0; literals && i < nLiterals; ++i) {
    if (i >= call->nIn && literals[i] && !all->failed)
      store(literals[i], addresses[i]);
    xlaLiteralRelease(literals[i]);
  }
  free(literals);
}
