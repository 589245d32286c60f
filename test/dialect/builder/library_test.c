//===- library_test.c - Building gathers, factors, bits, tokens -----------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/test/dialect/builder/builder_fixture.h"

#include "xlac/dialect/op.h"

//===----------------------------------------------------------------------===//
// Gather
//===----------------------------------------------------------------------===//

/// 000: Gather's first picture, smaller: slices [2,2] of [4,3] at places.
static void gathers(void **state) {
  (void)state;
  const int64_t offsets[] = {1, 2}, map[] = {0, 1}, zero[] = {0}, one[] = {1};
  XlaGatherDimensionNumbers numbers = {.offsetDims = offsets,
                                       .nOffsetDims = 2,
                                       .startIndexMap = map,
                                       .nStartIndexMap = 2,
                                       .indexVectorDim = 1};
  XlaBuilder *b = builderNew("slices");
  XlaOp x = xlaBuilderReshape(b, xlaBuilderIota(b, XLA_SHAPE(S32, 12), 0),
                              XLA_INTS(4, 3));
  XlaOp at = xlaBuilderConstantR2S64(b, (const int64_t[]){1, 0, 9, 1}, 2, 2);
  builderExpect(b, xlaBuilderGather(b, x, at, &numbers, XLA_INTS(2, 2), false),
                XLA_SHAPE(S32, 2, 2, 2), VALUES(3, 4, 6, 7, 7, 8, 10, 11));
  // Whole rows, as in the last picture.
  numbers = (XlaGatherDimensionNumbers){.offsetDims = one,
                                        .nOffsetDims = 1,
                                        .collapsedSliceDims = zero,
                                        .nCollapsedSliceDims = 1,
                                        .startIndexMap = zero,
                                        .nStartIndexMap = 1,
                                        .indexVectorDim = 1};
  b = builderNew("rows");
  x = xlaBuilderReshape(b, xlaBuilderIota(b, XLA_SHAPE(S32, 12), 0),
                        XLA_INTS(4, 3));
  at = xlaBuilderConstantR1S32(b, (const int32_t[]){0, 2}, 2);
  builderExpect(b, xlaBuilderGather(b, x, at, &numbers, XLA_INTS(1, 3), true),
                XLA_SHAPE(S32, 2, 3), VALUES(0, 1, 2, 6, 7, 8));
  b = builderNew("wrong");
  x = xlaBuilderIota(b, XLA_SHAPE(S32, 4, 3), 0);
  at = xlaBuilderConstantR1F32(b, (const float[]){0, 2}, 2);
  xlaBuilderGather(b, x, at, &numbers, XLA_INTS(1, 3), true);
  builderExpectError(b, "[gather_i2]");
  b = builderNew("wrong");
  x = xlaBuilderIota(b, XLA_SHAPE(S32, 4, 3), 0);
  xlaBuilderGather(b, x, x, NULL, XLA_INTS(1, 3), true);
  builderExpectError(b, "the dimension numbers are NULL");
  // In batches: element at[i] of row i.
  numbers = (XlaGatherDimensionNumbers){.startIndexMap = one,
                                        .nStartIndexMap = 1,
                                        .collapsedSliceDims = one,
                                        .nCollapsedSliceDims = 1,
                                        .operandBatchingDims = zero,
                                        .startIndicesBatchingDims = zero,
                                        .nBatchingDims = 1,
                                        .indexVectorDim = 1};
  b = builderNew("batches");
  x = xlaBuilderReshape(b, xlaBuilderIota(b, XLA_SHAPE(S32, 12), 0),
                        XLA_INTS(4, 3));
  at = xlaBuilderConstantR1S32(b, (const int32_t[]){0, 2, 1, 0}, 4);
  builderExpect(b, xlaBuilderGather(b, x, at, &numbers, XLA_INTS(1, 1), false),
                XLA_SHAPE(S32, 4), VALUES(0, 5, 7, 9));
}

//===----------------------------------------------------------------------===//
// Linear algebra
//===----------------------------------------------------------------------===//

/// The other triangle of the result is nobody's business.
static XlaOp triangle(XlaBuilder *b, XlaOp x, bool lower) {
  XlaOp mask = xlaBuilderConstantR2F32(
      b, (const float[]){1, lower ? 0.f : 1.f, lower ? 1.f : 0.f, 1}, 2, 2);
  return xlaBuilderMul(b, x, mask, NULL, 0);
}

static void factors(void **state) {
  (void)state;
  const float a[] = {4, 2, 2, 5};
  for (int lower = 0; lower < 2; ++lower) {
    XlaBuilder *b = builderNew("cholesky");
    XlaOp x = xlaBuilderCholesky(b, xlaBuilderConstantR2F32(b, a, 2, 2), lower);
    builderExpect(b, triangle(b, x, lower), XLA_SHAPE(F32, 2, 2),
                  lower ? VALUES(2, 0, 1, 2) : VALUES(2, 1, 0, 2));
  }
  XlaBuilder *b = builderNew("cholesky");
  xlaBuilderCholesky(b, xlaBuilderConstantR1F32(b, a, 4), true);
  builderExpectError(b, "[cholesky_c2]");
}

static void solutions(void **state) {
  (void)state;
  static const struct {
    bool leftSide, lower, unitDiagonal;
    XlaTranspose transpose;
    double x[2];
  } rows[] = {
      // a is {2 3, 1 4}, of which one triangle counts; the right side {8, 12}.
      {true, true, false, XlaTransposeNoTranspose, {4, 2}},
      {true, false, false, XlaTransposeNoTranspose, {-0.5, 3}},
      {true, true, true, XlaTransposeNoTranspose, {8, 4}},
      {true, true, false, XlaTransposeTranspose, {2.5, 3}},
      {true, true, false, XlaTransposeAdjoint, {2.5, 3}},
      {false, true, false, XlaTransposeNoTranspose, {2.5, 3}},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    bool left = rows[i].leftSide;
    XlaBuilder *b = builderNew("solve");
    XlaOp a = xlaBuilderConstantR2F32(b, (const float[]){2, 3, 1, 4}, 2, 2);
    XlaOp y = xlaBuilderConstantR2F32(b, (const float[]){8, 12}, left ? 2 : 1,
                                      left ? 1 : 2);
    builderExpect(
        b,
        xlaBuilderTriangularSolve(b, a, y, left, rows[i].lower,
                                  rows[i].unitDiagonal, rows[i].transpose),
        left ? XLA_SHAPE(F32, 2, 1) : XLA_SHAPE(F32, 1, 2), rows[i].x);
  }
  XlaBuilder *b = builderNew("solve");
  XlaOp a = xlaBuilderConstantR2F32(b, (const float[]){2, 3, 1, 4}, 2, 2);
  xlaBuilderTriangularSolve(b, a, xlaBuilderConstantR0F32(b, 1), true, true,
                            true, XlaTransposeAdjoint);
  builderExpectError(b, "[triangular_solve_c2]");
  b = builderNew("solve");
  a = xlaBuilderConstantR2F32(b, (const float[]){2, 3, 1, 4}, 2, 2);
  xlaBuilderTriangularSolve(b, a, a, true, true, true, (XlaTranspose)3);
  builderExpectError(b, "there is no transpose_a number 3");
}

static void transforms(void **state) {
  (void)state;
  XlaBuilder *b = builderNew("rfft");
  XlaOp x = xlaBuilderConstantR1F32(b, (const float[]){1, 2, 3, 4}, 4);
  XlaOp y = xlaBuilderFft(b, x, XlaFftTypeRfft, XLA_INTS(4));
  assert_string_equal(XLA_TYPE_TEXT(xlaBuilderGetType(b, y)),
                      "tensor<3xcomplex<f32>>");
  builderExpect(b, xlaBuilderImag(b, y), XLA_SHAPE(F32, 3), VALUES(0, 2, 0));
  b = builderNew("irfft");
  x = xlaBuilderConstantR1F32(b, (const float[]){10, -2, -2}, 3);
  y = xlaBuilderConstantR1F32(b, (const float[]){0, 2, 0}, 3);
  x = xlaBuilderComplex(b, x, y, NULL, 0);
  builderExpect(b, xlaBuilderFft(b, x, XlaFftTypeIrfft, XLA_INTS(4)),
                XLA_SHAPE(F32, 4), VALUES(1, 2, 3, 4));
  for (int inverse = 0; inverse < 2; ++inverse) {
    b = builderNew("fft");
    x = xlaBuilderConstantR1F32(b, (const float[]){1, 0}, 2);
    y = xlaBuilderConstantR1F32(b, (const float[]){0, 4}, 2);
    x = xlaBuilderComplex(b, x, y, NULL, 0);
    y = xlaBuilderFft(b, x, inverse ? XlaFftTypeIfft : XlaFftTypeFft,
                      XLA_INTS(2));
    builderExpect(b, xlaBuilderImag(b, y), XLA_SHAPE(F32, 2),
                  inverse ? VALUES(2, -2) : VALUES(4, -4));
  }
  b = builderNew("fft");
  x = xlaBuilderConstantR1F32(b, (const float[]){1, 0}, 2);
  xlaBuilderFft(b, x, XlaFftTypeFft, XLA_INTS(2));
  builderExpectError(b, "[fft_c2]");
  b = builderNew("fft");
  x = xlaBuilderConstantR1F32(b, (const float[]){1, 0}, 2);
  xlaBuilderFft(b, x, (XlaFftType)4, XLA_INTS(2));
  builderExpectError(b, "there is no fft_type number 4");
}

//===----------------------------------------------------------------------===//
// Normalization
//===----------------------------------------------------------------------===//

static XlaOp pair(XlaBuilder *b, float x, float y) {
  return xlaBuilderConstantR1F32(b, (const float[]){x, y}, 2);
}

/// Features [1, 3, 5, 7] (mean 4, variance 5) and [0, 2, 0, 2] (1 and 1).
static XlaOp features(XlaBuilder *b) {
  return xlaBuilderConstantR2F32(b, (const float[]){1, 0, 3, 2, 5, 0, 7, 2}, 4,
                                 2);
}

/// 000's formulas; with epsilon 4 the first root is 3, with 3 the second is 2.
static void normalizations(void **state) {
  (void)state;
  for (int64_t part = 0; part < 3; ++part) {
    XlaBuilder *b = builderNew("training");
    XlaOp x = xlaBuilderBatchNormTraining(b, features(b), pair(b, 3, 0),
                                          pair(b, 1, 10), 4, 1);
    x = xlaBuilderGetTupleElement(b, x, part);
    builderExpect(b, x, part ? XLA_SHAPE(F32, 2) : XLA_SHAPE(F32, 4, 2),
                  part == 0   ? VALUES(-2, 10, 0, 10, 2, 10, 4, 10)
                  : part == 1 ? VALUES(4, 1)
                              : VALUES(5, 1));
    b = builderNew("grad");
    x = xlaBuilderBatchNormGrad(b, features(b), pair(b, 3, 2), pair(b, 4, 1),
                                pair(b, 5, 1), features(b), 4, 1);
    // c = 5 / 9 and 1 / 5, d = 4 and 1.
    x = xlaBuilderGetTupleElement(b, x, part);
    double first = 1 - 5. / 9, second = 2 / 2.2360679775 * (1 - 1. / 5);
    double grads[] = {-3 * first, -second, -first,    second,
                      first,      -second, 3 * first, second};
    builderExpect(b, x, part ? XLA_SHAPE(F32, 2) : XLA_SHAPE(F32, 4, 2),
                  part == 0   ? grads
                  : part == 1 ? VALUES(20. / 3, 4 / 2.2360679775)
                              : VALUES(16, 4));
  }
  XlaBuilder *b = builderNew("inference");
  XlaOp x = xlaBuilderBatchNormInference(b, features(b), pair(b, 3, 2),
                                         pair(b, 1, 10), pair(b, 1, 0),
                                         pair(b, 6, 1), 3, 1);
  builderExpect(b, x, XLA_SHAPE(F32, 4, 2), VALUES(1, 10, 3, 12, 5, 10, 7, 12));
  b = builderNew("no such feature");
  xlaBuilderBatchNormTraining(b, features(b), pair(b, 1, 1), pair(b, 1, 1), 1,
                              2);
  builderExpectError(b, "[batch_norm_training_c1]");
  b = builderNew("other types");
  xlaBuilderBatchNormInference(b, features(b), pair(b, 1, 1), pair(b, 1, 1),
                               pair(b, 1, 1),
                               xlaBuilderIota(b, XLA_SHAPE(S32, 2), 0), 1, 1);
  builderExpectError(b, "[batch_norm_inference_c2]");
  b = builderNew("other shape");
  xlaBuilderBatchNormGrad(b, features(b), pair(b, 1, 1), pair(b, 1, 1),
                          pair(b, 1, 1), pair(b, 1, 1), 1, 1);
  builderExpectError(b, "[batch_norm_grad_c3]");
}

//===----------------------------------------------------------------------===//
// Random bits
//===----------------------------------------------------------------------===//

/// The known answer of ThreeFry 2x32, 20 rounds, for key and counter 0 in the
/// authors' test vectors (Random123).
static void randomBits(void **state) {
  (void)state;
  for (int64_t part = 0; part < 2; ++part) {
    XlaBuilder *b = builderNew("bits");
    XlaOp zeros = xlaBuilderConstantR1U64(b, (const uint64_t[]){0, 0}, 2);
    XlaOp both = xlaBuilderRngBitGenerator(b, XlaRandomAlgorithmThreeFry, zeros,
                                           XLA_SHAPE(U32, 2));
    assert_string_equal(XLA_TYPE_TEXT(xlaBuilderGetType(b, both)),
                        "tuple<tensor<2xui64>, tensor<2xui32>>");
    XlaOp one = xlaBuilderGetTupleElement(b, both, part);
    builderExpectCompiled(b, one, part ? XLA_SHAPE(U32, 2) : XLA_SHAPE(U64, 2),
                          part ? VALUES(0x6b200159, 0x99ba4efe) : VALUES(0, 1));
  }
  XlaBuilder *b = builderNew("bits");
  XlaOp zeros = xlaBuilderConstantR1U64(b, (const uint64_t[]){0, 0}, 2);
  xlaBuilderRngBitGenerator(b, (XlaRandomAlgorithm)-1, zeros,
                            XLA_SHAPE(U32, 2));
  builderExpectError(b, "there is no rng_algorithm number -1");
  b = builderNew("bits");
  zeros = xlaBuilderConstantR1U64(b, (const uint64_t[]){0}, 1);
  xlaBuilderRngBitGenerator(b, XlaRandomAlgorithmPhilox, zeros,
                            XLA_SHAPE(U32, 2));
  builderExpectError(b, "[rng_bit_generator_c2]");
}

/// Whether the mean of x is near `mean`, and that of its square near `square`.
static XlaOp hasMoments(XlaBuilder *b, XlaOp x, int n, float mean,
                        float square) {
  XlaComputation *sum = builderSum(XlaElementTypeF32);
  XlaOp zero = xlaBuilderConstantR0F32(b, 0), moments[2] = {x, x};
  moments[1] = xlaBuilderMul(b, x, x, NULL, 0);
  for (int i = 0; i < 2; ++i) {
    XlaOp total = xlaBuilderReduceAll(b, moments[i], zero, sum);
    XlaOp wanted = xlaBuilderConstantR0F32(b, (float)n * (i ? square : mean));
    XlaOp error = xlaBuilderAbs(b, xlaBuilderSub(b, total, wanted, NULL, 0));
    moments[i] = xlaBuilderLt(
        b, error, xlaBuilderConstantR0F32(b, 0.1f * (float)n), NULL, 0);
  }
  xlaComputationRelease(sum);
  return xlaBuilderAnd(b, moments[0], moments[1], NULL, 0);
}

static void randomNumbers(void **state) {
  (void)state;
  enum { n = 10000 };
  XlaBuilder *b = builderNew("uniform");
  XlaOp low = xlaBuilderConstantR0F32(b, -1);
  XlaOp high = xlaBuilderConstantR0F32(b, 3);
  XlaOp x = xlaBuilderRngUniform(b, low, high, XLA_SHAPE(F32, n));
  builderExpectCompiled(b, hasMoments(b, x, n, 1, 7.f / 3), XLA_SHAPE(Pred),
                        VALUES(1));
  b = builderNew("within");
  low = xlaBuilderConstantR0S32(b, 5);
  x = xlaBuilderRngUniform(b, low, xlaBuilderConstantR0S32(b, 6),
                           XLA_SHAPE(S32, 2, 2));
  builderExpect(b, x, XLA_SHAPE(S32, 2, 2), VALUES(5, 5, 5, 5));
  b = builderNew("normal");
  x = xlaBuilderRngNormal(b, xlaBuilderConstantR0F32(b, 2),
                          xlaBuilderConstantR0F32(b, 0.5f), XLA_SHAPE(F32, n));
  builderExpectCompiled(b, hasMoments(b, x, n, 2, 4.25f), XLA_SHAPE(Pred),
                        VALUES(1));
  b = builderNew("vectors");
  x = pair(b, 0, 1);
  xlaBuilderRngUniform(b, x, x, XLA_SHAPE(F32, 2));
  builderExpectError(b, "[rng_uniform_c1]");
  b = builderNew("other types");
  low = xlaBuilderConstantR0F32(b, 0);
  xlaBuilderRngNormal(b, low, low, XLA_SHAPE(F64, 2));
  builderExpectError(b, "[rng_normal_c2]");
  b = builderNew("no shape");
  low = xlaBuilderConstantR0F32(b, 0);
  xlaBuilderRngNormal(b, low, low, NULL);
  builderExpectError(b, "the shape is NULL");
}

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

static void tokens(void **state) {
  (void)state;
  XlaBuilder *b = builderNew("tokens");
  XlaOp some[] = {xlaBuilderCreateToken(b), xlaBuilderAfterAll(b, NULL, 0)};
  XlaOp all = xlaBuilderAfterAll(b, some, 2);
  assert_true(xlaTypeIsToken(xlaBuilderGetType(b, all)));
  XlaOp pair = xlaBuilderTuple(b, XLA_OPS(all, xlaBuilderConstantR0F32(b, 1)));
  builderExpect(b, xlaBuilderGetTupleElement(b, pair, 1), XLA_SHAPE(F32),
                VALUES(1));
  b = builderNew("tokens");
  xlaBuilderAfterAll(b, XLA_OPS(xlaBuilderConstantR0F32(b, 1)));
  builderExpectError(b, "[after_all_c1]");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(gathers),        cmocka_unit_test(factors),
      cmocka_unit_test(solutions),      cmocka_unit_test(transforms),
      cmocka_unit_test(randomBits),     cmocka_unit_test(randomNumbers),
      cmocka_unit_test(normalizations), cmocka_unit_test(tokens),
  };
  return cmocka_run_group_tests(tests, builderSetUp, builderTearDown);
}
