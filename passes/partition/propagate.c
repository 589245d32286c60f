//===- propagate.c - Results lie as operands do ---------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each dimension of a result is cut as the dimension of an operand that it
// follows. Sizes need not be divisible, which only counts for what the program
// gives.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/partition/shardings_of.h"

#include <string.h>

static MlirAttribute attribute(MlirOperation op, const char *name) {
  return mlirOperationGetAttributeByName(op,
                                         mlirStringRefCreateFromCString(name));
}

/// Which dimension of which operand a dimension of a result is; NULL: of none.
typedef struct Origins {
  int rank;
  const XlaSharding *operands[XLA_MAX_RANK];
  int dimensions[XLA_MAX_RANK];
} Origins;

static const XlaSharding *shardingOf(XlaExpansion *x, MlirValue value) {
  intptr_t number = xlaPointerMapGet(&x->numbers, value.ptr);
  return number ? x->values[number - 1].sharding : NULL;
}

static const XlaSharding *operandSharding(XlaExpansion *x, MlirOperation op,
                                          intptr_t i) {
  return shardingOf(x, mlirOperationGetOperand(op, i));
}

static bool shapeOf(MlirValue value, XlaShape *shape) {
  return xlaShapeFromMlir(mlirValueGetType(value), shape, NULL);
}

static bool operandShape(MlirOperation op, intptr_t i, XlaShape *shape) {
  return i < mlirOperationGetNumOperands(op) &&
         shapeOf(mlirOperationGetOperand(op, i), shape);
}

static void follow(Origins *origins, int d, const XlaSharding *s, int from) {
  if (d >= origins->rank || !s || from >= s->rank)
    return;
  origins->operands[d] = s;
  origins->dimensions[d] = from;
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

/// A list of integers; false if there is none, or a number that is no dimension
/// of `rank`.
static bool readList(MlirAttribute attr, int rank, XlaI64List *list) {
  list->size = 0;
  if (mlirAttributeIsNull(attr) || !mlirAttributeIsADenseI64Array(attr) ||
      mlirDenseArrayGetNumElements(attr) > XLA_MAX_RANK)
    return false;
  for (intptr_t i = 0; i < mlirDenseArrayGetNumElements(attr); ++i) {
    list->values[i] = mlirDenseI64ArrayGetElement(attr, i);
    if (list->values[i] < 0 || list->values[i] >= rank)
      return false;
    ++list->size;
  }
  return true;
}

static bool contains(const XlaI64List *list, int value) {
  for (int i = 0; i < list->size; ++i)
    if (list->values[i] == value)
      return true;
  return false;
}

/// The numbers behind `key = [` in the text of #stablehlo.dot.
static void readDimensions(MlirStringRef text, const char *key,
                           XlaI64List *list) {
  size_t length = strlen(key);
  list->size = 0;
  const char *end = text.data + text.length;
  for (const char *at = text.data; at + length < end; ++at) {
    if (memcmp(at, key, length) != 0)
      continue;
    int64_t value = -1;
    for (at += length; at < end && *at != ']'; ++at)
      if (*at >= '0' && *at <= '9' && value < XLA_MAX_RANK)
        value = (value < 0 ? 0 : 10 * value) + (*at - '0');
      else if (*at == ',' && value >= 0 && list->size < XLA_MAX_RANK)
        list->values[list->size++] = value, value = -1;
    if (value >= 0 && list->size < XLA_MAX_RANK)
      list->values[list->size++] = value;
    return;
  }
}

static MlirStringRef opaqueText(MlirOperation op, const char *name) {
  MlirAttribute numbers = attribute(op, name);
  return !mlirAttributeIsNull(numbers) && mlirAttributeIsAOpaque(numbers)
             ? mlirOpaqueAttrGetData(numbers)
             : mlirStringRefCreate(NULL, 0);
}

//===----------------------------------------------------------------------===//
// Families of operations
//===----------------------------------------------------------------------===//

/// Batches, then what is left of the left and of the right.
static void traceDot(XlaExpansion *x, MlirOperation op, Origins *origins) {
  MlirStringRef text = opaqueText(op, "dot_dimension_numbers");
  XlaI64List batch[2], summed[2];
  if (!text.data || mlirOperationGetNumOperands(op) != 2)
    return;
  readDimensions(text, "lhs_batching_dimensions = [", &batch[0]);
  readDimensions(text, "rhs_batching_dimensions = [", &batch[1]);
  readDimensions(text, "lhs_contracting_dimensions = [", &summed[0]);
  readDimensions(text, "rhs_contracting_dimensions = [", &summed[1]);
  int next = 0;
  for (int i = 0; i < batch[0].size; ++i)
    follow(origins, next++, operandSharding(x, op, 0), (int)batch[0].values[i]);
  for (int side = 0; side < 2; ++side) {
    XlaShape shape;
    if (!operandShape(op, side, &shape))
      return;
    for (int d = 0; d < shape.rank; ++d)
      if (!contains(&batch[side], d) && !contains(&summed[side], d))
        follow(origins, next++, operandSharding(x, op, side), d);
  }
}

/// Groups of dimensions with as many elements. The first of a group hands on
/// how it is cut; the next one does too, if that has been cut into single
/// elements.
static void traceReshape(const XlaSharding *s, const XlaShape *from,
                         const XlaShape *to, Origins *origins) {
  int f = 0, t = 0;
  while (s && f < from->rank && t < to->rank) {
    int64_t nFrom = from->dims[f], nTo = to->dims[t];
    int fEnd = f + 1, tEnd = t + 1;
    while (nFrom != nTo && (nFrom < nTo ? fEnd < from->rank : tEnd < to->rank))
      if (nFrom < nTo
              ? __builtin_mul_overflow(nFrom, from->dims[fEnd++], &nFrom)
              : __builtin_mul_overflow(nTo, to->dims[tEnd++], &nTo))
        return;
    if (nFrom != nTo || !nFrom)
      return;
    // Those of size 1 are cut into nothing.
    while (f < fEnd && from->dims[f] == 1)
      ++f;
    while (t < tEnd && to->dims[t] == 1)
      ++t;
    if (f < fEnd && t < tEnd && f < s->rank && to->dims[t] >= s->tiles[f] &&
        to->dims[t] % s->tiles[f] == 0)
      follow(origins, t, s, f);
    f = fEnd;
    t = tEnd;
  }
}

/// Dimensions that are taken whole.
static void traceGather(XlaExpansion *x, MlirOperation op, const XlaShape *from,
                        Origins *origins) {
  MlirStringRef text = opaqueText(op, "dimension_numbers");
  MlirAttribute sizes = attribute(op, "slice_sizes");
  XlaI64List offsets, collapsed, batch;
  if (!text.data || mlirAttributeIsNull(sizes) ||
      !mlirAttributeIsADenseI64Array(sizes) ||
      mlirDenseArrayGetNumElements(sizes) != from->rank)
    return;
  readDimensions(text, "offset_dims = [", &offsets);
  readDimensions(text, "collapsed_slice_dims = [", &collapsed);
  readDimensions(text, "operand_batching_dims = [", &batch);
  int next = 0;
  for (int d = 0; d < from->rank; ++d) {
    if (contains(&collapsed, d) || contains(&batch, d))
      continue;
    if (next < offsets.size &&
        mlirDenseI64ArrayGetElement(sizes, d) == from->dims[d])
      follow(origins, (int)offsets.values[next], operandSharding(x, op, 0), d);
    ++next;
  }
}

static void traceSameSizes(const XlaSharding *s, const XlaShape *from,
                           const XlaShape *to, Origins *origins) {
  for (int d = 0; d < to->rank && d < from->rank; ++d)
    if (from->dims[d] == to->dims[d])
      follow(origins, d, s, d);
}

/// Each dimension as the first operand of this shape, or at least rank, that
/// cuts it.
static void traceAlike(XlaExpansion *x, MlirOperation op, const XlaShape *to,
                       bool isOfShape, Origins *origins) {
  for (intptr_t k = 0; k < mlirOperationGetNumOperands(op); ++k) {
    XlaShape from;
    const XlaSharding *s = operandSharding(x, op, k);
    if (!s || !operandShape(op, k, &from) || from.rank != to->rank ||
        (isOfShape && !xlaShapeDimsEqual(&from, to)))
      continue;
    for (int d = 0; d < to->rank; ++d)
      if (!origins->operands[d] && s->tiles[d] > 1)
        follow(origins, d, s, d);
  }
}

/// As the array, else as what is put in, where that goes all along it.
static void traceUpdate(XlaExpansion *x, MlirOperation op, const XlaShape *to,
                        Origins *origins) {
  XlaShape update;
  if (operandShape(op, 1, &update))
    traceSameSizes(operandSharding(x, op, 1), &update, to, origins);
  const XlaSharding *s = operandSharding(x, op, 0);
  for (int d = 0; s && d < to->rank && d < s->rank; ++d)
    if (s->tiles[d] > 1)
      follow(origins, d, s, d);
}

static void traceList(XlaExpansion *x, MlirOperation op, const XlaShape *from,
                      const XlaShape *to, Origins *origins) {
  const XlaSharding *s = operandSharding(x, op, 0);
  XlaI64List list;
  int next = 0;
  if (xlaIrIsOp(op, "stablehlo.transpose")) {
    if (readList(attribute(op, "permutation"), from->rank, &list))
      for (int d = 0; d < list.size; ++d)
        follow(origins, d, s, (int)list.values[d]);
  } else if (xlaIrIsOp(op, "stablehlo.reduce")) {
    if (readList(attribute(op, "dimensions"), from->rank, &list))
      for (int d = 0; d < from->rank; ++d)
        if (!contains(&list, d))
          follow(origins, next++, s, d);
  } else if (readList(attribute(op, "broadcast_dimensions"), to->rank, &list)) {
    for (int d = 0; d < list.size && d < from->rank; ++d)
      if (from->dims[d] == to->dims[list.values[d]])
        follow(origins, (int)list.values[d], s, d);
  }
}

/// Result `i`, and operand `i`, are the same array at other times.
static bool isPassed(MlirOperation op) {
  return xlaIrIsOp(op, "stablehlo.optimization_barrier") ||
         xlaIrIsOp(op, "stablehlo.sort");
}

static void trace(XlaExpansion *x, MlirOperation op, intptr_t i,
                  const XlaShape *from, const XlaShape *to, Origins *origins) {
  const XlaSharding *first = operandSharding(x, op, 0);
  if (xlaIrIsOp(op, "stablehlo.transpose") ||
      xlaIrIsOp(op, "stablehlo.broadcast_in_dim") ||
      xlaIrIsOp(op, "stablehlo.reduce"))
    traceList(x, op, from, to, origins);
  else if (xlaIrIsOp(op, "stablehlo.dot_general"))
    traceDot(x, op, origins);
  else if (xlaIrIsOp(op, "stablehlo.reshape"))
    traceReshape(first, from, to, origins);
  else if (xlaIrIsOp(op, "stablehlo.gather"))
    traceGather(x, op, from, origins);
  else if (xlaIrIsOp(op, "stablehlo.dynamic_slice") ||
           xlaIrIsOp(op, "stablehlo.fft"))
    traceSameSizes(first, from, to, origins);
  else if (xlaIrIsOp(op, "stablehlo.dynamic_update_slice"))
    traceUpdate(x, op, to, origins);
  else if (xlaIrIsOp(op, "stablehlo.slice") || xlaIrIsOp(op, "stablehlo.pad") ||
           xlaIrIsOp(op, "stablehlo.reduce_window") ||
           xlaIrIsOp(op, "stablehlo.concatenate"))
    traceAlike(x, op, to, false, origins);
  else if (isPassed(op) && i < mlirOperationGetNumOperands(op))
    traceSameSizes(operandSharding(x, op, i), to, to, origins);
  else
    traceAlike(x, op, to, true, origins);
}

//===----------------------------------------------------------------------===//
// Any operation
//===----------------------------------------------------------------------===//

/// What is made of `origins`, or of those of one operand if the same devices
/// would have to cut two dimensions.
static const XlaSharding *compose(XlaExpansion *x, Origins *origins) {
  XlaSharding *made = xlaShardingCompose(
      x->partitions, origins->rank, origins->operands, origins->dimensions);
  for (int d = 0; !made && d < origins->rank; ++d) {
    Origins one = *origins;
    if (!origins->operands[d])
      continue;
    for (int k = 0; k < origins->rank; ++k)
      if (one.operands[k] != origins->operands[d])
        one.operands[k] = NULL;
    made = xlaShardingCompose(x->partitions, one.rank, one.operands,
                              one.dimensions);
  }
  if (!made || xlaShardingIsReplicated(made)) {
    xlaShardingDestroy(made);
    return NULL;
  }
  // Most results lie just as an operand.
  for (int d = 0; d < origins->rank; ++d)
    if (origins->operands[d] && xlaShardingEqual(origins->operands[d], made)) {
      xlaShardingDestroy(made);
      return origins->operands[d];
    }
  return xlaExpandKeep(x, made);
}

static const XlaSharding *ofResult(XlaExpansion *x, MlirOperation op,
                                   intptr_t i) {
  XlaShape from, to;
  Origins origins = {0};
  bool isSaid = false;
  for (intptr_t k = 0; k < mlirOperationGetNumOperands(op); ++k)
    isSaid |= operandSharding(x, op, k) != NULL;
  if (!isSaid || !shapeOf(mlirOperationGetResult(op, i), &to) ||
      !operandShape(op, 0, &from))
    return NULL;
  origins.rank = to.rank;
  trace(x, op, i, &from, &to, &origins);
  return compose(x, &origins);
}

//===----------------------------------------------------------------------===//
// Regions, and functions that are called
//===----------------------------------------------------------------------===//

static bool propagateBlock(XlaExpansion *x, MlirBlock block);

/// How value `i` that a block hands on lies.
static const XlaSharding *ofEnd(XlaExpansion *x, MlirBlock block, intptr_t i) {
  MlirOperation end = mlirBlockGetTerminator(block);
  return mlirOperationIsNull(end) || i >= mlirOperationGetNumOperands(end)
             ? NULL
             : operandSharding(x, end, i);
}

static MlirBlock regionBlock(MlirOperation op, intptr_t i) {
  return i < mlirOperationGetNumRegions(op)
             ? mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i))
             : (MlirBlock){NULL};
}

static bool define(XlaExpansion *x, MlirBlock block, intptr_t i,
                   const XlaSharding *sharding) {
  return i >= mlirBlockGetNumArguments(block) ||
         xlaExpandDefine(x, mlirBlockGetArgument(block, i), NULL, sharding,
                         NULL);
}

/// Values that a loop carries lie as they go in, else as they come round.
static bool propagateWhile(XlaExpansion *x, MlirOperation op, intptr_t n,
                           const XlaSharding **shardings) {
  enum { maxRounds = 3 };
  MlirBlock body = regionBlock(op, 1);
  if (mlirBlockIsNull(body) || mlirOperationGetNumOperands(op) != n)
    return true;
  for (intptr_t i = 0; i < n; ++i)
    shardings[i] = operandSharding(x, op, i);
  bool isChanged = true;
  for (int round = 0; round < maxRounds && isChanged; ++round) {
    isChanged = false;
    for (intptr_t i = 0; i < n; ++i)
      if (!define(x, body, i, shardings[i]))
        return false;
    if (!propagateBlock(x, body))
      return false;
    for (intptr_t i = 0; i < n; ++i)
      if (!shardings[i] && (shardings[i] = ofEnd(x, body, i)))
        isChanged = true;
  }
  return true;
}

static bool propagateCase(XlaExpansion *x, MlirOperation op, intptr_t n,
                          const XlaSharding **shardings) {
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
    MlirBlock block = regionBlock(op, r);
    if (mlirBlockIsNull(block))
      continue;
    if (!propagateBlock(x, block))
      return false;
    for (intptr_t i = 0; i < n; ++i)
      if (!shardings[i])
        shardings[i] = ofEnd(x, block, i);
  }
  return true;
}

static bool propagateCall(XlaExpansion *x, MlirOperation op,
                          MlirOperation callee, intptr_t n,
                          const XlaSharding **shardings) {
  enum { maxDepth = 200 };
  MlirBlock body = regionBlock(callee, 0);
  if (x->depth >= maxDepth)
    return true;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (!define(x, body, i, operandSharding(x, op, i)))
      return false;
  ++x->depth;
  bool done = propagateBlock(x, body);
  --x->depth;
  for (intptr_t i = 0; i < n; ++i)
    shardings[i] = ofEnd(x, body, i);
  return done;
}

const XlaSharding **xlaShardingsOfResults(XlaExpansion *x, MlirOperation op) {
  intptr_t n = mlirOperationGetNumResults(op);
  const XlaSharding **shardings =
      xlaExpandAllocate(x, (size_t)n, sizeof *shardings);
  if (!shardings)
    return NULL;
  MlirOperation callee = xlaExpandCallee(x, op);
  bool done = true;
  if (!mlirOperationIsNull(callee))
    done = propagateCall(x, op, callee, n, shardings);
  else if (xlaIrIsOp(op, "stablehlo.while"))
    done = propagateWhile(x, op, n, shardings);
  else if (xlaIrIsOp(op, "stablehlo.case") || xlaIrIsOp(op, "stablehlo.if"))
    done = propagateCase(x, op, n, shardings);
  else
    for (intptr_t i = 0; i < n; ++i)
      shardings[i] = ofResult(x, op, i);
  return done && x->result == XlaImportResultOk ? shardings : NULL;
}

/// What is said in it counts; nothing in it is made.
static bool propagateOp(XlaExpansion *x, MlirOperation op) {
  const XlaSharding **shardings = xlaShardingsOfResults(x, op);
  if (!shardings)
    return false;
  const XlaSharding *said = NULL;
  if (xlaIrIsOp(op, "sdy.sharding_constraint") &&
      !xlaShardingOfConstraint(x, op, &said))
    return false;
  if (said && !said->isOpen)
    shardings[0] = said;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (!xlaExpandDefine(x, mlirOperationGetResult(op, i), NULL, shardings[i],
                         NULL))
      return false;
  return true;
}

static bool propagateBlock(XlaExpansion *x, MlirBlock block) {
  enum { maxOps = 1 << 20 };
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op) && x->nPropagated < maxOps;
       op = mlirOperationGetNextInBlock(op), ++x->nPropagated)
    if (!propagateOp(x, op))
      return false;
  return true;
}
