//===- plan.h - Attention as passes through blocks of keys --------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lowering/vulkan/attention. An intermediate has either one element
// for a row, or a *vector* of them: as many as there are terms of the scores
// before the products, as there are keys between them, and as the result has
// columns behind. Statements go over the elements of vectors in one order.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_VULKAN_ATTENTION_PLAN_H
#define XLAC_LOWERING_VULKAN_ATTENTION_PLAN_H

#include "xlac/lowering/affine/attention/attention.h"
#include "xlac/lowering/affine/combiner.h"
#include "xlac/lowering/vulkan/attention/attention.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum XlaVulkanRowKind {
  XlaVulkanRowFill,      ///< what a reduction begins with
  XlaVulkanRowElements,  ///< of a vector, each by itself
  XlaVulkanRowScalar,    ///< the one element of a row
  XlaVulkanRowReduction, ///< of a vector to one element
} XlaVulkanRowKind;

/// What the statement of the same number is.
typedef struct XlaVulkanRowStep {
  XlaVulkanRowKind kind;
  int output; ///< buffer; -1: memory from outside
  /// Of a dimension within a row: elements of the vector that a step moves.
  int64_t inner[XLA_SCHED_MAX_DIMS];
  // Of reductions:
  XlaSchedReducer reducer;
  MlirValue begin; ///< what the fill puts there
  int pass;        ///< in which it is computed
  bool isScaled;   ///< with the maximum, when this grows
} XlaVulkanRowStep;

/// The tile of a workgroup: `columnThreads` threads side by side share rows,
/// each of `rowThreads` such groups has `tileRows` rows.
typedef struct XlaVulkanAttentionTiling {
  int columnThreads, rowThreads;
  int tileRows;   ///< queries of a thread
  int tileKeys;   ///< keys of a thread in a block
  int tileValues; ///< columns of the result of a thread
  /// Keys and values are copied to workgroup memory; else a row is one
  /// thread's, which loads what it needs and has sums in private memory.
  bool isStaged;
  int64_t bytes; ///< workgroup memory
} XlaVulkanAttentionTiling;

enum {
  XLA_ATTENTION_MAX_ROWS = 8,
  XLA_ATTENTION_MAX_KEYS = 4,
  XLA_ATTENTION_MAX_VALUES = 16,
  XLA_ATTENTION_MAX_SUMS = 64,   ///< rows times columns of a thread
  XLA_ATTENTION_MAX_COPIES = 64, ///< elements of a block that a thread copies
  XLA_ATTENTION_MAX_REDUCTIONS = 8,
};

typedef struct XlaVulkanAttention {
  XlaAttention rows;
  XlaVulkanRowStep *steps;
  int writers[XLA_ROW_BUFFERS]; ///< statements; -1: a product
  int levels[XLA_ROW_BUFFERS];  ///< passes that are needed before
  int nPasses;
  int maximum; ///< statement: the one that sums are scaled with; -1: none
  int divisor; ///< buffer: a sum that weights are divided by in the end; -1
  int64_t width, values; ///< terms of the scores, columns of the result
  MlirType sums[2];      ///< element types that products are summed in
  XlaVulkanAttentionTiling tiling;
} XlaVulkanAttention;

/// Statements as steps, and passes for them (steps.c). False where it is of
/// another form.
bool xlaVulkanAttentionReadSteps(XlaVulkanAttention *plan);
/// The number of the reduction's operand in its combiner that is combined.
MlirValue xlaVulkanAttentionReduced(const XlaVulkanRowStep *step);
/// Does everything in one pass where sums can be scaled (online.c).
void xlaVulkanAttentionScale(XlaVulkanAttention *plan);

/// Chooses the tile for the device; false where none fits (tile.c).
bool xlaVulkanAttentionTile(XlaVulkanAttention *plan,
                            const XlaVulkanInfo *info);
/// Copies of a thread of a block whose rows of `inner` elements, `outer` of
/// them, lie next to each other.
int64_t xlaVulkanAttentionCopies(int64_t inner, int64_t outer, int64_t threads);
/// From one row to the next in workgroup memory, of queries or keys, whose rows
/// are terms; and of weights.
int64_t xlaVulkanAttentionPitch(int64_t columns);
/// Whether threads of a row reach each other without workgroup memory.
bool xlaVulkanAttentionShuffles(const XlaVulkanAttentionTiling *tiling,
                                const XlaVulkanInfo *info);
/// Tells on stderr what was chosen.
void xlaVulkanAttentionReport(const XlaVulkanAttention *plan, const char *name,
                              intptr_t dispatch);

static inline int64_t xlaVulkanAttentionRows(const XlaVulkanAttention *plan) {
  return (int64_t)plan->tiling.rowThreads * plan->tiling.tileRows;
}
static inline int64_t xlaVulkanAttentionKeys(const XlaVulkanAttention *plan) {
  return (int64_t)plan->tiling.columnThreads * plan->tiling.tileKeys;
}
static inline int64_t
xlaVulkanAttentionColumns(const XlaVulkanAttention *plan) {
  return (int64_t)plan->tiling.columnThreads * plan->tiling.tileValues;
}
/// Workgroups along the queries of a batch element.
static inline int64_t xlaVulkanAttentionTiles(const XlaVulkanAttention *plan) {
  return xlaVulkanCeilDiv(plan->rows.queries, xlaVulkanAttentionRows(plan));
}

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_VULKAN_ATTENTION_PLAN_H
