//===- convert.c - Conversions between element types ----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every conversion rounds once. Where the hardware's way is two roundings (f64
// or wide integers to f16 or bf16) the first one rounds to odd: an inexact
// value gets its last bit set, so that the second rounding sees on which side
// of a tie it lies (Boldo and Melquiond, "Emulation of a FMA and correctly
// rounded sums: proved algorithms using rounding to odd", 2008).
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/linalg/scalar.h"

#include "mlir-c/BuiltinTypes.h"

#include <math.h>

static XlaTypeClass classOf(XlaElementType type) {
  return xlaElementTypeGetInfo(type)->typeClass;
}

static int bitsOf(XlaElementType type) {
  return xlaElementTypeGetInfo(type)->bits;
}

static MlirValue integer(XlaIr *ir, MlirValue like, int64_t value) {
  return xlaIrConstantInt(ir, mlirValueGetType(like), value);
}

static MlirValue floating(XlaIr *ir, MlirValue like, double value) {
  return xlaIrConstantFloat(ir, mlirValueGetType(like), value);
}

/// f64 to f32, rounded to odd. Infinities and NaNs stay.
static MlirValue roundToOdd(XlaIr *ir, MlirValue x) {
  MlirType f64 = mlirF64TypeGet(ir->context), f32 = mlirF32TypeGet(ir->context);
  MlirType i32 = mlirIntegerTypeGet(ir->context, 32);
  MlirValue nearest = xlaIrCast(ir, "arith.truncf", x, f32);
  MlirValue back = xlaIrCast(ir, "arith.extf", nearest, f64);
  MlirValue inexact = xlaIrCmpF(ir, "one", back, x);
  MlirValue tooLarge = xlaIrCmpF(ir, "ogt", xlaIrUnary(ir, "math.absf", back),
                                 xlaIrUnary(ir, "math.absf", x));
  MlirValue bits = xlaIrCast(ir, "arith.bitcast", nearest, i32);
  MlirValue below =
      xlaIrBinary(ir, "arith.subi", bits, xlaIrConstantInt(ir, i32, 1));
  MlirValue truncated = xlaIrSelect(ir, tooLarge, below, bits);
  MlirValue odd =
      xlaIrBinary(ir, "arith.ori", truncated, xlaIrConstantInt(ir, i32, 1));
  return xlaIrCast(ir, "arith.bitcast", xlaIrSelect(ir, inexact, odd, bits),
                   f32);
}

static MlirValue floatToFloat(XlaIr *ir, XlaElementType from, XlaElementType to,
                              MlirValue x) {
  MlirType type = xlaScalarRegisterType(to, ir->context);
  if (from == to)
    return x;
  if (bitsOf(from) == 64 && bitsOf(to) == 16)
    return xlaIrCast(ir, "arith.truncf", roundToOdd(ir, x), type);
  int bits = bitsOf(from);
  if (bits == 16 && bitsOf(to) == 16) { // f16 and bf16
    x = xlaIrCast(ir, "arith.extf", x, mlirF32TypeGet(ir->context));
    bits = 32;
  }
  return xlaIrCast(ir, bits < bitsOf(to) ? "arith.extf" : "arith.truncf", x,
                   type);
}

static MlirValue integerToInteger(XlaIr *ir, XlaElementType from,
                                  XlaElementType to, MlirValue x) {
  MlirType type = xlaScalarRegisterType(to, ir->context);
  int a = bitsOf(from), b = bitsOf(to);
  if (a == b)
    return x;
  const char *extend =
      classOf(from) == XlaTypeClassSigned ? "arith.extsi" : "arith.extui";
  return xlaIrCast(ir, a > b ? "arith.trunci" : extend, x, type);
}

/// `x`, of 32 bits, as an integer that f32 holds exactly and that rounds like
/// it to far fewer bits: beyond 24 bits the lowest 8 become one sticky bit.
static MlirValue stickyBits(XlaIr *ir, bool isSigned, MlirValue x) {
  MlirValue low = xlaIrBinary(ir, "arith.andi", x, integer(ir, x, 0xff));
  MlirValue sticky =
      xlaIrSelect(ir, xlaIrCmpI(ir, "ne", low, integer(ir, x, 0)),
                  integer(ir, x, 0x100), integer(ir, x, 0));
  MlirValue cut = xlaIrBinary(ir, "arith.ori",
                              xlaIrBinary(ir, "arith.xori", x, low), sticky);
  // Two's complement truncates towards minus infinity; a set bit is a trace of
  // the rest on either side.
  MlirValue magnitude = isSigned ? xlaIrUnary(ir, "math.absi", x) : x;
  MlirValue wide = xlaIrCmpI(ir, "ugt", magnitude, integer(ir, x, 1 << 24));
  return xlaIrSelect(ir, wide, cut, x);
}

/// The upper bits of `x`, of 64 bits, that fit 32, at least 15 of them unless
/// all do, and a sticky bit in the last; and the power of two, of f32, that
/// they are to be multiplied by.
static MlirValue upperBits(XlaIr *ir, bool isSigned, MlirValue x,
                           MlirValue *factor) {
  const char *shift = isSigned ? "arith.shrsi" : "arith.shrui";
  MlirType i32 = mlirIntegerTypeGet(ir->context, 32);
  MlirType f32 = mlirF32TypeGet(ir->context);
  MlirValue magnitude = isSigned ? xlaIrUnary(ir, "math.absi", x) : x;
  MlirValue result = xlaIrCast(ir, "arith.trunci", x, i32);
  *factor = xlaIrConstantFloat(ir, f32, 1);
  for (int bits = 16; bits <= 32; bits += 16) {
    MlirValue low = xlaIrBinary(ir, "arith.andi", x,
                                integer(ir, x, (INT64_C(1) << bits) - 1));
    MlirValue upper =
        xlaIrCast(ir, "arith.trunci",
                  xlaIrBinary(ir, shift, x, integer(ir, x, bits)), i32);
    MlirValue sticky = xlaIrCast(
        ir, "arith.extui", xlaIrCmpI(ir, "ne", low, integer(ir, x, 0)), i32);
    MlirValue isLarge = xlaIrCmpI(ir, "uge", magnitude,
                                  integer(ir, x, INT64_C(1) << (15 + bits)));
    result = xlaIrSelect(ir, isLarge,
                         xlaIrBinary(ir, "arith.ori", upper, sticky), result);
    *factor = xlaIrSelect(ir, isLarge,
                          xlaIrConstantFloat(ir, f32, ldexp(1, bits)), *factor);
  }
  return result;
}

static MlirValue integerToFloat(XlaIr *ir, XlaElementType from,
                                XlaElementType to, MlirValue x) {
  bool isSigned = classOf(from) == XlaTypeClassSigned;
  const char *name = isSigned ? "arith.sitofp" : "arith.uitofp";
  MlirType type = xlaScalarRegisterType(to, ir->context);
  MlirType f32 = mlirF32TypeGet(ir->context);
  if (bitsOf(to) >= 32)
    return xlaIrCast(ir, name, x, type);
  // Integers below 2^24 are exact in f32, and all others overflow f16.
  if (bitsOf(from) <= 16 || to == XlaElementTypeF16)
    return xlaIrCast(ir, "arith.truncf", xlaIrCast(ir, name, x, f32), type);
  MlirValue factor = {NULL};
  if (bitsOf(from) == 64)
    x = upperBits(ir, isSigned, x, &factor);
  MlirValue exact = xlaIrCast(ir, name, stickyBits(ir, isSigned, x), f32);
  if (factor.ptr)
    exact = xlaIrBinary(ir, "arith.mulf", exact, factor);
  return xlaIrCast(ir, "arith.truncf", exact, type);
}

/// Truncates, saturates, and gives 0 for NaN. The conversion itself is poison
/// out of range, and then not selected.
static MlirValue floatToInteger(XlaIr *ir, XlaElementType to, MlirValue x) {
  if (bitsOf(xlaElementTypeFromMlir(mlirValueGetType(x))) == 16)
    x = xlaIrCast(ir, "arith.extf", x, mlirF32TypeGet(ir->context));
  MlirType type = xlaScalarRegisterType(to, ir->context);
  bool isSigned = classOf(to) == XlaTypeClassSigned;
  int bits = bitsOf(to);
  MlirValue result =
      xlaIrCast(ir, isSigned ? "arith.fptosi" : "arith.fptoui", x, type);
  int64_t most = (int64_t)(~UINT64_C(0) >> (64 - bits + isSigned));
  MlirValue zero = xlaIrConstantInt(ir, type, 0);
  MlirValue over =
      xlaIrCmpF(ir, "oge", x, floating(ir, x, ldexp(1, bits - isSigned)));
  result = xlaIrSelect(ir, over, xlaIrConstantInt(ir, type, most), result);
  if (!isSigned)
    return xlaIrSelect(ir, xlaIrCmpF(ir, "ogt", x, floating(ir, x, 0)), result,
                       zero);
  MlirValue under =
      xlaIrCmpF(ir, "olt", x, floating(ir, x, -ldexp(1, bits - 1)));
  result =
      xlaIrSelect(ir, under, xlaIrConstantInt(ir, type, -most - 1), result);
  return xlaIrSelect(ir, xlaIrCmpF(ir, "uno", x, x), zero, result);
}

static MlirValue toPred(XlaIr *ir, XlaElementType from, MlirValue x) {
  if (from == XlaElementTypePred)
    return x;
  if (classOf(from) != XlaTypeClassFloat)
    return xlaIrCmpI(ir, "ne", x, integer(ir, x, 0));
  if (bitsOf(from) == 16)
    x = xlaIrCast(ir, "arith.extf", x, mlirF32TypeGet(ir->context));
  return xlaIrCmpF(ir, "une", x, floating(ir, x, 0));
}

MlirValue xlaLowerConvert(XlaIr *ir, XlaElementType from, XlaElementType to,
                          MlirValue x) {
  if (to == XlaElementTypePred)
    return toPred(ir, from, x);
  bool fromFloat = classOf(from) == XlaTypeClassFloat;
  bool toFloat = classOf(to) == XlaTypeClassFloat;
  if (fromFloat)
    return toFloat ? floatToFloat(ir, from, to, x) : floatToInteger(ir, to, x);
  return toFloat ? integerToFloat(ir, from, to, x)
                 : integerToInteger(ir, from, to, x);
}
