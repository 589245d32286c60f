//===- builder.c - Builders: values, errors, the end ----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/builder/internal.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Diagnostics.h"
#include "mlir-c/Dialect/Func.h"
#include "xlac/dialect/dialect.h"
#include "xlac/dialect/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static MlirStringRef str(const char *text) {
  return mlirStringRefCreateFromCString(text);
}

//===----------------------------------------------------------------------===//
// Creation
//===----------------------------------------------------------------------===//

MlirContext xlaBuilderCreateContext(void) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirDialectHandleInsertDialect(mlirGetDialectHandle__func__(), registry);
  xlaDialectRegister(registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  mlirDialectRegistryDestroy(registry);
  return context;
}

static bool hasDialect(MlirContext context, const char *name) {
  return !mlirDialectIsNull(mlirContextGetOrLoadDialect(context, str(name)));
}

XlaBuilder *xlaBuilderCreate(MlirContext context, const char *name) {
  if (mlirContextIsNull(context))
    return NULL;
  XlaBuilder *b = calloc(1, sizeof *b);
  char *copy = strdup(name ? name : "");
  if (!b || !copy) {
    free(b);
    free(copy);
    return NULL;
  }
  b->context = context;
  b->name = copy;
  b->function = "xlaBuilderCreate";
  b->region = mlirRegionCreate();
  b->block = mlirBlockCreate(0, NULL, NULL);
  mlirRegionAppendOwnedBlock(b->region, b->block);
  b->outer = mlirLocationUnknownGet(context);
  if (!hasDialect(context, "xla") || !hasDialect(context, "func"))
    xlaBuilderFail(b, "the context lacks the dialect xla or func");
  return b;
}

void xlaBuilderDestroy(XlaBuilder *b) {
  if (!b)
    return;
  mlirRegionDestroy(b->region);
  xlaCalleesDestroy(&b->callees);
  free(b->name);
  free(b->values);
  free(b->parameters);
  free(b->place);
  free(b->error);
  free(b);
}

//===----------------------------------------------------------------------===//
// Places and errors
//===----------------------------------------------------------------------===//

void xlaBuilderSetLocation(XlaBuilder *b, const char *name, const char *file,
                           int line) {
  if (!b)
    return;
  free(b->place);
  b->place = name ? strdup(name) : NULL;
  if (name && !b->place)
    xlaBuilderFail(b, "out of memory");
  b->hasOuter = file != NULL;
  b->outer = file ? mlirLocationFileLineColGet(b->context, str(file),
                                               line > 0 ? (unsigned)line : 0, 0)
                  : mlirLocationUnknownGet(b->context);
}

MlirLocation xlaBuilderLocation(XlaBuilder *b) {
  char name[256];
  snprintf(name, sizeof name, "op %lld of '%.100s', %s",
           (long long)b->nValues + 1, b->name, b->function);
  return mlirLocationNameGet(b->context, str(b->place ? b->place : name),
                             b->outer);
}

/// " (dense/matmul, model.py:12)", or nothing.
static void appendPlace(const XlaBuilder *b, char *text, size_t size) {
  size_t used = strlen(text);
  if (!b->place && !b->hasOuter)
    return;
  used += (size_t)snprintf(text + used, size - used, " (%.200s",
                           b->place ? b->place : "");
  if (b->hasOuter) {
    MlirStringRef file =
        mlirIdentifierStr(mlirLocationFileLineColRangeGetFilename(b->outer));
    used += (size_t)snprintf(
        text + used, size - used, "%s%.*s:%d", b->place ? ", " : "",
        (int)(file.length < 200 ? file.length : 200), file.data,
        mlirLocationFileLineColRangeGetStartLine(b->outer));
  }
  snprintf(text + used, size - used, ")");
}

bool xlaBuilderFail(XlaBuilder *b, const char *format, ...) {
  if (b->failed)
    return false;
  enum { size = 2400 };
  char message[1500], text[size];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  bool isOp = strcmp(b->function, "xlaBuilderBuild") != 0;
  int used =
      isOp ? snprintf(text, size, "op %lld of ", (long long)b->nValues + 1) : 0;
  snprintf(text + used, size - (size_t)used, "'%.100s', %s: %s", b->name,
           b->function, message);
  appendPlace(b, text, size);
  b->failed = true;
  b->error = strdup(text);
  return false;
}

const char *xlaBuilderGetError(const XlaBuilder *b) {
  if (!b || !b->failed)
    return b ? NULL : "no builder";
  return b->error ? b->error : "out of memory";
}

void xlaBuilderSetError(XlaBuilder *b, const char *message) {
  if (xlaBuilderBegin(b, __func__))
    xlaBuilderFail(b, "%s", message ? message : "failed");
}

static MlirLogicalResult keep(MlirDiagnostic diagnostic, void *data) {
  char text[1400];
  if (mlirDiagnosticGetSeverity(diagnostic) == MlirDiagnosticError) {
    xlaDiagnosticGetText(diagnostic, text, sizeof text);
    xlaBuilderFail(data, "%s", text);
  }
  return mlirLogicalResultSuccess();
}

MlirDiagnosticHandlerID xlaBuilderCatch(XlaBuilder *b) {
  return mlirContextAttachDiagnosticHandler(b->context, keep, b, NULL);
}

void xlaBuilderCatchEnd(XlaBuilder *b, MlirDiagnosticHandlerID handler) {
  mlirContextDetachDiagnosticHandler(b->context, handler);
}

bool xlaBuilderBegin(XlaBuilder *b, const char *function) {
  if (!b || b->failed)
    return false;
  b->function = function;
  if (b->built)
    xlaBuilderFail(b, "the computation has been built already");
  return !b->failed;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static bool isOwn(const XlaBuilder *b, XlaOp op) {
  return b && op.builder == b && op.number >= 1 && op.number <= b->nValues;
}

MlirValue xlaBuilderGetValue(XlaBuilder *b, XlaOp op) {
  if (isOwn(b, op))
    return b->values[op.number - 1];
  if (!op.builder)
    xlaBuilderFail(b, "an operand is the null op");
  else if (op.builder != b)
    xlaBuilderFail(b, "an operand, op %lld, is of another builder",
                   (long long)op.number);
  else
    xlaBuilderFail(b, "an operand is op %lld, which is not there",
                   (long long)op.number);
  return (MlirValue){NULL};
}

MlirType xlaBuilderOperandType(XlaBuilder *b, XlaOp op) {
  MlirValue value = xlaBuilderGetValue(b, op);
  return mlirValueIsNull(value) ? (MlirType){NULL} : mlirValueGetType(value);
}

static bool operandShape(XlaBuilder *b, XlaOp op, XlaShape *shape,
                         bool (*read)(MlirType type, XlaShape *shape,
                                      const char **reason)) {
  MlirType type = xlaBuilderOperandType(b, op);
  const char *reason;
  if (mlirTypeIsNull(type))
    return false;
  return read(type, shape, &reason) ||
         xlaBuilderFail(b, "the operand, %s, %s", XLA_TYPE_TEXT(type), reason);
}

bool xlaBuilderOperandShape(XlaBuilder *b, XlaOp op, XlaShape *shape) {
  return operandShape(b, op, shape, xlaShapeFromMlir);
}

bool xlaBuilderOperandBounded(XlaBuilder *b, XlaOp op, XlaShape *shape) {
  return operandShape(b, op, shape, xlaShapeFromMlirBounded);
}

XlaOp xlaBuilderAddValue(XlaBuilder *b, MlirValue value) {
  if (b->nValues == b->valueCapacity) {
    intptr_t capacity = b->valueCapacity ? 2 * b->valueCapacity : 32;
    MlirValue *grown = realloc(b->values, (size_t)capacity * sizeof *grown);
    if (!grown) {
      xlaBuilderFail(b, "out of memory");
      return (XlaOp){0};
    }
    b->values = grown;
    b->valueCapacity = capacity;
  }
  b->values[b->nValues++] = value;
  return (XlaOp){b, b->nValues};
}

MlirType xlaBuilderGetType(const XlaBuilder *b, XlaOp op) {
  return isOwn(b, op) ? mlirValueGetType(b->values[op.number - 1])
                      : (MlirType){NULL};
}

bool xlaBuilderGetShape(const XlaBuilder *b, XlaOp op, XlaShape *shape) {
  MlirType type = xlaBuilderGetType(b, op);
  return !mlirTypeIsNull(type) && xlaShapeFromMlir(type, shape, NULL);
}

//===----------------------------------------------------------------------===//
// Shapes and lists of the caller
//===----------------------------------------------------------------------===//

bool xlaBuilderCheckList(XlaBuilder *b, const char *name, const void *list,
                         intptr_t n) {
  if (n < 0)
    xlaBuilderFail(b, "%s has %lld entries", name, (long long)n);
  else if (n && !list)
    xlaBuilderFail(b, "%s is NULL and has %lld entries", name, (long long)n);
  return !b->failed;
}

bool xlaBuilderCheckShape(XlaBuilder *b, const XlaShape *shape) {
  int64_t count;
  if (!shape)
    return xlaBuilderFail(b, "the shape is NULL");
  if (shape->elementType <= XlaElementTypeInvalid ||
      shape->elementType >= XlaElementTypeCount)
    return xlaBuilderFail(b,
                          "the shape has the element type number %d, which "
                          "is none",
                          (int)shape->elementType);
  if (shape->rank < 0 || shape->rank > XLA_MAX_RANK)
    return xlaBuilderFail(b, "the shape has rank %d, must be in [0, %d]",
                          shape->rank, XLA_MAX_RANK);
  for (int d = 0; d < shape->rank; ++d)
    if (shape->dims[d] < 0)
      return xlaBuilderFail(b, "dimension %d of the shape is %lld", d,
                            (long long)shape->dims[d]);
  if (!xlaShapeGetElementCount(shape, &count))
    return xlaBuilderFail(b, "the shape %s is larger than 2^62 bytes",
                          XLA_SHAPE_TEXT(shape));
  return true;
}

bool xlaBuilderMakeShape(XlaBuilder *b, XlaElementType elementType,
                         const int64_t *sizes, intptr_t n, XlaShape *shape) {
  if (!xlaBuilderCheckList(b, "sizes", sizes, n))
    return false;
  if (n > XLA_MAX_RANK)
    return xlaBuilderFail(b,
                          "sizes has %lld entries, arrays have at most %d "
                          "dimensions",
                          (long long)n, XLA_MAX_RANK);
  *shape = (XlaShape){.elementType = elementType, .rank = (int)n};
  if (n)
    memcpy(shape->dims, sizes, (size_t)n * sizeof *sizes);
  return xlaBuilderCheckShape(b, shape);
}

MlirType xlaBuilderArrayType(XlaBuilder *b, const XlaShape *shape) {
  return xlaBuilderBegin(b, __func__) && xlaBuilderCheckShape(b, shape)
             ? xlaShapeToMlir(shape, b->context)
             : (MlirType){NULL};
}

MlirType xlaBuilderTupleType(XlaBuilder *b, const MlirType *types, intptr_t n) {
  if (!xlaBuilderBegin(b, __func__) ||
      !xlaBuilderCheckList(b, "types", types, n))
    return (MlirType){NULL};
  for (intptr_t i = 0; i < n; ++i)
    if (mlirTypeIsNull(types[i])) {
      xlaBuilderFail(b, "type %lld is null", (long long)i);
      return (MlirType){NULL};
    }
  return mlirTupleTypeGet(b->context, n, types);
}

MlirType xlaBuilderTokenType(XlaBuilder *b) {
  return xlaBuilderBegin(b, __func__) ? xlaTokenTypeGet(b->context)
                                      : (MlirType){NULL};
}

//===----------------------------------------------------------------------===//
// The end
//===----------------------------------------------------------------------===//

/// Tuples that were made for get_tuple_element only.
static void removeUnusedTuples(const XlaBuilder *b) {
  for (intptr_t i = b->nValues - 1; i >= 0; --i) {
    MlirValue value = b->values[i];
    if (!mlirValueIsAOpResult(value) ||
        !mlirOpOperandIsNull(mlirValueGetFirstUse(value)))
      continue;
    MlirOperation op = mlirOpResultGetOwner(value);
    if (xlaOpGetKind(op) == XlaOpKindTuple)
      mlirOperationDestroy(op);
  }
}

static void addReturn(XlaBuilder *b, MlirValue root) {
  XlaIr ir =
      xlaIrAtEnd(b->context,
                 mlirValueIsAOpResult(root)
                     ? mlirOperationGetLocation(mlirOpResultGetOwner(root))
                     : b->outer,
                 b->block);
  xlaIrCreate(&ir, "func.return", 1, &root, 0, NULL, 0, NULL, 0, NULL);
}

/// Wraps the region into a function, which takes it.
static MlirOperation makeFunction(XlaBuilder *b, MlirType *types,
                                  MlirType result) {
  for (intptr_t i = 0; i < b->nParameters; ++i)
    types[i] = mlirValueGetType(mlirBlockGetArgument(b->block, i));
  MlirType type =
      mlirFunctionTypeGet(b->context, b->nParameters, types, 1, &result);
  MlirNamedAttribute attrs[] = {
      mlirNamedAttributeGet(mlirIdentifierGet(b->context, str("sym_name")),
                            mlirStringAttrGet(b->context, str("main"))),
      mlirNamedAttributeGet(mlirIdentifierGet(b->context, str("function_type")),
                            mlirTypeAttrGet(type))};
  MlirOperationState state = mlirOperationStateGet(
      str("func.func"),
      mlirLocationNameGet(b->context, str(b->name), b->outer));
  mlirOperationStateAddAttributes(&state, 2, attrs);
  mlirOperationStateAddOwnedRegions(&state, 1, &b->region);
  b->region = mlirRegionCreate();
  b->built = true;
  return mlirOperationCreate(&state);
}

/// Moves what the builder has into a computation.
static XlaComputation *finish(XlaBuilder *b, MlirValue root) {
  XlaComputation *computation = calloc(1, sizeof *computation);
  MlirType *types = malloc(((size_t)b->nParameters + 1) * sizeof *types);
  char *name = strdup(b->name);
  if (!computation || !types || !name) {
    xlaBuilderFail(b, "out of memory");
    free(computation);
    free(types);
    free(name);
    return NULL;
  }
  MlirType result = mlirValueGetType(root);
  addReturn(b, root);
  removeUnusedTuples(b);
  *computation = (XlaComputation){.references = 1,
                                  .name = name,
                                  .function = makeFunction(b, types, result),
                                  .callees = b->callees,
                                  .nOperations = b->nOperations + 1,
                                  .depth = b->depth + 1};
  b->callees = (XlaCallees){0};
  b->nValues = 0;
  free(types);
  MlirDiagnosticHandlerID handler = xlaBuilderCatch(b);
  bool verified = mlirOperationVerify(computation->function);
  xlaBuilderCatchEnd(b, handler);
  if (verified)
    return computation;
  xlaBuilderFail(b, "the computation is not valid");
  xlaComputationRelease(computation);
  return NULL;
}

static void checkParameters(XlaBuilder *b) {
  for (intptr_t i = 0; i < b->nParameters; ++i)
    if (b->parameters[i] != i) {
      xlaBuilderFail(b, "there is a parameter %lld, but no parameter %lld",
                     (long long)b->parameters[i], (long long)i);
      return;
    }
}

MlirLogicalResult xlaBuilderBuild(XlaBuilder *b, XlaOp root,
                                  XlaComputation **out) {
  XlaComputation *computation = NULL;
  *out = NULL;
  if (!b)
    return mlirLogicalResultFailure();
  if (xlaBuilderBegin(b, __func__)) {
    if (!root.builder && !root.number)
      root = (XlaOp){b, b->nValues};
    if (!b->nValues)
      xlaBuilderFail(b, "there are no ops, so there is no result");
    else
      checkParameters(b);
    MlirValue value = b->failed ? (MlirValue){0} : xlaBuilderGetValue(b, root);
    if (!b->failed)
      computation = finish(b, value);
  }
  if (!computation) {
    mlirEmitError(b->outer, xlaBuilderGetError(b));
    return mlirLogicalResultFailure();
  }
  *out = computation;
  return mlirLogicalResultSuccess();
}
