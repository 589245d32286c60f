//===- vulkan.h - Vulkan devices of the tools ---------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_TOOLS_COMMON_VULKAN_H
#define XLAC_TOOLS_COMMON_VULKAN_H

#include "xlac/runtime/vulkan/device.h"
#include "xlac/tools/common/exit.h"

/// Prints all devices, and what each can do: --list-devices.
XlaToolCode xlaToolVulkanList(void);

/// Opens the device of this number (NULL: the best). On failure `*device` is
/// NULL and `why` says what is missing. With `validate` the validation layer's
/// messages go to stderr.
XlaToolCode xlaToolVulkanOpen(const char *number, bool validate,
                              XlaVulkanDevice **device, char why[512]);
/// Closes it (NULL does nothing). Fails after a message if the validation layer
/// had something to say.
XlaToolCode xlaToolVulkanClose(XlaVulkanDevice *device);

#endif // XLAC_TOOLS_COMMON_VULKAN_H
