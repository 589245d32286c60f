//===- require.h - What must hold -----------------------------------*- C
//-*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_TEST_FUZZ_REQUIRE_H
#define XLAC_TEST_FUZZ_REQUIRE_H

#include <stdbool.h>
#include <stdio.h>

/// Traps unless the condition holds.
static inline void xlaFuzzRequire(bool condition, const char *what) {
  if (condition)
    return;
  fprintf(stderr, "%s\n", what);
  __builtin_trap();
}

#endif // XLAC_TEST_FUZZ_REQUIRE_H
