//===- machine.c - Schedules for other machines ---------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Schedules choose tiles, chunks and workgroups by what the machine has. With
// other numbers, which need not divide anything, the same program must give the
// same results here.
//
//===----------------------------------------------------------------------===//

#include "xlac/tools/common/machine.h"

#include "xlac/tools/common/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  VectorBits,
  L1,
  L2,
  L3,
  Serial,
  Gpu,
  Invocations,
  Shared,
  Range,
  Bindings,
  Elements,
  Allocation,
  keyCount,
};

static const struct {
  const char *name, *meaning;
  uint64_t least, most;
} keys[keyCount] = {
    [VectorBits] = {"vector-bits", "128, 256 or 512, no more than it has", 128,
                    512},
    [L1] = {"l1", "bytes of its caches", 64, 1 << 30},
    [L2] = {"l2", "", 64, 1 << 30},
    [L3] = {"l3", "", 64, 1 << 30},
    [Serial] = {"serial", "nanoseconds of work that are left to one thread", 1,
                1 << 30},
    [Gpu] = {"gpu", "1: Vulkan's device is a graphics card, 0: software", 0, 1},
    [Invocations] = {"invocations",
                     "of a workgroup at most, no more than it has", 1, 1 << 16},
    [Shared] = {"shared", "bytes of a workgroup's memory, no more than it has",
                64, 1 << 20},
    [Range] = {"range", "bytes of a storage buffer, no more than it has", 256,
               UINT64_C(1) << 32},
    [Bindings] = {"bindings",
                  "storage buffers of a shader, no more than it has", 4, 64},
    [Elements] = {"elements",
                  "of an array for which indices have 32 bits, at most", 1,
                  INT32_MAX},
    [Allocation] = {"allocation", "bytes of a piece of memory at most", 256,
                    UINT64_C(1) << 40},
};

void xlaToolMachinePrintKeys(void) {
  printf("\nMACHINE\n");
  for (int i = 0; i < keyCount; ++i)
    printf("  %-26s %s\n", keys[i].name, keys[i].meaning);
}

static XlaToolCode readPart(const char *part, size_t length,
                            uint64_t numbers[keyCount]) {
  char text[64];
  if (length >= sizeof text)
    return xlaToolError(XlaToolCodeWrong, "--machine=%.60s.. is too long",
                        part);
  memcpy(text, part, length);
  text[length] = '\0';
  char *value = strchr(text, '=');
  if (value)
    *value++ = '\0';
  int key = 0;
  while (key < keyCount && strcmp(keys[key].name, text) != 0)
    ++key;
  if (key == keyCount) {
    const char *names[keyCount + 1] = {NULL};
    for (int i = 0; i < keyCount; ++i)
      names[i] = keys[i].name;
    return xlaToolUnknown("part of a machine", text, names);
  }
  if (!value || !xlaToolReadInteger(value, &numbers[key]) ||
      numbers[key] < keys[key].least || numbers[key] > keys[key].most)
    return xlaToolError(XlaToolCodeWrong,
                        "--machine=%s=%s is no integer from %llu to %llu", text,
                        value ? value : "", (unsigned long long)keys[key].least,
                        (unsigned long long)keys[key].most);
  return XlaToolCodeOk;
}

XlaToolCode xlaToolMachineRead(const char *text, XlaToolMachine *machine) {
  uint64_t numbers[keyCount] = {[Gpu] = 2};
  while (text && *text) {
    size_t length = strcspn(text, ",");
    XlaToolCode code = readPart(text, length, numbers);
    if (code != XlaToolCodeOk)
      return code;
    text += length + (text[length] == ',');
  }
  uint64_t bits = numbers[VectorBits];
  if (bits & (bits - 1))
    return xlaToolError(XlaToolCodeWrong,
                        "--machine=vector-bits=%llu is not 128, 256 or 512",
                        (unsigned long long)bits);
  *machine =
      (XlaToolMachine){.cpu = {.vectorBits = (int)bits,
                               .l1Bytes = (int64_t)numbers[L1],
                               .l2Bytes = (int64_t)numbers[L2],
                               .l3Bytes = (int64_t)numbers[L3],
                               .serialNanoseconds = (int64_t)numbers[Serial]},
                       .isGpu = (int)numbers[Gpu],
                       .invocations = (uint32_t)numbers[Invocations],
                       .sharedBytes = (int64_t)numbers[Shared],
                       .bufferRange = (int64_t)numbers[Range],
                       .bindings = (uint32_t)numbers[Bindings],
                       .elements = (int64_t)numbers[Elements],
                       .allocation = (int64_t)numbers[Allocation]};
  return XlaToolCodeOk;
}

void xlaToolMachineLimitVulkan(const XlaToolMachine *machine,
                               XlaVulkanInfo *info) {
  if (machine->isGpu < 2)
    info->kind = machine->isGpu ? XlaVulkanKindDiscrete : XlaVulkanKindSoftware;
  if (machine->sharedBytes && machine->sharedBytes < info->sharedBytes)
    info->sharedBytes = machine->sharedBytes;
  if (machine->bufferRange && machine->bufferRange < info->maxBufferRange)
    info->maxBufferRange = machine->bufferRange;
  if (machine->bindings && machine->bindings < info->maxBindings)
    info->maxBindings = machine->bindings;
  if (machine->elements)
    info->maxElements = machine->elements;
  if (machine->allocation && machine->allocation < info->maxAllocation)
    info->maxAllocation = machine->allocation;
  uint32_t most = machine->invocations;
  if (!most || most > info->maxGroupInvocations)
    return;
  info->maxGroupInvocations = most;
  for (int i = 0; i < 3; ++i)
    if (info->maxGroupSize[i] > most)
      info->maxGroupSize[i] = most;
}
