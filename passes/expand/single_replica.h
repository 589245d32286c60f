//===- single_replica.h - Programs of one replica -----------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a program runs as one replica of one partition it is known what the
// operations between replicas give: what goes in.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_EXPAND_SINGLE_REPLICA_H
#define XLAC_PASSES_EXPAND_SINGLE_REPLICA_H

#include "xlac/dialect/ir.h"
#include "xlac/dialect/op.h"

/// Whether operations of this kind are between replicas.
bool xlaIsBetweenReplicas(XlaOpKind kind);

/// Gives result `i` of `op`, of `n`, all arrays of `types`, in `results[i]`:
/// the operand `operands[i]`, or what `ir` makes in its place. Fails after a
/// diagnostic if `op` needs more replicas than one.
MlirLogicalResult xlaSingleReplicaExpand(MlirOperation op, XlaIr *ir,
                                         intptr_t n, const MlirValue *operands,
                                         const MlirType *types,
                                         MlirValue *results);

#endif // XLAC_PASSES_EXPAND_SINGLE_REPLICA_H
