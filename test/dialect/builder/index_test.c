//===- index_test.c - Building scatters and sorts -------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/test/dialect/builder/builder_fixture.h"

//===----------------------------------------------------------------------===//
// Scatter
//===----------------------------------------------------------------------===//

static const int64_t zero[] = {0}, one[] = {1};
/// Whole rows, at places along dimension 0.
static const XlaScatterDimensionNumbers rows = {.updateWindowDims = one,
                                                .nUpdateWindowDims = 1,
                                                .insertedWindowDims = zero,
                                                .nInsertedWindowDims = 1,
                                                .scatterDimsToOperandDims =
                                                    zero,
                                                .nScatterDimsToOperandDims = 1,
                                                .indexVectorDim = 1};

static void scatters(void **state) {
  (void)state;
  XlaComputation *sum = builderSum(XlaElementTypeF32);
  for (int promises = 0; promises < 2; ++promises) {
    XlaBuilder *b = builderNew("rows");
    XlaOp x = xlaBuilderIota(b, XLA_SHAPE(F32, 3, 2), 0);
    XlaOp at = xlaBuilderConstantR1S32(b, (const int32_t[]){0, 2, 9}, 3);
    XlaOp rest = xlaBuilderConstantR2F32(
        b, (const float[]){10, 20, 30, 40, 50, 60}, 3, 2);
    x = xlaBuilderScatter(b, &x, 1, at, &rest, sum, &rows, promises, promises);
    builderExpect(b, x, XLA_SHAPE(F32, 3, 2), VALUES(10, 20, 1, 1, 32, 42));
  }
  XlaBuilder *b = builderNew("no numbers");
  XlaOp x = xlaBuilderIota(b, XLA_SHAPE(F32, 3, 2), 0);
  xlaBuilderScatter(b, &x, 1, x, &x, sum, NULL, false, false);
  builderExpectError(b, "the dimension numbers are NULL");
  b = builderNew("no integers");
  x = xlaBuilderIota(b, XLA_SHAPE(F32, 3), 0);
  xlaBuilderScatter(b, &x, 1, x, &x, sum, &rows, false, false);
  builderExpectError(b, "[scatter_i2]");
  b = builderNew("nothing");
  x = xlaBuilderIota(b, XLA_SHAPE(S32, 3), 0);
  xlaBuilderScatter(b, NULL, 0, x, NULL, sum, &rows, false, false);
  builderExpectError(b, "[arity]");
  xlaComputationRelease(sum);
}

/// Two arrays at once: the newer values, and how often.
static void severalArrays(void **state) {
  (void)state;
  XlaBuilder *b = builderNew("both");
  XlaOp p[4];
  for (int i = 0; i < 4; ++i)
    p[i] = xlaBuilderParameter(b, i, i % 2 ? XLA_SHAPE(S32) : XLA_SHAPE(F32),
                               NULL);
  XlaOp count = xlaBuilderAdd(b, p[1], p[3], NULL, 0);
  XlaComputation *both =
      builderEnd(b, xlaBuilderTuple(b, XLA_OPS(p[2], count)));
  for (int64_t part = 0; part < 2; ++part) {
    b = builderNew("scatter");
    XlaOp arrays[] = {xlaBuilderIota(b, XLA_SHAPE(F32, 2, 1), 0),
                      xlaBuilderIota(b, XLA_SHAPE(S32, 2, 1), 0)};
    XlaOp at = xlaBuilderConstantR1S32(b, (const int32_t[]){1, 1}, 2);
    XlaOp updates[] = {
        xlaBuilderConstantR2F32(b, (const float[]){7, 7}, 2, 1),
        xlaBuilderConstantR2S32(b, (const int32_t[]){1, 1}, 2, 1)};
    XlaOp all =
        xlaBuilderScatter(b, arrays, 2, at, updates, both, &rows, true, false);
    XlaOp y = xlaBuilderGetTupleElement(b, all, part);
    builderExpect(b, y, part ? XLA_SHAPE(S32, 2, 1) : XLA_SHAPE(F32, 2, 1),
                  part ? VALUES(0, 3) : VALUES(0, 7));
  }
  xlaComputationRelease(both);
}

//===----------------------------------------------------------------------===//
// Sort
//===----------------------------------------------------------------------===//

/// Compares the first of `n` operands, as f32, s32 and f64.
static XlaComputation *comparator(intptr_t n, bool descending) {
  static const XlaElementType types[] = {XlaElementTypeF32, XlaElementTypeS32,
                                         XlaElementTypeF64};
  XlaBuilder *b = builderNew("comparator");
  XlaOp p[6];
  for (intptr_t i = 0; i < 2 * n; ++i) {
    XlaShape scalar = {.elementType = types[i / 2]};
    p[i] = xlaBuilderParameter(b, i, &scalar, NULL);
  }
  return builderEnd(b, descending ? xlaBuilderGt(b, p[0], p[1], NULL, 0)
                                  : xlaBuilderLt(b, p[0], p[1], NULL, 0));
}

/// 000: Sort, the printed example of three operands.
static void printedSort(void **state) {
  (void)state;
  XlaComputation *less = comparator(3, false);
  static const double expected[3][2] = {{1, 3}, {50, 42}, {1.1, -3}};
  for (int64_t part = 0; part < 3; ++part) {
    XlaBuilder *b = builderNew("sort");
    XlaOp operands[] = {
        xlaBuilderConstantR1F32(b, (const float[]){3, 1}, 2),
        xlaBuilderConstantR1S32(b, (const int32_t[]){42, 50}, 2),
        xlaBuilderConstantR1F64(b, (const double[]){-3, 1.1}, 2)};
    XlaOp all = xlaBuilderSort(b, operands, 3, less, 0, true);
    builderExpect(b, xlaBuilderGetTupleElement(b, all, part),
                  part == 0   ? XLA_SHAPE(F32, 2)
                  : part == 1 ? XLA_SHAPE(S32, 2)
                              : XLA_SHAPE(F64, 2),
                  expected[part]);
  }
  xlaComputationRelease(less);
}

static void sortsOfOneOperand(void **state) {
  (void)state;
  const float values[] = {3, 1, 2, 0, 5, 4};
  XlaComputation *greater = comparator(1, true);
  XlaBuilder *b = builderNew("descending columns");
  XlaOp x = xlaBuilderConstantR2F32(b, values, 2, 3);
  builderExpect(b, xlaBuilderSort(b, &x, 1, greater, 0, false),
                XLA_SHAPE(F32, 2, 3), VALUES(3, 5, 4, 0, 1, 2));
  b = builderNew("the older form, rows");
  x = xlaBuilderConstantR2F32(b, values, 2, 3);
  builderExpect(b, xlaBuilderSort(b, &x, 1, NULL, -1, false),
                XLA_SHAPE(F32, 2, 3), VALUES(1, 2, 3, 0, 4, 5));
  b = builderNew("the two largest of each row");
  x = xlaBuilderConstantR2F32(b, values, 2, 3);
  builderExpect(b, xlaBuilderGetTupleElement(b, xlaBuilderTopK(b, x, 2), 0),
                XLA_SHAPE(F32, 2, 2), VALUES(3, 2, 5, 4));
  b = builderNew("their positions");
  x = xlaBuilderConstantR2F32(b, values, 2, 3);
  builderExpect(b, xlaBuilderGetTupleElement(b, xlaBuilderTopK(b, x, 2), 1),
                XLA_SHAPE(S32, 2, 2), VALUES(0, 2, 1, 2));
  b = builderNew("more than there are");
  x = xlaBuilderConstantR2F32(b, values, 2, 3);
  xlaBuilderTopK(b, x, 4);
  builderExpectError(b, "[top_k_c2]");
  b = builderNew("no such dimension");
  x = xlaBuilderConstantR2F32(b, values, 2, 3);
  xlaBuilderSort(b, &x, 1, greater, 2, false);
  builderExpectError(b, "[sort_c4]");
  b = builderNew("other elements");
  x = xlaBuilderIota(b, XLA_SHAPE(S32, 2), 0);
  xlaBuilderSort(b, &x, 1, greater, 0, false);
  builderExpectError(b, "[sort_c5]");
  b = builderNew("two without");
  x = xlaBuilderIota(b, XLA_SHAPE(S32, 2), 0);
  xlaBuilderSort(b, XLA_OPS(x, x), NULL, 0, false);
  builderExpectError(b, "[sort_c5]");
  xlaComputationRelease(greater);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(scatters),
      cmocka_unit_test(severalArrays),
      cmocka_unit_test(printedSort),
      cmocka_unit_test(sortsOfOneOperand),
  };
  return cmocka_run_group_tests(tests, builderSetUp, builderTearDown);
}
