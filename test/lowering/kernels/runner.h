//===- runner.h - Where the kernels of a batch run ----------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implemented by cpu.c and vulkan.c: a test program is linked
// with one of them. Failures fail the test.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_TEST_LOWERING_KERNELS_RUNNER_H
#define XLAC_TEST_LOWERING_KERNELS_RUNNER_H

#include "xlac/test/lowering/cpu/cpu_fixture.h"

#include <stddef.h>

typedef struct KernelRunner KernelRunner;

/// Appends the kernel of `op` to `module`, as the device does.
MlirLogicalResult kernelRunnerEmit(CpuFixture *fixture, MlirOperation op,
                                   MlirModule module, const char *name,
                                   MlirOperation *kernel);
/// Compiles the kernels in `module`, public functions kernel0, kernel1, ...
KernelRunner *kernelRunnerCreate(CpuFixture *fixture, MlirModule module);
void kernelRunnerDestroy(KernelRunner *runner);

/// Runs kernel `index` on operands and results: `n` buffers of `sizes` bytes,
/// of which some may be the same. Those from `nOperands` on are results.
void kernelRunnerRun(KernelRunner *runner, int index, intptr_t n,
                     intptr_t nOperands, void **buffers, const size_t *sizes);

#endif // XLAC_TEST_LOWERING_KERNELS_RUNNER_H
