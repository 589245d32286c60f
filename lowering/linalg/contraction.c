//===- contraction.c - What a contraction sums ----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/linalg/contraction.h"

#include "xlac/dialect/ir.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stddef.h>

enum { maxRank = XLA_CONTRACTION_MAX_RANK };

/// A memref's dimensions.
typedef struct Shape {
  intptr_t rank;
  int64_t size[maxRank], stride[maxRank];
} Shape;

static bool readShape(Shape *shape, MlirType type) {
  int64_t offset;
  if (!mlirTypeIsAMemRef(type) || !mlirShapedTypeHasStaticShape(type) ||
      mlirShapedTypeGetRank(type) > maxRank ||
      mlirLogicalResultIsFailure(
          mlirMemRefTypeGetStridesAndOffset(type, shape->stride, &offset)) ||
      mlirShapedTypeIsDynamicStrideOrOffset(offset))
    return false;
  shape->rank = mlirShapedTypeGetRank(type);
  for (intptr_t i = 0; i < shape->rank; ++i) {
    shape->size[i] = mlirShapedTypeGetDimSize(type, i);
    if (mlirShapedTypeIsDynamicStrideOrOffset(shape->stride[i]))
      return false;
  }
  return true;
}

/// Appends a dimension inside of those so far, as one with the last where every
/// step of that is a whole run of this.
static void append(XlaContractionDims *list, int64_t size, int64_t lhs,
                   int64_t rhs, int64_t result) {
  list->size *= size;
  if (size == 1)
    return;
  XlaContractionDim *last = list->n ? &list->dims[list->n - 1] : NULL;
  if (last && last->lhs == lhs * size && last->rhs == rhs * size &&
      last->result == result * size)
    *last = (XlaContractionDim){last->size * size, lhs, rhs, result};
  else
    list->dims[list->n++] = (XlaContractionDim){size, lhs, rhs, result};
}

static bool contains(intptr_t n, const int64_t *dims, intptr_t dim) {
  for (intptr_t i = 0; i < n; ++i)
    if (dims[i] == dim)
      return true;
  return false;
}

/// Contracted pairs in the order that the lhs has them in memory, so that they
/// merge whatever order the op lists them in.
static void appendTerms(XlaContractionDims *terms, const Shape *lhs,
                        const Shape *rhs,
                        const XlaContractionNumbers *numbers) {
  intptr_t order[maxRank];
  for (intptr_t i = 0; i < numbers->nContracting; ++i) {
    intptr_t at = i;
    for (; at > 0 && lhs->stride[numbers->lhsContracting[order[at - 1]]] <
                         lhs->stride[numbers->lhsContracting[i]];
         --at)
      order[at] = order[at - 1];
    order[at] = i;
  }
  for (intptr_t i = 0; i < numbers->nContracting; ++i) {
    int64_t l = numbers->lhsContracting[order[i]];
    int64_t r = numbers->rhsContracting[order[i]];
    append(terms, lhs->size[l], lhs->stride[l], rhs->stride[r], 0);
  }
}

static MlirLogicalResult checkNumbers(const Shape *lhs, const Shape *rhs,
                                      const Shape *result,
                                      const XlaContractionNumbers *numbers,
                                      MlirLocation location) {
  for (intptr_t i = 0; i < numbers->nBatch + numbers->nContracting; ++i) {
    bool batch = i < numbers->nBatch;
    intptr_t at = batch ? i : i - numbers->nBatch;
    int64_t l = batch ? numbers->lhsBatch[at] : numbers->lhsContracting[at];
    int64_t r = batch ? numbers->rhsBatch[at] : numbers->rhsContracting[at];
    if (l < 0 || l >= lhs->rank || r < 0 || r >= rhs->rank)
      return xlaIrError(location,
                        "dimension %lld of lhs or %lld of rhs is not there",
                        (long long)l, (long long)r);
    if (lhs->size[l] != rhs->size[r])
      return xlaIrError(location,
                        "dimension %lld of lhs is %lld, %lld of rhs %lld",
                        (long long)l, (long long)lhs->size[l], (long long)r,
                        (long long)rhs->size[r]);
  }
  intptr_t rank =
      lhs->rank + rhs->rank - numbers->nBatch - 2 * numbers->nContracting;
  if (result->rank != rank)
    return xlaIrError(location, "the result has rank %td, not %td",
                      result->rank, rank);
  return mlirLogicalResultSuccess();
}

/// Appends dimension `i` of an operand as dimension `*at` of the result.
static MlirLogicalResult appendFree(XlaContractionDims *list,
                                    const Shape *operand, intptr_t i,
                                    bool isLhs, const Shape *result,
                                    intptr_t *at, MlirLocation location) {
  intptr_t out = (*at)++;
  if (result->size[out] != operand->size[i])
    return xlaIrError(location, "dimension %td of the result is %lld, not %lld",
                      out, (long long)result->size[out],
                      (long long)operand->size[i]);
  append(list, operand->size[i], isLhs ? operand->stride[i] : 0,
         isLhs ? 0 : operand->stride[i], result->stride[out]);
  return mlirLogicalResultSuccess();
}

static MlirLogicalResult appendAll(XlaContraction *contraction,
                                   const Shape *lhs, const Shape *rhs,
                                   const Shape *result,
                                   const XlaContractionNumbers *numbers,
                                   MlirLocation location) {
  intptr_t at = 0;
  for (; at < numbers->nBatch; ++at) {
    int64_t l = numbers->lhsBatch[at];
    if (result->size[at] != lhs->size[l])
      return xlaIrError(
          location, "batch dimension %td of the result is %lld, not %lld", at,
          (long long)result->size[at], (long long)lhs->size[l]);
    append(&contraction->batch, lhs->size[l], lhs->stride[l],
           rhs->stride[numbers->rhsBatch[at]], result->stride[at]);
  }
  MlirLogicalResult ok = mlirLogicalResultSuccess();
  for (intptr_t i = 0; i < lhs->rank && mlirLogicalResultIsSuccess(ok); ++i)
    if (!contains(numbers->nBatch, numbers->lhsBatch, i) &&
        !contains(numbers->nContracting, numbers->lhsContracting, i))
      ok = appendFree(&contraction->rows, lhs, i, true, result, &at, location);
  for (intptr_t i = 0; i < rhs->rank && mlirLogicalResultIsSuccess(ok); ++i)
    if (!contains(numbers->nBatch, numbers->rhsBatch, i) &&
        !contains(numbers->nContracting, numbers->rhsContracting, i))
      ok = appendFree(&contraction->columns, rhs, i, false, result, &at,
                      location);
  appendTerms(&contraction->terms, lhs, rhs, numbers);
  return ok;
}

MlirLogicalResult xlaContractionInit(XlaContraction *contraction, MlirType lhs,
                                     MlirType rhs, MlirType result,
                                     const XlaContractionNumbers *numbers,
                                     MlirLocation location) {
  Shape l, r, out;
  contraction->batch.n = contraction->rows.n = 0;
  contraction->columns.n = contraction->terms.n = 0;
  contraction->batch.size = contraction->rows.size = 1;
  contraction->columns.size = contraction->terms.size = 1;
  if (!readShape(&l, lhs) || !readShape(&r, rhs) || !readShape(&out, result))
    return xlaIrError(location,
                      "a matrix product needs memrefs of static shape");
  MlirLogicalResult ok = checkNumbers(&l, &r, &out, numbers, location);
  if (mlirLogicalResultIsFailure(ok))
    return ok;
  return appendAll(contraction, &l, &r, &out, numbers, location);
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

static MlirAttribute attribute(MlirOperation op, const char *name) {
  return mlirOperationGetAttributeByName(op,
                                         mlirStringRefCreateFromCString(name));
}

static bool hasUnit(MlirOperation op, const char *name) {
  return !mlirAttributeIsNull(attribute(op, name));
}

static bool readList(MlirOperation op, const char *name, intptr_t *n,
                     int64_t values[maxRank]) {
  MlirAttribute array = attribute(op, name);
  if (mlirAttributeIsNull(array) || !mlirAttributeIsADenseI64Array(array) ||
      mlirDenseArrayGetNumElements(array) > maxRank)
    return false;
  *n = mlirDenseArrayGetNumElements(array);
  for (intptr_t i = 0; i < *n; ++i)
    values[i] = mlirDenseI64ArrayGetElement(array, i);
  return true;
}

static MlirWalkResult findStore(MlirOperation op, void *user) {
  if (!xlaIrIsOp(op, "memref.store"))
    return MlirWalkResultAdvance;
  *(MlirValue *)user = mlirOperationGetOperand(op, 1);
  return MlirWalkResultInterrupt;
}

static void findLoop(XlaContractionKernel *kernel, MlirBlock block) {
  MlirOperation op = mlirBlockGetFirstOperation(block);
  while (op.ptr && !hasUnit(op, "xla.contraction"))
    op = mlirOperationGetNextInBlock(op);
  kernel->loop = op;
  if (op.ptr)
    mlirOperationWalk(op, findStore, &kernel->product, MlirWalkPreOrder);
}

bool xlaContractionReadKernel(XlaContractionKernel *kernel,
                              MlirOperation function) {
  static const char *const names[4] = {"xla.lhs_batch", "xla.rhs_batch",
                                       "xla.lhs_contracting",
                                       "xla.rhs_contracting"};
  intptr_t n[4], two;
  int64_t operands[maxRank] = {0, 1};
  *kernel = (XlaContractionKernel){.isPart = false};
  for (int i = 0; i < 4; ++i)
    if (!readList(function, names[i], &n[i], kernel->lists[i]))
      return false;
  if (n[0] != n[1] || n[2] != n[3])
    return false;
  kernel->numbers =
      (XlaContractionNumbers){n[0], kernel->lists[0], kernel->lists[1],
                              n[2], kernel->lists[2], kernel->lists[3]};
  MlirBlock block =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  kernel->isPart = readList(function, "xla.operands", &two, operands);
  kernel->lhs = operands[0];
  kernel->rhs = operands[1];
  if (kernel->isPart)
    findLoop(kernel, block);
  else
    kernel->product = mlirBlockGetArgument(block, 2);
  kernel->lhsUnsigned = hasUnit(function, "xla.lhs_unsigned");
  kernel->rhsUnsigned = hasUnit(function, "xla.rhs_unsigned");
  kernel->isPred = hasUnit(function, "xla.is_pred");
  return true;
}
