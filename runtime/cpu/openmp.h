//===- openmp.h - What MLIR makes of parallel loops ---------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MLIR lowers scf.parallel to OpenMP, whose runtime these functions are, as
// far as such loops go: threads.h runs them. Names and types are those of
// LLVM's OpenMP runtime (openmp/runtime/src/kmp.h), which is not needed.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_RUNTIME_CPU_OPENMP_H
#define XLAC_RUNTIME_CPU_OPENMP_H

#ifdef __cplusplus
extern "C" {
#endif

/// A function that compiled code calls.
typedef struct XlaCpuRuntimeFunction {
  const char *name;
  void *address;
} XlaCpuRuntimeFunction;

/// All of them, `*n`; static.
const XlaCpuRuntimeFunction *xlaCpuOpenMPFunctions(int *n);

#ifdef __cplusplus
}
#endif

#endif // XLAC_RUNTIME_CPU_OPENMP_H
