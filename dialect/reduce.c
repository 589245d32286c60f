//===- reduce.c - Reductions and maps -------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/evaluator.h"
#include "xlac/dialect/family.h"
#include "xlac/dialect/result_internal.h"
#include "xlac/dialect/scalar.h"
#include "xlac/dialect/scalar_region.h"

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

static MlirLogicalResult checkOperands(const XlaOpView *view, XlaShape *first) {
  intptr_t n = view->nOperands / 2;
  if (view->nOperands % 2)
    return xlaViewError(view, "reduce_c3",
                        "has %lld operands; every array needs an init value",
                        (long long)view->nOperands);
  if (failed(xlaViewGetShape(view, 0, first)))
    return failure();
  for (intptr_t i = 0; i < n; ++i) {
    XlaShape array, init;
    if (failed(xlaViewGetShape(view, i, &array)) ||
        failed(xlaViewGetShape(view, n + i, &init)))
      return failure();
    if (!xlaShapeDimsEqual(&array, first))
      return xlaViewError(view, "reduce_c1",
                          "operand %lld is %s, operand 0 is %s: the dimensions "
                          "must be the same",
                          (long long)i, XLA_SHAPE_TEXT(&array),
                          XLA_SHAPE_TEXT(first));
    if (init.rank || init.elementType != array.elementType)
      return xlaViewError(view, "reduce_c2",
                          "init value %lld is %s, must be a scalar of the "
                          "elements of %s",
                          (long long)i, XLA_SHAPE_TEXT(&init),
                          XLA_SHAPE_TEXT(&array));
  }
  return success();
}

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

/// Whether elements of `from` may be accumulated in `to`: the same class, and
/// no fewer bits.
static bool isPromotable(XlaElementType from, XlaElementType to) {
  const XlaElementTypeInfo *a = xlaElementTypeGetInfo(from);
  const XlaElementTypeInfo *b = xlaElementTypeGetInfo(to);
  return a->bits <= b->bits &&
         (a->typeClass == b->typeClass ||
          (xlaElementTypeIsInteger(from) && xlaElementTypeIsInteger(to)));
}

/// Argument `i` of 2N, and result `i` of N, have the type that operand `i % N`
/// accumulates in, which result `i` of the region states.
static MlirLogicalResult checkBody(const XlaOpView *view) {
  intptr_t n = view->nOperands / 2;
  MlirOperation terminator;
  MlirBlock block = mlirRegionGetFirstBlock(view->regions[0]);
  xlaRegionGetReturn(view->regions[0], &terminator);
  intptr_t nArguments = mlirBlockGetNumArguments(block);
  intptr_t nReturned = mlirOperationGetNumOperands(terminator);
  if (nArguments != 2 * n || nReturned != n)
    return xlaViewError(view, "reduce_c6",
                        "the region takes %lld scalars and returns %lld, must "
                        "take %lld and return %lld",
                        (long long)nArguments, (long long)nReturned,
                        (long long)(2 * n), (long long)n);
  for (intptr_t i = 0; i < 2 * n; ++i) {
    MlirType returned =
        mlirValueGetType(mlirOperationGetOperand(terminator, i % n));
    MlirType argument = argumentType(block, i);
    XlaShape type, operand;
    if (!isScalar(returned, &type))
      return xlaViewError(view, "reduce_c6",
                          "the region returns %s as result %lld, not a scalar",
                          XLA_TYPE_TEXT(returned), (long long)(i % n));
    if (!xlaTypeEqualIgnoringLayout(argument, returned))
      return xlaViewError(view, "reduce_c6",
                          "argument %lld of the region is %s, result %lld is "
                          "%s",
                          (long long)i, XLA_TYPE_TEXT(argument),
                          (long long)(i % n), XLA_TYPE_TEXT(returned));
    if (failed(xlaViewGetShape(view, i % n, &operand)))
      return failure();
    if (!isPromotable(operand.elementType, type.elementType))
      return xlaViewError(view, "reduce_c6",
                          "operand %lld is %s, whose elements cannot be "
                          "accumulated as %s",
                          (long long)(i % n), XLA_SHAPE_TEXT(&operand),
                          xlaElementTypeGetInfo(type.elementType)->name);
  }
  return success();
}

static MlirLogicalResult inferReduce(XlaOpView *view) {
  XlaShape shape, result, type;
  uint32_t reduced;
  if (failed(checkOperands(view, &shape)) ||
      failed(checkDimensions(view, shape.rank, &reduced)) ||
      failed(checkBody(view)))
    return failure();
  result.rank = 0;
  for (int d = 0; d < shape.rank; ++d)
    if (!(reduced >> d & 1))
      result.dims[result.rank++] = shape.dims[d];
  MlirBlock block = mlirRegionGetFirstBlock(view->regions[0]);
  for (intptr_t i = 0; i < view->nOperands / 2; ++i) {
    int64_t count;
    isScalar(argumentType(block, i), &type);
    result.elementType = type.elementType;
    if (!xlaShapeGetElementCount(&result, &count))
      return xlaViewError(view, NULL, "has a result %s larger than 2^62 bytes",
                          XLA_SHAPE_TEXT(&result));
    xlaViewAppendShape(view, &result);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Inference of map
//===----------------------------------------------------------------------===//

/// Operands of the shape of the first are mapped. Specification 002 allows
/// others after them, static_operands, which the region gets whole.
static bool isMapped(MlirType operand, MlirType argument,
                     const XlaShape *first) {
  XlaShape shape, scalar;
  return xlaShapeFromMlir(operand, &shape, NULL) &&
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
  if (failed(xlaViewGetShape(view, 0, &shape)) ||
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
  int64_t count;
  shape.elementType = type.elementType;
  if (!xlaShapeGetElementCount(&shape, &count))
    return xlaViewError(view, NULL, "has a result %s larger than 2^62 bytes",
                        XLA_SHAPE_TEXT(&shape));
  xlaViewAppendShape(view, &shape);
  return success();
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

typedef struct Reduction {
  intptr_t n;
  const XlaLiteral *const *operands; // arrays, then init values
  XlaScalarRegion *body;
  Split split;
  XlaScalar *values; // accumulators, then elements
} Reduction;

static XlaScalar read(const Reduction *reduction, intptr_t operand, int64_t at,
                      intptr_t argument) {
  const XlaLiteral *literal = reduction->operands[operand];
  XlaElementType from = xlaLiteralGetShape(literal)->elementType;
  XlaElementType to = xlaScalarRegionGetArgumentType(reduction->body, argument);
  XlaScalar value = xlaLiteralGet(literal, at);
  return from == to ? value
                    : xlaScalarRound(to, xlaScalarConvert(from, to, value));
}

/// Reduces the elements from `base` on into the accumulators.
static MlirLogicalResult reduceOne(Reduction *reduction, int64_t base) {
  const Split *split = &reduction->split;
  intptr_t n = reduction->n;
  int64_t index[XLA_MAX_RANK] = {0};
  for (intptr_t i = 0; i < n; ++i)
    reduction->values[i] = read(reduction, n + i, 0, i);
  if (split->empty)
    return success();
  do {
    int64_t at = base + offsetOf(index, split->reducedStrides, split->nReduced);
    for (intptr_t i = 0; i < n; ++i)
      reduction->values[n + i] = read(reduction, i, at, n + i);
    if (failed(xlaScalarRegionRun(reduction->body, reduction->values,
                                  reduction->values)))
      return failure();
  } while (xlaIndexNext(index, split->reduced, split->nReduced));
  return success();
}

static MlirLogicalResult reduceAll(Reduction *reduction, XlaLiteral **results) {
  const Split *split = &reduction->split;
  int64_t index[XLA_MAX_RANK] = {0};
  int64_t count = xlaLiteralGetElementCount(results[0]);
  for (int64_t k = 0; k < count; ++k) {
    if (failed(reduceOne(reduction,
                         offsetOf(index, split->keptStrides, split->nKept))))
      return failure();
    for (intptr_t i = 0; i < reduction->n; ++i)
      xlaLiteralSet(results[i], k, reduction->values[i]);
    xlaIndexNext(index, split->kept, split->nKept);
  }
  return success();
}

static MlirLogicalResult evaluateReduce(XlaEvaluator *evaluator,
                                        MlirOperation op,
                                        const XlaLiteral *const *operands,
                                        XlaLiteral **results) {
  XlaI64List dimensions;
  Reduction reduction = {.n = mlirOperationGetNumOperands(op) / 2,
                         .operands = operands};
  for (intptr_t i = 0; i < reduction.n; ++i) {
    results[i] = xlaEvaluatorCreateResult(evaluator, op, i);
    if (!results[i])
      return failure();
  }
  xlaOpGetList(op, "dimensions", &dimensions);
  initSplit(&reduction.split, xlaLiteralGetShape(operands[0]), &dimensions);
  reduction.values =
      calloc((size_t)(2 * reduction.n), sizeof *reduction.values);
  if (!reduction.values)
    return xlaOpError(op, NULL, "ran out of memory");
  reduction.body = xlaScalarRegionCreate(evaluator, op, 0, NULL);
  MlirLogicalResult result =
      reduction.body ? reduceAll(&reduction, results) : failure();
  xlaScalarRegionDestroy(reduction.body);
  free(reduction.values);
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
  const XlaShape *shape = xlaLiteralGetShape(results[0]);
  const XlaLiteral **fixed = calloc((size_t)n, sizeof *fixed);
  XlaScalar *args = calloc((size_t)n, sizeof *args);
  XlaScalarRegion *body = NULL;
  if (!fixed || !args)
    xlaOpError(op, NULL, "ran out of memory");
  else {
    bool anyFixed = false;
    for (intptr_t i = 0; i < n; ++i) {
      MlirType type = mlirValueGetType(mlirOperationGetOperand(op, i));
      anyFixed = anyFixed || !isMapped(type, argumentType(block, i), shape);
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
