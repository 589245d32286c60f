//===- window.h - Windows in programs -----------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Included by builder.h, which tells how builders are used.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_BUILDER_WINDOW_H
#define XLAC_DIALECT_BUILDER_WINDOW_H

#include "xlac/dialect/builder.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How windows lie over an array, an entry for each of its n dimensions. All
/// but the sizes may be NULL, for strides and dilations of 1.
typedef struct XlaWindowDimensions {
  const int64_t *sizes;
  const int64_t *strides;         ///< from a window to the next
  const int64_t *baseDilations;   ///< from an element to the next, with holes
  const int64_t *windowDilations; ///< from a window's element to the next
  intptr_t n;
} XlaWindowDimensions;

/// Combines the elements of every window, as xlaBuilderReduce does those along
/// dimensions. What lies in padding and holes counts as init values. 000:
/// ReduceWindow; one operand is the form of 002.
XlaOp xlaBuilderReduceWindow(XlaBuilder *b, const XlaOp *operands,
                             const XlaOp *initValues, intptr_t nOperands,
                             const XlaComputation *computation,
                             const XlaWindowDimensions *window,
                             XlaPadding padding);
/// The same with 2n numbers: what is padded in front of dimension 0 and behind
/// it, of dimension 1 .. Negative padding removes elements. NULL is none.
XlaOp xlaBuilderReduceWindowWithGeneralPadding(
    XlaBuilder *b, const XlaOp *operands, const XlaOp *initValues,
    intptr_t nOperands, const XlaComputation *computation,
    const XlaWindowDimensions *window, const int64_t *padding);

/// `initValue` everywhere, but where `select`, (T, T) -> pred, prefers an
/// element of the operand to all others of a window: the element of `source`
/// for that window is combined with what is there by `scatter`, (T, T) -> T.
/// The window has no dilations. 000: SelectAndScatter.
XlaOp xlaBuilderSelectAndScatter(XlaBuilder *b, XlaOp operand,
                                 const XlaComputation *select,
                                 const XlaWindowDimensions *window,
                                 XlaPadding padding, XlaOp source,
                                 XlaOp initValue,
                                 const XlaComputation *scatter);
/// The same with 2n numbers as padding, or NULL.
XlaOp xlaBuilderSelectAndScatterWithGeneralPadding(
    XlaBuilder *b, XlaOp operand, const XlaComputation *select,
    const XlaWindowDimensions *window, const int64_t *padding, XlaOp source,
    XlaOp initValue, const XlaComputation *scatter);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_BUILDER_WINDOW_H
