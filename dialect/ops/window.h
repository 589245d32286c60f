//===- window.h - Windows over arrays -----------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A window that moves over a base area, as reduce_window, select_and_scatter
// and convolution have one (specification 000, ReduceWindow and
// ConvWithGeneralPadding). Dilations put holes between elements; padding adds
// elements at the ends of the dilated base, or removes some if it is negative.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_OPS_WINDOW_H
#define XLAC_DIALECT_OPS_WINDOW_H

#include "xlac/dialect/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A list of one positive integer a dimension, and the rules that it follows.
typedef struct XlaWindowList {
  const char *name;      ///< of the attribute; NULL if there is none
  const char *sizeLabel; ///< an entry for each dimension
  const char *positiveLabel;
} XlaWindowList;

/// The attributes of an operation that say what its window is.
typedef struct XlaWindowForm {
  XlaWindowList sizes, strides, baseDilations, windowDilations;
  const char *paddingLabel; ///< `padding` has two entries for each dimension
  const char *countLabel;   ///< the sizes are not too large
} XlaWindowForm;

typedef struct XlaWindow {
  int rank;
  int64_t base[XLA_MAX_RANK];  ///< the base area's sizes
  int64_t sizes[XLA_MAX_RANK]; ///< the window's
  int64_t strides[XLA_MAX_RANK];
  int64_t low[XLA_MAX_RANK], high[XLA_MAX_RANK]; ///< padding
  int64_t baseDilations[XLA_MAX_RANK], windowDilations[XLA_MAX_RANK];
  int64_t counts[XLA_MAX_RANK]; ///< positions of the window
} XlaWindow;

/// Sets `rank` and `base` to those of an array, and `sizes` to 1.
void xlaWindowSetBase(XlaWindow *window, const XlaShape *shape);
/// Reads and checks the window of `view`. `rank` and `base` have been set, and
/// `sizes` if the form has no attribute for them. What attributes leave out is
/// 1, of padding 0.
MlirLogicalResult xlaWindowInfer(const XlaOpView *view,
                                 const XlaWindowForm *form, XlaWindow *window);
/// The same for an operation that has been verified.
void xlaWindowRead(MlirOperation op, const XlaWindowForm *form,
                   XlaWindow *window);

/// The offset, by `strides` of the base area, of what element `index` of the
/// window covers when it is at `position`; -1 in padding and in holes.
int64_t xlaWindowOffset(const XlaWindow *window, const int64_t *position,
                        const int64_t *index, const int64_t *strides);

/// The windows of reduce_window and, whose sizes are 1 unless stated,
/// select_and_scatter.
extern const XlaWindowForm xlaReduceWindowForm;
extern const XlaWindowForm xlaSelectAndScatterForm;

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_OPS_WINDOW_H
