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
#include <unistd.h>

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

/// As many as a reader looks through, and how many of more are shown at both
/// ends.
enum { maxShown = 1000, edge = 8 };

void xlaValuePrint(const XlaLiteral *literal, bool all, FILE *file) {
  int64_t n = xlaLiteralGetElementCount(literal);
  bool cut = !all && n > maxShown && isatty(fileno(file));
  fprintf(file, "%s=", XLA_VALUE_SHAPE_TEXT(xlaLiteralGetShape(literal)));
  for (int64_t i = 0; i < n; ++i) {
    if (cut && i == edge) {
      i = n - edge;
      fprintf(file, " .. (%" PRId64 " more, --print-all shows them) ..",
              n - 2 * edge);
    }
    XlaElementText text = xlaValueElementText(literal, i);
    if (i)
      fputc(' ', file);
    fputs(text.chars, file);
  }
}
