//===- collective.h - What happens between replicas ---------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Included by builder.h, which tells how builders are used.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_BUILDER_COLLECTIVE_H
#define XLAC_DIALECT_BUILDER_COLLECTIVE_H

#include "xlac/dialect/builder.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Replicas that work together, in order. No groups at all are one of all
/// replicas.
typedef struct XlaReplicaGroup {
  const int64_t *ids;
  intptr_t n;
} XlaReplicaGroup;
/// `channelId` of the functions below is that of operations between modules; 0
/// is none.

/// The operands of a group's `shardCount` replicas one after the other along
/// `allGatherDim`. 000: AllGather.
XlaOp xlaBuilderAllGather(XlaBuilder *b, XlaOp operand, int64_t allGatherDim,
                          int64_t shardCount, const XlaReplicaGroup *groups,
                          intptr_t nGroups, int64_t channelId);
/// The operands of a group combined element by element with `computation`, (T,
/// T) -> T on scalars. The operand is an array or a tuple of arrays. 000:
/// AllReduce.
XlaOp xlaBuilderAllReduce(XlaBuilder *b, XlaOp operand,
                          const XlaComputation *computation,
                          const XlaReplicaGroup *groups, intptr_t nGroups,
                          int64_t channelId);
/// The sum over all replicas, or over those of groups. 000: CrossReplicaSum.
XlaOp xlaBuilderCrossReplicaSum(XlaBuilder *b, XlaOp operand,
                                const XlaReplicaGroup *groups,
                                intptr_t nGroups);
/// Splits the operand into `splitCount` parts along `splitDimension`, sends
/// part i to replica i of the group, and joins what comes from all along
/// `concatDimension`. 000: AllToAll.
XlaOp xlaBuilderAllToAll(XlaBuilder *b, XlaOp operand, int64_t splitDimension,
                         int64_t concatDimension, int64_t splitCount,
                         const XlaReplicaGroup *groups, intptr_t nGroups);
/// AllReduce, of which replica i of a group gets part i of `shardCount` along
/// `scatterDimension`. 000: ReduceScatter.
XlaOp xlaBuilderReduceScatter(XlaBuilder *b, XlaOp operand,
                              const XlaComputation *computation,
                              int64_t scatterDimension, int64_t shardCount,
                              const XlaReplicaGroup *groups, intptr_t nGroups,
                              int64_t channelId);
/// The operand of the source in the target of each pair; zeros in replicas that
/// are no target. 000: CollectivePermute.
typedef struct XlaSourceTargetPair {
  int64_t source, target;
} XlaSourceTargetPair;
XlaOp xlaBuilderCollectivePermute(XlaBuilder *b, XlaOp operand,
                                  const XlaSourceTargetPair *pairs,
                                  intptr_t nPairs);
/// The operand of the first replica of each group; zeros elsewhere. (StableHLO)
XlaOp xlaBuilderCollectiveBroadcast(XlaBuilder *b, XlaOp operand,
                                    const XlaReplicaGroup *groups,
                                    intptr_t nGroups, int64_t channelId);
/// This replica's number, a u32. 000: ReplicaId.
XlaOp xlaBuilderReplicaId(XlaBuilder *b);
/// This partition's number, a u32. (StableHLO)
XlaOp xlaBuilderPartitionId(XlaBuilder *b);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_BUILDER_COLLECTIVE_H
