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

/// Parts of a space that are still to be done, `n` of them, the next one last.
typedef struct XlaKernelBoxes {
  MlirContext context;
  int n, nDone;
  XlaSpace all[XLA_KERNEL_MAX_BOXES];
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
