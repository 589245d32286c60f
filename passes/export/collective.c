//===- collective.c - Operations between replicas -------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Without replica_groups everybody is in one: where results depend on how many
// that are, StableHLO wants the numbers.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/export/internal.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "xlac/dialect/ops/groups.h"
#include "xlac/passes/flatten.h"

#include <stdlib.h>

/// The arrays that operands consist of.
typedef struct Leaves {
  intptr_t n;
  MlirValue *values;
  MlirType *types;
} Leaves;

static MlirValue elementOf(XlaIr *ir, MlirValue tuple, intptr_t i) {
  XlaIrAttr index = {"index", xlaIrI64Attr(ir->context, i)};
  return xlaIrOp(ir, "xla.get_tuple_element",
                 mlirTupleTypeGetType(mlirValueGetType(tuple), i), 1, &tuple, 1,
                 &index);
}

/// Of operands that are arrays or tuples of arrays. False without memory; to be
/// freed in any case.
static bool flatten(XlaIr *ir, MlirOperation op, Leaves *leaves) {
  intptr_t most = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    most +=
        xlaTypeCountLeaves(mlirValueGetType(mlirOperationGetOperand(op, i)));
  *leaves = (Leaves){0, malloc(((size_t)most + 1) * sizeof(MlirValue)),
                     malloc(((size_t)most + 1) * sizeof(MlirType))};
  if (!leaves->values || !leaves->types)
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    MlirType type = mlirValueGetType(operand);
    intptr_t n = mlirTypeIsATuple(type) ? mlirTupleTypeGetNumTypes(type) : -1;
    if (n < 0)
      leaves->values[leaves->n++] = operand;
    for (intptr_t j = 0; j < n; ++j)
      leaves->values[leaves->n++] = elementOf(ir, operand, j);
  }
  for (intptr_t i = 0; i < leaves->n; ++i)
    leaves->types[i] = mlirValueGetType(leaves->values[i]);
  return true;
}

/// Puts what `leaves` has in the places of the results of `op`, which has them
/// as arrays or tuples.
static bool putLeaves(XlaIr *ir, MlirOperation op, const Leaves *leaves) {
  intptr_t n = mlirOperationGetNumResults(op), at = 0;
  MlirValue *values = malloc(((size_t)n + 1) * sizeof *values);
  for (intptr_t i = 0; values && i < n; ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(op, i));
    if (!mlirTypeIsATuple(type)) {
      values[i] = leaves->values[at++];
      continue;
    }
    intptr_t size = mlirTupleTypeGetNumTypes(type);
    values[i] =
        xlaIrOp(ir, "xla.tuple", type, size, leaves->values + at, 0, NULL);
    at += size;
  }
  if (values)
    xlaExportPut(op, values);
  free(values);
  return values != NULL;
}

enum { maxAttrs = 4 };

static intptr_t copyAttrs(MlirOperation op, XlaIrAttr attrs[maxAttrs]) {
  static const char *const names[maxAttrs] = {"replica_groups", "channel_id",
                                              "use_global_device_ids",
                                              "scatter_dimension"};
  intptr_t n = 0;
  for (int i = 0; i < maxAttrs; ++i) {
    MlirAttribute value = xlaOpGetAttr(op, names[i]);
    if (!mlirAttributeIsNull(value))
      attrs[n++] = (XlaIrAttr){names[i], value};
  }
  return n;
}

static MlirRegion takeRegion(MlirOperation op) {
  MlirRegion region = mlirRegionCreate();
  mlirRegionTakeBody(region, mlirOperationGetRegion(op, 0));
  return region;
}

/// The types of the arrays that the results of `op` consist of, as many as
/// `leaves` has.
static void setResultTypes(MlirOperation op, Leaves *leaves) {
  intptr_t at = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(op, i));
    if (!mlirTypeIsATuple(type))
      leaves->types[at++] = type;
    for (intptr_t j = 0;
         mlirTypeIsATuple(type) && j < mlirTupleTypeGetNumTypes(type); ++j)
      leaves->types[at++] = mlirTupleTypeGetType(type, j);
  }
}

/// An all_reduce of the arrays that the operands of `op` consist of, by
/// `region`, which it takes.
static XlaImportResult allReduce(MlirOperation op, XlaIr *ir, Leaves *leaves,
                                 MlirRegion region) {
  XlaIrAttr attrs[maxAttrs];
  intptr_t nAttrs = copyAttrs(op, attrs);
  setResultTypes(op, leaves);
  MlirOperation made =
      xlaIrCreate(ir, "xla.all_reduce", leaves->n, leaves->values, leaves->n,
                  leaves->types, nAttrs, attrs, 1, &region);
  for (intptr_t i = 0; i < leaves->n; ++i)
    leaves->values[i] = mlirOperationGetResult(made, i);
  return putLeaves(ir, op, leaves) ? XlaImportResultOk : xlaExportNoMemory(op);
}

static bool hasTuple(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (mlirTypeIsATuple(mlirValueGetType(mlirOperationGetOperand(op, i))))
      return true;
  return false;
}

XlaImportResult xlaExportAllReduce(MlirOperation op) {
  Leaves leaves;
  if (!hasTuple(op))
    return XlaImportResultOk;
  XlaIr ir = xlaIrBefore(op);
  XlaImportResult result = flatten(&ir, op, &leaves)
                               ? allReduce(op, &ir, &leaves, takeRegion(op))
                               : xlaExportNoMemory(op);
  free(leaves.values);
  free(leaves.types);
  return result;
}

XlaImportResult xlaExportCrossReplicaSum(MlirOperation op) {
  Leaves leaves;
  XlaIr ir = xlaIrBefore(op);
  XlaElementType type = XlaElementTypeInvalid;
  bool enough = flatten(&ir, op, &leaves);
  XlaImportResult result = XlaImportResultOk;
  for (intptr_t i = 0; enough && i < leaves.n; ++i) {
    XlaElementType own =
        xlaElementTypeFromMlir(mlirShapedTypeGetElementType(leaves.types[i]));
    if (type != XlaElementTypeInvalid && own != type)
      result = xlaExportRefuse(op, "of arrays of several element types");
    type = own;
  }
  if (!enough)
    result = xlaExportNoMemory(op);
  if (result == XlaImportResultOk)
    result = allReduce(op, &ir, &leaves,
                       xlaExportBinaryRegion(&ir, "xla.add", type));
  free(leaves.values);
  free(leaves.types);
  return result;
}

/// A region with copies of the operations of the one of `op`.
static MlirRegion copyRegion(XlaIr ir, MlirOperation op) {
  MlirRegion from = mlirOperationGetRegion(op, 0), to = mlirRegionCreate();
  MlirBlock old = mlirRegionGetFirstBlock(from);
  MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  mlirRegionAppendOwnedBlock(to, block);
  MlirValue arguments[2], value;
  for (int i = 0; i < 2; ++i)
    arguments[i] = mlirBlockAddArgument(
        block, mlirValueGetType(mlirBlockGetArgument(old, i)), ir.location);
  XlaIr body = xlaIrIn(ir, block);
  xlaRegionCopyBody(&body, from, arguments, &value);
  xlaIrCreate(&body, "xla.return", 1, &value, 0, NULL, 0, NULL, 0, NULL);
  return to;
}

//===----------------------------------------------------------------------===//
// Groups of everybody
//===----------------------------------------------------------------------===//

/// How many times the larger of two types is as large along `dimension`; 0 if
/// that is not known.
static int64_t ratioOf(MlirType large, MlirType small, int64_t dimension) {
  XlaShape a, b;
  if (!xlaShapeFromMlir(large, &a, NULL) || !xlaShapeFromMlir(small, &b, NULL))
    return 0;
  return b.dims[dimension] ? a.dims[dimension] / b.dims[dimension] : 0;
}

/// How many are in the group that `op` works in, by its attributes or types; 0
/// if these do not say.
static int64_t groupSizeOf(MlirOperation op) {
  MlirType operand = mlirValueGetType(mlirOperationGetOperand(op, 0));
  MlirType result = mlirValueGetType(mlirOperationGetResult(op, 0));
  XlaOpKind kind = xlaOpGetKind(op);
  int64_t count = kind == XlaOpKindAllToAll ? xlaOpGetI64(op, "split_count", 0)
                                            : xlaOpGetI64(op, "shard_count", 0);
  if (count || kind == XlaOpKindAllToAll)
    return count;
  return kind == XlaOpKindAllGather
             ? ratioOf(result, operand, xlaOpGetI64(op, "all_gather_dim", 0))
             : ratioOf(operand, result,
                       xlaOpGetI64(op, "scatter_dimension", 0));
}

static bool hasGroups(MlirOperation op) {
  XlaGroups groups;
  bool has = xlaGroupsRead(xlaOpGetAttr(op, "replica_groups"), &groups) &&
             groups.count;
  xlaGroupsDestroy(&groups);
  return has;
}

XlaImportResult xlaExportGroups(MlirOperation op) {
  if (hasGroups(op))
    return XlaImportResultOk;
  int64_t count = groupSizeOf(op);
  XlaGrouping grouping =
      xlaGroupingOf(xlaOpGetKind(op), xlaOpGetI64(op, "channel_id", 0),
                    xlaOpIsTrue(op, "use_global_device_ids"));
  if (count < 1 || count > XLA_MAX_GROUP_IDS ||
      grouping == XlaGroupingReplicaAndPartition)
    return xlaExportRefuse(op, "it has no replica_groups, and does not say how "
                               "many replicas there are");
  int64_t *ids = malloc((size_t)count * sizeof *ids);
  if (!ids)
    return xlaExportNoMemory(op);
  for (int64_t i = 0; i < count; ++i)
    ids[i] = i;
  const int64_t dims[] = {1, count};
  MlirType type = mlirRankedTensorTypeGet(
      2, dims, mlirIntegerTypeGet(mlirOperationGetContext(op), 64),
      mlirAttributeGetNull());
  mlirOperationSetAttributeByName(
      op, mlirStringRefCreateFromCString("replica_groups"),
      mlirDenseElementsAttrInt64Get(type, count, ids));
  free(ids);
  return XlaImportResultOk;
}

/// StableHLO's takes one operand.
XlaImportResult xlaExportReduceScatter(MlirOperation op) {
  intptr_t n = mlirOperationGetNumOperands(op);
  XlaImportResult result = xlaExportGroups(op);
  if (n == 1 || result != XlaImportResultOk)
    return result;
  XlaIrAttr attrs[maxAttrs];
  intptr_t nAttrs = copyAttrs(op, attrs);
  XlaIr ir = xlaIrBefore(op);
  MlirValue *values = malloc(((size_t)n + 1) * sizeof *values);
  if (!values)
    return xlaExportNoMemory(op);
  for (intptr_t i = 0; i < n; ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    MlirType type = mlirValueGetType(mlirOperationGetResult(op, i));
    MlirRegion region = copyRegion(ir, op);
    values[i] = mlirOperationGetResult(xlaIrCreate(&ir, "xla.reduce_scatter", 1,
                                                   &operand, 1, &type, nAttrs,
                                                   attrs, 1, &region),
                                       0);
  }
  xlaExportPut(op, values);
  free(values);
  return XlaImportResultOk;
}
