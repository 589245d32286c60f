//===- array.h - Memory of a Vulkan device ------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays lie on a device and belong to no program: programs take them as inputs
// and outputs (program.h), and what one program wrote the next one reads, while
// the host is ahead of both. The numbers are those of device.h.
//
// An array may be destroyed while the device works on it, as soon as the call
// that asked for the work has returned. Its memory goes back to a pool of the
// device and may be given out at once: later work sees it after the earlier one
// is done. The pool keeps memory by size, and gives the oldest first, so that a
// loop that makes and destroys the same arrays sees the same memory again.
//
// Everything here may be called from several threads at once; an array is
// written to by one at a time.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_RUNTIME_VULKAN_ARRAY_H
#define XLAC_RUNTIME_VULKAN_ARRAY_H

#include "xlac/runtime/vulkan/device.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct XlaVulkanArray XlaVulkanArray;

/// An array of `bytes`, with any content; owned by the caller, and to be
/// destroyed before the device is closed. Where one piece of memory does not
/// hold it, it has several (xlaVulkanPieceBytes). Fails: OUT_OF_MEMORY, with
/// the number of bytes, when there is none either after all memory that no
/// array uses was returned to the system, for which it waits; INVALID_ARGUMENT
/// for a negative size; DEVICE_LOST.
XlaStatus xlaVulkanArrayCreate(XlaVulkanDevice *device, int64_t bytes,
                               XlaVulkanArray **array);
/// Waits for nothing. NULL does nothing.
void xlaVulkanArrayDestroy(XlaVulkanArray *array);

int64_t xlaVulkanArrayGetBytes(const XlaVulkanArray *array);
/// The last work that writes the array, so far: it can be read without waiting
/// when the device has reached that number. 0: none.
uint64_t xlaVulkanArrayGetWritten(const XlaVulkanArray *array);
/// The last work that reads or writes it.
uint64_t xlaVulkanArrayGetUsed(const XlaVulkanArray *array);

/// Copies bytes from the host to offset `offset`, after all work on the array
/// that was asked for before. `data` is not used any more when it returns. The
/// copy itself may be work of the device then, which
/// xlaVulkanArrayGetWritten tells. It waits for earlier work only where that
/// many bytes are on their way already.
XlaStatus xlaVulkanArrayWrite(XlaVulkanArray *array, int64_t offset,
                              int64_t bytes, const void *data);
/// Copies bytes to the host. Waits for what writes the array.
XlaStatus xlaVulkanArrayRead(XlaVulkanArray *array, int64_t offset,
                             int64_t bytes, void *data);
/// Copies all of `from` to the beginning of `to`, another array of the same
/// device that is no shorter. Waits for nothing; `*number` is when it is done.
XlaStatus xlaVulkanArrayCopy(XlaVulkanArray *from, XlaVulkanArray *to,
                             uint64_t *number);

/// Memory of the arrays of a device, in bytes. That of programs' own is not in
/// it.
typedef struct XlaVulkanMemoryStats {
  int64_t usedBytes;     ///< of the arrays that are there
  int64_t peakBytes;     ///< the largest usedBytes so far
  int64_t largestBytes;  ///< of one array so far
  int64_t reservedBytes; ///< taken from the system
  int64_t limitBytes;    ///< of the device (XlaVulkanInfo.memoryBytes)
  int64_t nArrays;       ///< that are there
  int64_t nCreated;      ///< so far
  int64_t nAllocations;  ///< of the system, so far
} XlaVulkanMemoryStats;
XlaVulkanMemoryStats xlaVulkanDeviceGetMemoryStats(XlaVulkanDevice *device);

#ifdef __cplusplus
}
#endif

#endif // XLAC_RUNTIME_VULKAN_ARRAY_H
