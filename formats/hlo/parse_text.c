//===- parse_text.c - Characters of HLO text ------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/formats/hlo/parse.h"

#include "mlir-c/Diagnostics.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

static void emit(XlaHloParser *p, const char *at, const char *format,
                 va_list arguments) {
  char message[512];
  unsigned line = 1;
  const char *lineStart = p->start, *next;
  while ((next = memchr(lineStart, '\n', (size_t)(at - lineStart)))) {
    lineStart = next + 1;
    ++line;
  }
  vsnprintf(message, sizeof message, format, arguments);
  mlirEmitError(mlirLocationFileLineColGet(p->context, p->file, line,
                                           (unsigned)(at - lineStart) + 1),
                message);
}

bool xlaHloFail(XlaHloParser *p, const char *at, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  if (p->result == XlaImportResultOk)
    emit(p, at, format, arguments);
  va_end(arguments);
  p->result = XlaImportResultInvalid;
  return false;
}

bool xlaHloRefuse(XlaHloParser *p, const char *at, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  if (p->result == XlaImportResultOk)
    emit(p, at, format, arguments);
  va_end(arguments);
  p->result = XlaImportResultUnsupported;
  return false;
}

bool xlaHloFailNoMemory(XlaHloParser *p) {
  return xlaHloRefuse(p, p->at, "out of memory");
}

void xlaHloCount(XlaHloParser *p, const char *at, uint32_t *line,
                 uint32_t *column) {
  const char *next;
  while ((next = memchr(p->counted, '\n', (size_t)(at - p->counted)))) {
    p->counted = p->lineStart = next + 1;
    ++p->line;
  }
  p->counted = at;
  *line = p->line;
  *column = (uint32_t)(at - p->lineStart) + 1;
}

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

static bool startsWith(const XlaHloParser *p, const char *text) {
  size_t length = strlen(text);
  return (size_t)(p->end - p->at) >= length && !memcmp(p->at, text, length);
}

void xlaHloSkipBlanks(XlaHloParser *p) {
  while (p->at < p->end) {
    if (isspace((unsigned char)*p->at)) {
      ++p->at;
    } else if (startsWith(p, "/*")) {
      const char *close =
          memmem(p->at + 2, (size_t)(p->end - p->at) - 2, "*/", 2);
      p->at = close ? close + 2 : p->end;
    } else if (startsWith(p, "//")) {
      const char *close = memchr(p->at, '\n', (size_t)(p->end - p->at));
      p->at = close ? close : p->end;
    } else {
      return;
    }
  }
}

bool xlaHloIsNext(XlaHloParser *p, char c) {
  xlaHloSkipBlanks(p);
  return p->at < p->end && *p->at == c;
}

bool xlaHloAccept(XlaHloParser *p, char c) {
  if (!xlaHloIsNext(p, c))
    return false;
  ++p->at;
  return true;
}

bool xlaHloAcceptText(XlaHloParser *p, const char *text) {
  xlaHloSkipBlanks(p);
  if (!startsWith(p, text))
    return false;
  p->at += strlen(text);
  return true;
}

bool xlaHloExpect(XlaHloParser *p, char c) {
  return xlaHloAccept(p, c) || xlaHloFail(p, p->at, "expected '%c'", c);
}

static bool isWordChar(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '-';
}

MlirStringRef xlaHloReadWord(XlaHloParser *p) {
  xlaHloSkipBlanks(p);
  const char *from = p->at;
  // A comment may begin where a word ends, an arrow too.
  while (p->at < p->end && isWordChar(*p->at) &&
         !(p->at[0] == '-' && p->at + 1 < p->end && p->at[1] == '>'))
    ++p->at;
  return mlirStringRefCreate(from, (size_t)(p->at - from));
}

bool xlaHloReadName(XlaHloParser *p, const char *what, MlirStringRef *name) {
  xlaHloAccept(p, '%');
  *name = xlaHloReadWord(p);
  return name->length || xlaHloFail(p, p->at, "expected %s", what);
}

bool xlaHloReadInteger(XlaHloParser *p, int64_t *value) {
  xlaHloSkipBlanks(p);
  const char *from = p->at;
  bool negative = p->at < p->end && *p->at == '-';
  p->at += negative;
  uint64_t number = 0;
  const char *digits = p->at;
  for (; p->at < p->end && isdigit((unsigned char)*p->at); ++p->at) {
    if (number > (UINT64_C(1) << 63) / 10 - 1)
      return xlaHloFail(p, from, "the number is too large");
    number = number * 10 + (uint64_t)(*p->at - '0');
  }
  if (p->at == digits)
    return xlaHloFail(p, from, "expected a number");
  *value = negative ? -(int64_t)number : (int64_t)number;
  return true;
}

bool xlaHloReadBool(XlaHloParser *p, int64_t *value) {
  const char *from = p->at;
  MlirStringRef word = xlaHloReadWord(p);
  *value = mlirStringRefEqual(word, mlirStringRefCreateFromCString("true"));
  if (*value ||
      mlirStringRefEqual(word, mlirStringRefCreateFromCString("false")))
    return true;
  return xlaHloFail(p, from, "expected true or false");
}

//===----------------------------------------------------------------------===//
// Strings and values that are not read
//===----------------------------------------------------------------------===//

static int hexDigit(char c) {
  return isdigit((unsigned char)c)    ? c - '0'
         : isxdigit((unsigned char)c) ? tolower((unsigned char)c) - 'a' + 10
                                      : -1;
}

/// Writes the character that the escape behind a backslash stands for.
static const char *unescape(const char *at, const char *end, char *to) {
  static const char from[] = "nrt", meant[] = "\n\r\t";
  const char *known = *at ? strchr(from, *at) : NULL;
  *to = known ? meant[known - from] : *at;
  if (*at == 'x' && end - at > 2 && hexDigit(at[1]) >= 0 &&
      hexDigit(at[2]) >= 0) {
    *to = (char)(hexDigit(at[1]) * 16 + hexDigit(at[2]));
    return at + 3;
  }
  if (*at >= '0' && *at <= '7') { // up to three octal digits
    int value = 0, n = 0;
    for (; n < 3 && at < end && *at >= '0' && *at <= '7'; ++n)
      value = value * 8 + (*at++ - '0');
    *to = (char)value;
    return at;
  }
  return at + 1;
}

/// The closing quote of the string that begins at p->at; NULL if there is none.
static const char *closingQuote(const XlaHloParser *p) {
  char quote = *p->at;
  for (const char *at = p->at + 1; at < p->end; ++at)
    if (*at == '\\')
      ++at;
    else if (*at == quote)
      return at;
  return NULL;
}

bool xlaHloReadString(XlaHloParser *p, MlirStringRef *text) {
  if (!xlaHloIsNext(p, '"') && !xlaHloIsNext(p, '\''))
    return xlaHloFail(p, p->at, "expected a string in quotes");
  const char *from = p->at + 1, *close = closingQuote(p);
  if (!close)
    return xlaHloFail(p, p->at, "the string does not end");
  p->at = close + 1;
  *text = mlirStringRefCreate(from, (size_t)(close - from));
  if (!memchr(from, '\\', text->length))
    return true;
  char *copy = xlaHloArenaTake(&p->module->arena, text->length, 1);
  if (!copy)
    return xlaHloFailNoMemory(p);
  size_t n = 0;
  while (from < close) {
    if (*from == '\\')
      from = unescape(from + 1, close, &copy[n++]);
    else
      copy[n++] = *from++;
  }
  *text = mlirStringRefCreate(copy, n);
  return true;
}

static bool skipEnclosed(XlaHloParser *p) {
  const char *from = p->at;
  int depth = 0;
  do {
    const char *close = *p->at == '"' ? closingQuote(p) : p->at;
    if (!close)
      break;
    if (*p->at == '{' || *p->at == '(' || *p->at == '[')
      ++depth;
    else if (*p->at == '}' || *p->at == ')' || *p->at == ']')
      --depth;
    p->at = close + 1;
  } while (p->at < p->end && depth > 0);
  return depth == 0 || xlaHloFail(p, from, "the bracket is not closed");
}

bool xlaHloSkipValue(XlaHloParser *p) {
  MlirStringRef text;
  xlaHloSkipBlanks(p);
  if (xlaHloIsNext(p, '"') || xlaHloIsNext(p, '\''))
    return xlaHloReadString(p, &text);
  const char *from = p->at;
  // Words with brackets behind them, as shapes and lists of devices are.
  while (p->at < p->end && *p->at != ',' && !isspace((unsigned char)*p->at) &&
         *p->at != ')' && *p->at != '}' && *p->at != ']') {
    if (*p->at == '{' || *p->at == '(' || *p->at == '[') {
      if (!skipEnclosed(p))
        return false;
    } else {
      ++p->at;
    }
  }
  return p->at > from || xlaHloFail(p, p->at, "expected a value");
}

//===----------------------------------------------------------------------===//
// Lists
//===----------------------------------------------------------------------===//

bool xlaHloPushNumber(XlaHloParser *p, int64_t value) {
  if (!xlaHloReserve((void **)&p->numbers.values, &p->numbers.capacity,
                     p->numbers.n + 1, sizeof value))
    return xlaHloFailNoMemory(p);
  p->numbers.values[p->numbers.n++] = value;
  return true;
}

const int64_t *xlaHloTakeNumbers(XlaHloParser *p, size_t first, uint32_t *n) {
  size_t count = p->numbers.n - first;
  const int64_t *taken =
      count > UINT32_MAX / 8
          ? NULL
          : xlaHloArenaCopy(&p->module->arena, p->numbers.values + first, count,
                            sizeof *taken);
  p->numbers.n = first;
  *n = (uint32_t)count;
  if (!taken)
    xlaHloFailNoMemory(p);
  return taken;
}
