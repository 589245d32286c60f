//===- text.c - The text of foreign attributes ----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/import/stablehlo/text.h"

#include <stdlib.h>
#include <string.h>

static bool equals(MlirStringRef a, const char *b) {
  return a.length == strlen(b) && !memcmp(a.data, b, a.length);
}

static void skipSpace(XlaImportText *cursor) {
  while (cursor->next < cursor->end &&
         (*cursor->next == ' ' || *cursor->next == '\n' ||
          *cursor->next == '\t' || *cursor->next == '\r'))
    ++cursor->next;
}

bool xlaTextAccept(XlaImportText *cursor, const char *token) {
  skipSpace(cursor);
  size_t length = strlen(token);
  if ((size_t)(cursor->end - cursor->next) < length ||
      memcmp(cursor->next, token, length) != 0)
    return false;
  cursor->next += length;
  return true;
}

static bool isWordChar(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') || c == '_';
}

MlirStringRef xlaTextReadWord(XlaImportText *cursor) {
  skipSpace(cursor);
  const char *begin = cursor->next;
  while (cursor->next < cursor->end && isWordChar(*cursor->next))
    ++cursor->next;
  return mlirStringRefCreate(begin, (size_t)(cursor->next - begin));
}

bool xlaTextReadInteger(XlaImportText *cursor, int64_t *value) {
  bool negative = xlaTextAccept(cursor, "-");
  MlirStringRef digits = xlaTextReadWord(cursor);
  *value = 0;
  if (!digits.length || digits.length > 18)
    return false;
  for (size_t i = 0; i < digits.length; ++i) {
    if (digits.data[i] < '0' || digits.data[i] > '9')
      return false;
    *value = 10 * *value + (digits.data[i] - '0');
  }
  *value = negative ? -*value : *value;
  return true;
}

bool xlaTextReadNumber(XlaImportText *cursor, double *value) {
  char copy[64];
  skipSpace(cursor);
  size_t length = 0;
  while (cursor->next + length < cursor->end && length + 1 < sizeof copy &&
         (isWordChar(cursor->next[length]) ||
          memchr("+-.", cursor->next[length], 3)))
    ++length;
  memcpy(copy, cursor->next, length);
  copy[length] = 0;
  char *after;
  *value = strtod(copy, &after);
  cursor->next += length;
  return length && !*after;
}

bool xlaTextIsAtEnd(XlaImportText *cursor) {
  skipSpace(cursor);
  return cursor->next == cursor->end;
}

/// `[1, 2]` or `1`.
static bool readList(XlaImportText *cursor, XlaI64List *list) {
  list->size = 0;
  if (!xlaTextAccept(cursor, "[")) {
    list->size = 1;
    return xlaTextReadInteger(cursor, &list->values[0]);
  }
  if (xlaTextAccept(cursor, "]"))
    return true;
  do {
    if (list->size == XLA_MAX_LIST ||
        !xlaTextReadInteger(cursor, &list->values[list->size]))
      return false;
    ++list->size;
  } while (xlaTextAccept(cursor, ","));
  return xlaTextAccept(cursor, "]");
}

//===----------------------------------------------------------------------===//
// Structures: #stablehlo.dot<lhs_contracting_dimensions = [0], ..>
//===----------------------------------------------------------------------===//

static const XlaStructForm structForms[] = {
    {"dot",
     {"lhs_batching_dimensions", "rhs_batching_dimensions",
      "lhs_contracting_dimensions", "rhs_contracting_dimensions"},
     {NULL}},
    {"gather",
     {"offset_dims", "collapsed_slice_dims", "operand_batching_dims",
      "start_indices_batching_dims", "start_index_map"},
     {"index_vector_dim"}},
    {"scatter",
     {"update_window_dims", "inserted_window_dims", "input_batching_dims",
      "scatter_indices_batching_dims", "scatter_dims_to_operand_dims"},
     {"index_vector_dim"}},
    {"channel_handle", {NULL}, {"handle", "type"}},
    {"ragged_dot",
     {"lhs_batching_dimensions", "rhs_batching_dimensions",
      "lhs_contracting_dimensions", "rhs_contracting_dimensions",
      "lhs_ragged_dimensions", "rhs_group_dimensions"},
     {NULL}},
};

const XlaStructForm *xlaStructFind(MlirStringRef name) {
  for (size_t i = 0; i < sizeof structForms / sizeof *structForms; ++i)
    if (equals(name, structForms[i].name))
      return &structForms[i];
  return NULL;
}

const char *xlaStructGetKey(const XlaStructForm *form, int key) {
  return key < 6 ? form->lists[key] : form->integers[key - 6];
}

bool xlaTextReadStruct(XlaImportText *cursor, const XlaStructForm *form,
                       XlaStructValues *values) {
  memset(values->given, 0, sizeof values->given);
  if (!xlaTextAccept(cursor, "<"))
    return false;
  if (xlaTextAccept(cursor, ">"))
    return xlaTextIsAtEnd(cursor);
  do {
    MlirStringRef word = xlaTextReadWord(cursor);
    int key = 0;
    while (key < XLA_STRUCT_KEYS && !(xlaStructGetKey(form, key) &&
                                      equals(word, xlaStructGetKey(form, key))))
      ++key;
    if (key == XLA_STRUCT_KEYS || values->given[key] ||
        !xlaTextAccept(cursor, "="))
      return false;
    values->given[key] = true;
    if (!readList(cursor, &values->lists[key]) ||
        (key >= 6 && values->lists[key].size != 1))
      return false;
  } while (xlaTextAccept(cursor, ","));
  return xlaTextAccept(cursor, ">") && xlaTextIsAtEnd(cursor);
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

static bool readConvSide(XlaImportText *cursor, char first, char second,
                         XlaConvSide *side) {
  bool seen[XLA_MAX_RANK] = {false};
  int64_t position = 0;
  side->first = side->second = -1;
  side->spatial.size = 0;
  if (!xlaTextAccept(cursor, "["))
    return false;
  do {
    MlirStringRef word = xlaTextReadWord(cursor);
    XlaImportText digits = {word.data, word.data + word.length};
    int64_t number;
    if (word.length == 1 && *word.data == first && side->first < 0)
      side->first = position;
    else if (word.length == 1 && *word.data == second && side->second < 0)
      side->second = position;
    else if (xlaTextReadInteger(&digits, &number) && number < XLA_MAX_RANK &&
             !seen[number]) {
      seen[number] = true;
      side->spatial.values[number] = position;
      ++side->spatial.size;
    } else
      return false;
    if (++position > XLA_MAX_RANK)
      return false;
  } while (xlaTextAccept(cursor, ","));
  for (int i = 0; i < side->spatial.size; ++i)
    if (!seen[i])
      return false;
  return xlaTextAccept(cursor, "]") && side->first >= 0 && side->second >= 0;
}

bool xlaTextReadConv(XlaImportText *cursor, XlaConvSide sides[3]) {
  return xlaTextAccept(cursor, "<") &&
         readConvSide(cursor, 'b', 'f', &sides[0]) &&
         xlaTextAccept(cursor, "x") &&
         readConvSide(cursor, 'i', 'o', &sides[1]) &&
         xlaTextAccept(cursor, "->") &&
         readConvSide(cursor, 'b', 'f', &sides[2]) &&
         xlaTextAccept(cursor, ">") && xlaTextIsAtEnd(cursor);
}
