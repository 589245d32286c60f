//===- gather.c - Elements at positions that lanes compute ----------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A body reads a buffer at a position with quotients and remainders of the
// index that lanes lie along: lane by lane another one, computed in vectors of
// 32 bits.
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/affine/cost.h"
#include "xlac/lowering/cpu/schedule/emit.h"

/// What is known of the operands of an affine.load's map.
typedef struct Operands {
  intptr_t n;
  XlaInterval ranges[XLA_SCHED_MAX_OPERANDS];
  bool isLane[XLA_SCHED_MAX_OPERANDS];
} Operands;

static MlirOperation indexOf(MlirOperation load, intptr_t i) {
  return mlirOpResultGetOwner(mlirOperationGetOperand(load, 1 + i));
}

/// False if one of them is no index of the statement.
static bool read(const XlaSchedStatement *statement, MlirOperation load,
                 int dim, Operands *operands) {
  operands->n = mlirOperationGetNumOperands(load) - 1;
  for (intptr_t i = 0; i < operands->n; ++i) {
    if (!mlirValueIsAOpResult(mlirOperationGetOperand(load, 1 + i)) ||
        !xlaIrIsOp(indexOf(load, i), "linalg.index"))
      return false;
    int d = xlaSchedIndexDim(statement, indexOf(load, i));
    operands->isLane[i] = d == dim;
    operands->ranges[i] = (XlaInterval){0, d < 0 ? 0 : statement->sizes[d] - 1};
  }
  return true;
}

static bool dependsOnLane(const Operands *operands, MlirAffineExpr expr) {
  for (intptr_t i = 0; i < operands->n; ++i)
    if (operands->isLane[i] && mlirAffineExprIsFunctionOfDim(expr, i))
      return true;
  return false;
}

/// Whether all parts of `expr` that depend on the lane are numbers of 31 bits.
static bool isNarrow(const Operands *operands, XlaRules *rules,
                     MlirAffineExpr expr) {
  const XlaInterval narrow = {-(INT64_C(1) << 30), INT64_C(1) << 30};
  int64_t by;
  if (!xlaIntervalContains(narrow, xlaExprRange(rules, expr)))
    return false;
  if (!dependsOnLane(operands, expr) || xlaExprGetKind(expr) == XlaExprKindDim)
    return true;
  MlirAffineExpr lhs = mlirAffineBinaryOpExprGetLHS(expr);
  MlirAffineExpr rhs = mlirAffineBinaryOpExprGetRHS(expr);
  switch (xlaExprGetKind(expr)) {
  case XlaExprKindAdd:
    return isNarrow(operands, rules, lhs) && isNarrow(operands, rules, rhs);
  case XlaExprKindMul:
    return xlaExprIsConstant(rhs, &by) && xlaIntervalHas(narrow, by) &&
           isNarrow(operands, rules, lhs);
  case XlaExprKindFloorDiv:
  case XlaExprKindMod:
    return xlaExprIsConstant(rhs, &by) && by > 0 && by <= narrow.upper &&
           isNarrow(operands, rules, lhs);
  case XlaExprKindDim:
  case XlaExprKindSymbol:
  case XlaExprKindCeilDiv:
  case XlaExprKindConstant:
    break;
  }
  return false;
}

bool xlaSchedIsAffineGather(const XlaSchedStatement *statement,
                            MlirOperation load, int dim) {
  enum { leastWeight = 16 };
  Operands operands;
  if (xlaSchedBodyWeight(statement) < leastWeight ||
      !read(statement, load, dim, &operands))
    return false;
  XlaRules rules = {.context = mlirOperationGetContext(load),
                    .dims = operands.ranges};
  bool fits = isNarrow(&operands, &rules, xlaSchedPosition(load));
  xlaRulesFree(&rules);
  return fits;
}

//===----------------------------------------------------------------------===//
// Positions
//===----------------------------------------------------------------------===//

typedef struct Gather {
  XlaSchedNest *n;
  XlaIr *ir;
  Operands operands;
  XlaRules rules;
  MlirAffineExpr indices[XLA_SCHED_MAX_OPERANDS]; ///< those of the first lane
  MlirType type;
} Gather;

static MlirValue number(const Gather *g, int64_t value) {
  return xlaIrConstantInt(g->ir, g->type, value);
}

static MlirValue binary(const Gather *g, const char *name, MlirValue a,
                        int64_t b) {
  return xlaIrBinary(g->ir, name, a, number(g, b));
}

/// The same for all lanes.
static MlirValue uniform(const Gather *g, MlirAffineExpr expr) {
  MlirValue first = xlaAffineApply(g->n->affine, g->ir,
                                   xlaExprReplace(expr, g->indices, NULL));
  MlirValue narrow = xlaIrCast(g->ir, "arith.index_cast", first,
                               mlirIntegerTypeGet(g->ir->context, 32));
  return xlaSchedSplat(g->n, narrow, 2);
}

/// Quotients, or remainders, rounded to below: `lower` is at most `a`.
static MlirValue divide(const Gather *g, MlirValue a, int64_t lower, int64_t by,
                        bool isMod) {
  if (!(by & (by - 1)))
    return isMod ? binary(g, "arith.andi", a, by - 1)
                 : binary(g, "arith.shrsi", a, __builtin_ctzll((uint64_t)by));
  int64_t more = lower < 0 ? xlaCeilDiv(-lower, by) : 0;
  if (more)
    a = binary(g, "arith.addi", a, more * by);
  a = binary(g, isMod ? "arith.remui" : "arith.divui", a, by);
  return more && !isMod ? binary(g, "arith.subi", a, more) : a;
}

static MlirValue lanesOf(Gather *g, MlirAffineExpr expr) {
  int64_t by = 0;
  if (!dependsOnLane(&g->operands, expr))
    return uniform(g, expr);
  if (xlaExprGetKind(expr) == XlaExprKindDim)
    return xlaIrBinary(
        g->ir, "arith.addi", uniform(g, expr),
        xlaIrOp(g->ir, "arith.index_cast", g->type, 1,
                (MlirValue[]){xlaIrOp(
                    g->ir, "vector.step",
                    xlaSchedLaneType(g->n, mlirIndexTypeGet(g->ir->context)), 0,
                    NULL, 0, NULL)},
                0, NULL));
  MlirAffineExpr left = mlirAffineBinaryOpExprGetLHS(expr);
  MlirAffineExpr right = mlirAffineBinaryOpExprGetRHS(expr);
  MlirValue a = lanesOf(g, left);
  XlaExprKind kind = xlaExprGetKind(expr);
  if (kind == XlaExprKindAdd)
    return xlaIrBinary(g->ir, "arith.addi", a, lanesOf(g, right));
  xlaExprIsConstant(right, &by);
  if (kind == XlaExprKindMul)
    return binary(g, "arith.muli", a, by);
  return divide(g, a, xlaExprRange(&g->rules, left).lower, by,
                kind == XlaExprKindMod);
}

MlirValue xlaSchedAffineGather(XlaSchedNest *n,
                               const XlaSchedStatement *statement,
                               MlirOperation load) {
  XlaIr *ir = &n->at[2];
  Gather g = {.n = n, .ir = ir};
  read(statement, load, xlaSchedLaneDim(n, statement), &g.operands);
  g.rules = (XlaRules){.context = ir->context, .dims = g.operands.ranges};
  g.type = xlaSchedLaneType(n, mlirIntegerTypeGet(ir->context, 32));
  for (intptr_t i = 0; i < g.operands.n; ++i)
    g.indices[i] = xlaSchedIndexAt(n, statement, indexOf(load, i), 0);
  MlirValue at = lanesOf(&g, xlaSchedPosition(load));
  xlaRulesFree(&g.rules);
  MlirType type = mlirValueGetType(mlirOperationGetResult(load, 0));
  MlirType lanes = xlaSchedLaneType(n, type);
  MlirType mask = xlaSchedLaneType(n, mlirIntegerTypeGet(ir->context, 1));
  MlirValue operands[] = {
      n->device->value(n, mlirOperationGetOperand(load, 0)),
      xlaIrConstantIndex(ir, 0), at, xlaIrConstantInt(ir, mask, -1),
      mlirTypeIsAFloat(type) ? xlaIrConstantFloat(ir, lanes, 0)
                             : xlaIrConstantInt(ir, lanes, 0)};
  return xlaIrOp(ir, "vector.gather", lanes, 5, operands, 0, NULL);
}
