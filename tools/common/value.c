//===- value.c - Values on command lines ----------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/tools/common/value.h"

#include "xlac/tools/common/options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// Reads `2x3xf32` up to `end`.
static XlaStatus parseShape(const char *text, const char *end,
                            XlaShape *shape) {
  const char *at = text;
  int length = (int)(end - text);
  memset(shape, 0, sizeof *shape);
  while (at < end && *at >= '0' && *at <= '9') {
    char *stop;
    errno = 0;
    long long size = strtoll(at, &stop, 10);
    if (errno || stop >= end || *stop != 'x')
      return xlaStatusCreate(XLA_STATUS_INVALID_ARGUMENT,
                             "\"%.*s\" is no type; types look like 2x3xf32",
                             length, text);
    if (shape->rank == XLA_MAX_RANK)
      return xlaStatusCreate(XLA_STATUS_INVALID_ARGUMENT,
                             "\"%.*s\" has more than %d dimensions", length,
                             text, XLA_MAX_RANK);
    shape->dims[shape->rank++] = size;
    at = stop + 1;
  }
  shape->elementType = xlaElementTypeFromName(at, (size_t)(end - at));
  if (shape->elementType == XlaElementTypeInvalid)
    return xlaStatusCreate(XLA_STATUS_INVALID_ARGUMENT,
                           "\"%.*s\" is no element type; there are pred, s2 to "
                           "s64, u2 to u64, f16, bf16, f32, f64, f8e4m3fn .., "
                           "c64, c128",
                           (int)(end - at), at);
  int64_t count;
  if (!xlaShapeGetElementCount(shape, &count))
    return xlaStatusCreate(XLA_STATUS_INVALID_ARGUMENT,
                           "\"%.*s\" has more elements than memory can hold",
                           length, text);
  return NULL;
}

const char *xlaValueShapeText(const XlaShape *shape, char chars[160]) {
  int length = 0;
  for (int d = 0; d < shape->rank && length < 130; ++d)
    length += snprintf(chars + length, (size_t)(160 - length), "%s%lldx",
                       xlaShapeIsDynamic(shape, d) ? "<=" : "",
                       (long long)shape->dims[d]);
  snprintf(chars + length, (size_t)(160 - length), "%s",
           xlaElementTypeGetInfo(shape->elementType)->name);
  return chars;
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

static const char *skipSeparators(const char *text) {
  return text + strspn(text, " ,\t\r\n");
}

/// Whether an element ends at `text`.
static bool atSeparator(const char *text, bool inComplex) {
  return !*text || strchr(inComplex ? " ,)\t\r\n" : " ,\t\r\n", *text) != NULL;
}

double xlaValueReadFloat(XlaElementType type, const char *text,
                         const char **end) {
  char *stop;
  // By way of double, f32 would be rounded twice.
  double value = xlaElementTypeReal(type) == XlaElementTypeF32
                     ? (double)strtof(text, &stop)
                     : strtod(text, &stop);
  *end = stop;
  return value;
}

static bool readPred(const char *text, const char **end, XlaScalar *value) {
  static const char *const words[] = {"false", "true", "0", "1"};
  for (unsigned i = 0; i < 4; ++i)
    if (!strncmp(text, words[i], strlen(words[i]))) {
      value->u = i & 1;
      *end = text + strlen(words[i]);
      return atSeparator(*end, false);
    }
  return false;
}

/// Decimal or hexadecimal, within the type's range.
static bool readInteger(const XlaElementTypeInfo *info, const char *text,
                        const char **end, XlaScalar *value) {
  char *stop;
  bool negative = *text == '-';
  const char *digits = text + (*text == '-' || *text == '+');
  int base =
      digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X') ? 16 : 10;
  if (*digits < '0' || *digits > '9')
    return false;
  errno = 0;
  uint64_t magnitude = strtoull(digits, &stop, base);
  *end = stop;
  uint64_t most = info->typeClass == XlaTypeClassSigned
                      ? ((uint64_t)1 << (info->bits - 1)) - !negative
                  : negative ? 0
                             : UINT64_MAX >> (64 - info->bits);
  value->u = negative ? 0 - magnitude : magnitude;
  return !errno && magnitude <= most && atSeparator(stop, false);
}

static bool readComplex(XlaElementType type, const char *text, const char **end,
                        XlaScalar *value) {
  if (*text != '(') {
    value->f.im = 0;
    value->f.re = xlaValueReadFloat(type, text, end);
    return *end != text && atSeparator(*end, false);
  }
  const char *at = text + 1 + strspn(text + 1, " ");
  value->f.re = xlaValueReadFloat(type, at, end);
  if (*end == at || !atSeparator(*end, true))
    return false;
  at = skipSeparators(*end);
  value->f.im = xlaValueReadFloat(type, at, end);
  if (*end == at)
    return false;
  *end += strspn(*end, " ");
  if (**end != ')')
    return false;
  ++*end;
  return atSeparator(*end, false);
}

static bool readElement(XlaElementType type, const char *text, const char **end,
                        XlaScalar *value) {
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(type);
  *end = text;
  switch (info->typeClass) {
  case XlaTypeClassPred:
    return readPred(text, end, value);
  case XlaTypeClassSigned:
  case XlaTypeClassUnsigned:
    return readInteger(info, text, end, value);
  case XlaTypeClassComplex:
    return readComplex(type, text, end, value);
  case XlaTypeClassFloat:
    break;
  }
  value->f.im = 0;
  value->f.re = xlaValueReadFloat(type, text, end);
  return *end != text && atSeparator(*end, false);
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

static XlaStatus parseElements(const XlaShape *shape, const char *text,
                               XlaLiteral *literal) {
  int64_t count = xlaLiteralGetElementCount(literal), read = 0;
  const char *at = skipSeparators(text);
  XlaScalar value = {.u = 0};
  for (; *at; at = skipSeparators(at)) {
    const char *end;
    if (!readElement(shape->elementType, at, &end, &value)) {
      int length = (int)strcspn(at, " \t\r\n");
      return xlaStatusCreate(XLA_STATUS_INVALID_ARGUMENT,
                             "element %lld, \"%.*s\", is no %s",
                             (long long)read, length < 60 ? length : 60, at,
                             xlaElementTypeGetInfo(shape->elementType)->name);
    }
    if (read < count)
      xlaLiteralSet(literal, read, value);
    ++read;
    at = end;
  }
  if (read == 1 && count > 1)
    for (int64_t i = 1; i < count; ++i)
      xlaLiteralSet(literal, i, value);
  else if (read != count)
    return xlaStatusCreate(
        XLA_STATUS_INVALID_ARGUMENT, "%s has %lld elements, %lld are given",
        XLA_VALUE_SHAPE_TEXT(shape), (long long)count, (long long)read);
  return NULL;
}

static XlaStatus createArray(const XlaShape *shape, XlaLiteral **literal) {
  *literal = xlaLiteralCreateArray(shape);
  return *literal
             ? NULL
             : xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY, "out of memory for %s",
                               XLA_VALUE_SHAPE_TEXT(shape));
}

static const char randomWord[] = "random:";

static bool isRandom(const char *text) {
  return !strncmp(text, randomWord, sizeof randomWord - 1);
}

/// `random:7` of this shape.
static XlaStatus parseRandom(const char *text, const XlaShape *shape,
                             XlaLiteral **literal) {
  uint64_t seed;
  if (!xlaToolReadInteger(text + sizeof randomWord - 1, &seed))
    return xlaStatusCreate(XLA_STATUS_INVALID_ARGUMENT,
                           "\"%.60s\" needs a number, as random:7", text);
  return xlaValueRandom(shape, seed, literal);
}

static XlaStatus parseArray(const char *text, XlaLiteral **literal) {
  const char *equals = strchr(text, '=');
  XlaShape shape;
  if (!equals)
    return xlaStatusCreate(XLA_STATUS_INVALID_ARGUMENT,
                           "\"%.60s\" is no value; values look like "
                           "2x2xf32=1 2 3 4, @x.npy or random:7",
                           text);
  XLA_RETURN_IF_ERROR(parseShape(text, equals, &shape));
  if (isRandom(equals + 1))
    return parseRandom(equals + 1, &shape, literal);
  XLA_RETURN_IF_ERROR(createArray(&shape, literal));
  XlaStatus status = parseElements(&shape, equals + 1, *literal);
  if (status) {
    xlaLiteralRelease(*literal);
    *literal = NULL;
  }
  return status;
}

XlaStatus xlaValueParse(const char *text, const XlaShape *wanted,
                        XlaLiteral **literal) {
  *literal = NULL;
  if (*text == '@')
    return xlaValueReadNpy(text + 1, wanted, literal);
  if (!isRandom(text))
    return parseArray(text, literal);
  if (!wanted)
    return xlaStatusCreate(XLA_STATUS_INVALID_ARGUMENT,
                           "\"%.60s\" has no type here", text);
  return parseRandom(text, wanted, literal);
}

//===----------------------------------------------------------------------===//
// Random values
//===----------------------------------------------------------------------===//

/// SplitMix64 (Steele, Lea, Flood 2014): the output for any state is well
/// mixed, so that elements are independent of their order.
static uint64_t mix(uint64_t state) {
  state += 0x9E3779B97F4A7C15u;
  state = (state ^ state >> 30) * 0xBF58476D1CE4E5B9u;
  state = (state ^ state >> 27) * 0x94D049BB133111EBu;
  return state ^ state >> 31;
}

/// In [-1, 1), a multiple of 2^-23.
static double randomFloat(uint64_t bits) {
  return (double)(int64_t)(bits >> 40) * 0x1p-23 - 1.0;
}

static XlaScalar randomScalar(const XlaElementTypeInfo *info, uint64_t bits) {
  switch (info->typeClass) {
  case XlaTypeClassPred:
    return (XlaScalar){.u = bits >> 63};
  case XlaTypeClassUnsigned: {
    uint64_t most = UINT64_MAX >> (64 - info->bits);
    return (XlaScalar){.u = (bits >> 8) % (most < 100 ? most + 1 : 101)};
  }
  case XlaTypeClassSigned: {
    int64_t most = info->bits < 8 ? ((int64_t)1 << (info->bits - 1)) - 1 : 100;
    return (XlaScalar){.s = (int64_t)((bits >> 8) % (uint64_t)(2 * most + 1)) -
                            most};
  }
  case XlaTypeClassComplex:
    return (XlaScalar){.f = {randomFloat(bits), randomFloat(mix(bits))}};
  case XlaTypeClassFloat:
    break;
  }
  return (XlaScalar){.f = {randomFloat(bits), 0}};
}

XlaStatus xlaValueRandom(const XlaShape *shape, uint64_t seed,
                         XlaLiteral **literal) {
  *literal = NULL;
  XLA_RETURN_IF_ERROR(createArray(shape, literal));
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(shape->elementType);
  uint64_t start = mix(seed);
  for (int64_t i = 0, n = xlaLiteralGetElementCount(*literal); i < n; ++i)
    xlaLiteralSet(*literal, i, randomScalar(info, mix(start + (uint64_t)i)));
  return NULL;
}
