//===- interval.h - Closed intervals of integers ------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bounds of variables and of expressions over them. Arithmetic saturates: a
// bound of INT64_MIN or INT64_MAX may stand for anything beyond it, so that
// results contain every value that exact arithmetic gives.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_INDEXING_INTERVAL_H
#define XLAC_DIALECT_INDEXING_INTERVAL_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The integers from `lower` to `upper`, both included; none if upper < lower.
typedef struct XlaInterval {
  int64_t lower, upper;
} XlaInterval;

/// All integers.
XlaInterval xlaIntervalAll(void);
XlaInterval xlaIntervalPoint(int64_t value);
bool xlaIntervalIsEmpty(XlaInterval a);
bool xlaIntervalIsPoint(XlaInterval a);
bool xlaIntervalEqual(XlaInterval a, XlaInterval b);
bool xlaIntervalHas(XlaInterval a, int64_t value);
/// Whether `a` contains all of `b`.
bool xlaIntervalContains(XlaInterval a, XlaInterval b);
XlaInterval xlaIntervalIntersect(XlaInterval a, XlaInterval b);

/// Where x + y, x * y, .. lie for x in `a` and y in `b`, neither of them empty.
XlaInterval xlaIntervalAdd(XlaInterval a, XlaInterval b);
XlaInterval xlaIntervalScale(XlaInterval a, int64_t factor);
XlaInterval xlaIntervalMul(XlaInterval a, XlaInterval b);
/// x floordiv divisor, x mod divisor; the divisor is positive.
XlaInterval xlaIntervalFloorDiv(XlaInterval a, int64_t divisor);
XlaInterval xlaIntervalMod(XlaInterval a, int64_t divisor);

/// The greatest integer not above a / b, the least not below it, and a - b
/// floor(a / b); b is positive.
int64_t xlaFloorDiv(int64_t a, int64_t b);
int64_t xlaCeilDiv(int64_t a, int64_t b);
int64_t xlaFloorMod(int64_t a, int64_t b);
/// The greatest common divisor of the magnitudes; of 0 and b it is |b|.
uint64_t xlaGcd(int64_t a, int64_t b);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_INDEXING_INTERVAL_H
