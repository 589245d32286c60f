//===- openmp.h - What OpenMP's runtime reads ---------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libomp reads variables of the environment when compiled code first runs on
// several threads, and with some values it ends the process or hangs.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_CPU_OPENMP_H
#define XLAC_LOWERING_CPU_OPENMP_H

#include "xlac/runtime/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/// INVALID_ARGUMENT, with the variable and its value, if OMP_NUM_THREADS is set
/// to anything but a list of integers from 1 to 1000000, or one of
/// OMP_STACKSIZE, KMP_STACKSIZE and GOMP_STACKSIZE to more than there is
/// memory. Other wrong values libomp warns of itself.
XlaStatus xlaCpuCheckOpenMP(void);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_CPU_OPENMP_H
