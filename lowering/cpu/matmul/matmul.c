//===- matmul.c - Matrix products on the CPU ------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The function of a product: threads, and one batch element after the other.
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/affine/build.h"
#include "xlac/lowering/cpu/matmul/gemm.h"
#include "xlac/lowering/cpu/pointer.h"

#include <string.h>

typedef struct Product {
  const XlaCpuGemmTiling *tiling;
  const XlaCpuGemmTypes *types;
  const char *callee;
  const char *packLhs;        ///< of vectors with a prologue
  MlirValue lhs, rhs, result; ///< pointers
  MlirValue slab;             ///< the thread's scratch
  MlirValue extras[XLA_CPU_MATMUL_MAX_EXTRAS];
  XlaAffineNest nest;
} Product;

/// Rows [row, row + rows) and columns [column, column + columns) of a batch
/// element.
typedef struct Part {
  MlirAffineExpr batch, row, column;
  XlaAffineBound rows, columns;
} Part;

static MlirAffineExpr constant(const Product *product, int64_t value) {
  return xlaAffineConstant(&product->nest, value);
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// `pointer + batch's offset + i * stride`, in elements.
static MlirValue pointerAt(XlaIr *ir, const Product *product, MlirValue pointer,
                           MlirType element, MlirAffineExpr batch,
                           const int64_t *strides, MlirAffineExpr i,
                           int64_t stride) {
  const XlaCpuMatmul *op = &product->tiling->op;
  MlirAffineExpr offset = xlaExprScale(i, stride);
  for (intptr_t d = op->batchRank; d-- > 0;) {
    MlirAffineExpr digit = d ? xlaExprModulo(batch, op->batch[d]) : batch;
    offset = xlaExprAdd(offset, xlaExprScale(digit, strides[d]));
    batch = xlaExprOver(batch, op->batch[d]);
  }
  return xlaCpuPtrAdd(ir, pointer, element,
                      xlaAffineApply(&product->nest, ir, offset));
}

static MlirValue slabAt(XlaIr *ir, const Product *product, int64_t bytes) {
  return xlaCpuPtrAdd(ir, product->slab, mlirIntegerTypeGet(ir->context, 8),
                      xlaIrConstantIndex(ir, bytes));
}

static void callNest(XlaIr *ir, const Product *product, const Part *part,
                     MlirValue a, MlirValue b, MlirValue c) {
  const XlaCpuGemmTiling *tiling = product->tiling;
  const XlaCpuMatmul *op = &tiling->op;
  const XlaAffineNest *nest = &product->nest;
  MlirValue arg[XLA_CPU_GEMM_NEST_ARGS + XLA_CPU_MATMUL_MAX_EXTRAS] = {
      [XLA_CPU_GEMM_A] = a,
      [XLA_CPU_GEMM_B] = b,
      [XLA_CPU_GEMM_C] = c,
      [XLA_CPU_GEMM_SUMS] = product->slab,
      [XLA_CPU_GEMM_PACKED_A] = slabAt(ir, product, tiling->sumBytes),
      [XLA_CPU_GEMM_PACKED_B] =
          slabAt(ir, product, tiling->sumBytes + tiling->lhsBytes),
      [XLA_CPU_GEMM_LHS_M] = xlaIrConstantIndex(ir, op->lhsM),
      [XLA_CPU_GEMM_LHS_K] = xlaIrConstantIndex(ir, op->lhsK),
      [XLA_CPU_GEMM_RHS_K] = xlaIrConstantIndex(ir, op->rhsK),
      [XLA_CPU_GEMM_RHS_N] = xlaIrConstantIndex(ir, op->rhsN),
      [XLA_CPU_GEMM_RESULT_M] = xlaIrConstantIndex(ir, op->resultM),
      [XLA_CPU_GEMM_M] = xlaAffineMin(nest, ir, part->rows),
      [XLA_CPU_GEMM_N] = xlaAffineMin(nest, ir, part->columns),
      [XLA_CPU_GEMM_K] = xlaIrConstantIndex(ir, op->k),
      [XLA_CPU_GEMM_BATCH] = xlaAffineApply(nest, ir, part->batch),
      [XLA_CPU_GEMM_ROW] = xlaAffineApply(nest, ir, part->row),
      [XLA_CPU_GEMM_COLUMN] = xlaAffineApply(nest, ir, part->column)};
  for (intptr_t i = 0; i < op->nExtras; ++i)
    arg[XLA_CPU_GEMM_NEST_ARGS + i] = product->extras[i];
  xlaCpuCall(ir, product->callee, XLA_CPU_GEMM_NEST_ARGS + op->nExtras, arg);
}

/// Vectors that a prologue computes lie in the thread's scratch.
static MlirValue packVectors(XlaIr *ir, const Product *product,
                             const XlaCpuGemmOrigin *origin) {
  const XlaCpuGemmTiling *tiling = product->tiling;
  const XlaCpuMatmul *op = &tiling->op;
  MlirValue packed = slabAt(ir, product, tiling->sumBytes);
  MlirValue k = xlaIrConstantIndex(ir, op->k);
  MlirValue operands[7 + XLA_CPU_GEMM_ORIGIN_ARGS + XLA_CPU_MATMUL_MAX_EXTRAS] =
      {product->lhs,
       xlaIrConstantIndex(ir, op->lhsM),
       xlaIrConstantIndex(ir, op->lhsK),
       packed,
       k,
       xlaIrConstantIndex(ir, op->m),
       k};
  xlaCpuCall(ir, product->packLhs,
             xlaCpuGemmOriginValues(op, &op->lhsPrologue, origin, operands, 7),
             operands);
  return packed;
}

static void callVector(XlaIr *ir, const Product *product, const Part *part,
                       MlirValue a, MlirValue b, MlirValue c) {
  const XlaCpuGemmTiling *tiling = product->tiling;
  const XlaCpuMatmul *op = &tiling->op;
  const XlaAffineNest *nest = &product->nest;
  bool rows = tiling->path == XLA_CPU_GEMM_VECTOR_ROWS;
  MlirValue sums = tiling->finish ? product->slab : c;
  MlirValue columns = xlaAffineMin(nest, ir, part->columns);
  int64_t held = (op->n + tiling->nr - 1) / tiling->nr * tiling->nr;
  MlirValue sumStride =
      xlaIrConstantIndex(ir, tiling->finish ? held : op->resultM);
  XlaCpuGemmOrigin origin = {.batch = xlaAffineApply(nest, ir, part->batch),
                             .free = xlaAffineApply(nest, ir, part->row),
                             .term = xlaIrConstantIndex(ir, 0),
                             .extras = product->extras};
  bool isPacked = product->packLhs != NULL;
  if (isPacked)
    a = packVectors(ir, product, &origin);
  origin.free = xlaAffineApply(nest, ir, part->column);
  MlirValue operands[9 + XLA_CPU_GEMM_ORIGIN_ARGS + XLA_CPU_MATMUL_MAX_EXTRAS] =
      {a,
       xlaIrConstantIndex(ir, isPacked ? op->k : op->lhsM),
       xlaIrConstantIndex(ir, isPacked ? 1 : op->lhsK),
       b,
       xlaIrConstantIndex(ir, rows ? op->rhsK : op->rhsN),
       sums,
       sumStride,
       columns,
       xlaIrConstantIndex(ir, op->k)};
  xlaCpuCall(ir, product->callee,
             xlaCpuGemmOriginValues(op, &op->rhsPrologue, &origin, operands, 9),
             operands);
  if (!tiling->finish)
    return;
  XlaCpuGemmStore store = {.sums = sums,
                           .sumStride = sumStride,
                           .result = c,
                           .resultStride = xlaIrConstantIndex(ir, op->resultM),
                           .rows = xlaAffineMin(nest, ir, part->rows),
                           .columns = columns,
                           .batch = xlaAffineApply(nest, ir, part->batch),
                           .row = xlaAffineApply(nest, ir, part->row),
                           .column = xlaAffineApply(nest, ir, part->column),
                           .extras = product->extras};
  xlaCpuGemmStoreTile(ir, tiling, product->types, &store);
}

static void callPart(XlaIr *ir, const Product *product, const Part *part) {
  const XlaCpuMatmul *op = &product->tiling->op;
  const XlaCpuGemmTypes *types = product->types;
  MlirValue a = pointerAt(ir, product, product->lhs, types->lhs, part->batch,
                          op->lhsBatch, part->row, op->lhsM);
  MlirValue b = pointerAt(ir, product, product->rhs, types->rhs, part->batch,
                          op->rhsBatch, part->column, op->rhsN);
  MlirAffineExpr first =
      xlaExprAdd(xlaExprScale(part->row, op->resultM), part->column);
  MlirValue c = pointerAt(ir, product, product->result, types->result,
                          part->batch, op->resultBatch, first, 1);
  if (product->tiling->path == XLA_CPU_GEMM_NEST)
    callNest(ir, product, part, a, b, c);
  else
    callVector(ir, product, part, a, b, c);
}

//===----------------------------------------------------------------------===//
// Threads and batches
//===----------------------------------------------------------------------===//

/// [begin, begin + chunk) of [0, n), as a length.
static XlaAffineBound chunkOf(const Product *product, MlirAffineExpr begin,
                              int64_t n) {
  XlaAffineBound rest =
      xlaAffineBound(xlaExprShift(xlaExprScale(begin, -1), n));
  return xlaAffineBoundAnd(rest, constant(product, product->tiling->chunk));
}

/// Thread `thread`'s share, one batch element after the other.
static void share(XlaIr *ir, Product *product, MlirValue scratch,
                  MlirAffineExpr thread) {
  const XlaCpuGemmTiling *tiling = product->tiling;
  const XlaCpuMatmul *op = &tiling->op;
  XlaAffineNest *nest = &product->nest;
  MlirAffineExpr zero = constant(product, 0);
  MlirAffineExpr begin = xlaExprScale(thread, tiling->chunk);
  product->slab = xlaCpuPtrAdd(
      ir, scratch, mlirIntegerTypeGet(ir->context, 8),
      xlaAffineApply(nest, ir, xlaExprScale(thread, tiling->slabBytes)));
  Part part = {.batch = zero,
               .row = zero,
               .column = zero,
               .rows = xlaAffineBound(constant(product, op->m)),
               .columns = xlaAffineBound(constant(product, op->n))};
  XlaAffineBound lower = xlaAffineBound(zero);
  XlaAffineBound upper = xlaAffineBound(constant(product, tiling->batches));
  if (tiling->split == XLA_CPU_GEMM_SPLIT_BATCH) {
    lower = xlaAffineBound(begin);
    upper = xlaAffineBoundAnd(upper, xlaExprShift(begin, tiling->chunk));
  } else if (tiling->split == XLA_CPU_GEMM_SPLIT_N) {
    part.column = begin;
    part.columns = chunkOf(product, begin, op->n);
  } else {
    part.row = begin;
    part.rows = chunkOf(product, begin, op->m);
  }
  if (tiling->batches == 1) {
    callPart(ir, product, &part);
    return;
  }
  XlaIr body;
  xlaAffineFor(nest, ir, lower, upper, 1, 0, NULL, &body, &part.batch);
  callPart(&body, product, &part);
  xlaAffineClose(nest, &body, 0, NULL);
}

static void emitProduct(XlaIr *ir, Product *product) {
  const XlaCpuGemmTiling *tiling = product->tiling;
  MlirValue lhs = mlirBlockGetArgument(ir->block, tiling->transposed ? 1 : 0);
  MlirValue rhs = mlirBlockGetArgument(ir->block, tiling->transposed ? 0 : 1);
  product->lhs = xlaCpuPtrOfMemRef(ir, lhs);
  product->rhs = xlaCpuPtrOfMemRef(ir, rhs);
  product->result = xlaCpuPtrOfMemRef(ir, mlirBlockGetArgument(ir->block, 2));
  MlirValue scratch = xlaCpuPtrOfMemRef(ir, mlirBlockGetArgument(ir->block, 3));
  for (intptr_t i = 0; i < tiling->op.nExtras; ++i)
    product->extras[i] = mlirBlockGetArgument(ir->block, 4 + i);
  if (tiling->threads == 1) {
    share(ir, product, scratch, constant(product, 0));
    return;
  }
  MlirAffineExpr thread;
  XlaIr body = xlaAffineParallel(&product->nest, ir, tiling->threads, &thread);
  share(&body, product, scratch, thread);
  xlaAffineClose(&product->nest, &body, 0, NULL);
}

/// The kernel that multiplies vectors, and what packs those that a prologue
/// computes: as sums, one after the other.
static void emitVectorKernel(MlirBlock module, MlirLocation location,
                             const XlaCpuGemmTiling *tiling,
                             XlaCpuGemmTypes types, const char *user,
                             char kernel[XLA_CPU_GEMM_LONG_NAME],
                             char packLhs[XLA_CPU_GEMM_LONG_NAME]) {
  if (tiling->op.lhsPrologue.compute) {
    types.paired = false;
    types.packed = types.sum;
    xlaCpuGemmPackLhs(module, location, tiling, &types, user, packLhs);
    types.lhs = types.sum;
    memcpy(types.lhsName, types.sumName, sizeof types.lhsName);
  }
  xlaCpuGemmVectorKernel(module, location, tiling, &types, user, kernel);
}

void xlaCpuMatmulEmit(const XlaCpuMatmul *matmul, const XlaCpuTarget *target,
                      MlirBlock moduleBody, MlirLocation location,
                      const char *name) {
  XlaCpuGemmTiling tiling = xlaCpuGemmTiling(matmul, target);
  XlaCpuGemmTypes types = xlaCpuGemmTypes(&tiling.op, target);
  char callee[XLA_CPU_GEMM_LONG_NAME] = "", pack[XLA_CPU_GEMM_LONG_NAME] = "";
  bool empty = !tiling.batches || !matmul->m || !matmul->n;
  if (!empty && tiling.path == XLA_CPU_GEMM_NEST)
    xlaCpuGemmNest(moduleBody, location, &tiling, &types, name, callee);
  else if (!empty)
    emitVectorKernel(moduleBody, location, &tiling, types, name, callee, pack);
  intptr_t count = 4 + matmul->nExtras;
  MlirType inputs[4 + XLA_CPU_MATMUL_MAX_EXTRAS];
  int64_t bytes = tiling.slabBytes * tiling.threads;
  inputs[3] = mlirMemRefTypeContiguousGet(mlirIntegerTypeGet(types.context, 8),
                                          1, &bytes, mlirAttributeGetNull());
  inputs[0] = matmul->lhsPrologue.compute ? inputs[3] : matmul->lhs;
  inputs[1] = matmul->rhsPrologue.compute ? inputs[3] : matmul->rhs;
  inputs[2] = matmul->result;
  for (intptr_t i = 0; i < matmul->nExtras; ++i)
    inputs[4 + i] = matmul->extras[i];
  XlaIr ir;
  if (xlaCpuBeginFunction(moduleBody, location, name, count, inputs, &ir)) {
    Product product = {.tiling = &tiling,
                       .types = &types,
                       .callee = callee,
                       .packLhs = *pack ? pack : NULL,
                       .nest = {.context = types.context}};
    if (!empty)
      emitProduct(&ir, &product);
    xlaCpuReturn(&ir);
  }
}
