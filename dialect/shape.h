//===- shape.h - Array shapes and their types ---------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An XlaShape is the element type and dimensions of an array. Values that are
// not arrays (tuples, tokens) are handled by their MLIR types.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_SHAPE_H
#define XLAC_DIALECT_SHAPE_H

#include "xlac/dialect/element_type.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Arrays have at most this many dimensions; more is refused with an error.
#define XLA_MAX_RANK 32

/// What an array is, by value. Dimensions are numbered from 0; how they lie in
/// memory is a matter of layouts (layout.h).
///
/// A dimension may be dynamic: its size is known only when the program runs,
/// and `dims` has the most that it can be, its bound. Functions whose names do
/// not say Bounded neither write nor read `dynamic`: to them shapes are static.
typedef struct XlaShape {
  XlaElementType elementType;
  int rank;
  uint32_t dynamic; ///< bit i: dimension i is dynamic
  int64_t dims[XLA_MAX_RANK];
} XlaShape;

/// The function of 004's name: a static shape. False if a size is negative, the
/// rank above XLA_MAX_RANK, or the byte count above 2^62.
bool xlaShapeMake(XlaElementType elementType, int rank, const int64_t *dims,
                  XlaShape *shape);

/// How many dimensions have a size above 1 (004: the true rank).
int xlaShapeGetTrueRank(const XlaShape *shape);
/// Dimension numbers may be negative: -1 is the last dimension, -rank the
/// first. The number from 0 on that `dimension` means, or -1 if there is none.
int xlaShapeGetDimensionNumber(const XlaShape *shape, int64_t dimension);
/// The size of that dimension, or -1.
int64_t xlaShapeGetDimension(const XlaShape *shape, int64_t dimension);
/// Whether dimension `dimension`, from 0 on, is dynamic; and makes it so or
/// not.
bool xlaShapeIsDynamic(const XlaShape *shape, int64_t dimension);
void xlaShapeSetDynamic(XlaShape *shape, int64_t dimension, bool dynamic);
/// The letter that arrays of 2, 3 and 4 dimensions have for one: y x, z y x,
/// p z y x; 0 for others.
char xlaShapeGetDimensionLetter(const XlaShape *shape, int64_t dimension);

/// The shape of a ranked tensor with static sizes and a known element type.
/// False for every other type; `reason`, if not NULL, then says why.
bool xlaShapeFromMlir(MlirType type, XlaShape *shape, const char **reason);
/// The same, and dynamic dimensions that have bounds are taken too.
bool xlaShapeFromMlirBounded(MlirType type, XlaShape *shape,
                             const char **reason);
/// tensor<dims x element>, without encoding.
MlirType xlaShapeToMlir(const XlaShape *shape, MlirContext context);
/// tensor<? x .., #xla.array<bounds = ..>>; as above if nothing is dynamic.
MlirType xlaShapeToMlirBounded(const XlaShape *shape, MlirContext context);

/// The number of elements; of dynamic dimensions the bounds count. False if it
/// or the byte count exceeds 2^62.
bool xlaShapeGetElementCount(const XlaShape *shape, int64_t *count);

/// Whether ranks and dimensions agree; element types may differ.
bool xlaShapeDimsEqual(const XlaShape *a, const XlaShape *b);

/// Whether two types agree in everything that ops see: layouts do not count, at
/// any depth of tuples, bounds do.
bool xlaTypeEqualIgnoringLayout(MlirType a, MlirType b);
/// `type` without encodings, but for the bounds of dynamic dimensions.
MlirType xlaTypeWithoutLayout(MlirType type);
/// Whether `type`, or an element of a tuple, is an array with a dimension of
/// dynamic size.
bool xlaTypeIsDynamic(MlirType type);
/// The same for a dimension with neither size nor bound.
bool xlaTypeIsUnbounded(MlirType type);
/// Whether values of the static `type` are some of the type `stated`, whose
/// dimensions without size may be any.
bool xlaTypeRefines(MlirType type, MlirType stated);

bool xlaTypeIsToken(MlirType type);
MlirType xlaTokenTypeGet(MlirContext context);
/// The arrays of a type: of a tuple those of its elements, of a token none.
intptr_t xlaTypeCountLeaves(MlirType type);

/// Row-major iteration: advances `index` within `dims`; false after the last.
bool xlaIndexNext(int64_t *index, const int64_t *dims, int rank);
/// The index at row-major position `linear`.
void xlaIndexFromLinear(int64_t linear, const int64_t *dims, int rank,
                        int64_t *index);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_SHAPE_H
