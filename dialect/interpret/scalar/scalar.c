//===- scalar.c - Comparison, conversion and rounding of elements ---------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/interpret/scalar/scalar.h"

#include <math.h>

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

/// Maps a double to an integer with the total order.
static int64_t orderKey(double x) {
  union {
    double value;
    int64_t bits;
  } pun = {x};
  return pun.bits < 0 ? INT64_MAX ^ pun.bits : pun.bits;
}

/// -1, 0, 1, or 2 for unordered.
static int order(double x, double y) {
  return isnan(x) || isnan(y) ? 2 : (x > y) - (x < y);
}

bool xlaScalarCompare(XlaComparison comparison, bool totalOrder,
                      XlaElementType type, XlaScalar x, XlaScalar y) {
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(type);
  int o;
  if (info->typeClass == XlaTypeClassSigned) {
    o = (x.s > y.s) - (x.s < y.s);
  } else if (info->typeClass == XlaTypeClassFloat && totalOrder) {
    int64_t a = orderKey(x.f.re), b = orderKey(y.f.re);
    o = (a > b) - (a < b);
  } else if (info->typeClass == XlaTypeClassFloat) {
    o = order(x.f.re, y.f.re);
  } else if (info->typeClass == XlaTypeClassComplex) {
    o = order(x.f.re, y.f.re);
    int im = order(x.f.im, y.f.im);
    o = o == 2 || im == 2 ? 2 : o ? o : im;
  } else {
    o = (x.u > y.u) - (x.u < y.u);
  }
  switch (comparison) {
  case XlaComparisonEq:
    return o == 0;
  case XlaComparisonNe:
    return o != 0;
  case XlaComparisonGe:
    return o == 0 || o == 1;
  case XlaComparisonGt:
    return o == 1;
  case XlaComparisonLe:
    return o == 0 || o == -1;
  case XlaComparisonLt:
    return o == -1;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Conversion
//===----------------------------------------------------------------------===//

/// An integer as a double that rounds to narrower formats as the integer itself
/// would: beyond 53 bits the lost ones leave a trace in the last place kept.
static double roundToOdd(uint64_t magnitude) {
  if (magnitude >> 53) {
    uint64_t lost = magnitude & 0x7ff;
    magnitude = (magnitude & ~UINT64_C(0x7ff)) | (lost ? 0x800 : 0);
  }
  return (double)magnitude;
}

static double integerToDouble(bool isSigned, XlaElementType to, XlaScalar x) {
  bool wide = to == XlaElementTypeF64 || to == XlaElementTypeC128;
  if (isSigned && x.s < 0)
    return wide ? (double)x.s : -roundToOdd(0 - x.u);
  return wide ? (double)x.u : roundToOdd(x.u);
}

static XlaScalar doubleToInteger(const XlaElementTypeInfo *to, double x) {
  if (isnan(x))
    return (XlaScalar){.u = 0};
  if (to->typeClass == XlaTypeClassSigned) {
    double limit = ldexp(1, to->bits - 1);
    int64_t most = (int64_t)(~0ull >> (65 - to->bits));
    return (XlaScalar){.s = x >= limit   ? most
                            : x < -limit ? -most - 1
                                         : (int64_t)x};
  }
  double limit = ldexp(1, to->bits);
  uint64_t most = ~0ull >> (64 - to->bits);
  return (XlaScalar){.u = x >= limit ? most : x <= -1 ? 0 : (uint64_t)x};
}

static XlaScalar numberOf(double re, double im) {
  return (XlaScalar){.f = {re, im}};
}

XlaScalar xlaScalarConvert(XlaElementType from, XlaElementType to,
                           XlaScalar x) {
  const XlaElementTypeInfo *source = xlaElementTypeGetInfo(from);
  const XlaElementTypeInfo *target = xlaElementTypeGetInfo(to);
  bool floating = source->typeClass & (XlaTypeClassFloat | XlaTypeClassComplex);
  bool isComplex = source->typeClass == XlaTypeClassComplex;
  switch (target->typeClass) {
  case XlaTypeClassPred:
    // Of complex numbers the real part alone, as to every other type.
    return (XlaScalar){.u = floating ? x.f.re != 0 : x.u != 0};
  case XlaTypeClassSigned:
  case XlaTypeClassUnsigned:
    return floating ? doubleToInteger(target, x.f.re) : xlaScalarRound(to, x);
  case XlaTypeClassFloat:
  case XlaTypeClassComplex:
    break;
  }
  if (!floating)
    return numberOf(
        integerToDouble(source->typeClass == XlaTypeClassSigned, to, x), 0);
  bool keepsImaginary = isComplex && target->typeClass == XlaTypeClassComplex;
  return numberOf(x.f.re, keepsImaginary ? x.f.im : 0);
}

XlaScalar xlaScalarRead(const XlaLiteral *literal, int64_t at,
                        XlaElementType to) {
  XlaElementType from = xlaLiteralGetShape(literal)->elementType;
  XlaScalar value = xlaLiteralGet(literal, at);
  return from == to ? value
                    : xlaScalarRound(to, xlaScalarConvert(from, to, value));
}

double xlaScalarReducePrecision(XlaElementType type, double x, int exponentBits,
                                int mantissaBits) {
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(type);
  if (isnan(x))
    return x;
  if (isinf(x) || x == 0)
    return x;
  if (mantissaBits < info->mantissaBits) {
    int exponent;
    frexp(x, &exponent); // |x| in [2^(exponent-1), 2^exponent)
    // Subnormals of `type` share the least exponent.
    int least = 1 - info->bias;
    int place = (exponent - 1 > least ? exponent - 1 : least) - mantissaBits;
    double scaled = ldexp(x, -place);
    // Without mantissa bits the exponent's last bit says which number is even:
    // halfway between 2^e and 2^(e+1), the former if e + bias is.
    bool halfway = !mantissaBits && fabs(scaled) == 1.5;
    scaled = halfway && (exponent - 1 + info->bias) % 2 == 0
                 ? copysign(1, scaled)
                 : nearbyint(scaled);
    x = ldexp(scaled, place);
  }
  if (exponentBits >= info->exponentBits || x == 0 || isinf(x))
    return x;
  int bias = (1 << (exponentBits - 1)) - 1, exponent;
  frexp(x, &exponent);
  if (exponent - 1 > bias)
    return copysign(INFINITY, x);
  return exponent - 1 < 1 - bias ? copysign(0, x) : x;
}
