//===- pieces.h - Concatenates whose operands are written together -*- C
//-*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lowering. A step of concatenates whose operands are of one shape
// is one loop over that shape, which writes all of them to their places, where
// what they compute has operations in common: as the sum and the difference of
// the halves of an array, one beside the other.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_LINALG_PIECES_H
#define XLAC_LOWERING_LINALG_PIECES_H

#include "xlac/lowering/linalg/steps.h"

/// What a step's loops compute. Piece i belongs to value i / places of the
/// step, and is the value itself where there is one place.
typedef struct XlaKernelPieces {
  intptr_t n, places;
  const MlirValue *values;
  MlirValue *owned; ///< `values`, or NULL if those are the step's
  int dimension;    ///< along which pieces lie
  const XlaKernelStep *step;
} XlaKernelPieces;

/// The pieces of an elementwise step; false without memory.
bool xlaKernelPiecesInit(XlaKernelPieces *pieces, const XlaKernelSteps *steps,
                         const XlaKernelStep *step);
void xlaKernelPiecesFree(XlaKernelPieces *pieces);
/// Where the element at `root` of piece `i` lies in its value.
XlaIndex xlaKernelPiecesIndex(const XlaKernelPieces *pieces, intptr_t i,
                              const XlaIndex *root);

#endif // XLAC_LOWERING_LINALG_PIECES_H
