//===- kernels.h - Kernels for the CPU ---------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_CPU_KERNELS_H
#define XLAC_LOWERING_CPU_KERNELS_H

#include "mlir-c/IR.h"
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// XlaHostDevice.emitKernel of the CPU; `target` is an XlaCpuTarget. What
/// xlaKernelEmit makes, with an argument for scratch memory where matrix
/// products or sorts need it, or rows are long.
MlirLogicalResult xlaCpuEmitKernel(MlirOperation op, MlirModule module,
                                   const char *name, int64_t *scratchBytes,
                                   void *target);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_CPU_KERNELS_H
