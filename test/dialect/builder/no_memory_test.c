//===- no_memory_test.c - Builders and failing allocations ----------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One program is built again and again, and each time another allocation fails:
// building ends with an error, or with the same program.
//
//===----------------------------------------------------------------------===//

#include "xlac/test/support/unit.h"

#include "mlir-c/Diagnostics.h"
#include "xlac/dialect/builder.h"
#include "xlac/test/support/failing_alloc.h"

#include <stdlib.h>
#include <string.h>

static MlirLogicalResult hear(MlirDiagnostic diagnostic, void *data) {
  (void)diagnostic;
  (void)data;
  return mlirLogicalResultSuccess();
}

/// (f32, s32, f32, s32) -> (f32, s32), the sums.
static XlaComputation *buildSums(MlirContext context) {
  XlaComputation *sums = NULL;
  XlaBuilder *b = xlaBuilderCreate(context, "sums");
  XlaOp p[4], out[2];
  for (int i = 3; i >= 0; --i)
    p[i] = xlaBuilderParameter(b, i, i % 2 ? XLA_SHAPE(S32) : XLA_SHAPE(F32),
                               NULL);
  for (int i = 0; i < 2; ++i)
    out[i] = xlaBuilderAdd(b, p[i], p[2 + i], NULL, 0);
  xlaBuilderBuild(b, xlaBuilderTuple(b, out, 2), &sums);
  xlaBuilderDestroy(b);
  return sums;
}

/// x -> the sum of x and of its positions, by way of tuples.
static XlaComputation *buildRow(MlirContext context,
                                const XlaComputation *sums) {
  XlaComputation *row = NULL;
  XlaBuilder *b = xlaBuilderCreate(context, "row");
  XlaOp x = xlaBuilderParameter(b, 0, XLA_SHAPE(F32, 3), "x");
  XlaOp arrays[] = {x, xlaBuilderIota(b, XLA_SHAPE(S32, 3), 0)};
  XlaOp inits[] = {xlaBuilderConstantR0F32(b, 0),
                   xlaBuilderConstantScalar(b, XlaElementTypeS32, 0)};
  XlaOp both = xlaBuilderReduce(b, arrays, inits, 2, sums, XLA_INTS(0));
  XlaOp position = xlaBuilderConvertElementType(
      b, xlaBuilderGetTupleElement(b, both, 1), XlaElementTypeF32);
  XlaOp total = xlaBuilderAdd(b, xlaBuilderGetTupleElement(b, both, 0),
                              position, NULL, 0);
  xlaBuilderBuild(b, total, &row);
  xlaBuilderDestroy(b);
  return row;
}

static XlaComputation *buildAll(MlirContext context,
                                const XlaComputation *row) {
  XlaComputation *all = NULL;
  XlaBuilder *b = xlaBuilderCreate(context, "all");
  xlaBuilderSetLocation(b, "all", "all.c", 1);
  XlaOp x = xlaBuilderConstantR2F32(b, (const float[]){1, 2, 3, 4, 5, 6}, 2, 3);
  XlaOp parts[2];
  const int64_t pair[] = {0, 1};
  const XlaReplicaGroup group = {pair, 1};
  for (int i = 0; i < 2; ++i) {
    XlaOp slice = xlaBuilderSliceInDim(b, x, i, i + 1, 1, 0);
    slice = xlaBuilderCollapse(b, slice, XLA_INTS(0, 1));
    slice = xlaBuilderCall(b, row, &slice, 1);
    parts[i] = xlaBuilderBroadcast(b, slice, XLA_INTS(1));
  }
  XlaOp y = xlaBuilderConcatInDim(b, parts, 2, 0);
  y = xlaBuilderCrossReplicaSum(b, y, &group, 1);
  xlaBuilderBuild(b, xlaBuilderSort(b, &y, 1, NULL, 0, true), &all);
  xlaBuilderDestroy(b);
  return all;
}

/// The program's text, NULL after a failure, with allocation `number` failing;
/// and how many there were.
static char *build(int number, int *allocations) {
  MlirContext context = xlaBuilderCreateContext();
  mlirContextAttachDiagnosticHandler(context, hear, NULL, NULL);
  // MLIR does not survive a lack of memory, so its dialects are loaded before.
  xlaBuilderDestroy(xlaBuilderCreate(context, NULL));
  failingAllocSet(number);
  XlaComputation *sums = buildSums(context), *row = buildRow(context, sums),
                 *all = buildAll(context, row);
  char *text = xlaComputationPrint(all);
  *allocations = failingAllocCount();
  failingAllocSet(0);
  xlaComputationRelease(sums);
  xlaComputationRelease(row);
  xlaComputationRelease(all);
  mlirContextDestroy(context);
  return text;
}

static void builders(void **state) {
  (void)state;
  int allocations, failures = 0, number = 1;
  char *expected = build(0, &allocations);
  assert_non_null(expected);
  for (;; ++number) {
    char *text = build(number, &allocations);
    if (text)
      assert_string_equal(text, expected);
    failures += !text;
    free(text);
    if (allocations < number) // there is no such allocation
      break;
  }
  print_message("%d allocations, %d of them needed\n", number - 1, failures);
  assert_true(failures > 50);
  free(expected);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(builders)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
