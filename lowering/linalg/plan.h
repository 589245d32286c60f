//===- plan.h - The stages of a kernel ----------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lowering. Which values of a fusion (or of a single operation) get
// memory, and in which order they are written. Every reduction and every
// contraction is a stage of its own, and so is what contractions sum; so is a
// value that is costly to compute and that several stages use, but in fusions
// of kind loop, or there one that is broadcast to XLA_PLAN_REPEAT times its
// elements and more; what the kernel returns otherwise is computed by a last
// stage for each shape. Everything else is inlined.
//
// In fusions of kind loop a stage becomes several where concatenates and pads
// have their boundaries: each takes a box of the iterations (at most 32), in
// which it is known which operand is read.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_LINALG_PLAN_H
#define XLAC_LOWERING_LINALG_PLAN_H

#include "xlac/lowering/linalg/stage.h"

#ifdef __cplusplus
extern "C" {
#endif

#define XLA_PLAN_REPEAT 4

/// Values of one shape that one stage writes.
typedef struct XlaPlanStage {
  MlirOperation reduce; ///< null: elementwise, or a contraction
  MlirOperation dot;    ///< the contraction, or null
  intptr_t n;           ///< values
  MlirValue *values;
  intptr_t *results; ///< kernel result of each, or -1: an intermediate
  intptr_t *memory;  ///< kernel result that an intermediate may lie in, or -1
} XlaPlanStage;

/// The stages of a kernel.
typedef struct XlaPlan {
  XlaKernel *kernel;
  intptr_t nOps;
  MlirOperation *ops; ///< in program order
  int *uses;          ///< the one stage that inlines each op, or a constant
  int *costs;         ///< of an element, with what is inlined in it
  int64_t *points;    ///< at how many places it would be computed
  intptr_t nResults;
  MlirValue *values; ///< what the kernel returns
  intptr_t nStages;
  XlaPlanStage *stages;
} XlaPlan;

/// Plans `kernel->op`, whose operands (or block arguments) are buffers already,
/// and makes its constants buffers. Failure comes with a diagnostic. Free with
/// xlaPlanFree in any case.
MlirLogicalResult xlaPlanInit(XlaPlan *plan, XlaKernel *kernel);
void xlaPlanFree(XlaPlan *plan);

/// Writes the stages to `function`. `results` are the memrefs of the kernel's
/// results.
MlirLogicalResult xlaPlanEmit(XlaPlan *plan, MlirOperation function,
                              const MlirValue *results);
/// Whether `result` may share a buffer with buffer `operand` of the same size.
bool xlaPlanCanAlias(XlaPlan *plan, MlirValue operand, intptr_t result);

/// Finds intermediates that may lie in the memory of a result until that is
/// written: what is read of them then lies where the result goes. Called by
/// xlaPlanInit; false if there is no memory.
bool xlaPlanFindMemory(XlaPlan *plan);
/// The number in `plan->stages` order of the last stage that writes result `i`,
/// in the terms of `uses`: stages of ops have their op's number.
int xlaPlanFinalStage(const XlaPlan *plan, intptr_t i);
/// Whether two arrays have the same sizes.
bool xlaPlanSameDims(MlirValue a, MlirValue b);
/// The op of the plan that defines `value`, or -1.
intptr_t xlaPlanOpIndex(const XlaPlan *plan, MlirValue value);

/// A reduction: `outputs` are its results' memrefs (reduce.c).
MlirLogicalResult xlaReduceEmit(XlaKernel *kernel, MlirOperation op,
                                const MlirValue *outputs);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_LINALG_PLAN_H
