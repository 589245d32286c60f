//===- vary.c - Other right results ---------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How close results of two devices must be depends on the program: a sum of
// large numbers that cancel is as far from 0 as their rounding. So the
// interpreter computes the program again, taking the liberties that devices
// take: functions that are not rounded correctly are off, numbers that are
// added up are off as much as another order makes the sum, or overflow on the
// way, denormals are zeros and NaNs have the other sign.
// What is exact on all devices is left alone.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/ir.h"
#include "xlac/tools/common/accuracy.h"
#include "xlac/tools/xla-run/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// The one that adds up terms of one sign first.
enum { OneSignFirst = XLA_RUN_VARIATIONS - 1 };

typedef struct Variation {
  enum { Up, Down, Flush, Any } manner;
  uint64_t random;
} Variation;

static uint64_t next(uint64_t *state) { // splitmix64
  uint64_t z = *state += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

//===----------------------------------------------------------------------===//
// Which operations are inexact
//===----------------------------------------------------------------------===//

static bool isOfFamily(XlaOpKind kind, XlaFamily family) {
  return xlaOpGetInfo(kind)->family == family;
}

/// Whether a region does more than choose among its arguments.
static bool computes(MlirOperation op) {
  static const XlaOpKind choices[] = {
      XlaOpKindMaximum, XlaOpKindMinimum, XlaOpKindCompare,  XlaOpKindSelect,
      XlaOpKindAnd,     XlaOpKindOr,      XlaOpKindConstant, XlaOpKindReturn};
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
    for (MlirOperation at = mlirBlockGetFirstOperation(
             mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r)));
         !mlirOperationIsNull(at); at = mlirOperationGetNextInBlock(at)) {
      bool chooses = false;
      for (size_t i = 0; i < sizeof choices / sizeof *choices; ++i)
        chooses |= xlaOpGetKind(at) == choices[i];
      if (!chooses)
        return true;
    }
  return false;
}

/// Whether operations of a family add up, in an order of their own.
typedef enum Sums {
  SumsNever,
  SumsAlways,
  SumsByRegion, ///< if they have a region that computes
} Sums;

static bool sums(MlirOperation op, XlaOpKind kind) {
  static const Sums families[XlaFamilyCount] = {
      [XlaFamilyBatchNorm] = SumsAlways,
      [XlaFamilyCollective] = SumsByRegion,
      [XlaFamilyConvolution] = SumsAlways,
      [XlaFamilyDot] = SumsAlways,
      [XlaFamilyFft] = SumsAlways,
      [XlaFamilyReduce] = SumsByRegion,
      [XlaFamilyReduceWindow] = SumsByRegion,
      [XlaFamilyScan] = SumsByRegion,
      [XlaFamilyScatter] = SumsByRegion,
      [XlaFamilyTriangular] = SumsAlways,
  };
  Sums adds = families[xlaOpGetInfo(kind)->family];
  if (adds == SumsByRegion)
    return kind != XlaOpKindMap && computes(op);
  return adds == SumsAlways;
}

static double countOf(MlirValue value) {
  XlaShape shape;
  int64_t count;
  return xlaShapeFromMlirBounded(mlirValueGetType(value), &shape, NULL) &&
                 xlaShapeGetElementCount(&shape, &count)
             ? (double)count
             : 1;
}

/// About as many numbers as one element of the result is the sum of.
static double summands(MlirOperation op, XlaOpKind kind) {
  double operand = 1, result = countOf(mlirOperationGetResult(op, 0));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    operand = fmax(operand, countOf(mlirOperationGetOperand(op, i)));
  if (isOfFamily(kind, XlaFamilyDot))
    return sqrt(countOf(mlirOperationGetOperand(op, 0)) *
                countOf(mlirOperationGetOperand(op, 1)) / fmax(result, 1));
  return kind == XlaOpKindReduce ? operand / fmax(result, 1) : operand;
}

/// By how many units in the last place a value is off; 0: not at all.
static double ulpsOf(MlirOperation op, XlaOpKind kind, bool isResult,
                     XlaElementType type) {
  if (!isResult)
    return sums(op, kind)
               ? xlaAccuracyUlpsOfSum(type, (int64_t)summands(op, kind))
               : 0;
  // Vulkan's own accuracy.
  bool divides = kind == XlaOpKindDivide || kind == XlaOpKindSqrt;
  return fmax(xlaAccuracyUlps(kind, type), divides ? 3 : 0);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static double turned(Variation *v, double x, double step) {
  uint64_t random = next(&v->random);
  double sign = v->manner == Up     ? 1
                : v->manner == Down ? -1
                : random >> 60 & 1  ? 1
                                    : -1;
  double part = v->manner == Any ? (double)(random >> 32 & 255) / 255 : 1;
  return x * (1 + sign * step * part);
}

/// `x`, off by up to `step`, or its denormals flushed and the sign of a NaN
/// turned, which `turns` allows.
static double other(Variation *v, double x, double step, double least,
                    bool turns) {
  if (isnan(x))
    return turns && v->manner == Flush ? -x : x;
  if (v->manner != Flush)
    return turned(v, x, step);
  return fabs(x) < least ? copysign(0, x) : x;
}

static XlaLiteral *varied(Variation *v, const XlaLiteral *value, double ulps,
                          bool turns) {
  const XlaShape *shape = xlaLiteralGetShape(value);
  bool complex = xlaElementTypeIsComplex(shape->elementType);
  const XlaElementTypeInfo *info =
      xlaElementTypeGetInfo(xlaElementTypeReal(shape->elementType));
  double step = fmin(ldexp(ulps, -info->mantissaBits), 0.5);
  double least = ldexp(1, 1 - info->bias);
  XlaLiteral *copy = xlaLiteralCreateArray(shape);
  for (int64_t i = 0; copy && i < xlaLiteralGetElementCount(copy); ++i) {
    XlaScalar x = xlaLiteralGet(value, i);
    x.f.re = other(v, x.f.re, step, least, turns);
    x.f.im = complex ? other(v, x.f.im, step, least, turns) : 0;
    xlaLiteralSet(copy, i, x);
  }
  return copy;
}

/// Elementwise operations that move or test the bits of floats.
static bool movesBits(XlaOpKind kind) {
  return kind == XlaOpKindSelect || kind == XlaOpKindReal ||
         kind == XlaOpKindImag || kind == XlaOpKindComplex ||
         kind == XlaOpKindNegate || kind == XlaOpKindAbs;
}

XlaLiteral *xlaRunVary(MlirOperation op, bool isResult, const XlaLiteral *value,
                       XlaRunVariation *variation) {
  XlaOpKind kind = xlaOpGetKind(op);
  if (kind == XlaOpKindInvalid ||
      xlaLiteralGetKind(value) != XlaLiteralKindArray)
    return NULL;
  XlaElementType type = xlaLiteralGetShape(value)->elementType;
  if (!xlaElementTypeIsFloat(type) && !xlaElementTypeIsComplex(type))
    return NULL;
  if (variation->number == OneSignFirst && xlaElementTypeIsFloat(type)) {
    if (isResult)
      return xlaRunSumEnd(op, value, variation);
    xlaRunSumAdd(op, value, variation);
    return NULL;
  }
  Variation v = {variation->number < Any ? variation->number : Any,
                 variation->random};
  bool flushes = v.manner == Flush && !movesBits(kind) &&
                 (isOfFamily(kind, XlaFamilyElementwise) ||
                  isOfFamily(kind, XlaFamilyReduce) ||
                  isOfFamily(kind, XlaFamilyReduceWindow) ||
                  isOfFamily(kind, XlaFamilyScan) || sums(op, kind));
  double ulps = v.manner == Flush
                    ? 0
                    : ulpsOf(op, kind, isResult, xlaElementTypeReal(type));
  XlaLiteral *made =
      flushes || ulps > 0 ? varied(&v, value, ulps, isResult) : NULL;
  variation->random = v.random;
  return made;
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

/// Whether results may be varied: not if the user says how close they must be.
static bool mayVary(const XlaRun *run) {
  return run->options.relative < 0 && run->options.absolute < 0;
}

int xlaRunVariations(XlaRun *run, MlirOperation function, intptr_t nInputs,
                     const XlaLiteral *const *inputs,
                     XlaProgramValues variations[XLA_RUN_VARIATIONS],
                     XlaRunFeed *feeds[XLA_RUN_VARIATIONS],
                     XlaRunObserve observe, void *data) {
  int n = 0;
  while (mayVary(run) && n < XLA_RUN_VARIATIONS) {
    XlaRunVariation variation = {n, (uint64_t)n << 32, NULL};
    XlaProgramValues *values = &variations[n];
    XlaRunPlace place = {.feed = xlaRunFeedCreate(&run->options.infeeds)};
    XlaToolCode code = place.feed ? XlaToolCodeOk : XlaToolCodeRefused;
    if (code == XlaToolCodeOk)
      code = xlaProgramValuesCreate(&run->program, function, true, values);
    if (code == XlaToolCodeOk)
      code = xlaRunInterpret(run, run->program.module, function, &place,
                             xlaRunIgnoreCheck, nInputs, inputs, values->count,
                             values->items, observe, data, &variation);
    xlaRunVariationFree(&variation);
    if (code == XlaToolCodeOk && feeds)
      feeds[n] = place.feed;
    else
      xlaRunFeedDestroy(place.feed);
    if (code != XlaToolCodeOk) {
      if (place.feed)
        xlaProgramValuesDestroy(values);
      break;
    }
    ++n;
  }
  return n;
}
