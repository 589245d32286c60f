//===- reduce.c - Reductions and maps -------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/ops/reduce.h"

#include "xlac/dialect/family.h"
#include "xlac/dialect/ops/reduction.h"
#include "xlac/dialect/result_internal.h"

#include "mlir-c/BuiltinTypes.h"

static MlirType argumentType(MlirBlock block, intptr_t i) {
  return mlirValueGetType(mlirBlockGetArgument(block, i));
}

static bool isScalar(MlirType type, XlaShape *shape) {
  return xlaShapeFromMlir(type, shape, NULL) && !shape->rank;
}

//===----------------------------------------------------------------------===//
// Reduce
//===----------------------------------------------------------------------===//

static const XlaReductionLabels labels = {.count = "reduce_c3",
                                          .dims = "reduce_c1",
                                          .init = "reduce_c2",
                                          .body = "reduce_c6"};

static MlirLogicalResult checkDimensions(const XlaOpView *view, int rank,
                                         uint32_t *reduced) {
  XlaI64List dimensions;
  xlaViewGetList(view, "dimensions", &dimensions);
  *reduced = 0;
  for (int i = 0; i < dimensions.size; ++i) {
    int64_t d = dimensions.values[i];
    if (d < 0 || d >= rank)
      return xlaViewError(view, "reduce_c4",
                          "dimensions has %lld, the operands have rank %d",
                          (long long)d, rank);
    if (*reduced >> d & 1)
      return xlaViewError(view, "reduce_c5", "dimensions %s has %lld twice",
                          XLA_LIST_TEXT(dimensions.values, dimensions.size),
                          (long long)d);
    *reduced |= 1u << d;
  }
  return success();
}

static MlirLogicalResult inferReduce(XlaOpView *view) {
  XlaShape shape, result = {.rank = 0};
  uint32_t reduced;
  if (failed(xlaReductionCheckOperands(view, &labels, &shape)) ||
      failed(checkDimensions(view, shape.rank, &reduced)) ||
      failed(xlaReductionCheckBody(view, &labels)))
    return failure();
  for (int d = 0; d < shape.rank; ++d)
    if (!(reduced >> d & 1)) {
      xlaShapeSetDynamic(&result, result.rank, xlaShapeIsDynamic(&shape, d));
      result.dims[result.rank++] = shape.dims[d];
    }
  return xlaReductionAppendResults(view, &result);
}

//===----------------------------------------------------------------------===//
// Map
//===----------------------------------------------------------------------===//

bool xlaReduceIsMapped(MlirType operand, MlirType argument,
                       const XlaShape *first) {
  XlaShape shape, scalar;
  return xlaShapeFromMlirBounded(operand, &shape, NULL) &&
         xlaShapeDimsEqual(&shape, first) && isScalar(argument, &scalar) &&
         scalar.elementType == shape.elementType;
}

static MlirLogicalResult checkMapDimensions(const XlaOpView *view, int rank) {
  XlaI64List dimensions;
  xlaViewGetList(view, "dimensions", &dimensions);
  bool all = dimensions.size == rank;
  for (int i = 0; all && i < rank; ++i)
    all = dimensions.values[i] == i;
  if (all)
    return success();
  return xlaViewError(view, "map_c3",
                      "dimensions is %s, must list the %d dimensions of the "
                      "operands in order",
                      XLA_LIST_TEXT(dimensions.values, dimensions.size), rank);
}

static MlirLogicalResult checkMapArguments(const XlaOpView *view,
                                           const XlaShape *first) {
  MlirBlock block = mlirRegionGetFirstBlock(view->regions[0]);
  intptr_t nArguments = mlirBlockGetNumArguments(block);
  bool fixed = false;
  if (nArguments != view->nOperands)
    return xlaViewError(view, "map_c4",
                        "the region takes %lld arguments, there are %lld "
                        "operands",
                        (long long)nArguments, (long long)view->nOperands);
  for (intptr_t i = 0; i < nArguments; ++i) {
    MlirType argument = argumentType(block, i);
    XlaShape scalar;
    if (!fixed && xlaReduceIsMapped(view->operands[i], argument, first))
      continue;
    fixed = true;
    if (i && xlaTypeEqualIgnoringLayout(view->operands[i], argument))
      continue;
    // A scalar argument means that the operand was to be mapped.
    bool mapped = isScalar(argument, &scalar);
    return xlaViewError(
        view,
        mapped && mlirTypeIsARankedTensor(view->operands[i]) ? "map_c1"
                                                             : "map_c4",
        "operand %lld is %s, argument %lld of the region is %s, mapped is %s",
        (long long)i, XLA_TYPE_TEXT(view->operands[i]), (long long)i,
        XLA_TYPE_TEXT(argument), XLA_SHAPE_TEXT(first));
  }
  return success();
}

static MlirLogicalResult inferMap(XlaOpView *view) {
  XlaShape shape, type;
  MlirOperation terminator;
  if (failed(xlaViewGetBounded(view, 0, &shape)) ||
      failed(checkMapDimensions(view, shape.rank)) ||
      failed(checkMapArguments(view, &shape)))
    return failure();
  xlaRegionGetReturn(view->regions[0], &terminator);
  intptr_t nReturned = mlirOperationGetNumOperands(terminator);
  if (nReturned != 1)
    return xlaViewError(view, "map_c4",
                        "the region returns %lld values, must return one",
                        (long long)nReturned);
  MlirType returned = mlirValueGetType(mlirOperationGetOperand(terminator, 0));
  if (!isScalar(returned, &type))
    return xlaViewError(view, "map_c4", "the region returns %s, not a scalar",
                        XLA_TYPE_TEXT(returned));
  shape.elementType = type.elementType;
  return xlaViewAppendChecked(view, NULL, &shape);
}

MlirLogicalResult xlaReduceInfer(XlaOpView *view) {
  return view->kind == XlaOpKindMap ? inferMap(view) : inferReduce(view);
}
