//===- cluster.h - Statements that share their inner loops --------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lowering.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_AFFINE_CLUSTER_H
#define XLAC_LOWERING_AFFINE_CLUSTER_H

#include "xlac/lowering/affine/combiner.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Statements with the same inner loops.
typedef struct XlaSchedCluster {
  int *statements; ///< indices into the group
  int nStatements;
  int nOuter; ///< inner dims outside of the accumulators' scope (see cluster.c)
  XlaSchedReducer *reducers; ///< one per carried value
  int nCarried;
} XlaSchedCluster;

/// In the order in which they are written. Zero-initialise.
typedef struct XlaSchedClusters {
  int n;
  XlaSchedCluster *all;
} XlaSchedClusters;

/// Groups the statements of `group` into clusters; `alongRows`: lanes run along
/// inner dimensions. Failure: out of memory. Free them in any case.
MlirLogicalResult xlaSchedClustersForm(XlaSchedGroup *group, bool alongRows,
                                       XlaSchedClusters *clusters);
void xlaSchedClustersFree(XlaSchedClusters *clusters);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_AFFINE_CLUSTER_H
