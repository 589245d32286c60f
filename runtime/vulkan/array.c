//===- array.c - Memory of a Vulkan device --------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/runtime/vulkan/array_internal.h"

#include <stdlib.h>

XlaStatus xlaVulkanArrayCreateInPieces(XlaVulkanDevice *device, int64_t bytes,
                                       int64_t pieceBytes,
                                       XlaVulkanArray **array) {
  *array = NULL;
  if (bytes < 0)
    return xlaStatusCreate(XLA_STATUS_INVALID_ARGUMENT,
                           "an array of %lld bytes", (long long)bytes);
  intptr_t n = bytes == 0 ? 0 : 1;
  if (n && pieceBytes)
    n = (intptr_t)((bytes - 1) / pieceBytes + 1);
  XlaVulkanArray *made = NULL;
  if (bytes <= device->physical.info.memoryBytes)
    made = calloc(1, sizeof *made + (size_t)n * sizeof *made->pieces);
  if (!made)
    return xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY,
                           "no memory for an array of %lld bytes: %s has %lld",
                           (long long)bytes, device->physical.info.name,
                           (long long)device->physical.info.memoryBytes);
  made->device = device;
  made->bytes = bytes;
  made->pieceBytes = n > 1 ? pieceBytes : 0;
  made->n = n;
  XlaStatus status = xlaVulkanPoolTake(made);
  if (status) {
    free(made);
    return status;
  }
  *array = made;
  return NULL;
}

XlaStatus xlaVulkanArrayCreate(XlaVulkanDevice *device, int64_t bytes,
                               XlaVulkanArray **array) {
  return xlaVulkanArrayCreateInPieces(
      device, bytes, xlaVulkanPieceBytes(&device->physical.info), array);
}

void xlaVulkanArrayDestroy(XlaVulkanArray *array) {
  if (!array)
    return;
  xlaVulkanPoolGive(array);
  free(array);
}

int64_t xlaVulkanArrayGetBytes(const XlaVulkanArray *array) {
  return array->bytes;
}

uint64_t xlaVulkanArrayGetWritten(const XlaVulkanArray *array) {
  return atomic_load(&array->written);
}

uint64_t xlaVulkanArrayGetUsed(const XlaVulkanArray *array) {
  return atomic_load(&array->used);
}

/// Several threads may note what they have submitted in any order.
static void raise(_Atomic uint64_t *number, uint64_t value) {
  uint64_t before = atomic_load(number);
  while (before < value &&
         !atomic_compare_exchange_weak(number, &before, value))
    continue;
}

void xlaVulkanArrayNote(XlaVulkanArray *array, uint64_t number,
                        bool isWritten) {
  raise(&array->used, number);
  if (isWritten)
    raise(&array->written, number);
}

XlaVulkanPart xlaVulkanArrayPart(const XlaVulkanArray *array, int64_t offset,
                                 int64_t bytes) {
  intptr_t piece = 0;
  if (array->pieceBytes) {
    piece = (intptr_t)(offset / array->pieceBytes);
    offset %= array->pieceBytes;
    if (bytes > array->pieceBytes - offset)
      bytes = array->pieceBytes - offset;
  }
  return xlaVulkanSlotPart(array->pieces[piece], offset, bytes);
}

static XlaStatus checkRange(const XlaVulkanArray *array, int64_t offset,
                            int64_t bytes) {
  if (offset >= 0 && bytes >= 0 && offset <= array->bytes &&
      bytes <= array->bytes - offset)
    return NULL;
  return xlaStatusCreate(XLA_STATUS_INVALID_ARGUMENT,
                         "%lld bytes at %lld are not within an array of %lld",
                         (long long)bytes, (long long)offset,
                         (long long)array->bytes);
}

XlaStatus xlaVulkanArrayWrite(XlaVulkanArray *array, int64_t offset,
                              int64_t bytes, const void *data) {
  XLA_RETURN_IF_ERROR(checkRange(array, offset, bytes));
  XlaStatus status = NULL;
  uint64_t number = 0, after = xlaVulkanArrayGetUsed(array);
  for (int64_t done = 0; !status && done < bytes;) {
    XlaVulkanPart part = xlaVulkanArrayPart(array, offset + done, bytes - done);
    status = xlaVulkanTransferWrite(array->device, &part, after,
                                    (const char *)data + done, &number);
    done += part.bytes;
  }
  xlaVulkanArrayNote(array, number, true);
  return status;
}

XlaStatus xlaVulkanArrayRead(XlaVulkanArray *array, int64_t offset,
                             int64_t bytes, void *data) {
  XLA_RETURN_IF_ERROR(checkRange(array, offset, bytes));
  XlaStatus status = NULL;
  uint64_t after = xlaVulkanArrayGetWritten(array);
  for (int64_t done = 0; !status && done < bytes;) {
    XlaVulkanPart part = xlaVulkanArrayPart(array, offset + done, bytes - done);
    status =
        xlaVulkanTransferRead(array->device, &part, after, (char *)data + done);
    done += part.bytes;
  }
  if (status) // a part of it may still be under way
    xlaVulkanArrayNote(array, atomic_load(&array->device->submitted), false);
  return status;
}

//===----------------------------------------------------------------------===//
// On the device
//===----------------------------------------------------------------------===//

typedef struct Copy {
  const XlaVulkanArray *from, *to;
  int64_t bytes;
} Copy;

static void recordCopy(XlaVulkanDevice *device, VkCommandBuffer commands,
                       const void *user) {
  const Copy *copy = user;
  for (int64_t done = 0; done < copy->bytes;) {
    XlaVulkanPart to = xlaVulkanArrayPart(copy->to, done, copy->bytes - done);
    XlaVulkanPart from = xlaVulkanArrayPart(copy->from, done, to.bytes);
    to.bytes = from.bytes;
    xlaVulkanRecordCopy(device, commands, &from, &to);
    done += to.bytes;
  }
}

XlaStatus xlaVulkanArrayCopyBytes(XlaVulkanArray *from, XlaVulkanArray *to,
                                  int64_t bytes, uint64_t *number) {
  *number = 0;
  if (bytes == 0)
    return NULL;
  Copy copy = {from, to, bytes};
  XLA_RETURN_IF_ERROR(
      xlaVulkanTransferRecord(from->device, recordCopy, &copy, number));
  xlaVulkanArrayNote(from, *number, false);
  xlaVulkanArrayNote(to, *number, true);
  return NULL;
}

XlaStatus xlaVulkanArrayCopy(XlaVulkanArray *from, XlaVulkanArray *to,
                             uint64_t *number) {
  *number = 0;
  if (from == to || from->device != to->device || from->bytes > to->bytes)
    return xlaStatusCreate(XLA_STATUS_INVALID_ARGUMENT,
                           "an array of %lld bytes is copied to %s of %lld",
                           (long long)from->bytes,
                           from == to                   ? "itself,"
                           : from->device != to->device ? "another device's"
                                                        : "an array",
                           (long long)to->bytes);
  return xlaVulkanArrayCopyBytes(from, to, from->bytes, number);
}
