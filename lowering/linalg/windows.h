//===- windows.h - What is read at windows --------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lowering. In fusions of kind window elements are read at several
// places beside each other, as by a filter of rows of what a filter of columns
// gives. A device with memory for it goes over blocks of rows (dimension 0) of
// the results, and keeps of each such value the rows that the block needs:
//
//   for each block of rows
//     rows of the first value, with those around the block -> memory
//     ..
//     rows of the results
//
// Blocks are a loop of the linalg ops, with one intermediate for all of them:
// schedules see that each block has a part of its own.
//
// Where workgroups have memory, each does so for a tile of the results, along
// all dimensions (tiles.c).
//
// Where concatenates and pads have boundaries along the rows, bands of rows are
// blocks of their own. What has no such rows, or too many, is computed wherever
// it is read.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_LINALG_WINDOWS_H
#define XLAC_LOWERING_LINALG_WINDOWS_H

#include "xlac/lowering/linalg/steps.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Whether the kernel is of that kind and its device keeps rows.
bool xlaKernelHasWindows(const XlaKernel *kernel);
/// Writes the steps, as xlaKernelStepsEmit.
MlirLogicalResult xlaKernelWindowsEmit(XlaKernelSteps *steps,
                                       const MlirValue *results);

/// What is known of a value whose rows are kept where the generic computes its
/// element, or NULL.
XlaKernelRows *xlaKernelRowsOf(const XlaGeneric *generic, MlirValue value);
/// Whether these have the element at `index`. While they are measured that is
/// noted.
bool xlaGenericHasRows(XlaGeneric *generic, XlaKernelRows *rows,
                       const XlaShape *shape, const XlaIndex *index);
/// Reads it, as xlaGenericRead.
bool xlaGenericReadRows(XlaGeneric *generic, const XlaKernelRows *rows,
                        const XlaShape *shape, const XlaIndex *index,
                        MlirValue *scalar);
/// The shape of all blocks in memory.
XlaShape xlaKernelRowsShape(const XlaKernelRows *rows, const XlaShape *shape);
/// The view of them at `index` of the value, and its map.
MlirValue xlaGenericRowsView(XlaGeneric *generic, const XlaKernelRows *rows,
                             const XlaShape *shape, const XlaIndex *index,
                             MlirAffineMap *map);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_LINALG_WINDOWS_H
