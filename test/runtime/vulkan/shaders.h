//===- shaders.h - The shaders in test/unit/vulkan ----------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What they compute is said at the top of each file. All work in groups of 64.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_TEST_RUNTIME_VULKAN_SHADERS_H
#define XLAC_TEST_RUNTIME_VULKAN_SHADERS_H

#include "xlac/runtime/vulkan/program.h"

extern const XlaVulkanShader vulkanShaderAdd;
extern const XlaVulkanShader vulkanShaderAffine;
extern const XlaVulkanShader vulkanShaderReverse;

#endif // XLAC_TEST_RUNTIME_VULKAN_SHADERS_H
