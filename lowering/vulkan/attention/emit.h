//===- emit.h - State while writing a shader of attention ---------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lowering/vulkan/attention. All is written at `e.ir`.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_VULKAN_ATTENTION_EMIT_H
#define XLAC_LOWERING_VULKAN_ATTENTION_EMIT_H

#include "xlac/lowering/vulkan/attention/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  maxPoints = XLA_ATTENTION_MAX_ROWS * XLA_ATTENTION_MAX_KEYS,
  maxDigits = 128,
  /// What a loop over the keys carries: maxima, reductions, sums.
  maxState = XLA_ATTENTION_MAX_ROWS * XLA_ATTENTION_MAX_REDUCTIONS +
             XLA_ATTENTION_MAX_SUMS,
};

/// A row: the number of its query, and its own, counted through all batches.
typedef struct AttentionRow {
  MlirAffineExpr query, number;
  int thread; ///< which of the thread's rows it is, or -1
} AttentionRow;

/// A digit of a row's number.
typedef struct AttentionDigit {
  const AttentionRow *row; ///< NULL: the same in all rows of a batch element
  int64_t unit, size;
  MlirAffineExpr value;
} AttentionDigit;

/// What a block of keys is about.
typedef struct AttentionBlock {
  MlirAffineExpr first; ///< key
  int64_t left;         ///< keys of a block that is not full; 0: it is
  MlirAffineExpr keys[XLA_ATTENTION_MAX_KEYS]; ///< of the thread, in the row
} AttentionBlock;

/// A rectangle of elements that all threads copy: a row of `inner` elements is
/// contiguous, and there are `outer` rows.
typedef struct AttentionCopies {
  int n;
  MlirAffineExpr low[XLA_ATTENTION_MAX_COPIES];  ///< in a row
  MlirAffineExpr high[XLA_ATTENTION_MAX_COPIES]; ///< the row
} AttentionCopies;

typedef struct AttentionEmitter {
  const XlaVulkanAttention *plan;
  const XlaVulkanInfo *info;
  XlaVulkanEmit e;
  int pass;
  MlirAffineExpr thread, column, other; ///< numbers in the workgroup
  MlirAffineExpr batch, firstQuery;     ///< of the workgroup
  MlirAffineExpr isGroup;               ///< null, or at least 0 where it counts
  AttentionRow own[XLA_ATTENTION_MAX_ROWS];
  int nDigits;
  AttentionDigit digits[maxDigits];
  /// Workgroup memory; not staged: private, of queries and of `sums`.
  MlirValue queries, keys, values, weights, sums;
  int nPartial;
  MlirValue partial[3]; ///< of each type that rows exchange
  AttentionCopies keyCopies, valueCopies;
  bool keysAlongTerms, valuesAlongColumns; ///< rows of copies are these
  MlirAffineExpr base[2]; ///< of rhs, where the batch element begins
  /// Of the thread's rows, what is known to the end.
  MlirValue rowValues[XLA_ROW_BUFFERS][XLA_ATTENTION_MAX_ROWS];
  /// What sums are multiplied with in the end, of each row; or null.
  MlirValue corrections[XLA_ATTENTION_MAX_ROWS];
  /// What is known at the present place: of each point, or row.
  MlirValue known[XLA_ROW_BUFFERS][maxPoints];
} AttentionEmitter;

//===----------------------------------------------------------------------===//
// rows.c
//===----------------------------------------------------------------------===//

/// `a` floordiv and mod `b` at the top level.
MlirAffineExpr xlaAttentionDivide(AttentionEmitter *e, MlirAffineExpr a,
                                  int64_t b);
MlirAffineExpr xlaAttentionRemainder(AttentionEmitter *e, MlirAffineExpr a,
                                     int64_t b);
/// The smaller of `a` and `b`, at the top level.
MlirAffineExpr xlaAttentionAtMost(AttentionEmitter *e, MlirAffineExpr a,
                                  int64_t b);
MlirAffineExpr xlaAttentionConstant(const AttentionEmitter *e, int64_t value);
/// A float as another.
MlirValue xlaAttentionConvert(XlaIr *ir, MlirValue value, MlirType type);

/// Row `row` of the tile, at the top level, or the last one.
void xlaAttentionSetRow(AttentionEmitter *e, MlirAffineExpr row, int thread,
                        AttentionRow *made);
/// Computes the digits that statements of phases [first, last] take of it.
void xlaAttentionSetDigits(AttentionEmitter *e, const AttentionRow *row,
                           int first, int last);
/// The place in array 0 (lhs), 1 (rhs) or 2 (result) of a product at which the
/// batch element, and the row unless it is NULL, begins.
MlirAffineExpr xlaAttentionPlace(AttentionEmitter *e, int product, int array,
                                 const AttentionRow *row);
/// Forgets what is known at the present place.
void xlaAttentionForget(AttentionEmitter *e);
/// Element `element` of a buffer, in a row: `point` of the present place.
MlirValue xlaAttentionValue(AttentionEmitter *e, int buffer,
                            const AttentionRow *row, int point,
                            MlirAffineExpr element);
/// What statement `i` makes for an element: of a reduction, what is combined.
MlirValue xlaAttentionCompute(AttentionEmitter *e, int i,
                              const AttentionRow *row, int point,
                              MlirAffineExpr element);
/// Where statement `i` stores that.
MlirAffineExpr xlaAttentionStoredAt(AttentionEmitter *e, int i,
                                    const AttentionRow *row,
                                    MlirAffineExpr element);
/// The values of all threads of a row combined, for each of the thread's rows.
/// Threads may wait for each other.
void xlaAttentionAcross(AttentionEmitter *e, const XlaSchedReducer *reducer,
                        MlirValue *values);

//===----------------------------------------------------------------------===//
// block.c
//===----------------------------------------------------------------------===//

typedef void (*AttentionBody)(AttentionEmitter *e, MlirAffineExpr index,
                              MlirValue *state, void *user);
/// A loop over [0, n) in steps that carries `nState` values.
void xlaAttentionLoop(AttentionEmitter *e, int64_t n, int64_t step, int nState,
                      MlirValue *state, AttentionBody body, void *user);

/// Reserves workgroup memory, and copies the tile's queries there.
void xlaAttentionBegin(AttentionEmitter *e);
/// Key `key` of a block, as an element of a row: the last one that it has,
/// where it has not that.
MlirAffineExpr xlaAttentionKeyAt(AttentionEmitter *e,
                                 const AttentionBlock *block,
                                 MlirAffineExpr key);
MlirValue xlaAttentionFma(AttentionEmitter *e, MlirValue a, MlirValue b,
                          MlirValue c);
/// The thread's scores of a block, in rows, and which keys it has: the last one
/// for those that the block has not. Ends where all threads have read the keys.
void xlaAttentionScores(AttentionEmitter *e, AttentionBlock *block,
                        MlirValue *scores);
/// Adds the product of weights and values, by copies of these.
void xlaAttentionSums(AttentionEmitter *e, const AttentionBlock *block,
                      const MlirValue *weights, MlirValue *sums);
/// Waits for the threads of the workgroup and what they wrote to its memory,
/// where they share rows.
void xlaAttentionWait(AttentionEmitter *e);
/// Whether the block has key `n` of the thread, or null: it has.
MlirValue xlaAttentionIsKey(AttentionEmitter *e, const AttentionBlock *block,
                            int n);

//===----------------------------------------------------------------------===//
// direct.c
//===----------------------------------------------------------------------===//

/// Reserves private memory, and copies the thread's queries there.
void xlaAttentionBeginDirect(AttentionEmitter *e);
/// The scores of a block, as xlaAttentionScores.
void xlaAttentionDirectScores(AttentionEmitter *e, AttentionBlock *block,
                              MlirValue *scores);
/// Sets all sums to 0.
void xlaAttentionClearSums(AttentionEmitter *e);
/// Multiplies the sums of each row with a factor, if there are some, and adds
/// the product of weights and values.
void xlaAttentionDirectSums(AttentionEmitter *e, const AttentionBlock *block,
                            const MlirValue *weights, const MlirValue *factors);
/// The sum of a row and a column.
MlirValue xlaAttentionSumAt(AttentionEmitter *e, int m, MlirAffineExpr column);

//===----------------------------------------------------------------------===//
// pass.c
//===----------------------------------------------------------------------===//

/// Goes through the keys. Afterwards the thread's rows have what is reduced,
/// and in the pass of the product `sums`, or private memory, hold this.
void xlaAttentionPass(AttentionEmitter *e, int pass, MlirValue *sums);
/// A sum as it is in the end.
MlirValue xlaAttentionFinish(AttentionEmitter *e, int m, MlirValue sum);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_VULKAN_ATTENTION_EMIT_H
