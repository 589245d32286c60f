//===- gen_test.c - Maps of random operations -----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What changes in random programs, and in their fusions, is what maps name.
// XLAC_TEST_PROGRAMS is how many of each, 150 without.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/dialect.h"
#include "xlac/passes/passes.h"
#include "xlac/test/dialect/indexing/judge.h"
#include "xlac/tools/xla-gen/program.h"

#include "mlir-c/Pass.h"
#include "mlir-c/RegisterEverything.h"

#include "xlac/test/support/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { maxElements = 48 };

static MlirContext context;

typedef struct Counts {
  int operations, kinds[XlaOpKindCount];
} Counts;

/// Operations of functions alone: what is in regions is of scalars, or in a
/// fusion.
static MlirWalkResult judge(MlirOperation op, void *data) {
  Counts *counts = data;
  XlaOpKind kind = xlaOpGetKind(op);
  if (kind == XlaOpKindInvalid)
    return MlirWalkResultAdvance;
  // Draws follow each other, and collectives need others.
  bool isAlone = xlaOpGetInfo(kind)->family != XlaFamilyRandom &&
                 xlaOpGetInfo(kind)->family != XlaFamilyCollective;
  if (isAlone && isJudgeable(op, maxElements)) {
    judgeOperation(op, 1, false);
    ++counts->operations;
    ++counts->kinds[kind];
  }
  return MlirWalkResultSkip;
}

static MlirModule generate(uint64_t seed, int ops) {
  XlaGenOptions options = xlaGenOptionsDefault();
  options.seed = seed;
  options.ops = ops;
  options.maxElements = 24;
  MlirModule module = xlaGenModule(context, &options, NULL);
  assert_false(mlirModuleIsNull(module));
  return module;
}

static int programCount(void) {
  const char *text = getenv("XLAC_TEST_PROGRAMS");
  return text ? atoi(text) : 150;
}

static void operations(void **state) {
  Counts counts = {0};
  int kinds = 0;
  for (int seed = 1; seed <= programCount(); ++seed) {
    MlirModule module = generate((uint64_t)seed, 6);
    mlirOperationWalk(mlirModuleGetOperation(module), judge, &counts,
                      MlirWalkPreOrder);
    mlirModuleDestroy(module);
  }
  for (int i = 1; i < XlaOpKindCount; ++i)
    kinds += counts.kinds[i] > 0;
  print_message("%d operations of %d kinds\n", counts.operations, kinds);
  assert_true(counts.operations > programCount() && kinds > 20);
}

static void fusions(void **state) {
  static const char pipeline[] =
      "builtin.module(xla-explicit-broadcast,xla-fuse)";
  Counts counts = {0};
  for (int seed = 1; seed <= programCount(); ++seed) {
    MlirModule module = generate((uint64_t)seed, 12);
    MlirPassManager manager = mlirPassManagerCreate(context);
    assert_true(mlirLogicalResultIsSuccess(mlirParsePassPipeline(
        mlirPassManagerGetAsOpPassManager(manager),
        mlirStringRefCreateFromCString(pipeline), NULL, NULL)));
    assert_true(mlirLogicalResultIsSuccess(
        mlirPassManagerRunOnOp(manager, mlirModuleGetOperation(module))));
    mlirPassManagerDestroy(manager);
    mlirOperationWalk(mlirModuleGetOperation(module), judge, &counts,
                      MlirWalkPreOrder);
    mlirModuleDestroy(module);
  }
  print_message("%d fusions\n", counts.kinds[XlaOpKindFusion]);
  assert_true(counts.kinds[XlaOpKindFusion] > programCount() / 4);
}

static int setUp(void **state) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  xlaDialectRegister(registry);
  context = mlirContextCreateWithRegistry(registry, /*threadingEnabled=*/false);
  mlirDialectRegistryDestroy(registry);
  xlaPassesRegister();
  return 0;
}

static int tearDown(void **state) {
  mlirContextDestroy(context);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(operations),
                                     cmocka_unit_test(fusions)};
  return cmocka_run_group_tests(tests, setUp, tearDown);
}
