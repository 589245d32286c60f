//===- algebra_types_test.c - Algebraic rules on all element types --------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The left side of every rule of text is built for every element type that the
// row allows, with many constants, and evaluated before and after
// xlaSimplifyAlgebra: on all pairs of values of integers of up to 4 bits and of
// f8e5m2, on all values of 8 bits and of f16, and on special and random ones of
// others.
//
//===----------------------------------------------------------------------===//

#include "xlac/test/passes/simplify/algebra/algebra_fixture.h"

#include "mlir-c/Diagnostics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// A left side being built.
typedef struct Case {
  const Algebra *algebra;
  XlaIr ir;
  XlaElementType type;     ///< of the root's last operand
  XlaElementType compared; ///< of comparisons below the root
  int definer;             ///< what gives the letter of a condition
  int64_t size;
  uint64_t random;
  MlirValue letters[26];
  AlgebraSplat constants[26];
  bool isNan;      ///< constants are
  bool impossible; ///< a number is not of its type
} Case;

static MlirType arrayOf(const Case *c, XlaElementType type) {
  XlaShape shape = {.elementType = type, .rank = 1, .dims = {c->size}};
  return xlaShapeToMlir(&shape, c->ir.context);
}

static XlaElementType elementsOf(MlirValue value) {
  XlaShape shape;
  assert_true(xlaShapeFromMlir(mlirValueGetType(value), &shape, NULL));
  return shape.elementType;
}

static MlirValue argument(Case *c, XlaElementType type) {
  return mlirBlockAddArgument(c->ir.block, arrayOf(c, type), c->ir.location);
}

static MlirValue constant(Case *c, const AlgebraSplat *splat) {
  XlaShape shape = {.rank = 1, .dims = {c->size}};
  MlirValue value = xlaAlgebraRepeat(&c->ir, &shape, splat);
  assert_false(mlirValueIsNull(value));
  return value;
}

static MlirValue op(Case *c, XlaOpKind kind, XlaElementType result, int n,
                    const MlirValue *operands, int nAttrs,
                    const XlaIrAttr *attrs) {
  char name[48];
  snprintf(name, sizeof name, "xla.%s", xlaOpGetInfo(kind)->name);
  return xlaIrOp(&c->ir, name, arrayOf(c, result), n, operands, nAttrs, attrs);
}

//===----------------------------------------------------------------------===//
// Terms
//===----------------------------------------------------------------------===//

static XlaElementType complexOf(XlaElementType part) {
  return part == XlaElementTypeF32   ? XlaElementTypeC64
         : part == XlaElementTypeF64 ? XlaElementTypeC128
                                     : XlaElementTypeInvalid;
}

static XlaElementType resultOf(XlaOpKind kind, XlaElementType operand) {
  if (kind == XlaOpKindCompare || kind == XlaOpKindIsFinite)
    return XlaElementTypePred;
  if (kind == XlaOpKindComplex)
    return complexOf(operand);
  if (kind == XlaOpKindAbs || kind == XlaOpKindReal || kind == XlaOpKindImag)
    return xlaElementTypeReal(operand);
  return operand;
}

/// The type of operand `i` of an operation whose result, or at the root whose
/// last operand, has `type`.
static XlaElementType operandOf(const Case *c, XlaOpKind kind, int i,
                                bool isRoot, XlaElementType type) {
  if (kind == XlaOpKindSelect)
    return i ? type : XlaElementTypePred;
  if (isRoot)
    return type;
  if (kind == XlaOpKindCompare)
    return c->compared;
  if (kind == XlaOpKindComplex)
    return xlaElementTypeReal(type);
  if (kind == XlaOpKindReal || kind == XlaOpKindImag)
    return complexOf(type);
  return type;
}

static MlirValue build(Case *c, int number, XlaElementType type, bool isRoot);

static MlirValue buildOp(Case *c, const AlgebraTerm *term, XlaElementType type,
                         bool isRoot) {
  static const char *const directions[] = {"EQ", "NE", "GE", "GT", "LE", "LT"};
  MlirValue operands[3] = {{NULL}};
  // Comparisons in front get the types of what stands behind them.
  for (int i = term->nOperands - 1; i >= 0; --i) {
    XlaElementType wanted = operandOf(c, term->op, i, isRoot, type);
    if (wanted == XlaElementTypeInvalid)
      c->impossible = true;
    if (!c->impossible)
      operands[i] = build(c, term->operands[i], wanted, false);
  }
  if (c->impossible)
    return operands[0];
  XlaElementType last = elementsOf(operands[term->nOperands - 1]);
  XlaIrAttr attrs[] = {
      {"comparison_direction",
       xlaIrStringAttr(c->ir.context, directions[term->comparison])},
      {"compare_type", xlaIrStringAttr(c->ir.context, "TOTALORDER")}};
  int nAttrs = term->op == XlaOpKindCompare ? 1 + term->totalOrder : 0;
  XlaElementType result = resultOf(term->op, last);
  c->impossible |= result == XlaElementTypeInvalid;
  return c->impossible ? operands[0]
                       : op(c, term->op, result, term->nOperands, operands,
                            nAttrs, attrs);
}

static MlirValue build(Case *c, int number, XlaElementType type, bool isRoot) {
  const AlgebraTerm *term = &c->algebra->terms[number];
  MlirValue *letter = &c->letters[term->letter ? term->letter - 'a' : 0];
  AlgebraSplat *splat = &c->constants[term->letter ? term->letter - 'a' : 0];
  MlirValue none = {NULL};
  switch (term->kind) {
  case AlgebraTermValue:
    if (mlirValueIsNull(*letter))
      *letter = argument(c, type);
    return *letter;
  case AlgebraTermConstant:
    if (splat->type == XlaElementTypeInvalid)
      *splat =
          (AlgebraSplat){type, c->isNan ? (XlaScalar){.f.re = NAN}
                                        : algebraElement(type, &c->random)};
    return constant(c, splat);
  case AlgebraTermNumber: {
    AlgebraSplat value = {.type = type};
    c->impossible |= !xlaAlgebraNumber(term->number, type, &value.value);
    return c->impossible ? none : constant(c, &value);
  }
  case AlgebraTermOp:
    break;
  }
  return buildOp(c, term, type, isRoot);
}

//===----------------------------------------------------------------------===//
// Letters with conditions on where they come from
//===----------------------------------------------------------------------===//

static const XlaOpKind definers[] = {
    XlaOpKindAbs,      XlaOpKindExponential,
    XlaOpKindLogistic, XlaOpKindFloor,
    XlaOpKindCeil,     XlaOpKindSign,
    XlaOpKindMultiply, XlaOpKindRoundNearestAfz,
    XlaOpKindSqrt,     XlaOpKindRoundNearestEven};
enum { nDefiners = sizeof definers / sizeof *definers };

/// Operations on an argument, then conversions from each type.
static MlirValue define(Case *c, int definer) {
  if (definer < nDefiners) {
    MlirValue x = argument(c, c->type), both[2] = {x, x};
    XlaOpKind kind = definers[definer];
    return op(c, kind, c->type, xlaOpGetInfo(kind)->maxOperands, both, 0, NULL);
  }
  MlirValue x = argument(c, (XlaElementType)(definer - nDefiners + 1));
  return op(c, XlaOpKindConvert, c->type, 1, &x, 0, NULL);
}

/// Whether a condition is about what an array and a constant are between.
static bool hasRange(const char *text) {
  return strstr(text, "_below(") || strstr(text, "_above(") ||
         strstr(text, "outside(") || strstr(text, "all_smaller(") ||
         strstr(text, "within(");
}

static bool hasDefinition(const char *text) {
  return strstr(text, "nonnegative") || strstr(text, "integral") ||
         strstr(text, "if finite") || strstr(text, "never_minus_zero") ||
         hasRange(text);
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

/// Ends the function with `values` and wraps it; null if it does not verify.
static MlirModule finish(Case *c, MlirRegion region, intptr_t n,
                         const MlirValue *values) {
  MlirType inputs[8], outputs[40];
  intptr_t nInputs = mlirBlockGetNumArguments(c->ir.block);
  assert_true(nInputs <= 8 && n <= 40);
  for (intptr_t i = 0; i < nInputs; ++i)
    inputs[i] = mlirValueGetType(mlirBlockGetArgument(c->ir.block, i));
  for (intptr_t i = 0; i < n; ++i)
    outputs[i] = mlirValueGetType(values[i]);
  xlaIrCreate(&c->ir, "func.return", n, values, 0, NULL, 0, NULL, 0, NULL);
  MlirModule module = mlirModuleCreateEmpty(c->ir.location);
  XlaIr ir =
      xlaIrAtEnd(c->ir.context, c->ir.location, mlirModuleGetBody(module));
  XlaIrAttr attrs[2] = {
      {"sym_name", xlaIrStringAttr(ir.context, "main")},
      {"function_type", mlirTypeAttrGet(mlirFunctionTypeGet(
                            ir.context, nInputs, inputs, n, outputs))}};
  xlaIrCreate(&ir, "func.func", 0, NULL, 0, NULL, 2, attrs, 1, &region);
  if (mlirOperationVerify(mlirModuleGetOperation(module)))
    return module;
  mlirModuleDestroy(module);
  return (MlirModule){NULL};
}

static MlirRegion start(Case *c, MlirContext context) {
  MlirRegion region = mlirRegionCreate();
  MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  mlirRegionAppendOwnedBlock(region, block);
  c->ir = xlaIrAtEnd(context, mlirLocationUnknownGet(context), block);
  return region;
}

/// Element i of input `k`: all combinations of small types.
static XlaLiteral *makeInput(const XlaShape *shape, int k, uint64_t *random) {
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(shape->elementType);
  XlaLiteral *literal = xlaLiteralCreateArray(shape);
  assert_non_null(literal);
  bool isFloat = info->typeClass == XlaTypeClassFloat;
  for (int64_t i = 0; i < shape->dims[0]; ++i) {
    XlaScalar value = algebraElement(shape->elementType, random);
    if (info->bits <= 16 && (k + 1) * info->bits <= 16) {
      uint64_t bits =
          (uint64_t)i >> k * info->bits & ((UINT64_C(1) << info->bits) - 1);
      value = isFloat
                  ? (XlaScalar){.f = {xlaFloatDecode(info, (uint32_t)bits), 0}}
                  : xlaScalarRound(shape->elementType, (XlaScalar){.u = bits});
    }
    xlaLiteralSet(literal, i, value);
  }
  return literal;
}

/// Whether the module still means the same after the rules.
static int64_t compare(MlirModule module, const char *name, int64_t *fired) {
  enum { mostInputs = 8, mostResults = 40 };
  XlaLiteral *inputs[mostInputs], *expected[mostResults], *results[mostResults];
  MlirStringRef main = mlirStringRefCreateFromCString("main");
  MlirOperation before = mlirModuleGetOperation(module),
                after = mlirOperationClone(before);
  assert_true(mlirLogicalResultIsSuccess(
      xlaSimplifyAlgebra(xlaModuleFindFunction(after, main), fired)));
  assert_true(mlirOperationVerify(after));
  MlirOperation function = xlaModuleFindFunction(before, main);
  MlirType type = mlirTypeAttrGetValue(xlaOpGetAttr(function, "function_type"));
  intptr_t nInputs = mlirFunctionTypeGetNumInputs(type),
           nResults = mlirFunctionTypeGetNumResults(type);
  uint64_t random = 1;
  for (intptr_t i = 0; i < nInputs; ++i) {
    XlaShape shape;
    xlaShapeFromMlir(mlirFunctionTypeGetInput(type, i), &shape, NULL);
    inputs[i] = makeInput(&shape, (int)i, &random);
  }
  assert_true(
      algebraEvaluate(before, main, nInputs, inputs, nResults, expected));
  assert_true(algebraEvaluate(after, main, nInputs, inputs, nResults, results));
  int64_t found = -1;
  for (intptr_t i = 0; i < nResults; ++i) {
    int64_t at = algebraDifference(expected[i], results[i]);
    if (at >= 0 && found < 0) {
      found = at;
      fprintf(stderr, "%s: result %lld differs at %lld\n", name, (long long)i,
              (long long)at);
      mlirOperationDump(before);
      mlirOperationDump(after);
    }
    xlaLiteralRelease(expected[i]);
    xlaLiteralRelease(results[i]);
  }
  for (intptr_t i = 0; i < nInputs; ++i)
    xlaLiteralRelease(inputs[i]);
  mlirOperationDestroy(after);
  return found;
}

static MlirLogicalResult ignore(MlirDiagnostic diagnostic, void *data) {
  (void)diagnostic;
  (void)data;
  return mlirLogicalResultSuccess();
}

//===----------------------------------------------------------------------===//
// Tests
//===----------------------------------------------------------------------===//

/// Pairs of bytes are tried for one type of floats; integers have those of 4
/// bits.
static int64_t sizeFor(const AlgebraTree *tree, const Algebra *algebra,
                       XlaElementType type, bool hasConstants) {
  int bits = xlaElementTypeGetInfo(type)->bits;
  unsigned letters = 0;
  for (int i = tree->pattern; i < tree->replacement; ++i)
    if (algebra->terms[i].kind == AlgebraTermValue)
      letters |= 1u << (algebra->terms[i].letter - 'a');
  int n = __builtin_popcount(letters);
  if (bits <= 4 || (bits == 8 && n == 1))
    return INT64_C(1) << bits * (n > 2 ? 2 : n);
  bool pairs = type == XlaElementTypeF8E5M2;
  if (!hasConstants && ((n == 1 && type == XlaElementTypeF16) || pairs))
    return 1 << 16;
  return hasConstants ? 300 : 1000;
}

/// One left side with one set of constants; true if there is none.
static bool tryOne(MlirContext context, Case c, XlaAlgebraRule rule,
                   int64_t *fired) {
  const AlgebraTree *tree = &c.algebra->trees[rule];
  const XlaAlgebraRow *row = xlaAlgebraGetRow(rule);
  char name[120];
  MlirRegion region = start(&c, context);
  if (c.definer >= 0)
    c.letters['x' - 'a'] = define(&c, c.definer);
  MlirValue value = build(&c, tree->pattern, c.type, true);
  if (c.impossible) {
    mlirRegionDestroy(region);
    return true;
  }
  MlirModule module = finish(&c, region, 1, &value);
  if (mlirModuleIsNull(module))
    return true;
  snprintf(name, sizeof name, "%s on %s", row->name,
           xlaElementTypeGetInfo(c.type)->name);
  bool same = compare(module, name, fired) < 0;
  mlirModuleDestroy(module);
  return same;
}

/// How many sets of constants gave other results, at most one.
static int tryType(MlirContext context, const Algebra *algebra,
                   XlaAlgebraRule rule, XlaElementType type, int64_t *fired) {
  const XlaAlgebraRow *row = xlaAlgebraGetRow(rule);
  const AlgebraTree *tree = &algebra->trees[rule];
  bool hasConstants = false, hasInner = false;
  for (int i = tree->pattern; i < tree->replacement; ++i) {
    hasConstants |= algebra->terms[i].kind == AlgebraTermConstant;
    hasInner |= i > tree->pattern && algebra->terms[i].op == XlaOpKindCompare;
  }
  bool isDefined = hasDefinition(row->text);
  Case c = {.algebra = algebra,
            .type = type,
            .compared = type,
            .definer = isDefined ? 0 : -1,
            .size = sizeFor(tree, algebra, type, hasConstants)};
  int tries = isDefined      ? nDefiners + XlaElementTypeCount - 1
              : hasConstants ? 24
              : hasInner     ? XlaElementTypeCount - 1
                             : 1;
  bool wantsNan = strstr(row->text, "positive_nan");
  for (int i = 0; i < tries; ++i) {
    c.random = (uint64_t)i;
    c.isNan = wantsNan && i == 0;
    c.definer = isDefined ? i : -1;
    if (hasInner)
      c.compared = (XlaElementType)(i + 1);
    if (!tryOne(context, c, rule, fired))
      return 1;
  }
  return 0;
}

static void testTexts(void **state) {
  MlirContext *context = *state;
  const Algebra *algebra = xlaAlgebraGet();
  MlirDiagnosticHandlerID handler =
      mlirContextAttachDiagnosticHandler(*context, ignore, NULL, NULL);
  int64_t fired[XlaAlgebraRuleCount] = {0};
  int nWrong = 0;
  for (int rule = 0; rule < XlaAlgebraRuleCount; ++rule) {
    const XlaAlgebraRow *row = xlaAlgebraGetRow((XlaAlgebraRule)rule);
    if (row->operations || strstr(row->text, "convert(") ||
        strstr(row->text, "precise"))
      continue;
    for (int type = 1; type < XlaElementTypeCount; ++type)
      if (row->classes & xlaElementTypeGetInfo((XlaElementType)type)->typeClass)
        nWrong += tryType(*context, algebra, (XlaAlgebraRule)rule,
                          (XlaElementType)type, fired);
    if (!fired[rule])
      fail_msg("%s was never applied", row->name);
  }
  mlirContextDetachDiagnosticHandler(*context, handler);
  assert_int_equal(nWrong, 0);
}

/// convert(convert(x)) of all types through all types to all types.
static void testConversions(void **state) {
  MlirContext *context = *state;
  int64_t fired[XlaAlgebraRuleCount] = {0};
  for (int from = 1; from < XlaElementTypeCount; ++from)
    for (int middle = 1; middle < XlaElementTypeCount; ++middle) {
      int bits = xlaElementTypeGetInfo((XlaElementType)from)->bits;
      Case c = {.size = bits <= 8 ? 1 << bits : 200};
      MlirRegion region = start(&c, *context);
      MlirValue x = argument(&c, (XlaElementType)from),
                results[XlaElementTypeCount];
      MlirValue y =
          op(&c, XlaOpKindConvert, (XlaElementType)middle, 1, &x, 0, NULL);
      for (int to = 1; to < XlaElementTypeCount; ++to)
        results[to - 1] =
            op(&c, XlaOpKindConvert, (XlaElementType)to, 1, &y, 0, NULL);
      MlirModule module = finish(&c, region, XlaElementTypeCount - 1, results);
      assert_false(mlirModuleIsNull(module));
      assert_int_equal(compare(module, "convert", fired), -1);
      mlirModuleDestroy(module);
    }
  printf("%lld conversions at once\n",
         (long long)(fired[XlaAlgebraRule_convert_widened] +
                     fired[XlaAlgebraRule_convert_narrowed]));
  assert_true(fired[XlaAlgebraRule_convert_widened] > 1000);
  assert_true(fired[XlaAlgebraRule_convert_narrowed] > 100);
}

/// reduce_precision to about as many bits as the type has.
static void testPrecision(void **state) {
  MlirContext *context = *state;
  int64_t fired[XlaAlgebraRuleCount] = {0};
  for (int type = 1; type < XlaElementTypeCount; ++type) {
    const XlaElementTypeInfo *info =
        xlaElementTypeGetInfo((XlaElementType)type);
    if (info->typeClass != XlaTypeClassFloat)
      continue;
    for (int change = 0; change < 9; ++change) {
      Case c = {.size = info->bits <= 16 ? 1 << info->bits : 2000};
      int e = info->exponentBits + change % 3 - 1,
          m = info->mantissaBits + change / 3 - 1;
      if (e < 1 || m < 0)
        continue;
      MlirRegion region = start(&c, *context);
      MlirValue x = argument(&c, (XlaElementType)type);
      XlaIrAttr attrs[2] = {{"exponent_bits", xlaIrI64Attr(*context, e)},
                            {"mantissa_bits", xlaIrI64Attr(*context, m)}};
      MlirValue y = xlaIrOp(&c.ir, "xla.reduce_precision", mlirValueGetType(x),
                            1, &x, 2, attrs);
      MlirModule module = finish(&c, region, 1, &y);
      assert_false(mlirModuleIsNull(module));
      assert_int_equal(compare(module, info->name, fired), -1);
      mlirModuleDestroy(module);
    }
  }
  assert_true(fired[XlaAlgebraRule_reduce_precision_all] > 30);
}

/// bitcast_convert between all types of one width.
static void testBitcasts(void **state) {
  MlirContext *context = *state;
  int64_t fired[XlaAlgebraRuleCount] = {0};
  MlirDiagnosticHandlerID handler =
      mlirContextAttachDiagnosticHandler(*context, ignore, NULL, NULL);
  for (int from = 1; from < XlaElementTypeCount; ++from)
    for (int middle = 1; middle < XlaElementTypeCount; ++middle)
      for (int to = 1; to < XlaElementTypeCount; ++to) {
        Case c = {.size = 256};
        MlirRegion region = start(&c, *context);
        MlirValue x = argument(&c, (XlaElementType)from);
        MlirValue y = op(&c, XlaOpKindBitcastConvert, (XlaElementType)middle, 1,
                         &x, 0, NULL);
        MlirValue z =
            op(&c, XlaOpKindBitcastConvert, (XlaElementType)to, 1, &y, 0, NULL);
        MlirModule module = finish(&c, region, 1, &z);
        if (mlirModuleIsNull(module))
          continue;
        assert_int_equal(compare(module, "bitcast_convert", fired), -1);
        mlirModuleDestroy(module);
      }
  mlirContextDetachDiagnosticHandler(*context, handler);
  assert_true(fired[XlaAlgebraRule_bitcast_twice] > 100);
  assert_true(fired[XlaAlgebraRule_bitcast_same] > 100);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(testTexts),
      cmocka_unit_test(testConversions),
      cmocka_unit_test(testPrecision),
      cmocka_unit_test(testBitcasts),
  };
  return cmocka_run_group_tests(tests, algebraSetUp, algebraTearDown);
}
