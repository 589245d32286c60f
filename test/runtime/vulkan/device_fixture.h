//===- device_fixture.h - Running shaders in tests ----------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_TEST_RUNTIME_VULKAN_DEVICE_FIXTURE_H
#define XLAC_TEST_RUNTIME_VULKAN_DEVICE_FIXTURE_H

#include "xlac/runtime/vulkan/program.h"

/// For cmocka_run_group_tests: opens the default device for all tests, with the
/// validation layer where it is installed, and closes it. Closing fails if the
/// layer has said anything.
int vulkanDeviceSetup(void **state);
int vulkanDeviceTeardown(void **state);

/// The device. Where there is none, the test is skipped and says why.
XlaVulkanDevice *vulkanDevice(void **state);

/// Fails the test, with the message, unless `status` is OK.
void vulkanCheckStatus(XlaStatus status);
/// Fails the test unless `status` has this code and its message this part.
/// Destroys the status.
void vulkanExpectStatus(XlaStatus status, XlaStatusCode code, const char *part);

/// An array that a shader is given. What it holds before goes to the device,
/// and comes back if the shader writes to it.
typedef struct VulkanArray {
  void *data;
  int64_t bytes;
  bool isWritten;
} VulkanArray;

/// Makes a program of one dispatch, array i being binding i, and runs it once.
/// All of it fails the test.
void vulkanRunShader(XlaVulkanDevice *device, const XlaVulkanShader *shader,
                     const uint32_t groups[3], const VulkanArray *arrays);
/// The same, but gives the status of what failed first.
XlaStatus vulkanTryRunShader(XlaVulkanDevice *device,
                             const XlaVulkanShader *shader,
                             const uint32_t groups[3],
                             const VulkanArray *arrays);

#endif // XLAC_TEST_RUNTIME_VULKAN_DEVICE_FIXTURE_H
