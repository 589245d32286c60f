//===- unit.h - What every unit test includes ---------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cmocka wants these headers in front of its own.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_TEST_SUPPORT_UNIT_H
#define XLAC_TEST_SUPPORT_UNIT_H

// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

/// With XLAC_SAMPLE=K/N only every Nth of a program's tests runs; all do when K
/// has been 0 to N - 1. Where counting begins differs between files.
int xlaUnitRun(const char *file, const char *name,
               const struct CMUnitTest *tests, size_t n,
               CMFixtureFunction setup, CMFixtureFunction teardown);

#undef cmocka_run_group_tests
#define cmocka_run_group_tests(tests, setup, teardown)                         \
  xlaUnitRun(__FILE__, #tests, tests, sizeof(tests) / sizeof((tests)[0]),      \
             setup, teardown)

#endif // XLAC_TEST_SUPPORT_UNIT_H
