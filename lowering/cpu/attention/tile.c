//===- tile.c - Tiles of attention ----------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keys and values are packed again for each tile: that is little where it has
// many queries. Its scores shall stay in the second cache, for they are read
// several times, or where that has few in the third; and there shall be tiles
// enough for all threads.
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/cpu/attention/plan.h"

enum {
  enoughRows = 128, // for which operands are packed: a larger cache will do
  mostRows = 256,   // of a tile
  stackBytes = 128 << 10, // of rows that a function has on its stack
  mostLength = 1 << 20,   // elements of a row
  tasksPerThread = 4,
};

static int64_t min64(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t max64(int64_t a, int64_t b) { return a > b ? a : b; }
static int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }
static int64_t roundUp(int64_t a, int64_t b) { return ceilDiv(a, b) * b; }

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static int64_t rowBytes(const XlaCpuRowBuffer *buffer) {
  return buffer->pitch * xlaCpuGemmTypeBytes(buffer->element);
}

/// Whether an access reads or writes elements of a row one by one, in order.
static bool isPlain(const XlaCpuAttention *plan, const XlaCpuRowStatement *row,
                    const XlaSchedAccess *access) {
  const XlaCpuRowBuffer *buffer =
      &plan->buffers[xlaCpuRowBufferOf(plan, access->root)];
  int n = 0;
  for (int d = 0; d < row->statement.nDims; ++d) {
    XlaCpuRowDim dim;
    if (!access->strides[d] || row->unit[d])
      continue;
    if (!xlaCpuRowFindDim(buffer, access->strides[d], row->statement.sizes[d],
                          &dim) ||
        dim.inner != 1 || dim.size != buffer->length)
      return false;
    ++n;
  }
  return n == 1;
}

/// Whether weights may lie where scores do: these are not needed when a weight
/// is written, but for its own.
static bool isInPlace(const XlaCpuAttention *plan) {
  const XlaCpuRowBuffer *scores = &plan->buffers[plan->scores];
  const XlaCpuRowBuffer *weights = &plan->buffers[plan->weights];
  bool isWritten = false;
  if (plan->scores == plan->weights || scores->lastPhase > 1 ||
      !mlirTypeEqual(scores->element, weights->element) ||
      scores->length != weights->length)
    return false;
  for (int i = 0; i < plan->nStatements; ++i) {
    const XlaCpuRowStatement *row = &plan->statements[i];
    const XlaSchedStatement *statement = &row->statement;
    bool wasWritten = isWritten;
    for (int k = 0; k < statement->nIns + statement->nOuts; ++k) {
      const XlaSchedAccess *access = &statement->accesses[k];
      bool isWeights = mlirValueEqual(access->root, weights->root);
      bool isScores = mlirValueEqual(access->root, scores->root);
      if ((isWeights || isScores) && !isPlain(plan, row, access))
        return false;
      if (isScores && (wasWritten || k >= statement->nIns))
        return false;
      isWritten |= isWeights;
    }
  }
  return isWritten;
}

/// False where rows are so long that tiles of them are none.
static bool chooseMemory(XlaCpuAttention *plan) {
  int64_t onStack = 0;
  if (isInPlace(plan))
    plan->buffers[plan->weights].inPlaceOf = plan->scores;
  for (int i = 0; i < plan->nBuffers; ++i) {
    XlaCpuRowBuffer *buffer = &plan->buffers[i];
    int64_t bytes = xlaCpuGemmTypeBytes(buffer->element);
    if (buffer->length > mostLength)
      return false;
    // Rows of a matrix lie in different sets of the cache.
    buffer->pitch =
        buffer->length == 1
            ? 1
            : roundUp(buffer->length * bytes, 64) / bytes + 64 / bytes;
    buffer->inTile = i == plan->lhs || i == plan->scores ||
                     i == plan->weights || i == plan->result ||
                     buffer->firstPhase != buffer->lastPhase ||
                     rowBytes(buffer) > stackBytes - onStack;
    if (!buffer->inTile)
      onStack += rowBytes(buffer);
  }
  return true;
}

/// Where rows of a tile lie behind the memory of products.
static void placeRows(XlaCpuAttention *plan) {
  plan->slabBytes = plan->productBytes;
  for (int i = 0; i < plan->nBuffers; ++i) {
    XlaCpuRowBuffer *buffer = &plan->buffers[i];
    if (!buffer->inTile || buffer->inPlaceOf >= 0)
      continue;
    buffer->offset = plan->slabBytes;
    plan->slabBytes += roundUp(rowBytes(buffer) * plan->tileRows, 64);
  }
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// The product of a tile of `rows` queries, of memory of these strides.
static bool describeProduct(const XlaCpuAttention *plan,
                            XlaCpuRowProduct *product, int64_t lhsPitch,
                            int result, int64_t rows) {
  XlaContraction tile = product->contraction;
  tile.batch.n = 0;
  tile.batch.size = 1;
  if (!tile.rows.n)
    tile.rows.dims[0] = (XlaContractionDim){.size = 1};
  tile.rows.n = 1;
  tile.rows.size = tile.rows.dims[0].size = rows;
  if (lhsPitch) {
    tile.rows.dims[0].lhs = lhsPitch;
    tile.terms.dims[0].lhs = 1;
  }
  if (result >= 0) {
    tile.rows.dims[0].result = plan->buffers[result].pitch;
    tile.columns.dims[0].result = 1;
  }
  return xlaCpuMatmulInit(&product->matmul, &tile,
                          mlirValueGetType(product->lhs),
                          mlirValueGetType(product->rhs),
                          mlirValueGetType(product->kernel.product));
}

static bool describeProducts(XlaCpuAttention *plan,
                             const XlaCpuTarget *target) {
  // Fewer would be products of vectors, which have no nest.
  int64_t rows = max64(plan->tileRows, XLA_CPU_GEMM_FEW + 1);
  const XlaCpuRowBuffer *weights =
      &plan->buffers[xlaCpuRowMemoryOf(plan, plan->weights)];
  if (!describeProduct(plan, &plan->products[0],
                       plan->lhs < 0 ? 0 : plan->buffers[plan->lhs].pitch,
                       plan->scores, rows) ||
      !describeProduct(plan, &plan->products[1], weights->pitch, plan->result,
                       rows))
    return false;
  for (int i = 0; i < 2; ++i) {
    XlaCpuRowProduct *product = &plan->products[i];
    product->tiling = xlaCpuGemmTiling(&product->matmul, target);
    if (product->tiling.path != XLA_CPU_GEMM_NEST || product->tiling.transposed)
      return false;
    plan->productBytes = max64(plan->productBytes, product->tiling.slabBytes);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

static void chooseRows(XlaCpuAttention *plan, const XlaCpuTarget *target) {
  const int64_t step = 8; // rows of a tile in registers, at most
  int64_t bytes = 0;
  for (int i = 0; i < plan->nBuffers; ++i)
    if (plan->buffers[i].inTile && plan->buffers[i].inPlaceOf < 0)
      bytes += rowBytes(&plan->buffers[i]);
  int64_t inSecond = target->l2Bytes / 2 / max64(bytes, 1);
  int64_t inThird = target->l3Bytes / (4 * target->threads) / max64(bytes, 1);
  int64_t rows = min64(max64(inSecond, min64(inThird, enoughRows)), mostRows);
  int64_t share = ceilDiv(plan->queries * plan->batches,
                          (int64_t)target->threads * tasksPerThread);
  rows = min64(rows, max64(share, 4 * step));
  rows = max64(rows / step * step, step);
  // Tiles of about one size.
  int64_t tiles = ceilDiv(plan->queries, rows);
  plan->tileRows =
      min64(plan->queries, roundUp(ceilDiv(plan->queries, tiles), step));
  plan->tilesOfBatch = ceilDiv(plan->queries, plan->tileRows);
  plan->tasks = plan->tilesOfBatch * plan->batches;
}

static void chooseThreads(XlaCpuAttention *plan, const XlaCpuTarget *target) {
  double perScore = 0.5; // of exponentials and sums
  double rows = (double)plan->queries * (double)plan->batches;
  plan->nanoseconds = rows * (double)plan->keys * perScore;
  for (int i = 0; i < 2; ++i)
    plan->nanoseconds +=
        plan->products[i].tiling.nanoseconds * (double)plan->tasks;
  int threads = xlaCpuUsefulThreads(plan->nanoseconds,
                                    target->serialNanoseconds, target->threads);
  plan->chunk = ceilDiv(plan->tasks, threads);
  plan->threads = (int)ceilDiv(plan->tasks, plan->chunk);
}

bool xlaCpuAttentionTile(XlaCpuAttention *plan, const XlaCpuTarget *target) {
  if (plan->keys < 2 || !chooseMemory(plan))
    return false;
  chooseRows(plan, target);
  if (!describeProducts(plan, target))
    return false;
  chooseThreads(plan, target);
  placeRows(plan);
  return true;
}
