//===- custom_call.h - Custom calls of compiled programs ---------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A compiled program hands the addresses of operands and results of a custom
// call, an infeed, an outfeed or an operation between replicas to
// xlaCustomCallsRun, which makes literals of them for a hook, or for the other
// processes.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_HOST_CUSTOM_CALL_H
#define XLAC_LOWERING_HOST_CUSTOM_CALL_H

#include "xlac/dialect/interpret/evaluator.h"
#include "xlac/lowering/host/call_types.h"
#include "xlac/lowering/host/host.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Whom a program calls; NULL: nobody.
typedef struct XlaHostHooks {
  XlaCustomCallHook customCall;
  void *customCallUser;
  XlaInfeedHook infeed;
  XlaOutfeedHook outfeed;
  void *feedUser;
  XlaProcess process;           ///< whose operations between replicas these are
  const char *customCallTarget; ///< the only one that is run; NULL: all
} XlaHostHooks;

/// One of them.
typedef struct XlaCustomCall {
  MlirOperation op;      ///< an owned copy, so that it outlives the compilation
  bool hasTypes;         ///< `op` has tuples or tokens: call_types.h
  bool draws;            ///< its first operand and result count blocks drawn
  intptr_t nIn, nOut;    ///< addresses of operands, and of results
  XlaCallArrays in, out; ///< the arrays there, whose sizes follow
  /// The custom calls in its computation, for operations of `op` in `from`.
  intptr_t nInner;
  struct XlaCustomCall *inner;
  MlirOperation *from;
} XlaCustomCall;

/// The custom calls, infeeds, outfeeds and operations between replicas of one
/// program, and the context that it passes along.
typedef struct XlaCustomCalls {
  /// Set by a call that failed; cleared by who runs the program, which reads it
  /// at XLA_HOST_FAILED_OFFSET.
  bool failed;
  intptr_t count;
  XlaCustomCall *all;
  XlaHostHooks hooks;
} XlaCustomCalls;

/// Copies the operations of `program`. An error at the first custom call if
/// there is no hook to run it; of infeeds and outfeeds that is one of the run.
MlirLogicalResult xlaCustomCallsInit(XlaCustomCalls *calls,
                                     const XlaHostProgram *program,
                                     const XlaHostHooks *hooks);
void xlaCustomCallsDestroy(XlaCustomCalls *calls);

/// XLA_HOST_CUSTOM_CALL: runs call number `call`. `context` is the
/// XlaCustomCalls, `addresses` those of operands, then results.
void xlaCustomCallsRun(int64_t call, int64_t context, int64_t *addresses);

/// Runs `call` on the arrays of its operands; `results` gets a new reference
/// for each array.
MlirLogicalResult xlaCustomCallRun(const XlaHostHooks *hooks,
                                   const XlaCustomCall *call,
                                   const XlaLiteral *const *operands,
                                   XlaLiteral **results);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_HOST_CUSTOM_CALL_H
