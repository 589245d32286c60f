//===- shaders.c - The shaders in test/unit/vulkan ------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The build assembles each file into words with commas behind them.
//
//===----------------------------------------------------------------------===//

#include "xlac/test/runtime/vulkan/shaders.h"

static const uint32_t add[] = {
#include "add.spv.inc"
};
static const uint32_t affine[] = {
#include "affine.spv.inc"
};
static const uint32_t reverse[] = {
#include "reverse.spv.inc"
};

const XlaVulkanShader vulkanShaderAdd = {
    add, sizeof add / sizeof *add, "main", "add", 3, false};
const XlaVulkanShader vulkanShaderAffine = {
    affine, sizeof affine / sizeof *affine, "main", "affine", 1, false};
const XlaVulkanShader vulkanShaderReverse = {
    reverse, sizeof reverse / sizeof *reverse, "main", "reverse", 2, false};
