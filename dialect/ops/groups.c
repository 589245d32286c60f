//===- groups.c - Groups of replicas --------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/ops/groups.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static bool isInteger(MlirAttribute attr) {
  if (!mlirAttributeIsAInteger(attr))
    return false;
  MlirType type = mlirAttributeGetType(attr);
  return mlirTypeIsAInteger(type) && mlirIntegerTypeIsSignless(type) &&
         mlirIntegerTypeGetWidth(type) <= 64;
}

static bool isMatrix(MlirAttribute attr) {
  if (!mlirAttributeIsADenseIntElements(attr))
    return false;
  MlirType type = mlirAttributeGetType(attr);
  MlirType element = mlirShapedTypeGetElementType(type);
  return mlirShapedTypeGetRank(type) == 2 && mlirTypeIsAInteger(element) &&
         mlirIntegerTypeIsSignless(element) &&
         mlirIntegerTypeGetWidth(element) == 64 &&
         mlirElementsAttrGetNumElements(attr) <= XLA_MAX_GROUP_IDS &&
         mlirShapedTypeGetDimSize(type, 0) <= XLA_MAX_GROUP_IDS;
}

static bool isRow(MlirAttribute row) {
  if (mlirAttributeIsADenseI64Array(row))
    return true;
  if (!mlirAttributeIsAArray(row))
    return false;
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(row); ++i)
    if (!isInteger(mlirArrayAttrGetElement(row, i)))
      return false;
  return true;
}

static intptr_t rowSize(MlirAttribute row) {
  return mlirAttributeIsAArray(row) ? mlirArrayAttrGetNumElements(row)
                                    : mlirDenseArrayGetNumElements(row);
}

static intptr_t countIds(MlirAttribute lists) {
  intptr_t count = 0;
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(lists); ++i)
    count += rowSize(mlirArrayAttrGetElement(lists, i));
  return count;
}

bool xlaGroupsIsAttribute(MlirAttribute attr) {
  if (!mlirAttributeIsAArray(attr))
    return isMatrix(attr);
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(attr); ++i)
    if (!isRow(mlirArrayAttrGetElement(attr, i)))
      return false;
  return countIds(attr) <= XLA_MAX_GROUP_IDS;
}

static bool allocate(XlaGroups *groups, intptr_t count, intptr_t ids) {
  groups->starts = calloc((size_t)count + 1, sizeof *groups->starts);
  groups->ids = calloc((size_t)ids + 1, sizeof *groups->ids);
  if (!groups->starts || !groups->ids)
    return false;
  groups->count = count;
  return true;
}

static bool readMatrix(MlirAttribute attr, XlaGroups *groups) {
  MlirType type = mlirAttributeGetType(attr);
  intptr_t rows = (intptr_t)mlirShapedTypeGetDimSize(type, 0);
  intptr_t columns = (intptr_t)mlirShapedTypeGetDimSize(type, 1), at = 0;
  // A matrix of no columns says nothing.
  rows = columns ? rows : 0;
  if (!allocate(groups, rows, rows * columns))
    return false;
  for (intptr_t i = 0; i < rows; ++i) {
    for (intptr_t k = 0; k < columns; ++k)
      groups->ids[at + k] =
          mlirDenseElementsAttrGetInt64Value(attr, i * columns + k);
    intptr_t size = columns;
    while (size && groups->ids[at + size - 1] == -1)
      --size;
    at += size;
    groups->starts[i + 1] = at;
  }
  return true;
}

bool xlaGroupsRead(MlirAttribute attr, XlaGroups *groups) {
  *groups = (XlaGroups){.count = 0};
  if (mlirAttributeIsNull(attr))
    return allocate(groups, 0, 0);
  if (!mlirAttributeIsAArray(attr))
    return readMatrix(attr, groups);
  intptr_t rows = countIds(attr) ? mlirArrayAttrGetNumElements(attr) : 0;
  intptr_t at = 0;
  if (!allocate(groups, rows, countIds(attr)))
    return false;
  for (intptr_t i = 0; i < rows; ++i) {
    MlirAttribute row = mlirArrayAttrGetElement(attr, i);
    bool array = mlirAttributeIsAArray(row);
    for (intptr_t k = 0; k < rowSize(row); ++k)
      groups->ids[at++] =
          array ? mlirIntegerAttrGetValueInt(mlirArrayAttrGetElement(row, k))
                : mlirDenseI64ArrayGetElement(row, k);
    groups->starts[i + 1] = at;
  }
  return true;
}

void xlaGroupsDestroy(XlaGroups *groups) {
  free(groups->starts);
  free(groups->ids);
  *groups = (XlaGroups){.count = 0};
}

//===----------------------------------------------------------------------===//
// Processes
//===----------------------------------------------------------------------===//

XlaGrouping xlaGroupingOf(XlaOpKind kind, int64_t channelId,
                          bool useGlobalDeviceIds) {
  bool reduces = kind == XlaOpKindAllGather || kind == XlaOpKindAllReduce ||
                 kind == XlaOpKindReduceScatter;
  if (channelId <= 0)
    return XlaGroupingReplica;
  if (!reduces)
    return XlaGroupingPartition;
  return useGlobalDeviceIds ? XlaGroupingFlattened
                            : XlaGroupingReplicaAndPartition;
}

int64_t xlaGroupingCount(XlaGrouping grouping, int replicas, int partitions) {
  switch (grouping) {
  case XlaGroupingPartition:
    return partitions;
  case XlaGroupingFlattened:
    return (int64_t)replicas * partitions;
  case XlaGroupingReplica:
  case XlaGroupingReplicaAndPartition:
    break;
  }
  return replicas;
}

const char *xlaGroupingNoun(XlaGrouping grouping) {
  return grouping == XlaGroupingPartition   ? "partitions"
         : grouping == XlaGroupingFlattened ? "processes"
                                            : "replicas";
}

typedef struct Grid {
  XlaGrouping grouping;
  int replicas, partitions, replica, partition;
} Grid;

/// Adds the process that `id` stands for in a group of one partition or one
/// replica; `partition` is for groups of all partitions.
static int addProcess(const Grid *grid, int64_t id, int partition, int *members,
                      int count) {
  int64_t process = id;
  if (id < 0 ||
      id >= xlaGroupingCount(grid->grouping, grid->replicas, grid->partitions))
    return count;
  if (grid->grouping == XlaGroupingReplica)
    process = id * grid->partitions + grid->partition;
  else if (grid->grouping == XlaGroupingPartition)
    process = (int64_t)grid->replica * grid->partitions + id;
  else if (grid->grouping == XlaGroupingReplicaAndPartition)
    process = id * grid->partitions + partition;
  if (count < grid->replicas * grid->partitions)
    members[count++] = (int)process;
  return count;
}

/// The members of a group of `size` numbers; NULL stands for 0, 1, 2 ..
static int addGroup(const Grid *grid, intptr_t size, const int64_t *ids,
                    int *members) {
  int count = 0;
  int rounds =
      grid->grouping == XlaGroupingReplicaAndPartition ? grid->partitions : 1;
  for (int partition = 0; partition < rounds; ++partition)
    for (intptr_t i = 0; i < size; ++i)
      count = addProcess(grid, ids ? ids[i] : i, partition, members, count);
  return count;
}

int xlaGroupsFindProcesses(const XlaGroups *groups, XlaGrouping grouping,
                           int replicas, int partitions, int replica,
                           int partition, int *members) {
  Grid grid = {grouping, replicas, partitions, replica, partition};
  int own = replica * partitions + partition;
  if (!groups->count)
    return addGroup(&grid,
                    (intptr_t)xlaGroupingCount(grouping, replicas, partitions),
                    NULL, members);
  for (intptr_t i = 0; i < groups->count; ++i) {
    intptr_t start = groups->starts[i];
    int count = addGroup(&grid, groups->starts[i + 1] - start,
                         groups->ids + start, members);
    for (int k = 0; k < count; ++k)
      if (members[k] == own)
        return count;
  }
  return 0;
}
