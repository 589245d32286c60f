//===- windows_internal.h - Window kernels in the making ------------*- C
//-*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_LINALG_WINDOWS_INTERNAL_H
#define XLAC_LOWERING_LINALG_WINDOWS_INTERNAL_H

#include "xlac/lowering/linalg/windows.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Loops of a block's space.
enum { xlaWindowsBlockLoop, xlaWindowsRowLoop };

/// A window kernel in the making.
typedef struct XlaWindows {
  XlaKernelSteps *steps;
  const XlaKernelStep *last; ///< all that the kernel returns
  const MlirValue *results;
  bool *keeps;            ///< of each of the kernel's rows, in the band at hand
  int64_t *lower, *upper; ///< of each: rows from the result's to those read
  int nBands;
} XlaWindows;

/// Rows of one value, or of all results.
typedef struct XlaWindowsPart {
  intptr_t n;
  const MlirValue *values;
  XlaShape shape;
  const XlaKernelRows *kept; ///< where it goes; NULL: to the results
} XlaWindowsPart;

/// Elements of a value that an element of the results needs, from its own index
/// on.
typedef struct XlaTileWindow {
  bool isRead;
  bool wraps[XLA_MAX_RANK]; ///< beyond one end comes the other one
  int64_t lower[XLA_MAX_RANK], upper[XLA_MAX_RANK];
} XlaTileWindow;

XlaWindowsPart xlaWindowsResults(const XlaWindows *w);
/// Value `i` of those that may be kept.
XlaWindowsPart xlaWindowsKept(const XlaWindows *w, intptr_t i);
/// Whether anything in the band reads it.
bool xlaWindowsIsRead(const XlaWindows *w, intptr_t i);

/// Visits the boxes of a space, and writes them if `emits`. Otherwise `*cut`,
/// if not NULL, becomes the first iteration of the rows behind which a box ends
/// that has to end there, or stays 0.
MlirLogicalResult xlaWindowsVisit(XlaWindows *w, const XlaWindowsPart *part,
                                  const XlaSpace *space, bool emits,
                                  int64_t *cut);
/// The linalg op of a generic that has begun.
MlirLogicalResult xlaWindowsEmitBox(const XlaWindows *w, XlaGeneric *generic,
                                    const XlaWindowsPart *part);
/// Memory for the rows, or the tile, that have been described.
bool xlaWindowsAllocate(XlaWindows *w, XlaKernelRows *rows);

/// Writes the steps in tiles (tiles.c).
MlirLogicalResult xlaWindowsEmitTiles(XlaWindows *w);
/// Where each value that may be kept is read, from the results' elements on:
/// `keeps` of those that are read at known places, several of them
/// (tiles_measure.c).
MlirLogicalResult xlaWindowsMeasureTiles(XlaWindows *w, XlaTileWindow *windows);

/// Finds which rows of what may be kept the band from row `from` to row `to`
/// needs, or where it is to be cut: `*cut`, or 0.
MlirLogicalResult xlaWindowsMeasure(XlaWindows *w, int64_t from, int64_t to,
                                    int64_t *cut);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_LINALG_WINDOWS_INTERNAL_H
