//===- executable_run.c - Running a compiled program ----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/error.h"
#include "xlac/lowering/device.h"

#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Diagnostics.h"
#include "xlac/dialect/dynamic.h"
#include "xlac/dialect/interpret/strided.h"
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

static bool invalid(const XlaExecutable *executable, const char *why) {
  xlaErrorEmit(mlirLocationUnknownGet(executable->context),
               XLA_STATUS_INVALID_ARGUMENT, "%s", why);
  return false;
}

static MlirLogicalResult unsupported(const XlaExecutable *executable,
                                     const char *why) {
  return xlaErrorEmit(mlirLocationUnknownGet(executable->context),
                      XLA_STATUS_UNIMPLEMENTED, "%s", why);
}

/// Whether there is memory for each of `shapes` that has elements.
static bool areThere(intptr_t n, const XlaShape *shapes,
                     const void *const *arrays) {
  for (intptr_t i = 0; i < n; ++i)
    if (!arrays || (!arrays[i] && xlaExecutableByteCount(&shapes[i])))
      return false;
  return true;
}

static bool checkArrays(const XlaExecutable *executable,
                        const void *const *inputs, void *const *outputs) {
  if (areThere(executable->nInputs, executable->inputs, inputs) &&
      areThere(executable->nOutputs, executable->outputs,
               (const void *const *)outputs))
    return true;
  return invalid(executable, "an input or output of the run is NULL");
}

//===----------------------------------------------------------------------===//
// Unknown sizes
//===----------------------------------------------------------------------===//

bool xlaExecutableIsUnbounded(const XlaExecutable *executable) {
  return executable->specializer != NULL;
}

/// The program for the shapes that the specializer has been told.
static XlaExecutable *specialize(XlaExecutable *executable) {
  const XlaSpecialized *found =
      xlaSpecializerGet(executable->specializer, &executable->why);
  if (!found)
    return NULL;
  executable->stats = found->executable->stats;
  xlaExecutableSetProcess(found->executable, &executable->calls.hooks.process);
  return found->executable;
}

MlirLogicalResult xlaExecutableSpecialize(XlaExecutable *executable,
                                          intptr_t nInputs,
                                          const XlaShape *inputs,
                                          XlaExecutable **specialized) {
  *specialized = executable->specializer ? NULL : executable;
  if (*specialized)
    return mlirLogicalResultSuccess();
  executable->why = XlaImportResultInvalid;
  if (nInputs != xlaSpecializerGetNumLeaves(executable->specializer) ||
      (nInputs && !inputs)) {
    invalid(executable, "the program takes another number of inputs");
    return mlirLogicalResultFailure();
  }
  if (nInputs)
    memcpy(xlaSpecializerGetShapes(executable->specializer), inputs,
           (size_t)nInputs * sizeof *inputs);
  *specialized = specialize(executable);
  return *specialized ? mlirLogicalResultSuccess() : mlirLogicalResultFailure();
}

/// Whether `literal` is a tuple where `type` is, and so on; appends the shapes
/// of its arrays.
static bool addShapes(MlirType type, const XlaLiteral *literal,
                      XlaShape **next) {
  XlaLiteralKind kind = xlaLiteralGetKind(literal);
  if (mlirTypeIsATuple(type)) {
    intptr_t n = mlirTupleTypeGetNumTypes(type);
    bool fits =
        kind == XlaLiteralKindTuple && xlaLiteralGetTupleSize(literal) == n;
    for (intptr_t i = 0; fits && i < n; ++i)
      fits = addShapes(mlirTupleTypeGetType(type, i),
                       xlaLiteralGetTupleElement(literal, i), next);
    return fits;
  }
  if (xlaTypeIsToken(type))
    return kind == XlaLiteralKindToken;
  if (kind != XlaLiteralKindArray)
    return false;
  *(*next)++ = *xlaLiteralGetShape(literal);
  return true;
}

static XlaExecutable *forLiterals(XlaExecutable *executable,
                                  const XlaLiteral *const *inputs) {
  if (!executable->specializer)
    return executable;
  XlaShape *next = xlaSpecializerGetShapes(executable->specializer);
  for (intptr_t i = 0; i < executable->nArguments; ++i)
    if (!addShapes(executable->arguments[i], inputs[i], &next)) {
      executable->why = XlaImportResultInvalid;
      invalid(executable, "an input is not of the type that the program takes");
      return NULL;
    }
  return specialize(executable);
}

void xlaExecutableSetProcess(XlaExecutable *executable,
                             const XlaProcess *process) {
  executable->calls.hooks.process = *process;
}

//===----------------------------------------------------------------------===//
// Plain memory
//===----------------------------------------------------------------------===//

MlirLogicalResult xlaExecutableRun(XlaExecutable *executable,
                                   const void *const *inputs,
                                   void *const *outputs) {
  if (executable->specializer) {
    invalid(executable, "the program takes arrays of unknown size: it runs on "
                        "literals, or as what xlaExecutableSpecialize gives");
    return mlirLogicalResultFailure();
  }
  if (!executable->program)
    return xlaErrorEmit(mlirLocationUnknownGet(executable->context),
                        XLA_STATUS_INVALID_ARGUMENT,
                        "the program is compiled for another kind of machine");
  // A device with memory of its own may have them yet.
  if (!executable->device->isRemote &&
      !checkArrays(executable, inputs, outputs))
    return mlirLogicalResultFailure();
  bool isAlone = executable->device->isRemote || executable->calls.count;
  if (isAlone) {
    if (xlaTurnTake(&executable->turn) == XlaTurnResultCycle)
      return unsupported(executable, XLA_TURN_CYCLE);
    executable->calls.failed = false;
  }
  bool ran = executable->device->run(executable, inputs, outputs);
  if (isAlone) {
    ran &= !executable->calls.failed;
    xlaTurnGive(&executable->turn);
  }
  return ran ? mlirLogicalResultSuccess() : mlirLogicalResultFailure();
}

//===----------------------------------------------------------------------===//
// Literals
//===----------------------------------------------------------------------===//

/// The memory of a run: what goes in and comes out, in the order of the
/// executable's inputs and outputs.
typedef struct Run {
  XlaExecutable *e;
  const void **in;
  void **out;
  XlaLiteral **leaves; ///< outputs
  XlaLiteral **padded; ///< inputs of dynamic size in arrays of their bounds
  int32_t *sizes;      ///< of dynamic inputs, in order
  intptr_t nIn, nPadded, nSizes;
} Run;

/// `literal` in an array of the bounds that input `nIn` has.
static bool pad(Run *run, const XlaLiteral *literal) {
  int64_t starts[XLA_MAX_RANK] = {0};
  XlaLiteral *padded = xlaLiteralCreateArray(&run->e->inputs[run->nIn]);
  if (!padded)
    return false;
  xlaStridedCopyWindow(padded, literal, true, starts);
  run->padded[run->nPadded++] = padded;
  run->in[run->nIn++] = xlaLiteralGetData(padded);
  return true;
}

/// Appends the data of all arrays in `literal`, and their sizes where `type`
/// is dynamic. False without memory.
static bool flatten(Run *run, MlirType type, const XlaLiteral *literal) {
  if (xlaLiteralGetKind(literal) == XlaLiteralKindTuple) {
    for (intptr_t i = 0; i < xlaLiteralGetTupleSize(literal); ++i)
      if (!flatten(run, mlirTupleTypeGetType(type, i),
                   xlaLiteralGetTupleElement(literal, i)))
        return false;
    return true;
  }
  if (xlaLiteralGetKind(literal) != XlaLiteralKindArray)
    return true;
  XlaShape bounds;
  const XlaShape *shape = xlaLiteralGetShape(literal);
  if (!xlaTypeIsDynamic(type) ||
      !xlaShapeFromMlirBounded(type, &bounds, NULL)) {
    run->in[run->nIn++] = xlaLiteralGetData(literal);
    return true;
  }
  for (int d = 0; d < shape->rank; ++d)
    if (xlaShapeIsDynamic(&bounds, d))
      run->sizes[run->nSizes++] = (int32_t)shape->dims[d];
  if (!xlaShapeDimsEqual(shape, &bounds))
    return pad(run, literal);
  run->in[run->nIn++] = xlaLiteralGetData(literal);
  return true;
}

/// The part of `leaf` that is there, whose sizes `*sizes` has; takes over the
/// reference. NULL without memory.
static XlaLiteral *cut(XlaLiteral *leaf, MlirType type, XlaLiteral ***sizes) {
  XlaShape bounds, shape;
  int64_t starts[XLA_MAX_RANK] = {0};
  if (!xlaTypeIsDynamic(type) || !xlaShapeFromMlirBounded(type, &bounds, NULL))
    return leaf;
  shape = bounds;
  shape.dynamic = 0;
  for (int d = 0; d < shape.rank; ++d)
    if (xlaShapeIsDynamic(&bounds, d)) {
      int64_t size = xlaLiteralGet(*(*sizes)++, 0).s;
      shape.dims[d] = size < 0               ? 0
                      : size < shape.dims[d] ? size
                                             : shape.dims[d];
    }
  if (xlaShapeDimsEqual(&shape, &bounds))
    return leaf;
  XlaLiteral *part = xlaLiteralCreateArray(&shape);
  if (part)
    xlaStridedCopyWindow(part, leaf, false, starts);
  xlaLiteralRelease(leaf);
  return part;
}

/// Takes the leaves from `next` on into a literal of `type`; NULL without
/// memory.
static XlaLiteral *unflatten(MlirType type, XlaLiteral ***next,
                             XlaLiteral ***sizes) {
  if (xlaTypeIsToken(type))
    return xlaLiteralCreateToken();
  if (!mlirTypeIsATuple(type)) {
    XlaLiteral *leaf = **next;
    *(*next)++ = NULL;
    return cut(leaf, type, sizes);
  }
  intptr_t n = mlirTupleTypeGetNumTypes(type);
  XlaLiteral **elements = calloc((size_t)n + 1, sizeof *elements);
  XlaLiteral *tuple = NULL;
  bool whole = elements != NULL;
  for (intptr_t i = 0; elements && i < n; ++i)
    whole &=
        !!(elements[i] = unflatten(mlirTupleTypeGetType(type, i), next, sizes));
  if (whole)
    tuple = xlaLiteralTakeTuple(n, elements);
  else
    for (intptr_t i = 0; elements && i < n; ++i)
      xlaLiteralRelease(elements[i]);
  free(elements);
  return tuple;
}

static bool noMemory(const XlaExecutable *e) {
  xlaErrorNoMemory(mlirLocationUnknownGet(e->context));
  return false;
}

/// Output `i` with any content; NULL without memory.
static XlaLiteral *createOutput(XlaExecutable *e, intptr_t i) {
  void *data;
  XlaStatus status =
      xlaPoolAllocate(e->pool, xlaExecutableByteCount(&e->outputs[i]), &data);
  xlaStatusDestroy(status);
  XlaLiteral *literal = NULL;
  if (data)
    literal = xlaLiteralTakeArray(&e->outputs[i], data, xlaPoolFree);
  if (!literal)
    xlaPoolFree(data);
  return literal;
}

static bool createOutputs(Run *run) {
  XlaExecutable *e = run->e;
  for (intptr_t i = 0; i < e->nOutputs; ++i) {
    run->leaves[i] = createOutput(e, i);
    if (!run->leaves[i]) {
      xlaErrorEmit(mlirLocationUnknownGet(e->context), XLA_STATUS_OUT_OF_MEMORY,
                   "no memory for result %lld, %s", (long long)i,
                   XLA_SHAPE_TEXT(&e->outputs[i]));
      return false;
    }
    run->out[i] = xlaLiteralGetMutableData(run->leaves[i]);
  }
  return true;
}

static bool runOnLiterals(Run *run, intptr_t nInputs,
                          const XlaLiteral *const *inputs, intptr_t nOutputs,
                          XlaLiteral **outputs) {
  XlaExecutable *e = run->e;
  for (intptr_t i = 0; i < nInputs; ++i) {
    if (xlaTypeIsDynamic(e->arguments[i]) &&
        !xlaLiteralFits(inputs[i], e->arguments[i])) {
      xlaErrorEmit(mlirLocationUnknownGet(e->context),
                   XLA_STATUS_INVALID_ARGUMENT,
                   "an input is larger than its bounds");
      return false;
    }
    if (!flatten(run, e->arguments[i], inputs[i]))
      return noMemory(e);
  }
  for (intptr_t i = 0; i < run->nSizes; ++i)
    run->in[run->nIn++] = &run->sizes[i];
  if (!createOutputs(run) || failed(xlaExecutableRun(e, run->in, run->out)))
    return false;
  XlaLiteral **next = run->leaves, **sizes = run->leaves;
  for (intptr_t i = 0; i < nOutputs; ++i)
    sizes += xlaTypeCountLeaves(e->results[i]);
  for (intptr_t i = 0; i < nOutputs; ++i)
    if (!(outputs[i] = unflatten(e->results[i], &next, &sizes)))
      return noMemory(e);
  return true;
}

static bool checkLiterals(const XlaExecutable *e, intptr_t nInputs,
                          const XlaLiteral *const *inputs, intptr_t nOutputs,
                          XlaLiteral **outputs) {
  if (nInputs != e->nArguments || nOutputs != e->nResults)
    return invalid(e, "the run has not as many inputs and outputs as the "
                      "program");
  bool whole = (!nInputs || inputs) && (!nOutputs || outputs);
  for (intptr_t i = 0; whole && i < nInputs; ++i)
    whole = inputs[i] != NULL;
  return whole || invalid(e, "an input or output of the run is NULL");
}

/// Whether an argument has a dimension whose size only a run knows.
static bool isDynamic(const XlaExecutable *e) {
  for (intptr_t i = 0; i < e->nArguments; ++i)
    if (xlaTypeIsDynamic(e->arguments[i]))
      return true;
  return false;
}

/// `e` is no executable of unknown sizes.
static bool runStatic(XlaExecutable *e, intptr_t nInputs,
                      const XlaLiteral *const *inputs, intptr_t nOutputs,
                      XlaLiteral **outputs) {
  size_t nIn = (size_t)e->nInputs + 1, nOut = (size_t)e->nOutputs + 1;
  Run run = {.e = e,
             .in = calloc(nIn, sizeof *run.in),
             .out = calloc(nOut, sizeof *run.out),
             .leaves = calloc(nOut, sizeof *run.leaves),
             .padded = calloc(nIn, sizeof *run.padded),
             .sizes = calloc(nIn, sizeof *run.sizes)};
  bool whole = run.in && run.out && run.leaves && run.padded && run.sizes;
  bool done = whole ? runOnLiterals(&run, nInputs, inputs, nOutputs, outputs)
                    : noMemory(e);
  for (intptr_t i = 0; run.leaves && i < e->nOutputs; ++i)
    xlaLiteralRelease(run.leaves[i]);
  for (intptr_t i = 0; i < run.nPadded; ++i)
    xlaLiteralRelease(run.padded[i]);
  for (intptr_t i = 0; !done && i < nOutputs; ++i) {
    xlaLiteralRelease(outputs[i]);
    outputs[i] = NULL;
  }
  free(run.in);
  free(run.out);
  free(run.leaves);
  free(run.padded);
  free(run.sizes);
  return done;
}

static MlirLogicalResult runOn(XlaExecutable *e, intptr_t nInputs,
                               const XlaLiteral *const *inputs,
                               intptr_t nOutputs, XlaLiteral **outputs) {
  XlaExecutable *program = forLiterals(e, inputs);
  return program && runStatic(program, nInputs, inputs, nOutputs, outputs)
             ? mlirLogicalResultSuccess()
             : mlirLogicalResultFailure();
}

MlirLogicalResult xlaExecutableRunLiterals(XlaExecutable *e, intptr_t nInputs,
                                           const XlaLiteral *const *inputs,
                                           intptr_t nOutputs,
                                           XlaLiteral **outputs) {
  if (!checkLiterals(e, nInputs, inputs, nOutputs, outputs))
    return mlirLogicalResultFailure();
  memset(outputs, 0, (size_t)nOutputs * sizeof *outputs);
  // Another size could put the program away that this run is for; and sizes
  // are compared as types, which one thread at a time makes.
  if (!e->specializer && !isDynamic(e))
    return runOn(e, nInputs, inputs, nOutputs, outputs);
  XlaTurnResult turn = xlaTurnTake(&e->turn);
  if (turn == XlaTurnResultCycle)
    return unsupported(e, XLA_TURN_CYCLE);
  MlirLogicalResult result =
      turn == XlaTurnResultNested && e->specializer
          ? unsupported(e, "a program of unknown sizes cannot be run by a "
                           "function that it calls itself")
          : runOn(e, nInputs, inputs, nOutputs, outputs);
  xlaTurnGive(&e->turn);
  return result;
}
