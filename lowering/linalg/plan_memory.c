//===- plan_memory.c - Intermediates in the memory of results -------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/linalg/kernel.h"
#include "xlac/lowering/linalg/plan.h"

#include <stdlib.h>
#include <string.h>

/// What an inlined op computes of an intermediate.
typedef enum Reads {
  ReadsNothing,
  ReadsInPlace,   ///< element i of element i
  ReadsElsewhere, ///< of other elements
} Reads;

static bool sameMemory(MlirValue a, MlirValue b) {
  const char *reason;
  MlirType type = xlaKernelMemRefType(mlirValueGetType(a), &reason);
  return !mlirTypeIsNull(type) &&
         mlirTypeEqual(type, xlaKernelMemRefType(mlirValueGetType(b), &reason));
}

static bool isElementwise(MlirOperation op) {
  XlaOpKind kind = xlaOpGetKind(op);
  return kind != XlaOpKindInvalid &&
         xlaOpGetInfo(kind)->family == XlaFamilyElementwise;
}

static Reads readsOf(const XlaPlan *plan, const Reads *reads, MlirValue operand,
                     MlirValue value) {
  if (mlirValueEqual(operand, value))
    return ReadsInPlace;
  intptr_t i = xlaPlanOpIndex(plan, operand);
  return i < 0 ? ReadsNothing : reads[i];
}

/// Follows `value`, result of op `first`, through the ops inlined after it.
static void follow(const XlaPlan *plan, intptr_t first, MlirValue value,
                   Reads *reads) {
  memset(reads, 0, (size_t)plan->nOps * sizeof *reads);
  for (intptr_t i = first + 1; i < plan->nOps; ++i) {
    MlirOperation op = plan->ops[i];
    if (plan->uses[i] == i)
      continue; // reads before any result is written
    for (intptr_t k = 0; k < mlirOperationGetNumOperands(op); ++k) {
      MlirValue operand = mlirOperationGetOperand(op, k);
      Reads now = readsOf(plan, reads, operand, value);
      bool inPlace = isElementwise(op) &&
                     xlaPlanSameDims(operand, mlirOperationGetResult(op, 0));
      if (now == ReadsInPlace && !inPlace)
        now = ReadsElsewhere;
      reads[i] = now > reads[i] ? now : reads[i];
    }
    // What a region reads is not followed.
    if (mlirOperationGetNumRegions(op))
      reads[i] = ReadsElsewhere;
  }
}

/// Is all that depends on the followed value written in the last stage of
/// result `r`, from the elements in their places?
static bool isLastReadAt(const XlaPlan *plan, const Reads *reads,
                         MlirValue value, intptr_t r) {
  int stage = xlaPlanFinalStage(plan, r);
  for (intptr_t k = 0; k < plan->nResults; ++k) {
    Reads now = readsOf(plan, reads, plan->values[k], value);
    if (now == ReadsElsewhere ||
        (now == ReadsInPlace && xlaPlanFinalStage(plan, k) != stage))
      return false;
  }
  return true;
}

/// Is result `r` written by a last stage, and no other value in its memory?
static bool isFree(const XlaPlan *plan, intptr_t r) {
  intptr_t op = xlaPlanOpIndex(plan, plan->values[r]);
  for (intptr_t k = 0; k < r; ++k)
    if (mlirValueEqual(plan->values[k], plan->values[r]))
      return false;
  for (intptr_t s = 0; s < plan->nStages; ++s)
    for (intptr_t i = 0; i < plan->stages[s].n; ++i)
      if (plan->stages[s].memory[i] == r)
        return false;
  return op >= 0 && plan->uses[op] != op;
}

bool xlaPlanFindMemory(XlaPlan *plan) {
  Reads *reads = calloc((size_t)plan->nOps + 1, sizeof *reads);
  if (!reads)
    return false;
  for (intptr_t s = 0; s < plan->nStages; ++s) {
    XlaPlanStage *stage = &plan->stages[s];
    for (intptr_t i = 0; i < stage->n; ++i) {
      MlirValue value = stage->values[i];
      if (stage->reduce.ptr || stage->dot.ptr || stage->results[i] >= 0)
        continue;
      follow(plan, xlaPlanOpIndex(plan, value), value, reads);
      for (intptr_t r = 0; r < plan->nResults && stage->memory[i] < 0; ++r)
        if (sameMemory(value, plan->values[r]) && isFree(plan, r) &&
            isLastReadAt(plan, reads, value, r))
          stage->memory[i] = r;
    }
  }
  free(reads);
  return true;
}
