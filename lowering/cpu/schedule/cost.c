//===- cost.c - Vector lengths and estimates of work ----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/cpu/schedule/emit.h"

#include <string.h>

/// Vector instructions that one op becomes, about.
static int opWeight(MlirOperation op) {
  static const struct {
    const char *name;
    int weight;
  } weights[] = {
      {"arith.constant", 0}, {"linalg.index", 1},  {"arith.divf", 4},
      {"arith.remf", 40},    {"math.sqrt", 5},     {"math.rsqrt", 6},
      {"math.absf", 1},      {"math.absi", 1},     {"math.fma", 1},
      {"math.floor", 1},     {"math.ceil", 1},     {"math.trunc", 1},
      {"math.roundeven", 1}, {"math.copysign", 1}, {"math.powf", 60},
      {"arith.divsi", 40},   {"arith.divui", 40},  {"arith.remsi", 40},
      {"arith.remui", 40},   {"arith.muli", 2},    {"arith.ceildivsi", 40},
      {"math.ctpop", 3},     {"math.ctlz", 4},     {"math.cttz", 4},
  };
  for (size_t i = 0; i < sizeof weights / sizeof *weights; ++i)
    if (xlaIrIsOp(op, weights[i].name))
      return weights[i].weight;
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  return name.length > 5 && !memcmp(name.data, "math.", 5) ? 16 : 1;
}

static int bodyWeight(const XlaSchedStage *stage) {
  int weight = 0;
  if (!stage->body.ptr)
    return 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(stage->body);
       !mlirOperationEqual(op, mlirBlockGetTerminator(stage->body));
       op = mlirOperationGetNextInBlock(op))
    weight += opWeight(op);
  return weight;
}

/// Bits of a value in a register; 0 for those that do not decide the length.
static int bitsOf(MlirType type) {
  if (mlirTypeIsAFloat(type))
    return (int)mlirFloatTypeGetWidth(type);
  if (mlirTypeIsAInteger(type))
    return mlirIntegerTypeGetWidth(type) > 1
               ? (int)mlirIntegerTypeGetWidth(type)
               : 0;
  return 0;
}

/// Of lanes along `dim` (-1: any). Only what loads compute for themselves is
/// wide without being in lanes.
static int widestBits(const XlaSchedStage *stage, int dim) {
  int widest = 8;
  bool loads = false;
  for (int i = 0; i < stage->nIns + stage->nOuts; ++i) {
    int bits = bitsOf(stage->accesses[i].element);
    widest = bits > widest ? bits : widest;
  }
  if (!stage->body.ptr)
    return widest;
  for (MlirOperation op = mlirBlockGetFirstOperation(stage->body); op.ptr;
       op = mlirOperationGetNextInBlock(op))
    loads |= xlaIrIsOp(op, "memref.load");
  for (MlirOperation op = mlirBlockGetFirstOperation(stage->body); op.ptr;
       op = mlirOperationGetNextInBlock(op))
    for (intptr_t r = 0; r < mlirOperationGetNumResults(op); ++r) {
      MlirValue result = mlirOperationGetResult(op, r);
      int bits = bitsOf(mlirValueGetType(result));
      if (bits > widest &&
          !(loads && dim >= 0 && xlaSchedIsIndependent(stage, result, dim)))
        widest = bits;
    }
  return widest;
}

bool xlaSchedTouchesBf16(const XlaSchedGroup *group) {
  for (int s = 0; s < group->nStages; ++s) {
    const XlaSchedStage *stage = &group->stages[s];
    for (int i = 0; i < stage->nIns + stage->nOuts; ++i)
      if (mlirTypeIsABF16(stage->accesses[i].element))
        return true;
    for (MlirOperation op = stage->body.ptr
                                ? mlirBlockGetFirstOperation(stage->body)
                                : (MlirOperation){NULL};
         op.ptr; op = mlirOperationGetNextInBlock(op))
      for (intptr_t r = 0; r < mlirOperationGetNumResults(op); ++r)
        if (mlirTypeIsABF16(mlirValueGetType(mlirOperationGetResult(op, r))))
          return true;
  }
  return false;
}

int64_t xlaSchedPiece(const XlaSchedEmit *e, int64_t rest) {
  int64_t piece = 1;
  if (!e->onlyPowers)
    return rest;
  while (2 * piece <= rest)
    piece *= 2;
  return piece;
}

int64_t xlaSchedLanes(const XlaSchedEmit *e, const int *stages, int nStages) {
  int widest = 8, weight = 0;
  bool reduces = false;
  for (int k = 0; k < nStages; ++k) {
    const XlaSchedStage *stage = &e->group->stages[stages[k]];
    if (!xlaSchedBodyVectorizes(stage, xlaSchedLaneDim(e, stage)))
      return 1;
    int bits = widestBits(stage, xlaSchedLaneDim(e, stage));
    // Lanes are powers of two.
    if (bits > 64 || (bits & (bits - 1)))
      return 1;
    widest = bits > widest ? bits : widest;
    weight += bodyWeight(stage);
    for (int d = 0; d < stage->nDims; ++d)
      reduces |= stage->reduction[d];
  }
  // Several registers a step hide latencies and save loop overhead; a long body
  // has independent work of its own, and would spill.
  int64_t unroll = weight <= 4 ? 4 : weight <= 40 ? 2 : 1;
  int64_t lanes = e->options->vectorBits / widest;
  // Down a column every step reads one piece of a row: make it a long one.
  if (reduces && e->vecShared >= 0 && weight <= 2)
    return lanes * 8 < 256 ? lanes * 8 : 256;
  lanes *= unroll;
  return lanes < 64 ? lanes : 64;
}

double xlaSchedCost(const XlaSchedGroup *group, int vectorBits) {
  double total = 0;
  for (int s = 0; s < group->nStages; ++s) {
    const XlaSchedStage *stage = &group->stages[s];
    double lanes = xlaSchedIsArithmetic(stage)
                       ? (double)vectorBits / widestBits(stage, -1)
                       : 1;
    double points = (double)xlaSchedVolume(stage, 0, stage->nDims);
    total += points * bodyWeight(stage) * 0.3 / lanes;
    for (int i = 0; i < stage->nIns + stage->nOuts; ++i) {
      double touched = 1;
      for (int d = 0; d < stage->nDims; ++d)
        touched *= stage->accesses[i].strides[d] ? (double)stage->sizes[d] : 1;
      total += touched * bitsOf(stage->accesses[i].element) / 8 / 40;
    }
  }
  return total;
}
