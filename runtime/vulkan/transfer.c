//===- transfer.c - Between the host and a device -------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the host sees the memory it copies itself, when the device has done
// with it. Reading memory that the processor does not cache is very slow
// however, some memory the host does not see, and waiting for the device before
// writing would keep the host from being ahead: then the device copies through
// a staging buffer, some parts of it while the host is busy with others.
//
//===----------------------------------------------------------------------===//

#include "xlac/runtime/vulkan/array_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LanesMax = 4 };

/// Bytes of a lane at most: enough for the copy to be fast.
static const int64_t mostLaneBytes = (int64_t)4 << 20;

/// A part of the staging buffer, and the command buffer that copies from it or
/// to it, of a pool of its own: each lane is used by one thread at a time.
typedef struct Lane {
  VkCommandPool pool;
  VkCommandBuffer commands;
  bool isTaken;
  uint64_t number; ///< the submission that used it last
} Lane;

typedef struct XlaVulkanTransfers {
  pthread_mutex_t mutex;
  pthread_cond_t isFree; ///< some lane
  Lane lanes[LanesMax];
  int64_t laneBytes;
  XlaVulkanMemoryBlock staging; ///< of all lanes; made when it is first needed
} XlaVulkanTransfers;

//===----------------------------------------------------------------------===//
// Lanes
//===----------------------------------------------------------------------===//

XlaStatus xlaVulkanTransfersCreate(XlaVulkanDevice *device) {
  XlaVulkanTransfers *transfers = calloc(1, sizeof *transfers);
  if (!transfers)
    return xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY,
                           "no memory for the transfers of a device");
  pthread_mutex_init(&transfers->mutex, NULL);
  pthread_cond_init(&transfers->isFree, NULL);
  device->transfers = transfers;
  return NULL;
}

void xlaVulkanTransfersDestroy(XlaVulkanDevice *device) {
  XlaVulkanTransfers *transfers = device->transfers;
  if (!transfers)
    return;
  for (int i = 0; i < LanesMax; ++i)
    if (transfers->lanes[i].pool)
      device->instance.api.DestroyCommandPool(device->handle,
                                              transfers->lanes[i].pool, NULL);
  xlaVulkanMemoryBlockDestroy(device, &transfers->staging);
  pthread_mutex_destroy(&transfers->mutex);
  pthread_cond_destroy(&transfers->isFree);
  free(transfers);
}

/// The lane that is done first, or NULL if all are taken.
static Lane *findLane(XlaVulkanTransfers *transfers) {
  Lane *found = NULL;
  for (int i = 0; i < LanesMax; ++i) {
    Lane *lane = &transfers->lanes[i];
    if (!lane->isTaken && (!found || lane->number < found->number))
      found = lane;
  }
  return found;
}

static void nameStaging(intptr_t i, char *name, const void *user) {
  snprintf(name, 64, "the staging buffer");
}

/// Makes what a lane lacks; the mutex is held.
static XlaStatus equip(XlaVulkanDevice *device, Lane *lane, bool isStaged) {
  XlaVulkanTransfers *transfers = device->transfers;
  if (!lane->pool)
    XLA_RETURN_IF_ERROR(xlaVulkanCommandPoolCreate(device, &lane->pool));
  if (!lane->commands)
    XLA_RETURN_IF_ERROR(
        xlaVulkanCommandsAllocate(device, lane->pool, 1, &lane->commands));
  if (!isStaged || transfers->staging.nBuffers)
    return NULL;
  int64_t most = device->physical.info.maxAllocation / LanesMax / 4096 * 4096;
  transfers->laneBytes = most < mostLaneBytes ? most : mostLaneBytes;
  const int64_t bytes = LanesMax * transfers->laneBytes;
  XlaStatus status =
      xlaVulkanMemoryBlockCreate(device, XlaVulkanUseStaging, 1, &bytes,
                                 nameStaging, NULL, &transfers->staging);
  if (status)
    xlaVulkanMemoryBlockDestroy(device, &transfers->staging);
  return status;
}

static void releaseLane(XlaVulkanDevice *device, Lane *lane) {
  pthread_mutex_lock(&device->transfers->mutex);
  lane->isTaken = false;
  pthread_cond_signal(&device->transfers->isFree);
  pthread_mutex_unlock(&device->transfers->mutex);
}

/// Takes a lane that the device has done with. NULL, if `mayFail`, where that
/// would wait for other threads: who has one must not.
static XlaStatus takeLane(XlaVulkanDevice *device, bool isStaged, bool mayFail,
                          Lane **taken) {
  XlaVulkanTransfers *transfers = device->transfers;
  *taken = NULL;
  pthread_mutex_lock(&transfers->mutex);
  Lane *lane = findLane(transfers);
  while (!lane && !mayFail) {
    pthread_cond_wait(&transfers->isFree, &transfers->mutex);
    lane = findLane(transfers);
  }
  XlaStatus status = lane ? equip(device, lane, isStaged) : NULL;
  if (lane && !status)
    lane->isTaken = true;
  pthread_mutex_unlock(&transfers->mutex);
  if (!lane || status)
    return status;
  status = xlaVulkanDeviceWait(device, lane->number);
  if (status)
    releaseLane(device, lane);
  else
    *taken = lane;
  return status;
}

static XlaVulkanPart staged(const XlaVulkanDevice *device, const Lane *lane,
                            int64_t bytes) {
  const XlaVulkanTransfers *transfers = device->transfers;
  return (XlaVulkanPart){&transfers->staging, transfers->staging.buffers,
                         (lane - transfers->lanes) * transfers->laneBytes,
                         bytes};
}

//===----------------------------------------------------------------------===//
// Commands
//===----------------------------------------------------------------------===//

/// Bytes of one copy: Mesa's llvmpipe counts them in 32 bits, with a sign.
static const int64_t mostCopied = INT64_C(1) << 30;

void xlaVulkanRecordCopy(const XlaVulkanDevice *device,
                         VkCommandBuffer commands, const XlaVulkanPart *from,
                         const XlaVulkanPart *to) {
  int64_t n;
  for (int64_t done = 0; done < from->bytes; done += n) {
    n = from->bytes - done < mostCopied ? from->bytes - done : mostCopied;
    VkBufferCopy range = {.srcOffset = (VkDeviceSize)(from->offset + done),
                          .dstOffset = (VkDeviceSize)(to->offset + done),
                          .size = (VkDeviceSize)n};
    device->instance.api.CmdCopyBuffer(commands, from->buffer->handle,
                                       to->buffer->handle, 1, &range);
  }
}

/// Records with a lane that is taken, and submits.
static XlaStatus submit(XlaVulkanDevice *device, Lane *lane,
                        void (*record)(XlaVulkanDevice *device,
                                       VkCommandBuffer commands,
                                       const void *user),
                        const void *user) {
  const XlaVulkanApi *api = &device->instance.api;
  VkCommandBufferBeginInfo begin = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
      .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
  VkResult result = api->BeginCommandBuffer(lane->commands, &begin);
  if (result < 0)
    return xlaVulkanFail(result, "a transfer cannot be recorded");
  record(device, lane->commands, user);
  xlaVulkanQueueBarrier(device, lane->commands);
  result = api->EndCommandBuffer(lane->commands);
  if (result < 0)
    return xlaVulkanFail(result, "a transfer cannot be recorded");
  return xlaVulkanQueueSubmit(device, 1, &lane->commands, &lane->number);
}

XlaStatus xlaVulkanTransferRecord(XlaVulkanDevice *device,
                                  void (*record)(XlaVulkanDevice *device,
                                                 VkCommandBuffer commands,
                                                 const void *user),
                                  const void *user, uint64_t *number) {
  Lane *lane;
  XLA_RETURN_IF_ERROR(takeLane(device, false, false, &lane));
  XlaStatus status = submit(device, lane, record, user);
  if (!status)
    *number = lane->number;
  releaseLane(device, lane);
  return status;
}

/// A copy between a lane and memory.
typedef struct Copy {
  XlaVulkanPart from, to;
} Copy;

static void recordCopy(XlaVulkanDevice *device, VkCommandBuffer commands,
                       const void *user) {
  const Copy *copy = user;
  xlaVulkanRecordCopy(device, commands, &copy->from, &copy->to);
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// The next bytes of a part, from `done` on, that fit into a lane.
static XlaVulkanPart next(const XlaVulkanDevice *device,
                          const XlaVulkanPart *part, int64_t done) {
  XlaVulkanPart result = *part;
  result.offset += done;
  result.bytes -= done;
  if (result.bytes > device->transfers->laneBytes)
    result.bytes = device->transfers->laneBytes;
  return result;
}

static XlaStatus writeLane(XlaVulkanDevice *device, Lane *lane,
                           const XlaVulkanPart *to, const char *data) {
  Copy copy = {staged(device, lane, to->bytes), *to};
  memcpy(copy.from.buffer->mapped + copy.from.offset, data, (size_t)to->bytes);
  XLA_RETURN_IF_ERROR(xlaVulkanPartFlush(device, &copy.from));
  return submit(device, lane, recordCopy, &copy);
}

static XlaStatus writeStaged(XlaVulkanDevice *device, const XlaVulkanPart *part,
                             const char *data, uint64_t *number) {
  for (int64_t done = 0; done < part->bytes;) {
    Lane *lane;
    XLA_RETURN_IF_ERROR(takeLane(device, true, false, &lane));
    XlaVulkanPart to = next(device, part, done);
    XlaStatus status = writeLane(device, lane, &to, data + done);
    if (!status)
      *number = lane->number;
    releaseLane(device, lane);
    XLA_RETURN_IF_ERROR(status);
    done += to.bytes;
  }
  return NULL;
}

XlaStatus xlaVulkanTransferWrite(XlaVulkanDevice *device,
                                 const XlaVulkanPart *part, uint64_t after,
                                 const void *data, uint64_t *number) {
  if (!part->buffer->mapped || !xlaVulkanQueueHasReached(device, after))
    return writeStaged(device, part, data, number);
  // Flushing writes whole atoms: what lies beside the range has to be new.
  XLA_RETURN_IF_ERROR(xlaVulkanPartInvalidate(device, part));
  memcpy(part->buffer->mapped + part->offset, data, (size_t)part->bytes);
  return xlaVulkanPartFlush(device, part);
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// Bytes that are on their way to the host.
typedef struct Coming {
  Lane *lane; ///< NULL: none are
  int64_t bytes;
  char *data; ///< where they go
} Coming;

/// Copies what the device has brought, and releases the lane.
static XlaStatus receive(XlaVulkanDevice *device, Coming *coming) {
  if (!coming->lane)
    return NULL;
  XlaVulkanPart from = staged(device, coming->lane, coming->bytes);
  XlaStatus status = xlaVulkanDeviceWait(device, coming->lane->number);
  if (!status)
    status = xlaVulkanPartInvalidate(device, &from);
  if (!status)
    memcpy(coming->data, from.buffer->mapped + from.offset,
           (size_t)coming->bytes);
  releaseLane(device, coming->lane);
  coming->lane = NULL;
  return status;
}

/// Starts to bring the next bytes of a part, and receives those that were
/// coming before.
static XlaStatus request(XlaVulkanDevice *device, const XlaVulkanPart *part,
                         int64_t done, char *data, Coming *coming) {
  Coming now = {.data = data + done};
  XLA_RETURN_IF_ERROR(takeLane(device, true, coming->lane != NULL, &now.lane));
  if (!now.lane) {
    XLA_RETURN_IF_ERROR(receive(device, coming));
    XLA_RETURN_IF_ERROR(takeLane(device, true, false, &now.lane));
  }
  XlaVulkanPart from = next(device, part, done);
  now.bytes = from.bytes;
  Copy copy = {from, staged(device, now.lane, from.bytes)};
  XlaStatus status = submit(device, now.lane, recordCopy, &copy);
  if (!status)
    status = receive(device, coming);
  if (status)
    releaseLane(device, now.lane);
  else
    *coming = now;
  return status;
}

static XlaStatus readStaged(XlaVulkanDevice *device, const XlaVulkanPart *part,
                            char *data) {
  Coming coming = {0};
  XlaStatus status = NULL;
  for (int64_t done = 0; !status && done < part->bytes; done += coming.bytes)
    status = request(device, part, done, data, &coming);
  if (!status)
    return receive(device, &coming);
  if (coming.lane)
    releaseLane(device, coming.lane);
  return status;
}

XlaStatus xlaVulkanTransferRead(XlaVulkanDevice *device,
                                const XlaVulkanPart *part, uint64_t after,
                                void *data) {
  const VkMemoryPropertyFlags direct =
      VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
  if ((part->block->flags & direct) != direct)
    return readStaged(device, part, data);
  XLA_RETURN_IF_ERROR(xlaVulkanDeviceWait(device, after));
  XLA_RETURN_IF_ERROR(xlaVulkanPartInvalidate(device, part));
  memcpy(data, part->buffer->mapped + part->offset, (size_t)part->bytes);
  return NULL;
}
