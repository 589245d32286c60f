//===- elementwise_test.c - Building elementwise operations ---------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/test/dialect/builder/builder_fixture.h"

#include "xlac/dialect/layout.h"
#include "xlac/dialect/op.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static XlaOp f32s(XlaBuilder *b, float x, float y) {
  return xlaBuilderConstantR1F32(b, (const float[]){x, y}, 2);
}

static XlaOp s32s(XlaBuilder *b, int32_t x, int32_t y) {
  return xlaBuilderConstantR1S32(b, (const int32_t[]){x, y}, 2);
}

static XlaOp preds(XlaBuilder *b, bool x, bool y) {
  return xlaBuilderConstantR1Pred(b, (const bool[]){x, y}, 2);
}

//===----------------------------------------------------------------------===//
// Every elementwise function of ops.def
//===----------------------------------------------------------------------===//

/// A use of a unary function: two elements in, two out.
static const struct {
  const char *name;
  XlaElementType type, result;
  double in[2], out[2];
} unaryUses[] = {
#define F(name, a, b, x, y)                                                    \
  {                                                                            \
    #name, XlaElementTypeF32, XlaElementTypeF32, {a, b}, { x, y }              \
  }
#define I(name, a, b, x, y)                                                    \
  {                                                                            \
    #name, XlaElementTypeS32, XlaElementTypeS32, {a, b}, { x, y }              \
  }
    F(Abs, -2, 3, 2, 3),
    F(Cbrt, 27, -8, 3, -2),
    F(Ceil, 1.5, -1.5, 2, -1),
    I(Clz, 1, -1, 31, 0),
    F(Cos, 0, 1, 1, 0.5403023),
    F(Erf, 0, 1, 0, 0.8427008),
    F(Exp, 0, 1, 1, 2.7182817),
    F(Expm1, 0, 1, 0, 1.7182817),
    F(Floor, 1.5, -1.5, 1, -2),
    F(Imag, 1, -3, 0, 0),
    {"IsFinite",
     XlaElementTypeF32,
     XlaElementTypePred,
     {(double)INFINITY, 1},
     {0, 1}},
    F(Log, 1, 2, 0, 0.6931472),
    F(Log1p, 0, 1, 0, 0.6931472),
    F(Logistic, 0, 1, 0.5, 0.7310586),
    I(Neg, 5, -7, -5, 7),
    I(Not, 0, 5, -1, -6),
    I(PopulationCount, 7, -1, 3, 32),
    F(Real, 1, -3, 1, -3),
    F(Round, 2.5, -2.5, 3, -3),
    F(RoundNearestEven, 2.5, -3.5, 2, -4),
    F(Rsqrt, 4, 16, 0.5, 0.25),
    F(Sign, -2, -0.0, -1, -0.0),
    F(Sin, 0, 1, 0, 0.84147098),
    F(Sqrt, 4, 9, 2, 3),
    F(Tan, 0, 1, 0, 1.5574077),
    F(Tanh, 0, 1, 0, 0.7615942),
    F(Acos, 1, -1, 0, 3.1415927),
    F(Acosh, 1, 2, 0, 1.3169579),
    F(Asin, -0.0, 1, -0.0, 1.5707963),
    F(Asinh, -0.0, 1, -0.0, 0.8813736),
    F(Atan, -0.0, 1, -0.0, 0.7853982),
    F(Atanh, -0.0, 0.5, -0.0, 0.5493061),
    F(Cosh, 0, -1, 1, 1.5430806),
    F(Sinh, -0.0, -1, -0.0, -1.1752012),
    {"LogicalNot", XlaElementTypePred, XlaElementTypePred, {0, 1}, {1, 0}},
#undef F
#undef I
};

typedef XlaOp (*Unary)(XlaBuilder *b, XlaOp x);

static XlaOp pair(XlaBuilder *b, XlaElementType type, const double *values) {
  XlaOp parts[2];
  for (int i = 0; i < 2; ++i)
    parts[i] = xlaBuilderReshape(
        b, xlaBuilderConstantScalar(b, type, values[i]), XLA_INTS(1));
  return xlaBuilderConcatInDim(b, parts, 2, 0);
}

static void checkUnary(const char *name, Unary function) {
  for (size_t i = 0; i < sizeof unaryUses / sizeof *unaryUses; ++i) {
    if (strcmp(unaryUses[i].name, name) != 0)
      continue;
    XlaBuilder *b = builderNew(name);
    XlaShape shape = {unaryUses[i].result, 1, 0, {2}};
    XlaOp x = pair(b, unaryUses[i].type, unaryUses[i].in);
    builderExpect(b, function(b, x), &shape, unaryUses[i].out);
    // A tuple is no operand of it.
    char wrong[64];
    snprintf(wrong, sizeof wrong, "xlaBuilder%s: ", name);
    b = builderNew(name);
    function(b, xlaBuilderTuple(b, NULL, 0));
    builderExpectError(b, wrong);
    return;
  }
  fail_msg("no known value of %s", name);
}

static void unaryFunctions(void **state) {
  (void)state;
#define XLA_BUILDER_UNARY(Function, Enum)                                      \
  checkUnary(#Function, xlaBuilder##Function);
#define XLA_BUILDER_LOGICAL_UNARY(Function, Enum)                              \
  checkUnary(#Function, xlaBuilder##Function);
#include "xlac/dialect/ops.def"
}

/// Two scalars in, one out.
static const struct {
  const char *name;
  XlaElementType type, result;
  double lhs, rhs, out;
} binaryUses[] = {
#define ROW(name, Type, Result, lhs, rhs, out)                                 \
  {#name, XlaElementType##Type, XlaElementType##Result, lhs, rhs, out}
    ROW(Add, F32, F32, 1.5, 2, 3.5),
    ROW(And, S32, S32, 12, 10, 8),
    ROW(Atan2, F32, F32, 1, 1, 0.78539816),
    ROW(Complex, F32, C64, 1, 2, 1),
    ROW(Div, S32, S32, -7, 2, -3),
    ROW(Max, F32, F32, 1, 2, 2),
    ROW(Min, F32, F32, 1, 2, 1),
    ROW(Mul, F32, F32, 3, 2, 6),
    ROW(Or, S32, S32, 12, 10, 14),
    ROW(Pow, F32, F32, 3, 2, 9),
    ROW(Rem, S32, S32, -7, 2, -1),
    ROW(ShiftLeft, S32, S32, 3, 4, 48),
    ROW(ShiftRightArithmetic, S32, S32, -8, 1, -4),
    ROW(ShiftRightLogical, S32, S32, -8, 1, 2147483644),
    ROW(Sub, F32, F32, 3, 2, 1),
    ROW(Xor, S32, S32, 12, 10, 6),
    ROW(LogicalAnd, Pred, Pred, 1, 0, 0),
    ROW(LogicalOr, Pred, Pred, 1, 0, 1),
    ROW(Eq, F32, Pred, 1, 2, 0),
    ROW(Ne, F32, Pred, 1, 2, 1),
    ROW(Ge, F32, Pred, 1, 2, 0),
    ROW(Gt, S32, Pred, 3, 2, 1),
    ROW(Le, F32, Pred, 1, 2, 1),
    ROW(Lt, F32, Pred, 2, 2, 0),
    ROW(EqTotalOrder, F32, Pred, 0, -0.0, 0),
    ROW(NeTotalOrder, F32, Pred, 0, -0.0, 1),
    ROW(GeTotalOrder, F32, Pred, -0.0, 0, 0),
    ROW(GtTotalOrder, F32, Pred, (double)NAN, (double)INFINITY, 1),
    ROW(LeTotalOrder, S32, Pred, 2, 2, 1),
    ROW(LtTotalOrder, F32, Pred, -(double)NAN, -(double)INFINITY, 1),
#undef ROW
};

typedef XlaOp (*Binary)(XlaBuilder *b, XlaOp lhs, XlaOp rhs,
                        const int64_t *dimensions, intptr_t n);

static void checkBinary(const char *name, Binary function) {
  for (size_t i = 0; i < sizeof binaryUses / sizeof *binaryUses; ++i) {
    if (strcmp(binaryUses[i].name, name) != 0)
      continue;
    XlaBuilder *b = builderNew(name);
    XlaShape shape = {.elementType = binaryUses[i].result};
    XlaOp lhs =
        xlaBuilderConstantScalar(b, binaryUses[i].type, binaryUses[i].lhs);
    XlaOp rhs =
        xlaBuilderConstantScalar(b, binaryUses[i].type, binaryUses[i].rhs);
    builderExpect(b, function(b, lhs, rhs, NULL, 0), &shape,
                  &binaryUses[i].out);
    // Vectors of two and three elements do not fit.
    b = builderNew(name);
    XlaShape two = {binaryUses[i].type, 1, 0, {2}},
             three = {binaryUses[i].type, 1, 0, {3}};
    lhs = xlaBuilderParameter(b, 0, &two, "lhs");
    rhs = xlaBuilderParameter(b, 1, &three, "rhs");
    function(b, lhs, rhs, NULL, 0);
    builderExpectError(b, "[broadcast]");
    return;
  }
  fail_msg("no known value of %s", name);
}

static void binaryFunctions(void **state) {
  (void)state;
#define XLA_BUILDER_BINARY(Function, Enum)                                     \
  checkBinary(#Function, xlaBuilder##Function);
#define XLA_BUILDER_LOGICAL_BINARY(Function, Enum)                             \
  checkBinary(#Function, xlaBuilder##Function);
#define XLA_BUILDER_COMPARE(Function, direction)                               \
  checkBinary(#Function, xlaBuilder##Function);                                \
  checkBinary(#Function "TotalOrder", xlaBuilder##Function##TotalOrder);
#include "xlac/dialect/ops.def"
}

/// An elementwise row of ops.def that no function makes is one forgotten.
static void allOperations(void **state) {
  (void)state;
  static const bool made[XlaOpKindCount] = {
#define XLA_BUILDER_UNARY(Function, Enum) [XlaOpKind##Enum] = true,
#define XLA_BUILDER_BINARY(Function, Enum) [XlaOpKind##Enum] = true,
#include "xlac/dialect/ops.def"
      [XlaOpKindCompare] = true,         [XlaOpKindClamp] = true,
      [XlaOpKindSelect] = true,          [XlaOpKindConvert] = true,
      [XlaOpKindReducePrecision] = true,
  };
  for (XlaOpKind kind = XlaOpKindInvalid + 1; kind < XlaOpKindCount; ++kind)
    if (!made[kind] && xlaOpGetInfo(kind)->family == XlaFamilyElementwise)
      fail_msg("ops.def has no function of the builder for %s",
               xlaOpGetInfo(kind)->name);
}

static void logicalFunctionsTakePreds(void **state) {
  (void)state;
  XlaBuilder *b = builderNew("f");
  xlaBuilderLogicalNot(b, s32s(b, 1, 2));
  builderExpectError(b, "xlaBuilderLogicalNot: takes pred elements, not s32");
  b = builderNew("f");
  xlaBuilderLogicalAnd(b, s32s(b, 1, 2), s32s(b, 1, 2), NULL, 0);
  builderExpectError(b, "xlaBuilderLogicalAnd: takes pred elements, not s32");
  b = builderNew("f");
  xlaBuilderLogicalOr(b, preds(b, 1, 0), s32s(b, 1, 2), NULL, 0);
  builderExpectError(b, "xlaBuilderLogicalOr: 'xla.or' op");
}

//===----------------------------------------------------------------------===//
// Others
//===----------------------------------------------------------------------===//

/// 000: Clamp and Select, the printed examples.
static void clampAndSelect(void **state) {
  (void)state;
  XlaBuilder *b = builderNew("clamp");
  XlaOp x = xlaBuilderConstantR1S32(b, (const int32_t[]){-1, 5, 9}, 3);
  XlaOp low = xlaBuilderConstantR0S32(b, 0);
  XlaOp high = xlaBuilderConstantR0S32(b, 6);
  builderExpect(b, xlaBuilderClamp(b, low, x, high), XLA_SHAPE(S32, 3),
                VALUES(0, 5, 6));
  const int32_t v1[] = {1, 2, 3, 4}, v2[] = {100, 200, 300, 400};
  for (int scalar = 0; scalar < 2; ++scalar) {
    b = builderNew("select");
    XlaOp pred = scalar ? xlaBuilderConstantR0Pred(b, true)
                        : xlaBuilderConstantR1Pred(
                              b, (const bool[]){true, false, false, true}, 4);
    XlaOp chosen = xlaBuilderSelect(b, pred, xlaBuilderConstantR1S32(b, v1, 4),
                                    xlaBuilderConstantR1S32(b, v2, 4));
    builderExpect(b, chosen, XLA_SHAPE(S32, 4),
                  scalar ? VALUES(1, 2, 3, 4) : VALUES(1, 200, 300, 4));
  }
  b = builderNew("tuples");
  XlaOp one = xlaBuilderTuple(b, XLA_OPS(s32s(b, 1, 2), f32s(b, 1, 2)));
  XlaOp two = xlaBuilderTuple(b, XLA_OPS(s32s(b, 3, 4), f32s(b, 3, 4)));
  XlaOp chosen =
      xlaBuilderSelect(b, xlaBuilderConstantR0Pred(b, false), one, two);
  builderExpect(b, xlaBuilderGetTupleElement(b, chosen, 1), XLA_SHAPE(F32, 2),
                VALUES(3, 4));
  b = builderNew("clamp");
  xlaBuilderClamp(b, s32s(b, 1, 2), f32s(b, 1, 2), s32s(b, 1, 2));
  builderExpectError(b, "[clamp_c3]");
  b = builderNew("select");
  xlaBuilderSelect(b, s32s(b, 1, 2), s32s(b, 1, 2), s32s(b, 1, 2));
  builderExpectError(b, "[select_c1]");
}

static void conversions(void **state) {
  (void)state;
  XlaBuilder *b = builderNew("convert");
  XlaOp x = xlaBuilderConstantR1S32(b, (const int32_t[]){0, 1, 2}, 3);
  builderExpect(b, xlaBuilderConvertElementType(b, x, XlaElementTypeF32),
                XLA_SHAPE(F32, 3), VALUES(0, 1, 2));
  b = builderNew("convert");
  xlaBuilderConvertElementType(b, s32s(b, 1, 2), XlaElementTypeCount);
  builderExpectError(b, "xlaBuilderConvertElementType: the shape has the "
                        "element type number");
  b = builderNew("convert");
  xlaBuilderConvertElementType(b, xlaBuilderTuple(b, NULL, 0),
                               XlaElementTypeF32);
  builderExpectError(b, "the operand, tuple<>,");
  b = builderNew("bits");
  builderExpect(
      b, xlaBuilderBitcastConvertType(b, f32s(b, 1, -2), XlaElementTypeU32),
      XLA_SHAPE(U32, 2), VALUES(0x3f800000, 0xc0000000));
  b = builderNew("bits");
  builderExpect(
      b, xlaBuilderBitcastConvertType(b, f32s(b, 1, -2), XlaElementTypeU16),
      XLA_SHAPE(U16, 2, 2), VALUES(0, 0x3f80, 0, 0xc000));
  b = builderNew("bits");
  builderExpect(b,
                xlaBuilderBitcastConvertType(b, s32s(b, 0, 0x40000000),
                                             XlaElementTypeF64),
                XLA_SHAPE(F64), VALUES(2));
  b = builderNew("bits");
  xlaBuilderBitcastConvertType(b, xlaBuilderConstantR0S32(b, 1),
                               XlaElementTypeF64);
  builderExpectError(b, "[bitcast_convert_c1]");
  b = builderNew("same bytes");
  builderExpectCompiled(
      b, xlaBuilderBitcast(b, f32s(b, 1, -2), XLA_SHAPE(U32, 2, 1)),
      XLA_SHAPE(U32, 2, 1), VALUES(0x3f800000, 0xc0000000));
  b = builderNew("same bytes");
  xlaBuilderBitcast(b, f32s(b, 1, -2), XLA_SHAPE(U32, 3));
  builderExpectError(b, "[bitcast_c1]");
  b = builderNew("column-major");
  XlaShape shape;
  XlaLayout layout;
  xlaShapeMakeWithLayout(XlaElementTypeF32, 2, (const int64_t[]){3, 2},
                         (const int64_t[]){0, 1}, &shape, &layout);
  x = xlaBuilderConstantR2F32(b, (const float[]){1, 2, 3, 4, 5, 6}, 2, 3);
  x = xlaBuilderBitcastToType(
      b, x, xlaShapeToMlirWithLayout(&shape, &layout, builderContext()));
  builderExpectCompiled(b, x, XLA_SHAPE(F32, 3, 2), VALUES(1, 4, 2, 5, 3, 6));
  b = builderNew("no type");
  xlaBuilderBitcastToType(b, f32s(b, 1, -2), (MlirType){NULL});
  builderExpectError(b, "the type of the result is null");
  b = builderNew("precision");
  builderExpect(b, xlaBuilderReducePrecision(b, f32s(b, 1.001f, 1e30f), 10, 5),
                XLA_SHAPE(F32, 2), VALUES(1.0009765625, (double)INFINITY));
  b = builderNew("precision");
  xlaBuilderReducePrecision(b, f32s(b, 1, 2), 10, 0);
  builderExpectError(b, "[reduce_precision_c2]");
  b = builderNew("precision");
  xlaBuilderReducePrecision(b, f32s(b, 1, 2), -1, 5);
  builderExpectError(b, "[reduce_precision_c3]");
}

//===----------------------------------------------------------------------===//
// 003: Broadcasting
//===----------------------------------------------------------------------===//

/// iota + first, as s32 of these dimensions.
static XlaOp counted(XlaBuilder *b, const int64_t *dims, int rank, int first) {
  int32_t values[256];
  int64_t n = 1;
  for (int d = 0; d < rank; ++d)
    n *= dims[d];
  for (int64_t i = 0; i < n; ++i)
    values[i] = (int32_t)i + first;
  return xlaBuilderReshape(b, xlaBuilderConstantR1S32(b, values, n), dims,
                           rank);
}

#define COUNTED(b, first, ...)                                                 \
  counted(b, (const int64_t[]){__VA_ARGS__},                                   \
          sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t), first)

static void printedBroadcasts(void **state) {
  (void)state;
  XlaBuilder *b = builderNew("vector to rows");
  XlaOp sum =
      xlaBuilderAdd(b, COUNTED(b, 1, 2, 3), COUNTED(b, 7, 3), XLA_INTS(1));
  builderExpectCompiled(b, sum, XLA_SHAPE(S32, 2, 3),
                        VALUES(8, 10, 12, 11, 13, 15));
  b = builderNew("scalar");
  sum = xlaBuilderAdd(b, COUNTED(b, 1, 2, 3), xlaBuilderConstantR0S32(b, 7),
                      NULL, 0);
  builderExpect(b, sum, XLA_SHAPE(S32, 2, 3), VALUES(8, 9, 10, 11, 12, 13));
  // 3x3: along rows and along columns.
  for (int64_t d = 0; d < 2; ++d) {
    b = builderNew("square");
    XlaOp zero = xlaBuilderMul(b, COUNTED(b, 0, 3, 3),
                               xlaBuilderConstantR0S32(b, 0), NULL, 0);
    sum = xlaBuilderAdd(b, COUNTED(b, 7, 3), zero, &d, 1);
    builderExpect(b, sum, XLA_SHAPE(S32, 3, 3),
                  d ? VALUES(7, 8, 9, 7, 8, 9, 7, 8, 9)
                    : VALUES(7, 7, 7, 8, 8, 8, 9, 9, 9));
  }
  b = builderNew("cuboid");
  sum = xlaBuilderSub(b, COUNTED(b, 0, 2, 3, 4), COUNTED(b, 0, 3, 4),
                      XLA_INTS(1, 2));
  builderExpectCompiled(b, sum, XLA_SHAPE(S32, 2, 3, 4),
                        VALUES(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 12, 12, 12,
                               12, 12, 12, 12, 12, 12, 12, 12, 12));
  b = builderNew("both ways");
  sum = xlaBuilderAdd(b, COUNTED(b, 1, 4), COUNTED(b, 5, 1, 2), XLA_INTS(0));
  builderExpectCompiled(b, sum, XLA_SHAPE(S32, 4, 2),
                        VALUES(6, 7, 7, 8, 8, 9, 9, 10));
  b = builderNew("into the middle");
  sum = xlaBuilderAdd(b, COUNTED(b, 0, 1, 2), COUNTED(b, 0, 4, 3, 1),
                      XLA_INTS(1, 2));
  builderExpect(b, sum, XLA_SHAPE(S32, 4, 3, 2),
                VALUES(0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9,
                       10, 10, 11, 11, 12));
}

static void degenerateDimensions(void **state) {
  (void)state;
  static const struct {
    int rank;
    int64_t lhs[3], rhs[3], sum[3];
  } rows[] = {{2, {2, 1}, {2, 3}, {2, 3}},
              {3, {1, 2, 5}, {7, 2, 5}, {7, 2, 5}},
              {3, {7, 2, 5}, {7, 1, 5}, {7, 2, 5}},
              {2, {2, 1}, {1, 3}, {2, 3}}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    int rank = rows[i].rank;
    XlaBuilder *b = builderNew("degenerate");
    XlaOp sum = xlaBuilderAdd(b, counted(b, rows[i].lhs, rank, 0),
                              counted(b, rows[i].rhs, rank, 0), NULL, 0);
    XlaShape shape;
    assert_true(xlaBuilderGetShape(b, sum, &shape));
    assert_int_equal(shape.rank, rank);
    assert_memory_equal(shape.dims, rows[i].sum,
                        (size_t)rank * sizeof(int64_t));
    xlaComputationRelease(builderEnd(b, sum));
  }
  XlaBuilder *b = builderNew("outer");
  XlaOp sum =
      xlaBuilderAdd(b, COUNTED(b, 0, 2, 1), COUNTED(b, 5, 1, 3), NULL, 0);
  builderExpect(b, sum, XLA_SHAPE(S32, 2, 3), VALUES(5, 6, 7, 6, 7, 8));
}

/// MxNxPxQ with T, and with TxV, at every place; V to N and T to P is not.
static void formalBroadcasts(void **state) {
  (void)state;
  const int64_t dims[] = {2, 3, 4, 5};
  for (int64_t d = 0; d < 4; ++d)
    for (int64_t e = -1; e < 4; ++e) {
      XlaBuilder *b = builderNew("formal");
      XlaOp array = counted(b, dims, 4, 0);
      int64_t at[] = {d, e}, sizes[] = {dims[d], e < 0 ? 0 : dims[e]};
      int rank = e < 0 ? 1 : 2;
      XlaOp sum = xlaBuilderAdd(b, array, counted(b, sizes, rank, 0), at, rank);
      if (e >= 0 && e <= d) {
        builderExpectError(b, "[broadcast_dimensions]");
        continue;
      }
      XlaShape shape;
      assert_true(xlaBuilderGetShape(b, sum, &shape));
      assert_memory_equal(shape.dims, dims, sizeof dims);
      xlaComputationRelease(builderEnd(b, sum));
    }
}

static void wrongBroadcasts(void **state) {
  (void)state;
  XlaBuilder *b = builderNew("without dimensions");
  xlaBuilderAdd(b, COUNTED(b, 1, 2, 3), COUNTED(b, 7, 3), NULL, 0);
  builderExpectError(b, "[broadcast_dimensions]");
  b = builderNew("other sizes");
  xlaBuilderAdd(b, COUNTED(b, 0, 7, 2, 5), COUNTED(b, 0, 7, 2, 6), NULL, 0);
  builderExpectError(b, "[broadcast]");
  b = builderNew("not the dimension's size");
  xlaBuilderAdd(b, COUNTED(b, 1, 2, 3), COUNTED(b, 7, 3), XLA_INTS(0));
  builderExpectError(b, "[broadcast");
  b = builderNew("no such dimension");
  xlaBuilderAdd(b, COUNTED(b, 1, 2, 3), COUNTED(b, 7, 3), XLA_INTS(2));
  builderExpectError(b, "[broadcast_dimensions]");
  b = builderNew("negative");
  xlaBuilderAdd(b, COUNTED(b, 1, 2, 3), COUNTED(b, 7, 3), XLA_INTS(-1));
  builderExpectError(b, "[broadcast_dimensions]");
  b = builderNew("too many");
  xlaBuilderAdd(b, COUNTED(b, 1, 2, 3), COUNTED(b, 7, 3), XLA_INTS(0, 1));
  builderExpectError(b, "[broadcast_dimensions]");
  b = builderNew("negative count");
  xlaBuilderAdd(b, COUNTED(b, 1, 2, 3), COUNTED(b, 7, 3), NULL, -1);
  builderExpectError(b, "broadcast_dimensions has -1 entries");
  b = builderNew("types");
  xlaBuilderAdd(b, s32s(b, 1, 2), f32s(b, 1, 2), NULL, 0);
  builderExpectError(b, "[binary_c1]");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(unaryFunctions),
      cmocka_unit_test(binaryFunctions),
      cmocka_unit_test(allOperations),
      cmocka_unit_test(logicalFunctionsTakePreds),
      cmocka_unit_test(clampAndSelect),
      cmocka_unit_test(conversions),
      cmocka_unit_test(printedBroadcasts),
      cmocka_unit_test(degenerateDimensions),
      cmocka_unit_test(formalBroadcasts),
      cmocka_unit_test(wrongBroadcasts),
  };
  return cmocka_run_group_tests(tests, builderSetUp, builderTearDown);
}
