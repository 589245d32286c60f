//===- elementwise_integer.c - Integer and pred elements ------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/linalg/scalar.h"

#include "mlir-c/BuiltinTypes.h"

static MlirValue none(void) { return (MlirValue){NULL}; }

static MlirValue number(XlaIr *ir, MlirValue like, int64_t value) {
  return xlaIrConstantInt(ir, mlirValueGetType(like), value);
}

/// x / 0 has all bits set, MIN / -1 is MIN. Those divisors are replaced before
/// the division, which traps for them.
static MlirValue divide(XlaIr *ir, bool isSigned, MlirValue x, MlirValue y) {
  MlirValue zero = number(ir, x, 0), one = number(ir, x, 1);
  MlirValue ones = number(ir, x, -1);
  MlirValue byZero = xlaIrCmpI(ir, "eq", y, zero);
  if (!isSigned) {
    MlirValue q =
        xlaIrBinary(ir, "arith.divui", x, xlaIrSelect(ir, byZero, one, y));
    return xlaIrSelect(ir, byZero, ones, q);
  }
  MlirValue byOnes = xlaIrCmpI(ir, "eq", y, ones);
  MlirValue special = xlaIrBinary(ir, "arith.ori", byZero, byOnes);
  MlirValue q =
      xlaIrBinary(ir, "arith.divsi", x, xlaIrSelect(ir, special, one, y));
  MlirValue negated = xlaIrBinary(ir, "arith.subi", zero, x);
  return xlaIrSelect(ir, byZero, ones, xlaIrSelect(ir, byOnes, negated, q));
}

/// x rem 0 is x; x rem -1 is 0, also for MIN.
static MlirValue remainder(XlaIr *ir, bool isSigned, MlirValue x, MlirValue y) {
  MlirValue zero = number(ir, x, 0), one = number(ir, x, 1);
  MlirValue byZero = xlaIrCmpI(ir, "eq", y, zero), special = byZero;
  if (isSigned) {
    MlirValue byOnes = xlaIrCmpI(ir, "eq", y, number(ir, x, -1));
    special = xlaIrBinary(ir, "arith.ori", byZero, byOnes);
  }
  // x rem 1 is 0, which is right for -1 too.
  MlirValue r = xlaIrBinary(ir, isSigned ? "arith.remsi" : "arith.remui", x,
                            xlaIrSelect(ir, special, one, y));
  return xlaIrSelect(ir, byZero, x, r);
}

static MlirValue shift(XlaIr *ir, XlaOpKind kind, MlirValue x, MlirValue y) {
  int64_t width = mlirIntegerTypeGetWidth(mlirValueGetType(x));
  MlirValue most = number(ir, x, width - 1);
  MlirValue by = xlaIrBinary(ir, "arith.minui", y, most);
  if (kind == XlaOpKindShiftRightArithmetic)
    return xlaIrBinary(ir, "arith.shrsi", x, by);
  const char *name = kind == XlaOpKindShiftLeft ? "arith.shli" : "arith.shrui";
  MlirValue shifted = xlaIrBinary(ir, name, x, by);
  return xlaIrSelect(ir, xlaIrCmpI(ir, "ugt", y, most), number(ir, x, 0),
                     shifted);
}

/// x^y modulo 2^n by squaring, without a loop so that it vectorizes: an even
/// x^y is 0 from y = n on, and the order of an odd x divides 2^(n - 2), so the
/// bits of y from n - 2 on matter only to even x.
static MlirValue power(XlaIr *ir, bool isSigned, MlirValue x, MlirValue y) {
  int width = (int)mlirIntegerTypeGetWidth(mlirValueGetType(x));
  MlirValue zero = number(ir, x, 0), one = number(ir, x, 1);
  MlirValue base = x, result = one, exponent = y;
  for (int bit = 0; bit < width - 2; ++bit) {
    if (bit)
      base = xlaIrBinary(ir, "arith.muli", base, base);
    MlirValue odd = xlaIrBinary(
        ir, "arith.andi",
        xlaIrBinary(ir, "arith.shrui", exponent, number(ir, x, bit)), one);
    result = xlaIrSelect(ir, xlaIrCmpI(ir, "ne", odd, zero),
                         xlaIrBinary(ir, "arith.muli", result, base), result);
  }
  MlirValue even =
      xlaIrCmpI(ir, "eq", xlaIrBinary(ir, "arith.andi", x, one), zero);
  MlirValue vanishes = xlaIrBinary(
      ir, "arith.andi", even, xlaIrCmpI(ir, "uge", y, number(ir, x, width)));
  result = xlaIrSelect(ir, vanishes, zero, result);
  if (!isSigned)
    return result;
  // 1 / x^-y, truncated: only 1 and -1 leave anything.
  MlirValue ones = number(ir, x, -1);
  MlirValue oddExponent =
      xlaIrCmpI(ir, "ne", xlaIrBinary(ir, "arith.andi", y, one), zero);
  MlirValue sign = xlaIrSelect(ir, oddExponent, ones, one);
  MlirValue inverse =
      xlaIrSelect(ir, xlaIrCmpI(ir, "eq", x, one), one,
                  xlaIrSelect(ir, xlaIrCmpI(ir, "eq", x, ones), sign, zero));
  return xlaIrSelect(ir, xlaIrCmpI(ir, "slt", y, zero), inverse, result);
}

static MlirValue sign(XlaIr *ir, bool isSigned, MlirValue x) {
  MlirValue zero = number(ir, x, 0), one = number(ir, x, 1);
  MlirValue result = xlaIrSelect(ir, xlaIrCmpI(ir, "ne", x, zero), one, zero);
  return isSigned ? xlaIrSelect(ir, xlaIrCmpI(ir, "slt", x, zero),
                                number(ir, x, -1), result)
                  : result;
}

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wswitch-enum"
MlirValue xlaLowerInteger(XlaIr *ir, XlaOpKind kind, XlaElementType type,
                          const MlirValue *operands) {
  bool isSigned = xlaElementTypeGetInfo(type)->typeClass == XlaTypeClassSigned;
  MlirValue x = operands[0];
  MlirValue y =
      xlaOpGetInfo(kind)->maxOperands >= 2 ? operands[1] : operands[0];
  switch (kind) {
  case XlaOpKindAbs:
    return isSigned ? xlaIrUnary(ir, "math.absi", x) : x;
  case XlaOpKindAdd:
    return xlaIrBinary(ir, "arith.addi", x, y);
  case XlaOpKindAnd:
    return xlaIrBinary(ir, "arith.andi", x, y);
  case XlaOpKindCountLeadingZeros:
    return xlaIrUnary(ir, "math.ctlz", x);
  case XlaOpKindDivide:
    return divide(ir, isSigned, x, y);
  case XlaOpKindMaximum:
    return xlaIrBinary(ir, isSigned ? "arith.maxsi" : "arith.maxui", x, y);
  case XlaOpKindMinimum:
    return xlaIrBinary(ir, isSigned ? "arith.minsi" : "arith.minui", x, y);
  case XlaOpKindMultiply:
    return xlaIrBinary(ir, "arith.muli", x, y);
  case XlaOpKindNegate:
    return xlaIrBinary(ir, "arith.subi", number(ir, x, 0), x);
  case XlaOpKindNot:
    return xlaIrBinary(ir, "arith.xori", x, number(ir, x, -1));
  case XlaOpKindOr:
    return xlaIrBinary(ir, "arith.ori", x, y);
  case XlaOpKindPopcnt:
    return xlaIrUnary(ir, "math.ctpop", x);
  case XlaOpKindPower:
    return power(ir, isSigned, x, y);
  case XlaOpKindRemainder:
    return remainder(ir, isSigned, x, y);
  case XlaOpKindShiftLeft:
  case XlaOpKindShiftRightArithmetic:
  case XlaOpKindShiftRightLogical:
    return shift(ir, kind, x, y);
  case XlaOpKindSign:
    return sign(ir, isSigned, x);
  case XlaOpKindSubtract:
    return xlaIrBinary(ir, "arith.subi", x, y);
  case XlaOpKindXor:
    return xlaIrBinary(ir, "arith.xori", x, y);
  default:
    return none();
  }
}

MlirValue xlaLowerPred(XlaIr *ir, XlaOpKind kind, const MlirValue *operands) {
  switch (kind) {
  case XlaOpKindAdd:
  case XlaOpKindMaximum:
  case XlaOpKindOr:
    return xlaIrBinary(ir, "arith.ori", operands[0], operands[1]);
  case XlaOpKindAnd:
  case XlaOpKindMinimum:
  case XlaOpKindMultiply:
    return xlaIrBinary(ir, "arith.andi", operands[0], operands[1]);
  case XlaOpKindXor:
    return xlaIrBinary(ir, "arith.xori", operands[0], operands[1]);
  case XlaOpKindNot:
    return xlaIrBinary(ir, "arith.xori", operands[0],
                       number(ir, operands[0], 1));
  default:
    return none();
  }
}
#pragma clang diagnostic pop
