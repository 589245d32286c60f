//===- write_special.c - Operations that are several instructions ---------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/formats/hlo/write_internal.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "xlac/passes/import/stablehlo/algorithm.h"

#include <stdlib.h>
#include <string.h>

static XlaShape shapeOf(MlirType type) {
  XlaShape shape = {.rank = 0};
  xlaShapeFromMlirBounded(type, &shape, NULL);
  return shape;
}

static MlirType typeOf(XlaHloBody *body, const XlaShape *shape) {
  return xlaShapeToMlirBounded(shape, body->writer->context);
}

static void printList(XlaHloBody *body, const char *key, int n,
                      const int64_t *values) {
  xlaIrTextPrint(&body->text, ", %s={", key);
  for (int i = 0; i < n; ++i)
    xlaIrTextPrint(&body->text, "%s%lld", i ? "," : "", (long long)values[i]);
  xlaIrTextPrint(&body->text, "}");
}

//===----------------------------------------------------------------------===//
// Moving data
//===----------------------------------------------------------------------===//

/// HLO's does not repeat dimensions of size 1: they go first.
static void broadcastInDim(XlaHloBody *body, MlirOperation op) {
  XlaShape from = shapeOf(xlaHloOperandType(op, 0)), kept = from;
  XlaShape to = shapeOf(mlirValueGetType(mlirOperationGetResult(op, 0)));
  XlaI64List dimensions = {0};
  intptr_t operand = xlaHloOperandNumber(body, op, 0);
  int64_t left[XLA_MAX_RANK];
  xlaOpGetList(op, "broadcast_dimensions", &dimensions);
  kept.rank = 0;
  kept.dynamic = 0;
  for (int i = 0; i < from.rank; ++i) {
    if (from.dims[i] != to.dims[dimensions.values[i]])
      continue;
    xlaShapeSetDynamic(&kept, kept.rank, xlaShapeIsDynamic(&from, i));
    left[kept.rank] = dimensions.values[i];
    kept.dims[kept.rank++] = from.dims[i];
  }
  if (kept.rank != from.rank)
    operand = xlaHloUnary(body, op, typeOf(body, &kept), "reshape", operand);
  intptr_t number = xlaHloBeginOp(body, op, "broadcast");
  xlaHloPrintOperand(body, true, operand);
  xlaIrTextPrint(&body->text, ")");
  printList(body, "dimensions", kept.rank, left);
  xlaHloEnd(body, op);
  xlaHloSetResult(body, op, number);
}

/// Nothing is around a scalar, which HLO's text has no form for.
static void padScalar(XlaHloBody *body, MlirOperation op) {
  xlaHloSetResult(body, op, xlaHloOperandNumber(body, op, 0));
}

/// The older form: new dimensions stand in front.
static void broadcast(XlaHloBody *body, MlirOperation op) {
  XlaShape from = shapeOf(xlaHloOperandType(op, 0));
  XlaI64List sizes = {0};
  int64_t dimensions[XLA_MAX_RANK];
  xlaOpGetList(op, "broadcast_sizes", &sizes);
  for (int i = 0; i < from.rank; ++i)
    dimensions[i] = sizes.size + i;
  intptr_t number = xlaHloBeginOp(body, op, "broadcast");
  xlaHloPrintOperands(body, op);
  printList(body, "dimensions", from.rank, dimensions);
  xlaHloEnd(body, op);
  xlaHloSetResult(body, op, number);
}

/// [begin, end) along a dimension.
static intptr_t sliceAlong(XlaHloBody *body, MlirOperation op,
                           const XlaShape *shape, intptr_t operand,
                           int dimension, int64_t begin, int64_t end) {
  XlaShape part = *shape;
  part.dims[dimension] = end - begin;
  MlirType type = typeOf(body, &part);
  intptr_t number = xlaHloBegin(body, op, 1, &type, "slice");
  xlaHloPrintOperand(body, true, operand);
  xlaIrTextPrint(&body->text, "), slice={");
  for (int i = 0; i < shape->rank; ++i)
    xlaIrTextPrint(&body->text, "%s[%lld:%lld]", i ? ", " : "",
                   i == dimension ? (long long)begin : 0LL,
                   (long long)(i == dimension ? end : shape->dims[i]));
  xlaIrTextPrint(&body->text, "}");
  xlaHloEnd(body, op);
  return number;
}

static void roll(XlaHloBody *body, MlirOperation op) {
  XlaShape shape = shapeOf(xlaHloOperandType(op, 0));
  MlirType type = typeOf(body, &shape);
  XlaI64List shifts = {0}, dimensions = {0};
  intptr_t value = xlaHloOperandNumber(body, op, 0);
  xlaOpGetList(op, "shifts", &shifts);
  xlaOpGetList(op, "dimensions", &dimensions);
  for (int i = 0; i < dimensions.size; ++i) {
    int d = (int)dimensions.values[i];
    int64_t n = shape.dims[d];
    int64_t split = n ? ((-shifts.values[i]) % n + n) % n : 0;
    if (!split)
      continue;
    intptr_t right = sliceAlong(body, op, &shape, value, d, split, n);
    intptr_t left = sliceAlong(body, op, &shape, value, d, 0, split);
    value = xlaHloBegin(body, op, 1, &type, "concatenate");
    xlaHloPrintOperand(body, true, right);
    xlaHloPrintOperand(body, false, left);
    xlaIrTextPrint(&body->text, "), dimensions={%d}", d);
    xlaHloEnd(body, op);
  }
  xlaHloSetResult(body, op, value);
}

/// The first of the starts.
static intptr_t startOf(XlaOpKind kind) {
  return kind == XlaOpKindDynamicSlice ? 1 : 2;
}

/// Starts are scalars in HLO, not one vector.
static void dynamicSlice(XlaHloBody *body, MlirOperation op) {
  intptr_t first = startOf(xlaOpGetKind(op));
  XlaShape starts = shapeOf(xlaHloOperandType(op, first));
  XlaShape scalar = starts;
  scalar.rank = 0;
  intptr_t numbers[XLA_MAX_RANK];
  intptr_t vector = xlaHloOperandNumber(body, op, first);
  for (int64_t i = 0; i < starts.dims[0]; ++i)
    numbers[i] =
        xlaHloUnary(body, op, typeOf(body, &scalar), "reshape",
                    sliceAlong(body, op, &starts, vector, 0, i, i + 1));
  intptr_t number = xlaHloBeginOp(body, op, xlaHloOpcode(xlaOpGetKind(op)));
  for (intptr_t i = 0; i < first; ++i)
    xlaHloPrintOperand(body, i == 0, xlaHloOperandNumber(body, op, i));
  for (int64_t i = 0; i < starts.dims[0]; ++i)
    xlaHloPrintOperand(body, false, numbers[i]);
  xlaIrTextPrint(&body->text, ")");
  xlaHloPrintAttributes(&body->text, op);
  xlaHloEnd(body, op);
  xlaHloSetResult(body, op, number);
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

/// Of complex numbers only the real part becomes a number of another kind.
static void convertReal(XlaHloBody *body, MlirOperation op) {
  XlaShape real = shapeOf(xlaHloOperandType(op, 0));
  real.elementType = xlaElementTypeReal(real.elementType);
  MlirType type = typeOf(body, &real);
  MlirType result = mlirValueGetType(mlirOperationGetResult(op, 0));
  intptr_t number =
      xlaHloUnary(body, op, type, "real", xlaHloOperandNumber(body, op, 0));
  if (!mlirTypeEqual(type, result))
    number = xlaHloUnary(body, op, result, "convert", number);
  xlaHloSetResult(body, op, number);
}

/// The last dimension of lhs with the first of a vector, or the second-to-last.
static void dot(XlaHloBody *body, MlirOperation op) {
  int lhs = shapeOf(xlaHloOperandType(op, 0)).rank;
  int rhs = shapeOf(xlaHloOperandType(op, 1)).rank;
  intptr_t number = xlaHloBeginOp(body, op, "dot");
  xlaHloPrintOperands(body, op);
  xlaIrTextPrint(&body->text,
                 ", lhs_contracting_dims={%d}, rhs_contracting_dims={%d}",
                 lhs - 1, rhs > 1 ? rhs - 2 : 0);
  xlaHloPrintAttributes(&body->text, op);
  xlaHloEnd(body, op);
  xlaHloSetResult(body, op, number);
}

/// The computation of two scalars of `type` that `opcode` is.
static intptr_t pairComputation(XlaHloBody *body, MlirOperation op, intptr_t n,
                                const MlirType *types, const char *opcode,
                                MlirType result, const char *attributes) {
  XlaHloBody pair = {.writer = body->writer};
  intptr_t first = 0, second = 0;
  for (intptr_t i = 0; i < n; ++i) {
    intptr_t a = xlaHloParameter(&pair, op, 1, &types[i]);
    intptr_t b = xlaHloParameter(&pair, op, 1, &types[i]);
    first = i ? first : a;
    second = i ? second : b;
  }
  intptr_t root = xlaHloBegin(&pair, op, 1, &result, opcode);
  xlaHloPrintOperand(&pair, true, first);
  xlaHloPrintOperand(&pair, false, second);
  xlaIrTextPrint(&pair.text, ")%s", attributes);
  xlaHloEnd(&pair, op);
  return xlaHloFinish(&pair, op, "", "region", root, 1, &result);
}

static MlirType scalarOf(XlaHloBody *body, MlirType type) {
  XlaShape shape = shapeOf(type);
  shape.rank = 0;
  shape.dynamic = 0;
  return typeOf(body, &shape);
}

/// Without a comparator by the first operand, in total order.
static void sortPlain(XlaHloBody *body, MlirOperation op) {
  intptr_t n = mlirOperationGetNumOperands(op);
  MlirType *types = malloc((size_t)n * sizeof *types);
  XlaShape pred = {.elementType = XlaElementTypePred};
  if (!types) {
    xlaHloNoMemory(body->writer, op);
    return;
  }
  for (intptr_t i = 0; i < n; ++i)
    types[i] = scalarOf(body, xlaHloOperandType(op, i));
  bool isFloat =
      xlaElementTypeIsFloat(shapeOf(xlaHloOperandType(op, 0)).elementType);
  intptr_t less = pairComputation(
      body, op, n, types, "compare", typeOf(body, &pred),
      isFloat ? ", direction=LT, type=TOTALORDER" : ", direction=LT");
  free(types);
  intptr_t number = xlaHloBeginOp(body, op, "sort");
  xlaHloPrintOperands(body, op);
  xlaHloPrintAttributes(&body->text, op);
  xlaHloPrintCallee(body, "to_apply", less);
  xlaHloEnd(body, op);
  xlaHloSetResults(body, op, number);
}

//===----------------------------------------------------------------------===//
// Between replicas
//===----------------------------------------------------------------------===//

/// An all-reduce for each operand.
static void crossReplicaSum(XlaHloBody *body, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirType type = xlaHloOperandType(op, i), scalar = scalarOf(body, type);
    intptr_t sum = pairComputation(body, op, 1, &scalar, "add", scalar, "");
    intptr_t number = xlaHloBegin(body, op, 1, &type, "all-reduce");
    xlaHloPrintOperand(body, true, xlaHloOperandNumber(body, op, i));
    xlaIrTextPrint(&body->text, ")");
    xlaHloPrintAttributes(&body->text, op);
    xlaHloPrintCallee(body, "to_apply", sum);
    xlaHloEnd(body, op);
    xlaHloSetNumber(body->writer, mlirOperationGetResult(op, i), number);
  }
}

/// Part i of an operand goes to replica i of a group: HLO's all-to-all of as
/// many operands; what comes is joined.
static intptr_t allToAllOne(XlaHloBody *body, MlirOperation op, intptr_t i,
                            intptr_t *parts, MlirType *types) {
  XlaShape shape = shapeOf(xlaHloOperandType(op, i)), part = shape;
  int split = (int)xlaOpGetI64(op, "split_dimension", 0);
  int64_t n = xlaOpGetI64(op, "split_count", 1);
  intptr_t operand = xlaHloOperandNumber(body, op, i);
  part.dims[split] /= n;
  for (int64_t k = 0; k < n; ++k) {
    types[k] = typeOf(body, &part);
    parts[k] = sliceAlong(body, op, &shape, operand, split,
                          k * part.dims[split], (k + 1) * part.dims[split]);
  }
  intptr_t all = xlaHloBegin(body, op, n, types, "all-to-all");
  for (int64_t k = 0; k < n; ++k)
    xlaHloPrintOperand(body, k == 0, parts[k]);
  xlaIrTextPrint(&body->text, ")");
  xlaHloPrintAttributes(&body->text, op);
  xlaHloEnd(body, op);
  for (int64_t k = 0; k < n; ++k)
    parts[k] = n == 1 ? all : xlaHloElement(body, op, all, k, types[k]);
  MlirType result = mlirValueGetType(mlirOperationGetResult(op, i));
  intptr_t number = xlaHloBegin(body, op, 1, &result, "concatenate");
  for (int64_t k = 0; k < n; ++k)
    xlaHloPrintOperand(body, k == 0, parts[k]);
  xlaIrTextPrint(&body->text, "), dimensions={%lld}",
                 (long long)xlaOpGetI64(op, "concat_dimension", 0));
  xlaHloEnd(body, op);
  return number;
}

static void allToAll(XlaHloBody *body, MlirOperation op) {
  int64_t n = xlaOpGetI64(op, "split_count", 1);
  intptr_t *parts = calloc((size_t)n, sizeof *parts);
  MlirType *types = calloc((size_t)n, sizeof *types);
  for (intptr_t i = 0; parts && types && i < mlirOperationGetNumOperands(op);
       ++i)
    xlaHloSetNumber(body->writer, mlirOperationGetResult(op, i),
                    allToAllOne(body, op, i, parts, types));
  if (!parts || !types)
    xlaHloNoMemory(body->writer, op);
  free(parts);
  free(types);
}

//===----------------------------------------------------------------------===//
// In their places
//===----------------------------------------------------------------------===//

/// HLO's has one operand.
static void barrier(XlaHloBody *body, MlirOperation op) {
  intptr_t n = mlirOperationGetNumOperands(op);
  MlirType *types = calloc((size_t)n + 1, sizeof *types);
  intptr_t *numbers = calloc((size_t)n + 1, sizeof *numbers);
  if (types && numbers) {
    for (intptr_t i = 0; i < n; ++i) {
      types[i] = xlaHloOperandType(op, i);
      numbers[i] = xlaHloOperandNumber(body, op, i);
    }
    intptr_t all = xlaHloTuple(body, op, n, numbers, types);
    intptr_t number = xlaHloBeginOp(body, op, "opt-barrier");
    xlaHloPrintOperand(body, true, all);
    xlaIrTextPrint(&body->text, ")");
    xlaHloEnd(body, op);
    xlaHloSetResults(body, op, number);
  } else {
    xlaHloNoMemory(body->writer, op);
  }
  free(types);
  free(numbers);
}

/// What is in it, in its place.
static void fusion(XlaHloBody *body, MlirOperation op) {
  MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i)
    xlaHloSetNumber(body->writer, mlirBlockGetArgument(block, i),
                    xlaHloOperandNumber(body, op, i));
  MlirOperation end = xlaHloWriteBlock(body, block);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    xlaHloSetNumber(body->writer, mlirOperationGetResult(op, i),
                    xlaHloOperandNumber(body, end, i));
}

/// None is known, too.
static bool hasKnownAlgorithm(MlirOperation op) {
  MlirAttribute algorithm = xlaOpGetAttr(op, "algorithm");
  return mlirAttributeIsNull(algorithm) ||
         (mlirAttributeIsAString(algorithm) &&
          xlaDotAlgorithmIs(mlirStringAttrGetValue(algorithm)));
}

static bool isComplex(MlirType type) {
  return xlaElementTypeIsComplex(shapeOf(type).elementType);
}

/// Whether an operation of a kind that may be several instructions is one.
static bool isPlain(MlirOperation op, XlaOpKind kind) {
  if (kind == XlaOpKindSort)
    return mlirOperationGetNumRegions(op) != 0;
  if (kind == XlaOpKindPad)
    return shapeOf(xlaHloOperandType(op, 0)).rank != 0;
  if (kind == XlaOpKindConvert)
    return !isComplex(xlaHloOperandType(op, 0)) ||
           isComplex(mlirValueGetType(mlirOperationGetResult(op, 0)));
  if (kind == XlaOpKindDotGeneral)
    return hasKnownAlgorithm(op);
  if (kind != XlaOpKindDynamicSlice && kind != XlaOpKindDynamicUpdateSlice)
    return false;
  intptr_t first = startOf(kind);
  return mlirOperationGetNumOperands(op) != first + 1 ||
         shapeOf(xlaHloOperandType(op, first)).rank != 1;
}

static void unknownAlgorithm(XlaHloBody *body, MlirOperation op) {
  xlaHloWriteRefuse(body->writer, op,
                    "has an attribute 'algorithm' that is none of XLA's");
}

bool xlaHloWriteSpecial(XlaHloBody *body, MlirOperation op) {
  static void (*const writers[XlaOpKindCount])(XlaHloBody *, MlirOperation) = {
      [XlaOpKindAllToAll] = allToAll,
      [XlaOpKindBroadcast] = broadcast,
      [XlaOpKindBroadcastInDim] = broadcastInDim,
      [XlaOpKindConvert] = convertReal,
      [XlaOpKindCrossReplicaSum] = crossReplicaSum,
      [XlaOpKindDot] = dot,
      [XlaOpKindDotGeneral] = unknownAlgorithm,
      [XlaOpKindDynamicSlice] = dynamicSlice,
      [XlaOpKindDynamicUpdateSlice] = dynamicSlice,
      [XlaOpKindFusion] = fusion,
      [XlaOpKindInfeed] = xlaHloWriteInfeed,
      [XlaOpKindOptimizationBarrier] = barrier,
      [XlaOpKindOutfeed] = xlaHloWriteOutfeed,
      [XlaOpKindPad] = padScalar,
      [XlaOpKindRecv] = xlaHloWriteTransfer,
      [XlaOpKindRecvDone] = xlaHloWriteTransferDone,
      [XlaOpKindRoll] = roll,
      [XlaOpKindSend] = xlaHloWriteTransfer,
      [XlaOpKindSendDone] = xlaHloWriteTransferDone,
      [XlaOpKindSort] = sortPlain,
  };
  XlaOpKind kind = xlaOpGetKind(op);
  if (!writers[kind] || isPlain(op, kind))
    return false;
  writers[kind](body, op);
  return true;
}
