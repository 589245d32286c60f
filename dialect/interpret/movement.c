//===- movement.c - Movement of data, evaluated ---------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values of attributes that have been verified may still not add up in 64 bits.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/ops/movement.h"
#include "xlac/dialect/family.h"
#include "xlac/dialect/interpret/evaluator.h"
#include "xlac/dialect/interpret/strided.h"
#include "xlac/dialect/result_internal.h"

#include <string.h>

/// A box that is all of `to`, which has elements. Reads of `from` are left to
/// be described.
static XlaStridedBox wholeOf(const XlaLiteral *to) {
  const XlaShape *shape = xlaLiteralGetShape(to);
  XlaStridedBox box = {.rank = shape->rank};
  memcpy(box.dims, shape->dims, sizeof box.dims);
  xlaStridesInit(shape, box.toStrides);
  return box;
}

static void evaluateBroadcastInDim(MlirOperation op,
                                   const XlaLiteral *const *operands,
                                   XlaLiteral *result) {
  const XlaShape *shape = xlaLiteralGetShape(operands[0]);
  XlaI64List dimensions;
  int64_t strides[XLA_MAX_RANK];
  xlaOpGetList(op, "broadcast_dimensions", &dimensions);
  xlaStridesInit(shape, strides);
  XlaStridedBox box = wholeOf(result);
  for (int i = 0; i < shape->rank; ++i)
    if (shape->dims[i] != 1)
      box.fromStrides[dimensions.values[i]] = strides[i];
  xlaStridedCopy(result, operands[0], &box);
}

static void evaluateConcatenate(MlirOperation op,
                                const XlaLiteral *const *operands,
                                XlaLiteral *result) {
  int64_t dimension = xlaOpGetI64(op, "dimension", 0);
  int64_t starts[XLA_MAX_RANK] = {0};
  for (intptr_t k = 0; k < mlirOperationGetNumOperands(op); ++k) {
    xlaStridedCopyWindow(result, operands[k], true, starts);
    starts[dimension] += xlaLiteralGetShape(operands[k])->dims[dimension];
  }
}

static void evaluatePad(MlirOperation op, const XlaLiteral *const *operands,
                        XlaLiteral *result) {
  const XlaShape *from = xlaLiteralGetShape(operands[0]);
  const XlaShape *to = xlaLiteralGetShape(result);
  XlaI64List low, interior;
  xlaOpGetList(op, "edge_padding_low", &low);
  xlaOpGetList(op, "interior_padding", &interior);
  XlaStridedBox fill = wholeOf(result);
  xlaStridedCopy(result, operands[1], &fill);
  XlaStridedBox box = {.rank = from->rank};
  xlaStridesInit(from, box.fromStrides);
  xlaStridesInit(to, box.toStrides);
  for (int i = 0; i < from->rank; ++i) {
    XlaPadRange range = xlaPadGetRange(from->dims[i], low.values[i],
                                       interior.values[i], to->dims[i]);
    box.dims[i] = range.count;
    if (!range.count)
      return;
    box.fromOffset += range.first * box.fromStrides[i];
    box.toOffset += range.position * box.toStrides[i];
    box.toStrides[i] *= range.step;
  }
  xlaStridedCopy(result, operands[0], &box);
}

static void evaluateReverse(MlirOperation op, const XlaLiteral *const *operands,
                            XlaLiteral *result) {
  XlaI64List dimensions;
  xlaOpGetList(op, "dimensions", &dimensions);
  XlaStridedBox box = wholeOf(result);
  memcpy(box.fromStrides, box.toStrides, sizeof box.fromStrides);
  for (int i = 0; i < dimensions.size; ++i) {
    int64_t d = dimensions.values[i];
    box.fromOffset += (box.dims[d] - 1) * box.fromStrides[d];
    box.fromStrides[d] = -box.fromStrides[d];
  }
  xlaStridedCopy(result, operands[0], &box);
}

/// Along each dimension that is rolled there are two pieces: every choice of
/// pieces is a box.
static void evaluateRoll(MlirOperation op, const XlaLiteral *const *operands,
                         XlaLiteral *result) {
  const XlaShape *shape = xlaLiteralGetShape(result);
  int64_t shifts[XLA_MAX_RANK];
  int rolled[XLA_MAX_RANK], n = 0;
  xlaRollGetShifts(op, shape, shifts);
  for (int d = 0; d < shape->rank; ++d)
    if (shifts[d])
      rolled[n++] = d;
  for (uint64_t pieces = 0; pieces < UINT64_C(1) << n; ++pieces) {
    XlaStridedBox box = wholeOf(result);
    memcpy(box.fromStrides, box.toStrides, sizeof box.fromStrides);
    for (int i = 0; i < n; ++i) {
      int d = rolled[i];
      int64_t kept = shape->dims[d] - shifts[d];
      bool wraps = pieces >> i & 1; // its end comes first
      box.dims[d] = wraps ? shifts[d] : kept;
      box.toOffset += (wraps ? 0 : shifts[d]) * box.toStrides[d];
      box.fromOffset += (wraps ? kept : 0) * box.fromStrides[d];
    }
    xlaStridedCopy(result, operands[0], &box);
  }
}

static void evaluateSlice(MlirOperation op, const XlaLiteral *const *operands,
                          XlaLiteral *result) {
  XlaI64List starts, strides;
  xlaOpGetList(op, "start_indices", &starts);
  bool strided = xlaOpGetList(op, "strides", &strides);
  XlaStridedBox box = wholeOf(result);
  xlaStridesInit(xlaLiteralGetShape(operands[0]), box.fromStrides);
  for (int i = 0; i < box.rank; ++i) {
    box.fromOffset += starts.values[i] * box.fromStrides[i];
    // The stride of a single element may be too large for the operand.
    if (strided)
      box.fromStrides[i] *= box.dims[i] > 1 ? strides.values[i] : 0;
  }
  xlaStridedCopy(result, operands[0], &box);
}

static void evaluateTranspose(MlirOperation op,
                              const XlaLiteral *const *operands,
                              XlaLiteral *result) {
  XlaI64List permutation;
  int64_t strides[XLA_MAX_RANK];
  xlaOpGetList(op, "permutation", &permutation);
  xlaStridesInit(xlaLiteralGetShape(operands[0]), strides);
  XlaStridedBox box = wholeOf(result);
  for (int i = 0; i < box.rank; ++i)
    box.fromStrides[i] = strides[permutation.values[i]];
  xlaStridedCopy(result, operands[0], &box);
}

static void evaluateReshape(MlirOperation op, const XlaLiteral *const *operands,
                            XlaLiteral *result) {
  (void)op;
  memcpy(xlaLiteralGetMutableData(result), xlaLiteralGetData(operands[0]),
         xlaLiteralGetByteCount(result));
}

MlirLogicalResult xlaMovementEvaluate(XlaEvaluator *evaluator, MlirOperation op,
                                      XlaOpKind kind,
                                      const XlaLiteral *const *operands,
                                      XlaLiteral **results) {
  static void (*const hooks[XlaOpKindCount])(
      MlirOperation, const XlaLiteral *const *, XlaLiteral *) = {
#define XLA_OP(Enum, ...) [XlaOpKind##Enum] = evaluate##Enum,
#include "xlac/dialect/rows/movement.def"
  };
  XlaLiteral *result = xlaEvaluatorCreateResult(evaluator, op, 0);
  if (!result)
    return failure();
  results[0] = result;
  if (!xlaLiteralGetElementCount(result))
    return success();
  if (!hooks[kind])
    return xlaOpError(op, NULL, "does not move data");
  hooks[kind](op, operands, result);
  return success();
}
