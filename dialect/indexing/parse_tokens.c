//===- parse_tokens.c - Words and numbers of indexing maps ----------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/indexing/parse.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Keeps the first message. False.
bool xlaMapParserFail(XlaMapParser *p, const char *format, ...) {
  if (p->failed)
    return false;
  p->failed = true;
  int n = snprintf(p->message, 256,
                   "character %lld: ", (long long)(p->at - p->begin) + 1);
  va_list args;
  va_start(args, format);
  vsnprintf(p->message + n, 256 - (size_t)n, format, args);
  va_end(args);
  return false;
}

void xlaMapParserSkipSpace(XlaMapParser *p) {
  while (p->at < p->end && isspace((unsigned char)*p->at))
    ++p->at;
}

static bool isWordChar(char c) { return isalnum((unsigned char)c) || c == '_'; }

/// Takes `text` if it comes next; a word only as a whole.
bool xlaMapParserTake(XlaMapParser *p, const char *text) {
  size_t n = strlen(text);
  xlaMapParserSkipSpace(p);
  if ((size_t)(p->end - p->at) < n || memcmp(p->at, text, n) != 0)
    return false;
  if (isWordChar(text[n - 1]) && p->at + n < p->end && isWordChar(p->at[n]))
    return false;
  p->at += n;
  return true;
}

bool xlaMapParserExpect(XlaMapParser *p, const char *text) {
  return xlaMapParserTake(p, text) ||
         xlaMapParserFail(p, "expected '%s'", text);
}

bool xlaMapParserWord(XlaMapParser *p, const char **text, size_t *length) {
  xlaMapParserSkipSpace(p);
  *text = p->at;
  if (p->at == p->end || !(isalpha((unsigned char)*p->at) || *p->at == '_'))
    return xlaMapParserFail(p, "expected the name of a variable");
  while (p->at < p->end && isWordChar(*p->at))
    ++p->at;
  *length = (size_t)(p->at - *text);
  return true;
}

bool xlaMapParserDigits(XlaMapParser *p, bool isNegative, int64_t *value) {
  *value = 0;
  if (p->at == p->end || !isdigit((unsigned char)*p->at))
    return xlaMapParserFail(p, "expected a number");
  for (; p->at < p->end && isdigit((unsigned char)*p->at); ++p->at) {
    int64_t digit = *p->at - '0';
    if (__builtin_mul_overflow(*value, 10, value) ||
        __builtin_add_overflow(*value, isNegative ? -digit : digit, value))
      return xlaMapParserFail(p, "the number does not fit into 64 bits");
  }
  return true;
}

bool xlaMapParserNumber(XlaMapParser *p, int64_t *value) {
  bool isNegative = xlaMapParserTake(p, "-");
  xlaMapParserSkipSpace(p);
  return xlaMapParserDigits(p, isNegative, value);
}
