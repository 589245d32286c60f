//===- steps_in_results.c - Intermediates in the memory of results --------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/linalg/kernel.h"
#include "xlac/lowering/linalg/steps.h"

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

static Reads readsOf(const XlaKernelSteps *steps, const Reads *reads,
                     MlirValue operand, MlirValue value) {
  if (mlirValueEqual(operand, value))
    return ReadsInPlace;
  intptr_t i = xlaKernelStepsOpIndex(steps, operand);
  return i < 0 ? ReadsNothing : reads[i];
}

/// Follows `value`, result of op `first`, through the ops inlined after it.
static void follow(const XlaKernelSteps *steps, intptr_t first, MlirValue value,
                   Reads *reads) {
  memset(reads, 0, (size_t)steps->nOps * sizeof *reads);
  for (intptr_t i = first + 1; i < steps->nOps; ++i) {
    MlirOperation op = steps->ops[i];
    if (steps->uses[i] == i)
      continue; // reads before any result is written
    for (intptr_t k = 0; k < mlirOperationGetNumOperands(op); ++k) {
      MlirValue operand = mlirOperationGetOperand(op, k);
      Reads now = readsOf(steps, reads, operand, value);
      bool inPlace =
          isElementwise(op) &&
          xlaKernelStepsSameDims(operand, mlirOperationGetResult(op, 0));
      if (now == ReadsInPlace && !inPlace)
        now = ReadsElsewhere;
      reads[i] = now > reads[i] ? now : reads[i];
    }
    // What a region reads is not followed.
    if (mlirOperationGetNumRegions(op))
      reads[i] = ReadsElsewhere;
  }
}

/// Is all that depends on the followed value written in the last step of
/// result `r`, from the elements in their places?
static bool isLastReadAt(const XlaKernelSteps *steps, const Reads *reads,
                         MlirValue value, intptr_t r) {
  int step = xlaKernelStepsFinal(steps, r);
  for (intptr_t k = 0; k < steps->nResults; ++k) {
    Reads now = readsOf(steps, reads, steps->values[k], value);
    if (now == ReadsElsewhere ||
        (now == ReadsInPlace && xlaKernelStepsFinal(steps, k) != step))
      return false;
  }
  return true;
}

/// Does a contraction read the value? It does so until the last of what is
/// computed on its result is written.
static bool isSummed(const XlaKernelSteps *steps, MlirValue value) {
  for (intptr_t s = 0; s < steps->n; ++s)
    for (int side = 0; steps->all[s].dot.ptr && side < 2; ++side)
      if (mlirValueEqual(mlirOperationGetOperand(steps->all[s].dot, side),
                         value))
        return true;
  return false;
}

/// Is result `r` written by a last step, and no other value in its memory?
static bool isFree(const XlaKernelSteps *steps, intptr_t r) {
  intptr_t op = xlaKernelStepsOpIndex(steps, steps->values[r]);
  for (intptr_t k = 0; k < r; ++k)
    if (mlirValueEqual(steps->values[k], steps->values[r]))
      return false;
  for (intptr_t s = 0; s < steps->n; ++s)
    for (intptr_t i = 0; i < steps->all[s].n; ++i)
      if (steps->all[s].memory[i] == r)
        return false;
  return op >= 0 && steps->uses[op] != op;
}

static bool contains(const XlaKernelStep *step, MlirValue value) {
  for (intptr_t k = 0; k < step->n; ++k)
    if (mlirValueEqual(step->values[k], value))
      return true;
  return false;
}

bool xlaKernelStepDependsOn(const XlaKernelSteps *steps,
                            const XlaKernelStep *step,
                            const XlaKernelStep *from) {
  bool *follows = steps->marks;
  for (intptr_t i = 0; i < steps->nOps; ++i) {
    follows[i] = false;
    for (intptr_t k = 0; k < mlirOperationGetNumOperands(steps->ops[i]); ++k) {
      MlirValue operand = mlirOperationGetOperand(steps->ops[i], k);
      intptr_t at = xlaKernelStepsOpIndex(steps, operand);
      follows[i] |= (at >= 0 && follows[at]) || contains(from, operand);
    }
  }
  for (intptr_t k = 0; k < step->n; ++k) {
    intptr_t at = xlaKernelStepsOpIndex(steps, step->values[k]);
    if (at >= 0 && follows[at])
      return true;
  }
  return false;
}

static const XlaKernelStep *stepOf(const XlaKernelSteps *steps, intptr_t r) {
  for (intptr_t s = 0; s < steps->n; ++s)
    for (intptr_t i = 0; i < steps->all[s].n; ++i)
      if (steps->all[s].results[i] == r)
        return &steps->all[s];
  return NULL;
}

/// Whether the step that writes result `r` depends on all others that may read
/// what `step` writes: schedules would have it before one that it does not
/// depend on.
static bool isWrittenLast(const XlaKernelSteps *steps,
                          const XlaKernelStep *step, intptr_t r) {
  const XlaKernelStep *last = stepOf(steps, r);
  for (intptr_t s = 0; last && s < steps->n; ++s) {
    const XlaKernelStep *other = &steps->all[s];
    if (other != step && other != last &&
        xlaKernelStepDependsOn(steps, other, step) &&
        !xlaKernelStepDependsOn(steps, last, other))
      return false;
  }
  return last;
}

bool xlaKernelStepsFindMemory(XlaKernelSteps *steps) {
  Reads *reads = calloc((size_t)steps->nOps + 1, sizeof *reads);
  if (!reads)
    return false;
  for (intptr_t s = 0; s < steps->n; ++s) {
    XlaKernelStep *step = &steps->all[s];
    for (intptr_t i = 0; i < step->n; ++i) {
      MlirValue value = step->values[i];
      if (step->reduce.ptr || step->dot.ptr || step->results[i] >= 0 ||
          isSummed(steps, value))
        continue;
      follow(steps, xlaKernelStepsOpIndex(steps, value), value, reads);
      for (intptr_t r = 0; r < steps->nResults && step->memory[i] < 0; ++r)
        if (sameMemory(value, steps->values[r]) && isFree(steps, r) &&
            isLastReadAt(steps, reads, value, r) &&
            isWrittenLast(steps, step, r))
          step->memory[i] = r;
    }
  }
  free(reads);
  return true;
}
