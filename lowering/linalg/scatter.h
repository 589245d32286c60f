//===- scatter.h - Updates at computed places ---------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lowering. What the ways to scatter share: elements of inputs,
// indices and updates, and where windows lie (scatter.c).
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_LINALG_SCATTER_H
#define XLAC_LOWERING_LINALG_SCATTER_H

#include "xlac/dialect/ops/indexed_windows.h"
#include "xlac/lowering/linalg/generic.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A scatter in the making. `loops` are the variables of the loops over the
/// updates, by their dimension.
typedef struct XlaScatterLoops {
  XlaKernel *kernel;
  const MlirValue *results; ///< memrefs; unused of one that others work on
  intptr_t n;
  XlaIndexedWindows windows;
  XlaShape input, indices, update;
  MlirValue loops[XLA_MAX_RANK];
  XlaIr top;              ///< where loops go; kernel->ir is before them
  MlirValue copies, copy; ///< of the results, if any, and which one is written
  bool failed;            ///< after a diagnostic
} XlaScatterLoops;

/// A loop of `size` iterations at nest[0], whose inside is nest[1].
MlirValue xlaScatterOpenLoop(XlaIr *nest, int64_t size);
/// Closes `depth` of them, one in the other.
void xlaScatterCloseLoops(XlaIr *nest, int depth);

MlirValue xlaScatterOperand(const XlaScatterLoops *scatter, intptr_t i);
/// Whether operand `i` has a memref; else its elements are computed.
bool xlaScatterIsInMemory(const XlaScatterLoops *scatter, intptr_t i);
/// The memref of operand `i`, which is in memory.
MlirValue xlaScatterMemref(const XlaScatterLoops *scatter, intptr_t i);
/// Whether dimension `d` of the updates counts windows of one batch.
bool xlaScatterCountsWindows(const XlaScatterLoops *scatter, int64_t d);
XlaElementType xlaScatterResultType(const XlaScatterLoops *scatter, intptr_t i);
/// Element `at` of operand `i`, in a register; of dimension `d` the one at `k`.
/// Null after a diagnostic.
MlirValue xlaScatterReadElement(XlaScatterLoops *scatter, XlaIr *ir, intptr_t i,
                                MlirValue *at, int d, int64_t k);
/// Element `at` of operand `i`, which is computed, in a register. Of dimension
/// `d`, if it has that, `at` is the constant `k`, or that of a generic's loop
/// over a row. Null after a diagnostic.
MlirValue xlaScatterCompute(XlaScatterLoops *scatter, XlaGeneric *generic,
                            intptr_t i, const MlirValue *at, int d, int64_t k);
/// `element` as `to`.
MlirValue xlaScatterConvert(XlaIr *ir, XlaElementType from, XlaElementType to,
                            MlirValue element);
/// Where the window that the loops are in starts: null entries are 0.
void xlaScatterFindStart(XlaScatterLoops *scatter, XlaIr *ir, MlirValue *start,
                         MlirValue *isInside);
/// The index in the inputs that the loops are at, of a window at `start`.
void xlaScatterFindPlace(const XlaScatterLoops *scatter, XlaIr *ir,
                         MlirValue *start);
/// One element of each result.
void xlaScatterLoadResults(const XlaScatterLoops *scatter, XlaIr *ir,
                           const MlirValue *at, MlirValue *values);
void xlaScatterStoreResults(const XlaScatterLoops *scatter, XlaIr *ir,
                            const MlirValue *at, const MlirValue *values);
/// What the operation's region makes of `args`, elements and updates.
MlirLogicalResult xlaScatterApply(XlaScatterLoops *scatter, XlaIr *ir,
                                  const MlirValue *args, MlirValue *values);
/// Combines `values`, elements of the results, with the updates that the loops
/// are at.
MlirLogicalResult xlaScatterApplyUpdate(XlaScatterLoops *scatter, XlaIr *ir,
                                        MlirValue *values);
/// The same of the elements at `at` in memory.
MlirLogicalResult xlaScatterCombine(XlaScatterLoops *scatter, XlaIr *ir,
                                    const MlirValue *at);

/// The windows one after the other (scatter_in_order.c).
MlirLogicalResult xlaScatterAddInOrder(XlaScatterLoops *scatter);
/// How many copies of the results pay where threads take parts of dimension
/// `*d` of the updates: at most 1 where the order matters (scatter_copies.c).
int64_t xlaScatterCountCopies(const XlaScatterLoops *scatter, int64_t *d);
/// Memory for `count` copies; each thread begins one, which is then loaded and
/// stored in the results' place; in the end all are combined with them.
void xlaScatterOpenCopies(XlaScatterLoops *scatter, int64_t count);
void xlaScatterBeginCopy(XlaScatterLoops *scatter, XlaIr *ir, MlirValue number);
MlirLogicalResult xlaScatterCloseCopies(XlaScatterLoops *scatter,
                                        int64_t count);
/// All windows at once, of a form that allows that (scatter_at_once.c).
MlirLogicalResult xlaScatterAddAtOnce(XlaScatterLoops *scatter);
/// A sorted scatter at all elements of the inputs, with what computes these and
/// what is computed of its results: `values` are what goes to
/// `scatter->results`.
MlirLogicalResult xlaScatterAddToAll(XlaScatterLoops *scatter, intptr_t nValues,
                                     const MlirValue *values);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_LINALG_SCATTER_H
