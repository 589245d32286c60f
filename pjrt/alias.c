//===- alias.c - Buffers whose elements are still to come -----------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A buffer that stands for another, which is named later; and a buffer whose
// memory goes on to another, which waits for an event of the caller's. Both can
// be given to programs at once.
//
//===----------------------------------------------------------------------===//

#include "xlac/pjrt/internal.h"

#include <stdlib.h>

struct PJRT_FulfillAliasBufferCallback {
  PJRT_Client *client;
  XlaArray *promise;
  PJRT_FulfillAliasBufferCallback *next, **at; ///< in the client's list
};

static void add(PJRT_FulfillAliasBufferCallback *callback) {
  PJRT_Client *client = callback->client;
  pthread_mutex_lock(&client->lock);
  callback->next = client->aliases;
  callback->at = &client->aliases;
  if (callback->next)
    callback->next->at = &callback->next;
  client->aliases = callback;
  pthread_mutex_unlock(&client->lock);
}

static void destroy(PJRT_FulfillAliasBufferCallback *callback) {
  xlaArrayRelease(callback->promise);
  free(callback);
}

static void end(PJRT_FulfillAliasBufferCallback *callback) {
  PJRT_Client *client = callback->client;
  pthread_mutex_lock(&client->lock);
  *callback->at = callback->next;
  if (callback->next)
    callback->next->at = callback->at;
  pthread_mutex_unlock(&client->lock);
  destroy(callback);
}

void xlaPjrtAliasesEnd(PJRT_Client *client) {
  PJRT_FulfillAliasBufferCallback *callback = client->aliases, *next;
  for (; callback; callback = next) {
    next = callback->next;
    destroy(callback);
  }
  client->aliases = NULL;
}

PJRT_Error *
xlaPjrt_Client_CreateAliasBuffer(PJRT_Client_CreateAliasBuffer_Args *args) {
  PJRT_Memory *memory;
  XlaShape shape;
  XlaArray *array;
  XLA_PJRT_RETURN_IF_ERROR(
      xlaPjrtFindMemory(args->client, NULL, args->memory, &memory));
  XLA_PJRT_RETURN_IF_ERROR(xlaPjrtShape(args->shape_element_type,
                                        args->shape_num_dims, args->shape_dims,
                                        &shape));
  XLA_PJRT_RETURN_IF_ERROR(xlaPjrtCheckRowMajor(args->shape_layout, &shape));
  PJRT_FulfillAliasBufferCallback *callback = malloc(sizeof *callback);
  if (!callback)
    return xlaPjrtNoMemory();
  PJRT_Error *error =
      xlaPjrtErrorTake(xlaArrayPromise(memory->device->xla, &shape, &array));
  if (error) {
    free(callback);
    return error;
  }
  *callback = (PJRT_FulfillAliasBufferCallback){
      .client = args->client, .promise = xlaArrayRetain(array)};
  error = xlaPjrtBufferTake(memory, array, &args->alias_buffer);
  if (error) {
    xlaArrayRelease(callback->promise);
    free(callback);
    return error;
  }
  add(callback);
  args->fulfill_alias_buffer_cb = callback;
  return NULL;
}

/// The callback ends with its first use that is none by mistake.
PJRT_Error *
xlaPjrt_Client_FulfillAliasBuffer(PJRT_Client_FulfillAliasBuffer_Args *args) {
  PJRT_FulfillAliasBufferCallback *callback = args->fulfill_alias_buffer_cb;
  if (!callback)
    return xlaPjrtInvalid("the callback of the alias is NULL");
  if (callback->client != args->client)
    return xlaPjrtInvalid("the alias is of another client");
  XlaStatus why = xlaPjrtStatus(args->status_code, args->error_message,
                                args->error_message_size);
  if (!why && !args->buffer)
    return xlaPjrtInvalid("the buffer that the alias stands for is NULL");
  if (!why && args->buffer->view)
    return xlaPjrtInvalid("the buffer that the alias stands for is not "
                          "row-major");
  if (why)
    xlaArrayKeep(callback->promise, why);
  else
    XLA_PJRT_RETURN_IF_ERROR(xlaPjrtErrorTake(
        xlaArrayKeepWith(callback->promise, args->buffer->array)));
  end(callback);
  return NULL;
}

static void keep(PJRT_Buffer_DonateWithControlDependency_Callback_Args *args) {
  XlaArray *promise = args->callback_data;
  xlaArrayKeep(promise, xlaPjrtStatus(args->error_code, args->error_message,
                                      args->error_message_size));
  xlaArrayRelease(promise);
}

PJRT_Error *xlaPjrt_Buffer_DonateWithControlDependency(
    PJRT_Buffer_DonateWithControlDependency_Args *args) {
  XlaArray *promise;
  XLA_PJRT_RETURN_IF_ERROR(
      xlaPjrtErrorTake(xlaArrayPromiseMemory(args->buffer->array, &promise)));
  xlaArrayRetain(promise);
  PJRT_Error *error =
      xlaPjrtBufferTake(args->buffer->memory, promise, &args->out_buffer);
  if (!error && (error = xlaPjrtBufferSetOrder(
                     args->out_buffer, xlaPjrtBufferOrder(args->buffer))))
    xlaPjrt_Buffer_Destroy(
        &(PJRT_Buffer_Destroy_Args){.buffer = args->out_buffer});
  if (error) {
    xlaArrayRelease(promise);
    return error;
  }
  args->callback_data = promise;
  args->dependency_ready_callback = keep;
  return NULL;
}
