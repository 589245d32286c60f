//===- buffer.c - Arrays on devices ---------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/pjrt/internal.h"

#include <stdlib.h>
#include <string.h>

PJRT_Error *xlaPjrtBufferTake(PJRT_Memory *memory, XlaArray *array,
                              PJRT_Buffer **buffer) {
  PJRT_Buffer *made = malloc(sizeof *made);
  if (!made) {
    xlaArrayRelease(array);
    return xlaPjrtNoMemory();
  }
  made->device = memory->device;
  made->memory = memory;
  made->array = array;
  made->view = NULL;
  atomic_init(&made->external, 0);
  atomic_init(&made->held, NULL);
  *buffer = made;
  return NULL;
}

PJRT_Error *xlaPjrt_Buffer_Destroy(PJRT_Buffer_Destroy_Args *args) {
  if (!args->buffer)
    return NULL;
  for (int i = atomic_load(&args->buffer->external); i > 0; --i)
    xlaArrayUnhold(args->buffer->array);
  xlaArrayRelease(args->buffer->array);
  free(args->buffer->view);
  free(args->buffer);
  return NULL;
}

PJRT_Error *xlaPjrt_Buffer_Delete(PJRT_Buffer_Delete_Args *args) {
  xlaArrayDelete(args->buffer->array);
  return NULL;
}

PJRT_Error *xlaPjrt_Buffer_IsDeleted(PJRT_Buffer_IsDeleted_Args *args) {
  args->is_deleted = xlaArrayIsDeleted(args->buffer->array);
  return NULL;
}

//===----------------------------------------------------------------------===//
// Asking
//===----------------------------------------------------------------------===//

PJRT_Error *xlaPjrt_Buffer_ElementType(PJRT_Buffer_ElementType_Args *args) {
  args->type = xlaPjrtType(xlaArrayGetShape(args->buffer->array)->elementType);
  return NULL;
}

PJRT_Error *xlaPjrt_Buffer_Dimensions(PJRT_Buffer_Dimensions_Args *args) {
  const XlaShape *shape = xlaPjrtBufferShape(args->buffer);
  args->dims = shape->dims;
  args->num_dims = (size_t)shape->rank;
  return NULL;
}

PJRT_Error *
xlaPjrt_Buffer_UnpaddedDimensions(PJRT_Buffer_UnpaddedDimensions_Args *args) {
  const XlaShape *shape = xlaPjrtBufferShape(args->buffer);
  args->unpadded_dims = shape->dims;
  args->num_dims = (size_t)shape->rank;
  return NULL;
}

PJRT_Error *xlaPjrt_Buffer_DynamicDimensionIndices(
    PJRT_Buffer_DynamicDimensionIndices_Args *args) {
  args->dynamic_dim_indices = NULL;
  args->num_dynamic_dims = 0;
  return NULL;
}

PJRT_Error *
xlaPjrt_Buffer_GetMemoryLayout(PJRT_Buffer_GetMemoryLayout_Args *args) {
  const XlaPjrtView *view = args->buffer->view;
  int rank = xlaPjrtBufferShape(args->buffer)->rank;
  args->layout = (PJRT_Buffer_MemoryLayout){
      .struct_size = PJRT_SIZE_UP_TO(PJRT_Buffer_MemoryLayout, type),
      .tiled = {.struct_size =
                    PJRT_SIZE_UP_TO(PJRT_Buffer_MemoryLayout_Tiled, num_tiles),
                .minor_to_major =
                    view ? view->minorToMajor : xlaPjrtMinorToMajor(rank),
                .minor_to_major_size = (size_t)rank},
      .type = PJRT_Buffer_MemoryLayout_Type_Tiled};
  return NULL;
}

PJRT_Error *
xlaPjrt_Buffer_OnDeviceSizeInBytes(PJRT_Buffer_OnDeviceSizeInBytes_Args *args) {
  args->on_device_size_in_bytes = xlaArrayGetByteCount(args->buffer->array);
  return NULL;
}

PJRT_Error *xlaPjrt_Buffer_Device(PJRT_Buffer_Device_Args *args) {
  args->device = args->buffer->device;
  return NULL;
}

PJRT_Error *xlaPjrt_Buffer_Memory(PJRT_Buffer_Memory_Args *args) {
  args->memory = args->buffer->memory;
  return NULL;
}

PJRT_Error *xlaPjrt_Buffer_IsOnCpu(PJRT_Buffer_IsOnCpu_Args *args) {
  args->is_on_cpu =
      args->buffer->device->client->platform == XlaPjrtPlatformCpu;
  return NULL;
}

PJRT_Error *xlaPjrt_Buffer_ReadyEvent(PJRT_Buffer_ReadyEvent_Args *args) {
  XlaArray *array = args->buffer->array;
  XlaEvent *event = xlaArrayIsDeleted(array)
                        ? xlaPjrtEventHappened(xlaStatusCreate(
                              XLA_STATUS_INVALID_ARGUMENT,
                              "the buffer has been deleted or donated"))
                        : xlaEventRetain(xlaArrayGetEvent(array));
  if (!event)
    return xlaPjrtNoMemory();
  xlaEventExpect(event);
  args->event = xlaPjrtEvent(event);
  return NULL;
}

//===----------------------------------------------------------------------===//
// The memory itself
//===----------------------------------------------------------------------===//

static PJRT_Error *hold(PJRT_Buffer *buffer, const void **data) {
  if (xlaArrayIsDeleted(buffer->array))
    return xlaPjrtInvalid("the buffer has been deleted or donated");
  *data = xlaArrayHold(buffer->array);
  if (!*data && xlaArrayGetByteCount(buffer->array))
    return xlaPjrtUnimplemented("the memory of %s is not that of the host",
                                buffer->device->description->text);
  return NULL;
}

PJRT_Error *xlaPjrt_Buffer_UnsafePointer(PJRT_Buffer_UnsafePointer_Args *args) {
  const void *data;
  XLA_PJRT_RETURN_IF_ERROR(hold(args->buffer, &data));
  args->buffer_pointer = (uintptr_t)data;
  if (data)
    xlaArrayUnhold(args->buffer->array);
  return NULL;
}

// With references from outside it stays as it is, also when it is deleted.
PJRT_Error *xlaPjrt_Buffer_OpaqueDeviceMemoryDataPointer(
    PJRT_Buffer_OpaqueDeviceMemoryDataPointer_Args *args) {
  PJRT_Buffer *buffer = args->buffer;
  const void *data = atomic_load(&buffer->held);
  if (!atomic_load(&buffer->external)) {
    XLA_PJRT_RETURN_IF_ERROR(hold(buffer, &data));
    if (data)
      xlaArrayUnhold(buffer->array);
  }
  args->device_memory_ptr = (void *)(uintptr_t)data;
  return NULL;
}

PJRT_Error *xlaPjrt_Buffer_IncreaseExternalReferenceCount(
    PJRT_Buffer_IncreaseExternalReferenceCount_Args *args) {
  const void *data;
  XLA_PJRT_RETURN_IF_ERROR(hold(args->buffer, &data));
  if (data) {
    atomic_store(&args->buffer->held, data);
    atomic_fetch_add(&args->buffer->external, 1);
  }
  return NULL;
}

PJRT_Error *xlaPjrt_Buffer_DecreaseExternalReferenceCount(
    PJRT_Buffer_DecreaseExternalReferenceCount_Args *args) {
  PJRT_Buffer *buffer = args->buffer;
  int n = atomic_load(&buffer->external);
  while (n > 0 && !atomic_compare_exchange_weak(&buffer->external, &n, n - 1))
    ;
  if (n > 0)
    xlaArrayUnhold(buffer->array);
  else if (xlaArrayGetByteCount(buffer->array))
    return xlaPjrtInvalid("the buffer has no references from outside");
  return NULL;
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// Destroys the buffer on failure.
static PJRT_Error *setOrder(PJRT_Buffer *buffer, const XlaPjrtOrder *order) {
  PJRT_Error *error = xlaPjrtBufferSetOrder(buffer, order);
  if (error)
    xlaPjrt_Buffer_Destroy(&(PJRT_Buffer_Destroy_Args){.buffer = buffer});
  return error;
}

static PJRT_Error *copyTo(PJRT_Buffer *buffer, PJRT_Device *device,
                          PJRT_Memory *memory, PJRT_Buffer **copy) {
  PJRT_Memory *found;
  XlaArray *array;
  XLA_PJRT_RETURN_IF_ERROR(
      xlaPjrtFindMemory(buffer->device->client, device, memory, &found));
  XLA_PJRT_RETURN_IF_ERROR(xlaPjrtErrorTake(
      xlaArrayCopy(buffer->array, found->device->xla, &array)));
  XLA_PJRT_RETURN_IF_ERROR(xlaPjrtBufferTake(found, array, copy));
  return setOrder(*copy, xlaPjrtBufferOrder(buffer));
}

PJRT_Error *xlaPjrt_Buffer_CopyToDevice(PJRT_Buffer_CopyToDevice_Args *args) {
  return copyTo(args->buffer, args->dst_device, NULL, &args->dst_buffer);
}

PJRT_Error *xlaPjrt_Buffer_CopyToMemory(PJRT_Buffer_CopyToMemory_Args *args) {
  return copyTo(args->buffer, NULL, args->dst_memory, &args->dst_buffer);
}

PJRT_Error *xlaPjrt_Client_CreateUninitializedBuffer(
    PJRT_Client_CreateUninitializedBuffer_Args *args) {
  PJRT_Memory *memory;
  XlaShape shape;
  XlaArray *array;
  XLA_PJRT_RETURN_IF_ERROR(
      xlaPjrtFindMemory(args->client, args->device, args->memory, &memory));
  XLA_PJRT_RETURN_IF_ERROR(xlaPjrtShape(args->shape_element_type,
                                        args->shape_num_dims, args->shape_dims,
                                        &shape));
  XLA_PJRT_RETURN_IF_ERROR(xlaPjrtCheckRowMajor(args->shape_layout, &shape));
  XLA_PJRT_RETURN_IF_ERROR(
      xlaPjrtErrorTake(xlaArrayCreate(memory->device->xla, &shape, &array)));
  return xlaPjrtBufferTake(memory, array, &args->buffer);
}

PJRT_Error *
xlaPjrt_Client_CreateErrorBuffer(PJRT_Client_CreateErrorBuffer_Args *args) {
  PJRT_Memory *memory;
  XlaShape shape;
  XlaArray *array;
  XLA_PJRT_RETURN_IF_ERROR(
      xlaPjrtFindMemory(args->client, NULL, args->memory, &memory));
  XLA_PJRT_RETURN_IF_ERROR(xlaPjrtShape(args->shape_element_type,
                                        args->shape_num_dims, args->shape_dims,
                                        &shape));
  XlaStatus why = xlaPjrtStatus(args->error_code, args->error_message,
                                args->error_message_size);
  if (!why)
    return xlaPjrtInvalid("the buffer is to fail with the code OK");
  XLA_PJRT_RETURN_IF_ERROR(xlaPjrtErrorTake(
      xlaArrayCreateFailed(memory->device->xla, &shape, why, &array)));
  return xlaPjrtBufferTake(memory, array, &args->buffer);
}
