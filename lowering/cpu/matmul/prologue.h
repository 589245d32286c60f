//===- prologue.h - What precedes a matrix product ----------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The linalg.generic that computes an operand of a product, on the elements
// that are being packed: a prologue of matmul.h.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_CPU_MATMUL_PROLOGUE_H
#define XLAC_LOWERING_CPU_MATMUL_PROLOGUE_H

#include "xlac/lowering/cpu/matmul/matmul.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The prologue of one operand.
typedef struct XlaCpuPrologue {
  const XlaContractionKernel *kernel;
  const XlaContractionInputs *inputs;
  XlaContractionSide side;
  /// The product's extra argument, a pointer, that each input is.
  intptr_t extras[XLA_CONTRACTION_MAX_INPUTS];
  bool failed; ///< memory ran out
} XlaCpuPrologue;

/// The strides that most of the operand is read by along its free dimension and
/// along the terms: the inner ones, where these are several.
void xlaCpuPrologueStrides(const XlaCpuPrologue *prologue, int64_t *free,
                           int64_t *term);

/// XlaCpuMatmulCompute; `user` is an XlaCpuPrologue.
MlirValue xlaCpuPrologueApply(XlaIr *ir, const XlaCpuMatmulPlace *place,
                              const MlirValue *extras, void *user);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_CPU_MATMUL_PROLOGUE_H
