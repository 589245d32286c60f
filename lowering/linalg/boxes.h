//===- boxes.h - Parts of the loops of a step ------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lowering. In fusions of kind loop a step is several generics
// where concatenates and pads have their boundaries (steps.h).
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_LINALG_BOXES_H
#define XLAC_LOWERING_LINALG_BOXES_H

#include "xlac/lowering/linalg/pieces.h"
#include "xlac/lowering/linalg/steps.h"

enum { XLA_KERNEL_MAX_BOXES = 32 };

/// A part of a space.
typedef struct XlaKernelBox {
  XlaSpace space;
  XlaGenericPads pads;
} XlaKernelBox;

/// Parts of a space that are still to be done, `n` of them, the next one last.
/// Where a pad has padding between its elements, they are written after the
/// others, over what is there: every so many iterations.
typedef struct XlaKernelBoxes {
  MlirContext context;
  int n, nDone;
  XlaKernelBox all[XLA_KERNEL_MAX_BOXES];
} XlaKernelBoxes;

/// All of `domain`. NULL after a diagnostic; free with free().
XlaKernelBoxes *xlaKernelBoxesBegin(const XlaKernelSteps *steps,
                                    const XlaShape *domain);
/// Begins a generic over the next box that needs no cut; there is one.
MlirLogicalResult xlaKernelBoxesNext(XlaKernelBoxes *boxes,
                                     XlaKernelSteps *steps,
                                     const XlaKernelPieces *pieces,
                                     const XlaShape *domain,
                                     XlaGeneric *generic);

#endif // XLAC_LOWERING_LINALG_BOXES_H
