//===- vulkan_program_test.c - Programs on Vulkan -------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/test/unit/unit.h"
#include "xlac/test/unit/vulkan_device_fixture.h"
#include "xlac/test/unit/vulkan_shaders.h"

#include <string.h>

static void oneDispatch(void **state) {
  XlaVulkanDevice *device = vulkanDevice(state);
  enum { N = 1000 };
  float a[N], b[N], c[N];
  for (int i = 0; i < N; ++i) {
    a[i] = (float)i;
    b[i] = (float)(3 * i) + 0.5F;
    c[i] = -1;
  }
  VulkanArray arrays[] = {
      {a, sizeof a, false}, {b, sizeof b, false}, {c, sizeof c, true}};
  vulkanRunShader(device, &vulkanShaderAdd, (uint32_t[]){16, 1, 1}, arrays);
  for (int i = 0; i < N; ++i)
    assert_true(c[i] == (float)(4 * i) + 0.5F);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(oneDispatch),
  };
  return cmocka_run_group_tests(tests, vulkanDeviceSetup, vulkanDeviceTeardown);
}
