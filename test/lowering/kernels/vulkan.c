//===- vulkan.c - Kernels run on Vulkan -----------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All buffers of a kernel lie in one piece of memory with gaps between them,
// which is copied back whole: what is written elsewhere shows.
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/linalg/kernel.h"
#include "xlac/lowering/vulkan/kernels.h"
#include "xlac/test/lowering/kernels/runner.h"
#include "xlac/test/lowering/vulkan/fixture.h"
#include "xlac/test/runtime/vulkan/device_fixture.h"
#include "xlac/test/support/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct KernelRunner {
  XlaVulkanDevice *device;
  XlaVulkanCode code;
};

static void onMessage(const char *text, void *user) {
  (void)user;
  fprintf(stderr, "validation: %s\n", text);
}

static XlaVulkanDevice *openDevice(void) {
  XlaVulkanDevice *device;
  XlaVulkanOptions options = {
      .validate = true, .message = onMessage, .cacheFolder = ""};
  XlaStatus status = xlaVulkanDeviceOpen(&options, 0, &device);
  if (xlaStatusCode(status) == XLA_STATUS_NOT_FOUND) {
    xlaStatusDestroy(status);
    options.validate = false;
    status = xlaVulkanDeviceOpen(&options, 0, &device);
  }
  if (xlaStatusCode(status) == XLA_STATUS_NOT_FOUND) {
    fprintf(stderr, "skipped: %s\n", xlaStatusMessage(status));
    skip();
  }
  vulkanCheckStatus(status);
  return device;
}

/// What the device can do, or a part of that.
static XlaVulkanInfo infoOf(const KernelRunner *runner) {
  XlaVulkanInfo info = *xlaVulkanDeviceGetInfo(runner->device);
#if defined XLAC_TEST_SMALL_DEVICE || defined XLAC_TEST_NO_SUBGROUPS
  info.kind = XlaVulkanKindDiscrete;
  info.maxGroupCount[0] = 3;
  info.maxGroupCount[1] = 5;
  info.maxGroupInvocations = info.maxGroupSize[0] = 64;
  info.subgroupArithmetic = info.subgroupBallot = false;
  info.subgroupShuffle = false;
#endif
#ifdef XLAC_TEST_GPU // whose threads share memory
  info.kind = XlaVulkanKindDiscrete;
#endif
#ifdef XLAC_TEST_SMALL_DEVICE // several bindings for a buffer
  info.maxBufferRange = 4096;
  info.offsetAlignment = 256;
  info.maxBindings = 64;
  info.maxGroupInvocations = info.maxGroupSize[0] = 16;
  info.sharedBytes = 1024;
#endif
#ifdef XLAC_TEST_ADDRESSES // all arrays are large
  assert_true(info.addresses);
  info.maxElements = 1;
#endif
  return info;
}

MlirLogicalResult kernelRunnerEmit(CpuFixture *fixture, MlirOperation op,
                                   MlirModule module, const char *name,
                                   MlirOperation *kernel) {
  (void)fixture;
  return xlaKernelEmit(op, module, name, &(XlaKernelDevice){.runsAtOnce = true},
                       kernel);
}

KernelRunner *kernelRunnerCreate(CpuFixture *fixture, MlirModule module) {
  KernelRunner *runner = calloc(1, sizeof *runner);
  assert_non_null(runner);
  runner->device = openDevice();
  XlaVulkanCodeOptions options = {.verify = true};
  XlaVulkanInfo info = infoOf(runner);
  if (mlirLogicalResultIsFailure(
          xlaVulkanCompileKernels(module, &info, &options, &runner->code)))
    fail_msg("compilation failed: %s", fixture->error);
  for (intptr_t i = 0; i < runner->code.nShaders; ++i)
    vulkanCheckWords(runner->code.shaders[i].name,
                     runner->code.shaders[i].words,
                     runner->code.shaders[i].nWords);
  return runner;
}

void kernelRunnerDestroy(KernelRunner *runner) {
  xlaVulkanCodeDestroy(&runner->code);
  assert_int_equal(xlaVulkanDeviceClose(runner->device), 0);
  free(runner);
}

/// Where the buffers lie in the image.
typedef struct Layout {
  intptr_t n;
  size_t offsets[128], size;
} Layout;

static Layout layOut(const KernelRunner *runner, intptr_t n, void **buffers,
                     const size_t *sizes) {
  Layout layout = {n, {0}, 0};
  size_t align =
      (size_t)xlaVulkanDeviceGetInfo(runner->device)->offsetAlignment;
  align = align < 64 ? 64 : align;
  assert_in_range(n, 0, 128);
  for (intptr_t i = 0; i < n; ++i) {
    intptr_t same = 0;
    while (buffers[same] != buffers[i])
      ++same;
    layout.offsets[i] = same < i ? layout.offsets[same] : layout.size;
    if (same == i)
      layout.size += (sizes[i] + 2 * align - 1) / align * align;
  }
  layout.size += align;
  return layout;
}

static XlaVulkanSpan spanOf(const KernelRunner *runner,
                            const XlaVulkanKernel *kernel, const Layout *layout,
                            const XlaVulkanBinding *binding) {
  (void)runner;
  XlaVulkanSpan span = {XlaVulkanMemoryArena, 0, binding->offset,
                        binding->bytes};
  if (binding->argument == XLA_VULKAN_KERNEL_CONSTANTS)
    span.memory = XlaVulkanMemoryConstant;
  else if (binding->argument == kernel->nArguments)
    span.memory = XlaVulkanMemoryScratch;
  else
    span.offset += (int64_t)layout->offsets[binding->argument];
  return span;
}

/// The steps of a kernel between copies of the image to and from the device.
static void runSteps(KernelRunner *runner, const XlaVulkanKernel *kernel,
                     const Layout *layout, const char *in, char *out) {
  intptr_t n = kernel->nDispatches;
  XlaVulkanStep *steps = calloc((size_t)n + 2, sizeof *steps);
  XlaVulkanSpan *spans =
      calloc((size_t)(n * 64 + 8), sizeof *spans); // enough for any device here
  assert_non_null(steps);
  assert_non_null(spans);
  int64_t bytes = (int64_t)layout->size;
  XlaVulkanSpan image[3] = {{XlaVulkanMemoryInput, 0, 0, bytes},
                            {XlaVulkanMemoryArena, 0, 0, bytes},
                            {XlaVulkanMemoryOutput, 0, 0, bytes}};
  steps[0] =
      (XlaVulkanStep){.shader = -1, .nSpans = 2, .spans = image, .written = 2};
  steps[n + 1] = (XlaVulkanStep){
      .shader = -1, .nSpans = 2, .spans = image + 1, .written = 2};
  for (intptr_t d = 0; d < n; ++d) {
    const XlaVulkanDispatch *dispatch = &kernel->dispatches[d];
    XlaVulkanStep *step = &steps[d + 1];
    *step = (XlaVulkanStep){.shader = dispatch->shader,
                            .groups = {dispatch->groups[0], dispatch->groups[1],
                                       dispatch->groups[2]},
                            .nSpans = dispatch->nBindings,
                            .spans = spans + d * 64};
    assert_in_range(dispatch->nBindings, 0, 64);
    for (intptr_t b = 0; b < dispatch->nBindings; ++b) {
      spans[d * 64 + b] =
          spanOf(runner, kernel, layout, &dispatch->bindings[b]);
      step->written |= (uint64_t)dispatch->bindings[b].isWritten << b;
    }
  }
  const intptr_t runs[2] = {0, n + 2};
  XlaVulkanProgramInfo info = {
      .nShaders = runner->code.nShaders,
      .shaders = runner->code.shaders,
      .nSteps = n + 2,
      .steps = steps,
      .nRuns = 1,
      .runs = runs,
      .nInputs = 1,
      .nOutputs = 1,
      .inputBytes = &bytes,
      .outputBytes = &bytes,
      .constantBytes = kernel->constantBytes,
      .nConstants = 1,
      .constants =
          &(XlaVulkanConstant){0, kernel->constantBytes, kernel->constants},
      .arenaBytes = bytes,
      .scratchBytes = kernel->scratchBytes};
  XlaVulkanProgram *program;
  vulkanCheckStatus(xlaVulkanProgramCreate(runner->device, &info, &program));
  vulkanCheckStatus(
      xlaVulkanProgramWriteInputs(program, (const void *const[]){in}));
  vulkanCheckStatus(xlaVulkanProgramExecute(program, NULL));
  vulkanCheckStatus(xlaVulkanProgramReadOutputs(program, (void *const[]){out}));
  xlaVulkanProgramDestroy(program);
  free(steps);
  free(spans);
}

void kernelRunnerRun(KernelRunner *runner, int index, intptr_t n,
                     intptr_t nOperands, void **buffers, const size_t *sizes) {
  assert_in_range(index, 0, runner->code.nKernels - 1);
  const XlaVulkanKernel *kernel = &runner->code.kernels[index];
  assert_int_equal(kernel->nArguments, n);
  Layout layout = layOut(runner, n, buffers, sizes);
  char *in = malloc(layout.size), *out = malloc(layout.size);
  assert_non_null(in);
  assert_non_null(out);
  memset(in, 0x5a, layout.size);
  for (intptr_t i = 0; i < n; ++i)
    if (sizes[i])
      memcpy(in + layout.offsets[i], buffers[i], sizes[i]);
  runSteps(runner, kernel, &layout, in, out);
  for (intptr_t i = nOperands; i < n; ++i)
    if (sizes[i]) {
      memcpy(buffers[i], out + layout.offsets[i], sizes[i]);
      memcpy(in + layout.offsets[i], buffers[i], sizes[i]);
    }
  if (memcmp(in, out, layout.size) != 0)
    fail_msg("kernel %s wrote outside of its results", kernel->name);
  free(in);
  free(out);
}
