//===- next_after.c - The next float on the way to another ----------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/import/chlo/internal.h"

#include "xlac/passes/arrays.h"

#include <math.h>

/// Whether the magnitude gets less on the way from one number to another, of
/// which the bits, and those of the magnitudes, are integers.
static MlirValue shrinks(XlaIr *ir, MlirValue a, MlirValue b, MlirValue absA,
                         MlirValue absB, MlirValue signBit) {
  MlirValue signs =
      xlaIrBinary(ir, "xla.and", xlaIrBinary(ir, "xla.xor", a, b), signBit);
  return xlaIrBinary(
      ir, "xla.or", xlaArrayCompare(ir, "GT", absA, absB),
      xlaArrayCompare(ir, "NE", signs, xlaArrayInteger(ir, signs, 0)));
}

/// `a` and one more or, where `isLess`, one less of the integer `unit`.
static MlirValue stepOf(XlaIr *ir, MlirValue isLess, MlirValue a,
                        uint64_t unit) {
  MlirValue one = xlaArrayInteger(ir, a, unit);
  return xlaArraySelect(ir, isLess, xlaIrBinary(ir, "xla.subtract", a, one),
                        xlaIrBinary(ir, "xla.add", a, one));
}

/// By the bits: the magnitude, an integer, grows or shrinks by one.
static MlirValue nextOfBits(XlaIr *ir, const XlaElementTypeInfo *info,
                            MlirValue x, MlirValue y, XlaElementType type) {
  XlaElementType word = xlaElementTypeOfBits(info->bits, false);
  MlirValue a = xlaArrayCast(ir, "xla.bitcast_convert", x, word);
  MlirValue b = xlaArrayCast(ir, "xla.bitcast_convert", y, word);
  if (info->flavor == XlaFloatFlavorE8m0) // has no sign, and no zero
    return xlaArrayCast(ir, "xla.bitcast_convert",
                        stepOf(ir, xlaArrayCompare(ir, "GT", a, b), a, 1),
                        type);
  MlirValue signBit = xlaArrayInteger(ir, a, 1ull << (info->bits - 1));
  MlirValue one = xlaArrayInteger(ir, a, 1), zero = xlaArrayInteger(ir, a, 0);
  MlirValue magnitude = xlaIrUnary(ir, "xla.not", signBit);
  MlirValue absA = xlaIrBinary(ir, "xla.and", a, magnitude);
  MlirValue absB = xlaIrBinary(ir, "xla.and", b, magnitude);
  MlirValue next = stepOf(ir, shrinks(ir, a, b, absA, absB, signBit), a, 1);
  // From a zero to the smallest number of y's sign.
  MlirValue least =
      xlaIrBinary(ir, "xla.or", one, xlaIrBinary(ir, "xla.and", b, signBit));
  next = xlaArraySelect(ir, xlaArrayCompare(ir, "EQ", absA, zero), least, next);
  if (info->flavor == XlaFloatFlavorFnuz) // has no -0
    next = xlaArraySelect(ir, xlaArrayCompare(ir, "EQ", next, signBit), zero,
                          next);
  return xlaArrayCast(ir, "xla.bitcast_convert", next, type);
}

/// Of less than 8 bits, in f32: normal numbers by the bits of these, subnormal
/// ones by their distance.
static MlirValue nextOfValues(XlaIr *ir, const XlaElementTypeInfo *info,
                              MlirValue x, MlirValue y, XlaElementType type) {
  const char *cast = "xla.bitcast_convert";
  const int digits = 23; // of f32, behind the point
  MlirValue wide = xlaArrayCast(ir, "xla.convert", x, XlaElementTypeF32);
  MlirValue a = xlaArrayCast(ir, cast, wide, XlaElementTypeU32);
  MlirValue b = xlaArrayCast(
      ir, cast, xlaArrayCast(ir, "xla.convert", y, XlaElementTypeF32),
      XlaElementTypeU32);
  MlirValue signBit = xlaArrayInteger(ir, a, 1u << 31);
  MlirValue magnitude = xlaIrUnary(ir, "xla.not", signBit);
  MlirValue absA = xlaIrBinary(ir, "xla.and", a, magnitude);
  MlirValue absB = xlaIrBinary(ir, "xla.and", b, magnitude);
  MlirValue isZero = xlaArrayCompare(ir, "EQ", absA, xlaArrayInteger(ir, a, 0));
  MlirValue isLess =
      xlaIrBinary(ir, "xla.and", shrinks(ir, a, b, absA, absB, signBit),
                  xlaIrUnary(ir, "xla.not", isZero));
  MlirValue normal =
      stepOf(ir, isLess, absA, 1u << (digits - info->mantissaBits));
  MlirValue size = xlaIrUnary(ir, "xla.abs", wide);
  int least = 1 - info->bias; // the exponent of normal numbers
  MlirValue bound = xlaArraySplat(
      ir, xlaArrayNumber(ir, XlaElementTypeF32, ldexp(1, least)), size);
  MlirValue unit =
      xlaArraySplat(ir,
                    xlaArrayNumber(ir, XlaElementTypeF32,
                                   ldexp(1, least - info->mantissaBits)),
                    size);
  MlirValue subnormal =
      xlaArraySelect(ir, isLess, xlaIrBinary(ir, "xla.subtract", size, unit),
                     xlaIrBinary(ir, "xla.add", size, unit));
  MlirValue next = xlaArraySelect(
      ir,
      xlaArraySelect(ir, isLess, xlaArrayCompare(ir, "LE", size, bound),
                     xlaArrayCompare(ir, "LT", size, bound)),
      xlaArrayCast(ir, cast, subnormal, XlaElementTypeU32), normal);
  MlirValue sign =
      xlaIrBinary(ir, "xla.and", xlaArraySelect(ir, isZero, b, a), signBit);
  next = xlaArrayCast(ir, cast, xlaIrBinary(ir, "xla.or", next, sign),
                      XlaElementTypeF32);
  return xlaArrayCast(ir, "xla.convert", next, type);
}

bool xlaChloBuildNextAfter(XlaIr *ir, MlirValue x, MlirValue y,
                           MlirValue *result) {
  XlaElementType type =
      xlaElementTypeFromMlir(xlaIrElementType(mlirValueGetType(x)));
  if (!xlaElementTypeIsFloat(type))
    return false;
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(type);
  MlirValue next = info->bits < 8 ? nextOfValues(ir, info, x, y, type)
                                  : nextOfBits(ir, info, x, y, type);
  next = xlaArraySelect(ir, xlaArrayCompare(ir, "EQ", x, y), y, next);
  // NaN, if one of them is: a sum that nothing else is needed of.
  MlirValue ordered =
      xlaIrBinary(ir, "xla.and", xlaArrayCompare(ir, "EQ", x, x),
                  xlaArrayCompare(ir, "EQ", y, y));
  *result = xlaArraySelect(ir, ordered, next, xlaIrBinary(ir, "xla.add", x, y));
  return true;
}
