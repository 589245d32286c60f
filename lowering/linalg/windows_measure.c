//===- windows_measure.c - Which rows windows reach -----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/linalg/windows_internal.h"
#include "xlac/passes/fuse/windows.h"

enum { maxBands = 24 };

bool xlaWindowsIsRead(const XlaWindows *w, intptr_t i) {
  return w->lower[i] <= w->upper[i];
}

/// Adds the rows that `part`, from row `from` to row `to`, reads; it is read
/// itself at rows from `lower` to `upper` on from the result's. `*cut` becomes
/// the row before which one has to be cut, or 0.
static MlirLogicalResult measure(XlaWindows *w, const XlaWindowsPart *part,
                                 int64_t from, int64_t to, int64_t lower,
                                 int64_t upper, int64_t *cut) {
  XlaKernel *kernel = w->steps->kernel;
  XlaSpace space;
  int64_t at = 0;
  for (intptr_t i = 0; i < kernel->nRows; ++i) {
    kernel->rows[i].isMeasured = w->keeps[i] && part->kept != &kernel->rows[i];
    kernel->rows[i].lower = INT64_MAX;
    kernel->rows[i].upper = INT64_MIN;
  }
  xlaSpaceInitBlocks(&space, mlirOperationGetContext(kernel->op), &part->shape,
                     from, 1, 1, to - from);
  MlirLogicalResult result =
      xlaWindowsVisit(w, part, &space, false, cut ? &at : NULL);
  if (cut)
    *cut = at ? from + at : 0;
  for (intptr_t i = 0; i < kernel->nRows; ++i) {
    const XlaKernelRows *rows = &kernel->rows[i];
    if (rows->lower > rows->upper)
      continue;
    if (lower + rows->lower < w->lower[i])
      w->lower[i] = lower + rows->lower;
    if (upper + rows->upper > w->upper[i])
      w->upper[i] = upper + rows->upper;
  }
  return result;
}

/// Whether the rows of value `i` are too many for `n` rows of results: those
/// around them, which other blocks compute as well, count.
static bool isTooLarge(const XlaWindows *w, intptr_t i, int64_t n) {
  enum { perRow = 4, few = 16 };
  XlaShape shape = xlaKernelShapeOf(w->steps->kernel->rows[i].value);
  int64_t around = w->upper[i] - w->lower[i], bytes;
  int64_t rows = around + (w->steps->kernel->rows[i].isUneven ? n : 1);
  return around > perRow * n + few ||
         __builtin_mul_overflow(2 * rows, xlaWindowRowBytes(&shape), &bytes) ||
         bytes > w->steps->kernel->device->windowBytes;
}

/// A row within the band at which all that reads across row `at` of value `i`
/// begins or ends, or 0.
static int64_t cutOf(const XlaWindows *w, intptr_t i, int64_t at, int64_t from,
                     int64_t to) {
  int64_t below = at - w->upper[i], above = at - w->lower[i];
  return below > from && below < to   ? below
         : above > from && above < to ? above
                                      : 0;
}

/// What a pass over a band found.
typedef struct Found {
  MlirLogicalResult result;
  int64_t cut; ///< the band is two, or 0
  bool again;  ///< less is kept than it assumed
} Found;

static Found measureKept(XlaWindows *w, intptr_t i, int64_t from, int64_t to) {
  XlaWindowsPart part = xlaWindowsKept(w, i);
  int64_t lower = w->lower[i], upper = w->upper[i], at = 0;
  Found found = {mlirLogicalResultSuccess(), 0, false};
  if (part.kept->isFar || isTooLarge(w, i, to - from)) {
    w->keeps[i] = false;
    found.again = true;
    return found;
  }
  found.result = measure(w, &part, from + lower, to + upper, lower, upper, &at);
  if (at)
    found.cut = cutOf(w, i, at, from, to);
  bool isMixed = at && (!found.cut || w->nBands >= maxBands);
  if (isMixed && mlirLogicalResultIsSuccess(found.result)) {
    found.cut = 0;
    found.result =
        measure(w, &part, from + lower, to + upper, lower, upper, NULL);
  }
  return found;
}

static Found measureOnce(XlaWindows *w, int64_t from, int64_t to) {
  XlaKernel *kernel = w->steps->kernel;
  XlaWindowsPart results = xlaWindowsResults(w);
  Found found = {mlirLogicalResultSuccess(), 0, false};
  for (intptr_t i = 0; i < kernel->nRows; ++i) {
    kernel->rows[i].isFar = kernel->rows[i].isUneven = false;
    kernel->rows[i].memory = (MlirValue){NULL};
    w->lower[i] = INT64_MAX;
    w->upper[i] = INT64_MIN;
  }
  found.result = measure(w, &results, from, to, 0, 0,
                         w->nBands < maxBands ? &found.cut : NULL);
  for (intptr_t i = kernel->nRows; i-- > 0;)
    if (mlirLogicalResultIsSuccess(found.result) && !found.cut &&
        !found.again && w->keeps[i] && xlaWindowsIsRead(w, i))
      found = measureKept(w, i, from, to);
  return found;
}

MlirLogicalResult xlaWindowsMeasure(XlaWindows *w, int64_t from, int64_t to,
                                    int64_t *cut) {
  XlaKernel *kernel = w->steps->kernel;
  for (intptr_t i = 0; i < kernel->nRows; ++i)
    w->keeps[i] = true;
  Found found;
  do
    found = measureOnce(w, from, to);
  while (found.again && mlirLogicalResultIsSuccess(found.result));
  for (intptr_t i = 0; i < kernel->nRows; ++i)
    kernel->rows[i].isMeasured = false;
  *cut = found.cut;
  return found.result;
}
