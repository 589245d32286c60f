//===- values.c - Inputs and outputs of functions -------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/tools/common/values.h"

#include "mlir-c/BuiltinTypes.h"
#include "xlac/dialect/op.h"
#include "xlac/tools/common/value.h"

#include <stdlib.h>
#include <string.h>

static XlaToolCode outOfMemory(void) {
  return xlaToolError(XlaToolCodeRefused, "out of memory");
}

//===----------------------------------------------------------------------===//
// Signatures
//===----------------------------------------------------------------------===//

/// Appends the arrays of `type` to the leaves.
static XlaToolCode addLeaves(const XlaProgram *program, MlirType type,
                             const char *what, XlaProgramValues *values) {
  const char *reason;
  if (xlaTypeIsToken(type))
    return XlaToolCodeOk;
  if (mlirTypeIsATuple(type)) {
    XlaToolCode code = XlaToolCodeOk;
    intptr_t n = mlirTupleTypeGetNumTypes(type);
    for (intptr_t i = 0; i < n && code == XlaToolCodeOk; ++i)
      code = addLeaves(program, mlirTupleTypeGetType(type, i), what, values);
    return code;
  }
  XlaShape *shapes = realloc(values->leafShapes,
                             ((size_t)values->leafCount + 1) * sizeof *shapes);
  if (!shapes)
    return outOfMemory();
  values->leafShapes = shapes;
  if (!xlaShapeFromMlirBounded(type, &shapes[values->leafCount], &reason))
    return xlaToolError(XlaToolCodeRefused,
                        "%s: %s of the entry is %s, which "
                        "%s",
                        program->name, what, XLA_TYPE_TEXT(type), reason);
  ++values->leafCount;
  return XlaToolCodeOk;
}

XlaToolCode xlaProgramValuesCreate(const XlaProgram *program,
                                   MlirOperation function, bool isResult,
                                   XlaProgramValues *values) {
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
    code = addLeaves(program,
                     isResult ? mlirFunctionTypeGetResult(type, i)
                              : mlirFunctionTypeGetInput(type, i),
                     isResult ? "a result" : "an argument", values);
  return code;
}

void xlaProgramValuesDestroy(XlaProgramValues *values) {
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

const XlaLiteral **xlaProgramValuesGetLeaves(const XlaProgramValues *values) {
  const XlaLiteral **leaves =
      calloc((size_t)values->leafCount + 1, sizeof *leaves);
  const XlaLiteral **next = leaves;
  for (intptr_t i = 0; leaves && i < values->count; ++i)
    flatten(values->items[i], &next);
  return leaves;
}

const char *xlaProgramValuesText(const XlaProgramValues *values, char *chars,
                                 size_t size) {
  size_t length = 0;
  chars[0] = '\0';
  for (intptr_t i = 0; i < values->leafCount; ++i) {
    const char *shape = XLA_VALUE_SHAPE_TEXT(&values->leafShapes[i]);
    // Room for ", .." stays.
    bool fits = length + strlen(shape) + 8 < size;
    length += (size_t)snprintf(chars + length, size - length, "%s%s",
                               i ? ", " : "", fits ? shape : "..");
    if (!fits)
      break;
  }
  return chars;
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

/// Whether an array of shape `a` is a value of `b`, dynamic dimensions of which
/// may have any size up to their bounds.
static bool fits(const XlaShape *a, const XlaShape *b) {
  if (a->elementType != b->elementType || a->rank != b->rank)
    return false;
  for (int i = 0; i < a->rank; ++i)
    if (xlaShapeIsDynamic(b, i) ? a->dims[i] > b->dims[i]
                                : a->dims[i] != b->dims[i])
      return false;
  return true;
}

XlaToolCode xlaProgramValueRead(const char *text, const char *what,
                                intptr_t index, const XlaShape *shape,
                                XlaLiteral **literal) {
  char name[64];
  snprintf(name, sizeof name, "%s %lld", what, (long long)index);
  XlaStatus status = xlaValueParse(text, shape, literal);
  if (status)
    return xlaToolStatusError(status, name);
  const XlaShape *given = xlaLiteralGetShape(*literal);
  if (fits(given, shape))
    return XlaToolCodeOk;
  XlaToolCode code =
      xlaToolError(XlaToolCodeWrong, "%s: expected %s, got %s", name,
                   XLA_VALUE_SHAPE_TEXT(shape), XLA_VALUE_SHAPE_TEXT(given));
  xlaLiteralRelease(*literal);
  *literal = NULL;
  return code;
}

static XlaToolCode readLeaves(const XlaProgramValues *values,
                              const XlaToolValues *given, const uint64_t *seed,
                              XlaLiteral **leaves) {
  for (intptr_t i = 0; i < values->leafCount; ++i) {
    const XlaShape *shape = &values->leafShapes[i];
    XlaToolCode code = XlaToolCodeOk;
    if (i < given->count && given->items[i]) {
      code =
          xlaProgramValueRead(given->items[i], "input", i, shape, &leaves[i]);
    } else {
      // Every input gets a seed of its own.
      XlaStatus status = xlaValueRandom(
          shape, *seed + 0x632BE59BD9B4E019u * (uint64_t)i, &leaves[i]);
      code =
          status ? xlaToolStatusError(status, "random input") : XlaToolCodeOk;
    }
    if (code != XlaToolCodeOk)
      return code;
  }
  return XlaToolCodeOk;
}

static XlaToolCode wrongCount(const XlaProgramValues *values,
                              MlirStringRef entry, int given) {
  char types[400];
  return xlaToolError(
      XlaToolCodeWrong, "@%.*s takes %lld input%s, %d given%s%s%s",
      (int)entry.length, entry.data, (long long)values->leafCount,
      values->leafCount == 1 ? "" : "s", given, values->leafCount ? ": " : "",
      xlaProgramValuesText(values, types, sizeof types),
      given < values->leafCount ? "; --seed=1 makes up what is missing" : "");
}

XlaToolCode xlaProgramValuesRead(MlirOperation function,
                                 const XlaToolValues *given,
                                 const uint64_t *seed,
                                 XlaProgramValues *values) {
  MlirType type = xlaFunctionGetType(function);
  int n = 0;
  for (int i = 0; i < given->count; ++i)
    n += given->items[i] != NULL;
  if (given->count > values->leafCount || (n < values->leafCount && !seed))
    return wrongCount(values, xlaFunctionGetName(function), n);
  XlaLiteral **leaves = calloc((size_t)values->leafCount + 1, sizeof *leaves);
  if (!leaves)
    return outOfMemory();
  XlaToolCode code = readLeaves(values, given, seed, leaves);
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
// Sizes that the inputs have
//===----------------------------------------------------------------------===//

/// `type`, or the static one that the next value has in its place. Null after a
/// message.
static MlirType sizeType(MlirType type, const XlaToolValues *given, int *next) {
  if (xlaTypeIsToken(type))
    return type;
  if (mlirTypeIsATuple(type)) {
    intptr_t n = mlirTupleTypeGetNumTypes(type);
    MlirType *types = malloc(((size_t)n + 1) * sizeof *types), sized = {NULL};
    bool done = types != NULL;
    for (intptr_t i = 0; done && i < n; ++i) {
      types[i] = sizeType(mlirTupleTypeGetType(type, i), given, next);
      done = !mlirTypeIsNull(types[i]);
    }
    if (done)
      sized = mlirTupleTypeGet(mlirTypeGetContext(type), n, types);
    free(types);
    return sized;
  }
  int index = (*next)++;
  if (!xlaTypeIsUnbounded(type))
    return type;
  char name[64];
  snprintf(name, sizeof name, "input %d", index);
  if (index >= given->count || !given->items[index]) {
    xlaToolError(XlaToolCodeWrong,
                 "%s is %s, whose sizes only a value tells: --input=%s=1 or "
                 "..=random:7",
                 name, XLA_TYPE_TEXT(type), "2x3xf32");
    return (MlirType){NULL};
  }
  // Of types that numpy lacks, files do not tell which.
  XlaShape element = {.elementType = xlaElementTypeFromMlir(
                          mlirShapedTypeGetElementType(type))};
  const char *text = given->items[index];
  XlaLiteral *literal;
  XlaStatus status =
      xlaValueParse(text, *text == '@' ? &element : NULL, &literal);
  if (status) {
    xlaToolStatusError(status, name);
    return (MlirType){NULL};
  }
  MlirType sized = xlaLiteralGetType(literal, mlirTypeGetContext(type));
  if (!xlaTypeRefines(sized, type)) {
    xlaToolError(XlaToolCodeWrong, "%s: expected %s, got %s", name,
                 XLA_TYPE_TEXT(type),
                 XLA_VALUE_SHAPE_TEXT(xlaLiteralGetShape(literal)));
    sized = (MlirType){NULL};
  }
  xlaLiteralRelease(literal);
  return sized;
}

XlaToolCode xlaProgramInputTypes(MlirOperation function,
                                 const XlaToolValues *given, MlirType **types) {
  MlirType type = xlaFunctionGetType(function);
  intptr_t n = mlirFunctionTypeGetNumInputs(type);
  int next = 0;
  *types = malloc(((size_t)n + 1) * sizeof **types);
  if (!*types)
    return outOfMemory();
  for (intptr_t i = 0; i < n; ++i) {
    (*types)[i] = sizeType(mlirFunctionTypeGetInput(type, i), given, &next);
    if (mlirTypeIsNull((*types)[i]))
      return XlaToolCodeWrong;
  }
  return XlaToolCodeOk;
}

//===----------------------------------------------------------------------===//
// Outputs
//===----------------------------------------------------------------------===//

bool xlaOutputsAreNone(const XlaToolValues *outputs) {
  return outputs->count == 1 && !strcmp(outputs->items[0], "none");
}

XlaToolCode xlaLiteralsWrite(intptr_t count, const XlaLiteral *const *leaves,
                             const XlaToolValues *outputs, bool whole) {
  XlaToolCode code = XlaToolCodeOk;
  intptr_t n = outputs->count ? outputs->count : count;
  for (intptr_t i = 0; i < n && code == XlaToolCodeOk; ++i) {
    if (!outputs->count || !strcmp(outputs->items[i], "-")) {
      xlaValuePrint(leaves[i], whole, stdout);
      putchar('\n');
    } else if (outputs->items[i][0] == '@') {
      XlaStatus status = xlaValueWriteNpy(outputs->items[i] + 1, leaves[i]);
      if (status)
        code = xlaToolStatusError(status, "output");
    }
  }
  if (code == XlaToolCodeOk && (fflush(stdout) || ferror(stdout)))
    code = xlaToolError(XlaToolCodeWrong, "could not write to standard output");
  return code;
}
