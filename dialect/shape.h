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

/// What an array is, by value: dimension 0 is the major one.
typedef struct XlaShape {
  XlaElementType elementType;
  int rank;
  int64_t dims[XLA_MAX_RANK];
} XlaShape;

/// The shape of a ranked tensor with static sizes and a known element type.
/// False for every other type; `reason`, if not NULL, then says why.
bool xlaShapeFromMlir(MlirType type, XlaShape *shape, const char **reason);
/// tensor<dims x element>, without encoding.
MlirType xlaShapeToMlir(const XlaShape *shape, MlirContext context);

/// The number of elements. False if it or the byte count exceeds 2^62.
bool xlaShapeGetElementCount(const XlaShape *shape, int64_t *count);

/// Whether ranks and dimensions agree; element types may differ.
bool xlaShapeDimsEqual(const XlaShape *a, const XlaShape *b);

/// Whether two types agree in everything that ops see: encodings (layouts) do
/// not count, at any depth of tuples.
bool xlaTypeEqualIgnoringLayout(MlirType a, MlirType b);
/// `type` without encodings.
MlirType xlaTypeWithoutLayout(MlirType type);

bool xlaTypeIsToken(MlirType type);
MlirType xlaTokenTypeGet(MlirContext context);

/// Row-major iteration: advances `index` within `dims`; false after the last.
bool xlaIndexNext(int64_t *index, const int64_t *dims, int rank);
/// The index at row-major position `linear`.
void xlaIndexFromLinear(int64_t linear, const int64_t *dims, int rank,
                        int64_t *index);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_SHAPE_H
