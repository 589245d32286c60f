//===- expand_test.c - Formulas of elementwise operations -----------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every row of expand.def is evaluated beside the operation that it stands for:
// on all values of types of up to 16 bits, on special and random ones of
// others. The results differ by as many units in the last place as the row
// says, in types that are computed in f32 by one; signs of zero agree, but not
// NaN's bits.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/expand/expand.h"
#include "xlac/test/passes/simplify/algebra/algebra_fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void appendType(char *text, size_t size, int64_t n,
                       XlaElementType type) {
  size_t used = strlen(text);
  snprintf(text + used, size - used, "tensor<%lldx%s>", (long long)n,
           xlaElementTypeGetInfo(type)->mlirName);
}

/// A function that applies `kind` to arguments of `type`; null if that is no
/// valid program.
static MlirModule makeModule(MlirContext context, XlaOpKind kind,
                             XlaElementType type, int64_t n) {
  static const char *const names[] = {"%x", "%y", "%z"};
  const XlaOpInfo *info = xlaOpGetInfo(kind);
  XlaElementType result = kind == XlaOpKindIsFinite ? XlaElementTypePred : type;
  char arguments[400] = "", operands[400] = "", types[400] = "", to[100] = "";
  char text[2000];
  for (int i = 0; i < info->maxOperands; ++i) {
    const char *comma = i ? ", " : "";
    size_t used = strlen(arguments);
    snprintf(arguments + used, sizeof arguments - used, "%s%s: ", comma,
             names[i]);
    appendType(arguments, sizeof arguments, n, type);
    used = strlen(operands);
    snprintf(operands + used, sizeof operands - used, "%s%s", comma, names[i]);
    used = strlen(types);
    snprintf(types + used, sizeof types - used, "%s", comma);
    appendType(types, sizeof types, n, type);
  }
  appendType(to, sizeof to, n, result);
  snprintf(text, sizeof text,
           "func.func @main(%s) -> %s {\n"
           "  %%0 = xla.%s %s : (%s) -> %s\n"
           "  return %%0 : %s\n}\n",
           arguments, to, info->name, operands, types, to, to);
  return mlirModuleCreateParse(context, mlirStringRefCreateFromCString(text));
}

static XlaLiteral *makeInput(XlaElementType type, int k, int64_t n) {
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(type);
  XlaShape shape = {.elementType = type, .rank = 1, .dims = {n}};
  XlaLiteral *literal = xlaLiteralCreateArray(&shape);
  assert_non_null(literal);
  uint64_t random = (uint64_t)k + 1;
  for (int64_t i = 0; i < n; ++i) {
    XlaScalar value = algebraElement(type, &random);
    if (!k && info->bits <= 16 && xlaElementTypeIsFloat(type))
      value.f.re = xlaFloatDecode(info, (uint32_t)i);
    else if (i % 2 && info->bits >= 32 && xlaElementTypeIsFloat(type))
      value.f.re = fmod(value.f.re, 100); // where functions are not constant
    xlaLiteralSet(literal, i, xlaScalarRound(type, value));
  }
  return literal;
}

/// In units in the last place of `a`; infinite if one alone is NaN or infinite
/// or signs differ.
static double distance(XlaElementType type, XlaScalar a, XlaScalar b) {
  if (xlaAlgebraSame(type, a, b))
    return 0;
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(type);
  if (!xlaElementTypeIsFloat(type) || !isfinite(a.f.re) || !isfinite(b.f.re) ||
      (signbit(a.f.re) != signbit(b.f.re)))
    return INFINITY;
  int exponent;
  frexp(a.f.re, &exponent);
  int least = 2 - info->bias;
  exponent = exponent < least || a.f.re == 0 ? least : exponent;
  return fabs(a.f.re - b.f.re) / ldexp(1, exponent - 1 - info->mantissaBits);
}

static void checkType(MlirContext context, const XlaExpansion *row,
                      XlaElementType type) {
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(type);
  MlirStringRef main = mlirStringRefCreateFromCString("main");
  int64_t n = info->bits <= 16 && info->typeClass == XlaTypeClassFloat
                  ? INT64_C(1) << info->bits
                  : 20000;
  XlaLiteral *inputs[3], *expected, *result;
  MlirModule module = makeModule(context, row->kind, type, n);
  assert_false(mlirModuleIsNull(module));
  MlirOperation before = mlirModuleGetOperation(module),
                after = mlirOperationClone(before);
  bool wanted[XlaOpKindCount] = {false};
  wanted[row->kind] = true;
  assert_true(mlirLogicalResultIsSuccess(xlaExpandKinds(after, wanted)));
  assert_true(mlirOperationVerify(after));
  intptr_t nInputs = xlaOpGetInfo(row->kind)->maxOperands;
  for (int i = 0; i < nInputs; ++i)
    inputs[i] = makeInput(type, i, n);
  assert_true(algebraEvaluate(before, main, nInputs, inputs, 1, &expected));
  assert_true(algebraEvaluate(after, main, nInputs, inputs, 1, &result));
  double most = 0;
  int64_t at = 0;
  for (int64_t i = 0; i < n; ++i) {
    double d = distance(xlaLiteralGetShape(expected)->elementType,
                        xlaLiteralGet(expected, i), xlaLiteralGet(result, i));
    if (d > most) {
      most = d;
      at = i;
    }
  }
  int allowed = row->units && info->bits < 32 ? 1 : row->units;
  if (most > allowed)
    fail_msg("%s on %s: %g units at element %lld, x = %g: %g, not %g",
             xlaOpGetInfo(row->kind)->name, info->name, most, (long long)at,
             xlaLiteralGet(inputs[0], at).f.re, xlaLiteralGet(result, at).f.re,
             xlaLiteralGet(expected, at).f.re);
  if (most > 0 && info->bits >= 32)
    printf("%s on %s: %g units\n", xlaOpGetInfo(row->kind)->name, info->name,
           most);
  for (int i = 0; i < nInputs; ++i)
    xlaLiteralRelease(inputs[i]);
  xlaLiteralRelease(expected);
  xlaLiteralRelease(result);
  mlirOperationDestroy(after);
  mlirModuleDestroy(module);
}

static void testFormulas(void **state) {
  MlirContext *context = *state;
  int nChecked = 0;
  for (XlaOpKind kind = XlaOpKindInvalid + 1; kind < XlaOpKindCount; ++kind)
    for (int type = 1; type < XlaElementTypeCount; ++type) {
      XlaElementType element = (XlaElementType)type;
      const XlaExpansion *row = xlaExpansionFind(kind, element);
      if (!row || !(xlaOpGetInfo(kind)->typeClasses &
                    xlaElementTypeGetInfo(element)->typeClass))
        continue;
      checkType(*context, row, element);
      ++nChecked;
    }
  printf("%d types of operations\n", nChecked);
  assert_true(nChecked > 100);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(testFormulas),
  };
  return cmocka_run_group_tests(tests, algebraSetUp, algebraTearDown);
}
