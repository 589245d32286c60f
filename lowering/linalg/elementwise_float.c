//===- elementwise_float.c - f32 and f64 elements -------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/linalg/scalar.h"

#include "mlir-c/BuiltinTypes.h"

#include <math.h>

static MlirValue number(XlaIr *ir, MlirValue like, double value) {
  return xlaIrConstantFloat(ir, mlirValueGetType(like), value);
}

/// 1 / (1 + e^-x). With e^-|x| nothing overflows, and small results keep their
/// last bits: for x < 0 it is e^x / (1 + e^x).
static MlirValue logistic(XlaIr *ir, MlirValue x) {
  MlirValue one = number(ir, x, 1);
  MlirValue e =
      xlaIrUnary(ir, "math.exp",
                 xlaIrUnary(ir, "arith.negf", xlaIrUnary(ir, "math.absf", x)));
  MlirValue negative = xlaIrCmpF(ir, "olt", x, number(ir, x, 0));
  return xlaIrBinary(ir, "arith.divf", xlaIrSelect(ir, negative, e, one),
                     xlaIrBinary(ir, "arith.addf", one, e));
}

/// Zeros and NaNs are their own signs.
static MlirValue sign(XlaIr *ir, MlirValue x) {
  MlirValue isNumber = xlaIrCmpF(ir, "one", x, number(ir, x, 0));
  return xlaIrSelect(ir, isNumber,
                     xlaIrBinary(ir, "math.copysign", number(ir, x, 1), x), x);
}

static MlirValue imag(XlaIr *ir, MlirValue x) { return number(ir, x, 0); }

static MlirValue isFinite(XlaIr *ir, MlirValue x) {
  return xlaIrCmpF(ir, "olt", xlaIrUnary(ir, "math.absf", x),
                   number(ir, x, INFINITY));
}

static MlirValue real(XlaIr *ir, MlirValue x) {
  (void)ir;
  return x;
}

/// An operation is one op of arith or math, or of one operand what `write`
/// makes.
typedef struct FloatRow {
  const char *op;
  MlirValue (*write)(XlaIr *ir, MlirValue x);
} FloatRow;

static const FloatRow rows[XlaOpKindCount] = {
    [XlaOpKindAbs] = {.op = "math.absf"},
    [XlaOpKindAcos] = {.op = "math.acos"},
    [XlaOpKindAsin] = {.op = "math.asin"},
    [XlaOpKindCbrt] = {.op = "math.cbrt"},
    [XlaOpKindCeil] = {.op = "math.ceil"},
    [XlaOpKindCosine] = {.op = "math.cos"},
    [XlaOpKindErf] = {.op = "math.erf"},
    [XlaOpKindExponential] = {.op = "math.exp"},
    [XlaOpKindExponentialMinusOne] = {.op = "math.expm1"},
    [XlaOpKindFloor] = {.op = "math.floor"},
    [XlaOpKindImag] = {.write = imag},
    [XlaOpKindIsFinite] = {.write = isFinite},
    [XlaOpKindLog] = {.op = "math.log"},
    [XlaOpKindLogPlusOne] = {.op = "math.log1p"},
    [XlaOpKindLogistic] = {.write = logistic},
    [XlaOpKindNegate] = {.op = "arith.negf"},
    [XlaOpKindReal] = {.write = real},
    [XlaOpKindRoundNearestAfz] = {.op = "math.round"},
    [XlaOpKindRoundNearestEven] = {.op = "math.roundeven"},
    [XlaOpKindRsqrt] = {.op = "math.rsqrt"},
    [XlaOpKindSign] = {.write = sign},
    [XlaOpKindSine] = {.op = "math.sin"},
    [XlaOpKindSqrt] = {.op = "math.sqrt"},
    [XlaOpKindTan] = {.op = "math.tan"},
    [XlaOpKindTanh] = {.op = "math.tanh"},
    [XlaOpKindAdd] = {.op = "arith.addf"},
    [XlaOpKindAtan2] = {.op = "math.atan2"},
    [XlaOpKindDivide] = {.op = "arith.divf"},
    [XlaOpKindMaximum] = {.op = "arith.maximumf"},
    [XlaOpKindMinimum] = {.op = "arith.minimumf"},
    [XlaOpKindMultiply] = {.op = "arith.mulf"},
    [XlaOpKindPower] = {.op = "math.powf"},
    [XlaOpKindRemainder] = {.op = "arith.remf"},
    [XlaOpKindSubtract] = {.op = "arith.subf"},
};

MlirValue xlaLowerFloat(XlaIr *ir, XlaOpKind kind, const MlirValue *operands) {
  const FloatRow *row = &rows[kind];
  if (row->write)
    return row->write(ir, operands[0]);
  if (!row->op)
    return (MlirValue){NULL};
  return xlaOpGetInfo(kind)->maxOperands == 2
             ? xlaIrBinary(ir, row->op, operands[0], operands[1])
             : xlaIrUnary(ir, row->op, operands[0]);
}

//===----------------------------------------------------------------------===//
// reduce_precision
//===----------------------------------------------------------------------===//

/// A float as an integer of its bits, and the format's constants.
typedef struct Bits {
  XlaIr *ir;
  MlirType type; // of the integer
  int mantissa, exponent;
} Bits;

static MlirValue bitConstant(const Bits *b, uint64_t value) {
  return xlaIrConstantInt(b->ir, b->type, (int64_t)value);
}

static MlirValue bitOp(const Bits *b, const char *name, MlirValue x,
                       uint64_t value) {
  return xlaIrBinary(b->ir, name, x, bitConstant(b, value));
}

/// Round to nearest even at the last bit kept; a carry runs into the exponent
/// as it should.
static MlirValue roundMantissa(const Bits *b, MlirValue x, int kept) {
  int dropped = b->mantissa - kept;
  if (dropped <= 0)
    return x;
  uint64_t last = UINT64_C(1) << dropped;
  MlirValue isOdd =
      bitOp(b, "arith.andi", bitOp(b, "arith.shrui", x, (uint64_t)dropped), 1);
  MlirValue bias = bitOp(b, "arith.addi", isOdd, (last >> 1) - 1);
  return bitOp(b, "arith.andi", xlaIrBinary(b->ir, "arith.addi", x, bias),
               ~(last - 1));
}

/// Exponents too large give infinity, those too small zero.
static MlirValue clampExponent(const Bits *b, MlirValue x, MlirValue signBit,
                               int kept) {
  if (kept >= b->exponent)
    return x;
  uint64_t mask = ((UINT64_C(1) << b->exponent) - 1) << b->mantissa;
  uint64_t bias = (UINT64_C(1) << (b->exponent - 1)) - 1;
  uint64_t newBias = (UINT64_C(1) << (kept - 1)) - 1;
  MlirValue exponent = bitOp(b, "arith.andi", x, mask);
  MlirValue over = xlaIrCmpI(b->ir, "ugt", exponent,
                             bitConstant(b, (bias + newBias) << b->mantissa));
  MlirValue under = xlaIrCmpI(b->ir, "ule", exponent,
                              bitConstant(b, (bias - newBias) << b->mantissa));
  MlirValue infinity = bitOp(b, "arith.ori", signBit, mask);
  return xlaIrSelect(b->ir, over, infinity,
                     xlaIrSelect(b->ir, under, signBit, x));
}

MlirValue xlaLowerReducePrecision(XlaIr *ir, XlaElementType type, MlirValue x,
                                  int64_t exponentBits, int64_t mantissaBits) {
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(type);
  Bits b = {ir, mlirIntegerTypeGet(ir->context, (unsigned)info->bits),
            info->mantissaBits, info->exponentBits};
  int mantissa = mantissaBits > b.mantissa ? b.mantissa : (int)mantissaBits;
  uint64_t top = UINT64_C(1) << (info->bits - 1);
  uint64_t infinity = ((UINT64_C(1) << b.exponent) - 1) << b.mantissa;
  MlirValue bits = xlaIrCast(ir, "arith.bitcast", x, b.type);
  MlirValue signBit = bitOp(&b, "arith.andi", bits, top);
  MlirValue magnitude = bitOp(&b, "arith.andi", bits, top - 1);
  MlirValue rounded = roundMantissa(&b, bits, mantissa);
  rounded =
      clampExponent(&b, rounded, signBit,
                    exponentBits > b.exponent ? b.exponent : (int)exponentBits);
  MlirValue isNan = xlaIrCmpI(ir, "ugt", magnitude, bitConstant(&b, infinity));
  return xlaIrCast(ir, "arith.bitcast", xlaIrSelect(ir, isNan, bits, rounded),
                   mlirValueGetType(x));
}
