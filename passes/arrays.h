//===- arrays.h - Building operations on arrays -------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations of xla with the result types that follow from their operands, for
// passes that write one operation as several. What would change nothing is not
// built: a pad by 0, a slice of everything, a reshape to the same shape.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_ARRAYS_H
#define XLAC_PASSES_ARRAYS_H

#include "xlac/dialect/ir.h"
#include "xlac/dialect/shape.h"

XlaShape xlaArrayShape(MlirValue array);

/// A scalar constant; a complex one has `number` as its real part, and 0 beside
/// it, or -0 beside -0.
MlirValue xlaArrayNumber(XlaIr *ir, XlaElementType type, double number);
/// `dimensions` has the dimension of the result for each of `array`.
MlirValue xlaArrayBroadcast(XlaIr *ir, MlirValue array, int rank,
                            const int64_t *dims, const int64_t *dimensions);
/// The product, element by element, of the operands of an xla.dot_general that
/// adds up one term each, in the dimensions of its result.
MlirValue xlaArrayDotOuter(XlaIr *ir, MlirOperation dot);
MlirValue xlaArrayConvert(XlaIr *ir, MlirValue array, XlaElementType type);
MlirValue xlaArrayReshape(XlaIr *ir, MlirValue array, int rank,
                          const int64_t *dims);
MlirValue xlaArrayTranspose(XlaIr *ir, MlirValue array,
                            const int64_t *permutation);
/// Padding of `value`, a scalar, at the ends and between elements; sizes of the
/// result are at least 0.
MlirValue xlaArrayPad(XlaIr *ir, MlirValue array, MlirValue value,
                      const int64_t *low, const int64_t *high,
                      const int64_t *interior);
/// Without `strides` (NULL) every element.
MlirValue xlaArraySlice(XlaIr *ir, MlirValue array, const int64_t *starts,
                        const int64_t *limits, const int64_t *strides);
/// `sizes` elements from `starts` on, scalars of one integer type, and `array`
/// with `part` in their place.
MlirValue xlaArrayDynamicSlice(XlaIr *ir, MlirValue array,
                               const MlirValue *starts, const int64_t *sizes);
MlirValue xlaArrayDynamicUpdate(XlaIr *ir, MlirValue array, MlirValue part,
                                const MlirValue *starts);
/// The one element at `starts`, as a scalar, and `array` with `scalar` there.
MlirValue xlaArrayElement(XlaIr *ir, MlirValue array, const MlirValue *starts);
MlirValue xlaArraySetElement(XlaIr *ir, MlirValue array, MlirValue scalar,
                             const MlirValue *starts);
MlirValue xlaArrayConcatenate(XlaIr *ir, intptr_t n, const MlirValue *arrays,
                              int64_t dimension);
/// The numbers 0, 1 .. along `dimension`.
MlirValue xlaArrayIota(XlaIr *ir, XlaElementType type, int rank,
                       const int64_t *dims, int64_t dimension);
/// An integer in the shape and element type of `like`.
MlirValue xlaArrayInteger(XlaIr *ir, MlirValue like, uint64_t number);
/// `value`, a scalar, in the dimensions of `like`.
MlirValue xlaArraySplat(XlaIr *ir, MlirValue value, MlirValue like);
/// `array`, as long as the bounds of `like`, cut to the sizes that `like` has
/// in its dynamic dimensions.
MlirValue xlaArrayCutToSizes(XlaIr *ir, MlirValue array, MlirValue like);
/// The same dimensions with elements of `type`, by the operation `name`.
MlirValue xlaArrayCast(XlaIr *ir, const char *name, MlirValue array,
                       XlaElementType type);
/// xla.compare by its direction, and xla.select.
MlirValue xlaArrayCompare(XlaIr *ir, const char *direction, MlirValue a,
                          MlirValue b);
MlirValue xlaArraySelect(XlaIr *ir, MlirValue pred, MlirValue yes,
                         MlirValue no);
/// The parts of `array` at the places along `dimension`, which has one at
/// least, that the vector `places` holds; they are clamped into it.
MlirValue xlaArrayTake(XlaIr *ir, MlirValue array, MlirValue places,
                       int64_t dimension);
/// `name`, a binary operation, of `init` and all elements along the dimensions
/// whose bits are set; there is at least one.
MlirValue xlaArrayReduce(XlaIr *ir, const char *name, MlirValue array,
                         MlirValue init, uint32_t dimensions);
/// The sum over the dimensions whose bits are set.
MlirValue xlaArraySum(XlaIr *ir, MlirValue array, uint32_t dimensions);

#endif // XLAC_PASSES_ARRAYS_H
