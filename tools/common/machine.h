//===- machine.h - Schedules for other machines ------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_TOOLS_COMMON_MACHINE_H
#define XLAC_TOOLS_COMMON_MACHINE_H

#include "xlac/lowering/cpu/target.h"
#include "xlac/runtime/vulkan/device.h"
#include "xlac/tools/common/exit.h"

/// What schedules take the machine for; 0: what it is.
typedef struct XlaToolMachine {
  XlaCpuTargetOptions cpu;
  int isGpu; ///< Vulkan's device; 2: what it is
  uint32_t invocations;
  int64_t sharedBytes;
  int64_t bufferRange, elements, allocation; ///< XlaVulkanInfo, as bindings
  uint32_t bindings;
} XlaToolMachine;

/// Reads --machine; `text` may be NULL. Prints a line on failure.
XlaToolCode xlaToolMachineRead(const char *text, XlaToolMachine *machine);
/// What it is made of, for --help.
void xlaToolMachinePrintKeys(void);
/// The kind of device that is asked for, and limits no larger than those it
/// has.
void xlaToolMachineLimitVulkan(const XlaToolMachine *machine,
                               XlaVulkanInfo *info);

#endif // XLAC_TOOLS_COMMON_MACHINE_H
