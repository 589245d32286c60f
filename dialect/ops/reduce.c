//===- reduce.c - Reductions and maps -------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/interpret/evaluator.h"
#include "xlac/dialect/ops/family.h"
#include "xlac/dialect/ops/reduction.h"
#include "xlac/dialect/result_internal.h"

#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>
#include <string.h>

static MlirType argumentType(MlirBlock block, intptr_t i) {
  return mlirValueGetType(mlirBlockGetArgument(block, i));
}

static bool isScalar(MlirType type, XlaShape *shape) {
  return xlaShapeFromMlir(type, shape, NULL) && !shape->rank;
}

//===----------------------------------------------------------------------===//
// Inference of reduce
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
// Inference of map
//===----------------------------------------------------------------------===//

/// Operands of the shape of the first are mapped. Specification 002 allows
/// others after them, static_operands, which the region gets whole.
static bool isMapped(MlirType operand, MlirType argument,
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
    if (!fixed && isMapped(view->operands[i], argument, first))
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

//===----------------------------------------------------------------------===//
// Evaluation of reduce
//===----------------------------------------------------------------------===//

/// The dimensions that stay and those that go, with their strides in the
/// operands. Row-major order of the reduced ones is the order of combination.
typedef struct Split {
  int nKept, nReduced;
  int64_t kept[XLA_MAX_RANK], keptStrides[XLA_MAX_RANK];
  int64_t reduced[XLA_MAX_RANK], reducedStrides[XLA_MAX_RANK];
  bool empty; // a reduced dimension is
} Split;

static void initSplit(Split *split, const XlaShape *shape,
                      const XlaI64List *dimensions) {
  int64_t stride = 1;
  uint32_t reduced = 0;
  memset(split, 0, sizeof *split);
  for (int i = 0; i < dimensions->size; ++i)
    reduced |= 1u << dimensions->values[i];
  split->nReduced = dimensions->size;
  split->nKept = shape->rank - dimensions->size;
  int k = split->nKept, r = split->nReduced;
  for (int d = shape->rank - 1; d >= 0; --d) {
    bool goes = reduced >> d & 1;
    int at = goes ? --r : --k;
    (goes ? split->reduced : split->kept)[at] = shape->dims[d];
    (goes ? split->reducedStrides : split->keptStrides)[at] = stride;
    split->empty |= goes && !shape->dims[d];
    stride *= shape->dims[d] ? shape->dims[d] : 1;
  }
}

static int64_t offsetOf(const int64_t *index, const int64_t *strides, int n) {
  int64_t offset = 0;
  for (int i = 0; i < n; ++i)
    offset += index[i] * strides[i];
  return offset;
}

/// Reduces the elements from `base` on into the accumulators.
static MlirLogicalResult reduceOne(XlaReduction *reduction, const Split *split,
                                   int64_t base) {
  int64_t index[XLA_MAX_RANK] = {0};
  xlaReductionStart(reduction);
  if (split->empty)
    return success();
  do {
    if (failed(xlaReductionAdd(
            reduction,
            base + offsetOf(index, split->reducedStrides, split->nReduced))))
      return failure();
  } while (xlaIndexNext(index, split->reduced, split->nReduced));
  return success();
}

static MlirLogicalResult reduceAll(XlaReduction *reduction, const Split *split,
                                   XlaLiteral **results) {
  int64_t index[XLA_MAX_RANK] = {0};
  int64_t count = xlaLiteralGetElementCount(results[0]);
  for (int64_t k = 0; k < count; ++k) {
    if (failed(reduceOne(reduction, split,
                         offsetOf(index, split->keptStrides, split->nKept))))
      return failure();
    xlaReductionStore(reduction, results, k);
    xlaIndexNext(index, split->kept, split->nKept);
  }
  return success();
}

static MlirLogicalResult evaluateReduce(XlaEvaluator *evaluator,
                                        MlirOperation op,
                                        const XlaLiteral *const *operands,
                                        XlaLiteral **results) {
  XlaI64List dimensions;
  Split split;
  XlaReduction reduction;
  xlaOpGetList(op, "dimensions", &dimensions);
  initSplit(&split, xlaLiteralGetShape(operands[0]), &dimensions);
  MlirLogicalResult result =
      xlaReductionInit(&reduction, evaluator, op, operands, results);
  if (!failed(result))
    result = reduceAll(&reduction, &split, results);
  xlaReductionClear(&reduction);
  return result;
}

//===----------------------------------------------------------------------===//
// Evaluation of map
//===----------------------------------------------------------------------===//

static MlirLogicalResult mapAll(XlaScalarRegion *body, intptr_t n,
                                const XlaLiteral *const *operands,
                                const XlaLiteral *const *fixed, XlaScalar *args,
                                XlaLiteral *result) {
  for (int64_t at = 0, count = xlaLiteralGetElementCount(result); at < count;
       ++at) {
    XlaScalar value;
    for (intptr_t i = 0; i < n; ++i)
      if (!fixed[i])
        args[i] = xlaLiteralGet(operands[i], at);
    if (failed(xlaScalarRegionRun(body, args, &value)))
      return failure();
    xlaLiteralSet(result, at, value);
  }
  return success();
}

static MlirLogicalResult evaluateMap(XlaEvaluator *evaluator, MlirOperation op,
                                     const XlaLiteral *const *operands,
                                     XlaLiteral **results) {
  intptr_t n = mlirOperationGetNumOperands(op);
  MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
  results[0] = xlaEvaluatorCreateResult(evaluator, op, 0);
  if (!results[0])
    return failure();
  XlaShape shape; // as stated: sizes may be less
  xlaShapeFromMlirBounded(mlirValueGetType(mlirOperationGetOperand(op, 0)),
                          &shape, NULL);
  const XlaLiteral **fixed = calloc((size_t)n, sizeof *fixed);
  XlaScalar *args = calloc((size_t)n, sizeof *args);
  XlaScalarRegion *body = NULL;
  if (!fixed || !args)
    xlaOpNoMemory(op);
  else {
    bool anyFixed = false;
    for (intptr_t i = 0; i < n; ++i) {
      MlirType type = mlirValueGetType(mlirOperationGetOperand(op, i));
      anyFixed = anyFixed || !isMapped(type, argumentType(block, i), &shape);
      fixed[i] = anyFixed ? operands[i] : NULL;
    }
    body = xlaScalarRegionCreate(evaluator, op, 0, anyFixed ? fixed : NULL);
  }
  MlirLogicalResult result =
      body ? mapAll(body, n, operands, fixed, args, results[0]) : failure();
  xlaScalarRegionDestroy(body);
  free(args);
  free(fixed);
  return result;
}

MlirLogicalResult xlaReduceEvaluate(XlaEvaluator *evaluator, MlirOperation op,
                                    XlaOpKind kind,
                                    const XlaLiteral *const *operands,
                                    XlaLiteral **results) {
  return kind == XlaOpKindMap
             ? evaluateMap(evaluator, op, operands, results)
             : evaluateReduce(evaluator, op, operands, results);
}
