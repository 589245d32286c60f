//===- schedule_row_test.c - Kernels of several stages --------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integers only: results are exact and wrap alike in any order.
//
//===----------------------------------------------------------------------===//

#include "xlac/test/lowering/cpu/cpu_fixture.h"
#include "xlac/test/support/unit.h"

#include "xlac/lowering/cpu/schedule/kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int64_t lengths[] = {1, 2, 3, 15, 16, 17, 33, 100, 1000};
enum { nLengths = sizeof lengths / sizeof *lengths };

static XlaCpuCode *compile(CpuFixture *fixture, const char *text, int threads) {
  *fixture->error = 0;
  XlaCpuScheduleOptions options = xlaCpuScheduleOptionsDefault();
  options.threads = threads;
  options.serialNanoseconds = 1000; // also short rows on several
  options.stackBytes = 1 << 20;
  MlirModule module = mlirModuleCreateParse(
      fixture->context, mlirStringRefCreateFromCString(text));
  XlaCpuCode *code = NULL;
  if (!mlirModuleIsNull(module)) {
    MlirOperation op = mlirModuleGetOperation(module);
    if (mlirLogicalResultIsSuccess(xlaCpuScheduleKernels(op, &options)) &&
        mlirOperationVerify(op))
      xlaCpuCompileModule(module, fixture->target, NULL, NULL, &code);
    mlirModuleDestroy(module);
  }
  if (!code)
    fail_msg("%s in\n%s", fixture->error, text);
  return code;
}

/// `text` with $R, $C replaced by sizes and $A, $B by the affine dimensions of
/// what is kept and what is reduced.
static char *fill(const char *text, int64_t rows, int64_t columns, int axis) {
  char *out = malloc(strlen(text) * 4 + 1), *p = out;
  assert_non_null(out);
  for (; *text; ++text) {
    if (*text != '$') {
      *p++ = *text;
      continue;
    }
    switch (*++text) {
    case 'R':
      p += sprintf(p, "%ld", (long)rows);
      break;
    case 'C':
      p += sprintf(p, "%ld", (long)columns);
      break;
    case 'K':
      p += sprintf(p, "%ld", (long)(axis ? rows : columns));
      break;
    case 'M':
      p += sprintf(p, "affine_map<(d0, d1) -> (d%d)>", axis ? 0 : 1);
      break;
    case 'I':
      p += sprintf(p, axis ? "\"parallel\", \"reduction\""
                           : "\"reduction\", \"parallel\"");
      break;
    case 'X':
      p += sprintf(p, "%d", axis);
      break;
    default:
      fail_msg("unknown $%c", *text);
    }
  }
  *p = 0;
  return out;
}

/// max, x - max, its sum, and both together: the shape of a softmax.
static const char normalize[] =
    "#id = affine_map<(d0, d1) -> (d0, d1)>\n"
    "#kept = $M\n"
    "#k = affine_map<(d0) -> (d0)>\n"
    "func.func @f(%x: memref<$Rx$Cxi32>, %out: memref<$Rx$Cxi32>,"
    "             %mean: memref<$Kxi32>) attributes {xla.kind = \"row\"} {\n"
    "  %low = arith.constant -2147483648 : i32\n"
    "  %zero = arith.constant 0 : i32\n"
    "  %m = memref.alloc() : memref<$Kxi32>\n"
    "  %s = memref.alloc() : memref<$Kxi32>\n"
    "  %e = memref.alloc() : memref<$Rx$Cxi32>\n"
    "  linalg.fill ins(%low : i32) outs(%m : memref<$Kxi32>)\n"
    "  linalg.generic {indexing_maps = [#id, #kept], iterator_types = [$I]}"
    "    ins(%x : memref<$Rx$Cxi32>) outs(%m : memref<$Kxi32>) {\n"
    "  ^bb0(%a: i32, %o: i32):\n"
    "    %r = arith.maxsi %a, %o : i32\n"
    "    linalg.yield %r : i32 }\n"
    "  linalg.generic {indexing_maps = [#id, #kept, #id],"
    "    iterator_types = [\"parallel\", \"parallel\"]}"
    "    ins(%x, %m : memref<$Rx$Cxi32>, memref<$Kxi32>)"
    "    outs(%e : memref<$Rx$Cxi32>) {\n"
    "  ^bb0(%a: i32, %b: i32, %o: i32):\n"
    "    %r = arith.subi %a, %b : i32\n"
    "    linalg.yield %r : i32 }\n"
    "  linalg.fill ins(%zero : i32) outs(%s : memref<$Kxi32>)\n"
    "  linalg.generic {indexing_maps = [#id, #kept], iterator_types = [$I]}"
    "    ins(%e : memref<$Rx$Cxi32>) outs(%s : memref<$Kxi32>) {\n"
    "  ^bb0(%a: i32, %o: i32):\n"
    "    %r = arith.addi %a, %o : i32\n"
    "    linalg.yield %r : i32 }\n"
    "  linalg.generic {indexing_maps = [#k, #k],"
    "    iterator_types = [\"parallel\"]}"
    "    ins(%s : memref<$Kxi32>) outs(%mean : memref<$Kxi32>) {\n"
    "  ^bb0(%a: i32, %o: i32):\n"
    "    %c = arith.constant 3 : i32\n"
    "    %r = arith.divsi %a, %c : i32\n"
    "    linalg.yield %r : i32 }\n"
    "  linalg.generic {indexing_maps = [#id, #kept, #id],"
    "    iterator_types = [\"parallel\", \"parallel\"]}"
    "    ins(%e, %mean : memref<$Rx$Cxi32>, memref<$Kxi32>)"
    "    outs(%out : memref<$Rx$Cxi32>) {\n"
    "  ^bb0(%a: i32, %b: i32, %o: i32):\n"
    "    %i = linalg.index 0 : index\n"
    "    %c = arith.index_cast %i : index to i32\n"
    "    %q = arith.muli %a, %b : i32\n"
    "    %r = arith.addi %q, %c : i32\n"
    "    linalg.yield %r : i32 }\n"
    "  memref.dealloc %e : memref<$Rx$Cxi32>\n"
    "  return\n"
    "}\n";

static int32_t *makeInput(int64_t n) {
  int32_t *data = malloc((size_t)n * sizeof *data);
  assert_non_null(data);
  uint32_t state = 99;
  for (int64_t i = 0; i < n; ++i) {
    state = state * 1664525u + 1013904223u;
    data[i] = (int32_t)(state >> 8) % 1000 - 500;
  }
  return data;
}

/// `stride` between elements along the axis, `step` between its lines.
static void checkNormalize(const int32_t *x, const int32_t *out,
                           const int32_t *mean, int64_t lines, int64_t step,
                           int64_t length, int64_t stride, int64_t columns) {
  for (int64_t l = 0; l < lines; ++l) {
    const int32_t *line = x + l * step;
    int32_t max = INT32_MIN, sum = 0;
    for (int64_t i = 0; i < length; ++i)
      max = line[i * stride] > max ? line[i * stride] : max;
    for (int64_t i = 0; i < length; ++i)
      sum += line[i * stride] - max;
    assert_int_equal(mean[l], sum / 3);
    for (int64_t i = 0; i < length; ++i) {
      int64_t at = l * step + i * stride;
      uint32_t expected = (uint32_t)(x[at] - max) * (uint32_t)(sum / 3) +
                          (uint32_t)(at / columns);
      assert_int_equal((uint32_t)out[at], expected);
    }
  }
}

static void normalizeOnce(CpuFixture *fixture, int64_t rows, int64_t columns,
                          int axis, int threads, bool inPlace) {
  char *text = fill(normalize, rows, columns, axis);
  XlaCpuCode *code = compile(fixture, text, threads);
  int32_t *x = makeInput(rows * columns), *out = makeInput(rows * columns);
  int32_t *mean = makeInput(rows + columns);
  void (*f)(void *, void *, void *) =
      (void (*)(void *, void *, void *))xlaCpuCodeLookup(code, "f");
  f(inPlace ? out : x, out, mean); // both hold the same numbers
  if (axis)
    checkNormalize(x, out, mean, rows, columns, columns, 1, columns);
  else
    checkNormalize(x, out, mean, columns, 1, rows, columns, columns);
  xlaCpuCodeDestroy(code);
  free(text);
  free(x);
  free(out);
  free(mean);
}

static void testNormalizeRows(void **state) {
  for (int r = 0; r < nLengths; r += 2)
    for (int c = 0; c < nLengths; ++c)
      normalizeOnce(*state, lengths[r], lengths[c], 1, 1, c % 2);
}

static void testNormalizeColumns(void **state) {
  for (int r = 0; r < nLengths; ++r)
    for (int c = 0; c < nLengths; c += 2)
      normalizeOnce(*state, lengths[r], lengths[c], 0, 1, r % 2);
}

static void testNormalizeOnThreads(void **state) {
  for (int axis = 0; axis < 2; ++axis) {
    normalizeOnce(*state, 1000, 333, axis, 3, false);
    normalizeOnce(*state, 257, 1000, axis, 4, true);
    normalizeOnce(*state, 40000, 3, axis, 4, false);
    normalizeOnce(*state, 3, 40000, axis, 4, false);
  }
}

static const char argmax[] =
    "#id = affine_map<(d0, d1) -> (d0, d1)>\n"
    "#kept = $M\n"
    "func.func @f(%x: memref<$Rx$Cxi32>, %v: memref<$Kxi32>,"
    "             %i: memref<$Kxi64>) attributes {xla.kind = \"reduce\"} {\n"
    "  %low = arith.constant -2147483648 : i32\n"
    "  %zero = arith.constant 0 : i64\n"
    "  linalg.fill ins(%low : i32) outs(%v : memref<$Kxi32>)\n"
    "  linalg.fill ins(%zero : i64) outs(%i : memref<$Kxi64>)\n"
    "  linalg.generic {indexing_maps = [#id, #kept, #kept],"
    "    iterator_types = [$I]} ins(%x : memref<$Rx$Cxi32>)"
    "    outs(%v, %i : memref<$Kxi32>, memref<$Kxi64>) {\n"
    "  ^bb0(%a: i32, %m: i32, %j: i64):\n"
    "    %k = linalg.index $X : index\n"
    "    %n = arith.index_cast %k : index to i64\n"
    "    %g = arith.cmpi sgt, %a, %m : i32\n"
    "    %r = arith.select %g, %a, %m : i32\n"
    "    %s = arith.select %g, %n, %j : i64\n"
    "    linalg.yield %r, %s : i32, i64 }\n"
    "  return\n"
    "}\n";

static void testArgmax(void **state) {
  for (int axis = 0; axis < 2; ++axis)
    for (int r = 0; r < nLengths; r += 2)
      for (int c = 0; c < nLengths; c += 2) {
        int64_t rows = lengths[r], columns = lengths[c];
        char *text = fill(argmax, rows, columns, axis);
        XlaCpuCode *code = compile(*state, text, 1);
        int32_t *x = makeInput(rows * columns);
        int32_t *v = makeInput(rows + columns);
        int64_t *index = calloc((size_t)(rows + columns), sizeof *index);
        void (*f)(void *, void *, void *) =
            (void (*)(void *, void *, void *))xlaCpuCodeLookup(code, "f");
        f(x, v, index);
        int64_t lines = axis ? rows : columns, length = axis ? columns : rows;
        for (int64_t l = 0; l < lines; ++l) {
          int64_t best = 0;
          for (int64_t i = 1; i < length; ++i)
            if (x[axis ? l * columns + i : i * columns + l] >
                x[axis ? l * columns + best : best * columns + l])
              best = i;
          assert_int_equal(index[l], best);
          assert_int_equal(v[l],
                           x[axis ? l * columns + best : best * columns + l]);
        }
        xlaCpuCodeDestroy(code);
        free(text);
        free(x);
        free(v);
        free(index);
      }
}

/// Two outputs, one a pred; `all` of the preds of a row; a whole sum in i64 of
/// what a first op made; the concatenation of both halves in one buffer.
static const char several[] =
    "#id = affine_map<(d0, d1) -> (d0, d1)>\n"
    "#kept = affine_map<(d0, d1) -> (d0)>\n"
    "#none = affine_map<(d0, d1) -> ()>\n"
    "func.func @f(%x: memref<$Rx$Cxi32>, %p: memref<$Rx$Cxi8>,"
    "  %all: memref<$Rxi8>, %sum: memref<i64>)"
    "  attributes {xla.kind = \"loop\"} {\n"
    "  %c = arith.constant -400 : i32\n"
    "  %true = arith.constant 1 : i8\n"
    "  %zero = arith.constant 0 : i64\n"
    "  %w = memref.alloc() : memref<$Rx$Cxi64>\n"
    "  linalg.generic {indexing_maps = [#id, #id, #id],"
    "    iterator_types = [\"parallel\", \"parallel\"]}"
    "    ins(%x : memref<$Rx$Cxi32>)"
    "    outs(%p, %w : memref<$Rx$Cxi8>, memref<$Rx$Cxi64>) {\n"
    "  ^bb0(%a: i32, %o: i8, %q: i64):\n"
    "    %g = arith.cmpi sgt, %a, %c : i32\n"
    "    %r = arith.extui %g : i1 to i8\n"
    "    %l = arith.extsi %a : i32 to i64\n"
    "    linalg.yield %r, %l : i8, i64 }\n"
    "  linalg.fill ins(%true : i8) outs(%all : memref<$Rxi8>)\n"
    "  linalg.generic {indexing_maps = [#id, #kept],"
    "    iterator_types = [\"parallel\", \"reduction\"]}"
    "    ins(%p : memref<$Rx$Cxi8>) outs(%all : memref<$Rxi8>) {\n"
    "  ^bb0(%a: i8, %o: i8):\n"
    "    %a1 = arith.trunci %a : i8 to i1\n"
    "    %o1 = arith.trunci %o : i8 to i1\n"
    "    %r1 = arith.andi %o1, %a1 : i1\n"
    "    %r = arith.extui %r1 : i1 to i8\n"
    "    linalg.yield %r : i8 }\n"
    "  linalg.fill ins(%zero : i64) outs(%sum : memref<i64>)\n"
    "  linalg.generic {indexing_maps = [#id, #none],"
    "    iterator_types = [\"reduction\", \"reduction\"]}"
    "    ins(%w : memref<$Rx$Cxi64>) outs(%sum : memref<i64>) {\n"
    "  ^bb0(%a: i64, %o: i64):\n"
    "    %r = arith.addi %a, %o : i64\n"
    "    linalg.yield %r : i64 }\n"
    "  return\n"
    "}\n";

static void severalOnce(CpuFixture *fixture, int64_t rows, int64_t columns,
                        int threads) {
  char *text = fill(several, rows, columns, 1);
  XlaCpuCode *code = compile(fixture, text, threads);
  int32_t *x = makeInput(rows * columns);
  int8_t *p = malloc((size_t)(rows * columns)), *all = malloc((size_t)rows);
  int64_t sum, expected = 0;
  void (*f)(void *, void *, void *, void *) =
      (void (*)(void *, void *, void *, void *))xlaCpuCodeLookup(code, "f");
  f(x, p, all, &sum);
  for (int64_t r = 0; r < rows; ++r) {
    int every = 1;
    for (int64_t c = 0; c < columns; ++c) {
      int32_t value = x[r * columns + c];
      assert_int_equal(p[r * columns + c], value > -400);
      every &= value > -400;
      expected += value;
    }
    assert_int_equal(all[r], every);
  }
  assert_true(sum == expected);
  xlaCpuCodeDestroy(code);
  free(text);
  free(x);
  free(p);
  free(all);
}

static void testSeveralOutputs(void **state) {
  for (int r = 0; r < nLengths; r += 2)
    for (int c = 0; c < nLengths; c += 2)
      severalOnce(*state, lengths[r], lengths[c], 1);
}

static void testSumsOnThreads(void **state) {
  severalOnce(*state, 1, 300001, 3);
  severalOnce(*state, 301, 1003, 3);
  severalOnce(*state, 5000, 64, 2);
  severalOnce(*state, 3, 100000, 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(testNormalizeRows),
      cmocka_unit_test(testNormalizeColumns),
      cmocka_unit_test(testNormalizeOnThreads),
      cmocka_unit_test(testArgmax),
      cmocka_unit_test(testSeveralOutputs),
      cmocka_unit_test(testSumsOnThreads),
  };
  return cmocka_run_group_tests(tests, cpuFixtureSetUp, cpuFixtureTearDown);
}
