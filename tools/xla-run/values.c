//===- values.c - Inputs and outputs --------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-c/BuiltinTypes.h"
#include "xlac/tools/common/value.h"
#include "xlac/tools/xla-run/run.h"

#include <stdlib.h>
#include <string.h>

static XlaToolCode outOfMemory(void) {
  return xlaToolError(XlaToolCodeFailed, "out of memory");
}

//===----------------------------------------------------------------------===//
// Signatures
//===----------------------------------------------------------------------===//

/// Appends the arrays of `type` to the leaves.
static XlaToolCode addLeaves(XlaRun *run, MlirType type, const char *what,
                             XlaRunValues *values) {
  const char *reason;
  if (xlaTypeIsToken(type))
    return XlaToolCodeOk;
  if (mlirTypeIsATuple(type)) {
    XlaToolCode code = XlaToolCodeOk;
    intptr_t n = mlirTupleTypeGetNumTypes(type);
    for (intptr_t i = 0; i < n && code == XlaToolCodeOk; ++i)
      code = addLeaves(run, mlirTupleTypeGetType(type, i), what, values);
    return code;
  }
  XlaShape *shapes = realloc(values->leafShapes,
                             ((size_t)values->leafCount + 1) * sizeof *shapes);
  if (!shapes)
    return outOfMemory();
  values->leafShapes = shapes;
  if (!xlaShapeFromMlir(type, &shapes[values->leafCount], &reason))
    return xlaToolError(XlaToolCodeFailed,
                        "%s: %s of the entry is %s, which "
                        "%s",
                        run->program.name, what, XLA_TYPE_TEXT(type), reason);
  ++values->leafCount;
  return XlaToolCodeOk;
}

XlaToolCode xlaRunValuesCreate(XlaRun *run, MlirOperation function,
                               bool isResult, XlaRunValues *values) {
  MlirType type = xlaFunctionGetType(function);
  memset(values, 0, sizeof *values);
  intptr_t n = isResult ? mlirFunctionTypeGetNumResults(type)
                        : mlirFunctionTypeGetNumInputs(type);
  values->items = calloc((size_t)n + 1, sizeof *values->items);
  if (!values->items)
    return outOfMemory();
  values->count = n;
  XlaToolCode code = XlaToolCodeOk;
  for (intptr_t i = 0; i < n && code == XlaToolCodeOk; ++i)
    code = addLeaves(run,
                     isResult ? mlirFunctionTypeGetResult(type, i)
                              : mlirFunctionTypeGetInput(type, i),
                     isResult ? "a result" : "an argument", values);
  return code;
}

void xlaRunValuesDestroy(XlaRunValues *values) {
  for (intptr_t i = 0; i < values->count; ++i)
    xlaLiteralRelease(values->items[i]);
  free(values->items);
  free(values->leafShapes);
  memset(values, 0, sizeof *values);
}

/// Builds a value of `type` from leaves, whose references it takes over.
static XlaLiteral *assemble(MlirType type, XlaLiteral ***leaves) {
  if (xlaTypeIsToken(type))
    return xlaLiteralCreateToken();
  if (!mlirTypeIsATuple(type)) {
    XlaLiteral *leaf = **leaves;
    *(*leaves)++ = NULL;
    return leaf;
  }
  intptr_t n = mlirTupleTypeGetNumTypes(type);
  XlaLiteral **elements = calloc((size_t)n + 1, sizeof *elements);
  bool complete = elements != NULL;
  for (intptr_t i = 0; complete && i < n; ++i) {
    elements[i] = assemble(mlirTupleTypeGetType(type, i), leaves);
    complete = elements[i] != NULL;
  }
  XlaLiteral *tuple = complete ? xlaLiteralTakeTuple(n, elements) : NULL;
  for (intptr_t i = 0; !complete && elements && i < n; ++i)
    xlaLiteralRelease(elements[i]);
  free(elements);
  return tuple;
}

/// Puts the arrays of a value behind each other, borrowed.
static void flatten(const XlaLiteral *value, const XlaLiteral ***leaves) {
  if (xlaLiteralGetKind(value) == XlaLiteralKindArray)
    *(*leaves)++ = value;
  else if (xlaLiteralGetKind(value) == XlaLiteralKindTuple)
    for (intptr_t i = 0; i < xlaLiteralGetTupleSize(value); ++i)
      flatten(xlaLiteralGetTupleElement(value, i), leaves);
}

/// The leaves of all values, in an array to be freed; NULL without memory.
static const XlaLiteral **leavesOf(const XlaRunValues *values) {
  const XlaLiteral **leaves =
      calloc((size_t)values->leafCount + 1, sizeof *leaves);
  const XlaLiteral **next = leaves;
  for (intptr_t i = 0; leaves && i < values->count; ++i)
    flatten(values->items[i], &next);
  return leaves;
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

static bool sameShape(const XlaShape *a, const XlaShape *b) {
  return a->elementType == b->elementType && xlaShapeDimsEqual(a, b);
}

/// Reads `text`, the value number `index` of the option `what`, of `shape`.
static XlaToolCode readValue(const char *text, const char *what, intptr_t index,
                             const XlaShape *shape, XlaLiteral **literal) {
  char name[64];
  snprintf(name, sizeof name, "%s %lld", what, (long long)index);
  XlaStatus status = xlaValueParse(text, shape, literal);
  if (status)
    return xlaToolStatusError(status, name);
  const XlaShape *given = xlaLiteralGetShape(*literal);
  if (sameShape(given, shape))
    return XlaToolCodeOk;
  XlaToolCode code =
      xlaToolError(XlaToolCodeWrong, "%s: expected %s, got %s", name,
                   XLA_VALUE_SHAPE_TEXT(shape), XLA_VALUE_SHAPE_TEXT(given));
  xlaLiteralRelease(*literal);
  *literal = NULL;
  return code;
}

static XlaToolCode readLeaves(XlaRun *run, const XlaRunValues *values,
                              XlaLiteral **leaves) {
  const XlaToolValues *given = &run->options.inputs;
  for (intptr_t i = 0; i < values->leafCount; ++i) {
    const XlaShape *shape = &values->leafShapes[i];
    XlaToolCode code = XlaToolCodeOk;
    if (i < given->count) {
      code = readValue(given->items[i], "input", i, shape, &leaves[i]);
    } else {
      // Every input gets a seed of its own.
      XlaStatus status = xlaValueRandom(
          shape, run->options.seed + 0x632BE59BD9B4E019u * (uint64_t)i,
          &leaves[i]);
      code =
          status ? xlaToolStatusError(status, "random input") : XlaToolCodeOk;
    }
    if (code != XlaToolCodeOk)
      return code;
  }
  return XlaToolCodeOk;
}

static XlaToolCode wrongCount(const XlaRunValues *values, MlirStringRef entry,
                              int given) {
  char types[400] = "";
  size_t length = 0;
  for (intptr_t i = 0; i < values->leafCount && length + 170 < sizeof types;
       ++i)
    length += (size_t)snprintf(types + length, sizeof types - length, "%s%s",
                               i ? ", " : ": ",
                               XLA_VALUE_SHAPE_TEXT(&values->leafShapes[i]));
  return xlaToolError(
      XlaToolCodeWrong, "@%.*s takes %lld input%s, %d given%s%s",
      (int)entry.length, entry.data, (long long)values->leafCount,
      values->leafCount == 1 ? "" : "s", given, types,
      given < values->leafCount ? "; --seed=1 makes up what is missing" : "");
}

XlaToolCode xlaRunValuesReadInputs(XlaRun *run, MlirOperation function,
                                   XlaRunValues *values) {
  int given = run->options.inputs.count;
  MlirType type = xlaFunctionGetType(function);
  if (given > values->leafCount ||
      (given < values->leafCount && !run->options.hasSeed))
    return wrongCount(values, xlaFunctionGetName(function), given);
  XlaLiteral **leaves = calloc((size_t)values->leafCount + 1, sizeof *leaves);
  if (!leaves)
    return outOfMemory();
  XlaToolCode code = readLeaves(run, values, leaves);
  XlaLiteral **next = leaves;
  for (intptr_t i = 0; i < values->count && code == XlaToolCodeOk; ++i) {
    values->items[i] = assemble(mlirFunctionTypeGetInput(type, i), &next);
    if (!values->items[i])
      code = outOfMemory();
  }
  for (intptr_t i = 0; i < values->leafCount; ++i)
    xlaLiteralRelease(leaves[i]);
  free(leaves);
  return code;
}

//===----------------------------------------------------------------------===//
// Outputs
//===----------------------------------------------------------------------===//

XlaToolCode xlaRunValuesWriteOutputs(XlaRun *run, const XlaRunValues *values) {
  const XlaToolValues *outputs = &run->options.outputs;
  const XlaLiteral **leaves = leavesOf(values);
  XlaToolCode code = leaves ? XlaToolCodeOk : outOfMemory();
  intptr_t n = outputs->count ? outputs->count : values->leafCount;
  for (intptr_t i = 0; i < n && code == XlaToolCodeOk; ++i) {
    if (!outputs->count || !strcmp(outputs->items[i], "-")) {
      xlaValuePrint(leaves[i], stdout);
      putchar('\n');
    } else {
      XlaStatus status = xlaValueWriteNpy(outputs->items[i] + 1, leaves[i]);
      if (status)
        code = xlaToolStatusError(status, "output");
    }
  }
  free(leaves);
  if (code == XlaToolCodeOk && (fflush(stdout) || ferror(stdout)))
    code = xlaToolError(XlaToolCodeWrong, "could not write to standard output");
  return code;
}

static XlaTolerance toleranceOf(const XlaRun *run, XlaElementType type) {
  XlaTolerance tolerance = xlaToleranceDefault(type);
  if (run->options.relative >= 0)
    tolerance.relative = run->options.relative;
  if (run->options.absolute >= 0)
    tolerance.absolute = run->options.absolute;
  return tolerance;
}

/// Says where two arrays differ. `device` may be NULL.
static bool compareLeaf(const XlaRun *run, const char *device, intptr_t index,
                        const XlaLiteral *got, const XlaLiteral *expected) {
  XlaDifference difference;
  XlaTolerance tolerance =
      toleranceOf(run, xlaLiteralGetShape(got)->elementType);
  if (xlaValueCompare(got, expected, &tolerance, &difference))
    return true;
  xlaToolError(XlaToolCodeDiffers, "%s%soutput %lld: %s", device ? device : "",
               device ? ": " : "", (long long)index,
               XLA_DIFFERENCE_TEXT(&difference, got, expected));
  return false;
}

XlaToolCode xlaRunValuesCompareExpected(XlaRun *run,
                                        const XlaRunValues *values) {
  const XlaToolValues *given = &run->options.expected;
  const XlaLiteral **leaves = given->count ? leavesOf(values) : NULL;
  if (!given->count)
    return XlaToolCodeOk;
  XlaToolCode code = leaves ? XlaToolCodeOk : outOfMemory();
  for (intptr_t i = 0; i < given->count && code <= XlaToolCodeDiffers; ++i) {
    XlaLiteral *expected = NULL;
    XlaToolCode read = readValue(given->items[i], "expected output", i,
                                 &values->leafShapes[i], &expected);
    if (read != XlaToolCodeOk)
      code = read;
    else if (!compareLeaf(run, NULL, i, leaves[i], expected))
      code = XlaToolCodeDiffers;
    xlaLiteralRelease(expected);
  }
  free(leaves);
  return code;
}

XlaToolCode xlaRunValuesCompare(XlaRun *run, const char *device,
                                const XlaRunValues *got,
                                const XlaRunValues *expected) {
  const XlaLiteral **a = leavesOf(got), **b = leavesOf(expected);
  XlaToolCode code = a && b ? XlaToolCodeOk : outOfMemory();
  for (intptr_t i = 0; a && b && i < got->leafCount; ++i)
    if (!compareLeaf(run, device, i, a[i], b[i]))
      code = XlaToolCodeDiffers;
  free(a);
  free(b);
  return code;
}
