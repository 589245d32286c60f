//===- index.c - Elements at computed places in StableHLO -----------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "xlac/passes/arrays.h"
#include "xlac/passes/import/stablehlo.h"

#include <string.h>

static MlirAttribute list(const XlaIr *ir, int n, const int64_t *values) {
  return mlirDenseI64ArrayGet(ir->context, n, values);
}

//===----------------------------------------------------------------------===//
// torch_index_select
//===----------------------------------------------------------------------===//

/// The gather: the first `batch` dimensions of both go together, dimension
/// `dim` gives way to the others of `indices`.
static MlirValue selectIndices(XlaIr *ir, MlirValue operand, MlirValue indices,
                               int dim, int batch) {
  XlaShape from = xlaArrayShape(operand), index = xlaArrayShape(indices);
  XlaShape result = {.elementType = from.elementType};
  int64_t batching[XLA_MAX_RANK], offsets[XLA_MAX_RANK];
  int64_t place[1] = {dim};
  int nOffsets = 0;
  for (int d = 0; d < batch; ++d)
    batching[d] = d;
  for (int d = 0; d < dim; ++d) {
    if (d >= batch)
      offsets[nOffsets++] = result.rank;
    result.dims[result.rank++] = from.dims[d];
  }
  for (int d = batch; d < index.rank; ++d)
    result.dims[result.rank++] = index.dims[d];
  for (int d = dim + 1; d < from.rank; ++d) {
    offsets[nOffsets++] = result.rank;
    result.dims[result.rank++] = from.dims[d];
  }
  for (int d = 0; d <= dim; ++d)
    if (d < batch || d == dim)
      from.dims[d] = 1;
  XlaIrAttr attrs[] = {
      {"offset_dims", list(ir, nOffsets, offsets)},
      {"collapsed_slice_dims", list(ir, 1, place)},
      {"operand_batching_dims", list(ir, batch, batching)},
      {"start_indices_batching_dims", list(ir, batch, batching)},
      {"start_index_map", list(ir, 1, place)},
      {"index_vector_dim", xlaIrI64Attr(ir->context, index.rank)},
      {"slice_sizes", list(ir, from.rank, from.dims)},
  };
  return xlaIrOp(ir, "xla.gather", xlaShapeToMlir(&result, ir->context), 2,
                 (MlirValue[]){operand, indices}, 7, attrs);
}

XlaImportResult xlaImportTorchIndexSelect(MlirOperation op) {
  static const char *const names[] = {"dim", "batch_dims"};
  MlirAttribute values[2];
  int64_t dim, batch;
  XlaImportResult result = xlaImportReadAttributes(op, 2, names, values);
  if (result == XlaImportResultOk)
    result = xlaImportReadInteger(op, names[0], values[0], 0, &dim);
  if (result == XlaImportResultOk)
    result = xlaImportReadInteger(op, names[1], values[1], 0, &batch);
  if (result == XlaImportResultOk)
    result = xlaImportCheckOperands(op, 2);
  if (result != XlaImportResultOk)
    return result;
  XlaIr ir = xlaIrBefore(op);
  MlirValue operand = mlirOperationGetOperand(op, 0);
  MlirValue indices = mlirOperationGetOperand(op, 1);
  XlaShape from = xlaArrayShape(operand), index = xlaArrayShape(indices);
  if (batch < 0 || batch > dim || dim >= from.rank || batch > index.rank ||
      from.rank - 1 + index.rank - batch > XLA_MAX_RANK) {
    xlaOpError(op, NULL,
               "has dim %lld and batch_dims %lld for an operand of rank %d and "
               "indices of rank %d",
               (long long)dim, (long long)batch, from.rank, index.rank);
    return XlaImportResultInvalid;
  }
  return xlaImportPut(
      op, selectIndices(&ir, operand, indices, (int)dim, (int)batch));
}

//===----------------------------------------------------------------------===//
// Pads and slices whose operands a run knows
//===----------------------------------------------------------------------===//

/// Element `d` of `vector`, as often as `like` has elements, as 64 bits.
static MlirValue spread(XlaIr *ir, MlirValue vector, int64_t d,
                        MlirValue like) {
  int64_t end = d + 1, one = 1;
  MlirValue x = xlaArraySlice(ir, vector, &d, &end, &one);
  x = xlaArrayConvert(ir, xlaArrayReshape(ir, x, 0, NULL), XlaElementTypeS64);
  return xlaArraySplat(ir, x, like);
}

/// Whether operands `first` and on are vectors of `rank` integers, the result
/// is static, and of rank `rank`.
static XlaImportResult checkVectors(MlirOperation op, intptr_t first,
                                    intptr_t n) {
  XlaImportResult result = xlaImportCheckArrays(op, first + n, 1);
  if (result != XlaImportResultOk)
    return result;
  int rank = xlaArrayShape(mlirOperationGetOperand(op, 0)).rank;
  XlaShape stated = xlaArrayShape(mlirOperationGetResult(op, 0));
  for (intptr_t i = first; i < first + n; ++i) {
    XlaShape shape = xlaArrayShape(mlirOperationGetOperand(op, i));
    if (shape.rank == 1 && shape.dims[0] == rank &&
        xlaElementTypeIsInteger(shape.elementType))
      continue;
    xlaOpError(op, NULL,
               "takes a vector of %d integers as operand %lld, not %s", rank,
               (long long)i, XLA_SHAPE_TEXT(&shape));
    return XlaImportResultInvalid;
  }
  if (stated.rank == rank)
    return XlaImportResultOk;
  xlaOpError(op, NULL, "gives %s of an operand of rank %d",
             XLA_SHAPE_TEXT(&stated), rank);
  return XlaImportResultInvalid;
}

/// Of dimension `d` of a result of `dims`: the places in the operand, as a
/// vector, and which of them are elements of the operand, of size `size`.
static MlirValue padPlaces(XlaIr *ir, MlirOperation op, int d, int64_t wanted,
                           int64_t size, MlirValue *inside) {
  MlirValue at = xlaArrayIota(ir, XlaElementTypeS64, 1, &wanted, 0);
  MlirValue low = spread(ir, mlirOperationGetOperand(op, 2), d, at);
  MlirValue interior = spread(ir, mlirOperationGetOperand(op, 4), d, at);
  MlirValue zero = xlaArrayInteger(ir, at, 0);
  MlirValue step =
      xlaIrBinary(ir, "xla.add", interior, xlaArrayInteger(ir, at, 1));
  at = xlaIrBinary(ir, "xla.subtract", at, low);
  MlirValue place = xlaIrBinary(ir, "xla.divide", at, step);
  MlirValue whole = xlaArrayCompare(
      ir, "EQ", xlaIrBinary(ir, "xla.remainder", at, step), zero);
  MlirValue above = xlaArrayCompare(ir, "GE", at, zero);
  MlirValue below =
      xlaArrayCompare(ir, "LT", place, xlaArrayInteger(ir, at, (uint64_t)size));
  *inside = xlaIrBinary(ir, "xla.and", whole,
                        xlaIrBinary(ir, "xla.and", above, below));
  return place;
}

XlaImportResult xlaImportComputedPad(MlirOperation op) {
  XlaImportResult result = checkVectors(op, 2, 3);
  if (result != XlaImportResultOk)
    return result;
  XlaIr ir = xlaIrBefore(op);
  MlirValue x = mlirOperationGetOperand(op, 0);
  MlirValue padding = mlirOperationGetOperand(op, 1);
  XlaShape from = xlaArrayShape(x);
  XlaShape wanted = xlaArrayShape(mlirOperationGetResult(op, 0));
  int64_t count;
  wanted.elementType = from.elementType;
  if (xlaArrayShape(padding).rank) {
    xlaOpError(op, NULL, "takes %s as padding value, not a scalar",
               XLA_TYPE_TEXT(mlirValueGetType(padding)));
    return XlaImportResultInvalid;
  }
  MlirValue filled =
      xlaArrayBroadcast(&ir, padding, wanted.rank, wanted.dims, NULL);
  if (!xlaShapeGetElementCount(&from, &count) || !count)
    return xlaImportPut(op, filled); // nothing to pad
  MlirValue inside = {NULL};
  for (int d = 0; d < wanted.rank; ++d) {
    MlirValue here;
    MlirValue places =
        padPlaces(&ir, op, d, wanted.dims[d], from.dims[d], &here);
    x = xlaArrayTake(&ir, x, places, d);
    int64_t along = d;
    here = xlaArrayBroadcast(&ir, here, wanted.rank, wanted.dims, &along);
    inside = d ? xlaIrBinary(&ir, "xla.and", inside, here) : here;
  }
  return xlaImportPut(op,
                      wanted.rank ? xlaArraySelect(&ir, inside, x, filled) : x);
}

XlaImportResult xlaImportComputedSlice(MlirOperation op) {
  XlaImportResult result = checkVectors(op, 1, 3);
  if (result != XlaImportResultOk)
    return result;
  XlaIr ir = xlaIrBefore(op);
  MlirValue x = mlirOperationGetOperand(op, 0);
  XlaShape from = xlaArrayShape(x);
  XlaShape wanted = xlaArrayShape(mlirOperationGetResult(op, 0));
  for (int d = 0; d < wanted.rank; ++d) {
    if (wanted.dims[d] > from.dims[d]) {
      xlaOpError(op, NULL, "gives %s of %s, which has fewer elements",
                 XLA_SHAPE_TEXT(&wanted), XLA_SHAPE_TEXT(&from));
      return XlaImportResultInvalid;
    }
    if (!from.dims[d])
      continue;
    MlirValue at = xlaArrayIota(&ir, XlaElementTypeS64, 1, &wanted.dims[d], 0);
    MlirValue start = spread(&ir, mlirOperationGetOperand(op, 1), d, at);
    MlirValue stride = spread(&ir, mlirOperationGetOperand(op, 3), d, at);
    at = xlaIrBinary(&ir, "xla.add", start,
                     xlaIrBinary(&ir, "xla.multiply", at, stride));
    x = xlaArrayTake(&ir, x, at, d);
  }
  return xlaImportPut(op, x);
}
