//===- elementwise_integer.c - Integer and pred elements ------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/linalg/scalar.h"

#include "mlir-c/BuiltinTypes.h"

static MlirValue number(XlaIr *ir, MlirValue like, int64_t value) {
  return xlaIrConstantInt(ir, mlirValueGetType(like), value);
}

/// x / 0 has all bits set, MIN / -1 is MIN. Those divisors are replaced before
/// the division, which traps for them.
static MlirValue divide(XlaIr *ir, bool isSigned, const MlirValue *operands) {
  MlirValue x = operands[0], y = operands[1];
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
static MlirValue remainder(XlaIr *ir, bool isSigned,
                           const MlirValue *operands) {
  MlirValue x = operands[0], y = operands[1];
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

/// The largest shift that arith takes.
static MlirValue mostOf(XlaIr *ir, MlirValue x) {
  return number(ir, x, mlirIntegerTypeGetWidth(mlirValueGetType(x)) - 1);
}

/// By the width or more, 0.
static MlirValue shift(XlaIr *ir, const char *name, MlirValue x, MlirValue y) {
  MlirValue most = mostOf(ir, x);
  MlirValue by = xlaIrBinary(ir, "arith.minui", y, most);
  MlirValue shifted = xlaIrBinary(ir, name, x, by);
  return xlaIrSelect(ir, xlaIrCmpI(ir, "ugt", y, most), number(ir, x, 0),
                     shifted);
}

static MlirValue shiftLeft(XlaIr *ir, bool isSigned,
                           const MlirValue *operands) {
  (void)isSigned;
  return shift(ir, "arith.shli", operands[0], operands[1]);
}

static MlirValue shiftRightLogical(XlaIr *ir, bool isSigned,
                                   const MlirValue *operands) {
  (void)isSigned;
  return shift(ir, "arith.shrui", operands[0], operands[1]);
}

static MlirValue shiftRightArithmetic(XlaIr *ir, bool isSigned,
                                      const MlirValue *operands) {
  (void)isSigned;
  MlirValue most = mostOf(ir, operands[0]);
  MlirValue by = xlaIrBinary(ir, "arith.minui", operands[1], most);
  return xlaIrBinary(ir, "arith.shrsi", operands[0], by);
}

/// x^y modulo 2^n by squaring, without a loop so that it vectorizes: an even
/// x^y is 0 from y = n on, and the order of an odd x divides 2^(n - 2), so the
/// bits of y from n - 2 on matter only to even x.
static MlirValue power(XlaIr *ir, bool isSigned, const MlirValue *operands) {
  MlirValue x = operands[0], y = operands[1];
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

static MlirValue sign(XlaIr *ir, bool isSigned, const MlirValue *operands) {
  MlirValue x = operands[0];
  MlirValue zero = number(ir, x, 0), one = number(ir, x, 1);
  MlirValue result = xlaIrSelect(ir, xlaIrCmpI(ir, "ne", x, zero), one, zero);
  return isSigned ? xlaIrSelect(ir, xlaIrCmpI(ir, "slt", x, zero),
                                number(ir, x, -1), result)
                  : result;
}

static MlirValue absolute(XlaIr *ir, bool isSigned, const MlirValue *operands) {
  return isSigned ? xlaIrUnary(ir, "math.absi", operands[0]) : operands[0];
}

static MlirValue negate(XlaIr *ir, bool isSigned, const MlirValue *operands) {
  (void)isSigned;
  return xlaIrBinary(ir, "arith.subi", number(ir, operands[0], 0), operands[0]);
}

/// -1 is 1 for pred.
static MlirValue invert(XlaIr *ir, bool isSigned, const MlirValue *operands) {
  (void)isSigned;
  return xlaIrBinary(ir, "arith.xori", operands[0],
                     number(ir, operands[0], -1));
}

//===----------------------------------------------------------------------===//
// Dispatch
//===----------------------------------------------------------------------===//

/// An operation is one op of arith or math, another one of unsigned integers
/// where that is named, or what `write` makes.
typedef struct IntegerRow {
  const char *op, *unsignedOp;
  MlirValue (*write)(XlaIr *ir, bool isSigned, const MlirValue *operands);
} IntegerRow;

static const IntegerRow integerRows[XlaOpKindCount] = {
    [XlaOpKindAbs] = {.write = absolute},
    [XlaOpKindAdd] = {.op = "arith.addi"},
    [XlaOpKindAnd] = {.op = "arith.andi"},
    [XlaOpKindCountLeadingZeros] = {.op = "math.ctlz"},
    [XlaOpKindDivide] = {.write = divide},
    [XlaOpKindMaximum] = {.op = "arith.maxsi", .unsignedOp = "arith.maxui"},
    [XlaOpKindMinimum] = {.op = "arith.minsi", .unsignedOp = "arith.minui"},
    [XlaOpKindMultiply] = {.op = "arith.muli"},
    [XlaOpKindNegate] = {.write = negate},
    [XlaOpKindNot] = {.write = invert},
    [XlaOpKindOr] = {.op = "arith.ori"},
    [XlaOpKindPopcnt] = {.op = "math.ctpop"},
    [XlaOpKindPower] = {.write = power},
    [XlaOpKindRemainder] = {.write = remainder},
    [XlaOpKindShiftLeft] = {.write = shiftLeft},
    [XlaOpKindShiftRightArithmetic] = {.write = shiftRightArithmetic},
    [XlaOpKindShiftRightLogical] = {.write = shiftRightLogical},
    [XlaOpKindSign] = {.write = sign},
    [XlaOpKindSubtract] = {.op = "arith.subi"},
    [XlaOpKindXor] = {.op = "arith.xori"},
};

static const IntegerRow predRows[XlaOpKindCount] = {
    [XlaOpKindAdd] = {.op = "arith.ori"},
    [XlaOpKindAnd] = {.op = "arith.andi"},
    [XlaOpKindMaximum] = {.op = "arith.ori"},
    [XlaOpKindMinimum] = {.op = "arith.andi"},
    [XlaOpKindMultiply] = {.op = "arith.andi"},
    [XlaOpKindNot] = {.write = invert},
    [XlaOpKindOr] = {.op = "arith.ori"},
    [XlaOpKindXor] = {.op = "arith.xori"},
};

static MlirValue lower(XlaIr *ir, XlaOpKind kind, const IntegerRow *row,
                       bool isSigned, const MlirValue *operands) {
  const char *op = row->unsignedOp && !isSigned ? row->unsignedOp : row->op;
  if (row->write)
    return row->write(ir, isSigned, operands);
  if (!op)
    return (MlirValue){NULL};
  return xlaOpGetInfo(kind)->maxOperands == 2
             ? xlaIrBinary(ir, op, operands[0], operands[1])
             : xlaIrUnary(ir, op, operands[0]);
}

MlirValue xlaLowerInteger(XlaIr *ir, XlaOpKind kind, XlaElementType type,
                          const MlirValue *operands) {
  bool isSigned = xlaElementTypeGetInfo(type)->typeClass == XlaTypeClassSigned;
  return lower(ir, kind, &integerRows[kind], isSigned, operands);
}

MlirValue xlaLowerPred(XlaIr *ir, XlaOpKind kind, const MlirValue *operands) {
  return lower(ir, kind, &predRows[kind], false, operands);
}
