//===- serialize_test.c - Programs as bytes -------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "support.h"

#include "xlac/dialect/mlir-c-ext/hash.h"
#include "xlac/runtime/folder.h"

#include <sys/stat.h>
#include <unistd.h>

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
  PJRT_Executable_Serialize_Args bytes = serialize(doubled, strlen(doubled));
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

/// No client takes part until it runs.
static void compiledForTopologies(void **state) {
  PJRT_NamedValue count = {.struct_size = sizeof count,
                           .name = "device_count",
                           .name_size = 12,
                           .type = PJRT_NamedValue_kInt64,
                           .int64_value = 1,
                           .value_size = 1};
  GET(small, TopologyDescription_Create, .create_options = &count,
      .num_options = 1);
  count.int64_value = 2;
  GET(found, TopologyDescription_Create, .create_options = &count,
      .num_options = 1);
  PJRT_Program program = {.struct_size = sizeof program,
                          .code = (char *)(uintptr_t)doubled,
                          .code_size = strlen(doubled),
                          .format = "mlir",
                          .format_size = 4};
  expectError(CALL(Compile, .topology = small.topology, .program = &program,
                   .compile_options = onDevice1,
                   .compile_options_size = sizeof onDevice1),
              INVALID, "for device 1; there are 1");
  expectOk(CALL(TopologyDescription_Destroy, .topology = small.topology));
  GET(made, Compile, .topology = found.topology, .program = &program,
      .compile_options = onDevice1, .compile_options_size = sizeof onDevice1);
  expectOk(CALL(TopologyDescription_Destroy, .topology = found.topology));
  GET(bytes, Executable_Serialize, .executable = made.executable);
  PJRT_Program fused = {.struct_size = sizeof fused};
  expectOk(CALL(Executable_OptimizedProgram, .executable = made.executable,
                .program = &fused));
  assert_true(fused.code_size > 0);
  expectOk(CALL(Executable_Destroy, .executable = made.executable));
  expectLoads(bytes.serialized_bytes, bytes.serialized_bytes_size, 2);
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
  PJRT_Executable_Serialize_Args two = serialize(doubled, strlen(doubled));
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
  PJRT_Executable_Serialize_Args none = serialize(doubled, strlen(doubled));
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

int main(void) {
  static const struct CMUnitTest tests[] = {
      cmocka_unit_test(programsAreBytes),
      cmocka_unit_test(compiledForTopologies),
      cmocka_unit_test(codeOfStrangersIsNotRun),
  };
  return cmocka_run_group_tests(tests, pjrtSetUp, pjrtTearDown);
}
