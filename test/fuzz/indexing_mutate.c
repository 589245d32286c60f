//===- indexing_mutate.c - Many texts as indexing maps --------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs indexing_fuzz.c on changed texts of maps, and on such words in any
// order, in every build: XLAC_TEST_TEXTS of them, 20,000 without.
//
//===----------------------------------------------------------------------===//

#include "indexing_fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const seeds[][2] = {
#define CASE(from, to) {from, to}
#include "xlac/test/dialect/indexing/cases.def"
    {"KNOWN EMPTY", "() -> ()"},
    {("(d0, d1)[s0, s1] -> (d0 - s0, d1 - s1)\ndomain:\nd0 in [0, 19]\nd1 in "
      "[0, 29]\ns0 in [0, 15]\n  hlo: of1 = s32[] parameter(2)\n  (d0, d1)  -> "
      "()\ns1 in [0, 20]\n  hlo: of2 = s32[] parameter(3)\n  (d0, d1)  -> ()"),
     "(d0, d1){rt0} -> (d0 + rt0), domain: d0 in [0, 3], d1 in [0, 3], rt0 in "
     "[0, 5], d0 + rt0 in [0, 4]"},
    {"(d0, d1)[s0] -> (max(0, min(d0 - 1, 9)) + s0, min(d1, d0, s0 * 2)), "
     "domain: d0 in [0, 11], d1 in [0, 4], s0 in [0, 3], max(d1, 2) in [2, 3]",
     "(d0)[s0]{rt0} -> (min(d0, max(s0, 3)) floordiv 2, rt0), domain: d0 in "
     "[0, 7], s0 in [0, 9], rt0 in [0, 5], min(d0, 4) + rt0 in [1, 6]"},
};

static const char *const words[] = {
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "->",
    ",",
    "domain:",
    "in",
    "hlo:",
    "+",
    "-",
    "*",
    "floordiv",
    "ceildiv",
    "mod",
    "min(",
    "max(",
    "d0",
    "d1",
    "s0",
    "rt0",
    "x",
    "0",
    "1",
    "-1",
    "7",
    "256",
    "\n",
    " ",
    "KNOWN EMPTY",
    "9223372036854775807",
    "-9223372036854775808",
    "99999999999999999999",
    "\"",
    "\\22",
    "\xff",
};

enum { nSeeds = 2 * (sizeof seeds / sizeof *seeds), maxText = 4096 };
enum { nWords = sizeof words / sizeof *words };

typedef struct Text {
  uint64_t random;
  size_t n;
  char chars[maxText];
} Text;

static size_t below(Text *text, size_t n) {
  text->random ^= text->random << 13;
  text->random ^= text->random >> 7;
  text->random ^= text->random << 17;
  return (size_t)(text->random % n);
}

/// Puts `n` characters in the place of `old` ones at `at`, if there is room.
static void splice(Text *text, size_t at, size_t old, const char *with,
                   size_t n) {
  char copy[maxText];
  if (text->n - old + n > maxText)
    return;
  memcpy(copy, with, n);
  memmove(text->chars + at + n, text->chars + at + old, text->n - at - old);
  memcpy(text->chars + at, copy, n);
  text->n += n - old;
}

static const char *seed(Text *text) {
  size_t i = below(text, nSeeds);
  return seeds[i / 2][i % 2];
}

/// From a character that begins a word or number: how long it is.
static size_t wordAt(const Text *text, size_t at) {
  size_t n = 0;
  while (at + n < text->n && text->chars[at + n] != ' ' &&
         text->chars[at + n] != ',' && text->chars[at + n] != ')' &&
         text->chars[at + n] != ']')
    ++n;
  return n;
}

/// Changes digits, signs and operations, which mostly leaves a map.
static void mutateGently(Text *text) {
  static const char *const pairs[][2] = {{"floordiv", "mod"},
                                         {"mod", "floordiv"},
                                         {"floordiv", "ceildiv"},
                                         {" + ", " - "},
                                         {" - ", " + "},
                                         {"(", "(-"},
                                         {"min", "max"},
                                         {"max", "min"},
                                         {"d0", "min(d0, 5)"},
                                         {"d0", "d1"},
                                         {"d1", "d0"},
                                         {"s0", "s1"},
                                         {"[0,", "[-3,"},
                                         {" * ", " + "},
                                         {"d0", "(d0 + d1)"},
                                         {"d0", "d0 * 6"},
                                         {", d1", ", d1 floordiv 4"}};
  size_t pair = below(text, 2 * sizeof pairs / sizeof *pairs);
  size_t at = below(text, text->n + 1);
  if (pair >= sizeof pairs / sizeof *pairs) {
    while (at < text->n && (text->chars[at] < '0' || text->chars[at] > '9'))
      ++at;
    char digit = (char)('0' + below(text, 10));
    if (at < text->n && at > 0 && text->chars[at - 1] != 'd' &&
        text->chars[at - 1] != 's')
      splice(text, at, 1, &digit, 1);
    return;
  }
  size_t n = strlen(pairs[pair][0]);
  for (; at + n <= text->n; ++at)
    if (!memcmp(text->chars + at, pairs[pair][0], n)) {
      splice(text, at, n, pairs[pair][1], strlen(pairs[pair][1]));
      return;
    }
}

static void mutate(Text *text) {
  size_t at = below(text, text->n + 1), rest = text->n - at;
  const char *word = words[below(text, nWords)];
  const char *other = seed(text);
  size_t from = below(text, strlen(other)), most = strlen(other) - from;
  char byte = (char)below(text, 256);
  switch (below(text, 8)) {
  case 0: // a byte
    splice(text, at, rest > 0, &byte, 1);
    return;
  case 1: // a word between others
    splice(text, at, 0, word, strlen(word));
    return;
  case 2: // in the place of one
  case 3:
    splice(text, at, wordAt(text, at), word, strlen(word));
    return;
  case 4: // less
    splice(text, at, below(text, (rest < 24 ? rest : 24) + 1), "", 0);
    return;
  case 5: // the same twice
    splice(text, at, 0, text->chars + at, below(text, rest + 1));
    return;
  case 6: // a part of another
    splice(text, at, 0, other + from, below(text, most + 1));
    return;
  default: // the end of another
    splice(text, at, rest, other + from, most);
  }
}

static void makeText(Text *text) {
  text->n = 0;
  if (below(text, 8)) {
    const char *start = seed(text);
    splice(text, 0, 0, start, strlen(start));
    for (size_t i = below(text, 4); i > 0; --i)
      mutateGently(text);
    for (size_t i = below(text, 3); i > 0; --i)
      mutate(text);
    return;
  }
  for (size_t i = below(text, 40); i > 0; --i) {
    const char *word = words[below(text, nWords)];
    splice(text, text->n, 0, word, strlen(word));
  }
}

int main(void) {
  const char *given = getenv("XLAC_TEST_TEXTS");
  long count = given ? strtol(given, NULL, 10) : 20000, accepted = 0;
  Text *text = calloc(1, sizeof *text);
  if (!text)
    return 1;
  text->random = 88172645463325252;
  for (long i = 0; i < count; ++i) {
    makeText(text);
    // In memory of its size: what lies behind it must not be read.
    uint8_t *data = malloc(text->n + !text->n);
    if (!data)
      return 1;
    memcpy(data, text->chars, text->n);
    accepted += indexingFuzz(data, text->n);
    free(data);
  }
  free(text);
  printf("%ld of %ld texts are maps\n", accepted, count);
  return accepted * 20 < count; // else it tests little
}
