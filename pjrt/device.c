//===- device.c - Devices -------------------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/pjrt/internal.h"

#include <string.h>

//===----------------------------------------------------------------------===//
// Descriptions
//===----------------------------------------------------------------------===//

PJRT_Error *xlaPjrt_DeviceDescription_Id(PJRT_DeviceDescription_Id_Args *args) {
  args->id = args->device_description->id;
  return NULL;
}

PJRT_Error *xlaPjrt_DeviceDescription_ProcessIndex(
    PJRT_DeviceDescription_ProcessIndex_Args *args) {
  args->process_index = 0;
  return NULL;
}

PJRT_Error *xlaPjrt_DeviceDescription_Attributes(
    PJRT_DeviceDescription_Attributes_Args *args) {
  args->num_attributes = 0;
  args->attributes = NULL;
  return NULL;
}

static void deleteNothing(PJRT_Device_Attributes *attributes) {}

PJRT_Error *xlaPjrt_Device_GetAttributes(PJRT_Device_GetAttributes_Args *args) {
  args->num_attributes = 0;
  args->attributes = NULL;
  args->device_attributes = NULL;
  args->attributes_deleter = deleteNothing;
  return NULL;
}

PJRT_Error *
xlaPjrt_DeviceDescription_Kind(PJRT_DeviceDescription_Kind_Args *args) {
  args->device_kind = args->device_description->kind;
  args->device_kind_size = strlen(args->device_kind);
  return NULL;
}

PJRT_Error *xlaPjrt_DeviceDescription_DebugString(
    PJRT_DeviceDescription_DebugString_Args *args) {
  args->debug_string = args->device_description->debug;
  args->debug_string_size = strlen(args->debug_string);
  return NULL;
}

PJRT_Error *
xlaPjrt_DeviceDescription_ToString(PJRT_DeviceDescription_ToString_Args *args) {
  args->to_string = args->device_description->text;
  args->to_string_size = strlen(args->to_string);
  return NULL;
}

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

PJRT_Error *
xlaPjrt_Device_GetDescription(PJRT_Device_GetDescription_Args *args) {
  args->device_description = args->device->description;
  return NULL;
}

PJRT_Error *xlaPjrt_Device_IsAddressable(PJRT_Device_IsAddressable_Args *args) {
  args->is_addressable = true;
  return NULL;
}

PJRT_Error *
xlaPjrt_Device_LocalHardwareId(PJRT_Device_LocalHardwareId_Args *args) {
  args->local_hardware_id = args->device->description->hardware;
  return NULL;
}

PJRT_Error *
xlaPjrt_Device_AddressableMemories(PJRT_Device_AddressableMemories_Args *args) {
  args->memories = args->device->memories;
  args->num_memories = XlaPjrtMemoryKindCount;
  return NULL;
}

PJRT_Error *xlaPjrt_Device_DefaultMemory(PJRT_Device_DefaultMemory_Args *args) {
  args->memory = &args->device->memory[XlaPjrtMemoryKindDevice];
  return NULL;
}

PJRT_Error *xlaPjrt_Device_MemoryStats(PJRT_Device_MemoryStats_Args *args) {
  XlaMemoryStatistics found = xlaClientGetMemoryStatistics(args->device->xla);
  // Everything behind the device is a result, and unknown at first.
  size_t behind = offsetof(PJRT_Device_MemoryStats_Args, bytes_in_use);
  memset((char *)args + behind, 0, sizeof *args - behind);
  args->bytes_in_use = (int64_t)found.usedBytes;
  args->peak_bytes_in_use = (int64_t)found.peakBytes;
  args->peak_bytes_in_use_is_set = true;
  args->num_allocs = (int64_t)found.nArrays;
  args->num_allocs_is_set = true;
  args->bytes_limit = (int64_t)found.limitBytes;
  args->bytes_limit_is_set = found.limitBytes != 0;
  args->bytes_reserved = (int64_t)found.reservedBytes;
  args->bytes_reserved_is_set = true;
  args->pool_bytes = (int64_t)(found.usedBytes + found.reservedBytes);
  args->pool_bytes_is_set = true;
  return NULL;
}

// What is tracked so is shown nowhere: any object does.
PJRT_Error *xlaPjrt_Device_CreateAsyncTrackingEvent(
    PJRT_Device_CreateAsyncTrackingEvent_Args *args) {
  XlaEvent *event = xlaPjrtEventHappened(NULL);
  if (!event)
    return xlaPjrtNoMemory();
  args->event = (PJRT_AsyncTrackingEvent *)event;
  return NULL;
}

PJRT_Error *
xlaPjrt_AsyncTrackingEvent_Destroy(PJRT_AsyncTrackingEvent_Destroy_Args *args) {
  xlaEventRelease((XlaEvent *)args->event);
  return NULL;
}
