//===- plugin.h - The plugin for frameworks that call PJRT --------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two shared libraries that JAX and others load export GetPjrtApi:
//
//   libxlac_pjrt.so         platform xlac: this machine's processor
//   libxlac_pjrt_vulkan.so  platform xlac_vulkan: a device for each of Vulkan's
//
// The second one is a few lines that need the first one beside it.
//
//   PJRT_NAMES_AND_LIBRARY_PATHS=xlac:/PATH/libxlac_pjrt.so JAX_PLATFORMS=xlac
//
// Options of PJRT_Client_Create, numbers also as text, with the variables of
// the environment that count where they are not given:
//
//   platform      "cpu" or "vulkan", in place of that of the library
//   device_count  XLAC_CPU_DEVICES: how many devices the processor is, 1;
//                 XLAC_VULKAN_DEVICES: how many Vulkan's are, each in turn
//   cpu, threads  XLAC_CPU, XLAC_THREADS: as in XlaClientOptions
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PJRT_PLUGIN_H
#define XLAC_PJRT_PLUGIN_H

#include "xlac/pjrt/api.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The table of functions, which lives as long as the process.
const PJRT_Api *GetPjrtApi(void);
/// The same, where clients that have no option `platform` are of Vulkan.
const PJRT_Api *xlaPjrtGetVulkanApi(void);

#ifdef __cplusplus
}
#endif

#endif // XLAC_PJRT_PLUGIN_H
