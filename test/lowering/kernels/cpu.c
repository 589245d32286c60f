//===- cpu.c - Kernels run on the CPU -------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/test/lowering/kernels/runner.h"
#include "xlac/test/support/unit.h"

#include "xlac/dialect/op.h"
#include "xlac/lowering/cpu/kernels.h"
#include "xlac/lowering/cpu/schedule/kernels.h"
#include "xlac/lowering/linalg/kernel.h"

#include "mlir-c/BuiltinAttributes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct KernelRunner {
  XlaCpuCode *code;
  char *scratch;
  int64_t scratchBytes;
};

static MlirOperation findFunction(MlirModule module, const char *name) {
  MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  while (!mlirStringRefEqual(
      mlirStringAttrGetValue(mlirOperationGetAttributeByName(
          op, mlirStringRefCreateFromCString("sym_name"))),
      mlirStringRefCreateFromCString(name)))
    op = mlirOperationGetNextInBlock(op);
  return op;
}

/// Contractions in fusions are the device's own affair; other kernels are
/// tested in the form that all devices share.
MlirLogicalResult kernelRunnerEmit(CpuFixture *fixture, MlirOperation op,
                                   MlirModule module, const char *name,
                                   MlirOperation *kernel) {
  int64_t scratchBytes = -1;
  if (!xlaOpAttrIs(op, "kind", "contraction"))
    return xlaKernelEmit(op, module, name, NULL, kernel);
  MlirLogicalResult result = xlaCpuEmitKernel(op, module, name, &scratchBytes,
                                              (void *)fixture->target);
  if (mlirLogicalResultIsSuccess(result))
    *kernel = findFunction(module, name);
  if (scratchBytes > fixture->scratchBytes)
    fixture->scratchBytes = scratchBytes;
  return result;
}

KernelRunner *kernelRunnerCreate(CpuFixture *fixture, MlirModule module) {
  XlaCpuScheduleOptions options = xlaCpuScheduleOptionsDefault();
  options.vectorBits = fixture->target->vectorBits;
  options.target = fixture->target;
  options.threads = 2;
  options.serialNanoseconds = 1000; // also small kernels on both
  KernelRunner *runner = calloc(1, sizeof *runner);
  assert_non_null(runner);
  runner->scratchBytes = fixture->scratchBytes;
  runner->scratch =
      aligned_alloc(64, ((size_t)runner->scratchBytes / 64 + 1) * 64);
  assert_non_null(runner->scratch);
  if (mlirLogicalResultIsFailure(
          xlaCpuScheduleKernels(mlirModuleGetOperation(module), &options)))
    fail_msg("scheduling failed: %s", fixture->error);
  if (mlirLogicalResultIsFailure(xlaCpuCompileModule(
          module, fixture->target, &(XlaCpuCodegenOptions){.verify = true},
          NULL, &runner->code)))
    fail_msg("compilation failed: %s", fixture->error);
  return runner;
}

void kernelRunnerDestroy(KernelRunner *runner) {
  xlaCpuCodeDestroy(runner->code);
  free(runner->scratch);
  free(runner);
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
  void *entry = xlaCpuCodeLookup(runner->code, name);
  assert_non_null(entry);
  void *pointers[13];
  assert_in_range(n, 0, 12);
  memcpy(pointers, buffers, (size_t)n * sizeof *pointers);
  // NaNs: what lies there from before is not read.
  memset(runner->scratch, 0xff, (size_t)runner->scratchBytes);
  pointers[n] = runner->scratch;
  call(entry, pointers, n < 12 ? n + 1 : n);
}
