//===- collective.c - Operations between devices --------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An operation between devices is one on the values that they have: what a
// group makes together is made once, and again only for groups that have other
// values.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/ops/groups.h"
#include "xlac/passes/partition/expand.h"
#include "xlac/passes/partition/unknown.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum Kind {
  KindNone,
  KindPartitionId,
  KindReplicaId,
  KindAllReduce,
  KindAllGather,
  KindReduceScatter,
  KindAllToAll,
  KindBroadcast,
  KindPermute,
} Kind;

static Kind kindOf(MlirOperation op) {
  static const struct {
    const char *name;
    Kind kind;
  } kinds[] = {
      {"stablehlo.partition_id", KindPartitionId},
      {"stablehlo.replica_id", KindReplicaId},
      {"stablehlo.all_reduce", KindAllReduce},
      {"stablehlo.all_gather", KindAllGather},
      {"stablehlo.reduce_scatter", KindReduceScatter},
      {"stablehlo.all_to_all", KindAllToAll},
      {"xla.all_to_all", KindAllToAll}, // of ragged ones, see partition.c
      {"stablehlo.collective_broadcast", KindBroadcast},
      {"stablehlo.collective_permute", KindPermute},
  };
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i)
    if (xlaIrIsOp(op, kinds[i].name))
      return kinds[i].kind;
  return KindNone;
}

bool xlaExpandIsCollective(MlirOperation op) { return kindOf(op) != KindNone; }

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

static MlirAttribute attribute(MlirOperation op, const char *name) {
  return mlirOperationGetAttributeByName(op,
                                         mlirStringRefCreateFromCString(name));
}

/// `#stablehlo.channel_handle<handle = 1, type = 1>`, or xla's number; 0
/// without.
static int64_t channelOf(MlirOperation op) {
  MlirAttribute attr = attribute(op, "channel_handle");
  MlirAttribute number = attribute(op, "channel_id");
  if (!mlirAttributeIsNull(number) && mlirAttributeIsAInteger(number))
    return mlirIntegerAttrGetValueInt(number);
  long long handle = 0;
  char text[100];
  if (mlirAttributeIsNull(attr) || !mlirAttributeIsAOpaque(attr))
    return 0;
  MlirStringRef data = mlirOpaqueAttrGetData(attr);
  snprintf(text, sizeof text, "%.*s",
           (int)(data.length < 90 ? data.length : 90), data.data);
  const char *at = strstr(text, "handle = ");
  return at && sscanf(at, "handle = %lld", &handle) == 1 ? handle : 0;
}

static bool isTrue(MlirOperation op, const char *name) {
  MlirAttribute attr = attribute(op, name);
  return !mlirAttributeIsNull(attr) &&
         (!mlirAttributeIsABool(attr) || mlirBoolAttrGetValue(attr));
}

/// A dimension of the operands; -1 if there is no such.
static int64_t dimensionOf(MlirOperation op, const char *name) {
  MlirAttribute attr = attribute(op, name);
  if (mlirAttributeIsNull(attr) || !mlirAttributeIsAInteger(attr))
    return -1;
  int64_t value = mlirIntegerAttrGetValueInt(attr);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetOperand(op, i));
    if (value < 0 || value >= xlaExpandRank(type))
      return -1;
  }
  return value;
}

static XlaGrouping groupingOf(Kind kind, MlirOperation op) {
  int64_t channel = channelOf(op);
  if (kind == KindAllToAll || kind == KindBroadcast || kind == KindPermute)
    return channel > 0 ? XlaGroupingPartition : XlaGroupingReplica;
  if (channel <= 0)
    return XlaGroupingReplica;
  return isTrue(op, "use_global_device_ids") ? XlaGroupingFlattened
                                             : XlaGroupingReplicaAndPartition;
}

//===----------------------------------------------------------------------===//
// What groups make
//===----------------------------------------------------------------------===//

typedef struct Collective {
  XlaExpansion *x;
  MlirOperation op;
  Kind kind;
  XlaIr *ir;
  int n; ///< members
  int *members;
  int64_t dimension, other; ///< of gathers and scatters; to concatenate
} Collective;

/// Whether the region is one operation of its two arguments, in their order.
static bool isOne(MlirOperation op, MlirOperation *inner) {
  static const char *const names[] = {"add", "multiply", "maximum", "minimum",
                                      "and", "or",       "xor"};
  static const char *const dialects[] = {"stablehlo.", "xla."};
  MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
  *inner = mlirBlockGetFirstOperation(block);
  if (mlirOperationIsNull(*inner) || mlirOperationGetNumOperands(*inner) != 2 ||
      mlirOperationGetNumResults(*inner) != 1)
    return false;
  MlirOperation end = mlirOperationGetNextInBlock(*inner);
  bool isKnown = false;
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(*inner));
  for (size_t i = 0; i < 2; ++i) {
    size_t length = strlen(dialects[i]);
    if (!xlaIrHasPrefix(*inner, dialects[i]))
      continue;
    for (size_t k = 0; k < sizeof names / sizeof *names; ++k)
      isKnown |= name.length == length + strlen(names[k]) &&
                 !memcmp(name.data + length, names[k], name.length - length);
  }
  return isKnown && !mlirOperationIsNull(end) &&
         mlirOperationGetNumOperands(end) == 1 &&
         mlirValueEqual(mlirOperationGetOperand(end, 0),
                        mlirOperationGetResult(*inner, 0)) &&
         mlirValueEqual(mlirOperationGetOperand(*inner, 0),
                        mlirBlockGetArgument(block, 0)) &&
         mlirValueEqual(mlirOperationGetOperand(*inner, 1),
                        mlirBlockGetArgument(block, 1));
}

/// `a` and `b` by the region, element by element.
static MlirValue combine(Collective *c, MlirValue a, MlirValue b) {
  MlirValue operands[] = {a, b};
  MlirType type = mlirValueGetType(a);
  MlirOperation inner;
  if (isOne(c->op, &inner)) {
    MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(inner));
    char text[64];
    snprintf(text, sizeof text, "%.*s", (int)name.length, name.data);
    return xlaIrOp(c->ir, text, type, 2, operands, 0, NULL);
  }
  int64_t dims[XLA_MAX_RANK];
  intptr_t rank = mlirShapedTypeGetRank(type);
  for (intptr_t d = 0; d < rank; ++d)
    dims[d] = d;
  MlirOperation copy = mlirOperationClone(c->op);
  MlirRegion region = mlirRegionCreate();
  mlirRegionTakeBody(region, mlirOperationGetRegion(copy, 0));
  mlirOperationDestroy(copy);
  XlaIrAttr attr = {"dimensions",
                    mlirDenseI64ArrayGet(c->ir->context, rank, dims)};
  return mlirOperationGetResult(xlaIrCreate(c->ir, "stablehlo.map", 2, operands,
                                            1, &type, 1, &attr, 1, &region),
                                0);
}

static MlirValue reduce(Collective *c, const MlirValue *values) {
  MlirValue sum = values[c->members[0]];
  for (int m = 1; m < c->n; ++m)
    sum = combine(c, sum, values[c->members[m]]);
  return sum;
}

/// Part `m` of as many as there are members.
static MlirValue partOf(Collective *c, MlirValue value, int m) {
  return xlaExpandPartAlong(c->ir, value, c->dimension, c->n, m);
}

/// What the group makes of the values of an operand, for each member.
static bool makeTogether(Collective *c, const MlirValue *values,
                         MlirValue *results) {
  MlirValue *list = xlaExpandAllocate(c->x, (size_t)c->n, sizeof *list);
  MlirValue whole = {NULL};
  if (!list)
    return false;
  if (c->kind == KindAllReduce || c->kind == KindReduceScatter)
    whole = reduce(c, values);
  if (c->kind == KindBroadcast)
    whole = values[c->members[0]];
  if (c->kind == KindAllGather) {
    for (int m = 0; m < c->n; ++m)
      list[m] = values[c->members[m]];
    whole = xlaExpandConcatenate(c->ir, c->n, list, c->dimension);
  }
  for (int m = 0; m < c->n; ++m) {
    MlirValue *result = &results[c->members[m]];
    *result = whole;
    if (c->kind == KindReduceScatter)
      *result = partOf(c, whole, m);
    if (c->kind == KindAllToAll) {
      for (int k = 0; k < c->n; ++k)
        list[k] = partOf(c, values[c->members[k]], m);
      *result = xlaExpandConcatenate(c->ir, c->n, list, c->other);
    }
  }
  return true;
}

/// `*size`, if it is known, becomes `n` times as large or small; false if it
/// cannot be divided.
static bool scale(int64_t *size, int64_t n, bool grows) {
  if (mlirShapedTypeIsDynamicSize(*size))
    return true;
  bool fits = grows || *size % n == 0;
  *size = grows ? *size * n : *size / n;
  return fits;
}

/// Gathers and scatters have a dimension that members share. Sizes that are not
/// known fit any.
static bool checkSizes(Collective *c, const MlirValue *values,
                       MlirType wanted) {
  MlirType type = mlirValueGetType(values[0]);
  int64_t from[XLA_MAX_RANK];
  int rank = xlaExpandRank(type);
  if (rank < 0 || xlaExpandRank(wanted) < 0)
    return xlaExpandUnsupported(c->x, c->op,
                                "is not of arrays of at most 32 dimensions");
  for (int d = 0; d < rank; ++d)
    from[d] = mlirShapedTypeGetDimSize(type, d);
  bool fits = rank == xlaExpandRank(wanted);
  if (c->kind == KindAllGather)
    fits &= scale(&from[c->dimension], c->n, true);
  if (c->kind == KindReduceScatter || c->kind == KindAllToAll)
    fits &= scale(&from[c->dimension], c->n, false);
  if (c->kind == KindAllToAll)
    fits &= scale(&from[c->other], c->n, true);
  for (int d = 0; fits && d < rank; ++d) {
    int64_t to = mlirShapedTypeGetDimSize(wanted, d);
    fits = from[d] == to || mlirShapedTypeIsDynamicSize(from[d]) ||
           mlirShapedTypeIsDynamicSize(to);
  }
  return fits || xlaExpandInvalid(c->x, c->op,
                                  "has a result that is not what a group "
                                  "of its size makes");
}

/// Groups with the same values make the same; the first member of the one that
/// did, or -1.
static int findAlike(Collective *c, const MlirValue *values,
                     int *const *members, const int *sizes, int device) {
  for (int i = 0; i < device; ++i) {
    bool isAlike = members[i] && sizes[i] == c->n;
    for (int m = 0; isAlike && m < c->n; ++m)
      isAlike = xlaExpandSame(values[members[i][m]], values[c->members[m]]);
    if (isAlike)
      return i;
  }
  return -1;
}

static MlirValue zerosLike(Collective *c, intptr_t operand) {
  MlirValue like = mlirOperationGetOperand(c->op, operand);
  if (xlaExpandIsUnknown(mlirValueGetType(like))) // its result has its sizes
    return xlaExpandZerosLike(c->ir, xlaExpandOperand(c->x, c->op, operand)[0]);
  return xlaExpandNumber(
      c->ir, mlirValueGetType(mlirOperationGetResult(c->op, operand)), 0);
}

/// One operand, and one result.
static bool expandOperand(Collective *c, const XlaGroups *groups,
                          intptr_t operand) {
  XlaExpansion *x = c->x;
  size_t n = (size_t)x->nDevices;
  MlirType type = mlirValueGetType(mlirOperationGetResult(c->op, operand));
  const MlirValue *values = xlaExpandOperand(x, c->op, operand);
  MlirValue *results = xlaExpandAllocate(x, n, sizeof *results);
  int **members = xlaExpandAllocate(x, n, sizeof *members);
  int *sizes = xlaExpandAllocate(x, n, sizeof *sizes);
  if (!values || !results || !members || !sizes)
    return false;
  for (int d = 0; d < x->nDevices; ++d) {
    if (results[d].ptr)
      continue;
    c->members = xlaExpandAllocate(x, n, sizeof *c->members);
    if (!c->members)
      return false;
    c->n = xlaGroupsFindProcesses(groups, groupingOf(c->kind, c->op),
                                  x->replicas, x->partitions, d / x->partitions,
                                  d % x->partitions, c->members);
    if (!c->n) { // in no group
      results[d] = zerosLike(c, operand);
      continue;
    }
    if (!checkSizes(c, values, type))
      return false;
    int alike = findAlike(c, values, members, sizes, d);
    members[d] = c->members;
    sizes[d] = c->n;
    if (alike < 0 && !makeTogether(c, values, results))
      return false;
    for (int m = 0; alike >= 0 && m < c->n; ++m)
      results[c->members[m]] = results[members[alike][m]];
  }
  return xlaExpandDefine(x, mlirOperationGetResult(c->op, operand), results,
                         NULL, NULL);
}

static bool expandGroups(Collective *c) {
  XlaGroups groups = {0};
  bool done = xlaGroupsRead(attribute(c->op, "replica_groups"), &groups) ||
              xlaExpandNoMemory(c->x, c->op);
  for (intptr_t i = 0; done && i < mlirOperationGetNumOperands(c->op); ++i)
    done = expandOperand(c, &groups, i);
  xlaGroupsDestroy(&groups);
  return done;
}

//===----------------------------------------------------------------------===//
// From one device to another
//===----------------------------------------------------------------------===//

static int countPermuted(const Collective *c) {
  return groupingOf(c->kind, c->op) == XlaGroupingPartition ? c->x->partitions
                                                            : c->x->replicas;
}

/// Whether pairs are of devices that there are, each of which gets one value.
static bool checkPairs(Collective *c, const XlaGroups *pairs) {
  int count = countPermuted(c);
  bool *isTarget = xlaExpandAllocate(c->x, (size_t)count, sizeof *isTarget);
  if (!isTarget)
    return false;
  for (intptr_t i = 0; i < pairs->count; ++i) {
    const int64_t *pair = pairs->ids + pairs->starts[i];
    if (pairs->starts[i + 1] - pairs->starts[i] != 2 || pair[0] < 0 ||
        pair[0] >= count || pair[1] < 0 || pair[1] >= count ||
        isTarget[pair[1]])
      return xlaExpandInvalid(c->x, c->op,
                              "has source_target_pairs that are not of "
                              "different devices that there are");
    isTarget[pair[1]] = true;
  }
  return true;
}

/// The device whose value `device` gets; -1 for none.
static int sourceOf(const Collective *c, const XlaGroups *pairs, int device) {
  const XlaExpansion *x = c->x;
  int replica = device / x->partitions, partition = device % x->partitions;
  bool isPartition = groupingOf(c->kind, c->op) == XlaGroupingPartition;
  for (intptr_t i = 0; i < pairs->count; ++i) {
    const int64_t *pair = pairs->ids + pairs->starts[i];
    if (pair[1] != (isPartition ? partition : replica))
      continue;
    return isPartition ? replica * x->partitions + (int)pair[0]
                       : (int)pair[0] * x->partitions + partition;
  }
  return -1;
}

static bool expandPermute(Collective *c) {
  XlaExpansion *x = c->x;
  XlaGroups pairs = {0};
  bool done = xlaGroupsRead(attribute(c->op, "source_target_pairs"), &pairs) ||
              xlaExpandNoMemory(x, c->op);
  done = done && checkPairs(c, &pairs);
  for (intptr_t k = 0; done && k < mlirOperationGetNumOperands(c->op); ++k) {
    MlirValue *values = xlaExpandOperand(x, c->op, k);
    MlirValue *results =
        xlaExpandAllocate(x, (size_t)x->nDevices, sizeof *results);
    MlirValue zeros = {NULL};
    done = values && results;
    for (int d = 0; done && d < x->nDevices; ++d) {
      int source = sourceOf(c, &pairs, d);
      if (source < 0 && !zeros.ptr)
        zeros = zerosLike(c, k);
      results[d] = source < 0 ? zeros : values[source];
    }
    done = done && xlaExpandDefine(x, mlirOperationGetResult(c->op, k), results,
                                   NULL, NULL);
  }
  xlaGroupsDestroy(&pairs);
  return done;
}

/// Devices that are the same replica, or partition, have the same number.
static bool expandNumber(Collective *c) {
  XlaExpansion *x = c->x;
  MlirValue *results =
      xlaExpandAllocate(x, (size_t)x->nDevices, sizeof *results);
  MlirValue result = mlirOperationGetResult(c->op, 0);
  if (!results)
    return false;
  for (int d = 0; d < x->nDevices; ++d) {
    int partition = d % x->partitions, replica = d / x->partitions;
    bool isPartition = c->kind == KindPartitionId;
    int number = isPartition ? partition : replica;
    int first = isPartition ? partition : replica * x->partitions;
    results[d] = first < d
                     ? results[first]
                     : xlaExpandNumber(c->ir, mlirValueGetType(result), number);
  }
  return xlaExpandDefine(x, result, results, NULL, NULL);
}

bool xlaExpandCollective(XlaExpansion *x, MlirOperation op, XlaIr *ir) {
  Collective c = {.x = x, .op = op, .kind = kindOf(op), .ir = ir};
  bool isNumber = c.kind == KindPartitionId || c.kind == KindReplicaId;
  intptr_t nResults = mlirOperationGetNumResults(op);
  if (isNumber ? nResults != 1 : nResults != mlirOperationGetNumOperands(op))
    return xlaExpandInvalid(x, op, "has not as many results as operands");
  if (isNumber)
    return expandNumber(&c);
  if (c.kind == KindPermute)
    return expandPermute(&c);
  if (c.kind == KindAllGather)
    c.dimension = dimensionOf(op, "all_gather_dim");
  if (c.kind == KindReduceScatter)
    c.dimension = dimensionOf(op, "scatter_dimension");
  if (c.kind == KindAllToAll) {
    c.dimension = dimensionOf(op, "split_dimension");
    c.other = dimensionOf(op, "concat_dimension");
  }
  if (c.dimension < 0 || c.other < 0)
    return xlaExpandInvalid(x, op, "has no dimension of that number");
  if ((c.kind == KindAllReduce || c.kind == KindReduceScatter) &&
      (mlirOperationGetNumRegions(op) != 1 ||
       mlirBlockIsNull(
           mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0))) ||
       mlirBlockGetNumArguments(
           mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0))) != 2))
    return xlaExpandInvalid(x, op, "has no computation of two values");
  return expandGroups(&c);
}
