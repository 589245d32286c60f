//===- triangular.c - Triangular matrices, evaluated ----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cholesky's decomposition and the solution of triangular systems, matrix by
// matrix of a batch. A matrix is copied into double precision first, of it only
// the triangle that counts.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/family.h"
#include "xlac/dialect/interpret/evaluator.h"
#include "xlac/dialect/interpret/scalar/op.h"
#include "xlac/dialect/result_internal.h"

#include "mlir-c/BuiltinAttributes.h"

#include <math.h>

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

typedef struct Number {
  double re, im;
} Number;

/// One evaluation: the matrices of a batch in turn.
typedef struct Run {
  XlaEvaluator *evaluator;
  MlirOperation op;
  bool isComplex;
  int64_t n;         // rows and columns of the triangular matrix
  Number *triangle;  // n * n
  Number *unknowns;  // n for each right side
  int64_t nUnknowns; // right sides
} Run;

static Number read(const Run *run, const XlaLiteral *literal, int64_t at) {
  XlaScalar x = xlaLiteralGet(literal, at);
  return (Number){x.f.re, run->isComplex ? x.f.im : 0};
}

static void write(XlaLiteral *literal, int64_t at, Number x) {
  xlaLiteralSet(literal, at, (XlaScalar){.f = {x.re, x.im}});
}

static Number conjugate(Number x) { return (Number){x.re, -x.im}; }

/// sum - x * y. Of reals the other part stays out, for 0 times infinity is NaN.
static Number subtractProduct(bool isComplex, Number sum, Number x, Number y) {
  if (!isComplex)
    return (Number){sum.re - x.re * y.re, 0};
  return (Number){sum.re - (x.re * y.re - x.im * y.im),
                  sum.im - (x.re * y.im + x.im * y.re)};
}

static Number divide(bool isComplex, Number x, Number y) {
  XlaScalar a = {.f = {x.re, x.im}}, b = {.f = {y.re, y.im}};
  XlaScalar q =
      xlaScalarBinary(XlaOpKindDivide,
                      isComplex ? XlaElementTypeC128 : XlaElementTypeF64, a, b);
  return (Number){q.f.re, isComplex ? q.f.im : 0};
}

/// Room for rows * columns numbers; NULL after a diagnostic.
static Number *createNumbers(Run *run, int64_t rows, int64_t columns,
                             XlaLiteral **owner) {
  XlaShape shape = {.elementType = XlaElementTypeC128, .rank = 2};
  shape.dims[0] = rows;
  shape.dims[1] = columns;
  *owner = xlaEvaluatorCreateArray(run->evaluator, run->op, &shape);
  return *owner ? xlaLiteralGetMutableData(*owner) : NULL;
}

//===----------------------------------------------------------------------===//
// Cholesky
//===----------------------------------------------------------------------===//

/// Row i of the lower triangle l, from its columns before `column`.
static Number remaining(const Run *run, int64_t i, int64_t column, Number sum) {
  const Number *rows = run->triangle;
  for (int64_t k = 0; k < column; ++k)
    sum = subtractProduct(run->isComplex, sum, rows[i * run->n + k],
                          conjugate(rows[column * run->n + k]));
  return sum;
}

/// Turns run->triangle, a Hermitian matrix's lower triangle, into l. False if a
/// pivot is negative or no number: the matrix is not positive definite. One of
/// 0 or infinity spoils its own column only, as XLA's does.
static bool decompose(const Run *run) {
  Number *l = run->triangle;
  for (int64_t j = 0; j < run->n; ++j) {
    double pivot = remaining(run, j, j, (Number){l[j * run->n + j].re, 0}).re;
    if (!(pivot >= 0))
      return false;
    double root = sqrt(pivot);
    bool sound = pivot > 0 && isfinite(pivot);
    l[j * run->n + j] = (Number){sound ? root : (double)NAN, 0};
    for (int64_t i = j + 1; i < run->n; ++i) {
      Number x = remaining(run, i, j, l[i * run->n + j]);
      l[i * run->n + j] = (Number){x.re / root, x.im / root};
    }
  }
  return true;
}

static MlirLogicalResult decomposeAll(Run *run, const XlaLiteral *a,
                                      XlaLiteral *result) {
  int64_t n = run->n, size = n * n;
  bool lower = xlaOpIsTrue(run->op, "lower");
  for (int64_t at = 0; at < xlaLiteralGetElementCount(a); at += size) {
    if (failed(xlaEvaluatorStep(run->evaluator, run->op, size * n / 3)))
      return failure();
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j <= i; ++j)
        run->triangle[i * n + j] =
            lower ? read(run, a, at + i * n + j)
                  : conjugate(read(run, a, at + j * n + i));
    bool definite = decompose(run);
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < n; ++j) {
        Number x = {definite ? 0 : (double)NAN, 0};
        if (definite && lower && j <= i)
          x = run->triangle[i * n + j];
        if (definite && !lower && i <= j)
          x = conjugate(run->triangle[j * n + i]);
        write(result, at + i * n + j, x);
      }
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Triangular systems
//===----------------------------------------------------------------------===//

/// What a system's coefficients are: c(i, k) is a[k, i] if `swapped`, and only
/// those on one side of the diagonal count.
typedef struct Form {
  bool left, swapped, lower, unit, conjugated;
} Form;

static Form readForm(MlirOperation op) {
  bool transposed = !xlaOpAttrIs(op, "transpose_a", "NO_TRANSPOSE");
  Form form = {.left = xlaOpIsTrue(op, "left_side"),
               .unit = xlaOpIsTrue(op, "unit_diagonal"),
               .conjugated = xlaOpAttrIs(op, "transpose_a", "ADJOINT")};
  // x * op(a) = b is op(a)^T * x^T = b^T.
  form.swapped = transposed == form.left;
  form.lower = xlaOpIsTrue(op, "lower") != form.swapped;
  return form;
}

static void readCoefficients(const Run *run, const Form *form,
                             const XlaLiteral *a, int64_t at) {
  int64_t n = run->n;
  for (int64_t i = 0; i < n; ++i)
    for (int64_t k = form->lower ? 0 : i; k < (form->lower ? i + 1 : n); ++k) {
      if (i == k && form->unit)
        continue;
      Number x = read(run, a, at + (form->swapped ? k * n + i : i * n + k));
      run->triangle[i * n + k] = form->conjugated ? conjugate(x) : x;
    }
}

/// Puts the solution in the place of the right side `x`.
static void substitute(const Run *run, const Form *form, Number *x) {
  int64_t n = run->n;
  for (int64_t step = 0; step < n; ++step) {
    int64_t i = form->lower ? step : n - 1 - step;
    const Number *row = run->triangle + i * n;
    Number sum = x[i];
    int64_t first = form->lower ? 0 : i + 1;
    for (int64_t k = first; k < first + step; ++k)
      sum = subtractProduct(run->isComplex, sum, row[k], x[k]);
    x[i] = form->unit ? sum : divide(run->isComplex, sum, row[i]);
  }
}

static MlirLogicalResult solveAll(Run *run, const XlaLiteral *a,
                                  const XlaLiteral *b, XlaLiteral *result) {
  Form form = readForm(run->op);
  int64_t n = run->n, sides = run->nUnknowns, count = n * sides;
  int64_t batches = count ? xlaLiteralGetElementCount(b) / count : 0;
  for (int64_t batch = 0; batch < batches; ++batch) {
    readCoefficients(run, &form, a, batch * n * n);
    for (int64_t side = 0; side < sides; ++side) {
      if (failed(xlaEvaluatorStep(run->evaluator, run->op, n * n / 2)))
        return failure();
      Number *x = run->unknowns;
      int64_t at = batch * count + (form.left ? side : side * n);
      int64_t stride = form.left ? sides : 1;
      for (int64_t i = 0; i < n; ++i)
        x[i] = read(run, b, at + i * stride);
      substitute(run, &form, x);
      for (int64_t i = 0; i < n; ++i)
        write(result, at + i * stride, x[i]);
    }
  }
  return success();
}

MlirLogicalResult xlaTriangularEvaluate(XlaEvaluator *evaluator,
                                        MlirOperation op, XlaOpKind kind,
                                        const XlaLiteral *const *operands,
                                        XlaLiteral **results) {
  const XlaShape *a = xlaLiteralGetShape(operands[0]);
  Run run = {.evaluator = evaluator,
             .op = op,
             .isComplex = xlaElementTypeIsComplex(a->elementType),
             .n = a->dims[a->rank - 1]};
  results[0] = xlaEvaluatorCreateResult(evaluator, op, 0);
  if (!results[0])
    return failure();
  if (!xlaLiteralGetElementCount(results[0]))
    return success();
  XlaLiteral *triangle = NULL, *unknowns = NULL;
  run.triangle = createNumbers(&run, run.n, run.n, &triangle);
  MlirLogicalResult result = failure();
  if (run.triangle && kind == XlaOpKindCholesky) {
    result = decomposeAll(&run, operands[0], results[0]);
  } else if (run.triangle) {
    const XlaShape *b = xlaLiteralGetShape(operands[1]);
    run.nUnknowns = b->dims[b->rank - (xlaOpIsTrue(op, "left_side") ? 1 : 2)];
    run.unknowns = createNumbers(&run, run.n, 1, &unknowns);
    if (run.unknowns)
      result = solveAll(&run, operands[0], operands[1], results[0]);
  }
  xlaLiteralRelease(triangle);
  xlaLiteralRelease(unknowns);
  return result;
}
