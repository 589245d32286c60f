//===- scalar.h - Comparison and conversion of elements -----------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What compare, convert and reduce_precision do to single elements; see
// op.h for all elementwise operations.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_INTERPRET_SCALAR_SCALAR_H
#define XLAC_DIALECT_INTERPRET_SCALAR_SCALAR_H

#include "xlac/dialect/literal.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Directions of xla.compare, in the order of its attribute's words.
typedef enum XlaComparison {
  XlaComparisonEq,
  XlaComparisonNe,
  XlaComparisonGe,
  XlaComparisonGt,
  XlaComparisonLe,
  XlaComparisonLt,
} XlaComparison;

/// Compares elements of `type`. With `totalOrder` floats are ordered -NaN <
/// -Inf < .. < -0 < +0 < .. < +Inf < +NaN. Complex numbers know Eq and Ne only;
/// the others order them by real, then imaginary part.
bool xlaScalarCompare(XlaComparison comparison, bool totalOrder,
                      XlaElementType type, XlaScalar x, XlaScalar y);

/// Converts between types. Float to integer truncates and saturates, NaN gives
/// 0; to pred is "not zero"; complex to real takes the real part.
XlaScalar xlaScalarConvert(XlaElementType from, XlaElementType to, XlaScalar x);

/// Element `at` of `literal` as one of `to`, rounded to it.
XlaScalar xlaScalarRead(const XlaLiteral *literal, int64_t at,
                        XlaElementType to);

/// Rounds x, an element of the float `type`, to a format of so many bits, as
/// reduce_precision does (000): ties to even; values too large for the exponent
/// become infinities, values below its normal numbers zeros. Bits that the type
/// does not have change nothing, so its subnormals stay while the exponent does
/// not shrink. NaN stays, but without mantissa bits becomes an infinity.
double xlaScalarReducePrecision(XlaElementType type, double x, int exponentBits,
                                int mantissaBits);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_INTERPRET_SCALAR_SCALAR_H
