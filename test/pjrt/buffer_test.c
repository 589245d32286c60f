//===- buffer_test.c - Buffers of the plugin ------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "support.h"

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
  waitFor(ready.event);
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
  waitFor(made.done_with_host_buffer);
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
  waitFor(read.event);
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
  waitFor(raw.event);
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
  waitFor(later.event);
  assert_memory_equal(got, values + 3, sizeof got);
}

int main(void) {
  static const struct CMUnitTest tests[] = {
      cmocka_unit_test(buffersKeepValues), cmocka_unit_test(buffersHaveLayouts),
      cmocka_unit_test(buffersAreChecked), cmocka_unit_test(buffersAreDeleted),
      cmocka_unit_test(failuresAreValues), cmocka_unit_test(memoryIsShared),
      cmocka_unit_test(viewsEnd),          cmocka_unit_test(partsAreRead),
  };
  return cmocka_run_group_tests(tests, pjrtSetUp, pjrtTearDown);
}
