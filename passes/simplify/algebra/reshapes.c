//===- reshapes.c - Rules on reshapes -------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/arrays.h"
#include "xlac/passes/simplify/algebra/internal.h"

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
      !isOfProducts(mlirOperationGetResult(op, 0)) ||
      !mlirOpOperandIsNull(
          mlirOpOperandGetNextUse(mlirValueGetFirstUse(part))) ||
      !xlaAlgebraShape(mlirOperationGetResult(op, 0), &result) ||
      !xlaAlgebraShape(part, &s.part) ||
      !xlaAlgebraShape(mlirOperationGetOperand(slice, 0), &s.whole) ||
      !xlaShapeGetElementCount(&result, &elements) || !elements ||
      !xlaOpGetList(slice, "start_indices", &s.starts) ||
      !xlaOpGetList(slice, "strides", &s.strides) || !readGroups(&s, &result))
    return false;
  MlirValue whole = xlaArrayReshape(ir, mlirOperationGetOperand(slice, 0),
                                    result.rank, s.dims);
  results[0] = xlaArraySlice(ir, whole, s.newStarts, s.newLimits, s.newStrides);
  return true;
}
