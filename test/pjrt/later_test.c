//===- later_test.c - Buffers whose elements are still to come ------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "support.h"

#include <pthread.h>

static bool isReady(PJRT_Buffer *buffer) {
  GET(event, Buffer_ReadyEvent, .buffer = buffer);
  GET(ready, Event_IsReady, .event = event.event);
  expectOk(CALL(Event_Destroy, .event = event.event));
  return ready.is_ready;
}

static void expectFailure(PJRT_Buffer *buffer, PJRT_Error_Code code,
                          const char *part) {
  GET(event, Buffer_ReadyEvent, .buffer = buffer);
  waitForError(event.event, code, part);
}

/// A program that doubles, on device 0.
static PJRT_LoadedExecutable *compileDoubled(void) {
  PJRT_LoadedExecutable *loaded;
  expectOk(compile(doubled, strlen(doubled), NULL, 0, &loaded));
  return loaded;
}

/// Asks for its result on `input`, without waiting.
static PJRT_Buffer *ask(PJRT_LoadedExecutable *loaded, PJRT_Buffer *input) {
  PJRT_Buffer *outputs[2];
  PJRT_Buffer *const *inputs = &input;
  PJRT_Buffer **list = outputs;
  expectOk(CALL(LoadedExecutable_Execute, .executable = loaded,
                .argument_lists = &inputs, .num_devices = 1, .num_args = 1,
                .output_lists = &list));
  destroy(outputs[1]);
  return outputs[0];
}

static void expectFactor(PJRT_Buffer *buffer, float factor) {
  float expected[6];
  for (int i = 0; i < 6; ++i)
    expected[i] = factor * values[i];
  expectValues(buffer, expected);
}

//===----------------------------------------------------------------------===//
// In parts
//===----------------------------------------------------------------------===//

static PJRT_AsyncHostToDeviceTransferManager *manage(size_t n) {
  PJRT_ShapeSpec specs[4];
  for (size_t i = 0; i < n; ++i)
    specs[i] = (PJRT_ShapeSpec){.struct_size = sizeof specs[i],
                                .dims = dims,
                                .num_dims = 2,
                                .element_type = PJRT_Buffer_Type_F32};
  GET(made, Client_CreateBuffersForAsyncHostToDevice, .client = client,
      .shape_specs = specs, .num_shape_specs = n, .memory = memoryOf(0));
  return made.transfer_manager;
}

static PJRT_Buffer *retrieve(PJRT_AsyncHostToDeviceTransferManager *manager,
                             int index) {
  GET(got, AsyncHostToDeviceTransferManager_RetrieveBuffer,
      .transfer_manager = manager, .buffer_index = index);
  return got.buffer_out;
}

/// Two rows of three numbers each.
static void transferRow(PJRT_AsyncHostToDeviceTransferManager *manager,
                        int index, int row, bool isLast) {
  GET(sent, AsyncHostToDeviceTransferManager_TransferData,
      .transfer_manager = manager, .buffer_index = index,
      .data = values + 3 * row, .offset = 12 * row, .transfer_size = 12,
      .is_last_transfer = isLast);
  waitFor(sent.done_with_h2d_transfer);
}

static void destroyManager(PJRT_AsyncHostToDeviceTransferManager *manager) {
  expectOk(CALL(AsyncHostToDeviceTransferManager_Destroy,
                .transfer_manager = manager));
}

static void partsArrive(void **state) {
  PJRT_AsyncHostToDeviceTransferManager *manager = manage(2);
  GET(device, AsyncHostToDeviceTransferManager_Device,
      .transfer_manager = manager);
  assert_ptr_equal(device.device_out, deviceOf(0));
  GET(count, AsyncHostToDeviceTransferManager_BufferCount,
      .transfer_manager = manager);
  assert_int_equal(count.buffer_count, 2);
  GET(size, AsyncHostToDeviceTransferManager_BufferSize,
      .transfer_manager = manager, .buffer_index = 1);
  assert_int_equal(size.buffer_size, sizeof values);
  expectOk(CALL(AsyncHostToDeviceTransferManager_AddMetadata,
                .transfer_manager = manager));
  PJRT_Buffer *first = retrieve(manager, 0), *second = retrieve(manager, 1);
  // Programs are asked for before their argument is there, and programs that
  // need nothing are not kept waiting.
  PJRT_LoadedExecutable *loaded = compileDoubled();
  PJRT_Buffer *twice = ask(loaded, first), *fourTimes = ask(loaded, twice);
  PJRT_Buffer *input = put(values, 0), *other = ask(loaded, input);
  expectFactor(other, 2);
  transferRow(manager, 0, 1, false);
  assert_false(isReady(first));
  assert_false(isReady(fourTimes));
  transferRow(manager, 0, 0, true);
  expectFactor(first, 1);
  expectFactor(fourTimes, 4);
  expectError(CALL(AsyncHostToDeviceTransferManager_TransferData,
                   .transfer_manager = manager, .buffer_index = 0,
                   .data = values, .transfer_size = 4),
              PJRT_Error_Code_FAILED_PRECONDITION, "last transfer");
  // A whole one, of columns.
  static const float columns[6] = {1, 4, 2, 5, 3, 6};
  static const int64_t order[2] = {0, 1};
  PJRT_Buffer_MemoryLayout layout = {
      .struct_size = sizeof layout,
      .tiled = {.struct_size = sizeof layout.tiled,
                .minor_to_major = order,
                .minor_to_major_size = 2}};
  GET(sent, AsyncHostToDeviceTransferManager_TransferLiteral,
      .transfer_manager = manager, .buffer_index = 1, .data = columns,
      .shape_dims = dims, .shape_num_dims = 2,
      .shape_element_type = PJRT_Buffer_Type_F32, .shape_layout = &layout);
  waitFor(sent.done_with_h2d_transfer);
  destroyManager(manager);
  expectFactor(second, 1);
  expectOk(CALL(LoadedExecutable_Destroy, .executable = loaded));
  PJRT_Buffer *all[] = {first, second, twice, fourTimes, input, other};
  for (int i = 0; i < 6; ++i)
    destroy(all[i]);
}

static void partsAreChecked(void **state) {
  PJRT_AsyncHostToDeviceTransferManager *manager = manage(3);
  PJRT_Buffer *buffers[3];
  for (int i = 0; i < 3; ++i)
    buffers[i] = retrieve(manager, i);
  expectError(CALL(AsyncHostToDeviceTransferManager_RetrieveBuffer,
                   .transfer_manager = manager, .buffer_index = 0),
              INVALID, "before");
  expectError(CALL(AsyncHostToDeviceTransferManager_BufferSize,
                   .transfer_manager = manager, .buffer_index = 3),
              INVALID, "no buffer 3; there are 3");
  expectError(CALL(AsyncHostToDeviceTransferManager_TransferData,
                   .transfer_manager = manager, .data = values, .offset = 20,
                   .transfer_size = 8),
              INVALID, "24 bytes");
  expectError(CALL(AsyncHostToDeviceTransferManager_TransferData,
                   .transfer_manager = manager, .data = values, .offset = -1),
              INVALID, "24 bytes");
  expectError(CALL(AsyncHostToDeviceTransferManager_TransferLiteral,
                   .transfer_manager = manager, .data = values,
                   .shape_dims = dims, .shape_num_dims = 1,
                   .shape_element_type = PJRT_Buffer_Type_F32),
              INVALID, "the buffer tensor<2x3xf32>");
  expectError(CALL(Client_CreateBuffersForAsyncHostToDevice, .client = client,
                   .num_shape_specs = 1, .memory = memoryOf(0)),
              INVALID, "NULL");
  // What fails does so in what was asked for before.
  PJRT_LoadedExecutable *loaded = compileDoubled();
  PJRT_Buffer *result = ask(loaded, buffers[0]);
  expectError(CALL(AsyncHostToDeviceTransferManager_SetBufferError,
                   .transfer_manager = manager, .buffer_index = 0),
              INVALID, "code OK");
  expectOk(CALL(AsyncHostToDeviceTransferManager_SetBufferError,
                .transfer_manager = manager, .buffer_index = 0,
                .error_code = PJRT_Error_Code_DATA_LOSS,
                .error_message = "gone", .error_message_size = 4));
  expectFailure(buffers[0], PJRT_Error_Code_DATA_LOSS, "gone");
  expectFailure(result, PJRT_Error_Code_DATA_LOSS, "gone");
  expectOk(CALL(Buffer_Delete, .buffer = buffers[1]));
  expectError(CALL(AsyncHostToDeviceTransferManager_TransferData,
                   .transfer_manager = manager, .buffer_index = 1,
                   .data = values, .transfer_size = 4),
              INVALID, "deleted");
  destroyManager(manager);
  expectFailure(buffers[2], INVALID, "destroyed before");
  expectOk(CALL(LoadedExecutable_Destroy, .executable = loaded));
  destroy(result);
  for (int i = 0; i < 3; ++i)
    destroy(buffers[i]);
}

static void *transferFirst(void *manager) {
  transferRow(manager, 0, 0, false);
  return NULL;
}

/// While threads fill it, and others wait for what is made of it.
static void threadsFill(void **state) {
  PJRT_LoadedExecutable *loaded = compileDoubled();
  for (int round = 0; round < 20; ++round) {
    PJRT_AsyncHostToDeviceTransferManager *manager = manage(1);
    PJRT_Buffer *buffer = retrieve(manager, 0), *chain[8];
    for (int i = 0; i < 8; ++i)
      chain[i] = ask(loaded, i ? chain[i - 1] : buffer);
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, transferFirst, manager), 0);
    pthread_join(thread, NULL);
    transferRow(manager, 0, 1, true);
    expectFactor(chain[7], 256);
    destroyManager(manager);
    destroy(buffer);
    for (int i = 0; i < 8; ++i)
      destroy(chain[i]);
  }
  expectOk(CALL(LoadedExecutable_Destroy, .executable = loaded));
}

//===----------------------------------------------------------------------===//
// Aliases
//===----------------------------------------------------------------------===//

static PJRT_Client_CreateAliasBuffer_Args createAlias(void) {
  GET(made, Client_CreateAliasBuffer, .client = client, .memory = memoryOf(0),
      .shape_dims = dims, .shape_num_dims = 2,
      .shape_element_type = PJRT_Buffer_Type_F32);
  return made;
}

/// Nobody says what it stands for: the client forgets that when it ends.
static void aliasesThatNobodyFulfils(void **state) {
  PJRT_Client_CreateAliasBuffer_Args kept = createAlias();
  PJRT_Client_CreateAliasBuffer_Args dropped = createAlias();
  PJRT_Client_CreateAliasBuffer_Args fulfilled = createAlias();
  destroy(dropped.alias_buffer);
  PJRT_Buffer *x = put(values, 0);
  expectOk(CALL(Client_FulfillAliasBuffer, .client = client, .buffer = x,
                .status_code = PJRT_Error_Code_OK,
                .fulfill_alias_buffer_cb = fulfilled.fulfill_alias_buffer_cb));
  expectValues(fulfilled.alias_buffer, values);
  destroy(x);
  destroy(kept.alias_buffer);
  destroy(fulfilled.alias_buffer);
}

/// What an alias stands for may be made after what is made of the alias.
static void aliasesAreFulfilled(void **state) {
  PJRT_LoadedExecutable *loaded = compileDoubled();
  PJRT_Client_CreateAliasBuffer_Args alias = createAlias();
  GET(elsewhere, Buffer_CopyToDevice, .buffer = alias.alias_buffer,
      .dst_device = deviceOf(1));
  PJRT_Buffer *chain[100]; // more than wait for a device
  for (int i = 0; i < 100; ++i)
    chain[i] = ask(loaded, alias.alias_buffer);
  float got[6];
  GET(read, Buffer_ToHostBuffer, .src = chain[99], .dst = got,
      .dst_size = sizeof got);
  PJRT_Buffer *input = put(values, 0), *made = ask(loaded, input);
  assert_false(isReady(alias.alias_buffer));
  expectError(CALL(Client_FulfillAliasBuffer, .client = client,
                   .fulfill_alias_buffer_cb = alias.fulfill_alias_buffer_cb),
              INVALID, "the buffer that the alias stands for is NULL");
  expectError(CALL(Client_FulfillAliasBuffer, .client = client), INVALID,
              "the callback of the alias is NULL");
  PJRT_AsyncHostToDeviceTransferManager *manager = manage(1);
  PJRT_Buffer *whole = retrieve(manager, 0);
  destroyManager(manager);
  expectOk(CALL(Client_FulfillAliasBuffer, .client = client, .buffer = made,
                .fulfill_alias_buffer_cb = alias.fulfill_alias_buffer_cb));
  expectFactor(alias.alias_buffer, 2);
  expectFactor(elsewhere.dst_buffer, 2);
  expectFactor(made, 2);
  waitFor(read.event);
  for (int i = 0; i < 6; ++i)
    assert_float_equal(got[i], 4 * values[i], 0);
  for (int i = 0; i < 100; ++i) {
    expectFactor(chain[i], 4);
    destroy(chain[i]);
  }
  destroy(whole);
  destroy(elsewhere.dst_buffer);
  destroy(alias.alias_buffer);
  destroy(input);
  destroy(made);
  expectOk(CALL(LoadedExecutable_Destroy, .executable = loaded));
}

static void aliasesFail(void **state) {
  PJRT_LoadedExecutable *loaded = compileDoubled();
  PJRT_Client_CreateAliasBuffer_Args alias = createAlias();
  PJRT_Buffer *result = ask(loaded, alias.alias_buffer);
  static const int64_t other[1] = {6};
  GET(wrong, Client_BufferFromHostBuffer, .client = client, .data = values,
      .type = PJRT_Buffer_Type_F32, .dims = other, .num_dims = 1,
      .device = deviceOf(0));
  waitFor(wrong.done_with_host_buffer);
  expectError(CALL(Client_FulfillAliasBuffer, .client = client,
                   .buffer = wrong.buffer,
                   .fulfill_alias_buffer_cb = alias.fulfill_alias_buffer_cb),
              INVALID, "tensor<6xf32>, must be tensor<2x3xf32>");
  expectOk(CALL(Client_FulfillAliasBuffer, .client = client,
                .status_code = PJRT_Error_Code_DATA_LOSS,
                .error_message = "lost", .error_message_size = 4,
                .fulfill_alias_buffer_cb = alias.fulfill_alias_buffer_cb));
  expectFailure(alias.alias_buffer, PJRT_Error_Code_DATA_LOSS, "lost");
  expectFailure(result, PJRT_Error_Code_DATA_LOSS, "lost");
  destroy(wrong.buffer);
  destroy(result);
  destroy(alias.alias_buffer);
  expectOk(CALL(LoadedExecutable_Destroy, .executable = loaded));
}

//===----------------------------------------------------------------------===//
// Donation with a dependency
//===----------------------------------------------------------------------===//

static void keep(const PJRT_Buffer_DonateWithControlDependency_Args *donated,
                 PJRT_Error_Code code, const char *message) {
  PJRT_Buffer_DonateWithControlDependency_Callback_Args args = {
      .struct_size = sizeof args,
      .callback_data = donated->callback_data,
      .error_code = code,
      .error_message = message,
      .error_message_size = strlen(message)};
  donated->dependency_ready_callback(&args);
}

static void donationsWait(void **state) {
  PJRT_LoadedExecutable *loaded = compileDoubled();
  PJRT_Buffer *buffer = put(values, 0);
  GET(donated, Buffer_DonateWithControlDependency, .buffer = buffer);
  GET(deleted, Buffer_IsDeleted, .buffer = buffer);
  assert_true(deleted.is_deleted);
  expectError(CALL(Buffer_DonateWithControlDependency, .buffer = buffer),
              INVALID, "deleted");
  PJRT_Buffer *twice = ask(loaded, donated.out_buffer);
  assert_false(isReady(donated.out_buffer));
  assert_false(isReady(twice));
  keep(&donated, PJRT_Error_Code_OK, "");
  expectFactor(donated.out_buffer, 1);
  expectFactor(twice, 2);
  GET(failed, Buffer_DonateWithControlDependency, .buffer = twice);
  keep(&failed, PJRT_Error_Code_DATA_LOSS, "no more");
  expectFailure(failed.out_buffer, PJRT_Error_Code_DATA_LOSS, "no more");
  destroy(failed.out_buffer);
  destroy(donated.out_buffer);
  destroy(buffer);
  destroy(twice);
  expectOk(CALL(LoadedExecutable_Destroy, .executable = loaded));
}

/// A client that ends does what waited before.
static void clientsFinish(void **state) {
  PJRT_Client_Create_Args own = {.struct_size = sizeof own};
  expectOk(api->PJRT_Client_Create(&own));
  PJRT_Client *before = client;
  client = own.client;
  PJRT_LoadedExecutable *loaded = compileDoubled();
  PJRT_Buffer *buffer = put(values, 0);
  GET(donated, Buffer_DonateWithControlDependency, .buffer = buffer);
  PJRT_Buffer *twice = ask(loaded, donated.out_buffer);
  GET(ready, Buffer_ReadyEvent, .buffer = twice);
  destroy(twice);
  destroy(buffer);
  destroy(donated.out_buffer);
  expectOk(CALL(LoadedExecutable_Destroy, .executable = loaded));
  keep(&donated, PJRT_Error_Code_OK, "");
  expectOk(CALL(Client_Destroy, .client = client));
  client = before;
  GET(isThere, Event_IsReady, .event = ready.event);
  assert_true(isThere.is_ready);
  waitFor(ready.event);
}

int main(void) {
  static const struct CMUnitTest tests[] = {
      cmocka_unit_test(partsArrive),
      cmocka_unit_test(partsAreChecked),
      cmocka_unit_test(threadsFill),
      cmocka_unit_test(aliasesAreFulfilled),
      cmocka_unit_test(aliasesThatNobodyFulfils),
      cmocka_unit_test(aliasesFail),
      cmocka_unit_test(donationsWait),
      cmocka_unit_test(clientsFinish),
  };
  return cmocka_run_group_tests(tests, pjrtSetUp, pjrtTearDown);
}
