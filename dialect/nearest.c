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

static int least(int a, int b) { return a < b ? a : b; }

/// How many letters must be inserted, removed, replaced, or change places with
/// a neighbour that does nothing else.
static int distance(const char *a, int aLength, const char *b, int bLength) {
  int rows[3][MAX_WORD + 1];
  for (int i = 0; i <= aLength; ++i) {
    int *row = rows[i % 3];
    const int *above = rows[(i + 2) % 3], *aboveThat = rows[(i + 1) % 3];
    row[0] = i;
    for (int j = 1; j <= bLength; ++j) {
      row[j] = i ? least(above[j], row[j - 1]) + 1 : j;
      if (i)
        row[j] = least(row[j], above[j - 1] + (a[i - 1] != b[j - 1]));
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = least(row[j], aboveThat[j - 2] + 1);
    }
  }
  return rows[aLength % 3][bLength];
}

const char *xlaNearestName(const char *word, size_t length,
                           const char *(*next)(int i, const void *data),
                           const void *data) {
  const char *best = NULL, *name;
  const int most = 2;
  int fewest = 2 * (most + 1);
  for (int i = 0; length <= MAX_WORD && (name = next(i, data)); ++i) {
    size_t nameLength = strlen(name);
    if (nameLength > MAX_WORD)
      continue;
    int d = distance(word, (int)length, name, (int)nameLength);
    // Of names that are as far, the one with as many letters: tanh for tahn.
    int rank = 2 * d + (nameLength != length);
    bool begins = length >= 3 && !strncmp(name, word, length);
    // Most of a short word must be right.
    if (rank < fewest && d < (int)nameLength) {
      fewest = rank;
      best = name;
    } else if (begins && !best) {
      best = name;
    }
  }
  return best;
}
