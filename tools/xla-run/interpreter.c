//===- interpreter.c - Running on the reference evaluator -----------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/runtime/memory.h"
#include "xlac/tools/xla-run/run.h"

#include <stdlib.h>

/// Nothing is compiled: what `execute` needs.
typedef struct Interpreter {
  MlirModule module;
  MlirOperation function;
  XlaCustomCallHook customCall;
} Interpreter;

/// What the evaluator's hooks get: they share one pointer.
typedef struct Hooks {
  XlaRun *run;
  XlaRunFeed *feed;
  XlaCustomCallHook customCall;
  XlaRunObserve observe;
  void *data;
  XlaRunVariation *variation;
} Hooks;

static MlirLogicalResult forwardCall(MlirOperation op, MlirStringRef target,
                                     intptr_t nOperands,
                                     const XlaLiteral *const *operands,
                                     intptr_t nResults, XlaLiteral **results,
                                     void *userData) {
  Hooks *hooks = userData;
  return hooks->customCall(op, target, nOperands, operands, nResults, results,
                           hooks->run);
}

static MlirLogicalResult forwardIn(MlirOperation op, intptr_t n,
                                   const XlaShape *shapes, XlaLiteral **arrays,
                                   void *userData) {
  Hooks *hooks = userData;
  return xlaRunFeedIn(op, n, shapes, arrays, hooks->feed);
}

static MlirLogicalResult forwardOut(MlirOperation op, intptr_t n,
                                    const XlaLiteral *const *arrays,
                                    void *userData) {
  Hooks *hooks = userData;
  return xlaRunFeedOut(op, n, arrays, hooks->feed);
}

static void forwardObserve(MlirOperation op, intptr_t nResults,
                           const XlaLiteral *const *results, void *userData) {
  Hooks *hooks = userData;
  hooks->observe(op, nResults, results, hooks->data);
}

static XlaLiteral *forwardVary(MlirOperation op, bool isResult,
                               const XlaLiteral *value, void *userData) {
  Hooks *hooks = userData;
  return xlaRunVary(op, isResult, value, hooks->variation);
}

XlaToolCode xlaRunInterpret(XlaRun *run, MlirModule module,
                            MlirOperation function, const XlaRunPlace *place,
                            XlaCustomCallHook customCall, intptr_t nInputs,
                            const XlaLiteral *const *inputs, intptr_t nResults,
                            XlaLiteral **results, XlaRunObserve observe,
                            void *data, XlaRunVariation *variation) {
  XlaRunPlace alone = {.feed = NULL};
  place = place ? place : &alone;
  Hooks hooks = {run, place->feed, customCall, observe, data, variation};
  XlaGrid grid = xlaProcessGetGrid(&place->process);
  XlaEvaluatorOptions options = {
      .maxBytes = xlaMemoryLimit() / grid.replicas / grid.partitions,
      .timeoutSeconds = run->options.call.timeout,
      .spentSeconds = xlaToolClockGetSpent(run->clock),
      .customCall = forwardCall,
      .infeed = place->feed ? forwardIn : NULL,
      .outfeed = place->feed ? forwardOut : NULL,
      .process = place->process,
      .refersToProgram = true,
      .observe = observe ? forwardObserve : NULL,
      .vary = variation ? forwardVary : NULL,
      .userData = &hooks};
  XlaEvaluator *evaluator =
      xlaEvaluatorCreate(mlirModuleGetOperation(module), &options);
  if (!evaluator)
    return xlaToolError(XlaToolCodeRefused, "out of memory");
  MlirLogicalResult result =
      xlaEvaluatorRun(evaluator, function, nInputs, inputs, nResults, results);
  xlaEvaluatorDestroy(evaluator);
  return mlirLogicalResultIsSuccess(result) ? XlaToolCodeOk : XlaToolCodeFailed;
}

static XlaToolCode compile(XlaRun *run, MlirModule module,
                           MlirOperation function, XlaCustomCallHook customCall,
                           bool isParallel, void **executable) {
  (void)run;
  (void)isParallel;
  Interpreter *interpreter = malloc(sizeof *interpreter);
  *executable = interpreter;
  if (!interpreter)
    return xlaToolError(XlaToolCodeRefused, "out of memory");
  *interpreter = (Interpreter){module, function, customCall};
  return XlaToolCodeOk;
}

static XlaToolCode execute(XlaRun *run, void *executable,
                           const XlaRunPlace *place, intptr_t nInputs,
                           const XlaLiteral *const *inputs, intptr_t nResults,
                           XlaLiteral **results) {
  Interpreter *interpreter = executable;
  return xlaRunInterpret(run, interpreter->module, interpreter->function, place,
                         interpreter->customCall, nInputs, inputs, nResults,
                         results, NULL, NULL, NULL);
}

static const char *const stages[] = {NULL};

const XlaRunDevice xlaRunInterpreter = {
    .name = "interpreter",
    .description = "the reference evaluator, op by op",
    .stages = stages,
    .open = xlaRunOpenOnly,
    .compile = compile,
    .execute = execute,
    .destroy = free,
    .watchesClock = true,
};
