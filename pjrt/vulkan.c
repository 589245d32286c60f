//===- vulkan.c - The library of the platform xlac_vulkan -----------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/pjrt/plugin.h"

// This library's own, though libxlac_pjrt.so has one of the same name.
__attribute__((visibility("default"))) const PJRT_Api *GetPjrtApi(void) {
  return xlaPjrtGetVulkanApi();
}
