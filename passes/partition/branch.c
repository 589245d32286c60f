//===- branch.c - Branches of several devices -----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where devices go into different branches, all branches are there for all, and
// each takes what it wants.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/partition/shardings_of.h"

static MlirType boolType(MlirContext context) {
  return mlirRankedTensorTypeGet(0, NULL, mlirIntegerTypeGet(context, 1),
                                 (MlirAttribute){NULL});
}

typedef struct Branches {
  XlaExpansion *x;
  MlirOperation op;
  intptr_t n, nResults;
  MlirValue *index;              ///< by device
  MlirValue **values;            ///< of a branch: result * nDevices + device
  const XlaSharding **shardings; ///< of results
} Branches;

static MlirBlock blockOf(const Branches *b, intptr_t branch) {
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(b->op, branch));
}

/// The first device that has the same result in every branch.
static int firstOf(const Branches *b, intptr_t result, int device) {
  size_t at = (size_t)result * (size_t)b->x->nDevices;
  for (int k = 0; k < device; ++k) {
    intptr_t i = 0;
    while (i < b->n && xlaExpandSame(b->values[i][at + (size_t)k],
                                     b->values[i][at + (size_t)device]))
      ++i;
    if (i == b->n)
      return k;
  }
  return device;
}

static bool defineResults(Branches *b, MlirValue *results) {
  for (intptr_t r = 0; r < b->nResults; ++r)
    if (!xlaExpandDefine(b->x, mlirOperationGetResult(b->op, r),
                         results + (size_t)r * (size_t)b->x->nDevices,
                         b->shardings[r], NULL))
      return false;
  return true;
}

/// All devices take the same branch.
static bool branchTogether(Branches *b, XlaIr *ir, MlirRegion *regions) {
  XlaExpansion *x = b->x;
  size_t nDevices = (size_t)x->nDevices, n = (size_t)b->nResults * nDevices;
  for (intptr_t i = 0; i < b->n; ++i) {
    MlirBlock block = mlirBlockCreate(0, NULL, NULL);
    regions[i] = mlirRegionCreate();
    mlirRegionAppendOwnedBlock(regions[i], block);
    XlaIr inner = xlaIrAtEnd(x->context, ir->location, block);
    if (!xlaExpandBlock(x, blockOf(b, i), &inner) ||
        !(b->values[i] = xlaExpandEnd(x, b->op, blockOf(b, i), b->nResults)))
      return false;
  }
  MlirValue *list = xlaExpandAllocate(x, n, sizeof *list);
  MlirType *types = xlaExpandAllocate(x, n, sizeof *types);
  MlirValue *results = xlaExpandAllocate(x, n, sizeof *results);
  int *firsts = xlaExpandAllocate(x, n, sizeof *firsts);
  if (!list || !types || !results || !firsts)
    return false;
  intptr_t count = 0;
  for (size_t at = 0; at < n; ++at)
    firsts[at] = firstOf(b, (intptr_t)(at / nDevices), (int)(at % nDevices));
  for (intptr_t i = 0; i < b->n; ++i) {
    count = 0;
    for (size_t at = 0; at < n; ++at)
      if (firsts[at] == (int)(at % nDevices)) {
        list[count] = b->values[i][at];
        types[count] = mlirValueGetType(list[count]);
        ++count;
      }
    XlaIr inner = xlaIrAtEnd(x->context, ir->location,
                             mlirRegionGetFirstBlock(regions[i]));
    xlaIrCreate(&inner, "stablehlo.return", count, list, 0, NULL, 0, NULL, 0,
                NULL);
  }
  bool isIf = xlaIrIsOp(b->op, "stablehlo.if");
  MlirOperation made =
      xlaIrCreate(ir, isIf ? "stablehlo.if" : "stablehlo.case", 1, b->index,
                  count, types, 0, NULL, b->n, regions);
  for (intptr_t i = 0; i < b->n; ++i)
    regions[i] = (MlirRegion){NULL};
  count = 0;
  for (size_t at = 0; at < n; ++at)
    results[at] = firsts[at] == (int)(at % nDevices)
                      ? mlirOperationGetResult(made, count++)
                      : results[at - at % nDevices + (size_t)firsts[at]];
  return defineResults(b, results);
}

/// Whether devices take branch `i`, which is not the last one.
static MlirValue *takes(Branches *b, XlaIr *ir, intptr_t i) {
  XlaExpansion *x = b->x;
  bool isIf = xlaIrIsOp(b->op, "stablehlo.if");
  if (isIf)
    return b->index;
  MlirValue *taken = xlaExpandAllocate(x, (size_t)x->nDevices, sizeof *taken);
  XlaIrAttr equal = {"comparison_direction", xlaIrStringAttr(x->context, "EQ")};
  for (int d = 0; taken && d < x->nDevices; ++d) {
    int k = xlaExpandFirstAlike(1, (const MlirValue *const *)&b->index, d);
    if (k < d) {
      taken[d] = taken[k];
      continue;
    }
    MlirValue operands[] = {
        b->index[d], xlaExpandNumber(ir, mlirValueGetType(b->index[d]), i)};
    taken[d] = xlaIrOp(ir, "xla.compare", boolType(x->context), 2, operands, 1,
                       &equal);
  }
  return taken;
}

static MlirValue *negate(XlaExpansion *x, XlaIr *ir, const MlirValue *values) {
  MlirValue *made = xlaExpandAllocate(x, (size_t)x->nDevices, sizeof *made);
  for (int d = 0; made && d < x->nDevices; ++d) {
    int k = xlaExpandFirstAlike(1, &values, d);
    made[d] = k < d ? made[k]
                    : xlaIrOp(ir, "xla.not", boolType(x->context), 1,
                              &values[d], 0, NULL);
  }
  return made;
}

/// Branch `i` for those that are active.
static bool expandBranch(Branches *b, XlaIr *ir, intptr_t i,
                         const MlirValue *active) {
  XlaExpansion *x = b->x;
  const MlirValue *before = x->active;
  x->active = active;
  bool done = xlaExpandBlock(x, blockOf(b, i), ir);
  x->active = before;
  b->values[i] =
      done ? xlaExpandEnd(x, b->op, blockOf(b, i), b->nResults) : NULL;
  return b->values[i] != NULL;
}

/// Every device goes through all branches.
static bool branchApart(Branches *b, XlaIr *ir) {
  XlaExpansion *x = b->x;
  size_t nDevices = (size_t)x->nDevices;
  MlirValue *rest = xlaExpandAllocate(x, nDevices, sizeof *rest);
  MlirValue **taken = xlaExpandAllocate(x, (size_t)b->n, sizeof *taken);
  if (!rest || !taken)
    return false;
  MlirValue yes = xlaExpandNumber(ir, boolType(x->context), 1);
  for (int d = 0; d < x->nDevices; ++d)
    rest[d] = x->active ? x->active[d] : yes;
  for (intptr_t i = 0; i + 1 < b->n; ++i) {
    MlirValue *active;
    MlirValue *others =
        (taken[i] = takes(b, ir, i)) ? negate(x, ir, taken[i]) : NULL;
    if (!others ||
        !xlaExpandCombine(x, ir, "xla.and", rest, taken[i], &active) ||
        !xlaExpandCombine(x, ir, "xla.and", rest, others, &rest) ||
        !expandBranch(b, ir, i, active))
      return false;
  }
  if (!expandBranch(b, ir, b->n - 1, rest))
    return false;
  MlirValue *results = b->values[b->n - 1];
  for (intptr_t i = b->n - 2; i >= 0; --i) {
    for (intptr_t r = 0; r < b->nResults; ++r) {
      size_t at = (size_t)r * nDevices;
      if (!xlaExpandChoose(x, b->op, ir, taken[i], b->values[i] + at,
                           results + at))
        return false;
    }
    results = b->values[i];
  }
  return defineResults(b, results);
}

bool xlaExpandCase(XlaExpansion *x, MlirOperation op, XlaIr *ir) {
  Branches b = {.x = x,
                .op = op,
                .n = mlirOperationGetNumRegions(op),
                .nResults = mlirOperationGetNumResults(op)};
  if (!b.n || mlirOperationGetNumOperands(op) != 1)
    return xlaExpandInvalid(x, op, "has no branches, or no index");
  for (intptr_t i = 0; i < b.n; ++i)
    if (mlirBlockIsNull(blockOf(&b, i)) ||
        mlirBlockGetNumArguments(blockOf(&b, i)))
      return xlaExpandInvalid(x, op, "has a branch that does not fit");
  b.shardings = xlaShardingsOfResults(x, op);
  b.index = xlaExpandOperand(x, op, 0);
  b.values = xlaExpandAllocate(x, (size_t)b.n, sizeof *b.values);
  MlirRegion *regions = xlaExpandAllocate(x, (size_t)b.n, sizeof *regions);
  if (!b.shardings || !b.index || !b.values || !regions)
    return false;
  if (!xlaExpandIsUniform(x, b.index))
    return branchApart(&b, ir);
  bool done = branchTogether(&b, ir, regions);
  for (intptr_t i = 0; i < b.n; ++i)
    if (regions[i].ptr)
      mlirRegionDestroy(regions[i]);
  return done;
}
