//===- executable.h - A program compiled for a Vulkan device ------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lowering: what lowering/executable.c needs of Vulkan. A remote
// host program (lowering/host/host.h) and the code of its kernels become a
// program of the runtime. Its memory lies where the assignment has it; the host
// function is compiled only if there is control flow.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_VULKAN_EXECUTABLE_H
#define XLAC_LOWERING_VULKAN_EXECUTABLE_H

#include "xlac/lowering/cpu/codegen.h"
#include "xlac/lowering/host/custom_call.h"
#include "xlac/lowering/host/host.h"
#include "xlac/lowering/stats.h"
#include "xlac/lowering/vulkan/kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What it is made of. Nothing is kept but the device and `calls`.
typedef struct XlaVulkanExecutableInfo {
  XlaVulkanDevice *device;
  const XlaVulkanInfo *info; ///< what schedules are made for
  MlirOperation function;    ///< where errors are reported
  const XlaBufferAssignment *assignment;
  XlaHostProgram *host; ///< its modules are consumed
  intptr_t nConstants;
  const XlaVulkanConstant *constants; ///< the assignment's
  const int64_t *inputBytes, *outputBytes;
  const intptr_t *aliases; ///< by output: its aliased input, or -1
  XlaCustomCalls *calls;
  const XlaCpuTarget *target; ///< of the host function
  const XlaVulkanCodeOptions *options;
} XlaVulkanExecutableInfo;

typedef struct XlaVulkanExecutable XlaVulkanExecutable;

/// On failure a diagnostic was emitted and `*out` is NULL.
MlirLogicalResult xlaVulkanExecutableCreate(const XlaVulkanExecutableInfo *info,
                                            XlaVulkanExecutable **out);
void xlaVulkanExecutableDestroy(XlaVulkanExecutable *executable);

const XlaVulkanExecutableStats *
xlaVulkanExecutableGetStats(const XlaVulkanExecutable *executable);

/// Runs on inputs and outputs as xlaExecutableRun. Either may be NULL: then the
/// inputs of the last run are used again, donated or not, and outputs stay on
/// the device. One such run at a time.
XlaStatus xlaVulkanExecutableRun(XlaVulkanExecutable *executable,
                                 const void *const *inputs,
                                 void *const *outputs);

/// Runs on arrays of the device, as xlaVulkanProgramRun: copies nothing, and
/// waits only where control flow, custom calls and feeds make the host wait. An
/// output may be its aliased input (xlaExecutableGetAliasedInput), which is
/// changed in place then. Several threads may call it at once, but none
/// xlaVulkanExecutableRun meanwhile if there are custom calls or feeds. Fails
/// as xlaVulkanProgramRun, and if one of these did, after a diagnostic.
XlaStatus xlaVulkanExecutableRunArrays(XlaVulkanExecutable *executable,
                                       XlaVulkanArray *const *inputs,
                                       XlaVulkanArray *const *outputs,
                                       uint64_t *number);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_VULKAN_EXECUTABLE_H
