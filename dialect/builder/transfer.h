//===- builder_transfer.h - From and to the host and other programs *- C
//-*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Included by builder.h, which tells how builders are used.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_BUILDER_TRANSFER_H
#define XLAC_DIALECT_BUILDER_TRANSFER_H

#include "xlac/dialect/builder.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Values that the host gives: an array or a tuple of arrays. Nothing is read
/// for an empty tuple. 000: Infeed.
XlaOp xlaBuilderInfeed(XlaBuilder *b, MlirType type);
/// The same after a token; a tuple of the values and the token that comes after
/// them.
XlaOp xlaBuilderInfeedWithToken(XlaBuilder *b, XlaOp token, MlirType type);
/// Gives an array or a tuple of arrays to the host. Is the empty tuple.
XlaOp xlaBuilderOutfeed(XlaBuilder *b, XlaOp operand);
/// The same after a token; the token that comes after it.
XlaOp xlaBuilderOutfeedWithToken(XlaBuilder *b, XlaOp operand, XlaOp token);

/// Sends an array to the Recv of another program with this channel, and waits
/// until it is sent. Is the empty tuple. 000: Send.
XlaOp xlaBuilderSend(XlaBuilder *b, XlaOp operand, int64_t channelId);
/// What is received, of type `type`: an array or a tuple of arrays. 000: Recv.
XlaOp xlaBuilderRecv(XlaBuilder *b, MlirType type, int64_t channelId);
/// The halves of these: start a transfer and give a context, which one call of
/// the second function waits with. 000: Send, SendDone, Recv, RecvDone of
/// HloInstruction.
XlaOp xlaBuilderSendStart(XlaBuilder *b, XlaOp operand, int64_t channelId);
XlaOp xlaBuilderSendDone(XlaBuilder *b, XlaOp context);
XlaOp xlaBuilderRecvStart(XlaBuilder *b, MlirType type, int64_t channelId);
XlaOp xlaBuilderRecvDone(XlaBuilder *b, XlaOp context);
/// The same after a token: the token that comes after it; of Recv a tuple of
/// the value and the token.
XlaOp xlaBuilderSendWithToken(XlaBuilder *b, XlaOp operand, XlaOp token,
                              int64_t channelId);
XlaOp xlaBuilderRecvWithToken(XlaBuilder *b, XlaOp token, MlirType type,
                              int64_t channelId);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_BUILDER_TRANSFER_H
