//===- origins.c - Which dimensions of operands those of results are ------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// By what XLA's partitioner does with Shardy, where results can be seen.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/partition/origins.h"
#include "xlac/passes/import/stablehlo/text.h"

static MlirAttribute attribute(MlirOperation op, const char *name) {
  return mlirOperationGetAttributeByName(op,
                                         mlirStringRefCreateFromCString(name));
}

const XlaSharding *xlaShardingOf(XlaExpansion *x, MlirValue value) {
  intptr_t number = xlaPointerMapGet(&x->numbers, value.ptr);
  return number ? x->values[number - 1].sharding : NULL;
}

static const XlaSharding *operandSharding(XlaExpansion *x, MlirOperation op,
                                          intptr_t i) {
  return xlaShardingOf(x, mlirOperationGetOperand(op, i));
}

static bool shapeOf(MlirValue value, XlaShape *shape) {
  return xlaShapeFromMlir(mlirValueGetType(value), shape, NULL);
}

static bool operandShape(MlirOperation op, intptr_t i, XlaShape *shape) {
  return i < mlirOperationGetNumOperands(op) &&
         shapeOf(mlirOperationGetOperand(op, i), shape);
}

static void follow(XlaOrigins *origins, int d, const XlaSharding *s, int from) {
  if (d < 0 || d >= origins->rank || !s || from < 0 || from >= s->rank)
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

/// The text of an attribute behind its kind; its data is NULL if it is none.
static XlaImportText textOf(MlirOperation op, const char *name,
                            MlirStringRef *kind) {
  MlirAttribute numbers = attribute(op, name);
  XlaImportText text = {NULL, NULL};
  if (mlirAttributeIsNull(numbers) || !mlirAttributeIsAOpaque(numbers))
    return text;
  MlirStringRef data = mlirOpaqueAttrGetData(numbers);
  text = (XlaImportText){data.data, data.data + data.length};
  *kind = xlaTextReadWord(&text);
  return text;
}

bool xlaOriginsReadStruct(MlirOperation op, const char *name,
                          XlaStructValues *values) {
  MlirStringRef kind;
  XlaImportText text = textOf(op, name, &kind);
  const XlaStructForm *form = text.next ? xlaStructFind(kind) : NULL;
  if (!form || !xlaTextReadStruct(&text, form, values))
    return false;
  for (int key = 0; key < XLA_STRUCT_KEYS; ++key)
    if (!values->given[key])
      values->lists[key].size = 0;
  return true;
}

//===----------------------------------------------------------------------===//
// Families of operations
//===----------------------------------------------------------------------===//

/// Batches, as the left side's if that cuts them, then what is left of the left
/// and of the right. Where the same devices cut both, the larger operand's
/// stays, of equal ones the left's.
static void traceDot(XlaExpansion *x, MlirOperation op, XlaOrigins *origins) {
  enum { lhsBatch, rhsBatch, lhsSummed, rhsSummed };
  XlaStructValues dims;
  if (mlirOperationGetNumOperands(op) != 2 ||
      !xlaOriginsReadStruct(op, "dot_dimension_numbers", &dims))
    return;
  int next = 0;
  const XlaSharding *lhs = operandSharding(x, op, 0);
  for (int i = 0; i < dims.lists[lhsBatch].size && next < origins->rank; ++i) {
    int from = (int)dims.lists[lhsBatch].values[i];
    bool isLeft = lhs && from >= 0 && from < lhs->rank && lhs->tiles[from] > 1;
    if (!isLeft && i < dims.lists[rhsBatch].size)
      from = (int)dims.lists[rhsBatch].values[i];
    origins->order[next] = INT64_MIN;
    follow(origins, next++, operandSharding(x, op, isLeft ? 0 : 1), from);
  }
  for (int side = 0; side < 2; ++side) {
    XlaShape shape;
    int64_t count;
    if (!operandShape(op, side, &shape) ||
        !xlaShapeGetElementCount(&shape, &count))
      return;
    for (int d = 0; d < shape.rank; ++d)
      if (!contains(&dims.lists[lhsBatch + side], d) &&
          !contains(&dims.lists[lhsSummed + side], d) && next < origins->rank) {
        origins->order[next] = -count;
        follow(origins, next++, operandSharding(x, op, side), d);
      }
  }
}

/// Images and places as the left side's, features as the right side's.
static void traceConvolution(XlaExpansion *x, MlirOperation op,
                             XlaOrigins *origins) {
  XlaConvSide sides[3];
  MlirStringRef kind;
  XlaImportText text = textOf(op, "dimension_numbers", &kind);
  if (mlirOperationGetNumOperands(op) != 2 || !text.next ||
      !xlaTextReadConv(&text, sides) ||
      sides[0].spatial.size != sides[2].spatial.size)
    return;
  const XlaSharding *lhs = operandSharding(x, op, 0);
  follow(origins, (int)sides[2].first, lhs, (int)sides[0].first);
  follow(origins, (int)sides[2].second, operandSharding(x, op, 1),
         (int)sides[1].second);
  for (int i = 0; i < sides[0].spatial.size; ++i)
    follow(origins, (int)sides[2].spatial.values[i], lhs,
           (int)sides[0].spatial.values[i]);
}

void xlaOriginsOfReshape(const XlaShape *from, const XlaShape *to,
                         int *dimensions) {
  int f = 0, t = 0;
  while (f < from->rank && t < to->rank) {
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
    if (f < fEnd && t < tEnd)
      dimensions[f] = t;
    f = fEnd;
    t = tEnd;
  }
}

static void traceReshape(const XlaSharding *s, const XlaShape *from,
                         const XlaShape *to, XlaOrigins *origins) {
  int dimensions[XLA_MAX_RANK];
  for (int f = 0; f < from->rank; ++f)
    dimensions[f] = -1;
  xlaOriginsOfReshape(from, to, dimensions);
  for (int f = 0; s && f < from->rank && f < s->rank; ++f) {
    int t = dimensions[f];
    if (t >= 0 && to->dims[t] >= s->tiles[f] && to->dims[t] % s->tiles[f] == 0)
      follow(origins, t, s, f);
  }
}

/// The lists of gathers and scatters, whose updates are what a gather gives.
enum { windowDims, missingDims, batchDims, indicesBatch, vectorDim = 6 };

/// Which dimension of the indices says where batch `b` of the operand is; -1
/// for none.
static int indexOfBatch(const XlaStructValues *dims, int b) {
  const XlaI64List *list = &dims->lists[indicesBatch];
  return b < list->size ? (int)list->values[b] : -1;
}

static int vectorOf(const XlaStructValues *dims) {
  const XlaI64List *list = &dims->lists[vectorDim];
  return list->size ? (int)list->values[0] : 0;
}

/// Dimensions that are taken whole are as the operand's, those that there is an
/// index for as the indices', or as the batches' that they are of.
static void traceGather(XlaExpansion *x, MlirOperation op, const XlaShape *from,
                        XlaOrigins *origins) {
  XlaStructValues dims;
  MlirAttribute sizes = attribute(op, "slice_sizes");
  if (mlirAttributeIsNull(sizes) || !mlirAttributeIsADenseI64Array(sizes) ||
      mlirDenseArrayGetNumElements(sizes) != from->rank ||
      mlirOperationGetNumOperands(op) != 2 ||
      !xlaOriginsReadStruct(op, "dimension_numbers", &dims))
    return;
  const XlaSharding *operand = operandSharding(x, op, 0);
  const XlaI64List *offsets = &dims.lists[windowDims];
  for (int d = 0, next = 0; d < from->rank; ++d) {
    if (contains(&dims.lists[missingDims], d) ||
        contains(&dims.lists[batchDims], d))
      continue;
    if (next < offsets->size &&
        mlirDenseI64ArrayGetElement(sizes, d) == from->dims[d])
      follow(origins, (int)offsets->values[next], operand, d);
    ++next;
  }
  for (int d = 0, index = 0; d < origins->rank; ++d) {
    if (contains(offsets, d))
      continue;
    index += index == vectorOf(&dims);
    follow(origins, d, operandSharding(x, op, 1), index);
    for (int b = 0; b < dims.lists[batchDims].size; ++b) {
      int dimension = (int)dims.lists[batchDims].values[b];
      if (indexOfBatch(&dims, b) == index && operand && dimension >= 0 &&
          dimension < operand->rank && operand->tiles[dimension] > 1)
        follow(origins, d, operand, dimension);
    }
    ++index;
  }
}

/// As the operand, else as what is put in, where that goes all along it, or as
/// the indices of batches.
static void traceScatter(XlaExpansion *x, MlirOperation op, intptr_t i,
                         XlaOrigins *origins) {
  XlaStructValues dims;
  XlaShape to, update;
  intptr_t n = mlirOperationGetNumResults(op);
  if (mlirOperationGetNumOperands(op) != 2 * n + 1 ||
      !operandShape(op, i, &to) || !operandShape(op, n + 1 + i, &update) ||
      !xlaOriginsReadStruct(op, "scatter_dimension_numbers", &dims))
    return;
  const XlaSharding *s = operandSharding(x, op, i);
  const XlaI64List *windows = &dims.lists[windowDims];
  const XlaI64List *batches = &dims.lists[batchDims];
  for (int b = 0; b < batches->size; ++b)
    if (indexOfBatch(&dims, b) >= 0)
      follow(origins, (int)batches->values[b], operandSharding(x, op, n),
             indexOfBatch(&dims, b));
  for (int d = 0, next = 0; d < to.rank; ++d) {
    if (contains(&dims.lists[missingDims], d) || contains(batches, d))
      continue;
    int from = next < windows->size ? (int)windows->values[next++] : -1;
    if (from >= 0 && from < update.rank && update.dims[from] == to.dims[d])
      follow(origins, d, operandSharding(x, op, n + 1 + i), from);
  }
  for (int d = 0; s && d < to.rank && d < s->rank; ++d)
    if (s->tiles[d] > 1)
      follow(origins, d, s, d);
}

/// The first `n` dimensions as those of the first operand that cuts them: each
/// element of a batch is computed as a whole.
static void traceBatch(XlaExpansion *x, MlirOperation op, int n,
                       XlaOrigins *origins) {
  for (intptr_t k = mlirOperationGetNumOperands(op); k-- > 0;) {
    const XlaSharding *s = operandSharding(x, op, k);
    for (int d = 0; s && d < n && d < s->rank; ++d)
      if (s->tiles[d] > 1)
        follow(origins, d, s, d);
  }
}

bool xlaOriginsAreOwn(MlirOperation op) {
  MlirAttribute name = attribute(op, "name");
  return xlaIrIsOp(op, "chlo.top_k") ||
         (xlaIrIsOp(op, "stablehlo.composite") && !mlirAttributeIsNull(name) &&
          mlirAttributeIsAString(name) &&
          mlirStringRefEqual(mlirStringAttrGetValue(name),
                             mlirStringRefCreateFromCString("chlo.top_k")));
}

/// What JAX says of a call to a function of matrices; -1: nothing.
static int batchesOfCall(MlirOperation op) {
  MlirAttribute said = attribute(op, "mhlo.frontend_attributes");
  if (mlirAttributeIsNull(said) || !mlirAttributeIsADictionary(said))
    return -1;
  said = mlirDictionaryAttrGetElementByName(
      said, mlirStringRefCreateFromCString("num_batch_dims"));
  if (mlirAttributeIsNull(said) || !mlirAttributeIsAString(said))
    return -1;
  MlirStringRef word = mlirStringAttrGetValue(said);
  XlaImportText text = {word.data, word.data + word.length};
  int64_t n;
  return xlaTextReadInteger(&text, &n) && n <= XLA_MAX_RANK ? (int)n : -1;
}

static void traceSameSizes(const XlaSharding *s, const XlaShape *from,
                           const XlaShape *to, XlaOrigins *origins) {
  for (int d = 0; d < to->rank && d < from->rank; ++d)
    if (from->dims[d] == to->dims[d])
      follow(origins, d, s, d);
}

/// Whether `a` cuts its dimension d as `b` does, or the parts of that again.
static bool refines(const XlaSharding *a, const XlaSharding *b, int d) {
  if (a->tiles[d] % b->tiles[d])
    return false;
  int64_t more = a->tiles[d] / b->tiles[d];
  for (int i = 0; i < a->nDevices; ++i)
    if (a->coordinates[i * a->rank + d] / more !=
        b->coordinates[i * b->rank + d])
      return false;
  return true;
}

static bool isAlike(MlirOperation op, intptr_t k, const XlaShape *to,
                    bool isOfShape) {
  XlaShape from;
  return operandShape(op, k, &from) && from.rank == to->rank &&
         (!isOfShape || xlaShapeDimsEqual(&from, to));
}

/// The operand, of this shape, or at least rank, that cuts dimension d into
/// most parts; -1 if there is none, or another cuts it otherwise.
static intptr_t findCut(XlaExpansion *x, MlirOperation op, const XlaShape *to,
                        bool isOfShape, int d) {
  const XlaSharding *finest = NULL;
  intptr_t found = -1;
  for (intptr_t k = 0; k < mlirOperationGetNumOperands(op); ++k) {
    const XlaSharding *s = operandSharding(x, op, k);
    if (!s || s->rank != to->rank || s->tiles[d] == 1 ||
        !isAlike(op, k, to, isOfShape))
      continue;
    if (!finest || (s->tiles[d] > finest->tiles[d] && refines(s, finest, d))) {
      finest = s;
      found = k;
    } else if (!refines(finest, s, d)) {
      return -1;
    }
  }
  return found;
}

/// Each dimension as the operands that cut it.
static void traceAlike(XlaExpansion *x, MlirOperation op, const XlaShape *to,
                       bool isOfShape, XlaOrigins *origins) {
  enum { manyOperands = 1 << 20 };
  // That along which arrays are joined or sorted is the last to be cut.
  int64_t last =
      xlaIrIsOp(op, "stablehlo.concatenate") || xlaIrIsOp(op, "stablehlo.sort")
          ? xlaOpGetI64(op, "dimension", -1)
          : -1;
  for (int d = 0; d < to->rank; ++d) {
    intptr_t k = findCut(x, op, to, isOfShape, d);
    if (k < 0)
      continue;
    const XlaSharding *s = operandSharding(x, op, k);
    follow(origins, d, s, d);
    // The one with most parts, of these the first.
    origins->order[d] = k - (d == last ? 0 : s->tiles[d] * manyOperands);
  }
}

/// As the array, else as what is put in, where that goes all along it.
static void traceUpdate(XlaExpansion *x, MlirOperation op, const XlaShape *to,
                        XlaOrigins *origins) {
  XlaShape update;
  if (operandShape(op, 1, &update))
    traceSameSizes(operandSharding(x, op, 1), &update, to, origins);
  const XlaSharding *s = operandSharding(x, op, 0);
  for (int d = 0; s && d < to->rank && d < s->rank; ++d)
    if (s->tiles[d] > 1)
      follow(origins, d, s, d);
}

/// Whether all start indices are constants, so that XLA makes it a slice.
static bool startsAreConstant(MlirOperation op) {
  for (intptr_t k = 1; k < mlirOperationGetNumOperands(op); ++k) {
    MlirValue start = mlirOperationGetOperand(op, k);
    if (!mlirValueIsAOpResult(start) ||
        !xlaIrIsOp(mlirOpResultGetOwner(start), "stablehlo.constant"))
      return false;
  }
  return true;
}

static void traceList(XlaExpansion *x, MlirOperation op, const XlaShape *from,
                      const XlaShape *to, XlaOrigins *origins) {
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

void xlaOriginsOfResult(XlaExpansion *x, MlirOperation op, intptr_t i,
                        XlaOrigins *origins) {
  XlaShape from, to;
  if (!shapeOf(mlirOperationGetResult(op, i), &to) ||
      !operandShape(op, 0, &from))
    return;
  origins->rank = to.rank;
  const XlaSharding *first = operandSharding(x, op, 0);
  bool isCall = xlaIrIsOp(op, "stablehlo.custom_call");
  if (xlaIrIsOp(op, "stablehlo.transpose") ||
      xlaIrIsOp(op, "stablehlo.broadcast_in_dim") ||
      xlaIrIsOp(op, "stablehlo.reduce"))
    traceList(x, op, &from, &to, origins);
  else if (xlaIrIsOp(op, "stablehlo.dot_general"))
    traceDot(x, op, origins);
  else if (xlaIrIsOp(op, "stablehlo.convolution"))
    traceConvolution(x, op, origins);
  else if (xlaIrIsOp(op, "stablehlo.reshape"))
    traceReshape(first, &from, &to, origins);
  else if (xlaIrIsOp(op, "stablehlo.gather"))
    traceGather(x, op, &from, origins);
  else if (xlaIrIsOp(op, "stablehlo.scatter"))
    traceScatter(x, op, i, origins);
  else if (xlaIrIsOp(op, "stablehlo.cholesky") ||
           xlaIrIsOp(op, "stablehlo.triangular_solve"))
    traceBatch(x, op, to.rank - 2, origins);
  else if (xlaOriginsAreOwn(op))
    traceBatch(x, op, to.rank - 1, origins);
  else if (isCall && batchesOfCall(op) >= 0)
    traceBatch(x, op, batchesOfCall(op), origins);
  else if ((xlaIrIsOp(op, "stablehlo.dynamic_slice") &&
            !startsAreConstant(op)) ||
           xlaIrIsOp(op, "stablehlo.fft"))
    traceSameSizes(first, &from, &to, origins);
  else if (xlaIrIsOp(op, "stablehlo.dynamic_update_slice"))
    traceUpdate(x, op, &to, origins);
  else if (xlaIrIsOp(op, "stablehlo.slice") ||
           xlaIrIsOp(op, "stablehlo.dynamic_slice") ||
           xlaIrIsOp(op, "stablehlo.pad") ||
           xlaIrIsOp(op, "stablehlo.reduce_window") ||
           xlaIrIsOp(op, "stablehlo.concatenate"))
    traceAlike(x, op, &to, false, origins);
  else if (xlaIrIsOp(op, "stablehlo.optimization_barrier") &&
           i < mlirOperationGetNumOperands(op))
    traceSameSizes(operandSharding(x, op, i), &to, &to, origins);
  else
    traceAlike(x, op, &to, true, origins);
}
