//===- cpu_fixture.h - Compiling MLIR text in tests -----------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_TEST_LOWERING_CPU_CPU_FIXTURE_H
#define XLAC_TEST_LOWERING_CPU_CPU_FIXTURE_H

#include "xlac/lowering/cpu/codegen.h"

/// A context with every upstream dialect and a target, and the last error.
typedef struct CpuFixture {
  MlirContext context;
  MlirDialectRegistry registry;
  XlaCpuTarget *target;
  int64_t scratchBytes; ///< that the kernels of a test need at most
  char error[1024];     ///< the first error's message since it was last cleared
} CpuFixture;

/// Aborts the test program where the machine has no such target.
void cpuFixtureInit(CpuFixture *fixture, const XlaCpuTargetOptions *options);
void cpuFixtureDestroy(CpuFixture *fixture);

/// For cmocka: the state is a fixture on the host's target.
int cpuFixtureSetUp(void **state);
int cpuFixtureTearDown(void **state);

/// NULL where the text does not parse or does not compile.
XlaCpuCode *cpuFixtureCompile(CpuFixture *fixture, const char *text,
                              const XlaCpuCodegenOptions *options);

#endif // XLAC_TEST_LOWERING_CPU_CPU_FIXTURE_H
