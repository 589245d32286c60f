//===- executable_test.c - Compiled programs against evaluation -----------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs chosen for what buffers and the host program do with them: loop
// state that is updated, swapped, passed through or captured, branches, updates
// in place, values returned twice, views, empty arrays. Each is compiled once
// more with all inputs donated, and once more for arrays of a Vulkan device.
// Inputs are small integers, so that results must be the evaluator's bit for
// bit.
//
//===----------------------------------------------------------------------===//

#include "xlac/test/lowering/program.h"
#include "xlac/test/support/unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void testStraight(void **state) {
  programCompare(*state,
                 "func.func @main(%a: tensor<5x7xf32>, %b: tensor<7xf32>) -> "
                 "(tensor<5x7xf32>, tensor<f32>) {\n"
                 "  %0 = xla.add %a, %b {broadcast_dimensions = array<i64: 1>} "
                 ": (tensor<5x7xf32>, tensor<7xf32>) -> tensor<5x7xf32>\n"
                 "  %1 = xla.multiply %0, %a : tensor<5x7xf32>\n"
                 "  %z = xla.constant dense<0.0> : tensor<f32>\n"
                 "  %2 = xla.reduce(%1, %z) ({\n"
                 "  ^bb0(%x: tensor<f32>, %y: tensor<f32>):\n"
                 "    %s = xla.add %x, %y : tensor<f32>\n"
                 "    xla.return %s : tensor<f32>\n"
                 "  }) {dimensions = array<i64: 0, 1>} : (tensor<5x7xf32>, "
                 "tensor<f32>) -> tensor<f32>\n"
                 "  return %1, %2 : tensor<5x7xf32>, tensor<f32>\n}\n");
}

static void testMatmul(void **state) {
  programCompare(
      *state, "func.func @main(%a: tensor<33x20xf32>, %b: tensor<20x17xf32>, "
              "%c: tensor<33x17xf32>) -> tensor<33x17xf32> {\n"
              "  %0 = xla.dot_general %a, %b {lhs_contracting_dimensions = "
              "array<i64: 1>, rhs_contracting_dimensions = array<i64: 0>} : "
              "(tensor<33x20xf32>, tensor<20x17xf32>) -> tensor<33x17xf32>\n"
              "  %1 = xla.add %0, %c : tensor<33x17xf32>\n"
              "  return %1 : tensor<33x17xf32>\n}\n");
}

static void testReturnedTwiceAndInputs(void **state) {
  programCompare(*state,
                 "func.func @main(%a: tensor<9xi32>) -> (tensor<9xi32>, "
                 "tensor<9xi32>, tensor<3x3xi32>, tensor<9xi32>) {\n"
                 "  %0 = xla.negate %a : tensor<9xi32>\n"
                 "  %1 = xla.reshape %0 : (tensor<9xi32>) -> tensor<3x3xi32>\n"
                 "  return %0, %0, %1, %a : tensor<9xi32>, tensor<9xi32>, "
                 "tensor<3x3xi32>, tensor<9xi32>\n}\n");
}

static void testViews(void **state) {
  programCompare(*state,
                 "func.func @main(%a: tensor<4x6xf32>) -> (tensor<4x6xi32>, "
                 "tensor<24xf32>) {\n"
                 "  %0 = xla.bitcast_convert %a : (tensor<4x6xf32>) -> "
                 "tensor<4x6xi32>\n"
                 "  %1 = xla.reshape %a : (tensor<4x6xf32>) -> tensor<24xf32>\n"
                 "  %2 = xla.negate %1 : tensor<24xf32>\n"
                 "  return %0, %2 : tensor<4x6xi32>, tensor<24xf32>\n}\n");
}

static void testEmptyAndScalars(void **state) {
  programCompare(
      *state, "func.func @main(%a: tensor<0x3xf32>, %b: tensor<f32>, %p: "
              "tensor<i1>) -> (tensor<0x3xf32>, tensor<f32>, tensor<i1>) {\n"
              "  %0 = xla.add %a, %b : (tensor<0x3xf32>, tensor<f32>) -> "
              "tensor<0x3xf32>\n"
              "  %1 = xla.multiply %b, %b : tensor<f32>\n"
              "  %2 = xla.not %p : tensor<i1>\n"
              "  return %0, %1, %2 : tensor<0x3xf32>, tensor<f32>, tensor<i1>\n"
              "}\n");
}

static void testWhileSwaps(void **state) {
  programCompare(
      *state,
      "func.func @main(%a: tensor<4xi32>, %b: tensor<4xi32>) -> "
      "(tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) {\n"
      "  %zero = xla.constant dense<0> : tensor<i32>\n"
      "  %five = xla.constant dense<5> : tensor<i32>\n"
      "  %one = xla.constant dense<1> : tensor<i32>\n"
      "  %r:4 = xla.while(%zero, %a, %b, %a) ({\n"
      "  ^bb0(%i: tensor<i32>, %x: tensor<4xi32>, %y: tensor<4xi32>, %z: "
      "tensor<4xi32>):\n"
      "    %c = xla.compare %i, %five {comparison_direction = \"LT\"} : "
      "(tensor<i32>, tensor<i32>) -> tensor<i1>\n"
      "    xla.return %c : tensor<i1>\n"
      "  }, {\n"
      "  ^bb0(%i: tensor<i32>, %x: tensor<4xi32>, %y: tensor<4xi32>, %z: "
      "tensor<4xi32>):\n"
      "    %n = xla.add %i, %one : tensor<i32>\n"
      "    %s = xla.add %x, %z : tensor<4xi32>\n"
      "    xla.return %n, %y, %s, %x : tensor<i32>, tensor<4xi32>, "
      "tensor<4xi32>, tensor<4xi32>\n"
      "  }) : (tensor<i32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) -> "
      "(tensor<i32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>)\n"
      "  return %r#1, %r#2, %r#3 : tensor<4xi32>, tensor<4xi32>, "
      "tensor<4xi32>\n}\n");
}

static void testWhileCaptures(void **state) {
  programCompare(
      *state,
      "func.func @main(%a: tensor<4xi32>, %k: tensor<4xi32>) -> "
      "(tensor<4xi32>, tensor<4xi32>) {\n"
      "  %start = xla.negate %a : tensor<4xi32>\n"
      "  %zero = xla.constant dense<0> : tensor<i32>\n"
      "  %five = xla.constant dense<5> : tensor<i32>\n"
      "  %one = xla.constant dense<1> : tensor<i32>\n"
      "  %r:2 = xla.while(%zero, %start) ({\n"
      "  ^bb0(%i: tensor<i32>, %x: tensor<4xi32>):\n"
      "    %j = xla.add %i, %one : tensor<i32>\n"
      "    %c = xla.compare %j, %five {comparison_direction = \"LT\"} : "
      "(tensor<i32>, tensor<i32>) -> tensor<i1>\n"
      "    xla.return %c : tensor<i1>\n"
      "  }, {\n"
      "  ^bb0(%i: tensor<i32>, %x: tensor<4xi32>):\n"
      "    %n = xla.add %i, %one : tensor<i32>\n"
      "    %s = xla.add %x, %start : tensor<4xi32>\n"
      "    %t = xla.multiply %s, %k : tensor<4xi32>\n"
      "    xla.return %n, %t : tensor<i32>, tensor<4xi32>\n"
      "  }) : (tensor<i32>, tensor<4xi32>) -> (tensor<i32>, "
      "tensor<4xi32>)\n"
      "  return %r#1, %start : tensor<4xi32>, tensor<4xi32>\n}\n");
}

static void testUpdatesInPlace(void **state) {
  ProgramSeen seen = programCompare(
      *state,
      "func.func @main(%a: tensor<1024xi32>) -> tensor<1024xi32> {\n"
      "  %zero = xla.constant dense<0> : tensor<i32>\n"
      "  %five = xla.constant dense<5> : tensor<i32>\n"
      "  %one = xla.constant dense<1> : tensor<i32>\n"
      "  %ten = xla.constant dense<10> : tensor<i32>\n"
      "  %r:2 = xla.while(%zero, %a) ({\n"
      "  ^bb0(%i: tensor<i32>, %x: tensor<1024xi32>):\n"
      "    %c = xla.compare %i, %five {comparison_direction = \"LT\"} : "
      "(tensor<i32>, tensor<i32>) -> tensor<i1>\n"
      "    xla.return %c : tensor<i1>\n"
      "  }, {\n"
      "  ^bb0(%i: tensor<i32>, %x: tensor<1024xi32>):\n"
      "    %n = xla.add %i, %one : tensor<i32>\n"
      "    %p = xla.multiply %i, %ten : tensor<i32>\n"
      "    %s = xla.dynamic_slice %x, %p {slice_sizes = array<i64: 3>} : "
      "(tensor<1024xi32>, tensor<i32>) -> tensor<3xi32>\n"
      "    %m = xla.negate %s : tensor<3xi32>\n"
      "    %u = xla.dynamic_update_slice %x, %m, %p : (tensor<1024xi32>, "
      "tensor<3xi32>, tensor<i32>) -> tensor<1024xi32>\n"
      "    xla.return %n, %u : tensor<i32>, tensor<1024xi32>\n"
      "  }) : (tensor<i32>, tensor<1024xi32>) -> (tensor<i32>, "
      "tensor<1024xi32>)\n"
      "  return %r#1 : tensor<1024xi32>\n}\n");
  // The state is the output itself: the arena holds only small things.
  assert_true(seen.stats.arenaBytes < 1024 * 4);
  // And the output is the donated input itself.
  assert_int_equal(seen.aliases, 1);
}

static void testUpdateOfWhatIsStillNeeded(void **state) {
  programCompare(*state,
                 "func.func @main(%a: tensor<8xi32>, %u: tensor<2xi32>, %p: "
                 "tensor<i32>) -> (tensor<8xi32>, tensor<8xi32>) {\n"
                 "  %n = xla.negate %a : tensor<8xi32>\n"
                 "  %0 = xla.dynamic_update_slice %n, %u, %p : (tensor<8xi32>, "
                 "tensor<2xi32>, tensor<i32>) -> tensor<8xi32>\n"
                 "  %1 = xla.add %n, %0 : tensor<8xi32>\n"
                 "  return %0, %1 : tensor<8xi32>, tensor<8xi32>\n}\n");
}

static void testBranches(void **state) {
  programCompare(*state,
                 "func.func @main(%i: tensor<i32>, %a: tensor<3xi32>, %b: "
                 "tensor<3xi32>) -> (tensor<3xi32>, tensor<3xi32>) {\n"
                 "  %r:2 = xla.case(%i) ({\n"
                 "    %x = xla.add %a, %b : tensor<3xi32>\n"
                 "    xla.return %x, %a : tensor<3xi32>, tensor<3xi32>\n"
                 "  }, {\n"
                 "    %x = xla.subtract %a, %b : tensor<3xi32>\n"
                 "    xla.return %b, %x : tensor<3xi32>, tensor<3xi32>\n"
                 "  }, {\n"
                 "    %x = xla.multiply %a, %b : tensor<3xi32>\n"
                 "    xla.return %x, %x : tensor<3xi32>, tensor<3xi32>\n"
                 "  }) : (tensor<i32>) -> (tensor<3xi32>, tensor<3xi32>)\n"
                 "  %s = xla.add %r#0, %r#1 : tensor<3xi32>\n"
                 "  return %s, %r#1 : tensor<3xi32>, tensor<3xi32>\n}\n");
}

static void testNestedLoops(void **state) {
  programCompare(
      *state,
      "func.func @main(%a: tensor<4xi32>) -> tensor<4xi32> {\n"
      "  %zero = xla.constant dense<0> : tensor<i32>\n"
      "  %three = xla.constant dense<3> : tensor<i32>\n"
      "  %one = xla.constant dense<1> : tensor<i32>\n"
      "  %r:2 = xla.while(%zero, %a) ({\n"
      "  ^bb0(%i: tensor<i32>, %x: tensor<4xi32>):\n"
      "    %c = xla.compare %i, %three {comparison_direction = \"LT\"} : "
      "(tensor<i32>, tensor<i32>) -> tensor<i1>\n"
      "    xla.return %c : tensor<i1>\n"
      "  }, {\n"
      "  ^bb0(%i: tensor<i32>, %x: tensor<4xi32>):\n"
      "    %q:2 = xla.while(%zero, %x) ({\n"
      "    ^bb1(%j: tensor<i32>, %y: tensor<4xi32>):\n"
      "      %c = xla.compare %j, %i {comparison_direction = \"LE\"} : "
      "(tensor<i32>, tensor<i32>) -> tensor<i1>\n"
      "      xla.return %c : tensor<i1>\n"
      "    }, {\n"
      "    ^bb1(%j: tensor<i32>, %y: tensor<4xi32>):\n"
      "      %m = xla.add %j, %one : tensor<i32>\n"
      "      %w = xla.add %y, %x : tensor<4xi32>\n"
      "      xla.return %m, %w : tensor<i32>, tensor<4xi32>\n"
      "    }) : (tensor<i32>, tensor<4xi32>) -> (tensor<i32>, "
      "tensor<4xi32>)\n"
      "    %n = xla.add %i, %one : tensor<i32>\n"
      "    xla.return %n, %q#1 : tensor<i32>, tensor<4xi32>\n"
      "  }) : (tensor<i32>, tensor<4xi32>) -> (tensor<i32>, "
      "tensor<4xi32>)\n"
      "  return %r#1 : tensor<4xi32>\n}\n");
}

static void testDonatedInPlace(void **state) {
  ProgramSeen seen = programCompare(
      *state, "func.func @main(%a: tensor<6x8xf32>, %b: tensor<6x8xf32>, %u: "
              "tensor<3xi32>, %p: tensor<i32>, %x: tensor<9xi32>) -> "
              "(tensor<6x8xf32>, tensor<3x3xi32>) {\n"
              "  %0 = xla.add %a, %b : tensor<6x8xf32>\n"
              "  %1 = xla.dynamic_update_slice %x, %u, %p : (tensor<9xi32>, "
              "tensor<3xi32>, tensor<i32>) -> tensor<9xi32>\n"
              "  %2 = xla.reshape %1 : (tensor<9xi32>) -> tensor<3x3xi32>\n"
              "  return %0, %2 : tensor<6x8xf32>, tensor<3x3xi32>\n}\n");
  assert_int_equal(seen.aliases, 2);
}

static void testDonatedButStillNeeded(void **state) {
  // Written while it is read elsewhere.
  ProgramSeen seen = programCompare(
      *state, "func.func @main(%a: tensor<40xi32>) -> tensor<40xi32> {\n"
              "  %0 = xla.reverse %a {dimensions = array<i64: 0>} : "
              "tensor<40xi32>\n"
              "  return %0 : tensor<40xi32>\n}\n");
  assert_int_equal(seen.aliases, 0);
  // Read later.
  seen = programCompare(
      *state, "func.func @main(%a: tensor<40xi32>, %u: tensor<2xi32>, %p: "
              "tensor<i32>) -> (tensor<40xi32>, tensor<2xi32>) {\n"
              "  %0 = xla.dynamic_update_slice %a, %u, %p : (tensor<40xi32>, "
              "tensor<2xi32>, tensor<i32>) -> tensor<40xi32>\n"
              "  %1 = xla.dynamic_slice %a, %p {slice_sizes = array<i64: 2>} : "
              "(tensor<40xi32>, tensor<i32>) -> tensor<2xi32>\n"
              "  return %0, %1 : tensor<40xi32>, tensor<2xi32>\n}\n");
  assert_int_equal(seen.aliases, 1); // %1 over %u, which is free by then
  // Read by all branches and by the loop that starts from it.
  seen = programCompare(
      *state,
      "func.func @main(%a: tensor<4xi32>) -> tensor<4xi32> {\n"
      "  %zero = xla.constant dense<0> : tensor<i32>\n"
      "  %many = xla.constant dense<30> : tensor<i32>\n"
      "  %r:2 = xla.while(%zero, %a) ({\n"
      "  ^bb0(%i: tensor<i32>, %x: tensor<4xi32>):\n"
      "    %c = xla.compare %i, %many {comparison_direction = \"LT\"} : "
      "(tensor<i32>, tensor<i32>) -> tensor<i1>\n"
      "    xla.return %c : tensor<i1>\n"
      "  }, {\n"
      "  ^bb0(%i: tensor<i32>, %x: tensor<4xi32>):\n"
      "    %one = xla.constant dense<1> : tensor<i32>\n"
      "    %n = xla.add %i, %one : tensor<i32>\n"
      "    %y = xla.add %x, %a : tensor<4xi32>\n"
      "    xla.return %n, %y : tensor<i32>, tensor<4xi32>\n"
      "  }) : (tensor<i32>, tensor<4xi32>) -> (tensor<i32>, tensor<4xi32>)\n"
      "  return %r#1 : tensor<4xi32>\n}\n");
  assert_int_equal(seen.aliases, 0);
}

/// Memory of what is not read any more, and arguments that come back.
static void testDonatedMemory(void **state) {
  ProgramSeen seen = programCompare(
      *state,
      "func.func @main(%a: tensor<40xi32>, %b: tensor<40xi32>) -> "
      "(tensor<40xi32>, tensor<40xi32>, tensor<40xi32>) {\n"
      "  %0 = xla.reverse %a {dimensions = array<i64: 0>} : "
      "tensor<40xi32>\n"
      "  %k = xla.optimization_barrier %0 : tensor<40xi32>\n"
      "  %1 = xla.concatenate %k, %b {dimension = 0} : (tensor<40xi32>, "
      "tensor<40xi32>) -> tensor<80xi32>\n"
      "  %l = xla.optimization_barrier %1 : tensor<80xi32>\n"
      "  %2 = xla.reverse %l {dimensions = array<i64: 0>} : "
      "tensor<80xi32>\n"
      "  %m = xla.optimization_barrier %2 : tensor<80xi32>\n"
      "  %3 = xla.slice %m {start_indices = array<i64: 20>, "
      "limit_indices = array<i64: 60>} : (tensor<80xi32>) -> "
      "tensor<40xi32>\n"
      "  return %b, %3, %b : tensor<40xi32>, tensor<40xi32>, "
      "tensor<40xi32>\n}\n");
  assert_int_equal(seen.aliases, 2);
}

/// What a loop starts from is computed where the loop leaves its result.
static void testLoopStartsInOutput(void **state) {
  ProgramSeen seen = programCompare(
      *state,
      "func.func @main(%a: tensor<1024xi32>) -> tensor<32x32xi32> {\n"
      "  %zero = xla.constant dense<0> : tensor<i32>\n"
      "  %three = xla.constant dense<3> : tensor<i32>\n"
      "  %s = xla.negate %a : tensor<1024xi32>\n"
      "  %r:2 = xla.while(%zero, %s) ({\n"
      "  ^bb0(%i: tensor<i32>, %x: tensor<1024xi32>):\n"
      "    %c = xla.compare %i, %three {comparison_direction = \"LT\"} : "
      "(tensor<i32>, tensor<i32>) -> tensor<i1>\n"
      "    xla.return %c : tensor<i1>\n"
      "  }, {\n"
      "  ^bb0(%i: tensor<i32>, %x: tensor<1024xi32>):\n"
      "    %one = xla.constant dense<1> : tensor<i32>\n"
      "    %n = xla.add %i, %one : tensor<i32>\n"
      "    %y = xla.multiply %x, %x : tensor<1024xi32>\n"
      "    xla.return %n, %y : tensor<i32>, tensor<1024xi32>\n"
      "  }) : (tensor<i32>, tensor<1024xi32>) -> (tensor<i32>, "
      "tensor<1024xi32>)\n"
      "  %v = xla.reshape %r#1 : (tensor<1024xi32>) -> tensor<32x32xi32>\n"
      "  return %v : tensor<32x32xi32>\n}\n");
  assert_true(seen.stats.arenaBytes < 1024 * 4);
  assert_int_equal(seen.aliases, 1);
}

/// 3,000 functions of one kind are cut into equal kernels, which are one; the
/// last one is shorter.
static void testLongProgram(void **state) {
  enum { n = 3000 };
  size_t size = n * 64 + 256, at = 0;
  char *text = malloc(size);
  at += (size_t)snprintf(
      text, size, "func.func @main(%%x0: tensor<4xf32>) -> tensor<4xf32> {\n");
  for (int i = 0; i < n; ++i)
    at += (size_t)snprintf(text + at, size - at,
                           "  %%x%d = xla.tanh %%x%d : tensor<4xf32>\n", i + 1,
                           i);
  snprintf(text + at, size - at, "  return %%x%d : tensor<4xf32>\n}\n", n);
  Machine *s = *state;
  MlirModule module =
      mlirModuleCreateParse(s->context, mlirStringRefCreateFromCString(text));
  XlaCompileOptions compile = {.target = s->target};
  XlaExecutable *executable;
  assert_true(mlirLogicalResultIsSuccess(xlaExecutableCompile(
      module, mlirStringRefCreateFromCString("main"), &compile, &executable)));
  assert_in_range(xlaExecutableGetStats(executable)->nKernels, 1, 2);
  const float input[4] = {0.0f, 1.0f, -2.0f, INFINITY};
  const void *in = input;
  float output[4];
  void *out = output;
  assert_true(
      mlirLogicalResultIsSuccess(xlaExecutableRun(executable, &in, &out)));
  // tanh(x) = x - x^3 / 3 + ..: iterated, it falls off as sqrt(3 / 2 / n).
  assert_float_equal(output[0], 0, 0);
  for (int i = 1; i < 4; ++i)
    assert_float_equal(fabsf(output[i]), sqrtf(1.5f / n), 1e-4f);
  xlaExecutableDestroy(executable);
  mlirModuleDestroy(module);
  free(text);
}

/// Operations of one kind on one value twice and on two values.
static void testAlikeButDifferent(void **state) {
  ProgramSeen seen = programCompare(
      *state,
      "func.func @main(%a: tensor<5xi32>, %b: tensor<5xi32>, %c: "
      "tensor<6xi32>, %d: tensor<5xi32>, %e: tensor<5xi32>) -> "
      "(tensor<5xi32>, tensor<5xi32>, tensor<5xi32>, tensor<6xi32>) {\n"
      "  %0 = xla.multiply %a, %b : tensor<5xi32>\n"
      "  %1 = xla.multiply %d, %d : tensor<5xi32>\n"
      "  %2 = xla.multiply %e, %e : tensor<5xi32>\n"
      "  %3 = xla.multiply %c, %c : tensor<6xi32>\n"
      "  return %0, %1, %2, %3 : tensor<5xi32>, tensor<5xi32>, tensor<5xi32>, "
      "tensor<6xi32>\n}\n");
  assert_int_equal(seen.stats.nKernels, 3);
}

/// A released result's memory holds the next one; results outlive what
/// computed them.
static void testResultsArePooled(void **state) {
  Machine *s = *state;
  MlirModule module = mlirModuleCreateParse(
      s->context,
      mlirStringRefCreateFromCString(
          "func.func @main(%a: tensor<5000xf32>) -> tensor<5000xf32> {\n"
          "  %0 = xla.add %a, %a : tensor<5000xf32>\n"
          "  return %0 : tensor<5000xf32>\n}\n"));
  XlaCompileOptions compile = {.target = s->target};
  XlaExecutable *executable;
  assert_true(mlirLogicalResultIsSuccess(xlaExecutableCompile(
      module, mlirStringRefCreateFromCString("main"), &compile, &executable)));
  XlaLiteral *input =
      xlaLiteralCreateArray(xlaExecutableGetInputShape(executable, 0));
  const XlaLiteral *in = input;
  XlaLiteral *results[3];
  xlaLiteralSet(input, 4999, (XlaScalar){.f.re = 3});
  const void *first = NULL;
  for (int i = 0; i < 3; ++i) {
    assert_true(mlirLogicalResultIsSuccess(
        xlaExecutableRunLiterals(executable, 1, &in, 1, &results[i])));
    assert_int_equal((uintptr_t)xlaLiteralGetData(results[i]) % 64, 0);
    if (i == 0) {
      first = xlaLiteralGetData(results[0]);
      xlaLiteralRelease(results[0]);
    }
  }
  // Of what is NULL nothing is read.
  const void *nothing = NULL;
  void *nowhere = NULL;
  const XlaLiteral *none = NULL;
  XlaLiteral *result;
  assert_true(
      mlirLogicalResultIsFailure(xlaExecutableRun(executable, NULL, &nowhere)));
  assert_true(mlirLogicalResultIsFailure(
      xlaExecutableRun(executable, &nothing, &nowhere)));
  assert_true(mlirLogicalResultIsFailure(
      xlaExecutableRunLiterals(executable, 1, NULL, 1, &result)));
  assert_true(mlirLogicalResultIsFailure(
      xlaExecutableRunLiterals(executable, 1, &none, 1, &result)));
  assert_true(mlirLogicalResultIsFailure(
      xlaExecutableRunLiterals(executable, 0, NULL, 1, &result)));
  assert_true(mlirLogicalResultIsFailure(
      xlaExecutableRunLiterals(executable, 1, &in, 1, NULL)));
  assert_ptr_equal(xlaLiteralGetData(results[1]), first);
  assert_ptr_not_equal(xlaLiteralGetData(results[2]), first);
  xlaExecutableDestroy(executable);
  for (int i = 1; i < 3; ++i) {
    assert_float_equal(xlaLiteralGet(results[i], 4999).f.re, 6, 0);
    xlaLiteralRelease(results[i]);
  }
  xlaLiteralRelease(input);
  mlirModuleDestroy(module);
}

static int setUp(void **state) {
  static Machine machine;
  *state = &machine;
  return machineSetUp(&machine) ? 0 : -1;
}

static int tearDown(void **state) { return machineTearDown(*state) ? 0 : -1; }

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(testStraight),
      cmocka_unit_test(testMatmul),
      cmocka_unit_test(testReturnedTwiceAndInputs),
      cmocka_unit_test(testViews),
      cmocka_unit_test(testEmptyAndScalars),
      cmocka_unit_test(testWhileSwaps),
      cmocka_unit_test(testWhileCaptures),
      cmocka_unit_test(testUpdatesInPlace),
      cmocka_unit_test(testUpdateOfWhatIsStillNeeded),
      cmocka_unit_test(testBranches),
      cmocka_unit_test(testNestedLoops),
      cmocka_unit_test(testDonatedInPlace),
      cmocka_unit_test(testDonatedButStillNeeded),
      cmocka_unit_test(testDonatedMemory),
      cmocka_unit_test(testLoopStartsInOutput),
      cmocka_unit_test(testLongProgram),
      cmocka_unit_test(testAlikeButDifferent),
      cmocka_unit_test(testResultsArePooled),
  };
  return cmocka_run_group_tests(tests, setUp, tearDown);
}
