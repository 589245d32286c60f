//===- cluster.c - Stages that share their inner loops --------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/cpu/schedule/emit.h"

#include <stdlib.h>
#include <string.h>

static int innerDims(const XlaSchedEmit *e, const XlaSchedStage *stage) {
  return stage->nDims - e->group->nShared;
}

static bool reduces(const XlaSchedStage *stage) {
  for (int d = 0; d < stage->nDims; ++d)
    if (stage->reduction[d])
      return true;
  return false;
}

/// Parallel dimensions inside of the rows, in front of a reduction's own: each
/// of their points has accumulators of its own.
static int outerDims(const XlaSchedEmit *e, const XlaSchedStage *stage) {
  int d = e->group->nShared;
  while (reduces(stage) && d < stage->nDims && !stage->reduction[d])
    ++d;
  return d - e->group->nShared;
}

//===----------------------------------------------------------------------===//
// Forming
//===----------------------------------------------------------------------===//

static bool sameAccess(const XlaSchedStage *a, int i, const XlaSchedStage *b,
                       int j) {
  return xlaSchedSameAccess(&a->accesses[i], a->nDims, &b->accesses[j],
                            b->nDims);
}

/// Must `b` stay behind `a`? With `*fusable` set: would one loop over both keep
/// the order of accesses?
static bool depends(const XlaSchedStage *a, const XlaSchedStage *b,
                    bool *fusable) {
  bool conflict = false;
  for (int i = 0; i < a->nIns + a->nOuts; ++i)
    for (int j = 0; j < b->nIns + b->nOuts; ++j) {
      if ((i < a->nIns && j < b->nIns) ||
          !mlirValueEqual(a->accesses[i].root, b->accesses[j].root))
        continue;
      conflict = true;
      bool partial =
          (i >= a->nIns && reduces(a)) || (j >= b->nIns && reduces(b));
      if (partial || !sameAccess(a, i, b, j))
        *fusable = false;
    }
  return conflict;
}

typedef struct Former {
  XlaSchedEmit *e;
  bool *known; ///< per stage: all combiners are known
} Former;

/// May stages of this kind share a loop with others at all?
static bool isSociable(const Former *f, int s) {
  const XlaSchedStage *stage = &f->e->group->stages[s];
  if (outerDims(f->e, stage) > 0)
    return false;
  bool rowMode = f->e->vecShared < 0;
  return !rowMode || innerDims(f->e, stage) == 0 ||
         (f->known[s] && xlaSchedBodyVectorizes(stage, -1));
}

static bool joins(const Former *f, const XlaSchedCluster *cluster, int s,
                  bool *conflict) {
  const XlaSchedStage *b = &f->e->group->stages[s];
  bool fusable = isSociable(f, s);
  *conflict = false;
  for (int k = 0; k < cluster->nStages; ++k) {
    const XlaSchedStage *a = &f->e->group->stages[cluster->stages[k]];
    bool same = a->nDims == b->nDims && isSociable(f, cluster->stages[k]);
    for (int d = f->e->group->nShared; same && d < b->nDims; ++d)
      same = a->sizes[d] == b->sizes[d];
    fusable &= same;
    *conflict |= depends(a, b, &fusable);
  }
  return fusable;
}

/// Where stage `s` goes: into the nearest cluster that takes it, looking back
/// as far as its dependences allow. A stage without inner loops moves as far to
/// the front as it can, so that it does not part two loops that could fuse.
static MlirLogicalResult place(Former *f, int s) {
  XlaSchedEmit *e = f->e;
  bool flat = innerDims(e, &e->group->stages[s]) == 0;
  int target = -1, barrier = e->nClusters;
  for (int c = e->nClusters; c-- > 0;) {
    bool conflict;
    bool fits = joins(f, &e->clusters[c], s, &conflict);
    if (fits && (target < 0 || flat))
      target = c;
    if (conflict)
      break;
    barrier = c;
  }
  if (target < 0) {
    target = flat ? barrier : e->nClusters;
    memmove(e->clusters + target + 1, e->clusters + target,
            (size_t)(e->nClusters - target) * sizeof *e->clusters);
    ++e->nClusters;
    XlaSchedCluster *cluster = &e->clusters[target];
    memset(cluster, 0, sizeof *cluster);
    cluster->stages = calloc((size_t)e->group->nStages, sizeof(int));
    cluster->nOuter = outerDims(e, &e->group->stages[s]);
    if (!cluster->stages)
      return mlirLogicalResultFailure();
  }
  XlaSchedCluster *cluster = &e->clusters[target];
  cluster->stages[cluster->nStages++] = s;
  return mlirLogicalResultSuccess();
}

/// Merges inner dimensions that are contiguous for all stages of `cluster`.
static void mergeInner(XlaSchedEmit *e, XlaSchedCluster *cluster) {
  XlaSchedStage *first = &e->group->stages[cluster->stages[0]];
  for (int d = first->nDims - 2; d >= e->group->nShared; --d) {
    bool all = true;
    for (int k = 0; k < cluster->nStages; ++k)
      all &= xlaSchedMergeable(&e->group->stages[cluster->stages[k]], d);
    for (int k = 0; all && k < cluster->nStages; ++k)
      xlaSchedMerge(&e->group->stages[cluster->stages[k]], d);
  }
  cluster->nOuter = outerDims(e, first);
}

static MlirLogicalResult readReducers(XlaSchedEmit *e,
                                      XlaSchedCluster *cluster) {
  for (int k = 0; k < cluster->nStages; ++k) {
    XlaSchedStage *stage = &e->group->stages[cluster->stages[k]];
    cluster->nCarried += reduces(stage) ? stage->nOuts : 0;
  }
  cluster->reducers =
      calloc((size_t)cluster->nCarried + 1, sizeof *cluster->reducers);
  if (!cluster->reducers)
    return mlirLogicalResultFailure();
  int n = 0;
  for (int k = 0; k < cluster->nStages; ++k) {
    XlaSchedStage *stage = &e->group->stages[cluster->stages[k]];
    if (!reduces(stage))
      continue;
    xlaSchedReducersRead(stage, cluster->reducers + n);
    n += stage->nOuts;
  }
  return mlirLogicalResultSuccess();
}

MlirLogicalResult xlaSchedClustersForm(XlaSchedEmit *e) {
  int n = e->group->nStages;
  e->nClusters = 0;
  e->clusters = calloc((size_t)n + 1, sizeof *e->clusters);
  Former former = {e, calloc((size_t)n + 1, sizeof(bool))};
  MlirLogicalResult result = e->clusters && former.known
                                 ? mlirLogicalResultSuccess()
                                 : mlirLogicalResultFailure();
  for (int s = 0; s < n && mlirLogicalResultIsSuccess(result); ++s) {
    const XlaSchedStage *stage = &e->group->stages[s];
    former.known[s] = true;
    if (reduces(stage)) {
      XlaSchedReducer *scratch = calloc((size_t)stage->nOuts, sizeof *scratch);
      former.known[s] = scratch && xlaSchedReducersRead(stage, scratch);
      free(scratch);
    }
    result = place(&former, s);
  }
  free(former.known);
  for (int c = 0; c < e->nClusters && mlirLogicalResultIsSuccess(result); ++c) {
    mergeInner(e, &e->clusters[c]);
    result = readReducers(e, &e->clusters[c]);
  }
  e->toCluster = e->nClusters;
  return result;
}

void xlaSchedClustersFree(XlaSchedEmit *e) {
  for (int c = 0; c < e->nClusters; ++c) {
    free(e->clusters[c].stages);
    free(e->clusters[c].reducers);
  }
  free(e->clusters);
  free(e->scratches);
  free(e->known);
  free(e->flats);
  free(e->tiles);
}
