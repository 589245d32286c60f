//===- roll.c - Rolled arrays as pieces put together ----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/ops/movement.h"
#include "xlac/dialect/result_internal.h"
#include "xlac/passes/expand/expand.h"

#include <string.h>

/// Dimension `d` from `start` to `limit` of an array.
static MlirValue piece(XlaIr *ir, MlirValue x, int d, int64_t start,
                       int64_t limit) {
  XlaShape shape = xlaArrayShape(x);
  int64_t starts[XLA_MAX_RANK] = {0}, limits[XLA_MAX_RANK];
  memcpy(limits, shape.dims, sizeof limits);
  starts[d] = start;
  limits[d] = limit;
  return xlaArraySlice(ir, x, starts, limits, NULL);
}

/// Along one dimension after the other: its end, then its beginning.
MlirLogicalResult xlaExpandRoll(XlaIr *ir, MlirOperation op,
                                MlirValue *results) {
  MlirValue x = mlirOperationGetOperand(op, 0);
  XlaShape shape = xlaArrayShape(x);
  int64_t shifts[XLA_MAX_RANK];
  xlaRollGetShifts(op, &shape, shifts);
  for (int d = 0; d < shape.rank; ++d) {
    if (!shifts[d])
      continue;
    int64_t size = shape.dims[d], kept = size - shifts[d];
    MlirValue pieces[] = {piece(ir, x, d, kept, size),
                          piece(ir, x, d, 0, kept)};
    x = xlaArrayConcatenate(ir, 2, pieces, d);
  }
  results[0] = x;
  return success();
}
