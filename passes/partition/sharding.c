//===- sharding.c - Where the parts of an array lie -----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/partition/sharding_text.h"

#include <stdlib.h>
#include <string.h>

XlaSharding *xlaShardingCreate(int nDevices, int rank) {
  XlaSharding *made = calloc(1, sizeof *made);
  if (!made)
    return NULL;
  made->nDevices = nDevices;
  made->rank = rank;
  made->nAddends = 1;
  made->coordinates =
      calloc((size_t)nDevices * (size_t)(rank + 1), sizeof *made->coordinates);
  made->addend = calloc((size_t)nDevices, sizeof *made->addend);
  made->copy = calloc((size_t)nDevices, sizeof *made->copy);
  if (!made->coordinates || !made->addend || !made->copy) {
    xlaShardingDestroy(made);
    return NULL;
  }
  for (int d = 0; d < rank; ++d)
    made->tiles[d] = 1;
  for (int i = 0; i < nDevices; ++i)
    made->copy[i] = i;
  return made;
}

void xlaShardingDestroy(XlaSharding *sharding) {
  if (!sharding)
    return;
  free(sharding->coordinates);
  free(sharding->addend);
  free(sharding->copy);
  free(sharding);
}

static bool sameTile(const XlaSharding *s, const int *a, const int *b) {
  return !s->rank || !memcmp(a, b, (size_t)s->rank * sizeof *a);
}

bool xlaShardingIsSamePart(const XlaSharding *s, int a, int b) {
  return s->addend[a] == s->addend[b] &&
         sameTile(s, xlaShardingAt(s, a), xlaShardingAt(s, b));
}

int xlaShardingFind(const XlaSharding *sharding, const int *coordinates,
                    int addend, int copy) {
  for (int i = 0; i < sharding->nDevices; ++i)
    if (sharding->addend[i] == addend && sharding->copy[i] == copy &&
        sameTile(sharding, xlaShardingAt(sharding, i), coordinates))
      return i;
  return -1;
}

/// Parts there are, each as often; 0 if devices do not have as many.
static int countParts(const XlaSharding *s) {
  int64_t n = s->nAddends;
  if (n < 1 || n > s->nDevices)
    return 0;
  for (int d = 0; d < s->rank; ++d) {
    if (s->tiles[d] > s->nDevices / n)
      return 0;
    n *= s->tiles[d];
  }
  return s->nDevices % n ? 0 : (int)n;
}

/// The number of a device's part.
static int partOf(const XlaSharding *s, int device) {
  int part = s->addend[device];
  for (int d = 0; d < s->rank; ++d)
    part = part * (int)s->tiles[d] + xlaShardingAt(s, device)[d];
  return part;
}

XlaShardingResult xlaShardingNumberCopies(XlaSharding *s, const int *places) {
  int nParts = countParts(s), n = s->nDevices;
  if (!nParts)
    return XlaShardingInvalid;
  int *counts = calloc((size_t)nParts + (size_t)n, sizeof *counts);
  if (!counts)
    return XlaShardingNoMemory;
  int *order = counts + nParts;
  for (int i = 0; i < n; ++i)
    order[places ? places[i] : i] = i;
  bool areEven = true;
  for (int k = 0; k < n; ++k) {
    int i = order[k];
    s->copy[i] = counts[partOf(s, i)]++;
    areEven &= s->copy[i] < n / nParts;
  }
  free(counts);
  return areEven ? XlaShardingOk : XlaShardingInvalid;
}

XlaSharding *xlaShardingCompose(int nDevices, int rank,
                                const XlaSharding *const *from,
                                const int *dimensions) {
  XlaSharding *made = xlaShardingCreate(nDevices, rank);
  for (int d = 0; made && d < rank; ++d) {
    if (!from[d] || dimensions[d] >= from[d]->rank)
      continue;
    made->tiles[d] = from[d]->tiles[dimensions[d]];
    memcpy(made->axes[d], from[d]->axes[dimensions[d]], sizeof made->axes[d]);
    for (int i = 0; i < nDevices; ++i)
      xlaShardingAt(made, i)[d] = xlaShardingAt(from[d], i)[dimensions[d]];
  }
  if (made && xlaShardingNumberCopies(made, NULL) == XlaShardingOk)
    return made;
  xlaShardingDestroy(made);
  return NULL;
}

int64_t xlaShardingDivide(const XlaSharding *s, int d, int64_t size) {
  int64_t n = 1;
  if (size % s->tiles[d] == 0)
    return s->tiles[d];
  for (int k = 0; k < XLA_SHARDING_AXES && s->axes[d][k]; ++k) {
    int64_t more = n * s->axes[d][k];
    if (size % more || s->tiles[d] % more)
      break;
    n = more;
  }
  return n;
}

XlaSharding *xlaShardingCoarsen(const XlaSharding *from, int d, int64_t n) {
  const XlaSharding *all[XLA_MAX_RANK];
  int dimensions[XLA_MAX_RANK];
  XlaSharding *made = xlaShardingCreate(from->nDevices, from->rank);
  for (int k = 0; k < from->rank; ++k) {
    all[k] = from;
    dimensions[k] = k;
  }
  if (!made)
    return NULL;
  made->tiles[d] = n;
  memcpy(made->axes[d], from->axes[d], sizeof made->axes[d]);
  for (int i = 0; i < from->nDevices; ++i)
    xlaShardingAt(made, i)[d] =
        (int)(xlaShardingAt(from, i)[d] / (from->tiles[d] / n));
  all[d] = made;
  XlaSharding *composed =
      xlaShardingCompose(from->nDevices, from->rank, all, dimensions);
  xlaShardingDestroy(made);
  return composed;
}

bool xlaShardingIsReplicated(const XlaSharding *sharding) {
  for (int d = 0; d < sharding->rank; ++d)
    if (sharding->tiles[d] != 1)
      return false;
  return sharding->nAddends == 1;
}

bool xlaShardingEqual(const XlaSharding *a, const XlaSharding *b) {
  return a->rank == b->rank && a->nDevices == b->nDevices &&
         a->nAddends == b->nAddends &&
         !memcmp(a->addend, b->addend,
                 (size_t)a->nDevices * sizeof *a->addend) &&
         !memcmp(a->tiles, b->tiles, (size_t)a->rank * sizeof *a->tiles) &&
         !memcmp(a->coordinates, b->coordinates,
                 (size_t)a->nDevices * (size_t)a->rank *
                     sizeof *a->coordinates);
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

bool xlaShardingAccept(XlaShardingText *text, const char *token) {
  while (text->next < text->end && *text->next == ' ')
    ++text->next;
  size_t length = strlen(token);
  if ((size_t)(text->end - text->next) < length ||
      memcmp(text->next, token, length) != 0)
    return false;
  text->next += length;
  return true;
}

bool xlaShardingReadNumber(XlaShardingText *text, int64_t *value) {
  xlaShardingAccept(text, "");
  const char *begin = text->next;
  *value = 0;
  while (text->next < text->end && *text->next >= '0' && *text->next <= '9' &&
         *value <= 1000000)
    *value = 10 * *value + (*text->next++ - '0');
  return text->next != begin && *value <= 1000000;
}
