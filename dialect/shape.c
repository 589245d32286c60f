//===- shape.c - Array shapes and their types -----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/shape.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "xlac/dialect/array_encoding.h"
#include "xlac/dialect/mlir-c-ext/ext.h"

#include <stdlib.h>
#include <string.h>

static bool refuse(const char **reason, const char *why) {
  if (reason)
    *reason = why;
  return false;
}

//===----------------------------------------------------------------------===//
// Dimensions
//===----------------------------------------------------------------------===//

bool xlaShapeMake(XlaElementType elementType, int rank, const int64_t *dims,
                  XlaShape *shape) {
  int64_t count;
  if (rank < 0 || rank > XLA_MAX_RANK)
    return false;
  *shape = (XlaShape){.elementType = elementType, .rank = rank};
  for (int i = 0; i < rank; ++i) {
    if (dims[i] < 0)
      return false;
    shape->dims[i] = dims[i];
  }
  return xlaShapeGetElementCount(shape, &count);
}

int xlaShapeGetTrueRank(const XlaShape *shape) {
  int trueRank = 0;
  for (int i = 0; i < shape->rank; ++i)
    trueRank += shape->dims[i] > 1;
  return trueRank;
}

int xlaShapeGetDimensionNumber(const XlaShape *shape, int64_t dimension) {
  if (dimension < -shape->rank || dimension >= shape->rank)
    return -1;
  return (int)(dimension < 0 ? dimension + shape->rank : dimension);
}

int64_t xlaShapeGetDimension(const XlaShape *shape, int64_t dimension) {
  int number = xlaShapeGetDimensionNumber(shape, dimension);
  return number < 0 ? -1 : shape->dims[number];
}

bool xlaShapeIsDynamic(const XlaShape *shape, int64_t dimension) {
  return shape->dynamic >> dimension & 1;
}

void xlaShapeSetDynamic(XlaShape *shape, int64_t dimension, bool dynamic) {
  uint32_t bit = UINT32_C(1) << dimension;
  shape->dynamic = dynamic ? shape->dynamic | bit : shape->dynamic & ~bit;
}

char xlaShapeGetDimensionLetter(const XlaShape *shape, int64_t dimension) {
  int number = xlaShapeGetDimensionNumber(shape, dimension);
  if (number < 0 || shape->rank < 2 || shape->rank > 4)
    return 0;
  return "pzyx"[4 - shape->rank + number];
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

bool xlaShapeFromMlirBounded(MlirType type, XlaShape *shape,
                             const char **reason) {
  if (!mlirTypeIsARankedTensor(type))
    return refuse(reason, "is not a ranked tensor");
  shape->elementType =
      xlaElementTypeFromMlir(mlirShapedTypeGetElementType(type));
  if (shape->elementType == XlaElementTypeInvalid)
    return refuse(reason, "has an element type that XLA does not know");
  int64_t rank = mlirShapedTypeGetRank(type), bounds[XLA_MAX_RANK], count;
  if (rank > XLA_MAX_RANK)
    return refuse(reason, "has more than 32 dimensions");
  shape->rank = (int)rank;
  shape->dynamic = 0;
  // Most types have none, and this is called often.
  bool bounded = !mlirShapedTypeHasStaticShape(type) &&
                 xlaArrayEncodingGetList(type, "bounds", bounds) == rank;
  for (int i = 0; i < shape->rank; ++i) {
    shape->dims[i] = mlirShapedTypeGetDimSize(type, i);
    if (!mlirShapedTypeIsDynamicSize(shape->dims[i]))
      continue;
    if (!bounded || mlirShapedTypeIsDynamicSize(bounds[i]))
      return refuse(reason, "has a dimension of dynamic size without a bound");
    shape->dims[i] = bounds[i];
    xlaShapeSetDynamic(shape, i, true);
  }
  if (!xlaShapeGetElementCount(shape, &count))
    return refuse(reason, "is larger than 2^62 bytes");
  return true;
}

bool xlaShapeFromMlir(MlirType type, XlaShape *shape, const char **reason) {
  if (!xlaShapeFromMlirBounded(type, shape, reason))
    return false;
  return !shape->dynamic || refuse(reason, "has a dimension of dynamic size");
}

MlirType xlaShapeToMlirBounded(const XlaShape *shape, MlirContext context) {
  return shape->dynamic ? xlaShapeToMlirWithLayout(shape, NULL, context)
                        : xlaShapeToMlir(shape, context);
}

MlirType xlaShapeToMlir(const XlaShape *shape, MlirContext context) {
  return mlirRankedTensorTypeGet(
      shape->rank, shape->dims,
      xlaElementTypeToMlir(shape->elementType, context),
      mlirAttributeGetNull());
}

bool xlaShapeGetElementCount(const XlaShape *shape, int64_t *count) {
  // A zero size makes any other size harmless, so it is looked for first.
  *count = 0;
  for (int i = 0; i < shape->rank; ++i)
    if (shape->dims[i] == 0)
      return true;
  int64_t total = 1, bytes;
  for (int i = 0; i < shape->rank; ++i)
    if (__builtin_mul_overflow(total, shape->dims[i], &total))
      return false;
  *count = total;
  return !__builtin_mul_overflow(
             total, (int64_t)xlaElementTypeGetInfo(shape->elementType)->bytes,
             &bytes) &&
         bytes <= INT64_C(1) << 62;
}

bool xlaShapeDimsEqual(const XlaShape *a, const XlaShape *b) {
  return a->rank == b->rank &&
         !memcmp(a->dims, b->dims, (size_t)a->rank * sizeof *a->dims);
}

/// The part of a tensor's encoding that is not a layout; may be null.
static MlirAttribute boundsOf(MlirType type) {
  XlaShape shape;
  if (mlirShapedTypeHasStaticShape(type) ||
      !xlaShapeFromMlirBounded(type, &shape, NULL))
    return mlirAttributeGetNull();
  return xlaArrayEncodingGet(&shape, NULL, mlirTypeGetContext(type));
}

MlirType xlaTypeWithoutLayout(MlirType type) {
  if (mlirTypeIsARankedTensor(type)) {
    if (mlirAttributeIsNull(mlirRankedTensorTypeGetEncoding(type)))
      return type;
    intptr_t rank = mlirShapedTypeGetRank(type);
    int64_t *dims = malloc(((size_t)rank + 1) * sizeof *dims);
    if (!dims)
      return type;
    for (intptr_t i = 0; i < rank; ++i)
      dims[i] = mlirShapedTypeGetDimSize(type, i);
    MlirType plain = mlirRankedTensorTypeGet(
        rank, dims, mlirShapedTypeGetElementType(type), boundsOf(type));
    free(dims);
    return plain;
  }
  if (!mlirTypeIsATuple(type))
    return type;
  intptr_t n = mlirTupleTypeGetNumTypes(type);
  MlirType *types = malloc(((size_t)n + 1) * sizeof *types);
  if (!types)
    return type;
  for (intptr_t i = 0; i < n; ++i)
    types[i] = xlaTypeWithoutLayout(mlirTupleTypeGetType(type, i));
  MlirType plain = mlirTupleTypeGet(mlirTypeGetContext(type), n, types);
  free(types);
  return plain;
}

bool xlaTypeEqualIgnoringLayout(MlirType a, MlirType b) {
  return mlirTypeEqual(a, b) ||
         mlirTypeEqual(xlaTypeWithoutLayout(a), xlaTypeWithoutLayout(b));
}

bool xlaTypeIsDynamic(MlirType type) {
  if (mlirTypeIsARankedTensor(type))
    return !mlirShapedTypeHasStaticShape(type);
  if (mlirTypeIsATuple(type))
    for (intptr_t i = 0; i < mlirTupleTypeGetNumTypes(type); ++i)
      if (xlaTypeIsDynamic(mlirTupleTypeGetType(type, i)))
        return true;
  return false;
}

bool xlaTypeIsUnbounded(MlirType type) {
  XlaShape shape;
  if (mlirTypeIsARankedTensor(type))
    return !mlirShapedTypeHasStaticShape(type) &&
           !xlaShapeFromMlirBounded(type, &shape, NULL);
  if (mlirTypeIsATuple(type))
    for (intptr_t i = 0; i < mlirTupleTypeGetNumTypes(type); ++i)
      if (xlaTypeIsUnbounded(mlirTupleTypeGetType(type, i)))
        return true;
  return false;
}

bool xlaTypeRefines(MlirType type, MlirType stated) {
  if (mlirTypeEqual(type, stated))
    return true;
  if (mlirTypeIsATuple(type) && mlirTypeIsATuple(stated)) {
    intptr_t n = mlirTupleTypeGetNumTypes(type);
    bool refines = n == mlirTupleTypeGetNumTypes(stated);
    for (intptr_t i = 0; refines && i < n; ++i)
      refines = xlaTypeRefines(mlirTupleTypeGetType(type, i),
                               mlirTupleTypeGetType(stated, i));
    return refines;
  }
  if (!mlirTypeIsARankedTensor(type) || !mlirTypeIsARankedTensor(stated) ||
      mlirShapedTypeGetRank(type) != mlirShapedTypeGetRank(stated) ||
      !mlirTypeEqual(mlirShapedTypeGetElementType(type),
                     mlirShapedTypeGetElementType(stated)))
    return false;
  XlaShape shape, bounds;
  bool bounded = xlaShapeFromMlirBounded(stated, &bounds, NULL);
  if (!xlaShapeFromMlir(type, &shape, NULL))
    return false;
  for (int d = 0; d < shape.rank; ++d) {
    int64_t size = mlirShapedTypeGetDimSize(stated, d);
    if (mlirShapedTypeIsDynamicSize(size)
            ? bounded && shape.dims[d] > bounds.dims[d]
            : shape.dims[d] != size)
      return false;
  }
  return true;
}

bool xlaTypeIsToken(MlirType type) {
  return mlirExtTypeIsA(type, mlirStringRefCreateFromCString("xla"),
                        mlirStringRefCreateFromCString("token"));
}

intptr_t xlaTypeCountLeaves(MlirType type) {
  if (!mlirTypeIsATuple(type))
    return !xlaTypeIsToken(type);
  intptr_t n = 0;
  for (intptr_t i = 0; i < mlirTupleTypeGetNumTypes(type); ++i)
    n += xlaTypeCountLeaves(mlirTupleTypeGetType(type, i));
  return n;
}

MlirType xlaTokenTypeGet(MlirContext context) {
  return mlirExtTypeGet(context, mlirStringRefCreateFromCString("xla"),
                        mlirStringRefCreateFromCString("token"));
}

bool xlaIndexNext(int64_t *index, const int64_t *dims, int rank) {
  for (int i = rank - 1; i >= 0; --i) {
    if (++index[i] < dims[i])
      return true;
    index[i] = 0;
  }
  return false;
}

void xlaIndexFromLinear(int64_t linear, const int64_t *dims, int rank,
                        int64_t *index) {
  for (int i = rank - 1; i >= 0; --i) {
    index[i] = linear % dims[i];
    linear /= dims[i];
  }
}
