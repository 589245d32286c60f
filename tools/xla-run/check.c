//===- check.c - What programs check themselves ---------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operations of StableHLO's dialect `check`: expect_eq (the same values),
// expect_almost_eq (within `tolerance`) and expect_close (at least
// `min_ulp_difference`, at most `max_ulp_difference` floats apart). Where a
// check names no tolerance, that of the element type holds; expect_close then
// allows 3 floats' distance as well, its own default, and expect_almost_eq,
// whose own default is absolute, a hundredth of the tolerance absolutely: near
// a zero of the function the expected values have lost digits themselves.
//
//===----------------------------------------------------------------------===//

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "xlac/passes/import/stablehlo/custom_call.h"
#include "xlac/tools/common/diagnostics.h"
#include "xlac/tools/common/value.h"
#include "xlac/tools/xla-run/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is(MlirStringRef target, const char *name) {
  return mlirStringRefEqual(target, mlirStringRefCreateFromCString(name));
}

/// An entry of the call's backend_config; null if there is none.
static MlirAttribute getEntry(MlirOperation op, const char *name) {
  MlirAttribute config = xlaOpGetAttr(op, "backend_config");
  if (mlirAttributeIsNull(config) || !mlirAttributeIsADictionary(config))
    return mlirAttributeGetNull();
  return mlirDictionaryAttrGetElementByName(
      config, mlirStringRefCreateFromCString(name));
}

/// An integer that is not negative, of any signedness; false if it is not.
static bool readUlps(MlirOperation op, const char *name, int64_t *value) {
  MlirAttribute attr = getEntry(op, name);
  if (mlirAttributeIsNull(attr))
    return true;
  if (!mlirAttributeIsAInteger(attr))
    return false;
  MlirType type = mlirAttributeGetType(attr);
  if (!mlirTypeIsAInteger(type) || mlirIntegerTypeGetWidth(type) > 64)
    return false;
  if (mlirIntegerTypeIsUnsigned(type)) {
    uint64_t number = mlirIntegerAttrGetValueUInt(attr);
    *value = number > INT64_MAX ? INT64_MAX : (int64_t)number;
    return true;
  }
  *value = mlirIntegerTypeIsSigned(type) ? mlirIntegerAttrGetValueSInt(attr)
                                         : mlirIntegerAttrGetValueInt(attr);
  return *value >= 0;
}

static MlirLogicalResult getTolerance(MlirOperation op, MlirStringRef target,
                                      XlaElementType type,
                                      XlaTolerance *tolerance) {
  *tolerance = xlaToleranceDefault(type);
  if (is(target, "check.expect_eq")) {
    *tolerance = (XlaTolerance){.relative = 0};
    return mlirLogicalResultSuccess();
  }
  MlirAttribute stated = getEntry(op, "tolerance");
  if (is(target, "check.expect_almost_eq"))
    tolerance->absolute = tolerance->relative / 100;
  if (!mlirAttributeIsNull(stated)) {
    if (!mlirAttributeIsAFloat(stated))
      return xlaOpInvalid(op, NULL, "has a tolerance that is no float");
    tolerance->relative = mlirFloatAttrGetValueDouble(stated);
    tolerance->absolute = tolerance->relative;
  }
  bool least = !mlirAttributeIsNull(getEntry(op, "min_ulp_difference"));
  bool most = !mlirAttributeIsNull(getEntry(op, "max_ulp_difference"));
  tolerance->ulpsOnly = least || most;
  tolerance->maxUlps = is(target, "check.expect_close") ? 3 : 0;
  if (!readUlps(op, "min_ulp_difference", &tolerance->minUlps) ||
      !readUlps(op, "max_ulp_difference", &tolerance->maxUlps))
    return xlaOpInvalid(op, NULL,
                        "has an ulp difference that is no integer of "
                        "at least 0");
  return mlirLogicalResultSuccess();
}

static bool isCheck(MlirStringRef target) {
  return is(target, "check.expect_eq") ||
         is(target, "check.expect_almost_eq") ||
         is(target, "check.expect_close");
}

static MlirLogicalResult unknownTarget(const XlaRun *run, MlirOperation op,
                                       MlirStringRef target) {
  bool begins = target.length >= 5 && !memcmp(target.data, "check", 5);
  return xlaOpUnsupported(
      op, NULL, "calls \"%.*s\", which has no implementation%s",
      (int)target.length, target.data,
      begins ? "; the checks are check.expect_eq, "
               "check.expect_almost_eq and check.expect_close"
      : xlaCallIsLapack(target)
          ? "; a library of --custom-calls may have it, and " XLA_LAPACK_HINT
      : run->nLibraries ? "; no library of --custom-calls has it"
                        : "; --custom-calls names libraries of functions");
}

/// Each has a context of its own.
const XlaProgram *xlaRunProgramOf(const XlaRun *run, MlirOperation op) {
  MlirContext context = mlirOperationGetContext(op);
  for (int i = 0; i < run->nOthers; ++i)
    if (mlirContextEqual(run->others[i]->context, context))
      return run->others[i];
  return &run->program;
}

/// What JAX marks the sharding of a value with.
static bool isIdentity(MlirStringRef target, intptr_t nOperands,
                       intptr_t nResults) {
  return is(target, "Sharding") && nOperands == 1 && nResults == 1;
}

/// interpreter.print: its operands, a line each.
static MlirLogicalResult printOperands(XlaRun *run, MlirOperation op,
                                       intptr_t n,
                                       const XlaLiteral *const *operands) {
  for (intptr_t i = 0; i < n; ++i)
    if (xlaLiteralGetKind(operands[i]) != XlaLiteralKindArray)
      return xlaOpInvalid(op, NULL, "prints operand %lld, which is no array",
                          (long long)i);
  pthread_mutex_lock(&run->mutex);
  for (intptr_t i = 0; i < n; ++i) {
    printf("print ");
    xlaValuePrint(operands[i], run->options.call.printsAll, stdout);
    putchar('\n');
  }
  pthread_mutex_unlock(&run->mutex);
  return mlirLogicalResultSuccess();
}

static MlirLogicalResult runOther(XlaRun *run, MlirOperation op,
                                  MlirStringRef target, intptr_t nOperands,
                                  const XlaLiteral *const *operands,
                                  intptr_t nResults, XlaLiteral **results) {
  if (is(target, "interpreter.run_parallel"))
    return xlaRunParallel(run, op, nOperands, operands, nResults, results);
  if (is(target, "interpreter.print") && !nResults)
    return printOperands(run, op, nOperands, operands);
  for (int i = 0; i < run->nLibraries; ++i)
    if (xlaForeignLibraryHas(run->libraries[i], target))
      return xlaForeignLibraryCall(op, target, nOperands, operands, nResults,
                                   results, run->libraries[i]);
  if (!isIdentity(target, nOperands, nResults))
    return unknownTarget(run, op, target);
  results[0] = xlaLiteralRetain(operands[0]);
  return mlirLogicalResultSuccess();
}

XlaToolCode xlaRunOpenLibraries(XlaRun *run) {
  const XlaToolValues *paths = &run->options.customCalls;
  run->libraries = calloc((size_t)paths->count + 1, sizeof *run->libraries);
  if (!run->libraries)
    return xlaToolError(XlaToolCodeRefused, "out of memory");
  for (int i = 0; i < paths->count; ++i) {
    char why[512];
    run->libraries[i] = xlaForeignLibraryOpen(paths->items[i], why);
    if (!run->libraries[i])
      return xlaToolError(XlaToolCodeWrong, "--custom-calls=%s: %s",
                          paths->items[i], why);
    ++run->nLibraries;
  }
  return XlaToolCodeOk;
}

void xlaRunCloseLibraries(XlaRun *run) {
  for (int i = 0; i < run->nLibraries; ++i)
    xlaForeignLibraryClose(run->libraries[i]);
  free(run->libraries);
  run->libraries = NULL;
  run->nLibraries = 0;
}

MlirLogicalResult xlaRunCustomCall(MlirOperation op, MlirStringRef target,
                                   intptr_t nOperands,
                                   const XlaLiteral *const *operands,
                                   intptr_t nResults, XlaLiteral **results,
                                   void *userData) {
  XlaRun *run = userData;
  XlaTolerance tolerance;
  XlaDifference difference;
  if (!isCheck(target))
    return runOther(run, op, target, nOperands, operands, nResults, results);
  if (nOperands != 2 || nResults != 0 ||
      xlaLiteralGetKind(operands[0]) != XlaLiteralKindArray ||
      xlaLiteralGetKind(operands[1]) != XlaLiteralKindArray)
    return xlaOpInvalid(op, NULL, "does not compare two arrays");
  const XlaShape *got = xlaLiteralGetShape(operands[0]);
  const XlaShape *expected = xlaLiteralGetShape(operands[1]);
  if (got->elementType != expected->elementType ||
      !xlaShapeDimsEqual(got, expected))
    return xlaOpInvalid(op, NULL, "compares %s with %s", XLA_SHAPE_TEXT(got),
                        XLA_SHAPE_TEXT(expected));
  if (mlirLogicalResultIsFailure(
          getTolerance(op, target, got->elementType, &tolerance)))
    return mlirLogicalResultFailure();
  if (xlaValueCompare(operands[0], operands[1], &tolerance, &difference))
    return mlirLogicalResultSuccess();
  pthread_mutex_lock(&run->mutex);
  ++run->checksFailed;
  xlaDiagnosticsPrintLocation(xlaRunProgramOf(run, op),
                              mlirOperationGetLocation(op));
  fprintf(stderr, "%.*s: %s\n", (int)target.length, target.data,
          XLA_DIFFERENCE_TEXT(&difference, operands[0], operands[1]));
  pthread_mutex_unlock(&run->mutex);
  return mlirLogicalResultSuccess();
}

MlirLogicalResult xlaRunIgnoreCheck(MlirOperation op, MlirStringRef target,
                                    intptr_t nOperands,
                                    const XlaLiteral *const *operands,
                                    intptr_t nResults, XlaLiteral **results,
                                    void *userData) {
  if (isCheck(target) && !nResults)
    return mlirLogicalResultSuccess();
  return xlaRunCustomCall(op, target, nOperands, operands, nResults, results,
                          userData);
}
