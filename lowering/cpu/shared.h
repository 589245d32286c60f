//===- shared.h - Functions that programs have in common --------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix products call functions of any size, whose names begin with
// "xla.gemm.". LLVM takes many times longer for them than for the rest of a
// small program, so that they are compiled once for all programs of a process
// that have the same.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_CPU_SHARED_H
#define XLAC_LOWERING_CPU_SHARED_H

#include "xlac/lowering/cpu/codegen.h"

/// Those of a program.
typedef struct XlaCpuShared {
  intptr_t n;
  XlaCpuSymbol *symbols;
  struct XlaCpuSharedFunction **functions;
  uint8_t hash[32]; ///< of all of them
} XlaCpuShared;

/// Takes their bodies out of `module`. Those that call other functions than
/// such ones, which stand before them, are left in it. On failure a diagnostic
/// was emitted.
MlirLogicalResult xlaCpuSharedTake(MlirModule module,
                                   const XlaCpuTarget *target, bool verify,
                                   XlaCpuShared *shared);
/// Has `code`, which calls them, release them when it is destroyed.
void xlaCpuCodeUse(XlaCpuCode *code, const XlaCpuShared *shared);
/// When no code that calls them is left.
void xlaCpuSharedRelease(XlaCpuShared *shared);

#endif // XLAC_LOWERING_CPU_SHARED_H
