//===- matmul_init.c - dot_general as a matrix product --------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/cpu/matmul.h"

#include "mlir-c/Diagnostics.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { maxRank = 64 };

/// A memref's dimensions.
typedef struct Shape {
  const char *name;
  intptr_t rank;
  int64_t size[maxRank], stride[maxRank];
} Shape;

static MlirLogicalResult fail(MlirLocation location, const char *format, ...) {
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (!mlirLocationIsNull(location))
    mlirEmitError(location, text);
  return mlirLogicalResultFailure();
}

static bool readShape(Shape *shape, const char *name, MlirType type) {
  int64_t offset;
  shape->name = name;
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

/// Several dimensions as one: sizes multiply, and each stride must step over
/// the dimensions after it. Dimensions of size 1 do not count.
static bool merge(const Shape *shape, intptr_t n, const intptr_t *dims,
                  int64_t *size, int64_t *stride) {
  *size = 1;
  *stride = 1;
  bool any = false;
  for (intptr_t i = n; i-- > 0;) {
    int64_t extent = shape->size[dims[i]];
    if (extent == 1)
      continue;
    int64_t expected = any ? *stride * *size : shape->stride[dims[i]];
    if (shape->stride[dims[i]] != expected)
      return false;
    if (!any)
      *stride = expected;
    any = true;
    *size *= extent;
  }
  return true;
}

static bool contains(intptr_t n, const int64_t *dims, intptr_t dim) {
  for (intptr_t i = 0; i < n; ++i)
    if (dims[i] == dim)
      return true;
  return false;
}

/// Dimensions that are neither batch nor contracting.
static intptr_t freeDims(const Shape *shape, intptr_t nBatch,
                         const int64_t *batch, intptr_t nContracting,
                         const int64_t *contracting, intptr_t *dims) {
  intptr_t n = 0;
  for (intptr_t i = 0; i < shape->rank; ++i)
    if (!contains(nBatch, batch, i) && !contains(nContracting, contracting, i))
      dims[n++] = i;
  return n;
}

/// Contracting pairs in the order that the lhs has them in memory, so that
/// they merge whatever order the op lists them in.
static bool mergeContracting(XlaCpuMatmul *op, const Shape *lhs,
                             const Shape *rhs, const XlaCpuMatmulDims *dims) {
  intptr_t left[maxRank], right[maxRank];
  for (intptr_t i = 0; i < dims->nContracting; ++i) {
    intptr_t at = i;
    for (; at > 0 &&
           lhs->stride[left[at - 1]] < lhs->stride[dims->lhsContracting[i]];
         --at) {
      left[at] = left[at - 1];
      right[at] = right[at - 1];
    }
    left[at] = (intptr_t)dims->lhsContracting[i];
    right[at] = (intptr_t)dims->rhsContracting[i];
  }
  int64_t k;
  return merge(lhs, dims->nContracting, left, &op->k, &op->lhsK) &&
         merge(rhs, dims->nContracting, right, &k, &op->rhsK);
}

static int floatRank(MlirType type) {
  return mlirTypeIsAF64(type)                            ? 3
         : mlirTypeIsAF32(type)                          ? 2
         : mlirTypeIsAF16(type) || mlirTypeIsABF16(type) ? 1
                                                         : 0;
}

static bool isInteger(MlirType type) {
  if (!mlirTypeIsAInteger(type) || !mlirIntegerTypeIsSignless(type))
    return false;
  unsigned bits = mlirIntegerTypeGetWidth(type);
  return bits == 8 || bits == 16 || bits == 32 || bits == 64;
}

/// Sums are at least as wide as the operands.
static bool typesFit(MlirType operand, MlirType result) {
  if (isInteger(result))
    return isInteger(operand);
  int rank = floatRank(result), sum = rank == 1 ? 2 : rank;
  return rank && floatRank(operand) && floatRank(operand) <= sum;
}

static MlirLogicalResult checkDims(const Shape *lhs, const Shape *rhs,
                                   const Shape *result,
                                   const XlaCpuMatmulDims *dims,
                                   MlirLocation location) {
  if (dims->nBatch > XLA_CPU_MATMUL_MAX_BATCH)
    return fail(location, "%td batch dimensions are more than %d", dims->nBatch,
                XLA_CPU_MATMUL_MAX_BATCH);
  for (intptr_t i = 0; i < dims->nBatch + dims->nContracting; ++i) {
    bool batch = i < dims->nBatch;
    intptr_t at = batch ? i : i - dims->nBatch;
    int64_t l = batch ? dims->lhsBatch[at] : dims->lhsContracting[at];
    int64_t r = batch ? dims->rhsBatch[at] : dims->rhsContracting[at];
    if (l < 0 || l >= lhs->rank || r < 0 || r >= rhs->rank)
      return fail(location, "dimension %lld of lhs or %lld of rhs is not there",
                  (long long)l, (long long)r);
    if (lhs->size[l] != rhs->size[r])
      return fail(location, "dimension %lld of lhs is %lld, %lld of rhs %lld",
                  (long long)l, (long long)lhs->size[l], (long long)r,
                  (long long)rhs->size[r]);
  }
  intptr_t rank = lhs->rank + rhs->rank - dims->nBatch - 2 * dims->nContracting;
  if (result->rank != rank)
    return fail(location, "the result has rank %td, not %td", result->rank,
                rank);
  return mlirLogicalResultSuccess();
}

/// A memref<8x1xf32> may have any stride along its second dimension: one that
/// helps is chosen.
static void normalizeStrides(XlaCpuMatmul *op) {
  if (op->k == 1)
    op->lhsK = 1, op->rhsK = op->n;
  if (op->m == 1)
    op->lhsM = op->k, op->resultM = op->n;
  if (op->n == 1 && op->rhsK != 1)
    op->rhsN = 1;
}

static MlirLogicalResult readResult(XlaCpuMatmul *op, const Shape *result,
                                    const XlaCpuMatmulDims *dims, intptr_t nM,
                                    MlirLocation location) {
  intptr_t rows[maxRank], columns[maxRank];
  intptr_t nN = result->rank - dims->nBatch - nM;
  for (intptr_t i = 0; i < nM; ++i)
    rows[i] = dims->nBatch + i;
  for (intptr_t i = 0; i < nN; ++i)
    columns[i] = dims->nBatch + nM + i;
  int64_t m, n, columnStride;
  if (!merge(result, nM, rows, &m, &op->resultM) ||
      !merge(result, nN, columns, &n, &columnStride))
    return fail(location, "rows or columns of the result are not one dimension "
                          "in memory");
  if (m != op->m || n != op->n)
    return fail(location,
                "the result has %lld rows and %lld columns, not %lld "
                "and %lld",
                (long long)m, (long long)n, (long long)op->m, (long long)op->n);
  if (op->n > 1 && columnStride != 1)
    return fail(location,
                "columns of the result are %lld elements apart, "
                "not 1",
                (long long)columnStride);
  for (intptr_t i = 0; i < dims->nBatch; ++i) {
    op->resultBatch[i] = result->stride[i];
    if (result->size[i] != op->batch[i])
      return fail(location,
                  "batch dimension %td of the result is %lld, not "
                  "%lld",
                  i, (long long)result->size[i], (long long)op->batch[i]);
  }
  return mlirLogicalResultSuccess();
}

MlirLogicalResult xlaCpuMatmulInit(XlaCpuMatmul *matmul, MlirType lhs,
                                   MlirType rhs, MlirType result,
                                   const XlaCpuMatmulDims *dims,
                                   MlirLocation location) {
  Shape l, r, out;
  intptr_t freeDim[maxRank];
  *matmul = (XlaCpuMatmul){.lhs = lhs, .rhs = rhs, .result = result};
  if (!readShape(&l, "lhs", lhs) || !readShape(&r, "rhs", rhs) ||
      !readShape(&out, "result", result))
    return fail(location, "a matrix product needs memrefs of static shape");
  MlirType element = mlirShapedTypeGetElementType(result);
  if (!typesFit(mlirShapedTypeGetElementType(lhs), element) ||
      !typesFit(mlirShapedTypeGetElementType(rhs), element))
    return fail(location, "a matrix product of these element types is not "
                          "supported");
  MlirLogicalResult checked = checkDims(&l, &r, &out, dims, location);
  if (mlirLogicalResultIsFailure(checked))
    return checked;
  matmul->batchRank = dims->nBatch;
  for (intptr_t i = 0; i < dims->nBatch; ++i) {
    matmul->batch[i] = l.size[dims->lhsBatch[i]];
    matmul->lhsBatch[i] = l.stride[dims->lhsBatch[i]];
    matmul->rhsBatch[i] = r.stride[dims->rhsBatch[i]];
  }
  if (!mergeContracting(matmul, &l, &r, dims))
    return fail(location, "contracting dimensions are not one in memory");
  intptr_t n = freeDims(&r, dims->nBatch, dims->rhsBatch, dims->nContracting,
                        dims->rhsContracting, freeDim);
  if (!merge(&r, n, freeDim, &matmul->n, &matmul->rhsN))
    return fail(location, "columns of rhs are not one dimension in memory");
  n = freeDims(&l, dims->nBatch, dims->lhsBatch, dims->nContracting,
               dims->lhsContracting, freeDim);
  if (!merge(&l, n, freeDim, &matmul->m, &matmul->lhsM))
    return fail(location, "rows of lhs are not one dimension in memory");
  MlirLogicalResult read = readResult(matmul, &out, dims, n, location);
  if (mlirLogicalResultIsSuccess(read))
    normalizeStrides(matmul);
  return read;
}
