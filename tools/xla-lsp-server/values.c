//===- values.c - Values of attributes, for editors -----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/tools/xla-lsp-server/values.h"

#include "xlac/dialect/op.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { maxWords = 8 };

/// StableHLO's words, by what is before them in the generic form.
static const struct {
  const char *text;
  const char *words[maxWords];
} enums[] = {
#define XLA_VHLO_ENUM(code, text, ...) {text, {__VA_ARGS__}},
#include "xlac/formats/vhlo/codes.def"
};

/// Where its own form has them: behind `key = ` of an operation, or, without
/// one, as its first word or after two operands.
static const struct {
  const char *op, *key, *text;
} places[] = {
    {"compare", NULL, "#stablehlo<comparison_direction "},
    {"compare", ",", "#stablehlo<comparison_type "},
    {"fft", "type", "#stablehlo<fft_type "},
    {"rng", "distribution", "#stablehlo<rng_distribution "},
    {"rng_bit_generator", "algorithm", "#stablehlo<rng_algorithm "},
    {"dot", "precision", "#stablehlo<precision "},
    {"dot_general", "precision", "#stablehlo<precision "},
};

static bool isWordByte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') || c == '_';
}

static bool endsWith(MlirStringRef text, const char *end) {
  size_t n = strlen(end);
  return text.length >= n && !memcmp(text.data + text.length - n, end, n);
}

static bool equals(MlirStringRef text, const char *other) {
  return mlirStringRefEqual(text, mlirStringRefCreateFromCString(other));
}

static MlirStringRef withoutBlanks(MlirStringRef text) {
  while (text.length && text.data[text.length - 1] == ' ')
    --text.length;
  return text;
}

/// The word at the end of `text`, which loses it.
static MlirStringRef takeWord(MlirStringRef *text) {
  size_t end = text->length;
  while (text->length && isWordByte(text->data[text->length - 1]))
    --text->length;
  return mlirStringRefCreate(text->data + text->length, end - text->length);
}

/// The name behind the last `prefix` in `line`, and what follows it.
static MlirStringRef findOp(MlirStringRef line, const char *prefix,
                            MlirStringRef *rest) {
  size_t n = strlen(prefix);
  MlirStringRef name = {NULL, 0};
  for (size_t i = 0; i + n <= line.length; ++i) {
    if (memcmp(line.data + i, prefix, n) != 0 ||
        (i && (isWordByte(line.data[i - 1]) || line.data[i - 1] == '#')))
      continue;
    size_t end = i + n;
    while (end < line.length && isWordByte(line.data[end]))
      ++end;
    name = mlirStringRefCreate(line.data + i + n, end - i - n);
    *rest = mlirStringRefCreate(line.data + end, line.length - end);
  }
  return name;
}

static void listEnum(const char *text, MlirStringCallback callback,
                     void *userData) {
  for (size_t i = 0; i < sizeof enums / sizeof *enums; ++i)
    for (int w = 0; !strcmp(enums[i].text, text) && w < maxWords; ++w)
      if (enums[i].words[w])
        callback(mlirStringRefCreateFromCString(enums[i].words[w]), userData);
}

/// `A|B` of the attribute of an operation of xla.
static void listChoices(MlirStringRef op, MlirStringRef attribute,
                        MlirStringCallback callback, void *userData) {
  XlaOpKind kind = xlaOpKindFromName(op.data, op.length);
  const MlirExtOpAttribute *attr =
      kind == XlaOpKindInvalid ? NULL : xlaOpGetInfo(kind)->attributes;
  while (attr && attr->name && !equals(attribute, attr->name))
    ++attr;
  const char *at = attr && attr->name ? attr->choices : NULL;
  while (at && *at) {
    size_t n = strcspn(at, "|");
    callback(mlirStringRefCreate(at, n), userData);
    at += n + (at[n] == '|');
  }
}

static int count(MlirStringRef text, char c) {
  int n = 0;
  for (size_t i = 0; i < text.length; ++i)
    n += text.data[i] == c;
  return n;
}

/// The key that a word at the end of `rest` would belong to: `,` after two
/// operands, NULL for the first word; false if there cannot be one.
static bool findKey(MlirStringRef rest, MlirStringRef *key) {
  MlirStringRef left = withoutBlanks(rest);
  *key = (MlirStringRef){NULL, 0};
  if (!left.length)
    return rest.length > 0;
  // Lists have others before: `precision = [HIGH, `.
  size_t open = left.length;
  while (open && left.data[open - 1] != '[' && left.data[open - 1] != ']')
    --open;
  if (open && left.data[open - 1] == '[')
    left = withoutBlanks(mlirStringRefCreate(left.data, open - 1));
  if (endsWith(left, "=")) {
    left.length -= 1;
    left = withoutBlanks(left);
    *key = takeWord(&left);
    return key->length > 0;
  }
  *key = mlirStringRefCreateFromCString(",");
  return endsWith(left, ",") && count(left, '%') == 2 && count(left, ',') == 3;
}

void xlaLspListValues(MlirStringRef line, MlirStringCallback callback,
                      void *userData) {
  MlirStringRef rest = {NULL, 0}, key;
  takeWord(&line);
  for (size_t i = 0; i < sizeof enums / sizeof *enums; ++i)
    if (endsWith(line, enums[i].text)) {
      listEnum(enums[i].text, callback, userData);
      return;
    }
  if (endsWith(line, "\"")) {
    MlirStringRef op = findOp(line, "xla.", &rest);
    MlirStringRef left =
        withoutBlanks(mlirStringRefCreate(line.data, line.length - 1));
    if (!op.length || !endsWith(left, "="))
      return;
    --left.length;
    left = withoutBlanks(left);
    listChoices(op, takeWord(&left), callback, userData);
    return;
  }
  MlirStringRef op = findOp(line, "stablehlo.", &rest);
  if (!op.length || !findKey(rest, &key))
    return;
  for (size_t i = 0; i < sizeof places / sizeof *places; ++i)
    if (equals(op, places[i].op) &&
        (places[i].key ? equals(key, places[i].key) : !key.length))
      listEnum(places[i].text, callback, userData);
}
