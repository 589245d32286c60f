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

int xlaCpuRowMemoryOf(const XlaCpuAttention *plan, int buffer) {
  int other = plan->memory[buffer].inPlaceOf;
  return other < 0 ? buffer : other;
}

static int64_t rowBytes(const XlaCpuAttention *plan, int buffer) {
  return plan->memory[buffer].pitch *
         xlaCpuGemmTypeBytes(plan->rows.buffers[buffer].element);
}

/// Whether an access reads or writes elements of a row one by one, in order.
static bool isPlain(const XlaCpuAttention *plan, const XlaRowStatement *row,
                    const XlaSchedAccess *access) {
  const XlaRowBuffer *buffer =
      &plan->rows.buffers[xlaAttentionBufferOf(&plan->rows, access->root)];
  int n = 0;
  for (int d = 0; d < row->statement.nDims; ++d) {
    XlaRowDim dim;
    if (!access->strides[d] || row->unit[d])
      continue;
    if (!xlaRowFindDim(buffer, access->strides[d], row->statement.sizes[d],
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
  const XlaRowBuffer *scores = &plan->rows.buffers[plan->rows.scores];
  const XlaRowBuffer *weights = &plan->rows.buffers[plan->rows.weights];
  bool isWritten = false;
  if (plan->rows.scores == plan->rows.weights || scores->lastPhase > 1 ||
      !mlirTypeEqual(scores->element, weights->element) ||
      scores->length != weights->length)
    return false;
  for (int i = 0; i < plan->rows.nStatements; ++i) {
    const XlaRowStatement *row = &plan->rows.statements[i];
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
  for (int i = 0; i < XLA_ROW_BUFFERS; ++i)
    plan->memory[i].inPlaceOf = -1;
  if (isInPlace(plan))
    plan->memory[plan->rows.weights].inPlaceOf = plan->rows.scores;
  for (int i = 0; i < plan->rows.nBuffers; ++i) {
    const XlaRowBuffer *buffer = &plan->rows.buffers[i];
    XlaCpuRowMemory *memory = &plan->memory[i];
    int64_t bytes = xlaCpuGemmTypeBytes(buffer->element);
    if (buffer->length > mostLength)
      return false;
    // Rows of a matrix lie in different sets of the cache.
    memory->pitch =
        buffer->length == 1
            ? 1
            : roundUp(buffer->length * bytes, 64) / bytes + 64 / bytes;
    memory->inTile = i == plan->rows.lhs || i == plan->rows.scores ||
                     i == plan->rows.weights || i == plan->rows.result ||
                     buffer->firstPhase != buffer->lastPhase ||
                     rowBytes(plan, i) > stackBytes - onStack;
    if (!memory->inTile)
      onStack += rowBytes(plan, i);
  }
  return true;
}

/// Where rows of a tile lie behind the memory of products.
static void placeRows(XlaCpuAttention *plan) {
  plan->slabBytes = plan->productBytes;
  for (int i = 0; i < plan->rows.nBuffers; ++i) {
    XlaCpuRowMemory *memory = &plan->memory[i];
    if (!memory->inTile || memory->inPlaceOf >= 0)
      continue;
    memory->offset = plan->slabBytes;
    plan->slabBytes += roundUp(rowBytes(plan, i) * plan->tileRows, 64);
  }
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// Product `i` of a tile of `rows` queries: of intermediates, or -1.
static bool describeProduct(XlaCpuAttention *plan, int i, int lhs, int result,
                            int64_t rows) {
  const XlaRowProduct *product = &plan->rows.products[i];
  XlaContraction tile = product->contraction;
  tile.batch.n = 0;
  tile.batch.size = 1;
  if (!tile.rows.n)
    tile.rows.dims[0] = (XlaContractionDim){.size = 1};
  tile.rows.n = 1;
  tile.rows.size = tile.rows.dims[0].size = rows;
  if (lhs >= 0) {
    tile.rows.dims[0].lhs = plan->memory[xlaCpuRowMemoryOf(plan, lhs)].pitch;
    tile.terms.dims[0].lhs = 1;
  }
  if (result >= 0) {
    tile.rows.dims[0].result = plan->memory[result].pitch;
    tile.columns.dims[0].result = 1;
  } else if (tile.columns.n && tile.columns.dims[0].result != 1) {
    return false;
  }
  return xlaCpuMatmulInit(&plan->matmuls[i], &tile,
                          mlirValueGetType(product->lhs),
                          mlirValueGetType(product->rhs),
                          mlirValueGetType(product->kernel.product));
}

static bool describeProducts(XlaCpuAttention *plan,
                             const XlaCpuTarget *target) {
  // Fewer would be products of vectors, which have no nest.
  int64_t rows = max64(plan->tileRows, XLA_CPU_GEMM_FEW + 1);
  const XlaAttention *all = &plan->rows;
  if (!describeProduct(plan, 0, all->lhs, all->scores, rows) ||
      !describeProduct(plan, 1, all->weights, all->result, rows))
    return false;
  for (int i = 0; i < 2; ++i) {
    XlaCpuGemmTiling *tiling = &plan->tilings[i];
    *tiling = xlaCpuGemmTiling(&plan->matmuls[i], target);
    if (tiling->path != XLA_CPU_GEMM_NEST || tiling->transposed)
      return false;
    plan->productBytes = max64(plan->productBytes, tiling->slabBytes);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

static void chooseRows(XlaCpuAttention *plan, const XlaCpuTarget *target) {
  const int64_t step = 8; // rows of a tile in registers, at most
  int64_t bytes = 0;
  for (int i = 0; i < plan->rows.nBuffers; ++i)
    if (plan->memory[i].inTile && plan->memory[i].inPlaceOf < 0)
      bytes += rowBytes(plan, i);
  int64_t inSecond = target->l2Bytes / 2 / max64(bytes, 1);
  int64_t inThird = target->l3Bytes / (4 * target->threads) / max64(bytes, 1);
  int64_t rows = min64(max64(inSecond, min64(inThird, enoughRows)), mostRows);
  int64_t share = ceilDiv(plan->rows.queries * plan->rows.batches,
                          (int64_t)target->threads * tasksPerThread);
  rows = min64(rows, max64(share, 4 * step));
  rows = max64(rows / step * step, step);
  // Tiles of about one size.
  int64_t tiles = ceilDiv(plan->rows.queries, rows);
  plan->tileRows = min64(plan->rows.queries,
                         roundUp(ceilDiv(plan->rows.queries, tiles), step));
  plan->tilesOfBatch = ceilDiv(plan->rows.queries, plan->tileRows);
  plan->tasks = plan->tilesOfBatch * plan->rows.batches;
}

static void chooseThreads(XlaCpuAttention *plan, const XlaCpuTarget *target) {
  double perScore = 0.5; // of exponentials and sums
  double rows = (double)plan->rows.queries * (double)plan->rows.batches;
  plan->nanoseconds = rows * (double)plan->rows.keys * perScore;
  for (int i = 0; i < 2; ++i)
    plan->nanoseconds += plan->tilings[i].nanoseconds * (double)plan->tasks;
  int threads = xlaCpuUsefulThreads(plan->nanoseconds,
                                    target->serialNanoseconds, target->threads);
  plan->chunk = ceilDiv(plan->tasks, threads);
  plan->threads = (int)ceilDiv(plan->tasks, plan->chunk);
}

bool xlaCpuAttentionTile(XlaCpuAttention *plan, const XlaCpuTarget *target) {
  if (plan->rows.keys < 2 || !chooseMemory(plan))
    return false;
  chooseRows(plan, target);
  if (!describeProducts(plan, target))
    return false;
  chooseThreads(plan, target);
  placeRows(plan);
  return true;
}
