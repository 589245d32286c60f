//===- cluster.c - Stages that share their inner loops --------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/affine/cluster.h"

#include <stdlib.h>
#include <string.h>

static int innerDims(const XlaSchedGroup *group, const XlaSchedStage *stage) {
  return stage->nDims - group->nShared;
}

static bool reduces(const XlaSchedStage *stage) {
  for (int d = 0; d < stage->nDims; ++d)
    if (stage->reduction[d])
      return true;
  return false;
}

/// Parallel dimensions inside of the rows, in front of a reduction's own: each
/// of their points has accumulators of its own.
static int outerDims(const XlaSchedGroup *group, const XlaSchedStage *stage) {
  int d = group->nShared;
  while (reduces(stage) && d < stage->nDims && !stage->reduction[d])
    ++d;
  return d - group->nShared;
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
  XlaSchedGroup *group;
  XlaSchedClusters *made;
  bool alongRows;
  bool *known; ///< per stage: all combiners are known
} Former;

/// May stages of this kind share a loop with others at all?
static bool isSociable(const Former *f, int s) {
  const XlaSchedStage *stage = &f->group->stages[s];
  if (outerDims(f->group, stage) > 0)
    return false;
  return !f->alongRows || innerDims(f->group, stage) == 0 ||
         (f->known[s] && xlaSchedIsArithmetic(stage));
}

static bool joins(const Former *f, const XlaSchedCluster *cluster, int s,
                  bool *conflict) {
  const XlaSchedStage *b = &f->group->stages[s];
  bool fusable = isSociable(f, s);
  *conflict = false;
  for (int k = 0; k < cluster->nStages; ++k) {
    const XlaSchedStage *a = &f->group->stages[cluster->stages[k]];
    bool same = a->nDims == b->nDims && isSociable(f, cluster->stages[k]);
    for (int d = f->group->nShared; same && d < b->nDims; ++d)
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
  XlaSchedGroup *group = f->group;
  XlaSchedClusters *made = f->made;
  bool flat = innerDims(group, &group->stages[s]) == 0;
  int target = -1, barrier = made->n;
  for (int c = made->n; c-- > 0;) {
    bool conflict;
    bool fits = joins(f, &made->all[c], s, &conflict);
    if (fits && (target < 0 || flat))
      target = c;
    if (conflict)
      break;
    barrier = c;
  }
  if (target < 0) {
    target = flat ? barrier : made->n;
    memmove(made->all + target + 1, made->all + target,
            (size_t)(made->n - target) * sizeof *made->all);
    ++made->n;
    XlaSchedCluster *cluster = &made->all[target];
    memset(cluster, 0, sizeof *cluster);
    cluster->stages = calloc((size_t)group->nStages, sizeof(int));
    cluster->nOuter = outerDims(group, &group->stages[s]);
    if (!cluster->stages)
      return mlirLogicalResultFailure();
  }
  XlaSchedCluster *cluster = &made->all[target];
  cluster->stages[cluster->nStages++] = s;
  return mlirLogicalResultSuccess();
}

/// Merges inner dimensions that are contiguous for all stages of `cluster`.
static void mergeInner(const XlaSchedGroup *group, XlaSchedCluster *cluster) {
  XlaSchedStage *first = &group->stages[cluster->stages[0]];
  for (int d = first->nDims - 2; d >= group->nShared; --d) {
    bool all = true;
    for (int k = 0; k < cluster->nStages; ++k)
      all &= xlaSchedMergeable(&group->stages[cluster->stages[k]], d);
    for (int k = 0; all && k < cluster->nStages; ++k)
      xlaSchedMerge(&group->stages[cluster->stages[k]], d);
  }
  cluster->nOuter = outerDims(group, first);
}

static MlirLogicalResult readReducers(const XlaSchedGroup *group,
                                      XlaSchedCluster *cluster) {
  for (int k = 0; k < cluster->nStages; ++k) {
    XlaSchedStage *stage = &group->stages[cluster->stages[k]];
    cluster->nCarried += reduces(stage) ? stage->nOuts : 0;
  }
  cluster->reducers =
      calloc((size_t)cluster->nCarried + 1, sizeof *cluster->reducers);
  if (!cluster->reducers)
    return mlirLogicalResultFailure();
  int n = 0;
  for (int k = 0; k < cluster->nStages; ++k) {
    XlaSchedStage *stage = &group->stages[cluster->stages[k]];
    if (!reduces(stage))
      continue;
    xlaSchedReducersRead(stage, cluster->reducers + n);
    n += stage->nOuts;
  }
  return mlirLogicalResultSuccess();
}

MlirLogicalResult xlaSchedClustersForm(XlaSchedGroup *group, bool alongRows,
                                       XlaSchedClusters *clusters) {
  int n = group->nStages;
  clusters->n = 0;
  clusters->all = calloc((size_t)n + 1, sizeof *clusters->all);
  Former former = {group, clusters, alongRows,
                   calloc((size_t)n + 1, sizeof(bool))};
  MlirLogicalResult result = clusters->all && former.known
                                 ? mlirLogicalResultSuccess()
                                 : mlirLogicalResultFailure();
  for (int s = 0; s < n && mlirLogicalResultIsSuccess(result); ++s) {
    const XlaSchedStage *stage = &group->stages[s];
    former.known[s] = true;
    if (reduces(stage)) {
      XlaSchedReducer *scratch = calloc((size_t)stage->nOuts, sizeof *scratch);
      former.known[s] = scratch && xlaSchedReducersRead(stage, scratch);
      free(scratch);
    }
    result = place(&former, s);
  }
  free(former.known);
  for (int c = 0; c < clusters->n && mlirLogicalResultIsSuccess(result); ++c) {
    mergeInner(group, &clusters->all[c]);
    result = readReducers(group, &clusters->all[c]);
  }
  return result;
}

void xlaSchedClustersFree(XlaSchedClusters *clusters) {
  for (int c = 0; c < clusters->n; ++c) {
    free(clusters->all[c].stages);
    free(clusters->all[c].reducers);
  }
  free(clusters->all);
}
