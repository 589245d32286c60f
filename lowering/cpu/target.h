//===- target.h - The CPU that code is generated for ---------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What schedules and code generation need to know of a CPU: its name and
// features as LLVM spells them, the vector width worth using, cache sizes and
// the number of threads. Create one target per process and share it: it is
// immutable after creation, so that any number of threads may compile with it.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_CPU_TARGET_H
#define XLAC_LOWERING_CPU_TARGET_H

#include "llvm-c/TargetMachine.h"
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A CPU. The fields are read-only.
typedef struct XlaCpuTarget {
  char *triple;   ///< "x86_64-pc-linux-gnu"
  char *cpu;      ///< "znver4"; "" for the triple's baseline
  char *features; ///< "+avx2,-avx512f,.."
  LLVMTargetRef llvm;
  int vectorBits; ///< 128, 256 or 512: the widest registers worth using
  bool hasFma;    ///< fused multiply-add is one instruction
  /// On vectors of `vectorBits`, an instruction adds two products of bf16 to
  /// each f32 (AVX512_BF16), or of i16 to each i32 (AVX512_VNNI).
  bool hasBf16Pairs, hasI16Pairs;
  int64_t l1Bytes; ///< data cache of a core
  int64_t l2Bytes; ///< of a core
  int64_t l3Bytes; ///< shared; l2Bytes where there is none
  int threads;     ///< threads that parallel loops are split for, at least 1
} XlaCpuTarget;

/// Zero-initialised: the host.
typedef struct XlaCpuTargetOptions {
  const char *cpu;      ///< NULL: the host's; else "x86-64-v3", "skylake", ..
  const char *features; ///< NULL: the host's, or none where `cpu` is given
  int threads;    ///< 0: the CPUs that this process's affinity mask allows
  int vectorBits; ///< 0: the CPU's; never more than those
  /// What schedules take caches for; 0: the host's.
  int64_t l1Bytes, l2Bytes, l3Bytes;
} XlaCpuTargetOptions;

/// The host's CPU, changed by `options` (NULL: unchanged). Registers LLVM's
/// native target and MLIR's passes first, which must not race with other users
/// of those registries: call it before starting threads. Returns NULL and sets
/// `*error` (free with free()) where LLVM has no such target or CPU.
XlaCpuTarget *xlaCpuTargetCreate(const XlaCpuTargetOptions *options,
                                 char **error);
void xlaCpuTargetDestroy(XlaCpuTarget *target);

/// Lanes of the natural vector of elements of `bits` bits, at least 1.
int xlaCpuTargetLanes(const XlaCpuTarget *target, int bits);

/// A machine for one compilation; dispose it with LLVMDisposeTargetMachine.
/// LLVM's machines cache subtargets, so threads must not share one.
LLVMTargetMachineRef xlaCpuTargetCreateMachine(const XlaCpuTarget *target,
                                               LLVMCodeGenOptLevel level);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_CPU_TARGET_H
