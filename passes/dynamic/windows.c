//===- windows.c - Windows over arrays with sizes -------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/dynamic/bounded_internal.h"

#include "xlac/dialect/ops/select_and_scatter.h"
#include "xlac/dialect/ops/window.h"
#include "xlac/dialect/result_internal.h"
#include "xlac/passes/expand/reduce_window.h"
#include "xlac/passes/expand/rng.h"
#include "xlac/passes/expand/select_and_scatter.h"

#include <stdlib.h>
#include <string.h>

bool xlaBoundedCountWindows(XlaIr *ir, const XlaWindow *w, int d,
                            MlirValue size, MlirValue windowSize,
                            MlirValue *count) {
  const int64_t most = INT32_MAX / 4;
  int64_t taken = (w->sizes[d] - 1) * w->windowDilations[d] + 1;
  int64_t bound = (w->base[d] + 1) * w->baseDilations[d];
  if (bound > most || taken > most || w->low[d] > most || w->high[d] > most ||
      w->low[d] < -most || w->high[d] < -most || w->strides[d] > most)
    return false;
  MlirValue one = xlaBoundedNumber(ir, 1), none = xlaBoundedNumber(ir, 0);
  MlirValue spread = size;
  if (w->baseDilations[d] > 1) {
    MlirValue dilation = xlaBoundedNumber(ir, w->baseDilations[d]);
    spread =
        xlaIrBinary(ir, "xla.multiply", xlaBoundedAdd(ir, size, -1), dilation);
    spread = xlaIrBinary(ir, "xla.maximum", xlaBoundedAdd(ir, spread, 1), none);
  }
  // Windows begin from 0 to what is left of the padded size.
  MlirValue left;
  if (mlirValueIsNull(windowSize)) {
    left = xlaBoundedAdd(ir, spread, w->low[d] + w->high[d] - taken);
  } else {
    MlirValue dilation = xlaBoundedNumber(ir, w->windowDilations[d]);
    MlirValue covered = xlaIrBinary(
        ir, "xla.multiply", xlaBoundedAdd(ir, windowSize, -1), dilation);
    left = xlaBoundedAdd(ir, spread, w->low[d] + w->high[d] - 1);
    left = xlaIrBinary(ir, "xla.subtract", left, covered);
  }
  MlirValue fits = xlaBoundedCompare(ir, "GE", left, none);
  MlirValue all = left;
  if (w->strides[d] > 1)
    all = xlaIrBinary(ir, "xla.divide", left,
                      xlaBoundedNumber(ir, w->strides[d]));
  all = xlaIrBinary(ir, "xla.add", all, one);
  *count = xlaIrOp(ir, "xla.select", mlirValueGetType(all), 3,
                   (MlirValue[]){fits, all, none}, 0, NULL);
  return true;
}

/// Beside the elements windows cover init values, as they do in padding.
MlirLogicalResult xlaBoundedReduceWindow(XlaBoundedOp *b) {
  intptr_t n = mlirOperationGetNumOperands(b->op) / 2;
  XlaBounded result = {.array = {NULL}}, first = xlaBoundedOperand(b, 0);
  XlaWindow window = {.rank = first.shape.rank};
  memcpy(window.base, first.shape.dims, sizeof window.base);
  xlaWindowRead(b->op, &xlaReduceWindowForm, &window);
  for (int d = 0; d < first.shape.rank; ++d) {
    MlirValue size;
    if (failed(xlaBoundedAgree(b, n, d, "reduce_window_c2", &size)))
      return failure();
    if (size.ptr &&
        !xlaBoundedCountWindows(&b->ir, &window, d, size, (MlirValue){NULL},
                                &result.sizes[d]))
      return xlaBoundedUnsupported(b->op, " in windows so large");
  }
  MlirOperation made = xlaBoundedClone(b);
  for (intptr_t i = 0; i < n; ++i) {
    XlaBounded operand = xlaBoundedOperand(b, i);
    MlirValue init =
        xlaArrayConvert(&b->ir, mlirOperationGetOperand(b->op, n + i),
                        operand.shape.elementType);
    mlirOperationSetOperand(
        made, i, xlaBoundedFill(&b->ir, &operand, operand.shape.dynamic, init));
  }
  mlirOperationMoveBefore(made, b->op);
  // Windows that are not there must not draw.
  bool isOrdered = xlaRegionIsOrdered(mlirOperationGetRegion(made, 0));
  MlirValue *arrays = malloc((size_t)n * sizeof *arrays);
  if (!arrays)
    return xlaBoundedNoMemory(b->op);
  for (intptr_t i = 0; i < n; ++i)
    arrays[i] = mlirOperationGetResult(made, i);
  MlirLogicalResult done = success();
  if (isOrdered) {
    done = xlaReduceWindowBuild(&b->ir, made, result.sizes, arrays);
    mlirOperationDestroy(made);
  }
  for (intptr_t i = 0; !failed(done) && i < n; ++i) {
    result.shape = xlaBoundedResultShape(b, i);
    result.array = arrays[i];
    done = xlaBoundedSetResult(b, i, &result);
  }
  free(arrays);
  return done;
}

/// What is not there is neither selected nor scattered.
MlirLogicalResult xlaBoundedSelectAndScatter(XlaBoundedOp *b) {
  XlaBounded operand = xlaBoundedOperand(b, 0),
             source = xlaBoundedOperand(b, 1);
  XlaWindow window = {.rank = operand.shape.rank};
  xlaWindowSetBase(&window, &operand.shape);
  xlaWindowRead(b->op, &xlaSelectAndScatterForm, &window);
  for (int d = 0; d < window.rank; ++d) {
    MlirValue count;
    if (!operand.sizes[d].ptr && !source.sizes[d].ptr)
      continue;
    if (!xlaBoundedCountWindows(&b->ir, &window, d,
                                xlaBoundedSize(&b->ir, &operand, d),
                                (MlirValue){NULL}, &count))
      return xlaBoundedUnsupported(b->op, " in windows so large");
    if (failed(xlaBoundedCheck(b, XlaBoundedEqual,
                               xlaBoundedSize(&b->ir, &source, d), count,
                               "select_and_scatter_c2",
                               "dimension %d of source is %%d, there are %%d "
                               "windows",
                               d)))
      return failure();
  }
  MlirOperation copy = xlaBoundedClone(b);
  MlirValue elements = xlaBoundedMask(&b->ir, &operand, operand.shape.dynamic);
  MlirValue windows = xlaBoundedMask(&b->ir, &source, source.shape.dynamic);
  operand.shape = xlaBoundedResultShape(b, 0);
  MlirLogicalResult result =
      xlaSelectAndScatterBuild(&b->ir, copy, elements, windows, &operand.array);
  mlirOperationDestroy(copy);
  return failed(result) ? result : xlaBoundedSetResult(b, 0, &operand);
}
