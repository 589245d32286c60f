//===- unknown.c - Parts of arrays of unknown size ------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/partition/unknown.h"

#include "xlac/passes/partition/expand.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdio.h>

bool xlaExpandIsUnknown(MlirType type) {
  if (!mlirTypeIsARankedTensor(type) ||
      !mlirAttributeIsNull(mlirRankedTensorTypeGetEncoding(type)))
    return false;
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); ++d)
    if (mlirShapedTypeIsDynamicDim(type, d))
      return true;
  return false;
}

int xlaExpandRank(MlirType type) {
  XlaShape shape;
  if (!xlaExpandIsUnknown(type))
    return xlaShapeFromMlir(type, &shape, NULL) ? shape.rank : -1;
  int64_t rank = mlirShapedTypeGetRank(type);
  return rank <= XLA_MAX_RANK ? (int)rank : -1;
}

MlirValue xlaExpandElementwise(XlaIr *ir, const char *name, MlirType type,
                               intptr_t n, const MlirValue *operands) {
  char text[64];
  snprintf(text, sizeof text, "%s.%s",
           xlaExpandIsUnknown(type) ? "stablehlo" : "xla", name);
  return xlaIrOp(ir, text, type, n, operands, 0, NULL);
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

static MlirType integers(const XlaIr *ir, int rank, int64_t n) {
  return mlirRankedTensorTypeGet(rank, &n, mlirIntegerTypeGet(ir->context, 32),
                                 (MlirAttribute){NULL});
}

static MlirValue number(XlaIr *ir, int64_t value) {
  MlirType type = integers(ir, 0, 0);
  XlaIrAttr attr = {"value",
                    mlirDenseElementsAttrInt32SplatGet(type, (int32_t)value)};
  return xlaIrOp(ir, "xla.constant", type, 0, NULL, 1, &attr);
}

static MlirValue binary(XlaIr *ir, const char *name, MlirValue a, MlirValue b) {
  return xlaIrOp(ir, name, mlirValueGetType(a), 2, (MlirValue[]){a, b}, 0,
                 NULL);
}

static MlirValue sizeOf(XlaIr *ir, MlirValue value, int64_t dimension) {
  MlirType type = mlirValueGetType(value);
  if (!mlirShapedTypeIsDynamicDim(type, dimension))
    return number(ir, mlirShapedTypeGetDimSize(type, dimension));
  XlaIrAttr attr = {"dimension", xlaIrI64Attr(ir->context, dimension)};
  return xlaIrOp(ir, "xla.get_dimension_size", integers(ir, 0, 0), 1, &value, 1,
                 &attr);
}

static MlirValue vectorOf(XlaIr *ir, int n, const MlirValue *scalars) {
  MlirValue parts[XLA_MAX_RANK];
  for (int i = 0; i < n; ++i)
    parts[i] =
        xlaIrOp(ir, "xla.reshape", integers(ir, 1, 1), 1, &scalars[i], 0, NULL);
  XlaIrAttr attr = {"dimension", xlaIrI64Attr(ir->context, 0)};
  return xlaIrOp(ir, "xla.concatenate", integers(ir, 1, n), n, parts, 1, &attr);
}

/// An error of the program where `a` and `b` are not the same.
static void assertEqual(XlaIr *ir, MlirValue a, MlirValue b,
                        const char *message) {
  int64_t none = 0;
  MlirValue operands[] = {a, b};
  MlirType pred = mlirRankedTensorTypeGet(
      0, &none, mlirIntegerTypeGet(ir->context, 1), (MlirAttribute){NULL});
  XlaIrAttr direction = {"comparison_direction",
                         xlaIrStringAttr(ir->context, "EQ")};
  MlirValue same = xlaIrOp(ir, "xla.compare", pred, 2, operands, 1, &direction);
  XlaIrAttr attrs[] = {
      {"call_target_name", xlaIrStringAttr(ir->context, "shape_assertion")},
      {"error_message", xlaIrStringAttr(ir->context, message)},
      {"has_side_effect", mlirBoolAttrGet(ir->context, true)}};
  xlaIrCreate(ir, "stablehlo.custom_call", 3, (MlirValue[]){same, a, b}, 0,
              NULL, 3, attrs, 0, NULL);
}

void xlaExpandCheckDivides(XlaIr *ir, MlirValue value, int rank,
                           const int64_t *tiles) {
  for (int d = 0; d < rank; ++d)
    if (tiles[d] > 1 && mlirShapedTypeIsDynamicDim(mlirValueGetType(value), d))
      assertEqual(ir,
                  binary(ir, "xla.remainder", sizeOf(ir, value, d),
                         number(ir, tiles[d])),
                  number(ir, 0),
                  "an array has parts on the devices that are not of one size");
}

void xlaExpandCheckSame(XlaIr *ir, intptr_t n, const MlirValue *values) {
  MlirType type = mlirValueGetType(values[0]);
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); ++d) {
    if (!mlirShapedTypeIsDynamicDim(type, d))
      continue;
    MlirValue size = sizeOf(ir, values[0], d);
    for (intptr_t i = 1; i < n; ++i)
      assertEqual(ir, size, sizeOf(ir, values[i], d),
                  "an argument has parts on the devices that are not of one "
                  "size: {0} and {1}");
  }
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

MlirValue xlaExpandSliceUnknown(XlaIr *ir, MlirValue value, int rank,
                                const int64_t *tiles, const int *coordinates) {
  int64_t dims[XLA_MAX_RANK];
  MlirType type = mlirValueGetType(value);
  MlirValue starts[XLA_MAX_RANK], limits[XLA_MAX_RANK], strides[XLA_MAX_RANK];
  for (int d = 0; d < rank; ++d) {
    MlirValue size = sizeOf(ir, value, d);
    dims[d] = mlirShapedTypeGetDimSize(type, d);
    if (tiles[d] > 1)
      size = binary(ir, "xla.divide", size, number(ir, tiles[d]));
    if (!mlirShapedTypeIsDynamicDim(type, d))
      dims[d] /= tiles[d];
    starts[d] = binary(ir, "xla.multiply", size, number(ir, coordinates[d]));
    limits[d] = binary(ir, "xla.add", starts[d], size);
    strides[d] = number(ir, 1);
  }
  MlirValue operands[] = {value, vectorOf(ir, rank, starts),
                          vectorOf(ir, rank, limits),
                          vectorOf(ir, rank, strides)};
  MlirType part = mlirRankedTensorTypeGet(
      rank, dims, mlirShapedTypeGetElementType(type), (MlirAttribute){NULL});
  return xlaIrOp(ir, "stablehlo.real_dynamic_slice", part, 4, operands, 0,
                 NULL);
}

MlirValue xlaExpandConcatenateUnknown(XlaIr *ir, intptr_t n,
                                      const MlirValue *values,
                                      int64_t dimension) {
  int64_t dims[XLA_MAX_RANK];
  MlirType type = mlirValueGetType(values[0]);
  intptr_t rank = mlirShapedTypeGetRank(type);
  for (intptr_t d = 0; d < rank; ++d)
    dims[d] = mlirShapedTypeGetDimSize(type, d);
  for (intptr_t i = 1; i < n; ++i) {
    MlirType other = mlirValueGetType(values[i]);
    if (mlirShapedTypeIsDynamicDim(other, dimension))
      dims[dimension] = mlirShapedTypeGetDynamicSize();
    else if (!mlirShapedTypeIsDynamicSize(dims[dimension]))
      dims[dimension] += mlirShapedTypeGetDimSize(other, dimension);
  }
  XlaIrAttr attr = {"dimension", xlaIrI64Attr(ir->context, dimension)};
  MlirType whole = mlirRankedTensorTypeGet(
      rank, dims, mlirShapedTypeGetElementType(type), (MlirAttribute){NULL});
  return xlaIrOp(ir, "stablehlo.concatenate", whole, n, values, 1, &attr);
}

MlirValue xlaExpandZerosLike(XlaIr *ir, MlirValue like) {
  MlirType type = mlirValueGetType(like);
  int64_t none = 0;
  MlirType scalar = mlirRankedTensorTypeGet(
      0, &none, mlirShapedTypeGetElementType(type), (MlirAttribute){NULL});
  MlirValue sizes[XLA_MAX_RANK];
  int rank = (int)mlirShapedTypeGetRank(type);
  for (int d = 0; d < rank; ++d)
    sizes[d] = sizeOf(ir, like, d);
  MlirValue operands[] = {xlaExpandNumber(ir, scalar, 0),
                          vectorOf(ir, rank, sizes)};
  XlaIrAttr dims = {"broadcast_dimensions",
                    mlirDenseI64ArrayGet(ir->context, 0, NULL)};
  return xlaIrOp(ir, "stablehlo.dynamic_broadcast_in_dim", type, 2, operands, 1,
                 &dims);
}
