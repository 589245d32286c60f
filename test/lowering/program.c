//===- program.c - Programs on all devices --------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/test/lowering/program.h"
#include "xlac/test/lowering/vulkan/arrays.h"
#include "xlac/test/support/unit.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>
#include <string.h>

enum { most = 8 };

static XlaLiteral *randomLiteral(MlirType type, uint32_t *seed) {
  XlaShape shape;
  assert_true(xlaShapeFromMlir(type, &shape, NULL));
  XlaLiteral *literal = xlaLiteralCreateArray(&shape);
  for (int64_t i = 0; i < xlaLiteralGetElementCount(literal); ++i) {
    *seed = *seed * 1664525 + 1013904223;
    int value = (int)(*seed >> 24) % 7 - 3;
    XlaScalar scalar = {.s = value};
    if (xlaElementTypeIsFloat(shape.elementType))
      scalar.f.re = value;
    if (shape.elementType == XlaElementTypePred)
      scalar.u = value & 1;
    xlaLiteralSet(literal, i, scalar);
  }
  return literal;
}

static MlirOperation entryOf(MlirModule module) {
  return mlirBlockGetFirstOperation(mlirModuleGetBody(module));
}

/// The same with all inputs donated and each output in the memory of its
/// aliased input, if it has one. Gives the number of outputs that have one.
static int compareDonated(const Machine *machine, MlirModule module,
                          intptr_t nInputs, XlaLiteral **inputs,
                          intptr_t nResults, XlaLiteral **expected) {
  intptr_t donated[most] = {0, 1, 2, 3, 4, 5, 6, 7};
  XlaCompileOptions compile = {.target = machine->target,
                               .verify = true,
                               .nDonated = nInputs,
                               .donated = donated};
  XlaExecutable *executable;
  void *in[most], *out[most];
  int aliases = 0;
  assert_true(mlirLogicalResultIsSuccess(xlaExecutableCompile(
      module, mlirStringRefCreateFromCString("main"), &compile, &executable)));
  // In the inputs' memory, then with that copied first.
  for (int run = 0; run < 2; ++run) {
    for (intptr_t i = 0; i < nInputs; ++i) {
      size_t size = xlaLiteralGetByteCount(inputs[i]);
      in[i] = malloc(size + 1);
      memcpy(in[i], xlaLiteralGetData(inputs[i]), size);
    }
    for (intptr_t i = 0; i < nResults; ++i) {
      intptr_t input = xlaExecutableGetAliasedInput(executable, i);
      bool shares = !run && input >= 0;
      aliases += shares;
      out[i] = shares ? in[input]
                      : calloc(1, xlaLiteralGetByteCount(expected[i]) + 1);
    }
    assert_true(mlirLogicalResultIsSuccess(
        xlaExecutableRun(executable, (const void *const *)in, out)));
    for (intptr_t i = 0; i < nResults; ++i) {
      assert_memory_equal(out[i], xlaLiteralGetData(expected[i]),
                          xlaLiteralGetByteCount(expected[i]));
      if (run || xlaExecutableGetAliasedInput(executable, i) < 0)
        free(out[i]);
    }
    for (intptr_t i = 0; i < nInputs; ++i) {
      if (run)
        assert_memory_equal(in[i], xlaLiteralGetData(inputs[i]),
                            xlaLiteralGetByteCount(inputs[i]));
      free(in[i]);
    }
  }
  xlaExecutableDestroy(executable);
  return aliases;
}

/// Runs the program on a Vulkan device, or the CPU if `vulkan` is NULL.
static XlaCompileStats runOn(const Machine *machine, XlaVulkanDevice *vulkan,
                             MlirModule module, intptr_t nInputs,
                             const XlaLiteral *const *inputs, intptr_t nResults,
                             XlaLiteral **expected) {
  XlaLiteral *given[most];
  XlaCompileOptions compile = {
      .target = machine->target, .verify = true, .vulkan = vulkan};
  XlaExecutable *executable;
  assert_true(mlirLogicalResultIsSuccess(xlaExecutableCompile(
      module, mlirStringRefCreateFromCString("main"), &compile, &executable)));
  // Twice: nothing of the first run may be left in the arena that matters.
  for (int run = 0; run < 2; ++run) {
    assert_true(mlirLogicalResultIsSuccess(xlaExecutableRunLiterals(
        executable, nInputs, inputs, nResults, given)));
    for (intptr_t i = 0; i < nResults; ++i) {
      assert_int_equal(xlaLiteralGetByteCount(given[i]),
                       xlaLiteralGetByteCount(expected[i]));
      assert_memory_equal(xlaLiteralGetData(given[i]),
                          xlaLiteralGetData(expected[i]),
                          xlaLiteralGetByteCount(given[i]));
      xlaLiteralRelease(given[i]);
    }
  }
  XlaCompileStats stats = *xlaExecutableGetStats(executable);
  xlaExecutableDestroy(executable);
  return stats;
}

ProgramSeen programCompare(const Machine *machine, const char *text) {
  MlirModule module = mlirModuleCreateParse(
      machine->context, mlirStringRefCreateFromCString(text));
  assert_non_null(module.ptr);
  MlirOperation function = entryOf(module);
  MlirType type = mlirTypeAttrGetValue(xlaOpGetAttr(function, "function_type"));
  intptr_t nInputs = mlirFunctionTypeGetNumInputs(type);
  intptr_t nResults = mlirFunctionTypeGetNumResults(type);
  XlaLiteral *inputs[most], *expected[most];
  uint32_t seed = 1;
  for (intptr_t i = 0; i < nInputs; ++i)
    inputs[i] = randomLiteral(mlirFunctionTypeGetInput(type, i), &seed);
  const XlaLiteral *const *in = (const XlaLiteral *const *)inputs;

  XlaEvaluatorOptions options = {0};
  XlaEvaluator *evaluator =
      xlaEvaluatorCreate(mlirModuleGetOperation(module), &options);
  assert_true(mlirLogicalResultIsSuccess(
      xlaEvaluatorRun(evaluator, function, nInputs, in, nResults, expected)));

  if (machine->vulkan)
    runOn(machine, machine->vulkan, module, nInputs, in, nResults, expected);
  ProgramSeen seen = {
      .stats = runOn(machine, NULL, module, nInputs, in, nResults, expected)};
  seen.aliases =
      compareDonated(machine, module, nInputs, inputs, nResults, expected);
  if (machine->vulkan)
    assert_int_equal(vulkanCompareOnArrays(machine->vulkan, module, nInputs,
                                           inputs, nResults, expected),
                     seen.aliases);
  xlaEvaluatorDestroy(evaluator);
  for (intptr_t i = 0; i < nResults; ++i)
    xlaLiteralRelease(expected[i]);
  for (intptr_t i = 0; i < nInputs; ++i)
    xlaLiteralRelease(inputs[i]);
  mlirModuleDestroy(module);
  return seen;
}
