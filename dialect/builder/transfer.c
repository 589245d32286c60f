//===- transfer.c - Building transfers ------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/builder/internal.h"

#include "mlir-c/BuiltinTypes.h"

/// A token would be taken for what orders the transfer.
static void addValue(XlaDraft *draft, XlaOp op) {
  xlaDraftOperand(draft, op);
  if (draft->b && !draft->b->failed &&
      xlaTypeIsToken(xlaBuilderGetType(draft->b, op)))
    xlaBuilderFail(draft->b, "the operand is a token, not a value");
}

static void addToken(XlaDraft *draft, const XlaOp *token) {
  if (token)
    xlaDraftOperand(draft, *token);
}

//===----------------------------------------------------------------------===//
// Infeed and outfeed
//===----------------------------------------------------------------------===//

XlaOp xlaBuilderInfeed(XlaBuilder *b, MlirType type) {
  XlaDraft draft;
  xlaDraftBegin(&draft, b, __func__, XlaOpKindInfeed);
  xlaDraftResult(&draft, type);
  return xlaDraftFinish(&draft);
}

XlaOp xlaBuilderInfeedWithToken(XlaBuilder *b, XlaOp token, MlirType type) {
  XlaDraft draft;
  xlaDraftBegin(&draft, b, __func__, XlaOpKindInfeed);
  xlaDraftOperand(&draft, token);
  xlaDraftResult(&draft, type);
  if (draft.b)
    xlaDraftResult(&draft, xlaTokenTypeGet(b->context));
  return xlaDraftFinish(&draft);
}

XlaOp xlaBuilderOutfeed(XlaBuilder *b, XlaOp operand) {
  XlaDraft draft;
  xlaDraftBegin(&draft, b, __func__, XlaOpKindOutfeed);
  addValue(&draft, operand);
  return xlaDraftFinish(&draft);
}

XlaOp xlaBuilderOutfeedWithToken(XlaBuilder *b, XlaOp operand, XlaOp token) {
  XlaDraft draft;
  xlaDraftBegin(&draft, b, __func__, XlaOpKindOutfeed);
  addValue(&draft, operand);
  xlaDraftOperand(&draft, token);
  return xlaDraftFinish(&draft);
}

//===----------------------------------------------------------------------===//
// Send and receive
//===----------------------------------------------------------------------===//

static XlaOp sendStart(XlaBuilder *b, const char *function, XlaOp operand,
                       const XlaOp *token, int64_t channelId) {
  XlaDraft draft;
  xlaDraftBegin(&draft, b, function, XlaOpKindSend);
  addValue(&draft, operand);
  addToken(&draft, token);
  xlaDraftInt(&draft, "channel_id", channelId);
  return xlaDraftFinish(&draft);
}

static XlaOp recvStart(XlaBuilder *b, const char *function, const XlaOp *token,
                       MlirType type, int64_t channelId) {
  XlaDraft draft;
  xlaDraftBegin(&draft, b, function, XlaOpKindRecv);
  addToken(&draft, token);
  xlaDraftInt(&draft, "channel_id", channelId);
  if (draft.b && mlirTypeIsNull(type))
    xlaBuilderFail(b, "the type of the result is null");
  if (draft.b && !b->failed) {
    MlirType parts[] = {type, xlaShapeToMlir(XLA_SHAPE(U32), b->context),
                        xlaTokenTypeGet(b->context)};
    xlaDraftResult(&draft, mlirTupleTypeGet(b->context, token ? 3 : 2, parts));
  }
  return xlaDraftFinish(&draft);
}

/// The second half. Send without a token has no results: the empty tuple.
static XlaOp done(XlaBuilder *b, const char *function, XlaOpKind kind,
                  XlaOp context) {
  XlaDraft draft;
  xlaDraftBegin(&draft, b, function, kind);
  xlaDraftOperand(&draft, context);
  return xlaDraftFinish(&draft);
}

XlaOp xlaBuilderSendStart(XlaBuilder *b, XlaOp operand, int64_t channelId) {
  return sendStart(b, __func__, operand, NULL, channelId);
}

XlaOp xlaBuilderSendDone(XlaBuilder *b, XlaOp context) {
  return done(b, __func__, XlaOpKindSendDone, context);
}

XlaOp xlaBuilderRecvStart(XlaBuilder *b, MlirType type, int64_t channelId) {
  return recvStart(b, __func__, NULL, type, channelId);
}

XlaOp xlaBuilderRecvDone(XlaBuilder *b, XlaOp context) {
  return done(b, __func__, XlaOpKindRecvDone, context);
}

XlaOp xlaBuilderSend(XlaBuilder *b, XlaOp operand, int64_t channelId) {
  return done(b, __func__, XlaOpKindSendDone,
              sendStart(b, __func__, operand, NULL, channelId));
}

XlaOp xlaBuilderRecv(XlaBuilder *b, MlirType type, int64_t channelId) {
  return done(b, __func__, XlaOpKindRecvDone,
              recvStart(b, __func__, NULL, type, channelId));
}

XlaOp xlaBuilderSendWithToken(XlaBuilder *b, XlaOp operand, XlaOp token,
                              int64_t channelId) {
  return done(b, __func__, XlaOpKindSendDone,
              sendStart(b, __func__, operand, &token, channelId));
}

XlaOp xlaBuilderRecvWithToken(XlaBuilder *b, XlaOp token, MlirType type,
                              int64_t channelId) {
  return done(b, __func__, XlaOpKindRecvDone,
              recvStart(b, __func__, &token, type, channelId));
}
