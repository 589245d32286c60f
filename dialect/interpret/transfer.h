//===- transfer.h - Sends and recvs, with their errors ------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the evaluator and compiled programs say and do alike.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_INTERPRET_TRANSFER_H
#define XLAC_DIALECT_INTERPRET_TRANSFER_H

#include "xlac/dialect/interpret/rendezvous.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Refuses `op`, an xla.send or xla.recv, if it is a host transfer or `process`
/// is alone, without even itself to meet.
MlirLogicalResult xlaTransferCheckProcess(MlirOperation op,
                                          const XlaProcess *process);
/// An error if `value`, which `sender` sent, is not of the type `wanted` that
/// `op`, an xla.recv_done, gives.
MlirLogicalResult xlaChannelCheckType(MlirOperation op, MlirType wanted,
                                      MlirOperation sender,
                                      const XlaLiteral *value, int64_t channel);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_INTERPRET_TRANSFER_H
