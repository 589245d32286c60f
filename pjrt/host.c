//===- host.c - Between arrays of the host and buffers --------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/pjrt/internal.h"

#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// From the host
//===----------------------------------------------------------------------===//

static bool useOf(PJRT_HostBufferSemantics semantics, XlaHostUse *use) {
  static const XlaHostUse uses[] = {
      [PJRT_HostBufferSemantics_kImmutableOnlyDuringCall] = XlaHostUseCall,
      [PJRT_HostBufferSemantics_kImmutableUntilTransferCompletes] =
          XlaHostUseTransfer,
      [PJRT_HostBufferSemantics_kImmutableZeroCopy] = XlaHostUseShared,
      [PJRT_HostBufferSemantics_kMutableZeroCopy] = XlaHostUseGiven,
  };
  if ((unsigned)semantics >= sizeof uses / sizeof *uses)
    return false;
  *use = uses[semantics];
  return true;
}

/// The array is the caller's again.
static void tellDone(void *event) {
  xlaEventSet(event, NULL);
  xlaEventRelease(event);
}

PJRT_Error *xlaPjrt_Client_BufferFromHostBuffer(
    PJRT_Client_BufferFromHostBuffer_Args *args) {
  PJRT_Memory *memory;
  XlaShape shape;
  XlaArray *array;
  XlaHostArray host = {.data = args->data, .release = tellDone};
  XLA_PJRT_RETURN_IF_ERROR(
      xlaPjrtFindMemory(args->client, args->device, args->memory, &memory));
  XLA_PJRT_RETURN_IF_ERROR(
      xlaPjrtShape(args->type, args->num_dims, args->dims, &shape));
  XLA_PJRT_RETURN_IF_ERROR(xlaPjrtCheckRowMajor(args->device_layout, &shape));
  if (!useOf(args->host_buffer_semantics, &host.use))
    return xlaPjrtInvalid("there are no host buffer semantics %d",
                          (int)args->host_buffer_semantics);
  if (args->num_byte_strides && args->num_byte_strides != args->num_dims)
    return xlaPjrtInvalid("there are %zu strides for %zu dimensions",
                          args->num_byte_strides, args->num_dims);
  if (args->num_byte_strides)
    host.byteStrides = args->byte_strides;
  XlaEvent *done = xlaEventCreate();
  if (!done)
    return xlaPjrtNoMemory();
  host.user = xlaEventRetain(done);
  PJRT_Error *error = xlaPjrtErrorTake(
      xlaArrayFromHost(memory->device->xla, &shape, &host, &array));
  if (!error)
    error = xlaPjrtBufferTake(memory, array, &args->buffer);
  if (error)
    xlaEventRelease(done);
  else
    args->done_with_host_buffer = xlaPjrtEvent(done);
  return error;
}

/// Whom to tell that a view is not used any more.
typedef struct View {
  void *data;
  void (*callback)(void *data, void *user);
  void *user;
} View;

static void endView(void *data) {
  View *view = data;
  if (view->callback)
    view->callback(view->data, view->user);
  free(view);
}

/// On the processor memory of a device is any memory.
PJRT_Error *xlaPjrt_Client_CreateViewOfDeviceBuffer(
    PJRT_Client_CreateViewOfDeviceBuffer_Args *args) {
  PJRT_Memory *memory;
  XlaShape shape;
  XlaArray *array;
  XLA_PJRT_RETURN_IF_ERROR(
      xlaPjrtFindMemory(args->client, args->device, args->memory, &memory));
  XLA_PJRT_RETURN_IF_ERROR(
      xlaPjrtShape(args->element_type, args->num_dims, args->dims, &shape));
  XLA_PJRT_RETURN_IF_ERROR(xlaPjrtCheckRowMajor(args->layout, &shape));
  if (args->client->platform != XlaPjrtPlatformCpu)
    return xlaPjrtUnimplemented("memory of a Vulkan device has no address that "
                                "others could give");
  View *view = malloc(sizeof *view);
  if (!view)
    return xlaPjrtNoMemory();
  *view = (View){args->device_buffer_ptr, args->on_delete_callback,
                 args->on_delete_callback_arg};
  XlaHostArray host = {.data = args->device_buffer_ptr,
                       .use = XlaHostUseGiven,
                       .release = endView,
                       .user = view};
  XLA_PJRT_RETURN_IF_ERROR(xlaPjrtErrorTake(
      xlaArrayFromHost(memory->device->xla, &shape, &host, &array)));
  return xlaPjrtBufferTake(memory, array, &args->buffer);
}

//===----------------------------------------------------------------------===//
// To the host
//===----------------------------------------------------------------------===//

static PJRT_Error *read(XlaArray *array, size_t offset, size_t size, void *data,
                        PJRT_Event **event) {
  XlaEvent *done;
  XLA_PJRT_RETURN_IF_ERROR(
      xlaPjrtErrorTake(xlaArrayRead(array, offset, size, data, &done)));
  *event = xlaPjrtEvent(done);
  return NULL;
}

/// Copies a row-major array to where `strides` say.
static void scatter(const XlaShape *shape, const char *from,
                    const int64_t *strides, char *to) {
  int rank = shape->rank;
  size_t bytes = (size_t)xlaElementTypeGetInfo(shape->elementType)->bytes;
  int64_t index[XLA_MAX_RANK] = {0};
  do {
    int64_t offset = 0;
    for (int i = 0; i < rank; ++i)
      offset += index[i] * strides[i];
    memcpy(to + offset, from, bytes);
    from += bytes;
  } while (xlaIndexNext(index, shape->dims, rank));
}

/// How many bytes an array with `strides` spans; false for strides that do not
/// go forward, or a sum that overflows.
static bool span(const XlaShape *shape, const int64_t *strides, size_t *size) {
  int64_t sum = xlaElementTypeGetInfo(shape->elementType)->bytes, product;
  for (int i = 0; i < shape->rank; ++i)
    if (strides[i] < 0 ||
        __builtin_mul_overflow(shape->dims[i] - 1, strides[i], &product) ||
        __builtin_add_overflow(sum, product, &sum))
      return false;
  *size = (size_t)sum;
  return true;
}

/// In another order than the buffer's: waits for it.
static PJRT_Error *readOrdered(XlaArray *array, const int64_t *strides,
                               PJRT_Buffer_ToHostBuffer_Args *args) {
  const XlaShape *shape = xlaArrayGetShape(array);
  size_t size = xlaArrayGetByteCount(array), needed;
  if (!span(shape, strides, &needed) || needed > args->dst_size)
    return xlaPjrtInvalid("the host's array does not fit into its %zu bytes",
                          args->dst_size);
  char *data = malloc(size);
  if (!data)
    return xlaPjrtNoMemory();
  XlaStatus status = xlaArrayRead(array, 0, size, data, NULL);
  if (!status)
    scatter(shape, data, strides, args->dst);
  free(data);
  XLA_PJRT_RETURN_IF_ERROR(xlaPjrtErrorTake(status));
  XlaEvent *done = xlaPjrtEventHappened(NULL);
  if (!done)
    return xlaPjrtNoMemory();
  args->event = xlaPjrtEvent(done);
  return NULL;
}

/// Strides of the host's array, for the dimensions as they are stored; without
/// a layout the host's is the buffer's.
static PJRT_Error *stridesOfHost(const PJRT_Buffer *buffer,
                                 const PJRT_Buffer_MemoryLayout *layout,
                                 int64_t *strides, bool *isSame) {
  const XlaShape *stored = xlaArrayGetShape(buffer->array);
  if (!buffer->view || !layout)
    return xlaPjrtStrides(layout, stored, strides, isSame);
  int64_t given[XLA_MAX_RANK], dense[XLA_MAX_RANK];
  XLA_PJRT_RETURN_IF_ERROR(
      xlaPjrtStrides(layout, &buffer->view->shape, given, isSame));
  XLA_PJRT_RETURN_IF_ERROR(xlaPjrtStrides(NULL, stored, dense, isSame));
  for (int i = 0; i < stored->rank; ++i) {
    strides[i] = given[buffer->view->minorToMajor[stored->rank - 1 - i]];
    *isSame &= strides[i] == dense[i] || stored->dims[i] < 2;
  }
  return NULL;
}

PJRT_Error *xlaPjrt_Buffer_ToHostBuffer(PJRT_Buffer_ToHostBuffer_Args *args) {
  XlaArray *array = args->src->array;
  size_t size = xlaArrayGetByteCount(array);
  int64_t strides[XLA_MAX_RANK];
  bool isRowMajor;
  XLA_PJRT_RETURN_IF_ERROR(
      stridesOfHost(args->src, args->host_layout, strides, &isRowMajor));
  if (!args->dst) {
    args->dst_size = size;
    return NULL;
  }
  if (args->dst_size < size)
    return xlaPjrtInvalid("the buffer has %zu bytes, room is for %zu", size,
                          args->dst_size);
  if (isRowMajor || !size)
    return read(array, 0, size, args->dst, &args->event);
  return readOrdered(array, strides, args);
}

static PJRT_Error *checkRange(const PJRT_Buffer *buffer, int64_t offset,
                              int64_t size) {
  size_t bytes = xlaArrayGetByteCount(buffer->array);
  if (offset < 0 || size < 0 || (size_t)offset > bytes ||
      (size_t)size > bytes - (size_t)offset)
    return xlaPjrtInvalid("the buffer has %zu bytes, not %lld from %lld on",
                          bytes, (long long)size, (long long)offset);
  return NULL;
}

PJRT_Error *xlaPjrt_Buffer_CopyRawToHost(PJRT_Buffer_CopyRawToHost_Args *args) {
  XLA_PJRT_RETURN_IF_ERROR(
      checkRange(args->buffer, args->offset, args->transfer_size));
  if (!args->dst && args->transfer_size)
    return xlaPjrtInvalid("the place to copy to is NULL");
  return read(args->buffer->array, (size_t)args->offset,
              (size_t)args->transfer_size, args->dst, &args->event);
}

//===----------------------------------------------------------------------===//
// To memory of the host that is not known yet
//===----------------------------------------------------------------------===//

typedef struct Copy {
  XlaArray *array;
  size_t offset, size;
  XlaEvent *done;
} Copy;

/// A copy of how an event went, for another.
static void passOn(XlaStatus status, void *event) {
  xlaEventSet(event, xlaStatusCopy(status));
  xlaEventRelease(event);
}

static void begin(PJRT_Buffer_CopyRawToHostFuture_Callback_Args *args) {
  Copy *copy = args->callback_data;
  XlaEvent *read = NULL;
  XlaStatus status = xlaPjrtStatus(args->error_code, args->error_message,
                                   args->error_message_size);
  if (!status)
    status =
        xlaArrayRead(copy->array, copy->offset, copy->size, args->dst, &read);
  // Told on by the callback, which has the reference then.
  if (status || !xlaEventWhenHappened(read, passOn, copy->done)) {
    xlaEventSet(copy->done,
                status ? status : xlaStatusCopy(xlaEventWait(read)));
    xlaEventRelease(copy->done);
  }
  xlaEventRelease(read);
  xlaArrayRelease(copy->array);
  free(copy);
}

PJRT_Error *
xlaPjrt_Buffer_CopyRawToHostFuture(PJRT_Buffer_CopyRawToHostFuture_Args *args) {
  XLA_PJRT_RETURN_IF_ERROR(
      checkRange(args->buffer, args->offset, args->transfer_size));
  Copy *copy = malloc(sizeof *copy);
  XlaEvent *done = xlaEventCreate();
  if (!copy || !done) {
    free(copy);
    xlaEventRelease(done);
    return xlaPjrtNoMemory();
  }
  *copy = (Copy){xlaArrayRetain(args->buffer->array), (size_t)args->offset,
                 (size_t)args->transfer_size, xlaEventRetain(done)};
  args->event = xlaPjrtEvent(done);
  args->callback_data = copy;
  args->future_ready_callback = begin;
  return NULL;
}
