//===- evaluator_test.c - Programs run by the reference evaluator ---------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What folding does not reach: control flow, calls, bodies that are no scalar
// programs, limits, foreign code; and contractions of random dimensions.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/dialect.h"
#include "xlac/dialect/error.h"
#include "xlac/dialect/interpret/evaluator.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/Diagnostics.h"
#include "mlir-c/RegisterEverything.h"

#include "xlac/test/support/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Fixture {
  MlirContext context;
  MlirDiagnosticHandlerID handler;
  char message[512]; // the last error
} Fixture;

static MlirLogicalResult handle(MlirDiagnostic diagnostic, void *data) {
  Fixture *fixture = data;
  xlaDiagnosticGetText(diagnostic, fixture->message, sizeof fixture->message);
  return mlirLogicalResultSuccess();
}

static int setUp(void **state) {
  Fixture *fixture = calloc(1, sizeof *fixture);
  assert_non_null(fixture);
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  xlaDialectRegister(registry);
  fixture->context =
      mlirContextCreateWithRegistry(registry, /*threadingEnabled=*/false);
  mlirDialectRegistryDestroy(registry);
  fixture->handler = mlirContextAttachDiagnosticHandler(
      fixture->context, handle, fixture, /*deleteUserData=*/NULL);
  *state = fixture;
  return 0;
}

static int tearDown(void **state) {
  Fixture *fixture = *state;
  mlirContextDestroy(fixture->context);
  free(fixture);
  return 0;
}

static MlirModule parse(Fixture *fixture, const char *text) {
  MlirModule module = mlirModuleCreateParse(
      fixture->context, mlirStringRefCreateFromCString(text));
  if (mlirModuleIsNull(module))
    fail_msg("%s\n%s", fixture->message, text);
  return module;
}

enum { most = 8 };

/// Runs @main, which has no arguments. False leaves a message.
static bool run(Fixture *fixture, const char *text,
                const XlaEvaluatorOptions *options, intptr_t nResults,
                XlaLiteral **results) {
  MlirModule module = parse(fixture, text);
  fixture->message[0] = 0;
  XlaEvaluator *evaluator =
      xlaEvaluatorCreate(mlirModuleGetOperation(module), options);
  assert_non_null(evaluator);
  MlirOperation function =
      xlaEvaluatorLookup(evaluator, mlirStringRefCreateFromCString("main"));
  bool good = mlirLogicalResultIsSuccess(
      xlaEvaluatorRun(evaluator, function, 0, NULL, nResults, results));
  xlaEvaluatorDestroy(evaluator);
  mlirModuleDestroy(module);
  return good;
}

/// The results of @main are these, bit by bit.
static void expect(void **state, const char *text, intptr_t nResults,
                   const char *const *expected) {
  Fixture *fixture = *state;
  XlaEvaluatorOptions options = {.maxSteps = 1 << 22};
  XlaLiteral *results[most];
  assert_true(nResults <= most);
  if (!run(fixture, text, &options, nResults, results))
    fail_msg("%s", fixture->message);
  for (intptr_t i = 0; i < nResults; ++i) {
    MlirAttribute attr = mlirAttributeParseGet(
        fixture->context, mlirStringRefCreateFromCString(expected[i]));
    assert_false(mlirAttributeIsNull(attr));
    MlirAttribute got = xlaLiteralToAttribute(results[i], fixture->context);
    if (!mlirAttributeEqual(attr, got)) {
      mlirAttributeDump(got);
      fail_msg("result %d is not %s", (int)i, expected[i]);
    }
    xlaLiteralRelease(results[i]);
  }
}
#define EXPECT(text, ...)                                                      \
  expect(state, text,                                                          \
         sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *),          \
         (const char *const[]){__VA_ARGS__})

static void expectError(void **state, const char *text,
                        const XlaEvaluatorOptions *options,
                        const char *message) {
  Fixture *fixture = *state;
  XlaLiteral *result = NULL;
  assert_false(run(fixture, text, options, 1, &result));
  assert_null(result);
  if (!strstr(fixture->message, message))
    fail_msg("\"%s\" is not in \"%s\"", message, fixture->message);
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

/// Specification 000's loop: 1,000 iterations that add a vector.
static void testWhile(void **state) {
  EXPECT("func.func @main() -> (tensor<i32>, tensor<3xf32>, tensor<i32>) {\n"
         "  %i = xla.constant dense<0> : tensor<i32>\n"
         "  %one = xla.constant dense<1> : tensor<i32>\n"
         "  %n = xla.constant dense<1000> : tensor<i32>\n"
         "  %v = xla.constant dense<0.0> : tensor<3xf32>\n"
         "  %c = xla.constant dense<[1.0, 2.0, 0.5]> : tensor<3xf32>\n"
         "  %0:2 = xla.while(%i, %v) ({\n"
         "  ^bb0(%a: tensor<i32>, %b: tensor<3xf32>):\n"
         "    %p = xla.compare %a, %n {comparison_direction = \"LT\"} : "
         "(tensor<i32>, tensor<i32>) -> tensor<i1>\n"
         "    xla.return %p : tensor<i1>\n"
         "  }, {\n"
         "  ^bb0(%a: tensor<i32>, %b: tensor<3xf32>):\n"
         "    %k = xla.add %a, %one : tensor<i32>\n"
         "    %w = xla.add %b, %c : tensor<3xf32>\n"
         "    xla.return %k, %w : tensor<i32>, tensor<3xf32>\n"
         "  }) : (tensor<i32>, tensor<3xf32>) -> (tensor<i32>, tensor<3xf32>)\n"
         // A condition that is false at once, and a body that swaps.
         "  %1:2 = xla.while(%n, %one) ({\n"
         "  ^bb0(%a: tensor<i32>, %b: tensor<i32>):\n"
         "    %p = xla.compare %a, %b {comparison_direction = \"LT\"} : "
         "(tensor<i32>, tensor<i32>) -> tensor<i1>\n"
         "    xla.return %p : tensor<i1>\n"
         "  }, {\n"
         "  ^bb0(%a: tensor<i32>, %b: tensor<i32>):\n"
         "    xla.return %b, %a : tensor<i32>, tensor<i32>\n"
         "  }) : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)\n"
         "  return %0#0, %0#1, %1#0 : tensor<i32>, tensor<3xf32>, "
         "tensor<i32>\n}\n",
         "dense<1000> : tensor<i32>",
         "dense<[1000.0, 2000.0, 500.0]> : tensor<3xf32>",
         "dense<1000> : tensor<i32>");
}

/// The state moves between its places, every iteration from the old values.
static void testSwap(void **state) {
  EXPECT("func.func @main() -> (tensor<i32>, tensor<i32>) {\n"
         "  %x = xla.constant dense<1> : tensor<i32>\n"
         "  %n = xla.constant dense<50> : tensor<i32>\n"
         "  %0:2 = xla.while(%x, %x) ({\n"
         "  ^bb0(%a: tensor<i32>, %b: tensor<i32>):\n"
         "    %p = xla.compare %b, %n {comparison_direction = \"LT\"} : "
         "(tensor<i32>, tensor<i32>) -> tensor<i1>\n"
         "    xla.return %p : tensor<i1>\n"
         "  }, {\n"
         "  ^bb0(%a: tensor<i32>, %b: tensor<i32>):\n"
         "    %s = xla.add %a, %b : tensor<i32>\n"
         "    xla.return %b, %s : tensor<i32>, tensor<i32>\n"
         "  }) : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)\n"
         "  return %0#0, %0#1 : tensor<i32>, tensor<i32>\n}\n",
         "dense<34> : tensor<i32>", "dense<55> : tensor<i32>");
}

static void branch(void **state, const char *op, const char *selector,
                   const char *type, const char *expected) {
  char text[1024];
  snprintf(text, sizeof text,
           "func.func @main() -> tensor<i32> {\n"
           "  %%s = xla.constant dense<%s> : tensor<%s>\n"
           "  %%a = xla.constant dense<10> : tensor<i32>\n"
           "  %%b = xla.constant dense<20> : tensor<i32>\n"
           "  %%0 = xla.%s(%%s) ({\n    xla.return %%a : tensor<i32>\n  }, {\n"
           "    xla.return %%b : tensor<i32>\n  }) : (tensor<%s>) -> "
           "tensor<i32>\n  return %%0 : tensor<i32>\n}\n",
           selector, type, op, type);
  EXPECT(text, expected);
}

/// True is the first branch; an index out of range is the last.
static void testBranches(void **state) {
  static const char *const a = "dense<10> : tensor<i32>";
  static const char *const b = "dense<20> : tensor<i32>";
  branch(state, "if", "true", "i1", a);
  branch(state, "if", "false", "i1", b);
  branch(state, "case", "0", "i32", a);
  branch(state, "case", "1", "i32", b);
  branch(state, "case", "2", "i32", b);
  branch(state, "case", "-1", "i32", b);
  branch(state, "case", "-2147483648", "i32", b);
  branch(state, "conditional", "true", "i1", a);
  branch(state, "conditional", "0", "i32", a);
  branch(state, "conditional", "7", "i32", b);
}

/// Each branch gets its own operand.
static void testConditionalOperands(void **state) {
  for (int index = -1; index < 4; ++index) {
    int last = index < 0 || index > 2 ? 2 : index;
    char text[1024], expected[64];
    snprintf(text, sizeof text,
             "func.func @main() -> tensor<i32> {\n"
             "  %%s = xla.constant dense<%d> : tensor<i32>\n"
             "  %%a = xla.constant dense<1> : tensor<i32>\n"
             "  %%b = xla.constant dense<2> : tensor<1xi32>\n"
             "  %%c = xla.constant dense<3> : tensor<i32>\n"
             "  %%0 = xla.conditional(%%s, %%a, %%b, %%c) ({\n"
             "  ^bb0(%%x: tensor<i32>):\n    xla.return %%x : tensor<i32>\n"
             "  }, {\n  ^bb0(%%x: tensor<1xi32>):\n"
             "    %%y = xla.reshape %%x : (tensor<1xi32>) -> tensor<i32>\n"
             "    xla.return %%y : tensor<i32>\n"
             "  }, {\n  ^bb0(%%x: tensor<i32>):\n"
             "    xla.return %%x : tensor<i32>\n"
             "  }) : (tensor<i32>, tensor<i32>, tensor<1xi32>, tensor<i32>) -> "
             "tensor<i32>\n  return %%0 : tensor<i32>\n}\n",
             index);
    snprintf(expected, sizeof expected, "dense<%d> : tensor<i32>", last + 1);
    EXPECT(text, expected);
  }
}

static const char *const factorial =
    "func.func @main() -> tensor<i32> {\n"
    "  %n = xla.constant dense<10> : tensor<i32>\n"
    "  %0 = xla.call @factorial(%n) : (tensor<i32>) -> tensor<i32>\n"
    "  return %0 : tensor<i32>\n}\n"
    "func.func private @factorial(%n: tensor<i32>) -> tensor<i32> {\n"
    "  %one = xla.constant dense<1> : tensor<i32>\n"
    "  %p = xla.compare %n, %one {comparison_direction = \"LE\"} : "
    "(tensor<i32>, tensor<i32>) -> tensor<i1>\n"
    "  %0 = xla.if(%p) ({\n    xla.return %one : tensor<i32>\n  }, {\n"
    "    %m = xla.subtract %n, %one : tensor<i32>\n"
    "    %f = func.call @factorial(%m) : (tensor<i32>) -> tensor<i32>\n"
    "    %r = xla.multiply %n, %f : tensor<i32>\n"
    "    xla.return %r : tensor<i32>\n"
    "  }) : (tensor<i1>) -> tensor<i32>\n"
    "  return %0 : tensor<i32>\n}\n";

static void testRecursion(void **state) {
  EXPECT(factorial, "dense<3628800> : tensor<i32>");
  XlaEvaluatorOptions options = {.maxCallDepth = 5};
  expectError(state, factorial, &options, "nests calls more than 5 deep");
  options.maxCallDepth = 0;
  expectError(state,
              "func.func @main() -> tensor<i32> {\n"
              "  %0 = func.call @main() : () -> tensor<i32>\n"
              "  return %0 : tensor<i32>\n}\n",
              &options, "nests calls more than 1000 deep");
}

/// A few calls with many regions each would overflow the stack as well.
static void testNestedRecursion(void **state) {
  enum { depth = 400 };
  char *text = malloc(256 * depth);
  assert_non_null(text);
  int length = sprintf(text, "func.func @main() -> tensor<i32> {\n"
                             "  %%s = xla.constant dense<0> : tensor<i32>\n");
  for (int i = 0; i < depth; ++i)
    length += sprintf(text + length, "%%a%d = xla.case(%%s) ({\n", i);
  length +=
      sprintf(text + length, "%%r = func.call @main() : () -> tensor<i32>\n"
                             "xla.return %%r : tensor<i32>\n");
  for (int i = depth - 1; i >= 0; --i)
    length += sprintf(text + length,
                      "}) : (tensor<i32>) -> tensor<i32>\n%s %%a%d : "
                      "tensor<i32>\n",
                      i ? "xla.return" : "return", i);
  sprintf(text + length, "}\n");
  XlaEvaluatorOptions options = {.maxSteps = 0};
  expectError(state, text, &options, "nests calls and regions 2000 deep");
  free(text);
}

//===----------------------------------------------------------------------===//
// Bodies that the evaluator runs itself
//===----------------------------------------------------------------------===//

/// A body that calls, one that uses a value computed outside, and a table.
static void testBodies(void **state) {
  EXPECT(
      "func.func @main() -> (tensor<2xi32>, tensor<i8>, tensor<3xf32>) {\n"
      "  %x = xla.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>\n"
      "  %z = xla.constant dense<100> : tensor<i32>\n"
      "  %0 = xla.reduce(%x, %z) ({\n"
      "  ^bb0(%a: tensor<i32>, %b: tensor<i32>):\n"
      "    %s = xla.call @twice_plus(%a, %b) : (tensor<i32>, tensor<i32>) -> "
      "tensor<i32>\n    xla.return %s : tensor<i32>\n"
      "  }) {dimensions = array<i64: 1>} : (tensor<2x3xi32>, tensor<i32>) -> "
      "tensor<2xi32>\n"
      "  %y = xla.constant dense<[1, 2, 3]> : tensor<3xi8>\n"
      "  %q = xla.constant dense<0> : tensor<i8>\n"
      "  %k = xla.convert %z : (tensor<i32>) -> tensor<i8>\n"
      "  %1 = xla.reduce(%y, %q) ({\n"
      "  ^bb0(%a: tensor<i8>, %b: tensor<i8>):\n"
      "    %s = xla.add %b, %k : tensor<i8>\n"
      "    %t = xla.add %a, %s : tensor<i8>\n"
      "    xla.return %t : tensor<i8>\n"
      "  }) {dimensions = array<i64: 0>} : (tensor<3xi8>, tensor<i8>) -> "
      "tensor<i8>\n"
      "  %t = xla.constant dense<[0.0, 1.5, 2.5, 3.5]> : tensor<4xf32>\n"
      "  %i = xla.constant dense<[3, 0, 2]> : tensor<3xi32>\n"
      "  %2 = xla.map(%i, %t) ({\n"
      "  ^bb0(%a: tensor<i32>, %all: tensor<4xf32>):\n"
      "    %s = xla.dynamic_slice %all, %a {slice_sizes = array<i64: 1>} : "
      "(tensor<4xf32>, tensor<i32>) -> tensor<1xf32>\n"
      "    %r = xla.reshape %s : (tensor<1xf32>) -> tensor<f32>\n"
      "    xla.return %r : tensor<f32>\n"
      "  }) {dimensions = array<i64: 0>} : (tensor<3xi32>, tensor<4xf32>) -> "
      "tensor<3xf32>\n"
      "  return %0, %1, %2 : tensor<2xi32>, tensor<i8>, tensor<3xf32>\n}\n"
      "func.func private @twice_plus(%a: tensor<i32>, %b: tensor<i32>) -> "
      "tensor<i32> {\n"
      "  %t = xla.add %a, %a : tensor<i32>\n"
      "  %s = xla.add %t, %b : tensor<i32>\n"
      "  return %s : tensor<i32>\n}\n",
      // 8 * 100 + 4 x + 2 y + z; 3 * 100 + 6 in 8 bits
      "dense<[811, 832]> : tensor<2xi32>", "dense<50> : tensor<i8>",
      "dense<[3.5, 0.0, 2.5]> : tensor<3xf32>");
}

static void testTuplesAndIota(void **state) {
  EXPECT("func.func @main() -> (tensor<i32>, tensor<2x3xbf16>, "
         "tensor<3x2xi8>, tensor<0x2xf32>) {\n"
         "  %a = xla.iota {iota_dimension = 1 : i64} : () -> tensor<2x3xbf16>\n"
         "  %s = xla.constant dense<5> : tensor<i32>\n"
         "  %t = xla.tuple %a, %s : (tensor<2x3xbf16>, tensor<i32>) -> "
         "tuple<tensor<2x3xbf16>, tensor<i32>>\n"
         "  %u = xla.tuple %t : (tuple<tensor<2x3xbf16>, tensor<i32>>) -> "
         "tuple<tuple<tensor<2x3xbf16>, tensor<i32>>>\n"
         "  %v:2 = xla.optimization_barrier %u, %s : "
         "(tuple<tuple<tensor<2x3xbf16>, tensor<i32>>>, tensor<i32>) -> "
         "(tuple<tuple<tensor<2x3xbf16>, tensor<i32>>>, tensor<i32>)\n"
         "  %w = xla.get_tuple_element %v#0 {index = 0 : i32} : "
         "(tuple<tuple<tensor<2x3xbf16>, tensor<i32>>>) -> "
         "tuple<tensor<2x3xbf16>, tensor<i32>>\n"
         "  %0 = xla.get_tuple_element %w {index = 1 : i32} : "
         "(tuple<tensor<2x3xbf16>, tensor<i32>>) -> tensor<i32>\n"
         "  %1 = xla.get_tuple_element %w {index = 0 : i32} : "
         "(tuple<tensor<2x3xbf16>, tensor<i32>>) -> tensor<2x3xbf16>\n"
         "  %2 = xla.iota {iota_dimension = 0 : i64} : () -> tensor<3x2xi8>\n"
         "  %3 = xla.iota {iota_dimension = 0 : i64} : () -> tensor<0x2xf32>\n"
         "  return %0, %1, %2, %3 : tensor<i32>, tensor<2x3xbf16>, "
         "tensor<3x2xi8>, tensor<0x2xf32>\n}\n",
         "dense<5> : tensor<i32>",
         "dense<[[0.0, 1.0, 2.0], [0.0, 1.0, 2.0]]> : tensor<2x3xbf16>",
         "dense<[[0, 0], [1, 1], [2, 2]]> : tensor<3x2xi8>",
         "dense<> : tensor<0x2xf32>");
}

//===----------------------------------------------------------------------===//
// Limits and foreign code
//===----------------------------------------------------------------------===//

static const char *const endless =
    "func.func @main() -> tensor<i1> {\n"
    "  %t = xla.constant dense<true> : tensor<i1>\n"
    "  %0 = xla.while(%t) ({\n  ^bb0(%p: tensor<i1>):\n"
    "    xla.return %p : tensor<i1>\n  }, {\n  ^bb0(%p: tensor<i1>):\n"
    "    xla.return %p : tensor<i1>\n  }) : (tensor<i1>) -> tensor<i1>\n"
    "  return %0 : tensor<i1>\n}\n";

static const char *const large =
    "func.func @main() -> tensor<f32> {\n"
    "  %x = xla.constant dense<1.0> : tensor<1000000000000xf32>\n"
    "  %z = xla.constant dense<0.0> : tensor<f32>\n"
    "  return %z : tensor<f32>\n}\n";

/// A reduction is counted by its elements, not by its result.
static const char *const manySteps =
    "func.func @main() -> tensor<i32> {\n"
    "  %x = xla.iota {iota_dimension = 0 : i64} : () -> tensor<1000xi32>\n"
    "  %z = xla.constant dense<0> : tensor<i32>\n"
    "  %0 = xla.reduce(%x, %z) ({\n"
    "  ^bb0(%a: tensor<i32>, %b: tensor<i32>):\n"
    "    %s = xla.add %a, %b : tensor<i32>\n    xla.return %s : tensor<i32>\n"
    "  }) {dimensions = array<i64: 0>} : (tensor<1000xi32>, tensor<i32>) -> "
    "tensor<i32>\n  return %0 : tensor<i32>\n}\n";

static void testLimits(void **state) {
  Fixture *fixture = *state;
  XlaLiteral *result = NULL;
  XlaEvaluatorOptions options = {.maxSteps = 10000};
  expectError(state, endless, &options, "takes more than 10000 steps");
  options.quiet = true;
  assert_false(run(fixture, endless, &options, 1, &result));
  assert_string_equal(fixture->message, "");
  options = (XlaEvaluatorOptions){.timeoutSeconds = 0.05};
  expectError(state, endless, &options, "when the time limit of 0.05 s passed");
  options = (XlaEvaluatorOptions){.maxBytes = 1 << 20};
  expectError(state, large, &options, "more than the memory limit of 1048576");
  options = (XlaEvaluatorOptions){.maxSteps = 2000};
  expectError(state, manySteps, &options,
              "'xla.reduce' op takes more than 2000 steps");
  EXPECT(manySteps, "dense<499500> : tensor<i32>");
}

static MlirLogicalResult foreign(MlirOperation op, MlirStringRef target,
                                 intptr_t nOperands,
                                 const XlaLiteral *const *operands,
                                 intptr_t nResults, XlaLiteral **results,
                                 void *userData) {
  int *calls = userData;
  ++*calls;
  assert_int_equal(nOperands, 1);
  assert_int_equal(nResults, 1);
  if (mlirStringRefEqual(target, mlirStringRefCreateFromCString("fails")))
    return xlaOpError(op, NULL, "fails on purpose");
  if (mlirStringRefEqual(target, mlirStringRefCreateFromCString("same")))
    results[0] = xlaLiteralRetain(operands[0]);
  return mlirLogicalResultSuccess();
}

static void testCustomCall(void **state) {
  static const struct {
    const char *target, *type, *message;
  } cases[] = {{"same", "3xf32", NULL},
               {"same", "2xf32",
                "got tensor<3xf32> as result 0, which is "
                "tensor<2xf32>"},
               {"nothing", "3xf32", "got no result 0"},
               {"fails", "3xf32", "fails on purpose"}};
  Fixture *fixture = *state;
  int calls = 0;
  XlaEvaluatorOptions options = {.customCall = foreign, .userData = &calls};
  char text[512];
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    snprintf(text, sizeof text,
             "func.func @main() -> tensor<%s> {\n"
             "  %%x = xla.constant dense<1.0> : tensor<3xf32>\n"
             "  %%0 = xla.custom_call %%x {call_target_name = \"%s\"} : "
             "(tensor<3xf32>) -> tensor<%s>\n  return %%0 : tensor<%s>\n}\n",
             cases[i].type, cases[i].target, cases[i].type, cases[i].type);
    if (cases[i].message) {
      expectError(state, text, &options, cases[i].message);
      continue;
    }
    XlaLiteral *result = NULL;
    assert_true(run(fixture, text, &options, 1, &result));
    xlaLiteralRelease(result);
  }
  assert_int_equal(calls, 4);
  options.customCall = NULL;
  expectError(state, text, &options, "\"fails\", which has no implementation");
}

static void testInputTypes(void **state) {
  Fixture *fixture = *state;
  MlirModule module = parse(fixture, "func.func @main(%x: tensor<2xf32>) {\n"
                                     "  return\n}\n");
  XlaShape shape = {.elementType = XlaElementTypeF32, .rank = 1, .dims = {3}};
  XlaLiteral *input = xlaLiteralCreateArray(&shape);
  XlaEvaluatorOptions options = {.maxSteps = 0};
  XlaEvaluator *evaluator =
      xlaEvaluatorCreate(mlirModuleGetOperation(module), &options);
  MlirOperation function =
      xlaEvaluatorLookup(evaluator, mlirStringRefCreateFromCString("main"));
  XlaLiteral *none[1];
  const XlaLiteral *const inputs[] = {input};
  assert_true(mlirLogicalResultIsFailure(
      xlaEvaluatorRun(evaluator, function, 1, inputs, 0, none)));
  assert_non_null(strstr(fixture->message,
                         "takes tensor<2xf32> as argument 0, gets "
                         "tensor<3xf32>"));
  xlaEvaluatorDestroy(evaluator);
  xlaLiteralRelease(input);
  mlirModuleDestroy(module);
}

//===----------------------------------------------------------------------===//
// Contractions
//===----------------------------------------------------------------------===//

/// Labels of dimensions: batch, contracted, free in lhs, free in rhs.
enum { batch, contracted, left, right, kinds, labels = 6 };

typedef struct Contraction {
  int kind[labels], size[labels];
  int nLhs, nRhs, lhs[labels], rhs[labels]; // labels in the operands' order
} Contraction;

static unsigned draw(uint64_t *state, unsigned n) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(*state >> 40) % n;
}

static void shuffle(uint64_t *random, int n, int *values) {
  for (int i = n - 1; i > 0; --i) {
    int k = (int)draw(random, (unsigned)i + 1), value = values[i];
    values[i] = values[k];
    values[k] = value;
  }
}

static void drawContraction(Contraction *c, uint64_t *random) {
  c->nLhs = c->nRhs = 0;
  for (int i = 0; i < labels; ++i) {
    c->kind[i] = (int)draw(random, kinds);
    c->size[i] = draw(random, 20) ? 1 + (int)draw(random, 3) : 0;
    if (c->kind[i] != right)
      c->lhs[c->nLhs++] = i;
    if (c->kind[i] != left)
      c->rhs[c->nRhs++] = i;
  }
  shuffle(random, c->nLhs, c->lhs);
  shuffle(random, c->nRhs, c->rhs);
}

static int positionOf(int label, int n, const int *list) {
  for (int i = 0; i < n; ++i)
    if (list[i] == label)
      return i;
  return -1;
}

/// The text of a list of dimensions, of all labels of a kind.
static int writeList(char *text, const Contraction *c, const char *name,
                     int kind, int n, const int *operand) {
  int length = sprintf(text, "%s = array<i64", name);
  for (int i = 0, written = 0; i < labels; ++i)
    if (c->kind[i] == kind)
      length += sprintf(text + length, "%s %d", written++ ? "," : ":",
                        positionOf(i, n, operand));
  return length + sprintf(text + length, ">");
}

static int writeType(char *text, const Contraction *c, int n, const int *list) {
  int length = sprintf(text, "tensor<");
  for (int i = 0; i < n; ++i)
    length += sprintf(text + length, "%dx", c->size[list[i]]);
  return length + sprintf(text + length, "i32>");
}

static int64_t linear(const Contraction *c, int n, const int *list,
                      const int *index) {
  int64_t at = 0;
  for (int i = 0; i < n; ++i)
    at = at * c->size[list[i]] + index[list[i]];
  return at;
}

/// The values of an operand: a hash of the position.
static int32_t element(int side, int64_t at) {
  return (int32_t)((at * 7 + side * 3 + 1) * 2654435761u >> 7);
}

/// The sum over all labels' indices, straight from the definition.
static void contract(const Contraction *c, int nResult, const int *result,
                     uint32_t *values) {
  int index[labels] = {0};
  for (int i = 0; i < labels; ++i)
    if (!c->size[i])
      return;
  for (;;) {
    values[linear(c, nResult, result, index)] +=
        (uint32_t)element(0, linear(c, c->nLhs, c->lhs, index)) *
        (uint32_t)element(1, linear(c, c->nRhs, c->rhs, index));
    int i = labels - 1;
    while (i >= 0 && ++index[i] == c->size[i])
      index[i--] = 0;
    if (i < 0)
      return;
  }
}

static XlaLiteral *makeOperand(const Contraction *c, int side, int n,
                               const int *list) {
  XlaShape shape = {.elementType = XlaElementTypeS32, .rank = n};
  for (int i = 0; i < n; ++i)
    shape.dims[i] = c->size[list[i]];
  XlaLiteral *literal = xlaLiteralCreateArray(&shape);
  assert_non_null(literal);
  for (int64_t i = 0; i < xlaLiteralGetElementCount(literal); ++i)
    xlaLiteralSet(literal, i, (XlaScalar){.s = element(side, i)});
  return literal;
}

static void checkContraction(Fixture *fixture, const Contraction *c) {
  int result[labels], nResult = 0;
  static const int order[] = {batch, left, right};
  for (int k = 0; k < 3; ++k) // free dimensions keep the operand's order
    for (int i = 0; i < labels; ++i) {
      int label = order[k] == left    ? (i < c->nLhs ? c->lhs[i] : -1)
                  : order[k] == right ? (i < c->nRhs ? c->rhs[i] : -1)
                                      : i;
      if (label >= 0 && c->kind[label] == order[k])
        result[nResult++] = label;
    }
  char text[2048], lhs[128], rhs[128], out[128];
  writeType(lhs, c, c->nLhs, c->lhs);
  writeType(rhs, c, c->nRhs, c->rhs);
  writeType(out, c, nResult, result);
  int n = sprintf(text,
                  "func.func @main(%%l: %s, %%r: %s) -> %s {\n"
                  "  %%0 = xla.dot_general %%l, %%r {",
                  lhs, rhs, out);
  n +=
      writeList(text + n, c, "lhs_batching_dimensions", batch, c->nLhs, c->lhs);
  n += sprintf(text + n, ", ");
  n +=
      writeList(text + n, c, "rhs_batching_dimensions", batch, c->nRhs, c->rhs);
  n += sprintf(text + n, ", ");
  n += writeList(text + n, c, "lhs_contracting_dimensions", contracted, c->nLhs,
                 c->lhs);
  n += sprintf(text + n, ", ");
  n += writeList(text + n, c, "rhs_contracting_dimensions", contracted, c->nRhs,
                 c->rhs);
  sprintf(text + n, "} : (%s, %s) -> %s\n  return %%0 : %s\n}\n", lhs, rhs, out,
          out);
  MlirModule module = parse(fixture, text);
  XlaEvaluatorOptions options = {.maxSteps = 0};
  XlaEvaluator *evaluator =
      xlaEvaluatorCreate(mlirModuleGetOperation(module), &options);
  MlirOperation function =
      xlaEvaluatorLookup(evaluator, mlirStringRefCreateFromCString("main"));
  XlaLiteral *a = makeOperand(c, 0, c->nLhs, c->lhs);
  XlaLiteral *b = makeOperand(c, 1, c->nRhs, c->rhs), *product = NULL;
  const XlaLiteral *const inputs[] = {a, b};
  if (mlirLogicalResultIsFailure(
          xlaEvaluatorRun(evaluator, function, 2, inputs, 1, &product)))
    fail_msg("%s\n%s", fixture->message, text);
  uint32_t expected[729] = {0}; // 3 to the number of labels
  contract(c, nResult, result, expected);
  if (memcmp(expected, xlaLiteralGetData(product),
             xlaLiteralGetByteCount(product)) != 0)
    fail_msg("differs:\n%s", text);
  xlaLiteralRelease(a);
  xlaLiteralRelease(b);
  xlaLiteralRelease(product);
  xlaEvaluatorDestroy(evaluator);
  mlirModuleDestroy(module);
}

static void testContractions(void **state) {
  uint64_t random = 5;
  for (int i = 0; i < 400; ++i) {
    Contraction c;
    drawContraction(&c, &random);
    checkContraction(*state, &c);
  }
}

int main(void) {
#define TEST(function)                                                         \
  cmocka_unit_test_setup_teardown(function, setUp, tearDown)
  const struct CMUnitTest tests[] = {
      TEST(testWhile),      TEST(testSwap),
      TEST(testBranches),   TEST(testConditionalOperands),
      TEST(testRecursion),  TEST(testNestedRecursion),
      TEST(testBodies),     TEST(testTuplesAndIota),
      TEST(testLimits),     TEST(testCustomCall),
      TEST(testInputTypes), TEST(testContractions),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
