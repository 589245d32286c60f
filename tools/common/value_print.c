//===- value_print.c - Values as text -------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/tools/common/value.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/// Whether `text` reads as the bits of `value` in `type`.
static bool readsBack(XlaElementType type, const char *text, double value) {
  const char *end;
  double read = xlaValueReadFloat(type, text, &end);
  return xlaScalarRound(type, (XlaScalar){.f = {read, 0}}).f.re == value;
}

/// Below this, numbers have no exponent.
#define MAX_PLAIN 1e9

/// The shortest decimal, but 10 and not 1e+01. If p digits suffice, so do p +
/// 1: a binary search.
static void printFloat(XlaElementType type, double value, char chars[40]) {
  if (isnan(value)) {
    snprintf(chars, 40, signbit(value) ? "-nan" : "nan");
    return;
  }
  int least = 1, most = 17;
  while (least < most) {
    int middle = (least + most) / 2;
    snprintf(chars, 40, "%.*g", middle, value);
    if (readsBack(type, chars, value))
      most = middle;
    else
      least = middle + 1;
  }
  snprintf(chars, 40, "%.*g", most, value);
  char plain[40];
  if (fabs(value) >= 1 && fabs(value) < MAX_PLAIN && strchr(chars, 'e')) {
    snprintf(plain, sizeof plain, "%.0f", value);
    if (readsBack(type, plain, value))
      strcpy(chars, plain);
  }
}

XlaElementText xlaValueElementText(const XlaLiteral *literal, int64_t linear) {
  XlaElementType type = xlaLiteralGetShape(literal)->elementType;
  XlaElementType real = xlaElementTypeReal(type);
  XlaScalar value = xlaLiteralGet(literal, linear);
  XlaElementText text;
  char re[40], im[40];
  switch (xlaElementTypeGetInfo(type)->typeClass) {
  case XlaTypeClassPred:
    snprintf(text.chars, sizeof text.chars, value.u ? "true" : "false");
    break;
  case XlaTypeClassSigned:
    snprintf(text.chars, sizeof text.chars, "%" PRId64, value.s);
    break;
  case XlaTypeClassUnsigned:
    snprintf(text.chars, sizeof text.chars, "%" PRIu64, value.u);
    break;
  case XlaTypeClassFloat:
    printFloat(type, value.f.re, re);
    snprintf(text.chars, sizeof text.chars, "%s", re);
    break;
  case XlaTypeClassComplex:
    printFloat(real, value.f.re, re);
    printFloat(real, value.f.im, im);
    snprintf(text.chars, sizeof text.chars, "(%s,%s)", re, im);
    break;
  }
  return text;
}

void xlaValuePrint(const XlaLiteral *literal, FILE *file) {
  fprintf(file, "%s=", XLA_VALUE_SHAPE_TEXT(xlaLiteralGetShape(literal)));
  for (int64_t i = 0, n = xlaLiteralGetElementCount(literal); i < n; ++i) {
    XlaElementText text = xlaValueElementText(literal, i);
    if (i)
      fputc(' ', file);
    fputs(text.chars, file);
  }
}
