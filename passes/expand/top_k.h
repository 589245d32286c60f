//===- top_k.h - The largest elements as a sort -------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_EXPAND_TOP_K_H
#define XLAC_PASSES_EXPAND_TOP_K_H

#include "mlir-c/IR.h"
#include "mlir-c/Support.h"

/// Writes each xla.top_k below `op` as a sort, of which the first elements are
/// taken. Fails with a diagnostic.
MlirLogicalResult xlaTopKSort(MlirOperation op);

#endif // XLAC_PASSES_EXPAND_TOP_K_H
