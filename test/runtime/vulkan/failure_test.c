//===- failure_test.c - Every call to Vulkan fails once -------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/test/runtime/vulkan/device_fixture.h"
#include "xlac/test/runtime/vulkan/layer.h"
#include "xlac/test/runtime/vulkan/shaders.h"
#include "xlac/test/support/failing_alloc.h"
#include "xlac/test/support/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { N = 64, Bytes = 4 * N };

static void entry(XlaVulkanProgram *program, void *user) {
  XlaVulkanSpan two = {XlaVulkanMemoryArena, 0, 8, 4};
  int32_t value = -1;
  for (int i = 0; i < 20; ++i) // more than are submitted together
    xlaVulkanProgramLaunch(program, i == 0 ? 0 : 1);
  xlaVulkanProgramLoad(program, &two, &value);
  value ^= 1;
  xlaVulkanProgramStore(program, &two, &value);
  xlaVulkanProgramLaunch(program, 2);
}

static XlaStatus execute(XlaVulkanProgram *program) {
  int32_t in[N], out[N];
  for (int i = 0; i < N; ++i)
    in[i] = i;
  XLA_RETURN_IF_ERROR(
      xlaVulkanProgramWriteInputs(program, (const void *[]){in}));
  XLA_RETURN_IF_ERROR(xlaVulkanProgramExecute(program, NULL));
  XLA_RETURN_IF_ERROR(xlaVulkanProgramReadOutputs(program, (void *[]){out}));
  for (int i = 0; i < N; ++i) {
    uint32_t expected = (uint32_t)i;
    for (int k = 0; k < 19; ++k)
      expected = 3 * expected + 1;
    assert_int_equal(out[i], (int32_t)(i == 2 ? expected ^ 1 : expected));
  }
  return NULL;
}

/// The same on arrays of the device, of which one is copied there.
static XlaStatus executeOnArrays(XlaVulkanDevice *device,
                                 XlaVulkanProgram *program) {
  enum { X, Copy, Y, Arrays };
  XlaVulkanArray *arrays[Arrays] = {NULL};
  int32_t in[N], out[N];
  uint64_t number = 0;
  XlaStatus status = NULL;
  for (int i = 0; i < N; ++i)
    in[i] = 7;
  for (int i = 0; !status && i < Arrays; ++i)
    status = xlaVulkanArrayCreate(device, Bytes, &arrays[i]);
  if (!status)
    status = xlaVulkanArrayWrite(arrays[X], 0, Bytes, in);
  if (!status)
    status = xlaVulkanArrayCopy(arrays[X], arrays[Copy], &number);
  if (!status)
    status =
        xlaVulkanProgramRun(program, &arrays[Copy], &arrays[Y], NULL, &number);
  if (!status)
    status = xlaVulkanArrayRead(arrays[Y], 0, Bytes, out);
  for (int i = 0; !status && i < N; ++i)
    assert_int_equal(out[i] & 1, i == 2 ? 1 : 0);
  for (int i = 0; i < Arrays; ++i)
    xlaVulkanArrayDestroy(arrays[i]);
  return status;
}

/// input -> arena, `affine` on it, arena -> output, in three runs; and a shader
/// on constants, which has the debug names of two shaders compiled.
static XlaStatus runProgram(XlaVulkanDevice *device) {
  XlaVulkanSpan in[] = {{XlaVulkanMemoryInput, 0, 0, Bytes},
                        {XlaVulkanMemoryArena, 0, 0, Bytes}};
  XlaVulkanSpan out[] = {in[1], {XlaVulkanMemoryOutput, 0, 0, Bytes}};
  XlaVulkanSpan other[] = {{XlaVulkanMemoryConstant, 0, 0, Bytes},
                           {XlaVulkanMemoryScratch, 0, 0, Bytes}};
  const XlaVulkanShader shaders[] = {vulkanShaderAffine, vulkanShaderReverse};
  const XlaVulkanStep steps[] = {
      {.shader = -1, .nSpans = 2, .spans = in, .written = 2},
      {0, {1, 1, 1}, 1, &in[1], 1, NULL},
      {.shader = -1, .nSpans = 2, .spans = out, .written = 2},
      {1, {1, 1, 1}, 2, other, 2, NULL}};
  const char constants[Bytes] = "constants";
  const XlaVulkanProgramInfo info = {
      .nShaders = 2,
      .shaders = shaders,
      .nSteps = 4,
      .steps = steps,
      .nRuns = 3,
      .runs = (intptr_t[]){0, 1, 2, 4},
      .nInputs = 1,
      .nOutputs = 1,
      .inputBytes = (int64_t[]){Bytes},
      .outputBytes = (int64_t[]){Bytes},
      .constantBytes = Bytes,
      .nConstants = 1,
      .constants = &(XlaVulkanConstant){0, Bytes, constants},
      .arenaBytes = Bytes,
      .scratchBytes = Bytes,
      .entry = entry};
  XlaVulkanProgram *program = (XlaVulkanProgram *)&info;
  XlaStatus status = xlaVulkanProgramCreate(device, &info, &program);
  assert_true((program == NULL) == (status != NULL));
  if (!status)
    status = execute(program);
  if (!status)
    status = executeOnArrays(device, program);
  // After a failure of one execution the next one may work.
  if (status && program && xlaStatusCode(status) != XLA_STATUS_DEVICE_LOST) {
    XlaStatus again = execute(program);
    if (again)
      assert_int_equal(xlaStatusCode(again), xlaStatusCode(status));
    xlaStatusDestroy(again);
  }
  xlaVulkanProgramDestroy(program);
  return status;
}

/// All that a process does with a device. Caches in `user`.
static XlaStatus useDevice(const char *cacheFolder, bool validate) {
  XlaVulkanOptions options = {.validate = validate,
                              .cacheFolder = cacheFolder,
                              .replace = vulkanLayerReplace};
  XlaVulkanInfo *infos = (XlaVulkanInfo *)&options;
  intptr_t n = -1;
  XlaStatus status = xlaVulkanEnumerate(&options, &infos, &n);
  assert_true((infos == NULL) == (status != NULL));
  assert_true((n == 0) == (status != NULL));
  free(infos);
  if (status)
    return status;
  XlaVulkanDevice *device = (XlaVulkanDevice *)&options;
  status = xlaVulkanDeviceOpen(&options, 0, &device);
  assert_true((device == NULL) == (status != NULL));
  if (!status)
    status = runProgram(device);
  xlaVulkanDeviceClose(device);
  return status;
}

typedef struct Folder {
  char path[64];
} Folder;

static void makeFolder(Folder *folder) {
  strcpy(folder->path, "/tmp/xlac_vulkan_XXXXXX");
  assert_non_null(mkdtemp(folder->path));
}

static void removeFolder(const Folder *folder) {
  char command[128];
  snprintf(command, sizeof command, "rm -r %s", folder->path);
  assert_int_equal(system(command), 0); // NOLINT(bugprone-command-processor)
}

/// Failures that change nothing for who runs programs.
static bool isHarmless(const char *function) {
  return !strcmp(function, "vkSetDebugUtilsObjectNameEXT") ||
         !strcmp(function, "vkGetPipelineCacheData") ||
         !strcmp(function, "vkEnumerateInstanceExtensionProperties") ||
         !strcmp(function, "vkDeviceWaitIdle");
}

static XlaStatusCode codeFor(VkResult result) {
  switch ((int)result) {
  case VK_ERROR_DEVICE_LOST:
    return XLA_STATUS_DEVICE_LOST;
  case VK_ERROR_INITIALIZATION_FAILED:
    return XLA_STATUS_NOT_FOUND;
  default:
    return XLA_STATUS_OUT_OF_MEMORY;
  }
}

/// Calls that are made again, for less memory, if there is too little for
/// arrays.
static bool isRepeated(const char *function, VkResult result) {
  return codeFor(result) == XLA_STATUS_OUT_OF_MEMORY &&
         (!strcmp(function, "vkAllocateMemory") ||
          !strcmp(function, "vkMapMemory") ||
          !strcmp(function, "vkCreateBuffer") ||
          !strcmp(function, "vkBindBufferMemory"));
}

static void checkFailure(const char *function, int number, VkResult result,
                         XlaStatus status) {
  if (!status && !isHarmless(function) && !isRepeated(function, result))
    fail_msg("call %d of %s failed and nobody said so", number, function);
  bool isShader = strstr(function, "Shader") || strstr(function, "Pipelines");
  XlaStatusCode expected = codeFor(result);
  if (isShader && expected == XLA_STATUS_NOT_FOUND)
    expected = XLA_STATUS_INTERNAL;
  if (status && xlaStatusCode(status) != expected &&
      !(isHarmless(function) && result == VK_ERROR_DEVICE_LOST))
    fail_msg("call %d of %s gave %d, which became: %s", number, function,
             result, xlaStatusMessage(status));
  assert_int_equal(vulkanLayerLive(), 0);
}

/// Lets each call of these functions fail in each way. Returns how many failed.
static int failAll(const char *const *functions, const char *cacheFolder,
                   VulkanMemoryMode mode, const VkResult *results, int nResults,
                   bool validate) {
  int failures = 0;
  for (const char *const *f = functions; *f; ++f)
    for (int i = 0; i < nResults; ++i)
      for (int number = 1;; ++number) {
        vulkanLayerReset(mode);
        vulkanLayerFail(*f, number, results[i]);
        XlaStatus status = useDevice(cacheFolder, validate);
        if (!vulkanLayerHasFailed()) {
          vulkanCheckStatus(status);
          break;
        }
        checkFailure(*f, number, results[i], status);
        xlaStatusDestroy(status);
        ++failures;
      }
  return failures;
}

/// Only such a device can stand for all others.
static void needUnified(void **state) {
  if (!xlaVulkanDeviceGetInfo(vulkanDevice(state))->isUnified)
    skip();
}

static void everyCall(void **state) {
  needUnified(state);
  Folder folder;
  makeFolder(&folder);
  const VkResult results[] = {
      VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_OUT_OF_DEVICE_MEMORY,
      VK_ERROR_DEVICE_LOST, VK_ERROR_INITIALIZATION_FAILED};
  assert_in_range(failAll(vulkanLayerFunctions, folder.path, VulkanMemoryAsIs,
                          results, 4, false),
                  100, 10000);
  removeFolder(&folder);
}

// With staging buffers and memory that is not coherent there are more calls.
static void everyCallStaged(void **state) {
  needUnified(state);
  const VkResult results[] = {VK_ERROR_OUT_OF_HOST_MEMORY,
                              VK_ERROR_DEVICE_LOST};
  assert_in_range(failAll(vulkanLayerFunctions, "", VulkanMemorySplitIncoherent,
                          results, 2, false),
                  50, 10000);
}

// What is called only with the validation layer, and some of what it watches.
static void validated(void **state) {
  needUnified(state);
  vulkanLayerReset(VulkanMemoryAsIs);
  XlaStatus status = useDevice("", true);
  if (xlaStatusCode(status) == XLA_STATUS_NOT_FOUND) {
    print_message("%s\n", xlaStatusMessage(status));
    xlaStatusDestroy(status);
    skip();
  }
  vulkanCheckStatus(status);
  const char *const functions[] = {"vkEnumerateInstanceLayerProperties",
                                   "vkCreateDebugUtilsMessengerEXT",
                                   "vkSetDebugUtilsObjectNameEXT",
                                   "vkBindBufferMemory",
                                   "vkQueueSubmit",
                                   NULL};
  assert_in_range(failAll(functions, "", VulkanMemoryAsIs,
                          (VkResult[]){VK_ERROR_OUT_OF_HOST_MEMORY}, 1, true),
                  6, 1000);
}

static void everyAllocation(void **state) {
  needUnified(state);
  Folder folder;
  makeFolder(&folder);
  for (VulkanMemoryMode mode = 0; mode < VulkanMemoryIncoherent; ++mode) {
    int failures = 0;
    for (int number = 1;; ++number) {
      vulkanLayerReset(mode);
      failingAllocSet(number);
      XlaStatus status = useDevice(folder.path, false);
      bool hasFailed = failingAllocCount() >= number;
      failingAllocSet(0);
      if (status)
        assert_int_equal(xlaStatusCode(status), XLA_STATUS_OUT_OF_MEMORY);
      failures += status != NULL;
      xlaStatusDestroy(status);
      assert_int_equal(vulkanLayerLive(), 0);
      if (!hasFailed)
        break;
    }
    assert_in_range(failures, 10, 1000);
  }
  removeFolder(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(everyCall),
      cmocka_unit_test(everyCallStaged),
      cmocka_unit_test(validated),
      cmocka_unit_test(everyAllocation),
  };
  return cmocka_run_group_tests(tests, vulkanDeviceSetup, vulkanDeviceTeardown);
}
