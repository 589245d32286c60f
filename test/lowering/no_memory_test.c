//===- no_memory_test.c - Programs without memory -------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every allocation of the evaluator, of the passes and of the compiler fails
// once: the step fails with an error, or does without and gives the same
// result. That nothing is lost is for the address sanitizer to see.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/dialect.h"
#include "xlac/dialect/interpret/evaluator.h"
#include "xlac/lowering/executable.h"
#include "xlac/passes/prepare.h"

#include "mlir-c/Diagnostics.h"
#include "mlir-c/RegisterEverything.h"

#include "xlac/test/support/failing_alloc.h"
#include "xlac/test/support/unit.h"

#include <stdlib.h>
#include <string.h>

static const char program[] =
    "func.func @main() -> tensor<3xf32> {\n"
    "  %i = xla.iota {iota_dimension = 0} : () -> tensor<3x4xf32>\n"
    "  %z = xla.constant dense<0.5> : tensor<f32>\n"
    "  %p = xla.tuple %i, %z : (tensor<3x4xf32>, tensor<f32>) -> "
    "tuple<tensor<3x4xf32>, tensor<f32>>\n"
    "  %j = xla.get_tuple_element %p {index = 0 : i64} : "
    "(tuple<tensor<3x4xf32>, tensor<f32>>) -> tensor<3x4xf32>\n"
    "  %s = xla.add %j, %z : (tensor<3x4xf32>, tensor<f32>) -> "
    "tensor<3x4xf32>\n"
    "  %t = xla.transpose %s {permutation = array<i64: 1, 0>} : "
    "(tensor<3x4xf32>) -> tensor<4x3xf32>\n"
    "  %d = xla.dot %s, %t : (tensor<3x4xf32>, tensor<4x3xf32>) -> "
    "tensor<3x3xf32>\n"
    "  %r = xla.reduce(%d, %z) ({\n"
    "  ^bb0(%a: tensor<f32>, %b: tensor<f32>):\n"
    "    %m = xla.add %a, %b : tensor<f32>\n"
    "    xla.return %m : tensor<f32>\n"
    "  }) {dimensions = array<i64: 1>} : (tensor<3x3xf32>, tensor<f32>) -> "
    "tensor<3xf32>\n"
    "  %f = xla.complex %r, %r : (tensor<3xf32>, tensor<3xf32>) -> "
    "tensor<3xcomplex<f32>>\n"
    "  %g = xla.constant dense<[(1.0, 2.0), (3.0, 4.0), (5.0, 6.0)]> : "
    "tensor<3xcomplex<f32>>\n"
    "  %h = xla.multiply %f, %g : tensor<3xcomplex<f32>>\n"
    "  %e = xla.real %h : (tensor<3xcomplex<f32>>) -> tensor<3xf32>\n"
    "  %n = xla.constant dense<3> : tensor<i32>\n"
    "  %w:2 = xla.while(%n, %e) ({\n"
    "  ^bb0(%k: tensor<i32>, %v: tensor<3xf32>):\n"
    "    %o = xla.constant dense<0> : tensor<i32>\n"
    "    %c = xla.compare %k, %o {comparison_direction = \"GT\"} : "
    "(tensor<i32>, tensor<i32>) -> tensor<i1>\n"
    "    xla.return %c : tensor<i1>\n"
    "  }, {\n"
    "  ^bb0(%k: tensor<i32>, %v: tensor<3xf32>):\n"
    "    %o = xla.constant dense<1> : tensor<i32>\n"
    "    %l = xla.subtract %k, %o : tensor<i32>\n"
    "    %u = xla.call @half(%v) : (tensor<3xf32>) -> tensor<3xf32>\n"
    "    xla.return %l, %u : tensor<i32>, tensor<3xf32>\n"
    "  }) : (tensor<i32>, tensor<3xf32>) -> (tensor<i32>, tensor<3xf32>)\n"
    "  return %w#1 : tensor<3xf32>\n"
    "}\n"
    "func.func private @half(%v: tensor<3xf32>) -> tensor<3xf32> {\n"
    "  %h = xla.constant dense<[0.5, 0.25, 0.125]> : tensor<3xf32>\n"
    "  %u = xla.multiply %v, %h : tensor<3xf32>\n"
    "  return %u : tensor<3xf32>\n"
    "}\n";

typedef struct Case {
  MlirContext context;
  MlirModule module;
  float expected[3];
  int errors;
  int allocations; // of a use that succeeded
} Case;

/// Does what is tested: true if it succeeded, with the right result.
typedef bool (*Use)(Case *c);

static MlirLogicalResult count(MlirDiagnostic diagnostic, void *userData) {
  Case *c = userData;
  c->errors += mlirDiagnosticGetSeverity(diagnostic) == MlirDiagnosticError;
  return mlirLogicalResultSuccess();
}

/// Runs @main on the evaluator; its first result is what others are to be.
static bool evaluate(Case *c) {
  XlaEvaluatorOptions options = {0};
  XlaLiteral *result = NULL;
  XlaEvaluator *evaluator =
      xlaEvaluatorCreate(mlirModuleGetOperation(c->module), &options);
  if (!evaluator)
    return ++c->errors, false;
  MlirOperation main = mlirBlockGetFirstOperation(mlirModuleGetBody(c->module));
  bool done = mlirLogicalResultIsSuccess(
      xlaEvaluatorRun(evaluator, main, 0, NULL, 1, &result));
  assert_int_equal(done, result != NULL);
  if (done && c->expected[0] == 0)
    memcpy(c->expected, xlaLiteralGetData(result), sizeof c->expected);
  if (done)
    assert_memory_equal(c->expected, xlaLiteralGetData(result),
                        sizeof c->expected);
  xlaLiteralRelease(result);
  xlaEvaluatorDestroy(evaluator);
  return done;
}

static bool prepare(Case *c) {
  if (mlirLogicalResultIsFailure(xlaPrepareForLowering(
          c->module, mlirStringRefCreate("", 0), xlaFusionDeviceGet("cpu"),
          XlaFusionReportNone)))
    return false;
  c->allocations = failingAllocCount();
  failingAllocSet(0);
  assert_true(evaluate(c));
  return true;
}

static bool compile(Case *c) {
  XlaCompileOptions options = {0};
  XlaExecutable *executable = NULL;
  MlirLogicalResult result = xlaExecutableCompile(
      c->module, mlirStringRefCreateFromCString("main"), &options, &executable);
  if (mlirLogicalResultIsFailure(result)) {
    assert_null(executable);
    return false;
  }
  XlaLiteral *given = NULL;
  bool done = mlirLogicalResultIsSuccess(
      xlaExecutableRunLiterals(executable, 0, NULL, 1, &given));
  if (done) {
    const float *values = xlaLiteralGetData(given);
    for (int i = 0; i < 3; ++i)
      assert_float_equal(values[i], c->expected[i], 1e-3);
  }
  xlaLiteralRelease(given);
  xlaExecutableDestroy(executable);
  return done;
}

/// Runs `use` on the program with allocation `number` failing.
static bool runOnce(Case *c, Use use, int number) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  xlaDialectRegister(registry);
  c->context = mlirContextCreateWithRegistry(registry, false);
  mlirDialectRegistryDestroy(registry);
  mlirContextAttachDiagnosticHandler(c->context, count, c, NULL);
  c->module = mlirModuleCreateParse(
      c->context, mlirStringRefCreate(program, sizeof program - 1));
  assert_false(mlirModuleIsNull(c->module));
  c->errors = 0;
  c->allocations = 0;
  failingAllocSet(number);
  bool done = use(c);
  if (!c->allocations)
    c->allocations = failingAllocCount();
  failingAllocSet(0);
  if (!done && !c->errors)
    fail_msg("allocation %d fails without an error", number);
  if (done && c->errors)
    fail_msg("allocation %d fails with an error that is passed over", number);
  mlirModuleDestroy(c->module);
  mlirContextDestroy(c->context);
  return done;
}

static void failEach(Use use) {
  Case c = {.errors = 0};
  int failures = 0;
  assert_true(runOnce(&c, evaluate, 0));
  for (int number = 1;; ++number) {
    bool done = runOnce(&c, use, number);
    if (c.allocations < number) { // there is no such allocation
      assert_true(done);
      print_message("%d allocations, %d of them needed\n", number - 1,
                    failures);
      break;
    }
    failures += !done;
  }
  assert_true(failures > 10);
}

static void evaluator(void **state) { failEach(evaluate); }

static void passes(void **state) { failEach(prepare); }

static void compiler(void **state) { failEach(compile); }

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(evaluator),
      cmocka_unit_test(passes),
      cmocka_unit_test(compiler),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
