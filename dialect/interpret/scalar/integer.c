//===- integer.c - Elementwise operations on integers --------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/interpret/scalar/internal.h"

static bool isSigned(const XlaElementTypeInfo *type) {
  return type->typeClass == XlaTypeClassSigned;
}

static bool isPred(const XlaElementTypeInfo *type) {
  return type->typeClass == XlaTypeClassPred;
}

/// The bits that a value of `type` has.
static uint64_t maskOf(const XlaElementTypeInfo *type) {
  return type->bits == 64 ? ~0ull : (1ull << type->bits) - 1;
}

//===----------------------------------------------------------------------===//
// One operand
//===----------------------------------------------------------------------===//

static XlaScalar magnitude(const XlaElementTypeInfo *type, XlaScalar x) {
  return (XlaScalar){.u = isSigned(type) && x.s < 0 ? 0 - x.u : x.u};
}

static XlaScalar countLeadingZeros(const XlaElementTypeInfo *type,
                                   XlaScalar x) {
  uint64_t bits = x.u & maskOf(type);
  int zeros = bits ? __builtin_clzll(bits) - (64 - type->bits) : type->bits;
  return (XlaScalar){.u = (uint64_t)zeros};
}

static XlaScalar negate(const XlaElementTypeInfo *type, XlaScalar x) {
  (void)type;
  return (XlaScalar){.u = 0 - x.u};
}

static XlaScalar bitNot(const XlaElementTypeInfo *type, XlaScalar x) {
  return (XlaScalar){.u = isPred(type) ? !x.u : ~x.u};
}

static XlaScalar popcnt(const XlaElementTypeInfo *type, XlaScalar x) {
  return (XlaScalar){.u = (uint64_t)__builtin_popcountll(x.u & maskOf(type))};
}

static XlaScalar sign(const XlaElementTypeInfo *type, XlaScalar x) {
  return isSigned(type) ? (XlaScalar){.s = (x.s > 0) - (x.s < 0)}
                        : (XlaScalar){.u = x.u != 0};
}

//===----------------------------------------------------------------------===//
// Two operands
//===----------------------------------------------------------------------===//

static XlaScalar add(const XlaElementTypeInfo *type, XlaScalar x, XlaScalar y) {
  return (XlaScalar){.u = isPred(type) ? x.u | y.u : x.u + y.u};
}

static XlaScalar bitAnd(const XlaElementTypeInfo *type, XlaScalar x,
                        XlaScalar y) {
  (void)type;
  return (XlaScalar){.u = x.u & y.u};
}

static XlaScalar divide(const XlaElementTypeInfo *type, XlaScalar x,
                        XlaScalar y) {
  if (!y.u)
    return (XlaScalar){.s = -1};
  if (!isSigned(type))
    return (XlaScalar){.u = x.u / y.u};
  return y.s == -1 ? (XlaScalar){.u = 0 - x.u} : (XlaScalar){.s = x.s / y.s};
}

static bool isLess(const XlaElementTypeInfo *type, XlaScalar x, XlaScalar y) {
  return isSigned(type) ? x.s < y.s : x.u < y.u;
}

static XlaScalar maximum(const XlaElementTypeInfo *type, XlaScalar x,
                         XlaScalar y) {
  return isLess(type, x, y) ? y : x;
}

static XlaScalar minimum(const XlaElementTypeInfo *type, XlaScalar x,
                         XlaScalar y) {
  return isLess(type, x, y) ? x : y;
}

static XlaScalar multiply(const XlaElementTypeInfo *type, XlaScalar x,
                          XlaScalar y) {
  (void)type;
  return (XlaScalar){.u = x.u * y.u};
}

static XlaScalar bitOr(const XlaElementTypeInfo *type, XlaScalar x,
                       XlaScalar y) {
  (void)type;
  return (XlaScalar){.u = x.u | y.u};
}

static XlaScalar power(const XlaElementTypeInfo *type, XlaScalar x,
                       XlaScalar y) {
  uint64_t base = x.u, result = 1;
  if (isSigned(type) && y.s < 0) // 1 / x^-y, truncated
    return (XlaScalar){.s = x.s == 1 ? 1 : x.s == -1 ? (y.u & 1 ? -1 : 1) : 0};
  for (uint64_t exponent = y.u; exponent; exponent >>= 1, base *= base)
    if (exponent & 1)
      result *= base;
  return (XlaScalar){.u = result};
}

static XlaScalar remainderOf(const XlaElementTypeInfo *type, XlaScalar x,
                             XlaScalar y) {
  if (!y.u)
    return x;
  if (!isSigned(type))
    return (XlaScalar){.u = x.u % y.u};
  return (XlaScalar){.s = y.s == -1 ? 0 : x.s % y.s};
}

static XlaScalar subtract(const XlaElementTypeInfo *type, XlaScalar x,
                          XlaScalar y) {
  (void)type;
  return (XlaScalar){.u = x.u - y.u};
}

static XlaScalar bitXor(const XlaElementTypeInfo *type, XlaScalar x,
                        XlaScalar y) {
  (void)type;
  return (XlaScalar){.u = x.u ^ y.u};
}

//===----------------------------------------------------------------------===//
// Shifts
//===----------------------------------------------------------------------===//

/// Whether every bit is shifted out. A negative amount is a large one.
static bool isOut(const XlaElementTypeInfo *type, uint64_t by) {
  return by >= (uint64_t)type->bits;
}

static XlaScalar shiftLeft(const XlaElementTypeInfo *type, XlaScalar x,
                           XlaScalar y) {
  uint64_t by = y.u & maskOf(type);
  return (XlaScalar){.u = isOut(type, by) ? 0 : x.u << by};
}

static XlaScalar shiftRightLogical(const XlaElementTypeInfo *type, XlaScalar x,
                                   XlaScalar y) {
  uint64_t mask = maskOf(type), by = y.u & mask;
  return (XlaScalar){.u = isOut(type, by) ? 0 : (x.u & mask) >> by};
}

static XlaScalar shiftRightArithmetic(const XlaElementTypeInfo *type,
                                      XlaScalar x, XlaScalar y) {
  uint64_t mask = maskOf(type), by = y.u & mask;
  XlaScalar shifted = shiftRightLogical(type, x, y);
  if ((x.u & mask) >> (type->bits - 1) & 1)
    shifted.u |= isOut(type, by) ? mask : mask & ~(mask >> by);
  return shifted;
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

static XlaScalar clamp(const XlaElementTypeInfo *type, XlaScalar low,
                       XlaScalar x, XlaScalar high) {
  return minimum(type, maximum(type, low, x), high);
}

const XlaScalarInteger xlaScalarIntegers[XlaOpKindCount] = {
    [XlaOpKindAbs] = {.unary = magnitude},
    [XlaOpKindAdd] = {.binary = add},
    [XlaOpKindAnd] = {.binary = bitAnd},
    [XlaOpKindClamp] = {.ternary = clamp},
    [XlaOpKindCountLeadingZeros] = {.unary = countLeadingZeros},
    [XlaOpKindDivide] = {.binary = divide},
    [XlaOpKindMaximum] = {.binary = maximum},
    [XlaOpKindMinimum] = {.binary = minimum},
    [XlaOpKindMultiply] = {.binary = multiply},
    [XlaOpKindNegate] = {.unary = negate},
    [XlaOpKindNot] = {.unary = bitNot},
    [XlaOpKindOr] = {.binary = bitOr},
    [XlaOpKindPopcnt] = {.unary = popcnt},
    [XlaOpKindPower] = {.binary = power},
    [XlaOpKindRemainder] = {.binary = remainderOf},
    [XlaOpKindShiftLeft] = {.binary = shiftLeft},
    [XlaOpKindShiftRightArithmetic] = {.binary = shiftRightArithmetic},
    [XlaOpKindShiftRightLogical] = {.binary = shiftRightLogical},
    [XlaOpKindSign] = {.unary = sign},
    [XlaOpKindSubtract] = {.binary = subtract},
    [XlaOpKindXor] = {.binary = bitXor},
};
