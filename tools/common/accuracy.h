//===- accuracy.h - How far right results may be apart ------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_TOOLS_COMMON_ACCURACY_H
#define XLAC_TOOLS_COMMON_ACCURACY_H

#include "xlac/dialect/op.h"

/// The units in the last place by which results of an elementwise operation
/// differ between implementations; 0: not at all.
double xlaAccuracyUlps(XlaOpKind kind, XlaElementType type);

/// What the order of adding `n` numbers changes, as units in the last place of
/// each of them.
double xlaAccuracyUlpsOfSum(XlaElementType type, int64_t n);

#endif // XLAC_TOOLS_COMMON_ACCURACY_H
