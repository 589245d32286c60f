//===- window_test.c - Building operations over windows -------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/test/dialect/builder/builder_fixture.h"

typedef XlaOp (*Combine)(XlaBuilder *b, XlaOp lhs, XlaOp rhs,
                         const int64_t *dimensions, intptr_t n);

static XlaComputation *combination(Combine combine) {
  XlaBuilder *b = builderNew("combine");
  XlaOp y = xlaBuilderParameter(b, 0, XLA_SHAPE(F32), "y");
  XlaOp x = xlaBuilderParameter(b, 1, XLA_SHAPE(F32), "x");
  return builderEnd(b, combine(b, y, x, NULL, 0));
}

/// 000: ReduceWindow, the program of the example: maxima of 2x3 in 4x6.
static void printedMaxima(void **state) {
  (void)state;
  XlaComputation *max = combination(xlaBuilderMax);
  const int64_t sizes[] = {2, 3};
  XlaWindowDimensions window = {.sizes = sizes, .strides = sizes, .n = 2};
  XlaBuilder *b = builderNew("reduce_window_2x3");
  XlaOp input = xlaBuilderReshape(b, xlaBuilderIota(b, XLA_SHAPE(F32, 24), 0),
                                  XLA_INTS(4, 6));
  XlaOp least = xlaBuilderMinValue(b, XlaElementTypeF32);
  XlaOp y = xlaBuilderReduceWindow(b, &input, &least, 1, max, &window,
                                   XlaPaddingValid);
  builderExpect(b, y, XLA_SHAPE(F32, 2, 2), VALUES(8, 11, 20, 23));
  xlaComputationRelease(max);
}

/// 000: the non-trivial example of padding.
static void printedMinima(void **state) {
  (void)state;
  XlaComputation *min = combination(xlaBuilderMin);
  const int64_t three = 3, two = 2, one = 1;
  for (int stride = 1; stride < 3; ++stride)
    for (int same = 0; same < 2; ++same) {
      XlaWindowDimensions window = {
          .sizes = &three, .strides = stride == 2 ? &two : &one, .n = 1};
      XlaBuilder *b = builderNew("minima");
      XlaOp x = xlaBuilderConstantR1F32(
          b, (const float[]){10000, 1000, 100, 10, 1}, 5);
      XlaOp most = xlaBuilderMaxValue(b, XlaElementTypeF32);
      XlaOp y = xlaBuilderReduceWindow(b, &x, &most, 1, min, &window,
                                       same ? XlaPaddingSame : XlaPaddingValid);
      if (stride == 2)
        builderExpect(b, y, same ? XLA_SHAPE(F32, 3) : XLA_SHAPE(F32, 2),
                      same ? VALUES(1000, 10, 1) : VALUES(100, 1));
      else
        builderExpect(b, y, same ? XLA_SHAPE(F32, 5) : XLA_SHAPE(F32, 3),
                      same ? VALUES(1000, 100, 10, 1, 1) : VALUES(100, 10, 1));
    }
  xlaComputationRelease(min);
}

/// An even window pads more behind; dilations count; strides need no padding
/// where windows fit.
static void paddingBySame(void **state) {
  (void)state;
  XlaComputation *sum = builderSum(XlaElementTypeF32);
  const int64_t two = 2, three = 3;
  static const struct {
    int64_t size, stride, base, dilation, count;
    double values[7];
  } rows[] = {
      {2, 1, 1, 1, 4, {3, 5, 7, 4}}, {2, 2, 1, 1, 2, {3, 7}},
      {2, 3, 1, 1, 2, {3, 4}},       {1, 4, 1, 1, 1, {1}},
      {2, 1, 1, 2, 4, {2, 4, 6, 3}}, {2, 1, 2, 1, 7, {1, 2, 2, 3, 3, 4, 4}}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    XlaWindowDimensions window = {&rows[i].size, &rows[i].stride, &rows[i].base,
                                  &rows[i].dilation, 1};
    XlaBuilder *b = builderNew("same");
    XlaOp x = xlaBuilderConstantR1F32(b, (const float[]){1, 2, 3, 4}, 4);
    XlaOp zero = xlaBuilderConstantR0F32(b, 0);
    XlaShape shape = {
        .elementType = XlaElementTypeF32, .rank = 1, .dims = {rows[i].count}};
    XlaOp y =
        xlaBuilderReduceWindow(b, &x, &zero, 1, sum, &window, XlaPaddingSame);
    builderExpect(b, y, &shape, rows[i].values);
  }
  XlaWindowDimensions window = {.sizes = &three, .n = 1};
  XlaBuilder *b = builderNew("empty");
  XlaOp x = xlaBuilderConstantR1F32(b, NULL, 0);
  XlaOp zero = xlaBuilderConstantR0F32(b, 0);
  builderExpect(
      b, xlaBuilderReduceWindow(b, &x, &zero, 1, sum, &window, XlaPaddingSame),
      XLA_SHAPE(F32, 0), NULL);
  window.strides = &two;
  b = builderNew("general");
  x = xlaBuilderConstantR1F32(b, (const float[]){1, 2, 3, 4}, 4);
  zero = xlaBuilderConstantR0F32(b, 0);
  const int64_t pair[] = {-1, 2};
  builderExpect(b,
                xlaBuilderReduceWindowWithGeneralPadding(b, &x, &zero, 1, sum,
                                                         &window, pair),
                XLA_SHAPE(F32, 2), VALUES(9, 4));
  xlaComputationRelease(sum);
}

static void severalOperands(void **state) {
  (void)state;
  XlaBuilder *b = builderNew("both");
  XlaOp p[4];
  for (int i = 0; i < 4; ++i)
    p[i] = xlaBuilderParameter(b, i, i % 2 ? XLA_SHAPE(S32) : XLA_SHAPE(F32),
                               NULL);
  XlaOp parts[] = {xlaBuilderAdd(b, p[0], p[2], NULL, 0),
                   xlaBuilderMax(b, p[1], p[3], NULL, 0)};
  XlaComputation *both = builderEnd(b, xlaBuilderTuple(b, parts, 2));
  const int64_t two = 2;
  XlaWindowDimensions window = {.sizes = &two, .n = 1};
  b = builderNew("windows");
  XlaOp arrays[] = {xlaBuilderConstantR1F32(b, (const float[]){1, 2, 3}, 3),
                    xlaBuilderConstantR1S32(b, (const int32_t[]){5, 9, 7}, 3)};
  XlaOp inits[] = {xlaBuilderConstantR0F32(b, 0),
                   xlaBuilderMinValue(b, XlaElementTypeS32)};
  XlaOp y = xlaBuilderReduceWindow(b, arrays, inits, 2, both, &window,
                                   XlaPaddingValid);
  builderExpect(b, xlaBuilderGetTupleElement(b, y, 1), XLA_SHAPE(S32, 2),
                VALUES(9, 9));
  xlaComputationRelease(both);
}

static void wrongWindows(void **state) {
  (void)state;
  XlaComputation *sum = builderSum(XlaElementTypeF32);
  const int64_t sizes[] = {2, 2}, zeros[] = {0, 0};
  static const struct {
    intptr_t n;
    const char *message;
  } rows[] = {{2, "the window has 2 dimensions, the operand 1"},
              {-1, "the window's sizes has -1 entries"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    XlaWindowDimensions window = {.sizes = sizes, .n = rows[i].n};
    XlaBuilder *b = builderNew("f");
    XlaOp x = xlaBuilderConstantR1F32(b, (const float[]){1, 2, 3}, 3);
    XlaOp zero = xlaBuilderConstantR0F32(b, 0);
    xlaBuilderReduceWindow(b, &x, &zero, 1, sum, &window, XlaPaddingSame);
    builderExpectError(b, rows[i].message);
  }
  for (int i = 0; i < 4; ++i) {
    static const char *const messages[] = {
        "[reduce_window_c7]", "there is no padding number 9",
        "the window is NULL", "there are no operands"};
    XlaWindowDimensions window = {.sizes = sizes, .strides = zeros, .n = 1};
    XlaBuilder *b = builderNew("f");
    XlaOp x = xlaBuilderConstantR1F32(b, (const float[]){1, 2, 3}, 3);
    XlaOp zero = xlaBuilderConstantR0F32(b, 0);
    xlaBuilderReduceWindow(b, &x, &zero, i != 3, sum, i == 2 ? NULL : &window,
                           i == 1 ? (XlaPadding)9 : XlaPaddingSame);
    builderExpectError(b, messages[i]);
  }
  XlaWindowDimensions window = {.sizes = zeros, .n = 1};
  XlaBuilder *b = builderNew("f");
  XlaOp x = xlaBuilderConstantR1F32(b, (const float[]){1, 2, 3}, 3);
  XlaOp zero = xlaBuilderConstantR0F32(b, 0);
  xlaBuilderReduceWindowWithGeneralPadding(b, &x, &zero, 1, sum, &window, NULL);
  builderExpectError(b, "[reduce_window_c5]");
  xlaComputationRelease(sum);
}

/// (x, y) -> x >= y.
static XlaComputation *notLess(void) {
  XlaBuilder *b = builderNew("ge");
  XlaOp x = xlaBuilderParameter(b, 0, XLA_SHAPE(F32), "x");
  XlaOp y = xlaBuilderParameter(b, 1, XLA_SHAPE(F32), "y");
  return builderEnd(b, xlaBuilderGe(b, x, y, NULL, 0));
}

/// Both windows of 3 select the 9 in the middle, which gets 2 + 6.
static void selections(void **state) {
  (void)state;
  XlaComputation *ge = notLess(), *sum = builderSum(XlaElementTypeF32);
  const int64_t three = 3, two = 2, one = 1, pair[] = {1, 1};
  XlaWindowDimensions window = {.sizes = &three, .strides = &two, .n = 1};
  XlaBuilder *b = builderNew("overlapping");
  XlaOp x = xlaBuilderConstantR1F32(b, (const float[]){4, 7, 9, 2, 5}, 5);
  XlaOp source = xlaBuilderConstantR1F32(b, (const float[]){2, 6}, 2);
  XlaOp zero = xlaBuilderConstantR0F32(b, 0);
  builderExpect(b,
                xlaBuilderSelectAndScatter(b, x, ge, &window, XlaPaddingValid,
                                           source, zero, sum),
                XLA_SHAPE(F32, 5), VALUES(0, 0, 8, 0, 0));
  for (int general = 0; general < 2; ++general) {
    b = builderNew("padded");
    x = xlaBuilderConstantR1F32(b, (const float[]){4, 7, 9, 2, 5}, 5);
    source = xlaBuilderConstantR1F32(b, (const float[]){2, 6, 1}, 3);
    zero = xlaBuilderConstantR0F32(b, 10);
    x = general ? xlaBuilderSelectAndScatterWithGeneralPadding(
                      b, x, ge, &window, pair, source, zero, sum)
                : xlaBuilderSelectAndScatter(b, x, ge, &window, XlaPaddingSame,
                                             source, zero, sum);
    builderExpect(b, x, XLA_SHAPE(F32, 5), VALUES(10, 12, 16, 10, 11));
  }
  static const char *const messages[] = {
      "[select_and_scatter_c2]", "the window has dilations",
      "there is no padding number -1", "a computation is NULL",
      "the window is NULL"};
  for (int i = 0; i < 5; ++i) {
    b = builderNew("wrong");
    x = xlaBuilderConstantR1F32(b, (const float[]){4, 7, 9, 2, 5}, 5);
    zero = xlaBuilderConstantR0F32(b, 0);
    window.windowDilations = i == 1 ? &one : NULL;
    if (i == 4)
      xlaBuilderSelectAndScatterWithGeneralPadding(b, x, ge, NULL, pair, x,
                                                   zero, sum);
    else
      xlaBuilderSelectAndScatter(b, x, ge, &window,
                                 i == 2 ? (XlaPadding)-1 : XlaPaddingValid, x,
                                 zero, i == 3 ? NULL : sum);
    builderExpectError(b, messages[i]);
  }
  xlaComputationRelease(ge);
  xlaComputationRelease(sum);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(printedMaxima), cmocka_unit_test(printedMinima),
      cmocka_unit_test(paddingBySame), cmocka_unit_test(severalOperands),
      cmocka_unit_test(wrongWindows),  cmocka_unit_test(selections),
  };
  return cmocka_run_group_tests(tests, builderSetUp, builderTearDown);
}
