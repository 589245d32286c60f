//===- collective.c - Operations between replicas -------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types and rules. How many replicas take part is known only when the program
// runs; where groups are left out, the stated results tell what it must be.
// Evaluation is in dialect/interpret/collective.c.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/family.h"
#include "xlac/dialect/ops/collective_internal.h"
#include "xlac/dialect/result_internal.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>
#include <string.h>

const XlaCollectiveRules *xlaCollectiveRulesGet(XlaOpKind kind) {
  static const XlaCollectiveRules rows[] = {
      {XlaOpKindAllGather, "all_gather_c2", "all_gather_c3", "all_gather_c4",
       "all_gather_c5", "all_gather_c7", NULL, "all_gather_c6"},
      {XlaOpKindAllReduce, "all_reduce_c1", "all_reduce_c2", "all_reduce_c3",
       "all_reduce_c4", NULL, "all_reduce_c5", NULL},
      {XlaOpKindAllToAll, "all_to_all_c5", "all_to_all_c6", "all_to_all_c7",
       NULL, "all_to_all_c8", NULL, "all_to_all_c8"},
      {XlaOpKindCollectiveBroadcast, "collective_broadcast_c1", NULL,
       "collective_broadcast_c2", NULL, NULL, NULL, NULL},
      {XlaOpKindCrossReplicaSum, "cross_replica_sum_c1", "cross_replica_sum_c2",
       "cross_replica_sum_c3", NULL, NULL, NULL, NULL},
      {XlaOpKindReduceScatter, "reduce_scatter_c3", "reduce_scatter_c4",
       "reduce_scatter_c5", "reduce_scatter_c6", "reduce_scatter_c10",
       "reduce_scatter_c7", "reduce_scatter_c8"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    if (rows[i].kind == kind)
      return &rows[i];
  return NULL;
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

static int compareIds(const void *a, const void *b) {
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

/// Whether a number is there twice, and which.
static MlirLogicalResult checkUnique(const XlaOpView *view, const char *label,
                                     const char *what, intptr_t n,
                                     const int64_t *ids) {
  int64_t *sorted = malloc(((size_t)n + 1) * sizeof *sorted);
  if (!sorted)
    return xlaViewError(view, NULL, "could not be verified: out of memory");
  memcpy(sorted, ids, (size_t)n * sizeof *sorted);
  qsort(sorted, (size_t)n, sizeof *sorted, compareIds);
  MlirLogicalResult result = success();
  for (intptr_t i = 1; i < n && !failed(result); ++i)
    if (sorted[i] == sorted[i - 1])
      result = xlaViewError(view, label, "%s has %lld twice", what,
                            (long long)sorted[i]);
  free(sorted);
  return result;
}

static MlirLogicalResult checkIds(const XlaOpView *view,
                                  const XlaCollectiveRules *rules,
                                  const XlaGroups *groups) {
  intptr_t n = groups->starts[groups->count];
  for (intptr_t i = 0; i < n; ++i) {
    if (groups->ids[i] < 0)
      return xlaViewError(view, rules->range,
                          "replica_groups has %lld, which is negative",
                          (long long)groups->ids[i]);
    if (rules->count && groups->ids[i] >= n)
      return xlaViewError(view, rules->range,
                          "replica_groups has %lld, and %lld numbers in all",
                          (long long)groups->ids[i], (long long)n);
  }
  return checkUnique(view, rules->unique, "replica_groups", n, groups->ids);
}

/// The size of each group in `*size`, if the attributes tell; else -1.
static MlirLogicalResult checkSizes(const XlaOpView *view,
                                    const XlaCollectiveRules *rules,
                                    const XlaGroups *groups, int64_t *size) {
  static const char *const names[] = {"shard_count", "split_count"};
  int64_t channel = xlaViewGetI64(view, "channel_id", 0);
  MlirAttribute global = xlaViewGetAttr(view, "use_global_device_ids");
  bool isGlobal = !mlirAttributeIsNull(global) && mlirBoolAttrGetValue(global);
  *size = -1;
  if (isGlobal && channel <= 0)
    return xlaViewError(view, rules->channel,
                        "use_global_device_ids needs a channel_id above 0, "
                        "which is %lld",
                        (long long)channel);
  if (!rules->size)
    return success();
  int64_t each = groups->count ? groups->starts[1] : -1;
  for (intptr_t i = 1; i < groups->count; ++i)
    if (groups->starts[i + 1] - groups->starts[i] != each)
      return xlaViewError(
          view, rules->size, "group 0 has %lld numbers, group %lld %lld",
          (long long)each, (long long)i,
          (long long)(groups->starts[i + 1] - groups->starts[i]));
  // Groups of all partitions are larger than what they list.
  if (xlaGroupingOf(view->kind, channel, isGlobal) !=
      XlaGroupingReplicaAndPartition)
    *size = each;
  for (int i = 0; i < 2; ++i) {
    int64_t count = xlaViewGetI64(view, names[i], -1);
    if (mlirAttributeIsNull(xlaViewGetAttr(view, names[i])))
      continue;
    if (*size >= 0 && count != *size)
      return xlaViewError(view, rules->size,
                          "%s is %lld, the groups have %lld numbers each",
                          names[i], (long long)count, (long long)*size);
    if (count <= 0)
      return xlaViewError(view, rules->size, "%s is %lld, must be positive",
                          names[i], (long long)count);
    *size = count;
  }
  return success();
}

static MlirLogicalResult checkGroups(const XlaOpView *view, int64_t *size) {
  const XlaCollectiveRules *rules = xlaCollectiveRulesGet(view->kind);
  XlaGroups groups;
  MlirLogicalResult result =
      xlaGroupsRead(xlaViewGetAttr(view, "replica_groups"), &groups)
          ? checkIds(view, rules, &groups)
          : xlaViewError(view, NULL, "could not be verified: out of memory");
  if (!failed(result))
    result = checkSizes(view, rules, &groups, size);
  xlaGroupsDestroy(&groups);
  return result;
}

//===----------------------------------------------------------------------===//
// The computation of all_reduce and reduce_scatter
//===----------------------------------------------------------------------===//

/// The region combines two scalars of `*type`.
static MlirLogicalResult checkComputation(const XlaOpView *view,
                                          XlaElementType *type) {
  const char *label = xlaCollectiveRulesGet(view->kind)->computation;
  MlirBlock block = mlirRegionGetFirstBlock(view->regions[0]);
  MlirOperation terminator;
  XlaShape shape;
  xlaRegionGetReturn(view->regions[0], &terminator);
  intptr_t nArguments = mlirBlockGetNumArguments(block);
  intptr_t nReturned = mlirOperationGetNumOperands(terminator);
  if (nArguments != 2 || nReturned != 1)
    return xlaViewError(view, label,
                        "the region takes %lld scalars and returns %lld, must "
                        "take 2 and return 1",
                        (long long)nArguments, (long long)nReturned);
  MlirType returned = mlirValueGetType(mlirOperationGetOperand(terminator, 0));
  if (!xlaShapeFromMlir(returned, &shape, NULL) || shape.rank)
    return xlaViewError(view, label, "the region returns %s, not a scalar",
                        XLA_TYPE_TEXT(returned));
  for (intptr_t i = 0; i < 2; ++i) {
    MlirType argument = mlirValueGetType(mlirBlockGetArgument(block, i));
    if (!xlaTypeEqualIgnoringLayout(argument, returned))
      return xlaViewError(
          view, label, "argument %lld of the region is %s, its result %s",
          (long long)i, XLA_TYPE_TEXT(argument), XLA_TYPE_TEXT(returned));
  }
  *type = shape.elementType;
  return success();
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

typedef struct Inference {
  XlaOpView *view;
  int64_t size;               ///< of groups; -1: not known
  XlaElementType accumulator; ///< of the region; Invalid: there is none
  /// Where sizes change: how many times larger, or smaller, a dimension gets.
  int64_t grows, shrinks; ///< dimensions; -1: none
} Inference;

/// The number of replicas that makes `stated` of `operand`; 1 if none does.
static int64_t sizeFromStated(const Inference *inference,
                              const XlaShape *operand, MlirType stated) {
  XlaShape result;
  bool grows = inference->grows >= 0;
  int64_t d = grows ? inference->grows : inference->shrinks;
  if (!xlaShapeFromMlirBounded(stated, &result, NULL) ||
      result.rank != operand->rank)
    return 1;
  int64_t large = grows ? result.dims[d] : operand->dims[d];
  int64_t small = grows ? operand->dims[d] : result.dims[d];
  return small > 0 && large % small == 0 && large ? large / small : 1;
}

/// Sizes that one process alone knows cannot be split or joined.
static MlirLogicalResult checkStatic(const Inference *inference,
                                     const XlaShape *shape, int64_t d) {
  if (d < 0 || !xlaShapeIsDynamic(shape, d))
    return success();
  return xlaViewError(inference->view, "dynamic",
                      "dimension %lld of the operand is dynamic, so it cannot "
                      "be split or joined",
                      (long long)d);
}

static MlirLogicalResult checkDivision(const Inference *inference,
                                       const XlaShape *shape, int64_t size) {
  int64_t d = inference->shrinks;
  if (d < 0 || shape->dims[d] % size == 0)
    return success();
  return xlaViewError(inference->view,
                      inference->view->kind == XlaOpKindAllToAll
                          ? "all_to_all_c2"
                          : "reduce_scatter_c1",
                      "dimension %lld of %s cannot be split into %lld parts",
                      (long long)d, XLA_SHAPE_TEXT(shape), (long long)size);
}

static MlirLogicalResult checkRange(const Inference *inference,
                                    const XlaShape *shape, const char *name,
                                    int64_t d, const char *label) {
  if (d >= 0 && d < shape->rank)
    return success();
  return xlaViewError(inference->view, label,
                      "%s is %lld, the operand is %s, of rank %d", name,
                      (long long)d, XLA_SHAPE_TEXT(shape), shape->rank);
}

static MlirLogicalResult checkDimensions(Inference *inference,
                                         const XlaShape *shape) {
  XlaOpView *view = inference->view;
  inference->grows = inference->shrinks = -1;
  if (view->kind == XlaOpKindAllGather) {
    inference->grows = xlaViewGetI64(view, "all_gather_dim", 0);
    return checkRange(inference, shape, "all_gather_dim", inference->grows,
                      "all_gather_c1");
  }
  if (view->kind == XlaOpKindReduceScatter) {
    inference->shrinks = xlaViewGetI64(view, "scatter_dimension", 0);
    return checkRange(inference, shape, "scatter_dimension", inference->shrinks,
                      "reduce_scatter_c2");
  }
  if (view->kind != XlaOpKindAllToAll)
    return success();
  inference->shrinks = xlaViewGetI64(view, "split_dimension", 0);
  inference->grows = xlaViewGetI64(view, "concat_dimension", 0);
  if (failed(checkRange(inference, shape, "split_dimension", inference->shrinks,
                        "all_to_all_c1")))
    return failure();
  return checkRange(inference, shape, "concat_dimension", inference->grows,
                    "all_to_all_c3");
}

/// The result for the array `shape`, which is stated as `stated`.
static MlirLogicalResult inferArray(Inference *inference, MlirType stated,
                                    XlaShape *shape) {
  XlaOpView *view = inference->view;
  XlaElementType to = inference->accumulator;
  int64_t count;
  if (failed(checkDimensions(inference, shape)) ||
      failed(checkStatic(inference, shape, inference->grows)) ||
      failed(checkStatic(inference, shape, inference->shrinks)))
    return failure();
  if (to && !xlaElementTypeIsPromotable(shape->elementType, to))
    return xlaViewError(view, xlaCollectiveRulesGet(view->kind)->computation,
                        "an operand is %s, whose elements cannot be combined "
                        "as %s",
                        XLA_SHAPE_TEXT(shape), xlaElementTypeGetInfo(to)->name);
  if (inference->grows >= 0 || inference->shrinks >= 0) {
    int64_t size = inference->size >= 0
                       ? inference->size
                       : sizeFromStated(inference, shape, stated);
    if (failed(checkDivision(inference, shape, size)))
      return failure();
    if (inference->shrinks >= 0)
      shape->dims[inference->shrinks] /= size;
    if (inference->grows >= 0 &&
        __builtin_mul_overflow(shape->dims[inference->grows], size,
                               &shape->dims[inference->grows]))
      shape->dims[inference->grows] = INT64_MAX;
  }
  if (to)
    shape->elementType = to;
  if (!xlaShapeGetElementCount(shape, &count))
    return xlaViewError(view, NULL, "the result %s is larger than 2^62 bytes",
                        XLA_SHAPE_TEXT(shape));
  return success();
}

static bool takesTuples(XlaOpKind kind) {
  return kind == XlaOpKindAllReduce || kind == XlaOpKindReduceScatter ||
         kind == XlaOpKindCrossReplicaSum;
}

/// The elements of a tuple one by one.
static MlirLogicalResult inferTuple(Inference *inference, MlirType operand,
                                    MlirType stated) {
  XlaOpView *view = inference->view;
  intptr_t n = mlirTupleTypeGetNumTypes(operand);
  bool same = mlirTypeIsATuple(stated) && mlirTupleTypeGetNumTypes(stated) == n;
  MlirType *types = malloc(((size_t)n + 1) * sizeof *types);
  MlirLogicalResult result = success();
  if (!types)
    return xlaViewError(view, NULL, "could not be verified: out of memory");
  if (!n)
    result =
        xlaViewError(view, "collective_tuple", "the operand is an empty tuple");
  for (intptr_t i = 0; i < n && !failed(result); ++i) {
    XlaShape shape;
    MlirType element = mlirTupleTypeGetType(operand, i);
    if (!xlaShapeFromMlirBounded(element, &shape, NULL))
      result = xlaViewError(view, "collective_tuple",
                            "element %lld of the operand is %s, not an array",
                            (long long)i, XLA_TYPE_TEXT(element));
    else
      result = inferArray(
          inference, same ? mlirTupleTypeGetType(stated, i) : element, &shape);
    if (!failed(result))
      types[i] = xlaShapeToMlirBounded(&shape, view->context);
  }
  if (!failed(result))
    xlaViewAppendResult(view, mlirTupleTypeGet(view->context, n, types));
  free(types);
  return result;
}

static MlirLogicalResult inferResults(Inference *inference) {
  XlaOpView *view = inference->view;
  for (intptr_t i = 0; i < view->nOperands; ++i) {
    MlirType operand = view->operands[i];
    MlirType stated =
        i < view->nStatedResults ? view->statedResults[i] : operand;
    XlaShape shape;
    if (mlirTypeIsATuple(operand) && takesTuples(view->kind)) {
      if (failed(inferTuple(inference, operand, stated)))
        return failure();
      continue;
    }
    if (failed(xlaViewGetBounded(view, i, &shape)) ||
        failed(inferArray(inference, stated, &shape)))
      return failure();
    xlaViewAppendBounded(view, &shape);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// Sources, or targets, of pairs.
static MlirLogicalResult checkPairs(const XlaOpView *view,
                                    const XlaGroups *pairs, int end,
                                    const char *what, const char *label) {
  int64_t *ids = malloc(((size_t)pairs->count + 1) * sizeof *ids);
  if (!ids)
    return xlaViewError(view, NULL, "could not be verified: out of memory");
  for (intptr_t i = 0; i < pairs->count; ++i)
    ids[i] = pairs->ids[2 * i + end];
  MlirLogicalResult result = checkUnique(view, label, what, pairs->count, ids);
  free(ids);
  return result;
}

static MlirLogicalResult checkAllPairs(const XlaOpView *view,
                                       const XlaGroups *pairs) {
  for (intptr_t i = 0; i < pairs->count; ++i) {
    intptr_t size = pairs->starts[i + 1] - pairs->starts[i];
    if (size != 2)
      return xlaViewError(view, "collective_permute_c1",
                          "entry %lld of source_target_pairs has %lld numbers, "
                          "must have a source and a target",
                          (long long)i, (long long)size);
  }
  for (intptr_t i = 0; i < pairs->starts[pairs->count]; ++i)
    if (pairs->ids[i] < 0)
      return xlaViewError(view, "collective_permute_c4",
                          "source_target_pairs has %lld, which is negative",
                          (long long)pairs->ids[i]);
  if (failed(checkPairs(view, pairs, 0, "the sources of source_target_pairs",
                        "collective_permute_c2")))
    return failure();
  return checkPairs(view, pairs, 1, "the targets of source_target_pairs",
                    "collective_permute_c3");
}

static MlirLogicalResult inferPermute(XlaOpView *view) {
  XlaGroups pairs;
  XlaShape shape;
  MlirLogicalResult result =
      xlaGroupsRead(xlaViewGetAttr(view, "source_target_pairs"), &pairs)
          ? checkAllPairs(view, &pairs)
          : xlaViewError(view, NULL, "could not be verified: out of memory");
  xlaGroupsDestroy(&pairs);
  if (failed(result) || failed(xlaViewGetBounded(view, 0, &shape)))
    return failure();
  xlaViewAppendBounded(view, &shape);
  return success();
}

MlirLogicalResult xlaCollectiveInfer(XlaOpView *view) {
  Inference inference = {.view = view, .grows = -1, .shrinks = -1};
  if (view->kind == XlaOpKindReplicaId || view->kind == XlaOpKindPartitionId) {
    XlaShape shape = {.elementType = XlaElementTypeU32};
    xlaViewAppendShape(view, &shape);
    return success();
  }
  if (view->kind == XlaOpKindCollectivePermute)
    return inferPermute(view);
  if (view->kind == XlaOpKindAllToAll &&
      xlaViewGetI64(view, "split_count", 0) <= 0)
    return xlaViewError(view, "all_to_all_c4",
                        "split_count is %lld, must be positive",
                        (long long)xlaViewGetI64(view, "split_count", 0));
  if (failed(checkGroups(view, &inference.size)))
    return failure();
  if (view->nRegions && failed(checkComputation(view, &inference.accumulator)))
    return failure();
  return inferResults(&inference);
}
