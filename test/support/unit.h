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

#endif // XLAC_TEST_SUPPORT_UNIT_H
