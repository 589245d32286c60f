//===- result.c - Vulkan's error codes ------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/runtime/vulkan/device_internal.h"

/// The errors that functions in entry_points.def can give.
typedef struct Row {
  VkResult result;
  const char *name;
  XlaStatusCode code;
} Row;

static const Row rows[] = {
#define ROW(name, code) {name, #name, XLA_STATUS_##code}
    ROW(VK_TIMEOUT, DEADLINE_EXCEEDED),
    ROW(VK_ERROR_OUT_OF_HOST_MEMORY, OUT_OF_MEMORY),
    ROW(VK_ERROR_OUT_OF_DEVICE_MEMORY, OUT_OF_MEMORY),
    ROW(VK_ERROR_OUT_OF_POOL_MEMORY, OUT_OF_MEMORY),
    ROW(VK_ERROR_FRAGMENTED_POOL, OUT_OF_MEMORY),
    ROW(VK_ERROR_FRAGMENTATION, OUT_OF_MEMORY),
    ROW(VK_ERROR_TOO_MANY_OBJECTS, OUT_OF_MEMORY),
    ROW(VK_ERROR_MEMORY_MAP_FAILED, OUT_OF_MEMORY),
    ROW(VK_ERROR_DEVICE_LOST, DEVICE_LOST),
    ROW(VK_ERROR_INCOMPATIBLE_DRIVER, NOT_FOUND),
    ROW(VK_ERROR_LAYER_NOT_PRESENT, NOT_FOUND),
    ROW(VK_ERROR_INITIALIZATION_FAILED, NOT_FOUND),
    ROW(VK_ERROR_EXTENSION_NOT_PRESENT, UNIMPLEMENTED),
    ROW(VK_ERROR_FEATURE_NOT_PRESENT, UNIMPLEMENTED),
    ROW(VK_ERROR_FORMAT_NOT_SUPPORTED, UNIMPLEMENTED),
    ROW(VK_ERROR_INVALID_SHADER_NV, INTERNAL),
    ROW(VK_ERROR_UNKNOWN, INTERNAL),
    ROW(VK_ERROR_VALIDATION_FAILED_EXT, INTERNAL),
#undef ROW
};

static const Row *find(VkResult result) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    if (rows[i].result == result)
      return &rows[i];
  static const Row other = {VK_ERROR_UNKNOWN, "an unknown VkResult",
                            XLA_STATUS_INTERNAL};
  return &other;
}

const char *xlaVulkanResultName(VkResult result) { return find(result)->name; }

XlaStatusCode xlaVulkanResultCode(VkResult result) {
  return find(result)->code;
}
