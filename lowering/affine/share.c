//===- share.c - Dimensions that stages share -----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/affine/stage.h"

#include <stdlib.h>
#include <string.h>

/// Does one of the two accesses write?
static bool conflicts(const XlaSchedStage *a, int i, const XlaSchedStage *b,
                      int j) {
  return (i >= a->nIns || j >= b->nIns) &&
         mlirValueEqual(a->accesses[i].root, b->accesses[j].root);
}

typedef struct Sharing {
  const XlaSchedStage *stages;
  int nStages;
  int *dims;     ///< per stage and class, -1 where not known
  bool *visited; ///< per stage
  bool alive[XLA_SCHED_MAX_DIMS];
} Sharing;

/// Carries the classes known in stage `s` over to stage `t` through one buffer.
/// False: the two must stay in order.
static bool linkThrough(Sharing *sharing, int s, int t, int nClasses,
                        const XlaSchedAccess *a, const XlaSchedAccess *b) {
  const XlaSchedStage *to = &sharing->stages[t];
  if (a->dynamicOffset || b->dynamicOffset || a->offset != b->offset)
    return false;
  int *from = sharing->dims + s * XLA_SCHED_MAX_DIMS;
  int *into = sharing->dims + t * XLA_SCHED_MAX_DIMS;
  for (int c = 0; c < nClasses; ++c) {
    if (!sharing->alive[c])
      continue;
    int found = -1;
    for (int d = 0; d < to->nDims; ++d)
      if (!to->reduction[d] && a->strides[from[c]] != 0 &&
          to->sizes[d] == sharing->stages[s].sizes[from[c]] &&
          b->strides[d] == a->strides[from[c]])
        found = d;
    if (found < 0 || (into[c] >= 0 && into[c] != found))
      sharing->alive[c] = false;
    into[c] = found;
  }
  return true;
}

/// Links `t` to every stage visited so far. Sets `*linked`.
static bool linkStage(Sharing *sharing, int t, int nClasses, bool *linked) {
  const XlaSchedStage *to = &sharing->stages[t];
  for (int s = 0; s < sharing->nStages; ++s) {
    const XlaSchedStage *from = &sharing->stages[s];
    if (!sharing->visited[s] || s == t)
      continue;
    for (int i = 0; i < from->nIns + from->nOuts; ++i)
      for (int j = 0; j < to->nIns + to->nOuts; ++j)
        if (conflicts(from, i, to, j)) {
          *linked = true;
          if (!linkThrough(sharing, s, t, nClasses, &from->accesses[i],
                           &to->accesses[j]))
            return false;
        }
  }
  return true;
}

/// A stage that shares no buffer with the others joins by position.
static void linkByPosition(Sharing *sharing, int t, int nClasses) {
  const XlaSchedStage *to = &sharing->stages[t], *anchor = sharing->stages;
  bool same = to->nDims == anchor->nDims;
  for (int d = 0; same && d < to->nDims; ++d)
    same = to->sizes[d] == anchor->sizes[d] && !to->reduction[d] &&
           !anchor->reduction[d];
  for (int c = 0; c < nClasses; ++c) {
    sharing->dims[t * XLA_SCHED_MAX_DIMS + c] = sharing->dims[c];
    sharing->alive[c] &= same;
  }
}

bool xlaSchedShare(const XlaSchedStage *stages, int nStages, int *shared,
                   int *nShared) {
  bool *visited = calloc((size_t)nStages, sizeof *visited);
  if (!visited)
    return false;
  Sharing sharing = {stages, nStages, shared, visited, {false}};
  int nClasses = 0;
  for (int i = 0; i < nStages * XLA_SCHED_MAX_DIMS; ++i)
    shared[i] = -1;
  for (int d = 0; d < stages->nDims; ++d)
    if (!stages->reduction[d]) {
      sharing.alive[nClasses] = true;
      shared[nClasses++] = d;
    }
  visited[0] = true;
  bool ok = true;
  // Stages that are linked to visited ones first; the others by position.
  for (int left = nStages - 1; ok && left > 0;) {
    bool progress = false;
    for (int t = 1; ok && t < nStages; ++t) {
      bool linked = false;
      if (visited[t])
        continue;
      ok = linkStage(&sharing, t, nClasses, &linked);
      if (linked) {
        visited[t] = progress = true;
        --left;
      }
    }
    for (int t = 1; ok && !progress && t < nStages; ++t)
      if (!visited[t]) {
        linkByPosition(&sharing, t, nClasses);
        visited[t] = progress = true;
        --left;
      }
  }
  // Links found later may contradict earlier ones: a second look at all pairs.
  for (int t = 0; ok && t < nStages; ++t) {
    bool linked;
    ok = linkStage(&sharing, t, nClasses, &linked);
  }
  free(visited);
  if (!ok)
    return false;
  int alive = 0;
  for (int c = 0; c < nClasses; ++c) {
    if (!sharing.alive[c])
      continue;
    for (int s = 0; s < nStages; ++s)
      shared[s * XLA_SCHED_MAX_DIMS + alive] =
          shared[s * XLA_SCHED_MAX_DIMS + c];
    ++alive;
  }
  *nShared = alive;
  return true;
}

void xlaSchedShareFirst(XlaSchedStage *stage, const int *shared, int nShared) {
  int order[XLA_SCHED_MAX_DIMS], n = 0;
  for (int c = 0; c < nShared; ++c)
    order[n++] = shared[c];
  for (int pass = 0; pass < 2; ++pass) // parallel ones, then reductions
    for (int d = 0; d < stage->nDims; ++d) {
      bool isShared = false;
      for (int c = 0; c < nShared; ++c)
        isShared |= shared[c] == d;
      if (!isShared && stage->reduction[d] == (pass == 1))
        order[n++] = d;
    }
  xlaSchedPermute(stage, order);
}

void xlaSchedMergeShared(XlaSchedGroup *group) {
  for (int d = group->nShared - 2; d >= 0; --d) {
    bool all = true;
    for (int s = 0; s < group->nStages; ++s)
      all &= xlaSchedMergeable(&group->stages[s], d);
    for (int s = 0; all && s < group->nStages; ++s)
      xlaSchedMerge(&group->stages[s], d);
    group->nShared -= all;
  }
}
