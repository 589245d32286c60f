//===- cost.c - Work of statements ----------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/affine/cost.h"

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

int xlaSchedBodyWeight(const XlaSchedStatement *statement) {
  int weight = 0;
  if (!statement->body.ptr)
    return 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(statement->body);
       !mlirOperationEqual(op, mlirBlockGetTerminator(statement->body));
       op = mlirOperationGetNextInBlock(op))
    weight += opWeight(op);
  return weight;
}

int xlaSchedBits(MlirType type) {
  if (mlirTypeIsAFloat(type))
    return (int)mlirFloatTypeGetWidth(type);
  if (mlirTypeIsAInteger(type))
    return mlirIntegerTypeGetWidth(type) > 1
               ? (int)mlirIntegerTypeGetWidth(type)
               : 0;
  return 0;
}

double xlaSchedBytesTouched(const XlaSchedStatement *statement) {
  double bytes = 0;
  for (int i = 0; i < statement->nIns + statement->nOuts; ++i) {
    const XlaSchedAccess *access = &statement->accesses[i];
    double touched = 1;
    for (int d = 0; d < statement->nDims; ++d)
      touched *= access->strides[d] ? (double)statement->sizes[d] : 1;
    bytes += touched * xlaSchedBits(access->element) / 8;
  }
  return bytes;
}
