//===- emit.c - The loops over tiles of attention -------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/cpu/attention/plan.h"

#include "xlac/dialect/error.h"
#include "xlac/lowering/affine/build.h"
#include "xlac/lowering/cpu/pointer.h"
#include "xlac/lowering/cpu/scratch.h"

#include "mlir-c/BuiltinAttributes.h"

#include <stdio.h>
#include <stdlib.h>

enum { nameBytes = 256 };

/// What is called for each tile.
typedef struct Tiles {
  XlaCpuAttention *plan;
  XlaAffineNest nest;
  MlirValue scratch;
  MlirAffineExpr slab;       ///< the first byte of the thread's memory
  MlirAffineExpr batch, row; ///< of the tile: batch element, first query
  XlaAffineBound rows;       ///< how many it has
  char products[2][XLA_CPU_GEMM_LONG_NAME];
  char phases[XLA_ROW_PHASES][nameBytes]; ///< row functions, or ""
  XlaCpuRowArguments arguments[XLA_ROW_PHASES];
} Tiles;

static MlirStringRef str(const char *text) {
  return mlirStringRefCreateFromCString(text);
}

static MlirAffineExpr constant(const Tiles *tiles, int64_t value) {
  return xlaAffineConstant(&tiles->nest, value);
}

static MlirType bytesType(MlirContext context) {
  return mlirIntegerTypeGet(context, 8);
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// Where an array begins for the tile, in elements, by its strides in a
/// product: 0 lhs, 1 rhs, 2 result.
static MlirAffineExpr firstOf(const Tiles *tiles, const XlaRowProduct *product,
                              int array) {
  const XlaContraction *contraction = &product->contraction;
  MlirAffineExpr first = constant(tiles, 0);
  for (intptr_t i = 0; i < contraction->batch.n; ++i) {
    const XlaContractionDim *dim = &contraction->batch.dims[i];
    int64_t unit = product->units[i] / tiles->plan->rows.queries;
    int64_t stride = array == 0   ? dim->lhs
                     : array == 1 ? dim->rhs
                                  : dim->result;
    MlirAffineExpr digit = xlaExprOver(tiles->batch, unit);
    if (unit * dim->size < tiles->plan->rows.batches)
      digit = xlaExprModulo(digit, dim->size);
    first = xlaExprAdd(first, xlaExprScale(digit, stride));
  }
  if (contraction->rows.n && array != 1)
    first = xlaExprAdd(
        first, xlaExprScale(tiles->row, array ? contraction->rows.dims[0].result
                                              : contraction->rows.dims[0].lhs));
  return first;
}

static MlirValue slabAt(const Tiles *tiles, XlaIr *ir, int64_t bytes) {
  return xlaCpuPtrAdd(
      ir, xlaCpuPtrOfMemRef(ir, tiles->scratch), bytesType(ir->context),
      xlaAffineApply(&tiles->nest, ir, xlaExprShift(tiles->slab, bytes)));
}

static MlirValue outsideAt(const Tiles *tiles, XlaIr *ir,
                           const XlaRowProduct *product, MlirValue memref,
                           int array) {
  return xlaCpuPtrAdd(
      ir, xlaCpuPtrOfMemRef(ir, memref),
      xlaIrElementType(mlirValueGetType(memref)),
      xlaAffineApply(&tiles->nest, ir, firstOf(tiles, product, array)));
}

static MlirValue tileAt(const Tiles *tiles, XlaIr *ir, int buffer) {
  const XlaCpuAttention *plan = tiles->plan;
  return slabAt(tiles, ir,
                plan->memory[xlaCpuRowMemoryOf(plan, buffer)].offset);
}

static void callProduct(Tiles *tiles, XlaIr *ir, int i) {
  const XlaCpuAttention *plan = tiles->plan;
  const XlaRowProduct *product = &plan->rows.products[i];
  const XlaCpuGemmTiling *tiling = &plan->tilings[i];
  const XlaCpuMatmul *op = &tiling->op;
  int lhs = i ? plan->rows.weights : plan->rows.lhs;
  int result = i ? plan->rows.result : plan->rows.scores;
  MlirValue zero = xlaIrConstantIndex(ir, 0);
  MlirValue operands[XLA_CPU_GEMM_NEST_ARGS] = {
      [XLA_CPU_GEMM_A] = lhs >= 0
                             ? tileAt(tiles, ir, lhs)
                             : outsideAt(tiles, ir, product, product->lhs, 0),
      [XLA_CPU_GEMM_B] = outsideAt(tiles, ir, product, product->rhs, 1),
      [XLA_CPU_GEMM_C] = result >= 0 ? tileAt(tiles, ir, result)
                                     : outsideAt(tiles, ir, product,
                                                 product->kernel.product, 2),
      [XLA_CPU_GEMM_SUMS] = slabAt(tiles, ir, 0),
      [XLA_CPU_GEMM_PACKED_A] = slabAt(tiles, ir, tiling->sumBytes),
      [XLA_CPU_GEMM_PACKED_B] =
          slabAt(tiles, ir, tiling->sumBytes + tiling->lhsBytes),
      [XLA_CPU_GEMM_LHS_M] = xlaIrConstantIndex(ir, op->lhsM),
      [XLA_CPU_GEMM_LHS_K] = xlaIrConstantIndex(ir, op->lhsK),
      [XLA_CPU_GEMM_RHS_K] = xlaIrConstantIndex(ir, op->rhsK),
      [XLA_CPU_GEMM_RHS_N] = xlaIrConstantIndex(ir, op->rhsN),
      [XLA_CPU_GEMM_RESULT_M] = xlaIrConstantIndex(ir, op->resultM),
      [XLA_CPU_GEMM_M] = xlaAffineMin(&tiles->nest, ir, tiles->rows),
      [XLA_CPU_GEMM_N] = xlaIrConstantIndex(ir, op->n),
      [XLA_CPU_GEMM_K] = xlaIrConstantIndex(ir, op->k),
      [XLA_CPU_GEMM_BATCH] = zero,
      [XLA_CPU_GEMM_ROW] = zero,
      [XLA_CPU_GEMM_COLUMN] = zero};
  xlaCpuCall(ir, tiles->products[i], XLA_CPU_GEMM_NEST_ARGS, operands);
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// The row of a tile's buffer.
static MlirValue rowAt(const Tiles *tiles, XlaIr *ir, int buffer,
                       MlirAffineExpr row) {
  const XlaRowBuffer *b = &tiles->plan->rows.buffers[buffer];
  const XlaCpuRowMemory *memory = &tiles->plan->memory[buffer];
  int64_t bytes = memory->pitch * xlaCpuGemmTypeBytes(b->element);
  MlirAffineExpr first = xlaExprShift(
      xlaExprAdd(tiles->slab, xlaExprScale(row, bytes)), memory->offset);
  MlirValue operands[] = {tiles->scratch,
                          xlaAffineApply(&tiles->nest, ir, first)};
  return xlaIrOp(ir, "memref.view", xlaCpuRowType(b), 2, operands, 0, NULL);
}

static void callRows(Tiles *tiles, XlaIr *ir, int phase) {
  const XlaCpuRowArguments *arguments = &tiles->arguments[phase];
  MlirValue operands[1 + XLA_ROW_BUFFERS + XLA_SCHED_MAX_OPERANDS];
  XlaIr body;
  MlirAffineExpr row;
  int n = 0;
  xlaAffineFor(&tiles->nest, ir, xlaAffineBoundConstant(&tiles->nest, 0),
               tiles->rows, 1, 0, NULL, &body, &row);
  MlirAffineExpr number =
      xlaExprAdd(xlaExprScale(tiles->batch, tiles->plan->rows.queries),
                 xlaExprAdd(tiles->row, row));
  operands[n++] = xlaAffineApply(&tiles->nest, &body, number);
  for (int i = 0; i < arguments->nBuffers; ++i)
    operands[n++] = rowAt(tiles, &body, arguments->buffers[i], row);
  for (int i = 0; i < arguments->nOutside; ++i)
    operands[n++] = arguments->outside[i];
  xlaCpuCall(&body, tiles->phases[phase], n, operands);
  xlaAffineClose(&tiles->nest, &body, 0, NULL);
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

static void tile(Tiles *tiles, XlaIr *ir) {
  for (int phase = 0; phase < XLA_ROW_PHASES; ++phase) {
    if (phase)
      callProduct(tiles, ir, phase - 1);
    if (*tiles->phases[phase])
      callRows(tiles, ir, phase);
  }
}

/// A thread's tiles, one after the other.
static void share(Tiles *tiles, XlaIr *ir, MlirAffineExpr thread) {
  const XlaCpuAttention *plan = tiles->plan;
  MlirAffineExpr begin = xlaExprScale(thread, plan->chunk), task;
  XlaAffineBound end =
      xlaAffineBoundAnd(xlaAffineBound(xlaExprShift(begin, plan->chunk)),
                        constant(tiles, plan->tasks));
  XlaIr body;
  tiles->slab = xlaExprScale(thread, plan->slabBytes);
  xlaAffineFor(&tiles->nest, ir, xlaAffineBound(begin), end, 1, 0, NULL, &body,
               &task);
  tiles->batch =
      xlaAffineName(&tiles->nest, &body, xlaExprOver(task, plan->tilesOfBatch));
  tiles->row = xlaAffineName(
      &tiles->nest, &body,
      xlaExprScale(xlaExprModulo(task, plan->tilesOfBatch), plan->tileRows));
  tiles->rows =
      xlaAffineBoundAnd(xlaAffineBound(xlaExprShift(
                            xlaExprScale(tiles->row, -1), plan->rows.queries)),
                        constant(tiles, plan->tileRows));
  tile(tiles, &body);
  xlaAffineClose(&tiles->nest, &body, 0, NULL);
}

static void emitTiles(Tiles *tiles) {
  const XlaCpuAttention *plan = tiles->plan;
  XlaIr ir = xlaIrBefore(mlirBlockGetTerminator(plan->rows.block));
  if (plan->threads == 1) {
    share(tiles, &ir, constant(tiles, 0));
    return;
  }
  MlirAffineExpr thread;
  XlaIr body = xlaAffineParallel(&tiles->nest, &ir, plan->threads, &thread);
  share(tiles, &body, thread);
  xlaAffineClose(&tiles->nest, &body, 0, NULL);
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

static void report(const XlaCpuAttention *plan, const char *name) {
  long long width = plan->matmuls[0].k;
  fprintf(stderr,
          "%s: attention of %lld times %lld queries and %lld keys, about %.1f "
          "us of one core\n",
          name, (long long)plan->rows.batches, (long long)plan->rows.queries,
          (long long)plan->rows.keys, plan->nanoseconds / 1000);
  fprintf(stderr, "  threads  %d, %lld tiles each\n", plan->threads,
          (long long)plan->chunk);
  fprintf(stderr,
          "  tiles    %lld queries: scores (%lld, %lld) of lhs (%lld, %lld) "
          "and rhs (%lld, %lld)%s\n",
          (long long)plan->tileRows, (long long)plan->tileRows,
          (long long)plan->rows.keys, (long long)plan->tileRows, width,
          (long long)plan->rows.keys, width,
          plan->memory[plan->rows.weights].inPlaceOf >= 0
              ? ", replaced by the weights"
              : "");
  fprintf(stderr, "  scratch  %lld bytes of a thread, %lld of products\n",
          (long long)plan->slabBytes, (long long)plan->productBytes);
}

/// Makes the functions that tiles call.
static MlirLogicalResult makeFunctions(Tiles *tiles, const char *name,
                                       MlirBlock module,
                                       const XlaCpuScheduleOptions *options) {
  XlaCpuAttention *plan = tiles->plan;
  MlirLocation location = mlirOperationGetLocation(plan->rows.function);
  for (int i = 0; i < 2; ++i) {
    const XlaCpuGemmTiling *tiling = &plan->tilings[i];
    XlaCpuGemmTypes types = xlaCpuGemmTypes(&tiling->op, options->target);
    xlaCpuGemmNest(module, location, tiling, &types, name, tiles->products[i]);
  }
  for (int phase = 0; phase < XLA_ROW_PHASES; ++phase) {
    if (!xlaAttentionHasPhase(&plan->rows, phase))
      continue;
    snprintf(tiles->phases[phase], nameBytes, "%s.rows%d", name, phase);
    if (mlirLogicalResultIsFailure(
            xlaCpuRowFunction(plan, phase, module, tiles->phases[phase],
                              options, &tiles->arguments[phase])))
      return mlirLogicalResultFailure();
  }
  return mlirLogicalResultSuccess();
}

static void eraseOperations(XlaCpuAttention *plan) {
  for (int i = 0; i < plan->rows.nStatements; ++i)
    mlirOperationDestroy(plan->rows.statements[i].statement.op);
  for (int i = 0; i < 2; ++i) {
    XlaContractionKernel *kernel = &plan->rows.products[i].kernel;
    if (kernel->round.ptr)
      mlirOperationDestroy(kernel->round);
    mlirOperationDestroy(kernel->sum);
    mlirOperationDestroy(kernel->fill);
  }
}

static MlirLogicalResult emit(XlaCpuAttention *plan, MlirModule module,
                              const XlaCpuScheduleOptions *options) {
  char name[nameBytes - 16];
  MlirStringRef symbol = mlirStringAttrGetValue(
      mlirOperationGetAttributeByName(plan->rows.function, str("sym_name")));
  Tiles tiles = {
      .plan = plan,
      .nest = {.context = mlirOperationGetContext(plan->rows.function)}};
  if (mlirLogicalResultIsFailure(
          xlaCpuFindScratch(plan->rows.function,
                            plan->slabBytes * plan->threads, &tiles.scratch)))
    return mlirLogicalResultFailure();
  if (!tiles.scratch.ptr)
    return mlirLogicalResultSuccess();
  snprintf(name, sizeof name, "%.*s", (int)symbol.length, symbol.data);
  if (options->report)
    report(plan, name);
  if (mlirLogicalResultIsFailure(
          makeFunctions(&tiles, name, mlirModuleGetBody(module), options)))
    return mlirLogicalResultFailure();
  emitTiles(&tiles);
  eraseOperations(plan);
  return mlirLogicalResultSuccess();
}

static void destroy(XlaCpuAttention *plan) {
  if (plan)
    xlaAttentionFree(&plan->rows);
  free(plan);
}

/// The plan of a kernel, or null if it is of another form: a failure comes with
/// a diagnostic.
static MlirLogicalResult planOf(MlirOperation function,
                                const XlaCpuTarget *target,
                                XlaCpuAttention **plan) {
  bool isRead = false, hasFailed = true;
  *plan = calloc(1, sizeof **plan);
  if (!*plan)
    return xlaErrorNoMemory(mlirOperationGetLocation(function));
  isRead = xlaAttentionRead(&(*plan)->rows, function) &&
           xlaCpuAttentionTile(*plan, target);
  hasFailed = (*plan)->rows.failed;
  if (!isRead) {
    destroy(*plan);
    *plan = NULL;
  }
  return hasFailed ? mlirLogicalResultFailure() : mlirLogicalResultSuccess();
}

MlirLogicalResult xlaCpuAttentionReserve(MlirOperation function,
                                         const XlaCpuTarget *target,
                                         int64_t *scratchBytes, bool *isTiled) {
  XlaCpuAttention *plan;
  MlirValue kept[XLA_ROW_BUFFERS + 2];
  int nKept = 0;
  int64_t bytes;
  *isTiled = false;
  if (mlirLogicalResultIsFailure(planOf(function, target, &plan)))
    return mlirLogicalResultFailure();
  if (!plan)
    return mlirLogicalResultSuccess();
  for (int i = 0; i < plan->rows.nBuffers; ++i)
    kept[nKept++] = plan->rows.buffers[i].root;
  for (int i = 0; i < 2; ++i)
    kept[nKept++] = plan->rows.products[i].kernel.sums;
  bytes = plan->slabBytes * plan->threads;
  destroy(plan);
  *isTiled = true;
  return xlaCpuReserveScratch(function, bytes, nKept, kept, scratchBytes);
}

MlirLogicalResult xlaCpuAttentionEmit(MlirOperation function, MlirModule module,
                                      const XlaCpuScheduleOptions *options) {
  XlaCpuAttention *plan;
  if (!xlaAttentionIsKernel(function) || !options->target)
    return mlirLogicalResultSuccess();
  MlirLogicalResult result = planOf(function, options->target, &plan);
  if (mlirLogicalResultIsSuccess(result) && plan)
    result = emit(plan, module, options);
  destroy(plan);
  return result;
}
