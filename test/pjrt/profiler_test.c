//===- profiler_test.c - The extension for profilers ----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "support.h"

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
  assert_non_null(extension);
  while (extension->type != PJRT_Extension_Type_Profiler) {
    extension = extension->next;
    assert_non_null(extension);
  }
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
  expectOk(
      compile(doubled, strlen(doubled), onDevice1, sizeof onDevice1, &loaded));
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
      cmocka_unit_test(profilersCollect),
  };
  return cmocka_run_group_tests(tests, pjrtSetUp, pjrtTearDown);
}
