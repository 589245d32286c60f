//===- custom_call.c - Custom calls of compiled programs ------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/host/custom_call.h"
#include "xlac/dialect/dynamic.h"
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

/// The operation that the call `op` stands for, at the end of `block`, which
/// gets the call's operands as arguments, but for the number of blocks drawn.
/// Null if it stands for none.
static MlirOperation takeBetween(MlirOperation op, MlirBlock block) {
  MlirModule module;
  MlirOperation inner = xlaIsolatedOp(op, &module);
  if (!mlirOperationIsNull(inner)) {
    MlirBlock from = mlirOperationGetBlock(inner);
    mlirOperationRemoveFromParent(inner);
    mlirBlockAppendOwnedOperation(block, inner);
    for (intptr_t i = xlaIsolatedDraws(op); i < mlirBlockGetNumArguments(from);
         ++i) {
      MlirValue argument = mlirBlockGetArgument(from, i);
      mlirValueReplaceAllUsesOfWith(
          argument, mlirBlockAddArgument(block, mlirValueGetType(argument),
                                         mlirOperationGetLocation(inner)));
    }
  }
  if (!mlirModuleIsNull(module))
    mlirModuleDestroy(module);
  return inner;
}

/// `op`, or what it stands for, at the end of `block`, with arguments of it in
/// place of its operands, which would keep pointing into the program that is
/// about to go.
static MlirOperation copyTo(MlirBlock block, const XlaCustomCall *call,
                            MlirOperation op) {
  const char *transfer = xlaHostTransferName(op);
  MlirOperation copy = takeBetween(op, block);
  if (!mlirOperationIsNull(copy))
    return copy;
  if (call->hasTypes)
    return xlaCallWithTypes(op, xlaOpGetAttr(op, XLA_CALL_OPERANDS),
                            xlaOpGetAttr(op, XLA_CALL_RESULTS), block);
  if (call->in.n != call->nIn || call->out.n != call->nOut)
    return xlaCallWithTypes(op, call->in.types, call->out.types, block);
  for (intptr_t i = 0; i < call->nIn; ++i)
    mlirBlockAddArgument(block,
                         mlirValueGetType(mlirOperationGetOperand(op, i)),
                         mlirOperationGetLocation(op));
  if (transfer)
    return cloneAs(op, transfer, block);
  copy = mlirOperationClone(op);
  for (intptr_t i = 0; i < call->nIn; ++i)
    mlirOperationSetOperand(copy, i, mlirBlockGetArgument(block, i));
  mlirBlockAppendOwnedOperation(block, copy);
  return copy;
}

static bool isCustomCall(MlirOperation op) {
  return xlaOpGetKind(op) == XlaOpKindCustomCall;
}

static bool detach(MlirOperation op, XlaCustomCall *call);

/// The calls in the computation of an operation between replicas.
static bool detachInner(XlaCustomCall *call) {
  XlaIrOps found = xlaIrCollect(call->op, MlirWalkPreOrder, isCustomCall);
  call->from = found.ops;
  if (!found.failed && found.n)
    call->inner = calloc((size_t)found.n, sizeof *call->inner);
  bool done = !found.failed && (!found.n || call->inner);
  while (done && call->nInner < found.n) {
    done = detach(found.ops[call->nInner], &call->inner[call->nInner]);
    call->nInner += done;
  }
  return done;
}

static void destroy(XlaCustomCall *call) {
  for (intptr_t i = 0; i < call->nInner; ++i)
    destroy(&call->inner[i]);
  free(call->inner);
  free(call->from);
  mlirBlockDestroy(mlirOperationGetBlock(call->op));
}

/// `op` in a block of its own; false without memory.
static bool detach(MlirOperation op, XlaCustomCall *call) {
  *call = (XlaCustomCall){.nIn = mlirOperationGetNumOperands(op),
                          .nOut = mlirOperationGetNumResults(op)};
  if (!xlaCallArraysOf(op, false, &call->in) ||
      !xlaCallArraysOf(op, true, &call->out))
    return false;
  call->hasTypes = xlaCallHasTypes(op, &call->in, &call->out);
  call->draws = xlaIsolatedDraws(op);
  call->op = copyTo(mlirBlockCreate(0, NULL, NULL), call, op);
  if (isCustomCall(call->op) || detachInner(call))
    return true;
  destroy(call);
  return false;
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

/// Whether there is somebody to run a custom call of this target.
static bool isRun(const XlaHostHooks *hooks, MlirStringRef target) {
  const char *only = hooks->customCallTarget;
  return hooks->customCall &&
         (!only || (target.length == strlen(only) &&
                    !memcmp(target.data, only, target.length)));
}

static MlirLogicalResult checkIsRun(const XlaHostHooks *hooks,
                                    MlirOperation op) {
  MlirStringRef target =
      mlirStringAttrGetValue(xlaOpGetAttr(op, "call_target_name"));
  if (isRun(hooks, target))
    return mlirLogicalResultSuccess();
  return xlaOpUnsupported(op, NULL,
                          "calls \"%.*s\", which has no implementation",
                          (int)target.length, target.data);
}

static MlirLogicalResult checkInner(const XlaHostHooks *hooks,
                                    const XlaCustomCall *call) {
  for (intptr_t i = 0; i < call->nInner; ++i)
    if (isCustomCall(call->inner[i].op) &&
        mlirLogicalResultIsFailure(checkIsRun(hooks, call->inner[i].op)))
      return mlirLogicalResultFailure();
  return mlirLogicalResultSuccess();
}

MlirLogicalResult xlaCustomCallsInit(XlaCustomCalls *calls,
                                     const XlaHostProgram *program,
                                     const XlaHostHooks *hooks) {
  *calls = (XlaCustomCalls){.hooks = *hooks};
  for (intptr_t i = 0; i < program->nCustomCalls; ++i)
    if (xlaIsBetweenReplicas(xlaOpGetKind(program->customCalls[i])) &&
        mlirLogicalResultIsFailure(
            xlaIsolateConstants(program->customCalls[i])))
      return mlirLogicalResultFailure();
  for (intptr_t i = 0; i < program->nCustomCalls; ++i) {
    MlirOperation op = program->customCalls[i];
    if (isCustomCall(op) && !xlaHostIsBetween(op) &&
        mlirAttributeIsNull(xlaOpGetAttr(op, XLA_BETWEEN_OP)) && !isCheck(op) &&
        mlirLogicalResultIsFailure(checkIsRun(hooks, op)))
      return mlirLogicalResultFailure();
  }
  if (!program->nCustomCalls)
    return mlirLogicalResultSuccess();
  calls->all = calloc((size_t)program->nCustomCalls, sizeof *calls->all);
  if (!calls->all)
    return xlaOpNoMemory(program->customCalls[0]);
  for (intptr_t i = 0; i < program->nCustomCalls; ++i) {
    if (!detach(program->customCalls[i], &calls->all[i]))
      return xlaOpNoMemory(program->customCalls[i]);
    if (mlirLogicalResultIsFailure(
            checkInner(hooks, &calls->all[calls->count++])))
      return mlirLogicalResultFailure();
  }
  return mlirLogicalResultSuccess();
}

void xlaCustomCallsDestroy(XlaCustomCalls *calls) {
  for (intptr_t i = 0; i < calls->count; ++i)
    destroy(&calls->all[i]);
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

static XlaShape boundsAt(const XlaCallArrays *arrays, intptr_t i) {
  XlaShape bounds = {.rank = 0};
  xlaShapeFromMlirBounded(
      mlirTypeAttrGetValue(mlirArrayAttrGetElement(arrays->types, i)), &bounds,
      NULL);
  return bounds;
}

/// The literals of the arrays; false without memory.
static bool readOperands(const XlaCustomCall *call, const int64_t *addresses,
                         XlaLiteral **literals) {
  intptr_t next = call->in.n;
  for (intptr_t i = 0; i < call->in.n; ++i) {
    XlaShape bounds = boundsAt(&call->in, i), shape = bounds;
    for (int d = 0; d < shape.rank; ++d)
      if (xlaShapeIsDynamic(&bounds, d)) {
        int32_t size = *(const int32_t *)addresses[next++];
        shape.dims[d] = size < 0                ? 0
                        : size < bounds.dims[d] ? size
                                                : bounds.dims[d];
      }
    shape.dynamic = bounds.dynamic = 0;
    if (!(literals[i] = literalAt(&shape, &bounds, addresses[i])))
      return false;
  }
  return true;
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

/// Writes an array to memory for one of `bounds`; false without memory.
static bool store(const XlaLiteral *literal, XlaShape bounds, int64_t address) {
  const int64_t starts[XLA_MAX_RANK] = {0};
  bounds.dynamic = 0;
  if (!xlaLiteralGetByteCount(literal))
    return true;
  XlaLiteral *whole = NULL;
  if (!xlaShapeDimsEqual(xlaLiteralGetShape(literal), &bounds)) {
    whole = xlaLiteralCreateArray(&bounds);
    if (!whole)
      return false;
    xlaStridedCopyWindow(whole, literal, true, starts);
    literal = whole;
  }
  memcpy((void *)address, xlaLiteralGetData(literal),
         xlaLiteralGetByteCount(literal));
  xlaLiteralRelease(whole);
  return true;
}

/// Foreign code may leave anything behind.
static MlirLogicalResult checkResult(const XlaCustomCall *call, intptr_t i,
                                     const XlaLiteral *literal) {
  MlirType type =
      mlirTypeAttrGetValue(mlirArrayAttrGetElement(call->out.types, i));
  if (!literal)
    return xlaOpError(call->op, NULL, "got no result %lld", (long long)i);
  if (xlaLiteralFits(literal, type))
    return mlirLogicalResultSuccess();
  MlirType given =
      xlaLiteralGetType(literal, mlirOperationGetContext(call->op));
  return xlaOpError(call->op, NULL, "got %s as result %lld, which is %s",
                    XLA_TYPE_TEXT(given), (long long)i, XLA_TYPE_TEXT(type));
}

/// Writes arrays, then sizes, to `addresses`.
static MlirLogicalResult storeResults(const XlaCustomCall *call,
                                      XlaLiteral *const *literals,
                                      const int64_t *addresses) {
  intptr_t next = call->out.n;
  for (intptr_t i = 0; i < call->out.n; ++i) {
    XlaShape bounds = boundsAt(&call->out, i);
    if (mlirLogicalResultIsFailure(checkResult(call, i, literals[i])))
      return mlirLogicalResultFailure();
    if (!store(literals[i], bounds, addresses[i]))
      return xlaOpNoMemory(call->op);
    for (int d = 0; d < bounds.rank; ++d)
      if (xlaShapeIsDynamic(&bounds, d))
        *(int32_t *)addresses[next++] =
            (int32_t)xlaLiteralGetShape(literals[i])->dims[d];
  }
  return mlirLogicalResultSuccess();
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

static MlirLogicalResult runHook(const XlaHostHooks *hooks,
                                 const XlaCustomCall *call, intptr_t nOperands,
                                 const XlaLiteral *const *operands,
                                 intptr_t nResults, XlaLiteral **results) {
  MlirOperation op = call->op;
  XlaOpKind kind = xlaOpGetKind(op);
  if (kind == XlaOpKindInfeed)
    return runInfeed(hooks, op, nResults, results);
  if (kind == XlaOpKindOutfeed)
    return xlaOutfeedWrite(op, hooks->outfeed, hooks->feedUser, nOperands,
                           operands);
  if (isTransfer(kind) || xlaIsBetweenReplicas(kind))
    return xlaHostRunBetween(hooks, call, nOperands, operands, nResults,
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
  XlaLiteral **out = leaves + call->in.n;
  if (!values)
    return xlaOpNoMemory(op);
  bool whole = true;
  for (intptr_t i = 0; whole && i < nOperands; ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetOperand(op, i));
    values[i] = xlaCallAssemble(type, &in);
    whole = values[i] != NULL;
  }
  MlirLogicalResult result =
      whole ? runHook(hooks, call, nOperands, (const XlaLiteral *const *)values,
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

/// `literals` are the operands, then room for the results.
static MlirLogicalResult runCall(const XlaHostHooks *hooks,
                                 const XlaCustomCall *call,
                                 XlaLiteral **literals) {
  return call->hasTypes ? runOnTypes(hooks, call, literals)
                        : runHook(hooks, call, call->in.n,
                                  (const XlaLiteral *const *)literals,
                                  call->out.n, literals + call->in.n);
}

MlirLogicalResult xlaCustomCallRun(const XlaHostHooks *hooks,
                                   const XlaCustomCall *call,
                                   const XlaLiteral *const *operands,
                                   XlaLiteral **results) {
  intptr_t nIn = call->in.n, nOut = call->out.n;
  XlaLiteral **literals = calloc((size_t)(nIn + nOut) + 1, sizeof *literals);
  if (!literals)
    return xlaOpNoMemory(call->op);
  for (intptr_t i = 0; i < nIn; ++i)
    literals[i] = (XlaLiteral *)operands[i];
  MlirLogicalResult result = runCall(hooks, call, literals);
  for (intptr_t i = 0; i < nOut; ++i)
    results[i] = literals[nIn + i];
  free(literals);
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
  intptr_t nIn = call->in.n, nOut = call->out.n;
  XlaLiteral **literals = calloc((size_t)(nIn + nOut) + 1, sizeof *literals);
  MlirLogicalResult result =
      !literals || !readOperands(call, addresses, literals)
          ? xlaOpNoMemory(call->op)
          : runCall(&all->hooks, call, literals);
  if (literals && mlirLogicalResultIsSuccess(result))
    result = storeResults(call, literals + nIn, addresses + call->nIn);
  all->failed = mlirLogicalResultIsFailure(result);
  for (intptr_t i = 0; literals && i < nIn + nOut; ++i)
    xlaLiteralRelease(literals[i]);
  free(literals);
}
