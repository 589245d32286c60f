//===- stage.c - A stage of a Fourier transform ---------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/fft/fft.h"

/// A stage under construction. Its kernel's arrays are
/// [outer, rest, radix of the last stage, done before, width, others], where
/// the lines' n is rest times the radix, and their inner the last three.
typedef struct Stage {
  XlaIr *ir; ///< in the kernel
  int64_t radix;
  bool isInverse, toPlanes;
  int64_t dims[6];
} Stage;

/// Plane `part` of table [2, radix, ..], at `j` of the radix, where what is
/// left counts `dimensions` of the stage.
static MlirValue tablePart(const Stage *stage, MlirValue table, int part,
                           int64_t j, int n, const int64_t *dimensions) {
  int64_t dims[6];
  MlirValue row =
      xlaFftAt(stage->ir, xlaFftAt(stage->ir, table, 0, part), 0, j);
  for (int i = 0; i < n; ++i)
    dims[i] = stage->dims[dimensions[i]];
  return xlaArrayBroadcast(stage->ir, xlaArrayReshape(stage->ir, row, n, dims),
                           6, stage->dims, dimensions);
}

/// Each number, from the `first` on, times that of a table.
static void scaleBy(const Stage *stage, int64_t first, MlirValue table, int n,
                    const int64_t *dimensions, XlaComplex *x) {
  XlaShape shape = xlaArrayShape(table);
  int64_t columns = shape.dims[1] * shape.dims[2] / stage->radix;
  table = xlaArrayReshape(stage->ir, table, 3,
                          (int64_t[3]){2, stage->radix, columns});
  for (int64_t j = first; j < stage->radix; ++j) {
    XlaComplex factor = {tablePart(stage, table, 0, j, n, dimensions),
                         tablePart(stage, table, 1, j, n, dimensions)};
    x[j] = xlaFftMultiply(stage->ir, x[j], factor);
  }
}

/// The inverse transform is that of numbers with their parts exchanged, but for
/// its scale: their planes are taken, and given, in the other order.
static void readPlanes(const Stage *stage, const MlirValue arrays[2],
                       XlaComplex *x) {
  for (int64_t j = 0; j < stage->radix; ++j) {
    MlirValue planes[2];
    for (int part = 0; part < 2; ++part) {
      MlirValue array = arrays[part].ptr ? arrays[part] : arrays[0];
      planes[part] = xlaFftAt(stage->ir, array, 1, j);
      if (!arrays[1].ptr)
        planes[part] = xlaFftAt(stage->ir, planes[part], 3, part);
    }
    x[j] = (XlaComplex){planes[stage->isInverse], planes[!stage->isInverse]};
  }
}

/// [outer, radix, rest, last radix, 2, done, width, others] of both planes, or
/// without the 2 of each.
static void operandsOf(const Stage *stage, XlaIr *ir, const XlaFftLines *lines,
                       MlirValue operands[2]) {
  const int64_t *d = stage->dims;
  int64_t both[8] = {d[0], stage->radix, d[1], d[2], 2, d[3], d[4], d[5]},
          each[7] = {d[0], stage->radix, d[1], d[2], d[3], d[4], d[5]};
  operands[0] = lines->array.ptr
                    ? xlaArrayReshape(ir, lines->array, 8, both)
                    : xlaArrayReshape(ir, lines->parts.re, 7, each);
  operands[1] = lines->array.ptr
                    ? (MlirValue){NULL}
                    : xlaArrayReshape(ir, lines->parts.im, 7, each);
}

static MlirValue joinPlanes(const Stage *stage, const XlaComplex *x,
                            double scale) {
  const int64_t *d = stage->dims;
  int64_t dims[7] = {d[0], d[1], 1, d[2], d[3], d[4], d[5]};
  MlirValue pieces[2 * xlaFftMaxRadix];
  for (int64_t k = 0; k < stage->radix; ++k)
    for (int part = 0; part < 2; ++part) {
      MlirValue plane = part == stage->isInverse ? x[k].re : x[k].im;
      pieces[stage->toPlanes ? part * stage->radix + k : 2 * k + part] =
          xlaArrayReshape(stage->ir, xlaFftScale(stage->ir, plane, scale), 7,
                          dims);
    }
  return xlaArrayConcatenate(stage->ir, 2 * stage->radix, pieces, 2);
}

bool xlaFftStage(const XlaFft *fft, XlaFftLines *lines, int64_t radix,
                 const XlaFftFactors *factors) {
  int64_t rest = lines->n / radix, width = factors->width;
  MlirValue table = factors->after.ptr ? factors->after : factors->before;
  int64_t done = 1; // numbers of a line that are transformed already
  if (table.ptr) {
    XlaShape shape = xlaArrayShape(table);
    done = shape.dims[1] * shape.dims[2] / width / lines->n / lines->radix;
  }
  Stage stage = {.radix = radix,
                 .isInverse = fft->isInverse,
                 .toPlanes = fft->toPlanes && rest == 1,
                 .dims = {lines->outer, rest, lines->radix, done, width,
                          lines->inner / done / width}};
  MlirValue roots = {NULL}, array;
  if (rest > 1 && !(roots = xlaFftRoots(fft, radix, rest, lines->n)).ptr)
    return false;
  MlirValue operands[5] = {
      {NULL}, {NULL}, factors->before, roots, factors->after};
  operandsOf(&stage, fft->ir, lines, operands);
  XlaFftKernel kernel;
  XlaComplex x[xlaFftMaxRadix];
  xlaFftKernelBegin(&kernel, fft->ir, 5, operands);
  stage.ir = &kernel.body;
  readPlanes(&stage, kernel.arguments, x);
  if (factors->before.ptr)
    scaleBy(&stage, 0, kernel.arguments[2], 2, (int64_t[2]){1, 4}, x);
  xlaFftButterfly(stage.ir, radix, x);
  if (roots.ptr) // the first ones are 1
    scaleBy(&stage, 1, kernel.arguments[3], 1, (int64_t[1]){1}, x);
  if (factors->after.ptr)
    scaleBy(&stage, 0, kernel.arguments[4], 3, (int64_t[3]){2, 3, 4}, x);
  array = joinPlanes(&stage, x, factors->scale);
  xlaFftKernelEnd(&kernel, 1, &array, &array);
  int64_t outer = lines->outer, inner = lines->radix * lines->inner;
  int64_t between[5] = {outer, rest, radix, 2, inner},
          planes[4] = {outer, 2, radix, inner};
  *lines = (XlaFftLines){
      .array = stage.toPlanes ? xlaArrayReshape(fft->ir, array, 4, planes)
                              : xlaArrayReshape(fft->ir, array, 5, between),
      .outer = outer,
      .n = rest,
      .radix = radix,
      .inner = inner};
  return true;
}
