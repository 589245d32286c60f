//===- strided.h - Copying between strided boxes ------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every operation that only moves data copies boxes of elements between two
// row-major arrays: a broadcast has source strides of 0, a reverse negative
// ones, a pad writes with gaps. Elements are copied as bytes, so NaN payloads
// and the signs of zeros stay.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_INTERPRET_STRIDED_H
#define XLAC_DIALECT_INTERPRET_STRIDED_H

#include "xlac/dialect/literal.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A box of `dims` elements that is read at `fromOffset + sum(index[i] *
/// fromStrides[i])` and written at the like position of the target. Offsets and
/// strides count elements.
typedef struct XlaStridedBox {
  int rank;
  int64_t dims[XLA_MAX_RANK];
  int64_t fromOffset, toOffset;
  int64_t fromStrides[XLA_MAX_RANK], toStrides[XLA_MAX_RANK];
} XlaStridedBox;

/// Row-major strides of `shape`. An array without elements gets zeros, because
/// its other sizes can be too large to multiply.
void xlaStridesInit(const XlaShape *shape, int64_t *strides);

/// Copies the box. Its positions must lie inside both arrays, whose element
/// types must be the same; an empty box copies nothing. Runs of neighbours are
/// copied at once.
void xlaStridedCopy(XlaLiteral *to, const XlaLiteral *from,
                    const XlaStridedBox *box);

/// A box of the sizes `dims` that begins at `starts` in the array `outer`. With
/// `insert` it is all of `from`, written into `to` of shape `outer`; otherwise
/// it is read from there and is all of `to`.
void xlaStridedCopyWindow(XlaLiteral *to, const XlaLiteral *from, bool insert,
                          const int64_t *starts);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_INTERPRET_STRIDED_H
