//===- convolution_test.c - Building convolutions -------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/test/dialect/builder/builder_fixture.h"

/// 1, 2, 3 .. of some shape.
static XlaOp counted(XlaBuilder *b, const int64_t *dims, intptr_t rank) {
  int64_t n = 1;
  for (intptr_t d = 0; d < rank; ++d)
    n *= dims[d];
  XlaOp zeroOn = xlaBuilderIota(b, XLA_SHAPE(F32, n), 0);
  XlaOp oneOn =
      xlaBuilderAdd(b, zeroOn, xlaBuilderConstantR0F32(b, 1), NULL, 0);
  return xlaBuilderReshape(b, oneOn, dims, rank);
}

/// {1, 0, -1} as a kernel of one feature.
static XlaOp difference(XlaBuilder *b) {
  return xlaBuilderReshape(
      b, xlaBuilderConstantR1F32(b, (const float[]){1, 0, -1}, 3),
      XLA_INTS(1, 1, 3));
}

static void paddingByWords(void **state) {
  (void)state;
  const int64_t two = 2;
  XlaBuilder *b = builderNew("valid");
  XlaOp x = counted(b, XLA_INTS(1, 1, 5));
  builderExpect(
      b, xlaBuilderConv(b, x, difference(b), NULL, 1, XlaPaddingValid, 1, 1),
      XLA_SHAPE(F32, 1, 1, 3), VALUES(-2, -2, -2));
  b = builderNew("same");
  x = counted(b, XLA_INTS(1, 1, 5));
  builderExpect(
      b, xlaBuilderConv(b, x, difference(b), NULL, 1, XlaPaddingSame, 1, 1),
      XLA_SHAPE(F32, 1, 1, 5), VALUES(-2, -2, -2, -2, 4));
  b = builderNew("strides");
  x = counted(b, XLA_INTS(1, 1, 5));
  builderExpect(
      b, xlaBuilderConv(b, x, difference(b), &two, 1, XlaPaddingSame, 1, 1),
      XLA_SHAPE(F32, 1, 1, 3), VALUES(-2, -2, 4));
  b = builderNew("no spatial dimensions");
  x = counted(b, XLA_INTS(2, 2));
  builderExpect(b, xlaBuilderConv(b, x, x, NULL, 0, XlaPaddingSame, 1, 1),
                XLA_SHAPE(F32, 2, 2), VALUES(5, 11, 11, 25));
  b = builderNew("two");
  x = counted(b, XLA_INTS(1, 1, 3, 3));
  XlaOp kernel = counted(b, XLA_INTS(1, 1, 2, 2));
  builderExpect(b, xlaBuilderConv(b, x, kernel, NULL, 2, XlaPaddingValid, 1, 1),
                XLA_SHAPE(F32, 1, 1, 2, 2), VALUES(37, 47, 67, 77));
}

static void generalPadding(void **state) {
  (void)state;
  const int64_t two = 2, pair[] = {1, -1};
  XlaConvolutionWindow window = {.padding = pair, .n = 1};
  XlaBuilder *b = builderNew("padding");
  XlaOp x = counted(b, XLA_INTS(1, 1, 5));
  builderExpect(
      b, xlaBuilderConvWithGeneralPadding(b, x, difference(b), &window, 1, 1),
      XLA_SHAPE(F32, 1, 1, 3), VALUES(-2, -2, -2));
  window = (XlaConvolutionWindow){.lhsDilation = &two, .n = 1};
  b = builderNew("transposed"); // 1 0 2 0 3
  x = counted(b, XLA_INTS(1, 1, 3));
  builderExpect(
      b, xlaBuilderConvWithGeneralPadding(b, x, difference(b), &window, 1, 1),
      XLA_SHAPE(F32, 1, 1, 3), VALUES(-1, 0, -1));
  window = (XlaConvolutionWindow){.rhsDilation = &two, .n = 1};
  b = builderNew("atrous");
  x = counted(b, XLA_INTS(1, 1, 5));
  builderExpect(
      b, xlaBuilderConvWithGeneralPadding(b, x, difference(b), &window, 1, 1),
      XLA_SHAPE(F32, 1, 1, 1), VALUES(-4));
}

static void groupsOfFeaturesAndBatches(void **state) {
  (void)state;
  for (int batches = 0; batches < 2; ++batches) {
    XlaBuilder *b = builderNew("groups");
    XlaOp x =
        batches ? counted(b, XLA_INTS(2, 1, 2)) : counted(b, XLA_INTS(1, 2, 2));
    XlaOp kernel = xlaBuilderReshape(
        b, xlaBuilderConstantR1F32(b, (const float[]){10, 100}, 2),
        XLA_INTS(2, 1, 1));
    XlaOp y = xlaBuilderConv(b, x, kernel, NULL, 1, XlaPaddingValid,
                             batches ? 1 : 2, batches ? 2 : 1);
    builderExpect(b, y, XLA_SHAPE(F32, 1, 2, 2), VALUES(10, 20, 300, 400));
  }
}

/// Features last, as images have them.
static void dimensionNumbers(void **state) {
  (void)state;
  const int64_t zero = 0, one = 1, two = 2, pair[] = {1, 1};
  const XlaConvolutionDimensionNumbers numbers = {.inputBatch = 0,
                                                  .inputFeature = 2,
                                                  .inputSpatial = &one,
                                                  .kernelSpatial = &zero,
                                                  .kernelInputFeature = 1,
                                                  .kernelOutputFeature = 2,
                                                  .outputBatch = 0,
                                                  .outputFeature = 2,
                                                  .outputSpatial = &one};
  for (int form = 0; form < 4; ++form) {
    XlaBuilder *b = builderNew("last");
    XlaOp x = counted(b, XLA_INTS(1, 5, 1));
    XlaOp k = xlaBuilderReshape(b, difference(b), XLA_INTS(3, 1, 1)), y;
    XlaConvolutionWindow window = {.strides = &two, .padding = pair, .n = 1};
    if (form == 0)
      y = xlaBuilderConvWithGeneralDimensions(b, x, k, &two, 1, XlaPaddingSame,
                                              &numbers, 1, 1);
    else if (form == 1)
      y = xlaBuilderConvGeneral(b, x, k, &two, pair, 1, &numbers, 1, 1);
    else
      y = xlaBuilderConvGeneralDilated(b, x, k, &window,
                                       form == 2 ? &numbers : NULL, 1, 1);
    if (form == 3)
      builderExpectError(b, "the dimension numbers are NULL");
    else
      builderExpect(b, y, XLA_SHAPE(F32, 1, 3, 1), VALUES(-2, -2, 4));
  }
}

static void wrongUses(void **state) {
  (void)state;
  const int64_t zero = 0, far = 7;
  XlaConvolutionDimensionNumbers numbers = {
      .inputFeature = 1, .inputSpatial = &far, .kernelSpatial = &far};
  static const char *const messages[] = {
      "[convolution_c3]",
      "windowStrides has -1 entries",
      "there is no padding number 7",
      "[convolution_c11]",
      "the window is NULL",
      "the window has -1 dimensions",
      "spatial dimension 0 of lhs is dimension 7, of 3",
      "the dimension numbers are NULL",
      "[convolution_c1]",
      "output_spatial_dimensions is NULL and has 1 entries",
      "xlaBuilderConv: spatial dimension 1 of lhs is dimension 3, of 3"};
  for (size_t i = 0; i < sizeof messages / sizeof *messages; ++i) {
    XlaConvolutionWindow window = {.n = -1};
    XlaBuilder *b = builderNew("f");
    XlaOp x = counted(b, XLA_INTS(1, 1, 5)), k = difference(b);
    switch (i) {
    case 0:
      xlaBuilderConv(b, x, k, &zero, 1, XlaPaddingSame, 1, 1);
      break;
    case 1:
      xlaBuilderConv(b, x, k, NULL, -1, XlaPaddingSame, 1, 1);
      break;
    case 2:
      xlaBuilderConv(b, x, k, NULL, 1, (XlaPadding)7, 1, 1);
      break;
    case 3:
      xlaBuilderConv(b, x, k, NULL, 1, XlaPaddingSame, 2, 1);
      break;
    case 4:
      xlaBuilderConvWithGeneralPadding(b, x, k, NULL, 1, 1);
      break;
    case 5:
      xlaBuilderConvWithGeneralPadding(b, x, k, &window, 1, 1);
      break;
    case 6:
      xlaBuilderConvWithGeneralDimensions(b, x, k, NULL, 1, XlaPaddingSame,
                                          &numbers, 1, 1);
      break;
    case 7:
      xlaBuilderConvGeneral(b, x, k, NULL, NULL, 1, NULL, 1, 1);
      break;
    case 8:
      xlaBuilderConv(b, x, xlaBuilderConstantR0F32(b, 1), NULL, 1,
                     XlaPaddingValid, 1, 1);
      break;
    case 9:
      xlaBuilderConvGeneral(b, x, k, NULL, NULL, 1, &numbers, 1, 1);
      break;
    default:
      xlaBuilderConv(b, x, k, NULL, 2, XlaPaddingSame, 1, 1);
      break;
    }
    builderExpectError(b, messages[i]);
  }
  // Nothing is read after an error, nor without a builder.
  xlaBuilderConvWithGeneralPadding(NULL, (XlaOp){0}, (XlaOp){0}, NULL, 1, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(paddingByWords),
      cmocka_unit_test(generalPadding),
      cmocka_unit_test(groupsOfFeaturesAndBatches),
      cmocka_unit_test(dimensionNumbers),
      cmocka_unit_test(wrongUses),
  };
  return cmocka_run_group_tests(tests, builderSetUp, builderTearDown);
}
