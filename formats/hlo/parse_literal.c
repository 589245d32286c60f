//===- parse_literal.c - Constants in HLO text ----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A constant is its elements in braces, one pair for each dimension, as
// {{1, 2}, {3, 4}}. Numbers are read as XLA reads them: as a double, rounded to
// the element type.
//
//===----------------------------------------------------------------------===//

#include "xlac/formats/hlo/parse.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

/// Decimal digits and exponent of a number of up to 19 digits, in one pass;
/// false for longer ones. `*at` moves behind it.
static bool scanDecimal(const char **at, const char *end, uint64_t *digits,
                        int *exponent) {
  const char *s = *at;
  int n = 0, scale = 0;
  uint64_t value = 0;
  bool point = false;
  for (; s < end && (isdigit((unsigned char)*s) || (*s == '.' && !point));
       ++s) {
    if (*s == '.') {
      point = true;
      continue;
    }
    value = value * 10 + (uint64_t)(*s - '0');
    n += value != 0;
    scale -= point;
  }
  if (s < end && (*s == 'e' || *s == 'E')) {
    const char *e = s + 1;
    bool negative = e < end && *e == '-';
    e += e < end && (*e == '-' || *e == '+');
    int power = 0;
    const char *first = e;
    for (; e < end && isdigit((unsigned char)*e); ++e)
      power = power < 10000 ? power * 10 + (*e - '0') : power;
    if (e > first) {
      scale += negative ? -power : power;
      s = e;
    }
  }
  *at = s;
  *digits = value;
  *exponent = scale;
  return n <= 19;
}

/// The number at `from`, without sign; `*to` is behind it, or `from` if there
/// is none.
static double readReal(const char *from, const char *end, const char **to) {
  static const double powers[] = {
      1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
      1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  uint64_t digits;
  int exponent;
  const char *at = from;
  bool isShort = scanDecimal(&at, end, &digits, &exponent);
  *to = at;
  if (at == from || (at == from + 1 && *from == '.')) {
    *to = from;
    return 0;
  }
  // Both are exact, so that one operation rounds once.
  if (isShort && digits < UINT64_C(1) << 53 && exponent >= -22 &&
      exponent <= 22)
    return exponent < 0 ? (double)digits / powers[-exponent]
                        : (double)digits * powers[exponent];
  char text[400], *stop;
  size_t length = (size_t)(at - from);
  if (length >= sizeof text)
    length = sizeof text - 1; // digits that no double tells apart
  memcpy(text, from, length);
  text[length] = 0;
  return strtod(text, &stop);
}

static bool acceptWord(XlaHloParser *p, const char *word) {
  size_t length = strlen(word);
  if ((size_t)(p->end - p->at) < length ||
      strncasecmp(p->at, word, length) != 0)
    return false;
  p->at += length;
  return true;
}

/// The part of a number in a NaN's bits, as in `nan(0x400001)`; 0 if not said.
static bool readPayload(XlaHloParser *p, uint64_t *payload) {
  *payload = 0;
  if (p->at == p->end || *p->at != '(')
    return true;
  const char *from = ++p->at;
  if (!acceptWord(p, "0x"))
    return xlaHloFail(p, from, "expected 0x");
  for (; p->at < p->end && isxdigit((unsigned char)*p->at); ++p->at)
    *payload = *payload << 4 | (uint64_t)(isdigit((unsigned char)*p->at)
                                              ? *p->at - '0'
                                              : (*p->at | 32) - 'a' + 10);
  return xlaHloExpect(p, ')');
}

static bool storeNan(XlaHloParser *p, XlaElementType type, bool negative,
                     unsigned char *to) {
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(type);
  uint64_t payload;
  if (!readPayload(p, &payload))
    return false;
  xlaScalarStore(type, to,
                 (XlaScalar){.f = {negative ? -(double)NAN : (double)NAN, 0}});
  if (info->flavor != XlaFloatFlavorIeee)
    return true;
  uint64_t mantissa = (UINT64_C(1) << info->mantissaBits) - 1;
  uint64_t bits = ((UINT64_C(1) << info->exponentBits) - 1)
                  << info->mantissaBits;
  payload &= mantissa;
  bits |= payload ? payload : UINT64_C(1) << (info->mantissaBits - 1);
  bits |= (uint64_t)negative << (info->mantissaBits + info->exponentBits);
  memcpy(to, &bits, (size_t)info->bytes);
  return true;
}

static bool readFloat(XlaHloParser *p, XlaElementType type, unsigned char *to) {
  xlaHloSkipBlanks(p);
  bool negative = p->at < p->end && *p->at == '-';
  p->at += negative || (p->at < p->end && *p->at == '+');
  XlaScalar value = {.f = {0, 0}};
  const char *behind;
  if (acceptWord(p, "nan"))
    return storeNan(p, type, negative, to);
  if (acceptWord(p, "inf")) {
    value.f.re = (double)INFINITY;
    acceptWord(p, "inity");
  } else {
    value.f.re = readReal(p->at, p->end, &behind);
    if (behind == p->at)
      return xlaHloFail(p, p->at, "expected a number");
    p->at = behind;
  }
  value.f.re = negative ? -value.f.re : value.f.re;
  if (type == XlaElementTypeF32) {
    float single = (float)value.f.re;
    memcpy(to, &single, sizeof single);
  } else {
    xlaScalarStore(type, to, value);
  }
  return true;
}

/// `(1, -2)`; a number alone is the real part.
static bool readComplex(XlaHloParser *p, XlaElementType type,
                        unsigned char *to) {
  XlaElementType part = xlaElementTypeReal(type);
  unsigned char *imaginary = to + xlaElementTypeGetInfo(part)->bytes;
  if (!xlaHloAccept(p, '(')) {
    memset(imaginary, 0, (size_t)xlaElementTypeGetInfo(part)->bytes);
    return readFloat(p, part, to);
  }
  return readFloat(p, part, to) && xlaHloExpect(p, ',') &&
         readFloat(p, part, imaginary) && xlaHloExpect(p, ')');
}

static bool readPred(XlaHloParser *p, unsigned char *to) {
  xlaHloSkipBlanks(p);
  const char *from = p->at;
  *to = acceptWord(p, "true") || acceptWord(p, "1");
  return *to || acceptWord(p, "false") || acceptWord(p, "0") ||
         xlaHloFail(p, from, "expected true, false, 1 or 0");
}

static bool readInteger(XlaHloParser *p, XlaElementType type,
                        unsigned char *to) {
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(type);
  xlaHloSkipBlanks(p);
  const char *from = p->at;
  bool negative = p->at < p->end && *p->at == '-';
  bool isSigned = info->typeClass == XlaTypeClassSigned;
  uint64_t most =
      info->bits == 64 ? UINT64_MAX : (UINT64_C(1) << info->bits) - 1;
  most = isSigned ? (most >> 1) + negative : most;
  p->at += negative;
  uint64_t value = 0;
  const char *digits = p->at;
  for (; p->at < p->end && isdigit((unsigned char)*p->at); ++p->at) {
    uint64_t digit = (uint64_t)(*p->at - '0');
    if (value > (most - digit) / 10 || digit > most)
      return xlaHloFail(p, from, "the number is out of range for %s",
                        info->name);
    value = value * 10 + digit;
  }
  if (p->at == digits)
    return xlaHloFail(p, from, "expected an integer");
  if (negative && !isSigned && value)
    return xlaHloFail(p, from, "the number is out of range for %s", info->name);
  value = negative ? 0 - value : value;
  xlaScalarStore(type, to, (XlaScalar){.u = value});
  return true;
}

static bool readElement(XlaHloParser *p, XlaElementType type,
                        unsigned char *to) {
  switch (xlaElementTypeGetInfo(type)->typeClass) {
  case XlaTypeClassPred:
    return readPred(p, to);
  case XlaTypeClassSigned:
  case XlaTypeClassUnsigned:
    return readInteger(p, type, to);
  case XlaTypeClassFloat:
    return readFloat(p, type, to);
  case XlaTypeClassComplex:
    return readComplex(p, type, to);
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Arrays and tuples
//===----------------------------------------------------------------------===//

typedef struct Filling {
  XlaElementType type;
  int bytes, rank;
  const int64_t *dims;
  unsigned char *next;
} Filling;

/// The elements below dimension `d`.
static bool readDimension(XlaHloParser *p, Filling *filling, int d) {
  if (d == filling->rank) {
    bool read = readElement(p, filling->type, filling->next);
    filling->next += filling->bytes;
    return read;
  }
  const char *from = p->at;
  if (!xlaHloExpect(p, '{'))
    return false;
  if (xlaHloAcceptText(p, "..."))
    return xlaHloFail(p, from,
                      "the constant has been left out of the text; print it "
                      "with all constants (print_large_constants)");
  for (int64_t i = 0; i < filling->dims[d]; ++i) {
    if (xlaHloIsNext(p, '}'))
      break;
    if (i && !xlaHloExpect(p, ','))
      return false;
    if (!readDimension(p, filling, d + 1))
      return false;
  }
  return xlaHloAccept(p, '}') ||
         xlaHloFail(p, p->at,
                    "expected '}' after %lld elements of dimension %d",
                    (long long)filling->dims[d], d);
}

static bool parseArray(XlaHloParser *p, const XlaHloShape *shape,
                       XlaLiteral **literal) {
  XlaShape array = xlaHloShapeGetArray(shape);
  int64_t count;
  xlaHloSkipBlanks(p);
  const char *from = p->at;
  if (array.dynamic)
    return xlaHloRefuse(p, from,
                        "is not supported yet: a constant of dynamic "
                        "size");
  // Elements take a character each, at least, so that a short text cannot ask
  // for much memory.
  if (!xlaShapeGetElementCount(&array, &count) || count > p->end - p->at)
    return xlaHloFail(p, from,
                      xlaHloAcceptText(p, "{...}")
                          ? "the constant has been left out of the "
                            "text; print it with all constants "
                            "(print_large_constants)"
                          : "the constant has fewer elements than its "
                            "shape");
  *literal = xlaLiteralCreateArray(&array);
  if (!*literal)
    return xlaHloFailNoMemory(p);
  unsigned char *data = xlaLiteralGetMutableData(*literal);
  int bytes = xlaElementTypeGetInfo(array.elementType)->bytes;
  // Without elements there may be fewer braces than dimensions.
  if (!count)
    return xlaHloSkipValue(p);
  Filling filling = {array.elementType, bytes, array.rank, shape->dims, data};
  if (!readDimension(p, &filling, 0))
    return false;
  return filling.next == data + count * bytes ||
         xlaHloFail(p, from, "the constant has %lld elements, its shape %lld",
                    (long long)((filling.next - data) / bytes),
                    (long long)count);
}

static bool parseLiteral(XlaHloParser *p, const XlaHloShape *shape, int depth,
                         XlaLiteral **literal);

static bool parseTuple(XlaHloParser *p, const XlaHloShape *shape, int depth,
                       XlaLiteral **literal) {
  uint32_t n = shape->nElements, made = 0;
  XlaLiteral **elements = calloc((size_t)n + 1, sizeof *elements);
  if (!elements)
    return xlaHloFailNoMemory(p);
  bool parsed = xlaHloExpect(p, '(');
  for (; parsed && made < n; ++made)
    parsed = (!made || xlaHloExpect(p, ',')) &&
             parseLiteral(p, shape->elements[made], depth + 1, &elements[made]);
  parsed = parsed && xlaHloExpect(p, ')');
  if (parsed) {
    *literal = xlaLiteralTakeTuple(n, elements);
    parsed = *literal || xlaHloFailNoMemory(p);
  } else {
    for (uint32_t i = 0; i < made; ++i)
      xlaLiteralRelease(elements[i]);
  }
  free(elements);
  return parsed;
}

static bool parseLiteral(XlaHloParser *p, const XlaHloShape *shape, int depth,
                         XlaLiteral **literal) {
  *literal = NULL;
  switch (shape->kind) {
  case XlaHloShapeKindToken:
    return xlaHloFail(p, p->at, "a token is no constant");
  case XlaHloShapeKindTuple:
    return parseTuple(p, shape, depth, literal);
  case XlaHloShapeKindArray:
    break;
  }
  return parseArray(p, shape, literal);
}

bool xlaHloParseLiteral(XlaHloParser *p, const XlaHloShape *shape,
                        XlaLiteral **literal) {
  const XlaHloShape *ignored;
  // Older text repeats the shape before the elements.
  if (shape->kind == XlaHloShapeKindArray && !xlaHloIsNext(p, '(') &&
      xlaHloIsShapeNext(p) && !xlaHloParseShape(p, &ignored))
    return false;
  return parseLiteral(p, shape, 0, literal);
}
