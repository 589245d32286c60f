//===- rng.h - Random numbers as elementwise operations -----------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_EXPAND_RNG_H
#define XLAC_PASSES_EXPAND_RNG_H

#include "xlac/dialect/ir.h"
#include "xlac/dialect/op.h"

/// Whether it matters in which order `region` is run for different elements:
/// operations of it, or of regions in it, draw numbers, transfer or call.
bool xlaRegionIsOrdered(MlirRegion region);
/// Whether operations of it, or of regions in it, draw numbers.
bool xlaRegionDraws(MlirRegion region);
/// Whether `op` draws: an xla.rng_uniform or rng_normal, or a call of an
/// operation between replicas whose computation has one (isolate.h).
bool xlaRngIsDraw(MlirOperation op);

/// Computes the conditions of loops that draw numbers in front of the loops and
/// in their bodies. Fails after a diagnostic, without memory.
MlirLogicalResult xlaRngMoveConditions(MlirOperation function);

/// Puts xla.rng_bit_generator and arithmetic in the place of every
/// xla.rng_uniform and rng_normal in `function`, which must be legal but for
/// them, and have no draws in conditions: the numbers are the evaluator's,
/// those of a normal distribution but for the accuracy of log and cosine. Fails
/// after a diagnostic: numbers are drawn in a loop that could not be written,
/// or memory is lacking.
MlirLogicalResult xlaRngDraw(MlirOperation function);

/// Puts the generators' arithmetic on integers, the same bits as the
/// evaluator's, in the place of every xla.rng_bit_generator in `function`.
/// Fails after a diagnostic, without memory.
MlirLogicalResult xlaRngExpand(MlirOperation function);

/// Scrambles `words`, u32, as ThreeFry does under a key of scalars or arrays.
void xlaRngThreeFry(XlaIr *ir, const MlirValue key[2], MlirValue words[2]);

#endif // XLAC_PASSES_EXPAND_RNG_H
