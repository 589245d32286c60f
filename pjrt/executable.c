//===- executable.c - What is told of executables -------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/pjrt/internal.h"

#include <stdlib.h>
#include <string.h>

PJRT_Error *xlaPjrt_Executable_Destroy(PJRT_Executable_Destroy_Args *args) {
  xlaPjrtExecutableRelease(args->executable);
  return NULL;
}

PJRT_Error *xlaPjrt_LoadedExecutable_GetExecutable(
    PJRT_LoadedExecutable_GetExecutable_Args *args) {
  args->executable = args->loaded_executable->executable;
  atomic_fetch_add(&args->executable->references, 1);
  return NULL;
}

PJRT_Error *xlaPjrt_LoadedExecutable_AddressableDevices(
    PJRT_LoadedExecutable_AddressableDevices_Args *args) {
  args->addressable_devices = args->executable->devices;
  args->num_addressable_devices = args->executable->nDevices;
  return NULL;
}

PJRT_Error *
xlaPjrt_Executable_NumReplicas(PJRT_Executable_NumReplicas_Args *args) {
  args->num_replicas = args->executable->nReplicas;
  return NULL;
}

PJRT_Error *
xlaPjrt_Executable_NumPartitions(PJRT_Executable_NumPartitions_Args *args) {
  args->num_partitions = args->executable->nPartitions;
  return NULL;
}

PJRT_Error *
xlaPjrt_Executable_Fingerprint(PJRT_Executable_Fingerprint_Args *args) {
  args->executable_fingerprint = args->executable->fingerprint;
  args->executable_fingerprint_size = strlen(args->executable_fingerprint);
  return NULL;
}

PJRT_Error *xlaPjrt_LoadedExecutable_Fingerprint(
    PJRT_LoadedExecutable_Fingerprint_Args *args) {
  args->executable_fingerprint = args->executable->executable->fingerprint;
  args->executable_fingerprint_size = strlen(args->executable_fingerprint);
  return NULL;
}

//===----------------------------------------------------------------------===//
// Outputs
//===----------------------------------------------------------------------===//

PJRT_Error *
xlaPjrt_Executable_NumOutputs(PJRT_Executable_NumOutputs_Args *args) {
  args->num_outputs = args->executable->nOutputs;
  return NULL;
}

PJRT_Error *xlaPjrt_Executable_OutputElementTypes(
    PJRT_Executable_OutputElementTypes_Args *args) {
  args->output_types = args->executable->types;
  args->num_output_types = args->executable->nOutputs;
  return NULL;
}

PJRT_Error *xlaPjrt_Executable_OutputDimensions(
    PJRT_Executable_OutputDimensions_Args *args) {
  args->num_outputs = args->executable->nOutputs;
  args->dims = args->executable->dims;
  args->dim_sizes = args->executable->ranks;
  return NULL;
}

PJRT_Error *xlaPjrt_Executable_OutputMemoryKinds(
    PJRT_Executable_OutputMemoryKinds_Args *args) {
  args->num_outputs = args->executable->nOutputs;
  args->memory_kinds = args->executable->memoryKinds;
  args->memory_kind_sizes = args->executable->memoryKindSizes;
  return NULL;
}

//===----------------------------------------------------------------------===//
// Memory and work
//===----------------------------------------------------------------------===//

PJRT_Error *xlaPjrt_Executable_SizeOfGeneratedCodeInBytes(
    PJRT_Executable_SizeOfGeneratedCodeInBytes_Args *args) {
  args->size_in_bytes = args->executable->codeBytes;
  return NULL;
}

PJRT_Error *xlaPjrt_Executable_GetCompiledMemoryStats(
    PJRT_Executable_GetCompiledMemoryStats_Args *args) {
  const PJRT_Executable *e = args->executable;
  args->generated_code_size_in_bytes = e->codeBytes;
  args->argument_size_in_bytes = e->inputBytes;
  args->output_size_in_bytes = e->outputBytes;
  args->alias_size_in_bytes = e->aliasBytes;
  args->temp_size_in_bytes = e->temporaryBytes;
  args->host_generated_code_size_in_bytes = 0;
  args->host_argument_size_in_bytes = 0;
  args->host_output_size_in_bytes = 0;
  args->host_alias_size_in_bytes = 0;
  args->host_temp_size_in_bytes = 0;
  args->peak_memory_in_bytes =
      e->inputBytes + e->outputBytes - e->aliasBytes + e->temporaryBytes;
  args->total_size_in_bytes = args->peak_memory_in_bytes + e->codeBytes;
  return NULL;
}

PJRT_Error *
xlaPjrt_Executable_GetCostAnalysis(PJRT_Executable_GetCostAnalysis_Args *args) {
  XLA_PJRT_RETURN_IF_ERROR(xlaPjrtAnalyse(args->executable));
  args->properties = args->executable->costs;
  args->num_properties =
      sizeof args->executable->costs / sizeof *args->executable->costs;
  return NULL;
}

PJRT_Error *xlaPjrt_Executable_Name(PJRT_Executable_Name_Args *args) {
  args->executable_name = args->executable->name;
  args->executable_name_size = strlen(args->executable_name);
  return NULL;
}

PJRT_Error *xlaPjrt_Executable_OptimizedProgram(
    PJRT_Executable_OptimizedProgram_Args *args) {
  PJRT_Program *program = args->program;
  if (!program)
    return xlaPjrtInvalid("the place for the program is NULL");
  XLA_PJRT_RETURN_IF_ERROR(xlaPjrtAnalyse(args->executable));
  const XlaPjrtAnalysis *analysis = &args->executable->analysis;
  program->format = "mlir";
  program->format_size = 4;
  if (program->code && program->code_size < analysis->optimizedSize)
    return xlaPjrtInvalid("the program has %zu bytes, room is for %zu",
                          analysis->optimizedSize, program->code_size);
  program->code_size = analysis->optimizedSize;
  if (program->code)
    memcpy(program->code, analysis->optimized, analysis->optimizedSize);
  return NULL;
}

static void deleteOptions(PJRT_SerializedCompileOptions *bytes) { free(bytes); }

PJRT_Error *xlaPjrt_Executable_GetCompileOptions(
    PJRT_Executable_GetCompileOptions_Args *args) {
  size_t size = args->executable->optionsSize;
  char *bytes = malloc(size + 1);
  if (!bytes)
    return xlaPjrtNoMemory();
  memcpy(bytes, args->executable->options, size);
  args->serialized_bytes = bytes;
  args->serialized_bytes_size = size;
  args->serialized_compile_options = (PJRT_SerializedCompileOptions *)bytes;
  args->serialized_compile_options_deleter = deleteOptions;
  return NULL;
}
