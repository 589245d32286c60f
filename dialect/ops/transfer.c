//===- transfer.c - Values from and to the host, and between programs -----===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each of these operations is written with or without tokens: with one as its
// last operand, its last result is one. StableHLO's send and recv are a pair of
// them: send starts a transfer and gives a context, {buffer, request number}
// and the token, which send_done waits with.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/family.h"
#include "xlac/dialect/ops/transfer_internal.h"
#include "xlac/dialect/result_internal.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

static bool isArray(MlirType type) {
  XlaShape shape;
  return xlaShapeFromMlir(type, &shape, NULL);
}

/// An array, or a tuple of arrays.
static bool isItem(MlirType type) {
  if (!mlirTypeIsATuple(type))
    return isArray(type);
  for (intptr_t i = 0; i < mlirTupleTypeGetNumTypes(type); ++i)
    if (!isArray(mlirTupleTypeGetType(type, i)))
      return false;
  return true;
}

/// Why `type` is no item.
static const char *lackOf(MlirType type) {
  return xlaTypeIsDynamic(type) ? "of dynamic size, which is not transferred"
                                : "neither an array nor a tuple of arrays";
}

//===----------------------------------------------------------------------===//
// Infeed and outfeed
//===----------------------------------------------------------------------===//

static MlirLogicalResult inferInfeed(XlaOpView *view) {
  bool ordered = view->nOperands == 1;
  intptr_t n = view->nStatedResults;
  if (ordered && !xlaTypeIsToken(view->operands[0]))
    return xlaViewError(view, "infeed_c4", "the operand is %s, no token",
                        XLA_TYPE_TEXT(view->operands[0]));
  if (!n)
    return xlaViewError(view, "infeed_c1", "has no results");
  for (intptr_t i = 0; i < n - ordered; ++i) {
    MlirType type = view->statedResults[i];
    if (!isItem(type))
      return xlaViewError(view, "infeed_c2", "result %lld is %s, %s",
                          (long long)i, XLA_TYPE_TEXT(type), lackOf(type));
    xlaViewAppendResult(view, type);
  }
  if (ordered && !xlaTypeIsToken(view->statedResults[n - 1]))
    return xlaViewError(view, "infeed_c3",
                        "the last result is %s, must be a token as the operand",
                        XLA_TYPE_TEXT(view->statedResults[n - 1]));
  if (ordered)
    xlaViewAppendResult(view, xlaTokenTypeGet(view->context));
  return success();
}

/// The number of operands before a token at the end.
static intptr_t itemCount(intptr_t n, const MlirType *operands) {
  return n && xlaTypeIsToken(operands[n - 1]) ? n - 1 : n;
}

static MlirLogicalResult inferOutfeed(XlaOpView *view) {
  intptr_t n = itemCount(view->nOperands, view->operands);
  for (intptr_t i = 0; i < n; ++i)
    if (!isItem(view->operands[i]))
      return xlaViewError(view, "outfeed_c1", "operand %lld is %s, %s",
                          (long long)i, XLA_TYPE_TEXT(view->operands[i]),
                          lackOf(view->operands[i]));
  if (n < view->nOperands)
    xlaViewAppendResult(view, xlaTokenTypeGet(view->context));
  return success();
}

//===----------------------------------------------------------------------===//
// Send and recv
//===----------------------------------------------------------------------===//

enum { deviceToDevice = 1, deviceToHost = 2, hostToDevice = 3 };

static bool isHostTransfer(MlirAttribute attr) {
  return !mlirAttributeIsNull(attr) && mlirBoolAttrGetValue(attr);
}

/// channel_type says the same as is_host_transfer; 0 says nothing.
static MlirLogicalResult checkChannelType(const XlaOpView *view, int host,
                                          const char *label) {
  int64_t type = xlaViewGetI64(view, "channel_type", 0);
  bool isHost = isHostTransfer(xlaViewGetAttr(view, "is_host_transfer"));
  int64_t wanted = isHost ? host : deviceToDevice;
  if (!type || type == wanted)
    return success();
  return xlaViewError(view, label,
                      "channel_type is %lld, must be %lld where "
                      "is_host_transfer is %s",
                      (long long)type, (long long)wanted,
                      isHost ? "true" : "false");
}

/// {buffer, u32} or {buffer, u32, token}.
static void appendContext(XlaOpView *view, MlirType buffer, bool ordered) {
  XlaShape request = {.elementType = XlaElementTypeU32};
  MlirType types[3] = {buffer, xlaShapeToMlir(&request, view->context),
                       xlaTokenTypeGet(view->context)};
  xlaViewAppendResult(view,
                      mlirTupleTypeGet(view->context, ordered ? 3 : 2, types));
}

static MlirLogicalResult inferSend(XlaOpView *view) {
  intptr_t n = itemCount(view->nOperands, view->operands);
  for (intptr_t i = 0; i < n; ++i)
    if (!isArray(view->operands[i]))
      return xlaViewError(view, "send_c2", "operand %lld is %s, not an array",
                          (long long)i, XLA_TYPE_TEXT(view->operands[i]));
  if (failed(checkChannelType(view, deviceToHost, "send_c1")))
    return failure();
  appendContext(view,
                n == 1 ? view->operands[0]
                       : mlirTupleTypeGet(view->context, n, view->operands),
                n < view->nOperands);
  return success();
}

static MlirLogicalResult inferRecv(XlaOpView *view) {
  bool ordered = view->nOperands == 1;
  if (ordered && !xlaTypeIsToken(view->operands[0]))
    return xlaViewError(view, "recv_c4", "the operand is %s, no token",
                        XLA_TYPE_TEXT(view->operands[0]));
  if (failed(checkChannelType(view, hostToDevice, "recv_c1")))
    return failure();
  MlirType stated =
      view->nStatedResults ? view->statedResults[0] : (MlirType){NULL};
  if (mlirTypeIsNull(stated) || !mlirTypeIsATuple(stated) ||
      mlirTupleTypeGetNumTypes(stated) < 2 ||
      !isItem(mlirTupleTypeGetType(stated, 0)))
    return xlaViewError(view, "recv_c2",
                        "the result must be a tuple of an array, or a tuple "
                        "of arrays, and tensor<ui32>%s",
                        ordered ? ", and a token" : "");
  appendContext(view, mlirTupleTypeGetType(stated, 0), ordered);
  return success();
}

/// The buffer of recv_done, and the token if there is one.
static MlirLogicalResult inferDone(XlaOpView *view) {
  bool receives = view->kind == XlaOpKindRecvDone;
  MlirType context = view->operands[0];
  intptr_t n =
      mlirTypeIsATuple(context) ? mlirTupleTypeGetNumTypes(context) : 0;
  if (n != 2 && !(n == 3 && xlaTypeIsToken(mlirTupleTypeGetType(context, 2))))
    return xlaViewError(view, receives ? "recv_done_c1" : "send_done_c1",
                        "the operand is %s, no context of a transfer",
                        XLA_TYPE_TEXT(context));
  if (receives)
    xlaViewAppendResult(view, mlirTupleTypeGetType(context, 0));
  if (n == 3)
    xlaViewAppendResult(view, xlaTokenTypeGet(view->context));
  return success();
}

static MlirLogicalResult checkContextUse(MlirOperation op, XlaOpKind user,
                                         const char *label) {
  MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(op, 0));
  if (!mlirOpOperandIsNull(use) &&
      xlaOpGetKind(mlirOpOperandGetOwner(use)) == user &&
      mlirOpOperandIsNull(mlirOpOperandGetNextUse(use)))
    return success();
  return xlaOpError(op, label,
                    "gives a context that one 'xla.%s' uses, and nothing else",
                    xlaOpGetInfo(user)->name);
}

static MlirLogicalResult checkContextOwner(MlirOperation op, XlaOpKind owner,
                                           const char *label) {
  MlirValue context = mlirOperationGetOperand(op, 0);
  if (mlirValueIsAOpResult(context) &&
      xlaOpGetKind(mlirOpResultGetOwner(context)) == owner)
    return success();
  return xlaOpError(op, label, "has an operand that is no result of 'xla.%s'",
                    xlaOpGetInfo(owner)->name);
}

MlirLogicalResult xlaTransferCheckUses(MlirOperation op) {
  // Where the context goes to or comes from.
  static const struct {
    MlirLogicalResult (*check)(MlirOperation op, XlaOpKind other,
                               const char *label);
    XlaOpKind other;
    const char *label;
  } rules[XlaOpKindCount] = {
      [XlaOpKindRecv] = {checkContextUse, XlaOpKindRecvDone, "recv_c3"},
      [XlaOpKindRecvDone] = {checkContextOwner, XlaOpKindRecv, "recv_done_c1"},
      [XlaOpKindSend] = {checkContextUse, XlaOpKindSendDone, "send_c3"},
      [XlaOpKindSendDone] = {checkContextOwner, XlaOpKindSend, "send_done_c1"},
  };
  XlaOpKind kind = xlaOpGetKind(op);
  return rules[kind].check
             ? rules[kind].check(op, rules[kind].other, rules[kind].label)
             : success();
}

MlirLogicalResult xlaHostTransferUnsupported(MlirOperation op) {
  return xlaOpUnsupported(op, NULL,
                          "transfers to or from the host, which is not "
                          "supported yet; xla.infeed and xla.outfeed do");
}

static MlirLogicalResult inferRecvDone(XlaOpView *view) {
  return inferDone(view);
}

static MlirLogicalResult inferSendDone(XlaOpView *view) {
  return inferDone(view);
}

MlirLogicalResult xlaTransferInfer(XlaOpView *view) {
  static MlirLogicalResult (*const hooks[XlaOpKindCount])(XlaOpView *) = {
#define XLA_OP(Enum, ...) [XlaOpKind##Enum] = infer##Enum,
#include "xlac/dialect/rows/transfer.def"
  };
  return hooks[view->kind](view);
}
