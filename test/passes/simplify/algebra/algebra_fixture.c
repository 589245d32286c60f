//===- algebra_fixture.c - Programs before and after rules ----------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/test/passes/simplify/algebra/algebra_fixture.h"

#include "mlir-c/RegisterEverything.h"
#include "xlac/dialect/dialect.h"
#include "xlac/dialect/interpret/evaluator.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int algebraSetUp(void **state) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  xlaDialectRegister(registry);
  MlirContext *context = malloc(sizeof *context);
  assert_non_null(context);
  *context = mlirContextCreateWithRegistry(registry, false);
  mlirDialectRegistryDestroy(registry);
  mlirContextGetOrLoadDialect(*context, mlirStringRefCreateFromCString("func"));
  mlirContextGetOrLoadDialect(*context, mlirStringRefCreateFromCString("xla"));
  *state = context;
  return 0;
}

int algebraTearDown(void **state) {
  MlirContext *context = *state;
  mlirContextDestroy(*context);
  free(context);
  return 0;
}

/// splitmix64.
static uint64_t next(uint64_t *random) {
  uint64_t z = *random += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}

static double specialFloat(const XlaElementTypeInfo *info, uint64_t choice) {
  double least = ldexp(1, 1 - info->bias - info->mantissaBits);
  double most = ldexp(2 - ldexp(1, -info->mantissaBits),
                      (1 << info->exponentBits) - 2 - info->bias);
  const double values[] = {0,     1,    2,   3,
                           0.5,   1.5,  2.5, INFINITY,
                           least, most, NAN, ldexp(1, 1 - info->bias)};
  double value = values[choice % (sizeof values / sizeof *values)];
  return choice >> 8 & 1 ? -value : value;
}

static XlaScalar specialInteger(const XlaElementTypeInfo *info,
                                uint64_t choice) {
  uint64_t top = UINT64_C(1) << (info->bits - 1);
  const uint64_t values[] = {0, 1, 2, 3, top, top - 1, (uint64_t)info->bits, 8};
  uint64_t value = values[choice % (sizeof values / sizeof *values)];
  return (XlaScalar){.u = choice >> 8 & 1 ? 0 - value : value};
}

XlaScalar algebraElement(XlaElementType type, uint64_t *random) {
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(type);
  uint64_t choice = next(random), bits[2] = {next(random), next(random)};
  bool isFloat = info->typeClass == XlaTypeClassFloat ||
                 info->typeClass == XlaTypeClassComplex;
  if (type == XlaElementTypePred)
    return (XlaScalar){.u = choice & 1};
  if (choice >> 60 < 8 && !isFloat)
    return xlaScalarRound(type, specialInteger(info, choice));
  if (choice >> 60 < 8)
    return xlaScalarRound(type,
                          (XlaScalar){.f = {specialFloat(info, choice),
                                            specialFloat(info, choice >> 16)}});
  if (!isFloat || info->bits > 8)
    return xlaScalarLoad(type, bits);
  return (XlaScalar){
      .f = {xlaFloatDecode(info, (uint32_t)bits[0] &
                                     ((UINT32_C(1) << info->bits) - 1)),
            0}};
}

int64_t algebraDifference(const XlaLiteral *a, const XlaLiteral *b) {
  const XlaShape *s = xlaLiteralGetShape(a), *t = xlaLiteralGetShape(b);
  assert_int_equal(s->elementType, t->elementType);
  assert_true(xlaShapeDimsEqual(s, t));
  for (int64_t i = 0; i < xlaLiteralGetElementCount(a); ++i)
    if (!xlaAlgebraSame(s->elementType, xlaLiteralGet(a, i),
                        xlaLiteralGet(b, i)))
      return i;
  return -1;
}

bool algebraEvaluate(MlirOperation module, MlirStringRef name, intptr_t nInputs,
                     XlaLiteral *const *inputs, intptr_t nResults,
                     XlaLiteral **results) {
  XlaEvaluatorOptions options = {.maxBytes = 0};
  XlaEvaluator *evaluator = xlaEvaluatorCreate(module, &options);
  MlirOperation function = xlaEvaluatorLookup(evaluator, name);
  MlirLogicalResult result =
      xlaEvaluatorRun(evaluator, function, nInputs,
                      (const XlaLiteral *const *)inputs, nResults, results);
  xlaEvaluatorDestroy(evaluator);
  return mlirLogicalResultIsSuccess(result);
}

static XlaLiteral *randomInput(MlirType type, uint64_t *random) {
  if (mlirTypeIsATuple(type)) {
    XlaLiteral *elements[4];
    intptr_t n = mlirTupleTypeGetNumTypes(type);
    assert_true(n <= 4);
    for (intptr_t i = 0; i < n; ++i)
      elements[i] = randomInput(mlirTupleTypeGetType(type, i), random);
    return xlaLiteralTakeTuple(n, elements);
  }
  XlaShape shape;
  assert_true(xlaShapeFromMlir(type, &shape, NULL));
  XlaLiteral *literal = xlaLiteralCreateArray(&shape);
  assert_non_null(literal);
  for (int64_t i = 0; i < xlaLiteralGetElementCount(literal); ++i)
    xlaLiteralSet(literal, i, algebraElement(shape.elementType, random));
  return literal;
}

void algebraCompare(MlirOperation before, MlirOperation after,
                    MlirOperation function, uint64_t seed) {
  enum { most = 8 };
  XlaLiteral *inputs[most], *expected[most], *results[most];
  MlirStringRef name =
      mlirStringAttrGetValue(xlaOpGetAttr(function, "sym_name"));
  MlirType type = mlirTypeAttrGetValue(xlaOpGetAttr(function, "function_type"));
  intptr_t nInputs = mlirFunctionTypeGetNumInputs(type),
           nResults = mlirFunctionTypeGetNumResults(type);
  assert_true(nInputs <= most && nResults <= most);
  uint64_t random = seed;
  for (intptr_t i = 0; i < nInputs; ++i)
    inputs[i] = randomInput(mlirFunctionTypeGetInput(type, i), &random);
  assert_true(
      algebraEvaluate(before, name, nInputs, inputs, nResults, expected));
  assert_true(algebraEvaluate(after, name, nInputs, inputs, nResults, results));
  for (intptr_t i = 0; i < nResults; ++i) {
    int64_t at = algebraDifference(expected[i], results[i]);
    if (at >= 0)
      fail_msg("@%.*s: result %lld differs at %lld, seed %llu",
               (int)name.length, name.data, (long long)i, (long long)at,
               (unsigned long long)seed);
    xlaLiteralRelease(expected[i]);
    xlaLiteralRelease(results[i]);
  }
  for (intptr_t i = 0; i < nInputs; ++i)
    xlaLiteralRelease(inputs[i]);
}
