//===- kernels.h - Kernels for Vulkan -----------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels (lowering/linalg/kernel.h) become dispatches of compute shaders: one
// or several for each kernel. The way is
//
//   functions over memrefs --schedule--> gpu.module, gpu.func --upstream's
//   conversion--> spirv.module --serialization--> words
//
// A gpu.func's arguments are memrefs of rank 1 in storage buffers. Indices in
// arrays are affine where data does not decide them, and have 32 bits, but in
// kernels with arrays that are too large for that (schedule/addresses.c).
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_VULKAN_KERNELS_H
#define XLAC_LOWERING_VULKAN_KERNELS_H

#include "mlir-c/IR.h"
#include "mlir-c/Support.h"
#include "xlac/runtime/vulkan/program.h"

#ifdef __cplusplus
extern "C" {
#endif

/// XlaHostDevice.emitKernel of Vulkan; `info` is a const XlaVulkanInfo. Element
/// types that the device lacks are refused at the operation, with the type, the
/// operation and the device in the message. Matrix products become calls of the
/// emitter in matmul.h; all else goes through xlaKernelEmit.
MlirLogicalResult xlaVulkanEmitKernel(MlirOperation op, MlirModule module,
                                      const char *name, int64_t *scratchBytes,
                                      void *info);

/// Arguments of a kernel beside its operands, results and (last) scratch.
enum { XLA_VULKAN_KERNEL_CONSTANTS = -1 }; ///< XlaVulkanKernel.constants

/// A binding: bytes of an argument of the kernel.
typedef struct XlaVulkanBinding {
  intptr_t argument;
  int64_t offset, bytes;
  bool isWritten;
} XlaVulkanBinding;

typedef struct XlaVulkanDispatch {
  intptr_t shader; ///< in XlaVulkanCode.shaders
  uint32_t groups[3];
  intptr_t nBindings;
  XlaVulkanBinding *bindings;
  bool usesAddresses; ///< of the bindings (XlaVulkanShader)
} XlaVulkanDispatch;

/// The dispatches of a kernel, in order: each sees what those before it wrote.
/// None if there is nothing to compute.
typedef struct XlaVulkanKernel {
  const char *name; ///< of its function
  /// What it computes, for people: "add, tanh", the names of its operations.
  char label[64];
  intptr_t nDispatches;
  XlaVulkanDispatch *dispatches;
  int64_t scratchBytes; ///< memory of its own, argument number `arguments`
  intptr_t nArguments;  ///< operands and results
  int64_t constantBytes;
  char *constants; ///< read-only memory, NULL if there are none
} XlaVulkanKernel;

/// The code of all kernels of a program.
typedef struct XlaVulkanCode {
  intptr_t nShaders, nKernels;
  XlaVulkanShader *shaders;   ///< equal ones are there once
  XlaVulkanKernel *kernels;   ///< in the order of the module's functions
  double scheduleMs, spirvMs; ///< wall clock
} XlaVulkanCode;

typedef struct XlaVulkanCodeOptions {
  bool verify; ///< run MLIR's verifier between steps
  /// Gets the program after "affine" (gpu) and "spirv" as text, and each
  /// shader as "shader" with suffix ".spv". NULL: not called.
  void (*observe)(const char *stage, const char *suffix, const char *data,
                  size_t size, void *user);
  void *user;
} XlaVulkanCodeOptions;

/// Compiles the kernels in `module`, which is consumed in the sense that it is
/// left in any state. On failure a diagnostic was emitted and `*code` is empty.
MlirLogicalResult xlaVulkanCompileKernels(MlirModule module,
                                          const XlaVulkanInfo *info,
                                          const XlaVulkanCodeOptions *options,
                                          XlaVulkanCode *code);
void xlaVulkanCodeDestroy(XlaVulkanCode *code);

/// The attribute xla.kind of a kernel that has a body; null for all else.
MlirAttribute xlaVulkanKernelKind(MlirOperation op);

/// The first part of it: schedules the functions of `module`, whose shaders are
/// appended as gpu.modules in the order of the kernels' dispatches. `report`
/// tells on stderr what is chosen. Destroy the code in any case.
MlirLogicalResult xlaVulkanScheduleKernels(MlirModule module,
                                           const XlaVulkanInfo *info,
                                           bool report, XlaVulkanCode *code);

/// The same for passes: the kernels of `module`
/// become declarations, and behind them stand their shaders, gpu.modules with
/// the attributes xla.kernel (the function), xla.groups (of the dispatch) and
/// xla.bindings (the parts of the kernel's arguments that its arguments are).
MlirLogicalResult xlaVulkanNestKernels(MlirModule module,
                                       const XlaVulkanInfo *info, bool report);
/// Turns such gpu.modules into spirv.modules with the same attributes.
MlirLogicalResult xlaVulkanNestsToSpirv(MlirModule module,
                                        const XlaVulkanInfo *info);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_VULKAN_KERNELS_H
