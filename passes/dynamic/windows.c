//===- windows.c - Windows over arrays with sizes -------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/dynamic/bounded_internal.h"

#include "xlac/dialect/ops/convolution.h"
#include "xlac/dialect/ops/select_and_scatter.h"
#include "xlac/dialect/ops/window.h"
#include "xlac/dialect/result_internal.h"
#include "xlac/passes/expand/rng.h"
#include "xlac/passes/expand/select_and_scatter.h"

#include <string.h>

/// How many windows fit into `size` elements. False if numbers are too large.
static bool countWindows(XlaIr *ir, const XlaWindow *w, int d, MlirValue size,
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
  MlirValue left = xlaBoundedAdd(ir, spread, w->low[d] + w->high[d] - taken);
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
  if (xlaRegionIsOrdered(mlirOperationGetRegion(b->op, 0)))
    return xlaOrderUnsupported(b->op); // windows that are not there would draw
  memcpy(window.base, first.shape.dims, sizeof window.base);
  xlaWindowRead(b->op, &xlaReduceWindowForm, &window);
  for (int d = 0; d < first.shape.rank; ++d) {
    MlirValue size;
    if (failed(xlaBoundedAgree(b, n, d, "reduce_window_c2", &size)))
      return failure();
    if (size.ptr && !countWindows(&b->ir, &window, d, size, &result.sizes[d]))
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
  for (intptr_t i = 0; i < n; ++i) {
    result.shape = xlaBoundedResultShape(b, i);
    result.array = mlirOperationGetResult(made, i);
    if (failed(xlaBoundedSetResult(b, i, &result)))
      return failure();
  }
  return success();
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
    if (!countWindows(&b->ir, &window, d, xlaBoundedSize(&b->ir, &operand, d),
                      &count))
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

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

/// Only batches, output features, what is added up, and positions may have
/// sizes, and groups are whole.
static bool isConvolvable(const XlaConvolution *c, const XlaBounded *lhs,
                          const XlaBounded *rhs) {
  for (int i = 0; i < c->window.rank; ++i)
    if (rhs->sizes[c->rhs.spatial.values[i]].ptr)
      return false;
  if (c->featureGroups == 1 && c->batchGroups == 1)
    return true;
  return !lhs->sizes[c->lhs.feature].ptr && !rhs->sizes[c->rhs.feature].ptr &&
         !rhs->sizes[c->rhs.batch].ptr &&
         (c->batchGroups == 1 || !lhs->sizes[c->lhs.batch].ptr);
}

/// Beside the elements windows cover zeros, as they do in padding.
MlirLogicalResult xlaBoundedConvolution(XlaBoundedOp *b) {
  XlaBounded lhs = xlaBoundedOperand(b, 0), rhs = xlaBoundedOperand(b, 1);
  XlaBounded result = {.shape = xlaBoundedResultShape(b, 0)};
  XlaConvolution c;
  xlaConvolutionReadSizes(b->op, &lhs.shape, &rhs.shape, &c);
  if (!isConvolvable(&c, &lhs, &rhs))
    return xlaBoundedUnsupported(b->op, " of groups or kernels");
  MlirValue left = lhs.sizes[c.lhs.feature], right = rhs.sizes[c.rhs.feature];
  if ((left.ptr || right.ptr) &&
      failed(xlaBoundedCheck(
          b, XlaBoundedEqual, xlaBoundedSize(&b->ir, &rhs, c.rhs.feature),
          xlaBoundedSize(&b->ir, &lhs, c.lhs.feature), "convolution_c14",
          "the input feature dimension of rhs has size %%d, "
          "that of lhs %%d")))
    return failure();
  uint32_t inner = UINT32_C(1) << c.lhs.feature;
  result.sizes[c.result.batch] = lhs.sizes[c.lhs.batch];
  result.sizes[c.result.feature] = rhs.sizes[c.rhs.batch];
  for (int i = 0; i < c.window.rank; ++i) {
    int64_t d = c.lhs.spatial.values[i];
    inner |= UINT32_C(1) << d;
    if (lhs.sizes[d].ptr &&
        !countWindows(&b->ir, &c.window, i, lhs.sizes[d],
                      &result.sizes[c.result.spatial.values[i]]))
      return xlaBoundedUnsupported(b->op, " in windows so large");
  }
  MlirOperation made = xlaBoundedClone(b);
  MlirValue zero = xlaArrayNumber(&b->ir, lhs.shape.elementType, 0);
  mlirOperationSetOperand(made, 0, xlaBoundedFill(&b->ir, &lhs, inner, zero));
  zero = xlaArrayNumber(&b->ir, rhs.shape.elementType, 0);
  mlirOperationSetOperand(
      made, 1,
      xlaBoundedFill(&b->ir, &rhs, UINT32_C(1) << c.rhs.feature, zero));
  mlirOperationMoveBefore(made, b->op);
  result.array = mlirOperationGetResult(made, 0);
  return xlaBoundedSetResult(b, 0, &result);
}
