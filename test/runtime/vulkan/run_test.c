//===- run_test.c - Programs on arrays of the device ----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/test/runtime/vulkan/device_fixture.h"
#include "xlac/test/runtime/vulkan/layer.h"
#include "xlac/test/runtime/vulkan/shaders.h"
#include "xlac/test/support/unit.h"

#include "xlac/runtime/vulkan/array_internal.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { N = 1000, Bytes = N * 4, Groups = (N + 63) / 64 };

static const int64_t bytesOf[] = {Bytes, Bytes, Bytes};

/// 3 * x + 1, n times.
static int32_t affine(int32_t x, int n) {
  uint32_t bits = (uint32_t)x;
  for (int i = 0; i < n; ++i)
    bits = 3 * bits + 1;
  return (int32_t)bits;
}

static XlaVulkanSpan span(XlaVulkanMemory memory, intptr_t index) {
  return (XlaVulkanSpan){memory, index, 0, Bytes};
}

static XlaVulkanProgram *create(XlaVulkanDevice *device,
                                const XlaVulkanProgramInfo *info) {
  XlaVulkanProgram *program = NULL;
  vulkanCheckStatus(xlaVulkanProgramCreate(device, info, &program));
  assert_non_null(program);
  return program;
}

/// A program of one run of `n` steps with one shader.
static XlaVulkanProgram *createStraight(XlaVulkanDevice *device,
                                        const XlaVulkanShader *shader,
                                        intptr_t n, const XlaVulkanStep *steps,
                                        intptr_t nInputs,
                                        const intptr_t *aliases) {
  const intptr_t runs[] = {0, n};
  XlaVulkanProgramInfo info = {.nShaders = 1,
                               .shaders = shader,
                               .nSteps = n,
                               .steps = steps,
                               .nRuns = 1,
                               .runs = runs,
                               .nInputs = nInputs,
                               .nOutputs = 1,
                               .inputBytes = bytesOf,
                               .outputBytes = bytesOf,
                               .aliases = aliases,
                               .arenaBytes = Bytes};
  return create(device, &info);
}

/// Output = affine(input), through the arena.
static XlaVulkanProgram *createAffine(XlaVulkanDevice *device) {
  XlaVulkanSpan in[] = {span(XlaVulkanMemoryInput, 0),
                        span(XlaVulkanMemoryArena, 0)};
  XlaVulkanSpan out[] = {in[1], span(XlaVulkanMemoryOutput, 0)};
  XlaVulkanStep steps[] = {
      {.shader = -1, .nSpans = 2, .spans = in, .written = 2},
      {0, {Groups, 1, 1}, 1, &in[1], 1, NULL},
      {.shader = -1, .nSpans = 2, .spans = out, .written = 2}};
  return createStraight(device, &vulkanShaderAffine, 3, steps, 1, NULL);
}

/// Output = affine(donated input), twice.
static XlaVulkanProgram *createInPlace(XlaVulkanDevice *device) {
  XlaVulkanSpan out = span(XlaVulkanMemoryOutput, 0);
  XlaVulkanStep steps[] = {{0, {Groups, 1, 1}, 1, &out, 1, NULL},
                           {0, {Groups, 1, 1}, 1, &out, 1, NULL}};
  const intptr_t alias = 0;
  return createStraight(device, &vulkanShaderAffine, 2, steps, 1, &alias);
}

/// Output = input 0 + input 1, of floats.
static XlaVulkanProgram *createAdd(XlaVulkanDevice *device) {
  XlaVulkanSpan spans[] = {span(XlaVulkanMemoryInput, 0),
                           span(XlaVulkanMemoryInput, 1),
                           span(XlaVulkanMemoryOutput, 0)};
  XlaVulkanStep step = {0, {Groups, 1, 1}, 3, spans, 4, NULL};
  return createStraight(device, &vulkanShaderAdd, 1, &step, 2, NULL);
}

static XlaVulkanArray *array(XlaVulkanDevice *device) {
  XlaVulkanArray *made = NULL;
  vulkanCheckStatus(xlaVulkanArrayCreate(device, Bytes, &made));
  return made;
}

static XlaVulkanArray *arrayOf(XlaVulkanDevice *device, const void *data) {
  XlaVulkanArray *made = array(device);
  vulkanCheckStatus(xlaVulkanArrayWrite(made, 0, Bytes, data));
  return made;
}

static uint64_t run(XlaVulkanProgram *program, XlaVulkanArray *const *inputs,
                    XlaVulkanArray *output) {
  uint64_t number = 0;
  vulkanCheckStatus(
      xlaVulkanProgramRun(program, inputs, &output, NULL, &number));
  assert_true(number > 0 && xlaVulkanArrayGetWritten(output) == number);
  return number;
}

static void expectAffine(XlaVulkanArray *array, int first, int n) {
  int32_t out[N];
  vulkanCheckStatus(xlaVulkanArrayRead(array, 0, Bytes, out));
  for (int i = 0; i < N; ++i)
    assert_int_equal(out[i], affine(first + i, n));
}

static XlaVulkanArray *count(XlaVulkanDevice *device, int first) {
  int32_t in[N];
  for (int i = 0; i < N; ++i)
    in[i] = first + i;
  return arrayOf(device, in);
}

/// Only such a device can stand for all others.
static void needUnified(void **state) {
  if (!xlaVulkanDeviceGetInfo(vulkanDevice(state))->isUnified)
    skip();
}

// A chain of runs without waits. Arrays are destroyed when they have been read
// by what was asked for; a loop sees the same memory again, and records little.
static void chain(void **state) {
  XlaVulkanDevice *device = vulkanDevice(state);
  enum { Length = 300 };
  XlaVulkanProgram *program = createAffine(device);
  XlaVulkanArray *value = count(device, 5), *other = count(device, 7);
  uint64_t last = 0;
  for (int i = 0; i < Length; ++i) {
    XlaVulkanArray *next = array(device);
    uint64_t number = run(program, &value, next);
    assert_true(number > last);
    last = number;
    xlaVulkanArrayDestroy(value);
    value = next;
  }
  // What is not in the chain can be read meanwhile.
  expectAffine(other, 7, 0);
  expectAffine(value, 5, Length);
  assert_true(xlaVulkanDeviceReached(device) >= last);
  const XlaVulkanProgramStats *stats = xlaVulkanProgramGetStats(program);
  assert_in_range(stats->nRecorded, 1, 3);
  assert_int_equal(stats->nDispatches, 1);
  xlaVulkanArrayDestroy(value);
  xlaVulkanArrayDestroy(other);
  xlaVulkanProgramDestroy(program);
}

// More sets of arrays than are kept, all in flight.
static void manyBindings(void **state) {
  XlaVulkanDevice *device = vulkanDevice(state);
  enum { Arrays = 3 * XlaVulkanBindingsMax };
  XlaVulkanProgram *program = createAffine(device);
  XlaVulkanArray *arrays[Arrays + 1];
  for (int i = 0; i <= Arrays; ++i)
    arrays[i] = count(device, i);
  for (int round = 0; round < 3; ++round)
    for (int i = 0; i < Arrays; ++i)
      (void)run(program, &arrays[i], arrays[i + 1]);
  expectAffine(arrays[0], 0, 0);
  for (int i = 1; i <= Arrays; ++i)
    expectAffine(arrays[i], 0, i);
  assert_int_equal(xlaVulkanProgramGetStats(program)->nRecorded, 3 * Arrays);
  for (int i = 0; i <= Arrays; ++i)
    xlaVulkanArrayDestroy(arrays[i]);
  xlaVulkanProgramDestroy(program);
}

// One array is an input of two programs, and both inputs of one.
static void sharedInput(void **state) {
  XlaVulkanDevice *device = vulkanDevice(state);
  XlaVulkanProgram *program = createAffine(device), *add = createAdd(device);
  float in[N], out[N];
  for (int i = 0; i < N; ++i)
    in[i] = (float)i + 0.5F;
  XlaVulkanArray *x = arrayOf(device, in), *y = array(device),
                 *sum = array(device);
  (void)run(program, &x, y);
  XlaVulkanArray *inputs[] = {x, x};
  (void)run(add, inputs, sum);
  inputs[1] = sum;
  (void)run(add, inputs, y);
  vulkanCheckStatus(xlaVulkanArrayRead(y, 0, Bytes, out));
  for (int i = 0; i < N; ++i)
    assert_true(out[i] == 3 * in[i]);
  // A program that has arrays of its own makes them when asked.
  vulkanCheckStatus(
      xlaVulkanProgramWriteInputs(add, (const void *[]){in, out}));
  vulkanCheckStatus(xlaVulkanProgramExecute(add, NULL));
  vulkanCheckStatus(xlaVulkanProgramReadOutputs(add, (void *[]){out}));
  for (int i = 0; i < N; ++i)
    assert_true(out[i] == 4 * in[i]);
  xlaVulkanArrayDestroy(x);
  xlaVulkanArrayDestroy(y);
  xlaVulkanArrayDestroy(sum);
  xlaVulkanProgramDestroy(program);
  xlaVulkanProgramDestroy(add);
}

// A program owns no inputs and outputs that nobody asked for.
static void ownsNothing(void **state) {
  XlaVulkanDevice *device = vulkanDevice(state);
  int64_t before = xlaVulkanDeviceGetMemoryStats(device).nArrays;
  XlaVulkanProgram *program = createAffine(device);
  XlaVulkanArray *x = count(device, 1), *y = array(device);
  (void)run(program, &x, y);
  assert_int_equal(xlaVulkanDeviceGetMemoryStats(device).nArrays, before + 2);
  vulkanCheckStatus(xlaVulkanProgramExecute(program, NULL));
  assert_int_equal(xlaVulkanDeviceGetMemoryStats(device).nArrays, before + 4);
  xlaVulkanProgramDestroy(program);
  xlaVulkanArrayDestroy(x);
  xlaVulkanArrayDestroy(y);
  assert_int_equal(xlaVulkanDeviceGetMemoryStats(device).nArrays, before);
}

// A donated input is changed in place; one that is not the output is kept.
static void donated(void **state) {
  XlaVulkanDevice *device = vulkanDevice(state);
  XlaVulkanProgram *program = createInPlace(device);
  XlaVulkanArray *x = count(device, 3), *y = array(device);
  for (int i = 0; i < 50; ++i)
    (void)run(program, &x, x);
  (void)run(program, &x, y);
  expectAffine(y, 3, 102);
  expectAffine(x, 3, 100);
  assert_int_equal(xlaVulkanProgramGetStats(program)->nRecorded, 2);
  // On memory of the host inputs stay, as if they were not donated.
  int32_t in[N], out[N];
  for (int i = 0; i < N; ++i)
    in[i] = i;
  vulkanCheckStatus(xlaVulkanProgramWriteInputs(program, (const void *[]){in}));
  for (int round = 0; round < 3; ++round) {
    vulkanCheckStatus(xlaVulkanProgramExecute(program, NULL));
    vulkanCheckStatus(xlaVulkanProgramReadOutputs(program, (void *[]){out}));
    for (int i = 0; i < N; ++i)
      assert_int_equal(out[i], affine(i, 2));
  }
  xlaVulkanArrayDestroy(x);
  xlaVulkanArrayDestroy(y);
  xlaVulkanProgramDestroy(program);
}

// Steps on an output and on its aliased input touch the same memory.
static void aliasedHazard(void **state) {
  XlaVulkanDevice *device = vulkanDevice(state);
  XlaVulkanSpan in = span(XlaVulkanMemoryInput, 0);
  XlaVulkanSpan out = span(XlaVulkanMemoryOutput, 0);
  XlaVulkanStep steps[] = {{0, {Groups, 1, 1}, 1, &in, 1, NULL},
                           {0, {Groups, 1, 1}, 1, &out, 1, NULL}};
  const intptr_t alias = 0;
  XlaVulkanProgram *program =
      createStraight(device, &vulkanShaderAffine, 2, steps, 1, &alias);
  assert_int_equal(xlaVulkanProgramGetStats(program)->nBarriers, 2);
  XlaVulkanArray *x = count(device, 3);
  (void)run(program, &x, x);
  expectAffine(x, 3, 2);
  xlaVulkanProgramDestroy(program);
  program = createStraight(device, &vulkanShaderAffine, 2, steps, 1, NULL);
  assert_int_equal(xlaVulkanProgramGetStats(program)->nBarriers, 1);
  xlaVulkanProgramDestroy(program);
  xlaVulkanArrayDestroy(x);
}

static void badRuns(void **state) {
  XlaVulkanDevice *device = vulkanDevice(state);
  XlaVulkanProgram *add = createAdd(device), *place = createInPlace(device);
  XlaVulkanArray *x = count(device, 0), *y = array(device), *small = NULL;
  vulkanCheckStatus(xlaVulkanArrayCreate(device, Bytes - 1, &small));
  const struct {
    XlaVulkanProgram *program;
    XlaVulkanArray *inputs[2], *output;
    const char *message;
  } cases[] = {
      {add, {x, NULL}, y, "input 1 of the run is NULL"},
      {add, {x, x}, NULL, "output 0 of the run is NULL"},
      {add,
       {small, x},
       y,
       "input 0 of the run has 3999 bytes, and the program "
       "needs 4000"},
      {add, {x, x}, small, "output 0 of the run has 3999 bytes"},
      {add, {x, y}, y, "output 0 of the run is input 1 too"},
      {add, {y, y}, y, "output 0 of the run is input 0 too"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    uint64_t number = 7;
    vulkanExpectStatus(xlaVulkanProgramRun(cases[i].program, cases[i].inputs,
                                           &cases[i].output, NULL, &number),
                       XLA_STATUS_INVALID_ARGUMENT, cases[i].message);
    assert_int_equal(number, 0);
  }
  XlaVulkanArray *inputs[] = {x, x};
  (void)run(add, inputs, y);
  (void)run(place, &x, x);
  xlaVulkanArrayDestroy(x);
  xlaVulkanArrayDestroy(y);
  xlaVulkanArrayDestroy(small);
  xlaVulkanProgramDestroy(add);
  xlaVulkanProgramDestroy(place);
}

static void otherDevice(void **state) {
  XlaVulkanDevice *device = vulkanDevice(state), *other = NULL;
  XlaVulkanOptions options = {.cacheFolder = ""};
  vulkanCheckStatus(xlaVulkanDeviceOpen(&options, 0, &other));
  XlaVulkanProgram *program = createAffine(device);
  XlaVulkanArray *x = count(other, 0), *y = array(device);
  uint64_t number = 7;
  vulkanExpectStatus(xlaVulkanProgramRun(program, &x, &y, NULL, &number),
                     XLA_STATUS_INVALID_ARGUMENT,
                     "input 0 of the run is on another device");
  vulkanExpectStatus(xlaVulkanArrayCopy(x, y, &number),
                     XLA_STATUS_INVALID_ARGUMENT, "another device's");
  xlaVulkanArrayDestroy(x);
  xlaVulkanArrayDestroy(y);
  xlaVulkanProgramDestroy(program);
  xlaVulkanDeviceClose(other);
}

// Arrays in pieces, which need not be those that the program has.
static void pieces(void **state) {
  XlaVulkanDevice *device = vulkanDevice(state);
  XlaVulkanSpan in[] = {span(XlaVulkanMemoryInput, 0),
                        span(XlaVulkanMemoryArena, 0)};
  XlaVulkanSpan out[] = {in[1], span(XlaVulkanMemoryOutput, 0)};
  XlaVulkanStep steps[] = {
      {.shader = -1, .nSpans = 2, .spans = in, .written = 2},
      {.shader = -1, .nSpans = 2, .spans = out, .written = 2}};
  const intptr_t runs[] = {0, 2}, alias = 0;
  XlaVulkanProgramInfo info = {.nSteps = 2,
                               .steps = steps,
                               .nRuns = 1,
                               .runs = runs,
                               .nInputs = 1,
                               .nOutputs = 1,
                               .inputBytes = bytesOf,
                               .outputBytes = bytesOf,
                               .aliases = &alias,
                               .arenaBytes = Bytes,
                               .pieceBytes = 1024};
  XlaVulkanProgram *program = create(device, &info);
  const int64_t sizes[] = {0, 1024, 2048, 4096};
  XlaVulkanArray *arrays[4], *value = count(device, 9), *small = NULL;
  uint64_t number;
  for (int i = 0; i < 4; ++i) {
    vulkanCheckStatus(
        xlaVulkanArrayCreateInPieces(device, Bytes, sizes[i], &arrays[i]));
    (void)run(program, &value, arrays[i]); // with a copy to the output
  }
  xlaVulkanArrayDestroy(value);
  for (int i = 0; i < 4; ++i) {
    (void)run(program, &arrays[i], arrays[i]);
    (void)run(program, &arrays[i], arrays[(i + 1) % 4]);
  }
  for (int i = 0; i < 4; ++i)
    expectAffine(arrays[i], 9, 0);
  vulkanCheckStatus(xlaVulkanArrayCreateInPieces(device, Bytes, 512, &small));
  vulkanExpectStatus(
      xlaVulkanProgramRun(program, &small, &arrays[0], NULL, &number),
      XLA_STATUS_INVALID_ARGUMENT,
      "input 0 of the run consists of pieces of 512 bytes, and the program "
      "takes 1024");
  xlaVulkanArrayDestroy(small);
  for (int i = 0; i < 4; ++i)
    xlaVulkanArrayDestroy(arrays[i]);
  xlaVulkanProgramDestroy(program);
}

static void badAliases(void **state) {
  XlaVulkanDevice *device = vulkanDevice(state);
  const struct {
    intptr_t aliases[2];
    int64_t inputBytes;
    const char *message;
  } cases[] = {{{-2, -1}, Bytes, "output 0 of 4000 bytes is in the memory of "},
               {{-1, 1}, Bytes, "output 1 of 4000 bytes is in the memory of "},
               {{0, -1}, 100, "output 0 of 4000 bytes is in the memory of "},
               {{0, 0}, Bytes, "outputs 0 and 1 are in the memory of input 0"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    XlaVulkanProgramInfo info = {.nInputs = 1,
                                 .nOutputs = 2,
                                 .inputBytes = &cases[i].inputBytes,
                                 .outputBytes = bytesOf,
                                 .aliases = cases[i].aliases};
    XlaVulkanProgram *program = NULL;
    vulkanExpectStatus(xlaVulkanProgramCreate(device, &info, &program),
                       XLA_STATUS_INVALID_ARGUMENT, cases[i].message);
  }
}

/// Applies run 1, affine on the arena, as often as input 1 says, then stores 7
/// in element 3 of the output.
static void repeat(XlaVulkanProgram *program, void *user) {
  XlaVulkanSpan times = {XlaVulkanMemoryInput, 1, 0, 4};
  XlaVulkanSpan three = {XlaVulkanMemoryOutput, 0, 12, 4};
  XlaVulkanSpan four = {XlaVulkanMemoryOutput, 0, 16, 4};
  int32_t n = 0, seven = 7;
  (void)user;
  xlaVulkanProgramLaunch(program, 0);
  xlaVulkanProgramLoad(program, &times, &n);
  for (int i = 0; i < n; ++i)
    xlaVulkanProgramLaunch(program, 1);
  xlaVulkanProgramLaunch(program, 2);
  xlaVulkanProgramStore(program, &three, &seven);
  xlaVulkanProgramSet(program, &four, 8);
}

static XlaVulkanProgram *createRepeat(XlaVulkanDevice *device) {
  XlaVulkanSpan in[] = {span(XlaVulkanMemoryInput, 0),
                        span(XlaVulkanMemoryArena, 0)};
  XlaVulkanSpan out[] = {in[1], span(XlaVulkanMemoryOutput, 0)};
  XlaVulkanStep steps[] = {
      {.shader = -1, .nSpans = 2, .spans = in, .written = 2},
      {0, {Groups, 1, 1}, 1, &in[1], 1, NULL},
      {.shader = -1, .nSpans = 2, .spans = out, .written = 2}};
  const intptr_t runs[] = {0, 1, 2, 3};
  const int64_t inputBytes[] = {Bytes, 4};
  XlaVulkanProgramInfo info = {.nShaders = 1,
                               .shaders = &vulkanShaderAffine,
                               .nSteps = 3,
                               .steps = steps,
                               .nRuns = 3,
                               .runs = runs,
                               .nInputs = 2,
                               .nOutputs = 1,
                               .inputBytes = inputBytes,
                               .outputBytes = bytesOf,
                               .arenaBytes = Bytes,
                               .entry = repeat};
  return create(device, &info);
}

static void expectRepeated(XlaVulkanArray *array, int first, int n) {
  int32_t out[N];
  vulkanCheckStatus(xlaVulkanArrayRead(array, 0, Bytes, out));
  for (int i = 0; i < N; ++i)
    assert_int_equal(out[i], i == 3 ? 7 : i == 4 ? 8 : affine(first + i, n));
}

// What an entry loads is there although the host has waited for nothing before.
static void entries(void **state) {
  needUnified(state);
  for (VulkanMemoryMode mode = 0; mode < VulkanMemoryModes; ++mode) {
    XlaVulkanDevice *device = NULL;
    vulkanLayerReset(mode);
    XlaVulkanOptions options = {.cacheFolder = "",
                                .replace = vulkanLayerReplace};
    vulkanCheckStatus(xlaVulkanDeviceOpen(&options, 0, &device));
    XlaVulkanProgram *program = createRepeat(device),
                     *step = createAffine(device);
    XlaVulkanArray *x = count(device, 1), *y = array(device),
                   *times = count(device, 4), *z = array(device);
    (void)run(step, &times, y); // y[0] is 13
    XlaVulkanArray *inputs[] = {x, y};
    (void)run(program, inputs, z);
    XlaVulkanArray *again[] = {z, times};
    XlaVulkanArray *w = array(device);
    (void)run(program, again, w);
    expectRepeated(z, 1, 13);
    int32_t out[N];
    vulkanCheckStatus(xlaVulkanArrayRead(w, 0, Bytes, out));
    assert_int_equal(out[9], affine(10, 17));
    xlaVulkanArrayDestroy(x);
    xlaVulkanArrayDestroy(y);
    xlaVulkanArrayDestroy(z);
    xlaVulkanArrayDestroy(w);
    xlaVulkanArrayDestroy(times);
    xlaVulkanProgramDestroy(program);
    xlaVulkanProgramDestroy(step);
    xlaVulkanDeviceClose(device);
    assert_int_equal(vulkanLayerLive(), 0);
  }
}

typedef struct Worker {
  XlaVulkanDevice *device;
  XlaVulkanProgram *straight, *hosted, *inPlace;
  pthread_t thread;
  int seed, nWrong;
} Worker;

static XlaStatus workOnce(Worker *worker, int round, bool *isRight) {
  XlaVulkanArray *x = NULL, *y = NULL, *z = NULL, *times = NULL;
  int32_t in[N], out[N], n = 1 + round % 5;
  uint64_t number = 0;
  for (int i = 0; i < N; ++i)
    in[i] = worker->seed * 1000 + round + i;
  XlaStatus status = xlaVulkanArrayCreate(worker->device, Bytes, &x);
  if (!status)
    status = xlaVulkanArrayCreate(worker->device, Bytes, &y);
  if (!status)
    status = xlaVulkanArrayCreate(worker->device, Bytes, &z);
  if (!status)
    status = xlaVulkanArrayCreate(worker->device, 4, &times);
  if (!status)
    status = xlaVulkanArrayWrite(x, 0, Bytes, in);
  if (!status)
    status = xlaVulkanArrayWrite(times, 0, 4, &n);
  if (!status)
    status = xlaVulkanProgramRun(worker->straight, &x, &y, NULL, &number);
  xlaVulkanArrayDestroy(x); // all of them in flight
  if (!status)
    status = xlaVulkanProgramRun(worker->inPlace, &y, &y, NULL, &number);
  if (!status)
    status = xlaVulkanProgramRun(worker->hosted, (XlaVulkanArray *[]){y, times},
                                 &z, NULL, &number);
  xlaVulkanArrayDestroy(y);
  xlaVulkanArrayDestroy(times);
  if (!status)
    status = xlaVulkanArrayRead(z, 0, Bytes, out);
  for (int i = 5; !status && i < N; ++i)
    *isRight &= out[i] == affine(in[i], 3 + n);
  xlaVulkanArrayDestroy(z);
  return status;
}

static void *work(void *user) {
  Worker *worker = user;
  for (int round = 0; round < 30; ++round) {
    bool isRight = true;
    XlaStatus status = workOnce(worker, round, &isRight);
    worker->nWrong += status || !isRight;
    xlaStatusDestroy(status);
  }
  return NULL;
}

// Several threads share programs with and without entries.
static void threads(void **state) {
  XlaVulkanDevice *device = vulkanDevice(state);
  Worker shared = {.device = device,
                   .straight = createAffine(device),
                   .hosted = createRepeat(device),
                   .inPlace = createInPlace(device)};
  Worker workers[5];
  for (int i = 0; i < 5; ++i) {
    workers[i] = shared;
    workers[i].seed = i;
    assert_int_equal(
        pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
  }
  for (int i = 0; i < 5; ++i) {
    pthread_join(workers[i].thread, NULL);
    assert_int_equal(workers[i].nWrong, 0);
  }
  xlaVulkanProgramDestroy(shared.straight);
  xlaVulkanProgramDestroy(shared.hosted);
  xlaVulkanProgramDestroy(shared.inPlace);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(chain),       cmocka_unit_test(manyBindings),
      cmocka_unit_test(sharedInput), cmocka_unit_test(ownsNothing),
      cmocka_unit_test(donated),     cmocka_unit_test(aliasedHazard),
      cmocka_unit_test(badRuns),     cmocka_unit_test(badAliases),
      cmocka_unit_test(otherDevice), cmocka_unit_test(pieces),
      cmocka_unit_test(entries),     cmocka_unit_test(threads),
  };
  return cmocka_run_group_tests(tests, vulkanDeviceSetup, vulkanDeviceTeardown);
}
