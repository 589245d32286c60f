//===- fusion_test.c - Kernels of fusions ---------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/test/lowering/kernels/fixture.h"
#include "xlac/test/support/unit.h"

#include <stdio.h>

/// Adds or takes the maximum over `dims` of a value of type `from`.
#define REDUCE(result, op, value, init, dims, from, element, to)               \
  "  " result " = xla.reduce(" value ", " init ") ({\n"                        \
  "  ^bb0(%%p: tensor<" element ">, %%q: tensor<" element ">):\n"              \
  "    %%s = xla." op " %%p, %%q : tensor<" element ">\n"                      \
  "    xla.return %%s : tensor<" element ">\n"                                 \
  "  }) {dimensions = array<i64: " dims ">} : (" from ", tensor<" element      \
  ">) -> " to "\n"

#define BROADCAST(result, value, dims, from, to)                               \
  "  " result " = xla.broadcast_in_dim " value                                 \
  " {broadcast_dimensions = array<i64: " dims ">} : (" from ") -> " to "\n"

static void softmax(void **state) {
  KernelBatch batch = {0};
  static const int rows[] = {1, 5, 64, 3, 1}, columns[] = {7, 33, 100, 1, 1};
  for (int i = 0; i < 5; ++i) {
    char x[40], r[40];
    snprintf(x, sizeof x, "tensor<%dx%dxf32>", rows[i], columns[i]);
    snprintf(r, sizeof r, "tensor<%dxf32>", rows[i]);
    kernelBatchBegin(&batch, (KernelCheck){KernelFillUnit, 8, false, 1e-7});
    kernelBatchPut(
        &batch,
        "(%%a: %s) -> %s {\n%%r = xla.fusion(%%a) ({\n^bb0(%%x: %s):\n"
        "  %%lowest = xla.constant dense<0xFF800000> : tensor<f32>\n"
        "  %%zero = xla.constant dense<0.0> : tensor<f32>\n" //
        REDUCE("%%m", "maximum", "%%x", "%%lowest", "1", "%s", "f32", "%s")
            BROADCAST("%%mb", "%%m", "0", "%s", "%s") //
        "  %%d = xla.subtract %%x, %%mb : %s\n"
        "  %%e = xla.exponential %%d : %s\n" //
        REDUCE("%%t", "add", "%%e", "%%zero", "1", "%s", "f32", "%s")
            BROADCAST("%%tb", "%%t", "0", "%s", "%s") //
        "  %%o = xla.divide %%e, %%tb : %s\n"
        "  xla.return %%o : %s\n}) {kind = \"row\"} : (%s) -> %s\n"
        "return %%r : %s\n}",
        x, x, x, x, r, r, x, x, x, x, r, r, x, x, x, x, x, x);
  }
  kernelBatchRun(&batch);
  assert_int_equal(batch.nAliased, 5); // softmax runs in place
}

/// Mean, variance and normalization, with the mean and the scale as results.
static void layerNorm(void **state) {
  KernelBatch batch = {0};
  kernelBatchBegin(&batch, (KernelCheck){KernelFillUnit, 0, false, 1e-5});
  kernelBatchPut(
      &batch,
      "(%%a: tensor<6x4x50xf32>, %%b: tensor<50xf32>) -> (tensor<6x4x50xf32>, "
      "tensor<6x4xf32>, tensor<6x4xf32>) {\n"
      "%%r:3 = xla.fusion(%%a, %%b) ({\n"
      "^bb0(%%x: tensor<6x4x50xf32>, %%g: tensor<50xf32>):\n"
      "  %%zero = xla.constant dense<0.0> : tensor<f32>\n"
      "  %%n = xla.constant dense<0.02> : tensor<6x4xf32>\n"
      "  %%eps = xla.constant dense<1.0e-5> : tensor<6x4xf32>\n" //
      REDUCE("%%t", "add", "%%x", "%%zero", "2", "tensor<6x4x50xf32>", "f32",
             "tensor<6x4xf32>")                              //
      "  %%mean = xla.multiply %%t, %%n : tensor<6x4xf32>\n" //
      BROADCAST("%%mb", "%%mean", "0, 1", "tensor<6x4xf32>",
                "tensor<6x4x50xf32>") //
      "  %%d = xla.subtract %%x, %%mb : tensor<6x4x50xf32>\n"
      "  %%dd = xla.multiply %%d, %%d : tensor<6x4x50xf32>\n" //
      REDUCE("%%v", "add", "%%dd", "%%zero", "2", "tensor<6x4x50xf32>", "f32",
             "tensor<6x4xf32>") //
      "  %%w = xla.multiply %%v, %%n : tensor<6x4xf32>\n"
      "  %%we = xla.add %%w, %%eps : tensor<6x4xf32>\n"
      "  %%scale = xla.rsqrt %%we : tensor<6x4xf32>\n" //
      BROADCAST("%%sb", "%%scale", "0, 1", "tensor<6x4xf32>",
                "tensor<6x4x50xf32>")                                       //
      "  %%ds = xla.multiply %%d, %%sb : tensor<6x4x50xf32>\n"              //
      BROADCAST("%%gb", "%%g", "2", "tensor<50xf32>", "tensor<6x4x50xf32>") //
      "  %%o = xla.multiply %%ds, %%gb : tensor<6x4x50xf32>\n"
      "  xla.return %%o, %%mean, %%scale : tensor<6x4x50xf32>, "
      "tensor<6x4xf32>, tensor<6x4xf32>\n"
      "}) {kind = \"row\"} : (tensor<6x4x50xf32>, tensor<50xf32>) -> "
      "(tensor<6x4x50xf32>, tensor<6x4xf32>, tensor<6x4xf32>)\n"
      "return %%r#0, %%r#1, %%r#2 : tensor<6x4x50xf32>, tensor<6x4xf32>, "
      "tensor<6x4xf32>\n}");
  kernelBatchRun(&batch);
}

/// Results of several shapes, one twice, an operand passed through, and values
/// that nobody uses.
static void manyResults(void **state) {
  KernelBatch batch = {0};
  kernelBatchBegin(&batch, (KernelCheck){.fill = KernelFillSpecial});
  kernelBatchPut(
      &batch,
      "(%%a: tensor<9x20xf32>, %%b: tensor<20xi32>) -> (tensor<9x20xf32>, "
      "tensor<20x9xf32>, tensor<9x20xi32>, tensor<9x20xf32>, tensor<20xi32>, "
      "tensor<9x20xi32>) {\n"
      "%%r:6 = xla.fusion(%%a, %%b) ({\n"
      "^bb0(%%x: tensor<9x20xf32>, %%y: tensor<20xi32>):\n"
      "  %%dead = xla.exponential %%x : tensor<9x20xf32>\n"
      "  %%h = xla.sqrt %%x : tensor<9x20xf32>\n"
      "  %%n = xla.negate %%h : tensor<9x20xf32>\n"
      "  %%t = xla.transpose %%n {permutation = array<i64: 1, 0>} : "
      "(tensor<9x20xf32>) -> tensor<20x9xf32>\n"
      "  %%i = xla.iota {iota_dimension = 1 : i64} : () -> "
      "tensor<9x20xi32>\n"                                                //
      BROADCAST("%%yb", "%%y", "1", "tensor<20xi32>", "tensor<9x20xi32>") //
      "  %%k = xla.add %%i, %%yb : tensor<9x20xi32>\n"
      "  xla.return %%n, %%t, %%k, %%h, %%y, %%k : tensor<9x20xf32>, "
      "tensor<20x9xf32>, tensor<9x20xi32>, tensor<9x20xf32>, tensor<20xi32>, "
      "tensor<9x20xi32>\n"
      "}) {kind = \"loop\"} : (tensor<9x20xf32>, tensor<20xi32>) -> "
      "(tensor<9x20xf32>, tensor<20x9xf32>, tensor<9x20xi32>, "
      "tensor<9x20xf32>, tensor<20xi32>, tensor<9x20xi32>)\n"
      "return %%r#0, %%r#1, %%r#2, %%r#3, %%r#4, %%r#5 : tensor<9x20xf32>, "
      "tensor<20x9xf32>, tensor<9x20xi32>, tensor<9x20xf32>, tensor<20xi32>, "
      "tensor<9x20xi32>\n}");
  kernelBatchRun(&batch);
}

/// Reshapes between operations, slices of computed values, constants with
/// different elements.
static void reshapesAndSlices(void **state) {
  KernelBatch batch = {0};
  kernelBatchBegin(&batch, (KernelCheck){.fill = KernelFillSpecial});
  kernelBatchPut(
      &batch,
      "(%%a: tensor<12x10xf32>, %%b: tensor<1x5x2xf32>) -> tensor<2x5x6xf32> {"
      "\n%%r = xla.fusion(%%a, %%b) ({\n"
      "^bb0(%%x: tensor<12x10xf32>, %%y: tensor<1x5x2xf32>):\n"
      "  %%h = xla.negate %%x : tensor<12x10xf32>\n"
      "  %%s = xla.slice %%h {start_indices = array<i64: 1, 0>, limit_indices "
      "= array<i64: 12, 10>, strides = array<i64: 2, 1>} : "
      "(tensor<12x10xf32>) -> tensor<6x10xf32>\n"
      "  %%v = xla.reshape %%s : (tensor<6x10xf32>) -> tensor<6x5x2x1xf32>\n"
      "  %%t = xla.transpose %%v {permutation = array<i64: 2, 3, 1, 0>} : "
      "(tensor<6x5x2x1xf32>) -> tensor<2x1x5x6xf32>\n"
      "  %%w = xla.reshape %%t : (tensor<2x1x5x6xf32>) -> tensor<10x6xf32>\n"
      "  %%c = xla.constant dense<[1.0, -2.0, 3.5, 0.0, -0.0, 8.0]> : "
      "tensor<6xf32>\n"                                                  //
      BROADCAST("%%cb", "%%c", "1", "tensor<6xf32>", "tensor<10x6xf32>") //
      "  %%m = xla.add %%w, %%cb : tensor<10x6xf32>\n"
      "  %%o = xla.reshape %%m : (tensor<10x6xf32>) -> tensor<2x5x6xf32>\n"
      "  %%yr = xla.reshape %%y : (tensor<1x5x2xf32>) -> tensor<2x5xf32>\n" //
      BROADCAST("%%yb", "%%yr", "0, 1", "tensor<2x5xf32>",
                "tensor<2x5x6xf32>") //
      "  %%z = xla.maximum %%o, %%yb : tensor<2x5x6xf32>\n"
      "  xla.return %%z : tensor<2x5x6xf32>\n"
      "}) {kind = \"loop\"} : (tensor<12x10xf32>, tensor<1x5x2xf32>) -> "
      "tensor<2x5x6xf32>\n"
      "return %%r : tensor<2x5x6xf32>\n}");
  kernelBatchRun(&batch);
}

/// Rows and columns summed at once, a combiner that uses another reduction, a
/// constant of preds, and nothing to sum.
static void reductionsOfSeveralShapes(void **state) {
  KernelBatch batch = {0};
  static const int sizes[] = {30, 1, 0};
  for (int i = 0; i < 3; ++i) {
    char x[40], r[40];
    snprintf(x, sizeof x, "tensor<%dx8xf32>", sizes[i]);
    snprintf(r, sizeof r, "tensor<%dxf32>", sizes[i]);
    kernelBatchBegin(&batch, (KernelCheck){.fill = KernelFillSmall});
    kernelBatchPut(
        &batch,
        "(%%a: %s, %%i: tensor<f32>) -> (%s, tensor<8xf32>, tensor<f32>) {\n"
        "%%r:3 = xla.fusion(%%a, %%i) ({\n^bb0(%%x: %s, %%z: tensor<f32>):\n"
        "  %%mask = xla.constant dense<[true, false, true, true, false, false, "
        "true, true]> : tensor<8xi1>\n"
        "  %%h = xla.constant dense<0.5> : tensor<f32>\n"
        "  %%zh = xla.multiply %%z, %%h : tensor<f32>\n"
        "  %%f = xla.convert %%mask : (tensor<8xi1>) -> tensor<8xf32>\n" //
        BROADCAST("%%fb", "%%f", "1", "tensor<8xf32>", "%s")             //
        "  %%y = xla.multiply %%x, %%fb : %s\n"                          //
        REDUCE("%%rows", "add", "%%y", "%%zh", "1", "%s", "f32", "%s")
            REDUCE("%%columns", "maximum", "%%y", "%%zh", "0", "%s", "f32",
                   "tensor<8xf32>") //
        "  %%all = xla.reduce(%%columns, %%zh) ({\n"
        "  ^bb0(%%u: tensor<f32>, %%v: tensor<f32>):\n"
        "    %%s = xla.add %%u, %%v : tensor<f32>\n"
        "    %%t = xla.subtract %%s, %%zh : tensor<f32>\n"
        "    xla.return %%t : tensor<f32>\n"
        "  }) {dimensions = array<i64: 0>} : (tensor<8xf32>, tensor<f32>) -> "
        "tensor<f32>\n"
        "  xla.return %%rows, %%columns, %%all : %s, tensor<8xf32>, "
        "tensor<f32>\n"
        "}) {kind = \"row\"} : (%s, tensor<f32>) -> (%s, tensor<8xf32>, "
        "tensor<f32>)\n"
        "return %%r#0, %%r#1, %%r#2 : %s, tensor<8xf32>, tensor<f32>\n}",
        x, r, x, x, x, x, r, x, r, x, r, r);
  }
  kernelBatchRun(&batch);
}

/// x + x^T must not run in place; x + y may, into either.
static void aliasing(void **state) {
  KernelBatch batch = {0};
  kernelBatchBegin(&batch, (KernelCheck){.fill = KernelFillSpecial});
  kernelBatchPut(&batch,
                 "(%%a: tensor<8x8xf32>) -> tensor<8x8xf32> {\n"
                 "%%r = xla.fusion(%%a) ({\n^bb0(%%x: tensor<8x8xf32>):\n"
                 "  %%t = xla.transpose %%x {permutation = array<i64: 1, 0>} : "
                 "(tensor<8x8xf32>) -> tensor<8x8xf32>\n"
                 "  %%s = xla.add %%x, %%t : tensor<8x8xf32>\n"
                 "  xla.return %%s : tensor<8x8xf32>\n"
                 "}) {kind = \"loop\"} : (tensor<8x8xf32>) -> tensor<8x8xf32>\n"
                 "return %%r : tensor<8x8xf32>\n}");
  kernelBatchRun(&batch);
  assert_int_equal(batch.nAliased, 0);
  kernelBatchBegin(&batch, (KernelCheck){.fill = KernelFillSpecial});
  kernelBatchPut(&batch,
                 "(%%a: tensor<8x8xf32>, %%b: tensor<8x8xi32>) -> "
                 "tensor<8x8xf32> {\n"
                 "%%r = xla.fusion(%%a, %%b) ({\n^bb0(%%x: tensor<8x8xf32>, "
                 "%%y: tensor<8x8xi32>):\n"
                 "  %%t = xla.convert %%y : (tensor<8x8xi32>) -> "
                 "tensor<8x8xf32>\n"
                 "  %%s = xla.add %%x, %%t : tensor<8x8xf32>\n"
                 "  xla.return %%s : tensor<8x8xf32>\n"
                 "}) {kind = \"loop\"} : (tensor<8x8xf32>, tensor<8x8xi32>) "
                 "-> tensor<8x8xf32>\n"
                 "return %%r : tensor<8x8xf32>\n}");
  kernelBatchRun(&batch);
  assert_int_equal(batch.nAliased, 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(softmax),
      cmocka_unit_test(layerNorm),
      cmocka_unit_test(manyResults),
      cmocka_unit_test(reshapesAndSlices),
      cmocka_unit_test(reductionsOfSeveralShapes),
      cmocka_unit_test(aliasing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
