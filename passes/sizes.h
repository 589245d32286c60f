//===- sizes.h - Sizes that follow from constants -----------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_SIZES_H
#define XLAC_PASSES_SIZES_H

#include "xlac/dialect/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The elements of a scalar or vector of integers, if they follow from
/// constants by operations that fold. Looks at a bounded number of operations.
/// False, at times after a diagnostic, if they do not.
bool xlaConstantGetIntegers(MlirValue value, XlaI64List *list);
/// The same, of a matrix row by row too.
bool xlaConstantGetMatrix(MlirValue value, XlaI64List *list);

/// Gives static types to values of dynamic dimensions whose sizes follow from
/// constants: xla.set_dimension_size of a constant becomes a slice, and what is
/// computed of it follows. Others stay as they are. Fails with a diagnostic at
/// an operation whose operands' sizes do not go together.
MlirLogicalResult xlaResolveSizes(MlirOperation function);

#ifdef __cplusplus
}
#endif

#endif // XLAC_PASSES_SIZES_H
