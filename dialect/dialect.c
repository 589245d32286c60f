//===- dialect.c - The dialect xla ----------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/dialect.h"

#include "mlir-c/BuiltinAttributes.h"
#include "xlac/dialect/op.h"

#include <stdio.h>
#include <string.h>

static const MlirExtTypeDefinition types[] = {{"token"}};

/// The entries of #xla.array, all optional.
static MlirLogicalResult verifyArray(MlirAttribute entries,
                                     void (*emitError)(const char *, void *),
                                     void *errorData) {
  static const char *const known[] = {"minor_to_major", "padded_dimensions",
                                      "padding_value", "bounds"};
  char message[256];
  for (intptr_t i = 0; i < mlirDictionaryAttrGetNumElements(entries); ++i) {
    MlirNamedAttribute entry = mlirDictionaryAttrGetElement(entries, i);
    MlirStringRef name = mlirIdentifierStr(entry.name);
    int k = 0;
    while (k < 4 &&
           !mlirStringRefEqual(name, mlirStringRefCreateFromCString(known[k])))
      ++k;
    const char *wrong =
        k == 4 ? "is not known"
        : k != 2 && !mlirAttributeIsADenseI64Array(entry.attribute)
            ? "must be a list of integers"
            : NULL;
    if (wrong) {
      snprintf(message, sizeof message,
               "'%.*s' %s (entries: minor_to_major, padded_dimensions, "
               "padding_value, bounds)",
               (int)name.length, name.data, wrong);
      emitError(message, errorData);
      return mlirLogicalResultFailure();
    }
  }
  return mlirLogicalResultSuccess();
}

static const MlirExtAttrDefinition attrs[] = {{"array", verifyArray}};

static const MlirExtDialectDefinition definition = {
    "xla", XlaOpKindCount - 1, xlaOpDefinitions, 1, types, 1,
    attrs, "constant"};

void xlaDialectRegister(MlirDialectRegistry registry) {
  mlirExtDialectRegister(registry, &definition);
}

//===----------------------------------------------------------------------===//
// Bounded nesting
//===----------------------------------------------------------------------===//

/// Skips a string or comment at `at`; returns the last position that belongs to
/// it, or `at` if there is none.
static size_t skipQuoted(MlirStringRef text, size_t at) {
  if (text.data[at] == '"') {
    size_t end = at + 1;
    while (end < text.length && text.data[end] != '"' && text.data[end] != '\n')
      end += text.data[end] == '\\' ? 2 : 1;
    return end < text.length ? end : text.length - 1;
  }
  if (text.data[at] == '/' && at + 1 < text.length &&
      text.data[at + 1] == '/') {
    const char *end = memchr(text.data + at, '\n', text.length - at);
    return end ? (size_t)(end - text.data) - 1 : text.length - 1;
  }
  return at;
}

bool xlaNestingIsBounded(MlirStringRef text, int64_t *line, int64_t *column) {
  static const char pairs[] = "()[]{}<>";
  int64_t depth[4] = {0};
  size_t lineStart = 0;
  *line = 1;
  if (text.length >= 4 && !memcmp(text.data, "ML\xefR", 4))
    return true;
  for (size_t i = 0; i < text.length; ++i) {
    i = skipQuoted(text, i);
    char c = text.data[i];
    if (c == '\n') {
      ++*line;
      lineStart = i + 1;
      continue;
    }
    const char *found = c ? strchr(pairs, c) : NULL;
    if (!found || (c == '>' && i && text.data[i - 1] == '-'))
      continue;
    int64_t *d = &depth[(found - pairs) / 2];
    if ((found - pairs) % 2)
      *d -= *d > 0;
    else if (++*d > XLA_MAX_NESTING) {
      *column = (int64_t)(i - lineStart) + 1;
      return false;
    }
  }
  return true;
}
