//===- op_cost.h - What computing an element costs ----------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_OP_COST_H
#define XLAC_DIALECT_OP_COST_H

#include "xlac/dialect/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The time that one element of an operation's result takes beside that of an
/// addition, on vectors, about: 1 for arithmetic, 0 for what only moves data,
/// 8 for a division, 16 and more for functions that are polynomials.
int xlaOpGetCost(XlaOpKind kind);

/// From this cost on, a store and a load are cheaper.
#define XLA_OP_COSTLY 8

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_OP_COST_H
