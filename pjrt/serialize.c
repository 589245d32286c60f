//===- serialize.c - Executables as bytes ---------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bytes are the program as it was given, its options, and machine code. Who
// loads them compiles again, which checks everything, up to where LLVM would
// begin: if that would get what the code was made of, the code takes its place.
//
// Code is run, so that it is not taken from strangers: the bytes are
// authenticated with a secret of the user's (runtime/folder.h). Without it, or
// if it is another one's, the code is left out, and LLVM makes it again.
//
// A line for the version, which ends with a newline; a header; then the
// program, the options and the code.
//
//===----------------------------------------------------------------------===//

#include "xlac/pjrt/internal.h"

#include "xlac/dialect/mlir-c-ext/hash.h"
#include "xlac/runtime/folder.h"

#include <stdlib.h>
#include <string.h>

typedef struct Header {
  uint64_t programSize, optionsSize, codeSize;
  uint64_t hash;      ///< of program and options: finds damage
  uint8_t code[32];   ///< what the code was made of
  uint8_t sealed[32]; ///< authenticates all of it
} Header;
_Static_assert(sizeof(Header) == 96, "no padding: is hashed");
_Static_assert(XLA_USER_KEY_BYTES == (int)MLIR_EXT_HASH_BYTES, "a key of HMAC");

static uint64_t hashOf(const char *program, size_t programSize,
                       const char *options, size_t optionsSize) {
  uint64_t hash = xlaPjrtHash(XLA_PJRT_HASH, program, programSize);
  return xlaPjrtHash(hash, options, optionsSize);
}

/// What the header's `sealed` must be; false without a secret.
static bool seal(const Header *header, const char *rest, uint8_t *sealed) {
  uint8_t key[XLA_USER_KEY_BYTES];
  if (!xlaUserKey(key))
    return false;
  MlirExtBytes pieces[] = {
      {xlaPjrtVersion(), strlen(xlaPjrtVersion())},
      {header, offsetof(Header, sealed)},
      {rest, header->programSize + header->optionsSize + header->codeSize}};
  mlirExtHmacSha256(key, sizeof pieces / sizeof *pieces, pieces, sealed);
  explicit_bzero(key, sizeof key);
  return true;
}

static void deleteBytes(PJRT_SerializedExecutable *bytes) { free(bytes); }

PJRT_Error *xlaPjrt_Executable_Serialize(PJRT_Executable_Serialize_Args *args) {
  const PJRT_Executable *e = args->executable;
  const char *version = xlaPjrtVersion();
  size_t line = strlen(version) + 1;
  Header header = {
      .programSize = e->programSize,
      .optionsSize = e->optionsSize,
      .codeSize = e->code.data ? e->code.size : 0,
      .hash = hashOf(e->program, e->programSize, e->options, e->optionsSize)};
  memcpy(header.code, e->code.hash, sizeof header.code);
  size_t size =
      line + sizeof header + e->programSize + e->optionsSize + header.codeSize;
  char *bytes = malloc(size);
  if (!bytes)
    return xlaPjrtNoMemory();
  memcpy(bytes, version, line - 1);
  bytes[line - 1] = '\n';
  char *rest = bytes + line + sizeof header, *code = rest + e->programSize;
  memcpy(rest, e->program, e->programSize);
  memcpy(code, e->options, e->optionsSize);
  code += e->optionsSize;
  if (header.codeSize)
    memcpy(code, e->code.data, header.codeSize);
  if (!seal(&header, rest, header.sealed)) { // nobody could trust the code
    size -= header.codeSize;
    header.codeSize = 0;
  }
  memcpy(bytes + line, &header, sizeof header);
  args->serialized_bytes = bytes;
  args->serialized_bytes_size = size;
  args->serialized_executable = (PJRT_SerializedExecutable *)bytes;
  args->serialized_executable_deleter = deleteBytes;
  return NULL;
}

/// Reads the header; what follows it is whole then.
static PJRT_Error *readHeader(const char *bytes, size_t size, Header *header,
                              const char **rest) {
  const char *version = xlaPjrtVersion();
  size_t line = strlen(version) + 1;
  if (size < line + sizeof *header || memcmp(bytes, version, line - 1) != 0 ||
      bytes[line - 1] != '\n')
    return xlaPjrtInvalid("the bytes are no executable of %s", version);
  memcpy(header, bytes + line, sizeof *header);
  *rest = bytes + line + sizeof *header;
  size -= line + sizeof *header;
  if (header->programSize > size ||
      header->optionsSize > size - header->programSize ||
      header->codeSize != size - header->programSize - header->optionsSize ||
      header->hash != hashOf(*rest, header->programSize,
                             *rest + header->programSize, header->optionsSize))
    return xlaPjrtError(PJRT_Error_Code_DATA_LOSS,
                        "the bytes of the executable are damaged");
  return NULL;
}

/// Whether a process of this user has written all of it.
static bool isOurs(const Header *header, const char *rest) {
  uint8_t sealed[32], differences = 0;
  if (!header->codeSize || !seal(header, rest, sealed))
    return false;
  for (size_t i = 0; i < sizeof sealed; ++i) // in the same time for all
    differences |= sealed[i] ^ header->sealed[i];
  return differences == 0;
}

PJRT_Error *xlaPjrt_Executable_DeserializeAndLoad(
    PJRT_Executable_DeserializeAndLoad_Args *args) {
  const char *bytes = args->serialized_executable, *program;
  Header header;
  XLA_PJRT_RETURN_IF_ERROR(readHeader(
      bytes, bytes ? args->serialized_executable_size : 0, &header, &program));
  const char *options = program + header.programSize;
  XlaKeptCode kept = {.data = options + header.optionsSize,
                      .size = header.codeSize};
  memcpy(kept.hash, header.code, sizeof kept.hash);
  size_t optionsSize = header.optionsSize;
  if (args->overridden_serialized_compile_options) {
    options = args->overridden_serialized_compile_options;
    optionsSize = args->overridden_serialized_compile_options_size;
  }
  return xlaPjrtCompile(args->client, program, header.programSize, options,
                        optionsSize, isOurs(&header, program) ? &kept : NULL,
                        &args->loaded_executable);
}
