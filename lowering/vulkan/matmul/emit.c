//===- emit.c - Shaders of matrix products --------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Around the sums: which tile a workgroup has, and the sums of chunks.
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/vulkan/matmul/emit.h"
#include "xlac/dialect/error.h"

#include "mlir-c/Diagnostics.h"

#include <string.h>

enum { maxTile = XLA_VULKAN_MATMUL_MAX_TILE };

static int64_t bytesOf(MlirType type) {
  return (mlirTypeIsAInteger(type) ? mlirIntegerTypeGetWidth(type)
                                   : mlirFloatTypeGetWidth(type)) /
         8;
}

//===----------------------------------------------------------------------===//
// Which tile
//===----------------------------------------------------------------------===//

static MatmulTiles tilesOf(const XlaContractionDims *dims, int width,
                           int64_t tile) {
  MatmulTiles tiles = {.dims = dims, .width = width};
  tiles.size = dims->size / width;
  tiles.tile = tile / width;
  tiles.n = xlaVulkanCeilDiv(tiles.size, tiles.tile);
  return tiles;
}

/// The first unit of tile `number`; the last tile ends where the units do.
static MlirAffineExpr firstUnit(MatmulEmitter *e, XlaIr *ir,
                                const MatmulTiles *tiles,
                                MlirAffineExpr number) {
  if (tiles->n == 1)
    return xlaMatmulConstant(e, 0);
  MlirAffineExpr first = xlaExprScale(number, tiles->tile);
  return tiles->size % tiles->tile
             ? xlaMatmulAtMost(e, ir, first, tiles->size - tiles->tile)
             : first;
}

static int64_t groupCount(const MatmulEmitter *e) {
  return e->rows.n * e->columns.n * e->op->contraction.batch.size *
         e->tiling->chunks;
}

/// The next digit of a workgroup's number, which has `left` values, in base n.
static MlirAffineExpr digit(MatmulEmitter *e, XlaIr *ir, MlirAffineExpr *number,
                            int64_t *left, int64_t n) {
  MlirAffineExpr result = *number;
  if (*left == n)
    *number = xlaMatmulConstant(e, 0);
  else {
    result = xlaMatmulRemainder(e, ir, result, n);
    *number = xlaMatmulDivide(e, ir, *number, n);
  }
  *left /= n;
  return result;
}

/// Neighbouring workgroups share a tile of columns, so that the rhs of it stays
/// in a cache.
static void placeGroup(MatmulEmitter *e, XlaIr *ir, const uint32_t groups[3]) {
  int64_t n = groupCount(e);
  MlirAffineExpr id = xlaMatmulConstant(e, 0);
  if (n > 1)
    id = xlaAffineDim(&e->nest, xlaVulkanFlatGroupId(ir, groups));
  if ((int64_t)groups[0] * groups[1] * groups[2] > n)
    id = xlaMatmulAtMost(e, ir, id, n - 1);
  MlirAffineExpr row = digit(e, ir, &id, &n, e->rows.n);
  MlirAffineExpr column = digit(e, ir, &id, &n, e->columns.n);
  e->batch = digit(e, ir, &id, &n, e->op->contraction.batch.size);
  e->chunk = digit(e, ir, &id, &n, e->tiling->chunks);
  e->rows.first = firstUnit(e, ir, &e->rows, row);
  e->columns.first = firstUnit(e, ir, &e->columns, column);
}

static void placeThread(MatmulEmitter *e, XlaIr *ir) {
  e->column = e->other = xlaMatmulConstant(e, 0);
  if (e->tiling->columnThreads > 1)
    e->column = xlaAffineDim(&e->nest, xlaVulkanThreadId(ir, 0));
  if (e->tiling->otherThreads > 1)
    e->other = xlaAffineDim(&e->nest, xlaVulkanThreadId(ir, 1));
}

static void placeBatch(MatmulEmitter *e, XlaIr *ir) {
  for (int i = 0; i < 3; ++i)
    e->base[i] = xlaMatmulPosition(e, ir, &e->op->contraction.batch,
                                   (MatmulArray)i, e->batch, 1);
  if (e->tiling->chunks > 1)
    e->base[MatmulResult] = xlaExprAdd(
        e->base[MatmulResult], xlaExprScale(e->chunk, e->op->resultCount));
}

//===----------------------------------------------------------------------===//
// Chunks
//===----------------------------------------------------------------------===//

enum { chunkThreads = 64 };

static void addChunk(MatmulEmitter *e, XlaIr *ir, MlirAffineExpr chunk,
                     MlirValue *sums, void *user) {
  MlirAffineExpr at = xlaExprAdd(xlaExprScale(chunk, e->op->resultCount),
                                 *(MlirAffineExpr *)user);
  sums[0] = xlaMatmulSum(e, ir, sums[0],
                         xlaMatmulLoadSum(e, ir, e->memref[MatmulLhs], at));
}

/// A thread for every element of the result, which adds the chunks' sums.
static MlirLogicalResult emitChunkSums(MatmulEmitter *e,
                                       XlaVulkanSchedule *schedule,
                                       const XlaVulkanBinding *partial,
                                       const XlaVulkanBinding *result) {
  XlaVulkanShaderBuilder builder;
  const uint32_t size[3] = {chunkThreads, 1, 1};
  uint32_t groups[3];
  int64_t count = e->op->resultCount;
  xlaVulkanGrid(e->info, xlaVulkanCeilDiv(count, chunkThreads), groups);
  xlaVulkanScheduleShader(schedule, size, &builder);
  XlaIr *ir = &builder.ir;
  e->memref[MatmulLhs] =
      xlaVulkanShaderAddArgument(&builder, e->sum, count * e->tiling->chunks);
  e->memref[MatmulResult] =
      xlaVulkanShaderAddArgument(&builder, e->op->result, count);
  e->nest = (XlaAffineNest){.context = ir->context};
  e->isInside = false;
  MlirAffineExpr at = xlaExprScale(
      xlaAffineDim(&e->nest, xlaVulkanFlatGroupId(ir, groups)), chunkThreads);
  at = xlaExprAdd(at, xlaAffineDim(&e->nest, xlaVulkanThreadId(ir, 0)));
  at = xlaMatmulAtMost(e, ir, at, count - 1);
  MlirValue sum = xlaMatmulZero(e, ir);
  xlaMatmulLoop(e, ir, xlaMatmulConstant(e, 0),
                xlaAffineBoundConstant(&e->nest, e->tiling->chunks), 1,
                e->tiling->chunks, 1, &sum, addChunk, &at);
  xlaAffineStore(&e->nest, ir, xlaMatmulToResult(e, ir, sum),
                 e->memref[MatmulResult], at);
  XlaVulkanBinding bindings[2] = {*partial, *result};
  bindings[0].isWritten = false;
  return xlaVulkanScheduleDispatch(schedule, &builder, groups, bindings);
}

//===----------------------------------------------------------------------===//
// The shader
//===----------------------------------------------------------------------===//

static MlirType unitType(const MatmulEmitter *e, MatmulArray array,
                         MlirType element) {
  int64_t n = e->unit[array];
  MlirType word = element;
  if (n > 1 && array != MatmulResult)
    word = xlaMatmulWordType(e, element, &n);
  return n == 1 ? word : mlirVectorTypeGet(1, &n, word);
}

static void addArguments(MatmulEmitter *e, XlaVulkanShaderBuilder *builder) {
  const XlaVulkanMatmul *op = e->op;
  MlirType types[3] = {op->lhs, op->rhs,
                       e->tiling->chunks > 1 ? e->sum : op->result};
  int64_t counts[3] = {op->lhsCount, op->rhsCount,
                       op->resultCount * e->tiling->chunks};
  for (int i = 0; i < 3; ++i)
    e->memref[i] = xlaVulkanShaderAddArgument(
        builder, unitType(e, (MatmulArray)i, types[i]), counts[i] / e->unit[i]);
}

static void emitBody(MatmulEmitter *e, XlaIr *ir, const uint32_t groups[3]) {
  const XlaVulkanMatmulTiling *tiling = e->tiling;
  MlirValue sums[maxTile], zero = xlaMatmulZero(e, ir);
  e->nest = (XlaAffineNest){.context = ir->context};
  for (int i = 0; i < tiling->tileRows * tiling->tileColumns; ++i)
    sums[i] = zero;
  if (tiling->usesLoops) {
    e->tile = xlaVulkanAlloc(ir, "Function", e->sum,
                             (int64_t)tiling->tileRows * tiling->tileColumns);
    MlirAffineExpr group = xlaAffineDim(&e->nest, xlaVulkanGroupId(ir, 0));
    e->longest = xlaMatmulAtMost(e, ir, xlaExprShift(group, XLA_MATMUL_LONGEST),
                                 XLA_MATMUL_LONGEST);
  }
  placeGroup(e, ir, groups);
  placeThread(e, ir);
  placeBatch(e, ir);
  if (tiling->staging == XlaVulkanStagingWorkgroup)
    xlaMatmulStagedSums(e, ir, sums);
  else
    xlaMatmulSums(e, ir, sums);
  xlaMatmulStore(e, ir, sums);
}

/// Results are stored as vectors where columns are computed as such and
/// contiguous, which makes all strides of the result whole vectors.
static bool storesVectors(const MatmulEmitter *e) {
  const XlaContractionDims *columns = &e->op->contraction.columns;
  return e->tiling->rhsVector == XlaVulkanVectorFree &&
         e->tiling->chunks == 1 && bytesOf(e->op->result) == 4 &&
         columns->dims[columns->n - 1].result == 1;
}

static void init(MatmulEmitter *e, const XlaVulkanMatmul *op,
                 const XlaVulkanMatmulTiling *tiling,
                 const XlaVulkanInfo *info) {
  bool isStaged = tiling->staging == XlaVulkanStagingWorkgroup;
  *e = (MatmulEmitter){.op = op, .tiling = tiling, .info = info};
  e->sum = xlaMatmulSumType(op);
  e->unit[MatmulLhs] = tiling->lhsVector ? 4 : 1;
  e->unit[MatmulRhs] = tiling->rhsVector ? 4 : 1;
  e->unit[MatmulResult] = storesVectors(e) ? 4 : 1;
  e->rows = tilesOf(
      &op->contraction.rows, tiling->lhsVector == XlaVulkanVectorFree ? 4 : 1,
      (int64_t)tiling->tileRows * (isStaged ? tiling->otherThreads : 1));
  e->columns = tilesOf(&op->contraction.columns,
                       tiling->rhsVector == XlaVulkanVectorFree ? 4 : 1,
                       (int64_t)tiling->tileColumns * tiling->columnThreads);
}

MlirLogicalResult xlaVulkanMatmulEmit(const XlaVulkanMatmul *matmul,
                                      const XlaVulkanMatmulTiling *tiling,
                                      XlaVulkanSchedule *schedule) {
  MatmulEmitter e;
  init(&e, matmul, tiling, schedule->info);
  XlaVulkanBinding bindings[3] = {
      {matmul->arguments[matmul->isSwapped], 0,
       matmul->lhsCount * bytesOf(matmul->lhs), false},
      {matmul->arguments[!matmul->isSwapped], 0,
       matmul->rhsCount * bytesOf(matmul->rhs), false},
      {matmul->arguments[2], matmul->resultOffset,
       matmul->resultCount * bytesOf(matmul->result), true}};
  XlaVulkanBinding result = bindings[2];
  if (tiling->chunks > 1) {
    bindings[2].bytes = matmul->resultCount * tiling->chunks * bytesOf(e.sum);
    bindings[2].argument = schedule->kernel->nArguments;
    bindings[2].offset = xlaVulkanScheduleScratch(schedule, bindings[2].bytes);
    if (bindings[2].offset < 0)
      return mlirLogicalResultFailure();
  }
  uint32_t size[3] = {(uint32_t)tiling->columnThreads,
                      (uint32_t)tiling->otherThreads, 1};
  uint32_t groups[3];
  if (!xlaVulkanGrid(schedule->info, groupCount(&e), groups)) {
    return xlaErrorEmit(
        mlirOperationGetLocation(schedule->function), XLA_STATUS_UNIMPLEMENTED,
        "a matrix product has more tiles than the device's grids");
  }
  XlaVulkanShaderBuilder builder;
  xlaVulkanScheduleShader(schedule, size, &builder);
  addArguments(&e, &builder);
  XlaIr body = builder.ir;
  emitBody(&e, &body, groups);
  if (e.nest.isFull) {
    xlaVulkanShaderDiscard(&builder);
    return xlaErrorEmit(mlirOperationGetLocation(schedule->function),
                        XLA_STATUS_UNIMPLEMENTED,
                        "a matrix product has more indices than the %d that "
                        "a nest of loops may have",
                        XLA_AFFINE_MAX_LOOPS);
  }
  MlirLogicalResult done =
      xlaVulkanScheduleDispatch(schedule, &builder, groups, bindings);
  return mlirLogicalResultIsSuccess(done) && tiling->chunks > 1
             ? emitChunkSums(&e, schedule, &bindings[2], &result)
             : done;
}
