//===- movement.c - Moving elements of arrays with sizes ------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What lies beyond a size goes along, to where nothing looks at it either.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/dynamic/bounded_internal.h"

#include "xlac/dialect/ops/broadcast.h"
#include "xlac/dialect/result_internal.h"
#include "xlac/passes/flatten.h"

#include "mlir-c/BuiltinAttributes.h"

#include <string.h>

/// The clone's only result, whose sizes are to be found.
static XlaBounded cloneResult(XlaBoundedOp *b) {
  XlaBounded result = {.shape = xlaBoundedResultShape(b, 0)};
  result.array = mlirOperationGetResult(xlaBoundedClone(b), 0);
  return result;
}

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

/// Dimension `d` of operand `index` meets dimension `to` of the result.
static MlirLogicalResult meet(XlaBoundedOp *b, XlaBounded *result, int to,
                              intptr_t index, const XlaBounded *operand,
                              int d) {
  bool isDynamic = operand->sizes[d].ptr != NULL;
  if (!xlaShapeIsDynamic(&result->shape, to) ||
      (!isDynamic && operand->shape.dims[d] == 1))
    return success();
  MlirValue size = xlaBoundedSize(&b->ir, operand, d);
  if (result->sizes[to].ptr)
    return xlaBoundedCheck(b, XlaBoundedEqual, result->sizes[to], size,
                           "dynamic",
                           "dimension %d of the result is %%d by other "
                           "operands, %%d by operand %lld",
                           to, (long long)index);
  result->sizes[to] = size;
  return success();
}

MlirLogicalResult xlaBoundedElementwise(XlaBoundedOp *b) {
  XlaI64List dimensions = {.size = 0};
  int64_t map[XLA_MAX_RANK];
  XlaBounded result = {.shape = xlaBoundedResultShape(b, 0)};
  xlaOpGetList(b->op, "broadcast_dimensions", &dimensions);
  // Dynamic sizes come first: constants are only compared with them.
  for (int pass = 0; pass < 2; ++pass)
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(b->op); ++i) {
      XlaBounded operand = xlaBoundedOperand(b, i);
      xlaBroadcastGetMap(&operand.shape, &result.shape, &dimensions, map);
      for (int d = 0; d < operand.shape.rank; ++d)
        if ((operand.sizes[d].ptr == NULL) == pass &&
            failed(meet(b, &result, (int)map[d], i, &operand, d)))
          return failure();
    }
  result.array = mlirOperationGetResult(xlaBoundedClone(b), 0);
  return xlaBoundedSetResult(b, 0, &result);
}

MlirLogicalResult xlaBoundedMap(XlaBoundedOp *b) {
  XlaBounded result = {.shape = xlaBoundedResultShape(b, 0)};
  intptr_t n = mlirOperationGetNumOperands(b->op);
  for (int d = 0; d < result.shape.rank; ++d)
    if (failed(xlaBoundedAgree(b, n, d, "map_c1", &result.sizes[d])))
      return failure();
  XlaBounded all = xlaBoundedLeast(b, n);
  result.array = xlaMapExpand(xlaBoundedClone(b), all.sizes);
  return xlaBoundedSetResult(b, 0, &result);
}

//===----------------------------------------------------------------------===//
// Dimensions
//===----------------------------------------------------------------------===//

static MlirLogicalResult boundBroadcastInDim(XlaBoundedOp *b) {
  XlaBounded operand = xlaBoundedOperand(b, 0), result = cloneResult(b);
  XlaI64List dimensions;
  xlaOpGetList(b->op, "broadcast_dimensions", &dimensions);
  for (int d = 0; d < operand.shape.rank; ++d)
    result.sizes[dimensions.values[d]] = operand.sizes[d];
  return xlaBoundedSetResult(b, 0, &result);
}

static MlirLogicalResult boundTranspose(XlaBoundedOp *b) {
  XlaBounded operand = xlaBoundedOperand(b, 0), result = cloneResult(b);
  XlaI64List permutation;
  xlaOpGetList(b->op, "permutation", &permutation);
  for (int d = 0; d < operand.shape.rank; ++d)
    result.sizes[d] = operand.sizes[permutation.values[d]];
  return xlaBoundedSetResult(b, 0, &result);
}

/// Dimensions stay where they are; the last may come or go. What is rolled has
/// no sizes.
static MlirLogicalResult boundSame(XlaBoundedOp *b) {
  XlaBounded operand = xlaBoundedOperand(b, 0), result = cloneResult(b);
  memcpy(result.sizes, operand.sizes, sizeof result.sizes);
  return xlaBoundedSetResult(b, 0, &result);
}

/// What is there comes to lie at the end, and is taken from there.
static MlirLogicalResult boundReverse(XlaBoundedOp *b) {
  XlaBounded operand = xlaBoundedOperand(b, 0), result = cloneResult(b);
  XlaI64List dimensions;
  MlirValue operands[1 + XLA_MAX_RANK];
  int64_t none[XLA_MAX_RANK] = {0}, high[XLA_MAX_RANK] = {0};
  int rank = operand.shape.rank;
  xlaOpGetList(b->op, "dimensions", &dimensions);
  memcpy(result.sizes, operand.sizes, sizeof result.sizes);
  for (int d = 0; d < rank; ++d)
    operands[1 + d] = xlaBoundedNumber(&b->ir, 0);
  for (int i = 0; i < dimensions.size; ++i) {
    int64_t d = dimensions.values[i];
    if (!operand.sizes[d].ptr)
      continue;
    high[d] = operand.shape.dims[d];
    operands[1 + d] =
        xlaIrBinary(&b->ir, "xla.subtract", xlaBoundedNumber(&b->ir, high[d]),
                    operand.sizes[d]);
  }
  MlirValue zero = xlaArrayNumber(&b->ir, operand.shape.elementType, 0);
  MlirType type = mlirValueGetType(result.array);
  operands[0] = xlaArrayPad(&b->ir, result.array, zero, none, high, none);
  result.array = xlaIrOp(
      &b->ir, "xla.dynamic_slice", type, 1 + rank, operands, 1,
      &(XlaIrAttr){"slice_sizes", mlirDenseI64ArrayGet(b->ir.context, rank,
                                                       operand.shape.dims)});
  return xlaBoundedSetResult(b, 0, &result);
}

//===----------------------------------------------------------------------===//
// Slices, pieces and padding
//===----------------------------------------------------------------------===//

static MlirLogicalResult boundSlice(XlaBoundedOp *b) {
  XlaBounded operand = xlaBoundedOperand(b, 0), result = cloneResult(b);
  XlaI64List limits;
  xlaOpGetList(b->op, "limit_indices", &limits);
  for (int d = 0; d < operand.shape.rank; ++d) {
    if (xlaShapeIsDynamic(&result.shape, d))
      result.sizes[d] = operand.sizes[d];
    else if (operand.sizes[d].ptr &&
             failed(xlaBoundedCheck(
                 b, XlaBoundedAtMost,
                 xlaBoundedNumber(&b->ir, limits.values[d]), operand.sizes[d],
                 "slice_c3", "limit %%d of dimension %d is above its size, %%d",
                 d)))
      return failure();
  }
  return xlaBoundedSetResult(b, 0, &result);
}

/// A size as `low`, `high` and `interior` pad it.
static MlirValue paddedSize(XlaIr *ir, MlirValue size, int64_t edges,
                            int64_t interior) {
  MlirValue padded = xlaBoundedAdd(ir, size, edges);
  if (!interior)
    return padded;
  MlirValue gaps = xlaIrBinary(ir, "xla.maximum", xlaBoundedAdd(ir, size, -1),
                               xlaBoundedNumber(ir, 0));
  gaps = xlaIrBinary(ir, "xla.multiply", gaps, xlaBoundedNumber(ir, interior));
  return xlaIrBinary(ir, "xla.add", padded, gaps);
}

static MlirLogicalResult boundPad(XlaBoundedOp *b) {
  XlaBounded operand = xlaBoundedOperand(b, 0);
  XlaBounded result = {.shape = xlaBoundedResultShape(b, 0)};
  XlaI64List low, high, interior;
  MlirValue filler = mlirOperationGetOperand(b->op, 1);
  xlaOpGetList(b->op, "edge_padding_low", &low);
  xlaOpGetList(b->op, "edge_padding_high", &high);
  xlaOpGetList(b->op, "interior_padding", &interior);
  for (int d = 0; d < operand.shape.rank; ++d) {
    if (!operand.sizes[d].ptr)
      continue;
    int64_t edges = low.values[d] + high.values[d];
    if (edges > INT32_MAX || edges < INT32_MIN ||
        interior.values[d] > INT32_MAX)
      return xlaBoundedUnsupported(b->op, " padded so much");
    result.sizes[d] =
        paddedSize(&b->ir, operand.sizes[d], edges, interior.values[d]);
    if (edges < 0 &&
        failed(xlaBoundedCheck(b, XlaBoundedAtMost, xlaBoundedNumber(&b->ir, 0),
                               result.sizes[d], "pad_c4",
                               "dimension %d of the result must have at least "
                               "%%d elements, has %%d",
                               d)))
      return failure();
  }
  MlirOperation made = xlaBoundedClone(b);
  // The padding begins where the elements end.
  mlirOperationSetOperand(
      made, 0, xlaBoundedFill(&b->ir, &operand, operand.shape.dynamic, filler));
  mlirOperationMoveBefore(made, b->op);
  result.array = mlirOperationGetResult(made, 0);
  return xlaBoundedSetResult(b, 0, &result);
}

/// Each piece is written over what lies beyond the size of the one before.
static MlirValue join(XlaBoundedOp *b, const XlaShape *shape, int64_t dimension,
                      MlirValue *size) {
  MlirValue operands[2 + XLA_MAX_RANK];
  MlirType type = xlaShapeToMlir(shape, b->ir.context);
  operands[0] =
      xlaArrayBroadcast(&b->ir, xlaArrayNumber(&b->ir, shape->elementType, 0),
                        shape->rank, shape->dims, NULL);
  for (int d = 0; d < shape->rank; ++d)
    operands[2 + d] = xlaBoundedNumber(&b->ir, 0);
  for (intptr_t k = 0; k < mlirOperationGetNumOperands(b->op); ++k) {
    XlaBounded piece = xlaBoundedOperand(b, k);
    operands[1] = piece.array;
    operands[0] = xlaIrOp(&b->ir, "xla.dynamic_update_slice", type,
                          2 + shape->rank, operands, 0, NULL);
    operands[2 + dimension] =
        xlaIrBinary(&b->ir, "xla.add", operands[2 + dimension],
                    xlaBoundedSize(&b->ir, &piece, dimension));
  }
  *size = operands[2 + dimension];
  return operands[0];
}

static MlirLogicalResult boundConcatenate(XlaBoundedOp *b) {
  int64_t dimension = xlaOpGetI64(b->op, "dimension", 0);
  XlaBounded result = {.shape = xlaBoundedResultShape(b, 0)};
  for (int pass = 0; pass < 2; ++pass)
    for (intptr_t k = 0; k < mlirOperationGetNumOperands(b->op); ++k) {
      XlaBounded piece = xlaBoundedOperand(b, k);
      for (int d = 0; d < piece.shape.rank; ++d)
        if (d != dimension && (piece.sizes[d].ptr == NULL) == pass &&
            xlaShapeIsDynamic(&result.shape, d)) {
          MlirValue size = xlaBoundedSize(&b->ir, &piece, d);
          if (!result.sizes[d].ptr)
            result.sizes[d] = size;
          else if (failed(xlaBoundedCheck(
                       b, XlaBoundedEqual, result.sizes[d], size,
                       "concatenate_c2",
                       "dimension %d is %%d of other operands, %%d of operand "
                       "%lld",
                       d, (long long)k)))
            return failure();
        }
    }
  if (xlaShapeIsDynamic(&result.shape, dimension))
    result.array = join(b, &result.shape, dimension, &result.sizes[dimension]);
  else
    result.array = mlirOperationGetResult(xlaBoundedClone(b), 0);
  return xlaBoundedSetResult(b, 0, &result);
}

MlirLogicalResult xlaBoundedMovement(XlaBoundedOp *b) {
  static MlirLogicalResult (*const bound[XlaOpKindCount])(XlaBoundedOp *) = {
      [XlaOpKindBitcastConvert] = boundSame,
      [XlaOpKindBroadcastInDim] = boundBroadcastInDim,
      [XlaOpKindCollapse] = xlaBoundedReshape,
      [XlaOpKindConcatenate] = boundConcatenate,
      [XlaOpKindPad] = boundPad,
      [XlaOpKindReshape] = xlaBoundedReshape,
      [XlaOpKindReverse] = boundReverse,
      [XlaOpKindRoll] = boundSame,
      [XlaOpKindSlice] = boundSlice,
      [XlaOpKindTranspose] = boundTranspose,
  };
  return bound[b->kind] ? bound[b->kind](b) : xlaBoundedUnsupported(b->op, "");
}
