//===- between.c - Operations between processes, compiled -----------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/host/between.h"

#include "xlac/dialect/family.h"
#include "xlac/dialect/interpret/transfer.h"
#include "xlac/dialect/result_internal.h"
#include "xlac/passes/flatten.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Which operations
//===----------------------------------------------------------------------===//

static bool isCollective(MlirOperation op) {
  XlaOpKind kind = xlaOpGetKind(op);
  return kind != XlaOpKindInvalid &&
         xlaOpGetInfo(kind)->family == XlaFamilyCollective;
}

/// A program may call these itself, but then without what they need.
const char *xlaHostTransferName(MlirOperation call) {
  static const char *const names[][2] = {{XLA_SEND, "xla.send"},
                                         {XLA_RECV, "xla.recv"},
                                         {XLA_RECV_DONE, "xla.recv_done"}};
  MlirAttribute channel = xlaOpGetAttr(call, XLA_CHANNEL);
  MlirAttribute type = xlaOpGetAttr(call, XLA_CHANNEL_TYPE);
  if (xlaOpGetKind(call) != XlaOpKindCustomCall ||
      mlirAttributeIsNull(channel) || !mlirAttributeIsAInteger(channel))
    return NULL;
  MlirStringRef target =
      mlirStringAttrGetValue(xlaOpGetAttr(call, "call_target_name"));
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    bool gives = !strcmp(names[i][0], XLA_RECV_DONE);
    if (mlirStringRefEqual(target,
                           mlirStringRefCreateFromCString(names[i][0])) &&
        (!gives || (!mlirAttributeIsNull(type) && mlirAttributeIsAType(type))))
      return names[i][1];
  }
  return NULL;
}

bool xlaHostIsBetween(MlirOperation op) {
  return isCollective(op) || xlaHostTransferName(op) != NULL;
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

/// A collective that runs, for the hooks of what is in its computation.
typedef struct Running {
  const XlaHostHooks *hooks;
  const XlaCustomCall *call;
} Running;

static MlirLogicalResult callInside(MlirOperation op, MlirStringRef target,
                                    intptr_t nOperands,
                                    const XlaLiteral *const *operands,
                                    intptr_t nResults, XlaLiteral **results,
                                    void *user) {
  const Running *running = user;
  const XlaCustomCall *call = running->call;
  (void)target;
  for (intptr_t i = 0; i < call->nInner; ++i)
    if (mlirOperationEqual(call->from[i], op) &&
        call->inner[i].in.n == nOperands && call->inner[i].out.n == nResults)
      return xlaCustomCallRun(running->hooks, &call->inner[i], operands,
                              results);
  return xlaOpError(op, NULL, "is not known where it is called");
}

static MlirLogicalResult feedIn(MlirOperation op, intptr_t n,
                                const XlaShape *shapes, XlaLiteral **arrays,
                                void *user) {
  const XlaHostHooks *hooks = ((const Running *)user)->hooks;
  return hooks->infeed(op, n, shapes, arrays, hooks->feedUser);
}

static MlirLogicalResult feedOut(MlirOperation op, intptr_t n,
                                 const XlaLiteral *const *arrays, void *user) {
  const XlaHostHooks *hooks = ((const Running *)user)->hooks;
  return hooks->outfeed(op, n, arrays, hooks->feedUser);
}

/// Behind its operands come values that its computation uses, in the order of
/// the arguments of the block that it is in.
static bool bindOuter(XlaEvaluator *evaluator, MlirOperation op,
                      intptr_t nOperands, const XlaLiteral *const *operands) {
  MlirBlock block = mlirOperationGetBlock(op);
  bool bound = true;
  for (intptr_t i = mlirOperationGetNumOperands(op); bound && i < nOperands;
       ++i)
    bound = xlaEvaluatorSetValue(evaluator, mlirBlockGetArgument(block, i),
                                 operands[i]);
  return bound;
}

/// The number of blocks that have been drawn now.
static XlaLiteral *countDrawn(XlaEvaluator *evaluator) {
  XlaShape shape = {.elementType = XlaElementTypeU64};
  XlaLiteral *count = xlaLiteralCreateArray(&shape);
  if (count)
    xlaLiteralSet(count, 0, (XlaScalar){.u = xlaEvaluatorDraw(evaluator, 0)});
  return count;
}

static MlirLogicalResult runCollective(const XlaHostHooks *hooks,
                                       const XlaCustomCall *call,
                                       intptr_t nOperands,
                                       const XlaLiteral *const *operands,
                                       XlaLiteral **results) {
  MlirOperation op = call->op;
  Running running = {hooks, call};
  XlaEvaluatorOptions options = {.process = hooks->process,
                                 .customCall = callInside,
                                 .infeed = hooks->infeed ? feedIn : NULL,
                                 .outfeed = hooks->outfeed ? feedOut : NULL,
                                 .userData = &running};
  // Its computation calls no functions: there is no module to look them up in.
  XlaEvaluator *evaluator = xlaEvaluatorCreate(op, &options);
  if (!evaluator)
    return xlaOpNoMemory(op);
  bool draws = call->draws;
  if (draws)
    xlaEvaluatorDraw(evaluator, xlaLiteralGet(operands[0], 0).u);
  MlirLogicalResult result =
      bindOuter(evaluator, op, nOperands - draws, operands + draws)
          ? xlaCollectiveEvaluate(evaluator, op, xlaOpGetKind(op),
                                  operands + draws, results + draws)
          : xlaOpNoMemory(op);
  if (draws && !failed(result) && !(results[0] = countDrawn(evaluator)))
    result = xlaOpNoMemory(op);
  xlaEvaluatorDestroy(evaluator);
  return result;
}

//===----------------------------------------------------------------------===//
// Transfers
//===----------------------------------------------------------------------===//

/// A copy of the arrays that the receiver may keep; a tuple unless it is one.
static XlaLiteral *pack(intptr_t n, const XlaLiteral *const *arrays) {
  XlaLiteral **copies = calloc((size_t)n + 1, sizeof *copies);
  XlaLiteral *packed = NULL;
  bool whole = copies != NULL;
  for (intptr_t i = 0; whole && i < n; ++i)
    whole = (copies[i] = xlaLiteralCopy(arrays[i])) != NULL;
  if (whole)
    packed = n == 1 ? copies[0] : xlaLiteralTakeTuple(n, copies);
  for (intptr_t i = 0; copies && !whole && i < n; ++i)
    xlaLiteralRelease(copies[i]);
  free(copies);
  return packed;
}

static MlirLogicalResult send(const XlaProcess *process, MlirOperation op,
                              int64_t channel, intptr_t n,
                              const XlaLiteral *const *arrays) {
  XlaLiteral *value = pack(n, arrays);
  return value ? xlaProcessSend(process, op, channel, value)
               : xlaOpNoMemory(op);
}

/// Whether `array` is what result `i` of `op` takes: memory has that size.
static bool fits(MlirOperation op, intptr_t i, const XlaLiteral *array) {
  XlaShape shape;
  return xlaLiteralGetKind(array) == XlaLiteralKindArray &&
         xlaShapeFromMlir(mlirValueGetType(mlirOperationGetResult(op, i)),
                          &shape, NULL) &&
         xlaLiteralGetShape(array)->elementType == shape.elementType &&
         xlaShapeDimsEqual(xlaLiteralGetShape(array), &shape);
}

/// The arrays of `value`, if its type is that of the recv.
static bool unpack(MlirOperation op, const XlaLiteral *value, intptr_t n,
                   XlaLiteral **results) {
  bool isTuple = xlaLiteralGetKind(value) == XlaLiteralKindTuple;
  bool whole = n == (isTuple ? xlaLiteralGetTupleSize(value) : 1);
  for (intptr_t i = 0; whole && i < n; ++i) {
    const XlaLiteral *array =
        isTuple ? xlaLiteralGetTupleElement(value, i) : value;
    whole = fits(op, i, array);
    results[i] = whole ? xlaLiteralRetain(array) : NULL;
  }
  return whole;
}

static MlirLogicalResult await(const XlaProcess *process, MlirOperation op,
                               int64_t channel, intptr_t n,
                               XlaLiteral **results) {
  XlaLiteral *value;
  MlirOperation sender;
  if (failed(xlaProcessAwait(process, op, channel, &value, &sender)))
    return failure();
  MlirType wanted = mlirTypeAttrGetValue(xlaOpGetAttr(op, XLA_CHANNEL_TYPE));
  MlirLogicalResult result =
      xlaChannelCheckType(op, wanted, sender, value, channel);
  if (!failed(result) && !unpack(op, value, n, results))
    result = xlaOpInvalid(op, "channel", "has other results than %s",
                          XLA_TYPE_TEXT(wanted));
  xlaLiteralRelease(value);
  return result;
}

static MlirLogicalResult transfer(const XlaProcess *process, MlirOperation op,
                                  intptr_t nOperands,
                                  const XlaLiteral *const *operands,
                                  intptr_t nResults, XlaLiteral **results) {
  int64_t channel = xlaOpGetI64(op, XLA_CHANNEL, 0);
  XlaOpKind kind = xlaOpGetKind(op);
  if (failed(xlaTransferCheckProcess(op, process)))
    return failure();
  if (kind == XlaOpKindSend)
    return send(process, op, channel, nOperands, operands);
  return kind == XlaOpKindRecv ? xlaProcessReceive(process, op, channel)
                               : await(process, op, channel, nResults, results);
}

MlirLogicalResult xlaHostRunBetween(const XlaHostHooks *hooks,
                                    const XlaCustomCall *call,
                                    intptr_t nOperands,
                                    const XlaLiteral *const *operands,
                                    intptr_t nResults, XlaLiteral **results) {
  return isCollective(call->op)
             ? runCollective(hooks, call, nOperands, operands, results)
             : transfer(&hooks->process, call->op, nOperands, operands,
                        nResults, results);
}
