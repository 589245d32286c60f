//===- emit.c - The shader of attention -----------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/vulkan/attention/emit.h"

#include <stdlib.h>

//===----------------------------------------------------------------------===//
// Which tile
//===----------------------------------------------------------------------===//

static int64_t groupsOf(const XlaVulkanAttention *plan) {
  return xlaVulkanAttentionTiles(plan) * plan->rows.batches;
}

/// Neighbouring workgroups have the same keys.
static void placeGroup(AttentionEmitter *e, const uint32_t groups[3]) {
  const XlaVulkanAttention *plan = e->plan;
  int64_t n = groupsOf(plan), tiles = xlaVulkanAttentionTiles(plan);
  MlirAffineExpr id = xlaAttentionConstant(e, 0);
  if (n > 1)
    id = xlaAffineDim(&e->e.nest, xlaVulkanFlatGroupId(&e->e.ir, groups));
  if ((int64_t)groups[0] * groups[1] * groups[2] > n) {
    e->isGroup = xlaAffineBelow(id, n);
    id = xlaAttentionAtMost(e, id, n - 1);
  }
  e->batch = tiles == n   ? xlaAttentionConstant(e, 0)
             : tiles == 1 ? id
                          : xlaAttentionDivide(e, id, tiles);
  MlirAffineExpr tile = tiles == n   ? id
                        : tiles == 1 ? xlaAttentionConstant(e, 0)
                                     : xlaAttentionRemainder(e, id, tiles);
  e->firstQuery = xlaExprScale(tile, xlaVulkanAttentionRows(plan));
}

static void placeThread(AttentionEmitter *e) {
  const XlaVulkanAttentionTiling *tiling = &e->plan->tiling;
  e->thread = xlaAffineDim(&e->e.nest, xlaVulkanThreadId(&e->e.ir, 0));
  e->column = xlaAttentionRemainder(e, e->thread, tiling->columnThreads);
  e->other = xlaAttentionDivide(e, e->thread, tiling->columnThreads);
  for (int m = 0; m < tiling->tileRows; ++m) {
    MlirAffineExpr row =
        xlaExprShift(xlaExprScale(e->other, tiling->tileRows), m);
    xlaAttentionSetRow(e, row, m, &e->own[m]);
    xlaAttentionSetDigits(e, &e->own[m], 0, XLA_ROW_PHASES - 1);
  }
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// What the kernel writes at one place.
typedef struct Stores {
  int n;
  MlirValue roots[XLA_SCHED_MAX_OPERANDS], values[XLA_SCHED_MAX_OPERANDS];
  MlirAffineExpr at[XLA_SCHED_MAX_OPERANDS];
} Stores;

static void addStore(AttentionEmitter *e, Stores *stores, MlirValue memref,
                     MlirAffineExpr at, MlirValue value) {
  if (stores->n == XLA_SCHED_MAX_OPERANDS) {
    xlaVulkanEmitFail(&e->e, e->e.ir.location, XLA_STATUS_UNIMPLEMENTED,
                      "attention has more than %d results",
                      XLA_SCHED_MAX_OPERANDS);
    return;
  }
  stores->roots[stores->n] = xlaSchedRoot(memref);
  stores->values[stores->n] = value;
  stores->at[stores->n++] = at;
}

/// What statements of a kind write to memory from outside.
static void addStores(AttentionEmitter *e, XlaVulkanRowKind kind, int m,
                      MlirAffineExpr element, Stores *stores) {
  const XlaAttention *rows = &e->plan->rows;
  for (int i = 0; i < rows->nStatements; ++i) {
    const XlaSchedStatement *statement = &rows->statements[i].statement;
    const XlaVulkanRowStep *step = &e->plan->steps[i];
    if (step->output >= 0 || step->kind != kind)
      continue;
    MlirAffineExpr at = xlaAttentionStoredAt(e, i, &e->own[m], element);
    addStore(e, stores, statement->accesses[statement->nIns].root, at,
             xlaAttentionCompute(e, i, &e->own[m], 0, element));
  }
}

/// Stores what is all computed: a result may lie where an operand was. Only
/// threads do whose row is one, and for which `condition` is at least 0, unless
/// it is null.
static void store(AttentionEmitter *e, int m, MlirAffineExpr condition,
                  const Stores *stores) {
  const XlaVulkanAttention *plan = e->plan;
  MlirAffineExpr conditions[3];
  XlaIr outer = e->e.ir;
  int count = 0;
  if (e->isGroup.ptr)
    conditions[count++] = e->isGroup;
  if (condition.ptr)
    conditions[count++] = condition;
  if (plan->rows.queries % xlaVulkanAttentionRows(plan)) {
    MlirAffineExpr row =
        xlaExprShift(xlaExprScale(e->other, plan->tiling.tileRows), m);
    conditions[count++] =
        xlaAffineBelow(xlaExprAdd(e->firstQuery, row), plan->rows.queries);
  }
  if (count)
    xlaAffineIf(&e->e.nest, &outer, count, conditions, &e->e.ir, NULL);
  for (int i = 0; i < stores->n; ++i)
    xlaVulkanStoreLanes(&e->e, stores->roots[i], 1, stores->at[i],
                        &stores->values[i]);
  e->e.ir = outer;
}

/// What the kernel makes of the sum of row `m` and a column.
static void storeElement(AttentionEmitter *e, int m, MlirAffineExpr column,
                         MlirAffineExpr condition, MlirValue sum) {
  const XlaVulkanAttention *plan = e->plan;
  const XlaRowProduct *product = &plan->rows.products[1];
  const XlaContractionDims *columns = &product->contraction.columns;
  MlirType type = xlaIrElementType(mlirValueGetType(product->kernel.product));
  int result = plan->rows.result;
  Stores stores = {.n = 0};
  sum = xlaAttentionConvert(&e->e.ir, xlaAttentionFinish(e, m, sum), type);
  xlaAttentionForget(e);
  if (result < 0) {
    MlirAffineExpr at = xlaAttentionPlace(e, 1, 2, &e->own[m]);
    if (columns->n)
      at = xlaExprAdd(at, xlaExprScale(column, columns->dims[0].result));
    addStore(e, &stores, product->kernel.product, at, sum);
  } else {
    e->known[result][plan->values > 1 ? 0 : m] = sum;
  }
  addStores(e, XlaVulkanRowElements, m, column, &stores);
  if (stores.n)
    store(e, m, condition, &stores);
}

static void storeColumn(AttentionEmitter *e, MlirAffineExpr column,
                        MlirValue *state, void *user) {
  (void)state;
  (void)user;
  for (int m = 0; m < e->plan->tiling.tileRows; ++m)
    storeElement(e, m, column, (MlirAffineExpr){NULL},
                 xlaAttentionSumAt(e, m, column));
}

/// The columns that the thread has of row `m`.
static void storeColumns(AttentionEmitter *e, int m, const MlirValue *sums) {
  const XlaVulkanAttention *plan = e->plan;
  int64_t threads = plan->tiling.columnThreads;
  for (int n = 0; n < plan->tiling.tileValues; ++n) {
    MlirAffineExpr column = xlaExprShift(e->column, n * threads);
    MlirAffineExpr condition = {NULL};
    if ((n + 1) * threads > plan->values) {
      condition = xlaAffineBelow(column, plan->values);
      column = xlaAttentionAtMost(e, column, plan->values - 1);
    }
    storeElement(e, m, column, condition, sums[n]);
  }
}

/// What there is one of for each row.
static void storeScalars(AttentionEmitter *e, int m, MlirValue sum) {
  const XlaVulkanAttention *plan = e->plan;
  Stores stores = {.n = 0};
  MlirAffineExpr zero = xlaAttentionConstant(e, 0), isFirst = {NULL};
  if (plan->tiling.columnThreads > 1)
    isFirst = xlaAffineBelow(e->column, 1);
  xlaAttentionForget(e);
  if (plan->rows.result >= 0 && plan->values == 1)
    e->rowValues[plan->rows.result][m] =
        xlaAttentionConvert(&e->e.ir, xlaAttentionFinish(e, m, sum),
                            plan->rows.buffers[plan->rows.result].element);
  addStores(e, XlaVulkanRowScalar, m, zero, &stores);
  if (stores.n)
    store(e, m, isFirst, &stores);
}

static void storeResults(AttentionEmitter *e, const MlirValue *sums) {
  const XlaVulkanAttentionTiling *tiling = &e->plan->tiling;
  for (int m = 0; m < tiling->tileRows; ++m) {
    storeScalars(e, m,
                 tiling->isStaged
                     ? sums[m * tiling->tileValues]
                     : xlaAttentionSumAt(e, m, xlaAttentionConstant(e, 0)));
    if (tiling->isStaged)
      storeColumns(e, m, &sums[m * tiling->tileValues]);
  }
  if (!tiling->isStaged)
    xlaAttentionLoop(e, e->plan->values, 1, 0, NULL, storeColumn, NULL);
}

//===----------------------------------------------------------------------===//
// The shader
//===----------------------------------------------------------------------===//

static MlirLogicalResult emit(AttentionEmitter *e, XlaVulkanMemoryMap *memory) {
  const XlaVulkanAttention *plan = e->plan;
  const XlaVulkanAttentionTiling *tiling = &plan->tiling;
  const uint32_t size[3] = {
      (uint32_t)(tiling->columnThreads * tiling->rowThreads), 1, 1};
  uint32_t groups[3];
  MlirValue sums[XLA_ATTENTION_MAX_SUMS];
  xlaVulkanGrid(e->info, groupsOf(plan), groups);
  xlaVulkanEmitBegin(&e->e, memory,
                     mlirOperationGetLocation(plan->rows.function), size);
  placeGroup(e, groups);
  placeThread(e);
  xlaAttentionBegin(e);
  for (int pass = 0; pass < plan->nPasses; ++pass)
    xlaAttentionPass(e, pass, sums);
  storeResults(e, sums);
  if (e->e.failed) {
    xlaVulkanEmitDiscard(&e->e);
    return mlirLogicalResultFailure();
  }
  e->e.shader.ir = e->e.ir;
  return xlaVulkanEmitEnd(&e->e, groups);
}

static void destroy(XlaVulkanAttention *plan) {
  if (!plan)
    return;
  xlaAttentionFree(&plan->rows);
  free(plan->steps);
  free(plan);
}

MlirLogicalResult xlaVulkanAttentionEmit(XlaVulkanMemoryMap *memory,
                                         bool *isOne) {
  XlaVulkanSchedule *schedule = memory->schedule;
  XlaVulkanAttention *plan = calloc(1, sizeof *plan);
  AttentionEmitter *e = calloc(1, sizeof *e);
  MlirLogicalResult result = mlirLogicalResultSuccess();
  *isOne = false;
  if (!plan || !e) {
    result = xlaErrorNoMemory(mlirOperationGetLocation(schedule->function));
  } else if (xlaAttentionRead(&plan->rows, schedule->function) &&
             xlaVulkanAttentionReadSteps(plan)) {
    xlaVulkanAttentionScale(plan);
    *isOne = xlaVulkanAttentionTile(plan, schedule->info);
    *e = (AttentionEmitter){.plan = plan, .info = schedule->info};
    if (*isOne && schedule->report)
      xlaVulkanAttentionReport(plan, schedule->kernel->name,
                               schedule->kernel->nDispatches);
    if (*isOne)
      result = emit(e, memory);
  } else if (plan->rows.failed) {
    result = mlirLogicalResultFailure();
  }
  destroy(plan);
  free(e);
  return result;
}
