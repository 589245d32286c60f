//===- unit.c - Samples of a program's unit tests -------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/test/support/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Moves those of `n` tests that run to the front, and returns how many they
/// are.
static size_t sample(const char *file, struct CMUnitTest *tests, size_t n) {
  const char *text = getenv("XLAC_SAMPLE");
  unsigned part = 0, parts = 0, begin = 0;
  size_t kept = 0;
  if (!text || sscanf(text, "%u/%u", &part, &parts) != 2 || !parts)
    return n;
  for (const char *c = file; *c; ++c)
    begin = begin * 31 + (unsigned char)*c;
  for (size_t i = 0; i < n; ++i)
    if ((i + begin % parts + part) % parts == 0)
      tests[kept++] = tests[i];
  fprintf(stderr, "XLAC_SAMPLE=%s: %zu of %zu tests\n", text, kept, n);
  return kept;
}

int xlaUnitRun(const char *file, const char *name,
               const struct CMUnitTest *tests, size_t n,
               CMFixtureFunction setup, CMFixtureFunction teardown) {
  struct CMUnitTest *some = calloc(n, sizeof *some);
  if (!some)
    return -1;
  memcpy(some, tests, n * sizeof *some);
  size_t kept = sample(file, some, n);
  int failed =
      kept ? _cmocka_run_group_tests(name, some, kept, setup, teardown) : 0;
  free(some);
  return failed;
}
