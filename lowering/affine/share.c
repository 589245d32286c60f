//===- share.c - Dimensions that statements share -------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/pointer_map.h"
#include "xlac/lowering/affine/statement.h"

#include <stdlib.h>

//===----------------------------------------------------------------------===//
// Accesses of the same memory
//===----------------------------------------------------------------------===//

/// Puts the access in front of those that `map` has of its root.
static bool push(XlaPointerMap *map, XlaSchedAccess *access,
                 const XlaSchedAccess **next) {
  const void *root = access->root.ptr;
  *next = (const XlaSchedAccess *)xlaPointerMapGet(map, root);
  return xlaPointerMapSet(map, root, (intptr_t)access);
}

bool xlaSchedLink(XlaSchedStatement *statements, int nStatements) {
  XlaPointerMap all = {0}, writes = {0};
  bool done = true;
  for (int s = nStatements; s-- > 0;)
    for (int i = statements[s].nIns + statements[s].nOuts; i-- > 0;) {
      XlaSchedAccess *access = &statements[s].accesses[i];
      access->statement = s;
      done =
          done && push(&all, access, &access->next) &&
          (i < statements[s].nIns || push(&writes, access, &access->nextWrite));
    }
  for (int s = 0; done && s < nStatements; ++s)
    for (int i = 0; i < statements[s].nIns + statements[s].nOuts; ++i) {
      XlaSchedAccess *access = &statements[s].accesses[i];
      const void *root = access->root.ptr;
      access->first = (const XlaSchedAccess *)xlaPointerMapGet(&all, root);
      access->firstWrite =
          (const XlaSchedAccess *)xlaPointerMapGet(&writes, root);
    }
  xlaPointerMapClear(&all);
  xlaPointerMapClear(&writes);
  return done;
}

//===----------------------------------------------------------------------===//
// Dimensions
//===----------------------------------------------------------------------===//

typedef struct Sharing {
  const XlaSchedStatement *statements;
  int nStatements;
  int *dims; ///< per statement and class: one of these where there is none
  bool alive[XLA_SCHED_MAX_DIMS];
  int64_t blocks; ///< of xlaSchedCountBlocks, of what is written
} Sharing;

enum { unknown = -1, unvisited = -2 };

static bool isVisited(const Sharing *sharing, int s) {
  return sharing->dims[s * XLA_SCHED_MAX_DIMS] != unvisited;
}

static void visit(Sharing *sharing, int s) {
  int *dims = sharing->dims + s * XLA_SCHED_MAX_DIMS;
  for (int c = 0; c < XLA_SCHED_MAX_DIMS; ++c)
    dims[c] = dims[c] == unvisited ? unknown : dims[c];
}

/// The dimension with the largest stride, which no other one has, or -1.
static int outermost(const XlaSchedStatement *statement,
                     const XlaSchedAccess *access) {
  int found = -1;
  int64_t most = 0;
  for (int d = 0; d < statement->nDims; ++d) {
    int64_t stride = llabs(access->strides[d]);
    if (stride >= most)
      found = stride > most ? d : -1;
    most = stride > most ? stride : most;
  }
  return found >= 0 && access->strides[found] > 0 &&
                 !statement->reduction[found]
             ? found
             : -1;
}

/// Whether iterations of the outer dimensions access parts of their own: what
/// one accesses lies before what the next one does.
static bool haveParts(const XlaSchedStatement *s, const XlaSchedAccess *a,
                      int x, const XlaSchedStatement *t,
                      const XlaSchedAccess *b, int y) {
  int64_t lowA, highA, lowB, highB;
  if (x < 0 || y < 0 || a->strides[x] != b->strides[y] ||
      s->sizes[x] != t->sizes[y])
    return false;
  xlaSchedBounds(s, a, UINT64_C(1) << x, &lowA, &highA);
  xlaSchedBounds(t, b, UINT64_C(1) << y, &lowB, &highB);
  return highA - lowB < a->strides[x] && highB - lowA < a->strides[x];
}

/// The same through one buffer of which each iteration of an outer dimension
/// has a part of its own, at other places of that: nothing else is shared.
static void linkParts(Sharing *sharing, int s, int t, int nClasses,
                      const XlaSchedAccess *a, const XlaSchedAccess *b) {
  const XlaSchedStatement *from = &sharing->statements[s],
                          *to = &sharing->statements[t];
  int x = outermost(from, a), y = outermost(to, b);
  bool hasParts = haveParts(from, a, x, to, b, y);
  int *into = sharing->dims + t * XLA_SCHED_MAX_DIMS;
  for (int c = 0; c < nClasses; ++c) {
    if (!sharing->alive[c])
      continue;
    bool isOuter = hasParts && sharing->dims[s * XLA_SCHED_MAX_DIMS + c] == x;
    if (!isOuter || (into[c] >= 0 && into[c] != y))
      sharing->alive[c] = false;
    into[c] = isOuter ? y : unknown;
  }
}

/// Carries the classes known in statement `s` over to statement `t` through one
/// buffer. False: the two must stay in order.
static bool linkThrough(Sharing *sharing, int s, int t, int nClasses,
                        const XlaSchedAccess *a, const XlaSchedAccess *b) {
  const XlaSchedStatement *to = &sharing->statements[t];
  if (a->dynamicOffset || b->dynamicOffset)
    return false;
  if (a->offset != b->offset) {
    if (sharing->blocks > 0)
      linkParts(sharing, s, t, nClasses, a, b);
    return sharing->blocks > 0;
  }
  int *from = sharing->dims + s * XLA_SCHED_MAX_DIMS;
  int *into = sharing->dims + t * XLA_SCHED_MAX_DIMS;
  for (int c = 0; c < nClasses; ++c) {
    if (!sharing->alive[c])
      continue;
    int found = -1;
    for (int d = 0; d < to->nDims; ++d)
      if (!to->reduction[d] && a->strides[from[c]] != 0 &&
          to->sizes[d] == sharing->statements[s].sizes[from[c]] &&
          b->strides[d] == a->strides[from[c]])
        found = d;
    if (found < 0 || (into[c] >= 0 && into[c] != found))
      sharing->alive[c] = false;
    into[c] = found;
  }
  return true;
}

/// Links `t` to every statement visited so far that accesses the same memory,
/// where one of the two writes. Sets `*linked`.
static bool linkStatement(Sharing *sharing, int t, int nClasses, bool *linked) {
  const XlaSchedStatement *to = &sharing->statements[t];
  int before = sharing->statements->accesses->statement;
  for (int j = 0; j < to->nIns + to->nOuts; ++j) {
    const XlaSchedAccess *b = &to->accesses[j];
    bool writes = j >= to->nIns;
    for (const XlaSchedAccess *a = writes ? b->first : b->firstWrite; a;
         a = writes ? a->next : a->nextWrite) {
      int s = a->statement - before;
      if (s >= sharing->nStatements)
        break;
      if (s < 0 || s == t || !isVisited(sharing, s))
        continue;
      *linked = true;
      if (!linkThrough(sharing, s, t, nClasses, a, b))
        return false;
    }
  }
  return true;
}

/// A statement that shares no buffer with the others joins dimension by
/// dimension.
static void linkInOrder(Sharing *sharing, int t, int nClasses) {
  const XlaSchedStatement *to = &sharing->statements[t],
                          *anchor = sharing->statements;
  bool same = to->nDims == anchor->nDims;
  for (int d = 0; same && d < to->nDims; ++d)
    same = to->sizes[d] == anchor->sizes[d] && !to->reduction[d] &&
           !anchor->reduction[d];
  for (int c = 0; c < nClasses; ++c) {
    sharing->dims[t * XLA_SCHED_MAX_DIMS + c] = sharing->dims[c];
    sharing->alive[c] &= same;
  }
}

bool xlaSchedShare(const XlaSchedStatement *statements, int nStatements,
                   int *shared, int *nShared) {
  Sharing sharing = {.statements = statements,
                     .nStatements = nStatements,
                     .dims = shared,
                     .blocks = xlaSchedMostBlocks(statements, nStatements)};
  int nClasses = 0;
  for (int i = 0; i < nStatements * XLA_SCHED_MAX_DIMS; ++i)
    shared[i] = unvisited;
  for (int d = 0; d < statements->nDims; ++d)
    if (!statements->reduction[d]) {
      sharing.alive[nClasses] = true;
      shared[nClasses++] = d;
    }
  visit(&sharing, 0);
  bool ok = true;
  // Statements that are linked to visited ones first; the others
  // dimension by dimension.
  for (int left = nStatements - 1; ok && left > 0;) {
    bool progress = false;
    for (int t = 1; ok && t < nStatements; ++t) {
      bool linked = false;
      if (isVisited(&sharing, t))
        continue;
      ok = linkStatement(&sharing, t, nClasses, &linked);
      if (linked) {
        visit(&sharing, t);
        progress = true;
        --left;
      }
    }
    for (int t = 1; ok && !progress && t < nStatements; ++t)
      if (!isVisited(&sharing, t)) {
        linkInOrder(&sharing, t, nClasses);
        visit(&sharing, t);
        progress = true;
        --left;
      }
  }
  // Links found later may contradict earlier ones: a second look at all pairs.
  for (int t = 0; ok && t < nStatements; ++t) {
    bool linked;
    ok = linkStatement(&sharing, t, nClasses, &linked);
  }
  if (!ok)
    return false;
  int alive = 0;
  for (int c = 0; c < nClasses; ++c) {
    if (!sharing.alive[c])
      continue;
    for (int s = 0; s < nStatements; ++s)
      shared[s * XLA_SCHED_MAX_DIMS + alive] =
          shared[s * XLA_SCHED_MAX_DIMS + c];
    ++alive;
  }
  *nShared = alive;
  return alive || sharing.blocks < 2 || nStatements == 1;
}

void xlaSchedShareFirst(XlaSchedStatement *statement, const int *shared,
                        int nShared) {
  int order[XLA_SCHED_MAX_DIMS], n = 0;
  for (int c = 0; c < nShared; ++c)
    order[n++] = shared[c];
  for (int pass = 0; pass < 2; ++pass) // parallel ones, then reductions
    for (int d = 0; d < statement->nDims; ++d) {
      bool isShared = false;
      for (int c = 0; c < nShared; ++c)
        isShared |= shared[c] == d;
      if (!isShared && statement->reduction[d] == (pass == 1))
        order[n++] = d;
    }
  xlaSchedPermute(statement, order);
}

void xlaSchedMergeShared(XlaSchedGroup *group) {
  for (int d = group->nShared - 2; d >= 0; --d) {
    bool all = true;
    for (int s = 0; s < group->nStatements; ++s)
      all &= xlaSchedMergeable(&group->statements[s], d);
    for (int s = 0; all && s < group->nStatements; ++s)
      xlaSchedMerge(&group->statements[s], d);
    group->nShared -= all;
  }
}
