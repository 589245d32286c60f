//===- taps.h - The elements of windows ---------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to passes. A tap is a place in a window; of a padded operand it has
// one element for each position of the window.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_EXPAND_TAPS_H
#define XLAC_PASSES_EXPAND_TAPS_H

#include "xlac/dialect/ops/window.h"
#include "xlac/passes/arrays.h"

/// Taps that are combined operation by operation, at most; more in a loop.
enum { XLA_TAPS_UNROLLED = 64 };

double xlaTapsCount(const XlaWindow *window);

/// The elements of the tap at `index` in the window.
MlirValue xlaTapsSlice(XlaIr *ir, const XlaWindow *window, MlirValue padded,
                       const int64_t *index);

/// The index of what has `number`, an integer scalar, in a box of `sizes`.
void xlaTapsIndex(XlaIr *ir, int rank, const int64_t *sizes, MlirValue number,
                  MlirValue *index);
/// The same as xlaTapsSlice, of an index of integer scalars.
MlirValue xlaTapsDynamicSlice(XlaIr *ir, const XlaWindow *window,
                              MlirValue padded, const MlirValue *index);

#endif // XLAC_PASSES_EXPAND_TAPS_H
