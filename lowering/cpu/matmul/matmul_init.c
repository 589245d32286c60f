//===- matmul_init.c - A contraction as a matrix product ------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/cpu/matmul/matmul.h"

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

/// The only dimension, or one of size 1, of which the strides do not matter.
static XlaContractionDim only(const XlaContractionDims *list) {
  XlaContractionDim none = {
      .size = list->size, .lhs = 1, .rhs = 1, .result = 1};
  return list->n ? list->dims[0] : none;
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

bool xlaCpuMatmulInit(XlaCpuMatmul *op, const XlaContraction *contraction,
                      MlirType lhs, MlirType rhs, MlirType result) {
  MlirType element = mlirShapedTypeGetElementType(result);
  *op = (XlaCpuMatmul){.lhs = lhs,
                       .rhs = rhs,
                       .result = result,
                       .lhsUnsigned = contraction->lhsUnsigned,
                       .rhsUnsigned = contraction->rhsUnsigned};
  if (contraction->terms.n > 1 || contraction->columns.n > 1 ||
      contraction->rows.n > 1 ||
      contraction->batch.n > XLA_CPU_MATMUL_MAX_BATCH ||
      !typesFit(mlirShapedTypeGetElementType(lhs), element) ||
      !typesFit(mlirShapedTypeGetElementType(rhs), element))
    return false;
  XlaContractionDim rows = only(&contraction->rows);
  XlaContractionDim columns = only(&contraction->columns);
  XlaContractionDim terms = only(&contraction->terms);
  if (columns.size > 1 && columns.result != 1)
    return false;
  op->m = rows.size;
  op->n = columns.size;
  op->k = terms.size;
  op->lhsM = rows.lhs;
  op->lhsK = terms.lhs;
  op->rhsK = terms.rhs;
  op->rhsN = columns.rhs;
  op->resultM = rows.result;
  op->batchRank = contraction->batch.n;
  for (intptr_t i = 0; i < contraction->batch.n; ++i) {
    const XlaContractionDim *dim = &contraction->batch.dims[i];
    op->batch[i] = dim->size;
    op->lhsBatch[i] = dim->lhs;
    op->rhsBatch[i] = dim->rhs;
    op->resultBatch[i] = dim->result;
  }
  normalizeStrides(op);
  return true;
}
