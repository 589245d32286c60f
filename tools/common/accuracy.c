//===- accuracy.c - How far right results may be apart --------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/tools/common/accuracy.h"

#include <math.h>
#include <string.h>

/// Elementwise operations whose results of complex numbers are as accurate as
/// those of their parts.
static const bool isByPart[XlaOpKindCount] = {
    [XlaOpKindAdd] = true,      [XlaOpKindCompare] = true,
    [XlaOpKindComplex] = true,  [XlaOpKindConvert] = true,
    [XlaOpKindImag] = true,     [XlaOpKindNegate] = true,
    [XlaOpKindReal] = true,     [XlaOpKindSelect] = true,
    [XlaOpKindSubtract] = true,
};

double xlaAccuracyUlps(XlaOpKind kind, XlaElementType type) {
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(type);
  double ulps = xlaOpGetInfo(kind)->ulps;
  if (ulps > 0 && info->mantissaBits != 23)
    ulps = info->mantissaBits > 23 ? 16 * ulps : 1;
  bool isElementwise = xlaOpGetInfo(kind)->family == XlaFamilyElementwise;
  if (isElementwise && info->typeClass == XlaTypeClassComplex)
    return isByPart[kind] || ulps > 16 ? ulps : 16;
  // Small floats are computed in one of several larger types.
  if (isElementwise && info->typeClass == XlaTypeClassFloat && info->bits < 16)
    return kind == XlaOpKindSelect || kind == XlaOpKindConvert ? 0 : 1;
  return ulps;
}

double xlaAccuracyUlpsOfSum(XlaElementType type, int64_t n) {
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(type);
  return info->mantissaBits < 23 ? 1 + (double)n : 2 + 2 * sqrt((double)n);
}
