//===- batch_norm.h - Batch normalization as arithmetic -----------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_EXPAND_BATCH_NORM_H
#define XLAC_PASSES_EXPAND_BATCH_NORM_H

#include "xlac/dialect/ir.h"
#include "xlac/dialect/op.h"

/// Builds the results of `op`, a batch normalization of static sizes. `there`,
/// a pred of the operand's dimensions or null, tells which elements count, and
/// `sizes` how many these are in each dimension, s32 scalars or null; NULL:
/// all.
void xlaBatchNormBuild(XlaIr *ir, MlirOperation op, MlirValue there,
                       const MlirValue *sizes, MlirValue *results);

#endif // XLAC_PASSES_EXPAND_BATCH_NORM_H
