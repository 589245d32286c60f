//===- bools.c - Hexadecimal constants of booleans ------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/import/stablehlo.h"

#include <stdlib.h>
#include <string.h>

static size_t skipBlanks(const char *text, size_t at, size_t end) {
  while (at < end && (text[at] == ' ' || text[at] == '\n' || text[at] == '\t' ||
                      text[at] == '\r'))
    ++at;
  return at;
}

static bool acceptText(const char *text, size_t *at, size_t end,
                       const char *token) {
  size_t start = skipBlanks(text, *at, end), length = strlen(token);
  if (end - start < length || memcmp(text + start, token, length) != 0)
    return false;
  *at = start + length;
  return true;
}

/// The number of elements of `> : tensor<2x3xi1`, from `at` on; 0 if something
/// else is there, or too many.
static int64_t readBoolCount(const char *text, size_t at, size_t end) {
  int64_t count = 1;
  if (!acceptText(text, &at, end, ">") || !acceptText(text, &at, end, ":") ||
      !acceptText(text, &at, end, "tensor") || !acceptText(text, &at, end, "<"))
    return 0;
  at = skipBlanks(text, at, end);
  while (at < end && text[at] >= '0' && text[at] <= '9') {
    int64_t size = 0;
    for (; at < end && text[at] >= '0' && text[at] <= '9'; ++at) {
      size = 10 * size + (text[at] - '0');
      if (size > (int64_t)end)
        return 0;
    }
    // More elements than the text has characters cannot be this constant's.
    if (at == end || text[at] != 'x' || (count *= size) > (int64_t)end)
      return 0;
    ++at;
  }
  return acceptText(text, &at, end, "i1") && at < end &&
                 (text[at] == '>' || text[at] == ',' || text[at] == ' ')
             ? count
             : 0;
}

static int hexDigit(char c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

/// Packs the digits between `begin` and `quote`, a pair an element.
static void repack(char *text, size_t begin, size_t quote, int64_t count) {
  static const char digits[] = "0123456789ABCDEF";
  size_t out = begin;
  for (size_t i = begin; i < quote; ++i)
    if (hexDigit(text[i]) < 0)
      return; // the parser will say so
  for (int64_t i = 0; i < count; i += 8) {
    unsigned byte = 0;
    for (int64_t bit = 0; bit < 8 && i + bit < count; ++bit) {
      const char *pair = text + begin + 2 * (i + bit);
      byte |= (unsigned)(hexDigit(pair[0]) || hexDigit(pair[1])) << bit;
    }
    // Writing stays behind reading: 2 characters for 16.
    text[out++] = digits[byte >> 4];
    text[out++] = digits[byte & 15];
  }
  text[out++] = '"';
  memset(text + out, ' ', quote + 1 - out);
}

/// A constant of booleans in hexadecimal: where its digits begin, and the quote
/// behind them.
typedef struct BoolConstant {
  size_t digits, quote;
  int64_t count;
} BoolConstant;

/// The next one from `*at` on, which moves behind it; false if there is none.
static bool findConstant(const char *text, size_t length, size_t *at,
                         BoolConstant *found) {
  static const char opening[] = "dense<";
  for (size_t i = *at; i < length; ++i) {
    if (text[i] == '/' && i + 1 < length && text[i + 1] == '/') {
      const char *end = memchr(text + i, '\n', length - i);
      i = end ? (size_t)(end - text) : length;
      continue;
    }
    if (text[i] != '"')
      continue;
    size_t quote = i + 1;
    while (quote < length && text[quote] != '"' && text[quote] != '\n')
      quote += text[quote] == '\\' ? 2 : 1;
    if (quote >= length)
      return false;
    size_t digits = i + 3;
    bool isHex =
        quote > digits && text[i + 1] == '0' && text[i + 2] == 'x' &&
        i >= sizeof opening - 1 &&
        !memcmp(text + i - (sizeof opening - 1), opening, sizeof opening - 1);
    int64_t count = isHex ? readBoolCount(text, quote + 1, length) : 0;
    if (count) {
      *found = (BoolConstant){digits, quote, count};
      *at = quote + 1;
      return true;
    }
    i = quote;
  }
  return false;
}

void xlaRepackBoolConstants(char *text, size_t length) {
  BoolConstant found;
  // One element reads the same either way.
  for (size_t at = 0; findConstant(text, length, &at, &found);)
    if (found.count > 1 &&
        found.quote - found.digits == 2 * (size_t)found.count)
      repack(text, found.digits, found.quote, found.count);
}

/// The bytes of the elements that the digits at `packed` have as bits.
static void unpack(const char *packed, int64_t count,
                   MlirStringCallback callback, void *userData) {
  for (int64_t i = 0; i < count; i += 8) {
    char bytes[16];
    int64_t n = count - i < 8 ? count - i : 8;
    int byte = hexDigit(packed[i / 4]) << 4 | hexDigit(packed[i / 4 + 1]);
    for (int64_t bit = 0; bit < n; ++bit) {
      bytes[2 * bit] = '0';
      bytes[2 * bit + 1] = byte >> bit & 1 ? '1' : '0';
    }
    callback(mlirStringRefCreate(bytes, 2 * (size_t)n), userData);
  }
}

void xlaUnpackBoolConstants(MlirStringRef text, MlirStringCallback callback,
                            void *userData) {
  BoolConstant found;
  size_t done = 0;
  for (size_t at = 0; findConstant(text.data, text.length, &at, &found);) {
    size_t packed = 2 * (size_t)((found.count + 7) / 8);
    if (found.count < 2 || found.quote - found.digits != packed)
      continue;
    callback(mlirStringRefCreate(text.data + done, found.digits - done),
             userData);
    unpack(text.data + found.digits, found.count, callback, userData);
    done = found.quote;
  }
  callback(mlirStringRefCreate(text.data + done, text.length - done), userData);
}
