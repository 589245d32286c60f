//===- dynamic_slice.c - Slices at computed places, evaluated -------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A start is clamped so that the slice lies inside the operand.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/family.h"
#include "xlac/dialect/interpret/evaluator.h"
#include "xlac/dialect/interpret/strided.h"
#include "xlac/dialect/result_internal.h"

#include <string.h>

/// Reads start `i` and clamps it into [0, most].
static int64_t clampedStart(const XlaLiteral *const *starts, bool vector, int i,
                            int64_t most) {
  const XlaLiteral *literal = starts[vector ? 0 : i];
  XlaElementType type = xlaLiteralGetShape(literal)->elementType;
  XlaScalar value = xlaLiteralGet(literal, vector ? i : 0);
  if (xlaElementTypeGetInfo(type)->typeClass == XlaTypeClassUnsigned)
    return value.u < (uint64_t)most ? (int64_t)value.u : most;
  return value.s < 0 ? 0 : value.s < most ? value.s : most;
}

MlirLogicalResult xlaDynamicSliceEvaluate(XlaEvaluator *evaluator,
                                          MlirOperation op, XlaOpKind kind,
                                          const XlaLiteral *const *operands,
                                          XlaLiteral **results) {
  bool update = kind == XlaOpKindDynamicUpdateSlice;
  intptr_t first = update ? 2 : 1;
  XlaLiteral *result = xlaEvaluatorCreateResult(evaluator, op, 0);
  if (!result)
    return failure();
  results[0] = result;
  const XlaShape *shape = xlaLiteralGetShape(operands[0]);
  const XlaShape *window = xlaLiteralGetShape(update ? operands[1] : result);
  const XlaLiteral *const *starts = operands + first;
  bool vector = mlirOperationGetNumOperands(op) == first + 1 &&
                xlaLiteralGetShape(starts[0])->rank == 1;
  int64_t at[XLA_MAX_RANK] = {0};
  for (int i = 0; i < shape->rank; ++i)
    at[i] = clampedStart(starts, vector, i, shape->dims[i] - window->dims[i]);
  if (update && xlaLiteralGetByteCount(result))
    memcpy(xlaLiteralGetMutableData(result), xlaLiteralGetData(operands[0]),
           xlaLiteralGetByteCount(result));
  xlaStridedCopyWindow(result, operands[update ? 1 : 0], update, at);
  return success();
}
