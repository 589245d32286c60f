//===- kernel_pool.h - Kernels of a program, each only once -------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lowering. Layers of a network repeat, and long programs are cut
// into fusions that are alike: operations whose kernels are equal but for their
// names share one.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_LINALG_KERNEL_POOL_H
#define XLAC_LOWERING_LINALG_KERNEL_POOL_H

#include "xlac/lowering/host/host.h"

/// Longest name of a kernel, with the 0 at its end.
enum { XLA_KERNEL_NAME_SIZE = 32 };

typedef struct XlaPooledKernel {
  uint64_t hash; ///< of its functions' text
  char *text;    ///< without their names; NULL: it owns more than functions
  size_t length;
  int64_t scratchBytes;
} XlaPooledKernel;

/// Zero-initialised is an empty pool.
typedef struct XlaKernelPool {
  intptr_t count, capacity;
  XlaPooledKernel *kernels; ///< by number
  MlirOperation last;       ///< of the module when a kernel was last asked for
} XlaKernelPool;

/// Emits the kernel of `op` to `module` as `kernel_N`, unless kernel N there is
/// equal to it already, and gives N and its scratch as XlaHostDevice does. On
/// failure a diagnostic was emitted.
MlirLogicalResult xlaKernelPoolEmit(XlaKernelPool *pool,
                                    const XlaHostDevice *device,
                                    MlirOperation op, MlirModule module,
                                    intptr_t *number, int64_t *scratchBytes);
/// Writes the name of kernel `number`.
void xlaKernelPoolName(intptr_t number, char name[XLA_KERNEL_NAME_SIZE]);
void xlaKernelPoolDestroy(XlaKernelPool *pool);

#endif // XLAC_LOWERING_LINALG_KERNEL_POOL_H
