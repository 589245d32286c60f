//===- shardings.c - The extension for shardings --------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the parts of arguments and results lie, as XLA's OpSharding; numbers of
// fields are those of xla/xla_data.proto. Callers that do not ask read the
// program to know it (analysis.c).
//
//===----------------------------------------------------------------------===//

#include "xlac/pjrt/bytes.h"
#include "xlac/pjrt/internal.h"

#include <stdlib.h>
#include <string.h>

enum {
  SHARDING_TYPE = 1,
  SHARDING_DIMENSIONS = 3,
  SHARDING_DEVICES = 4,
  SHARDING_REPLICATE_ON_LAST_TILE_DIM = 6,
  SHARDING_LAST_TILE_DIMS = 8,
  TYPE_REPLICATED = 0,
  TYPE_OTHER = 3,
  TYPE_UNREDUCED = 6,
};

void xlaPjrtShardingsDestroy(XlaPjrtShardings *shardings) {
  for (size_t i = 0; shardings->bytes && i < shardings->n; ++i)
    free(shardings->bytes[i]);
  free(shardings->bytes);
  free(shardings->sizes);
  *shardings = (XlaPjrtShardings){0};
}

static bool accept(const char **text, const char *word) {
  size_t size = strlen(word);
  if (strncmp(*text, word, size) != 0)
    return false;
  *text += size;
  return true;
}

/// Numbers and commas, as packed numbers.
static bool readNumbers(const char **text, XlaPjrtBytes *numbers) {
  do {
    char *end;
    long long number = strtoll(*text, &end, 10);
    if (end == *text || number < 0)
      return false;
    xlaPjrtBytesVarint(numbers, (uint64_t)number);
    *text = end;
  } while (accept(text, ","));
  return true;
}

/// "{devices=[2,1,2]0,1,2,3 last_tile_dim_replicate}" of XlaPartition, or of
/// partial sums "last_tile_dims={unreduced, replicated}", "{unreduced}"; false
/// for any other text but "{replicated}", which is no bytes at all.
static bool writeSharding(const char *text, XlaPjrtBytes *bytes) {
  if (!strcmp(text, "{replicated}"))
    return true;
  if (!strcmp(text, "{unreduced}")) {
    xlaPjrtBytesNumber(bytes, SHARDING_TYPE, TYPE_UNREDUCED);
    return !bytes->failed;
  }
  XlaPjrtBytes dimensions = {0}, devices = {0};
  bool isRead = accept(&text, "{devices=[") &&
                readNumbers(&text, &dimensions) && accept(&text, "]") &&
                readNumbers(&text, &devices);
  xlaPjrtBytesNumber(bytes, SHARDING_TYPE, TYPE_OTHER);
  xlaPjrtBytesMessage(bytes, SHARDING_DIMENSIONS, &dimensions);
  xlaPjrtBytesMessage(bytes, SHARDING_DEVICES, &devices);
  if (isRead && accept(&text, " last_tile_dim_replicate"))
    xlaPjrtBytesNumber(bytes, SHARDING_REPLICATE_ON_LAST_TILE_DIM, 1);
  if (isRead && accept(&text, " last_tile_dims={unreduced")) {
    XlaPjrtBytes kinds = {0};
    xlaPjrtBytesVarint(&kinds, TYPE_UNREDUCED);
    if (accept(&text, ", replicated"))
      xlaPjrtBytesVarint(&kinds, TYPE_REPLICATED);
    isRead = accept(&text, "}");
    xlaPjrtBytesMessage(bytes, SHARDING_LAST_TILE_DIMS, &kinds);
  }
  return isRead && !strcmp(text, "}") && !bytes->failed;
}

PJRT_Error *xlaPjrtShardingsWrite(intptr_t n, char *const *texts,
                                  XlaPjrtShardings *shardings) {
  shardings->n = (size_t)n;
  shardings->bytes = calloc((size_t)n + 1, sizeof *shardings->bytes);
  shardings->sizes = calloc((size_t)n + 1, sizeof *shardings->sizes);
  if (!shardings->bytes || !shardings->sizes)
    return xlaPjrtNoMemory();
  for (intptr_t i = 0; i < n; ++i) {
    XlaPjrtBytes bytes = {0};
    bool isWritten = writeSharding(texts[i], &bytes);
    shardings->bytes[i] = (char *)bytes.data;
    shardings->sizes[i] = bytes.size;
    if (bytes.failed)
      return xlaPjrtNoMemory();
    if (!isWritten)
      return xlaPjrtUnimplemented("the sharding %.100s cannot be written as an "
                                  "OpSharding",
                                  texts[i]);
  }
  return NULL;
}

PJRT_Error *xlaPjrt_PJRT_Executable_ParameterShardings(
    PJRT_Shardings_PJRT_Executable_ParameterShardings_Args *args) {
  const PJRT_Executable *e = args->executable;
  args->num_parameters = e->nInputs;
  args->shardings = (const char *const *)e->inputShardings.bytes;
  args->sharding_sizes = e->inputShardings.sizes;
  return NULL;
}

/// An empty tuple has one, as in XLA: that of something on all devices, which
/// is no bytes at all.
PJRT_Error *xlaPjrt_PJRT_Executable_OutputShardings(
    PJRT_Shardings_PJRT_Executable_OutputShardings_Args *args) {
  const PJRT_Executable *e = args->executable;
  args->num_outputs = e->nOutputs ? e->nOutputs : 1;
  args->shardings = (const char *const *)e->outputShardings.bytes;
  args->sharding_sizes = e->outputShardings.sizes;
  return NULL;
}
