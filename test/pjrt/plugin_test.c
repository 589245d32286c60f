//===- plugin_test.c - The plugin through its table of functions ----------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/mlir-c-ext/hash.h"
#include "xlac/pjrt/plugin.h"
#include "xlac/runtime/folder.h"
#include "xlac/test/support/unit.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const PJRT_Api *api;
static PJRT_Client *client;

/// Arguments of a call, which says how it went: CALL(Event_Await, .event = e).
#define ARGS(name, ...)                                                        \
  (&(PJRT_##name##_Args){.struct_size = sizeof(PJRT_##name##_Args),            \
                         __VA_ARGS__})
#define CALL(name, ...) api->PJRT_##name(ARGS(name, __VA_ARGS__))
/// Makes `args` of it, which holds the results, and expects success.
#define GET(args, name, ...)                                                   \
  PJRT_##name##_Args args = {.struct_size = sizeof args, __VA_ARGS__};         \
  expectOk(api->PJRT_##name(&args))

static void destroyError(PJRT_Error *error) {
  api->PJRT_Error_Destroy(ARGS(Error_Destroy, .error = error));
}

static void expectOk(PJRT_Error *error) {
  if (!error)
    return;
  PJRT_Error_Message_Args args = {.struct_size = sizeof args, .error = error};
  api->PJRT_Error_Message(&args);
  fail_msg("%.*s", (int)args.message_size, args.message);
}

/// An error of that code, whose message contains `part`.
static void expectError(PJRT_Error *error, PJRT_Error_Code code,
                        const char *part) {
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
#define INVALID PJRT_Error_Code_INVALID_ARGUMENT

/// Where the user's secret is.
static char folder[] = "/tmp/xlac-plugin-test-XXXXXX";

static int setUp(void **state) {
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

static int tearDown(void **state) {
  expectOk(CALL(Client_Destroy, .client = client));
  return rmdir(folder);
}

static PJRT_Device *deviceOf(int id) {
  GET(got, Client_LookupDevice, .client = client, .id = id);
  return got.device;
}

static void wait(PJRT_Event *event) {
  expectOk(CALL(Event_Await, .event = event));
  expectOk(CALL(Event_Destroy, .event = event));
}

//===----------------------------------------------------------------------===//
// All functions
//===----------------------------------------------------------------------===//

/// Neither NULL nor arguments that are too short are looked into.
static void refuseNothing(void **state) {
#define PJRT_ERROR_FUNCTION(name, last, fields)                                \
  api->PJRT_##name(NULL);                                                      \
  api->PJRT_##name(&(PJRT_##name##_Args){.struct_size = 8});
#define PJRT_FUNCTION(name, object, last, fields)                              \
  expectError(api->PJRT_##name(NULL), INVALID, "PJRT_" #name);                 \
  expectError(api->PJRT_##name(&(PJRT_##name##_Args){.struct_size = 8}),       \
              INVALID, "another version");
#include "xlac/pjrt/api.def"
}

/// Whether a field is the one that says that all may be NULL.
#define IS_SIZE(Args, field) (offsetof(Args, field) == 0)

static void refuseNoObject(void **state) {
#define PJRT_ERROR_FUNCTION(name, last, fields) CALL(name, .error = NULL);
#define PJRT_FUNCTION(name, object, last, fields)                              \
  if (!IS_SIZE(PJRT_##name##_Args, object))                                    \
    expectError(CALL(name, .extension_start = NULL), INVALID,                  \
                "the " #object " is NULL");
#include "xlac/pjrt/api.def"
  // What destroys takes NULL.
  expectOk(CALL(Client_Destroy, .client = NULL));
  expectOk(CALL(Event_Destroy, .event = NULL));
  expectOk(CALL(Buffer_Destroy, .buffer = NULL));
  expectOk(CALL(Executable_Destroy, .executable = NULL));
  expectOk(CALL(LoadedExecutable_Destroy, .executable = NULL));
  expectOk(CALL(ExecuteContext_Destroy, .context = NULL));
  expectOk(CALL(TopologyDescription_Destroy, .topology = NULL));
}

static void describeThemselves(void **state) {
  assert_int_equal(api->struct_size, sizeof *api);
  assert_int_equal(api->pjrt_api_version.minor_version, PJRT_API_MINOR);
  expectOk(CALL(Plugin_Initialize, .extension_start = NULL));
  GET(attributes, Plugin_Attributes, .attributes = NULL);
  bool isFound = false;
  for (size_t i = 0; i < attributes.num_attributes; ++i)
    isFound |=
        !strcmp(attributes.attributes[i].name, "stablehlo_current_version");
  assert_true(isFound);
}

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

static void count(PJRT_Error *error, void *user) {
  *(int *)user += error ? 100 : 1;
  destroyError(error);
}

static void *setLater(void *event) {
  expectOk(CALL(Event_Set, .event = event,
                .error_code = PJRT_Error_Code_DATA_LOSS,
                .error_message = "lost!", .error_message_size = 4));
  return NULL;
}

static void eventsHappen(void **state) {
  int counted = 0;
  GET(made, Event_Create, .event = NULL);
  GET(before, Event_IsReady, .event = made.event);
  assert_false(before.is_ready);
  expectOk(CALL(Event_OnReady, .event = made.event, .callback = count,
                .user_arg = &counted));
  expectError(CALL(Event_OnReady, .event = made.event), INVALID, "callback");
  pthread_t thread;
  assert_int_equal(pthread_create(&thread, NULL, setLater, made.event), 0);
  expectError(CALL(Event_Await, .event = made.event), PJRT_Error_Code_DATA_LOSS,
              "lost");
  pthread_join(thread, NULL);
  assert_int_equal(counted, 100);
  expectError(CALL(Event_Error, .event = made.event), PJRT_Error_Code_DATA_LOSS,
              "lost");
  expectError(CALL(Event_Set, .event = made.event),
              PJRT_Error_Code_FAILED_PRECONDITION, "before");
  expectOk(CALL(Event_OnReady, .event = made.event, .callback = count,
                .user_arg = &counted));
  assert_int_equal(counted, 200);
  expectOk(CALL(Event_Destroy, .event = made.event));
}

//===----------------------------------------------------------------------===//
// Clients and topologies
//===----------------------------------------------------------------------===//

static void clientsHaveDevices(void **state) {
  GET(devices, Client_Devices, .client = client);
  assert_int_equal(devices.num_devices, 2);
  GET(name, Client_PlatformName, .client = client);
  assert_int_equal(name.platform_name_size, 4);
  assert_memory_equal(name.platform_name, "xlac", 4);
  for (int i = 0; i < 2; ++i) {
    GET(description, Device_GetDescription, .device = devices.devices[i]);
    GET(id, DeviceDescription_Id,
        .device_description = description.device_description);
    assert_int_equal(id.id, i);
    GET(memory, Device_DefaultMemory, .device = devices.devices[i]);
    GET(owners, Memory_AddressableByDevices, .memory = memory.memory);
    assert_int_equal(owners.num_devices, 1);
    assert_ptr_equal(owners.devices[0], devices.devices[i]);
  }
  expectError(CALL(Client_LookupDevice, .client = client, .id = 2), INVALID,
              "no device 2");
  int assignment[2] = {7, 7};
  expectOk(CALL(Client_DefaultDeviceAssignment, .client = client,
                .num_replicas = 1, .num_partitions = 2,
                .default_assignment_size = 2,
                .default_assignment = assignment));
  assert_int_equal(assignment[1], 1);
  expectError(CALL(Client_DefaultDeviceAssignment, .client = client,
                   .num_replicas = 2, .num_partitions = 2,
                   .default_assignment_size = 2,
                   .default_assignment = assignment),
              INVALID, "do not fit");
}

static PJRT_Error *createWith(const char *name, const char *value) {
  PJRT_NamedValue option = {.struct_size = sizeof option,
                            .name = name,
                            .name_size = strlen(name),
                            .type = PJRT_NamedValue_kString,
                            .string_value = value,
                            .value_size = strlen(value)};
  PJRT_Client_Create_Args args = {
      .struct_size = sizeof args, .create_options = &option, .num_options = 1};
  PJRT_Error *error = api->PJRT_Client_Create(&args);
  if (!error)
    expectOk(CALL(Client_Destroy, .client = args.client));
  return error;
}

static void optionsAreChecked(void **state) {
  expectOk(createWith("device_count", "3"));
  expectError(createWith("device_count", "0"), INVALID, "device_count");
  expectError(createWith("device_count", "3x"), INVALID, "device_count");
  expectError(createWith("platform", "tpu"), INVALID, "cpu and vulkan");
  expectError(createWith("colour", "red"), INVALID, "no option \"colour\"");
  expectError(createWith("cpu", "z80"), INVALID, "z80");
  setenv("XLAC_CPU_DEVICES", "many", 1);
  expectError(createWith("threads", "1"), INVALID, "XLAC_CPU_DEVICES");
  unsetenv("XLAC_CPU_DEVICES");
  setenv("XLAC_VULKAN_DEVICES", "0", 1);
  expectOk(createWith("platform", "cpu"));
  expectError(createWith("platform", "vulkan"), INVALID, "XLAC_VULKAN_DEVICES");
  unsetenv("XLAC_VULKAN_DEVICES");
  // A caller of an older version has no try-get callback.
  PJRT_Client_Create_Args args = {
      .struct_size = PJRT_SIZE_UP_TO(PJRT_Client_Create_Args, client)};
  expectOk(api->PJRT_Client_Create(&args));
  expectOk(CALL(Client_Destroy, .client = args.client));
}

static void topologiesAreBytes(void **state) {
  GET(own, Client_TopologyDescription, .client = client);
  GET(bytes, TopologyDescription_Serialize, .topology = own.topology);
  GET(read, TopologyDescription_Deserialize,
      .serialized_topology = bytes.serialized_bytes,
      .serialized_topology_size = bytes.serialized_bytes_size);
  GET(list, TopologyDescription_GetDeviceDescriptions,
      .topology = read.topology);
  assert_int_equal(list.num_descriptions, 2);
  for (size_t i = 0; i < bytes.serialized_bytes_size; ++i) {
    PJRT_TopologyDescription_Deserialize_Args cut = {
        .struct_size = sizeof cut,
        .serialized_topology = bytes.serialized_bytes,
        .serialized_topology_size = i};
    PJRT_Error *error = api->PJRT_TopologyDescription_Deserialize(&cut);
    if (!error) // one device fewer
      expectOk(CALL(TopologyDescription_Destroy, .topology = cut.topology));
    destroyError(error);
  }
  bytes.serialized_topology_deleter(bytes.serialized_topology);
  expectOk(CALL(TopologyDescription_Destroy, .topology = read.topology));
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

static const int64_t dims[2] = {2, 3};
static const float values[6] = {1, 2, 3, 4, 5, 6};

static PJRT_Buffer *put(const float *data, int device) {
  GET(made, Client_BufferFromHostBuffer, .client = client, .data = data,
      .type = PJRT_Buffer_Type_F32, .dims = dims, .num_dims = 2,
      .device = deviceOf(device));
  wait(made.done_with_host_buffer);
  return made.buffer;
}

static void expectValues(PJRT_Buffer *buffer, const float *expected) {
  float got[6];
  GET(copy, Buffer_ToHostBuffer, .src = buffer, .dst = got,
      .dst_size = sizeof got);
  wait(copy.event);
  assert_memory_equal(got, expected, sizeof got);
}

static void destroy(PJRT_Buffer *buffer) {
  expectOk(CALL(Buffer_Destroy, .buffer = buffer));
}

static void buffersKeepValues(void **state) {
  PJRT_Buffer *buffer = put(values, 1);
  expectValues(buffer, values);
  GET(type, Buffer_ElementType, .buffer = buffer);
  assert_int_equal(type.type, PJRT_Buffer_Type_F32);
  GET(shape, Buffer_Dimensions, .buffer = buffer);
  assert_int_equal(shape.num_dims, 2);
  assert_int_equal(shape.dims[1], 3);
  GET(size, Buffer_OnDeviceSizeInBytes, .buffer = buffer);
  assert_int_equal(size.on_device_size_in_bytes, sizeof values);
  GET(asked, Buffer_ToHostBuffer, .src = buffer);
  assert_int_equal(asked.dst_size, sizeof values);
  GET(device, Buffer_Device, .buffer = buffer);
  assert_ptr_equal(device.device, deviceOf(1));
  GET(layout, Buffer_GetMemoryLayout, .buffer = buffer);
  assert_int_equal(layout.layout.tiled.minor_to_major[0], 1);
  GET(ready, Buffer_ReadyEvent, .buffer = buffer);
  wait(ready.event);
  GET(copy, Buffer_CopyToDevice, .buffer = buffer, .dst_device = deviceOf(0));
  destroy(buffer);
  expectValues(copy.dst_buffer, values);
  destroy(copy.dst_buffer);
}

static void buffersHaveLayouts(void **state) {
  // A transposed array of the host, backwards in one dimension.
  static const float host[6] = {4, 1, 5, 2, 6, 3};
  static const int64_t strides[2] = {-4, 8};
  GET(made, Client_BufferFromHostBuffer, .client = client, .data = &host[1],
      .type = PJRT_Buffer_Type_F32, .dims = dims, .num_dims = 2,
      .byte_strides = strides, .num_byte_strides = 2, .device = deviceOf(0));
  wait(made.done_with_host_buffer);
  expectValues(made.buffer, values);
  static const int64_t order[2] = {0, 1};
  PJRT_Buffer_MemoryLayout columns = {
      .struct_size = sizeof columns,
      .tiled = {.struct_size = sizeof columns.tiled,
                .minor_to_major = order,
                .minor_to_major_size = 2}};
  float got[6];
  static const float expected[6] = {1, 4, 2, 5, 3, 6};
  GET(read, Buffer_ToHostBuffer, .src = made.buffer, .host_layout = &columns,
      .dst = got, .dst_size = sizeof got);
  wait(read.event);
  assert_memory_equal(got, expected, sizeof got);
  expectError(
      CALL(Buffer_ToHostBuffer, .src = made.buffer, .dst = got, .dst_size = 23),
      INVALID, "24 bytes");
  static const int64_t twice[2] = {1, 1};
  columns.tiled.minor_to_major = twice;
  expectError(CALL(Buffer_ToHostBuffer, .src = made.buffer,
                   .host_layout = &columns, .dst = got, .dst_size = sizeof got),
              INVALID, "twice");
  destroy(made.buffer);
}

static PJRT_Error *putBad(PJRT_Buffer_Type type, const int64_t *size, size_t n,
                          size_t nStrides, int semantics) {
  return CALL(Client_BufferFromHostBuffer, .client = client, .data = values,
              .type = type, .dims = size, .num_dims = n,
              .num_byte_strides = nStrides, .device = deviceOf(0),
              .host_buffer_semantics = semantics);
}

static void buffersAreChecked(void **state) {
  static const int64_t negative[1] = {-1}, huge[3] = {1L << 40, 1L << 40, 9};
  expectError(putBad(PJRT_Buffer_Type_TOKEN, dims, 2, 0, 0), INVALID, "type");
  expectError(putBad(1000, dims, 2, 0, 0), INVALID, "type 1000");
  expectError(putBad(PJRT_Buffer_Type_F32, negative, 1, 0, 0), INVALID,
              "negative");
  expectError(putBad(PJRT_Buffer_Type_F32, huge, 3, 0, 0), INVALID, "2^62");
  expectError(putBad(PJRT_Buffer_Type_F32, NULL, 2, 0, 0), INVALID, "NULL");
  expectError(putBad(PJRT_Buffer_Type_F32, dims, 33, 0, 0),
              PJRT_Error_Code_UNIMPLEMENTED, "33 dimensions");
  expectError(putBad(PJRT_Buffer_Type_F32, dims, 2, 1, 0), INVALID, "strides");
  expectError(putBad(PJRT_Buffer_Type_F32, dims, 2, 0, 9), INVALID,
              "semantics");
  expectError(CALL(Client_BufferFromHostBuffer, .client = client,
                   .data = values, .type = PJRT_Buffer_Type_F32, .dims = dims,
                   .num_dims = 2),
              INVALID, "neither");
}

static void buffersAreDeleted(void **state) {
  PJRT_Buffer *buffer = put(values, 0);
  expectOk(CALL(Buffer_Delete, .buffer = buffer));
  GET(deleted, Buffer_IsDeleted, .buffer = buffer);
  assert_true(deleted.is_deleted);
  float got[6];
  expectError(CALL(Buffer_ToHostBuffer, .src = buffer, .dst = got,
                   .dst_size = sizeof got),
              INVALID, "deleted");
  GET(ready, Buffer_ReadyEvent, .buffer = buffer);
  expectError(CALL(Event_Await, .event = ready.event), INVALID, "deleted");
  expectOk(CALL(Event_Destroy, .event = ready.event));
  expectError(CALL(Buffer_UnsafePointer, .buffer = buffer), INVALID, "deleted");
  destroy(buffer);
}

static void failuresAreValues(void **state) {
  GET(memory, Device_DefaultMemory, .device = deviceOf(0));
  GET(made, Client_CreateErrorBuffer, .client = client,
      .error_code = PJRT_Error_Code_DATA_LOSS, .error_message = "gone",
      .error_message_size = 4, .shape_dims = dims, .shape_num_dims = 2,
      .shape_element_type = PJRT_Buffer_Type_F32, .memory = memory.memory);
  GET(ready, Buffer_ReadyEvent, .buffer = made.buffer);
  expectError(CALL(Event_Await, .event = ready.event),
              PJRT_Error_Code_DATA_LOSS, "gone");
  expectOk(CALL(Event_Destroy, .event = ready.event));
  destroy(made.buffer);
}

static void memoryIsShared(void **state) {
  PJRT_Buffer *buffer = put(values, 0);
  GET(pointer, Buffer_UnsafePointer, .buffer = buffer);
  assert_memory_equal((void *)pointer.buffer_pointer, values, sizeof values);
  expectError(CALL(Buffer_DecreaseExternalReferenceCount, .buffer = buffer),
              INVALID, "no references");
  expectOk(CALL(Buffer_IncreaseExternalReferenceCount, .buffer = buffer));
  GET(opaque, Buffer_OpaqueDeviceMemoryDataPointer, .buffer = buffer);
  expectOk(CALL(Buffer_Delete, .buffer = buffer));
  assert_memory_equal(opaque.device_memory_ptr, values, sizeof values);
  GET(again, Buffer_OpaqueDeviceMemoryDataPointer, .buffer = buffer);
  assert_ptr_equal(again.device_memory_ptr, opaque.device_memory_ptr);
  expectOk(CALL(Buffer_DecreaseExternalReferenceCount, .buffer = buffer));
  destroy(buffer);
}

static void endView(void *data, void *user) { *(void **)user = data; }

static void viewsEnd(void **state) {
  void *ended = NULL;
  float *data = aligned_alloc(64, 64);
  memcpy(data, values, sizeof values);
  GET(view, Client_CreateViewOfDeviceBuffer, .client = client,
      .device_buffer_ptr = data, .dims = dims, .num_dims = 2,
      .element_type = PJRT_Buffer_Type_F32, .device = deviceOf(0),
      .on_delete_callback = endView, .on_delete_callback_arg = &ended);
  expectValues(view.buffer, values);
  destroy(view.buffer);
  assert_ptr_equal(ended, data);
  free(data);
}

static void partsAreRead(void **state) {
  PJRT_Buffer *buffer = put(values, 0);
  float got[2] = {0};
  GET(raw, Buffer_CopyRawToHost, .buffer = buffer, .dst = got, .offset = 8,
      .transfer_size = 8);
  wait(raw.event);
  assert_memory_equal(got, values + 2, sizeof got);
  expectError(CALL(Buffer_CopyRawToHost, .buffer = buffer, .dst = got,
                   .offset = 20, .transfer_size = 8),
              INVALID, "24 bytes");
  expectError(CALL(Buffer_CopyRawToHost, .buffer = buffer, .dst = got,
                   .offset = -1, .transfer_size = 8),
              INVALID, "24 bytes");
  GET(later, Buffer_CopyRawToHostFuture, .buffer = buffer, .offset = 12,
      .transfer_size = 8);
  destroy(buffer); // what is still to be read stays
  PJRT_Buffer_CopyRawToHostFuture_Callback_Args callback = {
      .struct_size = sizeof callback,
      .callback_data = later.callback_data,
      .dst = got};
  later.future_ready_callback(&callback);
  wait(later.event);
  assert_memory_equal(got, values + 3, sizeof got);
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

static const char doubled[] =
    "module @doubled {\n"
    "  func.func @main(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>, "
    "tensor<3xi32>) {\n"
    "    %y = stablehlo.add %x, %x : tensor<2x3xf32>\n"
    "    %c = stablehlo.constant dense<[4, 5, 6]> : tensor<3xi32>\n"
    "    return %y, %c : tensor<2x3xf32>, tensor<3xi32>\n"
    "  }\n"
    "}\n";
/// Of CompileOptionsProto: build options with the assignment to device 1.
static const char onDevice1[] = {0x1a, 11,   0x20, 1,    0x28, 1, 0x4a,
                                 5,    0x1a, 3,    0x0a, 1,    1};

static PJRT_Error *compile(const char *text, size_t size, const char *options,
                           size_t optionsSize,
                           PJRT_LoadedExecutable **executable) {
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

/// Runs it, to get `factor` times the values.
static void expectTimes(PJRT_LoadedExecutable *executable, float factor) {
  PJRT_Buffer *input = put(values, 1), *outputs[2];
  PJRT_Buffer *const *inputs = &input;
  PJRT_Buffer **list = outputs;
  PJRT_Event *done;
  PJRT_ExecuteOptions options = {.struct_size = sizeof options};
  expectOk(CALL(LoadedExecutable_Execute, .executable = executable,
                .options = &options, .argument_lists = &inputs,
                .num_devices = 1, .num_args = 1, .output_lists = &list,
                .device_complete_events = &done));
  wait(done);
  float expected[6];
  for (int i = 0; i < 6; ++i)
    expected[i] = factor * values[i];
  expectValues(outputs[0], expected);
  destroy(input);
  destroy(outputs[0]);
  destroy(outputs[1]);
}

static void programsRun(void **state) {
  PJRT_LoadedExecutable *loaded;
  expectOk(compile(doubled, sizeof doubled - 1, onDevice1, sizeof onDevice1,
                   &loaded));
  expectTimes(loaded, 2);
  GET(devices, LoadedExecutable_AddressableDevices, .executable = loaded);
  assert_ptr_equal(devices.addressable_devices[0], deviceOf(1));
  GET(assignment, LoadedExecutable_GetDeviceAssignment, .executable = loaded);
  assert_int_equal(assignment.serialized_bytes_size, 8);
  assert_int_equal(assignment.serialized_bytes[7], 1);
  assignment.serialized_device_assignment_deleter(
      assignment.serialized_device_assignment);
  GET(got, LoadedExecutable_GetExecutable, .loaded_executable = loaded);
  expectOk(CALL(LoadedExecutable_Delete, .executable = loaded));
  GET(deleted, LoadedExecutable_IsDeleted, .executable = loaded);
  assert_true(deleted.is_deleted);
  PJRT_Buffer **list = (PJRT_Buffer *[2]){NULL, NULL};
  expectError(CALL(LoadedExecutable_Execute, .executable = loaded,
                   .num_devices = 1, .output_lists = &list),
              INVALID, "deleted");
  expectOk(CALL(LoadedExecutable_Destroy, .executable = loaded));
  // What is known of it lives on.
  GET(outputs, Executable_NumOutputs, .executable = got.executable);
  assert_int_equal(outputs.num_outputs, 2);
  GET(types, Executable_OutputElementTypes, .executable = got.executable);
  assert_int_equal(types.output_types[1], PJRT_Buffer_Type_S32);
  GET(shapes, Executable_OutputDimensions, .executable = got.executable);
  assert_int_equal(shapes.dim_sizes[0], 2);
  assert_int_equal(shapes.dims[2], 3);
  GET(memory, Executable_GetCompiledMemoryStats, .executable = got.executable);
  assert_int_equal(memory.argument_size_in_bytes, 24);
  assert_int_equal(memory.output_size_in_bytes, 36);
  GET(name, Executable_Name, .executable = got.executable);
  assert_string_equal(name.executable_name, "doubled");
  GET(costs, Executable_GetCostAnalysis, .executable = got.executable);
  assert_string_equal(costs.properties[0].name, "flops");
  assert_float_equal(costs.properties[0].float_value, 6, 0);
  expectOk(CALL(Executable_Destroy, .executable = got.executable));
}

/// Rows of a matrix on two devices, swapped and doubled.
static void programsHaveSeveralDevices(void **state) {
  static const char program[] =
      "func.func @main(%x: tensor<4x3xf32> {mhlo.sharding = "
      "\"{devices=[2,1]<=[2]}\", jax.buffer_donor = true}) -> (tensor<4x3xf32> "
      "{mhlo.sharding = \"{devices=[2,1]1,0}\"}) {\n"
      "  %y = stablehlo.add %x, %x : tensor<4x3xf32>\n"
      "  return %y : tensor<4x3xf32>\n"
      "}\n";
  static const char partitions[] = {0x1a, 2, 0x28, 2};
  static const float others[6] = {7, 8, 9, 10, 11, 12};
  static const float first[6] = {14, 16, 18, 20, 22, 24};
  static const float second[6] = {2, 4, 6, 8, 10, 12};
  PJRT_LoadedExecutable *loaded;
  expectOk(compile(program, sizeof program - 1, partitions, sizeof partitions,
                   &loaded));
  GET(devices, LoadedExecutable_AddressableDevices, .executable = loaded);
  assert_int_equal(devices.num_addressable_devices, 2);
  PJRT_Buffer *in[2] = {put(values, 0), put(others, 1)}, *out[2];
  PJRT_Buffer *const *inputs[2] = {&in[0], &in[1]};
  PJRT_Buffer **outputs[2] = {&out[0], &out[1]};
  PJRT_Event *events[2];
  expectError(CALL(LoadedExecutable_Execute, .executable = loaded,
                   .argument_lists = inputs, .num_devices = 1, .num_args = 1,
                   .output_lists = outputs),
              INVALID, "for 2 devices, run on 1");
  PJRT_Buffer *const *swapped[2] = {&in[1], &in[0]};
  expectError(CALL(LoadedExecutable_Execute, .executable = loaded,
                   .argument_lists = swapped, .num_devices = 2, .num_args = 1,
                   .output_lists = outputs),
              INVALID, "argument 0 is on xlac:1");
  expectOk(CALL(LoadedExecutable_Execute, .executable = loaded,
                .argument_lists = inputs, .num_devices = 2, .num_args = 1,
                .output_lists = outputs, .device_complete_events = events));
  for (int d = 0; d < 2; ++d) {
    GET(device, Buffer_Device, .buffer = out[d]);
    assert_ptr_equal(device.device, deviceOf(d));
    GET(deleted, Buffer_IsDeleted, .buffer = in[d]);
    assert_true(deleted.is_deleted);
    wait(events[d]);
  }
  expectError(CALL(LoadedExecutable_Execute, .executable = loaded,
                   .argument_lists = inputs, .num_devices = 2, .num_args = 1,
                   .output_lists = outputs),
              INVALID, "deleted");
  expectOk(CALL(LoadedExecutable_Destroy, .executable = loaded));
  expectValues(out[0], first);
  expectValues(out[1], second);
  for (int d = 0; d < 2; ++d) {
    destroy(in[d]);
    destroy(out[d]);
  }
}

static void programsAreChecked(void **state) {
  PJRT_LoadedExecutable *loaded;
  static const char wrong[] = "func.func @main() { return %x : f32 }";
  expectError(compile(wrong, sizeof wrong - 1, NULL, 0, &loaded), INVALID,
              "undeclared");
  expectError(compile("", 0, NULL, 0, &loaded), INVALID, "");
  expectError(compile(doubled, sizeof doubled - 1, "\xff", 1, &loaded), INVALID,
              "CompileOptionsProto");
  static const char partitions[] = {0x1a, 2, 0x28, 3}, far[] = {0x1a, 2, 8, 9};
  expectError(compile(doubled, sizeof doubled - 1, partitions,
                      sizeof partitions, &loaded),
              INVALID, "device 2; there are 2");
  expectError(compile(doubled, sizeof doubled - 1, far, sizeof far, &loaded),
              INVALID, "device 9");
  expectOk(compile(doubled, sizeof doubled - 1, NULL, 0, &loaded));
  PJRT_Buffer *elsewhere = put(values, 1), *outputs[2];
  PJRT_Buffer *const *inputs = &elsewhere;
  PJRT_Buffer **list = outputs;
  expectError(CALL(LoadedExecutable_Execute, .executable = loaded,
                   .argument_lists = &inputs, .num_devices = 1, .num_args = 1,
                   .output_lists = &list),
              INVALID, "argument 0 is on xlac:1");
  expectError(CALL(LoadedExecutable_Execute, .executable = loaded,
                   .argument_lists = &inputs, .num_devices = 1,
                   .output_lists = &list),
              INVALID, "takes 1 argument");
  expectError(CALL(LoadedExecutable_Execute, .executable = loaded,
                   .argument_lists = &inputs, .num_devices = 2,
                   .output_lists = &list),
              INVALID, "for 1 devices");
  destroy(elsewhere);
  expectOk(CALL(LoadedExecutable_Destroy, .executable = loaded));
}

/// What a program becomes when it is serialized.
static PJRT_Executable_Serialize_Args serialize(const char *text, size_t size) {
  PJRT_LoadedExecutable *loaded;
  expectOk(compile(text, size, onDevice1, sizeof onDevice1, &loaded));
  GET(got, LoadedExecutable_GetExecutable, .loaded_executable = loaded);
  expectOk(CALL(LoadedExecutable_Destroy, .executable = loaded));
  GET(bytes, Executable_Serialize, .executable = got.executable);
  expectOk(CALL(Executable_Destroy, .executable = got.executable));
  return bytes;
}

static PJRT_Error *deserialize(const char *bytes, size_t size,
                               PJRT_LoadedExecutable **loaded) {
  PJRT_Executable_DeserializeAndLoad_Args args = {
      .struct_size = sizeof args,
      .client = client,
      .serialized_executable = bytes,
      .serialized_executable_size = size};
  PJRT_Error *error = api->PJRT_Executable_DeserializeAndLoad(&args);
  *loaded = args.loaded_executable;
  return error;
}

/// The bytes can be loaded, and give `factor` times the values.
static void expectLoads(const char *bytes, size_t size, float factor) {
  PJRT_LoadedExecutable *loaded;
  expectOk(deserialize(bytes, size, &loaded));
  expectTimes(loaded, factor);
  expectOk(CALL(LoadedExecutable_Destroy, .executable = loaded));
}

static void programsAreBytes(void **state) {
  PJRT_LoadedExecutable *loaded;
  PJRT_Executable_Serialize_Args bytes = serialize(doubled, sizeof doubled - 1);
  size_t size = bytes.serialized_bytes_size;
  expectLoads(bytes.serialized_bytes, size, 2);
  char *damaged = malloc(size);
  memcpy(damaged, bytes.serialized_bytes, size);
  char *name = memmem(damaged, size, "doubled", 7);
  assert_non_null(name);
  *name ^= 1;
  expectError(deserialize(damaged, size, &loaded), PJRT_Error_Code_DATA_LOSS,
              "damaged");
  for (size_t i = 0; i < size; ++i) {
    PJRT_Error *error = deserialize(bytes.serialized_bytes, i, &loaded);
    assert_non_null(error);
    destroyError(error);
  }
  free(damaged);
  bytes.serialized_executable_deleter(bytes.serialized_executable);
}

enum { LINE = 11, HEADER = 96 }; ///< as serialize.c writes them

/// A program, and in place of its machine code that of another.
static char *makeForgery(const PJRT_Executable_Serialize_Args *program,
                         const PJRT_Executable_Serialize_Args *code,
                         size_t *size) {
  uint64_t ours[3], theirs[3]; // bytes of program, options and code
  memcpy(ours, program->serialized_bytes + LINE, sizeof ours);
  memcpy(theirs, code->serialized_bytes + LINE, sizeof theirs);
  assert_true(ours[2] > 0 && theirs[2] > 0);
  size_t front = program->serialized_bytes_size - ours[2];
  *size = front + theirs[2];
  char *bytes = malloc(*size);
  memcpy(bytes, program->serialized_bytes, front);
  memcpy(bytes + LINE + 16, &theirs[2], 8);
  memcpy(bytes + front,
         code->serialized_bytes + code->serialized_bytes_size - theirs[2],
         theirs[2]);
  return bytes;
}

/// Code is run if this user has written it, and from nobody else.
static void codeOfStrangersIsNotRun(void **state) {
  static const char tripled[] =
      "func.func @main(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>, "
      "tensor<3xi32>) {\n"
      "  %y = stablehlo.add %x, %x : tensor<2x3xf32>\n"
      "  %z = stablehlo.add %y, %x : tensor<2x3xf32>\n"
      "  %c = stablehlo.constant dense<[4, 5, 6]> : tensor<3xi32>\n"
      "  return %z, %c : tensor<2x3xf32>, tensor<3xi32>\n"
      "}\n";
  PJRT_Executable_Serialize_Args two = serialize(doubled, sizeof doubled - 1);
  PJRT_Executable_Serialize_Args three = serialize(tripled, sizeof tripled - 1);
  size_t size;
  char *forged = makeForgery(&two, &three, &size);
  assert_memory_equal(forged, "xlac 0.1.0\n", LINE);
  expectLoads(forged, size, 2);
  // With the user's secret it is the user's word, and is taken.
  uint8_t key[XLA_USER_KEY_BYTES];
  assert_true(xlaUserKey(key));
  MlirExtBytes pieces[] = {{forged, LINE - 1},
                           {forged + LINE, HEADER - 32},
                           {forged + LINE + HEADER, size - LINE - HEADER}};
  mlirExtHmacSha256(key, 3, pieces, (uint8_t *)forged + LINE + HEADER - 32);
  expectLoads(forged, size, 3);
  // Code of another program than LLVM would get is not.
  forged[LINE + 32] ^= 1;
  pieces[1].data = forged + LINE;
  mlirExtHmacSha256(key, 3, pieces, (uint8_t *)forged + LINE + HEADER - 32);
  expectLoads(forged, size, 2);
  // Nor if others could have read the secret.
  forged[LINE + 32] ^= 1;
  mlirExtHmacSha256(key, 3, pieces, (uint8_t *)forged + LINE + HEADER - 32);
  char path[200];
  snprintf(path, sizeof path, "%s/user.key", folder);
  assert_int_equal(chmod(path, 0644), 0);
  expectLoads(forged, size, 2);
  // Nothing is kept where there is no place for the secret.
  PJRT_Executable_Serialize_Args none = serialize(doubled, sizeof doubled - 1);
  uint64_t sizes[3];
  memcpy(sizes, none.serialized_bytes + LINE, sizeof sizes);
  assert_int_equal(sizes[2], 0);
  expectLoads(none.serialized_bytes, none.serialized_bytes_size, 2);
  assert_int_equal(unlink(path), 0);
  free(forged);
  two.serialized_executable_deleter(two.serialized_executable);
  three.serialized_executable_deleter(three.serialized_executable);
  none.serialized_executable_deleter(none.serialized_executable);
}

static void expectProfilerError(const PLUGIN_Profiler_Api *profilers,
                                PLUGIN_Profiler_Error *error, int code) {
  assert_non_null(error);
  PLUGIN_Profiler_Error_GetCode_Args got = {.error = error};
  assert_null(profilers->error_get_code(&got));
  assert_int_equal(got.code, code);
  PLUGIN_Profiler_Error_Message_Args text = {.error = error};
  profilers->error_message(&text);
  assert_true(text.message_size > 0);
  profilers->error_destroy(
      &(PLUGIN_Profiler_Error_Destroy_Args){.error = error});
}

static void profilersCollect(void **state) {
  const PJRT_Extension_Base *extension = api->extension_start;
  while (extension && extension->type != PJRT_Extension_Type_Profiler)
    extension = extension->next;
  assert_non_null(extension);
  const PLUGIN_Profiler_Api *profilers =
      ((const PJRT_Profiler_Extension *)extension)->profiler_api;
  PLUGIN_Profiler_Create_Args made = {0};
  assert_null(profilers->create(&made));
  PLUGIN_Profiler_Start_Args start = {.profiler = made.profiler};
  PLUGIN_Profiler_Stop_Args stop = {.profiler = made.profiler};
  PLUGIN_Profiler_CollectData_Args data = {.profiler = made.profiler};
  assert_null(profilers->start(&start));
  expectProfilerError(profilers, profilers->collect_data(&data),
                      PJRT_Error_Code_FAILED_PRECONDITION);
  PJRT_LoadedExecutable *loaded;
  expectOk(compile(doubled, sizeof doubled - 1, onDevice1, sizeof onDevice1,
                   &loaded));
  expectTimes(loaded, 2);
  expectOk(CALL(LoadedExecutable_Destroy, .executable = loaded));
  assert_null(profilers->stop(&stop));
  assert_null(profilers->stop(&stop));
  assert_null(profilers->collect_data(&data));
  size_t size = data.buffer_size_in_bytes;
  assert_non_null(memmem(data.buffer, size, "/device:CUSTOM:xlac:1", 21));
  assert_non_null(memmem(data.buffer, size, "doubled", 7));
  char *copy = malloc(size);
  PLUGIN_Profiler_CollectData_Args again = {.profiler = made.profiler,
                                            .buffer = (uint8_t *)copy};
  assert_null(profilers->collect_data(&again));
  assert_memory_equal(copy, data.buffer, size);
  free(copy);
  // What was collected before is gone.
  assert_null(profilers->start(&start));
  assert_null(profilers->stop(&stop));
  data = (PLUGIN_Profiler_CollectData_Args){.profiler = made.profiler};
  assert_null(profilers->collect_data(&data));
  assert_int_equal(data.buffer_size_in_bytes, 0);
  assert_null(profilers->start(&start)); // ends with it
  assert_null(profilers->destroy(
      &(PLUGIN_Profiler_Destroy_Args){.profiler = made.profiler}));
  expectProfilerError(profilers, profilers->start(NULL),
                      PJRT_Error_Code_INVALID_ARGUMENT);
  expectProfilerError(profilers,
                      profilers->stop(&(PLUGIN_Profiler_Stop_Args){0}),
                      PJRT_Error_Code_INVALID_ARGUMENT);
}

int main(void) {
  static const struct CMUnitTest tests[] = {
      cmocka_unit_test(refuseNothing),
      cmocka_unit_test(refuseNoObject),
      cmocka_unit_test(describeThemselves),
      cmocka_unit_test(eventsHappen),
      cmocka_unit_test(clientsHaveDevices),
      cmocka_unit_test(optionsAreChecked),
      cmocka_unit_test(topologiesAreBytes),
      cmocka_unit_test(buffersKeepValues),
      cmocka_unit_test(buffersHaveLayouts),
      cmocka_unit_test(buffersAreChecked),
      cmocka_unit_test(buffersAreDeleted),
      cmocka_unit_test(failuresAreValues),
      cmocka_unit_test(memoryIsShared),
      cmocka_unit_test(viewsEnd),
      cmocka_unit_test(partsAreRead),
      cmocka_unit_test(programsRun),
      cmocka_unit_test(programsHaveSeveralDevices),
      cmocka_unit_test(programsAreChecked),
      cmocka_unit_test(programsAreBytes),
      cmocka_unit_test(codeOfStrangersIsNotRun),
      cmocka_unit_test(profilersCollect),
  };
  return cmocka_run_group_tests(tests, setUp, tearDown);
}
