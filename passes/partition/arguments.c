//===- arguments.c - Parts that come and go ------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/partition/job.h"
#include "xlac/passes/partition/shardings_of.h"
#include "xlac/passes/partition/unknown.h"

#include <string.h>

static const XlaSharding *replicated(XlaPartitionJob *job, MlirType type) {
  int rank = xlaExpandRank(type);
  XlaSharding *made = xlaShardingCreate(job->x.partitions, rank < 0 ? 0 : rank);
  if (made)
    return xlaExpandKeep(&job->x, made);
  xlaExpandNoMemory(&job->x, job->function);
  return NULL;
}

/// The type of a part; null after an error.
static MlirType partType(XlaPartitionJob *job, MlirType type,
                         const XlaSharding *s) {
  int64_t dims[XLA_MAX_RANK];
  if (xlaShardingIsReplicated(s))
    return type;
  if (!xlaExpandDivide(s, type, dims)) {
    xlaExpandUnsupported(&job->x, job->function,
                         "has an argument or result whose parts on the devices "
                         "are not of one size");
    return (MlirType){NULL};
  }
  return mlirRankedTensorTypeGet(
      s->rank, dims, mlirShapedTypeGetElementType(type), (MlirAttribute){NULL});
}

/// The first device of the replica of `device` that has the same part.
static int firstWithPart(const XlaPartitionJob *job, const XlaSharding *s,
                         int device) {
  int partitions = job->x.partitions, partition = device % partitions, i = 0;
  while (!xlaShardingIsSamePart(s, i, partition))
    ++i;
  return device - partition + i;
}

/// Argument `i` from the new ones, which are `all` in the order of
/// XlaPartition.
static bool defineArgument(XlaPartitionJob *job, intptr_t i,
                           const MlirValue *all, XlaIr *ir) {
  XlaExpansion *x = &job->x;
  size_t n = (size_t)x->nDevices;
  MlirValue *parts = xlaExpandAllocate(x, n, sizeof *parts);
  MlirValue *whole = xlaExpandAllocate(x, n, sizeof *whole);
  const XlaSharding *s = job->in[i];
  if (!parts || !whole)
    return false;
  for (int d = 0; d < x->nDevices; ++d)
    parts[d] = all[d * job->nIn + i];
  if (xlaExpandIsUnknown(mlirValueGetType(parts[0])))
    xlaExpandCheckSame(ir, x->nDevices, parts);
  for (int d = 0; d < x->nDevices; ++d)
    parts[d] = all[firstWithPart(job, s, d) * job->nIn + i];
  return xlaExpandJoin(x, job->function, ir, parts, s, whole) &&
         xlaExpandDefine(x, mlirBlockGetArgument(job->body, i), whole,
                         xlaShardingIsReplicated(s) ? NULL : s, parts);
}

/// Argument `i` of device d is the one numbered d * job->nIn + i; NULL without
/// memory.
static MlirValue *addArguments(XlaPartitionJob *job, const MlirType *types) {
  intptr_t n = job->nIn * job->x.nDevices;
  MlirValue *all = xlaExpandAllocate(&job->x, (size_t)n, sizeof *all);
  for (intptr_t k = 0; all && k < n; ++k)
    all[k] = mlirBlockAddArgument(job->newBody, types[k % job->nIn],
                                  mlirOperationGetLocation(job->function));
  return all;
}

bool xlaPartitionMakeLocalArguments(XlaPartitionJob *job) {
  XlaExpansion *x = &job->x;
  MlirType *types = xlaExpandAllocate(x, (size_t)job->nIn, sizeof *types);
  for (intptr_t i = 0; types && i < job->nIn; ++i)
    types[i] = mlirValueGetType(mlirBlockGetArgument(job->body, i));
  MlirValue *all = types ? addArguments(job, types) : NULL;
  if (!all)
    return false;
  for (intptr_t i = 0; i < job->nIn; ++i) {
    MlirValue *parts = xlaExpandAllocate(x, (size_t)x->nDevices, sizeof *parts);
    if (!parts)
      return false;
    for (int d = 0; d < x->nDevices; ++d)
      parts[d] = all[firstWithPart(job, job->in[i], d) * job->nIn + i];
    if (!xlaExpandDefine(x, mlirBlockGetArgument(job->body, i), parts, NULL,
                         NULL))
      return false;
  }
  return true;
}

bool xlaPartitionMakeArguments(XlaPartitionJob *job, XlaIr *ir) {
  XlaExpansion *x = &job->x;
  MlirType *types = xlaExpandAllocate(x, (size_t)job->nIn, sizeof *types);
  if (!types)
    return false;
  for (intptr_t i = 0; i < job->nIn; ++i)
    if (!xlaShardingOfAttributes(
            x, job->function, xlaPartitionAttributesOf(job, "arg_attrs", i),
            mlirValueGetType(mlirBlockGetArgument(job->body, i)), &job->in[i]))
      return false;
  if (!xlaPartitionWantArguments(job))
    return false;
  for (intptr_t i = 0; i < job->nIn; ++i) {
    MlirType type = mlirValueGetType(mlirBlockGetArgument(job->body, i));
    if (!job->in[i] && !(job->in[i] = replicated(job, type)))
      return false;
    types[i] = partType(job, type, job->in[i]);
    if (mlirTypeIsNull(types[i]))
      return false;
  }
  MlirValue *all = addArguments(job, types);
  if (!all)
    return false;
  for (intptr_t i = 0; i < job->nIn; ++i)
    if (!defineArgument(job, i, all, ir))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// `s` without partial sums, cut by as many axes as sizes can be divided by.
static const XlaSharding *divisible(XlaPartitionJob *job, const XlaSharding *s,
                                    MlirType type) {
  XlaExpansion *x = &job->x;
  const XlaSharding *from[XLA_MAX_RANK];
  int dimensions[XLA_MAX_RANK];
  if (xlaExpandRank(type) != s->rank)
    return replicated(job, type);
  for (int d = 0; d < s->rank; ++d) {
    int64_t n =
        mlirShapedTypeIsDynamicDim(type, d)
            ? 1
            : xlaShardingDivide(s, d, mlirShapedTypeGetDimSize(type, d));
    dimensions[d] = d;
    from[d] = n == 1 ? NULL : s;
    if (n == 1 || n == s->tiles[d])
      continue;
    XlaSharding *coarse = xlaShardingCoarsen(s, d, n);
    from[d] = coarse ? xlaExpandKeep(x, coarse) : NULL;
    if (!from[d]) {
      xlaExpandNoMemory(x, job->function);
      return NULL;
    }
  }
  XlaSharding *made =
      xlaShardingCompose(x->partitions, s->rank, from, dimensions);
  if (made)
    return xlaExpandKeep(x, made);
  xlaExpandNoMemory(x, job->function);
  return NULL;
}

/// How result `i` lies.
static const XlaSharding *chooseSharding(XlaPartitionJob *job, intptr_t i,
                                         const XlaExpandValue *value,
                                         MlirType type) {
  const XlaSharding *said = NULL;
  if (!xlaShardingOfAttributes(&job->x, job->function,
                               xlaPartitionAttributesOf(job, "res_attrs", i),
                               type, &said))
    return NULL;
  if (said && !said->isOpen)
    return said;
  return value->sharding ? divisible(job, value->sharding, type)
                         : replicated(job, type);
}

/// Result `i` of each device; equal ones are one result.
static void keepParts(XlaPartitionJob *job, intptr_t i,
                      const MlirValue *parts) {
  intptr_t first = job->nResults;
  for (int d = 0; d < job->x.nDevices; ++d) {
    intptr_t k = first;
    while (k < job->nResults && !xlaExpandSame(job->results[k], parts[d]))
      ++k;
    if (k == job->nResults)
      job->results[job->nResults++] = parts[d];
    job->partition->outputs[d * job->nOut + i] = k;
  }
}

static bool makeResult(XlaPartitionJob *job, MlirOperation end, intptr_t i,
                       XlaIr *ir) {
  XlaExpansion *x = &job->x;
  MlirType type = mlirValueGetType(mlirOperationGetOperand(end, i));
  XlaExpandValue *found = xlaExpandGet(x, end, mlirOperationGetOperand(end, i));
  MlirValue *parts = xlaExpandAllocate(x, (size_t)x->nDevices, sizeof *parts);
  if (!found || !parts)
    return false;
  XlaExpandValue value = *found;
  job->out[i] = chooseSharding(job, i, &value, type);
  if (!job->out[i] || mlirTypeIsNull(partType(job, type, job->out[i])) ||
      !xlaExpandSplit(x, job->function, ir, &value, job->out[i], parts))
    return false;
  keepParts(job, i, parts);
  return true;
}

bool xlaPartitionMakeLocalResults(XlaPartitionJob *job, MlirOperation end) {
  for (intptr_t i = 0; i < job->nOut; ++i) {
    const MlirValue *parts = xlaExpandOperand(&job->x, end, i);
    if (!parts)
      return false;
    keepParts(job, i, parts);
  }
  return true;
}

bool xlaPartitionMakeResults(XlaPartitionJob *job, MlirOperation end,
                             XlaIr *ir) {
  for (intptr_t i = 0; i < job->nOut; ++i)
    if (!makeResult(job, end, i, ir))
      return false;
  return true;
}
