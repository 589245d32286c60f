//===- movement.h - Sums of hostile attributes --------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_OPS_MOVEMENT_H
#define XLAC_DIALECT_OPS_MOVEMENT_H

#include "xlac/dialect/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/// For sums and products of attributes' values, which could leave 64 bits.
__extension__ typedef __int128 XlaWide;

/// The elements of one dimension of an operand that an xla.pad leaves.
typedef struct XlaPadRange {
  int64_t first, count;
  int64_t position; ///< of the first in the result
  int64_t step;     ///< to the next in the result; 1 where there is none
} XlaPadRange;

/// Of `dim` elements with `interior` positions between them, the first at
/// position `low`, those that fall into [0, size).
XlaPadRange xlaPadGetRange(int64_t dim, int64_t low, int64_t interior,
                           int64_t size);

/// How far an xla.roll moves each of `size` dimensions of `shape`, from 0 on,
/// and less than the dimension has elements.
void xlaRollGetShifts(MlirOperation op, const XlaShape *shape,
                      int64_t shifts[XLA_MAX_RANK]);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_OPS_MOVEMENT_H
