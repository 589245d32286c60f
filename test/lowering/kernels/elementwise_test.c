//===- elementwise_test.c - Elementwise kernels and conversions -----------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every operation of the family on every element type that it takes: all values
// of 16-bit types, all pairs of special values and random bits of the others.
//
//===----------------------------------------------------------------------===//

#include "xlac/test/lowering/kernels/fixture.h"
#include "xlac/test/support/unit.h"

#include <string.h>

static const char *mlirName(XlaElementType type) {
  return xlaElementTypeGetInfo(type)->mlirName;
}

/// Operations that are not exact, and how far f32 may be off. Others are as
/// the evaluator has them.
static double ulpsOf(XlaOpKind kind, XlaElementType type) {
  static const double f32[XlaOpKindCount] = {
      [XlaOpKindAcos] = 1,        [XlaOpKindAsin] = 1,
      [XlaOpKindAtan2] = 2,       [XlaOpKindCbrt] = 1,
      [XlaOpKindCosine] = 2,      [XlaOpKindErf] = 2,
      [XlaOpKindExponential] = 1, [XlaOpKindExponentialMinusOne] = 2,
      [XlaOpKindLog] = 1,         [XlaOpKindLogPlusOne] = 1,
      [XlaOpKindLogistic] = 3,    [XlaOpKindPower] = 1,
      [XlaOpKindRsqrt] = 1,       [XlaOpKindSine] = 2,
      [XlaOpKindTan] = 4,         [XlaOpKindTanh] = 2,
  };
  if (!xlaElementTypeIsFloat(type))
    return 0;
  // The evaluator's of f64 is the C library's, which is off itself: cbrt by up
  // to 2.5.
  if (type == XlaElementTypeF64 && f32[kind] > 0)
    return kind == XlaOpKindCbrt ? 3 : f32[kind] + 1;
  // In 16-bit types the error shows only next to ties.
  return xlaElementTypeGetInfo(type)->bits == 16 && f32[kind] > 1 ? 1
                                                                  : f32[kind];
}

/// Formulas are written as other operations before.
static bool isElementwise(XlaOpKind kind) {
  const XlaOpInfo *info = xlaOpGetInfo(kind);
  return info->family == XlaFamilyElementwise &&
         info->devices != XlaOpDevicesFormula;
}

static bool takes(XlaOpKind kind, XlaElementType type) {
  return xlaOpGetInfo(kind)->typeClasses &
         xlaElementTypeGetInfo(type)->typeClass;
}

static void unary(void **state) {
  for (int t = 0; kernelTypes[t]; ++t) {
    KernelBatch batch = {0};
    XlaElementType type = kernelTypes[t];
    bool all = xlaElementTypeGetInfo(type)->bits == 16;
    const char *name = mlirName(type);
    for (XlaOpKind kind = 1; kind < XlaOpKindCount; ++kind) {
      if (!isElementwise(kind) || xlaOpGetInfo(kind)->maxOperands != 1 ||
          kind == XlaOpKindConvert || kind == XlaOpKindReducePrecision ||
          !takes(kind, type))
        continue;
      kernelBatchBegin(&batch,
                       (KernelCheck){all ? KernelFillAll : KernelFillSpecial,
                                     ulpsOf(kind, type), false, 0});
      int n = all ? 65536 : 3001;
      const char *result = kind == XlaOpKindIsFinite ? "i1" : name;
      kernelBatchPut(&batch,
                     "(%%a: tensor<%dx%s>) -> tensor<%dx%s> {\n"
                     "  %%r = xla.%s %%a : (tensor<%dx%s>) -> tensor<%dx%s>\n"
                     "  return %%r : tensor<%dx%s>\n}",
                     n, name, n, result, xlaOpGetInfo(kind)->name, n, name, n,
                     result, n, result);
    }
    kernelBatchRun(&batch);
  }
}

static void binary(void **state) {
  for (int t = 0; kernelTypes[t]; ++t) {
    KernelBatch batch = {0};
    XlaElementType type = kernelTypes[t];
    const char *name = mlirName(type);
    for (XlaOpKind kind = 1; kind < XlaOpKindCount; ++kind) {
      if (!isElementwise(kind) || xlaOpGetInfo(kind)->maxOperands != 2 ||
          kind == XlaOpKindCompare || kind == XlaOpKindComplex ||
          !takes(kind, type))
        continue;
      kernelBatchBegin(&batch, (KernelCheck){KernelFillSpecial,
                                             ulpsOf(kind, type), false, 0});
      kernelBatchPut(&batch,
                     "(%%a: tensor<3001x%s>, %%b: tensor<3001x%s>) -> "
                     "tensor<3001x%s> {\n"
                     "  %%r = xla.%s %%a, %%b : tensor<3001x%s>\n"
                     "  return %%r : tensor<3001x%s>\n}",
                     name, name, name, xlaOpGetInfo(kind)->name, name, name);
    }
    kernelBatchRun(&batch);
  }
}

static void compare(void **state) {
  static const char *const directions[] = {"EQ", "NE", "GE", "GT", "LE", "LT"};
  KernelBatch batch = {0};
  for (int t = 0; kernelTypes[t]; ++t)
    for (int d = 0; d < 6; ++d)
      for (int total = 0; total < 2; ++total) {
        const char *name = mlirName(kernelTypes[t]);
        if (total && !xlaElementTypeIsFloat(kernelTypes[t]))
          continue;
        kernelBatchBegin(&batch, (KernelCheck){.fill = KernelFillSpecial});
        kernelBatchPut(&batch,
                       "(%%a: tensor<2003x%s>, %%b: tensor<2003x%s>) -> "
                       "tensor<2003xi1> {\n"
                       "  %%r = xla.compare %%a, %%b {comparison_direction = "
                       "\"%s\"%s} : (tensor<2003x%s>, tensor<2003x%s>) -> "
                       "tensor<2003xi1>\n"
                       "  return %%r : tensor<2003xi1>\n}",
                       name, name, directions[d],
                       total ? ", compare_type = \"TOTALORDER\"" : "", name,
                       name);
      }
  kernelBatchRun(&batch);
}

static void ternary(void **state) {
  KernelBatch batch = {0};
  for (int t = 0; kernelTypes[t]; ++t) {
    const char *name = mlirName(kernelTypes[t]);
    for (int scalar = 0; scalar < 2; ++scalar) {
      const char *dims = scalar ? "" : "1999x";
      kernelBatchBegin(&batch, (KernelCheck){.fill = KernelFillSpecial});
      kernelBatchPut(&batch,
                     "(%%a: tensor<%s%s>, %%b: tensor<1999x%s>, %%c: "
                     "tensor<%s%s>) -> tensor<1999x%s> {\n"
                     "  %%r = xla.clamp %%a, %%b, %%c : (tensor<%s%s>, "
                     "tensor<1999x%s>, tensor<%s%s>) -> tensor<1999x%s>\n"
                     "  return %%r : tensor<1999x%s>\n}",
                     dims, name, name, dims, name, name, dims, name, name, dims,
                     name, name, name);
      kernelBatchBegin(&batch,
                       (KernelCheck){.fill = KernelFillSpecial, .bits = true});
      kernelBatchPut(&batch,
                     "(%%p: tensor<%si1>, %%a: tensor<1999x%s>, %%b: "
                     "tensor<1999x%s>) -> tensor<1999x%s> {\n"
                     "  %%r = xla.select %%p, %%a, %%b : (tensor<%si1>, "
                     "tensor<1999x%s>, tensor<1999x%s>) -> tensor<1999x%s>\n"
                     "  return %%r : tensor<1999x%s>\n}",
                     dims, name, name, name, dims, name, name, name, name);
    }
  }
  kernelBatchRun(&batch);
}

static void convert(void **state) {
  KernelBatch batch = {0};
  for (int f = 0; kernelTypes[f]; ++f)
    for (int t = 0; kernelTypes[t]; ++t)
      for (int cast = 0; cast < 2; ++cast) {
        const char *from = mlirName(kernelTypes[f]);
        const char *to = mlirName(kernelTypes[t]);
        int bits = xlaElementTypeGetInfo(kernelTypes[f])->bits;
        int n = bits == 16 ? 65536 : 5003;
        if (cast && bits != xlaElementTypeGetInfo(kernelTypes[t])->bits)
          continue;
        kernelBatchBegin(&batch,
                         (KernelCheck){.fill = bits == 16 ? KernelFillAll
                                                          : KernelFillSpecial,
                                       .bits = cast});
        kernelBatchPut(&batch,
                       "(%%a: tensor<%dx%s>) -> tensor<%dx%s> {\n"
                       "  %%r = xla.%s %%a : (tensor<%dx%s>) -> "
                       "tensor<%dx%s>\n"
                       "  return %%r : tensor<%dx%s>\n}",
                       n, from, n, to, cast ? "bitcast_convert" : "convert", n,
                       from, n, to, n, to);
      }
  kernelBatchRun(&batch);
}

static void reducePrecision(void **state) {
  static const int formats[][2] = {{5, 10}, {8, 7},  {4, 3},   {5, 2},
                                   {2, 1},  {8, 23}, {11, 52}, {8, 10},
                                   {3, 1},  {11, 20}};
  KernelBatch batch = {0};
  for (int t = 0; kernelTypes[t]; ++t)
    for (size_t i = 0; i < sizeof formats / sizeof *formats; ++i) {
      const char *name = mlirName(kernelTypes[t]);
      if (!xlaElementTypeIsFloat(kernelTypes[t]))
        continue;
      bool all = xlaElementTypeGetInfo(kernelTypes[t])->bits == 16;
      int n = all ? 65536 : 5003;
      kernelBatchBegin(&batch,
                       (KernelCheck){
                           .fill = all ? KernelFillAll : KernelFillSpecial,
                       });
      kernelBatchPut(&batch,
                     "(%%a: tensor<%dx%s>) -> tensor<%dx%s> {\n"
                     "  %%r = xla.reduce_precision %%a {exponent_bits = %d : "
                     "i64, mantissa_bits = %d : i64} : tensor<%dx%s>\n"
                     "  return %%r : tensor<%dx%s>\n}",
                     n, name, n, name, formats[i][0], formats[i][1], n, name, n,
                     name);
    }
  kernelBatchRun(&batch);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(unary),   cmocka_unit_test(binary),
      cmocka_unit_test(compare), cmocka_unit_test(ternary),
      cmocka_unit_test(convert), cmocka_unit_test(reducePrecision),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
