//===- elementwise.c - Functions of complex numbers on their parts --------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/complex/complex.h"
#include "xlac/passes/expand/formula.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { maxDepth = 8 };

/// The rows of complex.def.
typedef struct Row {
  const char *parts, *whole; ///< one of them
} Row;

static const Row rows[XlaOpKindCount] = {
#define XLA_COMPLEX_PARTS(Operation, formula)                                  \
  [XlaOpKind##Operation] = {formula, NULL},
#define XLA_COMPLEX(Operation, formula)                                        \
  [XlaOpKind##Operation] = {NULL, formula},
#include "xlac/passes/complex/complex.def"
};

static bool isReal(XlaOpKind kind) {
  return kind == XlaOpKindAbs || kind == XlaOpKindReal || kind == XlaOpKindImag;
}

/// A number in the shape of `like`.
static MlirValue number(XlaIr *ir, MlirValue like, double value) {
  XlaElementType type = xlaArrayShape(like).elementType;
  return xlaArraySplat(ir, xlaArrayNumber(ir, type, value), like);
}

static XlaComplex onParts(XlaIr *ir, XlaOpKind kind,
                          const XlaComplex *operands) {
  XlaShape shape = xlaArrayShape(operands[0].re);
  int n = xlaOpGetInfo(kind)->maxOperands;
  MlirValue inputs[4], outputs[2] = {{NULL}};
  for (int i = 0; i < n; ++i) {
    inputs[2 * i] = operands[i].re;
    inputs[2 * i + 1] = operands[i].im;
  }
  xlaFormulaBuild(ir, &shape, rows[kind].parts, 2 * n, inputs,
                  isReal(kind) ? 1 : 2, outputs);
  return (XlaComplex){outputs[0], outputs[1]};
}

/// The formula's stack of complex numbers.
typedef struct Stack {
  XlaIr *ir;
  int depth;
  XlaComplex values[maxDepth], names[26];
} Stack;

static void step(Stack *s, const char *word, MlirValue like) {
  XlaComplex value = {number(s->ir, like, 0), number(s->ir, like, 0)};
  if (*word == '=') {
    s->names[word[1] - 'a'] = s->values[--s->depth];
    return;
  }
  if (*word >= '0' && *word <= '9') {
    value.re = number(s->ir, like, strtod(word, NULL));
  } else if (!strcmp(word, "i")) {
    value.im = number(s->ir, like, 1);
  } else if (!word[1]) {
    value = s->names[*word - 'a'];
  } else {
    XlaOpKind kind = xlaOpKindFromName(word, strlen(word));
    s->depth -= xlaOpGetInfo(kind)->maxOperands;
    xlaComplexElementwise(s->ir, kind, s->values + s->depth, &value);
  }
  s->values[s->depth++] = value;
}

static XlaComplex onWhole(XlaIr *ir, XlaOpKind kind,
                          const XlaComplex *operands) {
  Stack s = {.ir = ir};
  char word[32];
  int n = xlaOpGetInfo(kind)->maxOperands, length;
  for (int i = 0; i < n; ++i)
    s.names["xyz"[i] - 'a'] = operands[i];
  for (const char *text = rows[kind].whole;
       sscanf(text, "%31s%n", word, &length) == 1; text += length)
    step(&s, word, operands[0].re);
  return s.values[0];
}

bool xlaComplexElementwise(XlaIr *ir, XlaOpKind kind,
                           const XlaComplex *operands, XlaComplex *result) {
  if (rows[kind].parts)
    *result = onParts(ir, kind, operands);
  else if (rows[kind].whole)
    *result = onWhole(ir, kind, operands);
  return rows[kind].parts || rows[kind].whole;
}
