//===- copy.c - Operations for each device --------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/partition/expand.h"
#include "xlac/passes/partition/shardings_of.h"

#include <stdlib.h>

/// Values from outside of an operation: its operands, and what is used in it.
typedef struct Uses {
  MlirValue *values;
  intptr_t n, capacity;
  bool failed;
} Uses;

static void addUse(Uses *uses, MlirValue value) {
  for (intptr_t i = 0; i < uses->n; ++i)
    if (mlirValueEqual(uses->values[i], value))
      return;
  if (uses->n == uses->capacity) {
    intptr_t capacity = 2 * uses->capacity + 16;
    MlirValue *grown = realloc(uses->values, (size_t)capacity * sizeof *grown);
    if (!grown) {
      uses->failed = true;
      return;
    }
    uses->values = grown;
    uses->capacity = capacity;
  }
  uses->values[uses->n++] = value;
}

static bool isInside(MlirValue value, MlirOperation op) {
  MlirOperation around = mlirBlockGetParentOperation(xlaIrBlockOf(value));
  while (!mlirOperationIsNull(around) && !mlirOperationEqual(around, op))
    around = mlirOperationGetParentOperation(around);
  return !mlirOperationIsNull(around);
}

static bool findUses(XlaExpansion *x, MlirOperation op, Uses *uses) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    addUse(uses, mlirOperationGetOperand(op, i));
  if (!mlirOperationGetNumRegions(op))
    return !uses->failed || xlaExpandNoMemory(x, op);
  XlaIrOps inner = xlaIrCollect(op, MlirWalkPreOrder, NULL);
  for (intptr_t k = 0; k < inner.n; ++k)
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(inner.ops[k]); ++i) {
      MlirValue value = mlirOperationGetOperand(inner.ops[k], i);
      if (!mlirOperationEqual(inner.ops[k], op) && !isInside(value, op))
        addUse(uses, value);
    }
  bool whole = !inner.failed && !uses->failed;
  free(inner.ops);
  return whole || xlaExpandNoMemory(x, op);
}

/// Puts the values of `device` in the place of those of the program.
static bool bind(XlaExpansion *x, MlirOperation copy, const Uses *uses,
                 MlirValue *const *values, int device) {
  XlaIrOps all = {0};
  if (mlirOperationGetNumRegions(copy))
    all = xlaIrCollect(copy, MlirWalkPreOrder, NULL);
  intptr_t n = all.ops ? all.n : 1;
  for (intptr_t k = 0; k < n && !all.failed; ++k) {
    MlirOperation op = all.ops ? all.ops[k] : copy;
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
      for (intptr_t u = 0; u < uses->n; ++u)
        if (mlirValueEqual(mlirOperationGetOperand(op, i), uses->values[u])) {
          mlirOperationSetOperand(op, i, values[u][device]);
          break;
        }
  }
  free(all.ops);
  return !all.failed || xlaExpandNoMemory(x, copy);
}

int xlaExpandFirstAlike(intptr_t n, const MlirValue *const *arrays,
                        int device) {
  for (int d = 0; d < device; ++d) {
    intptr_t i = 0;
    while (i < n && xlaExpandSame(arrays[i][d], arrays[i][device]))
      ++i;
    if (i == n)
      return d;
  }
  return device;
}

/// The first device that has the same of all that `op` uses, and whose effects
/// are its effects too.
static int findAlike(XlaExpansion *x, MlirOperation op, bool hasEffects,
                     intptr_t n, MlirValue *const *values, int device) {
  const MlirValue *const *arrays = (const MlirValue *const *)values;
  if (!hasEffects)
    return xlaExpandFirstAlike(n, arrays, device);
  for (int d = 0; d < device; ++d) {
    intptr_t i = 0;
    while (i < n && xlaExpandSame(values[i][d], values[i][device]))
      ++i;
    bool isActiveAlike =
        !x->active || xlaExpandSame(x->active[d], x->active[device]);
    if (i == n && isActiveAlike && xlaExpandSharesEffects(x, op, d, device))
      return d;
  }
  return device;
}

static bool copyFor(XlaExpansion *x, MlirOperation op, XlaIr *ir,
                    const Uses *uses, MlirValue **values) {
  intptr_t nResults = mlirOperationGetNumResults(op);
  size_t n = (size_t)x->nDevices;
  bool hasEffects = xlaExpandHasEffects(x, op);
  MlirValue *results =
      xlaExpandAllocate(x, (size_t)nResults * n, sizeof *results);
  if (!results)
    return false;
  for (int device = 0; device < x->nDevices; ++device) {
    int alike = findAlike(x, op, hasEffects, uses->n, values, device);
    MlirOperation copy = {NULL};
    if (alike == device) {
      if (!xlaExpandCount(x, op))
        return false;
      copy = mlirOperationClone(op);
      mlirBlockAppendOwnedOperation(ir->block, copy);
      if (!bind(x, copy, uses, values, device) ||
          (hasEffects && x->active &&
           !xlaExpandGuard(x, ir, x->active[device], &copy)))
        return false;
    }
    for (intptr_t r = 0; r < nResults; ++r)
      results[(size_t)r * n + (size_t)device] =
          alike == device ? mlirOperationGetResult(copy, r)
                          : results[(size_t)r * n + (size_t)alike];
  }
  const XlaSharding **shardings = xlaShardingsOfResults(x, op);
  for (intptr_t r = 0; shardings && r < nResults; ++r)
    if (!xlaExpandDefine(x, mlirOperationGetResult(op, r),
                         results + (size_t)r * n, shardings[r], NULL))
      return false;
  return shardings != NULL;
}

bool xlaExpandCopy(XlaExpansion *x, MlirOperation op, XlaIr *ir) {
  Uses uses = {0};
  MlirValue **values = NULL;
  bool done = findUses(x, op, &uses);
  if (done) {
    values = malloc(((size_t)uses.n + 1) * sizeof *values);
    done = values != NULL;
    if (!done)
      xlaExpandNoMemory(x, op);
  }
  for (intptr_t u = 0; done && u < uses.n; ++u) {
    XlaExpandValue *found = xlaExpandGet(x, op, uses.values[u]);
    done = found != NULL;
    if (done)
      values[u] = found->values;
  }
  done = done && copyFor(x, op, ir, &uses, values);
  free(values);
  free(uses.values);
  return done;
}
