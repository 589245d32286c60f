//===- interval.c - Closed intervals of integers --------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/indexing/interval.h"

XlaInterval xlaIntervalAll(void) { return (XlaInterval){INT64_MIN, INT64_MAX}; }

XlaInterval xlaIntervalPoint(int64_t value) {
  return (XlaInterval){value, value};
}

bool xlaIntervalIsEmpty(XlaInterval a) { return a.upper < a.lower; }

bool xlaIntervalIsPoint(XlaInterval a) {
  return a.lower == a.upper && a.lower != INT64_MIN && a.lower != INT64_MAX;
}

bool xlaIntervalEqual(XlaInterval a, XlaInterval b) {
  return a.lower == b.lower && a.upper == b.upper;
}

bool xlaIntervalHas(XlaInterval a, int64_t value) {
  return a.lower <= value && value <= a.upper;
}

bool xlaIntervalContains(XlaInterval a, XlaInterval b) {
  return xlaIntervalIsEmpty(b) || (a.lower <= b.lower && b.upper <= a.upper);
}

XlaInterval xlaIntervalIntersect(XlaInterval a, XlaInterval b) {
  return (XlaInterval){a.lower > b.lower ? a.lower : b.lower,
                       a.upper < b.upper ? a.upper : b.upper};
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

/// Whether a bound stands for anything beyond it.
static bool isBeyond(int64_t a) { return a == INT64_MIN || a == INT64_MAX; }

/// The sum of two lower or of two upper bounds; `limit` is the one that stays.
static int64_t addBounds(int64_t a, int64_t b, int64_t limit) {
  int64_t sum;
  if (a == limit || b == limit)
    return limit;
  if (__builtin_add_overflow(a, b, &sum))
    return a < 0 ? INT64_MIN : INT64_MAX;
  return sum;
}

static int64_t mulBounds(int64_t a, int64_t b) {
  int64_t product;
  if (a == 0 || b == 0)
    return 0;
  if (isBeyond(a) || isBeyond(b) || __builtin_mul_overflow(a, b, &product))
    return (a < 0) == (b < 0) ? INT64_MAX : INT64_MIN;
  return product;
}

XlaInterval xlaIntervalAdd(XlaInterval a, XlaInterval b) {
  return (XlaInterval){addBounds(a.lower, b.lower, INT64_MIN),
                       addBounds(a.upper, b.upper, INT64_MAX)};
}

XlaInterval xlaIntervalScale(XlaInterval a, int64_t factor) {
  return xlaIntervalMul(a, xlaIntervalPoint(factor));
}

XlaInterval xlaIntervalMul(XlaInterval a, XlaInterval b) {
  const int64_t corners[4] = {
      mulBounds(a.lower, b.lower), mulBounds(a.lower, b.upper),
      mulBounds(a.upper, b.lower), mulBounds(a.upper, b.upper)};
  XlaInterval result = {corners[0], corners[0]};
  for (int i = 1; i < 4; ++i) {
    result.lower = corners[i] < result.lower ? corners[i] : result.lower;
    result.upper = corners[i] > result.upper ? corners[i] : result.upper;
  }
  return result;
}

XlaInterval xlaIntervalFloorDiv(XlaInterval a, int64_t divisor) {
  return (XlaInterval){
      isBeyond(a.lower) ? a.lower : xlaFloorDiv(a.lower, divisor),
      isBeyond(a.upper) ? a.upper : xlaFloorDiv(a.upper, divisor)};
}

XlaInterval xlaIntervalMod(XlaInterval a, int64_t divisor) {
  XlaInterval quotient = xlaIntervalFloorDiv(a, divisor);
  if (!xlaIntervalIsPoint(quotient) || isBeyond(a.lower) || isBeyond(a.upper))
    return (XlaInterval){0, divisor - 1};
  return (XlaInterval){xlaFloorMod(a.lower, divisor),
                       xlaFloorMod(a.upper, divisor)};
}

int64_t xlaFloorDiv(int64_t a, int64_t b) {
  int64_t quotient = a / b;
  return quotient - (a % b < 0);
}

int64_t xlaCeilDiv(int64_t a, int64_t b) {
  int64_t quotient = a / b;
  return quotient + (a % b > 0);
}

int64_t xlaFloorMod(int64_t a, int64_t b) {
  int64_t rest = a % b;
  return rest < 0 ? rest + b : rest;
}

uint64_t xlaGcd(int64_t a, int64_t b) {
  uint64_t x = a < 0 ? -(uint64_t)a : (uint64_t)a;
  uint64_t y = b < 0 ? -(uint64_t)b : (uint64_t)b;
  while (y) {
    uint64_t rest = x % y;
    x = y;
    y = rest;
  }
  return x;
}
