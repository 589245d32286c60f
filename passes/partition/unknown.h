//===- unknown.h - Parts of arrays of unknown size ----------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program that takes arrays of unknown size gets its sizes when it runs
// (passes/import/specialize.h), after it has become that of several devices.
// What is made of such arrays is StableHLO, whose sizes follow then.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_PARTITION_UNKNOWN_H
#define XLAC_PASSES_PARTITION_UNKNOWN_H

#include "xlac/dialect/ir.h"

#include <stdbool.h>

/// Whether `type` is an array with a dimension of neither size nor bound.
bool xlaExpandIsUnknown(MlirType type);
/// Its rank, or that of any array; -1 of what is none, or has too many.
int xlaExpandRank(MlirType type);

/// `name`, as "add", of StableHLO for arrays of unknown size and of xla for
/// others.
MlirValue xlaExpandElementwise(XlaIr *ir, const char *name, MlirType type,
                               intptr_t n, const MlirValue *operands);
/// The part at `coordinates` of `value`, which is cut into tiles[d] along
/// dimension d.
MlirValue xlaExpandSliceUnknown(XlaIr *ir, MlirValue value, int rank,
                                const int64_t *tiles, const int *coordinates);
/// `values` behind each other along `dimension`.
MlirValue xlaExpandConcatenateUnknown(XlaIr *ir, intptr_t n,
                                      const MlirValue *values,
                                      int64_t dimension);
/// Zeros of the sizes of `like`.
MlirValue xlaExpandZerosLike(XlaIr *ir, MlirValue like);
/// That dimensions of unknown size can be cut into that many parts, and that
/// the `n` values have one size: errors where a program gets its sizes.
void xlaExpandCheckDivides(XlaIr *ir, MlirValue value, int rank,
                           const int64_t *tiles);
void xlaExpandCheckSame(XlaIr *ir, intptr_t n, const MlirValue *values);

#endif // XLAC_PASSES_PARTITION_UNKNOWN_H
