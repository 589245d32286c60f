//===- movement_test.c - Building operations that move data ---------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/test/dialect/builder/builder_fixture.h"

static XlaOp f32s(XlaBuilder *b, const float *values, intptr_t n) {
  return xlaBuilderConstantR1F32(b, values, n);
}
#define F32S(b, ...)                                                           \
  f32s(b, (const float[]){__VA_ARGS__},                                        \
       sizeof((const float[]){__VA_ARGS__}) / sizeof(float))

/// 000's {10 11 12, 15 16 17}, {20 ..} .. of f32[4,2,3].
static XlaOp printedCube(XlaBuilder *b) {
  float values[24];
  for (int i = 0; i < 24; ++i) {
    int plane = i / 6, row = i / 3 % 2, column = i % 3;
    values[i] = (float)(10 * (plane + 1) + 5 * row + column);
  }
  return xlaBuilderReshape(b, f32s(b, values, 24), XLA_INTS(4, 2, 3));
}
#define CUBE                                                                   \
  VALUES(10, 11, 12, 15, 16, 17, 20, 21, 22, 25, 26, 27, 30, 31, 32, 35, 36,   \
         37, 40, 41, 42, 45, 46, 47)

/// 000's {0 1 2}, {3 4 5} .. of f32[4,3].
static XlaOp printedMatrix(XlaBuilder *b) {
  return xlaBuilderConstantR2F32(
      b, (const float[]){0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, 4, 3);
}

static void broadcasts(void **state) {
  (void)state;
  XlaBuilder *b = builderNew("scalar");
  XlaOp x = xlaBuilderConstantR0F32(b, 2);
  builderExpectCompiled(b, xlaBuilderBroadcast(b, x, XLA_INTS(2, 3)),
                        XLA_SHAPE(F32, 2, 3), VALUES(2, 2, 2, 2, 2, 2));
  b = builderNew("vector");
  x = xlaBuilderBroadcast(b, F32S(b, 1, 2), XLA_INTS(3));
  builderExpect(b, x, XLA_SHAPE(F32, 3, 2), VALUES(1, 2, 1, 2, 1, 2));
  b = builderNew("not at all");
  builderExpect(b, xlaBuilderBroadcast(b, F32S(b, 1, 2), NULL, 0),
                XLA_SHAPE(F32, 2), VALUES(1, 2));
  b = builderNew("empty");
  builderExpect(b, xlaBuilderBroadcast(b, F32S(b, 1, 2), XLA_INTS(0)),
                XLA_SHAPE(F32, 0, 2), NULL);
  b = builderNew("negative");
  xlaBuilderBroadcast(b, F32S(b, 1, 2), XLA_INTS(-2));
  builderExpectError(b, "broadcast_sizes[0] is -2, must not be negative");
  b = builderNew("too many");
  int64_t ones[40];
  for (int i = 0; i < 40; ++i)
    ones[i] = 1;
  x = xlaBuilderBroadcast(b, F32S(b, 1, 2), ones, 31);
  xlaBuilderBroadcast(b, x, ones, 1);
  builderExpectError(b, "adds 1 dimensions to 32, arrays have at most 32");
  b = builderNew("far too many");
  xlaBuilderBroadcast(b, F32S(b, 1, 2), ones, 40);
  builderExpectError(b, "adds 40 dimensions to 1");
  b = builderNew("in dim");
  x = xlaBuilderBroadcastInDim(b, F32S(b, 1, 2), XLA_INTS(2, 2), XLA_INTS(0));
  builderExpect(b, x, XLA_SHAPE(F32, 2, 2), VALUES(1, 1, 2, 2));
  b = builderNew("of size 1");
  x = xlaBuilderBroadcastInDim(b, F32S(b, 7), XLA_INTS(2, 2), XLA_INTS(1));
  builderExpect(b, x, XLA_SHAPE(F32, 2, 2), VALUES(7, 7, 7, 7));
  b = builderNew("wrong");
  xlaBuilderBroadcastInDim(b, F32S(b, 1, 2), XLA_INTS(2, 3), XLA_INTS(1));
  builderExpectError(b, "[broadcast_in_dim_c5]");
}

static void collapses(void **state) {
  (void)state;
  XlaBuilder *b = builderNew("012");
  builderExpect(b, xlaBuilderCollapse(b, printedCube(b), XLA_INTS(0, 1, 2)),
                XLA_SHAPE(F32, 24), CUBE);
  b = builderNew("01");
  builderExpect(b, xlaBuilderCollapse(b, printedCube(b), XLA_INTS(0, 1)),
                XLA_SHAPE(F32, 8, 3), CUBE);
  b = builderNew("12");
  builderExpect(b, xlaBuilderCollapse(b, printedCube(b), XLA_INTS(1, 2)),
                XLA_SHAPE(F32, 4, 6), CUBE);
  b = builderNew("1");
  builderExpect(b, xlaBuilderCollapse(b, printedCube(b), XLA_INTS(1)),
                XLA_SHAPE(F32, 4, 2, 3), CUBE);
  b = builderNew("none");
  builderExpect(b, xlaBuilderCollapse(b, printedCube(b), NULL, 0),
                XLA_SHAPE(F32, 4, 2, 3), CUBE);
  b = builderNew("10");
  xlaBuilderCollapse(b, printedCube(b), XLA_INTS(1, 0));
  builderExpectError(b, "dimensions [1, 0] are not consecutive and in order");
  b = builderNew("02");
  xlaBuilderCollapse(b, printedCube(b), XLA_INTS(0, 2));
  builderExpectError(b, "dimensions [0, 2] are not consecutive and in order");
  b = builderNew("23");
  xlaBuilderCollapse(b, printedCube(b), XLA_INTS(2, 3));
  builderExpectError(b, "dimensions[1] is 3, must be in [0, 3)");
  b = builderNew("-1");
  xlaBuilderCollapse(b, printedCube(b), XLA_INTS(-1));
  builderExpectError(b, "dimensions[0] is -1, must be in [0, 3)");
  b = builderNew("null");
  xlaBuilderCollapse(b, printedCube(b), NULL, 2);
  builderExpectError(b, "dimensions is NULL and has 2 entries");
  b = builderNew("large");
  XlaOp x =
      xlaBuilderParameter(b, 0, XLA_SHAPE(F32, 0, INT64_MAX, INT64_MAX), "x");
  xlaBuilderCollapse(b, x, XLA_INTS(1, 2));
  builderExpectError(b, "multiply to more than 2^63");
}

static void reshapes(void **state) {
  (void)state;
  static const double turned[] = {10, 20, 30, 40, 11, 21, 31, 41,
                                  12, 22, 32, 42, 15, 25, 35, 45,
                                  16, 26, 36, 46, 17, 27, 37, 47};
  XlaBuilder *b = builderNew("012 83");
  builderExpect(b, xlaBuilderReshape(b, printedCube(b), XLA_INTS(8, 3)),
                XLA_SHAPE(F32, 8, 3), CUBE);
  b = builderNew("012 24");
  builderExpect(b,
                xlaBuilderReshapeInOrder(b, printedCube(b), XLA_INTS(0, 1, 2),
                                         XLA_INTS(24)),
                XLA_SHAPE(F32, 24), CUBE);
  b = builderNew("120 24");
  builderExpect(b,
                xlaBuilderReshapeInOrder(b, printedCube(b), XLA_INTS(1, 2, 0),
                                         XLA_INTS(24)),
                XLA_SHAPE(F32, 24), turned);
  b = builderNew("120 83");
  builderExpectCompiled(b,
                        xlaBuilderReshapeInOrder(b, printedCube(b),
                                                 XLA_INTS(1, 2, 0),
                                                 XLA_INTS(8, 3)),
                        XLA_SHAPE(F32, 8, 3), turned);
  b = builderNew("120 262");
  builderExpect(b,
                xlaBuilderReshapeInOrder(b, printedCube(b), XLA_INTS(1, 2, 0),
                                         XLA_INTS(2, 6, 2)),
                XLA_SHAPE(F32, 2, 6, 2), turned);
  b = builderNew("to a scalar");
  XlaOp x = xlaBuilderReshape(b, F32S(b, 5), XLA_INTS(1, 1));
  builderExpect(b, xlaBuilderReshapeInOrder(b, x, XLA_INTS(0, 1), NULL, 0),
                XLA_SHAPE(F32), VALUES(5));
  b = builderNew("from a scalar");
  x = xlaBuilderConstantR0F32(b, 5);
  builderExpect(b, xlaBuilderReshapeInOrder(b, x, NULL, 0, XLA_INTS(1, 1)),
                XLA_SHAPE(F32, 1, 1), VALUES(5));
  b = builderNew("other count");
  xlaBuilderReshape(b, printedCube(b), XLA_INTS(5, 5));
  builderExpectError(b, "[reshape_c2]");
  b = builderNew("no permutation");
  xlaBuilderReshapeInOrder(b, printedCube(b), XLA_INTS(0, 0, 1), XLA_INTS(24));
  builderExpectError(b, "xlaBuilderReshapeInOrder: 'xla.transpose'");
}

static void concatenations(void **state) {
  (void)state;
  XlaBuilder *b = builderNew("1d");
  XlaOp x = xlaBuilderConcatInDim(
      b, XLA_OPS(F32S(b, 2, 3), F32S(b, 4, 5), F32S(b, 6, 7)), 0);
  builderExpect(b, x, XLA_SHAPE(F32, 6), VALUES(2, 3, 4, 5, 6, 7));
  b = builderNew("2d");
  XlaOp a = xlaBuilderConstantR2F32(b, (const float[]){1, 2, 3, 4, 5, 6}, 3, 2);
  x = xlaBuilderConstantR2F32(b, (const float[]){7, 8}, 1, 2);
  builderExpectCompiled(b, xlaBuilderConcatenate(b, XLA_OPS(a, x), 0),
                        XLA_SHAPE(F32, 4, 2), VALUES(1, 2, 3, 4, 5, 6, 7, 8));
  b = builderNew("rank 0");
  x = xlaBuilderConstantR0F32(b, 5);
  xlaBuilderConcatInDim(b, XLA_OPS(x, x), 0);
  builderExpectError(b, "operands of rank 0 cannot be concatenated");
  b = builderNew("none");
  xlaBuilderConcatenate(b, NULL, 0, 0);
  builderExpectError(b, "takes 1 or more operands, has 0 [arity]");
  b = builderNew("no such dimension");
  xlaBuilderConcatInDim(b, XLA_OPS(F32S(b, 1)), 1);
  builderExpectError(b, "[concatenate_c4]");
}

static void pads(void **state) {
  (void)state;
  const XlaPaddingConfigDimension config[] = {{1, 0, 1}, {-1, 1, 0}};
  XlaBuilder *b = builderNew("pad");
  XlaOp nine = xlaBuilderConstantR0F32(b, 9);
  XlaOp x = xlaBuilderConstantR2F32(b, (const float[]){1, 2, 3, 4}, 2, 2);
  builderExpect(b, xlaBuilderPad(b, x, nine, config, 2), XLA_SHAPE(F32, 4, 2),
                VALUES(9, 9, 2, 9, 9, 9, 4, 9));
  b = builderNew("pad");
  xlaBuilderPad(b, F32S(b, 1), F32S(b, 1), config, 1);
  builderExpectError(b, "[pad_c1]");
  b = builderNew("pad");
  xlaBuilderPad(b, F32S(b, 1), xlaBuilderConstantR0F32(b, 1), config, 2);
  builderExpectError(b, "[pad_c2]");
  b = builderNew("pad");
  xlaBuilderPad(b, F32S(b, 1), xlaBuilderConstantR0F32(b, 1), config, 33);
  builderExpectError(b, "config has 33 entries");
  b = builderNew("pad");
  xlaBuilderPad(b, F32S(b, 1), xlaBuilderConstantR0F32(b, 1), NULL, 1);
  builderExpectError(b, "config is NULL and has 1 entries");
}

static void reversalsAndTranspositions(void **state) {
  (void)state;
  XlaBuilder *b = builderNew("rev");
  builderExpect(b, xlaBuilderRev(b, printedMatrix(b), XLA_INTS(1)),
                XLA_SHAPE(F32, 4, 3),
                VALUES(2, 1, 0, 5, 4, 3, 8, 7, 6, 11, 10, 9));
  b = builderNew("rev");
  xlaBuilderRev(b, printedMatrix(b), XLA_INTS(0, 0));
  builderExpectError(b, "[reverse_c2]");
  b = builderNew("roll");
  builderExpect(b,
                xlaBuilderRoll(b, printedMatrix(b), (const int64_t[]){1, -1},
                               (const int64_t[]){0, 1}, 2),
                XLA_SHAPE(F32, 4, 3),
                VALUES(10, 11, 9, 1, 2, 0, 4, 5, 3, 7, 8, 6));
  b = builderNew("roll");
  xlaBuilderRoll(b, printedMatrix(b), (const int64_t[]){1, 1},
                 (const int64_t[]){0, 0}, 2);
  builderExpectError(b, "[roll_c2]");
  b = builderNew("transpose");
  builderExpect(b, xlaBuilderTranspose(b, printedMatrix(b), XLA_INTS(1, 0)),
                XLA_SHAPE(F32, 3, 4),
                VALUES(0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11));
  b = builderNew("transpose");
  xlaBuilderTranspose(b, printedMatrix(b), XLA_INTS(1));
  builderExpectError(b, "[transpose_c2]");
}

static void slices(void **state) {
  (void)state;
  XlaBuilder *b = builderNew("1d");
  XlaOp x = F32S(b, 0, 1, 2, 3, 4);
  const int64_t two[] = {2}, four[] = {4};
  builderExpect(b, xlaBuilderSlice(b, x, two, four, NULL, 1), XLA_SHAPE(F32, 2),
                VALUES(2, 3));
  b = builderNew("2d");
  const int64_t starts[] = {2, 1}, limits[] = {4, 3}, strides[] = {1, 2};
  builderExpectCompiled(
      b, xlaBuilderSlice(b, printedMatrix(b), starts, limits, NULL, 2),
      XLA_SHAPE(F32, 2, 2), VALUES(7, 8, 10, 11));
  b = builderNew("strides");
  builderExpect(
      b, xlaBuilderSlice(b, printedMatrix(b), starts, limits, strides, 2),
      XLA_SHAPE(F32, 2, 1), VALUES(7, 10));
  b = builderNew("one dimension");
  builderExpect(b, xlaBuilderSliceInDim(b, printedMatrix(b), 0, 4, 3, 0),
                XLA_SHAPE(F32, 2, 3), VALUES(0, 1, 2, 9, 10, 11));
  b = builderNew("beyond");
  xlaBuilderSlice(b, F32S(b, 1, 2), two, four, NULL, 1);
  builderExpectError(b, "[slice_c3]");
  b = builderNew("beyond");
  xlaBuilderSliceInDim(b, printedMatrix(b), 0, 4, 1, 2);
  builderExpectError(b, "the dimension is 2, the operand has rank 2");
  b = builderNew("beyond");
  xlaBuilderSliceInDim(b, printedMatrix(b), 0, 4, 1, 1);
  builderExpectError(b, "xlaBuilderSliceInDim: 'xla.slice'");
  b = builderNew("no stride");
  xlaBuilderSliceInDim(b, printedMatrix(b), 0, 3, 0, 1);
  builderExpectError(b, "[slice_c4]");
}

/// Starts as one vector, the older form, and as scalars.
static void dynamicSlices(void **state) {
  (void)state;
  for (int vector = 0; vector < 2; ++vector) {
    XlaBuilder *b = builderNew("1d");
    XlaOp one = vector ? xlaBuilderConstantR1S32(b, (const int32_t[]){2}, 1)
                       : xlaBuilderConstantR0S32(b, 2);
    XlaOp x =
        xlaBuilderDynamicSlice(b, F32S(b, 0, 1, 2, 3, 4), &one, 1, XLA_INTS(2));
    builderExpect(b, x, XLA_SHAPE(F32, 2), VALUES(2, 3));
    b = builderNew("2d");
    XlaOp starts[] = {xlaBuilderConstantR0S32(b, 2),
                      xlaBuilderConstantR0S32(b, 1)};
    if (vector)
      starts[0] = xlaBuilderConstantR1S32(b, (const int32_t[]){2, 1}, 2);
    x = xlaBuilderDynamicSlice(b, printedMatrix(b), starts, vector ? 1 : 2,
                               XLA_INTS(2, 2));
    builderExpectCompiled(b, x, XLA_SHAPE(F32, 2, 2), VALUES(7, 8, 10, 11));
    b = builderNew("update");
    one = vector ? xlaBuilderConstantR1S32(b, (const int32_t[]){2}, 1)
                 : xlaBuilderConstantR0S32(b, 2);
    x = xlaBuilderDynamicUpdateSlice(b, F32S(b, 0, 1, 2, 3, 4), F32S(b, 5, 6),
                                     &one, 1);
    builderExpect(b, x, XLA_SHAPE(F32, 5), VALUES(0, 1, 5, 6, 4));
    b = builderNew("update 2d");
    starts[0] = starts[1] = xlaBuilderConstantR0S32(b, 1);
    if (vector)
      starts[0] = xlaBuilderConstantR1S32(b, (const int32_t[]){1, 1}, 2);
    XlaOp update = xlaBuilderConstantR2F32(
        b, (const float[]){12, 13, 14, 15, 16, 17}, 3, 2);
    x = xlaBuilderDynamicUpdateSlice(b, printedMatrix(b), update, starts,
                                     vector ? 1 : 2);
    builderExpectCompiled(b, x, XLA_SHAPE(F32, 4, 3),
                          VALUES(0, 1, 2, 3, 12, 13, 6, 14, 15, 9, 16, 17));
  }
  XlaBuilder *b = builderNew("too few starts");
  XlaOp one = xlaBuilderConstantR0S32(b, 1);
  xlaBuilderDynamicSlice(b, printedMatrix(b), &one, 1, XLA_INTS(2, 2));
  builderExpectError(b, "xlaBuilderDynamicSlice: 'xla.dynamic_slice' op");
  b = builderNew("too large");
  one = xlaBuilderConstantR0S32(b, 1);
  xlaBuilderDynamicUpdateSlice(b, F32S(b, 1), F32S(b, 1, 2), &one, 1);
  builderExpectError(b, "xlaBuilderDynamicUpdateSlice: ");
}

static void iotas(void **state) {
  (void)state;
  XlaBuilder *b = builderNew("iota");
  builderExpect(b, xlaBuilderIota(b, XLA_SHAPE(S32, 2, 3), 0),
                XLA_SHAPE(S32, 2, 3), VALUES(0, 0, 0, 1, 1, 1));
  b = builderNew("iota");
  builderExpect(b, xlaBuilderIota(b, XLA_SHAPE(F32, 2, 3), 1),
                XLA_SHAPE(F32, 2, 3), VALUES(0, 1, 2, 0, 1, 2));
  b = builderNew("iota");
  xlaBuilderIota(b, XLA_SHAPE(S32, 2, 3), 2);
  builderExpectError(b, "[iota_c1]");
  b = builderNew("iota");
  xlaBuilderIota(b, NULL, 2);
  builderExpectError(b, "the shape is NULL");
}

/// 000: SetDimensionSize, the printed sums of 1 .. 10 and a product.
static void dimensionSizes(void **state) {
  (void)state;
  XlaComputation *sum = builderSum(XlaElementTypeF32);
  XlaBuilder *b = builderNew("product");
  XlaOp p[2];
  for (int i = 0; i < 2; ++i)
    p[i] = xlaBuilderParameter(b, i, XLA_SHAPE(F32), NULL);
  XlaComputation *product =
      builderEnd(b, xlaBuilderMul(b, p[0], p[1], NULL, 0));
  static const struct {
    int32_t size;
    bool isSum;
    double result;
  } rows[] = {{5, true, 15}, {5, false, 120}, {6, true, 21}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    b = builderNew("set_dimension_size");
    XlaOp v = F32S(b, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
    XlaOp padded = xlaBuilderSetDimensionSize(
        b, v, xlaBuilderConstantR0S32(b, rows[i].size), 0);
    XlaOp init = xlaBuilderConstantR0F32(b, rows[i].isSum ? 0 : 1);
    builderExpect(
        b, xlaBuilderReduceAll(b, padded, init, rows[i].isSum ? sum : product),
        XLA_SHAPE(F32), &rows[i].result);
  }
  b = builderNew("get_dimension_size");
  builderExpectCompiled(b, xlaBuilderGetDimensionSize(b, printedMatrix(b), 1),
                        XLA_SHAPE(S32), VALUES(3));
  b = builderNew("of a dynamic one, converted");
  XlaOp x = xlaBuilderSetDimensionSize(b, printedMatrix(b),
                                       xlaBuilderConstantR0S32(b, 2), 0);
  x = xlaBuilderConvertElementType(b, x, XlaElementTypeS8);
  XlaShape shape;
  assert_false(xlaBuilderGetShape(b, x, &shape));
  builderExpect(b, xlaBuilderGetDimensionSize(b, x, 0), XLA_SHAPE(S32),
                VALUES(2));
  b = builderNew("no such dimension");
  xlaBuilderGetDimensionSize(b, printedMatrix(b), 2);
  builderExpectError(b, "[get_dimension_size_c1]");
  b = builderNew("no s32");
  xlaBuilderSetDimensionSize(b, printedMatrix(b), xlaBuilderConstantR0F32(b, 2),
                             0);
  builderExpectError(b, "[set_dimension_size_c2]");
  xlaComputationRelease(sum);
  xlaComputationRelease(product);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(broadcasts),
      cmocka_unit_test(collapses),
      cmocka_unit_test(reshapes),
      cmocka_unit_test(concatenations),
      cmocka_unit_test(pads),
      cmocka_unit_test(reversalsAndTranspositions),
      cmocka_unit_test(slices),
      cmocka_unit_test(dynamicSlices),
      cmocka_unit_test(iotas),
      cmocka_unit_test(dimensionSizes),
  };
  return cmocka_run_group_tests(tests, builderSetUp, builderTearDown);
}
