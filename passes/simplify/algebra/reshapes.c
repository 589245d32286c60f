//===- reshapes.c - Rules on reshapes -------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/ops/indexed_windows.h"
#include "xlac/passes/arrays.h"
#include "xlac/passes/simplify/algebra/internal.h"

#include "mlir-c/BuiltinAttributes.h"

/// A slice, and the same of a reshaped array.
typedef struct Slices {
  XlaShape whole, part; ///< before, and of the result
  XlaI64List starts, strides;
  int64_t dims[XLA_MAX_RANK]; ///< of the reshaped array
  int64_t newStarts[XLA_MAX_RANK], newLimits[XLA_MAX_RANK],
      newStrides[XLA_MAX_RANK];
} Slices;

/// Dimensions `from` to `to` - 1 of the slice become `first` to `last` - 1 of
/// `result`, with as many elements. Only the first may be a part of one, which
/// then lies in one piece.
static bool readGroup(Slices *s, int from, int to, const XlaShape *result,
                      int first, int last) {
  int64_t rest = 1, inner = 1;
  for (int d = from + 1; d < to; ++d) {
    if (s->part.dims[d] != s->whole.dims[d])
      return false;
    rest *= s->part.dims[d];
  }
  for (int d = first + 1; d < last; ++d) {
    inner *= result->dims[d];
    s->dims[d] = s->newLimits[d] = result->dims[d];
    s->newStarts[d] = 0;
    s->newStrides[d] = 1;
  }
  bool isOne = to == from + 1 && last == first + 1;
  int64_t stride = s->strides.values[from];
  int64_t start = s->starts.values[from], elements;
  if (!inner || (stride != 1 && !isOne) ||
      __builtin_mul_overflow(s->whole.dims[from], rest, &elements) ||
      elements % inner || start * rest % inner)
    return false;
  s->dims[first] = elements / inner;
  s->newStarts[first] = start * rest / inner;
  s->newLimits[first] =
      s->newStarts[first] + (result->dims[first] - 1) * stride + 1;
  s->newStrides[first] = stride;
  return true;
}

/// Reads the fewest dimensions of both that have the same elements, group by
/// group.
static bool readGroups(Slices *s, const XlaShape *result) {
  int from = 0, first = 0;
  while (from < s->part.rank && first < result->rank) {
    int to = from + 1, last = first + 1;
    int64_t before = s->part.dims[from], after = result->dims[first];
    while (before != after) {
      if (before < after && to < s->part.rank)
        before *= s->part.dims[to++];
      else if (after < before && last < result->rank)
        after *= result->dims[last++];
      else
        return false;
    }
    while (to < s->part.rank && last == result->rank && s->part.dims[to] == 1)
      ++to;
    while (last < result->rank && to == s->part.rank && result->dims[last] == 1)
      ++last;
    if (!readGroup(s, from, to, result, first, last))
      return false;
    from = to;
    first = last;
  }
  return from == s->part.rank && first == result->rank;
}

static bool isOfProducts(MlirValue value) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  bool isUsed = !mlirOpOperandIsNull(use);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (xlaOpGetKind(mlirOpOperandGetOwner(use)) != XlaOpKindDotGeneral)
      return false;
  return isUsed;
}

bool xlaAlgebraReshapeSlice(XlaIr *ir, MlirOperation op, MlirValue *results) {
  Slices s;
  XlaShape result;
  int64_t elements;
  MlirValue part = mlirOperationGetOperand(op, 0);
  MlirOperation slice = xlaAlgebraDefinedBy(part, XlaOpKindSlice);
  if (mlirOperationIsNull(slice) ||
      !isOfProducts(mlirOperationGetResult(op, 0)) || !xlaIrHasOneUse(part) ||
      !xlaAlgebraShape(mlirOperationGetResult(op, 0), &result) ||
      !xlaAlgebraShape(part, &s.part) ||
      !xlaAlgebraShape(mlirOperationGetOperand(slice, 0), &s.whole) ||
      !xlaShapeGetElementCount(&result, &elements) || !elements ||
      !xlaOpGetList(slice, "start_indices", &s.starts))
    return false;
  xlaOpGetListOr(slice, "strides", s.part.rank, 1, &s.strides);
  if (!readGroups(&s, &result))
    return false;
  MlirValue whole = xlaArrayReshape(ir, mlirOperationGetOperand(slice, 0),
                                    result.rank, s.dims);
  results[0] = xlaArraySlice(ir, whole, s.newStarts, s.newLimits, s.newStrides);
  return true;
}

//===----------------------------------------------------------------------===//
// Concatenations
//===----------------------------------------------------------------------===//

/// Whether elements keep their order when the dimensions are permuted.
static bool keepsOrder(const XlaShape *shape, const XlaI64List *permutation) {
  int64_t last = -1;
  for (int i = 0; i < permutation->size; ++i) {
    int64_t d = permutation->values[i];
    if (shape->dims[d] == 1)
      continue;
    if (d < last)
      return false;
    last = d;
  }
  return true;
}

bool xlaAlgebraTransposeConcatenate(XlaIr *ir, MlirOperation op,
                                    MlirValue *results) {
  MlirValue whole = mlirOperationGetOperand(op, 0);
  MlirOperation parts = xlaAlgebraDefinedBy(whole, XlaOpKindConcatenate);
  XlaI64List permutation;
  XlaShape shape;
  if (mlirOperationIsNull(parts) || !xlaIrHasOneUse(whole) ||
      !xlaAlgebraShape(mlirOperationGetResult(op, 0), &shape) ||
      !xlaOpGetList(op, "permutation", &permutation))
    return false;
  intptr_t n = mlirOperationGetNumOperands(parts);
  for (intptr_t i = 0; i < n; ++i)
    if (!xlaAlgebraShape(mlirOperationGetOperand(parts, i), &shape) ||
        !keepsOrder(&shape, &permutation))
      return false;
  int64_t along = 0;
  while (permutation.values[along] != xlaOpGetI64(parts, "dimension", 0))
    ++along;
  MlirOperation made = mlirOperationClone(parts);
  for (intptr_t i = 0; i < n; ++i) {
    int64_t dims[XLA_MAX_RANK];
    MlirValue part = mlirOperationGetOperand(parts, i);
    xlaAlgebraShape(part, &shape);
    for (int d = 0; d < shape.rank; ++d)
      dims[d] = shape.dims[permutation.values[d]];
    mlirOperationSetOperand(made, i,
                            xlaArrayReshape(ir, part, shape.rank, dims));
  }
  mlirOperationSetAttributeByName(made,
                                  mlirStringRefCreateFromCString("dimension"),
                                  xlaIrI64Attr(ir->context, along));
  results[0] = mlirOperationGetResult(made, 0);
  mlirValueSetType(results[0], mlirValueGetType(mlirOperationGetResult(op, 0)));
  mlirBlockInsertOwnedOperationBefore(ir->block, ir->before, made);
  return true;
}

//===----------------------------------------------------------------------===//
// Gathers
//===----------------------------------------------------------------------===//

/// A gather, and the same without dimensions of size 1 of its result.
typedef struct Gathers {
  XlaIndexedWindows windows;
  XlaShape result, indices;
  int nDims; ///< of the indices that are left
  int64_t offset[XLA_MAX_RANK], collapsed[XLA_MAX_RANK];
  int nOffset, nCollapsed;
  bool isDropped[XLA_MAX_RANK]; ///< dimensions of the indices
} Gathers;

static int find(const XlaI64List *list, int64_t value) {
  int i = 0;
  while (i < list->size && list->values[i] != value)
    ++i;
  return i < list->size ? i : -1;
}

/// Takes dimension `d` of the result out. Those of the indices that go with
/// dimensions of the operand stay.
static bool drop(Gathers *g, int d) {
  int at = find(&g->windows.batch, d);
  if (at < 0) {
    int64_t from = g->windows.window.values[find(&g->windows.offset, d)];
    int i = g->nCollapsed++;
    for (; i && g->collapsed[i - 1] > from; --i)
      g->collapsed[i] = g->collapsed[i - 1];
    g->collapsed[i] = from;
    return true;
  }
  int64_t from = g->windows.indexBatch.values[at];
  if (find(&g->windows.indexBatching, from) >= 0)
    return false;
  return g->isDropped[from] = true;
}

static bool dropAll(Gathers *g, const XlaShape *to) {
  int k = 0;
  for (int i = 0; i < g->windows.collapsed.size; ++i)
    g->collapsed[g->nCollapsed++] = g->windows.collapsed.values[i];
  for (int d = 0; d < g->result.rank; ++d) {
    if (k < to->rank && to->dims[k] == g->result.dims[d]) {
      if (find(&g->windows.offset, d) >= 0)
        g->offset[g->nOffset++] = k;
      ++k;
    } else if (g->result.dims[d] != 1 || !drop(g, d)) {
      return false;
    }
  }
  return k == to->rank;
}

/// The indices without the dimensions that are dropped, and the numbers of
/// those that are left.
static MlirValue indicesOf(XlaIr *ir, Gathers *g, MlirValue indices,
                           int64_t *numbers) {
  int64_t dims[XLA_MAX_RANK];
  g->nDims = 0;
  for (int d = 0; d < g->indices.rank; ++d) {
    numbers[d] = g->nDims;
    if (!g->isDropped[d])
      dims[g->nDims++] = g->indices.dims[d];
  }
  numbers[g->indices.rank] = g->nDims; // of a vector that is not there
  return xlaArrayReshape(ir, indices, g->nDims, dims);
}

bool xlaAlgebraReshapeGather(XlaIr *ir, MlirOperation op, MlirValue *results) {
  Gathers g = {.nDims = 0};
  XlaShape to;
  int64_t numbers[XLA_MAX_RANK + 1], batching[XLA_MAX_RANK];
  MlirValue whole = mlirOperationGetOperand(op, 0);
  MlirOperation gather = xlaAlgebraDefinedBy(whole, XlaOpKindGather);
  if (mlirOperationIsNull(gather) || !xlaIrHasOneUse(whole) ||
      !xlaAlgebraShape(mlirOperationGetResult(op, 0), &to) ||
      !xlaAlgebraShape(whole, &g.result) || to.rank >= g.result.rank ||
      !xlaAlgebraShape(mlirOperationGetOperand(gather, 1), &g.indices))
    return false;
  xlaIndexedWindowsGet(gather, &g.windows);
  if (!dropAll(&g, &to))
    return false;
  MlirValue indices =
      indicesOf(ir, &g, mlirOperationGetOperand(gather, 1), numbers);
  for (int i = 0; i < g.windows.indexBatching.size; ++i)
    batching[i] = numbers[g.windows.indexBatching.values[i]];
  XlaIrAttr attrs[] = {
      {"offset_dims", mlirDenseI64ArrayGet(ir->context, g.nOffset, g.offset)},
      {"collapsed_slice_dims",
       mlirDenseI64ArrayGet(ir->context, g.nCollapsed, g.collapsed)},
      {"operand_batching_dims",
       mlirDenseI64ArrayGet(ir->context, g.windows.batching.size,
                            g.windows.batching.values)},
      {"start_indices_batching_dims",
       mlirDenseI64ArrayGet(ir->context, g.windows.indexBatching.size,
                            batching)},
      {"start_index_map",
       mlirDenseI64ArrayGet(ir->context, g.windows.startMap.size,
                            g.windows.startMap.values)},
      {"index_vector_dim",
       xlaIrI64Attr(ir->context, numbers[g.windows.vectorDim])},
      {"slice_sizes", xlaOpGetAttr(gather, "slice_sizes")},
      {"indices_are_sorted", xlaOpGetAttr(gather, "indices_are_sorted")}};
  bool hasSorted = !mlirAttributeIsNull(attrs[7].value);
  results[0] =
      xlaIrOp(ir, "xla.gather", mlirValueGetType(mlirOperationGetResult(op, 0)),
              2, (MlirValue[]){mlirOperationGetOperand(gather, 0), indices},
              hasSorted ? 8 : 7, attrs);
  return true;
}
