//===- conditions.c - Conditions of algebraic rules -----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/simplify/algebra/internal.h"

#include <math.h>
#include <string.h>

static const AlgebraBinding *bound(const AlgebraMatch *match, char letter) {
  return &match->letters[letter - 'a'];
}

static const XlaElementTypeInfo *typeOf(const AlgebraMatch *match,
                                        char letter) {
  return xlaElementTypeGetInfo(xlaAlgebraElements(bound(match, letter)->value));
}

static bool isInteger(const XlaElementTypeInfo *info) {
  return info->typeClass & (XlaTypeClassSigned | XlaTypeClassUnsigned);
}

/// What defines the letter's value; null for none.
static MlirOperation definition(const AlgebraMatch *match, char letter,
                                XlaOpKind *kind) {
  MlirOperation none = {NULL};
  MlirValue value = bound(match, letter)->value;
  *kind = XlaOpKindInvalid;
  if (mlirValueIsABlockArgument(value))
    return none;
  MlirOperation op = mlirOpResultGetOwner(value);
  *kind = xlaOpGetKind(op);
  return op;
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

static uint64_t bitsOf(const AlgebraSplat *splat) {
  return splat->value.u &
         ~UINT64_C(0) >> (64 - xlaElementTypeGetInfo(splat->type)->bits);
}

/// A letter of an unsigned type.
static bool powerOfTwo(const AlgebraMatch *match, char letter) {
  uint64_t bits = bitsOf(&bound(match, letter)->splat);
  return bits && !(bits & (bits - 1));
}

/// A power of two or its negative, whose inverse is a normal number.
static bool exactInverse(const AlgebraMatch *match, char letter) {
  const AlgebraSplat *splat = &bound(match, letter)->splat;
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(splat->type);
  int exponent;
  double value = splat->value.f.re;
  if (!isfinite(value) || fabs(frexp(value, &exponent)) != 0.5)
    return false;
  XlaScalar inverse = {.f = {1 / value, 0}};
  return fabs(inverse.f.re) >= ldexp(1, 1 - info->bias) &&
         xlaScalarRound(splat->type, inverse).f.re == inverse.f.re;
}

static bool positiveNan(const AlgebraMatch *match, char letter) {
  double value = bound(match, letter)->splat.value.f.re;
  return isnan(value) && !signbit(value);
}

static bool belowWidth(const AlgebraMatch *match, char letter) {
  const AlgebraSplat *splat = &bound(match, letter)->splat;
  return bitsOf(splat) < (uint64_t)xlaElementTypeGetInfo(splat->type)->bits;
}

static bool beyondWidth(const AlgebraMatch *match, char letter) {
  return !belowWidth(match, letter);
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static bool isOrdered(const AlgebraMatch *match, char letter) {
  const XlaElementTypeInfo *info = typeOf(match, letter);
  return isInteger(info) || info->typeClass == XlaTypeClassPred;
}

static bool isNarrow(const AlgebraMatch *match, char letter) {
  const XlaElementTypeInfo *info = typeOf(match, letter);
  return isInteger(info) || info->bits <= 32;
}

/// The exponents of the least and of the largest numbers of a float type.
static int leastExponent(const XlaElementTypeInfo *info) {
  return 1 - info->bias - info->mantissaBits;
}
static int mostExponent(const XlaElementTypeInfo *info) {
  bool isIeee = info->flavor == XlaFloatFlavorIeee;
  return (1 << info->exponentBits) - 1 - info->bias - isIeee;
}

/// Whether the floats or complex numbers of `wide` include -2^bits .. 2^bits.
static bool holdsIntegers(const XlaElementTypeInfo *wide, int bits) {
  return wide->flavor == XlaFloatFlavorIeee && bits <= wide->mantissaBits + 1 &&
         bits <= mostExponent(wide);
}

/// Whether every value of `from` is one of `to`, and converts to it.
static bool holdsAll(const XlaElementTypeInfo *to,
                     const XlaElementTypeInfo *from) {
  bool fromSigned = from->typeClass == XlaTypeClassSigned;
  if (isInteger(to))
    return from->typeClass == XlaTypeClassPred ||
           (isInteger(from) && to->bits >= from->bits + !fromSigned &&
            to->typeClass == XlaTypeClassSigned) ||
           (from->typeClass == XlaTypeClassUnsigned &&
            to->typeClass == XlaTypeClassUnsigned && to->bits >= from->bits);
  if (to->typeClass == XlaTypeClassPred)
    return from->typeClass == XlaTypeClassPred;
  if (from->typeClass == XlaTypeClassPred || isInteger(from))
    return holdsIntegers(to, from->bits - fromSigned);
  return (from->typeClass == to->typeClass ||
          to->typeClass == XlaTypeClassComplex) &&
         to->flavor == XlaFloatFlavorIeee &&
         from->flavor != XlaFloatFlavorE8m0 &&
         to->mantissaBits >= from->mantissaBits &&
         leastExponent(to) <= leastExponent(from) &&
         mostExponent(to) >= mostExponent(from);
}

/// convert(convert(x)): converting x at once gives the same. Integers wrap when
/// they become narrower integers, but floats that stand for them saturate.
static bool isWidened(const AlgebraMatch *match, char letter) {
  const XlaElementTypeInfo *from = typeOf(match, letter);
  const XlaElementTypeInfo *middle = xlaElementTypeGetInfo(
      xlaAlgebraElements(mlirOperationGetOperand(match->root, 0)));
  const XlaElementTypeInfo *to =
      xlaElementTypeGetInfo(match->shape.elementType);
  if (!holdsAll(middle, from))
    return false;
  return !isInteger(from) || isInteger(middle) || !isInteger(to) ||
         holdsAll(to, from);
}

static bool isNarrowed(const AlgebraMatch *match, char letter) {
  const XlaElementTypeInfo *from = typeOf(match, letter);
  const XlaElementTypeInfo *middle = xlaElementTypeGetInfo(
      xlaAlgebraElements(mlirOperationGetOperand(match->root, 0)));
  const XlaElementTypeInfo *to =
      xlaElementTypeGetInfo(match->shape.elementType);
  return isInteger(from) && isInteger(middle) && isInteger(to) &&
         to->bits <= middle->bits;
}

/// reduce_precision to a format that has all bits of the type.
static bool isPrecise(const AlgebraMatch *match, char letter) {
  const XlaElementTypeInfo *info = typeOf(match, letter);
  int64_t mantissa = xlaOpGetI64(match->root, "mantissa_bits", 0);
  return mantissa >= info->mantissaBits && mantissa > 0 &&
         xlaOpGetI64(match->root, "exponent_bits", 0) >= info->exponentBits;
}

//===----------------------------------------------------------------------===//
// Where values come from
//===----------------------------------------------------------------------===//

static bool isNonnegative(const AlgebraMatch *match, char letter) {
  XlaOpKind kind;
  MlirOperation op = definition(match, letter, &kind);
  const XlaElementTypeInfo *info = typeOf(match, letter), *from;
  bool isFloat = info->typeClass == XlaTypeClassFloat;
  if (kind == XlaOpKindConvert) {
    from = xlaElementTypeGetInfo(
        xlaAlgebraElements(mlirOperationGetOperand(op, 0)));
    bool isUnsigned =
        from->typeClass & (XlaTypeClassUnsigned | XlaTypeClassPred);
    return isUnsigned && (isFloat || from->bits < info->bits);
  }
  if (kind == XlaOpKindMultiply)
    return isFloat && mlirValueEqual(mlirOperationGetOperand(op, 0),
                                     mlirOperationGetOperand(op, 1));
  return kind == XlaOpKindAbs || (isFloat && (kind == XlaOpKindExponential ||
                                              kind == XlaOpKindLogistic));
}

/// Whether `op` adds 0 to each element: sums that begin with 0 are never -0.
static bool addsZero(MlirOperation op) {
  AlgebraSplat splat;
  for (intptr_t i = 0; i < 2; ++i)
    if (xlaAlgebraIsSplat(mlirOperationGetOperand(op, i), &splat) &&
        splat.value.f.re == 0 && !signbit(splat.value.f.re))
      return true;
  return false;
}

/// Through what moves data; of floats.
static bool neverMinusZero(const AlgebraMatch *match, char letter) {
  XlaOpKind kind;
  MlirOperation op = definition(match, letter, &kind);
  while (kind == XlaOpKindReshape || kind == XlaOpKindBroadcastInDim ||
         kind == XlaOpKindTranspose || kind == XlaOpKindSlice) {
    MlirValue from = mlirOperationGetOperand(op, 0);
    if (mlirValueIsABlockArgument(from))
      return false;
    op = mlirOpResultGetOwner(from);
    kind = xlaOpGetKind(op);
  }
  if (kind == XlaOpKindReduce)
    return xlaAlgebraIsSumFrom0(op);
  // A product may be: a term that is rounded to 0 with the sum keeps its sign.
  return (kind == XlaOpKindAdd && addsZero(op)) || kind == XlaOpKindAbs ||
         kind == XlaOpKindExponential || kind == XlaOpKindLogistic;
}

/// NaN and infinities count.
static bool isIntegral(const AlgebraMatch *match, char letter) {
  XlaOpKind kind;
  MlirOperation op = definition(match, letter, &kind);
  if (kind != XlaOpKindConvert)
    return kind == XlaOpKindFloor || kind == XlaOpKindCeil ||
           kind == XlaOpKindRoundNearestAfz ||
           kind == XlaOpKindRoundNearestEven || kind == XlaOpKindSign;
  const XlaElementTypeInfo *from =
      xlaElementTypeGetInfo(xlaAlgebraElements(mlirOperationGetOperand(op, 0)));
  return isInteger(from) || from->typeClass == XlaTypeClassPred;
}

static bool isFinite(const AlgebraMatch *match, char letter) {
  XlaOpKind kind;
  MlirOperation op = definition(match, letter, &kind);
  const XlaElementTypeInfo *info = typeOf(match, letter);
  if (kind != XlaOpKindConvert || info->flavor != XlaFloatFlavorIeee)
    return false;
  const XlaElementTypeInfo *from =
      xlaElementTypeGetInfo(xlaAlgebraElements(mlirOperationGetOperand(op, 0)));
  return (isInteger(from) || from->typeClass == XlaTypeClassPred) &&
         from->bits <= mostExponent(info);
}

/// What the root's first operand is between, and the constant it is beside.
typedef struct Beside {
  bool isKnown;
  AlgebraRange range;
  int64_t constant;
} Beside;

static Beside beside(const AlgebraMatch *match, char letter) {
  AlgebraRange one;
  Beside b = {.isKnown = xlaAlgebraRange(bound(match, letter)->value, &one) &&
                         one.least == one.most};
  if (b.isKnown) {
    b.constant = one.least;
    b.isKnown =
        xlaAlgebraRange(mlirOperationGetOperand(match->root, 0), &b.range);
  }
  return b;
}

static bool allBelow(const AlgebraMatch *match, char letter) {
  Beside b = beside(match, letter);
  return b.isKnown && b.range.most < b.constant;
}

static bool noneBelow(const AlgebraMatch *match, char letter) {
  Beside b = beside(match, letter);
  return b.isKnown && b.range.least >= b.constant;
}

static bool allAbove(const AlgebraMatch *match, char letter) {
  Beside b = beside(match, letter);
  return b.isKnown && b.range.least > b.constant;
}

static bool noneAbove(const AlgebraMatch *match, char letter) {
  Beside b = beside(match, letter);
  return b.isKnown && b.range.most <= b.constant;
}

static bool isOutside(const AlgebraMatch *match, char letter) {
  Beside b = beside(match, letter);
  return b.isKnown && (b.range.most < b.constant || b.range.least > b.constant);
}

/// Signed numbers too: a remainder has their sign.
static bool allSmaller(const AlgebraMatch *match, char letter) {
  Beside b = beside(match, letter);
  return b.isKnown && b.constant > 0 && b.range.most < b.constant &&
         b.range.least > -b.constant;
}

/// Between the bounds of a clamp.
static bool isWithin(const AlgebraMatch *match, char letter) {
  AlgebraRange range, low, high;
  return xlaAlgebraRange(bound(match, letter)->value, &range) &&
         xlaAlgebraRange(mlirOperationGetOperand(match->root, 0), &low) &&
         xlaAlgebraRange(mlirOperationGetOperand(match->root, 2), &high) &&
         low.most <= range.least && range.most <= high.least;
}

/// What is computed for the root alone goes with it, so that nothing is
/// computed in addition.
static bool isOnce(const AlgebraMatch *match, char letter) {
  (void)letter;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(match->root); ++i) {
    MlirValue operand = mlirOperationGetOperand(match->root, i);
    AlgebraSplat splat;
    if (!xlaAlgebraIsSplat(operand, &splat) && !xlaIrHasOneUse(operand))
      return false;
  }
  return true;
}

bool (*xlaAlgebraCondition(const char *word,
                           size_t length))(const AlgebraMatch *match,
                                           char letter) {
  static const struct {
    const char *word;
    bool (*holds)(const AlgebraMatch *match, char letter);
  } conditions[] = {
      {"power_of_two", powerOfTwo},
      {"exact_inverse", exactInverse},
      {"positive_nan", positiveNan},
      {"below_width", belowWidth},
      {"beyond_width", beyondWidth},
      {"ordered", isOrdered},
      {"narrow", isNarrow},
      {"widened", isWidened},
      {"narrowed", isNarrowed},
      {"precise", isPrecise},
      {"nonnegative", isNonnegative},
      {"never_minus_zero", neverMinusZero},
      {"integral", isIntegral},
      {"finite", isFinite},
      {"once", isOnce},
      {"all_below", allBelow},
      {"none_below", noneBelow},
      {"all_above", allAbove},
      {"none_above", noneAbove},
      {"outside", isOutside},
      {"all_smaller", allSmaller},
      {"within", isWithin},
  };
  for (size_t i = 0; i < sizeof conditions / sizeof *conditions; ++i)
    if (strlen(conditions[i].word) == length &&
        !memcmp(conditions[i].word, word, length))
      return conditions[i].holds;
  return NULL;
}
