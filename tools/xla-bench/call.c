//===- call.c - Inputs and outputs in place -------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/tools/xla-bench/bench.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define LARGE_PAGE ((size_t)2 << 20)

static XlaToolCode outOfMemory(void) {
  return xlaToolError(XlaToolCodeRefused, "out of memory");
}

/// Zeroed memory; on large pages where it has the size for some, so that times
/// do not depend on where small ones happen to lie.
static void *allocate(size_t size) {
  bool isLarge = size >= 2 * LARGE_PAGE;
  size_t alignment = isLarge ? LARGE_PAGE : 64;
  size_t rounded = (size + alignment) / alignment * alignment;
  void *data = aligned_alloc(alignment, rounded);
  if (!data)
    return NULL;
  if (isLarge)
    madvise(data, rounded, MADV_HUGEPAGE); // a wish
  memset(data, 0, rounded);
  return data;
}

static size_t byteCount(const XlaShape *shape) {
  int64_t elements = 0;
  xlaShapeGetElementCount(shape, &elements);
  return (size_t)elements *
         (size_t)xlaElementTypeGetInfo(shape->elementType)->bytes;
}

/// Inputs and outputs are in place: sizes would have to lie beside them.
static XlaToolCode checkStatic(const XlaProgramValues *values,
                               const char *verb) {
  for (intptr_t i = 0; i < values->leafCount; ++i)
    if (values->leafShapes[i].dynamic)
      return xlaToolError(XlaToolCodeRefused,
                          "the program %s an array of dynamic size, which is "
                          "not measured yet; xla.set_dimension_size makes one "
                          "of a static array",
                          verb);
  return XlaToolCodeOk;
}

static XlaToolCode placeInputs(XlaBenchCall *call) {
  const XlaLiteral **leaves = xlaProgramValuesGetLeaves(&call->inputs);
  if (!leaves)
    return outOfMemory();
  XlaToolCode code = XlaToolCodeOk;
  for (intptr_t i = 0; i < call->inputs.leafCount && code == XlaToolCodeOk;
       ++i) {
    size_t size = xlaLiteralGetByteCount(leaves[i]);
    call->inputData[i] = allocate(size);
    if (call->inputData[i])
      memcpy(call->inputData[i], xlaLiteralGetData(leaves[i]), size);
    else
      code = outOfMemory();
  }
  free(leaves);
  return code;
}

static XlaToolCode placeOutputs(XlaBenchCall *call) {
  for (intptr_t i = 0; i < call->outputs.leafCount; ++i)
    if (!(call->outputData[i] =
              allocate(byteCount(&call->outputs.leafShapes[i]))))
      return outOfMemory();
  return XlaToolCodeOk;
}

void xlaBenchCallAlias(XlaBenchCall *call, intptr_t output, intptr_t input) {
  if (call->outputData[output] == call->inputData[input])
    return;
  free(call->outputData[output]);
  call->outputData[output] = call->inputData[input];
}

static bool isInput(const XlaBenchCall *call, const void *data) {
  for (intptr_t i = 0; i < call->inputs.leafCount; ++i)
    if (call->inputData[i] == data)
      return true;
  return false;
}

XlaToolCode xlaBenchCallCreate(const XlaProgram *program,
                               const XlaBenchOptions *options,
                               XlaBenchCall *call) {
  *call = (XlaBenchCall){.program = program};
  XlaToolCode code =
      xlaProgramFindEntry(program, options->call.entry, &call->function);
  if (code == XlaToolCodeOk)
    code =
        xlaProgramValuesCreate(program, call->function, false, &call->inputs);
  if (code == XlaToolCodeOk)
    code =
        xlaProgramValuesCreate(program, call->function, true, &call->outputs);
  if (code == XlaToolCodeOk)
    code = checkStatic(&call->inputs, "takes");
  if (code == XlaToolCodeOk)
    code = checkStatic(&call->outputs, "gives");
  if (code == XlaToolCodeOk)
    code = xlaCallOptionsCheckOutputs(&options->call, &call->outputs);
  if (code == XlaToolCodeOk)
    code = xlaToolReadInputNumbers("donate", &options->donated,
                                   call->inputs.leafCount, &call->donated);
  call->nDonated = options->donated.count;
  if (code == XlaToolCodeOk)
    code = xlaProgramValuesRead(
        call->function, xlaProgramGetInputs(program, &options->call.inputs),
        &options->call.seed, &call->inputs);
  if (code != XlaToolCodeOk)
    return code;
  call->inputData =
      calloc((size_t)call->inputs.leafCount + 1, sizeof *call->inputData);
  call->outputData =
      calloc((size_t)call->outputs.leafCount + 1, sizeof *call->outputData);
  if (!call->inputData || !call->outputData)
    return outOfMemory();
  code = placeInputs(call);
  return code == XlaToolCodeOk ? placeOutputs(call) : code;
}

XlaToolCode xlaBenchCallWriteOutputs(const XlaBenchCall *call,
                                     const XlaCallOptions *options) {
  const XlaToolValues *outputs = &options->outputs;
  XlaToolCode code = XlaToolCodeOk;
  if (xlaOutputsAreNone(outputs))
    return code;
  for (int i = 0; i < outputs->count && code == XlaToolCodeOk; ++i) {
    const XlaShape *shape = &call->outputs.leafShapes[i];
    XlaLiteral *literal = xlaLiteralCreateArray(shape);
    if (!literal)
      return outOfMemory();
    memcpy(xlaLiteralGetMutableData(literal), call->outputData[i],
           byteCount(shape));
    XlaToolValues one = {1, &outputs->items[i]};
    const XlaLiteral *borrowed = literal;
    code = xlaLiteralsWrite(1, &borrowed, &one, options->printsAll);
    xlaLiteralRelease(literal);
  }
  return code;
}

void xlaBenchCallDestroy(XlaBenchCall *call) {
  for (intptr_t i = 0; call->outputData && i < call->outputs.leafCount; ++i)
    if (!isInput(call, call->outputData[i]))
      free(call->outputData[i]);
  for (intptr_t i = 0; call->inputData && i < call->inputs.leafCount; ++i)
    free(call->inputData[i]);
  free(call->donated);
  free(call->inputData);
  free(call->outputData);
  xlaCpuTargetDestroy(call->target);
  xlaProgramValuesDestroy(&call->inputs);
  xlaProgramValuesDestroy(&call->outputs);
}
