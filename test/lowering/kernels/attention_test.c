//===- attention_test.c - Products with rows between them -----------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/test/lowering/kernels/fixture.h"
#include "xlac/test/support/unit.h"

#include <stdio.h>
#include <string.h>

/// Scores %s of queries [b, m, d] and keys [b, n, d], what makes weights %w of
/// them, and what makes the result %y of their product %o with values
/// [b, n, e]. In texts:
///   $S the scores' type   $I, $J the same with i1 and i32   $R [b, m]
///   $O the result's       $T [m, b, e]                      $E a scalar
///   $N [n]                $M [m, n]                         $L least
typedef struct Program {
  const char *arguments; ///< ", %x: $N" and so on
  const char *scores;    ///< from %s to %x
  const char *weights;   ///< from %x to %w
  const char *after;     ///< from %o to %y
  const char *result;    ///< "$O"
  const char *lhs;       ///< NULL, or from %a to %q
} Program;

typedef struct Sizes {
  int64_t b, m, n, d, e;
} Sizes;

static const char *leastOf(const char *type) {
  return !strcmp(type, "f64")    ? "0xFFF0000000000000"
         : !strcmp(type, "f32")  ? "0xFF800000"
         : !strcmp(type, "bf16") ? "0xFF80"
                                 : "0xFC00";
}

static void putType(KernelBatch *batch, const Sizes *s, const char *type,
                    char letter) {
  long long b = s->b, m = s->m, n = s->n;
  switch (letter) {
  case 'S':
    kernelBatchPut(batch, "tensor<%lldx%lldx%lldx%s>", b, m, n, type);
    break;
  case 'I':
    kernelBatchPut(batch, "tensor<%lldx%lldx%lldxi1>", b, m, n);
    break;
  case 'J':
    kernelBatchPut(batch, "tensor<%lldx%lldx%lldxi32>", b, m, n);
    break;
  case 'R':
    kernelBatchPut(batch, "tensor<%lldx%lldx%s>", b, m, type);
    break;
  case 'O':
    kernelBatchPut(batch, "tensor<%lldx%lldx%lldx%s>", b, m, (long long)s->e,
                   type);
    break;
  case 'T':
    kernelBatchPut(batch, "tensor<%lldx%lldx%lldx%s>", m, b, (long long)s->e,
                   type);
    break;
  case 'N':
    kernelBatchPut(batch, "tensor<%lldx%s>", n, type);
    break;
  case 'M':
    kernelBatchPut(batch, "tensor<%lldx%lldx%s>", m, n, type);
    break;
  case 'L':
    kernelBatchPut(batch, "%s", leastOf(type));
    break;
  default:
    kernelBatchPut(batch, "tensor<%s>", type);
  }
}

static void put(KernelBatch *batch, const Sizes *s, const char *type,
                const char *text, const char *prefix) {
  for (; *text; ++text)
    if (*text == '$')
      putType(batch, s, type, *++text);
    else
      kernelBatchPut(batch, "%c%s", *text, *text == '%' ? prefix : "");
}

static void putMatrix(KernelBatch *batch, const Sizes *s, int64_t rows,
                      int64_t columns, const char *type) {
  kernelBatchPut(batch, "tensor<%lldx%lldx%lldx%s>", (long long)s->b,
                 (long long)rows, (long long)columns, type);
}

static void putMatrices(KernelBatch *batch, const Sizes *s, const char *type,
                        const char *const names[3]) {
  const int64_t rows[] = {s->m, s->n, s->n}, columns[] = {s->d, s->d, s->e};
  for (int i = 0; i < 3; ++i) {
    kernelBatchPut(batch, "%s%s%s", i ? ", " : "", names ? names[i] : "",
                   names ? ": " : "");
    putMatrix(batch, s, rows[i], columns[i], type);
  }
}

static void putArgumentNames(KernelBatch *batch, const Program *p) {
  kernelBatchPut(batch, "%%oa, %%ok, %%ov");
  for (const char *at = p->arguments; (at = strchr(at, '%')); ++at)
    kernelBatchPut(batch, ", %%o%.*s", (int)strcspn(at, ":") - 1, at + 1);
}

static void putProduct(KernelBatch *batch, const Sizes *s, const char *type,
                       bool isFirst) {
  kernelBatchPut(batch,
                 "  %s = xla.dot_general %s {lhs_batching_dimensions = "
                 "array<i64: 0>, rhs_batching_dimensions = array<i64: 0>, "
                 "lhs_contracting_dimensions = array<i64: 2>, "
                 "rhs_contracting_dimensions = array<i64: %d>} : (",
                 isFirst ? "%s" : "%o", isFirst ? "%q, %k" : "%w, %v",
                 isFirst ? 2 : 1);
  if (isFirst)
    putMatrix(batch, s, s->m, s->d, type);
  else
    putType(batch, s, type, 'S');
  kernelBatchPut(batch, ", ");
  putMatrix(batch, s, s->n, isFirst ? s->d : s->e, type);
  kernelBatchPut(batch, ") -> ");
  putType(batch, s, type, isFirst ? 'S' : 'O');
  kernelBatchPut(batch, "\n");
}

static void putQueries(KernelBatch *batch, const Program *p, const Sizes *s,
                       const char *type) {
  kernelBatchPut(batch, "  %%c = xla.constant dense<0.25> : ");
  putMatrix(batch, s, s->m, s->d, type);
  kernelBatchPut(batch, "\n  %%q = xla.%s : ", p->lhs);
  putMatrix(batch, s, s->m, s->d, type);
  kernelBatchPut(batch, "\n");
}

static void putCase(KernelBatch *batch, const Program *p, const Sizes *s,
                    const char *type) {
  static const char *const outer[] = {"%oa", "%ok", "%ov"};
  const char *const inner[] = {p->lhs ? "%a" : "%q", "%k", "%v"};
  kernelBatchPut(batch, "(");
  putMatrices(batch, s, type, outer);
  put(batch, s, type, p->arguments, "o");
  kernelBatchPut(batch, ") -> ");
  put(batch, s, type, p->result, "");
  kernelBatchPut(batch, " {\n%%out = xla.fusion(");
  putArgumentNames(batch, p);
  kernelBatchPut(batch, ") ({\n^bb0(");
  putMatrices(batch, s, type, inner);
  put(batch, s, type, p->arguments, "");
  kernelBatchPut(batch, "):\n");
  if (p->lhs)
    putQueries(batch, p, s, type);
  putProduct(batch, s, type, true);
  put(batch, s, type, p->scores, "");
  put(batch, s, type, p->weights, "");
  putProduct(batch, s, type, false);
  put(batch, s, type, p->after, "");
  kernelBatchPut(batch, "  xla.return %%y : ");
  put(batch, s, type, p->result, "");
  kernelBatchPut(batch, "\n}) {kind = \"attention\"} : (");
  putMatrices(batch, s, type, NULL);
  for (const char *at = p->arguments; (at = strchr(at, '$')); ++at) {
    kernelBatchPut(batch, ", ");
    putType(batch, s, type, at[1]);
  }
  kernelBatchPut(batch, ") -> ");
  put(batch, s, type, p->result, "");
  kernelBatchPut(batch, "\nreturn %%out : ");
  put(batch, s, type, p->result, "");
  kernelBatchPut(batch, "\n}");
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

#define REDUCE(to, from, op, least)                                            \
  "  %" to "0 = xla.constant dense<" least "> : $E\n"                          \
  "  %" to " = xla.reduce(%" from ", %" to "0) ({\n"                           \
  "  ^bb0(%u: $E, %v0: $E):\n"                                                 \
  "    %w0 = xla." op " %u, %v0 : $E\n"                                        \
  "    xla.return %w0 : $E\n"                                                  \
  "  }) {dimensions = array<i64: 2>} : ($S, $E) -> $R\n"
#define ROWS(to, from)                                                         \
  "  %" to " = xla.broadcast_in_dim %" from                                    \
  " {broadcast_dimensions = array<i64: 0, 1>} : ($R) -> $S\n"
#define SAME "  %x = xla.negate %s : $S\n"
#define EXPONENTIALS                                                           \
  REDUCE("max", "x", "maximum", "$L")                                          \
  ROWS("maxima", "max")                                                        \
  "  %difference = xla.subtract %x, %maxima : $S\n"                            \
  "  %e = xla.exponential %difference : $S\n" REDUCE("sum", "e", "add", "0.0")
#define SOFTMAX                                                                \
  EXPONENTIALS ROWS("sums", "sum") "  %w = xla.divide %e, %sums : $S\n"
#define WHERE(compare, other)                                                  \
  "  %i = xla.iota {iota_dimension = 1 : i64} : () -> $J\n"                    \
  "  %j = xla.iota {iota_dimension = 2 : i64} : () -> $J\n"                    \
  "  %is = xla.compare %i, %j {comparison_direction = \"" compare              \
  "\"} : ($J, $J) -> $I\n"                                                     \
  "  %other = xla.constant dense<" other "> : $S\n"                            \
  "  %x = xla.select %is, %s, %other : ($I, $S, $S) -> $S\n"
#define NONE "  %y = xla.negate %o : $O\n"

/// One pass: sums are divided in the end, by what the weights would be.
static const Program softmax = {"", SAME, SOFTMAX, NONE, "$O", NULL};

/// The same where the program does it, and a result that others move.
static const Program dividedResult = {
    ", %b: $M",
    "  %bs = xla.broadcast_in_dim %b {broadcast_dimensions = array<i64: 1, "
    "2>} : ($M) -> $S\n"
    "  %t = xla.tanh %s : $S\n"
    "  %x = xla.add %t, %bs : $S\n",
    EXPONENTIALS "  %w = xla.add %e, %e : $S\n",
    "  %sums = xla.broadcast_in_dim %sum {broadcast_dimensions = array<i64: "
    "0, 1>} : ($R) -> $O\n"
    "  %r = xla.divide %o, %sums : $O\n"
    "  %y = xla.transpose %r {permutation = array<i64: 1, 0, 2>} : ($O) -> "
    "$T\n",
    "$T",
    "multiply %a, %c"};

static const Program causal = {"",   WHERE("GE", "$L"), SOFTMAX, NONE,
                               "$O", "tanh %a"};

/// The first row has no keys: it is NaN. Others have none of their last block,
/// or of their first.
static const Program masked = {"",  WHERE("GT", "$L"), SOFTMAX, NONE, "$O",
                               NULL};
static const Program maskedBefore = {
    "", WHERE("LT", "$L"), SOFTMAX, NONE, "$O", NULL};

/// Rows with NaN, and rows with the largest of all numbers.
static const Program notANumber = {
    "", WHERE("NE", "0x7FC00000"), SOFTMAX, NONE, "$O", NULL};
static const Program infinite = {
    "", WHERE("NE", "0x7F800000"), SOFTMAX, NONE, "$O", NULL};

/// The result may lie where %z does; weights have zeros of their own.
static const Program residual = {
    ", %b: $N, %z: $O",
    "  %bs = xla.broadcast_in_dim %b {broadcast_dimensions = array<i64: 2>} "
    ": ($N) -> $S\n"
    "  %x = xla.multiply %s, %bs : $S\n",
    EXPONENTIALS
    "  %null = xla.constant dense<0.0> : $S\n"
    "  %is = xla.compare %s, %null {comparison_direction = \"GT\"} : ($S, $S) "
    "-> $I\n"
    "  %f = xla.select %is, %e, %null : ($I, $S, $S) -> $S\n" ROWS(
        "sums", "sum") "  %w = xla.divide %f, %sums : $S\n",
    "  %y = xla.add %o, %z : $O\n",
    "$O",
    NULL};

/// Two passes: the norm of a row; three: quotients by another way.
static const Program norm = {
    "",
    SAME,
    "  %squares = xla.multiply %x, %x : $S\n" REDUCE("sum", "squares", "add",
                                                     "1.0")
        ROWS("sums", "sum") "  %root = xla.rsqrt %sums : $S\n"
                            "  %w = xla.multiply %x, %root : $S\n",
    NONE,
    "$O",
    NULL};
static const Program reciprocal = {
    "",
    SAME,
    EXPONENTIALS "  %one = xla.constant dense<1.0> : $R\n"
                 "  %r = xla.divide %one, %sum : $R\n" ROWS(
                     "rs", "r") "  %w = xla.multiply %e, %rs : $S\n",
    NONE,
    "$O",
    NULL};

/// A reduction beside the maximum, and none at all.
static const Program range = {
    "",
    SAME,
    REDUCE("max", "x", "maximum", "$L") REDUCE("min", "x", "minimum",
                                               "8.0") ROWS("maxima", "max")
        ROWS("minima", "min") "  %span = xla.subtract %maxima, %minima : $S\n"
                              "  %w = xla.divide %x, %span : $S\n",
    NONE,
    "$O",
    NULL};
static const Program plain = {"",   SAME, "  %w = xla.tanh %x : $S\n",
                              NONE, "$O", "negate %a"};

static const Program *const programs[] = {
    &softmax,  &dividedResult, &causal, &masked,     &maskedBefore, &notANumber,
    &infinite, &residual,      &norm,   &reciprocal, &range,        &plain};
enum { nPrograms = sizeof programs / sizeof *programs };

//===----------------------------------------------------------------------===//
// Tests
//===----------------------------------------------------------------------===//

/// Tiles of queries, blocks of keys and columns that are none of these; a
/// dimension of one; more than threads have of each.
static const Sizes sizes[] = {{2, 37, 45, 17, 9},
                              {1, 70, 100, 3, 70},
                              {2, 9, 33, 64, 20},
                              {1, 33, 7, 5, 2},
                              {1, 8, 2, 2, 1}};
enum { nSizes = sizeof sizes / sizeof *sizes };

/// Mesa's llvmpipe takes long to compile shaders whose threads wait.
#if defined XLAC_TEST_GPU || defined XLAC_TEST_NO_SUBGROUPS
enum { each = 3, firstType = 0, eachType = 3 };
#elif defined XLAC_TEST_ON_VULKAN
enum { each = 1, firstType = 1, eachType = 3 };
#else
enum { each = 1, firstType = 0, eachType = 1 };
#endif

static void remainders(void **state) {
  KernelBatch batch = {0};
  (void)state;
  for (int p = 0; p < nPrograms; p += each) {
    kernelBatchBegin(&batch, (KernelCheck){KernelFillUnit, 64, false, 2e-3});
    putCase(&batch, programs[p], &sizes[p % nSizes], "f32");
  }
  kernelBatchRun(&batch);
  assert_true(each > 1 || batch.nAliased >= 1);
}

static void elementTypes(void **state) {
  static const struct {
    const char *type;
    double absolute;
  } types[] = {{"f64", 1e-9}, {"bf16", 0.3}, {"f16", 0.04}};
  static const Program *const some[] = {&dividedResult, &residual, &reciprocal};
  KernelBatch batch = {0};
  (void)state;
  for (int t = firstType; t < 3; t += eachType) {
    kernelBatchBegin(
        &batch, (KernelCheck){KernelFillUnit, 8, false, types[t].absolute});
    putCase(&batch, some[t], &sizes[0], types[t].type);
  }
  kernelBatchRun(&batch);
}

/// Rows of queries that workgroup memory does not hold.
static void longTerms(void **state) {
  static const Sizes wide = {1, 9, 20, 700, 12}, broad = {1, 9, 20, 8, 300};
  KernelBatch batch = {0};
  (void)state;
  for (int i = 0; i < 2; ++i) {
    kernelBatchBegin(&batch, (KernelCheck){KernelFillUnit, 64, false, 2e-3});
    putCase(&batch, i ? &causal : &dividedResult, i ? &wide : &broad, "f32");
  }
  kernelBatchRun(&batch);
}

static void emptyDimensions(void **state) {
  KernelBatch batch = {0};
  (void)state;
  for (int i = 1; i < 32; i += 2) {
    Sizes s = {i & 16 ? 0 : 2, i & 1 ? 0 : 9, i & 2 ? 0 : 5, i & 4 ? 0 : 3,
               i & 8 ? 0 : 4};
    kernelBatchBegin(&batch, (KernelCheck){KernelFillUnit, 0, false, 1e-4});
    putCase(&batch, &residual, &s, "f32");
  }
  kernelBatchRun(&batch);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(remainders), cmocka_unit_test(elementTypes),
      cmocka_unit_test(longTerms), cmocka_unit_test(emptyDimensions)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
