//===- transfer_manager.c - Buffers that are filled in parts --------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A transfer has ended when its call returns. Programs that were given a buffer
// begin when its last part is there.
//
//===----------------------------------------------------------------------===//

#include "xlac/pjrt/internal.h"

#include <stdlib.h>
#include <string.h>

typedef struct Slot {
  XlaArray *array;
  bool isRetrieved, hasLast, hasEnded;
  int nTransfers; ///< that are under way
} Slot;

struct PJRT_AsyncHostToDeviceTransferManager {
  PJRT_Memory *memory;
  size_t n;
  Slot *slots;
  pthread_mutex_t lock; ///< of the slots
};
typedef PJRT_AsyncHostToDeviceTransferManager Manager;

static void destroy(Manager *manager) {
  for (size_t i = 0; manager->slots && i < manager->n; ++i) {
    XlaArray *array = manager->slots[i].array;
    if (!array)
      break;
    xlaArrayKeep(array, // unless it has been kept
                 xlaStatusCreate(XLA_STATUS_INVALID_ARGUMENT,
                                 "the transfer manager was destroyed before "
                                 "the buffer's last transfer"));
    xlaArrayRelease(array);
  }
  pthread_mutex_destroy(&manager->lock);
  free(manager->slots);
  free(manager);
}

static PJRT_Error *
addSlot(Manager *manager,
        const PJRT_Client_CreateBuffersForAsyncHostToDevice_Args *args,
        size_t i) {
  const PJRT_ShapeSpec *spec = &args->shape_specs[i];
  XlaShape shape;
  XLA_PJRT_RETURN_IF_ERROR(
      xlaPjrtShape(spec->element_type, spec->num_dims, spec->dims, &shape));
  if (args->num_device_layouts && args->device_layouts[i])
    XLA_PJRT_RETURN_IF_ERROR(
        xlaPjrtCheckRowMajor(args->device_layouts[i], &shape));
  return xlaPjrtErrorTake(xlaArrayPromise(manager->memory->device->xla, &shape,
                                          &manager->slots[i].array));
}

PJRT_Error *xlaPjrt_Client_CreateBuffersForAsyncHostToDevice(
    PJRT_Client_CreateBuffersForAsyncHostToDevice_Args *args) {
  PJRT_Memory *memory;
  XLA_PJRT_RETURN_IF_ERROR(
      xlaPjrtFindMemory(args->client, NULL, args->memory, &memory));
  if (args->num_shape_specs && !args->shape_specs)
    return xlaPjrtInvalid("the list of shapes is NULL");
  if (args->num_device_layouts &&
      (args->num_device_layouts != args->num_shape_specs ||
       !args->device_layouts))
    return xlaPjrtInvalid("there are %zu layouts for %zu shapes",
                          args->num_device_layouts, args->num_shape_specs);
  Manager *made = calloc(1, sizeof *made);
  if (!made)
    return xlaPjrtNoMemory();
  pthread_mutex_init(&made->lock, NULL);
  made->memory = memory;
  made->n = args->num_shape_specs;
  made->slots = calloc(made->n + 1, sizeof *made->slots);
  PJRT_Error *error = made->slots ? NULL : xlaPjrtNoMemory();
  for (size_t i = 0; i < made->n && !error; ++i)
    error = addSlot(made, args, i);
  if (error)
    destroy(made);
  else
    args->transfer_manager = made;
  return error;
}

PJRT_Error *xlaPjrt_AsyncHostToDeviceTransferManager_Destroy(
    PJRT_AsyncHostToDeviceTransferManager_Destroy_Args *args) {
  if (args->transfer_manager)
    destroy(args->transfer_manager);
  return NULL;
}

/// NULL if there is none.
static Slot *find(Manager *manager, int index) {
  return index >= 0 && (size_t)index < manager->n ? &manager->slots[index]
                                                  : NULL;
}

static PJRT_Error *noBuffer(const Manager *manager, int index) {
  return xlaPjrtInvalid("there is no buffer %d; there are %zu", index,
                        manager->n);
}

//===----------------------------------------------------------------------===//
// Transfers
//===----------------------------------------------------------------------===//

static PJRT_Error *begin(Manager *manager, Slot *slot, bool isLast) {
  pthread_mutex_lock(&manager->lock);
  bool hasEnded = slot->hasLast || slot->hasEnded;
  if (!hasEnded) {
    ++slot->nTransfers;
    slot->hasLast = isLast;
  }
  pthread_mutex_unlock(&manager->lock);
  return hasEnded ? xlaPjrtError(PJRT_Error_Code_FAILED_PRECONDITION,
                                 "the buffer has had its last transfer")
                  : NULL;
}

/// The buffer is there when the last transfer and those before it have ended;
/// one that fails ends it.
static PJRT_Error *end(Manager *manager, Slot *slot, XlaStatus status,
                       PJRT_Event **done) {
  pthread_mutex_lock(&manager->lock);
  --slot->nTransfers;
  bool ends = status || (slot->hasLast && !slot->nTransfers);
  slot->hasEnded |= ends;
  pthread_mutex_unlock(&manager->lock);
  if (ends)
    xlaArrayKeep(slot->array, xlaStatusCopy(status));
  XLA_PJRT_RETURN_IF_ERROR(xlaPjrtErrorTake(status));
  XlaEvent *event = xlaPjrtEventHappened(NULL);
  if (!event)
    return xlaPjrtNoMemory();
  *done = xlaPjrtEvent(event);
  return NULL;
}

PJRT_Error *xlaPjrt_AsyncHostToDeviceTransferManager_TransferData(
    PJRT_AsyncHostToDeviceTransferManager_TransferData_Args *args) {
  Slot *slot = find(args->transfer_manager, args->buffer_index);
  if (!slot)
    return noBuffer(args->transfer_manager, args->buffer_index);
  size_t bytes = xlaArrayGetByteCount(slot->array);
  if (args->offset < 0 || args->transfer_size < 0 ||
      (size_t)args->offset > bytes ||
      (size_t)args->transfer_size > bytes - (size_t)args->offset)
    return xlaPjrtInvalid("the buffer has %zu bytes, not %lld from %lld on",
                          bytes, (long long)args->transfer_size,
                          (long long)args->offset);
  if (!args->data && args->transfer_size)
    return xlaPjrtInvalid("the data is NULL");
  XLA_PJRT_RETURN_IF_ERROR(
      begin(args->transfer_manager, slot, args->is_last_transfer));
  XlaStatus status = xlaArrayFill(slot->array, (size_t)args->offset,
                                  (size_t)args->transfer_size, args->data);
  return end(args->transfer_manager, slot, status,
             &args->done_with_h2d_transfer);
}

/// A row-major copy of an array with `strides`; NULL without memory.
static char *gather(const XlaShape *shape, const int64_t *strides,
                    const char *from, size_t size) {
  size_t bytes = (size_t)xlaElementTypeGetInfo(shape->elementType)->bytes;
  int64_t index[XLA_MAX_RANK] = {0};
  char *packed = malloc(size + 1), *to = packed;
  if (!packed || !size)
    return packed;
  do {
    int64_t offset = 0;
    for (int i = 0; i < shape->rank; ++i)
      offset += index[i] * strides[i];
    memcpy(to, from + offset, bytes);
    to += bytes;
  } while (xlaIndexNext(index, shape->dims, shape->rank));
  return packed;
}

PJRT_Error *xlaPjrt_AsyncHostToDeviceTransferManager_TransferLiteral(
    PJRT_AsyncHostToDeviceTransferManager_TransferLiteral_Args *args) {
  XlaShape shape;
  int64_t strides[XLA_MAX_RANK];
  bool isRowMajor;
  Slot *slot = find(args->transfer_manager, args->buffer_index);
  if (!slot)
    return noBuffer(args->transfer_manager, args->buffer_index);
  XLA_PJRT_RETURN_IF_ERROR(xlaPjrtShape(args->shape_element_type,
                                        args->shape_num_dims, args->shape_dims,
                                        &shape));
  const XlaShape *wanted = xlaArrayGetShape(slot->array);
  if (shape.elementType != wanted->elementType ||
      !xlaShapeDimsEqual(&shape, wanted))
    return xlaPjrtInvalid("the literal is %s, the buffer %s",
                          XLA_SHAPE_TEXT(&shape), XLA_SHAPE_TEXT(wanted));
  XLA_PJRT_RETURN_IF_ERROR(
      xlaPjrtStrides(args->shape_layout, &shape, strides, &isRowMajor));
  size_t bytes = xlaArrayGetByteCount(slot->array);
  if (!args->data && bytes)
    return xlaPjrtInvalid("the data is NULL");
  XLA_PJRT_RETURN_IF_ERROR(begin(args->transfer_manager, slot, true));
  char *packed = isRowMajor ? NULL : gather(&shape, strides, args->data, bytes);
  XlaStatus status =
      isRowMajor || packed
          ? xlaArrayFill(slot->array, 0, bytes, packed ? packed : args->data)
          : xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY,
                            "no memory to order a literal");
  free(packed);
  return end(args->transfer_manager, slot, status,
             &args->done_with_h2d_transfer);
}

PJRT_Error *xlaPjrt_AsyncHostToDeviceTransferManager_SetBufferError(
    PJRT_AsyncHostToDeviceTransferManager_SetBufferError_Args *args) {
  Slot *slot = find(args->transfer_manager, args->buffer_index);
  if (!slot)
    return noBuffer(args->transfer_manager, args->buffer_index);
  XlaStatus why = xlaPjrtStatus(args->error_code, args->error_message,
                                args->error_message_size);
  if (!why)
    return xlaPjrtInvalid("the buffer is to fail with the code OK");
  pthread_mutex_lock(&args->transfer_manager->lock);
  slot->hasEnded = true;
  pthread_mutex_unlock(&args->transfer_manager->lock);
  xlaArrayKeep(slot->array, why);
  return NULL;
}

//===----------------------------------------------------------------------===//
// Asking
//===----------------------------------------------------------------------===//

PJRT_Error *xlaPjrt_AsyncHostToDeviceTransferManager_RetrieveBuffer(
    PJRT_AsyncHostToDeviceTransferManager_RetrieveBuffer_Args *args) {
  Manager *manager = args->transfer_manager;
  Slot *slot = find(manager, args->buffer_index);
  if (!slot)
    return noBuffer(manager, args->buffer_index);
  pthread_mutex_lock(&manager->lock);
  bool wasRetrieved = slot->isRetrieved;
  slot->isRetrieved = true;
  pthread_mutex_unlock(&manager->lock);
  if (wasRetrieved)
    return xlaPjrtInvalid("buffer %d has been retrieved before",
                          args->buffer_index);
  return xlaPjrtBufferTake(manager->memory, xlaArrayRetain(slot->array),
                           &args->buffer_out);
}

PJRT_Error *xlaPjrt_AsyncHostToDeviceTransferManager_Device(
    PJRT_AsyncHostToDeviceTransferManager_Device_Args *args) {
  args->device_out = args->transfer_manager->memory->device;
  return NULL;
}

PJRT_Error *xlaPjrt_AsyncHostToDeviceTransferManager_BufferCount(
    PJRT_AsyncHostToDeviceTransferManager_BufferCount_Args *args) {
  args->buffer_count = args->transfer_manager->n;
  return NULL;
}

PJRT_Error *xlaPjrt_AsyncHostToDeviceTransferManager_BufferSize(
    PJRT_AsyncHostToDeviceTransferManager_BufferSize_Args *args) {
  Slot *slot = find(args->transfer_manager, args->buffer_index);
  if (!slot)
    return noBuffer(args->transfer_manager, args->buffer_index);
  args->buffer_size = xlaArrayGetByteCount(slot->array);
  return NULL;
}

/// What it is about, for who looks at transfers; nobody does here.
PJRT_Error *xlaPjrt_AsyncHostToDeviceTransferManager_AddMetadata(
    PJRT_AsyncHostToDeviceTransferManager_AddMetadata_Args *args) {
  return NULL;
}
