//===- steps.h - The steps of a kernel ----------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lowering. Which values of a fusion (or of a single operation) get
// memory, and in which order they are written. Every reduction and every
// contraction is a step of its own, and so is what contractions sum; so is a
// value that is costly to compute and that several steps use, but in fusions
// of kind loop, or there one that is broadcast to XLA_KERNEL_STEPS_REPEAT times
// its elements and more; what the kernel returns otherwise is computed by a
// last step for each shape. Everything else is inlined.
//
// In fusions of kind loop a step is several generics where concatenates and
// pads have their boundaries: each takes a box of the iterations (boxes.h),
// in which it is known which operand is read.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_LINALG_STEPS_H
#define XLAC_LOWERING_LINALG_STEPS_H

#include "xlac/lowering/linalg/generic.h"

#ifdef __cplusplus
extern "C" {
#endif

#define XLA_KERNEL_STEPS_REPEAT 4

/// Values of one shape that are written together.
typedef struct XlaKernelStep {
  MlirOperation reduce; ///< or scan; null: elementwise, or a contraction
  MlirOperation dot;    ///< the contraction, or null
  MlirOperation update; ///< a dynamic_update_slice, or null
  intptr_t n;           ///< values
  MlirValue *values;
  intptr_t *results; ///< kernel result of each, or -1: an intermediate
  intptr_t *memory;  ///< kernel result that an intermediate may lie in, or -1
} XlaKernelStep;

/// The steps of a kernel.
typedef struct XlaKernelSteps {
  XlaKernel *kernel;
  intptr_t nOps;
  MlirOperation *ops; ///< in program order
  int *uses;          ///< the one step that inlines each op, or a constant
  int *costs;         ///< of an element, with what is inlined in it
  int64_t *points;    ///< at how many places it would be computed
  bool *marks;        ///< of ops, for searches
  intptr_t nResults;
  MlirValue *values; ///< what the kernel returns
  intptr_t n;
  XlaKernelStep *all;
} XlaKernelSteps;

/// Reads the steps of `kernel->op`, whose operands (or block arguments) are
/// buffers already, and makes its constants buffers. Failure comes with a
/// diagnostic. Free with xlaKernelStepsFree in any case.
MlirLogicalResult xlaKernelStepsInit(XlaKernelSteps *steps, XlaKernel *kernel);
void xlaKernelStepsFree(XlaKernelSteps *steps);

/// Writes the steps. `results` are the memrefs of the kernel's results.
MlirLogicalResult xlaKernelStepsEmit(XlaKernelSteps *steps,
                                     const MlirValue *results);
/// Whether `result` may share a buffer with buffer `operand` of the same size.
bool xlaKernelStepsCanAlias(XlaKernelSteps *steps, MlirValue operand,
                            intptr_t result);

/// Finds intermediates that may lie in the memory of a result until that is
/// written: what is read of them then lies where the result goes. Called by
/// xlaKernelStepsInit; false if there is no memory.
bool xlaKernelStepsFindMemory(XlaKernelSteps *steps);
/// The number in `steps->all` order of the last step that writes result `i`,
/// in the terms of `uses`: steps of ops have their op's number.
int xlaKernelStepsFinal(const XlaKernelSteps *steps, intptr_t i);
/// Whether `step` computes something from a value of `from`, so that no
/// schedule has it before.
bool xlaKernelStepDependsOn(const XlaKernelSteps *steps,
                            const XlaKernelStep *step,
                            const XlaKernelStep *from);
bool xlaKernelIsScan(MlirOperation op);
/// Whether a fusion is of kind loop, or of kind window, which is one where the
/// device keeps no rows.
bool xlaKernelIsLoop(MlirOperation op);
/// Whether `op` is a reduction or a scan, which have loops of their own.
bool xlaKernelHasLoops(MlirOperation op);
/// Whether two arrays have the same sizes.
bool xlaKernelStepsSameDims(MlirValue a, MlirValue b);
/// The number in `steps->ops` of the op that defines `value`, or -1.
intptr_t xlaKernelStepsOpIndex(const XlaKernelSteps *steps, MlirValue value);

/// A reduction: `outputs` are its results' memrefs (reduce.c).
MlirLogicalResult xlaReduceEmit(XlaKernel *kernel, MlirOperation op,
                                const MlirValue *outputs);
/// A scan: the same (scan.c).
MlirLogicalResult xlaScanEmit(XlaKernel *kernel, MlirOperation op,
                              const MlirValue *outputs);
/// A dynamic_update_slice, of a result that has all else already (update.c).
MlirLogicalResult xlaUpdateEmit(XlaKernel *kernel, MlirOperation op,
                                MlirValue result);
/// Whether the argument that a fusion updates may be updated in place: what is
/// read of it lies where that is written.
bool xlaUpdateIsInPlace(MlirOperation update);
/// The loops of a scan, and what elements they are at.
void xlaScanSpace(MlirOperation op, XlaSpace *space);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_LINALG_STEPS_H
