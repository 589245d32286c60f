//===- builder_fixture.c - Checking what builders build -------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/test/dialect/builder/builder_fixture.h"

#include "mlir-c/Diagnostics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static XlaClient *interpreter;
static int errors;

static MlirLogicalResult count(MlirDiagnostic diagnostic, void *data) {
  (void)data;
  errors += mlirDiagnosticGetSeverity(diagnostic) == MlirDiagnosticError;
  return mlirLogicalResultSuccess();
}

int builderSetUp(void **state) {
  (void)state;
  XlaClientOptions options = {.device = "interpreter"};
  XlaStatus status = xlaClientCreate(&options, &interpreter);
  if (!status)
    mlirContextAttachDiagnosticHandler(builderContext(), count, NULL, NULL);
  return status != NULL;
}

int builderTearDown(void **state) {
  (void)state;
  xlaClientDestroy(interpreter);
  return 0;
}

MlirContext builderContext(void) { return xlaClientGetContext(interpreter); }

XlaBuilder *builderNew(const char *name) {
  XlaBuilder *b = xlaBuilderCreate(builderContext(), name);
  assert_non_null(b);
  return b;
}

XlaComputation *builderEnd(XlaBuilder *b, XlaOp root) {
  XlaComputation *computation;
  if (mlirLogicalResultIsFailure(xlaBuilderBuild(b, root, &computation)))
    fail_msg("%s", xlaBuilderGetError(b));
  assert_null(xlaBuilderGetError(b));
  xlaBuilderDestroy(b);
  return computation;
}

static double valueAt(const XlaLiteral *literal, int64_t i) {
  XlaElementType type = xlaLiteralGetShape(literal)->elementType;
  XlaScalar value = xlaLiteralGet(literal, i);
  switch (xlaElementTypeGetInfo(type)->typeClass) {
  case XlaTypeClassSigned:
    return (double)value.s;
  case XlaTypeClassPred:
  case XlaTypeClassUnsigned:
    return (double)value.u;
  case XlaTypeClassFloat:
  case XlaTypeClassComplex:
    break;
  }
  return value.f.re;
}

static bool agrees(double a, double b) {
  if (isnan(a) || isnan(b) || isinf(a) || isinf(b))
    return a == b || (isnan(a) && isnan(b));
  return fabs(a - b) <= 1e-5 * fmax(1, fabs(b)) &&
         (a != 0 || b != 0 || signbit(a) == signbit(b));
}

static void checkArray(const XlaLiteral *literal, const XlaShape *shape,
                       const double *values, const char *text) {
  assert_int_equal(xlaLiteralGetKind(literal), XlaLiteralKindArray);
  const XlaShape *given = xlaLiteralGetShape(literal);
  if (given->elementType != shape->elementType ||
      !xlaShapeDimsEqual(given, shape))
    fail_msg("the result is %s, not %s, of\n%s", XLA_SHAPE_TEXT(given),
             XLA_SHAPE_TEXT(shape), text);
  for (int64_t i = 0; i < xlaLiteralGetElementCount(literal); ++i)
    if (!agrees(valueAt(literal, i), values[i]))
      fail_msg("element %lld is %g, not %g, of\n%s", (long long)i,
               valueAt(literal, i), values[i], text);
}

static XlaLiteral *run(XlaClient *client, MlirModule module) {
  XlaLoadedExecutable *executable;
  XlaLiteral *result = NULL;
  XlaStatus status =
      xlaClientCompileModule(client, module, "main", &executable);
  if (!status) {
    status = xlaLoadedExecutableRun(executable, 0, NULL, &result);
    xlaLoadedExecutableDestroy(executable);
  }
  if (status)
    fail_msg("%s", xlaStatusMessage(status));
  return result;
}

/// Through text as well: it must read back as the same program.
static MlirModule parse(MlirContext context, const char *text) {
  MlirModule module =
      mlirModuleCreateParse(context, mlirStringRefCreateFromCString(text));
  if (mlirModuleIsNull(module))
    fail_msg("does not parse:\n%s", text);
  return module;
}

static void expectOn(const char *device, const char *text,
                     const XlaShape *shape, const double *values) {
  XlaClient *client = interpreter;
  XlaClientOptions options = {.device = device};
  if (device)
    assert_null(xlaClientCreate(&options, &client));
  MlirModule module = parse(xlaClientGetContext(client), text);
  XlaLiteral *result = run(client, module);
  checkArray(result, shape, values, text);
  xlaLiteralRelease(result);
  mlirModuleDestroy(module);
  if (device)
    xlaClientDestroy(client);
}

void builderExpect(XlaBuilder *b, XlaOp root, const XlaShape *shape,
                   const double *values) {
  XlaShape inferred;
  if (!xlaBuilderGetError(b)) {
    assert_true(xlaBuilderGetShape(b, root, &inferred));
    assert_true(inferred.elementType == shape->elementType &&
                xlaShapeDimsEqual(&inferred, shape));
  }
  XlaComputation *computation = builderEnd(b, root);
  char *text = xlaComputationPrint(computation);
  assert_non_null(text);
  expectOn(NULL, text, shape, values);
  free(text);
  xlaComputationRelease(computation);
}

void builderExpectCompiled(XlaBuilder *b, XlaOp root, const XlaShape *shape,
                           const double *values) {
  XlaComputation *computation = builderEnd(b, root);
  char *text = xlaComputationPrint(computation);
  assert_non_null(text);
  expectOn(NULL, text, shape, values);
  expectOn("cpu", text, shape, values);
  free(text);
  xlaComputationRelease(computation);
}

void builderExpectError(XlaBuilder *b, const char *text) {
  XlaComputation *computation = (XlaComputation *)b;
  const char *error = xlaBuilderGetError(b);
  assert_non_null(error);
  if (!strstr(error, text))
    fail_msg("the error is \"%s\", without \"%s\"", error, text);
  errors = 0;
  assert_true(
      mlirLogicalResultIsFailure(xlaBuilderBuild(b, (XlaOp){0}, &computation)));
  assert_null(computation);
  assert_int_equal(errors, 1);
  assert_string_equal(error, xlaBuilderGetError(b)); // still the first
  xlaBuilderDestroy(b);
}

XlaComputation *builderSum(XlaElementType elementType) {
  XlaBuilder *b = builderNew("sum");
  XlaShape scalar = {.elementType = elementType};
  XlaOp lhs = xlaBuilderParameter(b, 0, &scalar, "lhs");
  XlaOp rhs = xlaBuilderParameter(b, 1, &scalar, "rhs");
  return builderEnd(b, xlaBuilderAdd(b, lhs, rhs, NULL, 0));
}
