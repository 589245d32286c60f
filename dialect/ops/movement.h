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

#ifdef __cplusplus
}
#endif

/// How far an xla.roll moves each of `size` dimensions of `shape`, from 0 on,
/// and less than the dimension has elements.
void xlaRollGetShifts(MlirOperation op, const XlaShape *shape,
                      int64_t shifts[XLA_MAX_RANK]);

#endif // XLAC_DIALECT_OPS_MOVEMENT_H
