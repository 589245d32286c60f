//===- memory_vulkan.c - Arrays on a Vulkan device ------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/client/internal.h"

#include "xlac/lowering/client/message.h"
#include "xlac/lowering/vulkan/executable.h"

static XlaStatus allocate(XlaClient *client, size_t bytes, void **data) {
  XlaVulkanArray *array = NULL;
  XlaStatus status =
      xlaVulkanArrayCreate(client->vulkan, (int64_t)bytes, &array);
  *data = array;
  return status;
}

static void giveBack(XlaClient *client, void *data) {
  (void)client;
  xlaVulkanArrayDestroy(data);
}

static XlaStatus write(XlaClient *client, void *data, size_t offset,
                       const void *from, size_t bytes) {
  (void)client;
  return xlaVulkanArrayWrite(data, (int64_t)offset, (int64_t)bytes, from);
}

static XlaStatus read(XlaClient *client, const void *data, size_t offset,
                      size_t bytes, void *to) {
  (void)client;
  return xlaVulkanArrayRead((XlaVulkanArray *)data, (int64_t)offset,
                            (int64_t)bytes, to);
}

static XlaStatus run(XlaLoadedExecutable *executable, void *const *inputs,
                     void *const *outputs, uint64_t *number) {
  XlaMessage message;
  *number = 0;
  xlaMessageBegin(&message);
  XlaStatus status = xlaVulkanExecutableRunArrays(
      executable->compiled->program, (XlaVulkanArray *const *)inputs,
      (XlaVulkanArray *const *)outputs, number);
  // A custom call that failed has said more.
  bool isTold = status && message.text[0];
  XlaStatus told = xlaMessageEnd(&message, !isTold);
  if (!isTold)
    return status;
  xlaStatusDestroy(status);
  return told;
}

static XlaStatus wait(XlaClient *client, uint64_t number) {
  return xlaVulkanDeviceWait(client->vulkan, number);
}

static XlaMemoryStatistics statistics(XlaClient *client) {
  XlaVulkanMemoryStats stats = xlaVulkanDeviceGetMemoryStats(client->vulkan);
  return (XlaMemoryStatistics){
      .usedBytes = (size_t)stats.usedBytes,
      .peakBytes = (size_t)stats.peakBytes,
      .reservedBytes = (size_t)(stats.reservedBytes - stats.usedBytes),
      .limitBytes = (size_t)stats.limitBytes,
      .nArrays = (size_t)stats.nArrays};
}

const XlaMemoryKind xlaMemoryVulkan = {.allocate = allocate,
                                       .free = giveBack,
                                       .write = write,
                                       .read = read,
                                       .run = run,
                                       .wait = wait,
                                       .statistics = statistics};
