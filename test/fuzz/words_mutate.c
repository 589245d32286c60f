//===- words_mutate.c - Many texts where tools look at words --------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs words_fuzz.c on texts of these words, in every build: XLAC_TEST_TEXTS of
// them, 20,000 without.
//
//===----------------------------------------------------------------------===//

#include "words_fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const words[] = {
    "loc(unknown)",
    "#loc = loc(unknown)",
    "loc(#loc)",
    "#loc",
    " = loc(unknown)",
    "loc(",
    "loc(unknow",
    "\"",
    "\\",
    "//",
    "\n",
    " ",
    ")",
    "(",
    "[",
    ",",
    ":",
    "=",
    "_",
    "f32",
    "tahn",
    "tanh",
    "tan",
    "transpose",
    "transpoes",
    "broadcast_in_dim",
    "broadcast",
    "a_word_of_sixty_letters_and_some_which_is_more_than_is_looked_at",
    "\xff",
};

enum { nWords = sizeof words / sizeof *words, maxText = 2048 };

static size_t below(uint64_t *random, size_t n) {
  *random ^= *random << 13;
  *random ^= *random >> 7;
  *random ^= *random << 17;
  return (size_t)(*random % n);
}

static size_t makeText(uint64_t *random, char *text) {
  size_t n = 0;
  for (size_t i = below(random, 24); i > 0; --i) {
    const char *word = below(random, 3) ? words[below(random, nWords)] : "\n";
    size_t length = strlen(word);
    memcpy(text + n, word, length);
    n += length;
    if (!below(random, 16)) // another byte
      text[n - 1] = (char)below(random, 256);
  }
  return n;
}

int main(void) {
  const char *given = getenv("XLAC_TEST_TEXTS");
  long count = given ? strtol(given, NULL, 10) : 20000, told = 0;
  uint64_t random = 88172645463325252;
  char text[maxText];
  for (long i = 0; i < count; ++i) {
    size_t n = makeText(&random, text);
    // In memory of its size: what lies behind it must not be read.
    uint8_t *data = malloc(n + !n);
    if (!data)
      return 1;
    memcpy(data, text, n);
    told += wordsFuzz(data, n);
    free(data);
  }
  printf("%ld of %ld texts have such words\n", told, count);
  return told * 10 < count; // else it tests little
}
