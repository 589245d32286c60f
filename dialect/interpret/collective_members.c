//===- collective_members.c - Who takes part in an operation --------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/interpret/collective_members.h"

#include "xlac/dialect/ops/collective_internal.h"
#include "xlac/dialect/result_internal.h"

#include "mlir-c/BuiltinAttributes.h"

#include <stdlib.h>

static int positionOf(const XlaCollectiveMeeting *meeting, int process) {
  for (int m = 0; m < meeting->nMembers; ++m)
    if (meeting->members[m] == process)
      return m;
  return -1;
}

static int ownNumber(const XlaCollectiveMeeting *meeting) {
  return meeting->process->replica * meeting->grid.partitions +
         meeting->process->partition;
}

static XlaGrouping groupingOf(const XlaCollectiveMeeting *meeting) {
  MlirAttribute global = xlaOpGetAttr(meeting->op, "use_global_device_ids");
  return xlaGroupingOf(meeting->kind, xlaOpGetI64(meeting->op, "channel_id", 0),
                       !mlirAttributeIsNull(global) &&
                           mlirBoolAttrGetValue(global));
}

static MlirLogicalResult checkCount(const XlaCollectiveMeeting *meeting,
                                    const XlaGroups *groups) {
  const XlaCollectiveRules *rules = xlaCollectiveRulesGet(meeting->kind);
  XlaGrouping grouping = groupingOf(meeting);
  intptr_t n = groups->starts[groups->count];
  int64_t count = xlaGroupingCount(grouping, meeting->grid.replicas,
                                   meeting->grid.partitions);
  const char *noun = xlaGroupingNoun(grouping);
  if (rules->count && n && n != count)
    return xlaOpInvalid(
        meeting->op, rules->count,
        "has %lld numbers in replica_groups, but the run has %lld %s",
        (long long)n, (long long)count, noun);
  for (intptr_t i = 0; i < n; ++i)
    if (groups->ids[i] >= count)
      return xlaOpInvalid(meeting->op, rules->range,
                          "has %lld in replica_groups, but the run has %lld %s",
                          (long long)groups->ids[i], (long long)count, noun);
  return success();
}

static MlirLogicalResult findGroup(XlaCollectiveMeeting *meeting) {
  XlaGroups groups;
  MlirLogicalResult result =
      xlaGroupsRead(xlaOpGetAttr(meeting->op, "replica_groups"), &groups)
          ? checkCount(meeting, &groups)
          : xlaOpNoMemory(meeting->op);
  if (!failed(result))
    meeting->nMembers = xlaGroupsFindProcesses(
        &groups, groupingOf(meeting), meeting->grid.replicas,
        meeting->grid.partitions, meeting->process->replica,
        meeting->process->partition, meeting->members);
  // A broadcast to nobody else leaves zeros where there is no group.
  if (meeting->kind == XlaOpKindCollectiveBroadcast && !groups.count)
    meeting->nMembers = 0;
  meeting->source = meeting->nMembers ? 0 : -1;
  xlaGroupsDestroy(&groups);
  return result;
}

/// The process that the number `id` of a pair stands for.
static int pairProcess(const XlaCollectiveMeeting *meeting, int64_t id) {
  const XlaProcess *process = meeting->process;
  return (int)(groupingOf(meeting) == XlaGroupingReplica
                   ? id * meeting->grid.partitions + process->partition
                   : process->replica * meeting->grid.partitions + id);
}

/// The processes that are tied to this one by pairs: it goes along the pairs
/// forth, to where they end or close a circle, and then back.
static void followPairs(XlaCollectiveMeeting *meeting, const XlaGroups *pairs) {
  int self = ownNumber(meeting), source = -1;
  bool tied = false;
  meeting->nMembers = 0;
  meeting->members[meeting->nMembers++] = self;
  for (int direction = 0; direction < 2; ++direction) {
    int at = self;
    bool moved = true;
    while (moved) {
      moved = false;
      for (intptr_t i = 0; i < pairs->count && !moved; ++i) {
        if (pairProcess(meeting, pairs->ids[2 * i + direction]) != at)
          continue;
        tied = true;
        at = pairProcess(meeting, pairs->ids[2 * i + !direction]);
        moved = positionOf(meeting, at) < 0;
        if (moved)
          meeting->members[meeting->nMembers++] = at;
        break;
      }
    }
  }
  for (intptr_t i = 0; i < pairs->count; ++i)
    if (pairProcess(meeting, pairs->ids[2 * i + 1]) == self)
      source = pairProcess(meeting, pairs->ids[2 * i]);
  if (!tied)
    meeting->nMembers = 0;
  meeting->source = source;
}

static int compareMembers(const void *a, const void *b) {
  return *(const int *)a - *(const int *)b;
}

static MlirLogicalResult findPairs(XlaCollectiveMeeting *meeting) {
  XlaGroups pairs;
  XlaGrouping grouping = groupingOf(meeting);
  int64_t count = xlaGroupingCount(grouping, meeting->grid.replicas,
                                   meeting->grid.partitions);
  MlirLogicalResult result = success();
  if (!xlaGroupsRead(xlaOpGetAttr(meeting->op, "source_target_pairs"), &pairs))
    result = xlaOpNoMemory(meeting->op);
  for (intptr_t i = 0; !failed(result) && i < 2 * pairs.count; ++i)
    if (pairs.ids[i] >= count)
      result = xlaOpInvalid(
          meeting->op, "collective_permute_c4",
          "has %lld in source_target_pairs, but the run has %lld %s",
          (long long)pairs.ids[i], (long long)count, xlaGroupingNoun(grouping));
  if (!failed(result)) {
    followPairs(meeting, &pairs);
    // Everybody has the members in the same order.
    qsort(meeting->members, (size_t)meeting->nMembers, sizeof *meeting->members,
          compareMembers);
    if (meeting->source >= 0)
      meeting->source = positionOf(meeting, meeting->source);
  }
  xlaGroupsDestroy(&pairs);
  return result;
}

MlirLogicalResult xlaCollectiveFindMembers(XlaCollectiveMeeting *meeting) {
  MlirLogicalResult result = meeting->kind == XlaOpKindCollectivePermute
                                 ? findPairs(meeting)
                                 : findGroup(meeting);
  // Alone it is the first, also where nobody takes part.
  meeting->own = 0;
  if (!failed(result) && meeting->nMembers > 1)
    meeting->own = positionOf(meeting, ownNumber(meeting));
  return result;
}

MlirLogicalResult xlaCollectiveCheckAlone(MlirOperation op, bool *zeros) {
  XlaProcess alone = {.rendezvous = NULL};
  int member = 0;
  XlaCollectiveMeeting meeting = {.op = op,
                                  .kind = xlaOpGetKind(op),
                                  .process = &alone,
                                  .grid = xlaProcessGetGrid(&alone),
                                  .members = &member};
  MlirLogicalResult result = xlaCollectiveFindMembers(&meeting);
  *zeros = (meeting.kind == XlaOpKindCollectivePermute ||
            meeting.kind == XlaOpKindCollectiveBroadcast) &&
           meeting.source < 0;
  return result;
}
