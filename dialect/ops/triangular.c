//===- triangular.c - Triangular matrices ---------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cholesky's decomposition and the solution of triangular systems.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/family.h"
#include "xlac/dialect/result_internal.h"

#include "mlir-c/BuiltinAttributes.h"

static MlirLogicalResult inferCholesky(XlaOpView *view) {
  XlaShape a;
  if (failed(xlaViewGetBounded(view, 0, &a)))
    return failure();
  if (a.rank < 2)
    return xlaViewError(view, "cholesky_c2",
                        "the operand is %s, must have two dimensions or more",
                        XLA_SHAPE_TEXT(&a));
  if (a.dims[a.rank - 1] != a.dims[a.rank - 2])
    return xlaViewError(view, "cholesky_c3",
                        "the operand's matrices have %lld rows and %lld "
                        "columns, must be square",
                        (long long)a.dims[a.rank - 2],
                        (long long)a.dims[a.rank - 1]);
  xlaViewAppendBounded(view, &a);
  return success();
}

static bool viewIsTrue(const XlaOpView *view, const char *name) {
  return mlirBoolAttrGetValue(xlaViewGetAttr(view, name));
}

static MlirLogicalResult inferSolve(XlaOpView *view) {
  XlaShape a, b;
  if (failed(xlaViewGetBounded(view, 0, &a)) ||
      failed(xlaViewGetBounded(view, 1, &b)))
    return failure();
  if (a.elementType != b.elementType)
    return xlaViewError(view, "triangular_solve_c1",
                        "a has elements of %s, b of %s",
                        xlaElementTypeGetInfo(a.elementType)->name,
                        xlaElementTypeGetInfo(b.elementType)->name);
  if (a.rank < 2 || a.rank != b.rank)
    return xlaViewError(view, "triangular_solve_c2",
                        "a has rank %d, b rank %d, must have the same, 2 or "
                        "more",
                        a.rank, b.rank);
  for (int d = 0; d < a.rank - 2; ++d)
    if (a.dims[d] != b.dims[d])
      return xlaViewError(view, "triangular_solve_c3",
                          "batch dimension %d of a is %lld, of b %lld", d,
                          (long long)a.dims[d], (long long)b.dims[d]);
  int64_t rows = a.dims[a.rank - 2], columns = a.dims[a.rank - 1];
  if (rows != columns)
    return xlaViewError(view, "triangular_solve_c3",
                        "the matrices of a have %lld rows and %lld columns, "
                        "must be square",
                        (long long)rows, (long long)columns);
  bool left = viewIsTrue(view, "left_side");
  int64_t size = b.dims[b.rank - (left ? 2 : 1)];
  if (size != rows)
    return xlaViewError(view, "triangular_solve_c3",
                        "the matrices of b have %lld %s, those of a %lld",
                        (long long)size, left ? "rows" : "columns",
                        (long long)rows);
  xlaViewAppendBounded(view, &b);
  return success();
}

MlirLogicalResult xlaTriangularInfer(XlaOpView *view) {
  return view->kind == XlaOpKindCholesky ? inferCholesky(view)
                                         : inferSolve(view);
}
