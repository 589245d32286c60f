//===- physical_test.c - Maps of arrays in memory -------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Against the functions of layout.h, and bitcasts against their steps.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/dialect.h"
#include "xlac/dialect/indexing/physical.h"
#include "xlac/dialect/interpret/evaluator.h"
#include "xlac/dialect/ir.h"

#include "mlir-c/RegisterEverything.h"

#include "xlac/test/support/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static MlirContext context;

static MlirType parseType(const char *text) {
  MlirType type =
      mlirTypeParseGet(context, mlirStringRefCreateFromCString(text));
  assert_false(mlirTypeIsNull(type));
  return type;
}

#define LAYOUT(list) ", #xla.array<minor_to_major = " list ">>"

static const char *const types[] = {
    "tensor<f32>",
    "tensor<5xf32>",
    "tensor<2x3xf32" LAYOUT("[0, 1]"),
    "tensor<2x3x4xf32" LAYOUT("[1, 2, 0]"),
    "tensor<1x3x1x2xi8" LAYOUT("[0, 3, 2, 1]"),
    "tensor<2x3xf32, #xla.array<padded_dimensions = [4, 3]>>",
    ("tensor<2x3x2xi16, #xla.array<minor_to_major = [2, 0, 1], "
     "padded_dimensions = [2, 5, 8]>>"),
};

//===----------------------------------------------------------------------===//
// Permutations
//===----------------------------------------------------------------------===//

/// Goes over memory from its first to its last element.
static void checkLayout(const char *text) {
  MlirType type = parseType(text);
  XlaShape shape;
  XlaLayout layout = xlaLayoutFromMlir(type);
  int64_t physical[XLA_MAX_RANK], sizes[XLA_MAX_RANK], logical[XLA_MAX_RANK],
      mapped[XLA_MAX_RANK];
  assert_true(xlaShapeFromMlir(type, &shape, NULL));
  size_t bytes = (size_t)shape.rank * sizeof *mapped;
  XlaIndexingMap *from =
                     xlaLayoutGetPhysicalToLogical(context, &shape, &layout),
                 *to = xlaLayoutGetLogicalToPhysical(context, &shape, &layout);
  assert_non_null(from);
  assert_non_null(to);
  for (int i = 0; i < shape.rank; ++i) {
    int64_t d = layout.minorToMajor[shape.rank - 1 - i];
    sizes[i] = layout.padded ? layout.paddedDimensions[d] : shape.dims[d];
  }
  for (int64_t at = 0; at < xlaLayoutGetImageCount(&layout, &shape); ++at) {
    xlaIndexFromLinear(at, sizes, shape.rank, physical);
    bool isElement = xlaIndexLinearToMulti(&layout, &shape, at, logical);
    assert_int_equal(xlaIndexingMapIsDefinedAt(from, physical, NULL),
                     isElement);
    if (!isElement)
      continue;
    assert_true(xlaIndexingMapEvaluate(from, physical, NULL, mapped));
    assert_memory_equal(mapped, logical, bytes);
    assert_true(xlaIndexingMapIsDefinedAt(to, logical, NULL));
    assert_true(xlaIndexingMapEvaluate(to, logical, NULL, mapped));
    assert_memory_equal(mapped, physical, bytes);
  }
  xlaIndexingMapRelease(from);
  xlaIndexingMapRelease(to);
}

static void permutations(void **state) {
  for (size_t i = 0; i < sizeof types / sizeof *types; ++i)
    checkLayout(types[i]);
}

//===----------------------------------------------------------------------===//
// Bitcasts
//===----------------------------------------------------------------------===//

static void put(XlaIrText *text, const char *part) {
  xlaIrTextAppend(mlirStringRefCreateFromCString(part), text);
}

static void putList(XlaIrText *text, const int64_t *values, int n,
                    const char *between) {
  char number[32];
  for (int i = 0; i < n; ++i) {
    snprintf(number, sizeof number, "%s%lld", i ? between : "",
             (long long)values[i]);
    put(text, number);
  }
}

static void putType(XlaIrText *text, const int64_t *sizes, int n,
                    const char *element) {
  put(text, "tensor<");
  putList(text, sizes, n, "x");
  put(text, n ? "x" : "");
  put(text, element);
  put(text, ">");
}

/// The bitcast, and its steps, as two functions.
static MlirModule writeProgram(const char *from, const char *to,
                               const char *element,
                               const XlaBitcastSteps *steps) {
  XlaIrText text = {0};
  int64_t result[XLA_MAX_RANK];
  for (int i = 0; i < steps->resultRank; ++i)
    result[i] = steps->resultSizes[steps->resultPermutation[i]];
  put(&text, "func.func @bitcast(%x: ");
  put(&text, from);
  put(&text, ") -> ");
  put(&text, to);
  put(&text, " {\n%0 = xla.bitcast %x : (");
  put(&text, from);
  put(&text, ") -> ");
  put(&text, to);
  put(&text, "\nreturn %0 : ");
  put(&text, to);
  put(&text, "\n}\nfunc.func @steps(%x: ");
  put(&text, from);
  put(&text, ") -> ");
  putType(&text, result, steps->resultRank, element);
  put(&text, " {\n%0 = xla.transpose %x {permutation = [");
  putList(&text, steps->operandPermutation, steps->operandRank, ", ");
  put(&text, "]} : (");
  put(&text, from);
  put(&text, ") -> ");
  putType(&text, steps->operandSizes, steps->operandRank, element);
  put(&text, "\n%1 = xla.reshape %0 : (");
  putType(&text, steps->operandSizes, steps->operandRank, element);
  put(&text, ") -> ");
  putType(&text, steps->resultSizes, steps->resultRank, element);
  put(&text, "\n%2 = xla.transpose %1 {permutation = [");
  putList(&text, steps->resultPermutation, steps->resultRank, ", ");
  put(&text, "]} : (");
  putType(&text, steps->resultSizes, steps->resultRank, element);
  put(&text, ") -> ");
  putType(&text, result, steps->resultRank, element);
  put(&text, "\nreturn %2 : ");
  putType(&text, result, steps->resultRank, element);
  put(&text, "\n}\n");
  MlirModule module =
      mlirModuleCreateParse(context, mlirStringRefCreate(text.data, text.size));
  if (mlirModuleIsNull(module))
    fail_msg("%.*s", (int)text.size, text.data);
  free(text.data);
  return module;
}

static void checkBitcast(const char *from, const char *to,
                         const char *element) {
  XlaBitcastSteps steps;
  XlaShape shape;
  assert_true(xlaBitcastDecompose(parseType(from), parseType(to), &steps));
  MlirModule module = writeProgram(from, to, element, &steps);
  XlaEvaluatorOptions options = {0};
  XlaEvaluator *evaluator =
      xlaEvaluatorCreate(mlirModuleGetOperation(module), &options);
  static const char *const names[] = {"bitcast", "steps"};
  XlaLiteral *results[2];
  assert_true(xlaShapeFromMlir(parseType(from), &shape, NULL));
  XlaLiteral *input = xlaLiteralCreateArray(&shape);
  for (int64_t i = 0; i < xlaLiteralGetElementCount(input); ++i)
    xlaLiteralSet(input, i, (XlaScalar){.f = {(double)i + 1, 0}});
  for (int i = 0; i < 2; ++i) {
    MlirOperation function =
        xlaEvaluatorLookup(evaluator, mlirStringRefCreateFromCString(names[i]));
    const XlaLiteral *inputs[] = {input};
    assert_true(mlirLogicalResultIsSuccess(
        xlaEvaluatorRun(evaluator, function, 1, inputs, 1, &results[i])));
  }
  assert_true(xlaShapeDimsEqual(xlaLiteralGetShape(results[0]),
                                xlaLiteralGetShape(results[1])));
  assert_memory_equal(xlaLiteralGetData(results[0]),
                      xlaLiteralGetData(results[1]),
                      xlaLiteralGetByteCount(input));
  for (int i = 0; i < 2; ++i)
    xlaLiteralRelease(results[i]);
  xlaLiteralRelease(input);
  xlaEvaluatorDestroy(evaluator);
  mlirModuleDestroy(module);
}

static void bitcasts(void **state) {
  static const char *const arrays[] = {
      "tensor<2x3x4xf32>",
      "tensor<24xf32>",
      "tensor<4x6xf32" LAYOUT("[0, 1]"),
      "tensor<3x2x4xf32" LAYOUT("[1, 0, 2]"),
      "tensor<6x1x4xf32" LAYOUT("[2, 0, 1]"),
  };
  enum { n = sizeof arrays / sizeof *arrays };
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k)
      checkBitcast(arrays[i], arrays[k], "f32");
  checkBitcast("tensor<f32>", "tensor<1x1xf32" LAYOUT("[0, 1]"), "f32");
}

/// Padding, and elements of other widths, are no matter of dimensions.
static void noSteps(void **state) {
  XlaBitcastSteps steps;
  assert_false(xlaBitcastDecompose(
      parseType("tensor<2x3xf32, #xla.array<padded_dimensions = [4, 3]>>"),
      parseType("tensor<12xf32>"), &steps));
  assert_false(xlaBitcastDecompose(parseType("tensor<4xf32>"),
                                   parseType("tensor<2xf64>"), &steps));
  assert_false(xlaBitcastDecompose(parseType("tensor<?xf32>"),
                                   parseType("tensor<2xf32>"), &steps));
}

static int setUp(void **state) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  xlaDialectRegister(registry);
  context = mlirContextCreateWithRegistry(registry, /*threadingEnabled=*/false);
  mlirContextLoadAllAvailableDialects(context);
  mlirDialectRegistryDestroy(registry);
  return 0;
}

static int tearDown(void **state) {
  mlirContextDestroy(context);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(permutations),
                                     cmocka_unit_test(bitcasts),
                                     cmocka_unit_test(noSteps)};
  return cmocka_run_group_tests(tests, setUp, tearDown);
}
