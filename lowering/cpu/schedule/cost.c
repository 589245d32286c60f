//===- cost.c - Vector lengths and estimates of work ----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/affine/cost.h"
#include "xlac/lowering/cpu/schedule/emit.h"

#include <string.h>

/// Of lanes along `dim` (-1: any). Only what loads compute for themselves is
/// wide without being in lanes.
static int widestBits(const XlaSchedStatement *statement, int dim) {
  int widest = 8;
  bool loads = false;
  for (int i = 0; i < statement->nIns + statement->nOuts; ++i) {
    int bits = xlaSchedBits(statement->accesses[i].element);
    widest = bits > widest ? bits : widest;
  }
  if (!statement->body.ptr)
    return widest;
  for (MlirOperation op = mlirBlockGetFirstOperation(statement->body); op.ptr;
       op = mlirOperationGetNextInBlock(op))
    loads |= xlaIrIsOp(op, "memref.load") || xlaIrIsOp(op, "affine.load");
  for (MlirOperation op = mlirBlockGetFirstOperation(statement->body); op.ptr;
       op = mlirOperationGetNextInBlock(op))
    for (intptr_t r = 0; r < mlirOperationGetNumResults(op); ++r) {
      MlirValue result = mlirOperationGetResult(op, r);
      int bits = xlaSchedBits(mlirValueGetType(result));
      if (bits > widest &&
          !(loads && dim >= 0 && xlaSchedIsIndependent(statement, result, dim)))
        widest = bits;
    }
  return widest;
}

bool xlaSchedTouchesBf16(const XlaSchedGroup *group) {
  for (int s = 0; s < group->nStatements; ++s) {
    const XlaSchedStatement *statement = &group->statements[s];
    for (int i = 0; i < statement->nIns + statement->nOuts; ++i)
      if (mlirTypeIsABF16(statement->accesses[i].element))
        return true;
    for (MlirOperation op = statement->body.ptr
                                ? mlirBlockGetFirstOperation(statement->body)
                                : (MlirOperation){NULL};
         op.ptr; op = mlirOperationGetNextInBlock(op))
      for (intptr_t r = 0; r < mlirOperationGetNumResults(op); ++r)
        if (mlirTypeIsABF16(mlirValueGetType(mlirOperationGetResult(op, r))))
          return true;
  }
  return false;
}

/// Adds the operations of a body to `counts`: all, and those of elements that
/// are as wide as the widest.
static void countWide(const XlaSchedStatement *statement, int widest,
                      int counts[2]) {
  if (!statement->body.ptr)
    return;
  for (MlirOperation op = mlirBlockGetFirstOperation(statement->body); op.ptr;
       op = mlirOperationGetNextInBlock(op)) {
    if (!mlirOperationGetNumResults(op))
      continue;
    ++counts[0];
    counts[1] +=
        xlaSchedBits(mlirValueGetType(mlirOperationGetResult(op, 0))) == widest;
  }
}

int64_t xlaSchedLanes(const XlaSchedEmit *e, const int *statements,
                      int nStatements) {
  int widest = 8, weight = 0;
  bool reduces = false;
  for (int k = 0; k < nStatements; ++k) {
    const XlaSchedStatement *statement = &e->n.group->statements[statements[k]];
    if (!xlaSchedBodyVectorizes(statement, xlaSchedLaneDim(&e->n, statement)))
      return 1;
    int bits = widestBits(statement, xlaSchedLaneDim(&e->n, statement));
    // Lanes are powers of two.
    if (bits > 64 || (bits & (bits - 1)))
      return 1;
    widest = bits > widest ? bits : widest;
    weight += xlaSchedBodyWeight(statement);
    reduces |= xlaSchedReduces(statement);
  }
  // Several registers a step hide latencies and save loop overhead; a long body
  // has independent work of its own, and would spill.
  int counts[2] = {0, 0};
  for (int k = 0; k < nStatements; ++k)
    countWide(&e->n.group->statements[statements[k]], widest, counts);
  // The few wide operations of a body, as positions, take more registers.
  bool isNarrow = weight <= 4 || 8 * counts[1] <= counts[0];
  int64_t unroll = isNarrow ? 4 : weight <= 40 ? 2 : 1;
  int64_t lanes = e->options->vectorBits / widest;
  // Down a column every step reads one piece of a row: make it a long one.
  if (reduces && e->n.vecShared >= 0 && weight <= 2)
    return lanes * 8 < 256 ? lanes * 8 : 256;
  if (reduces && e->n.vecShared >= 0)
    unroll = 4;
  lanes *= unroll;
  return lanes < 64 ? lanes : 64;
}

/// Bytes in a nanosecond: of memory, of the cache that cores share, or of their
/// own.
static double bandwidth(double bytes, const XlaCpuScheduleOptions *options) {
  double own = (double)options->l2Bytes;
  return bytes > 4 * own ? 40 : bytes > own ? 80 : 120;
}

double xlaSchedCost(const XlaSchedGroup *group,
                    const XlaCpuScheduleOptions *options) {
  double total = 0, bytes = 0;
  for (int s = 0; s < group->nStatements; ++s) {
    const XlaSchedStatement *statement = &group->statements[s];
    double lanes = xlaSchedIsArithmetic(statement)
                       ? (double)options->vectorBits / widestBits(statement, -1)
                       : 1;
    double points = (double)xlaSchedVolume(statement, 0, statement->nDims);
    total += points * xlaSchedBodyWeight(statement) * 0.25 / lanes;
    bytes += xlaSchedBytesTouched(statement);
  }
  return total + bytes / bandwidth(bytes, options);
}
