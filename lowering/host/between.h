//===- between.h - Operations between processes, compiled ---------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives, sends and recvs are the evaluator's own: compiled programs give
// it their operands and take what it gives, so that results are the same bit
// for bit, and so are errors.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_HOST_BETWEEN_H
#define XLAC_LOWERING_HOST_BETWEEN_H

#include "xlac/lowering/host/custom_call.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Whether `op` is a collective, or a custom call in place of a transfer.
bool xlaHostIsBetween(MlirOperation op);
/// The name of the operation that `call`, such a custom call, stands for.
const char *xlaHostTransferName(MlirOperation call);

/// Runs the operation of `call` at the place of the hooks' process: a
/// collective, which takes what its computation uses from outside as operands,
/// too, and calls the hooks from it (isolate.h), or an xla.send, xla.recv or
/// xla.recv_done with the attributes of the custom call. `results` gets a new
/// reference for each array of the types that the operation has.
MlirLogicalResult xlaHostRunBetween(const XlaHostHooks *hooks,
                                    const XlaCustomCall *call,
                                    intptr_t nOperands,
                                    const XlaLiteral *const *operands,
                                    intptr_t nResults, XlaLiteral **results);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_HOST_BETWEEN_H
