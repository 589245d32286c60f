//===- rng_expand.h - Random bits as elementwise operations -------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_RNG_EXPAND_H
#define XLAC_PASSES_RNG_EXPAND_H

#include "xlac/dialect/op.h"

/// Puts the generators' arithmetic on integers, the same bits as the
/// evaluator's, in the place of every xla.rng_bit_generator in `function`.
/// Fails after a diagnostic, without memory.
MlirLogicalResult xlaRngExpand(MlirOperation function);

#endif // XLAC_PASSES_RNG_EXPAND_H
