//===- npy_dictionary.c - The dictionary in front of an .npy array ------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/runtime/npy_internal.h"

#include <string.h>

typedef struct Cursor {
  const char *name; ///< of the file
  const char *begin, *next, *end;
} Cursor;

typedef struct Text {
  const char *data;
  int size;
} Text;

static XlaStatus damaged(const Cursor *cursor, const char *expected) {
  return xlaStatusCreate(XLA_STATUS_DATA_LOSS,
                         "%s: damaged .npy header: expected %s at byte %td of "
                         "the dictionary",
                         cursor->name, expected, cursor->next - cursor->begin);
}

static void skipSpace(Cursor *cursor) {
  while (cursor->next < cursor->end &&
         memchr(" \t\n\r", *cursor->next, 4) != NULL)
    ++cursor->next;
}

/// Whether `c` comes next; takes it if so.
static bool accept(Cursor *cursor, char c) {
  skipSpace(cursor);
  if (cursor->next == cursor->end || *cursor->next != c)
    return false;
  ++cursor->next;
  return true;
}

static bool acceptWord(Cursor *cursor, const char *word) {
  size_t size = strlen(word);
  skipSpace(cursor);
  if ((size_t)(cursor->end - cursor->next) < size ||
      memcmp(cursor->next, word, size) != 0)
    return false;
  cursor->next += size;
  return true;
}

/// A quoted string of at most 64 printable characters without escapes.
static XlaStatus parseString(Cursor *cursor, const char *what, Text *text) {
  char quote = accept(cursor, '\'') ? '\'' : accept(cursor, '"') ? '"' : '\0';
  if (!quote)
    return damaged(cursor, what);
  const char *begin = cursor->next;
  while (cursor->next < cursor->end && *cursor->next != quote) {
    if (*cursor->next < ' ' || *cursor->next > '~' || *cursor->next == '\\' ||
        cursor->next - begin == 64)
      return damaged(cursor, what);
    ++cursor->next;
  }
  *text = (Text){begin, (int)(cursor->next - begin)};
  return accept(cursor, quote) ? NULL : damaged(cursor, "the closing quote");
}

bool xlaNpyHasElementType(char kind, int itemSize) {
  switch (kind) {
  case 'b':
    return itemSize == 1;
  case 'i':
  case 'u':
    return itemSize == 1 || itemSize == 2 || itemSize == 4 || itemSize == 8;
  case 'f':
    return itemSize == 2 || itemSize == 4 || itemSize == 8;
  case 'c':
    return itemSize == 8 || itemSize == 16;
  case 'V':
    return itemSize == 1 || itemSize == 2;
  default:
    return false;
  }
}

static XlaStatus parseDescr(Cursor *cursor, XlaNpyHeader *header) {
  skipSpace(cursor);
  if (cursor->next < cursor->end && *cursor->next == '[')
    return xlaStatusCreate(XLA_STATUS_UNIMPLEMENTED,
                           "%s: structured element types are not supported",
                           cursor->name);
  Text text = {0};
  XLA_RETURN_IF_ERROR(parseString(cursor, "an element type", &text));
  const char *c = text.data, *end = text.data + text.size;
  header->byteOrder = '|';
  if (c < end && memchr("<>|=", *c, 4) != NULL)
    header->byteOrder = *c++;
  if (header->byteOrder == '=')
    header->byteOrder = '<';
  header->kind = c < end ? *c++ : '\0';
  header->itemSize = 0;
  bool digits = c < end;
  for (; digits && c < end && header->itemSize < 100; ++c) {
    digits = *c >= '0' && *c <= '9';
    header->itemSize = header->itemSize * 10 + (*c - '0');
  }
  if (header->kind == 'f' && digits && header->itemSize == 1)
    header->kind = 'V'; // ml_dtypes writes float8_e5m2 as f1
  if (!digits || c < end ||
      !xlaNpyHasElementType(header->kind, header->itemSize))
    return xlaStatusCreate(
        XLA_STATUS_UNIMPLEMENTED,
        "%s: element type '%.*s' is not supported; supported are b1, i1 to i8, "
        "u1 to u8, f2, f4, f8, c8, c16, V1 and V2",
        cursor->name, text.size, text.data);
  return NULL;
}

static XlaStatus parseDimension(Cursor *cursor, int64_t *dim) {
  skipSpace(cursor);
  const char *begin = cursor->next;
  *dim = 0;
  for (; cursor->next < cursor->end; ++cursor->next) {
    int digit = *cursor->next - '0';
    if (digit < 0 || digit > 9)
      break;
    if (__builtin_mul_overflow(*dim, 10, dim) ||
        __builtin_add_overflow(*dim, digit, dim))
      return damaged(cursor, "a dimension below 2^63");
  }
  if (cursor->next == begin)
    return damaged(cursor, "a dimension, 0 or more");
  accept(cursor, 'L'); // Python 2 wrote longs so
  return NULL;
}

static XlaStatus parseShape(Cursor *cursor, XlaNpyHeader *header) {
  if (!accept(cursor, '('))
    return damaged(cursor, "a tuple");
  header->rank = 0;
  bool comma = true;
  while (!accept(cursor, ')')) {
    if (!comma)
      return damaged(cursor, "a comma");
    if (header->rank == XLA_NPY_MAX_RANK)
      return xlaStatusCreate(XLA_STATUS_UNIMPLEMENTED,
                             "%s: more than %d dimensions", cursor->name,
                             XLA_NPY_MAX_RANK);
    XLA_RETURN_IF_ERROR(parseDimension(cursor, &header->dims[header->rank]));
    ++header->rank;
    comma = accept(cursor, ',');
  }
  // In Python (3) is a number and only (3,) a tuple.
  if (header->rank == 1 && !comma)
    return damaged(cursor, "a comma in a tuple of one dimension");
  return NULL;
}

static XlaStatus parseOrder(Cursor *cursor, XlaNpyHeader *header) {
  header->fortranOrder = acceptWord(cursor, "True");
  return header->fortranOrder || acceptWord(cursor, "False")
             ? NULL
             : damaged(cursor, "True or False");
}

/// Parses the value behind a key; `seen` has a bit for each key so far.
static XlaStatus parseEntry(Cursor *cursor, unsigned *seen,
                            XlaNpyHeader *header) {
  static const struct {
    const char *key;
    XlaStatus (*parse)(Cursor *cursor, XlaNpyHeader *header);
  } entries[] = {{"descr", parseDescr},
                 {"fortran_order", parseOrder},
                 {"shape", parseShape}};
  Text key = {0};
  XLA_RETURN_IF_ERROR(parseString(cursor, "a key", &key));
  for (unsigned i = 0; i < 3; ++i) {
    if ((size_t)key.size != strlen(entries[i].key) ||
        memcmp(key.data, entries[i].key, strlen(entries[i].key)) != 0)
      continue;
    if (*seen & 1u << i)
      return damaged(cursor, "each key once");
    *seen |= 1u << i;
    if (!accept(cursor, ':'))
      return damaged(cursor, "a colon");
    return entries[i].parse(cursor, header);
  }
  return damaged(cursor, "the keys descr, fortran_order and shape");
}

XlaStatus xlaNpyHeaderParse(const char *name, const char *text, size_t size,
                            XlaNpyHeader *header) {
  *header = (XlaNpyHeader){0};
  Cursor cursor = {name, text, text, text + size};
  if (!accept(&cursor, '{'))
    return damaged(&cursor, "a dictionary");
  unsigned seen = 0;
  bool comma = true;
  while (!accept(&cursor, '}')) {
    if (!comma)
      return damaged(&cursor, "a comma");
    XLA_RETURN_IF_ERROR(parseEntry(&cursor, &seen, header));
    comma = accept(&cursor, ',');
  }
  if (seen != 7)
    return damaged(&cursor, "the keys descr, fortran_order and shape");
  skipSpace(&cursor);
  return cursor.next == cursor.end
             ? NULL
             : damaged(&cursor, "nothing behind the dictionary");
}
