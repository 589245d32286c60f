//===- support.c - What the plugin's tests share --------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "support.h"

#include <unistd.h>

const PJRT_Api *api;
PJRT_Client *client;

void destroyError(PJRT_Error *error) {
  api->PJRT_Error_Destroy(ARGS(Error_Destroy, .error = error));
}

void expectOk(PJRT_Error *error) {
  if (!error)
    return;
  PJRT_Error_Message_Args args = {.struct_size = sizeof args, .error = error};
  api->PJRT_Error_Message(&args);
  fail_msg("%.*s", (int)args.message_size, args.message);
}

void expectError(PJRT_Error *error, PJRT_Error_Code code, const char *part) {
  assert_non_null(error);
  PJRT_Error_Message_Args text = {.struct_size = sizeof text, .error = error};
  api->PJRT_Error_Message(&text);
  char message[2000];
  snprintf(message, sizeof message, "%.*s", (int)text.message_size,
           text.message);
  GET(got, Error_GetCode, .error = error);
  if (got.code != code || !strstr(message, part))
    fail_msg("error %d \"%s\", expected %d with \"%s\"", got.code, message,
             code, part);
  destroyError(error);
}
char folder[] = "/tmp/xlac-plugin-test-XXXXXX";

int pjrtSetUp(void **state) {
  static const PJRT_NamedValue two = {.struct_size = sizeof two,
                                      .name = "device_count",
                                      .name_size = 12,
                                      .type = PJRT_NamedValue_kInt64,
                                      .int64_value = 2,
                                      .value_size = 1};
  if (!mkdtemp(folder) || setenv("XLAC_CACHE_DIR", folder, 1))
    return 1;
  api = GetPjrtApi();
  GET(made, Client_Create, .create_options = &two, .num_options = 1);
  client = made.client;
  return 0;
}

int pjrtTearDown(void **state) {
  expectOk(CALL(Client_Destroy, .client = client));
  return rmdir(folder);
}

PJRT_Device *deviceOf(int id) {
  GET(got, Client_LookupDevice, .client = client, .id = id);
  return got.device;
}

PJRT_Memory *memoryOf(int id) {
  GET(got, Device_DefaultMemory, .device = deviceOf(id));
  return got.memory;
}

void waitFor(PJRT_Event *event) {
  expectOk(CALL(Event_Await, .event = event));
  expectOk(CALL(Event_Destroy, .event = event));
}

void waitForError(PJRT_Event *event, PJRT_Error_Code code, const char *part) {
  expectError(CALL(Event_Await, .event = event), code, part);
  expectOk(CALL(Event_Destroy, .event = event));
}

const int64_t dims[2] = {2, 3};
const float values[6] = {1, 2, 3, 4, 5, 6};

PJRT_Buffer *put(const float *data, int device) {
  GET(made, Client_BufferFromHostBuffer, .client = client, .data = data,
      .type = PJRT_Buffer_Type_F32, .dims = dims, .num_dims = 2,
      .device = deviceOf(device));
  waitFor(made.done_with_host_buffer);
  return made.buffer;
}

void expectValues(PJRT_Buffer *buffer, const float *expected) {
  float got[6];
  GET(copy, Buffer_ToHostBuffer, .src = buffer, .dst = got,
      .dst_size = sizeof got);
  waitFor(copy.event);
  assert_memory_equal(got, expected, sizeof got);
}

void destroy(PJRT_Buffer *buffer) {
  expectOk(CALL(Buffer_Destroy, .buffer = buffer));
}

const char doubled[] =
    "module @doubled {\n"
    "  func.func @main(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>, "
    "tensor<3xi32>) {\n"
    "    %y = stablehlo.add %x, %x : tensor<2x3xf32>\n"
    "    %c = stablehlo.constant dense<[4, 5, 6]> : tensor<3xi32>\n"
    "    return %y, %c : tensor<2x3xf32>, tensor<3xi32>\n"
    "  }\n"
    "}\n";
const char onDevice1[13] = {0x1a, 11,   0x20, 1,    0x28, 1, 0x4a,
                            5,    0x1a, 3,    0x0a, 1,    1};

PJRT_Error *compile(const char *text, size_t size, const char *options,
                    size_t optionsSize, PJRT_LoadedExecutable **executable) {
  PJRT_Program program = {.struct_size = sizeof program,
                          .code = (char *)(uintptr_t)text,
                          .code_size = size,
                          .format = "mlir",
                          .format_size = 4};
  PJRT_Client_Compile_Args args = {.struct_size = sizeof args,
                                   .client = client,
                                   .program = &program,
                                   .compile_options = options,
                                   .compile_options_size = optionsSize};
  PJRT_Error *error = api->PJRT_Client_Compile(&args);
  *executable = args.executable;
  return error;
}

void expectTimes(PJRT_LoadedExecutable *executable, float factor) {
  PJRT_Buffer *input = put(values, 1), *outputs[2];
  PJRT_Buffer *const *inputs = &input;
  PJRT_Buffer **list = outputs;
  PJRT_Event *done;
  PJRT_ExecuteOptions options = {.struct_size = sizeof options};
  expectOk(CALL(LoadedExecutable_Execute, .executable = executable,
                .options = &options, .argument_lists = &inputs,
                .num_devices = 1, .num_args = 1, .output_lists = &list,
                .device_complete_events = &done));
  waitFor(done);
  float expected[6];
  for (int i = 0; i < 6; ++i)
    expected[i] = factor * values[i];
  expectValues(outputs[0], expected);
  destroy(input);
  destroy(outputs[0]);
  destroy(outputs[1]);
}
