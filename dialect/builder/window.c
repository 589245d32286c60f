//===- window.c - Building operations over windows ------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/builder/internal.h"

__extension__ typedef __int128 Wide;

//===----------------------------------------------------------------------===//
// Padding by a word
//===----------------------------------------------------------------------===//

static int64_t entry(const int64_t *list, intptr_t i) {
  return list ? list[i] : 1;
}

/// Elements with holes in between.
static Wide dilated(int64_t size, int64_t dilation) {
  return size ? (Wide)(size - 1) * dilation + 1 : 0;
}

void xlaBuilderPadSame(int64_t size, int64_t window, int64_t stride,
                       int64_t base, int64_t windowDilation, int64_t pair[2]) {
  pair[0] = pair[1] = 0;
  if (window < 1 || stride < 1 || base < 1 || windowDilation < 1)
    return;
  Wide elements = dilated(size, base);
  Wide count = (elements + stride - 1) / stride;
  Wide total =
      (count - 1) * stride + dilated(window, windowDilation) - elements;
  if (total <= 0 || total > INT64_MAX)
    return;
  pair[0] = (int64_t)(total / 2);
  pair[1] = (int64_t)(total - total / 2);
}

/// Pairs for all dimensions, whose sizes are `sizes`.
static void makePadding(XlaPadding padding, const int64_t *sizes,
                        const XlaWindowDimensions *window, int64_t *pairs) {
  for (intptr_t i = 0; i < window->n; ++i) {
    pairs[2 * i] = pairs[2 * i + 1] = 0;
    if (padding == XlaPaddingSame)
      xlaBuilderPadSame(sizes[i], window->sizes[i], entry(window->strides, i),
                        entry(window->baseDilations, i),
                        entry(window->windowDilations, i), pairs + 2 * i);
  }
}

/// Whether there is a window with an entry for each of `rank` dimensions.
static bool checkWindow(XlaBuilder *b, const XlaWindowDimensions *window,
                        intptr_t rank) {
  if (!window)
    return xlaBuilderFail(b, "the window is NULL");
  if (!xlaBuilderCheckList(b, "the window's sizes", window->sizes, window->n))
    return false;
  return window->n == rank ||
         xlaBuilderFail(b, "the window has %lld dimensions, the operand %lld",
                        (long long)window->n, (long long)rank);
}

bool xlaBuilderCheckPadding(XlaBuilder *b, XlaPadding padding) {
  return padding == XlaPaddingSame || padding == XlaPaddingValid ||
         xlaBuilderFail(b, "there is no padding number %d", (int)padding);
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// The shape of the first of `n` operands.
static bool firstShape(XlaBuilder *b, const XlaOp *operands, intptr_t n,
                       XlaShape *shape) {
  if (!xlaBuilderCheckList(b, "operands", operands, n))
    return false;
  if (!n)
    return xlaBuilderFail(b, "there are no operands");
  return xlaBuilderOperandShape(b, operands[0], shape);
}

static XlaOp reduceWindow(XlaBuilder *b, const char *function,
                          const XlaOp *operands, const XlaOp *initValues,
                          intptr_t n, const XlaComputation *computation,
                          const XlaWindowDimensions *window,
                          const int64_t *pairs) {
  XlaDraft draft;
  xlaDraftBegin(&draft, b, function, XlaOpKindReduceWindow);
  xlaDraftOperands(&draft, "operands", operands, n);
  xlaDraftOperands(&draft, "initValues", initValues, n);
  xlaDraftInts(&draft, "window_dimensions", window->sizes, window->n);
  xlaDraftMaybeInts(&draft, "window_strides", window->strides, window->n);
  xlaDraftMaybeInts(&draft, "base_dilations", window->baseDilations, window->n);
  xlaDraftMaybeInts(&draft, "window_dilations", window->windowDilations,
                    window->n);
  xlaDraftMaybeInts(&draft, "padding", pairs, 2 * window->n);
  xlaDraftRegion(&draft, computation, true);
  return xlaDraftFinish(&draft);
}

XlaOp xlaBuilderReduceWindow(XlaBuilder *b, const XlaOp *operands,
                             const XlaOp *initValues, intptr_t nOperands,
                             const XlaComputation *computation,
                             const XlaWindowDimensions *window,
                             XlaPadding padding) {
  XlaShape shape;
  int64_t pairs[2 * XLA_MAX_RANK];
  if (!xlaBuilderBegin(b, __func__) ||
      !firstShape(b, operands, nOperands, &shape) ||
      !checkWindow(b, window, shape.rank) ||
      !xlaBuilderCheckPadding(b, padding))
    return (XlaOp){0};
  makePadding(padding, shape.dims, window, pairs);
  return reduceWindow(b, __func__, operands, initValues, nOperands, computation,
                      window, pairs);
}

XlaOp xlaBuilderReduceWindowWithGeneralPadding(
    XlaBuilder *b, const XlaOp *operands, const XlaOp *initValues,
    intptr_t nOperands, const XlaComputation *computation,
    const XlaWindowDimensions *window, const int64_t *padding) {
  XlaShape shape;
  if (!xlaBuilderBegin(b, __func__) ||
      !firstShape(b, operands, nOperands, &shape) ||
      !checkWindow(b, window, shape.rank))
    return (XlaOp){0};
  return reduceWindow(b, __func__, operands, initValues, nOperands, computation,
                      window, padding);
}

//===----------------------------------------------------------------------===//
// Selection
//===----------------------------------------------------------------------===//

static XlaOp selectAndScatter(XlaBuilder *b, const char *function,
                              XlaOp operand, const XlaComputation *select,
                              const XlaWindowDimensions *window,
                              const int64_t *pairs, XlaOp source,
                              XlaOp initValue, const XlaComputation *scatter) {
  XlaDraft draft;
  xlaDraftBegin(&draft, b, function, XlaOpKindSelectAndScatter);
  if (draft.b && (window->baseDilations || window->windowDilations))
    xlaBuilderFail(b, "the window has dilations");
  xlaDraftOperand(&draft, operand);
  xlaDraftOperand(&draft, source);
  xlaDraftOperand(&draft, initValue);
  xlaDraftInts(&draft, "window_dimensions", window->sizes, window->n);
  xlaDraftMaybeInts(&draft, "window_strides", window->strides, window->n);
  xlaDraftMaybeInts(&draft, "padding", pairs, 2 * window->n);
  xlaDraftRegion(&draft, select, false);
  xlaDraftRegion(&draft, scatter, false);
  return xlaDraftFinish(&draft);
}

XlaOp xlaBuilderSelectAndScatter(XlaBuilder *b, XlaOp operand,
                                 const XlaComputation *select,
                                 const XlaWindowDimensions *window,
                                 XlaPadding padding, XlaOp source,
                                 XlaOp initValue,
                                 const XlaComputation *scatter) {
  XlaShape shape;
  int64_t pairs[2 * XLA_MAX_RANK];
  if (!xlaBuilderBegin(b, __func__) ||
      !xlaBuilderOperandShape(b, operand, &shape) ||
      !checkWindow(b, window, shape.rank) ||
      !xlaBuilderCheckPadding(b, padding))
    return (XlaOp){0};
  makePadding(padding, shape.dims, window, pairs);
  return selectAndScatter(b, __func__, operand, select, window, pairs, source,
                          initValue, scatter);
}

XlaOp xlaBuilderSelectAndScatterWithGeneralPadding(
    XlaBuilder *b, XlaOp operand, const XlaComputation *select,
    const XlaWindowDimensions *window, const int64_t *padding, XlaOp source,
    XlaOp initValue, const XlaComputation *scatter) {
  XlaShape shape;
  if (!xlaBuilderBegin(b, __func__) ||
      !xlaBuilderOperandShape(b, operand, &shape) ||
      !checkWindow(b, window, shape.rank))
    return (XlaOp){0};
  return selectAndScatter(b, __func__, operand, select, window, padding, source,
                          initValue, scatter);
}
