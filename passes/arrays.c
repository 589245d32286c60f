//===- arrays.c - Building operations on arrays ---------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/arrays.h"

#include "xlac/dialect/ops/dot.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <string.h>

XlaShape xlaArrayShape(MlirValue array) {
  XlaShape shape = {.rank = 0};
  xlaShapeFromMlir(mlirValueGetType(array), &shape, NULL);
  return shape;
}

static MlirAttribute list(const XlaIr *ir, int n, const int64_t *values) {
  return mlirDenseI64ArrayGet(ir->context, n, values);
}

static MlirValue build(XlaIr *ir, const char *name, const XlaShape *result,
                       intptr_t nOperands, const MlirValue *operands,
                       intptr_t nAttrs, const XlaIrAttr *attrs) {
  return xlaIrOp(ir, name, xlaShapeToMlir(result, ir->context), nOperands,
                 operands, nAttrs, attrs);
}

MlirValue xlaArrayNumber(XlaIr *ir, XlaElementType type, double number) {
  XlaShape shape = {.elementType = type};
  MlirType tensor = xlaShapeToMlir(&shape, ir->context);
  MlirType element = mlirShapedTypeGetElementType(tensor);
  MlirAttribute value;
  if (xlaElementTypeIsComplex(type)) {
    double im = number == 0 ? number : 0, parts[2] = {number, im};
    float singles[2] = {(float)number, (float)im};
    bool isSingle = type == XlaElementTypeC64;
    value = mlirDenseElementsAttrRawBufferGet(
        tensor, isSingle ? sizeof singles : sizeof parts,
        isSingle ? (const void *)singles : parts);
  } else if (xlaElementTypeIsFloat(type)) {
    value = mlirDenseElementsAttrSplatGet(
        tensor, mlirFloatAttrDoubleGet(ir->context, element, number));
  } else {
    value = mlirDenseElementsAttrSplatGet(
        tensor, mlirIntegerAttrGet(element, (int64_t)number));
  }
  return build(ir, "xla.constant", &shape, 0, NULL, 1,
               &(XlaIrAttr){"value", value});
}

/// Whether the dimensions stay in their order. Scalars may have none, NULL.
static bool isInOrder(int rank, const int64_t *dimensions) {
  for (int d = 0; dimensions && d < rank; ++d)
    if (dimensions[d] != d)
      return false;
  return true;
}

MlirValue xlaArrayBroadcast(XlaIr *ir, MlirValue array, int rank,
                            const int64_t *dims, const int64_t *dimensions) {
  XlaShape from = xlaArrayShape(array), result = from;
  result.rank = rank;
  memcpy(result.dims, dims, (size_t)rank * sizeof *dims);
  if (xlaShapeDimsEqual(&from, &result) && isInOrder(rank, dimensions))
    return array;
  return build(
      ir, "xla.broadcast_in_dim", &result, 1, &array, 1,
      &(XlaIrAttr){"broadcast_dimensions", list(ir, from.rank, dimensions)});
}

/// An operand in the dimensions of the result: `first` is that of its first
/// free one. Contracted dimensions have size 1.
static MlirValue spread(XlaIr *ir, MlirValue operand, const XlaDotSide *side,
                        int first, const XlaShape *result) {
  XlaShape shape = xlaArrayShape(operand);
  int64_t to[XLA_MAX_RANK], dims[XLA_MAX_RANK], dimensions[XLA_MAX_RANK];
  int rank = 0;
  for (int d = 0; d < shape.rank; ++d)
    to[d] = -1;
  for (int i = 0; i < side->batch.size; ++i)
    to[side->batch.values[i]] = i;
  for (int i = 0; i < side->free.size; ++i)
    to[side->free.values[i]] = first + i;
  for (int d = 0; d < shape.rank; ++d)
    if (to[d] >= 0) {
      dims[rank] = shape.dims[d];
      dimensions[rank++] = to[d];
    }
  return xlaArrayBroadcast(ir, xlaArrayReshape(ir, operand, rank, dims),
                           result->rank, result->dims, dimensions);
}

MlirValue xlaArrayDotOuter(XlaIr *ir, MlirOperation dot) {
  XlaDotDimensions dims;
  XlaShape shape = xlaArrayShape(mlirOperationGetResult(dot, 0));
  xlaDotGetDimensions(dot, &dims);
  int batch = dims.lhs.batch.size;
  MlirValue lhs =
      spread(ir, mlirOperationGetOperand(dot, 0), &dims.lhs, batch, &shape);
  MlirValue rhs = spread(ir, mlirOperationGetOperand(dot, 1), &dims.rhs,
                         batch + dims.lhs.free.size, &shape);
  return xlaIrBinary(ir, "xla.multiply", lhs, rhs);
}

MlirValue xlaArrayConvert(XlaIr *ir, MlirValue array, XlaElementType type) {
  XlaShape shape = xlaArrayShape(array);
  if (shape.elementType == type)
    return array;
  shape.elementType = type;
  return build(ir, "xla.convert", &shape, 1, &array, 0, NULL);
}

MlirValue xlaArrayReshape(XlaIr *ir, MlirValue array, int rank,
                          const int64_t *dims) {
  XlaShape from = xlaArrayShape(array), result = from;
  result.rank = rank;
  if (rank)
    memcpy(result.dims, dims, (size_t)rank * sizeof *dims);
  return xlaShapeDimsEqual(&from, &result)
             ? array
             : build(ir, "xla.reshape", &result, 1, &array, 0, NULL);
}

MlirValue xlaArrayTranspose(XlaIr *ir, MlirValue array,
                            const int64_t *permutation) {
  XlaShape from = xlaArrayShape(array), result = from;
  bool identity = true;
  for (int d = 0; d < from.rank; ++d) {
    result.dims[d] = from.dims[permutation[d]];
    identity = identity && permutation[d] == d;
  }
  if (identity)
    return array;
  return build(ir, "xla.transpose", &result, 1, &array, 1,
               &(XlaIrAttr){"permutation", list(ir, from.rank, permutation)});
}

MlirValue xlaArrayPad(XlaIr *ir, MlirValue array, MlirValue value,
                      const int64_t *low, const int64_t *high,
                      const int64_t *interior) {
  XlaShape result = xlaArrayShape(array);
  bool none = true;
  for (int d = 0; d < result.rank; ++d) {
    int64_t n = result.dims[d];
    result.dims[d] = n + (n ? (n - 1) * interior[d] : 0) + low[d] + high[d];
    none = none && !low[d] && !high[d] && (!interior[d] || n < 2);
  }
  if (none)
    return array;
  XlaIrAttr attrs[3] = {{"edge_padding_low", list(ir, result.rank, low)},
                        {"edge_padding_high", list(ir, result.rank, high)},
                        {"interior_padding", list(ir, result.rank, interior)}};
  return build(ir, "xla.pad", &result, 2, (MlirValue[]){array, value}, 3,
               attrs);
}

MlirValue xlaArraySlice(XlaIr *ir, MlirValue array, const int64_t *starts,
                        const int64_t *limits, const int64_t *strides) {
  XlaShape from = xlaArrayShape(array), result = from;
  int64_t ones[XLA_MAX_RANK];
  bool all = true;
  for (int d = 0; d < from.rank; ++d)
    ones[d] = 1;
  strides = strides ? strides : ones;
  for (int d = 0; d < from.rank; ++d) {
    result.dims[d] = (limits[d] - starts[d] + strides[d] - 1) / strides[d];
    all = all && result.dims[d] == from.dims[d];
  }
  if (all)
    return array;
  XlaIrAttr attrs[3] = {{"start_indices", list(ir, from.rank, starts)},
                        {"limit_indices", list(ir, from.rank, limits)},
                        {"strides", list(ir, from.rank, strides)}};
  return build(ir, "xla.slice", &result, 1, &array, 3, attrs);
}

MlirValue xlaArrayDynamicSlice(XlaIr *ir, MlirValue array,
                               const MlirValue *starts, const int64_t *sizes) {
  XlaShape shape = xlaArrayShape(array);
  MlirValue operands[XLA_MAX_RANK + 1] = {array};
  memcpy(operands + 1, starts, (size_t)shape.rank * sizeof *starts);
  memcpy(shape.dims, sizes, (size_t)shape.rank * sizeof *sizes);
  return build(ir, "xla.dynamic_slice", &shape, shape.rank + 1, operands, 1,
               &(XlaIrAttr){"slice_sizes", list(ir, shape.rank, sizes)});
}

MlirValue xlaArrayDynamicUpdate(XlaIr *ir, MlirValue array, MlirValue part,
                                const MlirValue *starts) {
  XlaShape shape = xlaArrayShape(array);
  MlirValue operands[XLA_MAX_RANK + 2] = {array, part};
  memcpy(operands + 2, starts, (size_t)shape.rank * sizeof *starts);
  return build(ir, "xla.dynamic_update_slice", &shape, shape.rank + 2, operands,
               0, NULL);
}

static const int64_t ones[XLA_MAX_RANK] = {[0 ... XLA_MAX_RANK - 1] = 1};

MlirValue xlaArrayElement(XlaIr *ir, MlirValue array, const MlirValue *starts) {
  return xlaArrayReshape(ir, xlaArrayDynamicSlice(ir, array, starts, ones), 0,
                         NULL);
}

MlirValue xlaArraySetElement(XlaIr *ir, MlirValue array, MlirValue scalar,
                             const MlirValue *starts) {
  int rank = xlaArrayShape(array).rank;
  return xlaArrayDynamicUpdate(ir, array,
                               xlaArrayReshape(ir, scalar, rank, ones), starts);
}

MlirValue xlaArrayConcatenate(XlaIr *ir, intptr_t n, const MlirValue *arrays,
                              int64_t dimension) {
  if (n == 1)
    return arrays[0];
  XlaShape result = xlaArrayShape(arrays[0]);
  for (intptr_t i = 1; i < n; ++i)
    result.dims[dimension] += xlaArrayShape(arrays[i]).dims[dimension];
  return build(ir, "xla.concatenate", &result, n, arrays, 1,
               &(XlaIrAttr){"dimension", xlaIrI64Attr(ir->context, dimension)});
}

MlirValue xlaArrayIota(XlaIr *ir, XlaElementType type, int rank,
                       const int64_t *dims, int64_t dimension) {
  XlaShape shape = {.elementType = type, .rank = rank};
  memcpy(shape.dims, dims, (size_t)rank * sizeof *dims);
  return build(
      ir, "xla.iota", &shape, 0, NULL, 1,
      &(XlaIrAttr){"iota_dimension", xlaIrI64Attr(ir->context, dimension)});
}

MlirValue xlaArrayInteger(XlaIr *ir, MlirValue like, uint64_t number) {
  MlirType type = xlaTypeWithoutLayout(mlirValueGetType(like));
  MlirAttribute splat = mlirDenseElementsAttrSplatGet(
      type,
      mlirIntegerAttrGet(mlirShapedTypeGetElementType(type), (int64_t)number));
  return xlaIrOp(ir, "xla.constant", type, 0, NULL, 1,
                 &(XlaIrAttr){"value", splat});
}

MlirValue xlaArraySplat(XlaIr *ir, MlirValue value, MlirValue like) {
  XlaShape shape = xlaArrayShape(like);
  return xlaArrayBroadcast(ir, value, shape.rank, shape.dims, NULL);
}

MlirValue xlaArrayCutToSizes(XlaIr *ir, MlirValue array, MlirValue like) {
  XlaShape size = {.elementType = XlaElementTypeS32}, bounds, shape;
  xlaShapeFromMlirBounded(mlirValueGetType(like), &bounds, NULL);
  xlaShapeFromMlirBounded(mlirValueGetType(array), &shape, NULL);
  for (int d = 0; d < bounds.rank; ++d) {
    if (!xlaShapeIsDynamic(&bounds, d))
      continue;
    XlaIrAttr attr = {"dimension", xlaIrI64Attr(ir->context, d)};
    MlirValue operands[] = {array, xlaIrOp(ir, "xla.get_dimension_size",
                                           xlaShapeToMlir(&size, ir->context),
                                           1, &like, 1, &attr)};
    xlaShapeSetDynamic(&shape, d, true);
    array = xlaIrOp(ir, "xla.set_dimension_size",
                    xlaShapeToMlirBounded(&shape, ir->context), 2, operands, 1,
                    &attr);
  }
  return array;
}

MlirValue xlaArrayCast(XlaIr *ir, const char *name, MlirValue array,
                       XlaElementType type) {
  XlaShape shape = xlaArrayShape(array);
  shape.elementType = type;
  return build(ir, name, &shape, 1, &array, 0, NULL);
}

MlirValue xlaArrayCompare(XlaIr *ir, const char *direction, MlirValue a,
                          MlirValue b) {
  XlaShape shape = xlaArrayShape(a);
  shape.elementType = XlaElementTypePred;
  return build(ir, "xla.compare", &shape, 2, (MlirValue[]){a, b}, 1,
               &(XlaIrAttr){"comparison_direction",
                            xlaIrStringAttr(ir->context, direction)});
}

MlirValue xlaArraySelect(XlaIr *ir, MlirValue pred, MlirValue yes,
                         MlirValue no) {
  return xlaIrOp(ir, "xla.select", mlirValueGetType(no), 3,
                 (MlirValue[]){pred, yes, no}, 0, NULL);
}

MlirValue xlaArrayTake(XlaIr *ir, MlirValue array, MlirValue places,
                       int64_t dimension) {
  XlaShape from = xlaArrayShape(array), result = from;
  int64_t others[XLA_MAX_RANK];
  int nOthers = 0;
  for (int d = 0; d < from.rank; ++d)
    if (d != dimension)
      others[nOthers++] = d;
  result.dims[dimension] = xlaArrayShape(places).dims[0];
  from.dims[dimension] = 1;
  XlaIrAttr attrs[] = {
      {"offset_dims", list(ir, nOthers, others)},
      {"collapsed_slice_dims", list(ir, 1, &dimension)},
      {"start_index_map", list(ir, 1, &dimension)},
      {"index_vector_dim", xlaIrI64Attr(ir->context, 1)},
      {"slice_sizes", list(ir, from.rank, from.dims)},
  };
  return build(ir, "xla.gather", &result, 2, (MlirValue[]){array, places}, 5,
               attrs);
}

MlirValue xlaArrayReduce(XlaIr *ir, const char *name, MlirValue array,
                         MlirValue init, uint32_t dimensions) {
  XlaShape from = xlaArrayShape(array), result = from;
  int64_t reduced[XLA_MAX_RANK];
  int nReduced = 0;
  result.rank = 0;
  for (int d = 0; d < from.rank; ++d)
    if (dimensions >> d & 1)
      reduced[nReduced++] = d;
    else
      result.dims[result.rank++] = from.dims[d];
  XlaShape scalar = {.elementType = from.elementType};
  MlirType type = xlaShapeToMlir(&scalar, ir->context);
  MlirRegion region = mlirRegionCreate();
  MlirBlock block =
      mlirBlockCreate(2, (MlirType[]){type, type},
                      (MlirLocation[]){ir->location, ir->location});
  mlirRegionAppendOwnedBlock(region, block);
  XlaIr body = xlaIrIn(*ir, block);
  MlirValue value = xlaIrBinary(&body, name, mlirBlockGetArgument(block, 0),
                                mlirBlockGetArgument(block, 1));
  xlaIrCreate(&body, "xla.return", 1, &value, 0, NULL, 0, NULL, 0, NULL);
  MlirValue operands[2] = {array, init};
  MlirType resultType = xlaShapeToMlir(&result, ir->context);
  return mlirOperationGetResult(
      xlaIrCreate(ir, "xla.reduce", 2, operands, 1, &resultType, 1,
                  &(XlaIrAttr){"dimensions", list(ir, nReduced, reduced)}, 1,
                  &region),
      0);
}

MlirValue xlaArraySum(XlaIr *ir, MlirValue array, uint32_t dimensions) {
  return dimensions
             ? xlaArrayReduce(
                   ir, "xla.add", array,
                   xlaArrayNumber(ir, xlaArrayShape(array).elementType, 0),
                   dimensions)
             : array;
}
