//===- legalize.c - What SPIR-V or the device lacks -----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/vulkan/spirv.h"

MlirLogicalResult xlaVulkanLegalize(MlirOperation gpuModule,
                                    const XlaVulkanInfo *info) {
  (void)gpuModule;
  (void)info;
  return mlirLogicalResultSuccess();
}

MlirLogicalResult xlaVulkanFinishWords(uint32_t **words, size_t *n,
                                       const XlaVulkanInfo *info) {
  (void)words;
  (void)n;
  (void)info;
  return mlirLogicalResultSuccess();
}
