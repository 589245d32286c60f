//===- float.c - f32 and f64 arithmetic -----------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/error.h"
#include "xlac/lowering/vulkan/legalize/legalize.h"

#include "mlir-c/Diagnostics.h"

#include <stdio.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Signs, rounding and extremes
//===----------------------------------------------------------------------===//

static V signBit(XlaMath *m) {
  return integer(m, isWide(m) ? INT64_MIN : INT32_MIN);
}

/// By bits, so that NaNs and denormals stay what they are.
static V negate(XlaMath *m, V x) {
  return fromBits(m, bitwise(m, "arith.xori", toBits(m, x), signBit(m)));
}

static V absolute(XlaMath *m, V x) {
  V others = bitwise(m, "arith.subi", signBit(m), integer(m, 1));
  return fromBits(m, bitwise(m, "arith.andi", toBits(m, x), others));
}

static V truncated(XlaMath *m, V x) {
  return withSign(m, xlaIrUnary(&m->ir, "math.floor", absolute(m, x)), x);
}

/// Halves go away from zero; |x| - floor(|x|) is exact.
static V roundAway(XlaMath *m, V x) {
  V size = absolute(m, x), whole = xlaIrUnary(&m->ir, "math.floor", size);
  V up = compare(m, "oge", sub(m, size, whole), num(m, 0.5));
  return withSign(m, choose(m, up, add(m, whole, num(m, 1)), whole), x);
}

/// `predicate` holds where `x` is the one asked for or NaN. Zeros differ in
/// their signs alone, which `join` joins as it should.
static V extreme(XlaMath *m, const char *predicate, const char *join, V x,
                 V y) {
  V equal = fromBits(m, bitwise(m, join, toBits(m, x), toBits(m, y)));
  V value = choose(m, compare(m, predicate, x, y), x, y);
  value = choose(m, compare(m, "oeq", x, y), equal, value);
  return choose(m, compare(m, "une", y, y), y, value);
}

//===----------------------------------------------------------------------===//
// Quotients and roots
//===----------------------------------------------------------------------===//

/// Where products of `x` with itself have an exact low part.
static V isModerate(XlaMath *m, V x) {
  V size = magnitude(m, x);
  V above = compare(m, "ogt", size, numOf(m, 0x1p-50, 0x1p-450));
  V below = compare(m, "olt", size, numOf(m, 0x1p50, 0x1p450));
  return xlaIrBinary(&m->ir, "arith.andi", above, below);
}

/// Vulkan promises f64 division no more than f32's two and a half units in the
/// last place: a step of Newton's by the exact residual. A quotient that was
/// rounded well stays as it is.
static V correctedQuotient(XlaMath *m, V x, V y) {
  V q = quotient(m, x, y), residual = productMinus(m, q, y, x);
  V better = sub(m, q, quotient(m, residual, y));
  V moderate =
      xlaIrBinary(&m->ir, "arith.andi", isModerate(m, x), isModerate(m, y));
  return choose(m, moderate, better, q);
}

/// The same of a root, which may be as bad as 1 / (1 / sqrt(x)).
static V correctedRoot(XlaMath *m, V x) {
  V s = root(m, x), residual = productMinus(m, s, s, x);
  V better = sub(m, s, quotient(m, residual, add(m, s, s)));
  return choose(m, isModerate(m, x), better, s);
}

//===----------------------------------------------------------------------===//
// Remainders
//===----------------------------------------------------------------------===//

/// A positive finite number as mantissa * 2^(exponent + constant).
typedef struct Parts {
  V exponent, mantissa; ///< exponent >= 1
} Parts;

static Parts split(XlaMath *m, V size, int digits) {
  Parts parts;
  V one = integer(m, 1), top = integer(m, INT64_C(1) << digits);
  V exponent = bitwise(m, "arith.shrui", size, integer(m, digits));
  V low = bitwise(m, "arith.andi", size, bitwise(m, "arith.subi", top, one));
  V denormal = xlaIrCmpI(&m->ir, "eq", exponent, integer(m, 0));
  parts.exponent = choose(m, denormal, one, exponent);
  parts.mantissa = choose(m, denormal, low, bitwise(m, "arith.ori", low, top));
  return parts;
}

/// `mantissa` * 2^`by` modulo `divisor`, some bits at a time.
static V shiftedRemainder(XlaMath *m, V mantissa, V by, V divisor, int bits) {
  V inits[2] = {mantissa, by}, next[2];
  V steps = bitwise(m, "arith.addi", by, integer(m, bits - 1));
  steps = bitwise(m, "arith.divui", steps, integer(m, bits));
  steps = xlaIrCast(&m->ir, "arith.index_cast", steps,
                    mlirIndexTypeGet(m->ir.context));
  XlaMath body = *m;
  MlirOperation loop =
      xlaIrFor(&m->ir, xlaIrConstantIndex(&m->ir, 0), steps,
               xlaIrConstantIndex(&m->ir, 1), 2, inits, &body.ir);
  V rest = mlirBlockGetArgument(body.ir.block, 1);
  V left = mlirBlockGetArgument(body.ir.block, 2);
  V now = bitwise(&body, "arith.minui", left, integer(&body, bits));
  next[0] = bitwise(&body, "arith.remui",
                    bitwise(&body, "arith.shli", rest, now), divisor);
  next[1] = bitwise(&body, "arith.subi", left, now);
  xlaIrYield(&body.ir, 2, next);
  return mlirOperationGetResult(loop, 0);
}

/// The exact remainder of scalars, in integers: its sign is that of x.
static V remainderOfScalars(XlaMath *m, V x, V y) {
  bool wide = isWide(m);
  int width = wide ? 64 : 32, digits = wide ? 52 : 23;
  V a = toBits(m, absolute(m, x)), b = toBits(m, absolute(m, y));
  V infinity = toBits(m, num(m, INFINITY)), zero = integer(m, 0);
  V invalid =
      xlaIrBinary(&m->ir, "arith.ori", xlaIrCmpI(&m->ir, "uge", a, infinity),
                  xlaIrCmpI(&m->ir, "ugt", b, infinity));
  invalid = xlaIrBinary(&m->ir, "arith.ori", invalid,
                        xlaIrCmpI(&m->ir, "eq", b, zero));
  V stays = xlaIrCmpI(&m->ir, "ult", a, b);
  V idle = xlaIrBinary(&m->ir, "arith.ori", invalid, stays);
  Parts p = split(m, choose(m, idle, integer(m, 1), a), digits);
  Parts q = split(m, choose(m, idle, integer(m, 1), b), digits);
  V rest = bitwise(m, "arith.remui", p.mantissa, q.mantissa);
  rest = shiftedRemainder(m, rest,
                          bitwise(m, "arith.subi", p.exponent, q.exponent),
                          q.mantissa, width - digits - 1);
  // To the place of the leading bit, but not below the least exponent.
  V room = xlaIrUnary(&m->ir, "math.ctlz", rest);
  room = bitwise(m, "arith.subi", room, integer(m, width - digits - 1));
  V one = integer(m, 1);
  V most = bitwise(m, "arith.subi", q.exponent, one);
  room = bitwise(m, "arith.minui", room, most);
  V exponent = bitwise(m, "arith.subi", most, room);
  V bits = bitwise(m, "arith.addi",
                   bitwise(m, "arith.shli", exponent, integer(m, digits)),
                   bitwise(m, "arith.shli", rest, room));
  bits = choose(m, xlaIrCmpI(&m->ir, "eq", rest, zero), zero, bits);
  V value = withSign(m, fromBits(m, bits), x);
  value = choose(m, stays, x, value);
  return choose(m, invalid, num(m, NAN), value);
}

static V lane(XlaIr *ir, V x, int64_t i) {
  XlaIrAttr position = {"static_position",
                        mlirDenseI64ArrayGet(ir->context, 1, &i)};
  return xlaIrOp(ir, "vector.extract", xlaIrElementType(mlirValueGetType(x)), 1,
                 &x, 1, &position);
}

static V floatRemainder(XlaMath *m, V x, V y) {
  if (!mlirTypeIsAVector(m->type))
    return remainderOfScalars(m, x, y);
  V lanes[4];
  int64_t n = mlirShapedTypeGetDimSize(m->type, 0);
  XlaMath scalar = xlaVulkanMath(m->ir, xlaVulkanScalarType(m->type));
  for (int64_t i = 0; i < n && i < 4; ++i)
    lanes[i] =
        remainderOfScalars(&scalar, lane(&m->ir, x, i), lane(&m->ir, y, i));
  return xlaIrOp(&m->ir, "vector.from_elements", m->type, n, lanes, 0, NULL);
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

static V rewriteUnary(XlaMath *m, MlirOperation op, V x) {
  if (xlaIrIsOp(op, "math.absf"))
    return absolute(m, x);
  if (xlaIrIsOp(op, "arith.negf"))
    return negate(m, x);
  if (xlaIrIsOp(op, "math.round"))
    return roundAway(m, x);
  if (xlaIrIsOp(op, "math.trunc"))
    return truncated(m, x);
  if (xlaIrIsOp(op, "math.roundeven"))
    return isWide(m) ? nearest(m, x) : withSign(m, nearest(m, x), x);
  static const char *const whole[] = {"math.ceil", "math.floor"};
  for (int i = 0; i < 2; ++i)
    if (xlaIrIsOp(op, whole[i]))
      return withSign(m, xlaIrUnary(&m->ir, whole[i], x), x);
  return (V){NULL};
}

static V rewriteBinary(XlaMath *m, MlirOperation op, V x, V y) {
  if (xlaIrIsOp(op, "arith.maximumf"))
    return extreme(m, "ugt", "arith.andi", x, y);
  if (xlaIrIsOp(op, "arith.minimumf"))
    return extreme(m, "ult", "arith.ori", x, y);
  if (xlaIrIsOp(op, "arith.remf"))
    return floatRemainder(m, x, y);
  return (V){NULL};
}

static V expand(MlirOperation op, void *user, bool *failed) {
  const XlaVulkanInfo *info = user;
  intptr_t n = mlirOperationGetNumOperands(op);
  if (n < 1 || n > 2 || mlirOperationGetNumResults(op) != 1)
    return (V){NULL};
  V x = mlirOperationGetOperand(op, 0), y = mlirOperationGetOperand(op, n - 1);
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  MlirType scalar = xlaVulkanScalarType(type);
  if (!mlirTypeEqual(type, mlirValueGetType(x)) ||
      (!mlirTypeIsAF32(scalar) && !mlirTypeIsAF64(scalar)))
    return (V){NULL};
  XlaMath m = xlaVulkanMath(xlaIrBefore(op), type);
  const XlaMathFunction *function = xlaMathFind(op);
  // InverseSqrt of f32 is within two units in the last place.
  if (function && !isWide(&m) && !strcmp(function->op, "math.rsqrt"))
    return (V){NULL};
  if (function)
    return function->unary ? function->unary(&m, x)
                           : function->binary(&m, x, y);
  // The arithmetic of processors is exact.
  bool isExact = info->kind == XlaVulkanKindSoftware;
  if (!isExact && isWide(&m) && xlaIrIsOp(op, "arith.divf"))
    return correctedQuotient(&m, x, y);
  if (!isExact && xlaIrIsOp(op, "math.sqrt"))
    return correctedRoot(&m, x);
  return n == 1 ? rewriteUnary(&m, op, x) : rewriteBinary(&m, op, x, y);
}

MlirLogicalResult xlaVulkanExpandFloats(MlirOperation root,
                                        const XlaVulkanInfo *info) {
  return xlaVulkanRewriteAll(root, expand, (void *)(uintptr_t)info);
}

/// In f32 for halves.
static V expandAtan2(MlirOperation op, void *user, bool *failed) {
  (void)user;
  (void)failed;
  if (!xlaIrIsOp(op, "math.atan2"))
    return (V){NULL};
  XlaIr ir = xlaIrBefore(op);
  V y = mlirOperationGetOperand(op, 0), x = mlirOperationGetOperand(op, 1);
  MlirType type = mlirValueGetType(x), scalar = xlaVulkanScalarType(type);
  if (mlirTypeIsAF32(scalar) || mlirTypeIsAF64(scalar)) {
    XlaMath m = xlaVulkanMath(ir, type);
    return xlaMathAtan2(&m, y, x);
  }
  MlirType wide = xlaIrWithElement(type, mlirF32TypeGet(ir.context));
  y = xlaIrCast(&ir, "arith.extf", y, wide);
  x = xlaIrCast(&ir, "arith.extf", x, wide);
  XlaMath m = xlaVulkanMath(ir, wide);
  V angle = xlaMathAtan2(&m, y, x);
  return xlaIrCast(&m.ir, "arith.truncf", angle, type);
}

MlirLogicalResult xlaVulkanExpandAtan2(MlirOperation root) {
  return xlaVulkanRewriteAll(root, expandAtan2, NULL);
}
