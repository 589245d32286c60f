//===- ulp.h - How far floats are apart ---------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_TEST_SUPPORT_ULP_H
#define XLAC_TEST_SUPPORT_ULP_H

#include <stdint.h>

float xlaFloatOfBits(uint32_t bits);
double xlaDoubleOfBits(uint64_t bits);

/// A format of floats: its digits, and the power of 2 that all numbers are
/// below.
typedef struct XlaUlpFormat {
  int digits, most;
} XlaUlpFormat;

#define XLA_ULP_F32 ((XlaUlpFormat){24, 128})
#define XLA_ULP_F64 ((XlaUlpFormat){53, 1024})

/// The distance of `got` from `expected` in units of the last place there;
/// infinity where one of them is special and the other is not the same. Beyond
/// the largest number infinity counts as the next power of 2.
double xlaUlpDistance(XlaUlpFormat format, double got, long double expected);

#endif // XLAC_TEST_SUPPORT_ULP_H
