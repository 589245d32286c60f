//===- scalars.h - Scalars that the host computes -----------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to the host program. To compute one number a device takes as long
// as for thousands, and the host waits for what decides how to go on. So a
// remote program's host computes scalars itself, in registers, as far as they
// come from constants and from each other: the counter of a loop, a loop that
// has nothing but scalars, the index of a branch. What a device reads is stored
// in the scalar's buffer, in order with the kernels.
//
// A loop loads what its scalars need from outside once, before it starts. What
// depends on arrays inside of a loop the device computes.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_HOST_SCALARS_H
#define XLAC_LOWERING_HOST_SCALARS_H

#include "xlac/dialect/ir.h"
#include "xlac/dialect/pointer_map.h"

/// A scalar that a loop loads before it starts.
typedef struct XlaHostNeed {
  MlirOperation loop;
  MlirValue value;
} XlaHostNeed;

/// Which values of a function the host computes. Zero-initialised: none.
typedef struct XlaHostScalars {
  bool isUsed;
  XlaPointerMap onDevice; ///< MlirValue -> 1: scalars that it does not compute
  XlaPointerMap hosted;   ///< operations -> 1: the device computes no result
  intptr_t nNeeds, needCapacity;
  XlaHostNeed *needs;
} XlaHostScalars;

/// Finds them. On failure a diagnostic was emitted.
MlirLogicalResult xlaHostScalarsFind(MlirOperation function,
                                     XlaHostScalars *scalars);
void xlaHostScalarsDestroy(XlaHostScalars *scalars);

/// Whether the host computes `value`. Constants are among these.
bool xlaHostScalarsHave(const XlaHostScalars *scalars, MlirValue value);
/// Whether `value` is in a register where operations in `loop` (null: in none)
/// use it: the host computes it, or a loop loads it.
bool xlaHostScalarsReach(const XlaHostScalars *scalars, MlirValue value,
                         MlirOperation loop);
/// Whether a device reads a value that the host computes.
bool xlaHostScalarsIsRead(const XlaHostScalars *scalars, MlirValue value);
/// The innermost loop around a block; null if there is none.
MlirOperation xlaHostLoopAround(MlirBlock block);

#endif // XLAC_LOWERING_HOST_SCALARS_H
