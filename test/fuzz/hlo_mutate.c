//===- hlo_mutate.c - Many programs in HLO --------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs hlo_fuzz.c on the programs of the files that it is given, separated by
// lines `// -----`, with words or bytes changed: XLAC_TEST_TEXTS of them, 6,000
// without.
//
//===----------------------------------------------------------------------===//

#include "hlo_fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const words[] = {
#define XLA_HLO_OP(name, ...) name,
#include "xlac/formats/hlo/opcodes.def"
#define XLA_HLO_ATTR(name, Enum, Form, xla) name "=",
#include "xlac/formats/hlo/attributes.def"
    "-start",
    "-done",
    "ROOT",
    "ENTRY",
    "HloModule",
    "f32[]",
    "f32[3]{0}",
    "(f32[], s32[2])",
    "()",
    "token[]",
    "s4[2]{0:E(4)}",
    "f32[<=3]",
    "f32[2,3]{0,1:T(8,128)}",
    "pred[]",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ",",
    "=",
    "%",
    "->",
    "<=",
    "x",
    "/*",
    "*/",
    "\"",
    "nan",
    "-inf",
    "(1,2)",
    "0",
    "1",
    "2",
    "-1",
    "9223372036854775807",
    "9223372036854775808",
    "4294967296",
    "1e400",
    "\xff",
    "\n",
};

enum { nWords = sizeof words / sizeof *words, maxBytes = 1 << 16 };

typedef struct Seed {
  const char *bytes;
  size_t n;
} Seed;

typedef struct Mutant {
  uint64_t random;
  const Seed *seeds;
  size_t nSeeds, n;
  char bytes[maxBytes];
} Mutant;

static size_t below(Mutant *mutant, size_t n) {
  mutant->random ^= mutant->random << 13;
  mutant->random ^= mutant->random >> 7;
  mutant->random ^= mutant->random << 17;
  return (size_t)(mutant->random % n);
}

/// Puts `n` bytes, of another place, in that of `old` ones at `at`, if there is
/// room.
static void splice(Mutant *mutant, size_t at, size_t old, const char *with,
                   size_t n) {
  if (mutant->n - old + n > maxBytes)
    return;
  memmove(mutant->bytes + at + n, mutant->bytes + at + old,
          mutant->n - at - old);
  memcpy(mutant->bytes + at, with, n);
  mutant->n += n - old;
}

static bool isWordByte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
}

static void mutate(Mutant *mutant) {
  size_t at = below(mutant, mutant->n + 1), rest = mutant->n - at, length = 0;
  const char *word = words[below(mutant, nWords)];
  const Seed *other = &mutant->seeds[below(mutant, mutant->nSeeds)];
  size_t from = below(mutant, other->n + 1);
  char byte = (char)below(mutant, 256), copy[64];
  while (length < rest && isWordByte(mutant->bytes[at + length]))
    ++length;
  switch (below(mutant, 8)) {
  case 0: // a byte
    splice(mutant, at, rest > 0, &byte, 1);
    return;
  case 1: // a word between others
    splice(mutant, at, 0, word, strlen(word));
    return;
  case 2: // in the place of one
  case 3:
    splice(mutant, at, length, word, strlen(word));
    return;
  case 4: // less
    splice(mutant, at, below(mutant, (rest < 40 ? rest : 40) + 1), "", 0);
    return;
  case 5: // the same twice
    length = below(mutant, (rest < sizeof copy ? rest : sizeof copy) + 1);
    memcpy(copy, mutant->bytes + at, length);
    splice(mutant, at, 0, copy, length);
    return;
  case 6: // a part of another
    splice(mutant, at, 0, other->bytes + from,
           below(mutant, other->n - from + 1));
    return;
  default: // a word from elsewhere
    from = below(mutant, mutant->n + 1);
    for (length = 0; length < sizeof copy && from + length < mutant->n &&
                     isWordByte(mutant->bytes[from + length]);
         ++length)
      copy[length] = mutant->bytes[from + length];
    splice(mutant, at, rest ? 1 : 0, copy, length);
  }
}

static bool runMutant(Mutant *mutant) {
  const Seed *seed = &mutant->seeds[below(mutant, mutant->nSeeds)];
  mutant->n = 0;
  splice(mutant, 0, 0, seed->bytes, seed->n);
  for (size_t i = below(mutant, 4); i > 0; --i)
    mutate(mutant);
  // In memory of its size: what lies behind it must not be read.
  uint8_t *data = malloc(mutant->n + !mutant->n);
  if (!data)
    return false;
  memcpy(data, mutant->bytes, mutant->n);
  bool accepted = hloFuzz(data, mutant->n);
  free(data);
  return accepted;
}

/// The bytes of a file, behind those of the others.
static Seed readFile(const char *path) {
  static char buffer[1 << 22];
  static size_t used;
  Seed seed = {buffer + used, 0};
  FILE *file = fopen(path, "rb");
  if (!file)
    return seed;
  seed.n = fread(buffer + used, 1, sizeof buffer - used, file);
  fclose(file);
  used += seed.n;
  return seed;
}

/// Adds the programs of a file.
static size_t addSeeds(Seed file, Seed *seeds, size_t n, size_t most) {
  static const char line[] = "// -----\n";
  while (file.n && n < most) {
    const char *end = memmem(file.bytes, file.n, line, sizeof line - 1);
    seeds[n++] = (Seed){file.bytes, end ? (size_t)(end - file.bytes) : file.n};
    if (!end)
      break;
    file.n -= (size_t)(end - file.bytes) + sizeof line - 1;
    file.bytes = end + sizeof line - 1;
  }
  return n;
}

int main(int argc, char **argv) {
  static Seed seeds[1000];
  const char *given = getenv("XLAC_TEST_TEXTS");
  long count = given ? strtol(given, NULL, 10) : 6000, accepted = 0;
  static Mutant made = {.random = 88172645463325252};
  Mutant *mutant = &made;
  mutant->seeds = seeds;
  for (int i = 1; i < argc; ++i)
    mutant->nSeeds = addSeeds(readFile(argv[i]), seeds, mutant->nSeeds,
                              sizeof seeds / sizeof *seeds);
  for (long i = 0; mutant->nSeeds && i < count; ++i)
    accepted += runMutant(mutant);
  printf("%ld of %ld are programs\n", accepted, count);
  return accepted * 50 < count; // else it tests little
}
