//===- ulp.c - How far floats are apart -----------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/test/support/ulp.h"

#include <math.h>
#include <string.h>

float xlaFloatOfBits(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

double xlaDoubleOfBits(uint64_t bits) {
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

double xlaUlpDistance(XlaUlpFormat format, double got, long double expected) {
  if (isnan(expected) || isnan(got))
    return isnan(expected) && isnan(got) ? 0 : INFINITY;
  if (isinf(expected) || expected == 0)
    return got == (double)expected && !signbit(got) == !signbit(expected)
               ? 0
               : INFINITY;
  int most = format.most, least = 3 - most, exponent;
  long double limit = ldexpl(1, most);
  long double value = isinf(got) ? copysignl(limit, got) : (long double)got;
  frexpl(expected, &exponent);
  exponent = exponent < least ? least : exponent > most ? most : exponent;
  if (fabsl(expected) > limit)
    expected = copysignl(limit, expected);
  return (double)(fabsl(value - expected) /
                  ldexpl(1, exponent - format.digits));
}
