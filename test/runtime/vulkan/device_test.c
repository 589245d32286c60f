//===- device_test.c - Choosing and opening Vulkan devices ----------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/test/runtime/vulkan/device_fixture.h"
#include "xlac/test/runtime/vulkan/shaders.h"
#include "xlac/test/support/unit.h"

#define VK_NO_PROTOTYPES
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan_core.h>

//===----------------------------------------------------------------------===//
// Machines with other devices: all are the real one in disguise
//===----------------------------------------------------------------------===//

typedef struct Disguise {
  const char *name;
  VkPhysicalDeviceType type;
  uint32_t apiVersion;
  const char *lacks; ///< "compute", "timelines" or ""
} Disguise;

static struct {
  uint32_t n;
  const Disguise *list;
  VkPhysicalDevice device; ///< the real one
  VkResult result;         ///< of creating an instance, if it is an error
  uint32_t loaderVersion;  ///< 0: the real one
  const char *missing;     ///< a function that is not there
  PFN_vkCreateInstance CreateInstance;
  PFN_vkEnumerateInstanceVersion EnumerateInstanceVersion;
  PFN_vkEnumeratePhysicalDevices EnumeratePhysicalDevices;
  PFN_vkGetPhysicalDeviceProperties GetPhysicalDeviceProperties;
  PFN_vkGetPhysicalDeviceProperties2 GetPhysicalDeviceProperties2;
  PFN_vkGetPhysicalDeviceFeatures2 GetPhysicalDeviceFeatures2;
  PFN_vkGetPhysicalDeviceMemoryProperties GetPhysicalDeviceMemoryProperties;
  PFN_vkGetPhysicalDeviceQueueFamilyProperties
      GetPhysicalDeviceQueueFamilyProperties;
  PFN_vkEnumerateDeviceExtensionProperties EnumerateDeviceExtensionProperties;
  PFN_vkCreateDevice CreateDevice;
} machine;

static const Disguise *disguiseOf(VkPhysicalDevice device) {
  return (const Disguise *)device;
}

static VkResult VKAPI_CALL
myCreateInstance(const VkInstanceCreateInfo *info,
                 const VkAllocationCallbacks *allocator, VkInstance *instance) {
  return machine.result < 0 ? machine.result
                            : machine.CreateInstance(info, allocator, instance);
}

static VkResult VKAPI_CALL myEnumerateInstanceVersion(uint32_t *version) {
  VkResult result = machine.EnumerateInstanceVersion(version);
  if (machine.loaderVersion)
    *version = machine.loaderVersion;
  return result;
}

static VkResult VKAPI_CALL myEnumeratePhysicalDevices(VkInstance instance,
                                                      uint32_t *n,
                                                      VkPhysicalDevice *list) {
  uint32_t one = 1;
  VkResult result =
      machine.EnumeratePhysicalDevices(instance, &one, &machine.device);
  assert_true(result >= 0 && (!list || *n >= machine.n));
  *n = machine.n;
  for (uint32_t i = 0; list && i < machine.n; ++i)
    list[i] = (VkPhysicalDevice)&machine.list[i];
  return VK_SUCCESS;
}

static void VKAPI_CALL myGetPhysicalDeviceProperties(
    VkPhysicalDevice device, VkPhysicalDeviceProperties *properties) {
  const Disguise *disguise = disguiseOf(device);
  machine.GetPhysicalDeviceProperties(machine.device, properties);
  snprintf(properties->deviceName, sizeof properties->deviceName, "%s",
           disguise->name);
  properties->deviceType = disguise->type;
  properties->apiVersion = disguise->apiVersion;
}

static void VKAPI_CALL myGetPhysicalDeviceProperties2(
    VkPhysicalDevice device, VkPhysicalDeviceProperties2 *properties) {
  assert_true(disguiseOf(device)->apiVersion >= VK_API_VERSION_1_2);
  machine.GetPhysicalDeviceProperties2(machine.device, properties);
}

static void VKAPI_CALL myGetPhysicalDeviceFeatures2(
    VkPhysicalDevice device, VkPhysicalDeviceFeatures2 *features) {
  const Disguise *disguise = disguiseOf(device);
  assert_true(disguise->apiVersion >= VK_API_VERSION_1_2);
  machine.GetPhysicalDeviceFeatures2(machine.device, features);
  for (VkBaseOutStructure *at = features->pNext; at; at = at->pNext) {
    // A device does not know the structures of later versions.
    assert_false(at->sType ==
                     VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES &&
                 disguise->apiVersion < VK_API_VERSION_1_3);
    if (at->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES &&
        !strcmp(disguise->lacks, "timelines"))
      ((VkPhysicalDeviceVulkan12Features *)at)->timelineSemaphore = VK_FALSE;
  }
}

static void VKAPI_CALL myGetPhysicalDeviceMemoryProperties(
    VkPhysicalDevice device, VkPhysicalDeviceMemoryProperties *memory) {
  machine.GetPhysicalDeviceMemoryProperties(machine.device, memory);
}

static void VKAPI_CALL myGetPhysicalDeviceQueueFamilyProperties(
    VkPhysicalDevice device, uint32_t *n, VkQueueFamilyProperties *list) {
  machine.GetPhysicalDeviceQueueFamilyProperties(machine.device, n, list);
  for (uint32_t i = 0; list && i < *n; ++i)
    if (!strcmp(disguiseOf(device)->lacks, "compute"))
      list[i].queueFlags = VK_QUEUE_TRANSFER_BIT;
}

static VkResult VKAPI_CALL
myEnumerateDeviceExtensionProperties(VkPhysicalDevice device, const char *layer,
                                     uint32_t *n, VkExtensionProperties *list) {
  return machine.EnumerateDeviceExtensionProperties(machine.device, layer, n,
                                                    list);
}

static VkResult VKAPI_CALL
myCreateDevice(VkPhysicalDevice physical, const VkDeviceCreateInfo *info,
               const VkAllocationCallbacks *allocator, VkDevice *device) {
  return machine.CreateDevice(machine.device, info, allocator, device);
}

static XlaVulkanFunction replace(const char *name, XlaVulkanFunction found,
                                 void *user) {
  if (machine.missing && !strcmp(name, machine.missing))
    return NULL;
#define ROW(function)                                                          \
  if (!strcmp(name, "vk" #function)) {                                         \
    machine.function = (PFN_vk##function)found;                                \
    return (XlaVulkanFunction)my##function;                                    \
  }
  ROW(CreateInstance)
  ROW(EnumerateInstanceVersion)
  ROW(EnumeratePhysicalDevices)
  ROW(GetPhysicalDeviceProperties)
  ROW(GetPhysicalDeviceProperties2)
  ROW(GetPhysicalDeviceFeatures2)
  ROW(GetPhysicalDeviceMemoryProperties)
  ROW(GetPhysicalDeviceQueueFamilyProperties)
  ROW(EnumerateDeviceExtensionProperties)
  ROW(CreateDevice)
#undef ROW
  return found;
}

static const XlaVulkanOptions disguised = {.cacheFolder = "",
                                           .replace = replace};

static void setMachine(uint32_t n, const Disguise *list) {
  memset(&machine, 0, sizeof machine);
  machine.n = n;
  machine.list = list;
}

//===----------------------------------------------------------------------===//
// Tests
//===----------------------------------------------------------------------===//

static void runAdd(XlaVulkanDevice *device) {
  float a[] = {1, 2, 3}, b[] = {10, 20, 30}, c[] = {0, 0, 0};
  VulkanArray arrays[] = {
      {a, sizeof a, false}, {b, sizeof b, false}, {c, sizeof c, true}};
  vulkanRunShader(device, &vulkanShaderAdd, (uint32_t[]){1, 1, 1}, arrays);
  assert_true(c[0] == 11 && c[1] == 22 && c[2] == 33);
}

// What is reported of the real device makes sense.
static void infoOfDevice(void **state) {
  const XlaVulkanInfo *info = xlaVulkanDeviceGetInfo(vulkanDevice(state));
  assert_true(info->name[0] && info->driver[0]);
  assert_null(info->whyNot);
  assert_true(info->apiVersion >= VK_API_VERSION_1_2);
  // Minima that the specification demands.
  assert_true(info->maxBindings >= 4 && info->maxBindings <= 64);
  assert_true(info->maxBufferRange >= 1 << 27);
  assert_true(info->maxAllocation >= 1 << 30);
  assert_true(info->sharedBytes >= 16384);
  assert_in_range(info->offsetAlignment, 1, 256);
  assert_int_equal(info->offsetAlignment & (info->offsetAlignment - 1), 0);
  assert_true(info->maxGroupInvocations >= 128);
  for (int i = 0; i < 3; ++i) {
    assert_true(info->maxGroupCount[i] >= 65535);
    assert_true(info->maxGroupSize[i] >= 64);
  }
  assert_in_range(info->subgroupSize, 1, 128);
  assert_true(info->memoryBytes > 0);

  XlaVulkanInfo *infos = NULL;
  intptr_t n = 0;
  vulkanCheckStatus(xlaVulkanEnumerate(NULL, &infos, &n));
  assert_true(n > 0);
  assert_string_equal(infos[0].name, info->name);
  free(infos);
}

static const Disguise severalGpus[] = {
    {"software", VK_PHYSICAL_DEVICE_TYPE_CPU, VK_API_VERSION_1_3, ""},
    {"old", VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU, VK_API_VERSION_1_1, ""},
    {"integrated", VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU, VK_API_VERSION_1_2,
     ""},
    {"video", VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU, VK_API_VERSION_1_3,
     "compute"},
    {"second card", VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU, VK_API_VERSION_1_3,
     ""},
    {"third card", VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU, VK_API_VERSION_1_2,
     ""},
    {"something", VK_PHYSICAL_DEVICE_TYPE_OTHER, VK_API_VERSION_1_2, ""},
    {"slice", VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU, VK_API_VERSION_1_2,
     "timelines"},
};
enum { SeveralGpus = sizeof severalGpus / sizeof *severalGpus };

static void order(void **state) {
  vulkanDevice(state);
  static const struct {
    const char *name, *kind, *whyNot;
  } expected[SeveralGpus] = {
      {"second card", "discrete GPU", NULL},
      {"third card", "discrete GPU", NULL},
      {"integrated", "integrated GPU", NULL},
      {"something", "other device", NULL},
      {"software", "software", NULL},
      {"old", "discrete GPU", "has a driver of Vulkan before 1.2"},
      {"video", "discrete GPU", "has no compute queue"},
      {"slice", "virtual GPU", "has no timeline semaphores"},
  };
  setMachine(SeveralGpus, severalGpus);
  XlaVulkanInfo *infos = NULL;
  intptr_t n = 0;
  vulkanCheckStatus(xlaVulkanEnumerate(&disguised, &infos, &n));
  assert_int_equal(n, SeveralGpus);
  for (int i = 0; i < SeveralGpus; ++i) {
    assert_string_equal(infos[i].name, expected[i].name);
    assert_string_equal(xlaVulkanKindName(infos[i].kind), expected[i].kind);
    if (expected[i].whyNot)
      assert_string_equal(infos[i].whyNot, expected[i].whyNot);
    else
      assert_null(infos[i].whyNot);
  }
  free(infos);
  // Versions 1.2 and 1.3 are opened with the structures that each knows.
  for (int i = 0; i < 4; ++i) {
    XlaVulkanDevice *device = NULL;
    vulkanCheckStatus(xlaVulkanDeviceOpen(&disguised, i, &device));
    assert_string_equal(xlaVulkanDeviceGetInfo(device)->name, expected[i].name);
    runAdd(device);
    xlaVulkanDeviceClose(device);
  }
}

static void openNothing(XlaStatusCode code, intptr_t number, const char *part) {
  XlaVulkanDevice *device = (XlaVulkanDevice *)&disguised;
  vulkanExpectStatus(xlaVulkanDeviceOpen(&disguised, number, &device), code,
                     part);
  assert_null(device);
}

static void cannotBeOpened(void **state) {
  vulkanDevice(state);
  setMachine(SeveralGpus, severalGpus);
  openNothing(XLA_STATUS_NOT_FOUND, SeveralGpus, "there are 8, from 0");
  openNothing(XLA_STATUS_NOT_FOUND, -1, "no Vulkan device number -1");
  openNothing(XLA_STATUS_UNIMPLEMENTED, 5, "old, cannot be used: it has a");
  openNothing(XLA_STATUS_UNIMPLEMENTED, 6, "it has no compute queue");
  setMachine(0, severalGpus);
  openNothing(XLA_STATUS_NOT_FOUND, 0, "mesa-vulkan-drivers");
  setMachine(1, severalGpus);
  machine.result = VK_ERROR_INCOMPATIBLE_DRIVER;
  openNothing(XLA_STATUS_NOT_FOUND, 0, "mesa-vulkan-drivers");
  machine.result = VK_ERROR_EXTENSION_NOT_PRESENT;
  openNothing(XLA_STATUS_UNIMPLEMENTED, 0, "VK_ERROR_EXTENSION_NOT_PRESENT");
  machine.result = VK_SUCCESS;
  machine.loaderVersion = VK_API_VERSION_1_0;
  openNothing(XLA_STATUS_UNIMPLEMENTED, 0, "version 1.0");
  machine.loaderVersion = 0;
  machine.missing = "vkEnumerateInstanceVersion";
  openNothing(XLA_STATUS_UNIMPLEMENTED, 0, machine.missing);
  machine.missing = "vkGetPhysicalDeviceFeatures2";
  openNothing(XLA_STATUS_UNIMPLEMENTED, 0, machine.missing);
  machine.missing = "vkWaitSemaphores";
  openNothing(XLA_STATUS_UNIMPLEMENTED, 0, machine.missing);
}

// Tools for debugging may be absent.
static void withoutDebugUtils(void **state) {
  vulkanDevice(state);
  static const char *const functions[] = {"vkSetDebugUtilsObjectNameEXT",
                                          "vkCmdBeginDebugUtilsLabelEXT",
                                          "vkCmdEndDebugUtilsLabelEXT"};
  for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i) {
    setMachine(1, severalGpus);
    machine.missing = functions[i];
    XlaVulkanDevice *device = NULL;
    vulkanCheckStatus(xlaVulkanDeviceOpen(&disguised, 0, &device));
    runAdd(device);
    xlaVulkanDeviceClose(device);
  }
}

typedef struct Messages {
  int n;
  char last[4096];
} Messages;

static void keep(const char *text, void *user) {
  Messages *messages = user;
  ++messages->n;
  snprintf(messages->last, sizeof messages->last, "%s", text);
}

// A program that hides what it writes: the barrier that is missing then is
// reported, with the names of the shader and of the buffer.
static void validationReports(void **state) {
  vulkanDevice(state);
  Messages messages = {0};
  XlaVulkanOptions options = {
      .validate = true, .message = keep, .user = &messages, .cacheFolder = ""};
  XlaVulkanDevice *device = NULL;
  XlaStatus status = xlaVulkanDeviceOpen(&options, 0, &device);
  if (xlaStatusCode(status) == XLA_STATUS_NOT_FOUND) {
    print_message("%s\n", xlaStatusMessage(status));
    xlaStatusDestroy(status);
    skip();
  }
  vulkanCheckStatus(status);
  runAdd(device);
  assert_int_equal(messages.n, 0);
  XlaVulkanSpan spans[] = {{XlaVulkanMemoryArena, 0, 0, 256},
                           {XlaVulkanMemoryArena, 0, 256, 256}};
  XlaVulkanShader shaders[] = {vulkanShaderAffine, vulkanShaderReverse};
  shaders[1].name = "fusion 17";
  XlaVulkanStep steps[] = {{0, {1, 1, 1}, 1, spans, 0, NULL},
                           {1, {1, 1, 1}, 2, spans, 0, NULL}};
  XlaVulkanProgramInfo info = {.nShaders = 2,
                               .shaders = shaders,
                               .nSteps = 2,
                               .steps = steps,
                               .nRuns = 1,
                               .runs = (intptr_t[]){0, 2},
                               .arenaBytes = 512};
  XlaVulkanProgram *program = NULL;
  vulkanCheckStatus(xlaVulkanProgramCreate(device, &info, &program));
  assert_true(messages.n > 0);
  assert_int_equal(xlaVulkanDeviceGetMessageCount(device), messages.n);
  assert_non_null(strstr(messages.last, "SYNC-HAZARD"));
  assert_non_null(strstr(messages.last, "the arena"));
  assert_non_null(strstr(messages.last, "fusion 17"));
  xlaVulkanProgramDestroy(program);
  xlaVulkanDeviceClose(device);
}

// What is never destroyed is known only when the device is closed.
static void VKAPI_CALL forgetCache(VkDevice device, VkPipelineCache cache,
                                   const VkAllocationCallbacks *allocator) {
  (void)device;
  (void)cache;
  (void)allocator;
}

static XlaVulkanFunction forgetful(const char *name, XlaVulkanFunction found,
                                   void *user) {
  (void)user;
  return strcmp(name, "vkDestroyPipelineCache") != 0
             ? found
             : (XlaVulkanFunction)forgetCache;
}

static void validationCountsWhatIsLeft(void **state) {
  vulkanDevice(state);
#if __has_feature(address_sanitizer)
  skip(); // what is left is memory of the driver
#endif
  Messages messages = {0};
  XlaVulkanOptions options = {.validate = true,
                              .message = keep,
                              .user = &messages,
                              .cacheFolder = "",
                              .replace = forgetful};
  XlaVulkanDevice *device = NULL;
  XlaStatus status = xlaVulkanDeviceOpen(&options, 0, &device);
  if (xlaStatusCode(status) == XLA_STATUS_NOT_FOUND) {
    xlaStatusDestroy(status);
    skip();
  }
  vulkanCheckStatus(status);
  assert_int_equal(xlaVulkanDeviceGetMessageCount(device), 0);
  assert_int_equal(xlaVulkanDeviceClose(device), 1);
  assert_int_equal(messages.n, 1);
  assert_non_null(strstr(messages.last, "has not been destroyed"));
}

static void *openAndRun(void *user) {
  for (int i = 0; i < 3; ++i) {
    XlaVulkanOptions options = {.cacheFolder = ""};
    XlaVulkanDevice *device = NULL;
    XlaStatus status = xlaVulkanDeviceOpen(&options, 0, &device);
    if (status)
      return (void *)status;
    runAdd(device);
    xlaVulkanDeviceClose(device);
  }
  return NULL;
}

static void *runOnShared(void *user) {
  for (int i = 0; i < 20; ++i)
    runAdd(user);
  return NULL;
}

// Threads with devices of their own, and with programs on a common one.
static void threads(void **state) {
  XlaVulkanDevice *device = vulkanDevice(state);
  enum { Threads = 4 };
  pthread_t started[Threads];
  for (int i = 0; i < Threads; ++i)
    assert_int_equal(pthread_create(&started[i], NULL,
                                    i % 2 ? openAndRun : runOnShared, device),
                     0);
  for (int i = 0; i < Threads; ++i) {
    void *failure = NULL;
    assert_int_equal(pthread_join(started[i], &failure), 0);
    vulkanCheckStatus(failure);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(infoOfDevice),
      cmocka_unit_test(order),
      cmocka_unit_test(cannotBeOpened),
      cmocka_unit_test(withoutDebugUtils),
      cmocka_unit_test(validationReports),
      cmocka_unit_test(validationCountsWhatIsLeft),
      cmocka_unit_test(threads),
  };
  return cmocka_run_group_tests(tests, vulkanDeviceSetup, vulkanDeviceTeardown);
}
