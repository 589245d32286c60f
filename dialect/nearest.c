//===- nearest.c - What a misspelled word may mean ------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/nearest.h"

#include <stdbool.h>
#include <string.h>

#define MAX_WORD 60

/// How many letters must be inserted, removed or replaced.
static int distance(const char *a, int aLength, const char *b, int bLength) {
  int row[MAX_WORD + 1];
  for (int j = 0; j <= bLength; ++j)
    row[j] = j;
  for (int i = 1; i <= aLength; ++i) {
    int diagonal = row[0];
    row[0] = i;
    for (int j = 1; j <= bLength; ++j) {
      int replaced = diagonal + (a[i - 1] != b[j - 1]);
      int shifted = 1 + (row[j] < row[j - 1] ? row[j] : row[j - 1]);
      diagonal = row[j];
      row[j] = replaced < shifted ? replaced : shifted;
    }
  }
  return row[bLength];
}

const char *xlaNearestName(const char *word, size_t length,
                           const char *(*next)(int i, const void *data),
                           const void *data) {
  const char *best = NULL, *name;
  int least = 3;
  for (int i = 0; length <= MAX_WORD && (name = next(i, data)); ++i) {
    size_t nameLength = strlen(name);
    if (nameLength > MAX_WORD)
      continue;
    int d = distance(word, (int)length, name, (int)nameLength);
    bool begins = length >= 3 && !strncmp(name, word, length);
    // Most of a short word must be right.
    if (d < least && d < (int)nameLength) {
      least = d;
      best = name;
    } else if (begins && !best) {
      best = name;
    }
  }
  return best;
}
