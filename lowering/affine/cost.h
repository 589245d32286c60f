//===- cost.h - Work of statements --------------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lowering. What devices' estimates of time are made of.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_AFFINE_COST_H
#define XLAC_LOWERING_AFFINE_COST_H

#include "xlac/lowering/affine/statement.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Instructions of a vector, or of a thread, that a point of the statement's
/// body takes, about.
int xlaSchedBodyWeight(const XlaSchedStatement *statement);
/// Bits of a value in a register; 0 for indices and truth values.
int xlaSchedBits(MlirType type);
/// Bytes that the statement reads and writes, each once.
double xlaSchedBytesTouched(const XlaSchedStatement *statement);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_AFFINE_COST_H
