//===- openmp.c - What OpenMP's runtime reads -----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/cpu/openmp.h"

#include "xlac/runtime/memory.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { mostThreads = 1000000 };

static const char *skipSpace(const char *text) {
  while (*text == ' ' || *text == '\t')
    ++text;
  return text;
}

/// One number for each level of nested parallelism, with commas between.
static bool isListOfThreads(const char *text) {
  while (true) {
    text = skipSpace(text);
    if (!isdigit((unsigned char)*text))
      return false;
    char *end;
    errno = 0;
    unsigned long n = strtoul(text, &end, 10);
    if (errno || n < 1 || n > mostThreads)
      return false;
    text = skipSpace(end);
    if (!*text)
      return true;
    if (*text++ != ',')
      return false;
  }
}

/// Whether `text` is a number of bytes, in `unit` unless it names its own, that
/// is more than there is memory. What is no number at all libomp ignores.
static bool isTooLarge(const char *text, char unit) {
  static const char units[] = "BKMGTPEZY"; // each 1024 of the one before
  text = skipSpace(text);
  if (!isdigit((unsigned char)*text))
    return false;
  char *end;
  double bytes = strtod(text, &end);
  const char *rest = skipSpace(end);
  char named = (char)toupper((unsigned char)*rest);
  const char *found = strchr(units, named ? named : unit);
  for (; found && found > units; --found)
    bytes *= 1024;
  return bytes > (double)xlaMemoryLimit();
}

XlaStatus xlaCpuCheckOpenMP(void) {
  static const struct {
    const char *name;
    char unit;
  } stacks[] = {
      {"OMP_STACKSIZE", 'K'}, {"GOMP_STACKSIZE", 'K'}, {"KMP_STACKSIZE", 'B'}};
  const char *threads = getenv("OMP_NUM_THREADS");
  if (threads && !isListOfThreads(threads))
    return xlaStatusCreate(
        XLA_STATUS_INVALID_ARGUMENT,
        "OMP_NUM_THREADS=%.40s is no list of numbers from 1 to %d", threads,
        mostThreads);
  for (size_t i = 0; i < sizeof stacks / sizeof *stacks; ++i) {
    const char *size = getenv(stacks[i].name);
    if (size && isTooLarge(size, stacks[i].unit))
      return xlaStatusCreate(XLA_STATUS_INVALID_ARGUMENT,
                             "%s=%.40s is more than the memory that there is",
                             stacks[i].name, size);
  }
  return NULL;
}
