//===- builder_test.c - Builders, their errors and computations -----------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/test/dialect/builder/builder_fixture.h"

#include "xlac/dialect/dialect.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Wrong uses
//===----------------------------------------------------------------------===//

static void nothingCrashesOnNothing(void **state) {
  (void)state;
  XlaOp none = {0};
  XlaComputation *computation = NULL;
  XlaShape shape;
  assert_null(xlaBuilderCreate((MlirContext){NULL}, "f"));
  xlaBuilderDestroy(NULL);
  xlaBuilderSetLocation(NULL, "f", "f", 1);
  xlaBuilderSetError(NULL, "f");
  assert_true(
      mlirLogicalResultIsFailure(xlaBuilderBuild(NULL, none, &computation)));
  assert_string_equal(xlaBuilderGetError(NULL), "no builder");
  assert_true(mlirTypeIsNull(xlaBuilderGetType(NULL, none)));
  assert_false(xlaBuilderGetShape(NULL, none, &shape));
  assert_true(mlirTypeIsNull(xlaBuilderArrayType(NULL, NULL)));
  assert_true(mlirTypeIsNull(xlaBuilderTokenType(NULL)));
  assert_null(xlaBuilderAdd(NULL, none, none, NULL, 0).builder);
  assert_null(xlaBuilderParameter(NULL, 0, NULL, NULL).builder);
  assert_null(xlaBuilderCollapse(NULL, none, NULL, 0).builder);
  assert_null(xlaBuilderMap(NULL, NULL, 1, NULL, NULL, 1, NULL, 1).builder);
  assert_null(xlaBuilderDotGeneral(NULL, none, none, NULL).builder);
  assert_null(xlaBuilderCall(NULL, NULL, NULL, 1).builder);
  assert_string_equal(xlaComputationGetName(NULL), "");
  assert_int_equal(xlaComputationGetNumParameters(NULL), 0);
  assert_true(mlirTypeIsNull(xlaComputationGetParameterType(NULL, 0)));
  assert_true(mlirTypeIsNull(xlaComputationGetResultType(NULL)));
  assert_true(mlirContextIsNull(xlaComputationGetContext(NULL)));
  assert_true(mlirModuleIsNull(xlaComputationCreateModule(NULL)));
  assert_null(xlaComputationPrint(NULL));
  assert_null(xlaComputationRetain(NULL));
  xlaComputationRelease(NULL);
}

static void nullOps(void **state) {
  (void)state;
  XlaBuilder *b = builderNew("f");
  XlaOp x = xlaBuilderConstantR0F32(b, 1), none = {0};
  xlaBuilderAdd(b, x, none, NULL, 0);
  builderExpectError(b,
                     "op 2 of 'f', xlaBuilderAdd: an operand is the null op");
}

static void opsOfOthers(void **state) {
  (void)state;
  XlaBuilder *a = builderNew("a"), *b = builderNew("b");
  XlaOp x = xlaBuilderConstantR0F32(a, 1);
  assert_true(mlirTypeIsNull(xlaBuilderGetType(b, x)));
  xlaBuilderNeg(b, x);
  builderExpectError(
      b, "op 1 of 'b', xlaBuilderNeg: an operand, op 1, is of another builder");
  XlaOp forged = {a, 17};
  xlaBuilderNeg(a, forged);
  builderExpectError(a, "an operand is op 17, which is not there");
  a = builderNew("a");
  b = builderNew("b");
  XlaComputation *computation;
  assert_true(mlirLogicalResultIsFailure(xlaBuilderBuild(b, x, &computation)));
  builderExpectError(b, "no ops");
  xlaBuilderDestroy(a);
}

static void rootsOfOthers(void **state) {
  (void)state;
  XlaBuilder *a = builderNew("a"), *b = builderNew("b");
  XlaOp x = xlaBuilderConstantR0F32(a, 1);
  XlaComputation *computation;
  xlaBuilderConstantR0F32(b, 1);
  assert_true(mlirLogicalResultIsFailure(xlaBuilderBuild(b, x, &computation)));
  builderExpectError(b,
                     "'b', xlaBuilderBuild: an operand, op 1, is of another");
  xlaBuilderDestroy(a);
}

static void negativeCounts(void **state) {
  (void)state;
  XlaBuilder *b = builderNew("f");
  XlaOp x = xlaBuilderConstantR0F32(b, 1);
  xlaBuilderBroadcast(b, x, NULL, -3);
  builderExpectError(b, "broadcast_sizes has -3 entries");
  b = builderNew("f");
  xlaBuilderTuple(b, NULL, -1);
  builderExpectError(b, "elements has -1 entries");
  b = builderNew("f");
  xlaBuilderTuple(b, NULL, 1);
  builderExpectError(b, "elements is NULL and has 1 entries");
  b = builderNew("f");
  xlaBuilderConstantR1F32(b, NULL, -1);
  builderExpectError(b, "dimension 0 of the shape is -1");
  b = builderNew("f");
  xlaBuilderConstantR1F32(b, NULL, 1);
  builderExpectError(b, "the values are NULL");
  b = builderNew("f");
  xlaBuilderConstantR2S32(b, NULL, INT64_MAX / 2, INT64_MAX / 2);
  builderExpectError(b, "larger than 2^62 bytes");
  b = builderNew("f");
  xlaBuilderTupleType(b, NULL, -2);
  builderExpectError(b, "types has -2 entries");
}

static void shapes(void **state) {
  (void)state;
  XlaShape shape = {.elementType = XlaElementTypeCount};
  XlaBuilder *b = builderNew("f");
  xlaBuilderParameter(b, 0, &shape, "x");
  builderExpectError(b, "element type number");
  b = builderNew("f");
  xlaBuilderParameter(b, 0, NULL, "x");
  builderExpectError(b, "the shape is NULL");
  b = builderNew("f");
  shape = (XlaShape){.elementType = XlaElementTypeF32, .rank = 33};
  xlaBuilderParameter(b, 0, &shape, "x");
  builderExpectError(b, "rank 33, must be in [0, 32]");
  b = builderNew("f");
  xlaBuilderParameter(b, 0, XLA_SHAPE(F32, 2, -1), "x");
  builderExpectError(b, "dimension 1 of the shape is -1");
  b = builderNew("f");
  xlaBuilderParameterOfType(b, 0, (MlirType){NULL}, "x");
  builderExpectError(b, "type is null");
  b = builderNew("f");
  xlaBuilderParameterOfType(
      b, 0,
      mlirTypeParseGet(builderContext(),
                       mlirStringRefCreateFromCString("index")),
      "x");
  builderExpectError(b, "type is index, must be an array");
}

static void parameters(void **state) {
  (void)state;
  XlaBuilder *b = builderNew("f");
  xlaBuilderParameter(b, 1, XLA_SHAPE(F32), "x");
  xlaBuilderParameter(b, 1, XLA_SHAPE(F32), "y");
  builderExpectError(b, "there is a parameter 1 already");
  b = builderNew("f");
  xlaBuilderParameter(b, -1, XLA_SHAPE(F32), "x");
  builderExpectError(b, "the parameter's number is -1");
  b = builderNew("f");
  XlaComputation *computation;
  xlaBuilderParameter(b, 0, XLA_SHAPE(F32), "x");
  xlaBuilderParameter(b, 2, XLA_SHAPE(F32), "z");
  assert_true(
      mlirLogicalResultIsFailure(xlaBuilderBuild(b, (XlaOp){0}, &computation)));
  builderExpectError(b, "there is a parameter 2, but no parameter 1");
}

static void firstErrorStays(void **state) {
  (void)state;
  XlaBuilder *b = builderNew("layer");
  XlaOp x = xlaBuilderParameter(b, 0, XLA_SHAPE(F32, 7, 2, 5), "x");
  XlaOp y = xlaBuilderParameter(b, 1, XLA_SHAPE(F32, 7, 2, 6), "y");
  assert_null(xlaBuilderGetError(b));
  XlaOp wrong = xlaBuilderAdd(b, x, y, NULL, 0);
  assert_null(wrong.builder);
  assert_int_equal(xlaBuilderNeg(b, wrong).number, 0);
  assert_int_equal(xlaBuilderNeg(b, x).number, 0);
  assert_int_equal(xlaBuilderTranspose(b, x, NULL, 8).number, 0);
  const char *error = xlaBuilderGetError(b);
  assert_non_null(
      strstr(error, "op 3 of 'layer', xlaBuilderAdd: 'xla.add' op"));
  assert_non_null(strstr(error, "[broadcast]"));
  builderExpectError(b, "xlaBuilderAdd");
}

static void ownErrors(void **state) {
  (void)state;
  XlaBuilder *b = builderNew("f");
  xlaBuilderSetError(b, "no such layer");
  xlaBuilderSetError(b, "another");
  builderExpectError(b, "no such layer");
}

static void places(void **state) {
  (void)state;
  XlaBuilder *b = builderNew("f");
  XlaOp x = xlaBuilderParameter(b, 0, XLA_SHAPE(F32, 2), "x");
  xlaBuilderSetLocation(b, "dense/matmul", "model.py", 12);
  xlaBuilderDot(b, x, xlaBuilderConstantR0F32(b, 1));
  builderExpectError(b, "(dense/matmul, model.py:12)");
  b = builderNew("f");
  xlaBuilderSetLocation(b, NULL, "model.py", 13);
  xlaBuilderTuple(b, NULL, -1);
  builderExpectError(b, "(model.py:13)");
  b = builderNew("f");
  xlaBuilderSetLocation(b, "dense", NULL, 0);
  xlaBuilderTuple(b, NULL, -1);
  builderExpectError(b, "(dense)");
  b = builderNew("f");
  xlaBuilderSetLocation(b, "dense", "model.py", 14);
  xlaBuilderSetLocation(b, NULL, NULL, 0);
  xlaBuilderTuple(b, NULL, -1);
  assert_null(strstr(xlaBuilderGetError(b), "("));
  builderExpectError(b, "-1 entries");
}

static void contextWithoutDialect(void **state) {
  (void)state;
  MlirContext context = mlirContextCreate();
  XlaBuilder *b = xlaBuilderCreate(context, "f");
  assert_null(xlaBuilderConstantR0F32(b, 1).builder);
  assert_string_equal(xlaBuilderGetError(b),
                      "op 1 of 'f', xlaBuilderCreate: the context lacks the "
                      "dialect xla or func");
  xlaBuilderDestroy(b);
  mlirContextDestroy(context);
}

static void otherContexts(void **state) {
  (void)state;
  XlaComputation *sum = builderSum(XlaElementTypeF32);
  MlirContext context = xlaBuilderCreateContext();
  XlaBuilder *b = xlaBuilderCreate(context, "f");
  XlaOp x = xlaBuilderConstantR0F32(b, 1);
  xlaBuilderCall(b, sum, XLA_OPS(x, x));
  assert_non_null(strstr(xlaBuilderGetError(b), "'sum' is of another context"));
  xlaBuilderDestroy(b);
  mlirContextDestroy(context);
  xlaComputationRelease(sum);
}

//===----------------------------------------------------------------------===//
// Right uses
//===----------------------------------------------------------------------===//

static void parametersInAnyOrder(void **state) {
  (void)state;
  XlaBuilder *b = builderNew("f");
  XlaOp z = xlaBuilderParameter(b, 2, XLA_SHAPE(S32, 3), "z");
  XlaOp x = xlaBuilderParameter(b, 0, XLA_SHAPE(S32, 1), NULL);
  XlaOp sum = xlaBuilderAdd(b, z, x, NULL, 0);
  XlaOp y = xlaBuilderParameter(b, 1, XLA_SHAPE(F32, 2), "y");
  XlaComputation *f = builderEnd(b, xlaBuilderTuple(b, XLA_OPS(sum, y)));
  assert_int_equal(xlaComputationGetNumParameters(f), 3);
  const char *const wanted[] = {"tensor<1xi32>", "tensor<2xf32>",
                                "tensor<3xi32>"};
  for (int i = 0; i < 3; ++i)
    assert_string_equal(XLA_TYPE_TEXT(xlaComputationGetParameterType(f, i)),
                        wanted[i]);
  assert_true(mlirTypeIsNull(xlaComputationGetParameterType(f, 3)));
  assert_true(mlirTypeIsNull(xlaComputationGetParameterType(f, -1)));
  assert_string_equal(XLA_TYPE_TEXT(xlaComputationGetResultType(f)),
                      "tuple<tensor<3xi32>, tensor<2xf32>>");
  assert_string_equal(xlaComputationGetName(f), "f");
  assert_true(mlirContextEqual(xlaComputationGetContext(f), builderContext()));
  xlaComputationRelease(f);
}

static void lastOpIsTheRoot(void **state) {
  (void)state;
  XlaBuilder *b = builderNew(NULL);
  xlaBuilderNeg(b, xlaBuilderConstantR0F32(b, 3));
  XlaComputation *f;
  assert_true(mlirLogicalResultIsSuccess(xlaBuilderBuild(b, (XlaOp){0}, &f)));
  char *text = xlaComputationPrint(f);
  assert_non_null(strstr(text, "xla.negate"));
  assert_non_null(strstr(text, "func.func @main() -> tensor<f32>"));
  free(text);
  xlaComputationRelease(f);
  // Once only.
  assert_true(mlirLogicalResultIsFailure(xlaBuilderBuild(b, (XlaOp){0}, &f)));
  assert_non_null(strstr(xlaBuilderGetError(b), "has been built already"));
  assert_null(xlaBuilderConstantR0F32(b, 1).builder);
  xlaBuilderDestroy(b);
}

static void types(void **state) {
  (void)state;
  XlaBuilder *b = builderNew("f");
  MlirType array = xlaBuilderArrayType(b, XLA_SHAPE(U8, 2, 0));
  MlirType token = xlaBuilderTokenType(b);
  MlirType inner = xlaBuilderTupleType(b, NULL, 0);
  MlirType all[] = {array, token, inner};
  MlirType tuple = xlaBuilderTupleType(b, all, 3);
  XlaOp x = xlaBuilderParameterOfType(b, 0, tuple, "x");
  XlaShape shape;
  assert_false(xlaBuilderGetShape(b, x, &shape));
  assert_string_equal(XLA_TYPE_TEXT(xlaBuilderGetType(b, x)),
                      "tuple<tensor<2x0xui8>, !xla.token, tuple<>>");
  XlaOp first = xlaBuilderGetTupleElement(b, x, 0);
  assert_true(xlaBuilderGetShape(b, first, &shape));
  assert_int_equal(shape.rank, 2);
  assert_int_equal(shape.elementType, XlaElementTypeU8);
  xlaComputationRelease(builderEnd(b, x));
  b = builderNew("f");
  all[1] = (MlirType){NULL};
  assert_true(mlirTypeIsNull(xlaBuilderTupleType(b, all, 3)));
  builderExpectError(b, "type 1 is null");
}

static void constants(void **state) {
  (void)state;
  XlaBuilder *b = builderNew("f");
  XlaOp a = xlaBuilderConstantR2S16(b, (const int16_t[]){1, -2, 3, 4}, 2, 2);
  builderExpect(b, a, XLA_SHAPE(S16, 2, 2), VALUES(1, -2, 3, 4));
  b = builderNew("f");
  a = xlaBuilderConstantR1Pred(b, (const bool[]){true, false, true}, 3);
  builderExpect(b, a, XLA_SHAPE(Pred, 3), VALUES(1, 0, 1));
  b = builderNew("f");
  builderExpect(b, xlaBuilderConstantR1F64(b, NULL, 0), XLA_SHAPE(F64, 0),
                NULL);
#define XLA_C_TYPE(ElementType, type)                                          \
  b = builderNew("f");                                                         \
  a = xlaBuilderConstantR0##ElementType(b, (type)1);                           \
  builderExpect(b, a, XLA_SHAPE(ElementType), VALUES(1));                      \
  b = builderNew("f");                                                         \
  a = xlaBuilderConstantR1##ElementType(b, (const type[]){1, 0}, 2);           \
  builderExpect(b, a, XLA_SHAPE(ElementType, 2), VALUES(1, 0));                \
  b = builderNew("f");                                                         \
  a = xlaBuilderConstantR2##ElementType(b, (const type[]){1, 0, 1}, 3, 1);     \
  builderExpect(b, a, XLA_SHAPE(ElementType, 3, 1), VALUES(1, 0, 1));
#include "xlac/dialect/builder/c_types.def"
  b = builderNew("f");
  a = xlaBuilderConstantR1F32(b, (const float[]){NAN, -0.0f, -INFINITY}, 3);
  builderExpect(b, a, XLA_SHAPE(F32, 3), VALUES(NAN, -0.0, -INFINITY));
}

static void extremes(void **state) {
  (void)state;
  static const struct {
    XlaElementType type;
    double least, most;
  } rows[] = {{XlaElementTypePred, 0, 1},
              {XlaElementTypeS2, -2, 1},
              {XlaElementTypeS8, -128, 127},
              {XlaElementTypeS64, -0x1p63, 0x1p63},
              {XlaElementTypeU64, 0, 0x1p64},
              {XlaElementTypeU4, 0, 15},
              {XlaElementTypeF32, -INFINITY, INFINITY},
              {XlaElementTypeBF16, -INFINITY, INFINITY},
              {XlaElementTypeF8E4M3FN, -448, 448},
              {XlaElementTypeF4E2M1FN, -6, 6},
              {XlaElementTypeF8E8M0FNU, 0x1p-127, 0x1p127}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    XlaShape scalar = {.elementType = rows[i].type};
    XlaBuilder *b = builderNew("f");
    builderExpect(b, xlaBuilderMinValue(b, rows[i].type), &scalar,
                  &rows[i].least);
    b = builderNew("f");
    builderExpect(b, xlaBuilderMaxValue(b, rows[i].type), &scalar,
                  &rows[i].most);
  }
  XlaBuilder *b = builderNew("f");
  xlaBuilderMaxValue(b, XlaElementTypeC64);
  builderExpectError(b, "c64 has no order");
  b = builderNew("f");
  xlaBuilderMinValue(b, XlaElementTypeInvalid);
  builderExpectError(b, "element type number 0");
}

static void scalars(void **state) {
  (void)state;
  XlaBuilder *b = builderNew("f");
  builderExpect(b, xlaBuilderConstantScalar(b, XlaElementTypeS8, 1000),
                XLA_SHAPE(S8), VALUES(127));
  b = builderNew("f");
  builderExpect(b, xlaBuilderConstantScalar(b, XlaElementTypeBF16, 1.001),
                XLA_SHAPE(BF16), VALUES(1));
  b = builderNew("f");
  builderExpect(b, xlaBuilderConstantScalar(b, XlaElementTypeC64, -2.5),
                XLA_SHAPE(C64), VALUES(-2.5));
  b = builderNew("f");
  xlaBuilderConstantScalar(b, (XlaElementType)-1, 0);
  builderExpectError(b, "element type number");
}

static void literals(void **state) {
  (void)state;
  XlaLiteral *inner[2] = {xlaLiteralCreateArray(XLA_SHAPE(S32, 2)), NULL};
  xlaLiteralSet(inner[0], 1, (XlaScalar){.s = 7});
  inner[1] = xlaLiteralTakeTuple(0, NULL);
  XlaLiteral *tuple = xlaLiteralTakeTuple(2, inner);
  XlaBuilder *b = builderNew("f");
  XlaOp whole = xlaBuilderConstantLiteral(b, tuple);
  assert_string_equal(XLA_TYPE_TEXT(xlaBuilderGetType(b, whole)),
                      "tuple<tensor<2xi32>, tuple<>>");
  builderExpect(b, xlaBuilderGetTupleElement(b, whole, 0), XLA_SHAPE(S32, 2),
                VALUES(0, 7));
  xlaLiteralRelease(tuple);
  b = builderNew("f");
  xlaBuilderConstantLiteral(b, NULL);
  builderExpectError(b, "the literal is NULL");
  XlaLiteral *token = xlaLiteralCreateToken();
  b = builderNew("f");
  xlaBuilderConstantLiteral(b, token);
  builderExpectError(b, "a token is no constant");
  xlaLiteralRelease(token);
}

//===----------------------------------------------------------------------===//
// Computations in computations
//===----------------------------------------------------------------------===//

/// (x) -> inner(inner(x)), or x + 1 if there is no inner one.
static XlaComputation *twice(const char *name, const XlaComputation *inner) {
  XlaBuilder *b = builderNew(name);
  XlaOp x = xlaBuilderParameter(b, 0, XLA_SHAPE(S32), "x");
  if (!inner)
    return builderEnd(
        b, xlaBuilderAdd(b, x, xlaBuilderConstantR0S32(b, 1), NULL, 0));
  XlaOp once = xlaBuilderCall(b, inner, &x, 1);
  return builderEnd(b, xlaBuilderCall(b, inner, &once, 1));
}

/// Callees of one name stay apart, those that are shared come once, also
/// through the regions of others; and builders keep what they need.
static void calls(void **state) {
  (void)state;
  XlaComputation *one = twice("f", NULL), *two = twice("f", one),
                 *four = twice("main", two);
  XlaBuilder *b = builderNew("loop");
  XlaOp x = xlaBuilderParameter(b, 0, XLA_SHAPE(S32), "x");
  XlaComputation *body = builderEnd(b, xlaBuilderCall(b, four, &x, 1));
  b = builderNew("below");
  x = xlaBuilderParameter(b, 0, XLA_SHAPE(S32), "x");
  XlaComputation *below = builderEnd(
      b, xlaBuilderLt(b, x, xlaBuilderConstantR0S32(b, 10), NULL, 0));
  b = builderNew("all");
  x = xlaBuilderCall(b, one, XLA_OPS(xlaBuilderConstantR0S32(b, 0)));
  x = xlaBuilderWhile(b, below, body, x);
  x = xlaBuilderCall(b, two, &x, 1);
  xlaComputationRelease(one);
  xlaComputationRelease(two);
  xlaComputationRelease(four);
  xlaComputationRelease(body);
  xlaComputationRelease(below);
  builderExpectCompiled(b, x, XLA_SHAPE(S32), VALUES(15)); // 1 5 9 13 15
}

static void symbols(void **state) {
  (void)state;
  XlaComputation *one = twice("", NULL), *two = twice("main", one);
  XlaBuilder *b = builderNew("all");
  XlaOp x = xlaBuilderParameter(b, 0, XLA_SHAPE(S32), "x");
  x = xlaBuilderCall(b, two, &x, 1);
  XlaComputation *all = builderEnd(b, xlaBuilderCall(b, two, &x, 1));
  char *text = xlaComputationPrint(all);
  assert_non_null(strstr(text, "private @computation("));
  assert_non_null(strstr(text, "private @main.1("));
  assert_null(strstr(text, "main.2"));
  free(text);
  xlaComputationRelease(all);
  xlaComputationRelease(one);
  xlaComputationRelease(two);
}

static void wrongCalls(void **state) {
  (void)state;
  XlaComputation *one = twice("one", NULL);
  XlaBuilder *b = builderNew("f");
  xlaBuilderCall(b, one, NULL, 0);
  builderExpectError(b, "'one' takes 1 arguments, gets 0");
  b = builderNew("f");
  xlaBuilderCall(b, one, XLA_OPS(xlaBuilderConstantR0F32(b, 1)));
  builderExpectError(b, "argument 0 of 'one' is tensor<i32>, gets tensor<f32>");
  b = builderNew("f");
  xlaBuilderCall(b, NULL, NULL, 0);
  builderExpectError(b, "a computation is NULL");
  xlaComputationRelease(one);
}

/// Doubling the size at each level stops at a limit, as nesting does.
static void limits(void **state) {
  (void)state;
  XlaComputation *inner = twice("f", NULL);
  for (int depth = 1;; ++depth) {
    XlaBuilder *b = builderNew("f");
    XlaOp x = xlaBuilderParameter(b, 0, XLA_SHAPE(S32), "x");
    XlaOp no = xlaBuilderConstantR0Pred(b, false);
    x = xlaBuilderConditional(b, no, x, inner, x, inner);
    if (xlaBuilderGetError(b)) {
      assert_true(depth > 10);
      builderExpectError(b, "more than 1000000 operations");
      break;
    }
    xlaComputationRelease(inner);
    inner = builderEnd(b, x);
  }
  xlaComputationRelease(inner);
  inner = twice("f", NULL);
  for (int depth = 1;; ++depth) {
    XlaBuilder *b = builderNew("f");
    XlaOp x = xlaBuilderParameter(b, 0, XLA_SHAPE(S32), "x");
    x = xlaBuilderSwitch(b, x, (const XlaComputation *const *)&inner, &x, 1);
    if (xlaBuilderGetError(b)) {
      assert_int_equal(depth, XLA_COMPUTATION_MAX_DEPTH);
      builderExpectError(b, "nested 100 deep");
      break;
    }
    xlaComputationRelease(inner);
    inner = builderEnd(b, x);
  }
  char *text = xlaComputationPrint(inner);
  assert_non_null(text);
  free(text);
  xlaComputationRelease(inner);
}

static void locationsInText(void **state) {
  (void)state;
  XlaBuilder *b = builderNew("layer");
  XlaOp x = xlaBuilderParameter(b, 0, XLA_SHAPE(F32), "input");
  xlaBuilderSetLocation(b, "dense", "model.py", 12);
  XlaComputation *layer = builderEnd(b, xlaBuilderExp(b, x));
  MlirModule module = xlaComputationCreateModule(layer);
  MlirOperation main = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  MlirOperation exp = mlirBlockGetFirstOperation(
      mlirRegionGetFirstBlock(mlirOperationGetRegion(main, 0)));
  MlirLocation location = mlirOperationGetLocation(exp);
  assert_true(mlirLocationIsAName(location));
  MlirStringRef name = mlirIdentifierStr(mlirLocationNameGetName(location));
  assert_memory_equal(name.data, "dense", name.length);
  mlirModuleDestroy(module);
  xlaComputationRelease(layer);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothingCrashesOnNothing),
      cmocka_unit_test(nullOps),
      cmocka_unit_test(opsOfOthers),
      cmocka_unit_test(rootsOfOthers),
      cmocka_unit_test(negativeCounts),
      cmocka_unit_test(shapes),
      cmocka_unit_test(parameters),
      cmocka_unit_test(firstErrorStays),
      cmocka_unit_test(ownErrors),
      cmocka_unit_test(places),
      cmocka_unit_test(contextWithoutDialect),
      cmocka_unit_test(otherContexts),
      cmocka_unit_test(parametersInAnyOrder),
      cmocka_unit_test(lastOpIsTheRoot),
      cmocka_unit_test(types),
      cmocka_unit_test(constants),
      cmocka_unit_test(extremes),
      cmocka_unit_test(scalars),
      cmocka_unit_test(literals),
      cmocka_unit_test(calls),
      cmocka_unit_test(symbols),
      cmocka_unit_test(wrongCalls),
      cmocka_unit_test(limits),
      cmocka_unit_test(locationsInText),
  };
  return cmocka_run_group_tests(tests, builderSetUp, builderTearDown);
}
