//===- known.c - Elements of memory in registers --------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/affine/nest.h"

#include <stdlib.h>
#include <string.h>

static XlaSchedKnown *find(const XlaSchedNest *nest,
                           const XlaSchedStatement *statement,
                           const XlaSchedAccess *access) {
  for (int i = nest->nKnown; i-- > 0;)
    if (xlaSchedSameAccess(nest->known[i].access,
                           nest->known[i].statement->nDims, access,
                           statement->nDims))
      return &nest->known[i];
  return NULL;
}

static XlaSchedKnown *add(XlaSchedNest *nest,
                          const XlaSchedStatement *statement,
                          const XlaSchedAccess *access,
                          const XlaSchedPack *pack) {
  if (nest->nKnown == nest->knownCapacity) {
    int capacity = 2 * nest->knownCapacity + 16;
    XlaSchedKnown *known =
        realloc(nest->known, (size_t)capacity * sizeof *known);
    if (!known) {
      nest->failed = true;
      return NULL;
    }
    nest->known = known;
    nest->knownCapacity = capacity;
  }
  nest->known[nest->nKnown] = (XlaSchedKnown){statement, access, *pack, false};
  return &nest->known[nest->nKnown++];
}

static void store(XlaSchedNest *nest, XlaSchedKnown *known) {
  known->isDirty = false;
  if (!nest->device->isRegister(nest, NULL, known->access))
    nest->device->store(nest, known->statement, known->access, &known->pack);
}

/// The buffer behind all views.
static MlirValue bufferOf(const XlaSchedAccess *access) {
  return xlaSchedRoot(access->view);
}

/// Stores what is dirty of the buffer, and forgets it if `forgets`.
static void flushBuffer(XlaSchedNest *nest, MlirValue buffer, bool forgets) {
  int kept = 0;
  for (int i = 0; i < nest->nKnown; ++i) {
    bool isSame = mlirValueEqual(bufferOf(nest->known[i].access), buffer);
    if (isSame && nest->known[i].isDirty)
      store(nest, &nest->known[i]);
    if (!isSame || !forgets)
      nest->known[kept++] = nest->known[i];
  }
  nest->nKnown = kept;
}

XlaSchedPack xlaSchedRead(XlaSchedNest *nest,
                          const XlaSchedStatement *statement,
                          const XlaSchedAccess *access) {
  const XlaSchedKnown *known = find(nest, statement, access);
  if (known)
    return known->pack;
  flushBuffer(nest, bufferOf(access), false);
  XlaSchedPack pack = {.n = 1};
  nest->device->load(nest, statement, access, &pack);
  add(nest, statement, access, &pack);
  return pack;
}

void xlaSchedWrite(XlaSchedNest *nest, const XlaSchedStatement *statement,
                   const XlaSchedAccess *access, const XlaSchedPack *pack) {
  XlaSchedKnown *known = find(nest, statement, access);
  if (known) // is overwritten
    known->isDirty = false;
  // Elements of another access may be these.
  flushBuffer(nest, bufferOf(access), true);
  known = add(nest, statement, access, pack);
  if (!known)
    return;
  if (xlaSchedIsInner(nest->group, statement, access)) {
    known->pack.level = 2;
    if (!nest->device->isRegister(nest, nest->cluster, access))
      nest->device->store(nest, statement, access, pack);
    return;
  }
  // Not inside of loops: later statements at this place find it computed.
  known->pack.level = nest->vecShared >= 0 ? 1 : 0;
  known->isDirty = true;
}

void xlaSchedSynchronize(XlaSchedNest *nest, const XlaSchedCluster *cluster) {
  for (int k = 0; k < cluster->nStatements; ++k) {
    const XlaSchedStatement *statement =
        &nest->group->statements[cluster->statements[k]];
    for (int i = 0; i < statement->nIns + statement->nOuts; ++i) {
      const XlaSchedAccess *access = &statement->accesses[i];
      bool isInner = xlaSchedIsInner(nest->group, statement, access);
      if (isInner || !find(nest, statement, access))
        flushBuffer(nest, bufferOf(access), isInner && i >= statement->nIns);
    }
  }
}

void xlaSchedFlush(XlaSchedNest *nest) {
  const XlaSchedGroup *group = nest->group;
  for (int i = 0; i < nest->nKnown; ++i) {
    XlaSchedKnown *known = &nest->known[i];
    MlirValue buffer = bufferOf(known->access);
    if (known->isDirty &&
        !(!nest->flushesAll && xlaSchedIsAlloc(buffer) &&
          xlaSchedIsPrivate(group, NULL, group->nStatements, buffer)))
      store(nest, known);
    known->isDirty = false;
  }
}

void xlaSchedForget(XlaSchedNest *nest, int level) {
  int kept = 0;
  for (int i = 0; i < nest->nKnown; ++i)
    if (nest->known[i].pack.level < level)
      nest->known[kept++] = nest->known[i];
  nest->nKnown = kept;
}
