//===- fixture.h - Shaders in tests -------------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_TEST_LOWERING_VULKAN_FIXTURE_H
#define XLAC_TEST_LOWERING_VULKAN_FIXTURE_H

#include "mlir-c/IR.h"
#include "xlac/runtime/vulkan/device.h"

#include <stddef.h>

typedef struct VulkanFixture {
  MlirDialectRegistry registry;
  MlirContext context;
  XlaVulkanInfo info; ///< vulkanCommonInfo
  char error[2048];   ///< the first diagnostic
} VulkanFixture;

void vulkanFixtureInit(VulkanFixture *fixture);
void vulkanFixtureDestroy(VulkanFixture *fixture);

/// A device with all features and common limits, for code that is not run.
XlaVulkanInfo vulkanCommonInfo(void);

/// Checks a module with spirv-val, where that is installed: fails the test with
/// its message.
void vulkanCheckWords(const char *name, const uint32_t *words, size_t nWords);

#endif // XLAC_TEST_LOWERING_VULKAN_FIXTURE_H
