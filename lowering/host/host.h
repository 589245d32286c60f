//===- host.h - The host program of a function --------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A prepared function becomes a module of kernels (kernel.h) and one host
// function that runs them in order: loops and branches are scf, values are
// views of the buffers of an assignment. It is the same for every device; only
// what a kernel call does differs.
//
// The host function is `func.func @NAME(%slots: memref<Nxmemref<?xi8>>)`, in C
// `void NAME(XlaCpuSlot *slots)` (runtime/cpu/program.h). The slots are the
// inputs, the outputs, the constants, the arena, the context that custom calls
// get, and the scratch of kernels.
//
// For devices with memory of their own, kernel calls and copies become a table
// of *steps*, cut into *runs* at control flow; the host function starts runs,
// loads the scalars that decide how to go on, and computes those that it can
// (scalars.h). Its one slot is the context that it passes along.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_HOST_HOST_H
#define XLAC_LOWERING_HOST_HOST_H

#include "mlir-c/IR.h"
#include "xlac/lowering/host/buffers.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The symbol that host programs call for xla.custom_call, xla.infeed,
/// xla.outfeed and operations between replicas:
/// `void xlacHostCustomCall(int64_t call, int64_t context, int64_t *addresses)`
/// with the addresses of operands, then results. `call` numbers these
/// operations of the program in order. The byte of the context at
/// XLA_HOST_FAILED_OFFSET ends loops as soon as it is not 0.
#define XLA_HOST_CUSTOM_CALL "xlacHostCustomCall"
enum { XLA_HOST_FAILED_OFFSET = 0 };

/// What host programs of devices with memory of their own call:
/// `void xlacHostLaunch(int64_t context, int64_t run)`,
/// `void xlacHostLoad(int64_t context, int64_t scalar, int64_t *value)`, which
/// gives the bytes of a scalar,
/// `void xlacHostStore(int64_t context, int64_t scalar, int64_t value)`, which
/// writes them after what was launched and before what will be, and
/// `void xlacHostRemoteCall(int64_t context, int64_t call, int64_t *failed)`
/// for the same operations, which sets what ends loops.
#define XLA_HOST_LAUNCH "xlacHostLaunch"
#define XLA_HOST_LOAD "xlacHostLoad"
#define XLA_HOST_STORE "xlacHostStore"
#define XLA_HOST_REMOTE_CALL "xlacHostRemoteCall"

/// How a device makes kernels.
typedef struct XlaHostDevice {
  /// Adds the function `name` to `module`: memrefs of the operands, then of the
  /// results, and if `*scratchBytes` is set to 0 or more, a last argument
  /// memref<scratchBytes x i8> that no one else uses while the kernel runs. It
  /// is -1 before. Emits a diagnostic on failure.
  MlirLogicalResult (*emitKernel)(MlirOperation op, MlirModule module,
                                  const char *name, int64_t *scratchBytes,
                                  void *user);
  void *user;
  /// The device has memory of its own; scratch is the device's own affair.
  bool isRemote;
} XlaHostDevice;

/// A kernel on buffers, or a copy from one buffer to another.
typedef struct XlaHostStep {
  intptr_t kernel;       ///< its number, or -1: a copy
  intptr_t first, count; ///< the buffers, in XlaHostProgram.buffers
} XlaHostStep;

/// What a function becomes.
typedef struct XlaHostProgram {
  MlirModule module; ///< the host function and, unless remote, the kernels
  intptr_t nInputs, nOutputs;
  intptr_t nKernels, nKernelCalls; ///< equal kernels are one
  int64_t scratchBytes;            ///< of the kernel that needs most
  intptr_t nCustomCalls;
  MlirOperation *customCalls; ///< with infeeds and outfeeds, by number

  // Of remote devices only.
  MlirModule kernels; ///< kernel_0, kernel_1, ..
  intptr_t nSteps, nRuns, nBuffers, nScalars;
  XlaHostStep *steps;
  intptr_t *runs;        ///< run r is steps runs[r] to runs[r + 1] - 1
  XlaBuffer *buffers;    ///< of steps and custom calls, one after the other
  XlaBuffer *scalars;    ///< of loads and stores, by number
  intptr_t *callBuffers; ///< first of `buffers` of each custom call
} XlaHostProgram;

/// Whether a remote program is nothing but run 0, or nothing at all if there is
/// none: its host function does not need to be compiled.
bool xlaHostProgramIsStraight(const XlaHostProgram *program);

/// Before buffers are assigned, for a remote device: puts what the host
/// computes in front of the kernels of its block, which then are one run.
/// Failure comes with a diagnostic.
MlirLogicalResult xlaHostScalarsHoist(MlirOperation function);

/// Emits the host program of `function` under the symbol `name`. On failure a
/// diagnostic was emitted and the program is empty.
MlirLogicalResult xlaHostProgramCreate(MlirOperation function,
                                       const XlaBufferAssignment *assignment,
                                       const XlaHostDevice *device,
                                       const char *name,
                                       XlaHostProgram *program);
void xlaHostProgramDestroy(XlaHostProgram *program);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_HOST_HOST_H
