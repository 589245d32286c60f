//===- reduce.c - Reductions and maps, evaluated --------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/ops/reduce.h"
#include "xlac/dialect/family.h"
#include "xlac/dialect/interpret/evaluator.h"
#include "xlac/dialect/interpret/reduction.h"
#include "xlac/dialect/interpret/scalar/region.h"
#include "xlac/dialect/result_internal.h"

#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Reduce
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
// Map
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
      MlirType argument = mlirValueGetType(mlirBlockGetArgument(block, i));
      anyFixed = anyFixed || !xlaReduceIsMapped(type, argument, &shape);
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
