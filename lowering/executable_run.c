//===- executable_run.c - Running a compiled program ----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/executable_internal.h"

#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Diagnostics.h"
#include "xlac/dialect/result_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

intptr_t xlaExecutableGetNumInputs(const XlaExecutable *executable) {
  return executable->nInputs;
}

intptr_t xlaExecutableGetNumOutputs(const XlaExecutable *executable) {
  return executable->nOutputs;
}

const XlaShape *xlaExecutableGetInputShape(const XlaExecutable *executable,
                                           intptr_t index) {
  return &executable->inputs[index];
}

const XlaShape *xlaExecutableGetOutputShape(const XlaExecutable *executable,
                                            intptr_t index) {
  return &executable->outputs[index];
}

intptr_t xlaExecutableGetAliasedInput(const XlaExecutable *executable,
                                      intptr_t index) {
  return executable->aliases[index];
}

size_t xlaExecutableByteCount(const XlaShape *shape) {
  int64_t count = 0;
  xlaShapeGetElementCount(shape, &count);
  return (size_t)count * xlaElementTypeGetInfo(shape->elementType)->bytes;
}

static void runOnCpu(XlaExecutable *executable, const void *const *inputs,
                     void *const *outputs) {
  for (intptr_t i = 0; i < executable->nOutputs; ++i) {
    intptr_t input = executable->aliases[i];
    if (input >= 0 && inputs[input] != outputs[i])
      memcpy(outputs[i], inputs[input],
             xlaExecutableByteCount(&executable->outputs[i]));
  }
  xlaCpuProgramRun(executable->program, inputs, outputs, &executable->calls);
}

/// Reports what the device says.
static bool runOnVulkan(XlaExecutable *executable, const void *const *inputs,
                        void *const *outputs) {
  XlaStatus status =
      xlaVulkanExecutableRun(executable->vulkan, inputs, outputs);
  if (!status)
    return true;
  char message[1024];
  snprintf(message, sizeof message, "the program failed on the device: %s",
           xlaStatusMessage(status));
  mlirEmitError(mlirLocationUnknownGet(executable->context), message);
  xlaStatusDestroy(status);
  return false;
}

MlirLogicalResult xlaExecutableRun(XlaExecutable *executable,
                                   const void *const *inputs,
                                   void *const *outputs) {
  bool ran = true;
  executable->calls.failed = false;
  if (executable->vulkan)
    ran = runOnVulkan(executable, inputs, outputs);
  else
    runOnCpu(executable, inputs, outputs);
  return ran && !executable->calls.failed ? mlirLogicalResultSuccess()
                                          : mlirLogicalResultFailure();
}

//===----------------------------------------------------------------------===//
// Literals
//===----------------------------------------------------------------------===//

/// Appends the data of all arrays in `literal`.
static void flatten(const XlaLiteral *literal, const void **data, intptr_t *n) {
  if (xlaLiteralGetKind(literal) == XlaLiteralKindArray)
    data[(*n)++] = xlaLiteralGetData(literal);
  if (xlaLiteralGetKind(literal) == XlaLiteralKindTuple)
    for (intptr_t i = 0; i < xlaLiteralGetTupleSize(literal); ++i)
      flatten(xlaLiteralGetTupleElement(literal, i), data, n);
}

/// Takes the leaves from `next` on into a literal of `type`; NULL without
/// memory.
static XlaLiteral *unflatten(MlirType type, XlaLiteral ***next) {
  if (xlaTypeIsToken(type))
    return xlaLiteralCreateToken();
  if (!mlirTypeIsATuple(type)) {
    XlaLiteral *leaf = **next;
    *(*next)++ = NULL;
    return leaf;
  }
  intptr_t n = mlirTupleTypeGetNumTypes(type);
  XlaLiteral **elements = calloc((size_t)n + 1, sizeof *elements);
  XlaLiteral *tuple = NULL;
  bool whole = elements != NULL;
  for (intptr_t i = 0; elements && i < n; ++i)
    whole &= !!(elements[i] = unflatten(mlirTupleTypeGetType(type, i), next));
  if (whole)
    tuple = xlaLiteralTakeTuple(n, elements);
  else
    for (intptr_t i = 0; elements && i < n; ++i)
      xlaLiteralRelease(elements[i]);
  free(elements);
  return tuple;
}

static bool noMemory(const XlaExecutable *e) {
  mlirEmitError(mlirLocationUnknownGet(e->context), "no memory for results");
  return false;
}

/// Output `i` with any content; NULL without memory.
static XlaLiteral *createOutput(XlaExecutable *e, intptr_t i) {
  void *data;
  XlaStatus status =
      xlaArenaAllocate(e->pool, xlaExecutableByteCount(&e->outputs[i]), &data);
  xlaStatusDestroy(status);
  XlaLiteral *literal = NULL;
  if (data)
    literal = xlaLiteralTakeArray(&e->outputs[i], data, xlaArenaFree);
  if (!literal)
    xlaArenaFree(data);
  return literal;
}

static bool runOnLiterals(XlaExecutable *e, intptr_t nInputs,
                          const XlaLiteral *const *inputs, intptr_t nOutputs,
                          XlaLiteral **outputs, const void **in, void **out,
                          XlaLiteral **leaves) {
  intptr_t n = 0;
  for (intptr_t i = 0; i < nInputs; ++i)
    flatten(inputs[i], in, &n);
  for (intptr_t i = 0; i < e->nOutputs; ++i) {
    leaves[i] = createOutput(e, i);
    if (!leaves[i]) {
      char message[256];
      snprintf(message, sizeof message, "no memory for result %lld, %s",
               (long long)i, XLA_SHAPE_TEXT(&e->outputs[i]));
      mlirEmitError(mlirLocationUnknownGet(e->context), message);
      return false;
    }
    out[i] = xlaLiteralGetMutableData(leaves[i]);
  }
  if (failed(xlaExecutableRun(e, in, out)))
    return false;
  XlaLiteral **next = leaves;
  for (intptr_t i = 0; i < nOutputs; ++i)
    if (!(outputs[i] = unflatten(e->results[i], &next)))
      return noMemory(e);
  return true;
}

MlirLogicalResult xlaExecutableRunLiterals(XlaExecutable *e, intptr_t nInputs,
                                           const XlaLiteral *const *inputs,
                                           intptr_t nOutputs,
                                           XlaLiteral **outputs) {
  const void **in = calloc((size_t)e->nInputs + 1, sizeof *in);
  void **out = calloc((size_t)e->nOutputs + 1, sizeof *out);
  XlaLiteral **leaves = calloc((size_t)e->nOutputs + 1, sizeof *leaves);
  memset(outputs, 0, (size_t)nOutputs * sizeof *outputs);
  bool done = in && out && leaves ? runOnLiterals(e, nInputs, inputs, nOutputs,
                                                  outputs, in, out, leaves)
                                  : noMemory(e);
  for (intptr_t i = 0; leaves && i < e->nOutputs; ++i)
    xlaLiteralRelease(leaves[i]);
  for (intptr_t i = 0; !done && i < nOutputs; ++i) {
    xlaLiteralRelease(outputs[i]);
    outputs[i] = NULL;
  }
  free(in);
  free(out);
  free(leaves);
  return done ? mlirLogicalResultSuccess() : mlirLogicalResultFailure();
}
