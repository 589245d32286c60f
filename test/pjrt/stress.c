//===- stress.c - What tests of threads and processes share ---------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "stress.h"

#include <stdio.h>

const PJRT_Api *api;
PJRT_Client *client;
static PJRT_Device *device;
atomic_int failures;

bool expect(PJRT_Error *error) {
  if (!error)
    return true;
  PJRT_Error_Message_Args *text = ARGS(Error_Message, .error = error);
  api->PJRT_Error_Message(text);
  fprintf(stderr, "%.*s\n", (int)text->message_size, text->message);
  api->PJRT_Error_Destroy(ARGS(Error_Destroy, .error = error));
  atomic_fetch_add(&failures, 1);
  return false;
}

PJRT_LoadedExecutable *compileText(const char *text, size_t size) {
  PJRT_Program program = {.struct_size = sizeof program,
                          .code = (char *)text,
                          .code_size = size,
                          .format = "mlir",
                          .format_size = 4};
  PJRT_Client_Compile_Args *args =
      ARGS(Client_Compile, .client = client, .program = &program);
  return expect(api->PJRT_Client_Compile(args)) ? args->executable : NULL;
}

PJRT_LoadedExecutable *compile(int n, const char *mark) {
  char text[700];
  int size = snprintf(
      text, sizeof text,
      "func.func @main(%%x: tensor<64xf32> %s)"
      "    -> (tensor<64xf32>, tensor<f32>) {"
      "  %%n = stablehlo.constant dense<%d.0> : tensor<64xf32>"
      "  %%zero = stablehlo.constant dense<0.0> : tensor<f32>"
      "  %%y = stablehlo.add %%x, %%n : tensor<64xf32>"
      "  %%sum = stablehlo.reduce(%%x init: %%zero) applies stablehlo.add"
      "      across dimensions = [0]"
      "    : (tensor<64xf32>, tensor<f32>) -> tensor<f32>"
      "  return %%y, %%sum : tensor<64xf32>, tensor<f32>"
      "}",
      mark, n);
  return compileText(text, (size_t)size);
}

PJRT_Buffer *put(const float *values) {
  static const int64_t dims[1] = {SIZE};
  PJRT_Client_BufferFromHostBuffer_Args *args =
      ARGS(Client_BufferFromHostBuffer, .client = client, .data = values,
           .type = PJRT_Buffer_Type_F32, .dims = dims, .num_dims = 1,
           .device = device);
  if (!expect(api->PJRT_Client_BufferFromHostBuffer(args)))
    return NULL;
  CALL(Event_Destroy, .event = args->done_with_host_buffer);
  return args->buffer;
}

void execute(PJRT_LoadedExecutable *executable, PJRT_Buffer *input,
             PJRT_Buffer **outputs, PJRT_Event **done) {
  PJRT_Buffer *const *inputs = &input;
  PJRT_ExecuteOptions options = {.struct_size = sizeof options};
  outputs[0] = outputs[1] = NULL;
  CALL(LoadedExecutable_Execute, .executable = executable, .options = &options,
       .argument_lists = &inputs, .num_devices = 1, .num_args = 1,
       .output_lists = &outputs, .device_complete_events = done);
}

void destroy(PJRT_Buffer *buffer) { CALL(Buffer_Destroy, .buffer = buffer); }

void count(PJRT_Error *error, void *user) {
  expect(error);
  atomic_fetch_add((atomic_int *)user, 1);
}

int chain(PJRT_LoadedExecutable *executable, float begin, int step,
          atomic_int *counted) {
  float values[SIZE], got[SIZE];
  for (int i = 0; i < SIZE; ++i)
    values[i] = begin;
  PJRT_Buffer *x = put(values), *outputs[2];
  int nListened = 0;
  for (int i = 0; i < STEPS; ++i) {
    PJRT_Event *done = NULL;
    execute(executable, x, outputs, i % 2 ? &done : NULL);
    if (done) {
      CALL(Event_OnReady, .event = done, .callback = count,
           .user_arg = counted);
      CALL(Event_Destroy, .event = done);
      ++nListened;
    }
    if (i % 3 == 0)
      CALL(Buffer_Delete, .buffer = x);
    destroy(x);
    destroy(outputs[1]);
    x = outputs[0];
  }
  PJRT_Buffer_ToHostBuffer_Args *read =
      ARGS(Buffer_ToHostBuffer, .src = x, .dst = got, .dst_size = sizeof got);
  if (expect(api->PJRT_Buffer_ToHostBuffer(read))) {
    destroy(x); // what is being read stays
    CALL(Event_Await, .event = read->event);
    CALL(Event_Destroy, .event = read->event);
    for (int i = 0; i < SIZE; ++i)
      if (got[i] != begin + (float)(STEPS * step))
        atomic_fetch_add(&failures, 1);
  }
  return nListened;
}

void *runUntilDeleted(void *executable) {
  float values[SIZE] = {0};
  PJRT_Buffer *x = put(values), *outputs[2];
  for (bool goesOn = true; goesOn;) {
    PJRT_Buffer *const *inputs = &x;
    PJRT_Buffer **list = outputs;
    PJRT_Error *error = api->PJRT_LoadedExecutable_Execute(
        ARGS(LoadedExecutable_Execute, .executable = executable,
             .argument_lists = &inputs, .num_devices = 1, .num_args = 1,
             .output_lists = &list));
    goesOn = !error;
    if (error) {
      api->PJRT_Error_Destroy(ARGS(Error_Destroy, .error = error));
    } else {
      destroy(outputs[0]);
      destroy(outputs[1]);
    }
  }
  destroy(x);
  return NULL;
}

int setUp(void **state) {
  api = GetPjrtApi();
  PJRT_Client_Create_Args *made = ARGS(Client_Create, .num_options = 0);
  if (!expect(api->PJRT_Client_Create(made)))
    return 1;
  client = made->client;
  PJRT_Client_LookupDevice_Args *found =
      ARGS(Client_LookupDevice, .client = client, .id = 0);
  expect(api->PJRT_Client_LookupDevice(found));
  device = found->device;
  return 0;
}

int tearDown(void **state) {
  return CALL(Client_Destroy, .client = client) ? 0 : 1;
}
