//===- layout.h - How arrays lie in memory ------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Specification 004: an XlaLayout says in which order the dimensions of an
// array follow each other in linear memory, and to what sizes they are padded
// there. Operations are logical and never see it: literals, and the arrays that
// go in and out of programs, are row-major. A memory image is what an array
// looks like in memory with a layout.
//
// In programs a layout is the encoding of a tensor:
//
//   tensor<2x3xf32, #xla.array<minor_to_major = [0, 1],
//                              padded_dimensions = [3, 5],
//                              padding_value = "zero">>
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_LAYOUT_H
#define XLAC_DIALECT_LAYOUT_H

#include "xlac/dialect/shape.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What padding holds. Lowest and Highest are infinities where the element type
/// has them; complex types have neither.
typedef enum XlaPaddingValue {
  XlaPaddingValueZero,
  XlaPaddingValueOne,
  XlaPaddingValueLowest,
  XlaPaddingValueHighest,
  XlaPaddingValueCount
} XlaPaddingValue;

/// A layout of an array of `rank` dimensions. `minorToMajor[0]` is the number
/// of the dimension whose index changes fastest in memory. Without padding,
/// `padded` is false and paddedDimensions does not count.
typedef struct XlaLayout {
  int rank;
  int64_t minorToMajor[XLA_MAX_RANK];
  bool padded;
  int64_t paddedDimensions[XLA_MAX_RANK];
  XlaPaddingValue paddingValue;
} XlaLayout;

/// Row-major, without padding: the default. `rank` is at most XLA_MAX_RANK.
XlaLayout xlaLayoutMakeDefault(int rank);
/// The layout with this order, without padding. Whether it is a permutation is
/// left to xlaLayoutCheck.
XlaLayout xlaLayoutMake(int rank, const int64_t *minorToMajor);
/// `layout` padded to `dims`.
XlaLayout xlaLayoutPad(XlaLayout layout, const int64_t *dims,
                       XlaPaddingValue value);
bool xlaLayoutIsDefault(const XlaLayout *layout);

/// Whether arrays of `shape` can have `layout`: equal ranks, an order that has
/// every dimension once, padded sizes no less than the array's, and no more
/// than 2^62 bytes in all. Otherwise `message` says what is wrong; it may be
/// NULL.
bool xlaLayoutCheck(const XlaLayout *layout, const XlaShape *shape,
                    char message[160]);

/// The function of 004's name: `shape` and `layout` from their parts. False as
/// xlaShapeMake and xlaLayoutCheck are.
bool xlaShapeMakeWithLayout(XlaElementType elementType, int rank,
                            const int64_t *dims, const int64_t *minorToMajor,
                            XlaShape *shape, XlaLayout *layout);

//===----------------------------------------------------------------------===//
// Indices (004: IndexUtil) and memory images
//===----------------------------------------------------------------------===//

/// The following take a layout that xlaLayoutCheck accepts for `shape`.

/// The number of elements in memory, padding included.
int64_t xlaLayoutGetImageCount(const XlaLayout *layout, const XlaShape *shape);

/// The position in memory of the element at `index`, an index for each
/// dimension, in the order of dimension numbers and inside the padded sizes.
int64_t xlaIndexMultiToLinear(const XlaLayout *layout, const XlaShape *shape,
                              const int64_t *index);
/// The inverse. Whether `index` names an element of the array; false means that
/// it lies in the padding.
bool xlaIndexLinearToMulti(const XlaLayout *layout, const XlaShape *shape,
                           int64_t linear, int64_t *index);

/// Writes the image of an array, whose elements `rowMajor` holds as literals
/// have them, to `image`: xlaLayoutGetImageCount elements.
void xlaLayoutWriteImage(const XlaLayout *layout, const XlaShape *shape,
                         const void *rowMajor, void *image);
/// The inverse; padding is dropped.
void xlaLayoutReadImage(const XlaLayout *layout, const XlaShape *shape,
                        const void *image, void *rowMajor);

/// The element that padding of `type` consists of.
XlaScalar xlaPaddingValueGetScalar(XlaPaddingValue value, XlaElementType type);
/// "zero", "one", "lowest", "highest".
const char *xlaPaddingValueGetName(XlaPaddingValue value);

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// The layout of a ranked tensor of at most XLA_MAX_RANK dimensions; the
/// default if the type states none.
XlaLayout xlaLayoutFromMlir(MlirType type);
/// The tensor of `shape`, with its bounds, and `layout`, which must fit. Parts
/// that are the default are not stated, and neither is a default as a whole.
MlirType xlaShapeToMlirWithLayout(const XlaShape *shape,
                                  const XlaLayout *layout, MlirContext context);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_LAYOUT_H
