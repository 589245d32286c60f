//===- groups.h - Groups of replicas ------------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// replica_groups and source_target_pairs are lists of lists of numbers, and say
// which processes of a grid of replicas and partitions take part in a
// collective operation together. What the numbers count depends on the
// operation and its channel_id and use_global_device_ids, as StableHLO's
// specification has it ("grouping strategies").
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_OPS_GROUPS_H
#define XLAC_DIALECT_OPS_GROUPS_H

#include "xlac/dialect/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/// More numbers than this in one attribute are refused.
#define XLA_MAX_GROUP_IDS (1 << 20)

/// Lists of numbers: list i is ids[starts[i]] .. ids[starts[i + 1]].
typedef struct XlaGroups {
  intptr_t count;
  intptr_t *starts; ///< count + 1
  int64_t *ids;
} XlaGroups;

/// Whether `attr` is `[[0, 1], [2]]`, or a dense matrix of 64-bit integers, in
/// which -1 at the end of a row fills it up.
bool xlaGroupsIsAttribute(MlirAttribute attr);
/// Reads such an attribute; null gives no groups. False if there is no memory.
/// To be destroyed in every case.
bool xlaGroupsRead(MlirAttribute attr, XlaGroups *groups);
void xlaGroupsDestroy(XlaGroups *groups);

/// The numbers of a collective operation count
typedef enum XlaGrouping {
  /// replicas; those of one partition make a group,
  XlaGroupingReplica,
  /// partitions; those of one replica make a group,
  XlaGroupingPartition,
  /// replicas; all their partitions make one group,
  XlaGroupingReplicaAndPartition,
  /// processes, replica by replica.
  XlaGroupingFlattened,
} XlaGrouping;

/// The grouping of an operation of this kind with these attributes.
XlaGrouping xlaGroupingOf(XlaOpKind kind, int64_t channelId,
                          bool useGlobalDeviceIds);

/// How many numbers there are to count in a grid; what they count, "replicas".
int64_t xlaGroupingCount(XlaGrouping grouping, int replicas, int partitions);
const char *xlaGroupingNoun(XlaGrouping grouping);

/// The processes of the group that process (`replica`, `partition`) is in, in
/// the order of the group, numbered replica * partitions + partition: into
/// `members`, which has room for replicas * partitions. No groups at all stand
/// for one of everybody. Returns their number; 0 if no group has the process.
/// Numbers that are too large are left out.
int xlaGroupsFindProcesses(const XlaGroups *groups, XlaGrouping grouping,
                           int replicas, int partitions, int replica,
                           int partition, int *members);

/// Whether `op`, which is of the family Collective and no id, can run as the
/// only process there is; fails after a diagnostic if not. Its results are then
/// its operands, or zeros if `*zeros`.
MlirLogicalResult xlaCollectiveCheckAlone(MlirOperation op, bool *zeros);

/// Whether a group of `nMembers` makes `to` of an operand `from`, as the sizes
/// of gathers and scatters and the number of parts say; fails after a
/// diagnostic.
MlirLogicalResult xlaCollectiveCheckSize(MlirOperation op, int nMembers,
                                         const XlaShape *from,
                                         const XlaShape *to);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_OPS_GROUPS_H
