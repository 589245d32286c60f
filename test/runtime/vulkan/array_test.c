//===- array_test.c - Memory of a Vulkan device ---------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/test/runtime/vulkan/device_fixture.h"
#include "xlac/test/runtime/vulkan/layer.h"
#include "xlac/test/support/unit.h"

#include "xlac/runtime/vulkan/array_internal.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static XlaVulkanArray *create(XlaVulkanDevice *device, int64_t bytes) {
  XlaVulkanArray *array = NULL;
  vulkanCheckStatus(xlaVulkanArrayCreate(device, bytes, &array));
  assert_non_null(array);
  assert_int_equal(xlaVulkanArrayGetBytes(array), bytes);
  return array;
}

/// Only such a device can stand for all others.
static void needUnified(void **state) {
  if (!xlaVulkanDeviceGetInfo(vulkanDevice(state))->isUnified)
    skip();
}

static XlaVulkanDevice *openLayered(VulkanMemoryMode mode) {
  XlaVulkanDevice *device = NULL;
  vulkanLayerReset(mode);
  XlaVulkanOptions options = {.cacheFolder = "", .replace = vulkanLayerReplace};
  vulkanCheckStatus(xlaVulkanDeviceOpen(&options, 0, &device));
  return device;
}

static void closeLayered(XlaVulkanDevice *device) {
  xlaVulkanDeviceClose(device);
  assert_int_equal(vulkanLayerLive(), 0);
}

static char at(int64_t i, int seed) {
  return (char)(i * 31 + i / 255 + seed * 7);
}

static void fill(char *data, int64_t bytes, int seed) {
  for (int64_t i = 0; i < bytes; ++i)
    data[i] = at(i, seed);
}

// Arrays that do not fit a lane of the staging buffer, parts of them, and ends
// in the middle of a word, whatever memory the device has.
static void writeCopyRead(void **state) {
  needUnified(state);
  enum { Bytes = (19 << 20) + 7, Offset = (5 << 20) + 3, Some = 1001 };
  char *data = malloc(Bytes), *back = malloc(Bytes);
  assert_true(data && back);
  for (VulkanMemoryMode mode = 0; mode < VulkanMemoryModes; ++mode) {
    XlaVulkanDevice *device = openLayered(mode);
    XlaVulkanArray *array = create(device, Bytes);
    XlaVulkanArray *copy = create(device, Bytes + 100);
    uint64_t number = 0;
    fill(data, Bytes, mode);
    vulkanCheckStatus(xlaVulkanArrayWrite(array, 0, Bytes, data));
    vulkanCheckStatus(xlaVulkanArrayCopy(array, copy, &number));
    assert_int_equal(number, xlaVulkanArrayGetWritten(copy));
    assert_int_equal(number, xlaVulkanArrayGetUsed(array));
    // The copy has what was there before.
    char some[Some];
    memset(some, 'x', Some);
    vulkanCheckStatus(xlaVulkanArrayWrite(array, Offset, Some, some));
    memset(back, 0, Bytes);
    vulkanCheckStatus(xlaVulkanArrayRead(copy, 0, Bytes, back));
    assert_memory_equal(data, back, Bytes);
    assert_true(xlaVulkanDeviceReached(device) >= number);
    vulkanCheckStatus(xlaVulkanArrayRead(array, Offset - 9, Some + 18, back));
    assert_memory_equal(back, data + Offset - 9, 9);
    assert_memory_equal(back + 9, some, Some);
    assert_memory_equal(back + 9 + Some, data + Offset + Some, 9);
    xlaVulkanArrayDestroy(array);
    xlaVulkanArrayDestroy(copy);
    closeLayered(device);
  }
  free(data);
  free(back);
}

static void badCalls(void **state) {
  XlaVulkanDevice *device = vulkanDevice(state);
  XlaVulkanArray *array = (XlaVulkanArray *)state, *other = create(device, 50);
  vulkanExpectStatus(xlaVulkanArrayCreate(device, -1, &array),
                     XLA_STATUS_INVALID_ARGUMENT, "an array of -1 bytes");
  assert_null(array);
  vulkanExpectStatus(xlaVulkanArrayCreate(device, INT64_MAX, &array),
                     XLA_STATUS_OUT_OF_MEMORY, "9223372036854775807 bytes");
  assert_null(array);
  array = create(device, 100);
  char data[100] = "";
  vulkanExpectStatus(xlaVulkanArrayWrite(array, 1, 100, data),
                     XLA_STATUS_INVALID_ARGUMENT,
                     "100 bytes at 1 are not within an array of 100");
  vulkanExpectStatus(xlaVulkanArrayWrite(array, INT64_MAX, INT64_MAX, data),
                     XLA_STATUS_INVALID_ARGUMENT, "are not within");
  vulkanExpectStatus(xlaVulkanArrayRead(array, -1, 1, data),
                     XLA_STATUS_INVALID_ARGUMENT, "1 bytes at -1");
  vulkanExpectStatus(xlaVulkanArrayRead(array, 0, -1, data),
                     XLA_STATUS_INVALID_ARGUMENT, "-1 bytes at 0");
  uint64_t number = 7;
  vulkanExpectStatus(xlaVulkanArrayCopy(array, array, &number),
                     XLA_STATUS_INVALID_ARGUMENT, "is copied to itself");
  vulkanExpectStatus(xlaVulkanArrayCopy(array, other, &number),
                     XLA_STATUS_INVALID_ARGUMENT,
                     "of 100 bytes is copied to an array of 50");
  assert_int_equal(number, 0);
  vulkanCheckStatus(xlaVulkanArrayCopy(other, array, &number));
  vulkanCheckStatus(xlaVulkanDeviceWait(device, number));
  vulkanExpectStatus(xlaVulkanDeviceWait(device, number + 1),
                     XLA_STATUS_INVALID_ARGUMENT, "is waited for");
  xlaVulkanArrayDestroy(array);
  xlaVulkanArrayDestroy(other);
  xlaVulkanArrayDestroy(NULL);
  array = create(device, 0);
  other = create(device, 0);
  vulkanCheckStatus(xlaVulkanArrayWrite(array, 0, 0, NULL));
  vulkanCheckStatus(xlaVulkanArrayRead(array, 0, 0, NULL));
  vulkanCheckStatus(xlaVulkanArrayCopy(array, other, &number));
  assert_int_equal(number, 0);
  xlaVulkanArrayDestroy(array);
  xlaVulkanArrayDestroy(other);
}

// Memory comes back, in the same order, and is counted.
static void sameAgain(void **state) {
  needUnified(state);
  XlaVulkanDevice *device = openLayered(VulkanMemoryAsIs);
  enum { N = 40 };
  XlaVulkanArray *arrays[N];
  uint64_t slots[N];
  int64_t bytes = 0;
  for (int i = 0; i < N; ++i) {
    arrays[i] = create(device, 1 + i * 37);
    bytes += 1 + i * 37;
  }
  for (int i = 0; i < N; ++i)
    slots[i] = arrays[i]->pieces[0]->number;
  XlaVulkanMemoryStats stats = xlaVulkanDeviceGetMemoryStats(device);
  assert_int_equal(stats.usedBytes, bytes);
  assert_int_equal(stats.peakBytes, bytes);
  assert_int_equal(stats.largestBytes, 1 + (N - 1) * 37);
  assert_int_equal(stats.nArrays, N);
  assert_true(stats.reservedBytes >= bytes);
  assert_int_equal(stats.limitBytes,
                   xlaVulkanDeviceGetInfo(device)->memoryBytes);
  int calls = vulkanLayerCalls("vkAllocateMemory");
  assert_in_range(calls, 1, 12);
  assert_int_equal(stats.nAllocations, calls);
  for (int round = 0; round < 5; ++round) {
    for (int i = 0; i < N; ++i) // in another order each time
      xlaVulkanArrayDestroy(arrays[(i * 7 + round * 3) % N]);
    assert_int_equal(xlaVulkanDeviceGetMemoryStats(device).usedBytes, 0);
    for (int i = 0; i < N; ++i) {
      arrays[i] = create(device, 1 + i * 37);
      assert_int_equal(arrays[i]->pieces[0]->number, slots[i]);
    }
  }
  stats = xlaVulkanDeviceGetMemoryStats(device);
  assert_int_equal(stats.nCreated, 6 * N);
  assert_int_equal(vulkanLayerCalls("vkAllocateMemory"), calls);
  for (int i = 0; i < N; ++i)
    xlaVulkanArrayDestroy(arrays[i]);
  closeLayered(device);
}

// Many small arrays take few allocations; what is given back, beyond what was
// used at once, goes back to the system.
static void manySizes(void **state) {
  needUnified(state);
  XlaVulkanDevice *device = openLayered(VulkanMemoryAsIs);
  enum { N = 5000 };
  XlaVulkanArray **arrays = calloc(N, sizeof(XlaVulkanArray *));
  assert_non_null(arrays);
  for (int i = 0; i < N; ++i)
    arrays[i] = create(device, 1024);
  assert_in_range(vulkanLayerCalls("vkAllocateMemory"), 1, 20);
  for (int i = 0; i < N; ++i)
    xlaVulkanArrayDestroy(arrays[(i * 7919) % N]);
  free(arrays);
  int64_t most = 0;
  for (int64_t mib = 8; mib < 120; mib += 4) { // each a size of its own
    XlaVulkanArray *array = create(device, mib << 20);
    XlaVulkanMemoryStats stats = xlaVulkanDeviceGetMemoryStats(device);
    most = stats.reservedBytes > most ? stats.reservedBytes : most;
    xlaVulkanArrayDestroy(array);
  }
  // The array itself, and unused as much as was ever used, with an eighth.
  assert_true(most <= (INT64_C(120) << 20) * 9 / 8 * 2 + (16 << 20));
  closeLayered(device);
}

// When there is no memory, what no array uses is returned first.
static void outOfMemory(void **state) {
  needUnified(state);
  XlaVulkanDevice *device = openLayered(VulkanMemoryAsIs);
  XlaVulkanArray *kept = create(device, 3 << 20),
                 *array = create(device, 4 << 20);
  char *data = calloc(1, 4 << 20);
  assert_non_null(data);
  vulkanCheckStatus(xlaVulkanArrayWrite(array, 0, 4 << 20, data));
  xlaVulkanArrayDestroy(array);
  int64_t reserved = xlaVulkanDeviceGetMemoryStats(device).reservedBytes;
  vulkanLayerFail("vkAllocateMemory", 1, VK_ERROR_OUT_OF_DEVICE_MEMORY);
  array = create(device, 5 << 20);
  assert_true(vulkanLayerHasFailed());
  assert_in_range(xlaVulkanDeviceGetMemoryStats(device).reservedBytes, 8 << 20,
                  reserved + (2 << 20));
  // Nothing is unused now.
  vulkanLayerFail("vkAllocateMemory", 1, VK_ERROR_OUT_OF_DEVICE_MEMORY);
  XlaVulkanArray *none = kept;
  vulkanExpectStatus(xlaVulkanArrayCreate(device, 6 << 20, &none),
                     XLA_STATUS_OUT_OF_MEMORY,
                     "no memory for an array of 6291456 bytes on ");
  assert_null(none);
  // More than the device has, in all.
  int64_t limit = xlaVulkanDeviceGetMemoryStats(device).limitBytes;
  vulkanExpectStatus(xlaVulkanArrayCreate(device, limit - (4 << 20), &none),
                     XLA_STATUS_OUT_OF_MEMORY, "bytes");
  xlaVulkanArrayDestroy(kept);
  xlaVulkanArrayDestroy(array);
  free(data);
  closeLayered(device);
}

// An array in pieces, as on a device whose memory comes in small ones.
static void pieces(void **state) {
  needUnified(state);
  enum { Piece = 64 << 10, Bytes = 3 * Piece + 12345 };
  char *data = malloc(Bytes), *back = malloc(Bytes);
  assert_true(data && back);
  fill(data, Bytes, 3);
  for (VulkanMemoryMode mode = 0; mode < VulkanMemoryModes; ++mode) {
    XlaVulkanDevice *device = openLayered(mode);
    if (!device->physical.info.addresses) {
      closeLayered(device);
      break;
    }
    device->physical.info.maxAllocation = Piece + 1000;
    XlaVulkanArray *array = create(device, Bytes), *copy = NULL;
    assert_int_equal(array->n, 4);
    // Of other pieces, as programs may have them.
    vulkanCheckStatus(
        xlaVulkanArrayCreateInPieces(device, Bytes, Piece / 4, &copy));
    assert_int_equal(copy->n, 13);
    uint64_t number;
    vulkanCheckStatus(xlaVulkanArrayWrite(array, 0, Bytes, data));
    vulkanCheckStatus(xlaVulkanArrayCopy(array, copy, &number));
    vulkanCheckStatus(
        xlaVulkanArrayWrite(copy, Piece - 10, 20, "twenty bytes are this"));
    vulkanCheckStatus(xlaVulkanArrayRead(copy, 0, Bytes, back));
    assert_memory_equal(back + Piece - 10, "twenty bytes are this", 20);
    memcpy(back + Piece - 10, data + Piece - 10, 20);
    assert_memory_equal(data, back, Bytes);
    xlaVulkanArrayDestroy(array);
    xlaVulkanArrayDestroy(copy);
    closeLayered(device);
  }
  free(data);
  free(back);
}

typedef struct Worker {
  XlaVulkanDevice *device;
  pthread_t thread;
  int seed, nWrong;
} Worker;

/// Makes arrays, fills and copies them, and looks at the copies.
static void *work(void *user) {
  Worker *worker = user;
  enum { Bytes = 50000 };
  char data[Bytes], back[Bytes];
  for (int round = 0; round < 60; ++round) {
    XlaVulkanArray *a = NULL, *b = NULL;
    uint64_t number = 0;
    int64_t bytes = 1 + (round * 7919 + worker->seed * 101) % Bytes;
    fill(data, bytes, worker->seed + round);
    XlaStatus status = xlaVulkanArrayCreate(worker->device, bytes, &a);
    if (!status)
      status = xlaVulkanArrayCreate(worker->device, bytes, &b);
    if (!status)
      status = xlaVulkanArrayWrite(a, 0, bytes, data);
    if (!status)
      status = xlaVulkanArrayCopy(a, b, &number);
    xlaVulkanArrayDestroy(a); // in flight
    if (!status)
      status = xlaVulkanArrayRead(b, 0, bytes, back);
    worker->nWrong += status || memcmp(data, back, (size_t)bytes) != 0;
    xlaStatusDestroy(status);
    xlaVulkanArrayDestroy(b);
  }
  return NULL;
}

static void threads(void **state) {
  needUnified(state);
  const VulkanMemoryMode modes[] = {VulkanMemoryAsIs, VulkanMemorySplit};
  for (size_t m = 0; m < sizeof modes / sizeof *modes; ++m) {
    // The first one with the validation layer.
    XlaVulkanDevice *device = modes[m] == VulkanMemoryAsIs
                                  ? vulkanDevice(state)
                                  : openLayered(modes[m]);
    Worker workers[6];
    for (int i = 0; i < 6; ++i) {
      workers[i] = (Worker){.device = device, .seed = i};
      assert_int_equal(
          pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    }
    for (int i = 0; i < 6; ++i) {
      pthread_join(workers[i].thread, NULL);
      assert_int_equal(workers[i].nWrong, 0);
    }
    assert_int_equal(xlaVulkanDeviceGetMemoryStats(device).nArrays, 0);
    if (modes[m] != VulkanMemoryAsIs)
      closeLayered(device);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(writeCopyRead), cmocka_unit_test(badCalls),
      cmocka_unit_test(sameAgain),     cmocka_unit_test(manySizes),
      cmocka_unit_test(outOfMemory),   cmocka_unit_test(pieces),
      cmocka_unit_test(threads),
  };
  return cmocka_run_group_tests(tests, vulkanDeviceSetup, vulkanDeviceTeardown);
}
