//===- floats.c - Floats of up to 8 bits as f32 ---------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer arithmetic on the bits of f32, after what dialect/element_type.def
// says of the formats: every value of them is one of f32, and rounding is one
// addition below the last bit that is kept.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/narrow/narrow.h"

#include <math.h>

enum {
  f32Mantissa = 23,
  f32Bias = 127,
  f32Infinity = 0x7f800000,
  f32NaN = 0x7fc00000,
};

static MlirValue number(XlaIr *ir, MlirValue like, uint32_t value) {
  return xlaArrayInteger(ir, like, value);
}

/// `a` with the constant `b`, by the operation `name`.
static MlirValue with(XlaIr *ir, const char *name, MlirValue a, uint32_t b) {
  return xlaIrBinary(ir, name, a, number(ir, a, b));
}

static MlirValue is(XlaIr *ir, const char *direction, MlirValue a, uint32_t b) {
  return xlaArrayCompare(ir, direction, a, number(ir, a, b));
}

static MlirValue choose(XlaIr *ir, MlirValue pred, uint32_t yes, MlirValue no) {
  return xlaArraySelect(ir, pred, number(ir, no, yes), no);
}

static MlirValue bitsOf(XlaIr *ir, MlirValue floats) {
  return xlaArrayCast(ir, "xla.bitcast_convert", floats, XlaElementTypeU32);
}

static MlirValue floatsOf(XlaIr *ir, MlirValue bits) {
  return xlaArrayCast(ir, "xla.bitcast_convert", bits, XlaElementTypeF32);
}

static MlirValue floatNumber(XlaIr *ir, MlirValue like, double value) {
  return xlaArraySplat(ir, xlaArrayNumber(ir, XlaElementTypeF32, value), like);
}

static int widthOf(const XlaElementTypeInfo *info) {
  return info->exponentBits + info->mantissaBits;
}

/// All ones but the sign.
static uint32_t onesOf(const XlaElementTypeInfo *info) {
  return (1u << widthOf(info)) - 1;
}

/// Ieee: the bits of infinity, above which NaNs are.
static uint32_t infinityOf(const XlaElementTypeInfo *info) {
  return onesOf(info) >> info->mantissaBits << info->mantissaBits;
}

//===----------------------------------------------------------------------===//
// Decode
//===----------------------------------------------------------------------===//

static MlirValue decodeE8m0(XlaIr *ir, MlirValue bits) {
  MlirValue shifted = with(ir, "xla.shift_left", bits, f32Mantissa);
  // 2^-127 is a subnormal number of f32.
  MlirValue low = choose(ir, is(ir, "EQ", bits, 0), 0x400000, shifted);
  return floatsOf(ir, choose(ir, is(ir, "EQ", bits, 255), f32NaN, low));
}

/// The magnitude's bits in f32 without what the format makes of special ones.
static MlirValue decodeNumber(XlaIr *ir, const XlaElementTypeInfo *info,
                              MlirValue magnitude) {
  int m = info->mantissaBits;
  MlirValue normal =
      with(ir, "xla.add",
           with(ir, "xla.shift_left", magnitude, (uint32_t)(f32Mantissa - m)),
           (uint32_t)(f32Bias - info->bias) << f32Mantissa);
  MlirValue unit = floatNumber(ir, magnitude, ldexp(1, 1 - info->bias - m));
  MlirValue subnormal =
      xlaIrBinary(ir, "xla.multiply",
                  xlaArrayConvert(ir, magnitude, XlaElementTypeF32), unit);
  return xlaArraySelect(ir, is(ir, "LT", magnitude, 1u << m),
                        bitsOf(ir, subnormal), normal);
}

MlirValue xlaNarrowDecode(XlaIr *ir, XlaElementType type, MlirValue bits) {
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(type);
  bits = xlaArrayConvert(ir, bits, XlaElementTypeU32);
  if (info->flavor == XlaFloatFlavorE8m0)
    return decodeE8m0(ir, bits);
  int width = widthOf(info), m = info->mantissaBits;
  MlirValue magnitude = with(ir, "xla.and", bits, onesOf(info));
  MlirValue value = decodeNumber(ir, info, magnitude);
  if (info->flavor == XlaFloatFlavorIeee) {
    MlirValue special =
        with(ir, "xla.or",
             with(ir, "xla.shift_left", magnitude, (uint32_t)(f32Mantissa - m)),
             f32Infinity);
    value = xlaArraySelect(ir, is(ir, "GE", magnitude, infinityOf(info)),
                           special, value);
  } else if (info->flavor == XlaFloatFlavorFn) {
    value = choose(ir, is(ir, "EQ", magnitude, onesOf(info)), f32NaN, value);
  }
  MlirValue sign =
      with(ir, "xla.shift_left",
           with(ir, "xla.shift_right_logical", bits, (uint32_t)width), 31);
  value = xlaIrBinary(ir, "xla.or", value, sign);
  if (info->flavor == XlaFloatFlavorFnuz)
    value = choose(ir, is(ir, "EQ", bits, 1u << width), f32NaN, value);
  return floatsOf(ir, value);
}

//===----------------------------------------------------------------------===//
// Encode
//===----------------------------------------------------------------------===//

/// Halves go up. There is no zero, no sign and no infinity: those are NaN.
static MlirValue encodeE8m0(XlaIr *ir, MlirValue bits) {
  MlirValue normal = with(ir, "xla.shift_right_logical",
                          with(ir, "xla.add", bits, 0x400000), f32Mantissa);
  // Below 2^-126, the only ones are 2^-127 and, rounded up, 2^-126.
  MlirValue subnormal =
      xlaArrayConvert(ir, is(ir, "GE", bits, 0x600000), XlaElementTypeU32);
  MlirValue value =
      xlaArraySelect(ir, is(ir, "LT", bits, 0x800000), subnormal, normal);
  MlirValue isNaN = xlaIrBinary(ir, "xla.or", is(ir, "EQ", bits, 0),
                                is(ir, "GE", bits, f32Infinity));
  return choose(ir, isNaN, 255, value);
}

/// The bits of the nearest number, of two equally near the even one; beyond the
/// largest they count on.
static MlirValue encodeNumber(XlaIr *ir, const XlaElementTypeInfo *info,
                              MlirValue magnitude) {
  int m = info->mantissaBits;
  uint32_t shift = (uint32_t)(f32Mantissa - m);
  MlirValue odd = with(
      ir, "xla.and", with(ir, "xla.shift_right_logical", magnitude, shift), 1);
  MlirValue up = with(ir, "xla.add", magnitude, (1u << (shift - 1)) - 1);
  MlirValue normal = with(ir, "xla.subtract",
                          with(ir, "xla.shift_right_logical",
                               xlaIrBinary(ir, "xla.add", up, odd), shift),
                          (uint32_t)(f32Bias - info->bias) << m);
  // The last place of this sum is that of the subnormal numbers.
  int least = 1 - info->bias;
  MlirValue large =
      floatNumber(ir, magnitude, ldexp(1, f32Mantissa + least - m));
  MlirValue sum = xlaIrBinary(ir, "xla.add", floatsOf(ir, magnitude), large);
  MlirValue subnormal =
      xlaIrBinary(ir, "xla.subtract", bitsOf(ir, sum), bitsOf(ir, large));
  return xlaArraySelect(
      ir, is(ir, "LT", magnitude, (uint32_t)(f32Bias + least) << f32Mantissa),
      subnormal, normal);
}

/// The bits of what is too large, without its sign.
static uint32_t overflowOf(const XlaElementTypeInfo *info) {
  if (info->flavor == XlaFloatFlavorIeee)
    return infinityOf(info);
  return info->flavor == XlaFloatFlavorFnuz ? 1u << widthOf(info)
                                            : onesOf(info);
}

/// Ieee: a payload that does not fit becomes the quiet bit alone.
static MlirValue encodeNaN(XlaIr *ir, const XlaElementTypeInfo *info,
                           MlirValue magnitude) {
  int m = info->mantissaBits;
  if (info->flavor != XlaFloatFlavorIeee)
    return number(ir, magnitude,
                  info->flavor == XlaFloatFlavorFn ? onesOf(info)
                                                   : 1u << widthOf(info));
  MlirValue payload =
      with(ir, "xla.shift_right_logical",
           with(ir, "xla.and", magnitude, (1u << f32Mantissa) - 1),
           (uint32_t)(f32Mantissa - m));
  payload = choose(ir, is(ir, "EQ", payload, 0), 1u << (m - 1), payload);
  return with(ir, "xla.or", payload, infinityOf(info));
}

/// Whether there is a pattern for what is too large: Finite has none, and Fnuz
/// that of -0.
static bool overflows(const XlaElementTypeInfo *info) {
  return info->flavor == XlaFloatFlavorIeee || info->flavor == XlaFloatFlavorFn;
}

/// The bits of the largest number.
static uint32_t largestOf(const XlaElementTypeInfo *info) {
  return overflows(info) ? overflowOf(info) - 1 : onesOf(info);
}

MlirValue xlaNarrowEncode(XlaIr *ir, XlaElementType type, MlirValue values) {
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(type);
  MlirValue bits = bitsOf(ir, values);
  if (info->flavor == XlaFloatFlavorE8m0)
    return xlaArrayConvert(ir, encodeE8m0(ir, bits), XlaElementTypeU8);
  int width = widthOf(info);
  MlirValue magnitude = with(ir, "xla.and", bits, 0x7fffffff);
  MlirValue value = encodeNumber(ir, info, magnitude);
  value =
      choose(ir, is(ir, "GT", value, largestOf(info)), overflowOf(info), value);
  MlirValue isNaN = is(ir, "GT", magnitude, f32Infinity);
  MlirValue nan = encodeNaN(ir, info, magnitude);
  if (overflows(info))
    value = xlaArraySelect(ir, isNaN, nan, value);
  MlirValue sign =
      with(ir, "xla.shift_left", with(ir, "xla.shift_right_logical", bits, 31),
           (uint32_t)width);
  if (info->flavor == XlaFloatFlavorFnuz)
    sign = choose(ir, is(ir, "EQ", value, 0), 0, sign);
  value = xlaIrBinary(ir, "xla.or", value, sign);
  if (!overflows(info))
    value = xlaArraySelect(ir, isNaN, nan, value);
  return xlaArrayConvert(ir, value, XlaElementTypeU8);
}

//===----------------------------------------------------------------------===//
// reduce_precision
//===----------------------------------------------------------------------===//

/// The bits of the least number that is 2^exponent or more.
static uint32_t bitsOfPower(const XlaElementTypeInfo *info, int exponent) {
  int m = info->mantissaBits, least = 1 - info->bias; // of normal numbers
  if (info->flavor == XlaFloatFlavorE8m0)
    least = -info->bias;
  if (exponent >= least)
    return (uint32_t)(exponent + info->bias) << m;
  return exponent > least - m ? 1u << (exponent - least + m) : 1;
}

/// Of two numbers equally near that of which the last bit is 0; a carry runs
/// into the exponent.
static MlirValue dropMantissa(XlaIr *ir, MlirValue magnitude, uint32_t n) {
  MlirValue odd =
      with(ir, "xla.and", with(ir, "xla.shift_right_logical", magnitude, n), 1);
  MlirValue up = xlaIrBinary(
      ir, "xla.add", with(ir, "xla.add", magnitude, (1u << (n - 1)) - 1), odd);
  return with(ir, "xla.shift_left", with(ir, "xla.shift_right_logical", up, n),
              n);
}

/// `value`, but what is NaN stays as it is.
static MlirValue keepNaN(XlaIr *ir, const XlaElementTypeInfo *info,
                         MlirValue bits, MlirValue magnitude, MlirValue value) {
  MlirValue isNaN = {NULL};
  switch (info->flavor) {
  case XlaFloatFlavorFinite:
    return value;
  case XlaFloatFlavorIeee:
    isNaN = is(ir, "GT", magnitude, infinityOf(info));
    break;
  case XlaFloatFlavorFnuz:
    isNaN = is(ir, "EQ", bits, overflowOf(info));
    break;
  case XlaFloatFlavorFn:
  case XlaFloatFlavorE8m0:
  case XlaFloatFlavorNone:
    isNaN = is(ir, "EQ", magnitude, onesOf(info));
  }
  return xlaArraySelect(ir, isNaN, bits, value);
}

MlirValue xlaNarrowReducePrecision(XlaIr *ir, XlaElementType type,
                                   MlirValue bits, int64_t exponentBits,
                                   int64_t mantissaBits) {
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(type);
  bool isE8m0 = info->flavor == XlaFloatFlavorE8m0;
  uint32_t overflow = overflowOf(info);
  bits = xlaArrayConvert(ir, bits, XlaElementTypeU32);
  MlirValue magnitude = with(ir, "xla.and", bits, onesOf(info));
  MlirValue value = magnitude;
  if (mantissaBits < info->mantissaBits)
    value =
        dropMantissa(ir, value, (uint32_t)(info->mantissaBits - mantissaBits));
  uint32_t end = largestOf(info) + 1;
  if (exponentBits < info->exponentBits) {
    int bias = (1 << (exponentBits - 1)) - 1;
    uint32_t first = bitsOfPower(info, bias + 1);
    end = first < end ? first : end;
    // 0 is no number of e8m0.
    value = choose(ir, is(ir, "LT", value, bitsOfPower(info, 1 - bias)),
                   isE8m0 ? overflow : 0, value);
  }
  value = choose(ir, is(ir, "GE", value, end), overflow, value);
  MlirValue sign = with(ir, "xla.and", bits, ~onesOf(info));
  if (info->flavor == XlaFloatFlavorFnuz)
    sign = choose(ir, is(ir, "EQ", value, 0), 0, sign);
  value = xlaIrBinary(ir, "xla.or", value, sign);
  value = keepNaN(ir, info, bits, magnitude, value);
  return xlaArrayConvert(ir, value, XlaElementTypeU8);
}

//===----------------------------------------------------------------------===//
// Round to odd
//===----------------------------------------------------------------------===//

MlirValue xlaNarrowRoundToOdd(XlaIr *ir, MlirValue values) {
  XlaElementType type = xlaArrayShape(values).elementType;
  MlirValue nearest = xlaArrayConvert(ir, values, XlaElementTypeF32);
  MlirValue back = xlaArrayConvert(ir, nearest, type);
  MlirValue away = values, magnitude = back;
  if (xlaElementTypeIsFloat(type) ||
      xlaElementTypeGetInfo(type)->typeClass == XlaTypeClassSigned) {
    away = xlaIrUnary(ir, "xla.abs", values);
    magnitude = xlaIrUnary(ir, "xla.abs", back);
  }
  MlirValue isAway = xlaArrayCompare(ir, "GT", magnitude, away);
  MlirValue isInexact = xlaIrBinary(ir, "xla.or", isAway,
                                    xlaArrayCompare(ir, "LT", magnitude, away));
  MlirValue bits = bitsOf(ir, nearest);
  bits = xlaIrBinary(ir, "xla.subtract", bits,
                     xlaArrayConvert(ir, isAway, XlaElementTypeU32));
  return floatsOf(
      ir, xlaIrBinary(ir, "xla.or", bits,
                      xlaArrayConvert(ir, isInexact, XlaElementTypeU32)));
}
