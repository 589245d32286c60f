//===- loader.c - Finding Vulkan's functions ------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/runtime/vulkan/device_internal.h"

#include <dlfcn.h>
#include <string.h>

/// What is called for `name`: `found`, unless the options replace it.
static PFN_vkVoidFunction pick(const XlaVulkanApi *api, const char *name,
                               PFN_vkVoidFunction found) {
  const XlaVulkanOptions *options = api->options;
  return found && options->replace
             ? options->replace(name, found, options->user)
             : found;
}

XlaStatus xlaVulkanApiOpen(const XlaVulkanOptions *options, XlaVulkanApi *api) {
  *api = (XlaVulkanApi){.options = options};
  // The loader stays in memory when it is closed: drivers leave thread-local
  // destructors behind, and leak reports need its symbols.
  void *library = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_NODELETE);
  if (!library) {
    const char *why = dlerror();
    return xlaStatusCreate(
        XLA_STATUS_NOT_FOUND,
        "there is no Vulkan loader (%s): install it with a driver, on Debian "
        "the packages libvulkan1 and mesa-vulkan-drivers",
        why ? why : "libvulkan.so.1 cannot be opened");
  }
  void *symbol = dlsym(library, "vkGetInstanceProcAddr");
  if (!symbol) {
    dlclose(library);
    return xlaStatusCreate(XLA_STATUS_NOT_FOUND,
                           "libvulkan.so.1 is no Vulkan loader: it has no "
                           "function vkGetInstanceProcAddr");
  }
  api->library = library;
  memcpy(&api->GetInstanceProcAddr, &symbol, sizeof symbol);
  const char *missing = NULL;
#define XLA_VULKAN_GLOBAL(name)                                                \
  api->name = (PFN_vk##name)pick(api, "vk" #name,                              \
                                 api->GetInstanceProcAddr(NULL, "vk" #name));  \
  missing = api->name ? missing : "vk" #name;
#include "xlac/runtime/vulkan/entry_points.def"
  if (!missing)
    return NULL;
  xlaVulkanApiClose(api);
  return xlaStatusCreate(XLA_STATUS_UNIMPLEMENTED,
                         "the Vulkan loader is too old: it has no function %s",
                         missing);
}

XlaStatus xlaVulkanApiLoadInstance(XlaVulkanApi *api, VkInstance instance) {
  const char *missing = NULL;
#define XLA_VULKAN_INSTANCE_EXTENSION(name)                                    \
  api->name = (PFN_vk##name)pick(                                              \
      api, "vk" #name, api->GetInstanceProcAddr(instance, "vk" #name));
#define XLA_VULKAN_INSTANCE(name)                                              \
  api->name = (PFN_vk##name)pick(                                              \
      api, "vk" #name, api->GetInstanceProcAddr(instance, "vk" #name));        \
  missing = api->name ? missing : "vk" #name;
#include "xlac/runtime/vulkan/entry_points.def"
  return missing ? xlaStatusCreate(
                       XLA_STATUS_UNIMPLEMENTED,
                       "the Vulkan loader is too old: it has no function %s",
                       missing)
                 : NULL;
}

XlaStatus xlaVulkanApiLoadDevice(XlaVulkanApi *api, VkDevice device) {
  const char *missing = NULL;
#define XLA_VULKAN_DEVICE(name)                                                \
  api->name = (PFN_vk##name)pick(api, "vk" #name,                              \
                                 api->GetDeviceProcAddr(device, "vk" #name));  \
  missing = api->name ? missing : "vk" #name;
#include "xlac/runtime/vulkan/entry_points.def"
  return missing
             ? xlaStatusCreate(XLA_STATUS_UNIMPLEMENTED,
                               "the Vulkan driver has no function %s", missing)
             : NULL;
}

void xlaVulkanApiClose(XlaVulkanApi *api) {
  if (api->library)
    dlclose(api->library);
  api->library = NULL;
}
