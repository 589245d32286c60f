//===- transfer.c - Transfers, evaluated ----------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/interpret/transfer.h"
#include "xlac/dialect/family.h"
#include "xlac/dialect/interpret/evaluator.h"
#include "xlac/dialect/interpret/feed.h"
#include "xlac/dialect/ops/transfer_internal.h"
#include "xlac/dialect/result_internal.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>
#include <string.h>

static MlirLogicalResult outOfMemory(MlirOperation op) {
  return xlaOpNoMemory(op);
}

static MlirType resultType(MlirOperation op, intptr_t i) {
  return mlirValueGetType(mlirOperationGetResult(op, i));
}

static intptr_t leafCount(MlirType type) {
  return mlirTypeIsATuple(type) ? mlirTupleTypeGetNumTypes(type)
                                : !xlaTypeIsToken(type);
}

/// The last result, where it is a token.
static MlirLogicalResult makeToken(XlaEvaluator *evaluator, MlirOperation op,
                                   XlaLiteral **results) {
  intptr_t n = mlirOperationGetNumResults(op);
  if (!n || !xlaTypeIsToken(resultType(op, n - 1)))
    return success();
  results[n - 1] = xlaLiteralCreateToken();
  return xlaEvaluatorCount(evaluator, op, results[n - 1]);
}

/// The value of `type` made of arrays, whose references it takes over.
static XlaLiteral *assemble(MlirType type, XlaLiteral ***next) {
  XlaLiteral **arrays = *next;
  *next += leafCount(type);
  if (!mlirTypeIsATuple(type))
    return *arrays;
  return xlaLiteralTakeTuple(mlirTupleTypeGetNumTypes(type), arrays);
}

//===----------------------------------------------------------------------===//
// Infeed and outfeed
//===----------------------------------------------------------------------===//

/// Reads arrays of `shapes` from the host and puts the results together.
static MlirLogicalResult feedIn(XlaEvaluator *evaluator, MlirOperation op,
                                intptr_t n, const XlaShape *shapes,
                                XlaLiteral **arrays, XlaLiteral **results) {
  const XlaEvaluatorOptions *options = xlaEvaluatorGetOptions(evaluator);
  for (intptr_t i = 0; i < n; ++i)
    if (failed(xlaEvaluatorReserve(evaluator, op, &shapes[i])))
      return failure();
  if (failed(xlaInfeedRead(op, options->infeed, options->userData, n, shapes,
                           arrays)))
    return failure();
  MlirLogicalResult result = success();
  for (intptr_t i = 0; i < n; ++i)
    if (failed(xlaEvaluatorCount(evaluator, op, arrays[i])))
      result = failure();
  XlaLiteral **next = arrays;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirType type = resultType(op, i);
    if (xlaTypeIsToken(type))
      continue;
    results[i] = assemble(type, &next);
    if (mlirTypeIsATuple(type) &&
        failed(xlaEvaluatorCount(evaluator, op, results[i])))
      result = failure();
  }
  return failed(result) ? result : makeToken(evaluator, op, results);
}

static MlirLogicalResult evaluateInfeed(XlaEvaluator *evaluator,
                                        MlirOperation op,
                                        const XlaLiteral *const *operands,
                                        XlaLiteral **results) {
  (void)operands;
  intptr_t n = 0, at = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    n += leafCount(resultType(op, i));
  XlaShape *shapes = calloc((size_t)n + 1, sizeof *shapes);
  XlaLiteral **arrays = calloc((size_t)n + 1, sizeof *arrays);
  if (!shapes || !arrays) {
    free(shapes);
    free(arrays);
    return outOfMemory(op);
  }
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirType type = resultType(op, i);
    for (intptr_t k = 0; k < leafCount(type); ++k)
      xlaShapeFromMlir(mlirTypeIsATuple(type) ? mlirTupleTypeGetType(type, k)
                                              : type,
                       &shapes[at++], NULL);
  }
  MlirLogicalResult result = feedIn(evaluator, op, n, shapes, arrays, results);
  free(shapes);
  free(arrays);
  return result;
}

static MlirLogicalResult evaluateOutfeed(XlaEvaluator *evaluator,
                                         MlirOperation op,
                                         const XlaLiteral *const *operands,
                                         XlaLiteral **results) {
  const XlaEvaluatorOptions *options = xlaEvaluatorGetOptions(evaluator);
  intptr_t n = 0, at = 0, nOperands = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < nOperands; ++i)
    n += leafCount(mlirValueGetType(mlirOperationGetOperand(op, i)));
  const XlaLiteral **arrays = calloc((size_t)n + 1, sizeof *arrays);
  if (!arrays)
    return outOfMemory(op);
  for (intptr_t i = 0; i < nOperands; ++i) {
    bool tuple = xlaLiteralGetKind(operands[i]) == XlaLiteralKindTuple;
    intptr_t leaves =
        leafCount(mlirValueGetType(mlirOperationGetOperand(op, i)));
    for (intptr_t k = 0; k < leaves; ++k)
      arrays[at++] =
          tuple ? xlaLiteralGetTupleElement(operands[i], k) : operands[i];
  }
  MlirLogicalResult result =
      xlaOutfeedWrite(op, options->outfeed, options->userData, n, arrays);
  free(arrays);
  return failed(result) ? result : makeToken(evaluator, op, results);
}

//===----------------------------------------------------------------------===//
// Send and recv
//===----------------------------------------------------------------------===//

/// {buffer, request} and a token; takes over the reference to `buffer`.
static MlirLogicalResult makeContext(XlaEvaluator *evaluator, MlirOperation op,
                                     XlaLiteral *buffer, XlaLiteral **results) {
  XlaShape shape = {.elementType = XlaElementTypeU32};
  XlaLiteral *elements[3] = {
      buffer, xlaEvaluatorCreateArray(evaluator, op, &shape), NULL};
  intptr_t n = mlirTupleTypeGetNumTypes(resultType(op, 0));
  if (n == 3)
    elements[2] = xlaLiteralCreateToken();
  if (!elements[1] || (n == 3 && !elements[2])) {
    for (int i = 0; i < 3; ++i)
      xlaLiteralRelease(elements[i]);
    return outOfMemory(op);
  }
  xlaLiteralSet(elements[1], 0,
                (XlaScalar){.u = (uint32_t)xlaOpGetI64(op, "channel_id", 0)});
  results[0] = xlaLiteralTakeTuple(n, elements);
  return xlaEvaluatorCount(evaluator, op, results[0]);
}

MlirLogicalResult xlaTransferCheckProcess(MlirOperation op,
                                          const XlaProcess *process) {
  MlirAttribute host = xlaOpGetAttr(op, "is_host_transfer");
  if (!mlirAttributeIsNull(host) && mlirBoolAttrGetValue(host))
    return xlaHostTransferUnsupported(op);
  if (!process->rendezvous)
    return xlaOpUnsupported(op, NULL, "has no other process to transfer with");
  return success();
}

/// The operands, together where there are several.
static XlaLiteral *packOperands(MlirOperation op,
                                const XlaLiteral *const *operands) {
  intptr_t n = mlirOperationGetNumOperands(op);
  if (n && xlaLiteralGetKind(operands[n - 1]) == XlaLiteralKindToken)
    --n;
  if (n == 1)
    return xlaLiteralRetain(operands[0]);
  XlaLiteral **elements = malloc(((size_t)n + 1) * sizeof *elements);
  for (intptr_t i = 0; elements && i < n; ++i)
    elements[i] = xlaLiteralRetain(operands[i]);
  XlaLiteral *tuple = elements ? xlaLiteralTakeTuple(n, elements) : NULL;
  free(elements);
  return tuple;
}

static MlirLogicalResult evaluateSend(XlaEvaluator *evaluator, MlirOperation op,
                                      const XlaLiteral *const *operands,
                                      XlaLiteral **results) {
  const XlaProcess *process = &xlaEvaluatorGetOptions(evaluator)->process;
  if (failed(xlaTransferCheckProcess(op, process)))
    return failure();
  XlaLiteral *buffer = packOperands(op, operands);
  XlaLiteral *copy = buffer ? xlaLiteralCopy(buffer) : NULL;
  if (!copy) {
    xlaLiteralRelease(buffer);
    return outOfMemory(op);
  }
  if (failed(xlaProcessSend(process, op, xlaOpGetI64(op, "channel_id", 0),
                            copy))) {
    xlaLiteralRelease(buffer);
    return failure();
  }
  return makeContext(evaluator, op, buffer, results);
}

/// A buffer of zeros, which nobody reads: recv_done gives what came.
static XlaLiteral *makeBuffer(XlaEvaluator *evaluator, MlirOperation op,
                              MlirType type) {
  XlaShape shape;
  if (xlaShapeFromMlir(type, &shape, NULL))
    return xlaEvaluatorCreateArray(evaluator, op, &shape);
  intptr_t n = mlirTupleTypeGetNumTypes(type), made = 0;
  XlaLiteral **elements = calloc((size_t)n + 1, sizeof *elements);
  while (elements && made < n &&
         (elements[made] =
              makeBuffer(evaluator, op, mlirTupleTypeGetType(type, made))))
    ++made;
  XlaLiteral *buffer = NULL;
  if (elements && made == n)
    buffer = xlaLiteralTakeTuple(n, elements);
  for (intptr_t i = 0; elements && made < n && i < made; ++i)
    xlaLiteralRelease(elements[i]);
  free(elements);
  return buffer;
}

static MlirLogicalResult evaluateRecv(XlaEvaluator *evaluator, MlirOperation op,
                                      const XlaLiteral *const *operands,
                                      XlaLiteral **results) {
  (void)operands;
  const XlaProcess *process = &xlaEvaluatorGetOptions(evaluator)->process;
  if (failed(xlaTransferCheckProcess(op, process)))
    return failure();
  XlaLiteral *buffer =
      makeBuffer(evaluator, op, mlirTupleTypeGetType(resultType(op, 0), 0));
  if (!buffer)
    return failure();
  if (failed(
          xlaProcessReceive(process, op, xlaOpGetI64(op, "channel_id", 0)))) {
    xlaLiteralRelease(buffer);
    return failure();
  }
  return makeContext(evaluator, op, buffer, results);
}

/// Counts a value that another process made, with its elements.
static MlirLogicalResult countAll(XlaEvaluator *evaluator, MlirOperation op,
                                  XlaLiteral *literal) {
  if (failed(xlaEvaluatorCount(evaluator, op, literal)))
    return failure();
  if (xlaLiteralGetKind(literal) == XlaLiteralKindTuple)
    for (intptr_t i = 0; i < xlaLiteralGetTupleSize(literal); ++i)
      if (failed(xlaEvaluatorCount(
              evaluator, op,
              (XlaLiteral *)xlaLiteralGetTupleElement(literal, i))))
        return failure();
  return success();
}

MlirLogicalResult xlaChannelCheckType(MlirOperation op, MlirType wanted,
                                      MlirOperation sender,
                                      const XlaLiteral *value,
                                      int64_t channel) {
  MlirType given = xlaLiteralGetType(value, mlirOperationGetContext(op));
  if (xlaTypeEqualIgnoringLayout(wanted, given))
    return success();
  xlaOpInvalid(sender, "channel", "sends %s on channel %lld",
               XLA_TYPE_TEXT(given), (long long)channel);
  return xlaOpInvalid(op, "channel", "receives %s on channel %lld, gets %s",
                      XLA_TYPE_TEXT(wanted), (long long)channel,
                      XLA_TYPE_TEXT(given));
}

static MlirLogicalResult evaluateRecvDone(XlaEvaluator *evaluator,
                                          MlirOperation op,
                                          const XlaLiteral *const *operands,
                                          XlaLiteral **results) {
  (void)operands;
  const XlaProcess *process = &xlaEvaluatorGetOptions(evaluator)->process;
  MlirOperation recv = mlirOpResultGetOwner(mlirOperationGetOperand(op, 0));
  MlirOperation sender;
  int64_t channel = xlaOpGetI64(recv, "channel_id", 0);
  if (failed(xlaProcessAwait(process, op, channel, &results[0], &sender)))
    return failure();
  if (failed(xlaChannelCheckType(op, resultType(op, 0), sender, results[0],
                                 channel)))
    return failure();
  if (failed(countAll(evaluator, op, results[0])))
    return failure();
  return makeToken(evaluator, op, results);
}

/// Send has waited.
static MlirLogicalResult evaluateSendDone(XlaEvaluator *evaluator,
                                          MlirOperation op,
                                          const XlaLiteral *const *operands,
                                          XlaLiteral **results) {
  (void)operands;
  return makeToken(evaluator, op, results);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

MlirLogicalResult xlaTransferEvaluate(XlaEvaluator *evaluator, MlirOperation op,
                                      XlaOpKind kind,
                                      const XlaLiteral *const *operands,
                                      XlaLiteral **results) {
  static MlirLogicalResult (*const hooks[XlaOpKindCount])(
      XlaEvaluator *, MlirOperation, const XlaLiteral *const *,
      XlaLiteral **) = {
#define XLA_OP(Enum, ...) [XlaOpKind##Enum] = evaluate##Enum,
#include "xlac/dialect/rows/transfer.def"
  };
  return hooks[kind](evaluator, op, operands, results);
}
