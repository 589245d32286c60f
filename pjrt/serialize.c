//===- serialize.c - Executables as bytes ---------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bytes are the program as it was given, and its options: who loads them
// compiles again. What they save is the work of the framework in front of that.
//
// A line for the version, which ends with a newline; then the sizes of program
// and options and a hash of them, 8 bytes each; then these.
//
//===----------------------------------------------------------------------===//

#include "xlac/pjrt/internal.h"

#include <stdlib.h>
#include <string.h>

typedef struct Header {
  uint64_t programSize, optionsSize, hash;
} Header;

static uint64_t hashOf(const char *program, size_t programSize,
                       const char *options, size_t optionsSize) {
  uint64_t hash = xlaPjrtHash(XLA_PJRT_HASH, program, programSize);
  return xlaPjrtHash(hash, options, optionsSize);
}

static void deleteBytes(PJRT_SerializedExecutable *bytes) { free(bytes); }

PJRT_Error *xlaPjrt_Executable_Serialize(PJRT_Executable_Serialize_Args *args) {
  const PJRT_Executable *e = args->executable;
  const char *version = xlaPjrtVersion();
  size_t line = strlen(version) + 1;
  Header header = {
      e->programSize, e->optionsSize,
      hashOf(e->program, e->programSize, e->options, e->optionsSize)};
  size_t size = line + sizeof header + e->programSize + e->optionsSize;
  char *bytes = malloc(size);
  if (!bytes)
    return xlaPjrtNoMemory();
  char *at = bytes;
  memcpy(at, version, line - 1);
  at[line - 1] = '\n';
  at += line;
  memcpy(at, &header, sizeof header);
  at += sizeof header;
  memcpy(at, e->program, e->programSize);
  memcpy(at + e->programSize, e->options, e->optionsSize);
  args->serialized_bytes = bytes;
  args->serialized_bytes_size = size;
  args->serialized_executable = (PJRT_SerializedExecutable *)bytes;
  args->serialized_executable_deleter = deleteBytes;
  return NULL;
}

PJRT_Error *xlaPjrt_Executable_DeserializeAndLoad(
    PJRT_Executable_DeserializeAndLoad_Args *args) {
  const char *bytes = args->serialized_executable;
  size_t size = bytes ? args->serialized_executable_size : 0;
  const char *version = xlaPjrtVersion();
  size_t line = strlen(version) + 1;
  Header header;
  if (size < line + sizeof header || memcmp(bytes, version, line - 1) ||
      bytes[line - 1] != '\n')
    return xlaPjrtInvalid("the bytes are no executable of %s", version);
  memcpy(&header, bytes + line, sizeof header);
  const char *program = bytes + line + sizeof header;
  size -= line + sizeof header;
  if (header.programSize > size ||
      header.optionsSize != size - header.programSize ||
      header.hash != hashOf(program, header.programSize,
                            program + header.programSize, header.optionsSize))
    return xlaPjrtError(PJRT_Error_Code_DATA_LOSS,
                        "the bytes of the executable are damaged");
  const char *options = program + header.programSize;
  size_t optionsSize = header.optionsSize;
  if (args->overridden_serialized_compile_options) {
    options = args->overridden_serialized_compile_options;
    optionsSize = args->overridden_serialized_compile_options_size;
  }
  return xlaPjrtCompile(args->client, program, header.programSize, options,
                        optionsSize, &args->loaded_executable);
}
