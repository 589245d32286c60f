//===- plugin_test.c - The plugin through its table of functions ----------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "support.h"

#include <pthread.h>

//===----------------------------------------------------------------------===//
// All functions
//===----------------------------------------------------------------------===//

/// Neither NULL nor arguments that are too short are looked into.
static void refuseNothing(void **state) {
#define PJRT_ERROR_FUNCTION(name, last, fields)                                \
  api->PJRT_##name(NULL);                                                      \
  api->PJRT_##name(&(PJRT_##name##_Args){.struct_size = 8});
#define PJRT_FUNCTION(name, forked, object, last, fields)                      \
  expectError(api->PJRT_##name(NULL), INVALID, "PJRT_" #name);                 \
  expectError(api->PJRT_##name(&(PJRT_##name##_Args){.struct_size = 8}),       \
              INVALID, "another version");
#include "xlac/pjrt/api.def"
}

/// Whether a field is the one that says that all may be NULL.
#define IS_SIZE(Args, field) (offsetof(Args, field) == 0)

static void refuseNoObject(void **state) {
#define PJRT_ERROR_FUNCTION(name, last, fields) CALL(name, .error = NULL);
#define PJRT_FUNCTION(name, forked, object, last, fields)                      \
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
    GET(attributes, Device_GetAttributes, .device = devices.devices[i]);
    assert_int_equal(attributes.num_attributes, 0);
    attributes.attributes_deleter(attributes.device_attributes);
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

int main(void) {
  static const struct CMUnitTest tests[] = {
      cmocka_unit_test(refuseNothing),      cmocka_unit_test(refuseNoObject),
      cmocka_unit_test(describeThemselves), cmocka_unit_test(eventsHappen),
      cmocka_unit_test(clientsHaveDevices), cmocka_unit_test(optionsAreChecked),
      cmocka_unit_test(topologiesAreBytes),
  };
  return cmocka_run_group_tests(tests, pjrtSetUp, pjrtTearDown);
}
