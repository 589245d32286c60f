//===- artifact_mutate.c - Many damaged artifacts -------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs artifact_fuzz.c on the files that the command line names, then on
// damaged ones: XLAC_TEST_ARTIFACTS of them, 3,000 without, seeded by
// XLAC_TEST_ARTIFACTS_SEED.
//
//===----------------------------------------------------------------------===//

#include "artifact_fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { maxSize = 1 << 16 };

typedef struct File {
  size_t size;
  uint8_t bytes[maxSize];
} File;

static uint64_t state = 1;

static size_t choose(size_t n) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (size_t)(state * 0x2545F4914F6CDD1Du >> 32) % n;
}

/// A byte, some bytes removed, doubled, or taken from elsewhere in the file.
static void damage(File *file) {
  static const uint8_t values[] = {0, 1, 2, 3, 5, 9, 0x7f, 0x80, 0xfe, 0xff};
  size_t at = choose(file->size), from = choose(file->size);
  size_t left = file->size - (at > from ? at : from);
  size_t n = 1 + choose(left < 8 ? left : 8);
  switch (choose(6)) {
  case 0:
    file->bytes[at] ^= (uint8_t)(1 << choose(8));
    break;
  case 1:
    file->bytes[at] = values[choose(sizeof values)];
    break;
  case 2:
    file->bytes[at] = (uint8_t)(file->bytes[at] + (choose(2) ? 2 : -2));
    break;
  case 3:
    memmove(&file->bytes[at], &file->bytes[from], n);
    break;
  case 4:
    if (file->size > 64) {
      memmove(&file->bytes[at], &file->bytes[at + n], file->size - at - n);
      file->size -= n;
    }
    break;
  default:
    if (file->size + n <= maxSize) {
      memmove(&file->bytes[at + n], &file->bytes[at], file->size - at);
      file->size += n;
    }
  }
}

static bool readFile(const char *path, File *file) {
  FILE *stream = fopen(path, "rb");
  if (!stream)
    return false;
  file->size = fread(file->bytes, 1, maxSize, stream);
  fclose(stream);
  return file->size != 0;
}

static uint64_t toNumber(const char *text, uint64_t absent) {
  return text ? strtoull(text, NULL, 10) : absent;
}

int main(int argc, char **argv) {
  static File files[8], damaged;
  size_t n = 0, counts[XlaArtifactOutcomeSame + 1] = {0};
  for (; n + 1 < (size_t)argc && n < 8; ++n) {
    if (!readFile(argv[n + 1], &files[n]) ||
        xlaArtifactFuzz(files[n].bytes, files[n].size) ==
            XlaArtifactOutcomeRefused) {
      fprintf(stderr, "%s cannot be read\n", argv[n + 1]);
      return 1;
    }
  }
  if (!n)
    return 1;
  uint64_t count = toNumber(getenv("XLAC_TEST_ARTIFACTS"), 3000);
  state +=
      0x9E3779B97F4A7C15u * toNumber(getenv("XLAC_TEST_ARTIFACTS_SEED"), 0);
  for (uint64_t i = 0; i < count; ++i) {
    damaged = files[choose(n)];
    for (size_t k = choose(3) ? 1 : 1 + choose(6); k; --k)
      damage(&damaged);
    ++counts[xlaArtifactFuzz(damaged.bytes, damaged.size)];
  }
  printf(
      "%zu files, %llu damaged ones: %zu refused, %zu read, %zu written, %zu "
      "the same\n",
      n, (unsigned long long)count, counts[XlaArtifactOutcomeRefused],
      counts[XlaArtifactOutcomeRead], counts[XlaArtifactOutcomeWritten],
      counts[XlaArtifactOutcomeSame]);
  return 0;
}
