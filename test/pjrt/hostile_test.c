//===- hostile_test.c - The plugin's functions with wrong arguments -------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every function is given the object that it is of, and nothing else; then
// sizes, lists and programs that no caller means. What it says is its own, but
// it ends, and says it.
//
//===----------------------------------------------------------------------===//

#include "xlac/pjrt/plugin.h"
#include "xlac/test/support/unit.h"

#include <string.h>

static const PJRT_Api *api;
static PJRT_Client *client;
static PJRT_Device *device;

#define ARGS(name, ...)                                                        \
  (&(PJRT_##name##_Args){.struct_size = sizeof(PJRT_##name##_Args),            \
                         __VA_ARGS__})
#define CALL(name, ...) api->PJRT_##name(ARGS(name, __VA_ARGS__))

/// Whether there was an error, which says something.
static bool fails(PJRT_Error *error) {
  if (!error)
    return false;
  PJRT_Error_Message_Args *text = ARGS(Error_Message, .error = error);
  api->PJRT_Error_Message(text);
  assert_in_range(text->message_size, 5, 2000);
  api->PJRT_Error_Destroy(ARGS(Error_Destroy, .error = error));
  return true;
}

#define NEED(name, ...) assert_false(fails(CALL(name, __VA_ARGS__)))

//===----------------------------------------------------------------------===//
// Objects
//===----------------------------------------------------------------------===//

static PJRT_Buffer *makeBuffer(void) {
  static const float values[4] = {1, 2, 3, 4};
  static const int64_t dims[1] = {4};
  PJRT_Client_BufferFromHostBuffer_Args *args =
      ARGS(Client_BufferFromHostBuffer, .client = client, .data = values,
           .type = PJRT_Buffer_Type_F32, .dims = dims, .num_dims = 1,
           .device = device);
  assert_false(fails(api->PJRT_Client_BufferFromHostBuffer(args)));
  NEED(Event_Destroy, .event = args->done_with_host_buffer);
  return args->buffer;
}

static char text[] = "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {"
                     "  %y = stablehlo.add %x, %x : tensor<4xf32>"
                     "  return %y : tensor<4xf32>"
                     "}";

static PJRT_Program programOf(char *code, size_t size, const char *format,
                              size_t formatSize) {
  return (PJRT_Program){.struct_size = sizeof(PJRT_Program),
                        .code = code,
                        .code_size = size,
                        .format = format,
                        .format_size = formatSize};
}

static PJRT_LoadedExecutable *makeLoaded(void) {
  PJRT_Program program = programOf(text, strlen(text), "mlir", 4);
  PJRT_Client_Compile_Args *args =
      ARGS(Client_Compile, .client = client, .program = &program);
  assert_false(fails(api->PJRT_Client_Compile(args)));
  return args->executable;
}

/// What functions are of, made for one call.
typedef struct Objects {
  PJRT_LoadedExecutable *loaded;
  PJRT_Executable *executable;
  PJRT_Buffer *buffer;
  PJRT_Event *event;
  PJRT_TopologyDescription *topology;
  PJRT_DeviceDescription *description;
  PJRT_Memory *memory;
} Objects;

static void make(Objects *objects) {
  *objects = (Objects){.loaded = makeLoaded(), .buffer = makeBuffer()};
  PJRT_LoadedExecutable_GetExecutable_Args *executable = ARGS(
      LoadedExecutable_GetExecutable, .loaded_executable = objects->loaded);
  assert_false(fails(api->PJRT_LoadedExecutable_GetExecutable(executable)));
  objects->executable = executable->executable;
  PJRT_Buffer_ReadyEvent_Args *event =
      ARGS(Buffer_ReadyEvent, .buffer = objects->buffer);
  assert_false(fails(api->PJRT_Buffer_ReadyEvent(event)));
  objects->event = event->event;
  PJRT_TopologyDescription_Create_Args *topology =
      ARGS(TopologyDescription_Create, .topology_name = "");
  assert_false(fails(api->PJRT_TopologyDescription_Create(topology)));
  objects->topology = topology->topology;
  PJRT_Device_GetDescription_Args *description =
      ARGS(Device_GetDescription, .device = device);
  assert_false(fails(api->PJRT_Device_GetDescription(description)));
  objects->description = description->device_description;
  PJRT_Device_DefaultMemory_Args *memory =
      ARGS(Device_DefaultMemory, .device = device);
  assert_false(fails(api->PJRT_Device_DefaultMemory(memory)));
  objects->memory = memory->memory;
}

static void destroy(const Objects *objects) {
  NEED(Event_Destroy, .event = objects->event);
  NEED(Buffer_Destroy, .buffer = objects->buffer);
  NEED(Executable_Destroy, .executable = objects->executable);
  NEED(LoadedExecutable_Destroy, .executable = objects->loaded);
  NEED(TopologyDescription_Destroy, .topology = objects->topology);
}

/// The object for an argument by its type, NULL where there is none.
#define OBJECT(field)                                                          \
  _Generic(field,                                                              \
      PJRT_Client *: (void *)client,                                           \
      PJRT_Device *: (void *)device,                                           \
      PJRT_DeviceDescription *: (void *)objects.description,                   \
      PJRT_Memory *: (void *)objects.memory,                                   \
      PJRT_LoadedExecutable *: (void *)objects.loaded,                         \
      PJRT_Executable *: (void *)objects.executable,                           \
      const PJRT_Executable *: (void *)objects.executable,                     \
      PJRT_Buffer *: (void *)objects.buffer,                                   \
      PJRT_Event *: (void *)objects.event,                                     \
      PJRT_TopologyDescription *: (void *)objects.topology,                    \
      const PJRT_TopologyDescription *: (void *)objects.topology,              \
      default: NULL)

/// The copy begins, to nowhere.
static void releaseFuture(const PJRT_Buffer_CopyRawToHostFuture_Args *args) {
  PJRT_Buffer_CopyRawToHostFuture_Callback_Args given = {
      .struct_size = sizeof given, .callback_data = args->callback_data};
  args->future_ready_callback(&given);
  fails(CALL(Event_Await, .event = args->event));
  NEED(Event_Destroy, .event = args->event);
}

/// The promise is kept.
static void
releaseDonated(const PJRT_Buffer_DonateWithControlDependency_Args *args) {
  PJRT_Buffer_DonateWithControlDependency_Callback_Args given = {
      .struct_size = sizeof given, .callback_data = args->callback_data};
  args->dependency_ready_callback(&given);
  NEED(Buffer_Destroy, .buffer = args->out_buffer);
}

/// Frees what a call made, if it made anything.
static void release(const char *name, void *data) {
#define MADE(function) !strcmp(name, #function)) for (PJRT_##function##_Args *args = data; args; args = NULL
  if (MADE(Buffer_ReadyEvent))
    NEED(Event_Destroy, .event = args->event);
  else if (MADE(Buffer_CopyRawToHost))
    NEED(Event_Destroy, .event = args->event);
  else if (MADE(Buffer_CopyRawToHostFuture))
    releaseFuture(args);
  else if (MADE(Buffer_DonateWithControlDependency))
    releaseDonated(args);
  else if (MADE(Device_CreateAsyncTrackingEvent))
    api->PJRT_AsyncTrackingEvent_Destroy(
        ARGS(AsyncTrackingEvent_Destroy, .event = args->event));
  else if (MADE(LoadedExecutable_GetExecutable))
    NEED(Executable_Destroy, .executable = args->executable);
  else if (MADE(Client_CreateErrorBuffer))
    NEED(Buffer_Destroy, .buffer = args->buffer);
  else if (MADE(Executable_Serialize))
    args->serialized_executable_deleter(args->serialized_executable);
  else if (MADE(TopologyDescription_Serialize))
    args->serialized_topology_deleter(args->serialized_topology);
  else if (MADE(LoadedExecutable_GetDeviceAssignment))
    args->serialized_device_assignment_deleter(
        args->serialized_device_assignment);
  else if (MADE(Executable_GetCompileOptions))
    args->serialized_compile_options_deleter(args->serialized_compile_options);
#undef MADE
}

#define PJRT_ERROR_FUNCTION(name, last, fields)
#define PJRT_FUNCTION(name, forked, object, last, fields)                      \
  static void only_##name(void) {                                              \
    PJRT_##name##_Args args = {.struct_size = sizeof args};                    \
    Objects objects;                                                           \
    make(&objects);                                                            \
    void *given = OBJECT(args.object);                                         \
    if (given) {                                                               \
      memcpy((char *)&args + offsetof(PJRT_##name##_Args, object), &given,     \
             sizeof given);                                                    \
      if (!fails(api->PJRT_##name(&args)))                                     \
        release(#name, &args);                                                 \
    }                                                                          \
    destroy(&objects);                                                         \
  }
#include "xlac/pjrt/api.def"

static void nothingButTheObject(void **state) {
  static void (*const calls[])(void) = {
#define PJRT_ERROR_FUNCTION(name, last, fields)
#define PJRT_FUNCTION(name, forked, object, last, fields) only_##name,
#include "xlac/pjrt/api.def"
  };
  for (size_t i = 0; i < sizeof calls / sizeof *calls; ++i)
    calls[i]();
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

static bool refusesProgram(char *code, size_t size, const char *format,
                           size_t formatSize) {
  PJRT_Program program = programOf(code, size, format, formatSize);
  return fails(CALL(Client_Compile, .client = client, .program = &program));
}

static void programs(void **state) {
  assert_true(refusesProgram(NULL, 0, "mlir", 4));
  assert_true(refusesProgram(NULL, 100, "mlir", 4));
  assert_true(refusesProgram(text, 0, "mlir", 4));
  assert_true(refusesProgram(text, strlen(text) - 1, "mlir", 4));
  assert_true(refusesProgram(text, strlen(text), NULL, 0));
  assert_true(refusesProgram(text, strlen(text), NULL, 4));
  assert_true(refusesProgram(text, strlen(text), "mlirx", 5));
  assert_true(refusesProgram(text, strlen(text), "hl", 2));
  assert_true(refusesProgram(text, strlen(text), "hlo_with_config", 15));
  char zeros[64] = {0}, bytecode[] = "ML\xefR\x06MLIR22.1";
  assert_true(refusesProgram(zeros, sizeof zeros, "mlir", 4));
  assert_true(refusesProgram(bytecode, sizeof bytecode, "mlir", 4));
  PJRT_Program small = {.struct_size = 8};
  assert_true(fails(CALL(Client_Compile, .client = client, .program = &small)));
  PJRT_Program program = programOf(text, strlen(text), "mlir", 4);
  static const char junk[] = "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff";
  assert_true(fails(CALL(Client_Compile, .client = client, .program = &program,
                         .compile_options = junk,
                         .compile_options_size = sizeof junk - 1)));
  assert_true(fails(CALL(Client_Compile, .client = client, .program = &program,
                         .compile_options = NULL, .compile_options_size = 9)));
  for (size_t size = 0; size < sizeof junk; ++size)
    assert_true(fails(CALL(Executable_DeserializeAndLoad, .client = client,
                           .serialized_executable = size % 2 ? junk : text,
                           .serialized_executable_size = size)));
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

typedef struct Run {
  PJRT_Buffer *const *const *inputs;
  PJRT_Buffer **const *outputs;
  size_t nDevices, nInputs;
  PJRT_ExecuteOptions *options;
} Run;

static bool refusesRun(PJRT_LoadedExecutable *loaded, Run run) {
  return fails(CALL(LoadedExecutable_Execute, .executable = loaded,
                    .options = run.options, .argument_lists = run.inputs,
                    .output_lists = run.outputs, .num_devices = run.nDevices,
                    .num_args = run.nInputs));
}

static void runs(void **state) {
  PJRT_LoadedExecutable *loaded = makeLoaded();
  PJRT_Buffer *x = makeBuffer(), *none = NULL, *y = NULL;
  PJRT_Buffer *const *given = &x, *const *lacking = &none;
  PJRT_Buffer *const *nothing = NULL;
  PJRT_Buffer **list = &y, **noList = NULL;
  PJRT_ExecuteOptions small = {.struct_size = 8};
  static const int64_t wild[] = {-1, INT64_MAX, 7};
  PJRT_ExecuteOptions kept = {.struct_size = sizeof kept,
                              .non_donatable_input_indices = wild,
                              .num_non_donatable_input_indices = 3};
  PJRT_ExecuteOptions missing = {.struct_size = sizeof missing,
                                 .num_non_donatable_input_indices = 3};
  PJRT_ExecuteOptions sends = {.struct_size = sizeof sends,
                               .num_send_ops = 3,
                               .num_recv_ops = (size_t)-1};
  assert_true(refusesRun(loaded, (Run){0}));
  assert_true(refusesRun(loaded, (Run){NULL, &list, 1, 1, NULL}));
  assert_true(refusesRun(loaded, (Run){&nothing, &list, 1, 1, NULL}));
  assert_true(refusesRun(loaded, (Run){&lacking, &list, 1, 1, NULL}));
  assert_true(refusesRun(loaded, (Run){&given, NULL, 1, 1, NULL}));
  assert_true(refusesRun(loaded, (Run){&given, &noList, 1, 1, NULL}));
  assert_true(refusesRun(loaded, (Run){&given, &list, 0, 1, NULL}));
  assert_true(refusesRun(loaded, (Run){&given, &list, 2, 1, NULL}));
  assert_true(refusesRun(loaded, (Run){&given, &list, SIZE_MAX, 1, NULL}));
  assert_true(refusesRun(loaded, (Run){&given, &list, 1, 0, NULL}));
  assert_true(refusesRun(loaded, (Run){&given, &list, 1, SIZE_MAX, NULL}));
  assert_true(refusesRun(loaded, (Run){&given, &list, 1, 1, &small}));
  assert_true(refusesRun(loaded, (Run){&given, &list, 1, 1, &missing}));
  assert_true(refusesRun(loaded, (Run){&given, &list, 1, 1, &sends}));
  assert_null(y);
  // Numbers of no input keep nothing.
  assert_false(refusesRun(loaded, (Run){&given, &list, 1, 1, &kept}));
  NEED(Buffer_Destroy, .buffer = y);
  NEED(Buffer_Destroy, .buffer = x);
  NEED(LoadedExecutable_Destroy, .executable = loaded);
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

static void buffers(void **state) {
  PJRT_Buffer *x = makeBuffer();
  static float room[4];
  static const int64_t wild[] = {INT64_MIN, INT64_MAX, -1, 5};
  for (int i = 0; i < 4; ++i)
    for (int k = 0; k < 4; ++k) {
      if (wild[i] == 5 && wild[k] == 5)
        continue; // these are there
      assert_true(fails(CALL(Buffer_CopyRawToHost, .buffer = x, .dst = room,
                             .offset = wild[i], .transfer_size = wild[k])));
    }
  assert_true(fails(CALL(Buffer_CopyRawToHost, .buffer = x, .dst = NULL,
                         .offset = 0, .transfer_size = 16)));
  static const int64_t orders[][2] = {{0, 0}, {-1, 0}, {INT64_MAX, 1}};
  for (size_t i = 0; i < 3; ++i)
    for (size_t n = 0; n < 3; ++n) {
      PJRT_Buffer_MemoryLayout layout = {
          .struct_size = sizeof layout,
          .tiled = {.struct_size = sizeof layout.tiled,
                    .minor_to_major = n ? orders[i] : NULL,
                    .minor_to_major_size = n == 2 ? SIZE_MAX : 2}};
      assert_true(fails(CALL(Buffer_ToHostBuffer, .src = x, .dst = room,
                             .dst_size = sizeof room, .host_layout = &layout)));
      layout.type = (PJRT_Buffer_MemoryLayout_Type)(n + 1);
      assert_true(fails(CALL(Buffer_ToHostBuffer, .src = x, .dst = room,
                             .dst_size = sizeof room, .host_layout = &layout)));
    }
  static const int64_t dims[2] = {2, 2}, far[2] = {INT64_MAX, INT64_MIN};
  assert_true(fails(CALL(Client_BufferFromHostBuffer, .client = client,
                         .data = NULL, .type = PJRT_Buffer_Type_F32,
                         .dims = dims, .num_dims = 2, .device = device)));
  assert_true(fails(CALL(Client_BufferFromHostBuffer, .client = client,
                         .data = room, .type = PJRT_Buffer_Type_F32,
                         .dims = far, .num_dims = 2, .device = device)));
  assert_true(fails(CALL(Client_BufferFromHostBuffer, .client = client,
                         .data = room, .type = (PJRT_Buffer_Type)-1,
                         .dims = dims, .num_dims = 2, .device = device)));
  assert_true(
      fails(CALL(Client_BufferFromHostBuffer, .client = client, .data = room,
                 .type = PJRT_Buffer_Type_F32, .dims = dims,
                 .num_dims = SIZE_MAX, .device = device)));
  NEED(Buffer_Destroy, .buffer = x);
}

/// Its other sizes may be anything.
static void emptyBuffers(void **state) {
  static const int64_t dims[3] = {INT64_C(1) << 61, INT64_C(1) << 61, 0};
  static const int64_t order[3] = {0, 2, 1};
  PJRT_Client_BufferFromHostBuffer_Args *made =
      ARGS(Client_BufferFromHostBuffer, .client = client, .data = dims,
           .type = PJRT_Buffer_Type_F32, .dims = dims, .num_dims = 3,
           .device = device);
  assert_false(fails(api->PJRT_Client_BufferFromHostBuffer(made)));
  NEED(Event_Destroy, .event = made->done_with_host_buffer);
  PJRT_Buffer_MemoryLayout layout = {
      .struct_size = sizeof layout,
      .tiled = {.struct_size = sizeof layout.tiled,
                .minor_to_major = order,
                .minor_to_major_size = 3}};
  char room[1];
  PJRT_Buffer_ToHostBuffer_Args *read =
      ARGS(Buffer_ToHostBuffer, .src = made->buffer, .host_layout = &layout,
           .dst = room, .dst_size = sizeof room);
  assert_false(fails(api->PJRT_Buffer_ToHostBuffer(read)));
  NEED(Event_Await, .event = read->event);
  NEED(Event_Destroy, .event = read->event);
  NEED(Buffer_Destroy, .buffer = made->buffer);
}

static int setUp(void **state) {
  api = GetPjrtApi();
  PJRT_Client_Create_Args *made = ARGS(Client_Create, .num_options = 0);
  if (fails(api->PJRT_Client_Create(made)))
    return 1;
  client = made->client;
  PJRT_Client_LookupDevice_Args *found =
      ARGS(Client_LookupDevice, .client = client, .id = 0);
  if (fails(api->PJRT_Client_LookupDevice(found)))
    return 1;
  device = found->device;
  return 0;
}

static int tearDown(void **state) {
  return fails(CALL(Client_Destroy, .client = client)) ? 1 : 0;
}

int main(void) {
  static const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothingButTheObject),
      cmocka_unit_test(programs),
      cmocka_unit_test(runs),
      cmocka_unit_test(buffers),
      cmocka_unit_test(emptyBuffers),
  };
  return cmocka_run_group_tests(tests, setUp, tearDown);
}
