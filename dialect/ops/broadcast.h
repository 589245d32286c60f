//===- broadcast.h - Broadcasting between operands ----------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules of specification 003, for inference, evaluation and the pass that
// makes broadcasts explicit.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_OPS_BROADCAST_H
#define XLAC_DIALECT_OPS_BROADCAST_H

#include "xlac/dialect/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The shape of a binary operation on `lhs` and `rhs`, with lhs's element type,
/// by the operation's broadcast_dimensions; an error at it if there is none.
MlirLogicalResult xlaBroadcastInfer(const XlaOpView *view, const XlaShape *lhs,
                                    const XlaShape *rhs, XlaShape *result);

/// The result dimension of each operand dimension: `dimensions` if the operand
/// has a lower rank than the result, else the identity. `map` gets operand.rank
/// entries.
void xlaBroadcastGetMap(const XlaShape *operand, const XlaShape *result,
                        const XlaI64List *dimensions, int64_t *map);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_OPS_BROADCAST_H
