//===- broadcast.h - Walks over broadcast operands ----------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_INTERPRET_BROADCAST_H
#define XLAC_DIALECT_INTERPRET_BROADCAST_H

#include "xlac/dialect/literal.h"
#include "xlac/dialect/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Walks a result in row-major order and keeps the matching positions in up to
/// three operands.
typedef struct XlaBroadcast {
  int nOperands, rank;
  int64_t dims[XLA_MAX_RANK], index[XLA_MAX_RANK];
  int64_t strides[3][XLA_MAX_RANK]; ///< 0 where an operand is repeated
  int64_t offsets[3];               ///< the current positions
} XlaBroadcast;

void xlaBroadcastInit(XlaBroadcast *broadcast, const XlaShape *result,
                      int nOperands, const XlaLiteral *const *operands,
                      const XlaI64List *dimensions);
void xlaBroadcastNext(XlaBroadcast *broadcast);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_INTERPRET_BROADCAST_H
