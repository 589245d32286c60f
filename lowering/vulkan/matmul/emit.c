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
static void placeTile(MatmulEmitter *e, XlaIr *ir, MatmulTiles *tiles,
                      MlirAffineExpr number) {
  tiles->first = tiles->start = xlaMatmulConstant(e, 0);
  if (tiles->n == 1)
    return;
  tiles->first = tiles->start = xlaExprScale(number, tiles->tile);
  if (tiles->size % tiles->tile)
    tiles->first =
        xlaMatmulAtMost(e, ir, tiles->start, tiles->size - tiles->tile);
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
  if ((int64_t)groups[0] * groups[1] * groups[2] > n) {
    e->extra = xlaAffineBelow(id, n);
    id = xlaMatmulAtMost(e, ir, id, n - 1);
  }
  MlirAffineExpr row = digit(e, ir, &id, &n, e->rows.n);
  MlirAffineExpr column = digit(e, ir, &id, &n, e->columns.n);
  e->batch = digit(e, ir, &id, &n, e->op->contraction.batch.size);
  e->chunk = digit(e, ir, &id, &n, e->tiling->chunks);
  placeTile(e, ir, &e->rows, row);
  placeTile(e, ir, &e->columns, column);
}

static void placeThread(MatmulEmitter *e, XlaIr *ir) {
  e->column = e->other = xlaMatmulConstant(e, 0);
  if (e->tiling->columnThreads > 1)
    e->column = xlaAffineDim(&e->nest, xlaVulkanThreadId(ir, 0));
  if (e->tiling->otherThreads > 1)
    e->other = xlaAffineDim(&e->nest, xlaVulkanThreadId(ir, 1));
}

static void placeBatch(MatmulEmitter *e, XlaIr *ir) {
  for (int side = 0; side < 3; ++side) {
    MatmulArray arrays[XLA_MATMUL_MAX_ARRAYS];
    int n = xlaMatmulArrays(e, (MatmulArray)side, arrays);
    e->base[side] = xlaMatmulPosition(e, ir, &e->op->contraction.batch,
                                      (MatmulArray)side, e->batch, 1);
    for (int i = 0; i < n; ++i)
      if (arrays[i] >= MatmulInput)
        e->base[side].at[arrays[i]] = xlaExprShift(
            e->base[side].at[arrays[i]],
            e->op->inputs[arrays[i] - MatmulInput].offset / e->unit[arrays[i]]);
  }
  MlirAffineExpr *result = &e->base[MatmulResult].at[MatmulResult];
  if (e->tiling->chunks > 1)
    *result = xlaExprAdd(*result, xlaExprScale(e->chunk, e->op->resultCount));
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

static MlirType unitType(const MatmulEmitter *e, MatmulArray array,
                         MlirType element, bool isStored) {
  int64_t n = e->unit[array];
  MlirType word = element;
  if (n > 1 && !isStored)
    word = xlaMatmulWordType(e, element, &n);
  return n == 1 ? word : mlirVectorTypeGet(1, &n, word);
}

/// The shader's arguments in the making, with their bindings.
typedef struct Buffers {
  XlaVulkanShaderBuilder *builder;
  int n;
  XlaVulkanBinding bindings[XLA_MATMUL_MAX_ARRAYS];
} Buffers;

static void addBuffer(MatmulEmitter *e, Buffers *buffers, MatmulArray array,
                      MlirType element, int64_t count,
                      XlaVulkanBinding binding) {
  e->memref[array] = xlaVulkanShaderAddArgument(
      buffers->builder, unitType(e, array, element, binding.isWritten),
      count / e->unit[array]);
  binding.bytes = count * bytesOf(element);
  buffers->bindings[buffers->n++] = binding;
}

/// What the parts of sides [first, last] read and write.
static void addInputs(MatmulEmitter *e, Buffers *buffers, int first, int last) {
  for (int i = 0; i < e->op->nInputs; ++i) {
    const XlaVulkanMatmulInput *input = &e->op->inputs[i];
    if ((int)input->side >= first && (int)input->side <= last)
      addBuffer(e, buffers, (MatmulArray)(MatmulInput + i), input->element,
                input->count,
                (XlaVulkanBinding){input->buffer, 0, 0, input->output >= 0});
  }
}

static void addResult(MatmulEmitter *e, Buffers *buffers) {
  const XlaVulkanMatmul *op = e->op;
  // What only the epilogue reads is not stored.
  if (op->arguments[2] >= 0)
    addBuffer(e, buffers, MatmulResult, op->result, op->resultCount,
              (XlaVulkanBinding){op->arguments[2], op->offsets[2], 0, true});
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

/// The place of the element that is `at` in the result.
static MatmulPlace placeOf(MatmulEmitter *e, XlaIr *ir, MlirAffineExpr at) {
  const XlaContraction *all = &e->op->contraction;
  const XlaContractionDims *lists[] = {&all->batch, &all->rows, &all->columns};
  MatmulPlace place = xlaMatmulStep(e, MatmulResult, NULL, at, 0, 0);
  for (int i = 0; i < e->op->nInputs; ++i)
    place.at[MatmulInput + i] = xlaMatmulConstant(e, e->op->inputs[i].offset);
  for (int l = 0; l < 3 && xlaMatmulHasEpilogue(e); ++l)
    for (intptr_t d = 0; d < lists[l]->n; ++d) {
      const XlaContractionDim *dim = &lists[l]->dims[d];
      MlirAffineExpr index = xlaMatmulRemainder(
          e, ir, xlaMatmulDivide(e, ir, at, dim->result), dim->size);
      MatmulPlace step = xlaMatmulStep(e, MatmulResult, dim, index, 1, 0);
      place = xlaMatmulAdd(e, MatmulResult, &place, &step);
    }
  place.at[MatmulResult] = at;
  return place;
}

/// A thread for every element of the result, which adds the chunks' sums.
static MlirLogicalResult emitChunkSums(MatmulEmitter *e,
                                       XlaVulkanSchedule *schedule,
                                       XlaVulkanBinding partial) {
  XlaVulkanShaderBuilder builder;
  const uint32_t size[3] = {chunkThreads, 1, 1};
  uint32_t groups[3];
  int64_t count = e->op->resultCount;
  xlaVulkanGrid(e->info, xlaVulkanCeilDiv(count, chunkThreads), groups);
  xlaVulkanScheduleShader(schedule, size, &builder);
  XlaIr *ir = &builder.ir, then = builder.ir;
  Buffers buffers = {.builder = &builder};
  e->isOfChunks = true;
  for (int i = 0; i < XLA_MATMUL_MAX_ARRAYS; ++i) {
    e->memref[i] = (MlirValue){NULL};
    e->unit[i] = 1;
  }
  partial.isWritten = false;
  addBuffer(e, &buffers, MatmulLhs, e->sum, count * e->tiling->chunks, partial);
  addResult(e, &buffers);
  addInputs(e, &buffers, MatmulResult, MatmulResult);
  e->nest = (XlaAffineNest){.context = ir->context};
  e->isInside = false;
  MlirAffineExpr at = xlaExprScale(
      xlaAffineDim(&e->nest, xlaVulkanFlatGroupId(ir, groups)), chunkThreads);
  at = xlaExprAdd(at, xlaAffineDim(&e->nest, xlaVulkanThreadId(ir, 0)));
  MlirAffineExpr isOwn = xlaAffineBelow(at, count);
  at = xlaMatmulAtMost(e, ir, at, count - 1);
  MlirValue sum = xlaMatmulZero(e, ir);
  xlaMatmulLoop(e, ir, xlaMatmulConstant(e, 0),
                xlaAffineBoundConstant(&e->nest, e->tiling->chunks), 1,
                e->tiling->chunks, 1, &sum, addChunk, &at);
  MatmulPlace place = placeOf(e, ir, at);
  sum = xlaMatmulToResult(e, ir, sum);
  then = *ir;
  if (xlaMatmulIsInPlace(e))
    xlaAffineIf(&e->nest, ir, 1, &isOwn, &then, NULL);
  xlaMatmulStoreUnit(e, &then, &place, &sum);
  return xlaVulkanScheduleDispatch(schedule, &builder, groups,
                                   buffers.bindings);
}

//===----------------------------------------------------------------------===//
// The shader
//===----------------------------------------------------------------------===//

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
  bool are4 = bytesOf(e->op->result) == 4;
  for (int i = 0; i < e->op->nInputs; ++i)
    are4 &=
        e->op->inputs[i].output < 0 || bytesOf(e->op->inputs[i].element) == 4;
  return e->tiling->rhsVector == XlaVulkanVectorFree &&
         e->tiling->chunks == 1 && are4 &&
         columns->dims[columns->n - 1].result == 1;
}

/// Whether units of 4 elements of a side are whole vectors of an input.
static bool isWhole(const MatmulEmitter *e, MatmulArray side, int i) {
  const XlaContraction *all = &e->op->contraction;
  const XlaContractionDims *lists[] = {&all->batch, &all->rows, &all->columns,
                                       &all->terms};
  const XlaContractionDim *along = xlaMatmulAlong(e, side);
  const XlaVulkanMatmulInput *input = &e->op->inputs[i];
  if (input->count % 4 || input->offset % 4 || bytesOf(input->element) > 4 ||
      !along || along->inputs[i] != 1)
    return false;
  for (int l = 0; l < 4; ++l)
    for (intptr_t d = 0; d < lists[l]->n; ++d)
      if (&lists[l]->dims[d] != along && lists[l]->dims[d].inputs[i] % 4)
        return false;
  return true;
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
  for (int i = 0; i < op->nInputs; ++i) {
    MatmulArray side = (MatmulArray)op->inputs[i].side;
    e->unit[MatmulInput + i] = e->unit[side] > 1 && isWhole(e, side, i) ? 4 : 1;
  }
  e->rows = tilesOf(
      &op->contraction.rows, tiling->lhsVector == XlaVulkanVectorFree ? 4 : 1,
      (int64_t)tiling->tileRows * (isStaged ? tiling->otherThreads : 1));
  e->columns = tilesOf(&op->contraction.columns,
                       tiling->rhsVector == XlaVulkanVectorFree ? 4 : 1,
                       (int64_t)tiling->tileColumns * tiling->columnThreads);
}

/// Operands or what they are computed from, and where sums go: the result and
/// what its epilogue needs, or `partial` sums of chunks.
static void addBuffers(MatmulEmitter *e, Buffers *buffers,
                       const XlaVulkanBinding *partial) {
  const XlaVulkanMatmul *op = e->op;
  for (int side = 0; side < 2; ++side) {
    int from = op->isSwapped ? !side : side;
    if (!op->parts[side].ptr)
      addBuffer(
          e, buffers, (MatmulArray)side, side ? op->rhs : op->lhs,
          side ? op->rhsCount : op->lhsCount,
          (XlaVulkanBinding){op->arguments[from], op->offsets[from], 0, false});
  }
  addInputs(e, buffers, MatmulLhs, MatmulRhs);
  if (e->tiling->chunks > 1) {
    addBuffer(e, buffers, MatmulResult, e->sum,
              op->resultCount * e->tiling->chunks, *partial);
    return;
  }
  addResult(e, buffers);
  addInputs(e, buffers, MatmulResult, MatmulResult);
}

static MlirLogicalResult finish(MatmulEmitter *e, XlaVulkanSchedule *schedule,
                                const XlaVulkanBinding *partial) {
  MlirLocation location = mlirOperationGetLocation(schedule->function);
  MlirLogicalResult done = mlirLogicalResultSuccess();
  if (e->tiling->chunks > 1)
    done = emitChunkSums(e, schedule, *partial);
  if (e->failed)
    return xlaErrorNoMemory(location);
  return done;
}

MlirLogicalResult xlaVulkanMatmulEmit(const XlaVulkanMatmul *matmul,
                                      const XlaVulkanMatmulTiling *tiling,
                                      XlaVulkanSchedule *schedule) {
  MatmulEmitter e;
  init(&e, matmul, tiling, schedule->info);
  MlirLocation location = mlirOperationGetLocation(schedule->function);
  XlaVulkanBinding partial = {schedule->kernel->nArguments, 0, 0, true};
  if (tiling->chunks > 1) {
    partial.bytes = matmul->resultCount * tiling->chunks * bytesOf(e.sum);
    partial.offset = xlaVulkanScheduleScratch(schedule, partial.bytes);
    if (partial.offset < 0)
      return mlirLogicalResultFailure();
  }
  uint32_t size[3] = {(uint32_t)tiling->columnThreads,
                      (uint32_t)tiling->otherThreads, 1};
  uint32_t groups[3];
  if (!xlaVulkanGrid(schedule->info, groupCount(&e), groups)) {
    return xlaErrorEmit(
        location, XLA_STATUS_UNIMPLEMENTED,
        "a matrix product has more tiles than the device's grids");
  }
  XlaVulkanShaderBuilder builder;
  xlaVulkanScheduleShader(schedule, size, &builder);
  Buffers buffers = {.builder = &builder};
  addBuffers(&e, &buffers, &partial);
  XlaIr body = builder.ir;
  emitBody(&e, &body, groups);
  if (e.nest.isFull) {
    xlaVulkanShaderDiscard(&builder);
    return xlaErrorEmit(location, XLA_STATUS_UNIMPLEMENTED,
                        "a matrix product has more indices than the %d that "
                        "a nest of loops may have",
                        XLA_AFFINE_MAX_LOOPS);
  }
  MlirLogicalResult done =
      xlaVulkanScheduleDispatch(schedule, &builder, groups, buffers.bindings);
  return mlirLogicalResultIsSuccess(done) ? finish(&e, schedule, &partial)
                                          : done;
}
