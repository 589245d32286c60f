//===- sizes.h - Sizes that follow from constants -----------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_DYNAMIC_SIZES_H
#define XLAC_PASSES_DYNAMIC_SIZES_H

#include "xlac/dialect/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The elements of a scalar or vector of integers, if they follow from
/// constants by operations that fold. Looks at a bounded number of operations.
/// False, at times after a diagnostic, if they do not.
bool xlaConstantGetIntegers(MlirValue value, XlaI64List *list);
/// The value of any type that follows so, null if it does not.
MlirAttribute xlaConstantFold(MlirValue value);
/// The same as xlaConstantGetIntegers, of a matrix row by row too.
bool xlaConstantGetMatrix(MlirValue value, XlaI64List *list);

/// Gives static types to values of dynamic dimensions whose sizes follow from
/// constants: xla.set_dimension_size of a constant becomes a slice, and what is
/// computed of it follows. Others stay as they are. Fails with a diagnostic at
/// an operation whose operands' sizes do not go together.
MlirLogicalResult xlaResolveSizes(MlirOperation function);

/// Whether a value of `function` has a dimension of dynamic size.
bool xlaHasDynamicSizes(MlirOperation function);
/// Whether a result of `op` has.
bool xlaHasDynamicResults(MlirOperation op);

/// Gives static types to all values: an array with dynamic dimensions becomes
/// one of its bounds, with anything beyond its sizes, and s32 scalars for the
/// sizes of its dynamic dimensions. Wherever values are listed, in the
/// function's signature too, the sizes of all dynamic arrays follow, in order,
/// after the arrays. Sizes that must go together are checked by custom calls
/// when the program runs. Fails with a diagnostic at an operation for which
/// this is not supported; the function is half changed then.
MlirLogicalResult xlaBoundSizes(MlirOperation function);
/// How many sizes an array of `type` has beside it; 0 for other types.
intptr_t xlaBoundedSizeCount(MlirType type);

/// What these checks call, with two s32 scalars. `xla.op`, `xla.label` and
/// `xla.message` have the name and label of the error at the operation and its
/// text, whose two %d stand for the operands.
#define XLA_CHECK_EQUAL "xlac.check_equal"
#define XLA_CHECK_AT_MOST "xlac.check_at_most"
/// Attributes of custom calls with operands or results of dynamic size: the
/// types that all of them had. They are the arrays, then the sizes.
#define XLA_BOUNDED_OPERANDS "xla.bounded_operands"
#define XLA_BOUNDED_RESULTS "xla.bounded_results"

#ifdef __cplusplus
}
#endif

#endif // XLAC_PASSES_DYNAMIC_SIZES_H
