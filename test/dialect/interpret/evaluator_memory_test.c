//===- evaluator_memory_test.c - The evaluator's memory limit -------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/dialect.h"
#include "xlac/dialect/interpret/evaluator.h"
#include "xlac/test/support/unit.h"

#include "mlir-c/Diagnostics.h"
#include "mlir-c/RegisterEverything.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARRAY "tensor<100000xf32>"
#define PAIR "(" ARRAY ", " ARRAY ")"

enum { arrayBytes = 400000 };

typedef struct Fixture {
  MlirContext context;
  char message[1000];
} Fixture;

static void copyText(MlirStringRef part, void *userData) {
  Fixture *fixture = userData;
  size_t length = strlen(fixture->message);
  snprintf(fixture->message + length, sizeof fixture->message - length, "%.*s",
           (int)part.length, part.data);
}

static MlirLogicalResult handle(MlirDiagnostic diagnostic, void *userData) {
  mlirDiagnosticPrint(diagnostic, copyText, userData);
  return mlirLogicalResultSuccess();
}

/// Runs @main(array) with `maxBytes`; true if it succeeded.
static bool run(Fixture *fixture, const char *program, int64_t maxBytes) {
  MlirModule module = mlirModuleCreateParse(
      fixture->context, mlirStringRefCreateFromCString(program));
  assert_false(mlirModuleIsNull(module));
  XlaEvaluatorOptions options = {.maxBytes = maxBytes};
  XlaEvaluator *evaluator =
      xlaEvaluatorCreate(mlirModuleGetOperation(module), &options);
  XlaShape shape = {
      .elementType = XlaElementTypeF32, .rank = 1, .dims = {100000}};
  XlaLiteral *input = xlaLiteralCreateArray(&shape), *result = NULL;
  assert_non_null(evaluator);
  assert_non_null(input);
  fixture->message[0] = '\0';
  MlirOperation main =
      xlaEvaluatorLookup(evaluator, mlirStringRefCreateFromCString("main"));
  bool done = mlirLogicalResultIsSuccess(xlaEvaluatorRun(
      evaluator, main, 1, (const XlaLiteral *const *)&input, 1, &result));
  assert_int_equal(done, result != NULL);
  xlaEvaluatorDestroy(evaluator);
  xlaLiteralRelease(result); // may outlive it
  xlaLiteralRelease(input);
  mlirModuleDestroy(module);
  return done;
}

/// The least limit that the program runs in, to a thousand bytes.
static int64_t needs(Fixture *fixture, const char *program) {
  int64_t low = 0, high = 1 << 30;
  assert_true(run(fixture, program, high));
  while (high - low > 1000) {
    int64_t middle = low + (high - low) / 2;
    if (run(fixture, program, middle)) {
      high = middle;
    } else {
      low = middle;
      if (!strstr(fixture->message, "more than the memory limit of"))
        fail_msg("%s", fixture->message);
    }
  }
  return high;
}

static void expectArrays(Fixture *fixture, const char *program, int arrays) {
  int64_t bytes = needs(fixture, program);
  if (bytes < arrays * (int64_t)arrayBytes ||
      bytes > arrays * (int64_t)arrayBytes + arrayBytes / 2)
    fail_msg("takes %lld bytes, not %d arrays of %d:\n%s", (long long)bytes,
             arrays, arrayBytes, program);
}

/// @main of 20 negations, one of the other, all of which are used after the
/// last if `usesAll`.
static void expectChain(Fixture *fixture, bool usesAll, int arrays) {
  enum { count = 20, most = 200 };
  char *program = malloc(2 * (count + 2) * most);
  size_t length = (size_t)sprintf(program, "func.func @main(%%a0: " ARRAY
                                           ") -> " ARRAY " {\n");
  assert_non_null(program);
  for (int i = 1; i <= count; ++i)
    length += (size_t)sprintf(
        program + length, "  %%a%d = xla.negate %%a%d : " ARRAY "\n", i, i - 1);
  if (usesAll)
    for (int i = count; i > 0; --i)
      length += (size_t)sprintf(program + length,
                                "  %%b%d = xla.dot %%a%d, %%a%d : " PAIR
                                " -> tensor<f32>\n",
                                i, i, i);
  sprintf(program + length, "  return %%a%d : " ARRAY "\n}\n", count);
  expectArrays(fixture, program, arrays);
  free(program);
}

static void valuesAddUp(void **state) {
  expectChain(*state, true, 20 + 1 + 4); // a dot's copies as f64
}

/// After its last use a value is gone.
static void chainsDoNotAddUp(void **state) {
  expectChain(*state, false, 3); // input, operand, result
}

/// What an operation within a later one uses stays.
static void usesInRegionsCount(void **state) {
  expectArrays(*state,
               "func.func @main(%v: " ARRAY ") -> " ARRAY " {\n"
               "  %a = xla.negate %v : " ARRAY "\n"
               "  %b = xla.negate %a : " ARRAY "\n"
               "  %c = xla.negate %b : " ARRAY "\n"
               "  %p = xla.constant dense<true> : tensor<i1>\n"
               "  %r = xla.if(%p) ({\n"
               "    xla.return %a : " ARRAY "\n"
               "  }, {\n"
               "    xla.return %c : " ARRAY "\n"
               "  }) : (tensor<i1>) -> " ARRAY "\n"
               "  return %r : " ARRAY "\n"
               "}\n",
               4);
}

/// A large splat takes less than its elements until they are written.
static void splatsTakeLittle(void **state) {
  Fixture *fixture = *state;
  enum { count = 1 << 20, bytes = count * 16 };
  MlirAttribute value = mlirAttributeParseGet(
      fixture->context,
      mlirStringRefCreateFromCString(
          "dense<(2.0, 3.0)> : tensor<1048576xcomplex<f64>>"));
  XlaLiteral *literal = xlaLiteralFromAttribute(value);
  assert_non_null(literal);
  assert_int_equal(xlaLiteralGetByteCount(literal), bytes);
  assert_true(xlaLiteralGetMemory(literal) < bytes / 100);
  assert_true(xlaLiteralGet(literal, count - 1).f.im == 3);
  xlaLiteralSet(literal, 5, (XlaScalar){.f = {7, 8}});
  assert_true(xlaLiteralGet(literal, 4).f.re == 2);
  assert_true(xlaLiteralGet(literal, 5).f.re == 7);
  assert_true(xlaLiteralGet(literal, count - 1).f.re == 2);
  assert_true(((const double *)xlaLiteralGetData(literal))[11] == 8);
  assert_true(xlaLiteralGetMemory(literal) > bytes);
  xlaLiteralRelease(literal);
  const char *program = "func.func @main(%a: " ARRAY ") -> " ARRAY " {\n"
                        "  %c = xla.constant dense<(2.0, 3.0)> : "
                        "tensor<1048576xcomplex<f64>>\n"
                        "  %d = xla.add %c, %c : tensor<1048576xcomplex<f64>>\n"
                        "  return %a : " ARRAY "\n"
                        "}\n";
  assert_true(run(fixture, program, bytes + bytes / 2));
  assert_false(run(fixture, program, bytes));
}

static void constantsAndTuplesCount(void **state) {
  expectArrays(*state,
               "func.func @main(%a: " ARRAY ") -> " ARRAY " {\n"
               "  %c = xla.constant dense<1.0> : " ARRAY "\n"
               "  %t = xla.tuple %c, %a : " PAIR " -> tuple<" ARRAY ", " ARRAY
               ">\n"
               "  %e = xla.get_tuple_element %t {index = 1 : i64} : (tuple"
               "<" ARRAY ", " ARRAY ">) -> " ARRAY "\n"
               "  return %e : " ARRAY "\n"
               "}\n",
               2);
}

/// A dot works on copies of its operands as f64.
static void copiesCount(void **state) {
  expectArrays(*state,
               "func.func @main(%a: " ARRAY ") -> " ARRAY " {\n"
               "  %d = xla.dot %a, %a : " PAIR " -> tensor<f32>\n"
               "  return %a : " ARRAY "\n"
               "}\n",
               5);
}

/// What a loop's body and a function made is gone when they end.
static void valuesThatDieDoNotAddUp(void **state) {
  expectArrays(*state,
               "func.func @main(%v: " ARRAY ") -> " ARRAY " {\n"
               "  %n = xla.constant dense<50> : tensor<i32>\n"
               "  %w:2 = xla.while(%n, %v) ({\n"
               "  ^bb0(%k: tensor<i32>, %a: " ARRAY "):\n"
               "    %o = xla.constant dense<0> : tensor<i32>\n"
               "    %c = xla.compare %k, %o {comparison_direction = \"GT\"} : "
               "(tensor<i32>, tensor<i32>) -> tensor<i1>\n"
               "    xla.return %c : tensor<i1>\n"
               "  }, {\n"
               "  ^bb0(%k: tensor<i32>, %a: " ARRAY "):\n"
               "    %o = xla.constant dense<1> : tensor<i32>\n"
               "    %l = xla.subtract %k, %o : tensor<i32>\n"
               "    %t = func.call @two(%a) : (" ARRAY ") -> " ARRAY "\n"
               "    xla.return %l, %t : tensor<i32>, " ARRAY "\n"
               "  }) : (tensor<i32>, " ARRAY ") -> (tensor<i32>, " ARRAY ")\n"
               "  return %w#1 : " ARRAY "\n"
               "}\n"
               "func.func private @two(%a: " ARRAY ") -> " ARRAY " {\n"
               "  %b = xla.negate %a : " ARRAY "\n"
               "  %c = xla.negate %b : " ARRAY "\n"
               "  return %c : " ARRAY "\n"
               "}\n",
               4); // input, carried, two of @two
}

static int setUp(void **state) {
  Fixture *fixture = calloc(1, sizeof *fixture);
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  xlaDialectRegister(registry);
  assert_non_null(fixture);
  fixture->context =
      mlirContextCreateWithRegistry(registry, /*threadingEnabled=*/false);
  mlirDialectRegistryDestroy(registry);
  mlirContextAttachDiagnosticHandler(fixture->context, handle, fixture, NULL);
  *state = fixture;
  return 0;
}

static int tearDown(void **state) {
  Fixture *fixture = *state;
  mlirContextDestroy(fixture->context);
  free(fixture);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(valuesAddUp),
      cmocka_unit_test(chainsDoNotAddUp),
      cmocka_unit_test(usesInRegionsCount),
      cmocka_unit_test(splatsTakeLittle),
      cmocka_unit_test(constantsAndTuplesCount),
      cmocka_unit_test(copiesCount),
      cmocka_unit_test(valuesThatDieDoNotAddUp),
  };
  return cmocka_run_group_tests(tests, setUp, tearDown);
}
