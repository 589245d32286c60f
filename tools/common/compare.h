//===- compare.h - Comparing values -------------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_TOOLS_COMMON_COMPARE_H
#define XLAC_TOOLS_COMMON_COMPARE_H

#include "xlac/dialect/literal.h"
#include <stdbool.h>
#include <stdint.h>

/// When floats and the parts of complex numbers count as equal: got x and the
/// expected y are if |x - y| <= absolute + relative * |y|, where |y| of a
/// complex part is the whole number's modulus, or if at least minUlps and at
/// most maxUlps floats of the type lie from one to the other; with `ulpsOnly`
/// the latter alone counts. NaN equals NaN, infinities of one sign are equal, 0
/// equals -0. Integers and preds must be the same.
///
/// `variations` are other right values of the expected array, of its shape: an
/// element may be as far from y as four times the furthest of them is; where
/// one of them is a NaN or infinite and y is not, or the other way round, it
/// may be anything, as an integer or pred may be in which one of them is
/// another.
typedef struct XlaTolerance {
  double relative, absolute;
  int64_t minUlps, maxUlps;
  bool ulpsOnly;
  int nVariations;
  const XlaLiteral *const *variations;
} XlaTolerance;

/// 1e-4 relative for f32, f64 and complex numbers, 1e-2 for bf16, 1e-3 for f16,
/// the distance of two floats for smaller ones.
XlaTolerance xlaToleranceDefault(XlaElementType type);

/// The elements of two arrays that are not equal.
typedef struct XlaDifference {
  int64_t count; ///< how many
  int64_t first; ///< the row-major position of the first
} XlaDifference;

/// Compares two arrays of one shape. True if all elements are equal.
bool xlaValueCompare(const XlaLiteral *got, const XlaLiteral *expected,
                     const XlaTolerance *tolerance, XlaDifference *difference);

/// "3 of 6 elements differ, the first at [0, 2]: got 1.5, expected 2".
const char *xlaDifferenceText(const XlaDifference *difference,
                              const XlaLiteral *got, const XlaLiteral *expected,
                              char chars[512]);
#define XLA_DIFFERENCE_TEXT(difference, got, expected)                         \
  xlaDifferenceText(difference, got, expected, (char[512]){0})

#endif // XLAC_TOOLS_COMMON_COMPARE_H
