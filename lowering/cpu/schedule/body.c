//===- body.c - Cloning a scalar body over lanes --------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/affine/cost.h"
#include "xlac/lowering/cpu/schedule/emit.h"
#include "xlac/lowering/linalg/generic.h"

//===----------------------------------------------------------------------===//
// What lanes can be
//===----------------------------------------------------------------------===//

static bool isInteger(MlirType type) {
  return mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) <= 64;
}

/// Whether `value` is the index of dimension `dim` of the statement. A cast
/// holds it if all its values are positive there.
static bool isIndexOf(const XlaSchedStatement *statement, MlirValue value,
                      int dim) {
  while (mlirValueIsAOpResult(value)) {
    MlirOperation op = mlirOpResultGetOwner(value);
    MlirType type = mlirValueGetType(value);
    if (xlaIrIsOp(op, "linalg.index"))
      return xlaSchedIndexDim(statement, op) == dim;
    if (!xlaIrIsOp(op, "arith.index_cast") ||
        (!mlirTypeIsAIndex(type) &&
         (!isInteger(type) ||
          (statement->sizes[dim] - 1) >> (mlirIntegerTypeGetWidth(type) - 1))))
      return false;
    value = mlirOperationGetOperand(op, 0);
  }
  return false;
}

/// Whether a value of the body may depend on the index of dimension `dim`, or
/// on what is read; what takes more than `*budget` steps to find out may.
static bool dependsOn(const XlaSchedStatement *statement, MlirValue value,
                      int dim, int *budget) {
  if (--*budget < 0)
    return true;
  if (mlirValueIsABlockArgument(value))
    return mlirBlockEqual(mlirBlockArgumentGetOwner(value), statement->body) &&
           statement->accesses[mlirBlockArgumentGetArgNumber(value)]
                   .strides[dim] != 0;
  MlirOperation op = mlirOpResultGetOwner(value);
  if (!mlirBlockEqual(mlirOperationGetBlock(op), statement->body))
    return false;
  if (xlaIrIsOp(op, "linalg.index"))
    return isIndexOf(statement, value, dim);
  if (!xlaIrHasPrefix(op, "arith."))
    return true;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (dependsOn(statement, mlirOperationGetOperand(op, i), dim, budget))
      return true;
  return false;
}

bool xlaSchedIsIndependent(const XlaSchedStatement *statement, MlirValue value,
                           int dim) {
  int budget = 256;
  return !dependsOn(statement, value, dim, &budget);
}

/// Whether `index` is that of dimension `dim`, plus `*start`, null if there is
/// none, which does not depend on it.
static bool isConsecutive(const XlaSchedStatement *statement, MlirValue index,
                          int dim, MlirValue *start) {
  *start = (MlirValue){NULL};
  if (isIndexOf(statement, index, dim))
    return true;
  if (!mlirValueIsAOpResult(index) ||
      !xlaIrIsOp(mlirOpResultGetOwner(index), "arith.addi"))
    return false;
  for (int i = 0; i < 2; ++i) {
    MlirOperation sum = mlirOpResultGetOwner(index);
    *start = mlirOperationGetOperand(sum, 1 - i);
    if (isIndexOf(statement, mlirOperationGetOperand(sum, i), dim) &&
        xlaSchedIsIndependent(statement, *start, dim))
      return true;
  }
  return false;
}

/// Of types that lie in memory as in the lanes of a vector.
static bool isPlain(MlirType type) {
  if (mlirTypeIsAFloat(type))
    return mlirFloatTypeGetWidth(type) >= 8;
  return isInteger(type) && mlirIntegerTypeGetWidth(type) >= 8 &&
         mlirIntegerTypeGetWidth(type) % 8 == 0;
}

/// Whether consecutive lanes along dimension `dim` of the statement load
/// consecutive elements: by the last index, and no other depends on it.
static bool isVectorLoad(const XlaSchedStatement *statement, MlirOperation op,
                         int dim) {
  MlirValue start;
  if (dim < 0 || !xlaIrIsOp(op, "memref.load"))
    return false;
  MlirValue memref = mlirOperationGetOperand(op, 0);
  intptr_t n = mlirOperationGetNumOperands(op);
  if (n < 2 || !isPlain(mlirValueGetType(mlirOperationGetResult(op, 0))) ||
      !xlaSchedIsIndependent(statement, memref, dim) ||
      !mlirAffineMapIsIdentity(
          mlirMemRefTypeGetAffineMap(mlirValueGetType(memref))) ||
      !isConsecutive(statement, mlirOperationGetOperand(op, n - 1), dim,
                     &start))
    return false;
  for (intptr_t i = 1; i + 1 < n; ++i)
    if (!xlaSchedIsIndependent(statement, mlirOperationGetOperand(op, i), dim))
      return false;
  return true;
}

int xlaSchedVectorLoads(const XlaSchedStatement *statement, int dim) {
  int count = 0;
  if (!statement->body.ptr)
    return 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(statement->body);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    count += isVectorLoad(statement, op, dim);
  return count;
}

/// Whether lanes may load from places apart: where the rest of the body costs
/// more than taking indices and elements from one place to the other.
static bool isGather(const XlaSchedStatement *statement, MlirOperation op,
                     int dim) {
  enum { leastWeight = 6 };
  if (dim < 0 || !xlaIrIsOp(op, "memref.load"))
    return false;
  MlirValue memref = mlirOperationGetOperand(op, 0);
  MlirType type = mlirValueGetType(memref);
  return isPlain(mlirValueGetType(mlirOperationGetResult(op, 0))) &&
         xlaSchedIsIndependent(statement, memref, dim) &&
         mlirShapedTypeHasStaticShape(type) &&
         mlirAffineMapIsIdentity(mlirMemRefTypeGetAffineMap(type)) &&
         mlirShapedTypeGetRank(type) > 0 &&
         xlaSchedBodyWeight(statement) >= leastWeight;
}

/// Does `expr` contain dimension `k` as a summand, and nowhere else?
static bool isStep(MlirAffineExpr expr, intptr_t k) {
  if (xlaExprGetKind(expr) == XlaExprKindDim)
    return mlirAffineDimExprGetPosition(expr) == k;
  if (xlaExprGetKind(expr) != XlaExprKindAdd)
    return false;
  MlirAffineExpr lhs = mlirAffineBinaryOpExprGetLHS(expr);
  MlirAffineExpr rhs = mlirAffineBinaryOpExprGetRHS(expr);
  return (isStep(lhs, k) && !mlirAffineExprIsFunctionOfDim(rhs, k)) ||
         (isStep(rhs, k) && !mlirAffineExprIsFunctionOfDim(lhs, k));
}

/// Whether lanes load consecutive elements, of an affine.load that steps with
/// them.
static bool isContiguous(const XlaSchedStatement *statement, MlirOperation op,
                         int dim) {
  MlirAffineExpr at = xlaSchedPosition(op);
  for (intptr_t i = 0; i + 1 < mlirOperationGetNumOperands(op); ++i)
    if (isIndexOf(statement, mlirOperationGetOperand(op, 1 + i), dim) &&
        mlirAffineExprIsFunctionOfDim(at, i) && !isStep(at, i))
      return false;
  return true;
}

/// The same of an affine.load, or that all lanes load the same element, or that
/// they may load from places apart.
static bool isAffineVectorLoad(const XlaSchedStatement *statement,
                               MlirOperation op, int dim) {
  if (dim < 0 || !xlaIrIsOp(op, "affine.load") || !xlaSchedIsAffine(op))
    return false;
  return !xlaSchedStepsWith(statement, op, dim) ||
         (isPlain(mlirValueGetType(mlirOperationGetResult(op, 0))) &&
          (isContiguous(statement, op, dim) ||
           xlaSchedIsAffineGather(statement, op, dim)));
}

bool xlaSchedBodyVectorizes(const XlaSchedStatement *statement, int dim) {
  if (!statement->body.ptr)
    return true;
  for (MlirOperation op = mlirBlockGetFirstOperation(statement->body);
       !mlirOperationEqual(op, mlirBlockGetTerminator(statement->body));
       op = mlirOperationGetNextInBlock(op))
    if (!xlaSchedIsLaneOp(op) && !isVectorLoad(statement, op, dim) &&
        !isAffineVectorLoad(statement, op, dim) &&
        !isGather(statement, op, dim))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Computing
//===----------------------------------------------------------------------===//

static MlirValue value(XlaSchedNest *n, MlirValue key) {
  MlirValue bound = {(void *)xlaPointerMapGet(n->values, key.ptr)};
  return mlirValueIsNull(bound) ? key : bound;
}

/// The index of a dimension: 0 where it was dropped, a vector along lanes.
static void computeIndex(XlaSchedNest *n, const XlaSchedStatement *statement,
                         MlirOperation op, int level) {
  int d = xlaSchedIndexDim(statement, op);
  XlaIr *ir = &n->at[level];
  MlirValue index =
      xlaAffineApply(n->affine, ir, xlaSchedIndexAt(n, statement, op, 0));
  if (n->lanes > 1 && d >= 0 && d == xlaSchedLaneDim(n, statement)) {
    MlirType type = xlaSchedLaneType(n, mlirIndexTypeGet(ir->context));
    MlirValue steps = xlaIrOp(ir, "vector.step", type, 0, NULL, 0, NULL);
    index =
        xlaIrBinary(ir, "arith.addi", steps, xlaSchedSplat(n, index, level));
  }
  xlaSchedBind(n, mlirOperationGetResult(op, 0), index, level);
}

/// Redirects operands of ops nested in an op (scalar bodies with regions).
static MlirWalkResult remapNested(MlirOperation op, void *userData) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    mlirOperationSetOperand(op, i,
                            value(userData, mlirOperationGetOperand(op, i)));
  return MlirWalkResultAdvance;
}

/// A load of consecutive elements for the lanes.
static void computeVectorLoad(XlaSchedNest *n,
                              const XlaSchedStatement *statement,
                              MlirOperation op) {
  MlirValue operands[1 + XLA_SCHED_MAX_DIMS], start;
  intptr_t last = mlirOperationGetNumOperands(op) - 1;
  int dim = xlaSchedLaneDim(n, statement);
  XlaIr *ir = &n->at[2];
  for (intptr_t i = 0; i < last; ++i)
    operands[i] = value(n, mlirOperationGetOperand(op, i));
  MlirValue first = xlaAffineApply(n->affine, ir, n->iv[dim]);
  isConsecutive(statement, mlirOperationGetOperand(op, last), dim, &start);
  operands[last] =
      start.ptr ? xlaIrBinary(ir, "arith.addi", first, value(n, start)) : first;
  MlirValue result = mlirOperationGetResult(op, 0);
  MlirValue lanes =
      xlaIrOp(ir, "vector.load", xlaSchedLaneType(n, mlirValueGetType(result)),
              last + 1, operands, 0, NULL);
  xlaSchedBind(n, result, lanes, 2);
}

/// A load of an element for each lane, or of one for all where they share it.
static void computeGather(XlaSchedNest *n, MlirOperation op) {
  XlaIr *ir = &n->at[2];
  MlirValue memref = mlirOperationGetOperand(op, 0);
  MlirType type = mlirValueGetType(memref);
  int64_t size = 1, one = 1;
  MlirValue at = {NULL};
  for (intptr_t d = mlirShapedTypeGetRank(type); d-- > 0;) {
    MlirValue index = value(n, mlirOperationGetOperand(op, 1 + d));
    MlirType from = mlirValueGetType(index);
    if (size != 1)
      index = xlaIrBinary(ir, "arith.muli", index,
                          xlaIrConstantInt(ir, from, size));
    if (at.ptr &&
        (mlirTypeIsAVector(from) || mlirTypeIsAVector(mlirValueGetType(at)))) {
      at = xlaSchedSplat(n, at, 2);
      index = xlaSchedSplat(n, index, 2);
    }
    at = at.ptr ? xlaIrBinary(ir, "arith.addi", at, index) : index;
    size *= mlirShapedTypeGetDimSize(type, d);
  }
  MlirValue result = mlirOperationGetResult(op, 0);
  MlirValue flat = xlaKernelReinterpret(ir, value(n, memref), (MlirValue){NULL},
                                        0, 1, &size, &one);
  if (!mlirTypeIsAVector(mlirValueGetType(at))) {
    xlaSchedBind(n, result, xlaIrLoad(ir, flat, 1, &at), 2);
    return;
  }
  MlirType lanes = xlaSchedLaneType(n, mlirValueGetType(result));
  MlirType mask = xlaSchedLaneType(n, mlirIntegerTypeGet(ir->context, 1));
  MlirValue none = mlirTypeIsAFloat(mlirValueGetType(result))
                       ? xlaIrConstantFloat(ir, lanes, 0)
                       : xlaIrConstantInt(ir, lanes, 0);
  MlirValue operands[] = {flat, xlaIrConstantIndex(ir, 0), at,
                          xlaIrConstantInt(ir, mask, -1), none};
  xlaSchedBind(n, result,
               xlaIrOp(ir, "vector.gather", lanes, 5, operands, 0, NULL), 2);
}

/// Whatever computes lanes as it computes scalars, or scalars only.
static void computeOp(XlaSchedNest *n, MlirOperation op, int level) {
  bool isVector = false;
  intptr_t nOperands = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < nOperands; ++i)
    isVector |= mlirTypeIsAVector(
        mlirValueGetType(value(n, mlirOperationGetOperand(op, i))));
  MlirOperation clone = mlirOperationClone(op);
  for (intptr_t i = 0; i < nOperands; ++i) {
    MlirValue key = mlirOperationGetOperand(op, i), operand = value(n, key);
    mlirOperationSetOperand(
        clone, i,
        isVector ? xlaSchedSplat(n, operand, xlaSchedLevel(n, key)) : operand);
  }
  if (mlirOperationGetNumRegions(op))
    mlirOperationWalk(clone, remapNested, n, MlirWalkPreOrder);
  XlaIr *ir = &n->at[level];
  if (ir->before.ptr)
    mlirBlockInsertOwnedOperationBefore(ir->block, ir->before, clone);
  else
    mlirBlockAppendOwnedOperation(ir->block, clone);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirValue result = mlirOperationGetResult(clone, i);
    if (isVector)
      mlirValueSetType(result, xlaSchedLaneType(n, mlirValueGetType(result)));
    xlaSchedBind(n, mlirOperationGetResult(op, i), result, level);
  }
}

static void compute(XlaSchedNest *n, const XlaSchedStatement *statement,
                    MlirOperation op, int p, int level) {
  (void)p; // there is one point
  if (xlaIrIsOp(op, "linalg.index"))
    computeIndex(n, statement, op, level);
  else if (n->lanes > 1 &&
           isVectorLoad(statement, op, xlaSchedLaneDim(n, statement)))
    computeVectorLoad(n, statement, op);
  else if (n->lanes > 1 && xlaIrIsOp(op, "memref.load"))
    computeGather(n, op);
  else
    computeOp(n, op, level);
}

static MlirValue element(XlaSchedNest *n, MlirValue memref, MlirAffineExpr at,
                         bool isVector) {
  MlirType type = xlaIrElementType(mlirValueGetType(memref));
  return xlaAffineLoad(n->affine, &n->at[2],
                       isVector ? xlaSchedLaneType(n, type) : type,
                       value(n, memref), at);
}

//===----------------------------------------------------------------------===//
// The device
//===----------------------------------------------------------------------===//

static void begin(XlaSchedNest *n, const XlaSchedCluster *cluster) {
  n->lanes = xlaSchedClusterLanes((XlaSchedEmit *)n, cluster);
}

static MlirValue gather(XlaSchedNest *n, const XlaSchedStatement *statement,
                        MlirOperation load) {
  return isContiguous(statement, load, xlaSchedLaneDim(n, statement))
             ? (MlirValue){NULL}
             : xlaSchedAffineGather(n, statement, load);
}

static MlirValue across(XlaSchedNest *n, const XlaSchedReducer *reducer,
                        MlirValue lanes) {
  return xlaSchedAcross(&n->at[2], reducer, lanes);
}

const XlaSchedDevice xlaSchedCpu = {.begin = begin,
                                    .load = xlaSchedLoad,
                                    .store = xlaSchedStore,
                                    .isRegister = xlaSchedIsRegister,
                                    .compute = compute,
                                    .element = element,
                                    .gather = gather,
                                    .value = value,
                                    .across = across,
                                    .loop = xlaSchedTiled,
                                    .reduce = xlaSchedSplit};
