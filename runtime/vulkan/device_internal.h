//===- device_internal.h - What the files of this folder share ----*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_RUNTIME_VULKAN_DEVICE_INTERNAL_H
#define XLAC_RUNTIME_VULKAN_DEVICE_INTERNAL_H

#include "xlac/runtime/vulkan/device.h"

#define VK_NO_PROTOTYPES
#include <pthread.h>
#include <stdatomic.h>
#include <vulkan/vulkan_core.h>

/// Vulkan's functions, from the loader, the instance and the device. Nothing
/// links to libvulkan.
typedef struct XlaVulkanApi {
#define XLA_VULKAN_GLOBAL(name) PFN_vk##name name;
#define XLA_VULKAN_INSTANCE(name) PFN_vk##name name;
#define XLA_VULKAN_INSTANCE_EXTENSION(name) PFN_vk##name name;
#define XLA_VULKAN_DEVICE(name) PFN_vk##name name;
#include "xlac/runtime/vulkan/entry_points.def"
  void *library;
  PFN_vkGetInstanceProcAddr GetInstanceProcAddr;
  const XlaVulkanOptions *options; ///< whose `replace` may replace functions
} XlaVulkanApi;

// --- loader.c: opening the loader and looking functions up ---

/// Opens the loader and its functions. NOT_FOUND where there is none.
XlaStatus xlaVulkanApiOpen(const XlaVulkanOptions *options, XlaVulkanApi *api);
/// The functions of an instance and of a device. UNIMPLEMENTED, with the
/// function's name, where a driver lacks one.
XlaStatus xlaVulkanApiLoadInstance(XlaVulkanApi *api, VkInstance instance);
XlaStatus xlaVulkanApiLoadDevice(XlaVulkanApi *api, VkDevice device);
/// Does nothing for one that was not opened.
void xlaVulkanApiClose(XlaVulkanApi *api);

// --- modules.c: drivers stay loaded ---

enum { XlaVulkanModulesMax = 512 };

/// The shared objects of the process.
typedef struct XlaVulkanModules {
  size_t n;
  uintptr_t addresses[XlaVulkanModulesMax];
} XlaVulkanModules;

void xlaVulkanModulesList(XlaVulkanModules *modules);
/// Keeps those in memory that have come since `before` was listed.
void xlaVulkanModulesKeep(const XlaVulkanModules *before);

// --- result.c: Vulkan's error codes ---

/// "VK_ERROR_DEVICE_LOST"
const char *xlaVulkanResultName(VkResult result);
XlaStatusCode xlaVulkanResultCode(VkResult result);

/// A status for a function that failed: a printf-style message that says what
/// could not be done, and behind it the error's name.
#define xlaVulkanFail(result, format, ...)                                     \
  xlaStatusCreate(xlaVulkanResultCode(result),                                 \
                  format ": %s" __VA_OPT__(, ) __VA_ARGS__,                    \
                  xlaVulkanResultName(result))

// --- instance.c ---

/// An instance with the layer and extensions that were asked for.
typedef struct XlaVulkanInstance {
  XlaVulkanApi api;
  VkInstance handle;
  VkDebugUtilsMessengerEXT messenger;
  bool hasDebugUtils;
  atomic_llong messageCount; ///< of the validation layer
  const XlaVulkanOptions *options;
} XlaVulkanInstance;

/// `options` must outlive the instance, which stays where it is.
XlaStatus xlaVulkanInstanceCreate(const XlaVulkanOptions *options,
                                  XlaVulkanInstance *instance);
/// Gives the number of messages.
int64_t xlaVulkanInstanceDestroy(XlaVulkanInstance *instance);

// --- physical.c: what devices can do ---

typedef struct XlaVulkanPhysical {
  VkPhysicalDevice handle;
  XlaVulkanInfo info;
  uint32_t queueFamily;
  bool isPortability; ///< VK_KHR_portability_subset must be enabled
  /// Pipelines that use subgroups must demand info.subgroupSize.
  bool fixesSubgroupSize;
  bool hasFullSubgroups; ///< and that these are full
  VkPhysicalDeviceMemoryProperties memory;
  int64_t nonCoherentAtom; ///< in bytes
  uint32_t vendor, device, driverVersion;
  uint8_t cacheUuid[VK_UUID_SIZE], driverUuid[VK_UUID_SIZE];
} XlaVulkanPhysical;

/// All devices in the order of xlaVulkanEnumerate, at least one. Free
/// `*devices` with free().
XlaStatus xlaVulkanPhysicalList(XlaVulkanInstance *instance,
                                XlaVulkanPhysical **devices, intptr_t *n);

/// The VkDevice with one queue.
XlaStatus xlaVulkanPhysicalOpen(XlaVulkanInstance *instance,
                                const XlaVulkanPhysical *physical,
                                VkDevice *device);

// --- device.c ---

struct XlaVulkanDevice {
  XlaVulkanOptions options; ///< cacheFolder is a copy
  XlaVulkanInstance instance;
  XlaVulkanPhysical physical;
  VkDevice handle;
  VkQueue queue;
  pthread_mutex_t queueMutex; ///< programs and transfers share the queue
  /// Reaches the number of a submission when that one, and so all before it,
  /// are finished.
  VkSemaphore timeline;
  _Atomic uint64_t submitted;           ///< the last number given
  _Atomic uint64_t reached;             ///< as far as was asked
  struct XlaVulkanPool *pool;           ///< memory of arrays
  struct XlaVulkanTransfers *transfers; ///< between them and the host
  VkPipelineCache cache;
  char *cachePath;    ///< NULL: kept nowhere
  uint64_t cacheHash; ///< of what the file held
};

/// Gives an object a name for debuggers and the validation layer.
void xlaVulkanDeviceName(const XlaVulkanDevice *device, VkObjectType type,
                         uint64_t handle, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

// --- queue.c: what is asked of the device ---

XlaStatus xlaVulkanQueueCreate(XlaVulkanDevice *device);
/// Waits for all that was submitted, whether that succeeds or not.
void xlaVulkanQueueSettle(XlaVulkanDevice *device);
void xlaVulkanQueueDestroy(XlaVulkanDevice *device);

/// Submits command buffers, each of which ends with a barrier against all that
/// it wrote, as one submission, and gives its number. On failure nothing was
/// submitted and `*number` is as before.
XlaStatus xlaVulkanQueueSubmit(XlaVulkanDevice *device, uint32_t n,
                               const VkCommandBuffer *commands,
                               uint64_t *number);
/// Whether that submission is finished.
bool xlaVulkanQueueHasReached(XlaVulkanDevice *device, uint64_t number);
/// Makes all that was written before visible to all that comes after.
void xlaVulkanQueueBarrier(const XlaVulkanDevice *device,
                           VkCommandBuffer commands);
/// A pool of command buffers, and some that can be used again and again.
XlaStatus xlaVulkanCommandPoolCreate(const XlaVulkanDevice *device,
                                     VkCommandPool *pool);
XlaStatus xlaVulkanCommandsAllocate(const XlaVulkanDevice *device,
                                    VkCommandPool pool, uint32_t n,
                                    VkCommandBuffer *commands);

// --- cache.c: compiled pipelines in a file ---

/// Creates `device->cache` from the file, or empty. Only memory can be lacking:
/// all else that is wrong with the file means that there is none.
XlaStatus xlaVulkanCacheOpen(XlaVulkanDevice *device);
/// Writes the file if the cache has changed, and destroys the cache.
void xlaVulkanCacheClose(XlaVulkanDevice *device);

#endif // XLAC_RUNTIME_VULKAN_DEVICE_INTERNAL_H
