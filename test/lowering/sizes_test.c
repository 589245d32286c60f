//===- sizes_test.c - Programs whose sizes the inputs tell ----------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/test/support/failing_alloc.h"
#include "xlac/test/support/unit.h"

#include "xlac/lowering/client.h"
#include "xlac/passes/import/specialize.h"

#include <string.h>

/// x and the tuple of y -> x + x, and how many elements y has. There must be
/// two of x at least.
static const char text[] =
    "\"func.func\"() <{function_type = (tensor<?xf32>, tuple<tensor<?x2xi32>>)"
    " -> tuple<tensor<?xf32>, tensor<i32>>, sym_name = \"main\"}> ({\n"
    "^bb0(%x: tensor<?xf32>, %t: tuple<tensor<?x2xi32>>):\n"
    "  %y = \"stablehlo.get_tuple_element\"(%t) <{index = 0 : i32}> : "
    "(tuple<tensor<?x2xi32>>) -> tensor<?x2xi32>\n"
    "  %n = \"stablehlo.get_dimension_size\"(%x) <{dimension = 0 : i64}> : "
    "(tensor<?xf32>) -> tensor<i32>\n"
    "  %m = \"stablehlo.get_dimension_size\"(%y) <{dimension = 0 : i64}> : "
    "(tensor<?x2xi32>) -> tensor<i32>\n"
    "  %two = \"stablehlo.constant\"() <{value = dense<2> : tensor<i32>}> : () "
    "-> tensor<i32>\n"
    "  %c = \"stablehlo.compare\"(%n, %two) <{comparison_direction = "
    "#stablehlo<comparison_direction GE>}> : (tensor<i32>, tensor<i32>) -> "
    "tensor<i1>\n"
    "  \"stablehlo.custom_call\"(%c, %n) <{call_target_name = "
    "\"shape_assertion\", has_side_effect = true}> {error_message = \"two "
    "wanted, {0} there\"} : (tensor<i1>, tensor<i32>) -> ()\n"
    "  %s = \"stablehlo.add\"(%x, %x) : (tensor<?xf32>, tensor<?xf32>) -> "
    "tensor<?xf32>\n"
    "  %e = \"stablehlo.multiply\"(%m, %two) : (tensor<i32>, tensor<i32>) -> "
    "tensor<i32>\n"
    "  %r = \"stablehlo.tuple\"(%s, %e) : (tensor<?xf32>, tensor<i32>) -> "
    "tuple<tensor<?xf32>, tensor<i32>>\n"
    "  \"func.return\"(%r) : (tuple<tensor<?xf32>, tensor<i32>>) -> ()\n"
    "}) : () -> ()\n"
    "\"func.func\"() <{function_type = (tensor<?xi32>) -> tensor<?xi32>, "
    "sym_name = \"data\"}> ({\n"
    "^bb0(%x: tensor<?xi32>):\n"
    "  %0 = \"stablehlo.dynamic_iota\"(%x) <{iota_dimension = 0 : i64}> : "
    "(tensor<?xi32>) -> tensor<?xi32>\n"
    "  \"func.return\"(%0) : (tensor<?xi32>) -> ()\n"
    "}) : () -> ()\n";

typedef struct Program {
  XlaClient *client;
  XlaLoadedExecutable *executable;
} Program;

static Program load(const char *device, const char *entry) {
  XlaClientOptions options = {.device = device};
  Program p;
  assert_null(xlaClientCreate(&options, &p.client));
  MlirContext context = xlaClientGetContext(p.client);
  mlirContextSetAllowUnregisteredDialects(context, true);
  MlirModule module =
      xlaStableHloParse(context, mlirStringRefCreateFromCString(text),
                        mlirStringRefCreateFromCString("-"));
  assert_false(mlirModuleIsNull(module));
  assert_null(xlaClientCompileModule(p.client, module, entry, &p.executable));
  mlirModuleDestroy(module); // the executable has its own
  return p;
}

static void unload(Program *p) {
  xlaLoadedExecutableDestroy(p->executable);
  xlaClientDestroy(p->client);
}

static XlaLiteral *filled(XlaElementType type, int rank, int64_t rows) {
  XlaShape shape = {.elementType = type, .rank = rank, .dims = {rows, 2}};
  XlaLiteral *literal = xlaLiteralCreateArray(&shape);
  for (int64_t i = 0; i < xlaLiteralGetElementCount(literal); ++i)
    if (type == XlaElementTypeF32)
      xlaLiteralSet(literal, i, (XlaScalar){.f = {(double)i, 0}});
    else
      xlaLiteralSet(literal, i, (XlaScalar){.s = i});
  return literal;
}

/// Runs on `n` elements and `m` rows.
static XlaStatus run(Program *p, int64_t n, int64_t m, XlaLiteral **result) {
  XlaLiteral *rows = filled(XlaElementTypeS32, 2, m);
  XlaLiteral *inputs[] = {filled(XlaElementTypeF32, 1, n),
                          xlaLiteralTakeTuple(1, &rows)};
  XlaStatus status = xlaLoadedExecutableRun(
      p->executable, 2, (const XlaLiteral *const *)inputs, result);
  xlaLiteralRelease(inputs[0]);
  xlaLiteralRelease(inputs[1]);
  return status;
}

static void expectRun(Program *p, int64_t n, int64_t m) {
  XlaLiteral *result;
  assert_null(run(p, n, m, &result));
  const XlaLiteral *sum = xlaLiteralGetTupleElement(result, 0);
  assert_int_equal(xlaLiteralGetElementCount(sum), n);
  for (int64_t i = 0; i < n; ++i)
    assert_true(xlaLiteralGet(sum, i).f.re == 2.0 * (double)i);
  assert_int_equal(xlaLiteralGet(xlaLiteralGetTupleElement(result, 1), 0).s,
                   2 * m);
  xlaLiteralRelease(result);
}

static void expectError(Program *p, int64_t n, int64_t m, XlaStatusCode code,
                        const char *words) {
  XlaLiteral *result;
  XlaStatus status = run(p, n, m, &result);
  assert_null(result);
  assert_int_equal(xlaStatusCode(status), code);
  if (!strstr(xlaStatusMessage(status), words))
    fail_msg("the status is \"%s\", without \"%s\"", xlaStatusMessage(status),
             words);
  xlaStatusDestroy(status);
}

static void runs(const char *device) {
  Program p = load(device, "main");
  expectRun(&p, 3, 2);
  expectRun(&p, 1000, 1);
  expectRun(&p, 3, 2);
  expectRun(&p, 2, 0);
  expectError(&p, 1, 2, XLA_STATUS_INVALID_ARGUMENT, "two wanted, 1 there");
  expectError(&p, 1, 2, XLA_STATUS_INVALID_ARGUMENT, "two wanted, 1 there");
  expectRun(&p, 3, 2);
  unload(&p);
}

static void runsOnTheInterpreter(void **state) {
  (void)state;
  runs("interpreter");
}

static void runsOnTheCpu(void **state) {
  (void)state;
  runs("cpu");
}

static void wrongInputs(const char *device) {
  Program p = load(device, "main");
  XlaLiteral *rows = filled(XlaElementTypeS32, 2, 2), *result;
  XlaLiteral *tuple = xlaLiteralTakeTuple(1, &rows);
  XlaLiteral *matrix = filled(XlaElementTypeF32, 2, 2);
  const XlaLiteral *inputs[] = {matrix, tuple};
  XlaStatus status = xlaLoadedExecutableRun(p.executable, 2, inputs, &result);
  assert_int_equal(xlaStatusCode(status), XLA_STATUS_INVALID_ARGUMENT);
  xlaStatusDestroy(status);
  xlaLiteralRelease(matrix);
  xlaLiteralRelease(tuple);
  unload(&p);
}

static void wrongInputsAreErrors(void **state) {
  (void)state;
  wrongInputs("interpreter");
  wrongInputs("cpu");
}

/// A size that only data tells is not supported.
static void dataTells(const char *device) {
  Program p = load(device, "data");
  XlaLiteral *x = filled(XlaElementTypeS32, 1, 1), *result;
  XlaStatus status = xlaLoadedExecutableRun(
      p.executable, 1, (const XlaLiteral *const *)&x, &result);
  assert_int_equal(xlaStatusCode(status), XLA_STATUS_UNIMPLEMENTED);
  assert_non_null(strstr(xlaStatusMessage(status), "dynamic_iota"));
  xlaStatusDestroy(status);
  xlaLiteralRelease(x);
  unload(&p);
}

static void sizesOfDataAreRefused(void **state) {
  (void)state;
  dataTells("interpreter");
  dataTells("cpu");
}

//===----------------------------------------------------------------------===//
// What is kept
//===----------------------------------------------------------------------===//

static XlaExecutable *forSize(XlaExecutable *e, int64_t n) {
  XlaShape shapes[] = {*XLA_SHAPE(F32, n), *XLA_SHAPE(S32, 1, 2)};
  XlaExecutable *found;
  assert_true(mlirLogicalResultIsSuccess(
      xlaExecutableSpecialize(e, 2, shapes, &found)));
  return found;
}

static void keepsTheLastSizes(void **state) {
  (void)state;
  Program p = load("cpu", "main");
  XlaExecutable *e = xlaLoadedExecutableGetExecutable(p.executable);
  assert_true(xlaExecutableIsUnbounded(e));
  XlaExecutable *first = forSize(e, 2);
  assert_false(xlaExecutableIsUnbounded(first));
  for (int64_t n = 3; n < 2 + XLA_EXECUTABLE_SIZES; ++n) {
    assert_ptr_not_equal(forSize(e, n), first);
    assert_ptr_equal(forSize(e, 2), first);
  }
  // One more takes the place of 3, the oldest.
  XlaExecutable *fourth = forSize(e, 4), *third = forSize(e, 100);
  assert_ptr_equal(forSize(e, 2), first);
  assert_ptr_equal(forSize(e, 4), fourth);
  assert_int_equal(xlaExecutableGetInputShape(third, 0)->dims[0], 100);
  failingAllocSet(0);
  assert_ptr_equal(forSize(e, 2), first);
  assert_int_equal(failingAllocCount(), 0);
  double before = xlaExecutableGetStats(forSize(e, 2))->totalMs;
  assert_true(before > 0);
  unload(&p);
}

/// Every allocation fails once: that is reported, and the next run is right.
static void withoutMemory(const char *device) {
  Program p = load(device, "main");
  bool done = false;
  expectRun(&p, 2, 1); // loads what dialects it needs
  for (int number = 1; !done; number += number < 100 ? 1 : 97) {
    XlaLiteral *rows = filled(XlaElementTypeS32, 2, 1), *result;
    XlaLiteral *inputs[] = {filled(XlaElementTypeF32, 1, 2 + number),
                            xlaLiteralTakeTuple(1, &rows)};
    failingAllocSet(number);
    XlaStatus status = xlaLoadedExecutableRun(
        p.executable, 2, (const XlaLiteral *const *)inputs, &result);
    done = failingAllocCount() < number;
    failingAllocSet(0);
    assert_true(status ? !result && !done : result != NULL);
    xlaStatusDestroy(status);
    xlaLiteralRelease(result);
    xlaLiteralRelease(inputs[0]);
    xlaLiteralRelease(inputs[1]);
  }
  expectRun(&p, 3, 2);
  unload(&p);
}

static void lackOfMemoryIsAnError(void **state) {
  (void)state;
  withoutMemory("interpreter");
  withoutMemory("cpu");
}

static void runsOnPlainMemory(void **state) {
  (void)state;
  Program p = load("cpu", "main");
  XlaExecutable *e = xlaLoadedExecutableGetExecutable(p.executable);
  XlaExecutable *program = forSize(e, 3), *none;
  float x[] = {1, 2, 3}, sum[3];
  int32_t y[] = {0, 0}, size;
  const void *inputs[] = {x, y};
  void *outputs[] = {sum, &size};
  assert_int_equal(xlaExecutableGetNumInputs(program), 2);
  assert_true(
      mlirLogicalResultIsSuccess(xlaExecutableRun(program, inputs, outputs)));
  assert_true(sum[2] == 6 && size == 2);
  assert_true(mlirLogicalResultIsFailure(xlaExecutableRun(e, inputs, outputs)));
  assert_true(mlirLogicalResultIsFailure(
      xlaExecutableSpecialize(e, 1, XLA_SHAPE(F32, 3), &none)));
  assert_null(none);
  XlaShape wrong[] = {*XLA_SHAPE(F32, 3), *XLA_SHAPE(S32, 1, 3)};
  assert_true(
      mlirLogicalResultIsFailure(xlaExecutableSpecialize(e, 2, wrong, &none)));
  assert_true(mlirLogicalResultIsSuccess(
      xlaExecutableSpecialize(program, 0, NULL, &none)));
  assert_ptr_equal(none, program);
  unload(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(runsOnTheInterpreter),
      cmocka_unit_test(runsOnTheCpu),
      cmocka_unit_test(wrongInputsAreErrors),
      cmocka_unit_test(sizesOfDataAreRefused),
      cmocka_unit_test(keepsTheLastSizes),
      cmocka_unit_test(lackOfMemoryIsAnError),
      cmocka_unit_test(runsOnPlainMemory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
