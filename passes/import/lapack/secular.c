//===- secular.c - Eigenvalues after a change of rank one -----------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Eigenvalues of D + c z z^T are the roots of 1 + c sum z_i^2 / (d_i - x), one
// behind each d, the poles. All are found at once, each as its distance from
// the nearer pole, by a rational function that has the two poles beside it (the
// middle way of R.-C. Li: Solving secular equations stably and efficiently),
// between bounds. Vectors belong to the z for which the roots that were found
// are exact, and so are orthogonal (M. Gu, S. Eisenstat: A stable and efficient
// algorithm for the rank-one modification of the symmetric eigenproblem).
//
// Nothing is deflated, as sizes are static. Poles that are equal are moved
// apart, and z from zero, by so little that it is lost beside the numbers; as
// distances are what is computed with, it counts there.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/import/lapack/secular.h"

#include "xlac/passes/import/lapack/jacobi.h"

#include <math.h>

enum { maxSteps = 100 };

/// What the loop keeps: the step's number; whether a root is missing; of each
/// root its distance from its pole, [b, n], and what that lies between.
enum { stateStep, stateIsLeft, stateAt, stateLow, stateHigh, stateCount };

/// Arrays [b, n] of poles in the given order, i, and of those in theirs, and of
/// roots, j.
typedef struct Secular {
  MlirValue diagonal, rank, squares; ///< i: rank is an integer, squares c z^2
  MlirValue sorted, index;           ///< j: index is a real number
  MlirValue gap;                     ///< j: to the next pole, or to a bound
  MlirValue left, right;             ///< j: squares of the poles beside
  MlirValue isRight;                 ///< j: whether the nearer pole is behind
  MlirValue origin, originIndex;     ///< j: the nearer pole
  MlirValue sign;                    ///< j: 1 or -1: where the root lies
  double apart;
} Secular;

static MlirValue binary(XlaIr *ir, const char *name, MlirValue a, MlirValue b) {
  return xlaIrBinary(ir, name, a, b);
}
static MlirValue plus(XlaIr *ir, MlirValue a, MlirValue b) {
  return binary(ir, "xla.add", a, b);
}
static MlirValue minus(XlaIr *ir, MlirValue a, MlirValue b) {
  return binary(ir, "xla.subtract", a, b);
}
static MlirValue times(XlaIr *ir, MlirValue a, MlirValue b) {
  return binary(ir, "xla.multiply", a, b);
}
static MlirValue over(XlaIr *ir, MlirValue a, MlirValue b) {
  return binary(ir, "xla.divide", a, b);
}
static MlirValue scaled(XlaIr *ir, double factor, MlirValue a) {
  return times(ir, a, xlaMatrixNumber(ir, a, factor));
}

XlaSecularLimits xlaSecularLimits(MlirValue like) {
  bool isWide = xlaArrayShape(like).elementType == XlaElementTypeF64;
  return isWide ? (XlaSecularLimits){0x1p-110, 0x1p-62, 0x1p-70}
                : (XlaSecularLimits){0x1p-48, 0x1p-30, 0x1p-36};
}

//===----------------------------------------------------------------------===//
// Matrices [b, n, n] of poles i and roots j
//===----------------------------------------------------------------------===//

static MlirValue square(XlaIr *ir, MlirValue x, int dimension) {
  XlaShape shape = xlaArrayShape(x);
  int64_t n = shape.dims[1], dims[] = {shape.dims[0], n, n},
          along[] = {0, dimension};
  return xlaArrayBroadcast(ir, x, 3, dims, along);
}

/// Numbers at roots minus poles.
static MlirValue differences(XlaIr *ir, MlirValue atRoots, MlirValue indices,
                             const Secular *s) {
  MlirValue poles = square(ir, s->diagonal, 1);
  MlirValue rank = square(
      ir, xlaArrayConvert(ir, s->rank, xlaArrayShape(poles).elementType), 1);
  MlirValue steps = minus(ir, square(ir, indices, 2), rank);
  return plus(ir, minus(ir, square(ir, atRoots, 2), poles),
              scaled(ir, s->apart, steps));
}

/// Roots, at a signed distance from their origins, minus poles.
static MlirValue distances(XlaIr *ir, MlirValue at, const Secular *s) {
  return plus(ir, differences(ir, s->origin, s->originIndex, s),
              square(ir, at, 2));
}

static MlirValue zeroOf(XlaIr *ir, MlirValue like) {
  return xlaMatrixNumber(ir, like, 0);
}

/// Whether pole i is root j's left one, or before it.
static MlirValue isBefore(XlaIr *ir, const Secular *s) {
  MlirValue rank = square(ir, s->rank, 1);
  return xlaArrayCompare(
      ir, "LE", rank,
      xlaArrayIota(ir, XlaElementTypeS32, 3, xlaArrayShape(rank).dims, 2));
}

//===----------------------------------------------------------------------===//
// One root each
//===----------------------------------------------------------------------===//

/// The solution of c x^2 - a x + b = 0 that lies between the poles.
static MlirValue quadratic(XlaIr *ir, MlirValue a, MlirValue b, MlirValue c) {
  MlirValue under = minus(ir, times(ir, a, a), scaled(ir, 4, times(ir, b, c)));
  MlirValue root = xlaIrUnary(
      ir, "xla.sqrt", binary(ir, "xla.maximum", under, zeroOf(ir, under)));
  MlirValue isPositive = xlaArrayCompare(ir, "GT", a, zeroOf(ir, a));
  MlirValue top =
      xlaArraySelect(ir, isPositive, scaled(ir, 2, b), minus(ir, a, root));
  MlirValue bottom =
      xlaArraySelect(ir, isPositive, plus(ir, a, root), scaled(ir, 2, c));
  return over(ir, top, bottom);
}

/// `x` if it lies between the bounds, else a number that does: the bounds may
/// be many orders of magnitude apart.
static MlirValue between(XlaIr *ir, MlirValue x, MlirValue low,
                         MlirValue high) {
  MlirValue isIn = binary(ir, "xla.and", xlaArrayCompare(ir, "GT", x, low),
                          xlaArrayCompare(ir, "LT", x, high));
  MlirValue isNear = xlaArrayCompare(ir, "GT", scaled(ir, 8, low), high);
  MlirValue mean = scaled(ir, 0.5, plus(ir, low, high));
  MlirValue geometric = times(ir, xlaIrUnary(ir, "xla.sqrt", low),
                              xlaIrUnary(ir, "xla.sqrt", high));
  return xlaArraySelect(ir, isIn, x,
                        xlaArraySelect(ir, isNear, mean, geometric));
}

typedef struct Sums {
  MlirValue before, behind;             ///< of c z^2 / (d - x)
  MlirValue beforeSlopes, behindSlopes; ///< of c z^2 / (d - x)^2
} Sums;

static Sums sumsAt(XlaIr *ir, MlirValue at, const Secular *s) {
  MlirValue distance = distances(ir, at, s);
  MlirValue inverse = over(ir, xlaMatrixNumber(ir, distance, -1), distance);
  MlirValue term = times(ir, square(ir, s->squares, 1), inverse);
  MlirValue slope = times(ir, term, inverse), zero = zeroOf(ir, term);
  MlirValue before = isBefore(ir, s);
  return (Sums){
      xlaArraySum(ir, xlaArraySelect(ir, before, term, zero), 2),
      xlaArraySum(ir, xlaArraySelect(ir, before, zero, term), 2),
      xlaArraySum(ir, xlaArraySelect(ir, before, slope, zero), 2),
      xlaArraySum(ir, xlaArraySelect(ir, before, zero, slope), 2),
  };
}

/// A better distance, unsigned, from the sums at one.
static MlirValue improved(XlaIr *ir, MlirValue at, MlirValue f,
                          const Sums *sums, const Secular *s) {
  MlirValue x = times(ir, at, s->sign), zero = zeroOf(ir, x);
  MlirValue first =
      minus(ir,
            xlaArraySelect(ir, s->isRight, xlaIrUnary(ir, "xla.negate", s->gap),
                           zero),
            x);
  MlirValue second = minus(ir, xlaArraySelect(ir, s->isRight, zero, s->gap), x);
  MlirValue both = times(ir, first, second);
  MlirValue slopes = plus(ir, sums->beforeSlopes, sums->behindSlopes);
  MlirValue a =
      minus(ir, times(ir, plus(ir, first, second), f), times(ir, both, slopes));
  MlirValue c = minus(ir, minus(ir, f, times(ir, first, sums->beforeSlopes)),
                      times(ir, second, sums->behindSlopes));
  MlirValue step = quadratic(ir, a, times(ir, both, f), c);
  return plus(ir, at, times(ir, s->sign, step));
}

static MlirValue any(XlaIr *ir, MlirValue x) {
  return xlaArrayReduce(ir, "xla.or", x,
                        xlaArrayNumber(ir, XlaElementTypePred, 0), 3);
}

/// A root is found when the sum is as small as its errors, or when there is
/// nothing between its bounds.
static void step(XlaIr *ir, MlirValue *state, void *user) {
  const Secular *s = user;
  MlirValue at = state[stateAt];
  double epsilon = xlaJacobiEpsilon(at);
  int64_t n = xlaArrayShape(at).dims[1];
  Sums sums = sumsAt(ir, times(ir, at, s->sign), s);
  MlirValue one = xlaMatrixNumber(ir, at, 1);
  MlirValue f = plus(ir, one, plus(ir, sums.before, sums.behind));
  MlirValue size = plus(ir, one, minus(ir, sums.behind, sums.before));
  MlirValue isFound =
      xlaArrayCompare(ir, "LE", xlaIrUnary(ir, "xla.abs", f),
                      scaled(ir, epsilon * (double)n / 4, size));
  MlirValue isNearer =
      xlaArrayCompare(ir, "GT", times(ir, f, s->sign), zeroOf(ir, f));
  MlirValue low =
      xlaArraySelect(ir, isNearer, state[stateLow],
                     binary(ir, "xla.maximum", at, state[stateLow]));
  MlirValue high = xlaArraySelect(
      ir, isNearer, binary(ir, "xla.minimum", at, state[stateHigh]),
      state[stateHigh]);
  MlirValue isNarrow = xlaArrayCompare(ir, "LE", minus(ir, high, low),
                                       scaled(ir, epsilon, high));
  MlirValue next = between(ir, improved(ir, at, f, &sums, s), low, high);
  state[stateAt] = xlaArraySelect(ir, isFound, at, next);
  state[stateLow] = low;
  state[stateHigh] = high;
  isFound = binary(ir, "xla.or", isFound, isNarrow);
  state[stateIsLeft] = any(ir, xlaIrUnary(ir, "xla.not", isFound));
  state[stateStep] = xlaMatrixAdd(ir, state[stateStep], 1);
}

static MlirValue isUnfinished(XlaIr *ir, const MlirValue *state, void *user) {
  (void)user;
  MlirValue number = state[stateStep];
  return binary(
      ir, "xla.and", state[stateIsLeft],
      xlaArrayCompare(ir, "LT", number, xlaArrayInteger(ir, number, maxSteps)));
}

//===----------------------------------------------------------------------===//
// Before and after
//===----------------------------------------------------------------------===//

/// [b, n] at the places [b, n].
static MlirValue takeAt(XlaIr *ir, MlirValue x, MlirValue places) {
  XlaShape shape = xlaArrayShape(x);
  int64_t column[] = {shape.dims[0], shape.dims[1], 1};
  x = xlaMatrixTakeRows(ir, xlaArrayReshape(ir, x, 3, column), places);
  return xlaArrayReshape(ir, x, 2, shape.dims);
}

/// What is behind each number, and `last` behind the last one, [b, 1].
static MlirValue following(XlaIr *ir, MlirValue x, MlirValue last) {
  int64_t n = xlaArrayShape(x).dims[1];
  MlirValue parts[] = {xlaMatrixPart(ir, x, 1, 1, n), last};
  return xlaArrayConcatenate(ir, 2, parts, 1);
}

/// The poles in their order, and how far they are apart.
static void order(XlaIr *ir, Secular *s) {
  XlaShape shape = xlaArrayShape(s->diagonal), column = shape;
  column.dims[1] = 1;
  MlirValue places = xlaMatrixOrder(ir, s->diagonal, true);
  s->rank = xlaMatrixInverse(ir, places);
  s->sorted = takeAt(ir, s->diagonal, places);
  s->left = takeAt(ir, s->squares, places);
  MlirValue sum =
      xlaArrayReshape(ir, xlaArraySum(ir, s->squares, 2), 2, column.dims);
  s->right = following(ir, s->left, zeroOf(ir, sum));
  s->index = xlaArrayIota(ir, shape.elementType, 2, shape.dims, 1);
  MlirValue first =
      minus(ir, xlaMatrixPart(ir, s->sorted, 1, 1, shape.dims[1]),
            xlaMatrixPart(ir, s->sorted, 1, 0, shape.dims[1] - 1));
  // The last root is no farther than what is added in all, with its errors.
  MlirValue parts[] = {plus(ir, first, xlaMatrixNumber(ir, first, s->apart)),
                       scaled(ir, 1 + 4 * xlaJacobiEpsilon(sum), sum)};
  s->gap = xlaArrayConcatenate(ir, 2, parts, 1);
}

/// Where roots lie as seen from the middle between their poles, and a first
/// guess, which takes all poles but two as they are there.
static void begin(XlaIr *ir, Secular *s, MlirValue *state) {
  XlaShape shape = xlaArrayShape(s->gap);
  MlirValue middle = scaled(ir, 0.5, s->gap), zero = zeroOf(ir, middle);
  s->origin = s->sorted;
  s->originIndex = s->index;
  MlirValue distance = distances(ir, middle, s);
  MlirValue f =
      minus(ir, xlaMatrixNumber(ir, middle, 1),
            xlaArraySum(ir, over(ir, square(ir, s->squares, 1), distance), 2));
  MlirValue isBelow = xlaArrayCompare(ir, "LT", f, zero);
  MlirValue index = xlaArrayIota(ir, XlaElementTypeS32, 2, shape.dims, 1);
  MlirValue isLast = xlaArrayCompare(
      ir, "EQ", index,
      xlaArrayInteger(ir, index, (uint64_t)(shape.dims[1] - 1)));
  s->isRight =
      binary(ir, "xla.and", isBelow, xlaIrUnary(ir, "xla.not", isLast));
  MlirValue one = xlaMatrixNumber(ir, middle, 1);
  s->sign =
      xlaArraySelect(ir, s->isRight, xlaIrUnary(ir, "xla.negate", one), one);
  MlirValue last =
      xlaMatrixPart(ir, s->sorted, 1, shape.dims[1] - 1, shape.dims[1]);
  s->origin =
      xlaArraySelect(ir, s->isRight, following(ir, s->sorted, last), s->sorted);
  s->originIndex =
      xlaArraySelect(ir, s->isRight, plus(ir, s->index, one), s->index);
  MlirValue c = minus(ir, f, over(ir, minus(ir, s->right, s->left), middle));
  MlirValue toOther = times(ir, s->sign, s->gap);
  MlirValue a = plus(ir, times(ir, c, toOther), plus(ir, s->left, s->right));
  MlirValue own = xlaArraySelect(ir, s->isRight, s->right, s->left);
  MlirValue guess =
      times(ir, s->sign, quadratic(ir, a, times(ir, own, toOther), c));
  // Of the last root alone the middle is no bound.
  MlirValue isFar = binary(ir, "xla.and", isLast, isBelow);
  bool isWide = shape.elementType == XlaElementTypeF64;
  MlirValue least = xlaMatrixNumber(ir, middle, isWide ? 0x1p-900 : 0x1p-110);
  state[stateLow] =
      binary(ir, "xla.maximum", least, xlaArraySelect(ir, isFar, middle, zero));
  state[stateHigh] = xlaArraySelect(ir, isFar, s->gap, middle);
  state[stateAt] = between(ir, guess, state[stateLow], state[stateHigh]);
  state[stateStep] = xlaArrayNumber(ir, XlaElementTypeS32, 0);
  state[stateIsLeft] = xlaArrayNumber(ir, XlaElementTypePred, 1);
}

/// The eigenvectors, as columns, for roots at signed distances.
static MlirValue vectors(XlaIr *ir, MlirValue at, MlirValue z,
                         const Secular *s) {
  MlirValue distance = distances(ir, at, s);
  MlirValue pole = differences(ir, s->sorted, s->index, s);
  MlirValue rank = square(ir, s->rank, 1);
  MlirValue isOwn = xlaArrayCompare(
      ir, "EQ", rank,
      xlaArrayIota(ir, XlaElementTypeS32, 3, xlaArrayShape(rank).dims, 2));
  MlirValue ratio =
      over(ir, distance,
           xlaArraySelect(ir, isOwn, xlaMatrixNumber(ir, pole, 1), pole));
  MlirValue product = xlaArrayReduce(
      ir, "xla.multiply", ratio,
      xlaArrayNumber(ir, xlaArrayShape(ratio).elementType, 1), 4);
  MlirValue length =
      xlaIrUnary(ir, "xla.sqrt", xlaIrUnary(ir, "xla.abs", product));
  length = xlaArraySelect(ir, xlaArrayCompare(ir, "LT", z, zeroOf(ir, z)),
                          xlaIrUnary(ir, "xla.negate", length), length);
  MlirValue u = over(ir, square(ir, length, 1), distance);
  MlirValue size = xlaIrUnary(ir, "xla.abs", u);
  MlirValue most =
      xlaArrayReduce(ir, "xla.maximum", size,
                     xlaArrayNumber(ir, xlaArrayShape(size).elementType, 0), 2);
  u = over(ir, u, square(ir, most, 2));
  MlirValue sum = xlaArraySum(ir, times(ir, u, u), 2);
  return times(ir, u, square(ir, xlaIrUnary(ir, "xla.rsqrt", sum), 2));
}

void xlaSecularSolve(XlaIr *ir, MlirValue diagonal, MlirValue z,
                     MlirValue coupling, MlirValue results[2]) {
  XlaSecularLimits limits = xlaSecularLimits(z);
  MlirValue size = binary(ir, "xla.maximum", xlaIrUnary(ir, "xla.abs", z),
                          xlaMatrixNumber(ir, z, limits.z));
  Secular s = {.diagonal = diagonal,
               .squares = times(ir, times(ir, size, size),
                                xlaMatrixAlong(ir, coupling, z, 0)),
               .apart = limits.apart};
  order(ir, &s);
  MlirValue state[stateCount];
  begin(ir, &s, state);
  XlaLoop steps = {stateCount, isUnfinished, step, &s, 0};
  xlaLoopRun(ir, &steps, state);
  MlirValue at = times(ir, state[stateAt], s.sign);
  results[0] = plus(ir, s.origin, at);
  results[1] = vectors(ir, at, z, &s);
}
