//===- words_fuzz.c - Any text where tools look at words ------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places that a text does not know are blanked, and nothing else. A word that
// is among names, the lines of a text, is the one that it is most like.
//
//===----------------------------------------------------------------------===//

#include "words_fuzz.h"
#include "fuzz.h"

#include "xlac/dialect/nearest.h"
#include "xlac/tools/common/input.h"

#include <stdlib.h>
#include <string.h>

/// Of `size` bytes and no more, so that what lies behind is not read.
static char *copyOf(const void *data, size_t size) {
  char *copy = malloc(size ? size : 1);
  xlaFuzzRequire(copy != NULL, "out of memory");
  if (size)
    memcpy(copy, data, size);
  return copy;
}

static size_t checkPlaces(const uint8_t *data, size_t size) {
  char *text = copyOf(data, size);
  size_t blanked = 0;
  xlaToolsOmitUnknownPlaces(text, size);
  for (size_t i = 0; i < size; ++i) {
    bool isSame = text[i] == (char)data[i];
    xlaFuzzRequire(isSame || text[i] == ' ', "changes more than to blanks");
    blanked += !isSame;
  }
  free(text);
  return blanked;
}

/// What the word may be.
typedef struct Names {
  char *names[64];
  int n;
} Names;

static const char *next(int i, const void *data) {
  const Names *all = data;
  return i < all->n ? all->names[i] : NULL;
}

static bool checkNearest(const uint8_t *data, size_t size) {
  enum { most = sizeof((Names){0}).names / sizeof(char *), longest = 60 };
  const uint8_t *end = memchr(data, '\n', size);
  size_t length = end ? (size_t)(end - data) : size;
  char *word = copyOf(data, length);
  Names all = {.n = 0};
  bool isThere = false, isFound = false;
  for (size_t at = length + 1; at < size && all.n < most;) {
    end = memchr(data + at, '\n', size - at);
    size_t n = end ? (size_t)(end - data) - at : size - at;
    char *name = strndup((const char *)data + at, n);
    xlaFuzzRequire(name != NULL, "out of memory");
    isThere |= n == length && n && n <= longest && strlen(name) == n &&
               !memcmp(name, word, n);
    all.names[all.n++] = name;
    at += n + 1;
  }
  const char *near = xlaNearestName(word, length, next, &all);
  for (int i = 0; i < all.n; ++i)
    isFound |= near == all.names[i];
  xlaFuzzRequire(!near || isFound, "finds what is no name");
  xlaFuzzRequire(!isThere || (near && strlen(near) == length &&
                              !memcmp(near, word, length)),
                 "finds another than the word itself");
  for (int i = 0; i < all.n; ++i)
    free(all.names[i]);
  free(word);
  return near;
}

bool wordsFuzz(const uint8_t *data, size_t size) {
  bool isBlanked = checkPlaces(data, size) > 0;
  return (size && checkNearest(data, size)) || isBlanked;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  wordsFuzz(data, size);
  return 0;
}
