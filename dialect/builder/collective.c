//===- collective.c - Building operations between replicas ----------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/builder/internal.h"

#include "mlir-c/BuiltinAttributes.h"

#include <stdlib.h>

/// [1, 2]
static MlirAttribute list(MlirContext context, const int64_t *ids, intptr_t n) {
  MlirAttribute *entries = malloc(((size_t)n + 1) * sizeof *entries);
  if (!entries)
    return (MlirAttribute){NULL};
  for (intptr_t i = 0; i < n; ++i)
    entries[i] = xlaIrI64Attr(context, ids[i]);
  MlirAttribute attr = mlirArrayAttrGet(context, n, entries);
  free(entries);
  return attr;
}

/// [[0, 1], [2]] of lists that `get` gives.
static void addLists(XlaDraft *draft, const char *name, intptr_t n,
                     XlaReplicaGroup (*get)(const void *data, intptr_t i),
                     const void *data) {
  XlaBuilder *b = draft->b;
  if (!b || !xlaBuilderCheckList(b, name, data, n))
    return;
  MlirAttribute *rows = malloc(((size_t)n + 1) * sizeof *rows);
  if (!rows) {
    xlaBuilderFail(b, "out of memory");
    return;
  }
  for (intptr_t i = 0; i < n && !b->failed; ++i) {
    XlaReplicaGroup row = get(data, i);
    if (!xlaBuilderCheckList(b, name, row.ids, row.n))
      break;
    rows[i] = list(b->context, row.ids, row.n);
    if (mlirAttributeIsNull(rows[i]))
      xlaBuilderFail(b, "out of memory");
  }
  if (!b->failed)
    xlaDraftAttr(draft, name, mlirArrayAttrGet(b->context, n, rows));
  free(rows);
}

static XlaReplicaGroup groupAt(const void *groups, intptr_t i) {
  return ((const XlaReplicaGroup *)groups)[i];
}

static void addGroups(XlaDraft *draft, const XlaReplicaGroup *groups,
                      intptr_t n) {
  if (n)
    addLists(draft, "replica_groups", n, groupAt, groups);
}

static void addChannel(XlaDraft *draft, int64_t channelId) {
  if (channelId)
    xlaDraftInt(draft, "channel_id", channelId);
}

XlaOp xlaBuilderAllGather(XlaBuilder *b, XlaOp operand, int64_t allGatherDim,
                          int64_t shardCount, const XlaReplicaGroup *groups,
                          intptr_t nGroups, int64_t channelId) {
  XlaDraft draft;
  xlaDraftBegin(&draft, b, __func__, XlaOpKindAllGather);
  xlaDraftOperand(&draft, operand);
  xlaDraftInt(&draft, "all_gather_dim", allGatherDim);
  xlaDraftInt(&draft, "shard_count", shardCount);
  addGroups(&draft, groups, nGroups);
  addChannel(&draft, channelId);
  return xlaDraftFinish(&draft);
}

XlaOp xlaBuilderAllReduce(XlaBuilder *b, XlaOp operand,
                          const XlaComputation *computation,
                          const XlaReplicaGroup *groups, intptr_t nGroups,
                          int64_t channelId) {
  XlaDraft draft;
  xlaDraftBegin(&draft, b, __func__, XlaOpKindAllReduce);
  xlaDraftOperand(&draft, operand);
  addGroups(&draft, groups, nGroups);
  addChannel(&draft, channelId);
  xlaDraftRegion(&draft, computation, false);
  return xlaDraftFinish(&draft);
}

XlaOp xlaBuilderCrossReplicaSum(XlaBuilder *b, XlaOp operand,
                                const XlaReplicaGroup *groups,
                                intptr_t nGroups) {
  XlaDraft draft;
  xlaDraftBegin(&draft, b, __func__, XlaOpKindCrossReplicaSum);
  xlaDraftOperand(&draft, operand);
  addGroups(&draft, groups, nGroups);
  return xlaDraftFinish(&draft);
}

XlaOp xlaBuilderAllToAll(XlaBuilder *b, XlaOp operand, int64_t splitDimension,
                         int64_t concatDimension, int64_t splitCount,
                         const XlaReplicaGroup *groups, intptr_t nGroups) {
  XlaDraft draft;
  xlaDraftBegin(&draft, b, __func__, XlaOpKindAllToAll);
  xlaDraftOperand(&draft, operand);
  xlaDraftInt(&draft, "split_dimension", splitDimension);
  xlaDraftInt(&draft, "concat_dimension", concatDimension);
  xlaDraftInt(&draft, "split_count", splitCount);
  addGroups(&draft, groups, nGroups);
  return xlaDraftFinish(&draft);
}

XlaOp xlaBuilderReduceScatter(XlaBuilder *b, XlaOp operand,
                              const XlaComputation *computation,
                              int64_t scatterDimension, int64_t shardCount,
                              const XlaReplicaGroup *groups, intptr_t nGroups,
                              int64_t channelId) {
  XlaDraft draft;
  xlaDraftBegin(&draft, b, __func__, XlaOpKindReduceScatter);
  xlaDraftOperand(&draft, operand);
  xlaDraftInt(&draft, "scatter_dimension", scatterDimension);
  xlaDraftInt(&draft, "shard_count", shardCount);
  addGroups(&draft, groups, nGroups);
  addChannel(&draft, channelId);
  xlaDraftRegion(&draft, computation, false);
  return xlaDraftFinish(&draft);
}

static XlaReplicaGroup pairAt(const void *pairs, intptr_t i) {
  _Static_assert(sizeof(XlaSourceTargetPair) == 2 * sizeof(int64_t),
                 "read as two numbers");
  const XlaSourceTargetPair *pair = (const XlaSourceTargetPair *)pairs + i;
  return (XlaReplicaGroup){&pair->source, 2};
}

XlaOp xlaBuilderCollectivePermute(XlaBuilder *b, XlaOp operand,
                                  const XlaSourceTargetPair *pairs,
                                  intptr_t nPairs) {
  XlaDraft draft;
  xlaDraftBegin(&draft, b, __func__, XlaOpKindCollectivePermute);
  xlaDraftOperand(&draft, operand);
  addLists(&draft, "source_target_pairs", nPairs, pairAt, pairs);
  return xlaDraftFinish(&draft);
}

XlaOp xlaBuilderCollectiveBroadcast(XlaBuilder *b, XlaOp operand,
                                    const XlaReplicaGroup *groups,
                                    intptr_t nGroups, int64_t channelId) {
  XlaDraft draft;
  xlaDraftBegin(&draft, b, __func__, XlaOpKindCollectiveBroadcast);
  xlaDraftOperand(&draft, operand);
  addLists(&draft, "replica_groups", nGroups, groupAt, groups);
  addChannel(&draft, channelId);
  return xlaDraftFinish(&draft);
}

static XlaOp number(XlaBuilder *b, const char *function, XlaOpKind kind) {
  XlaDraft draft;
  xlaDraftBegin(&draft, b, function, kind);
  // The element type rule of ops.def reads it.
  xlaDraftResultShape(&draft, XLA_SHAPE(U32));
  return xlaDraftFinish(&draft);
}

XlaOp xlaBuilderReplicaId(XlaBuilder *b) {
  return number(b, __func__, XlaOpKindReplicaId);
}

XlaOp xlaBuilderPartitionId(XlaBuilder *b) {
  return number(b, __func__, XlaOpKindPartitionId);
}
