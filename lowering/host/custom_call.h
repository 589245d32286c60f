//===- custom_call.h - Custom calls of compiled programs ---------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A compiled program hands the addresses of a custom call's operands and
// results to xlaCustomCallsRun, which makes literals of them for an
// XlaCustomCallHook.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_HOST_CUSTOM_CALL_H
#define XLAC_LOWERING_HOST_CUSTOM_CALL_H

#include "xlac/dialect/interpret/evaluator.h"
#include "xlac/lowering/host/host.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The custom calls of one program, and the context that it passes along.
typedef struct XlaCustomCalls {
  intptr_t count;
  MlirOperation *ops; ///< owned copies, so that they outlive the compilation
  XlaCustomCallHook hook;
  void *user;
  bool failed; ///< set by a call that failed; cleared by who runs the program
} XlaCustomCalls;

/// Copies the custom calls of `program`. An error at the first one if there is
/// no hook to run them.
MlirLogicalResult xlaCustomCallsInit(XlaCustomCalls *calls,
                                     const XlaHostProgram *program,
                                     XlaCustomCallHook hook, void *user);
void xlaCustomCallsDestroy(XlaCustomCalls *calls);

/// XLA_HOST_CUSTOM_CALL: runs call number `call`. `context` is the
/// XlaCustomCalls, `addresses` those of operands, then results.
void xlaCustomCallsRun(int64_t call, int64_t context, int64_t *addresses);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_HOST_CUSTOM_CALL_H
