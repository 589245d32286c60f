//===- kernel_cpu.c - Kernels run on the CPU ------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kernel_runner.h"

#include "xlac/lowering/cpu/schedule_kernels.h"

#include <stdio.h>

KernelRunner *kernelRunnerCreate(CpuFixture *fixture, MlirModule module) {
  XlaCpuScheduleOptions options = xlaCpuScheduleOptionsDefault();
  options.vectorBits = fixture->target->vectorBits;
  options.threads = 2;
  XlaCpuCode *code = NULL;
  if (mlirLogicalResultIsFailure(
          xlaCpuScheduleKernels(mlirModuleGetOperation(module), &options)))
    fail_msg("scheduling failed: %s", fixture->error);
  if (mlirLogicalResultIsFailure(xlaCpuCompileModule(
          module, fixture->target, &(XlaCpuCodegenOptions){.verify = true},
          NULL, &code)))
    fail_msg("compilation failed: %s", fixture->error);
  return (KernelRunner *)code;
}

void kernelRunnerDestroy(KernelRunner *runner) {
  xlaCpuCodeDestroy((XlaCpuCode *)runner);
}

static void call(void *code, void **p, intptr_t n) {
  typedef void (*F0)(void);
  typedef void (*F4)(void *, void *, void *, void *);
  typedef void (*F8)(void *, void *, void *, void *, void *, void *, void *,
                     void *);
  typedef void (*F12)(void *, void *, void *, void *, void *, void *, void *,
                      void *, void *, void *, void *, void *);
  // The calling conventions in use ignore arguments beyond a function's own.
  assert_in_range(n, 0, 12);
  if (n == 0)
    ((F0)(uintptr_t)code)();
  else if (n <= 4)
    ((F4)(uintptr_t)code)(p[0], p[1], p[2], p[3]);
  else if (n <= 8)
    ((F8)(uintptr_t)code)(p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7]);
  else
    ((F12)(uintptr_t)code)(p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8],
                           p[9], p[10], p[11]);
}

void kernelRunnerRun(KernelRunner *runner, int index, intptr_t n,
                     intptr_t nOperands, void **buffers, const size_t *sizes) {
  char name[32];
  (void)nOperands;
  (void)sizes;
  snprintf(name, sizeof name, "kernel%d", index);
  void *entry = xlaCpuCodeLookup((XlaCpuCode *)runner, name);
  assert_non_null(entry);
  call(entry, buffers, n);
}
