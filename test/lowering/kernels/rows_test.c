//===- rows_test.c - Reductions of long rows ------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows long enough for several threads each, and few enough for two steps.
//
//===----------------------------------------------------------------------===//

#include "xlac/test/lowering/kernels/fixture.h"
#include "xlac/test/support/unit.h"

#include <stdio.h>
#include <string.h>

/// `operand` reduced over `dimensions` to `result`.
static void putReduction(KernelBatch *batch, KernelCheck check,
                         const char *combiner, const char *element,
                         const char *operand, const char *dimensions,
                         const char *result) {
  char x[64], r[64];
  snprintf(x, sizeof x, "tensor<%sx%s>", operand, element);
  snprintf(r, sizeof r, *result ? "tensor<%sx%s>" : "tensor<%s%s>", result,
           element);
  kernelBatchBegin(batch, check);
  kernelBatchPut(batch,
                 "(%%a: %s, %%i: tensor<%s>) -> %s {\n"
                 "  %%r = xla.reduce(%%a, %%i) ({\n"
                 "  ^bb0(%%x: tensor<%s>, %%y: tensor<%s>):\n"
                 "    %%s = xla.%s %%x, %%y : tensor<%s>\n"
                 "    xla.return %%s : tensor<%s>\n"
                 "  }) {dimensions = array<i64: %s>} : (%s, tensor<%s>) -> %s\n"
                 "  return %%r : %s\n}",
                 x, element, r, element, element, combiner, element, element,
                 dimensions, x, element, r, r);
}

static const struct {
  const char *operand, *dimensions, *result;
} shapes[] = {
    {"3x64", "1", "3"},         // less than a load for each thread
    {"5x65", "1", "5"},         // rows that begin anywhere
    {"2x100", "1", "2"},        // loads of four
    {"40x264", "1", "40"},      // a rest for some threads
    {"3x1000", "1", "3"},       //
    {"17x1024", "1", "17"},     //
    {"6x10x48", "0, 2", "10"},  // two dimensions that do not merge
    {"4x20x30", "1, 2", "4"},   // two that do
    {"300x24", "0", "24"},      // columns
    {"70000", "0", ""},         // one row, in two steps
    {"99991", "0", ""},         // with a rest
    {"2x50000", "1", "2"},      //
    {"300x300", "0, 1", ""},    //
    {"40000x3", "0", "3"},      // long columns
    {"13x5000x4", "0, 1", "4"}, //
    {"16x16x160x3", "0, 2", "16x3"},
};
enum { nShapes = sizeof shapes / sizeof *shapes };

/// Small integers: sums are exact in any order.
static void everyShape(void **state) {
  static const char *const kinds[][2] = {{"add", "f32"}, {"maximum", "f32"},
                                         {"add", "i32"}, {"minimum", "i32"},
                                         {"add", "i64"}, {"maximum", "f64"}};
  KernelBatch batch = {0};
  for (int i = 0; i < nShapes; ++i)
    for (int k = 0; k < 3; ++k)
      putReduction(&batch, (KernelCheck){.fill = KernelFillSmall}, kinds[k][0],
                   kinds[k][1], shapes[i].operand, shapes[i].dimensions,
                   shapes[i].result);
  kernelBatchRun(&batch);
}

static void everyType(void **state) {
  KernelBatch batch = {0};
  static const char *const rows[][3] = {
      {"9x96", "1", "9"}, {"33000", "0", ""}, {"20x75", "1", "20"}};
  static const char *const combiners[] = {"and", "xor", "or"};
  for (int i = 0; kernelTypes[i] != XlaElementTypeInvalid; ++i)
    for (int k = 0; k < 3; ++k) {
      const XlaElementTypeInfo *info = xlaElementTypeGetInfo(kernelTypes[i]);
      const char *element = info->mlirName;
      // Sums of so many leave bf16 and f16.
      bool adds = info->bits >= 32;
      putReduction(&batch, (KernelCheck){.fill = KernelFillSmall},
                   adds ? "add" : "maximum", element, rows[k][0], rows[k][1],
                   rows[k][2]);
      if (!xlaElementTypeIsFloat(kernelTypes[i]))
        putReduction(&batch, (KernelCheck){.fill = KernelFillSpecial},
                     combiners[k], element, rows[k][0], rows[k][1], rows[k][2]);
    }
  kernelBatchRun(&batch);
}

/// NaNs, infinities and zeros of both signs, alone in their rows and together.
static void specials(void **state) {
  KernelBatch batch = {0};
  static const char *const elements[] = {"f32", "f64", "f16", "bf16"};
  for (int e = 0; e < 4; ++e)
    for (int c = 0; c < 2; ++c) {
      const char *combiner = c ? "minimum" : "maximum";
      KernelCheck check = {.fill = KernelFillSpecial};
      putReduction(&batch, check, combiner, elements[e], "40x32", "1", "40");
      putReduction(&batch, check, combiner, elements[e], "7x200", "1", "7");
      putReduction(&batch, check, combiner, elements[e], "70000", "0", "");
      // Random bits hold NaNs; some rows are without.
      putReduction(&batch, check, combiner, elements[e], "100x129", "1", "100");
    }
  kernelBatchRun(&batch);
}

#define REDUCE(result, op, value, init, from, to)                              \
  "  " result " = xla.reduce(" value ", " init ") ({\n"                        \
  "  ^bb0(%%p: tensor<f32>, %%q: tensor<f32>):\n"                              \
  "    %%s = xla." op " %%p, %%q : tensor<f32>\n"                              \
  "    xla.return %%s : tensor<f32>\n"                                         \
  "  }) {dimensions = array<i64: 1>} : (" from ", tensor<f32>) -> " to "\n"
#define BROADCAST(result, value, from, to)                                     \
  "  " result " = xla.broadcast_in_dim " value                                 \
  " {broadcast_dimensions = array<i64: 0>} : (" from ") -> " to "\n"

/// Softmax, whose intermediate values stay with their threads, in place.
static void softmax(void **state) {
  KernelBatch batch = {0};
  static const int rows[] = {3, 40, 2, 1}, columns[] = {1000, 256, 77, 40000};
  for (int i = 0; i < 4; ++i) {
    char x[40], r[40];
    snprintf(x, sizeof x, "tensor<%dx%dxf32>", rows[i], columns[i]);
    snprintf(r, sizeof r, "tensor<%dxf32>", rows[i]);
    kernelBatchBegin(&batch, (KernelCheck){KernelFillUnit, 0, false, 2e-6});
    kernelBatchPut(
        &batch,
        "(%%a: %s) -> %s {\n%%r = xla.fusion(%%a) ({\n^bb0(%%x: %s):\n"
        "  %%lowest = xla.constant dense<0xFF800000> : tensor<f32>\n"
        "  %%zero = xla.constant dense<0.0> : tensor<f32>\n" //
        REDUCE("%%m", "maximum", "%%x", "%%lowest", "%s", "%s")
            BROADCAST("%%mb", "%%m", "%s", "%s") //
        "  %%d = xla.subtract %%x, %%mb : %s\n"
        "  %%e = xla.exponential %%d : %s\n" //
        REDUCE("%%t", "add", "%%e", "%%zero", "%s", "%s")
            BROADCAST("%%tb", "%%t", "%s", "%s") //
        "  %%o = xla.divide %%e, %%tb : %s\n"
        "  xla.return %%o : %s\n}) {kind = \"row\"} : (%s) -> %s\n"
        "return %%r : %s\n}",
        x, x, x, x, r, r, x, x, x, x, r, r, x, x, x, x, x, x);
  }
  kernelBatchRun(&batch);
  assert_int_equal(batch.nAliased, 4);
}

/// A sum, the elements that it is made of, and two values of each row that are
/// results themselves; one program reads the elements of other rows too.
static void resultsBesideTheRow(void **state) {
  KernelBatch batch = {0};
  static const char *const reads[] = {"%x", "%back"};
  for (int i = 0; i < 2; ++i) {
    kernelBatchBegin(&batch, (KernelCheck){.fill = KernelFillSmall});
    kernelBatchPut(
        &batch,
        "(%%a: tensor<96x96xf32>) -> (tensor<96x96xf32>, tensor<96xf32>, "
        "tensor<96xf32>) {\n%%r:3 = xla.fusion(%%a) ({\n"
        "^bb0(%%x: tensor<96x96xf32>):\n"
        "  %%zero = xla.constant dense<0.0> : tensor<f32>\n"
        "  %%three = xla.constant dense<3.0> : tensor<96x96xf32>\n"
        "  %%y = xla.multiply %%x, %%three : tensor<96x96xf32>\n"
        "  %%back = xla.transpose %%y {permutation = array<i64: 1, 0>} : "
        "(tensor<96x96xf32>) -> tensor<96x96xf32>\n" //
        REDUCE("%%t", "add", "%%y", "%%zero", "tensor<96x96xf32>",
               "tensor<96xf32>") //
        "  %%half = xla.constant dense<0.5> : tensor<96xf32>\n"
        "  %%h = xla.multiply %%t, %%half : tensor<96xf32>\n" //
        BROADCAST("%%hb", "%%h", "tensor<96xf32>", "tensor<96x96xf32>"));
    kernelBatchPut(&batch, "  %%o = xla.add ");
    kernelBatchPut(&batch, "%s", reads[i]);
    kernelBatchPut(
        &batch,
        ", %%hb : tensor<96x96xf32>\n"
        "  xla.return %%o, %%t, %%h : tensor<96x96xf32>, tensor<96xf32>, "
        "tensor<96xf32>\n}) {kind = \"row\"} : (tensor<96x96xf32>) -> "
        "(tensor<96x96xf32>, tensor<96xf32>, tensor<96xf32>)\n"
        "return %%r#0, %%r#1, %%r#2 : tensor<96x96xf32>, tensor<96xf32>, "
        "tensor<96xf32>\n}");
  }
  kernelBatchRun(&batch);
}

/// Sizes around the number of elements of a load, of a workgroup and of a grid.
static void elementwise(void **state) {
  static const int sizes[] = {1, 7, 8, 9, 2047, 2048, 2049, 8195, 70001};
  static const char *const elements[] = {"f32", "bf16"};
  KernelBatch batch = {0};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i)
    for (int e = 0; e < 2; ++e) {
      char x[40];
      snprintf(x, sizeof x, "tensor<%dx%s>", sizes[i], elements[e]);
      kernelBatchBegin(&batch, (KernelCheck){.fill = KernelFillSmall});
      kernelBatchPut(&batch,
                     "(%%a: %s, %%b: %s) -> %s {\n"
                     "  %%r = xla.add %%a, %%b : %s\n  return %%r : %s\n}",
                     x, x, x, x, x);
    }
  kernelBatchRun(&batch);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(everyShape),
      cmocka_unit_test(everyType),
      cmocka_unit_test(specials),
      cmocka_unit_test(softmax),
      cmocka_unit_test(resultsBesideTheRow),
      cmocka_unit_test(elementwise),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
