//===- physical.c - What devices can do -----------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/runtime/vulkan/device_internal.h"
#include "xlac/runtime/vulkan/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Not in the headers of 2023, where it is declared as beta.
#define PORTABILITY_SUBSET "VK_KHR_portability_subset"

/// Vulkan's chains of structs, linked as far as a version knows them.
typedef struct Features {
  VkPhysicalDeviceFeatures2 base;
  VkPhysicalDeviceVulkan11Features v11;
  VkPhysicalDeviceVulkan12Features v12;
  VkPhysicalDeviceVulkan13Features v13;
} Features;

typedef struct Properties {
  VkPhysicalDeviceProperties2 base;
  VkPhysicalDeviceVulkan11Properties v11;
  VkPhysicalDeviceVulkan12Properties v12;
  VkPhysicalDeviceVulkan13Properties v13;
} Properties;

static void linkFeatures(Features *f, uint32_t version) {
  bool is13 = version >= VK_API_VERSION_1_3;
  *f = (Features){
      .base = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
               .pNext = &f->v11},
      .v11 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
              .pNext = &f->v12},
      .v12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
              .pNext = is13 ? &f->v13 : NULL},
      .v13 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES}};
}

static void linkProperties(Properties *p, uint32_t version) {
  bool is13 = version >= VK_API_VERSION_1_3;
  memset(p, 0, sizeof *p); // some enumerations have no name for 0
  p->base.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
  p->base.pNext = &p->v11;
  p->v11.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES;
  p->v11.pNext = &p->v12;
  p->v12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES;
  p->v12.pNext = is13 ? &p->v13 : NULL;
  p->v13.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES;
}

static XlaVulkanKind kindOf(VkPhysicalDeviceType type) {
  switch ((int)type) {
  case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
    return XlaVulkanKindDiscrete;
  case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
    return XlaVulkanKindIntegrated;
  case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
    return XlaVulkanKindVirtual;
  case VK_PHYSICAL_DEVICE_TYPE_CPU:
    return XlaVulkanKindSoftware;
  default:
    return XlaVulkanKindOther;
  }
}

const char *xlaVulkanKindName(XlaVulkanKind kind) {
  switch (kind) {
  case XlaVulkanKindDiscrete:
    return "discrete GPU";
  case XlaVulkanKindIntegrated:
    return "integrated GPU";
  case XlaVulkanKindVirtual:
    return "virtual GPU";
  case XlaVulkanKindOther:
    return "other device";
  case XlaVulkanKindSoftware:
    return "software";
  }
  return "unknown kind";
}

/// A size that fits an int64_t.
static int64_t clamped(uint64_t size) {
  return size > INT64_MAX ? INT64_MAX : (int64_t)size;
}

static uint32_t smaller(uint32_t a, uint32_t b) { return a < b ? a : b; }

static void readLimits(const VkPhysicalDeviceLimits *limits,
                       XlaVulkanPhysical *physical) {
  XlaVulkanInfo *info = &physical->info;
  for (int i = 0; i < 3; ++i) {
    info->maxGroupCount[i] = limits->maxComputeWorkGroupCount[i];
    info->maxGroupSize[i] = limits->maxComputeWorkGroupSize[i];
  }
  info->maxGroupInvocations = limits->maxComputeWorkGroupInvocations;
  info->sharedBytes = limits->maxComputeSharedMemorySize;
  info->maxBindings = smaller(limits->maxPerStageDescriptorStorageBuffers,
                              limits->maxDescriptorSetStorageBuffers);
  info->maxBindings = smaller(info->maxBindings, limits->maxPerStageResources);
  info->maxBindings = smaller(info->maxBindings, XlaVulkanDescriptorsMax);
  info->maxBufferRange = limits->maxStorageBufferRange;
  info->maxElements = INT32_MAX;
  info->maxAllocation = INT64_MAX;
  info->offsetAlignment = clamped(limits->minStorageBufferOffsetAlignment);
  physical->nonCoherentAtom = clamped(limits->nonCoherentAtomSize);
}

/// What version 1.2 and later tell.
static void readProperties(const Properties *p, uint32_t version,
                           XlaVulkanPhysical *physical) {
  XlaVulkanInfo *info = &physical->info;
  snprintf(info->driver, sizeof info->driver, "%s%s%s", p->v12.driverName,
           p->v12.driverInfo[0] ? ", " : "", p->v12.driverInfo);
  info->denormPreserve16 = p->v12.shaderDenormPreserveFloat16;
  info->denormPreserve32 = p->v12.shaderDenormPreserveFloat32;
  info->denormPreserve64 = p->v12.shaderDenormPreserveFloat64;
  info->signedZeroInfNan16 = p->v12.shaderSignedZeroInfNanPreserveFloat16;
  info->signedZeroInfNan32 = p->v12.shaderSignedZeroInfNanPreserveFloat32;
  info->signedZeroInfNan64 = p->v12.shaderSignedZeroInfNanPreserveFloat64;
  info->roundToEven16 = p->v12.shaderRoundingModeRTEFloat16;
  info->roundToEven32 = p->v12.shaderRoundingModeRTEFloat32;
  info->roundToEven64 = p->v12.shaderRoundingModeRTEFloat64;
  info->subgroupSize = p->v11.subgroupSize;
  if (p->v11.subgroupSupportedStages & VK_SHADER_STAGE_COMPUTE_BIT) {
    VkSubgroupFeatureFlags can = p->v11.subgroupSupportedOperations;
    info->subgroupArithmetic = can & VK_SUBGROUP_FEATURE_ARITHMETIC_BIT;
    info->subgroupBallot = can & VK_SUBGROUP_FEATURE_BALLOT_BIT;
    info->subgroupShuffle = can & VK_SUBGROUP_FEATURE_SHUFFLE_BIT;
  }
  info->maxAllocation = clamped(p->v11.maxMemoryAllocationSize);
  if (version >= VK_API_VERSION_1_3 &&
      clamped(p->v13.maxBufferSize) < info->maxAllocation)
    info->maxAllocation = clamped(p->v13.maxBufferSize);
  memcpy(physical->driverUuid, p->v11.driverUUID, VK_UUID_SIZE);
}

static void readFeatures(const Features *f, XlaVulkanInfo *info) {
  info->f16 = f->v12.shaderFloat16;
  info->f64 = f->base.features.shaderFloat64;
  info->i8 = f->v12.shaderInt8;
  info->i16 = f->base.features.shaderInt16;
  info->i64 = f->base.features.shaderInt64;
  info->storage8 = f->v12.storageBuffer8BitAccess;
  info->storage16 = f->v11.storageBuffer16BitAccess;
  info->addresses = f->v12.bufferDeviceAddress && info->i64;
}

/// The largest device-local heap, and whether all of it can be mapped.
static void readMemory(XlaVulkanPhysical *physical) {
  const VkPhysicalDeviceMemoryProperties *memory = &physical->memory;
  uint32_t best = UINT32_MAX;
  for (uint32_t i = 0; i < memory->memoryHeapCount; ++i)
    if ((memory->memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) &&
        (best == UINT32_MAX ||
         memory->memoryHeaps[i].size > memory->memoryHeaps[best].size))
      best = i;
  if (best == UINT32_MAX)
    return;
  physical->info.memoryBytes = clamped(memory->memoryHeaps[best].size);
  for (uint32_t i = 0; i < memory->memoryTypeCount; ++i)
    if (memory->memoryTypes[i].heapIndex == best &&
        (memory->memoryTypes[i].propertyFlags &
         VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT))
      physical->info.isUnified = true;
}

/// Finds the queue family: one that only computes and copies, where there is
/// one, because it does not wait for the screen.
static XlaStatus readQueues(const XlaVulkanApi *api,
                            XlaVulkanPhysical *physical) {
  uint32_t n = 0;
  api->GetPhysicalDeviceQueueFamilyProperties(physical->handle, &n, NULL);
  VkQueueFamilyProperties *families = calloc(n ? n : 1, sizeof *families);
  if (!families)
    return xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY,
                           "no memory for %u queue families", n);
  api->GetPhysicalDeviceQueueFamilyProperties(physical->handle, &n, families);
  physical->queueFamily = UINT32_MAX;
  for (uint32_t i = 0; i < n; ++i) {
    VkQueueFlags flags = families[i].queueFlags;
    if (!(flags & VK_QUEUE_COMPUTE_BIT) || families[i].queueCount == 0)
      continue;
    bool isPure = !(flags & VK_QUEUE_GRAPHICS_BIT);
    if (physical->queueFamily == UINT32_MAX || isPure)
      physical->queueFamily = i;
    if (isPure)
      break;
  }
  free(families);
  return NULL;
}

static XlaStatus readExtensions(const XlaVulkanApi *api,
                                XlaVulkanPhysical *physical) {
  uint32_t n = 0;
  VkResult result =
      api->EnumerateDeviceExtensionProperties(physical->handle, NULL, &n, NULL);
  VkExtensionProperties *list = calloc(n ? n : 1, sizeof *list);
  if (list && result >= 0)
    result = api->EnumerateDeviceExtensionProperties(physical->handle, NULL, &n,
                                                     list);
  for (uint32_t i = 0; list && result >= 0 && i < n; ++i)
    physical->isPortability |=
        !strcmp(list[i].extensionName, PORTABILITY_SUBSET);
  free(list);
  if (!list)
    return xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY,
                           "no memory for %u names of extensions", n);
  return result < 0
             ? xlaVulkanFail(result, "the extensions of %s cannot be listed",
                             physical->info.name)
             : NULL;
}

/// Why programs cannot run on a device of version 1.2 or later, or NULL.
static const char *lackOf(const XlaVulkanPhysical *physical,
                          const Features *features) {
  if (physical->queueFamily == UINT32_MAX)
    return "has no compute queue";
  if (!features->v12.timelineSemaphore)
    return "has no timeline semaphores";
  if (physical->info.maxBindings < 4)
    return "has fewer than 4 storage buffers a shader";
  return physical->info.memoryBytes == 0 ? "has no memory of its own" : NULL;
}

static XlaStatus readDevice(const XlaVulkanApi *api,
                            XlaVulkanPhysical *physical) {
  XlaVulkanInfo *info = &physical->info;
  VkPhysicalDeviceProperties basic;
  api->GetPhysicalDeviceProperties(physical->handle, &basic);
  snprintf(info->name, sizeof info->name, "%s", basic.deviceName);
  info->kind = kindOf(basic.deviceType);
  info->apiVersion = basic.apiVersion;
  physical->vendor = basic.vendorID;
  physical->device = basic.deviceID;
  physical->driverVersion = basic.driverVersion;
  memcpy(physical->cacheUuid, basic.pipelineCacheUUID, VK_UUID_SIZE);
  readLimits(&basic.limits, physical);
  api->GetPhysicalDeviceMemoryProperties(physical->handle, &physical->memory);
  readMemory(physical);
  if (basic.apiVersion < VK_API_VERSION_1_2) {
    info->whyNot = "has a driver of Vulkan before 1.2";
    return NULL;
  }
  Properties properties;
  linkProperties(&properties, basic.apiVersion);
  api->GetPhysicalDeviceProperties2(physical->handle, &properties.base);
  readProperties(&properties, basic.apiVersion, physical);
  Features features;
  linkFeatures(&features, basic.apiVersion);
  api->GetPhysicalDeviceFeatures2(physical->handle, &features.base);
  readFeatures(&features, info);
  physical->fixesSubgroupSize =
      basic.apiVersion >= VK_API_VERSION_1_3 &&
      features.v13.subgroupSizeControl &&
      properties.v13.minSubgroupSize != properties.v13.maxSubgroupSize &&
      (properties.v13.requiredSubgroupSizeStages & VK_SHADER_STAGE_COMPUTE_BIT);
  // Shaders count on all threads of a subgroup, and on how many there are.
  bool isConstant =
      properties.v13.minSubgroupSize == properties.v13.maxSubgroupSize;
  physical->hasFullSubgroups = basic.apiVersion >= VK_API_VERSION_1_3 &&
                               features.v13.computeFullSubgroups &&
                               (isConstant || physical->fixesSubgroupSize);
  if (!physical->hasFullSubgroups)
    info->subgroupArithmetic = info->subgroupBallot = info->subgroupShuffle =
        false;
  XLA_RETURN_IF_ERROR(readQueues(api, physical));
  XLA_RETURN_IF_ERROR(readExtensions(api, physical));
  info->whyNot = lackOf(physical, &features);
  return NULL;
}

/// Sorts by use and kind; equal ones stay in the driver's order.
static void sort(XlaVulkanPhysical *devices, intptr_t n) {
  for (intptr_t i = 1; i < n; ++i)
    for (intptr_t k = i; k > 0; --k) {
      const XlaVulkanInfo *a = &devices[k - 1].info, *b = &devices[k].info;
      int unusableA = a->whyNot != NULL, unusableB = b->whyNot != NULL;
      if (unusableA != unusableB ? unusableA < unusableB : a->kind <= b->kind)
        break;
      XlaVulkanPhysical swapped = devices[k];
      devices[k] = devices[k - 1];
      devices[k - 1] = swapped;
    }
}

/// Fills `list` with what is known of the first `*count` devices; there may be
/// fewer.
static XlaStatus readAll(const XlaVulkanInstance *instance,
                         VkPhysicalDevice *handles, XlaVulkanPhysical *list,
                         uint32_t *count) {
  const XlaVulkanApi *api = &instance->api;
  VkResult result =
      api->EnumeratePhysicalDevices(instance->handle, count, handles);
  if (result < 0)
    return xlaVulkanFail(result, "Vulkan's devices cannot be listed");
  for (uint32_t i = 0; i < *count; ++i) {
    list[i].handle = handles[i];
    XLA_RETURN_IF_ERROR(readDevice(api, &list[i]));
  }
  return NULL;
}

XlaStatus xlaVulkanPhysicalList(XlaVulkanInstance *instance,
                                XlaVulkanPhysical **devices, intptr_t *n) {
  *devices = NULL;
  *n = 0;
  const XlaVulkanApi *api = &instance->api;
  uint32_t count = 0;
  VkResult result =
      api->EnumeratePhysicalDevices(instance->handle, &count, NULL);
  if (result < 0)
    return xlaVulkanFail(result, "Vulkan's devices cannot be listed");
  if (count == 0)
    return xlaStatusCreate(
        XLA_STATUS_NOT_FOUND,
        "there is no Vulkan device: install the driver of the graphics card, "
        "or Debian's package mesa-vulkan-drivers, which needs no card");
  VkPhysicalDevice *handles = calloc(count, sizeof *handles);
  XlaVulkanPhysical *list = calloc(count, sizeof *list);
  if (!handles || !list) {
    free(handles);
    free(list);
    return xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY,
                           "no memory for a list of %u devices", count);
  }
  XlaStatus status = readAll(instance, handles, list, &count);
  free(handles);
  if (status) {
    free(list);
    return status;
  }
  sort(list, (intptr_t)count);
  *devices = list;
  *n = (intptr_t)count;
  return NULL;
}

XlaStatus xlaVulkanPhysicalOpen(XlaVulkanInstance *instance,
                                const XlaVulkanPhysical *physical,
                                VkDevice *device) {
  const XlaVulkanInfo *has = &physical->info;
  Features features;
  linkFeatures(&features, has->apiVersion);
  features.base.features.shaderFloat64 = has->f64;
  features.base.features.shaderInt16 = has->i16;
  features.base.features.shaderInt64 = has->i64;
  features.v11.storageBuffer16BitAccess = has->storage16;
  features.v12.storageBuffer8BitAccess = has->storage8;
  features.v12.shaderFloat16 = has->f16;
  features.v12.shaderInt8 = has->i8;
  features.v12.timelineSemaphore = VK_TRUE;
  features.v12.bufferDeviceAddress = has->addresses;
  features.v13.subgroupSizeControl = physical->fixesSubgroupSize;
  features.v13.computeFullSubgroups = physical->hasFullSubgroups;

  const char *portability = PORTABILITY_SUBSET;
  float priority = 1;
  VkDeviceQueueCreateInfo queue = {
      .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
      .queueFamilyIndex = physical->queueFamily,
      .queueCount = 1,
      .pQueuePriorities = &priority};
  VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                             .pNext = &features.base,
                             .queueCreateInfoCount = 1,
                             .pQueueCreateInfos = &queue,
                             .enabledExtensionCount = physical->isPortability,
                             .ppEnabledExtensionNames = &portability};
  VkResult result =
      instance->api.CreateDevice(physical->handle, &info, NULL, device);
  return result < 0 ? xlaVulkanFail(result, "%s cannot be opened", has->name)
                    : NULL;
}
