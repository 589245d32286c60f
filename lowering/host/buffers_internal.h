//===- buffers_internal.h - The parts of buffer assignment --------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_HOST_BUFFERS_INTERNAL_H
#define XLAC_LOWERING_HOST_BUFFERS_INTERNAL_H

#include "xlac/lowering/host/buffers.h"

/// What is known while buffers are assigned.
typedef struct XlaBufferAssigner {
  XlaBufferAssignment *assignment;
  int64_t step;
  XlaPointerMap begin, end; ///< operation -> its first and last step, from 1
  XlaPointerMap lastUse;    ///< root -> the step of the last use, from 1
  XlaPointerMap lastNested; ///< root -> the last use from inside a region
  bool failed;              ///< without memory
} XlaBufferAssigner;

//===----------------------------------------------------------------------===//
// When values are needed: buffers_uses.c
//===----------------------------------------------------------------------===//

/// Sets `map`'s value of `key`; notes the failure without memory.
void xlaBufferSet(XlaBufferAssigner *p, XlaPointerMap *map, const void *key,
                  intptr_t value);

/// Numbers the operations of `block` and finds the last use of each value.
/// False without memory.
bool xlaBufferFindUses(XlaBufferAssigner *p, MlirBlock block);

/// Loops and branches, whose regions are blocks of the program. The regions of
/// all other operations belong to their kernels.
bool xlaBufferIsControlFlow(MlirOperation op);

/// The value whose bytes `value` views.
MlirValue xlaBufferGetRoot(MlirValue value);

/// Whether `op` may write result `r` over operand `i`.
bool xlaBufferCanWriteOver(MlirOperation op, intptr_t i, intptr_t r);

/// Whether `op` may write result `r` into the buffer that holds `root` although
/// `op` may still read it: all its operands there allow that, and nothing later
/// or inside reads it.
bool xlaBufferDiesAt(const XlaBufferAssigner *p, MlirValue root,
                     MlirOperation op, intptr_t r);

/// Whether nothing but loop `op` reads the initial value of its state `k`, and
/// only as that.
bool xlaBufferDiesInLoop(const XlaBufferAssigner *p, MlirOperation op,
                         intptr_t k);

//===----------------------------------------------------------------------===//
// Buffers: buffers.c
//===----------------------------------------------------------------------===//

int64_t xlaBufferGetBytes(MlirValue value);

/// Adds a buffer that is needed from step `first` on; its number.
intptr_t xlaBufferAdd(XlaBufferAssigner *p, XlaBufferKind kind, int64_t bytes,
                      intptr_t index, int64_t first);

/// The number of the value's buffer, or -1.
intptr_t xlaBufferGetNumber(const XlaBufferAssigner *p, MlirValue value);

/// Lets `value` live in `buffer`, which is needed as long as it is.
void xlaBufferPlace(XlaBufferAssigner *p, MlirValue value, intptr_t buffer);

/// A fresh value that its producer can write anywhere: not a view, not a
/// constant, and not placed yet.
bool xlaBufferIsPlaceable(const XlaBufferAssigner *p, MlirValue value,
                          MlirBlock block);

//===----------------------------------------------------------------------===//
// Results and offsets: buffers_outputs.c, buffers_offsets.c
//===----------------------------------------------------------------------===//

/// Places what the function returns where it can be written at once, and the
/// arguments.
void xlaBufferAssignOutputs(XlaBufferAssigner *p, MlirOperation function);

/// Sets the offsets of all arena and constant buffers and the sizes of both.
/// False without memory.
bool xlaBufferAssignmentLayOut(XlaBufferAssignment *assignment);

#endif // XLAC_LOWERING_HOST_BUFFERS_INTERNAL_H
