//===- accuracy.c - How far right results may be apart --------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/tools/common/accuracy.h"

#include <math.h>
#include <string.h>

/// Units in the last place between implementations, of f32 and of f64; those
/// not named are rounded correctly everywhere, but for complex numbers.
typedef struct Accuracy {
  XlaOpKind kind;
  double f32, f64;
} Accuracy;

static const Accuracy accuracies[] = {
    {XlaOpKindAtan2, 8, 128},       {XlaOpKindCbrt, 8, 128},
    {XlaOpKindCosine, 8, 128},      {XlaOpKindErf, 8, 128},
    {XlaOpKindExponential, 8, 128}, {XlaOpKindExponentialMinusOne, 8, 128},
    {XlaOpKindLog, 8, 128},         {XlaOpKindLogPlusOne, 8, 128},
    {XlaOpKindLogistic, 8, 128},    {XlaOpKindPower, 16, 256},
    {XlaOpKindRsqrt, 4, 64},        {XlaOpKindSine, 8, 128},
    {XlaOpKindTan, 16, 256},        {XlaOpKindTanh, 8, 128},
};

/// Of complex numbers: no more accurate than this; the functions more.
static double complexUlps(XlaOpKind kind) {
  switch ((int)kind) {
  case XlaOpKindAdd:
  case XlaOpKindSubtract:
  case XlaOpKindNegate:
  case XlaOpKindReal:
  case XlaOpKindImag:
  case XlaOpKindComplex:
  case XlaOpKindConvert:
  case XlaOpKindSelect:
  case XlaOpKindCompare:
    return 0;
  default:
    return 16;
  }
}

double xlaAccuracyUlps(XlaOpKind kind, XlaElementType type) {
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(type);
  double ulps = 0;
  for (size_t i = 0; i < sizeof accuracies / sizeof *accuracies; ++i)
    if (accuracies[i].kind == kind)
      ulps = info->mantissaBits > 23   ? accuracies[i].f64
             : info->mantissaBits < 23 ? 1
                                       : accuracies[i].f32;
  bool isElementwise = !strcmp(xlaOpGetInfo(kind)->family, "Elementwise");
  if (isElementwise && info->typeClass == XlaTypeClassComplex)
    return complexUlps(kind) > ulps ? complexUlps(kind) : ulps;
  // Small floats are computed in one of several larger types.
  if (isElementwise && info->typeClass == XlaTypeClassFloat && info->bits < 16)
    return kind == XlaOpKindSelect || kind == XlaOpKindConvert ? 0 : 1;
  return ulps;
}

double xlaAccuracyUlpsOfSum(XlaElementType type, int64_t n) {
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(type);
  return info->mantissaBits < 23 ? 1 + (double)n : 2 + 2 * sqrt((double)n);
}
