//===- prepare_test.c - Prepared programs mean what they meant ------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random programs with control flow, tuples, calls and effects are evaluated as
// they are and after xlaPrepareForLowering. The results must agree in every
// bit, but for programs that are rounded elsewhere then, and what has effects
// must happen in the same order.
//
// XLAC_PREPARE_PROGRAMS sets how many, XLAC_PREPARE_SEED the first seed; the
// program of a failing seed is printed.
//
//===----------------------------------------------------------------------===//

#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/Func.h"
#include "mlir-c/RegisterEverything.h"
#include "xlac/dialect/dialect.h"
#include "xlac/dialect/interpret/evaluator.h"
#include "xlac/dialect/ir.h"
#include "xlac/passes/legalize.h"
#include "xlac/passes/prepare.h"
#include "xlac/tools/xla-gen/program.h"

#include "xlac/test/support/unit.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int setUp(void **state) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  xlaDialectRegister(registry);
  MlirContext *context = malloc(sizeof *context);
  assert_non_null(context);
  *context = mlirContextCreateWithRegistry(registry, false);
  mlirDialectRegistryDestroy(registry);
  *state = context;
  return 0;
}

static int tearDown(void **state) {
  MlirContext *context = *state;
  mlirContextDestroy(*context);
  free(context);
  return 0;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

enum { maxLeaves = 64, maxLog = 4096 };

typedef struct Run {
  XlaLiteral *leaves[maxLeaves];
  int nLeaves;
  uint64_t log[maxLog]; // of custom calls: hashes of their operands
  int nLog;
} Run;

static uint64_t hash(const XlaLiteral *literal) {
  uint64_t h = 14695981039346656037u;
  const unsigned char *bytes = xlaLiteralGetData(literal);
  for (size_t i = 0; i < xlaLiteralGetByteCount(literal); ++i)
    h = (h ^ bytes[i]) * 1099511628211u;
  return h;
}

/// The program's custom calls give back their operand.
static MlirLogicalResult customCall(MlirOperation op, MlirStringRef target,
                                    intptr_t nOperands,
                                    const XlaLiteral *const *operands,
                                    intptr_t nResults, XlaLiteral **results,
                                    void *userData) {
  Run *run = userData;
  (void)op;
  (void)target;
  assert_int_equal(nOperands, 1);
  assert_int_equal(nResults, 1);
  assert_true(run->nLog < maxLog);
  run->log[run->nLog++] = hash(operands[0]);
  results[0] = xlaLiteralRetain(operands[0]);
  return mlirLogicalResultSuccess();
}

static void flatten(Run *run, const XlaLiteral *literal) {
  if (xlaLiteralGetKind(literal) == XlaLiteralKindTuple) {
    for (intptr_t i = 0; i < xlaLiteralGetTupleSize(literal); ++i)
      flatten(run, xlaLiteralGetTupleElement(literal, i));
    return;
  }
  assert_true(run->nLeaves < maxLeaves);
  run->leaves[run->nLeaves++] = xlaLiteralRetain(literal);
}

static void evaluate(MlirOperation module, uint64_t seed, Run *run) {
  memset(run, 0, sizeof *run);
  XlaEvaluatorOptions options = {.customCall = customCall, .userData = run};
  XlaEvaluator *evaluator = xlaEvaluatorCreate(module, &options);
  MlirOperation function =
      xlaEvaluatorLookup(evaluator, mlirStringRefCreateFromCString("main"));
  assert_false(mlirOperationIsNull(function));
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  XlaLiteral *inputs[16], *results[maxLeaves];
  intptr_t nInputs = mlirBlockGetNumArguments(body);
  intptr_t nResults = mlirOperationGetNumOperands(mlirBlockGetTerminator(body));
  assert_true(nInputs <= 16 && nResults <= maxLeaves);
  for (intptr_t i = 0; i < nInputs; ++i) {
    XlaShape shape;
    assert_true(xlaShapeFromMlir(
        mlirValueGetType(mlirBlockGetArgument(body, i)), &shape, NULL));
    inputs[i] = xlaGenInput(seed, (int)i, &shape);
    assert_non_null(inputs[i]);
  }
  MlirLogicalResult result =
      xlaEvaluatorRun(evaluator, function, nInputs,
                      (const XlaLiteral *const *)inputs, nResults, results);
  assert_true(mlirLogicalResultIsSuccess(result));
  for (intptr_t i = 0; i < nResults; ++i) {
    flatten(run, results[i]);
    xlaLiteralRelease(results[i]);
  }
  for (intptr_t i = 0; i < nInputs; ++i)
    xlaLiteralRelease(inputs[i]);
  xlaEvaluatorDestroy(evaluator);
}

static bool agree(const Run *a, const Run *b) {
  if (a->nLeaves != b->nLeaves || a->nLog != b->nLog ||
      memcmp(a->log, b->log, (size_t)a->nLog * sizeof *a->log))
    return false;
  for (int i = 0; i < a->nLeaves; ++i) {
    const XlaLiteral *x = a->leaves[i], *y = b->leaves[i];
    const XlaShape *s = xlaLiteralGetShape(x), *t = xlaLiteralGetShape(y);
    if (s->elementType != t->elementType || !xlaShapeDimsEqual(s, t) ||
        memcmp(xlaLiteralGetData(x), xlaLiteralGetData(y),
               xlaLiteralGetByteCount(x)))
      return false;
  }
  return true;
}

static bool hasOneOf(const char *text, size_t length, int n,
                     const char *const *names) {
  for (int i = 0; i < n; ++i)
    if (memmem(text, length, names[i], strlen(names[i])))
      return true;
  return false;
}

/// Whether a product has several contracting dimensions, whose order is that of
/// its sums.
static bool contractsSeveral(const char *text, size_t length) {
  static const char name[] = "contracting_dimensions = array<i64: ";
  const char *end = text + length, *at = text;
  while ((at = memmem(at, (size_t)(end - at), name, sizeof name - 1))) {
    at += sizeof name - 1;
    const char *close = memchr(at, '>', (size_t)(end - at));
    if (close && memchr(at, ',', (size_t)(close - at)))
      return true;
  }
  return false;
}

/// Whether the result of a product is a scalar: those of vectors become sums of
/// rounded products.
static bool multipliesVectors(const char *text, size_t length) {
  static const char name[] = "xla.dot", arrow[] = "-> tensor<";
  const char *end = text + length, *at = text;
  while ((at = memmem(at, (size_t)(end - at), name, sizeof name - 1))) {
    const char *line = memchr(at, '\n', (size_t)(end - at));
    size_t rest = (size_t)((line ? line : end) - at);
    const char *result = memmem(at, rest, arrow, sizeof arrow - 1);
    if (result && !isdigit((unsigned char)result[sizeof arrow - 1]))
      return true;
    at += sizeof name - 1;
  }
  return false;
}

/// Whether a program has operations that xla-expand writes as others which
/// round elsewhere, or computations on narrow floats, which round at their end.
/// Their values are compared within a tolerance by the tests of windows and of
/// narrow types.
static bool isRounded(const char *text, size_t length) {
  static const char *const rounded[] = {"xla.convolution", "xla.reduce_window",
                                        "xla.batch_norm", "complex<"};
  static const char *const narrow[] = {"f4E", "f6E", "f8E"};
  static const char *const computing[] = {"xla.reduce", "xla.dot"};
  return hasOneOf(text, length, 4, rounded) || contractsSeveral(text, length) ||
         multipliesVectors(text, length) ||
         (hasOneOf(text, length, 3, narrow) &&
          hasOneOf(text, length, 2, computing));
}

static void release(Run *run) {
  for (int i = 0; i < run->nLeaves; ++i)
    xlaLiteralRelease(run->leaves[i]);
}

//===----------------------------------------------------------------------===//
// Tests
//===----------------------------------------------------------------------===//

static int64_t setting(const char *name, int64_t absent) {
  const char *text = getenv(name);
  return text ? strtoll(text, NULL, 10) : absent;
}

typedef struct Count {
  int fusions, rows, reductions;
} Count;

static XlaShape shapeOf(MlirValue value) {
  XlaShape shape;
  assert_true(xlaShapeFromMlir(mlirValueGetType(value), &shape, NULL));
  return shape;
}

/// `space` without the dimensions `dims`.
static XlaShape rowsOf(const XlaShape *space, const XlaI64List *dims) {
  XlaShape rows = *space;
  uint64_t reduced = 0;
  for (int i = 0; i < dims->size; ++i)
    reduced |= UINT64_C(1) << dims->values[i];
  rows.rank = 0;
  for (int d = 0; d < space->rank; ++d)
    if (!(reduced >> d & 1))
      rows.dims[rows.rank++] = space->dims[d];
  return rows;
}

static bool movesData(XlaOpKind kind) {
  static const XlaOpKind kinds[] = {
      XlaOpKindBroadcastInDim, XlaOpKindConcatenate,
      XlaOpKindDynamicSlice,   XlaOpKindPad,
      XlaOpKindReshape,        XlaOpKindReverse,
      XlaOpKindSlice,          XlaOpKindTranspose,
  };
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i)
    if (kinds[i] == kind)
      return true;
  return false;
}

/// What has neither the space's shape nor that of its rows reaches the space
/// through operations that move data, or is what a product sums, an index or an
/// update, or a start, with what leads to it.
static void checkMapped(MlirOperation op, const XlaShape *shape) {
  MlirValue value = mlirOperationGetResult(op, 0);
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    XlaOpKind kind = xlaOpGetKind(user);
    if (movesData(kind) || kind == XlaOpKindDotGeneral ||
        kind == XlaOpKindGather || kind == XlaOpKindScatter ||
        kind == XlaOpKindDynamicUpdateSlice)
      continue;
    assert_int_not_equal(kind, XlaOpKindReturn);
    assert_int_not_equal(kind, XlaOpKindReduce);
    XlaShape result = shapeOf(mlirOperationGetResult(user, 0));
    XlaShape own = shapeOf(value);
    assert_true(xlaShapeDimsEqual(&result, shape) ||
                xlaShapeDimsEqual(&result, &own));
  }
}

/// What lowering relies on: operations have the shape of the elements, in a row
/// perhaps without the dimensions that all reductions reduce, or are
/// read through others that move data; a fusion that is no row has one
/// reduction at most.
static void checkMember(MlirOperation op, bool row, const XlaShape *space,
                        const XlaI64List *reduced) {
  XlaOpKind kind = xlaOpGetKind(op);
  XlaI64List dims;
  if (kind == XlaOpKindReturn || kind == XlaOpKindConstant)
    return;
  XlaShape shape = shapeOf(mlirOperationGetResult(op, 0));
  XlaShape rows = rowsOf(space, reduced);
  bool isRow = row && xlaShapeDimsEqual(&shape, &rows);
  if (kind == XlaOpKindReduce) {
    XlaShape from = shapeOf(mlirOperationGetOperand(op, 0));
    assert_true(xlaShapeDimsEqual(&from, space));
    assert_true(xlaOpGetList(op, "dimensions", &dims));
    XlaShape others = rowsOf(space, &dims);
    assert_true(!row || xlaShapeDimsEqual(&rows, &others));
    intptr_t n = mlirOperationGetNumOperands(op);
    for (intptr_t i = n / 2; i < n; ++i) {
      MlirValue init = mlirOperationGetOperand(op, i);
      assert_true(mlirValueIsABlockArgument(init) ||
                  xlaOpGetKind(mlirOpResultGetOwner(init)) ==
                      XlaOpKindConstant);
    }
    return;
  }
  if (!xlaShapeDimsEqual(&shape, space) && !isRow)
    checkMapped(op, &shape);
  assert_false(row && kind == XlaOpKindTranspose);
}

static void checkFusion(MlirOperation fusion) {
  MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(fusion, 0));
  XlaShape space = shapeOf(mlirOperationGetResult(fusion, 0));
  XlaI64List dims = {.size = 0};
  bool row = xlaOpAttrIs(fusion, "kind", "row");
  int nReductions = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if (xlaOpGetKind(op) == XlaOpKindReduce && !nReductions++) {
      space = shapeOf(mlirOperationGetOperand(op, 0));
      xlaOpGetList(op, "dimensions", &dims);
    }
  assert_true(row || nReductions == xlaOpAttrIs(fusion, "kind", "reduce"));
  if (row && !nReductions)
    return; // those that are reduced do not show
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    checkMember(op, row, &space, &dims);
}

static MlirWalkResult countFusions(MlirOperation op, void *data) {
  Count *count = data;
  if (xlaOpGetKind(op) != XlaOpKindFusion)
    return MlirWalkResultAdvance;
  checkFusion(op);
  ++count->fusions;
  count->rows += xlaOpAttrIs(op, "kind", "row");
  count->reductions += xlaOpAttrIs(op, "kind", "reduce");
  return MlirWalkResultAdvance;
}

static void check(MlirContext context, uint64_t seed, Count *count) {
  XlaGenOptions options = xlaGenOptionsDefault();
  options.seed = seed;
  options.own = true;
  // Formulas round elsewhere: expand_test compares them within a tolerance.
  for (XlaOpKind kind = 1; kind < XlaOpKindCount; ++kind)
    if (xlaOpGetInfo(kind)->devices == XlaOpDevicesFormula)
      options.allowedOps[kind] = false;
  MlirModule module = xlaGenModule(context, &options, NULL);
  assert_false(mlirModuleIsNull(module));
  static Run before, after;
  MlirOperation op = mlirModuleGetOperation(module);
  size_t length;
  char *text = xlaIrPrint(op, &length);
  if (!mlirOperationVerify(op))
    fail_msg("seed %llu does not verify:\n%.*s", (unsigned long long)seed,
             (int)length, text);
  evaluate(op, seed, &before);
  if (mlirLogicalResultIsFailure(xlaPrepareForLowering(
          module, mlirStringRefCreateFromCString("main"),
          xlaFusionDeviceGet("cpu"), XlaFusionReportNone)) ||
      !mlirOperationVerify(op))
    fail_msg("seed %llu:\n%.*s", (unsigned long long)seed, (int)length, text);
  MlirOperation function =
      xlaFindEntry(op, mlirStringRefCreateFromCString("main"));
  assert_true(mlirLogicalResultIsSuccess(xlaLegalVerify(function)));
  evaluate(op, seed, &after);
  mlirOperationWalk(op, countFusions, count, MlirWalkPreOrder);
  if (!isRounded(text, length) && !agree(&before, &after)) {
    mlirOperationDump(op);
    fail_msg("seed %llu changes its results:\n%.*s", (unsigned long long)seed,
             (int)length, text);
  }
  release(&before);
  release(&after);
  mlirModuleDestroy(module);
  free(text);
}

static void randomPrograms(void **state) {
  MlirContext *context = *state;
  int64_t n = setting("XLAC_PREPARE_PROGRAMS", 1000);
  int64_t first = setting("XLAC_PREPARE_SEED", 1);
  Count count = {.fusions = 0};
  for (int64_t i = 0; i < n; ++i)
    check(*context, (uint64_t)(first + i), &count);
  print_message("%lld programs, %d fusions: %d rows, %d reductions\n",
                (long long)n, count.fusions, count.rows, count.reductions);
  assert_true(n < 100 || (count.fusions > n && count.rows > n / 40 &&
                          count.reductions > n / 20));
}

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/// Two values before number `i`: a late one and any.
static int earlier(int i, bool late) {
  uint32_t hash = (uint32_t)i * UINT32_C(2654435761);
  return late ? i - 1 - (int)((hash >> 8) % (uint32_t)(i < 50 ? i : 50))
              : (int)((hash >> 16) % (uint32_t)i);
}

/// 10,000 operations, in chains, in a form where everything is used twice, and
/// where values are used anywhere. Time is linear in the program, about 0.1 s:
/// it is printed, not judged, as it is the machine's too.
static void longPrograms(void **state) {
  MlirContext *context = *state;
  for (int form = 0; form < 4; ++form) {
    enum { n = 10000 };
    size_t room = (size_t)n * 128 + 256;
    char *text = malloc(room);
    assert_non_null(text);
    int at = snprintf(text, room,
                      "func.func @main(%%0: tensor<8xf32>, %%1: tensor<8xf32>) "
                      "-> tensor<8xf32> {\n");
    for (int i = 2; i < n; ++i)
      at += snprintf(text + at, room - (size_t)at,
                     i % 40 == 0 && form == 2
                         ? "%%%d = xla.reverse %%%d {dimensions = array<i64: "
                           "0>} : tensor<8xf32>\n"
                     : form ? "%%%d = xla.add %%%d, %%%d : tensor<8xf32>\n"
                            : "%%%d = xla.tanh %%%d : tensor<8xf32>\n",
                     i, form == 3 ? earlier(i, true) : i - 1,
                     form == 3 ? earlier(i, false) : i - 2);
    snprintf(text + at, room - (size_t)at, "return %%%d : tensor<8xf32>\n}\n",
             n - 1);
    MlirModule module =
        mlirModuleCreateParse(*context, mlirStringRefCreateFromCString(text));
    assert_false(mlirModuleIsNull(module));
    double start = seconds();
    assert_true(mlirLogicalResultIsSuccess(
        xlaPrepareForLowering(module, mlirStringRefCreateFromCString("main"),
                              xlaFusionDeviceGet("cpu"), XlaFusionReportNone)));
    double time = seconds() - start;
    print_message("form %d: %d operations in %.0f ms\n", form, n, 1e3 * time);
    Count count = {.fusions = 0};
    mlirOperationWalk(mlirModuleGetOperation(module), countFusions, &count,
                      MlirWalkPreOrder);
    assert_in_range(count.fusions, n / 256, form == 3 ? n : n / 20);
    mlirModuleDestroy(module);
    free(text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(randomPrograms),
      cmocka_unit_test(longPrograms),
  };
  return cmocka_run_group_tests_name("prepare", tests, setUp, tearDown);
}
