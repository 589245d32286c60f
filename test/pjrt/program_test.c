//===- program_test.c - Programs of the plugin ----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "support.h"

#include "xlac/pjrt/callback.h"

static void programsRun(void **state) {
  PJRT_LoadedExecutable *loaded;
  expectOk(
      compile(doubled, strlen(doubled), onDevice1, sizeof onDevice1, &loaded));
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

static const PJRT_Extension_Base *find(PJRT_Extension_Type type) {
  const PJRT_Extension_Base *extension = api->extension_start;
  while (extension && extension->type != type)
    extension = extension->next;
  assert_non_null(extension);
  return extension;
}
#define EXTENSION(name)                                                        \
  ((const PJRT_##name##_Extension *)find(PJRT_Extension_Type_##name))
#define GET_OF(extension, args, name, ...)                                     \
  PJRT_##extension##_##name##_Args args = {.struct_size = sizeof args,         \
                                           __VA_ARGS__};                       \
  expectOk(EXTENSION(extension)->PJRT_##extension##_##name(&args))

/// Of one device no parts are told.
static void argumentsHaveLayouts(void **state) {
  PJRT_LoadedExecutable *loaded;
  expectOk(compile(doubled, strlen(doubled), NULL, 0, &loaded));
  GET(got, LoadedExecutable_GetExecutable, .loaded_executable = loaded);
  GET_OF(Layouts, in, PJRT_Executable_GetParameterLayouts,
         .executable = got.executable);
  assert_int_equal(in.num_parameters, 1);
  GET_OF(Layouts, text, MemoryLayout_Serialize, .layout = in.layouts[0]);
  assert_int_equal(text.serialized_bytes_size, 5);
  assert_memory_equal(text.serialized_bytes, "{1,0}", 5);
  text.serialized_layout_deleter(text.serialized_layout);
  GET_OF(Shardings, parts, PJRT_Executable_ParameterShardings,
         .executable = got.executable);
  assert_int_equal(parts.num_parameters, 1);
  assert_null(parts.shardings);
  assert_null(parts.sharding_sizes);
  expectOk(CALL(Executable_Destroy, .executable = got.executable));
  expectOk(CALL(LoadedExecutable_Destroy, .executable = loaded));
}

static PJRT_Error *runOn(PJRT_LoadedExecutable *loaded, PJRT_Buffer *input,
                         PJRT_Buffer **output) {
  PJRT_ExecuteOptions options = {.struct_size = sizeof options};
  PJRT_Buffer *const *const inputs[] = {&input};
  PJRT_Buffer **const outputs[] = {output};
  return CALL(LoadedExecutable_Execute, .executable = loaded,
              .options = &options, .argument_lists = inputs, .num_devices = 1,
              .num_args = 1, .output_lists = outputs);
}

/// A matrix is put into columns, doubled there, and only there.
static void arraysLieInColumns(void **state) {
  static const char columns[] =
      "func.func @main(%x: tensor<2x3xf32>) -> (tensor<2x3xf32> "
      "{mhlo.layout_mode = \"{0,1}\"}) { return %x : tensor<2x3xf32> }";
  static const char both[] =
      "func.func @main(%x: tensor<2x3xf32> {mhlo.layout_mode = \"{0,1}\"})"
      "    -> (tensor<2x3xf32> {mhlo.layout_mode = \"{0,1}\"}) {"
      "  %y = stablehlo.add %x, %x : tensor<2x3xf32>"
      "  return %y : tensor<2x3xf32> }";
  static const float stored[] = {2, 8, 4, 10, 6, 12};
  static const float doubledValues[] = {2, 4, 6, 8, 10, 12};
  float got[6];
  PJRT_LoadedExecutable *put01, *twice;
  PJRT_Buffer *x = put((const float[]){1, 2, 3, 4, 5, 6}, 0), *y, *z;
  expectOk(compile(columns, strlen(columns), NULL, 0, &put01));
  expectOk(compile(both, strlen(both), NULL, 0, &twice));
  expectError(runOn(twice, x, &y), INVALID, "argument 0 has another layout");
  expectOk(runOn(put01, x, &y));
  expectError(runOn(put01, y, &z), INVALID, "argument 0 has another layout");
  expectOk(runOn(twice, y, &z));
  GET(shape, Buffer_Dimensions, .buffer = z);
  assert_int_equal(shape.dims[0], 2);
  assert_int_equal(shape.dims[1], 3);
  GET(order, Buffer_GetMemoryLayout, .buffer = z);
  assert_int_equal(order.layout.tiled.minor_to_major[0], 0);
  GET_OF(Layouts, layout, PJRT_Buffer_MemoryLayout, .buffer = z);
  GET_OF(Layouts, text, MemoryLayout_Serialize, .layout = layout.layout);
  assert_memory_equal(text.serialized_bytes, "{0,1}", 5);
  text.serialized_layout_deleter(text.serialized_layout);
  GET_OF(Layouts, none, MemoryLayout_Destroy, .layout = layout.layout);
  // Without a layout the host's is the buffer's.
  GET(raw, Buffer_ToHostBuffer, .src = z, .dst = got, .dst_size = sizeof got);
  waitFor(raw.event);
  assert_memory_equal(got, stored, sizeof got);
  const int64_t rows[] = {1, 0};
  PJRT_Buffer_MemoryLayout rowMajor = {
      .struct_size = sizeof rowMajor,
      .tiled = {.minor_to_major = rows, .minor_to_major_size = 2},
      .type = PJRT_Buffer_MemoryLayout_Type_Tiled};
  GET(read, Buffer_ToHostBuffer, .src = z, .host_layout = &rowMajor, .dst = got,
      .dst_size = sizeof got);
  waitFor(read.event);
  assert_memory_equal(got, doubledValues, sizeof got);
  destroy(x);
  destroy(y);
  destroy(z);
  expectOk(CALL(LoadedExecutable_Destroy, .executable = put01));
  expectOk(CALL(LoadedExecutable_Destroy, .executable = twice));
}

static void layoutsThatAreNone(void **state) {
  static const char *const wrong[] = {
      "{0}", "{0,1,2}", "{0,0}", "{0,2}",  "{0,}",  "{1,0:T(8)}",
      "{",   "column",  "",      "{-1,0}", "{0 1}", "{99999999999,0}"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    char text[300];
    PJRT_LoadedExecutable *loaded;
    int size = snprintf(text, sizeof text,
                        "func.func @main(%%x: tensor<2x3xf32> "
                        "{mhlo.layout_mode = \"%s\"}) -> tensor<2x3xf32> "
                        "{ return %%x : tensor<2x3xf32> }",
                        wrong[i]);
    expectError(compile(text, (size_t)size, NULL, 0, &loaded),
                PJRT_Error_Code_UNIMPLEMENTED, "no order of its dimensions");
  }
}

/// Programs whose last operations are wrong, where the compiler is to choose
/// how their results lie.
static void layoutsOfWrongProgramsAreNotChosen(void **state) {
  static const char *const bodies[] = {
      "\"stablehlo.return\"() : () -> ()",
      "\"stablehlo.return\"(%z) : (tensor<3x2x1xf32>) -> ()",
      "%y:2 = \"stablehlo.add\"(%x, %x) : (tensor<2x3xf32>, tensor<2x3xf32>)"
      " -> (tuple<>, tensor<2x3xf32>) return %y#1 : tensor<2x3xf32>",
      "%y = \"stablehlo.transpose\"() {permutation = array<i64: 0, 1>}"
      " : () -> tensor<2x3xf32> return %y : tensor<2x3xf32>",
      "%y = \"stablehlo.transpose\"(%z) {permutation = array<i64: 1, 0>}"
      " : (tensor<3x2x1xf32>) -> tensor<2x3xf32> return %y : tensor<2x3xf32>",
      "%y = \"stablehlo.transpose\"(%s) {permutation = array<i64: 1, 0>}"
      " : (tensor<f32>) -> tensor<2x3xf32> return %y : tensor<2x3xf32>",
  };
  static const char *const errors[] = {"does not end with its results",
                                       "does not end with its results",
                                       "has 2 results",
                                       "[arity]",
                                       "[transpose_c2]",
                                       "[transpose_c2]"};
  for (size_t i = 0; i < sizeof bodies / sizeof *bodies; ++i) {
    char text[600];
    PJRT_LoadedExecutable *loaded;
    int size = snprintf(text, sizeof text,
                        "func.func @main(%%x: tensor<2x3xf32>, "
                        "%%z: tensor<3x2x1xf32> "
                        "{mhlo.layout_mode = \"{0,1,2}\"}, %%s: tensor<f32>) "
                        "-> (tensor<2x3xf32> {mhlo.layout_mode = \"auto\"}) "
                        "{ %s }",
                        bodies[i]);
    expectError(compile(text, (size_t)size, NULL, 0, &loaded), INVALID,
                errors[i]);
  }
}

/// Rows on devices 0 and 1, and the other way round, as OpSharding: a type,
/// dimensions, devices.
static void expectShardings(PJRT_LoadedExecutable *loaded) {
  static const char rows[] = {8, 3, 0x1a, 2, 2, 1, 0x22, 2, 0, 1};
  static const char swapped[] = {8, 3, 0x1a, 2, 2, 1, 0x22, 2, 1, 0};
  GET(got, LoadedExecutable_GetExecutable, .loaded_executable = loaded);
  GET_OF(Shardings, in, PJRT_Executable_ParameterShardings,
         .executable = got.executable);
  GET_OF(Shardings, out, PJRT_Executable_OutputShardings,
         .executable = got.executable);
  assert_int_equal(in.num_parameters, 1);
  assert_int_equal(in.sharding_sizes[0], sizeof rows);
  assert_memory_equal(in.shardings[0], rows, sizeof rows);
  assert_int_equal(out.num_outputs, 1);
  assert_int_equal(out.sharding_sizes[0], sizeof swapped);
  assert_memory_equal(out.shardings[0], swapped, sizeof swapped);
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
  expectShardings(loaded);
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
    waitFor(events[d]);
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

/// Where no result has the size of what is donated, and where there is no
/// result at all.
static void donationsForNothing(void **state) {
  static const char *const programs[] = {
      "func.func @main(%x: tensor<4x3xf32> {mhlo.sharding = "
      "\"{devices=[2,1]<=[2]}\", jax.buffer_donor = true}) -> (tensor<4x3xf32> "
      "{mhlo.sharding = \"{replicated}\"}) {\n"
      "  return %x : tensor<4x3xf32>\n"
      "}\n",
      "func.func @main(%x: tensor<4x3xf32> {mhlo.sharding = "
      "\"{devices=[2,1]<=[2]}\", jax.buffer_donor = true}) {\n"
      "  return\n"
      "}\n"};
  static const char partitions[] = {0x1a, 2, 0x28, 2};
  for (int p = 0; p < 2; ++p) {
    PJRT_LoadedExecutable *loaded;
    expectOk(compile(programs[p], strlen(programs[p]), partitions,
                     sizeof partitions, &loaded));
    GET(got, LoadedExecutable_GetExecutable, .loaded_executable = loaded);
    GET_OF(Shardings, shardings, PJRT_Executable_OutputShardings,
           .executable = got.executable);
    // As of an empty tuple in XLA.
    assert_int_equal(shardings.num_outputs, 1);
    assert_int_equal(shardings.sharding_sizes[0], 0);
    expectOk(CALL(Executable_Destroy, .executable = got.executable));
    PJRT_Buffer *in[2] = {put(values, 0), put(values, 1)}, *out[2];
    PJRT_Buffer *const *inputs[2] = {&in[0], &in[1]};
    PJRT_Buffer **outputs[2] = {&out[0], &out[1]};
    expectOk(CALL(LoadedExecutable_Execute, .executable = loaded,
                  .argument_lists = inputs, .num_devices = 2, .num_args = 1,
                  .output_lists = outputs));
    for (int d = 0; d < 2; ++d) {
      GET(deleted, Buffer_IsDeleted, .buffer = in[d]);
      assert_false(deleted.is_deleted);
      destroy(in[d]);
      if (p == 0)
        destroy(out[d]);
    }
    expectOk(CALL(LoadedExecutable_Destroy, .executable = loaded));
  }
}

/// What programs said to the function that is number 7.
static char heard[200];

static int hear(uint64_t number, intptr_t nOperands,
                const void *const *operands, const size_t *operandSizes,
                const int64_t *const *operandDims, intptr_t nResults,
                void *const *results, const size_t *resultSizes, char *error,
                size_t size) {
  if (number != 7 || nOperands != 1 || nResults ||
      operandDims[0][0] != (int64_t)operandSizes[0]) {
    snprintf(error, size, "number %d is not known", (int)number);
    return 1;
  }
  strncat(heard, operands[0], operandSizes[0]);
  return 0;
}

/// A program of two devices that asks how something lies.
static PJRT_Error *ask(const char *what, PJRT_LoadedExecutable **loaded) {
  static const char partitions[] = {0x1a, 2, 0x28, 2};
  char program[1000];
  int size = snprintf(
      program, sizeof program,
      "func.func @main(%%x: tensor<4x3xf32> {mhlo.sharding = "
      "\"{devices=[2,1]<=[2]}\"}) -> tensor<3x4xf32> {\n"
      "  %%y = stablehlo.transpose %%x, dims = [1, 0] : (tensor<4x3xf32>) -> "
      "tensor<3x4xf32>\n"
      "  %%c = stablehlo.constant dense<1> : tensor<i32>\n"
      "  %s\n"
      "  return %%y : tensor<3x4xf32>\n"
      "}\n",
      what);
  return compile(program, (size_t)size, partitions, sizeof partitions, loaded);
}

#define ASK(number, of, type)                                                  \
  "stablehlo.custom_call @xlac_inspect_sharding(" of ") {backend_config = "    \
  "\"" number "\", has_side_effect = true} : (" type ") -> ()\n"

static void programsSayHowArraysLie(void **state) {
  static const char *const all = ASK("7", "%y", "tensor<3x4xf32>")
      ASK("7", "%c", "tensor<i32>") ASK("7", "%x", "tensor<4x3xf32>");
  PJRT_LoadedExecutable *loaded;
  expectError(ask(all, &loaded), PJRT_Error_Code_INTERNAL, "not there");
  xlaPythonSetCallback(hear);
  expectOk(ask(all, &loaded));
  expectOk(CALL(LoadedExecutable_Destroy, .executable = loaded));
  assert_string_equal(heard, "{devices=[1,2]0,1}{replicated}"
                             "{devices=[2,1]0,1}");
  expectError(ask(ASK("8", "%c", "tensor<i32>"), &loaded),
              PJRT_Error_Code_INTERNAL, "number 8 is not known");
  expectError(ask(ASK("7x", "%c", "tensor<i32>"), &loaded),
              PJRT_Error_Code_INTERNAL, "not there");
  expectError(ask(ASK("7", "", ""), &loaded), INVALID, "one operand");
  xlaPythonSetCallback(NULL);
}

static void programsAreChecked(void **state) {
  PJRT_LoadedExecutable *loaded;
  static const char wrong[] = "func.func @main() { return %x : f32 }";
  expectError(compile(wrong, sizeof wrong - 1, NULL, 0, &loaded), INVALID,
              "undeclared");
  expectError(compile("", 0, NULL, 0, &loaded), INVALID, "");
  expectError(compile(doubled, strlen(doubled), "\xff", 1, &loaded), INVALID,
              "CompileOptionsProto");
  static const char partitions[] = {0x1a, 2, 0x28, 3}, far[] = {0x1a, 2, 8, 9};
  expectError(
      compile(doubled, strlen(doubled), partitions, sizeof partitions, &loaded),
      INVALID, "device 2; there are 2");
  expectError(compile(doubled, strlen(doubled), far, sizeof far, &loaded),
              INVALID, "device 9");
  expectOk(compile(doubled, strlen(doubled), NULL, 0, &loaded));
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

int main(void) {
  static const struct CMUnitTest tests[] = {
      cmocka_unit_test(programsRun),
      cmocka_unit_test(argumentsHaveLayouts),
      cmocka_unit_test(arraysLieInColumns),
      cmocka_unit_test(layoutsThatAreNone),
      cmocka_unit_test(layoutsOfWrongProgramsAreNotChosen),
      cmocka_unit_test(programsHaveSeveralDevices),
      cmocka_unit_test(donationsForNothing),
      cmocka_unit_test(programsSayHowArraysLie),
      cmocka_unit_test(programsAreChecked),
  };
  return cmocka_run_group_tests(tests, pjrtSetUp, pjrtTearDown);
}
