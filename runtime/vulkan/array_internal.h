//===- array_internal.h - Arrays, their memory and transfers ------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_RUNTIME_VULKAN_ARRAY_INTERNAL_H
#define XLAC_RUNTIME_VULKAN_ARRAY_INTERNAL_H

#include "xlac/runtime/vulkan/array.h"
#include "xlac/runtime/vulkan/memory_internal.h"

// --- pool.c: memory that is used again ---

typedef struct XlaVulkanSlab XlaVulkanSlab;

/// Memory for one piece of an array: a buffer of a slab.
typedef struct XlaVulkanSlot {
  XlaVulkanSlab *slab;
  const XlaVulkanBuffer *buffer;
  uint64_t number; ///< no other slot of the device has it, ever
  uint64_t used;   ///< the last work on it, as far as earlier arrays know
} XlaVulkanSlot;

XlaStatus xlaVulkanPoolCreate(XlaVulkanDevice *device);
void xlaVulkanPoolDestroy(XlaVulkanDevice *device);
/// All bytes of the slot's buffer that are asked for; its block.
XlaVulkanPart xlaVulkanSlotPart(const XlaVulkanSlot *slot, int64_t offset,
                                int64_t bytes);

struct XlaVulkanArray {
  XlaVulkanDevice *device;
  int64_t bytes;
  int64_t pieceBytes; ///< of all pieces but the last; 0: there is one
  _Atomic uint64_t written, used;
  intptr_t n; ///< 0 if it has no bytes
  XlaVulkanSlot *pieces[];
};

/// Sets and frees the pieces of an array, of which all else is set.
XlaStatus xlaVulkanPoolTake(XlaVulkanArray *array);
void xlaVulkanPoolGive(XlaVulkanArray *array);

// --- array.c ---

/// As xlaVulkanArrayCreate, in pieces of so many bytes, a power of two; 0: one.
XlaStatus xlaVulkanArrayCreateInPieces(XlaVulkanDevice *device, int64_t bytes,
                                       int64_t pieceBytes,
                                       XlaVulkanArray **array);
/// A range from `offset` on that lies in one piece, of `bytes` at most.
XlaVulkanPart xlaVulkanArrayPart(const XlaVulkanArray *array, int64_t offset,
                                 int64_t bytes);
/// Notes that work `number` reads or writes the array.
void xlaVulkanArrayNote(XlaVulkanArray *array, uint64_t number, bool isWritten);
/// As xlaVulkanArrayCopy, of the first `bytes`.
XlaStatus xlaVulkanArrayCopyBytes(XlaVulkanArray *from, XlaVulkanArray *to,
                                  int64_t bytes, uint64_t *number);

// --- transfer.c: between the host and a device ---

XlaStatus xlaVulkanTransfersCreate(XlaVulkanDevice *device);
/// The device is idle.
void xlaVulkanTransfersDestroy(XlaVulkanDevice *device);

/// Copies to the part in order with all that was submitted, of which `after` is
/// the last that touches it. `data` may go away when it returns. `*number` is
/// the submission that copies, or as before if the host has done it.
XlaStatus xlaVulkanTransferWrite(XlaVulkanDevice *device,
                                 const XlaVulkanPart *part, uint64_t after,
                                 const void *data, uint64_t *number);
/// Copies from it; `after` is the last submission that writes to it. Waits.
XlaStatus xlaVulkanTransferRead(XlaVulkanDevice *device,
                                const XlaVulkanPart *part, uint64_t after,
                                void *data);

/// Records a copy between parts that are equally long.
void xlaVulkanRecordCopy(const XlaVulkanDevice *device,
                         VkCommandBuffer commands, const XlaVulkanPart *from,
                         const XlaVulkanPart *to);
/// Submits commands of the device itself, which `record` writes.
XlaStatus xlaVulkanTransferRecord(XlaVulkanDevice *device,
                                  void (*record)(XlaVulkanDevice *device,
                                                 VkCommandBuffer commands,
                                                 const void *user),
                                  const void *user, uint64_t *number);

#endif // XLAC_RUNTIME_VULKAN_ARRAY_INTERNAL_H
