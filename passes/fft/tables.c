//===- tables.c - Stages of Fourier transforms, and their constants -------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/fft/fft.h"

#include "xlac/dialect/result_internal.h"

#include "mlir-c/BuiltinAttributes.h"

#include <stdlib.h>

/// Bytes of a table.
static const int64_t maxTable = INT64_C(1) << 30;

bool xlaFftFactor(int64_t n, XlaFftRadices *radices) {
  // By 8 numbers, with as many roots, a stage fills the registers of a CPU. The
  // last one, of up to 16, has no roots.
  static const int64_t order[] = {8, 10, 9,  7,  6,  5,  4,  3,
                                  2, 11, 13, 17, 19, 23, 29, 31};
  radices->n = 0;
  for (size_t i = 0; n > xlaFftMaxLast;) {
    while (i < sizeof order / sizeof *order && n % order[i])
      ++i;
    if (i == sizeof order / sizeof *order)
      return false;
    radices->all[radices->n++] = order[i];
    n /= order[i];
  }
  if (n > 1 || !radices->n)
    radices->all[radices->n++] = n;
  return true;
}

int64_t xlaFftHalve(const XlaFftRadices *radices) {
  int64_t first = 1, rest = 1;
  for (int i = 0; i < radices->n; ++i)
    rest *= radices->all[i];
  for (int i = 0; i < radices->n && first < rest; ++i) {
    first *= radices->all[i];
    rest /= radices->all[i];
  }
  return first;
}

MlirLogicalResult xlaFftCheckLength(const XlaFft *fft, int64_t n) {
  XlaFftRadices radices;
  int64_t bytes = 2 * xlaElementTypeGetInfo(fft->type)->bytes;
  int64_t most = maxTable / bytes;
  // Convolutions have about twice as many numbers.
  if (n <= most / 4 || (n <= most && xlaFftFactor(n, &radices)))
    return success();
  return xlaOpUnsupported(fft->op, NULL,
                          "transforms %lld numbers, which takes tables of more "
                          "than %lld bytes: not supported yet in compiled "
                          "programs",
                          (long long)n, (long long)maxTable);
}

XlaFourier *xlaFftNewNumbers(const XlaFft *fft, int64_t n) {
  XlaFourier *numbers = malloc((size_t)n * sizeof *numbers);
  if (!numbers)
    xlaOpNoMemory(fft->op);
  return numbers;
}

MlirValue xlaFftTable(const XlaFft *fft, int64_t rows, int64_t columns,
                      XlaFourier *numbers) {
  if (!numbers)
    return (MlirValue){NULL};
  XlaShape shape = {
      .elementType = fft->type, .rank = 3, .dims = {2, rows, columns}};
  MlirType type = xlaShapeToMlir(&shape, fft->ir->context);
  int64_t n = rows * columns;
  bool isWide = fft->type == XlaElementTypeF64;
  size_t bytes = 2 * (size_t)n * (isWide ? sizeof(double) : sizeof(float));
  void *data = malloc(bytes);
  for (int64_t i = 0; data && i < 2 * n; ++i) {
    double number = i < n ? numbers[i].re : numbers[i - n].im;
    if (isWide)
      ((double *)data)[i] = number;
    else
      ((float *)data)[i] = (float)number;
  }
  free(numbers);
  if (!data) {
    xlaOpNoMemory(fft->op);
    return (MlirValue){NULL};
  }
  MlirAttribute value = mlirDenseElementsAttrRawBufferGet(type, bytes, data);
  free(data);
  return xlaIrOp(fft->ir, "xla.constant", type, 0, NULL, 1,
                 &(XlaIrAttr){"value", value});
}

MlirValue xlaFftRoots(const XlaFft *fft, int64_t rows, int64_t columns,
                      int64_t n) {
  XlaFourier *roots = xlaFftNewNumbers(fft, rows * columns);
  for (int64_t k = 0; roots && k < rows; ++k)
    for (int64_t p = 0; p < columns; ++p)
      roots[k * columns + p] = xlaFourierRoot(k * p % n, n);
  return xlaFftTable(fft, rows, columns, roots);
}
