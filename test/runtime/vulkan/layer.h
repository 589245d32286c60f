//===- layer.h - A Vulkan with faults -----------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stands between the runtime and Vulkan, for tests: counts objects, lets calls
// fail, and shows memory of other kinds than the device has. There is one, so
// that one device at a time may use it.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_TEST_RUNTIME_VULKAN_LAYER_H
#define XLAC_TEST_RUNTIME_VULKAN_LAYER_H

#include "xlac/runtime/vulkan/device.h"

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan_core.h>

/// What memory the device seems to have. Memory that is not coherent is one
/// array for the host and another for the device: only flushing and
/// invalidating copy between them.
typedef enum VulkanMemoryMode {
  VulkanMemoryAsIs,
  VulkanMemorySplit,           ///< the host sees a heap of its own
  VulkanMemorySplitIncoherent, ///< .. which is not coherent
  VulkanMemoryIncoherent,      ///< the host sees all
  VulkanMemoryUncached,        ///< the host sees all, and a cached heap
  VulkanMemoryModes,
} VulkanMemoryMode;

/// For XlaVulkanOptions.replace.
XlaVulkanFunction vulkanLayerReplace(const char *name, XlaVulkanFunction found,
                                     void *user);

/// No faults, memory of this kind.
void vulkanLayerReset(VulkanMemoryMode mode);
/// Lets call `number`, counted from 1 and from now on, of `function` ("vk..")
/// return `result`. After VK_ERROR_DEVICE_LOST all calls that ask the device
/// for something return it.
void vulkanLayerFail(const char *function, int number, VkResult result);
/// Whether that call has come.
bool vulkanLayerHasFailed(void);
/// Objects and mappings that were made and not destroyed.
int64_t vulkanLayerLive(void);
/// Calls of `function` since the last reset.
int vulkanLayerCalls(const char *function);
/// The functions that can fail, ended by NULL.
extern const char *const vulkanLayerFunctions[];

#endif // XLAC_TEST_RUNTIME_VULKAN_LAYER_H
