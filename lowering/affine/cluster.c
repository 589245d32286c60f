//===- cluster.c - Statements that share their inner loops ----------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/affine/cluster.h"

#include <stdlib.h>
#include <string.h>

static int innerDims(const XlaSchedGroup *group,
                     const XlaSchedStatement *statement) {
  return statement->nDims - group->nShared;
}

/// Parallel dimensions inside of the rows, in front of a reduction's own: each
/// of their points has accumulators of its own.
static int outerDims(const XlaSchedGroup *group,
                     const XlaSchedStatement *statement) {
  int d = group->nShared;
  while (xlaSchedReduces(statement) && d < statement->nDims &&
         !statement->reduction[d])
    ++d;
  return d - group->nShared;
}

//===----------------------------------------------------------------------===//
// Forming
//===----------------------------------------------------------------------===//

static bool sameAccess(const XlaSchedStatement *a, int i,
                       const XlaSchedStatement *b, int j) {
  return xlaSchedSameAccess(&a->accesses[i], a->nDims, &b->accesses[j],
                            b->nDims);
}

/// Must `b` stay behind `a`? With `*fusable` set: would one loop over both keep
/// the order of accesses?
static bool depends(const XlaSchedStatement *a, const XlaSchedStatement *b,
                    bool *fusable) {
  bool conflict = false;
  for (int i = 0; i < a->nIns + a->nOuts; ++i)
    for (int j = 0; j < b->nIns + b->nOuts; ++j) {
      if ((i < a->nIns && j < b->nIns) ||
          !mlirValueEqual(a->accesses[i].root, b->accesses[j].root))
        continue;
      conflict = true;
      bool partial = (i >= a->nIns && xlaSchedReduces(a)) ||
                     (j >= b->nIns && xlaSchedReduces(b));
      if (partial || !sameAccess(a, i, b, j))
        *fusable = false;
    }
  return conflict;
}

typedef struct Former {
  XlaSchedGroup *group;
  XlaSchedClusters *made;
  bool alongRows;
  bool *known; ///< per statement: all combiners are known
} Former;

/// May statements of this kind share a loop with others at all?
static bool isSociable(const Former *f, int s) {
  const XlaSchedStatement *statement = &f->group->statements[s];
  if (outerDims(f->group, statement) > 0)
    return false;
  return !f->alongRows || innerDims(f->group, statement) == 0 ||
         (f->known[s] && xlaSchedIsArithmetic(statement));
}

static bool joins(const Former *f, const XlaSchedCluster *cluster, int s,
                  bool *conflict) {
  const XlaSchedStatement *b = &f->group->statements[s];
  bool fusable = isSociable(f, s);
  *conflict = false;
  for (int k = 0; k < cluster->nStatements; ++k) {
    const XlaSchedStatement *a = &f->group->statements[cluster->statements[k]];
    bool same = a->nDims == b->nDims && isSociable(f, cluster->statements[k]);
    for (int d = f->group->nShared; same && d < b->nDims; ++d)
      same = a->sizes[d] == b->sizes[d];
    fusable &= same;
    *conflict |= depends(a, b, &fusable);
  }
  return fusable;
}

/// Where statement `s` goes: into the nearest cluster that takes it, looking
/// back as far as its dependences allow. A statement without inner loops moves
/// as far to the front as it can, so that it does not part two loops that could
/// fuse.
static MlirLogicalResult place(Former *f, int s) {
  XlaSchedGroup *group = f->group;
  XlaSchedClusters *made = f->made;
  bool flat = innerDims(group, &group->statements[s]) == 0;
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
    cluster->statements = calloc((size_t)group->nStatements, sizeof(int));
    cluster->nOuter = outerDims(group, &group->statements[s]);
    if (!cluster->statements)
      return mlirLogicalResultFailure();
  }
  XlaSchedCluster *cluster = &made->all[target];
  cluster->statements[cluster->nStatements++] = s;
  return mlirLogicalResultSuccess();
}

/// Merges inner dimensions that are contiguous for all statements of `cluster`.
static void mergeInner(const XlaSchedGroup *group, XlaSchedCluster *cluster) {
  XlaSchedStatement *first = &group->statements[cluster->statements[0]];
  for (int d = first->nDims - 2; d >= group->nShared; --d) {
    bool all = true;
    for (int k = 0; k < cluster->nStatements; ++k)
      all &= xlaSchedMergeable(&group->statements[cluster->statements[k]], d);
    for (int k = 0; all && k < cluster->nStatements; ++k)
      xlaSchedMerge(&group->statements[cluster->statements[k]], d);
  }
  cluster->nOuter = outerDims(group, first);
}

static MlirLogicalResult readReducers(const XlaSchedGroup *group,
                                      XlaSchedCluster *cluster) {
  for (int k = 0; k < cluster->nStatements; ++k) {
    XlaSchedStatement *statement = &group->statements[cluster->statements[k]];
    cluster->nCarried += xlaSchedAccumulators(statement);
  }
  cluster->reducers =
      calloc((size_t)cluster->nCarried + 1, sizeof *cluster->reducers);
  if (!cluster->reducers)
    return mlirLogicalResultFailure();
  int n = 0;
  for (int k = 0; k < cluster->nStatements; ++k) {
    XlaSchedStatement *statement = &group->statements[cluster->statements[k]];
    if (!xlaSchedReduces(statement))
      continue;
    xlaSchedReducersRead(statement, cluster->reducers + n);
    n += xlaSchedAccumulators(statement);
  }
  return mlirLogicalResultSuccess();
}

MlirLogicalResult xlaSchedClustersForm(XlaSchedGroup *group, bool alongRows,
                                       XlaSchedClusters *clusters) {
  int n = group->nStatements;
  clusters->n = 0;
  clusters->all = calloc((size_t)n + 1, sizeof *clusters->all);
  Former former = {group, clusters, alongRows,
                   calloc((size_t)n + 1, sizeof(bool))};
  MlirLogicalResult result = clusters->all && former.known
                                 ? mlirLogicalResultSuccess()
                                 : mlirLogicalResultFailure();
  for (int s = 0; s < n && mlirLogicalResultIsSuccess(result); ++s) {
    const XlaSchedStatement *statement = &group->statements[s];
    former.known[s] = true;
    if (xlaSchedReduces(statement)) {
      XlaSchedReducer *scratch =
          calloc((size_t)statement->nOuts, sizeof *scratch);
      former.known[s] = scratch && xlaSchedReducersRead(statement, scratch);
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
    free(clusters->all[c].statements);
    free(clusters->all[c].reducers);
  }
  free(clusters->all);
}
