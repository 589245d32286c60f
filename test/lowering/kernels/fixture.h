//===- fixture.h - Kernels against the reference evaluator --------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A batch of functions of one operation each. All of them become kernels in one
// module, which is scheduled and compiled once; each runs on generated inputs
// and must give what the evaluator gives for its function.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_TEST_LOWERING_KERNELS_FIXTURE_H
#define XLAC_TEST_LOWERING_KERNELS_FIXTURE_H

#include "xlac/dialect/op.h"

#include <stddef.h>

typedef enum KernelFill {
  KernelFillSpecial, ///< all pairs of special values, then random bits
  KernelFillAll,     ///< the position as bits: all values of a 16-bit type
  KernelFillSmall,   ///< integers in [-2, 2] (or [0, 3]): sums are exact
  KernelFillUnit,    ///< floats in [-4, 4], integers in [-9, 9]
} KernelFill;

/// How a case's results are compared.
typedef struct KernelCheck {
  KernelFill fill;
  double ulps; ///< floats may differ by so many; 0: equal
  bool bits;   ///< NaNs must have the same bits
  /// Floats whose difference is at most this are equal as well.
  double absolute;
} KernelCheck;

typedef struct KernelBatch {
  char *text;
  size_t size, capacity;
  int nCases, capacityCases;
  struct KernelCase {
    KernelCheck check;
    size_t text; ///< where it begins
  } *cases;
  int nAliased; ///< pairs of operand and result that shared a buffer, after run
} KernelBatch;

/// Appends to the last case's text, or begins one: "(%a: ..) -> .. { .. }" with
/// one operation whose operands are the arguments, in order.
void kernelBatchBegin(KernelBatch *batch, KernelCheck check);
void kernelBatchPut(KernelBatch *batch, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/// Runs all cases and empties the batch. Fails the test at the first mismatch.
void kernelBatchRun(KernelBatch *batch);

/// A deterministic random number in [0, n).
uint64_t kernelRandom(uint64_t n);

/// The element types that compiled devices take, ended by Invalid.
extern const XlaElementType kernelTypes[];

#endif // XLAC_TEST_LOWERING_KERNELS_FIXTURE_H
