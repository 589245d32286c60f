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

#include "xlac/runtime/cpu/threads.h"
#include "xlac/runtime/status.h"
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
  bool isForeign; ///< code for another kind of machine, which does not run here
  int vectorBits; ///< 128, 256 or 512: the widest registers worth using
  bool hasFma;    ///< fused multiply-add is one instruction
  bool hasF16;    ///< conversions between f16 and f32 are instructions
  /// On vectors of `vectorBits`, a fast instruction adds two products of bf16
  /// to each f32 (AVX512_BF16), or of i16 to each i32 (AVX512_VNNI).
  bool hasBf16Pairs, hasI16Pairs;
  bool hasI16Sums; ///< one adds two products of i16 to an i32 (pmaddwd)
  int64_t l1Bytes; ///< data cache of a core
  int64_t l2Bytes; ///< of a core
  int64_t l3Bytes; ///< shared; l2Bytes where there is none
  int threads;     ///< threads that parallel loops are split for, at least 1
  /// Work of less is left to one thread. To start others and wait for them
  /// takes 2 microseconds where cores are idle, but 100 where they are not.
  int64_t serialNanoseconds;
  struct XlaCpuEmitters *emitters; ///< that no compilation uses (target.c)
} XlaCpuTarget;

/// Zero-initialised: the host.
typedef struct XlaCpuTargetOptions {
  /// A name that LLVM knows ("x86-64", "x86-64-v3", "skylake", ..) or "host".
  /// NULL: what the environment variable XLAC_CPU says, else the host.
  const char *cpu;
  const char *features; ///< NULL: the host's, or none where `cpu` is given
  /// Another kind of machine ("aarch64-linux-gnu"), for which code can be
  /// generated, but neither linked nor run. NULL: the host's. `cpu` and
  /// XLAC_CPU then name a processor of that kind.
  const char *triple;
  /// Threads of parallel loops. 0: what XLAC_THREADS says, else the CPUs that
  /// this process's affinity mask allows. At most XLA_CPU_MAX_THREADS.
  int threads;
  int vectorBits; ///< 0: the CPU's; never more than those
  /// What schedules take caches for; 0: the host's.
  int64_t l1Bytes, l2Bytes, l3Bytes;
  int64_t serialNanoseconds; ///< 0: XLA_CPU_SERIAL_NANOSECONDS
} XlaCpuTargetOptions;

enum { XLA_CPU_SERIAL_NANOSECONDS = 20000 };

/// The host's CPU, changed by `options` (NULL: unchanged). Registers LLVM's
/// targets and MLIR's passes first, which must not race with other users of
/// those registries: call it before starting threads. INVALID_ARGUMENT if LLVM
/// does not know the CPU or the triple, or a variable of the environment is no
/// such thing; UNIMPLEMENTED if code for that CPU cannot run on this one (the
/// message names an instruction set that is missing).
XlaStatus xlaCpuTargetCreate(const XlaCpuTargetOptions *options,
                             XlaCpuTarget **target);
void xlaCpuTargetDestroy(XlaCpuTarget *target);

/// Lanes of the natural vector of elements of `bits` bits, at least 1.
int xlaCpuTargetLanes(const XlaCpuTarget *target, int bits);

/// How many of `threads` are worth starting for so much work of one core, where
/// less than `serialNanoseconds` is left to one.
int xlaCpuUsefulThreads(double nanoseconds, int64_t serialNanoseconds,
                        int threads);

/// What makes the objects of one compilation (mlir-c-ext/emitter.h), which
/// gives it back, or destroys it. LLVM's machines keep the processors that
/// functions are for, and its passes are set up, which takes milliseconds, so
/// that threads must not share one.
struct MlirExtEmitter *xlaCpuTargetTakeEmitter(const XlaCpuTarget *target);
void xlaCpuTargetGiveEmitter(const XlaCpuTarget *target,
                             struct MlirExtEmitter *emitter);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_CPU_TARGET_H
