//===- memory.c - What arrays lie in --------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/client/internal.h"

#include <stdlib.h>

XlaStatus xlaMemoryCreate(XlaClient *client, size_t bytes, XlaMemory **memory) {
  *memory = NULL;
  XlaMemory *made = calloc(1, sizeof *made);
  if (!made)
    return xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY, "no memory for an array");
  atomic_init(&made->references, 1);
  atomic_init(&made->holds, 0);
  made->client = client;
  made->bytes = bytes;
  XlaStatus status = client->kind->allocate(client, bytes, &made->data);
  if (status && xlaClientReleaseAllRuns(client)) {
    xlaStatusDestroy(status);
    status = client->kind->allocate(client, bytes, &made->data);
  }
  if (status)
    free(made);
  else
    *memory = made;
  return status;
}

XlaMemory *xlaMemoryRetain(XlaMemory *memory) {
  atomic_fetch_add_explicit(&memory->references, 1, memory_order_relaxed);
  return memory;
}

void xlaMemoryRelease(XlaMemory *memory) {
  if (!memory || atomic_fetch_sub(&memory->references, 1) != 1)
    return;
  if (!memory->isForeign)
    memory->client->kind->free(memory->client, memory->data);
  if (memory->release)
    memory->release(memory->user);
  free(memory);
}

bool xlaMemoryIsWritable(const XlaMemory *memory) {
  return (!memory->isForeign || memory->isGiven) &&
         atomic_load(&memory->holds) == 0;
}
