//===- device_fixture.c - Running shaders in tests ------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/test/runtime/vulkan/device_fixture.h"
#include "xlac/test/support/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// LeakSanitizer calls it. llvmpipe compiles shaders with LLVM 15, which keeps
// some of what it allocated for each; the stack that it shows ends in the
// library of C++, which neither the runtime nor the loader use. The validation
// layer keeps what it knows of shaders.
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) {
  return "leak:libstdc++.so.6\nleak:libVkLayer_khronos_validation.so\n";
}

typedef struct Fixture {
  XlaVulkanDevice *device;
  XlaStatus whyNot; ///< there is no device
} Fixture;

static void printMessage(const char *text, void *user) {
  fprintf(stderr, "validation: %s\n", text);
}

int vulkanDeviceSetup(void **state) {
  Fixture *fixture = calloc(1, sizeof *fixture);
  if (!fixture)
    return -1;
  XlaVulkanOptions options = {
      .validate = true, .message = printMessage, .cacheFolder = ""};
  XlaStatus status = xlaVulkanDeviceOpen(&options, 0, &fixture->device);
  if (xlaStatusCode(status) == XLA_STATUS_NOT_FOUND) { // the layer, perhaps
    fprintf(stderr, "%s\n", xlaStatusMessage(status));
    xlaStatusDestroy(status);
    options.validate = false;
    status = xlaVulkanDeviceOpen(&options, 0, &fixture->device);
  }
  fixture->whyNot = status;
  *state = fixture;
  return 0;
}

int vulkanDeviceTeardown(void **state) {
  Fixture *fixture = *state;
  int64_t messages = xlaVulkanDeviceClose(fixture->device);
  xlaStatusDestroy(fixture->whyNot);
  free(fixture);
  return messages ? -1 : 0;
}

XlaVulkanDevice *vulkanDevice(void **state) {
  const Fixture *fixture = *state;
  if (!fixture->device) {
    fprintf(stderr, "skipped: %s\n", xlaStatusMessage(fixture->whyNot));
    skip();
  }
  return fixture->device;
}

void vulkanCheckStatus(XlaStatus status) {
  if (status)
    fail_msg("%s: %s (%s:%d)", xlaStatusCodeName(xlaStatusCode(status)),
             xlaStatusMessage(status), xlaStatusFile(status),
             xlaStatusLine(status));
}

void vulkanExpectStatus(XlaStatus status, XlaStatusCode code,
                        const char *part) {
  if (xlaStatusCode(status) != code || !strstr(xlaStatusMessage(status), part))
    fail_msg("%s: %s, and not %s: .. %s ..",
             xlaStatusCodeName(xlaStatusCode(status)), xlaStatusMessage(status),
             xlaStatusCodeName(code), part);
  xlaStatusDestroy(status);
}

static XlaStatus run(XlaVulkanDevice *device, const XlaVulkanProgramInfo *info,
                     const void *const *inputs, void *const *outputs) {
  XlaVulkanProgram *program = NULL;
  XLA_RETURN_IF_ERROR(xlaVulkanProgramCreate(device, info, &program));
  XlaStatus status = xlaVulkanProgramWriteInputs(program, inputs);
  if (!status)
    status = xlaVulkanProgramExecute(program, NULL);
  if (!status)
    status = xlaVulkanProgramReadOutputs(program, outputs);
  xlaVulkanProgramDestroy(program);
  return status;
}

XlaStatus vulkanTryRunShader(XlaVulkanDevice *device,
                             const XlaVulkanShader *shader,
                             const uint32_t groups[3],
                             const VulkanArray *arrays) {
  enum { Most = 64 };
  // All arrays are inputs; written ones are copied to outputs first.
  const void *inputs[Most];
  void *outputs[Most];
  int64_t inputBytes[Most], outputBytes[Most];
  XlaVulkanSpan spans[Most], copied[Most][2];
  XlaVulkanStep steps[Most + 1];
  intptr_t n = shader->nBindings, nOutputs = 0;
  uint64_t written = 0;
  assert_in_range(n, 0, Most);
  for (intptr_t i = 0; i < n; ++i) {
    inputs[i] = arrays[i].data;
    inputBytes[i] = arrays[i].bytes;
    spans[i] = (XlaVulkanSpan){XlaVulkanMemoryInput, i, 0, arrays[i].bytes};
    if (!arrays[i].isWritten)
      continue;
    written |= (uint64_t)1 << i;
    copied[nOutputs][0] = spans[i];
    spans[i].memory = XlaVulkanMemoryOutput;
    spans[i].index = nOutputs;
    copied[nOutputs][1] = spans[i];
    steps[nOutputs] = (XlaVulkanStep){
        .shader = -1, .nSpans = 2, .spans = copied[nOutputs], .written = 2};
    outputs[nOutputs] = arrays[i].data;
    outputBytes[nOutputs++] = arrays[i].bytes;
  }
  steps[nOutputs] = (XlaVulkanStep){.shader = 0,
                                    .groups = {groups[0], groups[1], groups[2]},
                                    .nSpans = n,
                                    .spans = spans,
                                    .written = written};
  const intptr_t runs[] = {0, nOutputs + 1};
  XlaVulkanProgramInfo info = {.nShaders = 1,
                               .shaders = shader,
                               .nSteps = nOutputs + 1,
                               .steps = steps,
                               .nRuns = 1,
                               .runs = runs,
                               .nInputs = n,
                               .nOutputs = nOutputs,
                               .inputBytes = inputBytes,
                               .outputBytes = outputBytes};
  return run(device, &info, inputs, outputs);
}

void vulkanRunShader(XlaVulkanDevice *device, const XlaVulkanShader *shader,
                     const uint32_t groups[3], const VulkanArray *arrays) {
  vulkanCheckStatus(vulkanTryRunShader(device, shader, groups, arrays));
}
