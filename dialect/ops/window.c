//===- window.c - Windows over arrays -------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/ops/window.h"

#include "xlac/dialect/result_internal.h"

#include <string.h>

const XlaWindowForm xlaReduceWindowForm = {
    {"window_dimensions", "reduce_window_c4", "reduce_window_c5"},
    {"window_strides", "reduce_window_c6", "reduce_window_c7"},
    {"base_dilations", "reduce_window_c8", "reduce_window_c9"},
    {"window_dilations", "reduce_window_c10", "reduce_window_c11"},
    "reduce_window_c12",
    "reduce_window_c15"};

void xlaWindowSetBase(XlaWindow *window, const XlaShape *shape) {
  window->rank = shape->rank;
  memcpy(window->base, shape->dims, sizeof window->base);
  for (int d = 0; d < shape->rank; ++d)
    window->sizes[d] = 1;
}

static MlirLogicalResult readList(const XlaOpView *view,
                                  const XlaWindowList *rules, int rank,
                                  int64_t *values) {
  XlaI64List list;
  for (int d = 0; d < rank; ++d)
    values[d] = 1;
  if (!rules->name || !xlaViewGetList(view, rules->name, &list))
    return success();
  if (list.size != rank)
    return xlaViewError(view, rules->sizeLabel,
                        "%s is %s, the window has %d dimensions", rules->name,
                        XLA_LIST_TEXT(list.values, list.size), rank);
  for (int d = 0; d < rank; ++d) {
    values[d] = list.values[d];
    if (values[d] < 1)
      return xlaViewError(view, rules->positiveLabel,
                          "%s is %s: all must be at least 1", rules->name,
                          XLA_LIST_TEXT(list.values, list.size));
  }
  return success();
}

static MlirLogicalResult readPadding(const XlaOpView *view, const char *label,
                                     XlaWindow *window) {
  XlaI64List list;
  bool given = xlaViewGetList(view, "padding", &list);
  if (given && list.size != 2 * window->rank)
    return xlaViewError(view, label,
                        "padding is %s, must have a low and a high end for "
                        "each of the %d dimensions of the window",
                        XLA_LIST_TEXT(list.values, list.size), window->rank);
  for (int d = 0; d < window->rank; ++d) {
    window->low[d] = given ? list.values[2 * d] : 0;
    window->high[d] = given ? list.values[2 * d + 1] : 0;
  }
  return success();
}

/// The size of `n` elements with holes between them. False if it is too large.
static bool dilate(int64_t n, int64_t dilation, int64_t *size) {
  *size = 0;
  return n == 0 || (!__builtin_mul_overflow(n - 1, dilation, size) &&
                    !__builtin_add_overflow(*size, 1, size));
}

/// Whether positions can be computed with: every number that
/// xlaWindowOffset makes lies between them.
static bool isMuch(int64_t size) {
  const int64_t most = (int64_t)1 << 61;
  return size > most || size < -most;
}

/// How often the window fits.
static bool countPositions(XlaWindow *window, int d) {
  int64_t base, size, low = window->low[d], high = window->high[d];
  if (!dilate(window->base[d], window->baseDilations[d], &base) ||
      !dilate(window->sizes[d], window->windowDilations[d], &size) ||
      isMuch(base) || isMuch(size) || isMuch(low) || isMuch(high) ||
      isMuch(window->strides[d]) || isMuch(low + base) ||
      isMuch(low + base + high))
    return false;
  base += low + high;
  window->counts[d] =
      base <= 0 || size > base ? 0 : (base - size) / window->strides[d] + 1;
  return true;
}

static MlirLogicalResult countAll(const XlaOpView *view, const char *label,
                                  XlaWindow *window) {
  for (int d = 0; d < window->rank; ++d)
    if (!countPositions(window, d))
      return xlaViewError(
          view, label,
          "has a window of size %lld, stride %lld, dilation %lld over %lld "
          "elements of dilation %lld, padded by %lld and %lld, in dimension %d "
          "of the window: too large",
          (long long)window->sizes[d], (long long)window->strides[d],
          (long long)window->windowDilations[d], (long long)window->base[d],
          (long long)window->baseDilations[d], (long long)window->low[d],
          (long long)window->high[d], d);
  return success();
}

MlirLogicalResult xlaWindowInfer(const XlaOpView *view,
                                 const XlaWindowForm *form, XlaWindow *window) {
  int rank = window->rank;
  if (form->sizes.name &&
      failed(readList(view, &form->sizes, rank, window->sizes)))
    return failure();
  if (failed(readList(view, &form->strides, rank, window->strides)) ||
      failed(
          readList(view, &form->baseDilations, rank, window->baseDilations)) ||
      failed(readList(view, &form->windowDilations, rank,
                      window->windowDilations)) ||
      failed(readPadding(view, form->paddingLabel, window)))
    return failure();
  return countAll(view, form->countLabel, window);
}

void xlaWindowRead(MlirOperation op, const XlaWindowForm *form,
                   XlaWindow *window) {
  XlaOpView view = {.kind = xlaOpGetKind(op),
                    .context = mlirOperationGetContext(op),
                    .location = mlirOperationGetLocation(op),
                    .attributes = mlirExtOperationGetInherentAttributes(op)};
  xlaWindowInfer(&view, form, window);
}

int64_t xlaWindowOffset(const XlaWindow *window, const int64_t *position,
                        const int64_t *index, const int64_t *strides) {
  int64_t offset = 0;
  for (int d = 0; d < window->rank; ++d) {
    int64_t at = position[d] * window->strides[d] +
                 index[d] * window->windowDilations[d] - window->low[d];
    if (window->baseDilations[d] != 1) {
      if (at % window->baseDilations[d])
        return -1;
      at /= window->baseDilations[d];
    }
    if (at < 0 || at >= window->base[d])
      return -1;
    offset += at * strides[d];
  }
  return offset;
}
