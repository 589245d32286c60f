//===- local_rules.c - Which operations can be made of parts --------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A dimension of a result can be cut if each element of it needs operands at
// the same place only. Others, as those that are summed over, have to be whole.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/partition/local.h"

#include "mlir-c/BuiltinAttributes.h"
#include "xlac/passes/partition/origins.h"

#include <string.h>

XlaOpKind xlaLocalKind(MlirOperation op) {
  if (!xlaIrHasPrefix(op, "stablehlo.") && !xlaIrHasPrefix(op, "chlo."))
    return XlaOpKindInvalid;
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  const char *dot = memchr(name.data, '.', name.length);
  return xlaOpKindFromName(dot + 1,
                           name.length - (size_t)(dot + 1 - name.data));
}

bool xlaLocalHandsOn(MlirOperation op) {
  XlaOpKind kind = xlaLocalKind(op);
  return kind == XlaOpKindWhile || kind == XlaOpKindCase || kind == XlaOpKindIf;
}

static bool shapeOf(MlirValue value, XlaShape *shape) {
  return xlaShapeFromMlir(mlirValueGetType(value), shape, NULL);
}

/// A list of integers; programs have not been verified yet.
static bool getList(MlirOperation op, const char *name, XlaI64List *list) {
  MlirAttribute attr = xlaOpGetAttr(op, name);
  return !mlirAttributeIsNull(attr) && mlirAttributeIsADenseI64Array(attr) &&
         xlaOpGetList(op, name, list);
}

/// A list of dimensions below `rank`; false if there is none.
static bool readList(MlirOperation op, const char *name, int rank,
                     XlaI64List *list) {
  if (!getList(op, name, list))
    return false;
  for (int i = 0; i < list->size; ++i)
    if (list->values[i] < 0 || list->values[i] >= rank)
      return false;
  return true;
}

/// The number of a dimension; -1 if there is none.
static int dimensionOf(MlirOperation op, const char *name) {
  MlirAttribute attr = xlaOpGetAttr(op, name);
  return !mlirAttributeIsNull(attr) && mlirAttributeIsAInteger(attr)
             ? (int)mlirIntegerAttrGetValueInt(attr)
             : -1;
}

/// Whether a list has `value` for dimension d.
static bool isAt(MlirOperation op, const char *name, int d, int64_t value) {
  XlaI64List list;
  return getList(op, name, &list) && d < list.size && list.values[d] == value;
}

static bool contains(const XlaI64List *list, int value) {
  for (int i = 0; i < list->size; ++i)
    if (list->values[i] == value)
      return true;
  return false;
}

//===----------------------------------------------------------------------===//
// Dimensions by family
//===----------------------------------------------------------------------===//

static void listDimensions(MlirOperation op, XlaOpKind kind,
                           const XlaShape *from, const XlaShape *result,
                           int *to) {
  XlaI64List list;
  const char *name = kind == XlaOpKindTranspose ? "permutation"
                     : kind == XlaOpKindReduce || kind == XlaOpKindReverse
                         ? "dimensions"
                         : "broadcast_dimensions";
  bool isBroadcast = kind == XlaOpKindBroadcastInDim;
  if (!readList(op, name, isBroadcast ? result->rank : from->rank, &list))
    return;
  if (kind == XlaOpKindTranspose) {
    for (int d = 0; d < list.size && d < result->rank; ++d)
      to[list.values[d]] = d;
  } else if (isBroadcast) {
    for (int d = 0; d < list.size && d < from->rank; ++d)
      if (from->dims[d] == result->dims[list.values[d]])
        to[d] = (int)list.values[d];
  } else {
    for (int d = 0, next = 0; d < from->rank; ++d)
      if (!contains(&list, d))
        to[d] = kind == XlaOpKindReduce ? next++ : d;
  }
}

/// Batches, what is left of the left side, and of the right one.
static void dotDimensions(MlirOperation op, intptr_t k, const XlaShape *from,
                          int *to) {
  enum { lhsBatch, lhsSummed = 2 };
  XlaStructValues dims;
  if (!xlaOriginsReadStruct(op, "dot_dimension_numbers", &dims) || k > 1)
    return;
  const XlaI64List *batch = &dims.lists[lhsBatch + k];
  const XlaI64List *summed = &dims.lists[lhsSummed + k];
  int next = batch->size;
  for (int i = 0; i < batch->size; ++i)
    if (batch->values[i] >= 0 && batch->values[i] < from->rank)
      to[batch->values[i]] = i;
  XlaShape lhs;
  if (k == 1 && shapeOf(mlirOperationGetOperand(op, 0), &lhs))
    next = lhs.rank - dims.lists[lhsSummed].size;
  for (int d = 0; d < from->rank; ++d)
    if (!contains(batch, d) && !contains(summed, d))
      to[d] = next++;
}

/// Whether all of the operand is taken along dimension d.
static bool isFull(MlirOperation op, XlaOpKind kind, int d, int64_t size) {
  if (kind == XlaOpKindSlice)
    return isAt(op, "start_indices", d, 0) &&
           isAt(op, "limit_indices", d, size) && isAt(op, "strides", d, 1);
  if (kind == XlaOpKindDynamicSlice)
    return isAt(op, "slice_sizes", d, size);
  return kind == XlaOpKindDynamicUpdateSlice ||
         (isAt(op, "edge_padding_low", d, 0) &&
          isAt(op, "edge_padding_high", d, 0) &&
          isAt(op, "interior_padding", d, 0));
}

/// Those along which all of it is taken, or of an update put in.
static void sliceDimensions(MlirOperation op, XlaOpKind kind, intptr_t k,
                            const XlaShape *from, const XlaShape *result,
                            int *to) {
  XlaShape other = *result;
  bool isUpdate = kind == XlaOpKindDynamicUpdateSlice;
  if (k > (isUpdate ? 1 : 0) || from->rank != result->rank ||
      (isUpdate && (!shapeOf(mlirOperationGetOperand(op, 1 - k), &other) ||
                    other.rank != result->rank)))
    return;
  for (int d = 0; d < from->rank; ++d)
    if (from->dims[d] == result->dims[d] && from->dims[d] == other.dims[d] &&
        isFull(op, kind, d, from->dims[d]))
      to[d] = d;
}

/// The first `n` but one. Sizes that differ, which are wrong, still do in
/// parts.
static void sameDimensions(const XlaShape *from, const XlaShape *result, int n,
                           int but, int *to) {
  for (int d = 0; d < n && from->rank == result->rank; ++d)
    if (d != but)
      to[d] = d;
}

void xlaLocalDimensions(MlirOperation op, intptr_t k, int *to) {
  XlaShape from, result;
  for (int d = 0; d < XLA_MAX_RANK; ++d)
    to[d] = -1;
  if (!mlirOperationGetNumResults(op) ||
      !shapeOf(mlirOperationGetOperand(op, k), &from) ||
      !shapeOf(mlirOperationGetResult(op, 0), &result))
    return;
  XlaOpKind kind = xlaLocalKind(op);
  if (kind == XlaOpKindInvalid)
    return;
  if (xlaOpGetInfo(kind)->family == XlaFamilyElementwise ||
      kind == XlaOpKindBitcastConvert) {
    sameDimensions(&from, &result, from.rank, -1, to);
    return;
  }
  int rest = -1;
  XlaI64List list;
  switch ((int)kind) {
  case XlaOpKindTranspose:
  case XlaOpKindBroadcastInDim:
  case XlaOpKindReverse:
    listDimensions(op, kind, &from, &result, to);
    return;
  case XlaOpKindReduce:
    if (from.rank && k < mlirOperationGetNumResults(op))
      listDimensions(op, kind, &from, &result, to);
    return;
  case XlaOpKindReshape:
    xlaOriginsOfReshape(&from, &result, to);
    return;
  case XlaOpKindDotGeneral:
    dotDimensions(op, k, &from, to);
    return;
  case XlaOpKindSlice:
  case XlaOpKindPad:
  case XlaOpKindDynamicSlice:
  case XlaOpKindDynamicUpdateSlice:
    sliceDimensions(op, kind, k, &from, &result, to);
    return;
  case XlaOpKindConcatenate:
  case XlaOpKindSort:
    sameDimensions(&from, &result, from.rank, dimensionOf(op, "dimension"), to);
    return;
  case XlaOpKindFft:
    rest = getList(op, "fft_length", &list) ? list.size : from.rank;
    break;
  case XlaOpKindCholesky:
  case XlaOpKindTriangularSolve:
    rest = 2;
    break;
  default:
    return;
  }
  sameDimensions(&from, &result, from.rank - rest, -1, to);
}

//===----------------------------------------------------------------------===//
// Shardings
//===----------------------------------------------------------------------===//

const XlaSharding *xlaLocalOfOperand(XlaLocal *l, MlirOperation op, intptr_t k,
                                     const XlaSharding *s) {
  const XlaSharding *from[XLA_MAX_RANK] = {NULL};
  int to[XLA_MAX_RANK];
  MlirType type = mlirValueGetType(mlirOperationGetOperand(op, k));
  int rank =
      mlirTypeIsARankedTensor(type) ? (int)mlirShapedTypeGetRank(type) : 0;
  bool isCut = false;
  if (!s || rank > XLA_MAX_RANK)
    return NULL;
  xlaLocalDimensions(op, k, to);
  for (int d = 0; d < rank; ++d)
    if (to[d] >= 0 && to[d] < s->rank && s->tiles[to[d]] > 1) {
      from[d] = s;
      isCut = true;
    }
  XlaSharding *made =
      isCut ? xlaShardingCompose(l->job->x.partitions, rank, from, to) : NULL;
  return made ? xlaExpandKeep(&l->job->x, made) : NULL;
}

/// Whether results have a dimension that no operand has.
static bool isNew(MlirOperation op, int d) {
  XlaOpKind kind = xlaLocalKind(op);
  if (kind == XlaOpKindConstant) {
    MlirAttribute value = xlaOpGetAttr(op, "value");
    return !mlirAttributeIsNull(value) &&
           mlirAttributeIsADenseElements(value) &&
           mlirDenseElementsAttrIsSplat(value) &&
           mlirTypeEqual(mlirAttributeGetType(value),
                         mlirValueGetType(mlirOperationGetResult(op, 0))) &&
           !mlirTypeIsAComplex(
               mlirShapedTypeGetElementType(mlirAttributeGetType(value)));
  }
  if (kind != XlaOpKindBroadcastInDim)
    return kind == XlaOpKindIota;
  XlaI64List list;
  XlaShape from;
  if (!mlirOperationGetNumOperands(op) ||
      !getList(op, "broadcast_dimensions", &list) ||
      !shapeOf(mlirOperationGetOperand(op, 0), &from))
    return false;
  for (int i = 0; i < list.size && i < from.rank; ++i)
    if (list.values[i] == d)
      return from.dims[i] == 1;
  return true;
}

bool xlaLocalAllows(MlirOperation op, const XlaSharding *s) {
  uint64_t known = 0;
  for (intptr_t k = 0; k < mlirOperationGetNumOperands(op); ++k) {
    int to[XLA_MAX_RANK];
    xlaLocalDimensions(op, k, to);
    for (int d = 0; d < XLA_MAX_RANK; ++d)
      if (to[d] >= 0 && to[d] < 64)
        known |= UINT64_C(1) << to[d];
  }
  for (int d = 0; d < s->rank; ++d)
    if (s->tiles[d] > 1 && !(known >> d & 1) && !isNew(op, d))
      return false;
  return true;
}

bool xlaLocalIsConstraint(XlaLocal *l, MlirOperation op,
                          const XlaSharding **s) {
  XlaExpansion *x = &l->job->x;
  *s = NULL;
  bool isCall = xlaExpandIsCallTo(op, "Sharding");
  if (!isCall && !xlaIrIsOp(op, "sdy.sharding_constraint") &&
      !xlaIrIsOp(op, "sdy.reshard"))
    return false;
  if (mlirOperationGetNumOperands(op) != 1 ||
      mlirOperationGetNumResults(op) != 1 ||
      !(isCall ? xlaShardingOfCall(x, op, s)
               : xlaShardingOfConstraint(x, op, s)) ||
      !*s)
    return true;
  for (int d = 0; d < (*s)->rank; ++d)
    if ((*s)->open[d] || (*s)->isOpen) {
      *s = NULL;
      break;
    }
  return true;
}

static bool isManual(MlirOperation op) {
  return xlaIrIsOp(op, "sdy.manual_computation");
}

const XlaSharding *xlaLocalOfExit(XlaLocal *l, MlirOperation op, intptr_t i) {
  return isManual(op) || xlaExpandIsCallTo(op, "xla.sdy.LocalToGlobalShape")
             ? xlaShardingOfManual(&l->job->x, op, "out_shardings", i)
             : NULL;
}

const XlaSharding *xlaLocalOfEntry(XlaLocal *l, MlirOperation op, intptr_t i) {
  return isManual(op) || xlaExpandIsCallTo(op, "xla.sdy.GlobalToLocalShape")
             ? xlaShardingOfManual(&l->job->x, op, "in_shardings", i)
             : NULL;
}
