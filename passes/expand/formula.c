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
  MlirValue names[26];
} Builder;

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
  for (int i = n - 2; i >= 0; --i) {
    value = binary(b, "xla.multiply", value, t);
    value = binary(b, "xla.add", value, constant(b, (double)powers[i]));
  }
  return value;
}

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

static void step(Builder *b, const char *word) {
  if (*word == '=')
    b->names[word[1] - 'a'] = pop(b);
  else if (isNumber(word))
    push(b, constant(b, strtod(word, NULL)));
  else if (!word[1])
    push(b, b->names[*word - 'a']);
  else if (*word == '~')
    push(b, series(b, word + 1, pop(b)));
  else if (!strcmp(word, "rounded"))
    push(b, round32(b, pop(b)));
  else if (isComparison(word) || isSign(word))
    applyPair(b, word);
  else
    apply(b, word);
}

void xlaFormulaBuild(XlaIr *ir, const XlaShape *shape, const char *text,
                     int nInputs, const MlirValue *inputs, int nOutputs,
                     MlirValue *outputs) {
  Builder b = {.ir = *ir, .shape = *shape};
  b.type = typeOf(&b, shape->elementType);
  for (int i = 0; i < nInputs; ++i)
    b.names["xyzvw"[i] - 'a'] = inputs[i];
  while (*text) {
    char word[40];
    size_t length = strcspn(text, " ");
    snprintf(word, sizeof word, "%.*s", (int)length, text);
    if (length)
      step(&b, word);
    text += length + (text[length] == ' ');
  }
  for (int i = 0; i < nOutputs; ++i)
    outputs[i] = b.stack[b.depth - nOutputs + i];
}
