//===- device.c - Vulkan devices ------------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/runtime/vulkan/array_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

XlaStatus xlaVulkanEnumerate(const XlaVulkanOptions *options,
                             XlaVulkanInfo **infos, intptr_t *n) {
  *infos = NULL;
  *n = 0;
  // Nothing is computed here: there is nothing to validate.
  XlaVulkanOptions plain = options ? *options : (XlaVulkanOptions){0};
  plain.validate = false;
  XlaVulkanInstance instance;
  XLA_RETURN_IF_ERROR(xlaVulkanInstanceCreate(&plain, &instance));
  XlaVulkanPhysical *devices = NULL;
  intptr_t count = 0;
  XlaStatus status = xlaVulkanPhysicalList(&instance, &devices, &count);
  XlaVulkanInfo *list = status ? NULL : calloc((size_t)count, sizeof *list);
  if (!status && !list)
    status = xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY,
                             "no memory for a list of devices");
  for (intptr_t i = 0; list && i < count; ++i)
    list[i] = devices[i].info;
  free(devices);
  xlaVulkanInstanceDestroy(&instance);
  if (status)
    return status;
  *infos = list;
  *n = count;
  return NULL;
}

/// Finds device `number` and says why it cannot be used.
static XlaStatus choose(XlaVulkanDevice *device, intptr_t number) {
  XlaVulkanPhysical *list = NULL;
  intptr_t n = 0;
  XLA_RETURN_IF_ERROR(xlaVulkanPhysicalList(&device->instance, &list, &n));
  XlaStatus status = NULL;
  if (number < 0 || number >= n)
    status = xlaStatusCreate(
        XLA_STATUS_NOT_FOUND,
        "there is no Vulkan device number %lld: there are %lld, from 0",
        (long long)number, (long long)n);
  else if (list[number].info.whyNot)
    status = xlaStatusCreate(XLA_STATUS_UNIMPLEMENTED,
                             "Vulkan device number %lld, %s, cannot be used: "
                             "it %s",
                             (long long)number, list[number].info.name,
                             list[number].info.whyNot);
  else
    device->physical = list[number];
  free(list);
  return status;
}

static XlaStatus openDevice(XlaVulkanDevice *device, intptr_t number) {
  XlaVulkanInstance *instance = &device->instance;
  XLA_RETURN_IF_ERROR(xlaVulkanInstanceCreate(&device->options, instance));
  XLA_RETURN_IF_ERROR(choose(device, number));
  XLA_RETURN_IF_ERROR(
      xlaVulkanPhysicalOpen(instance, &device->physical, &device->handle));
  XLA_RETURN_IF_ERROR(xlaVulkanApiLoadDevice(&instance->api, device->handle));
  instance->api.GetDeviceQueue(device->handle, device->physical.queueFamily, 0,
                               &device->queue);
  XLA_RETURN_IF_ERROR(xlaVulkanQueueCreate(device));
  XLA_RETURN_IF_ERROR(xlaVulkanPoolCreate(device));
  XLA_RETURN_IF_ERROR(xlaVulkanTransfersCreate(device));
  return xlaVulkanCacheOpen(device);
}

XlaStatus xlaVulkanDeviceOpen(const XlaVulkanOptions *options, intptr_t number,
                              XlaVulkanDevice **device) {
  *device = NULL;
  XlaVulkanDevice *opened = calloc(1, sizeof *opened);
  if (!opened || pthread_mutex_init(&opened->queueMutex, NULL)) {
    free(opened);
    return xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY,
                           "no memory for a Vulkan device");
  }
  if (options)
    opened->options = *options;
  XlaStatus status = openDevice(opened, number);
  if (status) {
    xlaVulkanDeviceClose(opened);
    return status;
  }
  opened->options.cacheFolder = NULL; // the caller's string
  *device = opened;
  return NULL;
}

int64_t xlaVulkanDeviceClose(XlaVulkanDevice *device) {
  if (!device)
    return 0;
  const XlaVulkanApi *api = &device->instance.api;
  if (device->cache)
    xlaVulkanCacheClose(device);
  xlaVulkanQueueSettle(device);
  xlaVulkanTransfersDestroy(device);
  xlaVulkanPoolDestroy(device);
  xlaVulkanQueueDestroy(device);
  if (device->handle && api->DestroyDevice)
    api->DestroyDevice(device->handle, NULL);
  int64_t messages = xlaVulkanInstanceDestroy(&device->instance);
  pthread_mutex_destroy(&device->queueMutex);
  free(device->cachePath);
  free(device);
  return messages;
}

const XlaVulkanInfo *xlaVulkanDeviceGetInfo(const XlaVulkanDevice *device) {
  return &device->physical.info;
}

int64_t xlaVulkanPieceBytes(const XlaVulkanInfo *info) {
  int64_t bytes = INT64_C(1) << 40;
  while (bytes > info->maxAllocation)
    bytes /= 2;
  return info->addresses ? bytes : 0;
}

int64_t xlaVulkanDeviceGetMessageCount(const XlaVulkanDevice *device) {
  return atomic_load(&device->instance.messageCount);
}

void xlaVulkanDeviceName(const XlaVulkanDevice *device, VkObjectType type,
                         uint64_t handle, const char *format, ...) {
  const XlaVulkanInstance *instance = &device->instance;
  if (!instance->hasDebugUtils || !instance->api.SetDebugUtilsObjectNameEXT)
    return;
  char name[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(name, sizeof name, format, arguments);
  va_end(arguments);
  VkDebugUtilsObjectNameInfoEXT info = {
      .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
      .objectType = type,
      .objectHandle = handle,
      .pObjectName = name};
  // A name that cannot be set changes nothing for programs.
  (void)instance->api.SetDebugUtilsObjectNameEXT(device->handle, &info);
}
