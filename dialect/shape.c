//===- shape.c - Array shapes and their types -----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/shape.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "xlac/dialect/mlir-c-ext/ext.h"

#include <stdlib.h>
#include <string.h>

static bool refuse(const char **reason, const char *why) {
  if (reason)
    *reason = why;
  return false;
}

bool xlaShapeFromMlir(MlirType type, XlaShape *shape, const char **reason) {
  if (!mlirTypeIsARankedTensor(type))
    return refuse(reason, "is not a ranked tensor");
  shape->elementType =
      xlaElementTypeFromMlir(mlirShapedTypeGetElementType(type));
  if (shape->elementType == XlaElementTypeInvalid)
    return refuse(reason, "has an element type that XLA does not know");
  int64_t rank = mlirShapedTypeGetRank(type);
  if (rank > XLA_MAX_RANK)
    return refuse(reason, "has more than 32 dimensions");
  shape->rank = (int)rank;
  for (int i = 0; i < shape->rank; ++i) {
    shape->dims[i] = mlirShapedTypeGetDimSize(type, i);
    if (mlirShapedTypeIsDynamicSize(shape->dims[i]))
      return refuse(reason, "has a dimension of dynamic size");
  }
  int64_t count;
  if (!xlaShapeGetElementCount(shape, &count))
    return refuse(reason, "is larger than 2^62 bytes");
  return true;
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
        rank, dims, mlirShapedTypeGetElementType(type), mlirAttributeGetNull());
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

bool xlaTypeIsToken(MlirType type) {
  return mlirExtTypeIsA(type, mlirStringRefCreateFromCString("xla"),
                        mlirStringRefCreateFromCString("token"));
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
