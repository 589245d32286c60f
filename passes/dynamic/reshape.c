//===- reshape.c - Reshapes of arrays with sizes --------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A reshape keeps the order of the elements that are there. If they lie
// together, because only the outermost dimension of a group has a size, that of
// the arrays of bounds does; else every element is looked for.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/dynamic/bounded_internal.h"

#include "xlac/dialect/ops/dynamic_reshape.h"
#include "xlac/dialect/result_internal.h"

#include "mlir-c/BuiltinAttributes.h"

#include <string.h>

static uint32_t bitsOf(int from, int to) {
  return (uint32_t)(((UINT64_C(1) << to) - 1) & ~((UINT64_C(1) << from) - 1));
}

/// Whether nothing but the outermost dimension of [from, to) has a size.
static bool liesTogether(const XlaShape *shape, int from, int to) {
  while (from < to && shape->dims[from] == 1 && !xlaShapeIsDynamic(shape, from))
    ++from;
  return !(shape->dynamic & bitsOf(from + 1, to > from ? to : from + 1));
}

/// The number of elements in dimensions [from, to) but `except`.
static MlirValue countElements(XlaIr *ir, const XlaBounded *value, int from,
                               int to, int except) {
  int64_t known = 1;
  MlirValue count = {NULL};
  for (int d = from; d < to; ++d) {
    if (d == except)
      continue;
    if (!value->sizes[d].ptr)
      known *= value->shape.dims[d];
    else
      count = count.ptr
                  ? xlaIrBinary(ir, "xla.multiply", count, value->sizes[d])
                  : value->sizes[d];
  }
  if (!count.ptr)
    return xlaBoundedNumber(ir, known);
  return known == 1 ? count
                    : xlaIrBinary(ir, "xla.multiply", count,
                                  xlaBoundedNumber(ir, known));
}

/// The size of the only dynamic dimension of a group in the result. `*together`
/// tells whether the elements of both sides lie together.
static MlirLogicalResult boundGroup(XlaBoundedOp *b, const XlaBounded *operand,
                                    const XlaReshapeGroup *g,
                                    XlaBounded *result, bool *together) {
  uint32_t from = operand->shape.dynamic & bitsOf(g->from, g->fromEnd);
  uint32_t to = result->shape.dynamic & bitsOf(g->to, g->toEnd);
  if (!from && !to)
    return success();
  int d = __builtin_ctz(to); // the rules of the operation leave one
  int64_t inner = 1;
  for (int i = g->to; i < g->toEnd; ++i)
    inner *= i == d ? 1 : result->shape.dims[i];
  *together = *together && liesTogether(&operand->shape, g->from, g->fromEnd) &&
              liesTogether(&result->shape, g->to, g->toEnd);
  MlirValue count = countElements(&b->ir, operand, g->from, g->fromEnd, -1);
  result->sizes[d] = count;
  if (inner == 1)
    return success();
  MlirValue divisor = xlaBoundedNumber(&b->ir, inner);
  result->sizes[d] = xlaIrBinary(&b->ir, "xla.divide", count, divisor);
  // All of a static dimension that is a multiple leaves nothing.
  int64_t rest = 1;
  for (int i = g->from; i < g->fromEnd; ++i)
    rest *= operand->sizes[i].ptr ? 1 : operand->shape.dims[i];
  if (rest % inner == 0)
    return success();
  return xlaBoundedCheck(
      b, XlaBoundedEqual, xlaIrBinary(&b->ir, "xla.remainder", count, divisor),
      xlaBoundedNumber(&b->ir, 0), "dynamic",
      "%%d elements are left over, must be %%d, where dimension %d of the "
      "result takes %lld each",
      d, (long long)inner);
}

/// `a` of an array with a scalar on the right.
static MlirValue withScalar(XlaIr *ir, const char *name, MlirValue a,
                            MlirValue scalar) {
  scalar = xlaArrayConvert(ir, scalar, xlaArrayShape(a).elementType);
  return xlaIrBinary(ir, name, a, xlaArraySplat(ir, scalar, a));
}

/// The number in row-major order that each position of `result` has among the
/// elements that are there, in 64 bits if `isWide`.
static MlirValue numberElements(XlaIr *ir, const XlaBounded *result,
                                bool isWide) {
  XlaShape shape = result->shape;
  shape.elementType = isWide ? XlaElementTypeS64 : XlaElementTypeS32;
  MlirType type = xlaShapeToMlir(&shape, ir->context);
  MlirValue number = {NULL};
  for (int d = 0; d < shape.rank; ++d) {
    MlirValue index =
        xlaIrOp(ir, "xla.iota", type, 0, NULL, 1,
                &(XlaIrAttr){"iota_dimension", xlaIrI64Attr(ir->context, d)});
    if (number.ptr) {
      number =
          withScalar(ir, "xla.multiply", number, xlaBoundedSize(ir, result, d));
      number = xlaIrBinary(ir, "xla.add", number, index);
    } else {
      number = index;
    }
  }
  return number;
}

/// Where the elements of these numbers lie in the array of `operand`'s bounds.
static MlirValue placeElements(XlaIr *ir, const XlaBounded *operand,
                               MlirValue number) {
  MlirValue place = {NULL};
  int64_t stride = 1;
  for (int d = operand->shape.rank - 1; d >= 0; --d) {
    // Sizes of 0 have no elements: any place will do.
    MlirValue size =
        xlaIrBinary(ir, "xla.maximum", xlaBoundedSize(ir, operand, d),
                    xlaBoundedNumber(ir, 1));
    MlirValue index = withScalar(ir, "xla.remainder", number, size);
    index = xlaIrBinary(ir, "xla.multiply", index,
                        xlaArrayInteger(ir, index, (uint64_t)stride));
    place = place.ptr ? xlaIrBinary(ir, "xla.add", place, index) : index;
    number = withScalar(ir, "xla.divide", number, size);
    stride *= operand->shape.dims[d];
  }
  return place;
}

/// Whether elements of either array have numbers of more than 32 bits.
static bool isWide(const XlaBounded *operand, const XlaBounded *result) {
  int64_t from = 0, to = 0;
  xlaShapeGetElementCount(&operand->shape, &from);
  xlaShapeGetElementCount(&result->shape, &to);
  return from > INT32_MAX || to > INT32_MAX;
}

/// Looks for every element.
static MlirValue findElements(XlaIr *ir, const XlaBounded *operand,
                              const XlaBounded *result) {
  int64_t count = 1, zero = 0, one = 1;
  for (int d = 0; d < operand->shape.rank; ++d)
    count *= operand->shape.dims[d];
  MlirValue operands[2] = {
      xlaArrayReshape(ir, operand->array, 1, &count),
      placeElements(ir, operand,
                    numberElements(ir, result, isWide(operand, result)))};
  XlaIrAttr attrs[] = {
      {"offset_dims", mlirDenseI64ArrayGet(ir->context, 0, NULL)},
      {"collapsed_slice_dims", mlirDenseI64ArrayGet(ir->context, 1, &zero)},
      {"start_index_map", mlirDenseI64ArrayGet(ir->context, 1, &zero)},
      {"index_vector_dim", xlaIrI64Attr(ir->context, result->shape.rank)},
      {"slice_sizes", mlirDenseI64ArrayGet(ir->context, 1, &one)}};
  return xlaIrOp(ir, "xla.gather", xlaShapeToMlir(&result->shape, ir->context),
                 2, operands, sizeof attrs / sizeof *attrs, attrs);
}

/// The groups of a collapse are stated: the dimensions that it joins, and each
/// of the others.
static bool nextJoined(const XlaI64List *joined, int rank, XlaReshapeGroup *g) {
  g->from = g->fromEnd;
  g->to = g->toEnd;
  if (g->from == rank)
    return false;
  bool joins = joined->size && g->from == joined->values[0];
  g->fromEnd += joins ? joined->size : 1;
  ++g->toEnd;
  return true;
}

MlirLogicalResult xlaBoundedReshape(XlaBoundedOp *b) {
  XlaBounded operand = xlaBoundedOperand(b, 0);
  XlaBounded result = {.shape = xlaBoundedResultShape(b, 0)};
  XlaReshapeGroup group = {0, 0, 0, 0};
  XlaI64List joined = {.size = 0};
  bool together = true, collapses = b->kind == XlaOpKindCollapse;
  int64_t count = 0;
  xlaOpGetList(b->op, "dimensions", &joined);
  xlaShapeGetElementCount(&operand.shape, &count);
  if (xlaShapeDimsEqual(&operand.shape, &result.shape) &&
      operand.shape.dynamic == result.shape.dynamic)
    memcpy(result.sizes, operand.sizes, sizeof result.sizes);
  else
    while (collapses
               ? nextJoined(&joined, operand.shape.rank, &group)
               : xlaReshapeNextGroup(&operand.shape, &result.shape, &group))
      if (failed(boundGroup(b, &operand, &group, &result, &together)))
        return failure();
  result.array = together || !count
                     ? xlaIrCast(&b->ir, "xla.reshape", operand.array,
                                 xlaShapeToMlir(&result.shape, b->ir.context))
                     : findElements(&b->ir, &operand, &result);
  return xlaBoundedSetResult(b, 0, &result);
}
