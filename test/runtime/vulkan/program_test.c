//===- program_test.c - Programs on Vulkan --------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/test/runtime/vulkan/device_fixture.h"
#include "xlac/test/runtime/vulkan/layer.h"
#include "xlac/test/runtime/vulkan/shaders.h"
#include "xlac/test/support/unit.h"

#include <stdlib.h>
#include <string.h>

enum { N = 1000, Groups = (N + 63) / 64 };

/// 3 * x + 1, n times.
static int32_t affine(int32_t x, int n) {
  uint32_t bits = (uint32_t)x;
  for (int i = 0; i < n; ++i)
    bits = 3 * bits + 1;
  return (int32_t)bits;
}

static XlaVulkanSpan span(XlaVulkanMemory memory, intptr_t index,
                          int64_t offset, int64_t bytes) {
  return (XlaVulkanSpan){memory, index, offset, bytes};
}

/// Dispatches `shader` on N elements; its last span is written.
static XlaVulkanStep dispatch(intptr_t shader, intptr_t nSpans,
                              const XlaVulkanSpan *spans) {
  return (XlaVulkanStep){.shader = shader,
                         .groups = {Groups, 1, 1},
                         .nSpans = nSpans,
                         .spans = spans,
                         .written = (uint64_t)1 << (nSpans - 1)};
}

static XlaVulkanStep copyOf(const XlaVulkanSpan *spans) {
  return (XlaVulkanStep){
      .shader = -1, .nSpans = 2, .spans = spans, .written = 2};
}

static XlaVulkanProgram *create(XlaVulkanDevice *device,
                                const XlaVulkanProgramInfo *info) {
  XlaVulkanProgram *program = NULL;
  vulkanCheckStatus(xlaVulkanProgramCreate(device, info, &program));
  assert_non_null(program);
  return program;
}

static void execute(XlaVulkanProgram *program, const void *const *inputs,
                    void *const *outputs, void *user) {
  vulkanCheckStatus(xlaVulkanProgramWriteInputs(program, inputs));
  vulkanCheckStatus(xlaVulkanProgramExecute(program, user));
  vulkanCheckStatus(xlaVulkanProgramReadOutputs(program, outputs));
}

static void oneDispatch(void **state) {
  XlaVulkanDevice *device = vulkanDevice(state);
  float a[N], b[N], c[N];
  for (int i = 0; i < N; ++i) {
    a[i] = (float)i;
    b[i] = (float)(3 * i) + 0.5F;
    c[i] = -1;
  }
  VulkanArray arrays[] = {
      {a, sizeof a, false}, {b, sizeof b, false}, {c, sizeof c, true}};
  vulkanRunShader(device, &vulkanShaderAdd, (uint32_t[]){Groups, 1, 1}, arrays);
  for (int i = 0; i < N; ++i)
    assert_true(c[i] == (float)(4 * i) + 0.5F);
}

// input -> output, then `affine` on the output 20 times: each step needs what
// the one before it wrote.
static void chain(void **state) {
  XlaVulkanDevice *device = vulkanDevice(state);
  enum { Length = 20 };
  const int64_t bytes = N * sizeof(int32_t);
  XlaVulkanSpan copied[] = {span(XlaVulkanMemoryInput, 0, 0, bytes),
                            span(XlaVulkanMemoryOutput, 0, 0, bytes)};
  XlaVulkanStep steps[Length + 1] = {copyOf(copied)};
  for (int i = 0; i < Length; ++i)
    steps[i + 1] = dispatch(0, 1, &copied[1]);
  XlaVulkanProgramInfo info = {.nShaders = 1,
                               .shaders = &vulkanShaderAffine,
                               .nSteps = Length + 1,
                               .steps = steps,
                               .nRuns = 1,
                               .runs = (intptr_t[]){0, Length + 1},
                               .nInputs = 1,
                               .nOutputs = 1,
                               .inputBytes = &bytes,
                               .outputBytes = &bytes};
  XlaVulkanProgram *program = create(device, &info);
  const XlaVulkanProgramStats *stats = xlaVulkanProgramGetStats(program);
  assert_int_equal(stats->nDispatches, Length);
  assert_int_equal(stats->nBarriers, Length + 1); // one at the end
  assert_true(stats->deviceBytes >= 2 * bytes);
  int32_t in[N], out[N];
  for (int i = 0; i < N; ++i)
    in[i] = i * 7919;
  for (int repeat = 0; repeat < 3; ++repeat) {
    execute(program, (const void *[]){in}, (void *[]){out}, NULL);
    for (int i = 0; i < N; ++i)
      assert_int_equal(out[i], affine(in[i], Length));
  }
  xlaVulkanProgramDestroy(program);
}

// Steps on parts of the arena: no barrier between those that do not touch each
// other's, one where a later step writes what an earlier one reads.
static void barriers(void **state) {
  XlaVulkanDevice *device = vulkanDevice(state);
  const int64_t bytes = 4096; // of N elements and more
  XlaVulkanSpan spans[6];
  for (int i = 0; i < 6; ++i)
    spans[i] = span(XlaVulkanMemoryArena, 0, bytes * i, bytes);
  const XlaVulkanShader shaders[] = {vulkanShaderAffine, vulkanShaderReverse};
  const XlaVulkanStep independent[] = {
      dispatch(0, 1, &spans[0]), dispatch(0, 1, &spans[1]),
      dispatch(1, 2, &spans[2]), dispatch(0, 1, &spans[4]),
      copyOf((XlaVulkanSpan[]){spans[2], spans[5]})};
  const XlaVulkanStep writesWhatWasRead[] = {dispatch(1, 2, &spans[2]),
                                             dispatch(0, 1, &spans[2])};
  const XlaVulkanStep writesTwice[] = {
      dispatch(1, 2, &spans[2]),
      dispatch(1, 2, (XlaVulkanSpan[]){spans[0], spans[3]})};
  XlaVulkanSpan within = spans[3]; // the last byte of what was written
  within.offset += bytes - 64;
  within.bytes = 64;
  const XlaVulkanStep readsPart[] = {
      dispatch(1, 2, &spans[2]),
      copyOf((XlaVulkanSpan[]){within, {XlaVulkanMemoryArena, 0, 0, 64}})};
  const struct {
    intptr_t n, nBarriers;
    const XlaVulkanStep *steps;
  } cases[] = {{5, 0, independent},
               {2, 1, writesWhatWasRead},
               {2, 1, writesTwice},
               {2, 1, readsPart}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    XlaVulkanProgramInfo info = {.nShaders = 2,
                                 .shaders = shaders,
                                 .nSteps = cases[i].n,
                                 .steps = cases[i].steps,
                                 .nRuns = 1,
                                 .runs = (intptr_t[]){0, cases[i].n},
                                 .arenaBytes = 6 * bytes};
    XlaVulkanProgram *program = create(device, &info);
    assert_int_equal(xlaVulkanProgramGetStats(program)->nBarriers,
                     cases[i].nBarriers + 1);
    vulkanCheckStatus(xlaVulkanProgramExecute(program, NULL));
    xlaVulkanProgramDestroy(program);
  }
}

// More independent steps than are remembered.
static void manySteps(void **state) {
  XlaVulkanDevice *device = vulkanDevice(state);
  enum { Steps = 3000, Bytes = 256 };
  XlaVulkanSpan *spans = calloc(Steps, sizeof *spans);
  XlaVulkanStep *steps = calloc(Steps, sizeof *steps);
  int32_t *in = calloc(Steps, Bytes), *out = calloc(Steps, Bytes);
  const int64_t bytes = Steps * Bytes;
  XlaVulkanSpan whole[] = {span(XlaVulkanMemoryInput, 0, 0, bytes),
                           span(XlaVulkanMemoryOutput, 0, 0, bytes)};
  steps[0] = copyOf(whole);
  for (int i = 1; i < Steps; ++i) {
    spans[i] = span(XlaVulkanMemoryOutput, 0, i * Bytes, Bytes);
    steps[i] = dispatch(0, 1, &spans[i]);
    steps[i].groups[0] = 1;
  }
  XlaVulkanProgramInfo info = {.nShaders = 1,
                               .shaders = &vulkanShaderAffine,
                               .nSteps = Steps,
                               .steps = steps,
                               .nRuns = 1,
                               .runs = (intptr_t[]){0, Steps},
                               .nInputs = 1,
                               .nOutputs = 1,
                               .inputBytes = &bytes,
                               .outputBytes = &bytes};
  XlaVulkanProgram *program = create(device, &info);
  assert_in_range(xlaVulkanProgramGetStats(program)->nBarriers, 3, 20);
  for (int i = 0; i < Steps * Bytes / 4; ++i)
    in[i] = i;
  execute(program, (const void *[]){in}, (void *[]){out}, NULL);
  for (int i = 0; i < Steps * Bytes / 4; ++i)
    assert_int_equal(out[i], affine(i, i * 4 >= Bytes));
  xlaVulkanProgramDestroy(program);
  free(spans);
  free(steps);
  free(in);
  free(out);
}

/// A program of runs that the host decides between. Run 0 copies the input to
/// the arena, run 1 applies `affine` to it, run 2 adds the constants' first
/// half, reversed, into the output.
typedef struct Hosted {
  XlaVulkanProgramInfo info;
  XlaVulkanSpan copied[2], reversed[2], moved[2];
  XlaVulkanStep steps[4];
  intptr_t runs[4];
  XlaVulkanShader shaders[2];
  int64_t inputBytes, outputBytes[2];
  int32_t constants[N];
  XlaVulkanConstant parts[2]; // of them
} Hosted;

enum { ArenaOffset = 4096 };

static void makeHosted(Hosted *hosted,
                       void (*entry)(XlaVulkanProgram *, void *)) {
  const int64_t bytes = N * sizeof(int32_t);
  XlaVulkanSpan arena = span(XlaVulkanMemoryArena, 0, ArenaOffset, bytes);
  *hosted = (Hosted){.shaders = {vulkanShaderAffine, vulkanShaderReverse},
                     .inputBytes = bytes,
                     .outputBytes = {bytes, bytes},
                     .runs = {0, 1, 2, 4}};
  hosted->copied[0] = span(XlaVulkanMemoryInput, 0, 0, bytes);
  hosted->copied[1] = arena;
  hosted->moved[0] = arena;
  hosted->moved[1] = span(XlaVulkanMemoryOutput, 0, 0, bytes);
  hosted->reversed[0] = span(XlaVulkanMemoryConstant, 0, 0, bytes);
  hosted->reversed[1] = span(XlaVulkanMemoryOutput, 1, 0, bytes);
  hosted->steps[0] = copyOf(hosted->copied);
  hosted->steps[1] = dispatch(0, 1, &hosted->copied[1]);
  hosted->steps[2] = copyOf(hosted->moved);
  hosted->steps[3] = dispatch(1, 2, hosted->reversed);
  for (int i = 0; i < N; ++i)
    hosted->constants[i] = 1000003 * i;
  hosted->parts[0] = (XlaVulkanConstant){4, bytes - 4, hosted->constants + 1};
  hosted->parts[1] = (XlaVulkanConstant){0, 4, hosted->constants};
  hosted->info = (XlaVulkanProgramInfo){.nShaders = 2,
                                        .shaders = hosted->shaders,
                                        .nSteps = 4,
                                        .steps = hosted->steps,
                                        .nRuns = 3,
                                        .runs = hosted->runs,
                                        .nInputs = 1,
                                        .nOutputs = 2,
                                        .inputBytes = &hosted->inputBytes,
                                        .outputBytes = hosted->outputBytes,
                                        .constantBytes = bytes,
                                        .nConstants = 2,
                                        .constants = hosted->parts,
                                        .arenaBytes = ArenaOffset + bytes,
                                        .entry = entry};
}

/// Applies run 1 until element 5 is 1000 or more, then puts -1 in element 7.
static void loop(XlaVulkanProgram *program, void *user) {
  int *trips = user;
  XlaVulkanSpan five = span(XlaVulkanMemoryArena, 0, ArenaOffset + (5 * 4), 4);
  XlaVulkanSpan seven = span(XlaVulkanMemoryArena, 0, ArenaOffset + (7 * 4), 4);
  xlaVulkanProgramLaunch(program, 0);
  for (*trips = 0; *trips < 100; ++*trips) {
    int32_t value = -1;
    xlaVulkanProgramLoad(program, &five, &value);
    if (value >= 1000)
      break;
    xlaVulkanProgramLaunch(program, 1);
  }
  xlaVulkanProgramStore(program, &seven, &(int32_t){-1});
  xlaVulkanProgramLaunch(program, 2);
}

static void runLoop(XlaVulkanDevice *device) {
  Hosted hosted;
  makeHosted(&hosted, loop);
  XlaVulkanProgram *program = create(device, &hosted.info);
  // What the program keeps is its own.
  int32_t constants[N];
  memcpy(constants, hosted.constants, sizeof constants);
  memset(&hosted, 0xff, sizeof hosted);
  int32_t in[N], out[N], reversed[N];
  for (int start = 1; start < 4; ++start) {
    for (int i = 0; i < N; ++i)
      in[i] = start + i - 5;
    int trips = -1, expected = 0;
    while (affine(start, expected) < 1000)
      ++expected;
    execute(program, (const void *[]){in}, (void *[]){out, reversed}, &trips);
    assert_int_equal(trips, expected);
    for (int i = 0; i < N; ++i) {
      assert_int_equal(out[i], i == 7 ? -1 : affine(in[i], expected));
      assert_int_equal(reversed[i], constants[N - 1 - i]);
    }
  }
  xlaVulkanProgramDestroy(program);
}

static void loopOnHost(void **state) { runLoop(vulkanDevice(state)); }

static void launchMany(XlaVulkanProgram *program, void *user) {
  const int *n = user;
  xlaVulkanProgramLaunch(program, 0);
  for (int i = 0; i < *n; ++i)
    xlaVulkanProgramLaunch(program, 1);
  xlaVulkanProgramLaunch(program, 2);
}

// The same run is in the queue many times at once.
static void hostRunsAhead(void **state) {
  XlaVulkanDevice *device = vulkanDevice(state);
  Hosted hosted;
  makeHosted(&hosted, launchMany);
  XlaVulkanProgram *program = create(device, &hosted.info);
  int32_t in[N], out[N], reversed[N];
  for (int i = 0; i < N; ++i)
    in[i] = i;
  const int counts[] = {0, 1, 5, 6, 7, 300};
  for (size_t k = 0; k < sizeof counts / sizeof *counts; ++k) {
    int n = counts[k];
    execute(program, (const void *[]){in}, (void *[]){out, reversed}, &n);
    for (int i = 0; i < N; ++i)
      assert_int_equal(out[i], affine(i, n));
  }
  xlaVulkanProgramDestroy(program);
}

static void setAndLaunch(XlaVulkanProgram *program, void *user) {
  const int *n = user;
  XlaVulkanSpan five = span(XlaVulkanMemoryArena, 0, ArenaOffset + (5 * 4), 4);
  XlaVulkanSpan six = span(XlaVulkanMemoryArena, 0, ArenaOffset + (6 * 4), 8);
  XlaVulkanSpan half = span(XlaVulkanMemoryArena, 0, ArenaOffset + (8 * 4), 2);
  XlaVulkanSpan byte = span(XlaVulkanMemoryOutput, 1, 9 * 4, 1);
  xlaVulkanProgramLaunch(program, 0);
  for (int i = 0; i < *n; ++i) {
    xlaVulkanProgramSet(program, &five, i);
    xlaVulkanProgramLaunch(program, 1);
  }
  for (int i = 0; i < 40; ++i) // the last one counts
    xlaVulkanProgramSet(program, &six, INT64_C(0x500000007) + i);
  xlaVulkanProgramSet(program, &half, 0x1234);
  int64_t value = 0;
  xlaVulkanProgramLoad(program, &six, &value);
  assert_int_equal(value, INT64_C(0x500000007) + 39);
  xlaVulkanProgramSet(program, &half, 0x4321); // the device is idle
  xlaVulkanProgramLaunch(program, 2);
  xlaVulkanProgramSet(program, &byte, 0xab);
}

// What is set is there for the runs that follow, and not for those before.
static void scalarsInOrder(void **state) {
  XlaVulkanDevice *device = vulkanDevice(state);
  Hosted hosted;
  makeHosted(&hosted, setAndLaunch);
  XlaVulkanProgram *program = create(device, &hosted.info);
  int32_t in[N] = {0}, out[N], reversed[N];
  const int counts[] = {0, 1, 2, 300};
  for (size_t k = 0; k < sizeof counts / sizeof *counts; ++k) {
    int n = counts[k];
    execute(program, (const void *[]){in}, (void *[]){out, reversed}, &n);
    assert_int_equal(out[4], affine(0, n));
    assert_int_equal(out[5], n ? affine(n - 1, 1) : 0);
    assert_int_equal(out[6], 7 + 39);
    assert_int_equal(out[7], 5);
    assert_int_equal((uint16_t)out[8], 0x4321);
    assert_int_equal((uint8_t)reversed[9], 0xab);
  }
  xlaVulkanProgramDestroy(program);
}

static void badCalls(XlaVulkanProgram *program, void *user) {
  const char *what = user;
  int64_t data = -1;
  XlaVulkanSpan outside = span(XlaVulkanMemoryOutput, 1, N * 4 - 4, 8);
  XlaVulkanSpan nowhere = span(XlaVulkanMemoryInput, 1, 0, 8);
  XlaVulkanSpan fine = span(XlaVulkanMemoryArena, 0, 0, 8);
  if (!strcmp(what, "run 3 of 3"))
    xlaVulkanProgramLaunch(program, 3);
  else if (!strcmp(what, "run -1 of 3"))
    xlaVulkanProgramLaunch(program, -1);
  else if (!strcmp(what, "not within 4000 bytes"))
    xlaVulkanProgramLoad(program, &outside, &data);
  else if (!strcmp(what, "3 bytes at 0 are set"))
    xlaVulkanProgramSet(program,
                        &(XlaVulkanSpan){XlaVulkanMemoryArena, 0, 0, 3}, data);
  else if (!strcmp(what, "4 bytes at 2 are set"))
    xlaVulkanProgramSet(program,
                        &(XlaVulkanSpan){XlaVulkanMemoryArena, 0, 2, 4}, data);
  else
    xlaVulkanProgramStore(program, &nowhere, &data);
  xlaVulkanProgramLaunch(program, 0);
  data = -1;
  xlaVulkanProgramLoad(program, &fine, &data);
  assert_int_equal(data, 0);
  xlaVulkanProgramStore(program, &fine, &data);
  xlaVulkanProgramSet(program, &fine, data);
}

static void failuresInEntry(void **state) {
  XlaVulkanDevice *device = vulkanDevice(state);
  Hosted hosted;
  makeHosted(&hosted, badCalls);
  XlaVulkanProgram *program = create(device, &hosted.info);
  const char *const messages[] = {"run 3 of 3",
                                  "run -1 of 3",
                                  "not within 4000 bytes",
                                  "3 bytes at 0 are set",
                                  "4 bytes at 2 are set",
                                  "in input 1, which is not there"};
  for (size_t i = 0; i < sizeof messages / sizeof *messages; ++i)
    vulkanExpectStatus(xlaVulkanProgramExecute(program, (void *)messages[i]),
                       XLA_STATUS_INVALID_ARGUMENT, messages[i]);
  xlaVulkanProgramDestroy(program);
}

// Programs with nothing in them, and arrays of no bytes.
static void nothing(void **state) {
  XlaVulkanDevice *device = vulkanDevice(state);
  XlaVulkanProgram *program = create(device, &(XlaVulkanProgramInfo){0});
  execute(program, NULL, NULL, NULL);
  xlaVulkanProgramDestroy(program);

  const int64_t bytes[] = {0, 4, 0};
  XlaVulkanSpan copied[] = {span(XlaVulkanMemoryInput, 1, 0, 4),
                            span(XlaVulkanMemoryOutput, 1, 0, 4)};
  XlaVulkanStep step = copyOf(copied);
  XlaVulkanProgramInfo info = {.nSteps = 1,
                               .steps = &step,
                               .nRuns = 3,
                               .runs = (intptr_t[]){0, 1, 1, 1},
                               .nInputs = 3,
                               .nOutputs = 3,
                               .inputBytes = bytes,
                               .outputBytes = bytes};
  program = create(device, &info);
  int32_t in = 42, out = 0;
  execute(program, (const void *[]){NULL, &in, NULL},
          (void *[]){NULL, &out, NULL}, NULL);
  assert_int_equal(out, 42);
  xlaVulkanProgramDestroy(program);
}

static void openLayered(VulkanMemoryMode mode, XlaVulkanDevice **device) {
  vulkanLayerReset(mode);
  XlaVulkanOptions options = {.cacheFolder = "", .replace = vulkanLayerReplace};
  vulkanCheckStatus(xlaVulkanDeviceOpen(&options, 0, device));
}

/// Only such a device can stand for all others.
static void needUnified(void **state) {
  if (!xlaVulkanDeviceGetInfo(vulkanDevice(state))->isUnified)
    skip();
}

// Whatever memory the device has.
static void kindsOfMemory(void **state) {
  needUnified(state);
  for (VulkanMemoryMode mode = 0; mode < VulkanMemoryModes; ++mode) {
    XlaVulkanDevice *device = NULL;
    openLayered(mode, &device);
    bool isSplit =
        mode == VulkanMemorySplit || mode == VulkanMemorySplitIncoherent;
    assert_int_equal(xlaVulkanDeviceGetInfo(device)->isUnified, !isSplit);
    runLoop(device);
    bool isIncoherent =
        mode == VulkanMemoryIncoherent || mode == VulkanMemorySplitIncoherent;
    bool hasFlushed = vulkanLayerCalls("vkFlushMappedMemoryRanges") > 0;
    bool hasRead = vulkanLayerCalls("vkInvalidateMappedMemoryRanges") > 0;
    assert_int_equal(hasFlushed, isIncoherent);
    assert_int_equal(hasRead, isIncoherent);
    xlaVulkanDeviceClose(device);
    assert_int_equal(vulkanLayerLive(), 0);
  }
}

// Arrays that do not fit the staging buffer, and end in the middle of a word.
static void largeTransfers(void **state) {
  needUnified(state);
  enum { Bytes = (19 << 20) + 7 };
  const int64_t bytes[] = {5, Bytes, 1};
  char *in = malloc(Bytes), *out = malloc(Bytes);
  assert_true(in && out);
  for (int i = 0; i < Bytes; ++i)
    in[i] = (char)(i * 31 + i / 255);
  for (VulkanMemoryMode mode = 0; mode < VulkanMemoryModes; ++mode) {
    XlaVulkanDevice *device = NULL;
    openLayered(mode, &device);
    XlaVulkanSpan spans[3][2];
    XlaVulkanStep steps[3];
    for (int i = 0; i < 3; ++i) {
      spans[i][0] = span(XlaVulkanMemoryInput, i, 0, bytes[i]);
      spans[i][1] = span(XlaVulkanMemoryOutput, 2 - i, 0, bytes[i]);
      steps[i] = copyOf(spans[i]);
    }
    XlaVulkanProgramInfo info = {.nSteps = 3,
                                 .steps = steps,
                                 .nRuns = 1,
                                 .runs = (intptr_t[]){0, 3},
                                 .nInputs = 3,
                                 .nOutputs = 3,
                                 .inputBytes = bytes,
                                 .outputBytes = (int64_t[]){1, Bytes, 5}};
    XlaVulkanProgram *program = create(device, &info);
    const char first[] = "abcde", last = 'z';
    char outFirst = 0, outLast[5] = "";
    memset(out, 0, Bytes);
    execute(program, (const void *[]){first, in, &last},
            (void *[]){&outFirst, out, outLast}, NULL);
    assert_memory_equal(in, out, Bytes);
    assert_memory_equal(outLast, "abcde", 5);
    assert_int_equal(outFirst, 'z');
    xlaVulkanProgramDestroy(program);
    xlaVulkanDeviceClose(device);
    assert_int_equal(vulkanLayerLive(), 0);
  }
  free(in);
  free(out);
}

// A loop of runs on a device that is ahead by at most some submissions.
static void boundedQueue(void **state) {
  needUnified(state);
  XlaVulkanDevice *device = NULL;
  openLayered(VulkanMemoryAsIs, &device);
  Hosted hosted;
  makeHosted(&hosted, launchMany);
  XlaVulkanProgram *program = create(device, &hosted.info);
  int before = vulkanLayerCalls("vkQueueSubmit");
  int waits = vulkanLayerCalls("vkWaitSemaphores");
  int n = 1000;
  vulkanCheckStatus(xlaVulkanProgramExecute(program, &n));
  int submits = vulkanLayerCalls("vkQueueSubmit") - before;
  assert_in_range(submits, 1, 300); // several runs at once
  assert_in_range(vulkanLayerCalls("vkWaitSemaphores") - waits, 2, 100);
  xlaVulkanProgramDestroy(program);
  xlaVulkanDeviceClose(device);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(oneDispatch),    cmocka_unit_test(chain),
      cmocka_unit_test(barriers),       cmocka_unit_test(manySteps),
      cmocka_unit_test(loopOnHost),     cmocka_unit_test(hostRunsAhead),
      cmocka_unit_test(scalarsInOrder), cmocka_unit_test(failuresInEntry),
      cmocka_unit_test(nothing),        cmocka_unit_test(kindsOfMemory),
      cmocka_unit_test(largeTransfers), cmocka_unit_test(boundedQueue),
  };
  return cmocka_run_group_tests(tests, vulkanDeviceSetup, vulkanDeviceTeardown);
}
