//===- triangular.c - Maps of triangular matrices -------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As dialect/ops/triangular.c computes them, of matrices that are what they are
// to be: one that is not positive definite spoils all of its result.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/indexing/draft.h"

/// b - a is `least` or more.
static void constrainOrder(XlaMapDraft *draft, MlirAffineExpr a,
                           MlirAffineExpr b, int64_t least, int64_t n) {
  xlaMapDraftConstrain(draft, xlaExprAdd(b, xlaExprScale(a, -1)), least, n);
}

/// Element (row, column) of the matrix, or (column, row).
static void addPlace(XlaMapDraft *draft, MlirAffineExpr row,
                     MlirAffineExpr column, bool swapped) {
  xlaMapDraftAddResult(draft, swapped ? column : row);
  xlaMapDraftAddResult(draft, swapped ? row : column);
}

/// l(i, j) comes from row i up to column j, and from the triangle of rows up to
/// j; what is above the diagonal is 0.
static void mapCholesky(MlirOperation op, int64_t n, XlaMapDraft *draft) {
  bool isUpper = !xlaOpIsTrue(op, "lower");
  intptr_t last = draft->nDims - 1;
  MlirAffineExpr i = xlaMapDraftDim(draft, isUpper ? last : last - 1),
                 j = xlaMapDraftDim(draft, isUpper ? last - 1 : last);
  draft->nWays = 2;
  constrainOrder(draft, j, i, 0, n);
  if (draft->way == 0) {
    MlirAffineExpr column = xlaMapDraftAddRange(draft, n);
    constrainOrder(draft, column, j, 0, n);
    addPlace(draft, i, column, isUpper);
    return;
  }
  MlirAffineExpr row = xlaMapDraftAddRange(draft, n),
                 column = xlaMapDraftAddRange(draft, n);
  constrainOrder(draft, row, j, 0, n);
  constrainOrder(draft, column, row, 0, n);
  addPlace(draft, row, column, isUpper);
}

/// Unknown t of a system with coefficients c(i, k), lower or upper ones, comes
/// from the right sides and the rows of c that are solved up to it.
static void mapSolve(MlirOperation op, intptr_t operand, int64_t n,
                     XlaMapDraft *draft) {
  bool left = xlaOpIsTrue(op, "left_side");
  bool swapped = !xlaOpAttrIs(op, "transpose_a", "NO_TRANSPOSE") == left;
  bool lower = xlaOpIsTrue(op, "lower") != swapped;
  intptr_t last = draft->nDims - 1;
  MlirAffineExpr t = xlaMapDraftDim(draft, left ? last - 1 : last);
  MlirAffineExpr row = xlaMapDraftAddRange(draft, n);
  constrainOrder(draft, lower ? row : t, lower ? t : row, 0, n);
  if (operand == 1) {
    addPlace(draft, row, xlaMapDraftDim(draft, left ? last : last - 1), !left);
    return;
  }
  MlirAffineExpr column = xlaMapDraftAddRange(draft, n);
  constrainOrder(draft, lower ? column : row, lower ? row : column,
                 xlaOpIsTrue(op, "unit_diagonal"), n);
  addPlace(draft, row, column, swapped);
}

bool xlaTriangularMap(MlirOperation op, XlaOpKind kind, intptr_t result,
                      intptr_t operand, const XlaShape *shape,
                      XlaMapDraft *draft) {
  bool left = kind == XlaOpKindCholesky || xlaOpIsTrue(op, "left_side");
  int64_t n = draft->dims[draft->nDims - (left ? 2 : 1)].upper + 1;
  for (int i = 0; i < shape->rank - 2; ++i)
    xlaMapDraftAddResult(draft, xlaMapDraftDim(draft, i));
  if (kind == XlaOpKindCholesky)
    mapCholesky(op, n, draft);
  else
    mapSolve(op, operand, n, draft);
  return true;
}
