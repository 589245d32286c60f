//===- run.c - Executables run on literals --------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/client/internal.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "xlac/dialect/dialect.h"
#include "xlac/dialect/error.h"
#include "xlac/dialect/ir.h"
#include "xlac/lowering/client/message.h"
#include "xlac/runtime/memory.h"

MlirType xlaClientFunctionType(const XlaLoadedExecutable *executable) {
  return mlirTypeAttrGetValue(
      xlaOpGetAttr(executable->function, "function_type"));
}

static XlaStatus checkInputs(const XlaLoadedExecutable *executable,
                             intptr_t nInputs,
                             const XlaLiteral *const *inputs) {
  MlirType type = xlaClientFunctionType(executable);
  intptr_t n = mlirFunctionTypeGetNumInputs(type);
  if (nInputs != n)
    return xlaStatusCreate(XLA_STATUS_INVALID_ARGUMENT,
                           "the program takes %lld inputs, gets %lld",
                           (long long)n, (long long)nInputs);
  if (n && !inputs)
    return xlaClientMissing("array of inputs");
  for (intptr_t i = 0; i < n; ++i) {
    MlirType wanted = mlirFunctionTypeGetInput(type, i);
    if (!inputs[i])
      return xlaStatusCreate(XLA_STATUS_INVALID_ARGUMENT, "input %lld is NULL",
                             (long long)i);
    MlirType given = xlaLiteralGetType(inputs[i], executable->context);
    if (mlirTypeIsNull(given))
      return xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY, "out of memory");
    if (!xlaTypeRefines(given, wanted) &&
        !xlaTypeEqualIgnoringLayout(wanted, given))
      return xlaStatusCreate(XLA_STATUS_INVALID_ARGUMENT,
                             "input %lld is %s, must be %s", (long long)i,
                             XLA_TYPE_TEXT(given), XLA_TYPE_TEXT(wanted));
  }
  return NULL;
}

/// A run of the evaluator, on a larger stack.
typedef struct Evaluation {
  const XlaLoadedExecutable *executable;
  XlaTurnTaker *taker;
  MlirModule module;
  MlirOperation function;
  intptr_t nInputs;
  const XlaLiteral *const *inputs;
  intptr_t nOutputs;
  XlaLiteral **outputs;
  bool done;
} Evaluation;

static void evaluate(void *data) {
  Evaluation *run = data;
  xlaTurnSetTaker(run->taker);
  const XlaLoadedExecutable *executable = run->executable;
  const XlaClientOptions *hooks = &executable->client->options;
  XlaEvaluatorOptions options = {.maxBytes = xlaMemoryLimit(),
                                 .customCall = hooks->customCall,
                                 .infeed = hooks->infeed,
                                 .outfeed = hooks->outfeed,
                                 .userData = hooks->user};
  XlaEvaluator *evaluator =
      xlaEvaluatorCreate(mlirModuleGetOperation(run->module), &options);
  if (!evaluator)
    return;
  run->done = mlirLogicalResultIsSuccess(
      xlaEvaluatorRun(evaluator, run->function, run->nInputs, run->inputs,
                      run->nOutputs, run->outputs));
  xlaEvaluatorDestroy(evaluator);
}

/// Appends the shapes of the arrays in `literal`.
static void copyShapes(const XlaLiteral *literal, XlaShape **next) {
  if (xlaLiteralGetKind(literal) == XlaLiteralKindArray)
    *(*next)++ = *xlaLiteralGetShape(literal);
  else if (xlaLiteralGetKind(literal) == XlaLiteralKindTuple)
    for (intptr_t i = 0; i < xlaLiteralGetTupleSize(literal); ++i)
      copyShapes(xlaLiteralGetTupleElement(literal, i), next);
}

static bool unsupported(const XlaLoadedExecutable *executable,
                        const char *why) {
  xlaErrorEmit(mlirLocationUnknownGet(executable->context),
               XLA_STATUS_UNIMPLEMENTED, "%s", why);
  return false;
}

/// On the interpreter; `*why` as xlaSpecializerGet gives it.
static bool interpret(XlaLoadedExecutable *executable, intptr_t nInputs,
                      const XlaLiteral *const *inputs, intptr_t nOutputs,
                      XlaLiteral **outputs, XlaImportResult *why) {
  Evaluation run = {.executable = executable,
                    .taker = xlaTurnGetTaker(),
                    .module = executable->module,
                    .function = executable->function,
                    .nInputs = nInputs,
                    .inputs = inputs,
                    .nOutputs = nOutputs,
                    .outputs = outputs};
  if (executable->isSpecialized)
    return unsupported(executable,
                       "a program of unknown sizes cannot be run by a function "
                       "that it calls itself");
  if (executable->specializer) {
    XlaShape *next = xlaSpecializerGetShapes(executable->specializer);
    for (intptr_t i = 0; i < nInputs; ++i)
      copyShapes(inputs[i], &next);
    const XlaSpecialized *program =
        xlaSpecializerGet(executable->specializer, why);
    if (!program)
      return false;
    run.module = program->module;
    run.function = program->function;
  }
  executable->isSpecialized = executable->specializer;
  bool done = mlirExtRunOnStack(XLA_STACK_BYTES, evaluate, &run) && run.done;
  executable->isSpecialized = false;
  return done;
}

bool xlaClientInterpret(XlaLoadedExecutable *executable, intptr_t nInputs,
                        const XlaLiteral *const *inputs, intptr_t nOutputs,
                        XlaLiteral **outputs, XlaImportResult *why) {
  XlaTurn *turn = &executable->client->turn;
  if (xlaTurnTake(turn) == XlaTurnResultCycle)
    return unsupported(executable, XLA_TURN_CYCLE);
  bool done = interpret(executable, nInputs, inputs, nOutputs, outputs, why);
  xlaTurnGive(turn);
  return done;
}

intptr_t
xlaLoadedExecutableGetNumResults(const XlaLoadedExecutable *executable) {
  return mlirOperationIsNull(executable->function)
             ? executable->nOutputs
             : mlirFunctionTypeGetNumResults(xlaClientFunctionType(executable));
}

/// What is there to run with.
static XlaStatus checkRun(const XlaLoadedExecutable *executable,
                          intptr_t nInputs, const XlaLiteral *const *inputs,
                          intptr_t nOutputs) {
  if (mlirOperationIsNull(executable->function))
    return xlaStatusCreate(XLA_STATUS_INVALID_ARGUMENT,
                           "the program was compiled to run on arrays");
  intptr_t nResults =
      mlirFunctionTypeGetNumResults(xlaClientFunctionType(executable));
  if (nOutputs != nResults)
    return xlaStatusCreate(XLA_STATUS_INVALID_ARGUMENT,
                           "the program has %lld results, not %lld",
                           (long long)nResults, (long long)nOutputs);
  XlaTurn *turn = &executable->client->turn;
  if (xlaTurnTake(turn) == XlaTurnResultCycle)
    return xlaStatusCreate(XLA_STATUS_UNIMPLEMENTED, "%s", XLA_TURN_CYCLE);
  XlaStatus status = checkInputs(executable, nInputs, inputs);
  xlaTurnGive(turn);
  return status;
}

XlaStatus xlaLoadedExecutableRunAll(XlaLoadedExecutable *executable,
                                    intptr_t nInputs,
                                    const XlaLiteral *const *inputs,
                                    intptr_t nOutputs, XlaLiteral **outputs) {
  if (!outputs && nOutputs)
    return xlaClientMissing("place for outputs");
  for (intptr_t i = 0; i < nOutputs; ++i)
    outputs[i] = NULL;
  if (!executable)
    return xlaClientMissing("executable");
  XLA_RETURN_IF_ERROR(checkRun(executable, nInputs, inputs, nOutputs));
  XlaMessage message;
  bool done;
  xlaMessageBegin(&message);
  XlaImportResult why = XlaImportResultOk;
  if (executable->compiled) {
    done = mlirLogicalResultIsSuccess(xlaExecutableRunLiterals(
        executable->compiled, nInputs, inputs, nOutputs, outputs));
    why = executable->compiled->why;
  } else {
    done = xlaClientInterpret(executable, nInputs, inputs, nOutputs, outputs,
                              &why);
  }
  // What the import says has no code.
  if (!done && why != XlaImportResultOk)
    message.code = why == XlaImportResultInvalid ? XLA_STATUS_INVALID_ARGUMENT
                                                 : XLA_STATUS_UNIMPLEMENTED;
  return xlaMessageEnd(&message, done);
}

XlaStatus xlaLoadedExecutableRun(XlaLoadedExecutable *executable,
                                 intptr_t nInputs,
                                 const XlaLiteral *const *inputs,
                                 XlaLiteral **output) {
  if (!output)
    return xlaClientMissing("place for an output");
  return xlaLoadedExecutableRunAll(executable, nInputs, inputs, 1, output);
}
