//===- expand.h - Operations as several others --------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_EXPAND_H
#define XLAC_PASSES_EXPAND_H

#include "xlac/dialect/op.h"
#include "xlac/passes/arrays.h"

/// Writes operations of `function` for which lowering has no kernels as others
/// for which it has: convolution, reduce_window, select_and_scatter and the
/// batch_norm ones; on constants they are folded. What would take too much
/// memory or too many operations that way is left as it is, after a diagnostic
/// that it is not supported; the result is a failure then.
MlirLogicalResult xlaExpand(MlirOperation function);

//===----------------------------------------------------------------------===//
// One operation
//===----------------------------------------------------------------------===//

/// `results` gets what takes the results' places.
MlirLogicalResult xlaExpandBatchNorm(XlaIr *ir, MlirOperation op,
                                     MlirValue *results);
MlirLogicalResult xlaExpandConvolution(XlaIr *ir, MlirOperation op,
                                       MlirValue *results);
/// May take the region of `op`.
MlirLogicalResult xlaExpandReduceWindow(XlaIr *ir, MlirOperation op,
                                        MlirValue *results);
MlirLogicalResult xlaExpandSelectAndScatter(XlaIr *ir, MlirOperation op,
                                            MlirValue *results);

#endif // XLAC_PASSES_EXPAND_H
