//===- top_k.h - The largest elements as a sort -------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_EXPAND_TOP_K_H
#define XLAC_PASSES_EXPAND_TOP_K_H

#include "xlac/dialect/op.h"
#include "xlac/passes/arrays.h"

/// The `k` largest elements along the last dimension of `x`, and where they
/// are, as s32. Those for which the pred array `isThere` of x's dimensions is
/// false come last; null: all are there.
void xlaTopKSort(XlaIr *ir, MlirValue x, MlirValue isThere, int64_t k,
                 MlirValue results[2]);

/// Writes each xla.top_k below `op` as a sort, of which the first elements are
/// taken. Fails with a diagnostic.
MlirLogicalResult xlaTopKSortAll(MlirOperation op);

#endif // XLAC_PASSES_EXPAND_TOP_K_H
