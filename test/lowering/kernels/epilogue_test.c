//===- epilogue_test.c - Contractions in fusions --------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/test/lowering/kernels/fixture.h"
#include "xlac/test/support/unit.h"

#include <stdio.h>
#include <string.h>

/// A product [b, m, k] x [b, k, n], or without b where that is 0, and what
/// follows. In `text` (of the operations), `arguments` and `results`:
///   $P the product's type    $Q the same with i1     $N, $M, $B its element
///   type and the last, the rows' and the batch dimension: tensor<..>
///   $T [.., n, m]            $F flat                 $S a scalar
/// and other characters are what they are. %p is the product.
typedef struct Program {
  int64_t b, m, n, k;
  const char *type;    ///< of the operands
  const char *product; ///< of the product
  bool lhsIsTurned, rhsIsTurned;
  const char *arguments; ///< ", %x: $P" and so on
  const char *text;
  const char *values, *results; ///< "%y", "$P"
} Program;

static void shape(char *out, size_t size, const Program *p, int kind) {
  char batch[24] = "";
  long long b = p->b ? p->b : 1, m = p->m, n = p->n;
  if (p->b)
    snprintf(batch, sizeof batch, "%lldx", b);
  switch (kind) {
  case 'P':
    snprintf(out, size, "tensor<%s%lldx%lldx%s>", batch, m, n, p->product);
    break;
  case 'Q':
    snprintf(out, size, "tensor<%s%lldx%lldxi1>", batch, m, n);
    break;
  case 'T':
    snprintf(out, size, "tensor<%s%lldx%lldx%s>", batch, n, m, p->product);
    break;
  case 'N':
    snprintf(out, size, "tensor<%lldx%s>", n, p->product);
    break;
  case 'M':
    snprintf(out, size, "tensor<%lldx%s>", m, p->product);
    break;
  case 'B':
    snprintf(out, size, "tensor<%lldx%s>", b, p->product);
    break;
  case 'F':
    snprintf(out, size, "tensor<%lldx%s>", b * m * n, p->product);
    break;
  default:
    snprintf(out, size, "tensor<%s>", p->product);
  }
}

/// `text` with types in the place of their letters, and `prefix` before names.
static void putNamed(KernelBatch *batch, const Program *p, const char *text,
                     const char *prefix) {
  for (; *text; ++text) {
    char type[80];
    if (*text != '$') {
      kernelBatchPut(batch, "%c%s", *text, *text == '%' ? prefix : "");
      continue;
    }
    shape(type, sizeof type, p, *++text);
    kernelBatchPut(batch, "%s", type);
  }
}

static void put(KernelBatch *batch, const Program *p, const char *text) {
  putNamed(batch, p, text, "");
}

/// The types alone of ", %x: $P, .." after those of the matrices.
static void putTypes(KernelBatch *batch, const Program *p, const char *lhs,
                     const char *rhs) {
  kernelBatchPut(batch, "%s, %s", lhs, rhs);
  for (const char *at = p->arguments; (at = strchr(at, '$')); ++at) {
    char letter[3] = {'$', at[1], 0};
    kernelBatchPut(batch, ", ");
    put(batch, p, letter);
  }
}

static void matrix(char *out, size_t size, const Program *p, int64_t rows,
                   int64_t columns) {
  char batch[24] = "";
  if (p->b)
    snprintf(batch, sizeof batch, "%lldx", (long long)p->b);
  snprintf(out, size, "tensor<%s%lldx%lldx%s>", batch, (long long)rows,
           (long long)columns, p->type);
}

static void putNames(KernelBatch *batch, const Program *p) {
  kernelBatchPut(batch, "%%ol, %%or");
  for (const char *at = p->arguments; (at = strchr(at, '%')); ++at)
    kernelBatchPut(batch, ", %%o%.*s", (int)strcspn(at, ":") - 1, at + 1);
}

static void putDot(KernelBatch *batch, const Program *p, const char *lhs,
                   const char *rhs) {
  int first = p->b ? 1 : 0;
  const char *pair = p->b ? ": 0" : "";
  kernelBatchPut(batch,
                 "  %%p = xla.dot_general %%l, %%r {lhs_batching_dimensions = "
                 "array<i64%s>, rhs_batching_dimensions = array<i64%s>, "
                 "lhs_contracting_dimensions = array<i64: %d>, "
                 "rhs_contracting_dimensions = array<i64: %d>} : (%s, %s) -> ",
                 pair, pair, first + !p->lhsIsTurned, first + p->rhsIsTurned,
                 lhs, rhs);
  put(batch, p, "$P\n");
}

static void putProgram(KernelBatch *batch, const Program *p) {
  char lhs[80], rhs[80];
  bool many = strchr(p->results, ',') != NULL;
  matrix(lhs, sizeof lhs, p, p->lhsIsTurned ? p->k : p->m,
         p->lhsIsTurned ? p->m : p->k);
  matrix(rhs, sizeof rhs, p, p->rhsIsTurned ? p->n : p->k,
         p->rhsIsTurned ? p->k : p->n);
  kernelBatchPut(batch, "(%%ol: %s, %%or: %s", lhs, rhs);
  putNamed(batch, p, p->arguments, "o");
  kernelBatchPut(batch, ") -> (");
  put(batch, p, p->results);
  kernelBatchPut(batch, ") {\n%%out%s = xla.fusion(", many ? ":2" : "");
  putNames(batch, p);
  kernelBatchPut(batch, ") ({\n^bb0(%%l: %s, %%r: %s", lhs, rhs);
  put(batch, p, p->arguments);
  kernelBatchPut(batch, "):\n");
  putDot(batch, p, lhs, rhs);
  put(batch, p, p->text);
  kernelBatchPut(batch, "  xla.return %s : ", p->values);
  put(batch, p, p->results);
  kernelBatchPut(batch, "\n}) {kind = \"contraction\"} : (");
  putTypes(batch, p, lhs, rhs);
  kernelBatchPut(batch, ") -> (");
  put(batch, p, p->results);
  kernelBatchPut(batch, ")\nreturn %s : ", many ? "%out#0, %out#1" : "%out");
  put(batch, p, p->results);
  kernelBatchPut(batch, "\n}");
}

//===----------------------------------------------------------------------===//
// What follows
//===----------------------------------------------------------------------===//

/// Broadcasts along columns, rows and batch.
#define ROW(b)                                                                 \
  "  %c = xla.broadcast_in_dim %x {broadcast_dimensions = array<i64: " b       \
  ">} : ($N) -> $P\n"
#define COLUMN(b)                                                              \
  "  %c = xla.broadcast_in_dim %x {broadcast_dimensions = array<i64: " b       \
  ">} : ($M) -> $P\n"

static const Program biasAndRelu = {
    .arguments = ", %x: $N",
    .text = ROW("1") "  %s = xla.add %p, %c : $P\n"
                     "  %z = xla.constant dense<0.0> : $P\n"
                     "  %y = xla.maximum %s, %z : $P\n",
    .values = "%y",
    .results = "$P"};

static const Program scaledRows = {
    .arguments = ", %x: $M",
    .text = COLUMN("0") "  %s = xla.multiply %p, %c : $P\n"
                        "  %y = xla.tanh %s : $P\n",
    .values = "%y",
    .results = "$P"};

static const Program residual = {
    .arguments = ", %x: $P, %s: $S",
    .text = "  %c = xla.broadcast_in_dim %s {broadcast_dimensions = "
            "array<i64>} : ($S) -> $P\n"
            "  %t = xla.multiply %p, %c : $P\n"
            "  %y = xla.add %t, %x : $P\n",
    .values = "%y",
    .results = "$P"};

static const Program both = {.arguments = ", %x: $P",
                             .text = "  %s = xla.add %p, %x : $P\n"
                                     "  %y = xla.logistic %s : $P\n",
                             .values = "%y, %p",
                             .results = "$P, $P"};

static const Program twoOfTypes = {
    .arguments = ", %x: $P",
    .text = "  %y = xla.compare %p, %x {comparison_direction = \"GT\"} : ($P, "
            "$P) -> $Q\n"
            "  %z = xla.select %y, %p, %x : ($Q, $P, $P) -> $P\n",
    .values = "%y, %z",
    .results = "$Q, $P"};

/// The lower triangle.
static const Program masked = {
    .arguments = "",
    .text = "  %i = xla.iota {iota_dimension = 0 : i64} : $P\n"
            "  %j = xla.iota {iota_dimension = 1 : i64} : $P\n"
            "  %q = xla.compare %i, %j {comparison_direction = \"GE\"} : ($P, "
            "$P) -> $Q\n"
            "  %z = xla.constant dense<-1.0> : $P\n"
            "  %y = xla.select %q, %p, %z : ($Q, $P, $P) -> $P\n",
    .values = "%y",
    .results = "$P"};

static const Program turnedResidual = {
    .arguments = ", %x: $T, %f: $F",
    .text = "  %t = xla.transpose %x {permutation = array<i64: 1, 0>} : ($T) "
            "-> $P\n"
            "  %g = xla.reshape %f : ($F) -> $P\n"
            "  %s = xla.add %p, %t : $P\n"
            "  %y = xla.subtract %s, %g : $P\n",
    .values = "%y",
    .results = "$P"};

/// No epilogue: elements meet others.
static const Program turnedProduct = {
    .arguments = ", %x: $T",
    .text = "  %t = xla.transpose %p {permutation = array<i64: 1, 0>} : ($P) "
            "-> $T\n"
            "  %y = xla.add %t, %x : $T\n",
    .values = "%y, %p",
    .results = "$T, $P"};

/// Nor is this: rows are summed.
static const Program rowSums = {
    .arguments = ", %x: $M",
    .text = "  %z = xla.constant dense<0.0> : $S\n"
            "  %s = xla.reduce(%p, %z) ({\n"
            "  ^bb0(%u: $S, %v: $S):\n"
            "    %w = xla.add %u, %v : $S\n"
            "    xla.return %w : $S\n"
            "  }) {dimensions = array<i64: 1>} : ($P, $S) -> $M\n"
            "  %y = xla.add %s, %x : $M\n",
    .values = "%y",
    .results = "$M"};

/// A product of what is computed before.
static const Program twoProducts = {
    .arguments = ", %x: $P",
    .text = "  %t = xla.add %p, %x : $P\n"
            "  %y = xla.dot_general %t, %p {lhs_batching_dimensions = "
            "array<i64>, rhs_batching_dimensions = array<i64>, "
            "lhs_contracting_dimensions = array<i64: 1>, "
            "rhs_contracting_dimensions = array<i64: 0>} : ($P, $P) -> $P\n"
            "  %z = xla.negate %y : $P\n",
    .values = "%z",
    .results = "$P"};

static const Program batched = {
    .arguments = ", %x: $B, %y: $N, %z: $M",
    .text = "  %a = xla.broadcast_in_dim %x {broadcast_dimensions = "
            "array<i64: 0>} : ($B) -> $P\n"
            "  %b = xla.broadcast_in_dim %y {broadcast_dimensions = "
            "array<i64: 2>} : ($N) -> $P\n"
            "  %c = xla.broadcast_in_dim %z {broadcast_dimensions = "
            "array<i64: 1>} : ($M) -> $P\n"
            "  %d = xla.multiply %p, %a : $P\n"
            "  %e = xla.add %d, %b : $P\n"
            "  %g = xla.maximum %e, %c : $P\n",
    .values = "%g",
    .results = "$P"};

/// `what` follows a product of these sizes and types.
static void putCase(KernelBatch *batch, const Program *what, int64_t b,
                    int64_t m, int64_t n, int64_t k, const char *type,
                    const char *product, int turned) {
  Program p = *what;
  p.b = b;
  p.m = m;
  p.n = n;
  p.k = k;
  p.type = type;
  p.product = product;
  p.lhsIsTurned = turned & 1;
  p.rhsIsTurned = turned & 2;
  putProgram(batch, &p);
}

//===----------------------------------------------------------------------===//
// Tests
//===----------------------------------------------------------------------===//

static const int64_t sizes[][3] = {
    {1, 1, 5},    {3, 17, 4},    {17, 33, 7}, {33, 1, 9},   {1, 65, 3},
    {65, 129, 1}, {129, 65, 40}, {8, 32, 16}, {2, 200, 30}, {40, 3, 1100}};
enum { nSizes = sizeof sizes / sizeof *sizes };

static void remainders(void **state) {
  static const Program *const programs[] = {&biasAndRelu, &scaledRows,
                                            &residual, &masked};
  KernelBatch batch = {0};
  (void)state;
  for (int i = 0; i < nSizes; ++i)
    for (int p = 0; p < 4; ++p) {
      kernelBatchBegin(&batch, (KernelCheck){KernelFillUnit, 0, false, 2e-3});
      putCase(&batch, programs[p], 0, sizes[i][0], sizes[i][1], sizes[i][2],
              "f32", "f32", (i + p) % 4);
    }
  kernelBatchRun(&batch);
  // Sums are added to what has the result's shape, where that lies; a matrix of
  // one row or column has the shape of a vector of factors.
  assert_true(batch.nAliased >= nSizes);
}

/// Small integers as floats: all sums are exact, and so is what is rounded.
static void elementTypes(void **state) {
  static const char *const types[][2] = {
      {"f16", "f16"},   {"bf16", "bf16"}, {"bf16", "f32"}, {"f64", "f64"},
      {"i8", "i8"},     {"ui8", "i32"},   {"i32", "i32"},  {"i64", "i64"},
      {"ui16", "ui16"}, {"i1", "i1"}};
  KernelBatch batch = {0};
  (void)state;
  for (int t = 0; t < 10; ++t)
    for (int i = 0; i < 3; ++i) {
      const int64_t *size = sizes[2 + 3 * i];
      kernelBatchBegin(&batch, (KernelCheck){.fill = KernelFillSmall});
      putCase(&batch, &residual, 0, size[0], size[1], size[2], types[t][0],
              types[t][1], i);
      kernelBatchBegin(&batch, (KernelCheck){.fill = KernelFillSmall});
      putCase(&batch, &twoOfTypes, 0, size[0], size[1], size[2], types[t][0],
              types[t][1], i + 1);
    }
  kernelBatchRun(&batch);
}

static void specialValues(void **state) {
  KernelBatch batch = {0};
  (void)state;
  for (int i = 0; i < nSizes; ++i) {
    // One term: products of special values, bit by bit.
    kernelBatchBegin(&batch, (KernelCheck){.fill = KernelFillSpecial});
    putCase(&batch, &biasAndRelu, 0, sizes[i][0], sizes[i][1], 1, "f32", "f32",
            0);
    kernelBatchBegin(&batch, (KernelCheck){.fill = KernelFillSpecial});
    putCase(&batch, &twoOfTypes, 0, sizes[i][0], sizes[i][1], 1, "f32", "f32",
            0);
  }
  kernelBatchRun(&batch);
}

static void severalResults(void **state) {
  KernelBatch batch = {0};
  (void)state;
  for (int i = 0; i < nSizes; ++i) {
    kernelBatchBegin(&batch, (KernelCheck){KernelFillUnit, 0, false, 2e-3});
    putCase(&batch, &both, 0, sizes[i][0], sizes[i][1], sizes[i][2], "f32",
            "f32", i % 4);
  }
  kernelBatchRun(&batch);
  // What is added may lie where its sum goes, not where the product goes.
  assert_int_equal(batch.nAliased, nSizes);
}

static void batches(void **state) {
  KernelBatch batch = {0};
  (void)state;
  for (int i = 0; i < nSizes; ++i) {
#ifdef XLAC_TEST_SMALL_DEVICE // which would need more bindings than there are
    if (sizes[i][0] * sizes[i][1] > 2048 || sizes[i][2] > 1000)
      continue;
#endif
    kernelBatchBegin(&batch, (KernelCheck){KernelFillUnit, 0, false, 2e-3});
    putCase(&batch, &batched, 1 + i % 4, sizes[i][0], sizes[i][1], sizes[i][2],
            "f32", "f32", i % 4);
    kernelBatchBegin(&batch, (KernelCheck){KernelFillUnit, 0, false, 2e-3});
    putCase(&batch, &residual, 1 + i % 3, sizes[i][0], sizes[i][1], sizes[i][2],
            "f32", "f32", i % 4);
  }
  kernelBatchRun(&batch);
}

static void strides(void **state) {
  KernelBatch batch = {0};
  (void)state;
  for (int i = 0; i < nSizes; ++i) {
    kernelBatchBegin(&batch, (KernelCheck){KernelFillUnit, 0, false, 2e-3});
    putCase(&batch, &turnedResidual, 0, sizes[i][0], sizes[i][1], sizes[i][2],
            "f32", "f32", i % 4);
  }
  kernelBatchRun(&batch);
}

static void noEpilogues(void **state) {
  static const Program *const programs[] = {&turnedProduct, &rowSums};
  KernelBatch batch = {0};
  (void)state;
  for (int i = 0; i < nSizes; ++i)
    for (int p = 0; p < 2; ++p) {
      kernelBatchBegin(&batch, (KernelCheck){KernelFillUnit, 0, false, 5e-3});
      putCase(&batch, programs[p], 0, sizes[i][0], sizes[i][1], sizes[i][2],
              "f32", "f32", (i + p) % 4);
    }
  kernelBatchBegin(&batch, (KernelCheck){KernelFillUnit, 0, false, 2e-2});
  putCase(&batch, &twoProducts, 0, 19, 19, 5, "f32", "f32", 0);
  kernelBatchRun(&batch);
}

static void emptyDimensions(void **state) {
  KernelBatch batch = {0};
  (void)state;
  for (int i = 0; i < 8; ++i) {
    kernelBatchBegin(&batch, (KernelCheck){KernelFillUnit, 0, false, 1e-5});
    putCase(&batch, &biasAndRelu, 0, i & 1 ? 0 : 3, i & 2 ? 0 : 5,
            i & 4 ? 0 : 2, "f32", "f32", 0);
    kernelBatchBegin(&batch, (KernelCheck){KernelFillUnit, 0, false, 1e-5});
    putCase(&batch, &both, 0, i & 1 ? 0 : 3, i & 2 ? 0 : 5, i & 4 ? 0 : 2,
            "f32", "f32", 0);
  }
  kernelBatchRun(&batch);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(remainders),    cmocka_unit_test(elementTypes),
      cmocka_unit_test(specialValues), cmocka_unit_test(severalResults),
      cmocka_unit_test(batches),       cmocka_unit_test(strides),
      cmocka_unit_test(noEpilogues),   cmocka_unit_test(emptyDimensions),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
