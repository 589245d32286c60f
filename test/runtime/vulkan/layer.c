//===- layer.c - A Vulkan with faults -------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/test/runtime/vulkan/layer.h"
#include "xlac/test/support/unit.h"

#include <stdlib.h>
#include <string.h>

// Functions that return a VkResult: name, parameters, arguments.
#define FALLIBLE(X)                                                            \
  X(EnumerateInstanceVersion, (uint32_t *version), (version))                  \
  X(EnumerateInstanceExtensionProperties,                                      \
    (const char *layer, uint32_t *n, VkExtensionProperties *list),             \
    (layer, n, list))                                                          \
  X(EnumerateInstanceLayerProperties, (uint32_t *n, VkLayerProperties *list),  \
    (n, list))                                                                 \
  X(EnumeratePhysicalDevices,                                                  \
    (VkInstance instance, uint32_t *n, VkPhysicalDevice *list),                \
    (instance, n, list))                                                       \
  X(EnumerateDeviceExtensionProperties,                                        \
    (VkPhysicalDevice device, const char *layer, uint32_t *n,                  \
     VkExtensionProperties *list),                                             \
    (device, layer, n, list))                                                  \
  X(SetDebugUtilsObjectNameEXT,                                                \
    (VkDevice device, const VkDebugUtilsObjectNameInfoEXT *info),              \
    (device, info))                                                            \
  X(QueueSubmit,                                                               \
    (VkQueue queue, uint32_t n, const VkSubmitInfo *list, VkFence fence),      \
    (queue, n, list, fence))                                                   \
  X(BindBufferMemory,                                                          \
    (VkDevice device, VkBuffer buffer, VkDeviceMemory memory,                  \
     VkDeviceSize offset),                                                     \
    (device, buffer, memory, offset))                                          \
  X(GetPipelineCacheData,                                                      \
    (VkDevice device, VkPipelineCache cache, size_t *n, void *data),           \
    (device, cache, n, data))                                                  \
  X(AllocateDescriptorSets,                                                    \
    (VkDevice device, const VkDescriptorSetAllocateInfo *info,                 \
     VkDescriptorSet *sets),                                                   \
    (device, info, sets))                                                      \
  X(AllocateCommandBuffers,                                                    \
    (VkDevice device, const VkCommandBufferAllocateInfo *info,                 \
     VkCommandBuffer *buffers),                                                \
    (device, info, buffers))                                                   \
  X(BeginCommandBuffer,                                                        \
    (VkCommandBuffer buffer, const VkCommandBufferBeginInfo *info),            \
    (buffer, info))                                                            \
  X(EndCommandBuffer, (VkCommandBuffer buffer), (buffer))

// The same, but what fails has been done nevertheless: nothing is in use when
// waiting has failed.
#define WAITING(X)                                                             \
  X(DeviceWaitIdle, (VkDevice device), (device))                               \
  X(WaitSemaphores,                                                            \
    (VkDevice device, const VkSemaphoreWaitInfo *info, uint64_t timeout),      \
    (device, info, timeout))

// Objects: the function that makes one, its type, the type of its description,
// and the function that destroys it, of a device if nothing else is said.
#define OBJECTS(X)                                                             \
  X(CreateSemaphore, DestroySemaphore, VkSemaphore, VkSemaphoreCreateInfo)     \
  X(CreateBuffer, DestroyBuffer, VkBuffer, VkBufferCreateInfo)                 \
  X(CreatePipelineCache, DestroyPipelineCache, VkPipelineCache,                \
    VkPipelineCacheCreateInfo)                                                 \
  X(CreateShaderModule, DestroyShaderModule, VkShaderModule,                   \
    VkShaderModuleCreateInfo)                                                  \
  X(CreateDescriptorSetLayout, DestroyDescriptorSetLayout,                     \
    VkDescriptorSetLayout, VkDescriptorSetLayoutCreateInfo)                    \
  X(CreatePipelineLayout, DestroyPipelineLayout, VkPipelineLayout,             \
    VkPipelineLayoutCreateInfo)                                                \
  X(CreateDescriptorPool, DestroyDescriptorPool, VkDescriptorPool,             \
    VkDescriptorPoolCreateInfo)                                                \
  X(CreateCommandPool, DestroyCommandPool, VkCommandPool,                      \
    VkCommandPoolCreateInfo)

// Those that are written out below; the first group can fail.
#define OTHERS(X)                                                              \
  X(CreateInstance)                                                            \
  X(CreateDevice)                                                              \
  X(CreateDebugUtilsMessengerEXT)                                              \
  X(CreateComputePipelines)                                                    \
  X(AllocateMemory)                                                            \
  X(MapMemory)                                                                 \
  X(FlushMappedMemoryRanges)                                                   \
  X(InvalidateMappedMemoryRanges)
#define INFALLIBLE(X)                                                          \
  X(DestroyInstance)                                                           \
  X(DestroyDevice)                                                             \
  X(DestroyDebugUtilsMessengerEXT)                                             \
  X(DestroyPipeline)                                                           \
  X(FreeMemory)                                                                \
  X(GetPhysicalDeviceMemoryProperties)                                         \
  X(GetBufferMemoryRequirements)

/// Vulkan's own functions, and how often each was called.
static struct {
#define MEMBER(name, ...) PFN_vk##name name;
#define OBJECT_MEMBERS(make, destroy, ...)                                     \
  PFN_vk##make make;                                                           \
  PFN_vk##destroy destroy;
  FALLIBLE(MEMBER)
  WAITING(MEMBER)
  OBJECTS(OBJECT_MEMBERS)
  OTHERS(MEMBER)
  INFALLIBLE(MEMBER)
#undef MEMBER
#undef OBJECT_MEMBERS
} real;

enum Index {
#define INDEX(name, ...) Index##name,
  FALLIBLE(INDEX) WAITING(INDEX) OBJECTS(INDEX) OTHERS(INDEX) IndexEnd
#undef INDEX
};

const char *const vulkanLayerFunctions[] = {
#define NAME(name, ...) "vk" #name,
    FALLIBLE(NAME) WAITING(NAME) OBJECTS(NAME) OTHERS(NAME) NULL
#undef NAME
};

/// Memory of which the host and the device see different copies.
typedef struct Shadow {
  VkDeviceMemory memory;
  VkDeviceSize size;
  char *device, *host;
} Shadow;

enum { ShadowsMax = 64 };

static struct {
  VulkanMemoryMode mode;
  _Atomic int calls[IndexEnd];
  const char *failing;
  int number;
  VkResult result;
  bool hasFailed;
  _Atomic int64_t live;
  Shadow shadows[ShadowsMax];
  uint32_t type; ///< the real memory that stands for all
} state;

static int indexOf(const char *name) {
  for (int i = 0; i < IndexEnd; ++i)
    if (!strcmp(name, vulkanLayerFunctions[i]))
      return i;
  fail_msg("%s is not replaced", name);
  return 0;
}

void vulkanLayerReset(VulkanMemoryMode mode) {
  assert_int_equal(state.live, 0);
  memset((void *)&state, 0, sizeof state);
  state.mode = mode;
}

void vulkanLayerFail(const char *function, int number, VkResult result) {
  (void)indexOf(function);
  memset((void *)state.calls, 0, sizeof state.calls);
  state.failing = function;
  state.number = number;
  state.result = result;
  state.hasFailed = false;
}

bool vulkanLayerHasFailed(void) { return state.hasFailed; }
int64_t vulkanLayerLive(void) { return state.live; }
int vulkanLayerCalls(const char *function) {
  return state.calls[indexOf(function)];
}

/// Lists and names go on when the device is lost.
static bool asksDevice(int index) {
  return index != IndexSetDebugUtilsObjectNameEXT &&
         index > IndexEnumerateDeviceExtensionProperties &&
         index != IndexCreateInstance &&
         index != IndexCreateDebugUtilsMessengerEXT;
}

/// What the call has to return, or VK_SUCCESS if it is to be made.
static VkResult count(int index) {
  int number = ++state.calls[index];
  if (state.failing && !strcmp(state.failing, vulkanLayerFunctions[index]) &&
      number == state.number) {
    state.hasFailed = true;
    return state.result;
  }
  bool isLost = state.hasFailed && state.result == VK_ERROR_DEVICE_LOST;
  return isLost && asksDevice(index) ? VK_ERROR_DEVICE_LOST : VK_SUCCESS;
}

#define PLAIN(name, parameters, arguments)                                     \
  static VkResult VKAPI_CALL my##name parameters {                             \
    VkResult result = count(Index##name);                                      \
    return result < 0 ? result : real.name arguments;                          \
  }
FALLIBLE(PLAIN)

#define WAIT(name, parameters, arguments)                                      \
  static VkResult VKAPI_CALL my##name parameters {                             \
    VkResult result = count(Index##name), done = real.name arguments;          \
    return result < 0 ? result : done;                                         \
  }
WAITING(WAIT)

#define OBJECT(make, destroy, type, description)                               \
  static VkResult VKAPI_CALL my##make(                                         \
      VkDevice device, const description *info,                                \
      const VkAllocationCallbacks *allocator, type *object) {                  \
    VkResult result = count(Index##make);                                      \
    if (result >= 0)                                                           \
      result = real.make(device, info, allocator, object);                     \
    state.live += result >= 0;                                                 \
    return result;                                                             \
  }                                                                            \
  static void VKAPI_CALL my##destroy(VkDevice device, type object,             \
                                     const VkAllocationCallbacks *allocator) { \
    state.live -= object != VK_NULL_HANDLE;                                    \
    real.destroy(device, object, allocator);                                   \
  }
OBJECTS(OBJECT)

static VkResult VKAPI_CALL
myCreateInstance(const VkInstanceCreateInfo *info,
                 const VkAllocationCallbacks *allocator, VkInstance *instance) {
  VkResult result = count(IndexCreateInstance);
  if (result >= 0)
    result = real.CreateInstance(info, allocator, instance);
  state.live += result >= 0;
  return result;
}

static void VKAPI_CALL
myDestroyInstance(VkInstance instance, const VkAllocationCallbacks *allocator) {
  state.live -= instance != VK_NULL_HANDLE;
  real.DestroyInstance(instance, allocator);
}

static VkResult VKAPI_CALL
myCreateDevice(VkPhysicalDevice physical, const VkDeviceCreateInfo *info,
               const VkAllocationCallbacks *allocator, VkDevice *device) {
  VkResult result = count(IndexCreateDevice);
  if (result >= 0)
    result = real.CreateDevice(physical, info, allocator, device);
  state.live += result >= 0;
  return result;
}

static void VKAPI_CALL myDestroyDevice(VkDevice device,
                                       const VkAllocationCallbacks *allocator) {
  state.live -= device != VK_NULL_HANDLE;
  real.DestroyDevice(device, allocator);
}

static VkResult VKAPI_CALL myCreateDebugUtilsMessengerEXT(
    VkInstance instance, const VkDebugUtilsMessengerCreateInfoEXT *info,
    const VkAllocationCallbacks *allocator,
    VkDebugUtilsMessengerEXT *messenger) {
  VkResult result = count(IndexCreateDebugUtilsMessengerEXT);
  if (result >= 0)
    result =
        real.CreateDebugUtilsMessengerEXT(instance, info, allocator, messenger);
  state.live += result >= 0;
  return result;
}

static void VKAPI_CALL myDestroyDebugUtilsMessengerEXT(
    VkInstance instance, VkDebugUtilsMessengerEXT messenger,
    const VkAllocationCallbacks *allocator) {
  state.live -= messenger != VK_NULL_HANDLE;
  real.DestroyDebugUtilsMessengerEXT(instance, messenger, allocator);
}

static VkResult VKAPI_CALL myCreateComputePipelines(
    VkDevice device, VkPipelineCache cache, uint32_t n,
    const VkComputePipelineCreateInfo *infos,
    const VkAllocationCallbacks *allocator, VkPipeline *pipelines) {
  VkResult result = count(IndexCreateComputePipelines);
  if (result >= 0)
    result = real.CreateComputePipelines(device, cache, n, infos, allocator,
                                         pipelines);
  state.live += result >= 0 ? n : 0;
  return result;
}

static void VKAPI_CALL
myDestroyPipeline(VkDevice device, VkPipeline pipeline,
                  const VkAllocationCallbacks *allocator) {
  state.live -= pipeline != VK_NULL_HANDLE;
  real.DestroyPipeline(device, pipeline, allocator);
}

static bool isIncoherent(uint32_t type) {
  return (state.mode == VulkanMemorySplitIncoherent && type == 1) ||
         state.mode == VulkanMemoryIncoherent;
}

static void VKAPI_CALL myGetPhysicalDeviceMemoryProperties(
    VkPhysicalDevice device, VkPhysicalDeviceMemoryProperties *memory) {
  enum {
    Local = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT,
    Visible = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT,
    Coherent = VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
    Cached = VK_MEMORY_PROPERTY_HOST_CACHED_BIT,
  };
  static const VkMemoryPropertyFlags flags[VulkanMemoryModes][2] = {
      [VulkanMemorySplit] = {Local, Visible | Coherent | Cached},
      [VulkanMemorySplitIncoherent] = {Local, Visible | Cached},
      [VulkanMemoryIncoherent] = {Local | Visible | Cached, 0},
      [VulkanMemoryUncached] = {Local | Visible | Coherent,
                                Visible | Coherent | Cached}};
  real.GetPhysicalDeviceMemoryProperties(device, memory);
  if (state.mode == VulkanMemoryAsIs)
    return;
  state.type = 0;
  while (state.type + 1 < memory->memoryTypeCount &&
         !(memory->memoryTypes[state.type].propertyFlags & Visible))
    ++state.type;
  VkDeviceSize bytes =
      memory->memoryHeaps[memory->memoryTypes[state.type].heapIndex].size;
  *memory = (VkPhysicalDeviceMemoryProperties){
      .memoryTypeCount = 2,
      .memoryTypes = {{flags[state.mode][0], 0}, {flags[state.mode][1], 1}},
      .memoryHeapCount = 2,
      .memoryHeaps = {{bytes, VK_MEMORY_HEAP_DEVICE_LOCAL_BIT}, {bytes, 0}}};
}

static void VKAPI_CALL myGetBufferMemoryRequirements(
    VkDevice device, VkBuffer buffer, VkMemoryRequirements *needs) {
  real.GetBufferMemoryRequirements(device, buffer, needs);
  if (state.mode != VulkanMemoryAsIs)
    needs->memoryTypeBits = 3;
}

static Shadow *shadowOf(VkDeviceMemory memory) {
  for (int i = 0; i < ShadowsMax; ++i)
    if (state.shadows[i].memory == memory)
      return &state.shadows[i];
  return NULL;
}

static VkResult VKAPI_CALL myAllocateMemory(
    VkDevice device, const VkMemoryAllocateInfo *info,
    const VkAllocationCallbacks *allocator, VkDeviceMemory *memory) {
  VkResult result = count(IndexAllocateMemory);
  VkMemoryAllocateInfo changed = *info;
  if (state.mode != VulkanMemoryAsIs)
    changed.memoryTypeIndex = state.type;
  if (result >= 0)
    result = real.AllocateMemory(device, &changed, allocator, memory);
  state.live += result >= 0;
  if (result >= 0 && isIncoherent(info->memoryTypeIndex)) {
    Shadow *shadow = shadowOf(VK_NULL_HANDLE);
    assert_non_null(shadow);
    *shadow = (Shadow){.memory = *memory, .size = info->allocationSize};
  }
  return result;
}

static void VKAPI_CALL myFreeMemory(VkDevice device, VkDeviceMemory memory,
                                    const VkAllocationCallbacks *allocator) {
  Shadow *shadow = memory ? shadowOf(memory) : NULL;
  if (shadow) {
    free(shadow->host);
    *shadow = (Shadow){0};
  }
  state.live -= memory != VK_NULL_HANDLE;
  real.FreeMemory(device, memory, allocator);
}

static VkResult VKAPI_CALL myMapMemory(VkDevice device, VkDeviceMemory memory,
                                       VkDeviceSize offset, VkDeviceSize size,
                                       VkMemoryMapFlags flags, void **data) {
  VkResult result = count(IndexMapMemory);
  if (result >= 0)
    result = real.MapMemory(device, memory, offset, size, flags, data);
  Shadow *shadow = shadowOf(memory);
  if (result < 0 || !shadow)
    return result;
  assert_true(offset == 0 && size == VK_WHOLE_SIZE);
  shadow->device = *data;
  shadow->host = malloc((size_t)shadow->size);
  if (!shadow->host)
    return VK_ERROR_OUT_OF_HOST_MEMORY;
  memset(shadow->host, 0xa5, (size_t)shadow->size);
  *data = shadow->host;
  return result;
}

/// Copies ranges between the two sides of the memory that they are of.
static void copy(uint32_t n, const VkMappedMemoryRange *ranges, bool toDevice) {
  enum { Atom = 64 };
  for (uint32_t i = 0; i < n; ++i) {
    const Shadow *shadow = shadowOf(ranges[i].memory);
    assert_non_null(shadow);
    VkDeviceSize offset = ranges[i].offset, size = ranges[i].size;
    assert_true(offset % Atom == 0 && size % Atom == 0 && size > 0);
    assert_true(offset <= shadow->size && size <= shadow->size - offset);
    char *device = shadow->device + offset, *host = shadow->host + offset;
    memcpy(toDevice ? device : host, toDevice ? host : device, (size_t)size);
  }
}

static VkResult VKAPI_CALL myFlushMappedMemoryRanges(
    VkDevice device, uint32_t n, const VkMappedMemoryRange *ranges) {
  VkResult result = count(IndexFlushMappedMemoryRanges);
  if (result >= 0)
    copy(n, ranges, true);
  return result;
}

static VkResult VKAPI_CALL myInvalidateMappedMemoryRanges(
    VkDevice device, uint32_t n, const VkMappedMemoryRange *ranges) {
  VkResult result = count(IndexInvalidateMappedMemoryRanges);
  if (result >= 0)
    copy(n, ranges, false);
  return result;
}

XlaVulkanFunction vulkanLayerReplace(const char *name, XlaVulkanFunction found,
                                     void *user) {
#define ROW(function, ...)                                                     \
  if (!strcmp(name, "vk" #function)) {                                         \
    real.function = (PFN_vk##function)found;                                   \
    return (XlaVulkanFunction)my##function;                                    \
  }
#define OBJECT_ROWS(make, destroy, ...) ROW(make) ROW(destroy)
  FALLIBLE(ROW)
  WAITING(ROW)
  OBJECTS(OBJECT_ROWS)
  OTHERS(ROW)
  INFALLIBLE(ROW)
  return found;
}
