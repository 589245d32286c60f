//===- device.h - What compiling for a device is ------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lowering. A device is a table of hooks; nothing outside of its
// folder asks which one it is.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_DEVICE_H
#define XLAC_LOWERING_DEVICE_H

#include "xlac/lowering/executable_internal.h"
#include "xlac/lowering/host/host.h"
#include "xlac/passes/prepare.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct XlaCompilation XlaCompilation;

typedef struct XlaDevice {
  /// It has memory of its own: control flow launches kernels there, and inputs
  /// are copied.
  bool isRemote;
  /// What fusing weighs.
  XlaFusionDevice (*describe)(const XlaCompilation *c);
  /// xlaBufferAssignmentCreate's.
  int64_t (*pieceBytes)(const XlaCompilation *c);
  /// Makes a kernel (XlaHostDevice), with what `kernelUser` gives.
  MlirLogicalResult (*emitKernel)(MlirOperation op, MlirModule module,
                                  const char *name, int64_t *scratchBytes,
                                  void *user);
  void *(*kernelUser)(const XlaCompilation *c);
  /// Schedules `c->host`, generates code and allocates: sets
  /// `c->executable->program`, which stays NULL where the code cannot run here,
  /// and its share of the statistics. Emits a diagnostic on failure.
  MlirLogicalResult (*generate)(XlaCompilation *c);
  /// As xlaExecutableRun, but for failures of custom calls; false after a
  /// diagnostic.
  bool (*run)(XlaExecutable *executable, const void *const *inputs,
              void *const *outputs);
  void (*destroy)(void *program);
} XlaDevice;

/// In cpu/device.c and vulkan/device.c.
extern const XlaDevice xlaDeviceCpu, xlaDeviceVulkan;

/// What one compilation needs besides its result.
struct XlaCompilation {
  const XlaDevice *device;
  const XlaCompileOptions *options;
  const XlaCpuTarget *target;
  MlirModule module; // a copy of the source
  MlirOperation function;
  XlaBufferAssignment assignment;
  XlaHostProgram host;
  XlaExecutable *executable;
};

/// Calls the observer of the options, if there is one.
void xlaCompilationObserve(const XlaCompilation *c, const char *stage,
                           MlirModule module);
/// Writes the constants where the assignment has them in `memory`.
MlirLogicalResult xlaCompilationFillConstants(const XlaCompilation *c,
                                              char *memory);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_DEVICE_H
