//===- pieces.c - Concatenates whose operands are written together --------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/linalg/pieces.h"
#include "xlac/lowering/linalg/scalar.h"

#include "xlac/dialect/indexing/linear.h"

#include <stdlib.h>

/// Outputs of one generic at most.
enum { maxPieces = 64 };

static MlirOperation concatenateOf(MlirValue value) {
  MlirOperation op = mlirValueIsAOpResult(value) ? mlirOpResultGetOwner(value)
                                                 : (MlirOperation){NULL};
  return op.ptr && xlaOpGetKind(op) == XlaOpKindConcatenate
             ? op
             : (MlirOperation){NULL};
}

/// Whether all operands of `op`, which concatenates along `dimension`, are as
/// many as those of `first`, and have its first one's dimensions.
static bool isAlike(MlirOperation op, MlirOperation first, int64_t dimension) {
  intptr_t n = mlirOperationGetNumOperands(first);
  if (!op.ptr || mlirOperationGetNumOperands(op) != n ||
      xlaOpGetI64(op, "dimension", 0) != dimension)
    return false;
  for (intptr_t i = 0; i < n; ++i)
    if (!xlaKernelStepsSameDims(mlirOperationGetOperand(op, i),
                                mlirOperationGetOperand(first, 0)))
      return false;
  return true;
}

/// Marks what operand `value` of an operation in use for `users` is computed
/// from.
static void mark(const XlaKernelSteps *steps, MlirValue value, uint64_t users,
                 uint64_t *marks) {
  intptr_t i = xlaKernelStepsOpIndex(steps, value);
  if (i >= 0)
    marks[i] |= users;
}

/// Whether pieces of different places have elementwise operations in common.
static bool shares(const XlaKernelSteps *steps, const XlaKernelPieces *pieces) {
  uint64_t *marks = calloc((size_t)steps->nOps + 1, sizeof *marks);
  bool found = false;
  for (intptr_t i = 0; marks && i < pieces->n; ++i)
    mark(steps, pieces->values[i], UINT64_C(1) << (i % pieces->places), marks);
  for (intptr_t i = steps->nOps - 1; marks && i >= 0; --i) {
    MlirOperation op = steps->ops[i];
    found |= xlaIsInlined(op) && (marks[i] & (marks[i] - 1));
    for (intptr_t k = 0; k < mlirOperationGetNumOperands(op); ++k)
      mark(steps, mlirOperationGetOperand(op, k), marks[i], marks);
  }
  free(marks);
  return found;
}

/// Whether pieces are single elements of the last dimension, as the parts of
/// complex numbers: each alone would be written with gaps between.
static bool areInterleaved(MlirOperation concatenate, int64_t dimension) {
  XlaShape piece = xlaKernelShapeOf(mlirOperationGetOperand(concatenate, 0));
  return dimension == piece.rank - 1 && piece.dims[dimension] == 1;
}

bool xlaKernelPiecesInit(XlaKernelPieces *pieces, const XlaKernelSteps *steps,
                         const XlaKernelStep *step) {
  *pieces = (XlaKernelPieces){
      .n = step->n, .places = 1, .values = step->values, .step = step};
  MlirOperation first = concatenateOf(step->values[0]);
  if (!first.ptr || !xlaKernelIsLoop(steps->kernel->op))
    return true;
  intptr_t places = mlirOperationGetNumOperands(first);
  int64_t dimension = xlaOpGetI64(first, "dimension", 0);
  if (places < 2 || places * step->n > maxPieces)
    return true;
  for (intptr_t i = 0; i < step->n; ++i)
    if (!isAlike(concatenateOf(step->values[i]), first, dimension))
      return true;
  XlaKernelPieces all = {.n = places * step->n,
                         .places = places,
                         .dimension = (int)dimension,
                         .step = step};
  all.values = all.owned = malloc((size_t)all.n * sizeof *all.owned);
  if (!all.owned)
    return false;
  for (intptr_t i = 0; i < all.n; ++i)
    all.owned[i] = mlirOperationGetOperand(
        concatenateOf(step->values[i / places]), i % places);
  if (areInterleaved(first, dimension) || shares(steps, &all))
    *pieces = all;
  else
    free(all.owned);
  return true;
}

void xlaKernelPiecesFree(XlaKernelPieces *pieces) { free(pieces->owned); }

XlaIndex xlaKernelPiecesIndex(const XlaKernelPieces *pieces, intptr_t i,
                              const XlaIndex *root) {
  XlaIndex index = *root;
  int d = pieces->dimension;
  int64_t start =
      pieces->places > 1
          ? i % pieces->places * xlaKernelShapeOf(pieces->values[i]).dims[d]
          : 0;
  if (start && index.isGeneral)
    index.exprs[d] = xlaExprShift(index.exprs[d], start);
  else if (start)
    index.offset[d] += start;
  return index;
}
