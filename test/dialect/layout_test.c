//===- layout_test.c - Shapes and layouts (specification 004) -------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/dialect.h"
#include "xlac/dialect/layout.h"

#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Diagnostics.h"
#include "xlac/test/support/unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static XlaShape shapeOf(XlaElementType type, int rank, const int64_t *dims) {
  XlaShape shape;
  assert_true(xlaShapeMake(type, rank, dims, &shape));
  return shape;
}
#define DIMS(...)                                                              \
  (const int64_t[]) { __VA_ARGS__ }

//===----------------------------------------------------------------------===//
// Terms of 004
//===----------------------------------------------------------------------===//

static void dimensionNumbers(void **state) {
  (void)state;
  XlaShape shape = shapeOf(XlaElementTypeF32, 3, DIMS(5, 6, 7));
  assert_int_equal(xlaShapeGetDimension(&shape, 0), 5);
  assert_int_equal(xlaShapeGetDimension(&shape, 1), 6);
  assert_int_equal(xlaShapeGetDimension(&shape, 2), 7);
  assert_int_equal(xlaShapeGetDimension(&shape, -1), 7);
  assert_int_equal(xlaShapeGetDimension(&shape, -2), 6);
  assert_int_equal(xlaShapeGetDimension(&shape, -3), 5);
  assert_int_equal(xlaShapeGetDimension(&shape, 3), -1);
  assert_int_equal(xlaShapeGetDimension(&shape, -4), -1);
  assert_int_equal(xlaShapeGetDimension(&shape, INT64_MIN), -1);
  assert_int_equal(xlaShapeGetDimensionNumber(&shape, -3), 0);
  XlaShape scalar = shapeOf(XlaElementTypeF32, 0, NULL);
  assert_int_equal(xlaShapeGetDimensionNumber(&scalar, 0), -1);
  assert_int_equal(xlaShapeGetDimensionNumber(&scalar, -1), -1);
}

static void trueRank(void **state) {
  (void)state;
  XlaShape shape = shapeOf(XlaElementTypeF32, 4, DIMS(1, 3, 1, 2));
  assert_int_equal(xlaShapeGetTrueRank(&shape), 2);
  shape = shapeOf(XlaElementTypeF32, 2, DIMS(1, 1));
  assert_int_equal(xlaShapeGetTrueRank(&shape), 0);
  shape = shapeOf(XlaElementTypeF32, 0, NULL);
  assert_int_equal(xlaShapeGetTrueRank(&shape), 0);
  // More than 1 is asked for, so an empty dimension does not count.
  shape = shapeOf(XlaElementTypeF32, 2, DIMS(0, 7));
  assert_int_equal(xlaShapeGetTrueRank(&shape), 1);
}

static void letters(void **state) {
  (void)state;
  static const char *const expected[] = {"", "", "yx", "zyx", "pzyx", ""};
  for (int rank = 0; rank <= 5; ++rank) {
    XlaShape shape = shapeOf(XlaElementTypeF32, rank, DIMS(2, 2, 2, 2, 2));
    for (int d = 0; d < rank; ++d) {
      char letter = expected[rank][0] ? expected[rank][d] : 0;
      assert_int_equal(xlaShapeGetDimensionLetter(&shape, d), letter);
      assert_int_equal(xlaShapeGetDimensionLetter(&shape, d - rank), letter);
    }
    assert_int_equal(xlaShapeGetDimensionLetter(&shape, rank), 0);
  }
}

/// MakeShape(F32, {A, B, C, D}) has the sizes [A, B, C, D].
static void makeShape(void **state) {
  (void)state;
  XlaShape shape = shapeOf(XlaElementTypeF32, 4, DIMS(2, 3, 5, 7));
  assert_int_equal(shape.elementType, XlaElementTypeF32);
  assert_int_equal(shape.rank, 4);
  assert_memory_equal(shape.dims, DIMS(2, 3, 5, 7), 4 * sizeof(int64_t));
  assert_false(xlaShapeMake(XlaElementTypeF32, 1, DIMS(-1), &shape));
  assert_false(xlaShapeMake(XlaElementTypeF32, -1, NULL, &shape));
  assert_false(xlaShapeMake(XlaElementTypeF32, XLA_MAX_RANK + 1, NULL, &shape));
  assert_false(xlaShapeMake(XlaElementTypeF32, 2,
                            DIMS(INT64_C(1) << 40, INT64_C(1) << 40), &shape));
  // No elements, however large the other sizes.
  assert_true(xlaShapeMake(XlaElementTypeF32, 3, DIMS(INT64_MAX, 0, INT64_MAX),
                           &shape));
}

static void makeShapeWithLayout(void **state) {
  (void)state;
  XlaShape shape;
  XlaLayout layout;
  assert_true(xlaShapeMakeWithLayout(XlaElementTypeS8, 2, DIMS(2, 3),
                                     DIMS(0, 1), &shape, &layout));
  assert_int_equal(shape.dims[1], 3);
  assert_int_equal(layout.minorToMajor[0], 0);
  assert_false(xlaLayoutIsDefault(&layout));
  assert_false(xlaShapeMakeWithLayout(XlaElementTypeS8, 2, DIMS(2, 3),
                                      DIMS(1, 1), &shape, &layout));
  assert_false(xlaShapeMakeWithLayout(XlaElementTypeS8, 2, DIMS(2, -3),
                                      DIMS(0, 1), &shape, &layout));
}

/// The default is major to minor: row-major at rank 2.
static void defaultLayout(void **state) {
  (void)state;
  XlaLayout layout = xlaLayoutMakeDefault(3);
  assert_memory_equal(layout.minorToMajor, DIMS(2, 1, 0), 3 * sizeof(int64_t));
  assert_false(layout.padded);
  assert_true(xlaLayoutIsDefault(&layout));
  XlaLayout scalar = xlaLayoutMakeDefault(0);
  assert_true(xlaLayoutIsDefault(&scalar));
  XlaLayout padded = xlaLayoutPad(layout, DIMS(1, 1, 1), XlaPaddingValueZero);
  assert_false(xlaLayoutIsDefault(&padded));
}

static void refusedLayouts(void **state) {
  (void)state;
  char message[160];
  XlaShape shape = shapeOf(XlaElementTypeC64, 2, DIMS(2, 3));
  XlaLayout layout = xlaLayoutMake(1, DIMS(0));
  assert_false(xlaLayoutCheck(&layout, &shape, message));
  assert_string_equal(message,
                      "the layout is of 1 dimensions, the array has 2");
  layout = xlaLayoutMake(2, DIMS(0, 2));
  assert_false(xlaLayoutCheck(&layout, &shape, message));
  assert_string_equal(message,
                      "minor_to_major [0, 2] is no order of 2 dimensions");
  layout = xlaLayoutMake(2, DIMS(-1, 0));
  assert_false(xlaLayoutCheck(&layout, &shape, message));
  layout =
      xlaLayoutPad(xlaLayoutMakeDefault(2), DIMS(2, 2), XlaPaddingValueZero);
  assert_false(xlaLayoutCheck(&layout, &shape, message));
  assert_string_equal(message,
                      "padded_dimensions[1] is 2, the dimension has 3");
  layout = xlaLayoutPad(layout, DIMS(INT64_C(1) << 40, INT64_C(1) << 40),
                        XlaPaddingValueZero);
  assert_false(xlaLayoutCheck(&layout, &shape, message));
  assert_string_equal(message, "padded_dimensions [1099511627776, "
                               "1099511627776] make more than 2^62 bytes");
  layout = xlaLayoutPad(layout, DIMS(2, 3), XlaPaddingValueLowest);
  assert_false(xlaLayoutCheck(&layout, &shape, message));
  assert_string_equal(message, "complex numbers have no lowest to pad with");
  layout.paddingValue = XlaPaddingValueOne;
  assert_true(xlaLayoutCheck(&layout, &shape, NULL));
}

//===----------------------------------------------------------------------===//
// The printed memory images
//===----------------------------------------------------------------------===//

static void expectImage(const XlaLayout *layout, const XlaShape *shape,
                        const char *rowMajor, const char *expected) {
  char image[64] = {0}, back[64] = {0};
  size_t size = strlen(expected);
  assert_true(xlaLayoutCheck(layout, shape, NULL));
  assert_int_equal(xlaLayoutGetImageCount(layout, shape), size);
  xlaLayoutWriteImage(layout, shape, rowMajor, image);
  assert_string_equal(image, expected);
  xlaLayoutReadImage(layout, shape, image, back);
  assert_string_equal(back, rowMajor);
}

static void printedImages(void **state) {
  (void)state;
  XlaShape shape = shapeOf(XlaElementTypeU8, 2, DIMS(2, 3));
  XlaLayout column = xlaLayoutMake(2, DIMS(0, 1));
  XlaLayout row = xlaLayoutMake(2, DIMS(1, 0));
  expectImage(&column, &shape, "abcdef", "adbecf");
  expectImage(&row, &shape, "abcdef", "abcdef");
  assert_true(xlaLayoutIsDefault(&row));
}

/// 004 pads [2 x 3] to [3 x 5] with 0; a digit would end the text here.
static void printedPadding(void **state) {
  (void)state;
  static const unsigned char expected[15] = {'a', 'd', 0,   'b',
                                             'e', 0,   'c', 'f'};
  unsigned char image[15], wide[15];
  XlaShape shape = shapeOf(XlaElementTypeU8, 2, DIMS(2, 3));
  XlaLayout padded = xlaLayoutPad(xlaLayoutMake(2, DIMS(0, 1)), DIMS(3, 5),
                                  XlaPaddingValueZero);
  assert_int_equal(xlaLayoutGetImageCount(&padded, &shape), 15);
  memset(image, 255, sizeof image);
  xlaLayoutWriteImage(&padded, &shape, "abcdef", image);
  assert_memory_equal(image, expected, sizeof image);
  // The same as the layout of the larger array.
  XlaShape whole = shapeOf(XlaElementTypeU8, 2, DIMS(3, 5));
  XlaLayout column = xlaLayoutMake(2, DIMS(0, 1));
  xlaLayoutWriteImage(&column, &whole, "abc\0\0def\0\0\0\0\0\0\0", wide);
  assert_memory_equal(wide, expected, sizeof wide);
  padded.paddingValue = XlaPaddingValueHighest;
  xlaLayoutWriteImage(&padded, &shape, "abcdef", image);
  assert_int_equal(image[2], 255);
  assert_int_equal(image[14], 255);
}

/// Every index of a padded array of rank 4 to its position and back.
static void indices(void **state) {
  (void)state;
  XlaShape shape = shapeOf(XlaElementTypeF32, 4, DIMS(2, 3, 1, 4));
  XlaLayout layout = xlaLayoutPad(xlaLayoutMake(4, DIMS(2, 0, 3, 1)),
                                  DIMS(3, 3, 2, 5), XlaPaddingValueZero);
  int64_t count = xlaLayoutGetImageCount(&layout, &shape), inside = 0;
  assert_int_equal(count, 90);
  for (int64_t linear = 0; linear < count; ++linear) {
    int64_t index[4];
    inside += xlaIndexLinearToMulti(&layout, &shape, linear, index);
    assert_int_equal(xlaIndexMultiToLinear(&layout, &shape, index), linear);
    // The strides follow from the order: 2 1, 0 2, 3 6, 1 30.
    assert_int_equal(index[2] + 2 * index[0] + 6 * index[3] + 30 * index[1],
                     linear);
  }
  assert_int_equal(inside, 24);
  XlaShape scalar = shapeOf(XlaElementTypeF32, 0, NULL);
  XlaLayout none = xlaLayoutMakeDefault(0);
  assert_int_equal(xlaLayoutGetImageCount(&none, &scalar), 1);
  assert_int_equal(xlaIndexMultiToLinear(&none, &scalar, NULL), 0);
  XlaShape empty = shapeOf(XlaElementTypeF32, 2, DIMS(0, 3));
  XlaLayout row = xlaLayoutMakeDefault(2);
  assert_int_equal(xlaLayoutGetImageCount(&row, &empty), 0);
  xlaLayoutWriteImage(&row, &empty, NULL, NULL);
}

static void paddingValues(void **state) {
  (void)state;
  XlaPaddingValue low = XlaPaddingValueLowest, high = XlaPaddingValueHighest;
  assert_int_equal(xlaPaddingValueGetScalar(low, XlaElementTypeS8).s, -128);
  assert_int_equal(xlaPaddingValueGetScalar(high, XlaElementTypeS8).s, 127);
  assert_int_equal(xlaPaddingValueGetScalar(low, XlaElementTypeS2).s, -2);
  assert_true(xlaPaddingValueGetScalar(low, XlaElementTypeS64).s == INT64_MIN);
  assert_true(xlaPaddingValueGetScalar(high, XlaElementTypeU64).u ==
              UINT64_MAX);
  assert_int_equal(xlaPaddingValueGetScalar(low, XlaElementTypeU8).u, 0);
  assert_int_equal(xlaPaddingValueGetScalar(high, XlaElementTypePred).u, 1);
  assert_true(xlaPaddingValueGetScalar(low, XlaElementTypeF32).f.re ==
              -INFINITY);
  assert_true(xlaPaddingValueGetScalar(high, XlaElementTypeF8E4M3FN).f.re ==
              448);
  assert_true(xlaPaddingValueGetScalar(low, XlaElementTypeF8E4M3FN).f.re ==
              -448);
  assert_true(xlaPaddingValueGetScalar(low, XlaElementTypeF8E8M0FNU).f.re ==
              0x1p-127);
  assert_true(
      xlaPaddingValueGetScalar(XlaPaddingValueOne, XlaElementTypeC64).f.re ==
      1);
  assert_int_equal(
      xlaPaddingValueGetScalar(XlaPaddingValueOne, XlaElementTypeS32).s, 1);
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

typedef struct Text {
  char chars[256];
  size_t length;
} Text;

static void append(MlirStringRef part, void *data) {
  Text *text = data;
  memcpy(text->chars + text->length, part.data, part.length);
  text->length += part.length;
}

static void expectType(MlirType type, const char *expected) {
  Text text = {{0}, 0};
  mlirTypePrint(type, append, &text);
  assert_string_equal(text.chars, expected);
}

static void types(void **state) {
  (void)state;
  MlirContext context = mlirContextCreate();
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  xlaDialectRegister(registry);
  mlirContextAppendDialectRegistry(context, registry);
  XlaShape shape = shapeOf(XlaElementTypeF32, 2, DIMS(2, 3));
  XlaLayout layout = xlaLayoutMakeDefault(2);
  expectType(xlaShapeToMlirWithLayout(&shape, &layout, context),
             "tensor<2x3xf32>");
  layout = xlaLayoutPad(xlaLayoutMake(2, DIMS(0, 1)), DIMS(3, 5),
                        XlaPaddingValueOne);
  MlirType type = xlaShapeToMlirWithLayout(&shape, &layout, context);
  expectType(type, "tensor<2x3xf32, #xla.array<minor_to_major = [0, 1], "
                   "padded_dimensions = [3, 5], padding_value = \"one\">>");
  XlaLayout read = xlaLayoutFromMlir(type);
  assert_memory_equal(read.minorToMajor, layout.minorToMajor,
                      2 * sizeof(int64_t));
  assert_true(read.padded);
  assert_memory_equal(read.paddedDimensions, layout.paddedDimensions,
                      2 * sizeof(int64_t));
  assert_int_equal(read.paddingValue, XlaPaddingValueOne);
  expectType(xlaTypeWithoutLayout(type), "tensor<2x3xf32>");

  shape.dynamic = 1;
  type = xlaShapeToMlirWithLayout(&shape, &layout, context);
  expectType(xlaTypeWithoutLayout(type),
             "tensor<?x3xf32, #xla.array<bounds = [2, ?]>>");
  XlaShape bounded, fixed;
  const char *reason = "";
  assert_true(xlaShapeFromMlirBounded(type, &bounded, &reason));
  assert_int_equal(bounded.dynamic, 1);
  assert_true(xlaShapeDimsEqual(&bounded, &shape));
  assert_false(xlaShapeFromMlir(type, &fixed, &reason));
  assert_string_equal(reason, "has a dimension of dynamic size");
  assert_true(mlirTypeEqual(xlaShapeToMlirBounded(&bounded, context),
                            xlaTypeWithoutLayout(type)));
  assert_true(xlaTypeIsDynamic(type));
  MlirType tuple = mlirTupleTypeGet(context, 1, &type);
  assert_true(xlaTypeIsDynamic(tuple));
  assert_false(
      xlaTypeEqualIgnoringLayout(type, xlaShapeToMlir(&shape, context)));
  mlirDialectRegistryDestroy(registry);
  mlirContextDestroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(dimensionNumbers),
      cmocka_unit_test(trueRank),
      cmocka_unit_test(letters),
      cmocka_unit_test(makeShape),
      cmocka_unit_test(makeShapeWithLayout),
      cmocka_unit_test(defaultLayout),
      cmocka_unit_test(refusedLayouts),
      cmocka_unit_test(printedImages),
      cmocka_unit_test(printedPadding),
      cmocka_unit_test(indices),
      cmocka_unit_test(paddingValues),
      cmocka_unit_test(types),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
