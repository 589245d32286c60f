//===- control_test.c - Building operations with computations -------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/test/dialect/builder/builder_fixture.h"

#include "xlac/dialect/op.h"

#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Tuples
//===----------------------------------------------------------------------===//

static void tuples(void **state) {
  (void)state;
  XlaBuilder *b = builderNew("tuple");
  float ten[10];
  double expected[10];
  for (int i = 0; i < 10; ++i)
    expected[i] = ten[i] = (float)i;
  XlaOp v = xlaBuilderConstantR1F32(b, ten, 10);
  XlaOp s = xlaBuilderConstantR0S32(b, 5);
  XlaOp t = xlaBuilderTuple(b, XLA_OPS(v, s));
  builderExpect(b, xlaBuilderGetTupleElement(b, t, 0), XLA_SHAPE(F32, 10),
                expected);
  b = builderNew("of a parameter");
  MlirType types[] = {xlaBuilderArrayType(b, XLA_SHAPE(F32)),
                      xlaBuilderArrayType(b, XLA_SHAPE(S32, 2))};
  t = xlaBuilderParameterOfType(b, 0, xlaBuilderTupleType(b, types, 2), "t");
  XlaShape shape;
  XlaOp second = xlaBuilderGetTupleElement(b, t, 1);
  assert_true(xlaBuilderGetShape(b, second, &shape));
  assert_int_equal(shape.elementType, XlaElementTypeS32);
  xlaComputationRelease(builderEnd(b, second));
  for (int64_t i = -1; i < 3; i += 3) {
    b = builderNew("wrong");
    s = xlaBuilderConstantR0S32(b, 5);
    t = xlaBuilderTuple(b, XLA_OPS(s, s));
    xlaBuilderGetTupleElement(b, t, i);
    builderExpectError(b, "[get_tuple_element_c1]");
  }
  b = builderNew("wrong");
  xlaBuilderGetTupleElement(b, xlaBuilderConstantR0S32(b, 5), 0);
  builderExpectError(b, "[get_tuple_element_c1]");
}

/// What was wrapped only to be unwrapped leaves no operation behind.
static void unusedTuples(void **state) {
  (void)state;
  XlaBuilder *b = builderNew("nested");
  XlaOp one = xlaBuilderConstantR0F32(b, 1);
  XlaOp inner = xlaBuilderTuple(b, XLA_OPS(one, one));
  XlaOp outer = xlaBuilderTuple(b, XLA_OPS(inner, one));
  XlaOp again = xlaBuilderGetTupleElement(b, outer, 0);
  XlaComputation *f = builderEnd(b, xlaBuilderGetTupleElement(b, again, 1));
  char *text = xlaComputationPrint(f);
  assert_non_null(text);
  assert_null(strstr(text, "tuple"));
  free(text);
  xlaComputationRelease(f);
}

static void barriers(void **state) {
  (void)state;
  XlaBuilder *b = builderNew("barrier");
  XlaOp one = xlaBuilderConstantR0F32(b, 1);
  XlaOp both =
      xlaBuilderOptimizationBarrier(b, xlaBuilderTuple(b, XLA_OPS(one, one)));
  builderExpect(b, xlaBuilderGetTupleElement(b, both, 1), XLA_SHAPE(F32),
                VALUES(1));
  b = builderNew("barrier");
  xlaBuilderOptimizationBarrier(b, (XlaOp){0});
  builderExpectError(b, "null op");
}

//===----------------------------------------------------------------------===//
// Contractions
//===----------------------------------------------------------------------===//

static void dots(void **state) {
  (void)state;
  const float a[] = {1, 2, 3, 4, 5, 6}, v[] = {1, 2, 3};
  XlaBuilder *b = builderNew("vectors");
  XlaOp x = xlaBuilderConstantR1F32(b, v, 3);
  builderExpect(b, xlaBuilderDot(b, x, x), XLA_SHAPE(F32), VALUES(14));
  b = builderNew("matrix and vector");
  x = xlaBuilderDot(b, xlaBuilderConstantR2F32(b, a, 2, 3),
                    xlaBuilderConstantR1F32(b, v, 3));
  builderExpectCompiled(b, x, XLA_SHAPE(F32, 2), VALUES(14, 32));
  b = builderNew("matrices");
  x = xlaBuilderDot(b, xlaBuilderConstantR2F32(b, a, 2, 3),
                    xlaBuilderConstantR2F32(b, a, 3, 2));
  builderExpect(b, x, XLA_SHAPE(F32, 2, 2), VALUES(22, 28, 49, 64));
  b = builderNew("wrong");
  x = xlaBuilderConstantR2F32(b, a, 2, 3);
  xlaBuilderDot(b, x, x);
  builderExpectError(b, "contracting dimension 1 of lhs is 3");
}

/// 000: DotGeneral, the printed examples.
static void generalDots(void **state) {
  (void)state;
  const int64_t zero[] = {0}, one[] = {1}, two[] = {2}, both[] = {0, 0};
  XlaBuilder *b = builderNew("contracting");
  XlaOp lhs =
      xlaBuilderConstantR2F32(b, (const float[]){1, 2, 3, 4, 5, 6}, 2, 3);
  XlaOp rhs =
      xlaBuilderConstantR2F32(b, (const float[]){1, 1, 1, 2, 2, 2}, 2, 3);
  XlaDotDimensionNumbers numbers = {one, one, 1, NULL, NULL, 0};
  builderExpect(b, xlaBuilderDotGeneral(b, lhs, rhs, &numbers),
                XLA_SHAPE(F32, 2, 2), VALUES(6, 12, 15, 30));
  b = builderNew("batch");
  const float values[] = {1, 2, 3, 4, 5, 6, 7, 8};
  const float units[] = {1, 0, 0, 1, 1, 0, 0, 1};
  lhs = xlaBuilderReshape(b, xlaBuilderConstantR1F32(b, values, 8),
                          XLA_INTS(2, 2, 2));
  rhs = xlaBuilderReshape(b, xlaBuilderConstantR1F32(b, units, 8),
                          XLA_INTS(2, 2, 2));
  numbers = (XlaDotDimensionNumbers){two, one, 1, zero, zero, 1};
  builderExpectCompiled(b, xlaBuilderDotGeneral(b, lhs, rhs, &numbers),
                        XLA_SHAPE(F32, 2, 2, 2),
                        VALUES(1, 2, 3, 4, 5, 6, 7, 8));
  b = builderNew("twice");
  lhs = xlaBuilderConstantR1F32(b, values, 8);
  numbers = (XlaDotDimensionNumbers){both, both, 2, NULL, NULL, 0};
  xlaBuilderDotGeneral(b, lhs, lhs, &numbers);
  builderExpectError(b, "dimension 0 of lhs is listed twice");
  b = builderNew("null");
  lhs = xlaBuilderConstantR1F32(b, values, 8);
  xlaBuilderDotGeneral(b, lhs, lhs, NULL);
  builderExpectError(b, "the dimension numbers are NULL");
  b = builderNew("negative");
  lhs = xlaBuilderConstantR1F32(b, values, 8);
  numbers.nContracting = -2;
  xlaBuilderDotGeneral(b, lhs, lhs, &numbers);
  builderExpectError(b, "lhs_contracting_dimensions has -2 entries");
}

/// What is asked of products holds for all that follow, and convolutions.
static void precisions(void **state) {
  (void)state;
  const int64_t last[] = {0};
  const uint8_t a[] = {200, 100};
  XlaBuilder *b = builderNew("preferred");
  XlaOp x = xlaBuilderConstantR1U8(b, a, 2);
  XlaOp narrow = xlaBuilderDot(b, x, x);
  xlaBuilderSetPreferredElementType(b, XlaElementTypeS32);
  xlaBuilderSetPrecision(b, XlaPrecisionHighest, XlaPrecisionDefault);
  XlaOp wide = xlaBuilderDot(b, x, x);
  XlaDotDimensionNumbers numbers = {last, last, 1, NULL, NULL, 0};
  XlaOp general = xlaBuilderDotGeneral(b, x, x, &numbers);
  XlaOp image = xlaBuilderReshape(b, x, XLA_INTS(1, 1, 2));
  XlaOp sum =
      xlaBuilderConv(b, image, image, XLA_INTS(1), XlaPaddingValid, 1, 1);
  sum = xlaBuilderReshape(b, sum, NULL, 0);
  xlaBuilderSetPreferredElementType(b, XlaElementTypeInvalid);
  xlaBuilderSetPrecision(b, XlaPrecisionDefault, XlaPrecisionDefault);
  XlaOp again = xlaBuilderDot(b, x, x);
  XlaOp all[] = {xlaBuilderConvertElementType(b, narrow, XlaElementTypeS32),
                 wide, general, sum,
                 xlaBuilderConvertElementType(b, again, XlaElementTypeS32)};
  for (int i = 0; i < 5; ++i)
    all[i] = xlaBuilderReshape(b, all[i], XLA_INTS(1));
  XlaComputation *computation;
  assert_true(mlirLogicalResultIsSuccess(
      xlaBuilderBuild(b, xlaBuilderConcatInDim(b, all, 5, 0), &computation)));
  int precise = 0;
  char *text = xlaComputationPrint(computation);
  assert_non_null(text);
  for (const char *at = text;
       (at = strstr(at, "precision_config = [\"HIGHEST\", \"DEFAULT\"]")); ++at)
    ++precise;
  assert_int_equal(precise, 3);
  free(text);
  xlaComputationRelease(computation);
  xlaBuilderDestroy(b);
  b = builderNew("values");
  x = xlaBuilderConstantR1U8(b, a, 2);
  xlaBuilderSetPreferredElementType(b, XlaElementTypeS32);
  builderExpectCompiled(b, xlaBuilderDot(b, x, x), XLA_SHAPE(S32),
                        VALUES(50000));
  b = builderNew("no precision");
  xlaBuilderSetPrecision(b, XlaPrecisionDefault, (XlaPrecision)7);
  builderExpectError(b, "7 is no precision");
  b = builderNew("no type");
  xlaBuilderSetPreferredElementType(b, (XlaElementType)99);
  builderExpectError(b, "99 is no element type");
  b = builderNew("narrower");
  x = xlaBuilderConstantR1F32(b, (const float[]){1, 2}, 2);
  xlaBuilderSetPreferredElementType(b, XlaElementTypeS32);
  xlaBuilderDot(b, x, x);
  builderExpectError(b, "[dot_c3]");
}

//===----------------------------------------------------------------------===//
// Reductions and maps
//===----------------------------------------------------------------------===//

/// 000: Reduce, the 3D array of the printed examples: 1 to 6 in every plane.
static XlaOp planes(XlaBuilder *b) {
  XlaOp plane =
      xlaBuilderConstantR2F32(b, (const float[]){1, 2, 3, 4, 5, 6}, 2, 3);
  return xlaBuilderBroadcast(b, plane, XLA_INTS(4));
}

static void reductions(void **state) {
  (void)state;
  XlaComputation *sum = builderSum(XlaElementTypeF32);
  XlaBuilder *b = builderNew("one dimension");
  XlaOp x = xlaBuilderConstantR1F32(b, (const float[]){10, 11, 12, 13}, 4);
  XlaOp zero = xlaBuilderConstantR0F32(b, 0);
  builderExpect(b, xlaBuilderReduce(b, &x, &zero, 1, sum, XLA_INTS(0)),
                XLA_SHAPE(F32), VALUES(46));
  static const struct {
    int n;
    int64_t dims[3];
    int rank;
    int64_t shape[2];
    double values[8];
  } rows[] = {{1, {0}, 2, {2, 3}, {4, 8, 12, 16, 20, 24}},
              {1, {2}, 2, {4, 2}, {6, 15, 6, 15, 6, 15, 6, 15}},
              {2, {0, 1}, 1, {3}, {20, 28, 36}},
              {2, {1, 0}, 1, {3}, {20, 28, 36}},
              {3, {0, 1, 2}, 0, {0}, {84}}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    XlaShape shape = {.elementType = XlaElementTypeF32, .rank = rows[i].rank};
    memcpy(shape.dims, rows[i].shape, sizeof rows[i].shape);
    b = builderNew("planes");
    x = planes(b);
    zero = xlaBuilderConstantR0F32(b, 0);
    XlaOp y = xlaBuilderReduce(b, &x, &zero, 1, sum, rows[i].dims, rows[i].n);
    builderExpectCompiled(b, y, &shape, rows[i].values);
  }
  b = builderNew("all");
  zero = xlaBuilderConstantR0F32(b, 0);
  builderExpect(b, xlaBuilderReduceAll(b, planes(b), zero, sum), XLA_SHAPE(F32),
                VALUES(84));
  b = builderNew("no such dimension");
  x = planes(b);
  zero = xlaBuilderConstantR0F32(b, 0);
  xlaBuilderReduce(b, &x, &zero, 1, sum, XLA_INTS(3));
  builderExpectError(b, "[reduce_c4]");
  b = builderNew("other elements");
  x = xlaBuilderConstantR1S32(b, (const int32_t[]){1}, 1);
  zero = xlaBuilderConstantR0S32(b, 0);
  xlaBuilderReduceAll(b, x, zero, sum);
  builderExpectError(b, "[reduce_c6]");
  b = builderNew("no computation");
  x = planes(b);
  xlaBuilderReduceAll(b, x, xlaBuilderConstantR0F32(b, 0), NULL);
  builderExpectError(b, "xlaBuilderReduceAll: a computation is NULL");
  b = builderNew("no operands");
  xlaBuilderReduce(b, NULL, NULL, 0, sum, NULL, 0);
  builderExpectError(b, "[arity]");
  xlaComputationRelease(sum);
}

/// f(max, argmax, value, index), 000: Variadic Reduce.
static XlaComputation *largest(void) {
  XlaBuilder *b = builderNew("largest");
  XlaOp p[4], out[2];
  for (int i = 0; i < 4; ++i)
    p[i] = xlaBuilderParameter(b, i, i % 2 ? XLA_SHAPE(S32) : XLA_SHAPE(F32),
                               NULL);
  XlaOp newer = xlaBuilderGe(b, p[2], p[0], NULL, 0);
  for (int i = 0; i < 2; ++i)
    out[i] = xlaBuilderSelect(b, newer, p[2 + i], p[i]);
  return builderEnd(b, xlaBuilderTuple(b, out, 2));
}

static void variadicReductions(void **state) {
  (void)state;
  XlaComputation *f = largest();
  for (int64_t part = 0; part < 2; ++part) {
    XlaBuilder *b = builderNew("argmax");
    XlaOp arrays[] = {
        xlaBuilderConstantR2F32(b, (const float[]){3, 7, 5, 2, 1, 9}, 2, 3),
        xlaBuilderIota(b, XLA_SHAPE(S32, 2, 3), 1)};
    XlaOp inits[] = {xlaBuilderMinValue(b, XlaElementTypeF32),
                     xlaBuilderConstantR0S32(b, -1)};
    XlaOp both = xlaBuilderReduce(b, arrays, inits, 2, f, XLA_INTS(1));
    assert_string_equal(XLA_TYPE_TEXT(xlaBuilderGetType(b, both)),
                        "tuple<tensor<2xf32>, tensor<2xi32>>");
    XlaOp one = xlaBuilderGetTupleElement(b, both, part);
    if (part)
      builderExpectCompiled(b, one, XLA_SHAPE(S32, 2), VALUES(1, 2));
    else
      builderExpect(b, one, XLA_SHAPE(F32, 2), VALUES(7, 9));
  }
  XlaBuilder *b = builderNew("one array");
  XlaOp x = xlaBuilderConstantR1F32(b, (const float[]){1}, 1);
  xlaBuilderReduceAll(b, x, xlaBuilderConstantR0F32(b, 0), f);
  builderExpectError(b, "the region takes 4 scalars and returns 2");
  xlaComputationRelease(f);
}

/// The static operand is a whole array, of which the computation takes the sum.
static void maps(void **state) {
  (void)state;
  XlaComputation *sum = builderSum(XlaElementTypeF32);
  XlaBuilder *b = builderNew("body");
  XlaOp x = xlaBuilderParameter(b, 0, XLA_SHAPE(F32), "x");
  XlaOp y = xlaBuilderParameter(b, 1, XLA_SHAPE(F32), "y");
  XlaOp fixed = xlaBuilderParameter(b, 2, XLA_SHAPE(F32, 2), "fixed");
  XlaOp total =
      xlaBuilderReduceAll(b, fixed, xlaBuilderConstantR0F32(b, 0), sum);
  XlaComputation *body = builderEnd(
      b, xlaBuilderAdd(b, xlaBuilderMul(b, x, y, NULL, 0), total, NULL, 0));
  b = builderNew("map");
  XlaOp operands[] = {xlaBuilderConstantR1F32(b, (const float[]){1, 2, 3}, 3),
                      xlaBuilderConstantR1F32(b, (const float[]){4, 5, 6}, 3)};
  fixed = xlaBuilderConstantR1F32(b, (const float[]){10, 20}, 2);
  x = xlaBuilderMap(b, operands, 2, body, XLA_INTS(0), &fixed, 1);
  builderExpect(b, x, XLA_SHAPE(F32, 3), VALUES(34, 40, 48));
  b = builderNew("without");
  x = xlaBuilderConstantR1F32(b, (const float[]){1, 2, 3}, 3);
  x = xlaBuilderMap(b, XLA_OPS(x, x), sum, XLA_INTS(0), NULL, 0);
  builderExpectCompiled(b, x, XLA_SHAPE(F32, 3), VALUES(2, 4, 6));
  b = builderNew("wrong dimensions");
  x = xlaBuilderConstantR1F32(b, (const float[]){1, 2, 3}, 3);
  xlaBuilderMap(b, XLA_OPS(x, x), sum, XLA_INTS(1), NULL, 0);
  builderExpectError(b, "[map_c3]");
  b = builderNew("wrong count");
  x = xlaBuilderConstantR1F32(b, (const float[]){1, 2, 3}, 3);
  xlaBuilderMap(b, &x, 1, sum, XLA_INTS(0), NULL, 0);
  builderExpectError(b, "[map_c4]");
  xlaComputationRelease(sum);
  xlaComputationRelease(body);
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

static XlaOp stateParameter(XlaBuilder *b) {
  MlirType types[] = {xlaBuilderArrayType(b, XLA_SHAPE(S32)),
                      xlaBuilderArrayType(b, XLA_SHAPE(F32, 10))};
  return xlaBuilderParameterOfType(b, 0, xlaBuilderTupleType(b, types, 2),
                                   "state");
}

/// 000: While, the printed loop of 1,000 rounds.
static void loops(void **state) {
  (void)state;
  XlaBuilder *b = builderNew("condition");
  XlaOp t = stateParameter(b);
  XlaOp count = xlaBuilderGetTupleElement(b, t, 0);
  XlaOp most = xlaBuilderConstantR0S32(b, 1000);
  XlaComputation *condition =
      builderEnd(b, xlaBuilderLt(b, count, most, NULL, 0));
  b = builderNew("body");
  t = stateParameter(b);
  count = xlaBuilderAdd(b, xlaBuilderGetTupleElement(b, t, 0),
                        xlaBuilderConstantR0S32(b, 1), NULL, 0);
  XlaOp step = xlaBuilderConstantR0F32(b, 0.5f);
  XlaOp vector =
      xlaBuilderAdd(b, xlaBuilderGetTupleElement(b, t, 1), step, NULL, 0);
  XlaComputation *body =
      builderEnd(b, xlaBuilderTuple(b, XLA_OPS(count, vector)));
  b = builderNew("loop");
  XlaOp zero = xlaBuilderConstantR0F32(b, 0);
  XlaOp init =
      xlaBuilderTuple(b, XLA_OPS(xlaBuilderConstantR0S32(b, 0),
                                 xlaBuilderBroadcast(b, zero, XLA_INTS(10))));
  t = xlaBuilderWhile(b, condition, body, init);
  builderExpectCompiled(
      b, xlaBuilderGetTupleElement(b, t, 1), XLA_SHAPE(F32, 10),
      VALUES(500, 500, 500, 500, 500, 500, 500, 500, 500, 500));
  b = builderNew("wrong init");
  xlaBuilderWhile(b, condition, body, xlaBuilderConstantR0S32(b, 0));
  builderExpectError(b, "[while_c1]");
  b = builderNew("wrong condition");
  init = xlaBuilderTuple(
      b, XLA_OPS(xlaBuilderConstantR0S32(b, 0),
                 xlaBuilderBroadcast(b, xlaBuilderConstantR0F32(b, 0),
                                     XLA_INTS(10))));
  xlaBuilderWhile(b, body, body, init);
  builderExpectError(b, "the condition must return one tensor<i1>");
  xlaComputationRelease(condition);
  xlaComputationRelease(body);
}

/// x -> x * factor.
static XlaComputation *scale(float factor) {
  XlaBuilder *b = builderNew("scale");
  XlaOp x = xlaBuilderParameter(b, 0, XLA_SHAPE(F32), "x");
  return builderEnd(
      b, xlaBuilderMul(b, x, xlaBuilderConstantR0F32(b, factor), NULL, 0));
}

static void conditionals(void **state) {
  (void)state;
  XlaComputation *branches[] = {scale(2), scale(3), scale(5)};
  const XlaComputation *const *list = (const XlaComputation *const *)branches;
  for (int which = 0; which < 2; ++which) {
    XlaBuilder *b = builderNew("conditional");
    XlaOp seven = xlaBuilderConstantR0F32(b, 7);
    XlaOp one = xlaBuilderConstantR0F32(b, 1);
    XlaOp pred = xlaBuilderConstantR0Pred(b, which);
    XlaOp x = xlaBuilderConditional(b, pred, seven, list[0], one, list[1]);
    builderExpectCompiled(b, x, XLA_SHAPE(F32), which ? VALUES(14) : VALUES(3));
  }
  static const double expected[] = {5, 2, 3, 5, 5};
  for (int32_t index = -1; index < 4; ++index) {
    XlaBuilder *b = builderNew("switch");
    XlaOp one = xlaBuilderConstantR0F32(b, 1);
    XlaOp operands[] = {one, one, one};
    XlaOp x = xlaBuilderSwitch(b, xlaBuilderConstantR0S32(b, index), list,
                               operands, 3);
    builderExpect(b, x, XLA_SHAPE(F32), &expected[index + 1]);
  }
  XlaBuilder *b = builderNew("no pred");
  XlaOp one = xlaBuilderConstantR0F32(b, 1);
  xlaBuilderConditional(b, one, one, list[0], one, list[1]);
  builderExpectError(b, "pred is tensor<f32>");
  b = builderNew("no index");
  one = xlaBuilderConstantR0F32(b, 1);
  xlaBuilderSwitch(b, one, list, &one, 1);
  builderExpectError(b, "branchIndex is tensor<f32>, must be tensor<i32>");
  b = builderNew("other operand");
  one = xlaBuilderConstantR0S32(b, 1);
  xlaBuilderSwitch(b, one, list, &one, 1);
  builderExpectError(b, "[branches]");
  b = builderNew("negative");
  one = xlaBuilderConstantR0S32(b, 1);
  xlaBuilderSwitch(b, one, list, &one, -1);
  builderExpectError(b, "branchOperands has -1 entries");
  b = builderNew("none");
  one = xlaBuilderConstantR0S32(b, 1);
  xlaBuilderSwitch(b, one, NULL, NULL, 0);
  builderExpectError(b, "[arity]");
  for (int i = 0; i < 3; ++i)
    xlaComputationRelease(branches[i]);
}

//===----------------------------------------------------------------------===//
// Foreign code
//===----------------------------------------------------------------------===//

/// 000: CustomCall's myfunc: z[0][0] = x[1] + y[1][0], the rest 0.
static MlirLogicalResult myfunc(MlirOperation op, MlirStringRef target,
                                intptr_t nOperands,
                                const XlaLiteral *const *operands,
                                intptr_t nResults, XlaLiteral **results,
                                void *userData) {
  (void)op;
  ++*(int *)userData;
  assert_memory_equal(target.data, "myfunc", target.length);
  assert_int_equal(nOperands, 2);
  assert_int_equal(nResults, 1);
  XlaScalar z = xlaLiteralGet(operands[0], 1);
  z.f.re += xlaLiteralGet(operands[1], 3).f.re;
  results[0] = xlaLiteralCreateArray(XLA_SHAPE(F32, 3, 3));
  xlaLiteralSet(results[0], 0, z);
  return mlirLogicalResultSuccess();
}

static void customCalls(void **state) {
  (void)state;
  static const char *const devices[] = {"interpreter", "cpu"};
  for (int i = 0; i < 2; ++i) {
    int runs = 0;
    XlaClientOptions options = {
        .device = devices[i], .customCall = myfunc, .user = &runs};
    XlaClient *client;
    assert_null(xlaClientCreate(&options, &client));
    XlaBuilder *b = xlaBuilderCreate(xlaClientGetContext(client), "f");
    XlaOp x = xlaBuilderConstantR1F32(b, (const float[]){1, 2}, 2);
    XlaOp y = xlaBuilderConstantR2F32(
        b, (const float[]){10, 20, 30, 40, 50, 60}, 2, 3);
    MlirType type = xlaBuilderArrayType(b, XLA_SHAPE(F32, 3, 3));
    xlaBuilderCustomCall(b, "myfunc", XLA_OPS(x, y), type);
    XlaComputation *f = builderEnd(b, (XlaOp){0});
    XlaLoadedExecutable *executable;
    XlaLiteral *z;
    assert_null(xlaClientCompile(client, f, &executable));
    assert_null(xlaLoadedExecutableRun(executable, 0, NULL, &z));
    assert_true(xlaLiteralGet(z, 0).f.re == 42);
    assert_int_equal(runs, 1);
    xlaLiteralRelease(z);
    xlaLoadedExecutableDestroy(executable);
    xlaComputationRelease(f);
    xlaClientDestroy(client);
  }
  XlaBuilder *b = builderNew("no type");
  xlaBuilderCustomCall(b, "myfunc", NULL, 0, (MlirType){NULL});
  builderExpectError(b, "the type of the result is null");
  b = builderNew("no name");
  xlaBuilderCustomCall(b, NULL, NULL, 0, xlaBuilderTokenType(b));
  builderExpectError(b, "[custom_call_c1]");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tuples),       cmocka_unit_test(unusedTuples),
      cmocka_unit_test(barriers),     cmocka_unit_test(dots),
      cmocka_unit_test(generalDots),  cmocka_unit_test(precisions),
      cmocka_unit_test(reductions),   cmocka_unit_test(variadicReductions),
      cmocka_unit_test(maps),         cmocka_unit_test(loops),
      cmocka_unit_test(conditionals), cmocka_unit_test(customCalls),
  };
  return cmocka_run_group_tests(tests, builderSetUp, builderTearDown);
}
