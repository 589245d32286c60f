//===- formula.c - Functions of real numbers as texts ---------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/expand/formula.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "xlac/dialect/op.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "xlac/passes/expand/formula_series.inc"

#define MAX_DEPTH 16

typedef struct Builder {
  XlaIr ir;
  XlaShape shape;
  MlirType type; ///< of values
  int depth;
  MlirValue stack[MAX_DEPTH];
  MlirValue names[26], own[26]; ///< a to z, and A to Z, which are of phrases
  MlirValue variable, sum;      ///< of the polynomial that is written, if any
} Builder;

static void writeText(Builder *b, const char *text);

static MlirType typeOf(const Builder *b, XlaElementType element) {
  XlaShape shape = b->shape;
  shape.elementType = element;
  return xlaShapeToMlir(&shape, b->ir.context);
}

static void push(Builder *b, MlirValue value) { b->stack[b->depth++] = value; }

static MlirValue pop(Builder *b) { return b->stack[--b->depth]; }

static MlirValue constant(Builder *b, double value) {
  MlirType element = mlirShapedTypeGetElementType(b->type);
  MlirAttribute splat = mlirDenseElementsAttrSplatGet(
      b->type, mlirTypeIsAFloat(element)
                   ? mlirFloatAttrDoubleGet(b->ir.context, element, value)
                   : mlirIntegerAttrGet(element, (int64_t)value));
  return xlaIrOp(&b->ir, "xla.constant", b->type, 0, NULL, 1,
                 &(XlaIrAttr){"value", splat});
}

static MlirValue binary(Builder *b, const char *name, MlirValue left,
                        MlirValue right) {
  return xlaIrBinary(&b->ir, name, left, right);
}

/// value * factor + addend, whose product need not be rounded.
static MlirValue fused(Builder *b, MlirValue value, MlirValue factor,
                       MlirValue addend) {
  XlaIrAttr may = {XLA_CONTRACT, mlirUnitAttrGet(b->ir.context)};
  MlirValue product = xlaIrOp(&b->ir, "xla.multiply", b->type, 2,
                              (MlirValue[]){value, factor}, 1, &may);
  return xlaIrOp(&b->ir, "xla.add", b->type, 2, (MlirValue[]){product, addend},
                 1, &may);
}

static MlirValue compare(Builder *b, const char *direction, bool totalOrder,
                         MlirValue left, MlirValue right) {
  MlirValue operands[2] = {left, right};
  XlaIrAttr attrs[2] = {
      {"comparison_direction", xlaIrStringAttr(b->ir.context, direction)},
      {"compare_type", xlaIrStringAttr(b->ir.context, "TOTALORDER")}};
  return xlaIrOp(&b->ir, "xla.compare", typeOf(b, XlaElementTypePred), 2,
                 operands, totalOrder ? 2 : 1, attrs);
}

static MlirValue choose(Builder *b, MlirValue pred, MlirValue yes,
                        MlirValue no) {
  MlirValue operands[3] = {pred, yes, no};
  return xlaIrOp(&b->ir, "xla.select", b->type, 3, operands, 0, NULL);
}

/// In the total order -0 is less than 0.
static MlirValue withSign(Builder *b, MlirValue value, MlirValue sign,
                          bool ofZero) {
  MlirValue magnitude = xlaIrUnary(&b->ir, "xla.abs", value);
  MlirValue below = compare(b, "LT", ofZero, sign, constant(b, 0));
  return choose(b, below, xlaIrUnary(&b->ir, "xla.negate", magnitude),
                magnitude);
}

static MlirValue round32(Builder *b, MlirValue value) {
  MlirValue narrow =
      xlaIrCast(&b->ir, "xla.convert", value, typeOf(b, XlaElementTypeF32));
  return xlaIrCast(&b->ir, "xla.convert", narrow, b->type);
}

#define MAX_TERMS 40
_Static_assert(sizeof besselLargeSeries <= MAX_TERMS * sizeof(double) &&
                   sizeof erfcSeries <= MAX_TERMS * sizeof(double),
               "powersOf has arrays of that many");

/// The polynomial that the sum of c[k] Tk(t) for k < n is, lowest power first.
static void powersOf(const double *c, int n, long double *powers) {
  long double older[MAX_TERMS] = {0}, last[MAX_TERMS] = {1};
  for (int i = 0; i < n; ++i)
    powers[i] = 0;
  for (int k = 0; k < n; ++k) {
    for (int i = 0; i <= k; ++i)
      powers[i] += c[k] * last[i];
    // T(k + 1) is 2 t Tk - T(k - 1), T1 is t.
    for (int i = k + 1; i >= 0 && k + 1 < n; --i) {
      long double next = (i ? (k ? 2 : 1) * last[i - 1] : 0) - older[i];
      older[i] = last[i];
      last[i] = next;
    }
  }
}

/// Coefficients fall so fast that powers lose nothing: a multiplication and an
/// addition each, where Clenshaw's recurrence has one more.
static MlirValue series(Builder *b, const char *name, MlirValue t) {
  static const struct {
    const char *name;
    const double *coefficients;
    int n;
  } known[] = {
      {"bessel_large", besselLargeSeries,
       sizeof besselLargeSeries / sizeof *besselLargeSeries},
      {"erfc", erfcSeries, sizeof erfcSeries / sizeof *erfcSeries},
  };
  int k = 0;
  while (strcmp(known[k].name, name) != 0)
    ++k;
  int n = known[k].n;
  // f32 and less have nothing left of the last ones.
  if (b->shape.elementType != XlaElementTypeF64)
    while (n > 2 && fabs(known[k].coefficients[n - 1]) <
                        0x1p-28 * fabs(known[k].coefficients[0]))
      --n;
  long double powers[MAX_TERMS];
  powersOf(known[k].coefficients, n, powers);
  MlirValue value = constant(b, (double)powers[n - 1]);
  for (int i = n - 2; i >= 0; --i)
    value = fused(b, value, t, constant(b, (double)powers[i]));
  return value;
}

//===----------------------------------------------------------------------===//
// Logarithms and exponentials without special cases
//===----------------------------------------------------------------------===//

static MlirValue integer(Builder *b, int64_t value) {
  MlirType type = typeOf(b, XlaElementTypeS64);
  MlirAttribute splat = mlirDenseElementsAttrSplatGet(
      type, mlirIntegerAttrGet(mlirShapedTypeGetElementType(type), value));
  return xlaIrOp(&b->ir, "xla.constant", type, 0, NULL, 1,
                 &(XlaIrAttr){"value", splat});
}

static MlirValue bitsOf(Builder *b, MlirValue value) {
  return xlaIrCast(&b->ir, "xla.bitcast_convert", value,
                   typeOf(b, XlaElementTypeS64));
}

static MlirValue ofBits(Builder *b, MlirValue bits) {
  return xlaIrCast(&b->ir, "xla.bitcast_convert", bits, b->type);
}

/// What lies above sqrt(1/2) in bits has the exponent on top and, added to
/// those of sqrt(1/2), 1 + f below. In the lowest bits of 2^52 the exponent is
/// added to that: many processors convert no vectors of s64, nor shift them
/// with their signs.
static void split(Builder *b) {
  const int64_t start = INT64_C(0x3fe6a09e667f3bcd), bias = 1023;
  MlirValue above = binary(b, "xla.subtract", bitsOf(b, pop(b)),
                           integer(b, start - (bias << 52)));
  MlirValue e =
      binary(b, "xla.shift_right_logical", above, integer(b, INT64_C(52)));
  e = binary(b, "xla.or", e, integer(b, INT64_C(0x433) << 52));
  push(b, binary(b, "xla.subtract", ofBits(b, e),
                 constant(b, 0x1p52 + (double)bias)));
  MlirValue mantissa =
      binary(b, "xla.and", above, integer(b, (INT64_C(1) << 52) - 1));
  mantissa = binary(b, "xla.add", mantissa, integer(b, start));
  push(b, binary(b, "xla.subtract", ofBits(b, mantissa), constant(b, 1)));
}

/// Added to 1.5 * 2^52 a whole number stands in the lowest bits.
static void scale(Builder *b) {
  MlirValue exponent =
      binary(b, "xla.shift_left", bitsOf(b, pop(b)), integer(b, 52));
  push(b, ofBits(b, binary(b, "xla.add", bitsOf(b, pop(b)), exponent)));
}

/// Words that stand for others, whose values have names from A to Z. With s =
/// f / (2 + f), ln(1 + f) is 2 atanh(s) and, to all digits, f less f^2 / 2 - s
/// (f^2 / 2 + s^2 p).
static const struct {
  const char *word, *text;
} phrases[] = {
    {"ln", "split =F =E F F 2 add divide =S S S multiply =Z "
           "F F multiply 0.5 multiply =H "
           "Z [ 0.13088034850927555 0.13268638369266825 0.15386244737621665 "
           "0.18181795547521137 0.22222222392581045 0.28571428570799784 "
           "0.40000000000000885 0.6666666666666666 ] Z H fused S "
           "E 5.497923018708371e-14 multiply fused =T "
           "E 0x1.62e42fefa38p-1 F H T subtract subtract fused "},
    {"ln40", "split =F =E F F 2 add divide =S S S multiply =Z "
             "Z [ 0.19362653714202008 0.22191400830308503 0.2857175453591449 "
             "0.3999999879733759 0.6666666666737509 2 ] S multiply "
             "E 0.69314718055994531 multiply add "},
    {"exp33",
     "=X X 1.44269504088896341 0x1.8p52 fused =M M 0x1.8p52 subtract "
     "-0.69314718055994531 X fused "
     "[ 0.00019907569310848288 0.0013948578326459795 0.008333283538708528 "
     "0.041666218319291945 0.16666666786308587 0.5000000107729166 "
     "0.999999999995509 0.9999999999595618 ] M scaled "},
};

/// Whether `word` is one of those above; then it is written.
static bool writePhrase(Builder *b, const char *word) {
  for (size_t i = 0; i < sizeof phrases / sizeof *phrases; ++i)
    if (strcmp(phrases[i].word, word) == 0) {
      writeText(b, phrases[i].text);
      return true;
    }
  return false;
}

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

static bool isComparison(const char *word) {
  return !strcmp(word, "lt") || !strcmp(word, "gt") || !strcmp(word, "le") ||
         !strcmp(word, "eq");
}

static bool isSign(const char *word) {
  return !strcmp(word, "copysign") || !strcmp(word, "signed");
}

/// Replaces the operands on top of the stack by the result of xla.`word`.
static void apply(Builder *b, const char *word) {
  char name[40];
  XlaOpKind kind = xlaOpKindFromName(word, strlen(word));
  int arity = xlaOpGetInfo(kind)->maxOperands;
  snprintf(name, sizeof name, "xla.%s", word);
  b->depth -= arity;
  MlirType type = mlirValueGetType(b->stack[b->depth + arity - 1]);
  push(b, xlaIrOp(&b->ir, name, type, arity, &b->stack[b->depth], 0, NULL));
}

static bool isNumber(const char *word) {
  return (*word >= '0' && *word <= '9') ||
         (*word == '-' && word[1] >= '0' && word[1] <= '9') ||
         !strcmp(word, "nan") || !strcmp(word, "inf");
}

/// A word that takes two values.
static void applyPair(Builder *b, const char *word) {
  MlirValue right = pop(b), left = pop(b);
  if (isSign(word)) {
    push(b, withSign(b, left, right, !strcmp(word, "copysign")));
    return;
  }
  char direction[3] = {(char)(word[0] - 'a' + 'A'), (char)(word[1] - 'a' + 'A'),
                       '\0'};
  push(b, compare(b, direction, false, left, right));
}

/// Horner's scheme. The first word is the bracket.
static void stepInPolynomial(Builder *b, const char *word) {
  if (*word == '[') {
    b->variable = pop(b);
    b->sum = (MlirValue){NULL};
  } else if (*word == ']') {
    push(b, b->sum);
    b->variable = (MlirValue){NULL};
  } else {
    MlirValue c = constant(b, strtod(word, NULL));
    b->sum = b->sum.ptr ? fused(b, b->sum, b->variable, c) : c;
  }
}

static MlirValue *nameOf(Builder *b, char letter) {
  return letter <= 'Z' ? &b->own[letter - 'A'] : &b->names[letter - 'a'];
}

static void step(Builder *b, const char *word) {
  if (b->variable.ptr || *word == '[')
    stepInPolynomial(b, word);
  else if (*word == '=')
    *nameOf(b, word[1]) = pop(b);
  else if (isNumber(word))
    push(b, constant(b, strtod(word, NULL)));
  else if (!word[1])
    push(b, *nameOf(b, *word));
  else if (*word == '~')
    push(b, series(b, word + 1, pop(b)));
  else if (!strcmp(word, "rounded"))
    push(b, round32(b, pop(b)));
  else if (!strcmp(word, "fused")) {
    MlirValue addend = pop(b), factor = pop(b);
    push(b, fused(b, pop(b), factor, addend));
  } else if (!strcmp(word, "split"))
    split(b);
  else if (!strcmp(word, "scaled"))
    scale(b);
  else if (isComparison(word) || isSign(word))
    applyPair(b, word);
  else if (!writePhrase(b, word))
    apply(b, word);
}

static void writeText(Builder *b, const char *text) {
  while (*text) {
    char word[40];
    size_t length = strcspn(text, " ");
    snprintf(word, sizeof word, "%.*s", (int)length, text);
    if (length)
      step(b, word);
    text += length + (text[length] == ' ');
  }
}

void xlaFormulaBuild(XlaIr *ir, const XlaShape *shape, const char *text,
                     int nInputs, const MlirValue *inputs, int nOutputs,
                     MlirValue *outputs) {
  Builder b = {.ir = *ir, .shape = *shape};
  b.type = typeOf(&b, shape->elementType);
  for (int i = 0; i < nInputs; ++i)
    b.names["xyzvw"[i] - 'a'] = inputs[i];
  writeText(&b, text);
  for (int i = 0; i < nOutputs; ++i)
    outputs[i] = b.stack[b.depth - nOutputs + i];
}
